//! Functions of whole arrays that are done chunk by chunk, against the same functions as array programs of all elements.

use obsidian_rt::arrays::Boundary::Clamp;
use obsidian_rt::arrays::*;
use obsidian_rt::language::{EF32, EU32, EU64, lit, select};
use obsidian_rt::sequence::{Sequence, WholeResult};
use obsidian_rt::{Device, ErrorKind};

use super::random::{Numbers, first_seed};
use super::{devices, floats};

const CHUNKS: [usize; 5] = [1, 7, 1 << 10, 1 << 13, 1 << 20];

fn numbers(count: usize) -> Vec<u32> {
    (0..count as u32)
        .map(|i| i.wrapping_mul(2_654_435_761) >> 7)
        .collect()
}

/// The function of a vector, as a program of all elements and in chunks; `bits` makes both comparable.
fn same<R>(
    f: fn(Arr1<EU32>) -> R,
    bits: impl Fn(<R as RunResult>::Arrays) -> Vec<u64>,
    chunked: impl Fn(<R as WholeResult>::Output) -> Vec<u64>,
) where
    R: RunResult + WholeResult,
{
    let device = Device::cpu();
    let program = ArrayProgram::build("whole", f).unwrap();
    for count in [1, 31, 4097, 20_011] {
        let numbers = numbers(count);
        let whole = program
            .run(&device, &device.array([count], &numbers).unwrap())
            .unwrap();
        let whole = bits(whole);
        for device in [Device::cpu(), Device::simulator()] {
            for chunk in CHUNKS {
                // Each chunk is a launch of all kernels.
                if count.div_ceil(chunk) > 1000 || device.name() != "cpu" && count > 4097 {
                    continue;
                }
                let run = Sequence::slice(&numbers).in_chunks(f).unwrap().chunk(chunk);
                assert_eq!(
                    chunked(run.run(&device).unwrap()),
                    whole,
                    "{count} by {chunk}"
                );
            }
        }
    }
}

fn all<Sh: Rank>(array: Array<Sh, u32>) -> Vec<u64> {
    array.to_vec().unwrap().into_iter().map(u64::from).collect()
}

#[test]
fn maps_and_folds_of_a_vector() {
    same(|xs| xs.map(|x| x * 3 + 1), all, all);
    same(|xs| xs.map(|x| x ^ 5).sum(), all, |sum| vec![sum.into()]);
    same(|xs| xs.max(), all, |max| vec![max.into()]);
    same(
        |xs| xs.fold(|x, y| x * y + x + y, lit(7)),
        all,
        |product| vec![product.into()],
    );
    same(
        |xs| (xs.map(|x| x >> 3), xs.map(|x| x | 1).product()),
        |(a, b)| [all(a), all(b)].concat(),
        |(a, b)| {
            let mut bits = all(a);
            bits.push(b.into());
            bits
        },
    );
    // Rounds, and arrays of an element.
    same(|xs| power(3, xs, |xs| xs.map(|x| x * 5 + 1)), all, all);
    same(
        |xs| xs.map(|x| iota(4).map(move |i| i * x).sum().the()),
        all,
        all,
    );
    same(|xs| xs.compute().map(|x| x + 1), all, all);
}

#[test]
fn pairs_are_folded_in_order() {
    // The place and value of the first of the largest: the function does not commute.
    let device = Device::cpu();
    let values = numbers(20_011);
    let wanted = values.iter().map(|x| x % 1000).max().unwrap();
    let first = |xs: Arr1<EU32>, places: Arr1<EU64>| {
        let pairs = zip_with(|x, place| (x % 1000, place), xs, places);
        pairs.fold1(|x: (EU32, EU64), y: (EU32, EU64)| {
            let later = y.0.gt(x.0);
            (select(later, y.0, x.0), select(later, y.1, x.1))
        })
    };
    let place = values.iter().position(|x| x % 1000 == wanted).unwrap() as u64;
    for chunk in CHUNKS {
        let xs = Sequence::slice(&values).zip(Sequence::numbers(values.len() as u64));
        let run = xs
            .in_chunks(move |(xs, places)| first(xs, places))
            .unwrap()
            .chunk(chunk);
        assert_eq!(run.run(&device).unwrap(), (wanted, place));
    }
}

