//! Mutable arrays: programs that change them in ways whose order does not matter.

use obsidian_core::ir::{AtomicOp, Level};
use obsidian_core::scalar::{Literal, ScalarType};

use super::super::syntax::{Expr, Kind, Step, Type, Variable};
use super::scalars::operator;
use super::{Generator, at_level, call, literal, method, number, numbers, pure, steps, variable};

/// A program of a level that gives nothing.
fn nothing(level: Level) -> Type {
    Type::program(level, &Type::unit())
}

/// Do two operations give the same, whichever is first?
fn commutes(op: AtomicOp) -> bool {
    !matches!(
        op,
        AtomicOp::Exchange | AtomicOp::CompareExchange | AtomicOp::Inc | AtomicOp::Dec
    )
}

impl Generator {
    /// A program that makes a mutable array, changes it, and gives what is in it.
    pub(super) fn changed(
        &mut self,
        name: &'static str,
        level: Level,
        element: &Type,
        len: u32,
        list: &mut Vec<Step>,
    ) -> Expr {
        let (v, ty) = (self.fresh(), Type::Mutable(Box::new(element.clone()), len));
        let program = Type::program(level, &ty);
        let made = match name {
            "to_mutable" => call(name, program, vec![self.pull(element, len)]),
            _ => call(name, program, vec![number(len), self.element(element, 1)]),
        };
        list.push(Step::Bind(v, at_level(made, level)));
        let m = variable(v, &ty);
        let Type::Scalar(scalar) = element else {
            panic!("a mutable array of scalars")
        };
        for _ in 0..self.below(3) + 1 {
            let change = self.change(level, &m, *scalar, len);
            list.push(Step::Do(change));
        }
        let push = at_level(
            method("push", Type::push(level, element, len), vec![m]),
            level,
        );
        if self.chance(0.5) {
            return pure(level, push);
        }
        at_level(
            call(
                "compute",
                Type::program(level, &Type::pull(element, len)),
                vec![push],
            ),
            level,
        )
    }

    /// One program that changes an array.
    fn change(&mut self, level: Level, m: &Expr, ty: ScalarType, len: u32) -> Expr {
        let mut rules = vec!["for_all", "write_all", "single_thread", "seq_for"];
        let atomic = AtomicOp::ALL.iter().any(|op| op.accepts(ty)) && ty.is_integer();
        rules.extend(
            atomic
                .then_some(["atomic", "atomic", "pairs"])
                .into_iter()
                .flatten(),
        );
        rules.extend((atomic && level != Level::Thread).then_some("distr_par"));
        let unit = nothing(level);
        match self.rule(&rules) {
            "write_all" => {
                let n = self.below(len) + 1;
                let a = self.push(level, &Type::Scalar(ty), n);
                method("write_all", unit, vec![m.clone(), a])
            }
            "single_thread" => at_level(
                call("single_thread", unit, vec![self.write_one(m, ty, len)]),
                level,
            ),
            "seq_for" => {
                let n = number(self.below(3) + 1);
                let f = self.closure(&[Type::Scalar(ScalarType::U32)], |g, _| {
                    g.each(level, m, ty, len)
                });
                at_level(call("seq_for", unit, vec![n, f]), level)
            }
            "atomic" => self.shared_out(level, m, ty, len),
            "pairs" => self.pairs(level, m, ty, len),
            "distr_par" => {
                let count = number(self.below(4) + 1);
                let below = level.below().unwrap_or(Level::Thread);
                let f = self.closure(&[Type::Scalar(ScalarType::U32)], |g, _| {
                    if below == Level::Thread {
                        let i = g.index(len);
                        return g.atomic(m, ty, i, true);
                    }
                    let n = number(g.below(40) + 1);
                    let f = g.closure(&[Type::Scalar(ScalarType::U32)], |g, _| {
                        let i = g.index(len);
                        g.atomic(m, ty, i, true)
                    });
                    at_level(call("for_all", nothing(below), vec![n, f]), below)
                });
                at_level(call("distr_par", unit, vec![count, f]), level)
            }
            _ => self.each(level, m, ty, len),
        }
    }

    /// `m.write(i, x)` of a constant index.
    fn write_one(&mut self, m: &Expr, ty: ScalarType, len: u32) -> Expr {
        let (i, x) = (number(self.below(len)), self.scalar(ty, 2));
        method("write", nothing(Level::Thread), vec![m.clone(), i, x])
    }

    /// Each element is read and written by one thread.
    fn each(&mut self, level: Level, m: &Expr, ty: ScalarType, len: u32) -> Expr {
        let f = self.closure(&[Type::Scalar(ScalarType::U32)], |g, i| {
            g.read_and_write(m, ty, i[0].clone())
        });
        at_level(call("for_all", nothing(level), vec![number(len), f]), level)
    }

    pub(super) fn read_and_write(&mut self, m: &Expr, ty: ScalarType, i: Expr) -> Expr {
        let (v, element) = (self.fresh(), Type::Scalar(ty));
        let read = method(
            "read",
            Type::program(Level::Thread, &element),
            vec![m.clone(), i.clone()],
        );
        self.scope.push((v, element.clone()));
        let value = self.element(&element, 2);
        self.scope.pop();
        let write = method("write", nothing(Level::Thread), vec![m.clone(), i, value]);
        steps(vec![Step::Bind(v, read)], write)
    }

