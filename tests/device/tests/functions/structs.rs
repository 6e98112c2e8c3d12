//! Structs as elements: what every device makes of them is what the host's own function does, bit for bit.

#![allow(missing_docs, clippy::unwrap_used)]

use obsidian_executor::Executor;
use obsidian_rt::ErrorKind;
use obsidian_rt::arrays::Array;
use obsidian_rt::prelude::*;

#[kernels]
#[allow(clippy::all)]
pub mod bodies {
    /// A body on a plane.
    #[derive(Clone, Copy, Debug, PartialEq, Element)]
    pub struct Body {
        pub at: Point,
        pub speed: [f32; 2],
        pub mass: f32,
    }

    /// Declared behind its use.
    #[derive(Clone, Copy, Debug, PartialEq, Default, Element)]
    pub struct Point {
        pub x: f32,
        pub y: f32,
    }

    /// One field: no tuple on the device.
    #[derive(Clone, Copy, Debug, PartialEq, Element)]
    pub struct Seconds(pub f32);

    #[device]
    pub fn moved(b: Body, Seconds(dt): Seconds) -> Body {
        let [vx, vy] = b.speed;
        Body {
            at: Point {
                y: b.at.y + vy * dt,
                x: b.at.x + vx * dt,
            },
            ..b
        }
    }

    #[device(range)]
    pub fn step(i: usize, dt: Seconds, pull: Point, bodies: &[Body]) -> Body {
        let mut b = bodies[i];
        let Body { at, mass, .. } = b;
        let Point { x, y: height } = at;
        if height < 0.0 {
            b.speed[1] = -b.speed[1];
            b.at.y = -height;
        } else if x > 100.0 {
            return Body {
                mass: mass + 1.0,
                ..b
            };
        }
        b.speed[0] += pull.x * dt.0;
        b.speed[1] += pull.y * dt.0;
        moved(b, dt)
    }

    /// The sum over all bodies in a loop whose state is a struct, and the heaviest.
    #[device(range)]
    pub fn gathered(i: usize, bodies: &[Body]) -> (Point, Body, u32) {
        let mut sum = Point { x: 0.0, y: 0.0 };
        let mut heaviest = bodies[i];
        let mut count = 0;
        for (k, b) in bodies.iter().enumerate() {
            if k > i {
                break;
            }
            sum = Point {
                x: sum.x + b.at.x * b.mass,
                y: sum.y + b.speed[k % 2],
            };
            heaviest = if b.mass > heaviest.mass { *b } else { heaviest };
            count += 1;
        }
        for &Body {
            mass,
            at: Point { x, .. },
            ..
        } in bodies
        {
            sum.x -= mass * x;
        }
        (sum, heaviest, count)
    }

    /// An array of structs in registers.
    #[device(range)]
    pub fn turned(i: usize, points: &[Point]) -> Point {
        let mut three = [Point { x: 1.0, y: 2.0 }; 3];
        three[i % 3] = points[i];
        three[(i + 1) % 3].x *= 3.0;
        let mut best = three[0];
        for p in three {
            if p.x > best.x {
                best = p;
            }
        }
        match (best, i % 2 == 0) {
            (Point { x, .. }, true) => Point { x, ..best },
            (p, _) => Point { x: p.y, y: p.x },
        }
    }
}

#[kernels]
#[allow(clippy::all)]
pub mod numbers {
    use super::bodies::{Body, Point, Seconds, moved};

    /// A function and its types from another module.
    #[device(range)]
    pub fn onward(n: usize, (dt, twice): (f32, bool), from: &[Point]) -> Body {
        let b = Body {
            at: from[n],
            speed: [1.0, 2.0],
            mass: n as f32,
        };
        let once = moved(b, Seconds(dt));
        if twice {
            moved(once, Seconds(dt))
        } else {
            once
        }
    }

    /// All types, more than eight fields.
    #[derive(Clone, Copy, Debug, PartialEq, Element)]
    pub struct All {
        pub a: bool,
        pub b: u8,
        pub c: u16,
        pub d: u32,
        pub e: u64,
        pub f: i8,
        pub g: i16,
        pub h: i32,
        pub i: i64,
        pub j: f32,
        pub k: f64,
        pub l: (bool, i8),
    }

    #[device(range)]
    pub fn changed(n: usize, all: &[All]) -> All {
        let x = all[n];
        let l = (x.l.0 ^ x.a, x.l.1 - x.f);
        let y = All { l, a: !x.a, ..x };
        All {
            e: y.e * 3 + x.d as u64,
            b: y.b + 200,
            c: y.c * 7,
            d: y.d - 5,
            f: y.f - 100,
            g: y.g * 300,
            h: -y.h,
            i: y.i * y.i,
            j: if y.a { y.j } else { -y.j },
            ..y
        }
    }
}

#[kernels]
#[allow(clippy::all)]
pub mod tuples {
    use super::bodies::*;

