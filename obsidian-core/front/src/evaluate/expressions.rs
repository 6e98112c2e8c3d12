//! Expressions that do not choose what runs next.

use std::rc::Rc;

use super::operators::of_type;
use super::table::constant;
use super::value::ClosureValue;
use super::{Eval, Flow, Frame, Machine, Value};
use crate::error::catalogue;
use crate::infer::{Placed, is_literal};
use crate::names::constant_of_floats;
use crate::scalar::{AnyExp, Literal, ScalarType, UnaryOp, here, indexed_at, meaning};
use crate::syntax::{BinOp, Callee, Expr, ExprKind, HostType, Lit, Site, Type};

impl Machine {
    /// The value of an expression.
    pub(super) fn eval(self: &Rc<Self>, expr: &Expr, frame: &mut Frame<'_>) -> Eval {
        self.step(expr.site)?;
        let site = expr.site;
        match &expr.kind {
            ExprKind::Lit(lit, _) if self.is_device_literal(site) => self.device_literal(lit, site),
            ExprKind::Lit(lit, _) => self.literal(lit, site),
            ExprKind::Local(slot, _) => Ok(frame.slots[*slot as usize].clone()),
            ExprKind::Constant(index, _) => {
                let value = self.constant(*index)?;
                self.where_it_stands(value, site)
            }
            ExprKind::HostConstant(ty, text) => {
                let value = self.host_constant(*ty, text, site)?;
                self.where_it_stands(value, site)
            }
            ExprKind::Path(callee, name, types) => Ok(match callee {
                Callee::Library(name) => constant(name),
                Callee::Arrays(name) => super::whole::boundary(name),
                _ => None,
            }
            .unwrap_or_else(|| {
                Value::Function(callee.clone(), name.clone(), self.turbofish(types, frame))
            })),
            ExprKind::None => Ok(Value::Option(None)),
            ExprKind::Deref(inner) if is_literal(inner) => self.fail(site, catalogue::power()),
            ExprKind::Paren(inner) | ExprKind::Deref(inner) | ExprKind::Ref(inner) => {
                self.eval(inner, frame)
            }
            ExprKind::Unary(UnaryOp::Neg, value) if self.is_device_literal(site) => {
                match &value.kind {
                    ExprKind::Lit(Lit::Int(n, ty), _) => {
                        self.device_literal(&Lit::Int(-n, *ty), site)
                    }
                    ExprKind::Lit(Lit::Float(x, ty), _) => {
                        self.device_literal(&Lit::Float(-x, *ty), site)
                    }
                    _ => Err(Flow::Stop),
                }
            }
            ExprKind::Unary(op, value) => {
                if let (UnaryOp::Neg, ExprKind::Lit(Lit::Int(n, ty), _)) = (op, &value.kind) {
                    return self.literal(&Lit::Int(-n, *ty), site);
                }
                let value = self.eval(value, frame)?;
                self.unary(*op, value, site)
            }
            ExprKind::Binary(op, left, right, at) => self.binary_expr(*op, left, right, *at, frame),
            ExprKind::Call(callee, arguments) => self.call_expr(callee, arguments, site, frame),
            ExprKind::Method { .. } => self.method_expr(expr, frame),
            ExprKind::Index(base, index) => {
                let (base, position) = (self.eval(base, frame)?, self.eval(index, frame)?);
                let (ty, what) = match base {
                    Value::Pull(_) => (HostType::Scalar(ScalarType::U32), "an index"),
                    Value::Vec(_) => (HostType::Usize, "an index of a Vec or array of the host"),
                    _ => return self.index(&base, &position, site),
                };
                self.is_of(ty, &position, (what, variable(index)), index.site)?;
                self.learn(ty, index, frame);
                self.index(&base, &position, site)
            }
            ExprKind::Field(base, n) => match self.eval(base, frame)? {
                Value::Tuple(list) if (*n as usize) < list.len() => Ok(list[*n as usize].clone()),
                Value::Poison => Err(Flow::Stop),
                Value::Tuple(list) => self.fail(site, catalogue::no_such_field(*n, list.len())),
                other => self.wrong_kind(&format!("a tuple with a field {n}"), &other, site),
            },
            ExprKind::Range(start, end, closed) => {
                self.range(start.as_deref(), end.as_deref(), *closed, site, frame)
            }
            ExprKind::Tuple(list) if list.is_empty() => Ok(Value::Unit),
            ExprKind::Tuple(list) => Ok(Value::tuple(self.list(list, frame)?)),
            ExprKind::Array(list, _) => Ok(Value::Vec(Rc::new(self.list(list, frame)?))),
            ExprKind::Repeat(value, count, _) => {
                let (value, count) = (self.eval(value, frame)?, self.eval(count, frame)?);
                let count = self.host_count(&count, "a number of repetitions", site)?;
                self.steps(count.into(), site)?;
                Ok(Value::Vec(Rc::new(vec![value; count as usize])))
            }
            ExprKind::Cast(value, ty) => {
                let value = self.eval(value, frame)?;
                self.cast(value, &ty.ty, site)
            }
            ExprKind::Closure(closure) => {
                let taken = closure
                    .captures
                    .iter()
                    .map(|(outer, _, _)| frame.slots[*outer as usize].clone())
                    .collect();
                Ok(Value::Closure(Rc::new(ClosureValue {
                    closure: closure.clone(),
                    taken,
                    levels: frame.levels.clone(),
                })))
            }
            _ => self.control(expr, frame),
        }
    }

