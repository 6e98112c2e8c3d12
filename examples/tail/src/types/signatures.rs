//! The types of the operators, a line for those that have the same one.
//!
//! `int` is a scalar, `[a]r` an array of a base type and a rank of the instance list, `<a>n` a vector of a length of it, and `a, a -> a` a
//! function. `n+1` is one more, and `m+n` the sum.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::syntax::{Base, Type};

/// Names, the base types and the numbers of the instance list, the arguments, and the result.
const ROWS: &[(&str, &str, &str, &[&str], &str)] = &[
    // Whole numbers.
    (
        "addi subi muli resi maxi mini andi ori xori shli shri shari",
        "",
        "",
        &["int", "int"],
        "int",
    ),
    ("absi negi noti signi nowi", "", "", &["int"], "int"),
    (
        "lti ltei gti gtei eqi neqi",
        "",
        "",
        &["int", "int"],
        "bool",
    ),
    // Real numbers.
    (
        "addd subd muld divd resd maxd mind powd",
        "",
        "",
        &["double", "double"],
        "double",
    ),
    (
        "absd negd expd ln sin cos tan asin acos atan sinh cosh tanh",
        "",
        "",
        &["double"],
        "double",
    ),
    (
        "ltd lted gtd gted eqd neqd",
        "",
        "",
        &["double", "double"],
        "bool",
    ),
    ("signd floor ceil", "", "", &["double"], "int"),
    ("pi", "", "", &[], "double"),
    ("roll", "", "", &["int"], "double"),
    // Truth values, characters, conversions.
    (
        "andb orb nandb norb xorb eqb",
        "",
        "",
        &["bool", "bool"],
        "bool",
    ),
    ("notb", "", "", &["bool"], "bool"),
    (
        "ltc ltec gtc gtec eqc neqc",
        "",
        "",
        &["char", "char"],
        "bool",
    ),
    ("i2d", "", "", &["int"], "double"),
    ("b2i b2iV", "", "", &["bool"], "int"),
    ("d2x injx", "", "", &["double"], "complex"),
    // Complex numbers.
    ("rex imx magnx", "", "", &["complex"], "double"),
    ("conjx negx expx", "", "", &["complex"], "complex"),
    ("addx subx mulx", "", "", &["complex", "complex"], "complex"),
    // Elements.
    ("each", "a b", "r", &["a -> b", "[a]r"], "[b]r"),
    ("eachV", "a b", "n", &["a -> b", "<a>n"], "<b>n"),
    (
        "zipWith",
        "a b c",
        "r",
        &["a, b -> c", "[a]r", "[b]r"],
        "[c]r",
    ),
    ("reduce", "a", "r", &["a, a -> a", "a", "[a]r+1"], "[a]r"),
    ("scan", "a", "r", &["a, a -> a", "a", "[a]r"], "[a]r"),
    // Shapes.
    ("iota", "", "", &["int"], "[int]1"),
    ("iotaV", "", "", &["int"], "[int]1"),
    ("shape", "a", "r", &["[a]r"], "<int>r"),
    ("shapeV", "a", "n", &["<a>n"], "<int>1"),
    ("reshape", "a", "r s", &["<int>s", "[a]r"], "[a]s"),
    ("rav", "a", "r", &["[a]r"], "[a]1"),
    ("first", "a", "r", &["[a]r"], "a"),
    ("firstV", "a", "n", &["<a>n"], "a"),
    (
        "take drop rotate vrotate",
        "a",
        "r",
        &["int", "[a]r"],
        "[a]r",
    ),
    ("takeV dropV", "a", "n", &["int", "[a]1"], "<a>n"),
    ("rotateV vrotateV", "a", "n", &["int", "<a>n"], "<a>n"),
    ("vreverse transp mem", "a", "r", &["[a]r"], "[a]r"),
    ("vreverseV", "a", "n", &["<a>n"], "<a>n"),
    ("memScl", "a", "", &["a"], "a"),
    ("transp2", "a", "r", &["<int>r", "[a]r"], "[a]r"),
    ("cat", "a", "r", &["[a]r", "[a]r"], "[a]r"),
    ("catV", "a", "m n", &["<a>m", "<a>n"], "<a>m+n"),
    ("cons", "a", "r", &["[a]r", "[a]r+1"], "[a]r+1"),
    ("consV", "a", "n", &["a", "<a>n"], "<a>n+1"),
    ("snoc", "a", "r", &["[a]r+1", "[a]r"], "[a]r+1"),
    ("snocV", "a", "n", &["<a>n", "a"], "<a>n+1"),
    ("zilde", "a", "n", &[], "<a>0"),
    ("idxS", "a", "r", &["int", "int", "[a]r+1"], "[a]r"),
    // Orders and numbers of elements that data decide.
    ("compress", "a", "r", &["[bool]r", "[a]r"], "[a]r"),
    ("replicate", "a", "r", &["a", "[int]r", "[a]r"], "[a]r"),
    ("gradeUp gradeDown", "a", "", &["[a]1"], "[int]1"),
    // Loops of scalars.
    ("powerScl", "a", "", &["a -> a", "int", "a"], "a"),
    ("condScl", "a", "", &["a -> a", "bool", "a"], "a"),
    // Texts and effects.
    ("formatI", "", "", &["int"], "[char]1"),
    ("formatD", "", "", &["double"], "[char]1"),
    ("formatX", "", "", &["complex"], "[char]1"),
    ("readFile", "", "", &["[char]1"], "[char]1"),
    ("readIntVecFile", "", "", &["[char]1"], "[int]1"),
    ("readDoubleVecFile", "", "", &["[char]1"], "[double]1"),
    ("prSclI", "", "", &["int"], "int"),
    ("prSclD", "", "", &["double"], "double"),
    ("prSclB", "", "", &["bool"], "bool"),
    ("prSclC", "", "", &["char"], "char"),
    ("prSclX", "", "", &["complex"], "complex"),
    ("prArrI", "", "r", &["[int]r"], "[int]r"),
    ("prArrD", "", "r", &["[double]r"], "[double]r"),
    ("prArrB", "", "r", &["[bool]r"], "[bool]r"),
    ("prArrC", "", "r", &["[char]r"], "[char]r"),
    ("prArrX", "", "r", &["[complex]r"], "[complex]r"),
];

