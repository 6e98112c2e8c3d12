//! A kernel as text, for people, for dumps between passes and for the tests of passes.
//!
//! Before: a [`Kernel`]. After: its text, which [`read`](super::read()) takes back:
//! `print(read(text)) == text`. Names are those of the user. A name that occurs twice gets a number
//! (`sum.0`, `sum.1`), a variable without a name is `v0`, `v1`, ..; both count in the order of the
//! text, so that equal kernels have equal texts whatever their ids are. Expressions are fully
//! parenthesised, exact index operators carry a mark (`+'`), and literals carry their type.
//! Expressions that are too large to be written out as trees are cut: `$0 := ..` names a node, for
//! the text only. Places in the user's code are not shown, and are lost when a text is read.

mod expressions;
mod names;

use std::fmt::{self, Write};

use super::{
    AtomicOp, Collective, Direction, Earlier, Kernel, Lane, Layout, Level, Parameter,
    ParameterKind, Stage, Statement, Unroll,
};
use crate::scalar::{ArrayId, ArrayPlace, Constraint, NodeId, Role};
use expressions::Expressions;
use names::Names;
pub(super) use names::is_anonymous;

impl<S: Stage> fmt::Display for Kernel<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Names::new(self);
        let mut printer = Printer {
            kernel: self,
            expressions: Expressions::new(&self.tables, &names),
            names: &names,
            out: String::new(),
            depth: 0,
        };
        printer.kernel()?;
        f.write_str(&printer.out)
    }
}

impl AtomicOp {
    /// All of them, in declaration order.
    pub const ALL: [AtomicOp; 11] = {
        use AtomicOp::*;
        [
            Add,
            Sub,
            Inc,
            Dec,
            Min,
            Max,
            And,
            Or,
            Xor,
            Exchange,
            CompareExchange,
        ]
    };

    /// The name in dumps.
    pub const fn name(self) -> &'static str {
        match self {
            AtomicOp::Add => "add",
            AtomicOp::Sub => "sub",
            AtomicOp::Inc => "inc",
            AtomicOp::Dec => "dec",
            AtomicOp::Min => "min",
            AtomicOp::Max => "max",
            AtomicOp::And => "and",
            AtomicOp::Or => "or",
            AtomicOp::Xor => "xor",
            AtomicOp::Exchange => "exchange",
            AtomicOp::CompareExchange => "compare_exchange",
        }
    }
}

/// The word for a place, at the end of a declaration.
pub(super) const PLACES: [(&str, ArrayPlace); 5] = [
    ("input", ArrayPlace::Global(Role::Input)),
    ("output", ArrayPlace::Global(Role::Output)),
    ("inout", ArrayPlace::Global(Role::InOut)),
    ("shared", ArrayPlace::Shared),
    ("held", ArrayPlace::Held),
];

/// The loops that are written with their number of iterations alone.
pub(super) const COUNTED: [&str; 4] = ["forall", "distribute", "ordered", "last"];

struct Printer<'a, S: Stage> {
    kernel: &'a Kernel<S>,
    names: &'a Names,
    expressions: Expressions<'a>,
    out: String,
    depth: usize,
}

