//! Scans of array programs, beside plain Rust.

use obsidian_rt::arrays::*;
use obsidian_rt::language::{EBool, EF32, EU32, EU64, lit};
use obsidian_rt::{Device, ErrorKind};

const LENGTHS: [usize; 14] = [
    0, 1, 2, 31, 33, 1000, 1023, 4096, 4097, 8192, 8193, 12_288, 65_537, 200_003,
];
const SHAPES: [(usize, usize); 12] = [
    (0, 0),
    (0, 3),
    (3, 0),
    (1, 1),
    (3, 5),
    (300, 31),
    (7, 32),
    (7, 33),
    (5, 512),
    (3, 513),
    (2, 1000),
    (2, 9001),
];

fn devices() -> [Device; 2] {
    [Device::cpu(), Device::simulator()]
}

/// 2 x 2 matrices: associative, and they do not commute.
type M = (u32, u32, u32, u32);
type EM = (EU32, EU32, EU32, EU32);

fn times((a, b, c, d): M, (e, f, g, h): M) -> M {
    let dot = |x: u32, y: u32, z: u32, w: u32| x.wrapping_mul(y).wrapping_add(z.wrapping_mul(w));
    (
        dot(a, e, b, g),
        dot(a, f, b, h),
        dot(c, e, d, g),
        dot(c, f, d, h),
    )
}

fn etimes((a, b, c, d): EM, (e, f, g, h): EM) -> EM {
    (a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h)
}

fn matrix(i: usize) -> M {
    let i = i as u32;
    (i % 3, i % 5 + 1, i.wrapping_mul(7) % 11, i % 2)
}

const FIRST: M = (3, 1, 2, 5);

fn first() -> EM {
    (lit(FIRST.0), lit(FIRST.1), lit(FIRST.2), lit(FIRST.3))
}

/// The four scans of one row, and the total.
fn of_row(xs: &[M]) -> [Vec<M>; 4] {
    let mut all: [Vec<M>; 4] = Default::default();
    let (mut before, mut sum) = (FIRST, None);
    for x in xs {
        sum = Some(sum.map_or(*x, |sum| times(sum, *x)));
        all[0].extend(sum);
        all[1].push(before);
        before = times(before, *x);
    }
    let (mut behind, mut sum) = (FIRST, None);
    for x in xs.iter().rev() {
        sum = Some(sum.map_or(*x, |sum| times(*x, sum)));
        all[2].extend(sum);
        all[3].push(behind);
        behind = times(*x, behind);
    }
    all[2].reverse();
    all[3].reverse();
    all
}

/// The scans of one row in one program; with its total.
fn scans<Sh: HasInner>(xs: Arr<Sh, EM>) -> [Arr<Sh, EM>; 4] {
    [
        xs.inclusive_scan(etimes),
        xs.exclusive_scan(etimes, first()),
        xs.inclusive_scan_right(etimes),
        xs.exclusive_scan_right(etimes, first()),
    ]
}

#[test]
fn scans_keep_the_order() {
    let whole = ArrayProgram::build("scans", |xs: Arr1<EM>| {
        let [a, b, c, d] = scans(xs);
        (a, b, c, d)
    });
    let whole = whole.unwrap();
    for n in LENGTHS {
        for d in devices() {
            if n > 20_000 && d.name() == "simulator" {
                continue;
            }
            let xs: Vec<M> = (0..n).map(matrix).collect();
            let want = of_row(&xs);
            let xs = d.array([n], &xs).unwrap();
            let found = whole.run(&d, &xs).unwrap();
            let found = [found.0, found.1, found.2, found.3];
            for (which, (found, want)) in found.iter().zip(&want).enumerate() {
                assert_eq!(&found.to_vec().unwrap(), want, "{n} {which}");
            }
        }
    }
}

