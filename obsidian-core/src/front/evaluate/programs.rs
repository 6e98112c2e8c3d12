//! Programs: loops of the device, conditions, writers, and pipelines of functions.

use std::rc::Rc;

use super::calls::Callback;
use super::{Eval, Flow, Machine, Value};
use crate::array::{Len, Pull, Push, Writer};
use crate::error::{Diagnostic, catalogue as errors};
use crate::front::catalogue;
use crate::front::syntax::Site;
use crate::ir::Level;
use crate::library;
use crate::program::{
    AnyLevel, Program, Thread, Trace, cond, distr_par, for_all, for_all2, pure, seq_for, seq_while,
    single_thread, sync, unroll,
};
use crate::scalar::{Exp, Scalar, ScalarType, failed, report, with_site};

/// A program whose result is not used.
pub(super) type Steps = Program<AnyLevel, ()>;

/// A number as the user's functions see it.
pub(super) fn index_value(i: Exp<u32>) -> Value {
    Value::Exp(i.any())
}

/// Functions of this file; each may have a level as its turbofish.
pub(super) const PROGRAMS: &[&str] = &[
    "break_loop",
    "compose",
    "cond",
    "distr_par",
    "for_all",
    "for_all2",
    "mk_push",
    "rep",
    "seq_for",
    "seq_while",
    "single_thread",
    "sync",
    "unroll",
];

/// A program of threads, which reports its use at the level of the grid where it stands.
fn not_at_grid(program: Steps, mistake: Diagnostic, site: Site) -> Steps {
    Program::new(move |trace: &mut Trace<AnyLevel>| match trace.level() {
        // A mistake in the program around it may be why it stands at Grid.
        Some(Level::Grid) if failed() => {}
        Some(Level::Grid) => with_site(site, || report(mistake.clone())),
        _ => program.run(trace),
    })
}

impl Machine {
    /// The condition of a loop of the device.
    pub(super) fn loop_condition(&self, name: &str, value: &Value, site: Site) -> Eval<Exp<bool>> {
        match value {
            Value::Exp(e) if e.ty() == ScalarType::Bool => {
                Ok(e.typed::<bool>().unwrap_or_else(Exp::poison))
            }
            Value::Poison => Err(Flow::Stop),
            other => self.fail(site, catalogue::loop_condition(name, &other.kind())),
        }
    }

    /// A value as a program.
    pub(super) fn program(&self, value: &Value, site: Site) -> Eval<Program<AnyLevel, Value>> {
        match value {
            Value::Program(program) => Ok(program.clone()),
            Value::Poison => Err(Flow::Stop),
            other => self.fail(site, catalogue::wrong_kind("a program", &other.kind())),
        }
    }

    /// A value as a program, after a mistake one that does nothing.
    pub(super) fn program_or_nothing(&self, value: &Value, site: Site) -> Program<AnyLevel, Value> {
        self.program(value, site)
            .unwrap_or_else(|_| pure(Value::Poison))
    }

