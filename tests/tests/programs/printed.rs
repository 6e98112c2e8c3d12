//! Random programs as text, which the macro's engine reads: it makes what the library makes of the same program, byte for byte.

use obsidian_core::arrays::{ArrayParameter, ArrayResult, Declared, Schedule, Settings, build};
use obsidian_core::emit;
use obsidian_expand::compile_items_with;
use obsidian_tests::sweep::long;

use crate::random::{Numbers, Operation, operation, program, settings};

/// A program as the user of a module writes it. Its parameters are called as the library calls them.
fn text(operations: &[Operation], settings: Settings) -> String {
    let Settings {
        fuse,
        share,
        horizontal,
        ..
    } = settings;
    let mut body = String::new();
    let (mut vectors, mut matrices) = (2, 1);
    for operation in operations {
        let v = |k: &usize| format!("v{}", k % vectors);
        let m = |k: &usize| format!("m{}", k % matrices);
        let apply = |which: &usize, k: u32| match which {
            0 => format!("|x| x * {} + 1", k + 3),
            1 => "|x| x ^ (x >> 3)".to_owned(),
            2 => format!("|x| x.max({})", k * 1000),
            _ => format!("|x| x - {k}"),
        };
        let combine = |which: &usize| match which {
            0 => "|x, y| x + y",
            1 => "|x, y| x.max(y)",
            2 => "|x, y| x ^ y",
            _ => "|_, y| y",
        };
        let boundary = |which: &usize| match which {
            0 => "Clamp",
            1 => "Wrap",
            2 => "Mirror",
            _ => "Constant(17)",
        };
        use Operation::*;
        let (vector, matrix) = match operation {
            Map(a, f, k) => (Some(format!("{}.map({})", v(a), apply(f, *k))), None),
            Zip(a, b, f) => {
                let call = format!("zip_with({}, {}, {})", combine(f), v(a), v(b));
                (Some(call), None)
            }
            Reverse(a) => (Some(format!("{}.reverse()", v(a))), None),
            Rotate(a, k) => (Some(format!("{}.rotate({k})", v(a))), None),
            TakeAndAppend(a, b) => {
                let call = format!("append({}.take(n / 2), {}.drop(n / 2))", v(a), v(b));
                (Some(call), None)
            }
            Gather(a, b) => {
                let call = format!("gather({}.map(|i| i % n), {})", v(a), v(b));
                (Some(call), None)
            }
            Stencil(a) => {
                let a = v(a);
                let call = format!(
                    "generate(n, |i| {{
                        let left = select(i > 0, {a}[i - 1], 5);
                        let right = select(i + 1 < n, {a}.at(i + 1), lit(9u32));
                        left + {a}[i] * 2 - right
                    }})"
                );
                (Some(call), None)
            }
            Fold(a, f) => {
                let a = v(a);
                let call = format!(
                    "{{ let sum = {a}.fold({}, 7); {a}.map(|x| x + sum.the()) }}",
                    combine(f)
                );
                (Some(call), None)
            }
            Loop(a) => {
                let call = format!(
                    "{{
                        let looped = {}.map(|x| seq_until(
                            |(x, count)| (x / 2, count + x),
                            |(x, _)| x > 3,
                            (x % 100, lit(0u32)),
                        ));
                        unzip(looped).1
                    }}",
                    v(a)
                );
                (Some(call), None)
            }
            Replicate(a) => (None, Some(format!("{}.replicate(n)", v(a)))),
            MapRows(a, f) => (None, Some(format!("{}.map({})", m(a), apply(f, 2)))),
            ZipRows(a, b) => {
                let call = format!("zip_with(|x, y| (x * 3) ^ y, {}, {})", m(a), m(b));
                (None, Some(call))
            }
            Transpose(a) => (None, Some(format!("{}.transpose()", m(a)))),
            FoldRows(a, f) => (Some(format!("{}.fold({}, 11)", m(a), combine(f))), None),
            Flatten(a) => (Some(format!("{}.flatten().take(n)", m(a))), None),
            Row(a, k) => (Some(format!("{}.row(lit({k}) % n)", m(a))), None),
            Compute(a) => (Some(format!("{}.compute()", v(a))), None),
            Inline(a) => (Some(format!("{}.inline()", v(a))), None),
            Scan(a, f) => {
                let call = format!("{}.inclusive_scan({})", v(a), combine(f));
                (Some(call), None)
            }
            ScanRight(a, f) => {
                let call = format!("{}.exclusive_scan_right({}, 13)", v(a), combine(f));
                (Some(call), None)
            }
            ScanRows(a, f) => {
                let call = format!("{}.exclusive_scan({}, 19)", m(a), combine(f));
                (None, Some(call))
            }
            Filter(a, k) => {
                let a = v(a);
                let call = format!("append({a}.filter(|x| x % 4 >= {k}), {a}).take(n)");
                (Some(call), None)
            }
            Window(a, which) => {
                let near = "|w| w.at(-1) + (w.at(0) ^ w.at(3))";
                let call = format!("{}.stencil({}, {near})", v(a), boundary(which));
                (Some(call), None)
            }
            WindowRows(a, which) => {
                let near = "|w| w.at((-1, 2)) + w.at((0, 1))";
                let call = format!("{}.stencil({}, {near})", m(a), boundary(which));
                (None, Some(call))
            }
            Combine(a, b, f, k) => {
                let place = format!("|_, x| (x % 4 >= {k}, x % n)");
                let call = format!("{}.permute({}, {}, {place})", v(a), combine(f), v(b));
                (Some(call), None)
            }
            Segments(a, b, f) => {
                let begins = format!("{}.map(|x| x % 3 == 0)", v(b));
                let call = format!(
                    "{}.segmented_inclusive_scan({begins}, {})",
                    v(a),
                    combine(f)
                );
                (Some(call), None)
            }
            Unique(a) => {
                let a = v(a);
                let call = format!("append({a}.unique(|x, y| x % 2 == y % 2), {a}).take(n)");
                (Some(call), None)
            }
            Sort(a) => (Some(format!("{}.sort()", v(a))), None),
            SortBits(a, bits) => (Some(format!("{}.sort_by_bits({bits}, |x| x)", v(a))), None),
            Power(a, b, f, times) => {
                let call = format!(
                    "power({times}, {}, |state| zip_with({}, state.rotate(1), {}).map(|x| x ^ (x >> 1)))",
                    v(a),
                    combine(f),
                    v(b)
                );
                (Some(call), None)
            }
            While(a) => {
                let call = format!(
                    "awhile({}, |state| state.map(|x| x > 1000).any(), |state| state.map(|x| x / 3))",
                    v(a)
                );
                (Some(call), None)
            }
            Either(a, b, k) => {
                let (a, b) = (v(a), v(b));
                let call = format!(
                    "{{
                        let sum = {a}.fold(|x, y| x + y, {k}).map(|sum| sum % 2 == 0);
                        let reversed = {a}.reverse();
                        if_then(sum, || reversed, || zip_with(|x, y| x ^ y, {a}, {b}))
                    }}"
                );
                (Some(call), None)
            }
        };
        if let Some(call) = vector {
            body += &format!("        let v{vectors} = {call};\n");
            vectors += 1;
        }
        if let Some(call) = matrix {
            body += &format!("        let m{matrices} = {call};\n");
            matrices += 1;
        }
    }
    format!(
        "#[arrays(fuse = {fuse}, share = {share}, horizontal = {horizontal})]
pub fn random(input_0: Arr1<EU32>, input_1: Arr1<EU32>) -> (Arr1<EU32>, Arr2<EU32>) {{
        let n = input_0.len();
        let (v0, v1) = (input_0, input_1);
        let m0 = zip_with(|x, y| x + y, v0.replicate_inner(n), v1.replicate(n));
{body}        (v{}, m{})
}}
",
        vectors - 1,
        matrices - 1
    )
}

