//! 40 random device functions, 200 with `OBSIDIAN_LONG=1`: what rustc makes of them and what every device does agree on 1,000 inputs
//! each, bit for bit. Of them 3 and 12 are run by their executed CUDA text, all with `OBSIDIAN_FULL=1`.

#![allow(missing_docs, clippy::unwrap_used)]

use obsidian_device_tests::*;
use obsidian_executor::Executor;
use obsidian_rt::{Columns, Device};

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
        ($number:literal, $module:ident, $name:ident, State) => {
            let state = |n: usize| $module::State {
                inner: $module::Inner {
                    d: x[n] as u8,
                    e: [y[n], i32::MIN, n as i32],
                    f: n % 3 == 0,
                },
                a: x[n],
                b: z[n],
                c: y[n] as i64 * 65_537,
            };
            let states: Vec<_> = (0..INPUTS).map(state).collect();
            check!(of $number, $module, $name, (&x, &y, &z, &states));
        };
        ($number:literal, $module:ident, $name:ident) => {
            check!(of $number, $module, $name, (&x, &y, &z));
        };
        (of $number:literal, $module:ident, $name:ident, $given:expr) => {
            let wanted = $module::$name::compute_host([INPUTS], $given).unwrap();
            let text = executor.iter().filter(|_| all || $number % 17 == 0);
            let text = text.map(|device| ("text", device.clone()));
            for (device_name, device) in own.iter().cloned().chain(text) {
                let found = $module::$name::compute(&device, [INPUTS], $given);
                let found = match found.and_then(|found| found.to_vec()) {
                    Ok(found) => found,
                    Err(error) => {
                        wrong.push(format!("{} on {device_name}: {error}", stringify!($name)));
                        continue;
                    }
                };
                let mut pairs = found.iter().zip(&wanted);
                let differs = pairs.position(|(found, wanted)| found.plain() != wanted.plain());
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
    assert_eq!(count, FUNCTIONS);
}
