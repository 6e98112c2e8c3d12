//! Parameters of a type without bounds, and what cannot be done with them.
//!
//! `fn twice<T>(x: T) -> T { x + x }` is no Rust, and rustc says so of the native copy, whose `T` has bounds of ours. What it proposes goes on with
//! those, and is no Rust either. So the two things that one does with such parameters are reported here: operators, and storing.

use super::Reader;
use crate::error::catalogue;
use crate::ordered::Map;
use crate::syntax::{Callee, Expr, ExprKind, LevelUse, Name, Parameter, PatternKind, Slot, Type};

/// The parameters of the function that is read: the name of the type of each one, and whether it is an array of such elements.
pub(super) type Unbounded = Map<Slot, (Name, bool)>;

/// Functions that store elements.
const STORING: &[&str] = &["compute", "compute_as", "hold", "to_mutable"];

/// The parameters whose type, or type of elements, has no bounds.
pub(super) fn parameters(generics: &syn::Generics, parameters: &[Parameter]) -> Unbounded {
    let names: Vec<_> = generics.type_params().collect();
    let has_none = |n: u32| {
        let parameter = names.get(n as usize)?;
        let is_free = parameter.bounds.is_empty() && generics.where_clause.is_none();
        is_free.then(|| super::name_of(&parameter.ident))
    };
    let one = |parameter: &Parameter| {
        let PatternKind::Bind(slot, ..) = parameter.pattern.kind else {
            return None;
        };
        let (ty, is_array) = match &parameter.ty.as_ref()?.ty {
            Type::Pull(element, _) | Type::Push(_, element, _) => (&**element, true),
            ty => (ty, false),
        };
        match ty {
            Type::Level(LevelUse::Generic(n)) => Some((slot, (has_none(*n)?, is_array))),
            _ => None,
        }
    };
    parameters.iter().filter_map(one).collect()
}

impl Reader {
    /// The parameter that an expression is, if nothing is known of its type; outside of closures, which have copies of it.
    fn unbounded(&self, expr: &Expr, is_array: bool) -> Option<Name> {
        match &expr.kind {
            ExprKind::Paren(inner) => self.unbounded(inner, is_array),
            ExprKind::Local(slot, _) if self.frames.len() == 1 => {
                let (name, array) = self.unbounded.get(slot)?;
                (*array == is_array).then(|| name.clone())
            }
            _ => None,
        }
    }

    /// Refuses an operator on a parameter of any type.
    pub(super) fn check_operands(&mut self, op: &syn::BinOp, left: &Expr, right: &Expr) {
        let name = self.unbounded(left, false);
        if let Some(name) = name.or_else(|| self.unbounded(right, false)) {
            let symbol = quote::quote!(#op).to_string();
            self.refuse(op, catalogue::unbounded_operand(&name, &symbol));
        }
    }

    /// Refuses to store elements of any type.
    pub(super) fn check_stored(&mut self, callee: &Expr, arguments: &[Expr]) {
        let (ExprKind::Path(Callee::Library(function), ..), Some(array)) =
            (&callee.kind, arguments.first())
        else {
            return;
        };
        if let Some(name) = self.unbounded(array, true)
            && STORING.contains(&&**function)
        {
            let wrong = catalogue::unbounded_element(&name, function);
            self.report(array.site, wrong);
        }
    }
}
