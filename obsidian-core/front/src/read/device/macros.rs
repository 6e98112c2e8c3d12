//! Macros of device functions: assertions and panics.

use proc_macro2::TokenStream;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Expr as S, Token};

use super::infer::T;
use super::{Body, Read};
use crate::error::catalogue;
use crate::library::device::Expr;
use crate::scalar::{BinaryOp, UnaryOp};

impl Body<'_> {
    pub(super) fn macro_call(&mut self, mac: &syn::Macro) -> Read<(Expr, T)> {
        let name = mac.path.segments.last().map(|s| s.ident.to_string());
        let name = name.unwrap_or_default();
        match name.as_str() {
            "assert" | "debug_assert" => self.assert(mac, &name),
            "assert_eq" | "debug_assert_eq" => self.compared(mac, &name, BinaryOp::Eq),
            "assert_ne" | "debug_assert_ne" => self.compared(mac, &name, BinaryOp::Ne),
            "panic" | "unreachable" | "todo" | "unimplemented" => {
                let list = self.arguments(mac)?;
                let text = self.text(&list, 0)?;
                let words = match (name.as_str(), text) {
                    ("panic", None) => "explicit panic".to_owned(),
                    ("panic", Some(text)) => text,
                    ("unreachable", None) => "internal error: entered unreachable code".to_owned(),
                    ("unreachable", Some(text)) => {
                        format!("internal error: entered unreachable code: {text}")
                    }
                    ("todo", None) => "not yet implemented".to_owned(),
                    ("todo", Some(text)) => format!("not yet implemented: {text}"),
                    (_, None) => "not implemented".to_owned(),
                    (_, Some(text)) => format!("not implemented: {text}"),
                };
                let place = self.place(mac);
                Ok((Expr::Fail(words, place), T::Never))
            }
            "print" | "println" | "eprint" | "eprintln" | "dbg" | "write" | "writeln" => {
                let what = format!("`{name}!` is");
                self.refuse(
                    &mac.path,
                    &what,
                    "return the number, and print it on the host",
                )
            }
            "vec" | "format" => {
                let what = format!("`{name}!` is");
                self.refuse(
                    &mac.path,
                    &what,
                    "nothing is allocated on the device: use an array `[T; N]`",
                )
            }
            "matches" => self.refuse(
                &mac.path,
                "`matches!` is",
                "write a `match`, or comparisons",
            ),
            _ => {
                let what = format!("the macro `{name}!` is");
                self.refuse(&mac.path, &what, "write out what it stands for")
            }
        }
    }

    fn arguments(&mut self, mac: &syn::Macro) -> Read<Vec<S>> {
        let tokens: TokenStream = mac.tokens.clone();
        match Punctuated::<S, Token![,]>::parse_terminated.parse2(tokens) {
            Ok(list) => Ok(list.into_iter().collect()),
            Err(_) => self.refuse(mac, "this macro call is", "write expressions with commas"),
        }
    }

    /// The text of a panic, which has no arguments.
    fn text(&mut self, list: &[S], at: usize) -> Read<Option<String>> {
        let Some(first) = list.get(at) else {
            return Ok(None);
        };
        let text = match first {
            S::Lit(lit) => match &lit.lit {
                syn::Lit::Str(text) => Some(text.value()),
                _ => None,
            },
            _ => None,
        };
        let plain = text.filter(|text| !text.contains(['{', '}']));
        match (plain, list.get(at + 1)) {
            (Some(text), None) => Ok(Some(text)),
            _ => self.refuse(
                first,
                "a panic with formatting is",
                "write a text without `{}`: the place and the text are reported",
            ),
        }
    }

    fn fault(&mut self, holds: Expr, words: String, mac: &syn::Macro) -> (Expr, T) {
        let place = self.place(mac);
        let fails = Expr::Unary(UnaryOp::Not, Box::new(holds));
        let fail = Expr::Fail(words, place);
        (Expr::If(Box::new(fails), Box::new(fail), None), T::UNIT)
    }

    fn assert(&mut self, mac: &syn::Macro, name: &str) -> Read<(Expr, T)> {
        let list = self.arguments(mac)?;
        let Some(condition) = list.first() else {
            return self.fail(mac, catalogue::bad_device("`assert!` takes a condition"));
        };
        self.debug(mac, name)?;
        let words = match self.text(&list, 1)? {
            Some(text) => text,
            None => {
                let text = quote::ToTokens::to_token_stream(condition).to_string();
                format!("assertion failed: {text}")
            }
        };
        let holds = *self.condition(condition)?;
        Ok(self.fault(holds, words, mac))
    }

    fn compared(&mut self, mac: &syn::Macro, name: &str, op: BinaryOp) -> Read<(Expr, T)> {
        let list = self.arguments(mac)?;
        let [left, right, ..] = list.as_slice() else {
            let words = format!("`{name}!` takes two values");
            return self.fail(mac, catalogue::bad_device(&words));
        };
        self.debug(mac, name)?;
        let words = match self.text(&list, 2)? {
            Some(text) => format!("assertion `left {} right` failed: {text}", op.name()),
            None => format!("assertion `left {} right` failed", op.name()),
        };
        let (x, left_ty) = self.boxed(left)?;
        let (y, right_ty) = self.boxed(right)?;
        self.operands(op, (&left_ty, left), (&right_ty, right))?;
        let place = self.place(mac);
        Ok(self.fault(Expr::Binary(op, x, y, place), words, mac))
    }

    /// Debug assertions are those of a build that the device does not know.
    fn debug(&mut self, mac: &syn::Macro, name: &str) -> Read<()> {
        match name.strip_prefix("debug_") {
            Some(plain) => {
                let what = format!("`{name}!` is");
                let instead = format!("write `{plain}!`, which every build checks");
                self.refuse(&mac.path, &what, &instead)
            }
            None => Ok(()),
        }
    }
}
