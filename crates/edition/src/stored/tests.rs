use std::collections::BTreeMap;
use std::io;
use std::sync::Mutex;

use diglot_content::settings::Settings;
use diglot_content::sources::{ChangeOrigin, FileDates, SourceFile};
use diglot_content::{BaseUrl, Library, Sources};

use super::*;
use crate::purge;
use crate::resolve::Found;
use crate::segment;
use crate::theme::{Theme, ThemeFile};

const NOW: i64 = 1_700_086_400;

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

/// The edition of a folder with files of these sizes.
fn edition(files: &[(&str, u8, usize)]) -> Edition {
    themed(files, b".a { color: red }")
}

/// The same with this as a style sheet of the theme.
fn themed(files: &[(&str, u8, usize)], style: &'static [u8]) -> Edition {
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
    let style = ThemeFile {
        path: "own.css".to_owned(),
        bytes: style.into(),
    };
    let theme = Theme::new(&[style]).unwrap();
    let edition = Edition::build(&library, Arc::new(site), &theme, at(NOW)).unwrap();
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
        byte_store::heap(),
    ));
    let (edition, _) = opened
        .read()
        .unwrap()
        .restore(&segments, byte_store::heap())
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

#[test]
fn an_edition_without_its_bodies_has_the_same_addresses_and_reads_no_segment() {
    let first = edition(&[("a.pdf", 1, 90)]);
    let second = edition(&[("a.pdf", 2, 90), ("b.pdf", 1, 90)]);
    let (manifest, _) = write(&first, None, &mut Files::new());
    let outline = manifest.without_bodies().unwrap();
    let purged = purge::addresses(Some(&outline), &second);
    assert_eq!(purged, purge::addresses(Some(&first), &second));
    for path in ["a.pdf", "b.pdf", "b.pdf/", "status.json"] {
        let url = format!("https://example.org/{path}");
        assert!(purged.contains(&url), "{url}");
    }
    assert!(!purged.contains("https://example.org/articles/one.html"));
    assert!(outline.is_sound());
}

const BLUE: &[u8] = b".a { color: blue }";

/// The own style sheet of an edition.
fn style(edition: &Edition) -> &Arc<Resource> {
    let mut resources = edition.resources.iter();
    let found = resources.find(|it| it.path.starts_with("/_/own."));
    found.unwrap()
}

/// Asserts that an edition has the style sheet of another from before, and not as its own.
fn keeps(edition: &Edition, before: &Edition) {
    let own = style(before);
    assert!(edition.get(&own.path).is_none(), "{}", own.path);
    let Found::Resource(id) = edition.resolve(&own.path) else {
        panic!("`{}` is gone", own.path);
    };
    let kept = edition.resource(id);
    assert_eq!(kept.body.to_bytes(), own.body.to_bytes());
    assert_eq!(
        (kept.etag(None), kept.modified),
        (own.etag(None), own.modified)
    );
    assert_eq!(edition.twin(id), None);
}

#[test]
fn the_edition_after_another_answers_for_its_style_sheets_and_is_the_same_edition() {
    let red = edition(&[]);
    let blue = themed(&[], BLUE);
    let after = themed(&[], BLUE).after(&red);
    same(&after, &blue);
    keeps(&after, &red);
    let found = blue.resolve(&style(&red).path);
    assert!(!matches!(found, Found::Resource(_)), "{found:?}");
    // Nothing else of it: pages, documents, files.
    let paths: Vec<&str> = after
        .earlier()
        .files()
        .iter()
        .map(|it| &*it.1.path)
        .collect();
    assert_eq!(paths, [&*style(&red).path]);
    // A build with the same result replaces nothing.
    let again = themed(&[], BLUE).after(&after);
    assert_eq!(again.earlier().files()[0].0, 1);
    // What is there again is its own.
    let back = edition(&[]).after(&after);
    assert!(back.get(&style(&red).path).is_some());
    keeps(&back, &blue);
}

#[test]
fn style_sheets_of_earlier_themes_come_back_and_are_not_written_again() {
    let (red, mut files) = (edition(&[("a.pdf", 1, 90)]), Files::new());
    let (first, _) = write(&red, None, &mut files);
    // As a server keeps it, whose edition has the bytes.
    let blue = themed(&[("a.pdf", 1, 90)], BLUE).after(&red);
    let (kept, _) = write(&blue, Some(&first), &mut files);
    keeps(&restore(&kept, &files), &red);
    // As a publisher writes it, which has no edition before.
    let built = themed(&[("a.pdf", 1, 90)], BLUE);
    let (published, new) = write(&built, Some(&first), &mut files);
    let published = published.after(&first);
    keeps(&restore(&published, &files), &red);
    let (again, nothing) = write(&built, Some(&published), &mut files);
    assert!(!new.is_empty() && nothing.is_empty(), "{new:?} {nothing:?}");
    keeps(&restore(&again.after(&published), &files), &red);
}

#[test]
fn the_segments_of_earlier_style_sheets_stay_named_even_if_little_of_them_is_used() {
    let long = segment::LENGTH / 3;
    let mut files = Files::new();
    let (first, _) = write(&edition(&[("a.pdf", 1, long)]), None, &mut files);
    let second = themed(&[("b.pdf", 2, 2 * long), ("c.pdf", 3, 90)], BLUE);
    let (second, _) = write(&second, Some(&first), &mut files);
    let second = second.after(&first);
    keeps(&restore(&second, &files), &edition(&[]));
    let named: Vec<&Segment> = second.head.segments().collect();
    assert!(first.head.segments().any(|it| named.contains(&it)));
}

#[test]
fn a_server_that_starts_takes_the_style_sheets_of_the_edition_that_was_kept() {
    let (red, mut files) = (edition(&[]), Files::new());
    let (kept, _) = write(&red, None, &mut files);
    let segments = |files: Files| {
        let fetch = move |segment: &Segment| files.get(&segment.name).cloned();
        let numbered = kept.head.segments.clone();
        Arc::new(Segments::new(numbered, Box::new(fetch), byte_store::heap()))
    };
    let built = themed(&[], BLUE);
    let left = kept.left_to(&built, &segments(files.clone())).unwrap();
    keeps(&built.with_earlier(left), &red);
    files.values_mut().for_each(|bytes| bytes[0] ^= 1);
    assert!(
        kept.left_to(&red, &segments(files.clone())).is_some(),
        "nothing is left to itself"
    );
    assert!(kept.left_to(&themed(&[], BLUE), &segments(files)).is_none());
}
