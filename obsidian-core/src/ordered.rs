//! Maps and sets in the order of their keys, so that whatever is made from them is the same in every run.
//!
//! They are sorted vectors. The core has them for more than a hundred pairs of types, and for each pair the trees of the
//! standard library are a thousand lines of code more to compile: with vectors, whoever builds the core waits a fifth less. A new
//! key goes to the end at no cost if it is the largest, as that of a new node or variable is; elsewhere all behind it
//! move, which takes as long as a copy of them.
use std::borrow::Borrow;
use std::cmp::Ordering;
use std::fmt::{Debug, Formatter};
use std::iter::Zip;
use std::ops::Index;

/// Where a key is in a sorted slice, or where it would be.
fn find<K: Borrow<Q>, Q: Ord + ?Sized>(keys: &[K], key: &Q) -> Result<usize, usize> {
    match keys.last().map(|last| last.borrow().cmp(key)) {
        None | Some(Ordering::Less) => Err(keys.len()),
        Some(Ordering::Equal) => Ok(keys.len() - 1),
        Some(Ordering::Greater) => keys.binary_search_by(|one| one.borrow().cmp(key)),
    }
}

/// Values by keys, each key once, in ascending order of the keys.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Map<K, V> {
    /// Ascending, as many as there are values.
    keys: Vec<K>,
    values: Vec<V>,
}

impl<K, V> Default for Map<K, V> {
    fn default() -> Self {
        Map::new()
    }
}

impl<K, V> Map<K, V> {
    pub const fn new() -> Self {
        Map {
            keys: Vec::new(),
            values: Vec::new(),
        }
    }

    pub fn len(&self) -> usize {
        self.keys.len()
    }

    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    pub fn keys(&self) -> std::slice::Iter<'_, K> {
        self.keys.iter()
    }

    pub fn values(&self) -> std::slice::Iter<'_, V> {
        self.values.iter()
    }

    pub fn values_mut(&mut self) -> std::slice::IterMut<'_, V> {
        self.values.iter_mut()
    }

    pub fn into_keys(self) -> std::vec::IntoIter<K> {
        self.keys.into_iter()
    }

    pub fn into_values(self) -> std::vec::IntoIter<V> {
        self.values.into_iter()
    }

    pub fn iter(&self) -> Zip<std::slice::Iter<'_, K>, std::slice::Iter<'_, V>> {
        self.keys.iter().zip(&self.values)
    }

    pub fn iter_mut(&mut self) -> Zip<std::slice::Iter<'_, K>, std::slice::IterMut<'_, V>> {
        self.keys.iter().zip(&mut self.values)
    }

    pub fn clear(&mut self) {
        self.keys.clear();
        self.values.clear();
    }

    /// Takes out the entry with the largest key.
    pub fn pop_last(&mut self) -> Option<(K, V)> {
        self.keys.pop().zip(self.values.pop())
    }

    /// Keeps the entries of which `is_kept` is true.
    pub fn retain(&mut self, mut is_kept: impl FnMut(&K, &mut V) -> bool) {
        let mut kept = 0;
        for at in 0..self.keys.len() {
            if is_kept(&self.keys[at], &mut self.values[at]) {
                self.keys.swap(kept, at);
                self.values.swap(kept, at);
                kept += 1;
            }
        }
        self.keys.truncate(kept);
        self.values.truncate(kept);
    }

    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        Some(&self.values[find(&self.keys, key).ok()?])
    }

    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        Some(&mut self.values[find(&self.keys, key).ok()?])
    }

    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        find(&self.keys, key).is_ok()
    }

    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let at = find(&self.keys, key).ok()?;
        self.keys.remove(at);
        Some(self.values.remove(at))
    }
}

impl<K: Ord, V> Map<K, V> {
    /// Gives the value that the key had before.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match find(&self.keys, &key) {
            Ok(at) => Some(std::mem::replace(&mut self.values[at], value)),
            Err(at) => {
                self.keys.insert(at, key);
                self.values.insert(at, value);
                None
            }
        }
    }

    pub fn entry(&mut self, key: K) -> Entry<'_, K, V> {
        Entry { map: self, key }
    }
}

/// The value of a key that may not be there yet.
pub struct Entry<'a, K, V> {
    map: &'a mut Map<K, V>,
    key: K,
}

impl<'a, K: Ord, V> Entry<'a, K, V> {
    pub fn or_insert_with(self, value: impl FnOnce() -> V) -> &'a mut V {
        let Map { keys, values } = self.map;
        let at = find(keys, &self.key).unwrap_or_else(|at| {
            // First, as it may panic.
            let value = value();
            keys.insert(at, self.key);
            values.insert(at, value);
            at
        });
        &mut values[at]
    }

    pub fn or_insert(self, value: V) -> &'a mut V {
        self.or_insert_with(|| value)
    }

    pub fn or_default(self) -> &'a mut V
    where
        V: Default,
    {
        self.or_insert_with(V::default)
    }
}

