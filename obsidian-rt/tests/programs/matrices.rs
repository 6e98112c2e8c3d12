//! `permute` by operators that are no atomic ones, from arrays of each rank into arrays of each rank:
//! beside plain Rust.

use obsidian_rt::arrays::*;
use obsidian_rt::language::{EF32, EI32, EU32, lit};
use obsidian_rt::{Device, Result};

/// Extents of the source and of the target, some of them 0.
const EXTENTS: [([usize; 3], [usize; 3]); 6] = [
    ([0, 3, 2], [2, 3, 4]),
    ([3, 2, 4], [0, 5, 2]),
    ([0, 0, 1], [1, 0, 0]),
    ([1, 1, 1], [1, 1, 1]),
    ([2, 3, 5], [3, 2, 7]),
    ([4, 9, 9], [2, 16, 3]),
];

/// The index of an element of a target, by its number.
macro_rules! place {
    (1, $p:expr, $h:expr, $w:expr) => {
        $p
    };
    (2, $p:expr, $h:expr, $w:expr) => {
        ($p / $w, $p % $w)
    };
    (3, $p:expr, $h:expr, $w:expr) => {
        ($p / ($h * $w), $p / $w % $h, $p % $w)
    };
}

/// The extents of an array of some rank.
macro_rules! shape {
    (1, $d:expr, $h:expr, $w:expr) => {
        $d * $h * $w
    };
    (2, $d:expr, $h:expr, $w:expr) => {
        ($d * $h, $w)
    };
    (3, $d:expr, $h:expr, $w:expr) => {
        ($d, $h, $w)
    };
}

/// The number of an element of a source, by its index.
macro_rules! number {
    (1, $i:expr, $h:expr, $w:expr) => {
        $i
    };
    (2, $i:expr, $h:expr, $w:expr) => {{
        let (y, x) = $i;
        y * $w + x
    }};
    (3, $i:expr, $h:expr, $w:expr) => {{
        let (z, y, x) = $i;
        (z * $h + y) * $w + x
    }};
}

/// The elements of a source, combined into a target that begins with `$start` everywhere.
macro_rules! combined {
    ($T:ty, $t:ty, $f:expr, $start:expr, $from:tt, $to:tt, $host:expr, $value:expr) => {{
        let program = ArrayProgram::build(
            "combined",
            |x: Arr1<$T>, a: EU32, b: EU32, c: EU32, d: EU32, h: EU32, w: EU32| {
                let source = x.reshape(shape!($from, a, b, c));
                let target = fill(shape!($to, d, h, w), $start);
                let all = d * h * w;
                let combined = source.permute($f, target, move |i, _| {
                    let n = number!($from, i, b, c);
                    let p = (n * 7 + 3) % all;
                    (all.gt(0u32) & (n % 5).ne(0u32), place!($to, p, h, w))
                });
                combined.flatten()
            },
        )?;
        for (from, to) in EXTENTS {
            let x: Vec<$t> = (0..from.iter().product()).map($value).collect();
            let all: usize = to.iter().product();
            let start: $t = $host(None, Default::default());
            let mut want = vec![start; all];
            for (n, x) in x.iter().enumerate().filter(|(n, _)| n % 5 != 0 && all > 0) {
                let own = &mut want[(n * 7 + 3) % all];
                *own = $host(Some(*own), *x);
            }
            let [a, b, c] = from.map(|n| n as u32);
            let [d, h, w] = to.map(|n| n as u32);
            for device in [Device::cpu(), Device::simulator()] {
                let x = device.array([x.len()], &x)?;
                let found = program.run(&device, (&x, a, b, c, d, h, w))?;
                let case = format!("{from:?} {to:?} on {}", device.name());
                assert_eq!(found.to_vec()?, want, "{case}");
            }
        }
        Ok(())
    }};
}

/// A test of an operator for each rank of the source and of the target.
macro_rules! operators {
    ($($name:ident: $T:ty, $t:ty, $f:expr, $start:expr, $host:expr, $value:expr;)*) => {
        $(mod $name {
            use super::*;

            operators!(@ $T, $t, $f, $start, $host, $value;
                vector_into_vector 1 1, vector_into_matrix 1 2, vector_into_box 1 3,
                matrix_into_vector 2 1, matrix_into_matrix 2 2, matrix_into_box 2 3,
                box_into_vector 3 1, box_into_matrix 3 2, box_into_box 3 3);
        })*
    };
    (@ $T:ty, $t:ty, $f:expr, $start:expr, $host:expr, $value:expr; $first:ident $a:tt $b:tt, $($rest:tt)*) => {
        operators!(@ $T, $t, $f, $start, $host, $value; $first $a $b);
        operators!(@ $T, $t, $f, $start, $host, $value; $($rest)*);
    };
    (@ $T:ty, $t:ty, $f:expr, $start:expr, $host:expr, $value:expr; $case:ident $from:tt $to:tt) => {
        #[test]
        fn $case() -> Result<()> {
            combined!($T, $t, $f, $start, $from, $to, $host, $value)
        }
    };
}

operators! {
    // Small numbers, whose sums are exact in any order.
    sums_of_floats: EF32, f32, |x, y| x + y, lit(0.5f32),
        |x: Option<f32>, y: f32| x.map_or(0.5, |x| x + y), |i: usize| (i % 13) as f32 - 4.0;
    products: EI32, i32, |x, y| x * y, lit(1i32),
        |x: Option<i32>, y: i32| x.map_or(1, |x| x.wrapping_mul(y)), |i: usize| i as i32 % 7 - 3;
    // Affine functions, one behind the other: not commutative.
    affine: (EU32, EU32), (u32, u32), |x: (EU32, EU32), y: (EU32, EU32)| (x.0 * y.0, x.1 * y.0 + y.1),
        (lit(1u32), lit(0u32)),
        |x: Option<(u32, u32)>, y: (u32, u32)| x.map_or((1, 0), |x| {
            (x.0.wrapping_mul(y.0), x.1.wrapping_mul(y.0).wrapping_add(y.1))
        }),
        |i: usize| (i as u32 % 5 + 1, i as u32);
}
