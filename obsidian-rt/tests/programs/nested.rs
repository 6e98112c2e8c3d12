//! Arrays that functions of elements make, beside plain Rust.

use obsidian_rt::arrays::*;
use obsidian_rt::language::{EF64, EI32, EU32, lit, select};
use obsidian_rt::{Device, ErrorKind, ScalarType};

use super::in_order::devices;

/// A product of matrices, as one writes it down: the extents that have to be equal are asked of the run.
#[test]
fn a_product_of_matrices() {
    let program = ArrayProgram::build("product", |a: Arr2<EI32>, b: Arr2<EI32>| {
        let ((h, _), (_, w)) = (a.shape(), b.shape());
        generate((h, w), move |(y, x)| {
            zip_with(|a, b| a * b, a.row(y), b.column(x)).sum().the()
        })
    })
    .unwrap();
    assert_eq!(program.schedule().operators(), 1);
    for device in devices() {
        for [h, k, w] in [[1, 1, 1], [3, 5, 2], [17, 33, 9], [4, 0, 4], [0, 3, 2]] {
            let a: Vec<i32> = (0..h * k).map(|i| i * 7 % 23 - 11).collect();
            let b: Vec<i32> = (0..k * w).map(|i| i * 5 % 19 - 9).collect();
            let arrays = (
                &device.array([h as usize, k as usize], &a).unwrap(),
                &device.array([k as usize, w as usize], &b).unwrap(),
            );
            let result = program.run(&device, arrays).unwrap();
            let mut wanted = Vec::new();
            for y in 0..h {
                for x in 0..w {
                    let one = |i: i32| a[(y * k + i) as usize] * b[(i * w + x) as usize];
                    wanted.push((0..k).map(one).sum::<i32>());
                }
            }
            assert_eq!(result.to_vec().unwrap(), wanted, "{h} {k} {w}");
        }
        let (a, b) = (
            device.array([2, 3], &[0; 6]).unwrap(),
            device.array([4, 1], &[0; 4]).unwrap(),
        );
        let wrong = program.run(&device, (&a, &b)).unwrap_err();
        assert_eq!(wrong.kind(), ErrorKind::Requirement, "{wrong}");
        assert!(wrong.to_string().contains("nested.rs"), "{wrong}");
    }
}

/// Extents that elements decide: parts of rows, filters, counts, in loops of their own.
#[test]
fn extents_of_elements() {
    let program = ArrayProgram::build("extents", |x: Arr1<EU32>| {
        let n = x.len();
        let (y, z) = (x.clone(), x.clone());
        let prefix = generate(n, move |i| y.take(i + 1).sum().the());
        let suffix = generate(n, move |i| z.drop(i).max().the());
        let primes = x.map(|x| {
            let divisors = iota(x).map(|i| i + 1).filter(move |d| (x % d).eq(0u32));
            divisors.len() * 1000 + divisors.map(|d| d * d).sum().the()
        });
        let counted = x.map(|x| {
            iota(4)
                .expand(move |i| (i + x) % 3, |i, k| i * 10 + k)
                .fold_right(|x, a| x + a * 2, lit(0))
                .the()
        });
        (prefix, suffix, primes, counted)
    })
    .unwrap();
    for device in devices() {
        for n in [0u32, 1, 2, 7, 300] {
            let x: Vec<u32> = (0..n).map(|i| i * 7 % 31).collect();
            let array = device.array([n as usize], &x).unwrap();
            let (prefix, suffix, primes, counted) = program.run(&device, &array).unwrap();
            let n = n as usize;
            let wanted: Vec<u32> = (0..n).map(|i| x[..=i].iter().sum()).collect();
            assert_eq!(prefix.to_vec().unwrap(), wanted);
            let wanted: Vec<u32> = (0..n).map(|i| *x[i..].iter().max().unwrap()).collect();
            assert_eq!(suffix.to_vec().unwrap(), wanted);
            let divisors =
                |x: &u32| -> Vec<u32> { (1..=*x).filter(|d| x.is_multiple_of(*d)).collect() };
            let wanted = x.iter().map(divisors);
            let wanted: Vec<u32> = wanted
                .map(|all| all.len() as u32 * 1000 + all.iter().map(|d| d * d).sum::<u32>())
                .collect();
            assert_eq!(primes.to_vec().unwrap(), wanted);
            let wanted = x.iter().map(|x| {
                let all = (0..4).flat_map(|i| (0..(i + x) % 3).map(move |k| i * 10 + k));
                let all: Vec<u32> = all.collect();
                all.iter()
                    .rev()
                    .fold(0u32, |a, x| x.wrapping_add(a.wrapping_mul(2)))
            });
            assert_eq!(counted.to_vec().unwrap(), wanted.collect::<Vec<_>>());
        }
    }
}

