//! One call of a function or method of the library: what its arguments are taken as, and what its
//! answer becomes.
//!
//! A row of the [table](super::table) names a kind for each argument. A kind is a method of [`Call`]
//! that makes a value of the library's types of the evaluator's, or reports why it cannot. The answer
//! is a value of the library's types again, and [`Answer`] says which value of the evaluator it is.

use std::cell::Cell;
use std::rc::Rc;

use super::calls::Callback;
use super::{Eval, Machine, Value};
use crate::array::{Len, Length, Pull, Push, Shape, Sizes};
use crate::arrays::{self, Arr, Item};
use crate::error::Diagnostic;
use crate::error::catalogue;
use crate::ir::{self, Level};
use crate::library::{Mutable, Pitch};
use crate::program::{AnyLevel, Hierarchy, Program, Thread, Trace};
use crate::scalar::{AnyExp, Exp, Precondition, Scalar, ScalarType, with_site};
use crate::syntax::{Site, TypeUse};

/// A function of the library, or a method of `R`: a row of the table.
pub(super) struct Entry<R = ()> {
    pub(super) name: &'static str,
    /// What messages call its arguments.
    pub(super) arguments: &'static [&'static str],
    /// The kinds of its arguments: names of methods of [`Call`].
    pub(super) kinds: &'static [&'static str],
    pub(super) doc: &'static str,
    pub(super) call: fn(&R, &Call<'_>) -> Eval,
}

/// Rows: a line of documentation, the name, the arguments with their kinds, and the answer.
macro_rules! entries {
    ($this:ident: $receiver:ty, $c:ident; $(
        #[doc = $doc:literal]
        $name:ident $(:: $of:ident)? ( $($arg:ident: $kind:ident $(($($what:expr),*))?),* ) => $answer:expr;
    )*) => {
        &[$(Entry {
            name: concat!(stringify!($name) $(, "::", stringify!($of))?),
            arguments: &[$(stringify!($arg)),*],
            kinds: &[$(stringify!($kind)),*],
            doc: $doc,
            call: |$this: &$receiver, $c: &Call<'_>| {
                let [$($arg),*] = $c.arguments else {
                    return $c.wrong_count();
                };
                $(let $arg = $c.$kind($arg $(, $($what),*)?)?;)*
                $c.answered(|| Ok($answer))
            },
        }),*]
    };
}
pub(super) use entries;

/// One call.
pub(super) struct Call<'a> {
    pub(super) machine: &'a Rc<Machine>,
    pub(super) name: &'a str,
    /// What stands in front of the name of a method, for messages.
    pub(super) receiver: &'static str,
    pub(super) levels: &'a [Option<Level>],
    pub(super) types: &'a [TypeUse],
    pub(super) arguments: &'a [Value],
    pub(super) site: Site,
    pub(super) name_site: Site,
    /// The level of the answer, as far as it is known: that of the turbofish, or of an argument.
    pub(super) level: Cell<Option<Level>>,
    /// The arguments and the documentation of the row that is called.
    pub(super) row: Cell<(&'static [&'static str], &'static str)>,
}

impl<'a> Call<'a> {
    /// A call of a function.
    pub(super) fn of_function(
        machine: &'a Rc<Machine>,
        name: &'a str,
        arguments: &'a [Value],
        site: Site,
    ) -> Self {
        Call {
            machine,
            name,
            receiver: "",
            levels: &[],
            types: &[],
            arguments,
            site,
            name_site: site,
            level: Cell::default(),
            row: Cell::default(),
        }
    }

