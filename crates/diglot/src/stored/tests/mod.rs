use std::path::PathBuf;
use std::sync::Arc;

use bytes::Bytes;
use diglot_content::settings::Settings;
use diglot_content::sources::{ChangeOrigin, FileDates, SourceFile};
use diglot_content::{BaseUrl, Library, Sources};
use diglot_edition::{Coding, ErrorForm, Theme};

use super::*;

#[cfg(feature = "store")]
mod codings;

const KEY: &str = "key";

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

/// An edition whose pages and lists have all codings, and the report of its library.
fn made() -> (Edition, Report) {
    let (edition, report) = built("Other words.");
    for resource in edition
        .resources
        .iter()
        .filter(|resource| resource.path.ends_with("ml"))
    {
        Coding::ALL
            .into_iter()
            .for_each(|coding| resource.fill(coding));
    }
    (edition, report)
}

/// An edition built on the day after its texts, one of which has these words.
fn built(words: &str) -> (Edition, Report) {
    let file = |path: &str, text: String| SourceFile {
        path: path.into(),
        bytes: text.into(),
        dates: FileDates {
            created: None,
            changed: at(1_700_000_000),
            origin: ChangeOrigin::Git,
        },
    };
    let one = format!(
        "---\ntitle: One\ntags: [a, b]\naliases: [/old]\n---\n\n{}[nowhere](gone.md)\n",
        "Words and more words.\n\n".repeat(90)
    );
    let later = "---\ntitle: Later\ndate: 2100-01-01\n---\n\nNot yet.\n".to_owned();
    let files = vec![
        file("articles/later.md", later),
        file("articles/one.md", one),
        file("articles/two.md", format!("# Two\n\n{words}\n")),
    ];
    let sources = Sources {
        files,
        ..Sources::default()
    };
    let site = Settings::default()
        .into_site("Kept", BaseUrl::parse("https://example.org/blog").unwrap())
        .unwrap();
    let now = at(1_700_086_400);
    let mut library = Library::build(&sources, &site, now);
    let report = std::mem::take(&mut library.report);
    let edition = Edition::build(&library, Arc::new(site), &Theme::new(&[]).unwrap(), now).unwrap();
    (edition, report)
}

fn keep(dir: &Path) -> (Edition, Report) {
    let (edition, report) = made();
    assert!(
        write(
            dir,
            &edition,
            (KEY.to_owned(), at(1_700_086_400), report.clone())
        )
        .unwrap()
    );
    (edition, report)
}

fn now() -> Timestamp {
    at(1_700_086_500)
}

fn read_now(dir: &Path) -> Result<Option<Kept>, String> {
    read(dir, KEY, now(), &byte_store::heap())
}

/// The existing segments.
fn segments(dir: &Path) -> Vec<PathBuf> {
    let mut segments: Vec<PathBuf> = fs::read_dir(dir.join(SEGMENTS))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    segments.sort();
    segments
}

#[test]
#[cfg(target_os = "linux")]
fn a_kept_edition_comes_back_as_it_was() {
    let dir = tempfile::tempdir().unwrap();
    // A killed process's leftover is harmless.
    fs::write(dir.path().join(NEW), "half").unwrap();
    let (edition, report) = keep(dir.path());
    let kept = read_now(dir.path()).unwrap().unwrap();
    assert_eq!(kept.made, at(1_700_086_400));
    let back = kept.edition;
    assert_eq!(
        (back.id, back.articles, back.next_change),
        (edition.id, edition.articles, edition.next_change)
    );
    assert_eq!(
        (&back.site, &back.problems, &back.parity),
        (&edition.site, &edition.problems, &edition.parity)
    );
    assert!(!back.problems.is_empty() && back.next_change.is_some());
    assert_eq!(
        serde_json::to_value(&kept.report).unwrap(),
        serde_json::to_value(&report).unwrap()
    );
    let told = |edition: &Edition| {
        let of = |resource: &Arc<diglot_edition::Resource>| {
            let codings: Vec<_> = Coding::ALL
                .into_iter()
                .map(|coding| {
                    (
                        resource.codings.is_decided(coding),
                        resource.coded(coding).cloned(),
                    )
                })
                .collect();
            (
                resource.route.clone(),
                resource.body.to_bytes(),
                resource.digest,
                resource.modified,
                resource.link.clone(),
                codings,
            )
        };
        edition.resources.iter().map(of).collect::<Vec<_>>()
    };
    assert_eq!(told(&back), told(&edition));
    assert!(
        back.resources
            .iter()
            .any(|resource| resource.coded(Coding::Br).is_some())
    );
    for path in [
        "/old",
        "/articles/later.html",
        "/articles/onne.html",
        "/articles/one/",
    ] {
        assert_eq!(back.resolve(path), edition.resolve(path));
        assert_eq!(back.nearest(path), edition.nearest(path));
        for form in [ErrorForm::Html, ErrorForm::Markdown, ErrorForm::Problem] {
            let of =
                |edition: &Edition| edition.errors.body(form, 404, path, &edition.nearest(path));
            assert_eq!(of(&back), of(&edition));
        }
    }
    // The file holds no copy of the merged text either.
    let bodies: u64 = edition
        .resources
        .iter()
        .map(|resource| resource.body.len())
        .sum();
    let merged = edition.get("/llms-full.txt").unwrap().body.len();
    let coded: usize = edition
        .resources
        .iter()
        .flat_map(|resource| Coding::ALL.map(|coding| resource.coded(coding).map_or(0, Bytes::len)))
        .sum();
    let length: u64 = segments(dir.path())
        .iter()
        .map(|path| fs::metadata(path).unwrap().len())
        .sum();
    assert!(length < bodies + coded as u64 - merged / 2);
}

