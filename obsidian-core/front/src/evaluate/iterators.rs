//! Vectors, ranges and iterators of the host.
//!
//! Adaptors work on all elements at once: kernel functions have no effects that could tell the
//! difference, because a closure cannot change what it has taken.

use std::rc::Rc;

use super::call::Call;
use super::operators::compare;
use super::{Eval, Flow, Frame, Machine, Value};
use crate::error::catalogue;
use crate::scalar::BinaryOp;
use crate::syntax::{Expr, HostType, Site};

const SEQUENCE: &[&str] = &[
    "all",
    "any",
    "chain",
    "chunks",
    "cloned",
    "collect",
    "concat",
    "copied",
    "count",
    "enumerate",
    "filter",
    "filter_map",
    "find",
    "first",
    "flat_map",
    "fold",
    "get",
    "into_iter",
    "is_empty",
    "iter",
    "last",
    "len",
    "map",
    "max",
    "min",
    "nth",
    "position",
    "product",
    "reduce",
    "rev",
    "skip",
    "skip_while",
    "step_by",
    "sum",
    "take",
    "take_while",
    "to_vec",
    "windows",
    "zip",
];

fn usize_value(n: usize) -> Value {
    Value::Int(n as i128, Some(HostType::Usize))
}

fn iter(list: Vec<Value>) -> Value {
    Value::Iter(Rc::new(list))
}

fn option(value: Option<Value>) -> Value {
    Value::Option(value.map(Rc::new))
}

impl Machine {
    /// The elements of a sequence.
    pub(super) fn items(&self, sequence: &Value, site: Site) -> Eval<Vec<Value>> {
        match sequence {
            Value::Vec(list) | Value::Iter(list) => {
                self.steps(list.len() as u64, site)?;
                Ok(list.to_vec())
            }
            Value::Range(start, Some(end), ty) => {
                self.steps(u64::try_from(end.saturating_sub(*start)).unwrap_or(0), site)?;
                Ok((*start..*end).map(|n| Value::Int(n, *ty)).collect())
            }
            Value::Range(_, None, _) => self.fail(site, catalogue::endless_loop()),
            Value::Option(option) => Ok(option.iter().map(|v| (**v).clone()).collect()),
            Value::Poison => Err(Flow::Stop),
            other => self.wrong_kind("something to iterate over", other, site),
        }
    }

    /// Calls a method of a vector, range or iterator.
    pub(super) fn sequence_method(self: &Rc<Self>, receiver: &Value, call: &Call<'_>) -> Eval {
        if let (Value::Range(start, None, ty), "take", [n]) = (receiver, call.name, call.arguments)
        {
            let n = self.host_count(n, "a number of elements", call.site)?;
            return Ok(Value::Range(*start, Some(start + i128::from(n)), *ty));
        }
        if let (Value::Range(start, Some(end), _), "contains", [Value::Int(n, _)]) =
            (receiver, call.name, call.arguments)
        {
            return Ok(Value::Bool((*start..*end).contains(n)));
        }
        let list = self.items(receiver, call.site)?;
        match call.arguments {
            [] => self.plain(list, call),
            [argument] => self.with_argument(list, argument, call),
            [start, f] if call.name == "fold" => {
                let f = self.callback(f, call.site)?;
                Ok(list
                    .into_iter()
                    .fold(start.clone(), |sum, value| f.call(vec![sum, value])))
            }
            _ => self.no_method(call, "a sequence of the host", SEQUENCE),
        }
    }

