//! The values of expressions at all points of some counters.
//!
//! Before: nodes of `u32` arithmetic, and leaves (counters, thread indices, lengths) with the
//! number of values that each takes. After: for a node a [`Column`], its value at each point. A
//! node is evaluated once for all points, operator by operator, as [`columns`] says. What depends
//! on a load, or on a leaf that nothing is known of, has no column. Exact arithmetic that leaves 32
//! bits has no value there, as in the simulator: [`Points::undefined`] tells at which points.
//!
//! Bounded: no more than [`MOST_POINTS`] points, and no more than [`MOST_VALUES`] values are kept.

use std::cell::OnceCell;
use std::rc::Rc;

use crate::hashed::HashMap;

use super::columns;
pub(crate) use super::columns::Column;
use crate::ordered::Map;
use crate::scalar::{BinaryOp, Node, NodeId, ScalarType, Tables, VariableId};

/// The most points that are gone through at one site.
pub(crate) const MOST_POINTS: u64 = 65_536;

/// The most values that are kept for the next node; what was worked out before is forgotten.
const MOST_VALUES: usize = 1 << 20;

/// What a leaf is at a point.
#[derive(Clone, Copy, Debug)]
enum Known {
    /// The n-th coordinate of the point.
    Axis(usize),
    /// The same at all points.
    Value(u64),
}

/// The points of some leaves: every combination of their values. The last one changes fastest.
pub(crate) struct Points<'k> {
    tables: &'k Tables,
    /// The values of names.
    names: Rc<Map<VariableId, NodeId>>,
    /// How many values each axis takes, and the distance of neighbours.
    axes: Vec<(u64, u64)>,
    /// The values on each axis, once they were asked for.
    coordinates: Vec<OnceCell<Column>>,
    size: usize,
    // Only looked up in, never walked.
    leaves: HashMap<Node, Known>,
    columns: HashMap<NodeId, Option<Column>>,
    /// Which points a node has no value at, where there are such points.
    undefined: HashMap<NodeId, Rc<[bool]>>,
    /// How many values have been worked out and not been counted.
    work: u64,
}

impl<'k> Points<'k> {
    /// The points of the leaves `axes`, each with the values from 0 up to a number, where the leaves
    /// `fixed` have one value; `None` if they are too many.
    pub(crate) fn new(
        tables: &'k Tables,
        names: &Rc<Map<VariableId, NodeId>>,
        axes: &[(Node, u32)],
        fixed: &[(Node, u32)],
    ) -> Option<Self> {
        let mut counts = axes.iter().map(|(_, count)| u64::from(*count));
        let size = counts.try_fold(1u64, |size, count| size.checked_mul(count))?;
        if size > MOST_POINTS {
            return None;
        }
        let fixed = fixed
            .iter()
            .map(|(leaf, n)| (*leaf, Known::Value((*n).into())));
        let mut points = Points {
            tables,
            names: names.clone(),
            axes: Vec::new(),
            coordinates: vec![OnceCell::new(); axes.len()],
            size: size as usize,
            leaves: fixed.collect(),
            columns: HashMap::default(),
            undefined: HashMap::default(),
            work: 0,
        };
        let mut stride = size;
        for (n, (leaf, count)) in axes.iter().enumerate() {
            stride = stride.checked_div((*count).into()).unwrap_or(0);
            points.axes.push(((*count).into(), stride));
            points.leaves.insert(*leaf, Known::Axis(n));
        }
        Some(points)
    }

    /// The number of points.
    pub(crate) fn len(&self) -> usize {
        self.size
    }

    /// How many values of nodes have been worked out since this was asked last.
    pub(crate) fn work(&mut self) -> u64 {
        std::mem::take(&mut self.work)
    }

    /// The values of a leaf.
    pub(crate) fn leaf(&self, leaf: Node) -> Option<Column> {
        Some(match *self.leaves.get(&leaf)? {
            Known::Value(value) => Column::Same(value),
            Known::Axis(axis) => {
                let all = || {
                    Column::Each(
                        (0..self.size)
                            .map(|point| self.coordinate(axis, point))
                            .collect(),
                    )
                };
                self.coordinates.get(axis)?.get_or_init(all).clone()
            }
        })
    }

    /// The coordinate of a point on the n-th axis.
    pub(crate) fn coordinate(&self, axis: usize, point: usize) -> u64 {
        let (count, stride) = self.axes[axis];
        (point as u64 / stride.max(1)) % count.max(1)
    }

