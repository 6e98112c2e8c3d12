//! Extents that are numbers: what runs with extents of the arrays runs with the same extents as literals.

use obsidian_rt::Device;
use obsidian_rt::arrays::*;
use obsidian_rt::language::{EI32, EU32, lit, select};

fn devices() -> [Device; 5] {
    [
        Device::cpu(),
        Device::cpu().with_blocks(1),
        Device::cpu_by_columns(),
        Device::cpu().with_threads(64),
        Device::simulator(),
    ]
}

/// Runs a program of one array, and holds it to what is wanted.
pub(super) fn gives<
    Sh: Rank,
    T: HostOf<Host: HostItem<Device = T> + PartialEq + std::fmt::Debug> + 'static,
>(
    name: &str,
    xs: &[u32],
    want: &[T::Host],
    f: impl Fn(Arr1<EU32>) -> Arr<Sh, T> + 'static,
) where
    Arr<Sh, T>: RunResult<Arrays = Array<Sh, T::Host>>,
{
    let program = ArrayProgram::build(name, f).unwrap_or_else(|e| panic!("{name}: {e}"));
    for d in devices() {
        let found = program.run(&d, &d.array([xs.len()], xs).unwrap());
        let found = found.unwrap_or_else(|e| panic!("{name} on {}: {e}", d.name()));
        assert_eq!(found.to_vec().unwrap(), want, "{name} on {}", d.name());
    }
}

/// The bound of an index is that of the condition around it, and not of the tile that it stands in.
#[test]
fn arrays_as_long_as_their_extents() {
    for n in [1u32, 5, 255, 1000, 1023, 1024, 1025, 1600, 2047, 3000] {
        let xs: Vec<u32> = (0..n).map(|i| i * 7 % 1001).collect();
        let plus: Vec<u32> = xs.iter().map(|x| x + 1).collect();
        gives("take", &xs, &plus, move |x| x.take(n).map(|x| x + 1));
        gives("generate", &xs, &xs, move |x| generate(n, move |i| x.at(i)));
        let padded: Vec<u32> = (0..2 * n as usize)
            .map(|i| xs.get(i).copied().unwrap_or(u32::MAX))
            .collect();
        gives("select", &xs, &padded, move |x| {
            generate(2 * n, move |i| select(i.lt(lit(n)), x.at(i), lit(u32::MAX)))
        });
        let reversed: Vec<u32> = xs.iter().rev().copied().collect();
        gives("reverse", &xs, &reversed, move |x| x.take(n).reverse());
        gives("sum", &xs, &[xs.iter().sum()], move |x| x.take(n).sum());
        let few: Vec<u32> = xs[n as usize / 2..].to_vec();
        gives("drop", &xs, &few, move |x| x.take(n).drop(n / 2));
    }
}

#[test]
fn matrices_of_literal_extents() {
    let xs: Vec<u32> = (0..1600).map(|i| i * i % 977).collect();
    let transposed: Vec<u32> = (0..1600).map(|i| xs[i % 40 * 40 + i / 40]).collect();
    gives("transpose", &xs, &transposed, |x| {
        x.reshape((40u32, 40u32)).transpose()
    });
    let mut state = xs.clone();
    for _ in 0..3 {
        state = (0..1600)
            .map(|i| state[i % 40 * 40 + i / 40].wrapping_add(1))
            .collect();
    }
    gives("power", &xs, &state, |x| {
        power(3u32, x.reshape((40u32, 40u32)), |m| {
            m.transpose().map(|x| x + 1)
        })
    });
    let sums: Vec<u32> = xs.chunks(40).map(|row| row.iter().sum()).collect();
    gives("sum", &xs, &sums, |x| x.reshape((40u32, 40u32)).sum());
}

/// An element that no condition leaves is none that a run needs.
#[test]
fn a_guard_that_is_never_true_needs_no_element() {
    let select_few = |x: Arr1<EU32>| {
        let n = x.len();
        generate(n, move |i| {
            let few = i.ge(lit(1600)) & i.lt(lit(1601));
            select(few, x.at(lit(1600)), lit(7))
        })
    };
    gives("few", &[1, 2, 3], &[7, 7, 7], select_few);
    gives("guarded", &[1, 2, 3], &[1, 2, 3], |x: Arr1<EU32>| {
        let n = x.len();
        generate(n, move |i| select(i.lt(lit(1600)), x.at(i), lit(9)))
    });
    let table: Vec<i32> = vec![0, 0, 5];
    gives("signed", &[1, 2, 3], &table, |x: Arr1<EU32>| {
        let n = x.len();
        generate(n, move |i| -> EI32 {
            select(n.gt(lit(100)), x.at(lit(100)).cast::<i32>(), lit(0))
                + select(i.eq(lit(2)), lit(5), lit(0))
        })
    });
}

/// A launch that computes no element asks for no fixed element of an empty array.
#[test]
fn nothing_needs_no_element() {
    gives("first", &[], &[], |x: Arr1<EU32>| {
        let all = x.clone();
        x.map(move |v| v + all.at(0u32))
    });
    let plus: Vec<u32> = vec![6, 7];
    gives("first", &[3, 4], &plus, |x: Arr1<EU32>| {
        let all = x.clone();
        x.map(move |v| v + all.at(0u32))
    });
}
