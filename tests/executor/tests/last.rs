//! Texts whose last block reads what all others have written: right in any order of blocks and threads, with any number of real blocks, and
//! what is changed in them is found.

#![allow(missing_docs, clippy::unwrap_used)]

use std::time::Duration;

use obsidian_core::emit::cuda;
use obsidian_core::ir::read;
use obsidian_core::pipeline::{Options, compile};
use obsidian_executor::{Argument, Compiler, Failure, Job, Order, Program, Run, Text, Worker};

/// Virtual blocks, each of which tells 8 numbers.
const BLOCKS: u32 = 21;

fn text(threads: u32) -> String {
    let text = "kernel f { parameter 0 x: u32[length(x)] input parameter 1 parts: u32[(length(x) *' 8_u32)] inout
        parameter 2 out: u32[9_u32] output
        distribute Block b < length(x) { forall Block i < 8_u32 { store parts[((b *' 8_u32) +' i)] = (x[b] * i) } }
        last Block one < 1_u32 {
          forall Block t < 9_u32 {
            cell sum = 0_u32
            for sequential Thread j in 0_u32 .. (length(x) *' 8_u32) step 1_u32 {
              read v = parts[j] get s = sum if ((j % 9_u32) == t) { assign sum = (s + v) }
            }
            get all = sum store out[t] = all
          }
        } }";
    let options = Options {
        threads,
        ..Options::default()
    };
    cuda(&compile(read(text).unwrap(), &options).unwrap())
}

fn arguments() -> Vec<Argument> {
    let x = (0..BLOCKS).flat_map(|i| (i + 1).wrapping_mul(0x9e37_79b9).to_le_bytes());
    vec![
        Argument::Input(x.collect()),
        Argument::InOut(vec![0x77; 4 * 8 * BLOCKS as usize]),
        Argument::Output(36),
        Argument::Value(BLOCKS.to_le_bytes().to_vec()),
        // The word in which blocks count.
        Argument::InOut(vec![0; 8]),
    ]
}

/// What each of some random orders gives; nothing without a compiler.
fn found(threads: u32, text: &str, runs: u32) -> Option<Vec<Result<Vec<Vec<u8>>, String>>> {
    let text = Text {
        symbol: "f".to_owned(),
        text: text.to_owned(),
    };
    let program = Program::compile(&Compiler::find()?, &[text]).unwrap();
    let mut worker = Worker::start(&program).unwrap();
    let mut all = Vec::new();
    for seed in 0..runs {
        let job = Job {
            kernel: 0,
            threads,
            limit: Duration::from_secs(20),
            arguments: arguments(),
            runs: vec![Run {
                order: Order::Random,
                seed,
                grid: [BLOCKS, 1, 2, 7, 64][seed as usize % 5],
                pattern: 0xa5,
            }],
        };
        all.push(match worker.run(&job) {
            Ok(found) => Ok(found),
            Err(Failure::Fault { message, .. }) => Err(message),
            Err(other) => panic!("{other}"),
        });
    }
    Some(all)
}

#[test]
fn the_last_block_sees_what_all_have_written() {
    let mut sums = [0u32; 9];
    for j in 0..8 * BLOCKS {
        let part = (j / 8 + 1).wrapping_mul(0x9e37_79b9).wrapping_mul(j % 8);
        sums[j as usize % 9] = sums[j as usize % 9].wrapping_add(part);
    }
    let sums: Vec<u8> = sums.iter().flat_map(|sum| sum.to_le_bytes()).collect();
    for threads in [1, 32, 40, 128] {
        let Some(all) = found(threads, &text(threads), 20) else {
            println!("skipped: texts of the last block, because there is no g++");
            return;
        };
        for one in all {
            let buffers = one.unwrap();
            assert!(buffers.contains(&sums), "{threads} {buffers:?}");
            assert!(buffers.contains(&vec![0; 8]), "the word is left as it was");
        }
    }
}

/// Another block than the last one would read what is not there yet.
#[test]
fn another_block_than_the_last_one_is_found_out() {
    let (text, threads) = (text(32), 32);
    let last = "== gridDim.x - 1";
    assert_eq!(text.matches(last).count(), 1, "{text}");
    let waits = ["__syncthreads();", "__syncwarp(0xffffffff);"];
    let no_waits = waits
        .iter()
        .fold(text.clone(), |text, wait| text.replace(wait, ""));
    for other in [text.replace(last, "== 0"), no_waits] {
        let Some(all) = found(threads, &other, 200) else {
            return;
        };
        let first = all[0].clone();
        assert!(
            other != text && all.iter().any(|one| one.is_err() || *one != first),
            "{other}"
        );
    }
}
