//! Running a program with a limit on its time, and ending all that it has started.

use std::io;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::output::Printed;

/// How a program came to its end, and what it printed.
pub(super) struct Ended {
    /// None: it took too long, and was killed.
    pub(super) status: Option<ExitStatus>,
    pub(super) stdout: String,
    pub(super) stderr: String,
}

/// Runs a program to its end, or to the limit. When this returns, the processes of its group are
/// gone as well.
///
/// A compiler starts others. When it alone is killed, they go on and write their output later; so
/// it has a process group of its own, which is killed as a whole, also after a good end. An
/// interrupt from the terminal does not reach that group: if it ends us, the compiler goes on to
/// its end, in its private folder.
pub(super) fn run(command: &mut Command, limit: Duration) -> io::Result<Ended> {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let (stdout, stderr) = (
        Printed::of(child.stdout.take()),
        Printed::of(child.stderr.take()),
    );
    let in_time = wait(&mut child, limit);
    kill_group(&mut child);
    let status = child.wait()?;
    let status = in_time?.then_some(status);
    Ok(Ended {
        status,
        stdout: stdout.text(),
        stderr: stderr.text(),
    })
}

/// Waits until a program has ended or its time is over, and says whether it has ended.
fn wait(child: &mut Child, limit: Duration) -> io::Result<bool> {
    let start = Instant::now();
    let mut pause = Duration::from_micros(500);
    while !has_ended(child)? {
        if start.elapsed() >= limit {
            return Ok(false);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(10));
    }
    Ok(true)
}

/// Has it ended? It stays a zombie, so that its number, which is that of its group, goes to no
/// other process before the group is killed.
#[cfg(unix)]
fn has_ended(child: &mut Child) -> io::Result<bool> {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    Ok(waitid(WaitId::Pid(Pid::from_child(child)), options)?.is_some())
}

#[cfg(unix)]
fn kill_group(child: &mut Child) {
    use rustix::process::{Pid, Signal, kill_process_group};
    // It fails where nothing is left to kill.
    let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
}

#[cfg(not(unix))]
fn has_ended(child: &mut Child) -> io::Result<bool> {
    child.try_wait().map(|status| status.is_some())
}

#[cfg(not(unix))]
fn kill_group(child: &mut Child) {
    // It fails where it has ended already.
    let _ = child.kill();
}
