//! Array programs in modules: what the macro makes of them is what the library makes while the program runs.

use std::fmt::Debug;

use obsidian_rt::arrays::{ArrayParameters, ArrayProgram, RunResult};
use obsidian_rt::prelude::*;
use obsidian_rt::{Device, ErrorKind};

#[kernels]
mod whole {
    #[arrays]
    pub fn dotp(xs: Arr1<EF32>, ys: Arr1<EF32>) -> Arr0<EF32> {
        zip_with(|x, y| x * y, xs, ys).fold(|a, b| a + b, 0.0)
    }

    #[arrays]
    pub fn scanned(xs: Arr2<EF32>) -> (Arr2<EF32>, Arr2<EF32>, Arr1<EF32>) {
        let (before, total) = xs.exclusive_scan_with_total(|x, y| x + y, 0.5);
        (
            before.map(|x| x * 2.0),
            xs.inclusive_scan_right(|x, y| x.max(y)),
            total,
        )
    }

    #[arrays]
    pub fn in_segments(
        xs: Arr1<(EU32, EI32)>,
        flags: Arr1<EBool>,
    ) -> (Arr1<(EU32, EI32)>, Arr1<(EU32, EI32)>, Arr1<EU32>) {
        let add = |x: (EU32, EI32), y: (EU32, EI32)| (x.0 + y.0, x.1 + y.1);
        (
            xs.segmented_inclusive_scan(flags, add),
            xs.segmented_exclusive_scan(flags, add, (1, 2)),
            xs.map(|x| x.0).exclusive_scan_right(|x, y| x + y, 3),
        )
    }

    #[arrays]
    pub fn folded_segments(xs: Arr1<(EU32, EI32)>, offsets: Arr1<EU32>) -> Arr1<(EU32, EI32)> {
        xs.segmented_fold(offsets, |x, y| (x.0 + y.0, x.1 - y.1), (1, 2))
    }

    #[arrays]
    pub fn around(xs: Arr2<EF32>, ys: Arr1<EI32>) -> (Arr2<EF32>, Arr2<EF32>, Arr1<EI32>) {
        let blurred = xs.stencil(Clamp, |w| {
            (w.at((-1, 0)) + w.at((0, -1)) + w.at((0, 1)) + w.at((1, 0))) * 0.25
        });
        (
            blurred,
            xs.map(|x| x * 2.0)
                .stencil(Constant(0.5), |w| w.at((0, 0)) - w.at((2, -3))),
            ys.stencil(Wrap, |w| w.at(-1) + w.at(1))
                .stencil(Mirror, |w| w.at(-2) * w.at(2)),
        )
    }

    #[arrays]
    pub fn kept(
        xs: Arr1<EU32>,
        limit: EU32,
    ) -> (Arr1<EU32>, Arr0<EU32>, Arr1<EU32>, (Arr1<EU32>, Arr1<EU32>)) {
        let few = xs.filter(|x| x < limit);
        let n = few.len();
        let sorted = xs.map(|x| x / 4).inclusive_scan(|x, y| x.max(y));
        let flags = xs.map(|x| x > 3);
        (
            few.map(|x| x + n),
            few.sum(),
            sorted.unique(|x, y| x == y),
            append(few, xs.compact(flags)).partition(|x| x < 2),
        )
    }

    #[arrays]
    pub fn reverse_map(xs: Arr1<EU32>) -> Arr1<EU32> {
        xs.map(|x| x + 1).reverse()
    }

    #[arrays]
    pub fn map_let(xs: Arr1<EF32>, ys: Arr1<EF32>) -> Arr1<EF32> {
        let v = zip_with(|x, y| x.exp() + y, xs, ys);
        zip_with(|a, b| a * b, v, v).map(|x| x + 1.0)
    }

    #[arrays]
    pub fn map_fold(m: Arr2<EF32>) -> Arr1<EF32> {
        m.fold(|a, b| a + b, 0.0).map(|x| x * 2.0)
    }

    #[arrays]
    pub fn map_and_fold(xs: Arr1<EF32>) -> (Arr1<EF32>, Arr0<EF32>) {
        let ys = xs.map(|x| x.exp());
        (ys.map(|y| y + 1.0), ys.fold(|a, b| a + b, 0.0))
    }

