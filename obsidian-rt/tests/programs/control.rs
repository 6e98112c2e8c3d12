//! Loops and choices of array programs, beside plain Rust.

use obsidian_rt::Device;
use obsidian_rt::arrays::*;
use obsidian_rt::language::{EBool, EF32, EU32, lit, select};

fn devices() -> [Device; 2] {
    [Device::cpu(), Device::simulator()]
}

/// One generation of the game of life, on a torus.
fn life(cells: Arr2<EBool>) -> Arr2<EBool> {
    cells
        .map(|alive| select(alive, lit(1u32), lit(0u32)))
        .stencil(Wrap, |w| {
            let mut neighbours = lit(0u32);
            for (y, x) in [
                (-1, -1),
                (-1, 0),
                (-1, 1),
                (0, -1),
                (0, 1),
                (1, -1),
                (1, 0),
                (1, 1),
            ] {
                neighbours += w.at((y, x));
            }
            neighbours.eq(3u32) | (neighbours.eq(2u32) & w.at((0, 0)).eq(1u32))
        })
}

fn life_of_rust(cells: &[bool], h: usize, w: usize) -> Vec<bool> {
    let at = |y: usize, x: usize| u32::from(cells[y % h * w + x % w]);
    let next = |y: usize, x: usize| {
        let (y0, x0) = (y + h - 1, x + w - 1);
        let all: u32 = (0..9).map(|k| at(y0 + k / 3, x0 + k % 3)).sum();
        let neighbours = all - at(y, x);
        neighbours == 3 || (neighbours == 2 && at(y, x) == 1)
    };
    (0..h * w).map(|i| next(i / w, i % w)).collect()
}

#[test]
fn the_game_of_life() {
    let program = ArrayProgram::build("life", |n: EU32, cells: Arr2<EBool>| power(n, cells, life));
    let program = program.unwrap();
    let schedule = program.schedule();
    // Its body once, one launch a generation.
    assert_eq!(schedule.kernels.len(), 1, "{schedule}");
    assert_eq!(
        schedule.launches_for(&[Some(2000), Some(40), Some(40)]),
        Some(2000),
        "{schedule}"
    );
    // The cells that are given, those of a round and the next ones, and the result.
    assert!(schedule.slots.len() <= 4, "{schedule}");
    for (h, w) in [(3, 3), (40, 40), (5, 33)] {
        for d in devices() {
            let cells: Vec<bool> = (0..h * w).map(|i| i * i % 7 < 3 || i % 5 == 1).collect();
            let given = d.array([h, w], &cells).unwrap();
            let mut want = cells.clone();
            for generation in 0..=20 {
                if [0, 1, 2, 20].contains(&generation) {
                    let found = program.run(&d, (generation, &given)).unwrap();
                    assert_eq!(found.to_vec().unwrap(), want, "{h} {w} {generation}");
                    let mut into = d.array([h, w], &vec![true; h * w]).unwrap();
                    program
                        .run_into(&d, (generation, &given), &mut into)
                        .unwrap();
                    assert_eq!(into.to_vec().unwrap(), want, "{h} {w} {generation}");
                }
                want = life_of_rust(&want, h, w);
            }
            assert_eq!(given.to_vec().unwrap(), cells);
        }
    }
}

/// Two thousand generations on the CPU, of which only one kernel is built.
#[test]
fn many_generations() {
    let program = ArrayProgram::build("life", |n: EU32, cells: Arr2<EBool>| power(n, cells, life));
    let d = Device::cpu();
    let mut want: Vec<bool> = (0..1600).map(|i| i * i % 7 < 3).collect();
    let given = d.array([40, 40], &want).unwrap();
    let found = program.unwrap().run(&d, (2000, &given)).unwrap();
    for _ in 0..2000 {
        want = life_of_rust(&want, 40, 40);
    }
    assert_eq!(found.to_vec().unwrap(), want);
}