#[test]
fn another_key_another_time_or_no_file_is_no_edition() {
    let dir = tempfile::tempdir().unwrap();
    assert!(read_now(dir.path()).unwrap().is_none());
    let (edition, _) = keep(dir.path());
    if cfg!(target_os = "linux") {
        assert!(
            read(dir.path(), "other", now(), &byte_store::heap())
                .unwrap()
                .is_none()
        );
        assert!(
            read(dir.path(), KEY, at(1_700_000_000), &byte_store::heap())
                .unwrap()
                .is_none(),
            "the clock was set back"
        );
        assert!(
            read(
                dir.path(),
                KEY,
                edition.next_change.unwrap(),
                &byte_store::heap()
            )
            .unwrap()
            .is_none(),
            "something has appeared since"
        );
    }
    forget(dir.path());
    assert!(read_now(dir.path()).unwrap().is_none());
}

/// Rewrites a file, as another process would.
fn put(path: &Path, bytes: &[u8]) {
    let _ = fs::remove_file(path);
    fs::write(path, bytes).unwrap();
}

/// Whether there is an edition all of whose bytes can be read.
fn is_whole(dir: &Path) -> bool {
    read_now(dir)
        .is_ok_and(|kept| kept.is_some_and(|kept| kept.rest.read() && kept.edition.is_sound()))
}

#[test]
#[cfg(target_os = "linux")]
fn what_is_damaged_is_not_used() {
    let dir = tempfile::tempdir().unwrap();
    keep(dir.path());
    let files = [&segments(dir.path())[..], &[dir.path().join(MANIFEST)]].concat();
    assert!(is_whole(dir.path()));
    for path in &files {
        let whole = fs::read(path).unwrap();
        for cut in [0, 1, whole.len() / 2, whole.len() - 1] {
            put(path, &whole[..cut]);
            assert!(!is_whole(dir.path()), "cut after {cut}");
        }
        for place in (0..whole.len()).step_by(211) {
            let mut other = whole.clone();
            other[place] ^= 1;
            put(path, &other);
            assert!(!is_whole(dir.path()), "byte {place} of {}", path.display());
        }
        put(path, &[&whole[..], b"x"].concat());
        assert!(!is_whole(dir.path()), "something was added");
        put(path, &whole);
        assert!(is_whole(dir.path()));
        // A file that others can write is not trusted.
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(path, fs::Permissions::from_mode(0o666)).unwrap();
        assert!(!is_whole(dir.path()));
        fs::set_permissions(path, fs::Permissions::from_mode(0o600)).unwrap();
    }
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(dir.path().join(MANIFEST), fs::Permissions::from_mode(0o666)).unwrap();
    let said = read_now(dir.path()).unwrap_err();
    assert!(said.contains("it was not written by Diglot"), "{said}");
}

fn bodies(edition: &Edition) -> Vec<Bytes> {
    edition
        .resources
        .iter()
        .map(|resource| resource.body.to_bytes())
        .collect()
}

fn coded(edition: &Edition) -> usize {
    edition
        .resources
        .iter()
        .filter(|resource| resource.coded(Coding::Br).is_some())
        .count()
}

#[test]
#[cfg(target_os = "linux")]
fn a_file_that_is_cut_off_later_takes_nothing_away() {
    let dir = tempfile::tempdir().unwrap();
    let (edition, _) = keep(dir.path());
    let Kept {
        edition: back,
        rest,
        ..
    } = read_now(dir.path()).unwrap().unwrap();
    assert!(rest.read());
    for path in segments(dir.path()) {
        File::options()
            .write(true)
            .open(path)
            .unwrap()
            .set_len(0)
            .unwrap();
    }
    assert_eq!(
        (bodies(&back), coded(&back)),
        (bodies(&edition), coded(&edition))
    );
}

