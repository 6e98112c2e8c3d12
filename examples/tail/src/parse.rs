//! Tokens as a tree, by recursive descent.
//!
//! ```text
//! exp  : let VAR : type = exp in exp | fn VAR : type => exp | if exp then exp else exp
//!      | [exp, ..] | (exp, ..) | NAME inst? (exp, ..) | NAME inst? | VAR | CONSTANT
//! inst : { [base, ..], [int, ..] }
//! type : [base] rank | <base> length | S(base, value) | SV(base, value) | (type) -> type | (type * ..)
//! ```

use std::sync::Arc;

use crate::lexer::{Token, tokens};
use crate::mistake::Mistake;
use crate::syntax::{
    Base, Binding, Constant, Expr, ExprKind, Function, Instance, Operator, Span, Type,
};

/// How deep expressions and types may be nested.
const DEEPEST: usize = 100;

/// Words that are no names.
const WORDS: [&str; 6] = ["let", "in", "fn", "if", "then", "else"];

/// The program of a text.
pub fn parse(text: &str) -> Result<Expr, Mistake> {
    let tokens = tokens(text)?;
    let end = Span {
        start: text.trim_end().len(),
        end: text.trim_end().len(),
    };
    let mut parser = Parser {
        tokens: &tokens,
        at: 0,
        end,
        depth: 0,
    };
    let program = parser.expression()?;
    match parser.peek() {
        None => Ok(program),
        Some(token) => {
            let message = format!("the program ends before {}", token.shown());
            Err(parser.wrong(message))
        }
    }
}

/// Is a name one of a variable, `v12` or `mv12`?
pub fn is_variable(name: &str) -> bool {
    let name = name.strip_prefix('m').unwrap_or(name);
    let digits = name.strip_prefix('v');
    digits.is_some_and(|digits| !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit()))
}

