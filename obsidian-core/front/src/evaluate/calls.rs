//! Calls: of functions of the module, closures, library functions and methods.

use std::rc::Rc;

use super::call::Kept;
use super::coerce::level_of;
use super::table::takes_own_type;
use super::value::ClosureValue;
use super::{CLOSURES, DEPTH, Eval, Flow, Frame, Machine, Value};
use crate::error::catalogue;
use crate::ir::Level;
use crate::program::{AnyLevel, Program, Trace};
use crate::scalar::BinaryOp;
use crate::syntax::{Block, Callee, Expr, ExprKind, Function, LevelUse, Name, Site, Type};

/// A function of the user's that the library calls: it gives poison once a mistake has been
/// reported.
#[derive(Clone)]
pub(super) struct Callback {
    pub(super) machine: Rc<Machine>,
    pub(super) function: Value,
    pub(super) site: Site,
}

impl Callback {
    /// The machine and the place, for what the function gives.
    pub(super) fn kept(&self) -> Kept {
        Kept {
            machine: self.machine.clone(),
            site: self.site,
        }
    }

    /// The result of the function.
    pub(super) fn call(&self, arguments: Vec<Value>) -> Value {
        if crate::scalar::failed() {
            return Value::Poison;
        }
        self.machine
            .call_value(&self.function, arguments, self.site)
            .unwrap_or(Value::Poison)
    }
}

impl Machine {
    /// A value as a function that the library can call.
    pub(super) fn callback(self: &Rc<Self>, value: &Value, site: Site) -> Eval<Callback> {
        match value {
            Value::Closure(_) | Value::Function(..) | Value::Writer(_) => {
                self.spare_taken(value);
                Ok(Callback {
                    machine: self.clone(),
                    function: value.clone(),
                    site,
                })
            }
            Value::Poison => Err(Flow::Stop),
            other => self.wrong_kind("a function", other, site),
        }
    }

    /// Runs `f` one level deeper in the nesting of the user's closures.
    fn closure_deeper<T>(&self, site: Site, f: impl FnOnce() -> Eval<T>) -> Eval<T> {
        if self.closures.get() >= CLOSURES {
            return self.fail(site, catalogue::nested_closures(CLOSURES));
        }
        self.closures.set(self.closures.get() + 1);
        let result = f();
        self.closures.set(self.closures.get() - 1);
        result
    }

    /// Runs `f` one level deeper in the recursion of the user's functions.
    pub(super) fn deeper<T>(&self, name: &str, site: Site, f: impl FnOnce() -> Eval<T>) -> Eval<T> {
        if self.depth.get() >= DEPTH {
            return self.fail(site, catalogue::endless_recursion(name, DEPTH));
        }
        self.depth.set(self.depth.get() + 1);
        let result = f();
        self.depth.set(self.depth.get() - 1);
        result
    }

    pub(super) fn call_expr(
        self: &Rc<Self>,
        callee: &Expr,
        arguments: &[Expr],
        site: Site,
        frame: &mut Frame<'_>,
    ) -> Eval {
        let function = self.eval(callee, frame)?;
        let exprs = arguments;
        let arguments = self.list(exprs, frame)?;
        if let Value::Function(Callee::Function(index), ..) = &function {
            self.numbers_of(*index, exprs, &arguments, frame)?;
        }
        if let (ExprKind::Path(Callee::Library(name), _, types), Value::Function(_, _, levels)) =
            (&callee.kind, &function)
        {
            let value = self.library(name, levels, types, &arguments, site)?;
            return Ok(self.given(value, site));
        }
        let value = self.call_value(&function, arguments, site)?;
        Ok(self.given(value, site))
    }

    /// Calls a value.
    pub(super) fn call_value(
        self: &Rc<Self>,
        function: &Value,
        arguments: Vec<Value>,
        site: Site,
    ) -> Eval {
        self.step(site)?;
        let value = match function {
            Value::Function(Callee::Function(index), _, levels) => {
                self.call_function(*index, levels, arguments, site)
            }
            Value::Function(Callee::Library(name), _, levels) => {
                self.library(name, levels, &[], &arguments, site)
            }
            Value::Function(Callee::Arrays(name), ..) => {
                self.whole_function(name, &arguments, site)
            }
            Value::Function(Callee::Host(name), ..) => self.host_function(name, arguments, site),
            Value::Closure(closure) => self.call_closure(closure, arguments, site),
            Value::Writer(write) => self.write(write, &arguments, site),
            Value::Poison => Err(Flow::Stop),
            other => self.wrong_kind("a function", other, site),
        };
        Ok(self.watched(value?, site))
    }

