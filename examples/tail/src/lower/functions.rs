//! Functions: how they are called, and what they do besides giving a value.

use std::rc::Rc;

use obsidian_rt::arrays::AnyElement;

use super::array::Array;
use super::stop::Stop;
use super::value::{Environment, Function, Value, as_now, bind, find};
use super::{Lowered, Lowering};
use crate::primitives;
use crate::syntax::{Base, Expr, ExprKind, Operator, Span};

impl Lowering {
    /// A value that has to be a function, which is called now. Its elements may be computed when variables have changed; one with effects is called at
    /// once, and may change them.
    pub(crate) fn function(&self, value: &Value, span: Span) -> Lowered<Function> {
        match value {
            Value::Function(function) if self.has_effect(function) => Ok(function.clone()),
            Value::Function(function) => Ok(as_now(function)),
            Value::Array(_) | Value::Tuple(_) => {
                Err(Stop::wrong(span, "a function is expected here"))
            }
        }
    }

    /// An operator of some arguments.
    pub(crate) fn operator(
        self: &Rc<Self>,
        operator: &Operator,
        arguments: &[Value],
        span: Span,
    ) -> Lowered<Value> {
        self.at(span, || primitives::apply(self, operator, arguments, span))
    }

    /// Calls a function. One of two arguments gives a function of the second.
    pub(crate) fn call(
        self: &Rc<Self>,
        function: &Function,
        arguments: &[Value],
        span: Span,
    ) -> Lowered<Value> {
        match (function, arguments) {
            (Function::Operator(operator), _) => self.operator(operator, arguments, span),
            (Function::Closure(lambda, environment), [first, others @ ..]) => {
                let environment = bind(&lambda.name, first.clone(), self.depth(), environment);
                let result = self.expression(&lambda.body, &environment)?;
                match others {
                    [] => Ok(result),
                    _ => self.call(&self.function(&result, span)?, others, span),
                }
            }
            (Function::Closure(..), []) => {
                Err(Stop::wrong(span, "a function is called without arguments"))
            }
        }
    }

    /// Calls a function of elements inside of one.
    pub(crate) fn call_element(
        self: &Rc<Self>,
        function: &Function,
        arguments: &[(Base, AnyElement)],
        span: Span,
    ) -> Lowered<AnyElement> {
        let scalars = arguments
            .iter()
            .map(|(base, element)| Array::scalar(*base, element.clone()).into());
        let scalars: Vec<Value> = scalars.collect();
        let result = self.call(function, &scalars, span)?;
        let result = self.array(&result, span)?;
        match result.rank() {
            0 => Ok(result.at()(&[])),
            _ => Err(Stop::wrong(span, "a function of elements gives an array")),
        }
    }

    /// May a function be called outside of functions of elements with constants? It then reads no array of the program.
    pub(crate) fn is_known(&self, function: &Function) -> bool {
        let is_fixed = |operator: &Operator| {
            !primitives::has_effect(&operator.name) && operator.name != "roll"
        };
        all_of(function, &is_fixed, &|value| match value {
            Value::Array(array) => array.is_known(),
            Value::Tuple(parts) => parts
                .iter()
                .all(|part| matches!(part, Value::Array(a) if a.is_known())),
            Value::Function(_) => true,
        })
    }

    /// Does a function do more than giving a value?
    pub(crate) fn has_effect(&self, function: &Function) -> bool {
        !all_of(
            function,
            &|operator| !primitives::has_effect(&operator.name),
            &|_| true,
        )
    }

    /// Does a function mention an operator?
    pub(crate) fn mentions(&self, function: &Function, name: &str) -> bool {
        !all_of(function, &|operator| operator.name != name, &|_| true)
    }
}

/// Does something hold of all operators of a function, and of all values around it that it mentions?
fn all_of(
    function: &Function,
    of_operator: &dyn Fn(&Operator) -> bool,
    of_value: &dyn Fn(&Value) -> bool,
) -> bool {
    match function {
        Function::Operator(operator) => of_operator(operator),
        Function::Closure(lambda, environment) => {
            let mut holds = true;
            visit_in(&lambda.body, &mut vec![&lambda.name], &mut |expr, own| {
                holds = holds && of_expression(expr, own, environment, of_operator, of_value);
            });
            holds
        }
    }
}

/// `own` are the variables that the function itself binds around the expression.
fn of_expression(
    expr: &Expr,
    own: &[&str],
    environment: &Environment,
    of_operator: &dyn Fn(&Operator) -> bool,
    of_value: &dyn Fn(&Value) -> bool,
) -> bool {
    match &expr.kind {
        // What a function changes of its own nobody else sees.
        ExprKind::Call(operator, arguments)
            if operator.name == "idxassign" && is_one_of(arguments.get(1), own) =>
        {
            true
        }
        ExprKind::Operator(operator) | ExprKind::Call(operator, _) => of_operator(operator),
        ExprKind::Variable(name) if own.contains(&name.as_str()) => true,
        ExprKind::Variable(name) => match find(name, environment) {
            None => true,
            Some(frame) => match &*frame.value.borrow() {
                Value::Function(function) => all_of(function, of_operator, of_value),
                value => of_value(value),
            },
        },
        _ => true,
    }
}

fn is_one_of(expr: Option<&Expr>, names: &[&str]) -> bool {
    matches!(expr.map(|expr| &expr.kind), Some(ExprKind::Variable(name)) if names.contains(&name.as_str()))
}

/// Calls `f` with an expression and all in it.
pub fn visit(expr: &Expr, f: &mut dyn FnMut(&Expr)) {
    visit_in(expr, &mut Vec::new(), &mut |expr, _| f(expr));
}

/// The same, with the variables that are bound around each, behind those of `bound`.
fn visit_in<'e>(expr: &'e Expr, bound: &mut Vec<&'e str>, f: &mut dyn FnMut(&'e Expr, &[&'e str])) {
    f(expr, bound);
    let before = bound.len();
    match &expr.kind {
        ExprKind::Constant(_) | ExprKind::Variable(_) | ExprKind::Operator(_) => {}
        ExprKind::Call(_, items) | ExprKind::Vector(items) | ExprKind::Tuple(items) => {
            items.iter().for_each(|item| visit_in(item, bound, f));
        }
        ExprKind::Let(bindings, body) => {
            for binding in bindings {
                visit_in(&binding.value, bound, f);
                bound.push(&binding.name);
            }
            visit_in(body, bound, f);
        }
        ExprKind::Function(function) => {
            bound.push(&function.name);
            visit_in(&function.body, bound, f);
        }
        ExprKind::If(parts) => parts.iter().for_each(|part| visit_in(part, bound, f)),
    }
    bound.truncate(before);
}
