//! Code between backticks on a line.

/// Says whether a place of a line is code; asked at ascending offsets.
#[derive(Default)]
pub struct Backticks {
    counted: usize,
    odd: bool,
}

impl Backticks {
    pub fn is_code(&mut self, line: &str, at: usize) -> bool {
        let ticks = line[self.counted..at].matches('`').count();
        self.odd ^= !ticks.is_multiple_of(2);
        self.counted = at;
        self.odd
    }
}
