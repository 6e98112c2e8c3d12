//! Loops over blocks inside of loops of the grid, several of them, and launches without blocks:
//! issue 16, item 3.

#![allow(missing_docs, clippy::unwrap_used)]

use obsidian_rt::prelude::*;
use obsidian_rt::{Buffer, Device, ErrorKind, Result};
use obsidian_tests::census::Census;
use obsidian_tests::{devices, fact, samples};

#[kernels]
pub mod m {
    /// Four rounds over all blocks, each with a quarter of what a block writes.
    #[kernel(threads = 64)]
    pub fn in_quarters(x: DPull<EU32>) -> DPush<Grid, EU32> {
        let (n, p) = (x.len(), x.split_up(256));
        mk_push(n, |write| {
            seq_for::<Grid>(4, |r| {
                distr_par(p.len(), |b| {
                    for_all(64, |i| {
                        write(x[b * 256 + r * 64 + i] + r, b * 256 + r * 64 + i)
                    })
                })
            })
        })
    }

    /// Rounds of rounds.
    #[kernel(threads = 32)]
    pub fn in_two_loops(x: DPull<EU32>) -> DPush<Grid, EU32> {
        let (n, p) = (x.len(), x.split_up(48));
        mk_push(n, |write| {
            seq_for::<Grid>(2, |q| {
                seq_for::<Grid>(3, |r| {
                    distr_par(p.len(), |b| {
                        for_all(8, |i| {
                            let at = b * 48 + q * 24 + r * 8 + i;
                            write(x[at] + q * 10 + r, at)
                        })
                    })
                })
            })
        })
    }

    /// Works of the grid in order.
    #[kernel(threads = 64)]
    pub fn in_order(s: EU32) -> DPush<Grid, EU32> {
        lift_seq(generate(3, |r| {
            generate(4, |b| {
                generate(64, |i| s + r * 1000 + b * 64 + i).push::<Block>()
            })
            .as_grid()
        }))
        .to_dyn()
    }

    /// Each thread changes its own elements once in every round, as often as an argument says.
    #[kernel(threads = 64)]
    pub fn in_place(io: MGlobal<EU32>, rounds: EU32) -> Program<Grid, ()> {
        let n = io.len();
        seq_for::<Grid>(rounds, |r| {
            distr_par(n / 50, |b| {
                for_all(50, |i| {
                    let x = io.read(b * 50 + i)?;
                    io.write(b * 50 + i, x * 3 + r)
                })
            })
        })
    }

    /// Loops with different numbers of blocks, of which the largest is the last one in a loop.
    #[kernel(threads = 32)]
    pub fn different_counts(
        a: MGlobal<EU32>,
        b: MGlobal<EU32>,
        c: MGlobal<EU32>,
    ) -> Program<Grid, ()> {
        distr_par(1, |_| for_all(1, |_| a.write(0, lit(7_u32))))?;
        seq_for::<Grid>(2, |r| {
            distr_par(b.len(), |k| for_all(1, |_| b.write(k, k + r)))?;
            distr_par(c.len(), |k| for_all(1, |_| c.atomic_add(k, k + r).void()))
        })
    }

    /// Writes whole pieces, of which a launch has to give some.
    #[kernel(threads = 64)]
    pub fn whole_pieces_only(x: DPull<EU32>) -> DPush<Grid, EU32> {
        let n = x.len();
        require(n.multiple_of(256));
        mk_push(n, |write| {
            distr_par(n / 256, |b| {
                for_all(256, |i| {
                    let at = (b * 256 + i).unchecked();
                    write(x[at], at)
                })
            })
        })
    }

    /// As many elements as there are in whole pieces.
    #[kernel(threads = 64)]
    pub fn as_long_as_whole_pieces(x: DPull<EU32>) -> DPush<Grid, EU32> {
        let blocks = x.len() / 256;
        mk_push(blocks * 256, |write| {
            distr_par(blocks, |b| {
                for_all(256, |i| write(x[b * 256 + i], b * 256 + i))
            })
        })
    }

    /// What the message for a number of blocks of a round proposes.
    #[kernel(threads = 64)]
    pub fn triangle(io: MGlobal<EU32>) -> Program<Grid, ()> {
        let n = io.len() / 64;
        seq_for::<Grid>(n, |r| {
            distr_par(n, |b| {
                for_all(64, |i| {
                    let x = io.read(b * 64 + i)?;
                    cond(b < n - r, io.write(b * 64 + i, x + 1), pure(()))
                })
            })
        })
    }