#[test]
fn rows_are_scanned_apart() {
    let rows = ArrayProgram::build("rows", |xs: Arr2<EM>| {
        let [a, b, c, d] = scans(xs);
        (a, b, c, d)
    });
    let rows = rows.unwrap();
    for (h, w) in SHAPES {
        for d in devices() {
            let xs: Vec<M> = (0..h * w).map(matrix).collect();
            let mut want: [Vec<M>; 4] = Default::default();
            for y in 0..h {
                for (all, own) in want.iter_mut().zip(of_row(&xs[y * w..][..w])) {
                    all.extend(own);
                }
            }
            let xs = d.array([h, w], &xs).unwrap();
            let found = rows.run(&d, &xs).unwrap();
            let found = [found.0, found.1, found.2, found.3];
            for (which, (found, want)) in found.iter().zip(&want).enumerate() {
                assert_eq!(&found.to_vec().unwrap(), want, "{h} {w} {which}");
            }
        }
    }
}

#[test]
fn totals() {
    let program = ArrayProgram::build("totals", |xs: Arr2<EU32>| {
        let (before, total) = xs.exclusive_scan_with_total(|x, y| x + y, lit(7u32));
        (before.map(|x| x * 2), total.map(|x| x + 1))
    });
    let program = program.unwrap();
    let vector = ArrayProgram::build("total", |xs: Arr1<EU32>| {
        xs.exclusive_scan_with_total(|x, y| x + y, lit(7u32)).1
    });
    let vector = vector.unwrap();
    assert_eq!(program.schedule().operators(), 1, "{}", program.schedule());
    for (h, w) in SHAPES {
        for d in devices() {
            let xs: Vec<u32> = (0..h * w).map(|i| i as u32 * 77 % 13).collect();
            let total: Vec<u32> = (0..h)
                .map(|y| 7 + xs[y * w..][..w].iter().sum::<u32>() + 1)
                .collect();
            let before: Vec<u32> = (0..h * w)
                .map(|i| 2 * (7 + xs[i / w * w..i].iter().sum::<u32>()))
                .collect();
            let given = d.array([h, w], &xs).unwrap();
            let found = program.run(&d, &given).unwrap();
            assert_eq!(found.0.to_vec().unwrap(), before, "{h} {w}");
            assert_eq!(found.1.to_vec().unwrap(), total, "{h} {w}");
            let given = d.array([h * w], &xs).unwrap();
            let found = vector.run(&d, &given).unwrap().value().unwrap();
            assert_eq!(found, 7 + xs.iter().sum::<u32>(), "{h} {w}");
        }
    }
}

#[test]
fn segments() {
    let program = ArrayProgram::build("segments", |xs: Arr1<EM>, flags: Arr1<EBool>| {
        let inclusive = xs.segmented_inclusive_scan(flags.clone(), etimes);
        let exclusive = xs.segmented_exclusive_scan(flags, etimes, first());
        (inclusive, exclusive)
    });
    let program = program.unwrap();
    for n in LENGTHS {
        for (d, first_flag) in devices().into_iter().zip([true, false]) {
            if n > 20_000 && d.name() == "simulator" {
                continue;
            }
            let xs: Vec<M> = (0..n).map(matrix).collect();
            let flags: Vec<bool> = (0..n)
                .map(|i| (i == 0 && first_flag) || i % 7 == 3 || i % 5000 == 4999)
                .collect();
            let (mut inclusive, mut exclusive) = (Vec::new(), Vec::new());
            let (mut sum, mut before) = (None, FIRST);
            for (x, flag) in xs.iter().zip(&flags) {
                if *flag {
                    (sum, before) = (None, FIRST);
                }
                sum = Some(sum.map_or(*x, |sum| times(sum, *x)));
                inclusive.extend(sum);
                exclusive.push(before);
                before = times(before, *x);
            }
            let (x, f) = (d.array([n], &xs).unwrap(), d.array([n], &flags).unwrap());
            let found = program.run(&d, (&x, &f)).unwrap();
            assert_eq!(found.0.to_vec().unwrap(), inclusive, "{n}");
            assert_eq!(found.1.to_vec().unwrap(), exclusive, "{n}");
        }
    }
}

