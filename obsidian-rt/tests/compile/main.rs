//! Kernels compiled at run time: in batches, kept, by compilers that fail; and by the real ones
//! where they are.
//!
//! The stand-ins for nvcc and NVRTC make PTX that depends on the text, so that a wrong result would
//! be seen.
#![cfg(all(feature = "compile", unix))]

mod environment;
mod real;
mod stand_in;

use std::fs;

use obsidian_rt::compile::{Compiled, CompilerErrorKind, Form, Target};
use obsidian_rt::{ErrorKind, Kernel, Result};
use stand_in::{StandIn, kernel};

const TARGET: fn() -> Target = || Target::ptx(9, 0);

/// The PTX of kernels, alone and not kept: what the right results are.
fn references(stand_in: &StandIn, kernels: &[&Kernel]) -> Vec<String> {
    let compiler = stand_in.compiler().keeping_nothing();
    kernels
        .iter()
        .map(|kernel| {
            compiler
                .compile_one(kernel, &TARGET())
                .unwrap()
                .ptx()
                .unwrap()
                .to_owned()
        })
        .collect()
}

fn texts(results: Vec<Result<Compiled>>) -> Vec<String> {
    results
        .into_iter()
        .map(|result| result.unwrap().ptx().unwrap().to_owned())
        .collect()
}

#[test]
fn results_are_in_the_order_of_the_kernels_whatever_the_batches_are() {
    let stand_in = StandIn::new("order", "");
    let kernels: Vec<Kernel> = (0..7).map(|n| kernel("added", 5 * n)).collect();
    let kernels: Vec<&Kernel> = kernels.iter().collect();
    let references = references(&stand_in, &kernels);
    assert_eq!(
        references
            .iter()
            .collect::<std::collections::BTreeSet<_>>()
            .len(),
        7
    );
    for batch in [1, 2, 3, 7, 100] {
        let compiler = stand_in.compiler().keeping_nothing().in_batches_of(batch);
        assert_eq!(
            texts(compiler.compile(&kernels, &TARGET()).unwrap()),
            references,
            "batches of {batch}"
        );
        assert!(compiler.warnings().is_empty());
    }
    assert!(
        stand_in
            .compiler()
            .compile(&[], &TARGET())
            .unwrap()
            .is_empty()
    );
}

#[test]
fn ptx_has_the_kernels_own_name_and_a_cubin_is_shared() {
    let stand_in = StandIn::new("forms", "");
    let (a, b) = (kernel("added", 1), kernel("other", 2));
    let compiler = stand_in.compiler();
    for kept in [false, true] {
        let ptx = compiler.compile_one(&a, &TARGET()).unwrap();
        assert_eq!(
            (ptx.entry(), ptx.form(), ptx.architecture(), ptx.was_kept()),
            ("added", Form::Ptx, "compute_90", kept)
        );
        assert!(ptx.ptx().unwrap().contains(".visible .entry added("));
    }
    let target = Target::cubin(9, 0);
    for kept in [false, true] {
        // One core more or less makes other batches: one each, or one for both.
        let cubins: Vec<Compiled> = compiler
            .compile(&[&a, &b], &target)
            .unwrap()
            .into_iter()
            .map(Result::unwrap)
            .collect();
        for (cubin, name) in cubins.iter().zip(["added_", "other_"]) {
            assert!(cubin.entry().starts_with(name) && cubin.ptx().is_none());
            assert_eq!(
                (cubin.form(), cubin.architecture(), cubin.was_kept()),
                (Form::Cubin, "sm_90", kept)
            );
            let image = String::from_utf8_lossy(cubin.image()).into_owned();
            assert!(image.contains(cubin.entry()), "{image}");
        }
    }
}

#[test]
fn what_is_kept_is_not_compiled_again() {
    let stand_in = StandIn::new("kept", "");
    let kernels = [kernel("added", 1), kernel("added", 2), kernel("added", 1)];
    let kernels: Vec<&Kernel> = kernels.iter().collect();
    let references = references(&stand_in, &kernels);
    let runs = stand_in.runs();
    let compiler = stand_in.compiler().in_batches_of(1);
    assert_eq!(
        texts(compiler.compile(&kernels, &TARGET()).unwrap()),
        references
    );
    assert_eq!(stand_in.runs(), runs + 2, "two texts");
    let again = stand_in.compiler().compile(&kernels, &TARGET()).unwrap();
    assert!(
        again
            .iter()
            .all(|result| result.as_ref().unwrap().was_kept())
    );
    assert_eq!((texts(again), stand_in.runs()), (references, runs + 2));
}

#[test]
fn all_that_the_result_depends_on_is_in_the_key() {
    let stand_in = StandIn::new("keys", "");
    let added = kernel("added", 1);
    let kept = |target: &Target| {
        stand_in
            .compiler()
            .compile_one(&added, target)
            .unwrap()
            .was_kept()
    };
    assert!(!kept(&TARGET()) && kept(&TARGET()));
    assert!(!kept(&Target::ptx(7, 5)), "another architecture");
    assert!(!kept(&Target::cubin(9, 0)), "another form");
    // A GPU between two of the compiler's architectures shares the code of the lower one.
    assert!(kept(&Target::ptx(8, 9)));
    stand_in.become_version("13.0, V13.0.89");
    assert!(!kept(&TARGET()), "another compiler");
    stand_in.become_version("13.0, V13.0.88");
    assert!(kept(&TARGET()));
}