    /// Calls the n-th function of the module.
    pub(super) fn call_function(
        self: &Rc<Self>,
        index: u32,
        levels: &[Option<Level>],
        arguments: Vec<Value>,
        site: Site,
    ) -> Eval {
        self.reached.borrow_mut().insert(index);
        let entry = self.enter(index, site);
        let module = self.module.clone();
        let Some(function) = module.functions.get(index as usize) else {
            return Err(Flow::Stop);
        };
        if function.parameters.len() != arguments.len() {
            return self.fail(
                site,
                catalogue::wrong_count_of_function(
                    &format!("`{}`", function.name),
                    function.parameters.len(),
                    arguments.len(),
                    &function.form,
                ),
            );
        }
        let mut bound = levels.to_vec();
        bound.resize(function.generics.len(), None);
        let coerced = function
            .parameters
            .iter()
            .zip(arguments)
            .map(|(p, value)| match &p.ty {
                Some(ty) => {
                    infer_levels(&ty.ty, &value, &mut bound);
                    self.coerce(value, &ty.ty, &bound, site)
                }
                None => Ok(value),
            });
        let arguments = coerced.collect::<Eval<Vec<Value>>>()?;
        if function.device.is_some() {
            return self.call_device(index, arguments, site);
        }
        if !function.delayed {
            return self.deeper(&function.name, site, || {
                let around = self.entry.replace(entry);
                let value = self.body(function, &arguments, &bound, None);
                self.entry.set(around);
                let value = value?;
                self.is_array_of(&function.result.ty, &value, last(&function.body))?;
                self.coerce(value, &function.result.ty, &bound, function.result.site)
            });
        }
        let level = match &function.result.ty {
            Type::Program(level, _) => level_of(*level, &bound),
            _ => None,
        };
        let machine = self.clone();
        let program = Program::new(move |trace: &mut Trace<AnyLevel>| {
            let around = machine.entry.replace(entry);
            let value = machine.run_function(index, &arguments, &bound, trace, site);
            machine.entry.set(around);
            value
        });
        Ok(Value::Program(program.stamped(level)))
    }

    /// Fails if a function gives a pull array where it declares a push array, or the other way round, or a number of another type.
    fn is_array_of(&self, ty: &Type, value: &Value, site: Site) -> Eval<()> {
        match (ty, value) {
            (Type::Push(LevelUse::Known(Level::Grid), ..), Value::Pull(_)) => {
                self.wrong_kind("a push array of the grid", value, site)
            }
            (Type::Push(..), Value::Pull(_)) => self.wrong_kind("a push array", value, site),
            (Type::Pull(..), Value::Push(_)) => self.wrong_kind("a pull array", value, site),
            (Type::Exp(ty), Value::Exp(e)) if e.ty() != *ty => {
                let (wanted, found) = (ty.exp_name(), e.ty().exp_name());
                let what = "the result of this function";
                self.fail(site, catalogue::other_element(what, &wanted, &found, None))
            }
            (Type::Tuple(types), Value::Tuple(values)) => {
                let mut fields = types.iter().zip(values.iter());
                fields.try_for_each(|(ty, value)| self.is_array_of(ty, value, site))
            }
            _ => Ok(()),
        }
    }

    /// Where the module's own code called a function; noted, if it is one of another module.
    fn enter(&self, index: u32, site: Site) -> Site {
        let own = self.module.own;
        let entry = if site < own.sites {
            site
        } else {
            self.entry.get()
        };
        if index >= own.functions {
            self.entered.borrow_mut().insert(index, entry);
        }
        entry
    }

    /// Runs a function with `?`, whose value is a program, which is run too.
    fn run_function(
        self: &Rc<Self>,
        index: u32,
        arguments: &[Value],
        levels: &[Option<Level>],
        trace: &mut Trace<AnyLevel>,
        site: Site,
    ) -> Value {
        let Some(function) = self.module.functions.get(index as usize) else {
            return Value::Poison;
        };
        if crate::scalar::failed() {
            return Value::Poison;
        }
        let result = self.deeper(&function.name, site, || {
            // What is not known from the types may be known from the place where the program runs.
            let mut levels = levels.to_vec();
            if let Type::Program(crate::syntax::LevelUse::Generic(n), _) = &function.result.ty
                && let Some(slot) = levels.get_mut(*n as usize)
            {
                *slot = slot.or(trace.level());
            }
            let value = self.body(function, arguments, &levels, Some(trace))?;
            let mut frame = Frame {
                slots: Vec::new(),
                levels,
                trace: Some(trace),
            };
            let site = last(&function.body);
            let result = self.run_last(value, site, &mut frame)?;
            if let Type::Program(_, ty) = &function.result.ty {
                self.is_array_of(ty, &result, site)?;
            }
            Ok(result)
        });
        result.unwrap_or(Value::Poison)
    }

    /// The value of a function's body.
    fn body(
        self: &Rc<Self>,
        function: &Function,
        arguments: &[Value],
        levels: &[Option<Level>],
        trace: Option<&mut Trace<AnyLevel>>,
    ) -> Eval {
        let mut frame = Frame {
            slots: vec![Value::Unit; function.slots as usize],
            levels: levels.to_vec(),
            trace,
        };
        for (parameter, value) in function.parameters.iter().zip(arguments) {
            self.matches(&parameter.pattern, value, &mut frame)?;
        }
        match self.block(&function.body, &mut frame) {
            Err(Flow::Return(value)) => Ok(value),
            other => other,
        }
    }

