//! From the user's function to kernels and a schedule.

use std::collections::BTreeMap;

use super::arr::{Arr, product};
use super::fuse::{Form, Fused, Group, fuse};
use super::graph::{Graph, Kind, NodeNumber, add, extents_of, graph, within};
use super::index::Index;
use super::item::{Item, leaves, types};
use super::schedule::{
    Argument, Claimed, Given, Launched, PARTIAL, Produced, Schedule, Slot, Step,
};
use super::shape::Shape;
use super::skeleton::{Folded, Output, fold_parts, fold_rest, fold_rows, generate, pieces};
use crate::array::require;
use crate::error::{Diagnostic, Diagnostics, Origin, Origins, Site, catalogue};
use crate::ir::ParameterKind;
use crate::lower::Builder;
use crate::pipeline::{self, Options};
use crate::plan::{Formula, FormulaLeaf, Leaf, Plan, Step as FormulaStep};
use crate::scalar::{
    AnyExp, ArrayId, Constraint, Exp, Node, NodeId, Scalar, ScalarType, Tables, VariableId,
    VariableKind, lit,
};

/// How a program becomes kernels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Are arrays between operations left out? Without, each operation stores what it gives.
    pub fuse: bool,
    /// Are arrays stored that are dear to compute and needed more than once? Without, they are computed wherever they are needed.
    pub share: bool,
    /// Are arrays and folds that go over the same elements computed by one kernel? Without, each has a kernel of its own.
    pub horizontal: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            fuse: true,
            share: true,
            horizontal: true,
        }
    }
}

/// An array program as kernels.
#[derive(Debug)]
pub struct Compiled {
    /// What is launched, in which order.
    pub schedule: Schedule,
    /// The kernels of the schedule, by number.
    pub plans: Vec<Plan>,
}

/// Declares the parameters of an array program, in order.
pub struct Signature {
    names: Vec<String>,
    given: Vec<Given>,
    /// The scalar parameters and extents, by number.
    numbers: Vec<AnyExp>,
}

impl Signature {
    fn new(names: &[String], numbers: Vec<AnyExp>) -> Self {
        Signature {
            names: names.to_vec(),
            given: Vec::new(),
            numbers,
        }
    }

    fn name(&self) -> String {
        let position = self.given.len();
        let name = self.names.get(position);
        name.cloned().unwrap_or_else(|| format!("input_{position}"))
    }

    /// The next number: one of those that were made ready, or a new one where the parameters are not known yet.
    fn number(&mut self, position: usize, name: &str, ty: ScalarType) -> AnyExp {
        while self.numbers.len() <= position {
            let (_, value) = crate::program::bound_any(Some(name), ty, VariableKind::Argument);
            self.numbers.push(value);
        }
        self.numbers
            .get(position)
            .copied()
            .unwrap_or_else(|| AnyExp::poison(ty))
    }

    fn taken(&self) -> usize {
        let numbers = |given: &Given| given.numbers().len();
        self.given.iter().map(numbers).sum()
    }

    /// An array.
    #[track_caller]
    pub fn array<Sh: Shape, T: Item>(&mut self, rank: usize) -> Arr<Sh, T> {
        let like = T::poison();
        self.array_like(rank, &like)
    }

    #[track_caller]
    fn array_like<Sh: Shape, T: Item>(&mut self, rank: usize, like: &T) -> Arr<Sh, T> {
        let given = Given::Array {
            name: self.name(),
            rank,
            types: types(&leaves(like)),
        };
        let first = self.taken();
        let mut extents = Vec::new();
        for (axis, (name, ty)) in given.numbers().into_iter().enumerate() {
            let number = self.number(first + axis, &name, ty);
            extents.push(number.typed().unwrap_or_else(Exp::poison));
        }
        self.given.push(given);
        let like = like.clone();
        Arr::of(add("input", extents, Kind::Input, move |_: &Index| {
            like.clone()
        }))
    }

