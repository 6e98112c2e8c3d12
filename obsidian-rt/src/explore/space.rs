//! Spaces: named parameters, the values that each can have, and what must hold between them.
//!
//! A space is the product of its parameters' values, less the points that break a constraint.
//! Points have numbers: those of the product, the last parameter counted fastest. Searches work on
//! these numbers, so that the same seed asks for the same points.

use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;

use super::result::{Point, Value};
use crate::error::{Error, ErrorKind, Result};

/// The largest product of the numbers of values: all of it is gone through once, for the
/// constraints.
const MOST_POINTS: u64 = 1 << 22;

/// Named parameters with their values, and constraints between them.
///
/// Mistakes (two parameters of one name, no values) are reported by [`points`](Space::points), and
/// so by an exploration.
///
/// ```
/// use obsidian_rt::explore::Space;
///
/// # fn main() -> obsidian_rt::Result<()> {
/// let space = Space::new()
///     .choice("kernel", ["tree", "sequential"])
///     .list("elements", [256, 1000])
///     .powers_of_two("threads", 32..=1024)
///     .constraint("no more threads than elements", |point| Ok(point.u32("threads")? <= point.u32("elements")?));
/// let points = space.points()?;
/// assert_eq!(points.len(), 2 * (4 + 5));
/// assert_eq!(points.point(0).to_string(), "kernel=tree elements=256 threads=32");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Default)]
pub struct Space {
    parameters: Vec<Parameter>,
    constraints: Vec<(String, Constraint)>,
}

type Constraint = Arc<dyn Fn(&Point) -> Result<bool> + Send + Sync>;

#[derive(Clone, Debug)]
struct Parameter {
    name: String,
    values: Vec<Value>,
    /// Are values that are next to each other alike?
    ordered: bool,
    /// Is it a part of the job, and not chosen?
    given: bool,
}

