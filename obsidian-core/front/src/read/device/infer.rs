//! Types by unification, inside of one function.

use std::sync::Arc;

use super::structs::Struct;
use crate::library::device::{Num, Ty, grouped};

/// A type that may not be known yet.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum T {
    /// The n-th unknown.
    Var(u32),
    Num(Num),
    Tuple(Vec<T>),
    Array(Box<T>, u32),
    Slice(Box<T>),
    Struct(Arc<Struct>),
    /// Of what never has a value.
    Never,
}

/// What is known of an unknown.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Kind {
    Any,
    Integer,
    Float,
}

/// The unknowns of a function.
#[derive(Default, Debug)]
pub(super) struct Infer {
    vars: Vec<(Kind, Option<T>)>,
    /// How many of them the present pass has asked for.
    asked: usize,
}

impl T {
    pub(super) const UNIT: T = T::Tuple(Vec::new());
    pub(super) const BOOL: T = T::Num(Num::Bool);

    /// The type of a value of the tree, if all of this one is known.
    pub(super) fn known(&self) -> Ty {
        Infer::default().ty(self)
    }
}

impl Infer {
    /// The same for the next pass, with what is known.
    pub(super) fn again(&mut self) -> Infer {
        Infer {
            vars: std::mem::take(&mut self.vars),
            asked: 0,
        }
    }

    /// What nothing has told has the type that Rust gives it.
    pub(super) fn settle(&mut self) {
        for (kind, known) in &mut self.vars {
            if known.is_none() {
                *known = match kind {
                    Kind::Integer => Some(T::Num(Num::I32)),
                    Kind::Float => Some(T::Num(Num::F64)),
                    Kind::Any => None,
                };
            }
        }
    }

    fn var(&mut self, kind: Kind) -> T {
        if self.asked == self.vars.len() {
            self.vars.push((kind, None));
        }
        self.asked += 1;
        T::Var(self.asked as u32 - 1)
    }

    pub(super) fn any(&mut self) -> T {
        self.var(Kind::Any)
    }

    pub(super) fn integer(&mut self) -> T {
        self.var(Kind::Integer)
    }

    pub(super) fn float(&mut self) -> T {
        self.var(Kind::Float)
    }

    /// The type as far as it is known.
    pub(super) fn known(&self, ty: &T) -> T {
        let mut ty = ty.clone();
        while let T::Var(n) = ty {
            match self.vars.get(n as usize) {
                Some((_, Some(known))) => ty = known.clone(),
                _ => break,
            }
        }
        ty
    }

    /// Is it a number, of which only the kind is known: float or integer?
    pub(super) fn open_kind(&self, ty: &T) -> Option<bool> {
        match self.known(ty) {
            T::Var(n) => match self.vars.get(n as usize)?.0 {
                Kind::Float => Some(true),
                Kind::Integer => Some(false),
                Kind::Any => None,
            },
            _ => None,
        }
    }

    /// The number that it is, where that is known; of an open one, what Rust would choose.
    pub(super) fn number(&self, ty: &T) -> Option<Num> {
        match self.known(ty) {
            T::Num(num) => Some(num),
            other => match self.open_kind(&other)? {
                true => Some(Num::F64),
                false => Some(Num::I32),
            },
        }
    }

