//! The lines of both sides, joined: for each case our fastest program and the fastest peer.

use std::fmt::Write;

use crate::line::{Line, Outcome};

/// Bytes a second, read and written: what a copy from device to device moves on an H100.
const BANDWIDTH: f64 = 3.0e12;
/// Operations of `f32` a second of an H100: what a product of matrices can come near to.
const OPERATIONS: f64 = 60.0e12;

/// Who, and in how many milliseconds a call.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// A layer of this project without `ours/`, or a library.
    pub by: String,
    /// The time of a call.
    pub ms: f64,
}

/// A case at one size.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its name.
    pub case: String,
    /// Its size.
    pub size: String,
    /// Our programs, the fastest first.
    pub ours: Vec<Entry>,
    /// The peers, the fastest first.
    pub peers: Vec<Entry>,
}

impl Row {
    /// The time of the fastest peer over that of our fastest program, where there are both: above 1, ours is faster.
    pub fn ratio(&self) -> Option<f64> {
        Some(self.peers.first()?.ms / self.ours.first()?.ms)
    }

    /// Milliseconds below which no program can be on an H100, as it has to move these bytes or compute these operations.
    pub fn floor_ms(&self) -> Option<f64> {
        let (bytes, operations) = needs(&self.case, &self.size)?;
        Some((bytes / BANDWIDTH).max(operations / OPERATIONS) * 1e3)
    }
}

/// The bytes that a case reads and writes, each element once, and its operations where these take longer.
fn needs(case: &str, size: &str) -> Option<(f64, f64)> {
    let million = f64::from(1 << 20);
    let square = 4096.0 * 4096.0;
    let count = match size {
        "2^20" => million,
        "2^24" => 16.0 * million,
        "2^26" => 64.0 * million,
        _ => 0.0,
    };
    let bytes = |each: f64| Some((each * count, 0.0));
    match (case, size) {
        ("saxpy", _) => bytes(12.0),
        ("dot" | "cumsum", _) => bytes(8.0),
        ("sum" | "argmax" | "histogram 256", _) => bytes(4.0),
        // Four passes over digits of eight bits, each of which reads and writes all.
        ("sort u32" | "sort f32", _) => bytes(32.0),
        ("sort_by_key", _) => bytes(64.0),
        // All are read, and half of them written, or a quarter.
        ("select x>0", _) => bytes(6.0),
        ("unique runs", _) => bytes(5.0),
        ("black-scholes", _) => bytes(20.0),
        ("embedding 128", _) => bytes(8.0 * 128.0 + 4.0),
        ("softmax", "4096x4096") => Some((8.0 * square, 0.0)),
        ("softmax", "65536x512") => Some((8.0 * 65_536.0 * 512.0, 0.0)),
        ("layernorm", _) => Some((8.0 * 8192.0 * 4096.0, 0.0)),
        ("row sums", _) => Some((4.0 * 64.0 * million, 0.0)),
        ("jacobi 5pt" | "gauss 9+9" | "stencil 7pt", _) => Some((8.0 * square, 0.0)),
        ("life u8", _) => Some((2.0 * square, 0.0)),
        ("transpose", _) => Some((8.0 * 8192.0 * 8192.0, 0.0)),
        ("spmv csr", _) => Some((1e6 * (16.0 * 8.0 + 12.0), 0.0)),
        ("batched 64x64", _) => Some((12.0 * square, 2.0 * square * 64.0)),
        ("n-body", _) => Some((0.0, 20.0 * 65_536.0 * 65_536.0)),
        ("matmul f32", "1024") => Some((12.0 * million, 2.0 * 1024.0 * million)),
        ("matmul f32", "4096") => Some((12.0 * square, 2.0 * 4096.0 * square)),
        ("nearest dim16", _) => Some((0.0, 48.0 * square)),
        _ => None,
    }
}

