//! `power` in a function of elements: a loop of the thread that computes the element.
//!
//! The state lies in variables of the thread, so that its parts are scalars and short arrays.

use std::rc::Rc;

use obsidian_rt::arrays::AnyElement;

use super::Call;
use super::power::parts;
use crate::lower::array::{Array, LONGEST_LIST};
use crate::lower::element::{default, int, types};
use crate::lower::steps::{Steps, few};
use crate::lower::value::{Function, Value};
use crate::lower::{Lowered, Lowering};
use crate::syntax::{Base, Span};

/// A loop whose state is a list of values.
#[derive(Clone)]
pub struct Looped {
    lowering: Rc<Lowering>,
    function: Function,
    span: Span,
    /// The base types and the extents of its arrays.
    parts: Vec<(Base, Vec<u32>)>,
    is_tuple: bool,
    start: AnyElement,
}

impl Looped {
    /// The loop of a function from a state on.
    pub fn new(call: &Call, function: Function, state: &Value) -> Lowered<Self> {
        let arrays = parts(call, state)?.unwrap_or_default();
        let size = |array: &Array| array.size().map_or(usize::MAX, |size| size as usize);
        let sizes = arrays.iter().map(size);
        if arrays.is_empty() || sizes.fold(0, usize::saturating_add) > LONGEST_LIST {
            return Err(call.wrong(format!(
                "the state of a `power` in a function of elements has at most {LONGEST_LIST} elements, of arrays whose lengths are known; a `power` outside of it has any"
            )));
        }
        let shapes = arrays.iter().map(|array| {
            let shape = array.shape().unwrap_or_default();
            (array.base, shape)
        });
        Ok(Looped {
            lowering: call.lowering.clone(),
            function,
            span: call.span,
            parts: shapes.collect(),
            is_tuple: matches!(state, Value::Tuple(_)),
            start: joined(&arrays),
        })
    }

    /// Its state behind `n` iterations.
    pub fn run(self, n: &Array) -> Lowered<Value> {
        if self.start.types().is_empty() {
            return Ok(self.state(&self.start));
        }
        let count = int(&n.at()(&[]));
        let text = "a number of iterations is not negative";
        self.lowering.required(self.span, text)(count.ge(0));
        let what = "a loop in a function of elements";
        let count = count.max(0).cast::<u32>();
        let steps = Steps {
            most_written_out: 0,
            ..few(count, self.start.clone(), self.span, what)
        };
        let own = self.clone();
        let last = self.lowering.steps(steps, move |k, state| {
            let next = || own.next(&state);
            own.lowering
                .numbered(k, || own.lowering.inside_or(&own.start, next))
        });
        Ok(self.state(&last))
    }

    fn next(&self, state: &AnyElement) -> Lowered<AnyElement> {
        let next = self
            .lowering
            .call(&self.function, &[self.state(state)], self.span)?;
        let values = match next {
            Value::Tuple(values) => values,
            value => vec![value],
        };
        let arrays = values
            .iter()
            .map(|value| self.lowering.array(value, self.span));
        let arrays = arrays.collect::<Lowered<Vec<Array>>>()?;
        let is_same = |(array, (base, shape)): (&Array, &(Base, Vec<u32>))| {
            array.base == *base && array.shape().as_ref() == Some(shape)
        };
        let all = arrays.len() == self.parts.len();
        if !all || !arrays.iter().zip(&self.parts).all(is_same) {
            let message = "the state of this `power` changes its extents, and a loop in a function of elements keeps them; a `power` outside of it may change them";
            return Err(crate::lower::stop::Stop::wrong(self.span, message));
        }
        Ok(joined(&arrays))
    }

    /// The arrays of a state.
    fn state(&self, state: &AnyElement) -> Value {
        let mut from = 0;
        let mut values = Vec::new();
        for (base, shape) in &self.parts {
            let width = types(*base).len();
            let count = shape.iter().map(|extent| *extent as usize).product();
            let elements = (0..count).map(|n| {
                let start = from + n * width;
                state.parts(start..start + width)
            });
            values.push(Array::list(*base, shape, elements.collect()).into());
            from += width * count;
        }
        match (self.is_tuple, values.len()) {
            (false, 1) => values.remove(0),
            _ => Value::Tuple(values),
        }
    }
}

/// All elements of arrays that are short.
fn joined(arrays: &[Array]) -> AnyElement {
    let elements = arrays.iter().flat_map(|array| {
        let list = array.listed();
        let own = list.unwrap_or_else(|| Rc::from([default(array.base)]));
        own.to_vec()
    });
    AnyElement::joined(elements)
}
