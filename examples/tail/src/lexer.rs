//! Texts as tokens. Comments, `(* .. *)`, are those of the other front ends of the language; apltail writes none.

use crate::mistake::Mistake;
use crate::syntax::{Constant, Span};

/// A token.
#[derive(Clone, PartialEq, Debug)]
pub enum Token {
    /// A name or a word of the language.
    Word(String),
    /// A number, a character, or a truth value.
    Constant(Constant),
    /// A base type that is not known, `'b0`.
    Open,
    /// One of `( ) [ ] { } < > , : = * -> =>`.
    Sign(&'static str),
}

impl Token {
    /// As a message names it.
    pub fn shown(&self) -> String {
        match self {
            Token::Word(word) => format!("`{word}`"),
            Token::Constant(constant) => format!("`{constant}`"),
            Token::Open => "`'b0`".to_owned(),
            Token::Sign(sign) => format!("`{sign}`"),
        }
    }
}

/// Longer signs first.
const SIGNS: [&str; 14] = [
    "->", "=>", "(", ")", "[", "]", "{", "}", "<", ">", ",", ":", "=", "*",
];

/// The tokens of a text.
pub fn tokens(text: &str) -> Result<Vec<(Token, Span)>, Mistake> {
    let mut lexer = Lexer { text, at: 0 };
    let mut tokens = Vec::new();
    loop {
        lexer.blanks()?;
        let start = lexer.at;
        if start == text.len() {
            return Ok(tokens);
        }
        let token = lexer.token();
        let span = Span {
            start,
            end: lexer.at,
        };
        tokens.push((token.map_err(|message| Mistake::new(span, message))?, span));
    }
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// The characters for which a condition holds, and those behind them are next.
    fn skip(&mut self, holds: impl Fn(char) -> bool) -> &str {
        let rest = &self.text[self.at..];
        let length = rest.find(|c| !holds(c)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    /// Skips blanks and comments, which are written `(* .. *)`.
    fn blanks(&mut self) -> Result<(), Mistake> {
        loop {
            self.skip(char::is_whitespace);
            let start = self.at;
            if !self.eat("(*") {
                return Ok(());
            }
            let end = self.at;
            match self.rest().find("*)") {
                Some(length) => self.at += length + "*)".len(),
                None => {
                    let message = "this comment has no end; write `*)` behind it";
                    return Err(Mistake::new(Span { start, end }, message));
                }
            }
        }
    }

    fn eat(&mut self, sign: &str) -> bool {
        let found = self.rest().starts_with(sign);
        if found {
            self.at += sign.len();
        }
        found
    }

    fn token(&mut self) -> Result<Token, String> {
        let Some(first) = self.peek() else {
            return Err("a token is missing".to_owned());
        };
        let mut following = self.rest().chars().skip(1);
        let is_negative = matches!(first, '-' | '~')
            && following
                .next()
                .is_some_and(|c| c.is_ascii_digit() || c == 'i');
        if first.is_ascii_digit() || is_negative {
            return self.number();
        }
        if first == '\'' {
            return self.character();
        }
        if first.is_ascii_alphabetic() {
            let word = self
                .skip(|c| c.is_ascii_alphanumeric() || c == '_')
                .to_owned();
            return Ok(match word.as_str() {
                "tt" => Token::Constant(Constant::Bool(true)),
                "ff" => Token::Constant(Constant::Bool(false)),
                "inf" => Token::Constant(Constant::Double(f64::INFINITY)),
                _ => Token::Word(word),
            });
        }
        match SIGNS.into_iter().find(|sign| self.eat(sign)) {
            Some(sign) => Ok(Token::Sign(sign)),
            None => {
                self.at += first.len_utf8();
                Err(format!("no token begins with `{first}`"))
            }
        }
    }

    /// `12`, `-5`, `~5`, `1.5e-10`, `-inf`, or `2.0j-3.2`.
    fn number(&mut self) -> Result<Token, String> {
        let first = self.part()?;
        if !self.eat("j") {
            return Ok(Token::Constant(first));
        }
        let parts = [first, self.part()?].map(|part| match part {
            Constant::Int(n) => f64::from(n),
            Constant::Double(x) => x,
            _ => f64::NAN,
        });
        Ok(Token::Constant(Constant::Complex(parts[0], parts[1])))
    }

    fn part(&mut self) -> Result<Constant, String> {
        let mut digits = String::new();
        if self.eat("-") || self.eat("~") {
            digits.push('-');
        }
        if self.eat("inf") {
            let sign = if digits.is_empty() { 1.0 } else { -1.0 };
            return Ok(Constant::Double(sign * f64::INFINITY));
        }
        digits += self.skip(|c| c.is_ascii_digit());
        let mut is_whole = true;
        if self.eat(".") {
            is_whole = false;
            digits.push('.');
            digits += self.skip(|c| c.is_ascii_digit());
        }
        if self.eat("e") || self.eat("E") {
            is_whole = false;
            digits.push('e');
            if self.eat("-") || self.eat("~") {
                digits.push('-');
            } else {
                self.eat("+");
            }
            digits += self.skip(|c| c.is_ascii_digit());
        }
        if !digits.contains(|c: char| c.is_ascii_digit()) {
            return Err("digits are missing here".to_owned());
        }
        if is_whole {
            let number = digits.parse().map(Constant::Int);
            return number.map_err(|_| format!("`{digits}` is no whole number of 32 bits"));
        }
        let number = digits.parse().ok().filter(|x: &f64| x.is_finite());
        number
            .map(Constant::Double)
            .ok_or_else(|| format!("`{digits}` is no double"))
    }

    /// `'a'`, `'\n'`, `'\''`, or a code in hexadecimal digits, `'D7'`.
    fn character(&mut self) -> Result<Token, String> {
        self.at += 1;
        if self.rest().starts_with('b') {
            // `'b0`, a type, and not `'b'`.
            let digits = self.rest()[1..]
                .chars()
                .take_while(char::is_ascii_digit)
                .count();
            let after = self.rest()[1 + digits..].chars().next();
            if digits > 0 && after != Some('\'') {
                self.at += 1 + digits;
                return Ok(Token::Open);
            }
        }
        let wrong = "a character is written `'a'`, `'\\n'` or, by its code, `'D7'`".to_owned();
        if self.eat("\\") {
            let Some(c) = self.peek() else {
                return Err(wrong);
            };
            self.at += c.len_utf8();
            if c == '^' || c.is_ascii_digit() {
                return self.escaped(c).and_then(|c| self.quoted(c)).ok_or(wrong);
            }
            let c = match c {
                'n' => '\n',
                't' => '\t',
                'r' => '\r',
                'a' => '\u{7}',
                'b' => '\u{8}',
                'v' => '\u{b}',
                'f' => '\u{c}',
                c => c,
            };
            return self.quoted(c).ok_or(wrong);
        }
        if self.eat("''") {
            return Ok(Token::Constant(Constant::Char('\'')));
        }
        let end = self.rest().find('\'').ok_or_else(|| wrong.clone())?;
        let inside = self.rest()[..end].to_owned();
        self.at += end;
        let mut characters = inside.chars();
        let c = match (characters.next(), characters.next()) {
            (Some(c), None) => Some(c),
            (Some(_), Some(_)) => {
                let code = u32::from_str_radix(&inside, 16).ok();
                code.and_then(char::from_u32)
            }
            (None, _) => None,
        };
        c.and_then(|c| self.quoted(c)).ok_or(wrong)
    }

    /// What is behind `\`: `\^@`, a control character, or `\127`, a code of three digits.
    fn escaped(&mut self, first: char) -> Option<char> {
        if first == '^' {
            let c = self.peek()?;
            self.at += c.len_utf8();
            let code = u32::from(c).checked_sub(64).filter(|code| *code < 32)?;
            return char::from_u32(code);
        }
        let digits: String = self.rest().chars().take(2).collect();
        self.at += digits.len();
        let code: u8 = format!("{first}{digits}").parse().ok()?;
        Some(char::from(code))
    }

    /// A character in front of the quotation mark.
    fn quoted(&mut self, c: char) -> Option<Token> {
        self.eat("'").then_some(Token::Constant(Constant::Char(c)))
    }
}
