//! What waits for a type: operators, methods, and the parts of signatures that depend on an argument.

use super::Placed;
use super::methods::Method;
use super::scheme::Head;
use super::unify::{Form, Id, Kind, Node, Scalar};
use super::walk::Walk;
use crate::ordered::Map;
use crate::scalar::{BinaryOp, ScalarType};
use crate::syntax::{HostType, Site};

/// A relation between types that says something once one of them is known.
#[derive(Clone, Debug)]
pub(super) enum Pending {
    /// A number, or a tuple of them, of the type of another one, of the host or the device.
    Into(Id, Id),
    /// Extents or a shape, and the index.
    Extents(Id, Id),
    /// A shape, whose sizes are of one type, and the index.
    Shape(Id, Id),
    /// A pull or a push array, its element and its shape.
    Array(Id, Id, Id),
    /// What can be iterated over, and its element.
    Sequence(Id, Id),
    /// What a function of elements gives, and the element.
    Value(Id, Id),
    /// A shape, and the number of elements.
    Length(Id, Id),
    /// An operator with two operands, and its result.
    Binary(BinaryOp, Id, Id, Id),
    /// A cast: what is cast, to the device type, and the result, a number.
    Cast(Id, Id),
    /// `base[index]` and its result.
    Index(Id, Id, Id),
    /// A field of a tuple.
    Field(Id, u32, Id),
    /// A call of a value.
    Call(Id, Vec<Id>, Id),
    /// A method.
    Method(Method),
}

