//! Folders of texts whose place is elsewhere: languages, versions, parts of a site.

use std::borrow::Cow;

use super::{Area, Plan};
use crate::dialects::Mount;
use crate::library::{
    files,
    paths::{below, inside, without_suffix},
};
use crate::model::{
    format::Format,
    language,
    sources::{SourceFile, Sources},
};

/// The folders that the kind and its configuration name, and those of other languages beside the
/// articles folder.
pub fn find(plan: &Plan, sources: &Sources) -> Vec<Mount> {
    let mut mounts = plan.kind.config.mounts.clone();
    let is_named = plan.content_roots().next().is_some();
    if !is_named && mounts.is_empty() && !plan.articles.is_empty() {
        mounts.extend(translated(&plan.articles, sources));
    }
    mounts
}

/// `docs.de/` and `docs-zh/` beside `docs/`, where most of their texts have the same paths.
fn translated(articles: &str, sources: &Sources) -> Vec<Mount> {
    let mut mounts: Vec<Mount> = Vec::new();
    for (_, file) in files::beginning(sources, articles) {
        let Some((name, _)) = file.path[articles.len()..].split_once('/') else {
            continue;
        };
        let Some(name) = name.strip_prefix(['.', '-', '_']) else {
            continue;
        };
        let folder = format!("{}{name}", &file.path[..=articles.len()]);
        let is_known = mounts.last().is_some_and(|mount| mount.folder == folder);
        if !is_known
            && language::in_name(name).is_some()
            && is_translation(&folder, articles, sources)
        {
            mounts.push(Mount {
                folder,
                at: name.to_owned(),
                within: Some(name.to_owned()),
                ..Mount::default()
            });
        }
    }
    mounts
}

/// Whether at least half of a folder's texts are in the articles folder as well.
fn is_translation(folder: &str, articles: &str, sources: &Sources) -> bool {
    let is_text = |file: &&SourceFile| Format::from_path(&file.path).is_some();
    let (mut texts, mut pairs) = (0, 0);
    let inner = files::beginning(sources, &format!("{folder}/")).map(|(_, file)| file);
    for file in inner.filter(is_text) {
        let Some(rest) = below(&file.path, folder) else {
            continue;
        };
        let same = format!("{}.", inside(articles, without_suffix(rest)));
        texts += 1;
        pairs += usize::from(files::beginning(sources, &same).next().is_some());
    }
    pairs > 0 && pairs * 2 >= texts
}

impl Plan {
    /// The place of a text's folder, and the path below it.
    pub fn mount<'p>(&self, path: &'p str) -> Option<(&Mount, &'p str)> {
        let fits = self
            .mounts
            .iter()
            .filter_map(|mount| Some((mount, below(path, &mount.folder)?)));
        fits.max_by_key(|(mount, _)| mount.folder.len())
    }

    /// The part of the address space of a text in a mounted folder, and its path there.
    pub(super) fn mounted<'p>(&self, path: &'p str) -> Option<(Area, Cow<'p, str>)> {
        let (mount, rest) = self.mount(path)?;
        // A more precise articles folder has been set.
        if below(&self.articles, &mount.folder).is_some() && self.in_articles(path).is_some() {
            return None;
        }
        let Some(within) = &mount.within else {
            return Some((Area::Pages, joined(&mount.at, rest)));
        };
        let articles = self.articles_in_content();
        Some(match articles.map(|articles| below(rest, articles)) {
            None => (Area::Articles, joined(within, rest)),
            Some(Some(rest)) => (Area::Articles, joined(within, rest)),
            Some(None) => (Area::Pages, joined(within, rest)),
        })
    }

    /// The path of the articles folder below a folder of the content, unless it is one of these
    /// itself.
    fn articles_in_content(&self) -> Option<&str> {
        if self.content_roots().any(|root| root == self.articles) {
            return None;
        }
        let mut roots = self.content_roots();
        roots.find_map(|root| below(&self.articles, root))
    }
}

fn joined<'p>(folder: &str, path: &'p str) -> Cow<'p, str> {
    if folder.is_empty() {
        path.into()
    } else {
        format!("{folder}/{path}").into()
    }
}
