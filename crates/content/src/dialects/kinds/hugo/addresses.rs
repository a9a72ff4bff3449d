//! The addresses of Hugo's pages: how names, titles and slugs are written in them.

use jiff::civil::{Date, Time};
use percent_encoding::percent_decode_str;
use unicode_normalization::{UnicodeNormalization as _, char::is_combining_mark};

use crate::dialects::config::{Config, RuledPage};
use crate::dialects::dialect::Filling;
use crate::syntax::front::{Entry, Front, Node, Value};

/// Hugo's own in the patterns of addresses.
pub static FILLING: Filling = Filling {
    words,
    slug,
    address,
    ending,
    undated: "0001-01-01",
    section: "_index.",
};

/// A name of a file or a folder.
pub fn spell(config: &Config, part: &str) -> String {
    match config.writing.keeps_case {
        true => words(config, part),
        false => words(config, &part.replace(' ', "-")),
    }
}

/// A title or a slug: letters, digits and a few signs, with one `-` for white space.
fn words(config: &Config, text: &str) -> String {
    let mut kept = sanitized(text);
    if config.writing.drops_accents {
        kept = kept
            .nfd()
            .filter(|c| !is_combining_mark(*c))
            .nfc()
            .collect();
    }
    match config.writing.keeps_case {
        true => kept,
        // Letter by letter, as Hugo does: `İ` is `i`, and `Σ` at the end is `σ`.
        false => kept
            .chars()
            .filter_map(|c| c.to_lowercase().next())
            .collect(),
    }
}

fn sanitized(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let (mut is_after_space, mut is_after_hyphen) = (false, false);
    for (at, c) in text.char_indices() {
        if is_kept(c) || c == '%' && is_escape(text, at) {
            is_after_hyphen = c == '-';
            if is_after_space && !is_after_hyphen {
                kept.push('-');
            }
            is_after_space = false;
            kept.push(c);
        } else if !kept.is_empty() && !is_after_hyphen && c.is_whitespace() {
            is_after_space = true;
        }
    }
    kept
}

fn is_kept(c: char) -> bool {
    let is_sign = matches!(c, '.' | '/' | '\\' | '_' | '#' | '+' | '~' | '-' | '@');
    is_sign || c.is_alphanumeric() && !is_numbering(c) || is_combining_mark(c)
}

/// Whether a sign is a number, and not a letter or a digit: `²`, `①`, `Ⅷ`.
fn is_numbering(c: char) -> bool {
    let is_sign = || {
        matches!(
            c,
            '²' | '³' | '¹' | '¼'..='¾' | '\u{2070}'..='\u{218b}' | '\u{2460}'..='\u{24ff}'
                | '\u{2776}'..='\u{2793}' | '\u{3192}'..='\u{32bf}'
        )
    };
    c.is_numeric() && (c.is_alphabetic() || is_sign())
}

/// Whether `%` is followed by the two digits of an escape.
fn is_escape(text: &str, at: usize) -> bool {
    let digits = text.as_bytes().get(at + 1..at + 3);
    digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
}

/// What a pattern gives is read as a URL, in which `+` is a space, and written as a name again.
fn address(config: &Config, filled: &str) -> String {
    let spaced = filled.trim_end_matches('/').replace('+', " ");
    let decoded = percent_decode_str(&spaced).decode_utf8_lossy();
    words(config, &decoded)
}

