//! `assert!` on device values and `show!`: an assertion that does not hold is one error, with text and line, on every device; what is shown
//! has a name and changes nothing.

#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

use obsidian_executor::Executor;
use obsidian_rt::language::*;
use obsidian_rt::prelude::*;
use obsidian_rt::{Error, ErrorKind, TypedKernel};

#[kernels]
mod kernels {
    /// Adds one, to numbers below 100.
    #[kernel(threads = 64)]
    pub fn below(out: MGlobal<EU32>) -> Program<Grid, ()> {
        distr_par(out.len() / 64, |b| {
            for_all(64, |t| {
                let i = b * 64 + t;
                let x = out.read(i)?;
                assert!(x < 100, "a number is below 100")?; // below
                out.write(i, x + 1)
            })
        })
    }

    /// One assertion in each round of a loop, and one behind it, without a text.
    #[kernel(threads = 32)]
    pub fn rounds(out: MGlobal<EU32>) -> Program<Grid, ()> {
        assert!(1 + 1 == 2, "an assertion of the host stays one");
        distr_par(out.len() / 32, |b| {
            for_all(32, |t| {
                let i = b * 32 + t;
                seq_for(3, |k| {
                    let x = out.read(i)?;
                    assert_ne!(x + k, 77, "no sum is 77")?; // rounds
                    out.write(i, x + k)
                })?;
                let x = out.read(i)?;
                assert!(x >= 3)?; // behind
                assert_eq!(x % 2, x % 4 % 2) // (it holds)
            })
        })
    }

    /// An assertion, and an index that the kernel vouches for.
    #[kernel(threads = 32, faults)]
    pub fn both(input: DPull<EU32>, out: MGlobal<EU32>) -> Program<Grid, ()> {
        distr_par(out.len() / 32, |b| {
            for_all(32, |t| {
                let i = b * 32 + t;
                let x = out.read(i)?;
                assert!(x > 0, "positive")?; // both
                out.write(i, input[x.unchecked()]) // outside
            })
        })
    }

    /// Shows values of several types.
    #[kernel(threads = 32)]
    pub fn shown(scale: EF64, out: MGlobal<EU32>) -> Program<Grid, ()> {
        distr_par(out.len() / 32, |b| {
            for_all(32, |t| {
                let i = b * 32 + t;
                let x = out.read(i)?;
                cond(x == 5, shows(scale, i, x), pure(()))?;
                out.write(i, x)
            })
        })
    }

    fn shows(scale: EF64, i: EU32, x: EU32) -> Program<Thread, ()> {
        show!(x)?;
        show!(i == 7)?;
        show!(x as f32 * 0.5)?;
        show!(scale)?;
        show!((x as i64) - 6)?;
        show!((x as u64) << 33)?;
        show!(x as u8)
    }
}

