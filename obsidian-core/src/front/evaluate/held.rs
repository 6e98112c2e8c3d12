//! Arrays in registers: `hold`, its layouts, and loops over tiles with a held state.

use std::rc::Rc;

use super::{Eval, Flow, Machine, Value};
use crate::array::{Len, Pull, Push};
use crate::front::catalogue;
use crate::front::syntax::Site;
use crate::ir::{Layout, Level};
use crate::library;
use crate::program::{AnyLevel, Program};
use crate::scalar::{Exp, with_site};

/// Functions of this file; each but `Blocked` may have a level as its turbofish.
pub(super) const HELD: &[&str] = &["Blocked", "exchange", "hold", "hold_as", "tiles_fold"];

/// A step over a tile: what it gives is the next state.
type Step = Program<AnyLevel, Push<AnyLevel, Value>>;

impl Machine {
    /// Functions that hold arrays.
    pub(super) fn held(
        self: &Rc<Self>,
        name: &str,
        level: Option<Level>,
        arguments: &[Value],
        site: Site,
    ) -> Eval {
        let program: Program<AnyLevel, Pull<Value>> = match (name, arguments) {
            ("Blocked", [run]) => {
                let run = self.count(run, "the number of neighbours", site)?;
                return Ok(Value::Held(Layout::Blocked(run)));
            }
            ("hold", [array]) => {
                let push = self.push_array(array, "`hold`", site)?;
                let level = level.or(push.level());
                self.at(site, || library::hold(push))?.stamped(level)
            }
            ("hold_as", [layout, array]) => {
                let (layout, array) = (
                    self.held_layout(layout, site)?,
                    self.static_pull(name, array, site)?,
                );
                self.at(site, || library::hold_as(layout, array))?
            }
            ("exchange", [from, to, array]) => {
                let (from, to) = (self.held_layout(from, site)?, self.held_layout(to, site)?);
                let array = self.static_pull(name, array, site)?;
                self.at(site, || library::exchange(from, to, array))?
            }
            ("tiles_fold", [input, tile, state, whole, rest]) => {
                self.tiles_fold(input, tile, state, [whole, rest], site)?
            }
            _ => {
                let wanted = super::library::arity(name);
                let wrong = catalogue::wrong_count(&format!("`{name}`"), wanted, arguments.len());
                return self.fail(site, wrong);
            }
        };
        let program =
            program.map(|pull: Pull<Value>| Value::Pull(pull.set_len(Len::Static(pull.len()))));
        Ok(Value::Program(program.stamped(level)))
    }

    fn held_layout(&self, layout: &Value, site: Site) -> Eval<Layout> {
        match layout {
            Value::Held(layout) => Ok(*layout),
            Value::Poison => Err(Flow::Stop),
            other => {
                let wanted = "a layout of registers, `Striped` or `Blocked(k)`";
                self.fail(site, catalogue::wrong_kind(wanted, &other.kind()))
            }
        }
    }

    fn tiles_fold(
        self: &Rc<Self>,
        input: &Value,
        tile: &Value,
        state: &Value,
        [whole, rest]: [&Value; 2],
        site: Site,
    ) -> Eval<Program<AnyLevel, Pull<Value>>> {
        let input = self.pull(input, site)?;
        let tile = self.count(tile, "the number of elements of a tile", site)?;
        let state = self.push_array(state, "`tiles_fold`", site)?;
        let (whole, rest) = (self.callback(whole, site)?, self.callback(rest, site)?);
        let [on_whole, on_rest] = [self.clone(), self.clone()];
        let array = |pull: Pull<Value>| Value::Pull(pull.set_len(Len::Static(pull.len())));
        self.at(site, || {
            library::tiles_fold(
                input,
                tile,
                state,
                move |state, tile| {
                    let next = with_site(site, || whole.call(vec![array(state), array(tile)]));
                    on_whole.next_state(&next, site)
                },
                move |state, tile: Pull<Value, Exp<u32>>| {
                    let tile = Value::Pull(tile.set_len(Len::Dynamic(tile.len())));
                    let next = with_site(site, || rest.call(vec![array(state), tile]));
                    on_rest.next_state(&next, site)
                },
            )
        })
    }

    /// What a step over a tile gives: a program that gives an array.
    fn next_state(self: &Rc<Self>, next: &Value, site: Site) -> Step {
        let machine = self.clone();
        self.program_or_nothing(next, site).map(move |value| {
            let push = machine.push_array(&value, "`tiles_fold`", site);
            push.unwrap_or_else(|_| Push::new(0, |_| Program::new(|_| ())))
        })
    }
}
