//! The bits of folds depend on the elements and their order alone.

use obsidian_rt::Device;
use obsidian_rt::arrays::{Arr2, ArrayProgram};
use obsidian_rt::language::EF32;
use obsidian_rt::sequence::{Sequence, fold, max, min, reduce, sum};

use crate::{devices, floats};

/// The tree as its definition has it: grains of 4,096 folded by an array program each, and pairs of neighbours combined, level by level.
fn by_hand(device: &Device, xs: &[f32]) -> f32 {
    let grain = ArrayProgram::build("grain", |xs: Arr2<EF32>| xs.fold1(|x, y| x + y)).unwrap();
    let one = |xs: &[f32]| {
        let rows = device.array([1, xs.len()], xs).unwrap();
        grain.run(device, &rows).unwrap().to_vec().unwrap()[0]
    };
    // A binary counter: `levels[i]` is the sum of 2^i grains.
    let mut levels: Vec<Option<f32>> = Vec::new();
    for grain in xs.chunks(4096) {
        let (mut carried, mut level) = (one(grain), 0);
        loop {
            if levels.len() <= level {
                levels.push(None);
            }
            match levels[level].take() {
                Some(earlier) => carried += earlier,
                None => {
                    levels[level] = Some(carried);
                    break;
                }
            }
            level += 1;
        }
    }
    let all = levels.into_iter().flatten();
    let total = all.reduce(|later, earlier| earlier + later);
    0.0 + total.unwrap_or(0.0)
}

#[test]
fn sums_have_the_same_bits_for_any_chunks() {
    for n in [0usize, 1, 2, 4095, 4096, 4097, 12_288, 50_000] {
        let xs = floats(n);
        let want = by_hand(&Device::cpu(), &xs);
        for chunk in [
            1usize,
            7,
            1 << 10,
            4096,
            5000,
            8192,
            1 << 20,
            n.max(1),
            n + 1,
        ] {
            // One launch an element takes long.
            if n / chunk > 300 {
                continue;
            }
            let run = Sequence::slice(&xs).sum().chunk(chunk).run(&Device::cpu());
            assert_eq!(
                run.unwrap().to_bits(),
                want.to_bits(),
                "{n} in chunks of {chunk}"
            );
            // From a thread, in a vector of the run.
            let own = Sequence::from_iter(xs.clone()).sum().chunk(chunk);
            assert_eq!(own.run(&Device::cpu()).unwrap().to_bits(), want.to_bits());
        }
        let chosen = Sequence::slice(&xs).sum().run(&Device::cpu()).unwrap();
        assert_eq!(chosen.to_bits(), want.to_bits());
    }
}

#[test]
fn many_grains_are_a_balanced_tree() {
    // More grains than wait at once, and the simulator, whose folds have the order of the CPU.
    let xs = floats((1 << 23) + 4096 * 3 + 5);
    let want = by_hand(&Device::cpu(), &xs);
    for chunk in [1 << 14, (1 << 20) + 1] {
        let sum = Sequence::slice(&xs)
            .sum()
            .chunk(chunk)
            .run(&Device::cpu())
            .unwrap();
        assert_eq!(sum.to_bits(), want.to_bits());
    }
    let few = &xs[..20_000];
    let of = |device: &Device| Sequence::slice(few).sum().chunk(6000).run(device).unwrap();
    let [cpu, simulator] = devices().map(|device| of(&device));
    assert_eq!(cpu.to_bits(), by_hand(&Device::cpu(), few).to_bits());
    assert_eq!(
        simulator.to_bits(),
        by_hand(&Device::simulator(), few).to_bits()
    );
}

#[test]
fn filters_do_not_change_the_bits() {
    let xs = floats(30_000);
    let kept: Vec<f32> = xs.iter().copied().filter(|x| *x > 4000.0).collect();
    let want = by_hand(&Device::cpu(), &kept);
    for chunk in [100usize, 999, 4096, 9000, 1 << 15] {
        let filtered = Sequence::slice(&xs).filter(|x| x.gt(4000.0));
        let sum = filtered.sum().chunk(chunk).run(&Device::cpu()).unwrap();
        assert_eq!(sum.to_bits(), want.to_bits(), "chunks of {chunk}");
    }
}

#[test]
fn order_and_initial_values_are_kept() {
    // Composition of maps x -> a x + b modulo 2^32: associative, not commutative.
    let maps: Vec<(u32, u32)> = (0..20_000u32).map(|i| (i.wrapping_mul(7) | 1, i)).collect();
    let want = maps.iter().fold((3u32, 5u32), |(a, b), (c, d)| {
        (a.wrapping_mul(*c), b.wrapping_mul(*c).wrapping_add(*d))
    });
    for device in devices() {
        for chunk in [333usize, 4096, 10_000, 20_000] {
            let composed = Sequence::slice(&maps)
                .consume(fold(|(a, b), (c, d)| (a * c, b * c + d), (3, 5)))
                .chunk(chunk);
            assert_eq!(composed.run(&device).unwrap(), want);
        }
    }
}

#[test]
fn consumers_of_one_run_give_what_they_give_alone() {
    let mut xs = floats(9000);
    xs[77] = f32::NAN;
    xs[4099] = -0.0;
    for chunk in [1000usize, 4096, 9001] {
        let all = Sequence::slice(&xs)
            .consume((sum(), max(), min(), reduce(|x: EF32, y| y.max(x))))
            .chunk(chunk);
        let (total, largest, smallest, same) = all.run(&Device::cpu()).unwrap();
        assert!(total.is_nan());
        let numbers = || xs.iter().copied().filter(|x| !x.is_nan());
        assert_eq!(largest, numbers().reduce(f32::max));
        assert_eq!((smallest, same), (numbers().reduce(f32::min), largest));
    }
    let nothing = Sequence::slice(&[0u32; 0]).consume((sum(), max(), min()));
    assert_eq!(nothing.run(&Device::cpu()).unwrap(), (0, None, None));
    // Of two folds, one has elements, and the other none.
    let xs = Sequence::generate(5000, |i| i as u32);
    let none = xs.clone().filter(|x| x.gt(u32::MAX - 1)).max();
    assert_eq!(
        none.and(xs.max()).run(&Device::cpu()).unwrap(),
        (None, Some(4999))
    );
}