    /// The values of several expressions, in order.
    pub(super) fn list(self: &Rc<Self>, list: &[Expr], frame: &mut Frame<'_>) -> Eval<Vec<Value>> {
        list.iter().map(|e| self.eval(e, frame)).collect()
    }

    pub(super) fn literal(&self, lit: &Lit, site: Site) -> Eval {
        Ok(match lit {
            Lit::Bool(value) => Value::Bool(*value),
            Lit::Int(n, None) => Value::Int(*n, None),
            Lit::Int(n, Some(ty)) => self.typed_integer(*n, *ty, site)?,
            Lit::Float(x, ty @ Some(HostType::Scalar(ScalarType::F32))) => {
                Value::Float(f64::from(*x as f32), *ty)
            }
            Lit::Float(x, None) => match self.module.literals.get(&site) {
                // What the other operands tell decides how a sum of literals is rounded.
                Some(Placed {
                    is_device: false,
                    ty: ty @ Some(_),
                }) => return self.literal(&Lit::Float(*x, *ty), site),
                _ => Value::Float(*x, None),
            },
            Lit::Float(x, ty) => Value::Float(*x, *ty),
            Lit::Str(_) => return self.fail(site, catalogue::unsupported("a text is")),
        })
    }

    /// The value of the n-th constant of the module.
    pub(super) fn constant(self: &Rc<Self>, index: u32) -> Eval {
        let module = self.module.clone();
        let Some(constant) = module.constants.get(index as usize) else {
            return Err(Flow::Stop);
        };
        self.deeper(&constant.name, constant.site, || {
            let mut frame = Frame {
                slots: vec![Value::Poison; 64],
                levels: Vec::new(),
                trace: None,
            };
            let value = self.eval(&constant.value, &mut frame)?;
            self.coerce(value, &constant.ty.ty, &[], constant.site)
        })
    }

    fn host_constant(&self, ty: HostType, text: &str, site: Site) -> Eval {
        let name = text.rsplit("::").next().unwrap_or(text);
        let scalar = ty.scalar();
        if let Some((low, high)) = scalar.range() {
            return match name {
                "MAX" => Ok(Value::Int(high, Some(ty))),
                "MIN" => Ok(Value::Int(low, Some(ty))),
                "BITS" => Ok(Value::Int(
                    scalar.bits().into(),
                    Some(HostType::Scalar(ScalarType::U32)),
                )),
                _ => self.fail(site, catalogue::unknown_name(text, &[])),
            };
        }
        match float_constant(name, scalar == ScalarType::F32) {
            Some(x) => Ok(Value::Float(x, Some(ty))),
            None => self.fail(site, catalogue::unknown_name(text, &[])),
        }
    }

