//! Scans by the order that the documentation states, in plain Rust.

/// All of them from the left.
fn fold<T: Clone>(list: &[T], f: &mut dyn FnMut(T, T) -> T) -> Option<T> {
    list.iter().cloned().reduce(f)
}

/// A balanced tree over neighbours.
fn tree<T: Clone>(list: &[T], f: &mut dyn FnMut(T, T) -> T) -> Option<T> {
    let mut list = list.to_vec();
    while list.len() > 1 {
        list = list.chunks(2).filter_map(|pair| fold(pair, f)).collect();
    }
    list.pop()
}

/// The results of an inclusive scan, or of an exclusive one that begins with a value.
pub fn scanned<T: Clone>(list: &[T], initial: Option<&T>, mut f: impl FnMut(T, T) -> T) -> Vec<T> {
    let f = &mut f;
    let row = if list.len() <= 256 { 1 } else { 4 };
    let rows: Vec<T> = list.chunks(row).filter_map(|row| fold(row, f)).collect();
    let runs: Vec<T> = rows.chunks(32).filter_map(|run| tree(run, f)).collect();
    let series = runs.len().div_ceil(32).max(1);
    let whole: Vec<T> = runs
        .chunks(series)
        .filter_map(|runs| fold(runs, f))
        .collect();
    let result = |j: usize| {
        let (of_row, of_run) = (j / row, j / row / 32);
        let of_series = of_run / series;
        // A row of one element is one of the rows of the tree.
        let (rows_end, own_end) = match (initial, row) {
            (Some(_), _) => (of_row, j),
            (None, 1) => (j + 1, j),
            (None, _) => (of_row, j + 1),
        };
        let parts = [initial.cloned(), tree(&whole[..of_series], f)].into_iter();
        let parts = parts.chain(runs[of_series * series..of_run].iter().cloned().map(Some));
        let own = [
            tree(&rows[of_run * 32..rows_end], f),
            fold(&list[of_row * row..own_end], f),
        ];
        let parts: Vec<T> = parts.chain(own).flatten().collect();
        fold(&parts, f).expect("the element, or the initial value")
    };
    (0..list.len()).map(result).collect()
}
