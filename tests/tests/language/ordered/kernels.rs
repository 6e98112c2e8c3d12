//! Kernels whose blocks find what earlier ones have, as users write them.

use obsidian_rt::prelude::*;

#[kernels]
pub mod example {
    use obsidian_rt::algorithms::blocks::*;

    // 1. The inclusive scan; `own` is a singleton of a stored array.
    fn running_tile(tile: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let here = compute(inclusive_scan(|a, b| a + b, tile))?;
        let before = earlier(|a, b| a + b, 0, singleton(here.last()))?;
        pure(here.map(|x| before[0] + x).push())
    }
    #[kernel(threads = 256)]
    pub fn running(x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.split_up(256)
            .as_grid_ordered(|tile| exec_block(running_tile(tile)))
    }

    // 2. By `block_inclusive_scan`, of more elements than it scans at once.
    fn long_tile(tile: Pull<EI64>) -> Program<Block, Push<Block, EI64>> {
        let here = compute(block_inclusive_scan(|a, b| a + b, tile))?;
        let before = earlier(|a, b| a + b, 0, singleton(here.last()))?;
        pure(here.map(|x| before[0] + x).push())
    }
    #[kernel(threads = 64)]
    pub fn long(x: DPull<EI64>) -> DPush<Grid, EI64> {
        x.split_up(1100)
            .as_grid_ordered(|tile| exec_block(long_tile(tile)))
    }

    // 3. Eight neighbours a thread, in registers; what is before goes into the scan between threads.
    fn held_tile(tile: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let loaded = hold(tile)?;
        let own = exchange(Striped, Blocked(8), loaded)?;
        let sums = hold(own.split_up(8).map(|run| fold1(|a, b| a + b, run)[0]))?;
        let total = compute(reduce(|a, b| a + b, sums))?;
        let before = earlier(|a, b| a + b, 0, total)?;
        let starts = hold(exclusive_scan(|a, b| a + b, before[0], sums))?;
        let all = zip(own.split_up(8), starts)
            .map(|(run, start)| exec_thread(pure(seq_scan_cin(|a, b| a + b, start, run))));
        let all = compute_as(Pitch(33), all.as_block())?;
        pure(all.push())
    }
    #[kernel(threads = 64)]
    pub fn held(x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.split_up(512)
            .as_grid_ordered(|tile| exec_block(held_tile(tile)))
    }

    // 4. Four neighbours a lane, a scan of each warp, and one of the totals of warps.
    fn warp_scanned(run: Pull<EU32>) -> Program<Warp, Push<Warp, EU32>> {
        let own = hold_as(Blocked(4), run)?;
        let sums = own.split_up(4).map(|four| fold1(|a, b| a + b, four)[0]);
        let starts = hold(exclusive_scan(|a, b| a + b, lit(0u32), sums))?;
        let all = zip(own.split_up(4), starts)
            .map(|(four, start)| exec_thread(pure(seq_scan_cin(|a, b| a + b, start, four))));
        pure(all.as_warp())
    }
    fn warps_tile(tile: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let warps = compute(
            tile.split_up(128)
                .as_block_map(|run| exec_warp(warp_scanned(run))),
        )?;
        let totals = compute(generate(2, |w| warps[w * 128 + 127]))?;
        let total = compute(reduce(|a, b| a + b, totals))?;
        let before = earlier(|a, b| a + b, 0, total)?;
        let starts = compute(exclusive_scan(|a, b| a + b, before[0], totals))?;
        pure(generate(256, |i| starts[i / 128] + warps[i]).push())
    }
    #[kernel(threads = 64)]
    pub fn warps(x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.split_up(256)
            .as_grid_ordered(|tile| exec_block(warps_tile(tile)))
    }

    // 5. The exclusive scan behind a number that the launch gives.
    fn exclusive_tile(start: EU32, tile: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let sum = compute(reduce(|a, b| a + b, tile))?;
        let before = earlier(|a, b| a + b, start, sum)?;
        pure(exclusive_scan(|a, b| a + b, before[0], tile))
    }
    #[kernel(threads = 33)]
    pub fn exclusive(start: EU32, x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.split_up(100)
            .as_grid_ordered(|tile| exec_block(exclusive_tile(start, tile)))
    }

    // 6. `f32`: every sum is a number of quarters, and exact.
    fn quarters_tile(tile: Pull<EF32>) -> Program<Block, Push<Block, EF32>> {
        let here = compute(inclusive_scan(|a, b| a + b, tile))?;
        let before = earlier(|a, b| a + b, 0.25, singleton(here[69]))?;
        pure(here.map(|x| before[0] + x).push())
    }
    #[kernel(threads = 33)]
    pub fn quarters(x: DPull<EF32>) -> DPush<Grid, EF32> {
        x.split_up(70)
            .as_grid_ordered(|tile| exec_block(quarters_tile(tile)))
    }

