//! `#[kernel(..)]`: numbers of threads, shared memory, the values of specialisation parameters, and
//! the tuned file.
//!
//! Specialisation parameters are the integers and booleans of the host with which a kernel's
//! signature begins. Each gets its values here, by its name, as `threads` gets its own; each
//! combination of them is a variant.

use quote::ToTokens;
use syn::{Expr, ItemFn, Lit, UnOp};

use super::Reader;
use crate::error::catalogue;
use crate::error::{self, Diagnostic};
use crate::ir::min_blocks_fit;
use crate::ir::{MAX_RESIDENT_BLOCKS, MAX_SHARED_BYTES, MAX_THREADS, SHARED_BYTES};
use crate::scalar::ScalarType;
use crate::syntax::{HostType, KernelAttribute, Name, Parameter, Pattern, PatternKind, Site, Type};
use crate::variants::{VARIANTS, Value};

/// A parameter of the function that has its values from the attribute.
struct Special<'a> {
    name: Name,
    ty: HostType,
    pattern: &'a Pattern,
    /// Its values, once the attribute has given them.
    values: Option<Vec<Value>>,
}

/// What the attribute says so far.
struct Settings<'a> {
    threads: Option<Vec<Value>>,
    /// With the place of each number.
    min_blocks: Option<Vec<(u32, Site)>>,
    shared_bytes: Option<u32>,
    /// Is the grid what the device holds at once? None while nothing is said.
    resident: Option<bool>,
    /// The options without a value that are set.
    flags: Vec<&'static str>,
    tuned: Option<(Name, Site)>,
    special: Vec<Special<'a>>,
    /// The other parameters.
    given: Vec<Name>,
}

impl Reader {
    pub(super) fn kernel_attribute(
        &mut self,
        item: &ItemFn,
        parameters: &[Parameter],
    ) -> Option<KernelAttribute> {
        let attribute = item.attrs.iter().find(|a| a.path().is_ident("kernel"))?;
        if let Some(second) = item
            .attrs
            .iter()
            .filter(|a| a.path().is_ident("kernel"))
            .nth(1)
        {
            self.refuse(
                second,
                catalogue::bad_attribute("a second `#[kernel]` on one function"),
            );
        }
        let site = self.site(attribute);
        self.refuse_host_references(item, parameters);
        let mut settings = self.settings(parameters);
        if !matches!(attribute.meta, syn::Meta::Path(_)) {
            let parsed = attribute.parse_nested_meta(|meta| {
                let flag = FLAGS.iter().find(|flag| meta.path.is_ident(flag));
                if let Some(flag) = flag.filter(|_| !meta.input.peek(syn::Token![=])) {
                    self.flag(&mut settings, flag, &meta.path);
                    return Ok(());
                }
                let value: Expr = meta.value()?.parse()?;
                self.option(&mut settings, &meta.path, &value);
                Ok(())
            });
            if let Err(error) = parsed {
                let site = self.sources.site(&error.span());
                self.report(
                    site,
                    catalogue::bad_attribute(format!(
                        "this is not an option of `#[kernel]`: {error}"
                    )),
                );
                let shared_bytes = SHARED_BYTES;
                return Some(KernelAttribute {
                    threads: vec![256],
                    min_blocks: Vec::new(),
                    shared_bytes,
                    resident: false,
                    contract: false,
                    faults: false,
                    specialised: Vec::new(),
                    tuned: None,
                    site,
                });
            }
        }
        Some(self.finished(settings, site))
    }

    /// A specialisation parameter is the value itself.
    fn refuse_host_references(&mut self, item: &ItemFn, parameters: &[Parameter]) {
        for (input, parameter) in item.sig.inputs.iter().zip(parameters) {
            if let syn::FnArg::Typed(typed) = input
                && let (syn::Type::Reference(reference), Some(_)) =
                    (&*typed.ty, special_type(parameter))
            {
                let what = "a reference as a specialisation parameter is";
                self.refuse(
                    reference,
                    catalogue::unsupported_instead(what, "take the value itself"),
                );
            }
        }
    }

