//! Calls of the library: the rows of the [table](super::table) by name, and what their answers need
//! beyond the library's own functions.

use std::cell::Cell;
use std::rc::Rc;

use super::call::{Answer, Call, Kept};
use super::calls::Callback;
use super::ranks::{AnyPull, AnyPush, indices, pull_of, push_of};
use super::table::{
    MUTABLE, PROGRAM, PULL, PULL2, PULL3, PULLS, PUSH, PUSH2, PUSH3, PUSHES, functions_of_language,
    methods,
};
use super::{Eval, Flow, Machine, Value};
use crate::array::{Len, Length, Pull, Push, Sizes};
use crate::error::catalogue;
use crate::ir::Level;
use crate::library;
use crate::program::{AnyLevel, Program, Trace, pure};
use crate::scalar::{AnyExp, BinaryOp, Exp, Literal, ScalarType, report, with_site};
use crate::syntax::{HostType, Site, Type, TypeUse};

/// An array of the rank that its shape has.
fn known<A>(array: Option<A>) -> Eval<A> {
    array.ok_or(Flow::Stop)
}

impl Machine {
    /// Calls a function of the library.
    pub(super) fn library(
        self: &Rc<Self>,
        name: &str,
        levels: &[Option<Level>],
        types: &[TypeUse],
        arguments: &[Value],
        site: Site,
    ) -> Eval {
        if arguments.iter().any(|a| matches!(a, Value::Poison)) {
            return Err(Flow::Stop);
        }
        let call = Call {
            levels,
            types,
            level: Cell::new(levels.first().copied().flatten()),
            ..Call::of_function(self, name, arguments, site)
        };
        call.of(functions_of_language(), &())
            .unwrap_or(Err(Flow::Stop))
    }

    /// Calls a method that does not change its receiver.
    pub(super) fn method(
        self: &Rc<Self>,
        receiver: &Value,
        name: &str,
        levels: &[Option<Level>],
        arguments: &[Value],
        site: Site,
        name_site: Site,
    ) -> Eval {
        if arguments.iter().any(|a| matches!(a, Value::Poison)) {
            return Err(Flow::Stop);
        }
        if name == "clone" && arguments.is_empty() {
            return Ok(receiver.clone());
        }
        let call = Call {
            machine: self,
            name,
            receiver: match receiver {
                Value::Program(_) => "program.",
                _ => "array.",
            },
            levels,
            types: &[],
            arguments,
            site,
            name_site,
            level: Cell::new(None),
            row: Cell::default(),
        };
        match receiver {
            Value::Poison => Err(Flow::Stop),
            Value::Pull(array) => {
                let any = call.of(PULLS, array);
                any.unwrap_or_else(|| {
                    let (kind, also) = (receiver.kind(), PULLS.iter().map(|row| row.name));
                    match array.shape().0.as_slice() {
                        [_, _] => call.method(PULL2, &known(pull_of(array))?, &kind, also),
                        [_, _, _] => call.method(PULL3, &known(pull_of(array))?, &kind, also),
                        _ => call.method(PULL, &known(pull_of(array))?, &kind, also),
                    }
                })
            }
            Value::Push(array) => {
                let any = call.of(PUSHES, array);
                any.unwrap_or_else(|| {
                    let (kind, also) = (receiver.kind(), PUSHES.iter().map(|row| row.name));
                    match array.shape().0.as_slice() {
                        [_, _] => call.method(PUSH2, &known(push_of(array))?, &kind, also),
                        [_, _, _] => call.method(PUSH3, &known(push_of(array))?, &kind, also),
                        _ => call.method(PUSH, &known(push_of(array))?, &kind, also),
                    }
                })
            }
            Value::Mutable(array) => call.method(MUTABLE, array, "a mutable array", []),
            Value::Program(program) => {
                let own = call.of(PROGRAM, program);
                own.unwrap_or_else(|| {
                    let why = || format!("`{name}` is called on its result");
                    self.is_no_program(receiver, name_site, why)?;
                    self.host_method(receiver, &call)
                })
            }
            Value::Whole(arr) => self.whole_method(arr, &call),
            Value::Window(window) => self.window_method(window, &call),
            Value::Exp(e) => self.exp_method(*e, &call),
            Value::Untyped(_) => self.known(receiver.clone()),
            Value::Vec(_) | Value::Iter(_) | Value::Range(..) => {
                self.sequence_method(receiver, &call)
            }
            other => self.host_method(other, &call),
        }
    }

