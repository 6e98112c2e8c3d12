//! The variants of a kernel as statics: texts, interface, CPU code, and how each is built natively.
//!
//! There is CPU code for every variant, so that each runs on every device. It does not depend on
//! the number of threads, and variants that differ in nothing else share it.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};

use super::Native;
use super::checks::checks;
use crate::engine::CompiledVariant;
use crate::tokens_of;
use obsidian_core::emit;
use obsidian_core::plan::{Interface, Plan, SHARED_BYTES};
use obsidian_core::variants::Value;
use obsidian_front::evaluate::pattern_name;
use obsidian_front::syntax::Function;

/// What x86-64-v3 has over x86-64; the runtime asks the processor for each before it calls such a function.
const WIDE_FEATURES: &str = "avx,avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt";
/// The same for x86-64-v4.
const WIDEST_FEATURES: &str =
    "avx,avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt,avx512f,avx512bw,avx512cd,avx512dq,avx512vl";

/// `VARIANTS`, and what it needs: the variants of a kernel, or the kernels of an array program but for those that an earlier
/// program has.
pub(crate) fn statics(
    native: &Native<'_>,
    function: &Function,
    variants: &[CompiledVariant],
    hash: &str,
) -> TokenStream {
    let rt = native.arguments.path("generated", Span::call_site());
    let variant_type = native.arguments.path("Variant", Span::call_site());
    let built: Vec<(&CompiledVariant, &Plan, &Interface)> = variants
        .iter()
        .filter(|v| v.instead.is_none())
        .filter_map(|v| {
            let (plan, interface) = v.plan.as_ref().ok()?;
            Some((v, plan, interface))
        })
        .collect();
    let mut bodies: Vec<Text> = Vec::new();
    let path = rt.to_string().replace(' ', "");
    let list: Vec<TokenStream> = built
        .iter()
        .enumerate()
        .map(|(n, (variant, plan, interface))| {
            let pattern = |array| plan.pattern(array);
            let of_range =
                range(native, function, &path).filter(|_| !emit::cpu::goes_together(plan));
            let is_range = of_range.is_some();
            let (text, faults) = match of_range {
                Some((text, faults)) => (text, Some(faults)),
                None => (emit::cpu::function(plan.by_one(), &pattern, &path), None),
            };
            let cpu = bodies
                .iter()
                .position(|known| known.plain == text)
                .unwrap_or_else(|| {
                    bodies.push(Text {
                        plain: text,
                        gains_by_width: is_range || emit::cpu::gains_by_width(plan),
                        widest: match is_range {
                            true => None,
                            false => emit::cpu::widest(plan.by_one(), &pattern, &path),
                        },
                    });
                    bodies.len() - 1
                });
            let checks = checks(
                (native, function),
                &rt,
                plan,
                (&bodies[cpu].plain, faults.as_ref()),
            );
            one(
                native,
                function,
                (n, variant),
                (plan, interface),
                hash,
                (cpu, checks),
            )
        })
        .collect();
    let bodies = bodies.iter().map(|text| compiled(&rt, text));
    let (count, functions) = (
        Literal::usize_unsuffixed(list.len()),
        Literal::usize_unsuffixed(bodies.len()),
    );
    let first = built.first().filter(|_| native.arguments.built);
    let index = first.map(|(first, ..)| index(&rt, first, hash));
    let build = match function.arrays {
        Some(_) => crate::arrays::build(native, function),
        None => build(native, function),
    };
    quote! {
        const CPU: [#rt::Function; #functions] = [#(#bodies),*];
        #index
        #build
        pub(super) static VARIANTS: [#variant_type; #count] = [#(#list),*];
    }
}

/// The CPU code of a range whose elements are computed one after the other: the function itself.
fn range(
    native: &Native<'_>,
    kernel: &Function,
    path: &str,
) -> Option<(String, emit::cpu::RangeFaults)> {
    let device = native.module.device(kernel.range_of?)?;
    let range = kernel.device.as_ref()?.range?;
    Some(emit::cpu::range(&device, range, path))
}

/// The texts of one function `cpu`.
struct Text {
    plain: String,
    /// Is the plain text compiled for x86-64-v3 too?
    gains_by_width: bool,
    /// Another text for x86-64-v4.
    widest: Option<String>,
}

/// The function `cpu` for every processor, and maybe more for those with the instructions of x86-64-v3 or
/// x86-64-v4: wider vectors above all. They are left out of builds with debug assertions.
fn compiled(rt: &TokenStream, text: &Text) -> TokenStream {
    let plain = tokens_of(&text.plain);
    let wide = text.gains_by_width.then(|| plain.clone());
    let widest = text.widest.as_deref().map(tokens_of);
    let wide = for_processor(rt, &format_ident!("WIDE"), WIDE_FEATURES, wide);
    let widest = for_processor(rt, &format_ident!("WIDEST"), WIDEST_FEATURES, widest);
    quote!({
        #wide
        #widest
        #plain
        #rt::Function { plain: cpu, wide: WIDE, widest: WIDEST }
    })
}

/// A constant with a function that is compiled for these features, if there is one.
fn for_processor(
    rt: &TokenStream,
    name: &Ident,
    features: &str,
    function: Option<TokenStream>,
) -> TokenStream {
    let Some(function) = function else {
        return quote! {
            const #name: ::core::option::Option<#rt::WideFunction> = ::core::option::Option::None;
        };
    };
    let is_wide = quote!(all(target_arch = "x86_64", not(debug_assertions)));
    quote! {
        #[cfg(#is_wide)]
        const #name: ::core::option::Option<#rt::WideFunction> = {
            #[target_feature(enable = #features)]
            #function
            ::core::option::Option::Some(cpu as #rt::WideFunction)
        };
        #[cfg(not(#is_wide))]
        const #name: ::core::option::Option<#rt::WideFunction> = ::core::option::Option::None;
    }
}

/// One variant: its values, and the source of its kernel. It has a number in `VARIANTS`.
fn one(
    native: &Native<'_>,
    function: &Function,
    (n, variant): (usize, &CompiledVariant),
    (plan, interface): (&Plan, &Interface),
    hash: &str,
    (cpu, checks): (usize, TokenStream),
) -> TokenStream {
    let rt = native.arguments.path("generated", Span::call_site());
    let path = rt.to_string().replace(' ', "");
    let cuda = if n == 0 && function.arrays.is_none() {
        quote!(CUDA)
    } else {
        Literal::string(&emit::cuda(plan)).to_token_stream()
    };
    let manifest = Literal::string(&emit::manifest(plan, interface, hash));
    let symbol = Literal::string(&emit::symbol(&interface.name));
    let constant = tokens_of(&emit::interface(interface, &path));
    let (n, cpu, hash) = (
        Literal::usize_unsuffixed(n),
        Literal::usize_unsuffixed(cpu),
        Literal::string(hash),
    );
    let name = Literal::string(&interface.name);
    let built = native
        .arguments
        .built
        .then(|| quote!(#rt::built(super::BUILT, AT + #n, #name, #hash)));
    let built = built.map_or_else(
        || quote!(::core::option::Option::None),
        |built| quote!(::core::option::Option::Some(#built)),
    );
    let build = match function.arrays {
        Some(_) => quote!(build(#name, threads)),
        None => build_variant(function, variant, plan),
    };
    let function_name = Literal::string(function.name.trim_start_matches("r#"));
    let values = values(&rt, variant);
    quote! {
        #rt::variant(#function_name, &[#values], #rt::Source {
            cuda: #cuda,
            manifest: #manifest,
            hash: #hash,
            symbol: #symbol,
            checks: #checks,
            interface: #constant,
            build: #rt::native!(|threads| #build),
            cpu: ::core::option::Option::Some(CPU[#cpu]),
            built: #built,
            module: ::core::module_path!(),
            kernel: #rt::Cache::new(),
        })
    }
}

/// The call that builds a variant of a kernel natively, for `threads`.
fn build_variant(function: &Function, variant: &CompiledVariant, plan: &Plan) -> TokenStream {
    let native_name = pattern_of_name(function, variant);
    let options = function.kernel.as_ref().map_or(1, |k| k.options());
    let specialised = variant.values.iter().skip(options);
    let specialised = specialised.map(|(_, value)| literal(*value));
    let min_blocks = match plan.min_blocks() {
        Some(blocks) => {
            let blocks = Literal::u32_unsuffixed(blocks);
            quote!(::core::option::Option::Some(#blocks))
        }
        None => quote!(::core::option::Option::None),
    };
    quote!(build(threads, #min_blocks, &#native_name, #(#specialised),*))
}

/// The values of a variant with their names.
fn values(rt: &TokenStream, variant: &CompiledVariant) -> TokenStream {
    let values = variant.values.iter().map(|(name, value)| {
        let kind = match value {
            Value::Integer(_) => quote!(Integer),
            Value::Boolean(_) => quote!(Boolean),
        };
        let (name, value) = (Literal::string(name), literal(*value));
        quote!((#name, #rt::Value::#kind(#value)))
    });
    quote!(#(#values),*)
}

/// The name of a variant, for any number of threads.
fn pattern_of_name(function: &Function, variant: &CompiledVariant) -> TokenStream {
    let plain = function.name.trim_start_matches("r#");
    if variant.name == plain {
        let name = Literal::string(plain);
        return quote!(#name);
    }
    let rest = obsidian_core::variants::name("", variant.values.get(1..).unwrap_or_default());
    let pattern = Literal::string(&format!("{plain}_threads{{threads}}{rest}"));
    quote!(::std::format!(#pattern))
}

/// A value as a literal whose type its place decides.
fn literal(value: Value) -> TokenStream {
    match value {
        Value::Integer(n) => Literal::i128_unsuffixed(n).to_token_stream(),
        Value::Boolean(value) => quote!(#value),
    }
}

/// Where the variants are in the build script's list, and what tuning has chosen among them.
fn index(rt: &TokenStream, first: &CompiledVariant, hash: &str) -> TokenStream {
    let first = Literal::string(&first.name);
    let hash = Literal::string(hash);
    quote! {
        const AT: ::core::primitive::usize = #rt::position(super::BUILT, #first, #hash);
        const TUNED: #rt::Chosen = #rt::chosen(super::BUILT, AT);
    }
}

/// The native build: parameters are declared, the user's function is called with them and with the
/// values of a variant, its result is taken.
fn build(native: &Native<'_>, function: &Function) -> TokenStream {
    let rt = native.arguments.path("generated", Span::call_site());
    let numbered = |prefix: &str, count: usize| {
        (0..count)
            .map(|n| format_ident!("{prefix}_{n}"))
            .collect::<Vec<Ident>>()
    };
    let names = numbered("parameter", function.launched().count());
    let declared = function.launched().zip(&names).map(|(p, name)| {
        let ty = p.ty.as_ref().map(|t| native.sources.tokens(t.snippet));
        let text = Literal::string(pattern_name(&p.pattern).unwrap_or("input"));
        quote!(let #name = builder.parameter::<#ty>(#text);)
    });
    let values = numbered("value", function.specialised().len());
    let types = function
        .specialised()
        .iter()
        .map(|p| p.ty.as_ref().map(|t| native.sources.tokens(t.snippet)));
    let callee = native.ident(&function.name, function.site);
    let shared_bytes = function
        .kernel
        .as_ref()
        .map_or(SHARED_BYTES, |kernel| kernel.shared_bytes);
    let resident = function.kernel.as_ref().is_some_and(|k| k.resident);
    let faults = function.kernel.as_ref().is_some_and(|k| k.faults);
    let contract = function
        .kernel
        .as_ref()
        .is_some_and(|kernel| kernel.contract);
    let contract = contract.then(|| quote!(builder.contract();));
    // What outputs are stored by is at the function's name.
    let called = match function.range_of {
        Some(_) => quote!(range),
        None => quote!(super::#callee),
    };
    let result = quote_spanned!(callee.span()=> .result(#called(#(#values,)* #(#names),*)));
    quote! {
        fn build(threads: ::core::primitive::u32, min_blocks: ::core::option::Option<::core::primitive::u32>, name: &::core::primitive::str, #(#values: #types),*) -> ::core::result::Result<#rt::Plan, #rt::Diagnostics> {
            let limits = #rt::Limits { threads, min_blocks, shared_bytes: #shared_bytes, resident: #resident, faults: #faults, apart: false };
            #rt::build(name, limits, move |builder| { #contract #(#declared)* builder #result; })
        }
    }
}
