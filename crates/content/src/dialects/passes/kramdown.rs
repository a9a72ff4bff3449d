//! Ids in attribute lists on a line of their own: `{:#x}` of kramdown before a block, or after it, and
//! `{#x}` of other programs on the last line of one.
//! The id of a heading is written behind it. The id of another block becomes a place before that
//! block.

use super::directives::has_id;
use super::splice::Splice;
use crate::dialects::code::Code;
use crate::dialects::lines::Lines;
use crate::dialects::scan::{Line, scan};

/// The longest attribute list, in bytes.
const LONGEST: usize = 500;

/// Moves the ids to their blocks.
pub fn rewrite(lines: &mut Lines) {
    if !["{:", "{#", "{ #", "{."]
        .iter()
        .any(|sign| lines.text.contains(sign))
    {
        return;
    }
    let found = lines.literals();
    let all = scan(&lines.text, &found);
    let mut splice = Splice::new(&lines.text);
    let mut code = Code::from_literals(&found);
    // Where the paragraph above begins, and whether it has nothing but lists.
    let (mut begin, mut is_lists) = (0, true);
    for (at, line) in all.iter().enumerate() {
        if is_empty(line) {
            (begin, is_lists) = (at + 1, true);
            continue;
        }
        let follows_lists = is_lists;
        is_lists &= is_list(line);
        if let Some(list) = bare_list(line) {
            if let Some(id) = id_of(list) {
                put_in_last_block(&mut splice, &all[begin..at], &id);
            }
            remove(&mut splice, line);
            continue;
        }
        let Some(id) = inner(line).and_then(id_of) else {
            continue;
        };
        if let Some(open) = fence_above(&all[..at], &mut code) {
            if open.start >= splice.done() {
                put_before(&mut splice, open, &id);
                remove(&mut splice, line);
            }
            continue;
        }
        if !follows_lists {
            put_above(&mut splice, &all[begin..at], line, &id);
            continue;
        }
        put_below(&mut splice, &all, at, &id);
    }
    let (text, sources) = splice.finish();
    lines.replace(text, &sources);
}

/// Moves the id of an attribute list to the paragraph above it.
fn put_above(splice: &mut Splice<'_>, above: &[Line<'_>], line: &Line<'_>, id: &str) {
    let [first, ..] = above else { return };
    // The parser gives the id to a heading above.
    let heading = is_heading(&above[above.len() - 1]);
    if !heading && first.start >= splice.done() && !first.block {
        put_before(splice, first, id);
        remove(splice, line);
    }
}

/// The line that opens the fenced code whose last line is directly above.
fn fence_above<'l, 't>(above: &'l [Line<'t>], code: &mut Code<'_>) -> Option<&'l Line<'t>> {
    let last = above.last().filter(|last| last.code && last.block)?;
    let range = code.at(last.start + last.prefix.len())?;
    // What follows a line of the block is part of it.
    let is_end = range.end <= last.start + last.whole.len() + 1;
    let opening = above.partition_point(|line| line.start + line.whole.len() < range.start);
    let opening = above.get(opening)?;
    (is_end && is_fence(opening)).then_some(opening)
}

fn is_fence(line: &Line<'_>) -> bool {
    line.rest.starts_with("```") || line.rest.starts_with("~~~")
}

/// Gives the id of a list without a colon to the heading, the paragraph or the last item above it.
fn put_in_last_block(splice: &mut Splice<'_>, above: &[Line<'_>], id: &str) {
    let Some(last) = above.last() else { return };
    if is_heading(last) {
        if last.start < splice.done() {
            return;
        }
        return put_behind_title(splice, last, id);
    }
    let done = splice.done();
    let mut left = above.iter().rev().take_while(|line| line.start >= done);
    let item = left.find(|line| marker(line.rest) > 0);
    if let Some(first) = item.or(above.first())
        && first.start >= splice.done()
        && !first.block
    {
        put_before(splice, first, id);
    }
}

/// Moves the id of an attribute list to the block below it.
fn put_below(splice: &mut Splice<'_>, all: &[Line<'_>], at: usize, id: &str) {
    let gap = all[at + 1..].iter().take_while(|line| is_empty(line));
    let below = at + 1 + gap.count();
    let Some(block) = all.get(below).filter(|block| !is_list(block)) else {
        return;
    };
    remove(splice, &all[at]);
    let setext = all.get(below + 1).is_some_and(is_underline);
    let verbatim = block.block && !block.rest.starts_with(['`', '~']);
    if verbatim || bare_list(block).is_some() {
        return;
    }
    if (is_heading(block) || setext) && !block.rest.trim_end().ends_with('}') {
        put_behind_title(splice, block, id);
    } else if !is_heading(block) {
        put_before(splice, block, id);
    }
}

