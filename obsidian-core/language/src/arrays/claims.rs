//! What has to hold of extents.

use super::any::named_types;
use super::arr::product;
use super::graph::{NodeNumber, StateExtent, graph, is_describing};
use super::item::run_ahead;
use super::local::{COUNTABLE, assert_here, is_asserted, is_countable};
use crate::error::{Origin, catalogue};
use crate::program::assert_that;
use crate::scalar::{Exp, lit};

/// Two extents that have to be equal.
pub struct Claim {
    pub left: Exp<u32>,
    pub right: Exp<u32>,
    pub what: &'static str,
    /// Where the operation is.
    pub origin: Origin,
    /// Where its arrays were made.
    pub places: [Origin; 2],
    /// Is the left one at least the right one, instead of equal?
    pub at_least: bool,
    /// The extent of the state of a loop that they are, before and behind an iteration. If they differ, iterations change it.
    pub of_state: Option<StateExtent>,
}

/// Asks whether an iteration leaves the extents of an array of a loop's state as they are.
#[track_caller]
pub fn same_state(
    what: &'static str,
    (control, array): (usize, usize),
    (first, left): &(NodeNumber, Vec<Exp<u32>>),
    (second, right): &(NodeNumber, Vec<Exp<u32>>),
) {
    let Some(places) = places_of([*first, *second], [left.len(), right.len()]) else {
        return;
    };
    for (axis, (left, right)) in left.iter().zip(right).enumerate() {
        let own = (control, array, axis);
        if left.node() == right.node() {
            continue;
        }
        let claim = Claim {
            left: *left,
            right: *right,
            what,
            origin: crate::scalar::here(),
            places,
            at_least: false,
            of_state: Some(own),
        };
        let literals = [left, right].map(|extent| extent.as_literal());
        graph(|graph| match literals {
            _ if graph.changing.contains(&own) => {}
            [Some(_), Some(_)] => {
                graph.seen_to_change.insert(own);
            }
            _ => graph.claims.push(claim),
        });
    }
}

/// Where two arrays were made that have as many axes. None if they have not, which is reported.
#[track_caller]
fn places_of(arrays: [NodeNumber; 2], ranks: [usize; 2]) -> Option<[Origin; 2]> {
    let place = |number| graph(|graph| graph.node(number).map(|node| node.origin)).flatten();
    let places = arrays.map(|number| place(number).unwrap_or_default());
    if ranks[0] == ranks[1] {
        return Some(places);
    }
    let wrong = catalogue::unequal_ranks(ranks).at(crate::scalar::here());
    let wrong = wrong.also(places[0], "one array");
    crate::scalar::report(wrong.also(places[1], "the other array"));
    None
}

/// Asks that two arrays have the same extents.
#[track_caller]
pub fn same_extents(
    what: &'static str,
    (first, left): &(NodeNumber, Vec<Exp<u32>>),
    (second, right): &(NodeNumber, Vec<Exp<u32>>),
) {
    let Some(places) = places_of([*first, *second], [left.len(), right.len()]) else {
        return;
    };
    for (left, right) in left.iter().zip(right) {
        claim(what, [*left, *right], places, false);
    }
}

/// Asks that two arrays have elements of the same types: where Rust's types say so it is certain.
#[track_caller]
pub fn same_elements(what: &str, first: NodeNumber, second: NodeNumber) {
    let node = |number| graph(|graph| graph.node(number)).flatten();
    let (Some(first), Some(second)) = (node(first), node(second)) else {
        return;
    };
    if first.types != second.types {
        let wrong = catalogue::unequal_elements(
            what,
            &named_types(&first.types),
            &named_types(&second.types),
        );
        let wrong = wrong.at(crate::scalar::here());
        let wrong = wrong.also(first.origin, "one array");
        crate::scalar::report(wrong.also(second.origin, "the other array"));
    }
}

/// Asks that the elements of an array can be counted, which a function of elements works with. Outside of such functions a run asks it of all
/// extents. Is it asked for the array that is made next? Then its elements are read where it holds.
#[track_caller]
pub fn countable(what: &'static str, extents: &[Exp<u32>], is_next: bool) {
    if extents.len() < 2 || is_describing() {
        return;
    }
    match (is_asserted(extents), is_next) {
        (true, true) => assert_here(is_countable(extents), COUNTABLE),
        (true, false) => run_ahead(&assert_that(is_countable(extents), COUNTABLE)),
        (false, _) => {
            let sizes = [lit(u32::MAX), product(extents)];
            claim(what, sizes, [Origin::UNKNOWN; 2], true);
        }
    }
}

/// Asks that one extent equal another one, or be at least as much.
#[track_caller]
pub fn claim(
    what: &'static str,
    [left, right]: [Exp<u32>; 2],
    places: [Origin; 2],
    at_least: bool,
) {
    if left.node() == right.node() {
        return;
    }
    let origin = crate::scalar::here();
    let holds = match (left.as_literal(), right.as_literal()) {
        (Some(left), Some(right)) if at_least => Some(left >= right),
        (Some(left), Some(right)) => Some(left == right),
        (_, Some(0)) if at_least => Some(true),
        _ => None,
    };
    match holds {
        Some(true) => {}
        _ if is_asserted(&[left, right]) => {
            let condition = match at_least {
                true => left.ge(right),
                false => left.eq(right),
            };
            let text = match at_least {
                true => format!("an array of an element is long enough for `{what}`"),
                false => format!(
                    "the arrays of an element that `{what}` puts together have the same extents"
                ),
            };
            assert_here(condition, &text);
        }
        Some(false) => {
            let numbers = [left, right].map(|one| one.as_literal().unwrap_or(0));
            let wrong = catalogue::other_extents(what, numbers, at_least).at(origin);
            let wrong = wrong.also(places[0], "one array");
            let wrong = match places[0] == places[1] {
                true => wrong,
                false => wrong.also(places[1], "the other array"),
            };
            crate::scalar::report(wrong);
        }
        None => {
            let claim = Claim {
                left,
                right,
                what,
                origin,
                places,
                at_least,
                of_state: None,
            };
            graph(|graph| {
                // A function of elements runs often.
                let is_new = graph.describing || !graph.claims.iter().any(|own| own.is(&claim));
                if is_new {
                    graph.claims.push(claim);
                }
            });
        }
    }
}

impl Claim {
    /// Is it the same claim of the same operation?
    fn is(&self, other: &Claim) -> bool {
        let of = |claim: &Claim| (claim.left.node(), claim.right.node(), claim.at_least);
        of(self) == of(other) && self.origin == other.origin
    }
}