    #[arrays]
    pub fn max_sum(xs: Arr1<EF32>) -> (Arr0<EF32>, Arr0<EF32>) {
        (xs.max(), xs.sum())
    }

    /// A matrix times a vector: not an array program itself, but part of some.
    pub fn times(m: Arr2<EF32>, v: Arr1<EF32>) -> Arr1<EF32> {
        let (height, _) = m.shape();
        zip_with(|a, b| a * b, m, v.replicate(height)).fold(|a, b| a + b, 0.0)
    }

    #[arrays]
    pub fn mvm(m: Arr2<EF32>, v: Arr1<EF32>) -> Arr1<EF32> {
        times(m, v)
    }

    #[arrays]
    pub fn map_mvm(m: Arr2<EF32>, v: Arr1<EF32>) -> Arr1<EF32> {
        times(m, v).map(|x| x + 0.5)
    }

    #[arrays]
    pub fn n_body(bodies: Arr1<(EF32, EF32, EF32, EF32)>) -> Arr1<(EF32, EF32, EF32)> {
        let n = bodies.len();
        let forces = zip_with(pull, bodies.replicate_inner(n), bodies.replicate(n));
        forces.fold(
            |(a, b, c), (x, y, z)| (a + x, b + y, c + z),
            (0.0, 0.0, 0.0),
        )
    }

    pub fn pull(
        (x, y, z, _): (EF32, EF32, EF32, EF32),
        (a, b, c, mass): (EF32, EF32, EF32, EF32),
    ) -> (EF32, EF32, EF32) {
        let (dx, dy, dz) = (a - x, b - y, c - z);
        let square = dx * dx + dy * dy + dz * dz + 0.01;
        let force = mass / (square * square.sqrt());
        (dx * force, dy * force, dz * force)
    }

    #[arrays]
    pub fn mandelbrot(re: Arr1<EF32>, im: Arr1<EF32>) -> Arr1<EU32> {
        let mut state = zip_with(|x, y| (x, y, x, y, lit(0u32)), re, im);
        for _ in 0..3 {
            state = state.map(|(x, y, cx, cy, n)| {
                let (xx, yy) = (x * x, y * y);
                let inside = xx + yy < 4.0;
                (
                    select(inside, xx - yy + cx, x),
                    select(inside, x * y * 2.0 + cy, y),
                    cx,
                    cy,
                    select(inside, n + 1, n),
                )
            });
        }
        state.map(|(_, _, _, _, n)| n)
    }

    /// Elements that are loops.
    #[arrays]
    pub fn steps(xs: Arr1<EU32>) -> (Arr1<EU32>, Arr0<EU32>) {
        let counted = xs.map(|x| {
            seq_until(
                |(n, x)| (n + 1, select(x % 2 == 0, x / 2, x * 3 + 1)),
                |(_, x)| x > 1,
                (lit(0u32), x),
            )
        });
        let (n, _) = unzip(counted);
        (n, n.max())
    }

    /// The same by a closure with `?`.
    #[arrays]
    pub fn counts(xs: Arr1<EU32>, ys: Arr1<EU32>) -> Arr1<EU32> {
        xs.map(|x| {
            let n = seq_iterate(x % 10, |i, n| n + i, lit(0u32))?;
            pure(n + ys[x % 3] + ys.at(0))
        })
    }

    #[arrays]
    pub fn places(m: Arr2<EI32>, k: EU32) -> (Arr2<EI32>, Arr2<EI32>, Arr2<EI32>, Arr1<EI32>) {
        let (h, w) = m.shape();
        let rows = append(m.reverse(), m.rotate(k));
        let around = generate((h, w), |(y, x)| {
            let left = select(x > 0, m[(y, x - 1)], lit(-1));
            left + m.at((y, x))
        });
        (m.transpose(), rows, around, m.flatten().map(|x| x * 2))
    }

    #[arrays]
    pub fn three(
        a: Arr3<EI32>,
        k: EU32,
    ) -> (Arr2<EI32>, Arr2<EI32>, Arr2<EI32>, (Arr3<EI32>, Arr1<EI32>)) {
        let (d, h, w) = a.shape();
        let turned = backpermute((w, h, d), |(x, y, z)| (z, y, x), a);
        let all = a.reshape((d * h, w)).max();
        (a.sum(), a.slice_outer(k), a.slice_inner(0), (turned, all))
    }

