//! Kernels of array programs that several programs of a module have: the last pass of a sum, say. The first program has
//! them, and the others launch its kernels.

use super::CompiledKernel;
use obsidian_core::arrays::Likeness;
use obsidian_core::plan::Interface;

/// A kernel of an array program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KernelOf {
    /// The function that is the program.
    pub function: u32,
    /// The number of the kernel among those that the program has itself.
    pub number: usize,
}

/// Finds out which kernels an earlier program has, too; they get its names for them.
pub(super) fn find(kernels: &mut [CompiledKernel]) {
    let mut known: Vec<(Likeness, Interface, KernelOf)> = Vec::new();
    // A program with a mistake has no kernels that others could launch.
    let programs = kernels
        .iter_mut()
        .filter(|kernel| kernel.schedule.is_some() && kernel.is_whole());
    for program in programs {
        let (function, mut number) = (program.function, 0);
        let names = program.schedule.iter_mut().flat_map(|s| &mut s.kernels);
        for (kernel, launched) in program.variants.iter_mut().zip(names) {
            let Ok((plan, interface)) = &kernel.plan else {
                continue;
            };
            let own = Likeness::of(plan);
            let launched_alike = |other: &Interface| {
                let mut named = other.clone();
                named.name = interface.name.clone();
                *interface == named
            };
            let same = known
                .iter()
                .find(|(likeness, other, _)| *likeness == own && launched_alike(other));
            if let Some((_, other, place)) = same {
                kernel.instead = Some(*place);
                launched.name = other.name.to_string();
                continue;
            }
            known.push((own, interface.clone(), KernelOf { function, number }));
            number += 1;
        }
    }
}