impl Space {
    /// A space without parameters, which has one point.
    ///
    /// ```
    /// use obsidian_rt::explore::Space;
    ///
    /// assert_eq!(Space::new().points()?.len(), 1);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn new() -> Self {
        Space::default()
    }

    /// A parameter with these numbers. Neighbours in the list are neighbours for a search.
    ///
    /// ```
    /// use obsidian_rt::explore::Space;
    ///
    /// let points = Space::new().list("seq", [1, 4, 16]).points()?;
    /// assert_eq!(points.point(2).to_string(), "seq=16");
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[must_use]
    pub fn list(self, name: &str, numbers: impl IntoIterator<Item = u32>) -> Self {
        self.parameter(name, numbers.into_iter().map(Value::from).collect(), true)
    }

    /// A parameter with each number of a range.
    ///
    /// ```
    /// use obsidian_rt::explore::Space;
    ///
    /// assert_eq!(Space::new().range("depth", 2..=5).points()?.len(), 4);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[must_use]
    pub fn range(self, name: &str, numbers: RangeInclusive<u32>) -> Self {
        self.list(name, numbers)
    }

    /// A parameter with each power of two of a range: `32..=1024` are 32, 64, 128, 256, 512 and
    /// 1,024.
    ///
    /// ```
    /// use obsidian_rt::explore::Space;
    ///
    /// assert_eq!(Space::new().powers_of_two("threads", 32..=256).points()?.len(), 4);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[must_use]
    pub fn powers_of_two(self, name: &str, numbers: RangeInclusive<u32>) -> Self {
        self.list(
            name,
            (0..32)
                .map(|bit| 1u32 << bit)
                .filter(move |power| numbers.contains(power)),
        )
    }

    /// A parameter with these words: choices of a kernel. To a search, each is the neighbour of all
    /// others.
    ///
    /// ```
    /// use obsidian_rt::explore::Space;
    ///
    /// let points = Space::new().choice("order", ["near", "apart"]).points()?;
    /// assert_eq!(points.point(1).word("order")?, "apart");
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[must_use]
    pub fn choice<'a>(self, name: &str, words: impl IntoIterator<Item = &'a str>) -> Self {
        self.parameter(name, words.into_iter().map(Value::from).collect(), false)
    }

    /// Leaves out the points for which the condition does not hold. An error of the condition, such
    /// as that of a parameter that is not there, is one of the space.
    ///
    /// ```
    /// use obsidian_rt::explore::Space;
    ///
    /// let space = Space::new().list("a", [1, 2]).list("b", [1, 2]);
    /// let space = space.constraint("a is at most b", |point| Ok(point.u32("a")? <= point.u32("b")?));
    /// assert_eq!(space.points()?.len(), 3);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[must_use]
    pub fn constraint(
        mut self,
        words: &str,
        holds: impl Fn(&Point) -> Result<bool> + Send + Sync + 'static,
    ) -> Self {
        self.constraints.push((words.to_owned(), Arc::new(holds)));
        self
    }

    pub(super) fn parameter(mut self, name: &str, values: Vec<Value>, ordered: bool) -> Self {
        self.parameters.push(Parameter {
            name: name.to_owned(),
            values,
            ordered,
            given: false,
        });
        self
    }

    /// A parameter that the job gives, such as the number of elements, the element type or the device: it is not chosen. Each combination of
    /// given values is a *key*, with a search and a best candidate of its own.
    ///
    /// ```
    /// use obsidian_rt::explore::Space;
    ///
    /// # fn main() -> obsidian_rt::Result<()> {
    /// let space = Space::new().given("elements", [1u32 << 20, 1 << 24]).powers_of_two("threads", 32..=1024);
    /// let keys: Vec<String> = space.points()?.keys().iter().map(|(key, points)| format!("{key}: {}", points.len())).collect();
    /// assert_eq!(keys, ["elements=1048576: 6", "elements=16777216: 6"]);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn given<V: Into<Value>>(
        mut self,
        name: &str,
        values: impl IntoIterator<Item = V>,
    ) -> Self {
        self.parameters.push(Parameter {
            name: name.to_owned(),
            values: values.into_iter().map(Into::into).collect(),
            ordered: false,
            given: true,
        });
        self
    }

    /// The names of the parameters.
    ///
    /// ```
    /// use obsidian_rt::explore::Space;
    ///
    /// let space = Space::new().list("threads", [32]).choice("order", ["near"]);
    /// assert_eq!(space.parameters(), ["threads", "order"]);
    /// ```
    pub fn parameters(&self) -> Vec<String> {
        self.parameters
            .iter()
            .map(|parameter| parameter.name.clone())
            .collect()
    }

    /// The points that meet all constraints.
    ///
    /// # Errors
    /// [`ErrorKind::Space`]: a parameter without values, with one value twice, or with the name of another; more than 4,194,304 points;
    /// constraints that leave no point, or what one of them reports.
    ///
    /// ```
    /// use obsidian_rt::explore::Space;
    ///
    /// assert_eq!(Space::new().list("threads", [32, 64]).points()?.len(), 2);
    /// assert!(Space::new().list("threads", []).points().is_err());
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn points(&self) -> Result<Points> {
        self.check()?;
        let product: u64 = self
            .parameters
            .iter()
            .map(|parameter| parameter.values.len() as u64)
            .product();
        let mut points = Points {
            parameters: self.parameters.clone(),
            valid: Vec::new(),
            numbers: Vec::new(),
        };
        for place in 0..product {
            if self.allows(&points.at(place))? {
                points.numbers.push(points.valid.len());
                points.valid.push(place);
            }
        }
        if points.valid.is_empty() {
            let names: Vec<&str> = self.constraints.iter().map(|(words, _)| &**words).collect();
            return Err(mistake(format!(
                "no point of the space meets its constraints: {}",
                names.join("; ")
            )));
        }
        Ok(points)
    }

    fn allows(&self, point: &Point) -> Result<bool> {
        for (words, holds) in &self.constraints {
            if !holds(point)
                .map_err(|error| mistake(format!("the constraint `{words}` at {point}: {error}")))?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn check(&self) -> Result<()> {
        let mut product = 1u64;
        for (number, Parameter { name, values, .. }) in self.parameters.iter().enumerate() {
            if values.is_empty() {
                return Err(mistake(format!(
                    "the parameter `{name}` has no values; give it one at least"
                )));
            }
            if self
                .parameters
                .iter()
                .take(number)
                .any(|other| other.name == *name)
            {
                return Err(mistake(format!(
                    "two parameters are called `{name}`; each needs a name of its own"
                )));
            }
            let mut sorted: Vec<&Value> = values.iter().collect();
            sorted.sort();
            if let Some(twice) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
                return Err(mistake(format!(
                    "the parameter `{name}` has the value {} twice",
                    twice[0]
                )));
            }
            product = product.saturating_mul(values.len() as u64);
        }
        if product > MOST_POINTS {
            let message = format!(
                "the space has {product} points before its constraints, and {MOST_POINTS} are the most; divide it"
            );
            return Err(mistake(message).exceeded(product, MOST_POINTS));
        }
        Ok(())
    }
}

