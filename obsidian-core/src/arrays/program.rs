//! From the user's function to kernels and a schedule.

use std::cell::RefCell;
use std::rc::Rc;

use super::claims::Claim;
use super::freeing::freed;
use super::fuse::{Form, Fused, fuse};
use super::graph::{
    Control, Graph, Kind, Node, NodeNumber, Sorted, StateExtent, add_constants, aside, graph,
    within,
};
use super::making::Making;
use super::numbers::{Classes, Formulas, Representative, node_of, stale_node};
use super::{Body, Bounds, Described, Signature};
use super::{Claimed, Given, Produced, Schedule, Settings, Where};
use crate::error::{Diagnostic, Diagnostics, Origin, Origins, Site, catalogue};
use crate::ordered::{Map, Set};
use crate::plan::{Formula, Plan, Step as FormulaStep};
use crate::program::on_its_own;
use crate::scalar::formula::TOO_LONG;
use crate::scalar::{AnyExp, Exp, Literal, NodeId, ScalarType, Tables};

/// An array program as kernels.
#[derive(Debug)]
pub struct Compiled {
    /// What is launched, in which order.
    pub schedule: Schedule,
    /// The kernels of the schedule, by number.
    pub plans: Vec<Plan>,
    /// The number of each kernel's name, those too of kernels that are the same as one before.
    pub named: Map<String, usize>,
}

/// Builds the kernels and the schedule of an array program. `names` are those of its parameters.
///
/// # Errors
/// Everything that is wrong with the program.
pub fn build(
    name: &str,
    names: &[String],
    settings: Settings,
    body: Body<'_>,
) -> Result<Compiled, Diagnostics> {
    build_described(&Described {
        name,
        names,
        settings,
        bounds: &|f| f(),
        body,
    })
}

/// One kernel of a program by its name, if the program has it; the others are planned, and not built.
///
/// # Errors
/// Those of [`build`].
pub fn build_kernel(
    name: &str,
    names: &[String],
    settings: Settings,
    kernel: &str,
    body: Body<'_>,
) -> Result<Option<Plan>, Diagnostics> {
    let program = Program {
        name,
        names,
        settings,
        bounds: &|f| f(),
        body,
        constants: RefCell::default(),
        changing: RefCell::default(),
    };
    // A closure may run another program while its own is built.
    on_its_own(|| {
        aside(|| {
            let (classes, planned) = program.prepared()?;
            program.one(&classes, &planned, kernel)
        })
    })
}

/// As [`build`]; what runs the user's functions goes through the bounds of the program, which may end it.
///
/// # Errors
/// Those of [`build`].
#[doc(hidden)]
pub fn build_described(described: &Described<'_>) -> Result<Compiled, Diagnostics> {
    let Described {
        name,
        names,
        settings,
        bounds,
        body,
    } = *described;
    let program = Program {
        name,
        names,
        settings,
        bounds,
        body,
        constants: RefCell::default(),
        changing: RefCell::default(),
    };
    on_its_own(|| {
        aside(|| {
            let (classes, planned) = program.prepared()?;
            program.compiled(&classes, planned)
        })
    })
}

pub(super) struct Program<'f> {
    pub(super) name: &'f str,
    pub(super) names: &'f [String],
    pub(super) settings: Settings,
    bounds: Bounds<'f>,
    pub(super) body: Body<'f>,
    /// The vectors of constants in memory that its functions of elements make, as far as they are known.
    constants: RefCell<Vec<Rc<[Literal]>>>,
    /// The extents of loop states that iterations change, as far as they are known.
    pub(super) changing: RefCell<Set<StateExtent>>,
}

/// The most vectors of constants in memory that functions of elements make.
const MOST_CONSTANTS: usize = 256;

