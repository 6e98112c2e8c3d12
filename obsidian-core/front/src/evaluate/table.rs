//! The library as one table: every function and every method of an array or program that a kernel
//! can call.
//!
//! A row has a line of documentation, a name, the arguments with the kinds of [`Call`], and what the
//! library gives for them. The names that the reader knows, how many arguments a call takes, which
//! literals are device values, what messages propose, and what random programs have to use are made
//! from these rows. So a new function of the library is a row here, its code in
//! [`crate::library`], and its tests.

use super::Value;
use super::blocks::BLOCKS;
use super::call::{Call, Entry, entries};
use super::programs::{index, of_thread};
use super::ranks::{AnyPull, AnyPush, indices, same_type};
use crate::array::{Len, Length, Pull, Pull2, Pull3, Push, Push2, Push3};
use crate::error::catalogue;
use crate::ir::{self, AtomicOp, Level};
use crate::library::parts::{self, Gather};
use crate::library::{self, Mutable};
use crate::program::{self, AnyLevel, Program, Thread};
use crate::scalar::{AnyExp, BinaryOp, Exp, ScalarType, UnaryOp, lit, require};

/// The functions of kernels.
const FUNCTIONS: &[Entry] = entries! { _none: (), call;
    // Scalars.

    /// A device value of a value of the host.
    lit(value: any) => call.lit(&value)?;
    /// The float with these bits.
    EF32::from_bits(bits: of_type(ScalarType::U32)) => AnyExp::unary(UnaryOp::FromBits, bits);
    /// The float with these bits.
    EF64::from_bits(bits: of_type(ScalarType::U64)) => AnyExp::unary(UnaryOp::FromBits, bits);
    /// The quotient, faster and less exact.
    fast::div(x: of_type(ScalarType::F32), y: of_type(ScalarType::F32)) => AnyExp::binary(BinaryOp::FastDiv, x, y);
    /// The exponential function, faster and less exact.
    fast::exp(x: of_type(ScalarType::F32)) => AnyExp::unary(UnaryOp::FastExp, x);
    /// The natural logarithm, faster and less exact.
    fast::ln(x: of_type(ScalarType::F32)) => AnyExp::unary(UnaryOp::FastLn, x);
    /// The sine, faster and less exact.
    fast::sin(x: of_type(ScalarType::F32)) => AnyExp::unary(UnaryOp::FastSin, x);
    /// The cosine, faster and less exact.
    fast::cos(x: of_type(ScalarType::F32)) => AnyExp::unary(UnaryOp::FastCos, x);
    /// One of two values, chosen when the kernel runs.
    select(condition: condition, a: element, b: element) => library::select(condition, a, b);
    /// What each launch checks.
    require(condition: precondition) => require(condition);
    /// A function behind a pointer.
    fun(f: function) => f;

    // Arrays that are made.

    /// The numbers from 0 to `n - 1`.
    iota(n: length) => library::iota(n);
    /// The array whose element `i` is `f(i)`.
    generate(shape: shape, f: elements) => library::generate(shape, f.of_index());
    /// The array whose element `i` is `f(i)`.
    mk_pull(shape: shape, f: elements) => library::mk_pull(shape, f.of_index());
    /// The push array whose elements `f` gives to a writer.
    mk_push(n: length, f: function) => library::mk_push(n, f.of_writer());
    /// The array whose elements are all the same.
    replicate(shape: shape, value: element) => library::replicate(shape, value);
    /// The array of one element.
    singleton(value: element) => library::singleton(value);
    /// The push array of one element.
    singleton_push(value: element) => library::singleton_push::<AnyLevel, _>(value);

    // Several arrays.

    /// One array and then another.
    append(first: any, second: any) => call.both([&first, &second], library::append, library::append)?;
    /// The elements of two arrays in turn.
    interleave(first: any, second: any) => call.both([&first, &second], library::interleave, library::interleave)?;
    /// Two equally long arrays as an array of pairs.
    zip(a: pulls, b: alike(&a)) => library::zip(a, b);
    /// Three equally long arrays as an array of triples.
    zip3(a: pulls, b: alike(&a), c: alike(&a)) => library::zip3(a, b, c);
    /// Four equally long arrays as an array of tuples.
    zip4(a: pulls, b: alike(&a), c: alike(&a), d: alike(&a)) => library::zip4(a, b, c, d);
    /// Two arrays as an array of pairs, as long as the shortest.
    zip_shortest(a: pulls, b: alike(&a)) => library::zip_shortest(a, b);
    /// Three arrays as an array of triples, as long as the shortest.
    zip3_shortest(a: pulls, b: alike(&a), c: alike(&a)) => library::zip3_shortest(a, b, c);
    /// Four arrays as an array of tuples, as long as the shortest.
    zip4_shortest(a: pulls, b: alike(&a), c: alike(&a), d: alike(&a)) => library::zip4_shortest(a, b, c, d);
    /// `f` of the elements of two equally long arrays.
    zip_with(f: elements, a: pulls, b: alike(&a)) => library::zip_with(f.of_two(), a, b);
    /// `f` of the elements of three equally long arrays.
    zip_with3(f: elements, a: pulls, b: alike(&a), c: alike(&a)) => library::zip_with3(f.of_three(), a, b, c);
    /// `f` of the elements of four equally long arrays.
    zip_with4(f: elements, a: pulls, b: alike(&a), c: alike(&a), d: alike(&a)) => library::zip_with4(f.of_four(), a, b, c, d);
    /// `f` of the elements of two arrays, as long as the shortest.
    zip_with_shortest(f: elements, a: pulls, b: alike(&a)) => library::zip_with_shortest(f.of_two(), a, b);
    /// `f` of the elements of three arrays, as long as the shortest.
    zip_with3_shortest(f: elements, a: pulls, b: alike(&a), c: alike(&a)) => library::zip_with3_shortest(f.of_three(), a, b, c);
    /// `f` of the elements of four arrays, as long as the shortest.
    zip_with4_shortest(f: elements, a: pulls, b: alike(&a), c: alike(&a), d: alike(&a)) => library::zip_with4_shortest(f.of_four(), a, b, c, d);
    /// An array of pairs as two arrays.
    unzip(array: pulls) => call.unzip(&array, 2);
    /// An array of triples as three arrays.
    unzip3(array: pulls) => call.unzip(&array, 3);
    /// An array of tuples of four as four arrays.
    unzip4(array: pulls) => call.unzip(&array, 4);
    /// `f` of the elements from left to right, as one expression.
    fold1(f: elements, array: fixed) => library::fold1(f.of_two(), array);
    /// `f` of each of `2^n` pieces, put together again.
    unsafe_bin_split(n: count("the number of times"), f: function, array: fixed) => library::unsafe_bin_split(n, f.of_array(), array);
    /// `f` of each of `2^n` pieces of an array that is stored first.
    bin_split(n: count("the number of times"), f: function, array: fixed) => library::bin_split::<AnyLevel, _, _>(n, f.of_array(), array);

    // Storing.

    /// Stores an array in shared memory.
    compute(array: pushes) => library::compute::<AnyLevel, _, _>(array);
    /// Stores a matrix in shared memory in rows that begin further apart.
    compute_pitch(distance: count("the distance of rows"), array: push_matrix) => library::compute_pitch::<AnyLevel, _, _>(distance, array);
    /// Rows that begin this many elements apart.
    Pitch(distance: count("the distance of rows")) => library::Pitch(distance);
    /// Stores an array in shared memory in a layout.
    compute_as(layout: layout, array: list_of(layout)) => library::compute_as::<AnyLevel, _, _>(layout, array);
    /// Stores an array in registers.
    hold(array: push) => library::hold::<AnyLevel, _, _>(array);
    /// Stores an array in registers in a layout.
    hold_as(layout: registers, array: fixed) => library::hold_as::<AnyLevel, _>(layout, array);
    /// Moves a held array from one layout to another.
    exchange(from: registers, to: registers, array: fixed) => library::exchange::<AnyLevel, _>(from, to, array);
    /// The layout in which each thread holds this many neighbours.
    Blocked(neighbours: count("the number of neighbours")) => ir::Layout::Blocked(neighbours);
    /// A mutable array whose elements are `value` at first.
    new_shared_mutable(n: count("the length of a mutable array"), value: element) => library::new_shared_mutable::<AnyLevel, _>(n, value);
    /// A mutable array with the elements of an array.
    to_mutable(array: push) => library::to_mutable::<AnyLevel, _, _>(array);
    /// A loop over the tiles of an array, with a held state.
    tiles_fold(input: pull, tile: count("the number of elements of a tile"), state: push, whole: function, rest: function) =>
        call.tiles_fold(input, tile, state, whole, rest);

    // What the threads of a level do together.

    /// All elements combined by `f`.
    reduce(f: elements, array: fixed) => call.placed(library::reduce::<AnyLevel, _>(f.of_two(), array));
    /// Each element combined with those in front of it.
    inclusive_scan(f: elements, array: fixed) => call.placed(library::inclusive_scan::<AnyLevel, _>(f.of_two(), array));
    /// The elements in front of each, combined.
    exclusive_scan(f: elements, initial: element, array: fixed) => {
        let initial = call.machine.first_state(&initial, |_| array.at(Exp::poison()))?;
        call.placed(library::exclusive_scan::<AnyLevel, _>(f.of_two(), initial, array))
    };
    /// What all blocks before have, combined behind `initial`, element by element.
    earlier(f: elements, initial: element, own: fixed) => {
        let initial = call.machine.first_state(&initial, |_| own.at(Exp::poison()))?;
        parts::earlier_at::<AnyLevel, _>(f.of_two(), initial, own)
    };
    /// The elements in the order that `before` says.
    sort(before: elements, array: fixed) => call.placed(library::sort::<AnyLevel, _>(before.order(), array));
    /// Whether one of the elements is true.
    any(array: booleans) => library::any::<AnyLevel>(array);
    /// Whether all elements are true.
    all(array: booleans) => library::all::<AnyLevel>(array);
    /// A bit for each element.
    ballot(array: booleans) => library::ballot::<AnyLevel>(array);
    /// For each element, the bits of those that are equal to it.
    match_any(array: fixed) => parts::matches::<AnyLevel, _>(call.is_equal(), array);
    /// The place of each element in the order of its lowest `bits` bits, and how many there are of each number of as many bits.
    rank_by_digit(bits: count("the number of bits"), digits: fixed_numbers) => library::rank_by_digit::<AnyLevel>(bits, digits);

    // Loops of one thread.

    /// All elements combined by `f`, in a loop of one thread.
    seq_reduce(f: elements, array: pull) => library::seq_reduce(f.of_two(), array);
    /// The state after `n` rounds of `f`.
    seq_iterate(n: number, f: elements, start: element) => {
        let f = f.of_index_and_state();
        call.state_of_thread(&start)?;
        let start = call.machine.first_state(&start, |x| f(Exp::poison(), x))?;
        library::seq_iterate(n, f, start)
    };
    /// The first state for which `condition` holds.
    seq_until(f: elements, condition: function, start: element) => {
        let (f, condition) = (f.of_one(), condition.condition("seq_until"));
        call.state_of_thread(&start)?;
        let start = call.machine.first_state(&start, &f)?;
        library::seq_until(f, condition, start)
    };
    /// Each element combined with those in front of it, by one thread.
    seq_scan(f: elements, array: pull) => call.placed(library::seq_scan(f.of_two(), array));
    /// The same with an initial value.
    seq_scan_cin(f: elements, start: element, array: pull) => {
        let start = call.machine.first_state(&start, |_| array.at(Exp::poison()))?;
        call.placed(library::seq_scan_cin(f.of_two(), start, array))
    };
    /// `f` gives the next state and an element for each element, from the left.
    map_accum_l(f: elements, start: element, array: pull) => {
        let (f, start) = call.accumulating(f, &start, &array)?;
        call.placed(library::map_accum_l(f, start, array))
    };
    /// `f` gives the next state and an element for each element, from the right.
    map_accum_r(f: elements, start: element, array: pull) => {
        let (f, start) = call.accumulating(f, &start, &array)?;
        call.placed(library::map_accum_r(f, start, array))
    };
    /// `f` gives the next state and an array for each piece.
    s_map_accum(f: function, start: element, pieces: pull) => call.s_map_accum(f, &start, &pieces)?;

    // The hierarchy.

    /// The pieces of the level below, side by side.
    lift_par(pieces: pulls) => call.gather(&pieces, Gather::Up);
    /// The pieces one after another.
    lift_seq(pieces: pulls) => call.gather(&pieces, Gather::InOrder);
    /// The pieces of a level, in one that is at most as high.
    lift_in(pieces: pulls) => call.gather(&pieces, Gather::In);
    /// The array that a program gives.
    exec(program: program) => call.exec(&program)?;
    /// The array that a program of a thread gives.
    exec_thread(program: program) => call.at(Level::Thread).exec(&program)?;
    /// The array that a program of a warp gives.
    exec_warp(program: program) => call.at(Level::Warp).exec(&program)?;
    /// The array that a program of a block gives.
    exec_block(program: program) => call.at(Level::Block).exec(&program)?;
    /// The array of the one value that a program gives.
    exec_value(program: program) => call.exec_value(&program)?;
    /// The array of the one value that a program of a thread gives.
    exec_thread_value(program: program) => call.at(Level::Thread).exec_value(&program)?;
    /// The array of the one value that a program of a warp gives.
    exec_warp_value(program: program) => call.at(Level::Warp).exec_value(&program)?;
    /// The array of the one value that a program of a block gives.
    exec_block_value(program: program) => call.at(Level::Block).exec_value(&program)?;

    // Programs.

    /// The program that does nothing and gives a value.
    pure(value: any) => program::pure::<AnyLevel, _>(value);
    /// A loop over the threads of a level.
    for_all(shape: counts, f: function) => {
        let f = f.steps();
        let each = move |i: Vec<Exp<u32>>| f(vec![indices(&i)]).at_level();
        call.below_grid(library::for_all(shape, each), catalogue::threads_at_grid(call.name))
    };
    /// A loop over the parts of the level below.
    distr_par(n: number, f: function) => {
        let f = f.steps();
        program::distr_par::<AnyLevel>(n, move |i| f(vec![index(i)]))
    };
    /// A loop on the device.
    seq_for(n: number, f: function) => {
        let f = f.steps();
        program::seq_for::<AnyLevel>(n, move |i| f(vec![index(i)]))
    };
    /// A loop on the device, as long as `condition` gives true.
    seq_while(condition: program, body: program) => {
        let level = call.level.get().or(condition.level()).or(body.level());
        call.level.set(level);
        let kept = call.kept();
        let condition = condition.map(move |value| kept.loop_condition("seq_while", &value));
        let wrong = catalogue::wrong_level("`seq_while`", "Grid", "Thread, Warp and Block");
        call.below_grid(program::seq_while(condition, body.map(|_| ())), wrong)
    };
    /// What one thread of a level does.
    single_thread(program: program) =>
        call.below_grid(program::single_thread(program.map(|_| ()).at_level()), catalogue::threads_at_grid(call.name));
    /// One of two programs of one thread, chosen when the kernel runs.
    cond(condition: condition, a: program, b: program) => {
        let [a, b] = [a, b].map(|side| side.map(|_| ()).at_level::<Thread>());
        of_thread(&program::cond(condition, a, b))
    };
    /// Leaves the loop of one thread around it.
    break_loop() => of_thread(&program::break_loop());
    /// A barrier.
    sync() => call.below_grid(program::sync(), catalogue::sync_at_grid());
    /// The program, with its outermost loops unrolled.
    unroll(rounds: count("the number of rounds"), program: program) => program::unroll(rounds, program);
    /// `f` applied `n` times, each time to what the last one gave.
    rep(n: count("the number of repetitions"), f: function, x: any) => library::rep::<AnyLevel, _>(n, f.into_program(), x);
    /// Each function applied to what the last one gave, which is stored.
    compose(functions: any, array: fixed) => call.compose(&functions, array)?;

    // Arrays of several axes.

    /// `f` of each element of one array with each of another.
    outer(f: elements, rows: pull, columns: pull) => library::outer(f.of_two(), rows, columns);
    /// Arrays that come one after another, combined by `f`.
    accumulate(f: elements, start: pushes, rounds: pull) => {
        let kept = call.kept();
        let rounds = rounds.map(move |round| kept.round(&round));
        library::accumulate::<AnyLevel, _, _, _>(f.of_two(), start, rounds)
    };
};