/// Scans, windows, literals and folds of folds in an element.
#[test]
fn scans_and_folds_of_folds() {
    let program = ArrayProgram::build("folds", |x: Arr1<EI32>| {
        x.map(|x| {
            let powers = fill(5, x).inclusive_scan(|a, b| a * b);
            let weights = literal(&[3, -1, 4, 1, -5]);
            let dot = zip_with(|a, b| a * b, powers.clone(), weights).sum().the();
            let back = powers.exclusive_scan_right(|a, b| a + b, lit(1)).at(1);
            let (before, total) = powers.exclusive_scan_with_total(|a, b| a - b, lit(2));
            let all = generate((3, 4), move |(i, j)| x * i.cast::<i32>() + j.cast::<i32>());
            let largest =
                all.max().min().the() + all.transpose().fold_all(|a, b| a + b, lit(0)).the();
            dot * 7
                + back * 5
                + before.at(4) * 3
                + total.the()
                + largest
                + powers.arg_max().the().cast::<i32>()
        })
    })
    .unwrap();
    let plain = |x: i32| {
        let powers: Vec<i32> = (1..=5).map(|k| x.wrapping_pow(k)).collect();
        let dot: i32 = powers
            .iter()
            .zip([3, -1, 4, 1, -5])
            .map(|(a, b)| a * b)
            .sum();
        let back = powers[2..].iter().sum::<i32>() + 1;
        let before = powers[..4].iter().fold(2, |a, b| a - b);
        let total = before - powers[4];
        let all = |i: i32, j: i32| x * i + j;
        let row = |i: i32| (0..4).map(|j| all(i, j)).max().unwrap();
        let largest: i32 = (0..3).map(row).min().unwrap();
        let sum: i32 = (0..3)
            .flat_map(|i| (0..4).map(move |j| (i, j)))
            .map(|(i, j)| all(i, j))
            .sum();
        let best = (0..5).fold(0, |best, k| match powers[k] > powers[best] {
            true => k,
            false => best,
        });
        dot * 7 + back * 5 + before * 3 + total + largest + sum + best as i32
    };
    for device in devices() {
        let x: Vec<i32> = (-9..12).collect();
        let result = program
            .run(&device, &device.array([21], &x).unwrap())
            .unwrap();
        let wanted: Vec<i32> = x.iter().map(|x| plain(*x)).collect();
        assert_eq!(result.to_vec().unwrap(), wanted);
    }
}

