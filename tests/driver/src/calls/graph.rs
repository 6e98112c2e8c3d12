//! Graphs. A graph is launched node by node, each when those before it are done; of several that could be next, the one that was made last.
#![allow(non_snake_case)]

use std::ffi::c_void;

use super::device::context_of;
use super::memory::stream_exists;
use super::module::{Launch, allowed, entry, launch, values};
use super::{calls, give};
use crate::state::{CURRENT, Given, INVALID_HANDLE, INVALID_VALUE, Object, World, in_context};

/// One step of a graph, and which nodes come before it.
#[derive(Clone)]
pub(crate) struct Node {
    handle: u64,
    before: Vec<u64>,
    work: Work,
}

#[derive(Clone)]
enum Work {
    Launch(Launch),
    Copy { from: u64, to: u64, bytes: usize },
    Fill(FillNode),
}

#[repr(C)]
pub struct KernelNode {
    function: u64,
    grid: [u32; 3],
    block: [u32; 3],
    shared_bytes: u32,
    parameters: *mut *mut c_void,
    extra: *mut *mut c_void,
}

#[repr(C)]
pub struct CopySide {
    x_in_bytes: usize,
    y: usize,
    z: usize,
    level: usize,
    memory_type: u32,
    host: *mut c_void,
    device: u64,
    array: u64,
    reserved: u64,
    pitch: usize,
    height: usize,
}

