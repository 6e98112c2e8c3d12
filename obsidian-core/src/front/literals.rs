//! Where a literal is a device value.
//!
//! At some places nothing but a device value can stand: an arm of `select`, what fills the last
//! piece of `chunks`, an argument of a parameter that is declared as `EF32`. A literal there is a
//! device value, as if `lit(..)` were around it, and so is a constant, such as `f32::MAX`. These
//! places are found here, from the tree alone, so that the evaluator and the native copy agree on
//! them, in functions that no kernel calls too. The evaluator adds those that the values tell: what
//! `map` gives for the elements of an array, or what is written by a writer.

use super::evaluate::{
    elements_of, elements_of_arrays, elements_of_method, elements_of_method_of_arrays,
};
use super::syntax::{Block, Callee, Expr, ExprKind, Function, Lit, Module, Site, Stmt, Type};
use crate::ordered::Set;
use crate::scalar::UnaryOp;

/// What an expression has to give.
#[derive(Clone, Copy)]
pub(crate) enum Want<'t> {
    /// A device value, or a tuple of them.
    Device,
    /// A value of a declared type.
    Typed(&'t Type),
}

/// The literals of a module that are device values by where they stand.
pub(super) fn device_literals(module: &Module) -> Set<Site> {
    let mut finder = Finder {
        module,
        result: None,
        found: Set::new(),
    };
    for function in &module.functions {
        finder.function(function);
    }
    finder.found
}

/// Is the expression a literal, maybe a negative one?
pub(crate) fn is_literal(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Lit(lit, _) => !matches!(lit, Lit::Str(_)),
        ExprKind::Unary(UnaryOp::Neg, inner) => {
            matches!(inner.kind, ExprKind::Lit(Lit::Int(..) | Lit::Float(..), _))
        }
        ExprKind::Paren(inner) => is_literal(inner),
        _ => false,
    }
}

/// Is the expression a constant, such as `f32::MAX` or one of the module?
pub(crate) fn is_constant(expr: &Expr) -> bool {
    matches!(
        expr.kind,
        ExprKind::HostConstant(..) | ExprKind::Constant(..)
    )
}

/// Notes the literals, and the constants, that are what an expression gives.
pub(crate) fn wanted(want: Want<'_>, expr: &Expr, found: &mut Set<Site>) {
    let block = |block: &Block, found: &mut Set<Site>| {
        if let Some(value) = &block.value {
            wanted(want, value, found);
        }
    };
    match (&expr.kind, want) {
        (ExprKind::Paren(inner), _) => wanted(want, inner, found),
        (ExprKind::Block(body), _) => block(body, found),
        (ExprKind::If(_, then, otherwise) | ExprKind::IfLet(_, _, then, otherwise), _) => {
            block(then, found);
            if let Some(otherwise) = otherwise {
                wanted(want, otherwise, found);
            }
        }
        (ExprKind::Match(_, arms), _) => {
            arms.iter().for_each(|arm| wanted(want, &arm.body, found));
        }
        (ExprKind::Tuple(list), Want::Device) => {
            list.iter().for_each(|field| wanted(want, field, found));
        }
        (ExprKind::Tuple(list), Want::Typed(Type::Tuple(types))) => {
            let fields = types.iter().zip(list);
            fields.for_each(|(ty, field)| wanted(Want::Typed(ty), field, found));
        }
        (ExprKind::Array(list, _), Want::Typed(Type::Vec(ty))) => {
            list.iter()
                .for_each(|element| wanted(Want::Typed(ty), element, found));
        }
        (ExprKind::Repeat(element, ..), Want::Typed(Type::Vec(ty))) => {
            wanted(Want::Typed(ty), element, found);
        }
        (ExprKind::Call(callee, list), Want::Typed(ty)) => match (&callee.kind, ty) {
            (ExprKind::Path(Callee::Host(name), ..), Type::Option(ty)) if &**name == "Some" => {
                list.iter()
                    .for_each(|value| wanted(Want::Typed(ty), value, found));
            }
            (ExprKind::Path(Callee::Library(name), ..), Type::Program(_, ty))
                if &**name == "pure" =>
            {
                list.iter()
                    .for_each(|value| wanted(Want::Typed(ty), value, found));
            }
            _ => {}
        },
        (_, Want::Device | Want::Typed(Type::Exp(_))) if is_literal(expr) || is_constant(expr) => {
            found.insert(expr.site);
        }
        _ => {}
    }
}

/// Notes the literals that a closure gives.
pub(crate) fn wanted_of_closure(expr: &Expr, found: &mut Set<Site>) {
    match &expr.kind {
        ExprKind::Closure(closure) if !closure.delayed => {
            wanted(Want::Device, &closure.body, found);
        }
        ExprKind::Paren(inner) | ExprKind::Ref(inner) => wanted_of_closure(inner, found),
        _ => {}
    }
}

struct Finder<'m> {
    module: &'m Module,
    /// The type that the function around gives.
    result: Option<&'m Type>,
    found: Set<Site>,
}

