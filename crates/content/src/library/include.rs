//! The files that a text includes: only those visible to readers, and what was found when the text
//! was read.

use std::{cell::RefCell, collections::BTreeMap, sync::OnceLock};

use jiff::Timestamp;
use rustc_hash::FxHashMap;

use super::{
    article::Kind,
    classify::{BUILT, DRAFTS},
    dates, files,
    paths::name,
    visibility::{self, Context, Visibility},
};
use crate::dialects::{
    Found, Kind as DialectKind, Named, Search,
    myst_labels::{self, Label},
};
use crate::model::{
    fingerprint::{Digest, Fingerprint, of_bytes},
    format::Format,
    memo::Memo,
    parallel,
    sources::{LOCK_FILE, SourceFile, Sources},
    text::{decode, plain},
};
use crate::syntax::{
    front::{Front, split},
    settings,
};

/// The largest file that may be included, in bytes.
const LARGEST: usize = 1_000_000;

/// How many places with one label are looked at.
const MOST_PLACES: usize = 8;

/// The paths that one text asked for, with digests of their results.
pub type Asked = Vec<(String, Digest)>;

/// The files of a folder, for the texts that name them. Its indexes are made when they are first
/// needed.
pub struct Includable<'a> {
    sources: &'a Sources,
    kind: &'a DialectKind,
    now: Timestamp,
    /// The only file with each path in lower case; `None`: there are several.
    any_case: OnceLock<FxHashMap<String, Option<usize>>>,
    /// The texts with a `uid`.
    uids: OnceLock<FxHashMap<String, usize>>,
    /// The texts with a label of MyST, and the titles of the parts that it is before.
    labels: OnceLock<FxHashMap<String, Vec<Labelled>>>,
    /// The labels of each text.
    labels_of_texts: &'a Memo<Vec<Label>>,
    /// The texts that were searched: each is read once, however many texts name it. `None`: readers
    /// may not see it.
    searched: Memo<Option<Shown>>,
}

/// The number of a text with a label, and the title of the part that it is before.
type Labelled = (usize, Option<String>);

/// What a search finds of a text that readers may see.
struct Shown {
    title: Option<String>,
}

impl<'a> Includable<'a> {
    pub fn new(
        sources: &'a Sources,
        kind: &'a DialectKind,
        now: Timestamp,
        labels_of_texts: &'a Memo<Vec<Label>>,
    ) -> Self {
        Self {
            sources,
            kind,
            now,
            any_case: OnceLock::new(),
            uids: OnceLock::new(),
            labels: OnceLock::new(),
            labels_of_texts,
            searched: Memo::default(),
        }
    }

    fn search(&self, search: Search<'_>) -> Option<Found> {
        match search {
            Search::Text(path) => self.shown(files::find(self.sources, path)?, None),
            Search::AnyCase(path) => self.in_any_case(path),
            Search::Uid(uid) => self.with_uid(uid),
            Search::Label(name) => self.with_label(name),
        }
    }

    fn in_any_case(&self, path: &str) -> Option<Found> {
        let index = self.any_case.get_or_init(|| {
            let mut index = FxHashMap::default();
            for (at, file) in self.sources.files.iter().enumerate() {
                index
                    .entry(file.path.to_lowercase())
                    .and_modify(|found| *found = None)
                    .or_insert(Some(at));
            }
            index
        });
        let at = (*index.get(&path.to_lowercase())?)?;
        Some(Found {
            path: self.sources.files[at].path.to_string(),
            title: String::new(),
        })
    }

    /// A text that readers may see. Of two with one `uid` the first counts.
    fn with_uid(&self, uid: &str) -> Option<Found> {
        let index = self.uids.get_or_init(|| {
            let uids = parallel::map(&self.sources.files, uid_of);
            let mut index = FxHashMap::default();
            for (at, uid) in uids.into_iter().enumerate() {
                if let Some(uid) = uid {
                    index.entry(uid).or_insert(at);
                }
            }
            index
        });
        self.shown(&self.sources.files[*index.get(uid)?], Some(uid))
    }

    /// The text with a label, if readers may see it, with the title of the part that is labelled. Of
    /// two places with one label the first counts.
    fn with_label(&self, name: &str) -> Option<Found> {
        let index = self.labels.get_or_init(|| self.labelled());
        let mut places = index.get(name)?.iter();
        places.find_map(|(at, title)| {
            let found = self.shown(&self.sources.files[*at], Some(name))?;
            Some(Found {
                title: title.clone().unwrap_or_else(|| name.to_owned()),
                ..found
            })
        })
    }

