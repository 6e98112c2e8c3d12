//! Programs: what the user's functions are to the library, loops of the device, and pipelines.

use super::call::{Answer, Call, Kept};
use super::calls::Callback;
use super::ranks::{AnyPush, indices};
use super::{Eval, Flow, Machine, Value};
use crate::array::{Pull, Push, Shape, Writer};
use crate::error::{Diagnostic, catalogue};
use crate::ir::Level;
use crate::library;
use crate::program::{AnyLevel, Program, Thread, Trace, Watch, pure};
use crate::scalar::{Exp, Scalar, ScalarType, failed, report, with_site};
use crate::syntax::Site;

/// A program whose result is not used.
pub(super) type Steps = Program<AnyLevel, ()>;

/// A number as the user's functions see it.
pub(super) fn index(i: Exp<u32>) -> Value {
    Value::Exp(i.any())
}

/// A program of one thread, known to be one.
pub(super) fn of_thread(program: &Program<Thread, ()>) -> Steps {
    program.at_level().stamped(Some(Level::Thread))
}

/// A program that reports its use at the level of the grid at a site.
pub(super) fn below_grid(program: Steps, mistake: Diagnostic, site: Site) -> Steps {
    Program::new(move |trace: &mut Trace<AnyLevel>| match trace.level() {
        // A mistake in the program around it may be why it stands at Grid.
        Some(Level::Grid) if failed() => {}
        Some(Level::Grid) => with_site(site, || report(mistake.clone())),
        _ => program.run(trace),
    })
}

/// The array, whose elements are pushed by the program with a note of its use.
fn used_when_pushed<S: Shape>(
    push: &Push<AnyLevel, Value, S>,
    watch: Option<Watch>,
) -> Push<AnyLevel, Value, S> {
    let this = push.clone();
    watch.iter().for_each(Watch::mark_executed);
    Push::new(push.shape(), move |write| {
        watch.iter().for_each(Watch::mark_used);
        this.write_to(write)
    })
    .stamped(push.level())
}

/// The user's functions as the library takes them.
impl Callback {
    pub(super) fn of_one(self) -> impl Fn(Value) -> Value + 'static {
        move |x| self.call(vec![x])
    }

    pub(super) fn of_two(self) -> impl Fn(Value, Value) -> Value + 'static {
        move |x, y| self.call(vec![x, y])
    }

    pub(super) fn of_three(self) -> impl Fn(Value, Value, Value) -> Value + 'static {
        move |x, y, z| self.call(vec![x, y, z])
    }

    pub(super) fn of_four(self) -> impl Fn(Value, Value, Value, Value) -> Value + 'static {
        move |x, y, z, w| self.call(vec![x, y, z, w])
    }

    pub(super) fn of_index(self) -> impl Fn(Vec<Exp<u32>>) -> Value + 'static {
        move |i| self.call(vec![indices(&i)])
    }

    pub(super) fn of_index_and_state(self) -> impl Fn(Exp<u32>, Value) -> Value + 'static {
        move |i, x| self.call(vec![index(i), x])
    }

    /// A function from pull arrays to pull arrays, of static length.
    pub(super) fn of_array(self) -> impl Fn(Pull<Value>) -> Pull<Value> + 'static {
        let kept = self.kept();
        move |arr| {
            let result = self.call(vec![arr.value()]);
            kept.fixed(&result, "the result of this function")
        }
    }

    /// A function that gives the elements of a push array to a writer.
    pub(super) fn of_writer(self) -> impl Fn(Writer<Value>) -> Steps + 'static {
        let f = self.steps();
        move |write| f(vec![Value::Writer(write)])
    }

    /// A function that gives a program.
    pub(super) fn into_program(self) -> impl Fn(Value) -> Program<AnyLevel, Value> + 'static {
        let kept = self.kept();
        move |x| kept.program(&self.call(vec![x]))
    }

    /// A function that gives a program without a result.
    pub(super) fn steps(self) -> impl Fn(Vec<Value>) -> Steps + 'static {
        let kept = self.kept();
        move |arguments| kept.program(&self.call(arguments)).map(|_| ())
    }

    /// A function from index to index.
    pub(super) fn index_map(self) -> impl Fn(Exp<u32>) -> Exp<u32> + 'static {
        let kept = self.kept();
        move |i| {
            let number = kept.machine.number(&self.call(vec![index(i)]), kept.site);
            number.unwrap_or_else(|_| Exp::poison())
        }
    }

    /// The condition of a loop.
    pub(super) fn condition(self, name: &'static str) -> impl Fn(Value) -> Exp<bool> + 'static {
        let kept = self.kept();
        move |x| kept.loop_condition(name, &self.call(vec![x]))
    }

    /// A function that gives numbers.
    pub(super) fn number(self) -> impl Fn(Value) -> Exp<u32> + 'static {
        let kept = self.kept();
        move |x| kept.number(&self.call(vec![x]))
    }

    /// What stands in front of what in a sorted array.
    pub(super) fn order(self) -> impl Fn(Value, Value) -> Exp<bool> + 'static {
        let kept = self.kept();
        move |x, y| match &self.call(vec![x, y]) {
            Value::Exp(e) if e.ty() == ScalarType::Bool => e.typed().unwrap_or_else(Exp::poison),
            _ if failed() => Exp::poison(),
            other => {
                let wanted = "a device boolean: whether the first of two elements stands before the second, such as `a < b`";
                kept.reported(wanted, other, Exp::poison())
            }
        }
    }

    /// A function from a state and an element to the next state and an element.
    pub(super) fn accumulating(self) -> impl Fn(Value, Value) -> (Value, Value) + 'static {
        let kept = self.kept();
        move |state, x| kept.pair(self.call(vec![state, x]))
    }
}

