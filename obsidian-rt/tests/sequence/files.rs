//! Files of numbers.

use obsidian_rt::sequence::{ByteOrder, FileFormat, FileNumber, Sequence, to_file, to_file_with};
use obsidian_rt::{Device, ErrorKind};

use crate::{Scratch, floats};

fn through_a_file<T: FileNumber>(numbers: &[T], bytes: impl Fn(&T, ByteOrder) -> Vec<u8>) {
    for order in [ByteOrder::Little, ByteOrder::Big] {
        for header in [0u64, 5] {
            let name = format!("{}-{order:?}-{header}", std::any::type_name::<T>());
            let (from, to) = (
                Scratch::new(&format!("{name}-from")),
                Scratch::new(&format!("{name}-to")),
            );
            let mut all = vec![0u8; header as usize];
            all.extend(numbers.iter().flat_map(|number| bytes(number, order)));
            std::fs::write(&from.0, &all).unwrap();
            let format = FileFormat { header, order };
            for chunk in [1usize, 3, 100] {
                let read = Sequence::file_with::<T, _>(&from.0, [], format).unwrap();
                let written = read.consume(to_file_with(&to.0, format)).chunk(chunk);
                assert_eq!(written.run(&Device::cpu()).unwrap(), numbers.len() as u64);
                assert_eq!(std::fs::read(&to.0).unwrap(), all);
            }
        }
    }
}

macro_rules! types {
    ($($ty:ident)*) => {$(
        through_a_file(&[$ty::MIN, $ty::MAX, 3 as $ty, 0 as $ty, 100 as $ty], |number, order| match order {
            ByteOrder::Little => number.to_le_bytes().to_vec(),
            ByteOrder::Big => number.to_be_bytes().to_vec(),
        });
    )*};
}

#[test]
fn numbers_of_every_type_are_read_and_written() {
    types!(u8 u16 u32 u64 i8 i16 i32 i64 f32 f64);
}

#[test]
fn files_give_the_bits_of_slices() {
    // More than is read at once.
    let xs = floats(200_003);
    let bytes: Vec<u8> = xs.iter().flat_map(|x| x.to_le_bytes()).collect();
    let file = Scratch::of("bits", &bytes);
    let want = Sequence::slice(&xs).sum().run(&Device::cpu()).unwrap();
    let read = Sequence::file::<f32>(&file.0).unwrap();
    // A file is read anew by each run.
    for chunk in [70_000usize, 200_003, 1 << 20] {
        let found = read.clone().sum().chunk(chunk).run(&Device::cpu()).unwrap();
        assert_eq!(found.to_bits(), want.to_bits());
    }
    let skipped = read.sum().skip(200_000).run(&Device::cpu()).unwrap();
    assert_eq!(
        skipped,
        Sequence::slice(&xs[200_000..])
            .sum()
            .run(&Device::cpu())
            .unwrap()
    );
    assert_eq!(
        Sequence::file::<f32>(&file.0)
            .unwrap()
            .sum()
            .skip(1 << 40)
            .run(&Device::cpu())
            .unwrap(),
        0.0
    );
}

#[test]
fn files_that_are_none_are_refused() {
    let wrong = |error: obsidian_rt::Error, words: &str| {
        assert_eq!(error.kind(), ErrorKind::File);
        assert!(error.to_string().contains(words), "{error}");
    };
    let there = Scratch::of("seven", &[0; 7]);
    wrong(
        Sequence::file::<u32>(&there.0).unwrap_err(),
        "3 are left over",
    );
    let format = FileFormat {
        header: 8,
        ..FileFormat::default()
    };
    wrong(
        Sequence::file_with::<u8, _>(&there.0, [], format).unwrap_err(),
        "has 7 bytes, and a header of 8",
    );
    wrong(
        Sequence::file_with::<u8, _>(&there.0, [2], FileFormat::default()).unwrap_err(),
        "elements of 2 bytes",
    );
    wrong(
        Sequence::file_with::<u8, _>(&there.0, [0], FileFormat::default()).unwrap_err(),
        "have no numbers",
    );
    wrong(
        Sequence::file::<u8>(std::env::temp_dir()).unwrap_err(),
        "is a directory",
    );
    wrong(
        Sequence::file::<u8>("no such file").unwrap_err(),
        "cannot be read",
    );
    if std::path::Path::new("/dev/null").exists() {
        wrong(
            Sequence::file::<u8>("/dev/null").unwrap_err(),
            "no regular file",
        );
    }
    let empty = Scratch::of("empty", &[]);
    assert_eq!(
        Sequence::file::<u64>(&empty.0)
            .unwrap()
            .sum()
            .run(&Device::cpu())
            .unwrap(),
        0
    );
}

#[test]
fn a_file_that_becomes_shorter_ends_the_run() {
    let file = Scratch::of("shorter", &[1; 4000]);
    let mut chunks = 0;
    let path = file.0.clone();
    let sink = |_: &[u8]| {
        chunks += 1;
        std::fs::OpenOptions::new()
            .write(true)
            .open(&path)?
            .set_len(2000)
    };
    let read = Sequence::file::<u8>(&file.0)
        .unwrap()
        .for_each(sink)
        .chunk(100);
    let error = read.run(&Device::cpu()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Source);
    assert!(error.to_string().contains("became shorter"), "{error}");
    assert_eq!(error.chunk(), Some(chunks));
    assert_eq!(chunks, 20);
}

#[test]
fn a_file_has_its_name_when_it_is_complete() {
    let target = Scratch::of("complete", b"before");
    let partial = std::path::PathBuf::from(format!("{}.partial", target.0.display()));
    let failing = (0..100u32).inspect(|i| assert!(*i < 50, "the 50th"));
    let error = Sequence::from_iter(failing)
        .to_file(&target.0)
        .chunk(8)
        .run(&Device::cpu())
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Source);
    assert_eq!(std::fs::read(&target.0).unwrap(), b"before");
    assert!(!partial.exists());
    let none = Sequence::from_iter(0..0u32)
        .to_file(&target.0)
        .run(&Device::cpu())
        .unwrap();
    assert_eq!((none, std::fs::read(&target.0).unwrap()), (0, Vec::new()));
    assert!(!partial.exists());
    // Of two files, neither is there if one fails; two consumers do not write one file.
    let other = Scratch::new("other");
    let numbers = || Sequence::from_iter(0..9u32);
    let both = numbers().consume((to_file(&other.0), to_file("/no such folder/file")));
    assert_eq!(
        both.run(&Device::cpu()).unwrap_err().kind(),
        ErrorKind::Sink
    );
    assert!(!other.0.exists());
    let twice = numbers().consume((to_file(&other.0), to_file(&other.0)));
    let error = twice.run(&Device::cpu()).unwrap_err();
    assert!(error.to_string().contains("two consumers write"), "{error}");
    // A run that cannot begin has not read an iterator.
    let once = numbers();
    assert!(
        once.clone()
            .to_file(std::env::temp_dir())
            .run(&Device::cpu())
            .is_err()
    );
    assert_eq!(once.sum().run(&Device::cpu()).unwrap(), 36);
    let folder = numbers()
        .to_file(std::env::temp_dir())
        .run(&Device::cpu())
        .unwrap_err();
    assert!(folder.to_string().contains("is a directory"), "{folder}");
    let nowhere = Sequence::from_iter(0..9u32)
        .to_file("/no such folder/file")
        .run(&Device::cpu());
    assert_eq!(nowhere.unwrap_err().kind(), ErrorKind::Sink);
}
