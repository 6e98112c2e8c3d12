//! Static pull arrays.

use obsidian_core::scalar::ScalarType;

use super::super::syntax::{Expr, Type};
use super::{Generator, call, field, method, number};

/// Rules that every array can be made by.
const ANY: &[&str] = &[
    "generate",
    "mk_pull",
    "replicate",
    "map",
    "map",
    "zip_with",
    "zip_with",
    "zip_with3",
    "zip_with4",
    "zip_with_shortest",
    "zip_with3_shortest",
    "zip_with4_shortest",
    "reverse",
    "ix_map",
    "take",
    "drop",
    "shift_left",
    "tail",
    "adjacent",
    "windows",
    "split_at",
    "halve",
    "evens",
    "odds",
    "even_odds",
    "every_nth",
    "append",
    "unzip",
    "unzip3",
    "unzip4",
    "set_len",
    "from_dyn",
    "to_dyn",
    "fun",
];

impl Generator {
    /// An array of elements of a type.
    pub(super) fn pull(&mut self, element: &Type, len: u32) -> Expr {
        if self.fuel <= 0 || len > 300 {
            return self.simple_pull(element, len);
        }
        let ty = Type::pull(element, len);
        if self.chance(0.35)
            && let Some(known) = self.stored(element, len)
        {
            return known;
        }
        let mut rules = ANY.to_vec();
        if *element == Type::Scalar(ScalarType::U32) {
            rules.push("iota");
        }
        if len == 1 {
            rules.extend(["singleton", "fold1"]);
        }
        if len > 0 {
            rules.extend([
                "as_2d",
                "in_rows",
                "row",
                "column",
                "un_coalesce",
                "unsafe_bin_split",
                "split_up",
                "concat",
                "coalesce",
                "chunks",
            ]);
        }
        for (n, name) in [
            (2, "unpair"),
            (3, "untriple"),
            (4, "unquadruple"),
            (2, "interleave"),
        ] {
            rules.extend(len.is_multiple_of(n).then_some(name));
        }
        if let Type::Tuple(fields) = element {
            let equal = fields.iter().all(|f| *f == fields[0]);
            let n = fields.len() - 2;
            rules.push(["zip", "zip3", "zip4"][n]);
            rules.push(["zip_shortest", "zip3_shortest", "zip4_shortest"][n]);
            rules.extend(equal.then_some(["pair", "triple", "quadruple"][fields.len() - 2]));
        }
        let name = self.rule(&rules);
        self.pull_by(name, element, len, ty)
    }

    /// A known array that is long enough, cut to a length.
    pub(super) fn stored(&mut self, element: &Type, len: u32) -> Option<Expr> {
        let fits = |t: &Type| matches!(t, Type::Pull(e, Some(n)) if **e == *element && *n >= len && *n > 0);
        let found = self.known(fits);
        if found.is_empty() {
            return None;
        }
        let array = self.pick(&found);
        if array.ty == Type::pull(element, len) {
            return Some(array);
        }
        Some(method(
            "take",
            Type::pull(element, len),
            vec![array, number(len)],
        ))
    }

    fn simple_pull(&mut self, element: &Type, len: u32) -> Expr {
        if let Some(known) = self.stored(element, len) {
            return known;
        }
        let known = self.known(|t| matches!(t, Type::Pull(_, Some(n)) if *n == len));
        if !known.is_empty() {
            let (array, ty) = (self.pick(&known), Type::pull(element, len));
            let Type::Pull(of, _) = array.ty.clone() else {
                return array;
            };
            let f = self.closure(&[*of], |g, _| g.element(element, 1));
            return method("map", ty, vec![array, f]);
        }
        let f = self.closure(&[Type::Scalar(ScalarType::U32)], |g, _| {
            g.element(element, 1)
        });
        call("generate", Type::pull(element, len), vec![number(len), f])
    }