#[test]
fn damage_of_any_kind_is_compiled_again_and_never_a_wrong_result() {
    let stand_in = StandIn::new("damage", "");
    let kernels = [kernel("added", 1), kernel("added", 2)];
    let kernels: Vec<&Kernel> = kernels.iter().collect();
    let references = references(&stand_in, &kernels);
    let compile = || texts(stand_in.compiler().compile(&kernels, &TARGET()).unwrap());
    assert_eq!(compile(), references);
    let entries: Vec<_> = fs::read_dir(stand_in.cache())
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    let [a, b] = entries.as_slice() else {
        panic!("{entries:?}")
    };
    let damages: [(&str, &dyn Fn()); 5] = [
        ("cut off", &|| {
            fs::write(a, &fs::read(a).unwrap()[..150]).unwrap()
        }),
        ("empty", &|| fs::write(a, "").unwrap()),
        ("the other's", &|| {
            fs::write(a, fs::read(b).unwrap()).unwrap()
        }),
        ("changed", &|| {
            fs::write(
                a,
                String::from_utf8(fs::read(a).unwrap())
                    .unwrap()
                    .replace("sm_90", "sm_91"),
            )
            .unwrap()
        }),
        ("a link", &|| {
            fs::remove_file(a).unwrap();
            std::os::unix::fs::symlink(b, a).unwrap();
        }),
    ];
    for (what, damage) in damages {
        damage();
        let runs = stand_in.runs();
        assert_eq!(compile(), references, "{what}");
        assert_eq!(stand_in.runs(), runs + 1, "{what}");
        assert_eq!(compile(), references, "{what}, replaced");
        assert_eq!(stand_in.runs(), runs + 1, "{what}, replaced");
    }
}

#[test]
fn a_folder_that_cannot_be_used_is_one_warning() {
    let stand_in = StandIn::new("folder", "");
    fs::write(stand_in.cache(), "a file").unwrap();
    let kernels: Vec<Kernel> = (0..3).map(|n| kernel("added", n)).collect();
    let kernels: Vec<&Kernel> = kernels.iter().collect();
    let compiler = stand_in.compiler().in_batches_of(1);
    let references = references(&stand_in, &kernels);
    for _ in 0..2 {
        assert_eq!(
            texts(compiler.compile(&kernels, &TARGET()).unwrap()),
            references
        );
    }
    let warnings = compiler.warnings();
    assert!(
        warnings.len() == 1 && warnings[0].contains("not kept"),
        "{warnings:?}"
    );
}

#[test]
fn a_kernel_that_is_refused_spoils_no_other() {
    let stand_in = StandIn::new("refused", "");
    for n in 1..6 {
        for bad in 0..n {
            let kernels: Vec<Kernel> = (0..n)
                .map(|i| kernel(if i == bad { "refused" } else { "added" }, i))
                .collect();
            let kernels: Vec<&Kernel> = kernels.iter().collect();
            let compiler = stand_in.compiler().keeping_nothing();
            for (i, result) in (0..).zip(compiler.compile(&kernels, &TARGET()).unwrap()) {
                let Err(error) = result else {
                    assert_ne!(i, bad);
                    continue;
                };
                assert_eq!(
                    (i, error.kind(), error.kernel()),
                    (bad, ErrorKind::Compile, Some("refused"))
                );
                let compiler = error.compiler().unwrap();
                assert_eq!(compiler.kind(), CompilerErrorKind::Refused);
                assert!(compiler.words().contains("error: no such luck"), "{error}");
            }
        }
    }
}

#[test]
fn a_compiler_that_breaks_down_is_a_typed_error_of_each_kernel() {
    let kinds = [
        ("exit 0", CompilerErrorKind::NoOutput),
        (": > output; exit 0", CompilerErrorKind::NoOutput),
        ("kill -SEGV $$", CompilerErrorKind::Crashed),
        (
            "echo 'No space left on device' >&2; exit 1",
            CompilerErrorKind::NoSpace,
        ),
        (
            "echo 'Failed to preprocess host compiler properties.' >&2; exit 1",
            CompilerErrorKind::NoHostCompiler,
        ),
    ];
    for (n, (body, kind)) in kinds.into_iter().enumerate() {
        let stand_in = StandIn::new(&format!("broken{n}"), body);
        let kernels = [kernel("added", 1), kernel("added", 2)];
        for (result, kernel) in stand_in
            .compiler()
            .compile(&[&kernels[0], &kernels[1]], &TARGET())
            .unwrap()
            .iter()
            .zip(&kernels)
        {
            let error = result.as_ref().unwrap_err();
            assert_eq!(
                (error.kind(), error.kernel()),
                (ErrorKind::Compile, Some(kernel.name()))
            );
            assert_eq!(error.compiler().map(|e| e.kind()), Some(kind), "{error}");
        }
        assert!(!stand_in.cache().exists(), "a failure is not kept");
    }
}

#[test]
fn code_that_the_driver_does_not_take_is_not_made() {
    let stand_in = StandIn::new("drivers", "");
    let added = kernel("added", 1);
    let made = |target: Target| {
        stand_in
            .compiler()
            .compile_one(&added, &target)
            .map(|c| c.architecture().to_owned())
            .map_err(|e| e.kind())
    };
    assert_eq!(
        made(Target::device(9, 0, 13000)),
        Ok("compute_90".to_owned())
    );
    assert_eq!(
        made(Target::device(12, 0, 13010)),
        Ok("compute_90".to_owned())
    );
    assert_eq!(made(Target::device(9, 0, 12090)), Err(ErrorKind::NoTarget));
    assert_eq!(made(Target::ptx(7, 0)), Err(ErrorKind::NoTarget));
    // It says that it is of 12.8, and its PTX is of 13.0.
    stand_in.become_version("12.8, V12.8.1");
    assert_eq!(made(Target::device(9, 0, 12080)), Err(ErrorKind::NoTarget));
    assert_eq!(made(Target::device(9, 0, 12060)), Ok("sm_90".to_owned()));
}
