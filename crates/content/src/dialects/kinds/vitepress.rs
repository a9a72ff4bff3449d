//! A VitePress site: `<!--@include: ./x.md-->`, `<<< @/x.js`, `::: tip`.

use crate::dialects::config::{Config, Keys, Patterns, edit};
use crate::dialects::dialect::{COMMON, Dialect};
use crate::dialects::evidence::Evidence;
use crate::dialects::heading_ids;
use crate::dialects::order::sidebar;
use crate::dialects::pattern::{Pattern, Style};
use crate::dialects::scope::{Copied, Project, Scope, folder_path};
use crate::dialects::script::{Scripts, is_computed};
use crate::dialects::tags::{Call, Piece};
use crate::model::path::inside_or_folder;
use crate::model::problem::{Cause, Problem};
use crate::syntax::front::{Entry, Node, Value};

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

/// `srcDir` below the folder with `.vitepress/`, and `public/` in it.
fn scope(project: &Project<'_>) -> Scope {
    let own = project
        .evidence
        .hidden_folder(".vitepress")
        .unwrap_or_default();
    let own = own.trim_matches('`').trim_end_matches('/');
    let base = own
        .strip_suffix(".vitepress")
        .unwrap_or_default()
        .trim_end_matches('/');
    let source = project.front.text(&["srcDir"]).unwrap_or_default();
    let content = folder_path(&inside_or_folder(base, source)).unwrap_or_else(|| base.to_owned());
    let public = inside_or_folder(&content, "public");
    Scope {
        copied: vec![Copied::at_root(&public)],
        ..Scope::new(vec![content], &[])
    }
}

/// `{{ $frontmatter.title }}`
fn output(call: &Call<'_>) -> Option<Piece> {
    let key = call.text.trim().strip_prefix("$frontmatter.")?;
    Piece::words(call.front.text(&[key])?)
}

/// The maximum number of rewrites.
const MOST: usize = 10_000;

fn settle(evidence: &Evidence<'_>, config: &mut Config) {
    exclusions(evidence, config);
    rewrites(evidence, config);
}

/// `srcExclude`, also where it names constants. What it may have is left out as well.
fn exclusions(evidence: &Evidence<'_>, config: &mut Config) {
    const KEY: &str = "srcExclude";
    let list = Scripts::new(evidence).lists(&config.file, KEY);
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
fn rewrites(evidence: &Evidence<'_>, config: &mut Config) {
    let mut scripts = Scripts::new(evidence);
    let Some(rewrites) = scripts
        .default_export(&config.file)
        .and_then(|node| Some(node.get("rewrites")?.node.clone()))
    else {
        return;
    };
    let entries: &[Entry] = match &rewrites.value {
        Value::Map(entries) if !is_computed(&rewrites) => entries,
        _ => {
            return config
                .problems
                .push(unread(config, &rewrites, "a program computes them"));
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
