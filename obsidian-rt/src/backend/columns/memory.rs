//! Loads, stores and atomic operations of all lanes.
//!
//! Every index is compared with the length of its array: a wrong one ends the launch with an error.
//! A load of neighbouring elements is one copy; it may take along elements for lanes that do not take
//! part, as long as they are inside of the array.

use obsidian_language::ir::AtomicOp;
use obsidian_language::scalar::{Scalar, ScalarType};

use super::code::{Access, Change, Index, Load, Outside, Reg, Space, Store, Update};
use super::files::{Files, Globals, Lane, Operand, with_column};
use super::masks::Mask;
use crate::element::{Element, by_type};

/// The loads of a type.
pub(super) fn load(ty: ScalarType) -> Load {
    by_type!(ty, T => read::<T>)
}

/// The stores of a type.
pub(super) fn store(ty: ScalarType) -> Store {
    by_type!(ty, T => write::<T>)
}

/// The atomic operations of a type.
pub(super) fn update(ty: ScalarType) -> Update {
    by_type!(ty, T => change::<T>)
}

/// The indices of the lanes.
enum Indices<'a> {
    One(u32),
    Ramp { base: u32, stride: u32 },
    Many(&'a [u32]),
}

impl<'a> Indices<'a> {
    fn of(index: Index, files: &'a Files) -> Self {
        let file = u32::file(files);
        match index {
            Index::One(reg) => Indices::One(file.scalars[reg.index()]),
            Index::Ramp { base, stride } => Indices::Ramp {
                base: file.scalars[base.index()],
                stride: file.scalars[stride.index()],
            },
            Index::Many(reg) => Indices::Many(&file.columns[reg.index()]),
        }
    }

    #[inline(always)]
    fn of_lane(&self, lane: usize) -> u32 {
        match self {
            Indices::One(index) => *index,
            Indices::Ramp { base, stride } => {
                base.wrapping_add((lane as u32).wrapping_mul(*stride))
            }
            Indices::Many(indices) => indices[lane],
        }
    }

    /// The first element, if the lanes of the mask have neighbours that are all inside.
    fn run(&self, mask: &Mask, length: usize) -> Option<usize> {
        let Indices::Ramp { base, stride: 1 } = self else {
            return None;
        };
        let first = base.wrapping_add(mask.range.start as u32) as usize;
        (first + mask.range.len() <= length).then_some(first)
    }
}

fn outside(index: u32, length: usize, access: &Access) -> Outside {
    Outside {
        index,
        length,
        site: access.site,
    }
}

/// Elements that can be read.
trait Elements<T> {
    fn count(&self) -> usize;
    fn get(&self, index: usize) -> Option<T>;
    fn copy(&self, first: usize, to: &mut [T]);
}

impl<T: Copy> Elements<T> for &[T] {
    fn count(&self) -> usize {
        self.len()
    }
    #[inline(always)]
    fn get(&self, index: usize) -> Option<T> {
        <[T]>::get(self, index).copied()
    }
    fn copy(&self, first: usize, to: &mut [T]) {
        to.copy_from_slice(&self[first..first + to.len()]);
    }
}

/// Relaxed atomics.
struct Shared<'a, T: Element>(&'a [T::Cell]);

impl<T: Element> Elements<T> for Shared<'_, T> {
    fn count(&self) -> usize {
        self.0.len()
    }
    #[inline(always)]
    fn get(&self, index: usize) -> Option<T> {
        self.0.get(index).map(T::load)
    }
    fn copy(&self, first: usize, to: &mut [T]) {
        let cells = &self.0[first..first + to.len()];
        to.iter_mut()
            .zip(cells)
            .for_each(|(to, cell)| *to = T::load(cell));
    }
}

/// An element for each lane that takes part.
fn gather<T: Lane>(
    elements: &impl Elements<T>,
    indices: &Indices<'_>,
    access: &Access,
    mask: &Mask,
    to: &mut [T],
) -> Result<(), Outside> {
    let length = elements.count();
    let element = |index: u32| {
        let found = elements.get(index as usize);
        found.ok_or_else(|| outside(index, length, access))
    };
    if let Some(first) = indices.run(mask, length) {
        elements.copy(first, &mut to[mask.range.clone()]);
        return Ok(());
    }
    match indices {
        Indices::One(index) if !mask.is_empty() => to[mask.range.clone()].fill(element(*index)?),
        Indices::Many(indices) if mask.full => {
            let range = mask.range.clone();
            for (to, index) in to[range.clone()].iter_mut().zip(&indices[range]) {
                *to = element(*index)?;
            }
        }
        _ => mask.try_each(|lane| {
            to[lane] = element(indices.of_lane(lane))?;
            Ok(())
        })?,
    }
    Ok(())
}

