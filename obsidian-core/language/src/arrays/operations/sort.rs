//! Stable sorts of vectors, by digits.

use std::rc::Rc;

use crate::arrays::any::AnyElement;
use crate::arrays::arr::Arr;
use crate::arrays::digits::{BINS, BITS};
use crate::arrays::graph::{Kind, Permuted, add, has_to_be_stored};
use crate::arrays::item::{Computed, Item, leaves};
use crate::arrays::lifted::{axes_of, cannot_lift};
use crate::arrays::shape::Ix1;
use crate::ir::AtomicOp;
use crate::scalar::{AnyExp, Exp, ScalarType, here, lit, select_exp};

impl<T: Item> Arr<Ix1, T> {
    /// The elements in ascending order: tuples by their first parts, equal ones by the next. Floats are ordered as by `f32::total_cmp`: -0 in front
    /// of 0, and NaNs behind everything, or in front of it if their sign bit is set.
    ///
    /// A radix sort: an operator for each byte of an element, whatever the elements are. Two more count the bytes before, of up to 16 bytes at once.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::EU32;
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EU32>| x.sort())?;
    /// let device = Device::cpu();
    /// let x = device.array([4], &[3, 1, 4, 1])?;
    /// let result = f.run(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [1, 1, 3, 4]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn sort(&self) -> Self {
        self.sorted("sort", &self.types(), |x| leaves(&x))
    }

    /// The elements in the ascending order of what `f` makes of them, equal ones in the order in which they are. See [`sort`](Arr::sort).
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::EU32;
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EU32>| x.sort_by_key(|x| x % 10))?;
    /// let device = Device::cpu();
    /// let x = device.array([4], &[13, 21, 4, 1])?;
    /// let result = f.run(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [21, 1, 13, 4]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn sort_by_key<K: Computed>(&self, f: impl Fn(T) -> K + 'static) -> Self {
        let f = Rc::new(f);
        let keys = f.clone();
        let types = self.map(move |x| keys(x)).types();
        self.sorted("sort_by_key", &types, move |x| leaves(&f(x).value()))
    }

    /// The elements in the ascending order of the lowest `bits` bits of what `f` makes of them, equal ones in the order in which they are: an
    /// operator for each eight bits, and two that count before.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::EU32;
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EU32>| x.sort_by_bits(2, |x| x))?;
    /// let device = Device::cpu();
    /// let x = device.array([4], &[7, 2, 4, 1])?;
    /// let result = f.run(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [4, 1, 2, 7]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn sort_by_bits(&self, bits: u32, f: impl Fn(T) -> Exp<u32> + 'static) -> Self {
        cannot_lift("sort_by_bits", &axes_of(self.number));
        let f = Rc::new(f);
        let digits = (0..bits.min(u32::BITS).div_ceil(BITS)).map(|pass| {
            let f = f.clone();
            let left = (bits - pass * BITS).min(BITS);
            let digit: Digit<T> = Rc::new(move |x| {
                let digit = f(x) >> (pass * BITS);
                if left < BITS {
                    digit & ((1u32 << left) - 1)
                } else {
                    digit
                }
            });
            digit
        });
        self.by_digits("sort_by_bits", &digits.collect::<Vec<_>>())
    }

    #[track_caller]
    fn sorted(
        &self,
        name: &'static str,
        types: &[ScalarType],
        key: impl Fn(T) -> Vec<AnyExp> + 'static,
    ) -> Self {
        let key = Rc::new(key);
        let mut digits: Vec<Digit<T>> = Vec::new();
        for (part, ty) in types.iter().enumerate().rev() {
            for pass in 0..passes(*ty) {
                let key = key.clone();
                digits.push(Rc::new(move |x| {
                    let part = key(x).get(part).copied();
                    part.map_or_else(Exp::poison, |part| digit(part, pass))
                }));
            }
        }
        self.by_digits(name, &digits)
    }

    /// The elements in the order of some digits, the least one first, equal ones in the order in which they are.
    #[track_caller]
    fn by_digits(&self, name: &'static str, digits: &[Digit<T>]) -> Self {
        let mut sorted = self.clone();
        for some in digits.chunks(COUNTED) {
            has_to_be_stored(name);
            // The digits of all passes are counted at once: it is the same elements in each.
            let counts = sorted.counts_of(name, some);
            for (pass, digit) in (0..).zip(some) {
                sorted = sorted.by_digit(name, digit.clone(), (&counts, pass));
            }
        }
        sorted
    }

    /// How often there is each digit, pass by pass.
    #[track_caller]
    fn counts_of(&self, name: &'static str, digits: &[Digit<T>]) -> Arr<Ix1, Exp<u32>> {
        let (element, all) = (self.element.clone(), digits.to_vec());
        let each = Arr::<Ix1, AnyElement>::delayed(name, self.extents(), move |index| {
            let x = element(index);
            AnyElement(all.iter().map(|digit| digit(x.clone()).any()).collect())
        });
        cannot_lift(name, &axes_of(each.number));
        let extents = vec![lit(BINS * digits.len() as u32)];
        let zeros = Arr::<Ix1, Exp<u32>>::delayed(name, extents.clone(), |_| lit(0u32)).compute();
        let kind = Kind::Permute(Rc::new(Permuted {
            source: each.number,
            counts: true,
            changed: zeros.number,
            operations: vec![AtomicOp::Add],
            origin: here(),
        }));
        Arr::of(add("count", extents, kind, |_| lit(0u32)))
    }

    /// The elements in the order of a digit, equal ones in the order in which they are.
    #[track_caller]
    fn by_digit(
        &self,
        name: &'static str,
        digit: Digit<T>,
        (counts, pass): (&Arr<Ix1, Exp<u32>>, u32),
    ) -> Self {
        has_to_be_stored(name);
        let (element, extents) = (self.element.clone(), self.extents());
        let (of_element, like) = (digit.clone(), self.like());
        let digits = Arr::<Ix1, Exp<u32>>::delayed(name, extents.clone(), move |index| {
            of_element(element(index))
        });
        cannot_lift(name, &axes_of(digits.number));
        let kind = Kind::Place {
            digits: digits.number,
            counts: counts.number,
            pass,
            digit: Rc::new(move |x: &AnyElement| digit(like.rebuild(&mut x.0.iter().copied()))),
        };
        let places = Arr::<Ix1, Exp<u32>>::of(add("place", extents.clone(), kind, |_| lit(0u32)));
        let order = Some(places.number);
        let (place, element) = (places.element, self.element.clone());
        let source =
            Arr::<Ix1, (Exp<bool>, (Exp<u32>, T))>::delayed(name, extents.clone(), move |index| {
                (lit(true), (place(index), element(index)))
            });
        let like = self.like();
        let kind = Kind::Scatter {
            source: source.number,
            order,
        };
        Arr::of(add(name, extents, kind, move |_| like.clone()))
    }
}

