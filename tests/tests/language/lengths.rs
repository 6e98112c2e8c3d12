//! What a launch makes of lengths: it computes them in 32 bits, refuses every step that leaves them,
//! and says which length breaks which requirement. Long arrays are those of a device without memory.

#![allow(missing_docs, clippy::unwrap_used)]

use std::sync::{Arc, Mutex};

use obsidian_core::emit::cuda;
use obsidian_core::scalar::ScalarType;
use obsidian_rt::backend::{Backend, Elements, HostArray, Launch, Memory, error};
use obsidian_rt::language::*;
use obsidian_rt::prelude::*;
use obsidian_rt::{Buffer, TypedKernel};

/// The largest length.
const TOP: usize = u32::MAX as usize;

/// A device whose arrays have a length and no elements; it remembers the blocks of its launches.
#[derive(Clone, Default, Debug)]
struct Hollow(Arc<Mutex<Vec<u32>>>);

impl Backend for Hollow {
    fn name(&self) -> &str {
        "hollow"
    }

    fn upload(&self, elements: &dyn Elements) -> Result<Memory, Error> {
        self.zeros(elements.to_host()?.ty(), elements.count())
    }

    fn zeros(&self, ty: ScalarType, length: usize) -> Result<Memory, Error> {
        Ok(Memory::new(ty, length, ()))
    }

    fn fresh(&self, ty: ScalarType, length: usize) -> Result<Memory, Error> {
        self.zeros(ty, length)
    }

    fn download(&self, _: &Memory) -> Result<HostArray, Error> {
        Err(error(ErrorKind::CannotRun, "it has no memory"))
    }

    fn run(&self, launch: &mut Launch<'_>) -> Result<(), Error> {
        self.0.lock().unwrap().push(launch.blocks());
        Ok(())
    }
}

impl Hollow {
    /// What a launch with the first array of this length comes to: its blocks, or its error; in the
    /// latter case nothing ran.
    fn blocks<R>(
        &self,
        length: usize,
        launch: impl FnOnce(&Device, &mut Buffer<u32>) -> Result<R, Error>,
    ) -> Result<u32, Error> {
        let device = Device::from_backend(self.clone());
        let before = self.0.lock().unwrap().len();
        let result = launch(&device, &mut device.zeros(length).unwrap());
        let after = self.0.lock().unwrap().clone();
        match result {
            Ok(_) => Ok(after[before]),
            Err(error) => {
                assert_eq!(after.len(), before, "it ran, and then said {error}");
                Err(error)
            }
        }
    }
}

/// The message, and what the error gives as numbers.
fn told(result: Result<u32, Error>) -> (ErrorKind, String, Option<u64>, Option<u64>) {
    let error = result.unwrap_err();
    let message = error.to_string();
    let message = message.split_once(": ").unwrap().1.to_owned();
    (error.kind(), message, error.needed(), error.limit())
}

fn says(
    kind: ErrorKind,
    message: &str,
    needed: u64,
    limit: u64,
) -> (ErrorKind, String, Option<u64>, Option<u64>) {
    (kind, message.to_owned(), Some(needed), Some(limit))
}

#[kernels]
pub mod lengths {
    /// The first kernel that everyone writes.
    #[kernel(threads = 64)]
    pub fn rounded_up(input: DPull<EU32>) -> DPush<Grid, EU32> {
        let n = input.len();
        mk_push(n, |write| {
            distr_par((n + 255) / 256, |b| {
                for_all(256, |i| {
                    let g = b * 256 + i;
                    cond(g < n, write(input[g] + 1, g), pure(()))
                })
            })
        })
    }

    /// The same in the other usual way.
    #[kernel(threads = 64)]
    pub fn rounded_down_and_one(input: DPull<EU32>) -> DPush<Grid, EU32> {
        let n = input.len();
        mk_push(n, |write| {
            distr_par((n - 1) / 64 + 1, |b| {
                for_all(64, |i| {
                    let g = b * 64 + i;
                    cond(g < n, write(input[g] + 1, g), pure(()))
                })
            })
        })
    }