/// What does not go round is computed once, in front of the loop: here a sum, and an array that is dear.
#[test]
fn what_stays_is_computed_once() {
    let program = ArrayProgram::build("scaled", |n: EU32, xs: Arr1<EF32>, ys: Arr1<EF32>| {
        let total = ys.sum();
        let dear = ys.map(|y| (y.exp() + 1.0).ln());
        power(n, (xs, ys.map(|y| y * 2.0)), move |(xs, _)| {
            let (total, dear) = (total.clone(), dear.clone());
            let next = xs.imap(move |i, x| (x + dear.at(i)) / total.the());
            (next, xs)
        })
    });
    let program = program.unwrap();
    let text = program.schedule().to_string();
    let (front, rounds) = text.split_once("repeat").unwrap();
    assert!(front.contains("sum") && front.contains("map"), "{text}");
    let body: Vec<&str> = rounds
        .lines()
        .take_while(|line| !line.starts_with("  keep"))
        .collect();
    let launches = body.iter().filter(|line| line.contains("launch")).count();
    assert_eq!(launches, 1, "{text}");
    for n in [0usize, 1, 33, 1000, 9000] {
        for times in [0u32, 1, 2, 5] {
            let mut bits: Vec<Vec<u32>> = Vec::new();
            for d in devices() {
                let xs: Vec<f32> = (0..n).map(|i| i as f32).collect();
                let ys: Vec<f32> = (0..n).map(|i| (i % 3) as f32 + 1.0).collect();
                let total: f64 = ys.iter().copied().map(f64::from).sum();
                let (mut a, mut b): (Vec<f64>, Vec<f64>) = xs
                    .iter()
                    .zip(&ys)
                    .map(|(x, y)| (f64::from(*x), f64::from(*y) * 2.0))
                    .unzip();
                for _ in 0..times {
                    let dear = |y: f32| (f64::from(y).exp() + 1.0).ln();
                    let next = a
                        .iter()
                        .zip(&ys)
                        .map(|(a, y)| (a + dear(*y)) / total)
                        .collect();
                    (a, b) = (next, a);
                }
                let given = (d.array([n], &xs).unwrap(), d.array([n], &ys).unwrap());
                let found = program.run(&d, (times, &given.0, &given.1)).unwrap();
                let found = [found.0.to_vec().unwrap(), found.1.to_vec().unwrap()];
                for (found, want) in found.iter().zip([&a, &b]) {
                    assert_eq!(found.len(), n);
                    for (found, want) in found.iter().zip(want) {
                        let near = (f64::from(*found) - want).abs() <= 1e-5 * want.abs().max(1e-3);
                        assert!(near, "{n} {times}: {found} {want}");
                    }
                }
                bits.push(found.concat().iter().map(|x| x.to_bits()).collect());
            }
            assert_eq!(bits[0], bits[1], "{n} {times}");
        }
    }
}

/// A loop until a condition of its arrays no longer holds, and a sum that only the condition needs.
#[test]
fn as_long_as_a_condition_holds() {
    let program = ArrayProgram::build("halved", |xs: Arr1<EU32>, limit: EU32| {
        let steps = fill((), lit(0u32));
        awhile(
            (xs, steps),
            move |(xs, _)| xs.sum().map(move |sum| sum.gt(limit)),
            |(xs, steps)| (xs.map(|x| x / 2), steps.map(|n| n + 1)),
        )
    });
    let program = program.unwrap();
    for n in [0usize, 1, 33, 1000, 9000] {
        for limit in [0u32, 100, 1 << 30] {
            for d in devices() {
                let xs: Vec<u32> = (0..n as u32).map(|i| i * 77 % 1013).collect();
                let (mut want, mut steps) = (xs.clone(), 0);
                while want.iter().sum::<u32>() > limit {
                    want.iter_mut().for_each(|x| *x /= 2);
                    steps += 1;
                }
                let given = d.array([n], &xs).unwrap();
                let found = program.run(&d, (&given, limit)).unwrap();
                assert_eq!(found.0.to_vec().unwrap(), want, "{n} {limit}");
                assert_eq!(found.1.value().unwrap(), steps, "{n} {limit}");
            }
        }
    }
}

/// Only one arm of a choice is computed: the other one would read outside.
#[test]
fn choices() {
    let program = ArrayProgram::build("chosen", |xs: Arr1<EU32>, at: EU32| {
        let is_inside = unit(at.lt(xs.len()));
        let (all, one) = (xs.clone(), xs.clone());
        if_then(
            is_inside,
            move || {
                let found = one.clone();
                (one.map(move |x| x + found.at(at)), fill((), lit(1u32)))
            },
            move || (all.reverse(), all.sum()),
        )
    });
    let program = program.unwrap();
    for n in [0usize, 1, 33, 9000] {
        for at in [0u32, 5, 8999, u32::MAX] {
            for d in devices() {
                let xs: Vec<u32> = (0..n as u32).map(|i| i * 77 % 13).collect();
                let (want, count) = match xs.get(at as usize) {
                    Some(y) => (xs.iter().map(|x| x + y).collect(), 1),
                    None => (
                        xs.iter().rev().copied().collect::<Vec<u32>>(),
                        xs.iter().sum(),
                    ),
                };
                let found = program.run(&d, (&d.array([n], &xs).unwrap(), at)).unwrap();
                assert_eq!(found.0.to_vec().unwrap(), want, "{n} {at}");
                assert_eq!(found.1.value().unwrap(), count, "{n} {at}");
            }
        }
    }
}

