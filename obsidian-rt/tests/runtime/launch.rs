//! Launches of a kernel whose source is written by hand: what they compute, and every way in which
//! they are refused.

// A test that unwraps an error fails, which is what it is for.
#![allow(clippy::unwrap_used)]

use std::borrow::Cow;

use obsidian_core::error::{Diagnostic, Diagnostics, Kind};
use obsidian_rt::generated::{
    self, Cache, Call, Constraint, Formula, Function, Interface, ParameterInfo, ParameterRole,
    RequirementInfo, ScalarType, Source, Step, chunks, launch, scalar,
};
use obsidian_rt::prelude::*;

const fn parameter(
    name: &'static str,
    group: u32,
    ty: ScalarType,
    role: ParameterRole,
    length: Option<Formula>,
) -> ParameterInfo {
    ParameterInfo {
        name: Cow::Borrowed(name),
        group,
        ty,
        role,
        length,
        chunk: None,
        uses_length: true,
    }
}

const BLOCKS: &[Step] = &[Step::Length(0), Step::Literal(4), Step::Div];

/// `scale(left, right, factor)`: `(left + right) * factor`, four elements a block. A factor of 13
/// panics.
macro_rules! scale {
    ($requirements:expr) => {
        Source {
            cuda: "// scale",
            manifest: "{}",
            hash: "0",
            symbol: "scale",
            checks: obsidian_rt::generated::Checks::NONE,
            interface: Interface {
                resident: false,
                faults: false,
                orders: Cow::Borrowed(&[]),
                name: Cow::Borrowed("scale"),
                threads: 32,
                shared_bytes: 16,
                barriers: 2,
                warp_waits: 3,
                parameters: Cow::Borrowed(&[
                    parameter("left", 0, ScalarType::I32, ParameterRole::Input, None),
                    parameter("right", 0, ScalarType::I32, ParameterRole::Input, None),
                    parameter("factor", 1, ScalarType::U32, ParameterRole::Scalar, None),
                    parameter(
                        "output",
                        2,
                        ScalarType::I32,
                        ParameterRole::Output,
                        Some(Formula::of(&[Step::Length(0)])),
                    ),
                ]),
                blocks: Cow::Borrowed(&[Formula::of(BLOCKS)]),
                requirements: Cow::Borrowed($requirements),
            },
            build,
            cpu: Some(Function::once(scale)),
            built: None,
            module: module_path!(),
            kernel: Cache::new(),
        }
    };
}

static SCALE: Source = scale!(&[RequirementInfo {
    length: Formula::of(&[Step::Length(0)]),
    constraint: Constraint::MultipleOf(4),
}]);

/// The same without a requirement: of fewer than four elements there is no block, and an output.
static UNWRITTEN: Source = scale!(&[]);

fn build(threads: u32) -> std::result::Result<generated::Plan, Diagnostics> {
    if threads == 77 {
        std::panic::panic_any("77 is unlucky");
    }
    Err(Diagnostics::new(
        vec![Diagnostic::new(
            "test",
            Kind::Limit,
            format!("no plan for {threads} threads"),
        )],
        Default::default(),
    ))
}

fn scale(call: &mut Call<'_>) {
    let (left, right) = (call.input::<i32>(0), call.input::<i32>(1));
    let factor = call.scalar::<u32>(2);
    assert!(factor != 13, "13 is unlucky");
    let output = call.output::<i32>(3);
    let blocks = call.length(0) / 4;
    call.blocks(blocks, (chunks(output, 4), ()), |b, (output, ())| {
        for (i, element) in output.iter_mut().enumerate() {
            let at = b as usize * 4 + i;
            *element = (left[at] + right[at]) * factor as i32;
        }
    });
}

fn run(
    device: &Device,
    left: &Buffer<i32>,
    right: &Buffer<i32>,
    factor: u32,
) -> obsidian_rt::Result<Buffer<i32>> {
    let kernel = generated::kernel(&SCALE);
    launch(
        &kernel,
        device,
        &mut [left.argument(), right.argument(), scalar(factor)],
    )?
    .take(0)
}

