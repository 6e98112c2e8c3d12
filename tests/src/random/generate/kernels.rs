//! Whole kernels: how the grid is made of its inputs.

use obsidian_core::ir::Level;
use obsidian_core::scalar::{Literal, ScalarType};

use super::super::syntax::{Expr, Kind, Parameter, Program, Step, Type};
use super::pulls::element_of;
use super::{Generator, at_level, call, literal, method, number, pure, steps, variable};

/// Numbers of real threads.
const THREADS: &[u32] = &[
    1, 2, 7, 31, 32, 33, 64, 64, 96, 100, 128, 200, 256, 1000, 1023,
];
/// Elements of a global array.
pub(super) const GLOBAL: u32 = 16;

/// A dynamic pull array's type.
fn dynamic(element: &Type) -> Type {
    Type::Pull(Box::new(element.clone()), None)
}

fn grid(element: &Type) -> Type {
    Type::Push(Level::Grid, Box::new(element.clone()), None)
}

/// Elements of the inputs, and how they are cut.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    /// Elements of a piece.
    pub(super) piece: u32,
    /// Elements in all.
    pub(super) length: u32,
}

impl Generator {
    /// The kernel of a seed.
    pub(super) fn kernel(&mut self, seed: u64) -> Program {
        let threads = self.pick(THREADS);
        let (piece, blocks) = (self.length(), self.below(4));
        let ragged = self.chance(0.4) && blocks > 0;
        let length = piece * blocks - if ragged { self.below(piece) } else { 0 };
        let shape = Shape { piece, length };
        let mut parameters = Vec::new();
        for _ in 0..self.below(2) + 1 {
            let element = self.element_type();
            parameters.push(self.parameter(dynamic(&element)));
        }
        for _ in 0..self.below(3) {
            let ty = Type::Scalar(self.scalar_type());
            parameters.push(self.parameter(ty));
        }
        let global = self.chance(0.15) || self.wishes.contains(&"distr_par");
        if global {
            let ty = Type::Global(self.pick(&[
                ScalarType::U32,
                ScalarType::I32,
                ScalarType::U64,
                ScalarType::I64,
            ]));
            parameters.push(self.parameter(ty));
        }
        let mut arrays = vec![self.output(shape)];
        if self.chance(0.2) {
            self.fuel = self.fuel.max(10);
            arrays.push(self.output(shape));
        }
        let outputs = arrays
            .iter()
            .flat_map(|a| {
                if let Type::Push(_, element, _) = &a.ty {
                    element.scalars()
                } else {
                    Vec::new()
                }
            })
            .collect();
        let result = if arrays.len() == 1 {
            arrays.remove(0)
        } else {
            Expr {
                ty: Type::Tuple(arrays.iter().map(|a| a.ty.clone()).collect()),
                kind: Kind::Tuple(arrays),
            }
        };
        let body = if global {
            self.with_global(result, &parameters)
        } else {
            result
        };
        let body = if self.chance(0.15) || self.wishes.contains(&"require") {
            self.asking(body, &parameters, shape)
        } else {
            body
        };
        Program {
            seed,
            threads,
            parameters,
            length,
            outputs,
            body,
            approximate: self.approximate,
        }
    }

    fn parameter(&mut self, ty: Type) -> Parameter {
        let variable = self.fresh();
        self.scope.push((variable, ty.clone()));
        Parameter { variable, ty }
    }

    /// One output.
    fn output(&mut self, shape: Shape) -> Expr {
        let atomic = self.wishes.contains(&"atomic");
        let element = if atomic {
            Type::Scalar(ScalarType::U32)
        } else {
            self.element_type()
        };
        let whole = shape.length.is_multiple_of(shape.piece);
        let mut rules = vec!["chunks", "take", "take", "chunks_len", "cover"];
        rules.extend(
            whole
                .then_some([
                    "split_up",
                    "split_up",
                    "split_up",
                    "coalesce",
                    "as_grid",
                    "as_grid_ordered",
                    "lift_par",
                    "tiles",
                    "loops",
                    "neighbours",
                ])
                .into_iter()
                .flatten(),
        );
        let name = self.rule(&rules);
        let push = match name {
            "chunks_len" => self.of_what_is_left(&element, shape),
            "tiles" | "cover" => self.of_tiles(name, &element, shape),
            "take" => self.ragged(&element, shape),
            "loops" => self.of_loops(&element, shape),
            "neighbours" => self.of_neighbours(shape),
            "as_grid_ordered" => self.of_ordered(&element, shape),
            _ => self.of_pieces(name, &element, shape),
        };
        let Type::Push(_, element, _) = push.ty.clone() else {
            return push;
        };
        match &*element {
            Type::Scalar(ty) if ty.is_float() && self.chance(0.3) => {
                let f = self.closure(std::slice::from_ref(&*element), |g, x| {
                    g.rounded(x[0].clone())
                });
                method("map", push.ty.clone(), vec![push, f])
            }
            _ => push,
        }
    }

