//! The printed file: what nothing reads is left out, and parts get their parameters and results.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::code::Code;
use super::helpers;
use super::output::{Arm, Kind, Let, Output, Step};
use crate::syntax::Base;

/// The most results beside each other; more are tuples of tuples.
const MOST_RESULTS: usize = 4;

/// The printed file.
pub fn file(name: &str, output: Output) -> String {
    let file = File::new(name, output);
    let mut text = format!("//! The TAIL program `{name}`, as `tail rust` prints it.\n\n");
    text += match file.order.is_empty() {
        true => "use obsidian_rt::Device;\n",
        false => "use obsidian_rt::prelude::*;\n",
    };
    text += "use tail::rust::support;\n\n";
    if !file.order.is_empty() {
        text += "/// The arrays of the program.\n#[kernels(built)]\n";
        text += &format!("pub mod {} {{\n", file.module);
        let functions = file.output.helpers.iter().filter(|name| file.calls(name));
        let functions = functions.map(|name| helpers::text(name).to_owned());
        let parts = file.order.iter().map(|part| file.part(*part));
        let all: Vec<String> = functions.chain(parts).collect();
        text += &all.join("\n\n");
        text += "\n}\n\n";
    }
    text + &file.run()
}

/// What is mentioned where.
struct File {
    output: Output,
    /// The name of the module of the arrays.
    module: String,
    /// The variables that something reads.
    needed: BTreeSet<String>,
    /// The parts that give something, in order.
    order: Vec<usize>,
    /// The results of each part.
    results: BTreeMap<usize, Vec<String>>,
}

/// What a variable is made of, and in which part.
struct Definition<'o> {
    codes: Vec<&'o Code>,
    part: Option<usize>,
}

impl File {
    fn new(name: &str, output: Output) -> Self {
        let steps = output.steps.first().cloned().unwrap_or_default();
        let mut definitions = BTreeMap::new();
        let mut roots = BTreeSet::new();
        host_definitions(&steps, &mut definitions, &mut roots);
        part_definitions(&output, &mut definitions);
        let (needed, read) = reached(&definitions, roots);
        drop(definitions);
        let mut order = Vec::new();
        in_order(&steps, &mut order);
        order.retain(|part| read.contains_key(part));
        let results = read.into_iter().map(|(part, names)| {
            let lets = output.parts.get(part).map_or(&[][..], |part| &part.lets);
            // In the order of the program.
            let names = lets.iter().filter(|own| names.contains(&own.name));
            (part, names.map(|own| own.name.clone()).collect())
        });
        File {
            module: module_name(name),
            needed,
            order,
            results: results.collect(),
            output,
        }
    }

    /// Do the parts that are printed call a function?
    fn calls(&self, helper: &str) -> bool {
        let mut parts = self
            .order
            .iter()
            .filter_map(|part| self.output.parts.get(*part));
        let of = |name: &str| helpers::named(name).contains(&helper);
        let is_called = |code: &Code| {
            self.output
                .helpers
                .iter()
                .any(|name| of(name) && code.text.contains(&format!("{name}(")))
        };
        parts.any(|part| {
            part.lets
                .iter()
                .any(|own| self.needed.contains(&own.name) && is_called(&own.code))
        })
    }

    /// The bindings of a part that something reads.
    fn lets(&self, part: usize) -> Vec<&Let> {
        let lets = self
            .output
            .parts
            .get(part)
            .map_or(&[][..], |part| &part.lets);
        lets.iter()
            .filter(|own| self.needed.contains(&own.name))
            .collect()
    }

    /// The variables of others that a part mentions.
    fn parameters(&self, part: usize) -> Vec<&str> {
        let lets = self.lets(part);
        let own: BTreeSet<&str> = lets.iter().map(|own| own.name.as_str()).collect();
        let mentioned = lets.iter().flat_map(|own| own.code.refs.iter());
        let mentioned: BTreeSet<&str> = mentioned.map(String::as_str).collect();
        mentioned.difference(&own).copied().collect()
    }

    fn kind(&self, name: &str) -> Kind {
        let variable = self.output.variables.get(name);
        variable.map_or(Kind::Scalar(Base::Int), |variable| variable.kind)
    }

    fn number(&self, part: usize) -> usize {
        self.order.iter().position(|own| *own == part).unwrap_or(0) + 1
    }

    fn part(&self, part: usize) -> String {
        let number = self.number(part);
        let parameters = self
            .parameters(part)
            .into_iter()
            .map(|name| format!("{name}: {}", device_type(self.kind(name))));
        let parameters: Vec<String> = parameters.collect();
        let results = self.results.get(&part).cloned().unwrap_or_default();
        let types: Vec<String> = results
            .iter()
            .map(|name| device_type(self.kind(name)))
            .collect();
        let mut text = format!("/// Part {number} of the program.\n#[arrays]\n");
        let _ = writeln!(
            text,
            "pub fn part_{number}({}) -> {} {{",
            parameters.join(", "),
            grouped(&types)
        );
        let lets = self.lets(part);
        for (
            n,
            Let {
                name,
                code,
                comment,
            },
        ) in lets.iter().enumerate()
        {
            if let Some(comment) = comment {
                let _ = writeln!(text, "// {comment}");
            }
            if n + 1 == lets.len() && results == [name.clone()] {
                return text + &code.text + "\n}";
            }
            let _ = writeln!(text, "let {name} = {};", code.text);
        }
        text + &grouped(&results) + "\n}"
    }

