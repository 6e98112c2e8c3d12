//! Programs: what the levels of the hierarchy do, one step after another.
//!
//! A [`Program<L, A>`](Program) is a computation at level `L` with a result `A` that exists while
//! the kernel is built. Running it writes [`Action`]s into a [`Trace`]; the actions are the paper's
//! `Program` constructors, and the tree they form is the reified program. Programs form a monad
//! ([`pure`], [`Program::and_then`]), which a test holds to its laws.

mod actions;
mod levels;
mod trace;
mod watch;

#[doc(hidden)]
pub use actions::show_any;
pub use actions::{
    allocate, assert_that, assign, assign_cell, atomic_op, break_loop, cond, declare, distr_par,
    get_cell, read, seq_for, seq_while, show, single_thread, sync, unroll,
};
#[doc(hidden)]
pub use actions::{distr_last, distr_ordered, for_all};
pub use levels::{AnyLevel, AtMost, Block, Compute, Grid, HasBelow, Hierarchy, Thread, Warp};
pub use trace::{Action, Combined, Trace, Turn};
#[doc(hidden)]
pub use trace::{
    ahead, bound_any, counter, is_open, on_its_own, open_scopes, scope, waiting, write_ahead,
};
#[doc(hidden)]
pub use watch::Watch;

use std::rc::Rc;

use crate::ir::Level;

/// A computation at level `L` whose result is an `A`.
///
/// It is a description: nothing happens until it is run into a [`Trace`], and it can be run again.
/// In a `#[kernels]` module, `?` runs a program and gives its result.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     fn sorted_pair<L: Compute>(x: Pull<EU32>) -> Program<L, Push<L, EU32>> {
///         let x = compute(x.map(|x| x + 1))?; // runs it, and gives its result
///         pure(append(singleton(x[0].min(x[1])), singleton(x[0].max(x[1]))).push())
///     }
///
///     #[kernel(threads = 64)]
///     pub fn pairs(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(2).as_grid_map(|x| exec_block(sorted_pair(x)))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[5, 3, 1, 2])?;
/// let result = example::pairs::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [4, 6, 2, 3]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[must_use = "a program does nothing until it runs: run it with `?`, or return it"]
pub struct Program<L, A> {
    run: Rc<dyn Fn(&mut Trace<L>) -> A>,
    level: Option<Level>,
    // Who drops programs natively is told by rustc.
    watch: Option<Watch>,
}

impl<L, A> Clone for Program<L, A> {
    fn clone(&self) -> Self {
        Program {
            run: self.run.clone(),
            level: self.level,
            watch: self.watch.clone(),
        }
    }
}

