//! Pieces of printed Rust: a text, how tightly it binds, and the variables of the printed program that it mentions.
//!
//! A piece is valid in each function of the printed file: whatever it mentions becomes a parameter there (see [`output`](super::output)).

use std::collections::BTreeSet;

/// How tightly an operator binds, as in Rust's table of precedence.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Binding {
    /// `==`, `<`: two of them in a row are no Rust.
    Compare,
    Or,
    Xor,
    And,
    Shift,
    Add,
    Multiply,
    /// `x as i32`
    Cast,
    /// `-x`, `!x`
    Prefix,
    /// Names, calls, literals and what is in parentheses.
    Atom,
}

/// A piece of printed Rust.
#[derive(Clone, PartialEq, Debug)]
pub struct Code {
    /// The text.
    pub text: String,
    /// The variables that it mentions, but for those of closures.
    pub refs: BTreeSet<String>,
    /// How tightly its outermost operator binds.
    pub binding: Binding,
}

impl Code {
    /// A text that mentions no variable.
    pub fn atom(text: impl Into<String>) -> Self {
        Code {
            text: text.into(),
            refs: BTreeSet::new(),
            binding: Binding::Atom,
        }
    }

    /// A variable.
    pub fn variable(name: &str) -> Self {
        Code {
            refs: BTreeSet::from([name.to_owned()]),
            ..Code::atom(name)
        }
    }

    /// A text with other pieces in it. `#0` stands for the first piece, `$0` for the same as the receiver of a method.
    pub fn of(template: &str, binding: Binding, parts: &[&Code]) -> Self {
        let mut text = String::new();
        let mut rest = template.chars().peekable();
        while let Some(c) = rest.next() {
            let number = rest.peek().and_then(|digit| digit.to_digit(10));
            let part = number.and_then(|number| parts.get(number as usize));
            match (c, part) {
                ('#', Some(part)) => text += &part.text,
                ('$', Some(part)) => text += &part.in_front_of(Binding::Atom),
                _ => {
                    text.push(c);
                    continue;
                }
            }
            rest.next();
        }
        let refs = parts.iter().flat_map(|part| part.refs.iter().cloned());
        Code {
            text,
            refs: refs.collect(),
            binding,
        }
    }

    /// A call, a method's or a function's.
    pub fn call(template: &str, parts: &[&Code]) -> Self {
        Code::of(template, Binding::Atom, parts)
    }

    /// Two operands with an operator between them.
    pub fn infix(operator: &str, binding: Binding, left: &Code, right: &Code) -> Self {
        let compares = binding == Binding::Compare || binding == Binding::Shift;
        // `a as i32 < b` reads as the beginning of a generic type.
        let is_cast = compares && left.binding == Binding::Cast;
        let own = match left.binding >= binding && !is_cast && left.binding != Binding::Compare {
            true => left.text.clone(),
            false => format!("({})", left.text),
        };
        let other = match right.binding > binding {
            true => right.text.clone(),
            false => format!("({})", right.text),
        };
        Code {
            text: format!("{own} {operator} {other}"),
            refs: left.refs.union(&right.refs).cloned().collect(),
            binding,
        }
    }

    /// The text as an operand of something that binds as tightly.
    pub fn in_front_of(&self, binding: Binding) -> String {
        match self.binding >= binding {
            true => self.text.clone(),
            false => format!("({})", self.text),
        }
    }

    /// Is it a name and nothing else?
    pub fn is_name(&self) -> bool {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        self.text.chars().all(is_part) && !self.text.starts_with(|c: char| c.is_ascii_digit())
    }

    /// Is it a name, a number, or an extent of a variable?
    pub fn is_simple(&self) -> bool {
        let is_part = |c: char| c.is_ascii_alphanumeric() || "_.()".contains(c);
        self.text.chars().all(is_part)
            && self.text.matches('(').count() < 2
            && self.binding == Binding::Atom
    }

    /// The number that it is, if it is a literal.
    pub fn literal(&self) -> Option<u32> {
        self.text.parse().ok()
    }
}

/// Pieces with commas between them.
pub fn list(parts: &[Code]) -> Code {
    let texts: Vec<&str> = parts.iter().map(|part| part.text.as_str()).collect();
    let refs = parts.iter().flat_map(|part| part.refs.iter().cloned());
    Code {
        text: texts.join(", "),
        refs: refs.collect(),
        binding: Binding::Atom,
    }
}

/// Nothing, one piece, or a tuple of several.
pub fn tuple(parts: &[Code]) -> Code {
    match parts {
        [one] => one.clone(),
        several => Code::call("(#0)", &[&list(several)]),
    }
}

/// An index or an extent, an `EU32`; numbers that are written out are computed here.
#[derive(Clone, Debug)]
pub struct Number {
    /// The text.
    pub code: Code,
    /// Its value, if that is known while printing; the text may be a name all the same.
    pub known: Option<u32>,
}

