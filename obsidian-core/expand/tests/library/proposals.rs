//! What messages propose is accepted: each kernel here is refused, and accepted with the lines that
//! its errors propose.

use std::collections::BTreeSet;

use obsidian_expand::kernels;
use proc_macro2::{TokenStream, TokenTree};

/// The messages of the errors in an expansion.
fn errors(tokens: TokenStream, found: &mut Vec<String>) {
    let mut before = String::new();
    for tree in tokens {
        if let TokenTree::Group(group) = &tree {
            if before == "compile_error!" {
                let text: syn::LitStr = syn::parse2(group.stream()).expect("a message");
                found.push(text.value());
            } else {
                errors(group.stream(), found);
            }
        }
        before = match &tree {
            TokenTree::Ident(name) => name.to_string(),
            TokenTree::Punct(punct) if punct.as_char() == '!' => before + "!",
            _ => String::new(),
        };
    }
}

/// The errors of a module.
fn wrong(text: &str) -> Vec<String> {
    let input = text.parse().expect("tokens");
    let mut found = Vec::new();
    errors(kernels(TokenStream::new(), input), &mut found);
    found
}

/// The lines that messages propose where a kernel begins.
fn proposed(messages: &[String]) -> BTreeSet<String> {
    let lines = messages.iter().flat_map(|message| message.lines());
    lines
        .filter_map(|line| {
            let (_, rest) = line.split_once("ask for it where the kernel begins: `")?;
            Some(rest.strip_suffix('`').expect(line).to_owned())
        })
        .collect()
}

/// The module with lines at the beginning of its kernel `run`.
fn with(module: &str, lines: &BTreeSet<String>) -> String {
    let (before, kernel) = module.split_once("fn run(").expect("a kernel");
    let (head, body) = kernel.split_once(" {\n").expect("a body");
    let lines: Vec<String> = lines.iter().map(|line| format!("{line};")).collect();
    format!("{before}fn run({head} {{\n{}\n{body}", lines.join("\n"))
}

const KERNELS: &[(&str, &str)] = &[
    (
        "two inputs",
        "pub mod m {
            #[kernel]
            pub fn run(x: DPull<EU32>, y: DPull<EU32>) -> DPush<Grid, EU32> {
                generate(x.len(), |i| x[i] * y[i]).chunks(64, 0).as_grid_map(|c| c.push()).take(x.len())
            }
        }",
    ),
    (
        "three inputs in a loop",
        "pub mod m {
            #[kernel]
            pub fn run(x: DPull<EF32>, y: DPull<EF32>, mass: DPull<EF32>) -> DPush<Grid, EF32> {
                let n = x.len();
                let force = |i: EU32| seq_iterate(n, |j, f| f + mass[j] * (x[j] - x[i]) * (y[j] - y[i]), lit(0f32));
                generate(n, |i| i)
                    .chunks(64, lit(0u32))
                    .as_grid_map(|c| c.as_block_map(|i| exec_thread_value(force(i))))
                    .take(n)
            }
        }",
    ),
    (
        "a length that is an argument",
        "pub mod m {
            #[kernel]
            pub fn run(n: EU32, x: DPull<EU32>) -> DPush<Grid, EU32> {
                generate(n, |i| x[i] + 1).chunks(64, 0).as_grid_map(|c| c.push()).take(n)
            }
        }",
    ),
    (
        "rows of a matrix",
        "pub mod m {
            #[kernel]
            pub fn run(h: EU32, w: EU32, x: DPull<EU32>) -> DPush<Grid, EU32> {
                generate(h * w, |i| x[i]).chunks(64, 0).as_grid_map(|c| c.push()).take(h * w)
            }
        }",
    ),
    (
        "an array that is written",
        "pub mod m {
            #[kernel]
            pub fn run(x: DPull<EU32>, out: MGlobal<EU32>) -> Program<Grid, ()> {
                distr_par(x.len().div_ceil(64), |b| {
                    for_all(64, |t| {
                        let i = b * 64 + t;
                        cond(i < x.len(), out.write(i, x[i]), pure(()))
                    })
                })
            }
        }",
    ),
    (
        "one element for each block",
        "pub mod m {
            #[kernel]
            pub fn run(x: DPull<EU32>, sums: DPull<EU32>) -> DPush<Grid, EU32> {
                let n = x.len();
                mk_push(n, |write| {
                    distr_par(n.div_ceil(256), |b| {
                        for_all(256, |t| {
                            let i = b * 256 + t;
                            cond(i < n, write(x[i] + sums[b], i), pure(()))
                        })
                    })
                })
            }
        }",
    ),
];

#[test]
fn a_proposed_line_is_accepted() {
    for (name, module) in KERNELS {
        let messages = wrong(module);
        let lines = proposed(&messages);
        assert!(!lines.is_empty(), "{name}: {messages:#?}");
        let after = wrong(&with(module, &lines));
        assert!(after.is_empty(), "{name} with {lines:?}: {after:#?}");
    }
}

/// With `x.len().equals(k)` nothing would be read at all: no message proposes that.
const NEVER: &[(&str, &str)] = &[
    ("k < n", "k + (y[i] >> 31)"),
    ("y[i] - k < n - k", "y[i]"),
    ("k < n", "y[i] % (k + 1) * 2"),
    // What is only compared for equality, or divides, is no length.
    ("(i / 3 + i) % 2 == k", "i + 1"),
    ("i % (k + 1) < 3", "i * 2"),
    ("y[i] != k", "y[i]"),
];

