//! A window of 5 by 5 over pictures of any size, with each kind of border.

use crate::prelude::*;

#[kernels]
pub mod m {
    use obsidian_rt::algorithms::blocks::*;

    /// Each element of the window has a factor of its own; the place counts too.
    pub fn sum(window: Pull2<EU32>, y: EU32, x: EU32) -> EU32 {
        let mut sum = y * 1000 + x;
        for dy in 0..5 {
            for dx in 0..5 {
                sum = sum + window.at((dy, dx)) * (dy * 5 + dx + 1);
            }
        }
        sum
    }
    #[kernel(threads = 128)]
    pub fn clamp(width: EU32, x: DPull<EU32>) -> DPush<Grid, EU32> {
        stencil_tiles(8, 16, 2, sum, clamped(2, x.in_rows(width))).flat()
    }
    #[kernel(threads = 64)]
    pub fn mirror(width: EU32, x: DPull<EU32>) -> DPush<Grid, EU32> {
        stencil_tiles(8, 16, 2, sum, mirrored(2, x.in_rows(width))).flat()
    }
    #[kernel(threads = 33)]
    pub fn wrap(width: EU32, x: DPull<EU32>) -> DPush<Grid, EU32> {
        stencil_tiles(8, 8, 2, sum, wrapped(2, x.in_rows(width))).flat()
    }
    #[kernel]
    pub fn pad(width: EU32, x: DPull<EU32>) -> DPush<Grid, EU32> {
        stencil_tiles(16, 16, 2, sum, padded(2, 77, x.in_rows(width))).flat()
    }
}

fn windows((h, w): &(usize, usize), border: impl Fn(i64, i64) -> Option<i64>) -> Vec<u32> {
    let x = samples::<u32>(h * w);
    let (height, width) = (*h as i64, *w as i64);
    let at = |y: i64, c: i64| match (border(y, height), border(c, width)) {
        (Some(y), Some(c)) => x[(y * width + c) as usize],
        _ => 77,
    };
    let sum = |i: i64| {
        let (y, c) = (i / width, i % width);
        let place = (y * 1000 + c) as u32;
        let each = (0..25).map(|k| at(y + k / 5 - 2, c + k % 5 - 2).wrapping_mul(k as u32 + 1));
        each.fold(place, u32::wrapping_add)
    };
    (0..height * width).map(sum).collect()
}

/// Mirrors until the place is inside.
fn seen_in_a_mirror(mut i: i64, n: i64) -> Option<i64> {
    loop {
        match i {
            ..0 => i = -1 - i,
            _ if i >= n => i = 2 * n - 1 - i,
            _ => return Some(i),
        }
    }
}

macro_rules! test {
    ($($name:ident $border:expr;)*) => {$(
        #[test]
        fn $name() {
            hold(
                &m::$name::kernel(),
                m::$name::CUDA,
                PICTURES,
                |device, (h, w)| m::$name::launch(device, *w as u32, &device.upload(&samples::<u32>(h * w))?),
                |size: &(usize, usize)| windows(size, $border),
            );
        }
    )*};
}

test! {
    clamp |i, n| Some(i.clamp(0, n - 1));
    mirror seen_in_a_mirror;
    wrap |i, n| Some(i.rem_euclid(n));
    pad |i, n| (0..n).contains(&i).then_some(i);
}
