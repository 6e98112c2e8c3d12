//! The memory of a run: buffers, a block's shared bytes, and what each thread holds. Every access is checked.

use std::collections::BTreeMap;

use super::{Argument, Fault, FaultKind};
use crate::error::Origin;
use crate::ir::{ParameterKind, WARP};
use crate::plan::{Plan, Slot};
use crate::scalar::{Array, ArrayId, ArrayPlace, Literal, ScalarType, VariableId};

/// What fills memory that nothing has been stored in.
const POISON: u8 = 0xa5;

/// Where the elements of one array are.
pub(super) enum Place<'a> {
    Global(&'a mut [u64]),
    Shared {
        slot: Slot,
        length: u32,
    },
    /// One run of elements for each thread.
    Held {
        elements: Vec<u64>,
        length: u32,
    },
    /// Never given.
    Nowhere,
}

/// All arrays of a kernel, by id.
pub(super) struct Memory<'a> {
    pub(super) places: Vec<Place<'a>>,
    pub(super) arrays: &'a [Array],
    shared: Vec<u8>,
    warps: u32,
}

/// Who accesses an element, and for which place of the user's code.
#[derive(Clone, Copy)]
pub(super) struct Who {
    pub(super) block: u32,
    pub(super) thread: u32,
    pub(super) origin: Origin,
}

type Bound<'a> = (BTreeMap<ArrayId, &'a mut [u64]>, BTreeMap<VariableId, Literal>);