/// What only an element knows is an assertion of the kernel: an array that is too short, and lengths that differ.
#[test]
fn what_elements_ask_of_extents_is_asserted() {
    let taken = ArrayProgram::build("taken", |x: Arr1<EU32>| {
        let y = x.clone();
        x.map(move |n| y.take(n).map(|v| v + 1).sum().the())
    })
    .unwrap();
    let dropped = ArrayProgram::build("dropped", |x: Arr1<EU32>| {
        x.map(move |n| iota(10).drop(n).sum().the())
    })
    .unwrap();
    let zipped = ArrayProgram::build("zipped", |x: Arr1<EU32>| {
        x.map(move |n| zip_with(|a, b| a * b, iota(n), iota(3)).sum().the())
    })
    .unwrap();
    let largest = ArrayProgram::build("largest", |x: Arr1<EU32>| {
        x.map(move |n| iota(n).max().the())
    })
    .unwrap();
    for device in devices() {
        let good = device.array([3], &[3, 3, 3]).unwrap();
        assert_eq!(
            taken.run(&device, &good).unwrap().to_vec().unwrap(),
            [12, 12, 12]
        );
        assert_eq!(
            dropped.run(&device, &good).unwrap().to_vec().unwrap(),
            [42, 42, 42]
        );
        assert_eq!(
            zipped.run(&device, &good).unwrap().to_vec().unwrap(),
            [5, 5, 5]
        );
        assert_eq!(
            largest.run(&device, &good).unwrap().to_vec().unwrap(),
            [2, 2, 2]
        );
        let bad = device.array([3], &[3, 11, 0]).unwrap();
        for (program, text) in [
            (&taken, "long enough for `take`"),
            (&dropped, "long enough for `drop`"),
            (&zipped, "same extents"),
            (&largest, "long enough for `max`"),
        ] {
            let run = program
                .run(&device, &bad)
                .and_then(|result| result.to_vec());
            let wrong = run.unwrap_err();
            assert_eq!(wrong.kind(), ErrorKind::Fault, "{wrong}");
            assert!(wrong.to_string().contains(text), "{wrong}");
            assert!(wrong.to_string().contains("nested.rs"), "{wrong}");
        }
    }
}

/// Nothing of an array of an element is stored, so its indices have to be inside, and sorts stand outside.
#[test]
fn what_has_to_be_outside() {
    let outside = ArrayProgram::build("f", |x: Arr1<EU32>| x.map(|x| iota(10).at(x)));
    let outside = outside.err().unwrap().to_string();
    assert!(outside.contains("may be outside of it"), "{outside}");
    let sorted = ArrayProgram::build("f", |x: Arr1<EU32>| x.map(|x| iota(10).sort().at(0) + x));
    let sorted = sorted.err().unwrap().to_string();
    assert!(sorted.contains("where none is stored"), "{sorted}");
    let kept = ArrayProgram::build("f", |x: Arr1<EU32>| {
        let y = x.clone();
        x.map(move |x| {
            let from_memory = y.take(2).at(x);
            iota(10).at(x.min(9u32))
                + iota(7).at(x % 7u32)
                + select(x.lt(2u32), from_memory, lit(0))
        })
    })
    .unwrap();
    let device = Device::cpu();
    let x = device.array([4], &[3, 11, 0, 1]).unwrap();
    let wanted = [3 + 3, 9 + 4, 3, 1 + 1 + 11];
    assert_eq!(kept.run(&device, &x).unwrap().to_vec().unwrap(), wanted);
}

/// Elements of any type, made by a front end.
#[test]
fn elements_of_any_type() {
    let program = AnyProgram::build("any", |inputs| {
        let x = inputs.array(1, &[ScalarType::I32]);
        vec![x.clone().map(move |n| {
            let n: EI32 = n.to();
            let terms = x.map(move |x| AnyElement::of((x.to::<EI32>() * n).cast::<f64>()));
            let plus =
                |a: AnyElement, b: AnyElement| AnyElement::of(a.to::<EF64>() + b.to::<EF64>());
            terms
                .reverse()
                .fold(plus, AnyElement::of(lit(0.5)))
                .ranked::<Ix0>()
                .the()
        })]
    })
    .unwrap();
    for device in devices() {
        let x = device.array([4], &[1, -2, 5, 7]).unwrap();
        let result = program.run(&device, &[&x.into()]).unwrap();
        let result: Vec<f64> = result[0].to_vec().unwrap();
        assert_eq!(result, [11.5, -21.5, 55.5, 77.5]);
    }
}

