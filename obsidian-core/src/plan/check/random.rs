//! What is accepted at any length is right at each: programs near to right ones are changed at
//! random, and what is accepted of them is gone through at some lengths, round by round, with
//! nothing of what the proofs are made of.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display};

use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use super::{both_ways, check};
use crate::ir::read;

/// An expression of `n`, `b`, `i`, `k` and `r`, as the text form of a kernel has it.
#[derive(Clone, Debug)]
enum Term {
    Name(&'static str),
    Number(u32),
    Two(&'static str, Box<[Term; 2]>),
    Select(Box<[Term; 3]>),
}

use Term::{Name, Number, Select, Two};

/// An argument, and the counters of blocks, threads, rounds of a thread, and rounds of the grid.
const NAMES: [&str; 5] = ["n", "b", "i", "k", "r"];
const ARITHMETIC: [&str; 16] = [
    "+'", "-'", "*'", "/'", "%'", "+", "-", "*", "/", "%", "^", "&", "|", ">>", "s+", "s-",
];
const CALLS: [&str; 4] = ["min", "max", "smin", "smax"];
const COMPARISONS: [&str; 10] = ["<", "<=", ">", ">=", "==", "!=", "s<", "s<=", "s>", "s>="];

/// The operator of `i32` that an operator with an `s` in front stands for: its operands are cast.
fn signed(op: &str) -> Option<&str> {
    op.strip_prefix('s')
}

impl Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Name(name) => f.write_str(name),
            Number(n) => write!(f, "{n}_u32"),
            Two(op, of) if signed(op).is_some() => {
                let op = signed(op).unwrap_or_default();
                let [x, y] = [&of[0], &of[1]].map(|of| format!("i32({of})"));
                match op {
                    "min" | "max" => write!(f, "u32({op}({x}, {y}))"),
                    "+" | "-" => write!(f, "u32(({x} {op} {y}))"),
                    _ => write!(f, "({x} {op} {y})"),
                }
            }
            Two(op, of) if CALLS.contains(op) => write!(f, "{op}({}, {})", of[0], of[1]),
            Two(op, of) => write!(f, "({} {op} {})", of[0], of[1]),
            Select(of) => write!(f, "select({}, {}, {})", of[0], of[1], of[2]),
        }
    }
}

impl Term {
    /// Reads an expression; numbers have no type.
    fn read(text: &str) -> Term {
        let spaced = text
            .replace('(', " ( ")
            .replace(')', " ) ")
            .replace(',', " ");
        let mut words = spaced.split_whitespace();
        let term = Term::next(&mut words);
        assert_eq!(words.next(), None, "{text}");
        term
    }

