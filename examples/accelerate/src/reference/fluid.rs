//! A fluid, one cell after another, in double precision.

/// A grid of cells, row by row.
type Field = Vec<f64>;

/// A grid of cells.
#[derive(Clone, Copy)]
struct Grid {
    height: i64,
    width: i64,
}

impl Grid {
    fn cells(self) -> impl Iterator<Item = (i64, i64)> {
        (0..self.height).flat_map(move |y| (0..self.width).map(move |x| (y, x)))
    }

    fn at(self, field: &[f64], y: i64, x: i64) -> f64 {
        let (y, x) = (y.clamp(0, self.height - 1), x.clamp(0, self.width - 1));
        field[(y * self.width + x) as usize]
    }

    /// Solves `weight * cell - rate * neighbours = field`, from `start`.
    fn solved(self, rounds: u32, weight: f64, rate: f64, field: &[f64], start: Field) -> Field {
        let mut now = start;
        for _ in 0..rounds {
            let next = self.cells().map(|(y, x)| {
                let places = [(y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)];
                let sum: f64 = places.iter().map(|(y, x)| self.at(&now, *y, *x)).sum();
                (self.at(field, y, x) + rate * sum) / weight
            });
            now = next.collect();
        }
        now
    }

    fn diffused(self, rounds: u32, rate: f64, field: &[f64]) -> Field {
        self.solved(rounds, 1.0 + 4.0 * rate, rate, field, field.to_vec())
    }

    fn projected(self, rounds: u32, down: &mut Field, right: &mut Field) {
        let sources = self.cells().map(|(y, x)| {
            let flow = self.at(down, y + 1, x) - self.at(down, y - 1, x) + self.at(right, y, x + 1)
                - self.at(right, y, x - 1);
            -flow / 2.0
        });
        let sources: Field = sources.collect();
        let nothing = vec![0.0; sources.len()];
        let pressure = self.solved(rounds, 4.0, 1.0, &sources, nothing);
        for (i, (y, x)) in self.cells().enumerate() {
            down[i] -= (self.at(&pressure, y + 1, x) - self.at(&pressure, y - 1, x)) / 2.0;
            right[i] -= (self.at(&pressure, y, x + 1) - self.at(&pressure, y, x - 1)) / 2.0;
        }
    }

    fn carried(self, field: &[f64], down: &[f64], right: &[f64], time: f64) -> Field {
        let cell = |(i, (y, x)): (usize, (i64, i64))| {
            let from_y = (y as f64 - time * down[i]).clamp(0.0, (self.height - 1) as f64);
            let from_x = (x as f64 - time * right[i]).clamp(0.0, (self.width - 1) as f64);
            let (top, left) = (from_y.floor(), from_x.floor());
            let mut sum = 0.0;
            for (dy, dx) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                let weight = |far: f64, by: i64| if by == 0 { 1.0 - far } else { far };
                sum += weight(from_y - top, dy)
                    * weight(from_x - left, dx)
                    * self.at(field, top as i64 + dy, left as i64 + dx);
            }
            sum
        };
        self.cells().enumerate().map(cell).collect()
    }
}

/// What a fluid is like.
#[derive(Clone, Copy, Debug)]
pub struct Fluid {
    /// Rounds of Jacobi's method for each equation.
    pub rounds: u32,
    /// The time of a step.
    pub time: f32,
    /// How fast velocity diffuses.
    pub thickness: f32,
    /// How fast smoke does.
    pub spread: f32,
}

/// Smoke, and velocity down and to the right: [`flowed`](crate::flowed()).
pub fn flowed(
    steps: u32,
    fluid: Fluid,
    [height, width]: [usize; 2],
    state: &[Vec<f32>; 3],
) -> [Vec<f64>; 3] {
    let grid = Grid {
        height: height as i64,
        width: width as i64,
    };
    let rounds = fluid.rounds;
    let time = f64::from(fluid.time);
    let field = |cells: &Vec<f32>| -> Field { cells.iter().copied().map(f64::from).collect() };
    let [mut smoke, mut down, mut right] = state.each_ref().map(field);
    for _ in 0..steps {
        let rate = time * f64::from(fluid.thickness);
        down = grid.diffused(rounds, rate, &down);
        right = grid.diffused(rounds, rate, &right);
        grid.projected(rounds, &mut down, &mut right);
        (down, right) = (
            grid.carried(&down, &down, &right, time),
            grid.carried(&right, &down, &right, time),
        );
        grid.projected(rounds, &mut down, &mut right);
        smoke = grid.diffused(rounds, time * f64::from(fluid.spread), &smoke);
        smoke = grid.carried(&smoke, &down, &right, time);
    }
    [smoke, down, right]
}
