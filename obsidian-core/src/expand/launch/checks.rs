//! What the texts of a kernel check, as a constant: which array and which place in the source a number stands for.

use obsidian_base::launch::{Check, CheckedLength};
use proc_macro2::{Literal, TokenStream};
use quote::{quote, quote_spanned};

use super::Native;
use crate::emit;
use crate::error::{Origin, Site};
use crate::plan::Plan;

/// The checks of a variant with a text for the CPU.
pub(super) fn checks(
    native: &Native<'_>,
    rt: &TokenStream,
    plan: &Plan,
    text: &str,
) -> TokenStream {
    let of_cpu = text.contains("vouched") || text.contains("rt::failed(");
    if !of_cpu && !plan.faults() {
        return quote!(#rt::Checks::NONE);
    }
    let listed = emit::listed(plan, of_cpu);
    let list = |checks: &[(Check, Origin)]| {
        let checks = checks
            .iter()
            .map(|(check, origin)| one(native, rt, plan, (check, *origin)));
        quote!(::std::borrow::Cow::Borrowed(&[#(#checks),*]))
    };
    let (cpu, cuda) = (list(&listed.cpu), list(&listed.cuda));
    quote!(#rt::Checks { cpu: #cpu, cuda: #cuda })
}

fn one(
    native: &Native<'_>,
    rt: &TokenStream,
    plan: &Plan,
    (check, origin): (&Check, Origin),
) -> TokenStream {
    let place = match plan.lowered().tables.origins.site(origin) {
        // A call that the compiler tells where it stands: at the user's token.
        Some(Site::Span(site)) => {
            let span = native.span(site);
            let here = native.arguments.path("generated::here", span);
            let call = quote_spanned!(span=> #here());
            quote!(#rt::Place::Rust(#call))
        }
        _ => quote!(#rt::Place::Unknown),
    };
    let text = |text: &str| {
        let text = Literal::string(text);
        quote!(::std::borrow::Cow::Borrowed(#text))
    };
    match check {
        Check::Assertion { text: words, .. } => {
            let words = text(words);
            quote!(#rt::Check::Assertion { text: #words, place: #place })
        }
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
