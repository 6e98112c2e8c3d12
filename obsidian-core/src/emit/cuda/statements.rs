//! Statements as text.

use super::expression::Expressions;
use super::faults::{FAULT, Faults};
use super::lines::Lines;
use super::order::Taken;
use super::precedence::{ADD, ATOM, TERNARY};
use super::types::{self, Typing};
use super::used::Used;
use super::{Layout, atomics, deep, reports, shuffles};
use crate::emit::Names;
use crate::emit::vouched::Check;
use crate::error::Origin;
use crate::ir::{
    AtomicOp, Direction, Kernel, Lane, Level, Physical, PhysicalLoop, Report, ReportKind, Shuffle,
    Statement, Unroll, WARP, WIDEST, Wide,
};
use crate::ordered::Map;
use crate::plan::{OrderedLoop, Plan, SharedMap, Slot};
use crate::scalar::{
    Array, ArrayId, ArrayPlace, BinaryOp, Literal, Node, NodeId, Nodes, Role, ScalarType, Special,
    VariableId,
};

/// The statements of the kernel, indented, and the accesses that they check.
pub(super) fn body(
    plan: &Plan,
    names: &mut Names<'_>,
    layout: Layout,
    with_lines: bool,
) -> (String, Faults) {
    let kernel = plan.kernel();
    let mut writer = Writer {
        kernel,
        shared: plan.shared(),
        layout,
        names,
        used: Used::of(kernel),
        bound: Map::new(),
        out: String::new(),
        depth: 1,
        orders: plan.orders(),
        ordered_loops: 0,
        taken: None,
        lines: with_lines.then(Lines::default),
        faults: Faults::of(plan),
    };
    writer.list(&kernel.body);
    (writer.out, writer.faults)
}

/// Whose braces are those of a scope?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Scope {
    /// Its own.
    Braces,
    /// Those of the statement in front of it.
    List,
}

pub(super) struct Writer<'w, 'n> {
    kernel: &'w Kernel<Physical>,
    pub(super) shared: &'w SharedMap,
    pub(super) layout: Layout,
    names: &'w mut Names<'n>,
    pub(super) used: Used,
    /// Parts of the statement at hand that have been named.
    bound: Map<NodeId, String>,
    out: String,
    pub(super) depth: usize,
    /// The ordered loops over blocks, and how many have been begun.
    pub(super) orders: Vec<OrderedLoop>,
    pub(super) ordered_loops: usize,
    /// The one around.
    pub(super) taken: Option<Taken>,
    /// The lines of the source, where they are wanted.
    lines: Option<Lines>,
    /// The accesses that are checked so far.
    faults: Faults,
}

