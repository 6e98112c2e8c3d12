//! Expressions of random programs: as text, their values, and changes of them.

use std::fmt::{self, Display};

use rand::RngExt;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;

/// An expression of some [`NAMES`], as the text form of a kernel has it.
#[derive(Clone, Debug)]
pub(super) enum Term {
    Name(&'static str),
    Number(u32),
    Two(&'static str, Box<[Term; 2]>),
    Select(Box<[Term; 3]>),
}

use Term::{Name, Number, Select, Two};

/// Two arguments, the counters of blocks, threads, rounds of a thread, and rounds of the grid, what a
/// cell holds in a loop that changes it, and behind that.
pub(super) const NAMES: [&str; 8] = ["n", "w", "b", "i", "k", "r", "q", "e"];

/// The values of names, in their order.
pub(super) type Values = [u32; NAMES.len()];
const ARITHMETIC: [&str; 17] = [
    "+'", "-'", "*'", "/'", "%'", "+", "-", "*", "/", "%", "^", "&", "|", ">>", "<<", "s+", "s-",
];
/// `euclid` is the remainder of `i32` that is not negative.
const CALLS: [&str; 5] = ["min", "max", "smin", "smax", "euclid"];
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
            Two("euclid", of) => {
                let [x, y] = [&of[0], &of[1]].map(|of| format!("i32({of})"));
                let rest = format!("({x} % {y})");
                write!(
                    f,
                    "u32(select(({rest} < 0_i32), ({rest} + abs({y})), {rest}))"
                )
            }
            Two(op, of) if CALLS.contains(op) => write!(f, "{op}({}, {})", of[0], of[1]),
            Two(op, of) => write!(f, "({} {op} {})", of[0], of[1]),
            Select(of) => write!(f, "select({}, {}, {})", of[0], of[1], of[2]),
        }
    }
}

impl Term {
    /// Reads an expression; numbers have no type.
    pub(super) fn read(text: &str) -> Term {
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
    pub(super) fn value(&self, of: &Values) -> u32 {
        match self {
            Name(name) => of[NAMES.iter().position(|own| own == name).unwrap_or(0)],
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
                    "euclid" if b == 0 => x,
                    "euclid" => a.wrapping_rem_euclid(b) as u32,
                    "smin" => a.min(b) as u32,
                    "smax" => a.max(b) as u32,
                    "s+" => a.wrapping_add(b) as u32,
                    "s-" => a.wrapping_sub(b) as u32,
                    "s<" => (a < b).into(),
                    "s<=" => (a <= b).into(),
                    "s>" => (a > b).into(),
                    "s>=" => (a >= b).into(),
                    ">>" => x >> (y % 32),
                    "<<" => x << (y % 32),
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

    /// The value as a launch works it out: nothing if a step does not fit, or is not one of those
    /// that it can compute.
    pub(super) fn exact(&self, of: &Values) -> Option<u32> {
        match self {
            Two(op, terms) => {
                let (x, y) = (terms[0].exact(of)?, terms[1].exact(of)?);
                match op.trim_end_matches('\'') {
                    "+" => x.checked_add(y),
                    "-" => x.checked_sub(y),
                    "*" => x.checked_mul(y),
                    "/" => Some(x.checked_div(y).unwrap_or(0)),
                    "%" => Some(x.checked_rem(y).unwrap_or(x)),
                    "min" => Some(x.min(y)),
                    "max" => Some(x.max(y)),
                    _ => None,
                }
            }
            Select(_) => None,
            leaf => Some(leaf.value(of)),
        }
    }

    /// Does a name occur in it?
    pub(super) fn mentions(&self, name: &str) -> bool {
        match self {
            Name(own) => *own == name,
            Number(_) => false,
            Two(_, of) => of.iter().any(|term| term.mentions(name)),
            Select(of) => of.iter().any(|term| term.mentions(name)),
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
    pub(super) fn parts(&mut self) -> usize {
        match self {
            Name(_) | Number(_) => 1,
            Two(_, of) => 1 + of.iter_mut().map(Term::parts).sum::<usize>(),
            Select(of) => 1 + of.iter_mut().map(Term::parts).sum::<usize>(),
        }
    }

    /// Changes the part of this number; does nothing to a condition but change how it compares.
    pub(super) fn change(&mut self, mut part: usize, random: &mut StdRng, names: &[&'static str]) {
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