fn put_behind_title(splice: &mut Splice<'_>, heading: &Line<'_>, id: &str) {
    let title = heading.whole.trim_end().trim_end_matches('#').trim_end();
    let end = heading.start + title.len();
    let written = format!(" {{#{id}}}");
    splice.put(end..heading.start + heading.whole.len(), &written);
}

fn remove(splice: &mut Splice<'_>, line: &Line<'_>) {
    splice.put(line.start..line.start + line.whole.len(), "");
}

/// A place before a block: in the text of a paragraph, an item or a quotation, else on a line of
/// its own.
fn put_before(splice: &mut Splice<'_>, block: &Line<'_>, id: &str) {
    let inside = block.start + block.prefix.len();
    let place = format!("<a id=\"{id}\"></a>");
    let marker = marker(block.rest);
    let words = &block.rest[marker..];
    if words.starts_with(|c: char| c.is_alphanumeric() || "*_[!`\"'(".contains(c))
        && !words.starts_with("```")
        && !words.starts_with("***")
        && !words.starts_with("[^")
        && !words.starts_with("[!")
    {
        splice.put(inside + marker..inside + marker, &place);
    } else {
        splice.put(
            inside..inside,
            &format!("{place}\n{}\n{}", block.prefix.trim_end(), block.prefix),
        );
    }
}

/// The length of the marker of a list.
fn marker(rest: &str) -> usize {
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let sign = match rest.as_bytes().get(digits) {
        Some(b'-' | b'*' | b'+') if digits == 0 => 1,
        Some(b'.' | b')') if (1..=9).contains(&digits) => 1,
        _ => return 0,
    };
    let behind = &rest[digits + sign..];
    let blanks = behind.len() - behind.trim_start_matches(' ').len();
    if (1..=4).contains(&blanks) {
        digits + sign + blanks
    } else {
        0
    }
}

fn is_empty(line: &Line<'_>) -> bool {
    line.rest.trim().is_empty()
}

fn is_heading(line: &Line<'_>) -> bool {
    let title = line.rest.trim_start_matches('#');
    let level = line.rest.len() - title.len();
    !line.code && (1..=6).contains(&level) && title.starts_with([' ', '\t'])
}

fn is_underline(line: &Line<'_>) -> bool {
    let rest = line.rest.trim_end();
    rest.len() > 2
        && (rest.bytes().all(|byte| byte == b'=') || rest.bytes().all(|byte| byte == b'-'))
}

/// Whether a line is an attribute list.
fn is_list(line: &Line<'_>) -> bool {
    inner(line).is_some()
}

fn inner<'t>(line: &Line<'t>) -> Option<&'t str> {
    let rest = line.rest.trim_end();
    if line.code || rest.len() > LONGEST {
        return None;
    }
    let inner = rest.strip_prefix("{:")?.strip_suffix('}')?;
    (!inner.starts_with([':', '/']) && !inner.contains(['{', '}'])).then_some(inner)
}

/// The content of `{#id .class}` or `{ #id }`, which has an id.
fn bare_list<'t>(line: &Line<'t>) -> Option<&'t str> {
    let rest = line.rest.trim_end();
    if line.code || line.block || rest.len() > LONGEST {
        return None;
    }
    let inner = rest.strip_prefix('{')?.strip_suffix('}')?.trim();
    let is_list = inner.starts_with(['#', '.']) && !inner.contains(['{', '}', '%', '|']);
    (is_list && has_id(rest)).then_some(inner)
}

