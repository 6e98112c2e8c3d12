//! Reductions, scans and sorts of a level's threads.

use std::rc::Rc;

use super::sequential::two;
use super::{Eval, Flow, Machine, Value};
use crate::array::{Len, Pull, Push};
use crate::front::catalogue;
use crate::front::syntax::Site;
use crate::ir::Level;
use crate::library;
use crate::program::{AnyLevel, Program, Trace};
use crate::scalar::{AnyExp, BinaryOp, Exp, ScalarType, failed, with_site};

/// Functions of this file; each may have a level as its turbofish.
pub(super) const COLLECTIVES: &[&str] = &[
    "all",
    "any",
    "ballot",
    "exclusive_scan",
    "inclusive_scan",
    "match_any",
    "reduce",
    "sort",
];

impl Machine {
    /// Functions that the threads of a level do together.
    pub(super) fn collectives(
        self: &Rc<Self>,
        name: &str,
        level: Option<Level>,
        arguments: &[Value],
        site: Site,
    ) -> Eval {
        if let ("all" | "any" | "ballot" | "match_any", [arr]) = (name, arguments) {
            return self.masks(name, level, arr, site);
        }
        let push: Push<AnyLevel, Value> = match (name, arguments) {
            ("reduce" | "inclusive_scan", [f, arr]) => {
                let (f, arr) = (
                    two(self.callback(f, site)?),
                    self.static_pull(name, arr, site)?,
                );
                self.at(site, || match name {
                    "reduce" => library::reduce(f, arr),
                    _ => library::inclusive_scan(f, arr),
                })?
            }
            ("exclusive_scan", [f, initial, arr]) => {
                let (f, arr) = (
                    two(self.callback(f, site)?),
                    self.static_pull(name, arr, site)?,
                );
                let initial = self.first_state(initial, |_| arr.at(Exp::poison()))?;
                self.at(site, || library::exclusive_scan(f, initial, arr))?
            }
            ("sort", [before, arr]) => {
                let (before, machine) = (self.callback(before, site)?, self.clone());
                let arr = self.static_pull(name, arr, site)?;
                let before = move |x, y| {
                    let found = machine.order(&before.call(vec![x, y]), site);
                    found.unwrap_or_else(|_| Exp::poison())
                };
                self.at(site, || library::sort(before, arr))?
            }
            _ => {
                let wanted = super::library::arity(name);
                let wrong = catalogue::wrong_count(&format!("`{name}`"), wanted, arguments.len());
                return self.fail(site, wrong);
            }
        };
        // What is wrong with its function is placed at the call, and not where the array ends up.
        let (len, this) = (Len::Static(push.len()), push);
        let placed: Push<AnyLevel, Value, Len> = Push::new(len, move |write| {
            let program = this.write_to(write);
            Program::new(move |trace: &mut Trace<AnyLevel>| {
                with_site(site, || program.run(trace));
            })
        });
        Ok(Value::Push(placed.stamped(level)))
    }

    /// Functions that ask something of all elements at once.
    fn masks(self: &Rc<Self>, name: &str, level: Option<Level>, arr: &Value, site: Site) -> Eval {
        let arr = self.static_pull(name, arr, site)?;
        let machine = self.clone();
        if name == "match_any" {
            let is_equal = move |x: Value, y: Value| {
                let equal = match (&x, &y) {
                    (Value::Exp(x), Value::Exp(y)) => Some(AnyExp::binary(BinaryOp::Eq, *x, *y)),
                    _ => None,
                };
                let wanted = "elements that are device values";
                let wrong = || machine.fail(site, catalogue::wrong_kind(wanted, &x.kind()));
                let equal = equal.map_or_else(|| wrong().map(|_: Value| None), |e| Ok(e.typed()));
                equal.ok().flatten().unwrap_or_else(Exp::poison)
            };
            let program = self.at(site, || library::matches(is_equal, arr))?;
            let masks = program.map(|masks: Pull<Exp<u32>>| {
                let masks = masks.map(|mask| Value::Exp(mask.any()));
                let len = Len::Static(masks.len());
                Value::Pull(masks.set_len(len))
            });
            return Ok(Value::Program(masks.stamped(level)));
        }
        let booleans = arr.map(move |value| match &value {
            Value::Exp(e) if e.ty() == ScalarType::Bool => e.typed().unwrap_or_else(Exp::poison),
            Value::Poison => Exp::poison(),
            other => {
                let wrong = catalogue::wrong_kind("an array of device booleans", &other.kind());
                let _: Eval<Value> = machine.fail(site, wrong);
                Exp::poison()
            }
        });
        let program = self.at(site, || match name {
            "any" => library::any(booleans).map(|x| Value::Exp(x.any())),
            "all" => library::all(booleans).map(|x| Value::Exp(x.any())),
            _ => library::ballot(booleans).map(|x| Value::Exp(x.any())),
        })?;
        Ok(Value::Program(program.stamped(level)))
    }

    /// What the function of a sort gives.
    fn order(&self, value: &Value, site: Site) -> Eval<Exp<bool>> {
        match value {
            Value::Exp(e) if e.ty() == ScalarType::Bool => {
                Ok(e.typed::<bool>().unwrap_or_else(Exp::poison))
            }
            Value::Poison => Err(Flow::Stop),
            _ if failed() => Err(Flow::Stop),
            other => {
                let wanted = "a device boolean: whether the first of two elements stands before the second, such as `a < b`";
                self.fail(site, catalogue::wrong_kind(wanted, &other.kind()))
            }
        }
    }
}
