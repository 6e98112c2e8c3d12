//! The names of the library's functions, as the reader knows them. What they do is in `evaluate::library`.

/// Functions that are called by name.
pub const FUNCTIONS: &[&str] = &[
    "append", "compute", "exec", "exec_block", "exec_thread", "exec_warp", "fun", "generate", "iota", "lift_in", "lift_par", "lift_seq", "lit",
    "pure", "replicate", "select", "singleton", "unzip", "unzip3", "zip", "zip3", "zip4", "zip_with", "zip_with3",
];

/// Functions of host types.
pub const HOST_FUNCTIONS: &[&str] = &["Some", "Vec::new", "Vec::with_capacity"];

/// Methods that change a vector.
const MUTATING: &[&str] = &["push", "pop", "insert", "remove", "clear", "truncate", "extend", "sort", "swap", "dedup"];

/// Does a method with so many arguments change its receiver? `push` without an argument makes a push array.
pub fn is_mutating(name: &str, arguments: usize) -> bool {
    MUTATING.contains(&name) && (name != "push" || arguments == 1)
}
