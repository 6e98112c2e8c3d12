//! How long the expansion of the quickstart's module takes: tokens in, tokens out, in this process.
//!
//! `cargo bench -p obsidian-core --features front --bench expansion`

use std::time::Instant;

use obsidian_core::expand;
use proc_macro2::TokenStream;
use quote::ToTokens;

const SOURCE: &str = include_str!("../../examples/quickstart/src/lib.rs");

fn main() {
    let file = syn::parse_file(SOURCE).expect("the quickstart is Rust");
    let mut module = file
        .items
        .into_iter()
        .find_map(|item| match item {
            syn::Item::Mod(module) => Some(module),
            _ => None,
        })
        .expect("the quickstart has a module");
    module
        .attrs
        .retain(|attribute| !attribute.path().is_ident("kernels"));
    let tokens = module.to_token_stream();
    let mut times: Vec<f64> = (0..300)
        .map(|_| {
            let input = tokens.clone();
            let start = Instant::now();
            let output = expand::kernels(TokenStream::new(), input);
            let time = start.elapsed().as_secs_f64() * 1e3;
            assert!(
                !output.to_string().contains("compile_error"),
                "the quickstart compiles"
            );
            time
        })
        .collect();
    times.sort_by(f64::total_cmp);
    let (best, median, worst) = (times[0], times[times.len() / 2], times[times.len() - 1]);
    println!(
        "expansion of the quickstart's module, 2 kernels: median {median:.2} ms, best {best:.2} ms, worst {worst:.2} ms"
    );
}
