//! Device functions in native builds of kernels.

use std::panic::Location;
use std::rc::Rc;

use super::{Device, Num, Place, Slice, Ty, Val, range, run};
use crate::array::{Length, Pull, Push};
use crate::error::internal;
use crate::program::{Grid, Program, Thread, Trace};
use crate::scalar::{Exp, Scalar, with_native};

/// The places of a device function in the user's text.
pub type Places = Vec<(Place, &'static Location<'static>)>;

/// What can be given to a device function.
pub trait IntoVal {
    /// The value as one of a type.
    fn val(self, ty: &Ty) -> Val;
}

/// What a device function gives.
pub trait FromVal: Clone + 'static {
    /// The value.
    fn of(value: &Val) -> Self;
}

impl<T: Scalar> IntoVal for Exp<T> {
    fn val(self, ty: &Ty) -> Val {
        let given = match ty {
            Ty::Num(num) => Val::given(*num, self.any()),
            _ => None,
        };
        given
            .unwrap_or_else(|| internal::raise("an argument of a device function has another type"))
    }
}

impl<T: Scalar> FromVal for Exp<T> {
    fn of(value: &Val) -> Self {
        let value = match value {
            Val::Num(_, value, _) => value.typed(),
            _ => None,
        };
        value.unwrap_or_else(|| internal::raise("the result of a device function has another type"))
    }
}

impl<T: IntoVal, const N: usize> IntoVal for [T; N] {
    fn val(self, ty: &Ty) -> Val {
        match ty {
            Ty::Array(ty, _) => Val::Array(self.into_iter().map(|v| v.val(ty)).collect()),
            _ => internal::raise("an argument of a device function is no array"),
        }
    }
}

impl<T: FromVal, const N: usize> FromVal for [T; N] {
    fn of(value: &Val) -> Self {
        match value {
            Val::Array(list) if list.len() == N => std::array::from_fn(|n| T::of(&list[n])),
            _ => internal::raise("the result of a device function is no array"),
        }
    }
}

impl<T: IntoVal + 'static, S: Length> IntoVal for Pull<T, S> {
    fn val(self, ty: &Ty) -> Val {
        let Ty::Slice(ty) = ty.clone() else {
            internal::raise("an argument of a device function is no slice");
        };
        Val::Slice(Rc::new(Slice {
            length: self.len().exp(),
            at: Box::new(move |i| self.at(i).val(&ty)),
            is_checked: false,
        }))
    }
}

macro_rules! tuples {
    ($(($($name:ident $n:tt)+);)*) => {$(
        impl<$($name: IntoVal),+> IntoVal for ($($name,)+) {
            fn val(self, ty: &Ty) -> Val {
                match ty {
                    Ty::Tuple(types) => Val::Tuple(vec![$(match types.get($n) {
                        Some(ty) => self.$n.val(ty),
                        None => internal::raise("an argument of a device function has more fields"),
                    }),+]),
                    _ => internal::raise("an argument of a device function is no tuple"),
                }
            }
        }
        impl<$($name: FromVal),+> FromVal for ($($name,)+) {
            fn of(value: &Val) -> Self {
                match value {
                    Val::Tuple(list) => ($(match list.get($n) {
                        Some(value) => $name::of(value),
                        None => internal::raise("the result of a device function has fewer fields"),
                    },)+),
                    _ => internal::raise("the result of a device function is no tuple"),
                }
            }
        }
    )*};
}

tuples! {
    (A 0);
    (A 0 B 1);
    (A 0 B 1 C 2);
    (A 0 B 1 C 2 D 3);
    (A 0 B 1 C 2 D 3 E 4);
    (A 0 B 1 C 2 D 3 E 4 F 5);
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6);
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7);
}

/// A device function as generated code carries it.
#[derive(Clone)]
pub struct Function {
    device: Rc<Device>,
    places: Rc<Places>,
}

impl Function {
    /// The function of some numbers, with its places.
    pub fn new(words: &[u64], places: Places) -> Function {
        let Some(device) = Device::of_words(words) else {
            internal::raise("the numbers of a device function are not whole");
        };
        Function {
            device: Rc::new(device),
            places: Rc::new(places),
        }
    }

    /// The type of a parameter.
    pub fn parameter(&self, n: usize) -> &Ty {
        match self.device.code().and_then(|code| code.parameters.get(n)) {
            Some(ty) => ty,
            None => internal::raise("a device function has fewer parameters"),
        }
    }

    fn run(&self, arguments: Vec<Val>, trace: &mut Trace<Thread>) -> Val {
        let placing =
            |place: Place, f: &mut dyn FnMut()| match self.places.iter().find(|(n, _)| *n == place)
            {
                Some((_, location)) => with_native(location, f),
                None => f(),
            };
        run(&self.device, arguments, &placing, trace)
    }

    /// The value of a function that only computes.
    pub fn value<R: FromVal>(&self, arguments: Vec<Val>) -> R {
        R::of(&self.run(arguments, &mut Trace::new(None)))
    }

    /// The program of one thread that calls it.
    pub fn program<R: FromVal>(&self, arguments: Vec<Val>) -> Program<Thread, R> {
        let function = self.clone();
        Program::new(move |trace| R::of(&function.run(arguments.clone(), trace)))
    }

    /// The elements of a range.
    pub fn range<R: FromVal>(
        &self,
        extents: &[Exp<u32>],
        num: Num,
        arguments: Vec<Val>,
    ) -> Push<Grid, R, Exp<u32>> {
        let function = self.clone();
        range(extents, num, move |at, trace| {
            let all = std::iter::once(at).chain(arguments.iter().cloned().map(Val::checked));
            R::of(&function.run(all.collect(), trace))
        })
    }
}

/// The place where it is called, for the list of a function's places.
#[track_caller]
pub fn place(n: Place) -> (Place, &'static Location<'static>) {
    (n, Location::caller())
}
