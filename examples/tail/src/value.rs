//! Arrays as values: a shape, and the elements in row-major order.

use crate::syntax::{Base, Constant};

/// An array.
#[derive(Clone, PartialEq, Debug)]
pub struct Array {
    /// The length of each axis; a scalar has none.
    pub shape: Vec<usize>,
    /// The elements, row by row: as many as the product of the shape.
    pub elements: Elements,
}

/// Elements of one base type.
#[derive(Clone, PartialEq, Debug)]
pub enum Elements {
    /// Whole numbers.
    Int(Vec<i32>),
    /// Real numbers.
    Double(Vec<f64>),
    /// Truth values.
    Bool(Vec<bool>),
    /// Characters.
    Char(Vec<char>),
    /// Real and imaginary parts.
    Complex(Vec<(f64, f64)>),
}

impl Array {
    /// An array of a shape. `None` if the shape has more or fewer elements.
    pub fn new(shape: Vec<usize>, elements: Elements) -> Option<Self> {
        let size = shape
            .iter()
            .try_fold(1_usize, |size, length| size.checked_mul(*length));
        (size == Some(elements.len())).then_some(Array { shape, elements })
    }

    /// A scalar.
    pub fn scalar(value: Constant) -> Self {
        let mut elements = Elements::empty(value.base());
        elements.push(value);
        let shape = Vec::new();
        Array { shape, elements }
    }

    /// A vector.
    pub fn vector(elements: Elements) -> Self {
        let shape = vec![elements.len()];
        Array { shape, elements }
    }

    /// The number of axes.
    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.elements.len()
    }

    /// Returns `true` if the array has no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The type of the elements.
    pub fn base(&self) -> Base {
        self.elements.base()
    }

    /// The value of a scalar. `None` if the array has axes.
    pub fn value(&self) -> Option<Constant> {
        match self.shape.is_empty() {
            true => self.elements.get(0),
            false => None,
        }
    }
}

impl Elements {
    /// No elements of a base type. An open type ([`Base::Open`]) counts as `int`.
    pub fn empty(base: Base) -> Self {
        match base {
            Base::Int | Base::Open => Elements::Int(Vec::new()),
            Base::Double => Elements::Double(Vec::new()),
            Base::Bool => Elements::Bool(Vec::new()),
            Base::Char => Elements::Char(Vec::new()),
            Base::Complex => Elements::Complex(Vec::new()),
        }
    }

    /// Values as elements. Returns `None` if two of them differ in type, or if there is no value to tell the type.
    pub fn of(values: &[Constant]) -> Option<Self> {
        let mut elements = Elements::empty(values.first()?.base());
        values
            .iter()
            .all(|value| elements.push(*value))
            .then_some(elements)
    }

    /// The base type.
    pub fn base(&self) -> Base {
        match self {
            Elements::Int(_) => Base::Int,
            Elements::Double(_) => Base::Double,
            Elements::Bool(_) => Base::Bool,
            Elements::Char(_) => Base::Char,
            Elements::Complex(_) => Base::Complex,
        }
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        match self {
            Elements::Int(v) => v.len(),
            Elements::Double(v) => v.len(),
            Elements::Bool(v) => v.len(),
            Elements::Char(v) => v.len(),
            Elements::Complex(v) => v.len(),
        }
    }

    /// Returns `true` if there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// An element, by its position from 0. `None` behind the last one.
    pub fn get(&self, at: usize) -> Option<Constant> {
        match self {
            Elements::Int(v) => v.get(at).map(|n| Constant::Int(*n)),
            Elements::Double(v) => v.get(at).map(|x| Constant::Double(*x)),
            Elements::Bool(v) => v.get(at).map(|b| Constant::Bool(*b)),
            Elements::Char(v) => v.get(at).map(|c| Constant::Char(*c)),
            Elements::Complex(v) => v.get(at).map(|(x, y)| Constant::Complex(*x, *y)),
        }
    }

    /// Replaces an element. Returns `false`, and changes nothing, if the value has another type or no element has that position.
    pub fn set(&mut self, at: usize, value: Constant) -> bool {
        match (self, value) {
            (Elements::Int(v), Constant::Int(n)) => put(v, at, n),
            (Elements::Double(v), Constant::Double(x)) => put(v, at, x),
            (Elements::Bool(v), Constant::Bool(b)) => put(v, at, b),
            (Elements::Char(v), Constant::Char(c)) => put(v, at, c),
            (Elements::Complex(v), Constant::Complex(x, y)) => put(v, at, (x, y)),
            _ => false,
        }
    }

    /// Adds an element at the end. Returns `false`, and adds nothing, if the value has another type.
    pub fn push(&mut self, value: Constant) -> bool {
        match (self, value) {
            (Elements::Int(v), Constant::Int(n)) => v.push(n),
            (Elements::Double(v), Constant::Double(x)) => v.push(x),
            (Elements::Bool(v), Constant::Bool(b)) => v.push(b),
            (Elements::Char(v), Constant::Char(c)) => v.push(c),
            (Elements::Complex(v), Constant::Complex(x, y)) => v.push((x, y)),
            _ => return false,
        }
        true
    }

    /// The default of the base type, which fills what is taken behind an end: 0, 0.0, false, a blank, or 0j0.
    pub fn default_value(&self) -> Constant {
        default_value(self.base())
    }
}

/// The default of a base type: 0, 0.0, false, a blank, or 0j0. That of an open type is 0.
pub fn default_value(base: Base) -> Constant {
    match base {
        Base::Int | Base::Open => Constant::Int(0),
        Base::Double => Constant::Double(0.0),
        Base::Bool => Constant::Bool(false),
        Base::Char => Constant::Char(' '),
        Base::Complex => Constant::Complex(0.0, 0.0),
    }
}

fn put<T>(elements: &mut [T], at: usize, value: T) -> bool {
    match elements.get_mut(at) {
        Some(element) => {
            *element = value;
            true
        }
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shape_has_as_many_elements_as_its_product() {
        let six = || Elements::Int(vec![1, 2, 3, 4, 5, 6]);
        assert!(Array::new(vec![2, 3], six()).is_some());
        assert!(Array::new(vec![2, 2], six()).is_none());
        assert!(Array::new(vec![usize::MAX, 2], six()).is_none());
        assert!(Array::new(vec![], six()).is_none());
        assert!(Array::new(vec![3, 0], Elements::Bool(vec![])).is_some());
    }

    #[test]
    fn elements_have_one_type() {
        let mut elements = Elements::of(&[Constant::Int(1), Constant::Int(2)]).unwrap();
        assert!(!elements.push(Constant::Bool(true)));
        assert!(!elements.set(0, Constant::Double(1.0)));
        assert!(!elements.set(2, Constant::Int(1)));
        assert!(elements.set(1, Constant::Int(7)));
        assert_eq!(elements, Elements::Int(vec![1, 7]));
        assert!(Elements::of(&[Constant::Int(1), Constant::Char('a')]).is_none());
        assert!(Elements::of(&[]).is_none());
    }

    #[test]
    fn a_scalar_has_a_value_and_a_vector_has_none() {
        let seven = Constant::Complex(7.0, 1.0);
        assert_eq!(Array::scalar(seven).value(), Some(seven));
        assert_eq!(Array::vector(Elements::Int(vec![7])).value(), None);
    }
}
