//! The printed program while it grows: parts, which are functions of the `#[arrays]` module, and the steps of the host around them.
//!
//! Arrays are variables of the part that is open. A part is closed where the host needs one of its values, and the next array begins another
//! one. A variable is a parameter of each other part that mentions it, and thereby a result of its own one; both lists are made when all is
//! there (see [`render`](super::render)), so that nothing is stored but what is read.

use std::collections::{BTreeMap, BTreeSet};

use super::code::Code;
use crate::syntax::Base;

/// The most parameters of a function of `#[arrays]`.
const MOST_PARAMETERS: usize = 8;

/// What a variable is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Kind {
    /// A number, a truth value or the code of a character.
    Scalar(Base),
    /// An extent or a number of iterations.
    Length,
    /// Where random numbers begin.
    Stream,
    /// An array of a rank.
    Array(Base, usize),
}

/// Where a variable is bound.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Home {
    /// In the function of the host.
    Host,
    /// In the part with a number.
    Part(usize),
}

/// A variable of the printed program.
#[derive(Clone, Debug)]
pub struct Variable {
    pub kind: Kind,
    pub home: Home,
    /// What the host passes for it, if it is no variable there.
    pub argument: Option<Code>,
}

/// A binding.
#[derive(Clone, Debug)]
pub struct Let {
    pub name: String,
    pub code: Code,
    /// The line of the TAIL program.
    pub comment: Option<String>,
}

/// A function of the `#[arrays]` module.
#[derive(Clone, Debug, Default)]
pub struct Part {
    pub lets: Vec<Let>,
    /// The variables of others that it mentions.
    outside: BTreeSet<String>,
}

/// A step of the host.
#[derive(Clone, Debug)]
pub enum Step {
    /// A binding.
    Let(Let),
    /// A variable that a loop changes.
    Start(Let),
    /// Its next value.
    Assign(String, Code),
    /// A part runs.
    Run(usize),
    /// A statement.
    Do(Code),
    /// A loop: how many iterations it has, and what each does.
    Loop(Code, Vec<Step>),
    /// A choice, which binds names.
    If(Vec<String>, Code, Box<[Arm; 2]>),
}

/// An arm of a choice, and what it gives.
#[derive(Clone, Debug)]
pub struct Arm {
    pub steps: Vec<Step>,
    pub results: Vec<Code>,
}

/// Bindings in a closure.
#[derive(Clone, Debug)]
pub struct Block {
    /// Are its bindings arrays of the program? Otherwise they are values of a function of elements.
    pub of_arrays: bool,
    pub lets: Vec<(String, Code)>,
    /// Does it run a program of one thread?
    pub runs: bool,
}

/// The printed program while it grows.
#[derive(Clone, Debug)]
pub struct Output {
    pub variables: BTreeMap<String, Variable>,
    pub parts: Vec<Part>,
    /// The functions of the library that it calls.
    pub helpers: BTreeSet<&'static str>,
    /// Blocks of the host, the innermost last.
    pub steps: Vec<Vec<Step>>,
    /// Blocks of closures, the innermost last.
    pub blocks: Vec<Block>,
    open: Option<usize>,
    /// What the host does behind the open part.
    waiting: Vec<Step>,
    names: BTreeSet<String>,
}

impl Output {
    pub fn new() -> Self {
        // Names of the printed functions.
        let names = ["device", "host", "print", "index", "parts"];
        Output {
            variables: BTreeMap::new(),
            parts: Vec::new(),
            helpers: BTreeSet::new(),
            steps: vec![Vec::new()],
            blocks: Vec::new(),
            open: None,
            waiting: Vec::new(),
            names: names.into_iter().map(str::to_owned).collect(),
        }
    }

    /// A name that nothing has: the one that is wished, or with a number behind it.
    pub fn fresh(&mut self, wished: &str) -> String {
        let numbered = (2..).map(|n| format!("{wished}_{n}"));
        let mut all = std::iter::once(wished.to_owned()).chain(numbered);
        let name = all.find(|name| !self.names.contains(name));
        let name = name.unwrap_or_default();
        self.names.insert(name.clone());
        name
    }

    /// Binds a variable of the host.
    pub fn host(&mut self, wished: &str, kind: Kind, code: Code, comment: Option<String>) -> Code {
        let name = self.declared(wished, kind, None);
        let step = Step::Let(Let {
            name: name.clone(),
            code,
            comment,
        });
        self.step(step);
        Code::variable(&name)
    }

    /// A variable of the host, which something else binds; or of no place, with what the host passes for it.
    pub fn declared(&mut self, wished: &str, kind: Kind, argument: Option<Code>) -> String {
        let name = self.fresh(wished);
        let variable = Variable {
            kind,
            home: Home::Host,
            argument,
        };
        self.variables.insert(name.clone(), variable);
        name
    }

