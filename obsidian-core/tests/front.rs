//! The front end from text to kernel.

use std::sync::Arc;

use obsidian_core::front::evaluate::evaluate;
use obsidian_core::front::read_module;
use obsidian_core::lower::strip;

fn kernel(text: &str, index: u32) -> Result<String, String> {
    let file: syn::File = syn::parse_str(text).map_err(|e| e.to_string())?;
    let reading = read_module(&file.items);
    if let Some(mistakes) = reading.mistakes {
        return Err(mistakes.to_string());
    }
    let reified = evaluate(&Arc::new(reading.module), index).result.map_err(|e| e.to_string())?;
    strip(reified).map(|k| k.to_string()).map_err(|e| e.to_string())
}

const SUMS: &str = "
    pub fn reduce<L: Compute, T: Data>(f: impl Combine<T>, arr: Pull<T>) -> Program<L, Push<L, T>> {
        if arr.len() == 1 {
            return pure(arr.push());
        }
        let (a, b) = arr.halve();
        let arr = compute(zip_with(f, a, b))?;
        reduce(f, arr)
    }
    #[kernel(threads = 64)]
    pub fn reductions(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(512).as_grid_map(|chunk| exec_block(reduce(|a, b| a + b, chunk)))
    }";

#[test]
fn the_first_example_becomes_a_kernel() {
    let text = kernel(SUMS, 1).unwrap();
    println!("{text}");
    assert_eq!(text.matches("wait").count(), 9, "{text}");
}
