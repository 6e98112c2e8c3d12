//! Safe Rust for the CPU, from the device function of a range.
//!
//! A range computes each element by one call, and the kernel of a GPU has all calls written out in statements.
//! For a CPU the function itself is the better text: rustc knows what to do with its loops and early
//! returns. So this prints the tree of the function, which has all types, as Rust again:
//!
//! - integers wrap, casts and operators are those of `operators`, so that results are those of the
//!   simulator bit for bit, in builds with overflow checks as well;
//! - an index outside of its array, a division by 0 or a panic leaves the launch by `rt::device::fault`, with its number in the list of
//!   [`Faults`]: its words are those of the kernel, so that they are the same on every device;
//! - `usize` is `u64`, and a slice of tuples is a tuple of slices, as buffers are.
//!
//! ```text
//! fn cpu(call: &mut rt::Call<'_>) {
//!     fn f0(mut s0: u64, mut s1: &[f32]) -> f32 { .. }
//!     let e0: u32 = call.scalar::<u32>(0usize);
//!     let p0: &[f32] = call.input::<f32>(1usize);
//!     let mut o0 = call.output::<f32>(2usize);
//!     call.blocks(e0.div_ceil(256u32), (rt::ragged(&mut o0, 256u32), ()), |block: u32, (o0, ())| { .. });
//! }
//! ```

mod function;

use std::fmt::Write as _;

use crate::library::device::{Code, Device, Expr, Num, Place, Ty};
use crate::ordered::Map;
use function::Printer;

/// The elements that a block computes, as in the kernel of a range.
const EACH: u32 = 256;

/// How many calls a function may have, with those in what it calls, if all of them are to be written out
/// by rustc.
const WRITTEN_OUT: u64 = 200;

/// What can go wrong in a range, by number: the words, and the place in the user's source.
#[derive(Default)]
pub struct Faults {
    list: Vec<(String, Place)>,
    numbers: Map<(String, Place), usize>,
}

impl Faults {
    /// The number of a fault in the text.
    fn number(&mut self, words: &str, place: Place) -> String {
        let next = self.list.len();
        let fault = (words.to_owned(), place);
        let number = *self.numbers.entry(fault.clone()).or_insert(next);
        if number == next {
            self.list.push(fault);
        }
        format!("{number}u32")
    }

    /// The faults in the order of their numbers.
    pub fn list(&self) -> &[(String, Place)] {
        &self.list
    }
}

/// The function `cpu` of a range of this many dimensions, whose coordinates have the type `num`, and what can go wrong in it.
pub fn range(device: &Device, (dimensions, num): (u32, Num), runtime: &str) -> (String, Faults) {
    let mut faults = Faults::default();
    let Some(code) = device.code() else {
        return (String::new(), faults);
    };
    let mut text = format!("fn cpu(call: &mut {runtime}::Call<'_>) {{ use {runtime} as rt;\n");
    let calls = calls(device, code.number, &mut Map::new());
    let inline = match calls <= WRITTEN_OUT {
        true => "#[inline(always)]",
        false => "#[inline]",
    };
    for code in &device.functions {
        let _ = writeln!(
            text,
            "{inline} {}",
            Printer::function(device, code, &mut faults)
        );
    }
    let mut position = 0usize;
    let mut next = || {
        position += 1;
        position - 1
    };
    for n in 0..dimensions {
        let _ = writeln!(text, "let e{n}: u32 = call.scalar::<u32>({}usize);", next());
    }
    let arguments = code.parameters.get(1..).unwrap_or_default();
    for (n, ty) in arguments.iter().enumerate() {
        let value = match ty {
            Ty::Slice(element) => inputs(element, &mut next),
            _ => numbers(ty, &mut next),
        };
        let _ = writeln!(text, "let p{n}: {} = {value};", rust_type(ty));
    }
    let leaves = code.result.numbers();
    for (n, (_, num)) in leaves.iter().enumerate() {
        let ty = num.scalar().name();
        let _ = writeln!(text, "let mut o{n} = call.output::<{ty}>({}usize);", next());
    }
    text.push_str(&blocks(code, (dimensions, num), &leaves));
    (text, faults)
}

