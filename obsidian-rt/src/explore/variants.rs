//! The declared variants of a kernel as a space, and the best of them as a line of a tuned file.
//!
//! This is the way back into the build: an exploration finds the best variant on a device for
//! arrays of a size, a [tuned file](Tuned) says so, and `#[kernel(tuned = "..")]` or a
//! [`Tuner`](crate::Tuner) goes by it.

use std::collections::BTreeMap;

use obsidian_base::variants::{Tuned, Value as Declared};

use super::candidate::Candidate;
use super::job::{Answer, Input, Job};
use super::objective::Objective;
use super::result::{Outcome, Point, Results, Value};
use super::run::Explore;
use super::space::Space;
use crate::error::{Error, ErrorKind, Result};
use crate::variant::Variant;

impl Explore {
    /// Explores the variants of a kernel, as its module's `variants()` lists them, for one job; `build` makes a
    /// candidate of each, most often by [`Candidate::new`] and `launch_variant`.
    ///
    /// For several sizes, give them to the space ([`Space::given`]), and write a line for each: [`Results::choose_by_key`].
    ///
    /// ```
    /// use obsidian_rt::explore::{Candidate, Explore, Job, Objective, Space};
    /// use obsidian_rt::{Tuned, prelude::*};
    ///
    /// #[kernels]
    /// pub mod maps {
    ///     #[kernel(threads = [32, 128], piece = [64, 256])]
    ///     pub fn doubled(piece: u32, input: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         input.chunks(piece, lit(0u32)).as_grid_map(|piece| piece.map(|x| x * 2).push::<Block>()).take(input.len())
    ///     }
    /// }
    /// use maps::doubled;
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let device = Device::cpu();
    /// let space = Space::of_variants(doubled::variants()).given("elements", [1u32 << 10, 1 << 14]);
    /// let job = |key: &obsidian_rt::explore::Point| {
    ///     Ok(Job::new((0..key.u32("elements")?).collect::<Vec<u32>>(), |input| input.iter().map(|x| x * 2).collect::<Vec<u32>>()))
    /// };
    /// let explored = Explore::by_key(space, Objective::measured(device.clone()), job, |point| {
    ///     let variant = point.variant(doubled::variants())?;
    ///     Ok(Candidate::new(move |device: &Device, input: &Buffer<u32>| doubled::launch_variant(variant, device, input)))
    /// });
    /// let mut tuned = Tuned::new(); // or that of a file: `Tuned::read`
    /// explored.run()?.results.choose_by_key(&mut tuned, doubled::variants(), Some(device.model()), |key| key.u64("elements"))?;
    /// // `tuned.write(path)?` keeps it. From 1,024 elements on the best one is taken, and below that the default.
    /// let tuner = Tuner::parse(&tuned.to_string(), doubled::variants())?;
    /// assert_eq!(tuner.pick(&device, 1000).name(), "doubled_threads32_piece64");
    /// println!("{tuned}");
    /// # assert_eq!(tuned.choices("doubled")?.len(), 2);
    /// # Ok(())
    /// # }
    /// ```
    pub fn variants<I: Input, A: Answer>(
        variants: &'static [Variant],
        objective: Objective,
        job: Job<I, A>,
        build: impl Fn(&'static Variant) -> Result<Candidate<I, A>> + Send + Sync + 'static,
    ) -> Self {
        Explore::new(Space::of_variants(variants), objective, job, move |point| {
            build(point.variant(variants)?)
        })
    }
}

impl Space {
    /// The values that the variants of a kernel have, by parameter, `threads` first. Booleans and
    /// negative numbers are words.
    ///
    /// ```
    /// use obsidian_rt::explore::{Candidate, Explore, Gpu, Job, Objective, Point, Space};
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = [32, 64])]
    ///     pub fn doubled(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(64).as_grid_map(|x| x.map(|x| 2 * x).push())
    ///     }
    /// }
    /// use example::doubled;
    ///
    /// assert_eq!(Space::of_variants(doubled::variants()).points()?.len(), 2);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn of_variants(variants: &[Variant]) -> Self {
        let names = variants.first().map_or(&[][..], |first| first.values());
        names.iter().fold(Space::new(), |space, (name, _)| {
            let mut values: Vec<Value> = Vec::new();
            for value in variants
                .iter()
                .filter_map(|variant| variant.value(name))
                .map(Value::from)
            {
                if !values.contains(&value) {
                    values.push(value);
                }
            }
            let ordered = values.iter().all(|value| matches!(value, Value::Number(_)));
            space.parameter(name, values, ordered)
        })
    }
}

