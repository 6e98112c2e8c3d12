//! Unique names for the arrays and variables of a kernel's text.
//!
//! Before: names that the user gave, or none. After: one name each, numbered in the order in which
//! the text first has them.

use crate::ir::{Kernel, ParameterKind, Stage, Statement};
use crate::ordered::{Map, Set};
use crate::scalar::{ArrayId, Tables, VariableId};

/// Words that stand for something else in a kernel's text.
const RESERVED: [&str; 37] = [
    "true",
    "false",
    "ThreadIndex",
    "WarpIndex",
    "LaneIndex",
    "BlockIndex",
    "GridSize",
    "Aligned",
    "parameter",
    "array",
    "require",
    "threads",
    "let",
    "store",
    "atomic",
    "read",
    "cell",
    "assign",
    "get",
    "if",
    "else",
    "while",
    "holds",
    "break",
    "for",
    "forall",
    "distribute",
    "allocate",
    "wait",
    "in",
    "step",
    "kernel",
    "divides",
    "of",
    "into",
    "by",
    "from",
];

/// The names of one kernel's text.
pub(super) struct Names {
    arrays: Map<ArrayId, String>,
    variables: Map<VariableId, String>,
    orphans: Vec<ArrayId>,
}

/// A name as an identifier; other characters become `_`.
pub(super) fn plain(name: &str, empty: &str) -> String {
    let plain: String = name
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || c == '_' {
                c
            } else {
                '_'
            }
        })
        .collect();
    match plain.chars().next() {
        None => empty.to_owned(),
        Some(c) if c.is_ascii_digit() => format!("_{plain}"),
        Some(_) => plain,
    }
}

/// Is it a name that a variable without a name could have?
pub(in crate::ir) fn is_anonymous(name: &str) -> bool {
    name.strip_prefix('v')
        .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
}

fn is_reserved(name: &str) -> bool {
    RESERVED.contains(&name)
        || is_anonymous(name)
        || ["inf_", "nan", "poison_"]
            .iter()
            .any(|p| name.starts_with(p))
}

impl Names {
    pub(super) fn new<S: Stage>(kernel: &Kernel<S>) -> Self {
        let (mut arrays, mut variables) = (Vec::new(), Vec::new());
        for parameter in &kernel.parameters {
            match parameter.kind {
                ParameterKind::Array(array) => arrays.push(array),
                ParameterKind::Scalar(variable) => variables.push(variable),
            }
        }
        let mut visit = |s: &Statement<S>| match s {
            Statement::Allocate { array, .. } => arrays.push(*array),
            Statement::Declare { cell, .. } => variables.push(*cell),
            // Those of all its lists, before what is inside of them.
            Statement::Collective(..) | Statement::Earlier(..) => {
                variables.extend(s.bound_inside().into_iter().flatten());
            }
            _ => variables.extend(s.binds()),
        };
        kernel.body.iter().for_each(|s| s.visit(&mut visit));
        let known: Set<ArrayId> = arrays.iter().copied().collect();
        let orphans: Vec<_> = (0..kernel.tables.arrays.len() as u32)
            .map(ArrayId)
            .filter(|a| !known.contains(a))
            .collect();
        arrays.extend(&orphans);
        variables.extend((0..kernel.tables.variables.len() as u32).map(VariableId));
        Self::number(&kernel.tables, &arrays, &variables, orphans)
    }

    /// Gives names in the order of the lists; the first occurrence counts.
    fn number(
        tables: &Tables,
        arrays: &[ArrayId],
        variables: &[VariableId],
        orphans: Vec<ArrayId>,
    ) -> Self {
        let mut names = Names {
            arrays: Map::new(),
            variables: Map::new(),
            orphans,
        };
        let array = |id: ArrayId| {
            plain(
                tables.arrays.get(id.0 as usize).map_or("", |a| &a.name),
                "array",
            )
        };
        let variable = |id: VariableId| {
            Some(plain(
                tables.variables.get(id.0 as usize)?.name.as_ref()?,
                "x",
            ))
        };
        let mut uses: Map<String, u32> = Map::new();
        let unique: crate::ordered::Set<_> = arrays.iter().copied().collect();
        unique
            .into_iter()
            .for_each(|id| *uses.entry(array(id)).or_default() += 1);
        let unique: crate::ordered::Set<_> = variables.iter().copied().collect();
        unique
            .into_iter()
            .filter_map(variable)
            .for_each(|name| *uses.entry(name).or_default() += 1);
        let mut numbers: Map<String, u32> = Map::new();
        let mut give = |name: String| {
            if uses.get(&name) == Some(&1) && !is_reserved(&name) {
                return name;
            }
            let number = numbers.entry(name.clone()).or_default();
            *number += 1;
            format!("{name}.{}", *number - 1)
        };
        for &id in arrays {
            names.arrays.entry(id).or_insert_with(|| give(array(id)));
        }
        let mut anonymous = 0;
        for &id in variables {
            if names.variables.contains_key(&id) {
                continue;
            }
            let name = variable(id).map(&mut give).unwrap_or_else(|| {
                anonymous += 1;
                format!("v{}", anonymous - 1)
            });
            names.variables.insert(id, name);
        }
        names
    }

    pub(super) fn array(&self, id: ArrayId) -> String {
        self.arrays
            .get(&id)
            .cloned()
            .unwrap_or_else(|| format!("array.{}", id.0))
    }

    pub(super) fn variable(&self, id: VariableId) -> String {
        self.variables
            .get(&id)
            .cloned()
            .unwrap_or_else(|| format!("v{}", id.0))
    }

    /// Arrays that are neither parameters nor allocated.
    pub(super) fn orphans(&self) -> &[ArrayId] {
        &self.orphans
    }
}
