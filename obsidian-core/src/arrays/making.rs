//! Kernels and steps of groups.

mod building;
mod control;

use self::building::BuiltKernel;
use super::alike::Likeness;
use super::digits;
use super::fuse::{Form, Group, Region};
use super::graph::{NodeNumber, Sorted, Vouched};
use super::numbers::{Classes, of_pieces, of_product};
use super::program::{PlannedProgram, Program};
use super::skeleton::MANY;
use super::{
    Argument, FEW, Launched, LiteralArray, MIDDLE, NARROW, Only, Produced, SHORT, Slot, Step,
};
use crate::error::Diagnostics;
use crate::ir::ParameterKind;
use crate::ordered::Map;
use crate::plan::{Formula, Plan};
use crate::scalar::{ArrayId, ScalarType};

/// Makes the kernels.
pub(super) struct Making<'p> {
    pub(super) program: &'p Program<'p>,
    pub(super) classes: &'p Classes,
    pub(super) planned: &'p PlannedProgram,
    /// The slots of nodes that are in memory.
    pub(super) slots: Map<NodeNumber, Vec<usize>>,
    pub(super) all_slots: Vec<Slot>,
    pub(super) kernels: Vec<Launched>,
    pub(super) plans: Vec<Plan>,
    /// What makes each kernel another one, and the real threads that it takes by itself.
    pub(super) known: Vec<(Likeness, u32)>,
    /// The number of each name, those too of kernels that are the same as one before.
    pub(super) named: Map<String, usize>,
    /// The steps of each part of a control, and of the program itself.
    pub(super) steps: Map<Option<Region>, Vec<Step>>,
    /// The part whose kernels are made.
    pub(super) region: Option<Region>,
    /// The one kernel that is wanted, if no others are.
    pub(super) wanted: Option<&'p str>,
}

/// What one kernel does of its group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    /// All of it.
    Whole,
    /// A fold of one row: its pieces, and what they have become.
    Once,
    /// The pieces of one row that is scanned.
    Pieces,
    /// What these have become: what stands in front of each piece.
    Rest,
    /// The pieces of one row again, behind what stands in front of each.
    Last,
    /// A scan of one row by blocks in order.
    Tiles,
    /// One row that one block folds.
    Short,
    /// Rows each of which one thread folds.
    Narrow,
    /// Rows each of which some threads of a block fold.
    Lanes,
    /// The pieces of long rows, each by a block.
    RowPieces,
    /// What the pieces of long rows have become.
    RowRests,
}

/// The real threads of a block, where the program does not say them.
fn own_threads(group: &Group, part: Part) -> u32 {
    match (&group.form, part) {
        (Form::Generate | Form::Permute, _) | (_, Part::Narrow | Part::Lanes) => 256,
        (Form::Place, _) => digits::THREADS,
        (form, _) if form.is_any_order() => MANY,
        (_, Part::Whole) => 32,
        _ => 256,
    }
}

/// The kernels of a group of many rows.
fn of_many_rows(form: &Form) -> &'static [Part] {
    match form {
        Form::Fold {
            commutative: true, ..
        } => &[
            Part::Whole,
            Part::RowPieces,
            Part::RowRests,
            Part::Lanes,
            Part::Narrow,
        ],
        Form::Fold { .. } => &[Part::Whole, Part::RowPieces, Part::RowRests, Part::Narrow],
        // Rows of any length are scanned by a block each.
        Form::Scan(_) => &[Part::Whole, Part::Narrow],
        Form::Generate | Form::Place | Form::Permute | Form::Control(_) => &[Part::Whole],
    }
}

