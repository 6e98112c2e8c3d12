//! Two-dimensional arrays.

use obsidian_core::ir::Level;
use obsidian_core::scalar::ScalarType;

use super::super::syntax::{Expr, Type};
use super::pulls::element_of;
use super::{Generator, at_level, call, method, number, numbers};

/// A two-dimensional pull array's type.
fn matrix(element: &Type, height: u32, width: u32) -> Type {
    Type::Pull2(Box::new(element.clone()), height, width)
}

fn matrix_push(level: Level, element: &Type, height: u32, width: u32) -> Type {
    Type::Push2(level, Box::new(element.clone()), height, width)
}

impl Generator {
    /// A two-dimensional pull array; height and width are at least 1.
    pub(super) fn pull2(&mut self, element: &Type, height: u32, width: u32) -> Expr {
        let ty = matrix(element, height, width);
        let known = self.known(|t| *t == ty);
        if !known.is_empty() && self.chance(0.4) {
            return self.pick(&known);
        }
        let rules: &[&'static str] = &[
            "generate",
            "as_2d",
            "in_rows",
            "transpose",
            "map",
            "zip_with",
            "zip_with_shortest",
            "outer",
            "tiles",
            "untile",
            "cover",
            "set_size",
            "plane",
            "planes",
        ];
        let simple = self.fuel <= 0 || height * width > 200;
        let name = if simple {
            self.pick(&["generate", "as_2d"])
        } else {
            self.rule(rules)
        };
        match name {
            "as_2d" => method(
                name,
                ty,
                vec![
                    self.pull(element, height * width),
                    number(height),
                    number(width),
                ],
            ),
            "in_rows" => method(
                name,
                ty,
                vec![self.pull(element, height * width), number(width)],
            ),
            "transpose" => method(name, ty, vec![self.pull2(element, width, height)]),
            "map" => {
                let from = self.element_type();
                let (a, f) = (
                    self.pull2(&from, height, width),
                    self.closure(std::slice::from_ref(&from), |g, _| g.element(element, 2)),
                );
                method(name, ty, vec![a, f])
            }
            "zip_with" => {
                let types = [self.element_type(), self.element_type()];
                let f = self.closure(&types, |g, _| g.element(element, 2));
                let (x, y) = (
                    self.pull2(&types[0], height, width),
                    self.pull2(&types[1], height, width),
                );
                call(name, ty, vec![f, x, y])
            }
            "zip_with_shortest" => {
                let types = [self.element_type(), self.element_type()];
                let f = self.closure(&types, |g, _| g.element(element, 2));
                let (higher, wider) = (height + self.below(3), width + self.below(3));
                let (x, y) = (
                    self.pull2(&types[0], higher, width),
                    self.pull2(&types[1], height, wider),
                );
                call(name, ty, vec![f, x, y])
            }
            "outer" => {
                let types = [self.element_type(), self.element_type()];
                let f = self.closure(&types, |g, _| g.element(element, 2));
                let (rows, columns) = (self.pull(&types[0], height), self.pull(&types[1], width));
                call(name, ty, vec![f, rows, columns])
            }
            "tiles" | "untile" => {
                let (h, w) = (self.divisor(height), self.divisor(width));
                let tile = matrix(element, h, w);
                let cut = method(
                    "tiles",
                    matrix(&tile, height / h, width / w),
                    vec![self.pull2(element, height, width), number(h), number(w)],
                );
                let f = self.closure(std::slice::from_ref(&tile), |g, _| g.pull2(element, h, w));
                let made = method("map", matrix(&tile, height / h, width / w), vec![cut, f]);
                method("untile", ty, vec![made, number(h), number(w)])
            }
            "cover" => {
                let (h, w) = (self.below(3) + 1, self.below(3) + 1);
                let (less, short) = (self.below(h), self.below(w));
                let (from, of) = (self.element_type(), (height * h - less, width * w - short));
                let tile = matrix(&from, h, w);
                let cut = method(
                    name,
                    matrix(&tile, height, width),
                    vec![self.pull2(&from, of.0, of.1), number(h), number(w)],
                );
                let f = self.closure(&[tile], |g, t| g.corner(&t[0], element, h, w));
                method("map", ty, vec![cut, f])
            }
            "set_size" => method(
                name,
                ty,
                vec![
                    self.pull2(element, height, width),
                    numbers(&[height, width]),
                ],
            ),
            "plane" | "planes" => {
                let depth = self.below(3) + 1;
                let (place, from) = (
                    self.below(depth),
                    self.pull3(element, [depth, height, width]),
                );
                if name == "plane" {
                    return method(name, ty, vec![from, number(place)]);
                }
                let planes = method(name, Type::pull(&ty, depth), vec![from]);
                method("at", ty, vec![planes, number(place)])
            }
            _ => {
                let u32 = Type::Scalar(ScalarType::U32);
                let index = Type::Tuple(vec![u32.clone(), u32]);
                let f = self.closure(&[index], |g, _| g.element(element, 2));
                call("generate", ty, vec![numbers(&[height, width]), f])
            }
        }
    }