    /// An array as long as the inputs.
    fn whole(&mut self) -> Expr {
        let inputs = self.known(|t| matches!(t, Type::Pull(_, None)));
        let input = self.pick(&inputs);
        if self.chance(0.4) {
            return input;
        }
        let element = self.element_type();
        match self.rule(&["map", "zip_with", "zip", "reverse"]) {
            "zip_with" if inputs.len() > 1 => {
                let f = self.closure(&[element_of(&inputs[0]), element_of(&inputs[1])], |g, _| {
                    g.element(&element, 2)
                });
                call(
                    "zip_with",
                    dynamic(&element),
                    vec![f, inputs[0].clone(), inputs[1].clone()],
                )
            }
            "zip" if inputs.len() > 1 => {
                let pair = Type::Tuple(vec![element_of(&inputs[0]), element_of(&inputs[1])]);
                call("zip", dynamic(&pair), inputs[..2].to_vec())
            }
            "reverse" => method("reverse", input.ty.clone(), vec![input]),
            _ => {
                let f = self.closure(&[element_of(&input)], |g, _| g.element(&element, 2));
                method("map", dynamic(&element), vec![input, f])
            }
        }
    }

    /// One block for each piece.
    fn of_pieces(&mut self, name: &'static str, element: &Type, shape: Shape) -> Expr {
        let input = self.whole();
        let of = element_of(&input);
        let piece = Type::pull(&of, shape.piece);
        let cut = match name {
            "chunks" => {
                let pad = self.element(&of, 1);
                method(
                    "chunks",
                    dynamic(&piece),
                    vec![input, number(shape.piece), pad],
                )
            }
            "coalesce" => method(
                "coalesce",
                dynamic(&piece),
                vec![input, number(shape.piece)],
            ),
            _ => method(
                "split_up",
                dynamic(&piece),
                vec![input, number(shape.piece)],
            ),
        };
        let len = self.length();
        let f = self.closure(&[piece], |g, _| g.push(Level::Block, element, len));
        if !matches!(name, "as_grid" | "lift_par") {
            let all = method("as_grid_map", grid(element), vec![cut, f]);
            return match name {
                // The fill of the last piece is meant.
                "chunks" => method("padded", grid(element), vec![all]),
                _ => all,
            };
        }
        let works = method(
            "map",
            dynamic(&Type::push(Level::Block, element, len)),
            vec![cut, f],
        );
        match name {
            "lift_par" => at_level(call(name, grid(element), vec![works]), Level::Grid),
            _ => method("as_grid", grid(element), vec![works]),
        }
    }

    /// One block for each piece, which asks for what those before it have: by a function and an initial value that use nothing of the block.
    fn of_ordered(&mut self, element: &Type, shape: Shape) -> Expr {
        let input = self.whole();
        let piece = Type::pull(&element_of(&input), shape.piece);
        let cut = method(
            "split_up",
            dynamic(&piece),
            vec![input, number(shape.piece)],
        );
        let scope = std::mem::take(&mut self.scope);
        let own = self.element_type();
        let (combine, initial) = (self.combine(&own, 1), self.element(&own, 1));
        self.scope = scope;
        let (len, elements) = (self.length(), 1 + self.below(40));
        let f = self.closure(&[piece], |g, _| {
            let (depth, mut list) = (g.scope.len(), Vec::new());
            if g.chance(0.5) {
                g.step(Level::Block, &mut list);
            }
            let given = g.pull(&own, elements);
            let found = Type::pull(&own, elements);
            let program = Type::program(Level::Block, &found);
            let asked = call("earlier", program, vec![combine, initial, given]);
            let before = g.fresh();
            list.push(Step::Bind(before, asked));
            g.scope.push((before, found));
            let result = g.push(Level::Block, element, len);
            g.scope.truncate(depth);
            let program = steps(list, pure(Level::Block, result));
            let push = Type::push(Level::Block, element, len);
            call("exec_block", push, vec![program])
        });
        method("as_grid_ordered", grid(element), vec![cut, f])
    }