    /// And without a step that can wrap.
    #[kernel(threads = 64)]
    pub fn div_ceil(input: DPull<EU32>) -> DPush<Grid, EU32> {
        let n = input.len();
        mk_push(n, |write| {
            distr_par(n.div_ceil(256), |b| {
                for_all(256u32.div_ceil(2) * 2, |i| {
                    let g = b * 256 + i;
                    cond(g < n, write(input[g] + 1, g), pure(()))
                })
            })
        })
    }

    #[kernel(threads = 64)]
    pub fn three_quarters(io: MGlobal<EU32>) -> Program<Grid, ()> {
        let n = io.len();
        distr_par(n * 3 / 256, |b| {
            for_all(64, |i| {
                let g = b * 64 + i;
                cond(g < n, io.write(g, g), pure(()))
            })
        })
    }

    /// The length of the output is half of a product.
    #[kernel(threads = 3)]
    pub fn three_times(input: DPull<EU32>) -> DPush<Grid, EU32> {
        let n = input.len();
        mk_push(n * 6 / 2, |write| {
            distr_par(n, |b| for_all(3, |i| write(input[b] + i, b * 3 + i)))
        })
    }

    #[kernel(threads = 3)]
    pub fn product(input: DPull<EU32>) -> DPush<Grid, EU32> {
        let n = input.len();
        mk_push(n * 3, |write| {
            distr_par(n, |b| for_all(3, |i| write(input[b] + i, b * 3 + i)))
        })
    }

    /// A loop of each thread over three quarters of the input.
    #[kernel(threads = 32)]
    pub fn rounds_of_a_thread(input: DPull<EU32>) -> DPush<Grid, EU32> {
        let n = input.len();
        let sum = seq_reduce(
            |x, y| x + y,
            generate(n * 3 / 4, |i| select(i < n, input[i], lit(0u32))),
        );
        generate(4u32, |_| {
            singleton(0u32).as_block_map(|_| exec_thread_value(sum))
        })
        .as_grid()
        .to_dyn()
    }

    #[kernel(threads = 64)]
    pub fn whole_pieces(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|piece| piece.push())
    }

    #[kernel(threads = 64)]
    pub fn any_pieces(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .chunks(100, lit(0u32))
            .as_grid_map(|piece| piece.push())
            .take(input.len())
    }

    #[kernel(threads = 64)]
    pub fn rows(width: EU32, input: DPull<EU32>) -> DPush<Grid, EU32> {
        let m = input.in_rows(width);
        m.cover(8, 8)
            .as_grid_map(|t| t.push())
            .crop(m.height(), width)
            .flat()
    }

    #[kernel(threads = 64)]
    pub fn matrix(height: EU32, width: EU32, input: DPull<EU32>) -> DPush<Grid, EU32> {
        let m = input.as_2d(height, width);
        m.cover(8, 8)
            .as_grid_map(|t| t.push())
            .crop(height, width)
            .flat()
    }

    #[kernel(threads = 32)]
    pub fn fourth(io: MGlobal<EU32>) -> Program<Grid, ()> {
        distr_par(1, |_| for_all(1, |_| io.write(3, lit(7u32))))
    }

    #[kernel(threads = 64)]
    pub fn dot(x: DPull<EU32>, y: DPull<EU32>) -> DPush<Grid, EU32> {
        zip_with(|x, y| x * y, x, y)
            .chunks(64, lit(0u32))
            .as_grid_map(|piece| exec_block(sum(piece)))
    }

    pub fn sum(arr: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        if arr.len() == 1 {
            return pure(arr.push());
        }
        let (low, high) = arr.halve();
        let arr = compute(zip_with(|x, y| x + y, low, high))?;
        sum(arr)
    }
}

