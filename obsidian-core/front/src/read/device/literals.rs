//! Literals and constants.

use syn::{Expr as S, Lit};

use super::super::Reader;
use super::infer::T;
use super::{Body, Read};
use crate::error::catalogue;
use crate::library::device::{Expr, Num};
use crate::names::constant_of_floats;
use crate::scalar::Literal;

/// A length that is a number or a constant.
pub(super) fn length(reader: &Reader, expr: &S) -> Option<u32> {
    match expr {
        S::Paren(inner) => length(reader, &inner.expr),
        S::Group(inner) => length(reader, &inner.expr),
        S::Lit(lit) => match &lit.lit {
            Lit::Int(n) => n.base10_parse().ok(),
            _ => None,
        },
        S::Path(path) => {
            let name = path.path.get_ident()?.to_string();
            let number = *reader.constants.get(&name)?;
            let item = reader.constant_items.get(number as usize)?.clone();
            length(reader, &item.expr)
        }
        _ => None,
    }
}

impl Body<'_> {
    pub(super) fn literal(&mut self, lit: &syn::ExprLit, negative: bool) -> Read<(Expr, T)> {
        match &lit.lit {
            Lit::Bool(value) => Ok((Expr::Literal(Num::Bool, u64::from(value.value)), T::BOOL)),
            Lit::Int(n) if matches!(n.suffix(), "f32" | "f64") => {
                self.float(lit, n.base10_digits(), n.suffix())
            }
            Lit::Int(n) => {
                let Ok(value) = n.base10_parse::<i128>() else {
                    return self.refuse(
                        lit,
                        "an integer of more than 64 bits is",
                        "the device has integers of 8 to 64 bits",
                    );
                };
                let ty = match n.suffix() {
                    "" => self.infer.integer(),
                    suffix => match Num::from_name(suffix) {
                        Some(num) => T::Num(num),
                        None => {
                            let what = format!("`{suffix}` is");
                            return self.refuse(
                                lit,
                                &what,
                                "the device has integers of 8 to 64 bits",
                            );
                        }
                    },
                };
                let value = if negative { -value } else { value };
                let num = self.infer.number(&ty).unwrap_or(Num::I32);
                let bits = Literal::from_bits(num.scalar(), value as u64).bits();
                let fits = Literal::integer(num.scalar(), value).is_some();
                if !fits && self.infer.open_kind(&ty).is_none() && num.is_integer() {
                    let words = format!("the literal does not fit `{}`", num.name());
                    return self.fail(lit, catalogue::bad_device(&words));
                }
                Ok((Expr::Literal(num, bits), ty))
            }
            Lit::Float(x) => {
                let (digits, suffix) = (x.base10_digits().to_owned(), x.suffix().to_owned());
                self.float(lit, &digits, &suffix)
            }
            Lit::Char(_) => self.refuse(
                lit,
                "`char` is",
                "use `u32`, which a `char` converts to with `as`",
            ),
            Lit::Byte(byte) => Ok((
                Expr::Literal(Num::U8, u64::from(byte.value())),
                T::Num(Num::U8),
            )),
            _ => self.refuse(lit, "`str` is", "there are numbers and arrays of them"),
        }
    }

    fn float(&mut self, lit: &syn::ExprLit, digits: &str, suffix: &str) -> Read<(Expr, T)> {
        let ty = match suffix {
            "" => self.infer.float(),
            suffix => match Num::from_name(suffix) {
                Some(num) => T::Num(num),
                None => {
                    let what = format!("`{suffix}` is");
                    return self.refuse(lit, &what, "the device has `f32` and `f64`");
                }
            },
        };
        // Rounded once, to the type that it has.
        let bits = match self.infer.number(&ty) {
            Some(Num::F32) => digits.parse::<f32>().map(|x| u64::from(x.to_bits())),
            _ => digits.parse::<f64>().map(f64::to_bits),
        };
        let num = self.infer.number(&ty).unwrap_or(Num::F64);
        match bits {
            Ok(bits) => Ok((Expr::Literal(num, bits), ty)),
            Err(_) => self.fail(lit, catalogue::bad_device("this float cannot be read")),
        }
    }

    /// A constant of a module: its value, at each use.
    pub(super) fn constant(&mut self, number: u32, at: &syn::Path) -> Read<(Expr, T)> {
        let Some(item) = self.reader.constant_items.get(number as usize).cloned() else {
            return self.fail(at, crate::error::catalogue::bug("a constant is not there"));
        };
        if self.closures > 64 {
            return self.fail(at, catalogue::bad_device("constants that use each other"));
        }
        let Some(ty) = self.reader.device_type(&item.ty) else {
            return Err(super::Stop);
        };
        // A constant of another module may use names that mean something else here.
        let own = self.reader.own_constants.contains(&number);
        if !own && !is_plain(&item.expr) {
            return self.refuse(
                at,
                "a constant of another module that is made of other constants is",
                "write its value, or a constant of this module",
            );
        }
        let scopes = std::mem::replace(&mut self.scopes, vec![Default::default()]);
        self.closures += 1;
        let value = self.expr(&item.expr);
        self.closures -= 1;
        self.scopes = scopes;
        let (value, found) = value?;
        self.unify(&ty, &found, at)?;
        Ok((value, ty))
    }

    /// `f32::MAX`, `std::f32::consts::PI`.
    pub(super) fn path_constant(&mut self, path: &syn::Path) -> Option<(Expr, T)> {
        let words: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
        let words = self.reader.standard_path(words);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let words = match words.as_slice() {
            ["std" | "core", rest @ ..] => rest,
            all => all,
        };
        let (num, name, is_math) = match words {
            [ty, "consts", name] => (Num::from_name(ty)?, *name, true),
            [ty, name] => (Num::from_name(ty)?, *name, false),
            _ => return None,
        };
        let scalar = num.scalar();
        let literal = if num.is_float() {
            // The constants of `f32` are those of `f64`, rounded: so are Rust's.
            let value = if is_math {
                constant_of_floats(name)?
            } else {
                float_constant(num, name)?
            };
            Literal::float(scalar, value)?
        } else {
            let (low, high) = scalar.range()?;
            match name {
                "MIN" => Literal::integer(scalar, low)?,
                "MAX" => Literal::integer(scalar, high)?,
                "BITS" => {
                    let bits = Literal::from(scalar.bits());
                    return Some((Expr::Literal(Num::U32, bits.bits()), T::Num(Num::U32)));
                }
                _ => return None,
            }
        };
        Some((Expr::Literal(num, literal.bits()), T::Num(num)))
    }
}