#[test]
fn folded_segments() {
    let program = ArrayProgram::build("segments", |xs: Arr1<EM>, offsets: Arr1<EU32>| {
        xs.segmented_fold(offsets, etimes, first())
    });
    let program = program.unwrap();
    assert_eq!(program.schedule().operators(), 1, "{}", program.schedule());
    // No offsets, no segments; one of all; empty ones, and one whose end is in front of its start; not all elements.
    let cases: [(usize, &[u32]); 7] = [
        (10, &[]),
        (10, &[3]),
        (1000, &[0, 1000]),
        (0, &[0, 0, 0]),
        (9, &[0, 2, 2, 9, 4, 5]),
        (100, &[40, 70]),
        (5000, &[0, 1, 4096, 4096, 4999, 5000]),
    ];
    for (n, offsets) in cases {
        let xs: Vec<M> = (0..n).map(matrix).collect();
        let fold = |ends: &[u32]| {
            let own = xs.get(ends[0] as usize..ends[1] as usize);
            own.unwrap_or_default().iter().copied().fold(FIRST, times)
        };
        let want: Vec<M> = offsets.windows(2).map(fold).collect();
        for d in devices() {
            let given = d.array([n], &xs).unwrap();
            let ends = d.array([offsets.len()], offsets).unwrap();
            let found = program.run(&d, (&given, &ends)).unwrap();
            assert_eq!(found.to_vec().unwrap(), want, "{n} {offsets:?}");
        }
    }
    for d in devices() {
        let xs = d.array([3], &[FIRST; 3]).unwrap();
        let ends = d.array([2], &[1, 4]).unwrap();
        let error = program
            .run(&d, (&xs, &ends))
            .and_then(|found| found.to_vec());
        assert_eq!(error.unwrap_err().kind(), ErrorKind::Fault);
    }
}

/// As many additions stand between an element and a sum as `algorithms::inclusive_sum` says. Each application of the operator counts one.
#[test]
fn few_additions_stand_between_an_element_and_a_sum() {
    let narrow = |xs: Arr1<EU32>| xs.inclusive_scan(|x, y| x.max(y) + 1u32);
    let narrow = ArrayProgram::build("narrow", narrow).unwrap();
    let wide = |xs: Arr1<EU64>| xs.inclusive_scan(|x, y| x.max(y) + 1u64);
    let wide = ArrayProgram::build("wide", wide).unwrap();
    let d = Device::cpu();
    for n in [1, 257, 2049, 8192, 8193, 100_000, (1 << 20) + 3] {
        let most = 24 + (n as u64 >> 16);
        let deep = narrow.run(&d, &d.array([n], &vec![0u32; n]).unwrap());
        let deep = deep.unwrap().to_vec().unwrap().into_iter().max();
        assert!(deep.map(u64::from) <= Some(most), "{n}: {deep:?}");
        let deep = wide.run(&d, &d.array([n], &vec![0u64; n]).unwrap());
        let deep = deep.unwrap().to_vec().unwrap().into_iter().max();
        assert!(deep <= Some(most), "{n}: {deep:?}");
        // It does count: the first element of many is combined often.
        assert!(n < 2 || deep > Some(0), "{n}");
    }
}

/// What counts by a scan is one launch, of long rows and of short ones.
#[test]
fn a_filter_of_any_length_is_one_launch() {
    let even = ArrayProgram::build("even", |xs: Arr1<EU32>| xs.filter(|x| (x % 2).eq(0u32)));
    let even = even.unwrap();
    for n in [100, 8192, 8193, 1 << 24] {
        assert_eq!(even.schedule().launches_for(&[Some(n)]), Some(1), "{n}");
    }
}

/// What is before and behind a scan is computed by its kernels.
#[test]
fn scans_fuse() {
    let program = ArrayProgram::build("fused", |xs: Arr1<EF32>| {
        let sums = xs.map(|x| x * x).inclusive_scan(|x, y| x + y);
        zip_with(|sum, x| sum - x, sums, xs)
    });
    let program = program.unwrap();
    assert_eq!(program.schedule().operators(), 1, "{}", program.schedule());
    assert_eq!(program.schedule().launches(), 1, "{}", program.schedule());
    let apart = Settings {
        fuse: false,
        ..Settings::default()
    };
    let unfused = ArrayProgram::build_with("unfused", apart, |xs: Arr1<EF32>| {
        let sums = xs.map(|x| x * x).inclusive_scan(|x, y| x + y);
        zip_with(|sum, x| sum - x, sums, xs)
    });
    let unfused = unfused.unwrap();
    for n in LENGTHS {
        let mut bits: Vec<Vec<u32>> = Vec::new();
        for d in devices() {
            let xs: Vec<f32> = (0..n).map(|i| (i % 100) as f32 * 0.37).collect();
            let given = d.array([n], &xs).unwrap();
            for program in [&program, &unfused] {
                let found = program.run(&d, &given).unwrap().to_vec().unwrap();
                bits.push(found.iter().map(|x| x.to_bits()).collect());
                let mut sum = 0.0;
                for (found, x) in found.iter().zip(&xs) {
                    sum += f64::from(x * x);
                    let want = sum - f64::from(*x);
                    assert!(
                        (f64::from(*found) - want).abs() <= 1e-5 * sum.max(1.0),
                        "{n}"
                    );
                }
            }
        }
        assert!(bits.iter().all(|own| *own == bits[0]), "{n}");
    }
}

