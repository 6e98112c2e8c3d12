//! The graph of a sequence, and the array programs that it becomes.
//!
//! All that is done with one chunk is one array program. Its parameters are the chunk's array of each source and what nodes keep from the
//! chunk before; its results are what they keep for the next one, and what the consumers want.

use std::rc::Rc;

use obsidian_core::arrays::{AnyArr, Ix1, append};
use obsidian_core::scalar::{ScalarType, lit};

use super::source::Source;
use crate::arrays::{AnyArray, AnyInputs, AnyProgram};
use crate::device::Device;
use crate::error::{Error, ErrorKind, Result};

/// The number of elements of a grain. Folds combine the elements of a grain in the order of array programs, and the results of grains in a
/// balanced tree; so the bits of a result do not depend on chunks.
pub(super) const GRAIN: u32 = 4096;

/// Which program a chunk is given to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// No grain has been begun before the chunk.
    Whole,
    /// Grains have been begun, by elements that come in front of those of the chunk.
    Any,
    /// There is no chunk any more: the last grains are as long as they are.
    Last,
}

/// A function of arrays. None if there are too few, which is a bug.
pub(super) type Function = dyn Fn(&[AnyArr], Form) -> Option<Vec<AnyArr>>;

/// What keeps arrays from one chunk to the next.
pub(super) struct Keeper {
    /// The arrays before the first chunk.
    pub(super) initial: Box<dyn Fn(&Device) -> Result<Vec<AnyArray>>>,
    /// Takes the arrays that are kept and those of the chunk; gives those to keep, and others.
    pub(super) f: Box<dyn Fn(&[AnyArr], &[AnyArr]) -> Option<(Vec<AnyArr>, Vec<AnyArr>)>>,
}

pub(super) enum Kind<'s> {
    Source(Box<dyn Source + 's>),
    /// What a function makes of the arrays of others.
    Made(Box<Function>),
    /// A vector, cut into whole grains.
    Grains(Vec<ScalarType>),
    Kept(Keeper),
}

/// One array or several, of each chunk.
pub(super) struct Node<'s> {
    pub(super) kind: Kind<'s>,
    pub(super) inputs: Vec<Rc<Node<'s>>>,
}

/// A graph in an order in which inputs stand before what uses them, each node once.
pub(super) struct Graph<'s> {
    pub(super) nodes: Vec<Rc<Node<'s>>>,
    /// The inputs of each node, by number.
    inputs: Vec<Vec<usize>>,
    /// Nodes that are the same as others: all folds of a sequence have its grains.
    same: Vec<(Rc<Node<'s>>, usize)>,
}

