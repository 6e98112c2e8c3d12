//! Methods of arrays of array programs that scan, and those that keep some elements.

use std::rc::Rc;

use super::Whole;
use super::functions::text;
use super::methods::{is_function, number, rank_of};
use crate::arrays::{AnyShape, Arr, Ix1};
use crate::error::catalogue;
use crate::front::evaluate::call::Call as Method;
use crate::front::evaluate::calls::Callback;
use crate::front::evaluate::{Eval, Machine, Value};
use crate::front::syntax::Site;
use crate::scalar::{Exp, ScalarType, report, with_site};

impl Machine {
    /// A scan of rows.
    pub(super) fn whole_scan(self: &Rc<Self>, arr: &Whole, call: &Method<'_>) -> Eval {
        let (site, name) = (call.site, call.name);
        let (flags, rest) = match (name.starts_with("segmented"), call.arguments) {
            (true, [flags, rest @ ..]) => (Some(self.flags(arr, flags, site)?), rest),
            (_, rest) => (None, rest),
        };
        let (f, initial) = match rest {
            [f] if name.contains("inclusive") => (f, None),
            [f, initial] if name.contains("exclusive") => {
                let initial = ("the initial element", initial);
                (f, Some(self.like_elements(arr, initial, site)?))
            }
            _ => return self.no_whole_method(call),
        };
        let f = self.operator(arr, (name, f), site)?;
        if name == "exclusive_scan_with_total" {
            let initial = initial.unwrap_or(Value::Poison);
            return self.at(site, || {
                let (scan, total) = arr.exclusive_scan_with_total(f, initial);
                Value::tuple(vec![Value::Whole(scan), Value::Whole(total)])
            });
        }
        let made = self.at(site, || {
            Some(match (name, initial, flags) {
                ("inclusive_scan", None, None) => arr.inclusive_scan(f),
                ("inclusive_scan_right", None, None) => arr.inclusive_scan_right(f),
                ("exclusive_scan", Some(initial), None) => arr.exclusive_scan(f, initial),
                ("exclusive_scan_right", Some(initial), None) => {
                    arr.exclusive_scan_right(f, initial)
                }
                ("segmented_inclusive_scan", None, Some(flags)) => {
                    arr.segmented_inclusive_scan(flags, f)
                }
                ("segmented_exclusive_scan", Some(initial), Some(flags)) => {
                    arr.segmented_exclusive_scan(flags, f, initial)
                }
                _ => return None,
            })
        })?;
        match made {
            Some(made) => Ok(Value::Whole(made)),
            None => self.no_whole_method(call),
        }
    }

    /// A fold of segments.
    pub(super) fn whole_segments(self: &Rc<Self>, arr: &Whole, call: &Method<'_>) -> Eval {
        let site = call.site;
        let [offsets, f, initial] = call.arguments else {
            return self.no_whole_method(call);
        };
        if is_function(offsets) {
            let wanted = "an array of offsets";
            return self.wrong_kind(wanted, offsets, site);
        }
        let offsets = self.whole(offsets, site)?;
        self.is_of_rank("segmented_fold", &offsets, 1..=1, site)?;
        let types = offsets.types();
        if types != [ScalarType::U32] {
            let found = format!("an array whose elements are {}", text(&types));
            return self.fail(site, catalogue::wrong_kind("an array of EU32", &found));
        }
        let initial = self.like_elements(arr, ("the initial element", initial), site)?;
        let f = self.operator(arr, ("segmented_fold", f), site)?;
        self.at(site, || {
            let offsets: Arr<Ix1, Exp<u32>> = offsets.seen_as(number);
            let vector = arr.seen_as::<Ix1, Value>(|value| value);
            let folded = vector.segmented_fold(offsets, f, initial);
            Value::Whole(folded.seen_as(|value| value))
        })
    }

    /// The elements that a condition or flags keep.
    pub(super) fn whole_filter(self: &Rc<Self>, arr: &Whole, call: &Method<'_>) -> Eval {
        let (site, name) = (call.site, call.name);
        let [given] = call.arguments else {
            return self.no_whole_method(call);
        };
        if name == "compact" {
            let flags = self.flags(arr, given, site)?;
            let kept = self.at(site, || arr.compact(flags).seen_as(|value| value))?;
            return Ok(Value::Whole(kept));
        }
        if let Value::Whole(_) = given {
            let wanted = "a function of an element";
            return self.wrong_kind(wanted, given, site);
        }
        let f = self.callback(given, site)?;
        let all = |arr: Arr<Ix1, Value>| Value::Whole(arr.seen_as(|value| value));
        self.at(site, || match name {
            "filter" => all(arr.filter(move |x| condition(&f, vec![x], site))),
            "partition" => {
                let (kept, others) = arr.partition(move |x| condition(&f, vec![x], site));
                Value::tuple(vec![all(kept), all(others)])
            }
            _ => {
                let vector = arr.seen_as::<Ix1, Value>(|value| value);
                all(vector.unique(move |x, y| condition(&f, vec![x, y], site)))
            }
        })
    }

    /// Flags, one for each element.
    fn flags(&self, arr: &Whole, flags: &Value, site: Site) -> Eval<Arr<AnyShape, Exp<bool>>> {
        if is_function(flags) {
            let wanted = "an array of flags";
            return self.wrong_kind(wanted, flags, site);
        }
        let flags = self.whole(flags, site)?;
        let ranks = [rank_of(arr), rank_of(&flags)];
        if ranks[0] != ranks[1] {
            return self.fail(site, catalogue::unequal_ranks(ranks));
        }
        match flags.types().as_slice() {
            [ScalarType::Bool] => Ok(flags.seen_as(number)),
            types => {
                let found = format!("an array whose elements are {}", text(types));
                self.fail(site, catalogue::wrong_kind("an array of EBool", &found))
            }
        }
    }
}

/// What a function of elements says of them.
fn condition(f: &Callback, elements: Vec<Value>, site: Site) -> Exp<bool> {
    let found = f.call(elements);
    match &found {
        Value::Exp(e) if e.ty() == ScalarType::Bool => number(found),
        other => {
            let kind = other.kind();
            with_site(site, || {
                if !crate::scalar::failed() {
                    report(catalogue::wrong_kind("a condition, an EBool", &kind));
                }
            });
            Exp::poison()
        }
    }
}
