//! Structs with `#[derive(Element)]`: their definitions, and their values, fields and patterns in device functions.
//!
//! A struct is a name for a tuple of its fields; the tree has the tuple.

use std::sync::Arc;

use quote::{ToTokens, quote};
use syn::{Expr as S, ItemStruct, Member, Pat};

use super::super::Reader;
use super::super::imports::{Directory, Named as Item};
use super::infer::{Infer, T};
use super::signature::{Types, is_stored};
use super::{Body, Read};
use crate::elements;
use crate::error::catalogue;
use crate::library::device::{Expr, Slot, Stmt, grouped, part};
use crate::link::Linked;
use crate::ordered::{Map, Set};

/// A struct of numbers.
#[derive(Debug)]
pub(in crate::read) struct Struct {
    /// Its number among those of all units.
    number: u32,
    pub(super) name: String,
    pub(super) fields: Vec<Field>,
}

#[derive(Debug)]
pub(super) struct Field {
    /// `0` for the first one of a tuple struct.
    name: String,
    pub(super) ty: T,
}

impl PartialEq for Struct {
    fn eq(&self, other: &Struct) -> bool {
        self.number == other.number
    }
}

/// What a name in a unit means: a struct that has been read, or `None` if it has a mistake.
pub(in crate::read) type Structs = Map<String, Option<Arc<Struct>>>;

/// The types of fields.
const FIELDS: &str = "fields are numbers, but not `usize` and `isize`, structs with `#[derive(Element)]`, tuples of two to eight, and arrays of up to eight";

/// What to do about fields that are missing.
const REST: &str = "name each field; `..` leaves the rest out of a pattern, and `..other` takes it from another value";

/// The numbers that a struct may be made of: each has a buffer of its own.
const MOST_NUMBERS: u64 = 64;

fn member_name(member: &Member) -> String {
    match member {
        Member::Named(name) => name.to_string(),
        Member::Unnamed(index) => index.index.to_string(),
    }
}

/// The structs of all units, while they are read.
struct Definitions<'l> {
    items: Vec<(usize, &'l ItemStruct)>,
    names: Vec<Map<String, u32>>,
    /// Those that have been read, or have a mistake.
    known: Map<u32, Option<Arc<Struct>>>,
    /// Those whose fields are being read.
    open: Set<u32>,
}

impl Definitions<'_> {
    /// Reads a struct, and those that it has as fields before it.
    fn read(&mut self, reader: &mut Reader, number: u32) {
        let Some((unit, item)) = self.items.get(number as usize).copied() else {
            return;
        };
        if self.known.contains_key(&number) || !self.open.insert(number) {
            return;
        }
        let names = self.names.get(unit).cloned().unwrap_or_default();
        for field in &item.fields {
            for inner in idents(field.ty.to_token_stream()) {
                if let Some(number) = names.get(&inner) {
                    if self.open.contains(number) && !self.known.contains_key(number) {
                        reader.circular.insert(inner);
                    }
                    self.read(reader, *number);
                }
            }
        }
        reader.structs = self.visible(unit);
        let found = reader.struct_of(item, number, false);
        self.known.insert(number, found.map(Arc::new));
    }

    fn visible(&self, unit: usize) -> Structs {
        let names = self.names.get(unit).into_iter().flatten();
        let known = names.map(|(name, n)| (name.clone(), self.known.get(n).cloned().flatten()));
        known.collect()
    }
}

/// The names in some tokens.
fn idents(tokens: proc_macro2::TokenStream) -> Vec<String> {
    let inner = tokens.into_iter().flat_map(|token| match token {
        proc_macro2::TokenTree::Ident(ident) => vec![ident.to_string()],
        proc_macro2::TokenTree::Group(group) => idents(group.stream()),
        _ => Vec::new(),
    });
    inner.collect()
}

impl Reader {
    /// The structs that each unit sees, before any signature is read.
    pub(in crate::read) fn definitions(
        &mut self,
        directory: &Directory<'_>,
        linked: &Linked,
    ) -> Vec<Structs> {
        let units = linked.units.iter().enumerate();
        let items: Vec<(usize, &ItemStruct)> = units
            .flat_map(|(n, unit)| {
                unit.items.iter().filter_map(move |item| match item {
                    syn::Item::Struct(item) => Some((n, item)),
                    _ => None,
                })
            })
            .collect();
        if items.is_empty() {
            return vec![Structs::new(); linked.units.len()];
        }
        let names = (0..linked.units.len()).map(|n| {
            let imported = directory.imports(n).names;
            let own = directory.own(n).map(|(name, named)| (name.clone(), named));
            let all = imported.into_iter().chain(own);
            all.filter_map(|(name, named)| match named {
                Item::Struct(number) => Some((name, number)),
                _ => None,
            })
            .collect()
        });
        let mut definitions = Definitions {
            names: names.collect(),
            known: Map::new(),
            open: Set::new(),
            items,
        };
        for number in 0..definitions.items.len() as u32 {
            definitions.read(self, number);
        }
        (0..linked.units.len())
            .map(|n| definitions.visible(n))
            .collect()
    }