impl<L: Hierarchy, A: 'static> Program<L, A> {
    /// A program from the function that writes its trace.
    #[doc(hidden)]
    pub fn new(run: impl Fn(&mut Trace<L>) -> A + 'static) -> Self {
        Program {
            run: Rc::new(run),
            level: L::LEVEL,
            watch: None,
        }
    }

    /// Runs the program: its actions go into the trace.
    #[doc(hidden)]
    pub fn run(&self, trace: &mut Trace<L>) -> A {
        self.mark_used();
        self.stands_at(trace.level());
        trace.stamped(self.level, |trace| (self.run)(trace))
    }

    /// Runs the program; arrays that it stores without a name of their own are called `name`.
    #[doc(hidden)]
    pub fn run_named(&self, trace: &mut Trace<L>, name: &str) -> A {
        trace.named(name, |trace| self.run(trace))
    }

    /// The level, where it is known: always, but for [`AnyLevel`].
    #[doc(hidden)]
    pub fn level(&self) -> Option<Level> {
        self.level
    }

    /// The same with its level known.
    #[doc(hidden)]
    pub fn stamped(mut self, level: Option<Level>) -> Self {
        self.level = level.or(self.level);
        self
    }

    /// The program with a note of its use; one that has a note keeps it.
    #[doc(hidden)]
    pub fn watched(mut self, watch: impl FnOnce() -> Watch) -> Self {
        self.watch = self.watch.or_else(|| Some(watch()));
        self
    }

    /// The note of its use, if there is one.
    #[doc(hidden)]
    pub fn watch(&self) -> Option<&Watch> {
        self.watch.as_ref()
    }

    /// The program without the note of its use, and the note.
    #[doc(hidden)]
    pub fn unwatched(mut self) -> (Self, Option<Watch>) {
        let watch = self.watch.take();
        (self, watch)
    }

    /// Reports a program that the user's code runs, or declares, at another level than its own.
    /// Natively the types say so.
    #[doc(hidden)]
    pub fn stands_at(&self, place: Option<Level>) {
        let (Some(own), Some(place), Some(watch)) = (self.level, place, &self.watch) else {
            return;
        };
        if own != place && !crate::scalar::failed() {
            use crate::error::catalogue;
            let mistake = match own {
                Level::Thread => catalogue::program_of_one_thread(place.name()),
                _ => catalogue::run_at_another_level(
                    own.name(),
                    place.name(),
                    place.below().map(Level::name),
                ),
            };
            crate::scalar::with_site(watch.site(), || crate::scalar::report(mistake));
        }
    }

    /// Notes that the program is run, or is part of another one, which has its own note.
    fn mark_used(&self) {
        self.watch.iter().for_each(Watch::mark_used);
    }

    /// This program, and then the one that `next` makes of its result: the monad's bind.
    ///
    /// In a `#[kernels]` module `?` says the same, and is easier to read.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn bumped(x: MGlobal<EU32>) -> Program<Grid, ()> {
    ///         distr_par(x.len(), |b| single_thread(x.read(b).and_then(|old| x.write(b, old + 1))))
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let mut x = device.upload(&[1, 2])?;
    /// example::bumped::launch(&device, &mut x)?;
    /// assert_eq!(x.to_vec()?, [2, 3]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn and_then<B: 'static>(
        &self,
        next: impl Fn(A) -> Program<L, B> + 'static,
    ) -> Program<L, B> {
        self.mark_used();
        let first = self.clone();
        Program::new(move |trace| {
            let value = first.run(trace);
            next(value).run(trace)
        })
        .stamped(self.level)
    }

    /// This program with a function applied to its result: the functor's map.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn reversed(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(4).as_grid_map(|x| exec_block(compute(x).map(|stored| stored.reverse())))
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 4])?;
    /// let result = example::reversed::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [4, 3, 2, 1]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn map<B: 'static>(&self, f: impl Fn(A) -> B + 'static) -> Program<L, B> {
        self.mark_used();
        let first = self.clone();
        Program::new(move |trace| f(first.run(trace))).stamped(self.level)
    }

    /// This program without its result.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn counted(x: DPull<EU32>, count: MGlobal<EU32>) -> Program<Grid, ()> {
    ///         // `atomic_add` gives the old value, which nobody wants.
    ///         distr_par(x.len(), |_| single_thread(count.atomic_add(lit(0u32).unchecked(), 1).void()))
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let (x, mut count) = (device.upload(&[7, 7, 7])?, device.upload(&[0])?);
    /// example::counted::launch(&device, &x, &mut count)?;
    /// assert_eq!(count.to_vec()?, [3]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn void(&self) -> Program<L, ()> {
        self.map(|_| ())
    }

    /// The same program, said to be at another level; the front end uses it between [`AnyLevel`]
    /// and the others.
    #[doc(hidden)]
    pub fn at_level<M: Hierarchy>(&self) -> Program<M, A> {
        self.mark_used();
        let program = self.clone();
        Program::new(move |trace: &mut Trace<M>| trace.at_level(|trace| program.run(trace)))
            .stamped(self.level)
    }
}

/// The program that does nothing and gives a value: the monad's return.
///
/// It is what a function that returns a `Program` ends with, and the side of a [`cond`] that does nothing.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     fn doubled(x: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
///         pure(x.map(|x| x * 2).push())
///     }
///
///     #[kernel(threads = 64)]
///     pub fn all(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(2).as_grid_map(|x| exec_block(doubled(x)))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2])?;
/// let result = example::all::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [2, 4]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "Return")]
pub fn pure<L: Hierarchy, A: Clone + 'static>(value: A) -> Program<L, A> {
    Program::new(move |_| value.clone())
}