/// Rows of `width`, as a program of all and in chunks, both to bits.
fn same_rows<R>(
    count: usize,
    width: usize,
    f: impl Fn(Arr2<EF32>, Arr1<EF32>) -> R + Copy + 'static,
) where
    R: RunResult<Arrays = <R as WholeResult>::Output> + WholeResult<Output: Floats>,
{
    let device = Device::cpu();
    let program = ArrayProgram::build("whole", f).unwrap();
    let elements: Vec<f32> = floats(count * width);
    let v = device.array([width], &floats(width)).unwrap();
    let rows = device.array([count, width], &elements).unwrap();
    let whole = program.run(&device, (&rows, &v)).unwrap().bits();
    for device in devices() {
        let v = device.array([width], &floats(width)).unwrap();
        for chunk in [1, 3, 64, 1000] {
            let rows = Sequence::rows(&elements, [width]).with(&v);
            let run = rows
                .in_chunks(move |(rows, v)| f(rows, v))
                .unwrap()
                .chunk(chunk);
            assert_eq!(
                run.run(&device).unwrap().bits(),
                whole,
                "{count} x {width} by {chunk}"
            );
        }
    }
}

trait Floats {
    fn bits(&self) -> Vec<u32>;
}

impl<Sh: Rank> Floats for Array<Sh, f32> {
    fn bits(&self) -> Vec<u32> {
        self.to_vec()
            .unwrap()
            .into_iter()
            .map(f32::to_bits)
            .collect()
    }
}

impl<A: Floats, B: Floats> Floats for (A, B) {
    fn bits(&self) -> Vec<u32> {
        [self.0.bits(), self.1.bits()].concat()
    }
}

#[test]
fn functions_of_rows() {
    for (count, width) in [(1, 1), (5, 7), (67, 33)] {
        // A matrix times a vector.
        same_rows(count, width, |rows, v| {
            let height = rows.shape().0;
            zip_with(|x, y| x * y, rows, v.replicate(height)).sum()
        });
        // Softmax, whose row is read three times, and running totals.
        same_rows(count, width, |rows, _| {
            let scaled = rows.each(|row| {
                let most = row.max();
                let powers = row.map(move |x| (x - most.the()).exp());
                let sum = powers.sum();
                powers.map(move |x| x / sum.the())
            });
            (scaled.clone(), scaled.inclusive_scan(|x, y| x + y))
        });
        // Each row the other way round, and rounds of a stencil in it; the vector is changed as a whole before.
        same_rows(count, width, |rows, v| {
            let v = v.inclusive_scan(|x, y| x + y).compute();
            let rows = zip_with(|x, y| x - y, rows.reverse(), v.replicate(rows.shape().0));
            power(2, rows, |rows| rows.each(|row| row.rotate(1)))
        });
    }
}

