//! What goes into an array program, and what comes out of it.

use std::panic::Location;

use super::Given;
use super::any::{AnyArr, AnyElement};
use super::arr::Arr;
use super::graph::{Kind, NodeNumber, add, graph};
use super::index::Index;
use super::item::{Item, leaves, types};
use super::lifted::{is_result, is_whole};
use super::settings::Settings;
use super::shape::Shape;
use crate::scalar::{AnyExp, Exp, Scalar, ScalarType, VariableKind};

/// The user's function of an array program: it takes its parameters from the signature, and gives its results.
#[doc(hidden)]
pub type Body<'f> = &'f dyn Fn(&mut Signature) -> Declared;

/// What keeps the user's functions from running without end: it runs what it is given, and may end it.
#[doc(hidden)]
pub type Bounds<'f> = &'f dyn Fn(&mut dyn FnMut());

/// An array program, as what compiles it is given it.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct Described<'f> {
    /// The name of the program.
    pub name: &'f str,
    /// Those of its parameters.
    pub names: &'f [String],
    /// What its attribute says.
    pub settings: Settings,
    /// What all of the user's functions run within.
    pub bounds: Bounds<'f>,
    /// It runs several times: to plan, and once for each kernel.
    pub body: Body<'f>,
}

/// Declares the parameters of an array program, in order.
#[derive(Debug)]
pub struct Signature {
    names: Vec<String>,
    /// Where the parameters stand, if not where they are declared.
    place: Option<&'static Location<'static>>,
    #[doc(hidden)]
    pub given: Vec<Given>,
    /// The scalar parameters and extents, by number.
    #[doc(hidden)]
    pub numbers: Vec<AnyExp>,
}

impl Signature {
    #[doc(hidden)]
    pub fn new(names: &[String], numbers: Vec<AnyExp>) -> Self {
        Signature {
            names: names.to_vec(),
            place: None,
            given: Vec::new(),
            numbers,
        }
    }

    /// The parameters that are declared from now on stand at this place.
    pub fn at(&mut self, place: &'static Location<'static>) {
        self.place = Some(place);
    }

    /// The name of the next parameter.
    pub fn name_next(&mut self, name: &str) {
        let position = self.given.len();
        for n in self.names.len()..=position {
            self.names.push(format!("input_{n}"));
        }
        if let Some(own) = self.names.get_mut(position) {
            name.clone_into(own);
        }
    }

    fn name(&self) -> String {
        let position = self.given.len();
        let name = self.names.get(position);
        name.cloned().unwrap_or_else(|| format!("input_{position}"))
    }

    /// The next number: one of those that were made ready, or a new one where the parameters are not known yet.
    fn number(&mut self, position: usize, name: &str, ty: ScalarType) -> AnyExp {
        while self.numbers.len() <= position {
            let (_, value) = crate::program::bound_any(Some(name), ty, VariableKind::Argument);
            self.numbers.push(value);
        }
        self.numbers
            .get(position)
            .copied()
            .unwrap_or_else(|| AnyExp::poison(ty))
    }

    fn taken(&self) -> usize {
        let numbers = |given: &Given| given.numbers().len();
        self.given.iter().map(numbers).sum()
    }

    /// An array.
    #[track_caller]
    pub fn array<Sh: Shape, T: Item>(&mut self, rank: usize) -> Arr<Sh, T> {
        let like = T::poison();
        self.array_like(rank, &like)
    }

    /// An array whose number of axes and types of elements are known now, and not by Rust's types.
    ///
    /// More axes than [`MOST_AXES`](super::MOST_AXES) are an error of the program.
    #[track_caller]
    pub fn any_array(&mut self, rank: usize, types: &[ScalarType]) -> AnyArr {
        self.array_like(rank, &AnyElement::zeros(types))
    }

    #[track_caller]
    #[doc(hidden)]
    pub fn array_like<Sh: Shape, T: Item>(&mut self, rank: usize, like: &T) -> Arr<Sh, T> {
        let given = Given::Array {
            name: self.name(),
            rank,
            types: types(&leaves(like)),
        };
        let first = self.taken();
        let mut extents = Vec::new();
        for (axis, (name, ty)) in given.numbers().into_iter().enumerate() {
            let number = self.number(first + axis, &name, ty);
            extents.push(number.typed().unwrap_or_else(Exp::poison));
        }
        self.given.push(given);
        let like = like.clone();
        let made = || {
            Arr::of(add("input", extents, Kind::Input, move |_: &Index| {
                like.clone()
            }))
        };
        match self.place {
            Some(place) => crate::scalar::with_native(place, made),
            None => made(),
        }
    }

    /// A scalar.
    pub fn scalar<T: Scalar>(&mut self) -> Exp<T> {
        self.scalar_of(T::TYPE).typed().unwrap_or_else(Exp::poison)
    }

    /// A scalar of a type.
    #[doc(hidden)]
    pub fn scalar_of(&mut self, ty: ScalarType) -> AnyExp {
        let name = self.name();
        let position = self.taken();
        let value = self.number(position, &name, ty);
        self.given.push(Given::Scalar { name, ty });
        value
    }
}

/// What a parameter of an array program can be: an array, or a device value.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a parameter of an array program",
    note = "arrays (`Arr1<EF32>`, `Arr2<(EU32, EF32)>`) and device values (`EU32`) can"
)]
pub trait ArrayParameter {
    /// Declares the parameter.
    #[track_caller]
    fn declare(signature: &mut Signature) -> Self;
}

impl<Sh: Shape, T: Item> ArrayParameter for Arr<Sh, T> {
    #[track_caller]
    fn declare(signature: &mut Signature) -> Self {
        signature.array(Sh::RANK.unwrap_or(0))
    }
}

impl<T: Scalar> ArrayParameter for Exp<T> {
    fn declare(signature: &mut Signature) -> Self {
        signature.scalar()
    }
}

/// The results of an array program.
#[derive(Default, Debug)]
pub struct Declared(#[doc(hidden)] pub Vec<NodeNumber>);

/// What an array program can give: an array, or a tuple of them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the result of an array program",
    note = "an array can, or a tuple of them"
)]
pub trait ArrayResult {
    /// Takes the results.
    fn take(self, results: &mut Declared);
}

impl<Sh: Shape, T: Item> ArrayResult for Arr<Sh, T> {
    fn take(self, results: &mut Declared) {
        is_whole(self.number, self.hidden);
        is_result(self.number);
        let is_known = results.0.contains(&self.number);
        let is_input = graph(|graph| {
            let node = graph.node(self.number);
            node.is_some_and(|node| matches!(node.kind, Kind::Input | Kind::Literal(_)))
        });
        // Each result has memory of its own.
        if is_known || is_input == Some(true) {
            let element = self.element.clone();
            let copy = Arr::<Sh, T>::delayed("copy", self.extents(), move |index| element(index));
            results.0.push(copy.number);
        } else {
            results.0.push(self.number);
        }
    }
}

macro_rules! results {
    ($(($($result:ident $n:tt)+);)*) => {$(
        impl<$($result: ArrayResult),+> ArrayResult for ($($result,)+) {
            fn take(self, results: &mut Declared) {
                $(self.$n.take(results);)+
            }
        }
    )*};
}

results! {
    (A 0 B 1);
    (A 0 B 1 C 2);
    (A 0 B 1 C 2 D 3);
    (A 0 B 1 C 2 D 3 E 4);
}
