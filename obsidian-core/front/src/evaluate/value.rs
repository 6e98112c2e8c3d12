//! Values of the evaluator, and what the library needs to know of them as elements of arrays.

use std::rc::Rc;
use std::sync::Arc;

use super::call::Answer;
use super::ranks::ranked;
use super::untyped::Untyped;
use super::whole::Whole;
use crate::array::{
    Allocator, Choice, Len, Pull, Push, Sizes, Storable, Writer, load_any, store_any,
};
use crate::arrays::{AnyShape, Boundary, Window};
use crate::error::catalogue;
use crate::ir::{Layout, Level};
use crate::library::{Mutable, Pitch};
use crate::program::{AnyLevel, Program, Thread, Trace};
use crate::reify::Builder;
use crate::scalar::{AnyExp, ArrayId, Exp, Precondition, ScalarType, failed, report, with_site};
use crate::syntax::{Callee, Closure, HostType, Name, Pattern, PatternKind, Type};

/// A value while a kernel is built.
#[derive(Clone)]
pub enum Value {
    /// `()`
    Unit,
    /// A boolean of the host.
    Bool(bool),
    /// An integer of the host, and its type as far as it is known.
    Int(i128, Option<HostType>),
    /// A float of the host, and its type as far as it is known.
    Float(f64, Option<HostType>),
    /// A tuple.
    Tuple(Rc<Vec<Value>>),
    /// A vector or array of the host.
    Vec(Rc<Vec<Value>>),
    /// What is left of an iterator.
    Iter(Rc<Vec<Value>>),
    /// A range: first, end (not included), and the type of its bounds.
    Range(i128, Option<i128>, Option<HostType>),
    /// `Some` or `None`
    Option(Option<Rc<Value>>),
    /// A device value.
    Exp(AnyExp),
    /// A device value whose type is not known yet.
    Untyped(Rc<Untyped>),
    /// A pull array of any rank.
    Pull(Pull<Value, Sizes<Len>>),
    /// A push array of any rank.
    Push(Push<AnyLevel, Value, Sizes<Len>>),
    /// An array of an array program.
    Whole(Whole),
    /// What a stencil reads outside of an array.
    Boundary(Box<Boundary<Value, AnyShape>>),
    /// The elements around one of an array of an array program.
    Window(Window<AnyShape, Value>),
    /// A program.
    Program(Program<AnyLevel, Value>),
    /// A closure, with what it has taken.
    Closure(Rc<ClosureValue>),
    /// A function by name, with the levels of its turbofish.
    Function(Callee, Name, Vec<Option<Level>>),
    /// What takes the elements of a push array.
    Writer(Writer<Value>),
    /// An array that changes.
    Mutable(Mutable<Value, Len>),
    /// What a launch can be asked to check.
    Precondition(Precondition),
    /// Where elements are stored.
    Layout(Pitch),
    /// Which thread holds which element.
    Held(Layout),
    /// A value that a mistake has made impossible.
    Poison,
}

/// A closure and the values that it has taken.
pub struct ClosureValue {
    /// What it does.
    pub closure: Arc<Closure>,
    /// The values for its captures, in order.
    pub taken: Vec<Value>,
    /// The levels of the type parameters around it.
    pub levels: Vec<Option<Level>>,
}

impl std::fmt::Debug for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.kind())
    }
}

impl Value {
    /// What it is, in the user's words.
    pub fn kind(&self) -> String {
        match self {
            Value::Unit => "`()`".into(),
            Value::Bool(_) => "a boolean of the host".into(),
            Value::Int(_, Some(ty)) => format!("a host value of type {}", ty.name()),
            Value::Int(_, None) => "a host integer".into(),
            Value::Float(_, Some(ty)) => format!("a host value of type {}", ty.name()),
            Value::Float(_, None) => "a float of the host".into(),
            Value::Tuple(list) => format!("a tuple of {}", list.len()),
            Value::Vec(_) => "a Vec".into(),
            Value::Iter(_) => "an iterator".into(),
            Value::Range(..) => "a range".into(),
            Value::Option(_) => "an Option".into(),
            Value::Exp(e) => format!("a device value of type {}", e.ty().exp_name()),
            Value::Untyped(_) => "a literal whose type is not known".into(),
            Value::Pull(array) => ranked(array.shape().0.len(), "pull array"),
            Value::Push(array) => ranked(array.shape().0.len(), "push array"),
            Value::Whole(_) => "an array of an array program".into(),
            Value::Boundary(_) => "a boundary".into(),
            Value::Window(_) => "a window of a stencil".into(),
            Value::Program(_) => "a program".into(),
            Value::Closure(_) | Value::Function(..) | Value::Writer(_) => "a function".into(),
            Value::Mutable(_) => "a mutable array".into(),
            Value::Precondition(_) => "a precondition".into(),
            Value::Layout(_) => "a layout".into(),
            Value::Held(_) => "a layout of registers".into(),
            Value::Poison => "a value that could not be computed".into(),
        }
    }

