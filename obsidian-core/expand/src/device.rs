//! Device functions: the user's function as it is, and beside it what kernels and launches call.

use proc_macro2::{Literal, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

use super::native::Native;
use obsidian_core::library::device::{Num, Ty};
use obsidian_front::syntax::{DeviceFunction, Function};

/// A device function as the user has written it, and the module beside it, unless that of its range
/// stands there.
pub(super) fn function(native: &Native<'_>, n: u32, function: &Function) -> TokenStream {
    let Some(device) = &function.device else {
        return TokenStream::new();
    };
    let item = native.sources.tokens(device.item);
    if device.range.is_some() {
        return item;
    }
    let (vis, name) = (
        native.visibility(function),
        native.ident(&function.name, function.site),
    );
    let inside = inside(native, n, function);
    let about = format!(
        " What kernels call in place of the device function `{}`.",
        function.name
    );
    quote! {
        #item
        #[doc = #about]
        #[allow(warnings, unused, clippy::all)]
        #vis mod #name {
            use super::*;
            #inside
        }
    }
}

/// The code of a device function, and the function that kernels call.
fn inside(native: &Native<'_>, n: u32, function: &Function) -> TokenStream {
    let rt = native.arguments.path("generated", Span::call_site());
    let Some(device) = native.module.device(n) else {
        return TokenStream::new();
    };
    let words = device.words().into_iter().map(Literal::u64_unsuffixed);
    let places = device.places().into_iter().map(|place| {
        let (n, span) = (Literal::u32_unsuffixed(place), native.span(place));
        let path = native.arguments.path("generated::device::place", span);
        quote_spanned!(span=> #path(#n))
    });
    let names: Vec<_> = (0..function.parameters.len())
        .map(|n| format_ident!("argument_{n}"))
        .collect();
    let types = function
        .parameters
        .iter()
        .map(|p| p.ty.as_ref().map(|ty| native.sources.tokens(ty.snippet)));
    let numbers = (0..names.len()).map(Literal::usize_unsuffixed);
    let values = quote! {
        ::std::vec![#(#rt::device::IntoVal::val(#names, function.parameter(#numbers))),*]
    };
    let result = native.sources.tokens(function.result.snippet);
    let program = native
        .arguments
        .path("language::Program", Span::call_site());
    let thread = native.arguments.path("language::Thread", Span::call_site());
    let (result, call) = if device.is_plain() {
        (result, quote!(value))
    } else {
        (quote!(#program<#thread, #result>), quote!(program))
    };
    let name = native.ident(&function.name, function.site);
    quote! {
        static CODE: &[::core::primitive::u64] = &[#(#words),*];
        fn function() -> #rt::device::Function {
            #rt::device::Function::new(CODE, ::std::vec![#(#places),*])
        }
        /// The function for kernels.
        pub fn in_kernel(#(#names: #types),*) -> #result {
            let _ = super::#name;
            let function = function();
            let values = #values;
            function.#call(values)
        }
    }
}

/// What stands in the module of a range beside its launch.
pub(super) fn range(
    native: &Native<'_>,
    kernel: &Function,
    (result, outputs, has_into): (&TokenStream, &TokenStream, bool),
) -> TokenStream {
    let (Some(n), Some(device)) = (kernel.range_of, &kernel.device) else {
        return TokenStream::new();
    };
    let Some(function) = native.module.functions.get(n as usize) else {
        return TokenStream::new();
    };
    let (dimensions, num) = device.range.unwrap_or((1, Num::Usize));
    let inside = inside(native, n, function);
    let kernel_side = kernel_side(native, kernel, device, (dimensions, num));
    let parts = Parts::of(native, device);
    let krate = |inner: &str| native.arguments.path(inner, Span::call_site());
    let (rt, device_type, result_type) = (krate("generated"), krate("Device"), krate("Result"));
    let extents: Vec<_> = (0..dimensions)
        .map(|n| format_ident!("extent_{n}"))
        .collect();
    let count = Literal::usize_unsuffixed(dimensions as usize);
    let Parts {
        names,
        given,
        prepared,
        launched,
        on_host,
    } = parts;
    let name = native.ident(&kernel.name, kernel.site);
    let element = native.sources.tokens(device.result);
    let rows = krate("Rows");
    let (result, outputs, wrapped, unwrapped) = match device.gives_rows {
        true => (
            quote!(#rows<#element>),
            quote!(&mut #rows<#element>),
            quote!(.map(#rows::of_columns)),
            quote!(.as_outputs()),
        ),
        false => (result.clone(), outputs.clone(), quote!(), quote!()),
    };
    let coordinates: Vec<_> = (0..dimensions as usize)
        .map(|n| {
            let n = Literal::usize_unsuffixed(n);
            match num {
                Num::U32 => quote!(at[#n] as ::core::primitive::u32),
                _ => quote!(at[#n]),
            }
        })
        .collect();
    let coordinates = match coordinates.as_slice() {
        [one] => one.clone(),
        several => quote!((#(#several),*)),
    };
    let text = Literal::string(kernel.name.trim_start_matches("r#"));
    let into = has_into.then(|| {
        quote! {
            /// The same into a buffer that there is: nothing is allocated for the elements.
            pub fn compute_into(device: &#device_type, extents: [::core::primitive::usize; #count], arguments: (#(#given,)*), outputs: #outputs) -> #result_type<()> {
                let [#(#extents),*] = #rt::device::extents(#text, extents)?;
                let (#(#names,)*) = arguments;
                #(#prepared)*
                launch_into(device, #(#extents,)* #(#launched,)* outputs #unwrapped)
            }
        }
    });
    quote! {
        #inside
        #kernel_side
        /// Computes each element of a range on a device: the extents, the last one fastest, and the arguments
        /// behind the coordinates. A GPU gets a copy of a slice; a buffer is used where it is.
        pub fn compute(device: &#device_type, extents: [::core::primitive::usize; #count], arguments: (#(#given,)*)) -> #result_type<#result> {
            let [#(#extents),*] = #rt::device::extents(#text, extents)?;
            let (#(#names,)*) = arguments;
            #(#prepared)*
            launch(device, #(#extents,)* #(#launched),*) #wrapped
        }
        #into
        /// The same on all cores of the host, by the function as rustc compiles it: of 0.0 and -0.0, `min` and `max` may give either one there.
        pub fn compute_host(extents: [::core::primitive::usize; #count], arguments: (#(#on_host,)*)) -> #result_type<::std::vec::Vec<#element>> {
            let (#(#names,)*) = arguments;
            #rt::device::on_host(#text, extents, |at| super::#name(#coordinates, #(#names),*))
        }
    }
}

/// The arguments of a range, one by one.
struct Parts {
    names: Vec<proc_macro2::Ident>,
    /// The types for a device.
    given: Vec<TokenStream>,
    /// What is done with them before the launch.
    prepared: Vec<TokenStream>,
    /// What is launched with.
    launched: Vec<TokenStream>,
    /// The types for the host.
    on_host: Vec<TokenStream>,
}

impl Parts {
    fn of(native: &Native<'_>, device: &DeviceFunction) -> Parts {
        let rt = native.arguments.path("generated", Span::call_site());
        let fields = native.arguments.path("Fields", Span::call_site());
        let mut parts = Parts {
            names: Vec::new(),
            given: Vec::new(),
            prepared: Vec::new(),
            launched: Vec::new(),
            on_host: Vec::new(),
        };
        let types = device.code.parameters.iter().skip(1);
        for (n, (ty, written)) in types.zip(&device.types).enumerate() {
            let (name, written) = (format_ident!("given_{n}"), native.sources.tokens(*written));
            let on_host = written.clone();
            let (given, prepared, launched) = match ty {
                Ty::Num(Num::Usize) => (written, quote!(), quote!(#name as ::core::primitive::u64)),
                Ty::Num(Num::Isize) => (written, quote!(), quote!(#name as ::core::primitive::i64)),
                Ty::Num(num) if written.to_string() == num.name() => {
                    (written, quote!(), quote!(#name))
                }
                Ty::Slice(_) => {
                    let element = element_of(&written);
                    let prepared = quote! {
                        let #name = #rt::device::Given::given(#name, device)?;
                    };
                    (
                        quote!(impl #rt::device::Given<#element>),
                        prepared,
                        quote!(&*#name),
                    )
                }
                // A struct of one number is no tuple.
                Ty::Num(_) | Ty::Tuple(_) | Ty::Array(..) => {
                    let numbers = ty.numbers().into_iter().map(|(way, _)| {
                        let way = way.into_iter().map(Literal::u32_unsuffixed);
                        quote!(#name #(.#way)*)
                    });
                    let prepared = quote!(let #name = #fields::row(#name););
                    (written, prepared, quote!(#(#numbers),*))
                }
            };
            parts.names.push(name);
            parts.given.push(given);
            parts.prepared.push(prepared);
            parts.launched.push(launched);
            parts.on_host.push(on_host);
        }
        parts
    }
}

/// The `T` of `&[T]`.
fn element_of(written: &TokenStream) -> TokenStream {
    match syn::parse2::<syn::Type>(written.clone()) {
        Ok(syn::Type::Reference(reference)) => match *reference.elem {
            syn::Type::Slice(slice) => {
                let element = slice.elem;
                quote!(#element)
            }
            other => quote!(#other),
        },
        _ => written.clone(),
    }
}

/// An argument of the function, of those of the kernel: its numbers are one by one there.
fn value_of<'a>(ty: &Ty, given: &mut impl Iterator<Item = &'a proc_macro2::Ident>) -> TokenStream {
    match ty {
        Ty::Num(_) | Ty::Slice(_) => given.next().map(|name| quote!(#name)).unwrap_or_default(),
        Ty::Tuple(list) => {
            let list: Vec<_> = list.iter().map(|ty| value_of(ty, given)).collect();
            quote!((#(#list,)*))
        }
        Ty::Array(ty, n) => {
            let list: Vec<_> = (0..*n).map(|_| value_of(ty, given)).collect();
            quote!([#(#list),*])
        }
    }
}

/// The function that a native build of the kernel calls with its parameters.
fn kernel_side(
    native: &Native<'_>,
    kernel: &Function,
    device: &DeviceFunction,
    (dimensions, num): (u32, Num),
) -> TokenStream {
    let rt = native.arguments.path("generated", Span::call_site());
    let names: Vec<_> = (0..kernel.parameters.len())
        .map(|n| format_ident!("parameter_{n}"))
        .collect();
    let types = kernel
        .parameters
        .iter()
        .map(|p| p.ty.as_ref().map(|ty| native.sources.tokens(ty.snippet)));
    let (extents, arguments) = names.split_at((dimensions as usize).min(names.len()));
    let mut given = arguments.iter();
    let types_of = device.code.parameters.iter().enumerate().skip(1);
    let arguments = types_of.map(|(n, ty)| {
        let (value, n) = (value_of(ty, &mut given), Literal::usize_unsuffixed(n));
        quote!(#rt::device::IntoVal::val(#value, function.parameter(#n)))
    });
    let result = native.sources.tokens(kernel.result.snippet);
    let num = match num {
        Num::U32 => quote!(U32),
        _ => quote!(Usize),
    };
    quote! {
        fn range(#(#names: #types),*) -> #result {
            let function = function();
            let values = ::std::vec![#(#arguments),*];
            function.range(&[#(#extents),*], #rt::device::Num::#num, values)
        }
    }
}