impl Point {
    /// The variant that has these values; parameters that it does not have are no part of the
    /// question.
    ///
    /// # Errors
    /// [`ErrorKind::Space`] if there is none.
    ///
    /// ```
    /// use obsidian_rt::explore::{Candidate, Explore, Gpu, Job, Objective, Point, Space};
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = [32, 64])]
    ///     pub fn doubled(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(64).as_grid_map(|x| x.map(|x| 2 * x).push())
    ///     }
    /// }
    /// use example::doubled;
    ///
    /// let point: Point = Space::of_variants(doubled::variants()).points()?.point(1);
    /// assert_eq!(point.variant(doubled::variants())?.threads(), 64);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn variant(&self, variants: &'static [Variant]) -> Result<&'static Variant> {
        let fits = |variant: &&Variant| {
            variant
                .values()
                .iter()
                .all(|(name, value)| self.get(name) == Some(&Value::from(*value)))
        };
        let none = || match variants.first() {
            Some(first) => Error::new(
                ErrorKind::Space,
                format!("no variant has the values {self}; `{first}` is one"),
            )
            .of(first.function()),
            None => Error::new(
                ErrorKind::Space,
                "there are no variants: give those of a kernel, by the `variants()` of its module",
            ),
        };
        variants.iter().find(fits).ok_or_else(none)
    }
}

