//! The signatures of the library, by name.

use std::cell::RefCell;

use super::scheme::{Head, Scheme};
use super::signatures as text;
use crate::ordered::Map;

/// The signatures of the library, each read when it is used first.
#[derive(Default)]
pub(super) struct Library {
    read: RefCell<Map<&'static str, Scheme>>,
}

impl Library {
    /// The signature of a name in a table.
    pub(super) fn of(&self, table: &'static str, name: &str) -> Option<Scheme> {
        let line = table.lines().find(|line| {
            line.strip_prefix(name)
                .is_some_and(|rest| rest.starts_with(' '))
        })?;
        let mut read = self.read.borrow_mut();
        if let Some(scheme) = read.get(line) {
            return Some(scheme.clone());
        }
        let scheme = parsed(line.split_once(' ')?.1)?;
        read.insert(line, scheme.clone());
        Some(scheme)
    }

    /// The signature of a function or method.
    pub(super) fn signature(&self, of: &str, name: &str) -> Option<Scheme> {
        let (_, table) = TABLES.iter().find(|(known, _)| *known == of)?;
        self.of(table, name)
    }

    /// The signature of a method with a number of arguments, the receiver among them.
    pub(super) fn method(&self, head: Head, name: &str, count: usize) -> Option<Scheme> {
        let scheme = self.of(methods(head)?, name)?;
        let fits = matches!(&scheme, Scheme::Made(_, parts) if parts.len() == count + 1);
        fits.then_some(scheme)
    }
}

/// The tables by the names of the types that have the methods.
const TABLES: &[(&str, &str)] = &[
    ("", text::FUNCTIONS),
    ("arrays", text::ARRAYS),
    ("Arr", text::WHOLE),
    ("Pull", text::PULL),
    ("Pull2", text::PULL),
    ("Pull3", text::PULL),
    ("Push", text::PUSH),
    ("Push2", text::PUSH),
    ("Push3", text::PUSH),
    ("Mutable", text::MUTABLE),
    ("Program", text::PROGRAM),
];

/// The names in the tables.
pub(super) fn names() -> Vec<(&'static str, &'static str)> {
    let each = TABLES.iter().flat_map(|(of, table)| {
        let names = table.lines().filter_map(|line| line.split_once(' '));
        names.map(move |(name, _)| (*of, name))
    });
    each.collect()
}

fn methods(head: Head) -> Option<&'static str> {
    match head {
        Head::Pull => Some(text::PULL),
        Head::Push => Some(text::PUSH),
        Head::Mutable => Some(text::MUTABLE),
        Head::Program => Some(text::PROGRAM),
        Head::Arr => Some(text::WHOLE),
        Head::Window => Some(text::WINDOW),
        Head::Vec | Head::Iter => Some(text::SEQUENCE),
        Head::Option => Some(text::OPTION),
        Head::Outside | Head::Tuple | Head::Fn | Head::Param(_) | Head::Opaque => None,
    }
}

/// A signature of the library; its type parameters are single letters.
pub(super) fn parsed(signature: &str) -> Option<Scheme> {
    let ty: syn::Type = syn::parse_str(signature).ok()?;
    let letter = |name: &str| match name.as_bytes() {
        [letter @ b'A'..=b'Z'] => Some(u32::from(letter - b'A')),
        _ => None,
    };
    Some(Scheme::of(&ty, &letter))
}
