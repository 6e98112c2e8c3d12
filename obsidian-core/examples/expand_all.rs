//! Expands every kernels module of some files.
use obsidian_core::expand;
use proc_macro2::TokenStream;
use quote::ToTokens;
fn mods(items: &[syn::Item], out: &mut Vec<syn::ItemMod>) {
    for i in items {
        if let syn::Item::Mod(m) = i {
            if m.attrs.iter().any(|a| {
                a.path()
                    .segments
                    .last()
                    .is_some_and(|s| s.ident == "kernels")
            }) {
                let mut m = m.clone();
                m.attrs.retain(|a| {
                    !a.path()
                        .segments
                        .last()
                        .is_some_and(|s| s.ident == "kernels")
                });
                out.push(m);
            } else if let Some((_, items)) = &m.content {
                mods(items, out)
            }
        }
    }
}
fn main() {
    let mut args = std::env::args().skip(1);
    let n: usize = args.next().unwrap().parse().unwrap();
    for file in args {
        let text = std::fs::read_to_string(&file).unwrap();
        let Ok(f) = syn::parse_file(&text) else {
            continue;
        };
        let mut out = Vec::new();
        mods(&f.items, &mut out);
        for m in out {
            let tokens: TokenStream = m.to_token_stream();
            let mut best = f64::INFINITY;
            let mut bad = false;
            for _ in 0..n {
                let t = tokens.clone();
                let s = std::time::Instant::now();
                let o = expand::kernels(TokenStream::new(), t);
                best = best.min(s.elapsed().as_secs_f64() * 1e3);
                bad = o.to_string().contains("compile_error");
            }
            println!(
                "{file} {} {best:.3} {}",
                m.ident,
                if bad { "bad" } else { "ok" }
            );
        }
    }
}