    /// Calls the row of this name, if there is one.
    pub(super) fn of<R: 'static>(
        &self,
        table: impl IntoIterator<Item = &'static Entry<R>>,
        receiver: &R,
    ) -> Option<Eval> {
        let row = table.into_iter().find(|row| row.name == self.name)?;
        self.row.set((row.arguments, row.doc));
        Some((row.call)(receiver, self))
    }

    /// Calls a method of a receiver, which a message may call by its kind; `also` are methods that it has
    /// beside those of the table.
    pub(super) fn method<R: 'static>(
        &self,
        table: &'static [Entry<R>],
        receiver: &R,
        kind: &str,
        also: impl IntoIterator<Item = &'static str>,
    ) -> Eval {
        self.of(table, receiver).unwrap_or_else(|| {
            let own = table.iter().map(|row| row.name);
            let mut known: Vec<&str> = own.chain(also).collect();
            known.sort_unstable();
            self.machine.no_method(self, kind, &known)
        })
    }

    /// The level that the turbofish says.
    pub(super) fn said(&self) -> Option<Level> {
        self.levels.first().copied().flatten()
    }

    /// The same call, whose answer is at a level.
    pub(super) fn at(&self, level: Level) -> &Self {
        self.level.set(Some(level));
        self
    }

    pub(super) fn fail<T>(&self, diagnostic: Diagnostic) -> Eval<T> {
        self.machine.fail(self.site, diagnostic)
    }

    /// Fails with what is wanted and what is there, but for what an earlier mistake has left.
    pub(super) fn wrong<T>(&self, wanted: &str, found: &Value) -> Eval<T> {
        if let Value::Poison | Value::Program(_) = found {
            return self.machine.wrong_kind(wanted, found, self.site);
        }
        let wrong = catalogue::wrong_kind(wanted, &found.kind());
        self.fail(match wrong.notes.is_empty() {
            true => wrong.note(self.signature()),
            false => wrong,
        })
    }

    /// Fails if a value is not of the wanted kind.
    pub(super) fn expect(&self, wanted: &str, value: &Value, is: bool) -> Eval<()> {
        match is {
            true => Ok(()),
            false => self.wrong(wanted, value),
        }
    }

    pub(super) fn wrong_count(&self) -> Eval {
        let (wanted, found) = (self.row.get().0.len(), self.arguments.len());
        let wrong = catalogue::wrong_count(&format!("`{}`", self.name), wanted, found);
        self.fail(wrong.note(self.signature()))
    }

    /// How the row that is called is written, and what it gives.
    fn signature(&self) -> String {
        let (arguments, doc) = self.row.get();
        let mut doc = doc.trim().trim_end_matches('.').to_owned();
        if let Some(first) = doc.get_mut(..1) {
            first.make_ascii_lowercase();
        }
        let arguments = arguments.join(", ");
        format!("`{}{}({arguments})`: {doc}", self.receiver, self.name)
    }

    /// The answer of the library, at the place of the call.
    pub(super) fn answered<A: Answer>(&self, answer: impl FnOnce() -> Eval<A>) -> Eval {
        self.placed_answer(Box::new(|| Ok(answer()?.stamped(self.level.get()).value())))
    }

    /// The answer of a function of any type is placed by a function of none, which rustc makes once.
    fn placed_answer(&self, answer: Box<dyn FnOnce() -> Eval + '_>) -> Eval {
        self.machine.at(self.site, answer)?
    }

    /// A program of a level.
    pub(super) fn program_at<A: Answer>(
        &self,
        level: Level,
        program: Program<AnyLevel, A>,
    ) -> Program<AnyLevel, A> {
        self.level.set(Some(level));
        program
    }

    /// A part of the call that outlives it.
    pub(super) fn kept(&self) -> Kept {
        Kept {
            machine: self.machine.clone(),
            site: self.site,
        }
    }

    /// A push array, of which what is wrong with its functions is placed at this call, and not where
    /// the array ends up.
    pub(super) fn placed<L: Hierarchy, S: Known>(
        &self,
        push: Push<L, Value, S>,
    ) -> Push<AnyLevel, Value, S> {
        let (site, level) = (self.site, push.level());
        let placed = Push::new(push.len(), move |write| {
            let program = push.write_to(write);
            Program::new(move |trace: &mut Trace<L>| with_site(site, || program.run(trace)))
                .at_level()
        });
        placed.stamped(level)
    }
}

/// The machine and the place of a call, for functions that run later.
#[derive(Clone)]
pub(super) struct Kept {
    pub(super) machine: Rc<Machine>,
    pub(super) site: Site,
}

impl Kept {
    /// What stands for a value of the wrong kind, after the report.
    pub(super) fn reported<T>(&self, wanted: &str, found: &Value, instead: T) -> T {
        let _: Eval<()> = self.machine.wrong_kind(wanted, found, self.site);
        instead
    }
}

impl Kept {
    /// A number of the device, after a mistake nothing.
    pub(super) fn number(&self, value: &Value) -> Exp<u32> {
        let number = self.machine.number(value, self.site);
        number.unwrap_or_else(|_| Exp::poison())
    }
}

