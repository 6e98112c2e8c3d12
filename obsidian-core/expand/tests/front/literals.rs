//! Which literals are device values, and of which type: what the inference finds in the tree alone,
//! in functions that no kernel calls.

use obsidian_front::evaluate::{Row, rows};
use obsidian_front::infer::{Head, Placed, Scheme, names, signature};
use obsidian_front::read_module;

/// The literals of a module as the inference has them: `0.0: EF32`, `3: u32`, `7: _`.
fn literals(text: &str) -> String {
    let file: syn::File = syn::parse_str(text).unwrap_or_else(|e| panic!("{text}: {e}"));
    let reading = read_module(&file.items);
    if let Some(mistakes) = reading.mistakes {
        panic!("{text}: {mistakes}");
    }
    let literals = reading.module.literals.iter();
    let words = literals.filter_map(|(site, placed)| {
        let text = reading.sources.span(*site).source_text()?;
        (text.starts_with(|c: char| c.is_ascii_digit()) || text == "true")
            .then(|| format!("{text}: {}", name(*placed)))
    });
    words.collect::<Vec<_>>().join(", ")
}

fn name(placed: Placed) -> String {
    match (placed.is_device, placed.ty) {
        (true, Some(ty)) => ty.scalar().exp_name(),
        (true, None) => "E_".to_owned(),
        (false, Some(ty)) => ty.name().to_owned(),
        (false, None) => "_".to_owned(),
    }
}

/// The literals in an expression over `x: DPull<EF32>`, `m: DPull2<EF32>`, `n: EU32`, `t: EF64`, `h: u32`.
fn in_kernel(expression: &str) -> String {
    literals(&format!(
        "fn own<T: Data>(pad: T, x: DPull<T>) -> DPull<Pull<T>> {{ x.chunks(H, pad) }}
         fn scaled(x: EF32, by: f32) -> EF32 {{ x * by }}
         fn any<T: Clone>(x: T) -> T {{ x }}
         fn of<T: Number>(x: Exp<T>, y: T) -> Exp<T> {{ x + y }}
         fn applied(f: impl Fn(EF32, EU32) -> EF32) -> EF32 {{ f(lit(A), lit(B)) }}
         fn combined<T: Data, F: Fn(T, T) -> T>(f: F, x: T) -> T {{ f(x, x) }}
         const A: f32 = f32::MAX; const B: u32 = u32::MAX; const H: u32 = u32::MAX;
         fn kernel(x: DPull<EF32>, m: DPull2<EF32>, n: EU32, t: EF64, q: Pull<EF32>, h: u32) {{ {expression}; }}"
    ))
}

/// The literals in an expression of an array program over `x: Arr1<EF32>`, `m: Arr2<EU32>`, `n: EU32`.
fn in_arrays(expression: &str) -> String {
    literals(&format!(
        "fn program(x: Arr1<EF32>, m: Arr2<EU32>, n: EU32, t: EF64) {{ {expression}; }}"
    ))
}

macro_rules! facts {
    ($($name:ident: $of:ident($code:literal) == $found:literal;)*) => {$(
        #[test]
        fn $name() {
            assert_eq!($of($code), $found, "{}", $code);
        }
    )*};
}

