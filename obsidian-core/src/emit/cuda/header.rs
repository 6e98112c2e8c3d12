//! What stands before the first statement: the comment, the signature, and what the thread knows of
//! itself.

use super::faults::FAULT;
use super::order::ORDER;
use super::{Layout, types};
use crate::emit::Names;
use crate::ir::{Kernel, ParameterKind, Physical, PhysicalLoop, WARP, WIDEST};
use crate::ordered::{Map, Set};
use crate::plan::{Home, Plan, lengths_used};
use crate::scalar::{ArrayId, ArrayPlace, Role};

/// The longest line of a signature.
const WIDTH: usize = 110;

/// One parameter of the CUDA function: type with `*` and qualifiers, name, and what it is.
struct Parameter {
    ty: String,
    name: String,
    role: String,
}

fn parameters(plan: &Plan, names: &Names<'_>) -> Vec<Parameter> {
    let kernel = plan.kernel();
    let used = lengths_used(plan);
    let (mut list, mut lengths) = (Vec::new(), Vec::new());
    for parameter in &kernel.parameters {
        match parameter.kind {
            ParameterKind::Array(array) => {
                list.push(buffer(kernel, names, array));
                if used.contains(&array) {
                    let role = format!("the number of elements of {}", names.array(array));
                    lengths.push(Parameter {
                        ty: "unsigned int".to_owned(),
                        name: names.length(array),
                        role,
                    });
                }
            }
            ParameterKind::Scalar(variable) => {
                let ty = types::name(kernel.tables.variable(variable).ty);
                list.push(Parameter {
                    ty: ty.to_owned(),
                    name: names.variable(variable).to_owned(),
                    role: "scalar".to_owned(),
                });
            }
        }
    }
    list.extend(lengths);
    if !plan.orders().is_empty() {
        list.push(Parameter {
            ty: "unsigned long long*".to_owned(),
            name: ORDER.to_owned(),
            role: "words by which blocks follow each other: 0 at first, and the kernel's own"
                .to_owned(),
        });
    }
    if plan.faults() {
        list.push(Parameter {
            ty: "unsigned long long*".to_owned(),
            name: FAULT.to_owned(),
            role: "the first check that fails".to_owned(),
        });
    }
    list
}

fn buffer(kernel: &Kernel<Physical>, names: &Names<'_>, id: ArrayId) -> Parameter {
    let array = kernel.tables.array(id);
    let element = types::name(array.ty);
    let (constant, role) = match array.place {
        ArrayPlace::Global(Role::Input) => ("const ", "input"),
        ArrayPlace::Global(Role::Output) => ("", "output"),
        _ => ("", "in-out"),
    };
    // What other blocks have written is read behind a fence, and a compiler may take it that no fence changes what such a pointer has.
    let is_told = array.place == ArrayPlace::Global(Role::InOut)
        && kernel
            .body
            .iter()
            .any(|s| s.counts() == Some(PhysicalLoop::Last));
    let restrict = if is_told { "" } else { " __restrict__" };
    Parameter {
        ty: format!("{constant}{element}*{restrict}"),
        name: names.array(id).to_owned(),
        role: role.to_owned(),
    }
}

/// The comment at the top of the file.
pub(super) fn comment(plan: &Plan, names: &Names<'_>, symbol: &str, layout: Layout) -> String {
    let parameters = parameters(plan, names);
    let shown = |p: &Parameter| {
        (
            p.ty.replace(" __restrict__", ""),
            p.name.clone(),
            p.role.clone(),
        )
    };
    let rows: Vec<_> = parameters.iter().map(shown).collect();
    let wide = |f: fn(&(String, String, String)) -> usize| rows.iter().map(f).max().unwrap_or(0);
    let (names_width, types_width) = (wide(|row| row.1.len()), wide(|row| row.0.len()));
    let memory = match layout {
        Layout::Packed if plan.shared().is_dynamic() => {
            format!("{} bytes of dynamic shared memory", plan.shared().bytes)
        }
        Layout::Packed => format!("{} bytes of shared memory", plan.shared().bytes),
        Layout::Debug => "each shared array on its own".to_owned(),
    };
    let blocks = plan
        .min_blocks()
        .map(|blocks| format!(", {blocks} blocks or more a multiprocessor"));
    let mut out = format!(
        "// Kernel {symbol}: {} threads a block, {memory}{}. Compile with -fmad=false.\n",
        plan.threads(),
        blocks.unwrap_or_default()
    );
    for (ty, name, role) in rows {
        out.push_str(&format!(
            "//   {name:names_width$}  {ty:types_width$}  {role}\n"
        ));
    }
    out.push_str(&placements(plan, names));
    out
}

