//! Functions of whole arrays that are done chunk by chunk: the sequence divides what they describe.

use std::cell::RefCell;
use std::rc::Rc;

use obsidian_core::arrays::{ByRows, FoldedBy, by_rows};
use obsidian_language::arrays::{AnyArr, AnyElement, Arr, Arr1, Ix0, Ix1, Ix2, Ix3, Ix4, generate};

use super::Sequence;
use super::chunk::Chunk;
use super::consume::{Consumer, collect, folded};
use super::graph::{Count, Form, Graph, Kind, Node};
use super::run::Consumed;
use super::tree::Combine;
use crate::arrays::{Array, ArrayProgram, HostOf};
use crate::device::Device;
use crate::error::{Error, ErrorKind, Result};

/// What a function of whole arrays gives that is [done chunk by chunk](Sequence::in_chunks): an array of rows, which is collected, a fold of all rows
/// (`Arr0`), or a tuple of up to four of them.
///
/// ```
/// use obsidian_rt::{Device, arrays::*, language::EU32, sequence::{Sequence, WholeResult}};
///
/// fn run<R: WholeResult>(f: impl Fn(Arr1<EU32>) -> R + 'static) -> obsidian_rt::Result<R::Output> {
///     Sequence::slice(&[3u32, 1, 2]).in_chunks(f)?.run(&Device::cpu())
/// }
/// assert_eq!(run(|xs| xs.max())?, 3);
/// let (squares, sum) = run(|xs| (xs.map(|x| x * x), xs.sum()))?;
/// assert_eq!((squares.to_vec()?, sum), (vec![9, 1, 4], 6));
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the result of a function that is done chunk by chunk",
    note = "an array can, or a tuple of up to four of them: arrays of rows are put behind one another, an `Arr0` is a fold of all rows"
)]
pub trait WholeResult: 'static {
    /// What a run gives: an `Array`, a number for an `Arr0`, or a tuple of them.
    type Output: 'static;
    #[doc(hidden)]
    fn whole(&self, list: &mut Vec<AnyArr>);
    #[doc(hidden)]
    fn consumed<'s>(results: &mut Results<'s>) -> Result<Consumed<'s, Self::Output>>;
}

/// The results of the function, one array of a chunk for each.
#[doc(hidden)]
pub struct Results<'s> {
    node: Rc<Node<'s>>,
    /// How those are folded that are.
    folds: std::vec::IntoIter<Option<FoldedBy>>,
    taken: usize,
}

impl std::fmt::Debug for Results<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Results").finish_non_exhaustive()
    }
}

impl<'s> Results<'s> {
    /// The next one, as a sequence of its rows.
    fn next<C: Chunk>(&mut self) -> (Sequence<'s, C>, Option<FoldedBy>) {
        let own = self.taken;
        self.taken += 1;
        let pick = move |arrays: &[AnyArr], _: Form| Some(vec![arrays.get(own)?.clone()]);
        let rows = Sequence::of(Node {
            kind: Kind::Made(Box::new(pick), Count::Kept),
            inputs: vec![self.node.clone()],
        });
        (rows, self.folds.next().flatten())
    }
}

impl<T: HostOf> WholeResult for Arr<Ix0, T> {
    type Output = T::Host;
    fn whole(&self, list: &mut Vec<AnyArr>) {
        list.push(self.untyped());
    }
    fn consumed<'s>(results: &mut Results<'s>) -> Result<Consumed<'s, T::Host>> {
        let (rows, fold) = results.next::<Arr1<T>>();
        let Some(fold) = fold else {
            return Err(Error::new(
                ErrorKind::Internal,
                "no fold of a result without axes",
            ));
        };
        let (initial, name) = (initial::<T>(&fold)?, fold.name);
        let combine = move |x: T, y: T| {
            let (x, y) = (AnyElement::of(x), AnyElement::of(y));
            fold.combined(&x, &y).to::<T>()
        };
        let combine: Combine<T> = Rc::new(combine);
        can_be_repeated(name, &combine)?;
        Ok(folded(&rows, combine, initial, Some(name), |result| result))
    }
}

/// Refuses a function that combines elements and keeps a device value of the program that it was described in: results of chunks are combined by others.
fn can_be_repeated<T: HostOf>(name: &str, combine: &Combine<T>) -> Result<()> {
    let combine = combine.clone();
    let pairs = ArrayProgram::build("pairs", move |xs: Arr1<T>| {
        let combine = combine.clone();
        xs.fold1(move |x, y| combine(x, y))
    });
    pairs.map(drop).map_err(|error| {
        let message = format!(
            "the function of this `{name}` uses a device value that was made outside of it, and combines the results of chunks in other programs; \
            make it inside: `|x, y| x * y % lit(1_000_003)`"
        );
        Error::new(error.kind(), message)
    })
}

/// What a fold has in front of all elements, computed on the CPU.
fn initial<T: HostOf>(fold: &FoldedBy) -> Result<Option<T::Host>> {
    if !fold.has_initial() {
        return Ok(None);
    }
    let fold = fold.clone();
    let one = ArrayProgram::build("initial", move || {
        let fold = fold.clone();
        generate(1, move |_| fold.initial().unwrap_or_default().to::<T>())
    })?;
    let values = one.run(&Device::cpu(), ())?.to_vec()?;
    Ok(values.first().copied())
}

macro_rules! arrays {
    ($($shape:ident)+) => {$(
        impl<T: HostOf> WholeResult for Arr<$shape, T> {
            type Output = Array<$shape, T::Host>;
            fn whole(&self, list: &mut Vec<AnyArr>) {
                list.push(self.untyped());
            }
            fn consumed<'s>(results: &mut Results<'s>) -> Result<Consumed<'s, Self::Output>> {
                let (rows, _) = results.next::<Self>();
                Ok(collect().consume(&rows))
            }
        }
    )+};
}

