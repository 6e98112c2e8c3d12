//! Sharing: what is written once is computed once, and text stays linear.

use obsidian_core::emit;
use obsidian_core::pipeline::Options;
use obsidian_expand::compile_items_with;

/// The CUDA text of the first kernel of a module, with sharing or without.
fn cuda(module: &str, share: bool) -> String {
    let file = syn::parse_file(module).unwrap();
    let compiled = compile_items_with(&file.items, &|_, limits| Options {
        share,
        ..limits.into()
    })
    .unwrap();
    let mistakes = compiled.located_mistakes();
    assert!(mistakes.is_empty(), "{mistakes:?}");
    let (_, plan, _) = compiled.plans().next().unwrap();
    emit::cuda(plan)
}

fn doubling(times: u32, wrap: &str) -> String {
    format!(
        "fn double(n: u32, x: EU32) -> EU32 {{ if n == 0 {{ x }} else {{ let y = double(n - 1, x); y * y + y }} }}
         #[kernel(threads = 64)]
         pub fn chain(input: DPull<EU32>) -> DPush<Grid, EU32> {{
             input.split_up(64).as_grid_map(|chunk| {{
                 let chunk = chunk.clone();
                 generate(64, move |i| {wrap}).push::<Block>()
             }})
         }}",
    )
    .replace("TIMES", &times.to_string())
}

#[test]
fn a_chain_of_doublings_stays_linear() {
    let short = cuda(&doubling(0, "double(10, chunk[i])"), true).len();
    let long = cuda(&doubling(0, "double(20, chunk[i])"), true).len();
    assert!(
        long < 2 * short + 500,
        "{short} bytes for 10, {long} for 20"
    );
}

#[test]
fn a_chain_in_the_arm_of_a_select_stays_linear() {
    let text = |n: u32| {
        cuda(
            &doubling(
                n,
                "select(i < 5, double(TIMES, chunk[(i * 7) % 64]), lit(0u32))",
            ),
            true,
        )
    };
    let (short, long) = (text(10).len(), text(20).len());
    assert!(
        long < 2 * short + 500,
        "{short} bytes for 10, {long} for 20\n{}",
        text(5)
    );
}

const BLACK_SCHOLES: &str = "
    fn normal(d: EF32) -> EF32 {
        let k = 1.0 / (1.0 + 0.2316419 * d.abs());
        let poly = k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
        let tail = 0.39894228 * (-0.5 * d * d).exp() * poly;
        select(d > 0.0, 1.0 - tail, tail)
    }
    fn option(price: EF32, strike: EF32, years: EF32) -> (EF32, EF32) {
        let root = years.sqrt();
        let d1 = ((price / strike).ln() + (0.02 + 0.5 * 0.30 * 0.30) * years) / (0.30 * root);
        let d2 = d1 - 0.30 * root;
        let discounted = strike * (-0.02 * years).exp();
        let call = price * normal(d1) - discounted * normal(d2);
        let put = discounted * (1.0 - normal(d2)) - price * (1.0 - normal(d1));
        (call, put)
    }
    #[kernel(threads = 64)]
    pub fn options(input: DPull<(EF32, EF32, EF32)>) -> DPush<Grid, (EF32, EF32)> {
        input.split_up(64).as_grid_map(|chunk| chunk.map(|(s, x, t)| option(s, x, t)).push::<Block>())
    }";

#[test]
fn black_scholes_has_one_logarithm_one_root_and_three_exponentials() {
    let text = cuda(BLACK_SCHOLES, true);
    let count = |name: &str| text.matches(name).count();
    assert_eq!(
        (count("logf("), count("sqrtf("), count("expf(")),
        (1, 1, 3),
        "{text}"
    );
}

#[test]
fn without_sharing_they_are_computed_again() {
    let text = cuda(BLACK_SCHOLES, false);
    assert!(text.matches("logf(").count() > 1, "{text}");
}

/// The functions of Black-Scholes under `chunks`: the map comes first, so each of its results stands
/// in a choice, and the results of one option in choices on one condition.
#[test]
fn a_map_over_tuples_in_pieces_has_each_function_once() {
    let pieces = "input.map(|(s, x, t)| option(s, x, t)).chunks(64, (0.0, 0.0)).as_grid_map(|p| p.push::<Block>())";
    for take in [".padded()", ".take(input.len())"] {
        let old = "input.split_up(64).as_grid_map(|chunk| chunk.map(|(s, x, t)| option(s, x, t)).push::<Block>())";
        let text = cuda(
            &BLACK_SCHOLES.replace(old, &format!("{pieces}{take}")),
            true,
        );
        let count = |name: &str| text.matches(name).count();
        assert_eq!(
            (count("logf("), count("sqrtf("), count("expf(")),
            (1, 1, 3),
            "{text}"
        );
    }
}
