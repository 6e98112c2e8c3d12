//! Expressions and statements, rewritten.

use proc_macro2::{Literal, Span, TokenStream};
use quote::{quote, quote_spanned};

use super::super::options::respan;
use super::{Native, Place, ident, trace};
use obsidian_core::scalar::BinaryOp;
use obsidian_front::evaluate::{Known, functions_first};
use obsidian_front::syntax::{
    BinOp, Block, Callee, Expr, ExprKind, Label, Lit, Site, Stmt, Type, TypeUse, UNTOLD,
};
use obsidian_front::{infer, names};

/// Methods of the host that take their receiver away.
const TAKING: &[&str] = &["expect", "into_iter", "map", "unwrap", "unwrap_or"];

/// A copy of a variable or a part of one, of exactly its type: a reference stays one, and a type
/// that is inferred later may be.
fn copy_of(place: &TokenStream, span: Span) -> TokenStream {
    quote_spanned!(span=> ::core::clone::Clone::clone(&#place))
}

impl Native<'_> {
    /// `{ .. }`
    pub(super) fn block(&self, block: &Block, place: Place) -> TokenStream {
        let statements = self.statements(&block.statements, place);
        let value = block.value.as_ref().map(|v| self.expr(v, place));
        quote_spanned!(self.span(block.site)=> { #statements #value })
    }

    pub(super) fn statements(&self, statements: &[Stmt], place: Place) -> TokenStream {
        statements
            .iter()
            .map(|s| self.statement(s, place))
            .collect()
    }

    fn statement(&self, statement: &Stmt, place: Place) -> TokenStream {
        match statement {
            Stmt::Expr(expr, true) => {
                let expr = self.expr(expr, place);
                quote!(#expr;)
            }
            Stmt::Expr(expr, false) => self.expr(expr, place),
            Stmt::Constant(n) => {
                let constant = self.module.constants.get(*n as usize);
                constant
                    .map(|constant| self.constant(constant))
                    .unwrap_or_default()
            }
            Stmt::Type(item) => self.sources.tokens(*item),
            Stmt::Let {
                pattern,
                ty,
                value,
                otherwise,
            } => {
                let pattern = self.pattern(pattern);
                let ty = ty
                    .as_ref()
                    .map(|t| self.sources.tokens(t.snippet))
                    .map(|t| quote!(: #t));
                let value = value
                    .as_ref()
                    .map(|v| self.expr(v, place))
                    .map(|v| quote!(= #v));
                let otherwise = otherwise
                    .as_ref()
                    .map(|b| self.block(b, place))
                    .map(|b| quote!(else #b));
                quote!(let #pattern #ty #value #otherwise;)
            }
        }
    }

    fn list(&self, list: &[Expr], place: Place) -> TokenStream {
        let list = list.iter().map(|e| self.expr(e, place));
        quote!(#(#list),*)
    }

    /// An expression as a place or behind `&`: a variable is not cloned.
    fn place(&self, expr: &Expr, place: Place) -> TokenStream {
        match &expr.kind {
            ExprKind::Local(_, name) => {
                let name = self.ident(name, expr.site);
                quote!(#name)
            }
            ExprKind::Index(base, index) => {
                let (base, index) = (self.place(base, place), self.expr(index, place));
                quote!(#base[#index])
            }
            ExprKind::Field(base, n) => {
                let (base, n) = (self.place(base, place), Literal::u32_unsuffixed(*n));
                quote!(#base.#n)
            }
            ExprKind::Deref(inner) => {
                let inner = self.place(inner, place);
                quote!(*#inner)
            }
            ExprKind::Paren(inner) => {
                let inner = self.place(inner, place);
                quote!((#inner))
            }
            _ => self.expr(expr, place),
        }
    }

    /// What is assigned to: a place, or a tuple of them.
    fn target(&self, expr: &Expr, place: Place) -> TokenStream {
        match &expr.kind {
            ExprKind::Tuple(list) => {
                let list = list.iter().map(|one| self.target(one, place));
                quote!((#(#list,)*))
            }
            ExprKind::Paren(inner) => self.target(inner, place),
            _ => self.place(expr, place),
        }
    }

    /// What is read from, without a copy of a whole variable.
    fn operand(&self, expr: &Expr, place: Place) -> TokenStream {
        match &expr.kind {
            ExprKind::Local(..) => self.place(expr, place),
            ExprKind::Field(base, n) => {
                let (base, n) = (self.operand(base, place), Literal::u32_unsuffixed(*n));
                quote!(#base.#n)
            }
            _ => {
                let value = self.expr(expr, place);
                quote!((#value))
            }
        }
    }

    /// A literal that is a device value.
    fn device_literal(&self, literal: TokenStream, known: Known, site: Site) -> TokenStream {
        let (lit, literal) = (
            self.path("language::lit", site),
            self.parenthesised(literal, site),
        );
        match known {
            Known::One(ty) => {
                let ty = ident(ty.name(), Span::mixed_site());
                quote!(#lit::<::core::primitive::#ty> #literal)
            }
            _ => quote!(#lit #literal),
        }
    }

    /// An expression.
    pub(super) fn expr(&self, expr: &Expr, place: Place) -> TokenStream {
        let (site, span) = (expr.site, self.span(expr.site));
        if let Some(known) = self.literals.get(&site)
            && (infer::is_literal(expr) || infer::is_constant(expr))
        {
            let plain = match &expr.kind {
                ExprKind::Unary(op, value) => {
                    let (op, value) = (operator(op.name(), span), self.expr(value, place));
                    Some(quote!(#op #value))
                }
                ExprKind::Lit(_, text) | ExprKind::Constant(_, text) => Some(self.text(text, site)),
                ExprKind::HostConstant(_, text) => Some(self.host_constant(text, site)),
                _ => None,
            };
            if let Some(plain) = plain {
                return self.device_literal(plain, *known, site);
            }
        }
        match &expr.kind {
            ExprKind::Lit(_, text) => self.text(text, site),
            ExprKind::Local(_, name) => {
                let name = self.ident(name, site);
                copy_of(&quote!(#name), span)
            }
            ExprKind::Constant(_, text) => self.text(text, site),
            ExprKind::HostConstant(_, text) => self.host_constant(text, site),
            ExprKind::Path(callee, name, types) => self.function_path(callee, name, types, site),
            ExprKind::None => quote_spanned!(span=> ::core::option::Option::None),
            ExprKind::Paren(inner) => {
                let inner = self.expr(inner, place);
                quote!((#inner))
            }
            ExprKind::Unary(op, value) => {
                let (op, value) = (operator(op.name(), span), self.expr(value, place));
                quote!(#op #value)
            }
            ExprKind::Deref(inner) => {
                let inner = self.operand(inner, place);
                copy_of(&quote!(*#inner), span)
            }
            ExprKind::Ref(inner) => {
                let inner = self.place(inner, place);
                quote_spanned!(span=> &#inner)
            }
            ExprKind::Binary(op, left, right, at) => self.binary(*op, left, right, *at, place),
            ExprKind::Call(callee, arguments) if is_checked_late(callee, arguments) => {
                self.late_call(callee, arguments, site, place)
            }
            ExprKind::Call(callee, arguments) => {
                let callee = if matches!(callee.kind, ExprKind::Local(..)) {
                    self.place(callee, place)
                } else {
                    self.expr(callee, place)
                };
                let arguments = self.parenthesised(self.list(arguments, place), site);
                quote!(#callee #arguments)
            }
            ExprKind::Method {
                receiver,
                name,
                site: at,
                turbofish,
                arguments,
            } => {
                let receiver = match &receiver.kind {
                    _ if names::is_mutating(name, arguments.len()) => self.place(receiver, place),
                    ExprKind::Local(..) if TAKING.contains(&&**name) => self.expr(receiver, place),
                    _ => self.operand(receiver, place),
                };
                let (name, types, arguments) = (
                    self.ident(name, *at),
                    self.turbofish(turbofish, 0),
                    self.list(arguments, place),
                );
                let arguments = self.parenthesised(arguments, site);
                quote!(#receiver.#name #types #arguments)
            }
            ExprKind::Index(base, index) if place.constant => {
                let (base, index) = (self.operand(base, place), self.expr(index, place));
                quote!(#base[#index])
            }
            ExprKind::Index(base, index) => {
                let (function, base) = (
                    self.path("generated::index_of", site),
                    self.operand(base, place),
                );
                let index = self.expr(index, place);
                let arguments = self.parenthesised(quote_spanned!(span=> &#base, #index), site);
                quote!(#function #arguments)
            }
            ExprKind::Field(base, n) => {
                let (base, n) = (self.operand(base, place), Literal::u32_unsuffixed(*n));
                if place.constant {
                    quote!(#base.#n)
                } else {
                    copy_of(&quote!(#base.#n), span)
                }
            }
            ExprKind::Range(start, end, closed) => {
                let side = |e: &Option<Box<Expr>>| e.as_ref().map(|e| self.expr(e, place));
                let (start, end) = (side(start), side(end));
                if *closed {
                    quote!((#start..=#end))
                } else {
                    quote!((#start..#end))
                }
            }
            ExprKind::Tuple(list) => {
                let list = list.iter().map(|e| self.expr(e, place));
                quote!((#(#list,)*))
            }
            ExprKind::Array(list, is_vec) => {
                let list = self.list(list, place);
                if *is_vec {
                    quote!(::std::vec![#list])
                } else {
                    quote!([#list])
                }
            }
            ExprKind::Repeat(value, count, is_vec) => {
                let (value, count) = (self.expr(value, place), self.expr(count, place));
                if *is_vec {
                    quote!(::std::vec![#value; #count])
                } else {
                    quote!([#value; #count])
                }
            }
            ExprKind::Cast(value, ty) => self.cast(value, ty, site, place),
            ExprKind::Closure(closure) => self.closure(closure, site),
            _ => self.control(expr, place),
        }
    }

    /// A call of a function of the library with its functions last.
    fn late_call(
        &self,
        callee: &Expr,
        arguments: &[Expr],
        site: Site,
        place: Place,
    ) -> TokenStream {
        let ExprKind::Path(called, ..) = &callee.kind else {
            return quote!();
        };
        let (module, name) = match called {
            Callee::Library(name) => ("late", name),
            Callee::Arrays(name) => ("arrays::late", name),
            _ => return quote!(),
        };
        let first = functions_of(called);
        let function = self.path(&format!("generated::{module}::{name}"), callee.site);
        let (functions, values): (Vec<_>, Vec<_>) = arguments
            .iter()
            .enumerate()
            .partition(|(n, _)| first.contains(n));
        let list = values.into_iter().chain(functions);
        let list = list.map(|(_, argument)| self.expr(argument, place));
        let arguments = self.parenthesised(quote!(#(#list),*), site);
        quote!(#function #arguments)
    }

    fn host_constant(&self, text: &str, site: Site) -> TokenStream {
        let short = text
            .trim_start_matches("std::")
            .trim_start_matches("core::");
        let tokens: TokenStream = match short.split("::").collect::<Vec<_>>().as_slice() {
            [ty, "consts", name] => format!("::core::{ty}::consts::{name}")
                .parse()
                .unwrap_or_default(),
            _ => text.parse().unwrap_or_default(),
        };
        respan(tokens, self.span(site))
    }

    fn function_path(
        &self,
        callee: &Callee,
        name: &str,
        types: &[TypeUse],
        site: Site,
    ) -> TokenStream {
        let inferred = match (callee, types) {
            (
                Callee::Library(name),
                [
                    TypeUse {
                        ty: Type::Level(_), ..
                    },
                ],
            ) => {
                let known = names::OF_A_LEVEL
                    .iter()
                    .find(|(known, _)| **known == **name);
                known.map_or(0, |(_, count)| count - 1)
            }
            _ => 0,
        };
        let types = self.turbofish(types, inferred);
        let path = match callee {
            Callee::Function(n) => {
                let name = ident(name, self.span(site));
                let function = self.module.functions.get(*n as usize);
                match function.is_some_and(|f| f.device.is_some()) {
                    // Its name is the plain function; kernels call what stands beside it.
                    true => quote_spanned!(self.span(site)=> #name::in_kernel),
                    false => quote!(#name),
                }
            }
            Callee::Library(name) => self.path(&format!("language::{name}"), site),
            Callee::Arrays(name) => self.path(&format!("arrays::{name}"), site),
            Callee::Host(name) if &**name == "Some" => {
                quote_spanned!(self.span(site)=> ::core::option::Option::Some)
            }
            Callee::Host(_) => return self.text(&name.into(), site),
        };
        quote!(#path #types)
    }

    /// The types of a turbofish, and a number of inferred ones.
    fn turbofish(&self, types: &[TypeUse], inferred: usize) -> TokenStream {
        if types.is_empty() {
            return quote!();
        }
        let types = types.iter().map(|t| self.sources.tokens(t.snippet));
        let inferred = (0..inferred).map(|_| quote!(_));
        let types = types.chain(inferred);
        quote!(::<#(#types),*>)
    }

    fn binary(&self, op: BinOp, left: &Expr, right: &Expr, at: Site, place: Place) -> TokenStream {
        let span = self.span(at);
        match op {
            BinOp::Device(op) if op.is_comparison() && !place.constant => {
                let (first, last) = (self.span(left.site), self.span(right.site));
                let function = self.path(
                    &format!("generated::compare::{}", comparison(op)),
                    left.site,
                );
                let (x, y) = (self.operand(left, place), self.operand(right, place));
                let (x, y) = (quote_spanned!(first=> &#x), quote_spanned!(last=> &#y));
                let arguments = self.parenthesised(quote_spanned!(span=> #x, #y), right.site);
                quote!(#function #arguments)
            }
            BinOp::Device(op) => {
                let (left, op, right) = (
                    self.expr(left, place),
                    operator(op.name(), span),
                    self.expr(right, place),
                );
                quote!(#left #op #right)
            }
            BinOp::AndAlso | BinOp::OrElse => {
                let op = operator(
                    if matches!(op, BinOp::AndAlso) {
                        "&&"
                    } else {
                        "||"
                    },
                    span,
                );
                let (left, right) = (self.condition(left, place), self.condition(right, place));
                quote!(#left #op #right)
            }
        }
    }

    /// A boolean of the host.
    fn condition(&self, expr: &Expr, place: Place) -> TokenStream {
        let value = self.expr(expr, place);
        if place.constant {
            return value;
        }
        let host = self.path("generated::host", expr.site);
        let value = self.parenthesised(value, expr.site);
        quote!(#host #value)
    }

    /// `(..)` whose place is the end of a site: a call from the site's first token to it has the
    /// site as its place.
    fn parenthesised(&self, inner: TokenStream, site: Site) -> proc_macro2::Group {
        let mut group = proc_macro2::Group::new(proc_macro2::Delimiter::Parenthesis, inner);
        group.set_span(self.sources.ends(site).1);
        group
    }

    fn cast(&self, value: &Expr, ty: &TypeUse, site: Site, place: Place) -> TokenStream {
        let to = self.sources.tokens(ty.snippet);
        let plain = place.constant || is_literal(value) && matches!(ty.ty, Type::Host(_));
        let value = self.expr(value, place);
        if plain {
            return quote!((#value as #to));
        }
        let cast = self.path("generated::cast", site);
        let value = self.parenthesised(value, site);
        quote!(#cast::<#to, _> #value)
    }

    fn control(&self, expr: &Expr, place: Place) -> TokenStream {
        let span = self.span(expr.site);
        match &expr.kind {
            ExprKind::Block(block) => self.block(block, place),
            ExprKind::If(condition, then, otherwise) => {
                let (condition, then) = (self.condition(condition, place), self.block(then, place));
                let otherwise = otherwise
                    .as_ref()
                    .map(|e| self.expr(e, place))
                    .map(|e| quote!(else #e));
                quote!(if #condition #then #otherwise)
            }
            ExprKind::IfLet(pattern, value, then, otherwise) => {
                let (pattern, value) = (self.pattern(pattern), self.expr(value, place));
                let then = self.block(then, place);
                let otherwise = otherwise
                    .as_ref()
                    .map(|e| self.expr(e, place))
                    .map(|e| quote!(else #e));
                quote!(if let #pattern = #value #then #otherwise)
            }
            ExprKind::Match(value, arms) => {
                let value = self.expr(value, place);
                let arms = arms.iter().map(|arm| {
                    let (pattern, body) = (self.pattern(&arm.pattern), self.expr(&arm.body, place));
                    let guard = arm
                        .guard
                        .as_ref()
                        .map(|g| self.condition(g, place))
                        .map(|g| quote!(if #g));
                    quote!(#pattern #guard => #body,)
                });
                quote_spanned!(span=> match #value { #(#arms)* })
            }
            ExprKind::For(pattern, values, body, label) => {
                let (pattern, values) = (self.pattern(pattern), self.expr(values, place));
                let body = self.block(body, place);
                let label = self.labelled(label.as_ref());
                quote!(#label for #pattern in #values #body)
            }
            ExprKind::While(condition, body, label) => {
                let (condition, body) = (self.condition(condition, place), self.block(body, place));
                let label = self.labelled(label.as_ref());
                quote!(#label while #condition #body)
            }
            ExprKind::Loop(body, label) => {
                let body = self.block(body, place);
                let label = self.labelled(label.as_ref());
                quote!(#label loop #body)
            }
            ExprKind::Break(label) => {
                let label = label.as_ref().map(|label| self.lifetime(label));
                quote_spanned!(span=> break #label)
            }
            ExprKind::Continue(label) => {
                let label = label.as_ref().map(|label| self.lifetime(label));
                quote_spanned!(span=> continue #label)
            }
            ExprKind::Discard => quote_spanned!(span=> _),
            ExprKind::Return(value) => {
                let value = value.as_ref().map(|v| self.expr(v, place));
                match value {
                    Some(value) if place.delayed => {
                        let run = self.run(expr.site);
                        quote_spanned!(span=> return (#value) #run)
                    }
                    value => quote_spanned!(span=> return #value),
                }
            }
            ExprKind::Try(value, name) => self.try_expr(value, name.as_deref(), expr.site, place),
            ExprKind::Assign(target, value) => {
                let (target, value) = (self.target(target, place), self.expr(value, place));
                quote_spanned!(span=> #target = #value)
            }
            ExprKind::AssignOp(op, target, value, at) => {
                let op = operator(&format!("{}=", op.name()), self.span(*at));
                let (target, value) = (self.place(target, place), self.expr(value, place));
                quote!(#target #op #value)
            }
            ExprKind::Assert(name, arguments, text) => {
                self.assertion(name, arguments, text.as_deref(), expr.site, place)
            }
            _ => quote_spanned!(span=> ()),
        }
    }

    fn lifetime(&self, label: &Label) -> syn::Lifetime {
        syn::Lifetime::new(&format!("'{}", label.name), self.span(label.site))
    }

    /// The label of a loop, in front of it.
    fn labelled(&self, label: Option<&Label>) -> Option<TokenStream> {
        let label = self.lifetime(label?);
        Some(quote!(#label:))
    }

    /// `x?`: runs a program into the trace of the function around.
    fn try_expr(&self, value: &Expr, name: Option<&str>, site: Site, place: Place) -> TokenStream {
        let value = self.expr(value, place);
        match name {
            Some(name) => {
                let (name, trace) = (Literal::string(name.trim_start_matches("r#")), trace());
                quote_spanned!(self.span(site)=> (#value).run_named(#trace, #name))
            }
            None => {
                let run = self.run(site);
                quote!((#value) #run)
            }
        }
    }

    fn assertion(
        &self,
        name: &str,
        arguments: &[Expr],
        text: Option<&str>,
        site: Site,
        place: Place,
    ) -> TokenStream {
        let words = Literal::string(text.unwrap_or(UNTOLD));
        let call = |function: &str, condition: TokenStream| {
            let function = self.path(function, site);
            let given = self.parenthesised(quote!(#condition, #words), site);
            quote!(#function #given)
        };
        let text = text.map(Literal::string).map(|t| quote!(, "{}", #t));
        match (name, arguments) {
            ("show", [value]) => {
                let value = self.expr(value, place);
                let function = self.path("generated::show", site);
                let given = self.parenthesised(quote!(#words, #value), site);
                quote!(#function #given)
            }
            ("assert", [value]) if place.constant => {
                let condition = self.condition(value, place);
                quote!(::core::assert!(#condition #text))
            }
            ("assert", [value]) => call("generated::asserted", self.expr(value, place)),
            (_, [left, right]) => {
                let op = if name == "assert_eq" {
                    BinaryOp::Eq
                } else {
                    BinaryOp::Ne
                };
                let holds = self.binary(BinOp::Device(op), left, right, left.site, place);
                call("generated::asserted", holds)
            }
            _ => quote!(()),
        }
    }
}

/// The functions among the arguments of a call whose other arguments tell the types of their
/// parameters.
fn functions_of(callee: &Callee) -> Vec<usize> {
    match callee {
        Callee::Library(name) => functions_first(name),
        Callee::Arrays(name) if name.starts_with("zip_with") => vec![0],
        _ => Vec::new(),
    }
}

/// Is this a call in which Rust would check a closure before what tells its types?
fn is_checked_late(callee: &Expr, arguments: &[Expr]) -> bool {
    let ExprKind::Path(called, _, types) = &callee.kind else {
        return false;
    };
    let takes_copies = |n: &usize| {
        arguments
            .get(*n)
            .is_some_and(|argument| match &argument.kind {
                ExprKind::Closure(closure) => !closure.captures.is_empty(),
                _ => false,
            })
    };
    types.is_empty() && functions_of(called).iter().any(takes_copies)
}

/// An operator's tokens at a span.
fn operator(text: &str, span: Span) -> TokenStream {
    respan(text.parse().unwrap_or_default(), span)
}

fn comparison(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Eq => "eq",
        BinaryOp::Ne => "ne",
        BinaryOp::Lt => "lt",
        BinaryOp::Le => "le",
        BinaryOp::Gt => "gt",
        _ => "ge",
    }
}

fn is_literal(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Lit(lit, _) => !matches!(lit, Lit::Str(_)),
        ExprKind::Unary(_, inner) | ExprKind::Paren(inner) => is_literal(inner),
        _ => false,
    }
}
