//! Items: functions and constants; nothing else belongs into a kernel module.

use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::{FnArg, GenericParam, Item, ItemConst, ItemFn, ReturnType, Visibility};

use super::scope::Frame;
use super::{Reader, name_of};
use crate::front::catalogue;
use crate::front::syntax::{Block, Constant, Function, Generic, KernelAttribute, Module, Parameter, Site, Snippet, Type, TypeUse};

impl Reader {
    /// Notes the names of all items, so that they can be used before they are read.
    pub(super) fn declare(&mut self, items: &[Item]) {
        let (mut functions, mut constants) = (0, 0);
        for item in items {
            match item {
                Item::Fn(function) => {
                    self.functions.insert(function.sig.ident.to_string(), functions);
                    functions += 1;
                }
                Item::Const(constant) => {
                    self.constants.insert(constant.ident.to_string(), constants);
                    constants += 1;
                }
                _ => {}
            }
        }
    }

    pub(super) fn items(&mut self, items: &[Item]) -> Module {
        let mut module = Module::default();
        for item in items {
            match item {
                Item::Fn(function) => module.functions.push(self.function(function)),
                Item::Const(constant) => module.constants.push(self.constant(constant)),
                Item::Mod(inner) => self.refuse(inner, catalogue::unsupported("a module inside of a kernel module is")),
                Item::Use(item) => self.refuse(item, catalogue::unsupported("`use` is")),
                Item::Struct(item) => self.refuse(item, catalogue::unsupported("a struct is")),
                Item::Enum(item) => self.refuse(item, catalogue::unsupported("an enum is")),
                Item::Trait(item) => self.refuse(item, catalogue::unsupported("a trait is")),
                Item::Impl(item) => self.refuse(item, catalogue::unsupported("an impl is")),
                other => self.refuse(other, catalogue::unsupported("this item is")),
            }
        }
        module
    }

    fn constant(&mut self, item: &ItemConst) -> Constant {
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
    fn head(&mut self, attributes: &[syn::Attribute], vis: &Visibility) -> Snippet {
        let mut kept = Vec::new();
        for attribute in attributes {
            if attribute.path().is_ident("cfg") || attribute.path().is_ident("cfg_attr") {
                let what = "`cfg` inside of a kernel module, which cannot see the configuration, is";
                self.refuse(attribute, catalogue::unsupported(what));
            } else if !attribute.path().is_ident("kernel") {
                kept.push(attribute);
            }
        }
        self.sources.snippet(quote!(#(#kept)* #vis))
    }

    fn function(&mut self, item: &ItemFn) -> Function {
        self.check_signature(item);
        self.generics = item.sig.generics.type_params().map(|p| name_of(&p.ident)).collect();
        self.frames.push(Frame::new());
        let parameters: Vec<Parameter> = item.sig.inputs.iter().filter_map(|input| self.parameter(input)).collect();
        let body: Block = self.block(&item.block);
        let frame = self.frames.pop().unwrap_or_default();
        if frame.delayed {
            self.refuse_references(item);
        }
        let function = Function {
            name: name_of(&item.sig.ident),
            site: self.site(&item.sig.ident),
            head: self.head(&item.attrs, &item.vis),
            vis: self.sources.snippet(&item.vis),
            generics: self.read_generics(item),
            bounds: item.sig.generics.where_clause.as_ref().map(|w| self.sources.snippet(w)),
            parameters,
            result: self.result(item),
            body,
            delayed: frame.delayed,
            slots: frame.slots(),
            kernel: self.kernel_attribute(item),
        };
        self.generics.clear();
        function
    }

    fn parameter(&mut self, input: &FnArg) -> Option<Parameter> {
        let FnArg::Typed(typed) = input else {
            self.refuse(input, catalogue::unsupported("`self` is"));
            return None;
        };
        let ty = Some(self.type_use(&typed.ty));
        Some(Parameter { pattern: self.pattern(&typed.pat), ty })
    }

    fn result(&mut self, item: &ItemFn) -> TypeUse {
        match &item.sig.output {
            ReturnType::Type(_, ty) => self.type_use(ty),
            ReturnType::Default => {
                let site = self.site(&item.sig.ident);
                TypeUse { ty: Type::Unit, snippet: self.sources.snippet(quote!(())), site }
            }
        }
    }

    fn read_generics(&mut self, item: &ItemFn) -> Vec<Generic> {
        let mut list = Vec::new();
        for parameter in &item.sig.generics.params {
            match parameter {
                GenericParam::Type(ty) => {
                    let bounds = (!ty.bounds.is_empty()).then(|| self.sources.snippet(ty.bounds.to_token_stream()));
                    list.push(Generic { name: name_of(&ty.ident), site: self.site(&ty.ident), bounds });
                }
                other => self.refuse(other, catalogue::unsupported("a lifetime or const parameter is")),
            }
        }
        list
    }

    fn check_signature(&mut self, item: &ItemFn) {
        let sig = &item.sig;
        if let Some(token) = &sig.asyncness {
            self.refuse(token, catalogue::unsupported("`async` is"));
        }
        if let Some(token) = &sig.constness {
            self.refuse(token, catalogue::unsupported("`const fn` is"));
        }
        if let syn::Safety::Unsafe(token) = &sig.safety {
            self.refuse(token, catalogue::unsupported("`unsafe` is"));
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
                let what = "a reference as the parameter of a function with `?`, which may run later, is";
                self.refuse(reference, catalogue::unsupported(what));
            }
        }
    }

    fn kernel_attribute(&mut self, item: &ItemFn) -> Option<KernelAttribute> {
        let attribute = item.attrs.iter().find(|a| a.path().is_ident("kernel"))?;
        let site = self.site(attribute);
        let mut settings = KernelAttribute { threads: 256, site };
        if matches!(attribute.meta, syn::Meta::Path(_)) {
            return Some(settings);
        }
        let parsed = attribute.parse_nested_meta(|meta| {
            if !meta.path.is_ident("threads") {
                return Err(meta.error("unknown option of `#[kernel]`"));
            }
            let value: syn::LitInt = meta.value()?.parse()?;
            (settings.threads, settings.site) = (value.base10_parse::<u32>().unwrap_or(u32::MAX), self.sources.site(&value));
            Ok(())
        });
        if let Err(error) = parsed {
            let site = self.sources.site(&error.span());
            self.report(site, catalogue::bad_attribute(error.to_string()));
        } else if !(1..=1024).contains(&settings.threads) {
            self.report(settings.site, crate::error::catalogue::bad_threads(settings.threads.into()));
        }
        Some(settings)
    }

    /// The site of a block's last token, for what is missing there.
    pub(super) fn end_of(&mut self, block: &syn::Block) -> Site {
        let span = block.brace_token.span.close();
        self.site(&span.span())
    }
}
