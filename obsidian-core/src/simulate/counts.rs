//! Counts while a kernel runs.

use obsidian_base::counts::{AccessKind, ArrayTraffic, Counts, Space, Traffic};

use super::access::{collisions, conflicts, lines, sectors};
use super::lanes::Lanes;
use super::program::{Site, Taken};
use crate::ir::{Kernel, ParameterKind, Physical};
use crate::ordered::Map;
use crate::scalar::{ArrayPlace, BinaryOp, Class, ScalarType, UnaryOp};

/// Counts while a kernel runs.
pub(super) struct Tally {
    pub(super) counts: Counts,
    /// By the number of the site.
    traffic: Vec<Traffic>,
}

/// What each lane of a request asks for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Request {
    pub(super) space: Space,
    pub(super) elements: u32,
    /// Bytes of all its elements.
    pub(super) width: u32,
}

impl Tally {
    pub(super) fn new(sites: usize) -> Self {
        let mut counts = Counts::default();
        counts.launches = 1;
        Tally {
            counts,
            traffic: vec![Traffic::default(); sites],
        }
    }

    pub(super) fn issue_integer(&mut self, lanes: &Lanes) {
        self.counts.instructions.integer += lanes.warps();
    }

    pub(super) fn issue_conversion(&mut self, lanes: &Lanes) {
        self.counts.instructions.conversion += lanes.warps();
    }

    pub(super) fn issue_control(&mut self, lanes: &Lanes) {
        self.counts.instructions.control += lanes.warps();
    }

    /// The lanes take values from each other: a value of `words` words, or the result of a reduction.
    pub(super) fn issue_shuffle(&mut self, from: Taken, words: u32, lanes: &Lanes) {
        self.issue_control(lanes);
        match from {
            Taken::All(_, ty) => {
                let is_vote = ty == ScalarType::Bool;
                self.counts.lane_reductions += if is_vote { 0 } else { lanes.warps() };
            }
            Taken::Equal => self.counts.lane_reductions += lanes.warps(),
            _ => self.counts.shuffles += u64::from(words) * lanes.warps(),
        }
    }

    fn issue(&mut self, ty: ScalarType, is_special: bool, lanes: &Lanes) {
        let instructions = &mut self.counts.instructions;
        let kind = match ty.class() {
            Class::Float if is_special => &mut instructions.special,
            Class::Float if ty.bits() == 64 => &mut instructions.double,
            Class::Float => &mut instructions.float,
            Class::Bool | Class::Unsigned | Class::Signed => &mut instructions.integer,
        };
        *kind += lanes.warps();
    }

    pub(super) fn issue_unary(&mut self, op: UnaryOp, ty: ScalarType, lanes: &Lanes) {
        use UnaryOp::*;
        if op.is_promise() {
            return;
        }
        self.issue(
            ty,
            !matches!(op, Neg | Abs | Signum | Floor | Ceil | Round | Trunc | Not),
            lanes,
        );
    }

    pub(super) fn issue_binary(&mut self, op: BinaryOp, ty: ScalarType, lanes: &Lanes) {
        use BinaryOp::*;
        self.issue(ty, matches!(op, Div | Rem | Pow | Atan2), lanes);
    }

    /// A request of each warp; the addresses are those of the lanes.
    pub(super) fn access(
        &mut self,
        number: u32,
        kind: AccessKind,
        Request {
            space,
            elements,
            width,
        }: Request,
        lanes: &Lanes,
        addresses: &[u64],
    ) {
        let traffic = &mut self.traffic[number as usize];
        traffic.elements += lanes.len() as u64 * u64::from(elements);
        traffic.bytes += lanes.len() as u64 * u64::from(width);
        if space == Space::Held {
            return;
        }
        self.counts.instructions.memory += lanes.warps();
        traffic.requests += lanes.warps();
        for warp in lanes.each_warp() {
            let of_warp = &addresses[warp.clone()];
            match space {
                Space::Buffer => {
                    traffic.sectors += sectors(of_warp);
                    traffic.lines += lines(of_warp);
                }
                _ => {
                    traffic.bank_conflicts += conflicts(of_warp, &lanes.threads[warp], width.into())
                }
            }
            if kind == AccessKind::Atomic {
                traffic.collisions += collisions(of_warp);
            }
        }
    }

    /// The counts, with their tables.
    pub(super) fn finish(mut self, kernel: &Kernel<Physical>, sites: &[Site]) -> Counts {
        let mut rows: Map<(usize, AccessKind), Traffic> = Map::new();
        for (site, traffic) in sites.iter().zip(&self.traffic) {
            *rows.entry((rank(kernel, site), site.kind)).or_default() += *traffic;
        }
        for ((rank, kind), traffic) in rows {
            let Some(array) = kernel
                .tables
                .arrays
                .get(rank % kernel.tables.arrays.len().max(1))
            else {
                continue;
            };
            let (space, sum) = match array.place {
                ArrayPlace::Global(_) => (Space::Buffer, &mut self.counts.buffers),
                ArrayPlace::Shared => (Space::Shared, &mut self.counts.shared),
                ArrayPlace::Held => (Space::Held, &mut self.counts.held),
            };
            *sum += traffic;
            let row = ArrayTraffic::new(&kernel.name, &array.name, space, kind, traffic);
            self.counts.add(&row);
        }
        self.counts
    }
}

/// Parameters in the order of the signature, then the others in the order of the table.
fn rank(kernel: &Kernel<Physical>, site: &Site) -> usize {
    let (number, count) = (site.array.0 as usize, kernel.tables.arrays.len());
    let is_parameter = kernel
        .parameters
        .iter()
        .any(|parameter| parameter.kind == ParameterKind::Array(site.array));
    if is_parameter { number } else { count + number }
}
