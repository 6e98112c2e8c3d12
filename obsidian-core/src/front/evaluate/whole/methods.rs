//! Methods of arrays of array programs.

use std::ops::RangeInclusive;
use std::rc::Rc;

use super::functions::text;
use super::{Whole, of_coordinates};
use crate::array::Storable;
use crate::arrays::{AnyShape, Arr, Ix1, Ix2, Ix3};
use crate::error::catalogue as errors;
use crate::error::catalogue;
use crate::front::evaluate::call::Call as Method;
use crate::front::evaluate::{Eval, Flow, Machine, Value};
use crate::front::syntax::Site;
use crate::scalar::{AnyExp, Exp, Number, Scalar, ScalarType, report, with_site};

/// The methods of arrays of array programs.
const METHODS: &[&str] = &[
    "all",
    "any",
    "arg_max",
    "arg_min",
    "at",
    "axis",
    "column",
    "compact",
    "compute",
    "drop",
    "exclusive_scan",
    "exclusive_scan_right",
    "exclusive_scan_with_total",
    "expand",
    "filter",
    "flatten",
    "fold",
    "fold1",
    "fold_all",
    "imap",
    "inclusive_scan",
    "inclusive_scan_right",
    "indexed",
    "init",
    "inline",
    "len",
    "map",
    "max",
    "min",
    "partition",
    "permute",
    "product",
    "replicate",
    "replicate_inner",
    "reshape",
    "reverse",
    "rotate",
    "row",
    "scatter",
    "segmented_exclusive_scan",
    "segmented_fold",
    "segmented_inclusive_scan",
    "shape",
    "slice_inner",
    "slice_outer",
    "sort",
    "sort_by_bits",
    "sort_by_key",
    "stencil",
    "sum",
    "tail",
    "take",
    "the",
    "transpose",
    "unique",
];

/// How a method is called.
fn form(name: &str) -> Option<&'static str> {
    Some(match name {
        "map" => "xs.map(|x| x + 1)",
        "imap" => "xs.imap(|i, x| x + i)",
        "fold" => "xs.fold(|x, y| x + y, initial)",
        "fold_all" => "xs.fold_all(|x, y| x + y, initial)",
        "fold1" => "xs.fold1(|x, y| x + y)",
        "inclusive_scan" => "xs.inclusive_scan(|x, y| x + y)",
        "inclusive_scan_right" => "xs.inclusive_scan_right(|x, y| x + y)",
        "exclusive_scan" => "xs.exclusive_scan(|x, y| x + y, initial)",
        "exclusive_scan_right" => "xs.exclusive_scan_right(|x, y| x + y, initial)",
        "exclusive_scan_with_total" => "xs.exclusive_scan_with_total(|x, y| x + y, initial)",
        "segmented_inclusive_scan" => "xs.segmented_inclusive_scan(flags, |x, y| x + y)",
        "segmented_exclusive_scan" => "xs.segmented_exclusive_scan(flags, |x, y| x + y, initial)",
        "segmented_fold" => "xs.segmented_fold(offsets, |x, y| x + y, initial)",
        "filter" => "xs.filter(|x| x > 3)",
        "partition" => "xs.partition(|x| x > 3)",
        "compact" => "xs.compact(flags)",
        "unique" => "xs.unique(|x, y| x == y)",
        "sort" => "xs.sort()",
        "sort_by_key" => "xs.sort_by_key(|x| x.0)",
        "sort_by_bits" => "xs.sort_by_bits(8, |x| x & 255)",
        "expand" => "xs.expand(|x| x, |x, j| x + j)",
        "permute" => "xs.permute(|x, y| x + y, defaults, |i, x| (x > 0, i / 2))",
        "scatter" => "xs.scatter(places, defaults)",
        "stencil" => "xs.stencil(Clamp, |w| w.at(-1) + w.at(1))",
        _ => return None,
    })
}

/// How many axes a method needs.
fn axes(name: &str) -> RangeInclusive<usize> {
    match name {
        "column" | "row" | "transpose" => 2..=2,
        "the" => 0..=0,
        "replicate" | "replicate_inner" => 0..=2,
        "unique" | "sort" | "sort_by_key" | "sort_by_bits" | "expand" | "segmented_fold" => 1..=1,
        "at" | "compact" | "compute" | "filter" | "flatten" | "imap" | "inline" | "len" | "map"
        | "partition" | "permute" | "reshape" | "scatter" | "shape" => 0..=3,
        _ => 1..=3,
    }
}

