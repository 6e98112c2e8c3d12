//! Random kernels, executed thread by thread, with every pair of accesses between two waits
//! compared.
//!
//! The rule is independent of the passes: two threads may not touch one byte, one of
//! them writing, unless a wait that both take part in stands between. Values are not computed (a
//! load is 0): no condition or index here depends on one.

pub(super) mod threads;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::{
    Executed, Limits, SharedMap, barriers, barriers::candidates::candidates, changing, liveness,
    lowering, shared_layout, virtualise,
};
use crate::ir::{Kernel, Level, Levelled, Lowered, Physical, Statement, WARP, read, validate};
use crate::ordered::Map;
use crate::scalar::ArrayId;
use threads::execute;

/// The first race, in words.
fn race(kernel: &Kernel<Physical>, shared: &SharedMap, threads: u32) -> Option<String> {
    let mut last: Vec<Map<u32, Vec<(u32, u32, bool)>>> = vec![Map::new(); shared.bytes as usize];
    let mut waits = Vec::new();
    for index in 0..threads {
        let thread = execute(kernel, shared, index, 0);
        waits.push(thread.block_waits);
        for (byte, write, block, warp) in thread.touched {
            let seen = last[byte as usize].entry(block).or_default();
            for &(other, other_warp, other_write) in seen.iter() {
                let apart = other / WARP == index / WARP && other_warp != warp;
                if other != index && (write || other_write) && !apart {
                    return Some(format!(
                        "threads {other} and {index} at byte {byte} after {block} waits"
                    ));
                }
            }
            seen.push((index, warp, write));
        }
    }
    waits
        .iter()
        .any(|n| *n != waits[0])
        .then(|| "threads wait a different number of times".to_owned())
}

/// Makes the text of random lists at a level.
struct Writer {
    random: StdRng,
    text: String,
    number: u32,
    /// Are there held arrays and collectives too?
    collectives: bool,
}

impl Writer {
    fn fresh(&mut self) -> u32 {
        self.number += 1;
        self.number
    }

    /// An element of array `a` of length `l`, for a counter below `count`: the thread's own, or
    /// some other one.
    fn element(&mut self, counter: &str, count: u32, a: u32, l: u32) -> String {
        let index = match self.random.random_range(0..5) {
            0 if count <= l => counter.to_owned(),
            1 if count <= l => format!("({}_u32 -' {counter})", l - 1),
            2 => format!("({counter} %' {l}_u32)"),
            3 => "0_u32".to_owned(),
            _ => format!("(({counter} +' 5_u32) %' {l}_u32)"),
        };
        format!("s{a}[{index}]")
    }

    /// A mutable array, changed in two ways.
    fn change(&mut self, level: &str, n: u32) {
        let (there, loops) = (
            ["i", "(15_u32 -' i)"][self.random.random_range(0..2)],
            self.random.random_range(0..2),
        );
        let again = format!(
            "forall {level} j{n} < 16_u32 {{ read y{n} = m{n}[{}] store m{n}[j{n}] = y{n} }} ",
            there.replace('i', &format!("j{n}"))
        );
        let again = if loops == 0 {
            format!(
                "forall {level} j{n} < 16_u32 {{ read y{n} = m{n}[j{n}] store m{n}[j{n}] = y{n} }} "
            )
        } else {
            again.replace(
                &format!("store m{n}[j{n}] = y{n}"),
                &format!("store out[j{n}] = y{n}"),
            )
        };
        self.text += &format!(
            "allocate m{n}: u32[16_u32] shared forall {level} i{n} < 16_u32 {{ store m{n}[i{n}] = 1_u32 }} {again}"
        );
    }

    /// A held array, and a collective of it and of another array, which stores into a third.
    fn collective(&mut self, level: &str, n: u32, known: &mut Vec<(u32, u32)>) {
        let length = [1, 3, 8, 33, 40][self.random.random_range(0..5)];
        let op = ["reduce", "inclusive_scan", "exclusive_scan"][self.random.random_range(0..3)];
        let results = if op == "reduce" { 1 } else { length };
        let from = if op == "exclusive_scan" {
            " from b"
        } else {
            ""
        };
        let value = known.last().map_or("1_u32".to_owned(), |&(a, l)| {
            self.element(&format!("e{n}"), length, a, l)
        });
        self.text += &format!(
            "allocate h{n}: u32[{length}_u32] held forall {level} i{n} < {length}_u32 {{ store h{n}[i{n}] = 1_u32 }}
             allocate s{n}: u32[{results}_u32] shared
             {op} {level} e{n} < {length}_u32{from} {{ give (h{n}[e{n}] + {value}) }} by l{n} r{n} {{ give (l{n} + r{n}) }}
             into j{n} < {results}_u32 v{n}v {{ store s{n}[j{n}] = v{n}v }} wait {level} "
        );
        known.push((n, results));
    }

