//! Calls of methods, once their receiver is known.

use super::instance::Env;
use super::scheme::Head;
use super::solve::Pending;
use super::unify::{Form, Id, Kind, Node, Scalar};
use super::walk::Walk;
use crate::scalar::{BinaryOp, ScalarType};
use crate::syntax::{HostType, Name};

/// A call of a method.
#[derive(Clone, Debug)]
pub(super) struct Method {
    pub(super) receiver: Id,
    pub(super) name: Name,
    pub(super) arguments: Vec<Id>,
    pub(super) result: Id,
    /// Does the function around work on arrays of array programs?
    pub(super) is_whole: bool,
}

/// Methods with an operand of the receiver's type, which give a number of that type.
const WITH_OPERAND: &[&str] = &[
    "abs_diff",
    "atan2",
    "copysign",
    "div_ceil",
    "div_euclid",
    "hypot",
    "max",
    "min",
    "next_multiple_of",
    "powf",
    "rem_euclid",
    "saturating_add",
    "saturating_mul",
    "saturating_sub",
    "wrapping_add",
    "wrapping_mul",
    "wrapping_sub",
];

impl Walk<'_> {
    /// Receivers of which nothing is known have the type whose only method has the name.
    pub(super) fn receivers_by_name(&mut self) {
        for one in self.pending.clone() {
            let Pending::Method(method) = one else {
                continue;
            };
            if !matches!(self.types.known(method.receiver).1, Node::Var(_)) {
                continue;
            }
            let of_host = [Head::Iter, Head::Option];
            let of_language = match method.is_whole {
                true => [Head::Arr, Head::Window].as_slice(),
                false => [Head::Pull, Head::Push, Head::Mutable, Head::Program].as_slice(),
            };
            let all = of_host.iter().chain(of_language);
            let count = method.arguments.len() + 1;
            let known: Vec<Head> = all
                .filter(|head| self.library.method(**head, &method.name, count).is_some())
                .copied()
                .collect();
            if let [head] = known.as_slice() {
                self.call_method(*head, &method);
                self.solve();
            }
        }
    }

    pub(super) fn solve_method(&mut self, method: &Method) -> bool {
        if matches!(&*method.name, "clone" | "to_owned" | "copied" | "cloned")
            && method.arguments.is_empty()
        {
            self.types.unify(method.receiver, method.result);
            return true;
        }
        match self.types.known(method.receiver).1.clone() {
            Node::Var(_) | Node::Link(_) => false,
            Node::Number(..) => {
                self.method_of_number(method);
                true
            }
            Node::Made(Head::Vec, parts) => {
                let receiver = self.types.made(Head::Iter, parts);
                let method = Method {
                    receiver,
                    ..method.clone()
                };
                self.call_method(Head::Iter, &method);
                true
            }
            Node::Made(head, _) => {
                self.call_method(head, method);
                true
            }
        }
    }

    /// A method of the library or of the host, whose receiver has a head.
    fn call_method(&mut self, head: Head, method: &Method) {
        let count = method.arguments.len() + 1;
        let Some(scheme) = self.library.method(head, &method.name, count) else {
            return;
        };
        let env = self.library_env();
        let callee = self.instance(&scheme, &env);
        let all = std::iter::once(method.receiver).chain(method.arguments.iter().copied());
        let call = Pending::Call(callee, all.collect(), method.result);
        self.solve_one(&call);
    }

    fn method_of_number(&mut self, method: &Method) {
        let (receiver, result) = (method.receiver, method.result);
        let number = self.same_form(receiver);
        let comparison = match &*method.name {
            "eq" => Some(BinaryOp::Eq),
            "ne" => Some(BinaryOp::Ne),
            "lt" => Some(BinaryOp::Lt),
            "le" => Some(BinaryOp::Le),
            "gt" => Some(BinaryOp::Gt),
            "ge" => Some(BinaryOp::Ge),
            _ => None,
        };
        let known = |ty| Scalar::Known(HostType::Scalar(ty));
        match (&*method.name, method.arguments.as_slice()) {
            (name, [operand]) if WITH_OPERAND.contains(&name) => {
                self.operator(BinaryOp::Add, receiver, *operand, result);
            }
            (_, [operand]) if comparison.is_some() => {
                self.operator(
                    comparison.unwrap_or(BinaryOp::Eq),
                    receiver,
                    *operand,
                    result,
                );
            }
            ("clamp" | "mul_add", [first, second]) => {
                let between = self.types.var();
                self.operator(BinaryOp::Add, receiver, *first, between);
                self.operator(BinaryOp::Add, between, *second, result);
            }
            ("powi" | "pow", [exponent]) => {
                let ty = if &*method.name == "powi" {
                    ScalarType::I32
                } else {
                    ScalarType::U32
                };
                let wanted = self.types.number(Form::Host, known(ty));
                self.types.unify(*exponent, wanted);
                self.types.unify(receiver, result);
            }
            ("rotate_left" | "rotate_right" | "equals" | "multiple_of", [operand]) => {
                let wanted = self.types.index();
                self.pending.push(Pending::Into(*operand, wanted));
                if method.name.starts_with("rotate") {
                    self.types.unify(receiver, result);
                }
            }
            ("at_least", [least]) => {
                let wanted = self.types.number(Form::Host, known(ScalarType::U32));
                self.types.unify(*least, wanted);
            }
            ("is_nan" | "is_power_of_two", []) => {
                if let Some((form, _)) = number {
                    let scalar = self.types.scalar(known(ScalarType::Bool));
                    let truth = self.types.add(Node::Number(form, scalar));
                    self.types.unify(truth, result);
                }
            }
            ("to_bits" | "count_ones" | "leading_zeros" | "trailing_zeros", []) => {
                if let Some((form, _)) = number {
                    let scalar = self.types.scalar(Scalar::Open(Kind::Integer));
                    let bits = self.types.add(Node::Number(form, scalar));
                    self.types.unify(bits, result);
                }
            }
            ("then", [f]) => {
                let value = self.types.var();
                let function = self.types.made(Head::Fn, [value]);
                self.types.unify(*f, function);
                let option = self.types.made(Head::Option, [value]);
                self.types.unify(option, result);
            }
            ("then_some", [value]) => {
                let option = self.types.made(Head::Option, [*value]);
                self.types.unify(option, result);
            }
            _ => self.types.unify(receiver, result),
        }
    }

    fn same_form(&self, id: Id) -> Option<(u32, u32)> {
        self.types.parts(id)
    }

    /// Type parameters of a signature of the library.
    pub(super) fn library_env(&mut self) -> Env {
        let mut env = Env::default();
        for letter in 'A'..='Z' {
            let is_element = matches!(letter, 'T' | 'U' | 'V');
            env.nodes.push(self.types.add(Node::Var(is_element)));
            env.scalars.push(self.types.scalar(Scalar::Open(Kind::Any)));
        }
        env
    }
}