    /// A pull array of three axes; its sizes are at least 1.
    fn pull3(&mut self, element: &Type, sizes: [u32; 3]) -> Expr {
        let ty = Type::Pull3(Box::new(element.clone()), sizes);
        if self.rule(&["generate", "as_3d"]) == "as_3d" {
            let list = self.pull(element, sizes.iter().product());
            let sizes = sizes.map(number);
            return method("as_3d", ty, [list].into_iter().chain(sizes).collect());
        }
        let index = Type::Tuple(vec![Type::Scalar(ScalarType::U32); 3]);
        let f = self.closure(&[index], |g, _| g.element(element, 2));
        call("generate", ty, vec![numbers(&sizes), f])
    }

    /// The elements of a push array through one of three axes.
    pub(super) fn through_planes(&mut self, level: Level, element: &Type, len: u32) -> Expr {
        let width = self.divisor(len);
        let height = self.divisor(len / width);
        let sizes = [len / width / height, height, width];
        let list = self.push(level, element, len);
        let planes = method(
            "as_3d",
            Type::Push3(level, Box::new(element.clone()), sizes),
            [list].into_iter().chain(sizes.map(number)).collect(),
        );
        method(
            "flat",
            Type::Push(level, Box::new(element.clone()), Some(len)),
            vec![planes],
        )
    }

    /// An element made of one of a matrix.
    fn corner(&mut self, tile: &Expr, element: &Type, height: u32, width: u32) -> Expr {
        let of = element_of(tile);
        let (y, x) = (self.below(height), self.below(width));
        let one = method("at", of.clone(), vec![tile.clone(), numbers(&[y, x])]);
        if of == *element {
            return one;
        }
        let (Type::Scalar(from), Type::Scalar(to)) = (&of, element) else {
            return self.element(element, 2);
        };
        if *to == ScalarType::Bool || (*from == ScalarType::Bool && to.is_float()) {
            return self.element(element, 2);
        }
        Expr {
            ty: element.clone(),
            kind: super::Kind::Cast(Box::new(one)),
        }
    }