    /// Along other axes than the innermost one.
    #[arrays]
    pub fn axes(m: Arr2<EI32>, a: Arr3<EI32>) -> (Arr1<EI32>, Arr2<EI32>, Arr2<EI32>, Arr3<EI32>) {
        let last = a.axis(1).fold1(|_, y| y);
        (m.axis(0).sum(), a.axis(0).max(), last, a.axis(1).axis(0))
    }

    /// What the words of errors say to write: elements instead of arrays, loops in elements.
    #[arrays]
    pub fn advised(k: EU32, xs: Arr1<EF32>, ys: Arr1<EF32>) -> (Arr1<EF32>, Arr1<EF32>) {
        let chosen = zip_with(|a, b| select(k > 3, a, b), xs, ys);
        (chosen, xs.map(|x| seq_iterate(k, |_, x| x * 2.0, x)))
    }

    #[arrays]
    pub fn parts(xs: Arr1<EU32>, numbers: Arr1<EU32>) -> (Arr1<EU32>, Arr1<EU32>, Arr0<EU32>) {
        let n = xs.len();
        let ends = append(xs.take(n / 2), xs.drop(n / 2).init());
        let chosen = gather(numbers, xs.tail());
        (
            ends,
            chosen,
            xs.indexed().map(|(i, x)| i ^ x).fold_all(|a, b| a ^ b, 1),
        )
    }

    #[arrays]
    pub fn made() -> (Arr0<EU32>, Arr1<EU32>, Arr0<EU32>, (Arr1<EF64>, Arr1<EU32>)) {
        let twice = iota(1500).map(|x| x * 2);
        let one = unit(5u32).map(|x| x + 1);
        let filled = fill((2, 3), 1.5).map(|x: EF64| x * 2.0).sum();
        (iota(5).sum(), twice, one, (filled, enum_from_step(4, 7, 3)))
    }

    /// Without an operator that commutes.
    #[arrays]
    pub fn last(xs: Arr1<(EU8, EF32)>) -> Arr0<(EU8, EF32)> {
        xs.fold1(|_, y| y)
    }

    /// Folds and scans by one thread, also with a state of another type.
    #[arrays]
    pub fn in_order(
        m: Arr2<EI32>,
        ys: Arr1<EF64>,
    ) -> (
        Arr1<EI32>,
        Arr1<(EU32, EF32)>,
        Arr2<EI32>,
        (Arr0<EF64>, Arr1<EI32>, Arr0<EF64>),
    ) {
        let rising = m.fold_in_order(
            |(count, last), x| {
                let x = x as f32;
                (select(x > last, count + 1, count), x)
            },
            (0, -1e9),
        );
        (
            m.fold_in_order(|a, x| a * 3 - x, 1),
            rising,
            m.scan_in_order(|a, x| x - a * 2, 5),
            (
                ys.fold_right(|y, a| y / a, 1.0),
                m.alternating_sum(),
                ys.alternating_sum(),
            ),
        )
    }

    /// What an element folds and scans is made for it.
    #[arrays]
    pub fn nested(a: Arr2<EI32>, b: Arr2<EI32>) -> (Arr2<EI32>, Arr1<EI32>) {
        let ((h, _), (_, w)) = (a.shape(), b.shape());
        let product = generate((h, w), |(y, x)| {
            zip_with(|a, b| a * b, a.row(y), b.column(x)).sum().the()
        });
        (
            product,
            generate(h, |y| a.row(y).fold_right(|x, a| x - a, 0).the()),
        )
    }

    const WEIGHTS: [f32; 3] = [0.25, 0.5, 0.25];

    /// Numbers that stand in the program: few, many, of an array of constants, of other types.
    #[arrays]
    pub fn numbers(
        xs: Arr1<EF32>,
    ) -> (Arr1<EF32>, Arr0<EU64>, Arr1<EBool>, (Arr1<EI8>, Arr1<EF32>)) {
        let smooth = generate(xs.len(), |i| {
            generate(3, |k| xs[(i + k) % xs.len()] * literal(&WEIGHTS)[k])
                .sum()
                .the()
        });
        let primes = literal(&[
            2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61,
        ]);
        let sum: Arr0<EU64> = primes.sum();
        let scaled = zip_with(|x, w| x * w, xs.take(2), literal(&[1.5, -2.0]));
        (
            smooth,
            sum,
            literal(&[true, false]),
            (literal(&[-1i8, 127]), scaled),
        )
    }

