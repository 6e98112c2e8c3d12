//! What is wrong is told, with the number of the chunk.

use obsidian_rt::arrays::zip_with;
use obsidian_rt::sequence::{Sequence, sum};
use obsidian_rt::{Device, Error, ErrorKind, Result};

fn error_of<T>(run: Result<T>) -> Error {
    match run {
        Ok(_) => panic!("the run had no error"),
        Err(error) => error,
    }
}

#[track_caller]
fn told(error: &Error, kind: ErrorKind, chunk: Option<u64>, words: &str) {
    assert_eq!((error.kind(), error.chunk()), (kind, chunk), "{error}");
    assert!(error.to_string().contains(words), "{error}");
}

#[test]
fn sources_that_fail() {
    let panics = Sequence::generate(100, |i| {
        assert!(i != 50, "element {i} is broken");
        i
    });
    let error = error_of(panics.sum().chunk(8).run(&Device::cpu()));
    told(
        &error,
        ErrorKind::Source,
        Some(6),
        "chunk 6: the source panicked: element 50 is broken",
    );
    let fails = [
        Ok(vec![1u32; 20]),
        Err(std::io::Error::other("no line")),
        Ok(vec![2; 20]),
    ];
    let error = error_of(
        Sequence::from_chunks(fails)
            .sum()
            .chunk(8)
            .run(&Device::cpu()),
    );
    told(
        &error,
        ErrorKind::Source,
        Some(2),
        "the source failed: no line",
    );
    let once = Sequence::from_iter(vec![1u32, 2]);
    assert_eq!(once.clone().sum().run(&Device::cpu()).unwrap(), 3);
    told(
        &error_of(once.sum().run(&Device::cpu())),
        ErrorKind::Source,
        None,
        "an earlier run",
    );
    let uneven = Sequence::rows(&[0.0f32; 7], [3]).collect();
    told(
        &error_of(uneven.run(&Device::cpu())),
        ErrorKind::UnequalLengths,
        None,
        "no whole number of elements",
    );
    let none = Sequence::rows(&[0.0f32; 7], [0]).collect();
    told(
        &error_of(none.run(&Device::cpu())),
        ErrorKind::UnequalLengths,
        None,
        "have no numbers",
    );
}

#[test]
fn sinks_that_fail() {
    let run = |f: fn(&[u64]) -> std::result::Result<(), String>| {
        Sequence::generate(100, |i| i)
            .for_each(f)
            .chunk(10)
            .run(&Device::cpu())
    };
    let error = error_of(run(|some| match some.contains(&42) {
        true => Err("no room".to_owned()),
        false => Ok(()),
    }));
    told(&error, ErrorKind::Sink, Some(4), "the sink failed: no room");
    let error = error_of(run(|some| {
        assert!(!some.contains(&77), "seven");
        Ok(())
    }));
    told(&error, ErrorKind::Sink, Some(7), "the sink panicked: seven");
}

#[test]
fn a_disk_that_is_full() {
    if !std::path::Path::new("/dev/full").exists() {
        println!("skipped: there is no /dev/full");
        return;
    }
    // The partial file stands beside the target, so that is a link.
    let link = crate::Scratch::new("full.partial");
    let target = link.0.with_extension("");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("/dev/full", &link.0).unwrap();
        let numbers = Sequence::generate(100_000, |i| i).to_file(&target);
        let error = error_of(numbers.run(&Device::cpu()));
        assert_eq!(error.kind(), ErrorKind::Sink);
        assert!(error.to_string().contains("cannot be written"), "{error}");
        assert!(!target.exists());
    }
}

#[test]
fn sequences_without_an_end() {
    let endless = || Sequence::from_iter(0u64..);
    let zipped = endless().zip_with(Sequence::from_iter(std::iter::repeat(2u64)), |x, y| x * y);
    for run in [endless().sum(), zipped.sum()] {
        told(
            &error_of(run.run(&Device::cpu())),
            ErrorKind::Source,
            None,
            "no end",
        );
    }
    let some = Sequence::from_iter((0u64..).take(10)).sum();
    assert_eq!(some.run(&Device::cpu()).unwrap(), 45);
}

#[test]
fn programs_that_are_wrong() {
    // Chunks of unequal lengths are not zipped.
    let xs = Sequence::generate(100, |i| i as u32);
    let few = xs.clone().filter(|x| (x % 2).eq(0));
    let error = error_of(
        few.zip_with(xs, |x, y| x + y)
            .sum()
            .chunk(10)
            .run(&Device::cpu()),
    );
    told(&error, ErrorKind::Requirement, Some(0), "zip_with");
    // An element that is not there.
    let table = Sequence::generate(100, |i| i as u32).map_chunks(|xs| {
        let of = xs.clone();
        xs.map(move |x| of.at(x + 1))
    });
    let error = error_of(table.sum().chunk(10).run(&Device::simulator()));
    told(&error, ErrorKind::Fault, Some(0), "index 10");
    // Extents that differ between chunks.
    let pairs = Sequence::generate(7, |i| i)
        .map_chunks(|xs| zip_with(|x, y| x + y, xs.replicate(2), xs.replicate(2)));
    let error = error_of(pairs.collect().chunk(4).run(&Device::cpu()));
    told(
        &error,
        ErrorKind::UnequalLengths,
        Some(1),
        "extents [4] and [3]",
    );
}

#[test]
fn the_device_can_be_used_after_an_error() {
    let device = Device::cpu();
    for _ in 0..3 {
        let broken = Sequence::generate(100, |i| {
            assert!(i < 30);
            i
        });
        assert!(
            broken
                .consume((sum(), sum()))
                .chunk(7)
                .run(&device)
                .is_err()
        );
        assert_eq!(
            Sequence::generate(10, |i| i).sum().run(&device).unwrap(),
            45
        );
    }
}
