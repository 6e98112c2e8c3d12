//! The CUDA device of `obsidian-rt` without a GPU: programs run in processes of their own, which
//! find a driver for tests as `libcuda.so.1`.

#![allow(clippy::unwrap_used)]

#[cfg(feature = "cust")]
mod cust;
mod examples;
mod processes;

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;

use obsidian_executor::Compiler;
use processes::{built, ended, own, said};

/// Says what was skipped. Not through `println!`, which the test runner keeps to itself when a test passes.
fn skipped(what: &str, why: &str) {
    let line = format!("skipped: {what}, because {why}\n");
    std::io::stdout().write_all(line.as_bytes()).unwrap();
}

/// Kernels run by their texts, for which a C++ compiler is needed.
fn kernels_run() -> bool {
    let there = Compiler::find().is_some();
    if !there {
        skipped(
            "kernels on the driver for tests",
            "there is no g++ that can compile them",
        );
    }
    there
}

#[test]
fn buffers_launches_streams_and_events_work() {
    if kernels_run() {
        said(own("works"));
    }
}

#[test]
fn memory_is_kept_filled_copied_and_lent() {
    if kernels_run() {
        said(own("kept"));
    }
}

#[test]
fn recorded_work_is_a_graph() {
    if kernels_run() {
        said(own("replayed"));
    }
}

#[test]
fn blocks_follow_each_other_launch_after_launch() {
    if kernels_run() {
        said(own("ordered"));
    }
}

#[test]
fn an_index_that_is_outside_is_one_error_of_a_later_call() {
    if kernels_run() {
        said(own("faults"));
    }
}

#[test]
fn ptx_without_a_text_is_found_by_its_entry() {
    if kernels_run() {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("texts");
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        let mut command = own("works");
        command
            .env("OBSIDIAN_STAND_IN_TEXTS", &folder)
            .env("OBSIDIAN_DRIVER_TEXTS", &folder);
        said(command);
        assert!(folder.join("sums_of_64.1023.cu").is_file());
    }
}

/// The texts that the stand-in for nvcc is given while a program runs with `OBSIDIAN_LINEINFO=1`.
fn texts_with_lines(mut command: Command, name: &str) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    command
        .env("OBSIDIAN_LINEINFO", "1")
        .env("OBSIDIAN_STAND_IN_TEXTS", &folder)
        .env("OBSIDIAN_DRIVER_TEXTS", &folder);
    said(command);
    let files = fs::read_dir(&folder).unwrap();
    files
        .map(|file| fs::read_to_string(file.unwrap().path()).unwrap())
        .collect()
}

#[test]
fn kernels_with_line_information_name_the_source() {
    if kernels_run() {
        let texts = texts_with_lines(own("works"), "texts-with-lines");
        assert!(
            texts.contains("#line ") && texts.contains("program/kernels.rs\""),
            "{texts}"
        );
        // PTX of a build script has none: its kernels are compiled once more.
        let texts = texts_with_lines(of_the_build("tuned"), "texts-of-the-build-with-lines");
        assert!(texts.contains("#line "), "{texts}");
    }
}

/// One of our own programs, whose kernels a build script has written.
fn of_the_build(which: &str) -> Command {
    let mut command = own(which);
    // For PTX of the real compiler, which does not have the CUDA text in it.
    command.env(
        "OBSIDIAN_DRIVER_TEXTS",
        Path::new(env!("OUT_DIR")).join("obsidian"),
    );
    command
}

#[test]
fn a_tuned_file_changes_what_is_launched() {
    if kernels_run() {
        said(of_the_build("tuned"));
    }
}

#[test]
fn explorations_take_their_times_from_events() {
    if kernels_run() {
        said(of_the_build("explored"));
    }
}

#[test]
fn planted_candidates_of_an_exploration_cost_themselves_alone() {
    if kernels_run() {
        said(own("planted"));
    }
}

