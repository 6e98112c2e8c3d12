//! Streams and events. Everything in a stream is done when it is asked for.
#![allow(non_snake_case)]

use std::time::Instant;

use super::device::context_of;
use super::memory::stream_exists;
use super::{calls, give};
use crate::state::{Given, INVALID_HANDLE, Object, World, in_context};

fn recorded(world: &World, event: u64) -> Result<Instant, i32> {
    match world.objects.get(&event) {
        Some(Object::Event {
            recorded: Some(moment),
        }) => Ok(*moment),
        _ => Err(INVALID_HANDLE),
    }
}

fn destroy(world: &mut World, handle: u64, fits: impl Fn(&Object) -> bool) -> Given {
    in_context(world)?;
    match world.objects.get(&handle) {
        Some(object) if fits(object) => {
            world.objects.remove(&handle);
            Ok(())
        }
        _ => Err(INVALID_HANDLE),
    }
}

calls! {
    fn cuStreamCreateWithPriority(world, stream: *mut u64, _flags: u32, _priority: i32) {
        in_context(world)?;
        let new = world.add(Object::Stream);
        // SAFETY: the caller's promise; so for the others.
        unsafe { give(stream, new) }
    }

    fn cuStreamDestroy_v2(world, stream: u64) {
        destroy(world, stream, |object| matches!(object, Object::Stream))
    }

    fn cuStreamGetCtx(world, stream: u64, context: *mut usize) {
        in_context(world)?;
        stream_exists(world, stream)?;
        let device = *world.devices.get(&stream).ok_or(INVALID_HANDLE)?;
        // SAFETY: as above.
        unsafe { give(context, context_of(device)) }
    }

    fn cuStreamSynchronize(world, stream: u64) {
        in_context(world)?;
        stream_exists(world, stream)
    }

    fn cuStreamWaitEvent(world, stream: u64, event: u64, _flags: u32) {
        in_context(world)?;
        stream_exists(world, stream)?;
        recorded(world, event).map(|_| ())
    }

    fn cuEventCreate(world, event: *mut u64, _flags: u32) {
        in_context(world)?;
        let new = world.add(Object::Event { recorded: None });
        // SAFETY: as above.
        unsafe { give(event, new) }
    }

    fn cuEventDestroy_v2(world, event: u64) {
        destroy(world, event, |object| matches!(object, Object::Event { .. }))
    }

    fn cuEventRecord(world, event: u64, stream: u64) {
        in_context(world)?;
        stream_exists(world, stream)?;
        match world.objects.get_mut(&event) {
            Some(Object::Event { recorded }) => *recorded = Some(Instant::now()),
            _ => return Err(INVALID_HANDLE),
        }
        Ok(())
    }

    fn cuEventQuery(world, event: u64) {
        recorded(world, event).map(|_| ())
    }

    fn cuEventSynchronize(world, event: u64) {
        recorded(world, event).map(|_| ())
    }

    fn cuEventElapsedTime(world, milliseconds: *mut f32, start: u64, end: u64) {
        let (start, end) = (recorded(world, start)?, recorded(world, end)?);
        let time = end.saturating_duration_since(start).as_secs_f32() - start.saturating_duration_since(end).as_secs_f32();
        // SAFETY: as above.
        unsafe { give(milliseconds, time * 1e3) }
    }
}
