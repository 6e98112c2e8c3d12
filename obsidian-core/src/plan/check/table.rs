//! The one enumerator of points: at which element is an access in each iteration of its loops?
//!
//! *Claim.* The [points](Table::elements) of a table are the iterations of the loops that it
//! enumerates, those left out that a condition around the access excludes, each with the value of an
//! index. If [`Table::certain`] holds, the access is executed at each of them. If
//! [`Table::defined`] holds, no exact arithmetic in the index leaves 32 bits at any of them.
//!
//! *Method.* Each loop that is enumerated is an axis of [`Points`], and each condition a mask.
//! Accesses behind the same axes share their points, and so the values of what their indices and
//! conditions have in common.
//!
//! *Limits.* A loop whose count is not known has no axis: what depends on its counter is not known
//! either. A condition that is not known, or has no value, leaves its points in, uncertain. No more
//! than [`MOST_POINTS`](crate::plan::analysis::points::MOST_POINTS) points.

use std::cell::RefCell;
use std::rc::Rc;

use crate::hashed::HashMap;

use super::facts::Kind;
use super::forms::Forms;
use super::poly::{Atom, Poly};
use super::samples::Sample;
use super::sites::{Around, Rounds, Site, Sites, Step};
use super::witness::low_product;
use crate::ir::Level;
use crate::plan::analysis::points::{MOST_POINTS, Points};
use crate::scalar::{BinaryOp, Node, NodeId};

/// The most points of tables that are kept, and of points that others may share.
const MOST_KEPT: usize = 16 * MOST_POINTS as usize;

/// Points and tables that other accesses may share, or the same access asked about again.
#[derive(Default)]
pub(super) struct Enumerator<'k> {
    points: HashMap<(Vec<(Node, u32)>, Sample), SharedPoints<'k>>,
    tables: HashMap<(usize, usize, Sample), Option<Rc<Table>>>,
    /// The number of points in both.
    kept: usize,
}

type SharedPoints<'k> = Rc<RefCell<Points<'k>>>;

/// What is enumerated of an access.
pub(super) struct Asked<'a> {
    pub(super) index: Index<'a>,
    /// Loops around the first steps stay at one iteration: the first at a sample, and else any.
    pub(super) outside: usize,
    pub(super) sample: &'a Sample,
}

impl Asked<'_> {
    /// The sample, and the iterations that loops stay at.
    fn fixed(&self, sites: &Sites, site: &Site) -> Sample {
        let mut fixed = self.sample.clone();
        if !fixed.is_empty() {
            let outside = sites.around(&site.path[..self.outside]);
            fixed.extend(outside.map(|(_, around)| (Node::Variable(around.variable), 0)));
        }
        fixed
    }
}

/// What has a value at each point.
pub(super) enum Index<'a> {
    Node(NodeId),
    Sum(&'a Poly),
}

/// A loop that is enumerated: every `stride`-th point is another of its iterations.
struct Axis {
    number: usize,
    place: usize,
    count: usize,
    stride: usize,
}

/// The elements of an access, by point.
pub(super) struct Table {
    live: Vec<bool>,
    /// The outermost first.
    axes: Vec<Axis>,
    index: Vec<i128>,
    /// Is every iteration executed that the conditions leave?
    pub(super) complete: bool,
    /// The conditions that are not known at all points.
    pub(super) unknown: Vec<(NodeId, bool)>,
    /// Has the index a value at each point? Exact arithmetic that leaves 32 bits has none.
    pub(super) defined: bool,
}

impl<'k> Forms<'k> {
    /// The table of an access, as it stands in the list of sites, in all loops but those around the
    /// first `outside` steps; `None` if its index is not known, or if there are too many points.
    pub(super) fn table(
        &self,
        sites: &Sites,
        site: &Site,
        sample: &Sample,
        outside: usize,
    ) -> Option<Rc<Table>> {
        let key = (site.number, outside, sample.clone());
        if let Some(known) = self.enumerator.borrow().tables.get(&key) {
            return known.clone();
        }
        let index = Index::Node(site.index);
        let asked = Asked {
            index,
            outside,
            sample,
        };
        let table = Table::new(self, sites, site, asked, |_, _| true).map(Rc::new);
        let mut known = self.enumerator.borrow_mut();
        known.keep(table.as_ref().map_or(0, |table| table.live.len()));
        known.tables.insert(key, table.clone());
        table
    }