/// A schedule without the places of its claims, which are numbers in one and lines in the other.
fn without_places(schedule: &Schedule) -> Schedule {
    let mut schedule = schedule.clone();
    for claim in &mut schedule.claims {
        claim.places.clear();
    }
    schedule
}

#[test]
fn the_macro_makes_of_random_programs_what_the_library_makes() {
    let first: u64 = match std::env::var("OBSIDIAN_SEED") {
        Ok(seed) => seed.parse().unwrap(),
        Err(_) => 1,
    };
    println!("seeds from {first}");
    let mut kernels = 0;
    let programs = if long() { 100 } else { 12 };
    for seed in first..first + programs {
        let mut numbers = Numbers(seed);
        let count = 5 + numbers.below(26);
        // Conditions of whole tiles stand in the order in which nodes were made, and the evaluator makes the literals of windows in another one.
        let operations = (0..count).map(|_| match operation(&mut numbers) {
            Operation::Window(a, _) => Operation::Stencil(a),
            Operation::WindowRows(a, which) => Operation::MapRows(a, which),
            other => other,
        });
        let operations: Vec<Operation> = operations.collect();
        for settings in settings() {
            // What is not shared grows, as in the other test.
            if !settings.share && count > 12 {
                continue;
            }
            let text = text(&operations, settings);
            let items = syn::parse_str::<syn::File>(&text).unwrap().items;
            let compiled = compile_items_with(&items, &|_, limits| limits.into())
                .unwrap_or_else(|wrong| panic!("seed {seed}: {wrong:?}\n{text}"));
            let wrong = compiled.located_mistakes();
            assert!(wrong.is_empty(), "seed {seed}: {wrong:?}\n{text}");
            let built = build("random", &[], settings, &|signature| {
                let (xs, ys) = (
                    ArrayParameter::declare(signature),
                    ArrayParameter::declare(signature),
                );
                let mut declared = Declared::default();
                program(&operations, xs, ys).take(&mut declared);
                declared
            });
            let built = built.unwrap();
            let expanded = compiled.kernels[0].schedule.as_ref().unwrap();
            assert_eq!(
                without_places(expanded),
                without_places(&built.schedule),
                "seed {seed}\n{text}"
            );
            let texts = |plans: &mut dyn Iterator<Item = &obsidian_core::plan::Plan>| {
                plans.map(emit::cuda).collect::<Vec<String>>()
            };
            let found = texts(&mut compiled.plans().map(|(_, plan, _)| plan));
            assert_eq!(found, texts(&mut built.plans.iter()), "seed {seed}\n{text}");
            kernels += found.len();
        }
    }
    println!("{kernels} kernels");
    assert!(kernels as u64 > 5 * programs);
}
