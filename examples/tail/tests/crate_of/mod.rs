//! A crate of programs that `tail rust` has printed, built with cargo.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Builds a crate with a module `program_0`, `program_1`, .. of each text, and gives the path of its program.
///
/// # Panics
/// If a file cannot be written, or the crate is not built.
pub fn built(name: &str, modules: &[&str], main: &str, is_release: bool) -> PathBuf {
    let temporary = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let root = temporary.join(name);
    let _ = fs::remove_dir_all(root.join("src"));
    fs::create_dir_all(root.join("src")).expect("a folder of a crate");
    let write = |name: &str, text: &str| {
        fs::write(root.join(name), text).unwrap_or_else(|error| panic!("{name}: {error}"));
    };
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    write("Cargo.toml", &manifest(name, &workspace));
    write("Cargo.lock", &read(&workspace.join("Cargo.lock")));
    write(
        "build.rs",
        "fn main() -> Result<(), obsidian_build::Error> {\n    obsidian_build::Kernels::new().source(\"src/main.rs\").compile()\n}\n",
    );
    write("src/main.rs", main);
    for (number, module) in modules.iter().enumerate() {
        write(&format!("src/program_{number}.rs"), module);
    }
    // Beside the crates of registries that are compiled already.
    let target = temporary.parent().expect("the folder of a build");
    let profile = if is_release { "release" } else { "dev" };
    let status = Command::new(env!("CARGO"))
        .args([
            "build",
            "--offline",
            "--quiet",
            "--profile",
            profile,
            "--target-dir",
        ])
        .arg(target)
        .current_dir(&root)
        .status();
    assert!(status.expect("cargo").success(), "{}", root.display());
    let folder = if is_release { "release" } else { "debug" };
    target.join(folder).join(name)
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn manifest(name: &str, workspace: &Path) -> String {
    let root = read(&workspace.join("Cargo.toml"));
    let profiles = root.find("[profile").and_then(|at| root.get(at..));
    let workspace = workspace.display();
    format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
         [dependencies]\nobsidian-rt = {{ path = \"{workspace}/obsidian-rt\" }}\ntail = {{ path = \"{workspace}/examples/tail\" }}\n\n\
         [build-dependencies]\nobsidian-build = {{ path = \"{workspace}/obsidian-core/build\" }}\n\n{}",
        profiles.unwrap_or_default()
    )
}
