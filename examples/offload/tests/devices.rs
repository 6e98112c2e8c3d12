//! Each program on every device against the function on the host, bit for bit where only exact operations
//! occur, and against plain Rust that is written another way.

#![allow(missing_docs, clippy::unwrap_used)]

use obsidian_executor::Executor;
use obsidian_rt::{Device, ErrorKind};
use offload::convolutions::convolve;
use offload::everywhere::tones;
use offload::inputs::{bodies as bodies_of, cube, fractions, tree};
use offload::numbers::compute;
use offload::volumes::volume;

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

fn near(x: &[f32], y: &[f32]) {
    assert_eq!(x.len(), y.len());
    for (x, y) in x.iter().zip(y) {
        assert!((x - y).abs() <= 1e-5 * (1.0 + y.abs()), "{x} and {y}");
    }
}

#[test]
fn convolutions_of_a_line() {
    for (points, weights) in [(0, 3), (1, 1), (31, 5), (1000, 33)] {
        let (input, weights) = (fractions(1, points), fractions(2, weights));
        let wanted = convolve::line::compute_host([points], (&weights, &input)).unwrap();
        for device in devices() {
            let found = convolve::line::compute(&device, [points], (&weights, &input)).unwrap();
            assert_eq!(found.to_vec().unwrap(), wanted);
        }
        let radius = weights.len() / 2;
        let padded: Vec<f32> = std::iter::repeat_n(0.0, radius)
            .chain(input.iter().copied())
            .chain(std::iter::repeat_n(0.0, radius))
            .collect();
        let plain: Vec<f32> = padded
            .windows(weights.len())
            .map(|part| part.iter().zip(&weights).map(|(x, w)| x * w).sum())
            .collect();
        near(&wanted, &plain[..points]);
    }
}

#[test]
fn convolutions_of_a_picture() {
    let row = [0.0625f32, 0.25, 0.375, 0.25, 0.0625];
    let weights: Vec<f32> = row
        .iter()
        .flat_map(|a| row.iter().map(move |b| a * b))
        .collect();
    for (h, w) in [(1, 1), (3, 31), (33, 17)] {
        let input = fractions(3, h * w);
        let naive = convolve::naive::compute_host([h, w], (h, w, &weights, &input)).unwrap();
        let constant = convolve::constant::compute_host([h, w], (h, w, &input)).unwrap();
        let unrolled = convolve::unrolled::compute_host([h, w], (h, w, &weights, &input)).unwrap();
        let special = convolve::specialised::compute_host([h, w], (h, w, &input)).unwrap();
        for (name, variant) in [
            ("constant", &constant),
            ("unrolled", &unrolled),
            ("specialised", &special),
        ] {
            println!("{name}");
            near(variant, &naive);
        }
        for device in devices() {
            let found = convolve::naive::compute(&device, [h, w], (h, w, &weights, &input));
            assert_eq!(found.unwrap().to_vec().unwrap(), naive);
            let found = convolve::constant::compute(&device, [h, w], (h, w, &input));
            assert_eq!(found.unwrap().to_vec().unwrap(), constant);
            let found = convolve::unrolled::compute(&device, [h, w], (h, w, &weights, &input));
            assert_eq!(found.unwrap().to_vec().unwrap(), unrolled);
            let found = convolve::specialised::compute(&device, [h, w], (h, w, &input));
            assert_eq!(found.unwrap().to_vec().unwrap(), special);
        }
    }
}

#[test]
fn seven_points() {
    for (d, h, w) in [(1, 1, 1), (3, 3, 3), (4, 7, 31)] {
        let input = fractions(5, d * h * w);
        let wanted = convolve::seven::compute_host([d, h, w], (d, h, w, &input)).unwrap();
        for device in devices() {
            let found = convolve::seven::compute(&device, [d, h, w], (d, h, w, &input)).unwrap();
            assert_eq!(found.to_vec().unwrap(), wanted);
        }
    }
}

#[test]
fn backprojections() {
    let (n, angles) = (9, 5);
    let turns = (0..angles).map(|k| k as f32 * std::f32::consts::PI / angles as f32);
    let (cosines, sines): (Vec<f32>, Vec<f32>) = turns.map(|a| (a.cos(), a.sin())).unzip();
    let pictures = fractions(6, angles * n * n);
    let given = || (n, &cosines, &sines, &pictures);
    let wanted = volume::project::compute_host([n; 3], (n, &cosines, &sines, &pictures)).unwrap();
    assert!(wanted.iter().any(|x| *x > 0.5));
    for device in devices() {
        let found = volume::project::compute(&device, [n; 3], given()).unwrap();
        assert_eq!(found.to_vec().unwrap(), wanted);
    }
}

