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
    let kept = read(dir.path(), &KEY, now()).unwrap().unwrap();
    assert!(kept.check.is_sound());
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
    assert!((kept.check.bytes.len() as u64) < bodies + coded as u64 - merged / 2);
}

#[test]
fn another_key_another_time_or_no_file_is_no_edition() {
    let dir = tempfile::tempdir().unwrap();
    assert!(read(dir.path(), &KEY, now()).unwrap().is_none());
    let (edition, _) = keep(dir.path());
    if cfg!(target_os = "linux") {
        assert!(read(dir.path(), &[8; 32], now()).unwrap().is_none());
        assert!(read(dir.path(), &KEY, at(1_700_000_000)).unwrap().is_none(), "the clock was set back");
        assert!(read(dir.path(), &KEY, edition.next_change.unwrap()).unwrap().is_none(), "something has appeared since");
    }
    forget(dir.path());
    assert!(read(dir.path(), &KEY, now()).unwrap().is_none());
}

#[test]
#[cfg(target_os = "linux")]
fn what_is_damaged_is_not_used() {
    let dir = tempfile::tempdir().unwrap();
    let (edition, _) = keep(dir.path());
    let path = dir.path().join(NAME);
    let whole = fs::read(&path).unwrap();
    // Each time another file: one that is mapped is never written to.
    let with = |bytes: &[u8]| {
        fs::remove_file(&path).unwrap();
        fs::write(&path, bytes).unwrap();
        read(dir.path(), &KEY, now())
    };
    for cut in [0, 1, TRAILER - 1, TRAILER, whole.len() / 2, whole.len() - TRAILER, whole.len() - 1] {
        assert!(!matches!(with(&whole[..cut]), Ok(Some(_))), "cut after {cut}");
    }
    let index = whole.windows(9).rposition(|window| window == b"{\"made\":\"").unwrap();
    for place in (index..whole.len()).step_by(97).chain(whole.len() - TRAILER..whole.len()) {
        let mut other = whole.clone();
        other[place] ^= 1;
        // The digest of the bytes alone is looked at later.
        if let Ok(Some(kept)) = with(&other) {
            assert!(!kept.check.is_sound(), "byte {place}");
        }
    }
    let mut other = whole.clone();
    other[index / 2] ^= 1;
    let kept = with(&other).unwrap().unwrap();
    assert!(!kept.check.is_sound() && kept.edition.id == edition.id);
    assert!(with(&whole).unwrap().unwrap().check.is_sound());
    // What others may write is nobody's to trust.
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(&path, fs::Permissions::from_mode(0o666)).unwrap();
    assert!(read(dir.path(), &KEY, now()).unwrap_err().contains("no file of ours"));
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
