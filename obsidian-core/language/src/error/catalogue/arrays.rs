//! Lengths and sizes.

use super::{Error, Message, Page};
use crate::error::{Diagnostic, Kind};

/// The size of an array in words.
fn size(sizes: &[u32]) -> String {
    match sizes {
        [height, width] => format!("{height} rows of {width}"),
        [depth, height, width] => format!("{depth} planes of {height} rows of {width}"),
        _ => format!("{} elements", sizes.iter().product::<u32>()),
    }
}

errors! {
    /// # Lengths and sizes
    ///
    /// A length that is known while the kernel is built is checked then. One that only the launch knows is checked by the launch.
    page "arrays";

    /// What is stored has a place of fixed size, so its length has to be known while the kernel is built. An array of any length is worked on in pieces.
    ///
    /// ```rust,ignore
    /// fn stored(arr: DPull<EI32>) -> Program<Block, Push<Block, EI32>> {
    ///     let kept = compute(arr)?;
    ///     pure(kept.push())
    /// }
    ///
    /// #[kernel]
    /// fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
    ///     input.split_up(64).as_grid_map(|chunk| exec_block(stored(input)))
    /// }
    /// ```
    ///
    /// ```rust,ignore
    /// fn stored(arr: Pull<EI32>) -> Program<Block, Push<Block, EI32>> {
    ///     let kept = compute(arr)?;
    ///     pure(kept.push())
    /// }
    ///
    /// #[kernel(threads = 64)]
    /// fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
    ///     input.split_up(64).as_grid_map(|chunk| exec_block(stored(chunk)))
    /// }
    /// ```
    mistake "length-not-static" {
        /// An array that is stored has a length that is known only at launch.
        length_not_static(what: &str)
            => "{what} needs a length that is known at compile time, and this array's is known only at launch",
               "cut it into pieces first: `.split_up(n)`, then work on each piece; an array of any length is a `DPull` or `DPush`; \
                a row of any length is combined by `block_reduce(f, initial, row)`";
        /// As many elements as only the launch knows are taken away from an array of a static length.
        drop_not_static()
            => "this array's length is known at compile time, and how many elements are dropped is known only at launch",
               "give the array a length of the launch in front: `.to_dyn().drop(n)`";
        /// An array whose length is a literal of the device.
        length_of_the_device(what: &str, length: u32)
            => "{what} needs a length that is known at compile time, and this array's is a device value, `lit({length})`",
               "give it as a number of the host: `{length}`";
    }

    /// Inner arrays whose lengths come from data, or differ from one to the next, are put side by side. Where each begins would depend on
    /// all before it. Their length has to be the same for all: a number, or one that a launch knows, such as an argument.
    ///
    /// ```rust,ignore
    /// generate(input.len(), |i| input.take(i).push()).as_grid()
    /// ```
    ///
    /// ```rust,ignore
    /// generate(input.len() / 64, |i| input.drop(64 * i).take(64).push()).as_grid()
    /// ```
    mistake "pieces-differ" {
        /// The length of an inner array is not one that a launch knows.
        pieces_differ(name: &str)
            => "the inner arrays of `{name}` need one length that the launch knows, and this length comes from data or differs between them",
               "give each the same length, a number or an argument; to write each element at an index of its own: \
                `mk_push(n, |write| distr_par(count, |i| ..))`";
    }

    /// `chunks` cuts an array of any length into whole pieces and fills the last one. The output has the fill too, behind the last element, unless
    /// `take` cuts it off. `.padded()` says that the output is to have it.
    ///
    /// ```rust,ignore
    /// input.chunks(64, 0).as_grid_map(|piece| piece.map(|x| x + 1).push())
    /// ```
    ///
    /// ```rust,ignore
    /// input.chunks(64, 0).as_grid_map(|piece| piece.map(|x| x + 1).push()).take(input.len())
    /// ```
    mistake "fill-in-output" {
        /// The fill of the last piece of `n` elements is stored in an output.
        fill_in_output(n: u32)
            [
                let (one_more, twice) = (u64::from(n) + 1, 2 * u64::from(n));
            ]
            => "the fill of the last piece becomes part of the output: of {one_more} elements in pieces of {n} it has {twice}",
               "cut it off where the pieces are put together: `.take(x.len())`, where `x` is the array that is cut; \
                if the output is to have it, say so: `.padded()`";
    }

    /// `cover` cuts a matrix of any size into whole tiles, and those at its lower and right edge repeat its last row and column. The output
    /// has them too, and other rows than the matrix, unless `crop` cuts them off. `.flat().padded()` says that the output is to have them.
    ///
    /// ```rust,ignore
    /// input.in_rows(7).cover(8, 8).as_grid_map(|tile| tile.map(|x| x + 1).push()).flat()
    /// ```
    ///
    /// ```rust,ignore
    /// let matrix = input.in_rows(7);
    /// let tiles = matrix.cover(8, 8).as_grid_map(|tile| tile.map(|x| x + 1).push());
    /// tiles.crop(matrix.height(), matrix.width()).flat()
    /// ```
    mistake "edge-in-output" {
        /// The rows and columns that tiles of `height` by `width` repeat are stored in an output.
        edge_in_output(height: u32, width: u32)
            [
                let (rows, columns) = (u64::from(height) + 1, u64::from(width) + 1);
                let (all_rows, all_columns) = (2 * u64::from(height), 2 * u64::from(width));
            ]
            => "what the last tiles repeat becomes part of the output: of {rows} rows and {columns} columns in tiles of {height} by \
                {width} it has {all_rows} rows and {all_columns} columns",
               "cut it off where the tiles are put together: `.crop(m.height(), m.width())`, where `m` is the matrix that is covered; \
                if the output is to have it, say so: `.flat().padded()`";
    }

    /// Pieces, rows or tiles do not come out even. `chunks` says what fills the last piece.
    ///
    /// ```rust,ignore
    /// chunk.split_up(48).concat(48).push()
    /// ```
    ///
    /// ```rust,ignore
    /// chunk.split_up(16).concat(16).push()
    /// ```
    mistake "does-not-divide" {
        /// A static length is not a multiple of the size of the pieces.
        does_not_divide(pieces: u32, length: u32)
            => "an array of length {length} cannot be split into pieces of {pieces}",
               "choose a size that divides the length";
    }

    /// An array is cut into pieces of 0 elements.
    ///
    /// ```rust,ignore
    /// chunk.split_up(0).concat(0).push()
    /// ```
    ///
    /// ```rust,ignore
    /// chunk.split_up(1).concat(1).push()
    /// ```
    mistake "empty-pieces" {
        /// Pieces without elements.
        empty_pieces()
            => "an array cannot be split into pieces of 0 elements",
               "a piece has at least one element";
    }

    /// `concat(n)` is given another size than that of the pieces.
    ///
    /// ```rust,ignore
    /// chunk.split_up(32).concat(16).push()
    /// ```
    ///
    /// ```rust,ignore
    /// chunk.split_up(32).concat(32).push()
    /// ```
    mistake "other-pieces" {
        /// Pieces have another size than the one that they are put together with.
        other_pieces(size: u32, said: u32)
            => "these pieces have {size} elements, and not {said}",
               "give the size that they were made with, here {size}";
    }

    /// `from_dyn(n)` is given another length than the array has.
    ///
    /// ```rust,ignore
    /// chunk.to_dyn().from_dyn(128).push()
    /// ```
    ///
    /// ```rust,ignore
    /// chunk.to_dyn().from_dyn(64).push()
    /// ```
    mistake "other-length" {
        /// `from_dyn` of an array that has another length.
        other_length(length: u32, said: u32)
            => "this array has {length} elements, and not {said}",
               "`from_dyn(n)` is for arrays whose length is known only at launch; `take(n)` shortens an array";
    }

    /// A constant index, or the end of a part, lies outside of an array.
    ///
    /// ```rust,ignore
    /// chunk.map(|x| x + chunk[64]).push()
    /// ```
    ///
    /// ```rust,ignore
    /// chunk.map(|x| x + chunk[63]).push()
    /// ```
    mistake "outside-of-array" {
        /// An index or a size lies outside of an array.
        outside_of_array(what: &str, index: u64, length: u64)
            => "{what} {index} is outside of an array of length {length}";
    }

    /// An element of an array of length 0 is read. `if array.len() == 0` chooses while the kernel is built what happens then.
    ///
    /// ```rust,ignore
    /// let none = chunk.take(0);
    /// fold1(|x, y| x + y, none).push()
    /// ```
    ///
    /// ```rust,ignore
    /// let some = chunk.take(8);
    /// fold1(|x, y| x + y, some).push()
    /// ```
    mistake "empty-array" {
        /// An array without elements was indexed.
        empty_array()
            => "an array of length 0 has no elements to read",
               "its length is known while the kernel is built: `if arr.len() == 0 {{ .. }}` can choose something else";
    }

    /// Arrays that go together element by element are not equally long.
    ///
    /// ```rust,ignore
    /// interleave(chunk, chunk.take(32)).push()
    /// ```
    ///
    /// ```rust,ignore
    /// interleave(chunk.drop(32), chunk.take(32)).push()
    /// ```
    ///
    /// So are the arrays of zips: half of 25 elements are 12, the other half 13. `zip_shortest`, `zip_with_shortest` and their
    /// like stop where the shortest ends. Lengths of inputs and arguments are compared when the kernel is launched.
    mistake "unequal-lengths" {
        /// Arrays that have to be equally long are not.
        unequal_lengths(what: &str, first: u32, second: u32) [let (least, or) = (first.min(second), or_shortest(what));]
            => "`{what}` of arrays of length {first} and {second}",
               "the arrays have to be equally long; `take({least})` shortens one{or}";
    }

    /// Two lengths of which a launch knows nothing, such as those of the last piece's halves, have to be equal, and the compiler cannot prove it.
    ///
    /// ```rust,ignore
    /// fn sum(arr: DPull<EU32>) -> Program<Block, Push<Block, EU32>> {
    ///     pure(singleton(arr).as_block_map(|arr| exec_thread_value(seq_iterate(arr.len(), |i, x| x + arr[i], lit(0u32)))))
    /// }
    ///
    /// #[kernel(threads = 64)]
    /// fn k(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///     x.chunks_len(64).as_grid_map(|piece| {
    ///         let (a, b) = piece.halve();
    ///         exec_block(sum(zip_with(|a, b| a * b, a, b)))
    ///     })
    /// }
    /// ```
    ///
    /// ```rust,ignore
    /// fn sum(arr: DPull<EU32>) -> Program<Block, Push<Block, EU32>> {
    ///     pure(singleton(arr).as_block_map(|arr| exec_thread_value(seq_iterate(arr.len(), |i, x| x + arr[i], lit(0u32)))))
    /// }
    ///
    /// #[kernel(threads = 64)]
    /// fn k(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///     x.chunks_len(64).as_grid_map(|piece| {
    ///         let (a, b) = piece.halve();
    ///         let n = a.len().min(b.len());
    ///         exec_block(sum(zip_with(|a, b| a * b, a.take(n), b.take(n))))
    ///     })
    /// }
    /// ```
    mistake "maybe-unequal-lengths" {
        /// Arrays that have to be equally long may not be.
        maybe_unequal_lengths(what: &str) [let or = or_shortest(what);]
            => "cannot prove that the arrays of this `{what}` are equally long",
               "write `.take(n)` of both, where `n` is `a.len().min(b.len())`{or}";
        /// Parts of two arrays that have to be equally long may not be.
        maybe_unequal_parts(what: &str, first: &str, second: &str)
            => "cannot prove that the arrays of this `{what}` are equally long: one is part of `{first}`, the other of `{second}`",
               "zip the whole arrays, and cut them then, for example `zip({first}, {second}).chunks_len(n)`: each launch checks that they are equally long";
    }

    /// A push array is stored, and its program writes no element.
    ///
    /// ```rust,ignore
    /// fn stored(arr: Pull<EI32>) -> Program<Block, Push<Block, EI32>> {
    ///     let kept = compute(mk_push::<Block, EI32, _>(64, |write| pure(())))?;
    ///     pure(kept.push())
    /// }
    ///
    /// #[kernel]
    /// fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
    ///     input.split_up(64).as_grid_map(|chunk| exec_block(stored(chunk)))
    /// }
    /// ```
    ///
    /// ```rust,ignore
    /// fn stored(arr: Pull<EI32>) -> Program<Block, Push<Block, EI32>> {
    ///     let kept = compute(mk_push::<Block, EI32, _>(64, |write| for_all(64, |i| write(arr[i], i))))?;
    ///     pure(kept.push())
    /// }
    ///
    /// #[kernel]
    /// fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {
    ///     input.split_up(64).as_grid_map(|chunk| exec_block(stored(chunk)))
    /// }
    /// ```
    mistake "nothing-written" {
        /// A push array wrote nothing although its length is not 0.
        nothing_written(length: u32)
            => "this array has length {length}, but nothing writes its elements";
    }

    /// A list has more or fewer elements than the rows and columns it is to have.
    ///
    /// ```rust,ignore
    /// chunk.as_2d(7, 9).push().flat()
    /// ```
    ///
    /// ```rust,ignore
    /// chunk.as_2d(8, 8).push().flat()
    /// ```
    mistake "not-as-many" {
        /// A list with more or fewer elements than a height times a width.
        not_as_many(length: u32, sizes: &[u32])
            [let size = size(sizes);]
            => "{length} elements are not {size}",
               "`in_rows(width)` works the height out";
    }

    /// Rows of a stored array would overlap: they are to begin fewer elements apart than a row has. The rows of `compute_as(Pitch(n), array)` have 32
    /// elements, those of `compute_pitch` as many as the array has columns.
    ///
    /// ```rust,ignore
    /// exec_block(compute_pitch(7, chunk.in_rows(8))).flat()
    /// ```
    ///
    /// ```rust,ignore
    /// exec_block(compute_pitch(9, chunk.in_rows(8))).flat()
    /// ```
    mistake "narrow-pitch" {
        /// Rows that overlap.
        narrow_pitch(pitch: u32, width: u32, what: &str)
            => "rows that begin {pitch} elements apart have no room for {width} {what}",
               "give at least {width}";
    }

    /// Two-dimensional arrays that go together differ in their number of rows or columns.
    ///
    /// ```rust,ignore
    /// exec_block(accumulate(|x, y| x + y, generate((4, 4), |(y, x)| lit(0_i32)), chunk.split_up(8).map(|p| compute(p.in_rows(2))))).flat()
    /// ```
    ///
    /// ```rust,ignore
    /// exec_block(accumulate(|x, y| x + y, generate((4, 2), |(y, x)| lit(0_i32)), chunk.split_up(8).map(|p| compute(p.in_rows(2))))).flat()
    /// ```
    mistake "other-size" {
        /// A two-dimensional array of another size than the others.
        other_size(found: &[u32], wanted: &[u32])
            => (format!(
                "this array has {}, and {} are wanted",
                size(found),
                size(wanted)
               ));
    }

    /// A round of `accumulate` gives another number of elements than there are sums.
    ///
    /// ```rust,ignore
    /// exec_block(accumulate(|x, y| x + y, replicate(8, lit(0_i32)), chunk.split_up(4).map(|p| compute(p))))
    /// ```
    ///
    /// ```rust,ignore
    /// exec_block(accumulate(|x, y| x + y, replicate(4, lit(0_i32)), chunk.split_up(4).map(|p| compute(p))))
    /// ```
    mistake "other-sums" {
        /// Addends of another length than the sums.
        other_sums(addends: u32, sums: u32)
            => "a round gives {addends} elements, and there are {sums} sums",
               "give a first value for each element of a round";
    }

    /// A step of `tiles_fold` gives another number of elements than the state has. A step gives the next value of each element of the state.
    ///
    /// ```rust,ignore
    /// exec_block(tiles_fold(chunk, 16, replicate(16, lit(0_i32)), |sums, tile| pure(tile.take(8)), |sums, rest| pure(sums)))
    /// ```
    ///
    /// ```rust,ignore
    /// exec_block(tiles_fold(chunk, 16, replicate(16, lit(0_i32)), |sums, tile| pure(zip_with(|s, x| s + x, sums, tile)), |sums, rest| pure(sums)))
    /// ```
    mistake "other-state" {
        /// A step over a tile that changes the number of elements of the state.
        other_state(next: u32, state: u32)
            => "a step gives a state of {next} elements, and the state has {state}",
               "give the next value of each element of the state";
    }

    /// `ballot` and `match_any` give a bit for each element, and a mask has 32.
    ///
    /// ```rust,ignore
    /// exec_block(ballot(chunk.map(|x| x > 0)).map(|mask| singleton(mask as i32).push()))
    /// ```
    ///
    /// ```rust,ignore
    /// exec_block(ballot(chunk.take(32).map(|x| x > 0)).map(|mask| singleton(mask as i32).push()))
    /// ```
    mistake "too-many-bits" {
        /// More elements than a mask has bits.
        too_many_bits(name: &str, elements: u32)
            => "`{name}` gives a bit for each element, at most 32, and there are {elements}",
               "split the array into pieces of 32: `arr.split_up(32)`";
    }

    /// A radix rank looks at 1 to 8 bits of each number, and a radix sort at 1 to 32.
    ///
    /// ```rust,ignore
    /// exec_block(block_radix_rank(9, chunk.map(|x| x as u32)).map(|places| places.map(|place| place as i32).push()))
    /// ```
    ///
    /// ```rust,ignore
    /// exec_block(block_radix_rank(8, chunk.map(|x| x as u32)).map(|places| places.map(|place| place as i32).push()))
    /// ```
    mistake "number-of-bits" {
        /// A number of bits that a radix sort or rank cannot look at.
        number_of_bits(name: &str, bits: u32, most: u32)
            => "`{name}` looks at 1 to {most} bits of a number, and {bits} are asked for",
               "give a number from 1 to {most}; `block_radix_sort` sorts by up to 32 bits";
    }
}

/// The function that takes arrays of any lengths, if there is one.
fn or_shortest(what: &str) -> String {
    if what.starts_with("zip") {
        format!("; `{what}_shortest` stops where the shorter one ends")
    } else {
        String::new()
    }
}
