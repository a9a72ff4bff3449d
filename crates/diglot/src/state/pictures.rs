//! Drawn pictures between runs: one file each, named by the digest of its words and the digest of
//! words and bytes.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

use bytes::Bytes;
use diglot_edition::Digest;
use diglot_edition::card::CardCache;

use crate::{file, limits};

/// The pictures whose content matches their name, and the number of others: those are removed, so
/// that they are drawn and written again. A missing folder is empty.
pub(super) fn read(dir: &Path) -> (CardCache, usize) {
    let (mut card_cache, mut damaged) = (CardCache::default(), 0);
    for entry in fs::read_dir(dir)
        .into_iter()
        .flatten()
        .filter_map(Result::ok)
    {
        let name = entry.file_name();
        let Some((words, digest)) = name.to_str().and_then(named) else {
            continue;
        };
        let sound = file::read(&entry.path(), limits::PICTURE_BYTES).is_ok_and(|bytes| {
            sum(words, &bytes) == digest && card_cache.insert(words, Bytes::from(bytes))
        });
        if !sound {
            damaged += 1;
            // A leftover is harmless: it is found again.
            let _ = fs::remove_file(entry.path());
        }
    }
    (card_cache, damaged)
}

/// The digest of a picture together with its words, which also detects a picture under another's
/// name.
fn sum(words: Digest, picture: &[u8]) -> Digest {
    Digest::hash_parts([words, Digest::hash(picture)])
}

/// Makes the folder hold exactly these pictures; foreign files stay.
pub(super) fn write(dir: &Path, card_cache: &CardCache) -> io::Result<()> {
    fs::create_dir_all(dir)?;
    let mut there = BTreeSet::new();
    for entry in fs::read_dir(dir)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if named(&name).is_some() {
            there.insert(name);
        }
    }
    for (words, picture) in card_cache.iter() {
        let name = format!("{words}-{}.png", sum(words, picture));
        if there.remove(&name) {
            continue;
        }
        // Not flushed: a file half written at a power cut does not match the digest in its name.
        let mut new = tempfile::Builder::new()
            .prefix(".picture-")
            .tempfile_in(dir)?;
        new.write_all(picture)?;
        new.persist(dir.join(name)).map_err(|error| error.error)?;
    }
    there
        .into_iter()
        .try_for_each(|name| fs::remove_file(dir.join(name)))
}

/// The two digests in a picture's name.
fn named(name: &str) -> Option<(Digest, Digest)> {
    let (words, digest) = name.strip_suffix(".png")?.split_once('-')?;
    Some((Digest::parse(words)?, Digest::parse(digest)?))
}

#[cfg(test)]
mod tests {
    use diglot_edition::card::{CardText, draw};

    use super::*;

    fn card_cache(titles: &[&str]) -> CardCache {
        let mut card_cache = CardCache::default();
        for title in titles {
            let words = CardText {
                title,
                text: "",
                foot: "",
            };
            assert!(card_cache.insert(words.digest(), draw(&words).unwrap()));
        }
        card_cache
    }

    fn pictures(card_cache: &CardCache) -> Vec<(Digest, Bytes)> {
        card_cache
            .iter()
            .map(|(words, picture)| (words, picture.clone()))
            .collect()
    }

    #[test]
    fn pictures_come_back_and_old_ones_go() {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path().join("pictures");
        assert!(read(&dir).0.is_empty(), "no folder is no picture");
        let two = card_cache(&["One", "Two"]);
        write(&dir, &two).unwrap();
        fs::write(dir.join("notes.txt"), "not ours").unwrap();
        assert_eq!(pictures(&read(&dir).0), pictures(&two));
        let other = card_cache(&["Two", "Three"]);
        write(&dir, &other).unwrap();
        assert_eq!(pictures(&read(&dir).0), pictures(&other));
        assert_eq!(
            fs::read_dir(&dir).unwrap().count(),
            3,
            "two pictures, and what is not ours"
        );
    }

    #[test]
    fn a_picture_that_is_not_what_its_name_says_is_drawn_and_written_anew() {
        let dir = tempfile::tempdir().unwrap();
        let one = card_cache(&["One", "Two"]);
        write(dir.path(), &one).unwrap();
        let files = || {
            fs::read_dir(dir.path())
                .unwrap()
                .map(|entry| entry.unwrap().path())
                .collect::<Vec<_>>()
        };
        let [first, second] = &files()[..] else {
            panic!("two pictures")
        };
        let bytes = fs::read(first).unwrap();
        fs::write(first, &bytes[..bytes.len() / 2]).unwrap();
        // Another picture under these words, with the digest of its bytes alone.
        let words = second
            .file_name()
            .unwrap()
            .to_str()
            .unwrap()
            .split_once('-')
            .unwrap()
            .0
            .to_owned();
        fs::write(
            second.with_file_name(format!("{words}-{}.png", Digest::hash(&bytes))),
            &bytes,
        )
        .unwrap();
        let (left, damaged) = read(dir.path());
        assert_eq!((left.len(), damaged), (1, 2));
        assert_eq!(read(dir.path()).1, 0, "they are gone");
        write(dir.path(), &one).unwrap();
        assert_eq!(pictures(&read(dir.path()).0), pictures(&one));
        // A correct digest does not make arbitrary bytes a picture.
        let (words, text) = (Digest::hash(b"x"), b"no picture");
        fs::write(
            dir.path().join(format!("{words}-{}.png", sum(words, text))),
            text,
        )
        .unwrap();
        assert_eq!(read(dir.path()).1, 1);
    }
}
