//! The library's functions by name: the table that ties the front end to [`crate::library`].

use std::rc::Rc;

use super::{Eval, Flow, Machine, Value};
use crate::array::{Len, Length, Pull, Push, common_of};
use crate::front::catalogue;
use crate::front::syntax::{HostType, Site, Type, TypeUse};
use crate::ir::Level;
use crate::library::{self, Gather};
use crate::program::{AnyLevel, Program, Watch};
use crate::scalar::{AnyExp, BinaryOp, Literal, ScalarType, UnaryOp, require};

impl Machine {
    /// Calls a function of the library.
    pub(super) fn library(
        self: &Rc<Self>,
        name: &str,
        levels: &[Option<Level>],
        types: &[TypeUse],
        arguments: Vec<Value>,
        site: Site,
    ) -> Eval {
        if arguments.iter().any(|a| matches!(a, Value::Poison)) {
            return Err(Flow::Stop);
        }
        match (name, arguments.as_slice()) {
            ("pure", [value]) => {
                let value = value.clone();
                Ok(Value::Program(Program::new(move |_| value.clone())))
            }
            ("require", [Value::Precondition(precondition)]) => self.at(site, || {
                require(*precondition);
                Value::Unit
            }),
            ("require", [other]) => self.fail(
                site,
                catalogue::wrong_kind(
                    "a precondition, such as `n.at_least(1)` or `x.len().equals(y.len())`",
                    &other.kind(),
                ),
            ),
            ("fun", [value]) => self.callback(value, site).map(|_| value.clone()),
            ("lit", [value]) => self.lit(value, types, site),
            ("EF32::from_bits", [bits]) => {
                self.scalar_function(UnaryOp::FromBits, bits, ScalarType::U32, site)
            }
            ("EF64::from_bits", [bits]) => {
                self.scalar_function(UnaryOp::FromBits, bits, ScalarType::U64, site)
            }
            ("fast::div", [x, y]) => {
                let x = self.device_value(x, ScalarType::F32, site)?;
                let y = self.device_value(y, ScalarType::F32, site)?;
                self.at(site, || Value::Exp(AnyExp::binary(BinaryOp::FastDiv, x, y)))
            }
            ("fast::exp", [x]) => self.scalar_function(UnaryOp::FastExp, x, ScalarType::F32, site),
            ("fast::ln", [x]) => self.scalar_function(UnaryOp::FastLn, x, ScalarType::F32, site),
            ("fast::sin", [x]) => self.scalar_function(UnaryOp::FastSin, x, ScalarType::F32, site),
            ("fast::cos", [x]) => self.scalar_function(UnaryOp::FastCos, x, ScalarType::F32, site),
            ("select", [condition, then, otherwise]) => {
                self.select(condition, then, otherwise, site)
            }
            ("compute", [array]) => self.compute(array, levels, site),
            ("Pitch", [pitch]) => {
                let pitch = self.count(pitch, "the distance of rows", site)?;
                Ok(Value::Layout(library::Pitch(pitch)))
            }
            ("compute_as", [layout, array]) => self.compute_as(layout, array, levels, site),
            ("exec", [program]) => {
                self.exec(name, program, levels.first().copied().flatten(), site)
            }
            ("exec_thread", [program]) => self.exec(name, program, Some(Level::Thread), site),
            ("exec_warp", [program]) => self.exec(name, program, Some(Level::Warp), site),
            ("exec_block", [program]) => self.exec(name, program, Some(Level::Block), site),
            ("lift_par", [works]) => self.gather(works, Gather::Up, levels, site),
            ("lift_seq", [works]) => self.gather(works, Gather::InOrder, levels, site),
            ("lift_in", [works]) => self.gather(works, Gather::In, levels, site),
            ("iota", [n]) => {
                let len = self.length(n, site)?;
                Ok(Value::Pull(library::iota(len).map(|i| Value::Exp(i.any()))))
            }
            ("generate", [n, f]) => {
                let (len, f) = (self.length(n, site)?, self.callback(f, site)?);
                Ok(Value::Pull(library::generate(len, move |i| {
                    f.call(vec![Value::Exp(i.any())])
                })))
            }
            ("replicate", [n, value]) => Ok(Value::Pull(library::replicate(
                self.length(n, site)?,
                value.clone(),
            ))),
            ("singleton", [value]) => Ok(Value::Pull(
                library::singleton(value.clone()).set_len(Len::Static(1)),
            )),
            ("append", [Value::Pull(x), Value::Pull(y)]) => {
                self.at(site, || Value::Pull(library::append(x.clone(), y.clone())))
            }
            ("append", [Value::Push(x), Value::Push(y)]) => {
                self.at(site, || Value::Push(library::append(x.clone(), y.clone())))
            }
            ("append", [x, y]) => self.fail(
                site,
                catalogue::wrong_kind(
                    "two pull arrays or two push arrays",
                    &format!("{} and {}", x.kind(), y.kind()),
                ),
            ),
            (
                "zip_with" | "zip_with3" | "zip_with4" | "zip" | "zip3" | "zip4"
                | "zip_with_shortest" | "zip_with3_shortest" | "zip_with4_shortest"
                | "zip_shortest" | "zip3_shortest" | "zip4_shortest" | "unzip" | "unzip3"
                | "unzip4",
                _,
            ) => self.zips(name, &arguments, site),
            _ if super::held::HELD.contains(&name) => {
                self.held(name, levels.first().copied().flatten(), &arguments, site)
            }
            _ if super::collectives::COLLECTIVES.contains(&name) => {
                self.collectives(name, levels.first().copied().flatten(), &arguments, site)
            }
            _ if super::programs::PROGRAMS.contains(&name) => {
                self.programs(name, levels.first().copied().flatten(), &arguments, site)
            }
            _ if super::sequential::SEQUENTIAL.contains(&name) => {
                self.sequential(name, levels.first().copied().flatten(), &arguments, site)
            }
            _ if super::rearrange::REARRANGE.contains(&name) => {
                self.rearrange(name, levels.first().copied().flatten(), &arguments, site)
            }
            _ if super::two::TWO.contains(&name) => {
                self.two(name, levels.first().copied().flatten(), &arguments, site)
            }
            _ => self.fail(
                site,
                catalogue::wrong_count(&format!("`{name}`"), arity(name), arguments.len()),
            ),
        }
    }