impl<'w> Writer<'w, '_> {
    pub(super) fn line(&mut self, text: &str) {
        self.out.extend(std::iter::repeat_n("    ", self.depth));
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// Statements one level further in, in a scope of their own.
    fn inner(&mut self, statements: &'w [Statement<Physical>]) {
        self.depth += 1;
        self.names.enter();
        self.list(statements);
        self.names.leave();
        self.depth -= 1;
    }

    pub(super) fn list(&mut self, statements: &'w [Statement<Physical>]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    /// Begins a scope of names, in braces of its own or in those of the line before.
    pub(super) fn enter(&mut self, scope: Scope) {
        if scope == Scope::Braces {
            self.line("{");
        }
        self.names.enter();
        self.depth += 1;
    }

    pub(super) fn leave(&mut self, scope: Scope) {
        self.depth -= 1;
        self.names.leave();
        if scope == Scope::Braces {
            self.line("}");
        }
    }

    /// A name that nothing else has here.
    pub(super) fn fresh(&mut self, stem: &str) -> String {
        self.names.fresh(stem)
    }

    pub(super) fn name_counter(&mut self, variable: VariableId, stem: &str) -> String {
        self.names.bind(variable, Some(stem))
    }

    pub(super) fn name_of(&self, variable: VariableId) -> String {
        self.names.variable(variable).to_owned()
    }

    pub(super) fn nodes(&self) -> &'w Nodes {
        &self.kernel.tables.nodes
    }

    fn expressions(&self) -> Expressions<'_> {
        Expressions {
            tables: &self.kernel.tables,
            nodes: &self.kernel.tables.nodes,
            names: self.names,
            bound: &self.bound,
            faults: &self.faults,
        }
    }

    fn print(&self, node: NodeId, least: u8, typing: Typing) -> String {
        self.expressions().print(node, least, typing)
    }

    /// A value where its type is plain.
    pub(super) fn value(&self, node: NodeId) -> String {
        self.print(node, TERNARY, Typing::Loose)
    }

    /// Names parts of the expressions that are about to be printed, if they are too deep.
    pub(super) fn cut(&mut self, roots: &[NodeId]) {
        self.bound.clear();
        for node in deep::cuts(&self.kernel.tables.nodes, roots) {
            self.name_part(node, "t");
        }
    }

    fn name_part(&mut self, node: NodeId, stem: &str) {
        let text = self.value(node);
        let name = self.names.fresh(stem);
        self.line(&format!(
            "const {} {name} = {text};",
            types::name(self.kernel.tables.nodes.ty(node))
        ));
        self.bound.insert(node, name);
    }

    fn array(&self, id: ArrayId) -> &'w Array {
        self.kernel.tables.array(id)
    }

    fn variable_type(&self, id: VariableId) -> ScalarType {
        self.kernel.tables.variable(id).ty
    }

    /// Is the statement without effect, as nothing reads what it names?
    fn is_unused(&self, statement: &Statement<Physical>) -> bool {
        match statement {
            Statement::Let { variable, .. }
            | Statement::Read { variable, .. }
            | Statement::Get { variable, .. } => !self.used.variables.contains(variable),
            Statement::Declare { cell, .. } | Statement::Assign { cell, .. } => {
                !self.used.variables.contains(cell)
            }
            Statement::Allocate { array, .. } | Statement::Store { array, .. } => {
                !self.used.arrays.contains(array)
            }
            Statement::Shuffle(_, shuffle) => !self.used.variables.contains(&shuffle.variable),
            Statement::Wide(_, wide) => !self.used.arrays.contains(&wide.writes()),
            _ => false,
        }
    }

    fn statement(&mut self, statement: &'w Statement<Physical>) {
        if self.is_unused(statement) {
            return;
        }
        if let Some(lines) = &mut self.lines {
            lines.before(self.kernel, statement, &mut self.out);
        }
        if !matches!(statement, Statement::Loop { .. } | Statement::While { .. }) {
            self.cut(&statement.nodes());
        }
        match statement {
            Statement::Let { variable, value } => {
                self.define("const ", *variable, &self.value(*value))
            }
            Statement::Declare { cell, value } => self.define("", *cell, &self.value(*value)),
            Statement::Assign { cell, value } => self.line(&format!(
                "{} = {};",
                self.names.variable(*cell),
                self.value(*value)
            )),
            Statement::Get { variable, cell } => {
                let cell = self.names.variable(*cell).to_owned();
                self.define("const ", *variable, &cell);
            }
            Statement::Read {
                variable,
                array,
                index,
                origin,
            } => {
                let element = self.expressions().read(*array, *index, *origin);
                self.define("const ", *variable, &element);
            }
            Statement::Store {
                array,
                index,
                value,
                origin,
            } => {
                let (element, value) = (self.element(*array, *index), self.value(*value));
                self.if_inside((*array, *index, *origin), &format!("{element} = {value};"));
            }
            Statement::Atomic {
                array,
                index,
                op,
                operands,
                result,
                origin,
            } => self.atomic(*op, (*array, *index, *origin), operands, *result),
            Statement::If {
                condition,
                then,
                otherwise,
            } => self.branch(*condition, then, otherwise),
            Statement::While {
                head,
                condition,
                body,
            } => self.while_loop(head, *condition, body),
            Statement::Loop {
                kind,
                unroll,
                counter,
                bounds,
                body,
            } => self.for_loop((*kind, *unroll), *counter, *bounds, body),
            Statement::Break => self.line("break;"),
            Statement::Report(report) => self.report(report),
            Statement::Allocate { array, .. } => self.allocate(*array),
            Statement::Wait { scope: Level::Warp } => self.line(&format!(
                "__syncwarp({:#x});",
                u32::MAX >> (32 - self.kernel.lanes().clamp(1, 32))
            )),
            Statement::Wait { .. } => self.line("__syncthreads();"),
            Statement::Shuffle(_, shuffle) => self.shuffle(shuffle),
            Statement::Earlier(_, of) => self.earlier(of),
            Statement::Wide(_, wide) => self.wide(wide),
            Statement::Collective(never, _) | Statement::Give(never, _) => match *never {},
        }
        self.bound.clear();
    }

    fn element(&self, array: ArrayId, index: NodeId) -> String {
        self.expressions().element(array, index)
    }

    /// A statement with an access, under the check of its index if it has one.
    fn if_inside(&mut self, (array, index, origin): (ArrayId, NodeId, Origin), statement: &str) {
        let Some(given) = self.expressions().checked(array, index, origin) else {
            return self.line(statement);
        };
        self.line(&format!("if (is_inside({given})) {{"));
        self.line(&format!("    {statement}"));
        self.line("}");
    }

    fn wide(&mut self, wide: &Wide) {
        let (held, element) = (
            self.names.array(wide.held),
            self.element(wide.array, wide.index),
        );
        let call = match wide.direction {
            // The test of alignment hides from the compiler that nothing else leads to the buffer.
            Direction::Load if self.array(wide.array).place == ArrayPlace::Global(Role::Input) => {
                format!("load_wide_ldg({held}, &{element});")
            }
            Direction::Load => format!("load_wide({held}, &{element});"),
            Direction::Store => format!("store_wide(&{element}, {held});"),
        };
        self.line(&call);
    }

    fn report(&mut self, report: &Report) {
        if report.kind == ReportKind::Failed {
            let number = self.faults.number(None, Check::of(report));
            return self.line(&format!("note_fault({number}, {FAULT});"));
        }
        let nodes = &self.kernel.tables.nodes;
        let values = report.values.iter();
        let values = values.map(|id| (nodes.ty(*id), self.print(*id, TERNARY, Typing::Exact)));
        let call = reports::printf(&report.text, values.collect());
        self.line(&call);
    }

    fn shuffle(&mut self, shuffle: &Shuffle) {
        let ty = self.kernel.tables.nodes.ty(shuffle.value);
        if ty == ScalarType::Bool && shuffle.from == Lane::Equal {
            let value = self.value(self.as_number(shuffle.value));
            return self.define("const ", shuffle.variable, &format!("lanes_alike({value})"));
        }
        let value = self.value(shuffle.value);
        let call = shuffles::call(ty, &value, shuffle.from, |lane| self.value(lane));
        self.define("const ", shuffle.variable, &call);
    }

    /// A number that is not 0 where a condition holds: it takes no comparison.
    fn as_number(&self, condition: NodeId) -> NodeId {
        let nodes = &self.kernel.tables.nodes;
        let Node::Binary {
            op: BinaryOp::Ne,
            left,
            right,
            ..
        } = nodes.node(condition)
        else {
            return condition;
        };
        match nodes.literal(right) == Some(Literal::from(0u32)) {
            true => left,
            false => condition,
        }
    }

    fn define(&mut self, constant: &str, variable: VariableId, value: &str) {
        let name = self.names.bind(variable, None);
        self.line(&format!(
            "{constant}{} {name} = {value};",
            types::name(self.variable_type(variable))
        ));
    }

    fn atomic(
        &mut self,
        op: AtomicOp,
        (array, index, origin): (ArrayId, NodeId, Origin),
        operands: &[NodeId],
        result: Option<VariableId>,
    ) {
        let ty = self.array(array).ty;
        let operands: Vec<_> = operands
            .iter()
            .map(|node| self.print(*node, ATOM, Typing::Exact))
            .collect();
        let address = format!("&{}", self.element(array, index));
        let call = atomics::call(op, ty, &address, &operands);
        let place = (array, index, origin);
        match (
            call,
            result.filter(|variable| self.used.variables.contains(variable)),
        ) {
            (Some(call), Some(variable)) => {
                let checked = self.expressions().checked(array, index, origin);
                let call = match checked {
                    Some(given) => {
                        let zero = types::literal(Literal::zero(ty), Typing::Exact).0;
                        format!("is_inside({given}) ? {call} : {zero}")
                    }
                    None => call,
                };
                self.define("const ", variable, &call);
            }
            (Some(call), None) if call.starts_with("atomic") => {
                self.if_inside(place, &format!("{call};"));
            }
            (Some(call), None) => self.if_inside(place, &format!("(void){call};")),
            (None, variable) => {
                // Refused before there is a plan; should it come here all the same, it must not
                // give a wrong result.
                self.line("__trap();");
                let zero = types::literal(Literal::zero(ty), Typing::Loose).0;
                variable
                    .into_iter()
                    .for_each(|variable| self.define("const ", variable, &zero));
            }
        }
    }

    /// Statements in a scope of their own.
    fn block(&mut self, list: &'w [Statement<Physical>]) {
        if !list.is_empty() {
            self.line("{");
            self.inner(list);
            self.line("}");
        }
    }

    fn branch(
        &mut self,
        condition: NodeId,
        then: &'w [Statement<Physical>],
        otherwise: &'w [Statement<Physical>],
    ) {
        if self.kernel.tables.nodes.literal(condition) == Some(Literal::from(true)) {
            return self.block(then);
        }
        self.line(&format!("if ({}) {{", self.value(condition)));
        self.inner(then);
        if !otherwise.is_empty() {
            self.line("} else {");
            self.inner(otherwise);
        }
        self.line("}");
    }

    fn while_loop(
        &mut self,
        head: &'w [Statement<Physical>],
        condition: NodeId,
        body: &'w [Statement<Physical>],
    ) {
        let simple =
            head.is_empty() && deep::cuts(&self.kernel.tables.nodes, &[condition]).is_empty();
        self.bound.clear();
        if simple {
            self.line(&format!("while ({}) {{", self.value(condition)));
            self.inner(body);
        } else {
            self.line("for (;;) {");
            self.depth += 1;
            self.names.enter();
            self.list(head);
            self.cut(&[condition]);
            let not = format!("if (!{}) {{", self.print(condition, ATOM, Typing::Loose));
            [not.as_str(), "    break;", "}"]
                .iter()
                .for_each(|text| self.line(text));
            self.bound.clear();
            self.list(body);
            self.names.leave();
            self.depth -= 1;
        }
        self.line("}");
    }

    fn for_loop(
        &mut self,
        (kind, unroll): (PhysicalLoop, Unroll),
        counter: VariableId,
        [start, end, step]: [NodeId; 3],
        body: &'w [Statement<Physical>],
    ) {
        if kind == PhysicalLoop::Ordered {
            return self.ordered(counter, end, body);
        }
        if kind == PhysicalLoop::Last {
            return self.last(counter, start, body);
        }
        if self.is_done_once([start, end, step]) && !may_break(body) {
            return self.done_once(counter, start, body);
        }
        self.cut(&[start, end, step]);
        let nodes = &self.kernel.tables.nodes;
        for (bound, stem) in [(end, "end"), (step, "step")] {
            // A bound is read once, not once a round.
            if deep::loads(nodes, bound) && !self.bound.contains_key(&bound) {
                self.name_part(bound, stem);
            }
        }
        let next = match nodes.literal(step).and_then(Literal::as_integer) {
            Some(1) => "{}++".to_owned(),
            _ => format!("{{}} += {}", self.value(step)),
        };
        let text = format!(
            "{}; {{}} < {}; {next}",
            self.value(start),
            self.print(end, ADD, Typing::Loose)
        );
        self.bound.clear();
        match unroll {
            // Copies of a block's work cost instructions and registers, and gain nothing.
            _ if kind.is_of_blocks() => self.line("#pragma unroll 1"),
            Unroll::Never => self.line("#pragma unroll 1"),
            Unroll::By(rounds) => self.line(&format!("#pragma unroll {rounds}")),
            Unroll::Always => self.line("#pragma unroll"),
            Unroll::Free => {}
        }
        let stem = match kind {
            PhysicalLoop::Blocks | PhysicalLoop::Ordered | PhysicalLoop::Last => "block",
            PhysicalLoop::Warps => "virtual_warp",
            PhysicalLoop::Sequential(_) | PhysicalLoop::Rounds(_) => "i",
        };
        self.counted(counter, stem, &text, body);
    }

    /// Has a loop exactly one round, whichever thread executes it?
    fn is_done_once(&self, [start, end, step]: [NodeId; 3]) -> bool {
        let nodes = &self.kernel.tables.nodes;
        let number = |node: NodeId| nodes.literal(node).map(|n| u64::from(n.u32()));
        let (Some(end), Some(step)) = (number(end), number(step)) else {
            return false;
        };
        match (nodes.node(start), number(start)) {
            (_, Some(start)) => start < end && start + step >= end,
            // Only warps that there are run programs of warps.
            (Node::Special(Special::WarpIndex), _) => {
                end == u64::from(self.kernel.warps()) && step >= end
            }
            _ => false,
        }
    }

    /// The only round of a loop.
    fn done_once(&mut self, counter: VariableId, start: NodeId, body: &'w [Statement<Physical>]) {
        self.enter(Scope::Braces);
        self.only_round(counter, start, body);
        self.leave(Scope::Braces);
    }

    pub(super) fn only_round(
        &mut self,
        counter: VariableId,
        start: NodeId,
        body: &'w [Statement<Physical>],
    ) {
        if self.used.variables.contains(&counter) {
            self.cut(&[start]);
            let value = self.value(start);
            self.bound.clear();
            self.define("const ", counter, &value);
        }
        self.list(body);
    }

    /// A loop; in `text` the counter is `{}`.
    fn counted(
        &mut self,
        counter: VariableId,
        stem: &str,
        text: &str,
        body: &'w [Statement<Physical>],
    ) {
        self.names.enter();
        let name = self.names.bind(counter, (stem != "i").then_some(stem));
        self.line(&format!(
            "for (unsigned int {name} = {}) {{",
            text.replace("{}", &name)
        ));
        self.inner(body);
        self.line("}");
        self.names.leave();
    }

    fn allocate(&mut self, id: ArrayId) {
        let array = self.array(id);
        let (element, name) = (types::name(array.ty), self.names.array(id).to_owned());
        // C++ has no arrays of no elements.
        let length = self.kernel.tables.stored_length(array).max(1);
        let slot = self.shared.slots.get(&id).copied();
        match (array.place, self.layout) {
            (ArrayPlace::Held, _) => self.line(&format!("{element} {name}[{length}];")),
            (_, Layout::Packed) => {
                let place = place(slot);
                self.line(&format!("{element}* const {name} = ({element}*){place};"));
            }
            (_, Layout::Debug) => {
                let copies = if slot.is_some_and(|slot| slot.stride != 0) {
                    self.warps()
                } else {
                    1
                };
                let is_wide = self.used.wide.contains(&id);
                let aligned = if is_wide { WIDEST } else { 0 };
                self.allocate_alone((element, aligned), &name, length, copies);
            }
        }
    }

    /// Warps that run programs of warps.
    fn warps(&self) -> u32 {
        (self.kernel.threads / WARP).max(1)
    }

    /// Memory of its own for each copy of an array, and the name for that of this warp.
    fn allocate_alone(
        &mut self,
        (element, aligned): (&str, u32),
        name: &str,
        length: u32,
        copies: u32,
    ) {
        let aligned = match aligned {
            0 => String::new(),
            bytes => format!("__align__({bytes}) "),
        };
        if copies == 1 {
            return self.line(&format!("__shared__ {aligned}{element} {name}[{length}];"));
        }
        let all: Vec<_> = (0..copies)
            .map(|warp| self.names.fresh(&format!("{name}_{warp}")))
            .collect();
        for copy in &all {
            self.line(&format!("__shared__ {aligned}{element} {copy}[{length}];"));
        }
        let table = self.names.fresh(&format!("{name}_copies"));
        self.line(&format!(
            "{element}* const {table}[{copies}] = {{{}}};",
            all.join(", ")
        ));
        self.line(&format!("{element}* const {name} = {table}[warp];"));
    }
}

/// May a list end the loop that it is the body of?
fn may_break(list: &[Statement<Physical>]) -> bool {
    list.iter().any(|statement| match statement {
        Statement::Break => true,
        Statement::If {
            then, otherwise, ..
        } => may_break(then) || may_break(otherwise),
        _ => false,
    })
}

/// Where an array begins in the buffer that all share.
fn place(slot: Option<Slot>) -> String {
    let mut place = "shared".to_owned();
    if let Some(slot) = slot {
        if slot.offset != 0 {
            place.push_str(&format!(" + {}", slot.offset));
        }
        if slot.stride != 0 {
            place.push_str(&format!(" + warp * {}", slot.stride));
        }
    }
    if place.contains(' ') {
        format!("({place})")
    } else {
        place
    }
}
