//! A VitePress site: `<!--@include: ./x.md-->`, `<<< @/x.js`, `::: tip`.

use crate::dialects::config::{Config, Glob, Keys, Patterns, UNKNOWN_FOLDER, edit};
use crate::dialects::dialect::{COMMON, Dialect};
use crate::dialects::evidence::Evidence;
use crate::dialects::heading_ids;
use crate::dialects::order::sidebar;
use crate::dialects::pattern::{Pattern, Style};
use crate::dialects::scope::{Copied, Project, Scope};
use crate::dialects::script::{Scripts, called, folder, is_computed, is_open};
use crate::dialects::tags::{Call, Piece};
use crate::model::path::inside_or_folder;
use crate::model::problem::{Cause, Problem};
use crate::syntax::front::{Entry, Front, Node, Value};

pub(super) static DIALECT: Dialect = Dialect {
    name: "vitepress",
    recognise: |evidence| evidence.hidden_folder(".vitepress"),
    settle,
    scope,
    reads: &["md"],
    copies_linked: true,
    opens_underscored: true,
    keys: Keys {
        files: &[
            ".vitepress/config.*",
            "docs/.vitepress/config.*",
            ".vitepress/config/index.*",
            "docs/.vitepress/config/index.*",
        ],
        language: &["lang", "locales.root.lang"],
        address: &["sitemap.hostname"],
        base: &["base"],
        content: &["srcDir"],
        edit: edit::vitepress,
        ..Keys::NONE
    },
    addresses: Some("/:path.html"),
    vue: true,
    home_in_front: true,
    output,
    ignores_status: true,
    order: &[sidebar::theme],
    heading_ids: Some(heading_ids::VITEPRESS),
    ..COMMON
};

/// What VitePress never takes for a page, with the reason.
const NO_PAGES: [(&str, &str); 3] = [
    ("dist", "in a folder `dist`, which VitePress leaves out"),
    ("node_modules", "dependencies"),
    ("*[*]*", "a template of pages: its path has a parameter"),
];

/// `srcDir` below the folder with `.vitepress/`, and `public/` in it.
fn scope(project: &Project<'_>) -> Scope {
    let content = project.config.content.clone();
    let content = content.unwrap_or_else(|| base(project.evidence));
    let public = inside_or_folder(&content, "public");
    let no_pages = NO_PAGES.into_iter().filter_map(|(pattern, why)| {
        let pattern = inside_or_folder(&content, &format!("**/{pattern}"));
        Some(Glob::parse(&pattern)?.because(why))
    });
    Scope {
        copied: vec![Copied::at_root(&public)],
        excluded_texts: no_pages.collect(),
        ..Scope::new(vec![content], &[])
    }
}

/// The folder with `.vitepress/`.
fn base(evidence: &Evidence<'_>) -> String {
    let own = evidence.hidden_folder(".vitepress").unwrap_or_default();
    let own = own.trim_matches('`').trim_end_matches('/');
    let base = own.strip_suffix(".vitepress").unwrap_or_default();
    base.trim_end_matches('/').to_owned()
}

/// `{{ $frontmatter.title }}`
fn output(call: &Call<'_>) -> Option<Piece> {
    let key = call.text.trim().strip_prefix("$frontmatter.")?;
    Piece::words(call.front.text(&[key])?)
}

/// The maximum number of rewrites.
const MOST: usize = 10_000;

fn settle(evidence: &Evidence<'_>, config: &mut Config, _: &Front) {
    let mut scripts = Scripts::new(evidence);
    let data = scripts.default_export(&config.file);
    let layers = layers(data.as_ref());
    for (depth, layer) in layers.iter().enumerate() {
        config
            .problems
            .extend(not_whole(&config.file, layer, depth > 0));
    }
    let base = base(evidence);
    source(&base, &layers, config);
    exclusions(&mut scripts, config);
    rewrites(&base, &layers, config);
}

/// The settings, the strongest first: those of the file, and those that it extends.
fn layers(data: Option<&Node>) -> Vec<&Node> {
    const DEEPEST: usize = 10;
    let mut layers = Vec::new();
    let mut next = data;
    while let Some(layer) = next.filter(|_| layers.len() < DEEPEST) {
        layers.push(layer);
        next = own(layer, "extends");
    }
    layers
}

/// The value of a key in a map: the last one counts.
fn own<'n>(layer: &'n Node, key: &str) -> Option<&'n Node> {
    let Value::Map(entries) = &layer.value else {
        return None;
    };
    let last = entries.iter().rfind(|entry| entry.key.text == key);
    Some(&last?.node).filter(|node| !node.is_null())
}

/// The value of a key in the settings.
fn value<'n>(layers: &[&'n Node], key: &str) -> Option<&'n Node> {
    layers.iter().find_map(|layer| own(layer, key))
}

