//! Methods that rearrange arrays: neighbours, pieces of any length, patterns of loading; and
//! functions of several arrays.

use std::rc::Rc;

use super::arrays::Method;
use super::programs::index_value;
use super::{Eval, Machine, Value};
use crate::array::{Len, Length, Pull, Push};
use crate::error::catalogue as errors;
use crate::front::catalogue;
use crate::front::syntax::Site;
use crate::ir::Level;
use crate::library;
use crate::program::{AnyLevel, Program};
use crate::scalar::{report, with_site};

/// Functions of this file.
pub(super) const REARRANGE: &[&str] = &[
    "bin_split",
    "exec_block_value",
    "exec_thread_value",
    "exec_value",
    "exec_warp_value",
    "fold1",
    "interleave",
    "mk_pull",
    "new_shared_mutable",
    "singleton_push",
    "to_mutable",
    "unsafe_bin_split",
];

impl Machine {
    /// Methods of pull arrays that are not in the main table; none if it is none of these.
    pub(super) fn rearranged(
        self: &Rc<Self>,
        pull: &Pull<Value, Len>,
        call: &Method<'_>,
    ) -> Option<Eval> {
        let site = call.site;
        let n = |n: &Value| self.count(n, "the size of the pieces", site);
        Some(match (call.name, call.arguments) {
            ("pair" | "triple" | "quadruple", []) => {
                let n = match call.name {
                    "pair" => 2,
                    "triple" => 3,
                    _ => 4,
                };
                self.at(site, || {
                    Value::Pull(
                        pull.neighbours(n, move |at| Value::tuple((0..n).map(at).collect())),
                    )
                })
            }
            ("unpair", []) => self.flat(pull, 2, site),
            ("untriple", []) => self.flat(pull, 3, site),
            ("unquadruple", []) => self.flat(pull, 4, site),
            ("chunks", [size, pad]) => n(size).and_then(|n| {
                let pieces = self.at(site, || pull.chunks(n, pad.clone()))?;
                Ok(Value::Pull(pieces.map(move |piece| {
                    Value::Pull(piece.set_len(Len::Static(n)))
                })))
            }),
            ("chunks_len", [size]) => n(size).and_then(|n| {
                let pieces = self.at(site, || pull.chunks_len(n))?;
                Ok(Value::Pull(pieces.map(|piece| {
                    let len = Len::from_exp(piece.len());
                    Value::Pull(piece.set_len(len))
                })))
            }),
            ("load" | "store", [size]) => n(size).and_then(|n| {
                let push: Push<AnyLevel, Value, Len> = self.at(site, || pull.load(n))?;
                Ok(Value::Push(
                    push.stamped(call.levels.first().copied().flatten()),
                ))
            }),
            ("shift_left", [n]) => self
                .length(n, site)
                .and_then(|n| self.at(site, || Value::Pull(pull.shift_left(n)))),
            ("set_len", [n]) => self.length(n, site).map(|n| Value::Pull(pull.set_len(n))),
            ("un_coalesce", [size]) => {
                n(size).map(|n| Value::Pull(self.pieces(pull, n, site).un_coalesce(n)))
            }
            _ => return None,
        })
    }

    /// Methods of push arrays that are not in the main table.
    pub(super) fn rearranged_push(
        self: &Rc<Self>,
        push: &Push<AnyLevel, Value, Len>,
        call: &Method<'_>,
    ) -> Option<Eval> {
        let site = call.site;
        Some(match (call.name, call.arguments) {
            ("take", [n]) => self
                .length(n, site)
                .and_then(|n| self.at(site, || Value::Push(push.take(n)))),
            ("set_len", [n]) => self.length(n, site).map(|n| Value::Push(push.set_len(n))),
            ("unpair", []) => Ok(self.flat_push(push, 2, site)),
            ("unroll", [rounds]) => self
                .count(rounds, "the number of rounds", site)
                .and_then(|n| self.at(site, || Value::Push(push.unroll(n)))),
            ("push_to" | "write_to", [f]) => self.callback(f, site).map(|f| {
                let machine = self.clone();
                let write = move |value, i| {
                    machine
                        .program_or_nothing(&f.call(vec![value, index_value(i)]), site)
                        .void()
                        .at_level()
                };
                Value::Program(
                    push.push_to(write)
                        .map(|()| Value::Unit)
                        .stamped(push.level()),
                )
            }),
            ("un_coalesce", [n]) => self
                .count(n, "the size of the pieces", site)
                .and_then(|n| self.at(site, || Value::Push(push.un_coalesce(n)))),
            _ => return None,
        })
    }

