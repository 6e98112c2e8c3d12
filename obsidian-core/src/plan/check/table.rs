//! An access gone through point by point: at which element is it in each round of its loops, for
//! given lengths?

use super::forms::Forms;
use super::poly::Poly;
use super::sites::{Around, Rounds, Site, Sites, Step};
use crate::ir::Level;
use crate::plan::analysis::points::{Column, Points};
use crate::scalar::{Constraint, Node, NodeId, Requirement, ScalarType};

/// Values for lengths and arguments of the kernel.
pub(super) type Sample = Vec<(Node, u32)>;

/// The elements of an access, by point.
pub(super) struct Table<'k> {
    points: Points<'k>,
    index: Column,
    live: Vec<bool>,
    /// The loops that are gone through, the first outermost, with their axes and their places in
    /// the path.
    loops: Vec<(Around, usize, usize)>,
    /// Is every point executed that is gone through, and are all gone through?
    pub(super) certain: bool,
    /// Has the index a value at each point? Exact arithmetic that leaves 32 bits has none.
    pub(super) defined: bool,
}

impl<'k> Table<'k> {
    /// Goes through an access. Loops around the first `outside` steps stay at one round, `at`, if
    /// that is known.
    ///
    /// A loop whose count is not known has no axis: what depends on its counter is not known
    /// either. `None` if the index is not known, or if there are too many points; points at which a
    /// condition is not known are gone through as well.
    pub(super) fn new(
        forms: &'k Forms<'_>,
        sites: &Sites,
        site: &Site,
        sample: &Sample,
        outside: usize,
        at: Option<u32>,
    ) -> Option<Self> {
        let mut table = Table {
            points: points(forms, &[], sample)?,
            index: Column::Same(0),
            live: vec![true],
            loops: Vec::new(),
            certain: true,
            defined: true,
        };
        let (mut axes, mut fixed) = (Vec::new(), sample.clone());
        for (n, step) in site.path.iter().enumerate() {
            match *step {
                Step::Loop(number) => {
                    let around = &sites.loops[number];
                    let leaf = Node::Variable(around.variable);
                    if n < outside {
                        fixed.extend(at.map(|at| (leaf, at)));
                        table.points = points(forms, &axes, &fixed)?;
                        continue;
                    }
                    table.certain &= !around.breaks;
                    let Some(count) = table.points.column(around.count) else {
                        table.certain = false;
                        continue;
                    };
                    let most = (0..table.points.len())
                        .map(|point| count.at(point))
                        .max()
                        .unwrap_or(0);
                    axes.push((leaf, u32::try_from(most).ok()?));
                    table.next_axis(forms, &axes, &fixed)?;
                    table.loops.push((around.clone(), axes.len() - 1, n));
                    let (count, counter) =
                        (table.points.column(around.count)?, table.points.leaf(leaf)?);
                    table.retain(|point| counter.at(point) < count.at(point));
                }
                Step::When(condition, holds) if n >= outside => {
                    match table.points.column(condition) {
                        Some(column) => {
                            // Where the condition has no value, it may hold.
                            let undefined = table.points.undefined(condition);
                            let undefined = undefined.map(<[bool]>::to_vec);
                            let unknown =
                                |point: usize| undefined.as_ref().is_some_and(|u| u[point]);
                            let uncertain = table.live_points().any(unknown);
                            table.certain &= !uncertain;
                            table
                                .retain(|point| unknown(point) || (column.at(point) != 0) == holds);
                        }
                        None => table.certain = false,
                    }
                }
                Step::Repeated if n >= outside => table.certain = false,
                Step::When(..) | Step::Repeated => {}
            }
        }
        let index = table.points.column(site.index);
        forms.facts.work.values(table.points.work());
        table.index = index?;
        let undefined = table.points.undefined(site.index);
        table.defined =
            undefined.is_none_or(|undefined| table.live_points().all(|point| !undefined[point]));
        Some(table)
    }

    /// The points that are executed.
    fn live_points(&self) -> impl Iterator<Item = usize> {
        let points = self.live.iter().enumerate();
        points.filter(|(_, live)| **live).map(|(point, _)| point)
    }

    /// Every point becomes as many as the last axis has values.
    fn next_axis(
        &mut self,
        forms: &'k Forms<'_>,
        axes: &[(Node, u32)],
        fixed: &Sample,
    ) -> Option<()> {
        self.points = points(forms, axes, fixed)?;
        let each = axes.last().map_or(1, |(_, count)| *count as usize);
        self.live = self
            .live
            .iter()
            .flat_map(|live| std::iter::repeat_n(*live, each))
            .collect();
        Some(())
    }

    fn retain(&mut self, f: impl Fn(usize) -> bool) {
        self.live
            .iter_mut()
            .enumerate()
            .for_each(|(point, live)| *live &= f(point));
    }

    /// The points that are executed, and the element of each.
    pub(super) fn elements(&self) -> impl Iterator<Item = (usize, u64)> {
        self.live_points()
            .map(|point| (point, self.index.at(point)))
    }

    /// The round of a loop at a point, by the loop's place in the path.
    pub(super) fn round(&self, place: usize, point: usize) -> u64 {
        self.loops
            .iter()
            .find(|(_, _, at)| *at == place)
            .map_or(0, |(_, axis, _)| self.points.coordinate(*axis, point))
    }

    /// Is the loop at a place of the path gone through?
    pub(super) fn goes_through(&self, place: usize) -> bool {
        self.loops.iter().any(|(_, _, at)| *at == place)
    }

