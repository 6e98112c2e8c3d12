//! The same kernels, planned, followed by the simulator, and executed by their CUDA text: bit for
//! bit what the CPU computes, but for two places of floats where the text calls the C++ library.

use obsidian_core::pipeline::{Options, compile};
use obsidian_core::scalar::{Literal, ScalarType};
use obsidian_executor::Executor;
use obsidian_rt::generated::{Argument, ParameterRole, launch, scalar};
use obsidian_rt::{Buffer, Device, Element, Kernel};

use super::collectives;
use super::operators::{edges, shown};
use super::results::{kernel, literals, same};

/// The example, built while this test runs.
pub(super) fn planned(name: &str, threads: u32) -> Kernel {
    let (_, example, ..) = super::all()
        .into_iter()
        .find(|(known, ..)| *known == name)
        .unwrap();
    // Written by hand, without what the language makes of lengths and of indices.
    let options = Options {
        threads,
        check: false,
        ..Options::default()
    };
    Kernel::from_plan(
        compile(example.kernel, &options).unwrap_or_else(|wrong| panic!("{name}: {wrong}")),
    )
    .unwrap()
}

/// What a run has left: the outputs as literals.
fn outputs(
    kernel: &Kernel,
    device: &Device,
    types: &[ScalarType],
    arguments: &mut [Argument<'_>],
) -> Vec<Vec<Literal>> {
    let mut outputs = launch(kernel, device, arguments).unwrap();
    types
        .iter()
        .enumerate()
        .map(|(n, &ty)| literals(&mut outputs, n, ty))
        .collect()
}

/// Runs on both devices with arguments that `f` makes for each, for several numbers of threads.
fn agree(
    name: &str,
    types: &[ScalarType],
    f: impl Fn(&Device, &mut dyn FnMut(&mut [Argument<'_>])),
) {
    let run = |kernel: &Kernel, device: &Device| {
        let mut result = Vec::new();
        f(device, &mut |arguments| {
            result = outputs(kernel, device, types, arguments)
        });
        result
    };
    let expected = run(&kernel(name), &Device::cpu());
    let simulated = [32, 64, 100].map(|threads| {
        (
            threads,
            vec![
                Device::simulator(),
                Device::simulator().with_blocks(2),
                Device::cpu_by_columns(),
            ],
        )
    });
    let executed = Executor::find().map(|executor| (33, vec![executor.device()]));
    for (threads, devices) in simulated.into_iter().chain(executed) {
        for device in devices {
            let found = run(&planned(name, threads), &device);
            // The C++ library's functions differ in the last places from Rust's.
            let alike = if device.name() == "executor" {
                near
            } else {
                same
            };
            let equal = expected
                .iter()
                .flatten()
                .zip(found.iter().flatten())
                .all(|(x, y)| alike(*x, *y));
            let what = format!("{name} with {threads} threads on {}", device.name());
            assert!(
                equal && expected.len() == found.len(),
                "{what}: {expected:?} is not {found:?}"
            );
        }
    }
}

/// Are they the same, or floats of one sign that are at most two places apart?
fn near(x: Literal, y: Literal) -> bool {
    let is_float = matches!(x.ty(), ScalarType::F32 | ScalarType::F64);
    same(x, y) || is_float && x.ty() == y.ty() && x.bits().abs_diff(y.bits()) <= 2
}

#[test]
fn a_map() {
    agree("map", &[ScalarType::I32], |device, run| {
        let input = device.upload(&(0..1024).collect::<Vec<i32>>()).unwrap();
        run(&mut [input.argument(), scalar(-7i32)]);
    });
}

#[test]
fn a_reduction() {
    agree("reduction", &[ScalarType::I32], |device, run| {
        let input = device
            .upload(&(0..640).map(|n| n * n).collect::<Vec<i32>>())
            .unwrap();
        run(&mut [input.argument()]);
    });
}

#[test]
fn choices() {
    agree("choices", &[ScalarType::U32], |device, run| {
        let input = device
            .upload(&(0..40).map(|n| n * 1000).collect::<Vec<u32>>())
            .unwrap();
        run(&mut [input.argument()]);
    });
}

#[test]
fn collectives_and_held_arrays() {
    agree("collectives", &collectives::TYPES, |device, run| {
        let input = device.upload(&collectives::numbers()).unwrap();
        run(&mut [input.argument()]);
    });
    let expected = kernel("collectives");
    let run = |kernel: &Kernel, device: &Device| {
        let input = device.upload(&collectives::numbers()).unwrap();
        outputs(kernel, device, &collectives::TYPES, &mut [input.argument()])
    };
    let expected = run(&expected, &Device::cpu());
    let executor = Executor::find().map(|executor| executor.device());
    for threads in [1, 31, 32, 1023, 1024] {
        let planned = planned("collectives", threads);
        let devices = [Device::simulator(), Device::cpu_by_columns()];
        for device in devices.iter().chain(&executor) {
            let found = run(&planned, device);
            let name = device.name();
            assert_eq!(found, expected, "{threads} threads on {name}");
        }
    }
}

#[test]
fn counting() {
    let left = std::cell::RefCell::new(Vec::new());
    agree("count", &[ScalarType::U32], |device, run| {
        let input = device
            .upload(&(0..32 * 7).map(|n| (n * 7919) % 61).collect::<Vec<u32>>())
            .unwrap();
        let mut bins = device.upload(&[10u32; 16]).unwrap();
        run(&mut [input.argument(), bins.argument_mut()]);
        left.borrow_mut().push(bins.to_vec().unwrap());
    });
    assert!(left.borrow().windows(2).all(|pair| pair[0] == pair[1]));
}

/// Every operator of a type, on all pairs of edge values.
fn operators<T: Element>() {
    let ty = T::TYPE;
    let types: Vec<ScalarType> = shown(ty)
        .into_iter()
        .map(|operator| operator.ty(ty))
        .collect();
    agree(
        &format!("operators_{}", ty.name()),
        &types,
        |device, run| {
            let edges: Vec<T> = edges(ty)
                .into_iter()
                .map(T::from_literal)
                .step_by(2)
                .collect();
            let pairs = || {
                edges
                    .iter()
                    .flat_map(|x| edges.iter().map(move |y| (*x, *y)))
            };
            let x: Buffer<T> = device
                .upload(&pairs().map(|pair| pair.0).collect::<Vec<T>>())
                .unwrap();
            let y: Buffer<T> = device
                .upload(&pairs().map(|pair| pair.1).collect::<Vec<T>>())
                .unwrap();
            let n = device
                .upload(
                    &(0..x.len() as u32)
                        .map(|n| n * 7 % 130)
                        .collect::<Vec<u32>>(),
                )
                .unwrap();
            run(&mut [x.argument(), y.argument(), n.argument()]);
        },
    );
}

macro_rules! operator_tests {
    ($($ty:ident)*) => {
        mod operators_of {
            $(
                #[test]
                fn $ty() {
                    super::operators::<::core::primitive::$ty>();
                }
            )*
        }
    };
}

operator_tests! { bool u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 }

#[test]
fn a_kernel_from_a_plan_runs_on_the_cpu() {
    let kernel = planned("map", 64);
    let run = |device: Device| {
        let input: Vec<i32> = (0..256).collect();
        let input = device.upload(&input).unwrap();
        let mut left = launch(&kernel, &device, &mut [input.argument(), scalar(-3i32)]).unwrap();
        literals(&mut left, 0, ScalarType::I32)
    };
    assert_eq!(run(Device::cpu()), run(Device::simulator()));
    let other = kernel.with_threads(128).unwrap();
    assert!(other.threads() == 128 && other.cuda().contains("__launch_bounds__(128)"));
    assert!(kernel.cuda().contains("__global__") && kernel.manifest().starts_with('{'));
    assert_eq!(kernel.threads(), 64);
}

#[test]
fn the_interface_of_a_plan_is_the_one_written_by_hand() {
    for (name, example, ..) in super::all()
        .into_iter()
        .filter(|(name, ..)| ["map", "reduction", "choices"].contains(name))
    {
        let plan = compile(
            example.kernel,
            &Options {
                check: false,
                ..Options::default()
            },
        )
        .unwrap_or_else(|wrong| panic!("{name}: {wrong}"));
        let interface = plan.interface().unwrap();
        for (found, expected) in interface
            .parameters
            .iter()
            .zip(example.interface.parameters.iter())
        {
            assert_eq!(
                (&found.name, found.ty, found.role),
                (&expected.name, expected.ty, expected.role)
            );
            assert_eq!(
                found.chunk,
                if found.role == ParameterRole::Output {
                    expected.chunk
                } else {
                    None
                },
                "{name}: {}",
                found.name
            );
        }
    }
}
