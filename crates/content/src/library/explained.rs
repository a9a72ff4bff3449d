//! Values with the reason for their choice.

/// A value and a phrase that names its origin.
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