#[test]
fn results_that_are_not_by_rows_are_refused() {
    fn refused<R: WholeResult>(
        f: impl Fn(Arr1<EF32>, Arr1<EF32>, Arr1<EF32>) -> R + 'static,
        operator: &str,
        why: &str,
    ) {
        let device = Device::cpu();
        let (xs, ys) = (vec![1.0f32; 10], vec![2.0f32; 10]);
        let v = device.array([10], &ys).unwrap();
        let sequence = Sequence::slice(&xs).zip(Sequence::slice(&ys)).with(&v);
        let chunked = sequence.in_chunks(move |(xs, ys, v)| f(xs, ys, v));
        let error = chunked.expect_err("it is refused");
        assert_eq!(error.kind(), ErrorKind::Build);
        let text = error.to_string();
        assert!(text.contains(&format!("this `{operator}` {why}")), "{text}");
        assert!(text.contains("in_chunks.rs"), "{text}");
    }
    let others = "reads other rows than its own";
    let counts = "uses the number of a row or how many rows there are";
    let rows = "has other rows than what is given";
    let needs = "is not done row by row";
    refused(|xs, _, _| xs.rotate(1), "rotate", others);
    refused(|xs, _, _| xs.reverse(), "reverse", others);
    refused(
        |xs, ys, _| gather(ys.map(|y| y.cast::<u32>() % 10), xs),
        "gather",
        others,
    );
    refused(
        |xs, _, _| xs.map(|x| x * 2.0).stencil(Clamp, |n| n.at(-1) + n.at(1)),
        "stencil",
        others,
    );
    refused(
        |xs, _, _| xs.imap(|i, x| x * i.cast::<f32>()),
        "imap",
        counts,
    );
    refused(
        |xs, _, _| {
            xs.map({
                let n = xs.len();
                move |x| x / n.cast::<f32>()
            })
        },
        "map",
        counts,
    );
    refused(
        |xs, _, _| {
            xs.fold(
                {
                    let n = xs.len();
                    move |x, y| x + y / n.cast::<f32>()
                },
                lit(0.0),
            )
        },
        "fold",
        "combines the elements of all rows by a function that reads something else",
    );
    refused(
        |xs, _, _| xs.sum().map(|x| x.sqrt()),
        "map",
        "is neither an array of rows nor a fold",
    );
    refused(
        |xs, _, _| {
            let sum = xs.sum();
            xs.map(move |x| x / sum.the())
        },
        "map",
        others,
    );
    refused(
        |xs, _, _| xs.inclusive_scan(|x, y| x + y),
        "inclusive_scan",
        needs,
    );
    refused(|xs, _, _| xs.filter(|x| x.gt(0.5)), "filter", rows);
    refused(|xs, _, _| xs.sort(), "sort", needs);
    refused(|xs, _, _| xs.take(3), "take", rows);
    refused(|xs, _, _| append(xs.clone(), xs), "append", rows);
    // An array that is beside the chunks has other rows.
    refused(
        |xs, _, v| zip_with(|x, y| x + y, xs, v),
        "zip_with",
        "reads, row by row, an array that is not given",
    );
    refused(|_, _, v| v.map(|x| x * 2.0), "map", rows);
    refused(|_, _, v| v.sum(), "input", rows);
    refused(
        |xs, _, _| {
            if_then(
                xs.sum().map(|x| x.gt(0.0)),
                || xs.map(|x| x + 1.0),
                || xs.clone(),
            )
        },
        "if_then",
        others,
    );
    refused(
        |xs, _, _| {
            awhile(
                xs,
                |xs| xs.sum().map(|s| s.lt(100.0)),
                |xs| xs.map(|x| x + 1.0),
            )
        },
        "awhile",
        others,
    );
    // Numbers that a run reads of data.
    refused(
        |xs, _, _| {
            let n = xs.filter(|x| x.gt(0.5)).len();
            xs.map(move |x| x * n.cast::<f32>())
        },
        "map",
        others,
    );
    refused(
        |xs, _, v| {
            let v = v.take(xs.len());
            let sum = v.sum();
            xs.map(move |x| x * sum.the())
        },
        "map",
        counts,
    );
}

#[test]
fn sequences_without_elements() {
    for device in devices() {
        let none = || Sequence::slice(&[0u32; 0]);
        let all = none().in_chunks(|xs| xs.map(|x| x + 1)).unwrap();
        assert_eq!(all.run(&device).unwrap().to_vec().unwrap(), [0u32; 0]);
        let sum = none()
            .in_chunks(|xs| xs.fold(|x, y| x + y, lit(5)))
            .unwrap();
        assert_eq!(sum.run(&device).unwrap(), 5);
        let largest = none().in_chunks(|xs| xs.max()).unwrap();
        let error = largest.run(&device).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Requirement);
        // Chunks without elements, of a sequence that has some.
        let numbers = numbers(5000);
        let last = *numbers.iter().max().unwrap();
        let few = Sequence::slice(&numbers).filter(move |x| x.eq(last));
        let largest = few.in_chunks(|xs| xs.max()).unwrap().chunk(100);
        assert_eq!(largest.run(&device).unwrap(), last);
    }
}

#[test]
fn what_is_read_once_has_many_results() {
    let numbers = numbers(10_000);
    let f = |xs: Arr1<EU32>| {
        let halves = xs.map(|x| x / 2);
        (xs.min(), halves.max(), halves.sum(), halves)
    };
    let run = Sequence::slice(&numbers).in_chunks(f).unwrap().chunk(999);
    let (least, most, sum, halves) = run.run(&Device::cpu()).unwrap();
    let wanted: Vec<u32> = numbers.iter().map(|x| x / 2).collect();
    assert_eq!(least, *numbers.iter().min().unwrap());
    assert_eq!(most, *wanted.iter().max().unwrap());
    assert_eq!(sum, wanted.iter().fold(0u32, |x, y| x.wrapping_add(*y)));
    assert_eq!(halves.to_vec().unwrap(), wanted);
}

