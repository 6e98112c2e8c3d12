//! Data that does not fit in memory.
//!
//! A program over whole arrays needs them in the memory of the device. A [`Sequence`](crate::sequence::Sequence) is read chunk by chunk instead: from files, slices, iterators or
//! functions. You write what is done with one chunk; reading, the sizes of chunks, what is carried from one to the next and the order in which their results are combined are done for
//! you. It needs the feature `sequence`.
//!
//! # One pass
//!
//! ```
//! use obsidian_rt::prelude::*;
//! use obsidian_rt::sequence::{Sequence, max, sum};
//!
//! #[kernels]
//! pub mod chunks {
//!     /// Distances from the origin: a function of a chunk is an array program.
//!     #[arrays]
//!     pub fn lengths(xs: Arr1<EF32>, ys: Arr1<EF32>) -> Arr1<EF32> {
//!         zip_with(|x, y| (x * x + y * y).sqrt(), xs, ys)
//!     }
//! }
//!
//! # fn main() -> obsidian_rt::Result<()> {
//! let device = Device::best()?;
//! // Two columns of a table, as functions of the row. Files would be `Sequence::file::<f32>(path)?`.
//! let xs = Sequence::generate(1_000_000, |row| (row % 100) as f32);
//! let ys = Sequence::generate(1_000_000, |_| 0.0f32);
//! let lengths = xs.zip(ys).through(chunks::lengths);
//!
//! // Both results come from one pass over the rows, by one program for each chunk.
//! let both = lengths.consume((max(), sum()));
//! println!("{}", both.plan(&device)?); // the size of a chunk, and the memory of the run
//! let (largest, total) = both.run(&device)?;
//! assert_eq!((largest, total), (Some(99.0), 49_500_000.0));
//! # Ok(())
//! # }
//! ```
//!
//! The functions that you know from arrays are there for sequences: `map`, `zip_with`, `filter`, `fold`, `scan`, `windows`, `histogram`. `map_chunks` takes any closure of a
//! chunk. A clone of a sequence is the same sequence, and is read once.
//!
//! # A function of one row
//!
//! Where elements are rows, planes or volumes, [`each`](crate::sequence::Sequence::each) takes a function of one of them, and runs it for all of a chunk at once. It is described once: the graph of
//! the chunk has about as many operators as that of a row, and what does not depend on the row is computed once a chunk.
//!
//! ```
//! use obsidian_rt::{Device, arrays::zip_with, sequence::Sequence};
//!
//! # fn main() -> obsidian_rt::Result<()> {
//! let device = Device::cpu();
//! let table: Vec<f32> = (0..12).map(|i| i as f32).collect(); // 4 rows of 3 numbers
//! let weights = device.array([3], &[1.0f32, 0.0, 10.0])?; // the same for all rows: it stays on the device
//! let scores = Sequence::rows(&table, [3]).each_with(&weights, |row, weights| zip_with(|x, w| x * w, row, weights).sum());
//! assert_eq!(scores.collect().run(&device)?.to_vec()?, [20.0, 53.0, 86.0, 119.0]);
//! # Ok(())
//! # }
//! ```
//!
//! A sort or a filter takes another course in each row and cannot be done for all at once; an error says so, and
//! [`one_by_one()`](crate::sequence::Sequence::one_by_one) in front of `each` gives each row a launch of its own. `each` is there for arrays,
//! too: `matrix.each(|row| ..)`.
//!
//! Elements need not be rows. [`divided`](crate::sequence::Sequence::divided) says for each axis whether it is `Split` or an element has `All` of it:
//! `Sequence::divided(&table, [4, 3], (All, Split))` has the columns. Arrays on the device are sequences by [`array`](crate::sequence::Sequence::array), and
//! [`numbers`](crate::sequence::Sequence::numbers) and [`of_array`](crate::sequence::Sequence::of_array) are computed where they are used, and stored nowhere.
//!
//! # A function of everything
//!
//! A function of whole arrays, such as one of `#[arrays]`, need not know of chunks. [`in_chunks`](crate::sequence::Sequence::in_chunks) does it chunk by chunk, within the memory that
//! you give it, and finds out first that the result is the same as for whole arrays:
//!
//! ```
//! use obsidian_rt::{Device, arrays::*, language::EF32, sequence::Sequence};
//!
//! fn total(prices: Arr1<EF32>, amounts: Arr1<EF32>) -> Arr0<EF32> {
//!     zip_with(|price, amount| price * amount, prices, amounts).sum()
//! }
//!
//! # fn main() -> obsidian_rt::Result<()> {
//! let (prices, amounts) = (vec![0.5f32; 10_000], vec![2.0f32; 10_000]);
//! let both = Sequence::slice(&prices).zip(Sequence::slice(&amounts));
//! let total = both.in_chunks(|(prices, amounts)| total(prices, amounts))?.memory_limit(1 << 20);
//! assert_eq!(total.run(&Device::cpu())?, 10_000.0);
//! # Ok(())
//! # }
//! ```
//!
//! Each row of the result has to be made of the same row of what is given, and of arrays [beside](crate::sequence::Sequence::with) it; a result without axes is a fold of all
//! rows. What reads its neighbours, the number of a row or how many there are is an error, at the operation that does.
//!
//! # Words and lists
//!
//! Elements may have different lengths. A chunk then has the [values](crate::sequence::Segments) of all its elements, and where those of each begin. It ends with an element:
//!
//! ```
//! use obsidian_rt::{Device, sequence::Sequence};
//!
//! # fn main() -> obsidian_rt::Result<()> {
//! # let path = std::env::temp_dir().join(format!("obsidian-tutorial-{}.txt", std::process::id()));
//! std::fs::write(&path, "to be\nor not\nto be").unwrap();
//! // How often a word begins with `t`. The kernel reads bytes.
//! let firsts = Sequence::words(&path)?.map_chunks(|words| {
//!     let (bytes, offsets) = (words.values, words.offsets);
//!     obsidian_rt::arrays::generate(offsets.len() - 1, move |word| bytes.at(offsets.at(word)))
//! });
//! let counts = firsts.histogram(256, |byte| byte.cast::<u32>()).run(&Device::cpu())?;
//! assert_eq!(counts.to_vec()?[usize::from(b't')], 2);
//! # std::fs::remove_file(path).unwrap();
//! # Ok(())
//! # }
//! ```
//!
//! # What goes from chunk to chunk
//!
//! A `fold` or `scan` goes over the whole sequence, and its bits do not depend on the chunks. Any other state is made anew by each chunk with
//! [`fold_chunks`](crate::sequence::fold_chunks): it stays on the device, and may be as large as you like.
//!
//! ```
//! use obsidian_rt::{Device, arrays::zip_with, sequence::Sequence};
//!
//! # fn main() -> obsidian_rt::Result<()> {
//! let rows: Vec<u32> = (0..30).collect(); // 10 rows of 3 numbers
//! let columns = Sequence::rows(&rows, [3]).fold_chunks([3], vec![0u32; 3], |sums, rows| {
//!     zip_with(|x, y| x + y, sums, rows.axis(0).sum())
//! });
//! assert_eq!(columns.chunk(4).run(&Device::cpu())?.to_vec()?, [135, 145, 155]);
//! # Ok(())
//! # }
//! ```
//!
//! # Results that do not fit either
//!
//! `to_file` writes numbers to a file, which gets its name when it is complete. `for_each` gives each chunk to a function of yours, in order, on your thread; a slow one slows the reading
//! down, so memory does not grow. Its error ends the run, with the number of the [chunk](crate::Error::chunk).
//! [`to_iter`](crate::sequence::Sequence::to_iter) is an iterator of Rust, chunk by chunk, also of a sequence without an end.
//! [`watch`](crate::sequence::Consumed::watch) is for a progress bar, and ends a run when you want. [`skip`](crate::sequence::Consumed::skip) goes on where an earlier run ended.
//!
//! # How much memory
//!
//! A run holds three chunks at once, of a size that it chooses: on a GPU as large as half of its [free memory](crate::Device::free_memory) allows, on the CPU as large as the
//! second-level caches of its cores. [`chunk`](crate::sequence::Consumed::chunk), [`slots`](crate::sequence::Consumed::slots) and
//! [`memory_limit`](crate::sequence::Consumed::memory_limit) say it otherwise, and [`plan`](crate::sequence::Consumed::plan) tells what a run will do before anything is
//! read.
//!
//! `examples/streams` has a dot product, a matrix times a vector, a search for the words of MD5 digests and PageRank, each over files.
