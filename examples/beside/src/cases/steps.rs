//! What a launch itself costs: many small ones that depend on each other. Times are those of one launch.

use std::mem::swap;
use std::time::Instant;

use crate::bench::{Bench, Checked, same};
use crate::kernels::tuned;

/// 10,000 launches of a kernel of 1,024 elements, by themselves and from a recording of 1,000.
pub fn steps(bench: &Bench) -> Checked<()> {
    let d = &bench.device;
    let steps = bench.pick(100, 10_000);
    bench.case("tiny launches", "10000x1024").by("kernel", || {
        let (mut x, mut y) = (d.zeros::<f32>(1024)?, d.zeros::<f32>(1024)?);
        tuned::increased::launch_into(d, &x, &mut y)?;
        let time = bench.steps(steps, 0.0, || {
            x.fill(0.0)?;
            for _ in 0..steps {
                tuned::increased::launch_into(d, &x, &mut y)?;
                swap(&mut x, &mut y);
            }
            Ok(())
        })?;
        same(x.to_vec()?, vec![steps as f32; 1024])?;
        Ok(time)
    });
    bench.case("tiny recorded", "10000x1024").by("kernel", || {
        let part = steps.min(1000);
        let mut buffers = (d.zeros::<f32>(1024)?, d.zeros::<f32>(1024)?);
        let start = Instant::now();
        let mut recording = d.record(&buffers, |d, (x, y)| {
            for _ in 0..part / 2 {
                tuned::increased::launch_into(d, x, y)?;
                tuned::increased::launch_into(d, y, x)?;
            }
            Ok(())
        })?;
        recording.replay(&mut buffers)?;
        d.synchronize()?;
        let first_ms = start.elapsed().as_secs_f64() * 1e3;
        let time = bench.steps(steps, first_ms, || {
            buffers.0.fill(0.0)?;
            for _ in 0..steps / part {
                recording.replay(&mut buffers)?;
            }
            Ok(())
        })?;
        same(buffers.0.to_vec()?, vec![steps as f32; 1024])?;
        Ok(time)
    });
    Ok(())
}
