//! The instructions of one text at three sizes. Another process of this program builds it, below
//! callgrind.

use std::path::Path;
use std::process::Command;

use xtask::callgrind;

use crate::{Extent, MOST};

/// The function whose instructions are counted.
const FUNCTION: &str = "*measure::edition_of*";

/// The instructions of a case at a size in bytes, at twice and at four times that size.
///
/// # Errors
/// Valgrind is missing, or the text cannot be built.
pub fn instructions(extent: Extent, case: usize, size: usize) -> Result<[u64; 3], String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut counts = [0; 3];
    for (count, size) in counts.iter_mut().zip([size, size * 2, size * 4]) {
        let mut command = Command::new(&program);
        if let Extent::Part(part) = extent {
            command.args(["--part", &part.to_string()]);
        }
        command.args(["--case", &case.to_string(), "--size", &size.to_string()]);
        *count = callgrind::count(&command, &[FUNCTION], Path::new("/dev/null"))?;
    }
    Ok(counts)
}

/// Whether the counts of a text, of twice and of four times the text grow faster than the text.
/// The differences leave out what does not depend on it.
#[must_use]
pub fn grows_faster([first, second, third]: [u64; 3]) -> bool {
    let (small, large) = (second.saturating_sub(first), third.saturating_sub(second));
    large as f64 > small as f64 * MOST
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_leaves_out_what_does_not_depend_on_the_text() {
        assert!(!grows_faster([1_010, 1_020, 1_040]), "linear");
        assert!(!grows_faster([1_010, 1_022, 1_048]), "n log n");
        assert!(grows_faster([1_010, 1_040, 1_160]), "quadratic");
        assert!(!grows_faster([1_000, 1_000, 1_000]), "constant");
    }
}
