//! Functions of array programs, by name.

use std::rc::Rc;

use super::methods::{any, number, rank_of};
use super::{Whole, of_coordinates};
use crate::arrays::{self, AnyShape, Arr, Boundary, Ix1};
use crate::error::catalogue;
use crate::front::evaluate::{Eval, Flow, Machine, Value};
use crate::front::syntax::Site;
use crate::scalar::{Exp, ScalarType};

impl Machine {
    /// Calls a function of array programs.
    pub(in crate::front::evaluate) fn whole_function(
        self: &Rc<Self>,
        name: &str,
        arguments: &[Value],
        site: Site,
    ) -> Eval {
        if arguments.iter().any(|a| matches!(a, Value::Poison)) {
            return Err(Flow::Stop);
        }
        let made = match (name, arguments) {
            ("generate", [extents, f]) => {
                let (extents, f) = (self.coordinates(extents, site)?, self.callback(f, site)?);
                self.at(site, || {
                    arrays::generate(extents, move |index: Vec<Exp<u32>>| {
                        f.call(vec![of_coordinates(&index)])
                    })
                })
            }
            ("fill", [extents, value]) => {
                let extents = self.coordinates(extents, site)?;
                self.at(site, || arrays::fill(extents, value.clone()))
            }
            ("iota", [n]) => {
                let n = self.one_extent(n, site)?;
                self.at(site, || arrays::iota(n).seen_as(any))
            }
            ("enum_from_step", [n, start, step]) => {
                let [n, start, step] = [n, start, step].map(|one| self.one_extent(one, site));
                let (n, start, step) = (n?, start?, step?);
                self.at(site, || arrays::enum_from_step(n, start, step).seen_as(any))
            }
            ("unit", [value]) => {
                self.at(site, || arrays::unit(value.clone()).seen_as(|value| value))
            }
            ("zip_with" | "zip_with3" | "zip_with4", [f, list @ ..]) => {
                let f = self.callback(f, site)?;
                let list = self.wholes(list, site)?;
                match (name, list.as_slice()) {
                    ("zip_with", [a, b]) => self.at(site, || {
                        let f = move |a, b| f.call(vec![a, b]);
                        arrays::zip_with(f, a.clone(), b.clone())
                    }),
                    ("zip_with3", [a, b, c]) => self.at(site, || {
                        let f = move |a, b, c| f.call(vec![a, b, c]);
                        arrays::zip_with3(f, a.clone(), b.clone(), c.clone())
                    }),
                    ("zip_with4", [a, b, c, d]) => self.at(site, || {
                        let f = move |a, b, c, d| f.call(vec![a, b, c, d]);
                        arrays::zip_with4(f, a.clone(), b.clone(), c.clone(), d.clone())
                    }),
                    _ => return self.wrong_count(name, arguments.len(), site),
                }
            }
            ("zip" | "zip3", list) => match self.wholes(list, site)?.as_slice() {
                [a, b] if name == "zip" => self.at(site, || {
                    let pairs = arrays::zip(a.clone(), b.clone());
                    pairs.seen_as(|(a, b)| Value::tuple(vec![a, b]))
                }),
                [a, b, c] if name == "zip3" => self.at(site, || {
                    let triples = arrays::zip3(a.clone(), b.clone(), c.clone());
                    triples.seen_as(|(a, b, c)| Value::tuple(vec![a, b, c]))
                }),
                _ => return self.wrong_count(name, arguments.len(), site),
            },
            ("unzip" | "unzip3", [arr]) => return self.unzip_whole(name, arr, site),
            ("gather", [numbers, arr]) => {
                let (numbers, arr) = (self.whole(numbers, site)?, self.whole(arr, site)?);
                self.is_of_rank("gather", &arr, 1..=1, site)?;
                let types = numbers.types();
                if types != [ScalarType::U32] {
                    let found = format!("an array whose elements are {}", text(&types));
                    return self.fail(site, catalogue::wrong_kind("an array of EU32", &found));
                }
                self.at(site, || {
                    let numbers: Arr<AnyShape, Exp<u32>> = numbers.seen_as(number);
                    arrays::gather(numbers, arr.seen_as::<Ix1, Value>(|value| value))
                })
            }
            ("backpermute", [extents, f, arr]) => {
                let extents = self.coordinates(extents, site)?;
                let (f, arr) = (self.callback(f, site)?, self.whole(arr, site)?);
                let (machine, rank) = (self.clone(), rank_of(&arr));
                self.at(site, || {
                    let place = move |index: Vec<Exp<u32>>| {
                        let place = f.call(vec![of_coordinates(&index)]);
                        let place = machine.index_of_rank(&place, rank, site);
                        place.unwrap_or_else(|_| vec![Exp::poison(); rank])
                    };
                    arrays::backpermute(extents, place, arr)
                })
            }
            ("append", [first, second]) => {
                let list = self.wholes(&[first.clone(), second.clone()], site)?;
                let [first, second] = list.as_slice() else {
                    return Err(Flow::Stop);
                };
                self.is_of_rank("append", first, 1..=3, site)?;
                self.at(site, || arrays::append(first.clone(), second.clone()))
            }
            ("power" | "awhile" | "if_then", [_, _, _]) => {
                return self.whole_control(name, arguments, site);
            }
            ("Function", [f]) => {
                let f = self.callback(f, site)?;
                let of_place = move |place: Vec<Exp<i32>>| {
                    let place = place.iter().map(|one| Value::Exp(one.any()));
                    let place: Vec<Value> = place.collect();
                    f.call(match <[Value; 1]>::try_from(place) {
                        Ok(one) => one.to_vec(),
                        Err(several) => vec![Value::tuple(several)],
                    })
                };
                return Ok(Value::Boundary(Box::new(arrays::Function(of_place))));
            }
            ("Constant", [value]) => {
                return Ok(Value::Boundary(Box::new(Boundary::Constant(value.clone()))));
            }
            _ => return self.wrong_count(name, arguments.len(), site),
        };
        made.map(Value::Whole)
    }

