//! Neighbours as tuples and back, and interleaving. Paper, sections 4.2 and 4.5.

use crate::array::{Choice, Length, Pull, Push, Writer, common, common_of};
use crate::program::{Hierarchy, Program, Thread, pure};
use crate::scalar::{Exp, index};

/// The array whose element `i` is `at(i / n, i % n)`; `n` is at least 1, and every index tests
/// which of the `n` it is.
pub fn flatten<T: Choice + 'static, S: Length>(
    len: S,
    n: u32,
    at: impl Fn(Exp<u32>, u32) -> T + 'static,
) -> Pull<T, S> {
    Pull::new(len.times(n), move |i| {
        let (row, which) = (index::div(i, n), index::rem(i, n));
        if let Some(known) = which.as_literal() {
            return at(row, known);
        }
        (0..n - 1).rev().fold(at(row, n - 1), |rest, k| {
            T::choose(which.eq(k), at(row, k), rest)
        })
    })
}

impl<T: 'static, S: Length> Pull<T, S> {
    /// `f` of the first index of each `n` neighbours, as elements of one array; `n` divides the
    /// length.
    ///
    /// [`pair`](Pull::pair), [`triple`](Pull::triple) and [`quadruple`](Pull::quadruple) are this for 2, 3 and 4; it is not in `#[kernels]` modules.
    ///
    /// ```
    /// use obsidian_rt::{Device, TypedKernel, language::*};
    ///
    /// let sums = TypedKernel::build("sums", 64, |x: DPull<EU32>| {
    ///     let sums = x.neighbours(3, |at| at(0) + at(1) * at(2));
    ///     sums.split_up(2).as_grid_map(|x| x.push())
    /// })?;
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 4, 5, 6])?;
    /// assert_eq!(sums.launch(&device, &x)?.to_vec()?, [7, 34]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn neighbours<U: 'static>(
        &self,
        n: u32,
        f: impl Fn(&dyn Fn(u32) -> T) -> U + 'static,
    ) -> Pull<U, S> {
        let this = self.clone();
        Pull::new(self.len().pieces(n), move |i| {
            let start = index::mul(i, n);
            f(&|k| this.at(index::add(start, k)))
        })
    }

    /// Neighbours as pairs; 2 divides the length. Paper, Figure 1.
    ///
    /// It is a view.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn sums(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(4).as_grid_map(|x| x.pair().map(|(a, b)| a + b).push())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 4])?;
    /// let result = example::sums::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [3, 7]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn pair(&self) -> Pull<(T, T), S> {
        self.neighbours(2, |at| (at(0), at(1)))
    }

    /// Three neighbours as triples; 3 divides the length.
    ///
    /// It is a view.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn greys(rgb: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         rgb.split_up(6).as_grid_map(|rgb| rgb.triple().map(|(r, g, b)| (r + g + b) / 3).push())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[3, 3, 3, 0, 30, 60])?;
    /// let result = example::greys::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [3, 30]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn triple(&self) -> Pull<(T, T, T), S> {
        self.neighbours(3, |at| (at(0), at(1), at(2)))
    }

    /// Four neighbours as quadruples; 4 divides the length.
    ///
    /// It is a view.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn largest(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(8).as_grid_map(|x| x.quadruple().map(|(a, b, c, d)| a.max(b).max(c.max(d))).push())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 4, 8, 7, 6, 5])?;
    /// let result = example::largest::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [4, 8]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn quadruple(&self) -> Pull<(T, T, T, T), S> {
        self.neighbours(4, |at| (at(0), at(1), at(2), at(3)))
    }
}

impl<T: Choice + 'static, S: Length> Pull<(T, T), S> {
    /// Pairs as neighbours: undoes [`pair`](Pull::pair). Every index tests which one it is. Paper,
    /// Figure 1.
    ///
    /// [`Push::unpair`](crate::array::Push::unpair) writes both without a test.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn swapped(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(4).as_grid_map(|x| x.pair().map(|(a, b)| (b, a)).unpair().push())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 4])?;
    /// let result = example::swapped::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [2, 1, 4, 3]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn unpair(&self) -> Pull<T, S> {
        let this = self.clone();
        flatten(self.len(), 2, move |i, k| {
            if k == 0 { this.at(i).0 } else { this.at(i).1 }
        })
    }
}

impl<T: Choice + 'static, S: Length> Pull<(T, T, T), S> {
    /// Triples as neighbours: undoes [`triple`](Pull::triple). Every index tests which one it is.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn bgr(rgb: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         rgb.split_up(3).as_grid_map(|x| x.triple().map(|(r, g, b)| (b, g, r)).untriple().push())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3])?;
    /// let result = example::bgr::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [3, 2, 1]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn untriple(&self) -> Pull<T, S> {
        let this = self.clone();
        flatten(self.len(), 3, move |i, k| {
            let (x, y, z) = this.at(i);
            [x, y, z]
                .into_iter()
                .nth(k as usize)
                .unwrap_or_else(|| this.at(i).0)
        })
    }
}

impl<T: Choice + 'static, S: Length> Pull<(T, T, T, T), S> {
    /// Quadruples as neighbours: undoes [`quadruple`](Pull::quadruple). Every index tests which one
    /// it is.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn turned(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(4).as_grid_map(|x| x.quadruple().map(|(a, b, c, d)| (b, c, d, a)).unquadruple().push())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 4])?;
    /// let result = example::turned::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [2, 3, 4, 1]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn unquadruple(&self) -> Pull<T, S> {
        let this = self.clone();
        flatten(self.len(), 4, move |i, k| {
            let (x, y, z, w) = this.at(i);
            [x, y, z, w]
                .into_iter()
                .nth(k as usize)
                .unwrap_or_else(|| this.at(i).0)
        })
    }
}

