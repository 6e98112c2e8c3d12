//! The build of one kernel of a group.

use super::{Making, Part, own_threads};
use crate::array::require;
use crate::arrays::arr::product;
use crate::arrays::digits;
use crate::arrays::fuse::{Form, Group};
use crate::arrays::graph::{Graph, NodeNumber, Vouched, extents_of, graph, room_for, within};
use crate::arrays::numbers::Representative;
use crate::arrays::skeleton::{
    Folded, Output, find_places, fold_in_lanes, fold_narrow, fold_once, fold_parts, fold_row_parts,
    fold_row_rests, fold_rows, fold_short, generate, permute, pieces, row_pieces, scan_carries,
    scan_narrow, scan_pieces, scan_row, scan_rows, scan_tiles, sort_few,
};
use crate::arrays::{Argument, Given};
use crate::error::Diagnostics;
use crate::ir::{MAX_SHARED_BYTES, SHARED_BYTES};
use crate::lower::Builder;
use crate::ordered::Set;
use crate::pipeline::{self, Options};
use crate::plan::Plan;
use crate::scalar::{ArrayId, Constraint, Exp, NodeId, ScalarType, VariableId, lit, session};

/// Says what the lengths of arrays that a kernel reads have to be equal to, where a run reads them: it has seen to that when the kernel is
/// launched.
fn lengths_read(arrays: impl Iterator<Item = NodeNumber>) {
    let extents = arrays.flat_map(extents_of);
    let extents: Vec<NodeId> = extents.map(|extent| extent.node()).collect();
    let (claims, reads) = graph(|graph| {
        let claims = graph.claims.iter().filter(|claim| !claim.at_least);
        let claims: Vec<_> = claims.map(|claim| (claim.left, claim.right)).collect();
        let reads = graph.reads.iter().map(|(_, number)| number.node());
        (claims, reads.collect::<Vec<NodeId>>())
    })
    .unwrap_or_default();
    for (left, right) in claims {
        let sides = [left.node(), right.node()];
        let nodes = session(|s| s.tables.nodes.post_order(&sides, |_| false)).unwrap_or_default();
        let mut named = nodes.iter().filter(|node| reads.contains(node)).peekable();
        // Another length may not have been read yet.
        if named.peek().is_some() && named.all(|read| extents.contains(read)) {
            require(left, Constraint::Equal(right.node()));
        }
    }
}

/// What is known of a kernel that is being built.
#[derive(Default)]
pub(super) struct BuiltKernel {
    pub(super) reads: Vec<(NodeNumber, Vec<ArrayId>)>,
    pub(super) read_parts: Vec<ArrayId>,
    /// Parts that it writes and reads, and that nothing else uses.
    pub(super) own_parts: Vec<ArrayId>,
    pub(super) parts_length: Option<Exp<u32>>,
    /// The types of the parts that it writes, and the elements of a piece.
    pub(super) parts: Vec<ScalarType>,
    pub(super) piece: u32,
    pub(super) written: Vec<NodeNumber>,
    /// What a launch gives for the numbers.
    pub(super) numbers: Vec<(VariableId, Argument)>,
    pub(super) guarded: bool,
    /// The arrays that it changes.
    pub(super) changed: Vec<ArrayId>,
}