/// Loops in loops, a choice in a loop, lengths that each round learns, and atomic operations in rounds.
#[test]
fn parts_in_parts() {
    let program = ArrayProgram::build("nested", |xs: Arr1<EU32>, n: EU32, m: EU32| {
        power(n, (xs, fill(7, lit(0u32))), move |(xs, bins)| {
            let inner = power(m, xs.clone(), |ys| ys.map(|y| y * 3 + 1));
            let even = inner
                .filter(|x| (x % 2u32).eq(0u32))
                .fold(|x, y| x + y, lit(0u32));
            let is_odd = even.map(|sum| (sum % 2u32).eq(1u32)).map(|odd| odd);
            let (first, second) = (inner.clone(), inner.clone());
            let next = if_then(
                is_odd,
                move || first.reverse(),
                move || {
                    let even = even.clone();
                    second.map(move |x| x ^ even.the())
                },
            );
            let ones = xs
                .map(|_| lit(1u32))
                .permute(|x, y| x + y, fill(7, lit(0u32)), {
                    let xs = xs.clone();
                    move |i, _| (lit(true), xs.at(i) % 7)
                });
            let bins = zip_with(|x, y| x * 2 + y, bins, ones);
            (next, bins)
        })
    });
    let program = program.unwrap();
    for len in [0usize, 1, 33, 1000] {
        for (n, m) in [(0u32, 3u32), (1, 0), (3, 2), (6, 1)] {
            for d in devices() {
                let xs: Vec<u32> = (0..len as u32).map(|i| i * 77 % 1013).collect();
                let (mut own, mut bins) = (xs.clone(), [0u32; 7]);
                for _ in 0..n {
                    let mut ones = [0u32; 7];
                    own.iter().for_each(|x| ones[(x % 7) as usize] += 1);
                    for _ in 0..m {
                        own.iter_mut()
                            .for_each(|x| *x = x.wrapping_mul(3).wrapping_add(1));
                    }
                    let even = own.iter().filter(|x| **x % 2 == 0);
                    let even = even.fold(0u32, |sum, x| sum.wrapping_add(*x));
                    match even % 2 {
                        1 => own.reverse(),
                        _ => own.iter_mut().for_each(|x| *x ^= even),
                    }
                    for (bin, one) in bins.iter_mut().zip(ones) {
                        *bin = *bin * 2 + one;
                    }
                }
                let given = d.array([len], &xs).unwrap();
                let found = program.run(&d, (&given, n, m)).unwrap();
                assert_eq!(found.0.to_vec().unwrap(), own, "{len} {n} {m}");
                assert_eq!(found.1.to_vec().unwrap(), bins, "{len} {n} {m}");
            }
        }
    }
}

/// A program that gives what goes into a loop, too, and what comes out twice.
#[test]
fn arrays_under_several_names() {
    let program = ArrayProgram::build("names", |xs: Arr1<EU32>, n: EU32| {
        let doubled = xs.map(|x| x * 2).compute();
        let (a, b) = power(n, (doubled.clone(), doubled.clone()), |(a, b)| {
            (b.map(|x| x + 1), a)
        });
        (doubled, a.clone(), (a, b))
    });
    let program = program.unwrap();
    for d in devices() {
        for n in 0..4u32 {
            let doubled = vec![2u32, 4, 6];
            let (mut a, mut b) = (doubled.clone(), doubled.clone());
            for _ in 0..n {
                (a, b) = (b.iter().map(|x| x + 1).collect(), a);
            }
            let given = d.array([3], &[1u32, 2, 3]).unwrap();
            let found = program.run(&d, (&given, n)).unwrap();
            assert_eq!(found.0.to_vec().unwrap(), doubled);
            assert_eq!(found.1.to_vec().unwrap(), a);
            assert_eq!(found.2.0.to_vec().unwrap(), a);
            assert_eq!(found.2.1.to_vec().unwrap(), b);
        }
    }
}

