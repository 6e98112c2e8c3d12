//! Collectives: reductions, scans and sorts that the threads of a level do together.
//!
//! What each computes, and in which order, is a function of the length alone, and documented at
//! [`Collective`](crate::ir::Collective). How it is computed is not said: the passes choose loops,
//! networks or registers.

use std::rc::Rc;

use crate::array::{Data, Pull, Push, Storable, Writer, no_elements};
use crate::error::{Origin, catalogue};
use crate::ir::{CollectiveOp, Level};
use crate::program::{Action, Combined, Compute, Program, Trace, bound_any, counter};
use crate::scalar::{
    AnyExp, Exp, Node, NodeId, ScalarType, VariableId, VariableKind, failed, here, lit, report,
    session,
};

/// All elements combined: an array of one element. There must be at least one.
///
/// `f` must be associative up to rounding, and need not be commutative: its first argument always has
/// the earlier elements. Up to 256 elements it is applied in a balanced tree over neighbours,
/// `(x0 . x1) . (x2 . x3)`; of more, each `ceil(n / 256)` neighbours are folded from the left
/// first. So the bits of a result depend on the length alone, and not on threads, blocks or the
/// device.
///
/// `f` may not read arrays: lay what it needs beside the elements with [`zip`](super::zip()).
/// [`seq_reduce`](super::seq_reduce) is one thread's loop.
#[track_caller]
pub fn reduce<L: Compute, T: Data>(f: impl Fn(T, T) -> T + 'static, arr: Pull<T>) -> Push<L, T> {
    collective(CollectiveOp::Reduce, None, Operator::combining(f), arr)
}

/// Each prefix combined, its last element included: element `i` is what
/// [`reduce`] would make of the elements `0 ..= i`, in the rows of the whole array.
///
/// `f` is as that of [`reduce`].
#[track_caller]
pub fn inclusive_scan<L: Compute, T: Data>(
    f: impl Fn(T, T) -> T + 'static,
    arr: Pull<T>,
) -> Push<L, T> {
    collective(
        CollectiveOp::InclusiveScan,
        None,
        Operator::combining(f),
        arr,
    )
}

/// Each prefix without its last element, after `initial`: element 0 is `initial`, and element `i`
/// is `initial` combined with element `i - 1` of the [`inclusive_scan`].
///
/// `f` is as that of [`reduce`].
#[track_caller]
pub fn exclusive_scan<L: Compute, T: Data>(
    f: impl Fn(T, T) -> T + 'static,
    initial: T,
    arr: Pull<T>,
) -> Push<L, T> {
    let f = Operator::combining(f);
    collective(CollectiveOp::ExclusiveScan, Some(initial), f, arr)
}

/// The elements in order. `before(a, b)` says whether `a` must stand before `b`, as `a < b` does.
///
/// It is not stable: elements of which neither must stand before the other may change places. `before`
/// must be a strict weak order, else the order of the result means nothing; it may not read arrays.
/// The steps are those of Batcher's merge exchange, and depend on the length alone.
#[track_caller]
pub fn sort<L: Compute, T: Data>(
    before: impl Fn(T, T) -> Exp<bool> + 'static,
    arr: Pull<T>,
) -> Push<L, T> {
    let operator = Operator(Rc::new(move |x, y| {
        (vec![before(x, y).any()], vec![ScalarType::Bool])
    }));
    collective(CollectiveOp::Sort, None, operator, arr)
}

/// Makes of two elements the values that a collective's list gives, and says of which types they
/// should be.
struct Operator<T>(Rc<dyn Fn(T, T) -> (Vec<AnyExp>, Vec<ScalarType>)>);

impl<T: Storable> Operator<T> {
    fn combining(f: impl Fn(T, T) -> T + 'static) -> Self {
        Operator(Rc::new(move |x: T, y: T| {
            let types = types(&leaves(&x));
            (leaves(&f(x, y)), types)
        }))
    }
}

fn leaves<T: Storable>(value: &T) -> Vec<AnyExp> {
    let mut list = Vec::new();
    value.leaves(&mut list);
    list
}

fn types(values: &[AnyExp]) -> Vec<ScalarType> {
    values.iter().map(|value| value.ty()).collect()
}

