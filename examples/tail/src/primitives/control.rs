//! Loops and choices over scalars: `powerScl`, `condScl`. `power` is in [`super::power`].

use obsidian_rt::language::EU32;

use super::{Call, Primitive, power};
use crate::lower::Lowered;
use crate::lower::array::Array;
use crate::lower::element::{boolean, int};
use crate::lower::steps::{Steps, few};
use crate::lower::stop::Stop;
use crate::lower::value::Value;
use crate::syntax::Constant;

pub fn find(name: &str) -> Option<Primitive> {
    Some(match name {
        "power" => power::power,
        "powerScl" => repeat,
        "condScl" => choice,
        _ => return None,
    })
}

/// The most iterations of a loop over known scalars that are written out.
const MOST_WRITTEN_OUT: i32 = 64;

/// `powerScl(f, n, x)`
fn repeat(call: &Call) -> Lowered<Value> {
    let (function, n, x) = (call.function(0)?, call.array(1)?, call.array(2)?);
    let (lowering, base) = (call.lowering.clone(), x.base);
    let has_effect = lowering.has_effect(&function);
    if lowering.is_outside() && has_effect {
        let n = lowering.host_int(&n, call.span)?;
        return one_after_the_other(call, n, x.into());
    }
    if let Some(Constant::Int(n)) = n.value() {
        if n < 0 {
            return Err(call.wrong(format!("`powerScl` of {n} iterations")));
        }
        let is_known = x.is_known() && lowering.is_known(&function);
        if n <= MOST_WRITTEN_OUT && is_known {
            return one_after_the_other(call, n, x.into());
        }
    }
    if has_effect {
        return written_out(call, &n, x.into());
    }
    let (count, start, span) = (n.at(), x.at(), call.span);
    let required = lowering.required(span, "a number of iterations is not negative");
    let made = call.lowering.made(base, Vec::new(), false, move |_| {
        let (own, function) = (lowering.clone(), function.clone());
        let step = move |k: EU32, x| {
            let call = || own.call_element(&function, &[(base, x)], span);
            own.numbered(k, || own.inside(base, call))
        };
        let count = int(&count(&[]));
        required(count.ge(0));
        let count = count.max(0).cast::<u32>();
        let what = "a loop in a function of elements";
        let steps = Steps {
            most_written_out: 0,
            ..few(count, start(&[]), span, what)
        };
        lowering.steps(steps, step)
    });
    made.map(Value::Array)
}

/// The iterations one after the other, by the host.
pub fn one_after_the_other(call: &Call, n: i32, start: Value) -> Lowered<Value> {
    let function = call.function(0)?;
    let mut state = start;
    call.lowering.writes_out(n, call.span)?;
    for _ in 0..n {
        let next = call.lowering.call(&function, &[state], call.span)?;
        state = call.lowering.computed(next);
    }
    Ok(state)
}

/// The iterations of a function that changes variables of the function of elements around it: one after the other, so that their number has to be known.
pub fn written_out(call: &Call, n: &Array, start: Value) -> Lowered<Value> {
    match n.value() {
        Some(Constant::Int(n)) if n <= MOST_WRITTEN_OUT => one_after_the_other(call, n, start),
        _ => Err(call.wrong(format!(
            "this loop in a function of elements changes a variable of it, which is for at most {MOST_WRITTEN_OUT} iterations, and for a number that is written out; make the variable a part of the loop's state, or bind it in the loop"
        ))),
    }
}

/// `condScl(f, condition, x)`
fn choice(call: &Call) -> Lowered<Value> {
    let (function, condition, x) = (call.function(0)?, call.array(1)?, call.array(2)?);
    let (lowering, base, span) = (call.lowering.clone(), x.base, call.span);
    if lowering.is_outside() && (lowering.has_effect(&function) || condition.value().is_some()) {
        return decided(call);
    }
    if lowering.has_effect(&function) {
        // It changes variables here, where the condition holds.
        let is_true = boolean(&condition.at()(&[]));
        let changed = lowering.under(is_true, || {
            lowering.call(&function, &[x.clone().into()], span)
        })?;
        let changed = lowering.array(&changed, span)?;
        return lowering
            .chosen(&condition, &changed, &x, span)
            .map(Value::Array);
    }
    let (is_true, at) = (condition.at(), x.at());
    let is_known = condition.is_known() && x.is_known() && lowering.is_known(&function);
    let made = call.lowering.made(base, Vec::new(), is_known, move |_| {
        let x = at(&[]);
        let then = || {
            lowering.inside(base, || {
                lowering.call_element(&function, &[(base, x.clone())], span)
            })
        };
        lowering.one_of(boolean(&is_true(&[])), then, || x.clone())
    });
    match made {
        Err(Stop::Mistake(_)) if call.lowering.is_outside() => decided(call),
        made => made.map(Value::Array),
    }
}

/// The host decides.
fn decided(call: &Call) -> Lowered<Value> {
    let condition = call.lowering.host(&call.array(1)?, call.span)?;
    match condition.value() {
        Some(Constant::Bool(true)) => {
            call.lowering
                .call(&call.function(0)?, &[call.argument(2)?.clone()], call.span)
        }
        _ => Ok(call.argument(2)?.clone()),
    }
}