/// What is done with a vector, another one and an array that is beside chunks.
#[derive(Clone, Copy, Debug)]
enum Step {
    Map(u32),
    Zip,
    Rounds(u32),
    Loop(u32),
    Stored,
    ReadsBeside,
    Generated,
    GatheredFromBeside,
    // Not by rows.
    Rotated,
    Numbered,
    ReadsBesideByRow,
    Counted,
    Reversed,
    Gathered,
    OfAll,
    Shorter,
}

const STEPS: [fn(u32) -> Step; 16] = [
    Step::Map,
    |_| Step::Zip,
    Step::Rounds,
    Step::Loop,
    |_| Step::Stored,
    |_| Step::ReadsBeside,
    |_| Step::Generated,
    |_| Step::GatheredFromBeside,
    |_| Step::Rotated,
    |_| Step::Numbered,
    |_| Step::ReadsBesideByRow,
    |_| Step::Counted,
    |_| Step::Reversed,
    |_| Step::Gathered,
    |_| Step::OfAll,
    |_| Step::Shorter,
];
/// How many of them are by rows.
const BY_ROWS: usize = 8;
const BESIDE: u32 = 10;

fn done(step: Step, xs: Arr1<EU32>, ys: &Arr1<EU32>, v: &Arr1<EU32>) -> Arr1<EU32> {
    let (n, ys, v) = (xs.len(), ys.clone(), v.clone());
    match step {
        Step::Map(by) => xs.map(move |x| x * by + 1),
        Step::Zip => zip_with(|x, y| x ^ (y >> 1), xs, ys),
        Step::Rounds(times) => power(times % 3, xs, |xs| xs.map(|x| x * 5 + 1)),
        Step::Loop(times) => xs.map(move |x| iota(times % 7).map(move |i| i * x).sum().the()),
        Step::Stored => xs.compute(),
        Step::ReadsBeside => xs.map(move |x| x + v.at(x % BESIDE)),
        Step::Generated => generate(n, move |i| xs.at(i) + ys.at(i)),
        Step::GatheredFromBeside => gather(xs.map(|x| x % BESIDE), v),
        Step::Rotated => xs.rotate(1),
        Step::Numbered => xs.imap(|i, x| x + i),
        Step::ReadsBesideByRow => xs.imap(move |i, x| x + v.at(i % BESIDE)),
        Step::Counted => xs.map(move |x| x + n),
        Step::Reversed => zip_with(|x, y| x + y, xs, ys.reverse()),
        Step::Gathered => gather(xs.map(move |x| x % n), ys),
        Step::OfAll => {
            let sum = xs.sum();
            xs.map(move |x| x + sum.the())
        }
        Step::Shorter => xs.take(n - n / 3),
    }
}

#[test]
fn random_functions_are_refused_or_right() {
    let first = first_seed();
    let (mut accepted, mut refused) = (0, 0);
    for seed in first..first + 60 {
        let mut numbers_of = Numbers(seed);
        let kinds = [BY_ROWS, STEPS.len()][usize::from(numbers_of.below(3) == 0)];
        let steps: Vec<Step> = (0..1 + numbers_of.below(6))
            .map(|_| STEPS[numbers_of.below(kinds)](numbers_of.below(9) as u32))
            .collect();
        let (count, chunk) = (1 + numbers_of.below(6000), 1 + numbers_of.below(3000));
        let own = steps.clone();
        let f = move |xs: Arr1<EU32>, ys: Arr1<EU32>, v: Arr1<EU32>| {
            let all = own.iter().fold(xs, |xs, step| done(*step, xs, &ys, &v));
            (all.sum(), all.fold1(|x, y| x * y + x * 2 + y * 2 + 2), all)
        };
        let says = format!("seed {seed}: {steps:?}, {count} by {chunk}");
        let device = &devices()[usize::from(numbers_of.below(4) == 0)];
        let (xs, ys) = (numbers(count), numbers(2 * count)[count..].to_vec());
        let v = device
            .array([BESIDE as usize], &numbers(BESIDE as usize))
            .unwrap();
        let sequence = Sequence::slice(&xs).zip(Sequence::slice(&ys)).with(&v);
        let whole = f.clone();
        match sequence.in_chunks(move |(xs, ys, v)| f(xs, ys, v)) {
            Ok(run) => {
                accepted += 1;
                let found = run
                    .chunk(chunk)
                    .run(device)
                    .unwrap_or_else(|e| panic!("{says}: {e}"));
                let program = ArrayProgram::build("whole", whole).unwrap();
                let inputs = (
                    device.array([count], &xs).unwrap(),
                    device.array([count], &ys).unwrap(),
                );
                let wanted = program.run(device, (&inputs.0, &inputs.1, &v)).unwrap();
                assert_eq!(found.0, wanted.0.value().unwrap(), "{says}");
                assert_eq!(found.1, wanted.1.value().unwrap(), "{says}");
                assert_eq!(
                    found.2.to_vec().unwrap(),
                    wanted.2.to_vec().unwrap(),
                    "{says}"
                );
            }
            Err(error) => {
                refused += 1;
                assert_ne!(kinds, BY_ROWS, "{says}: {error}");
            }
        }
    }
    assert!(
        accepted > 30 && refused > 10,
        "{accepted} of 60 were accepted"
    );
}

