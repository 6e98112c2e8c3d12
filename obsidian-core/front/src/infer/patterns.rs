//! The types of what patterns bind.

use super::scheme::Head;
use super::unify::{Form, Id, Kind, Node, Scalar};
use super::walk::Walk;
use crate::scalar::ScalarType;
use crate::syntax::{HostType, Lit, Pattern, PatternKind};

impl Walk<'_> {
    /// Relates a pattern to the type of what it takes.
    pub(super) fn pattern(&mut self, pattern: &Pattern, of: Id) {
        match &pattern.kind {
            PatternKind::Wild => {}
            PatternKind::Bind(slot, ..) => self.bind(*slot, of),
            PatternKind::Tuple(list) => self.fields(list, of),
            PatternKind::Or(list) => list.iter().for_each(|one| self.pattern(one, of)),
            PatternKind::Some(inner) => {
                let value = self.types.var();
                let option = self.types.made(Head::Option, [value]);
                self.types.unify(of, option);
                self.pattern(inner, value);
            }
            PatternKind::None => {
                let value = self.types.var();
                let option = self.types.made(Head::Option, [value]);
                self.types.unify(of, option);
            }
            PatternKind::Ref(inner) => self.pattern(inner, of),
            PatternKind::Lit(lit, _) => {
                let host = self.types.number(Form::Host, scalar_of(lit));
                self.types.unify(of, host);
            }
            PatternKind::Constant(..) | PatternKind::Range(..) => {
                let host = self.types.number(Form::Host, Scalar::Open(Kind::Any));
                self.types.unify(of, host);
            }
        }
    }

    fn fields(&mut self, list: &[Pattern], of: Id) {
        if let Node::Var(_) = self.types.known(of).1 {
            let parts: Vec<Id> = list.iter().map(|_| self.types.var()).collect();
            let tuple = self.types.made(Head::Tuple, parts);
            self.types.unify(of, tuple);
        }
        match self.types.made_of(of) {
            Some((Head::Tuple, parts)) if parts.len() == list.len() => {
                let fields = list.iter().zip(parts);
                fields.for_each(|(one, part)| self.pattern(one, part));
            }
            _ => {
                for one in list {
                    let unknown = self.types.var();
                    self.pattern(one, unknown);
                }
            }
        }
    }
}

/// What a literal says of its type.
pub(super) fn scalar_of(lit: &Lit) -> Scalar {
    match lit {
        Lit::Bool(_) => Scalar::Known(HostType::Scalar(ScalarType::Bool)),
        Lit::Int(_, Some(ty)) | Lit::Float(_, Some(ty)) => Scalar::Known(*ty),
        Lit::Int(_, None) => Scalar::Open(Kind::Integer),
        Lit::Float(_, None) => Scalar::Open(Kind::Float),
        Lit::Str(_) => Scalar::Open(Kind::Any),
    }
}
