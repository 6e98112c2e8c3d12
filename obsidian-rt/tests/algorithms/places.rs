//! Elements at other places.

use obsidian_rt::algorithms::Edge::{self, Clamp, Constant, Mirror, Wrap};
use obsidian_rt::arrays::ArrayView;
use obsidian_rt::{Device, ErrorKind, algorithms};

use crate::common::{LENGTHS, Random, each};

#[test]
fn gather_takes_by_number() {
    each(&LENGTHS, |device, n| {
        let mut random = Random::new(n as u64);
        let xs: Vec<(f32, bool)> = (0..n.div_ceil(3)).map(|i| (i as f32, i % 2 == 0)).collect();
        let numbers: Vec<u32> = (0..n)
            .map(|_| random.below(xs.len() as u64) as u32)
            .collect();
        let want: Vec<_> = numbers.iter().map(|i| xs[*i as usize]).collect();
        let given = device.array([xs.len()], &xs).unwrap();
        assert_eq!(
            algorithms::gather(device, &numbers, &given)
                .unwrap()
                .to_vec()
                .unwrap(),
            want
        );
        let mut result = device.array([n], &vec![(-1.0f32, true); n]).unwrap();
        algorithms::gather_into(device, &numbers, &given, &mut result).unwrap();
        assert_eq!(result.to_vec().unwrap(), want);
    });
}

#[test]
fn a_number_outside_is_a_fault() {
    for device in [Device::cpu(), Device::simulator()] {
        let got =
            algorithms::gather(&device, &[0u32, 3], &[1u8, 2, 3]).and_then(|made| made.to_vec());
        assert_eq!(got.unwrap_err().kind(), ErrorKind::Fault);
        let got = algorithms::gather(&device, &[0u32], &[0u8; 0]).and_then(|made| made.to_vec());
        assert_eq!(got.unwrap_err().kind(), ErrorKind::Fault);
    }
}

const SHAPES: [(usize, usize); 8] = [
    (0, 0),
    (0, 3),
    (3, 0),
    (1, 1),
    (2, 31),
    (33, 5),
    (64, 40),
    (257, 129),
];

fn on_shapes(test: impl Fn(&Device, usize, usize)) {
    for (h, w) in SHAPES {
        test(&Device::cpu(), h, w);
        if h * w < 3000 {
            test(&Device::simulator(), h, w);
        }
    }
}

#[test]
fn transpose_makes_columns_rows() {
    on_shapes(|device, h, w| {
        let m: Vec<u64> = (0..(h * w) as u64).map(|i| i * 7 + 1).collect();
        let want: Vec<u64> = (0..h * w).map(|i| m[(i % h) * w + i / h]).collect();
        let given = device.array([h, w], &m).unwrap();
        let t = algorithms::transpose(device, &given).unwrap();
        assert_eq!((t.extents(), t.to_vec().unwrap()), ([w, h], want.clone()));
        let buffer = device.upload(&m).unwrap();
        let mut result = device.array([w, h], &vec![0u64; h * w]).unwrap();
        algorithms::transpose_into(device, ArrayView::of(&buffer, [h, w]).unwrap(), &mut result)
            .unwrap();
        assert_eq!(result.to_vec().unwrap(), want);
        if h != w {
            let mut other = device.array([h, w], &vec![0u64; h * w]).unwrap();
            let error = algorithms::transpose_into(device, &given, &mut other).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::UnequalLengths);
        }
    });
}

/// The index of a neighbour on an axis, or none for what is outside.
fn neighbour(boundary: &Edge<i32>, i: i64, n: i64) -> Option<usize> {
    let at = match boundary {
        _ if (0..n).contains(&i) => i,
        Edge::Clamp => i.clamp(0, n - 1),
        Edge::Wrap => i.rem_euclid(n),
        Edge::Mirror if i < 0 => (-i).min(n - 1),
        Edge::Mirror => (2 * (n - 1) - i).max(0),
        Edge::Constant(_) => return None,
    };
    Some(at as usize)
}

#[test]
fn stencils_at_each_boundary() {
    on_shapes(|device, h, w| {
        let mut random = Random::new((h * w) as u64);
        let m: Vec<i32> = (0..h * w).map(|_| random.bits() as i32).collect();
        let given = device.array([h, w], &m).unwrap();
        for boundary in [Clamp, Wrap, Mirror, Constant(-3), Constant(8)] {
            let at = |y: i64, x: i64| {
                let place =
                    neighbour(&boundary, y, h as i64).zip(neighbour(&boundary, x, w as i64));
                match (place, &boundary) {
                    (Some((y, x)), _) => m[y * w + x],
                    (None, Constant(outside)) => *outside,
                    _ => panic!("no place"),
                }
            };
            let mut want = Vec::new();
            for y in 0..h as i64 {
                want.extend((0..w as i64).map(|x| {
                    at(y - 1, x)
                        .wrapping_mul(2)
                        .wrapping_add(at(y, x + 2))
                        .wrapping_sub(at(y + 1, x - 1))
                }));
            }
            let f = |w: obsidian_rt::arrays::Window<_, obsidian_rt::language::EI32>| {
                w.at((-1, 0)) * 2 + w.at((0, 2)) - w.at((1, -1))
            };
            let got = algorithms::stencil2(device, &given, boundary, f).unwrap();
            assert_eq!(
                (got.extents(), got.to_vec().unwrap()),
                ([h, w], want.clone())
            );
            let mut result = device.array([h, w], &vec![1; h * w]).unwrap();
            algorithms::stencil2_into(device, &given, boundary, f, &mut result).unwrap();
            assert_eq!(result.to_vec().unwrap(), want);
        }
    });
}

#[test]
fn scatter_puts_the_last_one_at_its_place() {
    each(&[0, 1, 2, 33, 1000, 8193], |device, n| {
        let mut random = Random::new(n as u64);
        let room = n / 2 + 1;
        let xs: Vec<(u32, bool)> = (0..n as u32).map(|i| (i * 3, i % 2 == 0)).collect();
        let places: Vec<u32> = (0..n).map(|_| random.below(room as u64) as u32).collect();
        let defaults: Vec<(u32, bool)> = (0..room as u32).map(|i| (i + 7, false)).collect();
        let mut want = defaults.clone();
        for (x, place) in xs.iter().zip(&places) {
            want[*place as usize] = *x;
        }
        let given = device.array([n], &xs).unwrap();
        let defaults = device.array([room], &defaults).unwrap();
        let got = algorithms::scatter(device, &given, &places, &defaults).unwrap();
        assert_eq!(got.to_vec().unwrap(), want);
        let mut result = device.array([room], &vec![(1, true); room]).unwrap();
        algorithms::scatter_into(device, &given, &places, &defaults, &mut result).unwrap();
        assert_eq!(result.to_vec().unwrap(), want);
    });
    for device in [Device::cpu(), Device::simulator()] {
        let got = algorithms::scatter(&device, &[1u32], &[2u32], &[0u32; 2]);
        let error = got.and_then(|got| got.to_vec()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Fault);
        let error = algorithms::scatter(&device, &[1u32], &[0u32; 2], &[0u32; 2]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::UnequalLengths);
    }
}
