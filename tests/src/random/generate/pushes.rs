//! Static push arrays, at each level.

use std::sync::Arc;

use obsidian_core::ir::Level;
use obsidian_core::scalar::ScalarType;

use super::super::syntax::{Expr, Kind, Type};
use super::pulls::element_of;
use super::{Generator, at_level, call, method, number, pure, variable};

impl Generator {
    /// A push array of elements of a type, at Thread, Warp or Block.
    pub(super) fn push(&mut self, level: Level, element: &Type, len: u32) -> Expr {
        let ty = Type::push(level, element, len);
        if self.fuel <= 0 {
            return at_level(method("push", ty, vec![self.pull(element, len)]), level);
        }
        let mut rules = vec![
            "push",
            "load",
            "store",
            "map",
            "reverse",
            "ix_map",
            "append",
            "un_coalesce",
            "take",
            "set_len",
            "from_dyn",
            "mk_push",
            "push_to",
            "write_to",
            "for_all",
            "exec",
            "exec",
            "exec",
            "flat",
            "as_3d",
            "s_map_accum",
            "unroll",
        ];
        match level {
            Level::Thread => rules.extend([
                "seq_scan",
                "seq_scan_cin",
                "map_accum_l",
                "map_accum_r",
                "as_thread",
                "as_thread_map",
                "lift_seq",
            ]),
            Level::Warp => rules.extend([
                "as_warp",
                "as_warp_map",
                "as_warp_map",
                "lift_par",
                "lift_seq",
                "lift_in",
            ]),
            _ => rules.extend([
                "as_block",
                "as_block_map",
                "as_block_map",
                "as_block_map",
                "lift_par",
                "lift_seq",
                "lift_in",
            ]),
        }
        rules.extend((len == 1).then_some("singleton_push"));
        rules.extend((len == 1).then_some("reduce"));
        if len > 0 {
            rules.extend(["inclusive_scan", "exclusive_scan", "sort"]);
        }
        rules.extend(len.is_multiple_of(2).then_some("interleave"));
        for (n, name) in [(2, "unpair"), (3, "untriple"), (4, "unquadruple")] {
            let fits = len.is_multiple_of(n) && matches!(element, Type::Scalar(_));
            rules.extend(fits.then_some(name));
        }
        let program = self.fuel > 15 && self.chance(0.35);
        let name = if program { "exec" } else { self.rule(&rules) };
        self.push_by(name, level, element, len, ty)
    }

