//! Is every element of an array that is written once written exactly once? Symbolically, for all
//! lengths at a time.
//!
//! The images of the stores have to lie one behind the other, or between each other as the teeth of
//! combs do, from 0 to the array's length. The two sides of a condition that write the same
//! elements are one store.

use std::collections::VecDeque;

use super::forms::Forms;
use super::image::{Digit, Image, sort};
use super::poly::Poly;
use super::rows::rows;
use super::sites::{Rounds, Site, Sites, Step};
use crate::ordered::{Map, Set};
use crate::plan::WritePattern;
use crate::scalar::NodeId;

/// How the stores of an array, which begins inside `outside` steps, write each element once;
/// nothing if that is not proved.
pub(super) fn coverage(
    forms: &mut Forms<'_>,
    sites: &Sites,
    stores: &[&Site],
    length: NodeId,
    outside: usize,
) -> Option<WritePattern> {
    let stores = without_sides(stores);
    let mark = forms.enter();
    if let Some(site) = stores.first() {
        forms.replay(sites, &site.path[..outside], None);
    }
    let length = forms.value(length);
    // The counts of the loops, so that what is in them is known here as well.
    for step in stores.iter().flat_map(|site| &site.path) {
        if let Step::Loop(number) = step {
            forms.value(sites.loops[*number].count);
        }
    }
    let images: Option<Vec<Image>> = stores
        .iter()
        .map(|site| {
            let mark = forms.enter();
            forms.replay(sites, &site.path, Some(outside));
            // The index, once more, so that what is in it is known here.
            let image = forms.ring(site.index) == site.poly;
            let image = image.then(|| forms.image(sites, site, outside)).flatten();
            forms.leave(mark);
            image
                .filter(|(_, owed)| owed.iter().all(|owed| forms.prove(owed)))
                .map(|(image, _)| image)
        })
        .collect();
    let pattern = pattern(forms, sites, &stores, (images.as_deref(), &length));
    // Counts that were found where the loops have rounds.
    for digit in images.iter().flatten().flat_map(|image| &image.digits) {
        forms.quotients_in(&digit.count);
    }
    let covered = images.is_some_and(|images| covers(forms, images, &length))
        || matches!(&stores[..], [site] if rows(forms, sites, site, &length, outside) == Some(true));
    forms.leave(mark);
    covered.then_some(pattern)
}

impl Forms<'_> {
    /// Learns again what holds behind these steps; beyond `without` of them, conditions are left
    /// out.
    pub(super) fn replay(&mut self, sites: &Sites, path: &[Step], without: Option<usize>) {
        for (n, step) in path.iter().enumerate() {
            match *step {
                Step::Loop(number) => {
                    let around = sites.loops[number].clone();
                    let count = self.value(around.count);
                    self.has_rounds(around.count);
                    self.counter(around.variable, number as u32, &count, around.count);
                }
                Step::When(condition, holds) if without.is_none_or(|from| n < from) => {
                    self.assume(condition, holds)
                }
                _ => {}
            }
        }
    }
}

/// The stores, with those on both sides of a condition as one.
///
/// What is one store then may be one side of another condition, further out: so the innermost come
/// first.
fn without_sides(stores: &[&Site]) -> Vec<Site> {
    let mut list: Vec<Option<Site>> = stores.iter().map(|site| Some((*site).clone())).collect();
    let longest = stores.iter().map(|site| site.path.len()).max();
    for length in (1..=longest.unwrap_or(0)).rev() {
        for (a, b, step) in sides(&list, length) {
            list[b] = None;
            if let Some(site) = &mut list[a] {
                site.path.remove(step);
            }
        }
    }
    list.into_iter().flatten().collect()
}

