//! Elements of different lengths.

use obsidian_rt::arrays::zip_with;
use obsidian_rt::language::lit;
use obsidian_rt::sequence::Sequence;
use obsidian_rt::{Device, ErrorKind};

use crate::{Scratch, devices};

/// Lists of 0 to 40 numbers.
fn lists(count: usize) -> (Vec<u32>, Vec<usize>) {
    let (mut values, mut offsets) = (Vec::new(), vec![0]);
    for i in 0..count {
        let length = (i * i * 7 + 3 * i) % 41;
        values.extend((0..length).map(|k| (i * 31 + k * 17) as u32));
        offsets.push(values.len());
    }
    (values, offsets)
}

#[test]
fn lists_are_folded_in_any_chunks() {
    for device in devices() {
        for count in [0usize, 1, 2, 50] {
            let (values, offsets) = lists(count);
            let each = || offsets.windows(2).map(|ends| &values[ends[0]..ends[1]]);
            let sums: Vec<u32> = each()
                .map(|list| list.iter().map(|x| x * 2).sum())
                .collect();
            let lengths: Vec<u32> = each().map(|list| list.len() as u32).collect();
            for chunk in [1usize, 5, 41, 300, 5000] {
                let lists = Sequence::segments(&values, &offsets);
                let found = lists
                    .clone()
                    .map_chunks(|lists| lists.map(|x| x * 2).fold(|x, y| x + y, lit(0)));
                let both = found
                    .collect()
                    .and(lists.clone().map_chunks(|lists| lists.lengths()).collect());
                let both = both.and(lists.map_chunks(|lists| lists.values).collect());
                let ((found, lens), all) = both.chunk(chunk).run(&device).unwrap();
                assert_eq!(
                    found.to_vec().unwrap(),
                    sums,
                    "{count} in chunks of {chunk}"
                );
                assert_eq!(lens.to_vec().unwrap(), lengths);
                assert_eq!(all.to_vec().unwrap(), values);
            }
        }
    }
}

#[test]
fn lists_are_zipped_with_numbers() {
    let (values, offsets) = lists(60);
    let weights: Vec<u32> = (0..70).map(|i| i % 5 + 1).collect();
    let want: Vec<u32> = offsets
        .windows(2)
        .zip(&weights)
        .map(|(ends, w)| w * values[ends[0]..ends[1]].iter().max().copied().unwrap_or(0))
        .collect();
    for chunk in [1usize, 64, 1000] {
        let lists = Sequence::segments(&values, &offsets).zip(Sequence::slice(&weights));
        let found = lists.map_chunks(|(lists, weights)| {
            zip_with(|x, w| x * w, lists.fold(|x, y| x.max(y), lit(0)), weights)
        });
        // Chunks end where lists do, for the weights, too.
        let found = found.collect().chunk(chunk).run(&Device::cpu()).unwrap();
        assert_eq!(found.to_vec().unwrap(), want);
    }
    let rest = Sequence::segments(&values, &offsets)
        .map_chunks(|lists| lists.lengths())
        .sum();
    let few = rest.skip(57).take(2).run(&Device::cpu()).unwrap();
    assert_eq!(few as usize, offsets[59] - offsets[57]);
}

#[test]
fn lines_and_words_are_those_of_the_text() {
    let texts: [&[u8]; 8] = [
        b"",
        b"\n",
        b"one",
        b"one\n",
        b"one\r\ntwo\n\nfour \xff bytes\n",
        b"  a b\tc \n\n d\r\n",
        b"\n\n\n",
        b"a very long line that is longer than all chunks of this test, and a\nshort\none\n",
    ];
    for (n, text) in texts.iter().enumerate() {
        let file = Scratch::of(&format!("text-{n}"), text);
        let lines: Vec<&[u8]> = {
            let mut lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').collect();
            if lines.last() == Some(&&b""[..]) {
                lines.pop();
            }
            lines
                .iter()
                .map(|line| line.strip_suffix(b"\r").unwrap_or(line))
                .collect()
        };
        let words: Vec<&[u8]> = text
            .split(u8::is_ascii_whitespace)
            .filter(|word| !word.is_empty())
            .collect();
        for chunk in [1usize, 4, 9, 1000] {
            for (of, want) in [
                (Sequence::lines(&file.0).unwrap(), &lines),
                (Sequence::words(&file.0).unwrap(), &words),
            ] {
                let both = of.clone().map_chunks(|text| text.lengths()).collect();
                let both = both.and(of.map_chunks(|text| text.values).collect());
                let (lengths, bytes) = both.chunk(chunk).run(&Device::cpu()).unwrap();
                let lens: Vec<u32> = want.iter().map(|line| line.len() as u32).collect();
                assert_eq!(
                    lengths.to_vec().unwrap(),
                    lens,
                    "text {n} in chunks of {chunk}"
                );
                assert_eq!(bytes.to_vec().unwrap(), want.concat());
            }
        }
        let skipped = Sequence::words(&file.0)
            .unwrap()
            .map_chunks(|words| words.lengths())
            .collect();
        let skipped = skipped.skip(1).run(&Device::cpu()).unwrap();
        assert_eq!(skipped.len(), words.len().saturating_sub(1));
    }
}

#[test]
fn offsets_that_are_none_are_refused() {
    for offsets in [&[][..], &[0, 2], &[1, 3], &[0, 2, 1, 3], &[0, 4]] {
        let lists = Sequence::segments(&[1u8, 2, 3], offsets).map_chunks(|lists| lists.lengths());
        let error = lists.sum().run(&Device::cpu()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::UnequalLengths, "{error}");
    }
    assert_eq!(
        Sequence::lines("no such file").unwrap_err().kind(),
        ErrorKind::File
    );
    assert_eq!(
        Sequence::words(std::env::temp_dir()).unwrap_err().kind(),
        ErrorKind::File
    );
}