/// An element of an array that each lane has for itself.
fn gather_held<T: Lane>(
    cells: &[T],
    indices: &Indices<'_>,
    access: &Access,
    mask: &Mask,
    to: &mut [T],
) -> Result<(), Outside> {
    let strip = to.len();
    let length = cells.len() / strip.max(1);
    if let Indices::One(index) = indices {
        if *index as usize >= length && !mask.is_empty() {
            return Err(outside(*index, length, access));
        }
        let range = mask.range.clone();
        let first = *index as usize * strip;
        to[range.clone()].copy_from_slice(&cells[first + range.start..first + range.end]);
        return Ok(());
    }
    mask.try_each(|lane| {
        let index = indices.of_lane(lane);
        if index as usize >= length {
            return Err(outside(index, length, access));
        }
        to[lane] = cells[index as usize * strip + lane];
        Ok(())
    })
}

fn read<T: Lane>(
    files: &mut Files,
    globals: &Globals<'_>,
    access: &Access,
    to: Reg,
    mask: &Mask,
) -> Result<(), Outside> {
    if to.is_scalar() {
        let value = read_one::<T>(files, globals, access)?;
        T::file_mut(files).scalars[to.index()] = value;
        return Ok(());
    }
    with_column::<T, _>(files, to, |files, to| {
        let indices = Indices::of(access.index, files);
        match access.space {
            Space::Input(slot) => {
                let elements = &T::global(globals).inputs[slot as usize];
                gather(elements, &indices, access, mask, to)
            }
            Space::Cells(slot) => {
                let elements = Shared::<T>(T::global(globals).cells[slot as usize]);
                gather(&elements, &indices, access, mask, to)
            }
            Space::Shared(slot) => {
                let elements = &&T::file(files).arrays[slot as usize][..];
                gather(elements, &indices, access, mask, to)
            }
            Space::Held(slot) => {
                let cells = &T::file(files).arrays[slot as usize];
                gather_held(cells, &indices, access, mask, to)
            }
        }
    })
}

/// The element that all lanes read.
fn read_one<T: Lane>(files: &Files, globals: &Globals<'_>, access: &Access) -> Result<T, Outside> {
    let index = Indices::of(access.index, files).of_lane(0);
    let at = index as usize;
    let (found, length) = match access.space {
        Space::Input(slot) => {
            let elements = T::global(globals).inputs[slot as usize];
            (elements.get(at).copied(), elements.len())
        }
        Space::Cells(slot) => {
            let cells = T::global(globals).cells[slot as usize];
            (cells.get(at).map(T::load), cells.len())
        }
        Space::Shared(slot) | Space::Held(slot) => {
            let elements = &T::file(files).arrays[slot as usize];
            (elements.get(at).copied(), elements.len())
        }
    };
    found.ok_or_else(|| outside(index, length, access))
}

/// Calls `f` with the index and the value of each lane that takes part, in order.
#[inline(always)]
fn scatter<T: Lane>(
    indices: &Indices<'_>,
    values: Operand<'_, T>,
    mask: &Mask,
    mut f: impl FnMut(u32, T) -> Result<(), Outside>,
) -> Result<(), Outside> {
    match values {
        Operand::One(value) => mask.try_each(|lane| f(indices.of_lane(lane), value)),
        Operand::Many(values) => mask.try_each(|lane| f(indices.of_lane(lane), values[lane])),
    }
}

/// The values of all lanes of a strip.
fn values<T: Lane>(files: &Files, value: Reg) -> Operand<'_, T> {
    let file = T::file(files);
    if value.is_scalar() {
        Operand::One(file.scalars[value.index()])
    } else {
        Operand::Many(&file.columns[value.index()])
    }
}

fn write<T: Lane>(
    files: &mut Files,
    globals: &Globals<'_>,
    access: &Access,
    value: Reg,
    mask: &Mask,
) -> Result<(), Outside> {
    match access.space {
        Space::Input(_) => Ok(()),
        Space::Cells(slot) => {
            let cells = T::global(globals).cells[slot as usize];
            let indices = Indices::of(access.index, files);
            write_cells::<T>(cells, &indices, values(files, value), access, mask)
        }
        Space::Shared(slot) | Space::Held(slot) => {
            // Moved out meanwhile, as the values lie in the same file.
            let mut array = std::mem::take(&mut T::file_mut(files).arrays[slot as usize]);
            let indices = Indices::of(access.index, files);
            let values = values(files, value);
            let result = if matches!(access.space, Space::Held(_)) {
                write_held(&mut array, &indices, values, access, mask)
            } else {
                write_array(&mut array, &indices, values, access, mask)
            };
            T::file_mut(files).arrays[slot as usize] = array;
            result
        }
    }
}