facts! {
    lengths_that_the_result_tells: literals("fn f() -> DPush<Grid, EF32> { mk_push(1, |write| distr_par(2, |_| single_thread(write(3.0, 4)))) }") == "1: EU32, 2: u32, 3.0: EF32, 4: EU32";
    lengths_of_pieces: literals("fn f() -> Push<Block, EF32> { mk_push(1, |write| for_all(1, |i| write(3.0, i))) }") == "1: u32, 1: u32, 3.0: EF32";
    prefixes_of_arrays_of_a_launch: in_kernel("(x.take(3), x.drop(4), x.split_at(5).0, x.set_len(6))") == "3: EU32, 4: EU32, 5: EU32, 6: u32";
    prefixes_of_pieces: in_kernel("(q.take(3), q.drop(4), q.split_at(5).0)") == "3: u32, 4: u32, 5: u32";
    extents_are_of_one_kind: in_kernel("(generate((n, 128), |(y, x)| y), generate((4, 8), |(y, x)| 1u32))") == "128: EU32, 4: u32, 8: u32, 1u32: EU32";
    parameters_of_own_functions: in_kernel("own(0.5, x)") == "0.5: EF32";
    parameters_of_the_host: in_kernel("(scaled(x[0], 0.5), any(7), of(t, 0.25))") == "0: u32, 0.5: f32, 7: _, 0.25: f64";
    variables: in_kernel("let zero = 0.0; x.chunks(64, zero)") == "0.0: EF32, 64: u32";
    variables_of_the_host: in_kernel("let k = 64; let c = 0.5; x.chunks(k, 1.0).map(|p| p.map(|y| y * c))") == "64: u32, 0.5: f32, 1.0: EF32";
    sums_of_literals: in_kernel("(0.1 + 0.02) * t") == "0.1: f64, 0.02: f64";
    declared_sums_of_literals: in_kernel("let y: EF32 = 0.1 + 0.02") == "0.1: EF32, 0.02: EF32";
    tuples: in_kernel("x.map(|y| (y, 1.0)).chunks(64, (0.0, 2.0)).map(|p| p.map(|(a, b)| select(a > 3.0, (b + a, 4.0), (5.0, a))))") == "1.0: EF32, 64: u32, 0.0: EF32, 2.0: EF32, 3.0: f32, 4.0: EF32, 5.0: EF32";
    tuples_of_elements: in_kernel("x.map(|y| (y, 1.0))") == "1.0: E_";
    tuples_of_pads: in_kernel("x.map(|y| (y, 1.0)).chunks(64, (0.0, 2.0))") == "1.0: E_, 64: u32, 0.0: EF32, 2.0: E_";
    nested_tuples: in_kernel("let start = ((0.0, 1), 2); seq_iterate(3, |i, ((y, k), l)| ((y + x[i], k + i), l + i), start)") == "0.0: EF32, 1: EU32, 2: EU32, 3: u32";
    closures: in_kernel("(applied(|y, i| 0.5), combined(|y, z| 1.5, x[0]))") == "0.5: EF32, 1.5: EF32, 0: u32";
    closures_in_variables: in_kernel("let f = |y| select(y > 0.0, y, 1.0); x.map(f)") == "0.0: f32, 1.0: EF32";
    changed_variables: in_kernel("let mut s = 0.0; for i in 0..4 { s = s + x[i]; } s += 1.0") == "0.0: EF32, 0: u32, 4: u32, 1.0: f32";
    sums_in_place: in_kernel("let mut s = 0.0; for i in 0..4u32 { s += x[i]; }") == "0.0: EF32, 0: u32, 4u32: u32";
    folds_of_lists: in_kernel("let v = vec![x[0], x[1]]; v.iter().fold(0.0, |s, y| s + y)") == "0: u32, 1: u32, 0.0: EF32";
    folds_of_numbers: in_kernel("let v = vec![1.0, 2.0]; v.iter().fold(0.0, |s, y| s + y * x[0])") == "1.0: f32, 2.0: f32, 0.0: EF32, 0: u32";
    what_is_stored: in_kernel("compute(generate(8, |_| 1))?; compute(zip_with(|p, q| p * q, generate(8, |_| 2), generate(8, |i| i)))") == "8: u32, 1: E_, 8: u32, 2: EU32, 8: u32";
    mutable_arrays: in_kernel("let m = new_shared_mutable(16, 0)?; m.atomic_add(3, 1)?; m.write(4, n)") == "16: u32, 0: EU32, 3: u32, 1: EU32, 4: u32";
    casts_are_of_the_host: in_kernel("(0 as EU32, 1 as f32, n as f32 * 2.0)") == "0: _, 1: _, 2.0: f32";
    lists_of_the_host: in_kernel("let v = vec![0.5, 0.25]; x.map(|y| y * v[1])") == "0.5: f32, 0.25: f32, 1: usize";
    writers_of_matrices: in_kernel("m.push().push_to(|y, (i, j)| pure(()))") == "";
    arms: in_kernel("x.map(|y| if h == 0 { 1.0 } else { y })") == "0: u32, 1.0: EF32";
    shifts: in_kernel("(n << 3) + (1 << n)") == "3: u32, 1: u32";
    conditions: in_kernel("x.map(|y| select(y > 0.0, true, y < 1.0))") == "0.0: f32, true: EBool, 1.0: f32";
    initial_elements: in_arrays("x.fold(|p, q| p + q, 0.0)") == "0.0: EF32";
    elements_of_arrays: in_arrays("(fill((n, 3), 1), generate(1600, |i| select(i.lt(1600), x.at(i), 2.0)))") == "3: u32, 1: E_, 1600: u32, 1600: u32, 2.0: EF32";
    arrays_of_literals: in_arrays("x.map(|y| 1).zip_of()") == "1: E_";
    places: in_arrays("x.permute(|p, q| p + q, fill((4, 4), 0.0), |i, y| (true, (i, 0)))") == "4: u32, 4: u32, 0.0: EF32, true: EBool, 0: EU32";
    boundaries: in_arrays("x.stencil(Constant(0.5), |w| w.at(-1) * 2.0 + w.at(1))") == "0.5: EF32, 1: _, 2.0: f32, 1: _";
    bound_boundaries: in_arrays("let zero = 0.0; let outside = Constant(zero); x.stencil(outside, |w| w.at(0))") == "0.0: EF32, 0: _";
}

