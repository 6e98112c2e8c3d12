//! The types of the library's functions and methods, for the inference of literals.
//!
//! A line is a name and a type, as Rust writes it, with few words more: `Into<EU32>` is a number of
//! the host or the device; `Array<T, Z>` a pull or a push array; `Extents<I>` extents whose index is
//! `I`; `Index<Z>` the index of an array of shape `Z`; `Sequence<A>` what can be iterated over;
//! `Value<T>` what a function of elements gives, itself or as a program; `Length<Z>` the number of elements
//! of an array of shape `Z`; `Outside<T>` what a stencil reads outside; `Opaque` what no literal is
//! part of; `_` anything. Type parameters are single letters. `T`, `U` and `V` are types of
//! elements: a literal there is a device value. Levels are left out, as `_`. Methods take their
//! receiver first.

/// Functions of kernels.
pub(super) const FUNCTIONS: &str = "
EF32::from_bits fn(EU32) -> EF32
EF64::from_bits fn(EU64) -> EF64
fast::div fn(EF32, EF32) -> EF32
fast::exp fn(EF32) -> EF32
fast::ln fn(EF32) -> EF32
fast::sin fn(EF32) -> EF32
fast::cos fn(EF32) -> EF32
select fn(EBool, T, T) -> T
require fn(Opaque) -> ()
fun fn(A) -> A
iota fn(Z) -> Pull<EU32, Z>
generate fn(Z, impl Fn(Index<Z>) -> T) -> Pull<T, Z>
mk_pull fn(Z, impl Fn(Index<Z>) -> T) -> Pull<T, Z>
mk_push fn(Z, impl Fn(impl Fn(T, EU32) -> Program<_, ()>) -> Program<_, ()>) -> Push<_, T, Z>
replicate fn(Z, T) -> Pull<T, Z>
singleton fn(T) -> Pull<T>
singleton_push fn(T) -> Push<_, T>
append fn(A, A) -> A
interleave fn(A, A) -> A
zip fn(Pull<A, Z>, Pull<B, Z>) -> Pull<(A, B), Z>
zip3 fn(Pull<A, Z>, Pull<B, Z>, Pull<C, Z>) -> Pull<(A, B, C), Z>
zip4 fn(Pull<A, Z>, Pull<B, Z>, Pull<C, Z>, Pull<D, Z>) -> Pull<(A, B, C, D), Z>
zip_shortest fn(Pull<A, Z>, Pull<B, Z>) -> Pull<(A, B), Z>
zip3_shortest fn(Pull<A, Z>, Pull<B, Z>, Pull<C, Z>) -> Pull<(A, B, C), Z>
zip4_shortest fn(Pull<A, Z>, Pull<B, Z>, Pull<C, Z>, Pull<D, Z>) -> Pull<(A, B, C, D), Z>
zip_with fn(impl Fn(A, B) -> T, Pull<A, Z>, Pull<B, Z>) -> Pull<T, Z>
zip_with3 fn(impl Fn(A, B, C) -> T, Pull<A, Z>, Pull<B, Z>, Pull<C, Z>) -> Pull<T, Z>
zip_with4 fn(impl Fn(A, B, C, D) -> T, Pull<A, Z>, Pull<B, Z>, Pull<C, Z>, Pull<D, Z>) -> Pull<T, Z>
zip_with_shortest fn(impl Fn(A, B) -> T, Pull<A, Z>, Pull<B, Z>) -> Pull<T, Z>
zip_with3_shortest fn(impl Fn(A, B, C) -> T, Pull<A, Z>, Pull<B, Z>, Pull<C, Z>) -> Pull<T, Z>
zip_with4_shortest fn(impl Fn(A, B, C, D) -> T, Pull<A, Z>, Pull<B, Z>, Pull<C, Z>, Pull<D, Z>) -> Pull<T, Z>
unzip fn(Pull<(A, B), Z>) -> (Pull<A, Z>, Pull<B, Z>)
unzip3 fn(Pull<(A, B, C), Z>) -> (Pull<A, Z>, Pull<B, Z>, Pull<C, Z>)
unzip4 fn(Pull<(A, B, C, D), Z>) -> (Pull<A, Z>, Pull<B, Z>, Pull<C, Z>, Pull<D, Z>)
fold1 fn(impl Fn(T, T) -> T, Pull<T>) -> Pull<T>
unsafe_bin_split fn(u32, impl Fn(Pull<A>) -> Pull<B>, Pull<A>) -> Pull<B>
bin_split fn(u32, impl Fn(Pull<T>) -> Pull<T>, Pull<T>) -> Program<_, Pull<T>>
compute fn(Array<T, Z>) -> Program<_, Pull<T, Z>>
compute_pitch fn(u32, Array<T, Z>) -> Program<_, Pull<T, Z>>
Pitch fn(u32) -> Opaque
compute_as fn(_, Array<T, Z>) -> Program<_, Pull<T, Z>>
hold fn(Array<T, Z>) -> Program<_, Pull<T, Z>>
hold_as fn(_, Pull<T, Z>) -> Program<_, Pull<T, Z>>
exchange fn(_, _, Pull<T, Z>) -> Program<_, Pull<T, Z>>
Blocked fn(u32) -> Opaque
new_shared_mutable fn(u32, T) -> Program<_, Mutable<T>>
to_mutable fn(Array<T, Z>) -> Program<_, Mutable<T>>
tiles_fold fn(Pull<A, Z>, u32, Array<T, Y>, impl Fn(Pull<T>, Pull<A>) -> Program<_, Array<T, _>>, impl Fn(Pull<T>, Pull<A, EU32>) -> Program<_, Array<T, _>>) -> Program<_, Pull<T>>
reduce fn(impl Fn(T, T) -> T, Pull<T>) -> Push<_, T>
inclusive_scan fn(impl Fn(T, T) -> T, Pull<T>) -> Push<_, T>
exclusive_scan fn(impl Fn(T, T) -> T, T, Pull<T>) -> Push<_, T>
earlier fn(impl Fn(T, T) -> T, T, Pull<T>) -> Program<_, Pull<T>>
sort fn(impl Fn(T, T) -> EBool, Pull<T>) -> Push<_, T>
any fn(Pull<EBool>) -> Push<_, EBool>
all fn(Pull<EBool>) -> Push<_, EBool>
ballot fn(Pull<EBool>) -> Push<_, EU32>
match_any fn(Pull<T>) -> Push<_, EU32>
rank_by_digit fn(u32, Pull<EU32>) -> Program<_, (Pull<EU32>, Pull<EU32>)>
seq_reduce fn(impl Fn(T, T) -> T, Pull<T, Z>) -> Program<_, T>
seq_iterate fn(Into<EU32>, impl Fn(EU32, T) -> T, T) -> Program<_, T>
seq_until fn(impl Fn(T) -> T, impl Fn(T) -> EBool, T) -> Program<_, T>
seq_scan fn(impl Fn(T, T) -> T, Pull<T, Z>) -> Push<_, T, Z>
seq_scan_cin fn(impl Fn(T, T) -> T, T, Pull<T, Z>) -> Push<_, T, Z>
map_accum_l fn(impl Fn(T, A) -> (T, U), T, Pull<A, Z>) -> Push<_, U, Z>
map_accum_r fn(impl Fn(T, A) -> (T, U), T, Pull<A, Z>) -> Push<_, U, Z>
s_map_accum fn(impl Fn(T, Pull<A, Y>) -> Program<_, (T, Push<_, U>)>, T, Pull<Pull<A, Y>, Z>) -> Push<_, U, Z>
lift_par fn(Pull<Array<T, Y>, Z>) -> Push<_, T, _>
lift_seq fn(Pull<Array<T, Y>, Z>) -> Push<_, T, _>
lift_in fn(Pull<Array<T, Y>, Z>) -> Push<_, T, _>
exec fn(Program<_, Array<T, Z>>) -> Push<_, T, Z>
exec_thread fn(Program<_, Array<T, Z>>) -> Push<_, T, Z>
exec_warp fn(Program<_, Array<T, Z>>) -> Push<_, T, Z>
exec_block fn(Program<_, Array<T, Z>>) -> Push<_, T, Z>
exec_value fn(Program<_, T>) -> Push<_, T>
exec_thread_value fn(Program<_, T>) -> Push<_, T>
exec_warp_value fn(Program<_, T>) -> Push<_, T>
exec_block_value fn(Program<_, T>) -> Push<_, T>
pure fn(A) -> Program<_, A>
for_all fn(Extents<I>, impl Fn(I) -> Program<_, _>) -> Program<_, ()>
distr_par fn(Into<EU32>, impl Fn(EU32) -> Program<_, _>) -> Program<_, ()>
seq_for fn(Into<EU32>, impl Fn(EU32) -> Program<_, _>) -> Program<_, ()>
seq_while fn(Program<_, EBool>, Program<_, _>) -> Program<_, ()>
single_thread fn(Program<_, _>) -> Program<_, ()>
cond fn(EBool, Program<_, _>, Program<_, _>) -> Program<_, ()>
break_loop fn() -> Program<_, ()>
sync fn() -> Program<_, ()>
unroll fn(u32, Program<_, A>) -> Program<_, A>
rep fn(u32, impl Fn(A) -> Program<_, A>, A) -> Program<_, A>
compose fn(Vec<impl Fn(Pull<T>) -> Push<_, T>>, Pull<T>) -> Program<_, Push<_, T>>
outer fn(impl Fn(A, B) -> T, Pull<A, N>, Pull<B, N>) -> Pull2<T, N>
accumulate fn(impl Fn(T, T) -> T, Array<T, Z>, Pull<Program<_, Pull<T, Z>>, Y>) -> Program<_, Pull<T, Z>>
block_reduce fn(impl Fn(T, T) -> T, T, Pull<T, Z>) -> Program<_, T>
warp_reduce fn(impl Fn(T, T) -> T, T, Pull<T, Z>) -> Program<_, T>
thread_reduce fn(impl Fn(T, T) -> T, T, Pull<T, Z>) -> Program<_, T>
block_reduce_commutative fn(impl Fn(T, T) -> T, T, Pull<T, Z>) -> Program<_, T>
warp_reduce_commutative fn(impl Fn(T, T) -> T, T, Pull<T, Z>) -> Program<_, T>
block_inclusive_scan fn(impl Fn(T, T) -> T, Pull<T, Z>) -> Push<_, T, Z>
warp_inclusive_scan fn(impl Fn(T, T) -> T, Pull<T, Z>) -> Push<_, T, Z>
thread_inclusive_scan fn(impl Fn(T, T) -> T, Pull<T, Z>) -> Push<_, T, Z>
block_exclusive_scan fn(impl Fn(T, T) -> T, T, Pull<T, Z>) -> Push<_, T, Z>
warp_exclusive_scan fn(impl Fn(T, T) -> T, T, Pull<T, Z>) -> Push<_, T, Z>
thread_exclusive_scan fn(impl Fn(T, T) -> T, T, Pull<T, Z>) -> Push<_, T, Z>
block_radix_rank fn(u32, Pull<EU32>) -> Program<_, Pull<EU32>>
block_radix_sort fn(u32, impl Fn(T) -> EU32, Pull<T>) -> Program<_, Push<_, T>>
block_histogram fn(u32, Pull<EU32, Z>) -> Program<_, Pull<EU32>>
block_merge fn(impl Fn(T, T) -> EBool, Pull<T, Z>, Pull<T, Z>) -> Push<_, T, Z>
warp_merge fn(impl Fn(T, T) -> EBool, Pull<T, Z>, Pull<T, Z>) -> Push<_, T, Z>
stencil_tiles fn(u32, u32, u32, impl Fn(Pull2<T>, EU32, EU32) -> U, Pull2<T, N>) -> Push2<_, U, N>
clamped fn(u32, Pull2<T, N>) -> Pull2<T, N>
mirrored fn(u32, Pull2<T, N>) -> Pull2<T, N>
wrapped fn(u32, Pull2<T, N>) -> Pull2<T, N>
padded fn(u32, T, Pull2<T, N>) -> Pull2<T, N>
";