    /// Which parameters want values, before any is given.
    fn settings<'a>(&mut self, parameters: &'a [Parameter]) -> Settings<'a> {
        let mut settings = Settings {
            threads: None,
            min_blocks: None,
            shared_bytes: None,
            resident: None,
            flags: Vec::new(),
            tuned: None,
            special: Vec::new(),
            given: Vec::new(),
        };
        for parameter in parameters {
            let name = bound(&parameter.pattern);
            if special_type(parameter).is_some() && !settings.given.is_empty() {
                self.report(
                    parameter.pattern.site,
                    catalogue::specialised_after_arrays(),
                );
            }
            match (special_type(parameter), name) {
                (Some(_), Some(name)) if OPTIONS.contains(&&**name) => {
                    self.report(
                        parameter.pattern.site,
                        catalogue::specialised_like_an_option(name),
                    );
                }
                (Some(ty), Some(name)) => {
                    settings.special.push(Special {
                        name: name.clone(),
                        ty,
                        pattern: &parameter.pattern,
                        values: None,
                    });
                }
                (Some(_), None) => self.report(
                    parameter.pattern.site,
                    catalogue::specialised_without_a_name(),
                ),
                (None, name) => settings
                    .given
                    .push(name.cloned().unwrap_or_else(|| "_".into())),
            }
        }
        settings
    }

    /// An option without a value.
    fn flag(&mut self, settings: &mut Settings<'_>, flag: &'static str, path: &syn::Path) {
        if settings.flags.contains(&flag) {
            let twice = format!("`{flag}` is said twice");
            self.refuse(path, catalogue::bad_attribute(twice));
        }
        settings.flags.push(flag);
    }

    /// One `name = value`.
    fn option(&mut self, settings: &mut Settings<'_>, path: &syn::Path, value: &Expr) {
        let name = path
            .get_ident()
            .map(ToString::to_string)
            .unwrap_or_default();
        let twice = match name.as_str() {
            "threads" => settings.threads.is_some(),
            "min_blocks" => settings.min_blocks.is_some(),
            "shared_bytes" => settings.shared_bytes.is_some(),
            "grid" => settings.resident.is_some(),
            "tuned" => settings.tuned.is_some(),
            _ => settings
                .special
                .iter()
                .any(|s| *s.name == *name && s.values.is_some()),
        };
        if twice {
            return self.refuse(
                path,
                catalogue::bad_attribute(format!("`{name}` is said twice")),
            );
        }
        match name.as_str() {
            flag if FLAGS.contains(&flag) => {
                let words = format!("`{flag}` has no value: write `#[kernel({flag})]`");
                self.refuse(path, catalogue::bad_attribute(words));
            }
            "threads" => {
                settings.threads =
                    Some(self.values(value, "threads", HostType::Scalar(ScalarType::U32)))
            }
            "min_blocks" => settings.min_blocks = Some(self.min_blocks(value)),
            "shared_bytes" => settings.shared_bytes = Some(self.shared_bytes(value)),
            "grid" => settings.resident = Some(self.resident(value)),
            "tuned" => match literal(value) {
                Expr::Lit(syn::ExprLit {
                    lit: Lit::Str(text),
                    ..
                }) => {
                    settings.tuned = Some((text.value().into(), self.sources.site(text)));
                }
                other => self.refuse(other, catalogue::tuned_without_a_path()),
            },
            _ => match settings.special.iter_mut().find(|s| *s.name == *name) {
                Some(special) => special.values = Some(self.values(value, &name, special.ty)),
                None => {
                    let known: Vec<&str> = OPTIONS
                        .iter()
                        .copied()
                        .chain(settings.special.iter().map(|s| &*s.name))
                        .collect();
                    let is_given = settings.given.iter().any(|given| **given == *name);
                    self.refuse(
                        path,
                        catalogue::unknown_option(
                            &path.to_token_stream().to_string(),
                            is_given,
                            &known,
                        ),
                    );
                }
            },
        }
    }

    /// How many real blocks there are: `resident` is the only word for it.
    fn resident(&mut self, written: &Expr) -> bool {
        let is_resident =
            matches!(literal(written), Expr::Path(path) if path.path.is_ident("resident"));
        if !is_resident {
            let text = written.to_token_stream().to_string();
            self.refuse(written, catalogue::bad_grid(&text));
        }
        is_resident
    }

    /// The most bytes of shared memory.
    fn shared_bytes(&mut self, written: &Expr) -> u32 {
        let bytes =
            integer(written, HostType::Scalar(ScalarType::U32)).and_then(|n| u32::try_from(n).ok());
        bytes.filter(|n| *n <= MAX_SHARED_BYTES).unwrap_or_else(|| {
            self.refuse(
                written,
                error::catalogue::bad_shared_bytes(
                    &written.to_token_stream().to_string(),
                    SHARED_BYTES,
                    MAX_SHARED_BYTES,
                ),
            );
            SHARED_BYTES
        })
    }

    /// How many blocks a multiprocessor has to be able to hold at once, each with its place.
    fn min_blocks(&mut self, written: &Expr) -> Vec<(u32, Site)> {
        let name = "min_blocks";
        let values = self.placed_values(written, name, HostType::Scalar(ScalarType::U32));
        let numbers = values.into_iter();
        numbers
            .filter_map(|(value, site)| Some((value.integer()?.try_into().ok()?, site)))
            .collect()
    }

    /// The values of one parameter: one, or a list.
    fn values(&mut self, written: &Expr, name: &str, ty: HostType) -> Vec<Value> {
        let values = self.placed_values(written, name, ty).into_iter();
        values.map(|(value, _)| value).collect()
    }

    /// The values of one parameter, each with its place.
    fn placed_values(&mut self, written: &Expr, name: &str, ty: HostType) -> Vec<(Value, Site)> {
        let list: Vec<&Expr> = if let Expr::Array(list) = literal(written) {
            list.elems.iter().collect()
        } else {
            vec![written]
        };
        if list.is_empty() {
            self.refuse(written, catalogue::no_values(name));
        }
        let mut values: Vec<(Value, Site)> = Vec::new();
        for one in list {
            match self.value(one, name, ty) {
                Some(value) if values.iter().any(|(known, _)| *known == value) => {
                    self.refuse(one, catalogue::repeated_value(name, &value.to_string()))
                }
                Some(value) => values.push((value, self.sources.site(one))),
                None => {}
            }
        }
        values
    }

    /// One value of a type.
    fn value(&mut self, written: &Expr, name: &str, ty: HostType) -> Option<Value> {
        let value = match (literal(written), ty.scalar() == ScalarType::Bool) {
            (
                Expr::Lit(syn::ExprLit {
                    lit: Lit::Bool(value),
                    ..
                }),
                true,
            ) => Some(Value::Boolean(value.value)),
            (
                Expr::Unary(syn::ExprUnary {
                    op: UnOp::Neg(_),
                    expr,
                    ..
                }),
                false,
            ) => integer(expr, ty).map(|n| -n).map(Value::Integer),
            (other, false) => integer(other, ty).map(Value::Integer),
            (_, true) => None,
        }
        .or_else(|| {
            let text = written.to_token_stream().to_string();
            let wrong = match name {
                "min_blocks" => error::catalogue::bad_min_blocks(&text, MAX_RESIDENT_BLOCKS),
                _ => catalogue::wrong_value(name, ty.name(), &text),
            };
            self.refused(written, wrong)
        })?;
        match (value, ty.scalar().range()) {
            (Value::Integer(n), _)
                if name == "threads" && !(1..=i128::from(MAX_THREADS)).contains(&n) =>
            {
                self.refused(written, error::catalogue::bad_threads(n))
            }
            // With one thread, only the number itself can be wrong.
            (Value::Integer(n), _) if name == "min_blocks" => match min_blocks_fit(n, 1) {
                Err(wrong) => self.refused(written, wrong),
                Ok(()) => Some(value),
            },
            (Value::Integer(n), Some((low, high))) if n < low || n > high => self.refused(
                written,
                catalogue::host_arithmetic(format!("{n} is out of range for {}", ty.name())),
            ),
            _ => Some(value),
        }
    }

    fn refused<T>(&mut self, tokens: &impl ToTokens, diagnostic: Diagnostic) -> Option<T> {
        self.refuse(tokens, diagnostic);
        None
    }

    /// The attribute, with what is not said.
    fn finished(&mut self, settings: Settings<'_>, site: Site) -> KernelAttribute {
        for special in settings.special.iter().filter(|s| s.values.is_none()) {
            self.report(
                special.pattern.site,
                catalogue::missing_value(&special.name),
            );
        }
        let plain = |name: Name| {
            name.strip_prefix("r#")
                .map_or_else(|| name.clone(), Name::from)
        };
        let specialised: Vec<(Name, Vec<Value>)> = settings
            .special
            .into_iter()
            .map(|s| (plain(s.name), s.values.unwrap_or_default()))
            .collect();
        let threads: Vec<u32> = match settings.threads {
            Some(list) => list
                .into_iter()
                .filter_map(|n| n.integer()?.try_into().ok())
                .collect(),
            None => vec![256],
        };
        let shared_bytes = settings.shared_bytes.unwrap_or(SHARED_BYTES);
        let min_blocks = self.resident_at_once(settings.min_blocks.unwrap_or_default(), &threads);
        // Lists of 1,024 values each would overflow nothing, but many of them would.
        let options = threads.len().saturating_mul(min_blocks.len().max(1));
        let count = specialised
            .iter()
            .fold(options, |n, (_, values)| n.saturating_mul(values.len()));
        if count > VARIANTS {
            self.report(site, catalogue::too_many_variants(count, VARIANTS));
        }
        KernelAttribute {
            threads,
            min_blocks,
            shared_bytes,
            resident: settings.resident.unwrap_or(false),
            contract: settings.flags.contains(&"contract"),
            faults: settings.flags.contains(&"faults"),
            specialised,
            tuned: settings.tuned,
            site,
        }
    }

    /// The numbers of blocks that a multiprocessor can hold with each number of threads.
    fn resident_at_once(&mut self, blocks: Vec<(u32, Site)>, threads: &[u32]) -> Vec<u32> {
        let mut fitting = Vec::new();
        for (number, site) in blocks {
            let fits = |threads: &u32| min_blocks_fit(number.into(), *threads);
            match threads.iter().try_for_each(fits) {
                Err(wrong) => self.report(site, wrong),
                Ok(()) => fitting.push(number),
            }
        }
        fitting
    }
}