#[test]
fn what_the_driver_says_of_ptx_is_told() {
    let mut command = own("works");
    // The texts go where the driver does not look.
    command
        .env("OBSIDIAN_STAND_IN_TEXTS", env!("CARGO_TARGET_TMPDIR"))
        .env_remove("OBSIDIAN_DRIVER_TEXTS");
    let output = ended(&mut command);
    let words = String::from_utf8_lossy(&output.stdout);
    assert!(!output.status.success(), "{words}");
    assert!(
        words.starts_with(
            "KernelRejected: kernel `sums_of_64`: `cuModuleLoadDataEx` on `cuda:0` failed with 218"
        ),
        "{words}"
    );
    assert!(
        words.contains("there is no CUDA text of this kernel"),
        "{words}"
    );
}

#[test]
fn each_device_has_its_own_buffers() {
    if kernels_run() {
        let mut command = own("devices");
        command.env("OBSIDIAN_DRIVER_DEVICES", "2");
        said(command);
    }
}

#[test]
fn every_call_may_fail() {
    if kernels_run() {
        print!("{}", said(own("inject")));
    }
}

#[test]
fn chunks_are_copied_while_others_are_computed() {
    if kernels_run() {
        said(own("streamed"));
    }
}

#[test]
fn every_call_of_a_sequence_may_fail() {
    if kernels_run() {
        print!("{}", said(own("streamed-inject")));
    }
}

#[test]
fn what_a_launch_does_wrong_is_the_error_of_a_later_call() {
    if kernels_run() {
        said(own("fault"));
        said(own("fault-recorded"));
        said(own("fault-found"));
    }
}

#[test]
fn errors_come_from_the_launch_or_from_the_next_call_that_waits() {
    if kernels_run() {
        said(own("when"));
    }
}

#[test]
fn after_a_lost_context_every_call_says_so() {
    said(own("lost"));
}

/// What a program logs under a profiler, of launches, ranges and graphs.
fn ranges(profiler: &Path, profiles: &str) -> Vec<String> {
    let log =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("ranges-{}.log", std::process::id()));
    let _ = fs::remove_file(&log);
    let mut command = own("ranges");
    command
        .env("OBSIDIAN_DRIVER_LOG", &log)
        .env("OBSIDIAN_DRIVER_PROFILES", profiles)
        .env("NVTX_INJECTION64_PATH", profiler);
    said(command);
    let log = fs::read_to_string(log).unwrap();
    let kept = [
        "begins",
        "ends",
        "profiler",
        "cuLaunchKernel ",
        "cuGraphLaunch ",
    ];
    let lines = log
        .lines()
        .filter(|line| kept.iter().any(|kept| line.starts_with(kept)));
    lines.map(str::to_owned).collect()
}

#[test]
fn a_profiler_hears_of_each_launch_on_any_device() {
    if !kernels_run() {
        return;
    }
    let driver = built().join("libobsidian_driver.so");
    let launch = ["begins: sums_of_64", "cuLaunchKernel 0", "ends"];
    let graph = ["begins: recorded work, 2 steps", "cuGraphLaunch 0", "ends"];
    let here = ["begins: sums_of_64", "ends"];
    let steps = [
        &["begins: recorded work, 2 steps"][..],
        &here,
        &here,
        &["ends"],
    ]
    .concat();
    let wanted = [
        &["profiler: attached"][..],
        &launch,
        &launch,
        &launch,
        &graph,
        &here,
        &here,
        &here,
        &steps,
    ];
    assert_eq!(ranges(&driver, "1"), wanted.concat());

    let unheard = [[launch[1]; 3].as_slice(), &graph[1..2]].concat();
    assert_eq!(ranges(&driver, "0"), unheard);
    assert_eq!(ranges(Path::new(""), "1"), unheard);
    assert_eq!(ranges(Path::new("/nowhere/libprofiler.so"), "1"), unheard);
    // A library that is no profiler.
    assert_eq!(ranges(&built().join("driver-program"), "1"), unheard);
}

