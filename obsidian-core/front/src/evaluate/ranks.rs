//! Arrays as the evaluator has them: of a rank that is known while the kernel is built, and what rows of
//! the [table](super::table) need for it.

use super::call::{Answer, Call, Kept};
use super::programs::below_grid;
use super::{Eval, Flow, Machine, Value};
use crate::array::{Len, Length, Pull, Push, Shape, Sizes};
use crate::error::catalogue;
use crate::library::parts::{Gather, gather};
use crate::program::{AnyLevel, pure};
use crate::scalar::{Exp, lit, report, with_site};
use crate::syntax::Site;

/// A pull array of any rank.
pub(super) type AnyPull<N = Len> = Pull<Value, Sizes<N>>;
/// A push array of any rank.
pub(super) type AnyPush<N = Len> = Push<AnyLevel, Value, Sizes<N>>;

/// Shapes of a rank that the library's function knows.
pub(super) trait Ranked: Shape {
    const RANK: usize;

    /// The shape of these sizes, if there are as many.
    fn of(sizes: &[Self::Size]) -> Option<Self>;
}

macro_rules! ranked {
    ($($length:ty),*) => {$(
        impl Ranked for $length {
            const RANK: usize = 1;

            fn of(sizes: &[$length]) -> Option<Self> {
                match sizes {
                    [n] => Some(n.clone()),
                    _ => None,
                }
            }
        }

        impl Ranked for ($length, $length) {
            const RANK: usize = 2;

            fn of(sizes: &[$length]) -> Option<Self> {
                match sizes {
                    [height, width] => Some((height.clone(), width.clone())),
                    _ => None,
                }
            }
        }

        impl Ranked for ($length, $length, $length) {
            const RANK: usize = 3;

            fn of(sizes: &[$length]) -> Option<Self> {
                match sizes {
                    [depth, height, width] => Some((depth.clone(), height.clone(), width.clone())),
                    _ => None,
                }
            }
        }
    )*};
}

ranked!(u32, Exp<u32>, Len);

/// An array of a rank, in words; `what` is a pull array or a push array.
pub(super) fn ranked(rank: usize, what: &str) -> String {
    match rank {
        2 => format!("a two-dimensional {what}"),
        3 => format!("a three-dimensional {what}"),
        _ => format!("a {what}"),
    }
}

/// The array, if it is of the rank.
pub(super) fn pull_of<S: Ranked>(array: &AnyPull<S::Size>) -> Option<Pull<Value, S>> {
    Some(array.with_shape(S::of(&array.shape().0)?))
}

/// The array, if it is of the rank.
pub(super) fn push_of<S: Ranked>(array: &AnyPush<S::Size>) -> Option<Push<AnyLevel, Value, S>> {
    Some(array.with_shape(S::of(&array.shape().0)?))
}

impl Value {
    /// The pull array of one axis that it is.
    pub(super) fn list(&self) -> Option<Pull<Value, Len>> {
        match self {
            Value::Pull(array) => pull_of(array),
            _ => None,
        }
    }

    /// The number of axes of an array.
    pub(super) fn rank(&self) -> Option<usize> {
        match self {
            Value::Pull(array) => Some(array.shape().0.len()),
            Value::Push(array) => Some(array.shape().0.len()),
            _ => None,
        }
    }
}

/// What `as_block` and its relatives take of an array of a rank, and how what they are given is described.
fn inner_arrays(rank: usize) -> (&'static str, &'static str) {
    let found = "an array of which each element is";
    match rank {
        1 => ("an array of push arrays", "an array of"),
        2 => ("an array of push arrays of one or two axes", found),
        _ => ("an array of push arrays of one or three axes", found),
    }
}

/// An index as the user's functions see it: a number, or a tuple of them.
pub(super) fn indices(index: &[Exp<u32>]) -> Value {
    match index {
        [i] => Value::Exp(i.any()),
        _ => Value::tuple(index.iter().map(|i| Value::Exp(i.any())).collect()),
    }
}

/// A height and a width, which are of one type: if one is of the device, both are.
pub(super) fn same_type(height: Len, width: Len) -> (Len, Len) {
    match (height, width) {
        (Len::Static(_), Len::Static(_)) => (height, width),
        _ => (Len::Dynamic(height.exp()), Len::Dynamic(width.exp())),
    }
}

impl Machine {
    /// A value as a pull array of a rank.
    pub(super) fn pull_of<S: Ranked<Size = Len>>(
        &self,
        value: &Value,
        site: Site,
    ) -> Eval<Pull<Value, S>> {
        let array = match value {
            Value::Pull(array) => pull_of(array),
            _ => None,
        };
        array.map_or_else(
            || self.wrong_kind(&ranked(S::RANK, "pull array"), value, site),
            Ok,
        )
    }

    /// A value as a pull array of one axis.
    pub(super) fn pull(&self, value: &Value, site: Site) -> Eval<Pull<Value, Len>> {
        self.pull_of(value, site)
    }