/// The problem of settings that are not read whole: what they exclude is not known.
fn not_whole(file: &str, layer: &Node, is_extended: bool) -> Option<Problem> {
    // Other functions may add settings of their own.
    let keeps = |name: &str| name.starts_with("define") || name.starts_with("with");
    if !is_open(layer) && called(layer).is_none_or(keeps) {
        return None;
    }
    let what = match is_extended {
        true => "what `extends` names is not read whole",
        false => "the configuration is not read whole",
    };
    let problem = Problem::warning(format!(
        "{what}: a program computes a part of it, and what that excludes may be published"
    ));
    let problem = problem.at(file, layer.line, layer.column);
    let problem = problem.cause(Cause::Configuration);
    Some(problem.hint("write `srcDir` and `srcExclude` as literals in this file"))
}

/// `srcDir`, also where a program joins it to its own place. If it is not known, nothing of the site
/// is published.
fn source(base: &str, layers: &[&Node], config: &mut Config) {
    const KEY: &str = "srcDir";
    let Some(node) = value(layers, KEY) else {
        // Where no settings are read at all, the first literal counts.
        let is_unread = layers.iter().all(|layer| is_computed(layer));
        let literal = config.content.take().filter(|_| is_unread);
        config.content = literal.map(|literal| inside_or_folder(base, &literal));
        return;
    };
    let named = folder(node, base);
    let is_read = named.is_some();
    config.content = named.filter(|folder| folder != base);
    if is_read {
        return;
    }
    let why = match node.text().filter(|_| !is_computed(node)) {
        Some(text) => format!("`{text}` is outside the folder that is read"),
        None => "a program computes it".to_owned(),
    };
    let problem = Problem::error(format!("`{KEY}` is not read: {why}"));
    let problem = problem.at(&*config.file, node.line, node.column);
    let hint = "write a folder of the site as a literal; nothing of the site is published";
    config.withhold_for(problem.hint(hint), UNKNOWN_FOLDER);
}

/// `srcExclude`, also where it names constants. What it may have is left out as well.
fn exclusions(scripts: &mut Scripts<'_, '_>, config: &mut Config) {
    const KEY: &str = "srcExclude";
    let list = scripts.lists(&config.file, KEY);
    // A pattern that begins with `!` excludes nothing, and brings nothing back.
    let excludes = |pattern: &&str| !pattern.starts_with('!') || pattern.starts_with("!(");
    let patterns: Vec<&str> = list.all().filter(excludes).collect();
    if config.is_too_long(KEY, patterns.len(), (0, 0)) {
        return;
    }
    if !patterns.is_empty() {
        config.say(KEY, &patterns.join(" "));
    }
    for pattern in patterns {
        config.exclude.extend(Patterns::Rooted.read(pattern));
        if !Patterns::Rooted.has_all_groups(pattern) {
            config.note_unread(KEY, pattern, (0, 0));
        }
    }
    let hint = "write all its patterns as literals; what the program may name is left out";
    config.problems.extend(list.problem(KEY, hint));
}

/// `rewrites: { 'packages/:name/src/:page': ':name/:page' }`: the paths that give texts their
/// addresses.
fn rewrites(base: &str, layers: &[&Node], config: &mut Config) {
    let Some(rewrites) = value(layers, "rewrites") else {
        return;
    };
    let entries: &[Entry] = match &rewrites.value {
        Value::Map(entries) if !is_computed(rewrites) => entries,
        _ => {
            return config
                .problems
                .push(unread(config, rewrites, "a program computes them"));
        }
    };
    for Entry { key, node } in entries.iter().take(MOST) {
        let from = Pattern::from(&key.text, Style::Express);
        let to = from
            .as_ref()
            .and_then(|from| from.target(&node.text()?.replace("(.*)", "$1"), Style::Express));
        match (from, to) {
            (Some(from), Some(to)) => config.rewrites.push((from, to)),
            _ => {
                let problem = unread(config, node, "one is more than names and `*`");
                Problem::note_all(&mut config.problems, [problem]);
            }
        }
    }
    const README: &str = "README.md";
    let base = config.content.clone().unwrap_or_else(|| base.to_owned());
    config.home = config.rewritten(README).filter(|to| to == "index.md");
    config.home = config.home.take().map(|_| inside_or_folder(&base, README));
    if !config.rewrites.is_empty() {
        let count = config.rewrites.len().to_string();
        config.say("rewrites", &count);
    }
}

fn unread(config: &Config, at: &Node, why: &str) -> Problem {
    Problem::warning(format!("`rewrites` is not read: {why}"))
        .at(&*config.file, at.line, at.column)
        .cause(Cause::Configuration)
        .hint("write the addresses of the texts as `aliases` in their front matter")
}