    #[arrays]
    pub fn best(m: Arr2<EF32>) -> (Arr1<EU32>, Arr1<EU32>, (Arr1<EF32>, Arr1<EF32>)) {
        (m.arg_min(), m.arg_max(), (m.min(), m.product()))
    }

    #[arrays]
    pub fn conditions(m: Arr2<EU32>) -> (Arr1<EBool>, Arr1<EBool>) {
        let even = m.map(|x| x % 2 == 0);
        (even.all(), even.any())
    }

    #[arrays]
    pub fn softmax(m: Arr2<EF32>) -> Arr2<EF32> {
        let most = m.max();
        let powers = m.imap(|(y, _), x| (x - most[y]).exp());
        let sums = powers.sum();
        powers.imap(|(y, _), x| x / sums[y])
    }

    /// How many times an array is doubled is known while the program is built.
    fn doubled(n: u32, xs: Arr1<EU32>) -> Arr1<EU32> {
        if n == 0 {
            return xs;
        }
        doubled(n - 1, zip_with(|a, b| a + b, xs, xs))
    }

    #[arrays]
    pub fn doubling(xs: Arr1<EU32>) -> Arr1<EU32> {
        doubled(30, xs)
    }

    #[arrays(fuse = false, horizontal = false)]
    pub fn apart(xs: Arr1<EF32>, ys: Arr1<EF32>) -> Arr0<EF32> {
        zip_with(|x, y| x * y, xs, ys).map(|x| x + 1.0).sum()
    }

    #[arrays(horizontal = false, share = false, threads = 64)]
    pub fn alone(xs: Arr1<EF32>) -> (Arr1<EF32>, Arr0<EF32>) {
        let scale = 2.0f32;
        (
            zip_with(|x, y| x * scale + y.abs(), xs, xs.reverse()),
            xs.sum(),
        )
    }

    /// What a kernel, a range and the host call, too.
    #[device]
    pub fn clipped(x: f32, most: f32) -> f32 {
        let mut y = x;
        while y > most {
            y -= most;
        }
        if y < 0.0 { -y } else { y }
    }

    #[arrays]
    pub fn folded_back(xs: Arr1<EF32>, most: EF32) -> (Arr1<EF32>, Arr0<EF32>) {
        let near = xs.map(|x| clipped(x, most));
        (near, near.sum())
    }

    /// An array of one element as a parameter, one that nothing uses, and a name of C.
    #[arrays]
    pub fn double(scale: Arr0<EF32>, xs: Arr1<EF32>, _unused: Arr2<EI8>) -> Arr1<EF32> {
        xs.map(|x| x * scale.the())
    }

    #[arrays]
    pub fn r#loop(m: Arr2<EU32>) -> (Arr0<EU32>, Arr1<EU32>) {
        let rows = m.sum();
        let most = rows.max();
        (most, rows.map(|x| most.the() - x))
    }

    #[arrays]
    pub fn strided(xs: Arr1<EU32>, n: EU32, step: EU32) -> Arr1<EU32> {
        generate(n, |i| xs[i * step])
    }
}

/// The code of a text, whose words are numbered in the order of their first use, with spaces left out.
fn without_names(text: &str) -> String {
    let mut words: Vec<&str> = Vec::new();
    let mut numbered = String::new();
    let is_of_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    // Comments come first, and may have words of the code.
    let mut rest = text.split_once("extern").map_or(text, |(_, code)| code);
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c| !is_of_word(c)).unwrap_or(rest.len());
        if end == 0 {
            numbered.extend(Some(first).filter(|c| !c.is_whitespace()));
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let (word, behind) = rest.split_at(end);
        let number = words.iter().position(|known| *known == word);
        let number = number.unwrap_or(words.len());
        if number == words.len() {
            words.push(word);
        }
        // Numbers stay as they are.
        match first.is_ascii_digit() {
            true => numbered.push_str(word),
            false => numbered.push_str(&format!("w{number} ")),
        }
        rest = behind;
    }
    numbered
}

