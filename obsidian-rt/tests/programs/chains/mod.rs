//! Chains of operations, each of which reads the one before at several indices: the work of planning does not explode, and what
//! they give is what plain loops do.

mod lengths;

use obsidian_core::arrays::elements_asked_for;
use obsidian_rt::arrays::*;
use obsidian_rt::language::{EU32, lit, select};
use obsidian_rt::{Device, arrays};

type Vector = Arr1<EU32>;

/// A link of a chain, as the library and as plain Rust have it.
struct Link {
    name: &'static str,
    built: fn(Vector, usize) -> Vector,
    plain: fn(&[u32], usize) -> Vec<u32>,
}

fn clamped(x: &[u32], i: usize, offset: isize) -> u32 {
    let last = x.len() as isize - 1;
    x[(i as isize + offset).clamp(0, last) as usize]
}

fn each(x: &[u32], f: impl Fn(usize) -> u32) -> Vec<u32> {
    (0..x.len()).map(f).collect()
}

const LINKS: &[Link] = &[
    Link {
        name: "a stencil of three points",
        built: |x, _| x.stencil(Boundary::Clamp, |w| w.at(-1) + 3 * w.at(0) + w.at(1)),
        plain: |x, _| {
            each(x, |i| {
                let sides = clamped(x, i, -1).wrapping_add(clamped(x, i, 1));
                sides.wrapping_add(x[i].wrapping_mul(3))
            })
        },
    },
    Link {
        name: "a stencil to one side",
        built: |x, _| x.stencil(Boundary::Wrap, |w| w.at(-3) * w.at(0) + w.at(-1)),
        plain: |x, _| {
            let n = x.len();
            each(x, |i| {
                let product = x[(i + 3 * n - 3) % n].wrapping_mul(x[i]);
                product.wrapping_add(x[(i + n - 1) % n])
            })
        },
    },
    Link {
        name: "an element at an index of its own",
        built: |x, _| {
            let n = x.len();
            generate(n, move |i: EU32| x.at(x.at(i) % n) + i)
        },
        plain: |x, _| each(x, |i| x[x[i] as usize % x.len()].wrapping_add(i as u32)),
    },
    Link {
        name: "a gather of itself",
        built: |x, k| {
            let n = x.len();
            arrays::gather(x.map(move |x| (x + k as u32) % n), x)
        },
        plain: |x, k| each(x, |i| x[x[i].wrapping_add(k as u32) as usize % x.len()]),
    },
    Link {
        name: "a choice between neighbours",
        built: |x, k| {
            let y = x.rotate(1 + k as u32 % 3);
            zip_with(|a, b| select((a & 1).eq(lit(0u32)), a + b, b * 3), x, y)
        },
        plain: |x, k| {
            each(x, |i| {
                let (a, b) = (x[i], x[(i + 1 + k % 3) % x.len()]);
                match a % 2 {
                    0 => a.wrapping_add(b),
                    _ => b.wrapping_mul(3),
                }
            })
        },
    },
    Link {
        name: "reversed and rotated",
        built: |x, k| x.reverse().rotate(k as u32 % 5).map(|x| x + 1),
        plain: |x, k| {
            let n = x.len();
            each(x, |i| x[n - 1 - (i + k % 5) % n].wrapping_add(1))
        },
    },
    Link {
        name: "a zip with itself reversed",
        built: |x, _| zip_with(|a, b| a * 3 + b, x.clone(), x.reverse()),
        plain: |x, _| each(x, |i| x[i].wrapping_mul(3).wrapping_add(x[x.len() - 1 - i])),
    },
    Link {
        name: "the second half, and back again",
        built: |x, _| {
            let n = x.len();
            append(x.clone(), x.reverse())
                .drop(n / 2)
                .take(n)
                .map(|x| x ^ 5)
        },
        plain: |x, _| {
            let both = x.iter().chain(x.iter().rev());
            let both = both.skip(x.len() / 2).take(x.len());
            both.map(|x| x ^ 5).collect()
        },
    },
];

fn chain(link: &Link, length: usize) -> ArrayProgram<(Vector,), Vector> {
    let build = |x: Vector| (0..length).fold(x, |x, k| (link.built)(x, k));
    ArrayProgram::build("chain", build).unwrap()
}

/// Lengths are prime, and 1.
#[test]
fn chains_give_what_loops_do() {
    for link in LINKS {
        for length in [1, 7, 25] {
            let program = chain(link, length);
            for n in [1, 41] {
                let x: Vec<u32> = (0..n).map(|i| i * i + 7).collect();
                let want = (0..length).fold(x.clone(), |x, k| (link.plain)(&x, k));
                for device in [Device::cpu(), Device::simulator()] {
                    let x = device.array([n as usize], &x).unwrap();
                    let got = program.run(&device, &x).unwrap().to_vec().unwrap();
                    assert_eq!(got, want, "{length} of {}, {n}", link.name);
                }
            }
        }
    }
}

/// The work of planning and building: elements that are looked at.
fn asked(link: &Link, length: usize) -> u64 {
    let before = elements_asked_for();
    chain(link, length);
    elements_asked_for() - before
}

/// Eight times as many links. Each kernel describes the program once more, which is cheap, and so the bound is above that of a square;
/// what is exponential would be far beyond it.
#[test]
fn planning_is_not_exponential_in_a_chain() {
    for link in LINKS {
        let (short, long) = (asked(link, 10), asked(link, 80));
        assert!(long <= 200 * short, "{}: {short}, {long}", link.name);
    }
    for (name, build) in lengths::CHAINS {
        let asked = |length| {
            let before = elements_asked_for();
            build(length).unwrap();
            elements_asked_for() - before
        };
        let (short, long) = (asked(5), asked(40));
        assert!(long <= 200 * short, "{name}: {short}, {long}");
    }
}

/// Each link reads the one before at two indices, and none may be stored.
#[test]
fn what_stores_nothing_is_an_error() {
    let build = |stores: bool| {
        ArrayProgram::build("doubled", move |x: Vector| {
            (0..20u32).fold(x, |x, k| {
                let all = zip_with(|a, b| a * b, x.clone(), x.rotate(1u32 << k).inline());
                match stores {
                    true => all.compute(),
                    false => all.inline(),
                }
            })
        })
    };
    let error = build(false).unwrap_err().to_string();
    assert!(error.contains("[arrays-too-large]"), "{error}");
    build(true).unwrap();
}