/// What the inference has no type of: `lit`, which is its own, and names that stand for values.
const OWN: &[&str] = &["lit"];

#[test]
fn each_row_of_the_table_has_a_type() {
    for row in rows() {
        if OWN.contains(&row.name) {
            continue;
        }
        let Some(Scheme::Made(Head::Fn, parts)) = signature(row.of, row.name) else {
            panic!("{row:?} has no type");
        };
        let receiver = usize::from(!matches!(row.of, "" | "arrays"));
        assert_eq!(parts.len(), row.kinds.len() + receiver + 1, "{row:?}");
    }
}

#[test]
fn each_type_is_that_of_a_row() {
    let rows = rows();
    for (of, name) in names() {
        // The methods of pull and push arrays of all ranks are one table.
        let is_row = rows.iter().any(|row| {
            row.name == name
                && row.of.trim_end_matches(['2', '3']) == of.trim_end_matches(['2', '3'])
        });
        assert!(is_row, "{of} {name}");
    }
}

/// A call with a literal at one argument, in a function over values of which nothing is known: what is the literal?
fn at_argument(row: &Row, at: usize, literal: &str) -> String {
    let receiver = match row.of {
        "Pull" | "Pull2" | "Pull3" | "Push" | "Push2" | "Push3" => {
            let (name, rank) = row.of.split_at(4);
            match name {
                "Pull" => format!("x: DPull{rank}<EF32>"),
                _ => format!("x: DPush{rank}<Block, EF32>"),
            }
        }
        "Mutable" => "x: MShared<EF32>".to_owned(),
        "Program" => "x: Program<Block, EF32>".to_owned(),
        _ => "x: Arr1<EF32>".to_owned(),
    };
    let names: Vec<String> = (0..row.kinds.len()).map(|n| format!("a{n}")).collect();
    let parameters: String = names
        .iter()
        .map(|name| format!(", {name}: Unknown"))
        .collect();
    let arguments = (0..row.kinds.len()).map(|n| if n == at { literal } else { &names[n] });
    let arguments = arguments.collect::<Vec<_>>().join(", ");
    let call = match row.of {
        "" | "arrays" => format!("{}({arguments})", row.name),
        _ => format!("x.{}({arguments})", row.name),
    };
    let receiver = match row.of {
        "" => "x: u32",
        _ => &receiver,
    };
    literals(&format!("fn f({receiver}{parameters}) {{ {call}; }}"))
}

/// A literal at each place of the library: the kind of the argument, which the evaluator goes by, and its type, which the
/// inference goes by, have to agree.
#[test]
fn literals_at_each_place_of_the_library() {
    let mut places = 0;
    for row in rows().iter().filter(|row| !OWN.contains(&row.name)) {
        for (at, kind) in row.kinds.iter().enumerate() {
            let (literal, wanted): (&str, &[&str]) = match *kind {
                "element" | "initial" => ("0.5", &["0.5: EF32", "0.5: E_"]),
                "elements" | "operator" => {
                    let count = closure_parameters(row, at);
                    let Some(count) = count else { continue };
                    places += 1;
                    let closure = format!("|{}| 0.5", vec!["_"; count].join(", "));
                    let found = at_argument(row, at, &closure);
                    // A function of numbers, a condition or a tuple gives no float.
                    let is_number = is_number_of_function(row, at);
                    assert!(
                        found.starts_with("0.5: E") || is_number,
                        "{row:?} {at}: {found}"
                    );
                    continue;
                }
                "count" => ("7", &["7: u32"]),
                "host_count" => ("7", &["7: usize"]),
                "number" | "one_extent" => ("7", &["7: u32"]),
                "length" => ("7", &["7: _", "7: u32", "7: EU32"]),
                _ => continue,
            };
            places += 1;
            let found = at_argument(row, at, literal);
            assert!(wanted.contains(&found.as_str()), "{row:?} {at}: {found}");
        }
    }
    assert!(places > 150, "{places}");
}

fn closure_parameters(row: &Row, at: usize) -> Option<usize> {
    match argument(row, at)? {
        Scheme::Made(Head::Fn, parts) => Some(parts.len() - 1),
        _ => None,
    }
}

fn is_number_of_function(row: &Row, at: usize) -> bool {
    match argument(row, at) {
        Some(Scheme::Made(Head::Fn, parts)) => !matches!(parts.last(), Some(Scheme::Generic(_))),
        _ => false,
    }
}

/// The type of an argument, without the receiver.
fn argument(row: &Row, at: usize) -> Option<Scheme> {
    let Some(Scheme::Made(Head::Fn, parts)) = signature(row.of, row.name) else {
        return None;
    };
    let receiver = usize::from(!matches!(row.of, "" | "arrays"));
    parts.get(at + receiver).cloned()
}
