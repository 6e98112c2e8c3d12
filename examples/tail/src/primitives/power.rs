//! `power(f, n, state)`: a loop over arrays.
//!
//! The iterations are one loop of the array program if the state keeps its extents and the host has to know nothing in between; then the
//! kernels of an iteration are built once. Otherwise the host writes them out one after the other.

use obsidian_rt::arrays::{AnyArr, power as repeat};
use obsidian_rt::language::{EU32, lit};

use super::Call;
use super::control::{one_after_the_other, written_out};
use super::looped::Looped;
use crate::lower::Lowered;
use crate::lower::array::{Array, Source};
use crate::lower::element::int;
use crate::lower::stop::Stop;
use crate::lower::value::{Function, Value};
use crate::syntax::Constant;

/// The most iterations that are written out inside of a function of elements.
const MOST_WRITTEN_OUT: i32 = 16;

pub fn power(call: &Call) -> Lowered<Value> {
    let (function, n, state) = (call.function(0)?, call.array(1)?, call.argument(2)?.clone());
    let fixed = match n.value() {
        Some(Constant::Int(n)) if n < 0 => {
            return Err(call.wrong(format!("`power` of {n} iterations")));
        }
        Some(Constant::Int(0)) => return Ok(state),
        Some(Constant::Int(1)) => return call.lowering.call(&function, &[state], call.span),
        Some(Constant::Int(n)) => Some(n),
        _ => None,
    };
    if !call.lowering.is_outside() {
        return match fixed {
            Some(n) if n <= MOST_WRITTEN_OUT => one_after_the_other(call, n, state),
            _ if call.lowering.has_effect(&function) => written_out(call, &n, state),
            _ => Looped::new(call, function, &state)?.run(&n),
        };
    }
    // The iterations of a loop would draw the same random numbers.
    let differs = call.lowering.has_effect(&function) || call.lowering.mentions(&function, "roll");
    if !differs
        && let Some(parts) = parts(call, &state)?
        && keeps_extents(call, &function, &parts)?
    {
        let times = match (fixed, &n.elements) {
            (Some(n), _) => lit(n.unsigned_abs()),
            (None, elements) => match extent(call, elements, &n) {
                Some(extent) => extent,
                None => match call.lowering.host_int(&n, call.span)? {
                    n @ 0.. => lit(n.unsigned_abs()),
                    n => return Err(call.wrong(format!("`power` of {n} iterations"))),
                },
            },
        };
        return looped(
            call,
            &function,
            times,
            &parts,
            matches!(state, Value::Tuple(_)),
        );
    }
    let n = match fixed {
        Some(n) => n,
        None => call.lowering.host_int(&n, call.span)?,
    };
    one_after_the_other(call, n, state)
}

/// A number of iterations that is the extent of an array; the array program has no other numbers.
fn extent(call: &Call, elements: &Source, n: &Array) -> Option<EU32> {
    match elements {
        Source::List(_) => call.lowering.extent_of(int(&n.at()(&[]))),
        Source::Node(_) | Source::Delayed(_) => None,
    }
}

/// The arrays of a state.
pub fn parts(call: &Call, state: &Value) -> Lowered<Option<Vec<Array>>> {
    let arrays: Vec<Array> = match state {
        Value::Tuple(parts) => {
            let parts = parts
                .iter()
                .map(|part| call.lowering.array(part, call.span));
            parts.collect::<Result<_, _>>()?
        }
        state => vec![call.lowering.array(state, call.span)?],
    };
    Ok((arrays.len() <= MOST_PARTS).then_some(arrays))
}

/// As arrays of the program, of which nothing is known but the extents.
fn opaque(arrays: &[Array]) -> Vec<Array> {
    let node = |array: &Array| Array::node(array.base, array.to_node());
    arrays.iter().map(node).collect()
}

