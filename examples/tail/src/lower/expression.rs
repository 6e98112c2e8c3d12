//! Expressions, and the chain of bindings that a program is.

use std::rc::Rc;

use super::array::{Array, LONGEST_LIST};
use super::element::{boolean, choose, default};
use super::stop::Stop;
use super::value::{Environment, Function, Value, bind, find};
use super::{Lowered, Lowering};
use crate::syntax::{Base, Binding, Expr, ExprKind, Span};
use obsidian_rt::arrays::AnyElement;
use obsidian_rt::language::{EU32, lit, select};

/// The most elements of an array that is computed ahead where a function of elements binds it to a variable.
const LONGEST_BOUND: u32 = 8;

impl Lowering {
    /// An expression.
    pub(crate) fn expression(
        self: &Rc<Self>,
        expr: &Expr,
        environment: &Environment,
    ) -> Lowered<Value> {
        match &expr.kind {
            ExprKind::Constant(value) => Ok(Array::constant(*value).into()),
            ExprKind::Variable(name) => match find(name, environment) {
                Some(frame) => Ok(frame.value.borrow().clone()),
                None => Err(Stop::wrong(
                    expr.span,
                    format!("nothing is bound to `{name}` here"),
                )),
            },
            ExprKind::Operator(operator) => Ok(Value::Function(Function::Operator(Rc::new(
                operator.clone(),
            )))),
            ExprKind::Function(function) => Ok(Value::Function(Function::Closure(
                function.clone(),
                environment.clone(),
            ))),
            ExprKind::Call(operator, arguments) if operator.name == "idxassign" => {
                self.assign(arguments, environment, expr.span)
            }
            ExprKind::Call(operator, arguments) => {
                let values = self.all(arguments, environment)?;
                self.operator(operator, &values, expr.span)
            }
            ExprKind::Vector(items) => self.vector(items, environment, expr.span),
            ExprKind::Tuple(items) => self.all(items, environment).map(Value::Tuple),
            ExprKind::Let(bindings, body) => {
                let mut environment = environment.clone();
                for binding in bindings {
                    environment = self.binding(binding, &environment)?;
                }
                self.expression(body, &environment)
            }
            ExprKind::If(parts) => self.choice(parts, environment),
        }
    }

    /// The variables with that of a binding.
    pub(super) fn binding(
        self: &Rc<Self>,
        binding: &Binding,
        environment: &Environment,
    ) -> Lowered<Environment> {
        let value = self.expression(&binding.value, environment)?;
        let value = self.computed(value);
        Ok(bind(&binding.name, value, self.depth(), environment))
    }

    /// A value whose elements are needed several times: in a function of elements, short arrays are computed once.
    pub(crate) fn computed(&self, value: Value) -> Value {
        match value {
            Value::Array(array)
                if !self.is_outside() && array.size().is_some_and(|n| n <= LONGEST_BOUND) =>
            {
                match array.listed() {
                    Some(list) if !matches!(array.elements, super::Source::Node(_)) => {
                        let elements = super::Source::List(list);
                        Array { elements, ..array }.into()
                    }
                    _ => array.into(),
                }
            }
            value => value,
        }
    }

    fn all(self: &Rc<Self>, items: &[Expr], environment: &Environment) -> Lowered<Vec<Value>> {
        items
            .iter()
            .map(|item| self.expression(item, environment))
            .collect()
    }

    /// `[a, b, ..]`
    fn vector(
        self: &Rc<Self>,
        items: &[Expr],
        environment: &Environment,
        span: Span,
    ) -> Lowered<Value> {
        let mut scalars = Vec::new();
        for item in items {
            let value = self.expression(item, environment)?;
            scalars.push(self.array(&value, item.span)?);
        }
        let length = u32::try_from(scalars.len()).unwrap_or(u32::MAX);
        self.at(span, || self.joined(&scalars, vec![lit(length)]))
            .map(Value::Array)
    }

    /// Scalars as an array of some extents, in rows.
    pub(crate) fn joined(&self, scalars: &[Array], extents: Vec<EU32>) -> Lowered<Array> {
        let base = scalars.first().map_or(Base::Open, |scalar| scalar.base);
        let constants: Option<Vec<_>> = scalars.iter().map(Array::value).collect();
        let is_long = scalars.len() > LONGEST_LIST;
        // What is computed ahead reads nothing of the program.
        if let Some(elements) = constants.filter(|_| is_long && !self.is_folding())
            && let Some(elements) = crate::value::Elements::of(&elements)
            && extents.len() == 1
        {
            return Ok(Array::of_host(&crate::value::Array::vector(elements)));
        }
        let elements: Vec<_> = scalars.iter().map(Array::at).collect();
        let sources: Vec<&Array> = scalars.iter().collect();
        let own = extents.clone();
        self.delayed(base, extents, &sources, move |index| {
            let number = super::array::number(index, &own);
            one_of(base, &elements, number, 0)
        })
    }

    /// `if a then b else c`
    fn choice(
        self: &Rc<Self>,
        [condition, then, otherwise]: &[Expr; 3],
        environment: &Environment,
    ) -> Lowered<Value> {
        let value = self.expression(condition, environment)?;
        let decided = self.array(&value, condition.span)?;
        if self.is_outside() || decided.value().is_some() {
            let is_true = self.host(&decided, condition.span)?.value();
            let arm = match is_true {
                Some(crate::syntax::Constant::Bool(true)) => then,
                _ => otherwise,
            };
            return self.expression(arm, environment);
        }
        let is_true = boolean(&decided.at()(&[]));
        let arm = |arm: &Expr| self.array(&self.expression(arm, environment)?, arm.span);
        let first = self.under(is_true, || arm(then))?;
        let second = self.under(!is_true, || arm(otherwise))?;
        self.chosen(&decided, &first, &second, otherwise.span)
            .map(Value::Array)
    }

    /// One of two arrays, in a function of elements, where its extents may be any numbers.
    pub(crate) fn chosen(
        self: &Rc<Self>,
        condition: &Array,
        then: &Array,
        otherwise: &Array,
        span: Span,
    ) -> Lowered<Array> {
        if then.rank() != otherwise.rank() {
            return Err(Stop::wrong(
                span,
                "one arm has another number of axes than the other",
            ));
        }
        let (is_true, a, b) = (condition.at(), then.at(), otherwise.at());
        let is_first = boolean(&is_true(&[]));
        let pairs = then.extents.iter().zip(&otherwise.extents);
        let extents = pairs.map(|(a, b)| match a.eq(*b).as_literal() {
            Some(true) => *a,
            _ => select(is_first, *a, *b),
        });
        let (extents, own) = (extents.collect(), self.clone());
        self.delayed(
            then.base,
            extents,
            &[condition, then, otherwise],
            move |index| own.one_of(boolean(&is_true(&[])), || a(index), || b(index)),
        )
    }
}

/// The element of scalars with a number; only what may be it is computed.
fn one_of(base: Base, elements: &[super::array::At], at: EU32, first: usize) -> AnyElement {
    let number = at.as_literal();
    let number = number.and_then(|at| (at as usize).checked_sub(first));
    if let Some(element) = number.and_then(|number| elements.get(number)) {
        return element(&[]);
    }
    match elements {
        [] => default(base),
        [one] => one(&[]),
        _ => {
            let (left, right) = elements.split_at(elements.len() / 2);
            let border = first + left.len();
            let is_left = at.lt(u32::try_from(border).unwrap_or(u32::MAX));
            let then = one_of(base, left, at, first);
            choose(is_left, &then, &one_of(base, right, at, border))
        }
    }
}