/// Runs a program of a vector and another one, on each device.
fn faults(
    build: impl Fn(Arr1<EU32>, Arr1<EU32>) -> Arr1<EU32> + Clone + 'static,
    x: &[u32],
    y: &[u32],
    text: &str,
) {
    let program =
        ArrayProgram::build("f", move |x: Arr1<EU32>, y: Arr1<EU32>| build(x, y)).unwrap();
    for device in devices() {
        let arrays = (
            &device.array([x.len()], x).unwrap(),
            &device.array([y.len()], y).unwrap(),
        );
        let run = program
            .run(&device, arrays)
            .and_then(|result| result.to_vec());
        let wrong = run.expect_err(text);
        assert_eq!(wrong.kind(), ErrorKind::Fault, "{wrong}");
        assert!(wrong.to_string().contains(text), "{wrong}");
    }
}

/// An element of an array without elements is a fault, wherever else its place has been inside.
#[test]
fn empty_arrays_have_no_elements() {
    faults(
        |x, y| {
            x.map(move |n| {
                let t = y.take(n);
                t.inclusive_scan(|a, b| a + b).sum().the() + t.at(0)
            })
        },
        &[0],
        &[7],
        "outside",
    );
    let read = ArrayProgram::build("f", |x: Arr1<EU32>, z: Arr1<EU32>| {
        x.map(move |v| {
            let sums = z.map(move |a| a + v).inclusive_scan(|a, b| a + b);
            sums.sum().the() + z.at(0)
        })
    })
    .unwrap();
    for device in devices() {
        let arrays = (
            &device.array([1], &[3]).unwrap(),
            &device.array::<_, u32>([0], &[]).unwrap(),
        );
        let run = read.run(&device, arrays).and_then(|result| result.to_vec());
        let wrong = run.unwrap_err().to_string();
        assert!(wrong.contains("has 0 elements"), "{wrong}");
    }
    let has = "has the element that is asked for";
    faults(|x, _| x.map(|n| iota(n).at(lit(5u32) % n)), &[0], &[], has);
    faults(
        |x, _| x.map(|n| iota(n).at(lit(5u32).min(n - 1))),
        &[0],
        &[],
        has,
    );
}

/// Numbers of rows and of elements that 32 bits do not hold.
#[test]
fn numbers_that_wrap() {
    let row = |x: Arr1<EU32>, _| {
        let a = generate((4, 4), |(y, x)| y * 10 + x);
        x.map(move |v| a.row(v - 1).sum().the())
    };
    faults(row, &[0], &[], "long enough for `row`");
    let counted = "counted in 32 bits";
    faults(
        |x, _| x.map(|n| iota(n).replicate(n).flatten().len()),
        &[65536],
        &[],
        counted,
    );
    faults(
        |x, _| x.map(|n| iota(n).replicate(n).len()),
        &[65536],
        &[],
        counted,
    );
    faults(
        |x, _| x.map(|n| append(iota(n), iota(1)).sum().the()),
        &[u32::MAX],
        &[],
        counted,
    );
}

/// What an element that is not one of all asks of extents is asked where it is computed.
#[test]
fn what_one_element_asks_is_not_asked_of_a_run() {
    let program = ArrayProgram::build("f", |z: Arr1<EU32>| {
        let (y, n) = (z.clone(), z.len());
        let x = generate(n, move |i| y.take(i + 1).sum().the());
        generate(3, move |_| select(n.gt(0u32), x.at(0), lit(0)))
    })
    .unwrap();
    for device in devices() {
        for (z, wanted) in [(vec![], 0), (vec![5, 6], 5)] {
            let z = device.array([z.len()], &z).unwrap();
            let result = program.run(&device, &z).unwrap();
            assert_eq!(result.to_vec().unwrap(), [wanted; 3]);
        }
    }
    let first = ArrayProgram::build("f", |a: Arr2<EU32>, b: Arr1<EU32>| {
        generate(a.shape(), move |(_, x)| {
            zip_with(|p, q| p + q, iota(x), b.clone()).sum().the()
        })
        .fold1(|p, q| p * 3 + q)
    })
    .unwrap();
    for device in devices() {
        let (a, b) = (
            device.array([1, 1], &[9]).unwrap(),
            device.array([2], &[1, 2]).unwrap(),
        );
        let run = first
            .run(&device, (&a, &b))
            .and_then(|result| result.to_vec());
        assert_eq!(run.unwrap_err().kind(), ErrorKind::Fault);
    }
}

