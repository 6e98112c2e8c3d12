//! The graph of a sequence, and the array programs that it becomes.
//!
//! All that is done with one chunk is one array program. Its parameters are the chunk's array of each source and what nodes keep from the
//! chunk before; its results are what they keep for the next one, and what the consumers want.

use std::rc::Rc;

use obsidian_language::arrays::{AnyArr, Ix1, append, backpermute};
use obsidian_language::scalar::{ScalarType, lit};

use super::consume::Reads;
use super::source::Source;
use crate::arrays::{AnyArray, AnyInputs, AnyProgram, Array, ArrayView, HostItem, Rank};
use crate::device::Device;
use crate::error::{Error, ErrorKind, Result};
use crate::untyped::AnyBuffer;

/// The number of elements of a grain. Folds combine the elements of a grain in the order of array programs, and the results of grains in a
/// balanced tree; so the bits of a result do not depend on chunks.
pub(crate) const GRAIN: u32 = 4096;

/// Which program a chunk is given to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// No grain has been begun before the chunk.
    Whole,
    /// Grains have been begun, by elements that come in front of those of the chunk.
    Any,
    /// There is no chunk any more: the last grain of some nodes is as long as it is.
    Last,
}

/// A function of arrays. None if there are too few, which is a bug.
pub(super) type Function = dyn Fn(&[AnyArr], Form) -> Option<Vec<AnyArr>>;

/// As [`Function`], of the arrays that are kept and those of the chunk; it gives those to keep, and others.
pub(super) type Keeping = dyn Fn(&[AnyArr], &[AnyArr], Form) -> Option<(Vec<AnyArr>, Vec<AnyArr>)>;

/// What keeps arrays from one chunk to the next.
pub(super) struct Keeper {
    /// The arrays before the first chunk.
    pub(super) initial: Box<dyn Fn(&Device) -> Result<Vec<AnyArray>>>,
    pub(super) f: Box<Keeping>,
    /// The extents of the arrays when they are largest, as far as that is known.
    pub(super) largest: Vec<Vec<usize>>,
}

/// An array that is beside each chunk.
pub(super) struct Whole<'s> {
    pub(super) extents: Vec<usize>,
    pub(super) buffers: Vec<&'s AnyBuffer>,
}

impl<'s> Whole<'s> {
    pub(super) fn node<Sh: Rank, T: HostItem>(array: &'s Array<Sh, T>) -> Rc<Node<'s>> {
        let whole = Whole {
            extents: array.extents().as_ref().to_vec(),
            buffers: ArrayView::from(array).into_buffers(),
        };
        Rc::new(Node {
            kind: Kind::Whole(whole),
            inputs: Vec::new(),
        })
    }
}

/// Whether a function of chunks keeps the number of elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Count {
    /// It does, or a run finds that it does not.
    Kept,
    /// It does not: by the name that the user knows.
    Changed(&'static str),
}

pub(super) enum Kind<'s> {
    Source(Box<dyn Source + 's>),
    Whole(Whole<'s>),
    /// What a function makes of the arrays of others.
    Made(Box<Function>, Count),
    /// The arrays of others, beside each other.
    Beside,
    /// What a function makes of each element of the arrays of others, the arrays that are beside each chunk left out. Is it one element a chunk?
    Each(Box<Function>, bool),
    /// A vector, cut into whole grains.
    Grains(Vec<ScalarType>),
    Kept(Keeper),
}

/// One array or several, of each chunk.
pub(super) struct Node<'s> {
    pub(super) kind: Kind<'s>,
    pub(super) inputs: Vec<Rc<Node<'s>>>,
}

impl Drop for Node<'_> {
    // Not recursive, as chains may be long.
    fn drop(&mut self) {
        let mut open = std::mem::take(&mut self.inputs);
        while let Some(node) = open.pop() {
            if let Some(mut node) = Rc::into_inner(node) {
                open.append(&mut node.inputs);
            }
        }
    }
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

