//! Programs: steps that store arrays, and what they give.

use obsidian_core::ir::Level;
use obsidian_core::scalar::{Literal, ScalarType};

use super::super::syntax::{Expr, Kind, Step, Type, Variable};
use super::held::HELD;
use super::scalars::operator;
use super::{Generator, at_level, call, field, literal, method, number, pure, steps, variable};

impl Generator {
    /// A program that gives an array.
    pub(super) fn array_program(&mut self, level: Level, element: &Type, len: u32) -> Expr {
        let (depth, mut list) = (self.scope.len(), Vec::new());
        for _ in 0..self.below(4) + u32::from(self.fuel > 20) {
            self.step(level, &mut list);
        }
        let result = self.array_result(level, element, len, &mut list);
        self.scope.truncate(depth);
        steps(list, result)
    }

    /// The last line of a program that gives an array.
    fn array_result(
        &mut self,
        level: Level,
        element: &Type,
        len: u32,
        list: &mut Vec<Step>,
    ) -> Expr {
        let mut rules = vec![
            "pure",
            "pure",
            "compute",
            "compute_as",
            "compose",
            "rep",
            "map",
            "and_then",
            "bin_split",
        ];
        let shared = matches!(element, Type::Scalar(_)) && len > 0;
        rules.extend(shared.then_some("new_shared_mutable"));
        rules.extend(shared.then_some("to_mutable"));
        rules.extend((len > 0).then_some("accumulate"));
        let name = self.rule(&rules);
        let pull = Type::pull(element, len);
        match name {
            "pure" if self.chance(0.4) => pure(level, self.pull(element, len)),
            "pure" => pure(level, self.push(level, element, len)),
            "map" | "and_then" => {
                let (from, program) = (self.element_type(), Type::program(level, &pull));
                let first = self.stored_program(level, &from, len);
                let f = self.closure(&[Type::pull(&from, len)], |g, _| {
                    let a = g.pull(element, len);
                    if name == "map" {
                        a
                    } else {
                        g.compute(level, a, element, len)
                    }
                });
                method(name, program, vec![first, f])
            }
            "new_shared_mutable" | "to_mutable" => self.changed(name, level, element, len, list),
            _ => self.stored_by(name, level, element, len),
        }
    }

    /// `compute(a)`
    fn compute(&mut self, level: Level, a: Expr, element: &Type, len: u32) -> Expr {
        at_level(
            call(
                "compute",
                Type::program(level, &Type::pull(element, len)),
                vec![a],
            ),
            level,
        )
    }

    /// A program that gives a pull array of what it has stored.
    fn stored_program(&mut self, level: Level, element: &Type, len: u32) -> Expr {
        let mut rules = vec![
            "compute",
            "compute",
            "compute",
            "compute_as",
            "bin_split",
            "rep",
            "unroll",
        ];
        if len > 0 {
            rules.push("accumulate");
            rules.extend(HELD);
        }
        let name = self.rule(&rules);
        self.stored_by(name, level, element, len)
    }

