//! The module of an array program: its kernels, its schedule, and typed runs.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

use super::engine::{CompiledKernel, CompiledVariant, KernelOf};
use super::launch::{buffers_of, variants};
use super::native::Native;
use super::tokens_of;
use obsidian_core::arrays::{
    Argument, Claimed, Given, Launched, LiteralArray, Only, Produced, Schedule, Settings, Slot,
    Step, Where,
};
use obsidian_core::emit;
use obsidian_core::plan::Formula;
use obsidian_core::scalar::ScalarType;
use obsidian_front::evaluate::{Shape, pattern_name};
use obsidian_front::syntax::{Function, Type};

/// The module of one array program; without kernels if it has a mistake.
pub(super) fn module(native: &Native<'_>, kernel: &CompiledKernel, hash: &str) -> TokenStream {
    let function = &native.module.functions[kernel.function as usize];
    match &kernel.schedule {
        Some(schedule) if kernel.is_whole() => {
            whole(native, function, schedule, &kernel.variants, hash)
        }
        _ => stub(native, function),
    }
}

fn whole(
    native: &Native<'_>,
    function: &Function,
    schedule: &Schedule,
    kernels: &[CompiledVariant],
    hash: &str,
) -> TokenStream {
    let rt = native.arguments.path("generated", Span::call_site());
    let printer = Printer { native, rt: &rt };
    let schedule = printer.schedule(schedule);
    let statics = variants::statics(native, function, kernels, hash);
    let list = own_or_instead(native, kernels);
    module_of(
        native,
        function,
        &statics,
        Some(&quote!(#rt::arrays::program(#schedule, &[#(#list),*]))),
    )
}

/// The kernels of a schedule, by number: those of the program itself, and those of programs before it.
fn own_or_instead(native: &Native<'_>, kernels: &[CompiledVariant]) -> Vec<TokenStream> {
    let mut own = 0;
    let one = |kernel: &CompiledVariant| match kernel.instead {
        Some(KernelOf { function, number }) => {
            let function = &native.module.functions[function as usize];
            let name = native.ident(&function.name, function.site);
            let number = Literal::usize_unsuffixed(number);
            quote!(&super::#name::VARIANTS[#number])
        }
        None => {
            let number = Literal::usize_unsuffixed(own);
            own += 1;
            quote!(&VARIANTS[#number])
        }
    };
    kernels.iter().map(one).collect()
}

/// The module of an array program with a mistake: everything that other code may name, and nothing that is ever run.
pub(super) fn stub(native: &Native<'_>, function: &Function) -> TokenStream {
    module_of(native, function, &quote!(), None)
}

/// A parameter of a run.
struct Parameter {
    name: Ident,
    /// Its type as the user has written it, in the program.
    written: TokenStream,
    /// Its type in a run.
    given: TokenStream,
}

fn parameters(native: &Native<'_>, function: &Function) -> Vec<Parameter> {
    let all = function.parameters.iter().enumerate();
    let one = |(n, parameter): (usize, &obsidian_front::syntax::Parameter)| {
        let own = pattern_name(&parameter.pattern);
        // One name for two is an error of rustc at the function itself.
        let mut before = function.parameters[..n].iter();
        let is_again = before.any(|other| pattern_name(&other.pattern) == own);
        let is_free = own.is_some_and(|name| !TAKEN.contains(&name) && !is_again);
        let name = match is_free {
            true => super::launch::native_name(&parameter.pattern),
            false => format_ident!("input_{n}"),
        };
        let ty = parameter.ty.as_ref();
        let given = match ty.map(|ty| &ty.ty) {
            Some(Type::Exp(ty)) => host_type(&Shape::Scalar(*ty)),
            Some(ty @ Type::Arr(..)) => {
                let array = array_type(native, ty);
                quote!(&#array)
            }
            _ => quote!(()),
        };
        Parameter {
            name,
            written: ty.map_or_else(|| quote!(()), |ty| taken(native.sources.tokens(ty.snippet))),
            given,
        }
    };
    all.map(one).collect()
}

/// A type without a reference around it, which has been refused.
fn taken(written: TokenStream) -> TokenStream {
    match syn::parse2::<syn::Type>(written.clone()) {
        Ok(syn::Type::Reference(reference)) => {
            let inner = reference.elem;
            quote!(#inner)
        }
        _ => written,
    }
}

/// Names that the module itself uses.
const TAKEN: &[&str] = &[
    "device", "outputs", "program", "run", "run_into", "schedule", "kernels", "build",
];

fn module_of(
    native: &Native<'_>,
    function: &Function,
    statics: &TokenStream,
    program: Option<&TokenStream>,
) -> TokenStream {
    let krate = |inner: &str| native.arguments.path(inner, Span::call_site());
    let [
        program_type,
        schedule_type,
        device_type,
        result_type,
        kernel_type,
    ] = [
        "arrays::ArrayProgram",
        "arrays::Schedule",
        "Device",
        "Result",
        "Kernel",
    ]
    .map(krate);
    let name = native.ident(&function.name, function.site);
    let parameters = parameters(native, function);
    let (names, given): (Vec<_>, Vec<_>) = parameters.iter().map(|p| (&p.name, &p.given)).unzip();
    let (names, written): (Vec<_>, Vec<_>) =
        (names, parameters.iter().map(|p| &p.written).collect());
    let declared = quote!(#(#names: #given,)*);
    // One parameter stands alone, several are a tuple.
    let inputs = match names.as_slice() {
        [one] => quote!(#one),
        several => quote!((#(#several,)*)),
    };
    let result = native.sources.tokens(function.result.snippet);
    let (made, into) = (
        results(native, &function.result.ty, &quote!()),
        results(native, &function.result.ty, &quote!(&mut)),
    );
    let about = format!(
        " The array program `{}`: its kernels, and typed runs.",
        function.name
    );
    let vis = native.visibility(function);
    // Of a program with a mistake nothing is ever run, and its types may be wrong.
    let or_never = |body: TokenStream| match program {
        Some(_) => body,
        None => quote!(::core::unreachable!()),
    };
    let (run, run_into) = (
        or_never(quote!(program().run(device, #inputs))),
        or_never(quote!(program().run_into(device, #inputs, outputs))),
    );
    let (schedule, kernels) = (
        or_never(quote!(program().schedule())),
        or_never(quote!(program().kernels())),
    );
    let program = or_never(quote! {
        static PROGRAM: ::std::sync::LazyLock<#program_type<(#(#written,)*), #result>> =
            ::std::sync::LazyLock::new(|| #program);
        &PROGRAM
    });
    quote! {
        #[doc = #about]
        #[allow(warnings, unused, clippy::all)]
        #vis mod #name {
            use super::*;
            #statics
            /// The program as a value.
            pub fn program() -> &'static #program_type<(#(#written,)*), #result> {
                #program
            }
            /// Runs the program.
            ///
            /// # Errors
            /// Extents that do not fit, and what the launches report.
            pub fn run(device: &#device_type, #declared) -> #result_type<#made> {
                #run
            }
            /// Runs the program into existing arrays, which have the extents of the results.
            ///
            /// # Errors
            /// As `run`, and arrays of other extents.
            pub fn run_into(device: &#device_type, #declared outputs: #into) -> #result_type<()> {
                #run_into
            }
            /// What a run launches, in which order.
            pub fn schedule() -> &'static #schedule_type { #schedule }
            /// The kernels of the schedule, by number.
            pub fn kernels() -> &'static [#kernel_type] { #kernels }
        }
    }
}

/// The native build of one kernel of the program, for a number of threads.
pub(super) fn build(native: &Native<'_>, function: &Function) -> TokenStream {
    let rt = native.arguments.path("generated", Span::call_site());
    let callee = native.ident(&function.name, function.site);
    let name = Literal::string(function.name.trim_start_matches("r#"));
    let names = function
        .parameters
        .iter()
        .enumerate()
        .map(|(n, parameter)| {
            let name = pattern_name(&parameter.pattern).map(str::to_owned);
            Literal::string(&name.unwrap_or_else(|| format!("input_{n}")))
        });
    let numbered: Vec<Ident> = (0..function.parameters.len())
        .map(|n| format_ident!("parameter_{n}"))
        .collect();
    let types = parameters(native, function).into_iter().map(|p| p.written);
    let settings = function.arrays.as_ref().map(|arrays| arrays.settings);
    let Settings {
        fuse,
        share,
        horizontal,
        threads: _,
    } = settings.unwrap_or_default();
    // What is made of the results is at the function's name.
    let called = quote_spanned!(callee.span()=> super::#callee(#(#numbered),*));
    quote! {
        fn build(kernel: &::core::primitive::str, threads: ::core::primitive::u32) -> ::core::result::Result<#rt::Plan, #rt::Diagnostics> {
            let settings = #rt::arrays::Settings { fuse: #fuse, share: #share, horizontal: #horizontal, threads: ::core::option::Option::Some(threads) };
            #rt::arrays::plan(#name, &[#(#names),*], settings, kernel, &|signature: &mut #rt::arrays::Signature| {
                #(let #numbered: #types = #rt::arrays::declare(signature);)*
                #rt::arrays::declared(#called)
            })
        }
    }
}

/// `Array<Ix1, f32>`, of an array of a program.
fn array_type(native: &Native<'_>, ty: &Type) -> TokenStream {
    let Type::Arr(rank, element) = ty else {
        return quote!(());
    };
    let array = native.arguments.path("arrays::Array", Span::call_site());
    let shape = native
        .arguments
        .path(&format!("arrays::Ix{rank}"), Span::call_site());
    match Shape::of(element) {
        Some(element) => {
            let element = host_type(&element);
            quote!(#array<#shape, #element>)
        }
        None => quote!(()),
    }
}

/// The type of arrays for the results, each behind `borrowed`.
pub(super) fn results(native: &Native<'_>, ty: &Type, borrowed: &TokenStream) -> TokenStream {
    match ty {
        Type::Tuple(list) => {
            let list = list.iter().map(|ty| results(native, ty, borrowed));
            quote!((#(#list,)*))
        }
        ty => {
            let array = array_type(native, ty);
            quote!(#borrowed #array)
        }
    }
}

/// The type of an element as the host has it.
fn host_type(shape: &Shape) -> TokenStream {
    buffers_of(shape, &|ty: ScalarType| {
        let name = Ident::new(ty.name(), Span::call_site());
        quote!(::core::primitive::#name)
    })
}

/// Prints a schedule as an expression.
struct Printer<'a> {
    native: &'a Native<'a>,
    rt: &'a TokenStream,
}

impl Printer<'_> {
    fn schedule(&self, schedule: &Schedule) -> TokenStream {
        let rt = self.rt;
        let name = text(&schedule.name);
        let parameters = schedule.parameters.iter().map(|given| self.given(given));
        let claims = schedule.claims.iter().map(|claim| self.claim(claim));
        let kernels = schedule
            .kernels
            .iter()
            .map(|Launched { name, is_partial }| {
                let name = text(name);
                quote!(#rt::arrays::Launched { name: #name, is_partial: #is_partial })
            });
        let steps = self.steps(&schedule.steps);
        let results = schedule.results.iter().map(|result| self.result(result));
        let slots = schedule.slots.iter().map(|Slot { ty, length }| {
            let (ty, length) = (self.ty(*ty), self.formula(length));
            quote!(#rt::arrays::Slot { ty: #ty, length: #length })
        });
        let literals = schedule.literals.iter().map(|LiteralArray { slot, bits }| {
            let slot = Literal::usize_unsuffixed(*slot);
            let bits = bits.iter().map(|bits| Literal::u64_unsuffixed(*bits));
            quote!(#rt::arrays::LiteralArray { slot: #slot, bits: ::std::vec![#(#bits),*] })
        });
        quote! {
            #rt::arrays::Schedule {
                name: #name,
                parameters: ::std::vec![#(#parameters),*],
                claims: ::std::vec![#(#claims),*],
                kernels: ::std::vec![#(#kernels),*],
                steps: #steps,
                results: ::std::vec![#(#results),*],
                literals: ::std::vec![#(#literals),*],
                slots: ::std::vec![#(#slots),*],
            }
        }
    }

    fn given(&self, given: &Given) -> TokenStream {
        let rt = self.rt;
        match given {
            Given::Array { name, rank, types } => {
                let (name, rank) = (text(name), Literal::usize_unsuffixed(*rank));
                let types = types.iter().map(|ty| self.ty(*ty));
                quote!(#rt::arrays::Given::Array { name: #name, rank: #rank, types: ::std::vec![#(#types),*] })
            }
            Given::Scalar { name, ty } => {
                let (name, ty) = (text(name), self.ty(*ty));
                quote!(#rt::arrays::Given::Scalar { name: #name, ty: #ty })
            }
        }
    }

    fn claim(&self, claim: &Claimed) -> TokenStream {
        let rt = self.rt;
        let Claimed {
            left,
            right,
            at_least,
            what,
            places,
        } = claim;
        let (left, right, what) = (self.formula(left), self.formula(right), text(what));
        let places = places.iter().map(|place| match place {
            Where::Line(line) => {
                let line = text(line);
                quote!(#rt::arrays::Where::Line(#line))
            }
            Where::Site(site) => {
                let span = self.native.span(*site);
                let line =
                    quote_spanned!(span=> ::core::concat!(::core::file!(), ":", ::core::line!()));
                quote!(#rt::arrays::Where::Line(::std::string::ToString::to_string(#line)))
            }
        });
        quote! {
            #rt::arrays::Claimed { left: #left, right: #right, at_least: #at_least, what: #what, places: ::std::vec![#(#places),*] }
        }
    }

    fn steps(&self, steps: &[Step]) -> TokenStream {
        let steps = steps.iter().map(|step| self.step(step));
        quote!(::std::vec![#(#steps),*])
    }

    /// Numbers, and what they become.
    fn changed(&self, numbers: &[(usize, Formula)]) -> TokenStream {
        let numbers = numbers.iter().map(|(number, value)| {
            let (number, value) = (Literal::usize_unsuffixed(*number), self.formula(value));
            quote!((#number, #value))
        });
        quote!(::std::vec![#(#numbers),*])
    }

    fn step(&self, step: &Step) -> TokenStream {
        let rt = self.rt;
        match step {
            Step::Free(slot) => {
                let slot = Literal::usize_unsuffixed(*slot);
                quote!(#rt::arrays::Step::Free(#slot))
            }
            Step::Read { slot, number } => {
                let [slot, number] = [*slot, *number].map(Literal::usize_unsuffixed);
                quote!(#rt::arrays::Step::Read { slot: #slot, number: #number })
            }
            Step::Cut { slot, length } => {
                let (slot, length) = (Literal::usize_unsuffixed(*slot), self.formula(length));
                quote!(#rt::arrays::Step::Cut { slot: #slot, length: #length })
            }
            Step::Carry { numbers } => {
                let numbers = self.changed(numbers);
                quote!(#rt::arrays::Step::Carry { numbers: #numbers })
            }
            Step::Set { numbers } => {
                let numbers = self.changed(numbers);
                quote!(#rt::arrays::Step::Set { numbers: #numbers })
            }
            Step::Keep { from, to } => {
                let (from, to) = (numbers(from), numbers(to));
                quote!(#rt::arrays::Step::Keep { from: #from, to: #to })
            }
            Step::Repeat { times, steps } => {
                let (times, steps) = (self.formula(times), self.steps(steps));
                quote!(#rt::arrays::Step::Repeat { times: #times, steps: #steps })
            }
            Step::While {
                before,
                condition,
                steps,
            } => {
                let condition = Literal::usize_unsuffixed(*condition);
                let (before, steps) = (self.steps(before), self.steps(steps));
                quote!(#rt::arrays::Step::While { before: #before, condition: #condition, steps: #steps })
            }
            Step::If {
                condition,
                then,
                otherwise,
            } => {
                let condition = Literal::usize_unsuffixed(*condition);
                let (then, otherwise) = (self.steps(then), self.steps(otherwise));
                quote!(#rt::arrays::Step::If { condition: #condition, then: #then, otherwise: #otherwise })
            }
            Step::Launch {
                kernel,
                arguments,
                outputs,
                only,
                operators,
                why,
            } => {
                let kernel = Literal::usize_unsuffixed(*kernel);
                let arguments = arguments.iter().map(|argument| match argument {
                    Argument::Slot(slot) => {
                        let slot = Literal::usize_unsuffixed(*slot);
                        quote!(#rt::arrays::Argument::Slot(#slot))
                    }
                    Argument::Changed(slot) => {
                        let slot = Literal::usize_unsuffixed(*slot);
                        quote!(#rt::arrays::Argument::Changed(#slot))
                    }
                    Argument::Number(number) => {
                        let number = Literal::usize_unsuffixed(*number);
                        quote!(#rt::arrays::Argument::Number(#number))
                    }
                    Argument::Own(slot) => {
                        let slot = Literal::usize_unsuffixed(*slot);
                        quote!(#rt::arrays::Argument::Own(#slot))
                    }
                    Argument::Literal(literal) => {
                        let literal = Literal::u32_unsuffixed(*literal);
                        quote!(#rt::arrays::Argument::Literal(#literal))
                    }
                });
                let outputs = numbers(outputs);
                let only = match only {
                    None => quote!(::core::option::Option::None),
                    Some(Only {
                        length,
                        above,
                        at_most,
                    }) => {
                        let length = self.formula(length);
                        let [above, at_most] = [above, at_most].map(|bound| match bound {
                            Some(bound) => {
                                let bound = Literal::u32_unsuffixed(*bound);
                                quote!(::core::option::Option::Some(#bound))
                            }
                            None => quote!(::core::option::Option::None),
                        });
                        quote!(::core::option::Option::Some(#rt::arrays::Only { length: #length, above: #above, at_most: #at_most }))
                    }
                };
                let (operators, why) = (
                    operators.iter().map(|o| text(o)),
                    why.iter().map(|w| text(w)),
                );
                quote! {
                    #rt::arrays::Step::Launch {
                        kernel: #kernel,
                        arguments: ::std::vec![#(#arguments),*],
                        outputs: #outputs,
                        only: #only,
                        operators: ::std::vec![#(#operators),*],
                        why: ::std::vec![#(#why),*],
                    }
                }
            }
        }
    }

    fn result(&self, result: &Produced) -> TokenStream {
        let rt = self.rt;
        let slots = numbers(&result.slots);
        let extents = result.extents.iter().map(|extent| self.formula(extent));
        let types = result.types.iter().map(|ty| self.ty(*ty));
        quote! {
            #rt::arrays::Produced { slots: #slots, extents: ::std::vec![#(#extents),*], types: ::std::vec![#(#types),*] }
        }
    }

    fn formula(&self, formula: &Formula) -> TokenStream {
        let path = self.rt.to_string().replace(' ', "");
        tokens_of(&emit::formula(formula, &path))
    }

    fn ty(&self, ty: ScalarType) -> TokenStream {
        let (rt, name) = (self.rt, format_ident!("{ty:?}"));
        quote!(#rt::ScalarType::#name)
    }
}

fn numbers(list: &[usize]) -> TokenStream {
    let list = list.iter().map(|n| Literal::usize_unsuffixed(*n));
    quote!(::std::vec![#(#list),*])
}

fn text(text: &str) -> TokenStream {
    let text = Literal::string(text);
    quote!(::std::string::ToString::to_string(#text))
}
