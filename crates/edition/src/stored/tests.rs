use std::collections::BTreeMap;
use std::io;
use std::sync::Mutex;

use diglot_content::settings::Settings;
use diglot_content::sources::{ChangeOrigin, FileDates, SourceFile};
use diglot_content::{BaseUrl, Library, Sources};

use super::*;
use crate::segment;
use crate::theme::Theme;

const NOW: i64 = 1_700_086_400;

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

/// The edition of a folder with files of these sizes.
fn edition(files: &[(&str, u8, usize)]) -> Edition {
    let file = |path: &str, bytes: Vec<u8>| SourceFile {
        path: path.into(),
        bytes: bytes.into(),
        dates: FileDates {
            created: None,
            changed: at(1_700_000_000),
            origin: ChangeOrigin::Git,
        },
    };
    let mut sources: Vec<SourceFile> = files
        .iter()
        .map(|(path, seed, length)| file(path, vec![*seed; *length]))
        .collect();
    sources.push(file(
        "articles/one.md",
        "# One\n\nWords and more words.\n".repeat(50).into(),
    ));
    sources.sort_by(|one, other| one.path.cmp(&other.path));
    let site = Settings::default()
        .into_site("Stored", BaseUrl::parse("https://example.org").unwrap())
        .unwrap();
    let library = Library::build(
        &Sources {
            files: sources,
            ..Sources::default()
        },
        &site,
        at(NOW),
    );
    let edition =
        Edition::build(&library, Arc::new(site), &Theme::new(&[]).unwrap(), at(NOW)).unwrap();
    for resource in &edition.resources {
        Coding::ALL
            .into_iter()
            .for_each(|coding| resource.fill(coding));
    }
    edition
}

/// Segments by name, as in a folder.
type Files = BTreeMap<String, Vec<u8>>;

/// Writes an edition and returns the new segments.
fn write(
    edition: &Edition,
    before: Option<&Manifest>,
    files: &mut Files,
) -> (Manifest, Vec<String>) {
    let mut new = Vec::new();
    let mut put = |segment: &Segment, bytes: &[u8]| {
        new.push(segment.name.clone());
        files.insert(segment.name.clone(), bytes.to_vec());
        Ok(())
    };
    let manifest = Manifest::write(
        edition,
        ("key".to_owned(), at(NOW), Report::default()),
        before,
        &mut put,
    )
    .unwrap()
    .unwrap();
    (manifest, new)
}

fn restore(manifest: &Manifest, files: &Files) -> Edition {
    let bytes = manifest.to_bytes().unwrap();
    let opened = Opened::new(&bytes).unwrap();
    assert_eq!(opened.head, manifest.head);
    let files = Mutex::new(files.clone());
    let fetch = move |segment: &Segment| files.lock().unwrap().get(&segment.name).cloned();
    let segments = Arc::new(Segments::new(
        opened.head.segments.clone(),
        Box::new(fetch),
        store::heap(),
    ));
    let (edition, _) = opened
        .read()
        .unwrap()
        .restore(&segments, store::heap())
        .unwrap();
    assert!(segments.read_all());
    edition
}

fn same(one: &Edition, other: &Edition) {
    assert_eq!(one.id, other.id);
    for (one, other) in one.resources.iter().zip(&other.resources) {
        assert_eq!(
            (&one.route, one.body.to_bytes(), one.modified, &one.link),
            (
                &other.route,
                other.body.to_bytes(),
                other.modified,
                &other.link
            )
        );
        for coding in Coding::ALL {
            let decided = |resource: &Resource| {
                (
                    resource.codings.is_decided(coding),
                    resource.coded(coding).cloned(),
                )
            };
            assert_eq!(
                decided(one),
                decided(other),
                "{} in {}",
                one.path,
                coding.name()
            );
        }
    }
}

#[test]
fn an_edition_comes_back_and_what_is_stored_already_is_not_written_again() {
    let mut files = Files::new();
    let sizes = [
        ("a.pdf", 1, segment::LENGTH - 100),
        ("b.pdf", 2, segment::LENGTH + 1),
        ("c.pdf", 3, 90),
    ];
    let first = edition(&sizes);
    let (manifest, new) = write(&first, None, &mut files);
    assert_eq!(new.len(), manifest.head.segments.len());
    assert!(new.len() > 2);
    same(&restore(&manifest, &files), &first);
    let (again, new) = write(&first, Some(&manifest), &mut files);
    assert!(new.is_empty() && again.head.segments == manifest.head.segments);
    // An edition read from segments is written with the same segments.
    let (again, new) = write(&restore(&manifest, &files), Some(&manifest), &mut files);
    assert!(new.is_empty());
    same(&restore(&again, &files), &first);
    // Another edition reuses the segments that it shares with the first.
    let second = edition(&[sizes[0], sizes[1], ("c.pdf", 4, 90)]);
    let (changed, new) = write(&second, Some(&manifest), &mut files);
    assert!(
        new.len() < manifest.head.segments.len()
            && changed
                .head
                .segments
                .iter()
                .any(|segment| manifest.head.segments.contains(segment))
    );
    same(&restore(&changed, &files), &second);
}

#[test]
fn a_segment_of_which_more_than_half_is_dead_is_not_named_again() {
    let mut files = Files::new();
    let half = segment::LENGTH / 2;
    let first = edition(&[("a.pdf", 1, half - 600_000), ("b.pdf", 2, half + 350_000)]);
    let (manifest, _) = write(&first, None, &mut files);
    let named = |edition: &Edition, files: &mut Files| {
        let (changed, _) = write(edition, Some(&manifest), files);
        same(&restore(&changed, files), edition);
        changed.head.segments.contains(&manifest.head.segments[0])
    };
    assert!(
        named(&edition(&[("b.pdf", 2, half + 350_000)]), &mut files),
        "most of it is in use"
    );
    assert!(
        !named(&edition(&[("a.pdf", 1, half - 600_000)]), &mut files),
        "most of it is dead"
    );
}

#[test]
fn a_segment_that_cannot_be_written_is_an_error() {
    let mut put = |_: &Segment, _: &[u8]| Err(io::ErrorKind::StorageFull.into());
    let made = ("key".to_owned(), at(NOW), Report::default());
    assert_eq!(
        Manifest::write(&edition(&[]), made, None, &mut put)
            .unwrap_err()
            .kind(),
        io::ErrorKind::StorageFull
    );
}

#[test]
fn no_byte_of_a_manifest_may_be_another() {
    let (manifest, _) = write(&edition(&[]), None, &mut Files::new());
    let whole = manifest.to_bytes().unwrap();
    for place in (0..whole.len()).step_by(101).chain(0..200) {
        let mut other = whole.clone();
        other[place] ^= 1;
        assert!(Opened::new(&other).is_err(), "byte {place}");
    }
    for cut in [0, 1, 30, 90, whole.len() / 2, whole.len() - 1] {
        assert!(Opened::new(&whole[..cut]).is_err(), "cut after {cut}");
    }
    assert!(
        Opened::new(&[&whole[..], b"x"].concat()).is_err(),
        "something was added"
    );
}