    fn points(&self, axes: &[(Node, u32)], fixed: &Sample) -> Option<SharedPoints<'k>> {
        let key = (axes.to_vec(), fixed.clone());
        let mut known = self.enumerator.borrow_mut();
        if let Some(points) = known.points.get(&key) {
            return Some(points.clone());
        }
        let points = Points::new(self.tables, &self.names, axes, fixed)?;
        known.keep(points.len());
        let points = Rc::new(RefCell::new(points));
        known.points.insert(key, points.clone());
        Some(points)
    }

    /// The value of a node for a sample, where it depends on nothing else.
    pub(super) fn number(&self, node: NodeId, sample: &Sample) -> Option<u64> {
        let points = self.points(&[], sample)?;
        let column = points.borrow_mut().column(node);
        column.map(|column| column.at(0))
    }
}

impl Enumerator<'_> {
    /// Counts points that are to be kept, and forgets all others if they are too many.
    fn keep(&mut self, points: usize) {
        self.kept += points;
        if self.kept > MOST_KEPT {
            *self = Enumerator {
                kept: points,
                ..Enumerator::default()
            };
        }
    }
}

impl Table {
    /// The points of an access in those of its loops that are to be enumerated.
    pub(super) fn new(
        forms: &Forms<'_>,
        sites: &Sites,
        site: &Site,
        asked: Asked<'_>,
        enumerated: impl Fn(usize, &Around) -> bool,
    ) -> Option<Self> {
        let (mut axes, fixed) = (Vec::new(), asked.fixed(sites, site));
        let mut points = forms.points(&[], &fixed)?;
        let mut table = Table {
            live: vec![true],
            axes: Vec::new(),
            index: Vec::new(),
            complete: true,
            unknown: Vec::new(),
            defined: true,
        };
        for (place, step) in site.path.iter().enumerate().skip(asked.outside) {
            match *step {
                Step::Loop(number) if enumerated(place, &sites.loops[number]) => {
                    let around = &sites.loops[number];
                    let counts = table.counts(&mut points.borrow_mut(), around);
                    table.complete &= !around.breaks && counts.is_some();
                    if let Some((most, counts)) = counts {
                        axes.push((Node::Variable(around.variable), most));
                        points = forms.points(&axes, &fixed)?;
                        table.multiply((number, place), most as usize, &counts);
                    }
                }
                Step::Loop(_) => {}
                Step::When(condition, holds) => {
                    table.condition(&mut points.borrow_mut(), condition, holds);
                }
                Step::Repeated => table.complete = false,
            }
        }
        let mut points = points.borrow_mut();
        let index = match asked.index {
            Index::Node(node) => table.node(&mut points, node),
            Index::Sum(sum) => table.sum(&mut points, (forms, sites), sum),
        };
        forms
            .facts
            .work
            .values(points.work() + table.live.len() as u64);
        table.index = index?;
        Some(table)
    }

    /// The greatest count of a loop at the points so far, and its count at each.
    fn counts(&self, points: &mut Points<'_>, around: &Around) -> Option<(u32, Vec<u64>)> {
        let size = self.live.len();
        let counts: Vec<u64> = match points.column(around.count) {
            Some(column) => (0..size).map(|point| column.at(point)).collect(),
            None => vec![around.length.as_number()?.try_into().ok()?; size],
        };
        let live = self.live_points().map(|point| counts[point]);
        Some((live.max().unwrap_or(0).try_into().ok()?, counts))
    }

    /// Every point becomes as many as a new axis has values, alive up to its count.
    fn multiply(&mut self, (number, place): (usize, usize), count: usize, counts: &[u64]) {
        let before = std::mem::take(&mut self.live).into_iter().zip(counts);
        let all = 0..count as u64;
        let points = before.flat_map(|(live, count)| all.clone().map(move |n| live && n < *count));
        self.live = points.collect();
        let outer = self.axes.iter_mut();
        outer.for_each(|outer| outer.stride *= count);
        self.axes.push(Axis {
            number,
            place,
            count,
            stride: 1,
        });
    }