    #[device(range)]
    pub fn swapped(i: usize, pairs: &[(u32, f32)]) -> (f32, u32) {
        (pairs[i].1, pairs[i].0)
    }

    #[device(range)]
    pub fn back(i: usize, pairs: &[(f32, u32)]) -> (u32, f32) {
        let (a, b) = pairs[i];
        (b, a)
    }

    #[device(range)]
    pub fn nested(i: usize, pairs: &[[f64; 2]]) -> ([f64; 2], (f64, u8)) {
        let [a, b] = pairs[i];
        ([b, a], (pairs[i][0], i as u8))
    }

    #[device]
    pub fn mirrored(p: Point, across: bool) -> Point {
        if across {
            Point { x: -p.x, ..p }
        } else {
            Point { y: -p.y, ..p }
        }
    }

    #[device]
    pub fn length(p: Point) -> f32 {
        (p.x * p.x + p.y * p.y).sqrt()
    }

    #[kernel]
    pub fn all_mirrored(points: DPull<(EF32, EF32)>) -> DPush<Grid, (EF32, EF32)> {
        let across = points.map(|p| mirrored(p, lit(true)));
        across
            .chunks(256, (0.0, 0.0))
            .as_grid_map(|p| p.push())
            .take(points.len())
    }

    #[arrays]
    pub fn lengths(x: Arr1<EF32>, y: Arr1<EF32>) -> Arr1<EF32> {
        zip_with(|x, y| length((x, y)), x, y)
    }
}

use bodies::{Body, Point, Seconds};
use numbers::All;

fn devices() -> Vec<Device> {
    let own = [
        Device::cpu(),
        Device::cpu().with_blocks(1),
        Device::cpu_by_columns(),
        Device::simulator(),
    ];
    let executor = Executor::find().map(|executor| executor.device());
    if executor.is_none() {
        eprintln!("no g++ was found: the CUDA texts are not run");
    }
    own.into_iter().chain(executor).collect()
}

fn some(n: usize) -> Vec<Body> {
    let x = |k: usize, m: f32| ((k * 2_654_435 % 1000) as f32 - 300.0) * m;
    let body = |k| Body {
        at: Point {
            x: x(k, 0.25),
            y: if k % 5 == 0 { -0.0 } else { x(k + 1, 0.5) },
        },
        speed: [x(k + 2, 0.1), x(k + 3, 0.2)],
        mass: (k % 17) as f32,
    };
    (0..n).map(body).collect()
}

/// Holds every device to the host, for several numbers of elements.
macro_rules! held {
    ($range:path, $n:ident, $arguments:expr, $equal:expr) => {{
        use $range as range;
        for $n in [0, 1, 31, 33, 1000] {
            let wanted = range::compute_host([$n], $arguments).unwrap();
            for device in devices() {
                let found = range::compute(&device, [$n], $arguments).unwrap();
                let found = found.to_vec().unwrap();
                assert_eq!(found.len(), wanted.len());
                for (k, (x, y)) in found.iter().zip(&wanted).enumerate() {
                    assert!($equal(x, y), "{k} of {} on {device:?}: {x:?} and {y:?}", $n);
                }
            }
        }
    }};
}

fn same<T: PartialEq>(x: &T, y: &T) -> bool {
    x == y
}

#[test]
fn a_step_of_bodies() {
    let (dt, pull) = (Seconds(0.1), Point { x: 0.5, y: -9.81 });
    held!(bodies::step, n, (dt, pull, &some(n)), same);
}

#[test]
fn sums_and_choices_of_structs() {
    held!(bodies::gathered, n, (&some(n),), same);
}

#[test]
fn arrays_of_structs() {
    let points = |n| some(n).iter().map(|b| b.at).collect::<Vec<_>>();
    held!(bodies::turned, n, (&points(n),), same);
}

#[test]
fn structs_and_functions_of_another_module() {
    let points = |n| some(n).iter().map(|b| b.at).collect::<Vec<_>>();
    held!(numbers::onward, n, ((0.25, true), &points(n)), same);
    held!(numbers::onward, n, ((0.25, false), &points(n)), same);
}

