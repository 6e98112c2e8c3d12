//! Ordered loops over blocks in two, for devices whose blocks are not there together.
//!
//! Before: a levelled kernel. After: the same without an ordered loop. What a block has for later ones is computed by all blocks
//! first, by the statements that it [needs](slice) alone; then it is combined, in order; then all blocks run, and find what
//! earlier ones have in memory:
//!
//! ```text
//! distribute Block t < tiles { .. forall Block i < k { store own[(t * k) + i] = .. } }
//! distribute Block i < k { forall Block one < 1 { for t in 0 .. tiles { store before[(t * k) + i] = .. } } }
//! distribute Block t < tiles { .. forall Block i < k { read x = before[(t * k) + i] .. } }
//! ```
//!
//! `own` and `before` are parameters behind the user's, of role `InOut`: who launches the kernel makes them
//! ([`between`](super::Plan::between)).
//!
//! What the last block does is a loop over one block there.
//!
//! It runs in front of `lowering` for the CPU. The loops after it know nothing of an order, so no pass for the CPU does.

use super::launch_requirements::written_out;
use crate::ir::{
    Collective, CollectiveOp, GROUP, How, Kernel, Level, Levelled, LevelledLoop, Parameter,
    ParameterKind, Statement, Unroll, given,
};
use crate::ordered::{Map, Set};
use crate::plan::analysis::slice::{Slice, operator, slice};
use crate::scalar::{
    Array, ArrayId, ArrayPlace, BinaryOp, Literal, Node, NodeId, Nodes, Role, ScalarType, Tables,
    VariableId, VariableKind,
};

type List = Vec<Statement<Levelled>>;

/// Cuts the ordered loops of a kernel.
pub fn cut(mut kernel: Kernel<Levelled>) -> Kernel<Levelled> {
    let lets = kernel.lets();
    let body = std::mem::take(&mut kernel.body);
    let mut pass = Pass {
        lets,
        tables: &mut kernel.tables,
        parameters: &mut kernel.parameters,
    };
    let body = pass.grid(body);
    kernel.body = body;
    kernel
}

/// How many levels the tree over a group has.
const LEVELS: u32 = GROUP.ilog2();

struct Pass<'k> {
    lets: Map<VariableId, NodeId>,
    tables: &'k mut Tables,
    parameters: &'k mut Vec<Parameter>,
}

/// An ordered loop.
struct Ordered {
    block: VariableId,
    blocks: NodeId,
    /// What stands before the collective.
    before: List,
    of: Collective<Levelled>,
    types: Vec<ScalarType>,
    behind: List,
}

