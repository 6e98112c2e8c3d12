//! Names, calls, methods, macros and control flow.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::{Expr as S, GenericArgument, PathArguments, Token};

use super::{Reader, name_of};
use crate::error::catalogue;
use crate::evaluate::{
    functions, functions_of_arrays, is_function, methods_of_values, programs_of,
};
use crate::hash::brackets;
use crate::link::Standard;
use crate::scalar::UnaryOp;
use crate::syntax::{Block, Callee, Expr, ExprKind, HostType, Label, Lit, Name, TypeUse};
use crate::{names, visit};

impl Reader {
    pub(super) fn path(&mut self, path: &syn::ExprPath) -> ExprKind {
        let segments: Vec<String> = path
            .path
            .segments
            .iter()
            .map(|s| s.ident.to_string())
            .collect();
        let types = self.turbofish(path.path.segments.last().map(|s| &s.arguments));
        if path.qself.is_some() {
            return self.no(path, "a qualified path is");
        }
        let text = segments.join("::");
        let segments = self.standard_path(segments);
        match segments.as_slice() {
            [name] => self.single_name(path, name, types),
            [ty, name] if HostType::from_name(ty).is_some() && is_constant(name) => {
                match HostType::from_name(ty) {
                    Some(host) => ExprKind::HostConstant(host, text.into()),
                    None => self.unknown(path, &text),
                }
            }
            [.., ty, consts, _] if consts == "consts" && matches!(ty.as_str(), "f32" | "f64") => {
                match HostType::from_name(ty) {
                    Some(host) => ExprKind::HostConstant(host, segments.join("::").into()),
                    None => self.unknown(path, &text),
                }
            }
            _ if is_function(&text) => {
                ExprKind::Path(Callee::Library(text.as_str().into()), text.into(), types)
            }
            _ if names::HOST_FUNCTIONS.contains(&text.as_str()) => {
                let written = path.to_token_stream().to_string();
                ExprKind::Path(Callee::Host(text.into()), written.into(), types)
            }
            _ => self.unknown(path, &text),
        }
    }

    /// A path in which a name that `use` has brought in stands for what it means.
    pub(super) fn standard_path(&mut self, path: Vec<String>) -> Vec<String> {
        let split = |path: &str| path.split("::").map(str::to_owned).collect();
        match path.as_slice() {
            [name] if self.is_own(name) => path,
            [name] => match self.standard.get(name) {
                Some(Standard::Constant(_, path)) => split(path),
                _ => path,
            },
            [module, name] => match self.standard.get(module) {
                Some(Standard::Constants(ty)) => {
                    split(&format!("std::{}::consts::{name}", ty.name()))
                }
                _ => path,
            },
            _ => path,
        }
    }

    /// Is it a name of a variable, function or constant?
    fn is_own(&mut self, name: &str) -> bool {
        self.local_value(&name.into()).is_some()
            || self.functions.contains_key(name)
            || self.constants.contains_key(name)
    }

    fn single_name(&mut self, path: &syn::ExprPath, name: &str, types: Vec<TypeUse>) -> ExprKind {
        if let Some(local) = self.local_value(&name.into()) {
            return local;
        }
        if name == "None" {
            return ExprKind::None;
        }
        if let Some(n) = self.functions.get(name) {
            return ExprKind::Path(Callee::Function(*n), name.into(), types);
        }
        if let Some(n) = self.constants.get(name) {
            return ExprKind::Constant(*n, name.into());
        }
        if self.is_whole && functions_of_arrays().any(|known| known == name) {
            return ExprKind::Path(Callee::Arrays(name.into()), name.into(), types);
        }
        if is_function(name) {
            return ExprKind::Path(Callee::Library(name.into()), name.into(), types);
        }
        if names::HOST_FUNCTIONS.contains(&name) {
            return ExprKind::Path(Callee::Host(name.into()), name.into(), types);
        }
        let site = self.site_of(path);
        let known = self.known();
        let known: Vec<&str> = known.iter().map(|n| &**n).collect();
        self.report(site, catalogue::unknown_name(name, &known));
        ExprKind::Tuple(Vec::new())
    }

