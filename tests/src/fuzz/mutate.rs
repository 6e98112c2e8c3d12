//! Changes to the tokens of a module: deleted, swapped, doubled, replaced, wrapped, and taken from
//! elsewhere.

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use super::trees::{Tree, count, find, leaves, text, trees};

/// Numbers at which something ends.
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "7",
    "31",
    "32",
    "33",
    "63",
    "64",
    "127",
    "128",
    "129",
    "255",
    "256",
    "1000",
    "1023",
    "1024",
    "1025",
    "65535",
    "65536",
    "65537",
    "16777216",
    "2147483647",
    "2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "18446744073709551615",
    "18446744073709551616",
    "170141183460469231731687303715884105727",
    "340282366920938463463374607431768211455",
    "999999999999999999999999999999999999999999",
    "0u8",
    "255u8",
    "256u8",
    "1i8",
    "128i8",
    "1u16",
    "1u64",
    "1usize",
    "1i64",
    "1i128",
    "0.0",
    "1.5",
    "1e308",
    "1e309",
    "1e-400",
    "0.1f32",
    "0x10",
    "0b1",
    "1_000_000",
];

/// Tokens that mean something in the language, whether the seeds have them or not.
const WORDS: &[&str] = &[
    "if",
    "else",
    "match",
    "for",
    "in",
    "while",
    "loop",
    "break",
    "continue",
    "return",
    "let",
    "mut",
    "fn",
    "const",
    "pub",
    "as",
    "ref",
    "move",
    "use",
    "mod",
    "impl",
    "dyn",
    "unsafe",
    "async",
    "await",
    "self",
    "super",
    "crate",
    "static",
    "where",
    "true",
    "false",
    "Some",
    "None",
    "?",
    ";",
    ",",
    ".",
    "::",
    "->",
    "=>",
    "=",
    "==",
    "!=",
    "<",
    ">",
    "<=",
    ">=",
    "+",
    "-",
    "*",
    "/",
    "%",
    "^",
    "&",
    "|",
    "!",
    "&&",
    "||",
    "<<",
    ">>",
    "+=",
    "<<=",
    "..",
    "..=",
    "@",
    "_",
    "#",
    "$",
    "'a",
    "\"text\"",
    "'c'",
    "b\"bytes\"",
    "vec!",
    "assert!",
    "u8",
    "u32",
    "i32",
    "i64",
    "u64",
    "usize",
    "f32",
    "f64",
    "bool",
    "EU8",
    "EU32",
    "EI32",
    "EI64",
    "EF32",
    "EF64",
    "EBool",
    "DPull",
    "DPush",
    "Pull",
    "Push",
    "Pull2",
    "Push2",
    "Pull3",
    "Push3",
    "Program",
    "Mutable",
    "Grid",
    "Block",
    "Warp",
    "Thread",
    "L",
    "T",
    "L::Below",
    "len()",
    "()",
    "map",
    "zip",
    "compute",
    "split_up",
    "halve",
    "push()",
    "as_grid_map",
    "concat()",
    "reverse()",
    "take",
    "drop",
    "unchecked()",
    "distinct()",
];

/// What mutations draw from: the pieces, and all their tokens.
#[derive(Debug)]
pub struct Pool {
    pieces: Vec<Vec<Tree>>,
    tokens: Vec<String>,
}

impl Pool {
    /// The pool of some modules.
    pub fn of(pieces: &[String]) -> Pool {
        let pieces: Vec<Vec<Tree>> = pieces
            .iter()
            .filter_map(|piece| Some(trees(piece.parse().ok()?)))
            .collect();
        let mut tokens: Vec<&str> = WORDS.iter().chain(NUMBERS).copied().collect();
        pieces.iter().for_each(|piece| leaves(piece, &mut tokens));
        tokens.sort_unstable();
        tokens.dedup();
        let tokens = tokens.into_iter().map(str::to_owned).collect();
        Pool { pieces, tokens }
    }