    fn zips(self: &Rc<Self>, name: &str, arguments: &[Value], site: Site) -> Eval {
        let pulls = |from: usize| {
            arguments[from..]
                .iter()
                .map(|v| self.pull(v, site))
                .collect::<Eval<Vec<_>>>()
        };
        let (kind, any) = match name.strip_suffix("_shortest") {
            Some(kind) => (kind, true),
            None => (name, false),
        };
        let length = |arrays: &[Pull<Value, Len>]| {
            let lengths = arrays.iter().map(|a| (a.len(), a.origin()));
            self.at(site, || match any {
                true => lengths.map(|(len, _)| len).reduce(|x, y| x.least(&y)),
                false => Some(common_of(name, &lengths.collect::<Vec<_>>())),
            })
        };
        match (kind, arguments.len()) {
            ("zip_with", 3) | ("zip_with3", 4) | ("zip_with4", 5) => {
                let f = self.callback(&arguments[0], site)?;
                let arrays = pulls(1)?;
                let length = length(&arrays)?;
                Ok(Value::Pull(zip_all(length, arrays, move |values| {
                    f.call(values)
                })))
            }
            ("zip", 2) | ("zip3", 3) | ("zip4", 4) => {
                let arrays = pulls(0)?;
                let length = length(&arrays)?;
                Ok(Value::Pull(zip_all(length, arrays, Value::tuple)))
            }
            ("unzip", 1) => self.unzip(&arguments[0], 2, site),
            ("unzip3", 1) => self.unzip(&arguments[0], 3, site),
            ("unzip4", 1) => self.unzip(&arguments[0], 4, site),
            _ => self.fail(
                site,
                catalogue::wrong_count(&format!("`{name}`"), arity(name), arguments.len()),
            ),
        }
    }

    fn unzip(self: &Rc<Self>, array: &Value, fields: usize, site: Site) -> Eval {
        let (array, machine) = (self.pull(array, site)?, self.clone());
        let field = |n: usize| {
            let machine = machine.clone();
            Value::Pull(array.map(move |value| match value {
                Value::Tuple(list) if list.len() == fields => list[n].clone(),
                Value::Poison => Value::Poison,
                other => {
                    let wanted = format!("an array of tuples of {fields}");
                    machine
                        .fail(
                            site,
                            catalogue::wrong_kind(
                                &wanted,
                                &format!("an array whose elements are each {}", other.kind()),
                            ),
                        )
                        .unwrap_or(Value::Poison)
                }
            }))
        };
        Ok(Value::tuple((0..fields).map(field).collect()))
    }

    fn lit(&self, value: &Value, types: &[TypeUse], site: Site) -> Eval {
        let declared = match types.first().map(|t| &t.ty) {
            Some(Type::Host(ty)) => Some(ty.scalar()),
            _ => None,
        };
        let literal = match value {
            Value::Exp(_) | Value::Untyped(_) => return Ok(value.clone()),
            Value::Bool(b) => Some(Literal::from(*b)),
            Value::Int(n, ty) => match declared.or(ty.map(HostType::scalar)) {
                Some(ty) => Literal::integer(ty, *n),
                None => return self.untyped_call(value, site),
            },
            Value::Float(x, ty) => match declared.or(ty.map(HostType::scalar)) {
                Some(ty) => Literal::float(ty, *x),
                None => return self.untyped_call(value, site),
            },
            _ => None,
        };
        match literal {
            Some(literal) => self.at(site, || Value::Exp(AnyExp::literal(literal))),
            None => self.fail(
                site,
                catalogue::wrong_kind("a number or boolean of the host", &value.kind()),
            ),
        }
    }