    fn unknown(&mut self, path: &impl ToTokens, text: &str) -> ExprKind {
        let site = self.site_of(path);
        let known = self.known();
        let known: Vec<&str> = known.iter().map(|n| &**n).collect();
        let last = text.rsplit("::").next().unwrap_or(text);
        let mut methods = methods_of_values().chain(UnaryOp::ALL.iter().map(|op| op.name()));
        let method = methods.find(|method| *method == last);
        self.report(site, catalogue::host_function(text, &known, method));
        ExprKind::Tuple(Vec::new())
    }

    /// The names that are in scope, for suggestions.
    fn known(&self) -> Vec<Name> {
        let items = self
            .functions
            .keys()
            .chain(self.constants.keys())
            .map(|n| n.as_str().into());
        let arrays = functions_of_arrays().filter(|_| self.is_whole);
        let library = functions().chain(arrays).map(Into::into);
        self.frames
            .iter()
            .flat_map(super::scope::Frame::names)
            .chain(items)
            .chain(library)
            .collect()
    }

    fn turbofish(&mut self, arguments: Option<&PathArguments>) -> Vec<TypeUse> {
        match arguments {
            Some(PathArguments::AngleBracketed(list)) => self.generic_arguments(list),
            _ => Vec::new(),
        }
    }

    fn generic_arguments(&mut self, list: &syn::AngleBracketedGenericArguments) -> Vec<TypeUse> {
        let mut types = Vec::new();
        for argument in &list.args {
            match argument {
                GenericArgument::Type(ty) => types.push(self.type_use(ty)),
                other => self.refuse(other, catalogue::unsupported("this generic argument is")),
            }
        }
        types
    }

    pub(super) fn call(&mut self, call: &syn::ExprCall) -> ExprKind {
        if let S::Path(path) = &*call.func
            && let Some(name) = path.path.get_ident().map(ToString::to_string)
            && !self.is_known(&name)
        {
            self.list(&call.args);
            return self.unknown(&call.func, &name);
        }
        let callee = self.boxed(&call.func);
        let arguments = self.list(&call.args);
        self.check_stored(&callee, &arguments);
        if let ExprKind::Path(Callee::Library(name), ..) = &callee.kind {
            self.runs_once(&name.clone(), &arguments);
        }
        ExprKind::Call(callee, arguments)
    }

    /// Reports `?` in an argument that is a program which is run in each round of a loop, or maybe not
    /// at all: what `?` runs is run once, in front of the call.
    fn runs_once(&mut self, name: &str, arguments: &[Expr]) {
        if !matches!(name, "seq_while" | "cond") {
            return;
        }
        let programs = programs_of(name);
        for argument in programs.into_iter().filter_map(|n| arguments.get(n)) {
            let mut first = None;
            visit::in_expr(argument, &mut |expr| {
                if let ExprKind::Try(..) = expr.kind {
                    first = first.or(Some(expr.site));
                }
            });
            if let Some(site) = first {
                self.report(site, catalogue::runs_once(name));
            }
        }
    }

    fn is_known(&mut self, name: &str) -> bool {
        self.local_value(&name.into()).is_some()
            || self.functions.contains_key(name)
            || is_function(name)
            || self.is_whole && functions_of_arrays().any(|known| known == name)
            || names::HOST_FUNCTIONS.contains(&name)
    }

    pub(super) fn method(&mut self, call: &syn::ExprMethodCall) -> ExprKind {
        let receiver = self.boxed(&call.receiver);
        let name = name_of(&call.method);
        let site = self.site(&call.method);
        // An array of an array program is sorted into another one.
        let is_whole = self.is_whole && &*name == "sort";
        if names::is_mutating(&name, call.args.len()) && !is_whole {
            self.check_target(&receiver);
        }
        if matches!(&*name, "into" | "try_into" | "default" | "parse") {
            let what = format!("`{name}` is");
            return self.no_instead(
                &call.method,
                &what,
                "nothing infers the type of its result: cast with `as`, for example `x as f32`",
            );
        }
        let turbofish = call
            .turbofish
            .as_ref()
            .map(|t| self.generic_arguments(t))
            .unwrap_or_default();
        ExprKind::Method {
            receiver,
            name,
            site,
            turbofish,
            arguments: self.list(&call.args),
        }
    }