/// The methods of pull arrays of every rank.
pub(super) const PULLS: &[Entry<AnyPull>] = entries! { this: AnyPull, call;
    /// The inner arrays, in the threads of a block.
    as_block() => call.gather(this, Gather::As(Level::Block));
    /// What `f` makes of each element, in the threads of a block.
    as_block_map(f: function) => call.gather(&this.map(f.of_one()), Gather::As(Level::Block));
    /// The inner arrays, each by a block.
    as_grid() => call.gather(this, Gather::As(Level::Grid));
    /// What `f` makes of each element, each by a block.
    as_grid_map(f: function) => call.gather(&this.map(f.of_one()), Gather::As(Level::Grid));
    /// What `f` makes of each element, each by a block; a block may ask for what `earlier` ones have.
    as_grid_ordered(f: function) => call.gather(&this.map(f.of_one()), Gather::Ordered);
    /// The inner arrays, one after another in a thread.
    as_thread() => call.gather(this, Gather::As(Level::Thread));
    /// What `f` makes of each element, one after another in a thread.
    as_thread_map(f: function) => call.gather(&this.map(f.of_one()), Gather::As(Level::Thread));
    /// The inner arrays, in the threads of a warp.
    as_warp() => call.gather(this, Gather::As(Level::Warp));
    /// What `f` makes of each element, in the threads of a warp.
    as_warp_map(f: function) => call.gather(&this.map(f.of_one()), Gather::As(Level::Warp));
    /// The element at an index.
    at(i: any) => call.machine.index(&Value::Pull(this.clone()), &i, call.site)?;
    /// The number of elements.
    len() => this.len();
    /// `f` of each element.
    map(f: function) => this.map(f.of_one());
    /// The push array of the same elements.
    push() => call.pushed(this).stamped(call.said());
    /// The rows one after another.
    flat() => this.flat();
    /// The array with a shape that the caller knows to be right.
    set_size(shape: shape_like(this.shape())) => this.set_size(shape);
    /// The sizes along the axes.
    shape() => this.shape();
};