/// The arguments by parameter.
pub(super) fn bind<'a>(plan: &Plan, arguments: &'a mut [Argument<'_>]) -> Result<Bound<'a>, Fault> {
    let kernel = plan.kernel();
    let (wanted, given) = (kernel.parameters.len(), arguments.len());
    if wanted != given {
        return Err(Fault::new(FaultKind::Arguments, format!("the kernel has {wanted} parameters, and {given} arguments were given")));
    }
    let (mut globals, mut scalars) = (BTreeMap::new(), BTreeMap::new());
    for (n, (parameter, argument)) in kernel.parameters.iter().zip(arguments).enumerate() {
        let fits = match (parameter.kind, argument) {
            (ParameterKind::Array(array), Argument::Array(elements)) => {
                let fits = u32::try_from(elements.len()).is_ok();
                globals.insert(array, &mut **elements);
                fits
            }
            (ParameterKind::Scalar(variable), Argument::Scalar(value)) => {
                scalars.insert(variable, *value);
                kernel.tables.variables.get(variable.0 as usize).is_some_and(|v| v.ty == value.ty())
            }
            _ => false,
        };
        if !fits {
            return Err(Fault::new(FaultKind::Arguments, format!("argument {n} is not what the kernel's parameter {n} takes")));
        }
    }
    Ok((globals, scalars))
}

impl<'a> Memory<'a> {
    pub(super) fn new(plan: &'a Plan, mut globals: BTreeMap<ArrayId, &'a mut [u64]>) -> Self {
        let kernel = plan.kernel();
        let place = |(n, array): (usize, &Array)| {
            let id = ArrayId(n as u32);
            let length = kernel.tables.nodes.literal(array.length).map_or(0, Literal::u32);
            match array.place {
                ArrayPlace::Global(_) => globals.remove(&id).map_or(Place::Nowhere, Place::Global),
                ArrayPlace::Shared => plan.shared().slots.get(&id).map_or(Place::Nowhere, |slot| Place::Shared { slot: *slot, length }),
                ArrayPlace::Held => Place::Held { elements: vec![0; (plan.threads() * length) as usize], length },
            }
        };
        let places = kernel.tables.arrays.iter().enumerate().map(place).collect();
        Memory { places, arrays: &kernel.tables.arrays, shared: vec![0; plan.shared().bytes as usize], warps: kernel.warps() }
    }

    /// A new block begins: what blocks and threads own has no meaning yet.
    pub(super) fn forget(&mut self) {
        self.shared.fill(POISON);
        for place in &mut self.places {
            if let Place::Held { elements, .. } = place {
                elements.fill(u64::from_ne_bytes([POISON; 8]));
            }
        }
    }

    /// The number of elements of a parameter.
    pub(super) fn length(&self, array: ArrayId) -> u32 {
        match self.places.get(array.0 as usize) {
            Some(Place::Global(elements)) => elements.len() as u32,
            _ => 0,
        }
    }

    pub(super) fn ty(&self, array: ArrayId) -> ScalarType {
        self.arrays.get(array.0 as usize).map_or(ScalarType::U32, |a| a.ty)
    }

    pub(super) fn load(&self, array: ArrayId, index: u32, who: Who) -> Result<u64, Fault> {
        let ty = self.ty(array);
        let bits = match self.places.get(array.0 as usize) {
            Some(Place::Global(elements)) => {
                elements.get(index as usize).copied().ok_or_else(|| self.outside(array, index, elements.len() as u64, who))?
            }
            Some(Place::Held { elements, length }) => elements[self.held(array, index, *length, who)?],
            Some(Place::Shared { slot, length }) => {
                let start = self.address(array, index, *slot, *length, who)?;
                let mut bytes = [0; 8];
                let width = ty.bytes() as usize;
                bytes[..width].copy_from_slice(&self.shared[start..start + width]);
                u64::from_le_bytes(bytes)
            }
            Some(Place::Nowhere) | None => return Err(self.nowhere(array, who)),
        };
        Ok(Literal::from_bits(ty, bits).bits())
    }

    pub(super) fn store(&mut self, array: ArrayId, index: u32, bits: u64, who: Who) -> Result<(), Fault> {
        let width = self.ty(array).bytes() as usize;
        match self.places.get(array.0 as usize) {
            Some(Place::Global(elements)) => {
                let length = elements.len() as u64;
                let fault = (u64::from(index) >= length).then(|| self.outside(array, index, length, who));
                fault.map_or(Ok(()), Err)?;
                if let Some(Place::Global(elements)) = self.places.get_mut(array.0 as usize) {
                    elements[index as usize] = bits;
                }
            }
            Some(Place::Held { length, .. }) => {
                let at = self.held(array, index, *length, who)?;
                if let Some(Place::Held { elements, .. }) = self.places.get_mut(array.0 as usize) {
                    elements[at] = bits;
                }
            }
            Some(Place::Shared { slot, length }) => {
                let start = self.address(array, index, *slot, *length, who)?;
                self.shared[start..start + width].copy_from_slice(&bits.to_le_bytes()[..width]);
            }
            Some(Place::Nowhere) | None => return Err(self.nowhere(array, who)),
        }
        Ok(())
    }

    /// Where a thread's element lies among those of all threads.
    fn held(&self, array: ArrayId, index: u32, length: u32, who: Who) -> Result<usize, Fault> {
        match index < length {
            true => Ok((who.thread * length + index) as usize),
            false => Err(self.outside(array, index, length.into(), who)),
        }
    }

    /// The byte of shared memory where an element begins.
    fn address(&self, array: ArrayId, index: u32, slot: Slot, length: u32, who: Who) -> Result<usize, Fault> {
        if index >= length {
            return Err(self.outside(array, index, length.into(), who));
        }
        let (warp, width) = (who.thread / WARP, u64::from(self.ty(array).bytes()));
        let copy = if slot.stride == 0 { 0 } else { u64::from(warp) * u64::from(slot.stride) };
        let start = u64::from(slot.offset) + copy + u64::from(index) * width;
        let exists = slot.stride == 0 || warp < self.warps;
        if exists && start + width <= self.shared.len() as u64 && start % width == 0 {
            return Ok(start as usize);
        }
        Err(self.fault(FaultKind::Layout, format!("element {index} of `{}` has no place in shared memory", self.name(array)), array, who))
    }

    fn name(&self, array: ArrayId) -> &str {
        self.arrays.get(array.0 as usize).map_or("?", |a| a.name.as_str())
    }

    fn fault(&self, kind: FaultKind, message: String, array: ArrayId, who: Who) -> Fault {
        Fault::new(kind, message).with(|inner| {
            inner.array = Some(self.name(array).to_owned());
            (inner.block, inner.thread, inner.origin) = (who.block, Some(who.thread), who.origin);
        })
    }

    fn outside(&self, array: ArrayId, index: u32, length: u64, who: Who) -> Fault {
        let message = format!("index {index} is outside of `{}`, which has length {length}", self.name(array));
        let fault = self.fault(FaultKind::Bounds, message, array, who);
        fault.with(|inner| (inner.index, inner.length) = (Some(index.into()), Some(length)))
    }

    fn nowhere(&self, array: ArrayId, who: Who) -> Fault {
        self.fault(FaultKind::Layout, format!("`{}` has no memory", self.name(array)), array, who)
    }
}
