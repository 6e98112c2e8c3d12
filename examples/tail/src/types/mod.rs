//! Holds each expression of a program to the types that the program states.
//!
//! A vector whose length is known may stand for a vector of any length, and a value that is known for any value:
//!
//! | type | may stand for |
//! |---|---|
//! | `S(b,x)` | `[b]0` |
//! | `SV(b,x)` | `<b>1` |
//! | `<b>n` | `[b]1` |
//!
//! The reference compiler prints programs in which the less precise type stands where the more precise one is expected, too, so nothing is
//! wrong unless both types say something, and not the same.

pub mod signatures;

use std::collections::BTreeMap;

use strsim::levenshtein;

use crate::mistake::Mistake;
use crate::syntax::{Base, Binding, Constant, Expr, ExprKind, Function, Operator, Span, Type};
use signatures::{OTHERS, SIGNATURES, Signature};

/// Checks a program, whose value is a scalar double.
pub fn check(program: &Expr) -> Result<(), Mistake> {
    let mut checker = Checker::default();
    let found = checker.expression(program)?;
    match fits(&found, &Type::Array(Base::Double, 0)) {
        true => Ok(()),
        false => {
            let message = format!("a program gives a scalar double, and this one {found}");
            Err(Mistake::new(result_of(program).span, message))
        }
    }
}

/// The expression whose value an expression has.
fn result_of(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Let(_, body) => result_of(body),
        _ => expr,
    }
}

/// May a value of the first type stand where one of the second is expected?
pub fn fits(found: &Type, wanted: &Type) -> bool {
    match (found, wanted) {
        (Type::Function(from, to), Type::Function(other, result)) => {
            fits(other, from) && fits(to, result)
        }
        (Type::Tuple(found), Type::Tuple(wanted)) => {
            found.len() == wanted.len() && found.iter().zip(wanted).all(|(a, b)| fits(a, b))
        }
        _ => {
            let (Some((base, rank)), Some((other, wanted_rank))) = (found.array(), wanted.array())
            else {
                return false;
            };
            let is_open = base == Base::Open || other == Base::Open;
            (base == other || is_open)
                && rank == wanted_rank
                && agree(found.length(), wanted.length())
                && agree(found.value(), wanted.value())
        }
    }
}

/// Are two the same, as far as both are there?
fn agree<T: PartialEq>(a: Option<T>, b: Option<T>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => a == b,
        _ => true,
    }
}

/// The type that two arms of an `if` have in common.
fn common(then: &Type, otherwise: &Type) -> Option<Type> {
    if then == otherwise {
        return Some(then.clone());
    }
    let (Some((base, rank)), Some((other, _))) = (then.array(), otherwise.array()) else {
        return fits(then, otherwise).then(|| then.clone());
    };
    let base = if base == Base::Open { other } else { base };
    let general = Type::Array(base, rank);
    (fits(then, &general) && fits(otherwise, &general)).then_some(general)
}

#[derive(Default)]
struct Checker {
    /// The types of the variables, the latest last.
    variables: BTreeMap<String, Vec<Type>>,
}

impl Checker {
    fn expression(&mut self, expr: &Expr) -> Result<Type, Mistake> {
        match &expr.kind {
            ExprKind::Constant(value) => Ok(Type::Scalar(*value)),
            ExprKind::Variable(name) => self.variable(name, expr.span),
            ExprKind::Operator(operator) => self.operator(operator),
            ExprKind::Call(operator, arguments) => self.call(operator, arguments, expr.span),
            ExprKind::Vector(items) => self.vector(items),
            ExprKind::Tuple(items) => {
                let types: Result<_, _> = items.iter().map(|item| self.expression(item)).collect();
                types.map(Type::Tuple)
            }
            ExprKind::Let(bindings, body) => self.bindings(bindings, body),
            ExprKind::Function(function) => self.function(function),
            ExprKind::If(parts) => self.choice(parts),
        }
    }

    fn variable(&self, name: &str, span: Span) -> Result<Type, Mistake> {
        let known = self.variables.get(name).and_then(|types| types.last());
        let unknown = || Mistake::new(span, format!("nothing is bound to `{name}` here"));
        known.cloned().ok_or_else(unknown)
    }

    fn bind(&mut self, name: &str, ty: &Type) {
        self.variables
            .entry(name.to_owned())
            .or_default()
            .push(ty.clone());
    }

    fn unbind(&mut self, name: &str) {
        if let Some(types) = self.variables.get_mut(name) {
            types.pop();
        }
    }

    fn bindings(&mut self, bindings: &[Binding], body: &Expr) -> Result<Type, Mistake> {
        for Binding { name, ty, value } in bindings {
            let found = self.expression(value)?;
            if !fits(&found, ty) {
                let message = format!("`{name}` is declared as {ty}, and this is {found}");
                return Err(Mistake::new(result_of(value).span, message));
            }
            self.bind(name, ty);
        }
        let ty = self.expression(body);
        bindings
            .iter()
            .for_each(|binding| self.unbind(&binding.name));
        ty
    }