#[test]
fn a_number_of_blocks_is_refused_where_a_step_wraps() {
    use lengths::rounded_up::launch;
    let hollow = Hollow::default();
    let of = |n: usize| hollow.blocks(n, |device, input| launch(device, input));
    assert_eq!(of(0).unwrap(), 0);
    assert_eq!(of(1).unwrap(), 1);
    assert_eq!(of(TOP - 255).unwrap(), (1 << 24) - 1);
    assert_eq!(
        told(of(TOP - 250)),
        says(
            ErrorKind::NoLength,
            "the number of blocks `(input + 255) / 256` cannot be computed: `input + 255` is \
             4294967300, which is above 4294967295",
            4_294_967_300,
            4_294_967_295
        )
    );
    assert_eq!(told(of(TOP - 254)).0, ErrorKind::NoLength);
    assert_eq!(told(of(TOP)).0, ErrorKind::NoLength);
}

#[test]
fn a_number_of_blocks_is_refused_where_a_step_is_below_zero() {
    use lengths::rounded_down_and_one::launch;
    let hollow = Hollow::default();
    let of = |n: usize| hollow.blocks(n, |device, input| launch(device, input));
    assert_eq!(of(1).unwrap(), 1);
    assert_eq!(of(64).unwrap(), 1);
    assert_eq!(of(65).unwrap(), 2);
    assert_eq!(of(TOP).unwrap(), 1 << 26);
    assert_eq!(
        told(of(0)),
        says(
            ErrorKind::NoLength,
            "the number of blocks `(input - 1) / 64 + 1` cannot be computed: `input - 1` is -1, \
             which is below 0",
            1,
            0
        )
    );
}

#[test]
fn div_ceil_never_wraps() {
    use lengths::div_ceil::launch;
    let hollow = Hollow::default();
    for (n, blocks) in [
        (0, 0),
        (1, 1),
        (256, 1),
        (257, 2),
        (TOP - 255, (1 << 24) - 1),
        (TOP - 254, 1 << 24),
        (TOP, 1 << 24),
    ] {
        let found = hollow.blocks(n, |device, input| launch(device, input));
        assert_eq!(found.unwrap(), blocks, "{n}");
    }
    for device in [Device::cpu(), Device::cpu_by_columns(), Device::simulator()] {
        for n in [0u32, 1, 255, 256, 257, 1000] {
            let input: Vec<u32> = (0..n).collect();
            let output = launch(&device, &device.upload(&input).unwrap()).unwrap();
            let expected: Vec<u32> = (1..=n).collect();
            assert_eq!(output.to_vec().unwrap(), expected);
        }
    }
    let kernel = lengths::div_ceil::kernel();
    assert_eq!(kernel.native().unwrap().cuda(), kernel.cuda());
}

#[test]
fn a_product_of_a_number_of_blocks_does_not_wrap() {
    use lengths::three_quarters::launch;
    let hollow = Hollow::default();
    let of = |n: usize| hollow.blocks(n, launch);
    assert_eq!(of(TOP / 3).unwrap(), (1 << 24) - 1);
    let (kind, message, ..) = told(of(TOP / 3 + 1));
    assert_eq!(kind, ErrorKind::NoLength);
    assert!(
        message.ends_with("`io * 3` is 4294967298, which is above 4294967295"),
        "{message}"
    );
}

#[test]
fn the_length_of_an_output_is_refused_where_a_step_wraps() {
    let hollow = Hollow::default();
    let of = |n: usize| {
        hollow.blocks(n, |device, input| {
            lengths::three_times::launch(device, input)
        })
    };
    assert_eq!(of(TOP / 6).unwrap(), (TOP / 6) as u32);
    assert_eq!(
        told(of(TOP / 6 + 1)),
        says(
            ErrorKind::NoLength,
            "the length of `output` = `input * 6 / 2` cannot be computed: `input * 6` is \
             4294967298, which is above 4294967295",
            4_294_967_298,
            4_294_967_295
        )
    );
    let of = |n: usize| hollow.blocks(n, |device, input| lengths::product::launch(device, input));
    assert_eq!(of(TOP / 3).unwrap(), (TOP / 3) as u32);
    assert_eq!(
        told(of(TOP / 3 + 1)),
        says(
            ErrorKind::TooLong,
            "the length of `output` = `input * 3` is 4294967298, which is above 4294967295",
            4_294_967_298,
            4_294_967_295
        )
    );
}