    fn select(&self, condition: &Value, then: &Value, otherwise: &Value, site: Site) -> Eval {
        let known = match condition {
            Value::Exp(e) => e.typed::<bool>(),
            _ => None,
        };
        match known {
            Some(c) => self.at(site, || library::select(c, then.clone(), otherwise.clone())),
            None => self.fail(site, catalogue::host_condition("select", &condition.kind())),
        }
    }

    fn compute(self: &Rc<Self>, array: &Value, levels: &[Option<Level>], site: Site) -> Eval {
        let push = self.push_array(array, "`compute`", site)?;
        let level = levels.first().copied().flatten().or(push.level());
        let program = self.at(site, || library::compute(push))?;
        Ok(stored(program, level))
    }

    fn compute_as(
        self: &Rc<Self>,
        layout: &Value,
        array: &Value,
        levels: &[Option<Level>],
        site: Site,
    ) -> Eval {
        let layout = match layout {
            Value::Layout(layout) => *layout,
            Value::Poison => return Err(Flow::Stop),
            other => {
                let wanted = "a layout, such as `Pitch(33)`";
                return self.fail(site, catalogue::wrong_kind(wanted, &other.kind()));
            }
        };
        let push = self.push_array(array, "`compute_as`", site)?;
        let level = levels.first().copied().flatten().or(push.level());
        let program = self.at(site, || library::compute_as(layout, push))?;
        Ok(stored(program, level))
    }

    /// A pull or push array as a push array of static length.
    pub(super) fn push_array(
        &self,
        array: &Value,
        what: &str,
        site: Site,
    ) -> Eval<Push<AnyLevel, Value>> {
        match array {
            Value::Push(push) => Ok(push.set_len(self.fixed(push.len(), what, site)?)),
            Value::Pull(pull) => {
                let push: Push<AnyLevel, Value, Len> = pull.push();
                Ok(push.set_len(self.fixed(pull.len(), what, site)?))
            }
            Value::Poison => Err(Flow::Stop),
            other => self.fail(site, catalogue::wrong_kind("an array", &other.kind())),
        }
    }

    /// A pull array of static length.
    pub(super) fn static_pull(&self, name: &str, value: &Value, site: Site) -> Eval<Pull<Value>> {
        let pull = self.pull(value, site)?;
        let len = self.fixed(pull.len(), &format!("`{name}`"), site)?;
        Ok(pull.set_len(len))
    }

    /// A value as a pull array.
    pub(super) fn pull(&self, value: &Value, site: Site) -> Eval<Pull<Value, Len>> {
        match value {
            Value::Pull(pull) => Ok(pull.clone()),
            Value::Poison => Err(Flow::Stop),
            other => self.fail(site, catalogue::wrong_kind("a pull array", &other.kind())),
        }
    }

    /// A program that is executed at a level, which has to be its own.
    pub(super) fn executed(
        &self,
        name: &str,
        program: &Value,
        level: Option<Level>,
        site: Site,
    ) -> Eval<Program<AnyLevel, Value>> {
        let program = self.program(program, site)?;
        match (level, program.level()) {
            (Some(level), Some(found)) if level != found && found != Level::Grid => self.fail(
                site,
                catalogue::executed_at_another_level(name, level.name(), found.name()),
            ),
            _ => Ok(program.stamped(level)),
        }
    }

    fn exec(
        self: &Rc<Self>,
        name: &str,
        program: &Value,
        level: Option<Level>,
        site: Site,
    ) -> Eval {
        // The length of the array is found by running the program; it is used once the array is.
        let (program, watch) = self.executed(name, program, level, site)?.unwatched();
        let level = program.level();
        let machine = self.clone();
        let arrays = program.map(move |value| match value {
            Value::Exp(_) | Value::Tuple(_) => {
                machine.fail(site, catalogue::executed_value(&value.kind()))
            }
            value => machine.push_array(&value, "the result of a program that is executed", site),
        });
        let arrays =
            arrays.map(|array| array.unwrap_or_else(|_| Push::new(0, |_| Program::new(|_| ()))));
        let push: Push<AnyLevel, Value> = self.at(site, || library::exec(arrays))?;
        let push = used_when_pushed(&push, watch).set_len(Len::Static(push.len()));
        Ok(Value::Push(push.stamped(level)))
    }