/// What planning gives.
pub(super) struct PlannedProgram {
    pub(super) fused: Fused,
    pub(super) results: Vec<NodeNumber>,
    pub(super) claims: Vec<Claimed>,
    /// The extents of each node, over the numbers.
    pub(super) extents: Map<NodeNumber, Vec<Formula>>,
    pub(super) types: Map<NodeNumber, Vec<ScalarType>>,
    pub(super) operators: Map<NodeNumber, &'static str>,
    pub(super) input_nodes: Vec<NodeNumber>,
    /// By the digits of which places are made: the counts of the digits, and which of the counted passes it is.
    pub(super) passes: Map<NodeNumber, (NodeNumber, u32)>,
    /// The sorts, which one block does of few elements.
    pub(super) sorts: Vec<Rc<Sorted>>,
    /// The arrays that stand in the program.
    pub(super) literals: Vec<(NodeNumber, Rc<[Literal]>)>,
    /// The numbers that only a run knows, in order, by the totals that it reads and the arrays of loops whose extents they are.
    pub(super) reads: Vec<NodeNumber>,
    /// The extents of loop states that iterations change, with the places in `reads` of their numbers, at the beginning of an iteration and behind
    /// the loop, and how many axes the loop sees.
    pub(super) changing: Vec<(StateExtent, ([Option<usize>; 2], usize))>,
    /// Arrays with fewer elements than their sources, which only a run knows.
    pub(super) sources: Map<NodeNumber, NodeNumber>,
    /// The controls: what they do, how often, and the nodes of the arrays that they give.
    pub(super) controls: Vec<PlannedControl>,
    /// The arrays at the beginnings of rounds.
    pub(super) states: Vec<NodeNumber>,
    /// The arrays that others become when their elements are changed.
    pub(super) changed: Map<NodeNumber, NodeNumber>,
}

/// A control of a program.
pub(super) struct PlannedControl {
    pub(super) control: Control,
    /// How often a loop runs, if that is known in front of it.
    pub(super) times: Option<Formula>,
    pub(super) outcomes: Vec<NodeNumber>,
}

/// A build that leaves only its diagnostics, or a value.
fn built<R>(f: impl FnOnce() -> R) -> Result<(R, Tables), Diagnostics> {
    let made = on_its_own(|| crate::scalar::build(f));
    if made.diagnostics.is_empty() {
        Ok((made.result, made.tables))
    } else {
        Err(Diagnostics::new(made.diagnostics, made.tables.origins))
    }
}

