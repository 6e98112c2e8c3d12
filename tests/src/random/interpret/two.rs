//! What functions of two-dimensional arrays mean.

use std::rc::Rc;

use super::{Machine, Value, array, index};

/// A matrix of so many columns.
fn matrix(width: usize, list: Vec<Value>) -> Value {
    Value::Matrix(width, Rc::new(list))
}

/// A matrix by its elements.
fn built(height: usize, width: usize, mut at: impl FnMut(usize, usize) -> Value) -> Value {
    let cells: Vec<(usize, usize)> = (0..height)
        .flat_map(|y| (0..width).map(move |x| (y, x)))
        .collect();
    matrix(width, cells.into_iter().map(|(y, x)| at(y, x)).collect())
}

/// Height, width, and elements.
fn size(value: &Value) -> Option<(usize, usize, &[Value])> {
    let Value::Matrix(width, list) = value else {
        return None;
    };
    Some((list.len().checked_div(*width).unwrap_or(0), *width, list))
}

/// An element, if it is inside.
fn cell(value: &Value, y: usize, x: usize) -> Value {
    match size(value) {
        Some((height, width, list)) if y < height && x < width => list[y * width + x].clone(),
        _ => Value::Undefined,
    }
}

/// A matrix of matrices of one size, put together.
fn joined(outer: &Value) -> Option<Value> {
    let (rows, columns, tiles) = size(outer)?;
    let Some(first) = tiles.first() else {
        return Some(matrix(1, Vec::new()));
    };
    let (height, width, _) = size(first)?;
    Some(built(rows * height, columns * width, |y, x| {
        tiles[(y / height) * columns + x / width].list()[(y % height) * width + x % width].clone()
    }))
}

impl Machine {
    /// A function of matrices, or one that makes them, if it is one.
    pub(super) fn matrices(&mut self, name: &str, arguments: &[Value]) -> Option<Value> {
        match (name, arguments) {
            ("in_rows", [a, width]) => return Some(matrix(width.number(), a.list().to_vec())),
            ("as_2d", [a, _, width]) => return Some(matrix(width.number(), a.list().to_vec())),
            // An array of three axes is a list of its planes.
            ("as_3d", [a, depth, height, width]) => {
                let (depth, size) = (depth.number(), height.number() * width.number());
                let plane = |z| matrix(width.number(), a.list()[z * size..][..size].to_vec());
                return Some(array((0..depth).map(plane).collect()));
            }
            ("generate", [Value::Tuple(shape), f]) if shape.len() == 3 => {
                let sizes = (shape[0].number(), shape[1].number(), shape[2].number());
                let mut plane = |z| {
                    built(sizes.1, sizes.2, |y, x| {
                        self.element(f, &[Value::Tuple(vec![index(z), index(y), index(x)])])
                    })
                };
                return Some(array((0..sizes.0).map(&mut plane).collect()));
            }
            ("plane", [a, z]) => return Some(a.list()[z.number()].clone()),
            ("planes", [a]) => return Some(a.clone()),
            ("flat", [Value::Array(planes)]) => {
                return Some(array(
                    planes
                        .iter()
                        .flat_map(|plane| plane.list().to_vec())
                        .collect(),
                ));
            }
            ("generate", [Value::Tuple(shape), f]) => {
                return Some(built(shape[0].number(), shape[1].number(), |y, x| {
                    self.element(f, &[Value::Tuple(vec![index(y), index(x)])])
                }));
            }
            ("zip_with" | "zip_with_shortest", [f, a, b]) => {
                let ((height, width, _), (rows, columns, _)) = (size(a)?, size(b)?);
                return Some(built(height.min(rows), width.min(columns), |i, j| {
                    self.element(f, &[cell(a, i, j), cell(b, i, j)])
                }));
            }
            ("outer", [f, a, b]) => {
                let (rows, columns) = (a.list(), b.list());
                return Some(built(rows.len(), columns.len(), |y, x| {
                    self.element(f, &[rows[y].clone(), columns[x].clone()])
                }));
            }
            ("compute_pitch", [_, a]) => return Some(a.clone()),
            ("accumulate", [f, init, rounds]) => {
                let (_, width, list) = size(init)?;
                let mut sums = list.to_vec();
                for round in rounds.list() {
                    sums = sums
                        .into_iter()
                        .zip(round.list())
                        .map(|(x, y)| self.call(f, &[x, y.clone()]))
                        .collect();
                }
                return Some(matrix(width, sums));
            }
            _ => {}
        }
        let (height, width, list) = size(arguments.first()?)?;
        let number = |n: usize| arguments[n].number();
        let pair = |n: usize| match &arguments[n] {
            Value::Tuple(list) => (list[0].number(), list[1].number()),
            other => panic!("{other:?} is no pair"),
        };
        let row = |y: usize| array(list[y * width..(y + 1) * width].to_vec());
        let column = |x: usize| array((0..height).map(|y| list[y * width + x].clone()).collect());
        Some(match (name, arguments.len()) {
            (
                "pure" | "compute" | "exec" | "exec_thread" | "exec_warp" | "exec_block" | "push",
                1,
            ) => arguments[0].clone(),
            ("set_size", 2) if pair(1) != (height, width) => {
                std::panic::panic_any(super::WronglyVouched)
            }
            ("set_size", 2) => arguments[0].clone(),
            ("height", 1) => index(height),
            ("width", 1) => index(width),
            ("flat", 1) => array(list.to_vec()),
            ("transpose", 1) => built(width, height, |y, x| list[x * width + y].clone()),
            ("row", 2) => row(number(1)),
            ("column", 2) => column(number(1)),
            ("rows", 1) => array((0..height).map(row).collect()),
            ("columns", 1) => array((0..width).map(column).collect()),
            ("at", 2) => cell(&arguments[0], pair(1).0, pair(1).1),
            ("map", 2) => matrix(
                width,
                list.iter()
                    .map(|x| self.element(&arguments[1], std::slice::from_ref(x)))
                    .collect(),
            ),
            ("tiles", 3) => {
                let (h, w) = (number(1), number(2));
                built(height / h, width / w, |i, j| {
                    built(h, w, |y, x| list[(i * h + y) * width + j * w + x].clone())
                })
            }
            ("cover", 3) => {
                let (h, w) = (number(1), number(2));
                let at =
                    |y: usize, x: usize| list[y.min(height - 1) * width + x.min(width - 1)].clone();
                built(height.div_ceil(h), width.div_ceil(w), |i, j| {
                    built(h, w, |y, x| at(i * h + y, j * w + x))
                })
            }
            ("untile", 3) => {
                let (h, w) = (number(1), number(2));
                built(height * h, width * w, |y, x| {
                    cell(&list[(y / h) * width + x / w], y % h, x % w)
                })
            }
            ("as_thread" | "as_warp" | "as_block" | "as_grid", 1) => joined(&arguments[0])?,
            ("as_thread_map" | "as_warp_map" | "as_block_map" | "as_grid_map", 2) => {
                let works = matrix(
                    width,
                    list.iter()
                        .map(|x| self.call(&arguments[1], std::slice::from_ref(x)))
                        .collect(),
                );
                joined(&works)?
            }
            ("crop", 3) => built(number(1), number(2), |y, x| cell(&arguments[0], y, x)),
            _ => return None,
        })
    }
}