impl<S: Stage> Printer<'_, S> {
    fn line(&mut self, text: fmt::Arguments) -> fmt::Result {
        writeln!(self.out, "{:width$}{text}", "", width = 2 * self.depth)
    }

    fn node(&self, node: NodeId) -> String {
        self.expressions.show(node)
    }

    fn kernel(&mut self) -> fmt::Result {
        let kernel = self.kernel;
        self.line(format_args!(
            "kernel {} {{",
            names::plain(&kernel.name, "kernel")
        ))?;
        self.depth += 1;
        for parameter in &kernel.parameters {
            self.parameter(parameter)?;
        }
        for &array in self.names.orphans() {
            let declaration = self.declaration(array);
            self.line(format_args!("array {declaration}"))?;
        }
        for requirement in &kernel.tables.requirements {
            let length = self.node(requirement.length);
            let constraint = match requirement.constraint {
                Constraint::Fits => "fits".to_owned(),
                Constraint::AtLeast(n) => format!("at_least {n}"),
                Constraint::Reaches(n) => format!("reaches {n}"),
                Constraint::MultipleOf(n) => format!("multiple_of {n}"),
                Constraint::DividedBy(other) => format!("divided_by {}", self.node(other)),
                Constraint::Equal(other) => format!("equal {}", self.node(other)),
            };
            self.line(format_args!("require {length} {constraint}"))?;
        }
        if let Some(threads) = S::known_threads(kernel.threads) {
            self.line(format_args!("threads {threads}"))?;
        }
        self.list(&kernel.body)?;
        self.depth -= 1;
        self.line(format_args!("}}"))
    }

    fn parameter(&mut self, parameter: &Parameter) -> fmt::Result {
        let what = match parameter.kind {
            ParameterKind::Array(array) => self.declaration(array),
            ParameterKind::Scalar(variable) => {
                let ty = self
                    .kernel
                    .tables
                    .variables
                    .get(variable.0 as usize)
                    .map_or("?", |v| v.ty.name());
                format!("{}: {ty}", self.names.variable(variable))
            }
        };
        self.line(format_args!("parameter {} {what}", parameter.group))
    }

    fn declaration(&self, id: ArrayId) -> String {
        let name = self.names.array(id);
        let Some(array) = self.kernel.tables.arrays.get(id.0 as usize) else {
            return format!("{name}: ?");
        };
        let place = PLACES
            .iter()
            .find(|(_, place)| *place == array.place)
            .map_or("?", |(word, _)| word);
        format!(
            "{name}: {}[{}] {place}",
            array.ty.name(),
            self.node(array.length)
        )
    }

    fn list(&mut self, list: &[Statement<S>]) -> fmt::Result {
        for statement in list {
            if !statement.evaluates_behind_its_head() {
                self.labels(&statement.nodes())?;
            }
            self.statement(statement)?;
        }
        Ok(())
    }

    /// Names the parts of expressions that are too large.
    fn labels(&mut self, roots: &[NodeId]) -> fmt::Result {
        for (label, text) in self.expressions.cut(roots) {
            self.line(format_args!("${label} := {text}"))?;
        }
        Ok(())
    }

    fn inner(&mut self, list: &[Statement<S>]) -> fmt::Result {
        self.depth += 1;
        self.list(list)?;
        self.depth -= 1;
        Ok(())
    }

    fn statement(&mut self, statement: &Statement<S>) -> fmt::Result {
        match statement {
            Statement::If { .. } | Statement::While { .. } | Statement::Loop { .. } => {
                self.control(statement)
            }
            Statement::Collective(_, of) => self.collective(of),
            Statement::Earlier(_, of) => self.earlier(of),
            _ => {
                let text = self.simple(statement);
                self.line(format_args!("{text}"))
            }
        }
    }

    fn simple(&self, statement: &Statement<S>) -> String {
        let (variable, array) = (
            |v: &_| self.names.variable(*v),
            |a: &_| self.names.array(*a),
        );
        let node = |n: &_| self.node(*n);
        match statement {
            Statement::Let { variable: v, value } => {
                format!("let {} = {}", variable(v), node(value))
            }
            Statement::Store {
                array: a,
                index,
                value,
                ..
            } => format!("store {}[{}] = {}", array(a), node(index), node(value)),
            Statement::Atomic {
                array: a,
                index,
                op,
                operands,
                result,
                ..
            } => {
                let result = result
                    .as_ref()
                    .map_or(String::new(), |r| format!("{} = ", variable(r)));
                let operands = operands.iter().map(node).collect::<Vec<_>>().join(", ");
                format!(
                    "atomic {result}{} {}[{}] ({operands})",
                    op.name(),
                    array(a),
                    node(index)
                )
            }
            Statement::Read {
                variable: v,
                array: a,
                index,
                ..
            } => format!("read {} = {}[{}]", variable(v), array(a), node(index)),
            Statement::Declare { cell, value } => {
                format!("cell {} = {}", variable(cell), node(value))
            }
            Statement::Assign { cell, value } => {
                format!("assign {} = {}", variable(cell), node(value))
            }
            Statement::Get { variable: v, cell } => {
                format!("get {} = {}", variable(v), variable(cell))
            }
            Statement::Break => "break".to_owned(),
            Statement::Report(report) => {
                let values = report.values.iter().map(node).collect::<Vec<_>>();
                let (word, text) = (report.kind.word(), &report.text);
                format!("report {word} {text:?} ({})", values.join(", "))
            }
            Statement::Allocate { array, layout } => {
                let layout = match (*layout).into() {
                    Layout::Striped => String::new(),
                    Layout::Blocked(k) => format!(" blocked {k}"),
                };
                format!("allocate {}{layout}", self.declaration(*array))
            }
            Statement::Wait { scope } => format!("wait {scope}"),
            Statement::Shuffle(_, shuffle) => {
                let (name, value) = (variable(&shuffle.variable), node(&shuffle.value));
                match shuffle.from {
                    Lane::Ahead(lanes) => format!("shuffle {name} = {value} ahead {lanes}"),
                    Lane::Number(lane) => format!("shuffle {name} = {value} lane {}", node(&lane)),
                    Lane::All(op) => format!("shuffle {name} = {value} all {}", op.name()),
                    Lane::Equal => format!("shuffle {name} = {value} equal"),
                }
            }
            Statement::Wide(_, wide) => {
                let (word, held) = (wide.direction.word(), array(&wide.held));
                let element = format!("{}[{}]", array(&wide.array), node(&wide.index));
                match wide.direction {
                    Direction::Load => format!("{word} {held} = {element}"),
                    Direction::Store => format!("{word} {element} = {held}"),
                }
            }
            Statement::Give(_, values) => {
                let values: Vec<_> = values.iter().map(node).collect();
                format!("give {}", values.join(", "))
            }
            // Those with lists are printed by `control`, `collective` and `earlier`.
            Statement::If { .. }
            | Statement::While { .. }
            | Statement::Loop { .. }
            | Statement::Collective(..)
            | Statement::Earlier(..) => String::new(),
        }
    }

    fn control(&mut self, statement: &Statement<S>) -> fmt::Result {
        match statement {
            Statement::If {
                condition,
                then,
                otherwise,
            } => {
                let condition = self.node(*condition);
                self.line(format_args!("if {condition} {{"))?;
                self.inner(then)?;
                if !otherwise.is_empty() {
                    self.line(format_args!("}} else {{"))?;
                    self.inner(otherwise)?;
                }
            }
            Statement::While {
                head,
                condition,
                body,
            } => {
                self.line(format_args!("while {{"))?;
                self.inner(head)?;
                self.depth += 1;
                self.labels(&[*condition])?;
                self.depth -= 1;
                let condition = self.node(*condition);
                self.line(format_args!("}} holds {condition} {{"))?;
                self.inner(body)?;
            }
            Statement::Loop {
                kind,
                unroll,
                counter,
                bounds,
                body,
            } => {
                let head = self.head(*kind, &self.names.variable(*counter), *bounds);
                match unroll {
                    Unroll::Free => self.line(format_args!("{head} {{"))?,
                    Unroll::Never => self.line(format_args!("{head} rolled {{"))?,
                    Unroll::Always => self.line(format_args!("{head} unrolled {{"))?,
                    Unroll::By(n) => self.line(format_args!("{head} unrolled by {n} {{"))?,
                }
                self.inner(body)?;
            }
            _ => {}
        }
        self.line(format_args!("}}"))
    }

    /// `reduce Block i < 4_u32 { .. } by a b { .. } into j < 1_u32 x { .. }`
    fn collective(&mut self, of: &Collective<S>) -> fmt::Result {
        let name = |variable| self.names.variable(variable);
        let names = |variables: &[_]| {
            let names: Vec<_> = variables.iter().map(|v| name(*v)).collect();
            names.join(" ")
        };
        // Operands of several components have a comma between them.
        let comma = if of.left.len() == 1 { "" } else { "," };
        let (counter, left, right) = (name(of.counter), names(&of.left), names(&of.right));
        let (element, result) = (name(of.element), names(&of.result));
        let (count, results) = (self.node(of.count), self.node(of.results));
        let initial: Vec<_> = of.initial.iter().map(|node| self.node(*node)).collect();
        let initial = match initial.as_slice() {
            [] => String::new(),
            initial => format!(" from {}", initial.join(", ")),
        };
        let (op, level) = (of.op.name(), of.level);
        let bits = of.op.bits().map(|bits| format!(" bits {bits}_u32"));
        let bits = bits.unwrap_or_default();
        self.line(format_args!(
            "{op} {level} {counter} < {count}{initial}{bits} {{"
        ))?;
        self.inner(&of.source)?;
        if of.op.bits().is_none() {
            self.line(format_args!("}} by {left}{comma} {right} {{"))?;
            self.inner(&of.combine)?;
        }
        self.line(format_args!("}} into {element} < {results} {result} {{"))?;
        self.inner(&of.body)?;
        self.line(format_args!("}}"))
    }

    /// `follow lanes 0_u32 of 1_u32 own into sum x { .. }`
    fn earlier(&mut self, of: &Earlier<S>) -> fmt::Result {
        let names = |variables: &[_]| {
            let names = variables.iter().map(|v| self.names.variable(*v));
            names.collect::<Vec<_>>().join(" ")
        };
        let by = if of.by_lanes { "lanes" } else { "thread" };
        let own: Vec<_> = of.own.iter().map(|node| self.node(*node)).collect();
        let (element, count) = (self.node(of.element), self.node(of.count));
        let (own, cells, right) = (own.join(", "), names(&of.cells), names(&of.right));
        self.line(format_args!(
            "follow {by} {element} of {count} {own} into {cells} {right} {{"
        ))?;
        self.inner(&of.combine)?;
        self.line(format_args!("}}"))
    }

    /// What stands in front of a loop's body: `forall Block i < 4_u32`, or
    /// `for rounds Block j in 0_u32 .. 4_u32 step 1_u32`.
    fn head(&self, kind: S::Loop, counter: &str, bounds: S::Bounds) -> String {
        let (word, level) = S::words(kind);
        if COUNTED.contains(&word) {
            let (_, count) = S::range(bounds);
            let level = level.map_or("", Level::name);
            return format!("{word} {level} {counter} < {}", self.node(count));
        }
        let level = level.map_or(String::new(), |level| format!(" {level}"));
        let bounds = S::bounds_text(bounds, &|node| self.node(node));
        format!("for {word}{level} {counter} in {bounds}")
    }
}