/// Methods of pull arrays.
pub(super) const PULL: &str = "
as_block fn(Pull<Array<T, Y>, Z>) -> Push<_, T, _>
as_block_map fn(Pull<A, Z>, impl Fn(A) -> Array<T, Y>) -> Push<_, T, _>
as_grid fn(Pull<Array<T, Y>, Z>) -> Push<_, T, _>
as_grid_map fn(Pull<A, Z>, impl Fn(A) -> Array<T, Y>) -> Push<_, T, _>
as_grid_ordered fn(Pull<A, Z>, impl Fn(A) -> Array<T, Y>) -> Push<_, T, _>
as_thread fn(Pull<Array<T, Y>, Z>) -> Push<_, T, _>
as_thread_map fn(Pull<A, Z>, impl Fn(A) -> Array<T, Y>) -> Push<_, T, _>
as_warp fn(Pull<Array<T, Y>, Z>) -> Push<_, T, _>
as_warp_map fn(Pull<A, Z>, impl Fn(A) -> Array<T, Y>) -> Push<_, T, _>
at fn(Pull<A, Z>, Into<Index<Z>>) -> A
len fn(Pull<A, Z>) -> Length<Z>
map fn(Pull<A, Z>, impl Fn(A) -> T) -> Pull<T, Z>
push fn(Pull<A, Z>) -> Push<_, A, Z>
flat fn(Pull<A, Z>) -> Pull<A, Length<Z>>
set_size fn(Pull<A, Z>, Y) -> Pull<A, Y>
shape fn(Pull<A, Z>) -> Z
as_2d fn(Pull<A, N>, Into<EU32>, Into<EU32>) -> Pull2<A, N>
as_3d fn(Pull<A, N>, Into<EU32>, Into<EU32>, Into<EU32>) -> Pull3<A, N>
adjacent fn(Pull<A, Z>, impl Fn(A, A) -> T) -> Pull<T, Z>
chunks fn(Pull<T, Z>, u32, T) -> Pull<Pull<T>, Z>
chunks_len fn(Pull<A, Z>, u32) -> Pull<Pull<A, EU32>, Z>
coalesce fn(Pull<A, Z>, u32) -> Pull<Pull<A>, Z>
concat fn(Pull<Pull<A>, Z>, u32) -> Pull<A, Z>
drop fn(Pull<A, Z>, Z) -> Pull<A, Z>
even_odds fn(Pull<A, Z>) -> (Pull<A, Z>, Pull<A, Z>)
evens fn(Pull<A, Z>) -> Pull<A, Z>
every_nth fn(Pull<A, Z>, u32) -> Pull<A, Z>
first fn(Pull<A, Z>) -> A
from_dyn fn(Pull<A, Z>, u32) -> Pull<A>
halve fn(Pull<A, Z>) -> (Pull<A, Z>, Pull<A, Z>)
in_rows fn(Pull<A, N>, Into<EU32>) -> Pull2<A, N>
ix_map fn(Pull<A, Z>, impl Fn(EU32) -> EU32) -> Pull<A, Z>
last fn(Pull<A, Z>) -> A
load fn(Pull<A, Z>, u32) -> Push<_, A, Z>
odds fn(Pull<A, Z>) -> Pull<A, Z>
pair fn(Pull<A, Z>) -> Pull<(A, A), Z>
quadruple fn(Pull<A, Z>) -> Pull<(A, A, A, A), Z>
reverse fn(Pull<A, Z>) -> Pull<A, Z>
set_len fn(Pull<A, Z>, Y) -> Pull<A, Y>
shift_left fn(Pull<A, Z>, Z) -> Pull<A, Z>
split_at fn(Pull<A, Z>, Z) -> (Pull<A, Z>, Pull<A, Z>)
split_up fn(Pull<A, Z>, u32) -> Pull<Pull<A>, Z>
store fn(Pull<A, Z>, u32) -> Push<_, A, Z>
tail fn(Pull<A, Z>) -> Pull<A, Z>
take fn(Pull<A, Z>, Z) -> Pull<A, Z>
to_dyn fn(Pull<A, Z>) -> Pull<A, EU32>
triple fn(Pull<A, Z>) -> Pull<(A, A, A), Z>
un_coalesce fn(Pull<Pull<A>, Z>, u32) -> Pull<A, Z>
unpair fn(Pull<(A, A), Z>) -> Pull<A, Z>
unquadruple fn(Pull<(A, A, A, A), Z>) -> Pull<A, Z>
untriple fn(Pull<(A, A, A), Z>) -> Pull<A, Z>
windows fn(Pull<A, Z>, u32) -> Pull<Pull<A>, Z>
column fn(Pull2<A, N>, Into<EU32>) -> Pull<A, N>
columns fn(Pull2<A, N>) -> Pull<Pull<A, N>, N>
cover fn(Pull2<A, N>, u32, u32) -> Pull2<Pull2<A>, N>
depth fn(Pull3<A, N>) -> N
height fn(Pull<A, Z>) -> Length<Z>
row fn(Pull2<A, N>, Into<EU32>) -> Pull<A, N>
rows fn(Pull2<A, N>) -> Pull<Pull<A, N>, N>
tiles fn(Pull2<A, N>, u32, u32) -> Pull2<Pull2<A>, N>
transpose fn(Pull2<A, N>) -> Pull2<A, N>
untile fn(Pull2<Pull2<A>, N>, u32, u32) -> Pull2<A, N>
width fn(Pull<A, Z>) -> Length<Z>
plane fn(Pull3<A, N>, Into<EU32>) -> Pull2<A, N>
planes fn(Pull3<A, N>) -> Pull<Pull2<A, N>, N>
";