/// What is said of stored arrays that have no shared memory of their own: a line for those in registers,
/// and one for each array that others are stored over.
fn placements(plan: &Plan, names: &Names<'_>) -> String {
    let (mut registers, mut shared, mut over) = (Vec::new(), Vec::new(), Map::new());
    for placement in plan.placements() {
        match placement.home {
            Home::Registers { elements } => {
                registers.push(format!("{} ({elements})", names.array(placement.array)));
            }
            Home::Over { array, .. } => *over.entry(array).or_insert(1) += 1,
            Home::Shared => shared.push(names.array(placement.array).to_owned()),
        }
    }
    let mut out = String::new();
    if !registers.is_empty() {
        let list = registers.join(", ");
        out.push_str(&format!(
            "// In registers, with the elements of a thread: {list}.\n"
        ));
    }
    if !shared.is_empty() {
        let list = shared.join(", ");
        out.push_str(&format!(
            "// Held, but in shared memory on this number of threads: {list}.\n"
        ));
    }
    for (array, number) in over {
        out.push_str(&format!(
            "// In place: {} is {number} stored arrays, one after the other.\n",
            names.array(array)
        ));
    }
    out
}

/// The signature, on one line if it is short enough.
pub(super) fn signature(plan: &Plan, names: &Names<'_>, symbol: &str) -> String {
    let blocks = plan.min_blocks().map(|blocks| format!(", {blocks}"));
    let bounds = format!("{}{}", plan.threads(), blocks.unwrap_or_default());
    let start = format!("extern \"C\" __global__ void __launch_bounds__({bounds}) {symbol}(");
    let list: Vec<_> = parameters(plan, names)
        .iter()
        .map(|p| format!("{} {}", p.ty, p.name))
        .collect();
    let one = format!("{start}{})", list.join(", "));
    if one.len() <= WIDTH {
        return one;
    }
    format!("{start}\n    {})", list.join(",\n    "))
}

/// The test whether all buffers that wide accesses reach begin at a multiple of the widest one.
fn aligned(plan: &Plan, names: &Names<'_>) -> String {
    let (kernel, mut reached) = (plan.kernel(), Set::new());
    for statement in &kernel.body {
        statement.visit(&mut |inner| reached.extend(inner.wide().map(|wide| wide.array)));
    }
    let is_global = |id: &ArrayId| matches!(kernel.tables.array(*id).place, ArrayPlace::Global(_));
    let addresses: Vec<String> = reached
        .into_iter()
        .filter(is_global)
        .map(|id| format!("reinterpret_cast<unsigned long long>({})", names.array(id)))
        .collect();
    let all = match addresses.as_slice() {
        [] => "0".to_owned(),
        [one] => one.clone(),
        several => format!("({})", several.join(" | ")),
    };
    format!("    const bool aligned = {all} % {WIDEST} == 0;\n")
}

/// What the statements refer to without declaring it: the words of their text say what that is.
pub(super) fn preamble(plan: &Plan, names: &Names<'_>, words: &Set<&str>) -> String {
    let mut out = format!("    __builtin_assume(threadIdx.x < {});\n", plan.threads());
    let shared = plan.shared();
    if words.contains("shared") && shared.is_dynamic() {
        out.push_str("    extern __shared__ __align__(128) unsigned char shared[];\n");
    } else if words.contains("shared") {
        out.push_str(&format!(
            "    __shared__ __align__(128) unsigned char shared[{}];\n",
            shared.bytes.max(1)
        ));
    }
    let constants = [
        ("thread", "threadIdx.x".to_owned()),
        ("warp", format!("threadIdx.x / {WARP}")),
        ("lane", format!("threadIdx.x % {WARP}")),
    ];
    if words.contains("aligned") {
        out.push_str(&aligned(plan, names));
    }
    for (name, value) in constants.iter().filter(|(name, _)| words.contains(name)) {
        out.push_str(&format!("    const unsigned int {name} = {value};\n"));
    }
    out
}
