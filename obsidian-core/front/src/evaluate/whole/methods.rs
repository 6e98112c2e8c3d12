//! Calls of the functions and methods of array programs, and what several of them need.

use std::ops::RangeInclusive;
use std::rc::Rc;

use super::Whole;
use super::kinds::text;
use super::table::{FUNCTIONS, METHODS, names_of_methods};
use crate::array::Storable;
use crate::arrays::{self, AnyShape, Arr, Computed, Ix1, Ix2, Ix3};
use crate::error::catalogue;
use crate::evaluate::call::{Answer, Call};
use crate::evaluate::{Eval, Flow, Machine, Value};
use crate::scalar::{AnyExp, Exp, Literal, Number, Scalar, ScalarType, report, with_site};
use crate::syntax::Site;

/// The number of axes.
pub(super) fn rank_of(arr: &Whole) -> usize {
    arr.extents().len()
}

/// A device value as a value.
pub(super) fn any<T: Scalar>(value: Exp<T>) -> Value {
    Value::Exp(value.any())
}

/// A value as a device value of a type; one of another type has been reported.
pub(super) fn number<T: Scalar>(value: Value) -> Exp<T> {
    let typed = match value {
        Value::Exp(e) => e.typed(),
        Value::Untyped(untyped) => untyped.typed(T::TYPE).typed(),
        _ => None,
    };
    typed.unwrap_or_else(Exp::poison)
}

/// A function of any type of numbers for this one; `bool` is none.
macro_rules! of_type {
    ($ty:expr, $of:ident, $of_bool:expr) => {
        match $ty {
            ScalarType::Bool => $of_bool,
            ScalarType::U8 => $of::<u8>,
            ScalarType::U16 => $of::<u16>,
            ScalarType::U32 => $of::<u32>,
            ScalarType::U64 => $of::<u64>,
            ScalarType::I8 => $of::<i8>,
            ScalarType::I16 => $of::<i16>,
            ScalarType::I32 => $of::<i32>,
            ScalarType::I64 => $of::<i64>,
            ScalarType::F32 => $of::<f32>,
            ScalarType::F64 => $of::<f64>,
        }
    };
}

impl Machine {
    /// Calls a function of array programs.
    pub(in crate::evaluate) fn whole_function(
        self: &Rc<Self>,
        name: &str,
        arguments: &[Value],
        site: Site,
    ) -> Eval {
        if arguments.iter().any(|a| matches!(a, Value::Poison)) {
            return Err(Flow::Stop);
        }
        let call = Call::of_function(self, name, arguments, site);
        call.of(FUNCTIONS, &()).unwrap_or(Err(Flow::Stop))
    }

    /// Calls a method of an array of an array program.
    pub(in crate::evaluate) fn whole_method(self: &Rc<Self>, arr: &Whole, call: &Call<'_>) -> Eval {
        for (axes, rows) in METHODS {
            if rows.iter().any(|row| row.name == call.name) {
                self.is_of_rank(call.name, arr, axes.clone(), call.site)?;
                return call.of(*rows, arr).unwrap_or(Err(Flow::Stop));
            }
        }
        self.no_method(call, "an array of an array program", &names_of_methods())
    }

    /// The element at an index.
    pub(in crate::evaluate) fn whole_at(&self, arr: &Whole, index: &Value, site: Site) -> Eval {
        let index = self.index_of_rank(index, rank_of(arr), site)?;
        self.at(site, || arr.at(index))
    }

    /// An index of an array with this many axes.
    pub(super) fn index_of_rank(
        &self,
        index: &Value,
        rank: usize,
        site: Site,
    ) -> Eval<Vec<Exp<u32>>> {
        let index = self.coordinates(index, site)?;
        if index.len() == rank {
            return Ok(index);
        }
        self.fail(site, catalogue::index_of_another_rank(index.len(), rank))
    }

    /// Refuses an array that has too many or too few axes.
    pub(super) fn is_of_rank(
        &self,
        name: &str,
        arr: &Whole,
        wanted: RangeInclusive<usize>,
        site: Site,
    ) -> Eval<()> {
        let found = rank_of(arr);
        if wanted.contains(&found) {
            return Ok(());
        }
        self.fail(site, catalogue::wrong_rank(name, &wanted, found))
    }