#[repr(C)]
pub struct CopyNode {
    from: CopySide,
    to: CopySide,
    bytes: usize,
    height: usize,
    depth: usize,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct FillNode {
    to: u64,
    pitch: usize,
    value: u32,
    element_bytes: u32,
    width: usize,
    height: usize,
}

/// The most bytes from row to row.
const LARGEST_PITCH: usize = (1 << 31) - 1;

calls! {
    fn cuGraphCreate(world, graph: *mut u64, flags: u32) {
        in_context(world)?;
        if flags != 0 {
            return Err(INVALID_VALUE);
        }
        let new = world.add(Object::Graph(Vec::new()));
        // SAFETY: the caller promises places of these types, here and below.
        unsafe { give(graph, new) }
    }

    fn cuGraphDestroy(world, graph: u64) {
        in_context(world)?;
        nodes(world, graph)?;
        world.objects.remove(&graph);
        Ok(())
    }

    fn cuGraphAddKernelNode(world, node: *mut u64, graph: u64, before: *const u64, count: usize, of: *const KernelNode) {
        in_context(world)?;
        // SAFETY: the caller's promise.
        let of = unsafe { of.as_ref() }.ok_or(INVALID_VALUE)?;
        let entry = entry(world, of.function)?;
        if of.grid[1..] != [1; 2] || of.block[1..] != [1; 2] || !of.extra.is_null() {
            return Err(INVALID_VALUE);
        }
        let (grid, threads) = (of.grid[0], of.block[0]);
        allowed(world, of.function, &entry, [grid, threads], of.shared_bytes)?;
        // SAFETY: the caller promises a place for each argument of the function.
        let values = unsafe { values(&entry, of.parameters) };
        // SAFETY: the caller's promise.
        unsafe { add(world, node, graph, before, count, Work::Launch(Launch { entry, values, grid, threads })) }
    }

    fn cuGraphAddMemcpyNode(world, node: *mut u64, graph: u64, before: *const u64, count: usize, of: *const CopyNode, context: usize) {
        in_context(world)?;
        // SAFETY: the caller's promise.
        let of = unsafe { of.as_ref() }.ok_or(INVALID_VALUE)?;
        let whole = |side: &CopySide| {
            [side.x_in_bytes, side.y, side.z, side.level] == [0; 4]
                && side.memory_type == 2
                && (side.host.is_null(), side.array, side.reserved) == (true, 0, 0)
                && (side.pitch == 0 || (of.bytes..=LARGEST_PITCH).contains(&side.pitch))
        };
        if !whole(&of.from) || !whole(&of.to) || (of.height, of.depth) != (1, 1) || !is_current(context) {
            return Err(INVALID_VALUE);
        }
        let (from, to, bytes) = (of.from.device, of.to.device, of.bytes);
        world.bytes(from, bytes)?;
        world.bytes(to, bytes)?;
        // SAFETY: the caller's promise.
        unsafe { add(world, node, graph, before, count, Work::Copy { from, to, bytes }) }
    }

    fn cuGraphAddMemsetNode(world, node: *mut u64, graph: u64, before: *const u64, count: usize, of: *const FillNode, context: usize) {
        in_context(world)?;
        // SAFETY: the caller's promise.
        let of = *unsafe { of.as_ref() }.ok_or(INVALID_VALUE)?;
        let row = of.width * of.element_bytes as usize;
        if ![1, 2, 4].contains(&of.element_bytes) || of.width == 0 || of.height == 0 || (of.height > 1 && !(row..=LARGEST_PITCH).contains(&of.pitch)) || !is_current(context) {
            return Err(INVALID_VALUE);
        }
        world.bytes(of.to, (of.height - 1) * of.pitch + row)?;
        // SAFETY: the caller's promise.
        unsafe { add(world, node, graph, before, count, Work::Fill(of)) }
    }

    fn cuGraphInstantiateWithFlags(world, executable: *mut u64, graph: u64, flags: u64) {
        in_context(world)?;
        if flags != 0 {
            return Err(INVALID_VALUE);
        }
        let nodes = nodes(world, graph)?.clone();
        let new = world.add(Object::Executable(nodes));
        // SAFETY: the caller's promise.
        unsafe { give(executable, new) }
    }

    fn cuGraphLaunch(world, executable: u64, stream: u64) {
        in_context(world)?;
        stream_exists(world, stream)?;
        let mut rest = executable_nodes(world, executable)?.clone();
        let mut done: Vec<u64> = Vec::new();
        while !rest.is_empty() {
            let next = rest.iter().rposition(|node| node.before.iter().all(|before| done.contains(before))).ok_or(INVALID_VALUE)?;
            let node = rest.remove(next);
            run(world, node.work)?;
            done.push(node.handle);
        }
        Ok(())
    }

    fn cuGraphExecDestroy(world, executable: u64) {
        in_context(world)?;
        executable_nodes(world, executable)?;
        world.objects.remove(&executable);
        Ok(())
    }
}

fn is_current(context: usize) -> bool {
    CURRENT.get().map(context_of) == Some(context)
}

fn nodes(world: &mut World, graph: u64) -> Result<&mut Vec<Node>, i32> {
    match world.objects.get_mut(&graph) {
        Some(Object::Graph(nodes)) => Ok(nodes),
        _ => Err(INVALID_HANDLE),
    }
}

fn executable_nodes(world: &World, executable: u64) -> Result<&Vec<Node>, i32> {
    match world.objects.get(&executable) {
        Some(Object::Executable(nodes)) => Ok(nodes),
        _ => Err(INVALID_HANDLE),
    }
}

/// Adds a node behind others of the graph.
///
/// # Safety
/// `before` leads to `count` handles, and `node` to a place for one.
unsafe fn add(
    world: &mut World,
    node: *mut u64,
    graph: u64,
    before: *const u64,
    count: usize,
    work: Work,
) -> Given {
    let before = match count {
        0 => Vec::new(),
        // SAFETY: the caller's promise.
        _ => unsafe { std::slice::from_raw_parts(before, count) }.to_vec(),
    };
    let others = nodes(world, graph)?;
    if !before
        .iter()
        .all(|before| others.iter().any(|node| node.handle == *before))
    {
        return Err(INVALID_VALUE);
    }
    let handle = others
        .iter()
        .map(|node| node.handle)
        .max()
        .unwrap_or(graph << 16)
        + 1;
    others.push(Node {
        handle,
        before,
        work,
    });
    // SAFETY: the caller's promise.
    unsafe { give(node, handle) }
}

fn run(world: &mut World, work: Work) -> Given {
    match work {
        Work::Launch(of) => launch(world, &of),
        Work::Copy { from, to, bytes } => {
            let copy = world.bytes(from, bytes)?.to_vec();
            world.bytes(to, bytes)?.copy_from_slice(&copy);
            Ok(())
        }
        Work::Fill(fill) => {
            let size = fill.element_bytes as usize;
            for row in 0..fill.height {
                let bytes = world.bytes(fill.to + (row * fill.pitch) as u64, fill.width * size)?;
                bytes
                    .chunks_exact_mut(size)
                    .for_each(|element| element.copy_from_slice(&fill.value.to_le_bytes()[..size]));
            }
            Ok(())
        }
    }
}