/// The options without a value.
const FLAGS: &[&str] = &["contract", "faults"];

/// What the attribute says of the kernel itself.
const OPTIONS: &[&str] = &[
    "threads",
    "min_blocks",
    "shared_bytes",
    "grid",
    "contract",
    "faults",
    "tuned",
];

/// The type of a parameter that is specialised.
fn special_type(parameter: &Parameter) -> Option<HostType> {
    match parameter.ty.as_ref().map(|ty| &ty.ty) {
        Some(Type::Host(ty)) if !ty.scalar().is_float() => Some(*ty),
        _ => None,
    }
}

/// The name that a pattern binds.
fn bound(pattern: &Pattern) -> Option<&Name> {
    if let PatternKind::Bind(_, name, _) = &pattern.kind {
        Some(name)
    } else {
        None
    }
}

/// An expression without the parentheses, and the invisible groups of a macro, around it.
fn literal(written: &Expr) -> &Expr {
    match written {
        Expr::Group(inner) => literal(&inner.expr),
        Expr::Paren(inner) => literal(&inner.expr),
        other => other,
    }
}

/// An integer literal, whose suffix is that of its type if it has one.
fn integer(written: &Expr, ty: HostType) -> Option<i128> {
    match literal(written) {
        Expr::Lit(syn::ExprLit {
            lit: Lit::Int(lit), ..
        }) if lit.suffix().is_empty() || lit.suffix() == ty.name() => lit.base10_parse().ok(),
        _ => None,
    }
}
