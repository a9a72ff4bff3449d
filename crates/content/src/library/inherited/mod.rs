//! What the files around a text say about its publication: a draft section, a `cascade`, data of a
//! folder.

mod cascade;
mod computed;
mod files;
mod owned;

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use jiff::Timestamp;
use rustc_hash::FxHashMap;

use super::{
    classify::{Plan, Role},
    dates,
    fields::quoted,
    parse::Parsed,
    paths::{folder, folders_above, is_section, without_suffix},
    visibility::{self, Context, Visibility, Window},
};
use crate::dialects::{DataFile, Evidence, Inherits, Kind, Layout, SiteData, data};
use crate::model::{
    format::Format,
    parallel,
    problem::{Cause, Problem},
    sources::Sources,
    text::decode,
};
use crate::syntax::front::{Entry, Front, Node, Value};
use cascade::Target;
pub use files::{kept_files, orphans};

/// Keys and values for the texts of a folder.
#[derive(Default)]
struct Given {
    /// The file that gives them.
    by: String,
    entries: Vec<Entry>,
    /// Which texts get them; `None`: all.
    target: Option<Target>,
    /// Why nothing that it is for is loaded.
    closed: Option<String>,
}

/// What the files around texts say about them.
#[derive(Default)]
pub struct Inheritance {
    /// The texts and files that something above them withholds, with the reasons.
    pub withheld: BTreeMap<usize, String>,
    /// The texts that something above them keeps out of lists.
    pub unlisted: BTreeSet<Arc<str>>,
    /// The texts whose files something above them publishes only where a text shows them.
    keeps_files: BTreeSet<Arc<str>>,
    /// The dates that something above texts gives them, with their keys.
    pub dates: BTreeMap<Arc<str>, Vec<Entry>>,
    /// Dates above texts that cannot be read.
    pub problems: Vec<Problem>,
    /// All of it, by the folder or text that it is for.
    given: FxHashMap<String, Vec<Given>>,
}

impl Inheritance {
    /// The key of what is for the whole site.
    const SITE: &str = "/";

    /// Whether a section is a draft, by itself or by what is above it.
    pub fn withholds_section(
        &self,
        at: usize,
        parsed: &[Option<Arc<Parsed>>],
        sources: &Sources,
        now: Timestamp,
    ) -> bool {
        let is_draft =
            |text: &Arc<Parsed>| is_draft(&text.front, &sources.files[at].path, context(now));
        self.withheld.contains_key(&at) || parsed[at].as_ref().is_some_and(is_draft)
    }

    /// Why something above a text withholds it: for one that is part of the site only because another
    /// text refers to it.
    pub fn withholds(
        &self,
        path: &str,
        front: &Front,
        plan: &Plan,
        now: Timestamp,
    ) -> Option<String> {
        match inherited(path, Some(front), &self.given, (plan, now))? {
            Inherited::Withheld(reason) => Some(reason),
            Inherited::Shown { .. } => None,
        }
    }
}

/// What one text or file inherits.
enum Inherited {
    Withheld(String),
    Shown {
        is_unlisted: bool,
        keeps_files: bool,
        dates: Vec<Entry>,
        /// The functions of which it is not known whether they leave it out.
        unknown: Vec<usize>,
    },
}

