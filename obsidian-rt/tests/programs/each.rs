//! `each`: functions of one element, lifted to all of them, beside a run for each element.

use obsidian_executor::Executor;
use obsidian_rt::arrays::*;
use obsidian_rt::language::{EF32, EU32, lit, select};
use obsidian_rt::{Device, ScalarType};

use super::any_rank::{Host, apply, draw, interpret, operation};
use super::in_order::devices;
use super::is_long;
use super::random::{Numbers, first_seed};

/// The numbers of elements of a chunk that are tried.
const COUNTS: [usize; 6] = [0, 1, 2, 3, 5, 33];

fn host(numbers: &mut Numbers, shape: &[usize]) -> Host {
    let n: usize = shape.iter().product();
    let list = (0..n).map(|_| numbers.below(1 << 20) as i32 - 500_000);
    Host {
        shape: shape.to_vec(),
        list: list.collect(),
    }
}

/// A random program of an element and of an array that is the same for all elements: all of its arrays are results.
fn check(seed: u64, executor: Option<&Executor>) {
    let mut numbers = Numbers(seed);
    let rank = numbers.below(4);
    let mut shape = draw(&mut numbers, rank);
    // Of an array without elements that has other extents, a column in the middle is refused where a loop over none of its rows reads it.
    let has_none = |shape: &[usize]| rank > 1 && shape.contains(&0);
    while shape.iter().product::<usize>() > 300 || has_none(&shape) {
        shape = draw(&mut numbers, rank);
    }
    let count = COUNTS[numbers.below(COUNTS.len())];
    let whole = host(&mut numbers, &shape);
    let mut elements: Vec<Vec<Host>> = Vec::new();
    for _ in 0..count.max(1) {
        elements.push(vec![whole.clone(), host(&mut numbers, &shape)]);
    }
    let mut operations = Vec::new();
    let wanted = 1 + numbers.below(7);
    while operations.len() < wanted {
        let rank = elements[0].last().map_or(0, |host| host.shape.len());
        let next = operation(&mut numbers, rank);
        // Whether it fits depends on shapes, which all elements have in common.
        let hosts: Vec<_> = elements
            .iter()
            .map_while(|all| interpret(&next, all))
            .collect();
        if hosts.len() == elements.len() {
            operations.push(next);
            for (all, host) in elements.iter_mut().zip(hosts) {
                all.push(host);
            }
        }
    }
    let says = || format!("seed {seed}, {count} x {shape:?}, {operations:?}");
    let shapes: Vec<_> = elements[0].iter().map(|host| host.shape.clone()).collect();
    let made = |whole: AnyArr, own: AnyArr| {
        let mut all = vec![whole, own];
        for operation in &operations {
            let last = shapes[all.len() - 1].clone();
            let same = all.iter().zip(&shapes);
            let same = same.filter(|(_, shape)| **shape == last);
            let same: Vec<_> = same.map(|(arr, _)| arr.clone()).collect();
            all.push(apply(operation, &all[all.len() - 1], &same));
        }
        all
    };
    let of_one = AnyProgram::build("one", |inputs| {
        let [whole, own] = [0; 2].map(|_| inputs.array(rank, &[ScalarType::I32]));
        made(whole, own)
    });
    let of_all = AnyProgram::build("all", |inputs| {
        let whole = inputs.array(rank, &[ScalarType::I32]);
        let rows = inputs.array(rank + 1, &[ScalarType::I32]);
        each(rows, |own| made(whole, own))
    });
    let (of_one, of_all) = match (of_one, of_all) {
        (Ok(of_one), Ok(of_all)) => (of_one, of_all),
        (one, all) => panic!("{}: {:?} {:?}", says(), one.err(), all.err()),
    };
    let operators = [of_one.schedule().operators(), of_all.schedule().operators()];
    assert!(
        operators[1] <= operators[0],
        "{operators:?}: {}\n{}\n{}",
        says(),
        of_one.schedule(),
        of_all.schedule()
    );
    let mut devices = vec![Device::cpu()];
    if seed.is_multiple_of(4) {
        devices.push(Device::simulator());
    }
    if let Some(executor) = executor.filter(|_| seed.is_multiple_of(30)) {
        devices.push(executor.device());
    }
    let rows: Vec<i32> = elements
        .iter()
        .take(count)
        .flat_map(|all| all[1].list.clone())
        .collect();
    let with_count = |shape: &[usize]| [&[count], shape].concat();
    for device in devices {
        let x = AnyArray::new(&device, &with_count(&shape), &rows).unwrap();
        let whole = AnyArray::new(&device, &shape, &whole.list).unwrap();
        let results = of_all.run(&device, &[&whole, &x]);
        let results = results.unwrap_or_else(|e| panic!("{}: {e}", says()));
        assert_eq!(results.len(), shapes.len());
        for (n, (found, shape)) in results.iter().zip(&shapes).enumerate() {
            assert_eq!(
                found.extents(),
                with_count(shape),
                "result {n} of {}",
                says()
            );
            let found = found.to_vec::<i32>().unwrap();
            let wanted = elements.iter().take(count);
            let wanted: Vec<i32> = wanted.flat_map(|all| all[n].list.clone()).collect();
            assert_eq!(found, wanted, "result {n} of {}", says());
        }
    }
}

