//! A hint for functions that look like kernels and have no attribute.
//!
//! Before: `pub fn f(x: DPull<EU32>) -> DPush<Grid, EU32>` without `#[kernel]`, and `module::f::launch(&device, &x)` elsewhere, of which rustc says
//! that it expected a type and found a function. After: a type `f` beside the function `f`, whose `launch` has a bound that never holds, so that
//! rustc says which attribute is missing. Correct programs have nothing that names the type. A function that a kernel of the module calls is a
//! helper, and has none.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::Item;

use super::Compiled;
use super::native::Native;
use obsidian_core::ordered::Set;
use obsidian_core::scalar::ScalarType;
use obsidian_front::evaluate::{Shape, is_result};
use obsidian_front::link::Unit;
use obsidian_front::syntax::{Function, HostType, Parameter, Size, Type};

/// The hints of a module, whose items are those of `unit`.
pub(super) fn hints(native: &Native<'_>, compiled: &Compiled, unit: &Unit) -> TokenStream {
    let kernels = compiled.kernels.iter();
    let reached: Set<u32> = kernels.flat_map(|k| k.reached.iter().copied()).collect();
    let functions = (0..).zip(native.module.own_functions());
    let unused = functions.filter(|(n, f)| !reached.contains(n) && !has_type(unit, &f.name));
    unused.map(|(_, function)| hint(native, function)).collect()
}

/// Does a type of the module have this name?
fn has_type(unit: &Unit, name: &str) -> bool {
    let structs = unit.items.iter().filter_map(|item| match item {
        Item::Struct(item) => Some(&item.ident),
        _ => None,
    });
    let imported = unit
        .imports
        .iter()
        .filter_map(|import| import.here.as_ref());
    structs.chain(imported).any(|taken| taken == name)
}

fn hint(native: &Native<'_>, function: &Function) -> TokenStream {
    let is_marked = function.kernel.is_some() || function.arrays.is_some();
    let is_plain = function.device.is_none() && function.generics.is_empty();
    let is_private = native.visibility(function).is_empty();
    if is_marked || !is_plain || is_private {
        return quote!();
    }
    match function.is_whole {
        true => program(native, function),
        false => kernel(native, function),
    }
}

/// The hint for a function with the signature of a kernel.
fn kernel(native: &Native<'_>, function: &Function) -> TokenStream {
    let parameters = &function.parameters;
    let specialised = parameters.iter().map_while(values).collect::<Vec<_>>();
    let launched = &parameters[specialised.len()..];
    if !is_result(&function.result.ty) || !launched.iter().all(is_input) {
        return quote!();
    }
    let attribute = format!("#[kernel(threads = 256{})]", specialised.concat());
    let (result, _) = super::launch::outputs(native, function);
    let (given, into) = super::launch::given_outputs(native, &function.result.ty, quote!(outputs));
    let given = (!into.is_empty()).then_some(given);
    let methods = ["launch", "launch_into"];
    let words = (attribute.as_str(), "launched", methods);
    hidden(native, function, launched.len(), words, (result, given))
}

/// The hint for a function with the signature of an array program.
fn program(native: &Native<'_>, function: &Function) -> TokenStream {
    let is_array = |ty: &Type| matches!(ty, Type::Arr(_, element) if Shape::of(element).is_some());
    let is_given = |p: &Parameter| match p.ty.as_ref().map(|ty| &ty.ty) {
        Some(ty) => matches!(ty, Type::Exp(_)) || is_array(ty),
        None => false,
    };
    let is_result = match &function.result.ty {
        Type::Tuple(list) => !list.is_empty() && list.iter().all(is_array),
        ty => is_array(ty),
    };
    if !is_result || !function.parameters.iter().all(is_given) {
        return quote!();
    }
    let ty = &function.result.ty;
    let made = super::arrays::results(native, ty, &quote!());
    let given = super::arrays::results(native, ty, &quote!(&mut));
    let words = ("#[arrays]", "run", ["run", "run_into"]);
    let count = function.parameters.len();
    hidden(native, function, count, words, (made, Some(given)))
}

/// The text by which an attribute gives a host value before the launch, of a parameter that is one.
fn values(parameter: &Parameter) -> Option<String> {
    let name = obsidian_front::evaluate::pattern_name(&parameter.pattern)?;
    match parameter.ty.as_ref().map(|ty| &ty.ty) {
        Some(Type::Host(ty)) => {
            let is_bool = *ty == HostType::Scalar(ScalarType::Bool);
            let values = if is_bool { "[false, true]" } else { "[8]" };
            Some(format!(", {name} = {values}"))
        }
        _ => None,
    }
}

fn is_input(parameter: &Parameter) -> bool {
    match parameter.ty.as_ref().map(|ty| &ty.ty) {
        Some(Type::Pull(element, Size::DYNAMIC) | Type::Mutable(element, false)) => {
            Shape::of(element).is_some()
        }
        Some(Type::Exp(_)) => true,
        _ => false,
    }
}

/// A type of the function's name with two functions that cannot be called: by `count` arguments, and by those and the results.
fn hidden(
    native: &Native<'_>,
    function: &Function,
    count: usize,
    (attribute, done, methods): (&str, &str, [&str; 2]),
    (made, given): (TokenStream, Option<TokenStream>),
) -> TokenStream {
    let krate = |inner: &str| native.arguments.path(inner, Span::call_site());
    let (device, result) = (krate("Device"), krate("Result"));
    let (name, vis) = (
        native.ident(&function.name, function.site),
        native.visibility(function),
    );
    let plain = function.name.trim_start_matches("r#");
    let module = format_ident!("unmarked_{plain}", span = Span::call_site());
    let line = |text: String| Literal::string(&text);
    let message = line(format!(
        "`{plain}` cannot be {done}: `{attribute}` is missing"
    ));
    let label = line(format!("`{plain}` is a function without `{attribute}`"));
    let note = line(format!("write `{attribute}` above `fn {plain}`"));
    let arguments: Vec<Ident> = (0..count).map(|n| format_ident!("input_{n}")).collect();
    let [by_value, into] = methods.map(|method| Ident::new(method, name.span()));
    // At the user's name, so that rustc shows where the attribute belongs.
    let bound = quote_spanned!(name.span()=> where T: HasAttribute);
    let into = given.map(|given| {
        quote! {
            pub fn #into(device: &#device, #(#arguments: impl ::core::marker::Sized,)* outputs: #given) -> #result<()> #bound {
                ::core::unreachable!()
            }
        }
    });
    quote! {
        #[doc(hidden)]
        #[allow(warnings, unused, clippy::all)]
        mod #module {
            use super::*;
            #[diagnostic::on_unimplemented(message = #message, label = #label, note = #note)]
            pub trait HasAttribute {}
            /// Without an implementation rustc proposes to write one.
            pub struct Never;
            #[diagnostic::do_not_recommend]
            impl HasAttribute for Never {}
            pub struct #name<T>(T);
            impl<T> #name<T> {
                pub fn #by_value(device: &#device, #(#arguments: impl ::core::marker::Sized),*) -> #result<#made> #bound {
                    ::core::unreachable!()
                }
                #into
            }
        }
        #[doc(hidden)]
        #[allow(warnings, unused, clippy::all)]
        #vis type #name = #module::#name<()>;
    }
}