/// Methods of push arrays.
pub(super) const PUSH: &str = "
len fn(Push<_, A, Z>) -> Length<Z>
map fn(Push<_, A, Z>, impl Fn(A) -> T) -> Push<_, T, Z>
push_to fn(Push<_, A, Z>, impl Fn(A, Index<Z>) -> Program<_, _>) -> Program<_, ()>
unroll fn(Push<_, A, Z>, u32) -> Push<_, A, Z>
write_to fn(Push<_, A, Z>, impl Fn(A, Index<Z>) -> Program<_, _>) -> Program<_, ()>
flat fn(Push<_, A, Z>) -> Push<_, A, Length<Z>>
set_size fn(Push<_, A, Z>, Y) -> Push<_, A, Y>
shape fn(Push<_, A, Z>) -> Z
as_2d fn(Push<_, A, N>, Into<EU32>, Into<EU32>) -> Push2<_, A, N>
as_3d fn(Push<_, A, N>, Into<EU32>, Into<EU32>, Into<EU32>) -> Push3<_, A, N>
from_dyn fn(Push<_, A, Z>, u32) -> Push<_, A>
in_rows fn(Push<_, A, N>, Into<EU32>) -> Push2<_, A, N>
ix_map fn(Push<_, A, Z>, impl Fn(EU32) -> EU32) -> Push<_, A, Z>
padded fn(Push<_, A, Z>) -> Push<_, A, Z>
reverse fn(Push<_, A, Z>) -> Push<_, A, Z>
set_len fn(Push<_, A, Z>, Y) -> Push<_, A, Y>
take fn(Push<_, A, Z>, Y) -> Push<_, A, Y>
to_dyn fn(Push<_, A, Z>) -> Push<_, A, EU32>
un_coalesce fn(Push<_, A, Z>, u32) -> Push<_, A, Z>
unpair fn(Push<_, (A, A), Z>) -> Push<_, A, Z>
unquadruple fn(Push<_, (A, A, A, A), Z>) -> Push<_, A, Z>
untriple fn(Push<_, (A, A, A), Z>) -> Push<_, A, Z>
crop fn(Push<_, A, Z>, N, N) -> Push2<_, A, N>
transpose fn(Push2<_, A, N>) -> Push2<_, A, N>
depth fn(Push<_, A, Z>) -> Length<Z>
height fn(Push<_, A, Z>) -> Length<Z>
width fn(Push<_, A, Z>) -> Length<Z>
";