#[test]
fn options() {
    let spread = |seed, low: f32, high: f32| -> Vec<f32> {
        fractions(seed, 333)
            .iter()
            .map(|x| low + x * (high - low))
            .collect()
    };
    let (spots, strikes, years) = (
        spread(7, 5.0, 30.0),
        spread(8, 1.0, 100.0),
        spread(9, 0.25, 10.0),
    );
    let wanted =
        compute::options::compute_host([333], (0.02, 0.3, &spots, &strikes, &years)).unwrap();
    let (calls, puts): (Vec<f32>, Vec<f32>) = wanted.into_iter().unzip();
    // A call less a put is the spot less the strike, discounted.
    let parity: Vec<f32> = (0..333)
        .map(|n| spots[n] - strikes[n] * (-0.02 * years[n]).exp())
        .collect();
    let differences: Vec<f32> = calls.iter().zip(&puts).map(|(c, p)| c - p).collect();
    near(&differences, &parity);
    for device in devices() {
        let given = (0.02, 0.3, &spots, &strikes, &years);
        let (found_calls, found_puts) = compute::options::compute(&device, [333], given).unwrap();
        near(&found_calls.to_vec().unwrap(), &calls);
        near(&found_puts.to_vec().unwrap(), &puts);
    }
}

#[test]
fn products() {
    for (h, n, w) in [(1, 1, 1), (3, 0, 2), (31, 33, 7)] {
        let (a, b) = (fractions(10, h * n), fractions(11, n * w));
        let wanted = compute::product::compute_host([h, w], (n, w, &a, &b)).unwrap();
        let exact = |at: usize| -> f32 {
            let products =
                (0..n).map(|k| f64::from(a[at / w * n + k]) * f64::from(b[k * w + at % w]));
            products.sum::<f64>() as f32
        };
        near(&wanted, &(0..h * w).map(exact).collect::<Vec<_>>());
        for device in devices() {
            let found = compute::product::compute(&device, [h, w], (n, w, &a, &b)).unwrap();
            assert_eq!(found.to_vec().unwrap(), wanted);
        }
    }
}

#[test]
fn bodies() {
    let bodies = bodies_of(12, 67);
    let wanted = compute::pull::compute_host([67], (1e-3, &bodies)).unwrap();
    // What all forces add up to is 0.
    let all: f32 = bodies.iter().zip(&wanted).map(|(b, a)| b.mass * a.x).sum();
    assert!(all.abs() < 1e-2, "{all}");
    for device in devices() {
        let found = compute::pull::compute(&device, [67], (1e-3, &bodies)).unwrap();
        assert_eq!(found.to_vec().unwrap(), wanted);
    }
}

#[test]
fn searches() {
    let tree = tree(7);
    let keys: Vec<u32> = (0..400).collect();
    let wanted = compute::search::compute_host([400], (&tree, &keys)).unwrap();
    for (key, depth) in keys.iter().zip(&wanted) {
        assert_eq!(tree.contains(key), *depth > 0, "{key}");
    }
    for device in devices() {
        let found = compute::search::compute(&device, [400], (&tree, &keys)).unwrap();
        assert_eq!(found.to_vec().unwrap(), wanted);
        // One key more than there are.
        let error = compute::search::compute(&device, [401], (&tree, &keys))
            .err()
            .unwrap();
        assert_eq!(error.kind(), ErrorKind::Fault, "{error}");
        assert!(error.to_string().contains("keys"), "{error}");
    }
}

#[test]
fn pictures() {
    let size = 19;
    let cube = cube(size);
    let wanted = volume::render::compute_host([size; 2], (size, &cube)).unwrap();
    assert!(wanted.iter().any(|x| *x > 100) && wanted.contains(&0));
    for device in devices() {
        let found = volume::render::compute(&device, [size; 2], (size, &cube)).unwrap();
        assert_eq!(found.to_vec().unwrap(), wanted);
    }
}

/// For `.ci/cubin`, which compiles them by nvcc.
#[test]
fn cuda_texts_are_kept() {
    for kernel in [
        convolve::line::kernel(),
        convolve::naive::kernel(),
        convolve::constant::kernel(),
        convolve::unrolled::kernel(),
        convolve::specialised::kernel(),
        convolve::seven::kernel(),
        compute::options::kernel(),
        compute::product::kernel(),
        compute::pull::kernel(),
        compute::search::kernel(),
        volume::project::kernel(),
        volume::render::kernel(),
    ] {
        obsidian_tests::keep(&kernel);
    }
}

/// One function in a kernel, in an array program, in a range and on the host: the same bits.
#[test]
fn one_function_everywhere() {
    let (height, width) = (3, 256);
    let xs: Vec<f32> = fractions(9, height * width)
        .iter()
        .map(|x| x * 1.4 - 0.2)
        .collect();
    let wanted: Vec<f32> = xs.iter().map(|x| tones::toned(*x, 0.8)).collect();
    let extents = [height, width];
    let on_host = tones::of_range::compute_host(extents, (width, 0.8, &xs)).unwrap();
    assert_eq!(on_host, wanted);
    for device in devices() {
        let buffer = device.upload(&xs).unwrap();
        let of_kernel = tones::of_kernel::launch(&device, &buffer, 0.8).unwrap();
        assert_eq!(of_kernel.to_vec().unwrap(), wanted);
        let array = device.array([xs.len()], &xs).unwrap();
        let (each, most) = tones::of_arrays::run(&device, &array, 0.8).unwrap();
        assert_eq!(each.to_vec().unwrap(), wanted);
        assert_eq!(
            most.value().unwrap(),
            wanted.iter().copied().fold(0.0, f32::max)
        );
        let of_range = tones::of_range::compute(&device, extents, (width, 0.8, &xs)).unwrap();
        assert_eq!(of_range.to_vec().unwrap(), wanted);
    }
}
