//! Loops and choices of array programs.

use std::rc::Rc;

use super::kinds::text;
use super::methods::{number, rank_of};
use crate::arrays::{
    Arr, Elements, Ix0, Made, Node, OfElements, State, awhile, each, if_then, power,
};
use crate::error::catalogue;
use crate::evaluate::call::Call;
use crate::evaluate::calls::Callback;
use crate::evaluate::{Eval, Value};
use crate::scalar::{Exp, ScalarType, report, with_site};
use crate::syntax::Site;

impl State for Value {
    fn nodes(&self, list: &mut Vec<Node>) {
        match self {
            Value::Whole(arr) => arr.nodes(list),
            Value::Tuple(parts) => parts.iter().for_each(|part| part.nodes(list)),
            _ => {}
        }
    }

    #[track_caller]
    fn made_by(&self, made: &Made) -> Self {
        match self {
            Value::Whole(arr) => Value::Whole(arr.made_by(made)),
            Value::Tuple(parts) => {
                Value::tuple(parts.iter().map(|part| part.made_by(made)).collect())
            }
            other => other.clone(),
        }
    }

    #[track_caller]
    fn in_each(&self) -> Self {
        match self {
            Value::Whole(arr) => Value::Whole(arr.in_each()),
            Value::Tuple(parts) => Value::tuple(parts.iter().map(State::in_each).collect()),
            other => other.clone(),
        }
    }
}

#[diagnostic::do_not_recommend]
impl Elements for Value {
    type Element = Value;
    #[track_caller]
    fn extents(&self, list: &mut Vec<Exp<u32>>) {
        match self {
            Value::Whole(arr) => Elements::extents(arr, list),
            Value::Tuple(parts) => parts.iter().for_each(|part| part.extents(list)),
            _ => {}
        }
    }
    #[track_caller]
    fn element(&self, axis: crate::arrays::lifted::Axis) -> Self {
        match self {
            Value::Whole(arr) => Value::Whole(arr.element(axis)),
            Value::Tuple(parts) => {
                Value::tuple(parts.iter().map(|part| part.element(axis)).collect())
            }
            other => other.clone(),
        }
    }
    #[track_caller]
    fn only(&self) -> Self {
        match self {
            Value::Whole(arr) => Value::Whole(arr.only()),
            Value::Tuple(parts) => Value::tuple(parts.iter().map(Elements::only).collect()),
            other => other.clone(),
        }
    }
}

#[diagnostic::do_not_recommend]
impl OfElements for Value {
    #[track_caller]
    fn alone(self) -> Self {
        match self {
            Value::Whole(arr) => Value::Whole(arr.alone()),
            Value::Tuple(parts) => {
                Value::tuple(parts.iter().cloned().map(OfElements::alone).collect())
            }
            other => other,
        }
    }

    type Arrays = Value;
    #[track_caller]
    fn of_all(self, axis: crate::arrays::lifted::Axis, extent: Exp<u32>) -> Self {
        match self {
            Value::Whole(arr) => Value::Whole(arr.of_all(axis, extent)),
            Value::Tuple(parts) => {
                let parts = parts.iter().cloned();
                Value::tuple(parts.map(|part| part.of_all(axis, extent)).collect())
            }
            other => other,
        }
    }
}

