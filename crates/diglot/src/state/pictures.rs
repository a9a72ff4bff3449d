//! Drawn pictures between runs: one file each, named by what stands on it and by its bytes.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

use bytes::Bytes;
use diglot_edition::Digest;
use diglot_edition::card::Gallery;

/// Every picture in a folder that is what its name says. What is not is left out, and drawn anew; no folder is no picture.
pub(super) fn read(dir: &Path) -> Gallery {
    let mut gallery = Gallery::default();
    for entry in fs::read_dir(dir).into_iter().flatten().filter_map(Result::ok) {
        let name = entry.file_name();
        let Some((words, digest)) = name.to_str().and_then(named) else { continue };
        let Ok(bytes) = fs::read(entry.path()) else { continue };
        if Digest::of(&bytes) == digest {
            gallery.insert(words, Bytes::from(bytes));
        }
    }
    gallery
}

/// Makes the folder hold exactly these pictures; files that are none of ours stay.
pub(super) fn write(dir: &Path, gallery: &Gallery) -> io::Result<()> {
    fs::create_dir_all(dir)?;
    let mut there = BTreeSet::new();
    for entry in fs::read_dir(dir)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if named(&name).is_some() {
            there.insert(name);
        }
    }
    for (words, picture) in gallery.iter() {
        let name = format!("{words}-{}.png", Digest::of(picture));
        if there.remove(&name) {
            continue;
        }
        // Not flushed: what a power cut leaves half written does not have the digest of its name.
        let mut file = tempfile::Builder::new().prefix(".picture-").tempfile_in(dir)?;
        file.write_all(picture)?;
        file.persist(dir.join(name)).map_err(|error| error.error)?;
    }
    there.into_iter().try_for_each(|name| fs::remove_file(dir.join(name)))
}

/// The two digests in the name of a picture.
fn named(name: &str) -> Option<(Digest, Digest)> {
    let (words, digest) = name.strip_suffix(".png")?.split_once('-')?;
    Some((Digest::parse(words)?, Digest::parse(digest)?))
}

#[cfg(test)]
mod tests {
    use diglot_edition::card::{Words, draw};

    use super::*;

    fn gallery(titles: &[&str]) -> Gallery {
        let mut gallery = Gallery::default();
        for title in titles {
            let words = Words { title, text: "", foot: "" };
            assert!(gallery.insert(words.digest(), draw(&words).unwrap()));
        }
        gallery
    }

    fn pictures(gallery: &Gallery) -> Vec<(Digest, Bytes)> {
        gallery.iter().map(|(words, picture)| (words, picture.clone())).collect()
    }

    #[test]
    fn pictures_come_back_and_old_ones_go() {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path().join("pictures");
        assert!(read(&dir).is_empty(), "no folder is no picture");
        let two = gallery(&["One", "Two"]);
        write(&dir, &two).unwrap();
        fs::write(dir.join("notes.txt"), "not ours").unwrap();
        assert_eq!(pictures(&read(&dir)), pictures(&two));
        let other = gallery(&["Two", "Three"]);
        write(&dir, &other).unwrap();
        assert_eq!(pictures(&read(&dir)), pictures(&other));
        assert_eq!(fs::read_dir(&dir).unwrap().count(), 3, "two pictures, and what is not ours");
    }

    #[test]
    fn a_picture_that_is_not_what_its_name_says_is_left_out() {
        let dir = tempfile::tempdir().unwrap();
        write(dir.path(), &gallery(&["One"])).unwrap();
        let path = fs::read_dir(dir.path()).unwrap().next().unwrap().unwrap().path();
        let bytes = fs::read(&path).unwrap();
        fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
        assert!(read(dir.path()).is_empty());
        // The right digest does not make a picture of ours.
        let text = b"no picture";
        fs::write(dir.path().join(format!("{}-{}.png", Digest::of(b"x"), Digest::of(text))), text).unwrap();
        assert!(read(dir.path()).is_empty());
    }
}