#[test]
fn rounds_may_give_other_extents() {
    let longer = ArrayProgram::build("longer", |xs: Arr1<EU32>, ys: Arr1<EU32>, n: EU32| {
        power(n, xs, move |_| ys.map(|y| y + 1))
    });
    let d = Device::cpu();
    let (xs, ys) = (
        d.array([3], &[1u32; 3]).unwrap(),
        d.array([4], &[1u32; 4]).unwrap(),
    );
    let longer = longer.unwrap();
    assert_eq!(
        longer.run(&d, (&xs, &xs, 1)).unwrap().to_vec().unwrap(),
        [2; 3]
    );
    // A number that a run is given is asked to be another one.
    let error = longer.run(&d, (&xs, &ys, 1)).unwrap_err().to_string();
    assert!(
        error.contains("`power`") && error.contains("3 and 4"),
        "{error}"
    );
    // A length that only a round knows.
    let kept = ArrayProgram::build("kept", |xs: Arr1<EU32>, n: EU32| {
        power(n, xs, |xs| xs.filter(|x| x.gt(0u32)).map(|x| x - 1))
    });
    let kept = kept.unwrap();
    let found = kept.run(&d, (&ys, 1)).unwrap().to_vec().unwrap();
    assert_eq!(found, [0; 4]);
    assert_eq!(kept.run(&d, (&ys, 2)).unwrap().len(), 0);
    assert_eq!(kept.run(&d, (&ys, 3)).unwrap().len(), 0);
    // What a loop makes in its rounds stays there.
    let leaked = ArrayProgram::build("leaked", |xs: Arr1<EU32>| {
        let inside = std::cell::RefCell::new(None);
        let all = power(3, xs, |xs| {
            *inside.borrow_mut() = Some(xs.clone());
            xs.map(|x| x + 1)
        });
        let leaked = inside.borrow().clone().unwrap();
        zip_with(|x, y| x + y, all, leaked)
    });
    let error = leaked.unwrap_err().to_string();
    assert!(error.contains("outside of a loop"), "{error}");
}

/// Sorts, places and loops give the same with each decision switched off.
#[test]
fn settings_change_nothing() {
    let all = Settings::default();
    let settings = [
        all,
        Settings { fuse: false, ..all },
        Settings {
            share: false,
            ..all
        },
        Settings {
            horizontal: false,
            ..all
        },
        Settings {
            fuse: false,
            share: false,
            horizontal: false,
            threads: Some(96),
        },
    ];
    let xs: Vec<u32> = (0..1500u32)
        .map(|i| i.wrapping_mul(2_654_435_769) >> 8)
        .collect();
    let mut seen = Vec::new();
    for own in settings {
        let program = ArrayProgram::build_with("settings", own, |xs: Arr1<EU32>, n: EU32| {
            let sorted = xs.map(|x| x ^ 5u32).sort_by_key(|x| x % 1000);
            let ones = sorted.map(|x| (x % 7, lit(1u32)));
            let counts = ones
                .map(|(_, one)| one)
                .permute(|x, y| x + y, fill(7, lit(1u32)), {
                    let ones = ones.clone();
                    move |i, _| (i.ne(3u32), ones.at(i).0)
                });
            let bytes = sorted.map(|x| x.cast::<u8>());
            let sums = bytes.permute(|x, y| x + y, fill(9, lit(0u8)), |i, _| (lit(true), i % 9));
            let (scale, first) = (counts.sum(), sorted.clone());
            let next = power(n, sorted.clone(), move |ys| {
                let (scale, first) = (scale.clone(), first.clone());
                let most = ys.max();
                ys.imap(move |i, y| (y ^ scale.the()) + first.at(i) / 3 + most.the())
            });
            let last = awhile(
                next.clone(),
                |ys| ys.max().map(|most| most.gt(1000u32)),
                |ys| ys.map(|y| y / 2),
            );
            let is_small = last.sum().map(|sum| sum.lt(5u32));
            let (small, large) = (last.clone(), last);
            let chosen = if_then(is_small, move || small.reverse(), move || large.sort());
            (sorted, counts, sums, (next, chosen))
        });
        let program = program.unwrap();
        for d in devices() {
            let (sorted, counts, sums, (next, chosen)) = program
                .run(&d, (&d.array([1500], &xs).unwrap(), 3))
                .unwrap();
            seen.push((
                sorted.to_vec().unwrap(),
                counts.to_vec().unwrap(),
                sums.to_vec().unwrap(),
                next.to_vec().unwrap(),
                chosen.to_vec().unwrap(),
            ));
        }
    }
    let mut sorted: Vec<u32> = xs.iter().map(|x| x ^ 5).collect();
    sorted.sort_by_key(|x| x % 1000);
    assert_eq!(seen[0].0, sorted);
    let in_order = seen[0].4.windows(2).all(|pair| pair[0] <= pair[1]);
    assert!(in_order && seen[0].3.len() == 1500);
    for (which, own) in seen.iter().enumerate() {
        assert!(*own == seen[0], "{which}");
    }
}

