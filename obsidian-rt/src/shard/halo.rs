//! Stencils: members exchange the rows at their borders.

use std::cell::Cell;
use std::rc::Rc;

use obsidian_language::arrays::{AnyArr, Arr, Boundary, Computed, Neighbours, Window, append};
use obsidian_language::scalar::lit;

use super::operations::Local;
use super::{HostValue, Member, Sharded, blocks, encoded, failed};
use crate::arrays::{AnyArray, Array, ArrayView, HostItem, HostOf, Rank};
use crate::error::{Error, ErrorKind, Result};
use crate::sequence::{constant, decoded, types};

/// What a stencil reads outside of the whole array: see [`Boundary`](crate::arrays::Boundary), whose values are device values.
///
/// ```
/// use obsidian_rt::{Device, shard::{Edge, Threads}};
///
/// let sums = |edge: Edge<u32>| Threads::new([Device::cpu()]).run(|member| {
///     let xs = member.vector(3, |range| range.map(|i| i as u32 + 1).collect())?;
///     member.gather_all(&member.stencil(&xs, 1, edge, |w| w.at(-1) + w.at(1))?)
/// });
/// assert_eq!(sums(Edge::Clamp)?, [[1 + 2, 1 + 3, 2 + 3]]);
/// assert_eq!(sums(Edge::Wrap)?, [[3 + 2, 1 + 3, 2 + 1]]);
/// assert_eq!(sums(Edge::Mirror)?, [[2 + 2, 1 + 3, 2 + 2]]);
/// assert_eq!(sums(Edge::Constant(10))?, [[10 + 2, 1 + 3, 2 + 10]]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Edge<T> {
    /// The element at the edge.
    Clamp,
    /// The elements of the other side.
    Wrap,
    /// The elements on this side of the edge, as in a mirror in the outermost element.
    Mirror,
    /// A number.
    Constant(T),
}

impl<T: HostItem> Edge<T> {
    fn boundary<Sh: Neighbours>(self) -> Boundary<T::Device, Sh> {
        match self {
            Edge::Clamp => Boundary::Clamp,
            Edge::Wrap => Boundary::Wrap,
            Edge::Mirror => Boundary::Mirror,
            Edge::Constant(value) => Boundary::Constant(constant(value)),
        }
    }
}

/// Arrays behind each other along their outermost axis.
fn stacked(arrays: &[AnyArr]) -> Option<AnyArr> {
    let rank = arrays.first()?.rank();
    // The outermost axis as the innermost one, and back.
    let inner = arrays.iter().map(|array| array.axis(0));
    let all = inner.reduce(append)?;
    Some((1..rank).fold(all, |array, _| array.axis(0)))
}