#[test]
fn a_line_that_leaves_nothing_to_do_is_not_proposed() {
    for (condition, index) in NEVER {
        let module = format!(
            "pub mod m {{
                #[kernel]
                pub fn run(y: DPull<EU32>, x: DPull<EU32>, k: EU32) -> DPush<Grid, EU32> {{
                    let (n, m) = (x.len(), y.len());
                    generate(m, |i| select({condition}, x[{index}], 0))
                        .chunks(64, 0)
                        .as_grid_map(|c| c.push())
                        .take(m)
                }}
            }}"
        );
        let messages = wrong(&module);
        assert!(!messages.is_empty(), "{condition}");
        let lines = proposed(&messages);
        assert!(lines.is_empty(), "{condition}: {lines:?}");
    }
}

/// A module, what its errors offer, and the indices for which the user then promises something.
type Offer = (
    &'static str,
    &'static str,
    &'static [(&'static str, &'static str)],
);

const OFFERS: &[Offer] = &[
    (
        "pub mod m {
            #[kernel(threads = 64)]
            pub fn run(to: DPull<EU32>, x: DPull<EU32>) -> DPush<Grid, EU32> {
                to.split_up(64).as_grid_map(|to| to.map(|to| x[to]).push())
            }
        }",
        "below the length, vouch for it: `i.unchecked()`",
        &[("x[to]", "x[to.unchecked()]")],
    ),
    (
        "pub mod m {
            #[kernel(threads = 64)]
            pub fn run(to: DPull<EU32>) -> DPush<Grid, EU32> {
                to.split_up(64).as_grid_map(|to| mk_push(64, |write| for_all(64, |i| write(i, to[i] % 64))))
            }
        }",
        "the indices are distinct, promise it: `i.distinct()`",
        &[("to[i] % 64", "(to[i] % 64).distinct()")],
    ),
    (
        "pub mod m {
            #[kernel(threads = 64)]
            pub fn run(to: DPull<EU32>) -> DPush<Grid, EU32> {
                to.split_up(64).as_grid_map(|to| mk_push(64, |write| {
                    for_all(64, |i| cond(to[i] > 9, write(i, to[i] % 64), write(i, to[i] / 2 % 64)))
                }))
            }
        }",
        "the indices are distinct, promise it in all places that write: `i.distinct()`",
        &[
            ("to[i] % 64", "(to[i] % 64).distinct()"),
            ("to[i] / 2 % 64", "(to[i] / 2 % 64).distinct()"),
        ],
    ),
    // A promise about what a condition compares is none about the index.
    (
        "pub mod m {
            #[kernel(threads = 64)]
            pub fn run(to: DPull<EU32>) -> DPush<Grid, EU32> {
                to.split_up(64).as_grid_map(|to| mk_push(64, |write| {
                    for_all(64, |i| write(i, select(to[i].distinct() > 9, to[i] % 64, to[i] / 2 % 64)))
                }))
            }
        }",
        "the indices are distinct, promise it: `i.distinct()`",
        &[(
            "select(to[i].distinct() > 9, to[i] % 64, to[i] / 2 % 64)",
            "select(to[i] > 9, to[i] % 64, to[i] / 2 % 64).distinct()",
        )],
    ),
    (
        "pub mod m {
            fn scatter(a: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
                let m = new_shared_mutable(64, 0u32)?;
                for_all(64, |i| m.write(a[i] % 64, i))?;
                pure(m.push())
            }
            #[kernel(threads = 64)]
            pub fn run(a: DPull<EU32>) -> DPush<Grid, EU32> {
                a.split_up(64).as_grid_map(|a| exec_block(scatter(a)))
            }
        }",
        "the indices are distinct, promise it: `i.distinct()`",
        &[("a[i] % 64", "(a[i] % 64).distinct()")],
    ),
    (
        "pub mod m {
            #[kernel(threads = 64)]
            pub fn run(io: MGlobal<EU32>, at: DPull<EU32>) -> Program<Grid, ()> {
                distr_par(at.len() / 64, |b| {
                    for_all(64, |t| {
                        let x = io.read(at[b * 64 + t] % 4096)?;
                        io.write(at[b * 64 + t] / 2 % 4096, x)
                    })
                })
            }
        }",
        "the indices are distinct, promise it in both places: `i.distinct()`",
        &[
            ("at[b * 64 + t] % 4096", "(at[b * 64 + t] % 4096).distinct()"),
            (
                "at[b * 64 + t] / 2 % 4096",
                "(at[b * 64 + t] / 2 % 4096).distinct()",
            ),
        ],
    ),
    (
        "pub mod m {
            #[kernel(threads = 64)]
            pub fn run(io: MGlobal<EU32>, at: DPull<EU32>) -> Program<Grid, ()> {
                distr_par(io.len(), |b| for_all(1, |_| io.write(b, b)))?;
                distr_par(at.len(), |b| for_all(1, |_| io.write(at[b] % 16, b)))
            }
        }",
        "the indices are distinct, promise it in both places: `i.distinct()`",
        &[
            ("write(b, b)", "write(b.distinct(), b)"),
            ("at[b] % 16", "(at[b] % 16).distinct()"),
        ],
    ),
];

#[test]
fn a_promise_that_is_offered_is_accepted() {
    for (module, offer, indices) in OFFERS {
        let messages = wrong(module);
        let offered = messages.iter().any(|message| message.contains(offer));
        assert!(offered, "{offer}: {messages:#?}");
        let mut promised = (*module).to_owned();
        for (index, promise) in *indices {
            assert!(promised.contains(index), "{index}: {module}");
            promised = promised.replacen(index, promise, 1);
        }
        let after = wrong(&promised);
        assert!(after.is_empty(), "{promised}: {after:#?}");
    }
}