struct Parser<'t> {
    tokens: &'t [(Token, Span)],
    at: usize,
    /// Behind the last token.
    end: Span,
    depth: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|(token, _)| token)
    }

    /// Where the next token stands.
    fn here(&self) -> Span {
        self.tokens.get(self.at).map_or(self.end, |(_, span)| *span)
    }

    /// From a place to the end of the last token.
    fn since(&self, start: Span) -> Span {
        let last = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        last.map_or(start, |(_, span)| start.to(*span))
    }

    fn wrong(&self, message: impl Into<String>) -> Mistake {
        Mistake::new(self.here(), message)
    }

    /// What was expected in place of the next token.
    fn expected(&self, what: &str) -> Mistake {
        let found = match self.peek() {
            Some(token) => token.shown(),
            None => "the end of the text".to_owned(),
        };
        self.wrong(format!("expected {what}, found {found}"))
    }

    fn eat(&mut self, sign: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Sign(found)) if *found == sign);
        self.at += usize::from(found);
        found
    }

    fn need(&mut self, sign: &str) -> Result<(), Mistake> {
        match self.eat(sign) {
            true => Ok(()),
            false => Err(self.expected(&format!("`{sign}`"))),
        }
    }

    fn need_word(&mut self, wanted: &str) -> Result<(), Mistake> {
        match self.peek() {
            Some(Token::Word(word)) if word == wanted => {
                self.at += 1;
                Ok(())
            }
            _ => Err(self.expected(&format!("`{wanted}`"))),
        }
    }

    /// What is between signs, with commas between.
    fn list<T>(
        &mut self,
        end: &str,
        mut item: impl FnMut(&mut Self) -> Result<T, Mistake>,
    ) -> Result<Vec<T>, Mistake> {
        let mut items = Vec::new();
        if self.eat(end) {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if self.eat(end) {
                return Ok(items);
            }
            if !self.eat(",") {
                return Err(self.expected(&format!("`,` or `{end}`")));
            }
        }
    }

    fn deeper<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Mistake>,
    ) -> Result<T, Mistake> {
        if self.depth == DEEPEST {
            return Err(self.wrong(format!("this is nested more than {DEEPEST} times")));
        }
        self.depth += 1;
        let read = read(self);
        self.depth -= 1;
        read
    }

    fn expression(&mut self) -> Result<Expr, Mistake> {
        self.deeper(Self::expression_here)
    }

    fn expression_here(&mut self) -> Result<Expr, Mistake> {
        let start = self.here();
        let kind = match self.peek() {
            Some(Token::Constant(constant)) => {
                let constant = *constant;
                self.at += 1;
                ExprKind::Constant(constant)
            }
            Some(Token::Sign("[")) => {
                self.at += 1;
                ExprKind::Vector(self.list("]", Self::expression)?)
            }
            Some(Token::Sign("(")) => {
                self.at += 1;
                let mut items = self.list(")", Self::expression)?;
                match items.len() {
                    0 => return Err(Mistake::new(self.since(start), "a tuple has fields")),
                    1 => return Ok(items.remove(0)),
                    _ => ExprKind::Tuple(items),
                }
            }
            Some(Token::Word(word)) => match word.as_str() {
                "let" => self.bindings()?,
                "fn" => {
                    self.at += 1;
                    let name = self.variable()?;
                    self.need(":")?;
                    let ty = self.ty()?;
                    self.need("=>")?;
                    let body = self.expression()?;
                    ExprKind::Function(Arc::new(Function { name, ty, body }))
                }
                "if" => {
                    self.at += 1;
                    let condition = self.expression()?;
                    self.need_word("then")?;
                    let then = self.expression()?;
                    self.need_word("else")?;
                    let otherwise = self.expression()?;
                    ExprKind::If(Box::new([condition, then, otherwise]))
                }
                word if WORDS.contains(&word) => return Err(self.expected("an expression")),
                word if is_variable(word) => ExprKind::Variable(self.variable()?),
                _ => self.operator()?,
            },
            _ => return Err(self.expected("an expression")),
        };
        let span = self.since(start);
        Ok(Expr { kind, span })
    }

    /// A chain of `let`s, which may be long.
    fn bindings(&mut self) -> Result<ExprKind, Mistake> {
        let mut bindings = Vec::new();
        while matches!(self.peek(), Some(Token::Word(word)) if word == "let") {
            self.at += 1;
            let name = self.variable()?;
            self.need(":")?;
            let ty = self.ty()?;
            self.need("=")?;
            let value = self.expression()?;
            self.need_word("in")?;
            bindings.push(Binding { name, ty, value });
        }
        let body = self.expression()?;
        Ok(ExprKind::Let(bindings, Box::new(body)))
    }

    fn variable(&mut self) -> Result<String, Mistake> {
        match self.peek() {
            Some(Token::Word(word)) if is_variable(word) => {
                let word = word.clone();
                self.at += 1;
                Ok(word)
            }
            _ => Err(self.expected("a variable, `v` or `mv` and a number")),
        }
    }

    /// An operator, called or alone.
    fn operator(&mut self) -> Result<ExprKind, Mistake> {
        let span = self.here();
        let name = match self.peek() {
            Some(Token::Word(word)) => word.clone(),
            _ => return Err(self.expected("an operator")),
        };
        self.at += 1;
        let instance = match self.peek() {
            Some(Token::Sign("{")) => Some(self.instance()?),
            _ => None,
        };
        let operator = Operator {
            name,
            instance,
            span,
        };
        Ok(match self.eat("(") {
            true => ExprKind::Call(operator, self.list(")", Self::expression)?),
            false => ExprKind::Operator(operator),
        })
    }

    fn instance(&mut self) -> Result<Instance, Mistake> {
        let start = self.here();
        self.need("{")?;
        self.need("[")?;
        let bases = self.list("]", Self::base)?;
        self.need(",")?;
        self.need("[")?;
        let numbers = self.list("]", |parser| parser.count("a rank or a length"))?;
        self.need("}")?;
        Ok(Instance {
            bases,
            numbers,
            span: self.since(start),
        })
    }

    fn base(&mut self) -> Result<Base, Mistake> {
        let base = match self.peek() {
            Some(Token::Open) => Base::Open,
            Some(Token::Word(word)) => match word.as_str() {
                "int" => Base::Int,
                "double" => Base::Double,
                "bool" => Base::Bool,
                "char" => Base::Char,
                "complex" => Base::Complex,
                _ => return Err(self.expected(BASES)),
            },
            _ => return Err(self.expected(BASES)),
        };
        self.at += 1;
        Ok(base)
    }

    /// A number that is not below 0.
    fn count(&mut self, what: &str) -> Result<u32, Mistake> {
        match self.peek() {
            Some(Token::Constant(Constant::Int(n))) if *n >= 0 => {
                let n = n.unsigned_abs();
                self.at += 1;
                Ok(n)
            }
            _ => Err(self.expected(what)),
        }
    }

    fn ty(&mut self) -> Result<Type, Mistake> {
        self.deeper(Self::type_here)
    }

    fn type_here(&mut self) -> Result<Type, Mistake> {
        let from = match self.peek() {
            Some(Token::Sign("[")) => {
                self.at += 1;
                let base = self.base()?;
                self.need("]")?;
                Type::Array(base, self.count("a rank")?)
            }
            Some(Token::Sign("<")) => {
                self.at += 1;
                let base = self.base()?;
                self.need(">")?;
                Type::Vector(base, self.count("a length")?)
            }
            Some(Token::Sign("(")) => {
                self.at += 1;
                let mut types = vec![self.ty()?];
                while self.eat("*") {
                    types.push(self.ty()?);
                }
                self.need(")")?;
                match types.len() {
                    1 => types.remove(0),
                    _ => Type::Tuple(types),
                }
            }
            Some(Token::Word(word)) if word == "S" || word == "SV" => {
                let is_single = word == "SV";
                self.at += 1;
                self.need("(")?;
                let place = self.here();
                let base = self.base()?;
                self.need(",")?;
                let value = match self.peek() {
                    Some(Token::Constant(value)) => *value,
                    _ => return Err(self.expected("a value")),
                };
                self.at += 1;
                self.need(")")?;
                if value.base() != base {
                    let message = format!("`{value}` is no value of type {base}");
                    return Err(Mistake::new(self.since(place), message));
                }
                match is_single {
                    true => Type::Single(value),
                    false => Type::Scalar(value),
                }
            }
            _ => return Err(self.expected("a type")),
        };
        match self.eat("->") {
            true => Ok(Type::Function(Box::new(from), Box::new(self.ty()?))),
            false => Ok(from),
        }
    }
}

/// The base types, as a message names them.
const BASES: &str = "a base type: int, double, bool, char or complex";
