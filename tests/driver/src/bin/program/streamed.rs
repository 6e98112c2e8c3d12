//! Sequences on queues of their own: while one chunk is computed, the next one is on its way to the device and the results of the one before are on
//! their way back.

use std::cell::RefCell;
use std::ops::ControlFlow;

use obsidian_rt::sequence::{Sequence, collect, for_each, sum};
use obsidian_rt::{Device, Error, ErrorKind};

use crate::driver::{counts, say};
use crate::{Outcome, hold, inject};

/// The elements of a chunk: one grain.
const CHUNK: usize = 4096;
/// How many chunks there are.
const CHUNKS: usize = 8;

/// The calls that load kernels, which is done in front of the first launch as far as it works.
const AHEAD: [&str; 5] = [
    "cuFuncGetAttribute",
    "cuFuncSetAttribute",
    "cuModuleGetFunction",
    "cuModuleLoadDataEx",
    "cuOccupancyMaxActiveBlocksPerMultiprocessor",
];

fn element(i: u64) -> u32 {
    (i as u32).wrapping_mul(2_654_435_761)
}

fn right() -> (u32, Vec<u32>) {
    let all = (0..(CHUNK * CHUNKS) as u64).map(element);
    let sum = all.clone().fold(0u32, u32::wrapping_add);
    (sum, all.map(|x| x ^ 5).collect())
}

/// All of it.
pub fn everything() -> Outcome {
    let words = |error: Error| format!("{error:?}");
    order().map_err(words)??;
    memory().map_err(words)??;
    lengths().map_err(words)??;
    faults().map_err(words)?
}

/// Which calls there are, and in which order.
fn order() -> obsidian_rt::Result<Outcome> {
    let device = Device::cuda(0)?;
    let numbers = || Sequence::generate((CHUNK * CHUNKS) as u64, element).map(|x| x ^ 5u32);
    // The first run compiles.
    let first = numbers().collect().chunk(CHUNK).run(&device)?.to_vec()?;
    if first != right().1 {
        return Ok(Err("the results are wrong".to_owned()));
    }
    let begun = say("trace");
    numbers().consume(collect()).chunk(CHUNK).run(&device)?;
    Ok(begun.and_then(|_| ordered(&say("traced")?)))
}

/// The stream of a copy or a launch.
fn stream_of<'a>(call: &[&'a str]) -> Option<&'a str> {
    match call.first() {
        Some(&"cuMemcpyHtoDAsync_v2" | &"cuMemcpyDtoHAsync_v2") => call.get(4).copied(),
        // The function, six numbers of blocks and threads, shared memory, and the stream.
        Some(&"cuLaunchKernel") => call.get(9).copied(),
        _ => None,
    }
}

fn ordered(trace: &str) -> Outcome {
    let bytes = (CHUNK * 4).to_string();
    let calls: Vec<Vec<&str>> = trace
        .lines()
        .map(|line| line.split(' ').collect())
        .collect();
    let places = |name: &str| -> Vec<usize> {
        let is_it = |call: &Vec<&str>| {
            let is_chunk = !name.starts_with("cuMemcpy") || call.get(3) == Some(&bytes.as_str());
            call.first() == Some(&name) && is_chunk
        };
        let all = calls.iter().enumerate().filter(|(_, call)| is_it(call));
        all.map(|(place, _)| place).collect()
    };
    let streams = |places: &[usize]| -> Vec<&str> {
        let mut all: Vec<&str> = places
            .iter()
            .filter_map(|n| stream_of(&calls[*n]))
            .collect();
        all.dedup();
        all
    };
    let [up, launches, down] = [
        "cuMemcpyHtoDAsync_v2",
        "cuLaunchKernel",
        "cuMemcpyDtoHAsync_v2",
    ]
    .map(places);
    let found = [&up, &launches, &down].map(|places| streams(places));
    hold(
        up.len() == CHUNKS && launches.len() == CHUNKS && down.len() == CHUNKS,
        || {
            format!(
                "{} copies up, {} launches, {} down: {trace}",
                up.len(),
                launches.len(),
                down.len()
            )
        },
    )?;
    let [into, compute, back] = &found;
    hold(
        found.iter().all(|streams| streams.len() == 1)
            && into != compute
            && compute != back
            && into != back,
        || format!("the streams are {found:?}"),
    )?;
    // When the host waits for the launches of a chunk.
    let is_wait = |call: &&Vec<&str>| call[..] == ["cuStreamSynchronize", compute[0]];
    for i in 0..CHUNKS - 1 {
        let wait = (launches[i]..).zip(&calls[launches[i]..]);
        let wait = wait.into_iter().find(|(_, call)| is_wait(call));
        let wait = wait.map_or(usize::MAX, |(place, _)| place);
        // The next chunk is on its way by then, and the results of the one before.
        hold(up[i + 1] < wait, || {
            format!("copy {} is late:\n{trace}", i + 1)
        })?;
        hold(i == 0 || down[i - 1] < wait, || {
            format!("results {} are late:\n{trace}", i.saturating_sub(1))
        })?;
        // They come back behind the launch of the next chunk.
        hold(launches[i + 1] < down[i], || {
            format!("results {i} are early:\n{trace}")
        })?;
    }
    Ok(())
}