    /// Sizes that have to be static.
    fn fixed_sizes(&self, shape: &Sizes<Len>, what: &str, site: Site) -> Eval<Sizes<u32>> {
        let sizes = shape.0.iter().map(|size| self.fixed(*size, what, site));
        Ok(Sizes(sizes.collect::<Eval<_>>()?))
    }

    /// A pull array of static sizes.
    fn fixed_pull(&self, value: &Value, what: &str, site: Site) -> Eval<AnyPull<u32>> {
        match value {
            Value::Pull(array) => {
                Ok(array.set_size(self.fixed_sizes(&array.shape(), what, site)?))
            }
            other => self.wrong_kind("a pull array", other, site),
        }
    }

    /// A pull or push array as a push array.
    fn any_push(&self, array: &Value, site: Site) -> Eval<AnyPush> {
        match array {
            Value::Push(push) => Ok(push.clone()),
            Value::Pull(pull) => Ok(pull.push()),
            other => self.wrong_kind("an array", other, site),
        }
    }

    /// A pull or push array as a push array of static sizes.
    pub(super) fn push_array(&self, array: &Value, what: &str, site: Site) -> Eval<AnyPush<u32>> {
        let push = self.any_push(array, site)?;
        Ok(push.set_size(self.fixed_sizes(&push.shape(), what, site)?))
    }

    /// A pull or push array as a push array of static sizes and of a rank.
    pub(super) fn push_of<S: Ranked<Size = u32>>(
        &self,
        array: &Value,
        what: &str,
        site: Site,
    ) -> Eval<Push<AnyLevel, Value, S>> {
        match array.rank() {
            Some(rank) if rank != S::RANK => {
                let wanted = match S::RANK {
                    1 => "an array of one axis".to_owned(),
                    rank => ranked(rank, "array"),
                };
                self.wrong_kind(&wanted, array, site)
            }
            _ => push_of(&self.push_array(array, what, site)?).ok_or(Flow::Stop),
        }
    }

    /// What stands between the brackets behind an array: a number for each axis.
    pub(super) fn index_of(
        &self,
        rank: usize,
        position: &Value,
        site: Site,
    ) -> Eval<Vec<Exp<u32>>> {
        let numbers = match position {
            Value::Tuple(list) if rank > 1 && list.len() == rank => list.as_slice(),
            one if rank == 1 => std::slice::from_ref(one),
            other => {
                let wanted = match rank {
                    2 => "an index with a row and a column, `(y, x)`",
                    _ => "an index with a plane, a row and a column, `(z, y, x)`",
                };
                return self.wrong_kind(wanted, other, site);
            }
        };
        let number = |value: &Value| match value {
            Value::Exp(e) => e.typed::<u32>().map_or_else(
                || self.wrong_kind("an index of type EU32 or u32", value, site),
                Ok,
            ),
            Value::Untyped(_) => self.number(value, site),
            other => Ok(lit(self.count(other, "an index", site)?)),
        };
        numbers.iter().map(number).collect()
    }
}

impl Kept {
    /// A value as a pull array of static sizes, after a mistake an empty one.
    pub(super) fn fixed_pull(&self, value: &Value, what: &str) -> AnyPull<u32> {
        let pull = self.machine.fixed_pull(value, what, self.site);
        pull.unwrap_or_else(|_| Pull::new(Sizes(vec![0]), |_| Value::Poison))
    }

    /// A value as a push array, after a mistake an empty one.
    pub(super) fn any_push(&self, value: &Value) -> AnyPush {
        let push = self.machine.any_push(value, self.site);
        push.unwrap_or_else(|_| Push::new(Sizes(vec![Len::Static(0)]), |_| pure(())))
    }
}