#[test]
fn what_is_kept() {
    let program = ArrayProgram::build("kept", |xs: Arr1<EU32>, limit: EU32| {
        let few = xs.filter(move |x| x.lt(limit));
        let doubled = few.map({
            let few = few.clone();
            move |x| x * 2 + few.len()
        });
        let sum = few.fold(|x, y| x + y, lit(0u32));
        let (even, odd) = xs.indexed().partition(|(_, x)| (x & 1u32).eq(0u32));
        (doubled, sum, even.map(|(i, _)| i), odd)
    });
    let program = program.unwrap();
    println!("{}", program.schedule());
    for n in LENGTHS {
        for d in devices() {
            for limit in [0u32, 1, 5, 13] {
                if n > 20_000 && d.name() == "simulator" {
                    continue;
                }
                let xs: Vec<u32> = (0..n).map(|i| i as u32 * 77 % 13).collect();
                let given = d.array([n], &xs).unwrap();
                let (doubled, sum, even, odd) = program.run(&d, (&given, limit)).unwrap();
                let few: Vec<u32> = xs.iter().copied().filter(|x| *x < limit).collect();
                let want: Vec<u32> = few.iter().map(|x| x * 2 + few.len() as u32).collect();
                assert_eq!(doubled.extents(), [few.len()]);
                assert_eq!(doubled.to_vec().unwrap(), want, "{n}");
                assert_eq!(sum.value().unwrap(), few.iter().sum::<u32>());
                let places = (0..n as u32).filter(|i| xs[*i as usize].is_multiple_of(2));
                assert_eq!(even.to_vec().unwrap(), places.collect::<Vec<_>>());
                let want = (0..n as u32).map(|i| (i, xs[i as usize]));
                let want: Vec<_> = want.filter(|(_, x)| x % 2 == 1).collect();
                assert_eq!(odd.to_vec().unwrap(), want);
            }
        }
    }
}

#[test]
fn lengths_that_a_run_learns_are_held_to() {
    let program = ArrayProgram::build("held", |xs: Arr1<EU32>, ys: Arr1<EU32>| {
        zip_with(|x, y| x + y, xs.filter(|x| x.gt(lit(3u32))), ys)
    });
    let program = program.unwrap();
    let d = Device::cpu();
    let xs = d.array([5], &[9u32, 1, 7, 4, 2]).unwrap();
    let ys = d.array([3], &[10u32, 20, 30]).unwrap();
    let found = program.run(&d, (&xs, &ys)).unwrap();
    assert_eq!(found.to_vec().unwrap(), [19, 27, 34]);
    let error = program.run(&d, (&xs, &xs)).unwrap_err().to_string();
    assert!(
        error.contains("extents 3 and 5") && error.contains("scans.rs"),
        "{error}"
    );
    let mut into = d.array([3], &[0u32; 3]).unwrap();
    let filter = ArrayProgram::build("filter", |xs: Arr1<EU32>| xs.filter(|x| x.gt(lit(3u32))));
    let error = filter
        .unwrap()
        .run_into(&d, &xs, &mut into)
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("known only when the program has run"),
        "{error}"
    );
}

#[test]
fn sorted_elements_once() {
    let program = ArrayProgram::build("unique", |xs: Arr1<EF32>| xs.unique(|x, y| x.eq(y)));
    let program = program.unwrap();
    assert_eq!(program.schedule().operators(), 1, "{}", program.schedule());
    for n in LENGTHS {
        for d in devices() {
            let xs: Vec<f32> = (0..n).map(|i| (i / 7) as f32 - 3.0).collect();
            let mut want = xs.clone();
            want.dedup();
            let found = program.run(&d, &d.array([n], &xs).unwrap()).unwrap();
            assert_eq!(found.to_vec().unwrap(), want, "{n}");
        }
    }
}

