//! The arrays that stand in a program, on the devices on which it has run.

use std::sync::{Arc, Mutex, PoisonError};

use obsidian_language::arrays::Schedule;

use crate::backend::HostArray;
use crate::device::Device;
use crate::error::Result;
use crate::untyped::AnyBuffer;

/// The arrays of a schedule on one device, in order.
pub(crate) type OnDevice = Arc<Vec<AnyBuffer>>;

/// The arrays that stand in a program, by the name of the device. They are released with the program.
#[derive(Debug, Default)]
pub(crate) struct Literals(Mutex<Vec<(String, OnDevice)>>);

impl Literals {
    /// The arrays on a device, which gets them where it has not.
    pub(super) fn on(&self, device: &Device, schedule: &Schedule) -> Result<OnDevice> {
        if schedule.literals.is_empty() {
            return Ok(OnDevice::default());
        }
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, own)) = known.iter().find(|(name, _)| name == device.name()) {
            return Ok(own.clone());
        }
        let mut buffers = Vec::new();
        for literal in &schedule.literals {
            let ty = schedule.slots.get(literal.slot).map(|slot| slot.ty);
            let ty = ty.ok_or_else(|| super::run::damaged("has an array nowhere"))?;
            let elements = HostArray::of_bits(ty, literal.bits.iter().copied());
            buffers.push(AnyBuffer {
                device: device.clone(),
                memory: device.backend().upload_owned(elements)?,
            });
        }
        let own = Arc::new(buffers);
        known.push((device.name().to_owned(), own.clone()));
        Ok(own)
    }
}