    fn binary_expr(
        self: &Rc<Self>,
        op: BinOp,
        left: &Expr,
        right: &Expr,
        at: Site,
        frame: &mut Frame<'_>,
    ) -> Eval {
        let x = self.eval(left, frame)?;
        let decided = match op {
            BinOp::Device(op) => {
                let y = self.eval(right, frame)?;
                self.literal_operand(op, &x, (right, &y))?;
                self.literal_operand(op, &y, (left, &x))?;
                self.operands(op, (left, &x), (right, &y), at)?;
                return self.binary(op, x, y, at);
            }
            BinOp::AndAlso => false,
            BinOp::OrElse => true,
        };
        let symbol = if decided { "||" } else { "&&" };
        if self.truth(x, symbol, left.site)? == decided {
            return Ok(Value::Bool(decided));
        }
        let y = self.eval(right, frame)?;
        Ok(Value::Bool(self.truth(y, symbol, right.site)?))
    }

    /// A boolean of the host, where one is needed.
    pub(super) fn truth(&self, value: Value, what: &str, site: Site) -> Eval<bool> {
        match value {
            Value::Bool(value) => Ok(value),
            Value::Exp(e) if e.ty() == ScalarType::Bool => {
                self.fail(site, catalogue::device_condition(what))
            }
            Value::Poison => Err(Flow::Stop),
            other => self.wrong_kind("a boolean", &other, site),
        }
    }

    /// `base[position]`
    pub(super) fn index(&self, base: &Value, position: &Value, site: Site) -> Eval {
        match (base, position) {
            (Value::Pull(pull), _) => {
                let index = self.index_of(pull.shape().0.len(), position, site)?;
                self.at(site, || indexed_at(here(), || pull.at(index)))
            }
            (Value::Vec(list), Value::Int(n, _)) => {
                match usize::try_from(*n).ok().and_then(|n| list.get(n)) {
                    Some(value) => Ok(value.clone()),
                    None => self.fail(
                        site,
                        catalogue::host_arithmetic(format!(
                            "index {n} is outside of a Vec of length {}",
                            list.len()
                        )),
                    ),
                }
            }
            (Value::Vec(list), Value::Range(start, end, _)) => {
                let end = end.unwrap_or(list.len() as i128);
                match (usize::try_from(*start), usize::try_from(end)) {
                    (Ok(a), Ok(b)) if a <= b && b <= list.len() => {
                        Ok(Value::Vec(Rc::new(list[a..b].to_vec())))
                    }
                    _ => self.fail(
                        site,
                        catalogue::host_arithmetic(format!(
                            "{start}..{end} is outside of a Vec of length {}",
                            list.len()
                        )),
                    ),
                }
            }
            (Value::Poison, _) | (_, Value::Poison) => Err(Flow::Stop),
            (Value::Whole(arr), _) => self.whole_at(arr, position, site),
            (Value::Vec(list), Value::Exp(_)) => {
                self.fail(site, catalogue::vec_on_the_device(list.len()))
            }
            (Value::Push(_), _) => self.fail(site, catalogue::push_array_indexed()),
            (base, _) => self.wrong_kind("something that can be indexed", base, site),
        }
    }

