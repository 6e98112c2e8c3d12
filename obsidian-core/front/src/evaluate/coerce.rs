//! What a declared type says about a value: the types of integer literals, and levels.

use std::rc::Rc;

use super::operators::of_type;
use super::{Eval, Frame, Machine, Value};
use crate::array::{Len, Length, Sizes};
use crate::error::catalogue;
use crate::ir::Level;
use crate::scalar::ScalarType;
use crate::syntax::{BinOp, Expr, ExprKind, HostType, LevelUse, Site, Type};

/// The level that a type names, in a frame whose type parameters are bound.
pub(super) fn level_of(level: LevelUse, levels: &[Option<Level>]) -> Option<Level> {
    match level {
        LevelUse::Known(level) => Some(level),
        LevelUse::Generic(n) => levels.get(n as usize).copied().flatten(),
        LevelUse::Unknown => None,
    }
}

impl Machine {
    /// The value as one of a declared type.
    pub(super) fn coerce(
        &self,
        value: Value,
        ty: &Type,
        levels: &[Option<Level>],
        site: Site,
    ) -> Eval {
        Ok(match (ty, value) {
            (Type::Host(ty), Value::Int(n, None)) => self.typed_integer(n, *ty, site)?,
            (Type::Host(ty @ HostType::Scalar(ScalarType::F32)), Value::Float(x, None)) => {
                Value::Float(f64::from(x as f32), Some(*ty))
            }
            (Type::Host(ty), Value::Float(x, None)) => Value::Float(x, Some(*ty)),
            (Type::Host(ty), Value::Int(_, Some(from)) | Value::Float(_, Some(from)))
                if from != *ty =>
            {
                let wrong = catalogue::other_number("a value", ty.name(), from.name(), None);
                return self.fail(site, wrong);
            }
            (Type::Exp(ty), Value::Untyped(untyped)) => {
                self.at(site, || Value::Exp(untyped.typed(*ty)))?
            }
            (Type::Exp(ty), value @ (Value::Int(..) | Value::Float(..) | Value::Bool(_))) => {
                let found = value.kind();
                return self.fail(site, catalogue::host_value(&ty.exp_name(), &found));
            }
            (Type::Exp(ty), Value::Exp(e)) if e.ty() != *ty => {
                let (wanted, found) = (ty.exp_name(), e.ty().exp_name());
                let wrong = catalogue::other_element("the declared type", &wanted, &found, None);
                return self.fail(site, wrong);
            }
            (Type::Tuple(types), Value::Tuple(values)) if types.len() == values.len() => {
                let fields = types.iter().zip(values.iter());
                Value::tuple(
                    fields
                        .map(|(t, v)| self.coerce(v.clone(), t, levels, site))
                        .collect::<Eval<_>>()?,
                )
            }
            (Type::Vec(element), Value::Vec(list)) => Value::Vec(Rc::new(
                list.iter()
                    .map(|v| self.coerce(v.clone(), element, levels, site))
                    .collect::<Eval<_>>()?,
            )),
            (Type::Option(element), Value::Option(Some(value))) => Value::Option(Some(Rc::new(
                self.coerce((*value).clone(), element, levels, site)?,
            ))),
            (Type::Pull(_, size), Value::Pull(pull)) if size.rank == pull.shape().0.len() => {
                let shape = self.declared(&pull.shape(), size.is_static, "Pull", site)?;
                Value::Pull(pull.set_size(shape))
            }
            (Type::Push(level, _, size), Value::Push(push))
                if size.rank == push.shape().0.len() =>
            {
                let shape = self.declared(&push.shape(), size.is_static, "Push", site)?;
                let level = self.declared_level(push.level(), *level, levels, site)?;
                Value::Push(push.set_size(shape).stamped(level))
            }
            (Type::Arr(rank, element), Value::Whole(arr)) => {
                self.declared_array(arr, (*rank, element), site)?
            }
            (Type::Program(level, _), Value::Program(program)) => {
                let level = level_of(*level, levels);
                self.at(site, || program.stands_at(level))?;
                Value::Program(program.stamped(level))
            }
            (_, value) => value,
        })
    }

    /// The level that a declared type says, which is that of the array where that is known.
    fn declared_level(
        &self,
        own: Option<Level>,
        level: LevelUse,
        levels: &[Option<Level>],
        site: Site,
    ) -> Eval<Option<Level>> {
        let said = level_of(level, levels);
        match (own, said) {
            (Some(own), Some(said)) if own != said => self.fail(
                site,
                catalogue::pushed_at_another_level(own.name(), said.name()),
            ),
            _ => Ok(said),
        }
    }

