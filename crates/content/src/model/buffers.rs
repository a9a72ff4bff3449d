//! Room for texts that are made, handed on and thrown away: on each thread the same few pieces of memory serve all pages.
//!
//! An allocator gives what was freed to whoever asks a while later, so that each long text would be written to memory that the processor has not seen for long, or never.

use std::cell::RefCell;

/// So many pieces a thread keeps …
const FEW: usize = 4;
/// … and none of more bytes: room for a list of ten thousand articles is needed once.
pub const MOST: usize = 256 << 10;

thread_local!(static ROOM: RefCell<Vec<Vec<u8>>> = const { RefCell::new(Vec::new()) });

/// An empty text with room, if there is some.
pub fn text() -> String {
    // Empty, and so UTF-8.
    String::from_utf8(bytes()).unwrap_or_default()
}

/// As [`text`], for bytes.
pub fn bytes() -> Vec<u8> {
    ROOM.with_borrow_mut(Vec::pop).unwrap_or_default()
}

/// Gives the room of a text, or of bytes, to whoever asks next on this thread.
pub fn give_back(room: impl Into<Vec<u8>>) {
    let mut room = room.into();
    room.clear();
    if (1..=MOST).contains(&room.capacity()) {
        ROOM.with_borrow_mut(|kept| {
            if kept.len() < FEW {
                kept.push(room);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_is_used_again_unless_it_is_much_and_holds_nothing_of_before() {
        let mut first = text();
        first.push_str(&"a".repeat(1000));
        let place = first.as_ptr();
        give_back(first);
        let again = text();
        assert!(again.is_empty() && again.capacity() >= 1000 && again.as_ptr() == place);
        give_back(Vec::with_capacity(MOST + 1));
        assert_eq!(text().capacity(), 0);
        (0..10).for_each(|_| give_back("x".to_owned()));
        assert_eq!((0..10).filter(|_| bytes().capacity() > 0).count(), FEW);
    }
}
