//! What only sites have whose pages are named behind a `#`: `?> tip`, `!> warning`, links to
//! `#/page?id=place`, options in the titles of links, `:id=x` and `{docsify-ignore}` in headings.
//! Lines with the date of the last change are removed.

use crate::dialects::backticks::Backticks;
use crate::dialects::hash_address::page_address;
use crate::dialects::lines::Lines;
use crate::dialects::scan::{Output, scan};

/// Rewrites the lines of a text.
pub fn rewrite(lines: &mut Lines) {
    let text = lines.text.as_str();
    let mut out = Output::default();
    // Whether the lines of a notice go on.
    let mut notice = false;
    for (number, line) in scan(text, &lines.literals()).iter().enumerate() {
        if line.block {
            notice = false;
            out.push(line.whole, number);
            continue;
        }
        if is_date(line.rest) {
            notice = false;
            out.push(line.prefix.to_owned(), number);
            continue;
        }
        let own = written(line.rest);
        let kind = [("?>", "tip"), ("!>", "warning")]
            .into_iter()
            .find_map(|(sign, kind)| Some((own.strip_prefix(sign)?.trim_start(), kind)));
        if let Some((words, kind)) = kind {
            if notice {
                // Otherwise both would be one quotation.
                out.push(line.prefix.to_owned(), number);
            }
            out.push(format!("{}> [!{kind}]", line.prefix), number);
            out.push(format!("{}> {words}", line.prefix), number);
            notice = true;
            continue;
        }
        notice &= !own.trim().is_empty();
        let quote = if notice { "> " } else { "" };
        out.push(format!("{}{quote}{own}", line.prefix), number);
    }
    out.finish(lines);
}

/// A line without options, with its links to pages as addresses.
fn written(rest: &str) -> String {
    let mut own = rest.to_owned();
    if own.contains(UPDATED) && !own.contains('`') {
        own = own.replace(UPDATED, "").trim_end().to_owned();
    }
    if rest.starts_with('#') {
        own = heading(&own);
    }
    if own.contains("](") {
        own = links(&own);
    }
    if own.contains("#/") {
        own = attributes(&own);
        own = definition(&own).unwrap_or(own);
    }
    own
}

/// `<a href="#/b">`.
fn attributes(line: &str) -> String {
    let mut ticks = Backticks::default();
    let (mut out, mut rest) = (String::with_capacity(line.len()), line);
    while let Some((before, after)) = rest.split_once(HREF) {
        out.push_str(before);
        out.push_str(HREF);
        let at = line.len() - after.len();
        let end = after.find('"').filter(|_| !ticks.is_code(line, at));
        let (address, behind) = after.split_at(end.unwrap_or(0));
        out.push_str(page_address(address).as_deref().unwrap_or(address));
        rest = behind;
    }
    out + rest
}

/// `[a]: #/b "C"`.
fn definition(line: &str) -> Option<String> {
    let label = line.strip_prefix('[')?.split_once("]:")?.0;
    let (begin, rest) = line.split_at(label.len() + "[]:".len());
    let address = rest.split_whitespace().next()?;
    let page = page_address(address)?;
    Some(format!("{begin}{}", rest.replacen(address, &page, 1)))
}

/// What the address of a link in HTML begins with.
const HREF: &str = "href=\"";

/// `## Title :id=x` and `## Title <!-- {docsify-ignore} -->`.
fn heading(line: &str) -> String {
    let mut own = line.to_owned();
    for mark in ["{docsify-ignore-all}", "{docsify-ignore}"] {
        own = own
            .replace(&format!("<!-- {mark} -->"), "")
            .replace(mark, "");
    }
    if let Some((before, id)) = own.rsplit_once(" :id=")
        && !id.trim().is_empty()
        && !id.trim().contains([' ', '{', '}'])
    {
        own = format!("{before} {{#{}}}", id.trim());
    }
    own.trim_end().to_owned()
}

