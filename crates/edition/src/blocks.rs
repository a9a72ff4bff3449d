//! Header sections that are made once for an edition: what all answers of one shape have in common is written for the first of them.

use std::sync::OnceLock;

use http::HeaderMap;

/// Write-once places for header sections, by the number of their shape. What the numbers mean is the business of who fills them.
#[derive(Debug)]
pub struct Blocks(Box<[OnceLock<Box<HeaderMap>>]>);

impl Default for Blocks {
    fn default() -> Self {
        Self((0..Self::PLACES).map(|_| OnceLock::new()).collect())
    }
}

impl Blocks {
    /// How many shapes there may be.
    pub const PLACES: usize = 640;

    /// The section of this shape, made on first use. It must follow from the edition and the shape alone.
    pub fn get(&self, shape: usize, make: impl FnOnce() -> HeaderMap) -> HeaderMap {
        match self.0.get(shape) {
            Some(place) => HeaderMap::clone(place.get_or_init(|| Box::new(make()))),
            None => make(),
        }
    }
}
