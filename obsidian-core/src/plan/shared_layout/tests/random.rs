//! Random kernels, whose plans of memory are held to a rule that is written from the definition.
//!
//! The rule knows neither `liveness` nor the offsets' making. It follows the levelled kernel along
//! random ways through its branches, each loop two rounds, and notes when each array is mentioned.
//! A `ForAll` is one moment, as nothing orders its threads. From its first to its last mention an
//! array's bytes are nobody else's; each `Allocate` that is passed begins another life. Warps are
//! in no order with each other: the copies of different warps never meet, whatever their arrays,
//! and an array of the block that is mentioned in a loop over warps is needed during all of it.
//!
//! 500 kernels in an ordinary run; 100,000 of them: `OBSIDIAN_FULL=1 cargo test --release -p
//! obsidian-core --lib random_plans`.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::*;
use crate::ir::{Level, LevelledLoop, Lowered, Statement};

/// Makes the text of random lists at a level.
struct Writer {
    random: StdRng,
    text: String,
    number: u32,
}

impl Writer {
    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.random.random_range(0..list.len())]
    }

    /// A value of type `u32` made of arrays that may be read.
    fn value(&mut self, known: &[(u32, u32)], index: &str) -> String {
        let mut text = "1_u32".to_owned();
        for _ in 0..self.random.random_range(0..3) {
            if !known.is_empty() {
                let (array, length) = self.pick(known);
                text = format!("({text} + u32(s{array}[({index} %' {length}_u32)]))");
            }
        }
        text
    }

    fn list(&mut self, level: &str, depth: u32, known: &[(u32, u32)]) {
        let mut known = known.to_vec();
        for _ in 0..self.random.random_range(1..6) {
            self.number += 1;
            let (n, choice) = (self.number, self.random.random_range(0..10));
            match choice {
                0..=3 => {
                    let (ty, length) = (
                        self.pick(&["u8", "u16", "u32", "u64", "f64"]),
                        self.pick(&[1, 2, 7, 31, 32, 33, 64, 100, 300]),
                    );
                    let value = self.value(&known, &format!("i{n}"));
                    self.text += &format!("allocate s{n}: {ty}[{length}_u32] shared ");
                    // What comes between an array and its first mention needs none of its memory.
                    if depth > 0 && self.random.random_bool(0.2) {
                        self.list(level, depth - 1, &known);
                    }
                    self.text += &format!(
                        "forall {level} i{n} < {length}_u32 {{ store s{n}[i{n}] = {ty}({value}) }} wait {level} "
                    );
                    known.push((n, length));
                }
                4 | 5 => {
                    let value = self.value(&known, &format!("i{n}"));
                    self.text +=
                        &format!("forall {level} i{n} < 8_u32 {{ store out[i{n}] = {value} }} ");
                }
                6 if depth > 0 => {
                    self.text +=
                        &format!("for sequential {level} k{n} in 0_u32 .. 3_u32 step 1_u32 {{ ");
                    self.list(level, depth - 1, &known);
                    self.text += "} ";
                }
                7 | 8 if depth > 0 => {
                    let value = self.value(&known, "0_u32");
                    self.text += &format!("if ({value} == 1_u32) {{ ");
                    self.list(level, depth - 1, &known);
                    self.text += "} else { ";
                    self.list(level, depth - 1, &known);
                    self.text += "} ";
                }
                9 if depth > 0 && level == "Block" => {
                    let count = self.random.random_range(1..7);
                    self.text += &format!("distribute Warp w{n} < {count}_u32 {{ ");
                    self.list("Warp", depth - 1, &known);
                    self.text += "} ";
                }
                _ => {}
            }
        }
    }
}

/// One life of an array.
#[derive(Clone, Copy, Debug)]
struct Span {
    array: ArrayId,
    first: u32,
    last: u32,
    /// The pass through a loop over warps that it was begun in.
    pass: Option<u32>,
    /// How many warps have a copy.
    copies: u32,
}

