//! The programs, beside plain Rust, on the CPU and the simulator.

use obsidian_rt::Device;
use obsidian_rt::sequence::Sequence;
use streams::{crack, dot, matrix_vector, max_and_sum, md5, pages, rank, reference};

fn devices() -> [Device; 2] {
    [Device::cpu(), Device::simulator()]
}

/// A file for the time of a test.
struct Scratch(std::path::PathBuf);

impl Scratch {
    fn of(name: &str, bytes: impl AsRef<[u8]>) -> Self {
        let path = std::env::temp_dir().join(format!("streams-{}-{name}", std::process::id()));
        std::fs::write(&path, bytes).unwrap();
        Scratch(path)
    }
    fn numbers(name: &str, numbers: &[f32]) -> Self {
        Scratch::of(
            name,
            numbers
                .iter()
                .flat_map(|x| x.to_le_bytes())
                .collect::<Vec<u8>>(),
        )
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn vectors_and_matrices() {
    // Numbers whose sums are exact.
    let xs: Vec<f32> = (0..15_000).map(|i| ((i * 7 % 61) as f32) - 30.0).collect();
    let ys: Vec<f32> = (0..15_000).map(|i| ((i * 5 % 17) as f32) - 8.0).collect();
    let (x, y) = (Scratch::numbers("x", &xs), Scratch::numbers("y", &ys));
    for device in devices() {
        for chunk in [999usize, 4096, 20_000] {
            let found = dot(&x.0, &y.0).unwrap().chunk(chunk).run(&device).unwrap();
            assert_eq!(f64::from(found), reference::dot(&xs, &ys));
            let both = max_and_sum(&x.0).unwrap().chunk(chunk);
            let (largest, sum) = both.run(&device).unwrap();
            assert_eq!((largest, f64::from(sum)), reference::max_and_sum(&xs));
            let v = device.array([150], &ys[..150]).unwrap();
            let rows = matrix_vector(&x.0, &v).unwrap().chunk(chunk / 150 + 1);
            let found = rows.run(&device).unwrap().to_vec().unwrap();
            let want = reference::matrix_vector(&xs, &ys[..150]);
            assert_eq!(
                found.iter().map(|x| f64::from(*x)).collect::<Vec<_>>(),
                want
            );
        }
    }
    // The products are not stored, and two folds are one operator.
    let plan = dot(&x.0, &y.0).unwrap().plan(&Device::cpu()).unwrap();
    assert_eq!((plan.operators, plan.temporary_bytes), (1, 0));
    assert_eq!(
        max_and_sum(&x.0)
            .unwrap()
            .plan(&Device::cpu())
            .unwrap()
            .operators,
        1
    );
}

fn hexadecimal(digest: md5::Digest) -> String {
    let words = [digest.0, digest.1, digest.2, digest.3];
    let bytes = words.iter().flat_map(|word| word.to_le_bytes());
    bytes.map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn digests_are_those_of_the_rfc() {
    let known = [
        ("", "d41d8cd98f00b204e9800998ecf8427e"),
        ("a", "0cc175b9c0f1b6a831c399e269772661"),
        ("abc", "900150983cd24fb0d6963f7d28e17f72"),
        ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
        (
            "abcdefghijklmnopqrstuvwxyz",
            "c3fcd3d76192e4007dfb496cca67e13b",
        ),
        (
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
            "d174ab98d277d9f5a5611c2c9f419d9f",
        ),
        (
            "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
            "57edf4a22be3c955ac49da2e2107b67a",
        ),
    ];
    for (text, want) in known {
        assert_eq!(hexadecimal(reference::digest(text.as_bytes())), want);
    }
    let lines: Vec<&str> = known.iter().map(|(text, _)| *text).collect();
    let file = Scratch::of("rfc", lines.join("\n"));
    for device in devices() {
        let digests = Sequence::lines(&file.0)
            .unwrap()
            .map_chunks(md5::digests)
            .collect();
        let found = digests.chunk(50).run(&device).unwrap().to_vec().unwrap();
        let found: Vec<String> = found.into_iter().map(hexadecimal).collect();
        assert_eq!(found, known.map(|(_, want)| want));
    }
}

#[test]
fn digests_of_any_length() {
    let text = |length: usize| (0..length).map(move |i| b'a' + ((i * i + length) % 26) as u8);
    let words: Vec<Vec<u8>> = (0..=200).map(|length| text(length).collect()).collect();
    let file = Scratch::of("lengths", words.join(&b'\n'));
    let want: Vec<md5::Digest> = words.iter().map(|word| reference::digest(word)).collect();
    let nothing = Scratch::of("nothing", "\n\n\n");
    for device in devices() {
        let digests = Sequence::lines(&file.0).unwrap().map_chunks(md5::digests);
        let found = digests.clone().collect().chunk(3000).run(&device).unwrap();
        assert_eq!(found.to_vec().unwrap(), want);
        // A chunk whose words have no bytes, alone and beside others.
        let few = digests.collect().take(5).chunk(1).run(&device).unwrap();
        assert_eq!(few.to_vec().unwrap(), want[..5]);
        let empty = Sequence::lines(&nothing.0)
            .unwrap()
            .map_chunks(md5::digests)
            .collect();
        assert_eq!(empty.run(&device).unwrap().to_vec().unwrap(), [want[0]; 3]);
    }
}

#[test]
fn words_are_found() {
    let words: Vec<String> = (0..3000u32)
        .map(|i| format!("{:x}", i.wrapping_mul(2_654_435_761)))
        .collect();
    let file = Scratch::of("words", words.join(" \n"));
    let of = |word: &str| reference::digest(word.as_bytes());
    for chunk in [1000usize, 1 << 20] {
        let wanted = [
            of(&words[2999]),
            of("not there"),
            of(&words[0]),
            of(&words[1234]),
        ];
        let table = md5::table(&Device::cpu(), &wanted).unwrap();
        let (run, found) = crack(&file.0, &table).unwrap();
        run.chunk(chunk).run(&Device::cpu()).unwrap();
        let found: Vec<(u64, u32)> = found
            .borrow()
            .iter()
            .map(|hit| (hit.word, hit.digest))
            .collect();
        assert_eq!(found, [(0, 2), (1234, 3), (2999, 0)]);
    }
}

#[test]
fn ranks_are_those_of_plain_rust() {
    let links: Vec<[u32; 2]> = (0..5000u32)
        .map(|i| [i * i % 97 % 90, i * 31 % 101 % 99])
        .collect();
    let bytes: Vec<u8> = links
        .iter()
        .flatten()
        .flat_map(|page| page.to_le_bytes())
        .collect();
    let file = Scratch::of("links", bytes);
    let want = reference::rank(&links, 100, 4);
    for device in devices() {
        let found = rank(&device, &file.0, 100, 4).unwrap();
        assert_eq!(found, want);
        assert_eq!(found.iter().sum::<u64>(), pages::WHOLE);
    }
    let error = rank(&Device::cpu(), &file.0, 50, 1).unwrap_err();
    assert_eq!(error.kind(), obsidian_rt::ErrorKind::Fault, "{error}");
}
