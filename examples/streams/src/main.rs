//! Runs each program over files that it makes, compares it with plain Rust, and prints its plan and a row of a table.
//!
//! `streams [MILLIONS] [CHUNK]` takes files of that many millions of numbers, words or links, 1 without it, and chunks of that number of elements instead of
//! those that a run chooses.
//!
//! `streams table [MILLIONS]` runs them with chunks of 2^8 to 2^24 elements, and prints how long each takes.
//!
//! `streams large [GIB]` makes a file of that many GiB of numbers, 4 without it, and reads it with a limit of 100 MB; the memory that the process has
//! had at most has to stay below the plan and 64 MB.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Instant;

use obsidian_rt::Device;
use obsidian_rt::sequence::Consumed;
use streams::{crack, dot, linear, matrix_vector, max_and_sum, md5, rank, reference};

type Outcome<T> = Result<T, Box<dyn Error>>;

/// A folder of files, which goes with it.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Numbers that repeat after 2^32.
fn numbers(seed: u32) -> impl Iterator<Item = u32> {
    let next = |state: &u32| Some(state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223));
    std::iter::successors(Some(seed), next)
        .skip(1)
        .map(|state| state >> 8)
}

fn write<const N: usize>(path: &Path, numbers: impl Iterator<Item = [u8; N]>) -> Outcome<()> {
    Ok(std::fs::write(
        path,
        numbers.flatten().collect::<Vec<u8>>(),
    )?)
}

/// What a run gives, and how long it takes in milliseconds.
fn timed<T>(f: impl FnOnce() -> Outcome<T>) -> Outcome<(T, f64)> {
    let begin = Instant::now();
    let value = f()?;
    Ok((value, begin.elapsed().as_secs_f64() * 1e3))
}

/// A run of what consumes a sequence.
fn run<O: 'static>(
    device: &Device,
    chunk: Option<usize>,
    consumed: Consumed<'_, O>,
) -> Outcome<(O, f64)> {
    let consumed = match chunk {
        Some(chunk) => consumed.chunk(chunk),
        None => consumed,
    };
    println!("  {}", consumed.plan(device)?);
    timed(|| Ok(consumed.run(device)?))
}

/// A program, its number of elements, and how long it and plain Rust take, in milliseconds.
struct Row {
    name: &'static str,
    elements: usize,
    ours: f64,
    plain: f64,
}

fn main() -> Outcome<()> {
    let mut words = std::env::args().skip(1).peekable();
    let mode = words.next_if(|word| word.parse::<f64>().is_err());
    let number: Option<f64> = words.next().map(|word| word.parse()).transpose()?;
    let device = Device::best()?;
    match mode.as_deref() {
        None => {
            let chunk: Option<usize> = words.next().map(|word| word.parse()).transpose()?;
            println!("on {}", device.name());
            let rows = programs(&device, number.unwrap_or(1.0), chunk)?;
            println!("| program | elements | ms | plain Rust, in memory, ms |");
            println!("|---|---|---|---|");
            for row in rows {
                let Row {
                    name,
                    elements,
                    ours,
                    plain,
                } = row;
                println!("| {name} | {elements} | {ours:.1} | {plain:.1} |");
            }
            Ok(())
        }
        Some("table") => table(&device, number.unwrap_or(1.0)),
        Some("large") => large(&device, number.unwrap_or(4.0)),
        Some(other) => Err(format!("`{other}` is neither a number nor `table` or `large`").into()),
    }
}

/// How long each program takes by the length of chunks.
fn table(device: &Device, millions: f64) -> Outcome<()> {
    let mut lines: Vec<String> = Vec::new();
    for bits in (8..=24).step_by(2) {
        let rows = programs(device, millions, Some(1 << bits))?;
        if lines.is_empty() {
            let names: Vec<&str> = rows.iter().map(|row| row.name).collect();
            lines.push(format!("| elements of a chunk | {} |", names.join(" | ")));
            lines.push(format!("|---|{}", "---|".repeat(names.len())));
        }
        let times: Vec<String> = rows.iter().map(|row| format!("{:.1}", row.ours)).collect();
        lines.push(format!("| 2^{bits} | {} |", times.join(" | ")));
    }
    println!("{}", lines.join("\n"));
    Ok(())
}

/// The most memory that this process has had, in bytes, where Linux tells it.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

/// A file that is much larger than the memory that a run may have.
fn large(device: &Device, gib: f64) -> Outcome<()> {
    const MOST: u64 = 100_000_000;
    let folder = Folder(std::env::temp_dir().join(format!("streams-{}", std::process::id())));
    std::fs::create_dir_all(&folder.0)?;
    let path = folder.0.join("large.bin");
    let n = (gib * (1u64 << 28) as f64) as u64;
    let mut file = std::io::BufWriter::new(std::fs::File::create(&path)?);
    // Numbers whose sum is exact: 0, 1, 2 and 3 in turn.
    for i in 0..n {
        std::io::Write::write_all(&mut file, &((i % 4) as f32).to_le_bytes())?;
    }
    file.into_inner()?.sync_all()?;
    let consumed = max_and_sum(&path)?.memory_limit(MOST);
    let plan = consumed.plan(device)?;
    println!("{n} numbers in a file of {} bytes: {plan}", n * 4);
    let ((largest, sum), time) = timed(|| Ok(consumed.run(device)?))?;
    let (product, dot_time) = timed(|| Ok(dot(&path, &path)?.memory_limit(MOST).run(device)?))?;
    println!(
        "maximum {largest:?}, sum {sum} in {time:.0} ms; dot product with itself {product} in {dot_time:.0} ms"
    );
    let near = |found: f32, each: u64| {
        let wanted = (n / 4 * each) as f64;
        (f64::from(found) - wanted).abs() <= 1e-3 * wanted.max(1.0)
    };
    if n >= 4 && (largest != Some(3.0) || !near(sum, 6) || !near(product, 14)) {
        return Err("the results are wrong".into());
    }
    let Some(peak) = peak() else {
        println!("this system does not tell how much memory the process had");
        return Ok(());
    };
    println!(
        "the process had at most {peak} bytes, and the plan is {}",
        plan.bytes()
    );
    match peak <= plan.bytes() + (64 << 20) {
        true => Ok(()),
        false => Err("that is more than the plan and 64 MB".into()),
    }
}

