//! A front end of your own: programs that read other programs.
//!
//! An interpreter, a query engine or a compiler of another language knows the shapes and types of its arrays when it runs, and not when Rust
//! compiles it. For these there is [`AnyProgram`](crate::arrays::AnyProgram): its closure declares as many inputs as it needs, each with a number
//! of axes and types of elements that are values, describes arrays with the operations of every other array program, and gives as many results
//! as there are. What comes out is the same: operations fuse, kernels are proved, and run on every device.
//!
//! - [`Arr<AnyShape, T>`](crate::arrays::AnyShape) is an array of any number of axes, up to eight, and elements `T` that Rust knows;
//!   [`AnyArr`](crate::arrays::AnyArr) one of any elements. [`to`](crate::arrays::Arr::to), [`ranked`](crate::arrays::Arr::ranked) and
//!   [`untyped`](crate::arrays::Arr::untyped) go from one to another and add nothing to the program.
//! - [`along(k, f)`](crate::arrays::Arr::along) and [`axis(k)`](crate::arrays::Arr::axis) apply what works on rows to any axis, without a copy;
//!   [`transpose_axes`](crate::arrays::Arr::transpose_axes) puts the axes into any order.
//! - [`literal`](crate::arrays::literal) is an array that stands in the program.
//! - [`at_place`](crate::arrays::at_place) says where in the text of your language an operation stands. Each error about it names that
//!   place, whether it is found while the program is built or while it runs.
//!
//! # A language in a hundred lines
//!
//! Programs of words that take arrays of doubles from a stack and put others there. `in:2` is the next input, with two axes; a number is an array
//! without axes; `+ - * /` take two arrays, of which the one with fewer axes is repeated along the outer axes of the other; `sum` and `max` fold the
//! innermost axis, `turn` swaps the two innermost ones, `scan` has running sums; `dup` repeats what is on top. What is left on the stack is the result.
//!
//! ```
//! use obsidian_rt::arrays::*;
//! use obsidian_rt::language::{EF64, lit};
//! use obsidian_rt::{Device, ScalarType};
//!
//! type Doubles = Arr<AnyShape, EF64>;
//!
//! struct Word<'t> {
//!     text: &'t str,
//!     place: String, // as in `file:line:column`
//! }
//!
//! fn words<'t>(file: &str, text: &'t str) -> Vec<Word<'t>> {
//!     let mut list = Vec::new();
//!     for (number, line) in text.lines().enumerate() {
//!         for word in line.split_whitespace() {
//!             let column = word.as_ptr() as usize - line.as_ptr() as usize;
//!             list.push(Word { text: word, place: format!("{file}:{}:{}", number + 1, column + 1) });
//!         }
//!     }
//!     list
//! }
//!
//! /// How many arrays a word takes and gives, if it is one.
//! fn effect(word: &str) -> Option<(usize, usize)> {
//!     Some(match word {
//!         "+" | "-" | "*" | "/" => (2, 1),
//!         "sum" | "max" | "turn" | "scan" => (1, 1),
//!         "dup" => (1, 2),
//!         _ if word.strip_prefix("in:").is_some_and(|rank| rank.parse::<usize>().is_ok()) => (0, 1),
//!         _ if word.parse::<f64>().is_ok() => (0, 1),
//!         _ => return None,
//!     })
//! }
//!
//! /// What is wrong with a text is told before anything is built.
//! fn check(words: &[Word<'_>]) -> Result<(), String> {
//!     let mut depth = 0;
//!     for Word { text, place } in words {
//!         let (takes, gives) = effect(text).ok_or_else(|| format!("{place}: `{text}` is no word"))?;
//!         if takes > depth {
//!             return Err(format!("{place}: `{text}` takes {takes} arrays, and {depth} are there"));
//!         }
//!         depth = depth - takes + gives;
//!     }
//!     Ok(())
//! }
//!
//! /// Two arrays, the one with fewer axes repeated along the outer axes of the other.
//! fn extended(mut x: Doubles, mut y: Doubles) -> (Doubles, Doubles) {
//!     while x.rank() < y.rank() {
//!         x = x.replicate(y.shape()[y.rank() - x.rank() - 1]);
//!     }
//!     while y.rank() < x.rank() {
//!         y = y.replicate(x.shape()[x.rank() - y.rank() - 1]);
//!     }
//!     (x, y)
//! }
//!
//! fn apply(word: &str, inputs: &mut AnyInputs<'_>, stack: &mut Vec<Doubles>) {
//!     let takes = effect(word).map_or(0, |(takes, _)| takes);
//!     let mut taken = stack.split_off(stack.len() - takes).into_iter();
//!     let mut next = || taken.next().expect("`check` has counted them");
//!     let two = |(x, y), f: fn(EF64, EF64) -> EF64| zip_with(f, x, y);
//!     let made = match word {
//!         "+" => two(extended(next(), next()), |x, y| x + y),
//!         "-" => two(extended(next(), next()), |x, y| x - y),
//!         "*" => two(extended(next(), next()), |x, y| x * y),
//!         "/" => two(extended(next(), next()), |x, y| x / y),
//!         "sum" => next().sum(),
//!         "max" => next().max(),
//!         "scan" => next().inclusive_scan(|x, y| x + y),
//!         "turn" => {
//!             let x = next();
//!             let mut order: Vec<usize> = (0..x.rank()).collect();
//!             order.rotate_right(1); // of a matrix, rows become columns
//!             x.transpose_axes(&order)
//!         }
//!         "dup" => {
//!             stack.push(next());
//!             stack[stack.len() - 1].clone()
//!         }
//!         _ => match word.strip_prefix("in:") {
//!             Some(rank) => inputs.array(rank.parse().unwrap_or(0), &[ScalarType::F64]).to(),
//!             None => fill(Vec::<u32>::new(), lit(word.parse().unwrap_or(0.0))),
//!         },
//!     };
//!     stack.push(made);
//! }
//!
//! fn compile(file: &str, text: &str) -> Result<AnyProgram, String> {
//!     let words = words(file, text);
//!     check(&words)?;
//!     let program = AnyProgram::build("main", |inputs| {
//!         let mut stack = Vec::new();
//!         for word in &words {
//!             at_place(&word.place, || apply(word.text, inputs, &mut stack));
//!         }
//!         stack.iter().map(|array| array.untyped()).collect()
//!     });
//!     program.map_err(|error| error.to_string())
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // A matrix times a vector, and how far each result is below the largest.
//! let program = compile("below.post", "in:2 in:1 * sum\ndup max -")?;
//! let device = Device::cpu();
//! let m = AnyArray::new(&device, &[2, 3], &[1.0, 0.0, 0.0, 0.0, 1.0, 1.0])?;
//! let v = AnyArray::new(&device, &[3], &[1.0, 2.0, 3.0])?;
//! assert_eq!(program.run(&device, &[&m, &v])?[0].to_vec::<f64>()?, [-4.0, 0.0]);
//! assert_eq!(program.schedule().operators(), 3); // neither the products nor the copies of the vector are stored
//!
//! // Mistakes have places of the language: words, stacks, axes, and extents that only a run knows.
//! let told = |text: &str| compile("f.post", text).map(drop).unwrap_err();
//! assert_eq!(told("in:1\n  sun"), "f.post:2:3: `sun` is no word");
//! assert_eq!(told("in:1 +"), "f.post:1:6: `+` takes 2 arrays, and 1 are there");
//! assert!(told("1 2 + sum").contains("f.post:1:7: `sum` needs an array with 1 axis"));
//! let sums = compile("f.post", "in:1 in:1 +")?;
//! let two = AnyArray::new(&device, &[2], &[1.0, 2.0])?;
//! let error = sums.run(&device, &[&v, &two]).unwrap_err().to_string();
//! assert!(error.contains("`zip_with` of arrays with the extents 3 and 2 (at f.post:1:11"), "{error}");
//! # Ok(())
//! # }
//! ```
//!
//! # What to know
//!
//! - The closure runs several times, and must do the same each time: parse before, as `compile` does.
//! - `sum`, `max`, `fold` and the scans are parallel, so their operator has to be associative, for floats up to rounding. What has to go in order
//!   is a loop in an element: `generate(n, move |i| seq_iterate(m, move |k, sum| .., start))`.
//! - An extent is made of extents, numbers and [`number`](crate::arrays::AnyInputs::number) inputs. It may not depend on elements, except where
//!   `filter`, `compact` and their like do it themselves.