    fn pull_by(&mut self, name: &'static str, element: &Type, len: u32, ty: Type) -> Expr {
        match name {
            "generate" | "mk_pull" => {
                let f = self.closure(&[Type::Scalar(ScalarType::U32)], |g, _| {
                    g.element(element, 2)
                });
                call(name, ty, vec![number(len), f])
            }
            "replicate" => {
                let x = self.element(element, 2);
                call(name, ty, vec![number(len), x])
            }
            "iota" => call(name, ty, vec![number(len)]),
            "singleton" => {
                let x = self.element(element, 2);
                call(name, ty, vec![x])
            }
            "fold1" => {
                let n = self.below(6) + 1;
                let (f, a) = (self.combine(element, 1), self.pull(element, n));
                call(name, ty, vec![f, a])
            }
            "map" | "fun" => {
                let from = self.element_type();
                let (a, f) = (
                    self.pull(&from, len),
                    self.closure(std::slice::from_ref(&from), |g, _| g.element(element, 2)),
                );
                let f = if name == "fun" {
                    call("fun", Type::Host, vec![f])
                } else {
                    f
                };
                method("map", ty, vec![a, f])
            }
            "zip_with" | "zip_with3" | "zip_with4" | "zip_with_shortest" | "zip_with3_shortest"
            | "zip_with4_shortest" => {
                let n = match name {
                    "zip_with" | "zip_with_shortest" => 2,
                    "zip_with3" | "zip_with3_shortest" => 3,
                    _ => 4,
                };
                let types: Vec<Type> = (0..n).map(|_| self.element_type()).collect();
                let f = self.closure(&types, |g, _| g.element(element, 2));
                let arrays = self.zipped(&types, len, name.ends_with("_shortest"));
                call(name, ty, [f].into_iter().chain(arrays).collect())
            }
            "ix_map" => {
                let a = self.pull(element, len);
                let f = self.closure(&[Type::Scalar(ScalarType::U32)], |g, i| {
                    if len == 0 { i[0].clone() } else { g.index(len) }
                });
                method(name, ty, vec![a, f])
            }
            "append" => {
                let n = self.below(len + 1);
                let (x, y) = (self.pull(element, n), self.pull(element, len - n));
                call(name, ty, vec![x, y])
            }
            "interleave" => {
                let (x, y) = (self.pull(element, len / 2), self.pull(element, len / 2));
                call(name, ty, vec![x, y])
            }
            "split_up" | "concat" | "coalesce" | "chunks" | "un_coalesce" | "unsafe_bin_split" => {
                self.by_pieces(name, element, len, ty)
            }
            "as_2d" | "in_rows" | "row" | "column" => self.by_matrix(name, element, len, ty),
            "zip" | "zip3" | "zip4" | "zip_shortest" | "zip3_shortest" | "zip4_shortest" => {
                let Type::Tuple(fields) = element else {
                    panic!("zips make tuples")
                };
                let arrays = self.zipped(fields, len, name.ends_with("_shortest"));
                call(name, ty, arrays)
            }
            "unzip" | "unzip3" | "unzip4" => self.unzipped(name, element, len),
            "unpair" | "untriple" | "unquadruple" => {
                let n = match name {
                    "unpair" => 2,
                    "untriple" => 3,
                    _ => 4,
                };
                if !matches!(element, Type::Scalar(_)) {
                    return self.simple_pull(element, len);
                }
                let a = self.pull(&Type::Tuple(vec![element.clone(); n]), len / n as u32);
                method(name, ty, vec![a])
            }
            "pair" | "triple" | "quadruple" => {
                let Type::Tuple(fields) = element else {
                    panic!("neighbours make tuples")
                };
                let a = self.pull(&fields[0].clone(), len * fields.len() as u32);
                method(name, ty, vec![a])
            }
            _ => self.part(name, element, len, ty),
        }
    }