/// The rows that a kernel of a fold or scan is for: those of more elements than the first number, and of at most the second one.
fn rows_of(form: &Form, part: Part) -> (Option<u32>, Option<u32>) {
    let narrow = if form.is_any_order() { FEW } else { NARROW };
    match (form, part) {
        (_, Part::Narrow) => (None, Some(narrow)),
        (_, Part::Lanes) => (Some(narrow), Some(MIDDLE)),
        (Form::Scan(_), Part::Whole) => (Some(narrow), None),
        (_, Part::Whole) if form.is_any_order() => (Some(MIDDLE), Some(SHORT)),
        (_, Part::Whole) => (Some(narrow), Some(SHORT)),
        (_, Part::Short) => (None, Some(SHORT)),
        (
            _,
            Part::Once
            | Part::Pieces
            | Part::Rest
            | Part::Last
            | Part::Tiles
            | Part::RowPieces
            | Part::RowRests,
        ) => (Some(SHORT), None),
    }
}

impl<'p> Making<'p> {
    fn types(&self, node: NodeNumber) -> Vec<ScalarType> {
        self.planned.types.get(&node).cloned().unwrap_or_default()
    }

    pub(super) fn take_slots(&mut self, node: NodeNumber) -> Vec<usize> {
        // There is room for all that may be written.
        let with_room = self.planned.sources.get(&node).unwrap_or(&node);
        let extents = self.planned.extents.get(with_room).cloned();
        let extents = extents.unwrap_or_default();
        let slots = self.new_slots(&self.types(node), &of_product(&extents));
        self.slots.insert(node, slots.clone());
        slots
    }

    /// Reads the numbers that a group gives, and cuts its arrays to what has been written.
    fn lengths(&mut self, group: &Group) {
        let first = self.classes.given_numbers();
        for (position, total) in self.planned.reads.iter().enumerate() {
            let slots = self
                .slots
                .get(total)
                .filter(|_| group.behind.contains(total));
            if let Some([slot]) = slots.map(Vec::as_slice) {
                let (slot, number) = (*slot, first + position);
                self.push(Step::Read { slot, number });
            }
        }
        for node in &group.written {
            let Some(source) = self.planned.sources.get(node) else {
                continue;
            };
            let [own, room] = [node, source].map(|node| self.planned.extents.get(node));
            // What is only put at other places fills all of its room.
            if own == room {
                continue;
            }
            for slot in self.slots.get(node).cloned().unwrap_or_default() {
                let length = of_product(own.map_or(&[], Vec::as_slice));
                self.push(Step::Cut { slot, length });
            }
        }
    }

