//! Races, holes and bounds.

use super::{Error, Message, Page};
use crate::error::{Diagnostic, Kind};

errors! {
    /// # Races, holes and bounds
    ///
    /// These are found by proof and by enumerating the threads of a kernel while it is compiled. What cannot be proved is an error, unless you promise it: `i.unchecked()` vouches
    /// that an index is below the length of its array, and `i.distinct()` promises that no other access has the index, as for ranks and permutations. Each
    /// promises that alone; `i.unchecked().distinct()` promises both. The simulator checks promises when the kernel runs.
    page "checks";

    /// An element of an array that is written once would be written twice. The message has an example.
    ///
    /// ```rust,ignore
    /// chunk.push().ix_map(|i| i / 2)
    /// ```
    ///
    /// ```rust,ignore
    /// chunk.push().ix_map(|i| 63 - i)
    /// ```
    mistake "written-twice" {
        /// An element of an array that is written once is written twice.
        written_twice(array: &str, element: u64, [first, second]: [&str; 2], when: &str)
            => (if first == second {
                format!("{first} writes element {element} of {array} twice{when}")
            } else {
                format!("{first} and {second} both write element {element} of {array}{when}")
            }),
               "each element of a push array is written exactly once: `ix_map` takes a permutation, and `mk_push` one write for each index"
            then |found| match when.contains(" has 0 elements") {
                false => found,
                true => found.note("if no launch has so few elements, say so where the kernel begins, for example `require(input.len().at_least(3))`"),
            };
    }

    /// An element of an array is never written.
    ///
    /// ```rust,ignore
    /// chunk.take(63).push().set_len(64)
    /// ```
    ///
    /// ```rust,ignore
    /// chunk.take(63).push()
    /// ```
    mistake "never-written" {
        /// An element of an array that is written once is not written.
        never_written(array: &str, element: u64, length: &str, when: &str)
            => "nothing writes element {element} of {array}, which has {length}{when}",
               "each element of a push array is written exactly once: `ix_map` takes a permutation, and `mk_push` one write for each index";
    }

    /// Where elements are written depends on data, so that no proof shows that each is written once. If you know that the indices are distinct, promise it with
    /// `i.distinct()` in all places that write. Then the compiler has to prove only that there are as many writes as elements; a write under a condition
    /// that depends on data may be left out, so the promise does not help there.
    ///
    /// ```rust,ignore
    /// mk_push::<Block, _, _>(64, |write| for_all(64, |i| cond(chunk[i] == 0, write(chunk[i], i), pure(()))))
    /// ```
    ///
    /// ```rust,ignore
    /// mk_push::<Block, _, _>(64, |write| for_all(64, |i| write(select(chunk[i] == 0, lit(1_i32), chunk[i]), i)))
    /// ```
    mistake "maybe-not-once" {
        /// The compiler cannot prove that each element of an array is written exactly once.
        ///
        /// `enough`: there are as many writes as elements. `several`: the kernel writes the array in several
        /// places.
        maybe_not_once(array: &str, enough: bool, several: bool)
            => "cannot prove that each element of {array} is written exactly once",
               "write at an index that is computed from loop counters and lengths alone, such that it is a permutation",
               (match (enough, several) {
                (true, true) => "if you know that the indices are distinct, promise it in all places that write: `i.distinct()`".to_owned(),
                (true, false) => promise(false),
                (false, _) => "nor can it be proved that there are as many writes as elements, so some may be left out: if that is meant, write a mutable array, whose other elements keep their values (`new_shared_mutable`, `MGlobal`)".to_owned(),
            });
    }

    /// An index is outside of its array for some thread. The message has an example. If the kernel is right for the launches that you have in mind, such as
    /// two arrays of one length, the message has the line that asks each launch for it: `require(y.len().equals(x.len()))`.
    ///
    /// ```rust,ignore
    /// generate(64, |i| chunk[i] + chunk[i + 1]).push()
    /// ```
    ///
    /// ```rust,ignore
    /// generate(64, |i| chunk[i] + chunk[(i + 1) % 64]).push()
    /// ```
    mistake "outside-when-run" {
        /// An index is outside of its array when the kernel runs.
        outside_when_run(who: &str, verb: &str, element: u64, array: &str, length: &str, when: &str)
            => "{who} {verb} element {element} of {array}, which has {length}{when}",
               (match element > u64::from(u32::MAX / 2) {
                true => "the index is below 0 there, and wraps around: `select(i > 0, arr[i - 1], other)`, or `arr[i.max(1) - 1]`",
                false => "keep the index below the length: `i % n`, `i.min(n - 1)`, or `select(i < n, arr[i], other)`",
            });
    }

    /// An index depends on data, and nothing keeps it below the length. The message has the inequality that could not be proved. If you know that it holds,
    /// vouch for it with `i.unchecked()`.
    ///
    /// ```rust,ignore
    /// chunk.map(|x| chunk[x as u32]).push()
    /// ```
    ///
    /// ```rust,ignore
    /// chunk.map(|x| chunk[x as u32 % 64]).push()
    /// ```
    mistake "maybe-outside" {
        /// The compiler cannot prove that an index is inside its array; `unproved` is the inequality that
        /// is needed.
        maybe_outside(array: &str, verb: &str, unproved: Option<&str>)
            [
                let what = format!("cannot prove that this {verb} only elements that {array} has");
                let why = unproved.map_or(String::new(), |why| format!(": `{why}` is needed"));
            ]
            => (what + &why),
               "keep the index below the length: `i % n`, `i.min(n - 1)`, or `select(i < n, arr[i], other)`",
               (VOUCH);
    }

    /// Two threads access the same element, one of them writing, with no barrier in between.
    ///
    /// ```rust,ignore
    /// fn halves(arr: Pull<EI32>) -> Program<Block, Push<Block, EI32>> {
    ///     let sums = new_shared_mutable(32, lit(0_i32))?;
    ///     for_all(64, |i| sums.write(i / 2, arr[i]))?;
    ///     pure(sums.push())
    /// }
    ///
    /// #[kernel(threads = 64)]
    /// fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
    ///     input.split_up(64).as_grid_map(|chunk| exec_block(halves(chunk)))
    /// }
    /// ```
    ///
    /// ```rust,ignore
    /// fn halves(arr: Pull<EI32>) -> Program<Block, Push<Block, EI32>> {
    ///     let sums = new_shared_mutable(32, lit(0_i32))?;
    ///     for_all(64, |i| sums.atomic_add(i / 2, arr[i]).void())?;
    ///     pure(sums.push())
    /// }
    ///
    /// #[kernel(threads = 64)]
    /// fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
    ///     input.split_up(64).as_grid_map(|chunk| exec_block(halves(chunk)))
    /// }
    /// ```
    mistake "race" {
        /// Two threads race on one element; `who` are the threads, warps or blocks that do not wait.
        race(array: &str, element: u64, [first, second]: [&str; 2], [one, other]: [&str; 2], when: &str, who: &str)
            [
                let instead = match who {
                    "blocks" => "a second kernel".to_owned(),
                    _ => format!("a second loop over the {who}"),
                };
            ]
            => "{first} {one} element {element} of {array}, and {second} {other} it at the same time{when}",
               "{who} of one loop do not wait for each other: use `atomic_*`, or {instead} for what depends on the first access";
    }

    /// Where threads write depends on data, so that no proof keeps them apart. If you know that the indices are distinct, promise it with `i.distinct()`, in both
    /// places where there are two.
    ///
    /// ```rust,ignore
    /// fn scattered(arr: Pull<EI32>) -> Program<Block, Push<Block, EI32>> {
    ///     let places = new_shared_mutable(64, lit(0_i32))?;
    ///     for_all(64, |i| places.write(arr[i] as u32 % 64, arr[i]))?;
    ///     pure(places.push())
    /// }
    ///
    /// #[kernel(threads = 64)]
    /// fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
    ///     input.split_up(64).as_grid_map(|chunk| exec_block(scattered(chunk)))
    /// }
    /// ```
    ///
    /// ```rust,ignore
    /// fn scattered(arr: Pull<EI32>) -> Program<Block, Push<Block, EI32>> {
    ///     let places = new_shared_mutable(64, lit(0_i32))?;
    ///     for_all(64, |i| places.atomic_max(arr[i] as u32 % 64, arr[i]).void())?;
    ///     pure(places.push())
    /// }
    ///
    /// #[kernel(threads = 64)]
    /// fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
    ///     input.split_up(64).as_grid_map(|chunk| exec_block(scattered(chunk)))
    /// }
    /// ```
    mistake "maybe-race" {
        /// The compiler cannot prove that no two threads access the same element; `same` if both threads
        /// execute the same access.
        maybe_race(array: &str, who: &str, [one, other]: [&str; 2], same: bool)
            => "cannot prove that no two {who} access the same element of {array}: one {one} it, and another {other} it",
               "use `atomic_*`, or an index that is computed from loop counters and lengths alone and differs for each of them",
               (promise(!same));
    }

    /// `hold` keeps each element in a register of the thread that has computed it. In a block, no other thread can read it there. `compute` stores an
    /// array where all threads of the block can read it.
    ///
    /// ```rust,ignore
    /// fn turned(arr: Pull<EI32>) -> Program<Block, Push<Block, EI32>> {
    ///     let kept = hold(arr)?;
    ///     pure(kept.reverse().push())
    /// }
    ///
    /// #[kernel(threads = 64)]
    /// fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
    ///     input.split_up(64).as_grid_map(|chunk| exec_block(turned(chunk)))
    /// }
    /// ```
    ///
    /// ```rust,ignore
    /// fn turned(arr: Pull<EI32>) -> Program<Block, Push<Block, EI32>> {
    ///     let kept = compute(arr)?;
    ///     pure(kept.reverse().push())
    /// }
    ///
    /// #[kernel(threads = 64)]
    /// fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
    ///     input.split_up(64).as_grid_map(|chunk| exec_block(turned(chunk)))
    /// }
    /// ```
    mistake "not-own" {
        /// An access of an element that another thread holds.
        not_own(array: &str, level: &str, is_read: bool) [let done = if is_read { "reads" } else { "writes" };]
            => "cannot prove that each thread of the {level} {done} only the elements of `{array}` that it holds itself",
               (match is_read {
                true => "`compute` stores an array in shared memory, where all threads can read it; `exchange` changes the layout of a held array",
                false => "`compute` stores an array in shared memory, where all threads can write it; `hold` wants iteration `i` to give element `i`",
            });
    }

    /// The lanes of a warp take elements from each other's registers, all of them at the same time. Here a lane does so in a loop that it leaves on its own, so that
    /// others may go on alone. Read the element before the loop, or store the array with `compute`.
    ///
    /// ```rust,ignore
    /// fn found(arr: Pull<EI32>) -> Program<Warp, Push<Warp, EU32>> {
    ///     let kept = hold(arr)?;
    ///     let first = |i| exec_thread_value(seq_until(|j| (j + 1) % 32, |j| kept[j % 32] != 0, i));
    ///     pure(generate(32, first).as_warp())
    /// }
    ///
    /// #[kernel(threads = 32)]
    /// fn k(input: DPull<EI32>) -> DPush<Grid, EU32> {
    ///     input.split_up(64).as_grid_map(|chunk| chunk.split_up(32).as_block_map(|run| exec_warp(found(run))))
    /// }
    /// ```
    ///
    /// ```rust,ignore
    /// fn found(arr: Pull<EI32>) -> Program<Warp, Push<Warp, EU32>> {
    ///     let kept = compute(arr)?;
    ///     let first = |i| exec_thread_value(seq_until(|j| (j + 1) % 32, |j| kept[j % 32] != 0, i));
    ///     pure(generate(32, first).as_warp())
    /// }
    ///
    /// #[kernel(threads = 32)]
    /// fn k(input: DPull<EI32>) -> DPush<Grid, EU32> {
    ///     input.split_up(64).as_grid_map(|chunk| chunk.split_up(32).as_block_map(|run| exec_warp(found(run))))
    /// }
    /// ```
    mistake "divergent-collective" {
        /// A read of another lane's register that not all lanes come to.
        divergent_collective(array: &str)
            => "lanes take elements of `{array}` from each other here, in a loop that may end sooner for some lanes than for others",
               "read the element before the loop, or store the array with `compute`";
    }

    /// Two loops over blocks, or two rounds of a loop of the grid around one, access one element of a buffer, and one of them writes it. Blocks never
    /// wait for each other, and no barrier stands between two loops over blocks. So what the later loop needs from the earlier one is a second kernel:
    /// its launch begins when the first one has ended. Two loops are in order where the same block and the same thread access the element in both.
    ///
    /// ```rust,ignore
    /// #[kernel(threads = 64)]
    /// fn k(io: MGlobal<EU32>, out: MGlobal<EU32>) -> Program<Grid, ()> {
    ///     let n = io.len().min(out.len()) / 64;
    ///     distr_par(n, |b| for_all(64, |i| io.write(b * 64 + i, b * 1000 + i)))?;
    ///     distr_par(n, |b| for_all(64, |i| {
    ///         let x = io.read(b * 64 + 63 - i)?;
    ///         out.write(b * 64 + i, x)
    ///     }))
    /// }
    /// ```
    ///
    /// ```rust,ignore
    /// #[kernel(threads = 64)]
    /// fn first(io: MGlobal<EU32>) -> Program<Grid, ()> {
    ///     distr_par(io.len() / 64, |b| for_all(64, |i| io.write(b * 64 + i, b * 1000 + i)))
    /// }
    ///
    /// #[kernel(threads = 64)]
    /// fn second(io: MGlobal<EU32>, out: MGlobal<EU32>) -> Program<Grid, ()> {
    ///     let n = io.len().min(out.len()) / 64;
    ///     distr_par(n, |b| for_all(64, |i| {
    ///         let x = io.read(b * 64 + 63 - i)?;
    ///         out.write(b * 64 + i, x)
    ///     }))
    /// }
    /// ```
    mistake "unordered-blocks" {
        /// Two loops over blocks, or two rounds of a loop around one, access the same element in different
        /// threads.
        unordered_blocks(array: &str, element: u64, [first, second]: [&str; 2], [one, other]: [&str; 2], when: &str)
            => "{first} {one} element {element} of {array}, and later {second} {other} it, without waiting for that{when}",
               (SECOND_KERNEL);
        /// The compiler cannot prove that a loop over blocks accesses no element that an earlier one did;
        /// `same` if it is the same access both times.
        maybe_unordered_blocks(array: &str, [one, other]: [&str; 2], same: bool)
            => "cannot prove that two loops over blocks, or two rounds of a loop around one, access different elements of {array}: the earlier one {one} it, and the later one {other} it",
               (SECOND_KERNEL),
               "it is also right if both access an element in the same block and the same thread, at an index that is computed from loop counters and lengths alone",
               (promise(!same));
    }

    /// The checks of a kernel are counted in steps, and this one needs too many. Mostly a `for` writes out many steps, each of which needs several of those
    /// before it in several arms of `select`: the work nearly doubles with every step. A loop of the device has the step once.
    ///
    /// ```rust,ignore
    /// fn walk(chunk: Pull<EU32>, i: EU32) -> EU32 {
    ///     let (k, mut before, mut at) = (chunk[i], i, chunk[i]);
    ///     for s in 0..48u32 {
    ///         let next = select(k > s, chunk[at % 64] + before, select(i > s, at * 3, before));
    ///         before = at;
    ///         at = next;
    ///     }
    ///     at
    /// }
    ///
    /// #[kernel(threads = 64)]
    /// fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
    ///     input.split_up(64).as_grid_map(|chunk| generate(64, |i| walk(chunk, i)).push())
    /// }
    /// ```
    ///
    /// ```rust,ignore
    /// fn walk(chunk: Pull<EU32>, i: EU32) -> Program<Thread, EU32> {
    ///     let k = chunk[i];
    ///     let next = |s, (before, at)| {
    ///         (at, select(k > s, chunk[at % 64] + before, select(i > s, at * 3, before)))
    ///     };
    ///     let last = seq_iterate(48, next, (i, chunk[i]))?;
    ///     pure(last.1)
    /// }
    ///
    /// #[kernel(threads = 64)]
    /// fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
    ///     input.split_up(64).as_grid_map(|chunk| generate(64, |i| i).as_block_map(|i| exec_thread_value(walk(chunk, i))))
    /// }
    /// ```
    mistake "check-too-long" {
        /// The checks have done too many steps.
        check_too_long()
            => "whether this kernel is right takes too long to see: the checks end here",
               "`for` writes every step out: repeat them on the device with `seq_iterate` or `seq_for`, store in an array (`compute`) what several steps use, or make it several kernels";
    }
}

/// What the user can do where the compiler cannot prove that an index is inside its array.
const VOUCH: &str = "if you know that the index is below the length, vouch for it: `i.unchecked()`";

/// What to do about two loops over blocks that access one element.
const SECOND_KERNEL: &str = "blocks never wait for each other, neither within one loop over blocks nor between two of them: use a second kernel for what comes later";

/// What the user can do where the compiler cannot prove that accesses are of different elements.
fn promise(at_both: bool) -> String {
    let all = if at_both { " in both places" } else { "" };
    format!("if you know that the indices are distinct, promise it{all}: `i.distinct()`")
}

/// The line that asks each launch for what is missing.
pub fn ask_launch(line: &str) -> String {
    format!("if that holds at each launch, ask for it where the kernel begins: `{line}`")
}
