//! Arrays in registers: held at every level, and read where they may be.
//!
//! A thread, and a lane of a warp, may read a held array anywhere. A thread of a block may read only what it
//! owns, so a program of a block holds an array for one map over it, and then stores the result.

use std::sync::Arc;

use obsidian_core::ir::Level;
use obsidian_core::scalar::ScalarType;

use super::super::syntax::{Expr, Kind, Type};
use super::{Generator, at_level, call, method, number, variable};

/// The functions of this file.
pub(super) const HELD: [&str; 4] = ["hold", "hold_as", "exchange", "tiles_fold"];

impl Generator {
    /// A program that gives a pull array of what it has held, of at least one element.
    pub(super) fn held(
        &mut self,
        name: &'static str,
        level: Level,
        element: &Type,
        len: u32,
    ) -> Expr {
        if level != Level::Block {
            return match name {
                "tiles_fold" => self.tiles(level, element, len, false),
                _ => {
                    let array = self.pull(element, len);
                    self.held_as(name, level, array, (element, len))
                }
            };
        }
        let program = match name {
            "tiles_fold" => return self.tiles(level, element, len, true),
            "exchange" => {
                let first = self.pull(element, len);
                let held = self.held_as("hold", level, first, (element, len));
                let pull = Type::pull(element, len);
                let ty = Type::program(level, &pull);
                let moved = self.by_hand(std::slice::from_ref(&pull), |_, held| {
                    let [from, to] = [striped(), striped()];
                    at_level(
                        call("exchange", ty.clone(), vec![from, to, held[0].clone()]),
                        level,
                    )
                });
                method("and_then", ty, vec![held, moved])
            }
            _ => {
                let array = self.pull(element, len);
                self.held_as("hold", level, array, (element, len))
            }
        };
        let pull = Type::pull(element, len);
        let stored = Type::program(level, &pull);
        let then = self.by_hand(std::slice::from_ref(&pull), |g, held| {
            let mapped = g.own_map(held[0].clone(), (element, len));
            at_level(call("compute", stored.clone(), vec![mapped]), level)
        });
        method("and_then", stored, vec![program, then])
    }

    /// What all threads of a level know of some booleans, or which elements are equal.
    pub(super) fn mask(&mut self, name: &'static str, level: Level) -> (Expr, Type) {
        let (n, bool) = (1 + self.below(32), Type::Scalar(ScalarType::Bool));
        let u32 = Type::Scalar(ScalarType::U32);
        let (of, result) = match name {
            "any" | "all" => (bool, Type::Scalar(ScalarType::Bool)),
            "ballot" => (bool, u32),
            _ => (
                Type::Scalar(self.pick(&ScalarType::ALL)),
                Type::pull(&u32, n),
            ),
        };
        let array = self.pull(&of, n);
        let program = call(name, Type::program(level, &result), vec![array]);
        (at_level(program, level), result)
    }

    /// `array.map(f)`: element `i` of element `i`.
    fn own_map(&mut self, array: Expr, (element, len): (&Type, u32)) -> Expr {
        let f = self.closure(std::slice::from_ref(element), |g, _| g.element(element, 2));
        method("map", Type::pull(element, len), vec![array, f])
    }

    fn held_as(
        &mut self,
        name: &'static str,
        level: Level,
        array: Expr,
        (element, len): (&Type, u32),
    ) -> Expr {
        let program = Type::program(level, &Type::pull(element, len));
        let arguments = match name {
            "hold" => vec![array],
            "hold_as" => vec![self.layout(len), array],
            _ => vec![self.layout(len), self.layout(len), array],
        };
        at_level(call(name, program, arguments), level)
    }

    fn layout(&mut self, len: u32) -> Expr {
        let runs: Vec<u32> = (1..=len.min(8))
            .filter(|run| len.is_multiple_of(*run))
            .collect();
        match self.chance(0.3) {
            true => striped(),
            false => {
                let run = number(self.pick(&runs));
                call("Blocked", Type::Host, vec![run])
            }
        }
    }

    /// A loop over tiles; a block's state is read as its threads own it.
    fn tiles(&mut self, level: Level, element: &Type, len: u32, own: bool) -> Expr {
        let program = Type::program(level, &Type::pull(element, len));
        let (of, n, tile) = (self.element_type(), self.below(40), 1 + self.below(9));
        let (input, state) = (self.pull(&of, n.max(1)), self.pull(element, len));
        let pull = Type::pull(element, len);
        let step = |g: &mut Self, tile: Type| {
            let types = [pull.clone(), tile];
            let next = |g: &mut Self, state: &Expr| match own {
                true => g.own_map(state.clone(), (element, len)),
                false => g.pull(element, len),
            };
            let give = |next| at_level(call("pure", program.clone(), vec![next]), level);
            match own {
                true => g.by_hand(&types, |g, known| give(next(g, &known[0]))),
                false => g.closure(&types, |g, known| give(next(g, &known[0]))),
            }
        };
        let whole = step(self, Type::pull(&of, tile));
        // The rest of a tile is one of an unknown length to the program.
        let rest = self.by_hand(&[pull.clone(), Type::Host], |g, known| {
            let next = g.own_map(known[0].clone(), (element, len));
            at_level(call("pure", program.clone(), vec![next]), level)
        });
        let arguments = vec![input, number(tile), state, whole, rest];
        at_level(call("tiles_fold", program.clone(), arguments), level)
    }

    /// A closure whose parameters only `body` uses.
    fn by_hand(&mut self, types: &[Type], body: impl FnOnce(&mut Self, &[Expr]) -> Expr) -> Expr {
        let parameters: Vec<_> = types.iter().map(|ty| (self.fresh(), ty.clone())).collect();
        let known: Vec<Expr> = parameters.iter().map(|(v, ty)| variable(*v, ty)).collect();
        let body = body(self, &known);
        Expr {
            ty: Type::Host,
            kind: Kind::Closure(parameters, Arc::new(body)),
        }
    }
}

fn striped() -> Expr {
    call("Striped", Type::Host, Vec::new())
}