/// An array that is filtered, beside the one that it is made of, and beside one of a length that is known: read from memory, and held to
/// its length.
#[test]
fn what_is_kept_beside_its_source() {
    let beside = ArrayProgram::build("beside", |xs: Arr1<EU32>| {
        zip_with(|x, y| x * 10 + y, xs.filter(|x| x.gt(lit(0u32))), xs)
    });
    let five = ArrayProgram::build("five", |xs: Arr1<EU32>| {
        let few = xs.filter(|x| x.gt(lit(3u32)));
        let sums = zip_with(|x, y| x * 10 + y, iota(5), few.clone());
        (sums, few.filter(|x| x.lt(lit(6u32))))
    });
    let again = ArrayProgram::build("again", |xs: Arr1<EU32>| {
        let few = xs.filter(|x| x.gt(lit(3u32)));
        let fewer = few.filter(|x| x.gt(lit(2u32)));
        zip_with(|x, y| x * 10 + y, few, fewer)
    });
    let constant = ArrayProgram::build("constant", || {
        let few = iota(5).filter(|x| x.lt(lit(9u32)));
        zip_with(|x, y| x * 10 + y, iota(5), few)
    });
    let (beside, five) = (beside.unwrap(), five.unwrap());
    let (again, constant) = (again.unwrap(), constant.unwrap());
    for d in devices() {
        let xs = d.array([3], &[1u32, 2, 3]).unwrap();
        let found = beside.run(&d, &xs).unwrap().to_vec().unwrap();
        assert_eq!(found, [11, 22, 33]);
        let xs = d.array([3], &[1u32, 0, 3]).unwrap();
        let error = beside.run(&d, &xs).unwrap_err().to_string();
        assert!(error.contains("extents 2 and 3"), "{error}");
        let xs = d.array([7], &[4u32, 0, 5, 6, 3, 7, 8]).unwrap();
        let (sums, fewer) = five.run(&d, &xs).unwrap();
        assert_eq!(sums.to_vec().unwrap(), [4, 15, 26, 37, 48]);
        assert_eq!(fewer.to_vec().unwrap(), [4, 5]);
        let found = again.run(&d, &xs).unwrap().to_vec().unwrap();
        assert_eq!(found, [44, 55, 66, 77, 88]);
        let found = constant.run(&d, ()).unwrap().to_vec().unwrap();
        assert_eq!(found, [0, 11, 22, 33, 44]);
    }
}

/// The settings change what is launched, and no bits.
#[test]
fn settings_keep_the_bits() {
    let all = |settings| {
        ArrayProgram::build_with("settings", settings, |xs: Arr1<EF32>| {
            let near = xs.stencil(Mirror, |w| w.at(-1) * 0.5f32 + w.at(2));
            let sums = near.inclusive_scan(|x, y| x + y);
            let few = zip_with(|x, y| x - y, sums, xs).filter(|x| x.gt(lit(1.5f32)));
            let n = few.map(|_| lit(0.5f32)).sum();
            let behind = few.exclusive_scan_right(|x, y| x + y, lit(0.25f32));
            let around = behind.stencil(Wrap, move |w| w.at(-3) + w.at(1) * n.the());
            (around.filter(|x| x.lt(lit(900f32))), around.sum(), few)
        })
        .unwrap()
    };
    let settings = (0..8).map(|n| Settings {
        fuse: n & 1 == 0,
        share: n & 2 == 0,
        horizontal: n & 4 == 0,
        ..Settings::default()
    });
    let programs: Vec<_> = settings.map(all).collect();
    for n in [0usize, 1, 5, 40, 1000, 9001] {
        let xs: Vec<f32> = (0..n).map(|i| (i * 37 % 101) as f32 * 0.11 - 5.0).collect();
        let mut bits: Vec<Vec<u32>> = Vec::new();
        for d in devices() {
            let given = d.array([n], &xs).unwrap();
            for program in &programs {
                let (a, b, c) = program.run(&d, &given).unwrap();
                let lists = [
                    a.to_vec().unwrap(),
                    vec![b.value().unwrap()],
                    c.to_vec().unwrap(),
                ];
                bits.push(lists.iter().flatten().map(|x| x.to_bits()).collect());
            }
        }
        assert!(bits.iter().all(|own| *own == bits[0]), "{n}");
    }
}