    /// A parameter for which the host passes an expression: the one that is there already, if there is one.
    pub fn parameter(&mut self, wished: &str, kind: Kind, argument: Code) -> Code {
        let is_same = |variable: &&Variable| {
            variable.kind == kind && variable.argument.as_ref() == Some(&argument)
        };
        let known = self.variables.iter().find(|(_, own)| is_same(own));
        match known {
            Some((name, _)) => Code::variable(name),
            None => Code::variable(&self.declared(wished, kind, Some(argument))),
        }
    }

    /// A step of the host, in front of the part that is open unless it mentions a variable of that.
    pub fn step(&mut self, step: Step) {
        let mut refs = BTreeSet::new();
        mentioned(&step, &mut refs);
        if refs.iter().any(|name| self.is_open(name)) {
            self.close();
        }
        self.push(step);
    }

    /// Something that the host does in the order of the program.
    pub fn effect(&mut self, code: Code) {
        match self.open {
            Some(_) => self.waiting.push(Step::Do(code)),
            None => self.push(Step::Do(code)),
        }
    }

    fn push(&mut self, step: Step) {
        if let Some(block) = self.steps.last_mut() {
            block.push(step);
        }
    }

    fn is_open(&self, name: &str) -> bool {
        let home = self.variables.get(name).map(|variable| variable.home);
        matches!(home, Some(Home::Part(part)) if Some(part) == self.open)
    }

    /// Ends the part that is open.
    pub fn close(&mut self) {
        if let Some(part) = self.open.take() {
            self.push(Step::Run(part));
        }
        for step in std::mem::take(&mut self.waiting) {
            self.push(step);
        }
    }

    /// A block of the host begins.
    pub fn begin(&mut self) {
        self.close();
        self.steps.push(Vec::new());
    }

    /// The innermost block of the host ends.
    pub fn end(&mut self) -> Vec<Step> {
        self.close();
        self.steps.pop().unwrap_or_default()
    }

    /// Binds an array: in the innermost closure over arrays, or in the part that is open.
    pub fn array(
        &mut self,
        wished: &str,
        (base, rank): (Base, usize),
        code: Code,
        comment: Option<String>,
    ) -> Code {
        let name = self.fresh(wished);
        let mut blocks = self.blocks.iter_mut().rev();
        if let Some(block) = blocks.find(|block| block.of_arrays) {
            block.lets.push((name.clone(), code));
            return Code::atom(name);
        }
        let part = self.part_for(&code.refs);
        let variable = Variable {
            kind: Kind::Array(base, rank),
            home: Home::Part(part),
            argument: None,
        };
        self.variables.insert(name.clone(), variable);
        let own = Let {
            name: name.clone(),
            code,
            comment,
        };
        if let Some(part) = self.parts.get_mut(part) {
            part.lets.push(own);
        }
        Code::variable(&name)
    }

    /// The part that is open, or another one if that would have too many parameters.
    fn part_for(&mut self, refs: &BTreeSet<String>) -> usize {
        if let Some(number) = self.open {
            let from_outside = refs.iter().filter(|name| !self.is_open(name)).cloned();
            let mut outside: BTreeSet<String> = from_outside.collect();
            if let Some(part) = self.parts.get_mut(number) {
                outside.extend(part.outside.iter().cloned());
                if outside.len() <= MOST_PARAMETERS {
                    part.outside = outside;
                    return number;
                }
            }
            self.close();
        }
        self.parts.push(Part {
            lets: Vec::new(),
            outside: refs.clone(),
        });
        self.open = Some(self.parts.len() - 1);
        self.parts.len() - 1
    }

    /// The name of a part that has more parameters than a function of `#[arrays]` takes.
    pub fn crowded(&self) -> bool {
        self.parts
            .iter()
            .any(|part| part.outside.len() > MOST_PARAMETERS)
    }
}

/// The variables that a step mentions.
pub fn mentioned(step: &Step, refs: &mut BTreeSet<String>) {
    let mut note = |code: &Code| refs.extend(code.refs.iter().cloned());
    match step {
        Step::Let(own) | Step::Start(own) => note(&own.code),
        Step::Assign(_, code) | Step::Do(code) => note(code),
        Step::Run(_) => {}
        Step::Loop(count, body) => {
            note(count);
            body.iter().for_each(|step| mentioned(step, refs));
        }
        Step::If(_, condition, arms) => {
            note(condition);
            for arm in arms.iter() {
                arm.results
                    .iter()
                    .for_each(|code| refs.extend(code.refs.iter().cloned()));
                arm.steps.iter().for_each(|step| mentioned(step, refs));
            }
        }
    }
}