    fn stored_by(&mut self, name: &'static str, level: Level, element: &Type, len: u32) -> Expr {
        let program = Type::program(level, &Type::pull(element, len));
        let pull = Type::pull(element, len);
        match name {
            _ if HELD.contains(&name) => self.held(name, level, element, len),
            "bin_split" if len > 0 => {
                let n = self.below(len.trailing_zeros().min(3) + 1);
                let of = self.element_type();
                let size = len >> n;
                let f = self.closure(&[Type::pull(&of, size)], |g, _| g.pull(element, size));
                let a = self.pull(&of, len);
                at_level(call(name, program, vec![number(n), f, a]), level)
            }
            "rep" => {
                let (n, a) = (self.below(3) + 1, self.pull(element, len));
                let f = self.closure(std::slice::from_ref(&pull), |g, _| {
                    let a = g.pull(element, len);
                    g.compute(level, a, element, len)
                });
                at_level(call(name, program, vec![number(n), f, a]), level)
            }
            "unroll" => {
                let rounds = number(1 + self.below(4));
                let stored = self.stored_program(level, element, len);
                call(name, program, vec![rounds, stored])
            }
            "compute_as" => {
                let pitch = number(32 + self.below(4));
                let layout = call("Pitch", Type::Host, vec![pitch]);
                let a = self.either(level, element, len);
                at_level(call(name, program, vec![layout, a]), level)
            }
            "compose" => {
                let ty = Type::push(level, element, len);
                let f = self.closure(std::slice::from_ref(&pull), |g, _| {
                    g.push(level, element, len)
                });
                // One function several times: closures of a vector have one type.
                let n = self.below(3) as usize + 1;
                let f = if n > 1 {
                    call("fun", Type::Host, vec![f])
                } else {
                    f
                };
                let functions = Expr {
                    ty: Type::Host,
                    kind: Kind::List(vec![f; n]),
                };
                let a = self.pull(element, len);
                call(name, Type::program(level, &ty), vec![functions, a])
            }
            "accumulate" if len > 0 => {
                let (rounds, f, init) = (
                    self.below(4) + 1,
                    self.combine(element, 1),
                    self.pull(element, len),
                );
                let works = self.works(rounds);
                let of = super::pulls::element_of(&works);
                let round = self.closure(&[of], |g, _| {
                    let a = g.pull(element, len);
                    g.compute(level, a, element, len)
                });
                let programs = method("map", Type::pull(&program, rounds), vec![works, round]);
                call(name, program, vec![f, init, programs])
            }
            _ => {
                let a = self.either(level, element, len);
                self.compute(level, a, element, len)
            }
        }
    }

    /// A pull array or a push array.
    fn either(&mut self, level: Level, element: &Type, len: u32) -> Expr {
        if self.chance(0.5) {
            self.pull(element, len)
        } else {
            self.push(level, element, len)
        }
    }

    /// One more line of a program: something stored, and named.
    pub(super) fn step(&mut self, level: Level, list: &mut Vec<Step>) {
        let (element, len) = (self.element_type(), self.length());
        let mut rules = vec!["store", "store", "store", "let", "matrix", "sync"];
        rules.extend(["any", "all", "ballot", "match_any", "rank_by_digit"]);
        rules.extend((level == Level::Thread).then_some("value"));
        let name = self.rule(&rules);
        let v = self.fresh();
        let (step, ty) = match name {
            "sync" => (
                Step::Do(at_level(
                    call("sync", Type::program(level, &Type::unit()), Vec::new()),
                    level,
                )),
                None,
            ),
            "let" => {
                let a = self.pull(&element, len);
                let ty = a.ty.clone();
                (Step::Let(v, a), Some(ty))
            }
            "matrix" => {
                let (height, width) = (self.below(5) + 1, self.below(5) + 1);
                let program = self.stored_matrix(level, &element, height, width);
                (
                    Step::Bind(v, program),
                    Some(Type::Pull2(Box::new(element), height, width)),
                )
            }
            "any" | "all" | "ballot" | "match_any" => {
                let (program, ty) = self.mask(name, level);
                (Step::Bind(v, program), Some(ty))
            }
            "rank_by_digit" => return self.ranked(level, (v, len), list),
            "value" => (Step::Bind(v, self.thread_value(&element)), Some(element)),
            _ => (
                Step::Bind(v, self.stored_program(level, &element, len)),
                Some(Type::pull(&element, len)),
            ),
        };
        list.push(step);
        self.scope.extend(ty.map(|ty| (v, ty)));
    }

