//! What the texts of a kernel check, as a constant: which array and which place in the source a number stands for.

use obsidian_base::launch::{Check, CheckedLength};
use proc_macro2::{Literal, TokenStream};
use quote::{quote, quote_spanned};

use super::Native;
use obsidian_core::emit;
use obsidian_core::emit::cpu::RangeFaults;
use obsidian_core::error::{Origin, Site};
use obsidian_core::plan::Plan;
use obsidian_front::syntax::Function;

/// The checks of a variant with a text for the CPU; of a range, that text has faults of its own.
pub(super) fn checks(
    (native, function): (&Native<'_>, &Function),
    rt: &TokenStream,
    plan: &Plan,
    (text, faults): (&str, Option<&RangeFaults>),
) -> TokenStream {
    // A text that checks something calls one of these; another one that has such a word in a name is listed in vain.
    let of_cpu = faults.is_none() && (text.contains("vouched") || text.contains("rt::failed("));
    let faults = faults.map(RangeFaults::list).unwrap_or_default();
    if !of_cpu && faults.is_empty() && !plan.faults() {
        return quote!(#rt::Checks::NONE);
    }
    let listed = emit::listed(plan, of_cpu);
    let origins = &plan.lowered().tables.origins;
    let own = native.span(function.site).file();
    let list = |checks: &[(Check, Origin)]| -> Vec<TokenStream> {
        let one = |(check, origin): &(Check, Origin)| {
            let place = place(native, rt, &own, origins.site(*origin));
            one(rt, check, &place)
        };
        checks.iter().map(one).collect()
    };
    let of_range = |(words, at): &(String, u32)| {
        let place = place(native, rt, &own, Some(Site::Span(*at)));
        assertion(rt, words, &place)
    };
    let cpu = list(&listed.cpu).into_iter();
    let cpu = cpu.chain(faults.iter().map(of_range));
    let cuda = list(&listed.cuda);
    quote! {
        #rt::Checks {
            cpu: ::std::borrow::Cow::Borrowed(&[#(#cpu),*]),
            cuda: ::std::borrow::Cow::Borrowed(&[#(#cuda),*]),
        }
    }
}

/// A place in the user's source: a call that the compiler tells where it stands, at the user's token. Tokens of another file have come through a macro, and the compiler
/// would tell where that was called: their places are written out.
fn place(native: &Native<'_>, rt: &TokenStream, own: &str, site: Option<Site>) -> TokenStream {
    match site {
        Some(Site::Span(site)) => {
            let span = native.span(site);
            let file = span.file();
            if file != own {
                let start = span.start();
                let place = text(&format!("{file}:{}:{}", start.line, start.column + 1));
                return quote!(#rt::Place::Text(#place));
            }
            let here = native.arguments.path("generated::here", span);
            let call = quote_spanned!(span=> #here());
            quote!(#rt::Place::Rust(#call))
        }
        _ => quote!(#rt::Place::Unknown),
    }
}

fn assertion(rt: &TokenStream, words: &str, place: &TokenStream) -> TokenStream {
    let words = text(words);
    quote!(#rt::Check::Assertion { text: #words, place: #place })
}

fn text(text: &str) -> TokenStream {
    let text = Literal::string(text);
    quote!(::std::borrow::Cow::Borrowed(#text))
}

fn one(rt: &TokenStream, check: &Check, place: &TokenStream) -> TokenStream {
    match check {
        Check::Assertion { text, .. } => assertion(rt, text, place),
        Check::Inside {
            array,
            length,
            is_signed,
            ..
        } => {
            let array = text(array);
            let length = match length {
                CheckedLength::Parameter(n) => {
                    let n = Literal::usize_unsuffixed(*n);
                    quote!(#rt::CheckedLength::Parameter(#n))
                }
                CheckedLength::Number(n) => {
                    let n = Literal::u32_unsuffixed(*n);
                    quote!(#rt::CheckedLength::Number(#n))
                }
            };
            quote! {
                #rt::Check::Inside { array: #array, length: #length, is_signed: #is_signed, place: #place }
            }
        }
    }
}
