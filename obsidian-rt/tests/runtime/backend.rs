//! A device of one's own, whose memory is not the host's: buffers and typed launches work there as
//! anywhere.

// A test that unwraps an error fails, which is what it is for.
#![allow(clippy::unwrap_used)]

use obsidian_core::scalar::ScalarType;
use obsidian_rt::backend::{Backend, Elements, HostArray, Launch, Memory, Parameter, error};
use obsidian_rt::language::*;
use obsidian_rt::{Device, ErrorKind, Result, TypedKernel};

/// A device that writes into each element of an output how many real blocks there are, plus the
/// element of its input.
#[derive(Debug)]
struct Far;

/// Memory of its own kind.
struct FarArray(Vec<u64>);

fn far(array: HostArray, length: usize) -> Memory {
    Memory::new(array.ty(), length, FarArray(array.bits()))
}

impl Backend for Far {
    fn name(&self) -> &str {
        "far"
    }

    fn upload(&self, elements: &dyn Elements) -> Result<Memory> {
        Ok(far(elements.to_host()?, elements.count()))
    }

    fn zeros(&self, ty: ScalarType, length: usize) -> Result<Memory> {
        Ok(far(HostArray::zeros(ty, length)?, length))
    }

    fn fresh(&self, ty: ScalarType, length: usize) -> Result<Memory> {
        self.zeros(ty, length)
    }

    fn download(&self, memory: &Memory) -> Result<HostArray> {
        Ok(HostArray::of_bits(
            memory.ty(),
            memory.place::<FarArray>().unwrap().0.iter().copied(),
        ))
    }

    fn run(&self, launch: &mut Launch<'_>) -> Result<()> {
        let grid = u64::from(launch.grid());
        let [Parameter::Input(input), Parameter::Output(output)] = launch.parameters_mut() else {
            return Err(error(ErrorKind::CannotRun, "it has other parameters"));
        };
        let input = &input.place::<FarArray>().unwrap().0;
        output.place_mut::<FarArray>().unwrap().0 = input.iter().map(|x| x + grid).collect();
        Ok(())
    }
}

type Copies = TypedKernel<(DPull<EU32>,), DPush<Grid, EU32>>;

fn copies() -> Copies {
    TypedKernel::build("copies", 32, |input: DPull<EU32>| {
        input.split_up(2).as_grid_map(|piece| piece.push())
    })
    .unwrap()
}

#[test]
fn buffers_and_launches_use_its_memory() {
    let device = Device::from_backend(Far);
    let input = device.upload(&[1u32, 2, 3, 4, 5, 6]).unwrap();
    assert_eq!(
        (
            input.to_vec().unwrap(),
            device.zeros::<f32>(3).unwrap().to_vec().unwrap()
        ),
        (vec![1, 2, 3, 4, 5, 6], vec![0.0; 3])
    );
    let output = copies().launch(&device, &input).unwrap();
    assert_eq!(
        (output.to_vec().unwrap(), output.device().name()),
        (vec![4, 5, 6, 7, 8, 9], "far")
    );
    assert_eq!(
        copies()
            .launch(&device.with_blocks(2), &input)
            .unwrap()
            .to_vec()
            .unwrap(),
        [3, 4, 5, 6, 7, 8]
    );
}

#[test]
fn what_does_not_fit_is_found_before_it_runs() {
    let (device, cpu) = (Device::from_backend(Far), Device::cpu());
    let kind = |result: Result<_>| {
        result
            .map(|_: obsidian_rt::Buffer<u32>| ())
            .unwrap_err()
            .kind()
    };
    assert_eq!(
        kind(copies().launch(&device, &cpu.zeros(2).unwrap())),
        ErrorKind::WrongDevice
    );
    assert_eq!(
        kind(copies().launch(&device, &device.zeros(3).unwrap())),
        ErrorKind::Requirement
    );
    assert_eq!(
        kind(copies().launch(&device.with_blocks(0), &device.zeros(2).unwrap())),
        ErrorKind::NoBlocks
    );
}

#[test]
fn a_program_runs_at_another_number_of_threads() {
    let device = Device::simulator().with_threads(5);
    let input = device.upload(&[1u32, 2]).unwrap();
    // A kernel of a closure is built again, too.
    for threads in [5, 32, 1000] {
        let copied = copies().launch(&device.with_threads(threads), &input);
        assert_eq!(copied.unwrap().to_vec().unwrap(), [1, 2]);
    }
}