/// Calls the function of a state.
fn step(call: &Call, function: &Function, state: &[Array], is_tuple: bool) -> Lowered<Vec<Array>> {
    let values: Vec<Value> = state.iter().cloned().map(Value::Array).collect();
    let state = match (is_tuple, values.as_slice()) {
        (false, [one]) => one.clone(),
        _ => Value::Tuple(values),
    };
    let next = call.lowering.call(function, &[state], call.span)?;
    let next = parts(call, &next)?;
    next.ok_or_else(|| call.wrong("the state of `power` has too many parts"))
}

/// Does an iteration give arrays of the extents and types that it takes, and need nothing of the host?
fn keeps_extents(call: &Call, function: &Function, parts: &[Array]) -> Lowered<bool> {
    let is_tuple = matches!(call.argument(2)?, Value::Tuple(_));
    let next = call
        .lowering
        .in_loop(|| step(call, function, &opaque(parts), is_tuple));
    let next = match next {
        Ok(next) => next,
        Err(Stop::Varies(_)) => return Ok(false),
        Err(stop) => return Err(stop),
    };
    let is_same = |(a, b): (&Array, &Array)| {
        a.base == b.base && a.shape().is_some() && a.shape() == b.shape()
    };
    Ok(next.len() == parts.len() && parts.iter().zip(&next).all(is_same))
}

fn looped(
    call: &Call,
    function: &Function,
    times: EU32,
    parts: &[Array],
    is_tuple: bool,
) -> Lowered<Value> {
    let mut failed = None;
    let body = |arrays: Vec<AnyArr>| {
        let state = arrays.iter().zip(parts);
        let state: Vec<Array> = state
            .map(|(array, part)| Array::node(part.base, array.clone()))
            .collect();
        match call
            .lowering
            .in_loop(|| step(call, function, &state, is_tuple))
        {
            Ok(next) => next.iter().map(Array::to_node).collect(),
            Err(stop) => {
                failed = Some(stop);
                arrays
            }
        }
    };
    let initial: Vec<AnyArr> = parts.iter().map(Array::to_node).collect();
    let last = states(times, &initial, body);
    call.lowering.check()?;
    if let Some(stop) = failed {
        return Err(stop);
    }
    let last = last.into_iter().zip(parts);
    let mut last: Vec<Value> = last
        .map(|(array, part)| Array::node(part.base, array).into())
        .collect();
    Ok(match (is_tuple, last.len()) {
        (false, 1) => last.remove(0),
        _ => Value::Tuple(last),
    })
}

/// The most arrays of a state that is one of the array layer's.
const MOST_PARTS: usize = 8;

/// A loop whose state is a list: the state of the array layer is a tuple, whose number of parts is a type.
fn states(
    times: EU32,
    initial: &[AnyArr],
    body: impl FnOnce(Vec<AnyArr>) -> Vec<AnyArr>,
) -> Vec<AnyArr> {
    macro_rules! of_parts {
        ($($name:ident)+) => {{
            let mut parts = initial.iter().cloned();
            $(let Some($name) = parts.next() else { return initial.to_vec() };)+
            let made = repeat(times, ($($name,)+), |($($name,)+)| {
                let own = ($($name.clone(),)+);
                let mut next = body(vec![$($name),+]).into_iter();
                let ($($name,)+) = own;
                ($(next.next().unwrap_or($name),)+)
            });
            let ($($name,)+) = made;
            vec![$($name),+]
        }};
    }
    if let [one] = initial {
        let next = |state: AnyArr| {
            body(vec![state.clone()])
                .into_iter()
                .next()
                .unwrap_or(state)
        };
        return vec![repeat(times, one.clone(), next)];
    }
    match initial.len() {
        2 => of_parts!(a b),
        3 => of_parts!(a b c),
        4 => of_parts!(a b c d),
        5 => of_parts!(a b c d e),
        6 => of_parts!(a b c d e f),
        7 => of_parts!(a b c d e f g),
        8 => of_parts!(a b c d e f g h),
        _ => initial.to_vec(),
    }
}
