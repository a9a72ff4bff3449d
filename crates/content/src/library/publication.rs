//! A folder, parsed, described and classified: the role and content of each file, and what is
//! published at which address.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
    mem,
    sync::Arc,
};

use jiff::Timestamp;

use super::{
    article::Kind,
    authors,
    candidate::{Candidate, Described},
    candidates::{Linking, describe},
    classify::{DRAFTS, Plan, Role},
    describe::Describer,
    folder::Folder,
    inherited,
    language_group::LanguageGroups,
    newest_posts, notes,
    parse::{Parsed, Parser},
    paths::{below, folder, is_section},
    publish::{self, Outcome},
    readme_indexes,
    report::{Public, PublicFolder, Report},
    tags::Tags,
};
use crate::dialects::{
    Evidence,
    myst_labels::Label,
    order::{self, Outline},
};
use crate::model::{
    fingerprint::{Digest, Fingerprint},
    language,
    memo::Memo,
    parallel,
    problem::Problem,
    site::Site,
    sources::{SourceFile, Sources},
    steps::Step,
};
use crate::syntax::settings;

/// A folder, before its links are resolved.
pub struct Publication<'a> {
    pub sources: &'a Sources,
    pub site: &'a Site,
    pub now: Timestamp,
    pub plan: Plan,
    /// The author's order as it was written, and a digest of it.
    pub outline: Arc<Outline>,
    pub outline_key: Digest,
    /// The parsed content of each file; `None` for files that are not texts.
    pub parsed: Vec<Option<Arc<Parsed>>>,
    /// The texts that could be published, sorted by path.
    pub candidates: Vec<Candidate>,
    /// The outcome of each file.
    pub outcomes: Vec<Outcome>,
    /// The tags of published texts.
    pub tags: Tags,
    /// The years with listed articles.
    pub years: BTreeSet<i16>,
    pub problems: Vec<Problem>,
    /// What the report says in addition.
    pub notes: Vec<String>,
    /// Whether no text timed out.
    pub certain: bool,
}

/// What earlier editions leave to the texts of the next.
#[derive(Debug, Default)]
pub struct Memos {
    /// The author's order as it was written.
    outlines: Memo<Outline>,
    /// The languages in the paths of all texts.
    languages: Memo<LanguageGroups>,
    /// The labels of every text of MyST.
    pub labels: Memo<Vec<Label>>,
    /// Every parsed text, as returned by [`Parser::parse`].
    pub parsed: Memo<Parsed>,
    /// Every description, as returned by [`Describer::describe`].
    pub described: Memo<Described>,
}

impl Memos {
    /// Ends a build: drops what it did not ask for.
    pub fn next(&mut self) {
        self.outlines.next();
        self.languages.next();
        self.labels.next();
        self.parsed.next();
        self.described.next();
    }
}

impl<'a> Publication<'a> {
    /// Parses and describes every file. Parsing is parallel; the result keeps the order of the
    /// files.
    pub fn build(sources: &'a Sources, site: &'a Site, now: Timestamp, memos: &Memos) -> Self {
        let mut plan = Plan::classify(sources, site);
        let kind = plan.kind.clone();
        let parser = Parser::new(sources, &kind, now, &memos.parsed, &memos.labels);
        let (outline, outline_key) = outline(sources, site, &plan, memos);
        let mut parsed = parse(sources, &mut plan, &outline, &parser);
        let mut folder = Folder::scan(sources, &plan, &outline, &parsed, &memos.languages);
        let mut outcomes = outcomes(sources, &plan, &parsed);
        let mut inheritance = inherited::read(sources, &plan, &parsed, now);
        folder.unlisted.append(&mut inheritance.unlisted);
        folder.dates = mem::take(&mut inheritance.dates);
        if sources.shows_drafts {
            folder.drafts = Some(drafts(sources, inheritance.withheld.keys().copied()));
        } else {
            for (at, reason) in &inheritance.withheld {
                outcomes[*at] = Outcome::Skipped(reason.clone());
            }
        }
        for (at, reason) in inherited::kept_files(sources, &plan, &parsed, &inheritance) {
            outcomes[at] = Outcome::Skipped(reason.clone());
            plan.roles[at] = Role::Unlinked(reason);
        }
        let describer = Describer::new(site, plan.kind.dialect, &folder, now, &memos.described);
        let mut candidates = describe(sources, &plan.roles, &parsed, &outcomes, &describer);
        newest_posts::keep(sources, &plan, &mut candidates, &mut outcomes);
        let mut linking = Linking {
            sources,
            parser: &parser,
            describer: &describer,
            inheritance: &inheritance,
            now,
        };
        linking.add(&mut plan, &mut parsed, &mut outcomes, &mut candidates);
        let too_long = too_long(sources, &parsed);
        let certain = too_long.is_empty();
        let mut problems = sources.problems.clone();
        problems.extend_from_slice(&plan.kind.config.problems);
        problems.extend_from_slice(&plan.redirects.problems);
        problems.append(&mut inheritance.problems);
        problems.extend(publish::decide(
            &mut outcomes,
            &plan.roles,
            &candidates,
            sources,
        ));
        let is_withheld = |at| inheritance.withholds_section(at, &parsed, sources, now);
        skip_orphans(sources, &plan, &candidates, &mut outcomes, is_withheld);
        problems.extend(too_long);
        let published: Vec<&Candidate> = candidates
            .iter()
            .filter(|candidate| outcomes[candidate.file] == Outcome::Published)
            .collect();
        let (tags, years) = lists(&published);
        let notes = notes::collect(&folder, &candidates, &published, plan.kind.dialect.name);
        Self {
            sources,
            site,
            now,
            plan,
            outline,
            outline_key,
            parsed,
            candidates,
            outcomes,
            tags,
            years,
            problems,
            notes,
            certain,
        }
    }

