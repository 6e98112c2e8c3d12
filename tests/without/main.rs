//! A program without the feature `run-time`: `.ci/newcomer` builds it in a crate of its own, outside of the workspace, whose other crates ask for
//! that feature. Its kernels run, and what goes wrong has the words and places that it has elsewhere.

use obsidian_rt::prelude::*;

#[kernels]
pub mod kernels {
    #[kernel(threads = 64)]
    pub fn looked_up(places: DPull<EU32>, table: DPull<EU32>) -> DPush<Grid, EU32> {
        places.split_up(2).as_grid_map(|places| places.map(|i| table[i.unchecked()]).push())
    }

    fn rooted(x: Pull<EF32>) -> Program<Block, Push<Block, EF32>> {
        for_all(x.len(), |i| assert!(x[i] >= 0.0, "numbers that have a root"))?;
        pure(x.map(|x| x.sqrt()).push())
    }

    #[kernel(threads = 64)]
    pub fn roots(x: DPull<EF32>) -> DPush<Grid, EF32> {
        x.split_up(4).as_grid_map(|x| exec_block(rooted(x)))
    }

    #[arrays]
    pub fn gathered(i: Arr1<EU32>, x: Arr1<EF32>) -> Arr1<EF32> {
        gather(i, x)
    }

    #[arrays]
    pub fn mean(x: Arr1<EF32>) -> Arr0<EF32> {
        let n = x.len();
        x.sum().map(|s| s / n as f32)
    }

    #[device(range)]
    pub fn quotient(i: usize, x: &[u32], y: &[u32]) -> u32 {
        x[i] / y[i]
    }

    #[device(range)]
    pub fn entry(i: usize, x: &[i32]) -> i32 {
        let table = [1, 2, 3];
        if x[i] < 0 {
            panic!("no such place");
        }
        table[x[i] as usize]
    }
}

/// Holds that a launch ends with a fault of these words, at a line of this file that has this text.
fn fault<R>(result: obsidian_rt::Result<R>, words: &str, line: &str) {
    let error = result.err().expect("a fault");
    assert_eq!(error.kind(), ErrorKind::Fault);
    let message = error.to_string();
    assert!(message.contains(words), "{message}");
    let lines = include_str!("main.rs").lines();
    let at = lines.enumerate().filter(|(_, text)| text.contains(line)).map(|(n, _)| n + 1);
    let at: Vec<String> = at.map(|n| format!("main.rs:{n}:")).collect();
    assert!(at.iter().any(|at| message.contains(at)), "{message} is not at one of {at:?}");
}

fn main() -> obsidian_rt::Result<()> {
    if std::env::var_os("OBSIDIAN_DEVICE").is_some_and(|device| device == "simulator") {
        let error = Device::best().expect_err("there is no simulator");
        assert_eq!(error.kind(), ErrorKind::NoRunTime);
        println!("{error}");
        return Ok(());
    }
    let device = &Device::cpu();
    let table = device.upload(&[10u32, 20])?;
    let looked_up = |places: [u32; 2]| kernels::looked_up::launch(device, &device.upload(&places)?, &table);
    assert_eq!(looked_up([1, 0])?.to_vec()?, [20, 10]);
    fault(looked_up([0, 7]), "index 7 is outside of `table`, which has length 2", "table[i.unchecked()]");

    let roots = |x: [f32; 4]| kernels::roots::launch(device, &device.upload(&x)?);
    assert_eq!(roots([1.0, 4.0, 9.0, 16.0])?.to_vec()?, [1.0, 2.0, 3.0, 4.0]);
    fault(roots([1.0, 4.0, -9.0, 16.0]), "numbers that have a root", "assert!(x[i] >= 0.0");

    let x = device.array([3], &[0f32, 1.0, 5.0])?;
    assert_eq!(kernels::mean::run(device, &x)?.value()?, 2.0);
    let gathered = |i: [u32; 3]| kernels::gathered::run(device, &device.array([3], &i)?, &x)?.to_vec();
    assert_eq!(gathered([2, 0, 1])?, [5.0, 0.0, 1.0]);
    fault(gathered([0, 1, 3]), "index 3 is outside of `x`, which has length 3", "gather(i, x)");

    let quotient = |n, y: [u32; 3]| kernels::quotient::compute(device, [n], (&[7, 8, 9], &y))?.to_vec();
    assert_eq!(quotient(3, [1, 2, 4])?, [7, 4, 2]);
    fault(quotient(3, [1, 0, 0]), "attempt to divide by zero", "x[i] / y[i]");
    fault(quotient(4, [1, 2, 4]), "index 3 is outside of `x`, which has length 3", "x[i] / y[i]");
    let entry = |x: [i32; 2]| kernels::entry::compute(device, [2], (&x,))?.to_vec();
    assert_eq!(entry([2, 0])?, [3, 1]);
    fault(entry([0, -1]), "no such place", "panic!(\"no such place\")");
    fault(entry([0, 4]), "index out of bounds: the array has 3 elements", "table[x[i] as usize]");
    println!("all is as it is with the compiler");
    Ok(())
}
