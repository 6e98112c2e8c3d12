//! What a printed program calls on the host: values as `tail run` prints them, files, and operators on scalars.

use std::fmt;
use std::path::PathBuf;
use std::time::Instant;

use obsidian_rt::Device;
use obsidian_rt::arrays::{Array, HostItem, Ix1, Rank};

use crate::primitives::{mixed_on_the_host, numbers};
use crate::print::element;
use crate::syntax::Constant;
use crate::value::{Array as HostArray, Elements};

/// Why a printed program does not end: a launch fails, or a file cannot be read.
#[derive(Debug)]
pub struct Failure(String);

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Failure {}

impl From<obsidian_rt::Error> for Failure {
    fn from(error: obsidian_rt::Error) -> Self {
        Failure(error.to_string())
    }
}

/// The result of a printed program.
pub type Result<T> = std::result::Result<T, Failure>;

/// Where a program finds files and the time, and where its random numbers begin.
pub struct Host {
    /// The folder of its files.
    pub folder: PathBuf,
    /// Where the random numbers of `roll` begin.
    pub seed: u64,
    /// When it began.
    pub begin: Instant,
}

impl Host {
    /// The host of a program that begins now.
    pub fn new(folder: impl Into<PathBuf>, seed: u64) -> Self {
        Host {
            folder: folder.into(),
            seed,
            begin: Instant::now(),
        }
    }

    /// Milliseconds since the program began.
    pub fn now(&self) -> i32 {
        i32::try_from(self.begin.elapsed().as_millis()).unwrap_or(i32::MAX)
    }

    /// Where the random numbers of a call begin.
    pub fn stream(&self, call: u32) -> u64 {
        mixed_on_the_host(self.seed ^ (u64::from(call) << 32))
    }

    fn read(&self, name: &str) -> Result<String> {
        let path = self.folder.join(name);
        let content = std::fs::read_to_string(&path);
        content.map_err(|error| Failure(format!("{}: {error}", path.display())))
    }

    /// The characters of a file, as codes.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read_text(&self, device: &Device, name: &str) -> Result<Array<Ix1, u32>> {
        uploaded(device, &codes(&self.read(name)?))
    }

    /// The whole numbers in a file.
    ///
    /// # Errors
    /// If it cannot be read, or something in it is no number.
    pub fn read_ints(&self, device: &Device, name: &str) -> Result<Array<Ix1, i32>> {
        uploaded(device, &numbers(&self.read(name)?).map_err(Failure)?)
    }

    /// The numbers in a file.
    ///
    /// # Errors
    /// If it cannot be read, or something in it is no number.
    pub fn read_doubles(&self, device: &Device, name: &str) -> Result<Array<Ix1, f64>> {
        uploaded(device, &numbers(&self.read(name)?).map_err(Failure)?)
    }
}

fn codes(text: &str) -> Vec<u32> {
    text.chars().map(u32::from).collect()
}

fn uploaded<T: HostItem>(device: &Device, elements: &[T]) -> Result<Array<Ix1, T>> {
    Ok(device.array([elements.len()], elements)?)
}

/// An element as the host has it. A character is its code.
pub trait Item: HostItem {
    /// The value.
    fn constant(self) -> Constant;

    /// Values.
    fn elements(list: Vec<Self>) -> Elements;
}

fn character(code: u32) -> char {
    char::from_u32(code).unwrap_or('\u{fffd}')
}

macro_rules! items {
    ($($ty:ty, $name:ident, $value:expr, $list:expr);+) => {$(
        impl Item for $ty {
            fn constant(self) -> Constant {
                Constant::$name($value(self))
            }

            fn elements(list: Vec<Self>) -> Elements {
                Elements::$name($list(list))
            }
        }
    )+};
}

fn same<T>(value: T) -> T {
    value
}

items! {
    i32, Int, same, same;
    f64, Double, same, same;
    bool, Bool, same, same;
    u32, Char, character, |list: Vec<u32>| list.into_iter().map(character).collect()
}

impl Item for (f64, f64) {
    fn constant(self) -> Constant {
        Constant::Complex(self.0, self.1)
    }

    fn elements(list: Vec<Self>) -> Elements {
        Elements::Complex(list)
    }
}

/// An array of a device, to be printed.
///
/// # Errors
/// If it cannot be read.
pub fn array<Sh: Rank, T: Item>(array: &Array<Sh, T>) -> Result<HostArray> {
    let elements = T::elements(array.to_vec()?);
    let shape = array.extents().as_ref().to_vec();
    HostArray::new(shape, elements).ok_or_else(|| Failure("an array has other extents".to_owned()))
}

/// A scalar, to be printed.
pub fn scalar<T: Item>(value: T) -> HostArray {
    HostArray::scalar(value.constant())
}

/// A text, to be printed.
pub fn text(text: &str) -> HostArray {
    HostArray::vector(Elements::Char(text.chars().collect()))
}

/// The text of a number, on a device.
///
/// # Errors
/// If it cannot be uploaded.
pub fn formatted<T: Item>(device: &Device, value: T) -> Result<Array<Ix1, u32>> {
    uploaded(device, &codes(&element(value.constant())))
}

/// The name of a file.
///
/// # Errors
/// If it cannot be read.
pub fn name(codes: &Array<Ix1, u32>) -> Result<String> {
    Ok(codes.to_vec()?.into_iter().map(character).collect())
}

/// A number as a length.
///
/// # Errors
/// If it is negative.
pub fn length(n: i32) -> Result<u32> {
    u32::try_from(n).map_err(|_| Failure(format!("the length {n} is negative")))
}

/// `b` mod `a`, with the sign of `a`; `b` if `a` is 0.
pub fn resi(a: i32, b: i32) -> i32 {
    if a == 0 {
        return b;
    }
    let rest = b.wrapping_rem(a);
    match rest != 0 && (rest ^ a) < 0 {
        true => rest + a,
        false => rest,
    }
}

/// `b` mod `a`, with the sign of `a`; `b` if `a` is 0.
pub fn resd(a: f64, b: f64) -> f64 {
    if a == 0.0 {
        return b;
    }
    let rest = b % a;
    match rest != 0.0 && (rest < 0.0) != (a < 0.0) {
        true => rest + a,
        false => rest,
    }
}

fn shifted(n: i32, f: impl Fn(u32) -> Option<u32>) -> i32 {
    let shifted = u32::try_from(n).ok().and_then(f);
    shifted.unwrap_or(0).cast_signed()
}

/// A shift to the left; by 32 and more, or by a negative number, it moves all out.
pub fn shli(x: i32, n: i32) -> i32 {
    shifted(n, |n| x.cast_unsigned().checked_shl(n))
}

/// A shift to the right that fills with zeros; by 32 and more, or by a negative number, it moves all out.
pub fn shri(x: i32, n: i32) -> i32 {
    shifted(n, |n| x.cast_unsigned().checked_shr(n))
}

/// A shift to the right that keeps the sign.
pub fn shari(x: i32, n: i32) -> i32 {
    x >> n.cast_unsigned().min(31)
}

/// -1, 0 or 1.
pub fn signd(x: f64) -> i32 {
    i32::from(x > 0.0) - i32::from(x < 0.0)
}
