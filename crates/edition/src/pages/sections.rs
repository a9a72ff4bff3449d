//! The sections of a journal: its folders.

use std::collections::BTreeMap;
use std::sync::Arc;

pub(super) use diglot_content::sections::FOLDER;
use diglot_content::sections::{in_words, of_journal, top_folder};
use diglot_content::{Article, Shape};

use super::page_data::{GroupLink, ListedArticle};
use super::shared::Shared;

/// A section of a journal.
pub(super) struct Section<'a> {
    /// Its folder below `/articles/`.
    pub(super) folder: &'a str,
    /// The title of the folder's own text, else its name in words.
    pub(super) title: String,
    /// The stem of its list; none if it is left out.
    pub(super) stem: Option<Arc<str>>,
    /// Its articles, in order.
    pub(super) members: Vec<ListedArticle<'a>>,
}

/// The sections of a journal, by folder. A guide has the tree of its author.
pub(super) fn by_folder<'a>(shared: &Shared<'_>, listed: &[ListedArticle<'a>]) -> Vec<Section<'a>> {
    if shared.context.library.shape == Shape::Guide {
        return Vec::new();
    }
    let key = |row: &ListedArticle<'a>| (&*row.article.stem, row.article.language.as_str());
    let folders = of_journal(listed.iter().map(key));
    let section = |folder: &'a str| Section {
        folder,
        title: in_words(folder),
        stem: shared.free(&[FOLDER, folder].concat()),
        members: Vec::new(),
    };
    let mut sections: BTreeMap<&str, Section<'a>> = BTreeMap::new();
    for folder in folders {
        sections.insert(folder, section(folder));
    }
    for row in listed {
        add(&mut sections, row);
    }
    sections.into_values().collect()
}

/// Adds an article to its folder, or names the folder by its index.
fn add<'a>(sections: &mut BTreeMap<&str, Section<'a>>, row: &ListedArticle<'a>) {
    let article: &'a Article = row.article;
    let folder = top_folder(&article.stem);
    if let Some(section) = folder.and_then(|folder| sections.get_mut(folder)) {
        section.members.push(*row);
    } else if folder.is_none()
        && let Some(slug) = article.stem.strip_prefix("/articles/")
        && let Some(section) = sections.get_mut(slug)
    {
        section.title = article.title.to_string();
    }
}

/// Links to the lists of sections.
pub(super) fn links(sections: &[Section<'_>]) -> Vec<GroupLink> {
    let mut links = Vec::new();
    for section in sections {
        if let Some(stem) = &section.stem {
            links.push(GroupLink {
                title: section.title.clone(),
                stem: stem.to_string(),
                language: None,
                count: Some(section.members.len()),
            });
        }
    }
    links
}