impl Pass<'_> {
    /// The list of the kernel, where alone such loops stand.
    fn grid(&mut self, list: List) -> List {
        let mut result = Vec::with_capacity(list.len());
        for statement in list {
            // (Of no blocks nothing is left elsewhere either.)
            if self.is_of_none(&statement) {
                continue;
            }
            // What comes behind a loop over blocks comes when it is done.
            if let Statement::Loop {
                kind: LevelledLoop::Last,
                unroll,
                counter,
                bounds,
                body,
            } = statement
            {
                result.push(of_blocks(counter, bounds, unroll, body));
                continue;
            }
            if let Statement::Loop {
                kind: LevelledLoop::Ordered,
                unroll,
                counter,
                bounds,
                body,
            } = statement
            {
                self.ordered((counter, bounds, unroll), body, &mut result);
            } else {
                result.push(statement);
            }
        }
        result
    }

    /// Is it an ordered loop of no blocks at all?
    fn is_of_none(&self, statement: &Statement<Levelled>) -> bool {
        let nodes = &self.tables.nodes;
        let none = |id: &NodeId| nodes.literal(*id).is_some_and(|n| n.u32() == 0);
        statement.counts() == Some(LevelledLoop::Ordered) && statement.nodes().iter().all(none)
    }

    fn ordered(
        &mut self,
        (block, bounds, unroll): (VariableId, [NodeId; 1], Unroll),
        mut body: List,
        result: &mut List,
    ) {
        let follows = |s: &Statement<Levelled>| {
            s.collective()
                .is_some_and(|of| of.op == CollectiveOp::Earlier)
        };
        let Some(place) = body.iter().position(follows) else {
            return result.push(of_blocks(block, bounds, unroll, body));
        };
        let behind = body.split_off(place + 1);
        let Some(Statement::Collective((), of)) = body.pop() else {
            return;
        };
        let nodes = &self.tables.nodes;
        let types: Vec<ScalarType> = given(&of.source)
            .unwrap_or_default()
            .iter()
            .map(|part| nodes.ty(*part))
            .collect();
        if nodes.literal(of.count).map_or(0, Literal::u32) == 0 {
            body.extend(behind);
            return result.push(of_blocks(block, bounds, unroll, body));
        }
        let ordered = Ordered {
            block,
            blocks: bounds[0],
            before: body,
            of: *of,
            types,
            behind,
        };
        let own = self.memory("own", &ordered);
        let before = self.memory("before", &ordered);
        let body = self.told(&ordered, &own);
        result.push(of_blocks(block, bounds, unroll, body));
        result.push(self.combined(&ordered, &own, &before));
        let body = self.found(ordered, &own, &before);
        result.push(of_blocks(block, bounds, unroll, body));
    }

    /// Memory for all elements of all blocks, an array for each component.
    fn memory(&mut self, name: &str, ordered: &Ordered) -> Vec<ArrayId> {
        let blocks = ordered.blocks;
        // (A parameter's length names nothing of the kernel.)
        let blocks = written_out(self.tables, &self.lets, blocks);
        let nodes = &mut self.tables.nodes;
        let length = nodes.exact(BinaryOp::Mul, blocks, ordered.of.count);
        let group = self.parameters.iter().map(|p| p.group + 1).max();
        let group = group.unwrap_or(0);
        let mut arrays = Vec::new();
        for ty in &ordered.types {
            let array = self.tables.add_array(Array {
                name: name.to_owned(),
                ty: *ty,
                length,
                place: ArrayPlace::Global(Role::InOut),
                origin: ordered.of.origin,
            });
            self.parameters.push(Parameter {
                group,
                kind: ParameterKind::Array(array),
            });
            arrays.push(array);
        }
        arrays
    }

    /// What a block does for later ones: nothing that is seen outside of it but its elements.
    fn told(&mut self, ordered: &Ordered, own: &[ArrayId]) -> List {
        let of = &ordered.of;
        let mut list = slice(self.tables, &ordered.before, &of.source).list;
        let (mut source, values) = without_give(&of.source);
        let place = self.place(ordered, of.counter);
        for (array, value) in own.iter().zip(values) {
            source.push(Statement::Store {
                array: *array,
                index: place,
                value,
                origin: of.origin,
            });
        }
        list.push(for_all(of.counter, of.count, source));
        self.apart(&mut list);
        list
    }

    /// Stored arrays get new names: the same statements stand elsewhere too.
    fn apart(&mut self, list: &mut List) {
        let names: Map<ArrayId, ArrayId> = begun(list)
            .into_iter()
            .map(|array| {
                let copy = self.tables.array(array).clone();
                (array, self.tables.add_array(copy))
            })
            .collect();
        let mut made = Map::new();
        list.iter_mut()
            .for_each(|statement| self.renamed(statement, &names, &mut made));
    }

    fn renamed(
        &mut self,
        statement: &mut Statement<Levelled>,
        names: &Map<ArrayId, ArrayId>,
        made: &mut Map<NodeId, NodeId>,
    ) {
        if let Statement::Allocate { array, .. } = statement {
            *array = names[&*array];
        }
        if let Some((array, _)) = statement.accessed_mut() {
            *array = names.get(array).copied().unwrap_or(*array);
        }
        for root in statement.nodes_mut() {
            let nodes = &mut self.tables.nodes;
            for id in nodes.post_order(&[*root], |id| made.contains_key(&id)) {
                let new = nodes.rebuild(id, |_, operand| made[&operand]);
                let mut made_of = new;
                if let Node::Load { array, index } = nodes.node(new)
                    && let Some(&array) = names.get(&array)
                {
                    made_of = nodes.add(Node::Load { array, index }, nodes.ty(new));
                    nodes.place(made_of, nodes.origin(id));
                }
                made.insert(id, made_of);
            }
            *root = made[&*root];
        }
        for inner in statement.lists_mut().into_iter().flatten() {
            self.renamed(inner, names, made);
        }
    }

    /// All blocks, with what earlier ones have in memory.
    fn found(&mut self, mut ordered: Ordered, own: &[ArrayId], before: &[ArrayId]) -> List {
        self.take_known(&mut ordered, own);
        let place = self.place(&ordered, ordered.of.element);
        let of = ordered.of;
        let mut body = self.read(before, place, &of.result, &of);
        body.extend(of.body);
        // What only the elements of the block are made of has been computed before.
        let told = slice(self.tables, &ordered.before, &of.source).list;
        let mut list = ordered.before;
        list.push(for_all(of.element, of.results, body));
        list.extend(ordered.behind);
        self.leave_out_unread(&mut list, begun(&told));
        list
    }

    /// Of a block's one element, which has been computed before, what is done behind the collective takes the value from memory.
    fn take_known(&mut self, ordered: &mut Ordered, own: &[ArrayId]) {
        let of = &ordered.of;
        let (statements, values) = without_give(&of.source);
        let is_one = self.tables.nodes.literal(of.count).map(Literal::u32) == Some(1);
        let mut changed = Set::new();
        for statement in of.body.iter().chain(&ordered.behind) {
            statement.visit(&mut |inner| changed.extend(inner.writes()));
        }
        let nodes = &self.tables.nodes;
        let stays = |id: &NodeId| {
            if let Node::Load { array, .. } = nodes.node(*id) {
                return !changed.contains(&array);
            }
            nodes.node(*id) != Node::Variable(of.counter)
        };
        let is_known = |value: &NodeId| {
            let all = nodes.post_order(&[*value], |_| false);
            all.len() > 1 && all.iter().all(stays)
        };
        if !is_one || !statements.is_empty() || !values.iter().all(is_known) {
            return;
        }
        let zero = self.number(0);
        let place = self.place(ordered, ordered.of.counter);
        let counter = Node::Variable(ordered.of.counter);
        let nodes = &mut self.tables.nodes;
        let place = nodes.replaced(place, |nodes, id| {
            (nodes.node(id) == counter).then_some(zero)
        });
        let mut behind = std::mem::take(&mut ordered.behind);
        for statement in &mut behind {
            if let Statement::Loop {
                kind: LevelledLoop::ForAll(_),
                body,
                ..
            } = statement
            {
                let names = self.names(ordered);
                let known = self.values(&names, ordered);
                let mut any = false;
                for inner in body.iter_mut() {
                    any |= self.replaced(inner, &values, &known);
                }
                if any {
                    let read = self.read(own, place, &names, &ordered.of);
                    body.splice(0..0, read);
                }
            }
        }
        ordered.behind = behind;
    }

    /// Puts other values in the place of some. Returns `true` if the statement has one.
    fn replaced(
        &mut self,
        statement: &mut Statement<Levelled>,
        old: &[NodeId],
        new: &[NodeId],
    ) -> bool {
        let mut any = false;
        for root in statement.nodes_mut() {
            let by = |_: &Nodes, id| old.iter().position(|own| *own == id).map(|n| new[n]);
            let replaced = self.tables.nodes.replaced(*root, by);
            any |= replaced != *root;
            *root = replaced;
        }
        for inner in statement.lists_mut().into_iter().flatten() {
            any |= self.replaced(inner, old, new);
        }
        any
    }

    /// Leaves out stores to those of some arrays that nothing reads, and the conditions of nothing else.
    fn leave_out_unread(&self, list: &mut List, mut arrays: Set<ArrayId>) {
        loop {
            let mut unread = arrays.clone();
            for statement in list.iter() {
                statement.visit(&mut |inner| {
                    let reads = inner
                        .accessed()
                        .filter(|own| !matches!(own.how, How::Write(_)));
                    let loads = inner.loads(&self.tables.nodes);
                    for array in loads.into_iter().chain(reads.map(|own| own.array)) {
                        unread.remove(&array);
                    }
                });
            }
            if unread.is_empty() {
                return;
            }
            arrays.retain(|array| !unread.contains(array));
            leave_out(list, &unread);
        }
    }

    /// Combines what blocks have, in order: one thread for each element.
    fn combined(
        &mut self,
        ordered: &Ordered,
        own: &[ArrayId],
        before: &[ArrayId],
    ) -> Statement<Levelled> {
        let of = &ordered.of;
        let Slice { mut list, .. } = slice(self.tables, &ordered.before, &operator(of));
        let [element, one] = [(); 2].map(|()| self.fresh(VariableKind::Counter, ScalarType::U32));
        let place = self.place(ordered, element);
        let mut body = Vec::new();
        let begin = of.initial.clone();
        let all = self.cells(ordered, &begin, &mut body);
        let found = self.cells(ordered, &begin, &mut body);
        let part = self.cells(ordered, &begin, &mut body);
        let levels: Vec<_> = (0..LEVELS)
            .map(|_| self.cells(ordered, &begin, &mut body))
            .collect();
        let names = self.names(ordered);
        let values = self.values(&names, ordered);
        let mut round = self.read(own, place, &names, of);
        let group = self.number(GROUP - 1);
        let block = self.variable(ordered.block);
        let within = self.tables.nodes.binary(BinaryOp::And, block, group);
        // The blocks before it in its group: the trees of whole powers of two, the last one first.
        for (level, tree) in levels.iter().enumerate() {
            let bit = 1u32 << level;
            let is_there = self.has(within, bit, bit);
            let is_first = self.has(within, bit - 1, 0);
            let copy = self.copy(tree, &part, ordered);
            let more = combine(of, (tree, &Right::Cells(&part)), &part);
            round.push(when(is_there, vec![choose(is_first, copy, more)]));
        }
        let zero = self.number(0);
        let is_first = self.tables.nodes.binary(BinaryOp::Eq, within, zero);
        let copy = self.copy(&all, &found, ordered);
        let more = combine(of, (&all, &Right::Cells(&part)), &found);
        round.push(choose(is_first, copy, more));
        let (mut put, results) = self.get(&found, ordered);
        for (array, value) in before.iter().zip(results) {
            put.push(Statement::Store {
                array: *array,
                index: place,
                value,
                origin: of.origin,
            });
        }
        round.extend(put);
        // The block itself becomes part of the trees, or ends its group.
        let last = self.has(within, GROUP - 1, GROUP - 1);
        let ends = combine(of, (&part, &Right::Values(&values)), &part);
        let mut goes_on = assign(&part, &values);
        for (level, tree) in levels.iter().enumerate() {
            let bits = (2u32 << level) - 1;
            let stays = self.has(within, bits, bits >> 1);
            goes_on.push(when(stays, self.copy(&part, tree, ordered)));
            if bits < GROUP - 1 {
                let joins = self.has(within, bits, bits);
                let more = combine(of, (tree, &Right::Cells(&part)), &part);
                goes_on.push(when(joins, more));
            }
        }
        round.push(choose(last, ends, goes_on));
        round.push(when(last, combine(of, (&all, &Right::Cells(&part)), &all)));
        body.push(Statement::Loop {
            kind: LevelledLoop::Sequential(Level::Thread),
            unroll: Unroll::Never,
            counter: ordered.block,
            bounds: [ordered.blocks],
            body: round,
        });
        let single = self.number(1);
        list.push(for_all(one, single, body));
        of_blocks(element, [of.count], Unroll::Free, list)
    }

    /// What cells have, into other ones.
    fn copy(&mut self, from: &[VariableId], to: &[VariableId], ordered: &Ordered) -> List {
        let (mut list, values) = self.get(from, ordered);
        list.extend(assign(to, &values));
        list
    }

    fn read(
        &self,
        arrays: &[ArrayId],
        index: NodeId,
        variables: &[VariableId],
        of: &Collective<Levelled>,
    ) -> List {
        let each = arrays.iter().zip(variables);
        each.map(|(&array, &variable)| Statement::Read {
            variable,
            array,
            index,
            origin: of.origin,
        })
        .collect()
    }

    /// Are these bits of a number as they are here?
    fn has(&mut self, number: NodeId, bits: u32, are: u32) -> NodeId {
        let [bits, are] = [bits, are].map(|n| self.number(n));
        let found = self.tables.nodes.binary(BinaryOp::And, number, bits);
        self.tables.nodes.binary(BinaryOp::Eq, found, are)
    }

    /// Where an element of the block is in memory.
    fn place(&mut self, ordered: &Ordered, element: VariableId) -> NodeId {
        let (block, element) = (self.variable(ordered.block), self.variable(element));
        let nodes = &mut self.tables.nodes;
        let first = nodes.exact(BinaryOp::Mul, block, ordered.of.count);
        nodes.exact(BinaryOp::Add, first, element)
    }

    fn cells(&mut self, ordered: &Ordered, values: &[NodeId], list: &mut List) -> Vec<VariableId> {
        let mut cells = Vec::new();
        for (ty, value) in ordered.types.iter().zip(values) {
            let cell = self.fresh(VariableKind::Cell, *ty);
            list.push(Statement::Declare {
                cell,
                value: *value,
            });
            cells.push(cell);
        }
        cells
    }

    fn names(&mut self, ordered: &Ordered) -> Vec<VariableId> {
        let types = ordered.types.iter();
        types.map(|ty| self.fresh(VariableKind::Let, *ty)).collect()
    }

    /// Fresh names for what cells have, and the values.
    fn get(&mut self, cells: &[VariableId], ordered: &Ordered) -> (List, Vec<NodeId>) {
        let names = self.names(ordered);
        (get(&names, cells), self.values(&names, ordered))
    }

    fn values(&mut self, names: &[VariableId], ordered: &Ordered) -> Vec<NodeId> {
        let each = names.iter().zip(&ordered.types);
        each.map(|(name, ty)| self.tables.nodes.add(Node::Variable(*name), *ty))
            .collect()
    }

    fn variable(&mut self, variable: VariableId) -> NodeId {
        let node = Node::Variable(variable);
        self.tables.nodes.add(node, ScalarType::U32)
    }

    fn number(&mut self, n: u32) -> NodeId {
        self.tables.nodes.add_literal(Literal::from(n))
    }

    fn fresh(&mut self, kind: VariableKind, ty: ScalarType) -> VariableId {
        self.tables.add_variable(ty, kind)
    }
}

