//! Limits.

use super::{Error, Message, Page};
use crate::error::{Diagnostic, Kind};

errors! {
    /// # Limits
    ///
    /// What a GPU has, what a compiler should spend, and what this version does not do yet.
    page "limits";

    /// The arrays that are stored at the same time need more shared memory than a block has. The message has the largest of them.
    ///
    /// ```rust,ignore
    /// fn twice(arr: Pull<EI32>) -> Program<Block, Push<Block, EI32>> {
    ///     let first = compute(arr.map(|x| x + 1))?;
    ///     let second = compute(first.reverse())?;
    ///     pure(zip_with(|x, y| x * y, first, second).reverse().push())
    /// }
    ///
    /// #[kernel(threads = 64)]
    /// fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
    ///     input.split_up(8192).as_grid_map(|chunk| exec_block(twice(chunk)))
    /// }
    /// ```
    ///
    /// ```rust,ignore
    /// fn twice(arr: Pull<EI32>) -> Program<Block, Push<Block, EI32>> {
    ///     let first = compute(arr.map(|x| x + 1))?;
    ///     let second = compute(first.reverse())?;
    ///     pure(zip_with(|x, y| x * y, first, second).reverse().push())
    /// }
    ///
    /// #[kernel(threads = 64)]
    /// fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
    ///     input.split_up(4096).as_grid_map(|chunk| exec_block(twice(chunk)))
    /// }
    /// ```
    limit "out-of-shared" {
        /// Shared memory is exhausted.
        out_of_shared(needed: u32, limit_bytes: u32, most: u32, largest: &[(String, u32)])
            [
                let list = largest
                .iter()
                .map(|(name, bytes)| format!("`{name}` with {bytes} bytes"))
                .collect::<Vec<_>>()
                .join(", ");
            ]
            => "this kernel needs {needed} bytes of shared memory, and a block has {limit_bytes}",
               "the largest arrays that are stored at the same time: {list}",
               "work on smaller pieces, or store fewer arrays at the same time",
               (if needed <= most {
                format!("`#[kernel(shared_bytes = {needed})]` asks for so much, and the kernel runs only on GPUs that have it")
            } else {
                format!("no GPU gives a block more than {most}")
            });
    }

    /// A block has between 1 and 1,024 threads. Longer arrays need no more: they are worked through in rounds.
    ///
    /// ```rust,ignore
    /// #[kernel(threads = 2000)]
    /// fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
    ///     input.split_up(64).as_grid_map(|chunk| chunk.push())
    /// }
    /// ```
    ///
    /// ```rust,ignore
    /// #[kernel(threads = 1000)]
    /// fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
    ///     input.split_up(2000).as_grid_map(|chunk| chunk.push())
    /// }
    /// ```
    mistake "bad-threads" {
        /// The number of threads per block is out of range.
        bad_threads(threads: i128)
            => "a block has between 1 and 1024 threads, not {threads}",
               "larger arrays need no more threads: they are worked through in rounds";
    }

    /// `shared_bytes` is how many bytes of shared memory a block may use: 49,152 where nothing is said, which every GPU has, and up to 232,448, the
    /// most that any has. A kernel that needs more than 49,152 runs on the GPUs that have it; a launch on another one is refused with the bytes that
    /// it has.
    ///
    /// ```rust,ignore
    /// #[kernel(shared_bytes = 1000000)]
    /// fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
    ///     input.split_up(64).as_grid_map(|chunk| chunk.push())
    /// }
    /// ```
    ///
    /// ```rust,ignore
    /// #[kernel(shared_bytes = 65536)]
    /// fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
    ///     input.split_up(64).as_grid_map(|chunk| chunk.push())
    /// }
    /// ```
    mistake "bad-shared-bytes" {
        /// The limit of shared memory is none that a GPU could have.
        bad_shared_bytes(found: &str, usual: u32, most: u32)
            => "`shared_bytes` is a number of bytes up to {most}, not `{found}`",
               "every GPU has {usual} for a block, which is the default; some have more, up to {most}";
    }

    /// `min_blocks` is how many blocks a multiprocessor should be able to hold at once, 1 to 32: nvcc bounds the registers of a thread accordingly. A
    /// multiprocessor holds at most 2,048 threads, and a block takes whole warps of them, so `min_blocks` times the threads of a block, rounded up to
    /// warps, is at most 2,048. That must hold for each number of threads where `#[kernel]` lists several.
    ///
    /// ```rust,ignore
    /// #[kernel(threads = 512, min_blocks = 8)]
    /// fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
    ///     input.split_up(64).as_grid_map(|chunk| chunk.push())
    /// }
    /// ```
    ///
    /// ```rust,ignore
    /// #[kernel(threads = 512, min_blocks = 4)]
    /// fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
    ///     input.split_up(64).as_grid_map(|chunk| chunk.push())
    /// }
    /// ```
    mistake "bad-min-blocks" {
        /// The blocks that a multiprocessor has to hold at once have more threads than it holds.
        min_blocks_too_large(blocks: i128, threads: u32, whole: u32, most: u32)
            [
                let in_warps = if whole == threads {
                    String::new()
                } else {
                    format!(", {whole} in whole warps,")
                };
                let all = i128::from(whole) * blocks;
            ]
            => "{blocks} blocks of {threads} threads{in_warps} are {all} threads, and a multiprocessor holds at most {most} at once",
               (format!(
                "with {threads} threads a block, `min_blocks` is at most {}",
                most / whole
               ));
        /// A number of blocks that no multiprocessor holds at once, or no number.
        bad_min_blocks(found: &str, most: u32)
            => "`min_blocks` is a number of blocks from 1 to {most}, not `{found}`",
               "it is how many blocks a multiprocessor should be able to hold at once: a thread gets no more registers than that allows";
    }

    /// A loop is unrolled by no rounds, or by more than 1024. 1 keeps a loop as it is; without `unroll` the compiler of the CUDA text decides.
    ///
    /// ```rust,ignore
    /// input.split_up(64).as_grid_map(|chunk| chunk.push::<Block>().unroll(0))
    /// ```
    ///
    /// ```rust,ignore
    /// input.split_up(64).as_grid_map(|chunk| chunk.push::<Block>().unroll(4))
    /// ```
    mistake "bad-unroll" {
        /// A loop that is to be unrolled by no number of rounds, or by very many.
        bad_unroll(rounds: u32, most: u32)
            => "a loop is unrolled by 1 to {most} rounds, not by {rounds}",
               "1 keeps the loop as it is; without `unroll` the compiler decides";
    }

    /// An array would have more elements than a `u32` can count.
    ///
    /// ```rust,ignore
    /// #[kernel]
    /// fn k() -> DPush<Grid, EU32> {
    ///     generate((lit(70000_u32), lit(70000_u32)), |(y, x)| y + x).cover(16, 16).as_grid_map(|t| t.push()).flat()
    /// }
    /// ```
    ///
    /// ```rust,ignore
    /// #[kernel]
    /// fn k() -> DPush<Grid, EU32> {
    ///     generate((lit(8000_u32), lit(8000_u32)), |(y, x)| y + x).cover(16, 16).as_grid_map(|t| t.push()).flat()
    /// }
    /// ```
    limit "too-many-elements" {
        /// An array that no memory holds.
        too_many_elements()
            => "an array has at most 4,294,967,295 elements";
    }

    /// An element has at most 8 fields. Tuples may be in tuples.
    ///
    /// ```rust,ignore
    /// #[kernel]
    /// fn k(input: DPull<EI32>) -> DPush<Grid, (EI32, EI32, EI32, EI32, EI32, EI32, EI32, EI32, EI32)> {
    ///     input.map(|x| (x, x, x, x, x, x, x, x, x)).split_up(64).as_grid_map(|chunk| chunk.push())
    /// }
    /// ```
    ///
    /// ```rust,ignore
    /// #[kernel]
    /// fn k(input: DPull<EI32>) -> DPush<Grid, (EI32, EI32, EI32, EI32, EI32, EI32, EI32, EI32)> {
    ///     input.map(|x| (x, x, x, x, x, x, x, x)).split_up(64).as_grid_map(|chunk| chunk.push())
    /// }
    /// ```
    mistake "too-many-fields" {
        /// An element with more fields than an array has.
        too_many_fields(fields: usize)
            => "an element has at most 8 fields, and this tuple has {fields}",
               "put tuples into the tuple, or use several arrays";
    }

    /// Calls are 400 deep. A recursion ends at a length that is known while the kernel is built.
    ///
    /// ```rust,ignore
    /// fn again(arr: Pull<EI32>) -> Program<Block, Push<Block, EI32>> {
    ///     let arr = compute(arr)?;
    ///     again(arr)
    /// }
    ///
    /// #[kernel(threads = 64)]
    /// fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
    ///     input.split_up(64).as_grid_map(|chunk| exec_block(again(chunk)))
    /// }
    /// ```
    ///
    /// ```rust,ignore
    /// fn again(arr: Pull<EI32>) -> Program<Block, Push<Block, EI32>> {
    ///     if arr.len() == 1 {
    ///         return pure(arr.push());
    ///     }
    ///     let arr = compute(arr.take(arr.len() / 2))?;
    ///     again(arr)
    /// }
    ///
    /// #[kernel(threads = 64)]
    /// fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
    ///     input.split_up(64).as_grid_map(|chunk| exec_block(again(chunk)))
    /// }
    /// ```
    limit "endless-recursion" {
        /// A recursion that goes too deep.
        endless_recursion(name: &str, depth: u32)
            => "the recursion of `{name}` does not end: it is {depth} calls deep",
               "kernel functions run while the kernel is built; let the recursion stop at a static length, for example `if arr.len() == 1`; `select` computes both of its values, so it stops no recursion";
    }

    /// Building the kernel takes too many steps. A loop that is to run on the device is `seq_for`, `for_all` or a sequential reduction; one that runs while the kernel is built has to end.
    ///
    /// ```rust,ignore
    /// loop {}
    /// chunk.push()
    /// ```
    ///
    /// ```rust,ignore
    /// for _ in 0..3 {}
    /// chunk.push()
    /// ```
    limit "endless-loop" {
        /// A build that takes too many steps.
        endless_loop()
            => "building this kernel takes more than 1,000,000 steps: does this end?",
               "loops and functions run while the kernel is built; a loop of the device is `seq_for`, `for_all` or a sequential reduction";
    }

    /// Arrays are computed from one another, more than once each, over many stages: the work doubles with every stage. A stored array is computed once.
    ///
    /// ```rust,ignore
    /// let mut arr = chunk;
    /// for _ in 0..40 {
    ///     arr = zip_with(|x, y| x + y, arr, arr.reverse());
    /// }
    /// arr.push()
    /// ```
    ///
    /// ```rust,ignore
    /// let mut arr = chunk;
    /// for _ in 0..4 {
    ///     arr = zip_with(|x, y| x + y, arr, arr.reverse());
    /// }
    /// arr.push()
    /// ```
    limit "too-much-work" {
        /// A build whose arrays and programs are asked for again and again.
        too_much_work()
            => "building this kernel takes too long: its arrays are computed from one another again and again",
               "store an array that is read in more than one place: `let arr = compute(arr)?;`";
    }

    /// A loop of the host writes its body into the kernel once for every round. It may do so 100,000 times, but building a kernel ends at 1,000,000 expressions, which bounds its memory. `seq_for`, `for_all` and `seq_iterate` are loops of the device, whose body is there once.
    ///
    /// ```rust,ignore
    /// chunk.map(|x| {
    ///     let mut y = x;
    ///     for i in 0..500_000 {
    ///         y = y * 3 + i;
    ///     }
    ///     y
    /// }).push()
    /// ```
    ///
    /// ```rust,ignore
    /// chunk.map(|x| {
    ///     let mut y = x;
    ///     for i in 0..20 {
    ///         y = y * 3 + i;
    ///     }
    ///     y
    /// }).push()
    /// ```
    limit "too-large" {
        /// A build that makes too many expressions.
        too_large()
            => "building this kernel makes more than 1,000,000 expressions: does this end?",
               "a loop of the host writes its body once for every round: `seq_for` and `for_all` are loops of the device";
    }

    /// Closures call one another 10,000 deep.
    ///
    /// ```rust,ignore
    /// let mut f = fun(|x| x);
    /// for _ in 0..11_000 {
    ///     let before = f;
    ///     f = fun(|x| before(x) + 1);
    /// }
    /// chunk.map(|x| f(x)).push()
    /// ```
    ///
    /// ```rust,ignore
    /// let mut f = fun(|x| x);
    /// for _ in 0..11 {
    ///     let before = f;
    ///     f = fun(|x| before(x) + 1);
    /// }
    /// chunk.map(|x| f(x)).push()
    /// ```
    limit "nested-closures" {
        /// Closures that call each other too deep.
        nested_closures(depth: u32)
            => "closures call each other {depth} deep: operations on operations on an array",
               "store the array on the way: `let arr = compute(arr)?;`";
    }

    /// Brackets, or what nests without them, are deeper than the parser's stack allows, or an expression is too long a chain. Names for the parts make it shorter, and easier to read.
    ///
    /// ```rust,ignore
    /// chunk.map(|x| x + (((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((1)))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))).push()
    /// ```
    ///
    /// ```rust,ignore
    /// chunk.map(|x| x + (((1)))).push()
    /// ```
    limit "too-deep" {
        /// Tokens nested too deep, or chained too long.
        too_deep(what: &str, limit: usize)
            => "{what} goes beyond {limit}",
               "give parts of it names with `let`, or make them functions";
        /// An expression whose parts are nested in each other without brackets.
        too_long()
            => "this expression is too deep: too many operators, calls and keywords build on one another",
               "give parts of it names with `let`, or make them functions";
    }

    /// A length, or a number of blocks, has to be worked out at launch from the lengths and arguments that it is given, by `+ - * / %`, `min` and `max`.
    /// Every round of a loop of the grid (`seq_for::<Grid>`) has the same number of blocks: what a round does not need is left out by a condition in the
    /// thread.
    ///
    /// ```rust,ignore
    /// #[kernel]
    /// fn k(n: EU32) -> DPush<Grid, EU32> {
    ///     generate(n ^ 1, |i| i).chunks(64, lit(0_u32)).as_grid_map(|chunk| chunk.push()).padded()
    /// }
    /// ```
    ///
    /// ```rust,ignore
    /// #[kernel]
    /// fn k(n: EU32) -> DPush<Grid, EU32> {
    ///     generate(n + 1, |i| i).chunks(64, lit(0_u32)).as_grid_map(|chunk| chunk.push()).take(n)
    /// }
    /// ```
    limit "length-not-a-formula" {
        /// `require` got what only the kernel knows.
        no_precondition()
            => "`require` is about what a launch knows, and this is known only when the kernel runs",
               "lengths of parameters, arguments and their sums, products and quotients are known at launch: `require(x.len().equals(y.len()))`";
        /// The number of blocks differs between the rounds of a loop of the grid.
        blocks_of_a_round()
            => "the number of blocks depends on the counter of the loop around it, so it cannot be worked out at launch",
               "take as many blocks in every round, and leave out what a round does not need in the thread: `for_all(n, |i| cond(b < blocks - round, .., pure(())))`";
        /// A length that a launch cannot work out.
        not_a_formula(why: &str)
            => "a length or a number of blocks cannot be worked out at launch: it {why}",
               "it may use the lengths of the parameters, `u32` arguments, numbers, and `+ - * / % min max`";
    }

    /// A module uses more than 48 kernels modules, those behind them among them. Put functions that are used together into one.
    limit "too-many-modules" {
        /// A module that uses too many others.
        too_many_modules(most: usize)
            => "this module uses more than {most} kernel modules, those behind them among them",
               "put functions that are used together into one module";
    }

    /// `OBSIDIAN_DUMP` names a folder that cannot be written.
    mistake "dump-not-written" {
        /// The folder for the stages cannot be written.
        dump_not_written(folder: &str, error: &str)
            => "the stages cannot be written to `{folder}`: {error}",
               "name a folder that can be written, or leave the dump out";
    }

    /// The compiler found a fault of its own. Please report it, with the module.
    bug "bug" {
        /// A defect of the compiler, which no input should be able to cause.
        bug(message: impl Into<String>)
            => (message);
    }
}