    pub(super) fn no_method(&self, call: &Call<'_>, receiver: &str, known: &[&str]) -> Eval {
        if known.contains(&call.name) {
            return self.fail(
                call.site,
                catalogue::wrong_count_of_method(call.name, call.arguments.len()),
            );
        }
        let function = functions_of_language().find(|row| row.name == call.name);
        let form = function
            .filter(|_| receiver.ends_with(" array"))
            .map(|row| format!("{}({})", row.name, row.arguments.join(", ")));
        let elsewhere = elsewhere(call.name, receiver);
        let (form, elsewhere) = (form.as_deref(), elsewhere.as_deref());
        let wrong = catalogue::unknown_method(call.name, receiver, known, form, elsewhere);
        self.fail(call.name_site, wrong)
    }

    /// A push array of one axis.
    pub(super) fn pushed_list(
        &self,
        value: &Value,
        site: Site,
    ) -> Eval<Push<AnyLevel, Value, Len>> {
        match value {
            Value::Push(push) => {
                push_of(push).map_or_else(|| self.wrong_kind("a push array", value, site), Ok)
            }
            other => Ok(self.pull(other, site)?.push()),
        }
    }

    /// A pull array of static length.
    pub(super) fn static_pull(&self, value: &Value, what: &str, site: Site) -> Eval<Pull<Value>> {
        let pull = self.pull(value, site)?;
        let len = self.fixed(pull.len(), what, site)?;
        Ok(pull.set_len(len))
    }

    /// A value of a type with a name, for messages that need a device value.
    pub(super) fn device_value(&self, value: &Value, ty: ScalarType, site: Site) -> Eval<AnyExp> {
        match value {
            Value::Exp(e) => Ok(*e),
            Value::Untyped(untyped) => self.at(site, || untyped.typed(ty)),
            Value::Int(n, None)
                if ty
                    .range()
                    .is_some_and(|(low, high)| (low..=high).contains(n)) =>
            {
                self.at(site, || AnyExp::literal(Literal::from_bits(ty, *n as u64)))
            }
            Value::Int(n, Some(HostType::Scalar(t))) if *t == ty => {
                self.at(site, || AnyExp::literal(Literal::from_bits(ty, *n as u64)))
            }
            Value::Float(x, from)
                if ty.is_float() && from.is_none_or(|f| f == HostType::Scalar(ty)) =>
            {
                let literal = Literal::float(ty, *x).unwrap_or(Literal::zero(ty));
                self.at(site, || AnyExp::literal(literal))
            }
            Value::Bool(b) if ty == ScalarType::Bool => {
                self.at(site, || AnyExp::literal(Literal::from(*b)))
            }
            Value::Int(_, Some(from)) | Value::Float(_, Some(from)) => {
                let wanted = (ty.exp_name(), ty.name());
                let what = format!("a value of type {} or", wanted.0);
                self.fail(
                    site,
                    catalogue::other_number(&what, wanted.1, from.name(), None),
                )
            }
            other => self.wrong_kind(&format!("a value of type {}", ty.exp_name()), other, site),
        }
    }
}

