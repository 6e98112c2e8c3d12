//! Types of expressions and statements.

use super::instance::Env;
use super::library::{Library, parsed};
use super::methods::Method;
use super::patterns::scalar_of;
use super::scheme::Head;
use super::signatures as text;
use super::solve::Pending;
use super::unify::{Form, Id, Kind, Node, Scalar, Types};
use super::{is_constant, is_literal};
use crate::scalar::ScalarType;
use crate::syntax::{
    BinOp, Block, Callee, Closure, Expr, ExprKind, Function, HostType, Module, Name, Site, Slot,
    Stmt, Type, TypeUse,
};

/// Walks over a module.
pub(super) struct Walk<'m> {
    module: &'m Module,
    pub(super) types: Types,
    pub(super) library: Library,
    pub(super) pending: Vec<Pending>,
    /// Literals, constants and calls of `lit`, with their types.
    pub(super) literals: Vec<(Site, Id)>,
    slots: Vec<Id>,
    pub(super) env: Env,
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
        let is_literal = matches!(&callee.kind, ExprKind::Path(Callee::Arrays(name), ..) if &**name == "literal");
        let callee = self.expr(callee);
        let (arguments, result) = (self.list(arguments), self.types.var());
        self.pending.push(Pending::Call(callee, arguments, result));
        if is_lit {
            self.literals.push((site, result));
        }
        if is_literal {
            // Its elements are one type, which stands at the call.
            let (element, index) = (self.types.var(), self.types.var());
            let array = self.types.made(Head::Arr, [element, index]);
            self.types.unify(result, array);
            self.literals.push((site, element));
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