/// The blocks: a run of elements each, row by row, so that what depends on the row alone is computed once.
fn blocks(code: &Code, (dimensions, num): (u32, Num), leaves: &[(Vec<u32>, Num)]) -> String {
    let outputs = |of: &dyn Fn(usize) -> String| {
        (0..leaves.len())
            .rev()
            .fold("()".to_owned(), |rest, n| format!("({}, {rest})", of(n)))
    };
    let extents: Vec<String> = (0..dimensions).map(|n| format!("e{n}")).collect();
    let (split, pieces) = (
        outputs(&|n| format!("rt::ragged(&mut o{n}, {EACH}u32)")),
        outputs(&|n| format!("o{n}")),
    );
    let arguments: Vec<String> = (1..code.parameters.len())
        .map(|n| n - 1)
        .map(|n| format!(", p{n}"))
        .collect();
    let ty = num.scalar().name();
    let last = dimensions.saturating_sub(1);
    let at: Vec<String> = (0..dimensions)
        .map(|n| match n == last {
            true => format!("(a{n} as {ty}).wrapping_add(j as {ty})"),
            false => format!("a{n} as {ty}"),
        })
        .collect();
    let at = match at.as_slice() {
        [one] => one.clone(),
        several => format!("({})", several.join(", ")),
    };
    let call = format!("f{}({at}{})", code.number, arguments.concat());
    let stores: Vec<String> = leaves
        .iter()
        .enumerate()
        .map(|(n, (way, _))| {
            let way: Vec<String> = way.iter().map(|field| format!(".{field}")).collect();
            format!("w{n}[j] = r{};", way.concat())
        })
        .collect();
    let rows: Vec<String> = (0..leaves.len())
        .map(|n| format!("let w{n} = &mut o{n}[k..][..run];"))
        .collect();
    let coordinates: Vec<String> = (0..dimensions).map(|n| format!("mut a{n}")).collect();
    // The coordinate in front goes on by one where a row ends.
    let next = (0..last).fold(String::new(), |inner, n| {
        let full = match n {
            0 => String::new(),
            _ => format!("if a{n} == e{n} {{ a{n} = 0u32; {inner} }}"),
        };
        format!("a{n} = a{n}.wrapping_add(1u32); {full}")
    });
    format!(
        "let extents = [{}];
let length: u32 = rt::device::length_of(extents);
call.blocks(length.div_ceil({EACH}u32), {split}, |block: u32, {pieces}| {{
    let first: u32 = block.wrapping_mul({EACH}u32);
    let count: usize = length.wrapping_sub(first).min({EACH}u32) as usize;
    let [{}] = rt::device::first_of(first, extents);
    let mut k = 0usize;
    while k < count {{
        let run: usize = (count - k).min(e{last}.wrapping_sub(a{last}) as usize);
        {}
        for j in 0usize..run {{
            let r: {} = {call};
            {}
        }}
        k += run;
        a{last} = 0u32;
        {next}
    }}
}});
}}",
        extents.join(", "),
        coordinates.join(", "),
        rows.concat(),
        rust_type(&code.result),
        stores.concat(),
    )
}

/// An argument that is made of numbers, taken from the launch.
fn numbers(ty: &Ty, next: &mut impl FnMut() -> usize) -> String {
    match ty {
        Ty::Tuple(list) => {
            let parts: Vec<String> = list.iter().map(|ty| numbers(ty, next) + ",").collect();
            format!("({})", parts.concat())
        }
        Ty::Array(element, n) => {
            let parts: Vec<String> = (0..*n).map(|_| numbers(element, next) + ",").collect();
            format!("[{}]", parts.concat())
        }
        one => format!("call.scalar::<{}>({}usize)", rust_type(one), next()),
    }
}

/// The arrays that a slice of such elements is, taken from the launch.
fn inputs(element: &Ty, next: &mut impl FnMut() -> usize) -> String {
    match element {
        Ty::Tuple(list) => {
            let parts: Vec<String> = list.iter().map(|ty| inputs(ty, next) + ",").collect();
            format!("rt::device::together(({}))", parts.concat())
        }
        one => format!("call.input::<{}>({}usize)", rust_type(one), next()),
    }
}

/// How many calls a function has, with those in what it calls; there are no circles.
fn calls(device: &Device, number: u32, known: &mut Map<u32, u64>) -> u64 {
    if let Some(calls) = known.get(&number) {
        return *calls;
    }
    fn add(expr: &Expr, of: &mut dyn FnMut(u32) -> u64) -> u64 {
        let own = match expr {
            Expr::Call(n, _) => of(*n).saturating_add(1),
            _ => 0,
        };
        let inside = expr.children().into_iter().map(|inner| add(inner, of));
        inside.fold(own, u64::saturating_add)
    }
    let code = device.functions.iter().find(|f| f.number == number);
    let found = code.map_or(0, |code| add(&code.body, &mut |n| calls(device, n, known)));
    known.insert(number, found);
    found
}

/// A type in the text.
fn rust_type(ty: &Ty) -> String {
    match ty {
        Ty::Num(num) => num.scalar().name().to_owned(),
        Ty::Tuple(list) => {
            let list: Vec<String> = list.iter().map(|ty| rust_type(ty) + ", ").collect();
            format!("({})", list.concat())
        }
        Ty::Array(element, n) => format!("[{}; {n}usize]", rust_type(element)),
        Ty::Slice(element) => slice_type(element),
    }
}

/// A slice of tuples is a tuple of slices.
fn slice_type(element: &Ty) -> String {
    match element {
        Ty::Tuple(list) => {
            let list: Vec<String> = list.iter().map(|ty| slice_type(ty) + ", ").collect();
            format!("({})", list.concat())
        }
        one => format!("&[{}]", rust_type(one)),
    }
}