/// What rows of the table need for one dimension.
impl Call<'_> {
    pub(super) fn lit(&self, value: &Value) -> Eval {
        let declared = match self.types.first().map(|t| &t.ty) {
            Some(Type::Host(ty)) => Some(ty.scalar()),
            _ => None,
        };
        let literal = match value {
            Value::Exp(_) | Value::Untyped(_) => return Ok(value.clone()),
            Value::Int(_, Some(from @ (HostType::Usize | HostType::Isize))) => {
                let wanted = declared.map_or("u32", ScalarType::name);
                let wrong =
                    catalogue::other_number("a value of the device", wanted, from.name(), None);
                return self.fail(wrong);
            }
            Value::Bool(b) => Some(Literal::from(*b)),
            Value::Int(n, ty) => match declared.or(ty.map(HostType::scalar)) {
                Some(ty) => Literal::integer(ty, *n),
                None => return self.machine.untyped_call(value, self.site),
            },
            Value::Float(x, ty) => match declared.or(ty.map(HostType::scalar)) {
                Some(ty) => Literal::float(ty, *x),
                None => return self.machine.untyped_call(value, self.site),
            },
            _ => None,
        };
        match literal {
            Some(literal) => Ok(Value::Exp(AnyExp::literal(literal))),
            None => self.wrong("a number or boolean of the host", value),
        }
    }

    /// A function of two pull arrays or of two push arrays.
    pub(super) fn both(
        &self,
        arrays: [&Value; 2],
        pulls: fn(Pull<Value, Len>, Pull<Value, Len>) -> Pull<Value, Len>,
        pushes: fn(
            Push<AnyLevel, Value, Len>,
            Push<AnyLevel, Value, Len>,
        ) -> Push<AnyLevel, Value, Len>,
    ) -> Eval {
        let both = match arrays {
            [x @ Value::Pull(_), y @ Value::Pull(_)] => {
                x.list().zip(y.list()).map(|(x, y)| pulls(x, y).value())
            }
            [Value::Push(x), Value::Push(y)] => push_of(x)
                .zip(push_of(y))
                .map(|(x, y)| pushes(x, y).value()),
            _ => None,
        };
        both.map_or_else(
            || {
                let found = arrays.map(Value::kind).join(" and ");
                let wanted = "two pull arrays or two push arrays";
                self.fail(catalogue::wrong_kind(wanted, &found))
            },
            Ok,
        )
    }

    /// The fields of an array of tuples, each an array.
    pub(super) fn unzip(&self, array: &AnyPull, fields: usize) -> Value {
        let field = |n: usize| {
            let kept = self.kept();
            Value::Pull(array.map(move |value| kept.fields(&value, fields)[n].clone()))
        };
        Value::tuple((0..fields).map(field).collect())
    }

    /// Tuples of neighbours.
    pub(super) fn neighbours(&self, array: &Pull<Value, Len>, n: u32) -> Pull<Value, Len> {
        array.neighbours(n, move |at| Value::tuple((0..n).map(at).collect()))
    }

    /// Tuples as neighbours.
    pub(super) fn flat(&self, array: &Pull<Value, Len>, n: u32) -> Pull<Value, Len> {
        let (this, kept) = (array.clone(), self.kept());
        let field = move |i, k: u32| kept.fields(&this.at(i), n as usize)[k as usize].clone();
        library::parts::flatten(array.len(), n, field)
    }

    /// Tuples as neighbours, of a push array.
    pub(super) fn flat_push(
        &self,
        array: &Push<AnyLevel, Value, Len>,
        n: u32,
    ) -> Push<AnyLevel, Value, Len> {
        let kept = self.kept();
        array.flatten(n, move |value| kept.fields(&value, n as usize))
    }

    /// An array of pieces of `n` elements.
    pub(super) fn pieces(&self, array: &Pull<Value, Len>, n: u32) -> Pull<Pull<Value>, Len> {
        let kept = self.kept();
        array.map(move |piece| match piece.list() {
            Some(piece) => {
                if let Some(size) = piece.len().fixed().filter(|size| *size != n) {
                    with_site(kept.site, || report(catalogue::other_pieces(size, n)));
                }
                piece.set_len(n)
            }
            None => {
                kept.wrong_element("an array of pull arrays", &piece);
                Pull::new(n, |_| Value::Poison)
            }
        })
    }

    /// The program that gives every element and its index to a function.
    pub(super) fn written_to(&self, array: &AnyPush, f: Callback) -> Program<AnyLevel, ()> {
        let f = f.steps();
        let write = move |value, i: Vec<Exp<u32>>| f(vec![value, indices(&i)]).at_level();
        array.push_to(write).stamped(array.level())
    }

    /// A function that accumulates, and its first state.
    pub(super) fn accumulating(
        &self,
        f: Callback,
        start: &Value,
        array: &Pull<Value, Len>,
    ) -> Eval<(impl Fn(Value, Value) -> (Value, Value) + 'static, Value)> {
        let f = f.accumulating();
        let next = |state| f(state, array.at(Exp::poison())).0;
        let start = self.machine.first_state(start, next)?;
        Ok((f, start))
    }

    pub(super) fn s_map_accum(
        &self,
        f: Callback,
        start: &Value,
        pieces: &Pull<Value, Len>,
    ) -> Eval<Push<AnyLevel, Value, Len>> {
        let (kept, inner) = (self.kept(), self.kept());
        let pieces: Pull<Pull<Value, Len>, Len> = pieces.map(move |piece| {
            let piece = inner.machine.pull(&piece, inner.site);
            piece.unwrap_or_else(|_| Pull::new(Len::Static(0), |_| Value::Poison))
        });
        let step = move |state: Value, piece: Pull<Value, Len>| {
            let program = kept.program(&f.call(vec![state, piece.value()]));
            let kept = kept.clone();
            program.map(move |pair| {
                let (state, push) = kept.pair(pair);
                (
                    state,
                    kept.push(&push, "the result of a round of `s_map_accum`"),
                )
            })
        };
        // A round on its own tells the types of a state that is a literal; what it writes is dropped.
        let start = self.machine.first_state(start, |state| {
            let round = step(state, pieces.at(Exp::poison()));
            let (next, _) = Trace::apart(None, |trace: &mut Trace<AnyLevel>| {
                let (next, push) = round.run(trace);
                push.write_to(Rc::new(|_, _| pure(()))).run(trace);
                next
            });
            next
        })?;
        Ok(library::s_map_accum(step, start, pieces))
    }

    /// The state after all tiles of an array.
    pub(super) fn tiles_fold(
        &self,
        input: Pull<Value, Len>,
        tile: u32,
        state: Push<AnyLevel, Value>,
        whole: Callback,
        rest: Callback,
    ) -> Program<AnyLevel, Pull<Value>> {
        let (kept, site) = (self.kept(), self.site);
        let next = move |value: &Value| {
            let kept = kept.clone();
            let program = kept.program(value);
            program.map(move |value| kept.push(&value, "`tiles_fold`"))
        };
        let on_rest = next.clone();
        library::tiles_fold(
            input,
            tile,
            state,
            move |state, tile| {
                next(&with_site(site, || {
                    whole.call(vec![state.value(), tile.value()])
                }))
            },
            move |state, tile: Pull<Value, Exp<u32>>| {
                let tile = Value::Pull(tile.with_shape(Sizes(vec![Len::Dynamic(tile.len())])));
                on_rest(&with_site(site, || rest.call(vec![state.value(), tile])))
            },
        )
    }

    /// Whether two elements are equal.
    pub(super) fn is_equal(&self) -> impl Fn(Value, Value) -> Exp<bool> + 'static {
        let kept = self.kept();
        move |x, y| {
            let equal = match (&x, &y) {
                (Value::Exp(x), Value::Exp(y)) => AnyExp::binary(BinaryOp::Eq, *x, *y).typed(),
                _ => kept.reported("elements that are device values", &x, None),
            };
            equal.unwrap_or_else(Exp::poison)
        }
    }
}