#[test]
fn a_number_of_rounds_of_a_thread_is_refused_where_a_step_wraps() {
    let hollow = Hollow::default();
    let of = |n: usize| {
        hollow.blocks(n, |device, input| {
            lengths::rounds_of_a_thread::launch(device, input)
        })
    };
    assert_eq!(of(TOP / 3).unwrap(), 4);
    let (kind, message, ..) = told(of(TOP / 3 + 1));
    assert_eq!(kind, ErrorKind::NoLength);
    assert!(message.contains("`input * 3` is 4294967298"), "{message}");
    let message = "the length `input * 3 / 4 - 1` is -1, which is below 0";
    assert_eq!(told(of(1)), says(ErrorKind::NoLength, message, 1, 0));
}

#[test]
fn fits_names_the_length_that_does_not() {
    use lengths::any_pieces::launch;
    let hollow = Hollow::default();
    let of = |n: usize| hollow.blocks(n, |device, input| launch(device, input));
    assert!(of(TOP - 99).is_ok());
    assert_eq!(
        told(of(TOP - 98)),
        says(
            ErrorKind::TooLong,
            "the length `input + 99` is 4294967296, which is above 4294967295",
            1 << 32,
            4_294_967_295
        )
    );
}

#[test]
fn at_least_names_the_element() {
    use lengths::fourth::launch;
    let hollow = Hollow::default();
    let of = |n: usize| hollow.blocks(n, launch);
    assert_eq!(of(4).unwrap(), 1);
    let message = "`io` has 2 elements, and the kernel accesses element 3";
    assert_eq!(told(of(2)), says(ErrorKind::Requirement, message, 4, 2));
    let message = "`io` has 1 element, and the kernel accesses element 3";
    assert_eq!(told(of(1)), says(ErrorKind::Requirement, message, 4, 1));
}

#[test]
fn multiple_of_names_the_number() {
    use lengths::whole_pieces::launch;
    let hollow = Hollow::default();
    let of = |n: usize| hollow.blocks(n, |device, input| launch(device, input));
    assert_eq!(of(128).unwrap(), 2);
    assert_eq!(
        told(of(127)),
        says(
            ErrorKind::Requirement,
            "the length of `input` is 127, not a multiple of 64; use `chunks(64)` for a short last \
             chunk",
            127,
            64
        )
    );
}

#[test]
fn divided_by_names_the_divisor() {
    use lengths::rows::launch;
    let hollow = Hollow::default();
    let of = |width: u32, n: usize| hollow.blocks(n, |device, input| launch(device, width, input));
    assert!(of(7, 105).is_ok());
    assert!(of(0, 0).is_ok());
    let message = "the length of `input` is 100, not a multiple of `width`, which is 7";
    assert_eq!(
        told(of(7, 100)),
        says(ErrorKind::Requirement, message, 100, 7)
    );
    let message = "the length of `input` is 100, not a multiple of `width`, which is 0";
    assert_eq!(
        told(of(0, 100)),
        says(ErrorKind::Requirement, message, 100, 0)
    );
}

#[test]
fn equal_names_both_lengths() {
    use lengths::{dot, matrix};
    let hollow = Hollow::default();
    let of = |height: u32, width: u32, n: usize| {
        hollow.blocks(n, |device, input| {
            matrix::launch(device, height, width, input)
        })
    };
    assert!(of(10, 10, 100).is_ok());
    let message = "the length of `input` is 100, and must be `height * width`, which is 99";
    assert_eq!(
        told(of(9, 11, 100)),
        says(ErrorKind::Requirement, message, 100, 99)
    );
    assert_eq!(
        told(of(65_536, 65_536, 0)),
        says(
            ErrorKind::TooLong,
            "the length `height * width` is 4294967296, which is above 4294967295",
            1 << 32,
            4_294_967_295
        )
    );
    let of = |x: usize, y: usize| {
        hollow.blocks(x, |device, x| {
            dot::launch(device, x, &device.zeros(y).unwrap())
        })
    };
    assert!(of(11, 11).is_ok());
    let message = "the length of `y` is 11, and must be the length of `x`, which is 10";
    assert_eq!(
        told(of(10, 11)),
        says(ErrorKind::Requirement, message, 11, 10)
    );
}

