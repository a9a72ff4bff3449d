//! `cascade`: front matter for all texts below a section, or for those that its target names.

use rustc_hash::FxHashMap;

use super::{Given, Inheritance};
use crate::dialects::Glob;
use crate::library::{
    classify::Plan,
    dates,
    paths::{bare, below, folder, name, without_suffix},
};
use crate::syntax::front::{Entry, Node, Value};

/// Which pages a cascade is for.
#[derive(Default)]
pub struct Target {
    /// Patterns of their paths; without any, all.
    paths: Vec<Glob>,
    /// Their kinds, as a pattern.
    kinds: Option<String>,
    /// Their languages, as a pattern.
    languages: Option<String>,
}

impl Target {
    /// Whether it holds the text at a path.
    pub fn holds(&self, path: &str, plan: &Plan) -> bool {
        let kind = match name(path).starts_with("_index.") {
            false => "page",
            true if folder(path).contains('/') => "section",
            true => "home",
        };
        let fits = |pattern: &Option<String>, name: &str| {
            pattern.as_ref().is_none_or(|names| is_among(names, name))
        };
        (self.paths.is_empty() || self.holds_path(path, plan))
            && fits(&self.kinds, kind)
            && fits(&self.languages, &language(path, plan))
    }

    /// By the path of the page, `posts/a`, or that of its file below the content.
    fn holds_path(&self, path: &str, plan: &Plan) -> bool {
        let mounted = plan.mount(path).map(|(_, rest)| rest);
        let file = mounted.or_else(|| plan.below_content(path)).unwrap_or(path);
        let file = file.to_lowercase();
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

/// Whether a name is one of a pattern: `page`, `{page,section}`, `*`.
fn is_among(pattern: &str, name: &str) -> bool {
    let names = pattern.trim_matches(['{', '}']).split(',').map(str::trim);
    let mut fits = names.map(|one| one == "*" || one == "**" || one.eq_ignore_ascii_case(name));
    fits.any(|fits| fits)
}

/// The language that the suffix of a path without its ending names.
fn language_in_name<'p>(bare: &'p str, plan: &Plan) -> Option<&'p str> {
    let (_, last) = name(bare).rsplit_once('.')?;
    is_language(last, plan).then_some(last)
}

fn is_language(name: &str, plan: &Plan) -> bool {
    let mut locales = plan.kind.config.locales.iter();
    locales.any(|locale| locale.name.eq_ignore_ascii_case(name))
}

/// The name of a text's language, by its suffix or the folder of its language.
fn language(path: &str, plan: &Plan) -> String {
    let config = &plan.kind.config;
    let mounts = config
        .mounts
        .iter()
        .filter(|mount| below(path, &mount.folder).is_some());
    let mut mounted = mounts.filter_map(|mount| mount.within.as_deref()?.split('/').next());
    let found = language_in_name(without_suffix(path), plan)
        .or_else(|| mounted.find(|name| is_language(name, plan)));
    let default = || {
        config
            .default_language
            .clone()
            .unwrap_or_else(|| "en".to_owned())
    };
    found.map_or_else(default, str::to_owned)
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

/// The values of a cascade: one map, or a list of maps with targets. `by` is the file that has it.
pub fn given<'n>(cascade: &'n [Node], by: &'n str) -> impl Iterator<Item = Given> + 'n {
    cascade.iter().filter_map(move |node| {
        let Value::Map(entries) = &node.value else {
            return None;
        };
        let entries = with_params(entries, node);
        let target = target(node)?;
        Some(Given {
            by: by.to_owned(),
            entries,
            target: Some(target),
            closed: false,
        })
    })
}

/// The pages that get the values of a cascade; `None` where it is for another environment.
fn target(node: &Node) -> Option<Target> {
    let target = ["target", "_target"].iter().find_map(|key| node.get(key));
    let part = |key: &str| target.and_then(|entry| entry.node.get(key)?.node.text());
    if part("environment").is_some_and(|names| !is_among(names, "production")) {
        return None;
    }
    let paths = part("path").map(|path| Glob::parse_paths("", &path.to_lowercase()));
    Some(Target {
        paths: paths.unwrap_or_default(),
        kinds: part("kind").map(str::to_owned),
        languages: part("lang").map(str::to_owned),
    })
}

/// Adds the cascade of the configuration, which is for the whole site and weaker than all others.
pub fn of_site(plan: &Plan, all: &mut FxHashMap<String, Vec<Given>>) {
    let config = &plan.kind.config;
    let by = config.file_of("cascade");
    let of_site = all.entry(Inheritance::SITE.to_owned()).or_default();
    of_site.extend(given(&config.cascade, by));
}