    /// A scalar.
    pub fn scalar<T: Scalar>(&mut self) -> Exp<T> {
        let name = self.name();
        let position = self.taken();
        let value = self.number(position, &name, T::TYPE);
        self.given.push(Given::Scalar { name, ty: T::TYPE });
        value.typed().unwrap_or_else(Exp::poison)
    }
}

impl Given {
    /// The names and types of its numbers.
    fn numbers(&self) -> Vec<(String, ScalarType)> {
        match self {
            Given::Scalar { name, ty } => vec![(name.clone(), *ty)],
            Given::Array { name, rank, .. } => {
                let axes: &[&str] = match rank {
                    1 => &["length"],
                    2 => &["height", "width"],
                    3 => &["depth", "height", "width"],
                    _ => &[],
                };
                let one = |axis: &&str| (format!("{name}_{axis}"), ScalarType::U32);
                axes.iter().map(one).collect()
            }
        }
    }
}

/// What a parameter of an array program can be: an array, or a device value.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a parameter of an array program",
    note = "arrays (`Arr1<EF32>`, `Arr2<(EU32, EF32)>`) and device values (`EU32`) can"
)]
pub trait ArrayParameter {
    /// Declares the parameter.
    #[track_caller]
    fn declare(signature: &mut Signature) -> Self;
}

impl<Sh: Shape, T: Item> ArrayParameter for Arr<Sh, T> {
    #[track_caller]
    fn declare(signature: &mut Signature) -> Self {
        signature.array(Sh::RANK.unwrap_or(0))
    }
}

impl<T: Scalar> ArrayParameter for Exp<T> {
    fn declare(signature: &mut Signature) -> Self {
        signature.scalar()
    }
}

/// The results of an array program.
#[derive(Default, Debug)]
pub struct Declared(Vec<NodeNumber>);

/// What an array program can give: an array, or a tuple of them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the result of an array program",
    note = "an array can, or a tuple of them"
)]
pub trait ArrayResult {
    /// Takes the results.
    fn take(self, results: &mut Declared);
}

impl<Sh: Shape, T: Item> ArrayResult for Arr<Sh, T> {
    fn take(self, results: &mut Declared) {
        let is_known = results.0.contains(&self.number);
        let is_input = graph(|graph| {
            let node = graph.node(self.number);
            node.is_some_and(|node| matches!(node.kind, Kind::Input))
        });
        // Each result has memory of its own.
        if is_known || is_input == Some(true) {
            let element = self.element.clone();
            let copy = Arr::<Sh, T>::delayed("copy", self.extents(), move |index| element(index));
            results.0.push(copy.number);
        } else {
            results.0.push(self.number);
        }
    }
}

macro_rules! results {
    ($(($($result:ident $n:tt)+);)*) => {$(
        impl<$($result: ArrayResult),+> ArrayResult for ($($result,)+) {
            fn take(self, results: &mut Declared) {
                $(self.$n.take(results);)+
            }
        }
    )*};
}

results! {
    (A 0 B 1);
    (A 0 B 1 C 2);
    (A 0 B 1 C 2 D 3);
    (A 0 B 1 C 2 D 3 E 4);
}

/// The user's function: it takes its parameters from the signature, and gives its results.
type Function<'f> = &'f dyn Fn(&mut Signature) -> Declared;

/// Builds the kernels and the schedule of an array program. `names` are those of its parameters.
///
/// # Errors
/// Everything that is wrong with the program.
pub fn build(
    name: &str,
    names: &[String],
    settings: Settings,
    function: Function<'_>,
) -> Result<Compiled, Diagnostics> {
    let program = Program {
        name,
        names,
        function,
    };
    let classes = program.classes()?;
    let planned = program.planned(&classes, settings)?;
    program.compiled(&classes, planned)
}

struct Program<'f> {
    name: &'f str,
    names: &'f [String],
    function: Function<'f>,
}

