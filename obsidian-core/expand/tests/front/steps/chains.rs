//! Kernels that grow by steps: chains of choices whose arms load, writes of one loop, guarded
//! loads.

/// A kernel of `n` steps: its name, and the text of its module.
pub type Chain = (&'static str, fn(usize) -> String);

/// A kernel that gives an element for each key, by statements that are repeated.
fn for_each_key(start: &str, n: usize, step: &str) -> String {
    format!(
        "pub mod m {{ #[kernel(threads = 64)]
        pub fn k(table: DPull<EU32>, keys: DPull<EU32>) -> DPush<Grid, EU32> {{
            let (m, c) = (table.len(), table.take(64));
            keys.split_up(64).as_grid_map(|piece| generate(64, |i| {{ let k = piece[i];
                {start}
                for s in 0..{n}u32 {{ {step} }}
                at
            }}).push())
        }} }}"
    )
}

/// A kernel whose blocks write to an array of their own in one loop over threads.
fn writes(elements: usize, body: &str) -> String {
    format!(
        "pub mod m {{
        pub fn changed(piece: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {{
            let a = new_shared_mutable({elements}, lit(0u32))?;
            for_all(8, |i| {{ {body} pure(()) }})?;
            pure(a.push())
        }}
        #[kernel(threads = 8)]
        pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {{
            input.split_up(8).as_grid_map(|piece| exec_block(changed(piece)))
        }} }}"
    )
}

/// All of them.
pub const CHAINS: &[Chain] = &[
    ("binary search", |n| {
        for_each_key(
            "let mut at = lit(0u32);",
            n,
            "let p = at + (1u32 << (s % 16));
             at = select(select(p < m, table[p], lit(u32::MAX)) <= k, p, at);",
        )
    }),
    ("binary search between two ends", |n| {
        for_each_key(
            "let (mut at, mut end) = (lit(0u32), m);",
            n,
            "let middle = at / 2 + end / 2;
             let right = select(middle < m, table[middle], lit(u32::MAX)) <= k;
             at = select(right, middle, at); end = select(right, end, middle);",
        )
    }),
    ("walk of two ways", |n| {
        for_each_key(
            "let mut at = k;",
            n,
            "at = select(at > k, c[at % 64], c[(at + 1) % 64]);",
        )
    }),
    ("walk by the bits of a key", |n| {
        for_each_key(
            "let mut at = lit(1u32);",
            n,
            "at = select((k >> (s % 32)) & 1 == 1, c[at % 64], c[(at + 1) % 64]);",
        )
    }),
    ("bits of a key in order", |n| {
        for_each_key(
            "let mut at = lit(0u32);",
            n,
            "at = select((k >> (s % 32)) & 1 == 1, at * 2 + 1, at * 2);
             at = at + c[at % 64];",
        )
    }),
    ("choices in arms", |n| {
        for_each_key(
            "let mut at = lit(0u32);",
            n,
            "at = select(k >= s, select(i + s < 64, c[i + s], at) + at, at);",
        )
    }),
    ("indices from the end", |n| {
        for_each_key(
            "let mut at = i; let from_end = generate(64, |i| i).reverse();",
            n,
            "at = select((k >> (s % 32)) & 1 == 1, from_end[at], at);",
        )
    }),
    ("guarded loads", |n| {
        for_each_key(
            "let mut at = k;",
            n,
            "at = at + select(i + s < m, table[i + s], lit(0u32));",
        )
    }),
    ("indices in arms", |n| {
        for_each_key(
            "let mut at = lit(0u32);",
            n,
            "at = c[select(k > s, at, i) % 64];",
        )
    }),
    ("writes", |n| {
        writes(
            8 * n,
            &format!("for s in 0..{n}u32 {{ a.write(s * 8 + i, piece[i] + s)?; }}"),
        )
    }),
    ("writes of rows", |n| {
        writes(
            8 * n,
            &format!("for s in 0..{n}u32 {{ a.write(i * {n} + s, piece[i] + s)?; }}"),
        )
    }),
    ("writes of columns that turn", |n| {
        writes(
            8 * n,
            &format!("for s in 0..{n}u32 {{ a.write(s * 8 + (i + s) % 8, piece[i])?; }}"),
        )
    }),
    ("reads and writes", |n| {
        writes(
            8 * n,
            &format!(
                "for s in 0..{n}u32 {{ let x = a.read(s * 8 + i)?; a.write(s * 8 + i, x + piece[i])?; }}"
            ),
        )
    }),
    ("writes at uneven distances", |n| {
        writes(
            16 * n + 16,
            &format!("for s in 0..{n}u32 {{ a.write(s * 16 + s * s % 9 + i, piece[i])?; }}"),
        )
    }),
    ("writes of one element", |n| {
        writes(
            8,
            &format!("for s in 0..{n}u32 {{ a.write(i, piece[i] + s)?; }}"),
        )
    }),
    ("guarded writes", |n| {
        writes(
            8 * n,
            &format!(
                "for s in 0..{n}u32 {{ cond(piece[i] > s, a.write(s * 8 + i, s), pure(()))?; }}"
            ),
        )
    }),
    ("atomics and writes", |n| {
        writes(
            8 * n + 8,
            &format!(
                "for s in 0..{n}u32 {{ a.atomic_add({n} * 8 + piece[i] % 8, 1)?; a.write(s * 8 + i, s)?; }}"
            ),
        )
    }),
    ("elements of an output", |n| {
        format!(
            "pub mod m {{ #[kernel(threads = 64)]
            pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {{
                let pieces = input.split_up(64);
                mk_push(pieces.len() * 64 * {n}, |write| distr_par(pieces.len(), |b| for_all(64, |i| {{
                    for s in 0..{n}u32 {{ write(pieces[b][i] + s, b * 64 * {n} + s * 64 + i)?; }}
                    pure(())
                }})))
            }} }}"
        )
    }),
    ("loops over threads", |n| {
        format!(
            "pub mod m {{
            pub fn changed(piece: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {{
                let a = to_mutable(piece)?;
                for s in 0..{n}u32 {{ for_all(8, |i| {{ let x = a.read((i + s) % 8)?; a.write((i + s) % 8, x + s) }})?; }}
                pure(a.push())
            }}
            #[kernel(threads = 8)]
            pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {{
                input.split_up(8).as_grid_map(|piece| exec_block(changed(piece)))
            }} }}"
        )
    }),
];
