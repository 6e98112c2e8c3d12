//! Documentation in which one can look things up: public items have an example that runs, and are found by the words of CUDA,
//! CUB, Thrust, CubeCL and of the paper.

#[path = "documented/api.rs"]
mod api;
#[path = "documented/tree.rs"]
mod tree;

use std::path::Path;
use std::sync::LazyLock;

use api::{Entry, entries};

/// How many public items have no example yet. It may only go down.
const WITHOUT_EXAMPLE: usize = 10;

fn all() -> &'static [Entry] {
    static ALL: LazyLock<Vec<Entry>> =
        LazyLock::new(|| entries(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..")));
    &ALL
}

#[test]
fn public_items_have_an_example_that_runs() {
    let all = all();
    let missing: Vec<String> = all
        .iter()
        .filter(|entry| !entry.has_example())
        .map(|entry| format!("{} {}", entry.place, entry.name))
        .collect();
    assert_eq!(
        missing.len(),
        WITHOUT_EXAMPLE,
        "of {} public items these have no example (write the new number into `WITHOUT_EXAMPLE` if there are fewer):\n{}",
        all.len(),
        missing.join("\n")
    );
}

/// The count is of something: it follows the re-exports, the methods, and the functions that macros make.
#[test]
fn public_items_are_found_wherever_they_are_declared() {
    let all = all();
    for name in [
        "Device::upload",
        "Pull::reverse",
        "Exp::min",
        "sqrt",
        "atomic_add",
        "zip_with",
        "kernel",
        "Arr::map",
        "reduce_by_key",
        "Explore::run",
        "Buffer::to_ndarray",
    ] {
        assert!(all.iter().any(|entry| entry.name == name), "{name}");
    }
    for name in ["Levelled", "Schedule::new", "AnyExp", "upload_any", "tests"] {
        assert!(all.iter().all(|entry| entry.name != name), "{name}");
    }
}

/// A block that is not run is no example, and neither is the end of one.
#[test]
fn an_example_is_a_block_that_runs() {
    let has = |text: &str| {
        let entry = Entry {
            name: String::new(),
            place: String::new(),
            text: text.to_owned(),
            aliases: Vec::new(),
        };
        entry.has_example()
    };
    assert!(has(" One.\n\n ```\n one();\n ```"));
    assert!(has(" ```should_panic\n one();\n ```"));
    assert!(has(" ```c\n one();\n ```\n ```rust\n one();\n ```"));
    for text in [
        "",
        "See [`x`].",
        " ```ignore\n x\n ```",
        " ```no_run\n x\n ```",
        " ```c\n x\n ```",
        " ```text\n x\n ```",
    ] {
        assert!(!has(text), "{text}");
    }
}

/// Words of other systems, and the item that the search finds by each.
const WORDS: &[(&str, &str)] = &[
    // CUDA in a kernel.
    ("__global__", "kernel"),
    ("__launch_bounds__", "kernel"),
    ("blockDim", "kernel"),
    ("threadIdx.x", "for_all"),
    ("blockIdx.x", "distr_par"),
    ("gridDim", "Pull::as_grid_map"),
    ("__syncthreads", "sync"),
    ("__syncwarp", "sync"),
    ("__shared__", "compute"),
    ("__shared__", "new_shared_mutable"),
    ("__shfl_down_sync", "hold"),
    ("__ballot_sync", "ballot"),
    ("__match_any_sync", "match_any"),
    ("atomicAdd", "atomic_add"),
    ("atomicCAS", "atomic_cas"),
    ("printf", "show"),
    ("__fmaf_rn", "Exp::mul_add"),
    ("__popc", "count_ones"),
    // Its runtime.
    ("cudaMalloc", "Device::zeros"),
    ("cudaMemcpy", "Device::upload"),
    ("cudaMemcpy", "Buffer::to_vec"),
    ("cudaMallocHost", "Device::pinned"),
    ("cudaStream_t", "Stream"),
    ("cudaEvent_t", "Event"),
    ("cudaEventElapsedTime", "Event::since"),
    ("cudaGraph_t", "Recording"),
    ("cudaDeviceSynchronize", "Device::synchronize"),
    ("<<<>>>", "TypedKernel::launch"),
    ("cudaOccupancyMaxActiveBlocksPerMultiprocessor", "Occupancy"),
    // CUB and Thrust: the search takes what has `::` in it for a path.
    ("BlockReduce", "reduce"),
    ("WarpReduce", "reduce"),
    ("BlockScan", "inclusive_scan"),
    ("BlockRadixSort", "sort"),
    ("BlockExchange", "exchange"),
    ("DeviceReduce", "sum"),
    ("DeviceSelect", "copy_if"),
    ("DeviceRadixSort", "sort"),
    ("DeviceHistogram", "histogram"),
    ("transform", "map"),
    // CubeCL.
    ("ABSOLUTE_POS", "generate"),
    ("CUBE_POS", "distr_par"),
    ("UNIT_POS", "for_all"),
    ("SharedMemory", "compute"),
    ("plane_sum", "reduce"),
    ("sync_cube", "sync"),
    // The paper.
    ("mkPush", "mk_push"),
    ("forAll", "for_all"),
    ("asGridMap", "Pull::as_grid_map"),
    ("seqUntil", "seq_until"),
];

#[test]
fn items_are_found_by_the_words_of_other_systems() {
    let all = all();
    for (word, name) in WORDS {
        let carries =
            |entry: &Entry| entry.name == *name && entry.aliases.iter().any(|alias| alias == word);
        assert!(
            all.iter().any(carries),
            "`{name}` has no `#[doc(alias = \"{word}\")]`"
        );
    }
}
