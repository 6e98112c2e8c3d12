//! From a module's tree to compiled kernels, on a thread with enough stack for the user's recursions.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::error::{Diagnostics, Origins, catalogue};
use crate::front::evaluate::{STACK, evaluate};
use crate::front::syntax::{Module, Site};
use crate::lower::strip;
use crate::pipeline::{self, Options};
use crate::plan::{Interface, Plan};

/// A module with its kernels.
pub struct Compiled {
    /// The module.
    pub module: Arc<Module>,
    /// The kernels, in order.
    pub kernels: Vec<CompiledKernel>,
}

/// One kernel.
pub struct CompiledKernel {
    /// Which function of the module it is.
    pub function: u32,
    /// The plan and what a launch has to know, or what is wrong.
    pub plan: Result<(Plan, Interface), Diagnostics>,
    /// The functions that it called.
    pub reached: BTreeSet<u32>,
}

impl Compiled {
    /// What is wrong with the kernels, and where the name of each stands.
    pub fn mistakes(&self) -> impl Iterator<Item = (&Diagnostics, Option<Site>)> {
        let name = |k: &CompiledKernel| self.module.functions.get(k.function as usize).map(|f| f.site);
        self.kernels.iter().filter_map(move |k| k.plan.as_ref().err().map(|mistakes| (mistakes, name(k))))
    }

    /// The functions that a kernel with a mistake has reached.
    pub fn broken(&self) -> BTreeSet<u32> {
        self.kernels.iter().filter(|k| k.plan.is_err()).flat_map(|k| k.reached.iter().copied()).collect()
    }
}

/// Compiles the kernels of a module.
pub(super) fn compile_module(module: Module) -> Compiled {
    let module = Arc::new(module);
    let wanted: Vec<u32> = (0..module.functions.len() as u32).filter(|n| module.functions[*n as usize].kernel.is_some()).collect();
    let work = {
        let (module, wanted) = (module.clone(), wanted.clone());
        move || wanted.iter().map(|n| compile_kernel(&module, *n)).collect::<Vec<_>>()
    };
    let kernels = std::thread::Builder::new().stack_size(STACK).spawn(work).ok().and_then(|thread| thread.join().ok());
    let kernels = kernels.unwrap_or_else(|| wanted.iter().map(|n| gave_up(*n)).collect());
    Compiled { module, kernels }
}

/// The result for a kernel whose compilation has crashed.
fn gave_up(function: u32) -> CompiledKernel {
    let bug = catalogue::bug("the compilation of this module has crashed");
    CompiledKernel { function, plan: Err(Diagnostics::new(vec![bug], Origins::default())), reached: BTreeSet::from([function]) }
}

fn compile_kernel(module: &Arc<Module>, function: u32) -> CompiledKernel {
    let evaluation = evaluate(module, function);
    let threads = module.functions[function as usize].kernel.as_ref().map_or(256, |k| k.threads);
    let options = Options { threads, ..Options::default() };
    let plan = evaluation.result.and_then(strip).and_then(|kernel| pipeline::compile(kernel, &options)).and_then(with_interface);
    CompiledKernel { function, plan, reached: evaluation.reached }
}

fn with_interface(plan: Plan) -> Result<(Plan, Interface), Diagnostics> {
    match Interface::of(&plan) {
        Ok(interface) => Ok((plan, interface)),
        Err(diagnostic) => Err(Diagnostics::new(vec![diagnostic], plan.kernel().tables.origins.clone())),
    }
}

/// Reads and compiles the items of a module; for benchmarks and the build script.
///
/// # Errors
/// What is not kernel language.
pub fn compile_items(items: &[syn::Item]) -> Result<Compiled, Diagnostics> {
    let reading = crate::front::read_module(items);
    match reading.mistakes {
        Some(mistakes) => Err(mistakes),
        None => Ok(compile_module(reading.module)),
    }
}
