//! Device functions: `#[device]` and `#[device(range)]` on plain Rust.
//!
//! A body is read twice. The first pass finds the types, by unification inside of the function: its
//! signature tells those of the parameters, and literals take theirs from how they are used. The second
//! pass makes the [tree](crate::library::device), with every type known. Both ask for type variables in
//! one order, so that the second finds what the first has learnt. A mistake ends the reading of its
//! function: one mistake, one error.

mod assigns;
mod calls;
mod closures;
mod control;
mod expressions;
mod infer;
mod items;
mod literals;
mod macros;
mod methods;
mod parts;
mod patterns;
mod signature;
mod structs;

use quote::ToTokens;
use syn::spanned::Spanned;

use super::Reader;
use crate::error::Diagnostic;
use crate::error::catalogue;
use crate::library::device::{Code, Expr, Num, Place, Slot, Stmt, Ty};
use crate::ordered::Map;
use crate::syntax::Site;
use infer::{Infer, T};
pub(super) use signature::{Signature, is_device, is_range};
pub(super) use structs::Structs;

/// A mistake has been reported.
pub(super) struct Stop;

type Read<A> = Result<A, Stop>;

/// What a function does that has a mistake.
const NOTHING: Expr = Expr::Tuple(Vec::new());

/// A device function as it was read.
#[derive(Clone, Debug)]
pub struct DeviceFunction {
    /// Its tree; calls name functions by their number in the module.
    pub code: Code,
    /// The names of the parameters, without that of the coordinates.
    pub names: Vec<String>,
    /// The types as the user has written them, without that of the coordinates.
    pub types: Vec<crate::syntax::Snippet>,
    /// The type of the result as written.
    pub result: crate::syntax::Snippet,
    /// The functions that it calls, and where.
    pub calls: Vec<(u32, Site)>,
    /// Of a range: the number of dimensions, and the type of the coordinates.
    pub range: Option<(u32, Num)>,
    /// Of a range: are its elements more than numbers and tuples of them?
    pub gives_rows: bool,
    /// The user's own tokens, without the attribute.
    pub item: crate::syntax::Snippet,
}

/// What a name means.
#[derive(Clone)]
enum Named {
    Variable(Slot, T, bool),
    Closure(std::rc::Rc<closures::Closure>),
}

/// A loop around: its number, its label, and what `break` gives.
struct Around {
    id: u32,
    label: Option<String>,
    gives: Option<T>,
    is_loop: bool,
}

/// A function that is being read.
struct Body<'r> {
    reader: &'r mut Reader,
    infer: Infer,
    scopes: Vec<Map<String, Named>>,
    slots: u32,
    loops: u32,
    around: Vec<Around>,
    result: T,
    /// Is it the element of a range, which is stored?
    is_range: bool,
    calls: Vec<(u32, Site)>,
    /// How many closures are being called, and how many calls there were.
    closures: u32,
    called: u32,
    /// Is it the pass in which every type has to be known?
    is_last: bool,
}

impl Reader {
    /// Reads a device function, if its signature could be read.
    pub(super) fn device_function(&mut self, item: &syn::ItemFn) -> Option<DeviceFunction> {
        let signature = Signature::read(self, item, true)?;
        let (mut infer, mut found) = (Infer::default(), None);
        for pass in 0..2 {
            let mut body = Body {
                reader: self,
                infer: infer.again(),
                scopes: vec![Map::new()],
                slots: 0,
                loops: 0,
                around: Vec::new(),
                result: signature.result.clone(),
                is_range: signature.range.is_some(),
                calls: Vec::new(),
                closures: 0,
                called: 0,
                is_last: pass == 1,
            };
            // One with a mistake is never run; those that launch it find what they name.
            let code = body.function(item, &signature);
            let is_whole = code.is_ok();
            let code = code.unwrap_or_else(|Stop| body.code(item, &signature, NOTHING));
            let calls = std::mem::take(&mut body.calls);
            let mut used = std::mem::take(&mut body.infer);
            if pass == 0 {
                used.settle();
            }
            infer = used;
            found = Some((code, calls));
            if !is_whole {
                break;
            }
        }
        let (code, calls) = found?;
        let skipped = usize::from(signature.range.is_some());
        let mut kept = item.clone();
        kept.attrs.retain(|a| !a.path().is_ident("device"));
        let types = item.sig.inputs.iter().skip(skipped);
        let types = types
            .filter_map(|input| match input {
                syn::FnArg::Typed(typed) => Some(self.sources.snippet(&typed.ty)),
                syn::FnArg::Receiver(_) => None,
            })
            .collect();
        let result = match &item.sig.output {
            syn::ReturnType::Type(_, ty) => self.sources.snippet(ty),
            syn::ReturnType::Default => self.sources.snippet(quote::quote!(())),
        };
        Some(DeviceFunction {
            code,
            names: signature.names.iter().skip(skipped).cloned().collect(),
            types,
            result,
            calls,
            range: signature.range,
            gives_rows: signature.gives_rows(),
            item: self.sources.snippet(kept.to_token_stream()),
        })
    }
}