/// The methods of pull arrays of one axis.
pub(super) const PULL: &[Entry<Pull<Value, Len>>] = entries! { this: Pull<Value, Len>, call;
    /// The array in rows and columns.
    as_2d(height: any, width: any) => this.as_2d(call.extent(this.len(), &height)?, call.extent(this.len(), &width)?);
    /// The array in planes, rows and columns.
    as_3d(depth: any, height: any, width: any) =>
        this.as_3d(call.extent(this.len(), &depth)?, call.extent(this.len(), &height)?, call.extent(this.len(), &width)?);
    /// `f` of each element and the one behind it.
    adjacent(f: function) => this.adjacent(f.of_two());
    /// Pieces of `n` elements, the last one filled up.
    chunks(n: count("the size of the pieces"), pad: element) => this.chunks(n, pad);
    /// Pieces of at most `n` elements.
    chunks_len(n: count("the size of the pieces")) => this.chunks_len(n);
    /// Pieces of `n` elements that lie apart, such that neighbours are in neighbouring pieces.
    coalesce(n: count("the size of the pieces")) => this.coalesce(n);
    /// Pieces of `n` elements put together.
    concat(n: count("the size of the pieces")) => call.pieces(this, n).concat(n);
    /// All but the first `n` elements.
    drop(n: length) => match (this.len(), n) {
        (Len::Static(_), Len::Dynamic(_)) => return call.fail(catalogue::drop_not_static()),
        _ => this.drop(n),
    };
    /// The elements at even and at odd indices.
    even_odds() => this.even_odds();
    /// The elements at even indices.
    evens() => this.evens();
    /// Every `n`-th element.
    every_nth(n: count("a distance")) => this.every_nth(n);
    /// The first element.
    first() => this.first();
    /// The array with a length that is known at compile time.
    from_dyn(n: count("a length")) => this.from_dyn(n);
    /// Both halves.
    halve() => this.halve();
    /// The array in rows of a width.
    in_rows(width: any) => this.in_rows(call.extent(this.len(), &width)?);
    /// The array whose element `i` is element `f(i)`.
    ix_map(f: function) => this.ix_map(f.index_map());
    /// The last element.
    last() => this.last();
    /// The push array that takes `n` neighbours in each step.
    load(n: count("the size of the pieces")) => this.load::<AnyLevel>(n).stamped(call.said());
    /// The elements at odd indices.
    odds() => this.odds();
    /// Neighbours as pairs.
    pair() => call.neighbours(this, 2);
    /// Neighbours as tuples of four.
    quadruple() => call.neighbours(this, 4);
    /// The elements from the last to the first.
    reverse() => this.reverse();
    /// The array with a length that the caller knows to be right.
    set_len(n: length) => this.set_len(n);
    /// All but the first `n` elements.
    shift_left(n: length) => this.shift_left(n);
    /// The first `n` elements and the others.
    split_at(n: length) => this.split_at(n);
    /// Pieces of `n` elements.
    split_up(n: count("the size of the pieces")) => this.split_up(n);
    /// The push array that writes `n` neighbours in each step.
    store(n: count("the size of the pieces")) => this.store::<AnyLevel>(n).stamped(call.said());
    /// All but the first element.
    tail() => this.tail();
    /// The first `n` elements.
    take(n: length) => this.take(n);
    /// The array with a length that is known at launch.
    to_dyn() => this.set_len(Len::Dynamic(this.len().exp()));
    /// Neighbours as triples.
    triple() => call.neighbours(this, 3);
    /// The elements of pieces that `coalesce` has made, in order again.
    un_coalesce(n: count("the size of the pieces")) => call.pieces(this, n).un_coalesce(n);
    /// Pairs as neighbours.
    unpair() => call.flat(this, 2);
    /// Tuples of four as neighbours.
    unquadruple() => call.flat(this, 4);
    /// Triples as neighbours.
    untriple() => call.flat(this, 3);
    /// The `n` elements from each one on, as arrays that overlap.
    windows(n: count("the size of the windows")) => this.windows(n);
};

