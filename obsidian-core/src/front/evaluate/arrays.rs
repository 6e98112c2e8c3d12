//! Methods: of pull arrays, push arrays, device values and programs.

use std::rc::Rc;

use super::{Eval, Flow, Machine, Value};
use crate::array::{Len, Length, Pull, Push};
use crate::front::catalogue;
use crate::front::syntax::Site;
use crate::ir::Level;
use crate::library::Gather;
use crate::program::{AnyLevel, Program, Trace};
use crate::scalar::{AnyExp, BinaryOp, Exp, ScalarType, UnaryOp, report, with_site};

/// The methods of pull arrays.
pub(super) const PULL: &[&str] = &[
    "as_2d",
    "as_block",
    "as_block_map",
    "as_grid",
    "as_grid_map",
    "as_thread",
    "as_thread_map",
    "as_warp",
    "as_warp_map",
    "at",
    "chunks",
    "chunks_len",
    "coalesce",
    "concat",
    "drop",
    "even_odds",
    "evens",
    "every_nth",
    "first",
    "from_dyn",
    "halve",
    "in_rows",
    "ix_map",
    "last",
    "len",
    "load",
    "map",
    "odds",
    "pair",
    "push",
    "quadruple",
    "reverse",
    "set_len",
    "shift_left",
    "split_at",
    "split_up",
    "store",
    "tail",
    "take",
    "to_dyn",
    "triple",
    "un_coalesce",
    "unpair",
    "unquadruple",
    "untriple",
];
/// The methods of push arrays.
pub(super) const PUSH: &[&str] = &[
    "as_2d",
    "from_dyn",
    "in_rows",
    "ix_map",
    "len",
    "map",
    "push_to",
    "reverse",
    "set_len",
    "take",
    "to_dyn",
    "un_coalesce",
    "unpair",
    "unroll",
    "write_to",
];

/// One call of a method.
pub(super) struct Method<'a> {
    pub(super) name: &'a str,
    pub(super) levels: &'a [Option<Level>],
    pub(super) arguments: &'a [Value],
    pub(super) site: Site,
    pub(super) name_site: Site,
}

impl Machine {
    /// Calls a method that does not change its receiver.
    pub(super) fn method(
        self: &Rc<Self>,
        receiver: &Value,
        name: &str,
        levels: &[Option<Level>],
        arguments: &[Value],
        site: Site,
        name_site: Site,
    ) -> Eval {
        if arguments.iter().any(|a| matches!(a, Value::Poison)) {
            return Err(Flow::Stop);
        }
        if name == "clone" && arguments.is_empty() {
            return Ok(receiver.clone());
        }
        let call = Method {
            name,
            levels,
            arguments,
            site,
            name_site,
        };
        match receiver {
            Value::Poison => Err(Flow::Stop),
            value if name == "clone" && arguments.is_empty() => Ok(value.clone()),
            Value::Pull(pull) => self.pull_method(pull, &call),
            Value::Push(push) => self.push_method(push, &call),
            Value::Pull2(pull) => self.pull2_method(pull, &call),
            Value::Push2(push) => self.push2_method(push, &call),
            Value::Whole(arr) => self.whole_method(arr, &call),
            Value::Window(window) => self.window_method(window, &call),
            Value::Exp(e) => self.exp_method(*e, &call),
            Value::Untyped(_) => self.known(receiver.clone()),
            Value::Mutable(array) => self.mutable_method(array, &call),
            Value::Program(program) if name == "and_then" && arguments.len() == 1 => {
                let (f, machine) = (self.callback(&arguments[0], site)?, self.clone());
                let (program, level) = (program.clone(), program.level());
                let next = program.and_then(move |value| match f.call(vec![value]) {
                    Value::Program(program) => program,
                    Value::Poison => crate::program::pure(Value::Poison),
                    other => {
                        let stop: Eval =
                            machine.fail(site, catalogue::wrong_kind("a program", &other.kind()));
                        crate::program::pure(stop.unwrap_or(Value::Poison))
                    }
                });
                Ok(Value::Program(next.stamped(level)))
            }
            Value::Program(program) if name == "map" && arguments.len() == 1 => {
                let f = self.callback(&arguments[0], site)?;
                Ok(Value::Program(
                    program.map(move |value| f.call(vec![value])),
                ))
            }
            Value::Program(program) if name == "void" && arguments.is_empty() => {
                Ok(Value::Program(program.map(|_| Value::Unit)))
            }
            Value::Vec(_) | Value::Iter(_) | Value::Range(..) => {
                self.sequence_method(receiver, &call)
            }
            other => self.host_method(other, &call),
        }
    }