impl Walk<'_> {
    /// Solves everything, and says what the literals are.
    pub(super) fn solved(mut self) -> Map<Site, Placed> {
        self.solve();
        self.operands_of_device_values();
        self.types.decide_all(true, Form::Device);
        self.solve();
        self.operands_of_device_values();
        self.receivers_by_name();
        self.types.decide_all(true, Form::Device);
        self.solve();
        self.types.decide_all(false, Form::Host);
        self.solve();
        let literals = std::mem::take(&mut self.literals).into_iter();
        let placed = literals.filter_map(|(site, id)| {
            let (form, scalar) = self.types.parts(id)?;
            let ty = match self.types.known_scalar(scalar).1 {
                Scalar::Known(ty) => Some(ty),
                _ => None,
            };
            let is_device = self.types.known_form(form).1 == Form::Device;
            // `usize` has no values on the device: that is a mistake, at the use.
            let is_device = is_device && !matches!(ty, Some(HostType::Usize | HostType::Isize));
            Some((site, Placed { is_device, ty }))
        });
        placed.collect()
    }

    /// Solves what can be solved, until nothing more is learnt.
    pub(super) fn solve(&mut self) {
        loop {
            let pending = std::mem::take(&mut self.pending);
            let before = pending.len();
            let _ = self.types.take_changed();
            for one in pending {
                if !self.solve_one(&one) {
                    self.pending.push(one);
                }
            }
            if !self.types.take_changed() && self.pending.len() >= before {
                return;
            }
        }
    }

    /// A device value that is the result of two literals: both are device values.
    fn operands_of_device_values(&mut self) {
        let mut found = true;
        while found {
            found = false;
            for one in self.pending.clone() {
                let Pending::Binary(_, x, y, result) = one else {
                    continue;
                };
                if self.form(result) == Some(Form::Device) && self.form(x) != Some(Form::Device) {
                    for operand in [x, y] {
                        if let Some((form, _)) = self.types.parts(operand) {
                            self.types.decide(form, Form::Device);
                        }
                    }
                    found = self.types.take_changed() || found;
                }
            }
            self.solve();
        }
    }

    pub(super) fn form(&self, id: Id) -> Option<Form> {
        let (form, _) = self.types.parts(id)?;
        Some(self.types.known_form(form).1)
    }

    /// Is nothing known of a type?
    pub(super) fn is_unknown(&self, id: Id) -> bool {
        matches!(self.types.known(id).1, Node::Var(_))
    }

    /// Is it solved, such that it need not be asked again?
    pub(super) fn solve_one(&mut self, pending: &Pending) -> bool {
        match pending {
            Pending::Into(x, to) => self.solve_into(*x, *to),
            Pending::Extents(extents, index) => self.solve_extents(*extents, *index),
            Pending::Shape(shape, index) => {
                if let Some((Head::Tuple, sizes)) = self.types.made_of(*shape) {
                    let pairs = sizes.iter().zip(sizes.iter().skip(1));
                    pairs.for_each(|(one, next)| self.types.unify(*one, *next));
                }
                self.solve_extents(*shape, *index)
            }
            Pending::Array(array, element, shape) => match self.types.made_of(*array) {
                Some((Head::Pull | Head::Push, parts)) => {
                    self.types.unify(parts[0], *element);
                    self.types.unify(parts[1], *shape);
                    true
                }
                _ => !self.is_unknown(*array),
            },
            Pending::Sequence(sequence, element) => match self.types.made_of(*sequence) {
                Some((Head::Vec | Head::Iter | Head::Option, parts)) => {
                    self.types.unify(parts[0], *element);
                    true
                }
                _ => !self.is_unknown(*sequence),
            },
            Pending::Value(given, element) => match self.types.made_of(*given) {
                Some((Head::Program, parts)) => {
                    self.types.elements(parts[0]);
                    self.types.unify(parts[0], *element);
                    true
                }
                _ if self.is_unknown(*given) => false,
                _ => {
                    self.types.unify(*given, *element);
                    true
                }
            },
            Pending::Length(shape, length) => match self.types.made_of(*shape) {
                Some((Head::Tuple, parts)) => {
                    parts
                        .first()
                        .into_iter()
                        .for_each(|size| self.types.unify(*size, *length));
                    true
                }
                _ if self.is_unknown(*shape) => false,
                _ => {
                    self.types.unify(*shape, *length);
                    true
                }
            },
            Pending::Binary(op, x, y, result) => self.solve_binary(*op, *x, *y, *result),
            Pending::Cast(from, result) => match (self.form(*from), self.types.parts(*result)) {
                (Some(form @ (Form::Host | Form::Device)), Some((result, _))) => {
                    self.types.decide(result, form);
                    true
                }
                _ => false,
            },
            Pending::Index(base, index, result) => self.solve_index(*base, *index, *result),
            Pending::Field(base, n, result) => match self.types.made_of(*base) {
                Some((Head::Tuple, parts)) => {
                    let part = parts.get(*n as usize);
                    part.into_iter()
                        .for_each(|part| self.types.unify(*part, *result));
                    true
                }
                _ => !self.is_unknown(*base),
            },
            Pending::Call(callee, arguments, result) => match self.types.made_of(*callee) {
                Some((Head::Fn, parts)) => {
                    if let Some((last, parameters)) = parts.split_last() {
                        let all = parameters.iter().zip(arguments);
                        all.for_each(|(parameter, value)| self.types.unify(*parameter, *value));
                        self.types.unify(*last, *result);
                    }
                    true
                }
                _ => !self.is_unknown(*callee),
            },
            Pending::Method(method) => self.solve_method(method),
        }
    }

    fn solve_into(&mut self, x: Id, to: Id) -> bool {
        match (
            self.types.known(x).1.clone(),
            self.types.known(to).1.clone(),
        ) {
            (Node::Number(_, s), Node::Number(_, t)) => {
                self.types.unify_scalars(s, t);
                true
            }
            (Node::Made(Head::Tuple, list), Node::Made(Head::Tuple, others)) => {
                let pairs = list.into_iter().zip(others);
                let each = pairs.map(|(x, to)| Pending::Into(x, to));
                self.pending.extend(each);
                true
            }
            (Node::Var(_), _) | (_, Node::Var(_)) => false,
            _ => true,
        }
    }

    fn solve_extents(&mut self, extents: Id, index: Id) -> bool {
        match self.types.known(extents).1.clone() {
            Node::Number(_, scalar) => {
                let one = self.types.index();
                if let Some((_, own)) = self.types.parts(one) {
                    self.types.unify_scalars(scalar, own);
                }
                self.types.unify(index, one);
                true
            }
            Node::Made(Head::Tuple, list) => {
                let mut parts = Vec::new();
                for extent in list {
                    let part = self.types.var();
                    self.pending.push(Pending::Extents(extent, part));
                    parts.push(part);
                }
                let tuple = self.types.made(Head::Tuple, parts);
                self.types.unify(index, tuple);
                true
            }
            Node::Var(_) | Node::Link(_) => false,
            Node::Made(..) => true,
        }
    }

    fn solve_binary(&mut self, op: BinaryOp, x: Id, y: Id, result: Id) -> bool {
        for (one, other) in [(x, y), (y, x)] {
            // What stands beside a number is one.
            if self.types.parts(one).is_some() && self.is_unknown(other) {
                let number = self
                    .types
                    .number(Form::Open(false), Scalar::Open(Kind::Any));
                self.types.unify(other, number);
            }
        }
        let (Some((f, s)), Some((g, t)), Some((to, of))) = (
            self.types.parts(x),
            self.types.parts(y),
            self.types.parts(result),
        ) else {
            let is_open = self.is_unknown(x) || self.is_unknown(y);
            if let (false, Some((to, _))) = (is_open, self.types.parts(result)) {
                self.types.decide(to, Form::Host);
            }
            return !is_open;
        };
        if !op.is_shift() {
            self.types.unify_scalars(s, t);
        }
        if !op.is_comparison() {
            self.types.unify_scalars(s, of);
        }
        let form = |walk: &Self, id| walk.types.known_form(id).1;
        match (form(self, f), form(self, g), form(self, to)) {
            (Form::Device, _, _) | (_, Form::Device, _) => {
                self.types.decide(to, Form::Device);
                if op.is_shift() && form(self, f) == Form::Device {
                    let bits = self.types.index();
                    if let Some((_, bits)) = self.types.parts(bits) {
                        self.types.unify_scalars(t, bits);
                    }
                }
                true
            }
            (Form::Host, Form::Host, _) => {
                self.types.decide(to, Form::Host);
                true
            }
            (_, _, Form::Host) => {
                [f, g]
                    .into_iter()
                    .for_each(|id| self.types.decide(id, Form::Host));
                true
            }
            _ => false,
        }
    }

    fn solve_index(&mut self, base: Id, index: Id, result: Id) -> bool {
        match self.types.made_of(base) {
            Some((Head::Pull, parts)) => {
                let at = self.types.var();
                self.pending.push(Pending::Shape(parts[1], at));
                self.pending.push(Pending::Into(index, at));
                self.types.unify(parts[0], result);
                true
            }
            Some((Head::Arr, parts)) => {
                self.pending.push(Pending::Into(index, parts[1]));
                self.types.unify(parts[0], result);
                true
            }
            Some((Head::Vec | Head::Iter, parts)) => {
                let at = self
                    .types
                    .number(Form::Host, Scalar::Known(HostType::Usize));
                match self.types.made_of(index) {
                    Some((Head::Iter, range)) => {
                        self.types.unify(range[0], at);
                        let list = self.types.made(Head::Vec, [parts[0]]);
                        self.types.unify(list, result);
                        true
                    }
                    _ if self.is_unknown(index) => false,
                    _ => {
                        self.types.unify(index, at);
                        self.types.unify(parts[0], result);
                        true
                    }
                }
            }
            _ => !self.is_unknown(base),
        }
    }

    /// An operator, whose result is a number.
    pub(super) fn operator(&mut self, op: BinaryOp, x: Id, y: Id, result: Id) {
        let scalar = match op.is_comparison() {
            true => Scalar::Known(HostType::Scalar(ScalarType::Bool)),
            false => Scalar::Open(Kind::Any),
        };
        let number = self.types.number(Form::Open(false), scalar);
        self.types.unify(result, number);
        self.pending.push(Pending::Binary(op, x, y, result));
    }
}
