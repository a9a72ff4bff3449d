//! The files of a site, where a configuration lists them by patterns.

use super::glob::Glob;

/// Some files of a site, by patterns of their paths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    pub files: Vec<Glob>,
    pub exclude: Vec<Glob>,
}

impl Selection {
    /// Whether a file is one of them.
    pub fn holds(&self, path: &str) -> bool {
        let any = |globs: &[Glob]| globs.iter().any(|glob| glob.fits(path));
        any(&self.files) && !any(&self.exclude)
    }
}
