//! What a launch has to know of a kernel: its parameters, the sizes of its outputs, and what must
//! hold of its inputs.
//!
//! An [`Interface`] is made from a plan where the kernel is compiled, printed as a Rust
//! constant into the user's crate, and read there at every launch. So all its parts can be
//! `static`: lists and texts are [`Cow`]s.

use std::borrow::Cow;

use super::formula::{Formula, NoValue, Step};
use super::limits::SHARED_BYTES;
use super::requirement::RequirementInfo;
use crate::scalar::ScalarType;

/// What a kernel does with a parameter.
///
/// ```
/// use obsidian_rt::{ParameterRole, TypedKernel, language::*};
///
/// let doubled = TypedKernel::build("doubled", 64, |x: MGlobal<EU32>| {
///     distr_par(x.len(), move |b| single_thread(x.write(b, b)))
/// })?;
/// assert_eq!(doubled.kernel().parameters().next().unwrap().role(), ParameterRole::InOut);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParameterRole {
    /// A buffer that is only read.
    Input,
    /// A buffer that the launch makes; each element is written once.
    Output,
    /// A buffer that is read and written.
    InOut,
    /// A value.
    Scalar,
}

impl ParameterRole {
    /// The name, as manifests and comments say it.
    ///
    /// ```
    /// assert_eq!(obsidian_rt::ParameterRole::Input.name(), "input");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            ParameterRole::Input => "input",
            ParameterRole::Output => "output",
            ParameterRole::InOut => "in-out",
            ParameterRole::Scalar => "scalar",
        }
    }
}

/// One parameter of a kernel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParameterInfo {
    /// The user's name for it.
    pub name: Cow<'static, str>,
    /// Which parameter of the user's function it belongs to: the buffers of a tuple array share one
    /// group and one length.
    pub group: u32,
    /// The type of its elements, or of the value.
    pub ty: ScalarType,
    /// What the kernel does with it.
    pub role: ParameterRole,
    /// For outputs, the number of elements.
    pub length: Option<Formula>,
    /// For buffers that are written: block `b` writes exactly the elements `b * n` to `(b + 1) *
    /// n`, if that is proved.
    pub chunk: Option<u32>,
    /// Has the CUDA function a parameter for its number of elements? These come after all others,
    /// in the same order.
    pub uses_length: bool,
}

/// What a launch has to know of a kernel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Interface {
    /// The name of the user's function, and behind it the values if there are several variants.
    pub name: Cow<'static, str>,
    /// Real threads of a block.
    pub threads: u32,
    /// Bytes of shared memory of a block.
    pub shared_bytes: u32,
    /// The number of places in the text where the threads of a block wait for each other.
    pub barriers: u32,
    /// The number of places in the text where the threads of a warp wait for each other.
    pub warp_waits: u32,
    /// The parameters, in the order of the signature.
    pub parameters: Cow<'static, [ParameterInfo]>,
    /// The number of virtual blocks of each loop over blocks, nested ones included; any number of
    /// real blocks, at least one, works through them.
    pub blocks: Cow<'static, [Formula]>,
    /// Are only as many real blocks started as the device holds at once?
    pub resident: bool,
    /// Has the CUDA function a last parameter, behind the lengths: the address of a word of 64 bits that says what went wrong?
    pub faults: bool,
    /// The loops over blocks that have an order. If there are any, the CUDA function has a parameter behind the lengths, the address
    /// of [`order_words`](Interface::order_words) words of 64 bits: 0 at first, and left as they are between launches. Launches
    /// that use the same words must not overlap.
    pub orders: Cow<'static, [OrderInfo]>,
    /// What must hold of the lengths.
    pub requirements: Cow<'static, [RequirementInfo]>,
}

/// A loop over blocks that have an order: each block leaves some elements for those behind it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OrderInfo {
    /// How many blocks there are.
    pub blocks: Formula,
    /// How many elements a block leaves.
    pub elements: u32,
    /// The types of the components of an element.
    pub types: Cow<'static, [ScalarType]>,
}

impl OrderInfo {
    /// How many words of 32 bits a block leaves.
    pub fn words(&self) -> u32 {
        let each = self.types.iter().map(|ty| ty.bytes().div_ceil(4));
        each.sum::<u32>() * self.elements
    }
}

/// How many blocks that follow each other are a group, which has words of its own in an ordered loop.
pub const GROUP: u32 = 32;

impl Interface {
    /// The shared memory that a launch has to ask for, in bytes: all of it if it is more than
    /// [`SHARED_BYTES`], else none.
    pub fn dynamic_shared_bytes(&self) -> u32 {
        if self.shared_bytes > SHARED_BYTES {
            self.shared_bytes
        } else {
            0
        }
    }

    /// How many words of 64 bits the kernel needs for its [`orders`](Interface::orders): one for each loop, and behind them for each loop
    /// its blocks' words, and twice those of its groups, of which there are a 32nd as many as blocks, and one more.
    ///
    /// # Errors
    /// If a number of blocks has no value.
    pub fn order_words(
        &self,
        lengths: &[Option<u64>],
        arguments: &[Option<u64>],
    ) -> Result<u64, NoValue> {
        let mut words = self.orders.len() as u64;
        for order in self.orders.iter() {
            let blocks = u64::from(order.blocks.evaluate(lengths, arguments)?);
            let tables = blocks + 2 * (blocks / u64::from(GROUP) + 1);
            words += tables * u64::from(order.words());
        }
        Ok(words)
    }

    /// A formula as one reads it, such as `input / 512`, with the names of the parameters.
    pub fn text(&self, formula: &Formula) -> String {
        text(formula, &self.parameters)
    }
}

/// More steps than this nobody reads.
const LONGEST_TEXT: usize = 500;

/// A formula as one reads it. A formula that does not leave one number reads as `?`, and a long one by its number of steps.
fn text(formula: &Formula, parameters: &[ParameterInfo]) -> String {
    if formula.steps.len() > LONGEST_TEXT {
        return format!("(a formula of {} steps)", formula.steps.len());
    }
    let name = |n: usize| {
        parameters
            .get(n)
            .map_or_else(|| format!("#{n}"), |p| p.name.to_string())
    };
    let mut stack: Vec<(String, u8)> = Vec::new();
    for step in formula.steps.iter() {
        let (symbol, precedence) = match *step {
            Step::Length(n) | Step::Argument(n) => {
                stack.push((name(n), 3));
                continue;
            }
            Step::Literal(n) => {
                stack.push((n.to_string(), 3));
                continue;
            }
            Step::Add => ("+", 1),
            Step::Sub => ("-", 1),
            Step::Mul => ("*", 2),
            Step::Div => ("/", 2),
            Step::Rem => ("%", 2),
            Step::Min => ("min", 3),
            Step::Max => ("max", 3),
        };
        let (Some(right), Some(left)) = (stack.pop(), stack.pop()) else {
            return "?".to_owned();
        };
        stack.push((infix(symbol, precedence, left, right), precedence));
    }
    stack
        .pop()
        .filter(|_| stack.is_empty())
        .map_or_else(|| "?".to_owned(), |entry| entry.0)
}

fn infix(symbol: &str, precedence: u8, left: (String, u8), right: (String, u8)) -> String {
    if precedence == 3 {
        return format!("{symbol}({}, {})", left.0, right.0);
    }
    let wrap = |(text, inner): (String, u8), least: u8| {
        if inner < least {
            format!("({text})")
        } else {
            text
        }
    };
    format!(
        "{} {symbol} {}",
        wrap(left, precedence),
        wrap(right, precedence + 1)
    )
}
