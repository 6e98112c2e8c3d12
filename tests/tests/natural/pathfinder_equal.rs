//! Four rows of the shortest paths through a grid, by tiles with a halo; `src` has as many elements as the
//! message for `pathfinder` proposes to ask for.

use crate::prelude::*;

#[kernels]
pub mod m {
    fn tile(
        wall: DPull<EI32>,
        src: DPull<EI32>,
        cols: EU32,
        row: EU32,
        b: EU32,
    ) -> Program<Block, Push<Block, EI32>> {
        let prev = to_mutable(generate(256, |t| {
            let x = (b * 248 + t).max(4) - 4;
            src[x.min(cols - 1)]
        }))?;
        let cur = new_shared_mutable(256, lit(0i32))?;
        seq_for(4, |it| {
            for_all(256, |t| {
                let l = prev.read(t.max(1) - 1)?;
                let c = prev.read(t)?;
                let r = prev.read((t + 1).min(255))?;
                let x = ((b * 248 + t).max(4) - 4).min(cols - 1);
                let at = ((row + it) * cols + x).min(wall.len() - 1);
                cur.write(t, l.min(c).min(r) + wall[at])
            })?;
            for_all(256, |t| {
                let c = cur.read(t)?;
                prev.write(t, c)
            })
        })?;
        let end = compute(prev.push())?;
        pure(generate(248, |t| end[t + 4]).push())
    }

    #[kernel(threads = 256)]
    pub fn run(cols: EU32, wall: DPull<EI32>, src: DPull<EI32>) -> DPush<Grid, EI32> {
        require(src.len().equals(cols));
        generate((cols + 247) / 248, |b| {
            exec_block(tile(wall, src, cols, lit(0), b))
        })
        .as_grid()
        .take(cols)
    }
}

/// Four rows of costs, at least one column.
fn costs(cols: usize) -> Vec<i32> {
    (0..4 * cols as i32).map(|i| i * i % 17 - 3).collect()
}

#[test]
fn agrees() {
    hold(
        &m::run::kernel(),
        m::run::CUDA,
        [1, 2, 31, 248, 249, 500],
        |device, cols| {
            let (wall, src) = (costs(*cols), costs(*cols));
            let (wall, src) = (device.upload(&wall)?, device.upload(&src[..*cols])?);
            m::run::launch(device, *cols as u32, &wall, &src)
        },
        |cols: &usize| {
            let (wall, mut row) = (costs(*cols), costs(*cols)[..*cols].to_vec());
            for wall in wall.chunks(*cols) {
                let least = |x: usize| {
                    let near = x.saturating_sub(1)..(x + 2).min(*cols);
                    row[near].iter().min().copied().unwrap()
                };
                row = (0..*cols).map(|x| least(x) + wall[x]).collect();
            }
            row
        },
    );
}
