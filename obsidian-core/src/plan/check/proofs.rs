//! What has been proved, so that it is not proved again.
//!
//! *Claim.* [`Proofs::verdict`] says what a proof of the goal has come to, or would come to.
//!
//! *Argument.* Equal lists of facts have the same number: a list is the number of the list without its last fact,
//! and that fact. What follows from a list follows from each longer one that begins with it. Where `goal >= 0` is proved, so is
//! `goal + 1 >= 0`: neighbouring elements cost one proof. A goal that was not proved is given up at once only if facts, atoms and divisors
//! are as they were.

use super::poly::Poly;
use crate::hashed::HashMap;

/// The number of a list of facts; 0: no facts.
type List = u32;

/// What a proof that has failed depended on besides the facts: how many atoms, and how many divisors that may be 0.
type Others = (usize, usize);

/// Goals, by the lists of facts from which they follow, or do not.
#[derive(Default, Debug)]
pub(super) struct Proofs {
    // Only looked up in, never walked.
    numbers: HashMap<(List, Poly), List>,
    /// The number of facts of each list but for the empty one.
    lengths: Vec<usize>,
    /// The lists of the first fact, the first two, and so on, as far as they are known.
    present: Vec<List>,
    /// By the goal without its constant: the lists, and the least constant for which it follows.
    proved: HashMap<Poly, Vec<(List, i128)>>,
    failed: HashMap<(List, Poly), Others>,
}

impl Proofs {
    /// Forgets the lists that are longer than `from` facts.
    pub(super) fn forget(&mut self, from: usize) {
        self.present.truncate(from);
    }

    /// The number of the present list.
    fn number(&mut self, facts: &[Poly]) -> List {
        for fact in facts.iter().skip(self.present.len()) {
            let before = self.present.last().copied().unwrap_or(0);
            let new = self.lengths.len() as List + 1;
            let number = *self.numbers.entry((before, fact.clone())).or_insert(new);
            self.present.push(number);
            if number == new {
                self.lengths.push(self.present.len());
            }
        }
        self.present.last().copied().unwrap_or(0)
    }

    fn is_present(&self, list: List) -> bool {
        let Some(position) = list.checked_sub(1) else {
            return true;
        };
        let length = self.lengths.get(position as usize);
        length.is_some_and(|length| self.present.get(length - 1) == Some(&list))
    }

    /// What is known of a goal.
    pub(super) fn verdict(&mut self, facts: &[Poly], goal: &Poly, others: Others) -> Option<bool> {
        let list = self.number(facts);
        let (rest, constant) = apart(goal);
        let proved = self.proved.get(&rest).into_iter().flatten();
        let mut enough = proved.filter(|(_, least)| *least <= constant);
        if enough.any(|(list, _)| self.is_present(*list)) {
            return Some(true);
        }
        let failed = self.failed.get(&(list, goal.clone()));
        failed.filter(|then| **then == others).map(|_| false)
    }

    /// Notes what a proof has come to.
    pub(super) fn note(&mut self, facts: &[Poly], goal: Poly, others: Others, is_proved: bool) {
        let list = self.number(facts);
        match is_proved {
            true => {
                let (rest, constant) = apart(&goal);
                self.proved.entry(rest).or_default().push((list, constant));
            }
            false => drop(self.failed.insert((list, goal), others)),
        }
    }
}

/// A goal without its constant, and the constant.
fn apart(goal: &Poly) -> (Poly, i128) {
    let constant = goal.constant();
    (goal.shift(-constant), constant)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::check::poly::Atom;

    #[test]
    fn what_follows_from_facts_follows_from_more_facts_and_from_no_others() {
        let [a, b, c, goal] = [0, 1, 2, 3].map(|n| Poly::atom(Atom(n)));
        let mut proofs = Proofs::default();
        let mut facts = vec![a.clone(), b.clone()];
        proofs.note(&facts, goal.clone(), (4, 0), true);
        facts.push(c.clone());
        assert_eq!(proofs.verdict(&facts, &goal, (9, 9)), Some(true));
        assert_eq!(proofs.verdict(&facts, &goal.shift(7), (4, 0)), Some(true));
        assert_eq!(proofs.verdict(&facts, &goal.shift(-1), (4, 0)), None);
        assert_eq!(proofs.verdict(&facts, &a, (4, 0)), None);
        facts.truncate(1);
        proofs.forget(1);
        assert_eq!(proofs.verdict(&facts, &goal, (4, 0)), None);
        facts.push(c);
        assert_eq!(proofs.verdict(&facts, &goal, (4, 0)), None);
        facts.truncate(1);
        proofs.forget(1);
        facts.push(b);
        assert_eq!(proofs.verdict(&facts, &goal, (4, 0)), Some(true));
    }

    #[test]
    fn what_has_failed_is_tried_again_with_other_facts_or_atoms() {
        let [a, b, goal] = [0, 1, 2].map(|n| Poly::atom(Atom(n)));
        let mut proofs = Proofs::default();
        let mut facts = vec![a];
        proofs.note(&facts, goal.clone(), (3, 0), false);
        assert_eq!(proofs.verdict(&facts, &goal, (3, 0)), Some(false));
        assert_eq!(proofs.verdict(&facts, &goal, (4, 0)), None);
        assert_eq!(proofs.verdict(&facts, &goal, (3, 1)), None);
        facts.push(b);
        assert_eq!(proofs.verdict(&facts, &goal, (3, 0)), None);
    }
}
