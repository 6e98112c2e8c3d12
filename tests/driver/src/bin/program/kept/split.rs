//! Buffers that are split and put together, on each kind of device.

use obsidian_rt::prelude::*;

use crate::driver;
use crate::kernels::{numbers, sums, sums_of_64};

/// All of it.
pub fn everything() -> obsidian_rt::Result<()> {
    let devices = [Device::cuda(0)?, Device::cpu(), Device::simulator()];
    for device in &devices {
        one_read_and_one_written(device)?;
        at_random(device, 0x5eed_0021)?;
        at_the_ends(device)?;
        others(device, &devices)?;
        recorded(device)?;
    }
    kept_by_parts()?;
    no_memory_to_give_away()?;
    on_streams()
}

/// A launch reads a part and writes the part behind it, at places that are not aligned; nothing is allocated.
fn one_read_and_one_written(device: &Device) -> obsidian_rt::Result<()> {
    for start in [0, 1, 3] {
        let elements = numbers(start + 64 * 5 + 5 + 2);
        let mut all = device.upload(&elements)?;
        let allocations = driver::count("cuMemAlloc_v2");
        let mut input = all.split_off(start)?;
        let mut output = input.split_off(64 * 5)?;
        let rest = output.split_off(5)?;
        sums::sums_of_64::launch_into(device, &input, &mut output)?;
        let sums = sums_of_64(&elements[start..start + 64 * 5]);
        assert_eq!(output.to_vec()?, sums);
        assert_eq!((all.len(), input.len(), rest.len()), (start, 64 * 5, 2));
        for part in [input, output, rest] {
            all.unsplit(part)?;
        }
        assert_eq!(driver::count("cuMemAlloc_v2"), allocations);
        let mut expected = elements.clone();
        expected[start + 64 * 5..start + 64 * 5 + 5].copy_from_slice(&sums);
        assert_eq!(all.into_vec()?, expected);
    }
    Ok(())
}

/// Splits, launches, fills, copies and unsplits in any order, beside vectors that do the same.
fn at_random(device: &Device, seed: u64) -> obsidian_rt::Result<()> {
    let mut state = seed;
    let mut random = move |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut parts = vec![(device.upload(&numbers(1000))?, numbers(1000))];
    for step in 0..400 {
        let one = random(parts.len());
        match random(5) {
            0 | 1 if parts.len() < 12 => {
                let (buffer, model) = &mut parts[one];
                let at = random(model.len() + 1);
                let rest = (buffer.split_off(at)?, model.split_off(at));
                parts.insert(one + 1, rest);
            }
            2 => {
                let (buffer, model) = &mut parts[one];
                let value = random(1 << 20) as u32;
                buffer.fill(value)?;
                model.fill(value);
            }
            3 => {
                let other = random(parts.len());
                if one != other {
                    let whole = parts[one].1.len().min(parts[other].1.len()) / 32 * 32;
                    let (from, from_model) =
                        (parts[one].0.slice(..whole)?, parts[one].1[..whole].to_vec());
                    let doubled = sums::doubled::launch(device, &from)?;
                    let (to, model) = &mut parts[other];
                    let rest = to.split_off(whole)?;
                    to.copy_from_buffer(&doubled)?;
                    to.unsplit(rest)?;
                    let twice = from_model.iter().map(|x| x.wrapping_mul(2));
                    model[..whole].copy_from_slice(&twice.collect::<Vec<_>>());
                }
            }
            _ if parts.len() > 1 => {
                // Neighbours, or a part that does not belong there, which is copied.
                let behind = if random(4) > 0 {
                    one + 1
                } else {
                    random(parts.len())
                };
                if behind != one && behind < parts.len() {
                    let (buffer, model) = parts.remove(behind);
                    let (to, whole) = &mut parts[if behind < one { one - 1 } else { one }];
                    to.unsplit(buffer)?;
                    whole.extend(model);
                }
            }
            _ => {}
        }
        for (buffer, model) in &parts {
            assert_eq!(buffer.to_vec()?, *model, "step {step}, seed {seed:#x}");
        }
    }
    Ok(())
}

/// Empty parts, and places that are none.
fn at_the_ends(device: &Device) -> obsidian_rt::Result<()> {
    let mut all = device.upload(&numbers(64))?;
    let error = all.split_off(65).err();
    let found = error.map(|error| (error.kind(), error.needed(), error.limit()));
    assert_eq!(found, Some((ErrorKind::TooLong, Some(65), Some(64))));
    let nothing = all.split_off(64)?;
    assert!(nothing.is_empty() && nothing.to_vec()?.is_empty());
    let mut everything = all.split_off(0)?;
    assert!(all.is_empty());
    everything.unsplit(nothing)?;
    assert_eq!(
        sums::sums_of_64::launch(device, &everything)?.to_vec()?,
        sums_of_64(&numbers(64))
    );
    all.unsplit(everything)?;
    assert_eq!(all.into_vec()?, numbers(64));
    let mut empty = device.zeros::<u32>(0)?;
    let half = empty.split_off(0)?;
    empty.unsplit(half)?;
    assert!(empty.into_vec()?.is_empty());
    Ok(())
}

