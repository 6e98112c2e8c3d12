//! The module of a kernel: its variants, and their typed launch.

mod checks;
pub(super) mod variants;

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};

use super::engine::{CompiledKernel, CompiledVariant};
use super::native::Native;
use obsidian_core::emit;
use obsidian_core::scalar::ScalarType;
use obsidian_front::evaluate::{Shape, pattern_name};
use obsidian_front::syntax::{Function, Size, Type};

/// The module of one kernel; without texts if the kernel has a mistake.
pub(super) fn module(native: &Native<'_>, kernel: &CompiledKernel, hash: &str) -> TokenStream {
    let function = &native.module.functions[kernel.function as usize];
    if kernel.is_whole() {
        whole(native, function, &kernel.variants, hash)
    } else {
        stub(native, function)
    }
}

fn whole(
    native: &Native<'_>,
    function: &Function,
    variants: &[CompiledVariant],
    hash: &str,
) -> TokenStream {
    let rt = native.arguments.path("generated", Span::call_site());
    let cuda = variants
        .iter()
        .find_map(|v| v.plan.as_ref().ok())
        .map(|(plan, _)| emit::cuda(plan))
        .unwrap_or_default();
    let variants = variants::statics(native, function, variants, hash);
    // Without a build script a tuned file is a mistake, which is reported elsewhere.
    let is_tuned =
        native.arguments.built && function.kernel.as_ref().is_some_and(|k| k.tuned.is_some());
    let (get, one) = if is_tuned {
        let lengths = function
            .launched()
            .enumerate()
            .flat_map(|(n, p)| Input::of(n, p).lengths());
        let option = quote!(::core::option::Option);
        (
            quote!(#rt::pick(&VARIANTS, TUNED, #option::None, &[])),
            quote!(#rt::pick(&VARIANTS, TUNED, #option::Some(device.model()), &[#(#lengths),*])),
        )
    } else {
        (quote!(&VARIANTS[0]), quote!(&VARIANTS[0]))
    };
    let parts = Parts {
        cuda: Literal::string(&cuda),
        variants,
        list: quote!(&VARIANTS),
        get: quote!((#get).kernel()),
        launch: one,
        of_variant: quote!(&variant.kernel()),
    };
    let bodies = Bodies {
        launch: &|arguments, results| {
            quote! {
                let mut outputs = #rt::launch(kernel, device, &mut [#arguments])?;
                ::core::result::Result::Ok(#results)
            }
        },
        launch_into: &|arguments, outputs| quote!(#rt::launch_into(kernel, device, &mut [#arguments], &mut [#outputs])),
    };
    module_of(native, function, &parts, &bodies)
}

/// What the build script has compiled.
pub(super) fn index(native: &Native<'_>) -> TokenStream {
    let rt = native.arguments.path("generated", Span::call_site());
    let missing = "`#[kernels(built)]` needs a build script: in build.rs, call `obsidian_build::Kernels::new().source(\"src/lib.rs\").compile()` with the file that this module is in; `obsidian-build` is a build dependency";
    quote! {
        const BUILT: #rt::Index = #rt::index!(#missing);
    }
}

/// The module of a kernel with a mistake: everything that other code may name, and nothing that is
/// ever run.
pub(super) fn stub(native: &Native<'_>, function: &Function) -> TokenStream {
    let never = quote!(::core::unreachable!());
    let parts = Parts {
        cuda: Literal::string(""),
        variants: quote!(),
        list: never.clone(),
        get: never.clone(),
        launch: never.clone(),
        of_variant: never.clone(),
    };
    let bodies = Bodies {
        launch: &|_, _| never.clone(),
        launch_into: &|_, _| never.clone(),
    };
    module_of(native, function, &parts, &bodies)
}

/// What differs between a kernel and one with a mistake.
struct Parts {
    /// The text of the default variant.
    cuda: Literal,
    /// The variants as statics.
    variants: TokenStream,
    /// The list of them.
    list: TokenStream,
    /// The kernel that has no launch to go by.
    get: TokenStream,
    /// The variant for a launch on `device`.
    launch: TokenStream,
    /// The kernel of `variant`.
    of_variant: TokenStream,
}

/// What the functions do that launch `kernel` on `device`.
struct Bodies<'a> {
    /// By the arguments, and the expression that takes the results out of `outputs`.
    launch: &'a dyn Fn(TokenStream, TokenStream) -> TokenStream,
    /// By the arguments, and the buffers of `outputs` as arguments.
    launch_into: &'a dyn Fn(TokenStream, TokenStream) -> TokenStream,
}

fn module_of(
    native: &Native<'_>,
    function: &Function,
    parts: &Parts,
    bodies: &Bodies<'_>,
) -> TokenStream {
    let krate = |inner: &str| native.arguments.path(inner, Span::call_site());
    let (kernel_type, device_type, result_type, variant_type) = (
        krate("Kernel"),
        krate("Device"),
        krate("Result"),
        krate("Variant"),
    );
    let name = native.ident(&function.name, function.site);
    let inputs: Vec<Input> = function
        .launched()
        .enumerate()
        .map(|(n, p)| Input::of(n, p))
        .collect();
    let parameters = inputs.iter().map(|i| i.parameter(native));
    let parameters: TokenStream = quote!(#(#parameters,)*);
    // What is given for an array of tuples is a tuple of references from here on.
    let tuples = inputs.iter().filter(|i| i.is_tuple()).map(|i| &i.name);
    let reads = krate("Reads");
    let tuples: TokenStream = quote!(#(let #tuples = #reads::reads(#tuples);)*);
    let lifetime = inputs.iter().any(Input::is_tuple);
    let lifetime = lifetime.then(|| quote!(<'given>));
    let names = inputs.iter().map(|i| &i.name);
    let forwarded = quote!(#(#names),*);
    let arguments = inputs.iter().flat_map(|i| i.arguments(native));
    let arguments = quote!(#(#arguments),*);
    let (result, results) = outputs(native, function);
    let body = (bodies.launch)(arguments.clone(), results);
    let (given, into) = given_outputs(native, &function.result.ty, quote!(outputs));
    let range = super::device::range(native, function, (&result, &given, !into.is_empty()));
    let into = (!into.is_empty()).then(|| {
        let body = (bodies.launch_into)(arguments, quote!(#(#into.argument_mut()),*));
        let (of_variant, launch) = (&parts.of_variant, &parts.launch);
        quote! {
            /// Launches the kernel into buffers that there are: nothing is allocated. They have the lengths
            /// of the results of `launch`; whatever they held before is gone, also after an error.
            pub fn launch_into #lifetime (device: &#device_type, #parameters outputs: #given) -> #result_type<()> {
                #tuples
                let variant: &'static #variant_type = #launch;
                let kernel: &#kernel_type = #of_variant;
                #body
            }
        }
    });
    let about = format!(
        " The kernel `{}`, as CUDA and as a typed launch.",
        function.name
    );
    let vis = native.visibility(function);
    let Parts {
        cuda,
        variants,
        list,
        get,
        launch,
        of_variant,
    } = parts;
    // What an item calls for which dead code is allowed is used: the user's function, whether it is
    // launched or not, and all that it calls.
    quote! {
        #[doc = #about]
        #[allow(warnings, unused, clippy::all)]
        #vis mod #name {
            use super::*;
            #range
            /// The generated CUDA text; of several variants, that of the first.
            pub const CUDA: &::core::primitive::str = #cuda;
            #variants
            /// The kernel as a value; of several variants, the first, or the one that a tuned file
            /// names.
            pub fn kernel() -> #kernel_type { #get }
            /// The variants: one for each combination of the values of specialisation parameters
            /// and numbers of threads.
            pub fn variants() -> &'static [#variant_type] { #list }
            /// Launches the kernel: the arguments are checked, and the outputs allocated.
            pub fn launch #lifetime (device: &#device_type, #parameters) -> #result_type<#result> {
                #tuples
                launch_variant(#launch, device, #forwarded)
            }
            #into
            /// Launches one of the variants.
            pub fn launch_variant #lifetime (variant: &'static #variant_type, device: &#device_type, #parameters) -> #result_type<#result> {
                launch_kernel(#of_variant, device, #forwarded)
            }
            /// Launches the kernel as it was built for another number of threads.
            pub fn launch_kernel #lifetime (kernel: &#kernel_type, device: &#device_type, #parameters) -> #result_type<#result> {
                #tuples
                #body
            }
        }
    }
}

/// Names that the module itself uses.
const TAKEN: &[&str] = &[
    "kernel",
    "device",
    "variant",
    "launch",
    "launch_into",
    "launch_kernel",
    "launch_variant",
    "variants",
    "build",
    "outputs",
    "CUDA",
    "CPU",
    "AT",
    "BUILT",
    "CODE",
    "TUNED",
    "VARIANTS",
];

/// A parameter of the launch.
struct Input {
    name: Ident,
    shape: Option<Shape>,
    scalar: bool,
    /// Is it changed?
    mutable: bool,
}

impl Input {
    fn of(n: usize, parameter: &obsidian_front::syntax::Parameter) -> Self {
        let ty = parameter.ty.as_ref().map(|t| &t.ty);
        let mutable = matches!(ty, Some(Type::Mutable(..)));
        let (shape, scalar) = match ty {
            Some(Type::Pull(element, Size { rank: 1, .. }) | Type::Mutable(element, _)) => {
                (Shape::of(element), false)
            }
            Some(Type::Exp(ty)) => (Some(Shape::Scalar(*ty)), true),
            _ => (None, false),
        };
        let name = match pattern_name(&parameter.pattern) {
            Some(name) if !TAKEN.contains(&name) => native_name(&parameter.pattern),
            _ => format_ident!("input_{n}"),
        };
        Input {
            name,
            shape,
            scalar,
            mutable,
        }
    }

    /// Is it an array of tuples that is read?
    fn is_tuple(&self) -> bool {
        !self.mutable && !self.scalar && matches!(self.shape, Some(Shape::Tuple(_)))
    }

    fn parameter(&self, native: &Native<'_>) -> TokenStream {
        let name = &self.name;
        let ty = match (&self.shape, self.scalar) {
            (Some(Shape::Scalar(ty)), true) => type_name(*ty),
            (Some(shape), _) if self.mutable => buffers(native, shape, &quote!(&mut)),
            (Some(shape), _) if self.is_tuple() => {
                let reads = native.arguments.path("Reads", Span::call_site());
                let references = buffers(native, shape, &quote!(&'given));
                quote!(impl #reads<#references>)
            }
            (Some(shape), _) => buffers(native, shape, &quote!(&)),
            (None, _) => quote!(()),
        };
        quote!(#name: #ty)
    }

    /// The lengths of its buffers.
    fn lengths(&self) -> Vec<TokenStream> {
        let name = &self.name;
        match &self.shape {
            Some(shape) if !self.scalar => fields(shape, quote!(#name))
                .into_iter()
                .map(|field| quote!(#field.len()))
                .collect(),
            _ => Vec::new(),
        }
    }

    fn arguments(&self, native: &Native<'_>) -> Vec<TokenStream> {
        let name = &self.name;
        match &self.shape {
            Some(Shape::Scalar(_)) if self.scalar => {
                let scalar = native
                    .arguments
                    .path("generated::scalar", Span::call_site());
                vec![quote!(#scalar(#name))]
            }
            Some(shape) => {
                let method = if self.mutable {
                    quote!(argument_mut)
                } else {
                    quote!(argument)
                };
                fields(shape, quote!(#name))
                    .into_iter()
                    .map(|field| quote!(#field.#method()))
                    .collect()
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
    let buffer = native.arguments.path("Buffer", Span::call_site());
    buffers_of(shape, &|ty| {
        let ty = type_name(ty);
        quote!(#borrowed #buffer<#ty>)
    })
}

/// A type for a shape: one for each field, in the shape's tuples.
pub(super) fn buffers_of(shape: &Shape, of: &dyn Fn(ScalarType) -> TokenStream) -> TokenStream {
    match shape {
        Shape::Scalar(ty) => of(*ty),
        Shape::Tuple(list) => {
            let list = list.iter().map(|inner| buffers_of(inner, of));
            quote!((#(#list,)*))
        }
    }
}

/// The type of the result of a launch, and the expression that takes it out of the outputs.
pub(super) fn outputs(native: &Native<'_>, function: &Function) -> (TokenStream, TokenStream) {
    outputs_of(native, &function.result.ty, &mut 0)
}

fn outputs_of(native: &Native<'_>, ty: &Type, position: &mut usize) -> (TokenStream, TokenStream) {
    match ty {
        Type::Push(_, element, Size { rank: 1, .. }) => match Shape::of(element) {
            Some(shape) => (buffers(native, &shape, &quote!()), take(&shape, position)),
            None => (quote!(()), quote!(())),
        },
        Type::Program(_, inner) => outputs_of(native, inner, position),
        Type::Tuple(list) => {
            let (types, values): (Vec<_>, Vec<_>) = list
                .iter()
                .map(|ty| outputs_of(native, ty, position))
                .unzip();
            (quote!((#(#types,)*)), quote!((#(#values,)*)))
        }
        _ => (quote!(()), quote!(())),
    }
}

/// The type of buffers that are given for the results of a launch, and each of those in `value`, in order.
pub(super) fn given_outputs(
    native: &Native<'_>,
    ty: &Type,
    value: TokenStream,
) -> (TokenStream, Vec<TokenStream>) {
    match ty {
        Type::Push(_, element, Size { rank: 1, .. }) => match Shape::of(element) {
            Some(shape) => (
                buffers(native, &shape, &quote!(&mut)),
                fields(&shape, value),
            ),
            None => (quote!(()), Vec::new()),
        },
        Type::Program(_, inner) => given_outputs(native, inner, value),
        Type::Tuple(list) => {
            let parts = list.iter().enumerate().map(|(n, ty)| {
                let n = Literal::usize_unsuffixed(n);
                given_outputs(native, ty, quote!(#value.#n))
            });
            let (types, fields): (Vec<_>, Vec<_>) = parts.unzip();
            (quote!((#(#types,)*)), fields.concat())
        }
        _ => (quote!(()), Vec::new()),
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
pub(super) fn native_name(pattern: &obsidian_front::syntax::Pattern) -> Ident {
    match &pattern.kind {
        obsidian_front::syntax::PatternKind::Bind(_, name, _) => {
            super::native::ident(name, Span::call_site())
        }
        _ => format_ident!("input"),
    }
}
