//! Coverage of rows of unequal lengths that lie one behind the other: the lower triangle of a
//! matrix, row `y` from `y * (y + 1) / 2` on.
//!
//! *Claim.* The store writes each element up to the length once.
//!
//! *Argument.* By induction over the outermost loop, of `n` rounds. What is written in round `c` are
//! `size(c)` elements from `start(c)` on, each once ([`image`](super::image)). As `start(0) = 0`,
//! `start(c + 1) = start(c) + size(c)` and `start(n)` is the length, each is written in one round.
//!
//! *Method.* The start is a polynomial of the counter and of quotients by numbers of such. If `x`
//! grows by `y * m` from one round to the next, `x / y` grows by `m`.
//!
//! *Not covered.* Several stores, and rows under conditions around their loop.

use super::facts::Kind;
use super::forms::Forms;
use super::poly::{Atom, Poly};
use super::sites::{Around, Site, Sites, Step};

/// Do the rounds of the outermost loop behind some steps write rows one behind the other?
pub(super) fn rows(
    forms: &mut Forms<'_>,
    sites: &Sites,
    site: &Site,
    length: &Poly,
    outside: usize,
) -> Option<bool> {
    // Loops of one round are no rows; one that may end early is not executed to its end.
    let one = |around: &Around| around.length == Poly::number(1) && !around.breaks;
    let single = |step: &&Step| matches!(step, Step::Loop(n) if one(&sites.loops[*n]));
    let outside = outside + site.path[outside..].iter().take_while(single).count();
    let Some(Step::Loop(number)) = site.path.get(outside).copied() else {
        return None;
    };
    let around = Some(&sites.loops[number]).filter(|around| !around.breaks)?;
    let (counter, count) = (around.atom, forms.value(around.count));
    let mark = forms.enter();
    forms.replay(sites, &site.path[..=outside], None);
    let inner = forms.enter();
    forms.replay(sites, &site.path[outside + 1..], Some(0));
    let image =
        (forms.ring(site.index) == site.poly).then(|| forms.image(sites, site, outside + 1));
    forms.leave(inner);
    let image = image.flatten();
    let image = image.filter(|(_, owed)| owed.iter().all(|owed| forms.prove(owed)));
    forms.leave(mark);
    let (image, _) = image?;
    let size = image
        .size(&Poly::number(1))
        .filter(|_| image.end.is_none())?;
    let start = image.start;
    let first = forms.start_at(&start, counter, &Poly::default())?;
    let last = forms.start_at(&start, counter, &count)?;
    let step = forms.step(&start, counter)?;
    Some(first == Poly::default() && step == size && forms.equal(&last, length))
}

impl Forms<'_> {
    /// A start in another round: quotients by numbers are worked out.
    fn start_at(&mut self, start: &Poly, counter: Atom, round: &Poly) -> Option<Poly> {
        let mut sum = start.clone();
        for (atom, x, y) in self.quotients(start, counter)? {
            // Behind the last round it may be what no round divides: a number below 0.
            let x = x.with(counter, round)?;
            let quotient = self.prove(&x).then(|| self.divided(&x, &y, true));
            sum = sum.with(atom, &quotient?)?;
        }
        sum.with(counter, round)
    }

    /// By how much a start grows from one round to the next.
    fn step(&mut self, start: &Poly, counter: Atom) -> Option<Poly> {
        let next = Poly::atom(counter).shift(1);
        let mut after = start.with(counter, &next)?;
        for (atom, x, y) in self.quotients(start, counter)? {
            let more = x.with(counter, &next)?.sub(&x).divide_exactly(&y)?;
            after = after.with(atom, &Poly::atom(atom).add(&more))?;
        }
        Some(after.sub(start))
    }

    /// The quotients by numbers in a start that change from round to round; `None` if something else
    /// does.
    fn quotients(&self, start: &Poly, counter: Atom) -> Option<Vec<(Atom, Poly, Poly)>> {
        let own = [counter].into();
        let made = start.atoms().into_iter();
        let made = made.filter(|atom| *atom != counter && self.atom_depends(*atom, &own));
        made.map(|atom| match self.facts.kind(atom) {
            Kind::Div(x, y) if y.as_number().is_some_and(|n| n > 0) => {
                let sums = x.atoms().into_iter();
                let mut sums = sums.filter(|part| *part != counter);
                let fixed = sums.all(|part| !self.atom_depends(part, &own));
                fixed.then(|| (atom, x.clone(), y.clone()))
            }
            _ => None,
        })
        .collect()
    }
}
