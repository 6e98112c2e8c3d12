//! Releases of CUDA, and the version of PTX that came with each.

pub(super) use obsidian_toolchain::engine::Version;

/// The newest PTX of a CUDA release from 11.0 on, as the history of releases in NVIDIA's PTX manual
/// lists it; none for a release that is not known here. A driver takes the PTX of the release that
/// it belongs to.
pub(super) fn newest_ptx(cuda: Version) -> Option<Version> {
    match cuda {
        (11, minor @ 0..=8) => Some((7, minor)),
        (12, minor @ 0..=5) => Some((8, minor)),
        // The only release that brought nothing new.
        (12, 6) => Some((8, 5)),
        (12, minor @ 7..=9) => Some((8, minor - 1)),
        (13, minor @ 0..=2) => Some((9, minor)),
        _ => None,
    }
}

/// Does a driver for one release take the PTX that a compiler of another makes?
pub(super) fn takes_ptx(driver: Version, compiler: Version) -> bool {
    compiler <= driver
        || newest_ptx(compiler)
            .is_some_and(|made| newest_ptx(driver).is_some_and(|newest| made <= newest))
}

/// The version that a PTX text says.
pub(super) fn of_ptx(ptx: &str) -> Option<Version> {
    let (major, minor) = ptx
        .lines()
        .find_map(|line| line.strip_prefix(".version "))?
        .trim()
        .split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_ptx_never_fall() {
        let releases = (11..=13).flat_map(|major| (0..=9).map(move |minor| (major, minor)));
        let known: Vec<_> = releases.filter_map(newest_ptx).collect();
        assert_eq!(known.len(), 9 + 10 + 3);
        assert!(known.is_sorted(), "{known:?}");
    }

    #[test]
    fn a_text_says_its_version() {
        assert_eq!(
            of_ptx("// a comment\n\n.version 8.5\n.target sm_90\n"),
            Some((8, 5))
        );
        assert_eq!(of_ptx(".target sm_90\n"), None);
        assert_eq!(of_ptx(""), None);
    }
}
