//! Coverage by enumeration inside of symbolic loops: what one round of the outer loops writes is
//! gone through element by element, and the outer loops put equal pieces one behind the other,
//! however many there are.

use super::facts::Kind;
use super::forms::Forms;
use super::image::{Digit, Image, sort};
use super::poly::{Atom, Poly};
use super::samples::Sample;
use super::sites::{Around, Rounds, Site, Sites, Step};
use super::table::{Asked, Index, Table};
use crate::ordered::Set;
use crate::plan::WritePattern;
use crate::plan::analysis::points::MOST_POINTS;
use crate::scalar::NodeId;

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
    forms.aside(|forms| {
        let length = forms.value(length);
        pieces(forms, sites, stores, &length, outside)
    })
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
        let piece = forms.aside(|forms| {
            forms.replay(sites, &site.path, Some(outside));
            let same = forms.ring(site.index) == site.poly;
            same.then(|| piece(forms, sites, site, outside)).flatten()
        })?;
        let same = outer.is_none_or(|outer| outer == piece.outer);
        if !same || elements.len() + piece.elements.len() > MOST_POINTS as usize {
            return None;
        }
        outer = Some(piece.outer);
        elements.extend(piece.elements);
    }
    elements.sort_unstable();
    let once = elements.iter().zip(0..).all(|(element, n)| *element == n);
    let mut around = stores.iter().map(|site| sites.at(&site.path, 0));
    let blocks = around.all(|around| around.is_some_and(|a| a.rounds == Rounds::Blocks));
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
    let loops = sites.around(&site.path);
    let loops: Vec<_> = loops.filter(|(place, _)| *place >= outside).collect();
    // Without the conditions around the loops, which may have told more of their counts.
    let conditions = site.path[outside..]
        .iter()
        .any(|step| matches!(step, Step::When(..)));
    let lengths: Vec<Poly> = loops
        .iter()
        .map(|(_, around)| match conditions {
            true => forms.value(around.count),
            false => around.length.clone(),
        })
        .collect();
    let cut = (0..=loops.len()).find(|cut| {
        let mut counts = lengths[*cut..].iter().map(Poly::as_number);
        let size = counts.try_fold(1i128, |size, count| size.checked_mul(count?));
        size.is_some_and(|size| size <= MOST_POINTS.into())
    })?;
    let (mut rest, mut outer) = (site.poly.clone(), Vec::new());
    for ((_, around), count) in loops[..cut].iter().zip(lengths) {
        if around.breaks {
            return None;
        }
        let (stride, other) = rest.split(around.atom)?;
        outer.push(Digit { stride, count });
        rest = other;
    }
    sort(&mut outer);
    let first = loops.get(cut).map_or(site.path.len(), |(place, _)| *place);
    let (index, sample) = (Index::Sum(&rest), &Sample::new());
    let asked = Asked {
        index,
        outside,
        sample,
    };
    let table = Table::new(forms, sites, site, asked, |place, _| place >= first)?;
    let mut proved = |(condition, holds): &(NodeId, bool)| {
        let facts = forms.condition(*condition, *holds);
        facts.is_some_and(|facts| facts.iter().all(|fact| forms.prove(fact)))
    };
    let elements = table.elements().map(|(_, element)| element).collect();
    let certain = table.complete && table.unknown.iter().all(&mut proved);
    certain.then_some(Piece { outer, elements })
}

/// Is an index inside of its array? What is no sum of counters in it is gone through, and bounds
/// it.
pub(super) fn inside_in_pieces(forms: &mut Forms<'_>, sites: &Sites, site: &Site) -> bool {
    let Some(array) = forms.tables.arrays.get(site.array.0 as usize) else {
        return false;
    };
    forms.behind(sites, &site.path, |forms| {
        let length = forms.value(array.length);
        let same = forms.ring(site.index) == site.poly && !forms.is_inexact(site.index);
        // The number that the index is, where its arithmetic may wrap.
        let wrapped = |forms: &mut Forms<'_>| {
            let index = forms.value(site.index);
            index != site.poly && forms.is_inside(&index, &length)
        };
        same && (forms.is_inside(&site.poly, &length)
            || wrapped(forms)
            || with_pieces(forms, sites, site)
                .is_some_and(|index| forms.is_inside(&index, &length)))
    })
}

/// The index, with an atom of a range in the place of what is no sum of counters.
fn with_pieces(forms: &mut Forms<'_>, sites: &Sites, site: &Site) -> Option<Poly> {
    let mut made = site.poly.atoms();
    made.retain(|atom| !matches!(forms.facts.kind(*atom), Kind::Counter(_)));
    let needed = |around: &Around| {
        let own = Set::from([around.atom]);
        made.iter()
            .any(|atom| forms.depends(&Poly::atom(*atom), &own))
    };
    let needed = sites
        .around(&site.path)
        .filter(|(_, around)| needed(around));
    let own: Set<Atom> = needed.map(|(_, around)| around.atom).collect();
    let (rest, local) = forms.parted_by(&site.poly, &own);
    let (outside, sample) = (0, &Sample::new());
    let asked = Asked {
        index: Index::Sum(&local),
        outside,
        sample,
    };
    let table = Table::new(forms, sites, site, asked, |_, around| {
        own.contains(&around.atom)
    })?;
    let values = || table.elements().map(|(_, value)| value);
    let (low, high) = (values().min()?, values().max()?);
    let kind = Kind::Piece(site.index, low, high);
    let piece = forms.facts.atom(kind, 0, high - low);
    Some(rest.add(&Poly::atom(piece)).shift(low))
}
