//! Many processes over one cache: some damage it, some are killed. The children are this test
//! program again.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use super::{bytes, cache, file, key, skipped};
use crate::compile::cache::Cache;
use crate::compile::cache::folder::Folder;

const ROUNDS: u32 = 200;

/// The folder of the cache, and the number of the process: what a child is told.
const FOLDER: &str = "OBSIDIAN_TEST_FOLDER";
const NUMBER: &str = "OBSIDIAN_TEST_NUMBER";

/// The cache of a child; none for the test itself.
fn given() -> Option<(Cache, u32)> {
    let number = std::env::var(NUMBER).ok()?.parse().ok()?;
    Some((Cache::at(std::env::var_os(FOLDER)?.into()), number))
}

/// A test of this file again, as a child.
fn child(test: &str, cache: &Cache, number: u32) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args([
        "--exact",
        &format!("compile::cache::tests::processes::{test}"),
        "--nocapture",
    ]);
    command
        .env(FOLDER, cache.path())
        .env(NUMBER, number.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Numbers that look random, by a linear generator.
struct Numbers(u32);

impl Numbers {
    fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) % n
    }
}

/// What belongs to entry `n`: some of one byte, some of many pages.
fn content(n: u32) -> Vec<u8> {
    [
        &n.to_le_bytes()[..],
        &bytes([1, 200, 5_003, 100_003][n as usize % 4]),
    ]
    .concat()
}

/// One process: takes entries, writes those that are not there, and damages some. Every entry that
/// it gets has to be right.
fn work(cache: &Cache, number: u32) {
    let mut numbers = Numbers(number);
    let mut got = 0;
    for round in 0..ROUNDS {
        let n = numbers.below(6);
        let key = key(&n.to_string());
        match cache.get(key).unwrap() {
            Some(found) => {
                assert!(
                    found == content(n),
                    "a wrong entry {n} in round {round} of process {number}"
                );
                got += 1;
            }
            None => cache.put(key, &content(n)).unwrap(),
        }
        if numbers.below(10) == 0 {
            damage(
                &file(cache, key),
                numbers.below(4),
                numbers.below(1000) as usize,
            );
        }
    }
    assert!(got > ROUNDS / 10, "only {got} entries were found");
}

/// Damages a file, in place or not; others may do the same at the same time.
fn damage(path: &Path, how: u32, at: usize) {
    let Ok(mut bytes) = fs::read(path) else {
        return;
    };
    let at = at % bytes.len().max(1);
    let _ = match how {
        0 => fs::remove_file(path),
        1 => fs::write(path, &bytes[..at]),
        2 => fs::write(path, ""),
        _ => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 0x10;
            }
            fs::write(path, bytes)
        }
    };
}

#[test]
fn eight_processes_never_get_a_wrong_entry() {
    if let Some((cache, number)) = given() {
        return work(&cache, number);
    }
    let cache = cache("eight");
    let children: Vec<Child> = (1..=8)
        .map(|number| {
            child("eight_processes_never_get_a_wrong_entry", &cache, number)
                .spawn()
                .unwrap()
        })
        .collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&[output.stdout, output.stderr].concat())
        );
    }
    let halves = fs::read_dir(cache.path()).unwrap().filter(|e| {
        e.as_ref()
            .unwrap()
            .file_name()
            .to_str()
            .unwrap()
            .starts_with("half-")
    });
    assert_eq!(halves.count(), 0);
}