impl<'m> Finder<'m> {
    fn function(&mut self, function: &'m Function) {
        let result = &function.result.ty;
        if let Some(value) = &function.body.value {
            wanted(Want::Typed(result), value, &mut self.found);
        }
        self.result = Some(result);
        self.block(&function.body);
    }

    fn block(&mut self, block: &'m Block) {
        block.statements.iter().for_each(|s| self.statement(s));
        block.value.iter().for_each(|value| self.expr(value));
    }

    fn statement(&mut self, statement: &'m Stmt) {
        match statement {
            Stmt::Expr(expr, _) => self.expr(expr),
            Stmt::Let {
                ty,
                value,
                otherwise,
                ..
            } => {
                if let (Some(ty), Some(value)) = (ty, value) {
                    wanted(Want::Typed(&ty.ty), value, &mut self.found);
                }
                value.iter().for_each(|value| self.expr(value));
                otherwise.iter().for_each(|block| self.block(block));
            }
        }
    }

    fn expr(&mut self, expr: &'m Expr) {
        match &expr.kind {
            ExprKind::Lit(..)
            | ExprKind::Local(..)
            | ExprKind::Constant(..)
            | ExprKind::HostConstant(..)
            | ExprKind::Path(..)
            | ExprKind::None
            | ExprKind::Break
            | ExprKind::Continue => {}
            ExprKind::Unary(_, x)
            | ExprKind::Deref(x)
            | ExprKind::Ref(x)
            | ExprKind::Field(x, _)
            | ExprKind::Cast(x, _)
            | ExprKind::Try(x, _)
            | ExprKind::Paren(x) => self.expr(x),
            ExprKind::Binary(_, x, y, _)
            | ExprKind::Assign(x, y)
            | ExprKind::AssignOp(_, x, y, _)
            | ExprKind::Index(x, y)
            | ExprKind::Repeat(x, y, _) => [x, y].into_iter().for_each(|e| self.expr(e)),
            ExprKind::Call(callee, list) => {
                self.call(callee, list);
                self.expr(callee);
                list.iter().for_each(|e| self.expr(e));
            }
            ExprKind::Method {
                receiver,
                name,
                arguments,
                ..
            } => {
                self.method(name, arguments);
                self.expr(receiver);
                arguments.iter().for_each(|e| self.expr(e));
            }
            ExprKind::Range(x, y, _) => [x, y].into_iter().flatten().for_each(|e| self.expr(e)),
            ExprKind::Tuple(list) | ExprKind::Array(list, _) | ExprKind::Assert(_, list, _) => {
                list.iter().for_each(|e| self.expr(e));
            }
            ExprKind::Closure(closure) => {
                // What leaves the closure is no result of the function.
                let around = self.result.take();
                self.expr(&closure.body);
                self.result = around;
            }
            ExprKind::Return(value) => {
                if let (Some(result), Some(value)) = (self.result, value) {
                    wanted(Want::Typed(result), value, &mut self.found);
                }
                value.iter().for_each(|e| self.expr(e));
            }
            ExprKind::Block(block) | ExprKind::Loop(block) => self.block(block),
            ExprKind::If(condition, then, otherwise)
            | ExprKind::IfLet(_, condition, then, otherwise) => {
                self.expr(condition);
                self.block(then);
                otherwise.iter().for_each(|e| self.expr(e));
            }
            ExprKind::For(_, head, body) | ExprKind::While(head, body) => {
                self.expr(head);
                self.block(body);
            }
            ExprKind::Match(value, arms) => {
                self.expr(value);
                for arm in arms {
                    arm.guard.iter().for_each(|e| self.expr(e));
                    self.expr(&arm.body);
                }
            }
        }
    }

    fn call(&mut self, callee: &Expr, list: &[Expr]) {
        match &callee.kind {
            ExprKind::Path(Callee::Function(n), ..) => {
                let function = self.module.functions.get(*n as usize);
                let parameters = function.iter().flat_map(|f| &f.parameters);
                for (parameter, value) in parameters.zip(list) {
                    if let Some(ty) = &parameter.ty {
                        wanted(Want::Typed(&ty.ty), value, &mut self.found);
                    }
                }
            }
            ExprKind::Path(callee @ (Callee::Library(name) | Callee::Arrays(name)), ..) => {
                let (values, functions) = match callee {
                    Callee::Library(_) => elements_of(name),
                    _ => elements_of_arrays(name),
                };
                self.arguments(list, &values, &functions);
            }
            _ => {}
        }
    }

    /// Arguments that are device values, and functions that give device values.
    fn arguments(&mut self, list: &[Expr], values: &[usize], functions: &[usize]) {
        for value in values.iter().filter_map(|n| list.get(*n)) {
            wanted(Want::Device, value, &mut self.found);
        }
        for function in functions.iter().filter_map(|n| list.get(*n)) {
            wanted_of_closure(function, &mut self.found);
        }
    }

    fn method(&mut self, name: &str, arguments: &[Expr]) {
        // `fold` of iterators takes the function last: then the first is no closure, and the last no literal.
        let (values, functions) = elements_of_method_of_arrays(name, arguments.len());
        self.arguments(arguments, &values, &functions);
        self.arguments(arguments, &elements_of_method(name, arguments.len()), &[]);
    }
}