arrays!(Ix1 Ix2 Ix3 Ix4);

impl<A: WholeResult, B: WholeResult> WholeResult for (A, B) {
    type Output = (A::Output, B::Output);
    fn whole(&self, list: &mut Vec<AnyArr>) {
        self.0.whole(list);
        self.1.whole(list);
    }
    fn consumed<'s>(results: &mut Results<'s>) -> Result<Consumed<'s, Self::Output>> {
        Ok(A::consumed(results)?.and(B::consumed(results)?))
    }
}

impl<A: WholeResult, B: WholeResult, C: WholeResult> WholeResult for (A, B, C) {
    type Output = (A::Output, B::Output, C::Output);
    fn whole(&self, list: &mut Vec<AnyArr>) {
        self.0.whole(list);
        self.1.whole(list);
        self.2.whole(list);
    }
    fn consumed<'s>(results: &mut Results<'s>) -> Result<Consumed<'s, Self::Output>> {
        let both = <(A, B)>::consumed(results)?;
        let all = both.and(C::consumed(results)?);
        Ok(all.mapped(|((a, b), c)| (a, b, c)))
    }
}

impl<A: WholeResult, B: WholeResult, C: WholeResult, D: WholeResult> WholeResult for (A, B, C, D) {
    type Output = (A::Output, B::Output, C::Output, D::Output);
    fn whole(&self, list: &mut Vec<AnyArr>) {
        self.0.whole(list);
        self.1.whole(list);
        self.2.whole(list);
        self.3.whole(list);
    }
    fn consumed<'s>(results: &mut Results<'s>) -> Result<Consumed<'s, Self::Output>> {
        let three = <(A, B, C)>::consumed(results)?;
        let all = three.and(D::consumed(results)?);
        Ok(all.mapped(|((a, b, c), d)| (a, b, c, d)))
    }
}

impl<'s, C: Chunk> Sequence<'s, C> {
    /// What a function of whole arrays gives, done chunk by chunk: a run gives what the function would give for the arrays of all elements, if
    /// they fitted in memory. That this is so is found out here, from what the function describes.
    ///
    /// Each row of an array that it gives must be made of the same row of the sequences, and of arrays that are [beside](Sequence::with) them; an
    /// `Arr0` that it gives is a fold of an array whose elements are. Folds and scans of the inner axes are part of a row, and so are loops and choices by what all rows have in common. Folds of all rows
    /// are combined as those of a [sequence](super::fold).
    ///
    /// Of several arrays, `f` takes a tuple: `xs.zip(ys).in_chunks(|(xs, ys)| dot(xs, ys))`. Unlike [`map_chunks`](Sequence::map_chunks), whose function sees where a chunk ends, a function that uses its neighbours, the number of a row or how many
    /// there are is refused.
    ///
    /// # Errors
    /// [`ErrorKind::Build`], at the operation that keeps the function from being done so, and what else is wrong with it;
    /// [`ErrorKind::Requirement`] for chunks of [`segments`](Sequence::segments). A fold that needs an element (`max`) of an empty sequence is an error of the run.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*, language::EF32, sequence::Sequence};
    ///
    /// // The same function as of an array program.
    /// fn lengths(points: Arr2<EF32>) -> (Arr1<EF32>, Arr0<EF32>) {
    ///     let lengths = points.map(|x| x * x).sum().map(|sum| sum.sqrt());
    ///     (lengths.clone(), lengths.max())
    /// }
    ///
    /// let points = Sequence::rows(&[3.0f32, 4.0, 6.0, 8.0], [2]);
    /// let (all, longest) = points.in_chunks(lengths)?.memory_limit(1 << 20).run(&Device::cpu())?;
    /// assert_eq!((all.to_vec()?, longest), (vec![5.0, 10.0], 10.0));
    ///
    /// // A row is not made of its neighbours.
    /// let numbers = Sequence::slice(&[1.0f32, 2.0, 3.0]);
    /// let error = numbers.in_chunks(|xs| xs.rotate(1)).unwrap_err();
    /// assert!(error.to_string().contains("reads other rows than its own"), "{error}");
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn in_chunks<R: WholeResult>(
        self,
        f: impl Fn(C) -> R + 'static,
    ) -> Result<Consumed<'s, R::Output>> {
        if !C::HAS_ROWS {
            let message = "elements of different lengths are no rows of a whole array: use `map_chunks`, whose closure is given the values and offsets of a chunk";
            return Err(Error::new(ErrorKind::Requirement, message));
        }
        let found = Rc::new(RefCell::new(Vec::new()));
        let noted = found.clone();
        let function = move |arrays: &[AnyArr], _: Form| {
            let mut whole = Vec::new();
            f(C::of(&mut arrays.iter())?).whole(&mut whole);
            let (mut rows, mut folds) = (Vec::new(), Vec::new());
            for result in &whole {
                // What keeps it from that has been reported.
                let (array, fold) = match by_rows(arrays, result)? {
                    ByRows::Rows(array) => (array, None),
                    ByRows::Folded(array, fold) => (array, Some(fold)),
                };
                rows.push(array);
                folds.push(fold);
            }
            *noted.borrow_mut() = folds;
            Some(rows)
        };
        let node = Rc::new(Node {
            kind: Kind::Made(Box::new(function), Count::Kept),
            inputs: vec![self.node],
        });
        let graph = Graph::of(std::slice::from_ref(&node));
        graph.check()?;
        graph.described()?;
        let mut results = Results {
            node,
            folds: found.take().into_iter(),
            taken: 0,
        };
        R::consumed(&mut results)
    }
}