    // 7. `f64`; `own` is held in a register.
    fn doubles_tile(tile: Pull<EF64>) -> Program<Block, Push<Block, EF64>> {
        let sum = hold(reduce(|a, b| a + b, tile))?;
        let before = earlier(|a, b| a + b, 0.5, sum)?;
        let here = block_inclusive_scan(|a, b| a + b, tile);
        pure(here.map(|x| before[0] + x))
    }
    #[kernel(threads = 64)]
    pub fn doubles(x: DPull<EF64>) -> DPush<Grid, EF64> {
        x.split_up(128)
            .as_grid_ordered(|tile| exec_block(doubles_tile(tile)))
    }

    // 8. Has there been a zero?
    fn ever_tile(tile: Pull<EU32>) -> Program<Block, Push<Block, EBool>> {
        let found = any(tile.map(|x| x == 0))?;
        let before = earlier(|a, b| a | b, false, singleton(found))?;
        let here = compute(inclusive_scan(|a, b| a | b, tile.map(|x| x == 0)))?;
        pure(here.map(|x| before[0] | x).push())
    }
    #[kernel(threads = 64)]
    pub fn ever(x: DPull<EU32>) -> DPush<Grid, EBool> {
        x.split_up(50)
            .as_grid_ordered(|tile| exec_block(ever_tile(tile)))
    }

    // 9. Affine maps: an operator that does not commute, and two outputs.
    fn then(f: (EU32, EU32), g: (EU32, EU32)) -> (EU32, EU32) {
        (f.0 * g.0, f.1 * g.0 + g.1)
    }
    fn affine_tile(tile: Pull<(EU32, EU32)>) -> Program<Block, Push<Block, (EU32, EU32)>> {
        let here = compute(inclusive_scan(then, tile))?;
        let before = earlier(then, (1, 0), singleton(here.last()))?;
        pure(here.map(|f| then(before[0], f)).push())
    }
    #[kernel(threads = 64)]
    pub fn affine(x: DPull<(EU32, EU32)>) -> DPush<Grid, (EU32, EU32)> {
        x.split_up(64)
            .as_grid_ordered(|tile| exec_block(affine_tile(tile)))
    }

    // 10. The largest so far, and where it was first.
    fn larger(a: (EI32, EU32), b: (EI32, EU32)) -> (EI32, EU32) {
        select(b.0 > a.0, b, a)
    }
    fn arg_max_tile(tile: Pull<(EI32, EU32)>) -> Program<Block, Push<Block, (EI32, EU32)>> {
        let own = compute(reduce(larger, tile))?;
        let before = earlier(larger, (-1000000, 0), own)?;
        let here = compute(inclusive_scan(larger, tile))?;
        pure(here.map(|x| larger(before[0], x)).push())
    }
    #[kernel(threads = 256)]
    pub fn arg_max(x: DPull<EI32>) -> DPush<Grid, (EI32, EU32)> {
        zip(x, iota(x.len()))
            .split_up(128)
            .as_grid_ordered(|tile| exec_block(arg_max_tile(tile)))
    }

    // 11. How often each of 16 digits was before each tile.
    fn digits_tile(tile: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let counts = new_shared_mutable(16, lit(0u32))?;
        for_all(tile.len(), |i| counts.atomic_add(tile[i] % 16, 1).void())?;
        let own = compute(counts.push())?;
        let before = earlier(|a, b| a + b, 0, own)?;
        pure(before.push())
    }
    #[kernel(threads = 64)]
    pub fn digits(x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.split_up(200)
            .as_grid_ordered(|tile| exec_block(digits_tile(tile)))
    }

    // 12. 64 counters, held; what was before a tile and what is in it, as two outputs.
    fn wide_digits_tile(tile: Pull<EU32>) -> Program<Block, Push<Block, (EU32, EU32)>> {
        let counts = new_shared_mutable(64, lit(0u32))?;
        for_all(tile.len(), |i| counts.atomic_add(tile[i] % 64, 1).void())?;
        let own = hold(counts.push())?;
        let before = earlier(|a, b| a + b, 0, own)?;
        pure(zip(before, own).push())
    }
    #[kernel(threads = 256)]
    pub fn wide_digits(x: DPull<EU32>) -> DPush<Grid, (EU32, EU32)> {
        x.split_up(300)
            .as_grid_ordered(|tile| exec_block(wide_digits_tile(tile)))
    }

