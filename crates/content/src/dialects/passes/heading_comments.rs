//! Comments that are the ids of headings: `## Heading <!-- #id -->`, and `## Heading <!-- id -->`
//! where most headings of a text have one. Translated texts keep the ids of their source so, some
//! as `## Heading %{#id}%`.

use super::splice::Splice;
use crate::dialects::lines::Lines;
use crate::dialects::markup::is_id;
use crate::dialects::scan::{Line, scan};

/// Whether a text may have such a comment.
pub fn may_have_some(text: &str, brackets: bool) -> bool {
    let may_have =
        text.contains("<!--") || text.contains(LIST) || brackets && text.contains(BRACKET);
    may_have && text.lines().any(|line| written(line, brackets).is_some())
}

/// The beginning of attributes with an id, where a configuration gives them other marks than `{}`.
const LIST: &str = "%{#";

/// The beginning of an id in brackets.
const BRACKET: &str = " [#";

/// Writes them as `{#id}`. `brackets`: `## Heading [#id]` is one too.
pub fn rewrite(lines: &mut Lines, brackets: bool) {
    let text = lines.text.as_str();
    if !may_have_some(text, brackets) {
        return;
    }
    let (mut headings, mut found) = (0, Vec::new());
    for line in scan(text, &lines.literals()) {
        if line.code || !is_heading(&line) {
            continue;
        }
        headings += 1;
        found.extend(written(line.whole, brackets).map(|(at, id)| (line.start + at, line, id)));
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

/// Whether a line is a heading with `#`.
pub fn is_heading(line: &Line<'_>) -> bool {
    let title = line.rest.trim_start_matches('#');
    (1..=6).contains(&(line.rest.len() - title.len())) && title.starts_with([' ', '\t'])
}

/// Where the comment at the end of a line begins, and the id in it.
fn written(line: &str, brackets: bool) -> Option<(usize, &str)> {
    if let Some(own) = line.trim_end().strip_suffix(']').filter(|_| brackets) {
        let (before, id) = own.rsplit_once(BRACKET)?;
        let at = before.len() + 1;
        return is_id(id).then_some((at, &own[at + 1..]));
    }
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
    use crate::dialects::lines::testing;

    fn check(text: &str, expected: &str) {
        testing::check(|lines| rewrite(lines, false), text, expected);
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
        let check = |text: &str, expected: &str| {
            testing::check(|lines| rewrite(lines, true), text, expected);
        };
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
