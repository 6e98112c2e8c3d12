//! Some blocks of a grid.

use super::super::{Argument, FaultKind, Source, run, run_some};
use crate::emit::samples;

/// Elements that are read where they lie.
struct Given(Vec<u64>);

impl Source for Given {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn bits(&self, element: usize) -> u64 {
        self.0[element]
    }
}

#[test]
fn some_blocks_do_what_they_do_among_all() {
    let plan = samples::reduction();
    let mut input: Vec<u64> = (0..1024).collect();
    let mut whole = vec![0; 8];
    let all = run(
        &plan,
        &mut [Argument::Array(&mut input), Argument::Array(&mut whole)],
        8,
    )
    .unwrap();
    let (given, mut output) = (Given(input), vec![0; 8]);
    let some = run_some(
        &plan,
        &mut [Argument::Read(&given), Argument::Array(&mut output)],
        8,
        &[1, 5, 7],
    )
    .unwrap();
    assert_eq!(some.written, [vec![], vec![1, 5, 7]]);
    for block in [1, 5, 7] {
        assert_eq!(output[block], whole[block]);
    }
    assert!([0, 2, 3, 4, 6].iter().all(|block| output[*block] == 0));
    // The blocks are alike: each has an eighth of all.
    assert_eq!(some.blocks.len(), 3);
    for block in &some.blocks {
        assert_eq!(block.blocks, 1);
        assert_eq!(block.scaled(8, 1), all);
    }
}

#[test]
fn what_is_written_cannot_be_given_to_be_read() {
    let plan = samples::reduction();
    let (input, output) = (Given(vec![0; 1024]), Given(vec![0; 8]));
    let arguments = || {
        [
            Argument::Read(&input as &dyn Source),
            Argument::Read(&output),
        ]
    };
    for fault in [
        run(&plan, &mut arguments(), 8).err(),
        run_some(&plan, &mut arguments(), 8, &[0]).err(),
    ] {
        assert_eq!(fault.map(|fault| fault.kind()), Some(FaultKind::Arguments));
    }
    let mut sums = vec![0; 8];
    let mut fitting = [Argument::Read(&input), Argument::Array(&mut sums)];
    let outside = run_some(&plan, &mut fitting, 8, &[8]).err();
    assert_eq!(
        outside.map(|fault| fault.kind()),
        Some(FaultKind::Arguments)
    );
}
