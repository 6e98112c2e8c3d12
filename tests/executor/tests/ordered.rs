//! Texts whose blocks follow each other: the emitted ones are right in any order of blocks and threads, with any number of real blocks, and
//! what is changed in them is found.

#![allow(missing_docs, clippy::unwrap_used)]

use std::time::Duration;

use obsidian_core::emit::cuda;
use obsidian_core::ir::read;
use obsidian_core::pipeline::{Options, compile};
use obsidian_executor::{Argument, Compiler, Failure, Job, Order, Program, Run, Text, Worker};

/// A kernel whose blocks, of `k` elements of two components each, find what earlier ones have, and its words a block.
struct Case {
    k: u32,
    threads: u32,
    blocks: u32,
}

/// Words of 32 bits of an element: of a `u32` and a `u64`.
const WORDS: u32 = 3;
/// Launches before the one that is looked at, whose words are there.
const LAUNCHES: u64 = 7;

impl Case {
    fn text(&self) -> String {
        let k = self.k;
        let text = format!(
            "kernel f {{ parameter 0 x: u32[length(x)] input parameter 1 y: u64[length(x)] input
              parameter 2 out: u32[length(x)] output parameter 3 found: u64[length(x)] output
              require length(x) multiple_of {k}
              ordered Block b < (length(x) /' {k}_u32) {{
                earlier Block i < {k}_u32 from 5_u32, 9_u64 {{ give x[((b *' {k}_u32) +' i)], y[((b *' {k}_u32) +' i)] }}
                by l m, r s {{ let product = (l * 31_u32) give (product + r), (m + s) }}
                into j < {k}_u32 v w {{ store out[((b *' {k}_u32) +' j)] = v store found[((b *' {k}_u32) +' j)] = w }}
              }} }}"
        );
        let options = Options {
            threads: self.threads,
            ..Options::default()
        };
        cuda(&compile(read(&text).unwrap(), &options).unwrap())
    }

    fn arguments(&self) -> Vec<Argument> {
        let n = self.k * self.blocks;
        let x = (0..n).flat_map(|i| i.wrapping_mul(0x9e37_79b9).to_le_bytes());
        let y = (0..n).flat_map(|i| (u64::from(i) << 30 | 1).to_le_bytes());
        let tables = u64::from(self.blocks + 2 * (self.blocks / 32 + 1));
        let words = 1 + tables * u64::from(WORDS * self.k);
        let order = (0..words).map(|n| match n {
            0 => LAUNCHES << 32,
            n => (0xdead_0000 | n & 0xffff) << 32 | LAUNCHES,
        });
        vec![
            Argument::Input(x.collect()),
            Argument::Input(y.collect()),
            Argument::Output(4 * n as usize),
            Argument::Output(8 * n as usize),
            Argument::Value(n.to_le_bytes().to_vec()),
            Argument::InOut(order.flat_map(u64::to_le_bytes).collect()),
        ]
    }

    /// How many of `runs` random orders give something else than one block after the other gives, until the first one that does; nothing
    /// without a compiler.
    fn wrong(
        &self,
        text: &str,
        expected: Option<&Vec<Vec<u8>>>,
        runs: u32,
    ) -> Option<Result<Vec<Vec<u8>>, String>> {
        let text = Text {
            symbol: "f".to_owned(),
            text: text.to_owned(),
        };
        let program = Program::compile(&Compiler::find()?, &[text]).unwrap();
        let mut worker = Worker::start(&program).unwrap();
        let mut first = expected.cloned();
        for seed in 0..runs {
            let run = match first {
                None => Run {
                    order: Order::Ascending,
                    seed,
                    grid: self.blocks,
                    pattern: 0xa5,
                },
                Some(_) => Run {
                    order: Order::Random,
                    seed,
                    grid: [self.blocks, 2, 1 + seed % self.blocks, 7][seed as usize % 4]
                        .min(self.blocks),
                    pattern: 0x5a,
                },
            };
            let job = Job {
                kernel: 0,
                threads: self.threads,
                limit: Duration::from_secs(20),
                arguments: self.arguments(),
                runs: vec![run],
            };
            let found = match worker.run(&job) {
                Ok(found) => found,
                Err(Failure::Fault { message, .. }) => return Some(Err(message)),
                Err(other) => panic!("{other}"),
            };
            match &first {
                None => first = Some(found),
                Some(first) if *first != found => {
                    return Some(Err(format!("another result, run {seed}")));
                }
                Some(_) => {}
            }
        }
        Some(Ok(first.unwrap()))
    }
}

const BY_LANES: Case = Case {
    k: 2,
    threads: 64,
    blocks: 70,
};
const ALONE: Case = Case {
    k: 34,
    threads: 40,
    blocks: 70,
};
/// More groups than a warp sees at once.
const MANY: Case = Case {
    k: 1,
    threads: 32,
    blocks: 1100,
};

#[test]
fn blocks_find_the_same_in_any_order() {
    for (case, runs) in [(&BY_LANES, 200), (&ALONE, 60), (&MANY, 8)] {
        let Some(result) = case.wrong(&case.text(), None, runs) else {
            return;
        };
        let result = result.unwrap_or_else(|wrong| panic!("{wrong}"));
        // The word of the launch is that of the next one.
        let head = u64::from_le_bytes(result[2][..8].try_into().unwrap());
        assert_eq!(head, (LAUNCHES + 1) << 32);
    }
}

/// What is changed, and how often it stands there; with fewer places left out.
fn changed(text: &str, (from, to): (&str, &str)) -> String {
    assert!(text.contains(from), "`{from}` is not there:\n{text}");
    text.replace(from, to)
}

#[test]
fn each_part_of_how_blocks_follow_each_other_is_needed() {
    let cases: [(&Case, &[(&str, &str)]); 3] = [
        (
            &BY_LANES,
            &[
                (
                    "taken[turn] = take_block(order, blocks);",
                    "taken[turn] = take_block(order, blocks) / 4294967296ull * 4294967296ull | blockIdx.x;",
                ),
                ("if (lane < place) {", "if (lane + 1 < place) {"),
                ("if (__all_sync(0xffffffff, ", "if (__any_sync(0xffffffff, "),
                ("(unsigned int)word == launch && ", ""),
                (" && (unsigned int)word_2 == launch", ""),
                (" && (unsigned int)word_3 == launch", ""),
                ("knows_all = lane == group", "knows_all = lane + 1 == group"),
                (" && (~known & ((1u << nearest) - 1)) == 0", ""),
                ("tell_word(told + ", "tell_word(told + 1 + "),
                ("tell_word(whole + ", "tell_word(sums + "),
                (
                    "(unsigned int)(taken[turn] >> 32) + 1",
                    "(unsigned int)(taken[turn] >> 32)",
                ),
                ("next > 0; next--", "next > 1; next--"),
                ("if (place > 0) {", "if (place > 1) {"),
            ],
        ),
        (
            &ALONE,
            &[
                (
                    "taken[turn] = take_block(order, blocks);",
                    "taken[turn] = take_block(order, blocks) / 4294967296ull * 4294967296ull | blockIdx.x;",
                ),
                ("(unsigned int)word == launch && ", ""),
                (" && (unsigned int)word_3 == launch", ""),
                ("tell_word(told + ", "tell_word(told + 3 + "),
                ("tell_word(whole + ", "tell_word(sums + "),
                ("turn ^= 1;", ""),
                ("if (place > 0) {", "if (place > 1) {"),
            ],
        ),
        (
            &MANY,
            &[
                ("tell_word(sums + ", "tell_word(whole + "),
                (
                    "*head = ((taken >> 32) + 1) << 32;",
                    "*head = (taken >> 32) << 32;",
                ),
            ],
        ),
    ];
    let mut alive = Vec::new();
    for (case, changes) in cases {
        let text = case.text();
        let Some(right) = case.wrong(&text, None, 1) else {
            return;
        };
        let right = right.unwrap_or_else(|wrong| panic!("{wrong}"));
        for change in changes {
            let found = case.wrong(&changed(&text, *change), Some(&right), 200);
            if let Some(Ok(_)) = found {
                alive.push(change.0);
            }
        }
    }
    assert_eq!(alive, Vec::<&str>::new(), "changes that nothing finds");
}