    /// Whether a candidate is published.
    pub fn is_published(&self, candidate: &Candidate) -> bool {
        self.outcomes[candidate.file] == Outcome::Published
    }

    /// The published candidates.
    pub fn published(&self) -> impl Iterator<Item = &Candidate> {
        self.candidates
            .iter()
            .filter(|candidate| self.is_published(candidate))
    }

    /// The languages whose articles have a list of their own.
    pub fn languages(&self) -> BTreeSet<&str> {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for candidate in self.listed_articles() {
            *counts.entry(&candidate.language.value).or_default() += 1;
        }
        language::of_lists(counts, &self.site.language).1
    }

    /// The articles that lists contain.
    pub fn listed_articles(&self) -> impl Iterator<Item = &Candidate> {
        self.published()
            .filter(|text| text.kind == Kind::Article && text.is_listed())
    }

    /// Drops the documents of unpublished texts.
    pub fn release(&self) {
        for (parsed, outcome) in self.parsed.iter().zip(&self.outcomes) {
            if let Some(parsed) = parsed
                && *outcome != Outcome::Published
            {
                parsed.document.release();
            }
        }
    }

    /// What is public, by kind and folder; the largest folder of each kind first.
    fn public(&self) -> Vec<PublicFolder> {
        let texts = self.published().map(|candidate| {
            let what = match candidate.kind {
                Kind::Article => Public::Articles,
                Kind::Page => Public::Pages,
            };
            (what, &*candidate.path)
        });
        let files = self.sources.files.iter().zip(&self.plan.roles);
        let files = files
            .zip(&self.outcomes)
            .filter_map(|((file, role), outcome)| {
                let is_public = matches!(role, Role::File(_)) && *outcome == Outcome::Published;
                is_public.then_some((Public::Files, &*file.path))
            });
        let mut counts: BTreeMap<(Public, &str), usize> = BTreeMap::new();
        for (what, path) in texts.chain(files) {
            let articles = self.plan.articles.as_str();
            let folder = match below(path, articles) {
                Some(_) if !articles.is_empty() => articles,
                _ => path.split_once('/').map_or(".", |(first, _)| first),
            };
            *counts.entry((what, folder)).or_default() += 1;
        }
        let mut public: Vec<PublicFolder> = counts
            .into_iter()
            .map(|((what, folder), count)| PublicFolder {
                what,
                folder: format!("{folder}/"),
                count,
            })
            .collect();
        public.sort_by_key(|public| (public.what, Reverse(public.count)));
        public
    }

    /// The outcome of every file.
    pub fn report(&self) -> Report {
        let Plan {
            kind,
            articles,
            reason,
            ..
        } = &self.plan;
        let mut report = Report {
            found: self.sources.files.len() + self.sources.unread.len(),
            dialect: Some((kind.dialect.name.to_owned(), kind.evidence.clone())),
            articles_folder: (articles.clone(), reason.clone()),
            notes: self.notes.clone(),
            public: self.public(),
            ..Report::default()
        };
        if !kind.config.file.is_empty() {
            report.configuration = Some((kind.config.file.clone(), kind.config.said.clone()));
        }
        for (file, outcome) in self.sources.files.iter().zip(&self.outcomes) {
            match outcome {
                Outcome::Published => report.published += 1,
                Outcome::Skipped(reason) => report
                    .skipped
                    .entry(reason.clone())
                    .or_default()
                    .push(file.path.to_string()),
                Outcome::SetAside(reason) => report
                    .set_aside
                    .push((file.path.to_string(), reason.clone())),
            }
        }
        for unread in &self.sources.unread {
            report
                .skipped
                .entry(unread.reason.clone())
                .or_default()
                .push(unread.path.clone());
        }
        for (name, count) in self
            .parsed
            .iter()
            .flatten()
            .flat_map(|parsed| &parsed.unknown_tags)
        {
            *report.unknown_tags.entry(name.clone()).or_default() += count;
        }
        report
    }
}

/// The author's order as it was written, in the settings, else in the folder; and a digest of it
/// for one site.
fn outline(sources: &Sources, site: &Site, plan: &Plan, memos: &Memos) -> (Arc<Outline>, Digest) {
    if !site.nav.is_empty() {
        let outline = order::of_settings(&site.nav, settings::FILE);
        return (Arc::new(outline), Fingerprint::hash_one(&settings::FILE));
    }
    let evidence = Evidence::new(sources);
    let key = plan.kind.order_digest(&evidence);
    let outline = memos.outlines.get(key, || plan.kind.order(&evidence));
    (outline, key)
}

