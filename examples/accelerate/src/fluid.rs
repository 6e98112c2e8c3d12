//! Smoke in a box: stable fluids, by the method of Stam.
//!
//! A fluid is a velocity in each cell of a grid, and the density of smoke that it carries along. A step is
//!
//! 1. diffusion: each cell mixes with its neighbours. The equation is implicit, so that no step is too long, and solved by Jacobi's method;
//! 2. projection: flow out of a cell is flow into it. The pressure that makes it so is the solution of Poisson's equation, by the same method, and its
//!    gradient is taken from the velocity;
//! 3. advection: what a cell has comes from where the fluid was before, between the centres of four cells.
//!
//! The loops are `power`: what a round of Jacobi's method computes is built once, and so is a step.

use obsidian_rt::prelude::*;

pub use flow::*;

/// The programs. Each is a function, and a module with `run`, `run_into` and `schedule`.
#[kernels(built)]
pub mod flow {
    /// `steps` steps of the density of smoke and of the velocity of a fluid, down and to the right, in cells a unit of time. `time` is that of a step,
    /// `thickness` and `spread` say how fast velocity and smoke diffuse, and `rounds` how often Jacobi's method runs for each equation.
    #[arrays]
    pub fn flowed(
        steps: EU32,
        rounds: EU32,
        time: EF32,
        thickness: EF32,
        spread: EF32,
        smoke: Arr2<EF32>,
        down: Arr2<EF32>,
        right: Arr2<EF32>,
    ) -> (Arr2<EF32>, Arr2<EF32>, Arr2<EF32>) {
        power(steps, (smoke, down, right), |(smoke, down, right)| {
            let down = mixed(rounds, time * thickness, down);
            let right = mixed(rounds, time * thickness, right);
            let (down, right) = without_sources(rounds, down, right);
            let both = (
                carried(down, down, right, time),
                carried(right, down, right, time),
            );
            let (down, right) = without_sources(rounds, both.0, both.1);
            let smoke = carried(mixed(rounds, time * spread, smoke), down, right, time);
            (smoke, down, right)
        })
    }

    /// Diffusion alone: `rounds` rounds of Jacobi's method for a diffusion of `rate`.
    #[arrays]
    pub fn diffused(rounds: EU32, rate: EF32, field: Arr2<EF32>) -> Arr2<EF32> {
        mixed(rounds, rate, field)
    }

    /// The pressure in a fluid with such sources.
    #[arrays]
    pub fn pressed(rounds: EU32, sources: Arr2<EF32>) -> Arr2<EF32> {
        pressure(rounds, sources)
    }

    fn mixed(rounds: EU32, rate: EF32, field: Arr2<EF32>) -> Arr2<EF32> {
        power(rounds, field, |now| {
            neighbours(now).imap(|at, sum| (field[at] + sum * rate) / (rate * 4.0 + 1.0))
        })
    }

    fn pressure(rounds: EU32, sources: Arr2<EF32>) -> Arr2<EF32> {
        power(rounds, fill(sources.shape(), 0.0f32), |now| {
            neighbours(now).imap(|at, sum| (sources[at] + sum) * 0.25)
        })
    }

    /// The sum of the four neighbours of each cell; beyond a wall it is as at the wall.
    fn neighbours(field: Arr2<EF32>) -> Arr2<EF32> {
        field.stencil(Clamp, |w| {
            w.at((-1, 0)) + w.at((1, 0)) + (w.at((0, -1)) + w.at((0, 1)))
        })
    }

    /// The velocity without what flows out of cells or into them.
    fn without_sources(
        rounds: EU32,
        down: Arr2<EF32>,
        right: Arr2<EF32>,
    ) -> (Arr2<EF32>, Arr2<EF32>) {
        let rising = down.stencil(Clamp, |w| w.at((1, 0)) - w.at((-1, 0)));
        let leaving = right.stencil(Clamp, |w| w.at((0, 1)) - w.at((0, -1)));
        let sources = zip_with(|down, right| (down + right) * -0.5, rising, leaving);
        // A round of the loop reads it once, and should not compute it again.
        let pressure = pressure(rounds, sources.compute());
        let slope_down = pressure.stencil(Clamp, |w| (w.at((1, 0)) - w.at((-1, 0))) * 0.5);
        let slope_right = pressure.stencil(Clamp, |w| (w.at((0, 1)) - w.at((0, -1))) * 0.5);
        (
            zip_with(|speed, slope| speed - slope, down, slope_down),
            zip_with(|speed, slope| speed - slope, right, slope_right),
        )
    }

    /// A field that a velocity has carried along for some time.
    fn carried(field: Arr2<EF32>, down: Arr2<EF32>, right: Arr2<EF32>, time: EF32) -> Arr2<EF32> {
        let (height, width) = field.shape();
        zip(down, right).imap(|(y, x), (down, right)| {
            let (top, below) = place(y as f32 - down * time, height);
            let (left, beside) = place(x as f32 - right * time, width);
            let (lower, next) = ((top + 1).min(height - 1), (left + 1).min(width - 1));
            let between =
                |row: EU32| field[(row, left)] * (1.0 - beside) + field[(row, next)] * beside;
            between(top) * (1.0 - below) + between(lower) * below
        })
    }

    /// The cell of a place, and how far the place is behind its centre.
    fn place(at: EF32, extent: EU32) -> (EU32, EF32) {
        let inside = at.max(0.0).min((extent - 1) as f32);
        let cell = inside as u32;
        (cell, inside - cell as f32)
    }
}
