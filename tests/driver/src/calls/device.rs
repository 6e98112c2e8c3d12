//! Devices and their contexts.
#![allow(non_snake_case)]

use std::ffi::c_char;

use super::{calls, give};
use crate::state::{
    CURRENT, INVALID_CONTEXT, INVALID_DEVICE, INVALID_VALUE, NOT_INITIALIZED, World, in_context,
    variable,
};

/// The most bytes of shared memory of a block: what devices of compute capability 7.5 have.
pub(super) const SHARED_BY_OPT_IN: u32 = 64 << 10;

/// What the devices have, by the numbers of the attributes.
fn attribute(number: i32) -> Option<i32> {
    Some(match number {
        1 => variable("OBSIDIAN_DRIVER_THREADS", 1024),
        5 => i32::MAX,
        8 => variable("OBSIDIAN_DRIVER_SHARED", 48 << 10),
        16 => 4,
        75 => variable("OBSIDIAN_DRIVER_CAPABILITY", 75) / 10,
        76 => variable("OBSIDIAN_DRIVER_CAPABILITY", 75) % 10,
        97 => SHARED_BY_OPT_IN as i32,
        _ => return None,
    })
}

fn known(world: &World, device: i32) -> Result<(), i32> {
    match device {
        _ if !world.started => Err(NOT_INITIALIZED),
        device if (0..variable("OBSIDIAN_DRIVER_DEVICES", 1)).contains(&device) => Ok(()),
        _ => Err(INVALID_DEVICE),
    }
}

/// The context of a device.
pub(super) fn context_of(device: i32) -> usize {
    device as usize + 1
}

/// A context is the number of its device, and one more: none is null.
fn device_of(context: usize) -> Option<i32> {
    i32::try_from(context)
        .ok()?
        .checked_sub(1)
        .filter(|device| *device >= 0)
}

calls! {
    fn cuInit(world, flags: u32) {
        world.started = true;
        if flags == 0 { Ok(()) } else { Err(INVALID_VALUE) }
    }

    fn cuDriverGetVersion(_world, version: *mut i32) {
        // SAFETY: the caller's promise; so for the others.
        unsafe { give(version, 13000) }
    }

    fn cuDeviceGetCount(world, count: *mut i32) {
        if !world.started {
            return Err(NOT_INITIALIZED);
        }
        // SAFETY: as above.
        unsafe { give(count, variable("OBSIDIAN_DRIVER_DEVICES", 1)) }
    }

    fn cuDeviceGet(world, device: *mut i32, ordinal: i32) {
        known(world, ordinal)?;
        // SAFETY: as above.
        unsafe { give(device, ordinal) }
    }

    fn cuDeviceGetName(world, name: *mut c_char, length: i32, device: i32) {
        known(world, device)?;
        let words = b"A device for tests\0";
        if usize::try_from(length).unwrap_or(0) < words.len() || name.is_null() {
            return Err(INVALID_VALUE);
        }
        // SAFETY: the place has `length` bytes, which are enough.
        unsafe { std::ptr::copy_nonoverlapping(words.as_ptr(), name.cast(), words.len()) };
        Ok(())
    }

    fn cuDeviceGetAttribute(world, value: *mut i32, number: i32, device: i32) {
        known(world, device)?;
        // SAFETY: as above.
        unsafe { give(value, attribute(number).ok_or(INVALID_VALUE)?) }
    }

    fn cuDeviceTotalMem_v2(world, bytes: *mut usize, device: i32) {
        known(world, device)?;
        // SAFETY: as above.
        unsafe { give(bytes, 16 << 30) }
    }

    fn cuDevicePrimaryCtxRetain(world, context: *mut usize, device: i32) {
        known(world, device)?;
        *world.retained.entry(device).or_default() += 1;
        // SAFETY: as above.
        unsafe { give(context, context_of(device)) }
    }

    fn cuDevicePrimaryCtxRelease_v2(world, device: i32) {
        match world.retained.get_mut(&device) {
            Some(count) if *count > 0 => *count -= 1,
            _ => return Err(INVALID_CONTEXT),
        }
        Ok(())
    }

    fn cuCtxSetCurrent(world, context: usize) {
        let device = device_of(context).filter(|device| world.retained.get(device).is_some_and(|count| *count > 0));
        CURRENT.set(Some(device.ok_or(INVALID_CONTEXT)?));
        Ok(())
    }

    fn cuDevicePrimaryCtxSetFlags_v2(world, device: i32, _flags: u32) {
        known(world, device)
    }

    fn cuCtxGetDevice(world, device: *mut i32) {
        in_context(world)?;
        // SAFETY: as above.
        unsafe { give(device, CURRENT.get().ok_or(INVALID_CONTEXT)?) }
    }

    fn cuCtxSynchronize(world) {
        in_context(world)
    }
}
