//! The signature of a device function: numbers, tuples, arrays, and slices as parameters.

use quote::ToTokens;
use syn::{FnArg, ItemFn, ReturnType, Type};

use super::super::Reader;
use super::infer::T;
use super::literals::length;
use crate::error::Diagnostic;
use crate::error::catalogue;
use crate::library::device::{Num, WIDTH};

/// What other functions have to know of a device function.
#[derive(Clone, Debug)]
pub(in crate::read) struct Signature {
    pub(super) parameters: Vec<T>,
    pub(super) names: Vec<String>,
    pub(super) result: T,
    /// The number of dimensions and the type of the coordinates.
    pub(super) range: Option<(u32, Num)>,
}

/// The elements that an array of a device function may have.
pub(super) const MOST_ELEMENTS: u32 = 64;
/// The numbers that one value may be made of.
pub(super) const MOST_NUMBERS: u64 = 256;

/// The types that there are.
const TYPES: &str = "there are numbers, `bool`, tuples, `[T; N]`, structs of them with `#[derive(Clone, Copy, Element)]` in a `#[kernels]` module, and `&[T]` as a parameter";

fn attribute_of(item: &ItemFn) -> Option<&syn::Attribute> {
    item.attrs.iter().find(|a| a.path().is_ident("device"))
}

/// Is it marked `#[device]`?
pub(in crate::read) fn is_device(item: &ItemFn) -> bool {
    attribute_of(item).is_some()
}

/// Is it marked `#[device(range)]`?
pub(in crate::read) fn is_range(item: &ItemFn) -> bool {
    attribute_of(item).is_some_and(|a| match &a.meta {
        syn::Meta::List(list) => {
            let tokens = list.tokens.to_string();
            tokens == "range" || tokens.starts_with("range ,") || tokens.starts_with("range,")
        }
        _ => false,
    })
}

pub(super) struct Types<'r> {
    pub(super) reader: &'r mut Reader,
    /// Are mistakes reported?
    pub(super) loud: bool,
    /// Are they those of a struct's fields?
    pub(super) is_element: bool,
}

