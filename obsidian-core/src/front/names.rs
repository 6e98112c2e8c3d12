//! The names of the library's functions, as the reader knows them. What they do is in
//! `evaluate::library`.

/// Functions that are called by name.
pub const FUNCTIONS: &[&str] = &[
    "accumulate",
    "accumulate2",
    "append",
    "bin_split",
    "break_loop",
    "compose",
    "compute",
    "compute2",
    "compute2_pitch",
    "cond",
    "distr_par",
    "exec",
    "exec2",
    "exec_block",
    "exec_block2",
    "exec_block_value",
    "exec_thread",
    "exec_thread2",
    "exec_thread_value",
    "exec_value",
    "exec_warp",
    "exec_warp2",
    "exec_warp_value",
    "fold1",
    "for_all",
    "for_all2",
    "fun",
    "generate",
    "generate2",
    "interleave",
    "iota",
    "lift_in",
    "lift_par",
    "lift_seq",
    "lit",
    "map_accum_l",
    "map_accum_r",
    "mk_pull",
    "mk_push",
    "new_shared_mutable",
    "pure",
    "rep",
    "replicate",
    "require",
    "s_map_accum",
    "select",
    "seq_for",
    "seq_iterate",
    "seq_reduce",
    "seq_scan",
    "seq_scan_cin",
    "seq_until",
    "seq_while",
    "single_thread",
    "singleton",
    "singleton_push",
    "sync",
    "to_mutable",
    "unsafe_bin_split",
    "unzip",
    "unzip3",
    "unzip4",
    "zip",
    "zip3",
    "zip3_shortest",
    "zip4",
    "zip4_shortest",
    "zip_shortest",
    "zip_with",
    "zip_with2",
    "zip_with2_shortest",
    "zip_with3",
    "zip_with3_shortest",
    "zip_with4",
    "zip_with4_shortest",
    "zip_with_shortest",
];

/// Functions of host types.
pub const HOST_FUNCTIONS: &[&str] = &["Some", "Vec::new", "Vec::with_capacity"];

/// Methods that change a vector.
const MUTATING: &[&str] = &[
    "push", "pop", "insert", "remove", "clear", "truncate", "extend", "sort", "swap", "dedup",
];

/// Does a method with so many arguments change its receiver? `push` without an argument makes a
/// push array.
pub fn is_mutating(name: &str, arguments: usize) -> bool {
    MUTATING.contains(&name) && (name != "push" || arguments == 1)
}
