//! Stable sorts of vectors, by digits.

use std::rc::Rc;

use crate::arrays::any::AnyElement;
use crate::arrays::arr::Arr;
use crate::arrays::digits::{BINS, BITS, few};
use crate::arrays::graph::{DigitOf, Kind, Permuted, Sorted, add, graph, has_to_be_stored};
use crate::arrays::item::{Computed, Item, leaves};
use crate::arrays::lifted::{axes_of, cannot_lift};
use crate::arrays::shape::Ix1;
use crate::ir::AtomicOp;
use crate::scalar::{AnyExp, Exp, ScalarType, here, lit, select_exp};

impl<T: Item> Arr<Ix1, T> {
    /// The elements in ascending order: tuples by their first parts, equal ones by the next. Floats are ordered as by `f32::total_cmp`: -0 in front
    /// of 0, and NaNs behind everything, or in front of it if their sign bit is set.
    ///
    /// A radix sort: an operator for each byte of an element, whatever the elements are. Two more count the bytes before, of up to 16 bytes at once. Up to 32 KB of elements,
    /// 8,192 of 4 bytes, are sorted by one block in one launch.
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
        let bits = bits.min(u32::BITS);
        let mask = u32::MAX.checked_shr(u32::BITS - bits).unwrap_or(0);
        let part = Part {
            key: Rc::new(move |x| (f(x) & mask).any()),
            passes: bits.div_ceil(BITS),
        };
        self.by_parts("sort_by_bits", &[part])
    }

    #[track_caller]
    fn sorted(
        &self,
        name: &'static str,
        types: &[ScalarType],
        key: impl Fn(T) -> Vec<AnyExp> + 'static,
    ) -> Self {
        let key = Rc::new(key);
        let part = |(position, ty): (usize, &ScalarType)| {
            let key = key.clone();
            Part {
                key: Rc::new(move |x| {
                    let part = key(x).get(position).copied();
                    part.map_or_else(|| Exp::<u32>::poison().any(), ascending)
                }),
                passes: ty.bits().div_ceil(BITS),
            }
        };
        let parts: Vec<Part<T>> = types.iter().enumerate().rev().map(part).collect();
        self.by_parts(name, &parts)
    }

    /// The elements in the order of some parts of their keys, the least one first, equal ones in the order in which they are.
    #[track_caller]
    fn by_parts(&self, name: &'static str, parts: &[Part<T>]) -> Self {
        let passes = parts.iter().flat_map(|part| {
            let of_part = 0..part.passes;
            of_part.map(|pass| (part.key.clone(), pass))
        });
        let passes: Vec<(Key<T>, u32)> = passes.collect();
        let Some(first) = graph(|graph| graph.nodes.len()) else {
            return self.clone();
        };
        let mut sorted = self.clone();
        for some in passes.chunks(COUNTED) {
            has_to_be_stored(name);
            // The digits of all passes are counted at once: it is the same elements in each.
            let counts = sorted.counts_of(name, some);
            for (pass, (key, of_key)) in (0..).zip(some) {
                let (key, of_key) = (key.clone(), *of_key);
                // Passes over one key differ in their number alone, so that they are one kernel.
                let digit = move |x: T, number: Exp<u32>| {
                    let number = match u32::checked_sub(of_key, pass) {
                        Some(more) => number + more,
                        None => number - (pass - of_key),
                    };
                    digit(key(x), number)
                };
                sorted = sorted.by_digit(name, Rc::new(digit), (&counts, pass));
            }
        }
        if sorted.number == self.number {
            return sorted;
        }
        let like = self.like();
        let own = parts.iter().map(|part| {
            let (key, like) = (part.key.clone(), like.clone());
            let of = move |x: &AnyElement, pass| {
                digit(key(like.rebuild(&mut x.0.iter().copied())), pass)
            };
            (Rc::new(of) as DigitOf, part.passes)
        });
        let of_few = Sorted {
            nodes: first..sorted.number + 1,
            source: self.number,
            parts: own.collect(),
            few: few(&self.types()),
            result: sorted.number,
        };
        graph(|graph| graph.sorts.push(Rc::new(of_few)));
        sorted
    }

    /// How often there is each digit, pass by pass.
    #[track_caller]
    fn counts_of(&self, name: &'static str, passes: &[(Key<T>, u32)]) -> Arr<Ix1, Exp<u32>> {
        let (element, all) = (self.element.clone(), passes.to_vec());
        let each = Arr::<Ix1, AnyElement>::delayed(name, self.extents(), move |index| {
            let x = element(index);
            let of = |(key, pass): &(Key<T>, u32)| digit(key(x.clone()), lit(*pass)).any();
            AnyElement(all.iter().map(of).collect())
        });
        cannot_lift(name, &axes_of(each.number));
        let extents = vec![lit(BINS * passes.len() as u32)];
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
            of_element(element(index), lit(pass))
        });
        cannot_lift(name, &axes_of(digits.number));
        let kind = Kind::Place {
            digits: digits.number,
            counts: counts.number,
            pass,
            digit: Rc::new(move |x: &AnyElement, pass| {
                digit(like.rebuild(&mut x.0.iter().copied()), pass)
            }),
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

/// A part of a key of an element, as an unsigned number in 32 or 64 bits that ascends as the part does.
type Key<T> = Rc<dyn Fn(T) -> AnyExp>;

/// A digit of an element, of a pass.
type Digit<T> = Rc<dyn Fn(T, Exp<u32>) -> Exp<u32>>;

/// A part of a key, and how many digits it has.
struct Part<T> {
    key: Key<T>,
    passes: u32,
}

/// The most passes whose digits are counted at once.
const COUNTED: usize = 16;

/// A digit of a part of a key, the lowest first; the bits above those of a digit are not told.
fn digit(key: AnyExp, pass: Exp<u32>) -> Exp<u32> {
    let shift = pass * BITS;
    match key.typed::<u64>() {
        Some(key) => (key >> shift).cast(),
        None => key.typed().unwrap_or_else(Exp::<u32>::poison) >> shift,
    }
}

/// A number in 32 or 64 bits that ascends as a part of a key does.
fn ascending(key: AnyExp) -> AnyExp {
    let of_32 = |bits: AnyExp| {
        bits.cast(ScalarType::U32)
            .typed()
            .unwrap_or_else(Exp::<u32>::poison)
    };
    let of_64 = |bits: AnyExp| {
        bits.cast(ScalarType::U64)
            .typed()
            .unwrap_or_else(Exp::<u64>::poison)
    };
    match key.ty() {
        ScalarType::Bool | ScalarType::U8 | ScalarType::U16 | ScalarType::U32 => of_32(key).any(),
        ScalarType::U64 => key,
        // Negative numbers come first.
        ScalarType::I8 | ScalarType::I16 | ScalarType::I32 => {
            let bits = of_32(key.cast(key.ty().unsigned()));
            (bits ^ (1u32 << (key.ty().bits() - 1))).any()
        }
        ScalarType::I64 => (of_64(key) ^ (1u64 << 63)).any(),
        // All bits of a float turn round if it is negative, and otherwise its sign.
        ScalarType::F32 => {
            let bits = key.typed().unwrap_or_else(Exp::<f32>::poison).to_bits();
            (bits ^ select_exp(bits.ge(1u32 << 31), lit(u32::MAX), lit(1 << 31))).any()
        }
        ScalarType::F64 => {
            let bits = key.typed().unwrap_or_else(Exp::<f64>::poison).to_bits();
            (bits ^ select_exp(bits.ge(1u64 << 63), lit(u64::MAX), lit(1 << 63))).any()
        }
    }
}