    /// Slots for the arrays that stand in the program, equal ones one, and what lies in them.
    pub(super) fn literals(&mut self) -> Vec<LiteralArray> {
        let mut found: Vec<LiteralArray> = Vec::new();
        for (node, elements) in &self.planned.literals {
            let bits: Vec<u64> = elements.iter().map(|element| element.bits()).collect();
            let types = self.types(*node);
            let same = found.iter().find(|known| {
                let slot = self.all_slots.get(known.slot);
                known.bits == bits && slot.map(|slot| slot.ty) == types.first().copied()
            });
            match same.map(|known| known.slot) {
                Some(slot) => {
                    self.slots.insert(*node, vec![slot]);
                }
                None => {
                    let slots = self.take_slots(*node);
                    found.extend(slots.first().map(|slot| LiteralArray { slot: *slot, bits }));
                }
            }
        }
        found
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

    pub(super) fn result(&self, node: NodeNumber) -> Produced {
        Produced {
            slots: self.slots.get(&node).cloned().unwrap_or_default(),
            extents: self.planned.extents.get(&node).cloned().unwrap_or_default(),
            types: self.types(node),
        }
    }

    fn push(&mut self, step: Step) {
        self.steps.entry(self.region).or_default().push(step);
    }

    /// The kernels and steps of a group.
    pub(super) fn group(&mut self, number: usize, group: &Group) -> Result<(), Diagnostics> {
        self.region = group.region;
        if let Form::Control(control) = group.form {
            self.control(control);
            return Ok(());
        }
        self.launches(number, group)?;
        self.lengths(group);
        Ok(())
    }

    pub(super) fn launches(&mut self, number: usize, group: &Group) -> Result<(), Diagnostics> {
        let name = self.name_of(number);
        if let Some((sorted, passes)) = self.sort_of(group) {
            let length = self.literal_row(passes);
            let is_few = length.map(|length| length <= sorted.few.into());
            // What has to be there before the first counting is.
            let is_first = self.first_counted(sorted) == Some(&group.folds);
            if is_first && is_few != Some(false) {
                let name = match is_few {
                    Some(true) => name.clone(),
                    _ => format!("{name}_few"),
                };
                self.kernel(name, passes, Part::Short, &mut Vec::new())?;
            }
            return match is_few {
                Some(true) => Ok(()),
                _ => self.kernel(name, group, Part::Whole, &mut Vec::new()),
            };
        }
        if matches!(group.form, Form::Place | Form::Permute) {
            return self.kernel(name, group, Part::Whole, &mut Vec::new());
        }
        if matches!(&group.form, Form::Scan(order) if order.in_order) {
            return self.kernel(name, group, Part::Narrow, &mut Vec::new());
        }
        let is_one_row = group.form != Form::Generate
            && self
                .planned
                .extents
                .get(&group.space)
                .is_some_and(|e| e.len() == 1);
        let literal = self.literal_row(group);
        if !is_one_row {
            return self.of_rows(&name, group, literal);
        }
        let is_short = literal.map(|length| length <= SHORT.into());
        let mut parts = Vec::new();
        if is_short != Some(true) {
            let partial = format!("{name}_partial");
            let is_scan = matches!(group.form, Form::Scan(_));
            if is_scan && !group.acts {
                self.kernel(name.clone(), group, Part::Tiles, &mut parts)?;
            } else if is_scan {
                self.kernel(partial, group, Part::Pieces, &mut parts)?;
                let carries = format!("{name}_carries");
                self.kernel(carries, group, Part::Rest, &mut parts)?;
                self.kernel(name.clone(), group, Part::Last, &mut parts)?;
            } else {
                self.kernel(name.clone(), group, Part::Once, &mut parts)?;
            }
        }
        match is_short {
            Some(true) => self.kernel(name, group, Part::Short, &mut parts),
            Some(false) => Ok(()),
            None => self.kernel(format!("{name}_short"), group, Part::Short, &mut parts),
        }
    }

    /// The kernels of many rows, of a length that is known or not.
    fn of_rows(
        &mut self,
        name: &str,
        group: &Group,
        length: Option<u64>,
    ) -> Result<(), Diagnostics> {
        let are_all = of_many_rows(&group.form) == [Part::Whole];
        let mut parts = Vec::new();
        for part in of_many_rows(&group.form) {
            let (above, at_most) = rows_of(&group.form, *part);
            let is_for = |length: u64| {
                above.is_none_or(|above| length > above.into())
                    && at_most.is_none_or(|most| length <= most.into())
            };
            if !are_all && length.is_some_and(|length| !is_for(length)) {
                continue;
            }
            let suffix = match part {
                Part::RowPieces => "_partial",
                _ if length.is_some() => "",
                Part::RowRests => "_rest",
                Part::Lanes => "_lanes",
                Part::Narrow => "_narrow",
                Part::Whole
                | Part::Short
                | Part::Once
                | Part::Pieces
                | Part::Rest
                | Part::Last
                | Part::Tiles => "",
            };
            self.kernel(format!("{name}{suffix}"), group, *part, &mut parts)?;
        }
        Ok(())
    }

    /// The name of the kernel of a group.
    fn name_of(&self, number: usize) -> String {
        match self.planned.fused.groups.len() {
            1 => self.program.name.to_owned(),
            _ => format!("{}_{number}", self.program.name),
        }
    }

    /// The length of the rows that a group folds.
    fn row(&self, group: &Group) -> Formula {
        let extents = self.planned.extents.get(&group.space);
        let row = extents.and_then(|extents| extents.last().cloned());
        row.unwrap_or_else(|| of_product(&[]))
    }

    /// That length, if it is known when the program is built.
    fn literal_row(&self, group: &Group) -> Option<u64> {
        self.row(group).evaluate(&[], &[]).ok().map(u64::from)
    }

    /// The sort that a group is of, and the group of its first pass, if one block can do all of the sort: its groups do nothing else.
    fn sort_of(&self, group: &Group) -> Option<(&'p Sorted, &'p Group)> {
        let planned: &'p PlannedProgram = self.planned;
        let is_of = |group: &Group, sorted: &Sorted| {
            group.members().any(|member| sorted.nodes.contains(&member))
        };
        let sorted = planned.sorts.iter().find(|sorted| is_of(group, sorted))?;
        let groups = || {
            let all = planned.fused.groups.iter();
            all.filter(|group| is_of(group, sorted))
        };
        let alone = groups().all(|group| {
            let mut members = group.members();
            members.all(|member| sorted.nodes.contains(&member))
        });
        let first = groups().find(|group| group.form == Form::Place)?;
        // Where nothing is fused, what passes read is made for them.
        let reads = [&first.reads, &first.reads_behind, &first.reads_late];
        let counts = self
            .planned
            .passes
            .get(&first.space)
            .map(|(counts, _)| counts);
        let mut made = reads.into_iter().flatten();
        let made = made.any(|node| sorted.nodes.contains(node) && Some(node) != counts);
        (alone && !made).then_some((&**sorted, first))
    }

    /// What is counted for the first passes of a sort.
    fn first_counted(&self, sorted: &Sorted) -> Option<&Vec<NodeNumber>> {
        let groups = self.planned.fused.groups.iter();
        let mut counted = groups.filter(|group| group.form == Form::Permute);
        let counted = counted.find(|group| group.members().any(|own| sorted.nodes.contains(&own)));
        counted.map(|group| &group.folds)
    }

    /// Builds a kernel, and adds its launch. `parts` are the slots between the two kernels of a fold.
    fn kernel(
        &mut self,
        name: String,
        group: &Group,
        part: Part,
        parts: &mut Vec<usize>,
    ) -> Result<(), Diagnostics> {
        if let Some(wanted) = self.wanted {
            if wanted == name {
                let (_, plan) = self.plan(&name, group, part)?;
                self.plans.push(plan);
            }
            return Ok(());
        }
        let (built, plan) = self.plan(&name, group, part)?;
        let mut outputs = Vec::new();
        let read_parts = parts.clone();
        let own_parts = match part {
            Part::Once => {
                let pieces = of_pieces(&self.row(group), built.piece);
                self.new_slots(&built.parts, &pieces)
            }
            _ => Vec::new(),
        };
        if !built.parts.is_empty() && own_parts.is_empty() {
            let pieces = of_pieces(&self.row(group), built.piece);
            let length = match part {
                Part::RowPieces => {
                    let extents = self.planned.extents.get(&group.space);
                    let mut extents = extents.cloned().unwrap_or_default();
                    extents.pop();
                    extents.push(pieces);
                    of_product(&extents)
                }
                _ => pieces,
            };
            *parts = self.new_slots(&built.parts, &length);
            outputs.extend(parts.iter().copied());
        }
        for node in &built.written {
            // The kernels of long rows write the same arrays.
            match self.slots.get(node).cloned() {
                Some(slots) => outputs.extend(slots),
                None => outputs.extend(self.take_slots(*node)),
            }
        }
        for member in &group.folds {
            if let Some(changed) = self.planned.changed.get(member) {
                let slots = self.slots.get(changed).cloned().unwrap_or_default();
                self.slots.insert(*member, slots);
            }
        }
        let arrays: Map<ArrayId, usize> = {
            let of_nodes = built.reads.iter().flat_map(|(node, arrays)| {
                let slots = self.slots.get(node).cloned().unwrap_or_default();
                arrays.iter().copied().zip(slots).collect::<Vec<_>>()
            });
            let of_parts = built.read_parts.iter().copied().zip(read_parts);
            of_nodes.chain(of_parts).collect()
        };
        let mut arguments = Vec::new();
        for parameter in &plan.kernel().parameters {
            match parameter.kind {
                ParameterKind::Array(array) if built.own_parts.contains(&array) => {
                    let mut all = built.own_parts.iter().zip(&own_parts);
                    let own = all.find(|(own, _)| **own == array);
                    arguments.extend(own.map(|(_, slot)| Argument::Own(*slot)));
                }
                ParameterKind::Array(array) => {
                    let of_slot = match built.changed.contains(&array) {
                        true => Argument::Changed,
                        false => Argument::Slot,
                    };
                    arguments.extend(arrays.get(&array).map(|slot| of_slot(*slot)));
                }
                ParameterKind::Scalar(variable) => {
                    let number = built.numbers.iter().find(|(own, _)| *own == variable);
                    arguments.extend(number.map(|(_, number)| *number));
                }
            }
        }
        let operators = match part {
            Part::RowRests => group
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
        let why = if matches!(
            part,
            Part::Rest
                | Part::Short
                | Part::Narrow
                | Part::Lanes
                | Part::RowPieces
                | Part::RowRests
        ) {
            Vec::new()
        } else {
            why.collect()
        };
        let sort = self.sort_of(group);
        let is_of_all = match group.form {
            Form::Generate | Form::Place | Form::Permute => sort.is_none(),
            Form::Scan(order) => order.in_order,
            Form::Fold { .. } | Form::Control(_) => false,
        };
        let rows = sort.map_or(group, |(_, passes)| passes);
        let only = Some(self.row(rows)).filter(|_| !is_of_all && self.literal_row(rows).is_none());
        let (above, at_most) = match (sort, part) {
            (Some((sorted, _)), Part::Short) => (None, Some(sorted.few)),
            (Some((sorted, _)), _) => (Some(sorted.few), None),
            (None, _) => rows_of(&group.form, part),
        };
        let only = only.map(|length| Only {
            length,
            above,
            at_most,
        });
        let is_partial = match part {
            Part::Pieces | Part::RowPieces => true,
            Part::Rest => true,
            // Rows that may be short have a kernel that counts as the operator.
            Part::RowRests | Part::Lanes => only.is_some(),
            Part::Whole | Part::Once | Part::Last | Part::Tiles | Part::Short | Part::Narrow => {
                false
            }
        };
        let kernel = self.number_of(
            plan,
            own_threads(group, part),
            Launched { name, is_partial },
        );
        self.push(Step::Launch {
            kernel,
            arguments,
            outputs,
            only,
            operators,
            why,
        });
        Ok(())
    }

    /// The number of a kernel: a new one, or that of one that differs in its name alone.
    fn number_of(&mut self, plan: Plan, threads: u32, launched: Launched) -> usize {
        let own = (Likeness::of(&plan), threads);
        let known = self.known.iter().position(|known| *known == own);
        let number = known.unwrap_or(self.plans.len());
        self.named.insert(launched.name.clone(), number);
        if known.is_none() {
            self.plans.push(plan);
            self.known.push(own);
            self.kernels.push(launched);
        }
        number
    }

    /// Builds the kernel: first with each index to be proved, then with those vouched for that the program reads at, and then with all that it makes. What is
    /// vouched for is checked on the device where the user has a part in it, so no more is than has to be.
    fn plan(
        &self,
        name: &str,
        group: &Group,
        part: Part,
    ) -> Result<(BuiltKernel, Plan), Diagnostics> {
        let attempt = |vouched| self.attempt(name, group, part, vouched);
        attempt(Vouched::Nothing)
            .or_else(|_| attempt(Vouched::Reads))
            .or_else(|_| attempt(Vouched::All))
    }
}