impl Call<'_> {
    /// Arrays that can be the state of a loop.
    pub(super) fn state(&self, value: &Value) -> Eval {
        match is_state(value) {
            true => Ok(value.clone()),
            false => self.machine.wrong_kind(ARRAYS, value, self.site),
        }
    }

    /// A condition that chooses while the program runs.
    pub(super) fn condition_array(&self, value: &Value) -> Eval<Arr<Ix0, Exp<bool>>> {
        let site = self.site;
        self.machine.at(site, || condition_of(value.clone(), site))
    }

    /// The state after `body` was applied to it `times` times.
    pub(super) fn power(&self, times: Exp<u32>, initial: Value, body: Callback) -> Value {
        let (site, like) = (self.site, initial.clone());
        power(times, initial, move |state| {
            same_state(("the loop state", &like), body.call(vec![state]), site)
        })
    }

    /// The state after `body` was applied to it as long as `condition` held.
    pub(super) fn awhile(&self, initial: Value, condition: Callback, body: Callback) -> Value {
        let (site, like) = (self.site, initial.clone());
        awhile(
            initial,
            move |state| condition_of(condition.call(vec![state]), site),
            move |state| same_state(("the loop state", &like), body.call(vec![state]), site),
        )
    }

    /// What `f` makes of each element of arrays.
    pub(super) fn each(&self, arrays: Value, f: &Callback) -> Value {
        let site = self.site;
        each(arrays, |element| arrays_of(f.call(vec![element]), site))
    }

    /// What one of two functions gives. The arrays of the second are to be like those of the first.
    pub(super) fn if_then(
        &self,
        condition: Arr<Ix0, Exp<bool>>,
        then: Callback,
        otherwise: Callback,
    ) -> Value {
        let site = self.site;
        let like = Rc::new(std::cell::RefCell::new(Value::Poison));
        let first = like.clone();
        if_then(
            condition,
            move || {
                let arrays = arm(&then, site);
                *first.borrow_mut() = arrays.clone();
                arrays
            },
            move || {
                same_state(
                    ("what the first arm gives", &like.borrow()),
                    otherwise.call(Vec::new()),
                    site,
                )
            },
        )
    }
}

const ARRAYS: &str = "an array of the program, or a tuple of 2 to 8 such";

fn is_state(value: &Value) -> bool {
    match value {
        Value::Whole(_) => true,
        Value::Tuple(parts) => (2..=8).contains(&parts.len()) && parts.iter().all(is_state),
        _ => false,
    }
}

fn wrong(site: Site, wanted: &str, found: &str) {
    with_site(site, || {
        if !crate::scalar::failed() {
            report(catalogue::wrong_kind(wanted, found));
        }
    });
}

/// What an arm of a choice gives.
fn arm(f: &Callback, site: Site) -> Value {
    arrays_of(f.call(Vec::new()), site)
}

/// What a function gives that has to give arrays.
fn arrays_of(arrays: Value, site: Site) -> Value {
    if !is_state(&arrays) {
        wrong(site, ARRAYS, &arrays.kind());
        return Value::Poison;
    }
    arrays
}

/// Arrays that have to be like others.
fn same_state((what, like): (&str, &Value), found: Value, site: Site) -> Value {
    if is_like(like, &found) {
        return found;
    }
    wrong(site, &format!("{what}, {}", words(like)), &words(&found));
    like.clone()
}

fn is_like(like: &Value, found: &Value) -> bool {
    match (like, found) {
        (Value::Whole(like), Value::Whole(found)) => {
            rank_of(like) == rank_of(found) && like.types() == found.types()
        }
        (Value::Tuple(like), Value::Tuple(found)) => {
            like.len() == found.len() && like.iter().zip(found.iter()).all(|(x, y)| is_like(x, y))
        }
        _ => false,
    }
}

/// Arrays as messages name them: `Arr1<EF32>`.
fn words(value: &Value) -> String {
    match value {
        Value::Whole(arr) => format!("`Arr{}<{}>`", rank_of(arr), text(&arr.types())),
        Value::Tuple(parts) => {
            let parts: Vec<String> = parts.iter().map(words).collect();
            format!("({})", parts.join(", "))
        }
        other => other.kind(),
    }
}

/// A condition: an array of one boolean.
fn condition_of(value: Value, site: Site) -> Arr<Ix0, Exp<bool>> {
    if let Value::Whole(arr) = &value
        && rank_of(arr) == 0
        && arr.types() == [ScalarType::Bool]
    {
        return arr.seen_as(number);
    }
    wrong(
        site,
        "an array of one condition, `Arr0<EBool>`",
        &words(&value),
    );
    crate::arrays::unit(crate::scalar::lit(false))
}