impl Making<'_> {
    /// Builds the kernel; the indices that are vouched for are not proved.
    pub(super) fn attempt(
        &self,
        name: &str,
        group: &Group,
        part: Part,
        vouched: Vouched,
    ) -> Result<(BuiltKernel, Plan), Diagnostics> {
        let mut built = BuiltKernel::default();
        let reified = crate::lower::reify(name, |builder| {
            self.reify(builder, group, part, vouched, &mut built);
        })?;
        let some = vouched >= Vouched::Reads;
        let threads = (self.program.settings.threads).unwrap_or_else(|| own_threads(group, part));
        let is_sort = group.form == Form::Place;
        let options = Options {
            threads,
            faults: some && built.guarded,
            again: vouched < Vouched::All,
            conditional_needs: some,
            shared_bytes: match is_sort {
                true => MAX_SHARED_BYTES,
                false => SHARED_BYTES,
            },
            resident: part == Part::Once,
            min_blocks: (is_sort && part == Part::Whole && threads <= digits::THREADS).then_some(2),
            ..Options::default()
        };
        let plan = pipeline::compile(crate::lower::strip(reified)?, &options)?;
        Ok((built, plan.of_arrays()))
    }

    fn reify(
        &self,
        builder: &mut Builder,
        group: &Group,
        part: Part,
        vouched: Vouched,
        built: &mut BuiltKernel,
    ) {
        // An operator that reads arrays reads them wherever it is applied.
        let reads = match part {
            _ if group.acts => vec![&group.reads, &group.reads_behind, &group.reads_late],
            Part::Whole | Part::Once | Part::Short | Part::Tiles | Part::Narrow | Part::Lanes => {
                vec![&group.reads, &group.reads_behind, &group.reads_late]
            }
            Part::Pieces | Part::RowPieces => vec![&group.reads],
            Part::Rest | Part::RowRests => vec![&group.reads_behind],
            Part::Last => vec![&group.reads, &group.reads_late],
        };
        let reads: Set<NodeNumber> = reads.into_iter().flatten().copied().collect();
        let mut reads: Vec<NodeNumber> = reads.into_iter().collect();
        // The first pass of a sort, over an array that is given, is like the next ones.
        let pass = self.planned.passes.get(&group.space).copied();
        let pass = pass.filter(|_| group.form == Form::Place);
        if let Some((counts, _)) = pass {
            reads.sort_by_key(|node| *node != counts);
            // What one block sorts is not counted before.
            reads.retain(|node| part != Part::Short || *node != counts);
        }
        let pass = pass.filter(|_| part != Part::Short);
        let given_name = |node| self.given_name(node).filter(|_| pass.is_none());
        let mut lengths = Vec::new();
        let mut names = reads.iter().filter_map(|node| given_name(*node));
        let reads_defaults = names.any(|name| name == "defaults");
        for node in reads {
            let mut changed = group
                .folds
                .iter()
                .filter_map(|f| self.planned.changed.get(f));
            let is_changed = changed.any(|changed| *changed == node);
            let name = match given_name(node) {
                Some(name) => name,
                // As the user calls the array that a permutation begins with.
                None if is_changed && !reads_defaults => "defaults".to_owned(),
                None => format!("array_{}", built.reads.len()),
            };
            let types = self.types(node);
            let (arrays, length) = match is_changed {
                true => {
                    let (arrays, length) = builder.in_out_arrays(&name, &types);
                    built.changed.extend(&arrays);
                    (arrays, length)
                }
                false => builder.input_arrays(&name, &types),
            };
            lengths.push((node, length));
            built.reads.push((node, arrays));
        }
        let folded_types: Vec<ScalarType> = group
            .folds
            .iter()
            .flat_map(|fold| self.types(*fold))
            .collect();
        if matches!(part, Part::Rest | Part::Last | Part::RowRests) {
            let name = match part {
                Part::Last => "carries",
                _ => "parts",
            };
            let (arrays, length) = builder.input_arrays(name, &folded_types);
            built.read_parts = arrays;
            built.parts_length = Some(length);
        }
        if part == Part::Once {
            let (arrays, length) = builder.in_out_arrays("parts", &folded_types);
            built.own_parts = arrays;
            built.parts_length = Some(length);
        }
        let mut variables = Vec::new();
        let numbers = self.classes.numbers(&mut |number, name, ty| {
            // The length of a vector that is there anyway.
            let vector = lengths
                .iter()
                .find(|(node, _)| pass.is_none() && self.is_vector(*node, number));
            match vector {
                Some((_, length)) => length.any(),
                None => {
                    let (variable, value) = builder.argument_if_used(name, ty);
                    variables.push((variable, Argument::Number(number)));
                    value
                }
            }
        });
        built.numbers = variables;
        let own = Graph {
            arrays: built.reads.iter().cloned().collect(),
            vouched,
            changing: self.program.changing.borrow().clone(),
            ..Graph::default()
        };
        let (_, own) = within(own, || {
            self.program.within_bounds(|| {
                let given = self.classes.given_numbers();
                let _ = self.program.run(numbers, given);
                for (node, length) in &lengths {
                    let elements = product(&extents_of(*node));
                    if elements.node() != length.node() {
                        require(*length, Constraint::Equal(elements.node()));
                    }
                }
                // What a kernel has the extents of is known when it is launched.
                let nodes = lengths.iter().map(|(node, _)| *node);
                let rooms = group.written.iter().map(|node| room_for(*node));
                lengths_read(nodes.chain([group.space]).chain(rooms));
                self.skeleton(builder, group, part, built);
            })
        });
        built.guarded = own.guarded;
    }

    fn skeleton(&self, builder: &mut Builder, group: &Group, part: Part, built: &mut BuiltKernel) {
        let extents = extents_of(group.space);
        // Kernels that do the same are one, so names say nothing of the program.
        let count = std::cell::Cell::new(0);
        let output = |builder: &mut Builder, node: NodeNumber| -> Output {
            // There is room for all that may be written.
            let elements = product(&extents_of(room_for(node)));
            let name = match count.get() {
                0 => "result".to_owned(),
                before => format!("result_{before}"),
            };
            count.set(count.get() + 1);
            let arrays = builder.output_arrays(&name, &self.types(node), elements);
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
        let is_scan = matches!(group.form, Form::Scan(_));
        let between = match part {
            Part::Pieces => Some(("parts", pieces(&folded, n))),
            Part::RowPieces => Some(("parts", row_pieces(&folded, &extents))),
            Part::Rest if is_scan => built.parts_length.map(|length| ("carries", length)),
            _ => None,
        };
        if let Some((name, length)) = between {
            parts = builder.output_arrays(name, &folded.types(), length);
            (built.parts, built.piece) = (folded.types(), folded.piece());
        }
        let (of_rows, behind): (Vec<_>, Vec<_>) = match group.form.gives_each() {
            true => (
                [&group.folds[..], &group.each].concat(),
                group.behind.clone(),
            ),
            false => (
                group.each.clone(),
                [&group.folds[..], &group.behind].concat(),
            ),
        };
        let (writes_rows, writes_behind) = match part {
            Part::Pieces | Part::RowPieces => (!is_scan, false),
            Part::Rest | Part::RowRests => (false, true),
            Part::Last => (true, false),
            Part::Whole | Part::Once | Part::Short | Part::Tiles | Part::Narrow | Part::Lanes => {
                (true, true)
            }
        };
        let mut written = |list: &[NodeNumber], is_here: bool| -> Vec<Output> {
            let own = chosen(list).into_iter().filter(|_| is_here);
            own.map(|node| {
                built.written.push(node);
                output(builder, node)
            })
            .collect()
        };
        let sorts = || graph(|graph| graph.sorts.clone()).unwrap_or_default();
        let few = match (&group.form, part) {
            (Form::Place, Part::Short) => {
                let mut sorts = sorts().into_iter();
                sorts.find(|sorted| sorted.nodes.contains(&group.space))
            }
            _ => None,
        };
        if let Some(sorted) = few {
            built.written.push(sorted.result);
            let result = output(builder, sorted.result);
            return builder.run(sort_few(&sorted, n, &result));
        }
        let each = written(&of_rows, writes_rows);
        // A permutation writes into an array that is there.
        let results = written(&behind, writes_behind && group.form != Form::Permute);
        let count = built.parts_length.unwrap_or_else(|| lit(0));
        let between = built.read_parts.clone();
        let program = match (&group.form, part) {
            (Form::Generate, _) => generate(extents, each),
            (Form::Permute, _) => permute(&group.folds, extents),
            (Form::Place, _) => {
                let (variable, pass) = builder.argument_if_used("pass", ScalarType::U32);
                let own = self.planned.passes.get(&group.space);
                let own = own.map_or(0, |(_, pass)| *pass);
                built.numbers.push((variable, Argument::Literal(own)));
                let pass = pass.typed().unwrap_or_else(Exp::poison);
                find_places(group.space, n, pass, each)
            }
            (Form::Scan(_), Part::Whole) => scan_rows(&folded, extents, each, results),
            (Form::Scan(_), Part::Narrow) => scan_narrow(&folded, extents, each, results),
            (Form::Scan(_), Part::Short) => scan_row(&folded, n, each, results),
            (Form::Scan(_), Part::Tiles) => scan_tiles(&folded, n, each, results),
            (Form::Scan(_), Part::Last) => scan_pieces(&folded, n, each, between),
            (Form::Scan(_), Part::Rest) => scan_carries(&folded, (between, count), parts, results),
            (_, Part::Whole) => fold_rows(&folded, extents, each, results),
            (_, Part::Narrow) => fold_narrow(&folded, extents, each, results),
            (_, Part::Lanes) => fold_in_lanes(&folded, extents, each, results),
            (_, Part::RowPieces) => fold_row_parts(&folded, extents, each, parts),
            (_, Part::RowRests) => fold_row_rests(&folded, &extents, (&between, count), results),
            (_, Part::Pieces) => fold_parts(&folded, n, each, parts),
            (_, Part::Short | Part::Tiles) => fold_short(&folded, n, each, results),
            (_, Part::Once | Part::Rest | Part::Last) => {
                (built.parts, built.piece) = (folded.types(), folded.piece());
                fold_once(&folded, n, each, (built.own_parts.clone(), count), results)
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

    /// The user's name of an array that is given.
    fn given_name(&self, node: NodeNumber) -> Option<String> {
        let mut inputs = self.planned.input_nodes.iter();
        let position = inputs.position(|input| *input == node)?;
        let is_array = |given: &&Given| matches!(given, Given::Array { .. });
        match self.classes.given.iter().filter(is_array).nth(position) {
            Some(Given::Array { name, .. }) => Some(name.clone()),
            _ => None,
        }
    }
}
