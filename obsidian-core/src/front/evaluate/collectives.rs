//! Reductions, scans and sorts of a level's threads.

use std::rc::Rc;

use super::sequential::two;
use super::{Eval, Flow, Machine, Value};
use crate::array::{Len, Push};
use crate::front::catalogue;
use crate::front::syntax::Site;
use crate::ir::Level;
use crate::library;
use crate::program::{AnyLevel, Program, Trace};
use crate::scalar::{Exp, ScalarType, failed, with_site};

/// Functions of this file; each may have a level as its turbofish.
pub(super) const COLLECTIVES: &[&str] = &["exclusive_scan", "inclusive_scan", "reduce", "sort"];

impl Machine {
    /// Functions that the threads of a level do together.
    pub(super) fn collectives(
        self: &Rc<Self>,
        name: &str,
        level: Option<Level>,
        arguments: &[Value],
        site: Site,
    ) -> Eval {
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
