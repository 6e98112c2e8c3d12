//! Coverage by enumeration inside of symbolic loops: what one round of the outer loops writes is
//! gone through element by element, and the outer loops put equal pieces one behind the other,
//! however many there are.

use std::collections::BTreeSet;

use super::facts::Kind;
use super::forms::Forms;
use super::image::{Digit, Image, sort};
use super::poly::{Atom, Poly};
use super::sites::{Around, Rounds, Site, Sites, Step};
use crate::plan::WritePattern;
use crate::plan::analysis::points::{MOST_POINTS, Points};
use crate::scalar::{BinaryOp, Node, NodeId};

/// What one store writes in one round of the outer loops.
struct Piece {
    outer: Vec<Digit>,
    elements: Vec<i128>,
}

/// How the stores write each element once, if they do.
pub(super) fn in_pieces(
    forms: &mut Forms<'_>,
    sites: &Sites,
    stores: &[&Site],
    length: NodeId,
    outside: usize,
) -> Option<WritePattern> {
    let mark = forms.enter();
    let length = forms.value(length);
    let pattern = pieces(forms, sites, stores, &length, outside);
    forms.leave(mark);
    pattern
}

fn pieces(
    forms: &mut Forms<'_>,
    sites: &Sites,
    stores: &[&Site],
    length: &Poly,
    outside: usize,
) -> Option<WritePattern> {
    let mut elements = Vec::new();
    let mut outer: Option<Vec<Digit>> = None;
    for site in stores {
        let mark = forms.enter();
        forms.replay(sites, &site.path, Some(outside));
        let piece = (forms.ring(site.index) == site.poly)
            .then(|| piece(forms, sites, site, outside))
            .flatten();
        forms.leave(mark);
        let piece = piece?;
        if outer.as_ref().is_some_and(|outer| *outer != piece.outer)
            || elements.len() + piece.elements.len() > MOST_POINTS as usize
        {
            return None;
        }
        outer = Some(piece.outer);
        elements.extend(piece.elements);
    }
    elements.sort_unstable();
    let once = elements.iter().zip(0..).all(|(element, n)| *element == n);
    let blocks = stores.iter().all(|s| matches!(s.path.first(), Some(Step::Loop(n)) if sites.loops[*n].rounds == Rounds::Blocks));
    let image = Image {
        start: Poly::default(),
        digits: outer.unwrap_or_default(),
        end: None,
    };
    let size = image.size(&Poly::number(elements.len() as i128));
    if !once || !forms.equal(&size?, length) {
        return None;
    }
    match (image.digits.len(), u32::try_from(elements.len())) {
        (1, Ok(chunk)) if blocks && chunk > 0 => Some(WritePattern::Chunks(chunk)),
        _ => Some(WritePattern::Scattered),
    }
}

