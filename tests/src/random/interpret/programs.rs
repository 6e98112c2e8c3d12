//! What programs mean: they are run where they stand.

use obsidian_core::scalar::{Literal, ScalarType};

use super::super::scalars;
use super::super::syntax::{Expr, Type};
use super::{Machine, Scope, Value, array, index};

impl Machine {
    /// A function that does not run each of its arguments exactly once, or whose meaning depends on
    /// their types.
    pub(super) fn delayed(
        &mut self,
        name: &str,
        arguments: &[Expr],
        scope: &mut Scope,
    ) -> Option<Value> {
        match (name, arguments) {
            ("cond", [c, then, otherwise]) => {
                let side = if self.eval(c, scope).truth() {
                    then
                } else {
                    otherwise
                };
                Some(self.eval(side, scope))
            }
            // The inputs are such that it holds.
            ("require", _) => Some(Value::Tuple(Vec::new())),
            // What is not chosen may read outside of an array.
            ("select", [c, then, otherwise]) => {
                let arm = match self.eval(c, scope) {
                    Value::Undefined => return Some(Value::Undefined),
                    chosen if chosen.truth() => then,
                    _ => otherwise,
                };
                Some(self.eval(arm, scope))
            }
            ("seq_while", [head, body]) => {
                while !self.breaking && self.eval(head, scope).truth() {
                    self.eval(body, scope);
                }
                self.breaking = false;
                Some(Value::Tuple(Vec::new()))
            }
            // A program's result as a whole, whatever it is; of an array it is each element.
            ("map" | "and_then", [program, f]) if matches!(program.ty, Type::Program(..)) => {
                let (x, f) = (self.eval(program, scope), self.eval(f, scope));
                Some(self.call(&f, &[x]))
            }
            // Of pieces, even where the first of them means nothing.
            ("un_coalesce", [a, n]) if matches!(&a.ty, Type::Pull(piece, _) if matches!(**piece, Type::Pull(..))) =>
            {
                let (a, n) = (self.eval(a, scope), self.eval(n, scope).number());
                let column = |j: usize| a.list().iter().map(move |piece| piece.part(j));
                Some(array((0..n).flat_map(column).collect()))
            }
            ("ix_map", [a, f]) => {
                let push = matches!(a.ty, Type::Push(..));
                let (a, f) = (self.eval(a, scope), self.eval(f, scope));
                Some(self.moved(&a, &f, push))
            }
            _ => None,
        }
    }

    /// A function that gives a program, or takes one that has been run.
    pub(super) fn programs(&mut self, name: &str, arguments: &[Value]) -> Option<Value> {
        self.steps(name, arguments)
            .or_else(|| self.sequential(name, arguments))
            .or_else(|| self.mutable(name, arguments))
    }

    fn steps(&mut self, name: &str, arguments: &[Value]) -> Option<Value> {
        let unit = Value::Tuple(Vec::new());
        Some(match (name, arguments) {
            (
                "pure" | "compute" | "exec" | "exec_thread" | "exec_warp" | "exec_block"
                | "single_thread",
                [x],
            ) => x.clone(),
            ("Pitch" | "Blocked", [n]) => n.clone(),
            ("Striped", []) => index(0),
            ("hold", [x]) | ("hold_as", [_, x]) | ("exchange", [_, _, x]) => x.clone(),
            ("tiles_fold", [input, tile, state, whole, rest]) => {
                let (list, tile) = (input.list().to_vec(), tile.number());
                list.chunks(tile).fold(state.clone(), |state, part| {
                    let step = if part.len() == tile { whole } else { rest };
                    self.call(step, &[state, array(part.to_vec())])
                })
            }
            ("compute_as", [_, x]) => x.clone(),
            // A method of an array, and a function of a number and a program.
            ("unroll", [a @ Value::Array(_), _] | [_, a]) => a.clone(),
            ("exec_value" | "exec_thread_value" | "exec_warp_value" | "exec_block_value", [x]) => {
                array(vec![x.clone()])
            }
            ("void", [_]) | ("sync", []) => unit,
            ("break_loop", []) => {
                self.breaking = true;
                unit
            }
            ("for_all", [Value::Tuple(shape), f]) => {
                for i in 0..shape[0].number() {
                    for j in 0..shape[1].number() {
                        self.call(f, &[Value::Tuple(vec![index(i), index(j)])]);
                    }
                }
                unit
            }
            ("for_all" | "seq_for" | "distr_par", [n, f]) => {
                for i in 0..n.number() {
                    self.call(f, &[index(i)]);
                }
                unit
            }
            ("rep", [n, f, x]) => (0..n.number()).fold(x.clone(), |x, _| self.call(f, &[x])),
            ("compose", [functions, x]) => functions
                .list()
                .iter()
                .fold(x.clone(), |x, f| self.call(f, &[x])),
            ("mk_push", [n, f]) => {
                self.memory.push(vec![Value::Undefined; n.number()]);
                let place = self.memory.len() - 1;
                self.call(f, &[Value::Writer(place)]);
                array(self.memory[place].clone())
            }
            ("write", [Value::Writer(place), x, i]) => {
                self.memory[*place][i.number()] = x.clone();
                unit
            }
            ("push_to", [a, f]) => {
                for (i, x) in a.list().to_vec().into_iter().enumerate() {
                    self.call(f, &[x, index(i)]);
                }
                unit
            }
            ("write_to", [a, Value::Writer(place)]) => {
                self.memory[*place].clone_from_slice(a.list());
                unit
            }
            _ => return None,
        })
    }