/// The error of a function of the chunks of a sequence.
fn error<C: obsidian_rt::sequence::Chunk, R: WholeResult>(
    sequence: Sequence<'_, C>,
    f: impl Fn(C) -> R + 'static,
) -> String {
    sequence
        .in_chunks(f)
        .expect_err("it is refused")
        .to_string()
}

#[test]
fn chunks_that_are_not_equally_long_have_other_rows() {
    let xs = floats(100);
    let slice = || Sequence::slice(&xs);
    // A window begins two elements earlier in all chunks but the first.
    let windows = slice().windows(3).zip(slice());
    let text = error(windows, |(windows, xs)| {
        let n = windows.shape().0;
        zip_with(|sum, x| x - sum, windows.sum(), xs.take(n))
    });
    assert!(text.contains("`take`"), "{text}");
    let kept = || slice().filter(|x| x.gt(5000.0)).zip(slice());
    let text = error(kept(), |(kept, ys)| {
        let n = kept.len();
        zip_with(|x, y| x + y, kept, ys.take(n))
    });
    assert!(text.contains("`take`"), "{text}");
    let text = error(kept(), |(kept, ys)| {
        generate(kept.len(), move |i| kept.at(i) + ys.at(i))
    });
    assert!(text.contains("`generate`"), "{text}");
    // What comes of one of them alone is by rows.
    let few = slice()
        .filter(|x| x.gt(5000.0))
        .map_chunks(|xs| (xs.map(|x| x * 2.0), xs));
    let sums = few
        .in_chunks(|(twice, xs)| zip_with(|x, y| x - y, twice, xs))
        .unwrap();
    let wanted: Vec<f32> = xs.iter().copied().filter(|x| *x > 5000.0).collect();
    let found = sums.chunk(7).run(&Device::cpu()).unwrap();
    assert_eq!(found.to_vec().unwrap(), wanted);
}

#[test]
fn chunks_of_a_fixed_number_of_rows_are_refused() {
    let xs = floats(30);
    let medians = || {
        Sequence::rows(&xs, [3])
            .one_by_one()
            .each(|row| row.sort().slice_inner(1))
    };
    for text in [
        error(medians(), |m| {
            let n = m.len();
            m.map(move |x| x / n.cast::<f32>())
        }),
        error(medians(), |m| m.take(1)),
        error(medians(), |m| m.map(|x| x + 1.0)),
    ] {
        assert!(
            text.contains("has the same number of rows in each chunk"),
            "{text}"
        );
    }
    let device = Device::cpu();
    let v = device.array([30], &xs).unwrap();
    let both = Sequence::slice(&xs).with(&v).map_chunks(|(xs, v)| {
        let n = v.len();
        (
            zip_with(|x, y| x + y, xs, v.clone()),
            generate(n, |i| i.cast::<f32>()),
            v,
        )
    });
    let text = error(both, |(xs, _, v)| zip_with(|x, y| x + y, xs, v));
    assert!(text.contains("chunk by chunk"), "{text}");
}

#[test]
fn elements_of_different_lengths_are_as_many_as_others() {
    let (values, offsets) = (numbers(10), [0usize, 1, 1, 3, 6, 10]);
    let weights = [10u32, 1, 2, 3, 4];
    for chunk in [1, 3, 100] {
        let lengths = Sequence::segments(&values, &offsets).map_chunks(|list| list.lengths());
        let run = lengths
            .zip(Sequence::slice(&weights))
            .in_chunks(|(lengths, weights)| {
                let all = zip_with(|n, w| n * w, lengths, weights);
                (all.sum(), all)
            });
        let (sum, all) = run.unwrap().chunk(chunk).run(&Device::cpu()).unwrap();
        assert_eq!((sum, all.to_vec().unwrap()), (39, vec![10, 0, 4, 9, 16]));
    }
    // Values are others.
    let text = error(
        Sequence::segments(&values, &offsets)
            .map_chunks(|list| (list.values.clone(), list.lengths())),
        |(values, lengths)| generate(lengths.len(), move |i| values.at(i) + lengths.at(i)),
    );
    assert!(text.contains("`generate`"), "{text}");
}

