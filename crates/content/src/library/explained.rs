//! Values with the reason why they were chosen.

/// A value and the words that say where it comes from.
#[derive(Clone, Debug)]
pub struct Explained<T> {
    pub value: T,
    pub why: &'static str,
}

impl<T> Explained<T> {
    pub fn new(value: impl Into<T>, why: &'static str) -> Self {
        Self {
            value: value.into(),
            why,
        }
    }
}
