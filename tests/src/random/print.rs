//! A random program as the text that a user would write.

use std::fmt::Write as _;

use obsidian_core::ir::Level;
use obsidian_core::scalar::{Literal, ScalarType};

use super::syntax::{Expr, Kind, Program, Step, Type, Variable};

/// The name of a variable.
fn name(variable: Variable) -> String {
    format!("v{variable}")
}

impl Type {
    /// The type as a user writes it.
    pub fn text(&self) -> String {
        match self {
            Type::Scalar(ty) => ty.exp_name(),
            Type::Tuple(fields) => {
                let fields: Vec<String> = fields.iter().map(Type::text).collect();
                format!("({})", fields.join(", "))
            }
            Type::Pull(element, Some(_)) => format!("Pull<{}>", element.text()),
            Type::Pull(element, None) => format!("DPull<{}>", element.text()),
            Type::Push(level, element, Some(_)) => {
                format!("Push<{}, {}>", level.name(), element.text())
            }
            Type::Push(level, element, None) => {
                format!("DPush<{}, {}>", level.name(), element.text())
            }
            Type::Pull2(element, ..) => format!("Pull2<{}>", element.text()),
            Type::Push2(level, element, ..) => {
                format!("Push2<{}, {}>", level.name(), element.text())
            }
            Type::Pull3(element, _) => format!("Pull3<{}>", element.text()),
            Type::Push3(level, element, _) => {
                format!("Push3<{}, {}>", level.name(), element.text())
            }
            Type::Mutable(element, _) => format!("MShared<{}>", element.text()),
            Type::Global(ty) => format!("MGlobal<{}>", ty.exp_name()),
            Type::Program(level, result) => format!("Program<{}, {}>", level.name(), result.text()),
            Type::Host => "_".to_owned(),
        }
    }
}

/// A literal with its type.
fn literal(value: Literal) -> String {
    let ty = value.ty();
    match ty {
        ScalarType::Bool => format!("lit({})", value.bool()),
        ScalarType::F32 => format!("lit({:?}_f32)", value.f32()),
        ScalarType::F64 => format!("lit({:?}_f64)", value.f64()),
        _ => format!(
            "lit({}_{})",
            value.as_integer().unwrap_or_default(),
            ty.name()
        ),
    }
}

/// The level of a call, and a blank for each other type parameter of the function.
fn turbofish(name: &str, method: bool, level: Option<Level>) -> String {
    let Some(level) = level else {
        return String::new();
    };
    let others = match name {
        _ if method => 0,
        "seq_for" | "distr_par" | "single_thread" | "sync" | "seq_while" | "any" | "all"
        | "ballot" | "rank_by_digit" => 0,
        "reduce" | "inclusive_scan" | "exclusive_scan" | "sort" | "exec_value"
        | "singleton_push" | "new_shared_mutable" | "rep" | "hold_as" | "exchange"
        | "match_any" | "for_all" => 1,
        "s_map_accum" => 5,
        "tiles_fold" => 6,
        "exec" | "compute" | "hold" | "compute_pitch" | "compute_as" | "mk_push" | "bin_split"
        | "to_mutable" => 2,
        "lift_par" | "lift_seq" | "lift_in" => 3,
        // Those that have their level in their name.
        _ => return String::new(),
    };
    format!("::<{}{}>", level.name(), ", _".repeat(others))
}

/// Prints with the indentation of the lines inside of blocks.
struct Printer {
    text: String,
    depth: usize,
}

impl Printer {
    fn line(&mut self) {
        self.text.push('\n');
        (0..self.depth).for_each(|_| self.text.push_str("    "));
    }

