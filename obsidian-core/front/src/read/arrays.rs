//! `#[arrays(..)]`: how a whole-array program becomes kernels.

use syn::{ItemFn, Lit};

use super::Reader;
use crate::arrays::Settings;
use crate::error;
use crate::error::catalogue;
use crate::ir::MAX_THREADS;
use crate::syntax::ArraysAttribute;

impl Reader {
    pub(super) fn arrays_attribute(&mut self, item: &ItemFn) -> Option<ArraysAttribute> {
        let named = |name: &'static str| item.attrs.iter().filter(move |a| a.path().is_ident(name));
        let attribute = named("arrays").next()?;
        if let Some(second) = named("arrays").nth(1) {
            let twice = "a second `#[arrays]` on one function";
            self.refuse(second, catalogue::bad_attribute_of_arrays(twice));
        }
        if let Some(kernel) = named("kernel").next() {
            let words = "a function is a kernel or an array program: take one of `#[kernel]` and `#[arrays]` away";
            self.refuse(kernel, catalogue::bad_attribute_of_arrays(words));
        }
        for input in &item.sig.inputs {
            if let syn::FnArg::Typed(typed) = input
                && let syn::Type::Reference(reference) = &*typed.ty
            {
                let what = "a reference as a parameter of an array program is";
                let instead =
                    "take the array itself: it says what is computed, and its copies cost nothing";
                self.refuse(reference, catalogue::unsupported_instead(what, instead));
            }
        }
        let site = self.site(attribute);
        let mut settings = Settings::default();
        let mut said: Vec<String> = Vec::new();
        if !matches!(attribute.meta, syn::Meta::Path(_)) {
            let parsed = attribute.parse_nested_meta(|meta| {
                let name = meta.path.get_ident().map(ToString::to_string);
                let name = name.unwrap_or_default();
                let value: Lit = meta.value()?.parse()?;
                if said.contains(&name) {
                    let twice = format!("`{name}` is said twice");
                    self.refuse(&meta.path, catalogue::bad_attribute_of_arrays(twice));
                }
                self.setting(&mut settings, (&meta.path, &name), &value);
                said.push(name);
                Ok(())
            });
            if let Err(error) = parsed {
                let at = self.sources.site(&error.span());
                let words = format!("this is not an option of `#[arrays]`: {error}");
                self.report(at, catalogue::bad_attribute_of_arrays(words));
            }
        }
        Some(ArraysAttribute { settings, site })
    }

    fn setting(&mut self, settings: &mut Settings, (path, name): (&syn::Path, &str), value: &Lit) {
        let flag = match name {
            "fuse" => Some(&mut settings.fuse),
            "share" => Some(&mut settings.share),
            "horizontal" => Some(&mut settings.horizontal),
            _ => None,
        };
        match (flag, name, value) {
            (Some(flag), _, Lit::Bool(value)) => *flag = value.value,
            (Some(_), ..) => {
                let words = format!("`{name}` is `true` or `false`");
                self.refuse(value, catalogue::bad_attribute_of_arrays(words));
            }
            (None, "threads", Lit::Int(threads)) => {
                let found: Option<i128> = threads.base10_parse().ok();
                let fits = |n: &i128| (1..=i128::from(MAX_THREADS)).contains(n);
                match found.filter(fits).and_then(|n| u32::try_from(n).ok()) {
                    Some(n) => settings.threads = Some(n),
                    None => self.refuse(
                        value,
                        error::catalogue::bad_threads(found.unwrap_or(i128::MAX)),
                    ),
                }
            }
            (None, "threads", _) => {
                let words =
                    "`threads` is a number of real threads of a block, for example `threads = 128`";
                self.refuse(value, catalogue::bad_attribute_of_arrays(words));
            }
            _ => {
                let words = format!("`{name}` is no option of `#[arrays]`");
                self.refuse(path, catalogue::bad_attribute_of_arrays(words));
            }
        }
    }
}