/// The kinds of arguments.
impl Call<'_> {
    /// Anything.
    pub(super) fn any(&self, value: &Value) -> Eval {
        Ok(value.clone())
    }

    /// An element: a literal is a device value.
    pub(super) fn element(&self, value: &Value) -> Eval {
        Ok(value.clone())
    }

    /// A function.
    pub(super) fn function(&self, value: &Value) -> Eval<Callback> {
        let is = matches!(
            value,
            Value::Closure(_) | Value::Function(..) | Value::Writer(_)
        );
        self.expect("a function", value, is)?;
        self.machine.callback(value, self.site)
    }

    /// A function that gives elements: what it gives as a literal is a device value.
    pub(super) fn elements(&self, value: &Value) -> Eval<Callback> {
        self.function(value)
    }

    /// A length, static or dynamic.
    pub(super) fn length(&self, value: &Value) -> Eval<Len> {
        let is = matches!(value, Value::Int(..) | Value::Exp(_) | Value::Untyped(_));
        self.expect("a length, an integer of the host", value, is)?;
        self.machine.length(value, self.site)
    }

    /// A number that is known while the kernel is built, and what it is for.
    pub(super) fn count(&self, value: &Value, what: &str) -> Eval<u32> {
        self.machine.count(value, what, self.site)
    }

    /// A number of the device.
    pub(super) fn number(&self, value: &Value) -> Eval<Exp<u32>> {
        self.machine.number(value, self.site)
    }

    /// A device value of a type.
    pub(super) fn of_type(&self, value: &Value, ty: ScalarType) -> Eval<AnyExp> {
        match self.machine.device_value(value, ty, self.site)? {
            value if value.ty() == ty => Ok(value),
            other => self.wrong(
                &format!("a value of type {}", ty.exp_name()),
                &Value::Exp(other),
            ),
        }
    }

    /// A device boolean that chooses.
    pub(super) fn condition(&self, value: &Value) -> Eval<Exp<bool>> {
        let known = match value {
            Value::Exp(e) => e.typed::<bool>(),
            _ => None,
        };
        match known {
            Some(condition) => Ok(condition),
            None => self.fail(catalogue::host_condition(self.name, &value.kind())),
        }
    }

    /// What a launch can be asked to check.
    pub(super) fn precondition(&self, value: &Value) -> Eval<Precondition> {
        match value {
            Value::Precondition(precondition) => Ok(*precondition),
            other => {
                let wanted = "a precondition, such as `n.at_least(1)` or `x.len().equals(y.len())`";
                self.wrong(wanted, other)
            }
        }
    }

    /// Where elements are stored in shared memory.
    pub(super) fn layout(&self, value: &Value) -> Eval<Pitch> {
        match value {
            Value::Layout(layout) => Ok(*layout),
            other => self.wrong("a layout, such as `Pitch(33)`", other),
        }
    }

    /// An array of one axis that is stored with a layout.
    pub(super) fn list_of(&self, value: &Value, layout: Pitch) -> Eval<Push<AnyLevel, Value>> {
        match value.rank() {
            Some(2) => self.fail(catalogue::layout_of_a_matrix(layout.0)),
            _ => self.push(value),
        }
    }

    /// Refuses arrays as the state of a loop of one thread.
    pub(super) fn state_of_thread(&self, start: &Value) -> Eval<()> {
        match start {
            Value::Pull(_) | Value::Push(_) | Value::Mutable(_) => {
                self.fail(catalogue::state_of_an_array(self.name, &start.kind()))
            }
            Value::Tuple(parts) => parts.iter().try_for_each(|part| self.state_of_thread(part)),
            _ => Ok(()),
        }
    }

    /// Which thread holds which element.
    pub(super) fn registers(&self, value: &Value) -> Eval<ir::Layout> {
        match value {
            Value::Held(layout) => Ok(*layout),
            other => self.wrong("a layout of registers, `Striped` or `Blocked(k)`", other),
        }
    }

    /// A program.
    pub(super) fn program(&self, value: &Value) -> Eval<Program<AnyLevel, Value>> {
        self.expect("a program", value, matches!(value, Value::Program(_)))?;
        self.machine.program(value, self.site)
    }

    /// A pull array.
    pub(super) fn pull(&self, value: &Value) -> Eval<Pull<Value, Len>> {
        self.expect("a pull array", value, value.list().is_some())?;
        self.machine.pull(value, self.site)
    }

    /// A pull array of static length.
    pub(super) fn fixed(&self, value: &Value) -> Eval<Pull<Value>> {
        self.pull(value)?;
        self.machine
            .static_pull(value, &format!("`{}`", self.name), self.site)
    }

    /// A pull array of booleans, of static length.
    pub(super) fn booleans(&self, value: &Value) -> Eval<Pull<Exp<bool>>> {
        let kept = self.kept();
        Ok(self.fixed(value)?.map(move |value| match &value {
            Value::Exp(e) if e.ty() == ScalarType::Bool => e.typed().unwrap_or_else(Exp::poison),
            other => kept.reported("an array of device booleans", other, Exp::poison()),
        }))
    }

    /// A pull array of numbers.
    pub(super) fn numbers(&self, value: &Value) -> Eval<Pull<Exp<u32>, Len>> {
        let kept = self.kept();
        Ok(self.pull(value)?.map(move |value| kept.number(&value)))
    }

    /// A pull array of numbers, of static length.
    pub(super) fn fixed_numbers(&self, value: &Value) -> Eval<Pull<Exp<u32>>> {
        let kept = self.kept();
        Ok(self.fixed(value)?.map(move |value| kept.number(&value)))
    }
}