/// What the macro has made of a function: the same kernels in the same order as the function itself gives now.
pub(super) fn holds<P: ArrayParameters, R: RunResult>(
    expanded: &ArrayProgram<P, R>,
    built: obsidian_rt::Result<ArrayProgram<P, R>>,
) {
    let built = built.unwrap();
    let (steps, own) = (&expanded.schedule().steps, &built.schedule().steps);
    assert_eq!(steps, own);
    assert_eq!(expanded.schedule().results, built.schedule().results);
    assert_eq!(expanded.schedule().slots, built.schedule().slots);
    let mut claims = [expanded, &built].map(|program| program.schedule().claims.clone());
    // Parameters of the macro's stand at their names, and those of the library's where it is called.
    claims
        .iter_mut()
        .flatten()
        .for_each(|claim| claim.places.truncate(1));
    assert_eq!(claims[0], claims[1]);
    assert_eq!(expanded.kernels().len(), built.kernels().len());
    let [launched, own] =
        [expanded, &built].map(|program| program.schedule().kernels.iter().zip(program.kernels()));
    for ((launched, kernel), (own, built)) in launched.zip(own) {
        let native = kernel.native().unwrap();
        assert_eq!(native.cuda(), kernel.cuda());
        assert_eq!(native.manifest(), kernel.manifest());
        // A kernel that an earlier program of the module has, too, has the name that it has there; and the library gives
        // parameters names of its own.
        assert_eq!(without_names(built.cuda()), without_names(kernel.cuda()));
        assert_eq!(launched.is_partial, own.is_partial);
    }
}

#[test]
fn the_macro_makes_what_the_library_makes() {
    // The random programs of `tests/tests/programs/printed.rs` hold the same, so that every third is a sample here.
    let mut turn = 0;
    macro_rules! all {
        ($($name:ident)*) => {$(
            turn += 1;
            if turn % 3 == 0 || crate::is_long() {
                let name = stringify!($name).trim_start_matches("r#");
                let built = ArrayProgram::build(name, whole::$name);
                holds(whole::$name::program(), built);
            }
        )*};
    }
    all! {
        dotp reverse_map map_let map_fold map_and_fold max_sum mvm map_mvm n_body mandelbrot steps counts places three axes advised parts
        scanned in_segments folded_segments around kept made last in_order nested numbers best conditions softmax doubling double r#loop folded_back strided
    }
}

#[kernels]
mod sums {
    #[arrays]
    pub fn first(xs: Arr1<EF32>) -> Arr0<EF32> {
        xs.sum()
    }

    #[arrays]
    pub fn squares(xs: Arr1<EF32>) -> Arr0<EF32> {
        xs.map(|x| x * x).sum()
    }

    /// Of other threads, another parameter, another type, another operator.
    #[arrays(threads = 64)]
    pub fn narrow(xs: Arr1<EF32>) -> Arr0<EF32> {
        xs.sum()
    }

    #[arrays]
    pub fn integers(xs: Arr1<EU32>) -> Arr0<EU32> {
        xs.sum()
    }

    #[arrays]
    pub fn most(xs: Arr1<EF32>) -> Arr0<EF32> {
        xs.max()
    }

    #[arrays]
    pub fn again(xs: Arr1<EF32>) -> Arr0<EF32> {
        xs.sum()
    }

    /// Two places of the same access: each says where it stands.
    #[arrays]
    pub fn at_one(xs: Arr1<EU32>, places: Arr1<EU32>) -> Arr1<EU32> {
        gather(places, xs)
    }

    #[arrays]
    pub fn at_another(xs: Arr1<EU32>, places: Arr1<EU32>) -> Arr1<EU32> {
        gather(places, xs)
    }

    /// The same in one program.
    #[arrays(horizontal = false)]
    pub fn at_two(xs: Arr1<EU32>) -> (Arr1<EU32>, Arr1<EU32>) {
        let (near, far) = (xs.map(|x| x / 2).compute(), xs.map(|x| x * 2).compute());
        let first = gather(near, xs);
        (first, gather(far, xs))
    }

    /// One place in a loop of the host.
    #[arrays(fuse = false, horizontal = false)]
    pub fn followed(xs: Arr1<EU32>) -> Arr1<EU32> {
        let mut at = xs.reverse().compute();
        for _ in 0..4 {
            at = gather(at, xs).compute();
        }
        at
    }
}

