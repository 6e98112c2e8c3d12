//! A literal at each kind of place, in functions that nothing calls: that rustc accepts the native copy is the test, as every literal
//! there has to be a value of the host or of the device just where Rust wants one. The last test has the same of the evaluator.

#![allow(missing_docs, unused_variables, dead_code)]

use obsidian_rt::prelude::*;
use obsidian_tests::fuzz::verdict::refusals;

#[kernels]
pub mod kernels_of_literals {
    pub fn a1(q: Pull<EF32>) -> Pull<EF32> {
        replicate(8, 0.5)
    }
    pub fn a2(n: EU32) -> DPull2<EF32> {
        replicate((n, 4), 0.5)
    }
    pub fn a3(q: Pull<EF32>) -> Pull<EF32> {
        append(q, singleton(1.0))
    }
    pub fn a4(q: Pull<EF32>) -> Push<Block, EF32> {
        append(q.push(), replicate(3, 2.0).push())
    }
    pub fn a5(q: Pull<EF32>) -> Pull<EF32> {
        zip_with(|x, y| select(x > y, x, 0.0), q, replicate(8, 1.0))
    }
    pub fn a6(q: Pull<EF32>) -> Program<Block, EF32> {
        block_reduce(|x, y| x + y, 0.0, q)
    }
    pub fn a7(q: Pull<EF32>) -> Push<Block, EF32> {
        block_exclusive_scan(|x, y| x + y, 0.0, q)
    }
    pub fn a8(q: Pull<EF32>) -> Program<Thread, EF32> {
        seq_iterate(4, |i, s| s + q[i], 0.0)
    }
    pub fn a9(q: Pull<EF32>) -> Program<Thread, (EF32, EU32)> {
        seq_iterate(4, |i, (s, k)| (s + q[i], k + 1), (0.0, 0))
    }
    pub fn b1(x: EU32) -> Program<Thread, EU32> {
        seq_until(|s| s * 2, |s| s < 100, 1)
    }
    pub fn b2(q: Pull<EU32>) -> Push<Thread, EU32> {
        seq_scan_cin(|x, y| x + y, 1, q)
    }
    pub fn b3(q: Pull<EU32>) -> Push<Thread, EF32> {
        map_accum_l(|s, x| (s + x, 0.5), 0, q)
    }
    pub fn b4(q: Pull<EU32>) -> Push<Thread, (EU32, EF32)> {
        map_accum_r(|s, x| (s + x, (s, 0.5)), 0, q)
    }
    pub fn b5() -> Program<Block, MShared<EF32>> {
        new_shared_mutable(8, 0.0)
    }
    pub fn b6(m: MShared<EI32>) -> Program<Thread, ()> {
        m.atomic_max(0, -1)?;
        m.atomic_cas(1, 0, 5)?;
        m.write(2, 7)
    }
    pub fn b7(x: DPull2<EF32>) -> DPush2<Grid, EF32> {
        x.cover(8, 8)
            .as_grid_map(|t| t.map(|x| x + 1.0).push())
            .crop(5, 6)
    }
    pub fn b8(x: DPull<EF32>) -> DPull2<EF32> {
        x.in_rows(16)
    }
    pub fn b9(x: DPull<EF32>) -> DPull<EF32> {
        x.as_2d(4, 8).row(2)
    }
    pub fn c1(q: Pull<EF32>) -> Push<Block, EF32> {
        exclusive_scan(|x, y| x.max(y), -1000.0, q)
    }
    pub fn c2(x: EF32) -> EF32 {
        if true { 1.0 } else { x }
    }
    pub fn c3(x: EF32) -> (EF32, (EU32, EBool)) {
        (2.0, (3, true))
    }
    pub fn c4(x: EF32, n: u32) -> EF32 {
        match n {
            0 => 0.0,
            1 => x,
            _ => -1.0,
        }
    }
    pub fn c5(x: EF32) -> Vec<EF32> {
        vec![0.0, x, 1.0]
    }
    pub fn c6(x: EF32) -> [EF32; 3] {
        [0.0, x, 1.0]
    }
    pub fn c7(x: EF32) -> Vec<EF32> {
        let mut v = vec![0.0; 4];
        v[1] = x;
        v
    }
    pub fn c8(x: EF32) -> EF32 {
        let mut v = Vec::new();
        v.push(0.0);
        v.push(x);
        v.iter().fold(0.0, |a, b| a + b)
    }
    pub fn c9(x: EF32) -> Option<EF32> {
        Some(0.0)
    }
    pub fn d1(x: EF32) -> EF32 {
        let f = |y: EF32, z: EF32| y * z;
        f(0.5, x)
    }
    pub fn d2(x: EF32) -> EF32 {
        let f = |y, z| y * z;
        f(x, 0.5)
    }
    pub fn d3(f: impl Fn(EF32) -> EF32) -> EF32 {
        f(0.5)
    }
    pub fn d4(x: EF32) -> EF32 {
        d3(|y| 1.0) + d3(|y| y + 1.0)
    }
    pub fn d5<T: Data>(x: T, y: T, c: EBool) -> T {
        select(c, x, y)
    }
    pub fn d6(x: EF32) -> EF32 {
        d5(x, 0.0, x > 1.0) + d5((x, 1), (0.0, 2), true).0
    }
    pub fn d7(x: EF32) -> Program<Thread, EF32> {
        pure(0.0)
    }
    pub fn d8(x: EF32) -> Program<Thread, (EF32, EF32)> {
        let z = 0.0;
        pure((z, x))
    }
    pub fn d9(x: EF64) -> EF64 {
        (0.1 + 0.02) * x - 1.0 / 3.0 * x
    }
    pub fn e1(x: EF64) -> EF64 {
        let k = 0.1 + 0.02;
        x * k
    }
    pub fn e2(x: EF32) -> EF32 {
        x.clamp(0.0, 1.0)
            .mul_add(2.0, 3.0)
            .powf(0.5)
            .max(0.0)
            .min(4.0)
    }
    pub fn e3(x: EU32) -> EU32 {
        (x << 3) + (x >> 1) + x.rotate_left(3) + x.saturating_add(5)
    }
    pub fn e4(x: EI32) -> EI32 {
        x.abs_diff(-3) as EI32 + -x + 5
    }
    pub fn e5(x: EF32) -> EU32 {
        x.to_bits() & 0xff
    }
    pub fn e6(x: EU32) -> EF32 {
        EF32::from_bits(0x3f800000) + EF32::from_bits(x)
    }
    pub fn e7(x: EF32) -> EF32 {
        fast::div(1.0, x)
    }
    pub fn e8(q: Pull2<EF32>) -> Pull2<EF32> {
        padded(1, 0.0, q)
    }
    pub fn e9(q: Pull<EF32>) -> Pull<EBool> {
        q.map(|x| true)
    }
    pub fn f1(q: Pull<EF32>) -> Push<Block, EF32> {
        mk_push(8, |write| for_all(8, |i| write(1.0, i)))
    }
    pub fn f2(q: Pull<EF32>) -> Push<Block, EF32> {
        mk_push(1, |write| single_thread(write(1.0, 0)))
    }
    pub fn f3(q: Pull2<EF32>) -> Program<Block, ()> {
        q.push().push_to(|x, (y, z)| pure(()))
    }
    pub fn f4(q: Pull<EF32>) -> Program<Block, Push<Block, EF32>> {
        let z = compute(generate(8, |_| 0.0))?;
        pure(zip_with(|x, y| x + y, q, z).push())
    }
}

