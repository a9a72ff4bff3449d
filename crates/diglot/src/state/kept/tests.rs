use std::sync::Arc;

use diglot_content::settings::Settings;
use diglot_content::sources::{ChangeOrigin, FileDates, SourceFile};
use diglot_content::{BaseUrl, Library, Sources};
use diglot_edition::{Coding, ErrorForm, Theme};

use super::*;

const KEY: Key = [7; 32];

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

/// An edition made on the day after its texts, and the report of its library.
fn made() -> (Edition, Report) {
    let file = |path: &str, text: String| SourceFile {
        path: path.into(),
        bytes: text.into(),
        dates: FileDates { created: None, changed: at(1_700_000_000), origin: ChangeOrigin::Git },
    };
    let one = format!("---\ntitle: One\ntags: [a, b]\naliases: [/old]\n---\n\n{}[nowhere](gone.md)\n", "Words and more words.\n\n".repeat(90));
    let later = "---\ntitle: Later\ndate: 2100-01-01\n---\n\nNot yet.\n".to_owned();
    let files = vec![file("articles/later.md", later), file("articles/one.md", one), file("articles/two.md", "# Two\n\nOther words.\n".to_owned())];
    let sources = Sources { files, ..Sources::default() };
    let site = Settings::default().into_site("Kept", BaseUrl::parse("https://example.org/blog").unwrap()).unwrap();
    let now = at(1_700_086_400);
    let mut library = Library::build(&sources, &site, now);
    let report = std::mem::take(&mut library.report);
    let edition = Edition::build(&library, Arc::new(site), &Theme::new(&[]).unwrap(), now).unwrap();
    for resource in edition.resources.iter().filter(|resource| resource.path.ends_with("ml")) {
        Coding::ALL.into_iter().for_each(|coding| resource.fill(coding));
    }
    (edition, report)
}

fn keep(dir: &Path) -> (Edition, Report) {
    let (edition, report) = made();
    assert!(write(dir, &KEY, &edition, &report, at(1_700_086_400)).unwrap());
    (edition, report)
}

fn now() -> Timestamp {
    at(1_700_086_500)
}

#[test]
#[cfg(target_os = "linux")]
fn a_kept_edition_comes_back_as_it_was() {
    let dir = tempfile::tempdir().unwrap();
    // What a killed process left is in nobody's way.
    fs::write(dir.path().join(NEW), "half").unwrap();
    let (edition, report) = keep(dir.path());
    let kept = read(dir.path(), &KEY, now(), &store::heap(), AT_ONCE).unwrap().unwrap();
    assert_eq!(kept.made, at(1_700_086_400));
    let back = kept.edition;
    assert_eq!((back.id, back.articles, back.next_change), (edition.id, edition.articles, edition.next_change));
    assert_eq!((&back.site, &back.problems, &back.parity), (&edition.site, &edition.problems, &edition.parity));
    assert!(!back.problems.is_empty() && back.next_change.is_some());
    assert_eq!(serde_json::to_value(&kept.report).unwrap(), serde_json::to_value(&report).unwrap());
    let told = |edition: &Edition| {
        let of = |resource: &Arc<diglot_edition::Resource>| {
            let codings: Vec<_> =
                Coding::ALL.into_iter().map(|coding| (resource.codings.is_decided(coding), resource.coded(coding).cloned())).collect();
            (resource.route.clone(), resource.body.to_bytes(), resource.digest, resource.modified, resource.link.clone(), codings)
        };
        edition.resources.iter().map(of).collect::<Vec<_>>()
    };
    assert_eq!(told(&back), told(&edition));
    assert!(back.resources.iter().any(|resource| resource.coded(Coding::Br).is_some()));
    for path in ["/old", "/articles/later.html", "/articles/onne.html", "/articles/one/"] {
        assert_eq!(back.resolve(path), edition.resolve(path));
        assert_eq!(back.nearest(path), edition.nearest(path));
        for form in [ErrorForm::Html, ErrorForm::Markdown, ErrorForm::Problem] {
            let of = |edition: &Edition| edition.errors.body(form, 404, path, &edition.nearest(path));
            assert_eq!(of(&back), of(&edition));
        }
    }
    // The merged text is no copy in the file either.
    let bodies: u64 = edition.resources.iter().map(|resource| resource.body.len()).sum();
    let merged = edition.get("/llms-full.txt").unwrap().body.len();
    let coded: usize = edition.resources.iter().flat_map(|resource| Coding::ALL.map(|coding| resource.coded(coding).map_or(0, Bytes::len))).sum();
    let length = fs::metadata(dir.path().join(NAME)).unwrap().len() - index_of(dir.path());
    assert!(length < bodies + coded as u64 - merged / 2);
}

