//! Programs as they are written: extents that are numbers, operators that loop, divide and read, states of many arrays. On each device, beside plain Rust.

use obsidian_rt::arrays::*;
use obsidian_rt::language::{EU32, Program, Thread, assert_that, lit, pure, select, seq_until};

use super::literals::gives;

fn elements(n: usize) -> Vec<u32> {
    (0..n as u32).map(|i| i * 37 % 101 + 1).collect()
}

fn gcd_of(a: EU32, b: EU32) -> Program<Thread, EU32> {
    let step = |(a, b): (EU32, EU32)| (b, a % b);
    seq_until(step, |(_, b): (EU32, EU32)| b.gt(lit(0)), (a, b)).map(|(a, _)| a)
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn lcm_of(a: EU32, b: EU32) -> Program<Thread, EU32> {
    gcd_of(a, b).map(move |d| a / d * b % 65521 + 1)
}

fn folded(xs: &[u32], f: impl Fn(u32, u32) -> u32) -> u32 {
    xs.iter().copied().reduce(f).unwrap()
}

fn scanned(xs: &[u32], f: impl Fn(u32, u32) -> u32) -> Vec<u32> {
    (1..=xs.len()).map(|n| folded(&xs[..n], &f)).collect()
}

#[test]
fn parts_of_vectors() {
    let xs = elements(3000);
    gives("middle", &xs, &xs[500..1500], |x| {
        x.take(1500u32).drop(500u32)
    });
    let swapped = [&xs[1234..], &xs[..1234]].concat();
    gives("swapped", &xs, &swapped, |x| {
        let x = x.take(3000u32);
        append(x.drop(1234u32), x.take(1234u32))
    });
    let next: Vec<u32> = (0..3000).map(|i| xs[i] + xs[(i + 1) % 3000]).collect();
    gives("next", &xs, &next, |x| {
        generate(3000u32, move |i| x.at(i) + x.at((i + 1) % 3000))
    });
    let strided: Vec<u32> = xs.iter().step_by(7).copied().take(400).collect();
    gives("strided", &xs, &strided, |x| {
        generate(400u32, move |i| x.at(i * 7))
    });
    let table: Vec<u32> = xs.iter().map(|x| xs[(x % 16) as usize]).collect();
    gives("table", &xs, &table, |x| {
        let table = x.clone();
        x.map(move |v| table.at(v % 16))
    });
    let masked: Vec<u32> = xs.iter().map(|x| xs[(x & 15) as usize]).collect();
    gives("masked", &xs, &masked, |x| {
        let table = x.clone();
        x.take(3000u32).map(move |v| table.at(v & 15))
    });
    let edge: Vec<u32> = (0..3000)
        .map(|i| if i < 3 { 0 } else { xs[i - 3] })
        .collect();
    gives("shifted", &xs, &edge, |x| {
        generate(3000u32, move |i| select(i.lt(3), lit(0), x.at(i - 3)))
    });
    let clipped: Vec<u32> = (0..3000).map(|i| xs[(i + 10).min(2999)]).collect();
    gives("clipped", &xs, &clipped, |x| {
        generate(3000u32, move |i| x.at((i + 10).min(2999)))
    });
    let reversed: Vec<u32> = xs.iter().rev().take(100).copied().collect();
    gives("last", &xs, &reversed, |x| {
        generate(100u32, move |i| x.at(lit(2999) - i))
    });
    gives("tail", &xs, &xs[1..2999], |x| x.take(3000u32).tail().init());
}

#[test]
fn matrices() {
    let xs = elements(48 * 50);
    let rows = || xs.chunks(50);
    let column = |x: usize| rows().map(move |row| row[x]);
    gives("flat", &xs, &xs, |x| x.reshape((48u32, 50u32)).flatten());
    let turned: Vec<u32> = (0..50).flat_map(column).collect();
    gives("turned", &xs, &turned, |x| {
        x.reshape((48u32, 50u32)).transpose().flatten()
    });
    let most: Vec<u32> = rows().map(|row| *row.iter().max().unwrap()).collect();
    gives("most", &xs, &most, |x| x.reshape((48u32, 50u32)).max());
    let least: Vec<u32> = (0..50).map(|x| column(x).min().unwrap()).collect();
    gives("least", &xs, &least, |x| {
        x.reshape((48u32, 50u32)).transpose().min()
    });
    let place: Vec<u32> = rows()
        .map(|row| {
            let most = row.iter().max().unwrap();
            row.iter().position(|x| x == most).unwrap() as u32
        })
        .collect();
    gives("place", &xs, &place, |x| {
        x.reshape((48u32, 50u32)).arg_max()
    });
    gives("row", &xs, &xs[350..400], |x| {
        x.reshape((48u32, 50u32)).row(7u32)
    });
    gives("column", &xs, &column(49).collect::<Vec<_>>(), |x| {
        x.reshape((48u32, 50u32)).column(49u32)
    });
    let cut: Vec<u32> = rows().take(10).flat_map(|row| row[..20].to_vec()).collect();
    gives("cut", &xs, &cut, |x| {
        let m = x.reshape((48u32, 50u32));
        generate((10u32, 20u32), move |i| m.at(i))
    });
    let twice: Vec<u32> = [&xs[..], &xs[..]].concat();
    gives("twice", &xs, &twice, |x| x.take(2400u32).replicate(2u32));
    let sums: Vec<u32> = rows().flat_map(|row| scanned(row, |a, b| a + b)).collect();
    gives("sums", &xs, &sums, |x| {
        x.reshape((48u32, 50u32)).inclusive_scan(|a, b| a + b)
    });
    let product: Vec<u32> = (0..48 * 48)
        .map(|i| {
            (0..50)
                .map(|k| xs[i / 48 * 50 + k] * xs[i % 48 * 50 + k])
                .sum()
        })
        .collect();
    gives("product", &xs, &product, |x| {
        let m = x.reshape((48u32, 50u32));
        generate((48u32, 48u32, 50u32), move |(y, x, k)| {
            m.at((y, k)) * m.at((x, k))
        })
        .sum()
    });
    let near = |y: i32, x: i32| xs[(y.clamp(0, 47) * 50 + x.clamp(0, 49)) as usize];
    let blurred: Vec<u32> = (0..2400)
        .map(|i| (i / 50, i % 50))
        .map(|(y, x)| near(y - 1, x) + near(y + 1, x) + near(y, x - 1) + near(y, x + 1))
        .collect();
    gives("blurred", &xs, &blurred, |x| {
        x.reshape((48u32, 50u32)).stencil(Clamp, |w| {
            w.at((-1, 0)) + w.at((1, 0)) + w.at((0, -1)) + w.at((0, 1))
        })
    });
    let planes: Vec<u32> = (0..2400).map(|i| xs[i % 8 * 300 + i / 8]).collect();
    gives("planes", &xs, &planes, |x| {
        let all = x.reshape((8u32, 10u32, 30u32));
        generate((10u32, 30u32, 8u32), move |(y, z, x)| all.at((x, y, z)))
    });
}

#[test]
fn folds_of_many_kinds() {
    for n in [1usize, 2, 33, 70, 257, 2049] {
        let xs = elements(n);
        let m = n as u32;
        let sixes: Vec<u32> = xs.iter().map(|x| x * 6).collect();
        gives("gcd", &xs, &[folded(&sixes, gcd)], |x| {
            x.map(|x| x * 6).fold1(gcd_of)
        });
        gives("literal gcd", &xs, &[folded(&sixes, gcd)], move |x| {
            x.take(m).map(|x| x * 6).fold(gcd_of, lit(0))
        });
        gives("gcds", &xs, &scanned(&sixes, gcd), |x| {
            x.map(|x| x * 6).inclusive_scan(gcd_of)
        });
        gives("literal gcds", &xs, &scanned(&sixes, gcd), move |x| {
            x.take(m).map(|x| x * 6).inclusive_scan(gcd_of)
        });
        let backwards: Vec<u32> = sixes.iter().rev().copied().collect();
        let mut behind = scanned(&backwards, gcd);
        behind.reverse();
        gives("gcds from the right", &xs, &behind, |x| {
            x.map(|x| x * 6).inclusive_scan_right(gcd_of)
        });
        let modulo = folded(&xs, |a, b| a * b % 997);
        gives("modulo", &xs, &[modulo], |x| x.fold1(|a, b| a * b % 997));
        let checked = |a: EU32, b: EU32| {
            assert_that(a.ge(1) & b.ge(1), "there is no 0").and_then(move |()| pure(a.max(b)))
        };
        gives("checked", &xs, &[folded(&xs, u32::max)], move |x| {
            x.fold1(checked)
        });
        let both = [folded(&xs, u32::min) * 1000 + folded(&xs, gcd)];
        gives("both", &xs, &both, |x| {
            let least = x.fold1(|a, b| a.min(b));
            zip_with(|a, b| a * 1000 + b, least, x.fold1(gcd_of))
        });
        let kept: Vec<u32> = xs.iter().copied().filter(|x| x % 2 == 1).collect();
        gives("filtered", &xs, &[kept.iter().copied().fold(0, gcd)], |x| {
            x.filter(|x| (x % 2).eq(1)).fold(gcd_of, lit(0))
        });
        let halves: Vec<u32> = xs.iter().map(|x| gcd(*x, 12)).collect();
        gives("mapped", &xs, &halves, |x| x.map(|x| gcd_of(x, lit(12))));
        let mut places = [0; 6];
        for x in &xs {
            places[(x % 6) as usize] = gcd(places[(x % 6) as usize], *x);
        }
        gives("places", &xs, &places, |x| {
            x.permute(gcd_of, fill(6u32, lit(0)), |_, x| (lit(true), x % 6))
        });
    }
    let xs = elements(40 * 50);
    let rows: Vec<u32> = xs.chunks(50).map(|row| folded(row, gcd)).collect();
    gives("rows", &xs, &rows, |x| {
        x.reshape((40u32, 50u32)).fold1(gcd_of)
    });
    let scans: Vec<u32> = xs.chunks(50).flat_map(|row| scanned(row, gcd)).collect();
    gives("scans", &xs, &scans, |x| {
        x.reshape((40u32, 50u32)).inclusive_scan(gcd_of)
    });
    let few: Vec<u32> = xs.chunks(5).flat_map(|row| scanned(row, gcd)).collect();
    gives("few", &xs, &few, |x| {
        x.reshape((400u32, 5u32)).inclusive_scan(gcd_of)
    });
    gives("all", &xs, &[folded(&xs, gcd)], |x| {
        x.reshape((40u32, 10u32, 5u32)).fold_all(gcd_of, lit(0))
    });
    gives(
        "lcm of two",
        &xs[..2],
        &[xs[0] / gcd(xs[0], xs[1]) * xs[1] % 65521 + 1],
        |x| x.take(2u32).fold1(lcm_of),
    );
}

#[test]
fn loops_of_many_arrays() {
    let xs = elements(100);
    let want: Vec<u32> = xs.iter().map(|x| x + 5 * 3 + 10).collect();
    gives("power", &xs, &want, |x| {
        let one = || unit(lit(1u32));
        let state = (x.take(100u32), one(), one(), one(), unit(lit(0u32)));
        let (x, _, _, _, k) = power(5u32, state, |(x, a, b, c, k)| {
            let (a2, b2, c2, k2) = (a.clone(), b.clone(), c.clone(), k.clone());
            let x = x.map(move |x| x + a2.the() + b2.the() + c2.the());
            (x, a, b, c, k2.map(|k| k + 2))
        });
        x.map(move |x| x + k.the())
    });
    let mut count = (0u32, xs.clone());
    while count.1.iter().any(|x| *x > 10) {
        count = (count.0 + 1, count.1.iter().map(|x| x / 2).collect());
    }
    let want: Vec<u32> = count.1.iter().map(|x| x + count.0).collect();
    gives("awhile", &xs, &want, |x| {
        let none = || unit(lit(0u32));
        let state = (x, none(), none(), none(), none(), none());
        let (x, n, ..) = awhile(
            state,
            |(x, ..)| x.map(|x| x.gt(10)).any(),
            |(x, n, a, b, c, d)| (x.map(|x| x / 2), n.map(|n| n + 1), a, b, c, d),
        );
        x.map(move |x| x + n.the())
    });
    gives("if_then", &xs, &xs, |x| {
        let all = || (x.clone(), x.clone(), x.clone(), x.clone(), x.clone());
        let few = x.fold(|a, b| a + b, lit(0)).map(|sum| sum.gt(0));
        let (first, ..) = if_then(few, all, || {
            let (a, b, c, d, e) = all();
            (a.map(|x| x + 1), b, c, d, e)
        });
        first
    });
    let mut sorted = xs.clone();
    sorted.sort();
    gives("sorted", &xs, &sorted, |x| x.take(100u32).sort());
    sorted.dedup();
    gives("unique", &xs, &sorted, |x| x.sort().unique(|x, y| x.eq(y)));
}