    fn sequential(&mut self, name: &str, arguments: &[Value]) -> Option<Value> {
        Some(match (name, arguments) {
            ("seq_reduce", [f, a]) => a
                .list()
                .to_vec()
                .into_iter()
                .reduce(|x, y| self.call(f, &[x, y]))?,
            ("seq_iterate", [n, f, x]) => {
                (0..n.number()).fold(x.clone(), |x, i| self.call(f, &[index(i), x]))
            }
            ("seq_until", [f, c, x]) => {
                let mut x = x.clone();
                while self.call(c, &[x.clone()]).truth() {
                    x = self.call(f, &[x]);
                }
                x
            }
            (
                "reduce" | "inclusive_scan" | "exclusive_scan" | "earlier" | "sort" | "any" | "all"
                | "ballot" | "match_any" | "rank_by_digit",
                _,
            ) => {
                return self.together(name, arguments);
            }
            ("seq_scan", [f, a]) => {
                let mut sums: Vec<Value> = Vec::new();
                for x in a.list() {
                    let next = sums
                        .last()
                        .cloned()
                        .map_or(x.clone(), |sum| self.call(f, &[sum, x.clone()]));
                    sums.push(next);
                }
                array(sums)
            }
            ("seq_scan_cin", [f, carry, a]) => {
                let mut sum = carry.clone();
                let mut next = |x: &Value| {
                    sum = self.call(f, &[sum.clone(), x.clone()]);
                    sum.clone()
                };
                array(a.list().iter().map(&mut next).collect())
            }
            ("map_accum_l" | "map_accum_r", [f, state, a]) => {
                let (mut state, mut list) = (state.clone(), a.list().to_vec());
                let mut round = |x: &mut Value| {
                    let pair = self.call(f, &[state.clone(), x.clone()]);
                    (state, *x) = (pair.fields()[0].clone(), pair.fields()[1].clone());
                };
                if name == "map_accum_l" {
                    list.iter_mut().for_each(&mut round)
                } else {
                    list.iter_mut().rev().for_each(&mut round)
                }
                array(list)
            }
            ("s_map_accum", [f, state, pieces]) => {
                let (mut state, mut out) = (state.clone(), Vec::new());
                for piece in pieces.list() {
                    let pair = self.call(f, &[state, piece.clone()]);
                    state = pair.fields()[0].clone();
                    out.extend_from_slice(pair.fields()[1].list());
                }
                array(out)
            }
            ("accumulate", [f, init, rounds]) => {
                let mut sums = init.list().to_vec();
                for round in rounds.list() {
                    sums = sums
                        .into_iter()
                        .zip(round.list())
                        .map(|(x, y)| self.call(f, &[x, y.clone()]))
                        .collect();
                }
                array(sums)
            }
            _ => return None,
        })
    }

    fn mutable(&mut self, name: &str, arguments: &[Value]) -> Option<Value> {
        let unit = Value::Tuple(Vec::new());
        match (name, arguments) {
            ("new_shared_mutable", [n, x]) => {
                self.memory.push(vec![x.clone(); n.number()]);
                return Some(Value::Mutable(self.memory.len() - 1));
            }
            ("to_mutable", [a]) => {
                self.memory.push(a.list().to_vec());
                return Some(Value::Mutable(self.memory.len() - 1));
            }
            _ => {}
        }
        let Some(Value::Mutable(place)) = arguments.first() else {
            return None;
        };
        let memory = &mut self.memory[*place];
        Some(match (name, &arguments[1..]) {
            ("push", []) => array(memory.clone()),
            ("len", []) => index(memory.len()),
            ("read", [Value::Undefined]) => Value::Undefined,
            ("read", [i]) => memory.get(i.number()).cloned().unwrap_or(Value::Undefined),
            ("write", [i, x]) => {
                memory[i.number()] = x.clone();
                unit
            }
            ("write_all", [a]) => {
                memory[..a.list().len()].clone_from_slice(a.list());
                unit
            }
            (_, [i, operands @ ..]) => {
                let old = memory[i.number()].clone();
                let operands: Vec<Literal> = operands.iter().map(Value::scalar).collect();
                memory[i.number()] = Value::Scalar(changed(name, old.scalar(), &operands)?);
                old
            }
            _ => return None,
        })
    }
}

/// What an atomic operation leaves.
fn changed(name: &str, old: Literal, operands: &[Literal]) -> Option<Literal> {
    let n = *operands.first()?;
    Some(match name.strip_prefix("atomic_")? {
        "add" => scalars::binary("+", old, n),
        "sub" => scalars::binary("-", old, n),
        "min" => scalars::binary("min", old, n),
        "max" => scalars::binary("max", old, n),
        "and" => scalars::binary("&", old, n),
        "or" => scalars::binary("|", old, n),
        "xor" => scalars::binary("^", old, n),
        "exch" => n,
        "cas" if old == n => *operands.get(1)?,
        "cas" => old,
        "inc" if old.u32() >= n.u32() => Literal::zero(ScalarType::U32),
        "inc" => Literal::from(old.u32() + 1),
        "dec" if old.u32() == 0 || old.u32() > n.u32() => n,
        "dec" => Literal::from(old.u32() - 1),
        _ => return None,
    })
}