    /// One block for each piece of an input, which reads elements of the pieces around its own, or
    /// behind the first and the last something else.
    fn of_neighbours(&mut self, shape: Shape) -> Expr {
        let mut inputs = self.known(|t| matches!(t, Type::Pull(_, None)));
        let input = inputs.remove(0);
        let (element, u32) = (element_of(&input), Type::Scalar(ScalarType::U32));
        let piece = Type::pull(&element, shape.piece);
        let cut = method(
            "split_up",
            dynamic(&piece),
            vec![input, number(shape.piece)],
        );
        let blocks = method("len", u32.clone(), vec![cut.clone()]);
        let work = Type::push(Level::Block, &element, shape.piece);
        let f = self.closure(std::slice::from_ref(&u32), |g, block| {
            let f = g.closure(std::slice::from_ref(&u32), |g, at| {
                let place = [block[0].clone(), at[0].clone()];
                let mut value = g.element(&element, 1);
                for _ in 0..g.below(3) + 1 {
                    let (guard, read) = g.shifted(&cut, &place, [&blocks, &number(shape.piece)]);
                    value = call("select", element.clone(), vec![guard, read, value]);
                }
                value
            });
            let all = call("generate", piece.clone(), vec![number(shape.piece), f]);
            at_level(method("push", work.clone(), vec![all]), Level::Block)
        });
        let works = call("generate", dynamic(&work), vec![blocks, f]);
        method("as_grid", grid(&element), vec![works])
    }

    /// An element some blocks and some elements away, and the condition that there is one.
    fn shifted(&mut self, cut: &Expr, place: &[Expr; 2], sizes: [&Expr; 2]) -> (Expr, Expr) {
        let (u32, bool) = (
            Type::Scalar(ScalarType::U32),
            Type::Scalar(ScalarType::Bool),
        );
        let operator = |name, ty: &Type, x: &Expr, y: &Expr| Expr {
            ty: ty.clone(),
            kind: Kind::Operator(name, vec![x.clone(), y.clone()]),
        };
        let mut parts = Vec::new();
        for (at, size) in place.iter().zip(sizes) {
            let far = literal(Literal::from(self.below(3)));
            // Lengths of the host are device values beside one.
            parts.push(if self.chance(0.5) {
                let there = operator(">=", &bool, at, &far);
                (there, operator("-", &u32, at, &far))
            } else {
                let moved = operator("+", &u32, at, &far);
                (operator("<", &bool, &moved, size), moved)
            });
        }
        let [(first, block), (second, at)] = [parts.remove(0), parts.remove(0)];
        let index = |x: Expr, i: Expr| Expr {
            ty: element_of(&x),
            kind: Kind::Index(Box::new(x), Box::new(i)),
        };
        let read = index(index(cut.clone(), block), at);
        (operator("&", &bool, &first, &second), read)
    }

    /// Padded pieces, of whose results as many are kept as there are elements.
    fn ragged(&mut self, element: &Type, shape: Shape) -> Expr {
        let input = self.known(|t| matches!(t, Type::Pull(_, None))).remove(0);
        let of = element_of(&input);
        let (pad, piece) = (self.element(&of, 1), Type::pull(&of, shape.piece));
        let cut = method(
            "chunks",
            dynamic(&piece),
            vec![input.clone(), number(shape.piece), pad],
        );
        let f = self.closure(&[piece], |g, _| g.push(Level::Block, element, shape.piece));
        let all = method("as_grid_map", grid(element), vec![cut, f]);
        let Kind::Variable(v) = input.kind else {
            return all;
        };
        method(
            "take",
            grid(element),
            vec![
                all,
                Expr {
                    ty: Type::Host,
                    kind: Kind::LengthOf(v),
                },
            ],
        )
    }

    /// Pieces whose last one is as long as what is left: one thread goes through them.
    fn of_what_is_left(&mut self, element: &Type, shape: Shape) -> Expr {
        let input = self.known(|t| matches!(t, Type::Pull(_, None))).remove(0);
        let of = element_of(&input);
        let cut = method(
            "chunks_len",
            dynamic(&dynamic(&of)),
            vec![input, number(shape.piece)],
        );
        let f = self.closure(&[dynamic(&of)], |g, c| {
            let sum = g.combine(&of, 1);
            let reduced = call(
                "seq_reduce",
                Type::program(Level::Thread, &of),
                vec![sum, c[0].clone()],
            );
            let last = g.closure(std::slice::from_ref(&of), |g, _| g.element(element, 2));
            let program = method(
                "map",
                Type::program(Level::Thread, element),
                vec![reduced, last],
            );
            let one = call(
                "exec_thread_value",
                Type::push(Level::Thread, element, 1),
                vec![program],
            );
            let works = g.works(1);
            let f = g.closure(&[element_of(&works)], |_, _| one);
            method(
                "as_block_map",
                Type::push(Level::Block, element, 1),
                vec![works, f],
            )
        });
        method("as_grid_map", grid(element), vec![cut, f])
    }