/// Methods of mutable arrays.
pub(super) const MUTABLE: &str = "
atomic_add fn(Mutable<T, Z>, Into<EU32>, T) -> Program<_, T>
atomic_and fn(Mutable<T, Z>, Into<EU32>, T) -> Program<_, T>
atomic_cas fn(Mutable<T, Z>, Into<EU32>, T, T) -> Program<_, T>
atomic_dec fn(Mutable<T, Z>, Into<EU32>, T) -> Program<_, T>
atomic_exch fn(Mutable<T, Z>, Into<EU32>, T) -> Program<_, T>
atomic_inc fn(Mutable<T, Z>, Into<EU32>, T) -> Program<_, T>
atomic_max fn(Mutable<T, Z>, Into<EU32>, T) -> Program<_, T>
atomic_min fn(Mutable<T, Z>, Into<EU32>, T) -> Program<_, T>
atomic_or fn(Mutable<T, Z>, Into<EU32>, T) -> Program<_, T>
atomic_sub fn(Mutable<T, Z>, Into<EU32>, T) -> Program<_, T>
atomic_xor fn(Mutable<T, Z>, Into<EU32>, T) -> Program<_, T>
len fn(Mutable<T, Z>) -> Z
push fn(Mutable<T, Z>) -> Push<_, T, Z>
read fn(Mutable<T, Z>, Into<EU32>) -> Program<_, T>
write fn(Mutable<T, Z>, Into<EU32>, T) -> Program<_, ()>
write_all fn(Mutable<T, Z>, Array<T, _>) -> Program<_, ()>
";