/// Reads what the files around texts say about them.
pub fn read(
    sources: &Sources,
    plan: &Plan,
    parsed: &[Option<Arc<Parsed>>],
    now: Timestamp,
) -> Inheritance {
    let given = match plan.kind.dialect.inherits {
        Inherits::Nothing => return Inheritance::default(),
        Inherits::DraftSections => draft_sections(sources, plan, parsed),
        Inherits::Cascade => cascades(sources, plan, parsed),
        Inherits::DataFiles => data_files(sources, plan),
    };
    let mut inheritance = Inheritance::default();
    let config = &plan.kind.config;
    let says_more = !config.layouts.is_empty() || !config.preprocessors.is_empty();
    if given.values().all(Vec::is_empty) && !says_more {
        return inheritance;
    }
    inheritance.problems = unclear_dates(&given);
    let found = parallel::map_numbers(sources.files.len(), |at| {
        let front = match (&plan.roles[at], &parsed[at]) {
            (Role::Text { .. }, Some(parsed)) => Some(&parsed.front),
            (Role::File(_), _) => None,
            _ => return None,
        };
        let path = &sources.files[at].path;
        Some((at, inherited(path, front, &given, (plan, now))?))
    });
    let mut unknown: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    for (at, inherited) in found.into_iter().flatten() {
        match inherited {
            Inherited::Withheld(reason) => {
                inheritance.withheld.insert(at, reason);
            }
            Inherited::Shown {
                is_unlisted,
                keeps_files,
                dates,
                unknown: functions,
            } => {
                let path = &sources.files[at].path;
                if keeps_files {
                    inheritance.keeps_files.insert(Arc::clone(path));
                }
                for function in functions {
                    unknown.entry(function).or_default().push(path);
                }
                if is_unlisted {
                    inheritance.unlisted.insert(Arc::clone(path));
                }
                if !dates.is_empty() {
                    inheritance.dates.insert(Arc::clone(path), dates);
                }
            }
        }
    }
    inheritance.given = given;
    let unknown = computed::problems(&unknown, config);
    inheritance.problems.extend(unknown);
    inheritance
}

/// Walks from a text to the root; what is nearer to the text wins.
fn inherited(
    path: &str,
    front: Option<&Front>,
    given: &FxHashMap<String, Vec<Given>>,
    (plan, now): (&Plan, Timestamp),
) -> Option<Inherited> {
    let context = context(now);
    let mut merged = front.map(|front| Merged::new(front, path, context));
    let own = of_text(without_suffix(path));
    for given in above(&own, path)
        .filter_map(|above| given.get(above))
        .flatten()
    {
        let target = given.target.as_ref();
        // A target is for pages.
        if target.is_some_and(|target| front.is_none() || !target.holds(path, plan)) {
            continue;
        }
        if let Some(reason) = &given.closed {
            return Some(Inherited::Withheld(reason.clone()));
        }
        let Some(merged) = &mut merged else { continue };
        if merged.becomes_draft(&given.entries) {
            let reason = format!("draft: `{}` says so", given.by);
            return Some(Inherited::Withheld(reason));
        }
        let mut dates = given.entries.iter().filter(|one| dates::is_unclear(one));
        if dates.any(|one| merged.front.entries.contains(one)) {
            let reason = format!("`{}` gives it a date that cannot be read", given.by);
            return Some(Inherited::Withheld(reason));
        }
    }
    let layouts = layouts(merged.as_ref().map(|merged| &merged.front), plan);
    for Layout { file, entries } in layouts {
        let Some(merged) = &mut merged else { break };
        if merged.becomes_draft(entries) {
            return Some(Inherited::Withheld(format!("draft: `{file}` says so")));
        }
    }
    let is_unlisted = |front: &Front| visibility::is_unlisted(front, context.status_counts);
    let (mut merged, front) = (merged?.front, front?);
    let of_text = above(&own, path).filter_map(|above| given.get(above));
    let unknown = match computed::read(path, &merged, &plan.kind.config, of_text.flatten()) {
        Ok(unknown) if unknown.is_empty() || !is_draft(&merged, path, context) => unknown,
        Ok(_) => Vec::new(),
        Err(reason) => return Some(Inherited::Withheld(reason)),
    };
    plan.kind.config.name_dates(&mut merged);
    let is_unlisted = is_unlisted(&merged) && !is_unlisted(front);
    let keeps_files = visibility::keeps_files(&merged);
    let mut dates = merged.entries;
    dates.retain(|entry| dates::is_date(&entry.key.text) && !front.entries.contains(entry));
    let says = is_unlisted || keeps_files || !dates.is_empty() || !unknown.is_empty();
    says.then_some(Inherited::Shown {
        is_unlisted,
        keeps_files,
        dates,
        unknown,
    })
}

/// What decides beside front matter.
fn context(now: Timestamp) -> Context {
    Context {
        now,
        status_counts: true,
        key: None,
        audience: None,
    }
}