/// The number of axes.
pub(super) fn rank_of(arr: &Whole) -> usize {
    arr.extents().len()
}

/// A device value as a value.
pub(super) fn any<T: Scalar>(value: Exp<T>) -> Value {
    Value::Exp(value.any())
}

/// A value as a device value of a type; one of another type has been reported.
pub(super) fn number<T: Scalar>(value: Value) -> Exp<T> {
    let typed = match value {
        Value::Exp(e) => e.typed(),
        Value::Untyped(untyped) => untyped.typed(T::TYPE).typed(),
        _ => None,
    };
    typed.unwrap_or_else(Exp::poison)
}

impl Machine {
    /// Calls a method of an array of an array program.
    pub(in crate::front::evaluate) fn whole_method(
        self: &Rc<Self>,
        arr: &Whole,
        call: &Method<'_>,
    ) -> Eval {
        let (site, name) = (call.site, call.name);
        if METHODS.contains(&name) {
            self.is_of_rank(name, arr, axes(name), site)?;
        }
        let made = match (name, call.arguments) {
            ("shape", []) => return Ok(of_coordinates(&arr.extents())),
            ("len", []) => return self.at(site, || any(arr.len())),
            ("the", []) => return self.at(site, || arr.at(Vec::new())),
            ("at", [index]) => return self.whole_at(arr, index, site),
            ("map", [f]) => {
                let f = self.callback(f, site)?;
                self.at(site, || arr.map(move |value| f.call(vec![value])))
            }
            ("imap", [f]) => {
                let f = self.callback(f, site)?;
                self.at(site, || {
                    arr.imap(move |index, value| f.call(vec![of_coordinates(&index), value]))
                })
            }
            ("indexed", []) => self.at(site, || indexed(arr)),
            ("compute", []) => self.at(site, || arr.compute()),
            ("inline", []) => self.at(site, || arr.inline()),
            ("fold" | "fold_all", [f, initial]) => {
                let initial = self.like_elements(arr, ("the initial element", initial), site)?;
                let f = self.operator(arr, (name, f), site)?;
                self.at(site, || match name {
                    "fold" => arr.fold(f, initial),
                    _ => arr.fold_all(f, initial).seen_as(|value| value),
                })
            }
            ("fold1", [f]) => {
                let f = self.operator(arr, ("fold1", f), site)?;
                self.at(site, || arr.fold1(f))
            }
            ("sum" | "product" | "min" | "max" | "arg_min" | "arg_max", []) => {
                self.reduced(arr, name, site)
            }
            ("all" | "any", []) => match arr.types().as_slice() {
                [ScalarType::Bool] => self.at(site, || {
                    let conditions: Arr<AnyShape, Exp<bool>> = arr.seen_as(number);
                    match name {
                        "all" => conditions.all().seen_as(any),
                        _ => conditions.any().seen_as(any),
                    }
                }),
                types => {
                    let found = format!("an array whose elements are {}", text(types));
                    self.fail(site, catalogue::wrong_kind("an array of EBool", &found))
                }
            },
            ("reshape", [extents]) => {
                let extents = self.coordinates(extents, site)?;
                self.at(site, || arr.reshape(extents))
            }
            ("axis", [k]) => {
                let k = self.host_count(k, "the axis", site)?;
                self.at(site, || arr.axis(k as usize))
            }
            ("flatten", []) => self.at(site, || arr.flatten().seen_as(|value| value)),
            (
                "replicate" | "replicate_inner" | "slice_outer" | "slice_inner" | "row" | "column"
                | "take" | "drop" | "rotate",
                [n],
            ) => {
                let n = self.one_extent(n, site)?;
                let matrix = || arr.seen_as::<Ix2, Value>(|value| value);
                self.at(site, || match name {
                    "replicate" => arr.replicate(n),
                    "replicate_inner" => arr.replicate_inner(n),
                    "slice_outer" => arr.slice_outer(n),
                    "slice_inner" => arr.slice_inner(n),
                    "row" => matrix().row(n).seen_as(|value| value),
                    "column" => matrix().column(n).seen_as(|value| value),
                    "take" => arr.take(n),
                    "drop" => arr.drop(n),
                    _ => arr.rotate(n),
                })
            }
            ("init" | "tail" | "reverse" | "transpose", []) => self.at(site, || match name {
                "init" => arr.init(),
                "tail" => arr.tail(),
                "reverse" => arr.reverse(),
                _ => {
                    let matrix = arr.seen_as::<Ix2, Value>(|value| value);
                    matrix.transpose().seen_as(|value| value)
                }
            }),
            ("stencil", [boundary, f]) => {
                let (boundary, f) = (
                    self.boundary_of(arr, boundary, site)?,
                    self.callback(f, site)?,
                );
                self.at(site, || {
                    arr.stencil(boundary, move |window| f.call(vec![Value::Window(window)]))
                })
            }
            _ if name.contains("scan") => return self.whole_scan(arr, call),
            ("sort" | "sort_by_key" | "sort_by_bits" | "expand" | "permute" | "scatter", _) => {
                return self.whole_places(arr, call);
            }
            ("segmented_fold", _) => return self.whole_segments(arr, call),
            ("filter" | "partition" | "unique" | "compact", _) => {
                return self.whole_filter(arr, call);
            }
            _ => return self.no_whole_method(call),
        };
        made.map(Value::Whole)
    }

