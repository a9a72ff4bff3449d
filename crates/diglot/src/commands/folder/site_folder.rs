//! Where the site of a folder is: the folder that was named, or one inside it.

use std::io;
use std::path::{Component, Path, PathBuf};

use diglot_content::{Sources, settings};

use super::inner::{self, Inner};
use super::{Folder, canonical};
use crate::failure::Failure;
use crate::terminal;
use crate::watch::Identity;

/// Where a site is.
#[derive(Debug)]
pub(super) struct SiteFolder {
    /// The canonical path of its folder.
    pub root: PathBuf,
    /// Set if that is inside the folder that was named.
    pub inside: Option<Inside>,
    /// What the author is told about the choice.
    said: Option<String>,
}

/// A site inside the folder that was named.
#[derive(Debug)]
pub(super) struct Inside {
    /// The name of the folder around it.
    pub around: Option<String>,
    /// Its folder and what shows it, relative.
    pub inner: Inner,
}

impl Inside {
    /// What shows the site, relative to its folder.
    fn mark(&self) -> &str {
        let Inner { place, by } = &self.inner;
        let mark = by.strip_prefix(&**place);
        mark.map_or(by, |mark| mark.trim_start_matches('/'))
    }
}

impl SiteFolder {
    /// Looks for the site of a folder.
    pub(super) fn find(folder: &Path) -> Result<Self, Failure> {
        let root = canonical(folder)?;
        let sites = inner::sites(&root);
        Ok(Self::among(root, sites))
    }

    /// The same, and says what was chosen.
    pub(super) fn find_and_tell(folder: &Path) -> Result<Self, Failure> {
        let place = Self::find(folder)?;
        place.tell();
        Ok(place)
    }

    /// As [`Self::find`], for a program that has published the site at a place `before`. What is
    /// around a site inside the folder was not for readers. So it is published only if settings say
    /// so, and not because a file is missing: that may be so for a moment only.
    fn find_again(folder: &Path, before: Option<&Inside>) -> Result<Self, Failure> {
        let root = canonical(folder)?;
        let sites = inner::sites(&root);
        match before {
            Some(before) if sites.len() != 1 && !root.join(settings::FILE).is_file() => {
                Err(lost(folder, &before.inner, &sites))
            }
            _ => Ok(Self::among(root, sites)),
        }
    }

    /// The only one of the sites inside a folder, or the folder itself.
    fn among(root: PathBuf, mut sites: Vec<Inner>) -> Self {
        let said = match &sites[..] {
            [] => None,
            [Inner { place, by }] => Some(format!(
                "the site is in `{place}/` (`{by}`), and nothing outside is published; to publish \
                 something else, name its folder or write a `{}` here",
                settings::FILE
            )),
            several => Some(format!(
                "warning: this folder contains {}, and is read as one; to publish one of them, name its folder",
                listed(several)
            )),
        };
        let Some(inner) = sites.pop().filter(|_| sites.is_empty()) else {
            return Self {
                root,
                inside: None,
                said,
            };
        };
        let around = root.file_name();
        let around = around.map(|name| name.to_string_lossy().into_owned());
        Self {
            root: root.join(&inner.place),
            inside: Some(Inside { around, inner }),
            said,
        }
    }

    fn tell(&self) {
        if let Some(said) = &self.said {
            terminal::say(said);
        }
    }
}

/// The failure of a site inside a folder that is no longer there, or no longer the only one.
fn lost(folder: &Path, before: &Inner, sites: &[Inner]) -> Failure {
    let (folder, place) = (folder.display(), &before.place);
    if sites.is_empty() {
        return Failure::usage(format!(
            "`{folder}` no longer contains the site `{place}/`, as `{}` or its texts are gone, and is not published in its place",
            before.by
        ))
        .hint(format!(
            "put them back; to publish all of `{folder}`, restart, or write a `{}` there",
            settings::FILE
        ));
    }
    Failure::usage(format!(
        "`{folder}` now contains {}, and is not published in place of `{place}/`",
        listed(sites)
    ))
    .hint("name the folder of one of them, and restart")
}

/// `2 sites, `docs/` and `blog/``
fn listed(sites: &[Inner]) -> String {
    let names = sites.iter().map(|inner| format!("`{}/`", inner.place));
    let names: Vec<String> = names.collect();
    format!("{} sites, {}", sites.len(), names.join(" and "))
}

impl Folder {
    /// Follows a symbolic link that was switched to another folder, and looks again for a site
    /// inside. Another site than before is reported as at the start.
    pub(in crate::commands) fn follow(&mut self) -> Result<(), Failure> {
        let place = SiteFolder::find_again(&self.given, self.inside.as_ref())?;
        if place.root != self.root {
            place.tell();
            (self.root, self.inside) = (place.root, place.inside);
        }
        Ok(())
    }

    /// The identity of the site's folder, which is followed; `None` if it is gone. After a `change`
    /// a site inside is looked for again. The folder around one is not watched, so there it always
    /// is.
    pub(in crate::commands) fn located(&mut self, change: bool) -> Option<Identity> {
        let given = Identity::read(&self.given)?;
        if !change && given.is_at(&self.root) {
            return Some(given);
        }
        self.follow().ok()?;
        Identity::read(&self.root)
    }

    /// Fails if the site is inside the folder that was named, and is not there any more, or was not
    /// when these sources were read.
    pub(super) fn require_place(&self, sources: Option<&Sources>) -> Result<(), Failure> {
        let Some(before) = &self.inside else {
            return Ok(());
        };
        SiteFolder::find_again(&self.given, Some(before))?;
        let mark = before.mark();
        let is_read = |sources: &Sources| {
            let mut files = sources.files.iter().map(|file| &file.path);
            let mut unread = sources.unread.iter().map(|unread| &unread.path);
            files.any(|path| **path == *mark) || unread.any(|path| **path == *mark)
        };
        // A mark that is a folder is not among the files.
        if !self.root.join(mark).is_file() || sources.is_none_or(is_read) {
            return Ok(());
        }
        let by = self.shown(mark);
        Err(Failure::machine(format!(
            "`{}` was missing while the folder was read",
            by.display()
        )))
    }

    /// The path of a file of the site, below the folder as it was named.
    pub(super) fn shown(&self, file: &str) -> PathBuf {
        let inside = self.inside.as_ref();
        let place = inside.map_or("", |inside| &inside.inner.place);
        self.given.join(place).join(file)
    }
}

/// The absolute path of a folder as it was named: links in it are not followed, except before `..`,
/// whose meaning depends on where they lead.
pub(super) fn named(folder: &Path) -> io::Result<PathBuf> {
    let mut plain = PathBuf::new();
    for part in std::path::absolute(folder)?.components() {
        plain.push(part);
        if part == Component::ParentDir {
            plain = plain.canonicalize()?;
        }
    }
    Ok(plain)
}