    /// An array of pull arrays.
    pub(super) fn pieces(
        self: &Rc<Self>,
        pull: &Pull<Value, Len>,
        n: u32,
        site: Site,
    ) -> Pull<Pull<Value>, Len> {
        let machine = self.clone();
        pull.map(move |piece| match piece {
            Value::Pull(piece) => {
                if let Some(size) = Pull::len(&piece).fixed().filter(|size| *size != n) {
                    with_site(site, || report(errors::other_pieces(size, n)));
                }
                piece.set_len(n)
            }
            other => {
                let stop: Eval = machine.fail(
                    site,
                    catalogue::wrong_kind(
                        "an array of pull arrays",
                        &format!("an array whose elements are each {}", other.kind()),
                    ),
                );
                Pull::new(n, move |_| {
                    stop.as_ref().map_or(Value::Poison, Clone::clone)
                })
            }
        })
    }

    /// Tuples as neighbours.
    fn flat(self: &Rc<Self>, pull: &Pull<Value, Len>, n: u32, site: Site) -> Eval {
        let (this, machine) = (pull.clone(), self.clone());
        let field = move |i, k: u32| match this.at(i) {
            Value::Tuple(list) if list.len() == n as usize => list[k as usize].clone(),
            Value::Poison => Value::Poison,
            other => {
                let wrong = catalogue::wrong_kind(
                    &format!("an array of tuples of {n}"),
                    &format!("an array whose elements are each {}", other.kind()),
                );
                let stop: Eval = machine.fail(site, wrong);
                stop.unwrap_or(Value::Poison)
            }
        };
        self.at(site, || Value::Pull(library::flatten(pull.len(), n, field)))
    }

    fn flat_push(self: &Rc<Self>, push: &Push<AnyLevel, Value, Len>, n: u32, site: Site) -> Value {
        let machine = self.clone();
        Value::Push(push.flatten(n, move |value| match value {
            Value::Tuple(list) if list.len() == n as usize => list.to_vec(),
            Value::Poison => Vec::new(),
            other => {
                let wrong = catalogue::wrong_kind(
                    &format!("an array of tuples of {n}"),
                    &format!("one of {}", other.kind()),
                );
                let stop: Eval<Vec<Value>> = machine.fail(site, wrong);
                stop.unwrap_or_default()
            }
        }))
    }