/// An array that scans what a scan has become is stored by its kernel, and the next scan is one more.
#[test]
fn scans_of_scans_that_store() {
    let apart = Settings {
        fuse: false,
        ..Settings::default()
    };
    for settings in [Settings::default(), apart] {
        let program = ArrayProgram::build_with("again", settings, |xs: Arr1<EU32>| {
            let sums = xs.exclusive_scan(|x, y| x + y, lit(3u32));
            let mixed = zip_with(|x, y| x ^ y, xs, sums);
            mixed.exclusive_scan(|x, y| x + y, lit(5u32))
        });
        let program = program.unwrap();
        for n in [0usize, 1, 33, 9001] {
            let xs: Vec<u32> = (0..n).map(|i| i as u32 * 77 % 13).collect();
            let (mut first, mut second, mut want) = (3u32, 5u32, Vec::new());
            for x in &xs {
                want.push(second);
                second = second.wrapping_add(x ^ first);
                first += x;
            }
            for d in devices() {
                let given = d.array([n], &xs).unwrap();
                let found = program.run(&d, &given).unwrap().to_vec().unwrap();
                assert_eq!(found, want, "{n}");
            }
        }
    }
}

/// A length that a run reads, beside one that is known.
#[test]
fn what_is_kept_beside_a_known_length() {
    let program = ArrayProgram::build("beside", |xs: Arr1<EU32>| {
        let few = xs.filter(|x| x.lt(lit(7u32)));
        zip_with(|x, y| x + y, iota(5), few).inclusive_scan(|x, y| x + y)
    });
    let program = program.unwrap();
    for d in devices() {
        let given = d.array([6], &[1u32, 2, 9, 3, 4, 5]).unwrap();
        let found = program.run(&d, &given).unwrap().to_vec().unwrap();
        assert_eq!(found, [1, 4, 9, 16, 25]);
        let given = d.array([6], &[1u32, 2, 9, 3, 4, 9]).unwrap();
        let error = program.run(&d, &given).unwrap_err().to_string();
        assert!(error.contains("extents 5 and 4"), "{error}");
    }
}

/// What is kept is an array as any other: of folds, under a stencil, with other axes, and beside what is left out.
#[test]
fn what_is_kept_goes_on() {
    let program = ArrayProgram::build("on", |m: Arr2<EU32>| {
        let sums = m.sum().filter(|x| x.gt(lit(20u32)));
        let around = sums.stencil(Clamp, |w| w.at(-1) + w.at(1));
        let column = sums.reshape((sums.len(), lit(1u32))).transpose();
        let (small, large) = m.transpose().partition(|x| x.lt(lit(5u32)));
        let evens = small.map(|x| (x & 1u32).eq(lit(0u32)));
        let all = evens.exclusive_scan(|x, y| x & y, lit(true));
        (around, column, append(large, small), all)
    });
    let program = program.unwrap();
    for (h, w) in [
        (0usize, 3usize),
        (3, 0),
        (1, 1),
        (40, 7),
        (33, 100),
        (9001, 2),
    ] {
        for d in devices() {
            let m: Vec<u32> = (0..h * w).map(|i| i as u32 * 77 % 13).collect();
            let rows = (0..h).map(|y| m[y * w..][..w].iter().sum::<u32>());
            let sums: Vec<u32> = rows.filter(|x| *x > 20).collect();
            let last = sums.len().saturating_sub(1);
            let around =
                (0..sums.len()).map(|i| sums[i.saturating_sub(1)] + sums[(i + 1).min(last)]);
            let turned: Vec<u32> = (0..h * w).map(|i| m[i % h * w + i / h]).collect();
            let (small, large): (Vec<u32>, Vec<u32>) = turned.iter().partition(|x| **x < 5);
            let all = (0..small.len()).map(|i| small[..i].iter().all(|x| x.is_multiple_of(2)));
            let given = d.array([h, w], &m).unwrap();
            let found = program.run(&d, &given).unwrap();
            assert_eq!(
                found.0.to_vec().unwrap(),
                around.collect::<Vec<_>>(),
                "{h} {w}"
            );
            assert_eq!(found.1.extents(), [1, sums.len()]);
            assert_eq!(found.1.to_vec().unwrap(), sums);
            assert_eq!(found.2.to_vec().unwrap(), [large, small.clone()].concat());
            assert_eq!(found.3.to_vec().unwrap(), all.collect::<Vec<_>>());
        }
    }
}