impl Number {
    pub fn literal(value: u32) -> Self {
        Number {
            code: Code::atom(value.to_string()),
            known: Some(value),
        }
    }

    pub fn of(code: Code) -> Self {
        let known = code.literal();
        Number { code, known }
    }

    /// The same, as an operand or an argument that has to be a device value.
    pub fn device(&self) -> Code {
        match self.code.literal() {
            Some(n) => Code::atom(format!("lit({n}u32)")),
            None => self.code.clone(),
        }
    }

    /// Are two the same, as far as that is known?
    pub fn is(&self, other: &Number) -> bool {
        match (self.known, other.known) {
            (Some(a), Some(b)) => a == b,
            _ => self.code == other.code,
        }
    }

    /// Is it above 0, as far as that is known?
    pub fn is_positive(&self) -> bool {
        self.known.is_some_and(|n| n > 0)
    }

    fn both(&self, other: &Number) -> Option<(u32, u32)> {
        Some((self.code.literal()?, other.code.literal()?))
    }

    fn infix(&self, (operator, binding): (&str, Binding), other: &Number) -> Code {
        match (self.code.literal(), other.code.literal()) {
            (Some(_), Some(_)) => Code::infix(operator, binding, &self.device(), &other.code),
            _ => Code::infix(operator, binding, &self.code, &other.code),
        }
    }

    fn made(
        &self,
        sign: (&str, Binding),
        other: &Number,
        f: fn(u32, u32) -> Option<u32>,
    ) -> Number {
        if let Some((a, b)) = self.both(other)
            && let Some(n) = f(a, b)
        {
            return Number::literal(n);
        }
        let known = self.known.zip(other.known).and_then(|(a, b)| f(a, b));
        Number {
            code: self.infix(sign, other),
            known,
        }
    }

    pub fn add(&self, other: &Number) -> Number {
        match (self.code.literal(), other.code.literal()) {
            (Some(0), _) => other.clone(),
            (_, Some(0)) => self.clone(),
            _ => self.made(("+", Binding::Add), other, u32::checked_add),
        }
    }

    pub fn sub(&self, other: &Number) -> Number {
        match other.code.literal() {
            Some(0) => self.clone(),
            _ => self.made(("-", Binding::Add), other, u32::checked_sub),
        }
    }

    pub fn mul(&self, other: &Number) -> Number {
        match (self.code.literal(), other.code.literal()) {
            (Some(0), _) | (_, Some(0)) => Number::literal(0),
            (Some(1), _) => other.clone(),
            (_, Some(1)) => self.clone(),
            _ => self.made(("*", Binding::Multiply), other, u32::checked_mul),
        }
    }

    pub fn div(&self, other: &Number) -> Number {
        match other.code.literal() {
            Some(1) => self.clone(),
            _ => self.made(("/", Binding::Multiply), other, u32::checked_div),
        }
    }

    pub fn rem(&self, other: &Number) -> Number {
        match other.code.literal() {
            Some(1) => Number::literal(0),
            _ => self.made(("%", Binding::Multiply), other, u32::checked_rem),
        }
    }

    pub fn min(&self, other: &Number) -> Number {
        if let Some((a, b)) = self.both(other) {
            return Number::literal(a.min(b));
        }
        let known = self.known.zip(other.known).map(|(a, b)| a.min(b));
        let (first, second) = match self.code.literal() {
            Some(_) => (other, self),
            None => (self, other),
        };
        Number {
            code: Code::call("$0.min(#1)", &[&first.code, &second.code]),
            known,
        }
    }

    /// `a < b`; a truth value if both are written out.
    pub fn less(&self, other: &Number) -> Result<bool, Code> {
        match self.both(other) {
            Some((a, b)) => Ok(a < b),
            None => Err(self.infix(("<", Binding::Compare), other)),
        }
    }
}

/// The product of extents.
pub fn product(extents: &[Number]) -> Number {
    let first = Number::literal(1);
    extents
        .iter()
        .fold(first, |product, extent| product.mul(extent))
}

/// The number of the element at an index, counted in rows.
pub fn number_of(index: &[Number], extents: &[Number]) -> Number {
    let pairs = index.iter().zip(extents);
    pairs.fold(Number::literal(0), |number, (at, extent)| {
        number.mul(extent).add(at)
    })
}

/// The index of the element with a number.
pub fn index_of(number: &Number, extents: &[Number]) -> Vec<Number> {
    let mut index = Vec::new();
    let mut left = number.clone();
    for extent in extents.iter().skip(1).rev() {
        index.push(left.rem(extent));
        left = left.div(extent);
    }
    if !extents.is_empty() {
        index.push(left);
    }
    index.reverse();
    index
}
