//! A kernel's text with its arguments and what it has to give: all that is needed to run it again,
//! as a text file.

use std::fmt::Write as _;

use obsidian_core::scalar::{Literal, ScalarType};

use super::generate::inputs;
use super::interpret::{Meaningless, Results, interpret, interpret_changed};
use super::syntax::{Program, Type};

/// What an argument of a launch is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// An array that is read.
    Input,
    /// An array that is read and written.
    Global,
    /// A number.
    Number,
    /// What the launch gives.
    Output,
}

/// Elements of one array, or a number.
#[derive(Clone, PartialEq, Debug)]
pub struct List {
    /// What it is to the launch.
    pub role: Role,
    /// The type of its elements.
    pub ty: ScalarType,
    /// The elements; those of an array that is written too are its first ones.
    pub elements: Vec<Literal>,
}

/// A kernel and one launch of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Case {
    /// Where it is from.
    pub title: String,
    /// The kernel, as an item.
    pub text: String,
    /// The name of the kernel.
    pub name: String,
    /// Arguments in order, then outputs.
    pub lists: Vec<List>,
    /// What global arrays hold afterwards.
    pub globals: Vec<Vec<Literal>>,
    /// May floats be two units in the last place apart?
    pub approximate: bool,
}

impl Case {
    /// The case of a program: the interpreter says what it gives.
    pub fn of(program: &Program) -> Case {
        let arguments = inputs(program);
        let results = interpret(program, &arguments);
        Case::with(program, arguments, results)
    }

    /// The case of a program that may mean nothing; and why it does. Then the case's outputs are
    /// empty.
    pub fn of_changed(program: &Program) -> (Case, Option<Meaningless>) {
        let arguments = inputs(program);
        let (results, why) = match interpret_changed(program, &arguments) {
            Ok(results) => (results, None),
            Err(why) => {
                let outputs = vec![Vec::new(); program.outputs.len()];
                let globals = Vec::new();
                (Results { outputs, globals }, Some(why))
            }
        };
        (Case::with(program, arguments, results), why)
    }

    fn with(program: &Program, arguments: Vec<Vec<Literal>>, results: Results) -> Case {
        let Results { outputs, globals } = results;
        let roles = program.parameters.iter().flat_map(|p| match &p.ty {
            Type::Pull(element, _) => element
                .scalars()
                .into_iter()
                .map(|ty| (Role::Input, ty))
                .collect(),
            Type::Global(ty) => vec![(Role::Global, *ty)],
            ty => ty
                .scalars()
                .into_iter()
                .map(|ty| (Role::Number, ty))
                .collect::<Vec<_>>(),
        });
        let mut lists: Vec<List> = roles
            .zip(arguments)
            .map(|((role, ty), elements)| List { role, ty, elements })
            .collect();
        lists.extend(
            program
                .outputs
                .iter()
                .zip(outputs)
                .map(|(ty, elements)| List {
                    role: Role::Output,
                    ty: *ty,
                    elements,
                }),
        );
        Case {
            title: format!("seed {}", program.seed),
            text: program.text(),
            name: program.name(),
            lists,
            globals,
            approximate: program.approximate,
        }
    }

    /// The case as a file: the lists as comments, with the bits of each element, then the kernel.
    pub fn file(&self) -> String {
        let mut file = format!("// {}\n", self.title.replace('\n', " "));
        let bits = |list: &[Literal]| {
            list.iter()
                .map(|x| format!(" {:x}", x.bits()))
                .collect::<String>()
        };
        if self.approximate {
            file += "// approximate\n";
        }
        for List { role, ty, elements } in &self.lists {
            let _ = writeln!(file, "// {} {}{}", role.word(), ty.name(), bits(elements));
        }
        for (list, after) in self
            .lists
            .iter()
            .filter(|list| list.role == Role::Global)
            .zip(&self.globals)
        {
            let _ = writeln!(file, "// after {}{}", list.ty.name(), bits(after));
        }
        file + &self.text
    }

    /// Reads a file.
    ///
    /// # Errors
    /// The line that is no line of a case.
    pub fn read(file: &str) -> Result<Case, String> {
        let (comments, text): (Vec<&str>, Vec<&str>) =
            file.lines().partition(|line| line.starts_with("//"));
        let text = text.join("\n") + "\n";
        let name = text
            .split("pub fn ")
            .nth(1)
            .and_then(|rest| rest.split('(').next())
            .ok_or("there is no kernel")?
            .to_owned();
        let title = comments
            .first()
            .map_or("", |line| line.trim_start_matches("// "))
            .to_owned();
        let mut case = Case {
            title,
            text,
            name,
            lists: Vec::new(),
            globals: Vec::new(),
            approximate: false,
        };
        for line in comments.iter().skip(1) {
            let mut words = line.trim_start_matches('/').split_whitespace();
            let word = words.next().unwrap_or_default();
            if word == "approximate" {
                case.approximate = true;
                continue;
            }
            let ty = words
                .next()
                .and_then(ScalarType::from_name)
                .ok_or_else(|| (*line).to_owned())?;
            let elements: Result<Vec<Literal>, _> = words
                .map(|bits| u64::from_str_radix(bits, 16).map(|bits| Literal::from_bits(ty, bits)))
                .collect();
            let elements = elements.map_err(|error| format!("{line}: {error}"))?;
            match Role::ALL.into_iter().find(|role| role.word() == word) {
                Some(role) => case.lists.push(List { role, ty, elements }),
                None if word == "after" => case.globals.push(elements),
                None => return Err((*line).to_owned()),
            }
        }
        Ok(case)
    }
}

impl Role {
    const ALL: [Role; 4] = [Role::Input, Role::Global, Role::Number, Role::Output];

    fn word(self) -> &'static str {
        match self {
            Role::Input => "input",
            Role::Global => "global",
            Role::Number => "number",
            Role::Output => "output",
        }
    }
}
