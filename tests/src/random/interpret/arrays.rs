//! What functions of arrays mean.

use super::{Machine, Value, array, index};

/// Elements dealt out: `parts(x)` of each, one after another.
fn flattened(list: &[Value], parts: impl Fn(&Value) -> Vec<Value>) -> Value {
    array(list.iter().flat_map(parts).collect())
}

/// Pieces of `n` elements.
fn pieces(list: &[Value], n: usize) -> Value {
    array(list.chunks(n).map(|piece| array(piece.to_vec())).collect())
}

/// The field of each tuple.
fn column(list: &[Value], n: usize) -> Value {
    let field = |x: &Value| match x {
        Value::Undefined => Value::Undefined,
        x => x.fields()[n].clone(),
    };
    array(list.iter().map(field).collect())
}

/// Piece `i` has every element whose index is `i` more than a multiple of the number of pieces.
fn coalesced(list: &[Value], n: usize) -> Value {
    let pieces = list.len() / n;
    array(
        (0..pieces)
            .map(|i| array((0..n).map(|j| list[i + j * pieces].clone()).collect()))
            .collect(),
    )
}

impl Machine {
    /// A function of arrays, if it is one.
    pub(super) fn arrays(&mut self, name: &str, arguments: &[Value]) -> Option<Value> {
        // Of an element, or of a length that is a value of the device.
        let of_a_scalar = matches!(
            name,
            "singleton" | "singleton_push" | "generate" | "mk_pull" | "iota" | "replicate"
        );
        if matches!(
            arguments.first(),
            Some(Value::Mutable(_) | Value::Matrix(..) | Value::Scalar(_) | Value::Undefined)
        ) && !of_a_scalar
        {
            return None;
        }
        self.made(name, arguments)
            .or_else(|| rearranged(name, arguments))
            .or_else(|| self.mapped(name, arguments))
    }

    /// Arrays from nothing.
    fn made(&mut self, name: &str, arguments: &[Value]) -> Option<Value> {
        Some(match (name, arguments) {
            ("iota", [n]) => array((0..n.number()).map(index).collect()),
            ("generate" | "mk_pull", [n, f]) => array(
                (0..n.number())
                    .map(|i| self.element(f, &[index(i)]))
                    .collect(),
            ),
            ("replicate", [n, x]) => array(vec![x.clone(); n.number()]),
            ("singleton" | "singleton_push", [x]) => array(vec![x.clone()]),
            ("lit", [x]) => x.clone(),
            ("fun", [f]) => f.clone(),
            _ => return None,
        })
    }

    /// Functions of elements.
    fn mapped(&mut self, name: &str, arguments: &[Value]) -> Option<Value> {
        Some(match (name, arguments) {
            ("map", [a, f]) => array(
                a.list()
                    .iter()
                    .map(|x| self.element(f, std::slice::from_ref(x)))
                    .collect(),
            ),
            ("adjacent", [a, f]) => {
                let list = a.list();
                assert!(!list.is_empty(), "an element has none behind it");
                array(list.windows(2).map(|pair| self.element(f, pair)).collect())
            }
            // A work for each element, and their results one after another.
            ("as_thread_map" | "as_warp_map" | "as_block_map" | "as_grid_map", [a, f]) => array(
                a.list()
                    .iter()
                    .flat_map(|x| self.call(f, std::slice::from_ref(x)).list().to_vec())
                    .collect(),
            ),
            // The same, and each finds what those before it have.
            ("as_grid_ordered", [a, f]) => {
                let outside = self.order.replace(Vec::new());
                let works: Vec<Value> = a
                    .list()
                    .iter()
                    .flat_map(|x| self.call(f, std::slice::from_ref(x)).list().to_vec())
                    .collect();
                self.order = outside;
                array(works)
            }
            (
                "zip_with" | "zip_with3" | "zip_with4" | "zip_with_shortest" | "zip_with3_shortest"
                | "zip_with4_shortest",
                [f, arrays @ ..],
            ) => {
                let len = arrays.iter().map(|a| a.list().len()).min()?;
                let row = |i: usize| {
                    arrays
                        .iter()
                        .map(|a| a.list()[i].clone())
                        .collect::<Vec<_>>()
                };
                array((0..len).map(|i| self.element(f, &row(i))).collect())
            }
            ("fold1", [f, a]) => {
                let sum = a
                    .list()
                    .iter()
                    .cloned()
                    .reduce(|x, y| self.call(f, &[x, y]));
                array(vec![sum?])
            }
            ("unsafe_bin_split" | "bin_split", [n, f, a]) => {
                let size = a.list().len() >> n.number();
                array(
                    a.list()
                        .chunks(size)
                        .flat_map(|piece| self.call(f, &[array(piece.to_vec())]).list().to_vec())
                        .collect(),
                )
            }
            _ => return None,
        })
    }

    /// `ix_map` of a pull array reads where the function says, that of a push array writes there.
    pub(super) fn moved(&mut self, a: &Value, f: &Value, push: bool) -> Value {
        let len = a.list().len();
        let to: Vec<Value> = (0..len).map(|i| self.element(f, &[index(i)])).collect();
        if !push {
            return array(to.iter().map(|i| a.element(i)).collect());
        }
        let mut out = vec![Value::Undefined; len];
        to.iter()
            .zip(a.list())
            .for_each(|(i, x)| out[i.number()] = x.clone());
        array(out)
    }
}