/// Methods of programs.
pub(super) const PROGRAM: &str = "
and_then fn(Program<_, A>, impl Fn(A) -> Program<_, B>) -> Program<_, B>
map fn(Program<_, A>, impl Fn(A) -> B) -> Program<_, B>
void fn(Program<_, A>) -> Program<_, ()>
";

/// Functions of array programs.
pub(super) const ARRAYS: &str = "
append fn(Arr<I, T>, Arr<I, T>) -> Arr<I, T>
awhile fn(A, impl Fn(A) -> Arr0<EBool>, impl Fn(A) -> A) -> A
backpermute fn(Extents<I>, impl Fn(I) -> J, Arr<J, T>) -> Arr<I, T>
each fn(A, impl Fn(_) -> _) -> _
enum_from_step fn(Into<EU32>, Into<EU32>, Into<EU32>) -> Arr1<EU32>
fill fn(Extents<I>, T) -> Arr<I, T>
gather fn(Arr<I, EU32>, Arr1<T>) -> Arr<I, T>
generate fn(Extents<I>, impl Fn(I) -> T) -> Arr<I, Value<T>>
if_then fn(Arr0<EBool>, impl Fn() -> A, impl Fn() -> A) -> A
iota fn(Into<EU32>) -> Arr1<EU32>
literal fn(Vec<S>) -> Arr1<Exp<S>>
power fn(Into<EU32>, A, impl Fn(A) -> A) -> A
unit fn(T) -> Arr0<Value<T>>
unzip fn(Arr<I, (A, B)>) -> (Arr<I, A>, Arr<I, B>)
unzip3 fn(Arr<I, (A, B, C)>) -> (Arr<I, A>, Arr<I, B>, Arr<I, C>)
zip fn(Arr<I, A>, Arr<I, B>) -> Arr<I, (A, B)>
zip3 fn(Arr<I, A>, Arr<I, B>, Arr<I, C>) -> Arr<I, (A, B, C)>
zip_with fn(impl Fn(A, B) -> T, Arr<I, A>, Arr<I, B>) -> Arr<I, Value<T>>
zip_with3 fn(impl Fn(A, B, C) -> T, Arr<I, A>, Arr<I, B>, Arr<I, C>) -> Arr<I, Value<T>>
zip_with4 fn(impl Fn(A, B, C, D) -> T, Arr<I, A>, Arr<I, B>, Arr<I, C>, Arr<I, D>) -> Arr<I, Value<T>>
Constant fn(T) -> Outside<T>
Function fn(impl Fn(_) -> T) -> Outside<T>
";

