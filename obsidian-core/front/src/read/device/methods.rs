//! Methods of numbers, slices and arrays.

use quote::ToTokens;
use syn::Expr as S;

use super::infer::T;
use super::{Body, Read};
use crate::error::catalogue;
use crate::library::device::{Expr, Made, Num};
use crate::scalar::{BinaryOp, UnaryOp};

/// Methods of one float that are one operator.
const FLOAT: &[(&str, UnaryOp)] = &[
    ("abs", UnaryOp::Abs),
    ("acos", UnaryOp::Acos),
    ("acosh", UnaryOp::Acosh),
    ("asin", UnaryOp::Asin),
    ("asinh", UnaryOp::Asinh),
    ("atan", UnaryOp::Atan),
    ("atanh", UnaryOp::Atanh),
    ("cbrt", UnaryOp::Cbrt),
    ("ceil", UnaryOp::Ceil),
    ("cos", UnaryOp::Cos),
    ("cosh", UnaryOp::Cosh),
    ("exp", UnaryOp::Exp),
    ("exp2", UnaryOp::Exp2),
    ("exp_m1", UnaryOp::ExpM1),
    ("floor", UnaryOp::Floor),
    ("ln", UnaryOp::Ln),
    ("ln_1p", UnaryOp::Ln1p),
    ("log10", UnaryOp::Log10),
    ("log2", UnaryOp::Log2),
    ("round", UnaryOp::Round),
    ("signum", UnaryOp::Signum),
    ("sin", UnaryOp::Sin),
    ("sinh", UnaryOp::Sinh),
    ("sqrt", UnaryOp::Sqrt),
    ("tan", UnaryOp::Tan),
    ("tanh", UnaryOp::Tanh),
    ("trunc", UnaryOp::Trunc),
];

const INTEGER: &[(&str, UnaryOp)] = &[("reverse_bits", UnaryOp::ReverseBits)];

const SIGNED: &[(&str, UnaryOp)] = &[
    ("abs", UnaryOp::Abs),
    ("signum", UnaryOp::Signum),
    ("wrapping_abs", UnaryOp::Abs),
    ("wrapping_neg", UnaryOp::Neg),
];

const FLOAT_TWO: &[(&str, BinaryOp)] = &[
    ("atan2", BinaryOp::Atan2),
    ("copysign", BinaryOp::CopySign),
    ("hypot", BinaryOp::Hypot),
    ("max", BinaryOp::Max),
    ("min", BinaryOp::Min),
    ("powf", BinaryOp::Pow),
];

const INTEGER_TWO: &[(&str, BinaryOp)] = &[
    ("max", BinaryOp::Max),
    ("min", BinaryOp::Min),
    ("wrapping_add", BinaryOp::Add),
    ("wrapping_mul", BinaryOp::Mul),
    ("wrapping_sub", BinaryOp::Sub),
];

/// Of numbers without a sign they are `/` and `%`.
const UNSIGNED_TWO: &[(&str, BinaryOp)] =
    &[("div_euclid", BinaryOp::Div), ("rem_euclid", BinaryOp::Rem)];

const MADE: &[(&str, Made)] = &[
    ("abs_diff", Made::AbsDiff),
    ("div_euclid", Made::DivEuclid),
    ("rem_euclid", Made::RemEuclid),
    ("saturating_add", Made::SaturatingAdd),
    ("saturating_mul", Made::SaturatingMul),
    ("saturating_sub", Made::SaturatingSub),
];

const COUNTS: &[(&str, Made)] = &[
    ("count_ones", Made::CountOnes),
    ("leading_zeros", Made::LeadingZeros),
    ("trailing_zeros", Made::TrailingZeros),
];

fn find<A: Copy>(list: &[(&str, A)], name: &str) -> Option<A> {
    list.iter().find(|(n, _)| *n == name).map(|(_, op)| *op)
}

