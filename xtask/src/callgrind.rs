//! Instructions of a program's functions, counted by callgrind: times vary from machine to machine,
//! counts do not.

use std::path::Path;
use std::process::Command;

use crate::shell;
use crate::tools;

/// Installs valgrind where it is missing.
///
/// # Errors
/// Why it cannot be installed.
pub fn install() -> Result<(), String> {
    tools::debian(&["valgrind"], &["valgrind"]).map_err(|error| {
        format!(
            "valgrind cannot be installed: {}",
            error.lines().next().unwrap_or_default()
        )
    })
}

/// The instructions that a program spends in these functions, and in what they call. The details
/// are written to the file `details`, for `callgrind_annotate`.
///
/// # Errors
/// The program fails, or calls none of the functions.
pub fn count(program: &Command, functions: &[&str], details: &Path) -> Result<u64, String> {
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--collect-atstart=no"]);
    command.args(
        functions
            .iter()
            .map(|name| format!("--toggle-collect={name}")),
    );
    command.arg(format!("--callgrind-out-file={}", details.display()));
    command.arg(program.get_program()).args(program.get_args());
    let output = shell::output(&mut command)?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    match collected(&said) {
        Some(count) if output.status.success() => Ok(count),
        _ => Err(format!(
            "callgrind counted nothing:\n{}",
            shell::tail(&said, 10)
        )),
    }
}

/// The number after `Collected :`.
fn collected(said: &str) -> Option<u64> {
    said.lines()
        .find_map(|line| line.split_once("Collected :")?.1.trim().parse().ok())
        .filter(|count| *count > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_count_is_found() {
        assert_eq!(
            collected("==7== Events    : Ir\n==7== Collected : 15343050\n"),
            Some(15_343_050)
        );
        assert_eq!(collected("valgrind: no such file"), None);
        assert_eq!(
            collected("==7== Collected : 0\n"),
            None,
            "the function was not found"
        );
    }
}
