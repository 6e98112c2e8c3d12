//! An entry is right or none, whatever has happened to it: by damage, by others, by many at once,
//! by a kill.

mod processes;

use std::fs;
use std::os::unix::fs::{PermissionsExt, chown, symlink};
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, SystemTime};

use super::folder::Folder;
use super::*;

/// A fresh cache, whose folder is not made yet.
fn cache(name: &str) -> Cache {
    let parent = std::env::temp_dir()
        .join(format!("obsidian-cache-test-{}", std::process::id()))
        .join(name);
    let _ = fs::remove_dir_all(&parent);
    fs::create_dir_all(&parent).unwrap();
    Cache::at(parent.join("cache"))
}

fn key(name: &str) -> Key {
    Key::of(&[name.as_bytes()])
}

/// Bytes that differ from place to place.
fn bytes(n: usize) -> Vec<u8> {
    (0..n as u32)
        .map(|i| (i.wrapping_mul(0x9E37_79B1) >> 24) as u8)
        .collect()
}

fn file(cache: &Cache, key: Key) -> PathBuf {
    cache.path().join(name(key))
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

/// Says that a test was skipped. Not through `println!`, which the test runner keeps to itself.
fn skipped(test: &str, why: &str) {
    let _ = std::io::Write::write_all(
        &mut std::io::stdout(),
        format!("skipped: {test}, because {why}\n").as_bytes(),
    );
}

#[test]
fn what_is_put_is_got() {
    let cache = cache("sizes");
    assert_eq!(cache.get(key("none")).unwrap(), None);
    for n in [0, 1, 63, 64, 65, 4099, 1_000_003] {
        let key = key(&n.to_string());
        cache.put(key, &bytes(n)).unwrap();
        assert_eq!(cache.get(key).unwrap(), Some(bytes(n)), "{n}");
        assert_eq!(mode(&file(&cache, key)), 0o600);
    }
    assert_eq!(mode(cache.path()), 0o700);
    cache.put(key("0"), b"other").unwrap();
    assert_eq!(cache.get(key("0")).unwrap(), Some(b"other".to_vec()));
    assert_eq!(fs::read_dir(cache.path()).unwrap().count(), 7);
}

#[test]
fn an_entry_that_is_cut_off_anywhere_is_none() {
    let (cache, key) = (cache("cut"), key("cut"));
    cache.put(key, &bytes(4099)).unwrap();
    let entry = fs::read(file(&cache, key)).unwrap();
    // Every 64th byte, and the places around the head.
    for n in (0..entry.len()).filter(|n| n % 64 == 0 || *n < 160 || *n == entry.len() - 1) {
        fs::write(file(&cache, key), &entry[..n]).unwrap();
        assert_eq!(cache.get(key).unwrap(), None, "cut off at {n}");
    }
    fs::write(file(&cache, key), [&entry[..], b"\0"].concat()).unwrap();
    assert_eq!(cache.get(key).unwrap(), None, "a byte too many");
    cache.put(key, &bytes(4099)).unwrap();
    assert_eq!(cache.get(key).unwrap(), Some(bytes(4099)));
}

#[test]
fn an_entry_with_a_changed_byte_is_none() {
    let (cache, key) = (cache("flipped"), key("flipped"));
    cache.put(key, &bytes(1031)).unwrap();
    let entry = fs::read(file(&cache, key)).unwrap();
    for at in 0..entry.len() {
        for change in [0x01, 0x20, 0xff] {
            let mut changed = entry.clone();
            changed[at] ^= change;
            fs::write(file(&cache, key), changed).unwrap();
            assert_eq!(
                cache.get(key).unwrap(),
                None,
                "byte {at} changed by {change:#x}"
            );
        }
    }
}

#[test]
fn an_entry_under_another_name_is_none() {
    let cache = cache("renamed");
    cache.put(key("a"), b"the code of a").unwrap();
    fs::rename(file(&cache, key("a")), file(&cache, key("b"))).unwrap();
    assert_eq!(cache.get(key("b")).unwrap(), None);
}

#[test]
fn what_is_no_file_is_none() {
    let (cache, key) = (cache("no_file"), key("no_file"));
    cache.put(key, b"content").unwrap();
    let (entry, elsewhere) = (file(&cache, key), cache.path().with_file_name("elsewhere"));
    // A link, even to an entry that is right; what it leads to is not touched when it is replaced.
    fs::rename(&entry, &elsewhere).unwrap();
    symlink(&elsewhere, &entry).unwrap();
    assert_eq!(cache.get(key).unwrap(), None);
    cache.put(key, b"other").unwrap();
    assert_eq!(cache.get(key).unwrap(), Some(b"other".to_vec()));
    assert!(fs::read(&elsewhere).unwrap().ends_with(b"content"));
    // A pipe, for whose other end nobody may wait.
    fs::remove_file(&entry).unwrap();
    assert!(
        Command::new("mkfifo")
            .arg(&entry)
            .status()
            .unwrap()
            .success()
    );
    assert_eq!(cache.get(key).unwrap(), None);
    // A folder, which cannot be replaced.
    fs::remove_file(&entry).unwrap();
    fs::create_dir(&entry).unwrap();
    assert_eq!(cache.get(key).unwrap(), None);
    assert!(cache.put(key, b"content").is_err());
    assert_eq!(
        fs::read_dir(cache.path()).unwrap().count(),
        1,
        "half a file is left"
    );
}

#[test]
fn a_folder_that_is_a_link_a_file_or_open_to_others_is_not_used() {
    let cache = cache("folders");
    let real = cache.path().with_file_name("real");
    let refused = |why: &str| {
        assert!(cache.get(key("a")).is_err(), "{why}: get");
        assert!(cache.put(key("a"), b"content").is_err(), "{why}: put");
    };
    fs::create_dir(&real).unwrap();
    fs::set_permissions(&real, fs::Permissions::from_mode(0o700)).unwrap();
    symlink(&real, cache.path()).unwrap();
    refused("a link");
    fs::remove_file(cache.path()).unwrap();
    fs::write(cache.path(), "a file").unwrap();
    refused("a file");
    fs::remove_file(cache.path()).unwrap();
    fs::rename(&real, cache.path()).unwrap();
    for open in [0o770, 0o707, 0o701, 0o755] {
        fs::set_permissions(cache.path(), fs::Permissions::from_mode(open)).unwrap();
        refused("others have access");
    }
    fs::set_permissions(cache.path(), fs::Permissions::from_mode(0o700)).unwrap();
    cache.put(key("a"), b"content").unwrap();
}

#[test]
fn a_folder_or_an_entry_of_another_user_is_not_used() {
    let (cache, key) = (cache("owners"), key("owners"));
    cache.put(key, b"content").unwrap();
    if chown(file(&cache, key), Some(12345), None).is_err() {
        skipped(
            "a_folder_or_an_entry_of_another_user_is_not_used",
            "only root can give files away",
        );
        return;
    }
    assert_eq!(cache.get(key).unwrap(), None);
    cache.put(key, b"ours").unwrap();
    assert_eq!(cache.get(key).unwrap(), Some(b"ours".to_vec()));
    chown(cache.path(), Some(12345), None).unwrap();
    let error = cache.get(key).unwrap_err().to_string();
    assert!(error.contains("another user"), "{error}");
    assert!(cache.put(key, b"content").is_err());
}

#[test]
fn a_folder_that_has_gone_is_made_again() {
    let (cache, key) = (cache("gone"), key("gone"));
    cache.put(key, b"content").unwrap();
    fs::remove_dir_all(cache.path()).unwrap();
    assert_eq!(cache.get(key).unwrap(), None);
    cache.put(key, b"content").unwrap();
    assert_eq!(cache.get(key).unwrap(), Some(b"content".to_vec()));
    // A file takes its place, and goes again.
    fs::remove_dir_all(cache.path()).unwrap();
    fs::write(cache.path(), "").unwrap();
    assert!(cache.get(key).is_err() && cache.put(key, b"content").is_err());
    fs::remove_file(cache.path()).unwrap();
    cache.put(key, b"content").unwrap();
    assert_eq!(cache.get(key).unwrap(), Some(b"content".to_vec()));
}

#[test]
fn what_killed_writers_have_left_is_removed_after_an_hour() {
    let cache = cache("halves");
    cache.put(key("a"), b"content").unwrap();
    for (name, age) in [("half-1-0", 7200), ("half-2-0", 60), ("other", 7200)] {
        let file = fs::File::create(cache.path().join(name)).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(age))
            .unwrap();
    }
    Folder::make(cache.path()).unwrap().clean(LIMIT);
    let mut left: Vec<_> = fs::read_dir(cache.path())
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect();
    left.sort();
    assert_eq!(left[1..], ["half-2-0", "other"]);
    assert_eq!(left[0], name(key("a")));
}