#[test]
fn a_launch_that_is_refused_does_not_run_on_any_device() {
    for device in [Device::cpu(), Device::cpu_by_columns(), Device::simulator()] {
        let input = device.upload(&[0u32; 0]).unwrap();
        let error = lengths::rounded_down_and_one::launch(&device, &input).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NoLength);
        let input = device.upload(&[5u32; 65]).unwrap();
        let output = lengths::rounded_down_and_one::launch(&device, &input).unwrap();
        assert_eq!(output.to_vec().unwrap(), [6; 65]);
    }
}

#[kernels]
pub mod zips {
    /// A static length and one that the launch knows.
    #[kernel(threads = 64)]
    pub fn with_a_static_length(input: DPull<EU32>) -> DPush<Grid, EU32> {
        zip_with(|x, i| x + i, input, iota(128u32).to_dyn())
            .split_up(64)
            .as_grid_map(|piece| piece.push())
    }

    /// Lengths that are equal in each block, and of which a launch knows nothing.
    #[kernel(threads = 64)]
    pub fn rest_of_a_piece(x: DPull<EU32>, y: DPull<EU32>) -> DPush<Grid, EU32> {
        zip(zip(x, y).chunks_len(64), x.chunks_len(64))
            .map(|(pairs, xs)| zip_with(|(x, y), z| x * y + z, pairs, xs))
            .as_grid_map(|piece| {
                singleton(piece)
                    .as_block_map(|piece| exec_thread_value(seq_reduce(|x, y| x + y, piece)))
            })
    }

    /// Proved: the same number, written in two ways.
    #[kernel(threads = 32)]
    pub fn proved(factor: EU32) -> DPush<Grid, EU32> {
        let first = generate(64u32, |b| generate(b + b + 1, |i| i * factor));
        let second = generate(64u32, |b| generate(b * 2 + 1, |i| i + 1));
        zip_with(|x, y| zip_with(|x, y| x * y, x, y), first, second)
            .map(|arr| {
                singleton(arr).as_block_map(|arr| exec_thread_value(seq_reduce(|x, y| x + y, arr)))
            })
            .as_grid()
            .to_dyn()
    }

    pub fn sum(arr: DPull<EU32>) -> Program<Block, Push<Block, EU32>> {
        pure(singleton(arr).as_block_map(|arr| {
            exec_thread_value(seq_iterate(arr.len(), |i, x| x + arr[i], lit(0u32)))
        }))
    }

    /// What the error about halves of a short piece proposes.
    #[kernel(threads = 64)]
    pub fn cut(x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.chunks_len(64).as_grid_map(|piece| {
            let (a, b) = piece.halve();
            let n = a.len().min(b.len());
            exec_block(sum(zip_with(|a, b| a * b, a.take(n), b.take(n))))
        })
    }

    /// And its other proposal.
    #[kernel(threads = 64)]
    pub fn shortest_half(x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.chunks_len(64).as_grid_map(|piece| {
            let (a, b) = piece.halve();
            exec_block(sum(zip_with_shortest(|a, b| a * b, a, b)))
        })
    }

    /// The old meaning: as many as the shorter one has.
    #[kernel(threads = 64)]
    pub fn shorter(x: DPull<EU32>, y: DPull<EU32>) -> DPush<Grid, EU32> {
        let both = zip_with_shortest(|x, y| x + y, x, y);
        both.chunks(64, lit(0u32))
            .as_grid_map(|piece| piece.push())
            .take(both.len())
    }
}

#[test]
fn a_dynamic_length_and_a_static_one_are_compared_at_launch() {
    let hollow = Hollow::default();
    let of = |n: usize| {
        hollow.blocks(n, |device, input| {
            zips::with_a_static_length::launch(device, input)
        })
    };
    assert_eq!(of(128).unwrap(), 2);
    let message = "the length of `input` is 64, and must be 128";
    assert_eq!(told(of(64)), says(ErrorKind::Requirement, message, 64, 128));
}

