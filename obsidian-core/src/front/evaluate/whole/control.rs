//! Loops and choices of array programs.

use std::rc::Rc;

use super::functions::text;
use super::methods::{number, rank_of};
use crate::arrays::{Arr, Ix0, Made, Node, State, awhile, if_then, power};
use crate::error::catalogue;
use crate::front::evaluate::calls::Callback;
use crate::front::evaluate::untyped::learns;
use crate::front::evaluate::{Eval, Machine, Value};
use crate::front::syntax::Site;
use crate::scalar::{Exp, ScalarType, report, with_site};

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
}

impl Machine {
    /// A loop, or a choice.
    pub(super) fn whole_control(
        self: &Rc<Self>,
        name: &str,
        arguments: &[Value],
        site: Site,
    ) -> Eval {
        let [first, second, third] = arguments else {
            return Ok(Value::Poison);
        };
        match name {
            "power" => {
                let times = self.one_extent(first, site)?;
                let initial = self.state(second, site)?;
                let body = self.callback(third, site)?;
                let like = initial.clone();
                self.at(site, || {
                    power(times, initial, move |state| {
                        same_state(("the loop state", &like), body.call(vec![state]), site)
                    })
                })
            }
            "awhile" => {
                let initial = self.state(first, site)?;
                let (condition, body) = (self.callback(second, site)?, self.callback(third, site)?);
                let like = initial.clone();
                self.at(site, || {
                    awhile(
                        initial,
                        move |state| condition_of(condition.call(vec![state]), site),
                        move |state| {
                            same_state(("the loop state", &like), body.call(vec![state]), site)
                        },
                    )
                })
            }
            _ => {
                let (then, otherwise) = (self.callback(second, site)?, self.callback(third, site)?);
                let condition = self.at(site, || condition_of(first.clone(), site))?;
                self.at(site, || {
                    // The arrays of the second arm are to be like those of the first.
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
                })
            }
        }
    }

    /// Arrays that can be the state of a loop.
    fn state(&self, value: &Value, site: Site) -> Eval {
        match is_state(value) {
            true => Ok(value.clone()),
            false => self.wrong_kind(ARRAYS, value, site),
        }
    }
}

const ARRAYS: &str = "an array of the program, or a tuple of such";

fn is_state(value: &Value) -> bool {
    match value {
        Value::Whole(_) => true,
        Value::Tuple(parts) => (2..=4).contains(&parts.len()) && parts.iter().all(is_state),
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
    let arrays = f.call(Vec::new());
    if !is_state(&arrays) {
        wrong(site, ARRAYS, &arrays.kind());
        return Value::Poison;
    }
    arrays
}

/// Arrays that have to be like others.
fn same_state((what, like): (&str, &Value), found: Value, site: Site) -> Value {
    if learns() {
        tell(like, &found);
        return found;
    }
    if is_like(like, &found) {
        return found;
    }
    wrong(site, &format!("{what}, {}", words(like)), &words(&found));
    like.clone()
}

/// Arrays that have to be like each other tell each other the types of literals.
fn tell(first: &Value, second: &Value) {
    match (first, second) {
        (Value::Whole(first), Value::Whole(second)) => {
            let elements = [first.some_element(), second.some_element()];
            elements[0].like(&elements[1]);
            elements[1].like(&elements[0]);
        }
        (Value::Tuple(first), Value::Tuple(second)) => {
            let pairs = first.iter().zip(second.iter());
            pairs.for_each(|(first, second)| tell(first, second));
        }
        _ => {}
    }
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