    // 13. A pass of a radix sort in one launch: `starts` says where each of 16 digits begins.
    fn pass_tile(
        starts: DPull<EU32>,
        out: MGlobal<EU32>,
        tile: Pull<EU32>,
    ) -> Program<Block, Push<Block, EU32>> {
        let ranks = block_radix_rank(4, tile)?;
        let counts = new_shared_mutable(16, lit(0u32))?;
        for_all(tile.len(), |i| counts.atomic_add(tile[i] % 16, 1).void())?;
        let own = compute(counts.push())?;
        let before = earlier(|a, b| a + b, 0, own)?;
        let firsts = compute(exclusive_scan(|a, b| a + b, lit(0u32), own))?;
        for_all(tile.len(), |i| {
            let digit = tile[i] % 16;
            let place = starts[digit.unchecked()] + before[digit] + ranks[i] - firsts[digit];
            out.write(place.unchecked().distinct(), tile[i])
        })?;
        pure(own.push())
    }
    #[kernel(threads = 256)]
    pub fn pass(starts: DPull<EU32>, out: MGlobal<EU32>, x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.split_up(256)
            .as_grid_ordered(|tile| exec_block(pass_tile(starts, out, tile)))
    }

    // 14. Compaction: what is kept goes to a mutable output, which need not be full.
    fn kept_tile(tile: Pull<EU32>) -> Program<Block, Push<Block, (EBool, EU32, EU32)>> {
        let ones = tile.map(|x| select(x % 3 == 0, lit(1u32), 0));
        let places = compute(exclusive_scan(|a, b| a + b, lit(0u32), ones))?;
        let sum = compute(reduce(|a, b| a + b, ones))?;
        let before = earlier(|a, b| a + b, 0, sum)?;
        pure(zip_with(|place, x| (x % 3 == 0, before[0] + place, x), places, tile).push())
    }
    #[kernel(threads = 128)]
    pub fn kept(x: DPull<EU32>, out: MGlobal<EU32>) -> Program<Grid, ()> {
        let placed = x
            .split_up(128)
            .as_grid_ordered(|tile| exec_block(kept_tile(tile)));
        placed.push_to(|(keep, place, x), _| {
            cond(keep, out.write(place.unchecked().distinct(), x), pure(()))
        })
    }

    // 15. A partition, even numbers first and the others from behind: a permutation.
    fn parted_tile(n: EU32, tile: Pull<(EU32, EU32)>) -> Program<Block, Push<Block, (EU32, EU32)>> {
        let ones = tile.map(|(_, x)| select(x % 2 == 0, lit(1u32), 0));
        let here = compute(exclusive_scan(|a, b| a + b, lit(0u32), ones))?;
        let sum = compute(reduce(|a, b| a + b, ones))?;
        let before = earlier(|a, b| a + b, 0, sum)?;
        let placed = zip_with(
            |(i, x), low| {
                let even = before[0] + low;
                (select(x % 2 == 0, even, n - 1 - (i - even)), x)
            },
            tile,
            here,
        );
        pure(placed.push())
    }
    #[kernel(threads = 64)]
    pub fn parted(x: DPull<EU32>) -> DPush<Grid, EU32> {
        let n = x.len();
        let tiles = zip(iota(n), x).split_up(64);
        mk_push(n, |write| {
            tiles
                .as_grid_ordered(|tile| exec_block(parted_tile(n, tile)))
                .push_to(|(place, x), _| write(x, place.unchecked().distinct()))
        })
    }

    // 16. Sums of segments, of any length: the last piece is shorter.
    fn segment(a: (EBool, EU32), b: (EBool, EU32)) -> (EBool, EU32) {
        let ((begins, x), (begins_too, y)) = (a, b);
        (begins | begins_too, select(begins_too, y, x + y))
    }
    fn segments_tile(tile: Pull<(EBool, EU32)>) -> Program<Block, Push<Block, EU32>> {
        let here = compute(inclusive_scan(segment, tile))?;
        let before = earlier(segment, (false, 0), singleton(here.last()))?;
        pure(here.map(|x| segment(before[0], x).1).push())
    }
    #[kernel(threads = 1024)]
    pub fn segments(begins: DPull<EBool>, x: DPull<EU32>) -> DPush<Grid, EU32> {
        let tiles = zip(begins, x).chunks(700, (false, 0));
        tiles
            .as_grid_ordered(|tile| exec_block(segments_tile(tile)))
            .take(x.len())
    }