    /// The labels of all texts that may be part of the site.
    fn labelled(&self) -> FxHashMap<String, Vec<Labelled>> {
        let labels = parallel::map(&self.sources.files, |file| {
            let key = Fingerprint::hash_one(&(&file.path, file.bytes.digest()));
            self.labels_of_texts.get(key, || labels_of(file))
        });
        let mut index: FxHashMap<String, Vec<Labelled>> = FxHashMap::default();
        for (at, labels) in labels.iter().enumerate() {
            if labels.is_empty() || self.is_outside(&self.sources.files[at].path) {
                continue;
            }
            for Label { name, title } in labels.iter() {
                let places = index.entry(name.clone()).or_default();
                if places.len() < MOST_PLACES {
                    places.push((at, title.clone()));
                }
            }
        }
        index
    }

    /// Whether a text is not part of the site, wherever it would be.
    fn is_outside(&self, path: &str) -> bool {
        let DialectKind { config, scope, .. } = self.kind;
        config.leaves_out(path).is_some()
            || self.kind.excludes(path).is_some()
            || !scope.has_content(path)
            || scope.unrendered(path, || true).is_some()
            || self.is_in_machinery(path)
    }

    /// Whether a folder above a text is hidden, or has what a program made.
    fn is_in_machinery(&self, path: &str) -> bool {
        let opens_all = self.kind.dialect.opens_underscored || self.kind.scope.any_name;
        let mut folders = path.match_indices('/').map(|(end, _)| &path[..end]);
        folders.any(|folder| match name(folder) {
            BUILT => true,
            own if own.starts_with('.') || own.starts_with('_') && !opens_all => {
                !self.kind.opens(folder)
            }
            _ => false,
        })
    }

    /// A text that readers may see, with its title, or this one without a title.
    fn shown(&self, file: &SourceFile, untitled: Option<&str>) -> Option<Found> {
        let key = Fingerprint::hash_one(&file.path);
        let shown = self.searched.get(key, || self.read_shown(file));
        let Shown { title } = (*shown).as_ref()?;
        Some(Found {
            path: file.path.to_string(),
            title: title.clone().or_else(|| untitled.map(plain))?,
        })
    }

    fn read_shown(&self, file: &SourceFile) -> Option<Shown> {
        Format::from_path(&file.path)?;
        if self.is_outside(&file.path) || closed(file).is_some() {
            return None;
        }
        let (text, _) = decode(&file.bytes, &file.path);
        let split = self.kind.split(&text, &file.path);
        if is_withheld(&split.front, file, self).is_some() {
            return None;
        }
        let heading = || split.body.lines().find_map(|line| line.strip_prefix("# "));
        let title = split.front.text(&["title"]).or_else(heading);
        Some(Shown {
            title: title.map(plain),
        })
    }
}

/// The `uid` in the front matter of a text.
fn uid_of(file: &SourceFile) -> Option<String> {
    const WITHIN: usize = 4000;
    let begin = &file.bytes[..file.bytes.len().min(WITHIN)];
    memchr::memmem::find(begin, b"uid:")?;
    Format::from_path(&file.path)?;
    let (text, _) = decode(&file.bytes, &file.path);
    split(&text, &file.path)
        .front
        .text(&["uid"])
        .map(str::to_owned)
}

/// The labels of a text of MyST.
fn labels_of(file: &SourceFile) -> Vec<Label> {
    let has = |sign: &str| memchr::memmem::find(&file.bytes, sign.as_bytes()).is_some();
    if Format::from_path(&file.path) != Some(Format::Markdown)
        || !myst_labels::SIGNS.into_iter().any(has)
    {
        return Vec::new();
    }
    let (text, _) = decode(&file.bytes, &file.path);
    myst_labels::labels(split(&text, &file.path).body)
}

/// Reads the includes of one text and records the requested paths.
pub struct Includes<'a> {
    includable: &'a Includable<'a>,
    asked: RefCell<BTreeMap<String, Digest>>,
}

/// How a search is recorded; no path begins so.
fn recorded(search: Search<'_>) -> String {
    match search {
        Search::AnyCase(path) => format!("{ANY_CASE}{path}"),
        Search::Uid(uid) => format!("{UID}{uid}"),
        Search::Label(name) => format!("{LABEL}{name}"),
        Search::Text(path) => format!("{TEXT}{path}"),
    }
}