impl Types<'_> {
    pub(super) fn refuse<A>(&mut self, at: &impl ToTokens, what: &str, instead: &str) -> Option<A> {
        let diagnostic = match self.is_element {
            true => {
                let message = format!("{what} not possible in an `Element`");
                catalogue::bad_element(&message, instead)
            }
            false => catalogue::not_for_device(what, instead),
        };
        self.fail(at, diagnostic)
    }

    pub(super) fn fail<A>(&mut self, at: &impl ToTokens, diagnostic: Diagnostic) -> Option<A> {
        if self.loud {
            self.reader.refuse(at, diagnostic);
        }
        None
    }

    fn bad<A>(&mut self, at: &impl ToTokens, what: &str) -> Option<A> {
        self.fail(at, catalogue::bad_device(what))
    }

    /// A type of a value that fits the registers of a thread.
    fn whole(&mut self, ty: &Type, is_parameter: bool) -> Option<T> {
        let meant = self.reader.without_aliases(ty);
        let ty = meant.as_ref().unwrap_or(ty);
        let found = self.ty(ty, is_parameter)?;
        if found.known().leaves() > MOST_NUMBERS {
            let what = format!("a value of more than {MOST_NUMBERS} numbers is");
            let instead = "each number is a register: pass a longer table as a `&[T]`";
            return self.refuse(ty, &what, instead);
        }
        Some(found)
    }

    pub(super) fn ty(&mut self, ty: &Type, is_parameter: bool) -> Option<T> {
        match ty {
            Type::Paren(inner) => self.ty(&inner.elem, is_parameter),
            Type::Group(inner) => self.ty(&inner.elem, is_parameter),
            Type::Tuple(tuple) => {
                let list = tuple.elems.iter().map(|ty| self.ty(ty, false));
                list.collect::<Option<Vec<T>>>().map(T::Tuple)
            }
            Type::Array(array) => {
                let element = self.ty(&array.elem, false)?;
                let Some(n) = length(self.reader, &array.len) else {
                    return self.refuse(
                        &array.len,
                        "an array whose length is computed is",
                        "write its length as a number or as a constant of the module",
                    );
                };
                if n > MOST_ELEMENTS {
                    let what = format!("an array of {n} elements, more than {MOST_ELEMENTS}, is");
                    return self.refuse(
                        ty,
                        &what,
                        "each element is a register: pass a longer table as a `&[T]`",
                    );
                }
                Some(T::Array(Box::new(element), n))
            }
            Type::Reference(reference) => self.reference(reference, is_parameter),
            Type::Path(path) => self.path(path),
            Type::TraitObject(_) => self.refuse(
                ty,
                "`dyn` is",
                "call the function by its name: what runs has to be known while the crate compiles",
            ),
            Type::ImplTrait(_) => self.refuse(
                ty,
                "`impl Trait` is",
                "write the type itself; a device function has one type",
            ),
            Type::FnPtr(_) => self.refuse(
                ty,
                "a function pointer is",
                "call the function by its name, or use a closure inside of the function",
            ),
            Type::Ptr(_) => self.refuse(ty, "a pointer is", "take a `&[T]`, and index it"),
            Type::Never(_) => self.refuse(ty, "the result `!` is", "give a number"),
            _ => self.refuse(ty, "this type is", TYPES),
        }
    }

    fn reference(&mut self, reference: &syn::TypeReference, is_parameter: bool) -> Option<T> {
        if reference.mutability.is_some() {
            return self.refuse(
                reference,
                "`&mut` is",
                "return the new value: a device function changes nothing outside of itself",
            );
        }
        match &*reference.elem {
            Type::Slice(slice) if is_parameter => {
                let element = self.ty(&slice.elem, false)?;
                self.stored(&element, &slice.elem, "a slice of such elements is")?;
                Some(T::Slice(Box::new(element)))
            }
            Type::Slice(_) => self.refuse(
                reference,
                "a slice in a result or a tuple is",
                "take it as a parameter of its own, and return numbers",
            ),
            Type::TraitObject(_) => self.refuse(
                reference,
                "`dyn` is",
                "call the function by its name: what runs has to be known while the crate compiles",
            ),
            Type::Path(path) if path.path.is_ident("str") => self.refuse(
                reference,
                "`str` is",
                "there are numbers and arrays of them",
            ),
            _ => self.refuse(
                reference,
                "a reference to anything but a slice is",
                "take the value itself, or a `&[T]`",
            ),
        }
    }

    /// Holds that values of a type can lie in buffers, one for each number.
    pub(super) fn stored(&mut self, ty: &T, at: &Type, what: &str) -> Option<()> {
        if is_stored(ty) {
            return Some(());
        }
        self.refuse(
            at,
            what,
            "elements are numbers, but not `usize` and `isize`, structs with `#[derive(Element)]`, tuples of two to eight, and arrays of up to eight: `&[u32]`, `&[(f32, f32)]`, `&[[f32; 3]]`",
        )
    }

    fn path(&mut self, path: &syn::TypePath) -> Option<T> {
        let Some(last) = path.path.segments.last().filter(|_| path.qself.is_none()) else {
            return self.refuse(path, "this type is", "write a number, for example `f32`");
        };
        let name = last.ident.to_string();
        if let Some(num) = Num::from_name(&name).filter(|_| last.arguments.is_none()) {
            return Some(T::Num(num));
        }
        let single = path.path.segments.len() == 1 && last.arguments.is_none();
        if let Some(found) = self.reader.structs.get(&name).filter(|_| single) {
            // One with a mistake has been reported.
            return found.clone().map(T::Struct);
        }
        if path.path.segments.len() > 1 && last.arguments.is_none() {
            let what = "a type that is named by its path is";
            let instead =
                format!("take it by `use` from its `#[kernels]` module, and write `{name}`");
            return self.refuse(path, what, &instead);
        }
        let (what, instead) = match name.as_str() {
            "u128" | "i128" => (
                format!("`{name}` is"),
                "the device has integers of 8 to 64 bits",
            ),
            "f16" | "f128" => (format!("`{name}` is"), "the device has `f32` and `f64`"),
            "char" => (
                "`char` is".to_owned(),
                "use `u32`, which a `char` converts to with `as`",
            ),
            "str" | "String" => (
                format!("`{name}` is"),
                "there are numbers and arrays of them; pass bytes as `&[u8]`",
            ),
            "Vec" | "VecDeque" => (
                format!("`{name}` is"),
                "nothing is allocated on the device: take a `&[T]`, or use an array `[T; N]`",
            ),
            "Box" | "Rc" | "Arc" => (
                format!("`{name}` is"),
                "nothing is allocated on the device: take the value itself",
            ),
            "Option" | "Result" => (
                format!("`{name}` is"),
                "return a number that says so, or a tuple with a `bool`",
            ),
            "EBool" | "EF32" | "EF64" | "EU8" | "EU16" | "EU32" | "EU64" | "EI8" | "EI16"
            | "EI32" | "EI64" | "DPull" | "Pull" => (
                format!("`{name}`, a type of kernels, is"),
                "a device function is plain Rust: write `f32`, `u32` or `&[T]`",
            ),
            _ => (format!("the type `{name}` is"), TYPES),
        };
        self.refuse(path, &what, instead)
    }
}