fn piece(forms: &mut Forms<'_>, sites: &Sites, site: &Site, outside: usize) -> Option<Piece> {
    let path = site.path.get(outside..)?;
    let loops: Vec<&Around> = path
        .iter()
        .filter_map(|s| {
            if let Step::Loop(n) = s {
                Some(&sites.loops[*n])
            } else {
                None
            }
        })
        .collect();
    if loops.iter().any(|around| around.breaks) || path.contains(&Step::Repeated) {
        return None;
    }
    // Without the conditions around the loops, which may have told more of their counts.
    let conditions = path.iter().any(|step| matches!(step, Step::When(..)));
    let lengths: Vec<Poly> = loops
        .iter()
        .map(|around| match conditions {
            true => forms.value(around.count),
            false => around.length.clone(),
        })
        .collect();
    let counts: Vec<Option<u32>> = lengths
        .iter()
        .map(|length| length.as_number().and_then(|n| n.try_into().ok()))
        .collect();
    let cut = (0..=loops.len()).find(|cut| {
        let size = counts[*cut..]
            .iter()
            .try_fold(1u64, |size, count| size.checked_mul((*count)?.into()));
        size.is_some_and(|size| size <= MOST_POINTS)
    })?;
    let (mut rest, mut outer) = (site.poly.clone(), Vec::new());
    for (around, count) in loops[..cut].iter().zip(lengths) {
        let (stride, other) = rest.split(around.atom)?;
        outer.push(Digit { stride, count });
        rest = other;
    }
    sort(&mut outer);
    let names = forms.names.clone();
    let axes: Vec<(Node, u32)> = loops[cut..]
        .iter()
        .zip(&counts[cut..])
        .map(|(a, n)| Some((Node::Variable(a.variable), (*n)?)))
        .collect::<Option<_>>()?;
    let mut points = Points::new(forms.tables, &names, &axes)?;
    let index = column(forms, sites, &mut points, &rest)?;
    let mut live = vec![true; points.len()];
    for step in path {
        if let Step::When(condition, holds) = *step {
            let facts = forms.condition(condition, holds);
            if facts.is_some_and(|facts| facts.iter().all(|fact| forms.prove(fact))) {
                continue;
            }
            let condition = points.column(condition)?;
            live.iter_mut()
                .enumerate()
                .for_each(|(point, live)| *live &= (condition.at(point) != 0) == holds);
        }
    }
    let elements = index
        .into_iter()
        .zip(live)
        .filter(|(_, live)| *live)
        .map(|(element, _)| element)
        .collect();
    Some(Piece { outer, elements })
}

/// Is an index inside of its array? What is no sum of counters in it is gone through, and bounds
/// it.
pub(super) fn inside_in_pieces(forms: &mut Forms<'_>, sites: &Sites, site: &Site) -> bool {
    let Some(array) = forms.tables.arrays.get(site.array.0 as usize) else {
        return false;
    };
    let mark = forms.enter();
    forms.replay(sites, &site.path, None);
    let length = forms.value(array.length);
    let same = forms.ring(site.index) == site.poly && !forms.is_inexact(site.index);
    let inside = same
        && (forms.is_inside(&site.poly, &length)
            || inside_wrapped(forms, site, &length)
            || with_pieces(forms, sites, site)
                .is_some_and(|index| forms.is_inside(&index, &length)));
    forms.leave(mark);
    inside
}

/// The same of the number that the index is, where its arithmetic may wrap.
fn inside_wrapped(forms: &mut Forms<'_>, site: &Site, length: &Poly) -> bool {
    let index = forms.value(site.index);
    index != site.poly && forms.is_inside(&index, length)
}

/// The index, with an atom of a range in the place of what is no sum of counters.
fn with_pieces(forms: &mut Forms<'_>, sites: &Sites, site: &Site) -> Option<Poly> {
    let loops: Vec<&Around> = site
        .path
        .iter()
        .filter_map(|s| {
            if let Step::Loop(n) = s {
                Some(&sites.loops[*n])
            } else {
                None
            }
        })
        .collect();
    let made: Vec<Atom> = site
        .poly
        .atoms()
        .into_iter()
        .filter(|atom| !matches!(forms.facts.kind(*atom), Kind::Counter(_)))
        .collect();
    let needed = |around: &&&Around| {
        let own = BTreeSet::from([around.atom]);
        made.iter()
            .any(|atom| forms.depends(&Poly::atom(*atom), &own))
    };
    let needed: Vec<&Around> = loops.iter().filter(needed).copied().collect();
    let own: BTreeSet<Atom> = needed.iter().map(|around| around.atom).collect();
    let (mut local, mut rest) = (Poly::default(), Poly::default());
    for (product, factor) in site.poly.terms() {
        let term = product
            .iter()
            .try_fold(Poly::number(factor), |term, atom| {
                term.times(&Poly::atom(*atom))
            })?;
        let part = if forms.depends(&term, &own) {
            &mut local
        } else {
            &mut rest
        };
        *part = part.add(&term);
    }
    let axes = needed.iter().filter_map(|a| {
        Some((
            Node::Variable(a.variable),
            u32::try_from(a.length.as_number()?).ok()?,
        ))
    });
    let names = forms.names.clone();
    let mut points = Points::new(forms.tables, &names, &axes.collect::<Vec<_>>())?;
    let mut values: Vec<Option<i128>> = column(forms, sites, &mut points, &local)?
        .into_iter()
        .map(Some)
        .collect();
    for step in &site.path {
        if let Step::When(condition, holds) = *step
            && let Some(condition) = points.column(condition)
        {
            values
                .iter_mut()
                .enumerate()
                .filter(|(p, _)| (condition.at(*p) != 0) != holds)
                .for_each(|(_, value)| *value = None);
        }
    }
    let (low, high) = (
        values.iter().flatten().min()?,
        values.iter().flatten().max()?,
    );
    let piece = forms
        .facts
        .atom(Kind::Piece(site.index, *low, *high), 0, high - low);
    Some(rest.add(&Poly::atom(piece)).shift(*low))
}