/// A loop that begins with what stays, and whose rounds use what goes round outside.
#[test]
fn inner_loops_that_use_outer_states() {
    let program = ArrayProgram::build("inner", |xs: Arr1<EU32>, ys: Arr1<EU32>, n: EU32| {
        power(n, xs, move |xs| {
            let start = fill(xs.len(), lit(0u32));
            let outer = xs.clone();
            let inner = power(3, start, move |zs| {
                let (first, second) = (zs.clone(), zs.clone());
                let outer = outer.clone();
                if_then(
                    zs.sum().map(|sum| sum.gt(100u32)),
                    move || first.map(|z| z / 2),
                    move || zip_with(|z, x| z + x, second, outer),
                )
            });
            let (again, outer) = (ys.clone(), xs.clone());
            let third = power(2, ys.clone(), move |ys| {
                let (own, outer) = (ys.clone(), outer.clone());
                power(2, again, move |zs| {
                    let (own, outer) = (own.clone(), outer.clone());
                    zip_with3(|z, y, x| z * 3 + y + x, zs, own, outer)
                })
            });
            zip_with3(|x, z, w| (x ^ z) + w, xs, inner, third)
        })
    });
    let program = program.unwrap();
    for len in [0usize, 1, 33, 1000] {
        for n in [0u32, 1, 3] {
            for d in devices() {
                let xs: Vec<u32> = (0..len as u32).map(|i| i * 7 % 10).collect();
                let ys: Vec<u32> = (0..len as u32).map(|i| i * 5 % 11).collect();
                let mut own = xs.clone();
                for _ in 0..n {
                    let mut zs = vec![0u32; len];
                    for _ in 0..3 {
                        let sum = zs.iter().fold(0u32, |sum, z| sum.wrapping_add(*z));
                        for (z, x) in zs.iter_mut().zip(&own) {
                            *z = if sum > 100 {
                                *z / 2
                            } else {
                                z.wrapping_add(*x)
                            };
                        }
                    }
                    let mut third = ys.clone();
                    for _ in 0..2 {
                        let before = third.clone();
                        third.clone_from(&ys);
                        for _ in 0..2 {
                            for ((z, y), x) in third.iter_mut().zip(&before).zip(&own) {
                                *z = z.wrapping_mul(3).wrapping_add(*y).wrapping_add(*x);
                            }
                        }
                    }
                    for ((x, z), w) in own.iter_mut().zip(&zs).zip(&third) {
                        *x = (*x ^ z).wrapping_add(*w);
                    }
                }
                let given = (d.array([len], &xs).unwrap(), d.array([len], &ys).unwrap());
                let found = program.run(&d, (&given.0, &given.1, n)).unwrap();
                assert_eq!(found.to_vec().unwrap(), own, "{len} {n}");
            }
        }
    }
}

/// What a loop makes in its rounds is no result, although nothing behind the loop uses it.
#[test]
fn what_a_round_makes_is_no_result() {
    let leaked = ArrayProgram::build("leaked", |xs: Arr1<EU32>, n: EU32| {
        let inside = std::cell::RefCell::new(None);
        let all = power(n, xs, |xs| {
            *inside.borrow_mut() = Some(xs.map(|x| x + 1));
            xs.map(|x| x * 2)
        });
        let leaked = inside.borrow().clone().unwrap();
        (all, leaked.map(|x| x * 3))
    });
    let error = leaked.unwrap_err().to_string();
    assert!(error.contains("outside of a loop"), "{error}");
}