fn nodes(values: &[AnyExp]) -> Vec<NodeId> {
    values.iter().map(|value| value.node()).collect()
}

/// Fresh variables for the components of an element, and the element that they make.
fn operand<T: Storable>(like: &T, name: Option<&str>) -> (Vec<VariableId>, T) {
    let bound = leaves(like)
        .into_iter()
        .map(|leaf| bound_any(name, leaf.ty(), VariableKind::Let));
    let (variables, values): (Vec<_>, Vec<_>) = bound.unzip();
    (variables, like.rebuild(&mut values.into_iter()))
}

#[track_caller]
fn collective<L: Compute, T: Data>(
    op: CollectiveOp,
    initial: Option<T>,
    operator: Operator<T>,
    arr: Pull<T>,
) -> Push<L, T> {
    let origin = here();
    let (n, operator) = (arr.len(), Rc::new(operator));
    if n == 0 && op == CollectiveOp::Reduce {
        // The mistake is the call, whether or not its result is used.
        let _: T = no_elements();
    }
    Push::new(op.results(n), move |write: Writer<T>| {
        let (arr, initial, operator) = (arr.clone(), initial.clone(), operator.clone());
        Program::new(move |trace: &mut Trace<L>| {
            if trace.level() == Some(Level::Grid) {
                let name = format!("`{}`", op.name());
                let wrong = catalogue::wrong_level(&name, "Grid", "Thread, Warp and Block");
                return report(wrong.at(origin));
            }
            if n == 0 {
                return;
            }
            let (number, i) = counter();
            let element = arr.at(i);
            let given = leaves(&element);
            let (left, x) = operand(&element, trace.name());
            let (right, y) = operand(&element, trace.name());
            let (combined, wanted) = (operator.0)(x, y);
            let initial: Vec<_> = initial.iter().flat_map(leaves).collect();
            let types = types(&given);
            if !is_operator(op, &combined, &wanted, origin) {
                return;
            }
            if op == CollectiveOp::ExclusiveScan && !are_elements(op, &initial, &types, origin) {
                return;
            }
            let (at, j) = counter();
            let (result, value) = operand(&element, trace.name());
            let ((), body) = trace.nested(Some(Level::Thread), |t| write(value.clone(), j).run(t));
            let literal = |n: u32| lit(n).node();
            trace.push(Action::Collective(Box::new(Combined {
                op,
                initial: nodes(&initial),
                counter: number,
                count: literal(n),
                given: nodes(&given),
                left,
                right,
                combined: nodes(&combined),
                element: at,
                results: literal(op.results(n)),
                result,
                body,
                origin,
            })));
        })
    })
}

/// Reports values that are not the components of an element. Whether they are.
fn are_elements(op: CollectiveOp, found: &[AnyExp], wanted: &[ScalarType], origin: Origin) -> bool {
    let ty = |leaf: &AnyExp| leaf.ty();
    let what = if found.len() == wanted.len() {
        let differs = found.iter().map(ty).zip(wanted).find(|(f, w)| f != *w);
        let Some((found, wanted)) = differs else {
            return true;
        };
        format!(
            "{}, and the elements are {}",
            found.exp_name(),
            wanted.exp_name()
        )
    } else {
        format!(
            "{} values, and an element has {}",
            found.len(),
            wanted.len()
        )
    };
    // A mistake inside of the function leaves it without a result.
    if !failed() {
        report(catalogue::other_elements(op.name(), &what).at(origin));
    }
    false
}

/// Reports an operator that gives something else than it should, or reads an array. Whether it can
/// be used.
fn is_operator(op: CollectiveOp, given: &[AnyExp], wanted: &[ScalarType], origin: Origin) -> bool {
    if !are_elements(op, given, wanted, origin) {
        return false;
    }
    let roots = nodes(given);
    let read = session(|s| {
        let all = s.tables.nodes.post_order(&roots, |_| false);
        all.into_iter()
            .find_map(|id| match s.tables.nodes.node(id) {
                Node::Load { array, .. } => Some(s.tables.array(array).name.clone()),
                _ => None,
            })
    });
    let Some(array) = read.flatten() else {
        return true;
    };
    report(catalogue::operator_reads(op.name(), &array).at(origin));
    false
}