    /// Atomic operations of many threads: on any element if their order does not matter, else each
    /// on its own.
    fn shared_out(&mut self, level: Level, m: &Expr, ty: ScalarType, len: u32) -> Expr {
        let ordered = AtomicOp::ALL
            .iter()
            .any(|op| !commutes(*op) && self.wishes.contains(&op.method()));
        let own = ordered || self.chance(0.4);
        let n = if own { len } else { self.below(80) + 1 };
        let f = self.closure(&[Type::Scalar(ScalarType::U32)], |g, i| {
            let i = if own { i[0].clone() } else { g.index(len) };
            g.atomic(m, ty, i, !own)
        });
        at_level(call("for_all", nothing(level), vec![number(n), f]), level)
    }

    /// One atomic operation, whose result is not used.
    pub(super) fn atomic(&mut self, m: &Expr, ty: ScalarType, i: Expr, any_order: bool) -> Expr {
        let ops: Vec<AtomicOp> = AtomicOp::ALL
            .into_iter()
            .filter(|op| op.accepts(ty) && (!any_order || commutes(*op)))
            .collect();
        let names: Vec<&'static str> = ops.iter().map(|op| op.method()).collect();
        let name = self.rule(&names);
        let mut arguments = vec![m.clone(), i, self.scalar(ty, 2)];
        if name == "atomic_cas" {
            arguments.push(self.scalar(ty, 2));
        }
        let old = method(
            name,
            Type::program(Level::Thread, &Type::Scalar(ty)),
            arguments,
        );
        method("void", nothing(Level::Thread), vec![old])
    }

    /// Two loops over threads, and a condition.
    fn pairs(&mut self, level: Level, m: &Expr, ty: ScalarType, len: u32) -> Expr {
        let u32 = Type::Scalar(ScalarType::U32);
        let shape = numbers(&[self.below(5) + 1, self.below(7) + 1]);
        let f = self.closure(&[Type::Tuple(vec![u32.clone(), u32])], |g, _| {
            let (condition, i) = (g.scalar(ScalarType::Bool, 2), g.index(len));
            let then = g.atomic(m, ty, i, true);
            let otherwise = pure(
                Level::Thread,
                Expr {
                    ty: Type::unit(),
                    kind: Kind::Tuple(Vec::new()),
                },
            );
            call(
                "cond",
                nothing(Level::Thread),
                vec![condition, then, otherwise],
            )
        });
        at_level(call("for_all", nothing(level), vec![shape, f]), level)
    }

    /// A loop of one thread over a condition that it reads, which may end in its middle.
    pub(super) fn while_loop(&mut self, element: &Type) -> Expr {
        let u32 = Type::Scalar(ScalarType::U32);
        let (count, value): (Variable, Variable) = (self.fresh(), self.fresh());
        let counter = variable(count, &Type::Mutable(Box::new(u32.clone()), 1));
        let kept = variable(value, &Type::Mutable(Box::new(element.clone()), 1));
        let first = |of: &Expr, ty: &Type| {
            method(
                "read",
                Type::program(Level::Thread, ty),
                vec![of.clone(), number(0)],
            )
        };
        let made = |x: Expr, of: &Expr| {
            call(
                "new_shared_mutable",
                Type::program(Level::Thread, &of.ty),
                vec![number(1), x],
            )
        };
        let start = literal(Literal::from(self.below(12)));
        let init = self.element(element, 1);
        let head = self.closure(std::slice::from_ref(&u32), |_, n| {
            operator(
                ">",
                ScalarType::Bool,
                vec![n[0].clone(), literal(Literal::from(0u32))],
            )
        });
        let head = method(
            "map",
            Type::program(Level::Thread, &Type::Scalar(ScalarType::Bool)),
            vec![first(&counter, &u32), head],
        );
        let body = self.while_body(&counter, &kept, element);
        let list = vec![
            Step::Bind(count, made(start, &counter)),
            Step::Bind(value, made(init, &kept)),
            Step::Do(at_level(
                call("seq_while", nothing(Level::Thread), vec![head, body]),
                Level::Thread,
            )),
        ];
        steps(list, first(&kept, element))
    }

    fn while_body(&mut self, counter: &Expr, kept: &Expr, element: &Type) -> Expr {
        let u32 = Type::Scalar(ScalarType::U32);
        let (n, x, depth) = (self.fresh(), self.fresh(), self.scope.len());
        let first = |of: &Expr, ty: &Type| {
            method(
                "read",
                Type::program(Level::Thread, ty),
                vec![of.clone(), number(0)],
            )
        };
        let write = |of: &Expr, x: Expr| {
            method(
                "write",
                nothing(Level::Thread),
                vec![of.clone(), number(0), x],
            )
        };
        let less = operator(
            "-",
            ScalarType::U32,
            vec![variable(n, &u32), literal(Literal::from(1u32))],
        );
        self.scope.extend([(n, u32.clone()), (x, element.clone())]);
        let next = self.element(element, 2);
        let enough = self.scalar(ScalarType::Bool, 2);
        self.scope.truncate(depth);
        let list = vec![
            Step::Bind(n, first(counter, &u32)),
            Step::Bind(x, first(kept, element)),
            Step::Do(write(kept, next)),
            Step::Do(write(counter, less)),
        ];
        let stop = call("break_loop", nothing(Level::Thread), Vec::new());
        let go_on = pure(
            Level::Thread,
            Expr {
                ty: Type::unit(),
                kind: Kind::Tuple(Vec::new()),
            },
        );
        steps(
            list,
            call("cond", nothing(Level::Thread), vec![enough, stop, go_on]),
        )
    }
}
