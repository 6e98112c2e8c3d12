//! Reads a cubin: registers, local memory and instructions of a kernel.
//!
//! A cubin is an ELF file of 64 bits. Its section `.nv.info` has the registers and the frame of each function, by the number of its symbol; the
//! code of a kernel is the section `.text.` and its name. NVIDIA's `cuobjdump -res-usage -sass` prints the same numbers, and a test compares
//! them. Nothing in the file is trusted: what is not there, or lies outside, is no answer.

use crate::resources::Resources;

/// Attributes of `.nv.info`: a symbol and a number each.
const FRAME_SIZE: u8 = 0x11;
const REGISTERS: u8 = 0x2f;
/// The format of an attribute that has its size next, and then its bytes.
const SIZED: u8 = 4;

/// Bytes of an instruction from compute capability 7.0 on.
const INSTRUCTION: usize = 16;
/// The operation of an instruction is in its low 12 bits; this one does nothing and pads the code.
const OPERATION: u64 = 0xfff;
const NOTHING: u64 = 0x918;

/// What the kernel `entry` of a cubin needs; none if the file does not say it.
pub(super) fn resources(cubin: &[u8], entry: &str) -> Option<Resources> {
    let file = Elf::of(cubin)?;
    let code = file.section(&format!(".text.{entry}"))?;
    let symbol = file.symbol(entry)?;
    let about = file.section(".nv.info")?;
    Some(Resources {
        registers: attribute(about, REGISTERS, symbol)?,
        local_bytes: attribute(about, FRAME_SIZE, symbol)?,
        instructions: instructions(code)?,
    })
}

/// Instructions before the padding.
fn instructions(code: &[u8]) -> Option<u32> {
    let all = code.chunks_exact(INSTRUCTION);
    if !all.remainder().is_empty() {
        return None;
    }
    let is_padding =
        |each: &&[u8]| number(each, 0, 8).is_some_and(|bits| bits & OPERATION == NOTHING);
    let padding = all.clone().rev().take_while(is_padding).count();
    u32::try_from(all.len() - padding).ok()
}

/// The number that an attribute has for a symbol.
fn attribute(mut about: &[u8], wanted: u8, symbol: u64) -> Option<u32> {
    while let [format, attribute, size @ ..] = about {
        let payload = size.get(2..)?;
        // Other formats have their value in place of a size.
        let size = if *format == SIZED {
            number(size, 0, 2)? as usize
        } else {
            0
        };
        if *format == SIZED && *attribute == wanted && number(payload, 0, 4) == Some(symbol) {
            return u32::try_from(number(payload, 4, 4)?).ok();
        }
        about = payload.get(size..)?;
    }
    None
}

/// A little-endian number of `size` bytes, at most 8.
fn number(bytes: &[u8], start: usize, size: usize) -> Option<u64> {
    let bytes = bytes.get(start..start.checked_add(size)?)?;
    Some(
        bytes
            .iter()
            .rev()
            .fold(0, |sum, byte| sum << 8 | u64::from(*byte)),
    )
}

/// A section's header: where its name and its bytes are, and what its entries are.
struct Section {
    name: usize,
    kind: u64,
    start: usize,
    size: usize,
}

struct Elf<'a> {
    bytes: &'a [u8],
    sections: Vec<Section>,
    /// The names of sections.
    names: &'a [u8],
}

const SYMBOLS: u64 = 2;
/// Bytes of a symbol.
const SYMBOL: usize = 24;

impl<'a> Elf<'a> {
    fn of(bytes: &'a [u8]) -> Option<Elf<'a>> {
        if !bytes.starts_with(b"\x7fELF\x02\x01") {
            return None;
        }
        let at = |start: usize, size: usize| Some(number(bytes, start, size)? as usize);
        let (headers, each, count, names) =
            (at(0x28, 8)?, at(0x3a, 2)?, at(0x3c, 2)?, at(0x3e, 2)?);
        let section = |place: usize| {
            let header = headers.checked_add(place.checked_mul(each)?)?;
            let field = |offset: usize, size: usize| at(header.checked_add(offset)?, size);
            Some(Section {
                name: field(0, 4)?,
                kind: field(4, 4)? as u64,
                start: field(0x18, 8)?,
                size: field(0x20, 8)?,
            })
        };
        let sections = (0..count).map(section).collect::<Option<Vec<_>>>()?;
        let names = inside(bytes, sections.get(names)?)?;
        Some(Elf {
            bytes,
            sections,
            names,
        })
    }

    fn section(&self, name: &str) -> Option<&'a [u8]> {
        let mut sections = self.sections.iter();
        let found = sections.find(|section| is_named(self.names, section.name, name))?;
        inside(self.bytes, found)
    }

