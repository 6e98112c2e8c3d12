//! The module of a kernel: its texts, its CPU code, and its typed launch.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};

use super::engine::CompiledKernel;
use super::native::Native;
use crate::emit;
use crate::front::evaluate::{Shape, pattern_name};
use crate::front::syntax::{Function, Type};
use crate::plan::{Interface, Plan};
use crate::scalar::ScalarType;

/// The module of one kernel; without texts if the kernel has a mistake.
pub(super) fn module(native: &Native<'_>, kernel: &CompiledKernel, hash: &str) -> TokenStream {
    let function = &native.module.functions[kernel.function as usize];
    match &kernel.plan {
        Ok((plan, interface)) => whole(native, function, plan, interface, hash),
        Err(_) => stub(native, function),
    }
}

fn whole(native: &Native<'_>, function: &Function, plan: &Plan, interface: &Interface, hash: &str) -> TokenStream {
    let rt = native.arguments.path("generated", Span::call_site());
    let cuda = Literal::string(&emit::cuda(plan));
    let manifest = Literal::string(&emit::manifest(plan, interface, hash));
    let path = rt.to_string().replace(' ', "");
    let constant: TokenStream = emit::interface(interface, &path).parse().unwrap_or_default();
    let cpu: TokenStream = emit::cpu::function(plan.levelled(), &|array| plan.pattern(array), &path).parse().unwrap_or_default();
    let name = Literal::string(&interface.name);
    let hash = Literal::string(hash);
    let build = build(native, function);
    let built = if native.arguments.built {
        quote!(::core::option::Option::Some(#rt::built(super::BUILT, #name, #hash)))
    } else {
        quote!(::core::option::Option::None)
    };
    let source = quote! {
        static SOURCE: #rt::Source = #rt::Source {
            cuda: CUDA,
            manifest: #manifest,
            hash: #hash,
            interface: #constant,
            build,
            cpu: ::core::option::Option::Some(cpu),
            built: #built,
            kernel: #rt::Cache::new(),
        };
        fn build(threads: ::core::primitive::u32) -> ::core::result::Result<#rt::Plan, #rt::Diagnostics> {
            #rt::build(#name, threads, |builder| { #build })
        }
        #cpu
    };
    let get = quote!(#rt::kernel(&SOURCE));
    module_of(native, function, &cuda, &source, &get, |arguments, results| {
        quote! {
            let mut outputs = #rt::launch(kernel, device, &mut [#arguments])?;
            ::core::result::Result::Ok(#results)
        }
    })
}

/// What the build script has compiled.
pub(super) fn index(native: &Native<'_>) -> TokenStream {
    let rt = native.arguments.path("generated", Span::call_site());
    let missing = "`#[kernels(built)]` needs a build script: in build.rs, call `obsidian_core::build::Kernels::new().source(\"src/lib.rs\").compile()`";
    quote! {
        const BUILT: #rt::Index = ::core::include!(::core::concat!(::core::env!("OUT_DIR", #missing), "/obsidian/index.rs"));
    }
}

/// The module of a kernel with a mistake: everything that other code may name, and nothing that is ever run.
pub(super) fn stub(native: &Native<'_>, function: &Function) -> TokenStream {
    let never = quote!(::core::unreachable!());
    module_of(native, function, &Literal::string(""), &quote!(), &never, |_, _| never.clone())
}

/// The native build: parameters are declared, the user's function is called, its result is taken.
fn build(native: &Native<'_>, function: &Function) -> TokenStream {
    let names: Vec<Ident> = (0..function.parameters.len()).map(|n| format_ident!("parameter_{n}")).collect();
    let declared = function.parameters.iter().zip(&names).map(|(p, name)| {
        let ty = p.ty.as_ref().map(|t| native.sources.tokens(t.snippet));
        let text = Literal::string(pattern_name(&p.pattern).unwrap_or("input"));
        quote!(let #name = builder.parameter::<#ty>(#text);)
    });
    let callee = native.ident(&function.name, function.site);
    quote!(#(#declared)* builder.result(super::#callee(#(#names),*));)
}

fn module_of(
    native: &Native<'_>,
    function: &Function,
    cuda: &Literal,
    source: &TokenStream,
    get: &TokenStream,
    body: impl Fn(TokenStream, TokenStream) -> TokenStream,
) -> TokenStream {
    let krate = |inner: &str| native.arguments.path(inner, Span::call_site());
    let (kernel_type, device_type, result_type) = (krate("Kernel"), krate("Device"), krate("Result"));
    let name = native.ident(&function.name, function.site);
    let inputs: Vec<Input> = function.parameters.iter().enumerate().map(|(n, p)| Input::of(n, p)).collect();
    let parameters = inputs.iter().map(|i| i.parameter(native));
    let parameters: TokenStream = quote!(#(#parameters),*);
    let names = inputs.iter().map(|i| &i.name);
    let forwarded = quote!(#(#names),*);
    let arguments = inputs.iter().flat_map(|i| i.arguments(native));
    let (result, results) = outputs(native, function);
    let body = body(quote!(#(#arguments),*), results);
    let about = format!(" The kernel `{}`, as CUDA and as a typed launch.", function.name);
    let vis = native.visibility(function);
    quote! {
        #[doc = #about]
        #[allow(warnings, clippy::all)]
        #vis mod #name {
            use super::*;
            /// The generated CUDA text.
            pub const CUDA: &::core::primitive::str = #cuda;
            #source
            /// The kernel as a value.
            pub fn kernel() -> #kernel_type { #get }
            /// Launches the kernel: the arguments are checked, and the outputs allocated.
            pub fn launch(device: &#device_type, #parameters) -> #result_type<#result> { launch_kernel(&kernel(), device, #forwarded) }
            /// Launches the kernel as it was built for another number of threads.
            pub fn launch_kernel(kernel: &#kernel_type, device: &#device_type, #parameters) -> #result_type<#result> { #body }
        }
    }
}

/// Names that the module itself uses.
const TAKEN: &[&str] = &["kernel", "device", "launch", "launch_kernel", "outputs", "CUDA", "SOURCE"];

/// A parameter of the launch.
struct Input {
    name: Ident,
    shape: Option<Shape>,
    scalar: bool,
    /// Is it changed?
    mutable: bool,
}

impl Input {
    fn of(n: usize, parameter: &crate::front::syntax::Parameter) -> Self {
        let ty = parameter.ty.as_ref().map(|t| &t.ty);
        let mutable = matches!(ty, Some(Type::Mutable(..)));
        let (shape, scalar) = match ty {
            Some(Type::Pull(element, _) | Type::Mutable(element, _)) => (Shape::of(element), false),
            Some(Type::Exp(ty)) => (Some(Shape::Scalar(*ty)), true),
            _ => (None, false),
        };
        let name = match pattern_name(&parameter.pattern) {
            Some(name) if !TAKEN.contains(&name) => native_name(&parameter.pattern),
            _ => format_ident!("input_{n}"),
        };
        Input { name, shape, scalar, mutable }
    }

    fn parameter(&self, native: &Native<'_>) -> TokenStream {
        let name = &self.name;
        let ty = match (&self.shape, self.scalar) {
            (Some(Shape::Scalar(ty)), true) => type_name(*ty),
            (Some(shape), _) if self.mutable => buffers(native, shape, &quote!(&mut)),
            (Some(shape), _) => buffers(native, shape, &quote!(&)),
            (None, _) => quote!(()),
        };
        quote!(#name: #ty)
    }

    fn arguments(&self, native: &Native<'_>) -> Vec<TokenStream> {
        let name = &self.name;
        match &self.shape {
            Some(Shape::Scalar(_)) if self.scalar => {
                let scalar = native.arguments.path("generated::scalar", Span::call_site());
                vec![quote!(#scalar(#name))]
            }
            Some(shape) => {
                let method = if self.mutable { quote!(argument_mut) } else { quote!(argument) };
                fields(shape, quote!(#name)).into_iter().map(|field| quote!(#field.#method())).collect()
            }
            None => Vec::new(),
        }
    }
}

/// The fields of a tuple of buffers, in order.
fn fields(shape: &Shape, value: TokenStream) -> Vec<TokenStream> {
    match shape {
        Shape::Scalar(_) => vec![value],
        Shape::Tuple(list) => {
            let parts = list.iter().enumerate().map(|(n, inner)| {
                let n = Literal::usize_unsuffixed(n);
                fields(inner, quote!(#value.#n))
            });
            parts.flatten().collect()
        }
    }
}

fn type_name(ty: ScalarType) -> TokenStream {
    let name = Ident::new(ty.name(), Span::call_site());
    quote!(::core::primitive::#name)
}

/// The type of buffers for a shape: one, or a tuple.
fn buffers(native: &Native<'_>, shape: &Shape, borrowed: &TokenStream) -> TokenStream {
    match shape {
        Shape::Scalar(ty) => {
            let (buffer, ty) = (native.arguments.path("Buffer", Span::call_site()), type_name(*ty));
            quote!(#borrowed #buffer<#ty>)
        }
        Shape::Tuple(list) => {
            let list = list.iter().map(|inner| buffers(native, inner, borrowed));
            quote!((#(#list,)*))
        }
    }
}

/// The type of the result of a launch, and the expression that takes it out of the outputs.
fn outputs(native: &Native<'_>, function: &Function) -> (TokenStream, TokenStream) {
    outputs_of(native, &function.result.ty, &mut 0)
}

fn outputs_of(native: &Native<'_>, ty: &Type, position: &mut usize) -> (TokenStream, TokenStream) {
    match ty {
        Type::Push(_, element, _) => match Shape::of(element) {
            Some(shape) => (buffers(native, &shape, &quote!()), take(&shape, position)),
            None => (quote!(()), quote!(())),
        },
        Type::Program(_, inner) => outputs_of(native, inner, position),
        Type::Tuple(list) => {
            let (types, values): (Vec<_>, Vec<_>) = list.iter().map(|ty| outputs_of(native, ty, position)).unzip();
            (quote!((#(#types,)*)), quote!((#(#values,)*)))
        }
        _ => (quote!(()), quote!(())),
    }
}

fn take(shape: &Shape, position: &mut usize) -> TokenStream {
    match shape {
        Shape::Scalar(ty) => {
            let (n, ty) = (Literal::usize_unsuffixed(*position), type_name(*ty));
            *position += 1;
            quote!(outputs.take::<#ty>(#n)?)
        }
        Shape::Tuple(list) => {
            let list: Vec<TokenStream> = list.iter().map(|inner| take(inner, position)).collect();
            quote!((#(#list,)*))
        }
    }
}

/// The name that a pattern binds, as it is written.
fn native_name(pattern: &crate::front::syntax::Pattern) -> Ident {
    match &pattern.kind {
        crate::front::syntax::PatternKind::Bind(_, name, _) => super::native::ident(name, Span::call_site()),
        _ => format_ident!("input"),
    }
}