/// Methods of arrays of array programs.
pub(super) const WHOLE: &str = "
at fn(Arr<I, T>, Into<I>) -> T
compact fn(Arr<I, T>, Arr<I, EBool>) -> Arr1<T>
compute fn(Arr<I, T>) -> Arr<I, T>
filter fn(Arr<I, T>, impl Fn(T) -> EBool) -> Arr1<T>
flatten fn(Arr<I, T>) -> Arr1<T>
imap fn(Arr<I, T>, impl Fn(I, T) -> U) -> Arr<I, Value<U>>
inline fn(Arr<I, T>) -> Arr<I, T>
len fn(Arr<I, T>) -> EU32
map fn(Arr<I, T>, impl Fn(T) -> U) -> Arr<I, Value<U>>
partition fn(Arr<I, T>, impl Fn(T) -> EBool) -> (Arr1<T>, Arr1<T>)
permute fn(Arr<I, T>, impl Fn(T, T) -> T, Arr<J, T>, impl Fn(I, T) -> (EBool, J)) -> Arr<J, T>
reshape fn(Arr<I, T>, Extents<J>) -> Arr<J, T>
scatter fn(Arr<I, T>, Arr<I, EU32>, Arr1<T>) -> Arr1<T>
shape fn(Arr<I, T>) -> I
all fn(Arr<I, EBool>) -> Arr<_, EBool>
alternating_sum fn(Arr<I, T>) -> Arr<_, T>
any fn(Arr<I, EBool>) -> Arr<_, EBool>
arg_max fn(Arr<I, T>) -> Arr<_, EU32>
arg_min fn(Arr<I, T>) -> Arr<_, EU32>
axis fn(Arr<I, T>, usize) -> Arr<I, T>
drop fn(Arr<I, T>, Into<EU32>) -> Arr<I, T>
each fn(Arr<I, T>, impl Fn(Arr<_, T>) -> _) -> _
exclusive_scan fn(Arr<I, T>, impl Fn(T, T) -> T, T) -> Arr<I, T>
exclusive_scan_right fn(Arr<I, T>, impl Fn(T, T) -> T, T) -> Arr<I, T>
exclusive_scan_with_total fn(Arr<I, T>, impl Fn(T, T) -> T, T) -> (Arr<I, T>, Arr<_, T>)
fold fn(Arr<I, T>, impl Fn(T, T) -> T, T) -> Arr<_, T>
fold1 fn(Arr<I, T>, impl Fn(T, T) -> T) -> Arr<_, T>
fold_all fn(Arr<I, T>, impl Fn(T, T) -> T, T) -> Arr0<T>
fold_in_order fn(Arr<I, T>, impl Fn(U, T) -> U, U) -> Arr<_, U>
fold_right fn(Arr<I, T>, impl Fn(T, U) -> U, U) -> Arr<_, U>
inclusive_scan fn(Arr<I, T>, impl Fn(T, T) -> T) -> Arr<I, T>
inclusive_scan_right fn(Arr<I, T>, impl Fn(T, T) -> T) -> Arr<I, T>
indexed fn(Arr<I, T>) -> Arr<I, (I, T)>
init fn(Arr<I, T>) -> Arr<I, T>
max fn(Arr<I, T>) -> Arr<_, T>
min fn(Arr<I, T>) -> Arr<_, T>
product fn(Arr<I, T>) -> Arr<_, T>
reverse fn(Arr<I, T>) -> Arr<I, T>
rotate fn(Arr<I, T>, Into<EU32>) -> Arr<I, T>
scan_in_order fn(Arr<I, T>, impl Fn(U, T) -> U, U) -> Arr<I, U>
segmented_exclusive_scan fn(Arr<I, T>, Arr<I, EBool>, impl Fn(T, T) -> T, T) -> Arr<I, T>
segmented_inclusive_scan fn(Arr<I, T>, Arr<I, EBool>, impl Fn(T, T) -> T) -> Arr<I, T>
slice_inner fn(Arr<I, T>, Into<EU32>) -> Arr<_, T>
slice_outer fn(Arr<I, T>, Into<EU32>) -> Arr<_, T>
stencil fn(Arr<I, T>, Outside<T>, impl Fn(Window<I, T>) -> U) -> Arr<I, Value<U>>
sum fn(Arr<I, T>) -> Arr<_, T>
tail fn(Arr<I, T>) -> Arr<I, T>
take fn(Arr<I, T>, Into<EU32>) -> Arr<I, T>
replicate fn(Arr<I, T>, Into<EU32>) -> Arr<_, T>
replicate_inner fn(Arr<I, T>, Into<EU32>) -> Arr<_, T>
known fn(Arr0<EU32>) -> EU32
the fn(Arr0<T>) -> T
expand fn(Arr1<T>, impl Fn(T) -> EU32, impl Fn(T, EU32) -> U) -> Arr1<Value<U>>
segmented_fold fn(Arr1<T>, Arr1<EU32>, impl Fn(T, T) -> T, T) -> Arr1<T>
sort fn(Arr1<T>) -> Arr1<T>
sort_by_bits fn(Arr1<T>, u32, impl Fn(T) -> EU32) -> Arr1<T>
sort_by_key fn(Arr1<T>, impl Fn(T) -> U) -> Arr1<T>
unique fn(Arr1<T>, impl Fn(T, T) -> EBool) -> Arr1<T>
column fn(Arr2<T>, Into<EU32>) -> Arr1<T>
row fn(Arr2<T>, Into<EU32>) -> Arr1<T>
transpose fn(Arr2<T>) -> Arr2<T>
";

