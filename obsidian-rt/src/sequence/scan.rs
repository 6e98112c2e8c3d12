//! What a node keeps from chunk to chunk: the carry of a scan, the end of a chunk that windows reach into.

use obsidian_language::arrays::{Arr0, Arr1, Ix0, Ix1, append, at_place, generate};
use obsidian_language::scalar::{AnyExp, Exp, lit};

use super::graph::{Form, GRAIN, Keeper};
use super::source::types;
use super::tree::Combine;
use crate::arrays::{AnyArray, HostItem, HostOf};
use crate::error::Result;

/// A value of the host as a constant of a program.
pub(crate) fn constant<T: HostOf>(value: T::Host) -> T {
    let mut literals = Vec::new();
    value.literals(&mut literals);
    T::poison().rebuild(&mut literals.into_iter().map(AnyExp::literal))
}

/// The inclusive scan of whole grains. Each grain is scanned in the order of array programs; what lies in front of a grain is combined grain by grain, in
/// order. So the bits depend on the elements in front alone.
pub(super) fn keeper<T: HostOf>(f: Combine<T>, initial: T::Host, place: String) -> Keeper {
    Keeper {
        initial: Box::new(move |device| Ok(vec![AnyArray::new(device, &[], &[initial])?])),
        f: Box::new(move |state, grains, form| {
            let carry: Arr0<T> = state.first()?.ranked::<Ix0>().to::<T>();
            let xs: Arr1<T> = grains.first()?.ranked::<Ix1>().to::<T>();
            let n = xs.len();
            let rows = match form {
                Form::Last => xs.reshape((1, n)),
                Form::Whole | Form::Any => xs.reshape((n / lit(GRAIN), lit(GRAIN))),
            };
            let of = || {
                let f = f.clone();
                move |x, y| f(x, y)
            };
            let scanned = at_place(&place, || rows.inclusive_scan(of()));
            let (grains, width) = scanned.shape();
            // Row by row: what lies in front of it. A grain has an element.
            let totals = match form {
                Form::Last => scanned.slice_inner(width - 1),
                Form::Whole | Form::Any => scanned.slice_inner(lit(GRAIN - 1)),
            };
            // The carry is an element, and not the initial value, which is known when the program is built.
            let first = carry.reshape(1).map(|x| (lit(true), x));
            let all = append(first, totals.map(|x| (lit(false), x)));
            let (combine, like) = (f.clone(), constant::<T>(initial));
            let fronts = all.scan_in_order(
                move |front: T, (is_first, x): (Exp<bool>, T)| {
                    let both = combine(front, x.clone());
                    T::choose(is_first, x, both)
                },
                like,
            );
            let (next, combine) = (fronts.clone(), f.clone());
            let next = generate((), move |()| next.at(grains));
            let all = scanned.imap(move |(grain, _), x| combine(fronts.at(grain), x));
            Some((vec![next.untyped()], vec![all.flatten().untyped()]))
        }),
        largest: vec![Vec::new()],
    }
}

/// Windows of neighbours. The last `width - 1` elements are kept for the next chunk.
pub(super) fn windows<T: HostOf>(width: u32) -> Keeper {
    Keeper {
        initial: Box::new(|device| {
            let types = types::<T::Host>();
            let buffers = types.iter().map(|ty| device.zeros_of(*ty, 0));
            Ok(vec![AnyArray::of(buffers.collect::<Result<_>>()?, &[0])?])
        }),
        f: Box::new(move |state, chunk, _| {
            let before: Arr1<T> = state.first()?.ranked::<Ix1>().to::<T>();
            let all = append(before, chunk.first()?.ranked::<Ix1>().to::<T>());
            let n = all.len();
            let before = width.saturating_sub(1);
            let kept = n.min(lit(before));
            let count = match width {
                0 => lit(0),
                _ => n.max(lit(before)) - before,
            };
            let end = all.clone();
            let rest = generate(kept, move |i| end.at(n - kept + i));
            let windows = generate((count, lit(width)), move |(i, j)| all.at(i + j));
            Some((vec![rest.untyped()], vec![windows.untyped()]))
        }),
        largest: vec![vec![width.saturating_sub(1) as usize]],
    }
}