impl<'s> Graph<'s> {
    pub(super) fn of(roots: &[Rc<Node<'s>>]) -> Self {
        let mut graph = Graph {
            nodes: Vec::new(),
            inputs: Vec::new(),
            same: Vec::new(),
        };
        for root in roots {
            graph.add(root);
        }
        graph
    }

    pub(super) fn number(&self, node: &Rc<Node<'s>>) -> Option<usize> {
        let same = self.same.iter().find(|(own, _)| Rc::ptr_eq(own, node));
        let number = || self.nodes.iter().position(|own| Rc::ptr_eq(own, node));
        same.map(|(_, number)| *number).or_else(number)
    }

    // Not recursive: a loop of a user may put thousands of functions behind each other.
    fn add(&mut self, root: &Rc<Node<'s>>) {
        let mut open = vec![(root.clone(), false)];
        while let Some((node, is_seen)) = open.pop() {
            if self.number(&node).is_some() {
                continue;
            }
            if is_seen {
                let numbers = node.inputs.iter().filter_map(|input| self.number(input));
                let numbers: Vec<usize> = numbers.collect();
                let mut known = self.nodes.iter().zip(&self.inputs);
                let are_grains = |node: &Node<'_>| matches!(node.kind, Kind::Grains(_));
                let same = known.position(|(own, inputs)| {
                    are_grains(own) && are_grains(&node) && *inputs == numbers
                });
                if let Some(same) = same {
                    self.same.push((node, same));
                    continue;
                }
                self.inputs.push(numbers);
                self.nodes.push(node);
                continue;
            }
            open.push((node.clone(), true));
            open.extend(node.inputs.iter().rev().map(|input| (input.clone(), false)));
        }
    }

    /// The sources, in the order in which the program has their arrays.
    pub(super) fn sources(&self) -> impl Iterator<Item = &(dyn Source + 's)> {
        self.nodes.iter().filter_map(|node| match &node.kind {
            Kind::Source(source) => Some(&**source),
            _ => None,
        })
    }

    /// Builds the program of a form. `wanted` are the nodes whose arrays are its last results; of [`Form::Last`], `begun` are those that have
    /// begun a grain.
    #[track_caller]
    pub(super) fn program(
        &self,
        form: Form,
        wanted: &[usize],
        begun: &[usize],
    ) -> Result<(AnyProgram, Vec<usize>)> {
        let counts = std::cell::RefCell::new(None);
        let program = AnyProgram::build("sequence", |inputs| {
            let Some(results) = self.lower(form, wanted, begun, inputs) else {
                return Vec::new();
            };
            let lengths = results.iter().map(Vec::len).collect();
            *counts.borrow_mut() = Some(lengths);
            results.concat()
        })?;
        match counts.into_inner() {
            Some(counts) => Ok((program, counts)),
            None => Err(Error::new(
                ErrorKind::Internal,
                "a chunk of a sequence has too few arrays",
            )),
        }
    }

    /// The arrays that each node that keeps some keeps, and those of the nodes that are wanted.
    #[track_caller]
    fn lower(
        &self,
        form: Form,
        wanted: &[usize],
        begun: &[usize],
        parameters: &mut AnyInputs<'_>,
    ) -> Option<Vec<Vec<AnyArr>>> {
        let mut arrays: Vec<Option<Vec<AnyArr>>> = Vec::new();
        let mut kept = Vec::new();
        for (number, (node, numbers)) in self.nodes.iter().zip(&self.inputs).enumerate() {
            let given: Option<Vec<Vec<AnyArr>>> = numbers
                .iter()
                .map(|n| arrays.get(*n).cloned().flatten())
                .collect();
            let given = given.map(|given| given.concat());
            let own = match (&node.kind, form) {
                (Kind::Source(_) | Kind::Kept(_), Form::Last) => None,
                (Kind::Source(source), _) => {
                    let rank = source.inner().len() + 1;
                    Some(vec![parameters.array(rank, &source.types())])
                }
                // What depends on a chunk is not there any more.
                (Kind::Made(_), Form::Last) if given.is_none() => None,
                (Kind::Made(f), _) => Some(f(&given?, form)?),
                (Kind::Grains(_), Form::Last) if !begun.contains(&number) => None,
                (Kind::Grains(types), Form::Last) => {
                    Some(vec![parameters.named("grain").array(1, types)])
                }
                (Kind::Grains(types), _) => {
                    let new = given?.first()?.ranked::<Ix1>();
                    let all = match form {
                        Form::Any => {
                            append(parameters.named("grain").array(1, types).ranked(), new)
                        }
                        _ => new,
                    };
                    let whole = all.len() - all.len() % lit(GRAIN);
                    kept.push(vec![all.drop(whole).untyped()]);
                    Some(vec![all.take(whole).untyped()])
                }
                (Kind::Kept(keeper), _) => {
                    let shapes = (keeper.initial)(&Device::cpu()).ok()?;
                    let now: Vec<AnyArr> = shapes
                        .iter()
                        .map(|like| {
                            parameters
                                .named("state")
                                .array(like.extents().len(), &like.types())
                        })
                        .collect();
                    let (next, others) = (keeper.f)(&now, &given?)?;
                    kept.push(next);
                    Some(others)
                }
            };
            arrays.push(own);
        }
        for n in wanted {
            kept.push(arrays.get(*n).cloned().flatten().unwrap_or_default());
        }
        Some(kept)
    }

    /// What the nodes that keep arrays keep before the first chunk, in the order of the program's parameters and results; none of a grain.
    pub(super) fn initial(&self, device: &Device) -> Result<Vec<Kept>> {
        let mut all = Vec::new();
        for (number, node) in self.nodes.iter().enumerate() {
            let arrays = match &node.kind {
                Kind::Grains(_) => None,
                Kind::Kept(keeper) => Some((keeper.initial)(device)?),
                Kind::Source(_) | Kind::Made(_) => continue,
            };
            all.push(Kept { number, arrays });
        }
        Ok(all)
    }
}

/// What a node keeps between two chunks.
pub(super) struct Kept {
    /// The node.
    pub(super) number: usize,
    /// The arrays; none for a grain without elements.
    pub(super) arrays: Option<Vec<AnyArray>>,
}
