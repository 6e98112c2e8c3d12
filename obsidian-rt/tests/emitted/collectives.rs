//! Collectives at every level and held arrays, as `plan::lowering` leaves them to both emitters.

use obsidian_core::ir::read;
use obsidian_core::pipeline::{Options, compile};
use obsidian_core::scalar::ScalarType;
use obsidian_rt::Device;
use obsidian_rt::generated::launch;

use super::build::Example;
use super::results::kernel;

const TEXT: &str = "kernel collectives {
  parameter 0 x: u32[length(x)] input
  parameter 1 total: u32[(length(x) /' 100_u32)] output
  parameter 2 before: u32[((length(x) /' 100_u32) *' 100_u32)] output
  parameter 3 sorted: u32[((length(x) /' 100_u32) *' 100_u32)] output
  parameter 4 rows: u32[((length(x) /' 100_u32) *' 10_u32)] output
  require length(x) multiple_of 100
  distribute Block b < (length(x) /' 100_u32) {
    allocate prefixes: u32[100_u32] held
    inclusive_scan Block i < 100_u32 { give x[((b *' 100_u32) +' i)] }
    by l r { give ((l * 31_u32) + r) }
    into j < 100_u32 v { store prefixes[j] = v }
    reduce Block i1 < 100_u32 { give prefixes[i1] }
    by l1 r1 { let product = (l1 * 31_u32) give (product - r1) }
    into j1 < 1_u32 v1 { store total[(b +' j1)] = v1 }
    exclusive_scan Block i2 < 100_u32 from b { give prefixes[i2] }
    by l2 r2 { give (l2 - r2) }
    into j2 < 100_u32 v2 { store before[((b *' 100_u32) +' j2)] = v2 }
    distribute Warp w < 10_u32 {
      allocate own: u32[10_u32] held
      forall Warp a < 10_u32 { store own[a] = x[(((b *' 100_u32) +' (w *' 10_u32)) +' a)] }
      sort Warp i3 < 10_u32 { give own[(i3 ^ 1_u32)] }
      by l3 r3 { give (l3 < r3) }
      into j3 < 10_u32 v3 { store sorted[(((b *' 100_u32) +' (w *' 10_u32)) +' j3)] = v3 }
    }
    forall Block t < 10_u32 {
      reduce Thread i4 < 10_u32 { give x[(((b *' 100_u32) +' (t *' 10_u32)) +' i4)] }
      by l4 r4 { give (l4 - r4) }
      into j4 < 1_u32 v4 { store rows[(((b *' 10_u32) +' t) +' j4)] = v4 }
    }
  }
}";

/// The checks accept all of it, and no index is vouched for.
pub fn collectives() -> Example {
    let kernel = read(TEXT).unwrap_or_else(|error| panic!("{error}"));
    let plan = compile(kernel.clone(), &Options::default());
    let plan = plan.unwrap_or_else(|wrong| panic!("{wrong}"));
    Example {
        kernel,
        interface: plan.interface().unwrap(),
        chunks: Vec::new(),
    }
}

pub const TYPES: [ScalarType; 4] = [ScalarType::U32; 4];

pub fn numbers() -> Vec<u32> {
    (0..700u32)
        .map(|i| i.wrapping_mul(0x9e37_79b9) >> 20)
        .collect()
}

/// A balanced tree over neighbours.
fn tree(list: &[u32], f: impl Fn(u32, u32) -> u32) -> u32 {
    let mut list = list.to_vec();
    while list.len() > 1 {
        let pairs = list.chunks(2);
        list = pairs
            .map(|pair| pair[1..].iter().fold(pair[0], |a, b| f(a, *b)))
            .collect();
    }
    list[0]
}

/// The first elements of a scan of at most 256, behind what stands in front of all: the tree over whole runs of 32, and that over what is left.
fn prefix(initial: Option<u32>, list: &[u32], f: impl Fn(u32, u32) -> u32 + Copy) -> u32 {
    let (whole, rest) = list.split_at(list.len() / 32 * 32);
    let runs: Vec<u32> = whole.chunks(32).map(|run| tree(run, f)).collect();
    let before = (!runs.is_empty()).then(|| tree(&runs, f));
    let rest = (!rest.is_empty()).then(|| tree(rest, f));
    let parts = [initial, before, rest].into_iter().flatten();
    parts.reduce(f).unwrap()
}

fn expected() -> [Vec<u32>; 4] {
    let numbers = numbers();
    let [mut total, mut before] = [Vec::new(), Vec::new()];
    for (b, block) in (0..).zip(numbers.chunks(100)) {
        let scanned = |a: u32, b: u32| a.wrapping_mul(31).wrapping_add(b);
        // An element that ends a run is the last one of its tree.
        let inclusive = |j: usize| {
            let (before, run) = block[..=j].split_at(j / 32 * 32);
            let own = tree(run, scanned);
            match before {
                [] => own,
                before => scanned(prefix(None, before, scanned), own),
            }
        };
        let prefixes: Vec<u32> = (0..100).map(inclusive).collect();
        total.push(tree(&prefixes, |a, b| a.wrapping_mul(31).wrapping_sub(b)));
        before.extend((0..100).map(|j| prefix(Some(b), &prefixes[..j], u32::wrapping_sub)));
    }
    let sorted = numbers.chunks(10).flat_map(|row| {
        let mut row = row.to_vec();
        row.sort_unstable();
        row
    });
    let rows = numbers.chunks(10).map(|row| tree(row, u32::wrapping_sub));
    [total, before, sorted.collect(), rows.collect()]
}

#[test]
fn the_cpu_combines_in_the_stated_order() {
    for name in ["collectives", "planned_collectives"] {
        for device in [Device::cpu(), Device::cpu().with_blocks(3)] {
            let input = device.upload(&numbers()).unwrap();
            let mut outputs = launch(&kernel(name), &device, &mut [input.argument()]).unwrap();
            for (n, expected) in expected().into_iter().enumerate() {
                let output = outputs.take::<u32>(n).unwrap().to_vec().unwrap();
                assert_eq!(output, expected, "{name}, output {n}");
            }
        }
    }
}
