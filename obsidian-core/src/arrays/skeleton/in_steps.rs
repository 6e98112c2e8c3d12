//! Folds and scans by operators that read arrays, run loops or assert: in steps through the memory of a block.
//!
//! A collective applies its operator to whatever its threads have, and takes what it needs of that. What an operator of this kind does
//! must not happen for elements that there are not, so each step says which elements are there, and applies the operator under that condition.

use std::rc::Rc;

use super::fold::each_thread;
use crate::array::Pull;
use crate::arrays::any::AnyElement;
use crate::arrays::graph::Operator;
use crate::arrays::one_of;
use crate::library::{compute, exec_block};
use crate::program::{Block, Program, pure};
use crate::scalar::{Exp, index};

/// Is there an element with a number?
pub(super) type IsThere = Rc<dyn Fn(Exp<u32>) -> Exp<bool>>;

/// Values that the threads of a block compute, in its memory.
pub(super) fn stored(
    count: u32,
    value: impl Fn(Exp<u32>) -> AnyElement + 'static,
) -> Program<Block, Pull<AnyElement>> {
    compute(exec_block(each_thread(count, value)))
}

/// The elements of a block folded by a balanced tree over neighbours. The first one is there, and where one is not, none behind it is.
pub(super) fn fold_in_steps(
    operator: Operator,
    own: Pull<AnyElement>,
    is_there: IsThere,
    distance: u32,
) -> Program<Block, Pull<AnyElement>> {
    let count = own.len();
    if count <= 1 {
        return pure(own);
    }
    let (f, there) = (operator.clone(), is_there.clone());
    let step = stored(count.div_ceil(2), move |t| {
        let left = index::mul(t, 2);
        let right = index::add(left, 1);
        let first = own.at(left);
        let both = || f(&first, &own.at(right));
        let has_right = there(index::mul(right, distance));
        match count % 2 {
            // The last one may have no neighbour.
            1 => one_of(has_right & right.lt(count), both, || first.clone()),
            _ => one_of(has_right, both, || first.clone()),
        }
    });
    step.and_then(move |next| fold_in_steps(operator.clone(), next, is_there.clone(), distance * 2))
}

/// The inclusive scan of the elements of a block, by Sklansky's network: in each step the second halves of runs follow the last of their first halves.
/// Where an element is not there, none behind it is, and its result is not specified.
pub(super) fn scan_in_steps(
    operator: Operator,
    own: Pull<AnyElement>,
    is_there: IsThere,
    distance: u32,
) -> Program<Block, Pull<AnyElement>> {
    let count = own.len();
    if distance >= count {
        return pure(own);
    }
    let (f, there) = (operator.clone(), is_there.clone());
    let step = stored(count, move |j| {
        let run = index::div(j, 2 * distance);
        let last = index::add(index::mul(run, 2 * distance), distance - 1);
        let is_second = index::rem(j, 2 * distance).ge(distance);
        let second = own.at(j);
        let both = || f(&own.at(last), &second);
        one_of(is_second & there(j), both, || second.clone())
    });
    step.and_then(move |next| scan_in_steps(operator.clone(), next, is_there.clone(), distance * 2))
}
