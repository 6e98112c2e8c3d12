//! Types as they are written, with variables: of the user's signatures and of the library's.

use syn::{GenericArgument, PathArguments, ReturnType};

use crate::scalar::ScalarType;
use crate::syntax::{HostType, Size, Type};

/// What a type is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Head {
    /// A pull array: the element and the shape.
    Pull,
    /// A push array: the element and the shape.
    Push,
    /// An array of an array program: the element and the index.
    Arr,
    /// The elements around one: the element.
    Window,
    /// What a stencil reads outside: the element.
    Outside,
    /// A program: the result.
    Program,
    /// A mutable array: the element and the length.
    Mutable,
    /// A tuple, `()` among them.
    Tuple,
    /// A `Vec` or array of the host: the element.
    Vec,
    /// An iterator or a range: the element.
    Iter,
    /// An `Option`: the value.
    Option,
    /// A function: the arguments and, last, the result.
    Fn,
    /// A type parameter inside of its function.
    Param(u32),
    /// A boundary, a layout, a precondition: no literal is part of it.
    Opaque,
}

/// A type as it is written.
#[derive(Clone, PartialEq, Debug)]
pub enum Scheme {
    /// Nothing is known of it.
    Any,
    /// A number or boolean: of the device? And its type.
    Number(bool, HostType),
    /// The n-th type parameter.
    Generic(u32),
    /// `Exp<T>` of a type parameter.
    Exp(u32),
    /// Made of others.
    Made(Head, Vec<Scheme>),
    /// A number of the host or the device, of this type.
    Into(Box<Scheme>),
    /// An extent or a tuple of them; the index of what has these extents.
    Extents(Box<Scheme>),
    /// The index of an array with a shape.
    Index(Box<Scheme>),
    /// The number of elements of an array with a shape.
    Length(Box<Scheme>),
    /// A pull or a push array: the element and the shape.
    Array(Box<Scheme>, Box<Scheme>),
    /// Something to iterate over: the element.
    Sequence(Box<Scheme>),
    /// The element that a function of elements gives, itself or as a program.
    Value(Box<Scheme>),
}

/// What the bounds of a type parameter say.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Bounded {
    /// Are its values device values, tuples of them, or arrays?
    pub is_data: bool,
    /// The function that it is.
    pub function: Option<Scheme>,
}

impl Scheme {
    /// `()`
    pub const UNIT: Scheme = Scheme::Made(Head::Tuple, Vec::new());

    const LENGTH: Scheme = Scheme::Number(false, HostType::Scalar(ScalarType::U32));
    const INDEX: Scheme = Scheme::Number(true, HostType::Scalar(ScalarType::U32));

    fn made<const N: usize>(head: Head, parts: [Scheme; N]) -> Scheme {
        Scheme::Made(head, parts.to_vec())
    }

    /// What the evaluator knows of a type, where it is not written.
    pub fn of_type(ty: &Type) -> Scheme {
        match ty {
            Type::Unit => Scheme::UNIT,
            Type::Host(ty) => Scheme::Number(false, *ty),
            Type::Exp(ty) => Scheme::Number(true, HostType::Scalar(*ty)),
            Type::Tuple(list) => {
                Scheme::Made(Head::Tuple, list.iter().map(Scheme::of_type).collect())
            }
            Type::Vec(element) => Scheme::made(Head::Vec, [Scheme::of_type(element)]),
            Type::Pull(element, Size::DYNAMIC) => {
                Scheme::made(Head::Pull, [Scheme::of_type(element), Scheme::INDEX])
            }
            _ => Scheme::Any,
        }
    }

