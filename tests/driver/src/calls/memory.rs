//! Memory of the device and of the host, and copies.
#![allow(non_snake_case)]

use std::ffi::c_void;

use super::device::context_of;
use super::{calls, give};
use crate::state::{INVALID_VALUE, Late, OUT_OF_MEMORY, Object, in_context};

calls! {
    fn cuMemAlloc_v2(world, address: *mut u64, bytes: usize) {
        in_context(world)?;
        match bytes {
            0 => return Err(INVALID_VALUE),
            // Less than what the device says that it has: a program is told too late.
            bytes if bytes > 8 << 30 => return Err(OUT_OF_MEMORY),
            _ => {}
        }
        let new = world.allocate(bytes);
        // SAFETY: the caller's promise.
        unsafe { give(address, new) }
    }

    fn cuMemFree_v2(world, address: u64) {
        in_context(world)?;
        world.memory.remove(&address).map(drop).ok_or(INVALID_VALUE)
    }

    fn cuMemGetInfo_v2(world, free: *mut usize, total: *mut usize) {
        in_context(world)?;
        let used: usize = world.memory.values().map(Vec::len).sum();
        // SAFETY: the caller's promise.
        unsafe {
            give(free, (8usize << 30).saturating_sub(used))?;
            give(total, 8 << 30)
        }
    }

    fn cuPointerGetAttribute(world, value: *mut usize, attribute: i32, address: u64) {
        in_context(world)?;
        let (start, memory) = world.memory.range(..=address).next_back().ok_or(INVALID_VALUE)?;
        if address - start >= memory.len() as u64 {
            return Err(INVALID_VALUE);
        }
        let device = *world.devices.get(start).ok_or(INVALID_VALUE)?;
        // The one that is asked for where each piece belongs to a context: which one.
        if attribute != 1 {
            return Err(INVALID_VALUE);
        }
        // SAFETY: the caller's promise.
        unsafe { give(value, context_of(device)) }
    }

    fn cuMemAllocHost_v2(world, address: *mut *mut c_void, bytes: usize) {
        in_context(world)?;
        let mut words = vec![0xa5a5_a5a5_a5a5_a5a5_u64; bytes.div_ceil(8).max(1)].into_boxed_slice();
        let new = words.as_mut_ptr();
        world.pinned.insert(new as u64, words);
        // SAFETY: the caller's promise.
        unsafe { give(address, new.cast()) }
    }

    fn cuMemFreeHost(world, address: *mut c_void) {
        in_context(world)?;
        let address = address as u64;
        let end = address + world.pinned.get(&address).ok_or(INVALID_VALUE)?.len() as u64 * 8;
        // It is freed under a copy: the device would read or write what is not there any more.
        if world.late.iter().any(|late| (address..end).contains(&late.host)) {
            return Err(INVALID_VALUE);
        }
        world.pinned.remove(&address).map(drop).ok_or(INVALID_VALUE)
    }

    fn cuMemcpyHtoDAsync_v2(world, to: u64, from: *const u8, count: usize, stream: u64) {
        in_context(world)?;
        stream_exists(world, stream)?;
        world.bytes(to, count)?;
        if world.postpone(Late { address: to, host: from as u64, count, to_device: true }) {
            return Ok(());
        }
        world.settle()?;
        let bytes = world.bytes(to, count)?;
        // SAFETY: the caller promises `count` bytes, which are not the device's.
        bytes.copy_from_slice(unsafe { std::slice::from_raw_parts(from, count) });
        Ok(())
    }

    fn cuMemcpyDtoHAsync_v2(world, to: *mut u8, from: u64, count: usize, stream: u64) {
        in_context(world)?;
        stream_exists(world, stream)?;
        world.bytes(from, count)?;
        if world.postpone(Late { address: from, host: to as u64, count, to_device: false }) {
            return Ok(());
        }
        world.settle()?;
        let bytes = world.bytes(from, count)?;
        // SAFETY: the caller promises a place of `count` bytes, which are not the device's.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), to, count) };
        Ok(())
    }

    fn cuMemcpyHtoD_v2(world, to: u64, from: *const u8, count: usize) {
        in_context(world)?;
        let bytes = world.bytes(to, count)?;
        // SAFETY: the caller promises `count` bytes, which are not the device's.
        bytes.copy_from_slice(unsafe { std::slice::from_raw_parts(from, count) });
        Ok(())
    }

    fn cuMemcpyDtoH_v2(world, to: *mut u8, from: u64, count: usize) {
        in_context(world)?;
        let bytes = world.bytes(from, count)?;
        // SAFETY: the caller promises a place of `count` bytes, which are not the device's.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), to, count) };
        Ok(())
    }

    fn cuMemcpyDtoDAsync_v2(world, to: u64, from: u64, count: usize, stream: u64) {
        in_context(world)?;
        stream_exists(world, stream)?;
        let bytes = world.bytes(from, count)?.to_vec();
        world.bytes(to, count)?.copy_from_slice(&bytes);
        Ok(())
    }

    fn cuMemsetD16Async(world, to: u64, value: u16, count: usize, stream: u64) {
        in_context(world)?;
        stream_exists(world, stream)?;
        let bytes = world.bytes(to, count * 2)?;
        bytes.chunks_exact_mut(2).for_each(|element| element.copy_from_slice(&value.to_le_bytes()));
        Ok(())
    }

    fn cuMemsetD32Async(world, to: u64, value: u32, count: usize, stream: u64) {
        in_context(world)?;
        stream_exists(world, stream)?;
        let bytes = world.bytes(to, count * 4)?;
        bytes.chunks_exact_mut(4).for_each(|element| element.copy_from_slice(&value.to_le_bytes()));
        Ok(())
    }

    fn cuMemsetD2D32Async(world, to: u64, pitch: usize, value: u32, width: usize, height: usize, stream: u64) {
        in_context(world)?;
        stream_exists(world, stream)?;
        for row in 0..height {
            let bytes = world.bytes(to + (row * pitch) as u64, width * 4)?;
            bytes.chunks_exact_mut(4).for_each(|element| element.copy_from_slice(&value.to_le_bytes()));
        }
        Ok(())
    }

    fn obsidian_scale(world, stream: u64, count: i32, factor: u32, numbers: u64) {
        // No function of the driver: one of a library beside it, in the style of cuBLAS.
        in_context(world)?;
        stream_exists(world, stream)?;
        let bytes = world.bytes(numbers, usize::try_from(count).map_err(|_| INVALID_VALUE)? * 4)?;
        for number in bytes.chunks_exact_mut(4) {
            let value = u32::from_le_bytes([number[0], number[1], number[2], number[3]]);
            number.copy_from_slice(&value.wrapping_mul(factor).to_le_bytes());
        }
        Ok(())
    }

    fn cuMemsetD8Async(world, to: u64, byte: u8, count: usize, stream: u64) {
        in_context(world)?;
        stream_exists(world, stream)?;
        world.bytes(to, count)?.fill(byte);
        Ok(())
    }
}

/// Is this a stream that was not destroyed?
pub(super) fn stream_exists(world: &crate::state::World, stream: u64) -> crate::state::Given {
    match world.objects.get(&stream) {
        Some(Object::Stream) => Ok(()),
        _ => Err(crate::state::INVALID_HANDLE),
    }
}
