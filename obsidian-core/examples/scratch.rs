//! Scratch: expands every kernels module of some files.
use proc_macro2::TokenStream;
use quote::ToTokens;
use std::time::Instant;

fn walk(items: Vec<syn::Item>, file: &str, rounds: u32, total: &mut Vec<(f64, String)>) {
    for item in items {
        let syn::Item::Mod(mut module) = item else { continue };
        let is = module.attrs.iter().any(|a| a.path().segments.last().is_some_and(|s| s.ident == "kernels"));
        if !is {
            if let Some((_, items)) = module.content {
                walk(items, file, rounds, total)
            }
            continue;
        }
        module.attrs.clear();
        let name = format!("{file}::{}", module.ident);
        let tokens = module.to_token_stream();
        let mut best = f64::MAX;
        let mut output = TokenStream::new();
        for _ in 0..rounds {
            let input = tokens.clone();
            let start = Instant::now();
            output = obsidian_core::expand::kernels(TokenStream::new(), input);
            best = best.min(start.elapsed().as_secs_f64() * 1e3);
        }
        let text = output.to_string();
        let mut rest = text.as_str();
        while let Some((_, after)) = rest.split_once("compile_error ! {") {
            println!("ERROR {name}: {}", &after[..after.find('}').unwrap_or(after.len()).min(700)].replace("\\n", "\n      "));
            rest = after;
        }
        total.push((best, name));
    }
}

fn main() {
    let rounds = std::env::var("ROUNDS").ok().and_then(|r| r.parse().ok()).unwrap_or(1);
    let mut total = Vec::new();
    for file in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&file).unwrap();
        let Ok(parsed) = syn::parse_file(&text) else { continue };
        walk(parsed.items, &file, rounds, &mut total);
    }
    total.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (time, name) in total.iter().take(12) {
        println!("{time:9.3} ms {name}");
    }
    println!("{:9.3} ms in {} modules", total.iter().map(|t| t.0).sum::<f64>(), total.len());
}