/// The methods of push arrays of every rank.
pub(super) const PUSHES: &[Entry<AnyPush>] = entries! { this: AnyPush, call;
    /// The number of elements.
    len() => this.len();
    /// `f` of each element.
    map(f: function) => this.map(f.of_one());
    /// The program that gives every element and its index to `f`.
    push_to(f: function) => call.written_to(this, f);
    /// The array, with its outermost loops unrolled.
    unroll(rounds: count("the number of rounds")) => this.unroll(rounds);
    /// The program that gives every element and its index to `f`.
    write_to(f: function) => call.written_to(this, f);
    /// The rows one after another.
    flat() => this.flat();
    /// The array with a shape that the caller knows to be right.
    set_size(shape: shape_like(this.shape())) => this.set_size(shape);
    /// The sizes along the axes.
    shape() => this.shape();
};

/// The methods of push arrays of one axis.
pub(super) const PUSH: &[Entry<Push<AnyLevel, Value, Len>>] = entries! { this: Push<AnyLevel, Value, Len>, call;
    /// The array in rows and columns.
    as_2d(height: any, width: any) => this.as_2d(call.extent(this.len(), &height)?, call.extent(this.len(), &width)?);
    /// The array in planes, rows and columns.
    as_3d(depth: any, height: any, width: any) =>
        this.as_3d(call.extent(this.len(), &depth)?, call.extent(this.len(), &height)?, call.extent(this.len(), &width)?);
    /// The array with a length that is known at compile time.
    from_dyn(n: count("a length")) => this.from_dyn(n);
    /// The array in rows of a width.
    in_rows(width: any) => this.in_rows(call.extent(this.len(), &width)?);
    /// The array whose element `f(i)` is element `i`.
    ix_map(f: function) => this.ix_map(f.index_map());
    /// The array with the fill of `chunks` behind its last element, which is meant.
    padded() => this.padded();
    /// The elements from the last to the first.
    reverse() => this.reverse();
    /// The array with a length that the caller knows to be right.
    set_len(n: length) => this.set_len(n);
    /// The first `n` elements.
    take(n: length) => this.take(n);
    /// The array with a length that is known at launch.
    to_dyn() => this.set_len(Len::Dynamic(this.len().exp()));
    /// The elements of pieces that `coalesce` has made, in order again.
    un_coalesce(n: count("the size of the pieces")) => this.un_coalesce(n);
    /// Pairs as neighbours.
    unpair() => call.flat_push(this, 2);
    /// Tuples of four as neighbours.
    unquadruple() => call.flat_push(this, 4);
    /// Triples as neighbours.
    untriple() => call.flat_push(this, 3);
};

