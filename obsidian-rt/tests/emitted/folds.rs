//! Reductions and scans by operators that are exactly associative, which the CPU computes in one loop.

use obsidian_core::ir::read;
use obsidian_core::pipeline::{Options, compile};
use obsidian_rt::generated::launch;
use obsidian_rt::{Buffer, Device, Element};

use super::build::Example;
use super::results::kernel;
use super::simulated::planned;

/// Elements of a block.
const RUN: usize = 100;

const TEXT: &str = "kernel folds {
  parameter 0 x: u32[length(x)] input
  parameter 1 y: f32[length(x)] input
  parameter 2 sums: u32[((length(x) /' 100_u32) *' 100_u32)] output
  parameter 3 least: f32[((length(x) /' 100_u32) *' 100_u32)] output
  parameter 4 reversed: u32[((length(x) /' 100_u32) *' 100_u32)] output
  parameter 5 long: i16[((length(x) /' 100_u32) *' 100_u32)] output
  parameter 6 product: u32[(length(x) /' 100_u32)] output
  parameter 7 greatest: f32[(length(x) /' 100_u32)] output
  parameter 8 all: bool[((length(x) /' 100_u32) *' 10_u32)] output
  parameter 9 words: u64[((length(x) /' 100_u32) *' 10_u32)] output
  require length(x) multiple_of 100
  distribute Block b < (length(x) /' 100_u32) {
    inclusive_scan Block i < 100_u32 { give x[((b *' 100_u32) +' i)] }
    by l r { give (r + l) }
    into j < 100_u32 v { store sums[((b *' 100_u32) +' j)] = (v * 3_u32) }

    let first = y[(b *' 100_u32)]
    exclusive_scan Block i1 < 100_u32 from (first + 1.0_f32) { give y[((b *' 100_u32) +' i1)] }
    by l1 r1 { give min(l1, r1) }
    into j1 < 100_u32 v1 { store least[((b *' 100_u32) +' j1)] = v1 }

    allocate own: u32[100_u32] shared
    forall Block a < 100_u32 { store own[a] = x[((b *' 100_u32) +' a)] }
    inclusive_scan Block i2 < 100_u32 { give own[(99_u32 -' i2)] }
    by l2 r2 { give max(l2, r2) }
    into j2 < 100_u32 v2 { store own[j2] = v2 }
    forall Block c < 100_u32 { store reversed[((b *' 100_u32) +' c)] = own[c] }

    exclusive_scan Block i3 < 100_u32 from -7_i16 {
      let n = x[((b *' 100_u32) +' i3)]
      let m = (((((n * n) + 17_u32) ^ (n >> 3_u32)) * 5_u32) + ((n % 13_u32) * (n / 3_u32)))
      let k = (((((m * m) + 71_u32) ^ (m >> 5_u32)) * 9_u32) + ((m % 11_u32) * (m / 7_u32)))
      give i16((((m + k) * (n | 1_u32)) - ((k ^ n) & 1023_u32)))
    }
    by l3 r3 { give (l3 + r3) }
    into j3 < 100_u32 v3 { store long[((b *' 100_u32) +' j3)] = v3 }

    reduce Block i4 < 100_u32 { give (x[((b *' 100_u32) +' i4)] | 1_u32) }
    by l4 r4 { give (l4 * r4) }
    into j4 < 1_u32 v4 { store product[(b +' j4)] = v4 }
    reduce Block i5 < 100_u32 { give y[((b *' 100_u32) +' i5)] }
    by l5 r5 { give max(l5, r5) }
    into j5 < 1_u32 v5 { store greatest[(b +' j5)] = v5 }
    distribute Warp w < 10_u32 {
      reduce Warp i6 < 10_u32 { give ((x[(((b *' 100_u32) +' (w *' 10_u32)) +' i6)] & 7_u32) != 0_u32) }
      by l6 r6 { give (l6 & r6) }
      into j6 < 1_u32 v6 { store all[(((b *' 10_u32) +' w) +' j6)] = v6 }
    }
    forall Block t < 10_u32 {
      reduce Thread i7 < 10_u32 { give u64(x[(((b *' 100_u32) +' (t *' 10_u32)) +' i7)]) }
      by l7 r7 { give (l7 ^ r7) }
      into j7 < 1_u32 v7 { store words[(((b *' 10_u32) +' t) +' j7)] = v7 }
    }
  }
}";

/// Not checked: that an array is stored to twice is an error of a user, and here the question.
pub fn folds() -> Example {
    let kernel = read(TEXT).unwrap_or_else(|error| panic!("{error}"));
    let options = Options {
        check: false,
        ..Options::default()
    };
    let plan = compile(kernel.clone(), &options).unwrap_or_else(|wrong| panic!("{wrong}"));
    Example {
        kernel,
        interface: plan.interface().unwrap(),
        chunks: Vec::new(),
    }
}

fn numbers() -> (Vec<u32>, Vec<f32>) {
    let mixed = |i: u32| i.wrapping_mul(0x9e37_79b9);
    let float = |i: u32| match i % 23 {
        0 => f32::NAN,
        1 => -0.0,
        2 => 0.0,
        // A block of NaNs alone.
        _ if (300..400).contains(&i) => f32::NAN,
        _ => (mixed(i) as i32) as f32,
    };
    ((0..700).map(mixed).collect(), (0..700).map(float).collect())
}

/// Rust's minimum, with -0 below 0; of a number and NaN it is the number.
fn least(a: f32, b: f32) -> f32 {
    match (a.is_nan(), b.is_nan()) {
        (true, _) => b,
        (_, true) => a,
        _ if a.total_cmp(&b).is_lt() => a,
        _ => b,
    }
}

/// Prefixes of each block: up to each element, or the one before it.
fn scanned<T: Copy>(list: &[T], from: impl Fn(&[T]) -> Option<T>, f: impl Fn(T, T) -> T) -> Vec<T> {
    let blocks = list.chunks(RUN).flat_map(|block| {
        let first = from(block);
        let mut state = first;
        let all = block.iter().map(|x| {
            state = Some(state.map_or(*x, |before| f(before, *x)));
            state
        });
        let after: Vec<T> = all.flatten().collect();
        first.into_iter().chain(after).take(RUN).collect::<Vec<T>>()
    });
    blocks.collect()
}

fn long(n: u32) -> i16 {
    let mixed = |n: u32, (a, s, b, c, d): (u32, u32, u32, u32, u32)| {
        let left = (n.wrapping_mul(n).wrapping_add(a) ^ (n >> s)).wrapping_mul(b);
        left.wrapping_add((n % c).wrapping_mul(n / d))
    };
    let m = mixed(n, (17, 3, 5, 13, 3));
    let k = mixed(m, (71, 5, 9, 11, 7));
    let sum = m.wrapping_add(k).wrapping_mul(n | 1);
    sum.wrapping_sub((k ^ n) & 1023) as i16
}

#[test]
fn one_loop_gives_what_networks_give() {
    let (x, y) = numbers();
    let bits = |list: Vec<f32>| -> Vec<u32> {
        // All NaNs are equal.
        let one = |x: f32| if x.is_nan() { f32::NAN } else { x };
        list.into_iter().map(|x| one(x).to_bits()).collect()
    };
    let sums = scanned(&x, |_| None, u32::wrapping_add);
    let reversed: Vec<u32> = x
        .chunks(RUN)
        .flat_map(|block| block.iter().rev().copied().collect::<Vec<_>>())
        .collect();
    let longs: Vec<i16> = x.iter().copied().map(long).collect();
    let blocks = x.chunks(RUN);
    let product = blocks.map(|block| block.iter().fold(1u32, |a, x| a.wrapping_mul(x | 1)));
    let product: Vec<u32> = product.collect();
    let greatest = y
        .chunks(RUN)
        .map(|block| block.iter().fold(f32::NAN, |a, b| -least(-a, -b)))
        .collect();
    let rows = x.chunks(10);
    let all: Vec<bool> = rows.map(|row| row.iter().all(|x| x & 7 != 0)).collect();
    let rows = x.chunks(10);
    let words = rows.map(|row| row.iter().fold(0, |a, x| a ^ u64::from(*x)));
    let words: Vec<u64> = words.collect();
    let printed = || kernel("planned_folds");
    let mut ways = vec![
        ("printed".to_owned(), printed(), Device::cpu()),
        (
            "in three parts".to_owned(),
            printed(),
            Device::cpu().with_blocks(3),
        ),
    ];
    for threads in [1, 33, 256] {
        let built = || planned("planned_folds", threads);
        ways.push((format!("by columns, {threads}"), built(), Device::cpu()));
        ways.push((
            format!("simulated, {threads}"),
            built(),
            Device::simulator(),
        ));
    }
    for (name, folds, device) in ways {
        let (input, floats) = (device.upload(&x).unwrap(), device.upload(&y).unwrap());
        let arguments = &mut [input.argument(), floats.argument()];
        let mut found = launch(&folds, &device, arguments).unwrap();
        fn list<T: Element>(buffer: obsidian_rt::Result<Buffer<T>>) -> Vec<T> {
            buffer.unwrap().to_vec().unwrap()
        }
        let tripled: Vec<u32> = sums.iter().map(|x| x.wrapping_mul(3)).collect();
        assert_eq!(list(found.take::<u32>(0)), tripled, "{name}");
        let lower = scanned(&y, |block| Some(block[0] + 1.0), least);
        assert_eq!(bits(list(found.take::<f32>(1))), bits(lower), "{name}");
        let upper = scanned(&reversed, |_| None, u32::max);
        assert_eq!(list(found.take::<u32>(2)), upper, "{name}");
        let sums = scanned(&longs, |_| Some(-7), i16::wrapping_add);
        assert_eq!(list(found.take::<i16>(3)), sums, "{name}");
        assert_eq!(list(found.take::<u32>(4)), product, "{name}");
        assert_eq!(
            bits(list(found.take::<f32>(5))),
            bits(Vec::clone(&greatest)),
            "{name}"
        );
        assert_eq!(list(found.take::<bool>(6)), all, "{name}");
        assert_eq!(list(found.take::<u64>(7)), words, "{name}");
    }
}
