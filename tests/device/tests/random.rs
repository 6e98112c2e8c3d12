//! 200 random device functions: what rustc makes of them and what every device does agree on 1,000 inputs
//! each, bit for bit. By their executed CUDA text 12 are run in an ordinary run, all with `OBSIDIAN_FULL=1`.

#![allow(missing_docs, clippy::unwrap_used)]

use obsidian_device_tests::*;
use obsidian_executor::Executor;
use obsidian_rt::Device;

const INPUTS: usize = 1000;

fn inputs() -> (Vec<u32>, Vec<i32>, Vec<f32>) {
    let x = |n: u32| match n % 7 {
        0 => n / 7,
        1 => u32::MAX - n,
        2 => 1 << (n % 32),
        _ => n.wrapping_mul(2_654_435_769),
    };
    let edges = [
        0.0,
        -0.0,
        f32::NAN,
        f32::INFINITY,
        1e-40,
        f32::MAX,
        -1.5,
        3.0e9,
    ];
    let z = |n: u32| match n % 5 {
        0 => edges[(n / 5 % 8) as usize],
        _ => (n as f32 - 400.0) * 0.37,
    };
    let x: Vec<u32> = (0..INPUTS as u32).map(x).collect();
    let y = x.iter().map(|x| x.rotate_left(11) as i32).collect();
    (x, y, (0..INPUTS as u32).map(z).collect())
}

/// NaNs are equal: their payloads are not specified.
fn bits(x: f32) -> u32 {
    if x.is_nan() {
        f32::NAN.to_bits()
    } else {
        x.to_bits()
    }
}

#[test]
fn random_functions_agree_with_what_rustc_makes_of_them() {
    let (x, y, z) = inputs();
    let executor = Executor::find().map(|executor| executor.device());
    if executor.is_none() {
        eprintln!("no g++ was found: the CUDA texts are not run");
    }
    let all = std::env::var_os("OBSIDIAN_FULL").is_some();
    let own = [
        ("cpu", Device::cpu()),
        ("columns", Device::cpu_by_columns()),
        ("simulator", Device::simulator()),
    ];
    let (mut count, mut wrong) = (0, Vec::new());
    macro_rules! check {
        ($number:literal, $module:ident, $name:ident) => {
            let wanted = $module::$name::compute_host([INPUTS], (&x, &y, &z)).unwrap();
            let text = executor.iter().filter(|_| all || $number % 17 == 0);
            let text = text.map(|device| ("text", device.clone()));
            for (device_name, device) in own.iter().cloned().chain(text) {
                let found = $module::$name::compute(&device, [INPUTS], (&x[..], &y[..], &z[..]));
                let (first, second) = match found {
                    Ok(found) => found,
                    Err(error) => {
                        wrong.push(format!("{} on {device_name}: {error}", stringify!($name)));
                        continue;
                    }
                };
                let (first, second) = (first.to_vec().unwrap(), second.to_vec().unwrap());
                let found = first.into_iter().zip(second);
                let differs = found
                    .zip(&wanted)
                    .position(|((a, b), (c, d))| a != *c || bits(b) != bits(*d));
                if let Some(n) = differs {
                    wrong.push(format!("{} on {device_name}: input {n}", stringify!($name)));
                }
            }
            count += 1;
        };
    }
    each_function!(check);
    assert!(
        wrong.is_empty(),
        "{} of them:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert_eq!(count, 200);
}