    /// The number of a symbol.
    fn symbol(&self, name: &str) -> Option<u64> {
        let symbols = self
            .sections
            .iter()
            .find(|section| section.kind == SYMBOLS)?;
        let symbols = inside(self.bytes, symbols)?;
        let names = self.section(".strtab")?;
        let is_it = |symbol: &[u8]| {
            number(symbol, 0, 4).is_some_and(|start| is_named(names, start as usize, name))
        };
        symbols
            .chunks_exact(SYMBOL)
            .position(is_it)
            .map(|place| place as u64)
    }
}

fn inside<'a>(bytes: &'a [u8], section: &Section) -> Option<&'a [u8]> {
    bytes.get(section.start..section.start.checked_add(section.size)?)
}

/// Does this name, which ends with a zero, begin there?
fn is_named(names: &[u8], start: usize, name: &str) -> bool {
    let rest = names
        .get(start..)
        .and_then(|names| names.strip_prefix(name.as_bytes()));
    rest.is_some_and(|rest| rest.first() == Some(&0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(file: &mut [u8], start: usize, number: &[u8]) {
        file[start..start + number.len()].copy_from_slice(number);
    }

    /// A file with the sections of a cubin of one kernel, `sums`: 20 registers, 8 bytes of local memory, and 3 instructions, 2 of padding behind them.
    fn cubin() -> Vec<u8> {
        let mut names = vec![0];
        let mut name = |text: &str| {
            let start = names.len() as u32;
            names.extend(text.bytes().chain([0]));
            start
        };
        let list = [".shstrtab", ".strtab", ".symtab", ".nv.info", ".text.sums"].map(&mut name);
        let mut symbols = vec![0u8; 2 * SYMBOL];
        put(&mut symbols, SYMBOL, &1u32.to_le_bytes());
        let mut about = Vec::new();
        for (attribute, symbol, number) in [
            (REGISTERS, 7u32, 99u32),
            (FRAME_SIZE, 1, 8),
            (REGISTERS, 1, 20),
        ] {
            // One of another format first, which has no bytes behind it.
            about.extend([3, 0x1b, 0xff, 0]);
            about.extend([SIZED, attribute, 8, 0]);
            about.extend(symbol.to_le_bytes().into_iter().chain(number.to_le_bytes()));
        }
        let instruction = |operation: u64| [operation | 0x7000, 0].map(u64::to_le_bytes).concat();
        let code = [0x221, NOTHING, 0x94d, NOTHING, NOTHING]
            .map(instruction)
            .concat();
        let parts = [names.clone(), b"\0sums\0".to_vec(), symbols, about, code];
        let mut file = vec![0; 64];
        put(&mut file, 0, b"\x7fELF\x02\x01");
        let mut headers = vec![0; 64];
        for (place, (part, name)) in parts.iter().zip(list).enumerate() {
            let mut header = vec![0; 64];
            put(&mut header, 0, &name.to_le_bytes());
            put(
                &mut header,
                4,
                &if place == 2 { 2u32 } else { 1 }.to_le_bytes(),
            );
            put(&mut header, 0x18, &(file.len() as u64).to_le_bytes());
            put(&mut header, 0x20, &(part.len() as u64).to_le_bytes());
            headers.extend(header);
            file.extend(part);
        }
        let start = (file.len() as u64).to_le_bytes();
        put(&mut file, 0x28, &start);
        put(&mut file, 0x3a, &64u16.to_le_bytes());
        put(&mut file, 0x3c, &6u16.to_le_bytes());
        put(&mut file, 0x3e, &1u16.to_le_bytes());
        file.extend(headers);
        file
    }

    #[test]
    fn registers_local_memory_and_instructions_are_read() {
        let expected = Resources {
            registers: 20,
            local_bytes: 8,
            instructions: 3,
        };
        assert_eq!(resources(&cubin(), "sums"), Some(expected));
        assert_eq!(resources(&cubin(), "sum"), None);
        assert_eq!(resources(b"// PTX", "sums"), None);
    }

    #[test]
    fn no_damage_is_a_panic() {
        let whole = cubin();
        // The last fields of the last header are not read.
        for end in 0..whole.len() - 24 {
            assert_eq!(resources(&whole[..end], "sums"), None, "{end} bytes");
        }
        for place in 0..whole.len() {
            for byte in [0, 1, 0x7f, 0xff] {
                let mut damaged = whole.clone();
                damaged[place] = byte;
                let _ = resources(&damaged, "sums");
            }
        }
    }
}