/// The kinds of arguments.
impl Call<'_> {
    /// A pull array of any rank.
    pub(super) fn pulls(&self, value: &Value) -> Eval<AnyPull> {
        match value {
            Value::Pull(array) => Ok(array.clone()),
            other => self.wrong("a pull array", other),
        }
    }

    /// A pull array of the rank of another one.
    pub(super) fn alike(&self, value: &Value, other: &AnyPull) -> Eval<AnyPull> {
        let rank = other.shape().0.len();
        match value {
            Value::Pull(array) if array.shape().0.len() == rank => Ok(array.clone()),
            other => self.wrong(&ranked(rank, "pull array"), other),
        }
    }

    /// A pull array of two axes.
    pub(super) fn matrix(&self, value: &Value) -> Eval<Pull<Value, (Len, Len)>> {
        self.machine.pull_of(value, self.site)
    }

    /// An array as a push array of static sizes; the answer is at its level.
    fn pushed_by<S: Shape>(
        &self,
        value: &Value,
        push: fn(&Machine, &Value, &str, Site) -> Eval<Push<AnyLevel, Value, S>>,
    ) -> Eval<Push<AnyLevel, Value, S>> {
        let is = matches!(value, Value::Pull(_) | Value::Push(_));
        self.expect("an array", value, is)?;
        let what = format!("`{}`", self.name);
        let push = push(self.machine, value, &what, self.site)?;
        self.level.set(self.level.get().or(push.level()));
        Ok(push)
    }

    /// An array of any rank.
    pub(super) fn pushes(&self, value: &Value) -> Eval<AnyPush<u32>> {
        self.pushed_by(value, Machine::push_array)
    }

    /// An array of one axis.
    pub(super) fn push(&self, value: &Value) -> Eval<Push<AnyLevel, Value>> {
        self.pushed_by(value, Machine::push_of)
    }

    /// A matrix.
    pub(super) fn push_matrix(&self, value: &Value) -> Eval<Push<AnyLevel, Value, (u32, u32)>> {
        self.pushed_by(value, Machine::push_of)
    }

    /// The shape of an array: a length, or a tuple of two or three.
    pub(super) fn shape(&self, value: &Value) -> Eval<Sizes<Len>> {
        let sizes = match value {
            Value::Tuple(list) if matches!(list.len(), 2 | 3) => {
                list.iter().map(|size| self.length(size)).collect()
            }
            size => self.length(size).map(|size| vec![size]),
        };
        let sizes: Vec<Len> = sizes?;
        // They are of one type: if one is of the device, all are.
        let is_static = sizes.iter().all(|size| matches!(size, Len::Static(_)));
        let sizes = sizes.into_iter().map(|size| match is_static {
            true => size,
            false => Len::Dynamic(size.exp()),
        });
        Ok(Sizes(sizes.collect()))
    }

    /// A shape of as many axes as another one.
    pub(super) fn shape_like(&self, value: &Value, other: Sizes<Len>) -> Eval<Sizes<Len>> {
        let shape = self.shape(value)?;
        match other.0.len() {
            rank if rank == shape.0.len() => Ok(shape),
            1 => self.wrong("a length", value),
            2 => self.wrong("a height and a width, `(height, width)`", value),
            _ => self.wrong(
                "a depth, a height and a width, `(depth, height, width)`",
                value,
            ),
        }
    }

    /// How often a loop runs: a number, or a tuple of two or three.
    pub(super) fn counts(&self, value: &Value) -> Eval<Sizes<Exp<u32>>> {
        let counts = match value {
            Value::Tuple(list) if matches!(list.len(), 2 | 3) => {
                list.iter().map(|count| self.number(count)).collect()
            }
            count => self.number(count).map(|count| vec![count]),
        };
        counts.map(Sizes)
    }
}

impl Call<'_> {
    /// A size of an array of several axes, of the type of the length of the list that it is made of.
    pub(super) fn extent(&self, len: Len, value: &Value) -> Eval<Len> {
        match (self.length(value)?, len) {
            (Len::Static(n), Len::Static(_)) => Ok(Len::Static(n)),
            (Len::Dynamic(_), Len::Static(_)) => {
                let what = "a height or width of an array of static length";
                self.fail(catalogue::not_static(what))
            }
            (n, Len::Dynamic(_)) => Ok(Len::Dynamic(n.exp())),
        }
    }

    /// The push array of a pull array, which reports its use at the level of the grid.
    pub(super) fn pushed(&self, array: &AnyPull) -> AnyPush {
        let (push, site) = (array.push::<AnyLevel>(), self.site);
        Push::new(push.shape(), move |write| {
            below_grid(push.write_to(write), catalogue::push_at_grid(), site)
        })
    }

    /// `as_block` and its relatives on an array of push arrays.
    pub(super) fn gather(&self, array: &AnyPull, how: Gather) -> AnyPush {
        let (kept, rank) = (self.kept(), array.shape().0.len());
        let inner = array.map(move |piece| match &piece {
            Value::Push(push) if [1, rank].contains(&push.shape().0.len()) => push.clone(),
            other => {
                if !matches!(other, Value::Poison) {
                    let (wanted, found) = inner_arrays(rank);
                    let wrong = catalogue::wrong_kind(wanted, &format!("{found} {}", other.kind()));
                    let _: Eval<()> = kept.machine.fail(kept.site, wrong);
                }
                Push::new(Sizes(vec![Len::Static(0); rank]), |_| pure(()))
            }
        });
        gather(&inner, how)
    }

    /// Tiles put together.
    pub(super) fn untile(
        &self,
        tiles: &Pull<Value, (Len, Len)>,
        size: (u32, u32),
    ) -> Pull<Value, (Len, Len)> {
        let kept = self.kept();
        let tiles = tiles.map(move |tile| {
            let known = kept.machine.pull_of::<(Len, Len)>(&tile, kept.site);
            let known = known.and_then(|_| kept.machine.fixed_pull(&tile, "a tile", kept.site));
            let Ok(tile) = known else {
                return Pull::new(size, |_| Value::Poison);
            };
            if tile.shape().0 != [size.0, size.1] {
                let wrong = catalogue::other_size(&tile.shape().0, &[size.0, size.1]);
                with_site(kept.site, || report(wrong));
            }
            tile.with_shape(size)
        });
        tiles.untile(size.0, size.1)
    }
}

impl Answer for Sizes<Len> {
    fn value(self) -> Value {
        match self.0.as_slice() {
            [len] => len.value(),
            sizes => Value::tuple(sizes.iter().map(|size| size.value()).collect()),
        }
    }
}
