//! The declared variants of a kernel as a space, and the best of them as a line of a tuned file.
//!
//! This is the way back into the build: an exploration finds the best variant on a device for
//! arrays of a size, a [tuned file](Tuned) says so, and `#[kernel(tuned = "..")]` or a
//! [`Tuner`](crate::Tuner) goes by it.

use obsidian_core::variants::{Tuned, Value as Declared};

use super::candidate::Candidate;
use super::objective::Objective;
use super::result::{Outcome, Point, Results, Value};
use super::run::Explore;
use super::space::Space;
use crate::error::{Error, ErrorKind, Result};
use crate::variant::Variant;

impl Explore {
    /// Explores the variants of a kernel, as its module's `variants()` lists them; `build` makes a
    /// candidate of each, most often by [`Candidate::of_launch`].
    ///
    /// ```
    /// use obsidian_rt::explore::{Candidate, Explore, Objective};
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
    /// let mut tuned = Tuned::new(); // or that of a file: `Tuned::read`
    /// for elements in [1 << 10, 1 << 14] {
    ///     let explored = Explore::variants(doubled::variants(), Objective::measured(device.clone()), move |variant| {
    ///         let piece = variant.value("piece").and_then(|piece| piece.integer()).unwrap_or(1) as u64;
    ///         let input = move |blocks| (0..(blocks * piece) as u32).collect();
    ///         let launch = move |device: &Device, input: &Buffer<u32>| doubled::launch_variant(variant, device, input);
    ///         let twice = |input: &[u32]| input.iter().map(|x| x * 2).collect();
    ///         Ok(Candidate::of_launch(&variant.kernel(), elements / piece, input, launch, twice))
    ///     });
    ///     explored.run()?.results.choose_in(&mut tuned, doubled::variants(), Some(device.model()), elements)?;
    /// }
    /// // `tuned.write(path)?` keeps it. From 1,024 elements on the best one is taken, and below that the default.
    /// let tuner = Tuner::parse(&tuned.to_string(), doubled::variants())?;
    /// assert_eq!(tuner.pick(&device, 1000).name(), "doubled_threads32_piece64");
    /// println!("{tuned}");
    /// # assert_eq!(tuned.choices("doubled")?.len(), 2);
    /// # Ok(())
    /// # }
    /// ```
    pub fn variants(
        variants: &'static [Variant],
        objective: Objective,
        build: impl Fn(&'static Variant) -> Result<Candidate> + Send + Sync + 'static,
    ) -> Self {
        Explore::new(Space::of_variants(variants), objective, move |point| {
            build(point.variant(variants)?)
        })
    }
}

impl Space {
    /// The values that the variants of a kernel have, by parameter, `threads` first. Booleans and
    /// negative numbers are words.
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
    /// measured device is called by its [model](crate::Device::model); no name is any device that
    /// has no lines of its own.
    ///
    /// # Errors
    /// [`ErrorKind::Tuned`] if no variant is good, with the first reason, or for a name of a device
    /// with control characters; [`ErrorKind::Space`] if it was not these variants that were
    /// explored.
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
        Ok(variant)
    }

    /// Why there is no best.
    fn nothing_good(&self) -> String {
        let reason = self
            .evaluated
            .iter()
            .find_map(|evaluated| match &evaluated.outcome {
                Outcome::NotBuilt(reason) | Outcome::Failed(reason) => {
                    Some(format!("{}: {reason}", evaluated.point))
                }
                Outcome::Good { .. } => None,
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