    /// Some elements of one array.
    fn part(&mut self, name: &'static str, element: &Type, len: u32, ty: Type) -> Expr {
        let more = self.below(4);
        match name {
            "take" => method(name, ty, vec![self.pull(element, len + more), number(len)]),
            "drop" | "shift_left" => {
                method(name, ty, vec![self.pull(element, len + more), number(more)])
            }
            "tail" => method(name, ty, vec![self.pull(element, len + 1)]),
            "adjacent" => {
                let of = self.element_type();
                let f = self.closure(&[of.clone(), of.clone()], |g, _| g.element(element, 2));
                method(name, ty, vec![self.pull(&of, len + 1), f])
            }
            "windows" => {
                let (of, n) = (self.element_type(), self.below(3) + 1);
                let cut = Type::Pull(Box::new(Type::pull(&of, n)), Some(len));
                let cut = method(name, cut, vec![self.pull(&of, len + n - 1), number(n)]);
                let f = self.closure(&[Type::pull(&of, n)], |g, _| g.element(element, 3));
                method("map", ty, vec![cut, f])
            }
            "every_nth" => {
                let n = self.below(3) + 1;
                method(name, ty, vec![self.pull(element, len * n), number(n)])
            }
            "evens" => method(
                name,
                ty,
                vec![self.pull(element, (2 * len).saturating_sub(more % 2))],
            ),
            "odds" => method(name, ty, vec![self.pull(element, 2 * len + more % 2)]),
            "even_odds" => {
                let both = Type::Tuple(vec![ty.clone(), ty]);
                field(
                    method(name, both, vec![self.pull(element, 2 * len)]),
                    (more % 2) as usize,
                )
            }
            "halve" => {
                let odd = more % 2;
                let both = Type::Tuple(vec![ty, Type::pull(element, len + odd)]);
                field(
                    method(name, both, vec![self.pull(element, 2 * len + odd)]),
                    0,
                )
            }
            "split_at" => {
                let first = self.chance(0.5);
                let (x, y) = if first { (len, more) } else { (more, len) };
                let both = Type::Tuple(vec![Type::pull(element, x), Type::pull(element, y)]);
                field(
                    method(name, both, vec![self.pull(element, x + y), number(x)]),
                    usize::from(!first),
                )
            }
            "set_len" => method(name, ty, vec![self.pull(element, len), number(len)]),
            "from_dyn" | "to_dyn" => {
                let dynamic = method(
                    "to_dyn",
                    Type::Pull(Box::new(element.clone()), None),
                    vec![self.pull(element, len)],
                );
                method("from_dyn", ty, vec![dynamic, number(len)])
            }
            _ => method("reverse", ty, vec![self.pull(element, len)]),
        }
    }

    /// Arrays of one length; or, if the shortest decides, of that length and longer ones.
    fn zipped(&mut self, types: &[Type], len: u32, any: bool) -> Vec<Expr> {
        let shortest = self.below(types.len() as u32) as usize;
        let mut arrays = Vec::new();
        for (n, ty) in types.iter().enumerate() {
            let more = if any && n != shortest {
                self.below(4)
            } else {
                0
            };
            arrays.push(self.pull(ty, len + more));
        }
        arrays
    }

    fn unzipped(&mut self, name: &'static str, element: &Type, len: u32) -> Expr {
        let n = match name {
            "unzip" => 2,
            "unzip3" => 3,
            _ => 4,
        };
        if !matches!(element, Type::Scalar(_)) {
            return self.simple_pull(element, len);
        }
        let which = self.below(n) as usize;
        let mut fields: Vec<Type> = (0..n).map(|_| Type::Scalar(self.scalar_type())).collect();
        fields[which] = element.clone();
        let a = self.pull(&Type::Tuple(fields.clone()), len);
        field(
            call(
                name,
                Type::Tuple(fields.iter().map(|ty| Type::pull(ty, len)).collect()),
                vec![a],
            ),
            which,
        )
    }