/// The operators whose types no row can say.
pub const OTHERS: [&str; 3] = ["power", "Prj", "idxassign"];

/// The type of an operator, with names for what its instance list says.
pub struct Signature {
    /// The base types of its instance list.
    pub bases: Vec<&'static str>,
    /// The numbers of it.
    pub numbers: Vec<&'static str>,
    /// What it is called with.
    pub arguments: &'static [&'static str],
    result: &'static str,
}

/// All rows, by name.
pub static SIGNATURES: LazyLock<BTreeMap<&'static str, Signature>> = LazyLock::new(|| {
    let mut all = BTreeMap::new();
    for (names, bases, numbers, arguments, result) in ROWS {
        for name in names.split(' ') {
            let signature = Signature {
                bases: bases.split_whitespace().collect(),
                numbers: numbers.split_whitespace().collect(),
                arguments,
                result,
            };
            all.insert(name, signature);
        }
    }
    all
});

impl Signature {
    /// The types of the arguments and of the result, for an instance list of the right size.
    pub fn types(&self, bases: &[Base], numbers: &[u32]) -> (Vec<Type>, Type) {
        let instance = Known {
            bases: self
                .bases
                .iter()
                .copied()
                .zip(bases.iter().copied())
                .collect(),
            numbers: self
                .numbers
                .iter()
                .copied()
                .zip(numbers.iter().copied())
                .collect(),
        };
        let arguments = self.arguments.iter().map(|text| instance.argument(text));
        (arguments.collect(), instance.plain(self.result))
    }

    /// Its instance list with names, `{[a,b],[r]}`; none if it has no such list.
    pub fn instance(&self) -> Option<String> {
        let has_list = !self.bases.is_empty();
        has_list.then(|| {
            format!(
                "{{[{}],[{}]}}",
                self.bases.join(","),
                self.numbers.join(",")
            )
        })
    }

    /// Its numbers are taken from its argument, as it has no instance list.
    pub fn is_of_any_rank(&self) -> bool {
        self.bases.is_empty() && !self.numbers.is_empty()
    }
}

/// What an instance list says.
struct Known {
    bases: BTreeMap<&'static str, Base>,
    numbers: BTreeMap<&'static str, u32>,
}

impl Known {
    /// `a, a -> a`, or a type without an arrow.
    fn argument(&self, text: &str) -> Type {
        let Some((from, to)) = text.split_once(" -> ") else {
            return self.plain(text);
        };
        from.rsplit(", ").fold(self.plain(to), |to, from| {
            Type::Function(Box::new(self.plain(from)), Box::new(to))
        })
    }

    /// `a`, `[a]r`, or `<a>n`.
    fn plain(&self, text: &str) -> Type {
        if let Some((base, rank)) = text.strip_prefix('[').and_then(|t| t.split_once(']')) {
            return Type::Array(self.base(base), self.number(rank));
        }
        if let Some((base, length)) = text.strip_prefix('<').and_then(|t| t.split_once('>')) {
            return Type::Vector(self.base(base), self.number(length));
        }
        Type::Array(self.base(text), 0)
    }

    fn base(&self, name: &str) -> Base {
        match name {
            "int" => Base::Int,
            "double" => Base::Double,
            "bool" => Base::Bool,
            "char" => Base::Char,
            "complex" => Base::Complex,
            _ => self.bases.get(name).copied().unwrap_or(Base::Open),
        }
    }

    fn number(&self, text: &str) -> u32 {
        let one = |part: &str| match self.numbers.get(part) {
            Some(n) => *n,
            None => part.parse().unwrap_or_default(),
        };
        text.split('+').map(one).fold(0, u32::saturating_add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_name_nothing_else_than_their_instance_lists() {
        let known = ["int", "double", "bool", "char", "complex", "0", "1"];
        let mut seen = 0;
        for (names, bases, numbers, arguments, result) in ROWS {
            let list: Vec<&str> = bases.split(' ').chain(numbers.split(' ')).collect();
            for text in arguments.iter().chain([result]) {
                for word in text.split([' ', ',', '[', ']', '<', '>', '+', '-']) {
                    let is_known = word.is_empty() || known.contains(&word) || list.contains(&word);
                    assert!(is_known, "{names}: {word}");
                    seen += 1;
                }
            }
        }
        assert!(seen > 200);
    }

    #[test]
    fn no_operator_has_two_rows() {
        let names: Vec<&str> = ROWS.iter().flat_map(|row| row.0.split(' ')).collect();
        assert_eq!(names.len(), SIGNATURES.len());
        assert!(OTHERS.iter().all(|name| !names.contains(name)));
    }
}