    /// A type, in which some names are type parameters.
    pub fn of(ty: &syn::Type, generic: &dyn Fn(&str) -> Option<u32>) -> Scheme {
        let of = |ty: &syn::Type| Scheme::of(ty, generic);
        match ty {
            syn::Type::Paren(inner) => of(&inner.elem),
            syn::Type::Group(inner) => of(&inner.elem),
            syn::Type::Reference(inner) => of(&inner.elem),
            syn::Type::Tuple(tuple) => {
                Scheme::Made(Head::Tuple, tuple.elems.iter().map(of).collect())
            }
            syn::Type::Array(array) => Scheme::made(Head::Vec, [of(&array.elem)]),
            syn::Type::Slice(slice) => Scheme::made(Head::Vec, [of(&slice.elem)]),
            syn::Type::FnPtr(function) => {
                let parameters = function.inputs.iter().map(|input| of(&input.ty));
                let parts = parameters.chain([result(&function.output, generic)]);
                Scheme::Made(Head::Fn, parts.collect())
            }
            syn::Type::ImplTrait(bounds) => of_bounds(&bounds.bounds, generic),
            syn::Type::TraitObject(bounds) => of_bounds(&bounds.bounds, generic),
            syn::Type::Path(path) if path.qself.is_none() => of_path(&path.path, generic),
            _ => Scheme::Any,
        }
    }
}

impl Bounded {
    /// What bounds say.
    pub fn of<'b>(
        bounds: impl IntoIterator<Item = &'b syn::TypeParamBound>,
        generic: &dyn Fn(&str) -> Option<u32>,
    ) -> Bounded {
        let mut found = Bounded::default();
        for bound in bounds {
            found.add(bound, generic);
        }
        found
    }

    /// Adds what one bound says.
    pub fn add(&mut self, bound: &syn::TypeParamBound, generic: &dyn Fn(&str) -> Option<u32>) {
        const DATA: &[&str] = &["Choice", "Data", "Element", "Item", "Storable"];
        let syn::TypeParamBound::Trait(bound) = bound else {
            return;
        };
        let last = bound.path.segments.last();
        self.is_data |= last.is_some_and(|last| DATA.iter().any(|name| last.ident == name));
        let function = of_path(&bound.path, generic);
        if matches!(function, Scheme::Made(Head::Fn, _)) {
            self.function = Some(function);
        }
    }
}

fn of_bounds<'b>(
    bounds: impl IntoIterator<Item = &'b syn::TypeParamBound>,
    generic: &dyn Fn(&str) -> Option<u32>,
) -> Scheme {
    let paths = bounds.into_iter().filter_map(|bound| match bound {
        syn::TypeParamBound::Trait(bound) => Some(of_path(&bound.path, generic)),
        _ => None,
    });
    let mut known = paths.filter(|scheme| *scheme != Scheme::Any);
    known.next().unwrap_or(Scheme::Any)
}

fn result(output: &ReturnType, generic: &dyn Fn(&str) -> Option<u32>) -> Scheme {
    match output {
        ReturnType::Default => Scheme::UNIT,
        ReturnType::Type(_, ty) => Scheme::of(ty, generic),
    }
}

fn of_path(path: &syn::Path, generic: &dyn Fn(&str) -> Option<u32>) -> Scheme {
    let Some(last) = path.segments.last() else {
        return Scheme::Any;
    };
    let name = last.ident.to_string();
    let arguments: Vec<Scheme> = match &last.arguments {
        PathArguments::AngleBracketed(list) => {
            let types = list.args.iter().filter_map(|argument| match argument {
                GenericArgument::Type(ty) => Some(Scheme::of(ty, generic)),
                _ => None,
            });
            types.collect()
        }
        PathArguments::Parenthesized(list) => {
            let parameters = list
                .inputs
                .iter()
                .map(|input| Scheme::of(&input.ty, generic));
            let parts = parameters.chain([result(&list.output, generic)]);
            return Scheme::Made(Head::Fn, parts.collect());
        }
        PathArguments::None => Vec::new(),
    };
    if arguments.is_empty() {
        return of_name(&name, generic);
    }
    of_array(&name, &arguments).unwrap_or_else(|| of_constructor(&name, &arguments))
}

fn of_name(name: &str, generic: &dyn Fn(&str) -> Option<u32>) -> Scheme {
    if let Some(n) = generic(name) {
        return Scheme::Generic(n);
    }
    let device = ScalarType::ALL.into_iter().find(|ty| ty.exp_name() == name);
    match (device, HostType::from_name(name)) {
        (Some(ty), _) => Scheme::Number(true, HostType::Scalar(ty)),
        (None, Some(host)) => Scheme::Number(false, host),
        (None, None) => match name {
            "Opaque" => Scheme::Made(Head::Opaque, Vec::new()),
            "Ix0" => index(0),
            "Ix1" => index(1),
            "Ix2" => index(2),
            "Ix3" => index(3),
            _ => Scheme::Any,
        },
    }
}

