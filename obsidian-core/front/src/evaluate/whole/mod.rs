//! Whole-array programs: the arrays of the room `arrays` as values, and `#[arrays]` functions.
//!
//! ```text
//! xs.map(|x| x + 1.0).sum()
//!    value    Value::Whole(Arr<AnyShape, Value>): the library's own array, of any shape and element
//!    map      the library's `map`, of a function that calls the closure
//!    sum      seen as Arr<AnyShape, Exp<f32>>, the library's `sum`, seen as an array of values again
//! ```

mod control;
mod kinds;
mod methods;
mod places;
mod stencils;
mod table;

use std::rc::Rc;
use std::sync::Arc;

use super::value::{Shape, Value, pattern_name};
use super::{Eval, Evaluated, Flow, Machine, WORK, too_much};
use crate::arrays::{AnyShape, Arr, ArrayResult, Computed, Declared, Described, Item, Signature};
use crate::error::catalogue;
use crate::error::{Diagnostics, catalogue as errors};
use crate::ir::Level;
use crate::program::Thread;
use crate::scalar::{AnyExp, Exp, ScalarType, bounded, with_site};
use crate::syntax::{Function, Module, Parameter, Site, Type};

pub(crate) use table::functions_of_arrays;
pub(super) use table::names_of_methods as names_of_methods_of_arrays;
pub(super) use table::{boundary, rows};

/// An array of an array program, of any shape and elements.
pub(super) type Whole = Arr<AnyShape, Value>;

impl Item for Value {
    fn like(one: &dyn Fn() -> Value) -> Value {
        one()
    }
}

impl Computed for Value {
    type Value = Value;
    fn value(self) -> Value {
        match self {
            Value::Program(program) => {
                program.stands_at(Some(Level::Thread));
                crate::arrays::item::run_ahead(&program.at_level::<Thread>())
            }
            value => value,
        }
    }
}