/// One way through a kernel.
struct Way<'k> {
    kernel: &'k Kernel<Lowered>,
    random: StdRng,
    now: u32,
    spans: Vec<Span>,
    /// The beginning of the present pass through a loop over warps, and how many real ones take
    /// part.
    pass: Option<(u32, u32)>,
    warps: u32,
}

impl Way<'_> {
    fn mention(&mut self, array: ArrayId) {
        let now = self.now;
        let Some(span) = self.spans.iter_mut().rev().find(|span| span.array == array) else {
            return;
        };
        // An array of the block, in a loop over warps: from the loop's beginning.
        let from = match (span.pass, self.pass) {
            (None, Some((start, _))) => start,
            _ => now,
        };
        span.first = span.first.min(from);
        span.last = span.last.max(now);
    }

    fn list(&mut self, list: &[Statement<Lowered>]) {
        list.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Statement<Lowered>) {
        self.now += 1;
        if let Statement::Allocate { array, .. } = statement {
            let (pass, copies) = (
                self.pass.map(|(start, _)| start),
                self.pass.map_or(1, |(_, copies)| copies),
            );
            return self.spans.push(Span {
                array: *array,
                first: u32::MAX,
                last: 0,
                pass,
                copies,
            });
        }
        let nodes = &self.kernel.tables.nodes;
        if let Statement::Loop {
            kind: LevelledLoop::ForAll(_),
            ..
        } = statement
        {
            let mut mentioned = Vec::new();
            statement.visit(&mut |s| mentioned.extend(s.mentions(nodes)));
            return mentioned.into_iter().for_each(|array| self.mention(array));
        }
        statement
            .mentions(nodes)
            .into_iter()
            .for_each(|array| self.mention(array));
        match statement {
            Statement::If {
                then, otherwise, ..
            } => {
                let list = if self.random.random_bool(0.5) {
                    then
                } else {
                    otherwise
                };
                self.list(list);
            }
            Statement::Loop {
                kind: LevelledLoop::Distribute(Level::Warp),
                bounds: [count],
                body,
                ..
            } => {
                let count = nodes.literal(*count).unwrap().u32();
                self.warps(body, count.min(self.warps));
            }
            _ => statement
                .lists()
                .into_iter()
                .for_each(|list| [list, list].into_iter().for_each(|list| self.list(list))),
        }
    }

    fn warps(&mut self, body: &[Statement<Lowered>], copies: u32) {
        let start = self.now;
        self.pass = Some((start, copies));
        let before = self.spans.len();
        (0..2).for_each(|_| self.list(body));
        self.now += 1;
        self.pass = None;
        let now = self.now;
        let of_block = self
            .spans
            .iter_mut()
            .take(before)
            .filter(|span| span.pass.is_none());
        of_block
            .filter(|span| span.last >= start && span.first <= span.last)
            .for_each(|span| span.last = now);
    }
}

/// The bytes of one copy of an array in one life.
struct Bytes<'s> {
    start: u32,
    end: u32,
    copy: u32,
    span: &'s Span,
}

/// Two arrays that are needed at once and share a byte.
fn overlap(
    kernel: &Kernel<Lowered>,
    map: &SharedMap,
    spans: &[Span],
) -> Option<(ArrayId, ArrayId)> {
    let mut all: Vec<Bytes<'_>> = Vec::new();
    for span in spans.iter().filter(|span| span.first <= span.last) {
        let (array, slot) = (
            &kernel.tables.arrays[span.array.0 as usize],
            map.slots[&span.array],
        );
        let length = kernel.tables.nodes.literal(array.length).unwrap().u32() * array.ty.bytes();
        for copy in 0..span.copies {
            let start = slot.offset + copy * slot.stride;
            assert!(
                start + length <= map.bytes,
                "an array lies outside of the memory"
            );
            all.push(Bytes {
                start,
                end: start + length,
                copy,
                span,
            });
        }
    }
    all.sort_by_key(|bytes| bytes.start);
    for (n, a) in all.iter().enumerate() {
        for b in all[n + 1..].iter().take_while(|b| b.start < a.end) {
            let together = a.span.first <= b.span.last && b.span.first <= a.span.last;
            // While a warp is in one pass, so may any other be, at any place of it.
            let other_warp =
                a.span.pass.is_some() && a.span.pass == b.span.pass && a.copy != b.copy;
            if together || other_warp {
                return Some((a.span.array, b.span.array));
            }
        }
    }
    None
}

