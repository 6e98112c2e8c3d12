//! Functions and methods of two-dimensional arrays.

use std::rc::Rc;

use super::arrays::Method;
use super::{Eval, Flow, Machine, Value};
use crate::array::{Len, Length, Pull, Pull2, Push, Push2};
use crate::error::catalogue as errors;
use crate::front::catalogue;
use crate::front::syntax::Site;
use crate::ir::Level;
use crate::library::{self, Gather};
use crate::program::{AnyLevel, Program, Trace, Watch};
use crate::scalar::{Exp, report, with_site};

/// Functions of this file.
pub(super) const TWO: &[&str] = &[
    "accumulate",
    "accumulate2",
    "compute2",
    "compute2_pitch",
    "exec2",
    "exec_block2",
    "exec_thread2",
    "exec_warp2",
    "generate2",
    "zip_with2",
    "zip_with2_shortest",
];

/// The methods of two-dimensional pull arrays.
pub(super) const PULL2: &[&str] = &[
    "as_block",
    "as_block_map",
    "as_grid",
    "as_grid_map",
    "as_thread",
    "as_thread_map",
    "as_warp",
    "as_warp_map",
    "at",
    "column",
    "columns",
    "cover",
    "flat",
    "height",
    "map",
    "push",
    "row",
    "rows",
    "set_size",
    "tiles",
    "transpose",
    "untile",
    "width",
];
/// The methods of two-dimensional push arrays.
pub(super) const PUSH2: &[&str] = &[
    "crop",
    "flat",
    "height",
    "map",
    "set_size",
    "transpose",
    "width",
];

type AnyPush2 = Push2<AnyLevel, Value, Len>;

