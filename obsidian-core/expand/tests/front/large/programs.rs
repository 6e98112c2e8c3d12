//! Kernels of any number of statements, each of one shape: as text of the IR, for the passes, and as a
//! user writes them, for the front end.

use std::fmt::Write;

/// A kernel of about `n` statements or expressions: its name, and its text.
pub type Shape = (&'static str, fn(usize) -> String);

/// A kernel in blocks of 64 threads, with `input`, `out` of as many elements times `each`, and the
/// statements of a block.
fn blocks(each: usize, body: &str) -> String {
    format!(
        "kernel k {{
        parameter 0 input: u32[length(input)] input
        parameter 1 out: u32[((length(input) /' 64_u32) *' {}_u32)] output
        require length(input) multiple_of 64
        distribute Block b < (length(input) /' 64_u32) {{ {body} }} }}",
        64 * each
    )
}

/// A kernel whose threads do all of it by themselves, from `x0` to `x`.
fn threads(body: &str, x: &str) -> String {
    blocks(
        1,
        &format!(
            "allocate s: u32[64_u32] shared
            forall Block f < 64_u32 {{ store s[f] = input[((b *' 64_u32) +' f)] }} wait Block
            forall Block t < 64_u32 {{ let x0 = s[t] {body} store out[((b *' 64_u32) +' t)] = {x} }}"
        ),
    )
}

/// The text of `n` steps, from 1 on.
fn steps(n: usize, step: impl Fn(&mut String, usize)) -> String {
    let mut text = String::new();
    (1..=n).for_each(|k| {
        step(&mut text, k);
        text.push('\n');
    });
    text
}

/// The value in front of step `k`.
fn before(k: usize) -> String {
    match k {
        1 => "x0".to_owned(),
        _ => format!("${}", k - 1),
    }
}

/// Texts of the IR.
pub const KERNELS: &[Shape] = &[
    ("a straight line", |n| {
        let body = steps(n, |text, k| {
            let _ = write!(text, "let x{k} = ((x{} * 1664525_u32) ^ {k}_u32)", k - 1);
        });
        threads(&body, &format!("x{n}"))
    }),
    ("a sum in one expression", |n| {
        let body = steps(n, |text, k| {
            let before = before(k);
            let _ = write!(
                text,
                "${k} := (({before} ^ {k}_u32) + s[((t + {k}_u32) % 64_u32)])"
            );
        });
        threads(&body, &format!("${n}"))
    }),
    ("choices in the else of each other", |n| {
        let body = steps(n, |text, k| {
            let before = before(k);
            let _ = write!(
                text,
                "${k} := select((x0 == {k}_u32), {}_u32, {before})",
                7 * k
            );
        });
        threads(&body, &format!("${n}"))
    }),
    ("choices that load in the else of each other", |n| {
        let body = steps(n, |text, k| {
            let before = before(k);
            let _ = write!(
                text,
                "${k} := select((x0 == {k}_u32), s[((t + {k}_u32) % 64_u32)], {before})"
            );
        });
        threads(&body, &format!("${n}"))
    }),
    ("conditions that all hold", |n| {
        let body = steps(n, |text, k| {
            let before = match k {
                1 => "true".to_owned(),
                _ => format!("${}", k - 1),
            };
            let _ = write!(text, "${k} := ({before} & (x0 != {k}_u32))");
        });
        threads(
            &format!("{body} cell c = x0 if ${n} {{ assign c = 7_u32 }} get z = c"),
            "z",
        )
    }),
    ("conditions none of which holds", |n| {
        let body = steps(n, |text, k| {
            let before = match k {
                1 => "false".to_owned(),
                _ => format!("${}", k - 1),
            };
            let _ = write!(text, "${k} := ((x0 == {k}_u32) | {before})");
        });
        threads(
            &format!("{body} let z = select((! ${n}), s[(x0 % 64_u32)], x0)"),
            "z",
        )
    }),
    ("sums of choices", |n| {
        let body = steps(n, |text, k| {
            let before = before(k);
            let _ = write!(
                text,
                "${k} := (select((x0 < {k}_u32), t, {before}) + 1_u32)"
            );
        });
        threads(&body, &format!("${n}"))
    }),
    ("elements at elements", |n| {
        let body = steps(n, |text, k| {
            let before = before(k);
            let _ = write!(text, "${k} := s[(({before} + {k}_u32) % 64_u32)]");
        });
        threads(&body, &format!("${n}"))
    }),
    ("comparisons of comparisons", |n| {
        let body = steps(n, |text, k| {
            let before = before(k);
            let _ = write!(text, "${k} := (u32(({before} < length(input))) + {k}_u32)");
        });
        threads(&body, &format!("${n}"))
    }),
    ("ifs in the else of each other", |n| {
        // As deep as functions may call each other.
        let nests = steps(n / 800, |text, nest| {
            text.push_str(&steps(400, |text, k| {
                let k = 400 * nest + k;
                let _ = write!(
                    text,
                    "if (x0 == {k}_u32) {{ assign c = {}_u32 }} else {{",
                    7 * k
                );
            }));
            text.push_str(&"}".repeat(400));
        });
        threads(&format!("cell c = x0 {nests} get z = c"), "z")
    }),
    ("choices that load in arms of choices", |n| {
        let body = steps(n, |text, k| {
            let before = before(k);
            let _ = write!(
                text,
                "${k} := select((x0 >= {k}_u32), (select(((t + {k}_u32) < 64_u32), s[((t + {k}_u32) % 64_u32)], {before}) + {before}), {before})"
            );
        });
        threads(&body, &format!("${n}"))
    }),
    ("a walk", |n| {
        let body = steps(n, |text, k| {
            let before = before(k);
            let _ = write!(
                text,
                "${k} := select((((x0 >> {}_u32) & 1_u32) == 1_u32), s[({before} % 64_u32)], s[(({before} + 1_u32) % 64_u32)])",
                k % 32
            );
        });
        threads(&body, &format!("${n}"))
    }),
    ("stores", |n| {
        let body = steps(n, |text, k| {
            let _ = write!(
                text,
                "store out[((b *' {}_u32) +' ({}_u32 +' t))] = (x0 + {k}_u32)",
                64 * n,
                64 * (k - 1)
            );
        });
        blocks(
            n,
            &format!("forall Block t < 64_u32 {{ let x0 = input[((b *' 64_u32) +' t)] {body} }}"),
        )
    }),
    ("reads and writes", |n| {
        let body = steps(n / 2, |text, k| {
            let _ = write!(text, "read y{k} = m[t] store m[t] = (y{k} + {k}_u32)");
        });
        blocks(
            1,
            &format!(
                "allocate m: u32[64_u32] shared
                forall Block t < 64_u32 {{ store m[t] = input[((b *' 64_u32) +' t)] {body} read z = m[t] store out[((b *' 64_u32) +' t)] = z }}"
            ),
        )
    }),
    ("a cell", |n| {
        let body = steps(n / 3, |text, k| {
            let _ = write!(
                text,
                "get y{k} = c if (y{k} > {k}_u32) {{ assign c = (y{k} * 3_u32) }}"
            );
        });
        threads(&format!("cell c = x0 {body} get z = c"), "z")
    }),
    ("sums of floats", |n| {
        let body = steps(n / 4, |text, k| {
            let before = if k == 1 {
                "f32(input[((b *' 64_u32) +' t1)])".to_owned()
            } else {
                format!("s{}[(t{k} ^ 1_u32)]", k - 1)
            };
            let _ = write!(
                text,
                "allocate s{k}: f32[64_u32] shared forall Block t{k} < 64_u32 {{ store s{k}[t{k}] = ({before} + 1.0_f32) }} wait Block"
            );
        });
        blocks(
            1,
            &format!(
                "{body} forall Block i < 64_u32 {{ store out[((b *' 64_u32) +' i)] = u32(s{}[i]) }}",
                n / 4
            ),
        )
    }),
    ("stored arrays", |n| {
        let body = steps(n / 4, |text, k| {
            let before = if k == 1 {
                "input[((b *' 64_u32) +' t1)]".to_owned()
            } else {
                format!("s{}[(t{k} ^ 1_u32)]", k - 1)
            };
            let _ = write!(
                text,
                "allocate s{k}: u32[64_u32] shared forall Block t{k} < 64_u32 {{ store s{k}[t{k}] = ({before} + 1_u32) }} wait Block"
            );
        });
        blocks(
            1,
            &format!(
                "{body} forall Block o < 64_u32 {{ store out[((b *' 64_u32) +' o)] = s{}[o] }}",
                n / 4
            ),
        )
    }),
    ("loops of a thread", |n| {
        let body = steps(n / 3, |text, k| {
            let _ = write!(
                text,
                "for sequential Thread j{k} in 0_u32 .. 4_u32 step 1_u32 {{ get y{k} = c assign c = (y{k} ^ (j{k} + {k}_u32)) }}"
            );
        });
        threads(&format!("cell c = x0 {body} get z = c"), "z")
    }),
    ("loops that load one element", |n| {
        let body = steps(n / 3, |text, k| {
            let _ = write!(
                text,
                "for sequential Thread j{k} in 0_u32 .. 4_u32 step 1_u32 {{ get y{k} = c assign c = (y{k} ^ s[(63_u32 -' t)]) }}"
            );
        });
        threads(&format!("cell c = x0 {body} get z = c"), "z")
    }),
    ("barriers", |n| {
        let body = steps(n / 5, |text, k| {
            let _ = write!(
                text,
                "forall Block t{k} < 64_u32 {{ read y{k} = m[t{k}] store m[t{k}] = (y{k} * {k}_u32) }} wait Block"
            );
        });
        blocks(
            1,
            &format!(
                "allocate m: u32[64_u32] shared
                forall Block f < 64_u32 {{ store m[f] = input[((b *' 64_u32) +' f)] }} wait Block
                {body}
                forall Block o < 64_u32 {{ read z = m[(63_u32 -' o)] store out[((b *' 64_u32) +' o)] = z }}"
            ),
        )
    }),
    ("atomics", |n| {
        let body = steps(n, |text, k| {
            let _ = write!(text, "atomic add m[(x0 % 64_u32)] ({k}_u32)");
        });
        blocks(
            1,
            &format!(
                "allocate m: u32[64_u32] shared
                forall Block f < 64_u32 {{ store m[f] = 0_u32 }} wait Block
                forall Block t < 64_u32 {{ let x0 = input[((b *' 64_u32) +' t)] {body} }} wait Block
                forall Block o < 64_u32 {{ read z = m[o] store out[((b *' 64_u32) +' o)] = z }}"
            ),
        )
    }),
];

/// A module with kernels of these bodies, which give an element for `x` of an array of 64.
pub fn module(kernels: &[String]) -> String {
    let kernels: Vec<String> = kernels
        .iter()
        .enumerate()
        .map(|(n, body)| {
            format!(
                "#[kernel(threads = 64)]
        pub fn k{n}(input: DPull<EU32>) -> DPush<Grid, EU32> {{
            input.split_up(64).as_grid_map(|a| generate(64, |i| {{ let x = a[i]; {body} }}).push())
        }}"
            )
        })
        .collect();
    format!("pub mod m {{ {} }}", kernels.join("\n"))
}

/// Modules as a user writes them.
pub const SOURCES: &[Shape] = &[
    ("statements of a loop of the host", |n| {
        module(&[format!(
            "let mut y = x; for s in 0..{n}u32 {{ y = y * 1664525 + s; }} y"
        )])
    }),
    ("statements of the text", |n| {
        let lines = steps(n, |text, k| {
            let _ = write!(text, "let y = y * 1664525 + {k};");
        });
        module(&[format!("let y = x; {lines} y")])
    }),
    ("a fold of the host", |n| {
        module(&[format!("(0..{n}u32).fold(x, |y, s| y * 3 + s)")])
    }),
    ("a sum of elements", |n| {
        module(&[format!(
            "let mut y = x; for s in 0..{n}u32 {{ y = y + (a[(i + s) % 64] ^ s); }} y"
        )])
    }),
    ("writes", |n| {
        format!(
            "pub mod m {{
            pub fn changed(piece: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {{
                let a = to_mutable(piece)?;
                for_all(64, |i| {{
                    for s in 0..{n}u32 {{ let x = a.read(i)?; a.write(i, x + s)?; }}
                    pure(())
                }})?;
                pure(a.push())
            }}
            #[kernel(threads = 64)]
            pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {{
                input.split_up(64).as_grid_map(|piece| exec_block(changed(piece)))
            }} }}"
        )
    }),
    ("stored arrays", |n| {
        format!(
            "pub mod m {{
            pub fn changed(piece: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {{
                let mut a = compute(piece)?;
                for s in 0..{}u32 {{ let b = a; a = compute(generate(64, |i| b[i ^ 1] + s))?; }}
                pure(a.push())
            }}
            #[kernel(threads = 64)]
            pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {{
                input.split_up(64).as_grid_map(|piece| exec_block(changed(piece)))
            }} }}",
            n / 4
        )
    }),
];

/// A module of `n` kernels.
pub fn kernels(n: usize) -> String {
    module(&(0..n).map(|k| format!("x * 3 + {k}")).collect::<Vec<_>>())
}

/// A kernel of `n` variants.
pub fn variants(n: usize) -> String {
    let values: Vec<String> = (1..=n).map(|n| n.to_string()).collect();
    format!(
        "pub mod m {{ #[kernel(threads = 64, n = [{}])]
        pub fn k(n: u32, input: DPull<EU32>) -> DPush<Grid, EU32> {{
            input.split_up(64).as_grid_map(|a| a.map(|x| x * 3 + n).push())
        }} }}",
        values.join(", ")
    )
}
