//! Names for arrays and variables: the user's where there is one, readable, never twice in one
//! scope.
//!
//! Names are given in the order in which the statements bind them, so they do not depend on the
//! numbers of nodes, variables or arrays. An array's name is unique in its kernel; a variable's is
//! unique among the names that can be seen where it is bound, so two loops side by side both count
//! `i`.

use crate::error::internal;
use crate::ir::{Kernel, ParameterKind, Physical, Statement};
use crate::ordered::{Map, Set};
use crate::scalar::{ArrayId, VariableId, VariableKind};

/// Names of loop counters that the user did not name.
const COUNTERS: [&str; 6] = ["i", "j", "k", "m", "n", "p"];

/// The names of one kernel while its text is written, in one target language.
#[derive(Debug)]
pub struct Names<'k> {
    kernel: &'k Kernel<Physical>,
    reserved: Set<&'static str>,
    taken: Set<String>,
    arrays: Map<ArrayId, String>,
    variables: Map<VariableId, String>,
    scopes: Vec<Vec<String>>,
    /// For a stem, a number below which all are taken; forgotten when names become free.
    next: Map<String, u32>,
}

impl<'k> Names<'k> {
    /// Names the kernel's parameters and arrays. `reserved` are the words that the target language,
    /// and the text around the kernel, use themselves.
    pub fn of(kernel: &'k Kernel<Physical>, reserved: &[&'static str]) -> Self {
        let reserved = reserved.iter().copied().collect();
        let mut names = Names {
            kernel,
            reserved,
            taken: Set::new(),
            arrays: Map::new(),
            variables: Map::new(),
            scopes: Vec::new(),
            next: Map::new(),
        };
        for parameter in &kernel.parameters {
            match parameter.kind {
                ParameterKind::Array(array) => names.name_parameter(array),
                ParameterKind::Scalar(variable) => {
                    let name = names.free(names.hint(variable).unwrap_or("argument"));
                    names.taken.insert(name.clone());
                    names.variables.insert(variable, name);
                }
            }
        }
        for statement in &kernel.body {
            statement.visit(&mut |s| {
                if let Statement::Allocate { array, .. } = s {
                    names.name_array(*array);
                }
            });
        }
        names
    }

    /// The name of an array.
    pub fn array(&self, array: ArrayId) -> &str {
        match self.arrays.get(&array) {
            Some(name) => name,
            None => internal::raise(format!("array {} is used before it begins", array.0)),
        }
    }

    /// The name of the number of elements of a parameter.
    pub fn length(&self, array: ArrayId) -> String {
        format!("{}_len", self.array(array))
    }

    /// The name of a variable where it can be seen.
    pub fn variable(&self, variable: VariableId) -> &str {
        match self.variables.get(&variable) {
            Some(name) => name,
            None => internal::raise(format!(
                "variable {} is used before it is bound",
                variable.0
            )),
        }
    }

    /// Begins a list of statements.
    pub fn enter(&mut self) {
        self.scopes.push(Vec::new());
    }

    /// Ends a list of statements: its names are free again.
    pub fn leave(&mut self) {
        for name in self.scopes.pop().unwrap_or_default() {
            self.taken.remove(&name);
            self.next.clear();
        }
    }

    /// Names a variable for the rest of the list; `stem` is for loop counters and others without a
    /// name of their own.
    pub fn bind(&mut self, variable: VariableId, stem: Option<&str>) -> String {
        let kind = self.kernel.tables.variable(variable).kind;
        let name = match (self.hint(variable), stem, kind) {
            (Some(hint), _, _) => self.free(hint),
            (None, Some(stem), _) => self.free(stem),
            (None, None, VariableKind::Counter) => {
                let known = COUNTERS.into_iter().find(|name| self.is_free(name));
                known.map_or_else(|| self.free("i"), str::to_owned)
            }
            (None, None, VariableKind::Cell) => self.free("v"),
            (None, None, _) => self.free("t"),
        };
        self.hold(&name);
        self.variables.insert(variable, name.clone());
        name
    }

    /// A name for something that the kernel has no variable for, for the rest of the list.
    pub fn fresh(&mut self, stem: &str) -> String {
        let name = self.free(stem);
        self.hold(&name);
        name
    }

    fn hold(&mut self, name: &str) {
        self.taken.insert(name.to_owned());
        if let Some(scope) = self.scopes.last_mut() {
            scope.push(name.to_owned());
        }
    }

    fn hint(&self, variable: VariableId) -> Option<&'k str> {
        self.kernel.tables.variable(variable).name.as_deref()
    }

    fn name_parameter(&mut self, array: ArrayId) {
        self.name_array(array);
        let length = self.length(array);
        self.taken.insert(length);
    }

    fn name_array(&mut self, array: ArrayId) {
        if self.arrays.contains_key(&array) {
            return;
        }
        let name = self.free(&self.kernel.tables.array(array).name);
        self.taken.insert(name.clone());
        self.arrays.insert(array, name);
    }

    fn is_free(&self, name: &str) -> bool {
        !self.taken.contains(name) && !self.reserved.contains(name)
    }

    /// `hint`, or `hint_2`, `hint_3`, .. if it is taken; `hint_` if it is a word of the target.
    fn free(&mut self, hint: &str) -> String {
        let mut stem = identifier(hint);
        if self.reserved.contains(stem.as_str()) {
            stem.push('_');
        }
        if self.is_free(&stem) {
            return stem;
        }
        let base = stem.trim_end_matches('_').to_owned();
        let from = self.next.get(&base).copied().unwrap_or(2);
        let found = (from..)
            .map(|n| (n, format!("{base}_{n}")))
            .find(|(_, name)| self.is_free(name));
        let Some((n, name)) = found else { return stem };
        self.next.insert(base, n);
        name
    }
}