#[test]
fn random_programs_of_one_element_are_lifted() {
    let first = first_seed();
    let executor = Executor::find();
    if executor.is_none() {
        println!("skipped: lifted programs as executed text, because there is no g++");
    }
    for seed in first..first + if is_long() { 3000 } else { 100 } {
        check(seed, executor.as_ref());
    }
}

/// Runs a program of one element for all rows at once, and for each of them, on all devices: the same values, and the same bits
/// as for one row, by as many operators.
fn lifted(name: &str, f: impl Fn(Arr1<EF32>) -> Arr1<EF32> + Clone + 'static) {
    let g = f.clone();
    let of_all = ArrayProgram::build(name, move |rows: Arr2<EF32>| rows.each(&g)).unwrap();
    let of_one = ArrayProgram::build(name, f).unwrap();
    assert_eq!(
        of_all.schedule().operators(),
        of_one.schedule().operators(),
        "{name}: {}",
        of_all.schedule()
    );
    for device in devices() {
        for width in [1, 2, 31, 33, 257] {
            for count in [1, 3, 8] {
                let rows: Vec<f32> = (0..count * width)
                    .map(|n| ((n * 37) % 101) as f32 / 8.0)
                    .collect();
                let run = |rows: &[f32]| {
                    let rows = device.array([rows.len() / width, width], rows).unwrap();
                    of_all.run(&device, &rows).unwrap().to_vec().unwrap()
                };
                let all = run(&rows);
                for (own, row) in all.chunks(width).zip(rows.chunks(width)) {
                    let bits = |row: &[f32]| row.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
                    let says = format!("{name} of {count} rows of {width} on {device:?}");
                    assert_eq!(bits(own), bits(&run(row)), "{says}");
                    // A row of a matrix is added up in another order than a vector.
                    let row = device.array([width], row).unwrap();
                    let one = of_one.run(&device, &row).unwrap().to_vec().unwrap();
                    for (own, one) in own.iter().zip(one) {
                        assert!(
                            (own - one).abs() <= 1e-5 * one.abs().max(1.0),
                            "{says}: {own}, {one}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn functions_that_users_write_are_lifted() {
    lifted("softmax", |row| {
        let largest = row.max();
        let powers = row.map(move |x| (x - largest.the()).exp());
        let sum = powers.sum();
        powers.map(move |x| x / sum.the())
    });
    lifted("stencil", |row| {
        let edge = row.stencil(Clamp, |w| w.at(-1) * 0.25 + w.at(0) * 0.5 + w.at(1) * 0.25);
        edge.stencil(Wrap, |w| w.at(1) - w.at(-1))
    });
    lifted("scan", |row| {
        let sums = row.inclusive_scan(|x, y| x + y);
        let (before, total) = row.exclusive_scan_with_total(|x, y| x + y, lit(0.0));
        zip_with(move |x, y| x + y - total.the(), sums, before.reverse())
    });
    lifted("heat", |row| {
        power(5, row, |row| {
            row.stencil(Constant(lit(0.0)), |w| w.at(-1) + w.at(0) + w.at(1))
        })
    });
    lifted("ends", |row| {
        let n = row.len();
        let (first, last) = (row.slice_outer(0), row.slice_outer(n - 1));
        generate(n, move |i| {
            select(i.eq(0u32), last.the(), first.the() + i.cast::<f32>())
        })
    });
    lifted("of a vector", |row| {
        let outer = zip_with(
            |x, y| x * y,
            row.replicate(row.len()),
            row.replicate_inner(row.len()),
        );
        outer.transpose().each(|row| row.max())
    });
}

#[test]
fn products_of_small_matrices_are_lifted() {
    let product = |a: Arr2<EF32>, b: Arr2<EF32>| {
        let ((h, _), (_, w)) = (a.shape(), b.shape());
        let (rows, columns) = (a, b.transpose());
        generate((h, w), move |(y, x)| {
            let products = zip_with(|a, b| a * b, rows.row(y), columns.row(x));
            products.fold_in_order(|sum, x| sum + x, lit(0.0)).the()
        })
    };
    let of_all = ArrayProgram::build("products", move |a: Arr3<EF32>, b: Arr3<EF32>| {
        each((a, b), |(a, b)| product(a, b))
    });
    let of_all = of_all.unwrap();
    assert_eq!(of_all.schedule().operators(), 1);
    let (count, h, n, w) = (5, 3, 4, 2);
    let a: Vec<f32> = (0..count * h * n).map(|n| (n % 13) as f32).collect();
    let b: Vec<f32> = (0..count * n * w).map(|n| (n % 7) as f32).collect();
    for device in devices() {
        let all = of_all
            .run(
                &device,
                (
                    &device.array([count, h, n], &a).unwrap(),
                    &device.array([count, n, w], &b).unwrap(),
                ),
            )
            .unwrap();
        assert_eq!(all.extents(), [count, h, w]);
        let all = all.to_vec().unwrap();
        for k in 0..count {
            for y in 0..h {
                for x in 0..w {
                    let terms = (0..n).map(|i| a[(k * h + y) * n + i] * b[(k * n + i) * w + x]);
                    assert_eq!(all[(k * h + y) * w + x], terms.sum::<f32>());
                }
            }
        }
    }
}

#[test]
fn what_does_not_depend_on_the_element_is_computed_once() {
    let f = ArrayProgram::build("f", |rows: Arr2<EU32>, v: Arr1<EU32>| {
        rows.each(|row| {
            // Of the vector alone: a sum without an outer axis.
            let total = v.inclusive_scan(|x, y| x + y).sum();
            (row.map(move |x| x + total.the()), v.sum())
        })
    });
    let f = f.unwrap();
    let (k, n) = (40, 30);
    // What is stored between the operators: the scan of the vector, and not one for each row.
    let stored = f
        .schedule()
        .temporary_bytes(&[Some(k as u64), Some(n as u64), Some(n as u64)]);
    assert!(
        stored.is_some_and(|bytes| bytes <= 3 * n as u64 * 4),
        "{stored:?}"
    );
    for device in devices() {
        let rows = device.array([k, n], &vec![1u32; k * n]).unwrap();
        let v = device.array([n], &vec![2u32; n]).unwrap();
        let counted = f.run(&device, (&rows, &v)).unwrap();
        assert_eq!(counted.0.to_vec().unwrap(), vec![931; k * n]);
        assert_eq!(counted.1.to_vec().unwrap(), vec![60; k]);
    }
}

#[test]
fn elements_are_counted_by_place() {
    // A histogram of each row, and a scatter.
    let f = ArrayProgram::build("f", |rows: Arr2<EU32>, v: Arr1<EU32>| {
        rows.each(|row| {
            let ones = row.map(|_| lit(1u32));
            let own = row.clone();
            let counts = ones.permute(
                |x, y| x + y,
                fill(5, lit(0u32)),
                move |i, _| (own.at(i).ne(7u32), own.at(i) % 8),
            );
            let places = row.map(|x| x % 5);
            (counts, iota(row.len()).scatter(places, v.clone()))
        })
    });
    let f = f.unwrap();
    let (k, n) = (7, 50);
    let rows: Vec<u32> = (0..k * n)
        .map(|n| [0, 1, 2, 3, 4, 7][(n * n + n / 3) % 6] as u32)
        .collect();
    for device in devices() {
        let x = device.array([k, n], &rows).unwrap();
        let v = device.array([5], &[90u32, 91, 92, 93, 94]).unwrap();
        let (counts, last) = f.run(&device, (&x, &v)).unwrap();
        let (counts, last) = (counts.to_vec().unwrap(), last.to_vec().unwrap());
        for (k, row) in rows.chunks(n).enumerate() {
            for place in 0..5 {
                let count = row.iter().filter(|x| **x == place).count();
                assert_eq!(counts[k * 5 + place as usize] as usize, count);
                let of = row.iter().rposition(|x| x % 5 == place);
                let wanted = of.map_or(90 + place, |i| i as u32);
                assert_eq!(last[k * 5 + place as usize], wanted);
            }
        }
    }
    // A place that is outside of the row's own counts, and not in those of the next row, is an error.
    let f = ArrayProgram::build("f", |rows: Arr2<EU32>| {
        rows.each(|row| row.permute(|x, y| x + y, fill(4, lit(0u32)), |_, x| (lit(true), x)))
    });
    let f = f.unwrap();
    for device in devices() {
        let rows = device.array([2, 1], &[4u32, 0]).unwrap();
        let error = f.run(&device, &rows).unwrap_err();
        assert_eq!(error.kind(), obsidian_rt::ErrorKind::Fault, "{error}");
    }
}

#[test]
fn elements_in_elements() {
    // Each plane by its sum, each of its rows by its own, each number by its place.
    let f = ArrayProgram::build("f", |planes: Arr4<EU32>| {
        planes.each(|volume| {
            let all = volume.flatten().sum();
            volume.each(move |plane| {
                let columns = plane.axis(0).sum();
                let all = all.clone();
                plane.each(move |row| {
                    let all = all.clone();
                    zip_with(move |x, c| x * 10 + c + all.the(), row, columns.clone())
                })
            })
        })
    });
    let f = f.unwrap();
    let [a, b, c, d] = [2, 3, 4, 5];
    let xs: Vec<u32> = (0..a * b * c * d).map(|n| (n * 7 % 11) as u32).collect();
    for device in devices() {
        let x = device.array([a, b, c, d], &xs).unwrap();
        let found = f.run(&device, &x).unwrap().to_vec().unwrap();
        for (n, found) in found.into_iter().enumerate() {
            let volume = &xs[n / (b * c * d) * (b * c * d)..][..b * c * d];
            let plane = &xs[n / (c * d) * (c * d)..][..c * d];
            let column: u32 = plane.iter().skip(n % d).step_by(d).sum();
            let wanted = xs[n] * 10 + column + volume.iter().sum::<u32>();
            assert_eq!(found, wanted);
        }
    }
}

#[test]
fn what_cannot_be_lifted_is_told() {
    let message = |f: fn(Arr2<EU32>) -> Arr2<EU32>| {
        ArrayProgram::build("f", f)
            .err()
            .map(|e| e.to_string())
            .unwrap_or_default()
    };
    for (name, found) in [
        ("`sort`", message(|rows| rows.each(|row| row.sort()))),
        (
            "`filter`",
            message(|rows| rows.each(|row| row.filter(|x| x.gt(2)))),
        ),
        (
            "`expand`",
            message(|rows| rows.each(|row| row.expand(|x| x, |x, _| x))),
        ),
        (
            "`sort`",
            message(|rows| rows.each(|row| row.each(|x| x.replicate(2).sort().slice_outer(0)))),
        ),
        (
            "`permute`",
            message(|rows| {
                rows.each(|row| row.permute(|_, y| y, fill(4, lit(0u32)), |_, x| (lit(true), x)))
            }),
        ),
        (
            "`sort_by_bits`",
            message(|rows| rows.each(|row| row.sort_by_bits(9, |x| x))),
        ),
        (
            "`awhile`",
            message(|rows| {
                rows.each(|row| {
                    awhile(
                        row,
                        |row| row.sum().map(|x| x.lt(9)),
                        |row| row.map(|x| x + 1),
                    )
                })
            }),
        ),
        (
            "`if_then`",
            message(|rows| {
                rows.each(|row| {
                    let is_large = row.sum().map(|x| x.gt(3));
                    if_then(is_large, || row.clone(), || row.reverse())
                })
            }),
        ),
        (
            "the function of this `inclusive_scan` reads",
            message(|rows| {
                rows.each(|row| {
                    let sum = row.sum();
                    row.inclusive_scan(move |x, y| x + y * sum.the())
                })
            }),
        ),
        (
            "an array of one element of this `each` is used outside",
            message(|rows| {
                let mut own = None;
                let rows = rows.each(|row| {
                    own = Some(row.clone());
                    row.map(|x| x + 1)
                });
                zip_with(|x, y| x + y, rows, own.unwrap().replicate(3))
            }),
        ),
        (
            "an array of one element of this `each` is used outside",
            message(|rows| {
                // The array that the function gives, too.
                let mut own = None;
                let rows = rows.each(|row| {
                    let next = row.map(|x| x + 1);
                    own = Some(next.clone());
                    next
                });
                let sum = own.unwrap().sum();
                rows.map(move |x| x + sum.the())
            }),
        ),
        (
            "`each` makes an array inside of a function of elements",
            message(|rows| rows.map(|x| x + iota(3).replicate(2).each(|row| row.sum()).at(1))),
        ),
    ] {
        assert!(found.contains(name), "{name}: {found}");
        assert!(found.contains("programs/each.rs:"), "{found}");
    }
    // What is made of other arrays than those of the element may be anything.
    let f = ArrayProgram::build("f", |rows: Arr2<EU32>, v: Arr1<EU32>| {
        rows.each(|row| {
            let sorted = v.sort();
            zip_with(|x, y| x + y, row, sorted)
        })
    });
    let device = Device::cpu();
    let (rows, v) = (
        device.array([2, 2], &[1u32, 2, 3, 4]).unwrap(),
        device.array([2], &[20u32, 10]).unwrap(),
    );
    assert_eq!(
        f.unwrap()
            .run(&device, (&rows, &v))
            .unwrap()
            .to_vec()
            .unwrap(),
        [11, 22, 13, 24]
    );
}