    // 17. A "struct" of three fields of three types, combined in three ways.
    fn both(a: (EU32, EI32, EF32), b: (EU32, EI32, EF32)) -> (EU32, EI32, EF32) {
        (a.0 + b.0, a.1.min(b.1), a.2.max(b.2))
    }
    fn summary_tile(
        tile: Pull<(EU32, EI32, EF32)>,
    ) -> Program<Block, Push<Block, (EU32, EI32, EF32)>> {
        let own = compute(reduce(both, tile))?;
        let before = earlier(both, (5, 1000, -1.0), own)?;
        pure(singleton(both(before[0], own[0])).push())
    }
    #[kernel(threads = 33)]
    pub fn summary(x: DPull<(EU32, EI32, EF32)>) -> DPush<Grid, (EU32, EI32, EF32)> {
        x.split_up(40)
            .as_grid_ordered(|tile| exec_block(summary_tile(tile)))
    }

    // 18. What is before is wanted in several places: in a stored array, behind it, and in the output.
    fn reused_tile(tile: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let sum = compute(reduce(|a, b| a + b, tile))?;
        let before = earlier(|a, b| a + b, 7, sum)?;
        let mixed = compute(tile.map(|x| x ^ before[0]))?;
        let sums = compute(inclusive_scan(|a, b| a + b, mixed))?;
        pure(zip_with(|a, b| a * before[0] + b, mixed.reverse(), sums).push())
    }
    #[kernel(threads = 64)]
    pub fn reused(x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.split_up(96)
            .as_grid_ordered(|tile| exec_block(reused_tile(tile)))
    }

    // 19. `own` is a function of an index, not stored, and longer than a block has threads.
    fn columns_tile(tile: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let own = generate(100, |j| tile[j] * 3 + tile[j + 100]);
        let before = earlier(|a, b| a + b, 0, own)?;
        pure(zip_with(|a, b| a + b, before, own).push())
    }
    #[kernel(threads = 33)]
    pub fn column_sums(x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.split_up(200)
            .as_grid_ordered(|tile| exec_block(columns_tile(tile)))
    }

    // 20. The tile itself is what a block has: no function of its own.
    #[kernel(threads = 64)]
    pub fn largest_above(x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.split_up(32)
            .as_grid_ordered(|row| exec_block(earlier(|a, b| a.max(b), 0, row)))
    }

    // 21. Literals: each block counts itself.
    fn numbered_tile(tile: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let before = earlier(
            |a, b| a + b,
            10,
            append(replicate(2, lit(1u32)), singleton(lit(100u32))),
        )?;
        pure(generate(5, |i| tile[i] + before[i % 3]).push())
    }
    #[kernel(threads = 1)]
    pub fn numbered(x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.split_up(5)
            .as_grid_ordered(|tile| exec_block(numbered_tile(tile)))
    }

    // 22. Rows of a length that the launch knows: where each ends, as the pointers of a sparse matrix.
    fn row_end(row: DPull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let sum = block_reduce(|a, b| a + b, 0, row)?;
        let before = earlier(|a, b| a + b, 0, singleton(sum))?;
        pure(singleton(before[0] + sum).push())
    }
    #[kernel(threads = 64)]
    pub fn row_ends(width: EU32, x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.in_rows(width)
            .rows()
            .as_grid_ordered(|row| exec_block(row_end(row)))
    }

    // 23 to 25. One function for any operator and type, by one thread, by 96 and by 1,024.
    fn prefix<T: Data>(
        f: impl Combine<T>,
        start: T,
        tile: Pull<T>,
    ) -> Program<Block, Push<Block, T>> {
        let here = compute(inclusive_scan(f, tile))?;
        let before = earlier(f, start, singleton(here.last()))?;
        pure(here.map(|x| f(before[0], x)).push())
    }
    #[kernel(threads = 1)]
    pub fn bytes(x: DPull<EU8>) -> DPush<Grid, EU8> {
        x.split_up(20)
            .as_grid_ordered(|tile| exec_block(prefix(|a, b| a + b, lit(3u8), tile)))
    }
    #[kernel(threads = 96)]
    pub fn products(x: DPull<EU64>) -> DPush<Grid, EU64> {
        x.split_up(96)
            .as_grid_ordered(|tile| exec_block(prefix(|a, b| a * b, lit(1u64), tile)))
    }
    #[kernel(threads = 1024)]
    pub fn lows(x: DPull<EF64>) -> DPush<Grid, EF64> {
        x.split_up(600)
            .as_grid_ordered(|tile| exec_block(prefix(|a, b| a.min(b), lit(1e9), tile)))
    }

    // 26. Blocks in order that ask for nothing.
    #[kernel(threads = 64)]
    pub fn unasked(x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.split_up(48)
            .as_grid_ordered(|tile| tile.map(|x| x + 1).push())
    }
}