fn float_constant(num: Num, name: &str) -> Option<f64> {
    let single = num == Num::F32;
    Some(match name {
        "MAX" if single => f32::MAX.into(),
        "MAX" => f64::MAX,
        "MIN" if single => f32::MIN.into(),
        "MIN" => f64::MIN,
        "MIN_POSITIVE" if single => f32::MIN_POSITIVE.into(),
        "MIN_POSITIVE" => f64::MIN_POSITIVE,
        "EPSILON" if single => f32::EPSILON.into(),
        "EPSILON" => f64::EPSILON,
        "INFINITY" => f64::INFINITY,
        "NEG_INFINITY" => f64::NEG_INFINITY,
        "NAN" => f64::NAN,
        _ => return None,
    })
}

/// Is it made of literals alone?
fn is_plain(expr: &S) -> bool {
    match expr {
        S::Lit(_) => true,
        S::Unary(inner) => is_plain(&inner.expr),
        S::Paren(inner) => is_plain(&inner.expr),
        S::Group(inner) => is_plain(&inner.expr),
        S::Cast(inner) => is_plain(&inner.expr),
        S::Binary(inner) => is_plain(&inner.left) && is_plain(&inner.right),
        S::Array(list) => list.elems.iter().all(is_plain),
        S::Tuple(list) => list.elems.iter().all(is_plain),
        S::Path(path) => path.path.segments.len() > 1,
        _ => false,
    }
}
