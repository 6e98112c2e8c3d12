//! Random programs.
use obsidian_rt::Device;
use obsidian_tests::random::{case::Case, generate::generate, run};

#[test]
fn thin() {
    let n: u64 = std::env::var("N").ok().and_then(|n| n.parse().ok()).unwrap_or(100);
    let mut refused = std::collections::BTreeMap::<String, u32>::new();
    let mut wrong = 0;
    for seed in 0..n {
        let program = generate(seed);
        let kernel = match run::expand(&program.text()) {
            Ok(kernel) => kernel,
            Err(run::Failure::Refused(words)) => {
                if refused.len() < 12 || std::env::var("ALL").is_ok() { println!("refused {seed}: {words}"); }
                *refused.entry(words.split(": ").skip(1).collect::<Vec<_>>().join(": ").chars().filter(|c| !c.is_ascii_digit()).take(70).collect()).or_default() += 1;
                continue;
            }
            Err(other) => { println!("seed {seed}: {other:?}\n{}", program.text()); wrong += 1; continue; }
        };
        if let Err(run::Failure::Wrong(words)) = run::agrees(&Case::of(&program), &kernel, &Device::simulator()) {
            println!("WRONG seed {seed}, {}: {words}", program.threads);
            wrong += 1;
        }
    }
    println!("{refused:#?} wrong {wrong} of {n}");
}
