//! The module `algorithms` without its feature: what rustc says of a name that is not there, it says with the feature.

#[path = "blocks.rs"]
pub mod blocks;

#[cfg(feature = "algorithms")]
pub use with_the_feature::{
    Edge, Elements, ElementsMut, Number, arg_max, arg_max_into, arg_min, arg_min_into,
    copy_flagged, copy_if, count_if, dot, dot_into, exclusive_scan, exclusive_scan_by_key,
    exclusive_scan_by_key_into, exclusive_scan_into, exclusive_sum, exclusive_sum_into, gather,
    gather_into, histogram, histogram_into, inclusive_scan, inclusive_scan_by_key,
    inclusive_scan_by_key_into, inclusive_scan_into, inclusive_sum, inclusive_sum_into,
    lower_bound, lower_bound_into, map, map_into, max, max_into, merge, merge_by_key, merge_into,
    min, min_into, partition, reduce, reduce_by_key, reduce_into, scatter, scatter_into,
    segmented_exclusive_scan, segmented_exclusive_scan_into, segmented_inclusive_scan,
    segmented_inclusive_scan_into, segmented_reduce, segmented_reduce_into, sort, sort_by_key,
    sort_into, stencil2, stencil2_into, sum, sum_into, top_k, transpose, transpose_into, unique,
    upper_bound, upper_bound_into, zip_map, zip_map_into,
};
