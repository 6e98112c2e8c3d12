//! What panics on the host is a fault of the launch, on every device.

#![allow(missing_docs, clippy::unwrap_used)]

use obsidian_executor::Executor;
use obsidian_rt::prelude::*;
use obsidian_rt::{ErrorKind, Result};

#[kernels]
mod faults {
    #[device(range)]
    pub fn outside(i: usize, x: &[u32]) -> u32 {
        x[i + 1]
    }

    #[device(range)]
    pub fn unused(i: usize, x: &[u32]) -> u32 {
        let _ = x[i + 1];
        7
    }

    #[device(range)]
    pub fn quotient(i: usize, x: &[i32]) -> i32 {
        100 / x[i]
    }

    #[device(range)]
    pub fn rest(i: usize, x: &[u64]) -> u64 {
        100 % x[i]
    }

    #[device(range)]
    pub fn least(i: usize, x: &[i32]) -> i32 {
        i32::MIN / x[i]
    }

    #[device(range)]
    pub fn second(i: usize, x: &[(u32, f32)]) -> f32 {
        x[i + 1].1
    }

    #[device(range)]
    pub fn asserted(i: usize, x: &[i32]) -> i32 {
        assert!(x[i] < 5, "a number is less than 5");
        x[i]
    }

    #[device(range)]
    pub fn element(i: usize, x: &[i32]) -> i32 {
        let table = [x[0], 1, 2];
        table[i]
    }

    /// Without a way out, a thread of a GPU would look for a 5 forever.
    #[device(range)]
    pub fn endless(i: usize, x: &[u32]) -> u32 {
        let mut n = i;
        while x[n] != 5 {
            n += 1;
        }
        n as u32
    }

    /// A number that a fault has made 0 is the step of a loop.
    #[device(range)]
    pub fn step(i: usize, x: &[u32]) -> u32 {
        let by = x[i + 3];
        let mut n = 0;
        loop {
            if n > 9 {
                break;
            }
            n += by;
        }
        n
    }

    #[device(range)]
    pub fn wrapped(i: usize, x: &[u32]) -> u32 {
        x[i - 1]
    }
}

fn devices() -> Vec<Device> {
    let own = [
        Device::cpu(),
        Device::cpu().with_blocks(1),
        Device::cpu_by_columns(),
        Device::simulator(),
    ];
    let executor = Executor::find().map(|executor| executor.device());
    own.into_iter().chain(executor).collect()
}

/// Every device and the host give a fault, with these words.
macro_rules! fault {
    ($name:ident, $x:expr, $device_words:expr, $host_words:expr) => {
        let x = $x;
        let host = faults::$name::compute_host([3], (&x,)).unwrap_err();
        assert_eq!(host.kind(), ErrorKind::Fault);
        assert!(host.to_string().contains($host_words), "{host}");
        for device in devices() {
            let result = faults::$name::compute(&device, [3], (&x,));
            let error = result.and_then(|out| out.to_vec()).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Fault, "{error}");
            assert_eq!(error.kernel(), Some(stringify!($name)), "{error}");
            let said = error.to_string();
            assert!(said.contains($device_words), "{said}");
            assert!(said.contains("tests/functions/faults.rs:"), "{said}");
        }
    };
}

#[test]
fn what_panics_on_the_host_is_a_fault_of_the_launch() {
    fault!(
        outside,
        [1u32, 2, 3],
        "3",
        "index out of bounds: the len is 3 but the index is 3"
    );
    // Where nothing uses the element, a kernel has no access whose array it could name.
    fault!(
        unused,
        [1u32, 2, 3],
        "index ",
        "index out of bounds: the len is 3 but the index is 3"
    );
    fault!(
        quotient,
        [1, 0, 2],
        "attempt to divide by zero",
        "attempt to divide by zero"
    );
    let words = "attempt to calculate the remainder with a divisor of zero";
    fault!(rest, [1u64, 2, 0], words, words);
    fault!(
        least,
        [1, 2, -1],
        "attempt to divide with overflow",
        "attempt to divide with overflow"
    );
    fault!(
        asserted,
        [1, 9, 2],
        "a number is less than 5",
        "a number is less than 5"
    );
    fault!(
        endless,
        [1u32, 5, 2],
        "3",
        "index out of bounds: the len is 3 but the index is 3"
    );
    fault!(
        step,
        [1u32, 5, 2],
        "3",
        "index out of bounds: the len is 3 but the index is"
    );
    fault!(
        wrapped,
        [1u32, 5, 2],
        "4294967295",
        "index out of bounds: the len is 3 but the index is"
    );
}

/// A slice of tuples is an array for each field. Which of them is named depends on whether a device reads the fields that nothing uses.
#[test]
fn an_element_of_tuples_that_is_not_there_is_a_fault() {
    let x = [(1u32, 1.5f32), (2, 2.5)];
    for device in devices() {
        let fine = faults::second::compute(&device, [1], (&x,)).and_then(|out| out.to_vec());
        assert_eq!(fine.unwrap(), [2.5]);
        let error = faults::second::compute(&device, [2], (&x,)).and_then(|out| out.to_vec());
        let error = error.expect_err("there is no third element").to_string();
        let array = error.split('`').nth(3).unwrap_or_default();
        assert!(["x_0", "x_1"].contains(&array), "{error}");
        assert!(error.contains("index 2 is outside of"), "{error}");
    }
}

#[test]
fn an_element_of_an_array_that_is_not_there_is_a_fault() -> Result<()> {
    for device in devices() {
        let fine = faults::element::compute(&device, [3], (&[4, 5],))?;
        assert_eq!(fine.to_vec()?, [4, 1, 2]);
        let error = faults::element::compute(&device, [4], (&[4, 5],)).and_then(|out| out.to_vec());
        let error = error.expect_err("there are three elements");
        assert_eq!(error.kind(), ErrorKind::Fault, "{error}");
        assert!(error.to_string().contains("index out of bounds"), "{error}");
    }
    Ok(())
}

/// For `.ci/cubin`, which compiles them by nvcc.
#[test]
fn cuda_texts_are_kept() {
    for kernel in [
        faults::outside::kernel(),
        faults::unused::kernel(),
        faults::quotient::kernel(),
        faults::rest::kernel(),
        faults::least::kernel(),
        faults::asserted::kernel(),
        faults::element::kernel(),
        faults::endless::kernel(),
        faults::step::kernel(),
        faults::wrapped::kernel(),
    ] {
        obsidian_tests::keep(&kernel);
    }
}

#[kernels]
mod of_another_file {
    use crate::elsewhere::tables::entry;

    #[kernel(threads = 64, faults)]
    pub fn entries(places: DPull<EU32>, table: DPull<EU32>) -> DPush<Grid, EU32> {
        places
            .split_up(2)
            .as_grid_map(|places| places.map(|i| entry(table, i)).push())
    }
}

/// A fault in a function of another file is there, and not where its tokens were handed on.
#[test]
fn a_fault_of_another_file_has_its_place_there() -> Result<()> {
    for device in devices() {
        let (places, table) = (device.upload(&[0u32, 7])?, device.upload(&[10u32, 20])?);
        let result = of_another_file::entries::launch(&device, &places, &table);
        let error = result.and_then(|out| out.to_vec());
        let said = error.expect_err("there is no element 7").to_string();
        assert!(said.contains("functions/elsewhere.rs:10:"), "{said}");
        assert!(said.contains("index 7 is outside of `table`"), "{said}");
    }
    Ok(())
}