/// Which numbers of a program are equal: each stands for another one, or for a literal.
struct Classes {
    given: Vec<Given>,
    /// For each number the first that is equal to it, or a literal.
    of: Vec<Representative>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Representative {
    Number(usize),
    Literal(u32),
}

/// What planning gives.
struct PlannedProgram {
    fused: Fused,
    results: Vec<NodeNumber>,
    claims: Vec<Claimed>,
    /// The extents of each node, over the numbers.
    extents: BTreeMap<NodeNumber, Vec<Formula>>,
    types: BTreeMap<NodeNumber, Vec<ScalarType>>,
    operators: BTreeMap<NodeNumber, &'static str>,
    input_nodes: Vec<NodeNumber>,
}

/// A build that leaves only its diagnostics, or a value.
fn built<R>(f: impl FnOnce() -> R) -> Result<(R, Tables), Diagnostics> {
    let made = crate::scalar::build(f);
    if made.diagnostics.is_empty() {
        Ok((made.result, made.tables))
    } else {
        Err(Diagnostics::new(made.diagnostics, made.tables.origins))
    }
}

impl Program<'_> {
    fn run(&self, numbers: Vec<AnyExp>) -> (Vec<Given>, Vec<AnyExp>, Vec<NodeNumber>) {
        let mut signature = Signature::new(self.names, numbers);
        let results = (self.function)(&mut signature);
        (signature.given, signature.numbers, results.0)
    }

    /// Learns the parameters, and which extents have to be equal.
    fn classes(&self) -> Result<Classes, Diagnostics> {
        let ((), tables);
        let found = built(|| within(Graph::default(), || self.run(Vec::new())))?;
        ((), tables) = ((), found.1);
        let ((given, numbers, _), own) = found.0;
        let leaf =
            |value: Exp<u32>, nodes: &[NodeId]| nodes.iter().position(|n| *n == node_of(value));
        let nodes: Vec<NodeId> = numbers.iter().map(|number| stale_node(*number)).collect();
        let mut of: Vec<Representative> = (0..nodes.len()).map(Representative::Number).collect();
        for claim in own.claims.iter().filter(|claim| !claim.at_least) {
            let side = |value: Exp<u32>| {
                let literal = tables.nodes.literal(node_of(value));
                match literal
                    .and_then(|l| l.as_integer())
                    .and_then(|n| u32::try_from(n).ok())
                {
                    Some(literal) => Some(Representative::Literal(literal)),
                    None => leaf(value, &nodes).and_then(|n| of.get(n).copied()),
                }
            };
            let (Some(left), Some(right)) = (side(claim.left), side(claim.right)) else {
                continue;
            };
            let (keep, give) = match (left, right) {
                (Representative::Literal(_), other) => (left, other),
                (other, Representative::Literal(_)) => (right, other),
                (Representative::Number(x), Representative::Number(y)) if x <= y => (left, right),
                _ => (right, left),
            };
            // Two literals that differ: the run says so.
            if matches!(give, Representative::Number(_)) {
                of.iter_mut()
                    .filter(|one| **one == give)
                    .for_each(|one| *one = keep);
            }
        }
        Ok(Classes { given, of })
    }

    /// Plans the program over numbers of which equal ones are one.
    fn planned(
        &self,
        classes: &Classes,
        settings: Settings,
    ) -> Result<PlannedProgram, Diagnostics> {
        let planning = || {
            let numbers = classes.arguments();
            let (_, _, results) = self.run(numbers.clone());
            if crate::scalar::failed() {
                return None;
            }
            let fused = fuse(&results, settings);
            Some((numbers, results, fused))
        };
        let ((found, own), tables) = built(|| within(Graph::default(), planning))?;
        let Some((numbers, results, fused)) = found else {
            return Err(Diagnostics::new(Vec::new(), tables.origins));
        };
        let formulas = Formulas {
            tables: &tables,
            numbers: numbers.iter().map(|number| stale_node(*number)).collect(),
            classes,
        };
        let mut wrong = Vec::new();
        let mut extents = BTreeMap::new();
        for (number, node) in own.nodes.iter().enumerate() {
            let list: Result<Vec<Formula>, Diagnostic> = node
                .extents
                .iter()
                .map(|extent| formulas.of(node_of(*extent)))
                .collect();
            match list {
                Ok(list) => {
                    extents.insert(number, list);
                }
                Err(_) => wrong.push(catalogue::extent_of_data(node.operator).at(node.origin)),
            }
        }
        // The claims of the first run name each number by itself.
        let claims = self.claims(&mut wrong)?;
        if !wrong.is_empty() {
            return Err(Diagnostics::new(wrong, tables.origins));
        }
        let nodes = || own.nodes.iter().enumerate();
        Ok(PlannedProgram {
            fused,
            results,
            claims,
            extents,
            types: nodes().map(|(n, node)| (n, node.types.clone())).collect(),
            operators: nodes().map(|(n, node)| (n, node.operator)).collect(),
            input_nodes: nodes()
                .filter(|(_, node)| matches!(node.kind, Kind::Input))
                .map(|(number, _)| number)
                .collect(),
        })
    }

