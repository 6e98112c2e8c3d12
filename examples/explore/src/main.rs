//! `explore SPACE`: explores one of the paper's design spaces. `--help` says how.

use std::sync::Arc;

use clap::{Parser, Subcommand};
use explore::options::Options;
use explore::reduction::Work;
use explore::searches::{Scores, print};
use explore::{compare, held, large_reduction, large_scan, mandelbrot, reduction, scan};
use obsidian_rt::explore::{Gpu, Point};

/// Explores the design spaces of the paper.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    space: Spaces,
}

#[derive(Subcommand)]
enum Spaces {
    /// Seven reductions, eight sizes, six numbers of threads (Figure 9, Table 2)
    Reduction {
        #[command(flatten)]
        options: Options,
        /// How many blocks a candidate has, instead of 2^24 elements in all; the paper has 8,192
        #[arg(long)]
        blocks: Option<u64>,
    },
    /// Five scans, five sizes, six numbers of threads (Figure 12, Table 3)
    Scan {
        #[command(flatten)]
        options: Options,
        /// How many blocks a candidate has, instead of 2^24 elements in all; the paper has 8,192
        #[arg(long)]
        blocks: Option<u64>,
    },
    /// 2^24 elements in two launches (Table 4); with --adaptive by a kernel whose depth adapts, at
    /// three sizes (Figure 13), where one block is counted of each candidate if --effort says
    /// nothing else
    LargeReduction {
        #[command(flatten)]
        options: Options,
        /// Figure 13 instead of Table 4
        #[arg(long)]
        adaptive: bool,
    },
    /// Three sizes in three launches (Figure 14); one block is counted of each candidate if
    /// --effort says nothing else
    LargeScan {
        #[command(flatten)]
        options: Options,
    },
    /// Five sizes of a picture, six numbers of threads (Table 1)
    Mandelbrot {
        #[command(flatten)]
        options: Options,
    },
    /// Sums by loops over tiles: elements a thread, threads, width of loads, tiles in an iteration;
    /// with --scans scans in registers
    Held {
        #[command(flatten)]
        options: Options,
        /// Scans of runs instead of sums
        #[arg(long)]
        scans: bool,
    },
    /// Predicted costs beside the paper's tables
    Compare,
    /// Searches against random search, on the spaces above; of the adaptive reductions and the large scans on the smallest size
    Searches,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let work = |blocks: Option<u64>| blocks.map_or(Work::Elements(1 << 24), Work::Blocks);
    let space = Arguments::parse().space;
    // Before hours of work on smaller ones.
    match &space {
        Spaces::Reduction { options, blocks } => {
            work(*blocks).fits(options.largest("elements", &::reduction::ELEMENTS))?;
        }
        Spaces::Scan { options, blocks } => {
            work(*blocks).fits(options.largest("elements", &::scan::ELEMENTS))?;
        }
        Spaces::Mandelbrot { options } => options.without_climbing(6)?,
        Spaces::Held {
            options,
            scans: true,
        } => options.without_climbing(10)?,
        _ => {}
    }
    match space {
        Spaces::Reduction { options, blocks } => options.explore(
            "Reductions",
            reduction::space(),
            move |key| reduction::job(work(blocks), key),
            reduction::candidate,
        ),
        Spaces::Scan { options, blocks } => options.explore(
            "Scans",
            scan::space(),
            move |key| scan::job(work(blocks), key),
            scan::candidate,
        ),
        Spaces::LargeReduction {
            options,
            adaptive: false,
        } => options.explore(
            "Large reductions",
            large_reduction::space(),
            large_reduction::job,
            large_reduction::candidate,
        ),
        Spaces::LargeReduction {
            options,
            adaptive: true,
        } => options.with_effort(1).explore(
            "Adaptive reductions",
            large_reduction::adaptive_space(),
            large_reduction::adaptive_job,
            large_reduction::adaptive_candidate,
        ),
        Spaces::LargeScan { options } => {
            let kernels = large_scan::Kernels::default();
            options.with_effort(1).explore(
                "Large scans",
                large_scan::space(),
                large_scan::job,
                move |point| kernels.candidate(point),
            )
        }
        Spaces::Mandelbrot { options } => options.explore(
            "The Mandelbrot set",
            mandelbrot::space(),
            mandelbrot::job,
            mandelbrot::candidate,
        ),
        Spaces::Held {
            options,
            scans: false,
        } => options.with_effort(1).explore(
            "Sums in tiles",
            held::sums(),
            |_| Ok(held::sums_job(held::ELEMENTS)),
            held::sum,
        ),
        Spaces::Held {
            options,
            scans: true,
        } => options.explore(
            "Scans in registers",
            held::scans(),
            |key| held::scans_job(held::ELEMENTS, key),
            held::scan,
        ),
        Spaces::Compare => Ok(compare::run()?),
        Spaces::Searches => Ok(searches()?),
    }
}

/// Tries the grids and prints what the searches make of them.
fn searches() -> obsidian_rt::Result<()> {
    let gpu = Gpu::named("gtx680")?;
    let work = Work::Elements(1 << 20);
    let reductions = Scores::of(
        &reduction::space(),
        &gpu,
        move |key| reduction::job(work, key),
        reduction::candidate,
    )?;
    print("reductions", &reductions)?;
    let scans = Scores::of(
        &scan::space(),
        &gpu,
        move |key| scan::job(work, key),
        scan::candidate,
    )?;
    print("scans", &scans)?;
    let large = Scores::of(
        &large_reduction::space(),
        &gpu,
        large_reduction::job,
        large_reduction::candidate,
    )?;
    print("large reductions", &large)?;
    let h100 = Gpu::named("h100")?;
    let sums = Scores::of(
        &held::sums(),
        &h100,
        |_| Ok(held::sums_job(1 << 20)),
        held::sum,
    )?;
    print("sums in tiles", &sums)?;
    let held = Scores::of(
        &held::scans(),
        &h100,
        |key| held::scans_job(1 << 20, key),
        held::scan,
    )?;
    print("scans in registers", &held)?;
    let pictures = Scores::of(
        &mandelbrot::space(),
        &gpu,
        mandelbrot::job,
        mandelbrot::candidate,
    )?;
    print("pictures", &pictures)?;
    // The smallest of three sizes: a block of the largest goes through up to 2^21 elements.
    let adaptive = Scores::of(
        &large_reduction::adaptive_space().constraint("2^23 elements", is_smallest),
        &gpu,
        large_reduction::adaptive_job,
        large_reduction::adaptive_candidate,
    )?;
    print("adaptive reductions", &adaptive)?;
    let kernels = Arc::new(large_scan::Kernels::default());
    let scans = Scores::of(
        &large_scan::space().constraint("2^23 elements", is_smallest),
        &gpu,
        large_scan::job,
        move |point| kernels.candidate(point),
    )?;
    print("large scans", &scans)
}

fn is_smallest(point: &Point) -> obsidian_rt::Result<bool> {
    Ok(point.u32("elements")? == 1 << 23)
}