/// Pages have folders of their own, unless `uglyURLs` says otherwise. Lists always have one.
fn ending(config: &Config, page: &RuledPage<'_>) -> &'static str {
    let section = page.path.split_once('/').map_or("", |(first, _)| first);
    let mut ugly = config.writing.ugly.iter();
    let is_ugly = ugly.any(|name| name.is_empty() || name == section);
    let kind = config.page_kind(page.path, page.is_branch);
    match is_ugly && matches!(kind, "page" | "term") {
        true => ".html",
        false => "/",
    }
}

/// The slug in front matter, else that of a dated name, if the configuration asks for its date.
fn slug(config: &Config, front: &Front, name: &str) -> Option<String> {
    if let Some(entry) = front.get("slug").filter(|entry| !entry.node.is_null()) {
        let slug = entry.node.text()?.trim_matches('-');
        return (!slug.is_empty()).then(|| slug.to_owned());
    }
    let is_undated = |keys: &Vec<String>| {
        let mut entries = keys.iter().filter_map(|key| front.get(key));
        !entries.any(|entry| entry.node.has_value())
    };
    let mut lists = config.writing.slugs_in_names.iter();
    lists.any(is_undated).then(|| slug_in_name(name))?
}

/// `named` of `2021-05-06-named` and of `2021-05-06_10-11-12-named`.
fn slug_in_name(name: &str) -> Option<String> {
    name.get(..10)?.parse::<Date>().ok()?;
    let time = name.get(11..19).map(|time| time.replace('-', ":"));
    let is_time = time.is_some_and(|time| time.parse::<Time>().is_ok());
    let rest = name.get(if is_time { 19 } else { 10 }..)?;
    let slug = rest.trim_matches([' ', '-', '_']);
    (!slug.is_empty()).then(|| slug.to_owned())
}

/// Reads how addresses are written.
pub fn read(config: &mut Config, front: &Front) {
    let writing = &mut config.writing;
    writing.keeps_case = front.bool(&["disablePathToLower"]) == Some(true);
    writing.drops_accents = front.bool(&["removePathAccents"]) == Some(true);
    writing.slugs_in_names = slugs_in_names(front);
    writing.ugly = ugly_sections(front);
    if config.locales.is_empty() {
        writing.default_in_names = true;
        let default = &mut config.default_language;
        default.get_or_insert_with(|| "en".to_owned());
    }
}

/// The sections whose pages have the addresses of files; an empty name means all.
fn ugly_sections(front: &Front) -> Vec<String> {
    let ugly = front.get("uglyURLs").map(|entry| &entry.node);
    match ugly.map(|node| (&node.value, node.bool())) {
        Some((Value::Map(sections), _)) => {
            let named = sections.iter().filter(|one| one.node.bool() == Some(true));
            named.map(|one| one.key.text.to_lowercase()).collect()
        }
        Some((_, Some(true))) => vec![String::new()],
        _ => Vec::new(),
    }
}

/// The keys before `:filename` in each list of `[frontmatter]`.
fn slugs_in_names(front: &Front) -> Vec<Vec<String>> {
    let Some(Value::Map(lists)) = front.get("frontmatter").map(|entry| &entry.node.value) else {
        return Vec::new();
    };
    lists.iter().filter_map(before_name).collect()
}

/// The keys that `:default` means in a list of `[frontmatter]`.
fn usual_keys(list: &str) -> Option<&'static [&'static str]> {
    let keys: &[&str] = match list {
        "date" => &[
            "date",
            "publishdate",
            "pubdate",
            "published",
            "lastmod",
            "modified",
        ],
        "lastmod" => &[
            "lastmod",
            "modified",
            "date",
            "publishdate",
            "pubdate",
            "published",
        ],
        "publishdate" => &["publishdate", "pubdate", "published", "date"],
        "expirydate" => &["expirydate", "unpublishdate"],
        _ => return None,
    };
    Some(keys)
}

/// The keys before `:filename` in one of these lists.
fn before_name(list: &Entry) -> Option<Vec<String>> {
    let usual = usual_keys(&list.key.text.to_lowercase())?;
    let mut before: Vec<String> = Vec::new();
    for name in list.node.items().iter().filter_map(Node::text) {
        let name = name.to_lowercase();
        match &*name {
            ":filename" => return Some(before),
            // Every file has one.
            ":filemodtime" => return None,
            ":default" => before.extend(usual.iter().map(|key| (*key).to_owned())),
            ":git" => {}
            "lastmod" => before.extend([name, "modified".to_owned()]),
            "publishdate" => before.extend([name, "pubdate".to_owned(), "published".to_owned()]),
            "expirydate" => before.extend([name, "unpublishdate".to_owned()]),
            _ => before.push(name),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_titles_are_written_as_hugo_writes_them() {
        let config = Config::default();
        for (name, written) in [
            ("It's (ok) & more", "its-ok--more"),
            ("x - y", "x---y"),
            ("a  b", "a--b"),
            ("a, b", "a-b"),
            ("c++ d", "c++-d"),
            ("50% #x %41", "50-#x-%41"),
            ("İstanbul ΟΔΟΣ", "istanbul-οδοσ"),
            ("m² Ⅷ ①", "m--"),
        ] {
            assert_eq!(spell(&config, name), written, "{name}");
        }
        for (title, written) in [
            ("It's (ok) & more", "its-ok-more"),
            ("x - y", "x-y"),
            (" & a -- b &", "a--b"),
            ("a- b", "a-b"),
            ("m² … 日本語 １２ हिन्दी", "m-日本語-１２-हिन्दी"),
        ] {
            assert_eq!(words(&config, title), written, "{title}");
        }
        assert_eq!(address(&config, "/a/c++-b%20c++/"), "/a/c-b-c");
    }
}