/// A length of an array that the library gives.
pub(super) trait Known: Length {
    /// The length as the evaluator has it.
    fn known(self) -> Len;
}

impl Known for u32 {
    fn known(self) -> Len {
        Len::Static(self)
    }
}

impl Known for Exp<u32> {
    fn known(self) -> Len {
        Len::from_exp(self)
    }
}

impl Known for Len {
    fn known(self) -> Len {
        self
    }
}

/// A shape as the evaluator has it.
fn known<S: Shape<Size: Known>>(shape: &S) -> Sizes<Len> {
    Sizes(shape.sizes().into_iter().map(Known::known).collect())
}

/// What the library gives.
pub(super) trait Answer: Sized + 'static {
    /// As a value of the evaluator.
    fn value(self) -> Value;

    /// The same with its level known.
    #[must_use]
    fn stamped(self, _: Option<Level>) -> Self {
        self
    }

    /// An array of such elements.
    fn pull<S: Shape>(pull: Pull<Self, S>) -> Pull<Value, S> {
        pull.map(Self::value)
    }

    /// A program that gives it.
    fn program(program: Program<AnyLevel, Self>) -> Program<AnyLevel, Value> {
        program.map(Self::value)
    }
}

impl Answer for Value {
    fn value(self) -> Value {
        self
    }

    fn stamped(self, level: Option<Level>) -> Self {
        match self {
            Value::Push(push) => Value::Push(push.stamped(level)),
            Value::Program(program) => Value::Program(program.stamped(level)),
            other => other,
        }
    }

    fn pull<S: Shape>(pull: Pull<Self, S>) -> Pull<Value, S> {
        pull
    }

    fn program(program: Program<AnyLevel, Self>) -> Program<AnyLevel, Value> {
        program
    }
}

impl<A: Answer, S: Shape<Size: Known>> Answer for Pull<A, S> {
    fn value(self) -> Value {
        let shape = known(&self.shape());
        Value::Pull(A::pull(self).with_shape(shape))
    }
}

impl<S: Shape<Size: Known>> Answer for Push<AnyLevel, Value, S> {
    fn value(self) -> Value {
        Value::Push(self.with_shape(known(&self.shape())))
    }

    fn stamped(self, level: Option<Level>) -> Self {
        Push::stamped(self, level)
    }
}

impl<Sh: arrays::Shape, T: Item + Answer> Answer for Arr<Sh, T> {
    fn value(self) -> Value {
        Value::Whole(self.seen_as(T::value))
    }
}

impl<A: Answer> Answer for Program<AnyLevel, A> {
    fn value(self) -> Value {
        Value::Program(A::program(self))
    }

    fn stamped(self, level: Option<Level>) -> Self {
        Program::stamped(self, level)
    }
}

impl<A: Answer> Answer for Program<Thread, A> {
    fn value(self) -> Value {
        Value::Program(A::program(self.at_level()))
    }
}

macro_rules! answers {
    ($([$($generic:ident: $bound:ident),*] $ty:ty, $this:ident => $value:expr;)*) => {$(
        impl<$($generic: $bound),*> Answer for $ty {
            fn value(self) -> Value {
                let $this = self;
                $value
            }
        }
    )*};
}

answers! {
    [] (), _unit => Value::Unit;
    [] AnyExp, e => Value::Exp(e);
    [T: Scalar] Exp<T>, e => Value::Exp(e.any());
    [A: Answer, B: Answer] (A, B), x => Value::tuple(vec![x.0.value(), x.1.value()]);
    [A: Answer, B: Answer, C: Answer] (A, B, C), x =>
        Value::tuple(vec![x.0.value(), x.1.value(), x.2.value()]);
    [A: Answer, B: Answer, C: Answer, D: Answer] (A, B, C, D), x =>
        Value::tuple(vec![x.0.value(), x.1.value(), x.2.value(), x.3.value()]);
    [] Len, len => super::scalars::len_value(len);
    [] Mutable<Value, u32>, array => Value::Mutable(Mutable::of_handle(Len::Static(array.len()), array.handle().clone()));
    [] Precondition, precondition => Value::Precondition(precondition);
    [] Pitch, layout => Value::Layout(layout);
    [] ir::Layout, layout => Value::Held(layout);
    [] Callback, f => f.function;
}