#[kernels]
pub mod programs_of_literals {
    pub fn a1(x: Arr1<EF32>) -> Arr0<EF32> {
        x.fold(|a, b| a + b, 0.0)
    }
    pub fn a2(x: Arr1<EF32>) -> Arr1<EF32> {
        x.exclusive_scan(|a, b| a.max(b), -1.0)
    }
    pub fn a3(x: Arr1<EF32>) -> Arr0<(EF32, EU32)> {
        x.map(|x| (x, 1))
            .fold(|(a, i), (b, j)| (a + b, i + j), (0.0, 0))
    }
    pub fn a4(n: EU32) -> Arr2<EF32> {
        fill((n, 3), 0.5)
    }
    pub fn a5(n: EU32) -> Arr2<EF32> {
        generate((4, n), |(y, x)| select(y.lt(2), x as EF32, 0.0))
    }
    pub fn a6(x: Arr1<EF32>) -> Arr1<EF32> {
        append(x, generate(3, |_| 1.0))
    }
    pub fn a7(x: Arr1<EF32>) -> Arr1<EF32> {
        zip_with(|a, b| select(a.gt(b), 1.0, 0.0), x, x.reverse())
    }
    pub fn a8(x: Arr1<EF32>) -> Arr1<EF32> {
        x.permute(|a, b| a + b, fill(8, 0.0), |i, _| (true, i % 8))
    }
    pub fn a9(x: Arr1<EF32>) -> Arr1<EF32> {
        x.scatter(iota(8), fill(8, 1.0))
    }
    pub fn b1(x: Arr2<EF32>) -> Arr2<EF32> {
        x.stencil(Constant(0.0), |w| w.at((0, 1)) + w.at((-1, 0)) * 2.0)
    }
    pub fn b2(x: Arr2<EF32>) -> Arr2<EF32> {
        x.stencil(Function(|(y, x)| 0.5), |w| w.at((0, 1)))
    }
    pub fn b3(x: Arr1<EF32>) -> Arr1<EF32> {
        power(3, x, |x| x.map(|v| v * 0.5 + 1.0))
    }
    pub fn b4(x: Arr1<EF32>) -> Arr1<EF32> {
        awhile(x, |x| x.sum().map(|s| s.lt(100.0)), |x| x.map(|v| v * 2.0))
    }
    pub fn b5(x: Arr1<EF32>) -> Arr1<EF32> {
        if_then(x.sum().map(|s| s.gt(0.0)), || x, || fill(8, 0.0))
    }
    pub fn b6() -> Arr0<EU32> {
        unit(3)
    }
    pub fn b7(x: Arr1<EU32>) -> Arr1<EF32> {
        x.expand(|n| n % 3, |_, j| 0.5)
    }
    pub fn b8(x: Arr1<EF32>) -> Arr1<EF32> {
        x.take(3).drop(1).rotate(2)
    }
    pub fn b9(x: Arr1<EF32>, o: Arr1<EU32>) -> Arr1<EF32> {
        x.segmented_fold(o, |a, b| a + b, 0.0)
    }
    pub fn c1(x: Arr1<EF32>) -> Arr1<EF32> {
        x.imap(|i, x| select(i.lt(3), x, 0.0))
    }
    pub fn c2(x: Arr1<EF32>) -> Arr1<EF32> {
        x.map(|x| seq_iterate(3, |i, s| s * 0.5 + x, 1.0))
    }
    pub fn c3(x: Arr1<EF32>) -> EF32 {
        x.at(3) + x.at(0)
    }
    pub fn c4(x: Arr2<EF32>) -> Arr1<EF32> {
        backpermute(4, |i| (0, i), x)
    }
    pub fn c5(x: Arr1<EF32>) -> Arr1<EF32> {
        x.sort_by_key(|x| 1)
    }
    pub fn c6<Sh: HasInner>(x: Arr<Sh, EF32>) -> Arr<Sh::Outer, EF32> {
        let z = 0.0;
        x.map(|x| select(x.lt(z), z, x)).fold(|a, b| a + b, z)
    }
    pub fn c7(x: Arr1<EF32>, t: EF64) -> Arr1<EF64> {
        x.map(|x| (0.1 + 0.02) * t + x as f64)
    }
    pub fn c8(x: Arr1<EF32>) -> Arr1<EF32> {
        let (a, b) = x.exclusive_scan_with_total(|a, b| a * b, 1.0);
        a.map(|a| a + b.the())
    }
}