impl Machine {
    /// Functions of this file.
    pub(super) fn two(
        self: &Rc<Self>,
        name: &str,
        level: Option<Level>,
        arguments: &[Value],
        site: Site,
    ) -> Eval {
        match (name, arguments) {
            ("generate2", [height, width, f]) => {
                let ((height, width), f) =
                    (self.size(height, width, site)?, self.callback(f, site)?);
                let at = move |y: Exp<u32>, x: Exp<u32>| {
                    f.call(vec![Value::Exp(y.any()), Value::Exp(x.any())])
                };
                Ok(Value::Pull2(library::generate2(height, width, at)))
            }
            ("zip_with2" | "zip_with2_shortest", [f, x, y]) => {
                let (f, x, y) = (
                    self.callback(f, site)?,
                    self.pull2(x, site)?,
                    self.pull2(y, site)?,
                );
                let f = move |x, y| f.call(vec![x, y]);
                self.at(site, || {
                    Value::Pull2(match name {
                        "zip_with2" => library::zip_with2(f, x, y),
                        _ => library::zip_with2_shortest(f, x, y),
                    })
                })
            }
            ("compute2", [array]) => {
                let push = self.push2(array, "`compute2`", site)?;
                let level = level.or(push.level());
                let program = self.at(site, || library::compute2(push))?;
                Ok(Value::Program(program.map(sized2).stamped(level)))
            }
            ("compute2_pitch", [pitch, array]) => {
                let pitch = self.count(pitch, "the distance of rows", site)?;
                let push = self.push2(array, "`compute2_pitch`", site)?;
                let level = level.or(push.level());
                let program = self.at(site, || library::compute2_pitch(pitch, push))?;
                Ok(Value::Program(program.map(sized2).stamped(level)))
            }
            ("exec2", [program]) => self.exec_two(name, program, level, site),
            ("exec_thread2", [program]) => self.exec_two(name, program, Some(Level::Thread), site),
            ("exec_warp2", [program]) => self.exec_two(name, program, Some(Level::Warp), site),
            ("exec_block2", [program]) => self.exec_two(name, program, Some(Level::Block), site),
            ("accumulate", [f, init, rounds]) => self.accumulate(f, init, rounds, level, site),
            ("accumulate2", [f, init, rounds]) => self.accumulate2(f, init, rounds, level, site),
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

    /// A value as a two-dimensional pull array.
    fn pull2(&self, value: &Value, site: Site) -> Eval<Pull2<Value, Len>> {
        match value {
            Value::Pull2(pull) => Ok(pull.clone()),
            Value::Poison => Err(Flow::Stop),
            other => self.fail(
                site,
                catalogue::wrong_kind("a two-dimensional pull array", &other.kind()),
            ),
        }
    }

    /// A pull or push array as a push array of static height and width.
    fn push2(&self, array: &Value, what: &str, site: Site) -> Eval<Push2<AnyLevel, Value>> {
        let push: AnyPush2 = match array {
            Value::Push2(push) => push.clone(),
            Value::Pull2(pull) => pull.push(),
            Value::Poison => return Err(Flow::Stop),
            other => {
                return self.fail(
                    site,
                    catalogue::wrong_kind("a two-dimensional array", &other.kind()),
                );
            }
        };
        Ok(push.set_size(
            self.fixed(push.height(), what, site)?,
            self.fixed(push.width(), what, site)?,
        ))
    }

    /// A pull array of static height and width.
    fn fixed_pull2(&self, value: &Value, what: &str, site: Site) -> Eval<Pull2<Value>> {
        let pull = self.pull2(value, site)?;
        Ok(pull.set_size(
            self.fixed(pull.height(), what, site)?,
            self.fixed(pull.width(), what, site)?,
        ))
    }

    fn exec_two(
        self: &Rc<Self>,
        name: &str,
        program: &Value,
        level: Option<Level>,
        site: Site,
    ) -> Eval {
        let (program, watch) = self.executed(name, program, level, site)?.unwatched();
        let (level, machine) = (program.level(), self.clone());
        let arrays = program.map(move |value| {
            let push = machine.push2(&value, "the result of a program that is executed", site);
            push.unwrap_or_else(|_| Push2::new(0, 0, |_| Program::new(|_| ())))
        });
        let push: Push2<AnyLevel, Value> = self.at(site, || library::exec2(arrays))?;
        // As in `used_when_pushed`.
        watch.iter().for_each(Watch::mark_executed);
        let push = push.rewrite((push.height(), push.width()), move |write| {
            watch.iter().for_each(Watch::mark_used);
            write
        });
        Ok(sized_push2(push.stamped(level)))
    }

    fn accumulate(
        self: &Rc<Self>,
        f: &Value,
        init: &Value,
        rounds: &Value,
        level: Option<Level>,
        site: Site,
    ) -> Eval {
        let (f, machine) = (self.callback(f, site)?, self.clone());
        let init = self.push_array(init, "`accumulate`", site)?;
        let rounds: Pull<Program<AnyLevel, Pull<Value>>, Len> =
            self.pull(rounds, site)?.map(move |round| {
                let inner = machine.clone();
                machine.program_or_nothing(&round, site).map(move |value| {
                    let pull = inner.pull(&value, site).and_then(|pull| {
                        Ok(pull.set_len(inner.fixed(pull.len(), "`accumulate`", site)?))
                    });
                    pull.unwrap_or_else(|_| Pull::new(0, |_| Value::Poison))
                })
            });
        let program = self.at(site, || {
            library::accumulate(move |x, y| f.call(vec![x, y]), init, rounds)
        })?;
        let program =
            program.map(|pull: Pull<Value>| Value::Pull(pull.set_len(Len::Static(pull.len()))));
        Ok(Value::Program(program.stamped(level)))
    }

    fn accumulate2(
        self: &Rc<Self>,
        f: &Value,
        init: &Value,
        rounds: &Value,
        level: Option<Level>,
        site: Site,
    ) -> Eval {
        let (f, machine) = (self.callback(f, site)?, self.clone());
        let init = self.push2(init, "`accumulate2`", site)?;
        let rounds: Pull<Program<AnyLevel, Pull2<Value>>, Len> =
            self.pull(rounds, site)?.map(move |round| {
                let inner = machine.clone();
                machine.program_or_nothing(&round, site).map(move |value| {
                    inner
                        .fixed_pull2(&value, "`accumulate2`", site)
                        .unwrap_or_else(|_| Pull2::new(0, 0, |_, _| Value::Poison))
                })
            });
        let program = self.at(site, || {
            library::accumulate2(move |x, y| f.call(vec![x, y]), init, rounds)
        })?;
        Ok(Value::Program(program.map(sized2).stamped(level)))
    }

    /// A height and a width, which are of one type: if one is of the device, both are.
    fn size(&self, height: &Value, width: &Value, site: Site) -> Eval<(Len, Len)> {
        Ok(
            match (self.length(height, site)?, self.length(width, site)?) {
                (Len::Static(height), Len::Static(width)) => {
                    (Len::Static(height), Len::Static(width))
                }
                (height, width) => (Len::Dynamic(height.exp()), Len::Dynamic(width.exp())),
            },
        )
    }

    /// Methods that make a two-dimensional array of a flat one; none if it is none of these.
    pub(super) fn folded(
        self: &Rc<Self>,
        pull: &Pull<Value, Len>,
        call: &Method<'_>,
    ) -> Option<Eval> {
        Some(self.fold(call, pull.len())?.and_then(|fold| {
            self.at(call.site, || match fold {
                (None, width) => Value::Pull2(pull.in_rows(width)),
                (Some(height), width) => Value::Pull2(pull.as_2d(height, width)),
            })
        }))
    }

    /// The same for push arrays.
    pub(super) fn folded_push(
        self: &Rc<Self>,
        push: &Push<AnyLevel, Value, Len>,
        call: &Method<'_>,
    ) -> Option<Eval> {
        Some(self.fold(call, push.len())?.and_then(|fold| {
            self.at(call.site, || match fold {
                (None, width) => Value::Push2(push.in_rows(width)),
                (Some(height), width) => Value::Push2(push.as_2d(height, width)),
            })
        }))
    }

    /// The height, if it is said, and the width that `in_rows` or `as_2d` asks for, of the type of
    /// the length.
    fn fold(&self, call: &Method<'_>, len: Len) -> Option<Eval<(Option<Len>, Len)>> {
        let one = |value: &Value| match (self.length(value, call.site)?, len) {
            (Len::Static(n), Len::Static(_)) => Ok(Len::Static(n)),
            (Len::Dynamic(_), Len::Static(_)) => self.fail(
                call.site,
                catalogue::not_static("a height or width of an array of static length"),
            ),
            (n, Len::Dynamic(_)) => Ok(Len::Dynamic(n.exp())),
        };
        match (call.name, call.arguments) {
            ("in_rows", [width]) => Some(one(width).map(|width| (None, width))),
            ("as_2d", [height, width]) => {
                Some(one(height).and_then(|height| Ok((Some(height), one(width)?))))
            }
            _ => None,
        }
    }

    /// Methods of two-dimensional pull arrays.
    pub(super) fn pull2_method(
        self: &Rc<Self>,
        pull: &Pull2<Value, Len>,
        call: &Method<'_>,
    ) -> Eval {
        let site = call.site;
        match (call.name, call.arguments) {
            ("height", []) => Ok(super::arrays::len_value(pull.height())),
            ("width", []) => Ok(super::arrays::len_value(pull.width())),
            ("transpose", []) => Ok(Value::Pull2(pull.transpose())),
            ("flat", []) => self.at(site, || Value::Pull(pull.flat())),
            ("rows", []) => Ok(Value::Pull(pull.rows().map(Value::Pull))),
            ("columns", []) => Ok(Value::Pull(pull.columns().map(Value::Pull))),
            ("push", []) => {
                let push = not_at_grid(pull.push(), site);
                Ok(Value::Push2(
                    push.stamped(call.levels.first().copied().flatten()),
                ))
            }
            ("map", [f]) => {
                let f = self.callback(f, site)?;
                Ok(Value::Pull2(pull.map(move |value| f.call(vec![value]))))
            }
            ("at", [y, x]) => {
                let (y, x) = (self.number(y, site)?, self.number(x, site)?);
                self.at(site, || pull.at(y, x))
            }
            ("row" | "column", [i]) => {
                let i = self.number(i, site)?;
                self.at(site, || {
                    Value::Pull(if call.name == "row" {
                        pull.row(i)
                    } else {
                        pull.column(i)
                    })
                })
            }
            ("set_size", [height, width]) => {
                let (height, width) = self.size(height, width, site)?;
                Ok(Value::Pull2(pull.set_size(height, width)))
            }
            ("tiles" | "cover" | "untile", [height, width]) => {
                let (height, width) = (
                    self.count(height, "the height of a tile", site)?,
                    self.count(width, "the width of a tile", site)?,
                );
                self.tiled(pull, call.name, (height, width), site)
            }
            (name, arguments) => match (super::arrays::gather_of(name), arguments) {
                (Some((how, false)), []) => self.gather_two(pull.clone(), how, site),
                (Some((how, true)), [f]) => {
                    let f = self.callback(f, site)?;
                    self.gather_two(pull.map(move |value| f.call(vec![value])), how, site)
                }
                _ => self.no_method(call, "a two-dimensional pull array", PULL2),
            },
        }
    }

    fn tiled(
        self: &Rc<Self>,
        pull: &Pull2<Value, Len>,
        name: &str,
        (height, width): (u32, u32),
        site: Site,
    ) -> Eval {
        if name != "untile" {
            let tiles = self.at(site, || {
                if name == "tiles" {
                    pull.tiles(height, width)
                } else {
                    pull.cover(height, width)
                }
            })?;
            return Ok(Value::Pull2(tiles.map(sized2)));
        }
        let machine = self.clone();
        let tiles = pull.map(move |tile| {
            let tile = machine.fixed_pull2(&tile, "a tile", site);
            if let Ok(tile) = &tile {
                let size = (tile.height(), tile.width());
                if size != (height, width) {
                    with_site(site, || report(errors::other_size(size, (height, width))));
                }
            }
            tile.unwrap_or_else(|_| Pull2::new(height, width, |_, _| Value::Poison))
        });
        self.at(site, || Value::Pull2(tiles.untile(height, width)))
    }

    /// `as_block` and its relatives on an array of two-dimensional push arrays.
    fn gather_two(self: &Rc<Self>, works: Pull2<Value, Len>, how: Gather, site: Site) -> Eval {
        let machine = self.clone();
        let works = works.map(move |work| {
            let push = match &work {
                Value::Push2(_) => machine.push2(&work, "a tile", site),
                Value::Poison => Err(Flow::Stop),
                other => {
                    let found = format!("an array of which each element is {}", other.kind());
                    machine.fail(
                        site,
                        catalogue::wrong_kind("an array of two-dimensional push arrays", &found),
                    )
                }
            };
            push.unwrap_or_else(|_| Push2::new(0, 0, |_| Program::new(|_| ())))
        });
        self.at(site, || Value::Push2(library::gather2(&works, how)))
    }

    /// Methods of two-dimensional push arrays.
    pub(super) fn push2_method(self: &Rc<Self>, push: &AnyPush2, call: &Method<'_>) -> Eval {
        let site = call.site;
        match (call.name, call.arguments) {
            ("height", []) => Ok(super::arrays::len_value(push.height())),
            ("width", []) => Ok(super::arrays::len_value(push.width())),
            ("transpose", []) => Ok(Value::Push2(push.transpose())),
            ("flat", []) => self.at(site, || Value::Push(push.flat())),
            ("map", [f]) => {
                let f = self.callback(f, site)?;
                Ok(Value::Push2(push.map(move |value| f.call(vec![value]))))
            }
            ("crop" | "set_size", [height, width]) => {
                let (height, width) = self.size(height, width, site)?;
                self.at(site, || {
                    Value::Push2(if call.name == "crop" {
                        push.crop(height, width)
                    } else {
                        push.set_size(height, width)
                    })
                })
            }
            _ => self.no_method(call, "a two-dimensional push array", PUSH2),
        }
    }
}

/// The push array of a pull array, which reports its use at the level of the grid where `push`
/// stands.
fn not_at_grid(push: AnyPush2, site: Site) -> AnyPush2 {
    Push2::new(push.height(), push.width(), move |write| {
        let program = push.write_to(write);
        Program::new(move |trace: &mut Trace<AnyLevel>| match trace.level() {
            Some(Level::Grid) => {
                with_site(site, || report(crate::error::catalogue::push_at_grid()))
            }
            _ => program.run(trace),
        })
    })
}

/// An array of static height and width.
fn sized2(pull: Pull2<Value>) -> Value {
    let (height, width) = (Len::Static(pull.height()), Len::Static(pull.width()));
    Value::Pull2(pull.set_size(height, width))
}

fn sized_push2(push: Push2<AnyLevel, Value>) -> Value {
    let (height, width) = (Len::Static(push.height()), Len::Static(push.width()));
    Value::Push2(push.set_size(height, width))
}