/// Can values of this type lie in buffers? The fields of a struct have been asked.
pub(super) fn is_stored(ty: &T) -> bool {
    match ty {
        T::Num(num) => !matches!(num, Num::Usize | Num::Isize),
        T::Tuple(list) => (2..=WIDTH).contains(&list.len()) && list.iter().all(is_stored),
        T::Array(element, n) => (1..=WIDTH as u32).contains(n) && is_stored(element),
        T::Struct(_) => true,
        T::Slice(_) | T::Var(_) | T::Never => false,
    }
}

impl Reader {
    /// A type inside of a body.
    pub(super) fn device_type(&mut self, ty: &Type) -> Option<T> {
        let mut types = Types {
            reader: self,
            loud: true,
            is_element: false,
        };
        types.whole(ty, true)
    }
}

impl Signature {
    /// The signature of an item; `loud` reports what is wrong with it.
    pub(in crate::read) fn read(
        reader: &mut Reader,
        item: &ItemFn,
        loud: bool,
    ) -> Option<Signature> {
        let mut types = Types {
            reader,
            loud,
            is_element: false,
        };
        types.attribute(item)?;
        types.qualifiers(item)?;
        let (mut parameters, mut names) = (Vec::new(), Vec::new());
        for input in &item.sig.inputs {
            let FnArg::Typed(typed) = input else {
                return types.refuse(
                    input,
                    "`self` is",
                    "write a free function that takes the value",
                );
            };
            parameters.push(types.whole(&typed.ty, true)?);
            names.push(match &*typed.pat {
                syn::Pat::Ident(ident) => {
                    ident.ident.to_string().trim_start_matches("r#").to_owned()
                }
                _ => format!("argument_{}", names.len()),
            });
        }
        let result = match &item.sig.output {
            ReturnType::Default => {
                return types.bad(
                    &item.sig.ident,
                    "a device function gives a value: write its type, for example `-> f32`",
                );
            }
            ReturnType::Type(_, ty) => {
                let found = types.whole(ty, false)?;
                if found == T::UNIT {
                    return types.bad(ty, "a device function gives a value, and not `()`");
                }
                found
            }
        };
        let range = match is_range(item) {
            true => Some(types.range(item, &parameters, &result)?),
            false => None,
        };
        Some(Signature {
            parameters,
            names,
            result,
            range,
        })
    }