    fn push_by(
        &mut self,
        name: &'static str,
        level: Level,
        element: &Type,
        len: u32,
        ty: Type,
    ) -> Expr {
        match name {
            "push" => at_level(method(name, ty, vec![self.pull(element, len)]), level),
            "load" | "store" => {
                let n = if len == 0 { 1 } else { self.divisor(len) };
                at_level(
                    method(name, ty, vec![self.pull(element, len), number(n)]),
                    level,
                )
            }
            "map" => {
                let from = self.element_type();
                let (a, f) = (
                    self.push(level, &from, len),
                    self.closure(std::slice::from_ref(&from), |g, _| g.element(element, 2)),
                );
                method(name, ty, vec![a, f])
            }
            "reverse" => method(name, ty, vec![self.push(level, element, len)]),
            "unroll" => {
                let rounds = number(1 + self.below(4));
                method(name, ty, vec![self.push(level, element, len), rounds])
            }
            "ix_map" => {
                let a = self.push(level, element, len);
                let f = self.closure(&[Type::Scalar(ScalarType::U32)], |g, i| {
                    g.permutation(len, i[0].clone())
                });
                method(name, ty, vec![a, f])
            }
            "append" => {
                let n = self.below(len + 1);
                let (x, y) = (
                    self.push(level, element, n),
                    self.push(level, element, len - n),
                );
                call(name, ty, vec![x, y])
            }
            "interleave" => {
                let (x, y) = (
                    self.push(level, element, len / 2),
                    self.push(level, element, len / 2),
                );
                call(name, ty, vec![x, y])
            }
            "unpair" | "untriple" | "unquadruple" => {
                let n = match name {
                    "unpair" => 2,
                    "untriple" => 3,
                    _ => 4,
                };
                let tuples = Type::Tuple(vec![element.clone(); n as usize]);
                method(name, ty, vec![self.push(level, &tuples, len / n)])
            }
            "un_coalesce" => {
                let n = if len == 0 { 1 } else { self.divisor(len) };
                method(name, ty, vec![self.push(level, element, len), number(n)])
            }
            "take" => {
                let more = self.below(4);
                method(
                    name,
                    ty,
                    vec![self.push(level, element, len + more), number(len)],
                )
            }
            "set_len" => method(name, ty, vec![self.push(level, element, len), number(len)]),
            "from_dyn" => {
                let dynamic = method(
                    "to_dyn",
                    Type::Push(level, Box::new(element.clone()), None),
                    vec![self.push(level, element, len)],
                );
                method(name, ty, vec![dynamic, number(len)])
            }
            "singleton_push" => at_level(call(name, ty, vec![self.element(element, 2)]), level),
            "mk_push" | "push_to" | "write_to" | "for_all" => {
                self.made(name, level, element, len, ty)
            }
            "seq_scan" | "seq_scan_cin" | "map_accum_l" | "map_accum_r" => {
                self.scanned(name, element, len, ty)
            }
            "reduce" | "inclusive_scan" | "exclusive_scan" | "sort" => {
                at_level(self.together(name, element, len, ty), level)
            }
            "s_map_accum" if len > 0 => self.carried(level, element, len, ty),
            "as_3d" if len > 0 => self.through_planes(level, element, len),
            "as_3d" => self.executed(level, element, len, ty),
            "flat" if len > 0 => {
                let width = self.divisor(len);
                let matrix = self.push2(level, element, len / width, width);
                method(name, ty, vec![matrix])
            }
            name if name.starts_with("as_") || name.starts_with("lift_") => {
                self.gathered(name, level, element, len, ty)
            }
            _ => self.executed(level, element, len, ty),
        }
    }

    /// `exec` of a program.
    fn executed(&mut self, level: Level, element: &Type, len: u32, ty: Type) -> Expr {
        let own = |value: bool| match (level, value) {
            (Level::Thread, false) => "exec_thread",
            (Level::Thread, true) => "exec_thread_value",
            (Level::Warp, false) => "exec_warp",
            (Level::Warp, true) => "exec_warp_value",
            (_, false) => "exec_block",
            (_, true) => "exec_block_value",
        };
        if len == 1 && self.chance(0.6) {
            let program = self.value_program(level, element);
            let name = self.rule(&["exec_value", own(true)]);
            return at_level(call(name, ty, vec![program]), level);
        }
        let program = self.array_program(level, element, len);
        let name = self.rule(&["exec", own(false), own(false)]);
        at_level(call(name, ty, vec![program]), level)
    }

    /// Many works as one.
    fn gathered(
        &mut self,
        name: &'static str,
        level: Level,
        element: &Type,
        len: u32,
        ty: Type,
    ) -> Expr {
        let n = if len == 0 { 1 } else { self.divisor(len) };
        let (count, below) = (len / n, level.below().unwrap_or(Level::Thread));
        let inner = match name {
            "lift_par" if level == Level::Thread => level,
            "lift_par" => below,
            "lift_seq" => level,
            "lift_in" => Level::Thread,
            _ => match level {
                Level::Thread => Level::Thread,
                Level::Warp => self.pick(&[Level::Thread, Level::Thread, Level::Warp]),
                _ => self.pick(&[Level::Thread, Level::Warp, Level::Warp, Level::Block]),
            },
        };
        let works = self.works(count);
        let f = self.closure(&[element_of(&works)], |g, _| g.push(inner, element, n));
        if name.ends_with("_map") {
            return method(name, ty, vec![works, f]);
        }
        let pushes = method(
            "map",
            Type::Pull(Box::new(Type::push(inner, element, n)), Some(count)),
            vec![works, f],
        );
        if name.starts_with("as_") {
            method(name, ty, vec![pushes])
        } else {
            at_level(call(name, ty, vec![pushes]), level)
        }
    }