/// The methods of pull arrays of two axes.
pub(super) const PULL2: &[Entry<Pull2<Value, Len>>] = entries! { this: Pull2<Value, Len>, call;
    /// Column `x`.
    column(x: number) => this.column(x);
    /// The columns, each an array.
    columns() => this.columns();
    /// Tiles that cover the array, those at the border filled up.
    cover(height: count("the height of a tile"), width: count("the width of a tile")) => this.cover(height, width);
    /// The number of rows.
    height() => this.height();
    /// Row `y`.
    row(y: number) => this.row(y);
    /// The rows, each an array.
    rows() => this.rows();
    /// Whole tiles.
    tiles(height: count("the height of a tile"), width: count("the width of a tile")) => this.tiles(height, width);
    /// Rows and columns exchanged.
    transpose() => this.transpose();
    /// Tiles put together.
    untile(height: count("the height of a tile"), width: count("the width of a tile")) => call.untile(this, (height, width));
    /// The number of columns.
    width() => this.width();
};

/// The methods of push arrays of two axes.
pub(super) const PUSH2: &[Entry<Push2<AnyLevel, Value, Len>>] = entries! { this: Push2<AnyLevel, Value, Len>, call;
    /// The first rows and columns.
    crop(height: length, width: length) => {
        let (height, width) = same_type(height, width);
        this.crop(height, width)
    };
    /// The number of rows.
    height() => this.height();
    /// Rows and columns exchanged.
    transpose() => this.transpose();
    /// The number of columns.
    width() => this.width();
};