    pub(super) fn no_method(&self, call: &Method<'_>, receiver: &str, known: &[&str]) -> Eval {
        if known.contains(&call.name) {
            return self.fail(
                call.site,
                catalogue::wrong_count_of_method(call.name, call.arguments.len()),
            );
        }
        self.fail(
            call.name_site,
            catalogue::unknown_method(call.name, receiver, known),
        )
    }

    fn pull_method(self: &Rc<Self>, pull: &Pull<Value, Len>, call: &Method<'_>) -> Eval {
        let site = call.site;
        match (call.name, call.arguments) {
            ("len", []) => Ok(len_value(pull.len())),
            ("push", []) => {
                let push = not_at_grid(pull.push(), site);
                Ok(Value::Push(
                    push.stamped(call.levels.first().copied().flatten()),
                ))
            }
            ("map", [f]) => {
                let f = self.callback(f, site)?;
                Ok(Value::Pull(pull.map(move |value| f.call(vec![value]))))
            }
            ("ix_map", [f]) => {
                let f = self.index_map(f, site)?;
                self.at(site, || Value::Pull(pull.ix_map(f)))
            }
            ("at", [i]) => self.index(&Value::Pull(pull.clone()), i, site),
            ("to_dyn", []) => Ok(Value::Pull(pull.set_len(Len::Dynamic(pull.len().exp())))),
            ("from_dyn", [n]) => {
                let n = self.count(n, "a length", site)?;
                self.at(site, || {
                    Value::Pull(pull.from_dyn(n).set_len(Len::Static(n)))
                })
            }
            ("split_up" | "coalesce", [n]) => {
                let n = self.count(n, "the size of the pieces", site)?;
                let pieces = self.at(site, || {
                    if call.name == "split_up" {
                        pull.split_up(n)
                    } else {
                        pull.coalesce(n)
                    }
                })?;
                Ok(Value::Pull(pieces.map(move |piece| {
                    Value::Pull(piece.set_len(Len::Static(n)))
                })))
            }
            ("concat", [n]) => self.concat(pull, n, site),
            ("every_nth", [n]) => {
                let n = self.count(n, "a distance", site)?;
                self.at(site, || Value::Pull(pull.every_nth(n)))
            }
            ("take" | "drop" | "split_at", [n]) => {
                let n = self.length(n, site)?;
                self.at(site, || match call.name {
                    "take" => Value::Pull(pull.take(n)),
                    "drop" => Value::Pull(pull.drop(n)),
                    _ => pair(pull.split_at(n)),
                })
            }
            (
                "halve" | "even_odds" | "evens" | "odds" | "reverse" | "tail" | "first" | "last",
                [],
            ) => self.at(site, || match call.name {
                "halve" => pair(pull.halve()),
                "even_odds" => pair(pull.even_odds()),
                "evens" => Value::Pull(pull.evens()),
                "odds" => Value::Pull(pull.odds()),
                "reverse" => Value::Pull(pull.reverse()),
                "tail" => Value::Pull(pull.tail()),
                "first" => pull.first(),
                _ => pull.last(),
            }),
            (name, arguments) => match (gather_of(name), arguments) {
                (Some((how, false)), []) => self.gather(&Value::Pull(pull.clone()), how, &[], site),
                (Some((how, true)), [f]) => {
                    let f = self.callback(f, site)?;
                    let works = Value::Pull(pull.map(move |value| f.call(vec![value])));
                    self.gather(&works, how, &[], site)
                }
                _ => self
                    .rearranged(pull, call)
                    .or_else(|| self.folded(pull, call))
                    .unwrap_or_else(|| self.no_method(call, "a pull array", PULL)),
            },
        }
    }