#[test]
fn another_key_another_time_or_no_file_is_no_edition() {
    let dir = tempfile::tempdir().unwrap();
    assert!(read(dir.path(), &KEY, now(), &store::heap(), AT_ONCE).unwrap().is_none());
    let (edition, _) = keep(dir.path());
    if cfg!(target_os = "linux") {
        assert!(read(dir.path(), &[8; 32], now(), &store::heap(), AT_ONCE).unwrap().is_none());
        assert!(read(dir.path(), &KEY, at(1_700_000_000), &store::heap(), AT_ONCE).unwrap().is_none(), "the clock was set back");
        assert!(read(dir.path(), &KEY, edition.next_change.unwrap(), &store::heap(), AT_ONCE).unwrap().is_none(), "something has appeared since");
    }
    forget(dir.path());
    assert!(read(dir.path(), &KEY, now(), &store::heap(), AT_ONCE).unwrap().is_none());
}

/// Writes a file anew, as another process would.
fn put(dir: &Path, bytes: &[u8]) {
    let path = dir.join(NAME);
    let _ = fs::remove_file(&path);
    fs::write(path, bytes).unwrap();
}

/// Where the index begins.
fn index_of(dir: &Path) -> u64 {
    let whole = fs::read(dir.join(NAME)).unwrap();
    u64::from_le_bytes(*whole[whole.len() - TRAILER + 32..].first_chunk().unwrap())
}

#[test]
#[cfg(target_os = "linux")]
fn what_is_damaged_is_not_used() {
    let dir = tempfile::tempdir().unwrap();
    keep(dir.path());
    let whole = fs::read(dir.path().join(NAME)).unwrap();
    let with = |bytes: &[u8]| {
        put(dir.path(), bytes);
        read(dir.path(), &KEY, now(), &store::heap(), AT_ONCE)
    };
    for cut in [0, 1, TRAILER - 1, TRAILER, whole.len() / 2, whole.len() - TRAILER, whole.len() - 1] {
        assert!(with(&whole[..cut]).is_err(), "cut after {cut}");
    }
    // Under a key of its own it is another's edition; else no byte of it may be another.
    let key = whole.len() - TRAILER..whole.len() - TRAILER + 32;
    for place in (0..whole.len()).step_by(211).chain(whole.len() - TRAILER..whole.len()) {
        let mut other = whole.clone();
        other[place] ^= 1;
        match with(&other) {
            Ok(None) => assert!(key.contains(&place), "byte {place}"),
            Ok(Some(_)) => panic!("byte {place}"),
            Err(_) => {}
        }
    }
    assert!(with(&[&whole[..], b"x"].concat()).is_err(), "something was added");
    assert!(with(&whole).unwrap().is_some());
    // What others may write is nobody's to trust.
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(dir.path().join(NAME), fs::Permissions::from_mode(0o666)).unwrap();
    assert!(read(dir.path(), &KEY, now(), &store::heap(), AT_ONCE).unwrap_err().contains("no file of ours"));
}

