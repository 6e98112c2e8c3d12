//! Maps and sets in the order of their keys, so that whatever is made from them is the same in every run.
//!
//! They are sorted vectors. The core has maps for more than a hundred pairs of types. For each pair the standard library's trees
//! add about a thousand lines to what is compiled, and vectors add few, so that the core compiles in a fifth less time. A new key
//! that is the largest goes to the end, as that of a new node or variable does. Any other moves all keys behind it; where many
//! come in such an order, as when a visit begins at the last node, a table of hashes is faster, and [`Set::sorted`] after it.
use std::borrow::Borrow;
use std::cmp::Ordering;
use std::fmt::{Debug, Formatter};
use std::iter::Zip;
use std::ops::Index;

/// Where a key is in a sorted slice, or where it would be.
fn find<K: Borrow<Q>, Q: Ord + ?Sized>(keys: &[K], key: &Q) -> Result<usize, usize> {
    let Some(last) = keys.last() else {
        return Err(0);
    };
    match last.borrow().cmp(key) {
        Ordering::Less => return Err(keys.len()),
        Ordering::Equal => return Ok(keys.len() - 1),
        Ordering::Greater => {}
    }
    // A loop, not the standard library's search, whose steps are calls where nothing is optimised, as in a macro.
    let (mut low, mut high) = (0, keys.len() - 1);
    while low < high {
        let middle = (low + high) / 2;
        match keys[middle].borrow().cmp(key) {
            Ordering::Less => low = middle + 1,
            Ordering::Equal => return Ok(middle),
            Ordering::Greater => high = middle,
        }
    }
    Err(low)
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
mod tests;
