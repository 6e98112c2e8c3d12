//! Points in random order, none twice.

use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;

use super::{Known, Request, Strategy};

/// Asks for all points at once, shuffled; a budget makes a sample of it.
pub(super) struct Random {
    random: StdRng,
    asked: bool,
}

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Random {
            random: StdRng::seed_from_u64(seed),
            asked: false,
        }
    }
}

impl Strategy for Random {
    fn ask(&mut self, known: &Known<'_>) -> Vec<Request> {
        if std::mem::replace(&mut self.asked, true) {
            Vec::new()
        } else {
            known.fully(shuffled(known.points.len(), &mut self.random))
        }
    }
}

/// The numbers below `count`, shuffled.
pub(super) fn shuffled(count: usize, random: &mut StdRng) -> Vec<usize> {
    let mut numbers: Vec<usize> = (0..count).collect();
    numbers.shuffle(random);
    numbers
}