    /// An array of pieces, each a closure's argument.
    fn by_pieces(&mut self, name: &'static str, element: &Type, len: u32, ty: Type) -> Expr {
        let of = self.element_type();
        let piece = |n: u32| Type::pull(&of, n);
        let pieces = |n: u32, count: u32| Type::Pull(Box::new(Type::pull(&of, n)), Some(count));
        match name {
            // One element of each piece.
            "split_up" | "coalesce" => {
                let n = self.below(4) + 1;
                let cut = method(
                    name,
                    pieces(n, len),
                    vec![self.pull(&of, len * n), number(n)],
                );
                let f = self.closure(&[piece(n)], |g, _| g.element(element, 3));
                method("map", ty, vec![cut, f])
            }
            "chunks" => {
                let n = self.below(4) + 1;
                let missing = if len > 0 { self.below(n) } else { 0 };
                let (a, pad) = (self.pull(&of, len * n - missing), self.element(&of, 1));
                let cut = method(name, pieces(n, len), vec![a, number(n), pad]);
                let f = self.closure(&[piece(n)], |g, _| g.element(element, 3));
                method("map", ty, vec![cut, f])
            }
            "unsafe_bin_split" => {
                let most = len.trailing_zeros().min(3);
                let n = self.below(most + 1);
                let size = len >> n;
                let f = self.closure(&[piece(size)], |g, _| g.pull(element, size));
                let a = self.pull(&of, len);
                call(name, ty, vec![number(n), f, a])
            }
            // Each piece made anew, and put together again.
            _ => {
                let n = if len == 0 { 1 } else { self.divisor(len) };
                let cut = if name == "un_coalesce" {
                    "coalesce"
                } else {
                    "split_up"
                };
                let cut = method(
                    cut,
                    pieces(n, len / n),
                    vec![self.pull(&of, len), number(n)],
                );
                let f = self.closure(&[piece(n)], |g, _| g.pull(element, n));
                let made = method(
                    "map",
                    Type::Pull(Box::new(Type::pull(element, n)), Some(len / n)),
                    vec![cut, f],
                );
                method(name, ty, vec![made, number(n)])
            }
        }
    }

    /// A row, a column, or all elements of a matrix.
    fn by_matrix(&mut self, name: &'static str, element: &Type, len: u32, ty: Type) -> Expr {
        match name {
            "row" | "column" => {
                let n = self.below(4) + 1;
                let i = number(self.below(n));
                let (height, width) = if name == "row" { (n, len) } else { (len, n) };
                method(name, ty, vec![self.pull2(element, height, width), i])
            }
            _ => {
                let width = self.divisor(len);
                let matrix = self.pull2(element, len / width, width);
                method("flat", ty, vec![matrix])
            }
        }
    }

    /// A pull array whose elements are works: arguments of a closure that makes a push array.
    pub(super) fn works(&mut self, count: u32) -> Expr {
        let of = self.element_type();
        let n = self.below(6) + 1;
        let pieces = Type::Pull(Box::new(Type::pull(&of, n)), Some(count));
        let rules: &[&'static str] = &[
            "iota", "elements", "split_up", "coalesce", "rows", "columns", "chunks",
        ];
        match self.rule(if count > 0 { rules } else { &rules[..2] }) {
            name @ ("split_up" | "coalesce") => {
                method(name, pieces, vec![self.pull(&of, count * n), number(n)])
            }
            "iota" => call(
                "iota",
                Type::pull(&Type::Scalar(ScalarType::U32), count),
                vec![number(count)],
            ),
            "rows" => method("rows", pieces, vec![self.pull2(&of, count, n)]),
            "columns" => method("columns", pieces, vec![self.pull2(&of, n, count)]),
            "chunks" => {
                let missing = self.below(n);
                let (a, pad) = (self.pull(&of, count * n - missing), self.element(&of, 1));
                method("chunks", pieces, vec![a, number(n), pad])
            }
            _ => self.pull(&of, count),
        }
    }
}

/// The element of a pull array's type.
pub(super) fn element_of(array: &Expr) -> Type {
    match &array.ty {
        Type::Pull(element, _) => (**element).clone(),
        Type::Pull2(element, ..) => (**element).clone(),
        other => panic!("{other:?} is no pull array"),
    }
}