/// As of lists of entries.
impl<K: Ord, V: Ord> Ord for Map<K, V> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.iter().cmp(other)
    }
}

impl<K: Ord, V: Ord> PartialOrd for Map<K, V> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<K: Borrow<Q>, Q: Ord + ?Sized, V> Index<&Q> for Map<K, V> {
    type Output = V;

    /// # Panics
    ///
    /// If the key is not there.
    fn index(&self, key: &Q) -> &V {
        match find(&self.keys, key) {
            Ok(at) => &self.values[at],
            Err(_) => unreachable!("a key that the map has"),
        }
    }
}

impl<K: Ord, V> Extend<(K, V)> for Map<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        for (key, value) in entries {
            self.insert(key, value);
        }
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for Map<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = Map::new();
        map.extend(entries);
        map
    }
}

impl<K: Ord, V, const N: usize> From<[(K, V); N]> for Map<K, V> {
    fn from(entries: [(K, V); N]) -> Self {
        entries.into_iter().collect()
    }
}

impl<K, V> IntoIterator for Map<K, V> {
    type Item = (K, V);
    type IntoIter = Zip<std::vec::IntoIter<K>, std::vec::IntoIter<V>>;

    fn into_iter(self) -> Self::IntoIter {
        self.keys.into_iter().zip(self.values)
    }
}

impl<'a, K, V> IntoIterator for &'a Map<K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter = Zip<std::slice::Iter<'a, K>, std::slice::Iter<'a, V>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a, K, V> IntoIterator for &'a mut Map<K, V> {
    type Item = (&'a K, &'a mut V);
    type IntoIter = Zip<std::slice::Iter<'a, K>, std::slice::IterMut<'a, V>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

impl<K: Debug, V: Debug> Debug for Map<K, V> {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self).finish()
    }
}

/// Items, each once, in ascending order.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Set<K>(Vec<K>);

impl<K> Default for Set<K> {
    fn default() -> Self {
        Set::new()
    }
}

impl<K> Set<K> {
    pub const fn new() -> Self {
        Set(Vec::new())
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn iter(&self) -> std::slice::Iter<'_, K> {
        self.0.iter()
    }

    pub fn first(&self) -> Option<&K> {
        self.0.first()
    }

    pub fn last(&self) -> Option<&K> {
        self.0.last()
    }

    /// Takes out the largest.
    pub fn pop_last(&mut self) -> Option<K> {
        self.0.pop()
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Keeps the items of which `is_kept` is true.
    pub fn retain(&mut self, is_kept: impl FnMut(&K) -> bool) {
        self.0.retain(is_kept);
    }

    pub fn contains<Q: Ord + ?Sized>(&self, item: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        find(&self.0, item).is_ok()
    }

    /// Was the item there?
    pub fn remove<Q: Ord + ?Sized>(&mut self, item: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        find(&self.0, item).map(|at| self.0.remove(at)).is_ok()
    }
}

impl<K: Ord> Set<K> {
    /// The items in order. Where many are found in an order of their own, a table of hashes first and this after it is faster than
    /// to insert one by one.
    pub fn sorted(items: impl IntoIterator<Item = K>) -> Self {
        let mut items: Vec<K> = items.into_iter().collect();
        items.sort_unstable();
        items.dedup();
        Set(items)
    }

    /// Was the item not there yet?
    pub fn insert(&mut self, item: K) -> bool {
        find(&self.0, &item)
            .map_err(|at| self.0.insert(at, item))
            .is_err()
    }

    /// The items that both have.
    pub fn intersection<'a>(&'a self, other: &'a Set<K>) -> impl Iterator<Item = &'a K> {
        self.iter().filter(|item| other.contains(*item))
    }

    /// The items that the other has not.
    pub fn difference<'a>(&'a self, other: &'a Set<K>) -> impl Iterator<Item = &'a K> {
        self.iter().filter(|item| !other.contains(*item))
    }

    pub fn is_subset(&self, other: &Set<K>) -> bool {
        self.iter().all(|item| other.contains(item))
    }

    pub fn is_disjoint(&self, other: &Set<K>) -> bool {
        !self.iter().any(|item| other.contains(item))
    }
}

impl<K: Ord> Extend<K> for Set<K> {
    fn extend<I: IntoIterator<Item = K>>(&mut self, items: I) {
        for item in items {
            self.insert(item);
        }
    }
}

impl<'a, K: Ord + Copy + 'a> Extend<&'a K> for Set<K> {
    fn extend<I: IntoIterator<Item = &'a K>>(&mut self, items: I) {
        for item in items {
            self.insert(*item);
        }
    }
}

