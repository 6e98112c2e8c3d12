//! The operations of expressions, each for all threads that are active before the next one.
//!
//! What an operator means is [`meaning`]'s to say. The common operators on `u32`, `i32` and `f32`
//! are written out once more here, because they are nearly all of what a run does; a test holds
//! them to `meaning`.

use super::Fault;
use super::exact::Marks;
use super::execute::Machine;
use super::expression::{Group, Operation};
use super::lanes::{Active, Lanes};
use super::program::Source;
use crate::scalar::{BinaryOp, Literal, ScalarType, meaning};

/// What is to be done after an arm.
struct Frame {
    /// Those that go on afterwards.
    all: Active,
    /// Those that take the other arm.
    others: Active,
}

/// The cells of a run: known values, then the columns.
#[derive(Default)]
pub(super) struct Cells {
    pub(super) cells: Vec<u64>,
    pub(super) known: usize,
    pub(super) threads: usize,
    pub(super) marks: Marks,
}

impl Cells {
    /// The value of one thread.
    pub(super) fn get(&self, source: Source, thread: u32) -> u64 {
        let (first, step) = source.place(self.known, self.threads);
        self.cells[first + step * thread as usize]
    }

    /// Where the value of one thread in a column is.
    pub(super) fn cell(&self, column: u32, thread: u32) -> usize {
        self.known + column as usize * self.threads + thread as usize
    }

    /// Sets the value of one thread, which comes of no arithmetic.
    pub(super) fn set(&mut self, column: u32, thread: u32, bits: u64) {
        let cell = self.cell(column, thread);
        self.cells[cell] = bits;
        self.marks.set(cell, 0);
    }

    fn map<const N: usize>(
        &mut self,
        lanes: &Lanes,
        from: [Source; N],
        to: u32,
        f: impl Fn([u64; N]) -> u64,
    ) {
        let places = from.map(|source| source.place(self.known, self.threads));
        let first = self.known + to as usize * self.threads;
        for thread in &lanes.threads {
            let thread = *thread as usize;
            self.cells[first + thread] =
                f(places.map(|(start, step)| self.cells[start + step * thread]));
        }
        if self.marks.is_empty() {
            return;
        }
        for thread in &lanes.threads {
            let thread = *thread as usize;
            let marks = places.map(|(start, step)| self.marks.get(start + step * thread));
            let mark = marks.into_iter().find(|mark| *mark != 0);
            self.marks.set(first + thread, mark.unwrap_or(0));
        }
    }

    pub(super) fn copy(&mut self, lanes: &Lanes, from: Source, to: u32) {
        self.map(lanes, [from], to, |[x]| x);
    }
}

impl Machine<'_> {
    /// Evaluates the expressions of a statement.
    pub(super) fn evaluate(&mut self, group: &Group, lanes: &Active) -> Result<(), Fault> {
        if group.code.is_empty() {
            return Ok(());
        }
        let (mut active, mut frames, mut at) = (Active::clone(lanes), Vec::<Frame>::new(), 0);
        loop {
            let operation = group.code[at];
            at += 1;
            match operation {
                Operation::Select { condition, skip } => {
                    self.tally.issue_integer(&active);
                    self.used(condition, &active, group.origin, || {
                        "a condition".to_owned()
                    })?;
                    let (yes, no) = active.split(|thread| self.cells.get(condition, thread) != 0);
                    at += if yes.is_empty() { skip as usize } else { 0 };
                    frames.push(Frame {
                        all: std::mem::replace(&mut active, yes),
                        others: no,
                    });
                }
                Operation::Otherwise { value, to, skip } => {
                    self.cells.copy(&active, value, to);
                    active = frames
                        .last_mut()
                        .map(|frame| std::mem::take(&mut frame.others))
                        .unwrap_or_default();
                    at += if active.is_empty() { skip as usize } else { 0 };
                }
                Operation::Join { value, to } => {
                    self.cells.copy(&active, value, to);
                    active = frames.pop().map(|frame| frame.all).unwrap_or_default();
                }
                Operation::Return => return Ok(()),
                Operation::Load { site, index, to } => self.load(site, index, to, &active)?,
                other => self.compute(other, &active),
            }
        }
    }

    /// An operation that needs nothing but values.
    fn compute(&mut self, operation: Operation, lanes: &Lanes) {
        match operation {
            Operation::Unary { op, ty, value, to } => {
                self.tally.issue_unary(op, ty, lanes);
                self.cells.map(lanes, [value], to, |[x]| {
                    meaning::unary(op, Literal::from_bits(ty, x)).bits()
                });
            }
            Operation::Binary {
                op,
                exact,
                types,
                left,
                right,
                to,
            } => {
                self.tally.issue_binary(op, types[0], lanes);
                if matches!(op, BinaryOp::Div | BinaryOp::Rem) && !types[1].is_float() {
                    let zeros = lanes
                        .threads
                        .iter()
                        .filter(|thread| self.cells.get(right, **thread) == 0)
                        .count();
                    self.tally.counts.zero_divisions += zeros as u64;
                }
                let cells = &mut self.cells;
                let leaving = match exact {
                    true => cells.leaving(op, types, [left, right], lanes),
                    false => Vec::new(),
                };
                binary(cells, lanes, op, types, [left, right], to);
                cells.mark(op, types, &leaving, to);
                if !cells.marks.is_empty() && types[0] == ScalarType::Bool {
                    cells.decide(op, lanes, [left, right], to);
                }
            }
            Operation::MulAdd { ty, operands, to } => {
                self.tally.issue_binary(BinaryOp::Mul, ty, lanes);
                let literal = |bits| Literal::from_bits(ty, bits);
                self.cells.map(lanes, operands, to, |[x, y, z]| {
                    meaning::mul_add(literal(x), literal(y), literal(z)).bits()
                });
            }
            Operation::Cast {
                from,
                ty,
                value,
                to,
            } => {
                self.tally.issue_conversion(lanes);
                self.cells.map(lanes, [value], to, |[x]| {
                    meaning::cast(ty, Literal::from_bits(from, x)).bits()
                });
            }
            _ => {}
        }
    }
}

