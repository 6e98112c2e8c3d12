//! Types of expressions and statements.

use std::cell::RefCell;

use super::patterns::scalar_of;
use super::scheme::{Head, Scheme};
use super::signatures as text;
use super::solve::{Method, Pending};
use super::unify::{Form, Id, Kind, Node, Scalar, ScalarId, Types};
use super::{is_constant, is_literal};
use crate::front::syntax::{
    BinOp, Block, Callee, Closure, Expr, ExprKind, Function, HostType, Module, Name, Site, Slot,
    Stmt, Type, TypeUse,
};
use crate::ordered::Map;
use crate::scalar::ScalarType;

/// What type parameters stand for.
#[derive(Clone, Default)]
pub(super) struct Env {
    /// The parameters themselves.
    pub(super) nodes: Vec<Id>,
    /// The types of numbers that they are, for `Exp<T>`.
    pub(super) scalars: Vec<ScalarId>,
}

/// The signatures of the library, each read when it is used first.
#[derive(Default)]
pub(super) struct Library {
    read: RefCell<Map<&'static str, Scheme>>,
}

impl Library {
    /// The signature of a name in a table.
    fn of(&self, table: &'static str, name: &str) -> Option<Scheme> {
        let line = table.lines().find(|line| {
            line.strip_prefix(name)
                .is_some_and(|rest| rest.starts_with(' '))
        })?;
        let mut read = self.read.borrow_mut();
        if let Some(scheme) = read.get(line) {
            return Some(scheme.clone());
        }
        let scheme = parsed(line.split_once(' ')?.1)?;
        read.insert(line, scheme.clone());
        Some(scheme)
    }

    /// The signature of a function or method.
    pub(super) fn signature(&self, of: &str, name: &str) -> Option<Scheme> {
        let (_, table) = TABLES.iter().find(|(known, _)| *known == of)?;
        self.of(table, name)
    }

    /// The signature of a method with so many arguments, the receiver among them.
    pub(super) fn method(&self, head: Head, name: &str, count: usize) -> Option<Scheme> {
        let scheme = self.of(methods(head)?, name)?;
        let fits = matches!(&scheme, Scheme::Made(_, parts) if parts.len() == count + 1);
        fits.then_some(scheme)
    }
}

/// The tables by the names of the types that have the methods.
const TABLES: &[(&str, &str)] = &[
    ("", text::FUNCTIONS),
    ("arrays", text::ARRAYS),
    ("Arr", text::WHOLE),
    ("Pull", text::PULL),
    ("Pull2", text::PULL),
    ("Pull3", text::PULL),
    ("Push", text::PUSH),
    ("Push2", text::PUSH),
    ("Push3", text::PUSH),
    ("Mutable", text::MUTABLE),
    ("Program", text::PROGRAM),
];

/// The names in the tables.
pub(super) fn names() -> Vec<(&'static str, &'static str)> {
    let each = TABLES.iter().flat_map(|(of, table)| {
        let names = table.lines().filter_map(|line| line.split_once(' '));
        names.map(move |(name, _)| (*of, name))
    });
    each.collect()
}

fn methods(head: Head) -> Option<&'static str> {
    match head {
        Head::Pull => Some(text::PULL),
        Head::Push => Some(text::PUSH),
        Head::Mutable => Some(text::MUTABLE),
        Head::Program => Some(text::PROGRAM),
        Head::Arr => Some(text::WHOLE),
        Head::Window => Some(text::WINDOW),
        Head::Vec | Head::Iter => Some(text::SEQUENCE),
        Head::Option => Some(text::OPTION),
        Head::Outside | Head::Tuple | Head::Fn | Head::Param(_) | Head::Opaque => None,
    }
}

/// A signature of the library; its type parameters are single letters.
pub(super) fn parsed(signature: &str) -> Option<Scheme> {
    let ty: syn::Type = syn::parse_str(signature).ok()?;
    let letter = |name: &str| match name.as_bytes() {
        [letter @ b'A'..=b'Z'] => Some(u32::from(letter - b'A')),
        _ => None,
    };
    Some(Scheme::of(&ty, &letter))
}