impl fmt::Debug for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let constraints: Vec<&str> = self.constraints.iter().map(|(words, _)| &**words).collect();
        f.debug_struct("Space")
            .field("parameters", &self.parameters)
            .field("constraints", &constraints)
            .finish()
    }
}

fn mistake(message: String) -> Error {
    Error::new(ErrorKind::Space, message)
}

/// The points of a space that meet its constraints, by number from 0 on.
///
/// ```
/// use obsidian_rt::explore::{Points, Space};
///
/// let points: Points = Space::new().list("threads", [32, 64]).points()?;
/// assert_eq!((points.len(), points.point(0).u32("threads")?), (2, 32));
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Points {
    parameters: Vec<Parameter>,
    /// Their places in the product, in order.
    valid: Vec<u64>,
    /// Their numbers in the whole space.
    numbers: Vec<usize>,
}

impl Points {
    /// The number of points; at least one.
    ///
    /// ```
    /// use obsidian_rt::explore::Space;
    ///
    /// assert_eq!(Space::new().list("threads", [32, 64]).points()?.len(), 2);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.valid.len()
    }

    /// A point by its number.
    ///
    /// # Panics
    /// If there are `number` points or fewer.
    ///
    /// ```
    /// use obsidian_rt::explore::Space;
    ///
    /// assert_eq!(Space::new().list("threads", [32, 64]).points()?.point(1).to_string(), "threads=64");
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn point(&self, number: usize) -> Point {
        self.at(self.valid[number])
    }

    /// The keys, each with its points: one for each combination of given values that has a point, in order. A space without given parameters has one key,
    /// without values.
    ///
    /// ```
    /// use obsidian_rt::explore::Space;
    ///
    /// let points = Space::new().given("elements", [100u32, 200]).list("threads", [32, 64]).points()?;
    /// let keys = points.keys();
    /// assert_eq!((keys.len(), keys[0].0.to_string(), keys[0].1.len()), (2, "elements=100".to_owned(), 2));
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn keys(&self) -> Vec<(Point, Points)> {
        let given = self.given();
        let mut keys: Vec<(Point, Points)> = Vec::new();
        for (place, number) in self.valid.iter().zip(&self.numbers) {
            let key = self.at(*place).key(&given);
            let known = keys.iter().position(|(known, _)| *known == key);
            let known = known.unwrap_or_else(|| {
                let none = Points {
                    parameters: self.parameters.clone(),
                    valid: Vec::new(),
                    numbers: Vec::new(),
                };
                keys.push((key, none));
                keys.len() - 1
            });
            keys[known].1.valid.push(*place);
            keys[known].1.numbers.push(*number);
        }
        keys
    }

    /// The names of the given parameters.
    pub(super) fn given(&self) -> Vec<String> {
        let given = self.parameters.iter().filter(|parameter| parameter.given);
        given.map(|parameter| parameter.name.clone()).collect()
    }

    /// The number in the whole space of a point of a key.
    pub(super) fn number_in_space(&self, number: usize) -> usize {
        self.numbers[number]
    }

    /// The names of the parameters.
    pub(super) fn names(&self) -> Vec<String> {
        self.parameters
            .iter()
            .map(|parameter| parameter.name.clone())
            .collect()
    }

    /// Ways to go from a point, by the parameters that change: each ordered one alone, two of them
    /// at once, each other one.
    pub(super) fn directions(&self) -> [Vec<Vec<usize>>; 3] {
        let (ordered, others): (Vec<usize>, Vec<usize>) = (0..self.parameters.len())
            .filter(|n| !self.parameters[*n].given)
            .partition(|n| self.parameters[*n].ordered);
        let pairs = ordered
            .iter()
            .enumerate()
            .flat_map(|(n, first)| ordered[n + 1..].iter().map(|second| vec![*first, *second]));
        let pairs = pairs.collect();
        [
            ordered.iter().map(|n| vec![*n]).collect(),
            pairs,
            others.iter().map(|n| vec![*n]).collect(),
        ]
    }

    /// The neighbours of a point in one direction: each of its parameters has another value, the
    /// next or the one before where values are ordered.
    pub(super) fn neighbours(&self, number: usize, direction: &[usize]) -> Vec<usize> {
        let mut moved = vec![self.digits(self.valid[number])];
        for parameter in direction {
            let Parameter {
                values, ordered, ..
            } = &self.parameters[*parameter];
            let steps = |digits: Vec<usize>| {
                let own = digits[*parameter];
                let near =
                    move |value: &usize| *value != own && (!ordered || value.abs_diff(own) == 1);
                (0..values.len()).filter(near).map(move |value| {
                    let mut digits = digits.clone();
                    digits[*parameter] = value;
                    digits
                })
            };
            moved = moved.into_iter().flat_map(steps).collect();
        }
        moved
            .iter()
            .filter_map(|digits| self.valid.binary_search(&self.place(digits)).ok())
            .collect()
    }

    fn at(&self, place: u64) -> Point {
        let values = self.parameters.iter().zip(self.digits(place));
        Point {
            values: values
                .map(|(parameter, digit)| (parameter.name.clone(), parameter.values[digit].clone()))
                .collect(),
        }
    }

    /// Which value each parameter has.
    fn digits(&self, mut place: u64) -> Vec<usize> {
        let mut digits: Vec<usize> = Vec::with_capacity(self.parameters.len());
        for parameter in self.parameters.iter().rev() {
            let values = parameter.values.len() as u64;
            digits.push((place % values) as usize);
            place /= values;
        }
        digits.reverse();
        digits
    }

    fn place(&self, digits: &[usize]) -> u64 {
        self.parameters
            .iter()
            .zip(digits)
            .fold(0, |place, (parameter, digit)| {
                place * parameter.values.len() as u64 + *digit as u64
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn neighbours(points: &Points, of: &str, direction: &[usize]) -> Vec<String> {
        let number = (0..points.len())
            .find(|number| points.point(*number).to_string() == of)
            .unwrap_or_default();
        points
            .neighbours(number, direction)
            .into_iter()
            .map(|number| points.point(number).to_string())
            .collect()
    }

    #[test]
    fn neighbours_are_near_and_meet_the_constraints() -> Result<()> {
        let space = Space::new()
            .choice("k", ["x", "y", "z"])
            .list("a", [1, 5, 9])
            .range("b", 1..=3);
        let points = space
            .constraint("less than 12", |point| {
                Ok(point.u64("a")? + point.u64("b")? < 12)
            })
            .points()?;
        assert_eq!(points.len(), 3 * 8);
        assert_eq!(
            points.directions(),
            [vec![vec![1], vec![2]], vec![vec![1, 2]], vec![vec![0]]]
        );
        assert_eq!(neighbours(&points, "k=y a=5 b=3", &[1]), ["k=y a=1 b=3"]);
        assert_eq!(neighbours(&points, "k=y a=5 b=3", &[2]), ["k=y a=5 b=2"]);
        assert_eq!(
            neighbours(&points, "k=y a=5 b=3", &[1, 2]),
            ["k=y a=1 b=2", "k=y a=9 b=2"]
        );
        assert_eq!(
            neighbours(&points, "k=y a=5 b=3", &[0]),
            ["k=x a=5 b=3", "k=z a=5 b=3"]
        );
        Ok(())
    }
}