    /// The type that a kernel has in place of a struct.
    pub(in crate::read) fn tuple_of(&self, name: &str) -> Option<String> {
        let of = self.structs.get(name)?.clone()?;
        let name = super::items::device_name(&T::Struct(of).known(), "EU64");
        Some(name.to_string().replace(" ,", ","))
    }

    /// Reads a struct of the unit, reports what is wrong with it, and gives its name if nothing is.
    pub(in crate::read) fn struct_item(&mut self, item: &ItemStruct) -> Option<String> {
        self.struct_of(item, 0, true).map(|of| of.name)
    }

    fn struct_of(&mut self, item: &ItemStruct, number: u32, loud: bool) -> Option<Struct> {
        let mut types = Types {
            reader: self,
            loud,
            is_element: true,
        };
        types.struct_head(item)?;
        let mut fields = Vec::new();
        for (n, field) in item.fields.iter().enumerate() {
            types.configured(&field.attrs)?;
            if let syn::Type::Reference(_) = &field.ty {
                let instead = "a function takes the slice as a parameter of its own: `&[T]`";
                return types.refuse(&field.ty, "a reference is", instead);
            }
            let ty = types.ty(&field.ty, false)?;
            if !is_stored(&ty) {
                let what = format!("a field of type `{}` is", Infer::default().name(&ty));
                return types.refuse(&field.ty, &what, FIELDS);
            }
            let name = match &field.ident {
                Some(ident) => ident.to_string(),
                None => n.to_string(),
            };
            fields.push(Field { name, ty });
        }
        let of = Struct {
            number,
            name: item.ident.to_string(),
            fields,
        };
        let numbers: u64 = of.fields.iter().map(|f| f.ty.known().leaves()).sum();
        if numbers > MOST_NUMBERS {
            let what = format!("a struct of {numbers} numbers, more than {MOST_NUMBERS},");
            let instead = "each number has a buffer of its own: make two structs of it";
            return types.no_element(&item.ident, &what, instead);
        }
        Some(of)
    }
}

impl Types<'_> {
    fn no_element<A>(&mut self, at: &impl ToTokens, what: &str, instead: &str) -> Option<A> {
        let message = format!("{what} cannot be an `Element`");
        self.fail(at, catalogue::bad_element(&message, instead))
    }

    fn configured(&mut self, attributes: &[syn::Attribute]) -> Option<()> {
        let mut all = attributes.iter();
        let cfg = all.find(|a| a.path().is_ident("cfg") || a.path().is_ident("cfg_attr"));
        match cfg {
            Some(cfg) => self.fail(cfg, catalogue::configured()),
            None => Some(()),
        }
    }

    /// Attributes, type parameters, and whether there are fields.
    fn struct_head(&mut self, item: &ItemStruct) -> Option<()> {
        let (keyword, name) = (&item.struct_token, &item.ident);
        self.configured(&item.attrs)?;
        if !elements::is_element(item) {
            let diagnostic = catalogue::unsupported_instead(
                "a struct without `#[derive(Element)]` is",
                "write `#[derive(Clone, Copy, Element)]` before it, if it is made of numbers; other structs go outside of the module",
            );
            return self.fail(&quote!(#keyword #name), diagnostic);
        }
        if !elements::derived(item).iter().any(|name| name == "Copy") {
            let instead = "write `#[derive(Clone, Copy, Element)]`";
            return self.no_element(name, "a struct that is not `Copy`", instead);
        }
        if let Some(parameter) = item.generics.params.first() {
            let instead = "write the types themselves: one struct for each type";
            return self.no_element(parameter, "a generic struct", instead);
        }
        if super::super::types::is_of_the_language(&name.to_string()) {
            let what = format!("a struct with the name `{name}`, a type of kernels,");
            return self.no_element(name, &what, "choose another name");
        }
        if self.reader.circular.contains(&name.to_string()) {
            let instead = "it would have no end: store the number of the other element, a `u32`";
            return self.no_element(name, "a struct that contains itself", instead);
        }
        if item.fields.is_empty() {
            let instead = "there is nothing to store: leave it out";
            return self.no_element(name, "a struct without fields", instead);
        }
        Some(())
    }
}

/// The fields that a literal or pattern names, by their numbers.
type Numbered<'a, A> = Vec<(usize, &'a A)>;

