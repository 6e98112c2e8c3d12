//! The programs by members give what they give without them.

#![allow(missing_docs, clippy::unwrap_used)]

use std::path::PathBuf;

use cluster::programs::{digest_of, float, number, word};
use cluster::{Counting, PROGRAMS, Sizes, Traffic, all, dot, life, prepare};
use obsidian_rt::sequence::Sequence;
use obsidian_rt::shard::{Member, Threads};
use obsidian_rt::{Device, Result};
use streams::reference;

const SIZES: Sizes = Sizes {
    elements: 70_001,
    side: 19,
    generations: 7,
    matrix: 37,
    words: 19_500,
    links: 3_001,
};

fn threads(members: usize) -> Threads {
    Threads::new(vec![Device::cpu(); members])
}

fn folder(name: &str) -> PathBuf {
    let own = std::env::temp_dir().join(format!("obsidian-cluster-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&own).unwrap();
    own
}

/// What a program gives by any number of members.
fn digest(members: usize, program: &str, parent: &std::path::Path) -> u64 {
    let run = |member: &Member<'_>| -> Result<u64> {
        let folder = prepare(member, &SIZES, parent)?;
        let (_, own) = PROGRAMS.iter().find(|(name, _)| *name == program).unwrap();
        let digest = own(member, &SIZES, folder.path())?;
        member.barrier()?;
        Ok(digest)
    };
    let all = threads(members).run(run).unwrap();
    assert!(all.iter().all(|own| *own == all[0]), "{program}: {all:?}");
    all[0]
}

/// Generations of life in plain Rust.
fn plain_life(side: usize, generations: usize) -> Vec<u8> {
    let mut board: Vec<u8> = (0..side * side)
        .map(|i| u8::from(number(i).is_multiple_of(3)))
        .collect();
    for _ in 0..generations {
        let cell = |i: usize| {
            let (y, x) = (i / side, i % side);
            let at = |dy: usize, dx: usize| {
                board[(y + dy + side - 1) % side * side + (x + dx + side - 1) % side]
            };
            let around: u8 = (0..9).map(|n| at(n / 3, n % 3)).sum::<u8>() - board[i];
            u8::from(around == 3 || (around == 2 && board[i] == 1))
        };
        board = (0..side * side).map(cell).collect();
    }
    board
}

#[test]
fn results_are_those_of_references() {
    let parent = folder("references");
    let device = Device::cpu();
    let n = SIZES.elements as u64;
    let xs = || Sequence::generate(n, |i| float(i as usize));
    let ys = Sequence::generate(n, |i| float(i as usize / 3));
    let dot = xs().zip_with(ys, |x, y| x * y).sum().run(&device).unwrap();
    let sums = xs().scan(|x, y| x + y, 0.0).collect().run(&device).unwrap();
    let sums = sums.to_vec().unwrap().into_iter().zip(0u64..);
    let scan = sums.fold(0u64, |all, (sum, i)| {
        let own = (u64::from(sum.to_bits()) + 1).wrapping_mul(i * 2 + 1);
        all.wrapping_add(own)
    });
    let matrix: Vec<f32> = (0..SIZES.matrix * SIZES.matrix).map(float).collect();
    let vector: Vec<f32> = (0..SIZES.matrix).map(|i| float(i * 7)).collect();
    let rows = Sequence::rows(&matrix, [SIZES.matrix]);
    let vector = device.array([SIZES.matrix], &vector).unwrap();
    let products = rows.each_with(&vector, |row, vector| {
        obsidian_rt::arrays::zip_with(|x, y| x * y, row, vector).sum()
    });
    let products = products.collect().run(&device).unwrap().to_vec().unwrap();
    let pages = SIZES.links / 16;
    let links: Vec<[u32; 2]> = (0..SIZES.links)
        .map(|i| [2 * i, 2 * i + 1].map(|i| number(i) % pages as u32))
        .collect();
    let wanted = [
        ("dot", digest_of(&[dot])),
        ("scan", scan),
        (
            "life",
            digest_of(&plain_life(SIZES.side, SIZES.generations)),
        ),
        ("matrix_vector", digest_of(&products)),
        ("crack", digest_of(&[3u64, 4096, 19_000])),
        ("rank", digest_of(&reference::rank(&links, pages, 3))),
    ];
    for (name, wanted) in wanted {
        for members in [1, 3] {
            assert_eq!(
                digest(members, name, &parent),
                wanted,
                "{name} by {members}"
            );
        }
    }
    assert!(word(5).starts_with('5'));
    std::fs::remove_dir_all(parent).unwrap();
}

#[test]
fn all_programs_by_any_number_of_members() {
    let parent = folder("all");
    let run = |members: usize| {
        let lines = threads(members).run(|member| all(member, &SIZES, &parent));
        lines.unwrap()
    };
    let one = run(1).remove(0);
    assert_eq!(one.len(), PROGRAMS.len());
    assert!(run(4).iter().all(|lines| *lines == one));
    // The files are gone.
    std::fs::remove_dir(parent).unwrap();
}

/// What each member takes from others.
fn traffic(members: usize, program: impl Fn(&Member<'_>) -> Result<u64> + Sync) -> Vec<Traffic> {
    let run = |member: &Member<'_>| {
        let counting = Counting::new(member.transport());
        program(&Member::new(&counting, member.device().clone()))?;
        Ok(counting.traffic())
    };
    threads(members).run(run).unwrap()
}

#[test]
fn a_generation_of_life_takes_a_row_from_each_neighbour() {
    let (side, members) = (64u64, 4);
    for generations in [1, 10u64] {
        for own in traffic(members, |member| {
            life(member, side as usize, generations as usize)
        }) {
            // And in the end the rows of the others.
            let gathered = side * side / 4 * 3;
            assert_eq!(own.bytes, generations * 2 * side + gathered);
            assert_eq!(own.messages, generations * 2 + 3);
        }
    }
    // A member alone takes nothing from others, on a torus, too.
    assert_eq!(
        traffic(1, |member| life(member, 64, 3)),
        [Traffic::default()]
    );
}

#[test]
fn a_fold_takes_no_more_for_more_elements() {
    let bytes = |elements: usize| traffic(4, |member| dot(member, elements))[0].bytes;
    assert!(
        bytes(4_000_000) < 2 * bytes(400_000),
        "{}",
        bytes(4_000_000)
    );
}