/// Neighbours of an array of an element, which nothing stores.
#[test]
fn unique_elements_of_an_element() {
    let program = ArrayProgram::build("f", |x: Arr1<EU32>| {
        x.map(|n| iota(n).map(|i| i / 2).unique(|a, b| a.eq(b)).len())
    })
    .unwrap();
    for device in devices() {
        let x = device.array([4], &[0, 1, 4, 7]).unwrap();
        assert_eq!(
            program.run(&device, &x).unwrap().to_vec().unwrap(),
            [0, 1, 2, 4]
        );
    }
}

/// What is counted in 32 bits is asked of a run, where the run knows it, and elements of an empty array are not read.
#[test]
fn what_a_run_knows_is_asked_of_it() {
    let squares = ArrayProgram::build("squares", |x: Arr1<EU32>, k: EU32| {
        x.map(move |v| iota(k).replicate(k).len() + v)
    });
    let twice = ArrayProgram::build("twice", |x: Arr1<EU32>, k: EU32| {
        x.map(move |v| append(iota(k), iota(k)).len() + v)
    });
    let among = ArrayProgram::build("among", |x: Arr1<EU32>, y: Arr1<EU32>| {
        let n = y.len();
        x.map(move |v| {
            let y = y.clone();
            let added = y.reverse().map(move |a| a + v);
            added.at(v % n) + added.at(v.min(n - 1))
        })
    });
    let rest = ArrayProgram::build("rest", |x: Arr1<EU32>, y: Arr1<EU32>| {
        let n = y.len();
        x.map(move |v| y.reverse().map(move |a| a + v).at(v % n))
    });
    let (squares, twice) = (squares.unwrap(), twice.unwrap());
    let (among, rest) = (among.unwrap(), rest.unwrap());
    for d in devices() {
        let x = d.array([2], &[7u32, 9]).unwrap();
        let found = squares.run(&d, (&x, 9)).unwrap();
        assert_eq!(found.to_vec().unwrap(), [88, 90]);
        assert_eq!(twice.run(&d, (&x, 5)).unwrap().to_vec().unwrap(), [17, 19]);
        for wrong in [squares.run(&d, (&x, 65_536)), twice.run(&d, (&x, 1 << 31))] {
            let wrong = wrong.and_then(|found| found.to_vec()).unwrap_err();
            assert_eq!(wrong.kind(), ErrorKind::NoLength, "{wrong}");
        }
        let y = d.array([3], &[10u32, 20, 30]).unwrap();
        // Place 1 and the last one, place 0 and the last one.
        let found = among.run(&d, (&x, &y)).unwrap();
        assert_eq!(found.to_vec().unwrap(), [20 + 10 + 14, 30 + 10 + 18]);
        let none = d.array([0], &[] as &[u32]).unwrap();
        for program in [&among, &rest] {
            let wrong = program.run(&d, (&x, &none));
            let wrong = wrong.and_then(|found| found.to_vec()).unwrap_err();
            let kinds = [ErrorKind::Fault, ErrorKind::Requirement];
            assert!(kinds.contains(&wrong.kind()), "{wrong}");
        }
    }
}

/// What is asked of one array of an element is not asked of the next one.
#[test]
fn a_length_is_asserted_where_it_is_asked_for() {
    let program = ArrayProgram::build("lengths", |x: Arr1<EU32>, y: Arr1<EU32>| {
        x.map(move |n| {
            let y = y.clone();
            let total = iota(n).map(move |i| iota(n).replicate(i).len()).sum().the();
            total + y.take(2u32).sum().the()
        })
    });
    let program = program.unwrap();
    for d in devices() {
        let (x, y) = (
            d.array([3], &[0u32, 1, 5]).unwrap(),
            d.array([3], &[10u32, 20, 30]).unwrap(),
        );
        let found = program.run(&d, (&x, &y)).unwrap();
        assert_eq!(found.to_vec().unwrap(), [30, 30, 30 + 5 * (1 + 2 + 3 + 4)]);
    }
}

