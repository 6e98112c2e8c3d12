//! Device functions as functions of the module, and the kernel of a range.

use std::sync::Arc;

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::ItemFn;

use super::super::imports::{Directory, Named};
use super::super::items::form;
use super::super::{Reader, name_of};
use super::{DeviceFunction, Signature, Structs, is_device, is_range};
use crate::error::catalogue;
use crate::infer::Scheme;
use crate::ir::{Level, SHARED_BYTES};
use crate::library::device::{Num, Ty};
use crate::link::Linked;
use crate::ordered::{Map, Set};
use crate::syntax::{
    Block, Function, KernelAttribute, LevelUse, Module, Parameter, Pattern, PatternKind, Site,
    Size, Type, TypeUse,
};

/// A type of the device as a kernel names it.
pub(super) fn device_name(ty: &Ty, index: &str) -> TokenStream {
    match ty {
        Ty::Num(Num::Usize) => index.parse().unwrap_or_default(),
        Ty::Num(Num::Isize) => quote!(EI64),
        Ty::Num(num) => {
            let name = format_ident!("{}", num.scalar().exp_name());
            quote!(#name)
        }
        Ty::Tuple(list) => {
            let list = list.iter().map(|ty| device_name(ty, index));
            quote!((#(#list),*))
        }
        Ty::Array(element, n) => {
            let (element, n) = (device_name(element, index), *n as usize);
            quote!([#element; #n])
        }
        Ty::Slice(element) => {
            let element = device_name(element, index);
            quote!(DPull<#element>)
        }
    }
}

/// An argument of a range as those of its kernel: each number is one, and a slice.
fn flat(name: &str, ty: &Ty, names: &mut Set<String>) -> Vec<(String, Ty)> {
    if matches!(ty, Ty::Num(_) | Ty::Slice(_)) {
        return vec![(name.to_owned(), ty.clone())];
    }
    let numbers = ty.numbers().into_iter().map(|(way, num)| {
        let way: Vec<String> = way.iter().map(|n| format!("_{n}")).collect();
        (free(format!("{name}{}", way.concat()), names), Ty::Num(num))
    });
    numbers.collect()
}

/// A name that is not there yet, like this one.
fn free(mut name: String, names: &mut Set<String>) -> String {
    while !names.insert(name.clone()) {
        name.push('_');
    }
    name
}

fn device_type(ty: &Ty, is_narrow: bool) -> Type {
    match ty {
        Ty::Num(Num::Usize) if is_narrow => Type::Exp(crate::scalar::ScalarType::U32),
        Ty::Num(num) => Type::Exp(num.scalar()),
        Ty::Tuple(list) => Type::Tuple(list.iter().map(|ty| device_type(ty, is_narrow)).collect()),
        Ty::Array(element, _) => Type::Vec(Box::new(device_type(element, is_narrow))),
        Ty::Slice(element) => Type::Pull(Box::new(device_type(element, is_narrow)), Size::DYNAMIC),
    }
}

impl Reader {
    /// The signatures of all device functions, before any body is read.
    pub(in crate::read) fn signatures(
        &mut self,
        directory: &Directory<'_>,
        linked: &Linked,
        structs: &[Structs],
    ) {
        for unit in &linked.units {
            let constants = unit.items.iter().filter_map(|item| match item {
                syn::Item::Const(item) => Some(item.clone()),
                _ => None,
            });
            self.constant_items.extend(constants);
        }
        for (n, unit) in linked.units.iter().enumerate() {
            self.constants = directory
                .own(n)
                .filter_map(|(name, named)| match named {
                    Named::Constant(number) => Some((name.clone(), number)),
                    Named::Function(_) | Named::Struct(_) => None,
                })
                .collect();
            self.structs = structs.get(n).cloned().unwrap_or_default();
            for (name, named) in directory.own(n) {
                let found = unit.items.iter().find_map(|item| match item {
                    syn::Item::Fn(item) if item.sig.ident == name.as_str() => Some(item),
                    _ => None,
                });
                if let (Named::Function(number), Some(item)) = (named, found)
                    && is_device(item)
                {
                    match Signature::read(self, item, false) {
                        Some(signature) => drop(self.signatures.insert(number, signature)),
                        None => drop(self.unreadable.insert(number)),
                    }
                }
            }
        }
    }

    /// Reads a device function: a function of the module, and behind it the kernel of a range.
    pub(in crate::read) fn device_items(&mut self, item: &ItemFn, module: &mut Module) {
        let first = self.sources.sites();
        let number = module.functions.len() as u32;
        let device = self.device_function(item).map(Arc::new);
        let name = self.sources.site(&item.sig.ident);
        let mut function = Function {
            name: name_of(&item.sig.ident),
            form: form(&item.sig),
            site: name,
            head: self.head(&item.attrs, &item.vis),
            vis: self.sources.snippet(&item.vis),
            generics: Vec::new(),
            bounds: None,
            parameters: Vec::new(),
            result: self.typed(&Ty::Tuple(Vec::new()), false, name),
            body: Block {
                statements: Vec::new(),
                value: None,
                site: name,
            },
            delayed: false,
            slots: 0,
            kernel: None,
            arrays: None,
            is_whole: false,
            sites: (first, first),
            module: self.module.0.clone(),
            is_foreign: self.module.1,
            device: device.clone(),
            range_of: None,
        };
        if let Some(device) = &device {
            let names = device.code.parameters.iter().enumerate();
            function.parameters = names
                .map(|(n, ty)| self.named(&format!("argument_{n}"), ty, true, name))
                .collect();
            function.result = self.typed(&device.code.result, false, name);
        }
        function.sites.1 = self.sources.sites();
        let kernel = is_range(item).then(|| self.range_kernel(&function, device, number));
        module.functions.push(function);
        module.functions.extend(kernel);
    }

    fn typed(&mut self, ty: &Ty, is_narrow: bool, site: Site) -> TypeUse {
        let index = if is_narrow { "EU32" } else { "EU64" };
        let known = device_type(ty, is_narrow);
        TypeUse {
            scheme: Box::new(Scheme::of_type(&known)),
            ty: known,
            snippet: self.sources.snippet(device_name(ty, index)),
            site,
        }
    }

    fn named(&mut self, name: &str, ty: &Ty, is_narrow: bool, site: Site) -> Parameter {
        Parameter {
            pattern: Pattern {
                site,
                kind: PatternKind::Bind(0, name.into(), false),
            },
            ty: Some(self.typed(ty, is_narrow, site)),
        }
    }

    /// The kernel that computes each element of a range: extents, then the other arguments.
    fn range_kernel(
        &mut self,
        function: &Function,
        device: Option<Arc<DeviceFunction>>,
        number: u32,
    ) -> Function {
        let site = function.site;
        let (mut parameters, mut element) = (Vec::new(), Ty::Num(Num::F32));
        if let Some(device) = &device {
            let (dimensions, _) = device.range.unwrap_or((1, Num::Usize));
            let mut names: Set<String> = device.names.iter().cloned().collect();
            for n in 0..dimensions {
                let name = free(format!("extent_{n}"), &mut names);
                parameters.push(self.named(&name, &Ty::Num(Num::U32), true, site));
            }
            let types = device.code.parameters.iter().skip(1);
            for (name, ty) in device.names.iter().zip(types) {
                for (name, ty) in flat(name, ty, &mut names) {
                    parameters.push(self.named(&name, &ty, false, site));
                }
            }
            element = device.code.result.clone();
        }
        let name = device_name(&element, "EU64");
        let level = LevelUse::Known(Level::Grid);
        let ty = Type::Push(level, Box::new(device_type(&element, false)), Size::DYNAMIC);
        let result = TypeUse {
            ty,
            scheme: Box::new(Scheme::Any),
            snippet: self.sources.snippet(quote!(DPush<Grid, #name>)),
            site,
        };
        Function {
            parameters,
            result,
            kernel: Some(KernelAttribute {
                threads: vec![256],
                min_blocks: Vec::new(),
                shared_bytes: SHARED_BYTES,
                resident: false,
                faults: true,
                contract: false,
                specialised: Vec::new(),
                tuned: None,
                site,
            }),
            range_of: Some(number),
            ..function.clone()
        }
    }

    /// Reports own device functions that call each other in a circle, once for each circle.
    pub(in crate::read) fn recursion(&mut self, module: &Module) {
        let mut reported: Set<u32> = Set::new();
        for start in 0..module.functions.len() as u32 {
            if reported.contains(&start) {
                continue;
            }
            let mut way = vec![start];
            if let Some((cycle, site)) = circle(module, &mut way, start, &mut Set::new()) {
                let names: Vec<&str> = cycle
                    .iter()
                    .filter_map(|n| module.functions.get(*n as usize))
                    .map(|f| &*f.name)
                    .collect();
                reported.extend(cycle.iter().copied());
                // One in another module is shown at the function here that comes to it.
                let own =
                    (0..module.own.functions).find(|n| *n == start || calls(module, *n, start));
                let site = match own.and_then(|n| module.functions.get(n as usize)) {
                    Some(_) if start < module.own.functions => site,
                    Some(function) => function.site,
                    None => continue,
                };
                self.report(site, catalogue::device_recursion(&names));
            }
        }
        if reported.is_empty() {
            self.calls(module);
        }
    }

    /// Reports own device functions that are too long with all that they call written out.
    fn calls(&mut self, module: &Module) {
        let mut known = Map::new();
        for n in 0..module.own.functions {
            let Some(function) = module.functions.get(n as usize) else {
                continue;
            };
            let calls = written_out(module, n, &mut known);
            if calls > CALLS && function.range_of.is_none() {
                let words = format!(
                    "`{}` has {calls} calls, with those in what it calls, and may have {CALLS}: each is the text of the function once more",
                    function.name
                );
                self.report(function.site, catalogue::bad_device(&words));
                return;
            }
        }
    }
}

/// Does one device function come to another?
fn calls(module: &Module, from: u32, to: u32) -> bool {
    let (mut way, mut at) = (vec![from], 0);
    while let Some(n) = way.get(at).copied() {
        let function = module.functions.get(n as usize);
        let device = function.and_then(|f| f.device.as_ref());
        for (callee, _) in device.iter().flat_map(|device| &device.calls) {
            if *callee == to {
                return true;
            }
            if !way.contains(callee) {
                way.push(*callee);
            }
        }
        at += 1;
    }
    false
}

/// How many calls a device function may have, with those in what it calls.
const CALLS: u64 = 4000;

/// How many calls a function has, with those in what it calls; there are no circles.
fn written_out(module: &Module, n: u32, known: &mut Map<u32, u64>) -> u64 {
    if let Some(calls) = known.get(&n) {
        return *calls;
    }
    // A circle in another module has been reported there.
    known.insert(n, 0);
    let function = module.functions.get(n as usize);
    let device = function.and_then(|f| f.device.as_ref());
    let calls = device.map_or(0, |device| {
        let inside = device.calls.iter();
        let inside =
            inside.map(|(callee, _)| written_out(module, *callee, known).saturating_add(1));
        inside.fold(0, u64::saturating_add)
    });
    known.insert(n, calls);
    calls
}

/// A way of calls from a function to itself, and where the last of them stands.
fn circle(
    module: &Module,
    way: &mut Vec<u32>,
    start: u32,
    seen: &mut Set<u32>,
) -> Option<(Vec<u32>, Site)> {
    let here = *way.last()?;
    let function = module.functions.get(here as usize)?;
    if function.range_of.is_some() {
        return None;
    }
    for (callee, site) in &function.device.as_ref()?.calls {
        if *callee == start {
            return Some((way.clone(), *site));
        }
        if seen.insert(*callee) {
            way.push(*callee);
            if let Some(found) = circle(module, way, start, seen) {
                return Some(found);
            }
            way.pop();
        }
    }
    None
}
