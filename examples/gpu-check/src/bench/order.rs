//! Which rows there are, and in which order: ours and others' alternate, and what matters most
//! comes first, so that it is there when the time is over.

use super::comparison::PEERS;
use super::ours;
use super::{Request, Sizes};

/// Who measures a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Who {
    /// Kernels of the examples, launched by `obsidian-rt`.
    Ours,
    /// The program of the comparison.
    Others,
}

/// All rows of some sizes in their order; without others', only ours.
pub(super) fn order(sizes: &Sizes, others: bool) -> Vec<(Who, Request)> {
    let ours: Vec<Request> = ours::works(sizes)
        .iter()
        .map(|work| work.request())
        .collect();
    let peers = PEERS.iter().filter(|_| others).flat_map(|(work, by)| {
        sizes
            .of(work)
            .iter()
            .map(move |&size| Request::new(work, by, size))
    });
    let peers: Vec<Request> = peers.collect();
    // What is compared, in the order in which it occurs among ours.
    let mut groups: Vec<(&str, usize)> = Vec::new();
    for request in ours.iter().chain(&peers) {
        if !groups.contains(&(&request.work, request.size)) {
            groups.push((&request.work, request.size));
        }
    }
    let mut all = Vec::new();
    for rank in 0..RANKS {
        for &(work, size) in &groups {
            let of = |requests: &[Request]| -> Vec<Request> {
                let mut found = requests.to_vec();
                found.retain(|r| (r.work.as_str(), r.size, of_rank(&r.by)) == (work, size, rank));
                found
            };
            all.extend(alternating(of(&ours), of(&peers)));
        }
    }
    all
}

/// How many ranks there are.
const RANKS: usize = 3;

/// 0: what is compared first of all; 1: hand-edited steps; 2: what is slower by design, and shows
/// why.
fn of_rank(by: &str) -> usize {
    const SLOWER: [&str; 5] = ["map_red", "Harris", "_direct", "straight", "in_tiles"];
    if by.starts_with("edited") {
        1
    } else if SLOWER.iter().any(|part| by.contains(part)) {
        2
    } else {
        0
    }
}

fn alternating(ours: Vec<Request>, peers: Vec<Request>) -> Vec<(Who, Request)> {
    let (mut ours, mut peers) = (ours.into_iter(), peers.into_iter());
    let mut all = Vec::new();
    loop {
        let pair = [
            ours.next().map(|request| (Who::Ours, request)),
            peers.next().map(|request| (Who::Others, request)),
        ];
        if pair.iter().all(Option::is_none) {
            return all;
        }
        all.extend(pair.into_iter().flatten());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_and_others_alternate_and_the_headlines_come_first() {
        let all = order(&Sizes::FULL, true);
        let at = |by: &str, size: usize| {
            all.iter()
                .position(|(_, request)| request.by == by && request.size == size)
                .unwrap_or_else(|| panic!("there is no {by} of {size}"))
        };
        for size in [1 << 16, 1 << 20, 1 << 24, 1 << 28] {
            for (ours, theirs) in [
                ("gpu-check: copy", "cudaMemcpy"),
                ("reduction: large_sum", "CUB DeviceReduce"),
                ("scan: large_scan", "CUB DeviceScan"),
                ("histogram: histogram", "CUB DeviceHistogram"),
                ("sorting: sort", "CUB DeviceRadixSort"),
            ] {
                assert_eq!(at(ours, size) + 1, at(theirs, size));
            }
        }
        assert_eq!(at("matmul: matmul", 2048) + 1, at("cuBLAS SGEMM", 2048));
        assert!(at("cuBLAS SGEMM", 4096) < at("edited 0: as emitted", 1 << 16));
        assert!(at("edited 5: bins of warps", 1 << 28) < at("Harris 1", 1 << 16));
    }

    #[test]
    fn no_row_is_lost_or_there_twice() {
        let all = order(&Sizes::FULL, true);
        let ours = ours::works(&Sizes::FULL).len();
        let peers: usize = PEERS
            .iter()
            .map(|(work, _)| Sizes::FULL.of(work).len())
            .sum();
        assert_eq!(all.len(), ours + peers);
        let mut lines: Vec<String> = all.iter().map(|(_, request)| request.line()).collect();
        lines.sort();
        lines.dedup();
        assert_eq!(lines.len(), all.len());
        assert!(
            PEERS
                .iter()
                .all(|(work, _)| !Sizes::FULL.of(work).is_empty())
        );
        assert_eq!(order(&Sizes::FULL, false).len(), ours);
    }
}