    fn call_closure(
        self: &Rc<Self>,
        closure: &Rc<ClosureValue>,
        arguments: Vec<Value>,
        site: Site,
    ) -> Eval {
        let wanted = closure.closure.parameters.len();
        if wanted != arguments.len() {
            return self.fail(
                site,
                catalogue::wrong_count("this closure", wanted, arguments.len()),
            );
        }
        if !closure.closure.delayed {
            return self
                .closure_deeper(site, || self.closure_body(closure, &arguments, None, site));
        }
        let (machine, closure) = (self.clone(), closure.clone());
        let program = Program::new(move |trace: &mut Trace<AnyLevel>| {
            if crate::scalar::failed() {
                return Value::Poison;
            }
            let result = machine.closure_deeper(site, || {
                let value = machine.closure_body(&closure, &arguments, Some(trace), site)?;
                let mut frame = Frame {
                    slots: Vec::new(),
                    levels: closure.levels.clone(),
                    trace: Some(trace),
                };
                let body = &closure.closure.body;
                let site = match &body.kind {
                    ExprKind::Block(block) => last(block),
                    _ => body.site,
                };
                machine.run_last(value, site, &mut frame)
            });
            result.unwrap_or(Value::Poison)
        });
        Ok(Value::Program(program))
    }

    fn closure_body(
        self: &Rc<Self>,
        closure: &Rc<ClosureValue>,
        arguments: &[Value],
        trace: Option<&mut Trace<AnyLevel>>,
        site: Site,
    ) -> Eval {
        let code = &closure.closure;
        let mut frame = Frame {
            slots: vec![Value::Unit; code.slots as usize],
            levels: closure.levels.clone(),
            trace,
        };
        for ((_, slot, _), value) in code.captures.iter().zip(&closure.taken) {
            frame.slots[*slot as usize] = value.clone();
        }
        for (parameter, value) in code.parameters.iter().zip(arguments) {
            let value = match &parameter.ty {
                Some(ty) => self.coerce(value.clone(), &ty.ty, &closure.levels, site)?,
                None => value.clone(),
            };
            if !self.matches(&parameter.pattern, &value, &mut frame)? {
                return self.wrong_kind(
                    "a value that matches this pattern",
                    &value,
                    parameter.pattern.site,
                );
            }
        }
        match self.eval(&code.body, &mut frame) {
            Err(Flow::Return(value)) => Ok(value),
            other => other,
        }
    }

    fn host_function(&self, name: &Name, arguments: Vec<Value>, site: Site) -> Eval {
        match (&**name, arguments.as_slice()) {
            ("Some", [value]) => Ok(Value::Option(Some(Rc::new(value.clone())))),
            ("Vec::new", []) | ("Vec::with_capacity", [_]) => Ok(Value::Vec(Rc::default())),
            _ => self.fail(
                site,
                catalogue::wrong_count(
                    &format!("`{name}`"),
                    if &**name == "Vec::new" { 0 } else { 1 },
                    arguments.len(),
                ),
            ),
        }
    }

    pub(super) fn method_expr(self: &Rc<Self>, expr: &Expr, frame: &mut Frame<'_>) -> Eval {
        let ExprKind::Method {
            receiver,
            name,
            site,
            turbofish,
            arguments,
        } = &expr.kind
        else {
            return Err(Flow::Stop);
        };
        let levels = self.turbofish(turbofish, frame);
        let value = self.eval(receiver, frame)?;
        let exprs = arguments;
        let arguments = self.list(arguments, frame)?;
        if takes_own_type(name) {
            for operand in exprs.iter().zip(&arguments) {
                self.literal_operand(BinaryOp::Min, &value, operand)?;
            }
        }
        if let Value::Vec(_) = value
            && let Some(result) = self.change_vec(receiver, name, &arguments, *site, frame)
        {
            return result;
        }
        // The library places what it makes at the whole call; a wrong name is placed at the name.
        let value = self.method(&value, name, &levels, &arguments, expr.site, *site)?;
        Ok(self.given(value, expr.site))
    }
}

/// The place of the last expression of a body.
pub(super) fn last(body: &Block) -> Site {
    body.value.as_ref().map_or(body.site, |value| value.site)
}

/// Binds the type parameters that an argument's type and level tell.
fn infer_levels(ty: &Type, value: &Value, levels: &mut [Option<Level>]) {
    use crate::syntax::LevelUse::Generic;
    let (n, level) = match (ty, value) {
        (Type::Push(Generic(n), _, _), Value::Push(push)) => (*n, push.level()),
        (Type::Program(Generic(n), _), Value::Program(program)) => (*n, program.level()),
        _ => return,
    };
    if let Some(slot) = levels.get_mut(n as usize) {
        *slot = slot.or(level);
    }
}
