//! What only the whole folder shows: how its dates are read, which names in paths are
//! languages, the authors, the names in the author's order.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{
    authors::{self, Authors},
    classify::{Area, Plan, Role},
    dates::{Calendar, OrderEvidence},
    language_group::LanguageGroups,
    listed_names::{self, ListedNames},
    parse::Parsed,
    paths::{below, name},
    site_names::SiteNames,
    stem::{SharedSlugs, Slugged},
    visibility::{Unpublished, Visibility, status::Values},
};
use crate::dialects::order::Outline;
use crate::model::{format::is_markdown, memo::Memo, sources::Sources};
use crate::syntax::front::{Entry, Front};

/// What only the whole folder shows.
pub struct Folder {
    pub calendar: Calendar,
    pub authors: Authors,
    pub listed_names: ListedNames,
    pub site_names: SiteNames,
    pub languages: Arc<LanguageGroups>,
    /// The values of `status`.
    pub status: Values,
    /// Whether `status` is a state of publication: always, unless its generator ignores it and most
    /// values are other words.
    pub status_counts: bool,
    /// The key without which no note is published.
    pub publishing_key: Option<&'static str>,
    /// The texts whose `slug` is that of another.
    pub slugs: SharedSlugs,
    /// Folders of other versions of the texts.
    other_versions: Vec<String>,
    /// In a preview that shows drafts: the texts that are drafts by their folder.
    pub drafts: Option<BTreeSet<Arc<str>>>,
    /// The texts that something above them, or the navigation, keeps out of lists.
    pub unlisted: BTreeSet<Arc<str>>,
    /// The dates that something above texts gives them.
    pub dates: BTreeMap<Arc<str>, Vec<Entry>>,
}

impl Folder {
    /// Scans all files together. `parsed` has one element for each file.
    pub fn scan(
        sources: &Sources,
        plan: &Plan,
        outline: &Outline,
        parsed: &[Option<Arc<Parsed>>],
        languages: &Memo<LanguageGroups>,
    ) -> Self {
        let status = status_values(parsed);
        let ignored = plan.kind.dialect.ignores_status && status.are_of_another_meaning();
        let groups = languages.get(LanguageGroups::key(&plan.roles, parsed, &plan.kind), || {
            LanguageGroups::infer(&plan.roles, parsed, &plan.kind)
        });
        Self {
            calendar: calendar(plan, parsed),
            authors: authors::read(sources),
            listed_names: listed_names::read(sources, outline),
            site_names: site_names(parsed),
            languages: Arc::clone(&groups),
            status,
            status_counts: !ignored,
            publishing_key: plan.kind.publishing_key,
            slugs: shared_slugs(sources, plan, parsed, &groups),
            other_versions: other_versions(plan),
            drafts: None,
            unlisted: unnamed(sources, plan),
            dates: BTreeMap::new(),
        }
    }

    /// Whether a preview shows a text that its folder makes a draft.
    pub fn is_draft(&self, path: &str) -> bool {
        self.drafts
            .as_ref()
            .is_some_and(|drafts| drafts.contains(path))
    }

    /// The front matter of a text with the dates that something above it gives.
    pub fn with_dates<'f>(&self, path: &str, front: &'f Front) -> Cow<'f, Front> {
        let Some(dates) = self.dates.get(path) else {
            return Cow::Borrowed(front);
        };
        let mut front = front.clone();
        front.entries.extend_from_slice(dates);
        Cow::Owned(front)
    }

    /// Set if a preview shows a text that is not public.
    pub fn unpublished(&self, path: &str, visibility: &Visibility) -> Option<Unpublished> {
        let unpublished =
            Unpublished::from_visibility(visibility).filter(|_| self.drafts.is_some());
        unpublished.or(self.is_draft(path).then_some(Unpublished::Draft))
    }

    /// Whether no list names a text because of its folder: it is another version than readers look
    /// for, or something above it says so.
    pub fn is_unlisted(&self, path: &str) -> bool {
        let mut folders = self.other_versions.iter();
        folders.any(|folder| below(path, folder).is_some()) || self.unlisted.contains(path)
    }
}

/// The texts that the navigation of the site does not name.
fn unnamed(sources: &Sources, plan: &Plan) -> BTreeSet<Arc<str>> {
    let Some(named) = &plan.kind.scope.in_navigation else {
        return BTreeSet::new();
    };
    let paths = sources.files.iter().map(|file| &file.path);
    let unnamed = paths.filter(|path| is_markdown(path) && !named.contains(&***path));
    unnamed.cloned().collect()
}

fn status_values(parsed: &[Option<Arc<Parsed>>]) -> Values {
    let mut status = Values::default();
    for text in parsed.iter().flatten().filter(|text| text.has_status) {
        status.add(&text.front);
    }
    status
}

fn site_names(parsed: &[Option<Arc<Parsed>>]) -> SiteNames {
    let texts = parsed.iter().flatten();
    SiteNames::collect(texts.filter_map(|parsed| parsed.names.as_deref()))
}

/// How the dates of this folder are read.
fn calendar(plan: &Plan, parsed: &[Option<Arc<Parsed>>]) -> Calendar {
    let mut date_order = OrderEvidence::default();
    for text in parsed.iter().flatten() {
        date_order.add(text.date_order);
    }
    Calendar {
        order: date_order.order(),
        zone: plan.zone.clone(),
        dated: is_dated(plan, parsed),
    }
}

fn other_versions(plan: &Plan) -> Vec<String> {
    let mounts = plan.mounts.iter().filter(|mount| mount.other_version);
    mounts.map(|mount| mount.folder.clone()).collect()
}

fn shared_slugs(
    sources: &Sources,
    plan: &Plan,
    parsed: &[Option<Arc<Parsed>>],
    languages: &LanguageGroups,
) -> SharedSlugs {
    if !parsed.iter().flatten().any(|text| text.has_slug) {
        return SharedSlugs::default();
    }
    let files = sources.files.iter().zip(&plan.roles).zip(parsed);
    let texts = files.filter_map(|((file, role), parsed)| match (role, parsed) {
        (Role::Text { area, rel, .. }, Some(parsed))
            if *area != Area::Home && (!parsed.empty || parsed.front_only) =>
        {
            Some(Slugged {
                path: &file.path,
                area: *area,
                rel,
                front: &parsed.front,
                group: languages.divide(rel).group.clone(),
                language: languages.joined(rel),
            })
        }
        _ => None,
    });
    SharedSlugs::find(&texts.collect::<Vec<_>>())
}

/// Folders of dated articles.
const DATED: [&str; 6] = ["posts", "_posts", "post", "blog", "news", "journal"];

/// Whether the articles of a folder are dated: its name says so, or at least half of them have a
/// date of their own.
fn is_dated(plan: &Plan, parsed: &[Option<Arc<Parsed>>]) -> bool {
    if DATED.contains(&name(&plan.articles)) {
        return true;
    }
    let (mut dated, mut all) = (0, 0);
    for (role, parsed) in plan.roles.iter().zip(parsed) {
        if let (
            Role::Text {
                area: Area::Articles,
                ..
            },
            Some(parsed),
        ) = (role, parsed)
        {
            all += 1;
            dated += usize::from(parsed.dated);
        }
    }
    dated > 0 && dated * 2 >= all
}