#[test]
#[cfg(target_os = "linux")]
fn bytes_are_read_at_first_use_and_nothing_more_of_them_once_one_is_damaged() {
    let dir = tempfile::tempdir().unwrap();
    let (edition, _) = keep(dir.path());
    let kept = || read_now(dir.path()).unwrap().unwrap();
    let Kept {
        edition: back,
        rest,
        ..
    } = kept();
    assert_eq!(
        (bodies(&back), coded(&back)),
        (bodies(&edition), coded(&edition))
    );
    assert!(rest.read() && back.is_sound());
    // Damaged before its first use: the body is missing, and the edition reports it.
    let [segment] = &segments(dir.path())[..] else {
        panic!("one segment")
    };
    let whole = fs::read(segment).unwrap();
    for cut in [true, false] {
        let Kept {
            edition: back,
            rest,
            ..
        } = kept();
        if cut {
            File::options()
                .write(true)
                .open(segment)
                .unwrap()
                .set_len(0)
                .unwrap();
        } else {
            fs::write(
                segment,
                whole.iter().map(|byte| byte ^ 1).collect::<Vec<u8>>(),
            )
            .unwrap();
        }
        assert!(
            back.resources[0].body.slices().is_empty()
                && !back.resources[0].body.is_empty()
                && !back.is_sound()
        );
        put(segment, &whole);
        assert!(
            back.resources
                .iter()
                .all(|resource| resource.body.slices().is_empty()),
            "nothing more is taken from it"
        );
        assert!(!rest.read() && coded(&back) == 0);
        // It is not stored either.
        assert!(
            !write(
                dir.path(),
                &back,
                ("other".to_owned(), now(), Report::default())
            )
            .unwrap()
        );
    }
    assert!(is_whole(dir.path()));
}

#[test]
#[cfg(target_os = "linux")]
fn segments_that_no_edition_names_are_deleted_unless_somebody_reads_them() {
    let dir = tempfile::tempdir().unwrap();
    let (edition, report) = keep(dir.path());
    let before = segments(dir.path());
    fs::write(dir.path().join(SEGMENTS).join("new"), "half").unwrap();
    let reading = read_now(dir.path()).unwrap().unwrap();
    forget(dir.path());
    assert!(
        !write(
            dir.path(),
            &edition,
            (KEY.to_owned(), now(), report.clone())
        )
        .unwrap(),
        "somebody reads"
    );
    assert!(reading.rest.read());
    assert!(write(dir.path(), &edition, (KEY.to_owned(), now(), report)).unwrap());
    assert_eq!(segments(dir.path()), before);
}

/// A manifest of another program under the right digest may say anything: it is refused or used,
/// and nothing panics.
#[test]
#[cfg(target_os = "linux")]
fn no_manifest_under_a_right_digest_ends_in_a_panic() {
    let dir = tempfile::tempdir().unwrap();
    let (_, report) = keep(dir.path());
    let whole = fs::read(dir.path().join(MANIFEST)).unwrap();
    let first = whole.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    let (version, index) = (&whole[..first - 65], &whole[first..]);
    let places: Vec<usize> = (0..index.len())
        .filter(|at| index[*at].is_ascii_alphanumeric() || b"[]{}:,\"/".contains(&index[*at]))
        .collect();
    let mut used = 0;
    for (turn, at) in places
        .iter()
        .step_by((places.len() / 300).max(1))
        .enumerate()
    {
        let mut index = index.to_vec();
        let with = b"9/~-\"[0%"[turn % 8];
        index[*at] = if index[*at].is_ascii_digit() {
            b'0' + (index[*at] - b'0' + 1 + (turn % 8) as u8) % 10
        } else {
            with
        };
        let digest = blake3::hash(&index).to_hex();
        put(
            &dir.path().join(MANIFEST),
            &[version, digest.as_bytes(), b"\n", &index].concat(),
        );
        let Ok(Some(Kept { edition, .. })) = read_now(dir.path()) else {
            continue;
        };
        used += 1;
        for path in edition
            .resources
            .iter()
            .map(|resource| resource.path.to_string())
            .chain(["/old".into(), "/articles/onne.html".into()])
        {
            edition.resolve(&path);
            edition
                .errors
                .body(ErrorForm::Html, 404, &path, &edition.nearest(&path));
        }
        edition.redirects().for_each(drop);
        // The next write checks it as well.
        let place = dir.path().join("copy");
        fs::create_dir_all(place.join(SEGMENTS)).unwrap();
        fs::copy(dir.path().join(MANIFEST), place.join(MANIFEST)).unwrap();
        for segment in segments(dir.path()) {
            fs::copy(
                &segment,
                place.join(SEGMENTS).join(segment.file_name().unwrap()),
            )
            .unwrap();
        }
        write(&place, &edition, (KEY.to_owned(), now(), report.clone())).unwrap();
    }
    assert!(used > 0);
}

#[test]
fn one_process_writes_at_a_time_and_a_refusal_leaves_what_was_there() {
    let dir = tempfile::tempdir().unwrap();
    let (edition, report) = keep(dir.path());
    let all = || {
        [&segments(dir.path())[..], &[dir.path().join(MANIFEST)]]
            .concat()
            .iter()
            .map(|path| fs::read(path).unwrap())
            .collect::<Vec<_>>()
    };
    let before = all();
    let other = || ("other".to_owned(), now(), report.clone());
    let lock = File::options()
        .write(true)
        .open(dir.path().join(LOCK))
        .unwrap();
    lock.lock().unwrap();
    assert!(!write(dir.path(), &edition, other()).unwrap());
    drop(lock);
    fs::create_dir(dir.path().join(NEW)).unwrap();
    assert!(write(dir.path(), &edition, other()).is_err());
    assert_eq!(all(), before);
}