impl Program<'_> {
    /// Runs `f` within bounds; none where they have ended it, which has been reported.
    pub(super) fn within_bounds<R>(&self, f: impl FnOnce() -> R) -> Option<R> {
        let (mut f, mut result) = (Some(f), None);
        (self.bounds)(&mut || result = f.take().map(|f| f()));
        result
    }

    /// Runs the user's function over the numbers that a run is given, and those that it reads, if these are known. All of them are
    /// given back.
    pub(super) fn run(
        &self,
        mut numbers: Vec<AnyExp>,
        given: usize,
    ) -> (Vec<Given>, Vec<AnyExp>, Vec<NodeNumber>) {
        let read = numbers.split_off(given.min(numbers.len()));
        let mut signature = Signature::new(self.names, numbers);
        graph(|graph| {
            graph.describing = true;
            graph.ready_numbers = read.into();
        });
        self.constants.borrow().iter().for_each(add_constants);
        let results = (self.body)(&mut signature);
        let read = graph(|graph| {
            graph.describing = false;
            graph.reads.iter().map(|(_, number)| number.any()).collect()
        });
        let read: Vec<AnyExp> = read.unwrap_or_default();
        let numbers = signature.numbers.into_iter().chain(read).collect();
        (signature.given, numbers, results.0)
    }

    /// Runs `f` over a graph without nodes, and notes the vectors of constants that are wanted.
    fn within_own<R>(&self, f: impl FnOnce() -> R) -> (R, Graph) {
        let own = Graph {
            may_want: self.constants.borrow().len() < MOST_CONSTANTS,
            changing: self.changing.borrow().clone(),
            ..Graph::default()
        };
        within(own, || {
            let result = f();
            let wanted = graph(|graph| std::mem::take(&mut graph.wanted));
            let mut known = self.constants.borrow_mut();
            for elements in wanted.unwrap_or_default() {
                if !known.contains(&elements) {
                    known.push(elements);
                }
            }
            let changing = graph(|graph| std::mem::take(&mut graph.seen_to_change));
            self.changing
                .borrow_mut()
                .extend(changing.unwrap_or_default());
            result
        })
    }

    /// Runs `f` until it wants no more vectors of constants. What it gives before then is wrong.
    fn until_settled<R>(
        &self,
        mut f: impl FnMut() -> Result<R, Diagnostics>,
    ) -> Result<R, Diagnostics> {
        loop {
            let known = || (self.constants.borrow().len(), self.changing.borrow().len());
            let before = known();
            let result = f();
            if known() == before {
                return result;
            }
        }
    }

    /// Learns the parameters, and plans. What functions of elements ask of extents is learnt while it is planned: where that makes numbers
    /// equal, it is planned again.
    fn prepared(&self) -> Result<(Classes, PlannedProgram), Diagnostics> {
        let (mut classes, mut claims) = self.until_settled(|| self.learnt())?;
        loop {
            let known = self.changing.borrow().len();
            let constants = self.constants.borrow().len();
            let planned = self.planned(&mut classes, claims.clone());
            // Extents that iterations change are numbers of their own.
            if self.changing.borrow().len() != known {
                (classes, claims) = self.until_settled(|| self.learnt())?;
                continue;
            }
            if self.constants.borrow().len() != constants {
                continue;
            }
            let (planned, is_final) = planned?;
            if is_final {
                return Ok((classes, planned));
            }
            claims = planned.claims;
        }
    }

    /// Learns the parameters, which extents have to be equal, and what a run checks of them.
    fn learnt(&self) -> Result<(Classes, Vec<Claimed>), Diagnostics> {
        let ((found, own), tables) =
            built(|| self.within_own(|| self.within_bounds(|| self.run(Vec::new(), 0))))?;
        let Some((given, numbers, _)) = found else {
            return Err(Diagnostics::new(Vec::new(), tables.origins));
        };
        let nodes: Vec<NodeId> = numbers.iter().map(|number| stale_node(*number)).collect();
        let mut classes = Classes {
            given,
            of: (0..nodes.len()).map(Representative::Number).collect(),
        };
        let formulas = Formulas {
            tables: &tables,
            numbers: nodes.clone(),
            classes: &classes,
        };
        // Whether iterations change the extents of a state is seen when equal numbers are one.
        let given = nodes.len() - own.reads.len().min(nodes.len());
        let given = nodes.get(..given).unwrap_or_default();
        // One number that a run is given is asked to be another one, or a literal.
        let is_given = |side: Exp<u32>| {
            given.contains(&node_of(side)) || tables.nodes.literal(node_of(side)).is_some()
        };
        let is_asked = |claim: &Claim| {
            claim.of_state.is_none() || is_given(claim.left) && is_given(claim.right)
        };
        let of_run: Vec<Claim> = own.claims.into_iter().filter(is_asked).collect();
        let claims = claims(&of_run, &formulas)?;
        classes.merge(&of_run, given, &tables);
        Ok((classes, claims))
    }

    /// Plans the program over numbers of which equal ones are one.
    fn planned(
        &self,
        classes: &mut Classes,
        mut all_claims: Vec<Claimed>,
    ) -> Result<(PlannedProgram, bool), Diagnostics> {
        let planning = || {
            let numbers = classes.arguments();
            let (_, _, results) = self.run(numbers.clone(), classes.given_numbers());
            let described = graph(|graph| graph.claims.len()).unwrap_or(0);
            if crate::scalar::failed() {
                return None;
            }
            let fused = fuse(&results, self.settings);
            Some((numbers, results, fused, described))
        };
        let ((found, own), tables) = built(|| self.within_own(|| self.within_bounds(planning)))?;
        let Some((numbers, results, fused, described)) = found.flatten() else {
            return Err(Diagnostics::new(Vec::new(), tables.origins));
        };
        let formulas = Formulas {
            tables: &tables,
            numbers: numbers.iter().map(|number| stale_node(*number)).collect(),
            classes,
        };
        let mut wrong = Vec::new();
        let mut extents = Map::new();
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
                Err(error) => wrong.push(no_extent(&error, node.operator).at(node.origin)),
            }
        }
        let mut controls = Vec::new();
        for (number, control) in own.controls.iter().enumerate() {
            // One that has no end has been reported.
            let Some(control) = control else {
                continue;
            };
            let given = |(_, node): &(usize, &std::rc::Rc<Node>)| matches!(node.kind, Kind::Outcome(of) if of == number);
            let mut outcomes = own.nodes.iter().enumerate().filter(given).peekable();
            let times = match control {
                Control::Repeat { times, .. } => Some(formulas.of(node_of(*times))),
                _ => None,
            };
            let times = match times.transpose() {
                Ok(times) => times,
                Err(_) => {
                    let origin = outcomes.peek().map(|(_, node)| node.origin);
                    wrong.push(catalogue::rounds_of_data().at(origin.unwrap_or_default()));
                    continue;
                }
            };
            controls.push(PlannedControl {
                control: control.clone(),
                times,
                outcomes: outcomes.map(|(number, _)| number).collect(),
            });
        }
        if !wrong.is_empty() {
            return Err(Diagnostics::new(wrong, tables.origins));
        }
        let of_elements = own.claims.get(described..).unwrap_or_default();
        let given = formulas.numbers.get(..classes.given_numbers());
        let given = given.unwrap_or_default().to_vec();
        let mut own_classes = Classes {
            given: classes.given.clone(),
            of: classes.of.clone(),
        };
        let is_final = !own_classes.merge(of_elements, &given, &tables);
        let of_states = own.claims.iter().take(described);
        for claim in of_states.filter(|claim| is_final && claim.of_state.is_some()) {
            let Some(extent) = claim.of_state else {
                continue;
            };
            match claims(std::slice::from_ref(claim), &formulas)?.pop() {
                Some(own) if are_equal(&own.left, &own.right) => {
                    if !all_claims.contains(&own) {
                        all_claims.push(own);
                    }
                }
                _ => {
                    self.changing.borrow_mut().insert(extent);
                }
            }
        }
        for claim in claims(of_elements, &formulas)? {
            if !all_claims.contains(&claim) {
                all_claims.push(claim);
            }
        }
        *classes = own_classes;
        let nodes = || own.nodes.iter().enumerate();
        let planned = PlannedProgram {
            fused,
            results,
            claims: all_claims,
            extents,
            reads: own.reads.iter().map(|(total, _)| *total).collect(),
            changing: own.changing_numbers.into_iter().collect(),
            sources: nodes()
                .filter_map(|(number, node)| match node.kind {
                    Kind::Scatter { source, .. } => Some((number, source)),
                    _ => None,
                })
                .collect(),
            controls,
            states: nodes()
                .filter(|(_, node)| matches!(node.kind, Kind::State(_)))
                .map(|(number, _)| number)
                .collect(),
            changed: nodes()
                .filter_map(|(number, node)| match &node.kind {
                    Kind::Permute(permuted) => Some((number, permuted.changed)),
                    _ => None,
                })
                .collect(),
            passes: nodes()
                .filter_map(|(_, node)| match node.kind {
                    Kind::Place {
                        digits,
                        counts,
                        pass,
                        ..
                    } => Some((digits, (counts, pass))),
                    _ => None,
                })
                .collect(),
            types: nodes().map(|(n, node)| (n, node.types.clone())).collect(),
            operators: nodes().map(|(n, node)| (n, node.operator)).collect(),
            input_nodes: nodes()
                .filter(|(_, node)| matches!(node.kind, Kind::Input))
                .map(|(number, _)| number)
                .collect(),
            sorts: own.sorts.clone(),
            literals: nodes()
                .filter_map(|(number, node)| match &node.kind {
                    Kind::Literal(elements) => Some((number, elements.clone())),
                    _ => None,
                })
                .collect(),
        };
        Ok((planned, is_final))
    }

    fn making<'p>(
        &'p self,
        classes: &'p Classes,
        planned: &'p PlannedProgram,
        wanted: Option<&'p str>,
    ) -> Making<'p> {
        Making {
            program: self,
            classes,
            planned,
            slots: Map::new(),
            all_slots: Vec::new(),
            kernels: Vec::new(),
            plans: Vec::new(),
            known: Vec::new(),
            named: Map::new(),
            steps: Map::new(),
            region: None,
            wanted,
        }
    }

    /// The kernel of a name alone.
    fn one(
        &self,
        classes: &Classes,
        planned: &PlannedProgram,
        wanted: &str,
    ) -> Result<Option<Plan>, Diagnostics> {
        let mut made = self.making(classes, planned, Some(wanted));
        for (number, group) in planned.fused.groups.iter().enumerate() {
            if !matches!(group.form, Form::Control(_)) {
                made.launches(number, group)?;
            }
        }
        Ok(made.plans.pop())
    }

    fn compiled(
        &self,
        classes: &Classes,
        planned: PlannedProgram,
    ) -> Result<Compiled, Diagnostics> {
        let mut made = self.making(classes, &planned, None);
        for input in &planned.input_nodes {
            made.take_slots(*input);
        }
        let literals = made.literals();
        let inputs = made.all_slots.len();
        for state in &planned.states {
            made.take_slots(*state);
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
            named,
            mut steps,
            all_slots,
            ..
        } = made;
        let steps = steps.remove(&None).unwrap_or_default();
        let schedule = Schedule {
            name: self.name.to_owned(),
            parameters: classes.given.clone(),
            claims: planned.claims.clone(),
            kernels,
            steps: freed(steps, &results, inputs..all_slots.len()),
            results,
            literals,
            slots: all_slots,
        };
        Ok(Compiled {
            schedule,
            plans,
            named,
        })
    }
}