/// A width that is made of another one, on the device and on the host.
type Width = (fn(EU32) -> EU32, fn(u32) -> u32);

#[test]
fn rows_of_widths_that_are_computed() {
    let widths: [Width; 5] = [
        (|w| w - w / 2, |w| w - w / 2),
        (
            |w| {
                let n = w + 1;
                n - n / 2
            },
            |w| w + 1 - w.div_ceil(2),
        ),
        (|w| w + 1 - w / 2, |w| w + 1 - w / 2),
        (|w| w / 2 + 1, |w| w / 2 + 1),
        (|w| w - w.min(1), |w| w - w.min(1)),
    ];
    for (on_device, on_host) in widths {
        let program = ArrayProgram::build("rows", move |m: Arr2<EU32>| {
            let (h, w) = m.shape();
            let rows = generate((h, on_device(w)), |(y, x)| y * 100 + x * 7);
            let scanned = rows.inclusive_scan(|x, y| x + y);
            (
                scanned,
                rows.inclusive_scan_right(|x, y| x + y),
                rows.exclusive_scan_right(|x, y| x + y, lit(3)),
            )
        });
        let program = program.unwrap();
        for device in devices() {
            for (h, w) in [(0, 3), (2, 0), (1, 1), (3, 2), (2, 33), (2, 1001)] {
                let m = device.array([h, w], &vec![0u32; h * w]).unwrap();
                let (left, right, behind) = program.run(&device, &m).unwrap();
                let k = on_host(w as u32);
                let rows = (0..h as u32).map(|y| (0..k).map(|x| y * 100 + x * 7).collect());
                let rows: Vec<Vec<u32>> = rows.collect();
                let wanted = |f: fn(&[u32], usize) -> u32| -> Vec<u32> {
                    let all = rows.iter().map(|row| (0..row.len()).map(|n| f(row, n)));
                    all.flat_map(Iterator::collect::<Vec<_>>).collect()
                };
                assert_eq!(
                    left.to_vec().unwrap(),
                    wanted(|row, n| row[..=n].iter().sum())
                );
                assert_eq!(
                    right.to_vec().unwrap(),
                    wanted(|row, n| row[n..].iter().sum())
                );
                let with_3 = wanted(|row, n| row[n + 1..].iter().sum::<u32>() + 3);
                assert_eq!(behind.to_vec().unwrap(), with_3);
            }
        }
    }
}

#[test]
fn a_column_of_an_array_without_elements_is_scanned() {
    let program = ArrayProgram::build("columns", |m: Arr3<EU32>| {
        let (_, _, w) = m.shape();
        let columns = m.slice_inner(w / 2);
        (columns.inclusive_scan(|x, y| x + y), columns.sum())
    });
    let program = program.unwrap();
    for device in devices() {
        for shape in [[2, 0, 3], [0, 2, 3], [0, 0, 1], [2, 3, 1], [2, 3, 4]] {
            let n: usize = shape.iter().product();
            let numbers: Vec<u32> = (0..n as u32).collect();
            let m = device.array(shape, &numbers).unwrap();
            let (scanned, sums) = program.run(&device, &m).unwrap();
            let [d, h, w] = shape;
            let at = |z: usize, y: usize| numbers[(z * h + y) * w + w / 2];
            let wanted: Vec<u32> = (0..d)
                .flat_map(|z| (0..h).map(move |y| (0..=y).map(|y| at(z, y)).sum()))
                .collect();
            assert_eq!(scanned.to_vec().unwrap(), wanted, "{shape:?}");
            let wanted: Vec<u32> = (0..d).map(|z| (0..h).map(|y| at(z, y)).sum()).collect();
            assert_eq!(sums.to_vec().unwrap(), wanted, "{shape:?}");
        }
    }
}
