//! The text of `emit::cpu` is compiled, run and compared.
//!
//! The files under `text/` are what the emitter prints for the kernels made here; a test holds them
//! to it, and `OBSIDIAN_BLESS=1 cargo test -p obsidian-rt --test emitted` writes them anew. The
//! others run them.

// A test that unwraps an error fails, which is what it is for.
#![allow(clippy::unwrap_used)]

mod build;
mod collectives;
mod folds;
mod kernels;
mod operators;
mod results;
mod simulated;

use build::Example;
use obsidian_core::emit::cpu::{RUNTIME, cpu, function, widest};
use obsidian_core::pipeline::{Options, compile};
use obsidian_core::plan::{Executed, WritePattern, lowering};
use obsidian_core::scalar::ScalarType;

macro_rules! texts {
    ($($name:ident $example:expr;)*) => {
        /// The emitted functions, compiled where no prelude helps them.
        mod text {
            $(
                #[allow(warnings, clippy::all)]
                pub(super) mod $name {
                    #![no_implicit_prelude]
                    ::core::include!(::core::concat!("text/", ::core::stringify!($name), ".rs"));
                    pub const FUNCTION: fn(&mut ::obsidian_rt::generated::Call<'_>) = cpu;
                }
            )*
        }

        /// Each kernel with its name, its text as checked in, and its compiled function.
        fn all() -> Vec<(&'static str, Example, &'static str, fn(&mut obsidian_rt::generated::Call<'_>))> {
            vec![$((stringify!($name), $example, include_str!(concat!("text/", stringify!($name), ".rs")), text::$name::FUNCTION),)*]
        }
    };
}

texts! {
    map kernels::map();
    reduction kernels::reduction();
    scatter kernels::scatter();
    choices kernels::choices();
    count kernels::count();
    tiles kernels::tiles();
    together_tiles kernels::tiles();
    collectives collectives::collectives();
    planned_collectives collectives::collectives();
    planned_folds folds::folds();
    planned_map kernels::map();
    planned_reduction kernels::reduction();
    planned_count kernels::count();
    operators_bool operators::operators(ScalarType::Bool);
    operators_u8 operators::operators(ScalarType::U8);
    operators_u16 operators::operators(ScalarType::U16);
    operators_u32 operators::operators(ScalarType::U32);
    operators_u64 operators::operators(ScalarType::U64);
    operators_i8 operators::operators(ScalarType::I8);
    operators_i16 operators::operators(ScalarType::I16);
    operators_i32 operators::operators(ScalarType::I32);
    operators_i64 operators::operators(ScalarType::I64);
    operators_f32 operators::operators(ScalarType::F32);
    operators_f64 operators::operators(ScalarType::F64);
}

/// The text of an example; if its name says so, of its plan, or that for the widest vectors.
fn emitted(name: &str, example: &Example) -> String {
    if name.starts_with("planned_") {
        let plan = compile(
            example.kernel.clone(),
            &Options {
                check: false,
                ..Options::default()
            },
        )
        .unwrap_or_else(|wrong| panic!("{name}: {wrong}"));
        return cpu(&plan);
    }
    let chunk = |array| {
        example
            .chunks
            .iter()
            .find(|(id, _)| *id == array)
            .map(|&(_, n)| WritePattern::Chunks(n))
    };
    let lowered = lowering(example.kernel.clone(), Executed::ByOne);
    let pattern = |array| chunk(array).unwrap_or(WritePattern::Scattered);
    if name.starts_with("together_") {
        return widest(&lowered, &pattern, RUNTIME).unwrap();
    }
    function(&lowered, &pattern, RUNTIME)
}

#[test]
fn the_texts_are_those_of_the_emitter() {
    let bless = std::env::var_os("OBSIDIAN_BLESS").is_some();
    for (name, example, text, _) in all() {
        let now = emitted(name, &example);
        if bless {
            std::fs::write(
                format!(
                    "{}/tests/emitted/text/{name}.rs",
                    env!("CARGO_MANIFEST_DIR")
                ),
                now,
            )
            .unwrap();
        } else {
            assert_eq!(now, text, "{name}: OBSIDIAN_BLESS=1 writes it anew");
        }
    }
}