    fn next<'t>(words: &mut impl Iterator<Item = &'t str>) -> Term {
        let word = words.next().expect("an expression goes on");
        let known = |word: &str| {
            [&ARITHMETIC[..], &CALLS, &COMPARISONS]
                .concat()
                .into_iter()
                .find(|known| *known == word)
        };
        if word == "(" {
            let left = Term::next(words);
            let op = words.next().and_then(known).expect("an operator");
            let right = Term::next(words);
            assert_eq!(words.next(), Some(")"));
            return Two(op, Box::new([left, right]));
        }
        if let Some(name) = NAMES.into_iter().find(|name| *name == word) {
            return Name(name);
        }
        if let Ok(n) = word.parse() {
            return Number(n);
        }
        assert_eq!(words.next(), Some("("), "{word}");
        let (first, second) = (Term::next(words), Term::next(words));
        let term = match known(word) {
            Some(call) => Two(call, Box::new([first, second])),
            None => Select(Box::new([first, second, Term::next(words)])),
        };
        assert_eq!(words.next(), Some(")"));
        term
    }

    /// The value, which wraps around; conditions are 0 and 1.
    fn value(&self, of: &dyn Fn(&str) -> u32) -> u32 {
        match self {
            Name(name) => of(name),
            Number(n) => *n,
            Select(terms) => {
                let [condition, then, otherwise] = &**terms;
                if condition.value(of) != 0 {
                    then.value(of)
                } else {
                    otherwise.value(of)
                }
            }
            Two(op, terms) => {
                let (x, y) = (terms[0].value(of), terms[1].value(of));
                let (a, b) = (x as i32, y as i32);
                match op.trim_end_matches('\'') {
                    "smin" => a.min(b) as u32,
                    "smax" => a.max(b) as u32,
                    "s+" => a.wrapping_add(b) as u32,
                    "s-" => a.wrapping_sub(b) as u32,
                    "s<" => (a < b).into(),
                    "s<=" => (a <= b).into(),
                    "s>" => (a > b).into(),
                    "s>=" => (a >= b).into(),
                    ">>" => x >> (y % 32),
                    "+" => x.wrapping_add(y),
                    "-" => x.wrapping_sub(y),
                    "*" => x.wrapping_mul(y),
                    "/" => x.checked_div(y).unwrap_or(0),
                    "%" => x.checked_rem(y).unwrap_or(x),
                    "^" => x ^ y,
                    "&" => x & y,
                    "|" => x | y,
                    "min" => x.min(y),
                    "max" => x.max(y),
                    "<" => (x < y).into(),
                    "<=" => (x <= y).into(),
                    ">" => (x > y).into(),
                    ">=" => (x >= y).into(),
                    "==" => (x == y).into(),
                    _ => (x != y).into(),
                }
            }
        }
    }

    /// The value as a launch works it out: nothing if a step does not fit.
    fn exact(&self, n: u32) -> Option<u32> {
        match self {
            Two(op, terms) => {
                let (x, y) = (terms[0].exact(n)?, terms[1].exact(n)?);
                match op.trim_end_matches('\'') {
                    "+" => x.checked_add(y),
                    "-" => x.checked_sub(y),
                    "*" => x.checked_mul(y),
                    _ => Some(Two(op, Box::new([Number(x), Number(y)])).value(&|_| 0)),
                }
            }
            other => Some(other.value(&|_| n)),
        }
    }

    /// Is it a comparison, or made of comparisons?
    fn is_condition(&self) -> bool {
        match self {
            Two(op, of) => COMPARISONS.contains(op) || of.iter().all(Term::is_condition),
            Name(_) | Number(_) | Select(_) => false,
        }
    }

    /// Its parts with itself, from which one is chosen to be changed.
    fn parts(&mut self) -> usize {
        match self {
            Name(_) | Number(_) => 1,
            Two(_, of) => 1 + of.iter_mut().map(Term::parts).sum::<usize>(),
            Select(of) => 1 + of.iter_mut().map(Term::parts).sum::<usize>(),
        }
    }

    /// Changes the part of this number; does nothing to a condition but change how it compares.
    fn change(&mut self, mut part: usize, random: &mut StdRng, names: &[&'static str]) {
        if part > 0 {
            part -= 1;
            let inner: &mut [Term] = match self {
                Name(_) | Number(_) => return,
                Two(_, of) => &mut of[..],
                Select(of) => &mut of[..],
            };
            for term in inner {
                let parts = term.parts();
                if part < parts {
                    return term.change(part, random, names);
                }
                part -= parts;
            }
            return;
        }
        // What is a condition stays one: arithmetic on it would be no kernel.
        if let Two(op, of) = self
            && of.iter().all(Term::is_condition)
        {
            *op = if random.random_bool(0.5) { "&" } else { "|" };
            of.reverse();
            return;
        }
        if let Two(op, of) = self
            && COMPARISONS.contains(op)
        {
            if random.random_bool(0.7) {
                *op = COMPARISONS.choose(random).expect("there are some");
            } else {
                of.reverse();
            }
            return;
        }
        let leaf = |random: &mut StdRng| match random.random_range(0..3) {
            0 => Number(
                *[0, 1, 2, 3, 4, 7, 8, 9, 16, 31, 32]
                    .choose(random)
                    .expect("there are some"),
            ),
            _ => Name(names.choose(random).expect("there are some")),
        };
        let old = std::mem::replace(self, Number(0));
        *self = match (random.random_range(0..6), old) {
            (0 | 1, Number(n)) => Number(if random.random_bool(0.5) {
                n + 1
            } else {
                n.saturating_sub(1)
            }),
            (0, Two(op, of)) if !CALLS.contains(&op) => {
                let new = ARITHMETIC.choose(random).expect("there are some");
                Two(new, of)
            }
            (1, Two(op, mut of)) => {
                of.reverse();
                Two(op, of)
            }
            (2, _) => leaf(random),
            (3, old) => Two(
                CALLS.choose(random).expect("there are some"),
                Box::new([old, leaf(random)]),
            ),
            (4, old) => Two(
                ARITHMETIC.choose(random).expect("there are some"),
                Box::new([old, leaf(random)]),
            ),
            (_, old) => {
                let condition = Two(
                    COMPARISONS.choose(random).expect("there are some"),
                    Box::new([leaf(random), leaf(random)]),
                );
                Select(Box::new([condition, old, leaf(random)]))
            }
        };
    }
}

