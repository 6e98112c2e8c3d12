//! The operators that move elements and compute none. Axes count from 0 here, elements and axes of a program from 1.

use tail::value::{Array, Elements};

/// The default of a type of elements.
trait Element: Copy {
    const DEFAULT: Self;
}

impl Element for i32 {
    const DEFAULT: Self = 0;
}

impl Element for f64 {
    const DEFAULT: Self = 0.0;
}

impl Element for bool {
    const DEFAULT: Self = false;
}

impl Element for char {
    const DEFAULT: Self = ' ';
}

impl Element for (f64, f64) {
    const DEFAULT: Self = (0.0, 0.0);
}

/// The same expression of a vector of each type.
macro_rules! typed {
    ($elements:expr, $v:ident => $body:expr) => {
        match $elements {
            Elements::Int($v) => Elements::Int($body),
            Elements::Double($v) => Elements::Double($body),
            Elements::Bool($v) => Elements::Bool($body),
            Elements::Char($v) => Elements::Char($body),
            Elements::Complex($v) => Elements::Complex($body),
        }
    };
}

/// Another length of an axis: position `j` of the result has what is at `from(j)` of the array, or defaults.
fn along(a: &Array, axis: usize, length: usize, from: impl Fn(usize) -> Option<usize>) -> Array {
    let mut shape = a.shape.clone();
    let before = std::mem::replace(&mut shape[axis], length);
    let outer = a.shape[..axis].iter().product();
    let inner = a.shape[axis + 1..].iter().product();
    let elements = typed!(&a.elements, v => pieces(v, [outer, before, inner], length, &from));
    Array { shape, elements }
}

fn pieces<T: Element>(
    elements: &[T],
    [outer, before, inner]: [usize; 3],
    length: usize,
    from: &impl Fn(usize) -> Option<usize>,
) -> Vec<T> {
    let mut result = Vec::with_capacity(outer * length * inner);
    for o in 0..outer {
        for j in 0..length {
            match from(j) {
                Some(at) => {
                    let start = (o * before + at) * inner;
                    result.extend_from_slice(&elements[start..start + inner]);
                }
                None => result.resize(result.len() + inner, T::DEFAULT),
            }
        }
    }
    result
}

/// `take`: the first `|n|` along the first axis, or the last ones if `n` is negative. Defaults stand in for those that are missing.
pub fn take(n: i32, a: &Array) -> Array {
    let a = axis_at_least(a);
    let (length, count) = (a.shape[0], n.unsigned_abs() as usize);
    along(&a, 0, count, |j| match n < 0 {
        true => (j + length).checked_sub(count),
        false => (j < length).then_some(j),
    })
}

/// `drop`: without the first `|n|` along the first axis, or without the last ones if `n` is negative. A scalar stays.
pub fn drop(n: i32, a: &Array) -> Array {
    if a.shape.is_empty() {
        return a.clone();
    }
    let count = n.unsigned_abs() as usize;
    let start = if n < 0 { 0 } else { count };
    along(a, 0, a.shape[0].saturating_sub(count), |j| Some(j + start))
}

/// A scalar as a vector; other arrays as they are.
fn axis_at_least(a: &Array) -> Array {
    let mut a = a.clone();
    if a.shape.is_empty() {
        a.shape.push(1);
    }
    a
}

/// `rotate` and `vrotate` along an axis: `result[j] = a[j + n]`, cyclic.
pub fn rotate(n: i32, axis: usize, a: &Array) -> Array {
    let Some(length) = a.shape.get(axis).copied().filter(|length| *length > 0) else {
        return a.clone();
    };
    let shift = (i64::from(n)).rem_euclid(length as i64) as usize;
    along(a, axis, length, |j| Some((j + shift) % length))
}

/// `vreverse`.
pub fn reverse(a: &Array) -> Array {
    match a.shape.first() {
        Some(length) => along(a, 0, *length, |j| Some(length - 1 - j)),
        None => a.clone(),
    }
}

/// `idxS`: one item along an axis, which disappears.
pub fn index(axis: usize, at: usize, a: &Array) -> Array {
    let mut item = along(a, axis, 1, |_| Some(at));
    item.shape.remove(axis);
    item
}

/// `reshape`: the elements row by row, from the beginning again when they end; defaults if there are none.
pub fn reshape(shape: Vec<usize>, a: &Array) -> Array {
    let size = shape.iter().product();
    let elements = typed!(&a.elements, v => repeated(v, size));
    Array { shape, elements }
}