/// The methods of pull arrays of three axes.
pub(super) const PULL3: &[Entry<Pull3<Value, Len>>] = entries! { this: Pull3<Value, Len>, call;
    /// The number of planes.
    depth() => this.depth();
    /// The number of rows.
    height() => this.height();
    /// Plane `z`, a matrix.
    plane(z: number) => this.plane(z);
    /// The planes, each a matrix.
    planes() => this.planes();
    /// The number of columns.
    width() => this.width();
};

/// The methods of push arrays of three axes.
pub(super) const PUSH3: &[Entry<Push3<AnyLevel, Value, Len>>] = entries! { this: Push3<AnyLevel, Value, Len>, call;
    /// The number of planes.
    depth() => this.depth();
    /// The number of rows.
    height() => this.height();
    /// The number of columns.
    width() => this.width();
};

/// The methods of mutable arrays.
pub(super) const MUTABLE: &[Entry<Mutable<Value, Len>>] = entries! { this: Mutable<Value, Len>, call;
    /// Adds to element `i`, and gives what it was.
    atomic_add(i: number, value: element) => call.atomic(this, AtomicOp::Add, i, &[value])?;
    /// Keeps the bits of element `i` that `value` has, and gives what it was.
    atomic_and(i: number, value: element) => call.atomic(this, AtomicOp::And, i, &[value])?;
    /// Replaces element `i` if it is `old`, and gives what it was.
    atomic_cas(i: number, old: element, new: element) => call.atomic(this, AtomicOp::CompareExchange, i, &[old, new])?;
    /// Counts element `i` down, from 0 to `most`, and gives what it was.
    atomic_dec(i: number, most: element) => call.atomic(this, AtomicOp::Dec, i, &[most])?;
    /// Replaces element `i`, and gives what it was.
    atomic_exch(i: number, value: element) => call.atomic(this, AtomicOp::Exchange, i, &[value])?;
    /// Counts element `i` up, from `most` to 0, and gives what it was.
    atomic_inc(i: number, most: element) => call.atomic(this, AtomicOp::Inc, i, &[most])?;
    /// Makes element `i` the larger of both, and gives what it was.
    atomic_max(i: number, value: element) => call.atomic(this, AtomicOp::Max, i, &[value])?;
    /// Makes element `i` the smaller of both, and gives what it was.
    atomic_min(i: number, value: element) => call.atomic(this, AtomicOp::Min, i, &[value])?;
    /// Sets bits of element `i`, and gives what it was.
    atomic_or(i: number, value: element) => call.atomic(this, AtomicOp::Or, i, &[value])?;
    /// Subtracts from element `i`, and gives what it was.
    atomic_sub(i: number, value: element) => call.atomic(this, AtomicOp::Sub, i, &[value])?;
    /// Changes bits of element `i`, and gives what it was.
    atomic_xor(i: number, value: element) => call.atomic(this, AtomicOp::Xor, i, &[value])?;
    /// The number of elements.
    len() => this.len();
    /// The push array of the elements as they are then.
    push() => this.push::<AnyLevel>().stamped(call.said());
    /// Element `i` as it is now.
    read(i: number) => this.read(i);
    /// Writes element `i`.
    write(i: number, value: element) => this.write(i, call.of_array(this, &value)?);
    /// Writes the elements of an array.
    write_all(values: any) => call.write_all(this, &values)?;
};