    fn run(&self) -> String {
        let mut body = String::new();
        self.steps(
            self.output.steps.first().map_or(&[], Vec::as_slice),
            &mut body,
        );
        let named = |name: &str| match body.contains(name) {
            true => name.to_owned(),
            false => format!("_{name}"),
        };
        let (device, host) = (named("device"), named("host"));
        format!(
            "/// Runs the program, and gives `print` what it prints; the last is its result.\n///\n/// # Errors\n/// If a launch fails, or a file cannot be read.\npub fn run(\n{device}: &Device,\n{host}: &support::Host,\nprint: &mut dyn FnMut(&tail::value::Array),\n) -> support::Result<()> {{\n{body}Ok(())\n}}\n"
        )
    }

    fn steps(&self, steps: &[Step], text: &mut String) {
        for step in steps {
            self.step(step, text);
        }
    }

    /// A text in memory takes all that is written to it.
    fn step(&self, step: &Step, text: &mut String) {
        match step {
            Step::Let(own) if self.needed.contains(&own.name) => {
                if let Some(comment) = &own.comment {
                    let _ = writeln!(text, "// {comment}");
                }
                let ty = match self.kind(&own.name) {
                    Kind::Scalar(base) if base != Base::Open => format!(": {}", host_type(base)),
                    _ => String::new(),
                };
                let _ = writeln!(text, "let {}{ty} = {};", own.name, own.code.text);
            }
            Step::Let(_) => {}
            Step::Start(own) => {
                let _ = writeln!(text, "let mut {} = {};", own.name, own.code.text);
            }
            Step::Assign(name, code) => {
                let _ = writeln!(text, "{name} = {};", code.text);
            }
            Step::Run(part) => self.call(*part, text),
            Step::Do(code) => {
                let _ = writeln!(text, "{}", code.text);
            }
            Step::Loop(count, body) => {
                let _ = writeln!(text, "for _ in 0..{} {{", count.text);
                self.steps(body, text);
                *text += "}\n";
            }
            Step::If(names, condition, arms) => self.choice(names, condition, arms, text),
        }
    }

    fn choice(&self, names: &[String], condition: &Code, arms: &[Arm; 2], text: &mut String) {
        let needed = |n: &usize| names.get(*n).is_some_and(|name| self.needed.contains(name));
        let needed: Vec<usize> = (0..names.len()).filter(needed).collect();
        let of = |list: &dyn Fn(usize) -> String| {
            tuple(&needed.iter().map(|n| list(*n)).collect::<Vec<_>>())
        };
        let bodies = arms.each_ref().map(|arm| {
            let mut body = String::new();
            self.steps(&arm.steps, &mut body);
            if !needed.is_empty() {
                body += &of(&|n| {
                    arm.results
                        .get(n)
                        .map_or_else(String::new, |code| code.text.clone())
                });
            }
            body
        });
        let [then, otherwise] = &bodies;
        let condition = &condition.text;
        let _ = match (needed.is_empty(), then.is_empty(), otherwise.is_empty()) {
            (true, true, true) => Ok(()),
            (true, false, true) => writeln!(text, "if {condition} {{\n{then}}}"),
            (true, _, _) => writeln!(text, "if {condition} {{\n{then}}} else {{\n{otherwise}}}"),
            (false, _, _) => {
                let names = of(&|n| names.get(n).cloned().unwrap_or_default());
                writeln!(
                    text,
                    "let {names} = if {condition} {{\n{then}\n}} else {{\n{otherwise}\n}};"
                )
            }
        };
    }

    fn call(&self, part: usize, text: &mut String) {
        let Some(results) = self.results.get(&part) else {
            return;
        };
        let arguments = self.parameters(part).into_iter().map(|name| {
            let variable = self.output.variables.get(name);
            let argument = variable.and_then(|variable| variable.argument.as_ref());
            match (argument, self.kind(name)) {
                (Some(code), _) => code.text.clone(),
                (None, Kind::Array(..)) => format!("&{name}"),
                (None, _) => name.to_owned(),
            }
        });
        let arguments: Vec<String> = std::iter::once("device".to_owned())
            .chain(arguments)
            .collect();
        let _ = writeln!(
            text,
            "let {} = {}::part_{}::run({})?;",
            grouped(results),
            self.module,
            self.number(part),
            arguments.join(", ")
        );
    }
}

/// The parts that steps run.
fn in_order(steps: &[Step], order: &mut Vec<usize>) {
    for step in steps {
        match step {
            Step::Run(part) => order.push(*part),
            Step::Loop(_, body) => in_order(body, order),
            Step::If(_, _, arms) => arms.iter().for_each(|arm| in_order(&arm.steps, order)),
            Step::Let(_) | Step::Start(_) | Step::Assign(..) | Step::Do(_) => {}
        }
    }
}