/// Sets the last use of an entry to `hours` hours ago.
fn used_before(cache: &Cache, key: Key, hours: u64) {
    let file = fs::File::options()
        .write(true)
        .open(file(cache, key))
        .unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(hours * 3600))
        .unwrap();
}

#[test]
fn what_was_used_last_stays_when_there_is_too_much() {
    let cache = cache("bounded");
    let keys: Vec<Key> = (0..10).map(|n| key(&n.to_string())).collect();
    for (n, key) in keys.iter().enumerate() {
        cache.put(*key, &bytes(1000)).unwrap();
        used_before(&cache, *key, 20 - n as u64);
    }
    fs::write(cache.path().join("other"), bytes(100_000)).unwrap();
    let entry = fs::metadata(file(&cache, keys[0])).unwrap().len();
    let there = || {
        keys.iter()
            .map(|key| u8::from(file(&cache, *key).exists()))
            .collect::<Vec<_>>()
    };
    let folder = Folder::make(cache.path()).unwrap();
    folder.clean(10 * entry);
    assert_eq!(there(), [1; 10], "no byte is too many");
    // The oldest but one is used, and counts as the newest from then on.
    assert_eq!(cache.get(keys[1]).unwrap(), Some(bytes(1000)));
    folder.clean(10 * entry - 1);
    assert_eq!(
        there(),
        [0, 1, 0, 0, 1, 1, 1, 1, 1, 1],
        "three quarters are left"
    );
    assert!(
        cache.path().join("other").exists(),
        "what is no entry is nobody's business"
    );
    folder.clean(0);
    assert_eq!(there(), [0; 10]);
}

#[test]
fn writers_clean_up_now_and_then() {
    let cache = cache("cleaning").with_limit(64 * 1024);
    for n in 0..300 {
        cache.put(key(&n.to_string()), &bytes(4000)).unwrap();
    }
    let left: u64 = fs::read_dir(cache.path())
        .unwrap()
        .map(|e| e.unwrap().metadata().unwrap().len())
        .sum();
    // 64 entries may come between.
    assert!(
        left <= 64 * 1024 + 64 * 4200,
        "{left} bytes are left of {}",
        300 * 4000
    );
    assert_eq!(cache.get(key("299")).unwrap(), Some(bytes(4000)));
}