#[test]
fn what_a_chunk_has_without_rows_is_refused() {
    let xs = floats(30);
    let sums = || Sequence::slice(&xs).map_chunks(|xs| (xs.sum(), xs));
    for text in [
        error(sums(), |(sum, xs)| xs.map(move |x| x / sum.the())),
        error(sums(), |(sum, _)| sum),
        error(sums(), |(_, xs)| xs.max()),
    ] {
        assert!(text.contains("this `sum` has no rows"), "{text}");
    }
}

#[test]
fn a_function_that_combines_keeps_no_device_value() {
    let xs = numbers(100);
    let text = error(Sequence::slice(&xs), |xs| {
        let most = lit(1_000_003u32);
        xs.fold(move |x, y| x * y % most, lit(1))
    });
    assert!(text.contains("was made outside of it"), "{text}");
    let run = Sequence::slice(&xs).in_chunks(|xs| xs.fold(|x, y| (x ^ y) & lit(0xffff), lit(0)));
    let wanted = xs.iter().fold(0, |x, y| (x ^ y) & 0xffff);
    assert_eq!(run.unwrap().run(&Device::cpu()).unwrap(), wanted);
}

#[test]
fn choices_and_loops_of_what_all_rows_have() {
    let device = Device::cpu();
    let xs = floats(5000);
    for flag in [false, true] {
        let flag_array = device.array([], &[flag]).unwrap();
        let sequence = Sequence::slice(&xs).with(&flag_array);
        let run = sequence.in_chunks(|(xs, flag)| {
            let (more, less) = (xs.clone(), xs);
            if_then(flag, || more.map(|x| x + 1.0), || less.map(|x| x - 1.0))
        });
        let found = run
            .unwrap()
            .chunk(999)
            .run(&device)
            .unwrap()
            .to_vec()
            .unwrap();
        let by = if flag { 1.0 } else { -1.0 };
        assert_eq!(found, xs.iter().map(|x| x + by).collect::<Vec<f32>>());
    }
    let run = Sequence::slice(&xs).in_chunks(|xs| {
        let state = (unit(lit(0u32)), xs);
        let more = |(n, xs): (Arr0<EU32>, Arr1<EF32>)| (n.map(|n| n + 1), xs.map(|x| x * 0.5));
        awhile(state, |(n, _)| n.map(|n| n.lt(3)), more).1
    });
    let found = run
        .unwrap()
        .chunk(999)
        .run(&device)
        .unwrap()
        .to_vec()
        .unwrap();
    assert_eq!(found, xs.iter().map(|x| x * 0.125).collect::<Vec<f32>>());
    // The total of each row.
    let run = Sequence::rows(&xs, [10]).in_chunks(|rows| {
        let (before, totals) = rows.exclusive_scan_with_total(|x, y| x.max(y), lit(0.0));
        (totals, before)
    });
    let (totals, _) = run.unwrap().chunk(33).run(&device).unwrap();
    let wanted = xs
        .chunks(10)
        .map(|row| row.iter().copied().fold(0.0, f32::max));
    assert_eq!(totals.to_vec().unwrap(), wanted.collect::<Vec<f32>>());
}

#[test]
fn a_chunk_is_no_longer_than_what_it_stores_can_be_indexed() {
    let device = Device::cpu();
    let (xs, centers) = (floats(20), floats(65_536));
    let v = device.array([65_536], &centers).unwrap();
    let run = Sequence::slice(&xs).with(&v).in_chunks(|(xs, v)| {
        let (n, k) = (xs.len(), v.len());
        let distances = generate((n, k), move |(i, j)| (xs.at(i) - v.at(j)).abs()).compute();
        zip_with(|least, most| least + most, distances.min(), distances.max())
    });
    let found = run.unwrap().run(&device).unwrap().to_vec().unwrap();
    let wanted = xs.iter().map(|x| {
        let all = || centers.iter().map(|y| (x - y).abs());
        all().fold(f32::INFINITY, f32::min) + all().fold(0.0, f32::max)
    });
    assert_eq!(found, wanted.collect::<Vec<f32>>());
}