/// The rows, in the order in which cases occur for the first time. Lines without a time are left out.
pub fn rows(lines: &[Line]) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for line in lines {
        let Outcome::Timed(time) = &line.outcome else {
            continue;
        };
        let place = rows
            .iter()
            .position(|row| row.case == line.case && row.size == line.size);
        let place = place.unwrap_or_else(|| {
            rows.push(Row {
                case: line.case.clone(),
                size: line.size.clone(),
                ours: Vec::new(),
                peers: Vec::new(),
            });
            rows.len() - 1
        });
        let row = &mut rows[place];
        let (side, by) = match line.by.strip_prefix("ours/") {
            Some(layer) => (&mut row.ours, layer),
            None => (&mut row.peers, line.by.as_str()),
        };
        let entry = Entry {
            by: by.to_string(),
            ms: time.ms,
        };
        let before = side.partition_point(|other| other.ms <= entry.ms);
        side.insert(before, entry);
    }
    rows
}

/// What all cases say together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// Cases that both sides have.
    pub cases: usize,
    /// Those in which ours is faster.
    pub faster: usize,
    /// The geometric mean of the ratios.
    pub mean: f64,
}

/// The summary, or `None` where no case has both sides.
pub fn summary(rows: &[Row]) -> Option<Summary> {
    let ratios: Vec<f64> = rows.iter().filter_map(Row::ratio).collect();
    let logarithms: f64 = ratios.iter().map(|ratio| ratio.ln()).sum();
    (!ratios.is_empty()).then(|| Summary {
        cases: ratios.len(),
        faster: ratios.iter().filter(|ratio| **ratio > 1.0).count(),
        mean: (logarithms / ratios.len() as f64).exp(),
    })
}

/// The table as text, one line a case.
pub fn text(rows: &[Row]) -> String {
    let mut out = String::new();
    let ms = |entry: Option<&Entry>| entry.map_or("-".into(), |entry| format!("{:.4}", entry.ms));
    let by = |entry: Option<&Entry>| entry.map_or("-".into(), |entry| entry.by.clone());
    let _ = writeln!(
        out,
        "{:14} {:11} {:>9} {:16} {:>9} {:29} {:>9} {:>9}",
        "case", "size", "ours, ms", "by", "peer, ms", "by", "peer/ours", "floor, ms"
    );
    for row in rows {
        let number = |value: Option<f64>, digits: usize| {
            value.map_or("-".into(), |value| format!("{value:.digits$}"))
        };
        let (ours, peer) = (row.ours.first(), row.peers.first());
        let others = row.ours.iter().skip(1).chain(row.peers.iter().skip(1));
        let others: Vec<String> = others
            .map(|entry| format!("{} {:.4}", entry.by, entry.ms))
            .collect();
        let _ = writeln!(
            out,
            "{:14} {:11} {:>9} {:16} {:>9} {:29} {:>9} {:>9}  {}",
            row.case,
            row.size,
            ms(ours),
            by(ours),
            ms(peer),
            by(peer),
            number(row.ratio(), 2),
            number(row.floor_ms(), 4),
            others.join(", ")
        );
    }
    if let Some(summary) = summary(rows) {
        let Summary {
            cases,
            faster,
            mean,
        } = summary;
        let _ = writeln!(
            out,
            "{cases} cases, ours is faster in {faster}; geometric mean {mean:.2}"
        );
    }
    out
}

/// The rows of these cases in Markdown, by falling ratio.
pub fn markdown(rows: &[Row], shown: &[(&str, &str)]) -> String {
    let is_shown = |row: &&Row| shown.contains(&(row.case.as_str(), row.size.as_str()));
    let mut chosen: Vec<(f64, &Row)> = rows
        .iter()
        .filter(is_shown)
        .filter_map(|row| Some((row.ratio()?, row)))
        .collect();
    chosen.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let mut out = String::from(
        "| case | Obsidian, ms | best other, ms | other / Obsidian |\n|---|---|---|---|\n",
    );
    for (ratio, row) in chosen {
        // A row with a ratio has both.
        if let (Some(ours), Some(peer)) = (row.ours.first(), row.peers.first()) {
            let _ = writeln!(
                out,
                "| {} {} | {} {} | {} {} | {ratio:.2} |",
                row.case,
                row.size,
                short(ours.ms),
                ours.by,
                short(peer.ms),
                peer.by
            );
        }
    }
    out
}

/// Three digits.
fn short(ms: f64) -> String {
    let digits = (2 - ms.log10().floor() as i32).clamp(0, 6) as usize;
    format!("{ms:.digits$}")
}
