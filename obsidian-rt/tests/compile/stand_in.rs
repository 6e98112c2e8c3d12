//! A stand-in for nvcc: PTX with an entry for each kernel of the text, which names the hash of the
//! text.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use obsidian_rt::compile::{Compiler, Nvcc};
use obsidian_rt::{Kernel, TypedKernel, language::*};

/// A kernel that adds a number to each element. The name and the number make its text.
pub fn kernel(name: &str, n: u32) -> Kernel {
    let added = move |input: DPull<EU32>| {
        input
            .split_up(64)
            .as_grid_map(move |a| a.map(move |x| x + n).push())
    };
    TypedKernel::build(name, 64, added)
        .unwrap()
        .kernel()
        .clone()
}

/// What a stand-in does: says what it is, notes that it was called, and makes an entry for each
/// kernel. It refuses kernels called `refused`.
const SCRIPT: &str = r#"#!/bin/sh
here=$(dirname "$0")
case "$1" in
    --version) printf 'Cuda compilation tools, release '; cat "$here/version"; exit 0 ;;
    --list-gpu-arch) printf 'compute_75\ncompute_90\n'; exit 0 ;;
esac
echo "$@" >> "$here/runs"
BODY
if grep -q ' refused_' kernel.cu; then echo 'kernel.cu(1): error: no such luck' >&2; exit 2; fi
if [ "$1" = -cubin ]; then printf '\177ELF\n' > output; else printf '// V13.0.88\n\n.version 9.0\n.target sm_90\n\n' > output; fi
sed -n 's/.*__launch_bounds__([0-9]*) \([A-Za-z0-9_]*\)(.*/\1/p' kernel.cu | while read -r name; do
    printf '\t// .globl %s\n.visible .entry %s(\n)\n{\n\t// of %s\n}\n' "$name" "$name" "${name##*_}" >> output
done
"#;

/// A folder with a stand-in, and a cache that is not made yet.
pub struct StandIn {
    folder: PathBuf,
}

impl StandIn {
    /// A stand-in that does something first.
    pub fn new(name: &str, body: &str) -> StandIn {
        let folder = StandIn::folder_of(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        write(&folder.join("nvcc"), &SCRIPT.replace("BODY", body));
        let stand_in = StandIn { folder };
        stand_in.become_version("13.0, V13.0.88");
        stand_in
    }

    /// Where the files of a test are.
    pub fn folder_of(name: &str) -> PathBuf {
        PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
            .join("compile")
            .join(name)
    }

    pub fn nvcc(&self) -> PathBuf {
        self.folder.join("nvcc")
    }

    pub fn cache(&self) -> PathBuf {
        self.folder.join("cache")
    }

    pub fn compiler(&self) -> Compiler {
        Compiler::nvcc(Nvcc::at(self.nvcc())).keeping_in(self.cache())
    }

    pub fn become_version(&self, version: &str) {
        fs::write(self.folder.join("version"), version).unwrap();
    }

    /// How often it has compiled.
    pub fn runs(&self) -> usize {
        fs::read_to_string(self.folder.join("runs")).map_or(0, |runs| runs.lines().count())
    }
}

/// Writes a script that can be executed. A shell writes it: a file that this process has open for
/// writing, or that a child it has just forked has, cannot be executed.
fn write(path: &Path, script: &str) {
    let mut shell = Command::new("sh")
        .args(["-c", "cat > \"$0\" && chmod +x \"$0\""])
        .arg(path)
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    shell
        .stdin
        .take()
        .unwrap()
        .write_all(script.as_bytes())
        .unwrap();
    assert!(shell.wait().unwrap().success());
}

/// Says that a test, or a part of one, was skipped. Not through `println!`, which the test runner
/// keeps to itself.
pub fn skipped(test: &str, why: &str) {
    let _ = std::io::stdout().write_all(format!("skipped: {test}, because {why}\n").as_bytes());
}
