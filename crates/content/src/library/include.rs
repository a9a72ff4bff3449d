//! The files that a text includes: only those visible to readers, and what was found when the text
//! was read.

use std::{cell::RefCell, collections::BTreeMap};

use jiff::Timestamp;

use super::{
    article::Kind,
    dates, files,
    visibility::{self, Visibility},
};
use crate::dialects::Named;
use crate::model::{
    fingerprint::{Digest, Fingerprint, of_bytes},
    format::Format,
    sources::{LOCK_FILE, SourceFile, Sources},
    text::decode,
};
use crate::syntax::{front::split, settings};

/// The largest file that may be included, in bytes.
const LARGEST: usize = 1_000_000;

/// The paths that one text asked for, with digests of their results.
pub type Asked = Vec<(String, Digest)>;

/// Reads the includes of one text and records the requested paths.
pub struct Includes<'a> {
    sources: &'a Sources,
    now: Timestamp,
    asked: RefCell<BTreeMap<String, Digest>>,
}

impl<'a> Includes<'a> {
    pub fn new(sources: &'a Sources, now: Timestamp) -> Self {
        Self {
            sources,
            now,
            asked: RefCell::default(),
        }
    }

    /// The result of a path in an include.
    pub fn read(&self, path: &str) -> Named {
        let found = find(self.sources, path, self.now);
        self.asked
            .borrow_mut()
            .insert(path.to_owned(), digest(&found));
        found
    }

    pub fn asked(self) -> Asked {
        self.asked.into_inner().into_iter().collect()
    }
}

/// Whether paths still give the same results as when a text asked for them.
pub fn unchanged(asked: &Asked, sources: &Sources, now: Timestamp) -> bool {
    asked
        .iter()
        .all(|(path, before)| digest(&find(sources, path, now)) == *before)
}

fn digest(found: &Named) -> Digest {
    match found {
        Named::Text(text) => Fingerprint::of(&(0, of_bytes(text.as_bytes()))),
        Named::Closed(why) => Fingerprint::of(&(1, why)),
        Named::Missing => Fingerprint::of(&2),
    }
}

/// A text that is visible now, without its front matter.
fn find(sources: &Sources, path: &str, now: Timestamp) -> Named {
    let Some(file) = files::find(sources, path) else {
        return Named::Missing;
    };
    if let Some(why) = closed(file) {
        return Named::Closed(why.to_owned());
    }
    let (text, _) = decode(&file.bytes, path);
    if Format::of(path).is_none() {
        return Named::Text(text.into_owned());
    }
    let split = split(&text, path);
    let window = dates::read(
        &split.front,
        file,
        Kind::Article,
        None,
        now,
        &mut Vec::new(),
    )
    .window;
    match withheld(&visibility::decide(&split.front, window, now)) {
        Some(why) => Named::Closed(why.to_owned()),
        None => Named::Text(split.body.to_owned()),
    }
}

/// Why a text is not visible now.
fn withheld(visibility: &Visibility) -> Option<&'static str> {
    match visibility {
        Visibility::Published | Visibility::Unlisted => None,
        Visibility::Draft(_) => Some("it is a draft"),
        Visibility::Scheduled(_) => Some("it is scheduled for later"),
        Visibility::Expired(_) => Some("it has expired"),
    }
}

/// Why a file cannot be included, whatever its content.
fn closed(file: &SourceFile) -> Option<&'static str> {
    let path = &*file.path;
    if path == settings::FILE
        || path == LOCK_FILE
        || path.split('/').any(|folder| folder == "_drafts")
    {
        return Some("it is not for readers");
    }
    if file.bytes.len() > LARGEST {
        return Some("it is larger than 1 MB");
    }
    let is_text = std::str::from_utf8(&file.bytes).is_ok() && !file.bytes.contains(&0);
    (!is_text).then_some("it is no text")
}