/// How many arrays of a random kernel share memory with another one.
fn hold(seed: u64) -> usize {
    let mut writer = Writer {
        random: StdRng::seed_from_u64(seed),
        text: String::new(),
        number: 0,
    };
    writer.list("Block", 3, &[]);
    let threads = writer.pick(&[1, 5, 31, 32, 33, 64, 96, 100, 128, 256, 1000]);
    let text = format!(
        "kernel k {{ parameter 0 out: u32[64_u32] output distribute Block b < 3_u32 {{ {} }} }}",
        writer.text
    );
    let kernel = read(&text).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
    let lives = liveness(&kernel);
    let limits = Limits {
        shared_bytes: u32::MAX,
        ..Limits::from(threads)
    };
    let physical = virtualise(kernel.clone(), threads);
    let map =
        shared_layout(&physical, &lives, limits).unwrap_or_else(|e| panic!("seed {seed}: {e:?}"));
    for way in 0..4 {
        let random = StdRng::seed_from_u64(seed ^ (way << 40));
        let mut way = Way {
            kernel: &kernel,
            random,
            now: 0,
            spans: Vec::new(),
            pass: None,
            warps: physical.warps(),
        };
        way.list(&kernel.body);
        if let Some((a, b)) = overlap(&kernel, &map, &way.spans) {
            let name = |id: ArrayId| &kernel.tables.arrays[id.0 as usize].name;
            panic!(
                "seed {seed}, {threads} threads: `{}` and `{}` overlap in\n{kernel}\n{map:?}\n{:?}",
                name(a),
                name(b),
                way.spans
            );
        }
    }
    let bytes: u32 = map
        .slots
        .keys()
        .map(|id| bytes(&physical, &physical.tables.arrays[id.0 as usize]) as u32)
        .sum();
    usize::from(bytes > map.bytes)
}

#[test]
fn random_plans_hold_an_independent_rule() {
    let plans = if std::env::var_os("OBSIDIAN_FULL").is_some() {
        100_000
    } else {
        500
    };
    let first: u64 = std::env::var("OBSIDIAN_SEED")
        .ok()
        .and_then(|seed| seed.parse().ok())
        .unwrap_or(0);
    let reused: usize = (first..first + plans).map(hold).sum();
    println!(
        "{plans} plans from seed {first} (`OBSIDIAN_SEED`), {reused} of them smaller than all their arrays together"
    );
    assert!(
        reused as u64 > plans / 20,
        "only {reused} plans use memory again"
    );
}

#[test]
fn the_rule_finds_an_overlap() {
    let body = format!(
        "{}{}{}{}",
        array("x", 8),
        array("y", 8),
        use_of("x", 0),
        use_of("y", 1)
    );
    let (_, map) = map(&body, LIMITS);
    let mut map = map.unwrap();
    let kernel = read(&format!(
        "kernel k {{ parameter 0 out: u32[8_u32] output distribute Block b < 4_u32 {{ {body} }} }}"
    ))
    .unwrap();
    let mut way = Way {
        kernel: &kernel,
        random: StdRng::seed_from_u64(0),
        now: 0,
        spans: Vec::new(),
        pass: None,
        warps: 4,
    };
    way.list(&kernel.body);
    assert_eq!(overlap(&kernel, &map, &way.spans), None);
    map.slots.values_mut().for_each(|slot| slot.offset = 0);
    assert!(overlap(&kernel, &map, &way.spans).is_some());
}