#[test]
#[cfg(target_os = "linux")]
fn a_file_that_is_cut_off_later_takes_nothing_away() {
    let dir = tempfile::tempdir().unwrap();
    let (edition, _) = keep(dir.path());
    let back = read(dir.path(), &KEY, now(), &store::heap(), AT_ONCE).unwrap().unwrap().edition;
    File::options().write(true).open(dir.path().join(NAME)).unwrap().set_len(0).unwrap();
    for (one, other) in back.resources.iter().zip(&edition.resources) {
        assert_eq!(one.body.to_bytes(), other.body.to_bytes());
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_long_file_is_read_at_first_use_and_nothing_more_of_it_once_it_is_damaged() {
    let dir = tempfile::tempdir().unwrap();
    let (edition, _) = keep(dir.path());
    let whole = fs::read(dir.path().join(NAME)).unwrap();
    let long = || read(dir.path(), &KEY, now(), &store::heap(), 0).unwrap().unwrap();
    let bodies = |edition: &Edition| edition.resources.iter().map(|resource| resource.body.to_bytes()).collect::<Vec<_>>();
    let Kept { edition: back, rest, .. } = long();
    let coded = |edition: &Edition| edition.resources.iter().filter(|resource| resource.coded(Coding::Br).is_some()).count();
    assert_eq!((coded(&back), back.is_sound()), (0, true), "codings are offered once all of them were looked at");
    assert_eq!(bodies(&back), bodies(&edition));
    assert!(rest.unwrap().read() && back.is_sound());
    assert_eq!(coded(&back), coded(&edition));
    // Damaged before its first use: there is no body, and the edition says so.
    for cut in [true, false] {
        let Kept { edition: back, rest, .. } = long();
        if cut {
            File::options().write(true).open(dir.path().join(NAME)).unwrap().set_len(0).unwrap();
        } else {
            fs::write(dir.path().join(NAME), whole.iter().map(|byte| byte ^ 1).collect::<Vec<u8>>()).unwrap();
        }
        assert!(back.resources[0].body.slices().is_empty() && !back.resources[0].body.is_empty() && !back.is_sound());
        put(dir.path(), &whole);
        assert!(back.resources.iter().all(|resource| resource.body.slices().is_empty()), "nothing more is taken from it");
        assert!(!rest.unwrap().read() && coded(&back) == 0);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn bytes_larger_than_a_chunk_come_back() {
    let dir = tempfile::tempdir().unwrap();
    let piece = |seed: u8, length: usize| Bytes::from((0..length).map(|at| seed.wrapping_add((at % 251) as u8)).collect::<Vec<u8>>());
    let pieces = [piece(1, 10), piece(2, CHUNK + 1), piece(3, CHUNK), piece(4, 10), piece(5, CHUNK - 10), piece(6, 1)];
    let mut out = Out { file: File::create(dir.path().join(NAME)).unwrap(), chunk: Vec::new(), chunks: Vec::new(), at: 0, known: BTreeMap::new() };
    let places: Vec<Piece> = pieces.iter().map(|piece| out.keep(piece).unwrap()).collect();
    assert_eq!(out.keep(&pieces[1].slice(5..9)).unwrap(), Piece(15, 4), "a part of what is written");
    out.end_chunk().unwrap();
    let lengths: Vec<u64> = out.chunks.iter().map(|chunk| chunk.0).collect();
    assert_eq!(lengths, [10, CHUNK as u64 + 1, CHUNK as u64, CHUNK as u64, 1]);
    let file = File::open(dir.path().join(NAME)).unwrap();
    let chunks = |end: u64| {
        let chunks = out.chunks.iter().map(|Chunk(length, digest)| Chunk(*length, digest.clone())).collect();
        Chunks::new(file.try_clone().unwrap(), end, chunks, &store::heap())
    };
    let all = chunks(out.at).unwrap();
    for (place, piece) in places.into_iter().zip(&pieces) {
        assert_eq!(all.bring(place).as_ref(), Some(piece));
    }
    // What no chunk has as a whole is nothing, and nothing overflows.
    for place in [Piece(5, 10), Piece(out.at, 1), Piece(u64::MAX, 1), Piece(0, u64::MAX), Piece(1, u64::MAX)] {
        assert!(!all.has(place) && all.bring(place).is_none(), "{place:?}");
    }
    assert!(all.is_sound(), "no chunk is damaged");
    assert!(chunks(out.at + 1).is_err(), "a gap");
    assert!(chunks(out.at - 1).is_err(), "more than there is");
}

/// An index that another program wrote under the right digest says whatever it says: it is refused or used, and nothing panics.
#[test]
#[cfg(target_os = "linux")]
fn no_index_under_a_right_digest_ends_in_a_panic() {
    let dir = tempfile::tempdir().unwrap();
    keep(dir.path());
    let whole = fs::read(dir.path().join(NAME)).unwrap();
    let begin = index_of(dir.path());
    let (bytes, index) = (&whole[..begin as usize], &whole[begin as usize..whole.len() - TRAILER]);
    let places: Vec<usize> = (0..index.len()).filter(|at| index[*at].is_ascii_alphanumeric() || b"[]{}:,\"/".contains(&index[*at])).collect();
    let mut used = 0;
    for (turn, at) in places.iter().step_by((places.len() / 300).max(1)).enumerate() {
        let mut index = index.to_vec();
        let with = b"9/~-\"[0%"[turn % 8];
        index[*at] = if index[*at].is_ascii_digit() { b'0' + (index[*at] - b'0' + 1 + (turn % 8) as u8) % 10 } else { with };
        let trailer = [&KEY[..], &begin.to_le_bytes(), seal(&KEY, begin, &index).as_bytes(), &MAGIC].concat();
        put(dir.path(), &[bytes, &index, &trailer].concat());
        let Ok(Some(Kept { edition, .. })) = read(dir.path(), &KEY, now(), &store::heap(), AT_ONCE) else { continue };
        used += 1;
        for path in edition.resources.iter().map(|resource| resource.path.to_string()).chain(["/old".into(), "/articles/onne.html".into()]) {
            edition.resolve(&path);
            edition.errors.body(ErrorForm::Html, 404, &path, &edition.nearest(&path));
        }
        edition.redirects().for_each(drop);
    }
    assert!(used > 0);
}

#[test]
fn one_process_writes_at_a_time_and_a_refusal_leaves_what_was_there() {
    let dir = tempfile::tempdir().unwrap();
    let (edition, report) = keep(dir.path());
    let before = fs::read(dir.path().join(NAME)).unwrap();
    let lock = File::options().write(true).open(dir.path().join(LOCK)).unwrap();
    lock.lock().unwrap();
    assert!(!write(dir.path(), &[9; 32], &edition, &report, now()).unwrap());
    drop(lock);
    fs::create_dir(dir.path().join(NEW)).unwrap();
    assert!(write(dir.path(), &[9; 32], &edition, &report, now()).is_err());
    assert_eq!(fs::read(dir.path().join(NAME)).unwrap(), before);
}