    fn unzip_whole(self: &Rc<Self>, name: &str, arr: &Value, site: Site) -> Eval {
        let arr = self.whole(arr, site)?;
        let fields = if name == "unzip" { 2 } else { 3 };
        match arr.some_element() {
            Value::Tuple(list) if list.len() == fields => {}
            Value::Poison => return Err(Flow::Stop),
            other => {
                let wanted = format!("an array of tuples of {fields}");
                let found = format!("an array whose elements are each {}", other.kind());
                return self.fail(site, catalogue::wrong_kind(&wanted, &found));
            }
        }
        let part = |value: &Value, n: usize| match value {
            Value::Tuple(list) => list.get(n).cloned().unwrap_or(Value::Poison),
            _ => Value::Poison,
        };
        self.at(site, || {
            let parts = match fields {
                2 => {
                    let pairs: Arr<AnyShape, (Value, Value)> =
                        arr.seen_as(move |value| (part(&value, 0), part(&value, 1)));
                    let (first, second) = arrays::unzip(pairs);
                    vec![first, second]
                }
                _ => {
                    let triples: Arr<AnyShape, (Value, Value, Value)> = arr
                        .seen_as(move |value| (part(&value, 0), part(&value, 1), part(&value, 2)));
                    let (first, second, third) = arrays::unzip3(triples);
                    vec![first, second, third]
                }
            };
            Value::tuple(parts.into_iter().map(Value::Whole).collect())
        })
    }

    /// A value as an array of the program.
    pub(super) fn whole(&self, value: &Value, site: Site) -> Eval<Whole> {
        match value {
            Value::Whole(arr) => Ok(arr.clone()),
            Value::Poison => Err(Flow::Stop),
            other => self.wrong_kind("an array of the program", other, site),
        }
    }

    /// Values as arrays that have as many axes.
    fn wholes(&self, values: &[Value], site: Site) -> Eval<Vec<Whole>> {
        let list: Vec<Whole> = values
            .iter()
            .map(|value| self.whole(value, site))
            .collect::<Eval<_>>()?;
        let ranks: Vec<usize> = list.iter().map(rank_of).collect();
        match ranks.iter().find(|rank| Some(*rank) != ranks.first()) {
            Some(other) => {
                let ranks = [ranks.first().copied().unwrap_or(0), *other];
                self.fail(site, catalogue::unequal_ranks(ranks))
            }
            None => Ok(list),
        }
    }

    fn wrong_count(&self, name: &str, found: usize, site: Site) -> Eval {
        let wanted = match name {
            "Constant" | "Function" | "iota" | "unit" | "unzip" | "unzip3" => 1,
            "fill" | "generate" | "gather" | "append" | "zip" => 2,
            "zip_with3" => 4,
            "zip_with4" => 5,
            _ => 3,
        };
        let what = format!("`{name}` of array programs");
        self.fail(site, catalogue::wrong_count(&what, wanted, found))
    }
}

/// The types of the components of an element, for messages.
pub(super) fn text(types: &[ScalarType]) -> String {
    let names: Vec<String> = types.iter().map(|ty| ty.exp_name()).collect();
    match names.as_slice() {
        [one] => one.clone(),
        several => format!("({})", several.join(", ")),
    }
}