/// Whether front matter makes a text a draft, or withholds it.
fn is_draft(front: &Front, path: &str, context: Context) -> bool {
    let window = Window::default();
    let visibility = visibility::decide(front, &window, path, context, &mut Vec::new());
    matches!(visibility, Visibility::Draft(_) | Visibility::Withheld(_))
}

/// The dates that cannot be read, at their places. What they are for is withheld.
fn unclear_dates(given: &FxHashMap<String, Vec<Given>>) -> Vec<Problem> {
    let all = given.values().flatten();
    let dates = all.flat_map(|given| given.entries.iter().map(move |entry| (given, entry)));
    let unclear = dates.filter(|(_, entry)| dates::is_unclear(entry));
    let problems = unclear.map(|(given, Entry { key, node })| {
        let text = quoted(visibility::shown(node));
        Problem::error(format!("`{}` is not a date: `{text}`", key.text))
            .at(&*given.by, node.line, node.column)
            .cause(Cause::UnreadableVisibility)
            .hint("write it as `2024-05-31`; the texts that it is for are withheld")
    });
    let mut problems: Vec<Problem> = problems.collect();
    problems.sort_by_cached_key(ToString::to_string);
    problems.dedup();
    problems
}

/// The layouts of a text, the innermost first: a layout may have one itself.
fn layouts<'p>(front: Option<&Front>, plan: &'p Plan) -> Vec<&'p Layout> {
    const LAYOUT: &str = "layout";
    const MOST: usize = 8;
    let known = &plan.kind.config.layouts;
    let first = front.and_then(|front| known.get(front.text(&[LAYOUT])?));
    let outer = |layout: &&'p Layout| {
        let mut keys = layout.entries.iter();
        known.get(keys.find(|entry| entry.key.text == LAYOUT)?.node.text()?)
    };
    std::iter::successors(first, outer).take(MOST).collect()
}

/// Where values for a text may be: its own key, the folders above it, the whole site.
fn above<'p>(own: &'p str, path: &'p str) -> impl Iterator<Item = &'p str> {
    let site = std::iter::once(Inheritance::SITE);
    std::iter::once(own).chain(folders_above(path)).chain(site)
}

/// The front matter of a text with what it inherits.
struct Merged<'p> {
    front: Front,
    path: &'p str,
    context: Context,
    is_draft: bool,
}

impl<'p> Merged<'p> {
    fn new(front: &Front, path: &'p str, context: Context) -> Self {
        Self {
            front: front.clone(),
            path,
            context,
            is_draft: is_draft(front, path, context),
        }
    }

    /// Adds the values that the text does not have itself. Whether they make it a draft.
    fn becomes_draft(&mut self, entries: &[Entry]) -> bool {
        let mut is_changed = false;
        for entry in entries {
            let known = self.front.get(&entry.key.text);
            // One without a place is from such a file itself.
            if known.is_none_or(|known| known.node.line == 0) {
                let key = entry.key.text.clone();
                self.front.entries.retain(|known| known.key.text != key);
                self.front.entries.push(entry.clone());
                is_changed = true;
            }
        }
        let before = self.is_draft;
        if is_changed {
            self.is_draft = is_draft(&self.front, self.path, self.context);
        }
        self.is_draft && !before
    }
}

/// A draft section: nothing in its folder is loaded.
fn draft_sections(
    sources: &Sources,
    plan: &Plan,
    parsed: &[Option<Arc<Parsed>>],
) -> FxHashMap<String, Vec<Given>> {
    let mut given: FxHashMap<String, Vec<Given>> = FxHashMap::default();
    for (path, front) in sections(sources, &plan.kind, parsed) {
        let draft = front.get("draft");
        let closed =
            draft.is_some_and(|entry| !entry.node.is_null() && entry.node.bool() != Some(false));
        if closed {
            given
                .entry(folder(path).to_owned())
                .or_default()
                .push(Given {
                    by: path.to_owned(),
                    closed: Some(format!("draft: `{path}` is one")),
                    ..Given::default()
                });
        }
    }
    given
}