/// The methods of programs.
pub(super) const PROGRAM: &[Entry<Program<AnyLevel, Value>>] = entries! { this: Program<AnyLevel, Value>, call;
    /// This program and then the one that `f` makes of its result.
    and_then(f: function) => this.and_then(f.into_program());
    /// This program with `f` applied to its result.
    map(f: function) => this.map(f.of_one());
    /// This program without its result.
    void() => this.void();
};

/// The methods of device values of any type, beside operators with one operand.
pub(super) const VALUE: &[Entry<AnyExp>] = entries! { this: AnyExp, call;
    /// The smaller one.
    min(other: operand(this, BinaryOp::Min)) => AnyExp::binary(BinaryOp::Min, *this, other);
    /// The larger one.
    max(other: operand(this, BinaryOp::Max)) => AnyExp::binary(BinaryOp::Max, *this, other);
    /// The value, kept between two others.
    clamp(low: same(this), high: same(this)) =>
        AnyExp::binary(BinaryOp::Min, AnyExp::binary(BinaryOp::Max, *this, low), high);
    /// The value times a factor and plus an addend, which a float rounds once.
    mul_add(factor: same(this), addend: same(this)) => AnyExp::mul_add(*this, factor, addend);
    /// Whether both are equal.
    eq(other: compared(this, BinaryOp::Eq)) => AnyExp::binary(BinaryOp::Eq, *this, other);
    /// Whether they differ.
    ne(other: compared(this, BinaryOp::Ne)) => AnyExp::binary(BinaryOp::Ne, *this, other);
    /// Whether this one is smaller.
    lt(other: compared(this, BinaryOp::Lt)) => AnyExp::binary(BinaryOp::Lt, *this, other);
    /// Whether this one is smaller, or both are equal.
    le(other: compared(this, BinaryOp::Le)) => AnyExp::binary(BinaryOp::Le, *this, other);
    /// Whether this one is larger.
    gt(other: compared(this, BinaryOp::Gt)) => AnyExp::binary(BinaryOp::Gt, *this, other);
    /// Whether this one is larger, or both are equal.
    ge(other: compared(this, BinaryOp::Ge)) => AnyExp::binary(BinaryOp::Ge, *this, other);
};

/// The methods of floats.
pub(super) const FLOAT: &[Entry<AnyExp>] = entries! { this: AnyExp, call;
    /// The power with an exponent of the device.
    powf(exponent: operand(this, BinaryOp::Pow)) => AnyExp::binary(BinaryOp::Pow, *this, exponent);
    /// The power with an exponent of the host.
    powi(n: exponent) => this.powi(n);
    /// The angle of the point `(x, this)`.
    atan2(x: operand(this, BinaryOp::Atan2)) => AnyExp::binary(BinaryOp::Atan2, *this, x);
    /// The distance of the point `(this, other)` from the origin.
    hypot(other: operand(this, BinaryOp::Hypot)) => AnyExp::binary(BinaryOp::Hypot, *this, other);
    /// The value with the sign of another.
    copysign(sign: operand(this, BinaryOp::CopySign)) => AnyExp::binary(BinaryOp::CopySign, *this, sign);
    /// The reciprocal.
    recip() => this.recip();
    /// What stands behind the point.
    fract() => this.fract();
    /// Whether it is no number.
    is_nan() => this.is_nan();
};

/// The methods of integers.
pub(super) const INTEGER: &[Entry<AnyExp>] = entries! { this: AnyExp, call;
    /// The bits, moved to the left and in again at the right.
    rotate_left(n: number) => this.rotate_left(n);
    /// The bits, moved to the right and in again at the left.
    rotate_right(n: number) => this.rotate_left(lit(0u32) - n);
    /// The distance.
    abs_diff(other: same(this)) => this.abs_diff(other);
    /// The quotient that leaves a remainder that is not negative.
    div_euclid(divisor: same(this)) => this.div_euclid(divisor);
    /// The remainder that is not negative.
    rem_euclid(divisor: same(this)) => this.rem_euclid(divisor);
    /// The sum, or the number that is nearest to it.
    saturating_add(other: same(this)) => this.saturating_add(other);
    /// The difference, or the number that is nearest to it.
    saturating_sub(other: same(this)) => this.saturating_sub(other);
    /// The product, or the number that is nearest to it.
    saturating_mul(other: same(this)) => this.saturating_mul(other);
};

/// The methods of lengths, which are values of type `EU32`.
pub(super) const LENGTH: &[Entry<AnyExp>] = entries! { this: AnyExp, call;
    /// The quotient, rounded up.
    div_ceil(divisor: same(this)) => this.div_ceil(divisor);
    /// What `require` asks for: both are equal.
    equals(other: number) => length_of(this).equals(other);
    /// What `require` asks for: it is a multiple of another one.
    multiple_of(other: number) => length_of(this).multiple_of(other);
    /// What `require` asks for: it is not below a number.
    at_least(n: count("a least length")) => length_of(this).at_least(n);
};

