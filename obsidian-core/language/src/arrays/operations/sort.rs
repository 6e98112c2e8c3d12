//! Stable sorts of vectors, by digits.

use std::rc::Rc;

use crate::arrays::arr::Arr;
use crate::arrays::graph::{Kind, add, has_to_be_stored};
use crate::arrays::item::{Computed, Item, leaves};
use crate::arrays::lifted::{axes_of, cannot_lift};
use crate::arrays::pieces::{BINS, BITS, pieces_of_digits};
use crate::arrays::shape::Ix1;
use crate::scalar::{AnyExp, Exp, ScalarType, index, lit, select_exp};

impl<T: Item> Arr<Ix1, T> {
    /// The elements in ascending order: tuples by their first parts, equal ones by the next. Floats are ordered as by `f32::total_cmp`: -0 in front
    /// of 0, and NaNs behind everything, or in front of it if their sign bit is set.
    ///
    /// A radix sort: three operators for each byte of an element, whatever the elements are.
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

    /// The elements in the ascending order of the lowest `bits` bits of what `f` makes of them, equal ones in the order in which they are: three
    /// operators for each eight bits.
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
        let passes = 0..bits.min(u32::BITS).div_ceil(BITS);
        passes.fold(self.clone(), |sorted, pass| {
            let f = f.clone();
            let left = (bits - pass * BITS).min(BITS);
            sorted.by_digit("sort_by_bits", move |x| {
                let digit = f(x) >> (pass * BITS);
                if left < BITS {
                    digit & ((1u32 << left) - 1)
                } else {
                    digit
                }
            })
        })
    }

    #[track_caller]
    fn sorted(
        &self,
        name: &'static str,
        types: &[ScalarType],
        key: impl Fn(T) -> Vec<AnyExp> + 'static,
    ) -> Self {
        let key = Rc::new(key);
        let mut sorted = self.clone();
        for (part, ty) in types.iter().enumerate().rev() {
            for pass in 0..passes(*ty) {
                let key = key.clone();
                sorted = sorted.by_digit(name, move |x| {
                    let part = key(x).get(part).copied();
                    part.map_or_else(Exp::poison, |part| digit(part, pass))
                });
            }
        }
        sorted
    }

    /// The elements in the order of a digit, equal ones in the order in which they are.
    #[track_caller]
    fn by_digit(&self, name: &'static str, digit: impl Fn(T) -> Exp<u32> + 'static) -> Self {
        has_to_be_stored(name);
        let (element, extents) = (self.element.clone(), self.extents());
        let digits = Arr::<Ix1, Exp<u32>>::delayed(name, extents.clone(), move |index| {
            digit(element(index))
        });
        cannot_lift(name, &axes_of(digits.number));
        let pieces = pieces_of_digits(self.len());
        let counted = vec![index::mul(pieces, BINS)];
        let kind = Kind::Count(digits.number);
        let counts = Arr::<Ix1, Exp<u32>>::of(add("count", counted, kind, |_| lit(0u32)));
        let offsets = counts.exclusive_scan(|x, y| x + y, lit(0));
        let kind = Kind::Place {
            digits: digits.number,
            offsets: offsets.number,
        };
        let places = Arr::<Ix1, Exp<u32>>::of(add("place", extents.clone(), kind, |_| lit(0u32)));
        let (place, element) = (places.element, self.element.clone());
        let source =
            Arr::<Ix1, (Exp<bool>, (Exp<u32>, T))>::delayed(name, extents.clone(), move |index| {
                (lit(true), (place(index), element(index)))
            });
        let like = self.like();
        let kind = Kind::Scatter(source.number);
        Arr::of(add(name, extents, kind, move |_| like.clone()))
    }
}

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