const ANY_CASE: &str = "//case/";
const UID: &str = "//uid/";
const LABEL: &str = "//label/";
const TEXT: &str = "//text/";

impl<'a> Includes<'a> {
    pub fn new(includable: &'a Includable<'a>) -> Self {
        Self {
            includable,
            asked: RefCell::default(),
        }
    }

    /// The result of a path in an include.
    pub fn read(&self, path: &str) -> Named {
        let found = find(self.includable, path);
        self.asked
            .borrow_mut()
            .insert(path.to_owned(), digest(&found));
        found
    }

    /// The result of a search.
    pub fn search(&self, search: Search<'_>) -> Option<Found> {
        let found = self.includable.search(search);
        self.asked
            .borrow_mut()
            .insert(recorded(search), Fingerprint::hash_one(&found));
        found
    }

    pub fn asked(self) -> Asked {
        self.asked.into_inner().into_iter().collect()
    }
}

/// Whether paths and searches still give the same results as when a text asked for them.
pub fn unchanged(asked: &Asked, includable: &Includable<'_>) -> bool {
    asked.iter().all(|(path, before)| {
        let any_case = path.strip_prefix(ANY_CASE).map(Search::AnyCase);
        let search = any_case
            .or_else(|| path.strip_prefix(UID).map(Search::Uid))
            .or_else(|| path.strip_prefix(LABEL).map(Search::Label))
            .or_else(|| path.strip_prefix(TEXT).map(Search::Text));
        let now = match search {
            Some(search) => Fingerprint::hash_one(&includable.search(search)),
            None => digest(&find(includable, path)),
        };
        now == *before
    })
}

fn digest(found: &Named) -> Digest {
    match found {
        Named::Text(text) => Fingerprint::hash_one(&(0, of_bytes(text.as_bytes()))),
        Named::Closed(why) => Fingerprint::hash_one(&(1, why)),
        Named::Missing => Fingerprint::hash_one(&2),
    }
}

/// A text that is visible now, without its front matter.
fn find(includable: &Includable<'_>, path: &str) -> Named {
    let Some(file) = files::find(includable.sources, path) else {
        return Named::Missing;
    };
    if let Some(why) = closed(file) {
        return Named::Closed(why.to_owned());
    }
    let (text, _) = decode(&file.bytes, path);
    if Format::from_path(path).is_none() {
        return Named::Text(text.into_owned());
    }
    let split = includable.kind.split(&text, path);
    match is_withheld(&split.front, file, includable) {
        Some(why) => Named::Closed(why.to_owned()),
        None => Named::Text(split.body.to_owned()),
    }
}

/// Why the text of a file is not visible now.
fn is_withheld(
    front: &Front,
    file: &SourceFile,
    includable: &Includable<'_>,
) -> Option<&'static str> {
    let (now, key) = (includable.now, includable.kind.publishing_key);
    let calendar = dates::Calendar::default();
    let window = dates::read(front, file, Kind::Article, &calendar, now, &mut Vec::new()).window;
    // Whether `status` has another meaning in this folder is not known yet.
    let context = Context {
        now,
        status_counts: true,
        key,
        audience: includable.kind.dialect.audience,
    };
    let path = &file.path;
    withheld(&visibility::decide(
        front,
        &window,
        path,
        context,
        &mut Vec::new(),
    ))
}

/// Why a text is not visible now.
fn withheld(visibility: &Visibility) -> Option<&'static str> {
    match visibility {
        Visibility::Published | Visibility::Unlisted => None,
        Visibility::Draft(_) => Some("it is a draft"),
        Visibility::Withheld(_) => Some("it is withheld"),
        Visibility::Scheduled(_) => Some("it is scheduled for later"),
        Visibility::Expired(_) => Some("it has expired"),
    }
}

/// Why a file cannot be included, whatever its content.
fn closed(file: &SourceFile) -> Option<&'static str> {
    let path = &*file.path;
    if path == settings::FILE || path == LOCK_FILE || path.split('/').any(|folder| folder == DRAFTS)
    {
        return Some("it is not for readers");
    }
    if file.bytes.len() > LARGEST {
        return Some("it is larger than 1 MB");
    }
    let is_text = std::str::from_utf8(&file.bytes).is_ok() && !file.bytes.contains(&0);
    (!is_text).then_some("it is not text")
}
