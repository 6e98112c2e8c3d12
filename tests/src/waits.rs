//! Is every wait needed? A kernel without one of its waits has a race, or gives a wrong answer.
//!
//! [`remove_each`] takes each wait of a kernel away, for some numbers of threads, and lets the
//! simulator and the judge run what is left. What nobody notices is a wait that is not needed (or one whose lack
//! the simulator does not see): both are worth a look.
//!
//! With the variable [`FOLDER`] in the environment every kernel that [`hold`](crate::hold) is given
//! does this instead of what it does otherwise, and writes what it found to a file in that folder.
//! The test `waits` sets it, runs all tests, and adds up.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use obsidian_judge::Judge;
use obsidian_rt::{Device, Kernel, Result};

use crate::Download;

/// The environment variable that names a folder for what [`remove_each`] finds.
pub const FOLDER: &str = "OBSIDIAN_WAITS";

/// Numbers of threads: a partial warp, two warps, and a number that divides nothing.
pub const THREADS: [u32; 3] = [33, 64, 1000];

/// Did anybody notice that a wait was gone?
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Removed {
    /// The kernel, its threads, the number of the wait in its text, and the wait's scope.
    pub wait: String,
    /// The first thing that was wrong on the simulator; none if all went well.
    pub noticed: Option<String>,
    /// The same for the judge.
    pub judged: Option<String>,
}

/// Takes each wait away, for each number of threads, and launches with each size; blocks work one
/// after the other, and side by side.
///
/// # Errors
/// If the kernel itself, with all its waits, cannot be built or fails.
pub fn remove_each<R: Download>(
    kernel: &Kernel,
    threads: &[u32],
    sizes: &[usize],
    launch: &impl Fn(&Kernel, &Device, usize) -> Result<R>,
    reference: &impl Fn(usize) -> R::Host,
) -> Result<Vec<Removed>> {
    let simulators = [Device::simulator().with_blocks(1), Device::simulator()];
    // It tries one real block of its own accord.
    let judge = [Judge::default().device()];
    let mut found = Vec::new();
    for threads in threads {
        let kernel = kernel.with_threads(*threads)?;
        for n in 0.. {
            let Some((without, scope)) = kernel.without_wait(n)? else {
                break;
            };
            let noticed = wrong(&simulators, &without, sizes, launch, reference);
            let judged = wrong(&judge, &without, sizes, launch, reference);
            found.push(Removed {
                wait: format!("{}, {threads} threads, wait {n} ({scope})", kernel.name()),
                noticed,
                judged,
            });
        }
        let all = [&simulators[..], &judge].concat();
        if let Some(fault) = wrong(&all, &kernel, sizes, launch, reference) {
            panic!(
                "{} with {threads} threads and all its waits: {fault}",
                kernel.name()
            );
        }
    }
    Ok(found)
}

/// What is wrong with a kernel, if anything is.
fn wrong<R: Download>(
    devices: &[Device],
    kernel: &Kernel,
    sizes: &[usize],
    launch: &impl Fn(&Kernel, &Device, usize) -> Result<R>,
    reference: &impl Fn(usize) -> R::Host,
) -> Option<String> {
    for size in sizes {
        for device in devices {
            match launch(kernel, device, *size) {
                Err(fault) => return Some(fault.to_string()),
                Ok(result) if result.download() != reference(*size) => {
                    return Some("another answer".to_owned());
                }
                Ok(_) => {}
            }
        }
    }
    None
}

/// Does what the environment asks for, and says whether it asked.
pub fn asked<R: Download>(
    kernel: &Kernel,
    sizes: &[usize],
    launch: &impl Fn(&Kernel, &Device, usize) -> Result<R>,
    reference: &impl Fn(usize) -> R::Host,
) -> bool {
    let Some(folder) = std::env::var_os(FOLDER) else {
        return false;
    };
    let found = remove_each(kernel, &THREADS, sizes, launch, reference)
        .unwrap_or_else(|error| panic!("{error}"));
    let mut text = String::new();
    for Removed {
        wait,
        noticed,
        judged,
    } in found
    {
        let judged = if judged.is_some() { ", judged" } else { "" };
        let word = noticed.map_or_else(
            || format!("unnoticed{judged}"),
            |how| format!("noticed{judged}: {}", how.replace('\n', " ")),
        );
        writeln!(text, "{wait}: {word}").expect("a string can be written");
    }
    // Kernels of several tests may share a name.
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |h, b| {
        (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3)
    });
    let file = Path::new(&folder).join(format!("{}.{hash:016x}.txt", kernel.name()));
    fs::write(file, text).expect("the folder can be written");
    true
}