    /// Are the elements of a range more than numbers and tuples of them?
    pub(super) fn gives_rows(&self) -> bool {
        let is_number = |ty: &T| matches!(ty, T::Num(_));
        self.range.is_some()
            && match &self.result {
                T::Tuple(list) => !list.iter().all(is_number),
                one => !is_number(one),
            }
    }
}

impl Types<'_> {
    fn attribute(&mut self, item: &ItemFn) -> Option<()> {
        let attribute = attribute_of(item)?;
        match &attribute.meta {
            syn::Meta::Path(_) => {}
            syn::Meta::List(list) if list.tokens.to_string() == "range" => {}
            _ => {
                return self.bad(
                    attribute,
                    "the attribute is `#[device]`, or `#[device(range)]` for an element of a range",
                );
            }
        }
        let mut others = item.attrs.iter().filter(|a| {
            a.path().is_ident("kernel")
                || a.path().is_ident("cfg")
                || (a.path().is_ident("device") && !std::ptr::eq(*a, attribute))
        });
        match others.next() {
            Some(second) => self.bad(
                second,
                "a device function has one attribute of the language, `#[device]`; it becomes a kernel by `#[device(range)]`",
            ),
            None => Some(()),
        }
    }

    fn qualifiers(&mut self, item: &ItemFn) -> Option<()> {
        let sig = &item.sig;
        if let Some(token) = &sig.asyncness {
            return self.refuse(
                token,
                "`async` is",
                "write a plain `fn`: it runs to its end",
            );
        }
        if let syn::Safety::Unsafe(token) = &sig.safety {
            return self.refuse(
                token,
                "`unsafe` is",
                "write the expression without it: each index is checked",
            );
        }
        if let Some(abi) = &sig.abi {
            return self.refuse(abi, "`extern` is", "write a plain `fn`");
        }
        if let Some(parameter) = sig.generics.params.first() {
            let (what, instead) = match parameter {
                syn::GenericParam::Lifetime(_) => {
                    ("a lifetime parameter is", "leave it out: write `&[T]`")
                }
                _ => (
                    "a generic function is",
                    "write the types themselves: one function for each type",
                ),
            };
            return self.refuse(parameter, what, instead);
        }
        Some(())
    }

    fn range(&mut self, item: &ItemFn, parameters: &[T], result: &T) -> Option<(u32, Num)> {
        let words = "the first parameter of a `#[device(range)]` function is the coordinates of an element: `i: usize`, `(y, x): (usize, usize)` or `(z, y, x): (usize, usize, usize)`, or of `u32`";
        let Some(FnArg::Typed(first)) = item.sig.inputs.first() else {
            return self.bad(&item.sig.ident, words);
        };
        let nums: Option<Vec<Num>> = match parameters.first()? {
            T::Num(num) => Some(vec![*num]),
            T::Tuple(list) => list
                .iter()
                .map(|ty| match ty {
                    T::Num(num) => Some(*num),
                    _ => None,
                })
                .collect(),
            _ => None,
        };
        let nums = nums.unwrap_or_default();
        if nums.len() > 3 {
            return self.refuse(
                &first.ty,
                &format!("a range of {} dimensions is", nums.len()),
                "there are one to three: put two of yours into one, and divide",
            );
        }
        let num = match nums.first() {
            Some(num @ (Num::Usize | Num::U32)) if nums.iter().all(|n| n == num) => *num,
            _ => return self.bad(&first.ty, words),
        };
        if let ReturnType::Type(_, ty) = &item.sig.output {
            self.stored(result, ty, "a range of such elements is")?;
        }
        for (input, ty) in item.sig.inputs.iter().zip(parameters).skip(1) {
            let is_given = matches!(ty, T::Num(_) | T::Slice(_)) || is_stored(ty);
            if !is_given && let FnArg::Typed(typed) = input {
                return self.bad(
                    &typed.ty,
                    "the arguments of a range are numbers, slices, and tuples, arrays and structs without `usize`: take the fields of another tuple one by one, and a longer array as `&[T]`",
                );
            }
        }
        Some((nums.len() as u32, num))
    }
}