/// The arrays that statements begin.
fn begun(list: &List) -> Set<ArrayId> {
    let mut arrays = Set::new();
    list.iter()
        .for_each(|s| s.visit(&mut |inner| arrays.extend(inner.begins())));
    arrays
}

/// A list without some arrays, which are only written.
fn leave_out(list: &mut List, arrays: &Set<ArrayId>) {
    list.retain_mut(|statement| {
        for inner in statement.lists_mut() {
            leave_out(inner, arrays);
        }
        let mut is_empty = false;
        if let Statement::If {
            then, otherwise, ..
        } = statement
        {
            is_empty = then.is_empty() && otherwise.is_empty();
        }
        let array = statement.begins().or_else(|| statement.writes());
        !is_empty && array.is_none_or(|array| !arrays.contains(&array))
    });
}

/// What cells have, combined with what comes later, into cells.
fn combine(
    of: &Collective<Levelled>,
    (left, right): (&[VariableId], &Right<'_>),
    to: &[VariableId],
) -> List {
    let mut list = get(&of.left, left);
    list.extend(match right {
        Right::Cells(cells) => get(&of.right, cells),
        Right::Values(values) => bound(&of.right, values),
    });
    let (statements, values) = without_give(&of.combine);
    list.extend(statements);
    list.extend(assign(to, &values));
    list
}

/// What comes later.
enum Right<'v> {
    Cells(&'v [VariableId]),
    Values(&'v [NodeId]),
}

/// A list that ends with values, and the values.
fn without_give(list: &[Statement<Levelled>]) -> (List, Vec<NodeId>) {
    let values = given(list).unwrap_or_default().to_vec();
    let before = &list[..list.len().saturating_sub(1)];
    (before.to_vec(), values)
}

fn get(names: &[VariableId], cells: &[VariableId]) -> List {
    let each = names.iter().zip(cells);
    each.map(|(&variable, &cell)| Statement::Get { variable, cell })
        .collect()
}

fn bound(names: &[VariableId], values: &[NodeId]) -> List {
    let each = names.iter().zip(values);
    each.map(|(&variable, &value)| Statement::Let { variable, value })
        .collect()
}

fn assign(cells: &[VariableId], values: &[NodeId]) -> List {
    let each = cells.iter().zip(values);
    each.map(|(&cell, &value)| Statement::Assign { cell, value })
        .collect()
}

fn when(condition: NodeId, then: List) -> Statement<Levelled> {
    choose(condition, then, Vec::new())
}

fn choose(condition: NodeId, then: List, otherwise: List) -> Statement<Levelled> {
    Statement::If {
        condition,
        then,
        otherwise,
    }
}

fn for_all(counter: VariableId, count: NodeId, body: List) -> Statement<Levelled> {
    Statement::Loop {
        kind: LevelledLoop::ForAll(Level::Block),
        unroll: Unroll::Free,
        counter,
        bounds: [count],
        body,
    }
}

fn of_blocks(
    counter: VariableId,
    bounds: [NodeId; 1],
    unroll: Unroll,
    body: List,
) -> Statement<Levelled> {
    Statement::Loop {
        kind: LevelledLoop::Distribute(Level::Block),
        unroll,
        counter,
        bounds,
        body,
    }
}
