//! Loops of the grid: several loops over blocks, one after another and inside of others.

use std::sync::Arc;

use obsidian_core::ir::Level;
use obsidian_core::scalar::{Literal, ScalarType};

use super::super::syntax::{Expr, Kind, Step, Type};
use super::kernels::{GLOBAL, Shape};
use super::pulls::element_of;
use super::scalars::operator;
use super::{Generator, at_level, call, literal, method, number, pure, steps, variable};

const U32: Type = Type::Scalar(ScalarType::U32);

/// A program of the grid that gives nothing.
fn nothing(level: Level) -> Type {
    Type::program(level, &Type::unit())
}

fn two(name: &'static str, left: Expr, right: Expr) -> Expr {
    operator(name, ScalarType::U32, vec![left, right])
}

fn literal_of(n: u32) -> Expr {
    literal(Literal::from(n))
}

/// Of a block's piece, the elements that one loop over blocks writes.
struct Part {
    /// The first one.
    start: Expr,
    /// How many there are.
    length: u32,
}

impl Generator {
    /// A push array of the grid by its own loops: each writes a part of every block's piece.
    pub(super) fn of_loops(&mut self, element: &Type, shape: Shape) -> Expr {
        let input = self.known(|t| matches!(t, Type::Pull(_, None))).remove(0);
        let Kind::Variable(v) = input.kind else {
            return input;
        };
        let length = Expr {
            ty: U32,
            kind: Kind::LengthOf(v),
        };
        let blocks = two("/", length, literal_of(shape.piece));
        let writer = self.fresh();
        let whole = Part {
            start: literal_of(0),
            length: shape.piece,
        };
        let depth = self.below(3);
        let body = self.rounds(depth, whole, &mut |g, part| {
            g.blocks_of_part(&input, element, shape, &blocks, writer, part)
        });
        let f = Expr {
            ty: Type::Host,
            kind: Kind::Closure(vec![(writer, Type::Host)], Arc::new(body)),
        };
        let length = two("*", blocks.clone(), literal_of(shape.piece));
        let ty = Type::Push(Level::Grid, Box::new(element.clone()), None);
        at_level(call("mk_push", ty, vec![length, f]), Level::Grid)
    }

    /// A part in rounds, or in several loops one after the other, or both.
    fn rounds(
        &mut self,
        depth: u32,
        part: Part,
        inner: &mut dyn FnMut(&mut Self, Part) -> Expr,
    ) -> Expr {
        if depth == 0 {
            return inner(self, part);
        }
        let count = self.divisor(part.length);
        let length = part.length / count;
        let at = |n: Expr| two("+", part.start.clone(), two("*", n, literal_of(length)));
        if self.chance(0.6) || count > 4 {
            let f = self.closure(&[U32], |g, r| {
                let start = at(r[0].clone());
                g.rounds(depth - 1, Part { start, length }, inner)
            });
            let unit = nothing(Level::Grid);
            return at_level(call("seq_for", unit, vec![number(count), f]), Level::Grid);
        }
        let mut list: Vec<Expr> = (0..count)
            .map(|n| {
                let start = at(literal_of(n));
                self.rounds(depth - 1, Part { start, length }, inner)
            })
            .collect();
        let last = list.pop();
        let list = list.into_iter().map(Step::Do).collect();
        last.map_or_else(
            || {
                pure(
                    Level::Grid,
                    Expr {
                        ty: Type::unit(),
                        kind: Kind::Tuple(Vec::new()),
                    },
                )
            },
            |last| steps(list, last),
        )
    }

    /// The loop over blocks that writes a part.
    fn blocks_of_part(
        &mut self,
        input: &Expr,
        element: &Type,
        shape: Shape,
        blocks: &Expr,
        writer: u32,
        part: Part,
    ) -> Expr {
        let of = element_of(input);
        let f = self.closure(&[U32], |g, b| {
            let first = two("*", b[0].clone(), literal_of(shape.piece));
            let first = two("+", first, part.start.clone());
            let f = g.closure(&[U32], |g, i| {
                let (v, from) = (g.fresh(), two("+", first.clone(), i[0].clone()));
                let read = Expr {
                    ty: of.clone(),
                    kind: Kind::Index(Box::new(input.clone()), Box::new(from)),
                };
                g.scope.push((v, of.clone()));
                let x = g.element(element, 2);
                g.scope.pop();
                let to = two("+", first.clone(), g.permutation(part.length, i[0].clone()));
                let write = Expr {
                    ty: nothing(Level::Thread),
                    kind: Kind::Call {
                        name: "write",
                        method: false,
                        level: None,
                        arguments: vec![variable(writer, &Type::Host), x, to],
                    },
                };
                steps(vec![Step::Let(v, read)], write)
            });
            let unit = nothing(Level::Block);
            let all = call("for_all", unit, vec![number(part.length), f]);
            at_level(all, Level::Block)
        });
        let unit = nothing(Level::Grid);
        at_level(
            call("distr_par", unit, vec![blocks.clone(), f]),
            Level::Grid,
        )
    }

    /// Several loops over blocks that change one global array, in rounds: atomics that commute, or
    /// elements that belong to one thread in all of them.
    pub(super) fn loops_over_global(&mut self, m: &Expr, ty: ScalarType) -> Expr {
        let own = self.chance(0.5);
        let op = self.pick(&["atomic_add", "atomic_sub", "atomic_max", "atomic_xor"]);
        let part = Part {
            start: literal_of(0),
            length: 12,
        };
        let depth = self.below(2) + 1;
        self.rounds(depth, part, &mut |g, _| {
            if own {
                let size = 8;
                return g.over_global(GLOBAL / size, size, &mut |g, at| {
                    g.read_and_write(m, ty, at)
                });
            }
            let (blocks, size) = (g.below(3) + 1, g.below(40) + 1);
            g.over_global(blocks, size, &mut |g, _| {
                let (i, x) = (g.index(GLOBAL), g.scalar(ty, 2));
                let old = method(
                    op,
                    Type::program(Level::Thread, &Type::Scalar(ty)),
                    vec![m.clone(), i, x],
                );
                method("void", nothing(Level::Thread), vec![old])
            })
        })
    }

    /// A loop over blocks with a loop over threads; the body gets the number among all threads.
    fn over_global(
        &mut self,
        blocks: u32,
        size: u32,
        body: &mut dyn FnMut(&mut Self, Expr) -> Expr,
    ) -> Expr {
        let f = self.closure(&[U32], |g, b| {
            let first = two("*", b[0].clone(), literal_of(size));
            let f = g.closure(&[U32], |g, i| body(g, two("+", first, i[0].clone())));
            let unit = nothing(Level::Block);
            at_level(call("for_all", unit, vec![number(size), f]), Level::Block)
        });
        let unit = nothing(Level::Grid);
        at_level(
            call("distr_par", unit, vec![number(blocks), f]),
            Level::Grid,
        )
    }
}
