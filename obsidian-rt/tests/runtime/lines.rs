//! The lines of the source in CUDA texts: each statement names the line that it comes from.

// A test that unwraps an error fails, which is what it is for.
#![allow(clippy::unwrap_used)]

use obsidian_rt::prelude::*;

#[kernels]
mod sums {
    /// The sums of an element of the one half and its neighbour in the other.
    pub fn of_run(run: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let doubled = compute(run.map(|x| x * 2))?; // FIRST
        let (left, right) = doubled.reverse().halve();
        let sums = compute(zip_with(|a, b| a + b, left, right))?; // SECOND
        pure(sums.reverse().push()) // THIRD
    }

    /// The sum of each run of 128 elements, by a function of the library that stores arrays of its own.
    #[kernel(threads = 32)]
    pub fn totals(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(128)
            .as_grid_map(|run| exec_block(total(run)))
    }

    fn total(run: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let rows = run.split_up(32).map(|row| compute(row.map(|x| x * x)));
        let sums = accumulate(|a, b| a + b, replicate(32, 0), rows)?;
        let sum = compute(reduce(|a, b| a + b, sums))?;
        pure(sum.push())
    }

    /// Of each run of 128 elements.
    #[kernel(threads = 32)]
    pub fn pairs(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(128)
            .as_grid_map(|run| exec_block(of_run(run))) // GRID
    }
}

/// Each line of the text that is code, with the line of the source that it belongs to.
fn attributed(text: &str) -> Vec<(u32, String, String)> {
    let (mut line, mut file, mut all) = (0, String::new(), Vec::new());
    for text in text.lines() {
        match text
            .strip_prefix("#line ")
            .and_then(|rest| rest.split_once(' '))
        {
            Some((number, name)) => {
                line = number.parse().unwrap();
                name.trim_matches('"').clone_into(&mut file);
            }
            None => {
                all.push((line, file.clone(), text.trim().to_owned()));
                line += 1;
            }
        }
    }
    all
}

fn line_of(marker: &str) -> u32 {
    let marker = format!("// {marker}");
    let found = include_str!("lines.rs")
        .lines()
        .position(|line| line.ends_with(&marker));
    found.unwrap() as u32 + 1
}

#[test]
fn statements_belong_to_their_lines() {
    let kernel = sums::pairs::kernel();
    for text in [
        kernel.cuda_with_lines().unwrap(),
        kernel.cuda_debug().unwrap(),
    ] {
        let all = attributed(&text);
        let of = |part: &str| {
            let found = all.iter().find(|(_, _, text)| text.contains(part));
            let (line, file, _) = found.unwrap_or_else(|| panic!("no {part}:\n{text}"));
            assert!(
                file.ends_with("tests/runtime/lines.rs"),
                "{part}: {file}\n{text}"
            );
            *line
        };
        // (What is stored is read by the statement that stores it.)
        for (part, marker) in [
            ("doubled[j] =", "FIRST"),
            ("sums[j] =", "SECOND"),
            ("output[(", "THIRD"),
        ] {
            assert_eq!(of(part), line_of(marker), "{part}\n{text}");
        }
    }
}

#[test]
fn but_for_the_lines_it_is_the_same_text() {
    let kernel = sums::pairs::kernel();
    let with_lines = kernel.cuda_with_lines().unwrap();
    let without: String = with_lines
        .lines()
        .filter(|line| !line.starts_with("#line"))
        .map(|line| format!("{line}\n"))
        .collect();
    assert_eq!(without, kernel.cuda());
    assert!(with_lines.len() > without.len());
}

/// Statements of functions of the library have the lines of their callers, or none.
#[test]
fn no_line_is_one_of_the_library() {
    let kernel = sums::totals::kernel();
    let text = kernel.cuda_with_lines().unwrap();
    let of_library: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("#line ") && !line.contains("tests/runtime/lines.rs"))
        .collect();
    assert!(of_library.is_empty(), "{of_library:#?}");
    assert!(text.contains("#line "), "{text}");
}