    /// Places in the order of a digit, and counts of digits.
    fn ranked(&mut self, level: Level, (v, len): (Variable, u32), list: &mut Vec<Step>) {
        let u32 = Type::Scalar(ScalarType::U32);
        let bits = self.pick(&[1, 2, 3, 5]);
        let types = [Type::pull(&u32, len), Type::pull(&u32, 1 << bits)];
        let digits = self.pull(&u32, len);
        let both = Type::Tuple(types.to_vec());
        let ty = Type::program(level, &both);
        let program = call("rank_by_digit", ty, vec![number(bits), digits]);
        list.push(Step::Bind(v, at_level(program, level)));
        for (n, ty) in types.into_iter().enumerate() {
            let own = self.fresh();
            list.push(Step::Let(own, field(variable(v, &both), n)));
            self.scope.push((own, ty));
        }
    }

    /// A length of an array in a program.
    pub(super) fn length(&mut self) -> u32 {
        match self.below(10) {
            0 => self.pick(&[1, 2, 3]),
            1 => self.pick(&[7, 13, 31, 33]),
            2 => self.pick(&[48, 64, 65]),
            _ => self.pick(&[4, 6, 8, 12, 16, 24, 32]),
        }
    }

    /// A program that gives one element.
    pub(super) fn value_program(&mut self, level: Level, element: &Type) -> Expr {
        if level == Level::Thread && self.chance(0.6) {
            return self.thread_value(element);
        }
        let (depth, mut list) = (self.scope.len(), Vec::new());
        for _ in 0..self.below(2) + 1 {
            self.step(level, &mut list);
        }
        let x = self.element(element, 3);
        self.scope.truncate(depth);
        steps(list, pure(level, x))
    }

    /// A loop of one thread.
    fn thread_value(&mut self, element: &Type) -> Expr {
        let program = Type::program(Level::Thread, element);
        let u32 = Type::Scalar(ScalarType::U32);
        match self.rule(&["seq_reduce", "seq_iterate", "seq_until", "seq_while"]) {
            "seq_reduce" => {
                let len = self.below(12) + 1;
                let (f, a) = (self.combine(element, 1), self.pull(element, len));
                call("seq_reduce", program, vec![f, a])
            }
            "seq_iterate" => {
                let bound = literal(Literal::from(self.below(9) + 1));
                let n = if self.chance(0.5) {
                    number(self.below(9))
                } else {
                    operator(
                        "%",
                        ScalarType::U32,
                        vec![self.scalar(ScalarType::U32, 1), bound],
                    )
                };
                let f = self.closure(&[u32, element.clone()], |g, _| g.element(element, 2));
                let init = self.element(element, 1);
                call("seq_iterate", program, vec![n, f, init])
            }
            "seq_until" => {
                // A number of rounds is part of the state, so that the loop ends.
                let state = Type::Tuple(vec![u32, element.clone()]);
                let (zero, one, end) = (
                    Literal::from(0u32),
                    Literal::from(1u32),
                    Literal::from(self.below(12)),
                );
                let f = self.closure(std::slice::from_ref(&state), |g, s| {
                    let next = operator(
                        "+",
                        ScalarType::U32,
                        vec![super::field(s[0].clone(), 0), literal(one)],
                    );
                    Expr {
                        ty: s[0].ty.clone(),
                        kind: Kind::Tuple(vec![next, g.element(element, 2)]),
                    }
                });
                let condition = self.closure(std::slice::from_ref(&state), |g, s| {
                    let left = operator(
                        "<",
                        ScalarType::Bool,
                        vec![super::field(s[0].clone(), 0), literal(end)],
                    );
                    operator(
                        "&",
                        ScalarType::Bool,
                        vec![left, g.scalar(ScalarType::Bool, 2)],
                    )
                });
                let init = Expr {
                    ty: state.clone(),
                    kind: Kind::Tuple(vec![literal(zero), self.element(element, 1)]),
                };
                let last = call(
                    "seq_until",
                    Type::program(Level::Thread, &state),
                    vec![f, condition, init],
                );
                let f = self.closure(&[state], |_, s| super::field(s[0].clone(), 1));
                method("map", program, vec![last, f])
            }
            _ => self.while_loop(element),
        }
    }
}