/// The id in an attribute list.
fn id_of(list: &str) -> Option<String> {
    let mut words = list.split_whitespace();
    let id = words.find_map(|word| word.strip_prefix('#'))?;
    // `{:#a.b}` is an id and a class.
    let (id, _) = id.split_once('.').unwrap_or((id, ""));
    let is_name = !id.is_empty()
        && id
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | ':'));
    is_name.then(|| id.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialects::lines::testing;

    fn check(text: &str, expected: &str) {
        testing::check(rewrite, text, expected);
    }

    #[test]
    fn rule_57_an_id_before_a_block_is_its_own() {
        check("{:#x}\n## A\n\nb", "\n## A {#x}\n\nb");
        check("{: #x .c}\n\n## A ##\n", "\n\n## A {#x}\n");
        check("{: .c #x}\nA\n---\n", "\nA {#x}\n---\n");
        check("# H\n\n{:#x}\ntext", "# H\n\n\n<a id=\"x\"></a>text");
        check("{:#x.c}\n- a\n- b", "\n- <a id=\"x\"></a>a\n- b");
        check("{:#x}\n> a", "\n> <a id=\"x\"></a>a");
        check(
            "{:#x}\n| a | b |\n|---|---|",
            "\n<a id=\"x\"></a>\n\n| a | b |\n|---|---|",
        );
        check("{:#x}\n```\na\n```", "\n<a id=\"x\"></a>\n\n```\na\n```");
    }

    #[test]
    fn rule_57_an_id_after_a_block_is_its_own() {
        check("a\nb\n{:#x}\n\nc", "<a id=\"x\"></a>a\nb\n\n\nc");
        check(
            "| a |\n|---|\n{:#x}\n",
            "<a id=\"x\"></a>\n\n| a |\n|---|\n\n",
        );
        for text in [
            "## A\n{:#x}\n",
            "```\n{:#x}\na\n```",
            "{:#x}",
            "{:#x}\n{:#y}\n",
            "{:.c}\na",
            "{::options #x /}\na",
            "`{:#x}`",
        ] {
            check(text, text);
        }
    }

    #[test]
    fn rule_57_an_id_after_fenced_code_is_its_own() {
        let place = "<a id=\"x\"></a>\n\n";
        for (code, end) in [
            ("```rb\na\n\nb\n```\n", ""),
            ("~~~ js\n```\n~~~\n", "\n\nc"),
            ("````\n```js\nb\n```\n````\n", "\nc\n"),
        ] {
            for list in ["{:#x}", "{: #x .c}"] {
                check(
                    &format!("{code}{list}{end}"),
                    &format!("{place}{code}{end}"),
                );
            }
        }
        check(
            "- a\n\n  ```\n  c\n  ```\n  {: #x}\n",
            "- a\n\n  <a id=\"x\"></a>\n\n  ```\n  c\n  ```\n\n",
        );
        check(
            "```\na\n```\n```\nb\n```\n{:#x}\n",
            "```\na\n```\n<a id=\"x\"></a>\n\n```\nb\n```\n\n",
        );
        for text in [
            "```\na\n{:#x}\n```",
            "```\na\n{:#x}",
            "```\na\n```\n{:.c}\n",
        ] {
            check(text, text);
        }
    }

    #[test]
    fn an_id_on_the_last_line_of_a_block_is_its_own() {
        check("a\nb\n{#x}\n\nc", "<a id=\"x\"></a>a\nb\n\n\nc");
        check("a\n{ #x .c data-y=\"z\" }", "<a id=\"x\"></a>a\n");
        check("* a\n* b\n{#x}\n", "* a\n* <a id=\"x\"></a>b\n\n");
        check(
            "1. a\n\n    b\n    {#x .c}\n",
            "1. a\n\n    <a id=\"x\"></a>b\n\n",
        );
        check(
            "| a |\n|---|\n{#x .c}\n",
            "<a id=\"x\"></a>\n\n| a |\n|---|\n\n",
        );
        check("> a\n{.c #x}\n", "> <a id=\"x\"></a>a\n\n");
        check("# A\n{#x}\n", "# A {#x}\n\n");
        // The attribute list of another block is not a block.
        check("{:#x}\n> {#x}\n", "\n\n");
        check("{:#x}\n## A\n{#y}\n", "\n## A {#x}\n\n");
        // An id without a block above it is dropped.
        check("a\n\n{#x}\n\nb", "a\n\n\n\nb");
        for text in ["a {#x}", "`{#x}`", "```\n{#x}\n```", "{# words #}", "{#}"] {
            check(text, text);
        }
    }

    #[test]
    fn many_lists_are_read_in_linear_time() {
        // Each line looked at all lines before it: minutes.
        for line in ["{:#x}\n", "a\n{#x}\n", "{#x}\n"] {
            let lines = Lines::after(&line.repeat(200_000), rewrite);
            assert!(!lines.text.is_empty());
        }
    }

    proptest::proptest! {
        #[test]
        fn no_attribute_lists_panic(text in "(\\{:#x\\}|\\{#x\\}|\\{: \\.c\\}|## |a|- |1\\. |> |\\| a \\||---|```|\n|\n\n|é| ){0,30}") {
            proptest::prop_assert!(Lines::after(&text, rewrite).come_from(&text));
        }
    }
}
