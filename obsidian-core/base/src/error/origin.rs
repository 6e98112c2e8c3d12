//! Where a node, an array or a mistake comes from.

use std::panic::Location;
use std::sync::Arc;

/// An index into the [`Origins`] of one kernel build.
///
/// Positions lie beside the nodes, not in them: a node stays small, and two nodes that differ only
/// in their place are equal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Origin(u32);

impl Origin {
    /// No known place.
    pub const UNKNOWN: Origin = Origin(0);
}

/// One place in the user's code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Site {
    /// The n-th span of the tokens that the front end has read.
    Span(u32),
    /// A call in Rust code that runs natively.
    Native(&'static Location<'static>),
    /// The n-th place of a text that a program reads: see [`Origins::add_text`].
    Text(u32),
}

/// The places that a kernel build has seen, in the order in which it met them.
#[derive(Clone, Debug, Default)]
pub struct Origins {
    sites: Vec<Site>,
    texts: Vec<Arc<str>>,
}

impl Origins {
    /// The origin of a site; equal neighbours share one.
    pub fn add(&mut self, site: Site) -> Origin {
        if self.sites.last() != Some(&site) {
            self.sites.push(site);
        }
        Origin(self.sites.len() as u32)
    }

    /// The site of a place that a program names itself, such as `life.tail:12:8`.
    pub fn add_text(&mut self, place: &str) -> Site {
        let known = self.texts.iter().position(|text| **text == *place);
        let number = known.unwrap_or_else(|| {
            self.texts.push(place.into());
            self.texts.len() - 1
        });
        Site::Text(number as u32)
    }

    /// The place of an origin in words, if it has one outside of the front end's input.
    pub fn place(&self, origin: Origin) -> Option<String> {
        match self.site(origin)? {
            Site::Span(_) => None,
            Site::Native(place) => Some(place.to_string()),
            Site::Text(number) => self.texts.get(number as usize).map(|text| text.to_string()),
        }
    }

    /// The site of an origin, if it has one.
    pub fn site(&self, origin: Origin) -> Option<Site> {
        self.sites.get((origin.0 as usize).checked_sub(1)?).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_origin_has_no_site() {
        assert_eq!(Origins::default().site(Origin::UNKNOWN), None);
    }

    #[test]
    fn an_origin_gives_its_site_back() {
        let mut origins = Origins::default();
        let one = origins.add(Site::Span(7));
        let two = origins.add(Site::Span(9));
        assert_eq!(origins.site(one), Some(Site::Span(7)));
        assert_eq!(origins.site(two), Some(Site::Span(9)));
    }
}
