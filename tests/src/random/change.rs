//! Changes one node of a program's tree: a step is dropped, a number or an operator is another one,
//! an argument is swapped with its neighbour.
//!
//! The generator makes programs that mean something. A changed one may not: an index is outside, an
//! element is never written, two threads write one. Types stay as they are, but for the lengths of
//! arrays.

use obsidian_core::scalar::{Literal, ScalarType};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::syntax::{Expr, Kind, Program, Step, Type, Variable};

/// What is changed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Change {
    /// A line of a program is gone.
    Step,
    /// A program that gives nothing, such as a write, is `pure(())`.
    Effect,
    /// A call or an operator is one of its arguments.
    Call,
    /// A number of the host is another one: a length, a count, a bound.
    Number,
    /// A literal of the device is another one.
    Literal,
    /// An operator or a function is another one of its kind.
    Operator,
    /// Two arguments of one type change places.
    Swap,
    /// An argument is another value of its type that is known there.
    Argument,
    /// An index is one more, one less, or its double.
    Index,
}

impl Change {
    /// All.
    pub const ALL: [Change; 9] = [
        Change::Step,
        Change::Effect,
        Change::Call,
        Change::Number,
        Change::Literal,
        Change::Operator,
        Change::Swap,
        Change::Argument,
        Change::Index,
    ];
}

/// Functions and operators of which each may stand where another one does, for rustc too.
const KINDS: &[&[&str]] = &[
    &["+", "-", "*", "/", "%", "min", "max"],
    &["&", "|", "^"],
    &["<<", ">>"],
    &["<", "<=", ">", ">=", "==", "!="],
    &["lt", "le", "gt", "ge", "eq", "ne"],
    &["evens", "odds"],
    &["first", "last"],
    &["take", "drop", "shift_left", "every_nth"],
    &["append", "interleave"],
    &["split_up", "coalesce"],
    &["concat", "un_coalesce"],
    &["rows", "columns"],
    &["row", "column"],
    &["height", "width"],
    &["map_accum_l", "map_accum_r"],
    // Those whose order does not matter.
    &[
        "atomic_add",
        "atomic_sub",
        "atomic_min",
        "atomic_max",
        "atomic_and",
        "atomic_or",
        "atomic_xor",
    ],
    &["for_all", "seq_for"],
];

/// Are two types one, but for the lengths of arrays?
fn alike(one: &Type, other: &Type) -> bool {
    match (one, other) {
        (Type::Pull(x, n), Type::Pull(y, m)) => n.is_some() == m.is_some() && alike(x, y),
        (Type::Push(l, x, n), Type::Push(k, y, m)) => {
            l == k && n.is_some() == m.is_some() && alike(x, y)
        }
        (Type::Pull2(x, ..), Type::Pull2(y, ..)) => alike(x, y),
        (Type::Push2(l, x, ..), Type::Push2(k, y, ..)) => l == k && alike(x, y),
        (Type::Pull3(x, _), Type::Pull3(y, _)) => alike(x, y),
        (Type::Push3(l, x, _), Type::Push3(k, y, _)) => l == k && alike(x, y),
        (Type::Mutable(x, _), Type::Mutable(y, _)) => alike(x, y),
        (Type::Program(l, x), Type::Program(k, y)) => l == k && alike(x, y),
        (Type::Tuple(x), Type::Tuple(y)) => {
            x.len() == y.len() && x.iter().zip(y).all(|(x, y)| alike(x, y))
        }
        (Type::Host, _) | (_, Type::Host) => false,
        _ => one == other,
    }
}

/// Names and their types, the innermost last.
type Scope = Vec<(Variable, Type)>;

/// The program of a seed with one node changed, and what was changed; none where nothing was found.
pub fn changed(program: &Program, seed: u64) -> Option<(Change, Program)> {
    let mut random = StdRng::seed_from_u64(seed ^ 0x00c4_a26e);
    let scope: Scope = program
        .parameters
        .iter()
        .map(|p| (p.variable, p.ty.clone()))
        .collect();
    for _ in 0..40 {
        let change = Change::ALL[random.random_range(0..Change::ALL.len())];
        let places = count(&program.body, &|expr| change.fits(expr));
        if places == 0 {
            continue;
        }
        let place = random.random_range(0..places);
        let mut body = program.body.clone();
        let mut make = |expr: &Expr, scope: &Scope| change.of(expr, scope, &mut random);
        let found = at(
            &mut body,
            &mut scope.clone(),
            &mut { place },
            &|expr| change.fits(expr),
            &mut make,
        );
        if found == Some(true) && body != program.body {
            let program = Program {
                body,
                ..program.clone()
            };
            return Some((change, program));
        }
    }
    None
}

/// How many nodes fit.
fn count(expr: &Expr, fits: &impl Fn(&Expr) -> bool) -> usize {
    let mut n = 0;
    expr.visit(&mut |expr| n += usize::from(fits(expr)));
    n
}