    pub(super) fn unify(&mut self, x: &T, y: &T) -> bool {
        let (x, y) = (self.known(x), self.known(y));
        match (x, y) {
            (T::Never, _) | (_, T::Never) => true,
            (T::Var(n), T::Var(m)) if n == m => true,
            (T::Var(n), T::Var(m)) => {
                let (a, b) = (self.vars[n as usize].0, self.vars[m as usize].0);
                let kind = match (a, b) {
                    (Kind::Any, kind) | (kind, Kind::Any) => kind,
                    (a, b) if a == b => a,
                    _ => return false,
                };
                self.vars[m as usize].0 = kind;
                self.vars[n as usize].1 = Some(T::Var(m));
                true
            }
            (T::Var(n), ty) | (ty, T::Var(n)) => {
                let fits = match (self.vars[n as usize].0, &ty) {
                    (Kind::Any, _) => true,
                    (Kind::Integer, T::Num(num)) => num.is_integer(),
                    (Kind::Float, T::Num(num)) => num.is_float(),
                    _ => false,
                };
                if fits && !self.occurs(n, &ty) {
                    self.vars[n as usize].1 = Some(ty);
                    return true;
                }
                false
            }
            (T::Num(a), T::Num(b)) => a == b,
            (T::Tuple(a), T::Tuple(b)) => {
                a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| self.unify(a, b))
            }
            (T::Array(a, n), T::Array(b, m)) => n == m && self.unify(&a, &b),
            (T::Slice(a), T::Slice(b)) => self.unify(&a, &b),
            (T::Struct(a), T::Struct(b)) => a == b,
            _ => false,
        }
    }

    fn occurs(&self, n: u32, ty: &T) -> bool {
        match self.known(ty) {
            T::Var(m) => n == m,
            T::Tuple(list) => list.iter().any(|ty| self.occurs(n, ty)),
            T::Array(inner, _) | T::Slice(inner) => self.occurs(n, &inner),
            T::Num(_) | T::Struct(_) | T::Never => false,
        }
    }

    /// The type, where all is known; a placeholder else.
    pub(super) fn ty(&self, ty: &T) -> Ty {
        match self.known(ty) {
            T::Num(num) => Ty::Num(num),
            T::Tuple(list) => Ty::Tuple(list.iter().map(|ty| self.ty(ty)).collect()),
            T::Array(inner, n) => Ty::Array(Box::new(self.ty(&inner)), n),
            T::Slice(inner) => Ty::Slice(Box::new(self.ty(&inner).stored())),
            T::Struct(of) => {
                let fields = of.fields.iter().map(|field| self.ty(&field.ty));
                grouped(fields.collect(), &Ty::Tuple).unwrap_or(Ty::Tuple(Vec::new()))
            }
            T::Var(_) | T::Never => Ty::Tuple(Vec::new()),
        }
    }

    /// Is all of a type known in the second pass?
    pub(super) fn is_known(&self, ty: &T) -> bool {
        match self.known(ty) {
            T::Num(_) | T::Struct(_) | T::Never => true,
            T::Tuple(list) => list.iter().all(|ty| self.is_known(ty)),
            T::Array(inner, _) | T::Slice(inner) => self.is_known(&inner),
            T::Var(_) => false,
        }
    }

    /// Is a slice part of it?
    pub(super) fn has_slice(&self, ty: &T) -> bool {
        match self.known(ty) {
            T::Slice(_) => true,
            T::Tuple(list) => list.iter().any(|ty| self.has_slice(ty)),
            T::Array(inner, _) => self.has_slice(&inner),
            T::Var(_) | T::Num(_) | T::Struct(_) | T::Never => false,
        }
    }

    /// The type in a message.
    pub(super) fn name(&self, ty: &T) -> String {
        match self.known(ty) {
            T::Num(num) => num.name().to_owned(),
            T::Tuple(list) if list.is_empty() => "()".to_owned(),
            T::Tuple(list) => {
                let list: Vec<String> = list.iter().map(|ty| self.name(ty)).collect();
                format!("({})", list.join(", "))
            }
            T::Array(inner, n) => format!("[{}; {n}]", self.name(&inner)),
            T::Slice(inner) => format!("&[{}]", self.name(&inner)),
            T::Struct(of) => of.name.clone(),
            T::Never => "!".to_owned(),
            T::Var(n) => match self.vars.get(n as usize) {
                Some((Kind::Integer, _)) => "an integer".to_owned(),
                Some((Kind::Float, _)) => "a float".to_owned(),
                _ => "a type that is not known".to_owned(),
            },
        }
    }
}