    fn range(
        self: &Rc<Self>,
        start: Option<&Expr>,
        end: Option<&Expr>,
        closed: bool,
        site: Site,
        frame: &mut Frame<'_>,
    ) -> Eval {
        let mut ty = None;
        let mut bound = |expr: Option<&Expr>| match expr {
            None => Ok(None),
            Some(expr) => match self.eval(expr, frame)? {
                Value::Int(n, t) => {
                    ty = ty.or(t);
                    Ok(Some(n))
                }
                Value::Exp(_) => self.fail(expr.site, catalogue::device_range()),
                Value::Poison => Err(Flow::Stop),
                other => self.wrong_kind("an integer of the host", &other, expr.site),
            },
        };
        let first = bound(start)?.unwrap_or(0);
        let last = bound(end)?.map(|n| if closed { n.saturating_add(1) } else { n });
        if last.is_some_and(|last| last.saturating_sub(first) > i128::from(super::STEPS)) {
            return self.fail(site, catalogue::endless_loop());
        }
        Ok(Value::Range(first, last, ty))
    }

    /// `value as ty`
    pub(super) fn cast(&self, value: Value, ty: &Type, site: Site) -> Eval {
        let (to, device) = match ty {
            Type::Exp(ty) => (HostType::Scalar(*ty), true),
            Type::Host(ty) => (*ty, false),
            _ => {
                return self.fail(
                    site,
                    catalogue::wrong_kind("a type to cast to, such as f32 or EF32", "another type"),
                );
            }
        };
        let literal = match value {
            Value::Exp(e) => return self.at(site, || Value::Exp(e.cast(to.scalar()))),
            Value::Untyped(untyped) => {
                return self.at(site, || Value::Exp(untyped.by_default().cast(to.scalar())));
            }
            Value::Int(n, from) => {
                let from = from.unwrap_or(HostType::Scalar(ScalarType::I64));
                let (n, from) = (of_type(n, Some(from)), from.scalar());
                Literal::integer(from, n)
                    .map(|l| meaning::cast(to.scalar(), l))
                    .unwrap_or(Literal::from_bits(to.scalar(), n as u64))
            }
            Value::Float(x, _) => meaning::cast(to.scalar(), Literal::from(x)),
            Value::Bool(b) => meaning::cast(to.scalar(), Literal::from(b)),
            Value::Poison => return Err(Flow::Stop),
            other => return self.wrong_kind("a number", &other, site),
        };
        if device {
            return self.at(site, || Value::Exp(AnyExp::literal(literal)));
        }
        Ok(host_value(literal, to))
    }
}

/// The name of the variable that an expression is.
pub(super) fn variable(expr: &Expr) -> Option<&str> {
    match &expr.kind {
        ExprKind::Local(_, name) => Some(name),
        ExprKind::Paren(inner) => variable(inner),
        _ => None,
    }
}

/// A literal as a value of the host.
pub(super) fn host_value(literal: Literal, ty: HostType) -> Value {
    match (literal.ty(), literal.as_integer()) {
        (ScalarType::Bool, _) => Value::Bool(literal.bool()),
        (ScalarType::F32, _) => Value::Float(literal.f32().into(), Some(ty)),
        (ScalarType::F64, _) => Value::Float(literal.f64(), Some(ty)),
        (_, n) => Value::Int(n.unwrap_or_default(), Some(ty)),
    }
}

fn float_constant(name: &str, single: bool) -> Option<f64> {
    let x = match name {
        "MAX" => return Some(if single { f32::MAX.into() } else { f64::MAX }),
        "MIN" => return Some(if single { f32::MIN.into() } else { f64::MIN }),
        "EPSILON" => {
            return Some(if single {
                f32::EPSILON.into()
            } else {
                f64::EPSILON
            });
        }
        "MIN_POSITIVE" => {
            return Some(if single {
                f32::MIN_POSITIVE.into()
            } else {
                f64::MIN_POSITIVE
            });
        }
        "INFINITY" => f64::INFINITY,
        "NEG_INFINITY" => f64::NEG_INFINITY,
        "NAN" => f64::NAN,
        name => constant_of_floats(name)?,
    };
    Some(if single { f64::from(x as f32) } else { x })
}
