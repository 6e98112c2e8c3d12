//! What is written is read again, and what is damaged is refused with its line.

use super::*;

const FILE: &str = "obsidian-tuned 1

kernel scans 00000000000000ff
any from 0: threads = 256, wide = true

kernel sums 5f0e3c1a9b7d2e44
any from 0: threads = 64, seq = 8
any from 4096: threads = 128, seq = -8
\"NVIDIA \\\"H200\\\" \\\\ 141GB\" from 0: threads = 64, seq = 16
\"cpu\" from 18446744073709551615: threads = 1, seq = 16

end
";

#[test]
fn a_file_is_read_and_written_as_it_is() {
    let tuned = Tuned::parse(FILE).unwrap();
    assert_eq!(tuned.to_string(), FILE);
    let choices = tuned.choices("sums").unwrap();
    assert_eq!(
        choices[2].device.as_deref(),
        Some("NVIDIA \"H200\" \\ 141GB")
    );
    assert_eq!(
        choices[1].values,
        [
            ("threads".to_owned(), Value::from(128u32)),
            ("seq".to_owned(), Value::from(-8i32))
        ]
    );
    assert_eq!((choices[3].from, choices[3].line), (u64::MAX, 10));
    assert_eq!(tuned.source("scans"), Some("00000000000000ff"));
}

#[test]
fn spaces_comments_and_line_ends_do_not_count() {
    let other = FILE
        .replace('\n', "\r\n# a comment\r\n\r\n")
        .replace(" = ", "=")
        .replace("kernel ", "  kernel   ");
    assert_eq!(Tuned::parse(&other).unwrap().to_string(), FILE);
}

#[test]
fn choosing_writes_the_same_file() {
    let mut tuned = Tuned::new();
    let hash = "5f0e3c1a9b7d2e44";
    let pair =
        |threads: u32, seq: i32| [("threads", Value::from(threads)), ("seq", Value::from(seq))];
    tuned
        .choose("sums", "0123456789abcdef", None, 7, &pair(9, 9))
        .unwrap();
    tuned
        .choose("sums", hash, Some("cpu"), u64::MAX, &pair(1, 16))
        .unwrap();
    tuned
        .choose("sums", hash, None, 4096, &pair(128, -8))
        .unwrap();
    tuned
        .choose(
            "sums",
            hash,
            Some("NVIDIA \"H200\" \\ 141GB"),
            0,
            &pair(32, 32),
        )
        .unwrap();
    tuned
        .choose(
            "sums",
            hash,
            Some("NVIDIA \"H200\" \\ 141GB"),
            0,
            &pair(64, 16),
        )
        .unwrap();
    tuned.choose("sums", hash, None, 0, &pair(64, 8)).unwrap();
    tuned
        .choose(
            "scans",
            "00000000000000ff",
            None,
            0,
            &[("threads", 256u32.into()), ("wide", true.into())],
        )
        .unwrap();
    assert_eq!(tuned.to_string(), FILE);
}

#[test]
fn what_the_file_cannot_hold_is_not_chosen() {
    let (mut tuned, hash, none) = (Tuned::new(), "5f0e3c1a9b7d2e44", [] as [(&str, Value); 0]);
    assert!(tuned.choose("a b", hash, None, 0, &none).is_err());
    assert!(tuned.choose("sums", "5f0e", None, 0, &none).is_err());
    assert!(
        tuned
            .choose("sums", hash, Some("two\nlines"), 0, &none)
            .is_err()
    );
    assert!(
        tuned
            .choose("sums", hash, None, 0, &[("a = 1, b", Value::from(1u32))])
            .is_err()
    );
    assert_eq!(tuned.to_string(), "obsidian-tuned 1\n\nend\n");
}

#[test]
fn each_line_that_is_wrong_is_named() {
    let cases = [
        ("obsidian-tuned 1", "obsidian-tuned 2", 1, "tune again"),
        ("obsidian-tuned 1", "# Notes", 3, "no tuned file"),
        (
            "kernel scans 00000000000000ff\n",
            "",
            3,
            "has to stand below",
        ),
        ("kernel scans", "kernel", 3, "come its name and the hash"),
        ("00000000000000ff", "ff", 3, "16 hexadecimal digits"),
        ("kernel scans", "kernel sums", 6, "on line 3 already"),
        ("any from 4096", "any from 0", 8, "on line 7 already"),
        ("any from 4096", "any from +5", 8, "`+5` is no number"),
        (
            "any from 4096",
            "any from 99999999999999999999",
            8,
            "no number of elements",
        ),
        ("any from 4096", "all from 4096", 8, "a line is such as"),
        ("\"cpu\"", "\"cpu", 10, "a line is such as"),
        ("wide = true", "wide = yes", 4, "`wide = yes` is no value"),
        ("wide = true", "threads = 1", 4, "`threads` has two values"),
        ("wide = true", "", 4, "is no value"),
    ];
    for (old, new, line, words) in cases {
        let error = Tuned::parse(&FILE.replacen(old, new, 1)).unwrap_err();
        assert!(error.to_string().contains(words), "{old} -> {new}: {error}");
        assert_eq!(error.line(), Some(line), "{old} -> {new}: {error}");
    }
    let more = Tuned::parse(&format!("{FILE}any from 9: threads = 1")).unwrap_err();
    assert_eq!(
        (
            more.line(),
            more.to_string().contains("nothing comes after")
        ),
        (Some(13), true),
        "{more}"
    );
    assert!(Tuned::parse("").unwrap_err().to_string().contains("empty"));
}

#[test]
fn a_file_that_was_cut_off_is_refused_wherever_that_was() {
    let ends = (0..FILE.len() - 1).filter(|end| FILE.is_char_boundary(*end));
    let read: Vec<usize> = ends
        .filter(|end| Tuned::parse(&FILE[..*end]).is_ok())
        .collect();
    assert_eq!(read, [0; 0]);
}

#[test]
fn a_kernel_that_is_not_there_is_told_those_that_are() {
    let error = Tuned::parse(FILE)
        .unwrap()
        .choices("maps")
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("`maps`") && error.contains("`scans`, `sums`"),
        "{error}"
    );
}

#[test]
fn notes_stand_above_their_choice_and_stay_until_it_is_chosen_anew() {
    let mut tuned = Tuned::parse(FILE).unwrap();
    assert!(tuned.note("sums", Some("cpu"), u64::MAX, "3 % ahead\nof the second"));
    assert!(!tuned.note("sums", Some("cpu"), 1, "no such choice"));
    assert!(!tuned.note("none", None, 0, "no such kernel"));
    let text = tuned.to_string();
    let noted =
        "\n# 3 % ahead of the second\n\"cpu\" from 18446744073709551615: threads = 1, seq = 16\n";
    assert!(text.contains(noted), "{text}");
    let mut again = Tuned::parse(&text).unwrap();
    assert_eq!(again.to_string(), text);
    assert_eq!(
        again.choices("sums").unwrap()[3].notes,
        ["3 % ahead of the second"]
    );
    let values = [("threads", Value::from(2u32)), ("seq", Value::from(16u32))];
    let source = again.source("sums").unwrap().to_owned();
    again
        .choose("sums", &source, Some("cpu"), u64::MAX, &values)
        .unwrap();
    assert!(!again.to_string().contains('#'), "{again}");
    let apart = text.replace("second\n", "second\n\n");
    assert!(
        !Tuned::parse(&apart).unwrap().to_string().contains('#'),
        "an empty line ends a note"
    );
}