/// The error of a launch on the CPU with buffers of these lengths.
fn refused(left: usize, right: usize, factor: u32) -> Error {
    let device = Device::cpu();
    run(
        &device,
        &device.zeros(left).unwrap(),
        &device.zeros(right).unwrap(),
        factor,
    )
    .unwrap_err()
}

#[test]
fn a_launch_computes_its_output() {
    let device = Device::cpu();
    for n in [0, 4, 8, 4000] {
        let numbers: Vec<i32> = (0..n).collect();
        let input = device.upload(&numbers).unwrap();
        let output = run(&device, &input, &input, 3).unwrap();
        assert_eq!(
            output.to_vec().unwrap(),
            numbers.iter().map(|n| n * 6).collect::<Vec<_>>()
        );
        assert_eq!(
            (output.len(), output.is_empty(), output.device().name()),
            (n as usize, n == 0, "cpu")
        );
    }
}

#[test]
fn a_length_that_does_not_divide_is_told_of_chunks() {
    for n in [1, 3, 1001] {
        let error = refused(n, n, 1);
        assert_eq!(
            (error.kind(), error.kernel()),
            (ErrorKind::Requirement, Some("scale"))
        );
        assert_eq!((error.needed(), error.limit()), (Some(n as u64), Some(4)));
        let expected = format!(
            "kernel `scale`: the length of `left` is {n}, not a multiple of 4; use `chunks(4)` for a short last chunk"
        );
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn the_fields_of_a_tuple_have_one_length() {
    let error = refused(8, 4, 1);
    assert_eq!(error.kind(), ErrorKind::UnequalLengths);
    assert_eq!(
        error.to_string(),
        "kernel `scale`: `left` and `right` belong together, but one has 8 elements and the other 4"
    );
}

#[test]
fn a_panic_in_a_kernel_is_an_error() {
    let error = refused(8, 8, 13);
    assert_eq!(error.kind(), ErrorKind::Internal);
    assert!(error.to_string().contains("13 is unlucky"), "{error}");
    assert_eq!(refused(0, 4, 13).kind(), ErrorKind::UnequalLengths);
}

#[test]
fn arguments_have_the_number_and_types_of_the_parameters() {
    let device = Device::cpu();
    let (ints, floats) = (
        device.zeros::<i32>(4).unwrap(),
        device.zeros::<f32>(4).unwrap(),
    );
    let mut mutable = device.zeros::<i32>(4).unwrap();
    let kernel = generated::kernel(&SCALE);
    let kind = |arguments: &mut [generated::Argument<'_>]| {
        launch(&kernel, &device, arguments).unwrap_err().kind()
    };
    assert_eq!(kind(&mut []), ErrorKind::ArgumentCount);
    assert_eq!(
        kind(&mut [
            ints.argument(),
            ints.argument(),
            scalar(1u32),
            ints.argument()
        ]),
        ErrorKind::ArgumentCount
    );
    assert_eq!(
        kind(&mut [floats.argument(), ints.argument(), scalar(1u32)]),
        ErrorKind::ArgumentType
    );
    assert_eq!(
        kind(&mut [ints.argument(), ints.argument(), scalar(1i32)]),
        ErrorKind::ArgumentType
    );
    assert_eq!(
        kind(&mut [ints.argument(), scalar(1i32), scalar(1u32)]),
        ErrorKind::ArgumentType
    );
    assert_eq!(
        kind(&mut [ints.argument(), ints.argument(), ints.argument()]),
        ErrorKind::ArgumentType
    );
    assert_eq!(
        kind(&mut [ints.argument(), mutable.argument_mut(), scalar(1u32)]),
        ErrorKind::ArgumentType
    );
}

#[test]
fn an_output_is_taken_once_and_as_what_it_is() {
    let device = Device::cpu();
    let input = device.zeros::<i32>(4).unwrap();
    let kernel = generated::kernel(&SCALE);
    let mut outputs = launch(
        &kernel,
        &device,
        &mut [input.argument(), input.argument(), scalar(1u32)],
    )
    .unwrap();
    assert!(outputs.take::<i32>(1).is_err());
    assert!(outputs.take::<i32>(0).is_ok());
    assert_eq!(
        outputs.take::<i32>(0).unwrap_err().kind(),
        ErrorKind::Internal
    );
}

#[test]
fn buffers_stay_on_their_device() {
    let (cpu, simulator) = (Device::cpu(), Device::simulator());
    let (here, there) = (
        cpu.zeros::<i32>(4).unwrap(),
        simulator.zeros::<i32>(4).unwrap(),
    );
    let error = run(&cpu, &here, &there, 1).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::WrongDevice);
    assert!(
        error
            .to_string()
            .contains("`right` lies on the device `simulator`, and the launch is on `cpu`"),
        "{error}"
    );
    assert_eq!(
        run(&simulator, &here, &here, 1).unwrap_err().kind(),
        ErrorKind::WrongDevice
    );
    assert!(
        run(&Device::cpu(), &here, &here, 1).is_ok(),
        "every handle of the CPU is the same device"
    );
}

#[test]
fn blocks_can_be_limited_but_not_to_none() {
    let device = Device::cpu();
    let input = device.upload(&[1, 2, 3, 4, 5, 6, 7, 8]).unwrap();
    for blocks in [1, 2, u32::MAX] {
        let output = run(&device.with_blocks(blocks), &input, &input, 1).unwrap();
        assert_eq!(output.to_vec().unwrap(), [2, 4, 6, 8, 10, 12, 14, 16]);
    }
    assert_eq!(
        run(&device.with_blocks(0), &input, &input, 1)
            .unwrap_err()
            .kind(),
        ErrorKind::NoBlocks
    );
}

#[test]
fn a_build_that_fails_is_an_error() {
    let kernel = generated::kernel(&SCALE);
    let error = kernel.with_threads(64).unwrap_err();
    assert_eq!(
        (error.kind(), error.kernel()),
        (ErrorKind::Build, Some("scale"))
    );
    assert!(
        error.to_string().contains("no plan for 64 threads"),
        "{error}"
    );
    assert!(error.diagnostics().is_some());
    assert!(
        kernel
            .native()
            .unwrap_err()
            .to_string()
            .contains("no plan for 32 threads")
    );
    assert_eq!(kernel.with_threads(1025).unwrap_err().limit(), Some(1024));
    assert_eq!(kernel.with_threads(0).unwrap_err().kind(), ErrorKind::Build);
    assert!(
        kernel
            .with_threads(77)
            .unwrap_err()
            .to_string()
            .contains("77 is unlucky")
    );
}

#[test]
fn the_simulator_builds_its_plan() {
    let device = Device::simulator();
    let input = device.zeros::<i32>(4).unwrap();
    assert_eq!(
        run(&device, &input, &input, 1).unwrap_err().kind(),
        ErrorKind::Build
    );
}

#[test]
fn a_kernel_says_what_it_needs() {
    let kernel = generated::kernel(&SCALE);
    assert_eq!(
        (
            kernel.name(),
            kernel.threads(),
            kernel.shared_bytes(),
            kernel.barriers(),
            kernel.warp_waits()
        ),
        ("scale", 32, 16, 2, 3)
    );
    assert_eq!((kernel.cuda(), kernel.manifest()), ("// scale", "{}"));
    assert_eq!(
        format!("{kernel:?}"),
        "Kernel { name: \"scale\", threads: 32, .. }"
    );
}

/// A source like [`SCALE`] whose interface was changed.
fn changed(change: impl FnOnce(&mut Interface)) -> Kernel {
    let mut interface = SCALE.interface.clone();
    change(&mut interface);
    let source = Source {
        cuda: "",
        manifest: "",
        hash: "",
        symbol: "scale",
        checks: obsidian_rt::generated::Checks::NONE,
        interface,
        build,
        cpu: SCALE.cpu,
        built: None,
        module: module_path!(),
        kernel: Cache::new(),
    };
    generated::kernel(Box::leak(Box::new(source)))
}

fn kind_of(kernel: &Kernel) -> ErrorKind {
    let device = Device::cpu();
    let input = device.zeros::<i32>(8).unwrap();
    launch(
        kernel,
        &device,
        &mut [input.argument(), input.argument(), scalar(1u32)],
    )
    .unwrap_err()
    .kind()
}

#[test]
fn a_length_or_a_number_of_blocks_that_leaves_32_bits_is_refused() {
    const LONG: &[Step] = &[Step::Length(0), Step::Literal(u32::MAX as u64), Step::Mul];
    const NONE: &[Step] = &[Step::Length(0), Step::Literal(9), Step::Sub];
    let output = |steps| {
        changed(move |interface| interface.parameters.to_mut()[3].length = Some(Formula::of(steps)))
    };
    assert_eq!(kind_of(&output(LONG)), ErrorKind::TooLong);
    assert_eq!(kind_of(&output(NONE)), ErrorKind::NoLength);
    let blocks =
        |steps| changed(move |interface| interface.blocks = Cow::Owned(vec![Formula::of(steps)]));
    assert_eq!(kind_of(&blocks(LONG)), ErrorKind::TooLong);
    assert_eq!(kind_of(&blocks(NONE)), ErrorKind::NoLength);
}

#[test]
fn code_that_does_not_fit_its_interface_is_an_error() {
    let ty = changed(|interface| interface.parameters.to_mut()[3].ty = ScalarType::F32);
    assert_eq!(kind_of(&ty), ErrorKind::Internal);
    let length = changed(|interface| {
        interface.parameters.to_mut()[3].length = Some(Formula::of(&[Step::Literal(9)]))
    });
    assert_eq!(kind_of(&length), ErrorKind::Internal);
}

#[test]
fn no_blocks_launch_nothing_and_leave_no_elements() {
    let launched = |length: Formula| {
        let kernel = changed(|interface| {
            interface.blocks = Cow::Owned(vec![Formula::of(&[Step::Literal(0)])]);
            interface.parameters.to_mut()[3].length = Some(length.clone());
        });
        let device = Device::cpu();
        let input = device.zeros::<i32>(8).unwrap();
        let mut outputs = launch(
            &kernel,
            &device,
            &mut [input.argument(), input.argument(), scalar(13u32)],
        )?;
        outputs.take::<i32>(0)
    };
    let none = Formula::of(&[Step::Literal(0)]);
    assert_eq!(launched(none).unwrap().len(), 0);
    let error = launched(Formula::of(&[Step::Literal(3)])).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Fault);
    assert!(error.to_string().contains("has no blocks"), "{error}");
}