impl<K: Ord> FromIterator<K> for Set<K> {
    fn from_iter<I: IntoIterator<Item = K>>(items: I) -> Self {
        let mut set = Set::new();
        set.extend(items);
        set
    }
}

impl<K: Ord, const N: usize> From<[K; N]> for Set<K> {
    fn from(items: [K; N]) -> Self {
        items.into_iter().collect()
    }
}

impl<K> IntoIterator for Set<K> {
    type Item = K;
    type IntoIter = std::vec::IntoIter<K>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a, K> IntoIterator for &'a Set<K> {
    type Item = &'a K;
    type IntoIter = std::slice::Iter<'a, K>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<K: Debug> Debug for Set<K> {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(&self.0).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};

    /// Numbers below `below`, by a generator of Lehmer's.
    fn numbers(mut seed: u64) -> impl FnMut(u32) -> u32 {
        println!("seed: {seed}");
        move |below| {
            seed = seed * 48271 % 0x7fff_ffff;
            (seed % u64::from(below)) as u32
        }
    }

    #[test]
    fn maps_are_those_of_the_standard_library() {
        let mut number = numbers(26);
        for keys in [1, 2, 7, 40, 1000] {
            let (mut own, mut standard) = (Map::new(), BTreeMap::new());
            for value in 0..2000 {
                let key = number(keys);
                match number(9) {
                    0..=2 => assert_eq!(own.insert(key, value), standard.insert(key, value)),
                    3 => assert_eq!(own.remove(&key), standard.remove(&key)),
                    4 => {
                        *own.entry(key).or_insert(3) += 1;
                        *standard.entry(key).or_insert(3) += 1;
                    }
                    5 => assert_eq!(own.get(&key), standard.get(&key)),
                    6 => assert_eq!(own.get_mut(&key), standard.get_mut(&key)),
                    7 => assert_eq!(own.contains_key(&key), standard.contains_key(&key)),
                    _ if number(20) == 0 => {
                        own.retain(|one, value| (*one + *value) % 3 > 0);
                        standard.retain(|one, value| (*one + *value) % 3 > 0);
                    }
                    _ => assert_eq!(own.pop_last(), standard.pop_last()),
                }
                assert!(own.iter().eq(&standard), "{own:?}, {standard:?}");
            }
            let (first, second): (Map<_, _>, BTreeMap<_, _>) = (0..keys).fold(
                (Map::new(), BTreeMap::new()),
                |(mut own, mut standard), value| {
                    let key = number(keys);
                    own.extend([(key, value)]);
                    standard.extend([(key, value)]);
                    (own, standard)
                },
            );
            assert_eq!(own.cmp(&first), standard.cmp(&second));
            assert_eq!(own == first, standard == second);
            assert_eq!(format!("{own:?}"), format!("{standard:?}"));
            assert!(own.into_iter().eq(standard));
        }
    }

    #[test]
    fn sets_are_those_of_the_standard_library() {
        let mut number = numbers(27);
        for below in [1, 2, 7, 40, 1000] {
            let (mut own, mut standard) = (Set::new(), BTreeSet::new());
            for _ in 0..2000 {
                let item = number(below);
                match number(6) {
                    0..=2 => assert_eq!(own.insert(item), standard.insert(item)),
                    3 => assert_eq!(own.remove(&item), standard.remove(&item)),
                    4 => assert_eq!(own.contains(&item), standard.contains(&item)),
                    _ => assert_eq!(own.pop_last(), standard.pop_last()),
                }
                assert!(own.iter().eq(&standard), "{own:?}, {standard:?}");
                assert_eq!(own.first(), standard.first());
                assert_eq!(own.last(), standard.last());
            }
            let items: Vec<u32> = (0..below.min(60)).map(|_| number(below)).collect();
            let first: Set<u32> = items.iter().copied().collect();
            let second: BTreeSet<u32> = items.iter().copied().collect();
            assert!(first.iter().eq(&second));
            assert_eq!(first, Set::sorted(items));
            assert!(own.intersection(&first).eq(standard.intersection(&second)));
            assert!(own.difference(&first).eq(standard.difference(&second)));
            assert_eq!(own.is_subset(&first), standard.is_subset(&second));
            assert_eq!(own.is_disjoint(&first), standard.is_disjoint(&second));
            assert_eq!(own.cmp(&first), standard.cmp(&second));
            let part: Set<u32> = own.intersection(&first).copied().collect();
            assert!(part.is_subset(&own) && part.is_subset(&first));
        }
    }
}
