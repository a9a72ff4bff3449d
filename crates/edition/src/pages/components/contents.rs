//! The contents list of a page: its headings.

use super::super::page_data::PageData;
use super::super::shared::fragment;
use crate::theme::context::HeadingContext;

/// A contents list needs at least this many headings …
const HEADINGS: usize = 3;
/// … and at least this many words.
const WORDS: usize = 800;
/// The most that it adds to a page, in bytes of its HTML: of more headings it has those of level 2,
/// of more of these the first.
const BYTES: usize = 1_200;
/// The most where a tree is beside it.
const BESIDE_TREE: usize = 800;
/// The bytes of an entry beside its title and address.
const ENTRY: usize = 21;
/// The bytes of the class of an entry of level 3.
const CLASS: usize = 11;

/// The headings of levels 2 and 3 for the contents list, if there are enough of
/// them in a long text.
pub(crate) fn headings(
    data: &PageData<'_>,
    words: usize,
    printed: impl Fn(&str) -> String,
) -> Vec<HeadingContext> {
    if words <= WORDS {
        return Vec::new();
    }
    let room = match data.place {
        Some(_) => BESIDE_TREE,
        None => BYTES,
    };
    let parts = data.parts.iter();
    let headings = parts
        .flat_map(|part| part.document.headings())
        .filter(|heading| matches!(heading.level, 2 | 3));
    let mut found: Vec<HeadingContext> = headings
        .map(|heading| HeadingContext {
            level: heading.level,
            href: fragment(&heading.id),
            text: printed(&heading.text),
        })
        .collect();
    if found.len() < HEADINGS {
        return Vec::new();
    }
    shorten(&mut found, room);
    found
}

/// Leaves out the headings for which there is no room.
fn shorten(found: &mut Vec<HeadingContext>, room: usize) {
    if first_beyond(found, room).is_some() {
        found.retain(|heading| heading.level == 2);
    }
    if let Some(at) = first_beyond(found, room) {
        found.truncate(at + 1);
        if let Some(last) = found.last_mut() {
            "…".clone_into(&mut last.text);
        }
    }
}

/// The first heading that is too much for a contents list of so many bytes.
fn first_beyond(headings: &[HeadingContext], mut room: usize) -> Option<usize> {
    headings.iter().position(|heading| {
        let left = room.checked_sub(size(heading));
        room = left.unwrap_or(0);
        left.is_none()
    })
}

/// The bytes of a heading in the contents list.
pub(crate) fn size(heading: &HeadingContext) -> usize {
    let class = if heading.level == 3 { CLASS } else { 0 };
    ENTRY + class + heading.href.len() + heading.text.len()
}
