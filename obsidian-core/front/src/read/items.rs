//! Items: functions, constants and structs of numbers; nothing else belongs into a kernel module.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::{FnArg, GenericParam, Item, ItemConst, ItemFn, ReturnType, Visibility};

use super::scope::Frame;
use super::sources::as_written;
use super::{Reader, name_of};
use crate::elements;
use crate::error::catalogue;
use crate::infer::{Bounded, Scheme};
use crate::ordered::Set;
use crate::syntax::{
    Block, Constant, Function, Generic, Module, Name, Parameter, Site, Snippet, Type, TypeUse,
};

/// What to write instead of `unsafe`.
pub(super) const UNSAFE: &str = "nothing in the language needs it: write the expression without it";

fn pair(keyword: &impl ToTokens, name: &impl ToTokens) -> TokenStream {
    quote!(#keyword #name)
}

impl Reader {
    /// Reads the items of a unit.
    ///
    /// An item that is refused has a name, and what functions that name it say would only repeat that: of those, nothing is reported.
    pub(super) fn items(&mut self, items: &[Item], module: &mut Module) {
        let refused: Set<String> = items.iter().filter_map(refused_name).collect();
        for item in items {
            let before = self.mistakes.len();
            self.item(item, items, module);
            let constant = match item {
                Item::Fn(item) => item.sig.generics.const_params().next(),
                _ => None,
            };
            if let Some(constant) = constant {
                self.mistakes.truncate(before);
                let what = "a const parameter is";
                let instead = "make it a parameter of the host, `n: u32`, which is known while the kernel is built";
                self.refuse(constant, catalogue::unsupported_instead(what, instead));
            } else if matches!(item, Item::Fn(_)) && names_any(item.to_token_stream(), &refused) {
                self.mistakes.truncate(before);
            }
        }
    }

    fn item(&mut self, item: &Item, items: &[Item], module: &mut Module) {
        match item {
            Item::Fn(function) if super::device::is_device(function) => {
                self.device_items(function, module);
            }
            Item::Fn(function) => module.functions.push(self.function(function)),
            Item::Const(constant) if self.is_struct_constant(constant) => {}
            Item::Const(constant) => module.constants.push(self.constant(constant)),
            Item::Struct(item) => {
                if self.has_own_name(&item.ident, items)
                    && let Some(name) = self.struct_item(item)
                    && self.module.0.is_empty()
                {
                    self.readable.insert(name);
                }
            }
            other => self.refuse_item(other),
        }
    }

    /// Refuses an item at its keyword and name.
    fn refuse_item(&mut self, item: &Item) {
        let (head, what, instead) = match item {
            Item::Mod(i) => (
                pair(&i.mod_token, &i.ident),
                "a module in a module is",
                "put its functions into the kernel module itself",
            ),
            Item::Enum(i) => (
                pair(&i.enum_token, &i.ident),
                "an enum is",
                "use integers, booleans or `Option`",
            ),
            Item::Union(i) => (
                pair(&i.union_token, &i.ident),
                "a union is",
                "use a struct with `#[derive(Clone, Copy, Element)]`",
            ),
            Item::Trait(i) => (
                pair(&i.trait_token, &i.ident),
                "a trait is",
                "pass functions as parameters, for example `f: impl Combine<T>`",
            ),
            Item::Impl(i) => (
                pair(&i.impl_token, &i.self_ty),
                "an impl is",
                "write plain functions; what only the host calls goes outside of the module",
            ),
            Item::Type(i) => (
                pair(&i.type_token, &i.ident),
                "a type alias is",
                "write the type itself",
            ),
            Item::Static(i) => (
                pair(&i.static_token, &i.ident),
                "a static is",
                "use `const`",
            ),
            Item::Macro(i) => (
                i.mac.path.to_token_stream(),
                "this macro is",
                "write out what it stands for",
            ),
            other => {
                let diagnostic = catalogue::unsupported("this item is");
                return self.refuse(other, diagnostic);
            }
        };
        self.refuse(&head, catalogue::unsupported_instead(what, instead));
    }

    /// A module beside a function has the function's name, so that no struct can have it.
    fn has_own_name(&mut self, name: &syn::Ident, items: &[Item]) -> bool {
        let taken = items.iter().any(|item| match item {
            Item::Fn(item) => item.sig.ident == *name,
            Item::Const(item) => item.ident == *name,
            _ => false,
        });
        if taken {
            let what = format!("a struct with the name of another item, `{name}`, is");
            let diagnostic = catalogue::unsupported_instead(&what, "choose another name");
            self.refuse(name, diagnostic);
        }
        !taken
    }

    /// Refuses a constant that is a struct.
    fn is_struct_constant(&mut self, item: &ItemConst) -> bool {
        let is_struct = match &*item.ty {
            syn::Type::Path(path) => path
                .path
                .get_ident()
                .is_some_and(|name| self.structs.contains_key(&name.to_string())),
            _ => false,
        };
        if is_struct {
            let name = &item.ident;
            let instead = format!(
                "write a function that gives it: `#[device] fn {}() -> ..`",
                name.to_string().to_lowercase()
            );
            let what = "a constant that is a struct is";
            self.refuse(&item.ty, catalogue::unsupported_instead(what, &instead));
        }
        is_struct
    }

    pub(super) fn constant(&mut self, item: &ItemConst) -> Constant {
        if item.ident == "SOURCE" {
            self.refuse(
                &item.ident,
                catalogue::unsupported_instead(
                    "the name `SOURCE` is",
                    "it is that of the module's tokens: choose another",
                ),
            );
        }
        self.frames.push(Frame::new());
        let value = self.expr(&item.expr);
        self.frames.pop();
        Constant {
            name: name_of(&item.ident),
            site: self.site(&item.ident),
            ty: self.type_use(&item.ty),
            value,
            head: self.head(&item.attrs, &item.vis),
        }
    }

    /// Attributes and visibility; `cfg` is refused.
    pub(super) fn head(&mut self, attributes: &[syn::Attribute], vis: &Visibility) -> Snippet {
        let mut kept = Vec::new();
        for attribute in attributes {
            if attribute.path().is_ident("cfg") || attribute.path().is_ident("cfg_attr") {
                self.refuse(attribute, catalogue::configured());
            } else if !crate::OWN_ATTRIBUTES
                .iter()
                .any(|own| attribute.path().is_ident(own))
            {
                kept.push(attribute);
            }
        }
        self.sources.snippet(quote!(#(#kept)* #vis))
    }

    fn function(&mut self, item: &ItemFn) -> Function {
        let first = self.sources.sites();
        self.check_signature(item);
        self.generics = item
            .sig
            .generics
            .type_params()
            .map(|p| name_of(&p.ident))
            .collect();
        self.is_whole = names_arrays(item.sig.to_token_stream());
        self.frames.push(Frame::new());
        let parameters: Vec<Parameter> = item
            .sig
            .inputs
            .iter()
            .filter_map(|input| self.parameter(input))
            .collect();
        self.unbounded = super::unbounded::parameters(&item.sig.generics, &parameters);
        let body: Block = self.block(&item.block);
        self.unbounded.clear();
        let frame = self.frames.pop().unwrap_or_default();
        if frame.delayed {
            self.refuse_references(item);
        }
        let kernel = self.kernel_attribute(item, &parameters);
        let arrays = self.arrays_attribute(item);
        let mut function = Function {
            name: name_of(&item.sig.ident),
            form: form(&item.sig),
            site: self.site(&item.sig.ident),
            head: self.head(&item.attrs, &item.vis),
            vis: self.sources.snippet(&item.vis),
            generics: self.read_generics(item),
            bounds: item
                .sig
                .generics
                .where_clause
                .as_ref()
                .map(|w| self.sources.snippet(w)),
            parameters,
            result: self.result(item),
            body,
            delayed: frame.delayed,
            slots: frame.slots(),
            kernel,
            arrays,
            is_whole: std::mem::take(&mut self.is_whole),
            sites: (first, first),
            module: self.module.0.clone(),
            is_foreign: self.module.1,
            device: None,
            range_of: None,
        };
        function.sites.1 = self.sources.sites();
        self.generics.clear();
        function
    }

    fn parameter(&mut self, input: &FnArg) -> Option<Parameter> {
        let FnArg::Typed(typed) = input else {
            self.refuse(input, catalogue::unsupported("`self` is"));
            return None;
        };
        let ty = Some(self.type_use(&typed.ty));
        Some(Parameter {
            pattern: self.pattern(&typed.pat),
            ty,
        })
    }

    fn result(&mut self, item: &ItemFn) -> TypeUse {
        match &item.sig.output {
            ReturnType::Type(_, ty) => self.type_use(ty),
            ReturnType::Default => {
                let site = self.site(&item.sig.ident);
                TypeUse {
                    ty: Type::Unit,
                    scheme: Box::new(Scheme::UNIT),
                    snippet: self.sources.snippet(quote!(())),
                    site,
                }
            }
        }
    }

    fn read_generics(&mut self, item: &ItemFn) -> Vec<Generic> {
        let mut list = Vec::new();
        for parameter in &item.sig.generics.params {
            match parameter {
                GenericParam::Type(ty) => {
                    let bounds = (!ty.bounds.is_empty())
                        .then(|| self.sources.snippet(ty.bounds.to_token_stream()));
                    list.push(Generic {
                        name: name_of(&ty.ident),
                        site: self.site(&ty.ident),
                        bounds,
                        bound: self.bound(item, ty),
                    });
                }
                GenericParam::Lifetime(lifetime) => self.refuse(
                    lifetime,
                    catalogue::unsupported_instead(
                        "a lifetime is",
                        "leave it out: take and give the values themselves, whose copies cost nothing when the kernel runs",
                    ),
                ),
                // It is refused for the function.
                GenericParam::Const(_) => {}
            }
        }
        list
    }

    /// What is known of a type parameter by its bounds.
    fn bound(&self, item: &ItemFn, parameter: &syn::TypeParam) -> Bounded {
        let generic = |name: &str| self.generic(name);
        let mut bound = Bounded::of(&parameter.bounds, &generic);
        let clauses = item.sig.generics.where_clause.iter();
        for predicate in clauses.flat_map(|clause| &clause.predicates) {
            if let syn::WherePredicate::Type(predicate) = predicate
                && let syn::Type::Path(path) = &predicate.bounded_ty
                && path.path.is_ident(&parameter.ident)
            {
                predicate
                    .bounds
                    .iter()
                    .for_each(|one| bound.add(one, &generic));
            }
        }
        bound
    }

    fn check_signature(&mut self, item: &ItemFn) {
        let sig = &item.sig;
        if let Some(token) = &sig.asyncness {
            self.refuse(
                token,
                catalogue::unsupported_instead(
                    "`async` is",
                    "write a plain `fn`: a launch waits for its kernel",
                ),
            );
        }
        if let Some(token) = &sig.constness {
            self.refuse(
                token,
                catalogue::unsupported_instead(
                    "`const fn` is",
                    "write a plain `fn`: it runs while the kernel is built",
                ),
            );
        }
        if let syn::Safety::Unsafe(token) = &sig.safety {
            self.refuse(token, catalogue::unsupported_instead("`unsafe` is", UNSAFE));
        }
        if let Some(abi) = &sig.abi {
            self.refuse(abi, catalogue::unsupported("`extern` is"));
        }
    }

    fn refuse_references(&mut self, item: &ItemFn) {
        for input in &item.sig.inputs {
            if let FnArg::Typed(typed) = input
                && let syn::Type::Reference(reference) = &*typed.ty
            {
                let what = "a reference as the parameter of a function with `?` is";
                let instead = "the function may run later: take the value itself, whose copies cost nothing when the kernel runs";
                self.refuse(reference, catalogue::unsupported_instead(what, instead));
            }
        }
    }

    /// The site of a block's last token, for what is missing there.
    pub(super) fn end_of(&mut self, block: &syn::Block) -> Site {
        let span = block.brace_token.span.close();
        self.site(&span.span())
    }
}

/// The name of an item that a kernel module cannot have.
fn refused_name(item: &Item) -> Option<String> {
    let name = match item {
        Item::Mod(i) => &i.ident,
        Item::Enum(i) => &i.ident,
        Item::Union(i) => &i.ident,
        Item::Trait(i) => &i.ident,
        Item::Type(i) => &i.ident,
        Item::Static(i) => &i.ident,
        Item::Macro(i) => i.ident.as_ref()?,
        Item::Struct(i) if !elements::is_element(i) => &i.ident,
        Item::Fn(i) if i.sig.generics.const_params().next().is_some() => &i.sig.ident,
        _ => return None,
    };
    Some(name.to_string())
}

/// Do the tokens have one of these names?
fn names_any(tokens: TokenStream, names: &Set<String>) -> bool {
    !names.is_empty()
        && tokens.into_iter().any(|token| match token {
            TokenTree::Ident(ident) => names.contains(&ident.to_string()),
            TokenTree::Group(group) => names_any(group.stream(), names),
            _ => false,
        })
}

/// A signature as one would write it, for messages.
pub(super) fn form(sig: &syn::Signature) -> Name {
    let (inputs, output) = (as_written(sig.inputs.to_token_stream()), &sig.output);
    let output = match output {
        ReturnType::Type(_, ty) => format!(" -> {}", as_written(ty.to_token_stream())),
        ReturnType::Default => String::new(),
    };
    format!("fn {}({inputs}){output}", sig.ident).into()
}

/// Does a signature name arrays of array programs?
fn names_arrays(signature: TokenStream) -> bool {
    signature.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ["Arr", "Arr0", "Arr1", "Arr2", "Arr3"]
            .iter()
            .any(|name| ident == name),
        TokenTree::Group(group) => names_arrays(group.stream()),
        _ => false,
    })
}