#[test]
fn kernels_that_several_programs_have_are_those_of_the_first() {
    let names = |kernels: &[obsidian_rt::Kernel]| {
        let names = kernels.iter().map(|kernel| kernel.name().to_owned());
        names.collect::<Vec<_>>()
    };
    let first = names(sums::first::kernels());
    assert_eq!(first, ["first", "first_short"]);
    assert_eq!(names(sums::again::kernels()), first);
    assert_eq!(
        names(sums::squares::kernels()),
        ["squares", "squares_short"]
    );
    for (own, kernels) in [
        ("narrow", sums::narrow::kernels()),
        ("integers", sums::integers::kernels()),
        ("most", sums::most::kernels()),
    ] {
        assert!(names(kernels).iter().all(|name| name.starts_with(own)));
    }
    for n in [0usize, 1, 1000, 70_000] {
        let xs: Vec<f32> = (0..n).map(|i| (i % 5) as f32).collect();
        let (sum, squares): (f32, f32) = (xs.iter().sum(), xs.iter().map(|x| x * x).sum());
        let found = agree(|d| {
            let x = d.array([n], &xs)?;
            let [first, again] =
                [sums::first::run(d, &x), sums::again::run(d, &x)].map(|sum| sum?.value());
            Ok([first?, again?, sums::squares::run(d, &x)?.value()?])
        });
        assert_eq!(found, [sum, sum, squares]);
    }
    for device in devices() {
        let (xs, places) = (
            device.array([2], &[5, 6]).unwrap(),
            device.array([1], &[2]).unwrap(),
        );
        let wrong = [
            sums::at_one::run(&device, &xs, &places).err(),
            sums::at_another::run(&device, &xs, &places).err(),
        ];
        let [one, another] = wrong.map(|wrong| wrong.unwrap().to_string());
        assert!(one.contains("index 2 is outside of `xs`") && another.contains("`at_another`"));
        let line = |text: &str| text.split("module.rs:").nth(1).map(str::to_owned);
        assert!(
            line(&one).is_some() && line(&one) != line(&another),
            "{one}\n{another}"
        );
        // Of two equal kernels of one program, the second one has it.
        let xs = device.array([3], &[0, 1, 2]).unwrap();
        let wrong = sums::at_two::run(&device, &xs).err().unwrap().to_string();
        let before = include_str!("module.rs")
            .split("(first, gather(far, xs))")
            .next();
        let second = before.map_or(0, |text| text.lines().count());
        assert!(
            wrong.contains("index 4 is outside of `xs`")
                && wrong.contains(&format!("module.rs:{second}:")),
            "{wrong}"
        );
        let followed = sums::followed::run(&device, &xs);
        assert_eq!(followed.unwrap().to_vec().unwrap(), [2, 1, 0]);
    }
    assert_eq!(sums::at_two::kernels().len(), 4);
    let launches = sums::followed::schedule().launches();
    // Without fusion: what is reversed, what is stored, what is gathered; and two launches for each step.
    assert_eq!((sums::followed::kernels().len(), launches), (3, 10));
}

fn devices() -> [Device; 2] {
    [Device::cpu(), Device::simulator()]
}

/// Runs on all devices agree.
pub(super) fn agree<T: PartialEq + Debug>(run: impl Fn(&Device) -> obsidian_rt::Result<T>) -> T {
    let [first, second] = devices().map(|device| run(&device).unwrap());
    assert_eq!(first, second);
    first
}

#[test]
fn operators_that_are_left() {
    let operators = [
        whole::dotp::schedule(),
        whole::map_fold::schedule(),
        whole::map_and_fold::schedule(),
        whole::max_sum::schedule(),
        whole::map_mvm::schedule(),
        whole::n_body::schedule(),
        whole::softmax::schedule(),
        whole::apart::schedule(),
    ];
    let operators = operators.map(|schedule| schedule.operators());
    assert_eq!(operators, [1, 1, 1, 1, 1, 1, 3, 3]);
    assert!(
        whole::alone::kernels()
            .iter()
            .all(|kernel| kernel.threads() == 64)
    );
}