    pub(super) fn control(&mut self, expr: &S) -> ExprKind {
        match expr {
            S::Block(block) if block.label.is_none() => ExprKind::Block(self.block(&block.block)),
            S::If(branch) => self.branch(branch),
            S::Match(matched) => {
                let value = self.boxed(&matched.expr);
                ExprKind::Match(value, self.arms(&matched.arms))
            }
            S::ForLoop(looped) => {
                let values = self.boxed(&looped.expr);
                self.enter();
                let pattern = self.pattern(&looped.pat);
                let (label, body) = self.loop_body(looped.label.as_ref(), &looped.body);
                self.leave();
                ExprKind::For(pattern, values, body, label)
            }
            S::While(looped) => self.while_loop(looped),
            S::Loop(looped) => {
                let (label, body) = self.loop_body(looped.label.as_ref(), &looped.body);
                ExprKind::Loop(body, label)
            }
            S::Break(leave) if leave.expr.is_none() => {
                ExprKind::Break(self.label_of(leave.label.as_ref()))
            }
            S::Continue(next) => ExprKind::Continue(self.label_of(next.label.as_ref())),
            S::Return(value) => ExprKind::Return(value.expr.as_ref().map(|e| self.boxed(e))),
            S::Async(block) => self.no_instead(
                &block.async_token,
                "`async` is",
                "a launch waits for its kernel",
            ),
            S::Await(wait) => self.no_instead(
                &wait.await_token,
                "`await` is",
                "a launch waits for its kernel",
            ),
            S::Unsafe(block) => {
                self.no_instead(&block.unsafe_token, "`unsafe` is", super::items::UNSAFE)
            }
            S::Struct(value) => self.no_instead(
                &value.path,
                "a struct outside of a `#[device]` function is",
                "use the tuple of its fields, for example `(x, y)`: a `#[device]` function that takes the struct takes it",
            ),
            S::Let(value) => self.no(&value.let_token, "`let` in this place is"),
            S::Break(leave) => {
                self.no_instead(leave, "`break` with a value is", "assign the value before: `x = value; break;`")
            }
            S::Block(block) => self.no_instead(
                &block.label,
                "a label of a block is",
                "make the block a function, and leave it by `return`",
            ),
            other => self.no(other, "this expression is"),
        }
    }

    /// `while let p = x { .. }` is `loop { if let p = x { .. } else { break } }`.
    fn while_loop(&mut self, looped: &syn::ExprWhile) -> ExprKind {
        let S::Let(test) = &*looped.cond else {
            let condition = self.boxed(&looped.cond);
            let (label, body) = self.loop_body(looped.label.as_ref(), &looped.body);
            return ExprKind::While(condition, body, label);
        };
        let site = self.site_of(test);
        let value = self.boxed(&test.expr);
        self.enter();
        let pattern = self.pattern(&test.pat);
        let (label, body) = self.loop_body(looped.label.as_ref(), &looped.body);
        self.leave();
        let leave = Block {
            statements: Vec::new(),
            value: Some(Box::new(Expr {
                site,
                kind: ExprKind::Break(None),
            })),
            site,
        };
        let otherwise = Some(Box::new(Expr {
            site,
            kind: ExprKind::Block(leave),
        }));
        let test = Expr {
            site,
            kind: ExprKind::IfLet(pattern, value, body, otherwise),
        };
        let body = Block {
            statements: Vec::new(),
            value: Some(Box::new(test)),
            site,
        };
        ExprKind::Loop(body, label)
    }

    /// The label and the body of a loop.
    fn loop_body(
        &mut self,
        label: Option<&syn::Label>,
        body: &syn::Block,
    ) -> (Option<Label>, Block) {
        let label = label.map(|label| self.label(&label.name));
        if let (Some(frame), Some(label)) = (self.frames.last_mut(), &label) {
            frame.labels.push(label.name.clone());
        }
        let body = self.block(body);
        if let (Some(frame), Some(_)) = (self.frames.last_mut(), &label) {
            frame.labels.pop();
        }
        (label, body)
    }

    fn label(&mut self, name: &syn::Lifetime) -> Label {
        Label {
            name: name.ident.to_string().into(),
            site: self.site(name),
        }
    }

    /// The label that `break` or `continue` names, which a loop around has.
    fn label_of(&mut self, name: Option<&syn::Lifetime>) -> Option<Label> {
        let (name, label) = (name?, self.label(name?));
        let labels = self.frames.last().map(|frame| frame.labels.clone());
        let labels = labels.unwrap_or_default();
        if !labels.contains(&label.name) {
            let known: Vec<String> = labels.iter().map(|known| format!("'{known}")).collect();
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            let wrong = catalogue::unknown_name(&format!("'{}", label.name), &known);
            self.refuse(name, wrong);
            return None;
        }
        Some(label)
    }