#[test]
fn lengths_that_are_proved_equal_are_accepted() {
    let device = Device::cpu();
    let input: Vec<u32> = (0..200).collect();
    let buffer = device.upload(&input).unwrap();
    let sums = zips::proved::launch(&device, 3).unwrap().to_vec().unwrap();
    let sum = |n: u32| (0..n).map(|i| i * 3 * (i + 1)).sum();
    let expected: Vec<u32> = (0..64).map(|b| sum(2 * b + 1)).collect();
    assert_eq!(sums, expected);
    let sums = zips::rest_of_a_piece::launch(&device, &buffer, &buffer)
        .unwrap()
        .to_vec()
        .unwrap();
    let expected: Vec<u32> = input
        .chunks(64)
        .map(|p| p.iter().map(|x| x * x + x).sum())
        .collect();
    assert_eq!(sums, expected);
}

/// Of an error that lengths may differ: each of its proposals is accepted.
#[test]
fn what_the_error_of_unequal_lengths_proposes_is_accepted() {
    let input: Vec<u32> = (0..75).collect();
    let of = |piece: &[u32]| {
        let (a, b) = piece.split_at(piece.len() / 2);
        a.iter().zip(b).map(|(a, b)| a * b).sum::<u32>()
    };
    let expected: Vec<u32> = input.chunks(64).map(of).collect();
    for device in [Device::cpu(), Device::cpu_by_columns(), Device::simulator()] {
        let x = device.upload(&input).unwrap();
        let cut = zips::cut::launch(&device, &x).unwrap();
        assert_eq!(cut.to_vec().unwrap(), expected);
        let shortest = zips::shortest_half::launch(&device, &x).unwrap();
        assert_eq!(shortest.to_vec().unwrap(), expected);
    }
}

#[test]
fn zip_shortest_stops_where_the_shorter_array_ends() {
    for device in [Device::cpu(), Device::cpu_by_columns(), Device::simulator()] {
        let (x, y) = (
            device.upload(&[1u32; 70]).unwrap(),
            device.upload(&[2u32; 90]).unwrap(),
        );
        for (x, y) in [(&x, &y), (&y, &x)] {
            let sums = zips::shorter::launch(&device, x, y)
                .unwrap()
                .to_vec()
                .unwrap();
            assert_eq!(sums, [3; 70]);
        }
    }
    let kernel = zips::shorter::kernel();
    assert_eq!(kernel.native().unwrap().cuda(), kernel.cuda());
}

/// The line of a mistake in a kernel that is built while the program runs.
fn place(error: &Error) -> String {
    let diagnostics = error.diagnostics().unwrap().to_string();
    assert!(
        diagnostics.contains("tests/language/lengths.rs"),
        "{diagnostics}"
    );
    diagnostics
}

/// Of static lengths, static and dynamic ones, and dynamic ones of a block: natively as well.
#[test]
fn a_kernel_built_at_run_time_reports_unequal_lengths_where_they_are_zipped() {
    let line = line!() + 1;
    let unequal = |a: Pull<EU32>| zip_with(|x, y| x + y, a.take(13), a.take(12));
    type Map = TypedKernel<(DPull<EU32>,), DPush<Grid, EU32>>;
    let built = Map::build("k", 32, |x: DPull<EU32>| {
        x.split_up(64).as_grid_map(move |a| unequal(a).push())
    });
    let told = place(&built.unwrap_err());
    assert!(
        told.contains("`zip_with` of arrays of length 13 and 12"),
        "{told}"
    );
    assert!(told.contains(&format!(":{line}:")), "{told}");
    let built =
        TypedKernel::<(DPull<EU32>,), DPush<Grid, EU32>>::build("k", 32, |x: DPull<EU32>| {
            let (a, b) = (x.clone().take(lit(7)), iota(8u32).to_dyn());
            zip(a, b)
                .map(|(x, y)| x + y)
                .chunks(4, lit(0u32))
                .as_grid_map(|p| p.push())
        });
    let told = place(&built.unwrap_err());
    assert!(told.contains("`zip` of arrays of length 7 and 8"), "{told}");
    let built = TypedKernel::<(DPull<EU32>, DPull<EU32>), DPush<Grid, EU32>>::build(
        "k",
        32,
        |x: DPull<EU32>, y: DPull<EU32>| {
            zip(x.chunks_len(64), y.chunks_len(64)).as_grid_map(|(a, b)| {
                singleton(zip_with(|x, y| x * y, a, b))
                    .as_block_map(|arr| exec_thread_value(seq_reduce(|x, y| x + y, arr)))
            })
        },
    );
    let told = place(&built.unwrap_err());
    assert!(
        told.contains("cannot prove that the arrays of this `zip_with`"),
        "{told}"
    );
}