#[test]
fn results_are_those_of_plain_rust() {
    for n in [0usize, 1, 2, 255, 257, 1000, 9001] {
        let xs: Vec<f32> = (0..n).map(|i| (i % 7) as f32).collect();
        let ys: Vec<f32> = (0..n).map(|i| (i % 5) as f32 - 2.0).collect();
        let product: f32 = xs.iter().zip(&ys).map(|(x, y)| x * y).sum();
        let found = agree(|d| {
            let (x, y) = (d.array([n], &xs)?, d.array([n], &ys)?);
            let apart = whole::apart::run(d, &x, &y)?.value()?;
            let (each, sum) = whole::alone::run(d, &x)?;
            Ok((
                whole::dotp::run(d, &x, &y)?.value()?,
                apart,
                each.to_vec()?,
                sum.value()?,
            ))
        });
        let each: Vec<f32> = xs
            .iter()
            .zip(xs.iter().rev())
            .map(|(x, y)| x * 2.0 + y)
            .collect();
        assert_eq!(found, (product, product + n as f32, each, xs.iter().sum()));
    }
    let made = agree(|d| {
        let (sum, twice, one, (filled, steps)) = whole::made::run(d)?;
        Ok((
            sum.value()?,
            twice.to_vec()?,
            one.value()?,
            filled.to_vec()?,
            steps.to_vec()?,
        ))
    });
    let twice = (0..1500).map(|x| x * 2).collect();
    assert_eq!(made, (10, twice, 6, vec![9.0, 9.0], vec![7, 10, 13, 16]));
    let xs: Vec<u32> = (1..500).collect();
    let (n, most) = agree(|d| {
        let (n, most) = whole::steps::run(d, &d.array([499], &xs)?)?;
        Ok((n.to_vec()?, most.value()?))
    });
    let collatz = |mut x: u32| {
        let mut n = 0;
        while x > 1 {
            x = if x.is_multiple_of(2) {
                x / 2
            } else {
                x * 3 + 1
            };
            n += 1;
        }
        n
    };
    let want: Vec<u32> = xs.iter().map(|x| collatz(*x)).collect();
    assert_eq!((most, n), (*want.iter().max().unwrap(), want));
    let counts = agree(|d| {
        let (xs, ys) = (d.array([499], &xs)?, d.array([3], &[10u32, 20, 30])?);
        whole::counts::run(d, &xs, &ys)?.to_vec()
    });
    let want = xs
        .iter()
        .map(|x| (0..x % 10).sum::<u32>() + 10 * (x % 3 + 1) + 10);
    assert_eq!(counts, want.collect::<Vec<u32>>());
    let xs: Vec<f32> = (0..700).map(|i| (i % 13) as f32 - 3.0).collect();
    let (near, sum) = agree(|d| {
        let (near, sum) = whole::folded_back::run(d, &d.array([700], &xs)?, 4.0)?;
        Ok((near.to_vec()?, sum.value()?))
    });
    let want: Vec<f32> = xs.iter().map(|x| whole::clipped(*x, 4.0)).collect();
    assert_eq!((sum, near), (want.iter().sum(), want));
    let doubled = agree(|d| {
        let (scale, xs) = (d.array([], &[2.5f32])?, d.array([3], &[1.0f32, -0.0, 4.0])?);
        let unused = d.array([2, 2], &[1i8; 4])?;
        whole::double::run(d, &scale, &xs, &unused)?.to_vec()
    });
    assert_eq!(doubled, [2.5, -0.0, 10.0]);
    for (h, w) in [(1, 0), (3, 5), (300, 32), (40, 33), (2, 9000)] {
        let m: Vec<u32> = (0..h * w).map(|i| (i * 7919 % 1009) as u32).collect();
        let row = |y: usize| m[y * w..][..w].iter().sum::<u32>();
        let rows: Vec<u32> = (0..h).map(row).collect();
        let most = *rows.iter().max().unwrap();
        let want: Vec<u32> = rows.iter().map(|x| most - x).collect();
        let found = agree(|d| {
            let (most, rest) = whole::r#loop::run(d, &d.array([h, w], &m)?)?;
            Ok((most.value()?, rest.to_vec()?))
        });
        assert_eq!(found, (most, want), "{h} {w}");
    }
    let last = agree(|d| {
        let pairs: Vec<(u8, f32)> = (0..9000).map(|i| (i as u8, i as f32)).collect();
        whole::last::run(d, &d.array([9000], &pairs)?)?.value()
    });
    assert_eq!(last, (8999u32 as u8, 8999.0));
}

