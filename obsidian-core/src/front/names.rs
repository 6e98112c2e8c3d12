//! Names that mean something without being defined in a module; those of the library are in
//! `evaluate::table`.

/// Functions of array programs. In functions whose signature names an [`Arr`](crate::arrays::Arr) they go before
/// those of kernels that are called alike.
pub const ARRAYS: &[&str] = &[
    "Clamp",
    "Constant",
    "Function",
    "Mirror",
    "Wrap",
    "append",
    "awhile",
    "backpermute",
    "enum_from_step",
    "fill",
    "gather",
    "generate",
    "if_then",
    "iota",
    "power",
    "unit",
    "unzip",
    "unzip3",
    "zip",
    "zip3",
    "zip_with",
    "zip_with3",
    "zip_with4",
];

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