    /// Functions of arrays that are not in the main table.
    pub(super) fn rearrange(
        self: &Rc<Self>,
        name: &str,
        level: Option<Level>,
        arguments: &[Value],
        site: Site,
    ) -> Eval {
        match (name, arguments) {
            ("mk_pull", [n, f]) => {
                let (len, f) = (self.length(n, site)?, self.callback(f, site)?);
                Ok(Value::Pull(library::mk_pull(len, move |i| {
                    f.call(vec![Value::Exp(i.any())])
                })))
            }
            ("interleave", [Value::Pull(x), Value::Pull(y)]) => self.at(site, || {
                Value::Pull(library::interleave(x.clone(), y.clone()))
            }),
            ("interleave", [Value::Push(x), Value::Push(y)]) => self.at(site, || {
                Value::Push(library::interleave(x.clone(), y.clone()))
            }),
            ("interleave", [x, y]) => self.fail(
                site,
                catalogue::wrong_kind(
                    "two pull arrays or two push arrays",
                    &format!("{} and {}", x.kind(), y.kind()),
                ),
            ),
            ("fold1", [f, arr]) => {
                let (f, arr) = (
                    self.callback(f, site)?,
                    self.fixed_pull(arr, "`fold1`", site)?,
                );
                self.at(site, || {
                    Value::Pull(
                        library::fold1(move |x, y| f.call(vec![x, y]), arr).set_len(Len::Static(1)),
                    )
                })
            }
            ("unsafe_bin_split", [n, f, arr]) => {
                let n = self.count(n, "the number of times", site)?;
                let (f, arr) = (
                    self.static_map(f, site)?,
                    self.fixed_pull(arr, "`unsafe_bin_split`", site)?,
                );
                self.at(site, || sized(library::unsafe_bin_split(n, f, arr)))
            }
            ("bin_split", [n, f, arr]) => {
                let n = self.count(n, "the number of times", site)?;
                let (f, arr) = (
                    self.static_map(f, site)?,
                    self.fixed_pull(arr, "`bin_split`", site)?,
                );
                let program: Program<AnyLevel, Pull<Value>> =
                    self.at(site, || library::bin_split(n, f, arr))?;
                Ok(Value::Program(program.map(sized).stamped(level)))
            }
            ("singleton_push", [value]) => {
                let push: Push<AnyLevel, Value> = library::singleton_push(value.clone());
                Ok(Value::Push(push.set_len(Len::Static(1)).stamped(level)))
            }
            ("exec_value", [program]) => self.exec_value(name, program, level, site),
            ("exec_thread_value", [program]) => {
                self.exec_value(name, program, Some(Level::Thread), site)
            }
            ("exec_warp_value", [program]) => {
                self.exec_value(name, program, Some(Level::Warp), site)
            }
            ("exec_block_value", [program]) => {
                self.exec_value(name, program, Some(Level::Block), site)
            }
            ("new_shared_mutable" | "to_mutable", _) => {
                self.new_mutable(name, level, arguments, site)
            }
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

    fn exec_value(
        self: &Rc<Self>,
        name: &str,
        program: &Value,
        level: Option<Level>,
        site: Site,
    ) -> Eval {
        let (program, watch) = self.executed(name, program, level, site)?.unwatched();
        let machine = self.clone();
        let program = program.map(move |value| match value {
            Value::Pull(_) | Value::Push(_) => machine
                .fail(site, catalogue::executed_array(&value.kind()))
                .unwrap_or(Value::Poison),
            value => value,
        });
        let level = program.level();
        let push: Push<AnyLevel, Value> = self.at(site, || library::exec_value(program))?;
        let push = super::library::used_when_pushed(&push, watch).set_len(Len::Static(1));
        Ok(Value::Push(push.stamped(level)))
    }

    /// A value as a pull array of static length.
    fn fixed_pull(&self, value: &Value, what: &str, site: Site) -> Eval<Pull<Value>> {
        let pull = self.pull(value, site)?;
        let len = self.fixed(pull.len(), what, site)?;
        Ok(pull.set_len(len))
    }

    /// A function from pull arrays to pull arrays, of static length.
    fn static_map(
        self: &Rc<Self>,
        f: &Value,
        site: Site,
    ) -> Eval<impl Fn(Pull<Value>) -> Pull<Value> + 'static> {
        let (f, machine) = (self.callback(f, site)?, self.clone());
        Ok(move |arr: Pull<Value>| {
            let result = machine.fixed_pull(
                &f.call(vec![sized(arr)]),
                "the result of this function",
                site,
            );
            result.unwrap_or_else(|_| Pull::new(0, |_| Value::Poison))
        })
    }
}

/// An array of static length.
fn sized(pull: Pull<Value>) -> Value {
    let len = Len::Static(pull.len());
    Value::Pull(pull.set_len(len))
}