#[test]
fn folds_in_one_order_and_literals() {
    let (h, w) = (5, 7);
    let m: Vec<i32> = (0..h * w).map(|i| (i * 7919 % 101) as i32 - 50).collect();
    let ys = [12.0, 6.0, 0.5, 3.0];
    let found = agree(|d| {
        let (m, ys) = (d.array([h, w], &m)?, d.array([4], &ys)?);
        let (folded, rising, scanned, (right, signs, sign)) = whole::in_order::run(d, &m, &ys)?;
        Ok((
            (folded.to_vec()?, rising.to_vec()?, scanned.to_vec()?),
            (right.value()?, signs.to_vec()?, sign.value()?),
        ))
    });
    let rows = || m.chunks(w);
    let folded = rows().map(|row| {
        row.iter()
            .fold(1i32, |a, x| a.wrapping_mul(3).wrapping_sub(*x))
    });
    let rising = rows().map(|row| {
        row.iter().fold((0u32, -1e9f32), |(count, last), x| {
            (count + u32::from(*x as f32 > last), *x as f32)
        })
    });
    let scanned = rows().flat_map(|row| {
        row.iter().scan(5i32, |a, x| {
            *a = x.wrapping_sub(a.wrapping_mul(2));
            Some(*a)
        })
    });
    let right = ys.iter().rfold(1.0, |a, y| y / a);
    let signs = rows().map(|row| row.iter().rfold(0, |a, x| x - a));
    let want = (
        (folded.collect(), rising.collect(), scanned.collect()),
        (right, signs.clone().collect(), 12.0 - 6.0 + 0.5 - 3.0),
    );
    assert_eq!(found, want);

    let (product, right) = agree(|d| {
        let (a, b) = (d.array([h, w], &m)?, d.array([w, h], &m)?);
        let (product, right) = whole::nested::run(d, &a, &b)?;
        Ok((product.to_vec()?, right.to_vec()?))
    });
    let element = |i: usize| (0..w).map(|k| m[i / h * w + k] * m[k * h + i % h]).sum();
    assert_eq!(product, (0..h * h).map(element).collect::<Vec<i32>>());
    assert_eq!(right, signs.collect::<Vec<i32>>());

    let (smooth, sum, flags, numbers, scaled) = agree(|d| {
        let xs = d.array([4], &[4.0f32, 8.0, -4.0, 0.0])?;
        let (smooth, sum, flags, (numbers, scaled)) = whole::numbers::run(d, &xs)?;
        Ok((
            smooth.to_vec()?,
            sum.value()?,
            flags.to_vec()?,
            numbers.to_vec()?,
            scaled.to_vec()?,
        ))
    });
    assert_eq!(smooth, [4.0, 0.0, 0.0, 4.0]);
    let primes = (2..62u64).filter(|n| (2..*n).all(|k| n % k != 0));
    assert_eq!((sum, scaled), (primes.sum(), vec![6.0, -16.0]));
    assert_eq!((flags, numbers), (vec![true, false], vec![-1, 127]));
}

#[test]
fn results_in_given_memory() {
    for d in devices() {
        let xs = d.array([3], &[1.0f32, 5.0, 2.0]).unwrap();
        let (mut max, mut sum) = (
            d.array([], &[f32::NAN]).unwrap(),
            d.array([], &[f32::NAN]).unwrap(),
        );
        whole::max_sum::run_into(&d, &xs, (&mut max, &mut sum)).unwrap();
        assert_eq!((max.value().unwrap(), sum.value().unwrap()), (5.0, 8.0));
    }
}

#[test]
fn what_does_not_fit_is_an_error_with_its_place() {
    for d in devices() {
        let (x, y) = (
            d.array([3], &[1.0f32; 3]).unwrap(),
            d.array([4], &[1.0f32; 4]).unwrap(),
        );
        let error = whole::dotp::run(&d, &x, &y).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Requirement);
        let text = error.to_string();
        let places = text.matches(file!()).count();
        assert!(
            text.contains("the extents 3 and 4") && places == 3,
            "{text}"
        );
        let numbers = d.array([3], &[0u32, 5, 1]).unwrap();
        let chosen = whole::parts::run(&d, &numbers, &numbers).and_then(|found| found.1.to_vec());
        let error = chosen.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Fault);
        assert!(error.to_string().contains(file!()), "{error}");
    }
}
