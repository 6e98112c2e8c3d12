//! Programs of several kernels, which are compiled together and loaded before the first launch.

use obsidian_rt::arrays::{Arr0, Arr1, ArrayProgram};
use obsidian_rt::language::EU32;
use obsidian_rt::prelude::*;

use crate::{driver, hold};

/// How far each element is from the largest one, and the sum of that.
fn distances(x: Arr1<EU32>) -> (Arr1<EU32>, Arr0<EU32>) {
    let most = x.max();
    let distances = x.map(move |x| most.the() - x);
    (distances.clone(), distances.sum())
}

pub fn programs() -> crate::Outcome {
    driver::say("reset")?;
    runs().map_err(|error| format!("{error:?}"))?;
    let left = driver::left()?;
    hold(left == (Vec::new(), 0), || format!("left over: {left:?}"))
}

fn runs() -> obsidian_rt::Result<()> {
    let device = Device::cuda(0)?;
    let program = ArrayProgram::build("distances", distances)?;
    // One kernel of a fold is for few elements, two are for many.
    for n in [100u32, 20_000, 20_000] {
        let numbers: Vec<u32> = (0..n).map(|i| i * 7919 % 10_007).collect();
        let x = device.array([n as usize], &numbers)?;
        let (distances, sum) = program.run(&device, &x)?;
        let most = numbers.iter().copied().max().unwrap_or_default();
        let want: Vec<u32> = numbers.iter().map(|x| most - x).collect();
        assert_eq!(sum.value()?, want.iter().sum::<u32>());
        assert_eq!(distances.to_vec()?, want);
    }
    Ok(())
}
