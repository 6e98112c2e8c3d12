//! Prints a row for each case: `cargo bench -p obsidian-benches --bench pairs -- [--quick] [name ..]`.

use obsidian_benches::cases::GROUPS;
use obsidian_benches::harness::Effort;
use obsidian_rt::{Device, Result};

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // `cargo test --benches` gives `--test`.
    let quick = arguments.iter().any(|a| a == "--quick" || a == "--test");
    let effort = if quick { Effort::QUICK } else { Effort::FULL };
    let wanted: Vec<&String> = arguments.iter().filter(|a| !a.starts_with("--")).collect();
    println!("| case | ours, CPU ms | wall ms | peer / ours: CPU (wall) |\n|---|---|---|---|");
    for (name, group) in GROUPS {
        if wanted.is_empty() || wanted.iter().any(|wanted| wanted == name) {
            group(&Device::cpu(), effort, &mut |row| println!("{row}"))?;
        }
    }
    Ok(())
}