impl Body<'_> {
    pub(super) fn method(&mut self, call: &syn::ExprMethodCall) -> Read<(Expr, T)> {
        let name = call.method.to_string();
        if let Some(turbofish) = &call.turbofish {
            let instead = format!(
                "leave it out, `.{name}(..)`, and say the type where the value gets its name: `let y: u32 = ..`"
            );
            return self.refuse(turbofish, "a type argument is", &instead);
        }
        let (value, ty) = self.expr(&call.receiver)?;
        let known = self.infer.known(&ty);
        if let T::Slice(_) | T::Array(..) = known {
            return self.of_elements(&name, value, &known, call);
        }
        if name == "clone" && call.args.is_empty() {
            return match known {
                T::Num(_) | T::Var(_) | T::Struct(_) => Ok((value, ty)),
                _ => self.refuse(
                    &call.method,
                    "`clone` is",
                    "use the value: numbers are copied",
                ),
            };
        }
        if let T::Struct(_) = known {
            return self.refuse(
                &call.method,
                "a method of a struct is",
                "write a `#[device]` function that takes the value",
            );
        }
        let arguments: Vec<&S> = call.args.iter().collect();
        self.method_of(&name, (value, ty), &arguments, (&call.method, call))
    }

    fn of_elements(
        &mut self,
        name: &str,
        value: Expr,
        ty: &T,
        call: &syn::ExprMethodCall,
    ) -> Read<(Expr, T)> {
        match (name, call.args.len()) {
            ("len", 0) => Ok((Expr::Len(Box::new(value)), T::Num(Num::Usize))),
            ("is_empty", 0) => {
                let place = self.place(call);
                let (len, zero) = (Expr::Len(Box::new(value)), Expr::Literal(Num::Usize, 0));
                let empty = Expr::Binary(BinaryOp::Eq, Box::new(len), Box::new(zero), place);
                Ok((empty, T::BOOL))
            }
            ("to_vec" | "to_owned" | "into_boxed_slice", _) => {
                let what = format!("`{name}` is");
                let instead = "nothing is allocated on the device: index the slice";
                self.refuse(&call.method, &what, instead)
            }
            ("iter" | "windows" | "chunks" | "map" | "into_iter" | "iter_mut", _) => {
                let what = format!("the iterator `{name}` outside of a `for` is");
                self.refuse(&call.method, &what, "write a `for` loop over it")
            }
            _ => {
                let of = self.infer.name(ty);
                let known = ["len", "is_empty"];
                self.fail(&call.method, catalogue::device_method(name, &of, &known))
            }
        }
    }

    /// A method of a number.
    pub(super) fn method_of(
        &mut self,
        name: &str,
        (value, ty): (Expr, T),
        arguments: &[&S],
        (at, whole): (&impl ToTokens, &impl ToTokens),
    ) -> Read<(Expr, T)> {
        let Some(num) = self.infer.number(&ty) else {
            let of = self.infer.name(&ty);
            return self.fail(at, catalogue::device_method(name, &of, &[]));
        };
        let boxed = Box::new(value.clone());
        let place = self.place(whole);
        let is_signed = num.is_integer() && num.scalar().is_signed();
        match arguments {
            [] => {
                let unary = match () {
                    () if num.is_float() => find(FLOAT, name),
                    () if is_signed => find(SIGNED, name).or(find(INTEGER, name)),
                    () if num.is_integer() => find(INTEGER, name),
                    () => None,
                };
                if let Some(op) = unary {
                    return Ok((Expr::Unary(op, boxed), ty));
                }
                if num.is_integer()
                    && let Some(made) = find(COUNTS, name)
                {
                    return Ok((Expr::Made(made, vec![value], place), T::Num(Num::U32)));
                }
                match name {
                    "to_bits" if num.is_float() => {
                        let bits = match num {
                            Num::F32 => Num::U32,
                            _ => Num::U64,
                        };
                        return Ok((Expr::OfBits(UnaryOp::ToBits, boxed, bits), T::Num(bits)));
                    }
                    "is_nan" if num.is_float() => {
                        return Ok((Expr::Made(Made::IsNan, vec![value], place), T::BOOL));
                    }
                    "recip" if num.is_float() => {
                        return Ok((Expr::Made(Made::Recip, vec![value], place), ty));
                    }
                    "fract" if num.is_float() => {
                        return Ok((Expr::Made(Made::Fract, vec![value], place), ty));
                    }
                    _ => {}
                }
            }
            [second] => {
                let two = match () {
                    () if num.is_float() => find(FLOAT_TWO, name),
                    () if num.is_integer() => {
                        let unsigned =
                            || find(UNSIGNED_TWO, name).filter(|_| !num.scalar().is_signed());
                        find(INTEGER_TWO, name).or_else(unsigned)
                    }
                    () => None,
                };
                if let Some(op) = two {
                    let (right, found) = self.boxed(second)?;
                    self.unify(&ty, &found, second)?;
                    return Ok((Expr::Binary(op, boxed, right, place), ty));
                }
                if num.is_integer()
                    && let Some(made) = find(MADE, name)
                {
                    let (right, found) = self.expr(second)?;
                    self.unify(&ty, &found, second)?;
                    let gives = match (made, num) {
                        (Made::AbsDiff, Num::I8) => T::Num(Num::U8),
                        (Made::AbsDiff, Num::I16) => T::Num(Num::U16),
                        (Made::AbsDiff, Num::I32) => T::Num(Num::U32),
                        (Made::AbsDiff, Num::I64) => T::Num(Num::U64),
                        (Made::AbsDiff, Num::Isize) => T::Num(Num::Usize),
                        _ => ty,
                    };
                    return Ok((Expr::Made(made, vec![value, right], place), gives));
                }
                match name {
                    "rotate_left" | "rotate_right" if num.is_integer() => {
                        let (right, found) = self.expr(second)?;
                        self.unify(&T::Num(Num::U32), &found, second)?;
                        let made = match name {
                            "rotate_left" => Made::RotateLeft,
                            _ => Made::RotateRight,
                        };
                        return Ok((Expr::Made(made, vec![value, right], place), ty));
                    }
                    "wrapping_shl" | "wrapping_shr" if num.is_integer() => {
                        let (right, found) = self.boxed(second)?;
                        self.unify(&T::Num(Num::U32), &found, second)?;
                        let op = match name {
                            "wrapping_shl" => BinaryOp::Shl,
                            _ => BinaryOp::Shr,
                        };
                        return Ok((Expr::Binary(op, boxed, right, place), ty));
                    }
                    "powi" if num.is_float() => return self.powi(boxed, ty, second),
                    _ => {}
                }
            }
            [second, third] if matches!(name, "mul_add" | "clamp") => {
                let fits = match name {
                    "mul_add" => num.is_float(),
                    _ => num != Num::Bool,
                };
                if fits {
                    let (y, found) = self.expr(second)?;
                    self.unify(&ty, &found, second)?;
                    let (z, found) = self.expr(third)?;
                    self.unify(&ty, &found, third)?;
                    let made = match name {
                        "mul_add" => Made::MulAdd,
                        _ => Made::Clamp,
                    };
                    return Ok((Expr::Made(made, vec![value, y, z], place), ty));
                }
            }
            _ => {}
        }
        let of = self.infer.name(&ty);
        let known = known(num);
        self.fail(at, catalogue::device_method(name, &of, &known))
    }

    fn powi(&mut self, value: Box<Expr>, ty: T, exponent: &S) -> Read<(Expr, T)> {
        let (read, found) = self.expr(exponent)?;
        self.unify(&T::Num(Num::I32), &found, exponent)?;
        match read {
            Expr::Literal(_, bits) => Ok((Expr::Powi(value, bits as u32), ty)),
            _ => self.refuse(
                exponent,
                "a computed exponent of `powi` is",
                "write a number, or `powf`",
            ),
        }
    }
}

/// The methods of a number, for suggestions.
fn known(num: Num) -> Vec<&'static str> {
    fn names<A>(list: &[(&'static str, A)]) -> Vec<&'static str> {
        list.iter().map(|(name, _)| *name).collect()
    }
    let mut all = if num.is_float() {
        let more = [
            "to_bits", "is_nan", "recip", "fract", "mul_add", "clamp", "powi",
        ];
        [names(FLOAT), names(FLOAT_TWO), more.to_vec()].concat()
    } else if num.is_integer() {
        let more = [
            "rotate_left",
            "rotate_right",
            "wrapping_shl",
            "wrapping_shr",
            "clamp",
        ];
        let lists = [
            names(INTEGER),
            names(INTEGER_TWO),
            names(MADE),
            names(COUNTS),
        ];
        [lists.concat(), more.to_vec()].concat()
    } else {
        Vec::new()
    };
    if num.is_integer() && num.scalar().is_signed() {
        all.extend(names(SIGNED));
    }
    all
}