/// A kernel's body with a literal of the wrong kind, and the literal.
const WRONG: &[(&str, &str)] = &[
    (
        "mk_push(1, |write| distr_par(1, |_| single_thread(write(1.0, 0.5))))",
        "`0.5` is a float",
    ),
    (
        "mk_push(1, |write| distr_par(1, |_| single_thread(write(1, 0))))",
        "`1` is an integer",
    ),
    (
        "mk_push(1.0, |write| distr_par(1, |_| single_thread(write(1.0, 0))))",
        "`1.0` is a float",
    ),
    ("each(0.0, x.take(3.5))", "`3.5` is a float"),
    ("each(0, x)", "`0` is an integer"),
    (
        "each(0.0, x.map(|x| select(x > 1.0, x, { let zero = 0; zero })))",
        "`0` is an integer",
    ),
    (
        "{ let zero = 0; x.chunks(64, zero).as_grid_map(|p| p.push()).take(x.len()) }",
        "`0` is an integer",
    ),
    ("each(0.0, x.split_at(2.0).0)", "`2.0` is a float"),
    (
        "each(0.0, generate((x.len(), 1.5), |(y, z)| 1.0).flat())",
        "`1.5` is a float",
    ),
    ("each(0.0, x.map(|x| sum(x, 1)))", "`1` is an integer"),
];

#[test]
fn one_of_the_wrong_kind_is_one_error_at_the_literal() {
    for (code, words) in WRONG {
        let text = format!(
            "pub mod m {{ fn sum(x: EF32, y: EF32) -> EF32 {{ x + y }} \
             fn each<T: Data>(pad: T, x: DPull<T>) -> DPush<Grid, T> {{ x.chunks(64, pad).as_grid_map(|p| p.push()).take(x.len()) }} \
             #[kernel] pub fn k(x: DPull<EF32>) -> DPush<Grid, EF32> {{ {code} }} }}"
        );
        let list = refusals(&text);
        let right = list.len() == 1 && list[0].contains("[wrong-literal]");
        assert!(right && list[0].starts_with(words), "{code}: {list:?}");
    }
}