impl Member<'_> {
    /// What `f` makes of the elements around each, of which those in rows as far as `radius` are read; along the other axes they may be anywhere.
    /// `edge` says what is outside of the whole array. Members exchange `radius` rows.
    ///
    /// # Errors
    /// As [`fold`](Member::fold).
    ///
    /// ```
    /// use obsidian_rt::{Device, language::{lit, select}, shard::{Edge, Threads}};
    ///
    /// // Life, on a torus.
    /// let cells = Threads::new(vec![Device::cpu(); 2]).run(|member| {
    ///     // A glider.
    ///     let alive = [(0, 1), (1, 2), (2, 0), (2, 1), (2, 2)];
    ///     let mut board = member.rows([8, 8], |rows| {
    ///         rows.flat_map(|y| (0..8).map(move |x| u8::from(alive.contains(&(y, x))))).collect()
    ///     })?;
    ///     for _ in 0..32 {
    ///         board = member.stencil(&board, 1, Edge::Wrap, |w| {
    ///             let around = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];
    ///             let count = around.into_iter().map(|at| w.at(at)).reduce(|x, y| x + y).unwrap();
    ///             let lives = count.eq(3) | (count.eq(2) & w.at((0, 0)).eq(1));
    ///             select(lives, lit(1u8), lit(0u8))
    ///         })?;
    ///     }
    ///     member.gather_all(&board)
    /// })?;
    /// // In 32 steps it goes around once.
    /// let alive: Vec<usize> = (0..64).filter(|n| cells[0][*n] == 1).collect();
    /// assert_eq!(alive, [1, 10, 16, 17, 18]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn stencil<Sh: Neighbours + Rank, T: HostItem, R: Computed<Value: HostOf>>(
        &self,
        xs: &Sharded<Sh, T>,
        radius: usize,
        edge: Edge<T>,
        f: impl Fn(Window<Sh, T::Device>) -> R + Clone + 'static,
    ) -> Result<Sharded<Sh, HostValue<R>>> {
        let around = Around::new(xs, radius, edge, f)?;
        around.step(self, xs)
    }

    /// As many [stencils](Member::stencil) behind each other, each of what the one before gives. The program is built once.
    ///
    /// # Errors
    /// As [`stencil`](Member::stencil).
    ///
    /// ```
    /// use obsidian_rt::{Device, shard::{Edge, Threads}};
    ///
    /// let smooth = Threads::new(vec![Device::cpu(); 2]).run(|member| {
    ///     let xs = member.vector(9, |range| range.map(|i| if i == 4 { 16.0f32 } else { 0.0 }).collect())?;
    ///     let smooth = member.stencils(2, &xs, 1, Edge::Clamp, |w| (w.at(-1) + w.at(1)) * 0.5)?;
    ///     member.gather_all(&smooth)
    /// })?;
    /// assert_eq!(smooth[0], [0.0, 0.0, 4.0, 0.0, 8.0, 0.0, 4.0, 0.0, 0.0]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn stencils<Sh: Neighbours + Rank, T: HostItem, R: Computed<Value = T::Device>>(
        &self,
        steps: usize,
        xs: &Sharded<Sh, T>,
        radius: usize,
        edge: Edge<T>,
        f: impl Fn(Window<Sh, T::Device>) -> R + Clone + 'static,
    ) -> Result<Sharded<Sh, T>> {
        let around = Around::new(xs, radius, edge, f)?;
        // Without a step it is a copy.
        let mut last = self.map(xs, |x| x)?;
        for _ in 0..steps {
            last = around.step(self, &last)?;
        }
        Ok(last)
    }

    /// The last `radius` rows in front of this member's, and the first behind them; fewer at the ends of the array.
    fn halos<Sh: Rank, T: HostItem>(
        &self,
        xs: &Sharded<Sh, T>,
        radius: usize,
        is_ring: bool,
    ) -> Result<[Vec<T>; 2]> {
        let all = xs.extents.as_ref();
        let (count, each) = (
            all.first().copied().unwrap_or(0),
            all.iter().skip(1).product::<usize>(),
        );
        // Rows beyond the ends of an array that is no ring are not there; of a ring they come round again.
        let radius = if is_ring { radius } else { radius.min(count) };
        let rows = blocks(all, self.members()).into_iter();
        let rounds = rounds(
            &rows.map(|rows| rows.len()).collect::<Vec<_>>(),
            radius,
            is_ring,
        );
        let (most, own) = (radius.saturating_mul(each), xs.rows.len() * each);
        let ends = |start: usize, len: usize| -> Result<Vec<T>> {
            let view = ArrayView::from(&xs.local).into_buffers();
            let parts = view.iter().map(|buffer| buffer.part(start, len));
            let parts = parts.collect::<Result<Vec<_>>>()?;
            T::download(&mut parts.iter().map(|part| part.buffer()))
        };
        let len = most.min(own);
        let (first, last) = (ends(0, len)?, ends(own - len, len)?);
        let (mut before, mut behind): (Vec<T>, Vec<T>) = (Vec::new(), Vec::new());
        if radius == 0 {
            return Ok([before, behind]);
        }
        let (rank, end) = (self.rank(), self.members() - 1);
        for _ in 0..rounds {
            // What the neighbours need: the rows that are nearest to them, of this member and those beyond it.
            let to_next = [&before[..], &last].concat();
            let to_next = &to_next[to_next.len().saturating_sub(most)..];
            let to_previous = [&first[..], &behind].concat();
            let to_previous = &to_previous[..most.min(to_previous.len())];
            let taken = self
                .transport
                .exchange(&encoded(to_previous), &encoded(to_next));
            let [from_previous, from_next] = taken.map_err(|failure| failed(&failure))?;
            before = match rank == 0 && !is_ring {
                true => Vec::new(),
                false => decoded(&from_previous)?,
            };
            behind = match rank == end && !is_ring {
                true => Vec::new(),
                false => decoded(&from_next)?,
            };
        }
        Ok([before, behind])
    }
}

