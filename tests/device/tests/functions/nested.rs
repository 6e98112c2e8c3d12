//! Structs of structs, short arrays and tuples, in all places that take them; and structs of another crate.

#![allow(missing_docs, clippy::unwrap_used)]

use obsidian_executor::Executor;
use obsidian_rt::prelude::*;

#[kernels]
#[allow(clippy::all)]
pub mod far {
    use offload::numbers::compute::{Body, Vector};
    #[device(range)]
    pub fn weight(i: usize, bodies: &[Body]) -> Vector {
        let b = bodies[i];
        Vector { x: b.mass, ..b.at }
    }
}

#[kernels]
#[allow(clippy::all)]
pub mod m {
    #[derive(Clone, Copy, Debug, PartialEq, Element)]
    pub struct Inner(pub f32);
    #[derive(Clone, Copy, Debug, PartialEq, Element)]
    pub struct Wrapper {
        pub inner: Inner,
    }
    #[derive(Clone, Copy, Debug, PartialEq, Element)]
    pub struct P {
        pub x: f32,
        pub y: f32,
    }
    #[derive(Clone, Copy, Debug, PartialEq, Element)]
    pub struct Key {
        pub kind: u8,
        pub on: bool,
        pub at: [P; 2],
    }
    #[derive(Clone, Copy, Debug, PartialEq, Element)]
    struct Hidden {
        a: u32,
        b: [u8; 1],
    }

    #[device]
    pub fn origin() -> P {
        P { x: 0.0, y: 0.0 }
    }

    #[device(range)]
    pub fn wrapped(i: usize, w: &[Wrapper]) -> Wrapper {
        let Wrapper { inner: Inner(x) } = w[i];
        Wrapper {
            inner: Inner(x + 1.0),
        }
    }

    #[device(range)]
    pub fn matrix(
        i: usize,
        m: [[f32; 3]; 3],
        extent: P,
        v: &[[f32; 3]],
        p: Wrapper,
        p_0: (P, u8),
    ) -> [f32; 3] {
        let mut out = [0.0; 3];
        for r in 0..3 {
            for c in 0..3 {
                out[r] += m[r][c] * v[i][c];
            }
        }
        out[0] += extent.y + p.inner.0 + p_0.0.x + p_0.1 as f32;
        out
    }

    #[device(range)]
    pub fn many(i: usize, keys: &[Key], n: usize) -> (u32, Key) {
        let far = |p: P| p.x * p.x + p.y * p.y;
        let mut ks = [keys[0]; 3];
        ks[i % 3].at[(i + 1) % 2].x += 5.0;
        ks[(i + 1) % 3] = Key {
            on: true,
            ..keys[i]
        };
        let later;
        if ks[1].on {
            later = ks[1];
        } else {
            later = Key { kind: 7, ..ks[2] };
        }
        let found = loop {
            if far(later.at[0]) > n as f32 {
                break later.at[1];
            }
            break origin();
        };
        let number = match later {
            Key { kind: 0, .. } => 1,
            Key {
                kind: 1..=3,
                on: false,
                at,
            } if at[1].x > 2.0 => 2,
            Key { kind, on: true, .. } => kind as u32,
            _ => 3,
        };
        for (k, key) in keys.iter().enumerate() {
            if k == i {
                return (
                    number,
                    Key {
                        at: [key.at[1], found],
                        ..*key
                    },
                );
            }
        }
        (number, later)
    }

    #[device(range)]
    fn hidden(i: u32, h: &[Hidden]) -> Hidden {
        let x = h[i as usize].clone();
        Hidden {
            b: [x.b[0] + 1],
            a: x.a + i,
        }
    }
}

#[test]
fn every_device_agrees_with_the_host() {
    use m::*;
    let devices = [Device::cpu(), Device::cpu_by_columns(), Device::simulator()];
    let executor = Executor::find().map(|executor| executor.device());
    let w: Vec<Wrapper> = (0..100)
        .map(|n| Wrapper {
            inner: Inner(n as f32),
        })
        .collect();
    let mat = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]];
    let v: Vec<[f32; 3]> = (0..100).map(|n| [n as f32, 1.0, -1.0]).collect();
    let p = |n: usize| P {
        x: n as f32,
        y: -(n as f32),
    };
    let keys: Vec<Key> = (0..100)
        .map(|n| Key {
            kind: n as u8 % 6,
            on: n % 3 == 0,
            at: [p(n), p(n * 3)],
        })
        .collect();
    for d in devices.iter().chain(&executor) {
        assert_eq!(
            wrapped::compute(d, [100], (&w,)).unwrap().to_vec().unwrap(),
            wrapped::compute_host([100], (&w,)).unwrap()
        );
        let args = || (mat, p(2), &v, w[3], (p(4), 5));
        assert_eq!(
            matrix::compute(d, [100], args()).unwrap().to_vec().unwrap(),
            matrix::compute_host([100], (mat, p(2), &v, w[3], (p(4), 5))).unwrap()
        );
        assert_eq!(
            many::compute(d, [100], (&keys, 50))
                .unwrap()
                .to_vec()
                .unwrap(),
            many::compute_host([100], (&keys, 50)).unwrap()
        );
        let b = offload::inputs::bodies(3, 40);
        assert_eq!(
            far::weight::compute(d, [40], (&b,))
                .unwrap()
                .to_vec()
                .unwrap(),
            far::weight::compute_host([40], (&b,)).unwrap()
        );
    }
}

/// For `.ci/cubin`, which compiles them by nvcc.
#[test]
fn cuda_texts_are_kept() {
    for kernel in [
        far::weight::kernel(),
        m::wrapped::kernel(),
        m::matrix::kernel(),
        m::many::kernel(),
    ] {
        obsidian_tests::keep(&kernel);
    }
}