    /// Its type, or the nearest word to it, for messages about operators.
    pub fn type_name(&self) -> String {
        let word = match self {
            Value::Unit => "()",
            Value::Bool(_) => "bool",
            Value::Int(_, Some(ty)) | Value::Float(_, Some(ty)) => ty.name(),
            Value::Int(_, None) => "integer",
            Value::Float(_, None) => "float",
            Value::Tuple(_) => "tuple",
            Value::Vec(_) => "Vec",
            Value::Iter(_) => "iterator",
            Value::Range(..) => "range",
            Value::Option(_) => "Option",
            Value::Exp(e) => return e.ty().exp_name(),
            Value::Untyped(_) => "literal",
            Value::Pull(_) | Value::Push(_) => return self.kind()[2..].to_owned(),
            Value::Whole(_) => "array of an array program",
            Value::Boundary(_) => "boundary",
            Value::Window(_) => "window",
            Value::Program(_) => "program",
            Value::Closure(_) | Value::Function(..) | Value::Writer(_) => "function",
            Value::Mutable(_) => "mutable array",
            Value::Precondition(_) => "precondition",
            Value::Layout(_) | Value::Held(_) => "layout",
            Value::Poison => "unknown",
        };
        word.to_owned()
    }

    /// A tuple.
    pub fn tuple(list: Vec<Value>) -> Value {
        Value::Tuple(Rc::new(list))
    }
}

/// The layout of an element: a scalar or a tuple.
#[derive(Clone, PartialEq, Debug)]
pub enum Shape {
    /// One field.
    Scalar(ScalarType),
    /// Several.
    Tuple(Vec<Shape>),
}

impl Shape {
    /// The layout of a declared element type.
    pub fn of(ty: &Type) -> Option<Shape> {
        match ty {
            Type::Exp(ty) => Some(Shape::Scalar(*ty)),
            Type::Tuple(list) if !list.is_empty() => list
                .iter()
                .map(Shape::of)
                .collect::<Option<_>>()
                .map(Shape::Tuple),
            _ => None,
        }
    }

    /// The types of the fields, in order.
    pub fn fields(&self) -> Vec<ScalarType> {
        match self {
            Shape::Scalar(ty) => vec![*ty],
            Shape::Tuple(list) => list.iter().flat_map(Shape::fields).collect(),
        }
    }

    /// The handle of arrays for the fields.
    pub fn handle(&self, arrays: &mut dyn Iterator<Item = ArrayId>) -> ValueHandle {
        match self {
            Shape::Scalar(ty) => ValueHandle::Scalar(arrays.next().unwrap_or(ArrayId(0)), *ty),
            Shape::Tuple(list) => {
                ValueHandle::Tuple(list.iter().map(|s| s.handle(arrays)).collect())
            }
        }
    }
}

/// Names the arrays that a value is stored in.
#[derive(Clone, Debug)]
pub enum ValueHandle {
    /// One array.
    Scalar(ArrayId, ScalarType),
    /// The fields of a tuple.
    Tuple(Vec<ValueHandle>),
}

impl Storable for Value {
    type Handle = ValueHandle;

    fn alloc(&self, allocator: &mut Allocator) -> ValueHandle {
        match self {
            Value::Exp(e) => ValueHandle::Scalar(allocator.array(e.ty()), e.ty()),
            Value::Tuple(list) => {
                ValueHandle::Tuple(list.iter().map(|v| v.alloc(allocator)).collect())
            }
            Value::Poison => ValueHandle::Tuple(Vec::new()),
            Value::Untyped(untyped) => {
                untyped.report_unknown();
                ValueHandle::Tuple(Vec::new())
            }
            other => {
                not_storable(other);
                ValueHandle::Tuple(Vec::new())
            }
        }
    }

    fn store(&self, handle: &ValueHandle, index: Exp<u32>, trace: &mut Trace<Thread>) {
        match (self, handle) {
            (Value::Exp(e), ValueHandle::Scalar(array, ty)) if e.ty() == *ty => {
                store_any(*array, index, *e, trace)
            }
            (Value::Poison, _) => {}
            (Value::Untyped(untyped), ValueHandle::Scalar(array, ty)) => {
                store_any(*array, index, untyped.typed(*ty), trace);
            }
            (Value::Exp(e), ValueHandle::Scalar(_, ty)) if !failed() => {
                report(catalogue::mixed_elements(
                    &ty.exp_name(),
                    &e.ty().exp_name(),
                ));
            }
            (Value::Tuple(list), ValueHandle::Tuple(handles)) if list.len() == handles.len() => {
                list.iter()
                    .zip(handles)
                    .for_each(|(value, handle)| value.store(handle, index, trace));
            }
            // Another type after a mistake is what is left of that mistake.
            _ if failed() => {}
            (Value::Exp(e), ValueHandle::Tuple(list)) => {
                report(catalogue::mixed_elements(
                    &format!("tuples of {}", list.len()),
                    &e.ty().exp_name(),
                ));
            }
            (Value::Tuple(_), ValueHandle::Tuple(list)) => report(catalogue::mixed_elements(
                &format!("tuples of {}", list.len()),
                &self.kind(),
            )),
            (Value::Tuple(_), ValueHandle::Scalar(_, ty)) => {
                report(catalogue::mixed_elements(&ty.exp_name(), &self.kind()))
            }
            (other, _) => not_storable(other),
        }
    }

