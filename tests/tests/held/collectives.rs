//! Collectives of many lengths at each level, by simulator, judge and CUDA text, against folds in
//! the order that `obsidian_core::ir::Collective` states.

use obsidian_core::ir::CollectiveOp;
use obsidian_core::ir::read;
use obsidian_core::pipeline::{Options, compile};
use obsidian_executor::Executor;
use obsidian_rt::generated::launch;
use obsidian_rt::{Device, Kernel, Result};
use obsidian_tests::scan_order::scanned;

const LENGTHS: [u32; 8] = [0, 1, 2, 3, 31, 33, 64, 100];
const INPUT: u32 = 100;

/// One unit of a level that does every collective of every length, each to its part of the output.
fn text(level: &str) -> String {
    let unit = match level {
        "Block" => "{",
        "Warp" => "{ distribute Warp w < 1_u32 {",
        _ => "{ forall Block t < 1_u32 {",
    };
    let (mut body, mut at) = (String::new(), 0);
    for (k, (op, n)) in all().enumerate() {
        let (name, results) = (op.name(), op.results(n));
        let (from, operator) = match op {
            CollectiveOp::Sort => ("", format!("(l{k} < r{k})")),
            CollectiveOp::ExclusiveScan => (" from 5_u32", format!("((l{k} * 31_u32) + r{k})")),
            CollectiveOp::Earlier | CollectiveOp::Count { .. } | CollectiveOp::Rank { .. } => {
                unreachable!("they have tests of their own")
            }
            CollectiveOp::Reduce | CollectiveOp::InclusiveScan => {
                ("", format!("((l{k} * 31_u32) + r{k})"))
            }
        };
        body += &format!(
            "{name} {level} i{k} < {n}_u32{from} {{ give x[i{k}] }} by l{k} r{k} {{ give {operator} }}
             into j{k} < {results}_u32 y{k} {{ store out[(j{k} +' {at}_u32)] = y{k} }} "
        );
        at += results;
    }
    let end = if level == "Block" { "}" } else { "} }" };
    format!(
        "kernel collectives_{level} {{ parameter 0 x: u32[{INPUT}_u32] input
         parameter 1 out: u32[{at}_u32] output distribute Block b < 1_u32 {unit} {body} {end} }}"
    )
}

fn all() -> impl Iterator<Item = (CollectiveOp, u32)> {
    let lengths = |op| LENGTHS.map(|n| (op, n));
    CollectiveOp::WITHIN.into_iter().flat_map(lengths)
}

fn f(a: u32, b: u32) -> u32 {
    a.wrapping_mul(31).wrapping_add(b)
}

/// A balanced tree over neighbours; 0 of no elements.
fn tree(list: &[u32]) -> u32 {
    let mut list = list.to_vec();
    while list.len() > 1 {
        let combined = |pair: &[u32]| match pair {
            [a, b] => f(*a, *b),
            other => other[0],
        };
        list = list.chunks(2).map(combined).collect();
    }
    list.first().copied().unwrap_or_default()
}

fn expected(input: &[u32]) -> Vec<u32> {
    let of = |(op, n): (CollectiveOp, u32)| -> Vec<u32> {
        let list = &input[..n as usize];
        match op {
            CollectiveOp::Reduce => (n > 0).then(|| tree(list)).into_iter().collect(),
            CollectiveOp::InclusiveScan => scanned(list, None, f),
            CollectiveOp::ExclusiveScan => scanned(list, Some(&5), f),
            CollectiveOp::Earlier | CollectiveOp::Count { .. } | CollectiveOp::Rank { .. } => {
                unreachable!("they have tests of their own")
            }
            CollectiveOp::Sort => {
                let mut list = list.to_vec();
                list.sort_unstable();
                list
            }
        }
    };
    all().flat_map(of).collect()
}

fn run(kernel: &Kernel, device: &Device, input: &[u32]) -> Result<Vec<u32>> {
    let input = device.upload(input)?;
    let mut outputs = launch(kernel, device, &mut [input.argument()])?;
    outputs.take::<u32>(0)?.to_vec()
}

fn agree(level: &str) {
    let input: Vec<u32> = (0..INPUT)
        .map(|i| i.wrapping_mul(0x9e37_79b9) >> 7)
        .collect();
    let expected = expected(&input);
    let executor = Executor::find();
    for threads in [1, 31, 32, 33, 1023, 1024] {
        let options = Options {
            threads,
            ..Options::default()
        };
        let kernel = read(&text(level)).unwrap_or_else(|error| panic!("{error}"));
        let plan = compile(kernel, &options).unwrap_or_else(|wrong| panic!("{wrong}"));
        let kernel = Kernel::from_plan(plan).unwrap_or_else(|error| panic!("{error}"));
        // The CUDA text is not kept for nvcc, which is run so that spilled registers are errors:
        // these collectives together need more registers than a thread has.
        // Executing a text has to compile it: at two numbers of threads.
        let executed = executor.iter().filter(|_| [33, 1024].contains(&threads));
        let mut devices = vec![
            Device::simulator(),
            obsidian_judge::Judge::default().device(),
        ];
        devices.extend(executed.map(Executor::device));
        for device in devices {
            let found = run(&kernel, &device, &input);
            let found = found.unwrap_or_else(|error| panic!("{}: {error}", device.name()));
            let name = device.name();
            assert_eq!(found, expected, "{level}, {threads} threads, {name}");
        }
    }
}

#[test]
fn of_a_thread() {
    agree("Thread");
}

#[test]
fn of_a_warp() {
    agree("Warp");
}

#[test]
fn of_a_block() {
    agree("Block");
}