/// `cascade` of sections, of the configuration, and of pages for themselves. That of a section is for
/// its own language.
fn cascades(
    sources: &Sources,
    plan: &Plan,
    parsed: &[Option<Arc<Parsed>>],
) -> FxHashMap<String, Vec<Given>> {
    let mut given: FxHashMap<String, Vec<Given>> = FxHashMap::default();
    for (path, front) in sections(sources, &plan.kind, parsed) {
        add_cascade(&mut given, folder(path).to_owned(), path, &front, plan);
    }
    for (file, parsed) in sources.files.iter().zip(parsed) {
        if let Some(parsed) = parsed
            && !is_section(&file.path)
        {
            let own = of_text(without_suffix(&file.path));
            add_cascade(&mut given, own, &file.path, &parsed.front, plan);
        }
    }
    cascade::of_site(plan, &mut given);
    given
}

/// Adds the `cascade` of a file, if it has one, to what is for a folder or text.
fn add_cascade(
    given: &mut FxHashMap<String, Vec<Given>>,
    to: String,
    path: &str,
    front: &Front,
    plan: &Plan,
) {
    let Some(cascade) = front.get("cascade") else {
        return;
    };
    let given = given.entry(to).or_default();
    if is_lost(&cascade.node, front) {
        given.push(Given {
            by: path.to_owned(),
            closed: Some(format!("`cascade` of `{path}` is not understood")),
            ..Given::default()
        });
        return;
    }
    let language = plan.kind.config.language_of(path);
    given.extend(cascade::given(cascade.node.items(), path, Some(language)));
}

/// Whether a map of values was not read, since the front matter is broken.
fn is_lost(node: &Node, front: &Front) -> bool {
    match &node.value {
        Value::Scalar { .. } => !node.is_null() || !front.misplaced.is_empty(),
        Value::List(_) | Value::Map(_) => false,
    }
}

/// The front matter of all section files. A section file that is not a text itself, such as that of
/// the articles folder, still decides about its folder.
fn sections<'s>(
    sources: &'s Sources,
    kind: &'s Kind,
    parsed: &'s [Option<Arc<Parsed>>],
) -> impl Iterator<Item = (&'s str, Cow<'s, Front>)> {
    let texts = sources.files.iter().zip(parsed);
    let sections =
        texts.filter(|(file, _)| is_section(&file.path) && Format::from_path(&file.path).is_some());
    sections.map(|(file, parsed)| {
        let front = match parsed {
            Some(parsed) => Cow::Borrowed(&parsed.front),
            None => Cow::Owned(
                kind.split(&decode(&file.bytes, &file.path).0, &file.path)
                    .front,
            ),
        };
        (&*file.path, front)
    })
}

/// `posts/posts.json`: data for all texts in `posts/`; `posts/a.json`: data for `posts/a.md`.
fn data_files(sources: &Sources, plan: &Plan) -> FxHashMap<String, Vec<Given>> {
    let evidence = Evidence::new(sources);
    let mut given: FxHashMap<String, Vec<Given>> = FxHashMap::default();
    for file in &sources.files {
        let Some(DataFile { text, folder }) = plan.kind.config.data_names.read(&file.path) else {
            continue;
        };
        let entries = data(&evidence, file);
        let scopes = [Some(of_text(text)), folder.map(str::to_owned)];
        for scope in scopes.into_iter().flatten() {
            given.entry(scope).or_default().push(Given {
                by: file.path.to_string(),
                entries: entries.clone(),
                ..Given::default()
            });
        }
    }
    given
        .entry(Inheritance::SITE.to_owned())
        .or_default()
        .extend(data_of_site(plan));
    given
}

/// The data for all texts of the site.
fn data_of_site(plan: &Plan) -> impl Iterator<Item = Given> {
    let of_site = plan.kind.config.site_data.iter();
    of_site.map(|SiteData { by, entries }| Given {
        by: by.clone(),
        entries: entries.clone(),
        ..Given::default()
    })
}

/// The key of what is for one text only.
fn of_text(bare: &str) -> String {
    format!("{bare}.")
}