fn write_cells<T: Lane>(
    cells: &[T::Cell],
    indices: &Indices<'_>,
    values: Operand<'_, T>,
    access: &Access,
    mask: &Mask,
) -> Result<(), Outside> {
    let range = mask.range.clone();
    if let (Some(first), Operand::Many(values), true) =
        (indices.run(mask, cells.len()), &values, mask.full)
    {
        let cells = &cells[first..first + range.len()];
        cells
            .iter()
            .zip(&values[range])
            .for_each(|(cell, value)| value.store(cell));
        return Ok(());
    }
    scatter(indices, values, mask, |index, value| {
        let cell = cells.get(index as usize);
        value.store(cell.ok_or_else(|| outside(index, cells.len(), access))?);
        Ok(())
    })
}

fn write_array<T: Lane>(
    array: &mut [T],
    indices: &Indices<'_>,
    values: Operand<'_, T>,
    access: &Access,
    mask: &Mask,
) -> Result<(), Outside> {
    let (length, range) = (array.len(), mask.range.clone());
    if let (Some(first), Operand::Many(values), true) =
        (indices.run(mask, length), &values, mask.full)
    {
        array[first..first + range.len()].copy_from_slice(&values[range]);
        return Ok(());
    }
    scatter(indices, values, mask, |index, value| {
        let element = array.get_mut(index as usize);
        *element.ok_or_else(|| outside(index, length, access))? = value;
        Ok(())
    })
}

fn write_held<T: Lane>(
    cells: &mut [T],
    indices: &Indices<'_>,
    values: Operand<'_, T>,
    access: &Access,
    mask: &Mask,
) -> Result<(), Outside> {
    let strip = mask.lanes.len();
    let (length, range) = (cells.len() / strip.max(1), mask.range.clone());
    if let (Indices::One(index), true, Operand::Many(values)) = (indices, mask.full, &values)
        && (*index as usize) < length
    {
        let first = *index as usize * strip;
        cells[first + range.start..first + range.end].copy_from_slice(&values[range]);
        return Ok(());
    }
    mask.try_each(|lane| {
        let index = indices.of_lane(lane);
        if index as usize >= length {
            return Err(outside(index, length, access));
        }
        cells[index as usize * strip + lane] = match &values {
            Operand::One(value) => *value,
            Operand::Many(values) => values[lane],
        };
        Ok(())
    })
}

/// One lane after the other, in order of their numbers.
fn change<T: Lane>(
    files: &mut Files,
    globals: &Globals<'_>,
    access: &Access,
    change: &Change,
    mask: &Mask,
) -> Result<(), Outside> {
    match change.result {
        Some(result) => with_column::<T, _>(files, result, |files, to| {
            changed::<T>(files, globals, access, change, mask, |lane, old| {
                to[lane] = old
            })
        }),
        None => changed::<T>(files, globals, access, change, mask, |_, _| {}),
    }
}

/// The same; `keep` is given the old values.
fn changed<T: Lane>(
    files: &mut Files,
    globals: &Globals<'_>,
    access: &Access,
    change: &Change,
    mask: &Mask,
    mut keep: impl FnMut(usize, T),
) -> Result<(), Outside> {
    let op = change.op;
    if let Space::Cells(slot) = access.space {
        let cells = T::global(globals).cells[slot as usize];
        let indices = Indices::of(access.index, files);
        let [first, second] = change.operands.map(|reg| values::<T>(files, reg));
        return mask.try_each(|lane| {
            let index = indices.of_lane(lane);
            let cell = cells.get(index as usize);
            let cell = cell.ok_or_else(|| outside(index, cells.len(), access))?;
            let (x, y) = (of_lane(&first, lane), of_lane(&second, lane));
            keep(lane, T::update(cell, |old| atomic(op, old, x, y)));
            Ok(())
        });
    }
    let (Space::Shared(slot) | Space::Held(slot)) = access.space else {
        return Ok(());
    };
    let mut array = std::mem::take(&mut T::file_mut(files).arrays[slot as usize]);
    let indices = Indices::of(access.index, files);
    let [first, second] = change.operands.map(|reg| values::<T>(files, reg));
    let length = array.len();
    let result = mask.try_each(|lane| {
        let index = indices.of_lane(lane);
        let element = array.get_mut(index as usize);
        let element = element.ok_or_else(|| outside(index, length, access))?;
        let old = *element;
        *element = atomic(op, old, of_lane(&first, lane), of_lane(&second, lane));
        keep(lane, old);
        Ok(())
    });
    T::file_mut(files).arrays[slot as usize] = array;
    result
}

#[inline(always)]
fn of_lane<T: Copy>(values: &Operand<'_, T>, lane: usize) -> T {
    match values {
        Operand::One(value) => *value,
        Operand::Many(values) => values[lane],
    }
}

/// What an atomic operation makes of the old value.
fn atomic<T: Scalar>(op: AtomicOp, old: T, x: T, y: T) -> T {
    T::from_literal(op.stored(old.literal(), x.literal(), y.literal()))
}
