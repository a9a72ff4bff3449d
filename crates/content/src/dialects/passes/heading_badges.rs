//! Components in headings that show words of their attributes: `` ## `useData` <Badge text="new" /> ``.
//! Generators make the id of such a heading from its other words.

use super::heading_comments::is_heading;
use super::page::Page;
use super::splice::Splice;
use crate::dialects::backticks::Backticks;
use crate::dialects::lines::Lines;
use crate::dialects::scan::scan;
use crate::model::document::heading_id;

/// The component, as a heading may have it.
const BADGE: &str = "<Badge";
/// What shows the title of the page.
const TITLE: [&str; 3] = ["$frontmatter.title", "frontmatter.title", "$page.title"];

/// Gives these headings the id that they have in their generator.
pub fn rewrite(lines: &mut Lines, page: &Page<'_>) {
    let text = lines.text.as_str();
    if !text.contains(BADGE) {
        return;
    }
    let ids = page.kind.heading_ids();
    let id_of = ids.map_or(heading_id as fn(&str) -> String, |ids| ids.slug);
    let mut splice = Splice::new(text);
    for line in scan(text, &lines.literals()) {
        if line.code || !is_heading(&line) || line.whole.contains("{#") {
            continue;
        }
        let Some(words) = words(line.rest) else {
            continue;
        };
        if is_title(line.rest, &words, page) {
            // Beside the title of the page it would make a second heading of it.
            let end = line.start + line.whole.trim_end().len();
            if let Some(at) = line.whole.find(BADGE) {
                splice.put(line.start + at..end, "");
            }
            continue;
        }
        let id = id_of(&words);
        if !id.is_empty() {
            let end = line.start + line.whole.trim_end().len();
            splice.put(end..end, &format!(" {{#{}}}", id.replace('_', "\\_")));
        }
    }
    if splice.done() > 0 {
        let (text, sources) = splice.finish();
        lines.replace(text, &sources);
    }
}

/// Whether the words of a heading are the page's title, or show it.
fn is_title(heading: &str, words: &str, page: &Page<'_>) -> bool {
    let Some(title) = page.front.text(&["title"]) else {
        return false;
    };
    let output = words.strip_prefix("{{").and_then(|w| w.strip_suffix("}}"));
    let shows = output.is_some_and(|name| TITLE.contains(&name.trim()));
    heading.starts_with("# ") && (shows || words == title.trim())
}

/// The words of a heading before its badges; `None`: it has none, or words behind them.
fn words(heading: &str) -> Option<String> {
    let title = heading.trim_start_matches('#').strip_prefix(' ')?;
    let at = title.find(BADGE)?;
    let is_in_code = Backticks::default().is_code(title, at);
    let ends = title.trim_end().ends_with('>');
    let marks = ['`', '*'];
    (ends && !is_in_code).then(|| title[..at].replace(marks, "").trim().to_owned())
}

#[cfg(test)]
mod tests {
    use crate::dialects::lines::Lines;
    use crate::dialects::passes::page::testing::on_page;
    use crate::syntax::front::Front;

    fn check(kind: &str, text: &str, expected: &str) {
        let mut lines = Lines::new(text);
        on_page(Some(kind), &Front::default(), |page| {
            super::rewrite(&mut lines, page)
        });
        assert_eq!(lines.text, expected);
    }

    #[test]
    fn rule_10_a_badge_beside_the_title_makes_no_second_heading() {
        let front = crate::syntax::front::split("---\ntitle: My page\n---\n", "a.md").front;
        let check = |text: &str, expected: &str| {
            let mut lines = Lines::new(text);
            on_page(Some("vitepress"), &front, |page| {
                super::rewrite(&mut lines, page)
            });
            assert_eq!(lines.text, expected);
        };
        for words in ["{{ $frontmatter.title }}", "My page"] {
            let text = format!("# {words} <Badge type=\"tip\" text=\"new\" />\n\nx\n");
            check(&text, &format!("# {words} \n\nx\n"));
        }
        check(
            "# Other <Badge text=\"x\" />\n",
            "# Other <Badge text=\"x\" /> {#other}\n",
        );
    }

    #[test]
    fn rule_61_badges_are_no_part_of_an_id() {
        check(
            "vitepress",
            "## `useData` <Badge type=\"info\" text=\"composable\" />\n",
            "## `useData` <Badge type=\"info\" text=\"composable\" /> {#usedata}\n",
        );
        check(
            "astro",
            "### A_b *c* <Badge text=\"x\" />\n",
            "### A_b *c* <Badge text=\"x\" /> {#a\\_b-c}\n",
        );
        for text in [
            "## A <Badge text=\"x\" /> {#own}\n",
            "## A <Badge text=\"x\" /> b\n",
            "## `<Badge />`\n",
            "```\n## A <Badge />\n```\n",
            "A <Badge />\n",
        ] {
            check("vitepress", text, text);
        }
    }
}