/// From the third chunk on, nothing is allocated.
fn memory() -> obsidian_rt::Result<Outcome> {
    let device = Device::cuda(0)?;
    let seen = RefCell::new(Vec::new());
    let numbers = Sequence::generate((CHUNK * 20) as u64, element).map(|x| x ^ 5u32);
    let watched = numbers.consume((collect(), sum())).chunk(CHUNK).watch(|_| {
        let now = counts([
            "cuMemAlloc_v2",
            "cuMemAllocHost_v2",
            "cuStreamCreate",
            "cuModuleLoadDataEx",
        ]);
        seen.borrow_mut().push(now);
        ControlFlow::Continue(())
    });
    watched.run(&device)?;
    let seen = seen.into_inner();
    // What is written when chunk 3 is done was asked for before chunk 5 was.
    Ok(hold(
        seen.len() == 20 && seen[3..].iter().all(|now| *now == seen[3]),
        || {
            format!(
                "allocations of the device, of the host, streams and modules after each chunk: {seen:?}"
            )
        },
    ))
}

/// Chunks of other lengths, of several components, and elements of different lengths.
fn lengths() -> obsidian_rt::Result<Outcome> {
    let device = Device::cuda(0)?;
    let pairs: Vec<(u32, f64)> = (0..1000).map(|n| (n, f64::from(n) / 8.0)).collect();
    let found = Sequence::slice(&pairs)
        .map(|(n, x)| (x, n))
        .collect()
        .chunk(77)
        .run(&device)?;
    let turned: Vec<(f64, u32)> = pairs.iter().map(|&(n, x)| (x, n)).collect();
    if found.to_vec()? != turned {
        return Ok(Err("pairs are wrong".to_owned()));
    }
    let values: Vec<u32> = (0..5000).collect();
    let offsets: Vec<usize> = (0..=50).map(|n| n * n * 2).collect();
    let sums = Sequence::segments(&values, &offsets);
    let sums = sums.map_chunks(|parts| parts.fold(|x, y| x + y, 0u32.into()));
    let sums = sums.collect().chunk(300).run(&device)?.to_vec()?;
    let wanted: Vec<u32> = offsets
        .windows(2)
        .map(|w| values[w[0]..w[1]].iter().sum())
        .collect();
    Ok(hold(sums == wanted, || {
        format!("sums of segments: {sums:?}")
    }))
}

/// A source that fails and a kernel that does: what came before is complete, and nothing that comes after is given away.
fn faults() -> obsidian_rt::Result<Outcome> {
    let device = Device::cuda(0)?;
    let taken = RefCell::new(Vec::new());
    let numbers = Sequence::generate((CHUNK * CHUNKS) as u64, |i| {
        assert!(i < (CHUNK * 5) as u64, "no more");
        element(i)
    });
    let run = numbers.for_each(|xs| {
        taken.borrow_mut().extend_from_slice(xs);
        Ok::<(), Error>(())
    });
    let error = run.chunk(CHUNK).run(&device).err();
    let found = error.as_ref().map(|error| (error.kind(), error.chunk()));
    let wanted: Vec<u32> = (0..(CHUNK * 5) as u64).map(element).collect();
    if found != Some((ErrorKind::Source, Some(5))) || *taken.borrow() != wanted {
        return Ok(Err(format!(
            "a source that fails: {error:?}, {} elements",
            taken.borrow().len()
        )));
    }
    taken.borrow_mut().clear();
    // An index that is outside, in chunk 3.
    let table = device.array([CHUNK * 3], &vec![1u32; CHUNK * 3])?;
    let places = Sequence::generate((CHUNK * CHUNKS) as u64, |i| i as u32).with(&table);
    let looked_up = places.map_chunks(|(places, table)| places.map(move |i| table.at(i)));
    let run = looked_up.consume(for_each(|xs: &[u32]| {
        taken.borrow_mut().extend_from_slice(xs);
        Ok::<(), Error>(())
    }));
    let error = run.chunk(CHUNK).run(&device).err();
    let found = error.as_ref().map(|error| (error.kind(), error.chunk()));
    Ok(hold(
        found == Some((ErrorKind::Fault, Some(3))) && taken.borrow().len() == CHUNK * 3,
        || {
            format!(
                "an index that is outside: {error:?}, {} elements",
                taken.borrow().len()
            )
        },
    ))
}

/// Any call of the driver fails, in any chunk: the error has its number if there is one, and what sinks were given is complete.
pub fn may_fail() -> Outcome {
    let given = RefCell::new(Vec::new());
    let (sums, wanted) = right();
    let run = || -> obsidian_rt::Result<u32> {
        given.borrow_mut().clear();
        let device = Device::cuda(0)?;
        let numbers = Sequence::generate((CHUNK * CHUNKS) as u64, element);
        let kept = numbers.clone().map(|x| x ^ 5u32).for_each(|xs| {
            given.borrow_mut().push(xs.to_vec());
            Ok::<(), Error>(())
        });
        let (sum, ()) = numbers.sum().and(kept).chunk(CHUNK).run(&device)?;
        Ok(sum)
    };
    let check = |error: &Error| {
        let given = given.borrow();
        let is_prefix = given
            .iter()
            .zip(wanted.chunks(CHUNK))
            .all(|(own, wanted)| own == wanted);
        hold(is_prefix, || "a sink was given something wrong".to_owned())?;
        // Beside building and opening it is known in which chunk it was, and no later one was given away.
        hold(
            error
                .chunk()
                .is_none_or(|chunk| given.len() as u64 <= chunk),
            || {
                format!(
                    "{} chunks were given away, and the error is of {:?}",
                    given.len(),
                    error.chunk()
                )
            },
        )?;
        hold(
            error.chunk().is_some() || given.is_empty() || given.len() == CHUNKS,
            || {
                format!(
                    "the error has no chunk, after {} of them: {error:?}",
                    given.len()
                )
            },
        )
    };
    inject::of(&run, &sums, 200, (&check, &AHEAD))
}