/// Methods of the elements around one.
pub(super) const WINDOW: &str = "
at fn(Window<_, T>, _) -> T
";

/// Methods of vectors, iterators and ranges of the host.
pub(super) const SEQUENCE: &str = "
iter fn(Iter<A>) -> Iter<A>
into_iter fn(Iter<A>) -> Iter<A>
by_ref fn(Iter<A>) -> Iter<A>
rev fn(Iter<A>) -> Iter<A>
skip fn(Iter<A>, usize) -> Iter<A>
take fn(Iter<A>, usize) -> Iter<A>
step_by fn(Iter<A>, usize) -> Iter<A>
filter fn(Iter<A>, impl Fn(A) -> bool) -> Iter<A>
take_while fn(Iter<A>, impl Fn(A) -> bool) -> Iter<A>
skip_while fn(Iter<A>, impl Fn(A) -> bool) -> Iter<A>
map fn(Iter<A>, impl Fn(A) -> B) -> Iter<B>
flat_map fn(Iter<A>, impl Fn(A) -> Sequence<B>) -> Iter<B>
filter_map fn(Iter<A>, impl Fn(A) -> Option<B>) -> Iter<B>
chain fn(Iter<A>, Sequence<A>) -> Iter<A>
zip fn(Iter<A>, Sequence<B>) -> Iter<(A, B)>
enumerate fn(Iter<A>) -> Iter<(usize, A)>
collect fn(Iter<A>) -> Vec<A>
to_vec fn(Iter<A>) -> Vec<A>
as_slice fn(Iter<A>) -> Vec<A>
len fn(Iter<A>) -> usize
count fn(Iter<A>) -> usize
is_empty fn(Iter<A>) -> bool
first fn(Iter<A>) -> Option<A>
last fn(Iter<A>) -> Option<A>
nth fn(Iter<A>, usize) -> Option<A>
get fn(Iter<A>, usize) -> Option<A>
concat fn(Iter<Vec<A>>) -> Vec<A>
sum fn(Iter<A>) -> A
product fn(Iter<A>) -> A
max fn(Iter<A>) -> Option<A>
min fn(Iter<A>) -> Option<A>
chunks fn(Iter<A>, usize) -> Iter<Vec<A>>
windows fn(Iter<A>, usize) -> Iter<Vec<A>>
contains fn(Iter<A>, A) -> bool
reduce fn(Iter<A>, impl Fn(A, A) -> A) -> Option<A>
any fn(Iter<A>, impl Fn(A) -> bool) -> bool
all fn(Iter<A>, impl Fn(A) -> bool) -> bool
position fn(Iter<A>, impl Fn(A) -> bool) -> Option<usize>
find fn(Iter<A>, impl Fn(A) -> bool) -> Option<A>
fold fn(Iter<A>, B, impl Fn(B, A) -> B) -> B
push fn(Iter<A>, A) -> ()
extend fn(Iter<A>, Sequence<A>) -> ()
truncate fn(Iter<A>, usize) -> ()
remove fn(Iter<A>, usize) -> A
pop fn(Iter<A>) -> Option<A>
clear fn(Iter<A>) -> ()
reverse fn(Iter<A>) -> ()
sort fn(Iter<A>) -> ()
insert fn(Iter<A>, usize, A) -> ()
swap fn(Iter<A>, usize, usize) -> ()
";

/// Methods of options.
pub(super) const OPTION: &str = "
map fn(Option<A>, impl Fn(A) -> B) -> Option<B>
unwrap fn(Option<A>) -> A
unwrap_or fn(Option<A>, A) -> A
expect fn(Option<A>, _) -> A
is_some fn(Option<A>) -> bool
is_none fn(Option<A>) -> bool
";
