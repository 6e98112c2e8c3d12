//! Calls of functions and closures.

use quote::ToTokens;
use syn::Expr as S;

use super::infer::T;
use super::{Body, Named, Read};
use crate::error::catalogue;
use crate::library::device::{Expr, Num};

impl Body<'_> {
    pub(super) fn call(&mut self, call: &syn::ExprCall) -> Read<(Expr, T)> {
        let S::Path(path) = &*call.func else {
            return self.refuse(
                &call.func,
                "a call of a computed function is",
                "call a function or a closure by its name",
            );
        };
        let text = path.to_token_stream().to_string().replace(' ', "");
        if let Some(name) = path.path.get_ident().map(ToString::to_string) {
            match self.lookup(&name) {
                Some(Named::Closure(closure)) => {
                    return self.call_closure(&closure, Some(&call.args), call);
                }
                Some(Named::Variable(..)) => {
                    return self.refuse(
                        path,
                        "a call of a variable is",
                        "call a function or a closure by its name",
                    );
                }
                None => {}
            }
            if let Some(number) = self.reader.functions.get(&name).copied() {
                return self.call_device(number, &name, call);
            }
        }
        self.without_type_arguments(path)?;
        if let Some(constructed) = self.constructor(&path.path, call)? {
            return Ok(constructed);
        }
        let words: Vec<String> = path
            .path
            .segments
            .iter()
            .map(|s| s.ident.to_string())
            .collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        if let [.., ty, function] = words.as_slice()
            && let Some(num) = Num::from_name(ty)
        {
            return self.call_of_type(num, function, call);
        }
        self.unknown_call(path, &text, &words)
    }

    /// Refuses the type arguments of what is known without them, and `<u32>::max` for `u32::max`.
    fn without_type_arguments(&mut self, path: &syn::ExprPath) -> Read<()> {
        let generic = path.path.segments.iter();
        let generic = generic.filter(|segment| !segment.arguments.is_empty());
        let names: Vec<String> = path
            .path
            .segments
            .iter()
            .map(|s| s.ident.to_string())
            .collect();
        let (plain, is_known) = match (&path.qself, names.as_slice()) {
            (Some(own), [function]) => {
                let ty = own.ty.to_token_stream().to_string();
                (format!("{ty}::{function}"), Num::from_name(&ty).is_some())
            }
            (None, names) if generic.count() > 0 => {
                let is_known = match names {
                    [name] => self.device_names().contains(name),
                    [.., ty, _] => Num::from_name(ty).is_some(),
                    [] => false,
                };
                (names.join("::"), is_known)
            }
            _ => return Ok(()),
        };
        match is_known {
            true => self.refuse(
                path,
                "a type argument is",
                &format!("leave it out: `{plain}(..)`"),
            ),
            false => Ok(()),
        }
    }

    fn unknown_call(
        &mut self,
        path: &syn::ExprPath,
        text: &str,
        words: &[&str],
    ) -> Read<(Expr, T)> {
        let allocates = [
            "Vec", "Box", "String", "Rc", "Arc", "HashMap", "Map", "VecDeque",
        ];
        if words.iter().any(|word| allocates.contains(word)) {
            let what = format!("`{text}` is");
            return self.refuse(
                path,
                &what,
                "nothing is allocated on the device: use an array `[T; N]`",
            );
        }
        if let [of, _] = words
            && self.reader.structs.contains_key(*of)
        {
            let what = format!("`{text}` is");
            let instead = "write the value as `S { .. }`, or a `#[device]` function";
            return self.refuse(path, &what, instead);
        }
        if matches!(words, ["Some" | "Ok" | "Err"]) {
            let what = format!("`{text}` is");
            return self.refuse(
                path,
                &what,
                "return a number that says so, or a tuple with a `bool`",
            );
        }
        if words.len() > 1 && matches!(words[0], "std" | "core" | "alloc") {
            let what = format!("`{text}` is");
            return self.refuse(
                path,
                &what,
                "there are operators, methods of numbers such as `x.sqrt()`, and `#[device]` functions",
            );
        }
        let known = self.device_names();
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        self.fail(
            path,
            catalogue::device_unknown("device function", text, &known),
        )
    }

    /// The device functions and closures in scope.
    fn device_names(&self) -> Vec<String> {
        let functions = self.reader.functions.iter();
        let device = functions.filter(|(_, n)| self.reader.signatures.contains_key(n));
        let closures = self.scopes.iter().flat_map(|scope| scope.iter());
        let closures = closures.filter(|(_, named)| matches!(named, Named::Closure(_)));
        device
            .map(|(name, _)| name.clone())
            .chain(closures.map(|(name, _)| name.clone()))
            .collect()
    }

    fn call_device(&mut self, number: u32, name: &str, call: &syn::ExprCall) -> Read<(Expr, T)> {
        let Some(signature) = self.reader.signatures.get(&number).cloned() else {
            if self.reader.unreadable.contains(&number) {
                // Its own mistake has been reported, or will be.
                return Err(super::Stop);
            }
            return self.fail(&call.func, catalogue::device_unmarked(name));
        };
        if signature.parameters.len() != call.args.len() {
            let words = format!(
                "`{name}` takes {} arguments, and {} are given",
                signature.parameters.len(),
                call.args.len()
            );
            return self.fail(call, catalogue::bad_device(&words));
        }
        let mut values = Vec::new();
        for (argument, ty) in call.args.iter().zip(&signature.parameters) {
            let (value, found) = self.expr(argument)?;
            self.unify(ty, &found, argument)?;
            values.push(value);
        }
        let site = self.place(&call.func);
        self.calls.push((number, site));
        let value = Expr::Call(number, values);
        if signature.range.is_some() {
            return Ok((self.loaded(value, &signature.result), signature.result));
        }
        Ok((value, signature.result))
    }

    /// `f32::max(a, b)`, `u32::from(x)`, `f32::from_bits(b)`.
    fn call_of_type(&mut self, num: Num, function: &str, call: &syn::ExprCall) -> Read<(Expr, T)> {
        let args: Vec<&S> = call.args.iter().collect();
        match (function, args.as_slice()) {
            ("from", [value]) => {
                let (read, ty) = self.boxed(value)?;
                self.number(&ty, value, |_| true)?;
                Ok((Expr::Cast(read, num), T::Num(num)))
            }
            ("from_bits", [value]) if num.is_float() => {
                let bits = match num {
                    Num::F32 => Num::U32,
                    _ => Num::U64,
                };
                let (read, ty) = self.boxed(value)?;
                self.unify(&T::Num(bits), &ty, value)?;
                let op = crate::scalar::UnaryOp::FromBits;
                Ok((Expr::OfBits(op, read, num), T::Num(num)))
            }
            (name, [receiver, rest @ ..]) => {
                let (value, ty) = self.expr(receiver)?;
                self.unify(&T::Num(num), &ty, receiver)?;
                self.method_of(name, (value, T::Num(num)), rest, (&call.func, call))
            }
            _ => {
                let name = format!("{}::{function}", num.name());
                self.fail(call, catalogue::device_unknown("function", &name, &[]))
            }
        }
    }
}