    /// Arrays that are filled and read, with loops, branches and warps between; `known` are arrays
    /// that may be read.
    fn list(&mut self, level: &str, depth: u32, known: &[(u32, u32)]) {
        let mut known = known.to_vec();
        for _ in 0..self.random.random_range(1..5) {
            let n = self.fresh();
            if self.collectives && self.random.random_bool(0.3) {
                self.collective(level, n, &mut known);
                continue;
            }
            match self.random.random_range(0..10) {
                0..=3 => {
                    let length = [1, 3, 8, 32, 40][self.random.random_range(0..5)];
                    let value = known.last().map_or("1_u32".to_owned(), |&(a, l)| {
                        self.element(&format!("i{n}"), length, a, l)
                    });
                    self.text += &format!(
                        "allocate s{n}: u32[{length}_u32] shared forall {level} i{n} < {length}_u32 {{ store s{n}[i{n}] = {value} }} wait {level} "
                    );
                    known.push((n, length));
                }
                4 | 5 if !known.is_empty() => {
                    let (a, l) = known[self.random.random_range(0..known.len())];
                    let value = self.element(&format!("i{n}"), l, a, l);
                    self.text +=
                        &format!("forall {level} i{n} < {l}_u32 {{ store out[i{n}] = {value} }} ");
                }
                6 if depth > 0 => {
                    self.text +=
                        &format!("for sequential {level} k{n} in 0_u32 .. 3_u32 step 1_u32 {{ ");
                    self.list(level, depth - 1, &known);
                    self.text += "} ";
                }
                7 if depth > 0 => {
                    self.text += "if (b == 1_u32) { ";
                    self.list(level, depth - 1, &known);
                    self.text += "} else { ";
                    self.list(level, depth - 1, &known);
                    self.text += "} ";
                }
                8 if depth > 0 && level == "Block" => {
                    let count = self.random.random_range(1..5);
                    self.text += &format!("distribute Warp w{n} < {count}_u32 {{ ");
                    self.list("Warp", depth - 1, &known);
                    self.text += "} ";
                }
                9 => self.change(level, n),
                _ => {}
            }
        }
    }
}

/// The waits of a kernel.
fn count(kernel: &Kernel<Physical>) -> usize {
    count_at(kernel, Level::Block) + count_at(kernel, Level::Warp)
}

/// The waits of a kernel at a scope.
fn count_at(kernel: &Kernel<Physical>, wanted: Level) -> usize {
    let mut count = 0;
    let mut visit = |s: &Statement<Physical>| {
        count += usize::from(matches!(s, Statement::Wait { scope } if *scope == wanted));
    };
    kernel.body.iter().for_each(|s| s.visit(&mut visit));
    count
}

/// The kernel with the n-th wait of the block as one of each warp.
fn narrowed(kernel: &Kernel<Physical>, n: usize) -> Kernel<Physical> {
    fn narrow(list: &mut [Statement<Physical>], n: &mut usize) {
        for statement in list {
            if let Statement::Wait { scope } = statement
                && *scope == Level::Block
            {
                if *n == 0 {
                    *scope = Level::Warp;
                }
                *n = n.wrapping_sub(1);
            }
            (statement.lists_mut().into_iter()).for_each(|inner| narrow(inner, n));
        }
    }
    let (mut kernel, mut n) = (kernel.clone(), n);
    narrow(&mut kernel.body, &mut n);
    kernel
}

/// The kernel without its n-th wait.
fn without(kernel: &Kernel<Physical>, n: usize) -> Kernel<Physical> {
    fn drop_wait(list: &mut Vec<Statement<Physical>>, n: &mut usize) {
        list.retain(|s| {
            let wait = matches!(s, Statement::Wait { .. });
            *n = n.wrapping_sub(usize::from(wait));
            !wait || *n != usize::MAX
        });
        list.iter_mut().for_each(|s| {
            s.lists_mut()
                .into_iter()
                .for_each(|inner| drop_wait(inner, n))
        });
    }
    let mut kernel = kernel.clone();
    drop_wait(&mut kernel.body, &mut { n });
    kernel
}

/// A random kernel, and its threads.
fn random(seed: u64, collectives: bool) -> (Kernel<Lowered>, u32) {
    let mut writer = Writer {
        random: StdRng::seed_from_u64(seed),
        text: String::new(),
        number: 0,
        collectives,
    };
    writer.list("Block", 3, &[]);
    let text = format!(
        "kernel k {{ parameter 0 out: u32[64_u32] output distribute Block b < 3_u32 {{ {} }} }}",
        writer.text
    );
    let threads = [1, 5, 31, 33, 40, 64, 70, 96][writer.random.random_range(0..8)];
    let kernel: Kernel<Levelled> =
        read(&text).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
    validate(&kernel).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
    let kernel = lowering(kernel, Executed::ByThreads(threads));
    validate(&kernel).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{kernel}"));
    (kernel, threads)
}