impl Body<'_> {
    /// The number of a field.
    pub(super) fn field_of(&mut self, of: &Struct, member: &Member) -> Read<usize> {
        let name = member_name(member);
        match of.fields.iter().position(|field| field.name == name) {
            Some(n) => Ok(n),
            None => {
                let known: Vec<&str> = of.fields.iter().map(|f| f.name.as_str()).collect();
                self.fail(member, catalogue::device_field(&of.name, &name, &known))
            }
        }
    }

    /// The struct that a path names.
    pub(super) fn struct_named(&mut self, path: &syn::Path) -> Read<Arc<Struct>> {
        let name = path.to_token_stream().to_string().replace(' ', "");
        match self.reader.structs.get(&name) {
            Some(Some(of)) => Ok(of.clone()),
            // Its own mistake has been reported.
            Some(None) => Err(super::Stop),
            None => {
                let known: Vec<String> = self.reader.structs.keys().cloned().collect();
                let known: Vec<&str> = known.iter().map(String::as_str).collect();
                self.fail(path, catalogue::device_struct(&name, &known))
            }
        }
    }

    /// Each field once; and all of them, unless the rest is taken from elsewhere.
    fn fields<'a, A>(
        &mut self,
        of: &Struct,
        given: impl Iterator<Item = (&'a Member, &'a A)>,
        (has_rest, at): (bool, &impl ToTokens),
    ) -> Read<Numbered<'a, A>> {
        let (mut list, mut seen) = (Vec::new(), Set::new());
        for (member, value) in given {
            let n = self.field_of(of, member)?;
            if !seen.insert(n) {
                let words = format!("the field `{}` is here twice", member_name(member));
                return self.fail(member, catalogue::bad_device(&words));
            }
            list.push((n, value));
        }
        let missing: Vec<String> = (0..of.fields.len())
            .filter(|n| !seen.contains(n))
            .map(|n| format!("`{}`", of.fields[n].name))
            .collect();
        if !has_rest && !missing.is_empty() {
            let (missing, name) = (missing.join(", "), &of.name);
            let words = format!("not every field of `{name}` is here: missing {missing}");
            return self.fail(at, catalogue::bad_device(&words).note(REST));
        }
        Ok(list)
    }

    /// `Body { x, y: 1.0, ..base }`
    pub(super) fn struct_literal(&mut self, literal: &syn::ExprStruct) -> Read<(Expr, T)> {
        let of = self.struct_named(&literal.path)?;
        let given = literal
            .fields
            .iter()
            .map(|field| (&field.member, &field.expr));
        if let (None, Some(dots)) = (&literal.rest, &literal.dot2_token) {
            return self.refuse(dots, "`..` without a value is", "name each field");
        }
        let given = self.fields(&of, given, (literal.rest.is_some(), &literal.path))?;
        self.constructed(&of, &given, literal.rest.as_deref())
    }

    /// Does a path name a struct?
    pub(super) fn is_struct(&self, path: &syn::Path) -> bool {
        let name = path.get_ident().map(ToString::to_string);
        name.is_some_and(|name| self.reader.structs.contains_key(&name))
    }

    /// `Pair(x, y)`, if it is the constructor of a tuple struct.
    pub(super) fn constructor(
        &mut self,
        path: &syn::Path,
        call: &syn::ExprCall,
    ) -> Read<Option<(Expr, T)>> {
        if !self.is_struct(path) {
            return Ok(None);
        }
        let of = self.struct_named(path)?;
        let name = &of.name;
        if of.fields.first().is_some_and(|field| field.name != "0") {
            let words = format!("`{name}` has fields with names: write `{name} {{ .. }}`");
            return self.fail(call, catalogue::bad_device(&words));
        }
        if of.fields.len() != call.args.len() {
            let (count, given) = (of.fields.len(), call.args.len());
            let words = format!("`{name}` has {count} fields, and {given} are given");
            return self.fail(call, catalogue::bad_device(&words));
        }
        let given: Vec<(usize, &S)> = call.args.iter().enumerate().collect();
        self.constructed(&of, &given, None).map(Some)
    }

    /// A value of some fields, which are computed in this order, and of the others from another value.
    fn constructed(
        &mut self,
        of: &Arc<Struct>,
        given: &[(usize, &S)],
        rest: Option<&S>,
    ) -> Read<(Expr, T)> {
        let ty = T::Struct(of.clone());
        let mut fields: Map<usize, Expr> = Map::new();
        let in_order = rest.is_none() && given.iter().map(|(n, _)| *n).is_sorted();
        let mut statements = Vec::new();
        for (n, expr) in given {
            let (value, found) = self.expr(expr)?;
            self.unify(&of.fields[*n].ty, &found, expr)?;
            let value = match in_order {
                true => value,
                false => self.held(value, &of.fields[*n].ty, &mut statements),
            };
            fields.insert(*n, value);
        }
        if let Some(rest) = rest {
            let (value, found) = self.expr(rest)?;
            self.unify(&ty, &found, rest)?;
            let value = self.held(value, &ty, &mut statements);
            let count = of.fields.len();
            for n in 0..count {
                let from = || part(value.clone(), n, count);
                fields.entry(n).or_insert_with(from);
            }
        }
        let value = grouped(fields.into_values().collect(), &Expr::Tuple);
        let value = value.unwrap_or(Expr::Tuple(Vec::new()));
        if statements.is_empty() {
            return Ok((value, ty));
        }
        Ok((Expr::Block(statements, Some(Box::new(value))), ty))
    }

    /// A value in a variable.
    fn held(&mut self, value: Expr, ty: &T, statements: &mut Vec<Stmt>) -> Expr {
        let (slot, ty) = (self.slot(), self.ty(ty));
        statements.push(Stmt::Let(slot, false, ty, Some(value)));
        Expr::Local(slot)
    }

    /// The patterns of a struct's fields: of `Body { x, .. }` or `Pair(x, _)`. Each comes with the number of its field.
    pub(super) fn struct_pattern<'p>(
        &mut self,
        pat: &'p Pat,
        ty: &T,
    ) -> Read<(Arc<Struct>, Vec<(usize, &'p Pat)>)> {
        let path = match pat {
            Pat::Struct(inner) => &inner.path,
            Pat::TupleStruct(inner) => &inner.path,
            other => return self.refuse(other, "this pattern is", "name each field, or `_`"),
        };
        let of = self.struct_named(path)?;
        self.unify(ty, &T::Struct(of.clone()), pat)?;
        let list = match pat {
            Pat::Struct(inner) => {
                let given = inner
                    .fields
                    .iter()
                    .map(|field| (&field.member, &*field.pat));
                self.fields(&of, given, (inner.rest.is_some(), path))?
            }
            Pat::TupleStruct(inner) => {
                if let Some(rest) = inner.elems.iter().find(|pat| matches!(pat, Pat::Rest(_))) {
                    let what = "`..` in a pattern is";
                    return self.refuse(rest, what, "name each field, or `_`");
                }
                if of.fields.len() != inner.elems.len() {
                    let (count, given) = (of.fields.len(), inner.elems.len());
                    let words = format!("`{}` has {count} fields, and {given} are named", of.name);
                    return self.fail(pat, catalogue::bad_device(&words));
                }
                inner.elems.iter().enumerate().collect()
            }
            _ => Vec::new(),
        };
        Ok((of, list))
    }

    /// Binds the names of a struct's pattern to the parts of a variable.
    pub(super) fn bind_struct(
        &mut self,
        pat: &Pat,
        slot: Slot,
        ty: &T,
        statements: &mut Vec<Stmt>,
    ) -> Read<()> {
        let (of, list) = self.struct_pattern(pat, ty)?;
        for (n, pat) in list {
            let value = part(Expr::Local(slot), n, of.fields.len());
            self.bind_pattern(pat, value, &of.fields[n].ty, statements)?;
        }
        Ok(())
    }

    /// When a pattern of `match` takes a struct, as of the other patterns.
    pub(super) fn test_struct(
        &mut self,
        pat: &Pat,
        value: &Expr,
        ty: &T,
        statements: &mut Vec<Stmt>,
    ) -> Read<Option<Expr>> {
        let (of, list) = self.struct_pattern(pat, ty)?;
        let mut all: Option<Expr> = None;
        for (n, pat) in list {
            let field = part(value.clone(), n, of.fields.len());
            if let Some(test) = self.test(pat, &field, &of.fields[n].ty, statements)? {
                all = Some(match all {
                    None => test,
                    Some(all) => Expr::Both(Box::new(all), Box::new(test)),
                });
            }
        }
        Ok(all)
    }
}