    /// What has to hold of the extents, as a run checks it.
    fn claims(&self, wrong: &mut Vec<Diagnostic>) -> Result<Vec<Claimed>, Diagnostics> {
        let (((_, numbers, _), own), tables) =
            built(|| within(Graph::default(), || self.run(Vec::new())))?;
        let alone = Classes {
            given: Vec::new(),
            of: (0..numbers.len()).map(Representative::Number).collect(),
        };
        let formulas = Formulas {
            tables: &tables,
            numbers: numbers.iter().map(|number| stale_node(*number)).collect(),
            classes: &alone,
        };
        let mut claims = Vec::new();
        for claim in own.claims {
            let sides = [claim.left, claim.right].map(|side| formulas.of(node_of(side)));
            let [Ok(left), Ok(right)] = sides else {
                wrong.push(catalogue::extent_of_data(claim.what).at(claim.origin));
                continue;
            };
            let places = std::iter::once(claim.origin).chain(claim.places);
            let places = places.filter_map(|place| place_text(&tables.origins, place));
            claims.push(Claimed {
                left,
                right,
                at_least: claim.at_least,
                what: claim.what.to_owned(),
                places: places.collect(),
            });
        }
        Ok(claims)
    }

    fn compiled(
        &self,
        classes: &Classes,
        planned: PlannedProgram,
    ) -> Result<Compiled, Diagnostics> {
        let mut made = Making {
            program: self,
            classes,
            planned: &planned,
            slots: BTreeMap::new(),
            all_slots: Vec::new(),
            kernels: Vec::new(),
            plans: Vec::new(),
            steps: Vec::new(),
        };
        for input in &planned.input_nodes {
            made.take_slots(*input);
        }
        for (number, group) in planned.fused.groups.iter().enumerate() {
            made.group(number, group)?;
        }
        let results: Vec<Produced> = planned
            .results
            .iter()
            .map(|result| made.result(*result))
            .collect();
        let Making {
            kernels,
            plans,
            steps,
            all_slots,
            ..
        } = made;
        let schedule = Schedule {
            name: self.name.to_owned(),
            parameters: classes.given.clone(),
            claims: planned.claims.clone(),
            kernels,
            steps: freed(steps, &results, &planned, all_slots.len()),
            results,
            slots: all_slots,
        };
        Ok(Compiled { schedule, plans })
    }
}

/// The product of extents.
fn of_product(extents: &[Formula]) -> Formula {
    let mut steps = Vec::new();
    for (position, extent) in extents.iter().enumerate() {
        steps.extend(extent.steps.iter().copied());
        if position > 0 {
            steps.push(FormulaStep::Mul);
        }
    }
    if steps.is_empty() {
        steps.push(FormulaStep::Literal(1));
    }
    Formula {
        steps: steps.into(),
    }
}

