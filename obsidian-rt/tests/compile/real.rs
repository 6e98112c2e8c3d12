//! NVRTC and nvcc as they are on this machine. `cargo test` counts these tests as ignored.

use obsidian_rt::compile::{Compiler, Form, Nvcc, Target};
use obsidian_rt::{ErrorKind, Kernel};

use crate::stand_in::kernel;

/// The compilers of this machine.
fn compilers() -> [(&'static str, Compiler); 2] {
    let nvrtc = Compiler::nvrtc().expect("there is no NVRTC here (OBSIDIAN_NVRTC names one)");
    let nvcc = Nvcc::find()
        .unwrap()
        .expect("there is no nvcc here (OBSIDIAN_NVCC names one)");
    [("NVRTC", nvrtc), ("nvcc", Compiler::nvcc(nvcc))]
        .map(|(name, compiler)| (name, compiler.keeping_nothing()))
}

/// Numbers in names of labels and registers depend on the place in the program.
fn without_labels(ptx: &str) -> String {
    ptx.lines()
        .filter(|line| !line.contains("$L__BB") && !line.contains("_ZZ") && !line.contains("_ZN"))
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
#[ignore = "needs nvcc and NVRTC, by OBSIDIAN_NVCC and OBSIDIAN_NVRTC: .ci/run runs it"]
fn a_batch_gives_each_kernel_what_it_gets_alone() {
    for (name, compiler) in compilers() {
        let kernels: Vec<Kernel> = (0..5)
            .map(|n| kernel(["x", "sums", "threadIdx", "input", "float"][n as usize], n))
            .collect();
        let together = compiler
            .compile(&kernels.iter().collect::<Vec<_>>(), &Target::ptx(9, 0))
            .unwrap();
        for (kernel, compiled) in kernels.iter().zip(together) {
            let compiled = compiled.unwrap();
            let ptx = compiled.ptx().unwrap();
            assert_eq!(ptx.matches(".entry").count(), 1, "{name}: {ptx}");
            assert!(
                ptx.contains(&format!(".visible .entry {}(", compiled.entry())),
                "{name}: {ptx}"
            );
            let alone = compiler.compile_one(kernel, &Target::ptx(9, 0)).unwrap();
            assert_eq!(
                without_labels(ptx),
                without_labels(alone.ptx().unwrap()),
                "{name}"
            );
        }
    }
}

#[test]
#[ignore = "needs nvcc and NVRTC, by OBSIDIAN_NVCC and OBSIDIAN_NVRTC: .ci/run runs it"]
fn a_cubin_has_all_kernels_of_its_batch() {
    for (name, compiler) in compilers() {
        let (a, b) = (kernel("first", 1), kernel("second", 2));
        for compiled in compiler.compile(&[&a, &b], &Target::cubin(9, 0)).unwrap() {
            let compiled = compiled.unwrap();
            let (image, entry) = (compiled.image(), compiled.entry().as_bytes());
            assert!(
                compiled.form() == Form::Cubin && image.starts_with(b"\x7fELF"),
                "{name}"
            );
            assert!(image.windows(entry.len()).any(|w| w == entry), "{name}");
        }
    }
}

#[test]
#[ignore = "needs nvcc and NVRTC, by OBSIDIAN_NVCC and OBSIDIAN_NVRTC: .ci/run runs it"]
fn an_old_driver_gets_a_refusal_that_says_what_to_do() {
    for (name, compiler) in compilers() {
        let error = compiler
            .compile_one(&kernel("added", 1), &Target::device(9, 0, 11000))
            .unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NoTarget, "{name}");
        assert!(
            error.to_string().contains("update the driver"),
            "{name}: {error}"
        );
    }
}

#[test]
#[ignore = "needs nvcc and NVRTC, by OBSIDIAN_NVCC and OBSIDIAN_NVRTC: .ci/run runs it"]
fn programs_at_the_same_time_give_each_kernel_what_it_gets_alone() {
    for (name, compiler) in compilers() {
        let kernels: Vec<Kernel> = (0..8).map(|n| kernel("added", n)).collect();
        let kernels: Vec<&Kernel> = kernels.iter().collect();
        let texts = |results: Vec<obsidian_rt::Result<obsidian_rt::compile::Compiled>>| {
            results
                .into_iter()
                .map(|compiled| without_labels(compiled.unwrap().ptx().unwrap()))
                .collect::<Vec<_>>()
        };
        let compiler = compiler.with_jobs(1);
        let one = texts(compiler.compile(&kernels, &Target::ptx(9, 0)).unwrap());
        let compiler = compiler.with_jobs(4).in_batches_of(2);
        assert_eq!(
            texts(compiler.compile(&kernels, &Target::ptx(9, 0)).unwrap()),
            one,
            "{name}"
        );
    }
}

/// PTX without what names places in the source.
fn instructions(ptx: &str) -> Vec<&str> {
    let lines = ptx.lines().map(str::trim);
    lines
        .filter(|line| line.ends_with(';') && !line.starts_with('.'))
        .collect()
}

#[test]
#[ignore = "needs nvcc and NVRTC, by OBSIDIAN_NVCC and OBSIDIAN_NVRTC: .ci/run runs it"]
fn code_says_from_which_line_it_comes() {
    for (name, compiler) in compilers() {
        let (a, b) = (kernel("first", 1), kernel("second", 2));
        let with_lines = |compiler: Compiler| {
            compiler
                .with_line_info()
                .compile(&[&a, &b], &Target::ptx(9, 0))
        };
        let without = compiler.compile(&[&a, &b], &Target::ptx(9, 0)).unwrap();
        for (with, without) in with_lines(compiler).unwrap().into_iter().zip(without) {
            let (with, without) = (with.unwrap(), without.unwrap());
            let (with, without) = (with.ptx().unwrap(), without.ptx().unwrap());
            assert!(!without.contains(".file"), "{name}: {without}");
            let files: Vec<&str> = with
                .lines()
                .filter(|line| line.trim_start().starts_with(".file"))
                .collect();
            let file = files.iter().find(|line| line.contains("stand_in.rs"));
            // The file is there, wherever this program runs.
            let path = file.and_then(|line| line.split('"').nth(1));
            assert!(
                path.is_some_and(|path| std::path::Path::new(path).is_file()),
                "{name}: {path:?}"
            );
            let number = file.and_then(|line| line.split_whitespace().nth(1));
            let number = number.unwrap_or_else(|| panic!("{name}: {files:?}\n{with}"));
            assert!(with.contains(&format!(".loc\t{number} ")), "{name}: {with}");
            assert_eq!(
                instructions(with).len(),
                instructions(without).len(),
                "{name}: {with}"
            );
        }
    }
}

/// What kernels print and assert needs no header.
#[test]
#[ignore = "needs nvcc and NVRTC, by OBSIDIAN_NVCC and OBSIDIAN_NVRTC: .ci/run runs it"]
fn reports_compile_as_they_are() {
    use obsidian_rt::TypedKernel;
    use obsidian_rt::language::{EF32, Grid, MGlobal, assert_that, distr_par, for_all, lit, show};
    let built = TypedKernel::build("reports", 64, |out: MGlobal<EF32>| {
        distr_par::<Grid>(out.len() / 64, move |b| {
            let out = out.clone();
            for_all(64, move |t| {
                let i = b * 64 + t;
                out.read(i).and_then(move |x| {
                    assert_that(x.lt(lit(1.0f32)), "small").and_then(move |()| show("50% of x", x))
                })
            })
        })
    });
    let kernel = built.unwrap().kernel().clone();
    for (name, compiler) in compilers() {
        let compiled = compiler.compile(&[&kernel], &Target::ptx(9, 0)).unwrap();
        let compiled = compiled.into_iter().next().unwrap().unwrap();
        let ptx = compiled.ptx().unwrap();
        assert!(
            ptx.contains("vprintf") && ptx.contains("atom"),
            "{name}: {ptx}"
        );
    }
}

/// What `cuobjdump -res-usage -sass` says of a kernel: registers, bytes of the stack, and instructions but for those that do nothing at the end.
fn by_objdump(cubin: &[u8], entry: &str) -> Option<(u32, u32, u32)> {
    let objdump = std::env::var_os("OBSIDIAN_CUOBJDUMP").filter(|path| !path.is_empty())?;
    let path = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("{entry}-{}.cubin", std::process::id()));
    std::fs::write(&path, cubin).unwrap();
    let said = |option: &str| {
        let output = std::process::Command::new(&objdump)
            .arg(option)
            .arg(&path)
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let (usage, code) = (said("-res-usage"), said("-sass"));
    std::fs::remove_file(&path).unwrap();
    let of = usage.split(&format!("Function {entry}:")).nth(1).unwrap();
    let number = |name: &str| {
        let digits = of
            .split(name)
            .nth(1)
            .unwrap()
            .split_whitespace()
            .next()
            .unwrap();
        digits.parse::<u32>().unwrap()
    };
    let code = code.split(&format!("Function : {entry}\n")).nth(1).unwrap();
    let code = code.split("Function :").next().unwrap();
    // `/*0010*/  MOV R1, c[0x0][0x28] ;  /* .. */`
    let is_place = |word: &str| word.len() == 4 && word.chars().all(|c| c.is_ascii_hexdigit());
    let mut instructions: Vec<&str> = code
        .lines()
        .filter_map(|line| line.trim().strip_prefix("/*")?.split_once("*/"))
        .filter_map(|(place, rest)| is_place(place).then_some(rest.trim()))
        .collect();
    while instructions
        .last()
        .is_some_and(|last| last.starts_with("NOP"))
    {
        instructions.pop();
    }
    Some((number("REG:"), number("STACK:"), instructions.len() as u32))
}

#[test]
#[ignore = "needs nvcc and NVRTC, by OBSIDIAN_NVCC and OBSIDIAN_NVRTC: .ci/run runs it"]
fn resources_of_machine_code_are_those_that_cuobjdump_prints() {
    for (name, compiler) in compilers() {
        for (major, minor) in [(7, 5), (8, 0), (8, 9), (9, 0), (10, 0), (12, 0)] {
            let (a, b) = (kernel("first", 1), kernel("sums", 2));
            for compiled in compiler
                .compile(&[&a, &b], &Target::cubin(major, minor))
                .unwrap()
            {
                let compiled = compiled.unwrap();
                let resources = compiled.resources().unwrap();
                assert!(
                    resources.registers > 0 && resources.instructions > 0,
                    "{name}: {resources:?}"
                );
                match by_objdump(compiled.image(), compiled.entry()) {
                    Some(said) => assert_eq!(
                        (
                            resources.registers,
                            resources.local_bytes,
                            resources.instructions
                        ),
                        said,
                        "{name}, {major}.{minor}, {}",
                        compiled.entry()
                    ),
                    None => panic!("there is no cuobjdump here (OBSIDIAN_CUOBJDUMP names one)"),
                }
            }
        }
        let ptx = compiler
            .compile_one(&kernel("first", 1), &Target::ptx(9, 0))
            .unwrap();
        assert_eq!(ptx.resources(), None, "{name}: PTX is no machine code");
    }
}
