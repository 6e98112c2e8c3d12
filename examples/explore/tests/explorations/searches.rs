//! Searches against random search at the same budget, over all keys and 100 seeds: no search has a larger median regret. The numbers are those of
//! `explore -- searches`.

#![allow(clippy::unwrap_used)]

use explore::reduction::Work;
use explore::scan;
use explore::searches::Scores;
use obsidian_rt::explore::{Explore, Gpu, Job, Objective, Search, Space};

#[test]
#[ignore = "long: .ci/run runs it with OBSIDIAN_LONG=1"]
fn no_search_is_behind_random_search() {
    let work = Work::Blocks(20);
    let scores = Scores::of(
        &scan::space(),
        &Gpu::named("gtx680").unwrap(),
        move |key| scan::job(work, key),
        scan::candidate,
    )
    .unwrap();
    for part in [0.05, 0.15, 0.3] {
        let rows = scores.rows(part).unwrap();
        for row in &rows {
            println!("{part}: {row:?}");
            assert!(row.median <= rows[0].median, "{part}: {rows:?}");
            assert!(row.better >= row.worse, "{part}: {rows:?}");
        }
        assert!(rows[2].better > rows[2].worse, "{part}: {rows:?}");
    }
}

#[test]
fn halving_needs_something_to_halve() {
    let job = Job::new(vec![1u32; 64], Vec::clone);
    let objective = Objective::predicted(Gpu::named("gtx680").unwrap()).with_effort(3);
    let explore = Explore::new(Space::new(), objective, job, |_| {
        unreachable!("no candidate is tried")
    });
    let error = explore
        .search(Search::Halving { seed: 1 })
        .run()
        .unwrap_err();
    assert!(
        error.to_string().contains("an effort of at least 4"),
        "{error}"
    );
}