    /// A push array by its own loops.
    fn made(
        &mut self,
        name: &'static str,
        level: Level,
        element: &Type,
        len: u32,
        ty: Type,
    ) -> Expr {
        let writer = self.fresh();
        let u32 = Type::Scalar(ScalarType::U32);
        let write = |x: Expr, i: Expr| Expr {
            ty: Type::program(Level::Thread, &Type::unit()),
            kind: Kind::Call {
                name: "write",
                method: false,
                level: None,
                arguments: vec![variable(writer, &Type::Host), x, i],
            },
        };
        let steps = Type::program(level, &Type::unit());
        let body = if name == "for_all" {
            let f = self.closure(&[u32], |g, i| {
                let (x, to) = (g.element(element, 2), g.permutation(len, i[0].clone()));
                write(x, to)
            });
            at_level(call("for_all", steps, vec![number(len), f]), level)
        } else {
            let a = self.push(level, element, len);
            if name == "write_to" {
                method(name, steps, vec![a, variable(writer, &Type::Host)])
            } else {
                let f = self.closure(&[element.clone(), u32], |g, xi| {
                    write(xi[0].clone(), g.permutation(len, xi[1].clone()))
                });
                method("push_to", steps, vec![a, f])
            }
        };
        let f = Expr {
            ty: Type::Host,
            kind: Kind::Closure(vec![(writer, Type::Host)], Arc::new(body)),
        };
        let len = Expr {
            ty: Type::Host,
            kind: Kind::Number(len),
        };
        at_level(call("mk_push", ty, vec![len, f]), level)
    }

    /// What the threads of a level do together. Its function reads no arrays.
    fn together(&mut self, name: &'static str, element: &Type, len: u32, ty: Type) -> Expr {
        let scope = std::mem::take(&mut self.scope);
        let f = match name {
            "sort" => self.closure(&[element.clone(), element.clone()], |g, _| {
                g.element(&Type::Scalar(ScalarType::Bool), 2)
            }),
            _ => self.combine(element, 1),
        };
        self.scope = scope;
        let mut arguments = vec![f];
        arguments.extend((name == "exclusive_scan").then(|| self.element(element, 1)));
        let elements = match name {
            "reduce" => 1 + self.below(40),
            _ => len,
        };
        arguments.push(self.pull(element, elements));
        call(name, ty, arguments)
    }

    /// Scans of one thread.
    fn scanned(&mut self, name: &'static str, element: &Type, len: u32, ty: Type) -> Expr {
        match name {
            "seq_scan" => {
                let (f, a) = (self.combine(element, 1), self.pull(element, len));
                call(name, ty, vec![f, a])
            }
            "seq_scan_cin" => {
                let (f, carry, a) = (
                    self.combine(element, 1),
                    self.element(element, 1),
                    self.pull(element, len),
                );
                call(name, ty, vec![f, carry, a])
            }
            _ => {
                let (state, from) = (self.element_type(), self.element_type());
                let result = Type::Tuple(vec![state.clone(), element.clone()]);
                let f = self.closure(&[state.clone(), from.clone()], |g, _| Expr {
                    ty: result.clone(),
                    kind: Kind::Tuple(vec![g.element(&state, 2), g.element(element, 2)]),
                });
                let (first, a) = (self.element(&state, 1), self.pull(&from, len));
                call(name, ty, vec![f, first, a])
            }
        }
    }

    /// Pieces one after another, with a value that is carried.
    fn carried(&mut self, level: Level, element: &Type, len: u32, ty: Type) -> Expr {
        let (state, of, n) = (self.element_type(), self.element_type(), self.divisor(len));
        let (count, size) = (len / n, self.below(5) + 1);
        let piece = Type::pull(&of, size);
        let a = self.pull(&of, count * size);
        let pieces = method("split_up", Type::pull(&piece, count), vec![a, number(size)]);
        let f = self.closure(&[state.clone(), piece], |g, _| {
            let (mut steps, depth) = (Vec::new(), g.scope.len());
            if g.chance(0.5) {
                g.step(level, &mut steps);
            }
            let (next, push) = (g.element(&state, 2), g.push(level, element, n));
            g.scope.truncate(depth);
            let pair = Expr {
                ty: Type::Tuple(vec![next.ty.clone(), push.ty.clone()]),
                kind: Kind::Tuple(vec![next, push]),
            };
            super::steps(steps, pure(level, pair))
        });
        let first = self.element(&state, 1);
        at_level(call("s_map_accum", ty, vec![f, first, pieces]), level)
    }
}
