//! Types: what the evaluator has to know of them, and the rest as it is written.

use syn::{GenericArgument, PathArguments};

use super::Reader;
use crate::error::catalogue;
use crate::infer::Scheme;
use crate::ir::Level;
use crate::scalar::ScalarType;
use crate::syntax::{HostType, LevelUse, Size, Type, TypeUse};

/// Is it the name of a type of kernels?
pub(super) fn is_of_the_language(name: &str) -> bool {
    const TYPES: &[&str] = &[
        "Arr", "Arr0", "Arr1", "Arr2", "Arr3", "Block", "DPull", "DPull2", "DPull3", "DPush",
        "DPush2", "DPush3", "Exp", "Fun", "Grid", "Ix0", "Ix1", "Ix2", "Ix3", "MGlobal", "MShared",
        "Mutable", "Program", "Pull", "Pull2", "Pull3", "Push", "Push2", "Push3", "SPull", "SPush",
        "Thread", "Warp", "Window",
    ];
    TYPES.contains(&name) || ScalarType::ALL.iter().any(|ty| ty.exp_name() == name)
}

impl Reader {
    pub(super) fn type_use(&mut self, ty: &syn::Type) -> TypeUse {
        let site = self.sources.whole(ty);
        let meant = self.without_aliases(ty);
        let meant = meant.as_ref().unwrap_or(ty);
        TypeUse {
            ty: self.ty(meant),
            scheme: Box::new(Scheme::of(meant, &|name| self.generic(name))),
            snippet: self.sources.snippet(ty),
            site,
        }
    }

    /// The number of the type parameter with a name.
    pub(super) fn generic(&self, name: &str) -> Option<u32> {
        let found = self.generics.iter().position(|known| &**known == name);
        found.map(|n| n as u32)
    }

    fn ty(&mut self, ty: &syn::Type) -> Type {
        match ty {
            syn::Type::Paren(inner) => self.ty(&inner.elem),
            syn::Type::Group(inner) => self.ty(&inner.elem),
            syn::Type::Reference(inner) => self.ty(&inner.elem),
            syn::Type::Tuple(tuple) if tuple.elems.is_empty() => Type::Unit,
            syn::Type::Tuple(tuple) => {
                Type::Tuple(tuple.elems.iter().map(|t| self.ty(t)).collect())
            }
            syn::Type::Array(array) => Type::Vec(Box::new(self.ty(&array.elem))),
            syn::Type::Slice(slice) => Type::Vec(Box::new(self.ty(&slice.elem))),
            syn::Type::ImplTrait(_) | syn::Type::FnPtr(_) => Type::Function,
            syn::Type::Infer(_) => Type::Other,
            syn::Type::Path(path) if path.qself.is_none() => self.path_type(&path.path),
            other => {
                self.refuse(other, catalogue::unsupported("this type is"));
                Type::Other
            }
        }
    }

    fn path_type(&mut self, path: &syn::Path) -> Type {
        let Some(last) = path.segments.last() else {
            return Type::Other;
        };
        let arguments: Vec<&syn::Type> = match &last.arguments {
            PathArguments::AngleBracketed(list) => list
                .args
                .iter()
                .filter_map(|a| {
                    if let GenericArgument::Type(t) = a {
                        Some(t)
                    } else {
                        None
                    }
                })
                .collect(),
            _ => Vec::new(),
        };
        let name = last.ident.to_string();
        let element = |reader: &mut Self, n: usize| {
            Box::new(arguments.get(n).map_or(Type::Other, |t| reader.ty(t)))
        };
        if let Some((is_push, size)) = self.array_type(&name, &arguments) {
            return match is_push {
                true => Type::Push(self.level(arguments[0]), element(self, 1), size),
                false => Type::Pull(element(self, 0), size),
            };
        }
        match (name.as_str(), arguments.len()) {
            ("Arr0", 1) => Type::Arr(0, element(self, 0)),
            ("Arr1", 1) => Type::Arr(1, element(self, 0)),
            ("Arr2", 1) => Type::Arr(2, element(self, 0)),
            ("Arr3", 1) => Type::Arr(3, element(self, 0)),
            ("Program", 2) => Type::Program(self.level(arguments[0]), element(self, 1)),
            ("MGlobal", 1) => Type::Mutable(element(self, 0), false),
            ("MShared", 1) => Type::Mutable(element(self, 0), true),
            ("Mutable", 2) => Type::Mutable(
                element(self, 0),
                arguments.get(1).is_none_or(|size| self.is_static(size)),
            ),
            ("Exp", 1) => match *element(self, 0) {
                Type::Host(HostType::Scalar(ty)) => Type::Exp(ty),
                _ => Type::Other,
            },
            ("Vec", 1) => Type::Vec(element(self, 0)),
            ("Option", 1) => Type::Option(element(self, 0)),
            ("Fun", _) => Type::Function,
            ("str" | "String", 0) => {
                let instead = "choose by a number or a boolean of the host, `by: u32`";
                self.refuse(path, catalogue::unsupported_instead("a text is", instead));
                Type::Other
            }
            (_, 0) => {
                if let Some(fields) = self.tuple_of(&name) {
                    self.refuse(path, catalogue::struct_in_a_kernel(&name, &fields));
                }
                self.plain_type(&name)
            }
            _ => Type::Other,
        }
    }

    /// For the name of a type of arrays: is it that of push arrays, and what does it say of their size?
    fn array_type(&mut self, name: &str, arguments: &[&syn::Type]) -> Option<(bool, Size)> {
        let (is_static, name) = match name.split_at_checked(1)? {
            ("D", name) => (Some(false), name),
            ("S", name) => (Some(true), name),
            _ => (None, name),
        };
        let (is_push, rank) = match name.split_at_checked(4)? {
            ("Pull", rank) => (false, rank),
            ("Push", rank) => (true, rank),
            _ => return None,
        };
        let rank = match rank {
            "" => 1,
            "2" => 2,
            "3" => 3,
            _ => return None,
        };
        // In front of the type of the sizes stands that of the elements, and the level of push arrays.
        let given = arguments.len().checked_sub(1 + usize::from(is_push))?;
        let (rank, is_static) = match (is_static, given) {
            (Some(is_static), 0) => (rank, is_static),
            (None, 0) => (rank, true),
            (None, 1) => match arguments.last()? {
                syn::Type::Tuple(sizes) if rank == 1 => {
                    (sizes.elems.len(), self.is_static(sizes.elems.first()?))
                }
                size => (rank, self.is_static(size)),
            },
            _ => return None,
        };
        Some((is_push, Size { rank, is_static }))
    }

    fn plain_type(&self, name: &str) -> Type {
        if let Some(n) = self.generic(name) {
            return Type::Level(LevelUse::Generic(n));
        }
        if let Some(level) = [Level::Thread, Level::Warp, Level::Block, Level::Grid]
            .into_iter()
            .find(|l| l.name() == name)
        {
            return Type::Level(LevelUse::Known(level));
        }
        let device = ScalarType::ALL.into_iter().find(|ty| ty.exp_name() == name);
        match (device, HostType::from_name(name)) {
            (Some(ty), _) => Type::Exp(ty),
            (None, Some(host)) => Type::Host(host),
            (None, None) => Type::Other,
        }
    }

    fn is_static(&mut self, length: &syn::Type) -> bool {
        self.ty(length) == Type::Host(HostType::Scalar(ScalarType::U32))
    }

    fn level(&mut self, ty: &syn::Type) -> LevelUse {
        match self.ty(ty) {
            Type::Level(level) => level,
            _ => LevelUse::Unknown,
        }
    }
}