/// Runs all programs, each compared with plain Rust.
fn programs(device: &Device, millions: f64, chunk: Option<usize>) -> Outcome<Vec<Row>> {
    let mut rows = Vec::new();
    let mut row = |name, elements, (ours, plain)| {
        rows.push(Row {
            name,
            elements,
            ours,
            plain,
        });
    };
    let n = (millions * 1e6) as usize;
    let folder = Folder(std::env::temp_dir().join(format!("streams-{}", std::process::id())));
    std::fs::create_dir_all(&folder.0)?;
    let file = |name: &str| folder.0.join(name);

    let floats = |seed| numbers(seed).map(|x| (x % 2000) as f32 / 1000.0 - 1.0);
    let (xs, ys): (Vec<f32>, Vec<f32>) = (floats(1).take(n).collect(), floats(2).take(n).collect());
    let (x, y) = (file("x.bin"), file("y.bin"));
    write(&x, xs.iter().map(|x| x.to_le_bytes()))?;
    write(&y, ys.iter().map(|y| y.to_le_bytes()))?;
    let near = |found: f64, want: f64, size: f64| -> Outcome<()> {
        match (found - want).abs() <= 1e-5 * size {
            true => Ok(()),
            false => Err(format!("{found} instead of {want}").into()),
        }
    };
    let (found, ours) = run(device, chunk, dot(&x, &y)?)?;
    let read = |path: &Path| -> Outcome<Vec<f32>> {
        let bytes = std::fs::read(path)?;
        let (numbers, _) = bytes.as_chunks::<4>();
        Ok(numbers
            .iter()
            .map(|bytes| f32::from_le_bytes(*bytes))
            .collect())
    };
    let (whole, whole_time) = timed(|| Ok(linear::dot_in_memory(device, &read(&x)?, &read(&y)?)?))?;
    let (want, plain) = timed(|| Ok(reference::dot(&xs, &ys)))?;
    near(found.into(), want, n as f64)?;
    near(whole.into(), want, n as f64)?;
    row("dot product", n, (ours, plain));
    row(
        "dot product of files that are read whole",
        n,
        (whole_time, plain),
    );

    let ((largest, sum), ours) = run(device, chunk, max_and_sum(&x)?)?;
    let (want, plain) = timed(|| Ok(reference::max_and_sum(&xs)))?;
    near(sum.into(), want.1, n as f64)?;
    if largest != want.0 {
        return Err(format!("{largest:?} instead of {:?}", want.0).into());
    }
    row("maximum and sum", n, (ours, plain));

    let width = n.isqrt().max(1);
    let cells = n / width * width;
    write(&file("m.bin"), xs[..cells].iter().map(|x| x.to_le_bytes()))?;
    let v = device.array([width], &ys[..width])?;
    let (found, ours) = run(device, chunk, matrix_vector(&file("m.bin"), &v)?)?;
    let (want, plain) = timed(|| Ok(reference::matrix_vector(&xs[..cells], &ys[..width])))?;
    for (found, want) in found.to_vec()?.iter().zip(&want) {
        near((*found).into(), *want, width as f64)?;
    }
    row("matrix times vector", cells, (ours, plain));

    let dictionary: Vec<String> = numbers(3).take(n).map(|x| format!("{x:x}")).collect();
    std::fs::write(file("words.txt"), dictionary.join("\n"))?;
    let wanted = [n / 2, n - 1].map(|word| reference::digest(dictionary[word].as_bytes()));
    let table = md5::table(device, &wanted)?;
    let (consumed, found) = crack(&file("words.txt"), &table)?;
    let ((), ours) = run(device, chunk, consumed)?;
    let (hits, plain) = timed(|| {
        let digests = dictionary
            .iter()
            .map(|word| reference::digest(word.as_bytes()));
        Ok(digests.filter(|own| wanted.contains(own)).count())
    })?;
    let found = found.borrow();
    if found.len() != hits || !found.iter().any(|hit| hit.word == n as u64 - 1) {
        return Err(format!(
            "{hits} words have the digests, and {} were found",
            found.len()
        )
        .into());
    }
    row("words of two MD5 digests", n, (ours, plain));

    let bits = (n / 16).max(1).ilog2();
    let pages = 1usize << bits;
    let links: Vec<[u32; 2]> = reference::links(bits, 4).take(n).collect();
    write(
        &file("links.bin"),
        links.iter().flatten().map(|page| page.to_le_bytes()),
    )?;
    let (found, ours) = timed(|| Ok(rank(device, &file("links.bin"), pages, 3)?))?;
    let (want, plain) = timed(|| Ok(reference::rank(&links, pages, 3)))?;
    if found != want || found.iter().sum::<u64>() != streams::pages::WHOLE {
        return Err("the ranks of pages are wrong".into());
    }
    row("PageRank, 3 iterations", n, (ours, plain));
    Ok(rows)
}
