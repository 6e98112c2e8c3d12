//! Names that mean something without being defined in a module; those of the library are in
//! `evaluate::table`.

/// Functions of host types.
pub const HOST_FUNCTIONS: &[&str] = &["Some", "Vec::new", "Vec::with_capacity"];

/// Methods that change a vector.
const MUTATING: &[&str] = &[
    "push", "pop", "insert", "remove", "clear", "truncate", "extend", "sort", "swap", "dedup",
];

/// Returns `true` if a method with this number of arguments changes its receiver. `push` without
/// one makes a push array.
pub fn is_mutating(name: &str, arguments: usize) -> bool {
    MUTATING.contains(&name) && (name != "push" || arguments == 1)
}