    /// A value of the type of the elements: `what` says what it is for.
    pub(super) fn like_elements(
        &self,
        arr: &Whole,
        (what, value): (&str, &Value),
        site: Site,
    ) -> Eval {
        let like = arr.some_element();
        match value {
            Value::Poison => return Err(Flow::Stop),
            Value::Whole(_) => return self.fail(site, catalogue::array_as_element(what)),
            value if is_function(value) => {
                let wanted = "a function in front of the initial element";
                let found = "one behind it";
                return self.fail(site, catalogue::wrong_kind(wanted, found));
            }
            value => {
                let is_like = value.has_fields_of(&like);
                if !is_like && !matches!(like, Value::Poison) {
                    let wanted = text(&arr.types());
                    let wrong = catalogue::no_such_element(what, &wanted, &value.kind());
                    return self.fail(site, wrong);
                }
            }
        }
        let value = self.at(site, || value.like(&like))?;
        let found = self.at(site, || types_of(&value))?;
        let wanted = arr.types();
        if found == wanted {
            return Ok(value);
        }
        let wrong = catalogue::no_such_element(what, &text(&wanted), &text(&found));
        self.fail(site, wrong)
    }

    /// A function that combines two elements.
    pub(super) fn operator(
        self: &Rc<Self>,
        arr: &Whole,
        f: &Value,
        site: Site,
    ) -> Eval<impl Fn(Value, Value) -> Value + 'static> {
        let f = self.callback(f, site)?;
        let (like, wanted) = (arr.some_element(), arr.types());
        Ok(move |x: Value, y: Value| {
            // What a function of one thread does stands in front of what uses its value.
            let combined = Computed::value(f.call(vec![x, y])).like(&like);
            if crate::scalar::failed() {
                return combined;
            }
            with_site(site, || {
                let found = types_of(&combined);
                if found != wanted && !crate::scalar::failed() {
                    report(catalogue::operator_of_another_type(
                        &text(&wanted),
                        &text(&found),
                    ));
                }
            });
            combined
        })
    }
}

impl Call<'_> {
    /// The one element of an array of numbers, as a number that a run reads.
    pub(super) fn known(&self, arr: &Whole) -> Eval<Value> {
        let types = arr.types();
        if types.as_slice() != [ScalarType::U32] {
            let found = format!("an array whose elements are {}", text(&types));
            return self.fail(catalogue::wrong_kind("an array of EU32", &found));
        }
        let number: Arr<arrays::Ix0, Exp<u32>> = arr.seen_as(number);
        Ok(Value::Exp(number.known().any()))
    }

    /// A reduction of numbers that the library has by name.
    pub(super) fn reduced(&self, arr: &Whole) -> Eval<Whole> {
        let types = arr.types();
        let [ty] = types.as_slice() else {
            let found = format!("an array whose elements are {}", text(&types));
            return self.fail(catalogue::wrong_kind("an array of numbers", &found));
        };
        let of = of_type!(ty, reduced, {
            let found = "an array of EBool: `all` and `any` reduce these";
            return self.fail(catalogue::wrong_kind("an array of numbers", found));
        });
        Ok(of(arr, self.name))
    }
}

fn reduced<T: Number>(arr: &Whole, name: &str) -> Whole {
    let numbers: Arr<AnyShape, Exp<T>> = arr.seen_as(number);
    match name {
        "alternating_sum" => numbers.alternating_sum().seen_as(any),
        "sum" => numbers.sum().seen_as(any),
        "product" => numbers.product().seen_as(any),
        "min" => numbers.min().seen_as(any),
        "max" => numbers.max().seen_as(any),
        "arg_min" => numbers.arg_min().seen_as(any),
        _ => numbers.arg_max().seen_as(any),
    }
}

/// The vector of these elements, which are of one type.
pub(super) fn literal((ty, elements): &(ScalarType, Vec<Literal>)) -> Whole {
    fn of<T: Scalar>(elements: &[Literal]) -> Whole {
        let elements: Vec<T> = elements.iter().map(|one| T::from_literal(*one)).collect();
        arrays::literal(&elements).seen_as(any)
    }
    of_type!(ty, of, of::<bool>)(elements)
}

/// The elements, each with its index.
pub(super) fn indexed(arr: &Whole) -> Value {
    match rank_of(arr) {
        1 => arr.seen_as::<Ix1, Value>(|value| value).indexed().value(),
        2 => arr.seen_as::<Ix2, Value>(|value| value).indexed().value(),
        _ => arr.seen_as::<Ix3, Value>(|value| value).indexed().value(),
    }
}

/// Is it called, instead of used as a value?
pub fn is_function(value: &Value) -> bool {
    matches!(
        value,
        Value::Closure(_) | Value::Function(..) | Value::Writer(_)
    )
}

/// The types of the components of a value.
pub(super) fn types_of(value: &Value) -> Vec<ScalarType> {
    let mut leaves: Vec<AnyExp> = Vec::new();
    value.leaves(&mut leaves);
    leaves.iter().map(|leaf| leaf.ty()).collect()
}