/// Walks over a module.
pub(super) struct Walk<'m> {
    module: &'m Module,
    pub(super) types: Types,
    pub(super) library: Library,
    pub(super) pending: Vec<Pending>,
    /// Literals, constants and calls of `lit`, with their types.
    pub(super) literals: Vec<(Site, Id)>,
    slots: Vec<Id>,
    env: Env,
    /// The type that the function or closure around gives.
    result: Id,
    is_whole: bool,
}

impl<'m> Walk<'m> {
    pub(super) fn new(module: &'m Module) -> Self {
        let mut types = Types::default();
        let result = types.var();
        Walk {
            module,
            types,
            library: Library::default(),
            pending: Vec::new(),
            literals: Vec::new(),
            slots: Vec::new(),
            env: Env::default(),
            result,
            is_whole: false,
        }
    }

    /// The body of the n-th function.
    pub(super) fn function(&mut self, n: u32, function: &Function) {
        if function.device.is_some() {
            return;
        }
        self.env = self.inside(n, function);
        self.is_whole = function.is_whole;
        self.slots = self.unknowns(function.slots);
        for parameter in &function.parameters {
            let ty = match &parameter.ty {
                Some(ty) => self.written(ty),
                None => self.types.var(),
            };
            self.pattern(&parameter.pattern, ty);
        }
        self.result = self.written(&function.result);
        let value = self.block(&function.body);
        self.types.unify(value, self.result);
    }

    fn unknowns(&mut self, count: Slot) -> Vec<Id> {
        (0..count).map(|_| self.types.var()).collect()
    }