    /// The values of a node, if nothing in it is unknown.
    pub(crate) fn column(&mut self, root: NodeId) -> Option<Column> {
        if self.columns.len() * self.size > MOST_VALUES {
            self.columns.clear();
            self.undefined.clear();
        }
        // Names are followed, so the order is found here and not by the arena.
        let mut stack = vec![(root, false)];
        while let Some((id, done)) = stack.pop() {
            if self.columns.contains_key(&id) {
                continue;
            }
            if done {
                let column = self.node(id);
                if column.is_some()
                    && let Some(undefined) = self.without_value(id)
                {
                    self.undefined.insert(id, undefined);
                }
                self.columns.insert(id, column);
                self.work += self.size.max(1) as u64;
                continue;
            }
            stack.push((id, true));
            match self.name(id) {
                Some(value) => stack.push((value, false)),
                None => stack.extend(self.tables.nodes.node(id).operands().map(|n| (n, false))),
            }
        }
        self.columns.get(&root).cloned().flatten()
    }

    /// The value of a name that is not a leaf of the points.
    fn name(&self, id: NodeId) -> Option<NodeId> {
        match self.tables.nodes.node(id) {
            leaf @ Node::Variable(variable) if !self.leaves.contains_key(&leaf) => {
                self.names.get(&variable).copied()
            }
            _ => None,
        }
    }

    /// Where a node whose column has been asked for uses exact arithmetic that leaves 32 bits. An arm
    /// that is not chosen is not used.
    pub(crate) fn undefined(&self, root: NodeId) -> Option<Rc<[bool]>> {
        self.undefined.get(&root).cloned()
    }

    /// The same, of the parts of a node that has a column.
    fn without_value(&self, id: NodeId) -> Option<Rc<[bool]>> {
        if let Some(value) = self.name(id) {
            return self.undefined.get(&value).cloned();
        }
        let nodes = &self.tables.nodes;
        let node = nodes.node(id);
        let leaves = self.leaves_32_bits(node);
        let parts: Vec<NodeId> = node.operands().collect();
        if leaves.is_none() && parts.iter().all(|part| !self.undefined.contains_key(part)) {
            return None;
        }
        let of = |part: NodeId, point: usize| {
            let undefined = self.undefined.get(&part);
            undefined.is_some_and(|points| points.get(point) == Some(&true))
        };
        let at = |point| match node {
            Node::Select {
                condition,
                then,
                otherwise,
            } => {
                let chosen = self.known(condition).is_some_and(|c| c.at(point) != 0);
                of(condition, point) || of(if chosen { then } else { otherwise }, point)
            }
            _ => {
                leaves.as_ref().is_some_and(|leaves| leaves[point])
                    || parts.iter().any(|part| of(*part, point))
            }
        };
        let all: Rc<[bool]> = (0..self.size).map(at).collect();
        all.contains(&true).then_some(all)
    }

    /// Where exact arithmetic leaves 32 bits, if it does somewhere.
    fn leaves_32_bits(&self, node: Node) -> Option<Vec<bool>> {
        let Node::Binary {
            op,
            exact: true,
            left,
            right,
        } = node
        else {
            return None;
        };
        if self.tables.nodes.ty(left) != ScalarType::U32 {
            return None;
        }
        let (x, y) = (self.known(left)?, self.known(right)?);
        let (most, at) = (u64::from(u32::MAX), |point| (x.at(point), y.at(point)));
        let leaves = |point| match (op, at(point)) {
            (BinaryOp::Add, (x, y)) => x + y > most,
            (BinaryOp::Sub, (x, y)) => x < y,
            (BinaryOp::Mul, (x, y)) => x * y > most,
            _ => false,
        };
        let same = matches!((&x, &y), (Column::Same(_), Column::Same(_)));
        let points = if same { self.size.min(1) } else { self.size };
        (0..points)
            .any(&leaves)
            .then(|| (0..self.size).map(&leaves).collect())
    }

    fn known(&self, id: NodeId) -> Option<Column> {
        self.columns.get(&id).cloned().flatten()
    }