/// What is replaced by the date of the last change.
const UPDATED: &str = "{docsify-updated}";
/// The longest text beside the date, in characters.
const LONGEST_LABEL: usize = 40;

/// Whether a line is little more than the date of the last change, which every page has.
fn is_date(line: &str) -> bool {
    let Some((before, after)) = line.split_once(UPDATED) else {
        return false;
    };
    let label = before.chars().chain(after.chars()).take(LONGEST_LABEL + 1);
    !line.starts_with(['#', '|']) && !before.contains('`') && label.count() <= LONGEST_LABEL
}

fn links(line: &str) -> String {
    let mut ticks = Backticks::default();
    let (mut out, mut rest) = (String::with_capacity(line.len()), line);
    while let Some((before, after)) = rest.split_once("](") {
        out.push_str(before);
        out.push_str("](");
        if ticks.is_code(line, line.len() - after.len()) {
            rest = after;
            continue;
        }
        let Some(end) = after.find(')') else {
            rest = after;
            break;
        };
        let (inner, behind) = after.split_at(end);
        let (mut address, title) = inner.split_once(' ').unwrap_or((inner, ""));
        let page = page_address(address);
        address = page.as_deref().unwrap_or(address);
        out.push_str(address);
        // A title that begins with `:` holds options.
        let title_text = title.trim_start();
        let options = title_text.starts_with("':") || title_text.starts_with("\":");
        if !title.is_empty() && !options {
            out.push(' ');
            out.push_str(title);
        }
        rest = behind;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialects::lines::testing;

    #[test]
    fn pages_behind_a_hash_and_notices_are_read() {
        let check = |text: &str, expected: &str| testing::check(rewrite, text, expected);
        check("?> a\nb\n\nc", "> [!tip]\n> a\n> b\n\nc");
        check("!> a", "> [!warning]\n> a");
        check("!>a\n?> b", "> [!warning]\n> a\n\n> [!tip]\n> b");
        check(
            "[a](#/b/c?id=d) [e](/#/f) [g](h ':ignore') [i](j \"K\") [l](m \":target=_blank\")",
            "[a](/b/c#d) [e](/f) [g](h) [i](j \"K\") [l](m)",
        );
        check(
            "[a](b.md?id=c) [d](e?x=1&id=f ':ignore') [g](https://h.example/?id=i)",
            "[a](b.md#c) [d](e#f) [g](https://h.example/?id=i)",
        );
        check("> Last changed: {docsify-updated}\n\na", "> \n\na");
        check(
            "# Changelog {docsify-updated}\n| a {docsify-updated} |\n`{docsify-updated}`",
            "# Changelog\n| a  |\n`{docsify-updated}`",
        );
        check(
            "## A :id=b\n# C <!-- {docsify-ignore} -->\n## D {docsify-ignore-all}",
            "## A {#b}\n# C\n## D",
        );
        check(
            "<a class=\"x\" href=\"#/b?id=c\">d</a> `<a href=\"#/b\">`",
            "<a class=\"x\" href=\"/b#c\">d</a> `<a href=\"#/b\">`",
        );
        check("[a]: #/b?id=c \"D\"", "[a]: /b#c \"D\"");
        check(
            "`[a](#/b)` [`a`](#/b) `[a](` b [c](#/d)",
            "`[a](#/b)` [`a`](/b) `[a](` b [c](/d)",
        );
        check(
            "```\n?> a\n[a](#/b)\n```\n[x](",
            "```\n?> a\n[a](#/b)\n```\n[x](",
        );
    }

    proptest::proptest! {
        #[test]
        fn no_hash_page_panics(text in "(\\?> |!> |# | :id=|a|\\]\\(|#/|\\?id=|\\)| ':|é|\n|`){0,30}") {
            proptest::prop_assert!(Lines::after(&text, rewrite).come_from(&text));
        }
    }
}
