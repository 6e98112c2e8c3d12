//! Buffers and launches whose types are known only while the program runs.

// A test that unwraps an error fails, which is what it is for.
#![allow(clippy::unwrap_used)]

use obsidian_rt::prelude::*;
use obsidian_rt::{AnyArgument, AnyBuffer, ParameterRole, ScalarType};

#[kernels]
mod maps {
    /// Points, moved, and which of them are right of the axis.
    #[kernel(threads = 32)]
    pub fn moved(by: EF32, points: DPull<(EF32, EI64)>) -> DPush<Grid, (EF32, EBool)> {
        let pieces = points.chunks(64, (0.0, 0));
        pieces
            .as_grid_map(|piece| piece.map(|(x, y)| (x + by, y > 0)).push())
            .take(points.len())
    }

    /// Adds the terms to the sums.
    #[kernel(threads = 32)]
    pub fn add(sums: MGlobal<EU32>, terms: DPull<EU32>) -> Program<Grid, ()> {
        let pieces = terms.split_up(8);
        distr_par(pieces.len(), |b| {
            for_all(8, |i| sums.atomic_add(i, pieces[b][i]).void())
        })
    }
}

fn devices() -> [Device; 3] {
    [Device::cpu(), Device::cpu_by_columns(), Device::simulator()]
}

fn there_and_back<T: Element + PartialEq + std::fmt::Debug>(value: T, ty: ScalarType) {
    for device in devices() {
        let any: AnyBuffer = device.upload(&[value; 3]).unwrap().into();
        assert_eq!(
            (any.element_type(), any.len(), any.is_empty()),
            (ty, 3, false)
        );
        assert_eq!(any.device().name(), device.name());
        // One that is asked for as something else is still there.
        let any = match ty {
            ScalarType::U8 => any.typed::<i8>().unwrap_err(),
            _ => any.typed::<u8>().unwrap_err(),
        };
        assert_eq!(any.typed::<T>().unwrap().to_vec().unwrap(), [value; 3]);
        let zeros = device.zeros_of(ty, 2).unwrap().typed::<T>().unwrap();
        assert_eq!(zeros.to_vec().unwrap(), [T::default(); 2]);
    }
}

#[test]
fn buffers_of_every_type_go_there_and_back() {
    there_and_back(true, ScalarType::Bool);
    there_and_back(7u8, ScalarType::U8);
    there_and_back(7u16, ScalarType::U16);
    there_and_back(7u32, ScalarType::U32);
    there_and_back(7u64, ScalarType::U64);
    there_and_back(-7i8, ScalarType::I8);
    there_and_back(-7i16, ScalarType::I16);
    there_and_back(-7i32, ScalarType::I32);
    there_and_back(-7i64, ScalarType::I64);
    there_and_back(-0.5f32, ScalarType::F32);
    there_and_back(-0.5f64, ScalarType::F64);
}

#[test]
fn a_kernel_says_what_it_takes_and_gives() {
    let kernel = maps::moved::kernel();
    let parameters: Vec<_> = kernel
        .parameters()
        .map(|p| (p.name().to_owned(), p.element_type(), p.role()))
        .collect();
    let (read, written) = (ParameterRole::Input, ParameterRole::Output);
    let expected = [
        ("by", ScalarType::F32, ParameterRole::Scalar),
        ("points_0", ScalarType::F32, read),
        ("points_1", ScalarType::I64, read),
        ("output_0", ScalarType::F32, written),
        ("output_1", ScalarType::Bool, written),
    ];
    assert_eq!(
        parameters,
        expected.map(|(name, ty, role)| (name.to_owned(), ty, role))
    );
    let roles: Vec<_> = maps::add::kernel().parameters().map(|p| p.role()).collect();
    assert_eq!(roles, [ParameterRole::InOut, read]);
}

