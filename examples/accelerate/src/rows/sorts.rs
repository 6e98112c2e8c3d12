//! The rows of the two sorts, and of sparse matrices.

use accelerate::{
    inputs, reference, sorted_by_bits, sorted_by_library, sparse_by_rows, sparse_times_vector,
};
use obsidian_rt::prelude::*;

use super::{Result, Row, largest, scale, timed};

/// The sort written by hand and that of the library, which give the same.
pub fn both(device: &Device) -> Result<()> {
    let n = 1_000_003 / scale(device);
    let keys = inputs::numbers(15, n);
    let given = device.array([n], &keys)?;
    let (by_hand, found) = timed(|| sorted_by_bits::run(device, &given)?.to_vec())?;
    let (by_library, same) = timed(|| sorted_by_library::run(device, &given)?.to_vec())?;
    let (plain, want) = timed(|| {
        let mut keys = keys.clone();
        keys.sort();
        Ok(keys)
    })?;
    let differ = |found: &[u32]| found.iter().zip(&want).filter(|(x, y)| x != y).count() as f64;
    let all = [
        (by_hand, differ(&found), sorted_by_bits::schedule()),
        (by_library, differ(&same), sorted_by_library::schedule()),
    ];
    for (run, error, schedule) in all {
        let row = Row {
            elements: n,
            numbers: &[n as u64],
            times: [run, plain],
            error,
        };
        row.print(schedule);
    }
    Ok(())
}

/// A sparse matrix times a vector, by a scan of all segments and by a thread for each row.
pub fn sparse(device: &Device) -> Result<()> {
    let (height, width) = (30_011 / scale(device), 20_011 / scale(device));
    let m = inputs::sparse(height, width);
    let v = inputs::floats(16, width, -1.0, 1.0);
    let n = m.values.len();
    let offsets = device.array([height + 1], &m.offsets)?;
    let columns = device.array([n], &m.columns)?;
    let values = device.array([n], &m.values)?;
    let vector = device.array([width], &v)?;
    let (all, found) =
        timed(|| sparse_times_vector::run(device, &offsets, &columns, &values, &vector)?.to_vec())?;
    let (each, same) =
        timed(|| sparse_by_rows::run(device, &offsets, &columns, &values, &vector)?.to_vec())?;
    let (plain, want) = timed(|| {
        let (offsets, columns) = (&m.offsets, &m.columns);
        Ok(reference::sparse_times_vector(
            offsets, columns, &m.values, &v,
        ))
    })?;
    let error = |found: &[f32]| {
        let pairs = found.iter().zip(&want);
        largest(pairs.map(|(own, want)| (f64::from(*own) - want).abs()))
    };
    let all = [
        (all, error(&found), sparse_times_vector::schedule()),
        (each, error(&same), sparse_by_rows::schedule()),
    ];
    for (run, error, schedule) in all {
        let row = Row {
            elements: n,
            numbers: &[height as u64 + 1, n as u64, n as u64, width as u64],
            times: [run, plain],
            error,
        };
        row.print(schedule);
    }
    Ok(())
}
