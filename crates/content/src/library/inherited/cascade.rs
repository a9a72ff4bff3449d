//! `cascade`: front matter for all texts below a section, or for those that its target names.

use rustc_hash::FxHashMap;

use super::{Given, Inheritance};
use crate::dialects::Glob;
use crate::library::{
    classify::Plan,
    dates,
    paths::{bare, folder, is_section, name, without_suffix},
};
use crate::syntax::front::{Entry, Node, Value};

/// Which pages a cascade is for. Without any pattern of a part, all.
#[derive(Default)]
pub struct Target {
    /// Patterns of their paths.
    paths: Vec<Glob>,
    /// Patterns of their kinds.
    kinds: Vec<Glob>,
    /// Patterns of their languages.
    languages: Vec<Glob>,
}

impl Target {
    /// The pages of a kind.
    fn of_kind(kind: &str) -> Self {
        Self {
            kinds: patterns(kind),
            ..Self::default()
        }
    }

    /// Whether it holds the text at a path.
    pub fn holds(&self, path: &str, plan: &Plan) -> bool {
        (self.paths.is_empty() || self.holds_path(path, plan))
            && fits(&self.kinds, kind(path, plan))
            && fits(&self.languages, plan.kind.config.language_of(path))
    }

    /// By the path of the page, `posts/a`, or that of its file below the content.
    fn holds_path(&self, path: &str, plan: &Plan) -> bool {
        let file = in_content(path, plan).to_lowercase();
        let mut page = without_suffix(&file);
        let suffix = language_in_name(page, plan).map_or(0, |name| name.len() + 1);
        page = &page[..page.len() - suffix];
        let page = match page {
            "index" | "_index" => "",
            page => bare(page),
        };
        let page = page.replace(' ', "-");
        let mut paths = self.paths.iter();
        paths.any(|glob| glob.fits(&page) || glob.fits(&file))
    }
}

/// The path of a text below the content.
fn in_content<'p>(path: &'p str, plan: &Plan) -> &'p str {
    let mounted = plan.mount(path).map(|(_, rest)| rest);
    mounted.or_else(|| plan.below_content(path)).unwrap_or(path)
}

/// The kind of the page of a text.
fn kind(path: &str, plan: &Plan) -> &'static str {
    let file = in_content(path, plan);
    let page = folder(file).to_lowercase();
    plan.kind.config.page_kind(&page, is_section(file))
}

/// The patterns that a text means: `page`, `{page,section}`, `p*`.
fn patterns(text: &str) -> Vec<Glob> {
    Glob::parse_paths("", &text.to_lowercase())
}

/// Whether one of the patterns fits, or there is none.
fn fits(patterns: &[Glob], name: &str) -> bool {
    let name = name.to_lowercase();
    patterns.is_empty() || patterns.iter().any(|pattern| pattern.fits(&name))
}

/// The language that the suffix of a path without its ending names.
fn language_in_name<'p>(bare: &'p str, plan: &Plan) -> Option<&'p str> {
    let (_, last) = name(bare).rsplit_once('.')?;
    plan.kind.config.has_language(last).then_some(last)
}

/// The entries of a map, and those of its `params`, where dates are the author's own values.
fn with_params(entries: &[Entry], node: &Node) -> Vec<Entry> {
    let mut entries = entries.to_vec();
    if let Some(Value::Map(params)) = node.get("params").map(|entry| &entry.node.value) {
        let own = params.iter().filter(|one| !dates::is_date(&one.key.text));
        entries.extend(own.cloned());
    }
    entries
}

/// The values of a cascade, one map or a list of maps with targets, in the file `by`. Those whose
/// target names no language are for `language`.
pub fn given<'n>(
    cascade: &'n [Node],
    by: &'n str,
    language: Option<&'n str>,
) -> impl Iterator<Item = Given> + 'n {
    cascade.iter().filter_map(move |node| {
        let Value::Map(entries) = &node.value else {
            return None;
        };
        let entries = with_params(entries, node);
        let target = target(node, language)?;
        Some(Given {
            by: by.to_owned(),
            entries,
            target: Some(target),
            closed: None,
        })
    })
}

/// The pages that get the values of a cascade; `None` where it is for another environment.
fn target(node: &Node, language: Option<&str>) -> Option<Target> {
    let target = ["target", "_target"].iter().find_map(|key| node.get(key));
    let part = |key: &str| {
        let items = target
            .map_or(&[][..], |entry| entry.node.items_of(key))
            .iter();
        items.filter_map(Node::text).flat_map(patterns).collect()
    };
    let environments: Vec<Glob> = part("environment");
    if !fits(&environments, "production") {
        return None;
    }
    let mut languages: Vec<Glob> = part("lang");
    languages.extend(part("sites.matrix.languages"));
    if languages.is_empty() {
        languages.extend(language.map(patterns).unwrap_or_default());
    }
    Some(Target {
        paths: part("path"),
        kinds: part("kind"),
        languages,
    })
}

/// Adds the cascades of the configuration, which are for the whole site and weaker than all others,
/// and the kinds of pages that are not built.
pub fn of_site(plan: &Plan, all: &mut FxHashMap<String, Vec<Given>>) {
    let config = &plan.kind.config;
    let of_site = all.entry(Inheritance::SITE.to_owned()).or_default();
    of_site.extend(config.unbuilt_kinds.iter().map(|kind| Given {
        target: Some(Target::of_kind(kind)),
        closed: Some(format!("a page of the kind `{kind}`, which is not built")),
        ..Given::default()
    }));
    let by = config.file_of("cascade");
    for cascade in &config.cascade {
        let values = std::slice::from_ref(&cascade.values);
        of_site.extend(given(values, by, cascade.language.as_deref()));
    }
}
