//! Which places of a file are free: taken where they fit best, given back and joined with their neighbours.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::Arc;

/// Places begin and end at multiples of this, so that what is given back fits something else.
const GRAIN: u64 = 64;

/// The segments of a file, and what is free in them.
#[derive(Debug)]
pub(super) struct Room<S> {
    /// Where each segment begins in the file, in that order.
    segments: Vec<(u64, S)>,
    /// Where the file ends.
    end: u64,
    /// Free places: where they begin, and their length. None crosses the end of a segment.
    free: BTreeMap<u64, u64>,
    /// The same by length.
    by_length: BTreeSet<(u64, u64)>,
    used: u64,
}

/// A place that was taken.
#[derive(Debug)]
pub(super) struct Place<S> {
    pub segment: S,
    /// Where it begins in the file.
    pub start: u64,
    /// Where it begins in its segment.
    pub offset: u64,
}

impl<S> Default for Room<S> {
    fn default() -> Self {
        Self { segments: Vec::new(), end: 0, free: BTreeMap::new(), by_length: BTreeSet::new(), used: 0 }
    }
}

impl<T> Room<Arc<T>> {
    /// How many bytes are taken, in whole grains.
    pub(super) fn used(&self) -> u64 {
        self.used
    }

    /// Every segment, in the order of the file.
    pub(super) fn segments(&self) -> Vec<Arc<T>> {
        self.segments.iter().map(|(_, segment)| Arc::clone(segment)).collect()
    }

    /// A place for so many bytes. Where nothing free is long enough, `grow` makes a segment of at least `segment` bytes that begins at the end of the file.
    pub(super) fn take(&mut self, length: u64, segment: u64, grow: impl FnOnce(u64, u64) -> io::Result<Arc<T>>) -> io::Result<Place<Arc<T>>> {
        let length = whole(length);
        if self.by_length.range((length, 0)..).next().is_none() {
            let grown = length.next_multiple_of(segment);
            let made = grow(self.end, grown)?;
            self.segments.push((self.end, made));
            self.add(self.end, grown);
            self.end += grown;
        }
        let found = self.by_length.range((length, 0)..).next().copied();
        let Some((room, start)) = found else { return Err(io::Error::other("no room was made")) };
        self.remove(start, room);
        if room > length {
            self.add(start + length, room - length);
        }
        self.used += length;
        let at = self.segments.partition_point(|(begin, _)| *begin <= start).saturating_sub(1);
        let Some((begin, segment)) = self.segments.get(at) else { return Err(io::Error::other("a place without a segment")) };
        Ok(Place { segment: Arc::clone(segment), start, offset: start - begin })
    }

    /// Gives a place back.
    pub(super) fn give_back(&mut self, segment: &Arc<T>, offset: u64, length: u64) {
        let Some((begin, _)) = self.segments.iter().find(|(_, own)| Arc::ptr_eq(own, segment)) else { return };
        let (mut start, mut length) = (begin + offset, whole(length));
        self.used -= length;
        let end = start + length;
        if let Some(&after) = self.free.get(&end).filter(|_| !self.begins(end)) {
            self.remove(end, after);
            length += after;
        }
        let before = self.free.range(..start).next_back().map(|(begin, room)| (*begin, *room));
        if let Some((begin, room)) = before.filter(|(begin, room)| begin + room == start && !self.begins(start)) {
            self.remove(begin, room);
            (start, length) = (begin, room + length);
        }
        self.add(start, length);
    }

    /// Whether a segment begins here.
    fn begins(&self, start: u64) -> bool {
        self.segments.binary_search_by_key(&start, |(begin, _)| *begin).is_ok()
    }

    fn add(&mut self, start: u64, length: u64) {
        self.free.insert(start, length);
        self.by_length.insert((length, start));
    }

    fn remove(&mut self, start: u64, length: u64) {
        self.free.remove(&start);
        self.by_length.remove(&(length, start));
    }
}

/// A length in whole grains, at least one.
fn whole(length: u64) -> u64 {
    length.max(1).next_multiple_of(GRAIN)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const SEGMENT: u64 = 1024;

    fn take(room: &mut Room<Arc<u64>>, length: u64) -> Place<Arc<u64>> {
        room.take(length, SEGMENT, |start, _| Ok(Arc::new(start))).unwrap()
    }

    #[test]
    fn a_segment_that_cannot_be_made_leaves_all_as_it_was() {
        let mut room = Room::<Arc<u64>>::default();
        assert!(room.take(1, SEGMENT, |_, _| Err(io::ErrorKind::StorageFull.into())).is_err());
        assert_eq!((room.used(), room.end), (0, 0));
        assert_eq!(take(&mut room, 1).start, 0);
    }

    proptest! {
        #[test]
        fn places_never_overlap_and_what_is_given_back_is_whole_again(steps in prop::collection::vec((1u64..3000, any::<bool>(), any::<prop::sample::Index>()), 1..60)) {
            let mut room = Room::default();
            let mut held: Vec<(Place<Arc<u64>>, u64)> = Vec::new();
            for (length, back, which) in steps {
                if back && !held.is_empty() {
                    let (place, length) = held.swap_remove(which.index(held.len()));
                    room.give_back(&place.segment, place.offset, length);
                } else {
                    let place = take(&mut room, length);
                    prop_assert_eq!(*place.segment + place.offset, place.start);
                    for (other, room) in &held {
                        prop_assert!(place.start + length <= other.start || other.start + room <= place.start);
                    }
                    held.push((place, length));
                }
            }
            for (place, length) in held.drain(..) {
                room.give_back(&place.segment, place.offset, length);
            }
            prop_assert_eq!(room.used(), 0);
            let whole: Vec<u64> = room.free.keys().copied().collect();
            let begins: Vec<u64> = room.segments.iter().map(|(begin, _)| *begin).collect();
            prop_assert_eq!(whole, begins, "each segment is one free place again");
            prop_assert_eq!(room.free.values().sum::<u64>(), room.end);
        }
    }
}
