//! Runs the programs of `cluster` in the processes of an MPI job, and prints the digests of their results.
//!
//! `mpirun -n 4 cluster-mpi [FOLDER]`: the folder is one that all members see, for the files of the programs; without it that for temporary files.
//!
//! `mpirun -n 4 cluster-mpi fail` shows how a job ends of which a member panics.

use std::path::PathBuf;

fn main() {
    let word = std::env::args().nth(1);
    transport_mpi::run(|member| {
        if word.as_deref() == Some("fail") {
            member.barrier()?;
            assert!(member.rank() + 1 < member.members(), "this member fails");
            // The others wait for it.
            return member.barrier();
        }
        let parent = word.map_or_else(std::env::temp_dir, PathBuf::from);
        let lines = cluster::all(member, &cluster::Sizes::SMALL, &parent)?;
        if member.rank() == 0 {
            println!("{}", lines.join("\n"));
        }
        Ok(())
    })
}
