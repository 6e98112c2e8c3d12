//! Every case compiles, runs once at a small size, and gives the right result.

use obsidian_benches::cases::GROUPS;
use obsidian_benches::harness::Effort;
use obsidian_rt::Device;

#[test]
fn every_candidate_of_every_case_is_right() -> obsidian_rt::Result<()> {
    let mut rows = 0;
    for (_, group) in GROUPS {
        group(&Device::cpu(), Effort::QUICK, &mut |row| {
            assert!(!row.peers.is_empty(), "{row}");
            rows += 1;
        })?;
    }
    assert!(rows >= GROUPS.len());
    Ok(())
}
