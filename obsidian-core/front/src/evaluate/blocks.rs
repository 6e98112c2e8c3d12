//! The rows of the building blocks: `obsidian_rt::algorithms::blocks`.

use super::Value;
use super::call::{Answer, Call, Entry, entries};
use super::programs::index;
use crate::array::Pull2;
use crate::ir::Level;
use crate::library::blocks;
use crate::library::parts::{self, Unit};
use crate::program::AnyLevel;
use crate::scalar::Exp;

/// What a block, a warp or a thread computes together over arrays of any length, which may have no elements.
pub(super) const BLOCKS: &[Entry] = entries! { _none: (), call;
    /// All elements combined by `f`, after `initial`, by a block.
    block_reduce(f: elements, initial: element, array: pull) => {
        let initial = call.machine.first_state(&initial, |_| array.at(Exp::poison()))?;
        call.program_at(Level::Block, parts::in_order(Unit::Block, f.of_two(), initial, array))
    };
    /// All elements combined by `f`, after `initial`, by a warp.
    warp_reduce(f: elements, initial: element, array: pull) => {
        let initial = call.machine.first_state(&initial, |_| array.at(Exp::poison()))?;
        call.program_at(Level::Warp, parts::in_order(Unit::Warp, f.of_two(), initial, array))
    };
    /// All elements combined by `f`, after `initial`, by a thread.
    thread_reduce(f: elements, initial: element, array: pull) => {
        let initial = call.machine.first_state(&initial, |_| array.at(Exp::poison()))?;
        blocks::thread_reduce(f.of_two(), initial, array)
    };
    /// All elements combined by a commutative `f`, after `initial`, by a block.
    block_reduce_commutative(f: elements, initial: element, array: pull) => {
        let initial = call.machine.first_state(&initial, |_| array.at(Exp::poison()))?;
        call.program_at(Level::Block, parts::in_any_order(Unit::Block, f.of_two(), initial, array))
    };
    /// All elements combined by a commutative `f`, after `initial`, by a warp.
    warp_reduce_commutative(f: elements, initial: element, array: pull) => {
        let initial = call.machine.first_state(&initial, |_| array.at(Exp::poison()))?;
        call.program_at(Level::Warp, parts::in_any_order(Unit::Warp, f.of_two(), initial, array))
    };
    /// Each element combined with those in front of it, by a block.
    block_inclusive_scan(f: elements, array: pull) =>
        call.at(Level::Block).placed(parts::inclusive::<AnyLevel, _, _>(Unit::Block, f.of_two(), array));
    /// Each element combined with those in front of it, by a warp.
    warp_inclusive_scan(f: elements, array: pull) =>
        call.at(Level::Warp).placed(parts::inclusive::<AnyLevel, _, _>(Unit::Warp, f.of_two(), array));
    /// Each element combined with those in front of it, by a thread.
    thread_inclusive_scan(f: elements, array: pull) => call.placed(blocks::thread_inclusive_scan(f.of_two(), array));
    /// The elements in front of each, combined after `initial`, by a block.
    block_exclusive_scan(f: elements, initial: element, array: pull) => {
        let initial = call.machine.first_state(&initial, |_| array.at(Exp::poison()))?;
        call.at(Level::Block).placed(parts::exclusive::<AnyLevel, _, _>(Unit::Block, f.of_two(), initial, array))
    };
    /// The elements in front of each, combined after `initial`, by a warp.
    warp_exclusive_scan(f: elements, initial: element, array: pull) => {
        let initial = call.machine.first_state(&initial, |_| array.at(Exp::poison()))?;
        call.at(Level::Warp).placed(parts::exclusive::<AnyLevel, _, _>(Unit::Warp, f.of_two(), initial, array))
    };
    /// The elements in front of each, combined after `initial`, by a thread.
    thread_exclusive_scan(f: elements, initial: element, array: pull) => {
        let initial = call.machine.first_state(&initial, |_| array.at(Exp::poison()))?;
        call.placed(blocks::thread_exclusive_scan(f.of_two(), initial, array))
    };
    /// The place of each element in the order of its lowest `bits` bits.
    block_radix_rank(bits: count("the number of bits"), digits: fixed_numbers) =>
        call.program_at(Level::Block, parts::ranks(bits, digits));
    /// The elements in the order of the lowest `bits` bits of their keys.
    block_radix_sort(bits: count("the number of bits"), key: elements, array: fixed) => {
        call.program_at(Level::Block, parts::sorted(bits, key.number(), array))
    };
    /// How often each number below `bins` is in an array.
    block_histogram(bins: count("the number of bins"), numbers: numbers) =>
        call.program_at(Level::Block, parts::counts(bins, numbers).map(|counts| counts.map(index)));
    /// Two sorted arrays merged by a block.
    block_merge(before: elements, a: pull, b: pull) =>
        call.at(Level::Block).placed(parts::merged::<AnyLevel, _, _>(before.order(), a, b));
    /// Two sorted arrays merged by a warp.
    warp_merge(before: elements, a: pull, b: pull) =>
        call.at(Level::Warp).placed(parts::merged::<AnyLevel, _, _>(before.order(), a, b));
    /// `f` of a window around each element, its row and its column, in tiles that a block stores.
    stencil_tiles(height: count("the height of a tile"), width: count("the width of a tile"), halo: count("the halo"), f: elements, bordered: matrix) => {
        let f = f.of_three();
        let each = move |window: Pull2<Value>, y, x| f(Answer::value(window), index(y), index(x));
        parts::tiled::<AnyLevel, AnyLevel, _, _, _>((height, width), halo, each, bordered)
    };
    /// An image with a border in which its outermost elements are repeated.
    clamped(halo: count("the halo"), image: matrix) => blocks::clamped(halo, image);
    /// An image with a border as a mirror shows it.
    mirrored(halo: count("the halo"), image: matrix) => blocks::mirrored(halo, image);
    /// An image with a border as if the image were repeated.
    wrapped(halo: count("the halo"), image: matrix) => blocks::wrapped(halo, image);
    /// An image with a border of a value.
    padded(halo: count("the halo"), value: element, image: matrix) => {
        let value = call.machine.first_state(&value, |_| image.at((Exp::poison(), Exp::poison())))?;
        blocks::padded(halo, value, image)
    };
};