/// Arrays that are computed from one another again and again have an end.
#[test]
fn arrays_of_an_element_have_limits() {
    let chain = ArrayProgram::build("chain", |x: Arr1<EU32>| {
        x.map(|n| {
            let first = iota(n);
            (0..2000)
                .fold(first, |a, _| a.map(|e| e * 3 + 1))
                .sum()
                .the()
        })
    });
    let branches = ArrayProgram::build("branches", |x: Arr1<EU32>| {
        x.map(|v| {
            let next = |a: Arr1<EU32>, _| zip_with(|p, q| p + q, a.rotate(1u32), a.reverse());
            (0..40).fold(fill(v, v), next).sum().the()
        })
    });
    for wrong in [chain.err(), branches.err()] {
        let wrong = wrong.unwrap();
        assert_eq!(wrong.kind(), ErrorKind::Build);
        assert!(wrong.to_string().contains("arrays-too-large"), "{wrong}");
    }
    let few = ArrayProgram::build("few", |x: Arr1<EU32>| {
        x.map(|n| (0..40).fold(iota(n), |a, _| a.map(|e| e + 1)).sum().the())
    });
    let device = Device::cpu();
    let found = few
        .unwrap()
        .run(&device, &device.array([1], &[3u32]).unwrap());
    assert_eq!(found.unwrap().to_vec().unwrap(), [3 + 3 * 40]);
}

/// A literal of any length stands in a function of elements: it is one array of the program, however often it is written.
#[test]
fn long_literals_stand_in_functions_of_elements() {
    let table: Vec<u32> = (0..1_000).map(|i| i * i % 997).collect();
    let (own, same) = (table.clone(), table.clone());
    let f = ArrayProgram::build("f", move |x: Arr1<EU32>| {
        let (own, same) = (own.clone(), same.clone());
        let local = x.map(move |x| literal(&own).at(x % 1_000u32));
        let summed = x.map(move |x| {
            let row = literal(&same);
            generate(3u32, move |i: EU32| row.at((x + i) % 1_000u32))
                .sum()
                .the()
        });
        (local, summed)
    })
    .unwrap();
    assert_eq!(f.schedule().literals.len(), 1);
    for device in devices() {
        let x: Vec<u32> = (0..777).map(|i| i * 7919).collect();
        let given = device.array([x.len()], &x).unwrap();
        let (local, summed) = f.run(&device, &given).unwrap();
        let at = |x: u32| table[x as usize % 1_000];
        let expected: Vec<u32> = x.iter().map(|x| at(*x)).collect();
        assert_eq!(local.to_vec().unwrap(), expected);
        let expected: Vec<u32> = x.iter().map(|x| (0..3).map(|i| at(x + i)).sum()).collect();
        assert_eq!(summed.to_vec().unwrap(), expected);
    }
}

/// A fixed element in an arm that is not taken is read by no thread, and asked of no run.
#[test]
fn fixed_elements_in_arms_that_are_not_taken() {
    let f = ArrayProgram::build("f", |x: Arr1<EU32>| {
        let n = x.len();
        generate(5u32, move |i: EU32| select(n.gt(3u32), x.at(3u32) + i, i))
    })
    .unwrap();
    for device in devices() {
        for n in 0..6usize {
            let x: Vec<u32> = (0..n as u32).map(|i| i + 10).collect();
            let given = device.array([n], &x).unwrap();
            let wanted: Vec<u32> = (0..5).map(|i| x.get(3).unwrap_or(&0) + i).collect();
            assert_eq!(
                f.run(&device, &given).unwrap().to_vec().unwrap(),
                wanted,
                "{n}"
            );
        }
    }
}
