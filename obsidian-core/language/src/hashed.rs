//! Tables that are only looked up in, by a fast hash: the standard one took 8 % of building a kernel.
//!
//! The hash is ours because a crate that macros and programs both use is compiled again by the first `cargo check` after a build, and
//! everything above it. Keys are numbers and nodes of a program that the compiler itself has made, so nobody chooses them to collide.
//!
//! The tables are ours because macros run unoptimised. There, one look into a standard table is some 500 instructions, as each step of
//! its search is a call; here it is a loop. Linear probing in at most half of the slots, with backward-shift deletion (Knuth, volume 3, 6.4, algorithm R).

use std::borrow::Borrow;
use std::fmt::{Debug, Formatter};
use std::hash::{Hash, Hasher};
use std::ops::Index;

/// What stands in a slot: the number of an entry, from 1, above the 32 bits of its hash. Zeroed memory, which costs little, is an empty
/// table.
const EMPTY: u64 = 0;

/// A map in no order.
#[derive(Clone)]
pub struct HashMap<K, V> {
    /// A power of two, or none.
    slots: Vec<u64>,
    entries: Vec<(K, V)>,
}

impl<K, V> Default for HashMap<K, V> {
    fn default() -> Self {
        HashMap {
            slots: Vec::new(),
            entries: Vec::new(),
        }
    }
}

fn hash_of<Q: Hash + ?Sized>(key: &Q) -> u32 {
    let mut fold = Fold(FACTOR);
    key.hash(&mut fold);
    fold.0 as u32
}

/// The entry of a slot that is not empty.
fn entry_of(slot: u64) -> usize {
    (slot >> 32) as usize - 1
}

impl<K, V> HashMap<K, V> {
    /// The number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The keys: in an order that depends only on what was added and taken out before.
    pub fn keys(&self) -> impl Iterator<Item = &K> {
        self.entries.iter().map(|(key, _)| key)
    }

    /// The values, in the order of the keys.
    pub fn values(&self) -> impl Iterator<Item = &V> {
        self.entries.iter().map(|(_, value)| value)
    }

    /// Forgets all entries.
    pub fn clear(&mut self) {
        if !self.entries.is_empty() {
            self.slots.fill(EMPTY);
            self.entries.clear();
        }
    }

    /// Puts an entry into the first free slot for its hash.
    fn place(slots: &mut [u64], new: u64) {
        let mask = slots.len() - 1;
        let mut slot = new as u32 as usize & mask;
        while slots[slot] != EMPTY {
            slot = (slot + 1) & mask;
        }
        slots[slot] = new;
    }

    /// Appends an entry whose key is in no other. Its search has ended at this free slot.
    fn append(&mut self, free: usize, hash: u32, key: K, value: V) -> usize {
        let at = self.entries.len();
        let new = (at as u64 + 1) << 32 | hash as u64;
        if 2 * at >= self.slots.len() {
            let size = (2 * self.slots.len()).max(16);
            let before = std::mem::replace(&mut self.slots, vec![EMPTY; size]);
            let mut slot = 0;
            while slot < before.len() {
                if before[slot] != EMPTY {
                    Self::place(&mut self.slots, before[slot]);
                }
                slot += 1;
            }
            Self::place(&mut self.slots, new);
        } else {
            self.slots[free] = new;
        }
        self.entries.push((key, value));
        at
    }
}

