//! Makes random programs: well-typed, without races, and of bounded size.
//!
//! Each function makes an expression of a wanted type by one of the rules that can give it; a rule
//! has the name of the library's function that it calls. A program is asked to use some names, one
//! after another for neighbouring seeds (`Generator::new`), so that a few hundred programs use all
//! of them.

mod grid;
mod held;
mod kernels;
mod mutable;
mod programs;
mod pulls;
mod pushes;
mod scalars;
mod two;

pub use kernels::inputs;

use std::sync::Arc;

use obsidian_core::ir::Level;
use obsidian_core::scalar::{Literal, ScalarType};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::coverage;
use super::syntax::{Expr, Kind, Program, Step, Type, Variable};

/// The state of making one program.
pub struct Generator {
    random: StdRng,
    next: Variable,
    /// The names that may be used, and what they are.
    scope: Vec<(Variable, Type)>,
    /// How many more rules may be used before the simplest ones are.
    fuel: i32,
    /// Names of the library that this program should use.
    wishes: Vec<&'static str>,
    /// May functions be used that other libraries round differently?
    approximate: bool,
}

/// Makes the program of a seed.
pub fn generate(seed: u64) -> Program {
    Generator::new(seed).kernel(seed)
}

impl Generator {
    fn new(seed: u64) -> Self {
        let names = coverage::wishes();
        let wish = |step: u64| names[(seed.wrapping_mul(step) % names.len() as u64) as usize];
        let mut wishes = vec![wish(1), wish(7)];
        if wishes.iter().any(|name| name.starts_with("atomic_")) {
            wishes.extend(["new_shared_mutable", "atomic"]);
        }
        Generator {
            random: StdRng::seed_from_u64(seed),
            next: 0,
            scope: Vec::new(),
            fuel: 40,
            wishes,
            approximate: false,
        }
    }

    fn below(&mut self, n: u32) -> u32 {
        self.random.random_range(0..n.max(1))
    }

    fn chance(&mut self, probability: f64) -> bool {
        self.random.random_bool(probability)
    }

    fn pick<T: Clone>(&mut self, list: &[T]) -> T {
        list[self.random.random_range(0..list.len())].clone()
    }

    /// One of some rules: a wished one if it is among them.
    fn rule(&mut self, rules: &[&'static str]) -> &'static str {
        self.fuel -= 1;
        if let Some(wish) = self
            .wishes
            .iter()
            .copied()
            .find(|wish| rules.contains(wish))
            && self.chance(0.7)
        {
            return wish;
        }
        self.pick(rules)
    }

    fn fresh(&mut self) -> Variable {
        self.next += 1;
        self.next
    }

    /// A closure over names of some types.
    fn closure(&mut self, types: &[Type], body: impl FnOnce(&mut Self, &[Expr]) -> Expr) -> Expr {
        let depth = self.scope.len();
        let parameters: Vec<(Variable, Type)> =
            types.iter().map(|ty| (self.fresh(), ty.clone())).collect();
        self.scope.extend(parameters.iter().cloned());
        let names: Vec<Expr> = parameters.iter().map(|(v, ty)| variable(*v, ty)).collect();
        let body = body(self, &names);
        self.scope.truncate(depth);
        Expr {
            ty: Type::Host,
            kind: Kind::Closure(parameters, Arc::new(body)),
        }
    }

    /// Names of a type that fits.
    fn known(&self, fits: impl Fn(&Type) -> bool) -> Vec<Expr> {
        self.scope
            .iter()
            .filter(|(_, ty)| fits(ty))
            .map(|(v, ty)| variable(*v, ty))
            .collect()
    }

    /// A type of elements.
    fn element_type(&mut self) -> Type {
        // What is made of known arrays depends on the inputs.
        let known = self.known(|t| matches!(t, Type::Pull(e, Some(n)) if *n > 0 && matches!(**e, Type::Scalar(_) | Type::Tuple(_))));
        if !known.is_empty() && self.chance(0.5) {
            return pulls::element_of(&self.pick(&known));
        }
        match self.below(8) {
            0..=5 => Type::Scalar(self.scalar_type()),
            6 => {
                let n = self.below(3) + 2;
                Type::Tuple((0..n).map(|_| Type::Scalar(self.scalar_type())).collect())
            }
            _ => {
                let (ty, n) = (Type::Scalar(self.scalar_type()), self.below(3) + 2);
                Type::Tuple(vec![ty; n as usize])
            }
        }
    }

    fn scalar_type(&mut self) -> ScalarType {
        if self.chance(0.5) {
            self.pick(&[ScalarType::U32, ScalarType::I32, ScalarType::F32])
        } else {
            self.pick(&ScalarType::ALL)
        }
    }

    /// A divisor of a length, often neither 1 nor the length.
    fn divisor(&mut self, len: u32) -> u32 {
        let all: Vec<u32> = (1..=len.max(1))
            .filter(|n| len.is_multiple_of(*n))
            .collect();
        let inner: Vec<u32> = all.iter().copied().filter(|n| *n > 1 && *n < len).collect();
        if inner.is_empty() || self.chance(0.2) {
            self.pick(&all)
        } else {
            self.pick(&inner)
        }
    }
}

/// A name.
fn variable(v: Variable, ty: &Type) -> Expr {
    Expr {
        ty: ty.clone(),
        kind: Kind::Variable(v),
    }
}

/// A number of the host.
fn number(n: u32) -> Expr {
    Expr {
        ty: Type::Host,
        kind: Kind::Number(n),
    }
}

/// The shape or index of an array of several axes.
fn numbers(list: &[u32]) -> Expr {
    Expr {
        ty: Type::Host,
        kind: Kind::Tuple(list.iter().map(|n| number(*n)).collect()),
    }
}

/// A literal.
fn literal(value: Literal) -> Expr {
    Expr {
        ty: Type::Scalar(value.ty()),
        kind: Kind::Literal(value),
    }
}

/// A call of a function.
fn call(name: &'static str, ty: Type, arguments: Vec<Expr>) -> Expr {
    Expr {
        ty,
        kind: Kind::Call {
            name,
            method: false,
            level: None,
            arguments,
        },
    }
}

/// A call of a method.
fn method(name: &'static str, ty: Type, arguments: Vec<Expr>) -> Expr {
    Expr {
        ty,
        kind: Kind::Call {
            name,
            method: true,
            level: None,
            arguments,
        },
    }
}

/// A call with a level.
fn at_level(mut expr: Expr, of: Level) -> Expr {
    if let Kind::Call { level, .. } = &mut expr.kind {
        *level = Some(of);
    }
    expr
}

/// A field of a tuple.
fn field(x: Expr, n: usize) -> Expr {
    let Type::Tuple(fields) = &x.ty else {
        panic!("{:?} is no tuple", x.ty)
    };
    Expr {
        ty: fields[n].clone(),
        kind: Kind::Field(Box::new(x), n),
    }
}

/// A program of steps; one without steps is its result.
fn steps(steps: Vec<Step>, result: Expr) -> Expr {
    if steps.is_empty() {
        return result;
    }
    Expr {
        ty: result.ty.clone(),
        kind: Kind::Steps(steps, Box::new(result)),
    }
}

/// `pure(x)` at a level.
fn pure(level: Level, x: Expr) -> Expr {
    call("pure", Type::program(level, &x.ty.clone()), vec![x])
}