/// The parsed content of each text. Whether a README is a text depends on the links in the others.
fn parse(
    sources: &Sources,
    plan: &mut Plan,
    outline: &Outline,
    parser: &Parser<'_>,
) -> Vec<Option<Arc<Parsed>>> {
    let parse = |file: &SourceFile, role: &Role| {
        let parsed = match role {
            Role::Text { format, .. } => Some(parser.parse(file, *format)),
            _ => None,
        };
        sources.steps.done(Step::Parsed, sources.files.len());
        parsed
    };
    let (files, roles) = (&sources.files, &plan.roles);
    let mut parsed = parallel::map_numbers(files.len(), |at| parse(&files[at], &roles[at]));
    for (at, role) in readme_indexes::indexes(sources, plan, outline, &parsed) {
        parsed[at] = parse(&sources.files[at], &role);
        plan.roles[at] = role;
    }
    parsed
}

/// The outcome of each file by itself.
fn outcomes(sources: &Sources, plan: &Plan, parsed: &[Option<Arc<Parsed>>]) -> Vec<Outcome> {
    let texts = parsed.iter().flatten().map(|parsed| &**parsed);
    let partials = publish::partials(sources, texts, plan.kind.dialect.imported_are_parts);
    let files = sources.files.iter().zip(&plan.roles).zip(parsed);
    let outcome = |(at, ((file, role), parsed)): (usize, ((&SourceFile, &Role), &Option<_>))| {
        let parsed: Option<&Parsed> = parsed.as_deref();
        publish::outcome(&file.path, role, parsed, partials.contains(&at))
    };
    let mut outcomes: Vec<Outcome> = files.enumerate().map(outcome).collect();
    skip_records(&mut outcomes, sources, parsed);
    outcomes
}

/// Leaves out the records of authors, which are not texts for readers.
fn skip_records(outcomes: &mut [Outcome], sources: &Sources, parsed: &[Option<Arc<Parsed>>]) {
    for at in authors::records(sources, parsed) {
        if outcomes[at] == Outcome::Published {
            outcomes[at] = Outcome::Skipped("record of an author".to_owned());
        }
    }
}

/// Leaves out the files of texts that are not published. A section without a page of its own has
/// files, unless it is withheld: by itself, or as `is_withheld` says.
fn skip_orphans(
    sources: &Sources,
    plan: &Plan,
    candidates: &[Candidate],
    outcomes: &mut [Outcome],
    is_withheld: impl Fn(usize) -> bool,
) {
    let withheld = candidates
        .iter()
        .filter(|text| publish::withheld(text).is_some());
    let withheld: BTreeSet<usize> = withheld.map(|text| text.file).collect();
    let orphans = inherited::orphans(sources, plan, |at| {
        let is_shown = || sources.shows_drafts || !withheld.contains(&at) && !is_withheld(at);
        outcomes[at] == Outcome::Published || is_section(&sources.files[at].path) && is_shown()
    });
    for (at, reason) in orphans {
        outcomes[at] = Outcome::Skipped(reason);
    }
}

/// The files that are drafts by their folder: those that something above them withholds, and those
/// in `_drafts`.
fn drafts(sources: &Sources, withheld: impl Iterator<Item = usize>) -> BTreeSet<Arc<str>> {
    let below = withheld.map(|at| &sources.files[at].path);
    let paths = sources.files.iter().map(|file| &file.path);
    let drafts = paths.filter(|path| folder(path).split('/').any(|name| name == DRAFTS));
    below.chain(drafts).cloned().collect()
}

/// The tags of published texts, and the years with listed articles.
fn lists(published: &[&Candidate]) -> (Tags, BTreeSet<i16>) {
    let mut tags = Vec::new();
    let mut years = BTreeSet::new();
    for candidate in published {
        let listed = candidate.kind == Kind::Article && candidate.is_listed();
        tags.push((candidate.tags.as_slice(), listed));
        if listed && let Some(date) = candidate.dates.date.value {
            years.insert(date.year());
        }
    }
    (Tags::choose(&tags), years)
}

/// One problem for each file that timed out.
fn too_long(sources: &Sources, parsed: &[Option<Arc<Parsed>>]) -> Vec<Problem> {
    let seconds = sources.bounds.time.as_secs_f64();
    let mut problems = Vec::new();
    for (file, parsed) in sources.files.iter().zip(parsed) {
        if parsed
            .as_ref()
            .is_some_and(|parsed| parsed.endless.is_some())
        {
            let problem = Problem::error(format!(
                "set aside: parsing takes longer than {seconds} s"
            ))
            .at(&*file.path, 0, 0);
            problems.push(
                problem.hint("divide the file, or allow more time: `--limit rendering-time=60s`"),
            );
        }
    }
    problems
}
