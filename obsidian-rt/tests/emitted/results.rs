//! What the emitted functions compute.

use obsidian_core::scalar::{Literal, ScalarType};
use obsidian_rt::generated::{Cache, Function, Interface, Source, launch, scalar};
use obsidian_rt::{Buffer, Device, Element, Kernel};

use super::operators::{edges, shown};

pub fn kernel(wanted: &str) -> Kernel {
    let (_, example, _, cpu) = super::all()
        .into_iter()
        .find(|(name, ..)| *name == wanted)
        .unwrap();
    from_parts(example.interface, cpu)
}

fn from_parts(interface: Interface, cpu: fn(&mut obsidian_rt::generated::Call<'_>)) -> Kernel {
    let build = |_| {
        Err(obsidian_core::error::Diagnostics::new(
            Vec::new(),
            Default::default(),
        ))
    };
    let source = Source {
        cuda: "",
        manifest: "",
        hash: "",
        symbol: "",
        checks: obsidian_rt::generated::Checks::NONE,
        interface,
        build,
        cpu: Some(Function::once(cpu)),
        built: None,
        module: module_path!(),
        kernel: Cache::new(),
    };
    obsidian_rt::generated::kernel(Box::leak(Box::new(source)))
}

fn devices() -> [Device; 3] {
    [
        Device::cpu(),
        Device::cpu().with_blocks(1),
        Device::cpu().with_blocks(3),
    ]
}

/// A kernel as it is and as it is planned, on each device.
fn with_plans(name: &str) -> Vec<(String, Device)> {
    let names = [name.to_owned(), format!("planned_{name}")];
    names
        .into_iter()
        .flat_map(|name| devices().map(|device| (name.clone(), device)))
        .collect()
}

#[test]
fn a_map_computes_every_element() {
    for (name, device) in with_plans("map") {
        for blocks in [0, 1, 2, 33] {
            let numbers: Vec<i32> = (0..blocks * 256)
                .map(|n: i32| n.wrapping_mul(0x1234_5677))
                .collect();
            let input = device.upload(&numbers).unwrap();
            let output = launch(
                &kernel(&name),
                &device,
                &mut [input.argument(), scalar(-3i32)],
            )
            .unwrap()
            .take::<i32>(0)
            .unwrap();
            let expected: Vec<i32> = numbers
                .iter()
                .map(|n| n.wrapping_mul(-3).wrapping_add(1))
                .collect();
            assert_eq!(output.to_vec().unwrap(), expected);
        }
    }
}

#[test]
fn a_reduction_adds_up_every_run() {
    for (name, device) in with_plans("reduction") {
        let numbers: Vec<i32> = (0..64 * 100).map(|n| n * n).collect();
        let input = device.upload(&numbers).unwrap();
        let output = launch(&kernel(&name), &device, &mut [input.argument()])
            .unwrap()
            .take::<i32>(0)
            .unwrap();
        let expected: Vec<i32> = numbers
            .chunks(64)
            .map(|run| run.iter().fold(0i32, |a, b| a.wrapping_add(*b)))
            .collect();
        assert_eq!(output.to_vec().unwrap(), expected);
    }
}

/// Numbers of many sizes, infinities, zeros of both signs, and no NaN but those that come out of these.
fn odd_floats(n: usize, seed: u32) -> Vec<f32> {
    let float = |i: u32| match i.wrapping_mul(2_654_435_761).wrapping_add(seed) {
        x if x % 997 == 0 => f32::INFINITY,
        x if x % 101 == 0 => -0.0,
        x if x % 103 == 0 => f32::MIN_POSITIVE / 4.0,
        x => (x >> 8) as f32 / 8e6 - 1.0,
    };
    (0..n as u32).map(float).collect()
}

#[test]
fn rows_together_have_the_bits_of_each_row() {
    for name in ["tiles", "together_tiles"] {
        for (device, tiles) in devices().into_iter().zip([0, 1, 37]) {
            let n = tiles * 256;
            let [left, right, before] = [1, 2, 3].map(|seed| odd_floats(n, seed));
            let (x, y) = (
                device.upload(&left).unwrap(),
                device.upload(&right).unwrap(),
            );
            let mut sums = device.upload(&before).unwrap();
            let arguments = &mut [x.argument(), y.argument(), sums.argument_mut()];
            launch(&kernel(name), &device, arguments).unwrap();
            let of = |i: usize| {
                let (start, row, column) = (i / 256 * 256, i % 256 / 16, i % 16);
                let factors =
                    |k: usize| (left[start + row * 16 + k], right[start + k * 16 + column]);
                let first = factors(0).0 * factors(0).1;
                let sum = (1..16).fold(first, |sum, k| match factors(k) {
                    (x, y) if k % 3 == 0 => x.mul_add(y, sum),
                    (x, y) => sum + x * y,
                });
                before[i] + sum
            };
            let shown = |x: f32| if x.is_nan() { None } else { Some(x.to_bits()) };
            let found: Vec<_> = sums.to_vec().unwrap().into_iter().map(shown).collect();
            assert_eq!(
                found,
                (0..n).map(of).map(shown).collect::<Vec<_>>(),
                "{name}"
            );
        }
    }
}

#[test]
fn a_scatter_writes_anywhere() {
    for device in devices() {
        let n = 8 * 101;
        let to: Vec<u32> = (0..n).map(|i| (i * 5) % n).collect();
        let values: Vec<i32> = (0..n as i32).collect();
        let (to_buffer, input) = (device.upload(&to).unwrap(), device.upload(&values).unwrap());
        let mut outputs = launch(
            &kernel("scatter"),
            &device,
            &mut [to_buffer.argument(), input.argument()],
        )
        .unwrap();
        let (output, left) = (
            outputs.take::<i32>(0).unwrap().to_vec().unwrap(),
            outputs.take::<i32>(1).unwrap().to_vec().unwrap(),
        );
        for i in 0..n as usize {
            assert_eq!(output[to[i] as usize], i as i32);
            assert_eq!(left[i], i as i32 - 1);
        }
    }
}

#[test]
fn only_the_chosen_side_reads() {
    let numbers: Vec<u32> = (0..40).map(|n| n * 1000).collect();
    let device = Device::cpu();
    let input = device.upload(&numbers).unwrap();
    let output = launch(&kernel("choices"), &device, &mut [input.argument()])
        .unwrap()
        .take::<u32>(0)
        .unwrap();
    let chosen = |b: usize| {
        (0..20).fold(numbers[b], |sum, n| {
            n as u32 + if b > n { numbers[b - n - 1] } else { sum }
        })
    };
    assert_eq!(
        output.to_vec().unwrap(),
        (0..40).map(chosen).collect::<Vec<_>>()
    );
}

#[test]
fn atomics_count_and_loops_end() {
    for (name, device) in with_plans("count") {
        let numbers: Vec<u32> = (0..32 * 57).map(|n| (n * 7919) % 61).collect();
        let input = device.upload(&numbers).unwrap();
        let mut bins = device.upload(&[10u32; 16]).unwrap();
        let mut outputs = launch(
            &kernel(&name),
            &device,
            &mut [input.argument(), bins.argument_mut()],
        )
        .unwrap();
        let mut expected = [10u32; 16];
        numbers
            .iter()
            .for_each(|n| expected[(n % 16) as usize] += 1);
        assert_eq!(bins.to_vec().unwrap(), expected);
        let steps: Vec<u32> = numbers.chunks(32).map(steps).collect();
        assert_eq!(outputs.take::<u32>(0).unwrap().to_vec().unwrap(), steps);
    }
}

/// The sum until it passes 100, and in the low half how many elements that takes.
fn steps(run: &[u32]) -> u32 {
    let (mut sum, mut n) = (0, 0);
    while sum < 100 && n < 32 {
        sum += run[n as usize];
        n += 1;
    }
    sum << 16 | n
}

/// Every operator of a type on every pair of edge values, against its meaning.
fn operators_mean_what_they_say<T: Element>() {
    let ty = T::TYPE;
    let pairs: Vec<(Literal, Literal)> = edges(ty)
        .into_iter()
        .flat_map(|x| edges(ty).into_iter().map(move |y| (x, y)))
        .collect();
    let distances: Vec<u32> = (0..pairs.len() as u32).map(|n| n * 7 % 130).collect();
    let device = Device::cpu();
    let upload = |f: &dyn Fn(&(Literal, Literal)) -> Literal| {
        device
            .upload(
                &pairs
                    .iter()
                    .map(|pair| T::from_literal(f(pair)))
                    .collect::<Vec<T>>(),
            )
            .unwrap()
    };
    let (x, y, n) = (
        upload(&|pair| pair.0),
        upload(&|pair| pair.1),
        device.upload(&distances).unwrap(),
    );
    let kernel = kernel(&format!("operators_{}", ty.name()));
    let mut outputs = launch(
        &kernel,
        &device,
        &mut [x.argument(), y.argument(), n.argument()],
    )
    .unwrap();
    for (position, operator) in shown(ty).into_iter().enumerate() {
        let results = literals(&mut outputs, position, operator.ty(ty));
        for (((x, y), n), result) in pairs.iter().zip(&distances).zip(results) {
            let expected = operator.meaning(*x, *y, Literal::from(*n));
            assert!(
                same(result, expected),
                "{operator:?} of {x:?} and {y:?} or {n}: {result:?} is not {expected:?}"
            );
        }
    }
}

/// Equal bits, or both NaN.
pub fn same(x: Literal, y: Literal) -> bool {
    let nan = |l: Literal| match l.ty() {
        ScalarType::F32 => l.f32().is_nan(),
        ScalarType::F64 => l.f64().is_nan(),
        _ => false,
    };
    x == y || nan(x) && nan(y)
}

pub fn literals(
    outputs: &mut obsidian_rt::generated::Outputs,
    position: usize,
    ty: ScalarType,
) -> Vec<Literal> {
    fn list<T: Element>(buffer: Buffer<T>) -> Vec<Literal> {
        buffer
            .to_vec()
            .unwrap()
            .into_iter()
            .map(T::literal)
            .collect()
    }
    match ty {
        ScalarType::Bool => list(outputs.take::<bool>(position).unwrap()),
        ScalarType::U8 => list(outputs.take::<u8>(position).unwrap()),
        ScalarType::U16 => list(outputs.take::<u16>(position).unwrap()),
        ScalarType::U32 => list(outputs.take::<u32>(position).unwrap()),
        ScalarType::U64 => list(outputs.take::<u64>(position).unwrap()),
        ScalarType::I8 => list(outputs.take::<i8>(position).unwrap()),
        ScalarType::I16 => list(outputs.take::<i16>(position).unwrap()),
        ScalarType::I32 => list(outputs.take::<i32>(position).unwrap()),
        ScalarType::I64 => list(outputs.take::<i64>(position).unwrap()),
        ScalarType::F32 => list(outputs.take::<f32>(position).unwrap()),
        ScalarType::F64 => list(outputs.take::<f64>(position).unwrap()),
    }
}

macro_rules! operator_tests {
    ($($ty:ident)*) => {
        mod operators_of {
            $(
                #[test]
                fn $ty() {
                    super::operators_mean_what_they_say::<::core::primitive::$ty>();
                }
            )*
        }
    };
}

operator_tests! { bool u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 }
