//! Whether a program has been used, for the evaluator: rustc's `#[must_use]` sees a value that is
//! dropped in a statement, and not one that ends in a variable, a tuple or a list.

use std::cell::Cell;
use std::rc::Rc;

/// What has become of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fate {
    /// Nothing yet.
    Made,
    /// Nothing, because the code that names it was not chosen by a condition of the host.
    Spared,
    /// It was the value of a statement.
    Dropped,
    /// It was run, or is part of another program.
    Used,
}

/// The use of a program, and the call that gave it last; shared by its copies.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct Watch(Rc<Noted>);

#[derive(Debug)]
struct Noted {
    fate: Cell<Fate>,
    site: Cell<u32>,
    /// Would an array execute it, if that were pushed?
    executed: Cell<bool>,
}

impl Watch {
    /// That of a program just made.
    #[doc(hidden)]
    pub fn new(site: u32) -> Self {
        Watch(Rc::new(Noted {
            fate: Cell::new(Fate::Made),
            site: Cell::new(site),
            executed: Cell::new(false),
        }))
    }

    /// The call that gave the program last.
    #[doc(hidden)]
    pub fn site(&self) -> u32 {
        self.0.site.get()
    }

    /// Another call gives the program: it is that call's user who has to run it.
    #[doc(hidden)]
    pub fn given_by(&self, site: u32) {
        self.0.site.set(site);
    }

    /// An array executes the program once it is pushed.
    #[doc(hidden)]
    pub fn mark_executed(&self) {
        self.0.executed.set(true);
    }

    /// Does an array execute the program once it is pushed?
    #[doc(hidden)]
    pub fn is_executed(&self) -> bool {
        self.0.executed.get()
    }

    /// The program is run, or another one is made of it.
    #[doc(hidden)]
    pub fn mark_used(&self) {
        self.0.fate.set(Fate::Used);
    }

    /// Code that names the program is left out by a condition of the host.
    #[doc(hidden)]
    pub fn spare(&self) {
        if self.0.fate.get() == Fate::Made {
            self.0.fate.set(Fate::Spared);
        }
    }

    /// The program is the value of a statement; it may still be used through a copy.
    #[doc(hidden)]
    pub fn mark_dropped(&self) {
        if self.0.fate.get() != Fate::Used {
            self.0.fate.set(Fate::Dropped);
        }
    }

    /// Has it been used?
    #[doc(hidden)]
    pub fn is_used(&self) -> bool {
        self.0.fate.get() == Fate::Used
    }

    /// Has it been lost: neither used, nor left out on purpose?
    #[doc(hidden)]
    pub fn is_lost(&self) -> bool {
        matches!(self.0.fate.get(), Fate::Made | Fate::Dropped)
    }
}