impl Results {
    /// Notes in a tuned file that the best of the variants that were explored is the one for a
    /// device, for launches whose longest array has `from` elements or more; gives that variant. A
    /// comment above the line says by which [margin](Results::margin) it is ahead of the second, or that both are declared equal. A
    /// measured device is called by its [model](crate::Device::model); no name is any device that
    /// has no lines of its own. Only a variant whose whole answer was right is taken.
    ///
    /// # Errors
    /// [`ErrorKind::Tuned`] if no variant is good, with the first reason, if the results are of several jobs, or for a name of a device
    /// with control characters; [`ErrorKind::Space`] if it was not these variants that were
    /// explored.
    ///
    /// ```
    /// use obsidian_rt::explore::{Candidate, Explore, Gpu, Job, Objective, Point, Space};
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = [32, 64])]
    ///     pub fn doubled(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(64).as_grid_map(|x| x.map(|x| 2 * x).push())
    ///     }
    /// }
    /// use example::doubled;
    ///
    /// let job = Job::new(vec![1u32; 256], |x| x.iter().map(|x| 2 * x).collect::<Vec<u32>>());
    /// let explored = Explore::variants(doubled::variants(), Objective::predicted(Gpu::named("H100")?), job, |variant| {
    ///     Ok(Candidate::new(move |device: &Device, x: &Buffer<u32>| doubled::launch_variant(variant, device, x)))
    /// });
    /// let mut tuned = obsidian_rt::Tuned::new();
    /// let best = explored.run()?.results.choose_in(&mut tuned, doubled::variants(), None, 0)?;
    /// assert!(tuned.to_string().contains(&format!("any from 0: threads = {}", best.threads())));
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn choose_in(
        &self,
        tuned: &mut Tuned,
        variants: &'static [Variant],
        device: Option<&str>,
        from: u64,
    ) -> Result<&'static Variant> {
        let function = variants.first().map_or("", |first| first.function());
        let refused = |words: String| Error::new(ErrorKind::Tuned, words).of(function);
        let best = self.best().ok_or_else(|| refused(self.nothing_good()))?;
        let variant = best.point.variant(variants)?;
        variant
            .choose_in(tuned, device, from)
            .map_err(|wrong| refused(wrong.to_string()))?;
        tuned.note(function, device, from, &self.about_best());
        Ok(variant)
    }

    /// Notes the best variant of each key, as [`choose_in`](Results::choose_in); `from` says of a key from how many elements on its choice holds. Nothing is
    /// noted after an error.
    ///
    /// # Errors
    /// As of `choose_in`, with the key, and what `from` reports; [`ErrorKind::Tuned`] if two keys hold from the same number of elements on, or if nothing
    /// was tried of a key.
    ///
    /// ```
    /// use obsidian_rt::explore::{Candidate, Explore, Gpu, Job, Objective, Point, Space};
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = [32, 64])]
    ///     pub fn doubled(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(64).as_grid_map(|x| x.map(|x| 2 * x).push())
    ///     }
    /// }
    /// use example::doubled;
    ///
    /// let space = Space::of_variants(doubled::variants()).given("elements", [256u32, 512]);
    /// let job = |key: &Point| Ok(Job::new(vec![1u32; key.u32("elements")? as usize], |x| x.iter().map(|x| 2 * x).collect::<Vec<u32>>()));
    /// let explored = Explore::by_key(space, Objective::predicted(Gpu::named("H100")?), job, |point| {
    ///     let variant = point.variant(doubled::variants())?;
    ///     Ok(Candidate::new(move |device: &Device, x: &Buffer<u32>| doubled::launch_variant(variant, device, x)))
    /// });
    /// let mut tuned = obsidian_rt::Tuned::new();
    /// explored.run()?.results.choose_by_key(&mut tuned, doubled::variants(), None, |key| key.u64("elements"))?;
    /// assert_eq!(tuned.choices("doubled").unwrap().len(), 2);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn choose_by_key(
        &self,
        tuned: &mut Tuned,
        variants: &'static [Variant],
        device: Option<&str>,
        from: impl Fn(&Point) -> Result<u64>,
    ) -> Result<()> {
        let function = variants.first().map_or("", |first| first.function());
        let refused = |words: String| Error::new(ErrorKind::Tuned, words).of(function);
        if let Some(key) = self.untried.first() {
            let words = format!("nothing was tried of the key {key}: the time was up before");
            return Err(refused(words));
        }
        let (mut chosen, mut places) = (tuned.clone(), BTreeMap::new());
        for (key, results) in self.by_key() {
            let place = from(&key)?;
            if results.best().is_none() {
                return Err(refused(format!(
                    "of the key {key} {}",
                    results.nothing_good()
                )));
            }
            results.choose_in(&mut chosen, variants, device, place)?;
            if let Some(other) = places.insert(place, key.clone()) {
                return Err(refused(format!(
                    "the keys {other} and {key} both hold from {place} elements on, and a tuned file has one line for that; choose one, by `by_key`"
                )));
            }
        }
        *tuned = chosen;
        Ok(())
    }

    /// The seconds of the best by stage, which stage decides, and the margin over the second, for a tuned file.
    fn about_best(&self) -> String {
        let best = self.best().map(|best| &best.outcome);
        let score = best.and_then(Outcome::score).unwrap_or(f64::NAN);
        let stages = best.map(Outcome::stages).unwrap_or_default();
        let before = match stages.measured {
            Some(_) => [
                ("predicted", stages.predicted),
                ("compiled", stages.compiled),
            ],
            None => [
                (
                    "predicted",
                    stages.predicted.filter(|_| stages.compiled.is_some()),
                ),
                ("compiled", None),
            ],
        };
        let before: String = before
            .into_iter()
            .filter_map(|(name, seconds)| Some(format!(", {name} {:.3e}", seconds?)))
            .collect();
        let lead = self
            .lead()
            .unwrap_or_else(|| "no other variant is good".to_owned());
        let decides = stages.decides();
        format!(
            "{}: {score:.3e}{before}; by {decides} {lead}",
            self.objective
        )
    }

    /// Why there is no best.
    fn nothing_good(&self) -> String {
        if self.has_several_jobs() {
            return "the results are of several jobs: choose one, by `by_key`, or write a line for each, by `choose_by_key`"
                .to_owned();
        }
        let reason = self.evaluated.iter().find_map(|evaluated| {
            let reason = evaluated.outcome.reason()?;
            Some(format!("{}: {reason}", evaluated.point))
        });
        format!(
            "no variant that was tried is good; {}",
            reason.unwrap_or_else(|| "none was tried to the end".to_owned())
        )
    }
}

/// A value of a specialisation parameter: a number, or a word if it is a boolean or negative.
impl From<Declared> for Value {
    fn from(value: Declared) -> Self {
        match value
            .integer()
            .and_then(|number| u64::try_from(number).ok())
        {
            Some(number) => Value::Number(number),
            None => Value::Word(value.to_string()),
        }
    }
}