/// A digit of an element.
type Digit<T> = Rc<dyn Fn(T) -> Exp<u32>>;

/// The most passes whose digits are counted at once.
const COUNTED: usize = 16;

/// How many digits a key has.
fn passes(ty: ScalarType) -> u32 {
    ty.bits().div_ceil(BITS)
}

/// A digit of a key, the lowest first, such that keys are in the order of their digits; the bits above those of a digit are not told.
fn digit(key: AnyExp, pass: u32) -> Exp<u32> {
    let is_top = pass + 1 == passes(key.ty());
    let top = if is_top { BINS / 2 } else { 0 };
    let of = |bits: AnyExp| match bits.ty() == ScalarType::U64 {
        true => {
            let bits = bits.typed().unwrap_or_else(Exp::<u64>::poison);
            (bits >> (pass * BITS)).cast::<u32>()
        }
        false => {
            let bits = bits.cast(ScalarType::U32).typed();
            let bits = bits.unwrap_or_else(Exp::<u32>::poison);
            bits >> (pass * BITS)
        }
    };
    // All bits of a float turn round if it is negative, and otherwise its sign.
    let of_float = |bits: AnyExp, negative: Exp<bool>| {
        of(bits) ^ select_exp(negative, lit(BINS - 1), lit(top))
    };
    match key.ty() {
        ScalarType::I8 | ScalarType::I16 | ScalarType::I32 | ScalarType::I64 => {
            of(key.cast(key.ty().unsigned())) ^ top
        }
        ScalarType::F32 => {
            let bits = key.typed().unwrap_or_else(Exp::<f32>::poison).to_bits();
            of_float(bits.any(), bits.ge(1u32 << 31))
        }
        ScalarType::F64 => {
            let bits = key.typed().unwrap_or_else(Exp::<f64>::poison).to_bits();
            of_float(bits.any(), bits.ge(1u64 << 63))
        }
        ScalarType::Bool | ScalarType::U8 | ScalarType::U16 | ScalarType::U32 | ScalarType::U64 => {
            of(key)
        }
    }
}