    fn plain(self: &Rc<Self>, mut list: Vec<Value>, call: &Call<'_>) -> Eval {
        Ok(match call.name {
            "iter" | "into_iter" | "copied" | "cloned" | "by_ref" => iter(list),
            "collect" | "to_vec" | "as_slice" => Value::Vec(Rc::new(list)),
            "rev" => {
                list.reverse();
                iter(list)
            }
            "enumerate" => iter(
                list.into_iter()
                    .enumerate()
                    .map(|(n, v)| Value::tuple(vec![usize_value(n), v]))
                    .collect(),
            ),
            "len" | "count" => usize_value(list.len()),
            "is_empty" => Value::Bool(list.is_empty()),
            "first" => option(list.first().cloned()),
            "last" => option(list.last().cloned()),
            "concat" => {
                let parts = list
                    .iter()
                    .map(|part| self.items(part, call.site))
                    .collect::<Eval<Vec<_>>>()?;
                Value::Vec(Rc::new(parts.concat()))
            }
            "sum" => return self.total(BinaryOp::Add, 0, list, call.site),
            "product" => return self.total(BinaryOp::Mul, 1, list, call.site),
            "max" | "min" => {
                let better = if call.name == "max" {
                    std::cmp::Ordering::Greater
                } else {
                    std::cmp::Ordering::Less
                };
                option(list.into_iter().reduce(|x, y| {
                    if compare(&y, &x) == Some(better) {
                        y
                    } else {
                        x
                    }
                }))
            }
            _ => return self.no_method(call, "a sequence of the host", SEQUENCE),
        })
    }

    fn total(&self, op: BinaryOp, start: i128, list: Vec<Value>, site: Site) -> Eval {
        let mut values = list.into_iter();
        let Some(mut sum) = values.next() else {
            return Ok(Value::Int(start, None));
        };
        for value in values {
            sum = self.binary(op, sum, value, site)?;
        }
        Ok(sum)
    }

    fn with_argument(self: &Rc<Self>, list: Vec<Value>, argument: &Value, call: &Call<'_>) -> Eval {
        let site = call.site;
        match call.name {
            "take" | "skip" | "step_by" | "nth" | "get" | "chunks" | "windows" => {
                self.by_count(list, argument, call)
            }
            "zip" | "chain" => {
                let other = match argument {
                    Value::Range(start, None, ty) => (0..list.len() as i128)
                        .map(|n| Value::Int(start + n, *ty))
                        .collect(),
                    other => self.items(other, site)?,
                };
                Ok(iter(if call.name == "chain" {
                    [list, other].concat()
                } else {
                    list.into_iter()
                        .zip(other)
                        .map(|(x, y)| Value::tuple(vec![x, y]))
                        .collect()
                }))
            }
            "contains" => Ok(Value::Bool(
                list.iter()
                    .any(|v| compare(v, argument).is_some_and(|o| o.is_eq())),
            )),
            _ => self.by_function(list, argument, call),
        }
    }

    fn by_count(&self, mut list: Vec<Value>, argument: &Value, call: &Call<'_>) -> Eval {
        let n = self.host_count(argument, "a number of elements", call.site)? as usize;
        if n == 0 && matches!(call.name, "step_by" | "chunks" | "windows") {
            return self.fail(
                call.site,
                catalogue::host_arithmetic(format!(
                    "`{}(0)`, while the kernel is built",
                    call.name
                )),
            );
        }
        let vec = |part: &[Value]| Value::Vec(Rc::new(part.to_vec()));
        Ok(match call.name {
            "take" => {
                list.truncate(n);
                iter(list)
            }
            "skip" => iter(list.into_iter().skip(n).collect()),
            "step_by" => iter(list.into_iter().step_by(n).collect()),
            "chunks" => iter(list.chunks(n).map(vec).collect()),
            "windows" => iter(list.windows(n).map(vec).collect()),
            _ => option(list.get(n).cloned()),
        })
    }