/// How long an array is, one arm learns only when it runs; the other arm says it before.
#[test]
fn arms_that_learn_their_length() {
    let first = ArrayProgram::build("first", |xs: Arr1<EU32>, ys: Arr1<EU32>, up: EU32| {
        let found = if_then(
            unit(up.ne(0u32)),
            move || xs.filter(|x| x.gt(3u32)).sort(),
            move || ys.map(|y| y * 2),
        );
        found.map(|x| x + 1)
    });
    let second = ArrayProgram::build("second", |xs: Arr1<EU32>, ys: Arr1<EU32>, up: EU32| {
        let found = if_then(
            unit(up.eq(0u32)),
            move || ys.map(|y| y * 2),
            move || xs.filter(|x| x.gt(3u32)).sort(),
        );
        found.map(|x| x + 1)
    });
    for program in [first.unwrap(), second.unwrap()] {
        for d in devices() {
            let xs = d.array([5], &[9u32, 1, 7, 2, 4]).unwrap();
            let ys = d.array([3], &[10u32, 20, 30]).unwrap();
            let found = program.run(&d, (&xs, &ys, 1)).unwrap().to_vec().unwrap();
            assert_eq!(found, [5, 8, 10]);
            let found = program.run(&d, (&xs, &ys, 0)).unwrap().to_vec().unwrap();
            assert_eq!(found, [21, 41, 61]);
            // Only the arm that is taken can be too long.
            let found = program.run(&d, (&ys, &xs, 0)).unwrap().to_vec().unwrap();
            assert_eq!(found, [19, 3, 15, 5, 9]);
            let error = program.run(&d, (&ys, &xs, 1)).unwrap_err().to_string();
            assert!(error.contains("`if_then`"), "{error}");
        }
    }
    let both = ArrayProgram::build("both", |xs: Arr1<EU32>, up: EU32| {
        let (a, b) = (xs.clone(), xs);
        let up = unit(up.ne(0u32));
        if_then(
            up,
            move || a.filter(|x| x.gt(3u32)),
            move || b.filter(|x| x.gt(2u32)),
        )
    });
    let error = both.unwrap_err().to_string();
    assert!(error.contains("known in neither arm"), "{error}");
}

/// A search by breadth in a graph, whose distances are scattered until nothing changes.
#[test]
fn distances_in_a_graph() {
    let program = ArrayProgram::build("distances", |from: Arr1<EU32>, to: Arr1<EU32>, n: EU32| {
        let start = generate(n, |i| select(i.eq(0u32), lit(0u32), lit(u32::MAX)));
        let state = (start, unit(lit(true)));
        let found = awhile(
            state,
            |(_, changed)| changed,
            move |(distances, _)| {
                let (from, near) = (from.clone(), distances.clone());
                let next = to.permute(|x, y| x.min(y), distances.clone(), {
                    let to = to.clone();
                    move |i, _| (lit(false), to.at(i))
                });
                let own = from.map({
                    let near = near.clone();
                    move |from| near.at(from)
                });
                let own = own.map(|d| select(d.eq(u32::MAX), d, d + 1));
                let next = own.permute(|x, y| x.min(y), next, {
                    let to = to.clone();
                    move |i, _| (lit(true), to.at(i))
                });
                let changed = zip_with(|x, y| x.ne(y), next.clone(), distances).any();
                (next, changed)
            },
        );
        found.0
    });
    let program = program.unwrap();
    for (n, edges) in [(1u32, 0u32), (5, 3), (1000, 1500)] {
        let edges: Vec<(u32, u32)> = (0..edges)
            .map(|i| {
                (
                    i.wrapping_mul(2_654_435_769) >> 7,
                    i.wrapping_mul(40_503) >> 3,
                )
            })
            .map(|(x, y)| (x % n, y % n))
            .chain((1..n.min(300)).map(|i| (i - 1, i)))
            .collect();
        let mut want = vec![u32::MAX; n as usize];
        want[0] = 0;
        for _ in 0..n {
            for (x, y) in &edges {
                let next = want[*x as usize].saturating_add(1);
                want[*y as usize] = want[*y as usize].min(next);
            }
        }
        let (from, to): (Vec<u32>, Vec<u32>) = edges.into_iter().unzip();
        for d in devices() {
            let given = [&from, &to].map(|all| d.array([all.len()], all).unwrap());
            let found = program.run(&d, (&given[0], &given[1], n)).unwrap();
            assert_eq!(found.to_vec().unwrap(), want, "{n}");
        }
    }
}