/// What each block does with an element (an output's program reads another array, of `n` elements):
/// threads, rounds of each, a condition, the element that is
/// read, if one is, and the one that is written.
#[derive(Clone, Debug)]
struct Part {
    /// Around the loop over blocks, if it has one of its own.
    when: Term,
    threads: Term,
    rounds: Term,
    condition: Term,
    read: Option<Term>,
    index: Term,
}

/// The array that a program writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
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
struct Program {
    kind: Kind,
    length: Term,
    blocks: Term,
    parts: Vec<Part>,
}

/// A program in words: the array, its length, blocks, and threads, rounds, condition and elements
/// of each part.
type Words = (
    Kind,
    &'static str,
    &'static str,
    &'static [[&'static str; 5]],
);

/// Rounds of a loop of the grid.
const ROUNDS: u32 = 3;
/// No element is read.
const NO: &str = "";
/// A condition that always holds.
const YES: &str = "(0 < 1)";
/// Blocks of 8 elements, the last one perhaps with fewer.
const EIGHTHS: &str = "((n /' 8) +' min((n %' 8), 1))";
const AT: &str = "((b *' 8) +' i)";

use Kind::{Again, Apart, Buffer, Looped, Output, Shared};

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

impl Program {
    fn right(n: usize) -> Program {
        let (kind, length, blocks, parts) = RIGHT[n % RIGHT.len()];
        let part = |[threads, rounds, condition, read, index]: &[&str; 5]| Part {
            when: Term::read(YES),
            threads: Term::read(threads),
            rounds: Term::read(rounds),
            condition: Term::read(condition),
            read: (!read.is_empty()).then(|| Term::read(read)),
            index: Term::read(index),
        };
        Program {
            kind,
            length: Term::read(length),
            blocks: Term::read(blocks),
            parts: parts.iter().map(part).collect(),
        }
    }