#[test]
fn random_kernels_have_no_races_and_few_waits() {
    let (mut of_warps, mut of_blocks, mut too_wide) = (0, 0, Vec::new());
    let (mut races_without, mut all, mut left, mut left_here, mut unneeded) =
        (0, 0, 0, 0, Vec::new());
    for seed in 0..400 {
        let (kernel, threads) = random(seed, false);
        let lives = liveness(&kernel);
        let before = virtualise(kernel, threads);
        let shared = shared_layout(
            &before,
            &lives,
            Limits {
                shared_bytes: u32::MAX,
                ..Limits::from(threads)
            },
        )
        .unwrap();
        races_without += u32::from(race(&before, &shared, threads).is_some());
        let changing = changing(&before);
        let guarded = candidates(before.clone(), &shared, &changing).0;
        all += count(&guarded);
        let kernel = barriers(before, &shared, &changing);
        for (pass, kernel) in [("candidates", &guarded), ("barriers", &kernel)] {
            validate(kernel).unwrap_or_else(|e| panic!("seed {seed}, {pass}: {e}\n{kernel}"));
            if let Some(race) = race(kernel, &shared, threads) {
                panic!(
                    "seed {seed}, {threads} threads, after {pass}: {race}\n{kernel}\n{shared:?}"
                );
            }
        }
        left += count(&kernel);
        // In a branch the blocks that are run here take one way only.
        let branches = kernel.to_string().contains("if (b == ");
        left_here += if branches { 0 } else { count(&kernel) };
        let may_go = (0..if branches { 0 } else { count(&kernel) })
            .filter(|&n| race(&without(&kernel, n), &shared, threads).is_none());
        unneeded.extend(may_go.map(|n| (seed, n)));
        of_warps += count_at(&kernel, Level::Warp);
        if threads.is_multiple_of(WARP) && !branches {
            let wide = count_at(&kernel, Level::Block);
            of_blocks += wide;
            let narrower =
                (0..wide).filter(|&n| race(&narrowed(&kernel, n), &shared, threads).is_none());
            too_wide.extend(narrower.map(|n| (seed, n)));
        }
    }
    println!(
        "{of_warps} waits of warps, {} of {of_blocks} of blocks too wide: {too_wide:?}",
        too_wide.len()
    );
    assert!(of_warps > 100, "only {of_warps} waits of warps");
    assert!(
        too_wide.len() * 20 <= of_blocks,
        "{} of {of_blocks} waits could be of warps: {too_wide:?}",
        too_wide.len()
    );
    println!(
        "{all} waits, {left} of them left, {} of {left_here} not needed: {unneeded:?}",
        unneeded.len()
    );
    assert!(
        races_without > 100,
        "only {races_without} of the kernels need the pass"
    );
    assert!(left * 4 < all * 3, "{left} of {all} waits are left");
    assert!(
        unneeded.len() * 20 <= left_here,
        "{} of {left_here} waits could go: {unneeded:?}",
        unneeded.len()
    );
}

/// What `lowering` makes of held arrays and collectives, between other loops: no race, whatever the
/// threads.
#[test]
fn random_collectives_have_no_races() {
    let mut races_without = 0;
    for seed in 0..150 {
        let (kernel, threads) = random(seed, true);
        let lives = liveness(&kernel);
        let before = virtualise(kernel, threads);
        let limits = Limits {
            shared_bytes: u32::MAX,
            ..Limits::from(threads)
        };
        let shared = shared_layout(&before, &lives, limits).unwrap();
        races_without += u32::from(race(&before, &shared, threads).is_some());
        let changing = changing(&before);
        let kernel = barriers(before, &shared, &changing);
        validate(&kernel).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{kernel}"));
        if let Some(race) = race(&kernel, &shared, threads) {
            panic!("seed {seed}, {threads} threads: {race}\n{kernel}\n{shared:?}");
        }
    }
    assert!(races_without > 20, "only {races_without} need barriers");
}

#[test]
fn the_test_finds_a_race() {
    let text = "kernel k { threads 8 allocate s: u32[8_u32] shared let i = ThreadIndex store s[i] = 1_u32 let x = s[(7_u32 -' i)] }";
    let kernel = read(text).unwrap();
    let shared = SharedMap {
        slots: Map::from([(
            ArrayId(0),
            crate::plan::Slot {
                offset: 0,
                stride: 0,
            },
        )]),
        bytes: 32,
    };
    assert!(race(&kernel, &shared, 8).is_some());
}
