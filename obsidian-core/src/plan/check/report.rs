//! The reports of the checks: from what was found to the words of the catalogue.

use super::forms::Forms;
use super::samples::{Sample, elements, words};
use super::sites::{Access, Rounds, Site, Sites};
use crate::error::{Diagnostic, Origin, catalogue};
use crate::scalar::{Array, ArrayPlace, Node, Role};

/// What an array is called in messages.
pub(super) fn name(array: &Array) -> String {
    match array.place {
        ArrayPlace::Global(Role::Output) if array.name == "output" => "the output".to_owned(),
        ArrayPlace::Global(Role::Output) => format!("the output `{}`", array.name),
        _ if array.name == "stored" => "the stored array".to_owned(),
        _ => format!("`{}`", array.name),
    }
}

/// The sample in words, where it matters: lengths of parameters do not for what a kernel stores.
fn when(forms: &Forms<'_>, array: &Array, sample: &Sample) -> String {
    let given = matches!(array.place, ArrayPlace::Global(_));
    let matters = sample
        .iter()
        .filter(|(leaf, _)| given || matches!(leaf, Node::Variable(_)));
    words(forms, &matters.copied().collect())
}

fn verb(access: Access) -> &'static str {
    match access {
        Access::Load | Access::Read => "reads",
        Access::Write => "writes",
        Access::Atomic => "changes",
    }
}

pub(super) fn written_twice(
    forms: &Forms<'_>,
    array: &Array,
    element: u64,
    who: &[String; 2],
    stores: [&Site; 2],
    sample: &Sample,
) -> Diagnostic {
    let length = when(forms, array, sample);
    catalogue::written_twice(&name(array), element, [&who[0], &who[1]], &length)
        .at(place(stores[1], array))
        .also(place(stores[0], array), "the other write")
}

pub(super) fn never_written(
    forms: &Forms<'_>,
    array: &Array,
    [element, length]: [u64; 2],
    store: Option<&Site>,
    sample: &Sample,
) -> Diagnostic {
    let origin = store.map_or(array.origin, |site| place(site, array));
    catalogue::never_written(
        &name(array),
        element,
        &elements(length),
        &when(forms, array, sample),
    )
    .at(origin)
}

/// Are there `enough` writes, as many as elements?
pub(super) fn maybe_not_once(array: &Array, stores: &[&Site], enough: bool) -> Diagnostic {
    let first = stores.iter().find(|site| !site.promises.distinct);
    let first = first.or(stores.first());
    catalogue::maybe_not_once(&name(array), enough, stores.len() > 1)
        .at(first.map_or(array.origin, |site| place(site, array)))
}

pub(super) fn outside(
    forms: &Forms<'_>,
    array: &Array,
    site: &Site,
    [element, length]: [u64; 2],
    who: &str,
    sample: &Sample,
) -> Diagnostic {
    catalogue::outside_when_run(
        who,
        verb(site.access),
        element,
        &name(array),
        &elements(length),
        &when(forms, array, sample),
    )
    .at(place(site, array))
}

/// `unproved` is the inequality that would have to hold.
pub(super) fn maybe_outside(array: &Array, site: &Site, unproved: Option<String>) -> Diagnostic {
    catalogue::maybe_outside(&name(array), verb(site.access), unproved.as_deref())
        .at(place(site, array))
}

pub(super) fn race(
    forms: &Forms<'_>,
    rounds: Rounds,
    array: &Array,
    element: u64,
    who: &[String; 2],
    pair: [&Site; 2],
    sample: &Sample,
) -> Diagnostic {
    let verbs = pair.map(|site| verb(site.access));
    catalogue::race(
        &name(array),
        element,
        [&who[0], &who[1]],
        verbs,
        &when(forms, array, sample),
        words_of(rounds),
    )
    .at(place(changing(pair)[0], array))
    .also(place(changing(pair)[1], array), "the other access")
}

/// What two loops over blocks do to one element, the earlier access first in `pair`; nothing is
/// known of an element for `None`. It is reported at the later access.
pub(super) fn unordered_blocks(
    forms: &Forms<'_>,
    array: &Array,
    known: Option<(u64, [&str; 2])>,
    pair: [&Site; 2],
    sample: &Sample,
) -> Diagnostic {
    let verbs = pair.map(|site| verb(site.access));
    let wrong = match known {
        Some((element, who)) => catalogue::unordered_blocks(
            &name(array),
            element,
            who,
            verbs,
            &when(forms, array, sample),
        ),
        None => {
            catalogue::maybe_unordered_blocks(&name(array), verbs, std::ptr::eq(pair[0], pair[1]))
        }
    };
    let [earlier, later] = pair.map(|site| place(site, array));
    wrong.at(later).also(earlier, "the earlier access")
}

pub(super) fn maybe_race(array: &Array, pair: [&Site; 2], sites: &Sites) -> Diagnostic {
    let [a, b] = pair.map(|site| &site.path[..]);
    let common = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let rounds = sites.around(&a[..common]).map(|(_, around)| around.rounds);
    let last = rounds.filter(|rounds| *rounds != Rounds::InOrder).last();
    let who = words_of(last.unwrap_or(Rounds::Blocks));
    let verbs = pair.map(|site| verb(site.access));
    catalogue::maybe_race(&name(array), who, verbs, std::ptr::eq(pair[0], pair[1]))
        .at(place(changing(pair)[0], array))
        .also(place(changing(pair)[1], array), "the other access")
}

/// Who executes the rounds of a loop, in words.
fn words_of(rounds: Rounds) -> &'static str {
    match rounds {
        Rounds::Warps => "warps",
        Rounds::Threads(_) => "threads",
        Rounds::Blocks | Rounds::InOrder => "blocks",
    }
}

/// Of two accesses the one that changes something, the later one if both do, and the other one.
fn changing([a, b]: [&Site; 2]) -> [&Site; 2] {
    match super::coverage_points::changes(b.access) {
        true => [b, a],
        false => [a, b],
    }
}

pub(super) fn place(site: &Site, array: &Array) -> Origin {
    if site.origin == Origin::UNKNOWN {
        array.origin
    } else {
        site.origin
    }
}
