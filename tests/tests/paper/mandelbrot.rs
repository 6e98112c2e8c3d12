//! Section 6.1.

use obsidian_rt::prelude::*;
use obsidian_tests::hold;

use crate::kernels::mandelbrot::mandelbrot;

/// The picture in plain Rust.
fn image(w: usize, h: usize) -> Vec<u8> {
    let (delta_p, delta_q) = ((1.2f32 - -2.0f32) / w as f32, (1.2f32 - -1.2f32) / h as f32);
    let colour = |b: usize, t: usize| {
        let (mut x, mut y, mut iter) = (0.0f32, 0.0f32, 1u32);
        while x * x + y * y < 4.0 && iter < 512 {
            (x, y) = (
                x * x - y * y + (-2.0 + t as f32 * delta_p),
                2.0 * x * y + (1.2 - b as f32 * delta_q),
            );
            iter += 1;
        }
        (iter % 16) as u8 * 16
    };
    (0..h)
        .flat_map(|b| (0..w).map(move |t| colour(b, t)))
        .collect()
}

#[test]
fn a_small_picture() {
    let expected = image(32, 32);
    assert!(
        expected.iter().any(|c| *c != expected[0]),
        "the picture is not one colour"
    );
    hold(
        &mandelbrot::mandel_32::kernel(),
        mandelbrot::mandel_32::CUDA,
        0,
        |k, d, _| mandelbrot::mandel_32::launch_kernel(k, d),
        |_| image(32, 32),
    );
}

#[test]
fn a_picture_of_any_size() {
    use mandelbrot::mandel_45_by_19 as picture;
    hold(
        &picture::kernel(),
        picture::CUDA,
        0,
        |k, d, _| picture::launch_kernel(k, d),
        |_| image(45, 19),
    );
}

#[test]
fn the_picture_of_the_paper() {
    let kernel = mandelbrot::mandel::kernel();
    assert_eq!(kernel.native().unwrap().cuda(), kernel.cuda());
    obsidian_tests::keep(&kernel);
    assert_eq!(kernel.shared_bytes(), 0);
    let picture = mandelbrot::mandel::launch(&Device::cpu())
        .unwrap()
        .to_vec()
        .unwrap();
    assert!(picture == image(512, 512), "the pictures differ");
}