    /// Builds the program of a form. `wanted` are the nodes whose arrays are its last results; of [`Form::Last`], `ended` are those whose grain ends.
    #[track_caller]
    pub(super) fn program(
        &self,
        form: Form,
        wanted: &[usize],
        ended: &[usize],
    ) -> Result<(AnyProgram, Vec<usize>)> {
        let counts = std::cell::RefCell::new(None);
        let program = AnyProgram::build("sequence", |inputs| {
            let Some(results) = self.lower(form, wanted, ended, inputs) else {
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

    /// Finds out what is wrong with the functions of the last node and all in front of it.
    #[track_caller]
    pub(super) fn described(&self) -> Result<()> {
        let last = self.nodes.len().saturating_sub(1);
        self.program(Form::Whole, &[last], &[]).map(drop)
    }

    /// The arrays that each node that keeps some keeps, and those of the nodes that are wanted.
    #[track_caller]
    fn lower(
        &self,
        form: Form,
        wanted: &[usize],
        ended: &[usize],
        parameters: &mut AnyInputs<'_>,
    ) -> Option<Vec<Vec<AnyArr>>> {
        let mut arrays: Vec<Option<Vec<AnyArr>>> = Vec::new();
        let mut kept = Vec::new();
        let is_live = self.live(ended);
        for (number, (node, numbers)) in self.nodes.iter().zip(&self.inputs).enumerate() {
            let given: Option<Vec<Vec<AnyArr>>> = numbers
                .iter()
                .map(|n| arrays.get(*n).cloned().flatten())
                .collect();
            let given = given.map(|given| given.concat());
            let own = match (&node.kind, form) {
                (_, Form::Last) if !is_live.get(number).copied().unwrap_or(false) => None,
                (Kind::Source(source), _) => {
                    let arrays = source.arrays();
                    let last = arrays.len().saturating_sub(1);
                    let arrays = arrays.iter().enumerate().map(|(place, like)| {
                        let array = parameters.array(like.inner.len() + 1, &like.types);
                        match source.has_rows() {
                            true if like.outer.is_none() => array.counted(),
                            false if place == last => array.counted_with_end(),
                            _ => array,
                        }
                    });
                    Some(arrays.collect())
                }
                (Kind::Whole(whole), _) => {
                    let types: Vec<ScalarType> = whole
                        .buffers
                        .iter()
                        .map(|buffer| buffer.element_type())
                        .collect();
                    let whole = parameters.named("whole").array(whole.extents.len(), &types);
                    Some(vec![whole.beside()])
                }
                (Kind::Made(f, _) | Kind::Each(f, _), _) => {
                    Some(f(&given?, self.form_of(number, form, ended))?)
                }
                (Kind::Beside, _) => Some(given?),
                (Kind::Grains(types), Form::Last) if ended.contains(&number) => {
                    Some(vec![parameters.named("grain").array(1, types)])
                }
                (Kind::Grains(types), _) => {
                    let new = given?.first()?.ranked::<Ix1>();
                    let all = match form {
                        Form::Any | Form::Last => {
                            append(parameters.named("grain").array(1, types).ranked(), new)
                        }
                        Form::Whole => new,
                    };
                    // The rest by its own length, which nothing has to be proved about.
                    let rest = all.len() % lit(GRAIN);
                    let whole = all.len() - rest;
                    kept.push(vec![
                        backpermute(rest, move |i| whole + i, all.clone()).untyped(),
                    ]);
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
                    let form = self.form_of(number, form, ended);
                    let (next, others) = (keeper.f)(&now, &given?, form)?;
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

    /// The form for a node: of several grains behind each other, some are whole still when those in front end.
    fn form_of(&self, number: usize, form: Form, ended: &[usize]) -> Form {
        let inputs = self.inputs.get(number).map_or(&[][..], Vec::as_slice);
        match form {
            Form::Last if !inputs.iter().any(|n| ended.contains(n)) => Form::Any,
            form => form,
        }
    }

    /// Of nodes that have begun a grain, those whose grain ends first: nothing comes from others any more.
    pub(super) fn first(&self, begun: &[usize]) -> Vec<usize> {
        let mut follows: Vec<bool> = Vec::new();
        let mut first = Vec::new();
        for (number, inputs) in self.inputs.iter().enumerate() {
            let behind = inputs
                .iter()
                .any(|n| follows.get(*n).copied().unwrap_or(false));
            let is_begun = begun.contains(&number);
            if is_begun && !behind {
                first.push(number);
            }
            follows.push(behind || is_begun);
        }
        first
    }

    /// Which nodes are there when there is no chunk any more: what depends on grains that end, and on no chunk.
    pub(super) fn live(&self, ended: &[usize]) -> Vec<bool> {
        let mut live: Vec<bool> = Vec::new();
        for (number, (node, inputs)) in self.nodes.iter().zip(&self.inputs).enumerate() {
            let own = match node.kind {
                Kind::Source(_) => false,
                Kind::Whole(_) => true,
                Kind::Grains(_) if ended.contains(&number) => true,
                Kind::Grains(_)
                | Kind::Made(..)
                | Kind::Beside
                | Kind::Each(..)
                | Kind::Kept(_) => inputs
                    .iter()
                    .all(|n| live.get(*n).copied().unwrap_or(false)),
            };
            live.push(own);
        }
        live
    }

    /// Is a chunk one element?
    pub(super) fn is_one_by_one(&self) -> bool {
        let mut nodes = self.nodes.iter();
        nodes.any(|node| matches!(node.kind, Kind::Each(_, true)))
    }

    /// The name of what does not keep the number of elements, in front of some nodes.
    fn changed(&self, inputs: &[usize]) -> Option<&'static str> {
        let mut open: Vec<usize> = inputs.to_vec();
        let mut seen = Vec::new();
        while let Some(number) = open.pop() {
            if seen.contains(&number) {
                continue;
            }
            seen.push(number);
            match self.nodes.get(number).map(|node| &node.kind) {
                Some(Kind::Made(_, Count::Changed(name))) => return Some(name),
                Some(Kind::Grains(_)) => return Some("scan"),
                Some(Kind::Kept(_)) => {
                    let mut own = self.inputs.get(number).into_iter().flatten();
                    let kind = |n: &usize| self.nodes.get(*n).map(|node| &node.kind);
                    let has_grains = own.any(|n| matches!(kind(n), Some(Kind::Grains(_))));
                    return Some(if has_grains { "scan" } else { "windows" });
                }
                Some(
                    Kind::Source(_)
                    | Kind::Whole(_)
                    | Kind::Made(_, Count::Kept)
                    | Kind::Beside
                    | Kind::Each(..),
                )
                | None => {}
            }
            open.extend(self.inputs.get(number).into_iter().flatten());
        }
        None
    }

    /// The name of what does not keep the number of elements, in front of what a sink reads of a node.
    pub(super) fn in_front(&self, number: usize, reads: Reads) -> Option<&'static str> {
        let inputs = |number: usize| self.inputs.get(number).map_or(&[][..], Vec::as_slice);
        match reads {
            Reads::Elements => self.changed(&[number]),
            Reads::State => self.changed(inputs(number)),
            Reads::Grains => {
                let grains = inputs(number).iter();
                grains.copied().find_map(|n| self.changed(inputs(n)))
            }
        }
    }

    /// Refuses functions of elements of arrays that are beside chunks, and have none.
    fn check_elements(&self) -> Result<()> {
        let mut has_whole: Vec<bool> = Vec::new();
        for (node, inputs) in self.nodes.iter().zip(&self.inputs) {
            let is_given = inputs
                .iter()
                .any(|n| has_whole.get(*n).copied().unwrap_or(false));
            if is_given && matches!(node.kind, Kind::Each(..)) {
                let message = "`each` takes the elements of all arrays of a chunk, and an array that `with` puts beside chunks is whole; give it to the \
                    function as it is: `rows.each_with(&v, |row, v| ..)`";
                return Err(Error::new(ErrorKind::Requirement, message));
            }
            let changed = self.changed(inputs);
            if let Some(name) = changed
                && matches!(node.kind, Kind::Each(_, true))
            {
                let message = format!(
                    "`one_by_one` takes the elements of sources one after the other, and behind `{name}` there are not as many: put `one_by_one` in front of it, or \
                    give the result of `{name}` to a file or an array first"
                );
                return Err(Error::new(ErrorKind::Requirement, message));
            }
            has_whole.push(match node.kind {
                Kind::Whole(_) => true,
                Kind::Beside => is_given,
                _ => false,
            });
        }
        Ok(())
    }

    /// Refuses what puts elements in grains beside those of chunks.
    pub(super) fn check(&self) -> Result<()> {
        self.check_elements()?;
        // How often arrays were put in grains; none for whole arrays.
        let mut grains: Vec<Option<usize>> = Vec::new();
        for (node, inputs) in self.nodes.iter().zip(&self.inputs) {
            // A state that does not have the extents that it should.
            if let Kind::Kept(keeper) = &node.kind {
                (keeper.initial)(&Device::cpu())?;
            }
            let mut given = inputs
                .iter()
                .filter_map(|n| grains.get(*n).copied().flatten());
            let own = match node.kind {
                Kind::Source(_) => Some(0),
                Kind::Whole(_) => None,
                Kind::Grains(_) => given.next().map(|before| before + 1),
                Kind::Made(..) | Kind::Beside | Kind::Each(..) | Kind::Kept(_) => {
                    let first = given.next();
                    if let Some(first) = first
                        && given.any(|other| other != first)
                    {
                        let message = "a scan gives elements later than it is given them, and they are zipped with elements of chunks; zip first, and scan \
                            the pairs: `xs.zip_with(ys, |x, y| (x, y)).scan(..)`";
                        return Err(Error::new(ErrorKind::Requirement, message));
                    }
                    first
                }
            };
            grains.push(own);
        }
        Ok(())
    }

    /// What the nodes that keep arrays keep before the first chunk, in the order of the program's parameters and results; none of a grain.
    pub(super) fn initial(&self, device: &Device) -> Result<Vec<Kept>> {
        let mut all = Vec::new();
        for (number, node) in self.nodes.iter().enumerate() {
            let arrays = match &node.kind {
                Kind::Grains(_) => None,
                Kind::Kept(keeper) => Some((keeper.initial)(device)?),
                Kind::Source(_)
                | Kind::Whole(_)
                | Kind::Made(..)
                | Kind::Beside
                | Kind::Each(..) => continue,
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
