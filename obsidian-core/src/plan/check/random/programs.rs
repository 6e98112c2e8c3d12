//! Programs that are right, to be changed.

use super::term::Term;

/// What each thread of a loop does: in some rounds, under a condition, it reads an element (of another
/// array, of `n` elements, where the program has an output) and writes one.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// Around the loop over blocks, if it has one of its own.
    pub(super) when: Term,
    pub(super) threads: Term,
    /// Around all that a thread does.
    pub(super) guard: Term,
    pub(super) cell: Option<Cell>,
    /// Ends the loop of the rounds, or what stands around it.
    pub(super) leave: Option<(Leaves, Term)>,
    pub(super) rounds: Term,
    pub(super) condition: Term,
    pub(super) read: Option<Term>,
    pub(super) index: Term,
}

/// What a condition leaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Leaves {
    /// The loop of the rounds.
    Rounds,
    /// A loop of one round around it.
    Around,
}

/// A cell that a loop changes, before anything else.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub(super) start: Term,
    pub(super) rounds: Term,
    /// The element of the other array that is read in each round, if there is one.
    pub(super) probe: Option<Term>,
    pub(super) next: Term,
}

/// The array that a program writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Each element is to be written once.
    Output,
    /// Its elements change, and no two threads may access the same one.
    Shared,
    /// The same, with all blocks.
    Buffer,
    /// The same, each part in a loop over blocks of its own, under a condition of its own.
    Apart,
    /// The same, all parts in one loop over blocks, in three rounds of a loop of the grid.
    Again,
    /// In shared memory, all parts in three rounds of a loop of the block.
    Looped,
}

#[derive(Clone, Debug)]
pub(super) struct Program {
    pub(super) kind: Kind,
    pub(super) length: Term,
    pub(super) blocks: Term,
    /// What a launch requires: a length, a word, and another length.
    pub(super) requires: Vec<(Term, &'static str, Term)>,
    pub(super) parts: Vec<Part>,
}

/// All programs; the first one is the first line that says one.
const TEXT: &str = include_str!("programs.txt");
/// A condition that always holds.
const YES: &str = "(0 < 1)";
/// What two lengths may have to be to each other.
const REQUIRED: [&str; 3] = ["divided_by", "equal", "at_least"];

/// The lines that say a program.
fn lines() -> impl Iterator<Item = &'static str> {
    let is_program = |line: &&str| !line.is_empty() && !line.starts_with('#');
    TEXT.lines().filter(is_program)
}

/// The number of programs.
pub(super) fn count() -> usize {
    lines().count()
}

impl Program {
    pub(super) fn right(n: usize) -> Program {
        let line = lines().nth(n % count());
        Program::read(line.expect("a number below that of the lines"))
    }

    /// Does an argument occur anywhere?
    pub(super) fn mentions(&self, name: &str) -> bool {
        let required = self
            .requires
            .iter()
            .flat_map(|(length, _, other)| [length, other]);
        let own = [&self.length, &self.blocks].into_iter().chain(required);
        let mut all = own.chain(self.parts.iter().flat_map(Part::terms));
        all.any(|term| term.mentions(name))
    }

    fn read(line: &'static str) -> Program {
        let mut parts = line.split(" :: ");
        let head = fields(parts.next().unwrap_or_default());
        let [(kind, length), (_, blocks), required @ ..] = &*head else {
            panic!("a program begins with its array and the number of blocks: {line}");
        };
        Program {
            kind: Kind::read(kind),
            length: Term::read(length),
            blocks: Term::read(blocks),
            requires: required.iter().map(|(_, text)| require(text)).collect(),
            parts: parts.map(|part| Part::of_names(&fields(part))).collect(),
        }
    }
}

impl Kind {
    fn read(word: &str) -> Kind {
        match word {
            "output" => Kind::Output,
            "shared" => Kind::Shared,
            "buffer" => Kind::Buffer,
            "apart" => Kind::Apart,
            "again" => Kind::Again,
            "looped" => Kind::Looped,
            _ => panic!("no kind of array: {word}"),
        }
    }
}

/// Names and what they are, one behind the other with `;` between.
fn fields(text: &'static str) -> Vec<(&'static str, &'static str)> {
    let field = |field: &'static str| field.split_once(' ').expect("a name and a value");
    text.split(" ; ").map(field).collect()
}

/// What a launch requires: a length, a word, and another length.
fn require(text: &str) -> (Term, &'static str, Term) {
    let words = REQUIRED.iter().find_map(|word| {
        let (length, other) = text.split_once(&format!(" {word} "))?;
        Some((Term::read(length), *word, Term::read(other)))
    });
    words.unwrap_or_else(|| panic!("nothing is required: {text}"))
}

impl Part {
    fn terms(&self) -> Vec<&Term> {
        let Part {
            when,
            threads,
            guard,
            rounds,
            condition,
            index,
            ..
        } = self;
        let mut terms = vec![when, threads, guard, rounds, condition, index];
        terms.extend(&self.read);
        terms.extend(self.leave.as_ref().map(|(_, leave)| leave));
        if let Some(Cell {
            start,
            rounds,
            probe,
            next,
        }) = &self.cell
        {
            terms.extend([start, rounds, next]);
            terms.extend(probe);
        }
        terms
    }

    fn of_names(names: &[(&str, &str)]) -> Part {
        let own = |name: &str| {
            let found = names.iter().find(|(own, _)| *own == name);
            found.map(|(_, text)| Term::read(text))
        };
        let or = |name: &str, otherwise: &str| own(name).unwrap_or_else(|| Term::read(otherwise));
        let cell = own("start").map(|start| Cell {
            start,
            rounds: or("steps", "2"),
            probe: own("probe"),
            next: or("next", "q"),
        });
        let leave = |leaves, name| own(name).map(|leave| (leaves, leave));
        Part {
            when: Term::read(YES),
            threads: or("threads", "1"),
            guard: or("guard", YES),
            cell,
            leave: leave(Leaves::Rounds, "break").or_else(|| leave(Leaves::Around, "leave")),
            rounds: or("rounds", "1"),
            condition: or("condition", YES),
            read: own("read"),
            index: or("index", "i"),
        }
    }
}