#[test]
fn eight_processes_that_clean_up_never_get_a_wrong_entry() {
    let test = "eight_processes_that_clean_up_never_get_a_wrong_entry";
    if let Some((cache, number)) = given() {
        let (mut numbers, mut got) = (Numbers(number), 0);
        for round in 0..ROUNDS {
            let n = numbers.below(24);
            match cache.get(key(&n.to_string())).unwrap() {
                Some(found) => {
                    assert!(
                        found == content(n),
                        "a wrong entry {n} in round {round} of process {number}"
                    );
                    got += 1;
                }
                None => cache.put(key(&n.to_string()), &content(n)).unwrap(),
            }
            // Room for half of them.
            Folder::make(cache.path()).unwrap().clean(350_000);
        }
        assert!(got > 0, "no entry was found");
        return;
    }
    let cache = cache("cleaning_processes");
    let children: Vec<Child> = (1..=8)
        .map(|number| child(test, &cache, number).spawn().unwrap())
        .collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&[output.stdout, output.stderr].concat())
        );
    }
    let bytes: u64 = fs::read_dir(cache.path())
        .unwrap()
        .map(|entry| entry.unwrap().metadata().unwrap().len())
        .sum();
    assert!(0 < bytes && bytes <= 350_000, "{bytes} bytes are left");
}

#[test]
fn a_process_that_is_killed_while_it_writes_leaves_no_wrong_entry() {
    let test = "a_process_that_is_killed_while_it_writes_leaves_no_wrong_entry";
    if let Some((cache, number)) = given() {
        loop {
            cache
                .put(key(&number.to_string()), &content(number))
                .unwrap();
        }
    }
    let cache = cache("killed");
    let (mut halves, mut whole, mut round) = (0, 0, 0u64);
    // On a fast disk few are killed while they write.
    while round < 40 || (halves == 0 && round < 1000) {
        // The largest content.
        let n = 3;
        fs::create_dir_all(cache.path().parent().unwrap()).unwrap();
        let mut child = child(test, &cache, n).spawn().unwrap();
        // Until it has written something, and a little longer each time.
        while !file(&cache, key(&n.to_string())).exists() {
            assert!(child.try_wait().unwrap().is_none(), "the child has ended");
            std::thread::yield_now();
        }
        std::thread::sleep(std::time::Duration::from_micros(170 * (round % 40)));
        child.kill().unwrap();
        child.wait().unwrap();
        match cache.get(key(&n.to_string())).unwrap() {
            Some(found) => {
                assert!(found == content(n), "a wrong entry in round {round}");
                whole += 1;
            }
            None => panic!("an entry that was there is gone in round {round}"),
        }
        halves += fs::read_dir(cache.path()).unwrap().count() - 1;
        fs::remove_dir_all(cache.path()).unwrap();
        round += 1;
    }
    println!("killed {round} times: {halves} halves were left, {whole} entries whole");
    assert!(halves > 0, "no process was killed while it wrote");
}

#[test]
fn a_full_disk_leaves_nothing() {
    let test = "a_full_disk_leaves_nothing";
    if let Some((cache, _)) = given() {
        let cache = Cache::at(cache.path().join("small"));
        cache.put(key("small"), &content(1)).unwrap();
        let error = cache.put(key("large"), &bytes(1 << 20)).unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::StorageFull);
        assert_eq!(cache.get(key("large")).unwrap(), None);
        assert_eq!(cache.get(key("small")).unwrap(), Some(content(1)));
        assert_eq!(fs::read_dir(cache.path()).unwrap().count(), 1);
        return;
    }
    let cache = cache("full");
    fs::create_dir(cache.path()).unwrap();
    let mount = |rest: &str| format!("mount -t tmpfs -o size=64k tmpfs \"$0\" && {rest}");
    let can = Command::new("unshare")
        .args(["-m", "sh", "-c", &mount("true")])
        .arg(cache.path())
        .output();
    if !can.is_ok_and(|output| output.status.success()) {
        skipped(test, "no disk can be mounted here");
        return;
    }
    let child = child(test, &cache, 0);
    let mut outer = Command::new("unshare");
    outer
        .args(["-m", "sh", "-c", &mount("exec \"$@\"")])
        .arg(cache.path())
        .arg(child.get_program())
        .args(child.get_args());
    let output = outer
        .env(FOLDER, cache.path())
        .env(NUMBER, "0")
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&[output.stdout, output.stderr].concat())
    );
}