    /// A shape as a declared type has it: a static one where that is said.
    fn declared(
        &self,
        shape: &Sizes<Len>,
        is_static: bool,
        ty: &str,
        site: Site,
    ) -> Eval<Sizes<Len>> {
        let size = |len: &Len| match (len, is_static) {
            (Len::Dynamic(n), true) if n.fixed().is_none() => {
                let ty = match shape.0.len() {
                    1 => format!("`{ty}`"),
                    rank => format!("`{ty}{rank}`"),
                };
                self.fail(site, catalogue::length_not_static(&ty))
            }
            (len, true) => Ok(*len),
            (len, false) => Ok(Len::Dynamic(len.exp())),
        };
        shape.0.iter().map(size).collect::<Eval<_>>().map(Sizes)
    }

    /// An integer of a type, in its range.
    pub(super) fn typed_integer(&self, n: i128, ty: HostType, site: Site) -> Eval {
        let n = of_type(n, Some(ty));
        match ty.scalar().range() {
            Some((low, high)) if n < low || n > high => self.fail(
                site,
                catalogue::host_arithmetic(format!("{n} is out of range for {}", ty.name())),
            ),
            None => Ok(Value::Int(n, None)),
            Some(_) => Ok(Value::Int(n, Some(ty))),
        }
    }

    /// A host integer as a static length or count: a `u32`.
    pub(super) fn count(&self, value: &Value, what: &str, site: Site) -> Eval<u32> {
        self.is_of(HostType::Scalar(ScalarType::U32), value, (what, None), site)?;
        self.counted(value, what, site)
    }

    /// A host integer as an index or a length of a `Vec`, a `usize`.
    pub(super) fn host_count(&self, value: &Value, what: &str, site: Site) -> Eval<u32> {
        self.is_of(HostType::Usize, value, (what, None), site)?;
        self.counted(value, what, site)
    }

    /// Fails if a value is an integer of the host whose type is known to be another one. `what` is its purpose, with the name of
    /// its variable.
    pub(super) fn is_of(
        &self,
        ty: HostType,
        value: &Value,
        (what, name): (&str, Option<&str>),
        site: Site,
    ) -> Eval<()> {
        match value {
            Value::Int(_, Some(from)) if *from != ty => self.fail(
                site,
                catalogue::other_number(what, ty.name(), from.name(), name),
            ),
            _ => Ok(()),
        }
    }

    /// A variable of the host that holds an integer without a type has the type of its first use.
    pub(super) fn learn(&self, ty: HostType, expr: &Expr, frame: &mut Frame<'_>) {
        match &expr.kind {
            ExprKind::Local(slot, _) => {
                if let Some(Value::Int(_, known @ None)) = frame.slots.get_mut(*slot as usize) {
                    *known = Some(ty);
                }
            }
            ExprKind::Paren(inner) => self.learn(ty, inner, frame),
            ExprKind::Binary(BinOp::Device(op), left, right, _)
                if !op.is_shift() && !op.is_comparison() =>
            {
                self.learn(ty, left, frame);
                self.learn(ty, right, frame);
            }
            _ => {}
        }
    }

    fn counted(&self, value: &Value, what: &str, site: Site) -> Eval<u32> {
        match value {
            Value::Int(n, _) => match u32::try_from(*n) {
                Ok(n) => Ok(n),
                Err(_) => self.fail(
                    site,
                    catalogue::host_arithmetic(format!("{what} is {n}, which is not a u32")),
                ),
            },
            Value::Exp(e) => match e.as_literal().filter(|l| l.ty() == ScalarType::U32) {
                Some(literal) => Ok(literal.u32()),
                None => self.fail(site, catalogue::not_static(what)),
            },
            Value::Poison => Err(super::Flow::Stop),
            other => self.wrong_kind(&format!("{what}, an integer of the host"), other, site),
        }
    }

    /// A value as a length.
    pub(super) fn length(&self, value: &Value, site: Site) -> Eval<Len> {
        match value {
            Value::Exp(e) => match e.typed::<u32>() {
                Some(n) => Ok(Len::Dynamic(n)),
                None => self.wrong_kind("a length, a u32", value, site),
            },
            // `lit(5)` where a length is wanted.
            Value::Untyped(untyped) => {
                let length = untyped.typed(ScalarType::U32);
                self.length(&Value::Exp(length), site)
            }
            other => Ok(Len::Static(self.count(other, "a length", site)?)),
        }
    }

    /// A length that has to be static.
    pub(super) fn fixed(&self, len: Len, what: &str, site: Site) -> Eval<u32> {
        match len {
            Len::Static(n) => Ok(n),
            Len::Dynamic(n) => match n.fixed() {
                Some(n) => self.fail(site, catalogue::length_of_the_device(what, n)),
                None => self.fail(site, catalogue::length_not_static(what)),
            },
        }
    }

    /// The levels of a turbofish, in the frame where it stands.
    pub(super) fn turbofish(
        &self,
        types: &[crate::syntax::TypeUse],
        frame: &Frame<'_>,
    ) -> Vec<Option<Level>> {
        types
            .iter()
            .map(|t| {
                if let Type::Level(level) = t.ty {
                    level_of(level, &frame.levels)
                } else {
                    None
                }
            })
            .collect()
    }
}