    /// Who executes a point, in words.
    pub(super) fn who(&self, point: usize) -> String {
        let mut words = Vec::new();
        for (around, _, place) in &self.loops {
            if around.length == Poly::number(1) && around.rounds != Rounds::Threads(Level::Block) {
                continue;
            }
            let what = match around.rounds {
                Rounds::Blocks => "block",
                Rounds::Warps => "warp",
                Rounds::Threads(_) => "thread",
                Rounds::InOrder => "round",
            };
            words.push(format!("{what} {}", self.round(*place, point)));
        }
        if words.is_empty() {
            "the one thread".to_owned()
        } else {
            words.join(", ")
        }
    }
}

/// The value of a node for a sample, where it depends on nothing else.
pub(super) fn number(forms: &Forms<'_>, node: NodeId, sample: &Sample) -> Option<u64> {
    let mut points = points(forms, &[], sample)?;
    points.column(node).map(|column| column.at(0))
}

fn points<'k>(forms: &'k Forms<'_>, axes: &[(Node, u32)], fixed: &Sample) -> Option<Points<'k>> {
    let mut points = Points::new(forms.tables, &forms.names, axes)?;
    for (leaf, value) in fixed {
        points.fix(*leaf, *value);
    }
    Some(points)
}

/// Lengths and arguments to try: the first is none at all.
pub(super) fn samples(forms: &mut Forms<'_>) -> Vec<Sample> {
    let nodes = &forms.tables.nodes;
    let leaves: Vec<(NodeId, Node)> = nodes
        .ids()
        .map(|id| (id, nodes.node(id)))
        .filter(|(id, node)| match node {
            Node::Length(_) => true,
            Node::Variable(v) => nodes.ty(*id) == ScalarType::U32 && forms.is_argument(*v),
            _ => false,
        })
        .collect();
    let mut list: Vec<Sample> = vec![Vec::new()];
    if leaves.is_empty() {
        return list;
    }
    // Every length is a multiple of what the launch asks for.
    let units: Vec<u32> = leaves
        .iter()
        .map(|(id, _)| {
            forms.ring(*id).terms().fold(1, |unit, (_, factor)| {
                u32::try_from(factor).map_or(unit, |f| f.max(unit))
            })
        })
        .collect();
    for size in [1, 2, 3, 5, 8, 33, 64, 128, 257, 1000, 0] {
        let sample = leaves
            .iter()
            .zip(&units)
            .map(|((_, leaf), unit)| (*leaf, unit.saturating_mul(size)));
        list.push(sample.collect());
    }
    for lone in 0..leaves.len().min(4) {
        let sample = leaves
            .iter()
            .zip(&units)
            .enumerate()
            .map(|(n, ((_, leaf), unit))| {
                (*leaf, unit.saturating_mul(if n == lone { 7 } else { 2 }))
            });
        list.push(sample.collect());
    }
    for sample in &mut list {
        products(forms, &leaves, sample);
    }
    list.retain(|sample| sample.is_empty() || allowed(forms, sample));
    list
}

/// Gives lengths that have to be products of others those values.
fn products(forms: &mut Forms<'_>, leaves: &[(NodeId, Node)], sample: &mut Sample) {
    for (id, leaf) in leaves {
        let value = forms.ring(*id);
        if value.terms().all(|(product, _)| product.len() < 2) {
            continue;
        }
        let given = |atom: &super::poly::Atom| match forms.facts.kind(*atom) {
            super::facts::Kind::Leaf(other) => sample
                .iter()
                .find(|(own, _)| own == other)
                .map_or(2, |(_, value)| *value),
            _ => 2,
        };
        let term = |(product, factor): (&[super::poly::Atom], i128)| {
            product.iter().fold(factor, |value, atom| {
                value.saturating_mul(given(atom).into())
            })
        };
        let Ok(value) = u32::try_from(value.terms().map(term).sum::<i128>()) else {
            continue;
        };
        sample
            .iter_mut()
            .filter(|(own, _)| own == leaf)
            .for_each(|(_, own)| *own = value);
    }
}

/// Would a launch accept these lengths?
fn allowed(forms: &Forms<'_>, sample: &Sample) -> bool {
    let holds = |requirement: &Requirement| {
        let length = number(forms, requirement.length, sample)?;
        let other = |id: &NodeId| number(forms, *id, sample).ok_or(());
        Some(match requirement.constraint.try_map(other).ok()? {
            Constraint::Fits => true,
            Constraint::AtLeast(n) | Constraint::Reaches(n) => length >= n.into(),
            Constraint::MultipleOf(n) => length.is_multiple_of(n.into()),
            Constraint::DividedBy(n) => length.checked_rem(n).unwrap_or(length) == 0,
            Constraint::Equal(n) => length == n,
        })
    };
    let mut requirements = forms.tables.requirements.iter();
    requirements.all(|requirement| holds(requirement).unwrap_or(true))
}

/// A number of elements in words.
pub(super) fn elements(n: u64) -> String {
    if n == 1 {
        "1 element".to_owned()
    } else {
        format!("{n} elements")
    }
}

/// A sample in words, with the names of the parameters; nothing for none.
pub(super) fn words(forms: &Forms<'_>, sample: &Sample) -> String {
    let parts: Vec<String> = sample
        .iter()
        .filter_map(|(leaf, value)| match leaf {
            Node::Length(array) => Some(format!(
                "`{}` has {}",
                forms.tables.arrays.get(array.0 as usize)?.name,
                elements((*value).into())
            )),
            Node::Variable(v) => Some(format!(
                "`{}` is {value}",
                forms.tables.variables.get(v.0 as usize)?.name.as_deref()?
            )),
            _ => None,
        })
        .collect();
    if parts.is_empty() {
        String::new()
    } else {
        format!(", for example when {}", parts.join(" and "))
    }
}