/// After how many exchanges with neighbours each member that has rows knows as many as `radius` on both sides, or all that there are. Members that have few
/// pass on those of others.
fn rounds(rows: &[usize], radius: usize, is_ring: bool) -> usize {
    let members = rows.len();
    if rows.iter().all(|own| *own == 0) {
        return 0;
    }
    let far = |member: usize, is_back: bool| {
        let most = match (is_ring, is_back) {
            (true, _) => usize::MAX,
            (false, true) => member,
            (false, false) => members - 1 - member,
        };
        let (mut known, mut steps) = (0, 0);
        while known < radius && steps < most {
            steps += 1;
            let step = steps % members;
            let other = match is_back {
                true => (member + members - step) % members,
                false => (member + step) % members,
            };
            known += rows.get(other).copied().unwrap_or(0);
        }
        steps
    };
    let with_rows = rows.iter().enumerate().filter(|(_, own)| **own > 0);
    let both = with_rows.map(|(member, _)| far(member, true).max(far(member, false)));
    both.max().unwrap_or(0)
}

/// A stencil over the block of a member: its program, and what it exchanges.
struct Around<T, U> {
    program: Local,
    radius: usize,
    is_ring: bool,
    types: std::marker::PhantomData<fn(T) -> U>,
}

impl<T: HostItem, U: HostItem> Around<T, U> {
    fn new<Sh: Neighbours + Rank, R: Computed<Value = U::Device>>(
        xs: &Sharded<Sh, T>,
        radius: usize,
        edge: Edge<T>,
        f: impl Fn(Window<Sh, T::Device>) -> R + Clone + 'static,
    ) -> Result<Self> {
        let own = xs.rows.len() as u32;
        let one = (xs.extents.as_ref().len(), types::<T>());
        let inputs = [one.clone(), one.clone(), one];
        let farthest = Rc::new(Cell::new(0));
        let program = Local::new("stencil", &inputs, |arrays| {
            let (Some(before), Some(all)) = (arrays.first(), stacked(arrays)) else {
                return Vec::new();
            };
            let skipped = before.shape().first().copied().unwrap_or_else(|| lit(0));
            let all: Arr<Sh, T::Device> = all.ranked::<Sh>().to::<T::Device>();
            let noted = Some(farthest.clone());
            let all = all
                .stencil_noted(edge.boundary(), noted, f.clone())
                .untyped();
            vec![all.along(0, |rows| rows.drop(skipped).take(lit(own)))]
        })?;
        if farthest.get() as usize > radius {
            let message = format!(
                "a stencil of radius {radius} reads a neighbour that is {} rows away; give it that radius",
                farthest.get()
            );
            return Err(Error::new(ErrorKind::Requirement, message));
        }
        Ok(Around {
            program,
            radius,
            is_ring: matches!(edge, Edge::Wrap),
            types: std::marker::PhantomData,
        })
    }

    fn step<Sh: Rank>(&self, member: &Member<'_>, xs: &Sharded<Sh, T>) -> Result<Sharded<Sh, U>> {
        member.owns(xs)?;
        let [before, behind] = member.halos(xs, self.radius, self.is_ring)?;
        let each: usize = xs.extents.as_ref().iter().skip(1).product();
        let halo = |elements: &[T]| -> Result<Array<Sh, T>> {
            let mut own = xs.extents.as_ref().to_vec();
            let rows = elements.len().checked_div(each).unwrap_or(0);
            own.iter_mut().take(1).for_each(|outer| *outer = rows);
            AnyArray::new(&member.device, &own, elements)?.typed()
        };
        let (first, last) = (halo(&before)?, halo(&behind)?);
        xs.like(
            self.program
                .run(&member.device, &[&first, &xs.local, &last])?,
        )
    }
}
