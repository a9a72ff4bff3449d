//! How far a long build is, for the caller to show.

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A file of the folder is parsed.
    Parsed,
    /// A page is rendered.
    Rendered,
}

/// Called after each item with the total; by default nothing is called. It is a plain function, so
/// that no build depends on it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Steps(pub Option<fn(Step, usize)>);

impl Steps {
    /// One more is done, of `total`.
    pub fn done(self, step: Step, total: usize) {
        if let Some(tell) = self.0 {
            tell(step, total);
        }
    }
}