impl Body<'_> {
    fn function(&mut self, item: &syn::ItemFn, signature: &Signature) -> Read<Code> {
        let mut statements = Vec::new();
        let slots: Vec<Slot> = signature.parameters.iter().map(|_| self.slot()).collect();
        for ((input, ty), slot) in item.sig.inputs.iter().zip(&signature.parameters).zip(slots) {
            if let syn::FnArg::Typed(typed) = input {
                self.bind_parameter(&typed.pat, slot, ty, &mut statements)?;
            }
        }
        let (value, ty) = self.block(&item.block)?;
        let result = self.result.clone();
        self.unify(&result, &ty, &last_of(&item.block))?;
        let value = match self.infer.known(&ty) {
            T::Never => value,
            _ => self.given(value, &item.sig.ident),
        };
        let body = if statements.is_empty() {
            value
        } else {
            Expr::Block(statements, Some(Box::new(value)))
        };
        Ok(self.code(item, signature, body))
    }

    fn code(&self, item: &syn::ItemFn, signature: &Signature, body: Expr) -> Code {
        let result = signature.result.known();
        Code {
            number: 0,
            name: item.sig.ident.to_string(),
            parameters: signature.parameters.iter().map(T::known).collect(),
            result: match self.is_range {
                true => result.stored(),
                false => result,
            },
            slots: self.slots,
            body,
        }
    }

    /// The result of the function, as its callers get it.
    fn given(&mut self, value: Expr, at: &impl ToTokens) -> Expr {
        let ty = self.result.known();
        if !self.is_range || !ty.has_array() {
            return value;
        }
        let (slot, place) = (self.slot(), self.place(at));
        let stored = ty.unloaded(Expr::Local(slot), place);
        let value = Stmt::Let(slot, false, ty, Some(value));
        Expr::Block(vec![value], Some(Box::new(stored)))
    }

    /// The value of a type that was read from a buffer.
    fn loaded(&mut self, stored: Expr, ty: &T) -> Expr {
        let ty = self.ty(ty);
        if !ty.has_array() {
            return stored;
        }
        let slot = self.slot();
        let value = ty.loaded(Expr::Local(slot));
        let stored = Stmt::Let(slot, false, ty.stored(), Some(stored));
        Expr::Block(vec![stored], Some(Box::new(value)))
    }

    fn slot(&mut self) -> Slot {
        self.slots += 1;
        self.slots - 1
    }

    fn place(&mut self, tokens: &impl ToTokens) -> Place {
        self.reader.sources.whole(tokens)
    }

    /// Reports a mistake.
    fn fail<A>(&mut self, tokens: &impl ToTokens, diagnostic: Diagnostic) -> Read<A> {
        self.reader.refuse(tokens, diagnostic);
        Err(Stop)
    }

    /// Reports something that is not part of device functions, and what to write instead.
    fn refuse<A>(&mut self, tokens: &impl ToTokens, what: &str, instead: &str) -> Read<A> {
        self.fail(tokens, catalogue::not_for_device(what, instead))
    }

    /// Holds two types equal; reports it where they cannot be.
    fn unify(&mut self, wanted: &T, found: &T, at: &impl ToTokens) -> Read<()> {
        if self.infer.unify(wanted, found) {
            return Ok(());
        }
        let (wanted, found) = (self.infer.name(wanted), self.infer.name(found));
        self.fail(at, catalogue::device_types(&wanted, &found))
    }

    fn ty(&self, ty: &T) -> Ty {
        self.infer.ty(ty)
    }

    /// The type of a variable, which has to be known.
    fn ty_of(&mut self, ty: &T, at: &impl ToTokens) -> Read<Ty> {
        if self.is_last && !self.infer.is_known(ty) {
            let words = "the type of this is not known: declare it, for example `let x: f32`";
            return self.fail(at, catalogue::bad_device(words));
        }
        let found = self.ty(ty);
        self.small(&found, at)?;
        Ok(found)
    }

    /// Holds that a value fits the registers of a thread.
    fn small(&mut self, ty: &Ty, at: &impl ToTokens) -> Read<()> {
        let (leaves, most) = (ty.leaves(), signature::MOST_NUMBERS);
        if leaves > most {
            let what = format!("a value of {leaves} numbers, more than {most}, is");
            let instead = "each number is a register: pass a longer table as a `&[T]`";
            return self.refuse(at, &what, instead);
        }
        Ok(())
    }

    fn lookup(&self, name: &str) -> Option<Named> {
        let mut scopes = self.scopes.iter().rev();
        scopes.find_map(|scope| scope.get(name)).cloned()
    }

    fn bind(&mut self, name: String, named: Named) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name, named);
        }
    }

    fn scoped<A>(&mut self, f: impl FnOnce(&mut Self) -> Read<A>) -> Read<A> {
        self.scopes.push(Map::new());
        let result = f(self);
        self.scopes.pop();
        result
    }
}

/// The tokens that a mistake about the value of a block is shown at.
fn last_of(block: &syn::Block) -> proc_macro2::TokenStream {
    match block.stmts.last() {
        Some(syn::Stmt::Expr(value, None)) => value.to_token_stream(),
        Some(other) => other.to_token_stream(),
        None => {
            let span = block.brace_token.span.join().span();
            proc_macro2::TokenTree::from(proc_macro2::Ident::new("block", span)).into()
        }
    }
}