#[test]
fn a_buffer_that_a_panic_has_destroyed_keeps_its_length() {
    fn panics(call: &mut Call<'_>) {
        let cells = call.cells::<i32>(0);
        cells.store(0, 1);
        cells.store(8, 1);
    }
    let mut interface = SCALE.interface.clone();
    interface.parameters = Cow::Owned(vec![parameter(
        "bins",
        0,
        ScalarType::I32,
        ParameterRole::InOut,
        None,
    )]);
    let source = Source {
        cuda: "",
        manifest: "",
        hash: "",
        symbol: "scale",
        checks: obsidian_rt::generated::Checks::NONE,
        interface,
        build,
        cpu: Some(Function::once(panics)),
        built: None,
        module: module_path!(),
        kernel: Cache::new(),
    };
    let device = Device::cpu();
    let mut bins = device.zeros::<i32>(8).unwrap();
    let kernel = generated::kernel(Box::leak(Box::new(source)));
    assert_eq!(
        launch(&kernel, &device, &mut [bins.argument_mut()])
            .unwrap_err()
            .kind(),
        ErrorKind::Internal
    );
    assert_eq!(bins.to_vec().unwrap().len(), 8);
}

#[test]
fn an_output_that_no_block_would_write_is_a_fault() {
    let device = Device::cpu();
    let input = device.upload(&[1, 2, 3]).unwrap();
    let kernel = generated::kernel(&UNWRITTEN);
    let mut arguments = [input.argument(), input.argument(), scalar(2u32)];
    let error = launch(&kernel, &device, &mut arguments).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Fault, "{error}");
    let words = "nothing would write the output `output`, which has 3 elements";
    assert!(error.to_string().contains(words), "{error}");
    // Without elements there is nothing to write.
    let nothing = device.upload::<i32>(&[]).unwrap();
    let mut arguments = [nothing.argument(), nothing.argument(), scalar(2u32)];
    assert!(launch(&kernel, &device, &mut arguments).is_ok());
}
