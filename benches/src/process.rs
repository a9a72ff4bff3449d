//! The cost of a process, as counted by the operating system.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::middle::median_time;
use xtask::shell::line;

/// The cost of one run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// Elapsed time.
    pub wall: Duration,
    /// User and system time of the process and its children.
    pub cpu: Duration,
    /// Peak memory in bytes (maximum resident set size).
    pub peak: u64,
}

/// Runs a program to its end and discards its output.
///
/// # Errors
/// It cannot be started, or its exit status is not 0.
#[allow(
    unsafe_code,
    reason = "the standard library does not tell what a child used"
)]
pub fn cost(command: &mut Command) -> Result<Cost, String> {
    let said =
        tempfile::NamedTempFile::new().map_err(|error| format!("no temporary file: {error}"))?;
    let errors = said
        .reopen()
        .map_err(|error| format!("no temporary file: {error}"))?;
    let begun = Instant::now();
    let child = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(errors)
        .spawn();
    let child = child.map_err(|error| format!("cannot run `{}`: {error}", line(command)))?;
    let pid = libc::pid_t::try_from(child.id()).map_err(|error| error.to_string())?;
    let mut status = 0;
    // SAFETY: all zeroes is a valid value of this struct of integers.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: both pointers are to locals that outlive the call; the process is our child, and
    // nothing else waits for it (`Child` never waits by itself).
    let waited = unsafe { libc::wait4(pid, &raw mut status, 0, &raw mut usage) };
    let wall = begun.elapsed();
    if waited != pid || status != 0 {
        let said = std::fs::read_to_string(said.path()).unwrap_or_default();
        return Err(format!(
            "`{}`: status {status}\n{}",
            line(command),
            xtask::shell::tail(&said, 20)
        ));
    }
    let time = |time: libc::timeval| {
        Duration::new(
            time.tv_sec.unsigned_abs(),
            u32::try_from(time.tv_usec * 1_000).unwrap_or(0),
        )
    };
    Ok(Cost {
        wall,
        cpu: time(usage.ru_utime) + time(usage.ru_stime),
        peak: usage.ru_maxrss.unsigned_abs() * 1024,
    })
}

/// The median of each measure separately.
pub fn median(costs: &[Cost]) -> Option<Cost> {
    let mut peaks: Vec<u64> = costs.iter().map(|cost| cost.peak).collect();
    peaks.sort_unstable();
    Some(Cost {
        wall: median_time(costs.iter().map(|cost| cost.wall).collect()),
        cpu: median_time(costs.iter().map(|cost| cost.cpu).collect()),
        peak: *peaks.get(peaks.len() / 2)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_works_costs_time_and_memory() {
        let cost = cost(
            Command::new("sh").args(["-c", "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done"]),
        )
        .unwrap();
        assert!(
            cost.cpu > Duration::ZERO && cost.wall >= cost.cpu / 4 && cost.peak > 100_000,
            "{cost:?}"
        );
        assert!(super::cost(&mut Command::new("false")).is_err());
    }
}