    pub(super) fn no_whole_method(self: &Rc<Self>, call: &Method<'_>) -> Eval {
        if let Some(form) = form(call.name) {
            let found = call.arguments.len();
            let wrong = catalogue::wrong_count_beside(call.name, found, form);
            return self.fail(call.site, wrong);
        }
        self.no_method(call, "an array of an array program", METHODS)
    }

    /// The element at an index.
    pub(in crate::front::evaluate) fn whole_at(
        &self,
        arr: &Whole,
        index: &Value,
        site: Site,
    ) -> Eval {
        let index = self.index_of_rank(index, rank_of(arr), site)?;
        self.at(site, || arr.at(index))
    }

    /// An index of an array with this many axes.
    pub(super) fn index_of_rank(
        &self,
        index: &Value,
        rank: usize,
        site: Site,
    ) -> Eval<Vec<Exp<u32>>> {
        let index = self.coordinates(index, site)?;
        if index.len() == rank {
            return Ok(index);
        }
        self.fail(site, catalogue::index_of_another_rank(index.len(), rank))
    }

    /// Refuses an array that has too many or too few axes.
    pub(super) fn is_of_rank(
        &self,
        name: &str,
        arr: &Whole,
        wanted: RangeInclusive<usize>,
        site: Site,
    ) -> Eval<()> {
        let found = rank_of(arr);
        if wanted.contains(&found) {
            return Ok(());
        }
        self.fail(site, catalogue::wrong_rank(name, &wanted, found))
    }

    /// A value of the type of the elements: `what` says what it is for.
    pub(super) fn like_elements(
        &self,
        arr: &Whole,
        (what, value): (&str, &Value),
        site: Site,
    ) -> Eval {
        let like = arr.some_element();
        match value {
            Value::Poison => return Err(Flow::Stop),
            Value::Whole(_) => return self.fail(site, catalogue::array_as_element(what)),
            value if is_function(value) => {
                let wanted = "a function in front of the initial element";
                let found = "one behind it";
                return self.fail(site, catalogue::wrong_kind(wanted, found));
            }
            value => {
                let is_like = value.has_fields_of(&like);
                if !is_like && !matches!(like, Value::Poison) {
                    let wanted = text(&arr.types());
                    let wrong = catalogue::no_such_element(what, &wanted, &value.kind());
                    return self.fail(site, wrong);
                }
            }
        }
        let value = self.at(site, || value.like(&like))?;
        let found = self.at(site, || types_of(&value))?;
        let wanted = arr.types();
        if found == wanted || super::untyped::learns() {
            return Ok(value);
        }
        let wrong = catalogue::no_such_element(what, &text(&wanted), &text(&found));
        self.fail(site, wrong)
    }