    /// Leaves out the points at which a condition does not hold.
    fn condition(&mut self, points: &mut Points<'_>, condition: NodeId, holds: bool) {
        let Some(column) = points.column(condition) else {
            self.unknown.push((condition, holds));
            return;
        };
        // Where the condition has no value, it may hold.
        let undefined = points.undefined(condition);
        let unknown = |point: usize| undefined.as_ref().is_some_and(|u| u[point]);
        let mut uncertain = false;
        for (point, live) in self.live.iter_mut().enumerate() {
            uncertain |= *live && unknown(point);
            *live &= unknown(point) || (column.at(point) != 0) == holds;
        }
        self.unknown.extend(uncertain.then_some((condition, holds)));
    }

    /// The values of a node, if they are known.
    fn node(&mut self, points: &mut Points<'_>, node: NodeId) -> Option<Vec<i128>> {
        let column = points.column(node)?;
        if let Some(undefined) = points.undefined(node) {
            let defined = self.live_points().all(|point| !undefined[point]);
            self.defined = defined;
        }
        let points = 0..self.live.len();
        Some(points.map(|point| column.at(point).into()).collect())
    }

    /// The values of a polynomial, if they are known and none of them, nor a step to one, leaves 128 bits.
    fn sum(
        &self,
        points: &mut Points<'_>,
        of: (&Forms<'_>, &Sites),
        poly: &Poly,
    ) -> Option<Vec<i128>> {
        let mut sum = vec![0i128; self.live.len()];
        let mut fits = true;
        for (product, factor) in poly.terms() {
            let mut value = vec![factor; sum.len()];
            for atom in product {
                let atom = self.atom(points, of, *atom)?;
                let both = value.iter_mut().zip(atom);
                // Most factors are 1, and multiplying 128 bits takes a while.
                both.for_each(|(value, atom)| match *value {
                    1 => *value = atom,
                    _ => {
                        let (product, wraps) = value.overflowing_mul(atom);
                        *value = product;
                        fits &= !wraps;
                    }
                });
            }
            let both = sum.iter_mut().zip(value);
            both.for_each(|(sum, value)| {
                let (both, wraps) = sum.overflowing_add(value);
                *sum = both;
                fits &= !wraps;
            });
        }
        fits.then_some(sum)
    }

    fn atom(
        &self,
        points: &mut Points<'_>,
        of: (&Forms<'_>, &Sites),
        atom: Atom,
    ) -> Option<Vec<i128>> {
        let mut two = |x: &Poly, y: &Poly, f: fn(i128, i128) -> i128| {
            let (x, y) = (self.sum(points, of, x)?, self.sum(points, of, y)?);
            Some(x.into_iter().zip(y).map(|(x, y)| f(x, y)).collect())
        };
        let (column, below) = match of.0.facts.kind(atom) {
            Kind::Product(x, y) => return two(x, y, low_product),
            Kind::Div(x, y) => return two(x, y, |x, y| x.checked_div_euclid(y).unwrap_or(0)),
            Kind::Rem(x, y) => return two(x, y, |x, y| x.checked_rem_euclid(y).unwrap_or(x)),
            Kind::Min(x, y) => return two(x, y, i128::min),
            Kind::Max(x, y) => return two(x, y, i128::max),
            Kind::Bits(BinaryOp::And, x, y) => return two(x, y, |x, y| x & y),
            Kind::Bits(BinaryOp::Or, x, y) => return two(x, y, |x, y| x | y),
            Kind::Bits(_, x, y) => return two(x, y, |x, y| x ^ y),
            Kind::Counter(number) => {
                let around = of.1.loops.get(*number as usize)?;
                (points.leaf(Node::Variable(around.variable))?, 0)
            }
            Kind::Leaf(leaf) => (points.leaf(*leaf)?, 0),
            Kind::Opaque(node) => (points.column(*node)?, 0),
            Kind::Select(node, ..) => (points.column(*node)?, of.0.below_0(*node)),
            _ => return None,
        };
        // What stands for a number of `i32` is greater by as much as that may be below 0.
        let shifted = |bits: u64| (i128::from(bits) + below) % (i128::from(u32::MAX) + 1);
        let points = 0..self.live.len();
        Some(points.map(|point| shifted(column.at(point))).collect())
    }

    /// Is the access executed at every point?
    pub(super) fn certain(&self) -> bool {
        self.complete && self.unknown.is_empty()
    }

    /// The points that may be executed.
    fn live_points(&self) -> impl Iterator<Item = usize> {
        let points = self.live.iter().enumerate();
        points.filter(|(_, live)| **live).map(|(point, _)| point)
    }

    /// The points that may be executed, and the element of each.
    pub(super) fn elements(&self) -> impl Iterator<Item = (usize, i128)> {
        self.live_points().map(|point| (point, self.index[point]))
    }

    /// The element of a point.
    pub(super) fn element(&self, point: usize) -> i128 {
        self.index[point]
    }

    /// The iteration of a loop at a point, by the loop's place in the path; `None` if the loop is
    /// not enumerated.
    pub(super) fn round(&self, place: usize, point: usize) -> Option<u64> {
        let axis = self.axes.iter().find(|axis| axis.place == place)?;
        Some(axis.at(point))
    }

    /// Who executes a point, in words.
    pub(super) fn who(&self, sites: &Sites, point: usize) -> String {
        let mut words = Vec::new();
        for axis in &self.axes {
            let around = &sites.loops[axis.number];
            if around.length != Poly::number(1) || around.rounds == Rounds::Threads(Level::Block) {
                words.push(format!("{} {}", around.rounds.word(), axis.at(point)));
            }
        }
        match words.is_empty() {
            true => "the one thread".to_owned(),
            false => words.join(", "),
        }
    }
}

impl Axis {
    fn at(&self, point: usize) -> u64 {
        (point / self.stride.max(1) % self.count.max(1)) as u64
    }
}

/// Whether two accesses reach the same element.
pub(super) enum Meeting {
    /// A point of each.
    At(usize, usize),
    Nowhere,
    Unknown,
}

/// One access as one thread does it: what both accesses have to have in common, and what tells the
/// thread from others.
pub(super) type Instance<W> = (Vec<u64>, W);

/// Instances of one element, each with its point.
struct Instances<W> {
    list: Vec<(usize, W)>,
    forgotten: bool,
}

impl<W> Default for Instances<W> {
    fn default() -> Self {
        Instances {
            list: Vec::new(),
            forgotten: false,
        }
    }
}

impl<W: PartialEq> Instances<W> {
    /// Remembers the first `most` different instances. Once there are more, the latest one replaces
    /// the last.
    fn remember(&mut self, point: usize, own: W, most: usize) {
        match self.list.iter().position(|(_, other)| *other == own) {
            Some(0) => {}
            Some(n) => self.list[n] = (point, own),
            None => {
                self.forgotten |= self.list.len() == most;
                self.list.truncate(most - 1);
                self.list.push((point, own));
            }
        }
    }
}

/// Looks for a point of each access, both at the same element and of instances that conflict. The
/// first argument of `instance` is the number of the access, 0 or 1. Of the instances in which the
/// first access reaches an element, `most` are remembered.
pub(super) fn meeting<W: PartialEq>(
    [x, y]: [&Table; 2],
    most: usize,
    instance: impl Fn(usize, usize) -> Option<Instance<W>>,
    conflict: impl Fn(&W, &W) -> bool,
) -> Meeting {
    let mut first: HashMap<(i128, Vec<u64>), Instances<W>> = HashMap::default();
    for (point, element) in x.elements() {
        let Some((together, own)) = instance(0, point) else {
            return Meeting::Unknown;
        };
        let known = first.entry((element, together)).or_default();
        known.remember(point, own, most);
    }
    let mut found = Meeting::Nowhere;
    for (point, element) in y.elements() {
        let Some((together, own)) = instance(1, point) else {
            return Meeting::Unknown;
        };
        let Some(known) = first.get(&(element, together)) else {
            continue;
        };
        let mut instances = known.list.iter();
        if let Some((other, _)) = instances.find(|(_, other)| conflict(other, &own)) {
            return Meeting::At(*other, point);
        }
        if known.forgotten {
            found = Meeting::Unknown;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_forgotten_when_they_have_too_many_points() {
        let mut known = Enumerator::default();
        known.tables.insert((0, 0, Sample::new()), None);
        known.keep(MOST_KEPT);
        assert_eq!((known.tables.len(), known.kept), (1, MOST_KEPT));
        known.keep(5);
        assert_eq!((known.tables.len(), known.kept), (0, 5));
    }
}