/// The index of an array of a rank.
fn index(rank: usize) -> Scheme {
    match rank {
        1 => Scheme::INDEX,
        rank => Scheme::Made(Head::Tuple, vec![Scheme::INDEX; rank]),
    }
}

/// Pull and push arrays: `Pull<T>`, `Pull<T, Z>`, `DPull2<T>`, `Push<L, T>` and their like.
fn of_array(name: &str, arguments: &[Scheme]) -> Option<Scheme> {
    let (length, name) = match name.split_at_checked(1)? {
        ("D", name) => (Some(Scheme::INDEX), name),
        ("S", name) => (Some(Scheme::LENGTH), name),
        _ => (None, name),
    };
    let (head, rank) = match name.split_at_checked(4)? {
        ("Pull", rank) => (Head::Pull, rank),
        ("Push", rank) => (Head::Push, rank),
        _ => return None,
    };
    let rank = match rank {
        "" => 1,
        "2" => 2,
        "3" => 3,
        _ => return None,
    };
    let (element, sizes) = match (head, arguments) {
        (Head::Push, [_, element, sizes @ ..]) | (_, [element, sizes @ ..]) => (element, sizes),
        _ => return None,
    };
    let size = sizes.first().cloned().or(length).unwrap_or(Scheme::LENGTH);
    let shape = match rank {
        1 => size,
        rank => Scheme::Made(Head::Tuple, vec![size; rank]),
    };
    Some(Scheme::made(head, [element.clone(), shape]))
}

fn of_constructor(name: &str, arguments: &[Scheme]) -> Scheme {
    let first = || arguments[0].clone();
    let last = || arguments.last().cloned().unwrap_or(Scheme::Any);
    match (name, arguments.len()) {
        ("Exp", 1) => match first() {
            Scheme::Number(_, ty) => Scheme::Number(true, ty),
            Scheme::Generic(n) => Scheme::Exp(n),
            _ => Scheme::Any,
        },
        ("Arr", 2) => Scheme::made(Head::Arr, [last(), first()]),
        ("Arr0", 1) => Scheme::made(Head::Arr, [first(), index(0)]),
        ("Arr1", 1) => Scheme::made(Head::Arr, [first(), index(1)]),
        ("Arr2", 1) => Scheme::made(Head::Arr, [first(), index(2)]),
        ("Arr3", 1) => Scheme::made(Head::Arr, [first(), index(3)]),
        ("Outside", 1) => Scheme::made(Head::Outside, [first()]),
        ("Length", 1) => Scheme::Length(Box::new(first())),
        ("Window", 2) => Scheme::made(Head::Window, [last()]),
        ("Program", 2) => Scheme::made(Head::Program, [last()]),
        ("MGlobal", 1) => Scheme::made(Head::Mutable, [first(), Scheme::INDEX]),
        ("MShared" | "Mutable", 1) => Scheme::made(Head::Mutable, [first(), Scheme::LENGTH]),
        ("Mutable", 2) => Scheme::made(Head::Mutable, [first(), last()]),
        ("Vec", 1) => Scheme::made(Head::Vec, [first()]),
        ("Iter", 1) => Scheme::made(Head::Iter, [first()]),
        ("Option", 1) => Scheme::made(Head::Option, [first()]),
        ("Writer", 1) => Scheme::made(
            Head::Fn,
            [
                first(),
                Scheme::INDEX,
                Scheme::made(Head::Program, [Scheme::UNIT]),
            ],
        ),
        ("Fun", 2) => Scheme::made(Head::Fn, [first(), last()]),
        ("Combine", 1) => Scheme::made(Head::Fn, [first(), first(), first()]),
        ("Into", 1) => Scheme::Into(Box::new(first())),
        ("Extents", 1) => Scheme::Extents(Box::new(first())),
        ("Index", 1) => Scheme::Index(Box::new(first())),
        ("Array", 2) => Scheme::Array(Box::new(first()), Box::new(last())),
        ("Sequence", 1) => Scheme::Sequence(Box::new(first())),
        ("Value", 1) => Scheme::Value(Box::new(first())),
        _ => Scheme::Any,
    }
}
