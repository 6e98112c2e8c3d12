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

/// Functions of the library whose first type parameter is a level, and how many type parameters they have: with a turbofish of the level alone, the
/// others are inferred, where Rust wants a `_` for each.
pub const OF_A_LEVEL: &[(&str, usize)] = &[
    ("bin_split", 3),
    ("compose", 3),
    ("compute", 3),
    ("compute_as", 3),
    ("compute_pitch", 3),
    ("exchange", 2),
    ("exclusive_scan", 2),
    ("exec", 3),
    ("exec_value", 2),
    ("for_all", 2),
    ("hold", 3),
    ("hold_as", 2),
    ("inclusive_scan", 2),
    ("match_any", 2),
    ("mk_push", 3),
    ("new_shared_mutable", 2),
    ("pure", 2),
    ("reduce", 2),
    ("rep", 2),
    ("s_map_accum", 6),
    ("singleton_push", 2),
    ("sort", 2),
    ("to_mutable", 3),
    ("unroll", 2),
];

/// The constants of the modules `std::f32::consts` and `std::f64::consts`. Those of `f32` are those of `f64`, rounded: so are
/// Rust's.
pub const CONSTANTS_OF_FLOATS: &[(&str, f64)] = {
    use std::f64::consts as c;
    &[
        ("E", c::E),
        ("FRAC_1_PI", c::FRAC_1_PI),
        ("FRAC_1_SQRT_2", c::FRAC_1_SQRT_2),
        ("FRAC_2_PI", c::FRAC_2_PI),
        ("FRAC_2_SQRT_PI", c::FRAC_2_SQRT_PI),
        ("FRAC_PI_2", c::FRAC_PI_2),
        ("FRAC_PI_3", c::FRAC_PI_3),
        ("FRAC_PI_4", c::FRAC_PI_4),
        ("FRAC_PI_6", c::FRAC_PI_6),
        ("FRAC_PI_8", c::FRAC_PI_8),
        ("LN_10", c::LN_10),
        ("LN_2", c::LN_2),
        ("LOG10_2", c::LOG10_2),
        ("LOG10_E", c::LOG10_E),
        ("LOG2_10", c::LOG2_10),
        ("LOG2_E", c::LOG2_E),
        ("PI", c::PI),
        ("SQRT_2", c::SQRT_2),
        ("TAU", c::TAU),
    ]
};

/// The value of a constant of `std::f64::consts`.
pub fn constant_of_floats(name: &str) -> Option<f64> {
    let mut all = CONSTANTS_OF_FLOATS.iter();
    let found = all.find(|(known, _)| *known == name);
    found.map(|(_, value)| *value)
}
