//! Closures: each call is the closure's body, in the scope where the closure stands.

use super::infer::T;
use super::{Body, Named, Read, Stop};
use crate::error::catalogue;
use crate::library::device::{Expr, Stmt};
use crate::ordered::Map;

/// A closure that a `let` has bound.
#[derive(Clone)]
pub(super) struct Closure {
    code: syn::ExprClosure,
    parameters: Vec<T>,
    result: T,
    scopes: Vec<Map<String, Named>>,
}

/// How deep calls of closures may be in each other.
const DEPTH: u32 = 32;
/// How many calls of closures a function may have, those in closures that are called among them.
const CALLS: u32 = 2000;

impl Body<'_> {
    /// `let f = |x| ..;`
    pub(super) fn closure(&mut self, name: &syn::Ident, code: &syn::ExprClosure) -> Read<()> {
        if let Some(token) = &code.capture {
            return self.refuse(
                token,
                "`move` is",
                "write the closure without it: it is called where it stands",
            );
        }
        if let Some(token) = &code.asyncness {
            return self.refuse(token, "`async` is", "write a plain closure");
        }
        let mut parameters = Vec::new();
        for pat in &code.inputs {
            parameters.push(match pat {
                syn::Pat::Type(typed) => match self.reader.device_type(&typed.ty) {
                    Some(ty) => ty,
                    None => return Err(Stop),
                },
                _ => self.infer.any(),
            });
        }
        let result = match &code.output {
            syn::ReturnType::Type(_, ty) => match self.reader.device_type(ty) {
                Some(ty) => ty,
                None => return Err(Stop),
            },
            syn::ReturnType::Default => self.infer.any(),
        };
        let closure = Closure {
            code: code.clone(),
            parameters,
            result,
            scopes: self.scopes.clone(),
        };
        // Read once where it stands: mistakes and types are those of its text, called or not.
        self.call_closure(&closure, None, code)?;
        self.bind(name.to_string(), Named::Closure(std::rc::Rc::new(closure)));
        Ok(())
    }

    /// The body of a closure with its arguments.
    pub(super) fn call_closure(
        &mut self,
        closure: &Closure,
        arguments: Option<&syn::punctuated::Punctuated<syn::Expr, syn::Token![,]>>,
        at: &impl quote::ToTokens,
    ) -> Read<(Expr, T)> {
        if self.closures >= DEPTH {
            return self.fail(
                at,
                catalogue::bad_device("closures that call closures, too deep"),
            );
        }
        self.called += 1;
        if self.called > CALLS {
            let words = format!(
                "closures are called more than {CALLS} times: each call is their text once more"
            );
            return self.fail(at, catalogue::bad_device(&words));
        }
        let mut statements = Vec::new();
        let mut slots = Vec::new();
        if let Some(arguments) = arguments {
            if arguments.len() != closure.parameters.len() {
                let words = format!(
                    "this closure takes {} arguments, and {} are given",
                    closure.parameters.len(),
                    arguments.len()
                );
                return self.fail(at, catalogue::bad_device(&words));
            }
            for (argument, ty) in arguments.iter().zip(&closure.parameters) {
                let (value, found) = self.expr(argument)?;
                self.unify(ty, &found, argument)?;
                let (slot, ty) = (self.slot(), self.ty(ty));
                statements.push(Stmt::Let(slot, false, ty, Some(value)));
                slots.push(slot);
            }
        } else {
            slots.extend(closure.parameters.iter().map(|_| 0));
        }
        let scopes = std::mem::replace(&mut self.scopes, closure.scopes.clone());
        let around = std::mem::take(&mut self.around);
        self.closures += 1;
        let body = self.scoped(|body| {
            for ((pat, slot), ty) in closure
                .code
                .inputs
                .iter()
                .zip(slots)
                .zip(&closure.parameters)
            {
                body.bind_parameter(pat, slot, ty, &mut statements)?;
            }
            let (value, ty) = body.expr(&closure.code.body)?;
            body.unify(&closure.result, &ty, &closure.code.body)?;
            Ok(value)
        });
        self.closures -= 1;
        self.around = around;
        self.scopes = scopes;
        let value = Expr::Block(statements, Some(Box::new(body?)));
        Ok((value, closure.result.clone()))
    }
}
