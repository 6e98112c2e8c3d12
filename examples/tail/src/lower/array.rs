//! Arrays while a program is lowered: what is known of them, and how their elements come about.

use std::rc::Rc;

use obsidian_rt::arrays::{AnyArr, AnyElement, generate, literal};
use obsidian_rt::language::{EBool, EI32, EU32, lit};

use super::element::{choose, constant, known};
use crate::syntax::{Base, Constant};
use crate::value::{Array as HostArray, Elements};

/// The most elements of an array that is kept as a list on the host.
pub const LONGEST_LIST: usize = 32;

/// The element at an index, one number for each axis.
pub type At = Rc<dyn Fn(&[EU32]) -> AnyElement>;

/// An array in waiting.
#[derive(Clone)]
pub struct Array {
    /// The base type of its elements.
    pub base: Base,
    /// The extents of its axes, none for a scalar.
    pub extents: Vec<EU32>,
    /// How its elements come about.
    pub elements: Source,
}

/// How the elements of an array come about.
#[derive(Clone)]
pub enum Source {
    /// They stand in a list, in rows: constants, extents and what is made of them, and in a function of elements any values.
    List(Rc<[AnyElement]>),
    /// They are those of an array of the program that is built.
    Node(AnyArr),
    /// They are made of their index.
    Delayed(Delayed),
}

/// Elements that are made of their index.
#[derive(Clone)]
pub struct Delayed {
    /// The element at an index.
    pub at: At,
    /// Are they made of lists alone? Then they may be computed outside of functions of elements, too.
    pub is_known: bool,
    /// In a function of elements: which elements of another vector they are.
    pub kept: Option<Rc<Kept>>,
}

/// Elements of a vector, some of which are kept, in order.
pub struct Kept {
    /// The number of all.
    pub length: EU32,
    /// Is an element kept?
    pub is_kept: Rc<dyn Fn(EU32) -> EBool>,
    /// An element.
    pub at: Rc<dyn Fn(EU32) -> AnyElement>,
}

impl Array {
    /// A scalar.
    pub fn scalar(base: Base, element: AnyElement) -> Self {
        Array::list(base, &[], vec![element])
    }

    /// A scalar that is written out.
    pub fn constant(value: Constant) -> Self {
        Array::scalar(value.base(), constant(value))
    }

    /// An array of some elements, in rows; as many as the extents say.
    pub fn list(base: Base, extents: &[u32], elements: Vec<AnyElement>) -> Self {
        Array {
            base,
            extents: extents.iter().map(|extent| lit(*extent)).collect(),
            elements: Source::List(elements.into()),
        }
    }

    /// A vector of some elements.
    pub fn vector(base: Base, elements: Vec<AnyElement>) -> Self {
        let length = u32::try_from(elements.len()).unwrap_or(u32::MAX);
        Array::list(base, &[length], elements)
    }

    /// A vector of whole numbers.
    pub fn ints(elements: Vec<EI32>) -> Self {
        let elements = elements.into_iter().map(AnyElement::of);
        Array::vector(Base::Int, elements.collect())
    }

    /// An array of the program that is built.
    pub fn node(base: Base, array: AnyArr) -> Self {
        Array {
            base,
            extents: array.shape(),
            elements: Source::Node(array),
        }
    }

    /// An array of the host: a list if it is short, and otherwise one that stands in the program.
    pub fn of_host(array: &HostArray) -> Self {
        let extents = array.shape.iter().map(|n| u32::try_from(*n));
        let extents: Vec<u32> = extents.map(|n| n.unwrap_or(u32::MAX)).collect();
        if array.len() <= LONGEST_LIST {
            let values = (0..array.len()).filter_map(|at| array.elements.get(at));
            return Array::list(array.base(), &extents, values.map(constant).collect());
        }
        let vector = match &array.elements {
            Elements::Int(v) => literal(v).untyped(),
            Elements::Double(v) => literal(v).untyped(),
            Elements::Bool(v) => literal(v).untyped(),
            Elements::Char(v) => {
                let codes: Vec<u32> = v.iter().map(|c| u32::from(*c)).collect();
                literal(&codes).untyped()
            }
            Elements::Complex(v) => {
                let (x, y): (Vec<f64>, Vec<f64>) = v.iter().copied().unzip();
                let pair = |x, y| (x, y);
                obsidian_rt::arrays::zip_with(pair, literal(&x), literal(&y)).untyped()
            }
        };
        Array::node(array.base(), vector.reshape(extents))
    }

    /// The number of axes.
    pub fn rank(&self) -> usize {
        self.extents.len()
    }

    /// Is it in a list or made of lists alone?
    pub fn is_known(&self) -> bool {
        match &self.elements {
            Source::List(_) => true,
            Source::Node(_) => false,
            Source::Delayed(delayed) => delayed.is_known,
        }
    }

    /// Which elements of another vector they are, if that is known.
    pub fn kept(&self) -> Option<&Rc<Kept>> {
        match &self.elements {
            Source::Delayed(delayed) => delayed.kept.as_ref(),
            Source::List(_) | Source::Node(_) => None,
        }
    }