/// Changes the node before which so many others fit; has it been found, and changed?
fn at(
    expr: &mut Expr,
    scope: &mut Scope,
    before: &mut usize,
    fits: &impl Fn(&Expr) -> bool,
    make: &mut impl FnMut(&Expr, &Scope) -> Option<Expr>,
) -> Option<bool> {
    if fits(expr) {
        if *before == 0 {
            let new = make(expr, scope);
            let changed = new.is_some();
            if let Some(new) = new {
                *expr = new;
            }
            return Some(changed);
        }
        *before -= 1;
    }
    let depth = scope.len();
    if let Kind::Closure(parameters, _) = &expr.kind {
        scope.extend(parameters.iter().cloned());
    }
    let bound: Vec<Option<(Variable, Type)>> = match &expr.kind {
        Kind::Steps(steps, _) => steps.iter().map(binds).collect(),
        _ => Vec::new(),
    };
    let mut found = None;
    for (n, part) in expr.parts_mut().into_iter().enumerate() {
        found = at(part, scope, before, fits, make);
        if found.is_some() {
            break;
        }
        scope.extend(bound.get(n).cloned().flatten());
    }
    scope.truncate(depth);
    found
}

/// What a step binds.
fn binds(step: &Step) -> Option<(Variable, Type)> {
    match step {
        Step::Let(v, value) => Some((*v, value.ty.clone())),
        Step::Bind(v, value) => match &value.ty {
            Type::Program(_, result) => Some((*v, (**result).clone())),
            _ => None,
        },
        Step::Do(_) => None,
    }
}

impl Change {
    /// May this node be changed so?
    fn fits(self, expr: &Expr) -> bool {
        match (self, &expr.kind) {
            (Change::Step, Kind::Steps(steps, _)) => {
                steps.iter().any(|step| matches!(step, Step::Do(_)))
            }
            (Change::Effect, Kind::Call { name, .. }) => *name != "pure" && is_effect(&expr.ty),
            (Change::Call, Kind::Call { .. } | Kind::Operator(..)) => {
                expr.parts().iter().any(|part| alike(&part.ty, &expr.ty))
            }
            (Change::Number, Kind::Number(_)) | (Change::Literal, Kind::Literal(_)) => true,
            (Change::Operator, Kind::Operator(name, _) | Kind::Call { name, .. }) => {
                others(name).next().is_some() && expr.parts().len() > usize::from(is_sign(name))
            }
            (Change::Swap, Kind::Call { .. } | Kind::Operator(..) | Kind::Tuple(_)) => {
                !pairs(expr).is_empty()
            }
            (
                Change::Argument,
                Kind::Variable(_) | Kind::Call { .. } | Kind::Operator(..) | Kind::Field(..),
            ) => expr.ty != Type::Host,
            (Change::Index, Kind::Index(..)) => true,
            (Change::Index, Kind::Call { name, .. }) => {
                name.starts_with("atomic_") || matches!(*name, "read" | "write")
            }
            _ => false,
        }
    }

    /// The node changed, if there is a way.
    fn of(self, expr: &Expr, scope: &Scope, random: &mut StdRng) -> Option<Expr> {
        let mut new = expr.clone();
        match (self, &mut new.kind) {
            (Change::Step, Kind::Steps(steps, _)) => {
                let all: Vec<usize> = (0..steps.len())
                    .filter(|n| matches!(steps[*n], Step::Do(_)))
                    .collect();
                steps.remove(pick(&all, random)?);
            }
            (Change::Effect, _) => return nothing(&expr.ty),
            (Change::Call, _) => {
                let parts: Vec<Expr> = expr
                    .parts()
                    .into_iter()
                    .filter(|part| alike(&part.ty, &expr.ty))
                    .cloned()
                    .collect();
                return pick(&parts, random);
            }
            (Change::Number, Kind::Number(n)) => *n = other_number(*n, random),
            (Change::Literal, Kind::Literal(value)) => *value = other_literal(*value, random),
            (Change::Operator, Kind::Operator(name, operands)) => {
                let list: Vec<&'static str> = others(name).filter(|n| is_symbol(n)).collect();
                let of_bool = operands
                    .iter()
                    .any(|x| x.ty == Type::Scalar(ScalarType::Bool));
                *name = pick(&list, random)
                    .filter(|n| !of_bool || matches!(*n, "&" | "|" | "^" | "==" | "!="))?;
            }
            (Change::Operator, Kind::Call { name, .. }) => {
                let list: Vec<&'static str> = others(name).filter(|n| !is_symbol(n)).collect();
                *name = pick(&list, random)?;
            }
            (Change::Swap, _) => {
                let (x, y) = pick(&pairs(expr), random)?;
                let mut parts = new.parts_mut();
                let first = parts[x].clone();
                *parts[x] = parts[y].clone();
                *parts[y] = first;
            }
            (Change::Argument, _) => return other_value(expr, scope, random),
            (Change::Index, _) => {
                let position = 1;
                let mut parts = new.parts_mut();
                let index = parts.get_mut(position)?;
                **index = other_index(index, random)?;
            }
            _ => return None,
        }
        Some(new)
    }
}

