//! Pages of VuePress that a theme shows only to those who know a password: `encrypt` of VuePress Hope.

use crate::dialects::config::{Config, Defaults};
use crate::dialects::evidence::Evidence;
use crate::dialects::script::{is_computed, is_open};
use crate::model::format::is_markdown;
use crate::model::path::{below, folder, inside_or_folder};
use crate::model::problem::{Cause, Problem};
use crate::model::sources::SourceFile;
use crate::model::text::decode;
use crate::syntax::front::{Entry, Node, split};
use crate::syntax::tokens::{Code, TokenKind, unquoted};

/// The key of the passwords in the settings of the theme.
const ENCRYPT: &str = "encrypt";
/// The keys of those settings.
const THEME: [&str; 2] = ["theme", "themeConfig"];
/// The key of addresses in front matter.
const PERMALINK: &str = "permalink";
/// The key of a pattern of addresses, in the configuration and in front matter.
pub const PATTERN: &str = "permalinkPattern";
/// The largest program that is read whole, in bytes. A larger one with the word may have the key.
const LARGEST: usize = 300_000;
/// Why nothing is published where the protected pages are not known.
const UNKNOWN: &str = "withheld, because the pages with a password are not known";

/// Withholds the pages with a password.
pub fn settle(evidence: &Evidence<'_>, config: &mut Config, file: &str, settings: Option<&Node>) {
    let themes = settings.into_iter().flat_map(|settings| {
        let themes = THEME.iter().filter_map(|key| settings.get(key));
        themes.map(|theme| &theme.node)
    });
    let themes: Vec<&Node> = themes.collect();
    let mut found = themes.iter().filter_map(|theme| theme.get(ENCRYPT));
    let Some(encrypt) = found.next() else {
        let is_read = settings.is_some_and(|settings| !is_open(settings))
            && themes.iter().all(|theme| !is_open(theme));
        if !is_read && some_program_has(evidence, folder(file), ENCRYPT) {
            unread(config, file, (0, 0));
        }
        return;
    };
    let encrypt = &encrypt.node;
    let at = (encrypt.line, encrypt.column);
    let value = |key: &str| encrypt.get(key).map(|entry| &entry.node);
    let (global, pages) = (value("global"), value("config"));
    let is_known = |node: &&Node| !is_open(node) && !is_computed(node);
    let parts = [Some(encrypt), global, pages, value("status")];
    // With a pattern of addresses it is not known which pages the paths mean.
    let pattern = settings.and_then(|settings| settings.get(PATTERN));
    let has_pattern = pattern.is_some_and(|entry| !entry.node.is_null());
    if has_pattern || !parts.iter().flatten().all(is_known) {
        return unread(config, file, at);
    }
    let is_global = global.and_then(Node::bool) == Some(true)
        || value("status").and_then(Node::text) == Some("global");
    if is_global {
        let message = "all texts are withheld, because `encrypt` protects them with a password";
        let problem = Problem::error(message).at(file, at.0, at.1);
        return config.protect(None, problem.hint("remove `global` to publish them"));
    }
    let keys = pages.map_or(&[][..], Node::entries).iter();
    let keys: Vec<&str> = keys.map(|entry| &*entry.key.text).collect();
    protect(evidence, config, (file, at), &keys);
}

/// Withholds the pages whose addresses begin with one of these.
fn protect(
    evidence: &Evidence<'_>,
    config: &mut Config,
    (file, at): (&str, (u32, u32)),
    keys: &[&str],
) {
    if keys.is_empty() {
        return;
    }
    let content = folder(folder(file));
    let mut paths = by_permalink(evidence, content, keys);
    for key in keys {
        paths.extend(by_path(evidence, content, key));
    }
    if config.is_too_long(ENCRYPT, paths.len().max(keys.len()), at) {
        return;
    }
    config.problems.push(are_withheld(file, at));
    let password = || vec![Entry::plain("password", "protected", 0, 0)];
    let defaults = paths.iter().map(|path| Defaults::merged(path, password()));
    config.add_defaults(defaults.collect());
}

fn are_withheld(file: &str, (line, column): (u32, u32)) -> Problem {
    let message = "pages are withheld, because `encrypt.config` protects them with a password";
    let hint = "remove the path of a page from `encrypt.config` to publish the page";
    let problem = Problem::warning(message).at(file, line, column);
    problem.hint(hint).cause(Cause::Configuration)
}

/// The texts, or the folder, of the pages whose paths give them an address with this beginning.
fn by_path(evidence: &Evidence<'_>, content: &str, key: &str) -> Vec<String> {
    let Some(inner) = key.strip_prefix('/') else {
        return Vec::new();
    };
    let path = inside_or_folder(content, inner.trim_end_matches('/'));
    if inner.is_empty() || inner.ends_with('/') {
        return vec![path];
    }
    if let Some(stem) = path.strip_suffix(".html") {
        return vec![format!("{stem}.md")];
    }
    let texts = evidence.all_from(&path).iter();
    let texts = texts.filter(|text| is_markdown(&text.path));
    texts.map(|text| text.path.to_string()).collect()
}

/// The texts with an address of their own that begins with one of these.
fn by_permalink(evidence: &Evidence<'_>, content: &str, keys: &[&str]) -> Vec<String> {
    let texts = evidence.all().iter().filter(|text| {
        is_markdown(&text.path)
            && (content.is_empty() || below(&text.path, content).is_some())
            && memchr::memmem::find(&text.bytes, PERMALINK.as_bytes()).is_some()
    });
    let protected = texts.filter(|text| may_begin_with(text, keys));
    protected.map(|text| text.path.to_string()).collect()
}

/// Whether the address that a text gives itself may begin with one of these.
fn may_begin_with(text: &SourceFile, keys: &[&str]) -> bool {
    let (decoded, _) = decode(&text.bytes, &text.path);
    let front = split(&decoded, &text.path).front;
    let own = front.text(&[PERMALINK]).unwrap_or_default();
    let own = own.trim_start_matches('/');
    let mut keys = keys.iter().filter_map(|key| key.strip_prefix('/'));
    let is_named = !own.is_empty() && keys.any(|key| own.starts_with(key));
    is_named || front.text(&[PATTERN]).is_some()
}

/// Publishes nothing, since it is not known which pages have a password.
fn unread(config: &mut Config, file: &str, (line, column): (u32, u32)) {
    let problem =
        Problem::error("`encrypt` is not read: a program computes it, or addresses have a pattern");
    let problem = problem.at(file, line, column);
    let hint = "write its pages as literals; nothing of the site is published";
    config.withhold_for(problem.hint(hint), UNKNOWN);
}

/// Whether a program in a folder may have a key: `key:`, `"key":`, `{ key }` or `theme.key =`.
fn some_program_has(evidence: &Evidence<'_>, folder: &str, key: &str) -> bool {
    let mut programs = evidence.below(folder).filter(|file| {
        !is_markdown(&file.path) && memchr::memmem::find(&file.bytes, key.as_bytes()).is_some()
    });
    programs.any(|file| {
        if file.bytes.len() > LARGEST {
            return true;
        }
        let (text, _) = decode(&file.bytes, &file.path);
        let code = Code::new(&*text);
        let is_key = |at: usize| {
            let signs = match code.kind(at) {
                Some(TokenKind::Text) if unquoted(code.source(at)) == key => ":",
                Some(TokenKind::Word) if code.source(at) == key => ":=,}",
                _ => "",
            };
            signs.chars().any(|sign| code.is(at + 1, sign))
        };
        (0..code.count()).any(is_key)
    })
}
