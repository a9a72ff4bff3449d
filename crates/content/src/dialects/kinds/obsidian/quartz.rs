//! Quartz, which publishes the vault in `content/`.

use crate::dialects::config::{
    Config, Glob, Patterns, Permalink, Spelling, first_existing, ignore_file, read,
};
use crate::dialects::evidence::Evidence;
use crate::dialects::scope::{Project, Scope};
use crate::model::path::name;
use crate::model::sources::SourceFile;
use crate::syntax::front::{Front, Node};

/// Its configuration: it reads the first that exists, the defaults of its version 5 last. A program is
/// that of version 4.
pub const CONFIG: &[&str] = &[
    "quartz.config.yaml",
    "quartz.plugins.json",
    "quartz.config.default.yaml",
    "quartz.plugins.default.json",
    "quartz.config.*",
];
/// The folder of the notes.
const NOTES: &str = "content";
/// What git leaves out, and Quartz as well.
const GIT: &str = ".gitignore";
/// The key of patterns of what is left out.
const IGNORED: &str = "configuration.ignorePatterns";
/// The filter that publishes only notes with `publish: true`, in version 5 and before.
const FILTER: &str = "explicit-publish";
const FILTER_CALLED: &str = "ExplicitPublish(";

/// The configuration, at the root.
pub fn configuration<'a>(evidence: &Evidence<'a>) -> Option<&'a SourceFile> {
    let file = first_existing(evidence, CONFIG)?;
    (!file.path.contains('/')).then_some(file)
}

/// The notes without what `ignorePatterns` names, and what git ignores there.
pub fn scope(project: &Project<'_>, scope: &mut Scope) {
    let Project {
        evidence, front, ..
    } = project;
    let notes = Some(NOTES.to_owned()).filter(|folder| evidence.folder(folder));
    scope.content.extend(notes);
    let ignored = front.texts(IGNORED).flat_map(ignored);
    scope.excluded.extend(ignored);
    for glob in ignoring(evidence)
        .into_iter()
        .flat_map(ignore_file::patterns)
    {
        let glob = glob.because("excluded by `.gitignore`");
        scope.ignored.push(glob);
    }
}

/// The patterns that one of `ignorePatterns` means. They count from the folder of the notes. One that ends
/// with a plain name leaves out what is in such a folder as well.
fn ignored(pattern: &str) -> Vec<Glob> {
    const WILD: [char; 4] = ['*', '?', '[', '('];
    let pattern = pattern.strip_prefix("./").unwrap_or(pattern);
    let pattern = pattern.trim_end_matches('/');
    let mut globs = Glob::parse_paths(NOTES, pattern);
    let last = name(pattern);
    if !last.contains(WILD) {
        globs.extend(Glob::parse_paths(NOTES, &format!("{pattern}/**")));
    }
    globs
}

/// The addresses of notes. Reports lists that are too long, and patterns that are not read.
pub fn settle(evidence: &Evidence<'_>, config: &mut Config, front: &Front) {
    for file in ignoring(evidence) {
        config.is_too_long(&file.path, ignore_file::count(file), (0, 0));
    }
    if configuration(evidence).is_none() {
        return;
    }
    config.spelling = Some(Spelling::Dashed);
    config.aliases_are_addresses = true;
    config.permalinks.push(Permalink {
        scope: String::new(),
        pattern: "/:path".to_owned(),
        below: false,
    });
    let Some(node) = front.get(IGNORED).map(|entry| &entry.node) else {
        return;
    };
    config.is_too_long(IGNORED, node.items().len(), (node.line, node.column));
    let patterns: Vec<&str> = node.items().iter().filter_map(Node::text).collect();
    config.say(IGNORED, &patterns.join(" "));
    for item in node.items() {
        let unread = item.text();
        let unread = unread.filter(|pattern| !Patterns::Rooted.has_all_groups(pattern));
        if let Some(pattern) = unread {
            config.note_unread(IGNORED, pattern, (item.line, item.column));
        }
    }
}

/// The files that say what git ignores among the notes, the innermost last.
fn ignoring<'a>(evidence: &Evidence<'a>) -> Vec<&'a SourceFile> {
    if configuration(evidence).is_none() {
        return Vec::new();
    }
    let below = evidence.below(NOTES);
    let mut files: Vec<_> = below.filter(|file| name(&file.path) == GIT).collect();
    files.sort_by_key(|file| file.path.matches('/').count());
    files
}

/// Whether only notes with `publish: true` are published.
pub fn needs_publish(evidence: &Evidence<'_>) -> bool {
    let Some(file) = configuration(evidence) else {
        return false;
    };
    match file.path.rsplit_once('.') {
        Some((_, "yaml" | "yml" | "json")) => {
            let (front, ..) = read(file);
            front.items("plugins").iter().any(is_filter)
        }
        _ => calls_filter(&String::from_utf8_lossy(&file.bytes)),
    }
}

/// Whether a plug-in is the filter, and enabled. Its source is an address, or has it at `repo`.
fn is_filter(plugin: &Node) -> bool {
    let enabled = plugin.get("enabled").and_then(|entry| entry.node.bool());
    let source = plugin.get("source").map(|entry| &entry.node);
    let inner = ["repo", "name"].map(|key| source?.get(key));
    let inner = inner.into_iter().flatten().map(|entry| &entry.node);
    let mut names = source.into_iter().chain(inner).filter_map(Node::text);
    enabled == Some(true) && names.any(|named| plugin_name(named) == FILTER)
}

/// The name of a plug-in in the address of its repository.
fn plugin_name(source: &str) -> &str {
    let address = source.split('#').next().unwrap_or_default();
    let address = address.trim_end_matches('/').trim_end_matches(".git");
    name(address)
}

/// Whether a program calls the filter outside comments.
fn calls_filter(program: &str) -> bool {
    // The parts between `/*` and `*/` are comments.
    let mut parts = program.split("/*").enumerate();
    parts.any(|(number, part)| {
        let comment = part.split_once("*/").filter(|_| number > 0);
        let code = comment.map_or(part, |(_, code)| code);
        code.lines().any(|line| {
            let (code, _) = line.split_once("//").unwrap_or((line, ""));
            code.contains(FILTER_CALLED)
        })
    })
}
