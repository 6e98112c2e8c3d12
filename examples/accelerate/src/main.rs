//! Runs each program on the device that there is, compares it with plain Rust, and prints a table.

mod rows;

use obsidian_rt::Device;

fn main() -> obsidian_rt::Result<()> {
    let device = Device::best()?;
    println!("on {}", device.name());
    rows::head();
    rows::linear::dot(&device)?;
    rows::elements::options(&device)?;
    rows::elements::points(&device)?;
    rows::elements::bodies(&device)?;
    rows::linear::matrix(&device)?;
    rows::linear::max(&device)?;
    rows::sorts::both(&device)?;
    rows::sorts::sparse(&device)
}