    fn concat(self: &Rc<Self>, pull: &Pull<Value, Len>, n: &Value, site: Site) -> Eval {
        let n = self.count(n, "the size of the pieces", site)?;
        Ok(Value::Pull(self.pieces(pull, n, site).concat(n)))
    }

    /// A function from index to index.
    fn index_map(
        self: &Rc<Self>,
        f: &Value,
        site: Site,
    ) -> Eval<impl Fn(Exp<u32>) -> Exp<u32> + 'static> {
        let (f, machine) = (self.callback(f, site)?, self.clone());
        Ok(move |i: Exp<u32>| {
            let value = f.call(vec![Value::Exp(i.any())]);
            machine
                .number(&value, site)
                .unwrap_or_else(|_| Exp::poison())
        })
    }

    fn push_method(self: &Rc<Self>, push: &Push<AnyLevel, Value, Len>, call: &Method<'_>) -> Eval {
        let site = call.site;
        match (call.name, call.arguments) {
            ("len", []) => Ok(len_value(push.len())),
            ("map", [f]) => {
                let f = self.callback(f, site)?;
                Ok(Value::Push(push.map(move |value| f.call(vec![value]))))
            }
            ("ix_map", [f]) => {
                let f = self.index_map(f, site)?;
                self.at(site, || Value::Push(push.ix_map(f)))
            }
            ("reverse", []) => self.at(site, || Value::Push(push.reverse())),
            ("to_dyn", []) => Ok(Value::Push(push.set_len(Len::Dynamic(push.len().exp())))),
            ("from_dyn", [n]) => {
                let n = self.count(n, "a length", site)?;
                self.at(site, || {
                    Value::Push(push.from_dyn(n).set_len(Len::Static(n)))
                })
            }
            _ => self
                .rearranged_push(push, call)
                .or_else(|| self.folded_push(push, call))
                .unwrap_or_else(|| self.no_method(call, "a push array", PUSH)),
        }
    }

    fn exp_method(&self, e: AnyExp, call: &Method<'_>) -> Eval {
        let site = call.site;
        let argument = |n: usize| self.device_value(&call.arguments[n], e.ty(), site);
        match (call.name, call.arguments.len()) {
            (
                "min" | "max" | "powf" | "atan2" | "hypot" | "copysign" | "eq" | "ne" | "lt" | "le"
                | "gt" | "ge",
                1,
            ) => {
                let op = binary_of(call.name);
                let other = self.device(
                    &call.arguments[0],
                    Some(e.ty()),
                    (op, &Value::Exp(e), false),
                    site,
                )?;
                self.at(site, || Value::Exp(AnyExp::binary(op, e, other)))
            }
            ("div_ceil", 1) if e.ty() == ScalarType::U32 => {
                let divisor = argument(0)?;
                self.at(site, || Value::Exp(e.div_ceil(divisor)))
            }
            ("equals" | "multiple_of" | "at_least", 1) => match e.typed::<u32>() {
                Some(length) => self.precondition(length, call),
                None => self.no_exp_method(e, call),
            },
            ("clamp", 2) => {
                let (low, high) = (argument(0)?, argument(1)?);
                self.at(site, || {
                    Value::Exp(AnyExp::binary(
                        BinaryOp::Min,
                        AnyExp::binary(BinaryOp::Max, e, low),
                        high,
                    ))
                })
            }
            ("mul_add", 2) => {
                let (factor, addend) = (argument(0)?, argument(1)?);
                self.at(site, || Value::Exp(AnyExp::mul_add(e, factor, addend)))
            }
            (name, 0) => {
                let mut methods = UnaryOp::ALL.iter().filter(|op| op.is_method());
                match methods.find(|op| op.name() == name) {
                    Some(op) => self.at(site, || Value::Exp(AnyExp::unary(*op, e))),
                    None => self.composed(e, call),
                }
            }
            _ => self.composed(e, call),
        }
    }

    /// A condition on a length or an argument, for `require`.
    fn precondition(&self, length: Exp<u32>, call: &Method<'_>) -> Eval {
        let (site, argument) = (call.site, &call.arguments[0]);
        if call.name == "at_least" {
            let n = self.count(argument, "a least length", site)?;
            return self.at(site, || Value::Precondition(length.at_least(n)));
        }
        let other = self.device_value(argument, ScalarType::U32, site)?;
        let other = other.typed::<u32>().unwrap_or_else(Exp::poison);
        self.at(site, || {
            Value::Precondition(match call.name {
                "equals" => length.equals(other),
                _ => length.multiple_of(other),
            })
        })
    }

    pub(super) fn no_exp_method(&self, e: AnyExp, call: &Method<'_>) -> Eval {
        let mut known: Vec<&str> = vec!["min", "max", "clamp", "eq", "ne", "lt", "le", "gt", "ge"];
        if e.ty() == ScalarType::U32 {
            known.extend(["div_ceil", "equals", "at_least", "multiple_of"]);
        }
        if e.ty().is_float() {
            known.extend(["mul_add", "powf", "powi", "atan2", "hypot", "copysign"]);
            known.extend(["recip", "fract", "is_nan"]);
        }
        if e.ty().is_integer() {
            known.extend(["rotate_left", "rotate_right", "abs_diff"]);
            known.extend(["saturating_add", "saturating_sub", "saturating_mul"]);
        }
        known.extend(
            UnaryOp::ALL
                .iter()
                .filter(|op| op.accepts(e.ty()) && op.is_method())
                .map(|op| op.name()),
        );
        self.no_method(
            call,
            &format!("a device value of type {}", e.ty().exp_name()),
            &known,
        )
    }
}