/// Pairs of stores, each `length` steps long, that differ only in the side of the one condition
/// at this place; each store is in one of them at most.
fn sides(list: &[Option<Site>], length: usize) -> Vec<(usize, usize, usize)> {
    let is_choice = |step: &Step| matches!(step, Step::When(..));
    let all = list.iter().enumerate();
    let all = all.filter_map(|(n, site)| Some((n, site.as_ref()?)));
    let stores: Vec<(usize, &Site)> = all
        .filter(|(_, site)| site.path.len() == length && site.path.iter().any(is_choice))
        .collect();
    let mut known: Map<(&Poly, &[Step]), Set<usize>> = Map::new();
    for (n, site) in &stores {
        known
            .entry((&site.poly, &site.path))
            .or_default()
            .insert(*n);
    }
    let (mut found, mut taken) = (Vec::new(), Set::new());
    for (a, site) in stores {
        let mut other = site.path.clone();
        let mut sides = Vec::new();
        for (place, step) in site.path.iter().enumerate() {
            let Step::When(condition, holds) = *step else {
                continue;
            };
            other[place] = Step::When(condition, !holds);
            let others = known.get(&(&site.poly, &other[..])).into_iter().flatten();
            let mut others = others.filter(|b| **b > a && !taken.contains(*b));
            sides.extend(others.next().map(|b| (*b, place)));
            other[place] = *step;
        }
        let first = sides.into_iter().min().filter(|_| !taken.contains(&a));
        if let Some((b, place)) = first {
            taken.extend([a, b]);
            found.push((a, b, place));
        }
    }
    found
}

/// Do the images fill the elements up to the length, each once?
fn covers(forms: &mut Forms<'_>, mut images: Vec<Image>, length: &Poly) -> bool {
    images.retain(|image| {
        !image
            .digits
            .iter()
            .any(|digit| digit.count == Poly::default())
    });
    // Stores that all end at one element are cut off there together.
    let end = images
        .first()
        .and_then(|image| image.end.clone())
        .filter(|end| images.iter().all(|image| image.end.as_ref() == Some(end)));
    if end.is_some() {
        images.iter_mut().for_each(|image| image.end = None);
    }
    loop {
        // Images that do not become fewer soon may take a time that is their square.
        if !forms.facts.work.steps(images.len() as u64 / 16) {
            return false;
        }
        if let Some(size) = chained(forms, &images) {
            let Some(end) = end else {
                return forms.equal(&size, length);
            };
            return forms.prove(&size.sub(&end)) && forms.prove(&end) && forms.equal(&end, length);
        }
        if !merge(&mut images) {
            return false;
        }
    }
}

/// The end of the images, if they lie one behind the other, in the rounds of the outer loops that
/// they have in common.
fn chained(forms: &mut Forms<'_>, images: &[Image]) -> Option<Poly> {
    let mut common = images.first()?.digits.clone();
    common.retain(|digit| images.iter().all(|image| image.digits.contains(digit)));
    (0..=common.len()).find_map(|n| {
        let outer = &common[n..];
        let inner: Vec<Image> = images.iter().map(|image| image.without(outer)).collect();
        let ends_early = inner.iter().any(|image| image.end.is_some());
        let size = one_behind_the_other(forms, &inner)?;
        if outer.is_empty() {
            return Some(size);
        }
        let outer = Image {
            start: Poly::default(),
            digits: outer.to_vec(),
            end: None,
        };
        outer.size(&size).filter(|_| !ends_early)
    })
}

/// The end of the images, if each begins where another ends, the first at 0.
fn one_behind_the_other(forms: &mut Forms<'_>, images: &[Image]) -> Option<Poly> {
    let one = Poly::number(1);
    // By where they start; what ends early comes last, and what is empty does not matter.
    let mut left: Map<&Poly, VecDeque<(&Image, Poly)>> = Map::new();
    for ends_early in [false, true] {
        for image in images.iter().filter(|i| i.end.is_some() == ends_early) {
            let size = image.size(&one)?;
            left.entry(&image.start)
                .or_default()
                .push_back((image, size));
        }
    }
    let (mut at, mut number) = (Poly::default(), images.len());
    while number > 0 {
        let (image, size) = left.get_mut(&at)?.pop_front()?;
        number -= 1;
        at = image.start.add(&size);
        if let Some(end) = &image.end {
            if number > 0 || !forms.prove(&at.sub(end)) || !forms.prove(&end.sub(&image.start)) {
                return None;
            }
            at = end.clone();
        }
    }
    Some(at)
}

