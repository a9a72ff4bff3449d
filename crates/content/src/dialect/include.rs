//! `{{#include file}}` of mdBook: a file of the folder stands where it is named, in code as well. No other file is ever read.

use super::lines::Lines;

/// How deep files may include others, and how many bytes a text may grow to by it.
const DEPTH: usize = 4;
const LARGEST: usize = 1_000_000;

/// Puts in every file that is named; `file` gives the text of one by its path in the folder.
pub(super) fn rewrite(lines: &mut Lines, path: &str, file: &dyn Fn(&str) -> Option<String>) {
    if !lines.text.contains("{{#") {
        return;
    }
    let (mut out, mut sources) = (String::new(), Vec::new());
    for (number, line) in lines.text.split('\n').enumerate() {
        if number > 0 {
            out.push('\n');
        }
        let start = out.len();
        included(line, path, file, DEPTH, &mut out);
        let count = out[start..].matches('\n').count() + 1;
        sources.extend(std::iter::repeat_n(number, count));
    }
    lines.replace(out, &sources);
}

/// Writes a text with its includes.
fn included(text: &str, path: &str, file: &dyn Fn(&str) -> Option<String>, depth: usize, out: &mut String) {
    let mut rest = text;
    while let Some(at) = rest.find("{{#") {
        let behind = &rest[at + 3..];
        let call = behind.find("}}").and_then(|end| Some((named(&behind[..end])?, at + 3 + end + 2)));
        let shown = rest[..at].ends_with('\\');
        let found = call.filter(|_| !shown && depth > 0 && out.len() < LARGEST).and_then(|((name, part), end)| {
            let target = resolve(path, name)?;
            Some((file(&target)?, target, part, end))
        });
        let Some((inner, target, part, end)) = found else {
            out.push_str(&rest[..at + 3]);
            rest = behind;
            continue;
        };
        out.push_str(&rest[..at]);
        included(selected(&inner, part).trim_end_matches('\n'), &target, file, depth - 1, out);
        rest = &rest[end..];
    }
    out.push_str(rest);
}

/// The file and the part of `include a/b.rs:2:5`.
fn named(call: &str) -> Option<(&str, &str)> {
    let words = ["include ", "rustdoc_include ", "playground "].iter().find_map(|word| call.strip_prefix(word))?;
    let words = words.split_whitespace().next()?;
    Some(words.split_once(':').unwrap_or((words, "")))
}

/// A path of the folder, `None` when it leads out of it or into something hidden.
fn resolve(from: &str, name: &str) -> Option<String> {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in name.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            _ if part.starts_with('.') => return None,
            _ => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Lines `2:5`, `:5`, `2:`, `2`, or those between `ANCHOR: name` and `ANCHOR_END: name`. Marks of anchors are never shown.
fn selected(text: &str, part: &str) -> String {
    let is_mark = |line: &&str| line.contains("ANCHOR: ") || line.contains("ANCHOR_END: ");
    let named = !part.is_empty() && !part.bytes().all(|byte| byte.is_ascii_digit() || byte == b':');
    let lines: Vec<&str> = if named {
        let ends = |line: &&str, mark: &str| line.split(mark).nth(1).is_some_and(|rest| rest.split_whitespace().next() == Some(part));
        text.lines().skip_while(|line| !ends(line, "ANCHOR: ")).skip(1).take_while(|line| !ends(line, "ANCHOR_END: ")).collect()
    } else {
        let (first, last) = part.split_once(':').unwrap_or((part, part));
        let first = first.parse().unwrap_or(1_usize).max(1);
        let last = last.parse().unwrap_or(usize::MAX);
        text.lines().skip(first - 1).take(last.saturating_sub(first - 1)).collect()
    };
    lines.into_iter().filter(|line| !is_mark(line)).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let file = |path: &str| match path {
            "src/a.rs" => Some("one\n// ANCHOR: x\ntwo\n// ANCHOR_END: x\nthree\n".to_owned()),
            "loop.md" => Some("{{#include loop.md}}{{#include loop.md}}".to_owned()),
            _ => None,
        };
        let mut lines = Lines::of(text);
        rewrite(&mut lines, "book/p.md", &file);
        assert_eq!(lines.text, expected, "{text}");
    }

    #[test]
    fn rule_12_files_of_the_folder_are_included() {
        check("```rust\n{{#include ../src/a.rs}}\n```", "```rust\none\ntwo\nthree\n```");
        check("{{#include ../src/a.rs:x}} {{#rustdoc_include ../src/a.rs:5}} {{#include ../src/a.rs::1}}", "two three one");
    }

    #[test]
    fn rule_12_nothing_else_is_included() {
        for text in
            ["{{#include ../../etc/passwd}}", "{{#include none.md}}", "\\{{#include ../src/a.rs}}", "{{#include ../.env}}", "{{#x", "{{#title a}}"]
        {
            check(text, text);
        }
    }

    #[test]
    fn includes_in_circles_end() {
        let mut lines = Lines::of("{{#include ../loop.md}}");
        rewrite(&mut lines, "book/p.md", &|_| Some("{{#include ../loop.md}}".repeat(100)));
        assert!(lines.text.len() < 2 * LARGEST);
    }
}
