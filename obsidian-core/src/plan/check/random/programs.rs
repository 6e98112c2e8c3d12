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
    /// Its elements change, and no two threads may meet at one.
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

/// A program in words: the array, its length, blocks, and threads, rounds, condition and elements
/// of each part.
type Words = (
    Kind,
    &'static str,
    &'static str,
    &'static [[&'static str; 5]],
);

/// A program with what not all have: the array, its length, blocks, requirements, and for each part what
/// it has, by name.
type Named = (
    Kind,
    [&'static str; 2],
    &'static [[&'static str; 3]],
    &'static [&'static [(&'static str, &'static str)]],
);

/// No element is read.
const NO: &str = "";
/// A condition that always holds.
const YES: &str = "(0 < 1)";
/// Blocks of 8 elements, the last one perhaps with fewer.
const EIGHTHS: &str = "((n /' 8) +' min((n %' 8), 1))";
const AT: &str = "((b *' 8) +' i)";

use Kind::{Again, Apart, Buffer, Looped, Output, Shared};

/// The number of programs.
pub(super) const COUNT: usize = RIGHT.len() + NAMED.len();

impl Program {
    pub(super) fn right(n: usize) -> Program {
        let n = n % COUNT;
        match RIGHT.get(n) {
            Some(words) => Program::of_words(words),
            None => Program::of_names(&NAMED[n - RIGHT.len()]),
        }
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

    fn of_words((kind, length, blocks, parts): &Words) -> Program {
        let part = |[threads, rounds, condition, read, index]: &[&str; 5]| Part {
            threads: Term::read(threads),
            rounds: Term::read(rounds),
            condition: Term::read(condition),
            read: (!read.is_empty()).then(|| Term::read(read)),
            ..Part::of_names(&[("index", index)])
        };
        Program {
            kind: *kind,
            length: Term::read(length),
            blocks: Term::read(blocks),
            requires: Vec::new(),
            parts: parts.iter().map(part).collect(),
        }
    }

    fn of_names((kind, [length, blocks], requires, parts): &Named) -> Program {
        let required = |[length, word, other]: &[&'static str; 3]| {
            (Term::read(length), *word, Term::read(other))
        };
        Program {
            kind: *kind,
            length: Term::read(length),
            blocks: Term::read(blocks),
            requires: requires.iter().map(required).collect(),
            parts: parts.iter().map(|names| Part::of_names(names)).collect(),
        }
    }
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

const RIGHT: &[Words] = &[
    (
        Output,
        "n",
        EIGHTHS,
        &[["8", "1", "(((b *' 8) +' i) < n)", NO, AT]],
    ),
    (
        Output,
        "n",
        EIGHTHS,
        &[["min((n -' (b *' 8)), 8)", "1", YES, NO, AT]],
    ),
    (
        Output,
        "n",
        EIGHTHS,
        &[[
            "4",
            "2",
            "(((b *' 8) +' ((k *' 4) +' i)) < n)",
            NO,
            "((b *' 8) +' ((k *' 4) +' i))",
        ]],
    ),
    (
        Output,
        "(n *' 8)",
        "n",
        &[["8", "1", YES, NO, "((b *' 8) +' (i ^ 5))"]],
    ),
    (
        Output,
        "(n *' 8)",
        "n",
        &[["8", "1", YES, NO, "(((b *' 8) +' i) ^ 3)"]],
    ),
    (
        Output,
        "(n *' 8)",
        "n",
        &[
            ["4", "1", YES, NO, "((b *' 8) +' (i *' 2))"],
            ["4", "1", YES, NO, "((b *' 8) +' ((i *' 2) +' 1))"],
        ],
    ),
    (
        Output,
        "(n *' 8)",
        "n",
        &[["8", "1", YES, NO, "((i *' n) +' b)"]],
    ),
    (
        Output,
        "(n *' 8)",
        "8",
        &[["n", "1", YES, NO, "((b *' n) +' i)"]],
    ),
    (
        Output,
        "(n *' 32)",
        "n",
        &[["8", "4", YES, NO, "((b *' 32) +' ((k *' 8) +' i))"]],
    ),
    (
        Output,
        "(n *' 8)",
        "n",
        &[["8", "1", YES, NO, "((b *' 8) +' ((i + n) % 8))"]],
    ),
    (
        Output,
        "(n *' 8)",
        "n",
        &[[
            "8",
            "1",
            YES,
            NO,
            "((b *' 8) +' select((i < 3), (2 -' i), i))",
        ]],
    ),
    (
        Output,
        "(n *' n)",
        "n",
        &[["n", "1", YES, NO, "((b *' n) +' i)"]],
    ),
    (
        Output,
        "(n *' n)",
        "n",
        &[["n", "1", YES, NO, "((i *' n) +' ((n -' 1) -' b))"]],
    ),
    (Output, "n", "1", &[["n", "1", YES, NO, "((n -' 1) -' i)"]]),
    (
        Output,
        "(n *' 2)",
        "n",
        &[
            ["1", "1", YES, NO, "(b *' 2)"],
            ["1", "1", YES, NO, "((b *' 2) +' 1)"],
        ],
    ),
    (
        Output,
        "((n /' 3) *' 3)",
        "(n /' 3)",
        &[["3", "1", YES, NO, "((b *' 3) +' i)"]],
    ),
    (
        Output,
        "(n *' min(n, 32))",
        "n",
        &[[
            "16",
            "2",
            "(((k *' 16) +' i) < min(n, 32))",
            NO,
            "((b *' min(n, 32)) +' ((k *' 16) +' i))",
        ]],
    ),
    (
        Output,
        "16",
        "2",
        &[["8", "1", YES, NO, "((b *' 8) +' ((i *' 3) % 8))"]],
    ),
    (
        Output,
        "(4 +' n)",
        "1",
        &[["4", "1", YES, NO, "i"], ["n", "1", YES, NO, "(4 +' i)"]],
    ),
    (
        Output,
        "n",
        "((n +' 7) /' 8)",
        &[[
            "8",
            "1",
            "(((b *' 8) +' i) < n)",
            "((n - 1) - ((b *' 8) +' i))",
            AT,
        ]],
    ),
    (
        Output,
        "n",
        "((n +' 7) /' 8)",
        &[[
            "8",
            "1",
            "(((b *' 8) +' i) < n)",
            NO,
            "select(((((b * 8) + i) % 2) == 0), (((b * 8) + i) / 2), (((n + 1) / 2) + (((b * 8) + i) / 2)))",
        ]],
    ),
    (
        Output,
        "n",
        EIGHTHS,
        &[[
            "8",
            "1",
            "(((b *' 8) +' i) < n)",
            "smin(smax((((b *' 8) +' i) s- 1), 0), (n s- 1))",
            AT,
        ]],
    ),
    (Output, "8", "1", &[["8", "1", YES, "min(i, (n - 1))", "i"]]),
    (Output, "8", "1", &[["8", "1", YES, "(i % n)", "i"]]),
    (
        Output,
        "8",
        "1",
        &[["8", "1", YES, "select((i < n), i, 0)", "i"]],
    ),
    (
        Output,
        "8",
        "1",
        &[["8", "1", YES, "smin(i, (n s- 1))", "i"]],
    ),
    (
        Output,
        "8",
        "1",
        &[[
            "8",
            "1",
            YES,
            "select(((0 s<= (i s- 1)) & ((i s- 1) s< n)), (i - 1), 0)",
            "i",
        ]],
    ),
    (
        Buffer,
        "n",
        "1",
        &[[
            "8",
            "1",
            "((0 s<= (i s- 1)) & ((i s- 1) s< n))",
            "(i - 1)",
            "(i - 1)",
        ]],
    ),
    (
        Buffer,
        "n",
        "1",
        &[[
            "8",
            "(((n + 7) - i) / 8)",
            YES,
            "((k * 8) + i)",
            "((k * 8) + i)",
        ]],
    ),
    (
        Buffer,
        "(n *' 5)",
        "((n *' 5) / n)",
        &[["n", "1", YES, "((b * n) + i)", "((b * n) + i)"]],
    ),
    (
        Buffer,
        "(n *' 8)",
        "n",
        &[[
            "4",
            "1",
            YES,
            "((b * 8) + ((((i * 2) + (b % 2)) + 7) % 8))",
            "((b * 8) + ((i * 2) + (b % 2)))",
        ]],
    ),
    (
        Buffer,
        "(n *' 16)",
        "n",
        &[[
            "8",
            "1",
            YES,
            "((b * 16) + (((i / 4) * 8) + (i % 4)))",
            "(((b * 16) + (((i / 4) * 8) + (i % 4))) + 4)",
        ]],
    ),
    (
        Looped,
        "64",
        "2",
        &[["32", "1", "(i < (32 >> r))", "(i + (32 >> r))", "i"]],
    ),
    (
        Looped,
        "64",
        "n",
        &[["(32 >> r)", "1", YES, "(i + (32 >> r))", "i"]],
    ),
    (
        Looped,
        "64",
        "2",
        &[[
            "64",
            "1",
            "(((i / 8) > r) & ((i % 8) > r))",
            "((r * 8) + (i % 8))",
            "i",
        ]],
    ),
    (
        Looped,
        "64",
        "2",
        &[[
            "8",
            "1",
            "(i < (8 >> r))",
            "((r * 8) + i)",
            "(((r + 1) * 8) + i)",
        ]],
    ),
    (Shared, "64", "2", &[["64", "1", YES, "i", "i"]]),
    (
        Shared,
        "64",
        "2",
        &[["16", "4", YES, "((i *' 4) +' k)", "((i *' 4) +' k)"]],
    ),
    (
        Shared,
        "64",
        "2",
        &[["16", "4", YES, "((k *' 16) +' i)", "((k *' 16) +' i)"]],
    ),
    (
        Shared,
        "64",
        "2",
        &[
            ["min(n, 64)", "1", YES, "i", "i"],
            ["64", "1", "(i < n)", "(63 -' i)", "(63 -' i)"],
        ],
    ),
    (
        Shared,
        "64",
        "2",
        &[[
            "32",
            "1",
            YES,
            "(((n % 2) *' 32) +' i)",
            "(((n % 2) *' 32) +' i)",
        ]],
    ),
    (Shared, "64", "2", &[["n", "1", "(i < 64)", "i", "i"]]),
    (
        Shared,
        "64",
        "2",
        &[[
            "16",
            "(n % 5)",
            YES,
            "((i *' 4) +' (k % 4))",
            "((i *' 4) +' ((k + 1) % 4))",
        ]],
    ),
    (Shared, "64", "2", &[["64", "1", YES, "(i ^ 5)", "(i ^ 5)"]]),
    (
        Shared,
        "64",
        "2",
        &[[
            "16",
            "n",
            "(k < 4)",
            "((i *' 4) +' k)",
            "((i *' 4) +' (3 -' k))",
        ]],
    ),
    (
        Shared,
        "64",
        "2",
        &[["64", "1", "((i % 2) == 0)", "i", "(i +' 1)"]],
    ),
    (Shared, "64", "2", &[["64", "n", "(i == k)", "i", "i"]]),
    (
        Buffer,
        "n",
        EIGHTHS,
        &[["8", "1", "(((b *' 8) +' i) < n)", AT, AT]],
    ),
    (
        Buffer,
        "(n *' 8)",
        "n",
        &[
            ["8", "1", YES, AT, AT],
            [
                "8",
                "1",
                YES,
                "((b *' 8) +' (7 -' i))",
                "((b *' 8) +' (7 -' i))",
            ],
        ],
    ),
    (
        Buffer,
        "(n *' 8)",
        "n",
        &[[
            "4",
            "2",
            YES,
            "((b *' 8) +' ((k *' 4) +' i))",
            "((b *' 8) +' ((k *' 4) +' i))",
        ]],
    ),
    (
        Buffer,
        "(n *' 8)",
        "n",
        &[[
            "4",
            "2",
            YES,
            "((b *' 8) +' (i *' 2))",
            "((b *' 8) +' ((i *' 2) +' 1))",
        ]],
    ),
    (
        Buffer,
        "(n *' n)",
        "n",
        &[["n", "1", YES, "((b *' n) +' i)", "((b *' n) +' i)"]],
    ),
    (
        Buffer,
        "(n *' 16)",
        "1",
        &[["16", "n", YES, "((k *' 16) +' i)", "((k *' 16) +' i)"]],
    ),
    (Buffer, "n", "n", &[["1", "1", YES, "b", "b"]]),
    (
        Apart,
        "n",
        "n",
        &[["1", "1", YES, NO, "b"], ["1", "1", YES, "b", "b"]],
    ),
    (
        Apart,
        "(n *' 2)",
        "n",
        &[["1", "1", YES, "b", "b"], ["1", "1", YES, NO, "(n +' b)"]],
    ),
    (
        Apart,
        "n",
        EIGHTHS,
        &[
            ["8", "1", "(((b *' 8) +' i) < n)", AT, AT],
            ["8", "1", "(((b *' 8) +' i) < n)", AT, AT],
        ],
    ),
    (
        Apart,
        "(n *' 8)",
        "n",
        &[["8", "1", YES, NO, AT], ["8", "1", YES, AT, AT]],
    ),
    (
        Apart,
        "(n *' 16)",
        "n",
        &[
            ["8", "1", YES, NO, "((b *' 16) +' (i *' 2))"],
            ["8", "1", YES, NO, "(((b *' 16) +' (i *' 2)) +' 1)"],
        ],
    ),
    (Again, "(n *' 8)", "n", &[["8", "1", YES, AT, AT]]),
    (
        Again,
        "(n *' 8)",
        "n",
        &[
            ["8", "1", "(i < 4)", AT, AT],
            ["8", "1", "(i >= 4)", NO, AT],
        ],
    ),
    (Again, "24", "1", &[["8", "1", YES, NO, "((r *' 8) +' i)"]]),
    (
        Again,
        "(n *' 24)",
        "n",
        &[["8", "1", YES, NO, "((((b *' 3) +' r) *' 8) +' (7 -' i))"]],
    ),
    (
        Again,
        "24",
        "1",
        &[
            ["8", "1", YES, NO, "((r *' 8) +' i)"],
            [
                "8",
                "1",
                YES,
                "((r *' 8) +' (7 -' i))",
                "((r *' 8) +' (7 -' i))",
            ],
        ],
    ),
];

/// Rows and columns, radices and rounds that only the launch knows, triangles, cells.
const NAMED: &[Named] = &[
    // Rows of `w` elements.
    (
        Output,
        ["(n *' w)", "n"],
        &[],
        &[&[("threads", "w"), ("index", "((b *' w) +' i)")]],
    ),
    (
        Output,
        ["(n *' w)", "w"],
        &[],
        &[&[("threads", "n"), ("index", "((i *' w) +' b)")]],
    ),
    (
        Output,
        ["(n *' w)", "n"],
        &[],
        &[&[("threads", "w"), ("index", "((b * w) + ((w - 1) - i))")]],
    ),
    (
        Output,
        ["(n *' w)", "1"],
        &[],
        &[&[
            ("threads", "n"),
            ("rounds", "w"),
            ("index", "((i * w) + k)"),
        ]],
    ),
    (
        Output,
        ["(n *' w)", "1"],
        &[],
        &[&[
            ("threads", "w"),
            ("rounds", "n"),
            ("index", "((k * w) + i)"),
        ]],
    ),
    // With a guard for each row.
    (
        Output,
        ["(n *' w)", "n"],
        &[],
        &[&[
            ("threads", "8"),
            ("rounds", "((w / 8) + min((w % 8), 1))"),
            ("condition", "(((k * 8) + i) < w)"),
            ("index", "((b * w) + ((k * 8) + i))"),
        ]],
    ),
    (
        Output,
        ["(n *' w)", "((n + 7) / 8)"],
        &[],
        &[&[
            ("threads", "8"),
            ("rounds", "w"),
            ("condition", "(((b * 8) + i) < n)"),
            ("index", "((((b * 8) + i) * w) + k)"),
        ]],
    ),
    (
        Output,
        ["(n *' w)", "((n + 7) / 8)"],
        &[],
        &[&[
            ("threads", "w"),
            ("rounds", "8"),
            ("condition", "(((b * 8) + k) < n)"),
            ("index", "((((b * 8) + k) * w) + i)"),
        ]],
    ),
    // One index, a row and a column.
    (
        Output,
        ["n", EIGHTHS],
        &[["n", "divided_by", "w"]],
        &[&[
            ("threads", "8"),
            ("condition", "(((b * 8) + i) < n)"),
            (
                "index",
                "(((((b * 8) + i) % w) * (n / w)) + (((b * 8) + i) / w))",
            ),
        ]],
    ),
    (
        Output,
        ["n", "((n + 7) / 8)"],
        &[["n", "divided_by", "w"]],
        &[&[
            ("threads", "8"),
            ("guard", "(((b * 8) + i) < n)"),
            ("index", "(((((b * 8) + i) / w) * w) + (((b * 8) + i) % w))"),
        ]],
    ),
    (
        Output,
        ["(n *' w)", "(((n *' w) + 7) / 8)"],
        &[],
        &[&[
            ("threads", "8"),
            ("guard", "(((b * 8) + i) < (n * w))"),
            ("index", "(((((b * 8) + i) % w) * n) + (((b * 8) + i) / w))"),
        ]],
    ),
    // A butterfly.
    (
        Buffer,
        ["n", "((n + 7) / 8)"],
        &[["n", "divided_by", "(w * 2)"]],
        &[&[
            ("threads", "8"),
            ("guard", "(((b * 8) + i) < (n / 2))"),
            (
                "read",
                "((((((b * 8) + i) / w) * w) * 2) + (((b * 8) + i) % w))",
            ),
            (
                "index",
                "(((((((b * 8) + i) / w) * w) * 2) + (((b * 8) + i) % w)) + w)",
            ),
        ]],
    ),
    // Triangles.
    (
        Output,
        ["((n *' (n +' 1)) /' 2)", "n"],
        &[],
        &[&[
            ("threads", "(b + 1)"),
            ("index", "(((b * (b + 1)) / 2) + i)"),
        ]],
    ),
    (
        Output,
        ["((n *' (n +' 1)) /' 2)", "1"],
        &[],
        &[&[
            ("threads", "n"),
            ("rounds", "(i + 1)"),
            ("index", "(((i * (i + 1)) / 2) + k)"),
        ]],
    ),
    (
        Output,
        ["((n *' (n +' 1)) /' 2)", "n"],
        &[],
        &[&[
            ("threads", "(b + 1)"),
            ("index", "(((b * (b + 1)) / 2) + (b - i))"),
        ]],
    ),
    (
        Buffer,
        ["((n *' (n +' 1)) /' 2)", "n"],
        &[],
        &[&[
            ("threads", "(b + 1)"),
            ("index", "(((b * (b + 1)) / 2) + i)"),
        ]],
    ),
    // Rounds that the launch computes.
    (
        Output,
        ["n", "2"],
        &[],
        &[&[
            ("threads", "4"),
            ("rounds", "(((n + 7) - ((b * 4) + i)) / 8)"),
            ("index", "((k * 8) + ((b * 4) + i))"),
        ]],
    ),
    (
        Output,
        ["n", "1"],
        &[],
        &[&[
            ("threads", "8"),
            ("rounds", "((n / 8) + min((n % 8), 1))"),
            ("condition", "(((k * 8) + i) < n)"),
            ("index", "((k * 8) + i)"),
        ]],
    ),
    (
        Output,
        ["(n *' 8)", "n"],
        &[["w", "equal", "8"]],
        &[&[("threads", "w"), ("index", "((b * w) + i)")]],
    ),
    (
        Output,
        ["n", "((n - w) + 1)"],
        &[["w", "at_least", "1"], ["n", "at_least", "1"]],
        &[
            &[
                ("condition", "((b + (w - 1)) < n)"),
                ("read", "(b + (w - 1))"),
                ("rounds", "1"),
                ("index", "b"),
            ],
            &[
                ("threads", "(w - 1)"),
                ("condition", "((b == 0) & ((n - i) > 0))"),
                ("index", "((n - 1) - i)"),
            ],
        ],
    ),
    // What a choice says, and what it does not.
    (
        Output,
        ["8", "1"],
        &[],
        &[&[
            ("threads", "8"),
            ("condition", "(select(((i < n) & (i != w)), 1, 2) < 9)"),
            ("read", "select((i < n), i, 0)"),
        ]],
    ),
    (
        Shared,
        ["64", "2"],
        &[],
        &[&[
            ("threads", "n"),
            ("guard", "((i < 64) & (i != w))"),
            ("condition", "(select(((i < 32) & (i != n)), 1, 2) < 9)"),
            ("read", "i"),
            ("index", "i"),
        ]],
    ),
    // As many writes as elements.
    (
        Output,
        ["(n *' 2)", "1"],
        &[],
        &[&[
            ("threads", "(n *' 2)"),
            ("index", "select((i < n), (i * 2), (((i - n) * 2) + 1))"),
        ]],
    ),
    (
        Output,
        ["n", EIGHTHS],
        &[],
        &[&[
            ("threads", "8"),
            ("guard", "(((b * 8) + i) < n)"),
            ("start", "((n -' 1) -' ((b * 8) + i))"),
            ("probe", "q"),
            ("next", "(q / 2)"),
            ("read", "e"),
            ("index", AT),
        ]],
    ),
    (
        Output,
        ["n", EIGHTHS],
        &[],
        &[&[
            ("threads", "8"),
            ("guard", "(((b * 8) + i) < n)"),
            ("start", "((b * 8) + i)"),
            ("steps", "w"),
            ("probe", "q"),
            ("next", "(q - min(q, 1))"),
            ("index", AT),
        ]],
    ),
    (
        Output,
        ["n", "n"],
        &[],
        &[&[
            ("start", "((n -' 1) -' b)"),
            ("next", "(q / 2)"),
            ("rounds", "min((e + 1), 1)"),
            ("read", "e"),
            ("index", "b"),
        ]],
    ),
    (
        Output,
        ["32", "4"],
        &[],
        &[&[
            ("threads", "8"),
            ("start", "min(n, 7)"),
            ("steps", "w"),
            ("next", "min(q, 7)"),
            ("rounds", "(min(e, 0) + 1)"),
            ("index", AT),
        ]],
    ),
    (
        Shared,
        ["64", "2"],
        &[],
        &[&[
            ("threads", "8"),
            ("guard", "(i < n)"),
            ("start", "7"),
            ("steps", "(n % 5)"),
            ("next", "(q - min(q, 1))"),
            ("read", "((i * 8) + min(e, 7))"),
            ("index", "((i * 8) + (7 - min(e, 7)))"),
        ]],
    ),
    // Loops that may end early.
    (
        Shared,
        ["64", "2"],
        &[],
        &[&[
            ("threads", "8"),
            ("rounds", "8"),
            ("break", "(k > n)"),
            ("read", "((i * 8) + k)"),
            ("index", "((i * 8) + k)"),
        ]],
    ),
    (
        Buffer,
        ["n", EIGHTHS],
        &[],
        &[&[
            ("threads", "8"),
            ("leave", "(n < w)"),
            ("rounds", "1"),
            ("condition", "(((b * 8) + i) < n)"),
            ("read", AT),
            ("index", AT),
        ]],
    ),
];
