//! Methods of arrays of array programs that put elements in order, or at places.

use std::rc::Rc;

use super::functions::text;
use super::methods::{number, rank_of, types_of};
use super::{Whole, of_coordinates};
use crate::arrays::{AnyShape, Arr, Ix1};
use crate::front::catalogue;
use crate::front::evaluate::arrays::Method;
use crate::front::evaluate::calls::Callback;
use crate::front::evaluate::{Eval, Machine, Value, untyped};
use crate::front::syntax::Site;
use crate::scalar::{Exp, Scalar, ScalarType, lit, report, with_site};

impl Machine {
    /// A sort, or a method whose elements say where they go or how often.
    pub(super) fn whole_places(self: &Rc<Self>, arr: &Whole, call: &Method<'_>) -> Eval {
        let (site, name) = (call.site, call.name);
        let vector = || arr.seen_as::<Ix1, Value>(|value| value);
        let all = |arr: Arr<Ix1, Value>| Value::Whole(arr.seen_as(|value| value));
        match (name, call.arguments) {
            ("sort", []) => self.at(site, || all(vector().sort())),
            ("sort_by_key", [f]) => {
                let f = self.callback(f, site)?;
                self.at(site, || all(vector().sort_by_key(move |x| f.call(vec![x]))))
            }
            ("sort_by_bits", [bits, f]) => {
                let bits = self.count(bits, "the number of bits", site)?;
                let f = self.callback(f, site)?;
                self.at(site, || {
                    all(vector().sort_by_bits(bits, move |x| told(&f, vec![x], site)))
                })
            }
            ("expand", [count, f]) => {
                let (count, f) = (self.callback(count, site)?, self.callback(f, site)?);
                self.at(site, || {
                    let count = move |x| told(&count, vec![x], site);
                    all(vector().expand(count, move |x, j: Exp<u32>| {
                        f.call(vec![x, Value::Exp(j.any())])
                    }))
                })
            }
            ("permute", [f, defaults, place]) => {
                let (arr, defaults) = self.alike(arr, defaults, site)?;
                let f = self.operator(&arr, ("permute", f), site)?;
                if arr.types().is_empty() && untyped::learns() {
                    return self.at(site, || Value::Whole(learnt(f, &arr, &defaults)));
                }
                let place = self.callback(place, site)?;
                let (machine, rank) = (self.clone(), rank_of(&defaults));
                let made = self.at(site, || {
                    arr.permute(f, defaults, move |index: Vec<Exp<u32>>, x| {
                        let found = place.call(vec![of_coordinates(&index), x]);
                        machine.placed(found, rank, site)
                    })
                });
                made.map(Value::Whole)
            }
            ("scatter", [places, defaults]) => {
                let places = self.whole(places, site)?;
                let ranks = [rank_of(arr), rank_of(&places)];
                if ranks[0] != ranks[1] {
                    return self.fail(site, catalogue::unequal_ranks(ranks));
                }
                let types = places.types();
                if types != [ScalarType::U32] {
                    let found = format!("an array whose elements are {}", text(&types));
                    return self.fail(site, catalogue::wrong_kind("an array of EU32", &found));
                }
                let (arr, defaults) = self.alike(arr, defaults, site)?;
                self.is_of_rank("scatter", &defaults, 1..=1, site)?;
                self.at(site, || {
                    let places: Arr<AnyShape, Exp<u32>> = places.seen_as(number);
                    let defaults = defaults.seen_as::<Ix1, Value>(|value| value);
                    all(arr.scatter(places, defaults))
                })
            }
            _ => self.no_whole_method(call),
        }
    }

    /// An array and defaults of its elements. Literals in one have the types of the other.
    fn alike(&self, arr: &Whole, defaults: &Value, site: Site) -> Eval<(Whole, Whole)> {
        let defaults = self.whole(defaults, site)?;
        let likes = [arr.some_element(), defaults.some_element()];
        let [like, like_default] = likes.clone();
        let typed: Whole = arr.seen_as(move |value: Value| value.like(&like_default));
        let defaults: Whole = defaults.seen_as(move |value: Value| value.like(&like));
        let both = self.at(site, || {
            [typed.some_element(), defaults.some_element()].map(|one| types_of(&one))
        })?;
        if both[0] == both[1] || untyped::learns() {
            return Ok((typed, defaults));
        }
        let (wanted, found) = (text(&both[0]), text(&both[1]));
        let wrong = catalogue::no_such_element("an element of the defaults", &wanted, &found);
        self.fail(site, wrong)
    }

    /// A condition and a place.
    fn placed(&self, found: Value, rank: usize, site: Site) -> (Exp<bool>, Vec<Exp<u32>>) {
        let none = (Exp::poison(), vec![Exp::poison(); rank]);
        let Value::Tuple(parts) = &found else {
            let wrong = "a condition and a place, `(true, i)`";
            let _ = self.fail::<()>(site, catalogue::wrong_kind(wrong, &found.kind()));
            return none;
        };
        let [condition, place] = &parts[..] else {
            let wrong = "a condition and a place, `(true, i)`";
            let _ = self.fail::<()>(site, catalogue::wrong_kind(wrong, &found.kind()));
            return none;
        };
        let condition = typed(condition.clone(), "a condition, an EBool", site);
        match self.index_of_rank(place, rank, site) {
            Ok(place) => (condition, place),
            Err(_) => none,
        }
    }
}

/// What a function tells of elements: a number.
fn told(f: &Callback, elements: Vec<Value>, site: Site) -> Exp<u32> {
    typed(f.call(elements), "a number, an EU32", site)
}

/// A device value of a type; another one is reported.
fn typed<T: Scalar>(value: Value, wanted: &str, site: Site) -> Exp<T> {
    let is_typed = match &value {
        Value::Exp(e) => e.ty() == T::TYPE,
        Value::Untyped(_) => T::TYPE != ScalarType::Bool,
        _ => false,
    };
    if !is_typed {
        let kind = value.kind();
        with_site(site, || {
            if !crate::scalar::failed() {
                report(catalogue::wrong_kind(wanted, &kind));
            }
        });
        return Exp::poison();
    }
    number(value)
}

/// What tells the types of literals as `permute` does, where nothing else tells them yet.
fn learnt(f: impl Fn(Value, Value) -> Value + 'static, arr: &Whole, defaults: &Whole) -> Whole {
    let (arr, defaults) = (arr.clone(), defaults.clone());
    let first = vec![lit(0u32); rank_of(&arr)];
    crate::arrays::generate(defaults.extents(), move |index: Vec<Exp<u32>>| {
        f(defaults.at(index), arr.at(first.clone()))
    })
}
