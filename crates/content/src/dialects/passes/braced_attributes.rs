//! Attributes in braces, as Goldmark reads them: `## Heading {class="a"}`, and on the line below a block.
//! They are not shown. An id among them stays, for the steps that give it to its block.

use super::heading_comments::is_heading;
use super::page::Page;
use super::splice::Splice;
use crate::dialects::lines::Lines;
use crate::dialects::markup::is_id;
use crate::dialects::scan::scan;

/// The longest list of attributes, in bytes.
const LONGEST: usize = 500;
/// The sign of the lists that other steps do not read.
const SIGN: char = '=';

pub fn may_have_some(text: &str, page: &Page<'_>) -> bool {
    let has_lists = page.kind.config.title_attributes || page.kind.config.block_attributes;
    has_lists && text.contains('{') && text.contains(SIGN)
}

/// Removes the lists.
pub fn rewrite(lines: &mut Lines, page: &Page<'_>) {
    if !may_have_some(&lines.text, page) {
        return;
    }
    let mut splice = Splice::new(&lines.text);
    let mut follows_words = false;
    for line in scan(&lines.text, &lines.literals()) {
        let is_below = follows_words && page.kind.config.block_attributes;
        follows_words = !line.rest.trim().is_empty();
        if line.code {
            continue;
        }
        let Some((before, list)) = list(line.rest) else {
            continue;
        };
        let is_title = page.kind.config.title_attributes && is_heading(&line);
        if is_title || is_below && before.is_empty() {
            let start = line.start + line.prefix.len() + before.len();
            let id = id_of(list).map(|id| format!("{{#{id}}}"));
            splice.put(
                start..line.start + line.whole.len(),
                &id.unwrap_or_default(),
            );
        }
    }
    let (text, sources) = splice.finish();
    lines.replace(text, &sources);
}

/// The list that ends a line, and the words before it. Those of names alone are read elsewhere.
fn list(rest: &str) -> Option<(&str, &str)> {
    let (before, list) = rest.trim_end().strip_suffix('}')?.rsplit_once('{')?;
    let is_list = list.len() <= LONGEST
        && list.contains(SIGN)
        && !before.ends_with(['\\', '{', '$'])
        && words(list).all(is_attribute);
    is_list.then_some((before, list))
}

/// The words of a list; white space and commas in quotes separate none.
fn words(list: &str) -> impl Iterator<Item = &str> {
    let mut is_quoted = false;
    let ends = move |c: char| {
        is_quoted ^= c == '"';
        !is_quoted && (c.is_whitespace() || c == ',')
    };
    list.split(ends).filter(|word| !word.is_empty())
}

/// Whether a word is `#id`, `.class` or `key=value`.
fn is_attribute(word: &str) -> bool {
    if let Some(name) = word.strip_prefix(['#', '.']) {
        return !name.is_empty() && !name.contains(SIGN);
    }
    let Some((key, value)) = word.split_once(SIGN) else {
        return false;
    };
    let is_sign = |c: char| c.is_ascii_alphanumeric() || "_:.-".contains(c);
    let quoted = value
        .strip_prefix('"')
        .and_then(|value| value.strip_suffix('"'));
    let is_value = !value.is_empty() && value.chars().all(is_sign);
    let begins = key.starts_with(|c: char| c.is_ascii_alphabetic() || "_:".contains(c));
    begins
        && key.chars().all(is_sign)
        && (is_value || quoted.is_some_and(|value| !value.contains('"')))
}

/// The id in a list.
fn id_of(list: &str) -> Option<&str> {
    let id =
        words(list).find_map(|word| word.strip_prefix('#').or_else(|| word.strip_prefix("id=")))?;
    let id = id.trim_matches('"');
    is_id(id).then_some(id)
}

#[cfg(test)]
mod tests {
    use crate::dialects::{Evidence, Files, Kind, Named, translate};
    use crate::syntax::front::Front;
    use diglot_document::testing::sources;

    /// A text in a folder with this file, translated.
    fn check(file: (&str, &str), text: &str, expected: &str) {
        let sources = sources(&[file, ("content/a.md", "a")]);
        let kind = Kind::detect(&Evidence::new(&sources), None);
        let files = Files::new("content/a.md", &|_| Named::Missing);
        let translated = translate(text, false, false, &kind, &Front::default(), &files);
        assert_eq!(translated.text, expected, "{text}");
    }

    const USUAL: (&str, &str) = ("hugo.toml", "title = 'H'\n");
    const BLOCKS: (&str, &str) = (
        "hugo.toml",
        "title = 'H'\n[markup.goldmark.parser.attribute]\nblock = true\n",
    );

    #[test]
    fn rule_61_attributes_of_headings_are_not_shown() {
        let check_usual = |text: &str, expected: &str| check(USUAL, text, expected);
        check_usual("## A {anchor=false}\n\na", "## A \n\na");
        check_usual("# A {#b c=\"d e\", .f}", "# A {#b}");
        check_usual("# A {id=\"b\"}", "# A {#b}");
        for text in [
            "# A {b}",
            "# A {b=}",
            "# A {b=1} c",
            "# A `{b=1}`",
            "# A ${b=1}",
            "a {b=1}",
            "a\n{b=1}",
            "```\n# A {b=1}\n```",
        ] {
            check_usual(text, text);
            check(("mkdocs.yml", "site_name: S\n"), text, text);
        }
        let off = "title = 'H'\n[markup.goldmark.parser.attribute]\ntitle = false\n";
        check(("hugo.toml", off), "# A {b=1}", "# A {b=1}");
    }

    #[test]
    fn rule_61_attributes_of_blocks_are_not_shown_where_they_are_read() {
        let check_blocks = |text: &str, expected: &str| check(BLOCKS, text, expected);
        check_blocks("a\n{class=\"!b\"}\n\nc", "a\n\n\nc");
        check_blocks("> a\n> {b=1}", "> a\n> ");
        check_blocks(
            "| a |\n|---|\n| b |\n{c=\"d\"}\n",
            "| a |\n|---|\n| b |\n\n",
        );
        check_blocks("a\n{#b c=1}\n", "<a id=\"b\"></a>a\n\n");
        for text in ["{a=1}\nb", "a\n{b}", "```\na\n{b=1}\n```"] {
            check_blocks(text, text);
        }
    }
}
