//! Values of header fields that are one resource's own, written at its first answer and kept.

use std::sync::OnceLock;

use http::HeaderValue;

/// Write-once places for a resource's own header values, by number; nothing is allocated before the first. What the numbers mean is the
/// business of who fills them.
#[derive(Debug, Default)]
pub struct Values(OnceLock<Box<Places>>);

type Places = [OnceLock<Option<HeaderValue>>; Values::PLACES];

impl Values {
    /// How many values there may be.
    pub const PLACES: usize = 12;

    /// The value at this place, made on first use; `None` when it cannot be written, or there is no such place. It must follow from the
    /// edition and the resource alone.
    pub fn get(&self, place: usize, make: impl FnOnce() -> Option<HeaderValue>) -> Option<&HeaderValue> {
        self.0.get_or_init(Box::default).get(place)?.get_or_init(make).as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_made_once() {
        let values = Values::default();
        let first = values.get(3, || HeaderValue::from_str("a").ok()).unwrap().clone();
        assert_eq!(values.get(3, || HeaderValue::from_str("b").ok()), Some(&first));
        assert_eq!(values.get(4, || None), None);
        assert_eq!(values.get(4, || HeaderValue::from_str("b").ok()), None, "what cannot be written is not tried again");
        assert_eq!(values.get(Values::PLACES, || HeaderValue::from_str("b").ok()), None);
    }
}
