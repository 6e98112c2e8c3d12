//! A tree as a list of numbers, so that generated code can carry one.

use crate::scalar::{BinaryOp, UnaryOp};

/// Something that can be written as numbers and read back.
pub trait Words: Sized {
    /// Appends the numbers.
    fn write_words(&self, to: &mut Vec<u64>);
    /// Reads the numbers from the front of a list; `None` if they are not those of such a tree.
    fn read_words(from: &mut &[u64]) -> Option<Self>;
}

fn next(from: &mut &[u64]) -> Option<u64> {
    let (first, rest) = from.split_first()?;
    *from = rest;
    Some(*first)
}

macro_rules! numbers {
    ($($ty:ident)*) => {$(
        impl Words for $ty {
            fn write_words(&self, to: &mut Vec<u64>) {
                to.push(u64::from(*self));
            }
            fn read_words(from: &mut &[u64]) -> Option<Self> {
                next(from)?.try_into().ok()
            }
        }
    )*};
}

numbers! { u32 u64 }

impl Words for bool {
    fn write_words(&self, to: &mut Vec<u64>) {
        to.push(u64::from(*self));
    }
    fn read_words(from: &mut &[u64]) -> Option<Self> {
        Some(next(from)? != 0)
    }
}

impl<T: Words> Words for Vec<T> {
    fn write_words(&self, to: &mut Vec<u64>) {
        to.push(self.len() as u64);
        self.iter().for_each(|item| item.write_words(to));
    }
    fn read_words(from: &mut &[u64]) -> Option<Self> {
        let count = next(from)?;
        (0..count).map(|_| T::read_words(from)).collect()
    }
}

impl Words for String {
    fn write_words(&self, to: &mut Vec<u64>) {
        to.push(self.len() as u64);
        to.extend(self.bytes().map(u64::from));
    }
    fn read_words(from: &mut &[u64]) -> Option<Self> {
        let count = next(from)?;
        let bytes = (0..count).map(|_| u8::try_from(next(from)?).ok());
        String::from_utf8(bytes.collect::<Option<_>>()?).ok()
    }
}

impl<T: Words> Words for Box<T> {
    fn write_words(&self, to: &mut Vec<u64>) {
        (**self).write_words(to);
    }
    fn read_words(from: &mut &[u64]) -> Option<Self> {
        T::read_words(from).map(Box::new)
    }
}

impl<T: Words> Words for Option<T> {
    fn write_words(&self, to: &mut Vec<u64>) {
        self.is_some().write_words(to);
        self.iter().for_each(|item| item.write_words(to));
    }
    fn read_words(from: &mut &[u64]) -> Option<Self> {
        Some(if bool::read_words(from)? {
            Some(T::read_words(from)?)
        } else {
            None
        })
    }
}

macro_rules! by_position {
    ($($ty:ident)*) => {$(
        impl Words for $ty {
            fn write_words(&self, to: &mut Vec<u64>) {
                let place = $ty::ALL.iter().position(|one| one == self);
                to.push(place.unwrap_or_default() as u64);
            }
            fn read_words(from: &mut &[u64]) -> Option<Self> {
                $ty::ALL.get(usize::try_from(next(from)?).ok()?).copied()
            }
        }
    )*};
}

by_position! { UnaryOp BinaryOp }

/// Types whose numbers follow from their fields.
macro_rules! coded {
    ($(#[$doc:meta])* pub enum $name:ident { $($(#[$about:meta])* $variant:ident $(($($field:ident: $ty:ty),*))?,)* }) => {
        $(#[$doc])*
        pub enum $name { $($(#[$about])* $variant $(($($ty),*))?,)* }
        impl $crate::library::device::words::Words for $name {
            #[allow(unused_mut, unused_assignments, unused_variables)]
            fn write_words(&self, to: &mut Vec<u64>) {
                let mut number = 0u64;
                $(
                    #[allow(irrefutable_let_patterns)]
                    if let $name::$variant $(($($field),*))? = self {
                        to.push(number);
                        $($($field.write_words(to);)*)?
                        return;
                    }
                    number += 1;
                )*
            }
            #[allow(unused_mut, unused_assignments)]
            fn read_words(from: &mut &[u64]) -> Option<Self> {
                let chosen = u64::read_words(from)?;
                let mut number = 0u64;
                $(
                    if chosen == number {
                        return Some($name::$variant $(($(<$ty>::read_words(from)?),*))?);
                    }
                    number += 1;
                )*
                None
            }
        }
    };
    ($(#[$doc:meta])* pub struct $name:ident { $($(#[$about:meta])* pub $field:ident: $ty:ty,)* }) => {
        $(#[$doc])*
        pub struct $name { $($(#[$about])* pub $field: $ty,)* }
        impl $crate::library::device::words::Words for $name {
            fn write_words(&self, to: &mut Vec<u64>) {
                $(self.$field.write_words(to);)*
            }
            fn read_words(from: &mut &[u64]) -> Option<Self> {
                Some($name { $($field: <$ty>::read_words(from)?,)* })
            }
        }
    };
}

pub(super) use coded;
