//! What random programs use: counted, and held against the tables of the front end.

use std::collections::{BTreeMap, BTreeSet};

use obsidian_core::ir::{AtomicOp, Level};
use obsidian_core::scalar::{BinaryOp, ScalarType, UnaryOp};
use obsidian_front::evaluate::{blocks, functions as all_functions, methods, methods_of_values};

use super::syntax::{Expr, Kind, Program, Type};

/// Methods that do not occur: numbers of the host, which the generator knows and writes down as
/// such.
const NUMBERS: &[&str] = &[
    "Pull.shape",
    "Push.len",
    "Push.shape",
    "Mutable.len",
    "Push2.height",
    "Push2.width",
    "Pull3.depth",
    "Pull3.height",
    "Pull3.width",
    "Push3.depth",
    "Push3.height",
    "Push3.width",
];

/// Methods of device values that do not occur: what a launch checks.
const REQUIRED: &[&str] = &["at_least", "equals", "multiple_of"];

/// Methods of device values.
fn of_values() -> impl Iterator<Item = &'static str> {
    methods_of_values().filter(|name| !REQUIRED.contains(name))
}

/// The functions of kernels, without the building blocks: these are made of the others, and `tests/natural` has each of them on
/// every device.
fn functions() -> impl Iterator<Item = &'static str> {
    let blocks: Vec<&str> = blocks().filter(|name| *name != "exchange").collect();
    all_functions().filter(move |name| !blocks.contains(name))
}

/// Operators that are written as functions of a type or a module, which are wanted by that name.
const FUNCTIONS_OF: &[&str] = &[
    "from_bits",
    "fast_cos",
    "fast_div",
    "fast_exp",
    "fast_ln",
    "fast_sin",
];

/// Names that programs are asked to use: all that the generator has rules of.
pub fn wishes() -> Vec<&'static str> {
    let mut names: BTreeSet<&'static str> = functions().collect();
    names.extend(methods().map(|(_, name)| name));
    names.extend(UnaryOp::ALL.iter().map(|op| op.name()));
    names.extend(BinaryOp::ALL.iter().map(|op| op.name()));
    names.insert("atomic");
    names.extend(of_values());
    names.into_iter().collect()
}

/// Everything that has to occur: functions by their name, methods as `Type.name`, operators,
/// element types, and nests of levels.
pub fn wanted() -> BTreeSet<String> {
    let mut names: BTreeSet<String> = functions().map(str::to_owned).collect();
    names.extend(methods().map(|(ty, name)| format!("{ty}.{name}")));
    names.extend(
        UnaryOp::ALL
            .iter()
            .map(|op| format!("operator {}", op.name())),
    );
    names.extend(
        BinaryOp::ALL
            .iter()
            .map(|op| format!("operator {}", op.name())),
    );
    names.extend(
        AtomicOp::ALL
            .iter()
            .map(|op| format!("Mutable.{}", op.method())),
    );
    names.extend(
        ScalarType::ALL
            .iter()
            .map(|ty| format!("type {}", ty.name())),
    );
    names.extend(nests().into_iter().map(|nest| format!("nest {nest}")));
    names.extend(of_values().map(|name| format!("operator {name}")));
    FUNCTIONS_OF.iter().for_each(|name| {
        names.remove(&format!("operator {name}"));
    });
    names.extend(["distr_par", "seq_for", "mk_push"].map(|name| format!("{name} of the grid")));
    names.insert("3 or more computes in one program".to_owned());
    names.insert("an element of another block's piece".to_owned());
    names.retain(|name| !NUMBERS.contains(&name.as_str()));
    names
}

/// All nests of levels below the grid in which no level stands twice.
fn nests() -> Vec<String> {
    [
        "Block",
        "Block > Warp",
        "Block > Thread",
        "Block > Warp > Thread",
        "Block > Block",
        "Block > Warp > Warp",
    ]
    .map(str::to_owned)
    .to_vec()
}

/// How often each thing occurs.
#[derive(Clone, Default, Debug)]
pub struct Histogram {
    counts: BTreeMap<String, u64>,
}

impl Histogram {
    /// Adds a program.
    pub fn add(&mut self, program: &Program) {
        let mut computes = 0;
        program.body.visit(&mut |expr| {
            computes += usize::from(
                matches!(&expr.kind, Kind::Call { name, .. } if name.starts_with("compute")),
            );
            self.count(expr);
        });
        if computes >= 3 {
            self.one("3 or more computes in one program".to_owned());
        }
        self.nest(&program.body, &mut Vec::new());
    }

    fn one(&mut self, name: String) {
        *self.counts.entry(name).or_default() += 1;
    }

    fn count(&mut self, expr: &Expr) {
        if let Kind::Call {
            name,
            level: Some(Level::Grid),
            ..
        } = &expr.kind
        {
            self.one(format!("{name} of the grid"));
        }
        if let Type::Scalar(ty) = expr.ty {
            self.one(format!("type {}", ty.name()));
        }
        match &expr.kind {
            Kind::Index(piece, _) if matches!(&piece.kind, Kind::Index(cut, _) if matches!(cut.ty, Type::Pull(_, None))) =>
            {
                self.one("an element of another block's piece".to_owned());
            }
            Kind::LengthOf(_) => self.one("Pull.len".to_owned()),
            Kind::Literal(_) => self.one("lit".to_owned()),
            Kind::Operator(name, _) => self.one(format!("operator {name}")),
            Kind::Call {
                name,
                method: true,
                arguments,
                ..
            } => {
                // Methods of every rank are those of `Pull` and `Push`.
                match &arguments[0].ty {
                    Type::Pull2(..) | Type::Pull3(..) => self.one(format!("Pull.{name}")),
                    Type::Push2(..) | Type::Push3(..) => self.one(format!("Push.{name}")),
                    _ => {}
                }
                let of = match &arguments[0].ty {
                    Type::Pull(..) => "Pull.",
                    Type::Push(..) => "Push.",
                    Type::Pull2(..) => "Pull2.",
                    Type::Push2(..) => "Push2.",
                    Type::Pull3(..) => "Pull3.",
                    Type::Push3(..) => "Push3.",
                    Type::Mutable(..) | Type::Global(_) => "Mutable.",
                    Type::Program(..) => "Program.",
                    _ => "operator ",
                };
                self.one(format!("{of}{name}"));
            }
            Kind::Call { name, .. } => self.one((*name).to_owned()),
            _ => {}
        }
    }

    /// Counts the levels of works in works.
    fn nest(&mut self, expr: &Expr, around: &mut Vec<Level>) {
        let mut entered = false;
        if let Kind::Closure(_, body) = &expr.kind
            && let Type::Push(level, ..) | Type::Push2(level, ..) = &body.ty
        {
            around.push(*level);
            entered = true;
            let names: Vec<&str> = around.iter().map(|level| level.name()).collect();
            self.one(format!("nest {}", names.join(" > ")));
        }
        expr.parts()
            .into_iter()
            .for_each(|part| self.nest(part, around));
        if entered {
            around.pop();
        }
    }

    /// What occurs.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.counts.keys().map(String::as_str)
    }

    /// What does not occur and should.
    pub fn missing(&self) -> Vec<String> {
        wanted()
            .into_iter()
            .filter(|name| !self.counts.contains_key(name))
            .collect()
    }

    /// As lines: counts and names.
    pub fn text(&self) -> String {
        self.counts
            .iter()
            .map(|(name, n)| format!("{n:8} {name}\n"))
            .collect()
    }
}