    fn function(&mut self, function: &Function) -> Result<Type, Mistake> {
        self.bind(&function.name, &function.ty);
        let result = self.expression(&function.body);
        self.unbind(&function.name);
        Ok(Type::Function(
            Box::new(function.ty.clone()),
            Box::new(result?),
        ))
    }

    fn choice(&mut self, [condition, then, otherwise]: &[Expr; 3]) -> Result<Type, Mistake> {
        let truth = Type::Array(Base::Bool, 0);
        self.need(condition, &truth, "the condition of `if`")?;
        let (first, second) = (self.expression(then)?, self.expression(otherwise)?);
        common(&first, &second).ok_or_else(|| {
            let message = format!("the arms of `if` are {first} and {second}");
            Mistake::new(otherwise.span, message)
        })
    }

    fn vector(&mut self, items: &[Expr]) -> Result<Type, Mistake> {
        let mut base = Base::Open;
        let mut only = None;
        for item in items {
            let found = self.expression(item)?;
            let wanted = Type::Array(base, 0);
            if !fits(&found, &wanted) {
                let message = match base {
                    Base::Open => {
                        format!("an element of a vector is a scalar, and this is {found}")
                    }
                    _ => {
                        format!("the elements in front are scalars of {base}, and this is {found}")
                    }
                };
                return Err(Mistake::new(item.span, message));
            }
            if base == Base::Open {
                base = found.array().map_or(base, |(base, _)| base);
            }
            only = found.value();
        }
        let length = u32::try_from(items.len()).unwrap_or(u32::MAX);
        Ok(match only {
            Some(value) if length == 1 => Type::Single(value),
            _ => Type::Vector(base, length),
        })
    }

    /// Fails if an expression is of another type than the one that is wanted.
    fn need(&mut self, expr: &Expr, wanted: &Type, what: &str) -> Result<Type, Mistake> {
        let found = self.expression(expr)?;
        match fits(&found, wanted) {
            true => Ok(found),
            false => {
                let message = format!("{what} has to be {wanted}, and this is {found}");
                Err(Mistake::new(result_of(expr).span, message))
            }
        }
    }

    /// An operator as a function.
    fn operator(&mut self, operator: &Operator) -> Result<Type, Mistake> {
        if OTHERS.contains(&operator.name.as_str()) {
            let message = format!("`{}` is called, and not passed on", operator.name);
            return Err(Mistake::new(operator.span, message));
        }
        let signature = signature(operator)?;
        if signature.is_of_any_rank() {
            let message = format!("`{}` is called, and not passed on", operator.name);
            return Err(Mistake::new(operator.span, message));
        }
        let (arguments, result) = instantiated(operator, signature)?;
        Ok(arguments.into_iter().rev().fold(result, |to, from| {
            Type::Function(Box::new(from), Box::new(to))
        }))
    }

    fn call(&mut self, op: &Operator, arguments: &[Expr], span: Span) -> Result<Type, Mistake> {
        match op.name.as_str() {
            "power" => return self.power(op, arguments, span),
            "Prj" => return self.projection(op, arguments, span),
            "idxassign" => return self.assignment(op, arguments, span),
            // Both forms occur.
            "mem" if op.instance.is_none() => {
                count(op, arguments, 1, span)?;
                return self.expression(&arguments[0]);
            }
            _ => {}
        }
        let signature = signature(op)?;
        count(op, arguments, signature.arguments.len(), span)?;
        let (wanted, result) = if signature.is_of_any_rank() {
            no_instance(op)?;
            let found = match arguments.first() {
                Some(array) => self.expression(array)?,
                None => Type::Array(Base::Open, 0),
            };
            let rank = found.array().map_or(0, |(_, rank)| rank);
            signature.types(&[], &[rank])
        } else {
            instantiated(op, signature)?
        };
        for (i, (argument, wanted)) in arguments.iter().zip(&wanted).enumerate() {
            let what = format!("argument {} of `{}`", i + 1, op.name);
            self.need(argument, wanted, &what)?;
        }
        Ok(result)
    }

    /// `power{bases, ranks}(f, n, x)`: the state is an array, or a tuple of them.
    fn power(&mut self, op: &Operator, arguments: &[Expr], span: Span) -> Result<Type, Mistake> {
        count(op, arguments, 3, span)?;
        let wrong = |message: &str| Mistake::new(op.span, message);
        let Some(instance) = &op.instance else {
            return Err(wrong(
                "`power` has an instance list: a base type and a rank for each part of its state",
            ));
        };
        if instance.bases.len() != instance.numbers.len() || instance.bases.is_empty() {
            let message = "`power` has a base type and a rank for each part of its state";
            return Err(Mistake::new(instance.span, message));
        }
        let parts = instance.bases.iter().zip(&instance.numbers);
        let mut parts: Vec<Type> = parts
            .map(|(base, rank)| Type::Array(*base, *rank))
            .collect();
        let state = match parts.len() {
            1 => parts.remove(0),
            _ => Type::Tuple(parts),
        };
        let step = Type::Function(Box::new(state.clone()), Box::new(state.clone()));
        let number = Type::Array(Base::Int, 0);
        for (i, (argument, wanted)) in arguments.iter().zip([&step, &number, &state]).enumerate() {
            self.need(argument, wanted, &format!("argument {} of `power`", i + 1))?;
        }
        Ok(state)
    }