/// An operator of two operands on columns.
fn binary(
    cells: &mut Cells,
    lanes: &Lanes,
    op: BinaryOp,
    types: [ScalarType; 2],
    from: [Source; 2],
    to: u32,
) {
    macro_rules! fast {
        ($read:expr, $write:expr, $($op:ident $x:ident $y:ident => $value:expr),+; $($test:ident $symbol:tt),+) => {
            match op {
                $(BinaryOp::$op => return cells.map(lanes, from, to, |[x, y]| {
                    let ($x, $y) = ($read(x), $read(y));
                    $write($value)
                }),)+
                $(BinaryOp::$test => return cells.map(lanes, from, to, |[x, y]| u64::from($read(x) $symbol $read(y))),)+
                _ => {}
            }
        };
    }
    match types {
        [ScalarType::U32, ScalarType::U32] => fast!(|x: u64| x as u32, u64::from,
            Add x y => x.wrapping_add(y), Sub x y => x.wrapping_sub(y), Mul x y => x.wrapping_mul(y),
            Div x y => x.checked_div(y).unwrap_or(0), Rem x y => x.checked_rem(y).unwrap_or(x),
            And x y => x & y, Or x y => x | y, Xor x y => x ^ y, Min x y => x.min(y), Max x y => x.max(y);
            Eq ==, Ne !=, Lt <, Le <=, Gt >, Ge >=),
        [ScalarType::I32, ScalarType::I32] => {
            fast!(|x: u64| x as u32 as i32, |x: i32| u64::from(x as u32),
            Add x y => x.wrapping_add(y), Sub x y => x.wrapping_sub(y), Mul x y => x.wrapping_mul(y),
            Min x y => x.min(y), Max x y => x.max(y);
            Eq ==, Ne !=, Lt <, Le <=, Gt >, Ge >=)
        }
        [ScalarType::F32, ScalarType::F32] => {
            fast!(|x: u64| f32::from_bits(x as u32), |x: f32| u64::from(x.to_bits()),
            Add x y => x + y, Sub x y => x - y, Mul x y => x * y, Div x y => x / y;
            Eq ==, Ne !=, Lt <, Le <=, Gt >, Ge >=)
        }
        _ => {}
    }
    let [left, right] = types;
    cells.map(lanes, from, to, |[x, y]| {
        meaning::binary(
            op,
            Literal::from_bits(left, x),
            Literal::from_bits(right, y),
        )
        .bits()
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_operators_that_are_written_out_mean_what_meaning_says() {
        use BinaryOp::*;
        let values = [
            0u32,
            1,
            2,
            3,
            31,
            32,
            33,
            0x7f80_0000,
            0x3f80_0000,
            0x7fff_ffff,
            0x8000_0000,
            0xbf80_0001,
            u32::MAX,
            u32::MAX - 1,
        ];
        let lanes = Lanes::new((0..14).collect());
        for ty in [ScalarType::U32, ScalarType::I32, ScalarType::F32] {
            for op in [
                Add, Sub, Mul, Div, Rem, And, Or, Xor, Min, Max, Eq, Ne, Lt, Le, Gt, Ge,
            ] {
                if ty.is_float() && matches!(op, And | Or | Xor) {
                    continue;
                }
                for right in values {
                    let mut cells = Cells {
                        cells: vec![0; 1 + 28],
                        known: 1,
                        threads: 14,
                        marks: Marks::default(),
                    };
                    cells.cells[0] = right.into();
                    values
                        .iter()
                        .enumerate()
                        .for_each(|(n, x)| cells.set(0, n as u32, (*x).into()));
                    binary(
                        &mut cells,
                        &lanes,
                        op,
                        [ty, ty],
                        [Source::column(0), Source::known(0)],
                        1,
                    );
                    for (n, left) in values.iter().enumerate() {
                        let literal = |x: u32| Literal::from_bits(ty, x.into());
                        let expected = meaning::binary(op, literal(*left), literal(right));
                        let found = Literal::from_bits(
                            expected.ty(),
                            cells.get(Source::column(1), n as u32),
                        );
                        let both_nan = found.ty() == ScalarType::F32
                            && found.f32().is_nan()
                            && expected.f32().is_nan();
                        assert!(
                            both_nan || found == expected,
                            "{left} {op:?} {right} as {ty:?}: {found:?}, not {expected:?}"
                        );
                    }
                }
            }
        }
    }
}