    /// Two loops over blocks in which the same thread has the same elements.
    #[kernel(threads = 64)]
    pub fn same_thread(io: MGlobal<EU32>) -> Program<Grid, ()> {
        let n = io.len() / 100;
        distr_par(n, |b| for_all(100, |i| io.write(b * 100 + i, b * 1000 + i)))?;
        distr_par(n, |b| {
            for_all(70, |i| {
                let x = io.read(b * 100 + i)?;
                io.write(b * 100 + i, x * 2)
            })
        })
    }
}

fact!(a_loop_over_blocks_in_a_loop: m::in_quarters[256](x: u32) == (0..).zip(x).map(|(i, x)| x + i / 64 % 4).collect());
fact!(a_loop_over_blocks_in_two_loops: m::in_two_loops[48](x: u32) == (0..).zip(x).map(|(i, x)| x + i / 24 % 2 * 10 + i / 8 % 3).collect());
fact!(no_whole_piece_and_no_element: m::as_long_as_whole_pieces[100](x: u32) == x[..x.len() / 256 * 256].to_vec());

/// Every device gives what the reference does, and the count of the kernel's own blocks agrees.
fn on_all(f: impl Fn(&Device) -> Result<Vec<u32>>, expected: &[u32]) {
    let census = Census::default();
    f(&census.device()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(census.unknown(), 0);
    for (words, device) in devices() {
        let found = f(&device).unwrap_or_else(|error| panic!("{words}: {error}"));
        assert_eq!(found, expected, "{words}");
    }
}

#[test]
fn works_of_the_grid_are_done_in_order() {
    let expected: Vec<u32> = (0..3 * 256).map(|i| 5 + i / 256 * 1000 + i % 256).collect();
    on_all(|device| m::in_order::launch(device, 5)?.to_vec(), &expected);
}

#[test]
fn rounds_change_a_buffer() {
    for (n, rounds) in [(0, 3), (1, 0), (1, 3), (7, 2)] {
        let before = samples::<u32>(n * 50);
        let step = |x: u32, r: u32| x.wrapping_mul(3).wrapping_add(r);
        let expected: Vec<u32> = before.iter().map(|x| (0..rounds).fold(*x, step)).collect();
        let run = |device: &Device| {
            let mut io = device.upload(&before)?;
            m::in_place::launch(device, &mut io, rounds)?;
            io.to_vec()
        };
        on_all(run, &expected);
    }
}

#[test]
fn the_largest_of_all_counts_is_launched() {
    for (b, c) in [(0, 0), (1, 3), (4, 1), (0, 5)] {
        let run = |device: &Device| {
            let zeros = |n: usize| device.upload(&vec![0_u32; n]);
            let (mut first, mut second, mut third) = (zeros(1)?, zeros(b)?, zeros(c)?);
            m::different_counts::launch(device, &mut first, &mut second, &mut third)?;
            let all: [Buffer<u32>; 3] = [first, second, third];
            let lists: Result<Vec<Vec<u32>>> = all.iter().map(Buffer::to_vec).collect();
            Ok(lists?.concat())
        };
        let second = (0..b as u32).map(|k| k + 1);
        let third = (0..c as u32).map(|k| 2 * k + 1);
        let expected: Vec<u32> = [7].into_iter().chain(second).chain(third).collect();
        on_all(run, &expected);
    }
}

#[test]
fn rounds_leave_blocks_out_as_the_message_proposes() {
    let run = |device: &Device| {
        let mut io = device.upload(&vec![0_u32; 5 * 64])?;
        m::triangle::launch(device, &mut io)?;
        io.to_vec()
    };
    let expected: Vec<u32> = (0..5 * 64).map(|at| 5 - at / 64).collect();
    on_all(run, &expected);
}

#[test]
fn one_thread_is_in_order_in_two_loops_over_blocks() {
    let run = |device: &Device| {
        let mut io = device.upload(&vec![0_u32; 700])?;
        m::same_thread::launch(device, &mut io)?;
        io.to_vec()
    };
    let of = |b: u32, i: u32| (b * 1000 + i) * if i < 70 { 2 } else { 1 };
    let expected: Vec<u32> = (0..700).map(|at| of(at / 100, at % 100)).collect();
    on_all(run, &expected);
}

/// Nobody is given memory that nothing has written.
#[test]
fn a_launch_of_no_whole_piece_is_an_error() {
    for (words, device) in devices() {
        let run = |n: usize| {
            let x = device.upload(&samples::<u32>(n))?;
            m::whole_pieces_only::launch(&device, &x)?.to_vec()
        };
        let error = run(100).expect_err(&words);
        assert_eq!(error.kind(), ErrorKind::Requirement, "{words}");
        let message = error.to_string();
        assert!(
            message.contains("multiple of 256") && message.contains("100"),
            "{message}"
        );
        assert_eq!(run(0).unwrap(), [0; 0], "{words}");
        assert_eq!(run(512).unwrap(), samples::<u32>(512), "{words}");
    }
}
