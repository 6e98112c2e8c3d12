//! Types with unknowns, and unification.
//!
//! A number has two parts that are found apart: its *form*, a value of the host or of the device,
//! and its type. So a literal is a number of which both are unknown, `0.1 + x` tells the type of
//! `0.1` and nothing of its form, and `select(c, x, 0.1)` tells both. Unification that fails leaves
//! what it has found: the evaluator and rustc judge types, and have the better messages.

use super::scheme::Head;
use crate::scalar::ScalarType;
use crate::syntax::HostType;

/// The number of a type.
pub(super) type Id = u32;
/// The number of a form.
pub(super) type FormId = u32;
/// The number of the type of a number.
pub(super) type ScalarId = u32;

/// What is known of a type.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Node {
    /// The same as another one.
    Link(Id),
    /// Nothing; is it the type of elements?
    Var(bool),
    /// A number or boolean.
    Number(FormId, ScalarId),
    /// Made of others.
    Made(Head, Vec<Id>),
}

/// Where a number lives.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Form {
    Link(FormId),
    /// Not known; is it an element, and so a device value if nothing else is known?
    Open(bool),
    Host,
    Device,
}

/// The type of a number.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Scalar {
    Link(ScalarId),
    Open(Kind),
    Known(HostType),
    /// That of a type parameter, inside of its function.
    Param(u32),
}

/// What a literal says of its type.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Kind {
    Any,
    Integer,
    Float,
}

/// A type is looked through no deeper: a loop of types is a mistake that others report.
const DEEPEST: u32 = 64;

/// All types of a module.
#[derive(Default)]
pub(super) struct Types {
    nodes: Vec<Node>,
    forms: Vec<Form>,
    scalars: Vec<Scalar>,
    /// Has something been learnt since this was last asked?
    changed: bool,
}

impl Types {
    pub(super) fn add(&mut self, node: Node) -> Id {
        self.nodes.push(node);
        self.nodes.len() as Id - 1
    }

    pub(super) fn var(&mut self) -> Id {
        self.add(Node::Var(false))
    }

    pub(super) fn form(&mut self, form: Form) -> FormId {
        self.forms.push(form);
        self.forms.len() as FormId - 1
    }

    pub(super) fn scalar(&mut self, scalar: Scalar) -> ScalarId {
        self.scalars.push(scalar);
        self.scalars.len() as ScalarId - 1
    }

    /// A number of a form and a type.
    pub(super) fn number(&mut self, form: Form, scalar: Scalar) -> Id {
        let (form, scalar) = (self.form(form), self.scalar(scalar));
        self.add(Node::Number(form, scalar))
    }

    /// An index or a length that is known at launch.
    pub(super) fn index(&mut self) -> Id {
        let scalar = Scalar::Known(HostType::Scalar(ScalarType::U32));
        self.number(Form::Device, scalar)
    }

    pub(super) fn made(&mut self, head: Head, parts: impl Into<Vec<Id>>) -> Id {
        self.add(Node::Made(head, parts.into()))
    }

    /// What is known of a type.
    pub(super) fn known(&self, id: Id) -> (Id, &Node) {
        let mut at = id;
        loop {
            match &self.nodes[at as usize] {
                Node::Link(next) => at = *next,
                node => return (at, node),
            }
        }
    }

    pub(super) fn known_form(&self, mut id: FormId) -> (FormId, Form) {
        loop {
            match self.forms[id as usize] {
                Form::Link(next) => id = next,
                form => return (id, form),
            }
        }
    }

    pub(super) fn known_scalar(&self, mut id: ScalarId) -> (ScalarId, Scalar) {
        loop {
            match self.scalars[id as usize] {
                Scalar::Link(next) => id = next,
                scalar => return (id, scalar),
            }
        }
    }

    /// The form and the type of a number.
    pub(super) fn parts(&self, id: Id) -> Option<(FormId, ScalarId)> {
        match self.known(id).1 {
            Node::Number(form, scalar) => Some((*form, *scalar)),
            _ => None,
        }
    }

    /// The parts of a type with a head.
    pub(super) fn made_of(&self, id: Id) -> Option<(Head, Vec<Id>)> {
        match self.known(id).1 {
            Node::Made(head, parts) => Some((*head, parts.clone())),
            _ => None,
        }
    }

    /// Has something been learnt since the last call?
    pub(super) fn take_changed(&mut self) -> bool {
        std::mem::take(&mut self.changed)
    }

    /// Makes two types the same, as far as they agree.
    pub(super) fn unify(&mut self, x: Id, y: Id) {
        self.unify_within(x, y, 0);
    }