fn wrong(name: &str, make: impl Fn(Pull<EU32>) -> Pull<EU32> + Clone + 'static) {
    let made = obsidian_core::pipeline::build("k", &Default::default(), |b| {
        let (x, make): (DPull<EU32>, _) = (b.parameter("x"), make.clone());
        b.result(x.split_up(64).as_grid_map(move |a| make(a).push::<Block>()));
    });
    let told = made.unwrap_err().to_string();
    let expected =
        [[4, 3], [3, 4]].map(|[x, y]| format!("`{name}` of arrays of length {x} and {y}"));
    assert!(expected.iter().any(|e| told.contains(e)), "{told}");
}

/// All zips and `interleave`, each with the shorter array at every place.
#[test]
fn every_zip_refuses_unequal_lengths() {
    for k in 0..4 {
        let of = move |a: &Pull<EU32>| -> [Pull<EU32>; 4] {
            std::array::from_fn(|n| a.take(if n == k { 3 } else { 4 }))
        };
        if k < 2 {
            wrong("zip", move |p| {
                zip(of(&p)[0].clone(), of(&p)[1].clone()).map(|(x, _)| x)
            });
            wrong("zip_with", move |p| {
                zip_with(|x, _| x, of(&p)[0].clone(), of(&p)[1].clone())
            });
            wrong("interleave", move |p| {
                interleave(of(&p)[0].clone(), of(&p)[1].clone())
            });
        }
        if k < 3 {
            wrong("zip3", move |p| {
                let [a, b, c, _] = of(&p);
                zip3(a, b, c).map(|(x, ..)| x)
            });
            wrong("zip_with3", move |p| {
                let [a, b, c, _] = of(&p);
                zip_with3(|x, _, _| x, a, b, c)
            });
        }
        wrong("zip4", move |p| {
            let [a, b, c, d] = of(&p);
            zip4(a, b, c, d).map(|(x, ..)| x)
        });
        wrong("zip_with4", move |p| {
            let [a, b, c, d] = of(&p);
            zip_with4(|x, _, _, _| x, a, b, c, d)
        });
    }
    for (height, width) in [(3, 4), (4, 3)] {
        wrong("zip_with", move |p| {
            let (a, b) = (p.take(16).as_2d(4, 4), p.take(12).as_2d(height, width));
            zip_with(|x, _| x, a, b).flat()
        });
    }
}

/// What zips wrote before they wanted equal lengths.
#[test]
fn zip_shortest_gives_the_text_of_old() {
    let text = |kernel: fn(DPull<EU32>, DPull<EU32>) -> DPull<EU32>| {
        let built = obsidian_core::pipeline::build("k", &Default::default(), |b| {
            let (x, y): (DPull<EU32>, DPull<EU32>) = (b.parameter("x"), b.parameter("y"));
            let all = kernel(x, y);
            b.result(
                all.chunks(64, lit(0))
                    .as_grid_map(|p| p.push::<Block>())
                    .padded(),
            );
        });
        cuda(&built.unwrap())
    };
    let by_hand = text(|x, y| {
        let n = x.len().min(y.len());
        mk_pull(n, move |i| x.at(i) + y.at(i))
    });
    assert_eq!(text(|x, y| zip_with_shortest(|x, y| x + y, x, y)), by_hand);
    assert_eq!(text(|x, y| zip_shortest(x, y).map(|(x, y)| x + y)), by_hand);
}