/// A length as the user sees it: an integer if it is static, else a device value.
pub(super) fn len_value(len: Len) -> Value {
    use crate::front::syntax::HostType;
    match len {
        Len::Static(n) => Value::Int(n.into(), Some(HostType::Scalar(ScalarType::U32))),
        Len::Dynamic(n) => Value::Exp(n.any()),
    }
}

/// The push array of a pull array, which reports its use at the level of the grid where `push`
/// stands.
fn not_at_grid(push: Push<AnyLevel, Value, Len>, site: Site) -> Push<AnyLevel, Value, Len> {
    Push::new(push.len(), move |write| {
        let program = push.write_to(write);
        Program::new(move |trace: &mut Trace<AnyLevel>| match trace.level() {
            Some(Level::Grid) => {
                with_site(site, || report(crate::error::catalogue::push_at_grid()))
            }
            _ => program.run(trace),
        })
    })
}

fn pair((x, y): (Pull<Value, Len>, Pull<Value, Len>)) -> Value {
    Value::tuple(vec![Value::Pull(x), Value::Pull(y)])
}

/// The way of gathering that a method means, and whether it maps first.
pub(super) fn gather_of(name: &str) -> Option<(Gather, bool)> {
    let (level, maps) = match name.strip_suffix("_map") {
        Some(stem) => (stem, true),
        None => (name, false),
    };
    let level = match level {
        "as_thread" => Level::Thread,
        "as_warp" => Level::Warp,
        "as_block" => Level::Block,
        "as_grid" => Level::Grid,
        _ => return None,
    };
    Some((Gather::As(level), maps))
}

fn binary_of(name: &str) -> BinaryOp {
    match name {
        "min" => BinaryOp::Min,
        "max" => BinaryOp::Max,
        "powf" => BinaryOp::Pow,
        "atan2" => BinaryOp::Atan2,
        "hypot" => BinaryOp::Hypot,
        "copysign" => BinaryOp::CopySign,
        "eq" => BinaryOp::Eq,
        "ne" => BinaryOp::Ne,
        "lt" => BinaryOp::Lt,
        "le" => BinaryOp::Le,
        "gt" => BinaryOp::Gt,
        _ => BinaryOp::Ge,
    }
}