    /// The extents, if all of them are numbers.
    pub fn shape(&self) -> Option<Vec<u32>> {
        self.extents
            .iter()
            .map(|extent| extent.as_literal())
            .collect()
    }

    /// The number of elements, if it is known and below 2^32.
    pub fn size(&self) -> Option<u32> {
        size(&self.extents)
    }

    /// The element at an index.
    pub fn at(&self) -> At {
        match &self.elements {
            Source::Delayed(delayed) => delayed.at.clone(),
            Source::Node(array) => {
                let array = array.clone();
                Rc::new(move |index| array.at(index))
            }
            Source::List(list) => {
                let (list, extents) = (list.clone(), self.extents.clone());
                let base = self.base;
                Rc::new(move |index| one_of(base, &list, number(index, &extents), 0))
            }
        }
    }

    /// The array of the program.
    pub fn to_node(&self) -> AnyArr {
        if let Source::Node(array) = &self.elements {
            return array.clone();
        }
        if let (Some(host), [_]) = (self.to_host(), self.extents.as_slice())
            && !host.is_empty()
            && let Some(vector) = literals(&host)
        {
            return vector;
        }
        let at = self.at();
        generate(self.extents.clone(), move |index: Vec<EU32>| at(&index))
    }

    /// The array on the host, if all of its elements are constants.
    pub fn to_host(&self) -> Option<HostArray> {
        let Source::List(list) = &self.elements else {
            return None;
        };
        let mut elements = Elements::empty(self.base);
        for element in list.iter() {
            elements.push(known(self.base, element)?);
        }
        let shape = self.shape()?.into_iter().map(|extent| extent as usize);
        HostArray::new(shape.collect(), elements)
    }

    /// The value of a scalar that is a constant.
    pub fn value(&self) -> Option<Constant> {
        self.to_host()?.value()
    }

    /// The elements as a list, if there are few.
    pub fn listed(&self) -> Option<Rc<[AnyElement]>> {
        if let Source::List(list) = &self.elements {
            return Some(list.clone());
        }
        let (shape, size) = (self.shape()?, self.size()? as usize);
        if size > LONGEST_LIST {
            return None;
        }
        let at = self.at();
        let index = |n| unfold(n, &shape).into_iter().map(lit).collect::<Vec<_>>();
        Some((0..size as u32).map(|n| at(&index(n))).collect())
    }
}

/// Constants as a vector of the program, for those types of which there is a literal.
fn literals(host: &HostArray) -> Option<AnyArr> {
    let vector = match &host.elements {
        Elements::Int(v) => literal(v).untyped(),
        Elements::Double(v) => literal(v).untyped(),
        Elements::Bool(v) => literal(v).untyped(),
        Elements::Char(_) | Elements::Complex(_) => return None,
    };
    Some(vector)
}

/// The product of extents, if all are numbers and it is below 2^32.
pub fn size(extents: &[EU32]) -> Option<u32> {
    let literals: Option<Vec<u32>> = extents.iter().map(|extent| extent.as_literal()).collect();
    let literals = literals?;
    if literals.contains(&0) {
        return Some(0);
    }
    literals.into_iter().try_fold(1u32, u32::checked_mul)
}

/// The product of extents as a device value.
pub fn product(extents: &[EU32]) -> EU32 {
    let mut extents = extents.iter().copied();
    let first = extents.next().unwrap_or_else(|| lit(1));
    extents.fold(first, |product, extent| product * extent)
}

/// The number of the element at an index, counted in rows.
pub fn number(index: &[EU32], extents: &[EU32]) -> EU32 {
    let mut pairs = index.iter().zip(extents);
    let first = pairs.next().map_or_else(|| lit(0), |(at, _)| *at);
    pairs.fold(first, |number, (at, extent)| number * *extent + *at)
}

/// The index of the element with a number.
pub fn index_of(number: EU32, extents: &[EU32]) -> Vec<EU32> {
    let mut index = Vec::new();
    let mut left = number;
    for extent in extents.iter().skip(1).rev() {
        index.push(left % *extent);
        left /= *extent;
    }
    if !extents.is_empty() {
        index.push(left);
    }
    index.reverse();
    index
}

/// The index of the element with a number, where all is known.
fn unfold(mut number: u32, shape: &[u32]) -> Vec<u32> {
    let mut index = vec![0; shape.len()];
    for (own, extent) in index.iter_mut().zip(shape).rev() {
        *own = number % extent;
        number /= extent;
    }
    index
}

/// The element of a list with a number, by comparisons with the middle of what is left. `first` is the number of the first of these.
fn one_of(base: Base, list: &[AnyElement], at: EU32, first: usize) -> AnyElement {
    let number = at.as_literal();
    let number = number.and_then(|at| (at as usize).checked_sub(first));
    if let Some(element) = number.and_then(|number| list.get(number)) {
        return element.clone();
    }
    match list {
        [] => super::element::default(base),
        [one] => one.clone(),
        _ => {
            let (left, right) = list.split_at(list.len() / 2);
            let border = first + left.len();
            let is_left: EBool = at.lt(u32::try_from(border).unwrap_or(u32::MAX));
            let then = one_of(base, left, at, first);
            choose(is_left, &then, &one_of(base, right, at, border))
        }
    }
}