fn pick<T: Clone>(list: &[T], random: &mut StdRng) -> Option<T> {
    (!list.is_empty()).then(|| list[random.random_range(0..list.len())].clone())
}

fn is_symbol(name: &str) -> bool {
    !name.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// May it stand before one operand, too?
fn is_sign(name: &str) -> bool {
    matches!(name, "-")
}

fn is_effect(ty: &Type) -> bool {
    matches!(ty, Type::Program(_, result) if **result == Type::unit())
}

/// Others of the kind of a function.
fn others(name: &str) -> impl Iterator<Item = &'static str> + use<> {
    let name = name.to_owned();
    let kind = KINDS.iter().find(|kind| kind.contains(&name.as_str()));
    kind.into_iter()
        .flat_map(|kind| kind.iter().copied())
        .filter(move |other| *other != name)
}

/// Pairs of parts of one type, or of numbers.
fn pairs(expr: &Expr) -> Vec<(usize, usize)> {
    let parts = expr.parts();
    let number = |x: &Expr| matches!(x.kind, Kind::Number(_));
    let fits = |x: &Expr, y: &Expr| x != y && (alike(&x.ty, &y.ty) || (number(x) && number(y)));
    (0..parts.len())
        .flat_map(|x| (x + 1..parts.len()).map(move |y| (x, y)))
        .filter(|(x, y)| fits(parts[*x], parts[*y]))
        .collect()
}

/// `pure(())`
fn nothing(ty: &Type) -> Option<Expr> {
    let Type::Program(level, _) = ty else {
        return None;
    };
    let unit = Expr {
        ty: Type::unit(),
        kind: Kind::Tuple(Vec::new()),
    };
    Some(Expr {
        ty: ty.clone(),
        kind: Kind::Call {
            name: "pure",
            method: false,
            level: Some(*level),
            arguments: vec![unit],
        },
    })
}

fn other_number(n: u32, random: &mut StdRng) -> u32 {
    let list = [
        n + 1,
        n.saturating_sub(1),
        0,
        1,
        n * 2,
        n / 2,
        random.random_range(0..70),
    ];
    list[random.random_range(0..list.len())]
}

fn other_literal(value: Literal, random: &mut StdRng) -> Literal {
    let ty = value.ty();
    if let Some(x) = value.as_integer() {
        let list = [
            x + 1,
            x - 1,
            0,
            1,
            x * 2,
            i128::from(random.random_range(0..100_u32)),
        ];
        let bits = list[random.random_range(0..list.len())] as u64;
        return Literal::from_bits(
            ty,
            if ty == ScalarType::Bool {
                1 - value.bits()
            } else {
                bits
            },
        );
    }
    let list = [0.0, -1.0, 0.5, f64::NAN, f64::INFINITY, 3.0];
    Literal::float(ty, list[random.random_range(0..list.len())]).unwrap_or(value)
}

/// A name, or a literal, of the same type.
fn other_value(expr: &Expr, scope: &Scope, random: &mut StdRng) -> Option<Expr> {
    let mut list: Vec<Expr> = scope
        .iter()
        .filter(|(_, ty)| alike(ty, &expr.ty))
        .map(|(v, ty)| Expr {
            ty: ty.clone(),
            kind: Kind::Variable(*v),
        })
        .collect();
    if let Type::Scalar(ty) = expr.ty {
        list.push(Expr {
            ty: expr.ty.clone(),
            kind: Kind::Literal(other_literal(Literal::one(ty), random)),
        });
    }
    list.retain(|other| other != expr);
    pick(&list, random)
}

/// One more, one less, or the double.
fn other_index(index: &Expr, random: &mut StdRng) -> Option<Expr> {
    if let Kind::Number(n) = index.kind {
        return Some(Expr {
            ty: Type::Host,
            kind: Kind::Number(other_number(n, random)),
        });
    }
    let by = |n: u32| Expr {
        ty: Type::Scalar(ScalarType::U32),
        kind: Kind::Literal(Literal::from(n)),
    };
    let (name, n) = [("+", 1), ("-", 1), ("*", 2), ("/", 2), ("^", 1)][random.random_range(0..5)];
    (index.ty == Type::Scalar(ScalarType::U32)).then(|| Expr {
        ty: index.ty.clone(),
        kind: Kind::Operator(name, vec![index.clone(), by(n)]),
    })
}

/// Does a program have atomic operations whose order shows?
pub fn is_open(program: &Program) -> bool {
    let mut open = false;
    program.body.visit(&mut |expr| {
        open |= matches!(
            &expr.kind,
            Kind::Call {
                name: "atomic_exch" | "atomic_cas" | "atomic_inc" | "atomic_dec",
                ..
            }
        );
    });
    open
}
