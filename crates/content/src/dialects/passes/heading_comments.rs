//! Comments that are the ids of headings: `## Heading <!-- #id -->`, and `## Heading <!-- id -->`
//! where most headings of a text have one. Translated texts keep the ids of their source so, some
//! as `## Heading %{#id}%`.

use super::lines::Lines;
use super::scan::{Line, scan};
use super::splice::Splice;
use crate::dialects::markup::is_id;

/// Whether a text may have such a comment.
pub fn may_have_some(text: &str) -> bool {
    let may_have = text.contains("<!--") || text.contains(LIST);
    may_have && text.lines().any(|line| written(line).is_some())
}

/// The beginning of attributes with an id, where a configuration gives them other marks than `{}`.
const LIST: &str = "%{#";

/// Writes them as `{#id}`.
pub fn rewrite(lines: &mut Lines) {
    let text = lines.text.as_str();
    if !may_have_some(text) {
        return;
    }
    let (mut headings, mut found) = (0, Vec::new());
    for line in scan(text, &lines.literals()) {
        if line.code || !is_heading(&line) {
            continue;
        }
        headings += 1;
        found.extend(written(line.whole).map(|(at, id)| (line.start + at, line, id)));
    }
    // One comment alone may be a note of the author's.
    let are_ids = found.len() > 1 && found.len() * 2 > headings;
    let mut splice = Splice::new(text);
    for (at, line, id) in found {
        let named = id.strip_prefix('#');
        if named.is_some() || are_ids {
            let id = named.unwrap_or(id).replace('_', "\\_");
            splice.put(at..line.start + line.whole.len(), &format!("{{#{id}}}"));
        }
    }
    if splice.done() > 0 {
        let (text, sources) = splice.finish();
        lines.replace(text, &sources);
    }
}

/// Writes the ids of `## Heading [#id]` as `{#id}`.
pub fn rewrite_bracketed(lines: &mut Lines) {
    let text = lines.text.as_str();
    let mut splice = Splice::new(text);
    for line in scan(text, &lines.literals()) {
        let whole = line.whole.trim_end();
        let id = whole
            .strip_suffix(']')
            .and_then(|own| own.rsplit_once(" [#"));
        if let Some((title, id)) = id.filter(|(_, id)| is_id(id))
            && !line.code
            && is_heading(&line)
        {
            let begin = line.start + title.len() + 1;
            splice.put(
                begin..line.start + whole.len(),
                &format!("{{#{}}}", id.replace('_', "\\_")),
            );
        }
    }
    if splice.done() > 0 {
        let (text, sources) = splice.finish();
        lines.replace(text, &sources);
    }
}

/// Whether a line is a heading with `#`.
pub fn is_heading(line: &Line<'_>) -> bool {
    let title = line.rest.trim_start_matches('#');
    (1..=6).contains(&(line.rest.len() - title.len())) && title.starts_with([' ', '\t'])
}

/// Where the comment at the end of a line begins, and the id in it.
fn written(line: &str) -> Option<(usize, &str)> {
    if let Some(list) = line.trim_end().strip_suffix("}%") {
        let (before, id) = list.rsplit_once(LIST)?;
        let at = before.len() + LIST.len() - 1;
        return (before.contains('#') && is_id(id))
            .then_some((before.len(), &line[at..at + 1 + id.len()]));
    }
    let (before, comment) = line.trim_end().strip_suffix("-->")?.rsplit_once("<!--")?;
    let id = comment.trim();
    let name = id.strip_prefix('#').unwrap_or(id);
    let is_note = name.chars().all(|c| c.is_uppercase());
    (before.contains('#') && is_id(name) && !is_note).then_some((before.len(), id))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialects::passes::lines::testing;

    fn check(text: &str, expected: &str) {
        testing::check(rewrite, text, expected);
    }

    #[test]
    fn rule_61_a_comment_that_ends_a_heading_is_its_id() {
        check("## Á <!-- #a_b -->\n", "## Á {#a\\_b}\n");
        check(
            "# Á\n\n## B <!-- usage -->\n> ## C <!-- see-also -->\n",
            "# Á\n\n## B {#usage}\n> ## C {#see-also}\n",
        );
    }

    #[test]
    fn rule_61_attributes_with_other_marks_are_ids() {
        check(
            "## 模块 %{#a_b}%\n\nc %{#d}%\n",
            "## 模块 {#a\\_b}\n\nc %{#d}%\n",
        );
    }

    #[test]
    fn an_id_in_brackets_at_the_end_of_a_heading_is_its_id() {
        let check = |text: &str, expected: &str| testing::check(rewrite_bracketed, text, expected);
        check("## A b [#a_b]\n\nc [#d]\n", "## A b {#a\\_b}\n\nc [#d]\n");
        check("```\n## A [#a]\n```\n", "```\n## A [#a]\n```\n");
        check("## A [#]\n## B [#a b]\n", "## A [#]\n## B [#a b]\n");
    }

    #[test]
    fn rule_61_other_comments_are_for_nobody() {
        for text in [
            "## A <!-- draft -->\n",
            "## A <!-- secret -->\n\n## B\n\n## C <!-- other -->\n\n## D\n",
            "## A <!-- TODO -->\n\n## B <!-- TODO -->\n",
            "## A <!-- two words -->\n\n## B <!-- and more -->\n",
            "```\n## A <!-- #a -->\n```",
            "a <!-- #a -->\n",
        ] {
            check(text, text);
        }
    }
}
