//! Held arrays: how long runs are written, and what an exchange costs.

use obsidian_core::array::{DPull, Pull, Push};
use obsidian_core::ir::{Layout, Level};
use obsidian_core::library::{exchange, exec_block, fold1, hold, hold_as};
use obsidian_core::lower::{reify, strip};
use obsidian_core::pipeline::{Options, build};
use obsidian_core::program::{Block, Program, Trace, pure};
use obsidian_core::scalar::{Exp, lit};
use obsidian_core::simulate::{Argument, run};

/// The sum of each run of neighbours, which one thread has.
fn sums(of: u32, held: Program<Block, Pull<Exp<u32>>>) -> Push<Block, Exp<u32>> {
    let sum = move |own: Pull<Exp<u32>>| fold1(|a, b| a + b, own).at(lit(0));
    exec_block(held.and_then(move |own| pure(own.split_up(of).map(sum))))
}

#[test]
fn short_runs_are_written_out_and_long_ones_are_loops() {
    for (length, is_loop) in [(2, false), (16, false), (17, true), (40, true)] {
        let kernel = reify("k", |builder| {
            let input: DPull<Exp<u32>> = builder.input("x");
            let pieces = input.split_up(64 * length);
            let held = move |piece| hold_as(Layout::Blocked(length), piece);
            let push = pieces.as_grid_map(move |piece| sums(length, held(piece)));
            builder.output("out", push);
        });
        let text = strip(kernel.unwrap()).unwrap().to_string();
        assert_eq!(text.contains("for sequential"), is_loop, "{length}: {text}");
    }
}

#[test]
fn what_is_held_of_nothing_is_nothing() {
    let mut trace: Trace<Block> = Trace::new(Some(Level::Block));
    let nothing: Pull<Exp<u32>> = Pull::new(0, |_| lit(7));
    assert_eq!(hold(nothing).run(&mut trace).len(), 0);
}

#[test]
fn an_exchange_has_no_bank_conflicts() {
    let options = Options {
        threads: 64,
        ..Options::default()
    };
    let plan = build("k", &options, |builder| {
        let input: DPull<Exp<u32>> = builder.input("x");
        let push = input
            .split_up(512)
            .as_grid_map(|piece| sums(8, exchange(Layout::Striped, Layout::Blocked(8), piece)));
        builder.output("out", push);
    });
    let plan = plan.unwrap();
    let (mut input, mut output) = ((0..512u64).collect::<Vec<_>>(), vec![0; 64]);
    let arguments = &mut [Argument::Array(&mut input), Argument::Array(&mut output)];
    let counts = run(&plan, arguments, 1).unwrap();
    let each = input.chunks(8).map(|own| own.iter().sum::<u64>());
    assert_eq!(output, each.collect::<Vec<_>>());
    // A store and a load of each of 512 elements, 32 at once.
    let shared = counts.shared;
    assert_eq!((shared.requests, shared.bank_conflicts), (32, 0));
}
