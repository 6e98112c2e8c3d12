//! `explore compare`: predicted costs beside the paper's.

fn main() -> obsidian_rt::Result<()> {
    explore::compare::run()
}
