//! How long the expansion of the quickstart's module takes: tokens in, tokens out, in this process.
//! Then that of kernels of up to 256 steps, which must grow as they do, and not with their powers.
//!
//! `cargo bench -p obsidian-core --features front --bench expansion`

#[path = "../tests/steps/chains.rs"]
mod chains;

use std::time::Instant;

use chains::CHAINS;

use obsidian_core::expand;
use proc_macro2::TokenStream;
use quote::ToTokens;

const SOURCE: &str = include_str!("../../examples/quickstart/src/lib.rs");

/// The milliseconds of one expansion.
fn expanded(name: &str, tokens: &TokenStream) -> f64 {
    let input = tokens.clone();
    let start = Instant::now();
    let output = expand::kernels(TokenStream::new(), input);
    let time = start.elapsed().as_secs_f64() * 1e3;
    let output = output.to_string();
    assert!(!output.contains("compile_error"), "{name} compiles");
    time
}

/// Each of the kernels at some sizes, best of three.
fn chains() {
    println!("expansion of kernels of 16, 64 and 256 steps, ms:");
    for (name, text) in CHAINS {
        let times = [16, 64, 256].map(|steps| {
            let tokens: TokenStream = text(steps).parse().expect("the module is Rust");
            let times = (0..3).map(|_| expanded(name, &tokens));
            times.fold(f64::INFINITY, f64::min)
        });
        println!(
            "{name:32} {:8.1} {:8.1} {:8.1}",
            times[0], times[1], times[2]
        );
    }
}

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
        .map(|_| expanded("the quickstart", &tokens))
        .collect();
    times.sort_by(f64::total_cmp);
    let (best, median, worst) = (times[0], times[times.len() / 2], times[times.len() - 1]);
    println!(
        "expansion of the quickstart's module, 2 kernels: median {median:.2} ms, best {best:.2} ms, worst {worst:.2} ms"
    );
    chains();
}