    /// A function that combines two elements, for the method `name`.
    pub(super) fn operator(
        self: &Rc<Self>,
        arr: &Whole,
        (name, f): (&str, &Value),
        site: Site,
    ) -> Eval<impl Fn(Value, Value) -> Value + 'static> {
        let (f, name) = (self.callback(f, site)?, name.to_owned());
        let (like, wanted) = (arr.some_element(), arr.types());
        Ok(move |x: Value, y: Value| {
            let combined = f.call(vec![x, y]);
            if let Value::Program(_) = combined {
                with_site(site, || {
                    if !crate::scalar::failed() {
                        report(errors::operator_of_arrays(&name));
                    }
                });
                return Value::Poison;
            }
            let combined = combined.like(&like);
            if crate::scalar::failed() || super::untyped::learns() {
                return combined;
            }
            with_site(site, || {
                let found = types_of(&combined);
                if found != wanted && !crate::scalar::failed() {
                    report(catalogue::operator_of_another_type(
                        &text(&wanted),
                        &text(&found),
                    ));
                }
            });
            combined
        })
    }

    /// A reduction of numbers that the library has by name.
    fn reduced(&self, arr: &Whole, name: &str, site: Site) -> Eval<Whole> {
        use ScalarType::*;
        let types = arr.types();
        let [ty] = types.as_slice() else {
            let found = format!("an array whose elements are {}", text(&types));
            return self.fail(site, catalogue::wrong_kind("an array of numbers", &found));
        };
        if *ty == Bool {
            let found = "an array of EBool: `all` and `any` reduce these";
            return self.fail(site, catalogue::wrong_kind("an array of numbers", found));
        }
        self.at(site, || match ty {
            U8 => reduced::<u8>(arr, name),
            U16 => reduced::<u16>(arr, name),
            U32 | Bool => reduced::<u32>(arr, name),
            U64 => reduced::<u64>(arr, name),
            I8 => reduced::<i8>(arr, name),
            I16 => reduced::<i16>(arr, name),
            I32 => reduced::<i32>(arr, name),
            I64 => reduced::<i64>(arr, name),
            F32 => reduced::<f32>(arr, name),
            F64 => reduced::<f64>(arr, name),
        })
    }
}

fn reduced<T: Number>(arr: &Whole, name: &str) -> Whole {
    let numbers: Arr<AnyShape, Exp<T>> = arr.seen_as(number);
    match name {
        "sum" => numbers.sum().seen_as(any),
        "product" => numbers.product().seen_as(any),
        "min" => numbers.min().seen_as(any),
        "max" => numbers.max().seen_as(any),
        "arg_min" => numbers.arg_min().seen_as(any),
        _ => numbers.arg_max().seen_as(any),
    }
}

/// The elements, each with its index.
fn indexed(arr: &Whole) -> Whole {
    let coordinate = any::<u32>;
    match rank_of(arr) {
        1 => {
            let all = arr.seen_as::<Ix1, Value>(|value| value).indexed();
            all.seen_as(move |(i, value)| Value::tuple(vec![coordinate(i), value]))
        }
        2 => {
            let all = arr.seen_as::<Ix2, Value>(|value| value).indexed();
            all.seen_as(move |((y, x), value)| {
                let index = Value::tuple(vec![coordinate(y), coordinate(x)]);
                Value::tuple(vec![index, value])
            })
        }
        _ => {
            let all = arr.seen_as::<Ix3, Value>(|value| value).indexed();
            all.seen_as(move |((z, y, x), value)| {
                let index = [z, y, x].map(coordinate);
                Value::tuple(vec![Value::tuple(index.to_vec()), value])
            })
        }
    }
}

/// Is it called, instead of used as a value?
pub(super) fn is_function(value: &Value) -> bool {
    matches!(
        value,
        Value::Closure(_) | Value::Function(..) | Value::Writer(_)
    )
}

/// The types of the components of a value.
pub(super) fn types_of(value: &Value) -> Vec<ScalarType> {
    let mut leaves: Vec<AnyExp> = Vec::new();
    value.leaves(&mut leaves);
    leaves.iter().map(|leaf| leaf.ty()).collect()
}