    fn unify_within(&mut self, x: Id, y: Id, depth: u32) {
        let ((x, left), (y, right)) = (self.known(x), self.known(y));
        if x == y || depth > DEEPEST {
            return;
        }
        match (left.clone(), right.clone()) {
            (Node::Var(element), _) if !self.occurs(x, y, 0) => self.bind(x, y, element),
            (_, Node::Var(element)) if !self.occurs(y, x, 0) => self.bind(y, x, element),
            (Node::Number(f, s), Node::Number(g, t)) => {
                self.unify_forms(f, g);
                self.unify_scalars(s, t);
            }
            (Node::Made(head, list), Node::Made(other, others))
                if head == other && list.len() == others.len() =>
            {
                for (x, y) in list.into_iter().zip(others) {
                    self.unify_within(x, y, depth + 1);
                }
            }
            _ => {}
        }
    }

    fn bind(&mut self, var: Id, to: Id, element: bool) {
        self.nodes[var as usize] = Node::Link(to);
        self.changed = true;
        if element {
            self.elements(to);
        }
    }

    fn occurs(&self, var: Id, ty: Id, depth: u32) -> bool {
        match self.known(ty) {
            (id, Node::Var(_)) => id == var,
            (_, Node::Made(_, parts)) => {
                depth > DEEPEST || parts.iter().any(|part| self.occurs(var, *part, depth + 1))
            }
            _ => false,
        }
    }

    /// Notes that a type is that of elements: its numbers are device values if nothing else is known.
    pub(super) fn elements(&mut self, id: Id) {
        let (id, node) = self.known(id);
        match node.clone() {
            Node::Var(_) => self.nodes[id as usize] = Node::Var(true),
            Node::Number(form, _) => {
                if let (form, Form::Open(_)) = self.known_form(form) {
                    self.forms[form as usize] = Form::Open(true);
                }
            }
            Node::Made(Head::Tuple, parts) => {
                parts.into_iter().for_each(|part| self.elements(part))
            }
            Node::Made(..) | Node::Link(_) => {}
        }
    }

    pub(super) fn unify_forms(&mut self, x: FormId, y: FormId) {
        let ((x, left), (y, right)) = (self.known_form(x), self.known_form(y));
        if x == y {
            return;
        }
        match (left, right) {
            (Form::Open(a), Form::Open(b)) => {
                self.forms[x as usize] = Form::Link(y);
                self.forms[y as usize] = Form::Open(a || b);
            }
            (Form::Open(_), _) => self.forms[x as usize] = Form::Link(y),
            (_, Form::Open(_)) => self.forms[y as usize] = Form::Link(x),
            _ => return,
        }
        self.changed = true;
    }

    pub(super) fn unify_scalars(&mut self, x: ScalarId, y: ScalarId) {
        let ((x, left), (y, right)) = (self.known_scalar(x), self.known_scalar(y));
        if x == y {
            return;
        }
        match (left, right) {
            (Scalar::Open(a), Scalar::Open(b)) if a == b || a == Kind::Any || b == Kind::Any => {
                self.scalars[x as usize] = Scalar::Link(y);
                self.scalars[y as usize] = Scalar::Open(if b == Kind::Any { a } else { b });
            }
            (Scalar::Open(_), Scalar::Open(_)) => return,
            (Scalar::Open(kind), other) if fits(kind, other) => {
                self.scalars[x as usize] = Scalar::Link(y);
            }
            (other, Scalar::Open(kind)) if fits(kind, other) => {
                self.scalars[y as usize] = Scalar::Link(x);
            }
            _ => return,
        }
        self.changed = true;
    }

    /// Decides the form of a number that is still open.
    pub(super) fn decide(&mut self, id: FormId, form: Form) {
        if let (id, Form::Open(_)) = self.known_form(id) {
            self.forms[id as usize] = form;
            self.changed = true;
        }
    }

    /// Decides the forms that are still open, of elements alone or all.
    pub(super) fn decide_all(&mut self, elements: bool, to: Form) {
        for form in &mut self.forms {
            match *form {
                Form::Open(element) if element || !elements => {
                    *form = to;
                    self.changed = true;
                }
                _ => {}
            }
        }
    }
}

/// Can a literal of a kind have this type?
fn fits(kind: Kind, scalar: Scalar) -> bool {
    let ty = match scalar {
        Scalar::Known(ty) => ty.scalar(),
        _ => return true,
    };
    match kind {
        Kind::Any => true,
        Kind::Integer => ty.is_integer(),
        Kind::Float => ty.is_float(),
    }
}