    /// A function from numbers to programs.
    fn iteration(
        self: &Rc<Self>,
        f: Callback,
        site: Site,
    ) -> impl Fn(Vec<Value>) -> Steps + use<> + 'static {
        let machine = self.clone();
        move |arguments| {
            machine
                .program_or_nothing(&f.call(arguments), site)
                .map(|_| ())
        }
    }

    /// A value as a `u32` of the device.
    pub(super) fn number(&self, value: &Value, site: Site) -> Eval<Exp<u32>> {
        self.of_type(value, "a number of type EU32 or u32", site)
    }

    /// A value as one of the device of a known type; a host value becomes one.
    pub(super) fn of_type<T: Scalar>(&self, value: &Value, what: &str, site: Site) -> Eval<Exp<T>> {
        match self.device_value(value, T::TYPE, site)?.typed::<T>() {
            Some(value) => Ok(value),
            None => self.fail(site, catalogue::wrong_kind(what, &value.kind())),
        }
    }

    /// Functions that make programs.
    pub(super) fn programs(
        self: &Rc<Self>,
        name: &str,
        level: Option<Level>,
        arguments: &[Value],
        site: Site,
    ) -> Eval {
        let steps = |program: Steps, level: Option<Level>| {
            Value::Program(program.map(|()| Value::Unit).stamped(level))
        };
        match (name, arguments) {
            ("for_all", [n, f]) => {
                let (n, body) = (
                    self.number(n, site)?,
                    self.iteration(self.callback(f, site)?, site),
                );
                Ok(steps(
                    not_at_grid(
                        for_all(n, move |i| body(vec![index_value(i)]).at_level()),
                        errors::threads_at_grid(name),
                        site,
                    ),
                    level,
                ))
            }
            ("for_all2", [rows, columns, f]) => {
                let body = self.iteration(self.callback(f, site)?, site);
                let (rows, columns) = (self.number(rows, site)?, self.number(columns, site)?);
                let each = move |i, j| body(vec![index_value(i), index_value(j)]).at_level();
                self.at(site, || {
                    steps(
                        not_at_grid(
                            for_all2(rows, columns, each),
                            errors::threads_at_grid(name),
                            site,
                        ),
                        level,
                    )
                })
            }
            ("distr_par", [n, f]) => {
                let (n, body) = (
                    self.number(n, site)?,
                    self.iteration(self.callback(f, site)?, site),
                );
                self.at(site, || {
                    steps(distr_par(n, move |i| body(vec![index_value(i)])), level)
                })
            }
            ("seq_for", [n, f]) => {
                let (n, body) = (
                    self.number(n, site)?,
                    self.iteration(self.callback(f, site)?, site),
                );
                Ok(steps(
                    seq_for(n, move |i| body(vec![index_value(i)])),
                    level,
                ))
            }
            ("seq_while", [head, body]) => {
                let (head, body) = (self.program(head, site)?, self.program(body, site)?);
                let level = level.or(head.level()).or(body.level());
                let machine = self.clone();
                let head = head.map(move |value| {
                    machine
                        .loop_condition("seq_while", &value, site)
                        .unwrap_or_else(|_| Exp::poison())
                });
                let wrong = errors::wrong_level("`seq_while`", "Grid", "Thread, Warp and Block");
                let program = not_at_grid(seq_while(head, body.map(|_| ())), wrong, site);
                Ok(steps(program, level))
            }
            ("single_thread", [program]) => {
                let program = self.program(program, site)?.map(|_| ());
                Ok(steps(
                    not_at_grid(
                        single_thread(program.at_level()),
                        errors::threads_at_grid(name),
                        site,
                    ),
                    level,
                ))
            }
            ("cond", [condition, then, otherwise]) => {
                let known = if let Value::Exp(e) = condition {
                    e.typed::<bool>()
                } else {
                    None
                };
                let Some(condition) = known else {
                    return self.fail(site, catalogue::host_condition("cond", &condition.kind()));
                };
                let side =
                    |value: &Value| Ok(self.program(value, site)?.map(|_| ()).at_level::<Thread>());
                let program = cond(condition, side(then)?, side(otherwise)?);
                Ok(steps(program.at_level(), Some(Level::Thread)))
            }
            ("break_loop", []) => self.at(site, || {
                steps(crate::program::break_loop().at_level(), Some(Level::Thread))
            }),
            ("sync", []) => Ok(steps(
                not_at_grid(sync(), errors::sync_at_grid(), site),
                level,
            )),
            ("unroll", [rounds, program]) => {
                let rounds = self.count(rounds, "the number of rounds", site)?;
                let program = self.program(program, site)?;
                self.at(site, || {
                    let level = level.or(program.level());
                    Value::Program(unroll(rounds, program).stamped(level))
                })
            }
            ("mk_push", [n, f]) => {
                let (len, f, machine) =
                    (self.length(n, site)?, self.callback(f, site)?, self.clone());
                let steps = move |write: Writer<Value>| {
                    machine
                        .program_or_nothing(&f.call(vec![Value::Writer(write)]), site)
                        .map(|_| ())
                };
                let push: Push<AnyLevel, Value, Len> =
                    self.at(site, || library::mk_push(len, steps))?;
                Ok(Value::Push(push.stamped(level)))
            }
            ("rep", [n, f, x]) => {
                let (n, f, machine) = (
                    self.count(n, "the number of repetitions", site)?,
                    self.callback(f, site)?,
                    self.clone(),
                );
                let program = library::rep(
                    n,
                    move |x| machine.program_or_nothing(&f.call(vec![x]), site),
                    x.clone(),
                );
                Ok(Value::Program(program.stamped(level)))
            }
            ("compose", [functions, arr]) => self.compose(functions, arr, level, site),
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

    fn compose(
        self: &Rc<Self>,
        functions: &Value,
        arr: &Value,
        level: Option<Level>,
        site: Site,
    ) -> Eval {
        let arr = self.pull(arr, site)?;
        let arr = arr.set_len(self.fixed(
            crate::array::Pull::len(&arr),
            "an array that goes through `compose`",
            site,
        )?);
        let list = self.items(functions, site)?;
        let functions = list
            .iter()
            .map(|f| self.callback(f, site))
            .collect::<Eval<Vec<_>>>()?;
        let functions = functions.into_iter().map(|f| {
            let machine = self.clone();
            move |arr: Pull<Value>| {
                let len = Len::Static(arr.len());
                let push = machine.push_array(
                    &f.call(vec![Value::Pull(arr.set_len(len))]),
                    "the result of a function of `compose`",
                    site,
                );
                push.unwrap_or_else(|_| Push::new(0, |_| pure(())))
            }
        });
        let program: Program<AnyLevel, Push<AnyLevel, Value>> =
            self.at(site, || library::compose(functions.collect(), arr))?;
        let program = program.map(|push| {
            let len = Len::Static(push.len());
            Value::Push(push.set_len(len))
        });
        let program = Program::new(move |trace: &mut Trace<AnyLevel>| {
            if trace.level() == Some(Level::Grid) {
                let wrong = errors::wrong_level("`compose`", "Grid", "Thread, Warp and Block");
                with_site(site, || report(wrong));
            }
            program.run(trace)
        });
        Ok(Value::Program(program.stamped(level)))
    }

    /// Calls a writer: an element and its index.
    pub(super) fn write(&self, write: &Writer<Value>, arguments: &[Value], site: Site) -> Eval {
        match arguments {
            [Value::Poison, _] | [_, Value::Poison] => Err(Flow::Stop),
            [value, i] => {
                let index = match i {
                    Value::Exp(e) => e.typed::<u32>(),
                    _ => Some(self.number(i, site)?),
                };
                let Some(i) = index else {
                    return self.fail(
                        site,
                        catalogue::wrong_kind(
                            "an index of type EU32 or u32 as the second argument of a writer",
                            &i.kind(),
                        ),
                    );
                };
                let program: Steps = self.at(site, || write(value.clone(), i).at_level())?;
                // What is wrong with the element is placed here, and not where the array ends up.
                let program: Steps =
                    Program::new(move |trace| with_site(site, || program.run(trace)));
                Ok(Value::Program(
                    program.map(|()| Value::Unit).stamped(Some(Level::Thread)),
                ))
            }
            _ => self.fail(site, catalogue::wrong_count("a writer", 2, arguments.len())),
        }
    }
}
