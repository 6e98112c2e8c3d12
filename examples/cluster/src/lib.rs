//! Programs that several members compute together: the same functions run on threads of a process and, with the crate in `transport-mpi`, on the
//! processes of an MPI job.
//!
//! | program | what it is divided by | what goes over the network |
//! |---|---|---|
//! | [`dot`] | elements | the partial sums of parts of a tree, a few for each member |
//! | [`scan`] | elements | the sum of each 4,096 elements |
//! | [`life`] | rows | a row to each neighbour, in each generation |
//! | [`matrix_vector`] | rows | the parts of the result |
//! | [`crack`] | words of a dictionary | a few partial results |
//! | [`rank`] | links | a sum for each page, from each member, in each iteration |
//! | [`types`] | elements | vectors of all element types; for tests |
//!
//! Each gives a digest of the bits of its result, which do not depend on how many members there are.

mod counting;
pub mod programs;

pub use counting::{Counting, Traffic};
pub use programs::{crack, dot, life, matrix_vector, rank, scan, types};

use std::io::Write as _;
use std::path::{Path, PathBuf};

use obsidian_rt::Result;
use obsidian_rt::shard::Member;

/// The sizes of the programs.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// Elements of the vectors of [`dot`] and [`scan`].
    pub elements: usize,
    /// The rows and columns of the torus of [`life`].
    pub side: usize,
    /// Its generations.
    pub generations: usize,
    /// The rows and columns of the matrix.
    pub matrix: usize,
    /// The words of the dictionary.
    pub words: usize,
    /// Links between a sixteenth as many pages.
    pub links: usize,
}

impl Sizes {
    /// Some that take a second.
    pub const SMALL: Sizes = Sizes {
        elements: 1_000_003,
        side: 128,
        generations: 20,
        matrix: 300,
        words: 20_000,
        links: 20_000,
    };
    /// Some for many members.
    pub const LARGE: Sizes = Sizes {
        elements: 8_000_000,
        side: 1024,
        generations: 10,
        matrix: 1024,
        words: 20_000,
        links: 20_000,
    };
}

/// A program by its name.
pub type Program = (&'static str, fn(&Member<'_>, &Sizes, &Path) -> Result<u64>);

/// All programs. The folder is that of [`prepare`].
pub const PROGRAMS: [Program; 7] = [
    ("dot", |member, sizes, _| dot(member, sizes.elements)),
    ("scan", |member, sizes, _| scan(member, sizes.elements)),
    ("life", |member, sizes, _| {
        life(member, sizes.side, sizes.generations)
    }),
    ("matrix_vector", |member, sizes, _| {
        matrix_vector(member, sizes.matrix)
    }),
    ("crack", |member, _, folder| {
        crack(member, &folder.join("words.txt"))
    }),
    ("rank", |member, sizes, folder| {
        rank(member, &folder.join("links.bin"), pages(sizes))
    }),
    ("types", |member, _, _| types(member)),
];

fn pages(sizes: &Sizes) -> usize {
    (sizes.links / 16).max(1)
}

/// A folder of files for the programs, which is gone with it. All members must see it: on several machines it lies in a file system that they share.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    is_ours: bool,
}

impl Drop for Folder {
    fn drop(&mut self) {
        if self.is_ours {
            let _ = std::fs::remove_dir_all(&self.path);
        }
    }
}

/// Member 0 writes the files that the programs read: a dictionary, and links between pages.
///
/// # Errors
/// Files that cannot be written, and members that are gone.
pub fn prepare(member: &Member<'_>, sizes: &Sizes, parent: &Path) -> Result<Folder> {
    let name = |id: u64| parent.join(format!("obsidian-cluster-{id}"));
    let mut own = u64::from(std::process::id());
    if member.rank() == 0 {
        // Another job may have one, of a process with the same number on another machine.
        while let Err(error) = std::fs::create_dir(name(own)) {
            match error.kind() {
                std::io::ErrorKind::AlreadyExists => own += 1,
                _ => return Err(member.failed(error)),
            }
        }
    }
    let id = member.broadcast(0, &[own])?.first().copied().unwrap_or(0);
    let folder = Folder {
        is_ours: member.rank() == 0,
        path: name(id),
    };
    if folder.is_ours {
        let written = || -> std::io::Result<()> {
            let words = std::fs::File::create(folder.path.join("words.txt"))?;
            let mut words = std::io::BufWriter::new(words);
            for word in 0..sizes.words {
                writeln!(words, "{}", programs::word(word))?;
            }
            words.flush()?;
            let page = |i: usize| (programs::number(i) % pages(sizes) as u32).to_le_bytes();
            let links: Vec<u8> = (0..2 * sizes.links).flat_map(page).collect();
            std::fs::write(folder.path.join("links.bin"), links)
        };
        written().map_err(|error| member.failed(error))?;
    }
    member.barrier()?;
    Ok(folder)
}

impl Folder {
    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Runs all programs, and gives the lines that tell their results.
///
/// # Errors
/// Those of the programs.
pub fn all(member: &Member<'_>, sizes: &Sizes, parent: &Path) -> Result<Vec<String>> {
    let folder = prepare(member, sizes, parent)?;
    let mut lines = Vec::new();
    for (name, program) in PROGRAMS {
        let digest = program(member, sizes, folder.path())?;
        lines.push(format!("{name} {digest:016x}"));
    }
    // Nobody reads the files any more.
    member.barrier()?;
    Ok(lines)
}