#[test]
fn bad_launches_are_refused_before_the_driver_is_called() {
    let log =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("refused-{}.log", std::process::id()));
    let _ = fs::remove_file(&log);
    let mut command = own("refused");
    command
        .env("OBSIDIAN_DRIVER_DEVICES", "2")
        .env("OBSIDIAN_DRIVER_THREADS", "256")
        .env("OBSIDIAN_DRIVER_SHARED", "1024");
    command.env("OBSIDIAN_DRIVER_LOG", &log);
    print!("{}", said(command));
    let log = fs::read_to_string(log).unwrap();
    assert!(
        log.contains("cuMemAlloc_v2 0")
            && !log.contains("cuLaunchKernel")
            && !log.contains("cuModuleLoadDataEx"),
        "{log}"
    );
}

#[test]
fn the_best_device_is_a_gpu_that_works() {
    let lines = |command: Command| said(command).lines().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(lines(own("best")), ["cuda:0", "cuda:0"]);

    let mut without_driver = own("best");
    without_driver.env("LD_LIBRARY_PATH", "");
    let said = lines(without_driver);
    // A machine with a driver of its own has it here.
    if said[1].starts_with("NoDriver") {
        assert_eq!(said[0], "cpu");
        assert!(said[1].contains("libcuda.so.1"), "{said:?}");
    } else {
        skipped("a machine without a driver", "this one has one");
    }

    // A library that has none of the driver's functions.
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("no-driver");
    let mut libraries = fs::read_dir(built())
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let other = libraries.find(|path| {
        path.to_string_lossy().contains("libobsidian_macros")
            && path.extension().is_some_and(|e| e == "so")
    });
    fs::create_dir_all(&folder).unwrap();
    fs::copy(other.unwrap(), folder.join("libcuda.so.1")).unwrap();
    let mut without_functions = own("best");
    without_functions.env("LD_LIBRARY_PATH", folder);
    let said = lines(without_functions);
    assert!(
        said.iter()
            .all(|line| line.starts_with("DriverCall: `cuInit` on `cuda` failed with 500")),
        "{said:?}"
    );

    let mut without_devices = own("best");
    without_devices.env("OBSIDIAN_DRIVER_DEVICES", "0");
    let said = lines(without_devices);
    assert!(
        said[0] == "cpu" && said[1].starts_with("DeviceUnavailable"),
        "{said:?}"
    );

    let mut broken = own("best");
    broken.env("OBSIDIAN_DRIVER_FAIL", "cuInit 1 803");
    let said = lines(broken);
    assert!(
        said[0].starts_with("DriverCall: `cuInit` on `cuda` failed with 803"),
        "{said:?}"
    );

    let mut named = own("best");
    named.env("OBSIDIAN_DEVICE", "cuda:1");
    let said = lines(named);
    assert!(
        said[0].starts_with("DeviceUnavailable") && said[1] == "cuda:0",
        "{said:?}"
    );
}

/// What is launched by a run is loaded in front of its first launch, so that it is compiled on all cores.
#[test]
fn kernels_of_a_program_are_compiled_together() {
    if !kernels_run() {
        return;
    }
    let log =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("together-{}.log", std::process::id()));
    let _ = fs::remove_file(&log);
    let mut command = own("together");
    command.env("OBSIDIAN_DRIVER_LOG", &log);
    said(command);
    let log = fs::read_to_string(log).unwrap();
    let calls = log.lines().filter_map(|line| {
        let is = |call: &str| line.starts_with(call);
        match () {
            () if is("cuModuleLoadDataEx") => Some('m'),
            () if is("cuLaunchKernel ") => Some('l'),
            () => None,
        }
    });
    let calls: String = calls.collect();
    // Two kernels for few elements; then the two for many, which are launched twice.
    assert_eq!(calls, ["mmll", "mmll", "ll"].concat(), "{log}");
}

#[test]
fn without_a_compiler_the_best_device_runs_kernels_on_the_cpu() {
    let mut command = own("without");
    command.env("OBSIDIAN_NVCC", "");
    said(command);
}

#[test]
fn without_a_compiler_a_launch_says_what_is_missing() {
    let mut command = own("works");
    command.env("OBSIDIAN_NVCC", "");
    let output = ended(&mut command);
    let words = String::from_utf8_lossy(&output.stdout);
    assert!(
        !output.status.success() && words.contains("NoCompiler") && words.contains("OBSIDIAN_NVCC"),
        "{words}"
    );
}