/// What compiles an array program: it runs the program's body as often as it likes.
type Compile<'c, C> = &'c dyn Fn(&Described<'_>) -> Result<C, Diagnostics>;

/// Evaluates the n-th function of a module as an array program, which `compile` makes kernels of. See [`evaluate`](super::evaluate).
pub fn evaluate_arrays<C>(
    module: &Arc<Module>,
    function: u32,
    compile: Compile<'_, C>,
) -> Evaluated<C> {
    let machine = Rc::new(Machine::new(module, function));
    let result = match module.functions.get(function as usize) {
        Some(code) => machine.arrays(code, function, compile),
        None => Err(super::no_such_function()),
    };
    machine.evaluated(result)
}

impl Machine {
    fn arrays<C>(
        self: &Rc<Self>,
        function: &Function,
        number: u32,
        compile: Compile<'_, C>,
    ) -> Result<C, Diagnostics> {
        let name_of = |parameter: &Parameter| pattern_name(&parameter.pattern).map(str::to_owned);
        let names: Vec<String> = function
            .parameters
            .iter()
            .enumerate()
            .map(|(n, parameter)| name_of(parameter).unwrap_or_else(|| format!("input_{n}")))
            .collect();
        let settings = function.arrays.as_ref().map(|arrays| arrays.settings);
        compile(&Described {
            name: function.name.trim_start_matches("r#"),
            names: &names,
            settings: settings.unwrap_or_default(),
            bounds: &|f| bounded(WORK, too_much, f),
            body: &|signature| {
                self.taken.set(0);
                self.made.borrow_mut().clear();
                // A flow that leaves the function has been reported.
                let declared = self.declared_arrays(function, number, signature);
                self.report_unused();
                declared.unwrap_or_default()
            },
        })
    }

    /// Runs the function once: its parameters are declared, and its results taken.
    fn declared_arrays(
        self: &Rc<Self>,
        function: &Function,
        number: u32,
        signature: &mut Signature,
    ) -> Eval<Declared> {
        if let Some(generic) = function.generics.first() {
            let words =
                "an array program has no type parameters: it works on the types that it names";
            return self.fail(generic.site, catalogue::bad_signature_of_arrays(words));
        }
        if !is_result(&function.result.ty) {
            let words = "an array program gives an array, such as `Arr1<EF32>`, or a tuple of two to four, which may be tuples again: `(Arr0<EF32>, (Arr1<EF32>, Arr1<EF32>))`";
            return self.fail(
                function.result.site,
                catalogue::bad_signature_of_arrays(words),
            );
        }
        if let Some(ninth) = function.parameters.get(8) {
            let words = "an array program has up to eight parameters: give several arrays of the same extents as one of tuples";
            return self.fail(
                ninth.pattern.site,
                catalogue::bad_signature_of_arrays(words),
            );
        }
        let mut arguments = Vec::new();
        for parameter in &function.parameters {
            arguments.push(self.declared_parameter(parameter, signature)?);
        }
        let value = self.call_function(number, &[], arguments, function.site)?;
        let mut declared = Declared::default();
        self.at(function.result.site, || ())?;
        self.take_results(&value, &mut declared, function.result.site)?;
        Ok(declared)
    }

    fn take_results(&self, value: &Value, declared: &mut Declared, site: Site) -> Eval<()> {
        match value {
            Value::Tuple(list) => {
                let mut parts = list.iter();
                parts.try_for_each(|value| self.take_results(value, declared, site))
            }
            Value::Whole(arr) => self.at(site, || arr.clone().take(declared)),
            Value::Poison => Err(Flow::Stop),
            other => self.wrong_kind("an array of the program", other, site),
        }
    }

    fn declared_parameter(&self, parameter: &Parameter, signature: &mut Signature) -> Eval {
        let site = parameter.pattern.site;
        match parameter.ty.as_ref().map(|ty| (&ty.ty, ty.site)) {
            Some((Type::Arr(rank, element), ty_site)) => {
                let Some(shape) = Shape::of(element) else {
                    let words = "the elements of an array are device values or tuples of them: `Arr1<EF32>`, `Arr2<(EU32, EF32)>`";
                    return self.fail(ty_site, catalogue::bad_signature_of_arrays(words));
                };
                let like = some_value(&shape);
                Ok(with_site(site, || {
                    Value::Whole(signature.array_like(*rank as usize, &like))
                }))
            }
            Some((Type::Exp(ty), _)) => Ok(Value::Exp(signature.scalar_of(*ty))),
            _ => {
                let words = "a parameter of an array program is an array, such as `Arr1<EF32>`, or a value of the device, such as `EU32`";
                self.fail(site, catalogue::bad_signature_of_arrays(words))
            }
        }
    }

    /// Holds an array to its declared type.
    pub(super) fn declared_array(
        &self,
        arr: Whole,
        (rank, element): (u32, &Type),
        site: Site,
    ) -> Eval {
        let found = arr.extents().len();
        if found != rank as usize {
            return self.fail(site, catalogue::array_of_another_rank(rank as usize, found));
        }
        let (wanted, types) = (Shape::of(element), arr.types());
        match wanted.map(|shape| shape.fields()) {
            Some(wanted) if wanted != types => {
                let wrong = errors::mixed_elements(&kinds::text(&wanted), &kinds::text(&types));
                self.fail(site, wrong)
            }
            _ => Ok(Value::Whole(arr)),
        }
    }

    /// Extents, or an index: `()`, a number, or a tuple of numbers.
    fn coordinates(&self, value: &Value, site: Site) -> Eval<Vec<Exp<u32>>> {
        let list = match value {
            Value::Unit => Vec::new(),
            Value::Tuple(list) => list.iter().cloned().collect(),
            one => vec![one.clone()],
        };
        if list.len() > 3 {
            let found = format!("a tuple of {}", list.len());
            return self.fail(site, catalogue::wrong_kind("up to three extents", &found));
        }
        list.iter().map(|one| self.one_extent(one, site)).collect()
    }

    fn one_extent(&self, value: &Value, site: Site) -> Eval<Exp<u32>> {
        let value = self.device_value(value, ScalarType::U32, site)?;
        match value.typed() {
            Some(extent) => Ok(extent),
            None => {
                let found = format!("a device value of type {}", value.ty().exp_name());
                self.fail(site, catalogue::wrong_kind("a value of type EU32", &found))
            }
        }
    }
}

/// Can an array program give this?
fn is_result(ty: &Type) -> bool {
    match ty {
        Type::Arr(..) => true,
        Type::Tuple(list) => (2..=4).contains(&list.len()) && list.iter().all(is_result),
        _ => false,
    }
}

/// A value of some shape of which nothing else is known.
fn some_value(shape: &Shape) -> Value {
    match shape {
        Shape::Scalar(ty) => Value::Exp(AnyExp::poison(*ty)),
        Shape::Tuple(list) => Value::tuple(list.iter().map(some_value).collect()),
    }
}

/// Extents, or an index, as the user sees them.
fn of_coordinates(coordinates: &[Exp<u32>]) -> Value {
    let value = |one: &Exp<u32>| Value::Exp(one.any());
    match coordinates {
        [] => Value::Unit,
        [one] => value(one),
        several => Value::tuple(several.iter().map(value).collect()),
    }
}