    fn branch(&mut self, branch: &syn::ExprIf) -> ExprKind {
        if let S::Let(test) = &*branch.cond {
            let value = self.boxed(&test.expr);
            self.enter();
            let pattern = self.pattern(&test.pat);
            let then = self.block(&branch.then_branch);
            self.leave();
            return ExprKind::IfLet(
                pattern,
                value,
                then,
                branch.else_branch.as_ref().map(|(_, e)| self.boxed(e)),
            );
        }
        let condition = self.boxed(&branch.cond);
        let then = self.block(&branch.then_branch);
        ExprKind::If(
            condition,
            then,
            branch.else_branch.as_ref().map(|(_, e)| self.boxed(e)),
        )
    }

    pub(super) fn macro_call(&mut self, mac: &syn::Macro) -> ExprKind {
        let name = mac
            .path
            .segments
            .last()
            .map(|s| s.ident.to_string())
            .unwrap_or_default();
        match name.as_str() {
            "vec" => self.vec_macro(mac),
            "assert" | "assert_eq" | "assert_ne" => self.assert_macro(mac, &name),
            "show" => self.show_macro(mac),
            _ => self.no_instead(
                &mac.path,
                &format!("`{name}!` is"),
                "there are `vec!`, `assert!`, `assert_eq!`, `assert_ne!` and `show!`",
            ),
        }
    }

    fn vec_macro(&mut self, mac: &syn::Macro) -> ExprKind {
        let bracketed: TokenStream = {
            let inner = &mac.tokens;
            quote::quote!([#inner])
        };
        match syn::parse2::<S>(bracketed) {
            Ok(S::Array(array)) => ExprKind::Array(self.list(&array.elems), true),
            Ok(S::Repeat(repeat)) => {
                ExprKind::Repeat(self.boxed(&repeat.expr), self.boxed(&repeat.len), true)
            }
            _ => self.no(mac, "this use of `vec!` is"),
        }
    }

    /// `show!(x)`
    fn show_macro(&mut self, mac: &syn::Macro) -> ExprKind {
        let Ok(value) = syn::parse2::<S>(mac.tokens.clone()) else {
            return self.no_instead(
                mac,
                "`show!` with anything but one value is",
                "show one value: `show!(x)?`",
            );
        };
        let text = compact(mac.tokens.clone());
        ExprKind::Assert("show".into(), vec![self.expr(&value)], Some(text.into()))
    }

    fn assert_macro(&mut self, mac: &syn::Macro, name: &str) -> ExprKind {
        let values = if name == "assert" { 1 } else { 2 };
        let Ok(arguments) = mac.parse_body_with(Punctuated::<S, Token![,]>::parse_terminated)
        else {
            return self.no(mac, "this use of `assert!` is");
        };
        let mut arguments = self.list(&arguments);
        let text = match arguments.get(values).map(|e| &e.kind) {
            Some(ExprKind::Lit(Lit::Str(text), _)) => Some(text.clone()),
            _ => None,
        };
        if arguments.len() < values
            || arguments.len() > values + 1
            || (arguments.len() > values && text.is_none())
        {
            return self.no(mac, "an assertion with anything but a plain text is");
        }
        arguments.truncate(values);
        ExprKind::Assert(name.into(), arguments, text)
    }
}

/// Tokens as text, the same for tokens of rustc and of a parsed file: only two neighbouring words have a space between them.
fn compact(tokens: TokenStream) -> String {
    let (mut text, is_word) = (String::new(), |c: char| c.is_alphanumeric() || c == '_');
    for token in tokens {
        let next = match token {
            TokenTree::Group(group) => {
                let (open, close) = brackets(group.delimiter());
                format!("{open}{}{close}", compact(group.stream()))
            }
            other => other.to_string(),
        };
        if text.ends_with(is_word) && next.starts_with(is_word) {
            text.push(' ');
        }
        text.push_str(&next);
    }
    text
}

fn is_constant(name: &str) -> bool {
    matches!(
        name,
        "MAX" | "MIN" | "BITS" | "INFINITY" | "NEG_INFINITY" | "NAN" | "EPSILON" | "MIN_POSITIVE"
    )
}