/// A name as an identifier of plain ASCII: other characters become `_uXXXX`, and no two underscores
/// meet.
pub fn identifier(hint: &str) -> String {
    let hint = hint.strip_prefix("r#").unwrap_or(hint);
    let mut text = String::new();
    for c in hint.chars() {
        match c {
            '_' if text.ends_with('_') => {}
            '_' | '0'..='9' | 'a'..='z' | 'A'..='Z' => text.push(c),
            _ => {
                let gap = if text.ends_with('_') { "" } else { "_" };
                text.push_str(&format!("{gap}u{:04X}", u32::from(c)));
            }
        }
    }
    // A leading underscore before a capital belongs to C++, and a digit cannot stand in front.
    if !text.starts_with(|c: char| c.is_ascii_alphabetic()) {
        text.insert(0, 'x');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::testing::Builder;
    use crate::scalar::ScalarType::{I32, U32};

    #[test]
    fn letters_beyond_ascii_are_spelled_out() {
        assert_eq!(identifier("größe"), "gr_u00F6_u00DFe");
        assert_eq!(identifier("r#loop"), "loop");
        assert_eq!(identifier("_X__y"), "x_X_y");
        assert_eq!(identifier("7"), "x7");
    }

    #[test]
    fn equal_hints_are_numbered_and_words_of_the_language_end_in_an_underscore() {
        let mut b = Builder::new("k", 32);
        let input = b.input("arr", I32);
        let shared = b.shared("arr", I32, 4);
        let float = b.shared("float", I32, 4);
        b.allocate(float);
        b.allocate(shared);
        let kernel = b.kernel();
        let names = Names::of(&kernel, &["float"]);
        assert_eq!(
            (names.array(input), names.array(shared), names.array(float)),
            ("arr", "arr_2", "float_")
        );
    }

    #[test]
    fn a_name_is_free_again_after_its_list() {
        let mut b = Builder::new("k", 32);
        let counters = [0; 3].map(|_| b.variable(None, U32, VariableKind::Counter));
        let kernel = b.kernel();
        let mut names = Names::of(&kernel, &[]);
        names.enter();
        assert_eq!(names.bind(counters[0], None), "i");
        names.enter();
        assert_eq!(names.bind(counters[1], None), "j");
        names.leave();
        names.leave();
        assert_eq!(names.bind(counters[2], None), "i");
    }

    #[test]
    fn the_length_of_a_parameter_has_a_name_of_its_own() {
        let mut b = Builder::new("k", 32);
        let a = b.input("a", I32);
        let len = b.input("a_len", I32);
        let kernel = b.kernel();
        let names = Names::of(&kernel, &[]);
        assert_eq!(
            (names.length(a).as_str(), names.array(len)),
            ("a_len", "a_len_2")
        );
    }
}