fn repeated<T: Element>(elements: &[T], size: usize) -> Vec<T> {
    match elements.is_empty() {
        true => vec![T::DEFAULT; size],
        false => elements.iter().copied().cycle().take(size).collect(),
    }
}

/// `transp2`: axis `i` of the array becomes axis `to[i]` of the result. `to` is a permutation.
pub fn transpose(to: &[usize], a: &Array) -> Array {
    let mut shape = a.shape.clone();
    let mut steps = vec![0; a.rank()];
    let mut step = 1;
    for (i, axis) in to.iter().enumerate().rev() {
        (shape[*axis], steps[*axis]) = (a.shape[i], step);
        step *= a.shape[i];
    }
    let elements = typed!(&a.elements, v => strided(v, &shape, &steps));
    Array { shape, elements }
}

/// The elements in the row-major order of a shape; `steps` says how far apart neighbours along each axis are in the vector.
fn strided<T: Element>(elements: &[T], shape: &[usize], steps: &[usize]) -> Vec<T> {
    let mut index = vec![0; shape.len()];
    let mut at = 0;
    let mut result = Vec::with_capacity(elements.len());
    while result.len() < elements.len() {
        result.push(elements[at]);
        for axis in (0..shape.len()).rev() {
            index[axis] += 1;
            at += steps[axis];
            if index[axis] < shape[axis] {
                break;
            }
            at -= steps[axis] * shape[axis];
            index[axis] = 0;
        }
    }
    result
}

/// `cat`: joined along the last axis.
///
/// # Errors
/// If the other axes differ, or the types of the elements. An empty array fits to all types.
pub fn join(a: &Array, b: &Array) -> Result<Array, String> {
    let (a, b) = match a.rank() + b.rank() {
        0 => (axis_at_least(a), axis_at_least(b)),
        _ => (a.clone(), b.clone()),
    };
    let differ = || format!("cat: the shapes {:?} and {:?} do not fit", a.shape, b.shape);
    let (Some((m, rows)), Some((n, others))) = (a.shape.split_last(), b.shape.split_last()) else {
        return Err(differ());
    };
    if rows != others {
        return Err(differ());
    }
    let mut shape = a.shape.clone();
    shape[rows.len()] = m + n;
    let outer = rows.iter().product();
    let elements = match (&a.elements, &b.elements) {
        (Elements::Int(x), Elements::Int(y)) => Elements::Int(joined(x, y, outer, [*m, *n])),
        (Elements::Double(x), Elements::Double(y)) => {
            Elements::Double(joined(x, y, outer, [*m, *n]))
        }
        (Elements::Bool(x), Elements::Bool(y)) => Elements::Bool(joined(x, y, outer, [*m, *n])),
        (Elements::Char(x), Elements::Char(y)) => Elements::Char(joined(x, y, outer, [*m, *n])),
        (Elements::Complex(x), Elements::Complex(y)) => {
            Elements::Complex(joined(x, y, outer, [*m, *n]))
        }
        (x, y) if x.is_empty() => y.clone(),
        (x, y) if y.is_empty() => x.clone(),
        (x, y) => {
            return Err(format!(
                "cat: elements of type {} and {}",
                x.base(),
                y.base()
            ));
        }
    };
    Ok(Array { shape, elements })
}

fn joined<T: Element>(a: &[T], b: &[T], outer: usize, [m, n]: [usize; 2]) -> Vec<T> {
    let mut result = Vec::with_capacity(a.len() + b.len());
    for o in 0..outer {
        result.extend_from_slice(&a[o * m..(o + 1) * m]);
        result.extend_from_slice(&b[o * n..(o + 1) * n]);
    }
    result
}

/// An axis of length 1 behind the others.
pub fn extended(a: &Array) -> Array {
    let mut a = a.clone();
    a.shape.push(1);
    a
}

/// Element `i` of a vector as often as its count says; a negative count gives that many of the last element instead.
pub fn replicate(counts: &[i32], v: &Array) -> Array {
    Array::vector(typed!(&v.elements, v => replicated(v, counts)))
}

fn replicated<T: Element>(elements: &[T], counts: &[i32]) -> Vec<T> {
    let mut result = Vec::new();
    for (element, count) in elements.iter().zip(counts) {
        let last = elements.last().copied().unwrap_or(T::DEFAULT);
        let element = if *count < 0 { last } else { *element };
        result.resize(result.len() + count.unsigned_abs() as usize, element);
    }
    result
}
