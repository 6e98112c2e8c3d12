//! Every point.

use super::{Known, Request, Strategy};

/// Asks for all points at once.
#[derive(Default)]
pub(super) struct Grid {
    asked: bool,
}

impl Strategy for Grid {
    fn ask(&mut self, known: &Known<'_>) -> Vec<Request> {
        if std::mem::replace(&mut self.asked, true) {
            Vec::new()
        } else {
            known.fully(0..known.points.len())
        }
    }
}