    fn load(handle: &ValueHandle, index: Exp<u32>) -> Value {
        match handle {
            ValueHandle::Scalar(array, ty) => Value::Exp(load_any(*array, *ty, index)),
            ValueHandle::Tuple(list) => {
                Value::tuple(list.iter().map(|h| Value::load(h, index)).collect())
            }
        }
    }

    fn read(handle: &ValueHandle, index: Exp<u32>, trace: &mut Trace<Thread>) -> Value {
        match handle {
            ValueHandle::Scalar(array, ty) => {
                Value::Exp(crate::program::read(*array, *ty, index).run(trace))
            }
            ValueHandle::Tuple(list) => {
                Value::tuple(list.iter().map(|h| Value::read(h, index, trace)).collect())
            }
        }
    }

    fn leaves(&self, list: &mut Vec<AnyExp>) {
        match self {
            Value::Exp(e) => list.push(*e),
            Value::Tuple(fields) => fields.iter().for_each(|field| field.leaves(list)),
            Value::Poison => {}
            Value::Untyped(untyped) => untyped.report_unknown(),
            other => not_storable(other),
        }
    }

    fn rebuild(&self, leaves: &mut dyn Iterator<Item = AnyExp>) -> Value {
        match self {
            Value::Exp(_) => leaves.next().map_or(Value::Poison, Value::Exp),
            Value::Tuple(fields) => {
                Value::tuple(fields.iter().map(|field| field.rebuild(leaves)).collect())
            }
            other => other.clone(),
        }
    }

    fn poison() -> Value {
        Value::Poison
    }
}

impl Choice for Value {
    fn choose(condition: Exp<bool>, then: Value, otherwise: Value) -> Value {
        match (&then, &otherwise) {
            (Value::Poison, _) | (_, Value::Poison) => Value::Poison,
            (Value::Exp(x), Value::Exp(y)) => Value::Exp(AnyExp::select(condition, *x, *y)),
            (Value::Untyped(x), Value::Exp(y)) => {
                Value::Exp(AnyExp::select(condition, x.typed(y.ty()), *y))
            }
            (Value::Exp(x), Value::Untyped(y)) => {
                Value::Exp(AnyExp::select(condition, *x, y.typed(x.ty())))
            }
            (Value::Untyped(_), Value::Untyped(_)) => Untyped::choice(condition, then, otherwise),
            (Value::Tuple(x), Value::Tuple(y)) if x.len() == y.len() => {
                let fields = x.iter().zip(y.iter());
                Value::tuple(
                    fields
                        .map(|(x, y)| Value::choose(condition, x.clone(), y.clone()))
                        .collect(),
                )
            }
            _ => {
                report(catalogue::no_choice(&then.kind(), &otherwise.kind()));
                Value::Poison
            }
        }
    }
}

/// An input of a kernel.
pub(super) fn input(builder: &mut Builder, name: &str, shape: &Shape) -> Value {
    let (arrays, length) = builder.input_arrays(name, &shape.fields());
    let handle = shape.handle(&mut arrays.into_iter());
    Pull::new(Len::Dynamic(length), move |i| Value::load(&handle, i)).value()
}

/// A kernel's parameter that it changes.
pub(super) fn in_out(builder: &mut Builder, name: &str, shape: &Shape) -> Value {
    let (arrays, length) = builder.in_out_arrays(name, &shape.fields());
    Value::Mutable(Mutable::of_handle(
        Len::Dynamic(length),
        shape.handle(&mut arrays.into_iter()),
    ))
}

/// The writer that stores elements in given arrays.
pub(super) fn writer(handle: ValueHandle) -> Writer<Value> {
    Rc::new(move |value: Value, index| {
        let handle = handle.clone();
        Program::<Thread, ()>::new(move |trace| value.store(&handle, index, trace))
    })
}

/// The name that a pattern binds, if it is a name.
pub fn pattern_name(pattern: &Pattern) -> Option<&str> {
    match &pattern.kind {
        PatternKind::Bind(_, name, _) => Some(name.trim_start_matches("r#")),
        _ => None,
    }
}

/// Reports a value that cannot be stored; a program, where the call stands that gave it.
fn not_storable(value: &Value) {
    match value {
        Value::Program(program) => {
            let wrong = || report(catalogue::stored_program());
            match program.watch() {
                Some(watch) => with_site(watch.site(), wrong),
                None => wrong(),
            }
        }
        other => report(catalogue::not_storable(&other.kind())),
    }
}
