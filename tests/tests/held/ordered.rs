//! Ordered loops over blocks: what a block finds of earlier ones is the same on every device, in the order that the IR states.

use obsidian_core::ir::read;
use obsidian_core::pipeline::{Options, compile};
use obsidian_executor::Executor;
use obsidian_rt::generated::launch;
use obsidian_rt::{Device, Kernel};

const GROUP: usize = 32;

/// What each block finds of one element.
fn found<T: Copy>(initial: T, own: &[T], f: impl Fn(T, T) -> T + Copy) -> Vec<T> {
    let tree = |list: &[T]| {
        let mut list = list.to_vec();
        while list.len() > 1 {
            let pairs = list.chunks(2);
            list = pairs
                .map(|pair| pair[1..].iter().fold(pair[0], |l, r| f(l, *r)))
                .collect();
        }
        list.first().copied()
    };
    let (mut before, mut result) = (initial, Vec::new());
    for group in own.chunks(GROUP) {
        for place in 0..group.len() {
            let part = tree(&group[..place]);
            result.push(part.map_or(before, |part| f(before, part)));
        }
        if let (Some(last), Some(part)) = (group.get(GROUP - 1), tree(&group[..group.len() - 1])) {
            before = f(before, f(part, *last));
        }
    }
    result
}

/// A kernel that combines columns of a matrix with `k` columns, block by block of 2 rows: each block finds what those above it have.
fn text(k: u32) -> String {
    format!(
        "kernel k {{ parameter 0 x: u32[length(x)] input parameter 1 y: f64[length(x)] input
          parameter 2 out: u32[(length(x) /' 2_u32)] output
          parameter 3 sums: f64[(length(x) /' 2_u32)] output
          require length(x) multiple_of {}
          ordered Block b < (length(x) /' {}_u32) {{
            allocate pair: u32[{k}_u32] shared
            forall Block i < {k}_u32 {{
              store pair[i] = (x[((b *' {}_u32) +' i)] * x[(((b *' {}_u32) +' {k}_u32) +' i)])
            }}
            wait Block
            earlier Block i < {k}_u32 from 7_u32, 0.5_f64 {{
              give pair[(({k}_u32 -' 1_u32) -' i)], (y[((b *' {}_u32) +' i)] + 1_f64)
            }} by l m, r s {{
              let product = (l * 31_u32)
              give (product + r), (m + (s * 1.5_f64))
            }} into j < {k}_u32 v w {{
              store out[((b *' {k}_u32) +' j)] = (v ^ pair[j])
              store sums[((b *' {k}_u32) +' j)] = w
            }}
          }} }}",
        2 * k,
        2 * k,
        2 * k,
        2 * k,
        2 * k
    )
}

#[test]
fn blocks_find_the_same_on_every_device() {
    let f =
        |(l, m): (u32, f64), (r, s): (u32, f64)| (l.wrapping_mul(31).wrapping_add(r), m + s * 1.5);
    for (k, threads) in [(1, 32), (3, 33), (3, 64), (5, 1), (40, 256)] {
        let options = Options {
            threads,
            ..Options::default()
        };
        let kernel = read(&text(k)).unwrap_or_else(|error| panic!("{error}"));
        let plan = compile(kernel, &options).unwrap_or_else(|wrong| panic!("{wrong}"));
        let kernel = Kernel::from_plan(plan).unwrap_or_else(|error| panic!("{error}"));
        let mut devices = vec![Device::simulator(), Device::cpu()];
        devices.extend(Executor::find().iter().map(Executor::device));
        for blocks in [0, 1, 2, 32, 33, 65, 100] {
            let n = blocks * 2 * k as usize;
            let x: Vec<u32> = (0..n as u32)
                .map(|i| i.wrapping_mul(0x9e37_79b9) >> 7)
                .collect();
            let y: Vec<f64> = (0..n as u32)
                .map(|i| f64::from(i.wrapping_mul(0x9e37_79b9)) * 1e-6)
                .collect();
            let k = k as usize;
            let pair = |block: usize, i: usize| {
                x[block * 2 * k + i].wrapping_mul(x[block * 2 * k + k + i])
            };
            let (mut out, mut sums) = (vec![0; n / 2], vec![0.0; n / 2]);
            for i in 0..k {
                let own: Vec<(u32, f64)> = (0..blocks)
                    .map(|block| (pair(block, k - 1 - i), y[block * 2 * k + i] + 1.0))
                    .collect();
                for (block, (v, w)) in found((7, 0.5), &own, f).into_iter().enumerate() {
                    out[block * k + i] = v ^ pair(block, i);
                    sums[block * k + i] = w;
                }
            }
            for device in &devices {
                let found = (|| {
                    let (x, y) = (device.upload(&x)?, device.upload(&y)?);
                    let mut found = launch(&kernel, device, &mut [x.argument(), y.argument()])?;
                    Ok::<_, obsidian_rt::Error>((
                        found.take::<u32>(0)?.to_vec()?,
                        found.take::<f64>(1)?.to_vec()?,
                    ))
                })();
                let name = device.name();
                let found = found.unwrap_or_else(|error| panic!("{name}: {error}"));
                let wanted = (&out, &sums);
                assert_eq!(
                    (&found.0, &found.1),
                    wanted,
                    "{k} elements of {blocks} blocks on {threads} threads, {name}"
                );
            }
        }
    }
}

/// Two ordered loops and one without an order in one kernel, of different numbers of blocks.
#[test]
fn loops_beside_each_other_have_orders_of_their_own() {
    let one = |counter: &str, from: &str, to: &str, k: u32| {
        format!(
            "ordered Block {counter} < (length({from}) /' {k}_u32) {{
               earlier Block i{counter} < {k}_u32 from 3_u32 {{ give {from}[(({counter} *' {k}_u32) +' i{counter})] }}
               by l{counter} r{counter} {{ give (l{counter} + r{counter}) }}
               into j{counter} < {k}_u32 v_{counter} {{ store {to}[(({counter} *' {k}_u32) +' j{counter})] = v_{counter} }} }}"
        )
    };
    let text = format!(
        "kernel k {{ parameter 0 x: u32[length(x)] input parameter 1 y: u32[length(y)] input
          parameter 2 a: u32[length(x)] output parameter 3 b: u32[length(y)] output parameter 4 c: u32[length(x)] output
          require length(x) multiple_of 2 require length(y) multiple_of 3
          {} {}
          distribute Block g < length(x) {{ forall Block t < 1_u32 {{ store c[g] = (x[g] ^ 5_u32) }} }} }}",
        one("e", "x", "a", 2),
        one("f", "y", "b", 3),
    );
    let options = Options {
        threads: 64,
        ..Options::default()
    };
    let kernel = read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let plan = compile(kernel, &options).unwrap_or_else(|wrong| panic!("{wrong}\n{text}"));
    let kernel = Kernel::from_plan(plan).unwrap_or_else(|error| panic!("{error}"));
    let mut devices = vec![Device::simulator(), Device::cpu()];
    devices.extend(Executor::find().iter().map(Executor::device));
    let sums = |list: &[u32], k: usize| -> Vec<u32> {
        let before = |at: usize| (at % k..at).step_by(k).map(|n| list[n]);
        let one = |at| before(at).fold(3u32, u32::wrapping_add);
        (0..list.len()).map(one).collect()
    };
    for (n, m) in [(2, 3), (70, 300), (300, 66), (2, 600)] {
        let number = |i: u32| i.wrapping_mul(0x9e37_79b9);
        let x: Vec<u32> = (0..n).map(number).collect();
        let y: Vec<u32> = (7..m + 7).map(number).collect();
        let c: Vec<u32> = x.iter().map(|x| x ^ 5).collect();
        for device in &devices {
            let given = [&x, &y].map(|list| device.upload(list).expect("it is uploaded"));
            let [x_, y_] = &given;
            let mut found = launch(&kernel, device, &mut [x_.argument(), y_.argument()])
                .unwrap_or_else(|error| panic!("{}: {error}", device.name()));
            let wanted = [sums(&x, 2), sums(&y, 3), c.clone()];
            for (at, wanted) in wanted.into_iter().enumerate() {
                let got = found.take::<u32>(at).and_then(|got| got.to_vec());
                assert_eq!(
                    got.expect("there is an output"),
                    wanted,
                    "{n}, {m}, output {at} on {}",
                    device.name()
                );
            }
        }
    }
}

/// A block that has nothing to ask for is one of `as_grid_map`; two loops of one number of blocks, which has a name then.
#[test]
fn loops_without_a_question_and_numbers_with_a_name() {
    let text = "kernel k { parameter 0 x: u32[length(x)] input
        parameter 1 a: u32[(length(x) /' 4_u32)] output parameter 2 b: u32[(length(x) /' 4_u32)] output
        parameter 3 c: u32[(length(x) /' 4_u32)] output
        require length(x) multiple_of 4
        ordered Block e < (length(x) /' 4_u32) {
          reduce Block i < 4_u32 { give x[((e *' 4_u32) +' i)] } by l r { give (l + r) } into j < 1_u32 v { store a[e] = v } }
        ordered Block f < (length(x) /' 4_u32) {
          earlier Block i < 1_u32 from 0_u32 { give x[(f *' 4_u32)] } by l r { give (l + r) } into j < 1_u32 v { store b[f] = v } }
        ordered Block g < (length(x) /' 4_u32) {
          earlier Block i < 1_u32 from 9_u32 { give x[((g *' 4_u32) +' 1_u32)] } by l r { give l } into j < 1_u32 v { store c[g] = (v + (length(x) /' 4_u32)) } }
        }";
    let kernel = read(text).unwrap_or_else(|error| panic!("{error}"));
    let plan = compile(kernel, &Options::default()).unwrap_or_else(|wrong| panic!("{wrong}"));
    let kernel = Kernel::from_plan(plan).unwrap_or_else(|error| panic!("{error}"));
    let mut devices = vec![Device::simulator(), Device::cpu()];
    devices.extend(Executor::find().iter().map(Executor::device));
    for blocks in [0, 1, 40] {
        let x: Vec<u32> = (0..4 * blocks).map(|i| i * i + 3).collect();
        let sums: Vec<u32> = x.chunks(4).map(|tile| tile.iter().sum()).collect();
        let firsts = |n: usize| x[..4 * n].iter().step_by(4).sum::<u32>();
        let before: Vec<u32> = (0..blocks as usize).map(firsts).collect();
        for device in &devices {
            let given = device.upload(&x).expect("it is uploaded");
            let mut found = launch(&kernel, device, &mut [given.argument()])
                .unwrap_or_else(|error| panic!("{}: {error}", device.name()));
            let wanted = [
                sums.clone(),
                before.clone(),
                vec![9 + blocks; blocks as usize],
            ];
            for (at, wanted) in wanted.into_iter().enumerate() {
                let got = found.take::<u32>(at).and_then(|got| got.to_vec());
                assert_eq!(
                    got.expect("there is an output"),
                    wanted,
                    "{blocks} blocks, output {at} on {}",
                    device.name()
                );
            }
        }
    }
}

/// Which real block has a virtual one of an ordered loop is not known: an element goes from no loop over blocks to another one.
#[test]
fn nothing_is_in_order_between_an_ordered_loop_and_another_one() {
    let text = |first: &str| {
        format!(
            "kernel k {{ parameter 0 x: u32[length(x)] inout parameter 1 a: u32[(length(x) /' 64_u32)] output
              require length(x) multiple_of 64
              {first} Block b < (length(x) /' 64_u32) {{ forall Block i < 64_u32 {{ store x[((b *' 64_u32) +' i)] = (b ^ i) }} }}
              ordered Block c < (length(x) /' 64_u32) {{
                forall Block t < 64_u32 {{ read own = x[((c *' 64_u32) +' t)] if (own < 0_u32) {{ store x[((c *' 64_u32) +' t)] = 1_u32 }} }}
                earlier Block i < 1_u32 from 0_u32 {{ give c }} by l r {{ give (l + r) }} into j < 1_u32 v {{ store a[c] = v }}
              }} }}"
        )
    };
    for first in ["distribute", "ordered"] {
        let kernel = read(&text(first)).unwrap_or_else(|error| panic!("{error}"));
        let wrong = compile(kernel, &Options::default()).expect_err("they race");
        let said = wrong.to_string();
        assert!(said.contains("unordered-blocks"), "{said}");
    }
}