impl Kept {
    /// The fields of a tuple of this many, after a mistake nothing.
    fn fields(&self, value: &Value, n: usize) -> Vec<Value> {
        match value {
            Value::Tuple(list) if list.len() == n => list.to_vec(),
            other => {
                self.wrong_element(&format!("an array of tuples of {n}"), other);
                vec![Value::Poison; n]
            }
        }
    }

    /// Reports an array whose elements are something else.
    fn wrong_element(&self, wanted: &str, element: &Value) {
        if !matches!(element, Value::Poison) {
            let found = format!("an array whose elements are each {}", element.kind());
            let _: Eval<()> = self
                .machine
                .fail(self.site, catalogue::wrong_kind(wanted, &found));
        }
    }

    /// What a round of `accumulate` gives.
    pub(super) fn round(&self, round: &Value) -> Program<AnyLevel, AnyPull<u32>> {
        let kept = self.clone();
        if let Value::Pull(_) | Value::Push(_) = round {
            kept.wrong_round(&round.kind(), &round.kind());
            return pure(Pull::new(Sizes(vec![0]), |_| Value::Poison));
        }
        self.program(round).map(move |value| {
            if let Value::Push(_) = value {
                kept.wrong_round(
                    &format!("a program that gives {}", value.kind()),
                    &value.kind(),
                );
                return Pull::new(Sizes(vec![0]), |_| Value::Poison);
            }
            kept.fixed_pull(&value, "`accumulate`")
        })
    }

    fn wrong_round(&self, found: &str, array: &str) {
        let wrong = catalogue::round_of_accumulate(found, array);
        let _: Eval<()> = self.machine.fail(self.site, wrong);
    }
}

/// The layer whose arrays have a method that those of the other one lack.
fn elsewhere(name: &str, receiver: &str) -> Option<String> {
    let is_whole = receiver == "an array of an array program";
    if is_whole && methods().any(|(ty, method)| method == name && ty.starts_with("Pull")) {
        return Some(format!(
            "`{name}` is a method of arrays in kernels: a function with `#[kernel]` from `DPull<EF32>` to `DPush<Grid, EF32>`"
        ));
    }
    let in_kernel = receiver.ends_with("pull array") || receiver.ends_with("push array");
    (in_kernel && super::whole::names_of_methods_of_arrays().contains(&name)).then(|| {
        format!("`{name}` is a method of whole arrays, in a function with `#[arrays]` from `Arr1<EF32>` to `Arr1<EF32>`")
    })
}
