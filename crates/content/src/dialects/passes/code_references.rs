//! References to the documentation of code, which mkdocstrings makes: `[text][package.name]` and
//! `[package.name][]` without a definition are their text, and `[](){#id}` is a place.

use super::page::Page;
use super::splice::Splice;
use crate::dialects::lines::Lines;
use crate::dialects::scan::scan;
use crate::syntax::markdown::undefined_names;

/// An empty link with an attribute list.
const PLACE: &str = "[](){#";

/// Whether a text may have such references.
pub fn may_have(text: &str) -> bool {
    text.contains("][") || text.contains(PLACE)
}

/// Replaces them.
pub fn rewrite(lines: &mut Lines, page: &Page<'_>) {
    if !page.kind.dialect.code_references || !may_have(&lines.text) {
        return;
    }
    let text = lines.text.as_str();
    let mut splice = Splice::new(text);
    let mut undefined = undefined_names(text).into_iter().peekable();
    for line in scan(text, &lines.literals()) {
        let end = line.start + line.whole.len();
        if let Some(id) = place(line.rest).filter(|_| !line.block) {
            let place = format!("{}<a id=\"{id}\"></a>", line.prefix);
            splice.put(line.start..end, &place);
        }
        while let Some((range, label)) = undefined.next_if(|(range, _)| range.start < end) {
            let whole = &text[range.clone()];
            let inner = whole.strip_prefix('[');
            let named = inner.and_then(|whole| whole.strip_suffix(&format!("][{label}]")));
            let Some(words) = named
                .or_else(|| inner?.strip_suffix("][]"))
                .filter(|_| is_name(label.trim_matches('`')) && range.start >= splice.done())
            else {
                continue;
            };
            let code = format!("`{label}`");
            let is_bare = words.is_empty() || words == label && !words.starts_with('`');
            splice.put(range, if is_bare { &code } else { words });
        }
    }
    let (text, sources) = splice.finish();
    lines.replace(text, &sources);
}

/// `package.module.name`
fn is_name(label: &str) -> bool {
    label.split('.').all(|part| {
        let mut letters = part.chars();
        letters
            .next()
            .is_some_and(|first| first.is_alphabetic() || first == '_')
            && letters.all(|c| c.is_alphanumeric() || c == '_')
    })
}

/// The id of a line that is nothing but a place.
fn place(line: &str) -> Option<&str> {
    let id = line.trim_end().strip_prefix(PLACE)?.strip_suffix('}')?;
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ':');
    (!id.is_empty() && id.chars().all(is_plain)).then_some(id)
}

#[cfg(test)]
mod tests {
    use crate::dialects::{Evidence, Files, Kind, Named, translate};
    use crate::syntax::front::Front;

    /// A text of a kind, translated.
    fn check(kind: &str, text: &str, expected: &str) {
        let kind = Kind::detect(&Evidence::default(), Some(kind));
        let files = Files::new("a.md", &|_| Named::Missing);
        let translated = translate(text, false, false, &kind, &Front::default(), &files);
        assert_eq!(translated.text, expected, "{text}");
    }

    #[test]
    fn rule_53_a_reference_to_code_is_its_text() {
        check(
            "mkdocs",
            "See [`Field`][pydantic.Field] and [the\nmodule][dataclasses], [][enum.Enum].\n\n[x][own]\n\n[own]: /a\n",
            "See `Field` and the\nmodule, `enum.Enum`.\n\n[x][own]\n\n[own]: /a\n",
        );
        check(
            "mkdocs",
            "[`a.B`][], [a.b][], [`c`][] and [own][]\n\n[own]: /a",
            "`a.B`, `a.b`, `c` and [own][]\n\n[own]: /a",
        );
        for kept in [
            "a[i][j]",
            "`[a][b.c]`",
            "```\n[a][b.c]\n```",
            "[a][1]",
            "[a][b c]",
            "[two words][]",
        ] {
            check("mkdocs", kept, kept);
        }
        check("hugo", "[a][b.c]", "[a][b.c]");
    }

    #[test]
    fn rule_53_an_empty_link_with_an_id_is_a_place() {
        check(
            "mkdocs",
            "a\n\n[](){#old-id}\n\n## B",
            "a\n\n<a id=\"old-id\"></a>\n\n## B",
        );
        check("mkdocs", "```\n[](){#x}\n```", "```\n[](){#x}\n```");
        check("hugo", "[](){#x}", "[](){#x}");
    }
}
