//! Types as they are written, with what their parameters stand for.

use super::scheme::{Head, Scheme};
use super::solve::Pending;
use super::unify::{Form, Id, Kind, Node, Scalar, ScalarId};
use super::walk::Walk;
use crate::syntax::{Function, TypeUse};

/// What type parameters stand for.
#[derive(Clone, Default)]
pub(super) struct Env {
    /// The parameters themselves.
    pub(super) nodes: Vec<Id>,
    /// The types of numbers that they are, for `Exp<T>`.
    pub(super) scalars: Vec<ScalarId>,
}

impl Walk<'_> {
    /// Type parameters, as the body of their function sees them.
    pub(super) fn inside(&mut self, n: u32, function: &Function) -> Env {
        let mut env = Env::default();
        let written = || {
            let parameters = function.parameters.iter().filter_map(|p| p.ty.as_ref());
            parameters.chain([&function.result])
        };
        for at in 0..function.generics.len() as u32 {
            let own = n.wrapping_mul(64).wrapping_add(at);
            let scalar = self.types.scalar(Scalar::Param(own));
            let is_number = written().any(|ty| names_number(&ty.scheme, at));
            let node = match is_number {
                true => {
                    let form = self.types.form(Form::Host);
                    self.types.add(Node::Number(form, scalar))
                }
                false => self.types.made(Head::Param(own), []),
            };
            env.nodes.push(node);
            env.scalars.push(scalar);
        }
        for (at, generic) in function.generics.iter().enumerate() {
            if let Some(scheme) = &generic.bound.function {
                env.nodes[at] = self.instance(scheme, &env);
            }
        }
        env
    }

    /// Type parameters of a call.
    pub(super) fn outside(&mut self, function: &Function, turbofish: &[TypeUse]) -> Env {
        let mut env = Env::default();
        for generic in &function.generics {
            env.nodes
                .push(self.types.add(Node::Var(generic.bound.is_data)));
            env.scalars.push(self.types.scalar(Scalar::Open(Kind::Any)));
        }
        for (at, generic) in function.generics.iter().enumerate() {
            if let Some(scheme) = &generic.bound.function {
                let given = self.instance(scheme, &env);
                self.types.unify(env.nodes[at], given);
            }
        }
        for (node, ty) in env.nodes.clone().into_iter().zip(turbofish) {
            let ty = self.written(ty);
            self.types.unify(node, ty);
        }
        env
    }

    /// A type as it is written, in the function around.
    pub(super) fn written(&mut self, ty: &TypeUse) -> Id {
        let env = self.env.clone();
        self.instance(&ty.scheme, &env)
    }

    /// A type whose parameters stand for others.
    pub(super) fn instance(&mut self, scheme: &Scheme, env: &Env) -> Id {
        match scheme {
            Scheme::Any => self.types.var(),
            Scheme::Number(is_device, ty) => {
                let form = if *is_device { Form::Device } else { Form::Host };
                self.types.number(form, Scalar::Known(*ty))
            }
            Scheme::Generic(n) => match env.nodes.get(*n as usize) {
                Some(node) => *node,
                None => self.types.var(),
            },
            Scheme::Exp(n) => {
                let Some((node, scalar)) =
                    env.nodes.get(*n as usize).zip(env.scalars.get(*n as usize))
                else {
                    return self.types.var();
                };
                let (host, device) = (self.types.form(Form::Host), self.types.form(Form::Device));
                let host = self.types.add(Node::Number(host, *scalar));
                self.types.unify(*node, host);
                self.types.add(Node::Number(device, *scalar))
            }
            Scheme::Made(head, parts) => {
                let list: Vec<Id> = parts.iter().map(|part| self.instance(part, env)).collect();
                if let (Head::Pull | Head::Push, [_, Scheme::Generic(_)], [_, shape]) =
                    (head, parts.as_slice(), list.as_slice())
                {
                    let index = self.types.var();
                    self.pending.push(Pending::Shape(*shape, index));
                }
                self.types.made(*head, list)
            }
            Scheme::Into(to) => self.related(to, env, Pending::Into),
            Scheme::Extents(index) => self.related(index, env, Pending::Extents),
            Scheme::Sequence(element) => self.related(element, env, Pending::Sequence),
            Scheme::Index(of) => self.related(of, env, |index, of| Pending::Shape(of, index)),
            Scheme::Value(of) => self.related(of, env, |value, of| Pending::Value(of, value)),
            Scheme::Length(of) => self.related(of, env, |length, of| Pending::Length(of, length)),
            Scheme::Array(element, shape) => {
                let (element, shape) = (self.instance(element, env), self.instance(shape, env));
                let array = self.types.var();
                self.pending.push(Pending::Array(array, element, shape));
                array
            }
        }
    }

    fn related(&mut self, to: &Scheme, env: &Env, relation: fn(Id, Id) -> Pending) -> Id {
        let (to, unknown) = (self.instance(to, env), self.types.var());
        self.pending.push(relation(unknown, to));
        unknown
    }
}

/// Is the n-th type parameter the type of a number, of which there are device values?
fn names_number(scheme: &Scheme, n: u32) -> bool {
    match scheme {
        Scheme::Exp(m) => *m == n,
        Scheme::Made(_, parts) => parts.iter().any(|part| names_number(part, n)),
        Scheme::Into(x)
        | Scheme::Extents(x)
        | Scheme::Index(x)
        | Scheme::Length(x)
        | Scheme::Sequence(x)
        | Scheme::Value(x) => names_number(x, n),
        Scheme::Array(x, y) => names_number(x, n) || names_number(y, n),
        Scheme::Any | Scheme::Number(..) | Scheme::Generic(_) => false,
    }
}
