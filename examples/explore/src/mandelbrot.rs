//! The paper's Table 1: square pictures of five sizes by six numbers of threads, a block for each row.

use mandelbrot::reference;
use obsidian_rt::explore::{Candidate, Point, Space, Trial};
use obsidian_rt::prelude::*;
use obsidian_rt::{TypedKernel, language::EU32};

/// The picture of the paper, whose blocks are rows.
#[kernels]
pub mod rows {
    use mandelbrot::pictures::colour;

    /// So many rows of `width` points, spread over the height of the picture.
    pub fn picture(width: u32, rows: EU32) -> DPush<Grid, EU8> {
        let (dx, dy) = (3.2f32 / (lit(width) as f32), 2.4f32 / rows as f32);
        let row = |y: EU32| mk_pull(width, |x| exec_thread_value(colour(-2.0f32 + x as f32 * dx, 1.2f32 - y as f32 * dy))).as_block();
        mk_pull(rows, row).as_grid()
    }
}

/// The 30 points.
pub fn space() -> Space {
    Space::new().powers_of_two("size", 256..=4096).powers_of_two("threads", 32..=1024)
}

/// A picture. A prediction counts some of its rows, in the same distance from each other from the top to the bottom.
///
/// # Errors
/// Where the kernel cannot be built.
pub fn candidate(point: &Point) -> obsidian_rt::Result<Candidate> {
    let width = point.u32("size")?;
    let kernel = TypedKernel::build("mandelbrot", point.u32("threads")?, move |rows: EU32| rows::picture(width, rows))?;
    let value = kernel.kernel().clone();
    Ok(Candidate::new().launch(&value, width.into(), move |_, rows| {
        let (kernel, expected) = (kernel.clone(), reference(rows as usize, width as usize));
        Ok(Trial::new(move |device| kernel.launch(device, rows as u32), move |picture| Ok(picture.to_vec()? == expected)))
    }))
}