/// Makes one image of some that have the same digits and equal distances.
fn merge(images: &mut Vec<Image>) -> bool {
    for n in 0..images.len() {
        let same = |image: &Image| {
            image.digits == images[n].digits && image.end.is_none() && images[n].end.is_none()
        };
        let mut group: Vec<(i128, usize)> = Vec::new();
        for (m, image) in images.iter().enumerate().filter(|(_, image)| same(image)) {
            group.extend(
                image
                    .start
                    .sub(&images[n].start)
                    .as_number()
                    .map(|distance| (distance, m)),
            );
        }
        group.sort_unstable();
        if let Some((distance, members)) = progression(&group) {
            let mut merged = images[members[0]].clone();
            merged.digits.push(Digit {
                stride: Poly::number(distance),
                count: Poly::number(members.len() as i128),
            });
            sort(&mut merged.digits);
            let gone: Set<usize> = members.into_iter().collect();
            let mut m = 0..;
            images.retain(|_| m.next().is_some_and(|m| !gone.contains(&m)));
            images.push(merged);
            return true;
        }
    }
    false
}

/// The longest beginning of sorted numbers that are at one distance from each other, if it has two
/// members or more.
fn progression(group: &[(i128, usize)]) -> Option<(i128, Vec<usize>)> {
    let [(first, _), (second, _), ..] = group else {
        return None;
    };
    let distance = second - first;
    let members = group
        .iter()
        .zip(0..)
        .take_while(|((at, _), n)| *at == first + n * distance);
    let members: Vec<usize> = members.map(|((_, m), _)| *m).collect();
    (distance > 0).then_some((distance, members))
}

/// How blocks share the elements, if the stores write all of them: each block writes a chunk of a known
/// size, of which the last may be cut short by the end of the array.
fn pattern(
    forms: &mut Forms<'_>,
    sites: &Sites,
    stores: &[Site],
    (images, length): (Option<&[Image]>, &Poly),
) -> WritePattern {
    let mut is_ragged = false;
    let mut chunk = || -> Option<u32> {
        let mut chunk = None;
        for (site, image) in stores.iter().zip(images?) {
            let Some(Step::Loop(number)) = site.path.first() else {
                return None;
            };
            let around = &sites.loops[*number];
            let (stride, _) = site.poly.split(around.atom)?;
            let stride = stride
                .as_number()
                .filter(|_| around.rounds == Rounds::Blocks)?;
            if let Some(end) = &image.end {
                // Elements are left out at the end of the array alone.
                is_ragged = true;
                forms.equal(end, length).then_some(())?;
            }
            if chunk.is_some_and(|known| known != stride) {
                return None;
            }
            chunk = Some(stride);
        }
        // The whole is covered, so that chunks with this distance, in order of blocks, are what
        // each block writes.
        chunk
            .filter(|_| chunk_is_block(sites, stores, images))
            .and_then(|n| n.try_into().ok())
            .filter(|n| *n > 0)
    };
    match chunk() {
        None => WritePattern::Scattered,
        Some(n) if is_ragged => WritePattern::Ragged(n),
        // One block, which writes less than its piece.
        Some(n) if length.as_number().is_some_and(|length| length < n.into()) => {
            WritePattern::Ragged(n)
        }
        Some(n) => WritePattern::Chunks(n),
    }
}

/// Do the elements of block 0 lie below the distance of the blocks?
fn chunk_is_block(sites: &Sites, stores: &[Site], images: Option<&[Image]>) -> bool {
    stores
        .iter()
        .zip(images.unwrap_or_default())
        .all(|(site, image)| {
            let Some(Step::Loop(number)) = site.path.first() else {
                return false;
            };
            let around = &sites.loops[*number];
            let Some(stride) = site
                .poly
                .split(around.atom)
                .and_then(|(stride, _)| stride.as_number())
            else {
                return false;
            };
            let mut digits = image.digits.clone();
            let blocks = Digit {
                stride: Poly::number(stride),
                count: around.length.clone(),
            };
            if let Some(at) = digits.iter().position(|digit| *digit == blocks) {
                digits.remove(at);
            } else if around.length != Poly::number(1) {
                return false;
            }
            let last = digits.iter().try_fold(image.start.clone(), |last, digit| {
                Some(last.add(&digit.stride.times(&digit.count.shift(-1))?))
            });
            image.start.constant() >= 0
                && image.start.as_number().is_some()
                && last.and_then(|l| l.as_number()).is_some_and(|l| l < stride)
        })
}
