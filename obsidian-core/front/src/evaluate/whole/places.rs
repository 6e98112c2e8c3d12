//! Methods of arrays of array programs that put elements at places.

use super::kinds::{text, typed};
use super::methods::{rank_of, types_of};
use super::{Whole, of_coordinates};
use crate::arrays::{Arr, Ix1};
use crate::error::catalogue;
use crate::evaluate::call::Call;
use crate::evaluate::calls::Callback;
use crate::evaluate::{Eval, Machine, Value};
use crate::scalar::Exp;
use crate::syntax::Site;

impl Call<'_> {
    /// An array and defaults of its elements.
    pub(super) fn defaults(&self, value: &Value, arr: &Whole) -> Eval<(Whole, Whole)> {
        self.machine.alike(arr, value, self.site)
    }

    /// The defaults, with each element combined into the one at its place.
    pub(super) fn permute(
        &self,
        f: &Value,
        (arr, defaults): (Whole, Whole),
        place: Callback,
    ) -> Eval<Whole> {
        let f = self.combining(&arr, f)?;
        let (machine, rank, site) = (self.machine.clone(), rank_of(&defaults), self.site);
        Ok(arr.permute(f, defaults, move |index: Vec<Exp<u32>>, x| {
            let found = place.call(vec![of_coordinates(&index), x]);
            machine.placed(found, rank, site)
        }))
    }

    /// The defaults, with each element at its place.
    pub(super) fn scatter(
        &self,
        places: &Whole,
        (arr, defaults): (Whole, Whole),
    ) -> Eval<Arr<Ix1, Value>> {
        let ranks = [rank_of(&arr), rank_of(places)];
        if ranks[0] != ranks[1] {
            return self.fail(catalogue::unequal_ranks(ranks));
        }
        let places = self.of_elements(places, "an array of EU32")?;
        let machine = self.machine;
        machine.is_of_rank("scatter", &defaults, 1..=1, self.site)?;
        Ok(arr.scatter(places, defaults.seen_as(|value| value)))
    }
}

impl Machine {
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
        if both[0] == both[1] {
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