/// Are two extents equal for any numbers? They are taken for it if they are for some of all sizes; a run sees whether they really are.
fn are_equal(left: &Formula, right: &Formula) -> bool {
    const TRIES: u64 = 24;
    let number = |n: u64, of: u64| {
        let bits = (n * 64 + of + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 24;
        Some(1 + bits % (1 << (3 + n)))
    };
    let steps = || left.steps.iter().chain(right.steps.iter());
    let most = steps().filter_map(|step| match step {
        FormulaStep::Argument(number) => Some(number + 1),
        _ => None,
    });
    let most = most.max().unwrap_or(0) as u64;
    let tries = (0..TRIES).filter_map(|n| {
        let numbers: Vec<Option<u64>> = (0..most).map(|of| number(n, of)).collect();
        let [left, right] = [left, right].map(|side| side.evaluate(&[], &numbers));
        Some(left.ok()? == right.ok()?)
    });
    let tries: Vec<bool> = tries.collect();
    !tries.is_empty() && tries.into_iter().all(|equal| equal)
}

/// Why an extent of an operator is no formula that a run works out.
fn no_extent(error: &Diagnostic, operator: &str) -> Diagnostic {
    match *error == catalogue::not_a_formula(TOO_LONG) {
        true => catalogue::extent_too_long(operator),
        false => catalogue::extent_of_data(operator),
    }
}

/// What has to hold of the extents, as a run checks it: over each number by itself, equal ones too.
fn claims(own: &[Claim], formulas: &Formulas<'_>) -> Result<Vec<Claimed>, Diagnostics> {
    let tables = formulas.tables;
    let (mut claims, mut wrong) = (Vec::new(), Vec::new());
    for claim in own {
        let sides = [claim.left, claim.right].map(|side| formulas.of(node_of(side)));
        let (left, right) = match sides {
            [Ok(left), Ok(right)] => (left, right),
            [Err(error), _] | [_, Err(error)] => {
                wrong.push(no_extent(&error, claim.what).at(claim.origin));
                continue;
            }
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
    match wrong.is_empty() {
        true => Ok(claims),
        false => Err(Diagnostics::new(wrong, tables.origins.clone())),
    }
}

/// A place as a run names it. Those of the front end are numbers until they are printed.
fn place_text(origins: &Origins, place: Origin) -> Option<Where> {
    Some(match origins.site(place)? {
        Site::Native(place) => Where::Line(format!("{}:{}", place.file(), place.line())),
        Site::Text(_) => Where::Line(origins.place(place)?),
        Site::Span(site) => Where::Site(site),
    })
}