/// Buffers that were never split from each other are copied, also from another device.
fn others(device: &Device, devices: &[Device]) -> obsidian_rt::Result<()> {
    for other in devices {
        let mut first = device.upload(&numbers(5))?;
        first.unsplit(other.upload(&[7, 8])?)?;
        let mut expected = numbers(5);
        expected.extend([7, 8]);
        assert_eq!(
            (first.device().name(), first.to_vec()?),
            (device.name(), expected)
        );
    }
    // Neighbours in the wrong order.
    let mut front = device.upload(&[1u32, 2, 3])?;
    let mut back = front.split_off(2)?;
    back.unsplit(front)?;
    assert_eq!(back.into_vec()?, [3, 1, 2]);
    Ok(())
}

/// Parts are buffers of recorded work, which splits none itself.
fn recorded(device: &Device) -> obsidian_rt::Result<()> {
    let mut input = device.upload(&numbers(64 * 2 + 2))?;
    let output = input.split_off(64 * 2)?;
    let mut parts = (input, output);
    let mut recording = device.record(&parts, |device, (input, output)| {
        sums::sums_of_64::launch_into(device, input, output)
    })?;
    recording.replay(&mut parts)?;
    assert_eq!(parts.1.to_vec()?, sums_of_64(&numbers(128)));
    let refused = device
        .record(&parts, |_, (input, _)| input.split_off(5).map(drop))
        .err();
    let refused = refused.map(|error| (error.kind(), error.to_string()));
    assert!(
        matches!(&refused, Some((ErrorKind::CannotRun, words)) if words.contains("cannot split buffers")),
        "{refused:?}"
    );
    Ok(())
}

/// The memory stays as long as one part, and is free behind the last.
fn kept_by_parts() -> obsidian_rt::Result<()> {
    let device = Device::cuda(0)?;
    let mut all = device.upload(&numbers(5000))?;
    let mut middle = all.split_off(1000)?;
    let back = middle.split_off(1000)?;
    drop((all, back));
    let allocations = driver::count("cuMemAlloc_v2");
    assert_eq!(middle.to_vec()?, numbers(5000)[1000..2000]);
    // Another buffer of the size does not get this memory, and after it is gone one does.
    let other = device.upload(&numbers(5000))?;
    assert_eq!(driver::count("cuMemAlloc_v2"), allocations + 1);
    drop(middle);
    let another = device.upload(&numbers(5000))?;
    assert_eq!(driver::count("cuMemAlloc_v2"), allocations + 1);
    assert_eq!(
        (other.to_vec()?, another.to_vec()?),
        (numbers(5000), numbers(5000))
    );
    Ok(())
}

/// A part that does not begin where its memory begins is not given to another library; a whole that was put together is.
fn no_memory_to_give_away() -> obsidian_rt::Result<()> {
    let device = Device::cuda(0)?;
    let mut front = device.upload(&numbers(64))?;
    let back = front.split_off(32)?;
    drop(front);
    assert_eq!(
        back.into_raw().err().map(|error| error.kind()),
        Some(ErrorKind::CannotRun)
    );
    let mut front = device.upload(&numbers(64))?;
    let back = front.split_off(32)?;
    front.unsplit(back)?;
    let pointer = front.into_raw()?;
    // SAFETY: the memory was given away, and holds 64 numbers of four bytes.
    let again = unsafe { device.buffer_from_raw::<u32>(pointer, 64, ()) }?;
    assert_eq!(again.to_vec()?, numbers(64));
    drop(again);
    assert_eq!(driver::free(pointer), Ok(0));
    Ok(())
}

/// Two streams write the parts of one buffer.
fn on_streams() -> obsidian_rt::Result<()> {
    let device = Device::cuda(0)?;
    let (first, second) = (device.stream()?, device.stream()?);
    let input = device.upload(&numbers(64 * 8))?;
    let mut left = device.zeros(16)?;
    let mut right = left.split_off(8)?;
    for _ in 0..3 {
        sums::sums_of_64::launch_into(first.device(), &input, &mut left)?;
        sums::sums_of_64::launch_into(second.device(), &input, &mut right)?;
    }
    left.unsplit(right)?;
    assert_eq!(
        left.to_vec()?,
        [sums_of_64(&numbers(64 * 8)), sums_of_64(&numbers(64 * 8))].concat()
    );
    Ok(())
}
