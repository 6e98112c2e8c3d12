//! The process that does what may hang or crash: a line of its input is a request, a line of its
//! output the answer.

use std::io::{self, BufRead, Write};
use std::time::Duration;

use obsidian_rt::prelude::*;

use crate::bench::{About, answered};
use crate::{Extent, cases, checks, report};

/// Says what the device is, behind `ready`, and answers requests until there are no more:
/// `check`, its name, an extent and a number of threads (0: the kernels' own), or work, by whom and size; apart by tabs. A row is measured for
/// `each`.
///
/// # Errors
/// Input and output that are closed.
pub fn serve(
    device: &Device,
    each: Duration,
    requests: impl BufRead,
    mut answers: impl Write,
) -> io::Result<()> {
    writeln!(answers, "ready\t{}", About::of(device).line())?;
    answers.flush()?;
    for request in requests.lines() {
        let answer = answer(device, each, &request?);
        writeln!(answers, "{answer}")?;
        answers.flush()?;
    }
    Ok(())
}

fn answer(device: &Device, each: Duration, request: &str) -> String {
    let mut fields = request.split('\t');
    if let [Some("check"), Some(name), Some(extent), Some(threads)] =
        [(); 4].map(|()| fields.next())
        && let Some(extent) = Extent::read(extent)
        && let Ok(threads) = threads.parse::<u32>()
        && let Some(check) = checks::all().into_iter().find(|check| check.name == name)
    {
        let threads = (threads > 0).then_some(threads);
        return report::line(&cases(device, &check, extent, threads));
    }
    answered(device, each, request).unwrap_or_else(|| format!("there is no `{request}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_answered() -> io::Result<()> {
        let requests = "check\treduction: large_sum\town\t0\nscan\tscan: large_scan\t8192\nscan\tnobody\t1\nwhat\n";
        let mut said = Vec::new();
        serve(
            &Device::cpu(),
            Duration::ZERO,
            requests.as_bytes(),
            &mut said,
        )?;
        let said = String::from_utf8_lossy(&said).into_owned();
        let lines: Vec<&str> = said.lines().collect();
        assert!(lines[0].starts_with("ready\tcpu\t"), "{said}");
        assert!(lines[1].contains("\"length\":4099"), "{said}");
        assert!(
            lines[2].starts_with("scan\tscan: large_scan\t8192\t65536\t0\t0\t")
                && lines[2].ends_with("\tright"),
            "{said}"
        );
        assert!(
            lines[3].ends_with("failed: there is no such work"),
            "{said}"
        );
        assert_eq!(lines[4..], ["there is no `what`"]);
        Ok(())
    }
}
