//! The names of the Haskell Obsidian and what they are called here.
//!
//! P: in the paper (Svensson, Newton, Sheeran, JFP 26 e6, 2016). R: only in its repository. A name
//! that is not listed has nothing to mean in Rust.
//!
//! # Levels and programs
//!
//! | Haskell | | here |
//! |---|---|---|
//! | `Thread`, `Warp`, `Block`, `Grid` | P | [`Thread`], [`Warp`], [`Block`], [`Grid`] |
//! | `Step t` | P | [`HasBelow`]: the level below, from which functions over two levels are written |
//! | `a *<=* b` | P | [`AtMost`] |
//! | `Program t a` | P | [`Program`] |
//! | `TProgram`, `WProgram`, `BProgram`, `GProgram` | R | `Program<Thread, A>`, .. `Program<Grid, A>` |
//! | `Return`, `Bind`, `do` | P | [`pure`], `?` and [`Program::and_then`] |
//! | `fmap`, `void` on programs | P | [`Program::map`], [`Program::void`] |
//! | `Identifier`, `uniqueNamed` | P, R | the name of the `let` that a `?` stands in |
//! | `Assign` | P | [`Mutable::write`], and the writer of [`mk_push`] |
//! | `AtomicOp`, `atomicOp` | P | [`Mutable::atomic_add`] and its like |
//! | `Cond` | P | [`cond`] |
//! | `SeqWhile`, `seqWhile` | P, R | [`seq_while`] |
//! | `Break` | P | [`break_loop`] |
//! | `ForAll`, `forAll` | P | [`for_all`] |
//! | `forAll2` | R | [`for_all`] over `(rows, columns)` |
//! | `DistrPar`, `distrPar` | P, R | [`distr_par`] |
//! | `DistrSeq` | R | [`lift_seq`] |
//! | `SeqFor`, `seqFor` | P | [`seq_for`] |
//! | `Allocate`, `Declare` | P | [`compute`], [`new_shared_mutable`], and the state of [`seq_iterate`] |
//! | `Sync`, `sync` | P, R | [`sync`]; the waits that a kernel needs are there without it |
//! | `singleThread` | P | [`single_thread`] |
//! | `printPrg` | R | `f::CUDA`, [`Kernel::cuda`](crate::Kernel::cuda), and `OBSIDIAN_DUMP` for the stages |
//! | `runPrg` | R | what [`exec`] does with a program's length |
//!
//! # Arrays
//!
//! | Haskell | | here |
//! |---|---|---|
//! | `Pull`, `SPull`, `DPull` | P | [`Pull`], [`SPull`], [`DPull`] |
//! | `Push`, `SPush`, `DPush` | P | [`Push`], [`SPush`], [`DPush`] |
//! | `Writer`, `PushFun` | P | [`Writer`] |
//! | `mkPull`, `mkPush` | P | [`mk_pull`], [`mk_push`] |
//! | `push`, `pushThread`, `pushWarp`, `pushBlock` | P, R | [`Pull::push`], with a turbofish where the level is not known |
//! | `(!)` | P | `array[i]`, [`Pull::at`] |
//! | `(<:)`, `pushApp` | P, R | [`Push::write_to`], and [`Push::push_to`] for a closure |
//! | `setSize` | R | [`Pull::set_len`], [`Push::set_len`] |
//! | `namedGlobal`, `undefinedGlobal` | R | the parameters of a `#[kernel]` |
//! | `ASize`, `sizeConv` | P | [`Length`], [`Length::exp`] |
//! | `ArrayLength`, `len` | P | [`Pull::len`], [`Push::len`], [`Mutable::len`] |
//! | `iota`, `replicate` | P | [`iota`], [`replicate`]; `iota(n).push()` for a push array |
//! | `aMap`, `fmap` | P | [`Pull::map`], [`Push::map`] |
//! | `ixMap` | P | [`Pull::ix_map`], [`Push::ix_map`] |
//! | `append`, `concP` | P, R | [`append`] |
//! | interleaving (section 4.5) | P | [`interleave`] |
//! | `toDyn`, `fromDyn` | P | [`Pull::to_dyn`], [`Pull::from_dyn`], and of push arrays |
//!
//! # Library
//!
//! | Haskell | | here |
//! |---|---|---|
//! | `reverse` | P | [`Pull::reverse`], [`Push::reverse`] |
//! | `splitAt`, `halve`, `splitUp` | P | [`Pull::split_at`], [`Pull::halve`], [`Pull::split_up`] |
//! | `singleton`, `singletonPush` | P, R | [`singleton`], [`singleton_push`] |
//! | `generate` | P | [`generate`] |
//! | `first`, `head`, `last`, `tail` | P, R | [`Pull::first`], [`Pull::last`], [`Pull::tail`] |
//! | `take`, `drop`, `shiftLeft` | P, R | [`Pull::take`], [`Pull::drop`], [`Pull::shift_left`] |
//! | `zip`, `zip3`, `unzip`, `unzip3` | P, R | [`zip_shortest`], [`zip3_shortest`], [`zip4_shortest`], [`unzip`], [`unzip3`], [`unzip4`] |
//! | `zipWith`, `zipWith3` | P, R | [`zip_with_shortest`], [`zip_with3_shortest`], [`zip_with4_shortest`] |
//! | zips of equally long arrays | - | [`zip`], [`zip3`], [`zip4`], [`zip_with`], [`zip_with3`], [`zip_with4`]: other lengths are errors |
//! | `pair`, `unpair`, `unpairP` | P, R | [`Pull::pair`], `Pull::unpair`, `Push::unpair` |
//! | `triple`, `untriple`, `quadruple`, `unquadruple` | R | [`Pull::triple`], [`Pull::quadruple`]; `untriple` and `unquadruple` of pull and push arrays |
//! | `evenOdds`, `evens`, `odds`, `everyNth` | P, R | [`Pull::even_odds`], [`Pull::evens`], [`Pull::odds`], [`Pull::every_nth`] |
//! | `coalesce`, `pUnCoalesce` | P, R | [`Pull::coalesce`], `Pull::un_coalesce`, [`Push::un_coalesce`] |
//! | `load`, `store` | P, R | [`Pull::load`], [`Pull::store`] |
//! | `fold1` | P | [`fold1`] |
//! | `unsafeBinSplit`, `binSplit` | P, R | [`unsafe_bin_split`], [`bin_split`] |
//! | `logBaseI` | R | `n.ilog2()` |
//! | a number of pieces, rounded up | - | `n.div_ceil(256)`, of host integers and of `EU32`: it never wraps |
//! | what a launch has to check | - | [`require`] with [`Exp::equals`], [`Exp::at_least`], [`Exp::multiple_of`] |
//! | what the threads of a level compute together | - | [`reduce`], [`inclusive_scan`], [`exclusive_scan`], [`sort`], [`rank_by_digit`] |
//! | what a block finds of all blocks before it | - | [`earlier`], in [`as_grid_ordered`](Pull::as_grid_ordered) |
//! | `rep` | R | [`rep`] |
//! | `compose` (section 6.3.1) | P | [`compose`] |
//! | `asThread`, `asWarp`, `asBlock`, `asGrid` and `..Map` | P | `Pull::as_thread`, .. [`Pull::as_grid_map`] |
//! | `liftPar`, `liftSeq`, `liftIn` | P | [`lift_par`], [`lift_seq`], [`lift_in`] |
//! | `tDistribute`, `pDistribute`, `sDistribute` | R | [`lift_in`], [`lift_par`], [`lift_seq`] of [`generate`] |
//! | `exec`, `execThread`, `execWarp`, `execBlock` | P | [`exec`], [`exec_thread`], [`exec_warp`], [`exec_block`] |
//! | `execThread'`, `execWarp'`, `execBlock'` | P | [`exec_value`], [`exec_thread_value`], [`exec_warp_value`], [`exec_block_value`] |
//! | `runPush`, `runPull`, `pushPrg` | R | [`exec`], [`exec_value`] |
//! | arrays of any size (named as missing) | - | [`Pull::chunks`], [`Pull::chunks_len`], [`Push::take`] |
//!
//! # Several axes
//!
//! The Haskell system has arrays of one index, and index arithmetic for the rest. Here an array has 1 to 3 axes,
//! and the functions and methods of this page that are not about lists take arrays of any rank: [`generate`],
//! [`zip_with`], [`compute`], [`exec`], [`accumulate`], [`for_all`], [`Pull::map`], [`Pull::as_grid_map`], ..
//! Tiles are what blocks work on, and grids stay one-dimensional underneath.
//!
//! | here | |
//! |---|---|
//! | [`Pull2`], [`DPull2`], [`Push2`], [`DPush2`] | matrices: arrays of rows and columns |
//! | [`Pull3`], [`DPull3`], [`Push3`], [`DPush3`] | arrays of planes, rows and columns |
//! | `generate((height, width), \|(y, x)\| ..)`, `x.at((y, x))`, `for_all((height, width), \|(y, x)\| ..)` | shapes and indices are tuples |
//! | [`Pull::in_rows`], [`Pull::as_2d`], [`Pull::as_3d`], [`Push::in_rows`], [`Push::as_2d`], [`Push::as_3d`] | lists as arrays of several axes |
//! | [`Pull::flat`], [`Push::flat`] | the rows one after another |
//! | [`Pull::shape`], `height()`, `width()`, `depth()`, [`Pull::set_size`] | sizes |
//! | `transpose()`, `row(y)`, `column(x)`, `rows()`, `columns()`, `plane(z)`, `planes()` | other views |
//! | `tiles(height, width)`, `untile(height, width)` | whole tiles |
//! | `cover(height, width)` and `crop(height, width)` | arrays of any size in tiles |
//! | [`outer`] | the matrix of two lists |
//! | [`compute_pitch`] | storing, with rows further apart against bank conflicts |
//! | [`accumulate`] | arrays that come one after another, combined |
//!
//! # Storing
//!
//! | Haskell | | here |
//! |---|---|---|
//! | `compute`, `ComputeAs`, `Compute` | P | [`compute`], [`Compute`]; [`compute_as`] with a [`Layout`] of the memory, [`Pitch`], against bank conflicts |
//! | | | [`hold`], [`hold_as`] with the layouts [`Striped`] and [`Blocked`], [`exchange`]: in registers |
//! | | | [`any`], [`all`], [`ballot`], [`match_any`]: what all threads of a level know |
//! | | | [`tiles_fold`]: a loop over the tiles of an array of any length, with a held state |
//! | `compute_`, `unsafeWritePush` (without waits) | R | [`compute`]: waits that are not needed are a matter of the passes |
//! | `Mutable`, `MShared`, `MGlobal` | R | [`Mutable`], [`MShared`], [`MGlobal`] |
//! | `newSharedMutable`, `allocateSharedScalar` | R | [`new_shared_mutable`], [`to_mutable`] |
//! | `writeTo`, `writeToSync` | R | [`Mutable::write_all`] |
//! | `assignMutable`, `indexMutable` | R | [`Mutable::write`], [`Mutable::read`] |
//! | `mutableToPull` | R | `compute(m.push())`, [`Mutable::push`] |
//! | `AtomicInc`, `AtomicAdd`, `AtomicSub`, `AtomicExch` | P | [`Mutable::atomic_inc`], `atomic_add`, `atomic_sub`, `atomic_exch` |
//! | min, max, CAS, and, or, xor (listed as a comment) | R | `atomic_min`, `atomic_max`, [`Mutable::atomic_cas`], `atomic_and`, `atomic_or`, `atomic_xor` |
//!
//! # Sequential loops
//!
//! | Haskell | | here |
//! |---|---|---|
//! | `seqReduce` | P | [`seq_reduce`] |
//! | `seqUntil` | P | [`seq_until`] |
//! | `seqIterate` | R | [`seq_iterate`] |
//! | `seqScan`, `seqScanCin` | R | [`seq_scan`], [`seq_scan_cin`] |
//! | `mapAccumL`, `mapAccumR` | R | [`map_accum_l`], [`map_accum_r`] |
//! | `sMapAccum` | P | [`s_map_accum`] |
//!
//! # Scalars
//!
//! | Haskell | | here |
//! |---|---|---|
//! | `Exp a` | P | [`Exp`] |
//! | `EInt8` .. `EWord64`, `EFloat`, `EDouble`, `EBool`, `EI8`, `EW8`, .. | P, R | [`EI8`] .. [`EU64`], [`EF32`], [`EF64`], [`EBool`] |
//! | `Literal` | P | [`lit`] |
//! | `If`, `ifThenElse`, `Choice` | P | [`select`], [`Choice`] |
//! | `==*`, `/=*`, `<*`, `<=*`, `>*`, `>=*` | P | `==`, `!=`, `<`, `<=`, `>`, `>=` |
//! | <code>&amp;&amp;*</code>, <code>\|\|*</code>, `notE` | P, R | `&`, <code>\|</code>, `!` of [`EBool`] |
//! | `<<*`, `>>*` | R | `<<`, `>>` |
//! | `i32ToW32`, `w32ToF`, .. | P | `x as f32` |
//! | functions of floats | - | Rust's names, `x.sqrt()`, `x.powi(3)`, `x.hypot(y)`, `x.is_nan()`, and [`Exp::erf`], [`Exp::rsqrt`]; less exact and faster: [`fast`] |
//! | functions of integers | - | Rust's names: `x.abs_diff(y)`, `x.rotate_left(n)`, `x.saturating_add(y)`, `x.rem_euclid(y)`, `x.count_ones()` |
//! | bits of floats | - | `x.to_bits()`, `EF32::from_bits(n)` |
//! | `Scalar`, `Data`, `Storable`, `Names` | P | [`Scalar`], [`Data`], [`Storable`] |
//! | `Vector2`, `getX`, .. | R | tuples: `(EF32, EF32)`, `.0` |
//!
//! # Kernels and launches
//!
//! | Haskell | | here |
//! |---|---|---|
//! | `genKernel` | R | `f::CUDA` |
//! | `genKernelParams`, `SharedMemConfig` | R | `#[kernel(threads = .., min_blocks = .., shared_bytes = .., grid = resident)]`, [`Limits`](crate::Limits), [`Kernel::with_threads`](crate::Kernel::with_threads) |
//! | `ToProgram` | P | the signature of a `#[kernel]` |
//! | `withCUDA`, `getDevices` | P, R | [`Device::best`](crate::Device::best) |
//! | `capture` | P | `f::kernel()` |
//! | `useVector`, `allocaVector` | P | [`Device::upload`](crate::Device::upload); outputs are allocated by the launch |
//! | `(<==)`, `(<>)`, `exec` of a kernel | P | `f::launch(&device, &input)` |
//! | `(<:>)` | R | `f::launch(&device, &mut buffer)` for an [`MGlobal`] |
//! | `peekCUDAVector`, `copyOut` | P | [`Buffer::to_vec`](crate::Buffer::to_vec) |
//!
//! # All of them in use
//!
//! ```
//! use obsidian_rt::prelude::*;
//!
//! #[kernels]
//! pub mod every {
//!     fn scalars(x: EI32, y: EF32) -> EI32 {
//!         let small = (x < 3) & (x != 1) | !(x >= 2);
//!         select(small, (x << 2) >> 1, y as i32) + lit(1_i32)
//!     }
//!
//!     fn views(a: Pull<EI32>) -> Program<Block, Push<Block, EI32>> {
//!         let (front, back) = a.split_at(a.len() / 2);
//!         let (x, y) = zip_with(|x, y| x + y, front.reverse(), back).halve();
//!         let (x, y) = unzip(zip(x.shift_left(1).take(2), y.tail().drop(1)));
//!         let (x, y, _) = unzip3(zip3(x, y, y));
//!         let (x, y, _, _) = unzip4(zip4(x, y, y, y));
//!         let z = compute(zip_with4(|x, y, z, w| x + y + z + w, x, y, x, y))?;
//!         let z = compute(zip_with3(|x, y, z| x + y + z, z, x, y))?;
//!         let (e, o) = append(z, z).even_odds();
//!         let tuples = compute(interleave(e, o).pair().unpair().every_nth(2))?;
//!         let all = compute(append(tuples, singleton(z.first() + z.last() + z[1] + z.at(0))))?;
//!         let twelve = append(append(all, all), append(all, all)).set_len(12);
//!         let twelve = compute(append(twelve.evens(), twelve.odds()))?;
//!         let twelve = compute(twelve.triple().untriple().quadruple().unquadruple())?;
//!         let twelve = compute(twelve.coalesce(3).un_coalesce(3).split_up(4).concat(4).from_dyn(12).ix_map(|i| 11 - i))?;
//!         let made = mk_pull(12, |i| twelve[i] + i as i32).load::<Block>(3).set_len(12).un_coalesce(2);
//!         let n: u32 = 12;
//!         let shifted = mk_push(n, |write| made.push_to(|x, i| write(x, (i + 1) % n)));
//!         pure(append(shifted.reverse().map(|x| x * 2), singleton_push(twelve[n.ilog2()])).take(12).ix_map(|i| i))
//!     }
//!
//!     fn stored(a: Pull<EI32>) -> Program<Block, Push<Block, EI32>> {
//!         let a = compute(exec_block(pure(a)))?;
//!         let m = to_mutable(a.store::<Block>(4))?;
//!         let flags = new_shared_mutable(1, lit(0_u32))?;
//!         for_all(12, |i| {
//!             let x = m.read(i)?;
//!             m.write(i, x + 1)?;
//!             flags.atomic_inc(0, 100).void()
//!         })?;
//!         for_all((3, 4), |(i, j)| cond(i < j, m.atomic_add(i * 4 + j, 2).void(), pure(())))?;
//!         distr_par::<Block>(2, |w| for_all(3, |i| m.atomic_cas(w * 3 + i, 4, 5).void()))?;
//!         seq_for(2, |i| single_thread(m.write(i, lit(3_i32))))?;
//!         sync()?;
//!         m.write_all(m.push::<Block>().map(|x| x + 1))?;
//!         let a = rep(2, |a: Pull<EI32>| compute(a.reverse()), a)?;
//!         let a = bin_split(1, |a| a.reverse(), a)?;
//!         let a = compute(unsafe_bin_split(2, |a| a.reverse(), a))?;
//!         let steps = (0..2).map(|k| move |a: Pull<EI32>| a.map(|x| x + k).push());
//!         let a = compute(exec_block(compose(steps.collect(), a)))?;
//!         let scans = a.split_up(3).as_block_map(|a| seq_scan(|x, y| x + y, a));
//!         let more = lift_in(a.split_up(3).map(|a| seq_scan_cin(|x, y| x + y, a[0], a)));
//!         let maps = a.split_up(3).map(|a| map_accum_l(|s, x| (s + x, s), lit(0_i32), a)).as_block();
//!         let right = a.split_up(3).as_block_map(|a| map_accum_r(|s, x| (s + x, s), lit(0_i32), a));
//!         let sums = a.split_up(3).as_block_map(|a| exec_thread_value(seq_reduce(|x, y| x + y, a)));
//!         let until = generate(4, |i| i).as_block_map(|i| exec_thread_value(seq_until(|x| x - 1, |x| x > 3, i as i32)));
//!         let times = iota(4).as_block_map(|i| exec_thread_value(seq_iterate(i, |_, x| x * 2, lit(1_i32))));
//!         let warps = replicate(2, a).as_block_map(|a| exec_warp(compute(a)));
//!         let last = exec_block_value(pure(fold1(|x, y| x + y, a).first()));
//!         let carried = s_map_accum(|s, p: Pull<EI32>| pure((s + p[0], p.map(|x| x + s).push())), lit(0_i32), a.split_up(6));
//!         let parts = append(append(append(scans, more), append(maps, right)), append(append(sums, until), append(times, last)));
//!         pure(append(append(m.push(), parts), append(warps, carried)))
//!     }
//!
//!     fn gave_up(m: MShared<EU32>) -> Program<Thread, ()> {
//!         seq_while(m.read(0).map(|x| x > 1), halve_it(m))
//!     }
//!
//!     fn halve_it(m: MShared<EU32>) -> Program<Thread, ()> {
//!         let x = m.read(0)?;
//!         m.write(0, x / 2)?;
//!         cond(x > 100, break_loop(), pure(()))
//!     }
//!
//!     fn in_thread(x: EU32) -> Program<Thread, EU32> {
//!         let m = new_shared_mutable(1, x)?;
//!         gave_up(m)?;
//!         m.read(0)
//!     }
//!
//!     #[kernel(threads = 64)]
//!     pub fn rearranged(input: DPull<EI32>) -> DPush<Grid, EI32> {
//!         let input = input.map(|x| scalars(x, x as f32));
//!         let pieces = input.chunks(16, lit(0_i32)).map(|c| exec_block(views(c)));
//!         lift_par(pieces)
//!     }
//!
//!     #[kernel(threads = 64)]
//!     pub fn computed(input: DPull<EI32>) -> DPush<Grid, EI32> {
//!         input.split_up(12).as_grid_map(|c| exec_block(stored(c)))
//!     }
//!
//!     #[kernel(threads = 64)]
//!     pub fn searched(total: MGlobal<EU32>, input: DPull<EU32>) -> Program<Grid, DPush<Grid, EU32>> {
//!         distr_par(input.len() / 8, |b| for_all(8, |i| total.atomic_add(0, input[b * 8 + i]).void()))?;
//!         pure(input.chunks_len(8).as_grid_map(|c| lift_seq(singleton(c).map(|c| exec(in_warp(c))))))
//!     }
//!
//!     fn in_warp(c: Pull<EU32, EU32>) -> Program<Block, Push<Block, EU32>> {
//!         pure(singleton(c).as_block_map(|c| exec_warp_value(pure(c[0]))))
//!     }
//!
//!     fn sums(rows: Pull<Pull<EU32>>) -> Program<Block, Push<Block, EU32>> {
//!         let sums = accumulate(|x, y| x + y, replicate(4, lit(0u32)), rows.map(|row| compute(row)))?;
//!         pure(sums.push())
//!     }
//!
//!     fn turned<L: Compute>(tile: Pull2<EU32>) -> Program<L, Push2<L, EU32>> {
//!         let tile = compute_pitch(tile.width() + 1, compute(tile.push())?)?;
//!         pure(tile.transpose().push().map(|x| x + 1))
//!     }
//!
//!     fn products(a: Pull2<EU32>) -> Program<Block, Push2<Block, EU32>> {
//!         let row_by_column = |(y, x)| fold1(|x, y| x + y, zip_with(|x, y| x * y, a.row(y), a.column(x))).first();
//!         let products = generate(a.shape(), row_by_column);
//!         let zeros = a.map(|x| x - x);
//!         pure(accumulate(|x, y| x + y, zeros, a.rows().map(|_| compute(products)))?.push())
//!     }
//!
//!     #[kernel(threads = 64)]
//!     pub fn matrices(width: EU32, input: DPull<EU32>) -> (DPush<Grid, EU32>, DPush<Grid, EU32>, DPush<Grid, EU32>) {
//!         let m = input.in_rows(width);
//!         let m = zip_with(|x, y| x * y, m, m.transpose().transpose().set_size((m.height(), width)));
//!         let whole = m.tiles(4, 4).as_grid_map(|t| exec_block(products(t)));
//!         let ragged = m.cover(8, 8).as_grid_map(|t| {
//!             let blocks = t.tiles(4, 4).as_block_map(|t| exec_warp(turned(t)));
//!             exec_block(pure(blocks.transpose().flat().as_2d(8, 8)))
//!         });
//!         let rows = input.split_up(16).as_grid_map(|c| {
//!             let m = c.as_2d(4, 4);
//!             let single = m.columns()[0].as_block_map(|x| exec_thread(pure(singleton(x + m.at((0, 0))).as_2d(1, 1))).flat());
//!             let tiles = m.tiles(2, 2).untile(2, 2).tiles(2, 4);
//!             let tiles = tiles.as_block_map(|t| t.tiles(1, 2).as_warp_map(|t| t.tiles(1, 1).as_thread_map(|t| exec(turned(t)))));
//!             append(append(single, exec_block(sums(m.rows()))), append(tiles.flat(), c.push().in_rows(4).crop(1, 1).flat()))
//!         });
//!         (whole.flat(), ragged.crop(m.height(), width).flat(), rows)
//!     }
//!
//!     #[kernel(threads = 64)]
//!     pub fn threads(input: DPull<EU32>) -> DPush<Grid, EU32> {
//!         input.split_up(4).as_grid_map(|c| c.split_up(2).as_block_map(|c| c.as_thread_map(|x| exec_value(in_thread(x)))))
//!     }
//! }
//!
//! # fn main() -> obsidian_rt::Result<()> {
//! let device = Device::cpu();
//! let mut total = device.upload(&[0u32])?;
//! let firsts = every::searched::launch(&device, &mut total, &device.upload(&[1u32; 16])?)?;
//! assert_eq!((total.to_vec()?, firsts.to_vec()?), (vec![16], vec![1, 1]));
//! let kernels = [every::rearranged::kernel(), every::computed::kernel(), every::searched::kernel(), every::threads::kernel()];
//! for kernel in kernels.into_iter().chain([every::matrices::kernel()]) {
//!     assert_eq!(kernel.cuda(), kernel.native()?.cuda());
//! }
//! # Ok(())
//! # }
//! ```

#[allow(unused_imports)] // The table links to them.
use crate::language::*;
