//! The chain of bindings that a program is, from where it has run.

use std::rc::Rc;

use obsidian_rt::arrays::{AnyArr, AnyInputs};

use super::array::Array;
use super::element::types;
use super::functions::visit;
use super::progress::{Output, Saved, restore, save};
use super::stop::Stop;
use super::value::{Environment, Frame, Value, bind};
use super::{Demand, Lowered, Lowering};
use crate::syntax::{Base, Binding, Expr, ExprKind};

/// What the host needs before the rest can be lowered.
#[derive(Clone, Copy)]
pub enum Demanded {
    /// The next result, which has this type.
    Value(Base),
    /// The time.
    Clock,
}

/// A part of a program that runs at once.
#[derive(Default)]
pub struct Segment {
    /// What it prints, in order. Those of the device are its first results.
    pub outputs: Vec<Output>,
    /// What the host needs.
    pub demanded: Option<Demanded>,
    /// The number of the binding in which the host needs it.
    pub binding: usize,
    /// What is kept of the bindings in front of that one; the number of an array is one of the results.
    pub saved: Vec<Saved>,
    /// The bytes of its results, of those whose extents are numbers.
    pub bytes: u64,
    /// What one thread does in order, each with its place.
    pub in_order: Vec<String>,
    /// The mistake at which lowering stopped.
    pub stop: Option<Stop>,
}

impl Lowering {
    /// Lowers the program from where it has run. Gives the arrays that are computed.
    pub fn program(
        self: &Rc<Self>,
        program: &Expr,
        inputs: &mut AnyInputs<'_>,
    ) -> (Segment, Vec<AnyArr>) {
        let (bindings, body) = match &program.kind {
            ExprKind::Let(bindings, body) => (bindings.as_slice(), &**body),
            _ => (&[][..], program),
        };
        let mut declared = Vec::new();
        for input in &self.progress.inputs {
            let vector = inputs.array(1, types(input.base));
            declared.push(Array::node(
                input.base,
                vector.reshape(input.extents.clone()),
            ));
        }
        let mut frames = Vec::new();
        let stop = self.chain(bindings, body, &declared, &mut frames).err();
        let mut results = Vec::new();
        let mut segment = Segment {
            binding: self.current.get(),
            ..Segment::default()
        };
        let outputs = self.outputs.take().into_iter().skip(self.progress.printed);
        for output in outputs {
            if let Output::Device(array) = &output {
                results.push(array.clone());
            }
            segment.outputs.push(output);
        }
        match stop {
            Some(Stop::Demand) => {
                segment.demanded = Some(match self.demanded.take() {
                    Some(Demand::Value(array)) => {
                        results.push(array.clone());
                        Demanded::Value(array.base)
                    }
                    Some(Demand::Clock) | None => Demanded::Clock,
                });
                segment.saved = kept(
                    &bindings[..segment.binding.min(bindings.len())],
                    bindings,
                    body,
                    &frames,
                    &mut results,
                );
            }
            stop => segment.stop = stop,
        }
        segment.bytes = results.iter().map(bytes).fold(0, u64::saturating_add);
        segment.in_order = self.noted();
        let nodes = results.iter().map(Array::to_node).collect();
        (segment, nodes)
    }

    fn chain(
        self: &Rc<Self>,
        bindings: &[Binding],
        body: &Expr,
        inputs: &[Array],
        frames: &mut Vec<Environment>,
    ) -> Lowered<()> {
        let mut environment: Environment = None;
        for (number, binding) in bindings.iter().enumerate() {
            self.begin(number);
            let saved = self.progress.saved.get(number);
            let is_past = number < self.progress.binding;
            environment = match saved
                .filter(|_| is_past)
                .and_then(|saved| restore(saved, inputs))
            {
                Some(value) => bind(&binding.name, value, 0, &environment),
                None if is_past
                    && !matches!(
                        binding.value.kind,
                        ExprKind::Function(_) | ExprKind::Operator(_)
                    ) =>
                {
                    environment
                }
                None => self.binding(binding, &environment)?,
            };
            frames.push(environment.clone());
        }
        self.begin(bindings.len());
        let value = self.expression(body, &environment)?;
        let result = self.array(&value, body.span)?;
        self.print(&result, body.span)
    }

    /// The binding with a number is lowered next.
    fn begin(&self, number: usize) {
        self.current.set(number);
        self.asked.set(0);
        // What is drawn does not depend on where the program was cut.
        self.rolls.set(u32::try_from(number).unwrap_or(0) << 12);
    }
}

/// The bytes of an array, if its extents are numbers.
fn bytes(array: &Array) -> u64 {
    let shape = array.shape().unwrap_or_default();
    let of_element = types(array.base).iter().map(|ty| u64::from(ty.bytes()));
    let extents = shape.iter().map(|extent| u64::from(*extent));
    extents.fold(of_element.sum(), u64::saturating_mul)
}

/// What is kept of bindings: the values that what is lowered later mentions.
fn kept(
    past: &[Binding],
    all: &[Binding],
    body: &Expr,
    frames: &[Environment],
    results: &mut Vec<Array>,
) -> Vec<Saved> {
    let is_function = |binding: &Binding| matches!(binding.value.kind, ExprKind::Function(_));
    let mut mentioned = std::collections::BTreeSet::new();
    let mut note = |expr: &Expr| {
        if let ExprKind::Variable(name) = &expr.kind {
            mentioned.insert(name.clone());
        }
    };
    for (number, binding) in all.iter().enumerate() {
        if number >= past.len() || is_function(binding) {
            visit(&binding.value, &mut note);
        }
    }
    visit(body, &mut note);
    past.iter()
        .zip(frames)
        .map(|(binding, frame)| {
            // Another variable may have the name, too.
            let is_own = |frame: &&Rc<Frame>| frame.name == binding.name;
            let frame = frame.as_ref().filter(is_own);
            match frame.filter(|_| mentioned.contains(&binding.name)) {
                Some(frame) => {
                    let value: Value = frame.value.borrow().clone();
                    save(&value, results)
                }
                None => Saved::Nothing,
            }
        })
        .collect()
}