    fn list(&mut self, list: &[Expr]) {
        for (n, expr) in list.iter().enumerate() {
            self.text.push_str(if n > 0 { ", " } else { "" });
            self.expr(expr);
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            Kind::Variable(v) => self.text += &name(*v),
            Kind::Literal(value) => self.text += &literal(*value),
            Kind::Number(n) => self.text += &n.to_string(),
            Kind::LengthOf(v) => self.text += &format!("{}.len()", name(*v)),
            Kind::Call {
                name,
                method,
                level,
                arguments,
            } => self.call(name, *method, *level, arguments),
            Kind::Operator(name, operands) => self.operator(name, operands),
            Kind::Cast(x) => {
                let Type::Scalar(ty) = expr.ty else { return };
                self.text.push('(');
                self.expr(x);
                let _ = write!(self.text, " as {})", ty.name());
            }
            Kind::Tuple(list) => {
                self.text.push('(');
                self.list(list);
                self.text.push_str(if list.len() == 1 { ",)" } else { ")" });
            }
            Kind::List(list) => {
                self.text.push_str("vec![");
                self.list(list);
                self.text.push(']');
            }
            Kind::Field(x, n) => {
                self.expr(x);
                let _ = write!(self.text, ".{n}");
            }
            Kind::Index(x, i) => {
                self.expr(x);
                self.text.push('[');
                self.expr(i);
                self.text.push(']');
            }
            Kind::Closure(parameters, body) => {
                let parameters: Vec<String> =
                    parameters.iter().map(|(v, ty)| parameter(*v, ty)).collect();
                let _ = write!(self.text, "|{}| ", parameters.join(", "));
                self.expr(body);
            }
            Kind::Steps(steps, result) => self.steps(steps, result),
        }
    }

    fn call(&mut self, name: &str, method: bool, level: Option<Level>, arguments: &[Expr]) {
        let generic = turbofish(name, method, level);
        if let ("write", false, Some((writer, rest))) = (name, method, arguments.split_first()) {
            self.expr(writer);
            self.text.push('(');
            self.list(rest);
            return self.text.push(')');
        }
        let rest = match arguments.split_first() {
            Some((receiver, rest)) if method => {
                self.expr(receiver);
                self.text.push('.');
                rest
            }
            _ => arguments,
        };
        if name == "Striped" {
            return self.text.push_str(name);
        }
        let _ = write!(self.text, "{name}{generic}(");
        self.list(rest);
        self.text.push(')');
    }

    fn operator(&mut self, name: &str, operands: &[Expr]) {
        self.text.push('(');
        if let [x, y] = operands {
            self.expr(x);
            let _ = write!(self.text, " {name} ");
            self.expr(y);
        } else {
            self.text.push_str(name);
            self.list(operands);
        }
        self.text.push(')');
    }

    /// A program of steps is a closure with `?` that is called at once.
    fn steps(&mut self, steps: &[Step], result: &Expr) {
        self.text.push('{');
        self.depth += 1;
        self.line();
        self.text.push_str("let program = || {");
        self.depth += 1;
        for step in steps {
            self.line();
            match step {
                Step::Let(v, value) => {
                    let _ = write!(self.text, "let {} = ", name(*v));
                    self.expr(value);
                    self.text.push(';');
                }
                Step::Bind(v, value) => {
                    let _ = write!(self.text, "let {} = ", name(*v));
                    self.expr(value);
                    self.text.push_str("?;");
                }
                Step::Do(value) => {
                    self.expr(value);
                    self.text.push_str("?;");
                }
            }
        }
        self.line();
        self.expr(result);
        self.depth -= 1;
        self.line();
        self.text.push_str("};");
        self.line();
        self.text.push_str("program()");
        self.depth -= 1;
        self.line();
        self.text.push('}');
    }
}

fn parameter(variable: Variable, ty: &Type) -> String {
    match ty {
        Type::Host => name(variable),
        ty => format!("{}: {}", name(variable), ty.text()),
    }
}

impl Program {
    /// The name of the kernel.
    pub fn name(&self) -> String {
        format!("random_{}", self.seed)
    }

    /// The kernel as an item of a `#[kernels]` module.
    pub fn text(&self) -> String {
        let parameters: Vec<String> = self
            .parameters
            .iter()
            .map(|p| parameter(p.variable, &p.ty))
            .collect();
        let mut printer = Printer {
            text: String::new(),
            depth: 1,
        };
        printer.line();
        printer.expr(&self.body);
        format!(
            "#[kernel(threads = {})]\npub fn {}({}) -> {} {{{}\n}}\n",
            self.threads,
            self.name(),
            parameters.join(", "),
            self.body.ty.text(),
            printer.text
        )
    }
}