    fn by_function(self: &Rc<Self>, list: Vec<Value>, f: &Value, call: &Call<'_>) -> Eval {
        if !SEQUENCE.contains(&call.name) {
            return self.no_method(call, "a sequence of the host", SEQUENCE);
        }
        let site = call.site;
        self.spare_taken(f);
        let holds = |value: &Value| {
            let answer = self.call_value(f, vec![value.clone()], site)?;
            self.truth(answer, call.name, site)
        };
        let mut kept = Vec::new();
        match call.name {
            "map" => {
                for value in list {
                    kept.push(self.call_value(f, vec![value], site)?);
                }
            }
            "filter" => {
                for value in list {
                    if holds(&value)? {
                        kept.push(value);
                    }
                }
            }
            "flat_map" | "filter_map" => {
                for value in list {
                    let part = self.call_value(f, vec![value], site)?;
                    kept.extend(self.items(&part, site)?);
                }
            }
            "take_while" | "skip_while" => {
                let mut n = 0;
                while n < list.len() && holds(&list[n])? {
                    n += 1;
                }
                kept = if call.name == "take_while" {
                    list[..n].to_vec()
                } else {
                    list[n..].to_vec()
                };
            }
            "reduce" => {
                let mut values = list.into_iter();
                let Some(mut sum) = values.next() else {
                    return Ok(option(None));
                };
                for value in values {
                    sum = self.call_value(f, vec![sum, value], site)?;
                }
                return Ok(option(Some(sum)));
            }
            "any" | "all" | "position" | "find" => return self.search(list, call, holds),
            _ => return self.no_method(call, "a sequence of the host", SEQUENCE),
        }
        Ok(iter(kept))
    }

    fn search(
        &self,
        list: Vec<Value>,
        call: &Call<'_>,
        holds: impl Fn(&Value) -> Eval<bool>,
    ) -> Eval {
        for (n, value) in list.into_iter().enumerate() {
            match (call.name, holds(&value)?) {
                ("any", true) => return Ok(Value::Bool(true)),
                ("all", false) => return Ok(Value::Bool(false)),
                ("position", true) => return Ok(option(Some(usize_value(n)))),
                ("find", true) => return Ok(option(Some(value))),
                _ => {}
            }
        }
        Ok(match call.name {
            "any" => Value::Bool(false),
            "all" => Value::Bool(true),
            _ => option(None),
        })
    }

    /// Calls a method that changes a vector, if it is one.
    pub(super) fn change_vec(
        self: &Rc<Self>,
        receiver: &Expr,
        name: &str,
        arguments: &[Value],
        site: Site,
        frame: &mut Frame<'_>,
    ) -> Option<Eval> {
        let n = |value: &Value| {
            if let Value::Int(n, _) = value {
                usize::try_from(*n).ok()
            } else {
                None
            }
        };
        let known = matches!(
            (name, arguments.len()),
            ("push" | "extend" | "truncate" | "remove", 1)
                | ("pop" | "clear" | "reverse" | "sort", 0)
                | ("insert" | "swap", 2)
        );
        if !known {
            return None;
        }
        let list = match self.place(receiver, frame) {
            Ok(Value::Vec(list)) => Rc::make_mut(list),
            Ok(_) => return None,
            Err(flow) => return Some(Err(flow)),
        };
        let len = list.len();
        match (name, arguments) {
            ("push", [value]) => list.push(value.clone()),
            ("extend", [values]) => match self.items(values, site) {
                Ok(values) => list.extend(values),
                Err(flow) => return Some(Err(flow)),
            },
            ("pop", []) => return Some(Ok(option(list.pop()))),
            ("clear", []) => list.clear(),
            ("reverse", []) => list.reverse(),
            ("sort", []) => list.sort_by(|x, y| compare(x, y).unwrap_or(std::cmp::Ordering::Equal)),
            ("truncate", [to]) => list.truncate(n(to).unwrap_or(len)),
            ("remove", [at]) if n(at).is_some_and(|at| at < len) => {
                return Some(Ok(list.remove(n(at).unwrap_or_default())));
            }
            ("insert", [at, value]) if n(at).is_some_and(|at| at <= len) => {
                list.insert(n(at).unwrap_or_default(), value.clone())
            }
            ("swap", [x, y])
                if n(x).max(n(y)).is_some_and(|m| m < len) && n(x).is_some() && n(y).is_some() =>
            {
                list.swap(n(x).unwrap_or_default(), n(y).unwrap_or_default());
            }
            _ => {
                let message =
                    format!("`{name}` outside of a Vec of length {len}, while the kernel is built");
                return Some(self.fail(site, catalogue::host_arithmetic(message)));
            }
        }
        Some(Ok(Value::Unit))
    }
}