    /// `Prj(i, t)`: a field of a tuple, from 0.
    fn projection(
        &mut self,
        op: &Operator,
        arguments: &[Expr],
        span: Span,
    ) -> Result<Type, Mistake> {
        no_instance(op)?;
        let [field, tuple] = arguments else {
            return Err(other_count(op, arguments.len(), 2, span));
        };
        let ExprKind::Constant(Constant::Int(n)) = field.kind else {
            return Err(Mistake::new(
                field.span,
                "the field of `Prj` is a number that is written out",
            ));
        };
        let found = self.expression(tuple)?;
        let Type::Tuple(types) = &found else {
            let message = format!("argument 2 of `Prj` has to be a tuple, and this is {found}");
            return Err(Mistake::new(tuple.span, message));
        };
        let ty = usize::try_from(n).ok().and_then(|n| types.get(n));
        let none = || Mistake::new(field.span, format!("{found} has no field {n}"));
        ty.cloned().ok_or_else(none)
    }

    /// `idxassign(index, mv, x)` changes an element of a variable.
    fn assignment(
        &mut self,
        op: &Operator,
        arguments: &[Expr],
        span: Span,
    ) -> Result<Type, Mistake> {
        no_instance(op)?;
        let [index, array, element] = arguments else {
            return Err(other_count(op, arguments.len(), 3, span));
        };
        let name = match &array.kind {
            ExprKind::Variable(name) if name.starts_with("mv") => name,
            _ => {
                return Err(Mistake::new(
                    array.span,
                    "`idxassign` changes a variable whose name begins with `mv`",
                ));
            }
        };
        let found = self.variable(name, array.span)?;
        let Some((base, rank)) = found.array() else {
            let message =
                format!("argument 2 of `idxassign` has to be an array, and this is {found}");
            return Err(Mistake::new(array.span, message));
        };
        self.need(
            index,
            &Type::Vector(Base::Int, rank),
            "argument 1 of `idxassign`",
        )?;
        self.need(element, &Type::Array(base, 0), "argument 3 of `idxassign`")?;
        Ok(Type::Array(Base::Bool, 0))
    }
}

/// The signature of an operator, or the name that was probably meant.
fn signature(operator: &Operator) -> Result<&'static Signature, Mistake> {
    let name = operator.name.as_str();
    SIGNATURES.get(name).ok_or_else(|| {
        let names = SIGNATURES.keys().chain(&OTHERS);
        let nearest = names.map(|known| (levenshtein(name, known), *known)).min();
        let message = match nearest {
            Some((far, near)) if far <= 1 + name.len() / 4 => {
                format!("there is no operator `{name}`; is it `{near}`?")
            }
            _ => format!("there is no operator `{name}`"),
        };
        Mistake::new(operator.span, message)
    })
}

/// The types of the arguments and of the result of an operator with its instance list.
fn instantiated(op: &Operator, signature: &Signature) -> Result<(Vec<Type>, Type), Mistake> {
    let name = &op.name;
    match (signature.instance(), &op.instance) {
        (None, _) => {
            no_instance(op)?;
            Ok(signature.types(&[], &[]))
        }
        (Some(list), None) => {
            let message = format!("`{name}` has an instance list, `{name}{list}`");
            Err(Mistake::new(op.span, message))
        }
        (Some(list), Some(found)) => {
            let bases = found.bases.len() == signature.bases.len();
            match bases && found.numbers.len() == signature.numbers.len() {
                true => Ok(signature.types(&found.bases, &found.numbers)),
                false => {
                    let message = format!("the instance list of `{name}` is `{list}`");
                    Err(Mistake::new(found.span, message))
                }
            }
        }
    }
}

fn no_instance(op: &Operator) -> Result<(), Mistake> {
    match &op.instance {
        None => Ok(()),
        Some(instance) => {
            let message = format!("`{}` has no instance list", op.name);
            Err(Mistake::new(instance.span, message))
        }
    }
}

fn count(op: &Operator, arguments: &[Expr], wanted: usize, span: Span) -> Result<(), Mistake> {
    match arguments.len() == wanted {
        true => Ok(()),
        false => Err(other_count(op, arguments.len(), wanted, span)),
    }
}

fn other_count(op: &Operator, found: usize, wanted: usize, span: Span) -> Mistake {
    let message = format!(
        "`{}` takes {wanted} arguments, and {found} are given",
        op.name
    );
    Mistake::new(span, message)
}