/// The constants of kernels.
const CONSTANTS: &[(&str, ir::Layout)] = &[("Striped", ir::Layout::Striped)];

/// The value of a constant of kernels.
pub(super) fn constant(name: &str) -> Option<Value> {
    let known = CONSTANTS.iter().find(|(known, _)| *known == name);
    known.map(|(_, layout)| Value::Held(*layout))
}

/// A device value that is known to be a length.
fn length_of(value: &AnyExp) -> Exp<u32> {
    value.typed().unwrap_or_else(Exp::poison)
}

fn values() -> impl Iterator<Item = &'static Entry<AnyExp>> {
    [VALUE, FLOAT, INTEGER, LENGTH].into_iter().flatten()
}

/// The methods of device values, beside operators with one operand.
pub fn methods_of_values() -> impl Iterator<Item = &'static str> {
    values().map(|row| row.name)
}

/// Returns `true` if the arguments of a method of device values have the type of the receiver.
pub(super) fn takes_own_type(name: &str) -> bool {
    let row = values().find(|row| row.name == name);
    row.is_some_and(|row| !of_kinds(row.kinds, &["same", "operand"]).is_empty())
}

/// The rows of all functions of kernels.
pub(super) fn functions_of_language() -> impl Iterator<Item = &'static Entry> {
    FUNCTIONS.iter().chain(BLOCKS)
}

/// The names of all functions and constants of kernels.
pub fn functions() -> impl Iterator<Item = &'static str> {
    let constants = CONSTANTS.iter().map(|(name, _)| *name);
    functions_of_language().map(|row| row.name).chain(constants)
}

/// The building blocks: what `obsidian_rt::algorithms::blocks` has.
pub fn blocks() -> impl Iterator<Item = &'static str> {
    BLOCKS.iter().map(|row| row.name).chain(["exchange"])
}

/// Returns `true` if a function or constant of kernels has this name.
pub fn is_function(name: &str) -> bool {
    functions().any(|known| known == name)
}

/// The methods of arrays, by the name of the type that has them: names, and kinds of arguments. Those
/// of device values are the operators of [`crate::scalar`].
fn all_methods() -> impl Iterator<Item = (&'static str, &'static str, &'static [&'static str])> {
    fn of<R>(
        ty: &'static str,
        table: &'static [Entry<R>],
    ) -> impl Iterator<Item = (&'static str, &'static str, &'static [&'static str])> {
        table.iter().map(move |row| (ty, row.name, row.kinds))
    }
    of("Pull", PULLS)
        .chain(of("Pull", PULL))
        .chain(of("Push", PUSHES))
        .chain(of("Push", PUSH))
        .chain(of("Pull2", PULL2))
        .chain(of("Push2", PUSH2))
        .chain(of("Pull3", PULL3))
        .chain(of("Push3", PUSH3))
        .chain(of("Mutable", MUTABLE))
}

/// A row of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row {
    /// The type that has the method; empty for functions of kernels, and `arrays` for those of array programs.
    pub of: &'static str,
    /// The name.
    pub name: &'static str,
    /// The kinds of its arguments, without the receiver.
    pub kinds: &'static [&'static str],
}

/// The functions and methods of kernels and of array programs.
pub fn rows() -> Vec<Row> {
    let functions = functions_of_language().map(|row| ("", row.name, row.kinds));
    let programs = PROGRAM.iter().map(|row| ("Program", row.name, row.kinds));
    let all = functions.chain(all_methods()).chain(programs);
    all.chain(super::whole::rows())
        .map(|(of, name, kinds)| Row { of, name, kinds })
        .collect()
}

/// The methods of arrays: the name of the type and of the method.
pub fn methods() -> impl Iterator<Item = (&'static str, &'static str)> {
    all_methods().map(|(ty, name, _)| (ty, name))
}

/// The arguments of one of some kinds.
pub(super) fn of_kinds(all: &[&str], wanted: &[&str]) -> Vec<usize> {
    let found = all.iter().enumerate();
    let found = found.filter(|(_, kind)| wanted.contains(*kind));
    found.map(|(n, _)| n).collect()
}

fn kinds_of(name: &str) -> &'static [&'static str] {
    let row = functions_of_language().find(|row| row.name == name);
    row.map_or(&[], |row| row.kinds)
}

/// The arguments of a function that are programs.
pub fn programs_of(name: &str) -> Vec<usize> {
    of_kinds(kinds_of(name), &["program"])
}

/// The functions among the arguments of a function whose other arguments, behind them, tell the types
/// of their parameters; see [`late`](crate::library::late).
pub fn functions_first(name: &str) -> Vec<usize> {
    let kinds = kinds_of(name);
    let functions = of_kinds(kinds, &["elements", "function"]);
    match functions.as_slice() {
        [first, ..] if kinds[*first] == "elements" && kinds.len() > functions.len() + first => {
            functions
        }
        _ => Vec::new(),
    }
}