/// How many pieces a row has.
fn of_pieces(row: &Formula, piece: u32) -> Formula {
    let mut steps = row.steps.to_vec();
    steps.extend([FormulaStep::Literal(piece.into()), FormulaStep::Div]);
    steps.extend(row.steps.iter().copied());
    steps.extend([
        FormulaStep::Literal(piece.into()),
        FormulaStep::Rem,
        FormulaStep::Literal(1),
        FormulaStep::Min,
        FormulaStep::Add,
    ]);
    Formula {
        steps: steps.into(),
    }
}

/// Frees each slot that is no input and no result behind its last use.
fn freed(
    steps: Vec<Step>,
    results: &[Produced],
    planned: &PlannedProgram,
    slots: usize,
) -> Vec<Step> {
    let inputs: usize = planned
        .input_nodes
        .iter()
        .filter_map(|input| planned.types.get(input))
        .map(Vec::len)
        .sum();
    let kept: Vec<usize> = results
        .iter()
        .flat_map(|result| result.slots.clone())
        .collect();
    let mut last: BTreeMap<usize, usize> = BTreeMap::new();
    for (position, step) in steps.iter().enumerate() {
        let Step::Launch {
            arguments, outputs, ..
        } = step
        else {
            continue;
        };
        let read = arguments.iter().filter_map(|argument| match argument {
            Argument::Slot(slot) => Some(*slot),
            Argument::Number(_) => None,
        });
        for slot in read.chain(outputs.iter().copied()) {
            if (inputs..slots).contains(&slot) && !kept.contains(&slot) {
                last.insert(slot, position);
            }
        }
    }
    let mut all = Vec::new();
    for (position, step) in steps.into_iter().enumerate() {
        all.push(step);
        let here = last.iter().filter(|(_, last)| **last == position);
        all.extend(here.map(|(slot, _)| Step::Free(*slot)));
    }
    all
}

fn place_text(origins: &Origins, place: Origin) -> Option<String> {
    match origins.site(place)? {
        Site::Native(place) => Some(format!("{}:{}", place.file(), place.line())),
        Site::Span(_) => None,
    }
}

/// The node of a value of a build that has ended.
fn node_of(value: Exp<u32>) -> NodeId {
    value.node()
}

fn stale_node(value: AnyExp) -> NodeId {
    value.node()
}

/// Formulas over the numbers of a program.
struct Formulas<'t> {
    tables: &'t Tables,
    numbers: Vec<NodeId>,
    classes: &'t Classes,
}

impl Formulas<'_> {
    fn of(&self, id: NodeId) -> Result<Formula, Diagnostic> {
        crate::plan::formula_over(&self.tables.nodes, id, &|leaf| match leaf {
            FormulaLeaf::Variable(variable) => {
                let is_own = |node: &NodeId| matches!(self.tables.nodes.node(*node), Node::Variable(own) if own == variable);
                let number = self.numbers.iter().position(is_own);
                let of = number.and_then(|number| self.classes.of.get(number));
                match of {
                    Some(Representative::Number(number)) => {
                        Ok(Leaf::Step(FormulaStep::Argument(*number)))
                    }
                    Some(Representative::Literal(literal)) => {
                        Ok(Leaf::Step(FormulaStep::Literal((*literal).into())))
                    }
                    None => Err(catalogue::extent_of_data("array")),
                }
            }
            FormulaLeaf::Length(_) => Err(catalogue::extent_of_data("array")),
        })
    }
}

impl Classes {
    fn names(&self) -> Vec<(String, ScalarType)> {
        self.given.iter().flat_map(Given::numbers).collect()
    }

    /// Arguments that stand for the numbers, equal ones for one.
    fn arguments(&self) -> Vec<AnyExp> {
        self.numbers(&mut |_, name, ty| {
            crate::program::bound_any(Some(name), ty, VariableKind::Argument).1
        })
    }

    /// The numbers, each made by `make` of its number, name and type, or like the one that it is equal to.
    fn numbers(&self, make: &mut dyn FnMut(usize, &str, ScalarType) -> AnyExp) -> Vec<AnyExp> {
        let mut made: BTreeMap<usize, AnyExp> = BTreeMap::new();
        let names = self.names();
        let one = |of: &Representative| match of {
            Representative::Literal(literal) => lit(*literal).any(),
            Representative::Number(number) => *made.entry(*number).or_insert_with(|| {
                let (name, ty) = names
                    .get(*number)
                    .cloned()
                    .unwrap_or((String::new(), ScalarType::U32));
                make(*number, &name, ty)
            }),
        };
        self.of.iter().map(one).collect()
    }
}