/// The line of this file with a comment.
fn line(comment: &str) -> usize {
    let comment = format!("// {comment}");
    let place = include_str!("reports.rs")
        .lines()
        .position(|line| line.ends_with(&comment));
    place.unwrap() + 1
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

#[track_caller]
fn is_fault(error: Error, kernel: &str, words: &str, comment: &str) {
    let said = error.to_string();
    assert_eq!(error.kind(), ErrorKind::Fault, "{said}");
    assert_eq!(error.kernel(), Some(kernel), "{said}");
    assert!(said.contains(words), "`{words}` is not in: {said}");
    let place = format!("tests/messages/reports.rs:{}:", line(comment));
    assert!(said.contains(&place), "`{place}` is not in: {said}");
}

#[test]
fn an_assertion_that_does_not_hold_is_an_error_with_text_and_line() {
    for device in devices() {
        for length in [64, 256, 64 * 33] {
            let mut numbers: Vec<u32> = (0..length).map(|i| i % 100).collect();
            let mut out = device.upload(&numbers).unwrap();
            kernels::below::launch(&device, &mut out).unwrap();
            let wanted: Vec<u32> = numbers.iter().map(|x| x + 1).collect();
            assert_eq!(out.to_vec().unwrap(), wanted);
            numbers[length as usize - 3] = 100;
            let mut out = device.upload(&numbers).unwrap();
            let error = kernels::below::launch(&device, &mut out).unwrap_err();
            let words = "an assertion does not hold: a number is below 100";
            is_fault(error, "below", words, "below");
        }
    }
}

#[test]
fn loops_and_several_assertions_name_the_one_that_fails() {
    for device in devices() {
        let launch = |number: u32| {
            let mut out = device.upload(&[number; 64]).unwrap();
            kernels::rounds::launch(&device, &mut out).map(|()| out.to_vec().unwrap())
        };
        assert_eq!(launch(5).unwrap(), [8; 64]);
        is_fault(launch(77).unwrap_err(), "rounds", "no sum is 77", "rounds");
        is_fault(launch(74).unwrap_err(), "rounds", "no sum is 77", "rounds");
        let words = "this assertion does not hold";
        is_fault(
            launch(0_u32.wrapping_sub(3)).unwrap_err(),
            "rounds",
            words,
            "behind",
        );
    }
}

#[test]
fn an_assertion_and_a_vouched_index_are_told_apart() {
    for device in devices() {
        let launch = |numbers: Vec<u32>| {
            let mut out = device.upload(&numbers).unwrap();
            let input = device.upload(&[3_u32; 32]).unwrap();
            kernels::both::launch(&device, &input, &mut out).map(|()| out.to_vec().unwrap())
        };
        let all: Vec<u32> = (0..32).collect();
        is_fault(launch(all).unwrap_err(), "both", "positive", "both");
        let error = launch((1..33).collect()).unwrap_err();
        is_fault(error, "both", "index 32", "outside");
        assert_eq!(launch(vec![31; 32]).unwrap(), [3; 32]);
    }
}

/// Any number of threads, and where the check stands in copies of a body.
#[test]
fn any_number_of_threads_finds_the_same() {
    for device in devices() {
        for threads in [1, 31, 33, 1000, 1023] {
            let device = device.with_threads(threads);
            let mut numbers = [1; 128];
            numbers[64 + 37] = 500;
            let mut out = device.upload(&numbers).unwrap();
            let error = kernels::below::launch(&device, &mut out).unwrap_err();
            is_fault(error, "below", "below 100", "below");
        }
    }
}

#[test]
fn what_is_shown_changes_nothing() {
    for device in devices() {
        let numbers: Vec<u32> = (0..64).map(|i| i % 32).collect();
        let mut out = device.upload(&numbers).unwrap();
        kernels::shown::launch(&device, 0.25, &mut out).unwrap();
        assert_eq!(out.to_vec().unwrap(), numbers);
    }
    let kernel = kernels::shown::kernel();
    let text = kernel.cuda();
    for line in [
        r#"printf("x: %u (block %u, thread %u)\n", (unsigned int)(x), blockIdx.x, threadIdx.x);"#,
        r#"printf("x as f32*0.5: %.9g (block"#,
        r#"printf("scale: %.17g (block"#,
        r#"printf("(x as i64)-6: %lld (block"#,
        r#"printf("x as u8: %u (block"#,
    ] {
        assert!(text.contains(line), "{line} is not in {text}");
    }
}

/// Without the macros: functions of the library, in a kernel that is built at run time.
#[test]
fn kernels_built_at_run_time_have_them_too() {
    let kernel = TypedKernel::build("checked", 32, |out: MGlobal<EU32>| {
        distr_par::<Grid>(out.len() / 32, move |b| {
            let out = out.clone();
            for_all(32, move |t| {
                let (i, out) = (b * 32 + t, out.clone());
                out.read(i).and_then(move |x| {
                    assert_that(x.lt(9), "below 9 \"%s\" ??/")
                        .and_then(move |()| show("100% \"x\"", x))
                })
            })
        })
    })
    .unwrap();
    assert!(
        kernel
            .kernel()
            .cuda()
            .contains(r#"printf("100%% \"x\": %u "#)
    );
    for device in devices() {
        let mut out = device.upload(&[8_u32; 32]).unwrap();
        kernel.launch(&device, &mut out).unwrap();
        let mut out = device.upload(&[9_u32; 32]).unwrap();
        let error = kernel.launch(&device, &mut out).unwrap_err();
        assert!(error.to_string().contains("below 9 \"%s\" ??/"), "{error}");
    }
}
