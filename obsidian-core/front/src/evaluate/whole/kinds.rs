//! What the arguments of functions and methods of array programs are taken as: the kinds of the rows of the
//! [table](super::table).

use super::methods::{is_function, number, rank_of};
use super::{Whole, of_coordinates};
use crate::arrays::{AnyShape, Arr, Boundary, Computed, Ix1};
use crate::error::catalogue;
use crate::evaluate::call::Call;
use crate::evaluate::calls::Callback;
use crate::evaluate::{Eval, Flow, Machine, Value};
use crate::scalar::{Exp, Literal, Scalar, ScalarType, report, with_site};
use crate::syntax::Site;

impl Machine {
    /// A value as an array of the program.
    pub(super) fn whole(&self, value: &Value, site: Site) -> Eval<Whole> {
        match value {
            Value::Whole(arr) => Ok(arr.clone()),
            Value::Poison => Err(Flow::Stop),
            other => self.wrong_kind("an array of the program", other, site),
        }
    }
}

impl Call<'_> {
    /// An array of the program.
    pub(super) fn whole(&self, value: &Value) -> Eval<Whole> {
        self.machine.whole(value, self.site)
    }

    /// An array with as many axes as another one.
    pub(super) fn same_axes(&self, value: &Value, other: &Whole) -> Eval<Whole> {
        let arr = self.whole(value)?;
        let ranks = [rank_of(other), rank_of(&arr)];
        match ranks[0] == ranks[1] {
            true => Ok(arr),
            false => self.fail(catalogue::unequal_ranks(ranks)),
        }
    }

    /// An array of one axis.
    pub(super) fn vector(&self, value: &Value) -> Eval<Arr<Ix1, Value>> {
        let arr = self.whole(value)?;
        let machine = self.machine;
        machine.is_of_rank(self.name, &arr, 1..=1, self.site)?;
        Ok(arr.seen_as(|value| value))
    }

    /// An array of numbers.
    pub(super) fn whole_numbers(&self, value: &Value) -> Eval<Arr<AnyShape, Exp<u32>>> {
        self.of_elements(&self.whole(value)?, "an array of EU32")
    }

    /// An array of conditions.
    pub(super) fn conditions(&self, arr: &Whole) -> Eval<Arr<AnyShape, Exp<bool>>> {
        self.of_elements(arr, "an array of EBool")
    }

    /// An array whose elements are of one type.
    pub(super) fn of_elements<T: Scalar>(
        &self,
        arr: &Whole,
        wanted: &str,
    ) -> Eval<Arr<AnyShape, Exp<T>>> {
        let types = arr.types();
        if types == [T::TYPE] {
            return Ok(arr.seen_as(number));
        }
        let found = format!("an array whose elements are {}", text(&types));
        self.fail(catalogue::wrong_kind(wanted, &found))
    }

    /// Flags, one for each element.
    pub(super) fn flags(&self, value: &Value, arr: &Whole) -> Eval<Arr<AnyShape, Exp<bool>>> {
        if is_function(value) {
            return self
                .machine
                .wrong_kind("an array of flags", value, self.site);
        }
        self.conditions(&self.same_axes(value, arr)?)
    }

    /// Where segments begin.
    pub(super) fn offsets(&self, value: &Value) -> Eval<Arr<Ix1, Exp<u32>>> {
        if is_function(value) {
            let wanted = "an array of offsets";
            return self.machine.wrong_kind(wanted, value, self.site);
        }
        let offsets = self.vector(value)?.seen_as(|value| value);
        Ok(self
            .of_elements(&offsets, "an array of EU32")?
            .seen_as(|value| value))
    }

    /// An array whose elements are tuples of so many.
    pub(super) fn tuples(&self, value: &Value, fields: usize) -> Eval<Whole> {
        let arr = self.whole(value)?;
        match arr.some_element() {
            Value::Tuple(list) if list.len() == fields => Ok(arr),
            Value::Poison => Err(Flow::Stop),
            other => {
                let wanted = format!("an array of tuples of {fields}");
                let found = format!("an array whose elements are each {}", other.kind());
                self.fail(catalogue::wrong_kind(&wanted, &found))
            }
        }
    }

    /// Extents, or an index.
    pub(super) fn coordinates(&self, value: &Value) -> Eval<Vec<Exp<u32>>> {
        self.machine.coordinates(value, self.site)
    }

    /// A number of elements, or an index along one axis.
    pub(super) fn one_extent(&self, value: &Value) -> Eval<Exp<u32>> {
        self.machine.one_extent(value, self.site)
    }

    /// A number of the host, and what it is for.
    pub(super) fn host_count(&self, value: &Value, what: &str) -> Eval<u32> {
        self.machine.host_count(value, what, self.site)
    }

    /// What a fold or a scan begins with: like the elements of an array.
    pub(super) fn initial(&self, value: &Value, arr: &Whole) -> Eval {
        let initial = ("the initial element", value);
        self.machine.like_elements(arr, initial, self.site)
    }

    /// A function that combines two elements, which [`combining`](Self::combining) looks at.
    pub(super) fn operator(&self, value: &Value) -> Eval {
        Ok(value.clone())
    }

    /// A function that combines two elements of an array.
    pub(super) fn combining(
        &self,
        arr: &Whole,
        f: &Value,
    ) -> Eval<impl Fn(Value, Value) -> Value + 'static> {
        self.machine.operator(arr, f, self.site)
    }

    /// A function that makes the next state of a state and an element.
    pub(super) fn stepping(
        &self,
        f: &Value,
        initial: &Value,
    ) -> Eval<impl Fn(Value, Value) -> Value + 'static> {
        if is_function(initial) {
            let wanted = "a function in front of the initial state";
            return self.wrong(wanted, initial);
        }
        if let Value::Whole(_) = initial {
            return self.fail(catalogue::array_as_element("the initial state"));
        }
        let (f, initial) = (self.function(f)?, initial.clone());
        Ok(move |x, y| Computed::value(f.call(vec![x, y])).like(&initial))
    }

    /// Numbers of the host, or booleans, all of one type.
    pub(super) fn numbers_of_the_host(&self, value: &Value) -> Eval<(ScalarType, Vec<Literal>)> {
        let wanted = "an array of numbers of the host, such as `&[0.25, 0.5, 0.25]`";
        let Value::Vec(list) = value else {
            return self.wrong(wanted, value);
        };
        let mut literals = Vec::with_capacity(list.len());
        for one in list.iter() {
            let known = match self.lit(one)? {
                Value::Exp(e) => e.as_literal(),
                Value::Untyped(untyped) => {
                    untyped.report_unknown();
                    return Err(Flow::Stop);
                }
                _ => None,
            };
            match known {
                Some(literal) => literals.push(literal),
                None => return self.wrong(wanted, one),
            }
        }
        let Some(ty) = literals.first().map(|one| one.ty()) else {
            return self.wrong(wanted, &Value::Unit);
        };
        if let Some(other) = literals.iter().find(|one| one.ty() != ty) {
            let (first, other) = (ty.exp_name(), other.ty().exp_name());
            return self.fail(catalogue::mixed_elements(&first, &other));
        }
        Ok((ty, literals))
    }

    /// A function that says whether elements are kept.
    pub(super) fn predicate(&self, value: &Value) -> Eval<Callback> {
        if let Value::Whole(_) = value {
            let wanted = "a function of an element";
            return self.machine.wrong_kind(wanted, value, self.site);
        }
        self.function(value)
    }

    /// What a function says of elements: a condition.
    pub(super) fn condition_of(&self, f: Callback) -> impl Fn(Vec<Value>) -> Exp<bool> + 'static {
        let site = self.site;
        move |elements| typed(f.call(elements), "a condition, an EBool", site)
    }

    /// What a function tells of an element: a number.
    pub(super) fn number_of(&self, f: Callback) -> impl Fn(Value) -> Exp<u32> + 'static {
        let site = self.site;
        move |x| typed(f.call(vec![x]), "a number, an EU32", site)
    }

    /// What a function makes of an index: an index of an array.
    pub(super) fn places(
        &self,
        f: Callback,
        arr: &Whole,
    ) -> impl Fn(Vec<Exp<u32>>) -> Vec<Exp<u32>> + 'static {
        let (machine, rank, site) = (self.machine.clone(), rank_of(arr), self.site);
        move |index| {
            let place = f.call(vec![of_coordinates(&index)]);
            let place = machine.index_of_rank(&place, rank, site);
            place.unwrap_or_else(|_| vec![Exp::poison(); rank])
        }
    }

    /// What a stencil of an array reads outside of it.
    pub(super) fn boundary(&self, value: &Value, arr: &Whole) -> Eval<Boundary<Value, AnyShape>> {
        self.machine.boundary_of(arr, value, self.site)
    }
}

/// A device value of a type; another one is reported.
pub(super) fn typed<T: Scalar>(value: Value, wanted: &str, site: Site) -> Exp<T> {
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

/// The types of the components of an element, for messages.
pub(super) fn text(types: &[ScalarType]) -> String {
    let names: Vec<String> = types.iter().map(|ty| ty.exp_name()).collect();
    match names.as_slice() {
        [one] => one.clone(),
        several => format!("({})", several.join(", ")),
    }
}