/// The values of a polynomial at the points.
pub(super) fn column(
    forms: &Forms<'_>,
    sites: &Sites,
    points: &mut Points<'_>,
    poly: &Poly,
) -> Option<Vec<i128>> {
    let mut sum = vec![0i128; points.len()];
    for (product, factor) in poly.terms() {
        let mut value: Option<Vec<i128>> = None;
        for atom in product {
            let atom = atom_column(forms, sites, points, *atom)?;
            value = Some(match value {
                None => atom,
                Some(value) => value
                    .into_iter()
                    .zip(atom)
                    .map(|(value, atom)| value.saturating_mul(atom))
                    .collect(),
            });
        }
        match value {
            None => sum
                .iter_mut()
                .for_each(|sum| *sum = sum.saturating_add(factor)),
            // Most have none, and multiplying 128 bits takes a while.
            Some(value) if factor == 1 => sum
                .iter_mut()
                .zip(value)
                .for_each(|(sum, value)| *sum = sum.saturating_add(value)),
            Some(value) => sum
                .iter_mut()
                .zip(value)
                .for_each(|(sum, value)| *sum = sum.saturating_add(value.saturating_mul(factor))),
        }
    }
    Some(sum)
}

fn atom_column(
    forms: &Forms<'_>,
    sites: &Sites,
    points: &mut Points<'_>,
    atom: Atom,
) -> Option<Vec<i128>> {
    let mut two = |x: &Poly, y: &Poly, f: &dyn Fn(i128, i128) -> i128| {
        let (x, y) = (
            column(forms, sites, points, x)?,
            column(forms, sites, points, y)?,
        );
        Some(x.into_iter().zip(y).map(|(x, y)| f(x, y)).collect())
    };
    match forms.facts.kind(atom) {
        Kind::Div(x, y) => two(x, y, &|x, y| x.checked_div_euclid(y).unwrap_or(0)),
        Kind::Rem(x, y) => two(x, y, &|x, y| x.checked_rem_euclid(y).unwrap_or(x)),
        Kind::Min(x, y) => two(x, y, &i128::min),
        Kind::Max(x, y) => two(x, y, &i128::max),
        Kind::Bits(op, x, y) => match op {
            BinaryOp::And => two(x, y, &|x, y| x & y),
            BinaryOp::Or => two(x, y, &|x, y| x | y),
            _ => two(x, y, &|x, y| x ^ y),
        },
        kind => {
            let mut below = 0;
            let column = match *kind {
                Kind::Counter(number) => {
                    points.leaf(Node::Variable(sites.loops.get(number as usize)?.variable))?
                }
                Kind::Leaf(leaf) => points.leaf(leaf)?,
                Kind::Opaque(node) => points.column(node)?,
                Kind::Select(node, ..) => {
                    below = forms.below_0(node);
                    points.column(node)?
                }
                _ => return None,
            };
            // What stands for a number of `i32` is greater by as much as that may be below 0.
            let shifted = |bits: u64| (i128::from(bits) + below) % (i128::from(u32::MAX) + 1);
            Some(
                (0..points.len())
                    .map(|point| shifted(column.at(point)))
                    .collect(),
            )
        }
    }
}