impl<K: Hash + Eq, V> HashMap<K, V> {
    /// The slot of a key, or the free slot at which the search for it ends (any, in a table without slots).
    fn find<Q: Hash + Eq + ?Sized>(&self, key: &Q, hash: u32) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        let (slots, entries) = (&self.slots[..], &self.entries[..]);
        if slots.is_empty() {
            return Err(0);
        }
        let mask = slots.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            let known = slots[slot];
            if known == EMPTY {
                return Err(slot);
            }
            if known as u32 == hash && *entries[entry_of(known)].0.borrow() == *key {
                return Ok(slot);
            }
            slot = (slot + 1) & mask;
        }
    }

    /// The value of a key.
    pub fn get<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        if self.entries.is_empty() {
            return None;
        }
        match self.find(key, hash_of(key)) {
            Ok(slot) => Some(&self.entries[entry_of(self.slots[slot])].1),
            Err(_) => None,
        }
    }

    /// The value of a key, to change it.
    pub fn get_mut<Q: Hash + Eq + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        match self.find(key, hash_of(key)) {
            Ok(slot) => Some(&mut self.entries[entry_of(self.slots[slot])].1),
            Err(_) => None,
        }
    }

    /// Has a key a value?
    pub fn contains_key<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        !self.entries.is_empty() && self.find(key, hash_of(key)).is_ok()
    }

    /// Gives a key a value, and returns the one that it had. The first of equal keys stays.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        let hash = hash_of(&key);
        match self.find(&key, hash) {
            Ok(slot) => {
                let entry = &mut self.entries[entry_of(self.slots[slot])];
                Some(std::mem::replace(&mut entry.1, value))
            }
            Err(free) => {
                self.append(free, hash, key, value);
                None
            }
        }
    }

    /// Takes out the value of a key.
    pub fn remove<Q: Hash + Eq + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let slot = self.find(key, hash_of(key)).ok()?;
        let entry = entry_of(self.slots[slot]);
        let mask = self.slots.len() - 1;
        // What stands behind a free slot and could stand in it moves there, so that searches do not end early.
        let (mut free, mut next) = (slot, (slot + 1) & mask);
        while self.slots[next] != EMPTY {
            let home = self.slots[next] as u32 as usize & mask;
            if (next.wrapping_sub(home) & mask) >= (next.wrapping_sub(free) & mask) {
                self.slots[free] = self.slots[next];
                free = next;
            }
            next = (next + 1) & mask;
        }
        self.slots[free] = EMPTY;
        // The last entry takes the place of the one that goes.
        let last = self.entries.len() - 1;
        if entry != last {
            let hash = hash_of(self.entries[last].0.borrow());
            let mut slot = hash as usize & mask;
            while self.slots[slot] >> 32 != last as u64 + 1 {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = (entry as u64 + 1) << 32 | hash as u64;
        }
        Some(self.entries.swap_remove(entry).1)
    }

    /// The entry of a key, which may not be there yet.
    pub fn entry(&mut self, key: K) -> Entry<'_, K, V> {
        Entry { map: self, key }
    }
}

/// An entry that may not be there yet.
pub struct Entry<'m, K, V> {
    map: &'m mut HashMap<K, V>,
    key: K,
}

impl<'m, K: Hash + Eq, V> Entry<'m, K, V> {
    /// The value; one that is made, if there is none.
    pub fn or_insert_with(self, make: impl FnOnce() -> V) -> &'m mut V {
        let Entry { map, key } = self;
        let hash = hash_of(&key);
        let at = match map.find(&key, hash) {
            Ok(slot) => entry_of(map.slots[slot]),
            Err(free) => map.append(free, hash, key, make()),
        };
        &mut map.entries[at].1
    }

    /// The value; this one, if there is none.
    pub fn or_insert(self, value: V) -> &'m mut V {
        self.or_insert_with(|| value)
    }

    /// The value; the default one, if there is none.
    pub fn or_default(self) -> &'m mut V
    where
        V: Default,
    {
        self.or_insert_with(V::default)
    }
}

impl<K: Hash + Eq + Borrow<Q>, V, Q: Hash + Eq + ?Sized> Index<&Q> for HashMap<K, V> {
    type Output = V;

    /// # Panics
    ///
    /// If the key is not there.
    fn index(&self, key: &Q) -> &V {
        match self.get(key) {
            Some(value) => value,
            None => unreachable!("a key that the map has"),
        }
    }
}

impl<K: Hash + Eq, V> Extend<(K, V)> for HashMap<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, list: I) {
        for (key, value) in list {
            self.insert(key, value);
        }
    }
}

impl<K: Hash + Eq, V> FromIterator<(K, V)> for HashMap<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(list: I) -> Self {
        let mut map = HashMap::default();
        map.extend(list);
        map
    }
}

impl<K: Debug, V: Debug> Debug for HashMap<K, V> {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let entries = self.entries.iter().map(|(key, value)| (key, value));
        f.debug_map().entries(entries).finish()
    }
}

/// A set in no order.
#[derive(Clone)]
pub struct HashSet<K>(HashMap<K, ()>);

impl<K> Default for HashSet<K> {
    fn default() -> Self {
        HashSet(HashMap::default())
    }
}

impl<K> HashSet<K> {
    /// The number of elements.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The elements: in an order that depends only on what was added and taken out before.
    pub fn iter(&self) -> impl Iterator<Item = &K> {
        self.0.keys()
    }

    /// Forgets all elements.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

impl<K: Hash + Eq> HashSet<K> {
    /// Adds an element; returns `true` if it is new.
    pub fn insert(&mut self, key: K) -> bool {
        let hash = hash_of(&key);
        match self.0.find(&key, hash) {
            Ok(_) => false,
            Err(free) => {
                self.0.append(free, hash, key, ());
                true
            }
        }
    }

    /// Is it an element?
    pub fn contains<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.0.contains_key(key)
    }

    /// Takes out an element; returns `true` if it was there.
    pub fn remove<Q: Hash + Eq + ?Sized>(&mut self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.0.remove(key).is_some()
    }
}