/// The variables of parts, and those for which the host passes an expression.
fn part_definitions<'o>(output: &'o Output, definitions: &mut BTreeMap<String, Definition<'o>>) {
    for (number, part) in output.parts.iter().enumerate() {
        for Let { name, code, .. } in &part.lets {
            let (codes, part) = (vec![code], Some(number));
            definitions.insert(name.clone(), Definition { codes, part });
        }
    }
    for (name, variable) in &output.variables {
        if let Some(code) = &variable.argument {
            let (codes, part) = (vec![code], None);
            definitions.insert(name.clone(), Definition { codes, part });
        }
    }
}

/// The variables that something reads, from those that the host reads on; and for each part those that others read.
fn reached(
    definitions: &BTreeMap<String, Definition<'_>>,
    roots: BTreeSet<String>,
) -> (BTreeSet<String>, BTreeMap<usize, BTreeSet<String>>) {
    let mut needed = BTreeSet::new();
    let mut read: BTreeMap<usize, BTreeSet<String>> = BTreeMap::new();
    let mut waiting: Vec<(String, Option<usize>)> =
        roots.into_iter().map(|name| (name, None)).collect();
    while let Some((name, reader)) = waiting.pop() {
        let definition = definitions.get(&name);
        let home = definition.and_then(|own| own.part);
        if let Some(part) = home.filter(|part| Some(*part) != reader) {
            read.entry(part).or_default().insert(name.clone());
        }
        if needed.insert(name)
            && let Some(Definition { codes, part }) = definition
        {
            let refs = codes.iter().flat_map(|code| code.refs.iter());
            waiting.extend(refs.map(|name| (name.clone(), *part)));
        }
    }
    (needed, read)
}

/// The variables that steps bind, and those that are read whatever else is.
fn host_definitions<'s>(
    steps: &'s [Step],
    definitions: &mut BTreeMap<String, Definition<'s>>,
    roots: &mut BTreeSet<String>,
) {
    let mut note = |code: &Code| roots.extend(code.refs.iter().cloned());
    for step in steps {
        match step {
            Step::Let(own) => {
                let definition = Definition {
                    codes: vec![&own.code],
                    part: None,
                };
                definitions.insert(own.name.clone(), definition);
            }
            Step::Start(own) => note(&own.code),
            Step::Assign(_, code) | Step::Do(code) => note(code),
            Step::Run(_) => {}
            Step::Loop(count, _) => note(count),
            Step::If(names, condition, arms) => {
                note(condition);
                for (n, name) in names.iter().enumerate() {
                    let results = arms.iter().filter_map(|arm| arm.results.get(n));
                    let codes = results.collect();
                    definitions.insert(name.clone(), Definition { codes, part: None });
                }
            }
        }
    }
    for step in steps {
        match step {
            Step::Loop(_, body) => host_definitions(body, definitions, roots),
            Step::If(_, _, arms) => arms
                .iter()
                .for_each(|arm| host_definitions(&arm.steps, definitions, roots)),
            Step::Let(_) | Step::Start(_) | Step::Assign(..) | Step::Do(_) | Step::Run(_) => {}
        }
    }
}

/// One name, or a tuple.
fn tuple(names: &[String]) -> String {
    match names {
        [one] => one.clone(),
        several => format!("({})", several.join(", ")),
    }
}

/// The same in groups, as a function of `#[arrays]` gives them.
fn grouped(names: &[String]) -> String {
    if names.len() <= MOST_RESULTS {
        return tuple(names);
    }
    let size = names.len().div_ceil(MOST_RESULTS);
    let groups: Vec<String> = names.chunks(size).map(grouped).collect();
    tuple(&groups)
}

fn host_type(base: Base) -> &'static str {
    match base {
        Base::Int | Base::Open => "i32",
        Base::Double => "f64",
        Base::Bool => "bool",
        Base::Char => "u32",
        Base::Complex => "(f64, f64)",
    }
}

fn device_type(kind: Kind) -> String {
    let element = |base| match base {
        Base::Int | Base::Open => "EI32",
        Base::Double => "EF64",
        Base::Bool => "EBool",
        Base::Char => "EU32",
        Base::Complex => "(EF64, EF64)",
    };
    match kind {
        Kind::Scalar(base) => element(base).to_owned(),
        Kind::Length => "EU32".to_owned(),
        Kind::Stream => "EU64".to_owned(),
        Kind::Array(base, rank) => format!("Arr{rank}<{}>", element(base)),
    }
}

/// The module of a file: its name, and `_parts`.
fn module_name(file: &str) -> String {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    let name = name.strip_suffix(".tail").unwrap_or(name);
    let letter = |c: char| {
        if c.is_ascii_alphanumeric() {
            c.to_ascii_lowercase()
        } else {
            '_'
        }
    };
    let name: String = name.chars().map(letter).collect();
    let start = if name.starts_with(|c: char| c.is_ascii_digit()) {
        "program_"
    } else {
        ""
    };
    format!("{start}{name}_parts")
}
