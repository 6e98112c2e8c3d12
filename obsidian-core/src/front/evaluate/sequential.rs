//! Loops of one thread with a state, and `s_map_accum`.

use std::rc::Rc;

use super::calls::Callback;
use super::{Eval, Machine, Value};
use crate::array::{Len, Pull, Push};
use crate::front::catalogue;
use crate::front::syntax::Site;
use crate::ir::Level;
use crate::library;
use crate::program::{AnyLevel, Program, Thread, Trace, pure};
use crate::scalar::{Exp, with_site};

/// Functions of this file.
pub(super) const SEQUENTIAL: &[&str] = &[
    "map_accum_l",
    "map_accum_r",
    "s_map_accum",
    "seq_iterate",
    "seq_reduce",
    "seq_scan",
    "seq_scan_cin",
    "seq_until",
];

/// A function of two arguments, as the library takes it.
pub(super) fn two(f: Callback) -> impl Fn(Value, Value) -> Value + 'static {
    move |x, y| f.call(vec![x, y])
}

fn of_thread(program: &Program<Thread, Value>) -> Eval {
    Ok(Value::Program(program.at_level()))
}

/// A push array of one thread, whose mistakes are placed at the call that made it.
fn push_of_thread(push: &Push<Thread, Value, Len>, site: Site) -> Eval {
    let push = push.clone();
    let any: Push<AnyLevel, Value, Len> = Push::new(push.len(), move |write| {
        let program = push.write_to(write);
        Program::new(move |trace: &mut Trace<Thread>| with_site(site, || program.run(trace)))
            .at_level()
    });
    Ok(Value::Push(any.stamped(Some(Level::Thread))))
}

impl Machine {
    /// Sequential functions.
    pub(super) fn sequential(
        self: &Rc<Self>,
        name: &str,
        level: Option<Level>,
        arguments: &[Value],
        site: Site,
    ) -> Eval {
        match (name, arguments) {
            ("seq_reduce", [f, arr]) => {
                let (f, arr) = (self.callback(f, site)?, self.pull(arr, site)?);
                of_thread(&self.at(site, || library::seq_reduce(two(f), arr))?)
            }
            ("seq_iterate", [n, f, init]) => {
                let (n, f) = (self.number(n, site)?, self.callback(f, site)?);
                let f = move |i: Exp<u32>, x| f.call(vec![Value::Exp(i.any()), x]);
                let init = self.first_state(init, |x| f(Exp::poison(), x))?;
                of_thread(&self.at(site, || library::seq_iterate(n, f, init))?)
            }
            ("seq_until", [f, cond, init]) => {
                let (f, cond, machine) = (
                    self.callback(f, site)?,
                    self.callback(cond, site)?,
                    self.clone(),
                );
                let cond = move |x| {
                    machine
                        .loop_condition("seq_until", &cond.call(vec![x]), site)
                        .unwrap_or_else(|_| Exp::poison())
                };
                let f = move |x| f.call(vec![x]);
                let init = self.first_state(init, &f)?;
                of_thread(&self.at(site, || library::seq_until(f, cond, init))?)
            }
            ("seq_scan", [f, arr]) => {
                let (f, arr) = (self.callback(f, site)?, self.pull(arr, site)?);
                push_of_thread(&self.at(site, || library::seq_scan(two(f), arr))?, site)
            }
            ("seq_scan_cin", [f, cin, arr]) => {
                let (f, arr) = (self.callback(f, site)?, self.pull(arr, site)?);
                let cin = self.first_state(cin, |_| arr.at(Exp::poison()))?;
                push_of_thread(
                    &self.at(site, || library::seq_scan_cin(two(f), cin, arr))?,
                    site,
                )
            }
            ("map_accum_l" | "map_accum_r", [f, acc, arr]) => {
                let (f, arr, machine) =
                    (self.callback(f, site)?, self.pull(arr, site)?, self.clone());
                let f = move |acc, x| machine.two_of(f.call(vec![acc, x]), site);
                let acc = self.first_state(acc, |acc| f(acc, arr.at(Exp::poison())).0)?;
                push_of_thread(
                    &self.at(site, || match name {
                        "map_accum_l" => library::map_accum_l(f, acc, arr),
                        _ => library::map_accum_r(f, acc, arr),
                    })?,
                    site,
                )
            }
            ("s_map_accum", [f, acc, pieces]) => self.s_map_accum(f, acc, pieces, level, site),
            _ => self.fail(
                site,
                catalogue::wrong_count(
                    &format!("`{name}`"),
                    super::library::arity(name),
                    arguments.len(),
                ),
            ),
        }
    }

    /// The two fields of a pair; poison after a mistake.
    fn two_of(&self, value: Value, site: Site) -> (Value, Value) {
        match &value {
            Value::Tuple(list) if list.len() == 2 => (list[0].clone(), list[1].clone()),
            Value::Poison => (Value::Poison, Value::Poison),
            other => {
                let wrong =
                    catalogue::wrong_kind("a pair of the next state and an element", &other.kind());
                let stop: Eval<(Value, Value)> = self.fail(site, wrong);
                stop.unwrap_or((Value::Poison, Value::Poison))
            }
        }
    }

    fn s_map_accum(
        self: &Rc<Self>,
        f: &Value,
        acc: &Value,
        pieces: &Value,
        level: Option<Level>,
        site: Site,
    ) -> Eval {
        let (f, pieces, machine) = (
            self.callback(f, site)?,
            self.pull(pieces, site)?,
            self.clone(),
        );
        let inner = self.clone();
        let pieces: Pull<Pull<Value, Len>, Len> = pieces.map(move |piece| {
            let piece = inner.pull(&piece, site);
            piece.unwrap_or_else(|_| Pull::new(Len::Static(0), |_| Value::Poison))
        });
        let step = move |acc: Value, piece: Pull<Value, Len>| {
            let machine = machine.clone();
            let program = machine
                .program(&f.call(vec![acc, Value::Pull(piece)]), site)
                .unwrap_or_else(|_| pure(Value::Poison));
            program.map(move |pair| {
                let (acc, push) = machine.two_of(pair, site);
                let push =
                    machine.push_array(&push, "the result of a round of `s_map_accum`", site);
                (acc, push.unwrap_or_else(|_| Push::new(0, |_| pure(()))))
            })
        };
        let push: Push<AnyLevel, Value, Len> =
            self.at(site, || library::s_map_accum(step, acc.clone(), pieces))?;
        Ok(Value::Push(push.stamped(level)))
    }
}