impl Kept {
    /// A value as a program, after a mistake one that does nothing.
    pub(super) fn program(&self, value: &Value) -> Program<AnyLevel, Value> {
        let program = self.machine.program(value, self.site);
        program.unwrap_or_else(|_| pure(Value::Poison))
    }

    /// A value as a pull array of static length, after a mistake an empty one.
    pub(super) fn fixed(&self, value: &Value, what: &str) -> Pull<Value> {
        let pull = self.machine.static_pull(value, what, self.site);
        pull.unwrap_or_else(|_| Pull::new(0, |_| Value::Poison))
    }

    /// A value as a push array of static length, after a mistake an empty one.
    pub(super) fn push(&self, value: &Value, what: &str) -> Push<AnyLevel, Value> {
        let push = self.machine.push_of(value, what, self.site);
        push.unwrap_or_else(|_| Push::new(0, |_| pure(())))
    }

    /// The condition of a loop of the device.
    pub(super) fn loop_condition(&self, name: &str, value: &Value) -> Exp<bool> {
        match value {
            Value::Exp(e) if e.ty() == ScalarType::Bool => e.typed().unwrap_or_else(Exp::poison),
            Value::Poison => Exp::poison(),
            other => {
                let wrong = catalogue::loop_condition(name, &other.kind());
                let _: Eval<()> = self.machine.fail(self.site, wrong);
                Exp::poison()
            }
        }
    }

    /// The two fields of a pair, after a mistake nothing.
    pub(super) fn pair(&self, value: Value) -> (Value, Value) {
        match &value {
            Value::Tuple(list) if list.len() == 2 => (list[0].clone(), list[1].clone()),
            other => {
                let wanted = "a pair of the next state and an element";
                self.reported(wanted, other, (Value::Poison, Value::Poison))
            }
        }
    }
}

impl Call<'_> {
    /// A program that reports its use at the level of the grid where it stands.
    pub(super) fn below_grid(&self, program: Steps, mistake: Diagnostic) -> Steps {
        below_grid(program, mistake, self.site)
    }

    /// A program that is executed at the level of the call, which has to be its own.
    pub(super) fn executed(
        &self,
        program: &Program<AnyLevel, Value>,
    ) -> Eval<(Program<AnyLevel, Value>, Option<Watch>)> {
        match (self.level.get(), program.level()) {
            (Some(level), Some(found)) if level != found && found != Level::Grid => self.fail(
                catalogue::executed_at_another_level(self.name, level.name(), found.name()),
            ),
            (level, _) => Ok(program.clone().stamped(level).unwatched()),
        }
    }

    /// The array that a program gives. Its length is found by running the program; it is used once
    /// the array is.
    pub(super) fn exec(&self, program: &Program<AnyLevel, Value>) -> Eval<AnyPush> {
        let ((program, watch), kept) = (self.executed(program)?, self.kept());
        let arrays = program.map(move |value| match value {
            Value::Exp(_) | Value::Tuple(_) => {
                let wrong = catalogue::executed_value(&value.kind());
                let _: Eval<()> = kept.machine.fail(kept.site, wrong);
                kept.any_push(&Value::Poison)
            }
            value => kept.any_push(&value),
        });
        let push: AnyPush = library::exec(arrays);
        Ok(used_when_pushed(&push, watch).stamped(program.level()))
    }

    /// The array of the one value that a program gives.
    pub(super) fn exec_value(
        &self,
        program: &Program<AnyLevel, Value>,
    ) -> Eval<Push<AnyLevel, Value>> {
        let ((program, watch), kept) = (self.executed(program)?, self.kept());
        let values = program.map(move |value| match value {
            Value::Pull(_) | Value::Push(_) => {
                let wrong = catalogue::executed_array(&value.kind());
                let stop: Eval = kept.machine.fail(kept.site, wrong);
                stop.unwrap_or(Value::Poison)
            }
            value => value,
        });
        let push: Push<AnyLevel, Value> = library::exec_value(values);
        Ok(used_when_pushed(&push, watch).stamped(program.level()))
    }

    pub(super) fn compose(
        &self,
        functions: &Value,
        array: Pull<Value>,
    ) -> Eval<Program<AnyLevel, Push<AnyLevel, Value>>> {
        let (machine, site) = (self.machine, self.site);
        let list = machine.items(functions, site)?;
        let functions = list.iter().map(|f| machine.callback(f, site));
        let functions = functions.map(|f| {
            let (f, kept) = (f?, self.kept());
            Ok(move |arr: Pull<Value>| {
                let result = f.call(vec![arr.value()]);
                kept.push(&result, "the result of a function of `compose`")
            })
        });
        let program = library::compose(functions.collect::<Eval<Vec<_>>>()?, array);
        Ok(Program::new(move |trace: &mut Trace<AnyLevel>| {
            if trace.level() == Some(Level::Grid) {
                let wrong = catalogue::wrong_level("`compose`", "Grid", "Thread, Warp and Block");
                with_site(site, || report(wrong));
            }
            program.run(trace)
        }))
    }
}

impl Machine {
    /// A value as a program.
    pub(super) fn program(&self, value: &Value, site: Site) -> Eval<Program<AnyLevel, Value>> {
        match value {
            Value::Program(program) => Ok(program.clone()),
            Value::Poison => Err(Flow::Stop),
            other => self.wrong_kind("a program", other, site),
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
            None => self.wrong_kind(what, value, site),
        }
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
