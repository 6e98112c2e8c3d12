//! The order, as plain Rust, and the simulator.

use crate::ir::{GROUP, read};
use crate::pipeline::{Options, compile};
use crate::plan::Plan;
use crate::scalar::{Literal, ScalarType};
use crate::simulate::{Argument, run};

/// What each block finds of one element, in the order that `CollectiveOp::Earlier` states.
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
    for group in own.chunks(GROUP as usize) {
        for place in 0..group.len() {
            let part = tree(&group[..place]);
            result.push(part.map_or(before, |part| f(before, part)));
        }
        if let (Some(last), Some(part)) = (group.get(31), tree(&group[..group.len() - 1])) {
            before = f(before, f(part, *last));
        }
    }
    result
}

/// A kernel whose blocks store what they find, for `k` elements of components of these types.
fn plan(k: u32, types: &[(&str, &str)], operator: &str, threads: u32) -> Plan {
    let (mut parameters, mut outputs) = (String::new(), String::new());
    let [
        mut gives,
        mut from,
        mut left,
        mut right,
        mut names,
        mut stores,
    ] = [(); 6].map(|()| Vec::new());
    for (n, (ty, initial)) in types.iter().enumerate() {
        parameters += &format!("parameter {n} x{n}: {ty}[length(x0)] input ");
        outputs += &format!(
            "parameter {} out{n}: {ty}[length(x0)] output ",
            n + types.len()
        );
        gives.push(format!("x{n}[((b *' {k}_u32) +' i)]"));
        from.push((*initial).to_owned());
        left.push(format!("l{n}"));
        right.push(format!("r{n}"));
        names.push(format!("v{n}_"));
        stores.push(format!("store out{n}[((b *' {k}_u32) +' j)] = v{n}_"));
    }
    let comma = if types.len() == 1 { "" } else { "," };
    let text = format!(
        "kernel k {{ {parameters} {outputs} require length(x0) multiple_of {k}
          ordered Block b < (length(x0) /' {k}_u32) {{
          earlier Block i < {k}_u32 from {} {{ give {} }} by {}{comma} {} {{ {operator} }}
          into j < {k}_u32 {} {{ {} }} }} }}",
        from.join(", "),
        gives.join(", "),
        left.join(" "),
        right.join(" "),
        names.join(" "),
        stores.join(" "),
    );
    let options = Options {
        threads,
        ..Options::default()
    };
    let kernel = read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    compile(kernel, &options).unwrap_or_else(|e| panic!("{threads}: {e}\n{text}"))
}

/// What a plan's blocks find, with `grid` real blocks.
fn simulated(plan: &Plan, inputs: &[Vec<u64>], grid: u32) -> Vec<Vec<u64>> {
    let mut all: Vec<Vec<u64>> = inputs.to_vec();
    all.extend(inputs.iter().map(|input| vec![0xdead; input.len()]));
    let mut arguments: Vec<_> = all.iter_mut().map(|list| Argument::Array(list)).collect();
    run(plan, &mut arguments, grid).unwrap_or_else(|fault| panic!("{fault}"));
    all.split_off(inputs.len())
}

const BLOCKS: [u32; 9] = [1, 2, 31, 32, 33, 63, 64, 65, 200];

fn mixed(i: u32) -> u32 {
    i.wrapping_mul(0x9e37_79b9) ^ i << 7
}

#[test]
fn blocks_find_what_earlier_ones_have_in_the_stated_order() {
    let operator = "let product = (l0 * 31_u32) give (product + r0)";
    let f = |l: u32, r: u32| l.wrapping_mul(31).wrapping_add(r);
    for (k, threads) in [(1, 32), (1, 33), (3, 64), (3, 1), (40, 256), (40, 20)] {
        let plan = plan(k, &[("u32", "7_u32")], operator, threads);
        for blocks in BLOCKS {
            let input: Vec<u32> = (0..blocks * k).map(mixed).collect();
            let mut expected = vec![0; input.len()];
            for element in 0..k as usize {
                let own: Vec<u32> = input
                    .iter()
                    .skip(element)
                    .step_by(k as usize)
                    .copied()
                    .collect();
                for (block, value) in found(7, &own, f).into_iter().enumerate() {
                    expected[block * k as usize + element] = u64::from(value);
                }
            }
            let bits: Vec<u64> = input.into_iter().map(u64::from).collect();
            for grid in [blocks, 1, blocks.div_ceil(3)] {
                let found = simulated(&plan, std::slice::from_ref(&bits), grid);
                assert_eq!(found[0], expected, "{k} of {blocks} on {threads}, {grid}");
            }
        }
    }
}

#[test]
fn floats_and_pairs_have_the_order_too() {
    let operator = "give (l0 + r0), ((l1 * 1.5_f64) + r1)";
    let plan = plan(2, &[("f32", "0.5_f32"), ("f64", "1_f64")], operator, 64);
    let n = 2 * 130;
    let x: Vec<f32> = (0..n).map(|i| mixed(i) as f32 * 1e-3).collect();
    let y: Vec<f64> = (0..n).map(|i| f64::from(mixed(i + 9)) * 1e-7).collect();
    let bits = [
        x.iter().map(|x| Literal::from(*x).bits()).collect(),
        y.iter().map(|y| Literal::from(*y).bits()).collect(),
    ];
    let results = simulated(&plan, &bits, 130);
    for element in 0..2 {
        let own: Vec<(f32, f64)> = x
            .iter()
            .copied()
            .zip(y.iter().copied())
            .skip(element)
            .step_by(2)
            .collect();
        let expected = found((0.5, 1.0), &own, |l, r| (l.0 + r.0, l.1 * 1.5 + r.1));
        for (block, (first, second)) in expected.into_iter().enumerate() {
            let at = block * 2 + element;
            assert_eq!(
                Literal::from_bits(ScalarType::F32, results[0][at]),
                Literal::from(first)
            );
            assert_eq!(
                Literal::from_bits(ScalarType::F64, results[1][at]),
                Literal::from(second)
            );
        }
    }
}