#[test]
fn launches_take_and_give_buffers_of_any_type() {
    for device in devices() {
        let x: AnyBuffer = device.upload(&[0.5f32, 1.5, 2.5]).unwrap().into();
        let y: AnyBuffer = device.upload(&[-1i64, 0, 1]).unwrap().into();
        let arguments = || {
            [
                AnyArgument::number(2.0f32),
                AnyArgument::Read(&x),
                AnyArgument::Read(&y),
            ]
        };
        let kernel = maps::moved::kernel();
        let mut results = kernel.launch(&device, arguments()).unwrap();
        assert_eq!(results.len(), 2);
        let right = results.pop().unwrap().typed::<bool>().unwrap();
        let moved = results.pop().unwrap().typed::<f32>().unwrap();
        assert_eq!(
            (moved.to_vec().unwrap(), right.to_vec().unwrap()),
            (vec![2.5, 3.5, 4.5], vec![false, false, true])
        );
        // The same into existing buffers.
        let mut moved = device.zeros_of(ScalarType::F32, 3).unwrap();
        let mut right = device.zeros_of(ScalarType::Bool, 3).unwrap();
        kernel
            .launch_into(&device, arguments(), [&mut moved, &mut right])
            .unwrap();
        assert_eq!(
            moved.typed::<f32>().unwrap().to_vec().unwrap(),
            [2.5, 3.5, 4.5]
        );
        assert_eq!(
            right.typed::<bool>().unwrap().to_vec().unwrap(),
            [false, false, true]
        );
    }
}

#[test]
fn buffers_of_any_type_are_changed_and_recorded() {
    for device in devices() {
        let mut buffers: Vec<AnyBuffer> = vec![
            device.upload(&[1u32; 8]).unwrap().into(),
            device.upload(&[2u32; 16]).unwrap().into(),
        ];
        let kernel = maps::add::kernel();
        let mut recording = device
            .record(&buffers, |device, buffers| {
                let [sums, terms] = &mut buffers[..] else {
                    unreachable!()
                };
                kernel
                    .launch(
                        device,
                        [AnyArgument::Change(sums), AnyArgument::Read(terms)],
                    )
                    .map(drop)
            })
            .unwrap();
        recording.replay(&mut buffers).unwrap();
        recording.replay(&mut buffers).unwrap();
        assert_eq!(
            buffers.remove(0).typed::<u32>().unwrap().to_vec().unwrap(),
            [9; 8]
        );
    }
}

#[test]
fn a_recording_keeps_the_types_of_its_buffers() {
    let device = Device::cpu();
    let any = |floats: bool| match floats {
        true => AnyBuffer::from(device.zeros::<f32>(4).unwrap()),
        false => AnyBuffer::from(device.zeros::<u32>(4).unwrap()),
    };
    let mut recording = device
        .record(&[any(true), any(false)], |_, _| Ok(()))
        .unwrap();
    assert!(recording.replay(&mut [any(true), any(false)]).is_ok());
    let error = recording.replay(&mut [any(false), any(true)]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ArgumentType, "{error}");
}

#[test]
fn what_is_not_the_kernels_is_refused() {
    let device = Device::cpu();
    let floats: AnyBuffer = device.upload(&[0.5f32; 3]).unwrap().into();
    let longs: AnyBuffer = device.upload(&[1i64; 3]).unwrap().into();
    let short: AnyBuffer = device.upload(&[1i64; 2]).unwrap().into();
    let mut changed: AnyBuffer = device.upload(&[1i64; 3]).unwrap().into();
    let kernel = maps::moved::kernel();
    let two = || AnyArgument::number(2.0f32);
    let given = [
        (
            ErrorKind::ArgumentCount,
            vec![two(), AnyArgument::Read(&floats)],
        ),
        (
            ErrorKind::ArgumentType,
            vec![
                AnyArgument::number(2u32),
                AnyArgument::Read(&floats),
                AnyArgument::Read(&longs),
            ],
        ),
        (
            ErrorKind::ArgumentType,
            vec![two(), AnyArgument::Read(&longs), AnyArgument::Read(&floats)],
        ),
        (
            ErrorKind::ArgumentType,
            vec![
                AnyArgument::Read(&floats),
                AnyArgument::Read(&floats),
                AnyArgument::Read(&longs),
            ],
        ),
        (
            ErrorKind::ArgumentType,
            vec![
                two(),
                AnyArgument::Read(&floats),
                AnyArgument::Change(&mut changed),
            ],
        ),
        (
            ErrorKind::UnequalLengths,
            vec![two(), AnyArgument::Read(&floats), AnyArgument::Read(&short)],
        ),
    ];
    for (kind, arguments) in given {
        let error = kernel.launch(&device, arguments).unwrap_err();
        assert_eq!(
            (error.kind(), error.kernel()),
            (kind, Some("moved")),
            "{error}"
        );
    }
    let mut one = device.zeros_of(ScalarType::F32, 3).unwrap();
    let arguments = [two(), AnyArgument::Read(&floats), AnyArgument::Read(&longs)];
    let error = kernel
        .launch_into(&device, arguments, [&mut one])
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ArgumentCount, "{error}");
}
