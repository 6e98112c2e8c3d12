//! `i.distinct()` promises that no other access has the index. The simulator checks the promise when
//! the kernel runs, also where two virtual threads are one real thread; the CPU takes it.

#![allow(missing_docs, clippy::unwrap_used)]

use obsidian_rt::prelude::*;
use obsidian_rt::{Error, ErrorKind};

#[kernels]
mod kernels {
    #[kernel(threads = 64)]
    pub fn scatter(to: DPull<EU32>, x: DPull<EU32>) -> DPush<Grid, EU32> {
        let n = x.len();
        require(to.len().equals(n));
        // scatter
        mk_push(n, |write| {
            distr_par(n.div_ceil(64), |b| {
                for_all(64, |t| {
                    let i = b * 64 + t;
                    let to = to[i].unchecked().distinct();
                    cond(i < n, write(x[i], to), pure(()))
                })
            })
        })
    }

    fn stored(x: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let places = new_shared_mutable(64, 0u32)?;
        for_all(64, |i| places.write((x[i] % 64).distinct(), i))?; // stored
        pure(places.push())
    }

    #[kernel(threads = 64)]
    pub fn shared(x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.split_up(64)
            .as_grid_map(|chunk| exec_block(stored(chunk)))
    }

    #[kernel(threads = 64)]
    pub fn in_place(io: MGlobal<EU32>, to: DPull<EU32>) -> Program<Grid, ()> {
        distr_par(to.len() / 64, |b| {
            for_all(64, |t| {
                let at = to[b * 64 + t].unchecked().distinct();
                let x = io.read(at)?;
                io.write(at, x + 1)
            })
        })
    }
}

/// The line of this file with a comment.
fn line(comment: &str) -> usize {
    let comment = format!("// {comment}");
    let place = include_str!("distinct.rs")
        .lines()
        .position(|line| line.ends_with(&comment));
    place.unwrap() + 1
}

#[track_caller]
fn is_broken(error: &Error, words: &str, line: usize) {
    let said = error.to_string();
    assert_eq!(error.kind(), ErrorKind::Fault, "{said}");
    let place = format!("tests/messages/distinct.rs:{line}:");
    for part in [words, "`distinct()` promises", &place] {
        assert!(said.contains(part), "`{part}` is not in: {said}");
    }
}

/// A permutation, and the same with the first index in place of the last.
fn indices(n: u32) -> (Vec<u32>, Vec<u32>) {
    let right: Vec<u32> = (0..n).map(|i| (i * 7 + 3) % n).collect();
    let mut wrong = right.clone();
    wrong[n as usize - 1] = right[0];
    (right, wrong)
}

fn simulators() -> [Device; 4] {
    [
        Device::simulator(),
        Device::simulator().with_threads(32),
        Device::simulator().with_threads(1),
        Device::simulator().with_blocks(2),
    ]
}

#[test]
fn the_simulator_finds_an_element_that_is_written_twice() {
    for device in simulators() {
        let (x, to) = indices(256);
        let (x, to) = (device.upload(&x).unwrap(), device.upload(&to).unwrap());
        let error = kernels::scatter::launch(&device, &to, &x).unwrap_err();
        is_broken(&error, "`output`[3] is written twice", line("scatter") + 1);
        let mut io = device.zeros::<u32>(256).unwrap();
        let error = kernels::in_place::launch(&device, &mut io, &to).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Fault, "{error}");
        assert!(error.to_string().contains("`io`[3]"), "{error}");
        let x = device.upload(&indices(64).1).unwrap();
        let error = kernels::shared::launch(&device, &x).unwrap_err();
        is_broken(&error, "`places`[3] is written twice", line("stored"));
    }
}

#[test]
fn a_promise_that_is_kept_is_right_everywhere() {
    let (numbers, x): (_, Vec<u32>) = (indices(256).0, (1000..1256).collect());
    let mut expected = vec![0; 256];
    let pairs = numbers.iter().zip(&x);
    pairs.for_each(|(to, x)| expected[*to as usize] = *x);
    for device in simulators()
        .into_iter()
        .chain([Device::cpu(), Device::cpu_by_columns()])
    {
        let to = device.upload(&numbers).unwrap();
        let x = device.upload(&x).unwrap();
        let scattered = kernels::scatter::launch(&device, &to, &x).unwrap();
        assert_eq!(scattered.to_vec().unwrap(), expected);
        let mut io = device.zeros::<u32>(256).unwrap();
        kernels::in_place::launch(&device, &mut io, &to).unwrap();
        assert_eq!(io.to_vec().unwrap(), [1; 256]);
        let placed = kernels::shared::launch(&device, &to)
            .unwrap()
            .to_vec()
            .unwrap();
        for (piece, to) in placed.chunks(64).zip(numbers.chunks(64)) {
            let mut all = to.iter().zip(0..);
            assert!(
                all.all(|(to, i)| piece[*to as usize % 64] == i),
                "{piece:?}"
            );
        }
    }
}