    /// One block for each tile.
    fn of_tiles(&mut self, name: &'static str, element: &Type, shape: Shape) -> Expr {
        let input = self.known(|t| matches!(t, Type::Pull(_, None))).remove(0);
        let of = element_of(&input);
        // The width has to divide the length, for any height: that of tiles the height too, so one
        // row is a tile's height.
        let columns = if shape.length == 0 {
            4
        } else {
            self.divisor(shape.length)
        };
        let size = |element: &Type| Type::Pull2(Box::new(element.clone()), 0, 0);
        let rows = method("in_rows", size(&of), vec![input, number(columns)]);
        let (height, width) = if name == "cover" {
            (self.below(4) + 1, self.below(6) + 1)
        } else {
            (1, self.divisor(columns))
        };
        let tile = Type::Pull2(Box::new(of), height, width);
        let cut = method(
            name,
            size(&tile),
            vec![rows.clone(), number(height), number(width)],
        );
        let f = self.closure(&[tile], |g, _| {
            g.push2(Level::Block, element, height, width)
        });
        let push = |of| Type::Push2(Level::Grid, Box::new(of), 0, 0);
        let mut all = if self.chance(0.3) {
            let works = Type::Pull2(
                Box::new(Type::Push2(
                    Level::Block,
                    Box::new(element.clone()),
                    height,
                    width,
                )),
                0,
                0,
            );
            method(
                "as_grid",
                push(element.clone()),
                vec![method("map", works, vec![cut, f])],
            )
        } else {
            method("as_grid_map", push(element.clone()), vec![cut, f])
        };
        if name == "cover" {
            let side = |name| method(name, Type::Host, vec![rows.clone()]);
            all = method(
                "crop",
                push(element.clone()),
                vec![all, side("height"), side("width")],
            );
        }
        method("flat", grid(element), vec![all])
    }

    /// Atomic operations on a global array before the result.
    fn with_global(&mut self, result: Expr, parameters: &[Parameter]) -> Expr {
        let Some((global, ty)) = parameters.iter().find_map(|p| {
            if let Type::Global(ty) = p.ty {
                Some((p, ty))
            } else {
                None
            }
        }) else {
            return result;
        };
        let (m, u32) = (
            variable(global.variable, &global.ty),
            Type::Scalar(ScalarType::U32),
        );
        if self.chance(0.5) {
            let all = self.loops_over_global(&m, ty);
            return steps(vec![Step::Do(all)], pure(Level::Grid, result));
        }
        let (blocks, n) = (number(self.below(3) + 1), number(self.below(40) + 1));
        let f = self.closure(std::slice::from_ref(&u32), |g, _| {
            let f = g.closure(std::slice::from_ref(&u32), |g, _| {
                let i = g.index(GLOBAL);
                g.atomic(&m, ty, i, true)
            });
            at_level(
                call(
                    "for_all",
                    Type::program(Level::Block, &Type::unit()),
                    vec![n, f],
                ),
                Level::Block,
            )
        });
        let all = at_level(
            call(
                "distr_par",
                Type::program(Level::Grid, &Type::unit()),
                vec![blocks, f],
            ),
            Level::Grid,
        );
        steps(vec![Step::Do(all)], pure(Level::Grid, result))
    }

    /// A kernel that asks its launches for something that holds of their lengths.
    fn asking(&mut self, body: Expr, parameters: &[Parameter], shape: Shape) -> Expr {
        let inputs = parameters
            .iter()
            .filter(|p| matches!(p.ty, Type::Pull(_, None)));
        let inputs: Vec<Parameter> = inputs.cloned().collect();
        let mut length = || Expr {
            ty: Type::Scalar(ScalarType::U32),
            kind: Kind::LengthOf(self.pick(&inputs).variable),
        };
        let (one, other) = (length(), length());
        let (name, argument) = match self.below(3) {
            0 => ("equals", other),
            1 => ("at_least", number(self.below(shape.length + 1))),
            _ if shape.length.is_multiple_of(shape.piece) => ("multiple_of", number(shape.piece)),
            _ => ("multiple_of", number(1)),
        };
        let condition = method(name, Type::Host, vec![one, argument]);
        let asked = call("require", Type::unit(), vec![condition]);
        steps(vec![Step::Let(self.fresh(), asked)], body)
    }

    /// The elements of a parameter.
    pub(in super::super) fn elements(&mut self, ty: ScalarType, n: u32) -> Vec<Literal> {
        (0..n).map(|_| self.literal(ty)).collect()
    }
}

/// The inputs of a program: for each scalar of each parameter, its elements; one for a number.
pub fn inputs(program: &Program) -> Vec<Vec<Literal>> {
    let mut g = Generator::new(program.seed ^ 0x5eed);
    let mut lists = Vec::new();
    for parameter in &program.parameters {
        let (types, n) = match &parameter.ty {
            Type::Pull(element, _) => (element.scalars(), program.length),
            Type::Global(ty) => (vec![*ty], GLOBAL),
            ty => (ty.scalars(), 1),
        };
        lists.extend(types.into_iter().map(|ty| g.elements(ty, n)));
    }
    lists
}