    fn node(&self, id: NodeId) -> Option<Column> {
        let nodes = &self.tables.nodes;
        if let Some(value) = self.name(id) {
            return self.known(value);
        }
        match nodes.node(id) {
            leaf @ (Node::Variable(_) | Node::Length(_) | Node::Special(_)) => self.leaf(leaf),
            _ => columns::column(nodes, id, self.size, |n| self.known(n)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{Kernel, Levelled, LevelledLoop, Statement, read};

    /// The values of a stored index at the points of `i` < 4 and `k` < 3.
    fn values(index: &str) -> Option<Vec<u64>> {
        let text = format!(
            "kernel k {{ parameter 0 n: u32 parameter 1 x: u32[n] input parameter 2 out: u32[64_u32] output distribute Block b < 1_u32 {{ forall Block i < 4_u32 {{ for sequential Thread k in 0_u32 .. 3_u32 step 1_u32 {{ let t = (i * 2_u32) store out[{index}] = 1_u32 }} }} }} }}"
        );
        let kernel: Kernel<Levelled> = read(&text).unwrap();
        let (mut counters, mut names, mut stored) = (Vec::new(), Map::new(), None);
        kernel.body.iter().for_each(|s| {
            s.visit(&mut |s| match s {
                Statement::Loop {
                    kind: LevelledLoop::Distribute(_),
                    ..
                } => {}
                Statement::Loop { counter, .. } => counters.push(Node::Variable(*counter)),
                Statement::Let { variable, value } => drop(names.insert(*variable, *value)),
                Statement::Store { index, .. } => stored = Some(*index),
                _ => {}
            })
        });
        let mut points = Points::new(
            &kernel.tables,
            &Rc::new(names),
            &[(counters[0], 4), (counters[1], 3)],
            &[],
        )
        .unwrap();
        let column = points.column(stored.unwrap())?;
        Some((0..points.len()).map(|point| column.at(point)).collect())
    }

    #[test]
    fn an_index_has_a_value_at_each_point() {
        assert_eq!(values("((i *' 3_u32) +' k)"), Some((0..12).collect()));
        assert_eq!(values("k"), Some([0, 1, 2].repeat(4)));
        assert_eq!(values("(t - 1_u32)").unwrap()[0], u64::from(u32::MAX));
        assert_eq!(
            values("select((i < 2_u32), 7_u32, k)"),
            Some(vec![7, 7, 7, 7, 7, 7, 0, 1, 2, 0, 1, 2])
        );
        assert_eq!(values("u32(u8((i * 100_u32)))").map(|v| v[9]), Some(44));
    }

    #[test]
    fn exact_arithmetic_has_no_value_where_it_leaves_32_bits() {
        let text = "kernel k { parameter 0 out: u32[64_u32] output \
                    distribute Block b < 1_u32 { forall Block i < 4_u32 { \
                    store out[select((i < 1_u32), i, (8_u32 +' (i - 2_u32)))] = 1_u32 } } }";
        let kernel: Kernel<Levelled> = read(text).unwrap();
        let (mut counter, mut stored) = (None, None);
        kernel.body.iter().for_each(|s| {
            s.visit(&mut |s| match s {
                Statement::Loop { counter: c, .. } => counter = Some(Node::Variable(*c)),
                Statement::Store { index, .. } => stored = Some(*index),
                _ => {}
            })
        });
        let (names, stored) = (Rc::default(), stored.unwrap());
        let axes = [(counter.unwrap(), 4)];
        let mut points = Points::new(&kernel.tables, &names, &axes, &[]).unwrap();
        assert!(points.column(stored).is_some());
        // Not at 0, where the arm is not chosen; at 1, where 8 is added to `u32::MAX`.
        let undefined = [false, true, false, false];
        assert_eq!(points.undefined(stored).as_deref(), Some(&undefined[..]));
    }

    #[test]
    fn what_is_not_known_has_no_value() {
        assert_eq!(values("x[i]"), None);
        assert_eq!(values("(b + i)"), None);
    }

    #[test]
    fn too_many_points_are_refused() {
        let (tables, names) = (Tables::default(), Rc::default());
        let points = |axes: &[(Node, u32)]| Points::new(&tables, &names, axes, &[]);
        let leaf = |n| Node::Variable(VariableId(n));
        assert!(points(&[(leaf(0), 65_536)]).is_some());
        assert!(points(&[(leaf(0), 65_536), (leaf(1), 2)]).is_none());
        assert_eq!(
            points(&[(leaf(0), 0), (leaf(1), 2)]).map(|p| p.len()),
            Some(0)
        );
    }
}
