//! Changes of one place of a program.

use rand::RngExt;
use rand::rngs::StdRng;

use super::programs::{Cell, Kind, Part, Program};
use super::term::Term;

/// A place of a program, and the names that an expression there may use.
type Place<'p> = (&'p mut Term, Vec<&'static str>);

impl Program {
    /// Changes one place.
    pub(super) fn change(&mut self, random: &mut StdRng) {
        let part = random.random_range(0..self.parts.len());
        let (term, names) = match random.random_range(0..12) {
            0 | 1 => self.of_launch(random),
            2 if self.kind == Kind::Apart => (&mut self.parts[part].when, vec!["n", "w"]),
            n => self.parts[part].place(n, matches!(self.kind, Kind::Again | Kind::Looped), random),
        };
        let at = random.random_range(0..term.parts());
        term.change(at, random, &names);
    }

    /// Something that the launch computes.
    fn of_launch(&mut self, random: &mut StdRng) -> Place<'_> {
        // An array in shared memory has a fixed length.
        let fixed = matches!(self.kind, Kind::Shared | Kind::Looped);
        let places = 2 + 2 * self.requires.len();
        let term = match random.random_range(0..places) {
            0 if !fixed => &mut self.length,
            0 | 1 => &mut self.blocks,
            n => {
                let (length, word, other) = &mut self.requires[n / 2 - 1];
                match matches!(*word, "divided_by" | "equal") && n % 2 == 0 {
                    true => other,
                    false => length,
                }
            }
        };
        (term, vec!["n", "w"])
    }
}

impl Part {
    /// One of the places of what threads do.
    fn place(&mut self, n: usize, in_rounds: bool, random: &mut StdRng) -> Place<'_> {
        let mut names = vec!["n", "w", "b", "i"];
        let own = names.clone();
        let cell = self.cell.is_some();
        names.extend(cell.then_some("e"));
        let counts = names.clone();
        names.push("k");
        names.extend(in_rounds.then_some("r"));
        match n {
            2 => (&mut self.threads, vec!["n", "w", "b"]),
            3 => (&mut self.rounds, counts),
            4 | 5 => (&mut self.condition, names),
            6 if random.random_bool(0.5) => (&mut self.guard, own),
            7 | 8 if cell => self.of_cell(own, random),
            9 if self.leave.is_some() => {
                let leave = self.leave.as_mut().map(|(_, leave)| leave);
                (leave.expect("there is one"), counts)
            }
            7..=9 if self.read.is_some() => (self.read.as_mut().expect("there is one"), names),
            _ => (&mut self.index, names),
        }
    }

    fn of_cell(&mut self, own: Vec<&'static str>, random: &mut StdRng) -> Place<'_> {
        let Cell {
            start,
            rounds,
            probe,
            next,
        } = self.cell.as_mut().expect("there is one");
        let inner = [&own[..], &["q"]].concat();
        match (random.random_range(0..4), probe) {
            (0, _) => (start, own),
            (1, _) => (rounds, own),
            (2, Some(probe)) => (probe, inner),
            _ => (next, inner),
        }
    }
}