/// Functions that move elements, and do not look at them.
fn rearranged(name: &str, arguments: &[Value]) -> Option<Value> {
    let number = |n: usize| arguments[n].number();
    let Some(Value::Array(list)) = arguments.first() else {
        return None;
    };
    let list = &list[..];
    Some(match (name, arguments.len()) {
        ("reverse", 1) => array(list.iter().rev().cloned().collect()),
        ("take", 2) => array(list[..number(1)].to_vec()),
        ("drop" | "shift_left", 2) => array(list[number(1)..].to_vec()),
        ("tail", 1) => array(list[1..].to_vec()),
        ("split_at", 2) => {
            let (x, y) = list.split_at(number(1));
            Value::Tuple(vec![array(x.to_vec()), array(y.to_vec())])
        }
        ("halve", 1) => {
            let (x, y) = list.split_at(list.len() / 2);
            Value::Tuple(vec![array(x.to_vec()), array(y.to_vec())])
        }
        ("evens", 1) => array(list.iter().step_by(2).cloned().collect()),
        ("odds", 1) => array(list.iter().skip(1).step_by(2).cloned().collect()),
        ("even_odds", 1) => Value::Tuple(vec![
            rearranged("evens", arguments)?,
            rearranged("odds", arguments)?,
        ]),
        ("every_nth", 2) => array(list.iter().step_by(number(1)).cloned().collect()),
        ("first", 1) => list[0].clone(),
        ("last", 1) => list[list.len() - 1].clone(),
        ("at", 2) => arguments[0].element(&arguments[1]),
        ("append", 2) => array([list, arguments[1].list()].concat()),
        ("interleave", 2) => array(
            list.iter()
                .zip(arguments[1].list())
                .flat_map(|(x, y)| [x.clone(), y.clone()])
                .collect(),
        ),
        ("zip" | "zip3" | "zip4" | "zip_shortest" | "zip3_shortest" | "zip4_shortest", _) => {
            let len = arguments.iter().map(|a| a.list().len()).min()?;
            array(
                (0..len)
                    .map(|i| Value::Tuple(arguments.iter().map(|a| a.list()[i].clone()).collect()))
                    .collect(),
            )
        }
        ("unzip", 1) => Value::Tuple((0..2).map(|n| column(list, n)).collect()),
        ("unzip3", 1) => Value::Tuple((0..3).map(|n| column(list, n)).collect()),
        ("unzip4", 1) => Value::Tuple((0..4).map(|n| column(list, n)).collect()),
        ("pair", 1) => array(list.chunks(2).map(|x| Value::Tuple(x.to_vec())).collect()),
        ("triple", 1) => array(list.chunks(3).map(|x| Value::Tuple(x.to_vec())).collect()),
        ("quadruple", 1) => array(list.chunks(4).map(|x| Value::Tuple(x.to_vec())).collect()),
        ("unpair" | "untriple" | "unquadruple", 1) => flattened(list, |x| match (x, name) {
            (Value::Undefined, "unpair") => vec![Value::Undefined; 2],
            (Value::Undefined, "untriple") => vec![Value::Undefined; 3],
            (Value::Undefined, _) => vec![Value::Undefined; 4],
            (x, _) => x.fields().to_vec(),
        }),
        ("split_up" | "chunks_len", 2) => pieces(list, number(1)),
        ("chunks", 3) => {
            let n = number(1);
            let padded = |piece: &[Value]| {
                array(
                    piece
                        .iter()
                        .cloned()
                        .chain(std::iter::repeat(arguments[2].clone()))
                        .take(n)
                        .collect(),
                )
            };
            array(list.chunks(n).map(padded).collect())
        }
        ("concat", 2) => flattened(list, |x| match x {
            Value::Undefined => vec![Value::Undefined; number(1)],
            x if x.list().len() != number(1) => std::panic::panic_any(super::WronglyVouched),
            x => x.list().to_vec(),
        }),
        ("windows", 2) => {
            let n = number(1);
            assert!(n <= list.len() + 1, "a window is longer than the array");
            array(
                list.windows(n)
                    .map(|window| array(window.to_vec()))
                    .collect(),
            )
        }
        ("coalesce", 2) => coalesced(list, number(1)),
        ("un_coalesce", 2) => {
            let n = number(1);
            array(
                (0..n)
                    .flat_map(|j| list.chunks(n).map(move |piece| piece[j].clone()))
                    .collect(),
            )
        }
        (
            "as_thread" | "as_warp" | "as_block" | "as_grid" | "lift_par" | "lift_seq" | "lift_in",
            1,
        ) => flattened(list, |x| x.list().to_vec()),
        ("set_len" | "from_dyn", 2) if number(1) != list.len() => {
            std::panic::panic_any(super::WronglyVouched)
        }
        ("push" | "load" | "store" | "set_len" | "to_dyn" | "from_dyn" | "padded", _) => {
            array(list.to_vec())
        }
        ("len", 1) => index(list.len()),
        _ => return None,
    })
}
