//! Levels.

use super::{Error, Message, Page};
use crate::error::{Diagnostic, Kind};

errors! {
    /// # Levels
    ///
    /// Who does something is part of its type: a thread, a warp, a block, the grid.
    page "levels";

    /// Something is done at a level that cannot do it, or is given to a function of another level. A program runs where its type says, and a
    /// push array is pushed there.
    ///
    /// ```rust,ignore
    /// exec_warp(pure(chunk.push()))
    /// ```
    ///
    /// ```rust,ignore
    /// exec_block(pure(chunk.push()))
    /// ```
    mistake "wrong-level" {
        /// Something happens at a level of the hierarchy where it cannot.
        wrong_level(what: &str, found: &str, wanted: &str)
            => "{what} cannot be used at level {found}",
               "it works at {wanted}";
        /// A program of one level, and not of one thread, is run at another; `below` is the level below
        /// that one.
        run_at_another_level(own: &str, place: &str, below: Option<&str>)
            [
                let note = if below == Some(own) {
                    format!(
                        "`distr_par(n, |i| ..)` gives each {} its part",
                        own.to_lowercase()
                    )
                } else if own == "Grid" {
                    "a program at level Grid is run by a kernel or by another program at level Grid, outside of blocks".to_owned()
                } else {
                    format!(
                        "run it at level {own}, or write it for several levels: `fn f<L: Compute>(..) -> Program<L, ()>`"
                    )
                };
            ]
            => "a program at level {own} cannot be run at level {place}",
               (note);
        /// A push array of one level where a type says another.
        pushed_at_another_level(own: &str, said: &str)
            => "this push array is at level {own}, and its type says level {said}",
               (match said {
                "Grid" => "give each block a piece: `.split_up(n).as_grid_map(|chunk| chunk.push())`".to_owned(),
                _ => format!("push it at that level, `.push::<{said}>()`, or write the type `Push<{own}, ..>`"),
            });
        /// Inner arrays of a level that a function of the hierarchy cannot place.
        wrong_inner_level(function: &str, inner: &str, wanted: &str)
            [
                let example = wanted.rsplit(' ').next().unwrap_or(wanted);
                // `as_grid_map(f)` is `map(f).as_grid()`.
                let or_map = if function.starts_with("as_") && function != "as_grid_ordered" { format!(", or of `{function}_map`,") } else { String::new() };
            ]
            => "the inner arrays of `{function}`{or_map} cannot be at level {inner}",
               (match (inner, wanted) {
                _ if or_map.is_empty() && function != "as_grid_ordered" => format!("they can be at {wanted}; `exec_thread`, `exec_warp`, `exec_block` or a turbofish such as `.push::<{example}>()` say it"),
                ("Grid", _) => "inside of a block there is no grid: `as_block_map(|part| part.push::<Thread>())` shares the parts out over its threads".to_owned(),
                (_, "Block") => "give each block one: `exec_block(..)`, or `.push::<Block>()`, `reduce::<Block>(..)` and the like; several of a thread or warp in a block are `chunk.split_up(n).as_block_map(|part| ..)`".to_owned(),
                _ => format!("they can be at {wanted}; `exec_thread`, `exec_warp`, `exec_block` or a turbofish such as `.push::<{example}>()` say it"),
            });
        /// A pull array is pushed at the level of the grid.
        push_at_grid()
            => "a pull array cannot be pushed at Grid, which has no threads of its own",
               "give each block a piece first: `.split_up(n).as_grid_map(|chunk| chunk.push())`";
        /// Work is shared out over threads at the level of the grid.
        threads_at_grid(function: &str)
            => "`{function}` cannot be used at level Grid, which has no threads of its own",
               "give each block its part first: `distr_par(blocks, |block| for_all(threads, |i| ..))`";
        /// Blocks wait for each other.
        sync_at_grid()
            => "`sync` cannot be used at level Grid: blocks cannot wait for each other",
               "what has to come after all blocks is another kernel";
        /// A program of another level than the one that executes it.
        executed_at_another_level(function: &str, wanted: &str, found: &str)
            => "`{function}` executes programs at level {wanted}, and this one is at level {found}",
               (format!("`exec_{}` executes it", found.to_lowercase()));
    }

    /// Nothing says at which level the inner arrays are, and how they are laid out depends on it.
    ///
    /// ```rust,ignore
    /// chunk.split_up(32).as_block_map(|part| exec(pure(part.push())))
    /// ```
    ///
    /// ```rust,ignore
    /// chunk.split_up(32).as_block_map(|part| exec_warp(pure(part.push())))
    /// ```
    mistake "unknown-level" {
        /// The level of a push array or program is needed and not known.
        unknown_level(what: &str)
            => "the level of the inner arrays is not known here, and `{what}` needs it",
               "say it with `exec_thread(..)`, `exec_warp(..)`, `exec_block(..)` or a turbofish such as `.push::<Thread>()`";
    }

    /// `compute` at Grid: there is no memory that blocks share while a kernel runs.
    ///
    /// ```rust,ignore
    /// fn stored(arr: DPull<EI32>) -> Program<Grid, DPush<Grid, EI32>> {
    ///     let kept = compute(generate(64, |i| lit(1_i32)))?;
    ///     pure(arr.split_up(64).as_grid_map(|chunk| zip_with(|x, y| x + y, chunk, kept).push()))
    /// }
    ///
    /// #[kernel]
    /// fn k(input: DPull<EI32>) -> Program<Grid, DPush<Grid, EI32>> {
    ///     stored(input)
    /// }
    /// ```
    ///
    /// ```rust,ignore
    /// fn stored(arr: Pull<EI32>) -> Program<Block, Push<Block, EI32>> {
    ///     let kept = compute(generate(64, |i| lit(1_i32)))?;
    ///     pure(zip_with(|x, y| x + y, arr, kept).push())
    /// }
    ///
    /// #[kernel]
    /// fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
    ///     input.split_up(64).as_grid_map(|chunk| exec_block(stored(chunk)))
    /// }
    /// ```
    mistake "no-shared-memory" {
        /// `compute` at the level of the grid.
        no_shared_memory()
            => "Grid has no shared memory: `compute` stores arrays at Thread, Warp and Block only",
               "compute inside the blocks: `.as_grid_map(|chunk| exec_block(..))`";
    }

    /// `break_loop` stands where no loop of one thread is around it.
    ///
    /// ```rust,ignore
    /// mk_push::<Block, _, _>(64, |write| for_all(64, |i| {
    ///     break_loop()?;
    ///     write(chunk[i], i)
    /// }))
    /// ```
    ///
    /// ```rust,ignore
    /// mk_push::<Block, _, _>(64, |write| for_all(64, |i| {
    ///     seq_for(1, |j| cond(chunk[i] > 9, break_loop(), pure(())))?;
    ///     write(chunk[i], i)
    /// }))
    /// ```
    mistake "no-loop" {
        /// A `break_loop` that no loop is around.
        no_loop()
            => "`break_loop` leaves a loop of one thread, and there is none around it",
               "it stands in the body of a `seq_for` or `seq_while` at Thread; `cond` chooses between two programs";
    }

    /// A program of a warp, a block or the grid does what one thread does: it reads or writes single elements, chooses with `cond`, or calls a
    /// function that gives a `Program<Thread, _>`. Which thread is it?
    ///
    /// ```rust,ignore
    /// fn counted(arr: Pull<EI32>) -> Program<Block, Push<Block, EI32>> {
    ///     let counts = to_mutable(arr)?;
    ///     counts.write(0, lit(1_i32))?;
    ///     pure(counts.push())
    /// }
    ///
    /// #[kernel(threads = 64)]
    /// fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
    ///     input.split_up(64).as_grid_map(|chunk| exec_block(counted(chunk)))
    /// }
    /// ```
    ///
    /// ```rust,ignore
    /// fn counted(arr: Pull<EI32>) -> Program<Block, Push<Block, EI32>> {
    ///     let counts = to_mutable(arr)?;
    ///     single_thread(counts.write(0, lit(1_i32)))?;
    ///     pure(counts.push())
    /// }
    ///
    /// #[kernel(threads = 64)]
    /// fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
    ///     input.split_up(64).as_grid_map(|chunk| exec_block(counted(chunk)))
    /// }
    /// ```
    mistake "step-of-one-thread" {
        /// A step of one thread in a program of a warp, a block or the grid.
        step_of_one_thread(what: &str, level: &str)
            => "{what} is done by one thread, and this program is at level {level}",
               "say which thread: `for_all(n, |i| ..)` for all of them, `single_thread(..)` for one; what they find out is seen by others in an array";
        /// A program of one thread is run at another level.
        program_of_one_thread(level: &str)
            => "this is done by one thread, and the program around it is at level {level}",
               (match level {
                "Grid" => "give each thread its part: `distr_par(blocks, |block| for_all(threads, |i| ..))`",
                _ => "say which thread: `for_all(n, |i| ..)` for all of them, `single_thread(..)` for one; what they find out is seen by others in an array",
            });
    }

    /// Work that all threads of a level do together stands under a condition, or in a loop, on which they do not agree. Some of them would wait for ever. The language cannot say it today: what a program at Warp or Block decides by is the same for all its threads.
    mistake "divergent" {
        /// Threads that have to wait for each other do not all come.
        divergent(what: &str, level: &str, inside: &str)
            => "{what} is not the same for all threads of a {level}, and {inside} inside needs all of them",
               "decide by what all of them agree on: a length, an argument, or an element of an array that the level has stored";
    }

    /// `earlier` is what a block finds of all blocks before it. All blocks ask for it, once, so it stands directly in the function of
    /// `as_grid_ordered`: not below a condition, and not in a loop.
    ///
    /// ```rust,ignore
    /// fn shifted(tile: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
    ///     let sum = compute(reduce(|a, b| a + b, tile.clone()))?;
    ///     let before = earlier(|a, b| a + b, 0, sum)?;
    ///     pure(tile.map(|x| before[0] + x).push())
    /// }
    ///
    /// #[kernel]
    /// fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
    ///     input.split_up(64).as_grid_map(|tile| exec_block(shifted(tile)))
    /// }
    /// ```
    ///
    /// ```rust,ignore
    /// fn shifted(tile: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
    ///     let sum = compute(reduce(|a, b| a + b, tile.clone()))?;
    ///     let before = earlier(|a, b| a + b, 0, sum)?;
    ///     pure(tile.map(|x| before[0] + x).push())
    /// }
    ///
    /// #[kernel]
    /// fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
    ///     input.split_up(64).as_grid_ordered(|tile| exec_block(shifted(tile)))
    /// }
    /// ```
    mistake "earlier-elsewhere" {
        /// `earlier` in blocks that have no order.
        earlier_without_order()
            => "`earlier` stands where blocks have no order",
               "give each block a piece by `as_grid_ordered`, in place of `as_grid_map`: `.as_grid_ordered(|piece| exec_block(f(piece)))`";
        /// `earlier` below a condition, or in a loop or a work of the block.
        earlier_inside()
            => "`earlier` stands below a condition, in a loop, or in a part of the block, and not all blocks would ask once",
               "write it directly in the function of `as_grid_ordered`, and use what it gives where it is wanted";
        /// `earlier` twice.
        earlier_twice()
            => "`earlier` stands twice for the same blocks",
               "give both at once, as pairs: `earlier(|a, b| (a.0 + b.0, a.1.max(b.1)), (0, 0), zip(x, y))`";
        /// `as_grid_ordered` somewhere else than in the kernel itself.
        ordered_again()
            => "`as_grid_ordered` stands in a loop, below a condition, or inside of a block",
               "write it directly in the kernel: its blocks follow each other once a launch";
    }

    /// All blocks combine what those before them have in the same way: the function and the initial value of `earlier` are the same for all. What a
    /// block has for later ones is computed of inputs and of what the block has stored.
    ///
    /// ```rust,ignore
    /// fn shifted(tile: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
    ///     let before = earlier(|a, b| a + b, tile[0], singleton(tile[1]))?;
    ///     pure(tile.map(|x| before[0] + x).push())
    /// }
    ///
    /// #[kernel]
    /// fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
    ///     input.split_up(64).as_grid_ordered(|tile| exec_block(shifted(tile)))
    /// }
    /// ```
    ///
    /// ```rust,ignore
    /// fn shifted(tile: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
    ///     let before = earlier(|a, b| a + b, 0, singleton(tile[1]))?;
    ///     pure(generate(64, |i| before[0] + tile[0] + tile[i]).push())
    /// }
    ///
    /// #[kernel]
    /// fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
    ///     input.split_up(64).as_grid_ordered(|tile| exec_block(shifted(tile)))
    /// }
    /// ```
    mistake "earlier-differs" {
        /// The operator or the initial value of `earlier` depends on the block.
        earlier_differs()
            => "the function or the initial value of `earlier` depends on the block",
               "make them of numbers, arguments and fixed elements of inputs; what is of the block goes into its elements, or is combined behind `earlier`";
        /// What `earlier` is given is computed of what the block writes into the kernel's arrays.
        earlier_changes(array: &str)
            => "what `earlier` is given depends on a change of `{array}`",
               "compute it of inputs and stored arrays, and change the array behind `earlier`";
    }

    /// The device has no such atomic operation for the type of the elements.
    ///
    /// ```rust,ignore
    /// #[kernel]
    /// fn k(input: DPull<EU32>, counts: MGlobal<EU8>) -> Program<Grid, ()> {
    ///     distr_par(1, |b| for_all(64, |i| counts.atomic_add(input[i] % 8, 1).void()))
    /// }
    /// ```
    ///
    /// ```rust,ignore
    /// #[kernel]
    /// fn k(input: DPull<EU32>, counts: MGlobal<EU32>) -> Program<Grid, ()> {
    ///     distr_par(1, |b| for_all(64, |i| counts.atomic_add(input[i] % 8, 1).void()))
    /// }
    /// ```
    mistake "no-atomic" {
        /// An atomic operation that the device does not have for a type.
        no_atomic(op: &str, ty: &str, types: &str)
            => "there is no `{op}` for elements of type {ty}",
               "it works on {types}";
    }

    /// An array that belongs to one thread needs no atomic operation.
    ///
    /// ```rust,ignore
    /// fn counted(arr: Pull<EI32>) -> Program<Thread, Push<Thread, EI32>> {
    ///     let sums = to_mutable(arr)?;
    ///     sums.atomic_add(0, 1)?;
    ///     pure(sums.push())
    /// }
    ///
    /// #[kernel]
    /// fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
    ///     input.split_up(64).as_grid_map(|chunk| chunk.split_up(8).as_block_map(|part| exec_thread(counted(part))))
    /// }
    /// ```
    ///
    /// ```rust,ignore
    /// fn counted(arr: Pull<EI32>) -> Program<Thread, Push<Thread, EI32>> {
    ///     let sums = to_mutable(arr)?;
    ///     let first = sums.read(0)?;
    ///     sums.write(0, first + 1)?;
    ///     pure(sums.push())
    /// }
    ///
    /// #[kernel]
    /// fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
    ///     input.split_up(64).as_grid_map(|chunk| chunk.split_up(8).as_block_map(|part| exec_thread(counted(part))))
    /// }
    /// ```
    mistake "atomic-of-one-thread" {
        /// An atomic operation on what only one thread can see.
        atomic_of_one_thread(name: &str)
            => "the mutable array `{name}` belongs to one thread, and needs no atomic operations",
               "use `read` and `write`, or make the array at Warp or Block";
    }
}