    /// Changes one place.
    fn change(&mut self, random: &mut StdRng) {
        let part = random.random_range(0..self.parts.len());
        let part = &mut self.parts[part];
        let inner = if matches!(self.kind, Again | Looped) {
            &NAMES
        } else {
            &NAMES[..4]
        };
        let (term, names): (&mut Term, &[&'static str]) =
            match (random.random_range(0..12), &mut part.read) {
                // An array in shared memory has a fixed length.
                (0, _) if !matches!(self.kind, Shared | Looped) => (&mut self.length, &["n"]),
                (1, _) => (&mut self.blocks, &["n"]),
                (2, _) => (&mut part.threads, &["n", "b"]),
                (3, _) => (&mut part.rounds, &["n", "b", "i"]),
                (4..=6, _) => (&mut part.condition, inner),
                (7 | 8, Some(read)) => (read, inner),
                (9, _) if self.kind == Apart => (&mut part.when, &["n"]),
                _ => (&mut part.index, inner),
            };
        let at = random.random_range(0..term.parts());
        term.change(at, random, names);
    }

    fn text(&self) -> String {
        let Program {
            kind,
            length,
            blocks,
            parts,
        } = self;
        let inner = parts.iter().map(|part| {
            let Part { when, threads, rounds, condition, read, index } = part;
            let first = |read: &Term| match kind {
                Output => format!("let v = x[{read}] "),
                _ => format!("read v = a[{read}] "),
            };
            let (first, value) = read.as_ref().map_or((String::new(), "1_u32"), |read| (first(read), "v"));
            let inner = format!(
                "forall Block i < {threads} {{ for sequential Thread k in 0_u32 .. {rounds} step 1_u32 {{ if {condition} {{ {first}store a[{index}] = {value} }} }} }} "
            );
            if *kind == Apart { format!("if {when} {{ distribute Block b < {blocks} {{ {inner} }} }} ") } else { inner }
        });
        let inner: String = inner.collect();
        match kind {
            Output => {
                format!(
                    "kernel k {{ parameter 0 n: u32 parameter 1 x: u32[n] input parameter 2 a: u32[{length}] output distribute Block b < {blocks} {{ {inner} }} }}"
                )
            }
            Buffer => {
                format!(
                    "kernel k {{ parameter 0 n: u32 parameter 1 a: u32[{length}] inout distribute Block b < {blocks} {{ {inner} }} }}"
                )
            }
            Apart => format!(
                "kernel k {{ parameter 0 n: u32 parameter 1 a: u32[{length}] inout {inner} }}"
            ),
            Again => format!(
                "kernel k {{ parameter 0 n: u32 parameter 1 a: u32[{length}] inout for sequential Grid r in 0_u32 .. {ROUNDS}_u32 step 1_u32 {{ distribute Block b < {blocks} {{ {inner} }} }} }}"
            ),
            Looped => {
                format!(
                    "kernel k {{ parameter 0 n: u32 distribute Block b < {blocks} {{ allocate a: u32[{length}] shared for sequential Block r in 0_u32 .. {ROUNDS}_u32 step 1_u32 {{ {inner} }} }} }}"
                )
            }
            Shared => {
                format!(
                    "kernel k {{ parameter 0 n: u32 distribute Block b < {blocks} {{ allocate a: u32[{length}] shared {inner} }} }}"
                )
            }
        }
    }

    /// What is wrong at a length; nothing also if a launch would refuse it, or if there is too much
    /// to do. A launch needs `least` elements.
    fn wrong_at(&self, n: u32, least: u32) -> Option<String> {
        let (length, blocks) = (self.length.exact(n)?, self.blocks.exact(n)?);
        let given = if self.kind == Output { n } else { length };
        let many = self.kind == Output && length > 100_000;
        if given < least || many || blocks > 2_000 {
            return None;
        }
        let mut done = Done {
            kind: self.kind,
            length,
            given: n,
            steps: 0,
            elements: BTreeMap::new(),
        };
        let rounds = if matches!(self.kind, Again | Looped) {
            ROUNDS
        } else {
            1
        };
        let again = (0..rounds).flat_map(|r| (0..blocks).map(move |b| (r, b)));
        let looped = (0..blocks).flat_map(|b| (0..rounds).map(move |r| (r, b)));
        let order: Vec<(u32, u32)> = match self.kind {
            Looped => looped.collect(),
            _ => again.collect(),
        };
        for (r, b) in order {
            if self.kind == Shared || (self.kind == Looped && r == 0) {
                done.elements.clear();
            }
            let parts = self
                .parts
                .iter()
                .enumerate()
                .filter(|(_, part)| part.when.value(&|_| n) != 0);
            for (number, part) in parts {
                let around = |name: &str| match name {
                    "n" => n,
                    "r" => r,
                    _ => b,
                };
                for i in 0..part.threads.value(&around) {
                    if done.steps > 20_000 {
                        return None;
                    }
                    let of = |k: u32| {
                        move |name: &str| {
                            [n, b, i, k, r][NAMES.iter().position(|own| *own == name).unwrap_or(0)]
                        }
                    };
                    done.steps += 1;
                    for k in 0..part.rounds.value(&of(0)) {
                        if done.steps > if self.kind == Output { 20_000 } else { 4_000 } {
                            return None;
                        }
                        let executed = part.condition.value(&of(k)) != 0;
                        for (term, writes) in part
                            .read
                            .iter()
                            .map(|read| (read, false))
                            .chain([(&part.index, true)])
                        {
                            let wrong = if executed {
                                done.access(
                                    term.value(&of(k)),
                                    (b, [r as usize, number], i),
                                    writes,
                                )
                            } else {
                                None
                            };
                            if wrong.is_some() {
                                return wrong.map(|wrong| format!("n = {n}: {wrong}"));
                            }
                        }
                        done.steps += 1;
                    }
                }
            }
        }
        done.hole().map(|wrong| format!("n = {n}: {wrong}"))
    }
}

/// A block, the round of the grid and the number of a loop over threads, and a thread.
type Who = (u32, [usize; 2], u32);

/// What was done to the elements of an array.
struct Done {
    kind: Kind,
    length: u32,
    /// The length of what an output's program reads.
    given: u32,
    steps: u32,
    /// Who accesses an element, and does he write it?
    elements: BTreeMap<u32, BTreeSet<(Who, bool)>>,
}

impl Done {
    fn access(&mut self, at: u32, who: Who, writes: bool) -> Option<String> {
        if self.kind == Output && !writes {
            return (at >= self.given).then(|| format!("element {at} of {} is read", self.given));
        }
        if at >= self.length {
            return Some(format!("element {at} of {}", self.length));
        }
        let known = self.elements.entry(at).or_default();
        let meets = known.iter().find(|((block, part, thread), wrote)| {
            // Between two loops over threads of one block there is a barrier; between blocks
            // there is none, nor between two loops over blocks. A thread is in order with
            // itself.
            let again = part[0] == who.1[0] || self.kind == Looped;
            let barrier = *part != who.1 && again && self.kind != Apart;
            self.kind == Output
                || ((writes || *wrote) && (*block != who.0 || (*thread != who.2 && !barrier)))
        });
        let wrong = meets.map(|other| format!("{who:?} and {other:?} meet at element {at}"));
        known.insert((who, writes));
        wrong
    }

    fn hole(&self) -> Option<String> {
        let end = if self.kind == Output { self.length } else { 0 };
        let hole = (0..end).find(|at| !self.elements.contains_key(at))?;
        Some(format!(
            "element {hole} of {} is never written",
            self.length
        ))
    }
}

/// The last ones are where arithmetic wraps around.
const LENGTHS: [u32; 33] = [
    0,
    1,
    2,
    3,
    4,
    5,
    6,
    7,
    8,
    9,
    10,
    11,
    12,
    15,
    16,
    17,
    23,
    24,
    25,
    31,
    32,
    33,
    40,
    64,
    65,
    130,
    u32::MAX / 8,
    i32::MAX as u32,
    1 << 31,
    (1 << 31) + 1,
    u32::MAX - 7,
    u32::MAX - 1,
    u32::MAX,
];

#[test]
fn what_is_right_is_accepted() {
    for n in 0..RIGHT.len() {
        let program = Program::right(n);
        let checked =
            check(&read(&program.text()).unwrap_or_else(|e| panic!("{e}\n{}", program.text())));
        let needs = checked.needs.iter().map(|need| need.elements);
        let least = needs.max().unwrap_or(0);
        let found = checked.diagnostics;
        assert_eq!(
            LENGTHS.iter().find_map(|n| program.wrong_at(*n, least)),
            None,
            "{}",
            program.text()
        );
        assert!(
            found.is_empty(),
            "{}: {:?}",
            program.text(),
            found[0].message
        );
    }
}

/// `OBSIDIAN_COUNT` says how many programs, `OBSIDIAN_SEED` the first.
#[test]
fn what_is_accepted_at_any_length_is_right_at_each() {
    let number = |name: &str, otherwise: u64| {
        std::env::var(name)
            .ok()
            .and_then(|n| n.parse().ok())
            .unwrap_or(otherwise)
    };
    let (first, count) = (number("OBSIDIAN_SEED", 0), number("OBSIDIAN_COUNT", 2_000));
    let (mut accepted, mut refused, mut wrong) = ([0; 2], [0; 2], Vec::new());
    for seed in first..first + count {
        let mut random = StdRng::seed_from_u64(seed);
        let mut program = Program::right(seed as usize);
        for _ in 0..random.random_range(1..4) {
            program.change(&mut random);
        }
        let Ok(kernel) = read(&program.text()) else {
            continue;
        };
        for (sparing, checked) in both_ways(&kernel).into_iter().enumerate() {
            let needs = checked.needs.iter().map(|need| need.elements);
            let least = needs.max().unwrap_or(0);
            let why = LENGTHS.iter().find_map(|n| program.wrong_at(*n, least));
            if !checked.diagnostics.is_empty() {
                refused[sparing] += u32::from(why.is_none());
                continue;
            }
            accepted[sparing] += 1;
            wrong.extend(why.map(|why| format!("seed {seed}: {why}\n{}", program.text())));
        }
    }
    println!(
        "seeds {first} to {}: {accepted:?} accepted (also sparingly); {refused:?} others are right at these lengths",
        first + count - 1
    );
    assert!(
        wrong.is_empty(),
        "{} are wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(
        accepted[1] * 10 > count && accepted[1] * 100 > accepted[0] * 99,
        "{accepted:?} of {count} are accepted: too few to say something"
    );
}