impl<K: Hash + Eq> Extend<K> for HashSet<K> {
    fn extend<I: IntoIterator<Item = K>>(&mut self, list: I) {
        for key in list {
            self.insert(key);
        }
    }
}

impl<K: Hash + Eq> FromIterator<K> for HashSet<K> {
    fn from_iter<I: IntoIterator<Item = K>>(list: I) -> Self {
        let mut set = HashSet::default();
        set.extend(list);
        set
    }
}

impl<K> IntoIterator for HashSet<K> {
    type Item = K;
    type IntoIter = std::iter::Map<std::vec::IntoIter<(K, ())>, fn((K, ())) -> K>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.entries.into_iter().map(|(key, ())| key)
    }
}

impl<K: Debug> Debug for HashSet<K> {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// An odd number without a pattern: the first 64 bits of the fraction of the golden ratio.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// Multiplies what it has by each word, and folds the 128 bits of the product.
#[derive(Clone, Copy)]
pub struct Fold(u64);

impl Default for Fold {
    fn default() -> Self {
        Fold(FACTOR)
    }
}

impl Hasher for Fold {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
        self.write_usize(bytes.len());
    }

    fn write_u8(&mut self, n: u8) {
        self.write_u64(n.into());
    }

    fn write_u16(&mut self, n: u16) {
        self.write_u64(n.into());
    }

    fn write_u32(&mut self, n: u32) {
        self.write_u64(n.into());
    }

    fn write_u64(&mut self, n: u64) {
        let product = u128::from(self.0 ^ n) * u128::from(FACTOR);
        // Without the sum, all that follows would be 0 once the product is.
        self.0 = (product as u64 ^ (product >> 64) as u64).wrapping_add(FACTOR);
    }

    fn write_u128(&mut self, n: u128) {
        self.write_u64(n as u64);
        self.write_u64((n >> 64) as u64);
    }

    fn write_usize(&mut self, n: usize) {
        self.write_u64(n as u64);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use std::hash::{BuildHasher, BuildHasherDefault};

    use super::{Fold, HashMap, HashSet};

    #[test]
    fn random_operations_are_those_of_the_standard_map() {
        let (mut ours, mut known) = (HashMap::default(), std::collections::HashMap::new());
        let mut set = HashSet::default();
        let mut random = 1_u32;
        for n in 0..200_000_u32 {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let key = (random >> 8) % (1 << (n / 20_000 + 2));
            match random >> 29 {
                0..3 => assert_eq!(ours.insert(key, n), known.insert(key, n)),
                3 => assert_eq!(ours.entry(key).or_insert(n), known.entry(key).or_insert(n)),
                4 => assert_eq!(ours.get_mut(&key), known.get_mut(&key)),
                5 if n % 1000 == 0 => {
                    ours.clear();
                    known.clear();
                    set.clear();
                }
                _ => assert_eq!(ours.remove(&key), known.remove(&key)),
            }
            assert_eq!(ours.get(&key), known.get(&key));
            assert_eq!(ours.len(), known.len());
            let is_there = known.contains_key(&key);
            assert_eq!(ours.contains_key(&key), is_there);
            let had = set.contains(&key);
            match is_there {
                true => assert_eq!(set.insert(key), !had),
                false => assert_eq!(set.remove(&key), had),
            }
            assert_eq!(set.contains(&key), is_there);
        }
        let (mut ours, mut known): (Vec<_>, Vec<_>) =
            (ours.keys().collect(), known.keys().collect());
        ours.sort();
        known.sort();
        assert_eq!(ours, known);
    }

    #[test]
    fn small_numbers_fill_the_lowest_and_the_highest_bits() {
        let hash = BuildHasherDefault::<Fold>::default();
        let hashes: Vec<u64> = (0..1024_u32).map(|n| hash.hash_one(n)).collect();
        for shift in [0, 57] {
            let mut counts = [0; 128];
            for hash in &hashes {
                counts[(hash >> shift) as usize % 128] += 1;
            }
            assert!(
                counts.iter().all(|n| (1..=24).contains(n)),
                "{shift}: {counts:?}"
            );
        }
    }

    #[test]
    fn what_differs_in_one_place_differs() {
        let hash = BuildHasherDefault::<Fold>::default();
        let words = ["", "a", "b", "xy", "yx", "a\0", "12345678", "123456789"];
        let hashes: std::collections::BTreeSet<u64> =
            words.iter().map(|word| hash.hash_one(word)).collect();
        assert_eq!(hashes.len(), words.len());
        assert_ne!(hash.hash_one((1, 2)), hash.hash_one((2, 1)));
    }
}
