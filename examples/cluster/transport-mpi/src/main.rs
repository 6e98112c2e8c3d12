//! Runs the programs of `cluster` in the processes of an MPI job, and prints the digests of their results.
//!
//! `mpirun -n 4 cluster-mpi [FOLDER]`: the folder is one that all members see, for the files of the programs; without it that for temporary files.
//!
//! `mpirun -n 4 cluster-mpi pieces` does it with messages of at most 1,000 bytes.
//!
//! `mpirun -n 4 cluster-mpi fail` shows how a job ends of which a member panics.

use std::path::PathBuf;

use transport_mpi::Mpi;

fn main() {
    let word = std::env::args().nth(1);
    let in_pieces = word.as_deref() == Some("pieces");
    let change = |transport: Mpi| match in_pieces {
        true => transport.in_pieces(1000),
        false => transport,
    };
    transport_mpi::run_over(change, |member| {
        if word.as_deref() == Some("fail") {
            member.barrier()?;
            assert!(member.rank() + 1 < member.members(), "this member fails");
            // The others wait for it.
            return member.barrier();
        }
        let parent = word.filter(|_| !in_pieces).map(PathBuf::from);
        let parent = parent.unwrap_or_else(std::env::temp_dir);
        let lines = cluster::all(member, &cluster::Sizes::SMALL, &parent)?;
        if member.rank() == 0 {
            println!("{}", lines.join("\n"));
        }
        Ok(())
    })
}