/// Makes the kernels.
struct Making<'p> {
    program: &'p Program<'p>,
    classes: &'p Classes,
    planned: &'p PlannedProgram,
    /// The slots of nodes that are in memory.
    slots: BTreeMap<NodeNumber, Vec<usize>>,
    all_slots: Vec<Slot>,
    kernels: Vec<Launched>,
    plans: Vec<Plan>,
    steps: Vec<Step>,
}

/// What one kernel does of its group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    /// All of it.
    Whole,
    /// The pieces of one row.
    Pieces,
    /// What the pieces have become.
    Rest,
}

impl Making<'_> {
    fn types(&self, node: NodeNumber) -> Vec<ScalarType> {
        self.planned.types.get(&node).cloned().unwrap_or_default()
    }

    fn take_slots(&mut self, node: NodeNumber) -> Vec<usize> {
        let extents = self.planned.extents.get(&node).cloned().unwrap_or_default();
        let slots = self.new_slots(&self.types(node), &of_product(&extents));
        self.slots.insert(node, slots.clone());
        slots
    }

    fn new_slots(&mut self, types: &[ScalarType], length: &Formula) -> Vec<usize> {
        let first = self.all_slots.len();
        let slot = |ty: &ScalarType| Slot {
            ty: *ty,
            length: length.clone(),
        };
        self.all_slots.extend(types.iter().map(slot));
        (first..self.all_slots.len()).collect()
    }

    fn result(&self, node: NodeNumber) -> Produced {
        Produced {
            slots: self.slots.get(&node).cloned().unwrap_or_default(),
            extents: self.planned.extents.get(&node).cloned().unwrap_or_default(),
            types: self.types(node),
        }
    }

    fn group(&mut self, number: usize, group: &Group) -> Result<(), Diagnostics> {
        let is_one_row = group.form != Form::Generate
            && self
                .planned
                .extents
                .get(&group.space)
                .is_some_and(|e| e.len() == 1);
        let name = match self.planned.fused.groups.len() {
            1 => self.program.name.to_owned(),
            _ => format!("{}_{number}", self.program.name),
        };
        if !is_one_row {
            return self.kernel(name, group, Part::Whole, &mut Vec::new());
        }
        let mut parts = Vec::new();
        self.kernel(format!("{name}{PARTIAL}"), group, Part::Pieces, &mut parts)?;
        self.kernel(name, group, Part::Rest, &mut parts)
    }

    /// Builds a kernel, and adds its launch. `parts` are the slots between the two kernels of a fold.
    fn kernel(
        &mut self,
        name: String,
        group: &Group,
        part: Part,
        parts: &mut Vec<usize>,
    ) -> Result<(), Diagnostics> {
        let (built, plan) = self.plan(&name, group, part)?;
        let mut outputs = Vec::new();
        if part == Part::Pieces {
            let row = self.planned.extents.get(&group.space);
            let row = row.and_then(|extents| extents.last().cloned());
            let length = of_pieces(&row.unwrap_or_else(|| of_product(&[])), built.piece);
            *parts = self.new_slots(&built.parts, &length);
            outputs.extend(parts.iter().copied());
        }
        for node in &built.written {
            outputs.extend(self.take_slots(*node));
        }
        let arrays: BTreeMap<ArrayId, usize> = {
            let of_nodes = built.reads.iter().flat_map(|(node, arrays)| {
                let slots = self.slots.get(node).cloned().unwrap_or_default();
                arrays.iter().copied().zip(slots).collect::<Vec<_>>()
            });
            let of_parts = built.read_parts.iter().copied().zip(parts.iter().copied());
            of_nodes.chain(of_parts).collect()
        };
        let mut arguments = Vec::new();
        for parameter in &plan.kernel().parameters {
            match parameter.kind {
                ParameterKind::Array(array) => {
                    arguments.extend(arrays.get(&array).map(|slot| Argument::Slot(*slot)));
                }
                ParameterKind::Scalar(variable) => {
                    let number = built.numbers.iter().find(|(own, _)| *own == variable);
                    arguments.extend(number.map(|(_, number)| Argument::Number(*number)));
                }
            }
        }
        let operators = match part {
            Part::Rest => group
                .folds
                .iter()
                .chain(&group.behind)
                .copied()
                .collect::<Vec<_>>(),
            _ => group.computes.iter().copied().collect(),
        };
        let operator = |node: &NodeNumber| {
            self.planned
                .operators
                .get(node)
                .map(|name| (*name).to_owned())
        };
        let operators = operators.iter().filter_map(operator).collect();
        let why = group
            .computes
            .iter()
            .filter_map(|node| self.planned.fused.why.get(node).cloned());
        let why = if part == Part::Rest {
            Vec::new()
        } else {
            why.collect()
        };
        self.steps.push(Step::Launch {
            kernel: self.plans.len(),
            arguments,
            outputs,
        });
        self.kernels.push(Launched {
            name,
            operators,
            why,
        });
        self.plans.push(plan);
        Ok(())
    }

    /// Builds the kernel: first with each index to be proved, then with those that the program makes vouched for.
    fn plan(
        &self,
        name: &str,
        group: &Group,
        part: Part,
    ) -> Result<(BuiltKernel, Plan), Diagnostics> {
        match self.attempt(name, group, part, false) {
            Err(_) => self.attempt(name, group, part, true),
            built => built,
        }
    }

    fn attempt(
        &self,
        name: &str,
        group: &Group,
        part: Part,
        vouched: bool,
    ) -> Result<(BuiltKernel, Plan), Diagnostics> {
        let mut built = BuiltKernel::default();
        let reified = crate::lower::reify(name, |builder| {
            self.reify(builder, group, part, vouched, &mut built);
        })?;
        let options = Options {
            threads: match (&group.form, part) {
                (Form::Fold { .. }, Part::Whole) => 32,
                _ => 256,
            },
            faults: vouched && built.guarded,
            ..Options::default()
        };
        let plan = pipeline::compile(crate::lower::strip(reified)?, &options)?;
        Ok((built, plan))
    }

    fn reify(
        &self,
        builder: &mut Builder,
        group: &Group,
        part: Part,
        vouched: bool,
        built: &mut BuiltKernel,
    ) {
        let reads: Vec<NodeNumber> = match part {
            Part::Whole => group.reads.union(&group.reads_behind).copied().collect(),
            Part::Pieces => group.reads.iter().copied().collect(),
            Part::Rest => group.reads_behind.iter().copied().collect(),
        };
        let mut lengths = Vec::new();
        for node in reads {
            let name = self.array_name(node);
            let (arrays, length) = builder.input_arrays(&name, &self.types(node));
            lengths.push((node, length));
            built.reads.push((node, arrays));
        }
        let folded_types: Vec<ScalarType> = group
            .folds
            .iter()
            .flat_map(|fold| self.types(*fold))
            .collect();
        if part == Part::Rest {
            let (arrays, length) = builder.input_arrays("parts", &folded_types);
            built.read_parts = arrays;
            built.parts_length = Some(length);
        }
        let mut variables = Vec::new();
        let numbers = self.classes.numbers(&mut |number, name, ty| {
            // The length of a vector that is there anyway.
            let vector = lengths
                .iter()
                .find(|(node, _)| self.is_vector(*node, number));
            match vector {
                Some((_, length)) => length.any(),
                None => {
                    let (variable, value) = builder.argument_if_used(name, ty);
                    variables.push((variable, number));
                    value
                }
            }
        });
        built.numbers = variables;
        let own = Graph {
            arrays: built.reads.iter().cloned().collect(),
            vouched,
            ..Graph::default()
        };
        let ((), own) = within(own, || {
            let _ = self.program.run(numbers);
            for (node, length) in &lengths {
                let elements = product(&extents_of(*node));
                if elements.node() != length.node() {
                    require(*length, Constraint::Equal(elements.node()));
                }
            }
            self.skeleton(builder, group, part, built);
        });
        built.guarded = own.guarded;
    }

    fn skeleton(&self, builder: &mut Builder, group: &Group, part: Part, built: &mut BuiltKernel) {
        let extents = extents_of(group.space);
        let output = |builder: &mut Builder, node: NodeNumber| -> Output {
            let elements = product(&extents_of(node));
            let arrays = builder.output_arrays(&self.array_name(node), &self.types(node), elements);
            (node, arrays)
        };
        let chosen = |list: &[NodeNumber]| -> Vec<NodeNumber> {
            list.iter()
                .copied()
                .filter(|node| group.written.contains(node))
                .collect()
        };
        let folded = Folded::of(&group.folds);
        let n = extents.last().copied().unwrap_or_else(|| lit(1));
        let mut parts = Vec::new();
        if part == Part::Pieces {
            parts = builder.output_arrays("parts", &folded.types(), pieces(&folded, n));
            (built.parts, built.piece) = (folded.types(), folded.piece());
        }
        let mut each = Vec::new();
        let mut results = Vec::new();
        if part != Part::Rest {
            for node in chosen(&group.each) {
                each.push(output(builder, node));
                built.written.push(node);
            }
        }
        if part != Part::Pieces {
            for node in chosen(&group.folds)
                .into_iter()
                .chain(chosen(&group.behind))
            {
                results.push(output(builder, node));
                built.written.push(node);
            }
        }
        let program = match (&group.form, part) {
            (Form::Generate, _) => generate(extents, each),
            (_, Part::Whole) => fold_rows(&folded, extents, each, results),
            (_, Part::Pieces) => fold_parts(&folded, n, each, parts),
            (_, Part::Rest) => {
                let count = built.parts_length.unwrap_or_else(|| lit(0));
                fold_rest(&folded, count, built.read_parts.clone(), results)
            }
        };
        builder.run(program);
    }

    /// Is a number the length of a vector that is given?
    fn is_vector(&self, node: NodeNumber, number: usize) -> bool {
        let position = self
            .planned
            .input_nodes
            .iter()
            .position(|input| *input == node);
        let arrays = self.classes.given.iter().scan(0, |first, given| {
            let own = *first;
            *first += given.numbers().len();
            Some((own, given))
        });
        let mut arrays = arrays.filter(|(_, given)| matches!(given, Given::Array { .. }));
        let Some((first, Given::Array { rank: 1, .. })) = position.and_then(|n| arrays.nth(n))
        else {
            return false;
        };
        self.classes.of.get(first) == Some(&Representative::Number(number))
    }

    fn array_name(&self, node: NodeNumber) -> String {
        let position = self
            .planned
            .input_nodes
            .iter()
            .position(|input| *input == node);
        let is_array = |given: &&Given| matches!(given, Given::Array { .. });
        let given = position.and_then(|n| self.classes.given.iter().filter(is_array).nth(n));
        match given {
            Some(Given::Array { name, .. }) => name.clone(),
            _ => {
                let operator = self
                    .planned
                    .operators
                    .get(&node)
                    .copied()
                    .unwrap_or("array");
                format!("{operator}_{node}")
            }
        }
    }
}

/// What is known of a kernel that is being built.
#[derive(Default)]
struct BuiltKernel {
    reads: Vec<(NodeNumber, Vec<ArrayId>)>,
    read_parts: Vec<ArrayId>,
    parts_length: Option<Exp<u32>>,
    /// The types of the parts that it writes, and the elements of a piece.
    parts: Vec<ScalarType>,
    piece: u32,
    written: Vec<NodeNumber>,
    numbers: Vec<(VariableId, usize)>,
    guarded: bool,
}
