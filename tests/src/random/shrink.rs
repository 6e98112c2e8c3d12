//! Makes a program that fails smaller: as long as it fails, parts are replaced by smaller parts of
//! the same type.

use obsidian_core::scalar::{Literal, ScalarType};

use super::syntax::{Expr, Kind, Program, Step, Type, Variable};

/// The most programs that are tried.
const TRIALS: usize = 400;

/// The smallest program found for which `fails` holds still.
pub fn shrink(program: &Program, fails: impl Fn(&Program) -> bool) -> Program {
    let (mut best, mut trials) = (program.clone(), 0);
    loop {
        let Some(next) = smaller(&best)
            .into_iter()
            .take(TRIALS.saturating_sub(trials))
            .find(|candidate| {
                trials += 1;
                fails(candidate)
            })
        else {
            return best;
        };
        best = next;
    }
}

/// Programs with one part replaced, those with the largest gain first.
fn smaller(program: &Program) -> Vec<Program> {
    let mut found = Vec::new();
    let mut scope: Vec<Variable> = program.parameters.iter().map(|p| p.variable).collect();
    replace(&program.body, &mut scope, &mut |body| found.push(body));
    let size = program.body.size();
    let mut bodies: Vec<(usize, Expr)> = found
        .into_iter()
        .map(|body| (body.size(), body))
        .filter(|(n, _)| *n < size)
        .collect();
    bodies.sort_by_key(|(n, _)| *n);
    bodies
        .into_iter()
        .map(|(_, body)| Program {
            body,
            ..program.clone()
        })
        .collect()
}

/// Gives every expression that differs from this one in one part.
fn replace(expr: &Expr, scope: &mut Vec<Variable>, give: &mut dyn FnMut(Expr)) {
    for other in instead_of(expr, scope) {
        give(other);
    }
    let depth = scope.len();
    match &expr.kind {
        Kind::Closure(parameters, _) => scope.extend(parameters.iter().map(|(v, _)| *v)),
        Kind::Steps(list, result) => {
            for n in 0..list.len() {
                let mut rest = list.clone();
                rest.remove(n);
                let shorter = if rest.is_empty() {
                    (**result).clone()
                } else {
                    Expr {
                        ty: expr.ty.clone(),
                        kind: Kind::Steps(rest, result.clone()),
                    }
                };
                give(shorter);
            }
        }
        _ => {}
    }
    for n in 0..expr.parts().len() {
        if let Kind::Steps(list, _) = &expr.kind
            && let Some(Step::Let(v, _) | Step::Bind(v, _)) =
                n.checked_sub(1).and_then(|before| list.get(before))
        {
            scope.push(*v);
        }
        let part = expr.parts()[n].clone();
        replace(&part, scope, &mut |new| {
            let mut whole = expr.clone();
            *whole.parts_mut()[n] = new;
            give(whole);
        });
    }
    scope.truncate(depth);
}

/// Smaller expressions of the same type that use only known names.
fn instead_of(expr: &Expr, scope: &[Variable]) -> Vec<Expr> {
    let mut found = Vec::new();
    if let Some(simple) = simplest(&expr.ty) {
        found.push(simple);
    }
    if expr.ty != Type::Host {
        expr.visit(&mut |part| {
            if part.ty == expr.ty && part != expr && !found.contains(part) {
                found.push(part.clone());
            }
        });
    }
    found.retain(|other| other != expr && closed(other, &mut scope.to_vec()));
    found
}

/// The simplest value of a type.
fn simplest(ty: &Type) -> Option<Expr> {
    let kind = match ty {
        Type::Scalar(scalar) => Kind::Literal(Literal::one(*scalar)),
        Type::Tuple(fields) => Kind::Tuple(fields.iter().map(simplest).collect::<Option<_>>()?),
        Type::Pull(element, Some(n)) if matches!(**element, Type::Scalar(_) | Type::Tuple(_)) => {
            let n = Expr {
                ty: Type::Host,
                kind: Kind::Number(*n),
            };
            Kind::Call {
                name: "replicate",
                method: false,
                level: None,
                arguments: vec![n, simplest(element)?],
            }
        }
        Type::Push(level, element, Some(n)) => {
            let pull = simplest(&Type::pull(element, *n))?;
            Kind::Call {
                name: "push",
                method: true,
                level: Some(*level),
                arguments: vec![pull],
            }
        }
        Type::Program(level, result) => Kind::Call {
            name: "pure",
            method: false,
            level: Some(*level),
            arguments: vec![simplest(result)?],
        },
        _ => return None,
    };
    Some(Expr {
        ty: ty.clone(),
        kind,
    })
}

/// Does an expression use known names only?
fn closed(expr: &Expr, scope: &mut Vec<Variable>) -> bool {
    let depth = scope.len();
    let result = match &expr.kind {
        Kind::Variable(v) | Kind::LengthOf(v) => scope.contains(v),
        Kind::Closure(parameters, body) => {
            scope.extend(parameters.iter().map(|(v, _)| *v));
            closed(body, scope)
        }
        Kind::Steps(list, result) => {
            let all = list.iter().all(|step| {
                let known = closed(step.value(), scope);
                if let Step::Let(v, _) | Step::Bind(v, _) = step {
                    scope.push(*v);
                }
                known
            });
            all && closed(result, scope)
        }
        _ => expr.parts().into_iter().all(|part| closed(part, scope)),
    };
    scope.truncate(depth);
    result
}

/// The program with the operands of one operator swapped, whose order matters; none if it has no
/// such operator.
pub fn swapped(program: &Program, n: usize) -> Option<Program> {
    let (mut body, mut before) = (program.body.clone(), n);
    swap(&mut body, &mut before).then(|| Program {
        body,
        ..program.clone()
    })
}

fn swap(expr: &mut Expr, before: &mut usize) -> bool {
    if let Kind::Operator("-" | "/" | "%" | "<" | "<=" | ">" | ">=", operands) = &mut expr.kind
        && let [x, y] = &mut operands[..]
        && x.ty != Type::Scalar(ScalarType::U32)
    {
        if *before == 0 {
            std::mem::swap(x, y);
            return true;
        }
        *before -= 1;
    }
    expr.parts_mut().into_iter().any(|part| swap(part, before))
}