    /// A two-dimensional push array; height and width are at least 1.
    pub(super) fn push2(&mut self, level: Level, element: &Type, height: u32, width: u32) -> Expr {
        let ty = matrix_push(level, element, height, width);
        let own = match level {
            Level::Thread => ["as_thread", "as_thread_map", "exec_thread"],
            Level::Warp => ["as_warp", "as_warp_map", "exec_warp"],
            _ => ["as_block", "as_block_map", "exec_block"],
        };
        let rules = [
            "push",
            "map",
            "transpose",
            "crop",
            "set_size",
            "as_2d",
            "in_rows",
            "exec",
            own[0],
            own[1],
            own[2],
        ];
        let name = if self.fuel <= 0 {
            "push"
        } else {
            self.rule(&rules)
        };
        match name {
            "push" => at_level(
                method(name, ty, vec![self.pull2(element, height, width)]),
                level,
            ),
            "map" => {
                let from = self.element_type();
                let (a, f) = (
                    self.push2(level, &from, height, width),
                    self.closure(std::slice::from_ref(&from), |g, _| g.element(element, 2)),
                );
                method(name, ty, vec![a, f])
            }
            "transpose" => method(name, ty, vec![self.push2(level, element, width, height)]),
            "crop" => {
                let (more, wide) = (self.below(3), self.below(3));
                method(
                    name,
                    ty,
                    vec![
                        self.push2(level, element, height + more, width + wide),
                        number(height),
                        number(width),
                    ],
                )
            }
            "set_size" => method(
                name,
                ty,
                vec![
                    self.push2(level, element, height, width),
                    numbers(&[height, width]),
                ],
            ),
            "as_2d" => method(
                name,
                ty,
                vec![
                    self.push(level, element, height * width),
                    number(height),
                    number(width),
                ],
            ),
            "in_rows" => method(
                name,
                ty,
                vec![self.push(level, element, height * width), number(width)],
            ),
            name if name.starts_with("exec") => {
                let program = self.stored_matrix(level, element, height, width);
                at_level(call(name, ty, vec![program]), level)
            }
            name => self.gathered2(name, level, element, (height, width), ty),
        }
    }

    /// Works on tiles.
    fn gathered2(
        &mut self,
        name: &'static str,
        level: Level,
        element: &Type,
        (height, width): (u32, u32),
        ty: Type,
    ) -> Expr {
        let (h, w) = (self.divisor(height), self.divisor(width));
        let inner = match level {
            Level::Thread => Level::Thread,
            Level::Warp => self.pick(&[Level::Thread, Level::Warp]),
            _ => self.pick(&[Level::Thread, Level::Warp, Level::Block]),
        };
        let of = self.element_type();
        let tile = matrix(&of, h, w);
        let cut = method(
            "tiles",
            matrix(&tile, height / h, width / w),
            vec![self.pull2(&of, height, width), number(h), number(w)],
        );
        let f = self.closure(&[tile], |g, _| g.push2(inner, element, h, w));
        if name.ends_with("_map") {
            return method(name, ty, vec![cut, f]);
        }
        let works = method(
            "map",
            matrix(&matrix_push(inner, element, h, w), height / h, width / w),
            vec![cut, f],
        );
        method(name, ty, vec![works])
    }

    /// A program that gives a two-dimensional pull array of what it has stored.
    pub(super) fn stored_matrix(
        &mut self,
        level: Level,
        element: &Type,
        height: u32,
        width: u32,
    ) -> Expr {
        let result = matrix(element, height, width);
        let program = Type::program(level, &result);
        match self.rule(&["compute", "compute", "compute_pitch", "accumulate"]) {
            "compute_pitch" => {
                let pitch = number(width + self.below(3));
                let a = self.push2(level, element, height, width);
                at_level(call("compute_pitch", program, vec![pitch, a]), level)
            }
            "accumulate" => {
                let (rounds, f, init) = (
                    self.below(3) + 1,
                    self.combine(element, 1),
                    self.pull2(element, height, width),
                );
                let works = self.works(rounds);
                let round = self.closure(&[element_of(&works)], |g, _| {
                    let a = g.pull2(element, height, width);
                    at_level(
                        call("compute", Type::program(level, &result), vec![a]),
                        level,
                    )
                });
                let programs = method("map", Type::pull(&program, rounds), vec![works, round]);
                call("accumulate", program, vec![f, init, programs])
            }
            _ => {
                let a = if self.chance(0.5) {
                    self.pull2(element, height, width)
                } else {
                    self.push2(level, element, height, width)
                };
                at_level(call("compute", program, vec![a]), level)
            }
        }
    }
}