    /// `as_block` and its relatives on an array of push arrays.
    pub(super) fn gather(
        self: &Rc<Self>,
        works: &Value,
        how: Gather,
        levels: &[Option<Level>],
        site: Site,
    ) -> Eval {
        let works = self.pull(works, site)?;
        let machine = self.clone();
        let inner = works.map(move |work| match work {
            Value::Push(_) => machine.push_array(&work, "an inner array", site),
            Value::Poison => Err(Flow::Stop),
            other => machine.fail(
                site,
                catalogue::wrong_kind(
                    "an array of push arrays",
                    &format!("an array of {}", other.kind()),
                ),
            ),
        });
        let inner =
            inner.map(|push| push.unwrap_or_else(|_| Push::new(0, |_| Program::new(|_| ()))));
        let push: Push<AnyLevel, Value, Len> = self.at(site, || library::gather(&inner, how))?;
        Ok(Value::Push(push.stamped(levels.first().copied().flatten())))
    }

    /// A value of a type with a name, for messages that need a device value.
    pub(super) fn device_value(&self, value: &Value, ty: ScalarType, site: Site) -> Eval<AnyExp> {
        match value {
            Value::Exp(e) => Ok(*e),
            Value::Untyped(untyped) => self.at(site, || untyped.typed(ty)),
            Value::Int(n, None)
                if ty
                    .range()
                    .is_some_and(|(low, high)| (low..=high).contains(n)) =>
            {
                self.at(site, || AnyExp::literal(Literal::from_bits(ty, *n as u64)))
            }
            Value::Int(n, Some(HostType::Scalar(t))) if *t == ty => {
                self.at(site, || AnyExp::literal(Literal::from_bits(ty, *n as u64)))
            }
            Value::Float(x, from)
                if ty.is_float() && from.is_none_or(|f| f == HostType::Scalar(ty)) =>
            {
                let literal = Literal::float(ty, *x).unwrap_or(Literal::zero(ty));
                self.at(site, || AnyExp::literal(literal))
            }
            Value::Bool(b) if ty == ScalarType::Bool => {
                self.at(site, || AnyExp::literal(Literal::from(*b)))
            }
            Value::Poison => Err(Flow::Stop),
            other => self.fail(
                site,
                catalogue::wrong_kind(&format!("a value of type {}", ty.exp_name()), &other.kind()),
            ),
        }
    }
}

/// The array, whose elements are pushed by the program with a note of its use.
pub(super) fn used_when_pushed(
    push: &Push<AnyLevel, Value>,
    watch: Option<Watch>,
) -> Push<AnyLevel, Value> {
    let this = push.clone();
    watch.iter().for_each(Watch::mark_executed);
    Push::new(push.len(), move |write| {
        watch.iter().for_each(Watch::mark_used);
        this.write_to(write)
    })
    .stamped(push.level())
}

/// An array of `f` of the elements of several arrays.
fn zip_all(
    length: Option<Len>,
    arrays: Vec<Pull<Value, Len>>,
    f: impl Fn(Vec<Value>) -> Value + 'static,
) -> Pull<Value, Len> {
    Pull::new(length.unwrap_or(Len::Static(0)), move |i| {
        f(arrays.iter().map(|a| a.at(i)).collect())
    })
}

/// A program that stores an array, as a value.
fn stored(program: Program<AnyLevel, Pull<Value>>, level: Option<Level>) -> Value {
    let program = program.map(|pull: Pull<Value>| {
        let len = Len::Static(pull.len());
        Value::Pull(pull.set_len(len))
    });
    Value::Program(program.stamped(level))
}

/// The number of arguments of a function of the library.
pub(super) fn arity(name: &str) -> usize {
    match name.strip_suffix("_shortest").unwrap_or(name) {
        "break_loop" | "sync" => 0,
        "select" | "exclusive_scan" | "zip_with" | "zip3" | "cond" | "for_all2" | "rep"
        | "seq_iterate" | "seq_until" | "seq_scan_cin" | "map_accum_l" | "map_accum_r"
        | "s_map_accum" | "bin_split" | "unsafe_bin_split" | "generate2" | "zip_with2"
        | "accumulate" | "accumulate2" | "exchange" => 3,
        "zip_with3" | "zip4" => 4,
        "zip_with4" | "tiles_fold" => 5,
        "generate" | "replicate" | "append" | "zip" | "interleave" | "mk_pull" | "mk_push"
        | "for_all" | "distr_par" | "seq_for" | "seq_while" | "compose" | "seq_reduce"
        | "seq_scan" | "fold1" | "new_shared_mutable" | "compute2_pitch" | "compute_as"
        | "reduce" | "inclusive_scan" | "sort" | "hold_as" => 2,
        _ => 1,
    }
}
