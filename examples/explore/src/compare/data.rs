//! The paper's tables, as files of comma-separated values: `#` begins a comment, the first line
//! names the columns.

/// Table 1: seconds by GPU, size and threads.
pub const TABLE1: &str = include_str!("../../data/table1.csv");
/// Table 2: best threads by reduction and elements.
pub const TABLE2: &str = include_str!("../../data/table2.csv");
/// Table 3: best threads by scan and elements.
pub const TABLE3: &str = include_str!("../../data/table3.csv");
/// Table 4: seconds by GPU, reduction and threads.
pub const TABLE4: &str = include_str!("../../data/table4.csv");

/// The best number of threads of a kernel for a number of elements of a block.
pub struct Best {
    /// The number of the kernel, from 1 on.
    pub kernel: u32,
    /// Elements of a block.
    pub elements: u32,
    /// Threads of a block.
    pub threads: u32,
}

/// A time of the paper.
pub struct Time {
    /// The GPU, by the name of its description.
    pub gpu: &'static str,
    /// The kernel's number, or the size of the picture.
    pub case: u32,
    /// Threads of a block.
    pub threads: u32,
    /// Seconds of a thousand runs, which are milliseconds of one.
    pub seconds: f64,
}

/// The rows of a table of best settings.
pub fn settings(table: &'static str) -> Vec<Best> {
    let row = |row: Vec<&str>| {
        Some(Best {
            kernel: row.first()?.parse().ok()?,
            elements: row.get(1)?.parse().ok()?,
            threads: row.get(2)?.parse().ok()?,
        })
    };
    rows(table).filter_map(row).collect()
}

/// The rows of a table of times that are of one GPU.
pub fn times(table: &'static str, gpu: &str) -> Vec<Time> {
    let row = |row: Vec<&'static str>| {
        let (case, threads) = (row.get(1)?.parse().ok()?, row.get(2)?.parse().ok()?);
        Some(Time {
            gpu: row.first()?,
            case,
            threads,
            seconds: row.get(3)?.parse().ok()?,
        })
    };
    rows(table)
        .filter_map(row)
        .filter(|time| time.gpu == gpu)
        .collect()
}

fn rows(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    table
        .lines()
        .filter(|line| !line.starts_with('#'))
        .skip(1)
        .map(|line| line.split(',').collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_a_row() {
        assert_eq!(settings(TABLE2).len(), 4 * 8 + 3 * 7);
        assert_eq!(settings(TABLE3).len(), 5 * 5);
        for gpu in ["gtx680", "c2070"] {
            assert_eq!(
                (times(TABLE1, gpu).len(), times(TABLE4, gpu).len()),
                (30, 14),
                "{gpu}"
            );
        }
    }

    /// What the paper's section 8.3 works out of its Table 4.
    #[test]
    fn table_4_has_the_ratios_of_the_text() {
        let of = |kernel| {
            times(TABLE4, "gtx680")
                .into_iter()
                .filter(|time| time.case == kernel)
                .map(|time| time.seconds)
                .collect::<Vec<_>>()
        };
        let ratio = |a: f64, b: f64| (10.0 * a / b).round() / 10.0;
        assert_eq!(ratio(of(1)[1], of(1)[0]), 2.5);
        assert_eq!(ratio(of(7)[1], of(7)[0]), 3.2);
        assert_eq!(ratio(of(1)[0], of(7)[0]), 1.7);
    }
}
