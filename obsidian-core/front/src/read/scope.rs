//! Which local variable a name means, and which variables a closure takes.

use crate::syntax::{Name, Slot};

/// A function or closure that is being read.
#[derive(Debug, Default)]
pub(super) struct Frame {
    slots: u32,
    scopes: Vec<Vec<(Name, Slot)>>,
    /// What is taken from the frame around: there, here, name.
    pub(super) captures: Vec<(Slot, Slot, Name)>,
    /// The labels of the loops around.
    pub(super) labels: Vec<Name>,
    /// Has `?` occurred?
    pub(super) delayed: bool,
}

impl Frame {
    pub(super) fn new() -> Self {
        Frame {
            scopes: vec![Vec::new()],
            ..Frame::default()
        }
    }

    pub(super) fn slots(&self) -> u32 {
        self.slots
    }

    pub(super) fn enter(&mut self) {
        self.scopes.push(Vec::new());
    }

    pub(super) fn leave(&mut self) {
        self.scopes.pop();
    }

    pub(super) fn bind(&mut self, name: Name) -> Slot {
        let slot = self.slots;
        self.slots += 1;
        if let Some(scope) = self.scopes.last_mut() {
            scope.push((name, slot));
        }
        slot
    }

    fn own(&self, name: &str) -> Option<Slot> {
        self.scopes
            .iter()
            .rev()
            .flat_map(|s| s.iter().rev())
            .find(|(n, _)| &**n == name)
            .map(|(_, slot)| *slot)
    }

    /// The names in scope.
    pub(super) fn names(&self) -> impl Iterator<Item = Name> {
        self.scopes.iter().flatten().map(|(name, _)| name.clone())
    }

    /// A slot that stands for a variable of the frame around.
    fn capture(&mut self, outer: Slot, name: &Name) -> Slot {
        if let Some((_, inner, _)) = self.captures.iter().find(|(o, _, _)| *o == outer) {
            return *inner;
        }
        let inner = self.slots;
        self.slots += 1;
        self.captures.push((outer, inner, name.clone()));
        inner
    }
}

/// The slot of a name in the innermost frame, taken from the frames around if need be.
pub(super) fn resolve(frames: &mut [Frame], name: &Name) -> Option<Slot> {
    let (frame, around) = frames.split_last_mut()?;
    if let Some(slot) = frame.own(name) {
        return Some(slot);
    }
    let outer = resolve(around, name)?;
    Some(frame.capture(outer, name))
}

/// Does the innermost frame take this variable from a frame around it?
pub(super) fn is_captured(frames: &[Frame], slot: Slot) -> bool {
    frames
        .last()
        .is_some_and(|f| f.captures.iter().any(|(_, inner, _)| *inner == slot))
}