fn all(n: usize) -> Vec<All> {
    let bits = |k: usize| (k as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let odd = [0.0, -0.0, f64::NAN, f64::INFINITY, 1e-310, f64::MIN, 0.1];
    let one = |k: usize| {
        let x = if k.is_multiple_of(3) {
            u64::MAX
        } else {
            bits(k)
        };
        All {
            a: k.is_multiple_of(2),
            b: x as u8,
            c: x as u16,
            d: x as u32,
            e: x,
            f: x as i8,
            g: i16::MIN,
            h: if k.is_multiple_of(4) {
                i32::MIN
            } else {
                x as i32
            },
            i: x as i64,
            j: odd[k % 7] as f32,
            k: odd[k % 7],
            l: (k.is_multiple_of(3), i8::MIN),
        }
    };
    (0..n).map(one).collect()
}

/// Floats by their bits: the device moves NaNs as they are.
fn same_bits(x: &All, y: &All) -> bool {
    let zeroed = |x: &All| All {
        j: 0.0,
        k: 0.0,
        ..*x
    };
    zeroed(x) == zeroed(y) && x.j.to_bits() == y.j.to_bits() && x.k.to_bits() == y.k.to_bits()
}

#[test]
fn every_type_of_number() {
    held!(numbers::changed, n, (&all(n),), same_bits);
}

#[test]
fn many_elements() {
    let n = 65_537;
    let (bodies, dt, pull) = (some(n), Seconds(0.1), Point { x: 0.5, y: -9.81 });
    let wanted = bodies::step::compute_host([n], (dt, pull, &bodies)).unwrap();
    for device in [Device::cpu(), Device::cpu_by_columns()] {
        let found = bodies::step::compute(&device, [n], (dt, pull, &bodies)).unwrap();
        assert_eq!(found.to_vec().unwrap(), wanted);
    }
}

#[test]
fn what_a_range_gives_goes_to_the_next_one() {
    let (dt, pull) = (Seconds(0.1), Point { x: 0.5, y: -9.81 });
    let start = some(100);
    let mut wanted = start.clone();
    for _ in 0..5 {
        wanted = bodies::step::compute_host([100], (dt, pull, &wanted)).unwrap();
    }
    for device in devices() {
        let mut now = Rows::upload(&device, &start).unwrap();
        // What was there before is overwritten, all of it.
        let mut next = Rows::upload(&device, &some(200)[100..]).unwrap();
        for _ in 0..5 {
            let arguments = (dt, pull, &now);
            bodies::step::compute_into(&device, [100], arguments, &mut next).unwrap();
            std::mem::swap(&mut now, &mut next);
        }
        assert_eq!((now.len(), now.is_empty()), (100, false));
        assert_eq!(now.to_vec().unwrap(), wanted);
        assert_eq!(Columns::to_vec(&now).unwrap(), wanted);
        let (_, _, mass) = now.columns();
        let masses: Vec<f32> = wanted.iter().map(|b| b.mass).collect();
        assert_eq!(mass.to_vec().unwrap(), masses);
    }
}

#[test]
fn tuples_that_are_on_the_device_are_given_as_they_are() {
    for device in devices() {
        let pairs = [(1u32, 2.0f32), (3, 4.0)];
        let once = tuples::swapped::compute(&device, [2], (&pairs,)).unwrap();
        let back = tuples::back::compute(&device, [2], (&once,)).unwrap();
        assert_eq!(back.to_vec().unwrap(), pairs);
        let rows = tuples::nested::compute(&device, [2], (&[[1.0, 2.0], [3.0, 4.0]],)).unwrap();
        let wanted = [([2.0, 1.0], (1.0, 0)), ([4.0, 3.0], (3.0, 1))];
        assert_eq!(rows.to_vec().unwrap(), wanted);
    }
}

#[test]
fn mistakes_of_a_launch_are_errors() {
    for device in devices() {
        let (dt, pull) = (Seconds(0.1), Point { x: 0.5, y: -9.81 });
        let found = bodies::step::compute(&device, [8], (dt, pull, &some(7)));
        let error = found.and_then(|rows| rows.to_vec()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Fault, "{error}");
        let (x, y) = (device.upload(&[1.0f32; 3]), device.upload(&[1.0f32; 4]));
        let rows = Rows::<Point>::of_columns((x.unwrap(), y.unwrap()));
        let error = rows.to_vec().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::UnequalLengths);
        let error = bodies::turned::compute(&device, [3], (&rows,)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::UnequalLengths, "{error}");
    }
}

#[test]
fn kernels_call_functions_of_structs_with_tuples() {
    let points: Vec<Point> = some(300).iter().map(|b| b.at).collect();
    let wanted: Vec<(f32, f32)> = points
        .iter()
        .map(|p| tuples::mirrored(*p, true))
        .map(|p| (p.x, p.y))
        .collect();
    for device in devices() {
        let rows = Rows::upload(&device, &points).unwrap();
        let found = tuples::all_mirrored::launch(&device, rows.columns()).unwrap();
        assert_eq!(found.to_vec().unwrap(), wanted);
        let (x, y) = rows.into_columns();
        let (x, y) = (Array::of(x, [300]).unwrap(), Array::of(y, [300]).unwrap());
        let lengths = tuples::lengths::run(&device, &x, &y).unwrap();
        let wanted: Vec<f32> = points.iter().map(|p| tuples::length(*p)).collect();
        assert_eq!(lengths.to_vec().unwrap(), wanted);
    }
}

/// For `.ci/cubin`, which compiles them by nvcc.
#[test]
fn cuda_texts_are_kept() {
    for kernel in [
        bodies::step::kernel(),
        bodies::gathered::kernel(),
        bodies::turned::kernel(),
        numbers::onward::kernel(),
        numbers::changed::kernel(),
        tuples::nested::kernel(),
        tuples::all_mirrored::kernel(),
    ] {
        obsidian_tests::keep(&kernel);
    }
}
