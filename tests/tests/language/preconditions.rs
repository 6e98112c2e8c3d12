//! Preconditions: `require` asks each launch for something that the checks at compile time then
//! take for granted. A launch that does not meet it is refused with both numbers.

#![allow(missing_docs, clippy::unwrap_used)]

use obsidian_rt::prelude::*;
use obsidian_rt::{Error, ErrorKind};
use obsidian_tests::{fact, samples};

#[kernels]
mod asking {
    /// Two inputs, indexed alike.
    #[kernel(threads = 32)]
    pub fn products(x: DPull<EU32>, y: DPull<EU32>) -> DPush<Grid, EU32> {
        require(x.len().equals(y.len()));
        let all = generate(x.len(), |i| x[i] * y[i]);
        all.chunks(64, lit(0u32))
            .as_grid_map(|chunk| chunk.push())
            .take(x.len())
    }

    /// The last element, in front of the others.
    #[kernel(threads = 32)]
    pub fn last_first(x: DPull<EU32>) -> DPush<Grid, EU32> {
        let n = x.len();
        require(n.at_least(1));
        let last = x[n - 1];
        x.map(move |element| element ^ last)
            .chunks(64, lit(0u32))
            .as_grid_map(|chunk| chunk.push())
            .take(n)
    }

    /// The first element of each group, whose size is an argument.
    #[kernel(threads = 32)]
    pub fn heads(x: DPull<EU32>, size: EU32) -> DPush<Grid, EU32> {
        require(size.at_least(1));
        require(x.len().multiple_of(size));
        let rows = x.in_rows(size);
        generate(rows.height(), |r| rows.at((r, lit(0u32))))
            .chunks(32, lit(0u32))
            .as_grid_map(|chunk| chunk.push())
            .take(x.len() / size)
    }

    /// Pieces of 64, asked for by a function of the module.
    #[kernel(threads = 32)]
    pub fn whole(x: DPull<EU32>) -> DPush<Grid, EU32> {
        pieces(x.len());
        let all = x.map(|element| element + 1);
        all.chunks(64, lit(0u32))
            .as_grid_map(|chunk| chunk.push())
            .take(x.len())
    }

    fn pieces(n: EU32) {
        require(n.multiple_of(64));
    }

    /// How many elements are left, by the length of what `drop` leaves: it asks for itself.
    #[kernel(threads = 32)]
    pub fn left(x: DPull<EU32>) -> DPush<Grid, EU32> {
        let rest = x.drop(lit(5));
        generate(x.len(), |i| select(i < rest.len(), rest[i], 0))
            .chunks(64, 0)
            .as_grid_map(|chunk| chunk.push())
            .take(x.len())
    }
}

fact!(two_inputs_that_are_indexed_alike: asking::products[1](x: u32, y: u32)
    == x.iter().zip(&y).map(|(x, y)| x.wrapping_mul(*y)).collect::<Vec<u32>>());

fn refused<T>(result: Result<T, Error>, message: &str) {
    let error = result.err().unwrap();
    assert_eq!(error.kind(), ErrorKind::Requirement, "{error}");
    assert!(error.to_string().contains(message), "{error}");
}

#[test]
fn a_launch_that_does_not_meet_a_precondition_is_refused() {
    for device in [Device::cpu(), Device::cpu_by_columns(), Device::simulator()] {
        let array = |n: usize| device.upload(&samples::<u32>(n)).unwrap();
        let (three, four) = (array(3), array(4));
        refused(
            asking::products::launch(&device, &three, &four),
            "the length of `x`",
        );
        assert!(asking::products::launch(&device, &three, &three).is_ok());
        refused(
            asking::last_first::launch(&device, &array(0)),
            "the length of `x` is 0, and must be at least 1",
        );
        refused(asking::heads::launch(&device, &four, 0), "`size`");
        refused(
            asking::heads::launch(&device, &four, 3),
            "not a multiple of `size`, which is 3",
        );
        // On a device the length would wrap.
        let error = asking::left::launch(&device, &array(4)).err().unwrap();
        assert_eq!(error.kind(), ErrorKind::NoLength, "{error}");
        assert!(error.to_string().contains("`x - 5` is -1"), "{error}");
        assert!(asking::left::launch(&device, &array(5)).is_ok());
        refused(
            asking::whole::launch(&device, &array(65)),
            "not a multiple of 64",
        );
        assert!(asking::whole::launch(&device, &array(128)).is_ok());
    }
}

#[test]
fn what_a_precondition_allows_is_right() {
    for device in [Device::cpu(), Device::cpu_by_columns(), Device::simulator()] {
        for n in [1, 2, 31, 64, 65, 1009] {
            let elements = samples::<u32>(n);
            let input = device.upload(&elements).unwrap();
            let result = asking::last_first::launch(&device, &input).unwrap();
            let expected: Vec<u32> = elements.iter().map(|x| x ^ elements[n - 1]).collect();
            assert_eq!(result.to_vec().unwrap(), expected);
            for size in [1, n as u32] {
                let result = asking::heads::launch(&device, &input, size).unwrap();
                let expected: Vec<u32> = elements.iter().step_by(size as usize).copied().collect();
                assert_eq!(result.to_vec().unwrap(), expected, "{size}");
            }
        }
    }
}
