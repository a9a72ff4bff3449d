//! A Zola site: shortcodes with the syntax of function calls, `{{ name(key="value") }}`.

use crate::dialects::config::{Config, Glob, Keys, Patterns, Spelling, undated};
use crate::dialects::dialect::{COMMON, Dialect, Inherits, Owner};
use crate::dialects::evidence::Evidence;
use crate::dialects::heading_ids;
use crate::dialects::scope::{Project, Scope};
use crate::dialects::tags::common;
use crate::dialects::tags::{Call, Form, Piece};
use crate::syntax::front::{Entry, Front, split_after_space};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

pub(super) static DIALECT: Dialect = Dialect {
    name: "zola",
    recognise,
    roots: &["content"],
    outputs: &["public"],
    machinery: &["templates", "themes", "sass"],
    scope,
    reads: &["md"],
    owns_files: Owner::SomeIndex,
    inherits: Inherits::DraftSections,
    opens_underscored: true,
    keys: Keys {
        files: &["zola.toml", "config.toml"],
        author: &["author", "extra.authors", "extra.author"],
        language: &["default_language"],
        address: &["base_url"],
        exclude: &["ignored_content"],
        patterns: Patterns::Whole,
        more,
        ..Keys::NONE
    },
    addresses: Some("/:path/"),
    spell,
    names_page: &["slug"],
    section_feeds: &["atom.xml", "rss.xml"],
    sorts_sections: true,
    default_language_has_no_folder: true,
    output: function,
    ignores_status: true,
    heading_ids: Some(heading_ids::ZOLA),
    split: split_after_space,
    ..COMMON
};

fn recognise(evidence: &Evidence<'_>) -> Option<String> {
    let config = evidence.first(&["config.toml", "zola.toml"])?;
    evidence
        .opens_with_plus("content")
        .then(|| format!("{config} and `+++` in `content/`"))
}

/// The key of patterns of files in `static/` that are left out.
const IGNORED: &str = "ignored_static";

/// `content/`, and `static/` without what `ignored_static` names. A `*` there matches `/` as well.
fn scope(project: &Project<'_>) -> Scope {
    const STATIC: &str = "static";
    let mut scope = Scope::new(vec!["content".to_owned()], &[STATIC]);
    for pattern in project.front.texts(IGNORED) {
        scope.excluded.extend(Glob::parse_paths(STATIC, pattern));
        if pattern.contains('*') {
            scope
                .excluded
                .extend(Glob::parse_entry(&format!("{STATIC}/{pattern}")));
        }
    }
    scope
}

/// `slugify.paths`: how much of a name stays in an address.
fn more(config: &mut Config, front: &Front) {
    if let Some(Entry { node, .. }) = front.get(IGNORED) {
        config.is_too_long(IGNORED, node.items().len(), (node.line, node.column));
    }
    config.spelling = match front.text(&["slugify.paths", "slugify_paths"]) {
        Some("off") => Some(Spelling::AsWritten),
        Some("safe") => Some(Spelling::Safe),
        _ => None,
    };
}

/// A part of a path without its date, in lower case, with `-` for everything that is not a letter
/// or digit.
fn spell(_: &Config, part: &str) -> String {
    let plain = undated(part).nfd().filter(|c| !is_combining_mark(*c));
    let mut spelled = String::new();
    for c in plain.flat_map(char::to_lowercase) {
        if c.is_alphanumeric() {
            spelled.push(c);
        } else if !spelled.ends_with('-') && !spelled.is_empty() {
            spelled.push('-');
        }
    }
    spelled.trim_end_matches('-').to_owned()
}

/// `{{ name(key="value") }}`
fn function(call: &Call<'_>) -> Option<Piece> {
    let (name, arguments) = call.text.trim().strip_suffix(')')?.split_once('(')?;
    if name.is_empty()
        || !name
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'))
    {
        return None;
    }
    let call = Call::new(Form::Shortcode, name, arguments, call.front);
    match name {
        "figure" | "img" | "image" | "picture" => Piece::picture(&call),
        _ => common::replace(&call),
    }
}

#[cfg(test)]
mod tests {
    use crate::dialects::{Evidence, Files, Kind, Named, translate};
    use crate::syntax::front::Front;

    #[test]
    fn rule_12_tags_of_zola_are_written_like_functions() {
        let check = |text: &str, expected: &str| {
            let kind = Kind::detect(&Evidence::default(), Some("zola"));
            let files = Files::new("a.md", &|_| Named::Missing);
            assert_eq!(
                translate(text, false, false, &kind, &Front::default(), &files).text,
                expected,
                "{text}"
            );
        };
        check(
            "{{ figure(src=\"a.png\", alt=\"An alt\") }}",
            "![An alt](a.png)",
        );
        check(
            "{{ vimeo(id=\"1\") }}",
            "<iframe src=\"https://player.vimeo.com/video/1\" title=\"Video on Vimeo\"></iframe>",
        );
        check(
            "{% note(title=\"Own\") %}\na\n{% end %}",
            "> [!note] Own\n>\n> a\n",
        );
        check(
            "{% warning() %}\na\n\n{% tip() %}b{% end %}\n{% end %}",
            "> [!warning]\n>\n> a\n>\n> > [!tip]\n> >\n> > b\n>\n",
        );
        check(
            "{% quote(author=\"Someone\") %}\na\n{% end %}",
            "> [!quote] Someone\n>\n> a\n",
        );
        check(
            "{% mystery(x=1) %}a{% end %} {{ mystery() }} {{ a.b(1) }} {{ ref(\"m\") }}",
            "a   ",
        );
        check("{% if x %}a{% end %}", "a");
    }
}