    /// The mutated module of a seed.
    pub fn mutant(&self, seed: u64) -> String {
        let random = &mut SmallRng::seed_from_u64(seed);
        let mut piece = self.piece(random).clone();
        for _ in 0..1 + random.random_range(0..4_usize) * random.random_range(0..2_usize) {
            self.change(&mut piece, random);
        }
        text(&piece)
    }

    fn piece(&self, random: &mut SmallRng) -> &Vec<Tree> {
        &self.pieces[random.random_range(0..self.pieces.len())]
    }

    fn token(&self, random: &mut SmallRng) -> Tree {
        let list = [WORDS, NUMBERS];
        let leaf = match random.random_range(0..4_usize) {
            n @ 0..2 => list[n][random.random_range(0..list[n].len())].to_owned(),
            _ => self.tokens[random.random_range(0..self.tokens.len())].clone(),
        };
        Tree::Leaf(leaf)
    }

    /// One change. Outer brackets are few among many tokens, so that most changes are inside of
    /// functions.
    fn change(&self, piece: &mut Vec<Tree>, random: &mut SmallRng) {
        let total = count(piece);
        let Some((list, at)) = find(piece, random.random_range(0..total.max(1))) else {
            return;
        };
        match random.random_range(0..11) {
            0 => drop(list.remove(at)),
            1 => list.insert(at, list[at].clone()),
            2 => {
                let next = (at + 1) % list.len();
                list.swap(at, next);
            }
            3 => list[at] = self.token(random),
            4 => list.insert(at, self.token(random)),
            5 => self.number(list, random),
            6 => {
                list[at] = Tree::Group(
                    ["(", "[", "{"][random.random_range(0..3)],
                    vec![list[at].clone()],
                )
            }
            7 => flatten(list, at),
            8 => repeat(list, at, random),
            9 => self.splice(list, at, random),
            _ => self.exchange(piece, random),
        }
    }

    /// Another number instead of one, if there is one in the list.
    fn number(&self, list: &mut [Tree], random: &mut SmallRng) {
        let number = |tree: &&mut Tree| matches!(tree, Tree::Leaf(leaf) if leaf.starts_with(|c: char| c.is_ascii_digit()));
        let mut numbers: Vec<&mut Tree> = list.iter_mut().filter(number).collect();
        if numbers.is_empty() {
            return;
        }
        let n = random.random_range(0..numbers.len());
        *numbers[n] = Tree::Leaf(NUMBERS[random.random_range(0..NUMBERS.len())].to_owned());
    }

    /// Part of another module in place of a token.
    fn splice(&self, list: &mut Vec<Tree>, at: usize, random: &mut SmallRng) {
        let mut other = self.piece(random).clone();
        let total = count(&other);
        let Some((from, start)) = find(&mut other, random.random_range(0..total.max(1))) else {
            return;
        };
        let end = (start + random.random_range(1..8_usize)).min(from.len());
        drop(list.splice(at..=at, from[start..end].iter().cloned()));
    }

    /// One token of the module in the place of another.
    fn exchange(&self, piece: &mut Vec<Tree>, random: &mut SmallRng) {
        let total = count(piece).max(1);
        let taken = find(piece, random.random_range(0..total)).map(|(list, at)| list[at].clone());
        let place = find(piece, random.random_range(0..total));
        if let (Some(taken), Some((list, at))) = (taken, place) {
            // A bracket in itself would grow with every such change.
            if count(std::slice::from_ref(&taken)) < 200 {
                list[at] = taken;
            }
        }
    }
}

/// What is in a bracket, without the bracket.
fn flatten(list: &mut Vec<Tree>, at: usize) {
    if let Tree::Group(_, inner) = list[at].clone() {
        drop(list.splice(at..=at, inner));
    }
}

/// A stretch of tokens, many times over.
fn repeat(list: &mut Vec<Tree>, at: usize, random: &mut SmallRng) {
    let end = (at + random.random_range(1..6_usize)).min(list.len());
    let stretch = list[at..end].to_vec();
    let times = [2, 3, 10, 100][random.random_range(0..4_usize)];
    if count(&stretch) * times < 5_000 {
        let again = std::iter::repeat_n(stretch, times)
            .flatten()
            .collect::<Vec<_>>();
        drop(list.splice(at..at, again));
    }
}
