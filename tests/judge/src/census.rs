//! How many blocks each loop over blocks has.
//!
//! It follows the lowered kernel: what the grid does, loop by loop and condition by condition,
//! without a block and without a thread. So it knows nothing of how the launch counts blocks, nor
//! of how loops over blocks become loops of real ones.

use crate::code::Code;
use crate::machine::Machine;
use crate::{Argument, Subject, TooLong};

/// The number of blocks of each loop over blocks, in the order in which they begin.
pub fn census(subject: &Subject, arguments: &[Argument], limit: u64) -> Result<Vec<u64>, TooLong> {
    let code = Code::lowered(&subject.lowered);
    let mut machine = Machine::new(&code, arguments, 1, limit);
    let (mut block, mut grid) = (machine.new_block(0), machine.thread(0));
    machine.advance(&mut block, &mut grid)?;
    Ok(machine.counted)
}
