//! The rows of edges and of the fluid.

use std::path::Path;

use accelerate::picture::{Failure, Picture, write_grey};
use accelerate::reference::{self, Fluid};
use accelerate::{edges, flowed, inputs};
use obsidian_rt::arrays::{Array, Ix2};
use obsidian_rt::prelude::*;

use super::{Result, Row, largest, timed};

/// Thresholds for edges, in shades of grey from pixel to pixel.
const LOW: u32 = 3;
const HIGH: u32 = 10;

/// The edges of a picture: that of a file, or one that is made. They can be written to a file.
pub fn canny(
    device: &Device,
    picture: Option<&Path>,
    file: Option<&Path>,
) -> std::result::Result<(), Failure> {
    let is_slow = device.name() == "simulator";
    let picture = match (picture, is_slow) {
        (Some(path), _) => Picture::read(path)?,
        (None, false) => Picture::made(601, 803),
        (None, true) => Picture::made(29, 35),
    };
    let extents = [picture.height, picture.width];
    let given = device.array(extents, &picture.pixels)?;
    let (run, found) = timed(|| edges::run(device, &given, LOW, HIGH)?.to_vec())?;
    let (plain, want) = timed(|| Ok(reference::edges(&picture, LOW, HIGH)))?;
    let differ = found.iter().zip(&want).filter(|(x, y)| x != y).count();
    let row = Row {
        elements: picture.pixels.len(),
        numbers: &extents.map(|extent| extent as u64),
        times: [run, plain],
        error: differ as f64,
    };
    row.print(edges::schedule());
    file.map_or(Ok(()), |file| write_grey(file, extents, &found))
}

const FLUID: Fluid = Fluid {
    rounds: 20,
    time: 0.5,
    thickness: 0.05,
    spread: 0.02,
};

/// Smoke in a box.
pub fn fluid(device: &Device) -> Result<()> {
    let (extents, steps) = match device.name() {
        "simulator" => ([23, 31], 1),
        _ => ([127, 161], 20),
    };
    let state = inputs::fluid(extents[0], extents[1]);
    let [smoke, down, right] = arrays(device, extents, &state)?;
    let (run, found) = timed(|| {
        let (smoke, down, right) = step(device, steps, [&smoke, &down, &right])?;
        Ok([smoke.to_vec()?, down.to_vec()?, right.to_vec()?])
    })?;
    let (plain, want) = timed(|| Ok(reference::flowed(steps, FLUID, extents, &state)))?;
    let pairs = found.iter().flatten().zip(want.iter().flatten());
    let [height, width] = extents.map(|extent| extent as u64);
    let row = Row {
        elements: extents[0] * extents[1],
        numbers: &[
            steps.into(),
            FLUID.rounds.into(),
            0,
            0,
            0,
            height,
            width,
            height,
            width,
            height,
            width,
        ],
        times: [run, plain],
        error: largest(pairs.map(|(own, want)| (f64::from(*own) - want).abs())),
    };
    row.print(flowed::schedule());
    Ok(())
}

/// Writes a picture of the smoke after each of 100 steps.
pub fn frames(device: &Device, folder: &Path) -> std::result::Result<(), Failure> {
    let extents = [256, 256];
    let [mut smoke, mut down, mut right] =
        arrays(device, extents, &inputs::fluid(extents[0], extents[1]))?;
    for frame in 0..100 {
        let shades = smoke.to_vec()?.into_iter();
        let shades: Vec<u8> = shades
            .map(|x| (x * 255.0).clamp(0.0, 255.0) as u8)
            .collect();
        write_grey(&folder.join(format!("{frame:03}.png")), extents, &shades)?;
        (smoke, down, right) = step(device, 1, [&smoke, &down, &right])?;
    }
    println!("100 frames in {}", folder.display());
    Ok(())
}

type Field = Array<Ix2, f32>;

fn arrays(device: &Device, extents: [usize; 2], state: &[Vec<f32>; 3]) -> Result<[Field; 3]> {
    let [smoke, down, right] = state.each_ref();
    Ok([
        device.array(extents, smoke)?,
        device.array(extents, down)?,
        device.array(extents, right)?,
    ])
}

fn step(
    device: &Device,
    steps: u32,
    [smoke, down, right]: [&Field; 3],
) -> Result<(Field, Field, Field)> {
    let (rounds, time) = (FLUID.rounds, FLUID.time);
    let (thickness, spread) = (FLUID.thickness, FLUID.spread);
    flowed::run(
        device, steps, rounds, time, thickness, spread, smoke, down, right,
    )
}