impl<L: Hierarchy, T: 'static, S: Length> Push<L, T, S> {
    /// The array in which `n` elements, which `parts` makes of each element, take its place: one
    /// loop, `n` writes.
    ///
    /// [`unpair`](Push::unpair) is this for pairs; it is not in `#[kernels]` modules.
    ///
    /// ```
    /// use obsidian_rt::{Device, TypedKernel, language::*};
    ///
    /// let kernel = TypedKernel::build("signs", 64, |x: DPull<EI32>| {
    ///     x.split_up(2).as_grid_map(|x| x.push().flatten(2, |x| vec![x, -x]))
    /// })?;
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2])?;
    /// assert_eq!(kernel.launch(&device, &x)?.to_vec()?, [1, -1, 2, -2]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn flatten<U: 'static>(
        &self,
        n: u32,
        parts: impl Fn(T) -> Vec<U> + 'static,
    ) -> Push<L, U, S> {
        let (this, parts) = (self.clone(), std::rc::Rc::new(parts));
        Push::new(self.len().times(n), move |write: Writer<U>| {
            let parts = parts.clone();
            this.write_to(std::rc::Rc::new(move |x, i| {
                let start = index::mul(i, n);
                let writes = parts(x)
                    .into_iter()
                    .zip(0..)
                    .map(|(part, k)| write(part, index::add(start, k)));
                writes.fold(pure(()), |before: Program<Thread, ()>, next| {
                    before.and_then(move |()| next.clone())
                })
            }))
        })
        .stamped(self.level())
    }
}

impl<L: Hierarchy, T: 'static, S: Length> Push<L, (T, T), S> {
    /// Pairs as neighbours: two writes in one loop, and no test. The repository's `unpairP`.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn swapped(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.pair().split_up(2).as_grid_map(|x| x.map(|(a, b)| (b, a)).push()).unpair()
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 4])?;
    /// let result = example::swapped::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [2, 1, 4, 3]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn unpair(&self) -> Push<L, T, S> {
        self.flatten(2, |(x, y)| vec![x, y])
    }
}

impl<L: Hierarchy, T: 'static, S: Length> Push<L, (T, T, T), S> {
    /// Triples as neighbours: three writes in one loop, and no test.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn rgb(gray: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         gray.split_up(2).as_grid_map(|x| x.map(|g| (g, g, g + 1)).push()).untriple()
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[10, 20])?;
    /// let result = example::rgb::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [10, 10, 11, 20, 20, 21]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn untriple(&self) -> Push<L, T, S> {
        self.flatten(3, |(x, y, z)| vec![x, y, z])
    }
}

impl<L: Hierarchy, T: 'static, S: Length> Push<L, (T, T, T, T), S> {
    /// Quadruples as neighbours: four writes in one loop, and no test.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn powers(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(2).as_grid_map(|x| x.map(|x| (1, x, x * x, x * x * x)).push()).unquadruple()
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[2, 3])?;
    /// let result = example::powers::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [1, 2, 4, 8, 1, 3, 9, 27]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn unquadruple(&self) -> Push<L, T, S> {
        self.flatten(4, |(x, y, z, w)| vec![x, y, z, w])
    }
}

/// Arrays that can be interleaved.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     fn twice<A: Interleave>(array: A) -> A {
///         interleave(array, array)
///     }
///
///     #[kernel(threads = 64)]
///     pub fn doubled(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(2).as_grid_map(|x| twice(x.push()))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2])?;
/// let result = example::doubled::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [1, 1, 2, 2]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be interleaved",
    note = "two pull arrays or two push arrays of one level can"
)]
pub trait Interleave {
    /// The elements of this array at even places, those of another at odd ones.
    #[track_caller]
    fn interleave_with(&self, other: &Self) -> Self;
}

impl<T: Choice + 'static, S: Length> Interleave for Pull<T, S> {
    #[track_caller]
    fn interleave_with(&self, other: &Self) -> Self {
        let lengths = [self, other].map(|array| (array.len(), array.origin()));
        let length = common_of("interleave", &lengths);
        let (first, second) = (self.clone(), other.clone());
        flatten(
            length,
            2,
            move |i, k| {
                if k == 0 { first.at(i) } else { second.at(i) }
            },
        )
    }
}

impl<L: Hierarchy, T: 'static, S: Length> Interleave for Push<L, T, S> {
    #[track_caller]
    fn interleave_with(&self, other: &Self) -> Self {
        let length = common("interleave", &[&self.len(), &other.len()]);
        let (first, second) = (self.clone(), other.clone());
        Push::new(length.times(2), move |write: Writer<T>| {
            let odd = write.clone();
            let rest = second.write_to(std::rc::Rc::new(move |x, i| {
                odd(x, index::add(index::mul(i, 2), 1))
            }));
            let even: Writer<T> = std::rc::Rc::new(move |x, i| write(x, index::mul(i, 2)));
            first.write_to(even).and_then(move |()| rest.clone())
        })
        .stamped(self.level().or(other.level()))
    }
}

/// One array's elements at even places and another's at odd ones; both have one length. Pull arrays
/// test at each index, push arrays have two loops and no test. Paper, section 4.5.
///
/// Static lengths that differ are a compile error, dynamic ones an error of the launch.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn shuffled(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(4).as_grid_map(|x| {
///             let (front, back) = x.halve();
///             interleave(front.push(), back.push())
///         })
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 4])?;
/// let result = example::shuffled::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [1, 3, 2, 4]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn interleave<A: Interleave>(first: A, second: A) -> A {
    first.interleave_with(&second)
}