    /// Type parameters, as the body of their function sees them.
    fn inside(&mut self, n: u32, function: &Function) -> Env {
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
    fn outside(&mut self, function: &Function, turbofish: &[TypeUse]) -> Env {
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
    fn written(&mut self, ty: &TypeUse) -> Id {
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

    pub(super) fn bind(&mut self, slot: Slot, ty: Id) {
        if let Some(known) = self.slots.get(slot as usize).copied() {
            self.types.unify(known, ty);
        }
    }

    fn local(&mut self, slot: Slot) -> Id {
        match self.slots.get(slot as usize) {
            Some(ty) => *ty,
            None => self.types.var(),
        }
    }

    fn unit(&mut self) -> Id {
        self.types.made(Head::Tuple, [])
    }

    /// A number of the host.
    fn host(&mut self, scalar: Scalar) -> Id {
        self.types.number(Form::Host, scalar)
    }

    fn truth(&mut self) -> Id {
        self.host(Scalar::Known(HostType::Scalar(ScalarType::Bool)))
    }

    fn block(&mut self, block: &Block) -> Id {
        for statement in &block.statements {
            self.statement(statement);
        }
        match (&block.value, block.statements.last()) {
            (Some(value), _) => self.expr(value),
            (None, Some(Stmt::Expr(last, _))) if leaves(last) => self.types.var(),
            (None, _) => self.unit(),
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        match statement {
            Stmt::Expr(expr, _) => {
                self.expr(expr);
            }
            Stmt::Let {
                pattern,
                ty,
                value,
                otherwise,
            } => {
                let bound = match ty {
                    Some(ty) => self.written(ty),
                    None => self.types.var(),
                };
                if let Some(value) = value {
                    let value = self.expr(value);
                    self.types.unify(bound, value);
                }
                if let Some(otherwise) = otherwise {
                    self.block(otherwise);
                }
                self.pattern(pattern, bound);
            }
            Stmt::Constant(_) | Stmt::Type(_) => {}
        }
    }

    fn list(&mut self, list: &[Expr]) -> Vec<Id> {
        list.iter().map(|expr| self.expr(expr)).collect()
    }

    fn expr(&mut self, expr: &Expr) -> Id {
        if is_literal(expr) || is_constant(expr) {
            return self.literal(expr);
        }
        match &expr.kind {
            ExprKind::Local(slot, _) => self.local(*slot),
            ExprKind::Path(callee, name, types) => self.path(callee, name, types),
            ExprKind::None => {
                let value = self.types.var();
                self.types.made(Head::Option, [value])
            }
            ExprKind::Unary(_, x) | ExprKind::Deref(x) | ExprKind::Ref(x) | ExprKind::Paren(x) => {
                self.expr(x)
            }
            ExprKind::Binary(op, x, y, _) => self.binary(*op, x, y),
            ExprKind::Assign(x, y) => {
                let (x, y) = (self.expr(x), self.expr(y));
                self.types.unify(x, y);
                self.unit()
            }
            ExprKind::AssignOp(op, x, y, _) => {
                let (x, y) = (self.expr(x), self.expr(y));
                self.operator(*op, x, y, x);
                self.unit()
            }
            ExprKind::Call(callee, arguments) => self.call(expr.site, callee, arguments),
            ExprKind::Method {
                receiver,
                name,
                turbofish,
                arguments,
                ..
            } => self.method(receiver, name, turbofish, arguments),
            ExprKind::Index(x, y) => {
                let (x, y, result) = (self.expr(x), self.expr(y), self.types.var());
                self.pending.push(Pending::Index(x, y, result));
                result
            }
            ExprKind::Field(x, n) => {
                let (x, result) = (self.expr(x), self.types.var());
                self.pending.push(Pending::Field(x, *n, result));
                result
            }
            ExprKind::Cast(x, ty) => self.cast(x, ty),
            ExprKind::Closure(closure) => self.closure(closure),
            _ => self.other(expr),
        }
    }

    /// Ranges, tuples, lists, and what changes the order of evaluation.
    fn other(&mut self, expr: &Expr) -> Id {
        match &expr.kind {
            ExprKind::Range(x, y, _) => {
                let element = self.host(Scalar::Open(Kind::Integer));
                for end in [x, y].into_iter().flatten() {
                    let end = self.expr(end);
                    self.types.unify(end, element);
                }
                self.types.made(Head::Iter, [element])
            }
            ExprKind::Tuple(list) => {
                let parts = self.list(list);
                self.types.made(Head::Tuple, parts)
            }
            ExprKind::Array(list, _) => {
                let element = self.types.var();
                for part in list {
                    let part = self.expr(part);
                    self.types.unify(part, element);
                }
                self.types.made(Head::Vec, [element])
            }
            ExprKind::Repeat(x, n, _) => {
                let (x, n) = (self.expr(x), self.expr(n));
                let count = self.host(Scalar::Known(HostType::Usize));
                self.types.unify(n, count);
                self.types.made(Head::Vec, [x])
            }
            ExprKind::Try(x, _) => {
                let (x, value) = (self.expr(x), self.types.var());
                let program = self.types.made(Head::Program, [value]);
                self.types.unify(x, program);
                value
            }
            ExprKind::Assert(_, list, _) => {
                self.list(list);
                self.types.var()
            }
            ExprKind::Return(value) => {
                if let Some(value) = value {
                    let value = self.expr(value);
                    self.types.unify(value, self.result);
                }
                self.types.var()
            }
            ExprKind::Break(_) | ExprKind::Continue(_) | ExprKind::Discard => self.types.var(),
            _ => self.control(expr),
        }
    }

    fn control(&mut self, expr: &Expr) -> Id {
        match &expr.kind {
            ExprKind::Block(block) => self.block(block),
            ExprKind::Loop(block, _) => {
                self.block(block);
                self.types.var()
            }
            ExprKind::If(condition, then, otherwise) => {
                self.condition(condition);
                self.arms(then, otherwise.as_deref())
            }
            ExprKind::IfLet(pattern, value, then, otherwise) => {
                let value = self.expr(value);
                self.pattern(pattern, value);
                self.arms(then, otherwise.as_deref())
            }
            ExprKind::For(pattern, head, body, _) => {
                let (head, element) = (self.expr(head), self.types.var());
                self.pending.push(Pending::Sequence(head, element));
                self.pattern(pattern, element);
                self.block(body);
                self.unit()
            }
            ExprKind::While(condition, body, _) => {
                self.condition(condition);
                self.block(body);
                self.unit()
            }
            ExprKind::Match(value, arms) => {
                let (value, result) = (self.expr(value), self.types.var());
                for arm in arms {
                    self.pattern(&arm.pattern, value);
                    arm.guard.iter().for_each(|guard| self.condition(guard));
                    let body = self.expr(&arm.body);
                    self.types.unify(body, result);
                }
                result
            }
            _ => self.types.var(),
        }
    }

    fn condition(&mut self, expr: &Expr) {
        let (condition, truth) = (self.expr(expr), self.truth());
        self.types.unify(condition, truth);
    }

    fn arms(&mut self, then: &Block, otherwise: Option<&Expr>) -> Id {
        let then = self.block(then);
        if let Some(otherwise) = otherwise {
            let otherwise = self.expr(otherwise);
            self.types.unify(then, otherwise);
        }
        then
    }

    /// A literal, or a constant: of the host or of the device.
    fn literal(&mut self, expr: &Expr) -> Id {
        let scalar = match &expr.kind {
            ExprKind::Paren(inner) => return self.literal(inner),
            ExprKind::Lit(lit, _) => scalar_of(lit),
            ExprKind::Unary(_, inner) => {
                let ExprKind::Lit(lit, _) = &inner.kind else {
                    return self.types.var();
                };
                let (number, own) = (
                    self.types.number(Form::Open(false), scalar_of(lit)),
                    self.types.form(Form::Host),
                );
                // The number behind the sign is one of the host, and the sign part of the literal.
                if let Some((_, scalar)) = self.types.parts(number) {
                    let inside = self.types.add(Node::Number(own, scalar));
                    self.literals.push((inner.site, inside));
                }
                self.literals.push((expr.site, number));
                return number;
            }
            ExprKind::HostConstant(ty, text) => match text.ends_with("::BITS") {
                true => Scalar::Known(HostType::Scalar(ScalarType::U32)),
                false => Scalar::Known(*ty),
            },
            ExprKind::Constant(n, _) => {
                let constant = self.module.constants.get(*n as usize);
                match constant.map(|constant| &constant.ty) {
                    Some(ty) => match &ty.ty {
                        Type::Host(ty) => Scalar::Known(*ty),
                        _ => return self.instance(&ty.scheme, &Env::default()),
                    },
                    None => return self.types.var(),
                }
            }
            _ => return self.types.var(),
        };
        let number = self.types.number(Form::Open(false), scalar);
        self.literals.push((expr.site, number));
        number
    }

    fn path(&mut self, callee: &Callee, name: &Name, types: &[TypeUse]) -> Id {
        let scheme = match callee {
            Callee::Function(n) => {
                let module = self.module;
                let Some(function) = module.functions.get(*n as usize) else {
                    return self.types.var();
                };
                let env = self.outside(function, types);
                let mut parts = Vec::new();
                for parameter in &function.parameters {
                    parts.push(match &parameter.ty {
                        Some(ty) => self.instance(&ty.scheme, &env),
                        None => self.types.var(),
                    });
                }
                parts.push(self.instance(&function.result.scheme, &env));
                return self.types.made(Head::Fn, parts);
            }
            Callee::Library(name) if &**name == "lit" => return self.lit(types),
            Callee::Library(name) => self.library.of(text::FUNCTIONS, name),
            Callee::Arrays(name) => self.library.of(text::ARRAYS, name),
            Callee::Host(name) => match &**name {
                "Some" => parsed("fn(A) -> Option<A>"),
                "Vec::new" => parsed("fn() -> Vec<A>"),
                "Vec::with_capacity" => parsed("fn(usize) -> Vec<A>"),
                _ => None,
            },
        };
        let _ = name;
        match scheme {
            Some(scheme) => {
                let env = self.library_env();
                self.instance(&scheme, &env)
            }
            None => self.types.var(),
        }
    }

    /// `lit`: a number of the host as one of the device.
    fn lit(&mut self, types: &[TypeUse]) -> Id {
        let number = self.host(Scalar::Open(Kind::Any));
        if let [ty] = types {
            let ty = self.written(ty);
            self.types.unify(number, ty);
        }
        let device = self.types.form(Form::Device);
        let result = match self.types.parts(number) {
            Some((_, scalar)) => self.types.add(Node::Number(device, scalar)),
            None => self.types.var(),
        };
        self.types.made(Head::Fn, [number, result])
    }

    fn call(&mut self, site: Site, callee: &Expr, arguments: &[Expr]) -> Id {
        let is_lit =
            matches!(&callee.kind, ExprKind::Path(Callee::Library(name), ..) if &**name == "lit");
        let callee = self.expr(callee);
        let (arguments, result) = (self.list(arguments), self.types.var());
        self.pending.push(Pending::Call(callee, arguments, result));
        if is_lit {
            self.literals.push((site, result));
        }
        result
    }

    fn method(
        &mut self,
        receiver: &Expr,
        name: &Name,
        turbofish: &[TypeUse],
        arguments: &[Expr],
    ) -> Id {
        let (receiver, arguments) = (self.expr(receiver), self.list(arguments));
        let result = self.types.var();
        if let ("collect" | "sum" | "product", [ty]) = (&**name, turbofish) {
            let ty = self.written(ty);
            self.types.unify(result, ty);
        }
        self.pending.push(Pending::Method(Method {
            receiver,
            name: name.clone(),
            arguments,
            result,
            is_whole: self.is_whole,
        }));
        result
    }

    fn binary(&mut self, op: BinOp, x: &Expr, y: &Expr) -> Id {
        match op {
            BinOp::Device(op) => {
                let (x, y, result) = (self.expr(x), self.expr(y), self.types.var());
                self.operator(op, x, y, result);
                result
            }
            BinOp::AndAlso | BinOp::OrElse => {
                self.condition(x);
                self.condition(y);
                self.truth()
            }
        }
    }

    fn cast(&mut self, x: &Expr, ty: &TypeUse) -> Id {
        let (from, to) = (self.expr(x), self.written(ty));
        let Some((form, scalar)) = self.types.parts(to) else {
            return to;
        };
        if self.types.known_form(form).1 == Form::Device {
            return to;
        }
        // Of a device value it is one, whatever the type is called.
        let open = self.types.form(Form::Open(false));
        let result = self.types.add(Node::Number(open, scalar));
        self.pending.push(Pending::Cast(from, result));
        result
    }

    fn closure(&mut self, closure: &Closure) -> Id {
        let mut slots = self.unknowns(closure.slots);
        for (outer, inner, _) in &closure.captures {
            let outer = self.local(*outer);
            if let Some(slot) = slots.get_mut(*inner as usize) {
                *slot = outer;
            }
        }
        let around = std::mem::replace(&mut self.slots, slots);
        let result = self.types.var();
        let result_around = std::mem::replace(&mut self.result, result);
        let mut parts = Vec::new();
        for parameter in &closure.parameters {
            let ty = match &parameter.ty {
                Some(ty) => self.written(ty),
                None => self.types.var(),
            };
            self.pattern(&parameter.pattern, ty);
            parts.push(ty);
        }
        let value = self.expr(&closure.body);
        self.types.unify(value, result);
        parts.push(result);
        self.result = result_around;
        self.slots = around;
        self.types.made(Head::Fn, parts)
    }
}

/// Does evaluation never come behind an expression?
fn leaves(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Return(_) | ExprKind::Break(_) | ExprKind::Continue(_) | ExprKind::Loop(..) => {
            true
        }
        ExprKind::Paren(inner) => leaves(inner),
        _ => false,
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
