//! Lines that match a regular expression.

use diglot_content::parallel;
use regex::{Regex, RegexBuilder};

use super::cursor::Cursor;
use super::pages::Pages;
use super::site::{Site, text};
use super::{MOST_BYTES, MOST_MATCHES, MOST_PATTERN};

/// The most bytes of a compiled pattern.
const COMPILED: usize = 1 << 20;
/// The most bytes that are shown of one line.
const SHOWN: usize = 240;
/// The bytes that are shown before a match, if the line is longer.
const BEFORE: usize = 60;

/// A pattern, for one line at a time.
pub(crate) struct Pattern {
    line: Regex,
    /// Matches the whole text wherever `line` matches one of its lines: most pages have no match,
    /// and this finds that out in a few microseconds.
    text: Option<Regex>,
}

impl Pattern {
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn new(pattern: &str, ignores_case: bool) -> Result<Self, String> {
        if pattern.is_empty() || pattern.len() > MOST_PATTERN {
            return Err(format!("`pattern` has 1 to {MOST_PATTERN} bytes"));
        }
        let build = |multi_line| {
            RegexBuilder::new(pattern)
                .case_insensitive(ignores_case)
                .multi_line(multi_line)
                .size_limit(COMPILED)
                .dfa_size_limit(COMPILED * 8)
                .build()
                .map_err(|error| format!("`pattern` is not a regular expression: {error}"))
        };
        // `\A` and `\z` mean the ends of a line, but of a text its own; a flag such as `(?-m)` gives
        // `^` and `$` that meaning.
        let has_ends = ["\\A", "\\z"].iter().any(|end| pattern.contains(end))
            || pattern.replace("(?:", "").contains("(?");
        Ok(Self {
            line: build(false)?,
            text: (!has_ends).then(|| build(true)).transpose()?,
        })
    }

    /// The matching lines of a text from line `from`, at most `most`: their numbers from 0, and what
    /// is shown of them.
    pub(crate) fn lines(&self, text: &str, from: usize, most: usize) -> Vec<(usize, String)> {
        if self.text.as_ref().is_some_and(|all| !all.is_match(text)) {
            return Vec::new();
        }
        let lines = text.lines().enumerate().skip(from);
        let matching = lines.filter_map(|(number, line)| {
            let found = self.line.find(line)?;
            Some((number, shown(line, found.start())))
        });
        matching.take(most).collect()
    }
}

/// The part of a line around a match.
fn shown(line: &str, at: usize) -> String {
    let start = match line.len() > SHOWN {
        true => line.floor_char_boundary(at.saturating_sub(BEFORE)),
        false => 0,
    };
    let end = line.floor_char_boundary(start + SHOWN);
    let mark = |is_cut| if is_cut { "…" } else { "" };
    [
        mark(start > 0),
        line[start..end].trim(),
        mark(end < line.len()),
    ]
    .concat()
}

/// What was found in some pages.
pub(crate) struct Found {
    /// `path:line: text`, one a line.
    pub(crate) text: String,
    pub(crate) matches: usize,
    /// How many pages were looked at.
    pub(crate) looked_at: usize,
    /// Where to go on, if there may be more.
    pub(crate) next: Option<Cursor>,
}

/// Looks for a pattern in the pages under a path, from a place on.
pub(crate) fn grep(
    site: &dyn Site,
    pages: &Pages,
    pattern: &Pattern,
    under: &str,
    from: &Cursor,
) -> Result<Found, String> {
    let (at_once, in_one_call) = site.at_once();
    let mut found = Found {
        text: String::new(),
        matches: 0,
        looked_at: 0,
        next: None,
    };
    let mut rest = pages.under(under, from.page).peekable();
    while let Some((first, _)) = rest.peek() {
        if found.looked_at >= in_one_call {
            found.next = Some(Cursor::new(*first, 0, site.id()));
            return Ok(found);
        }
        let some: Vec<_> = rest.by_ref().take(at_once).collect();
        let matches = parallel::try_map(&some, |(number, page)| {
            let begin = if *number == from.page { from.line } else { 0 };
            // A page may be gone since it was listed.
            let text = text(site, &page.path)?.unwrap_or_default();
            // One more shows whether there are further ones.
            Ok::<_, String>(pattern.lines(&text, begin, MOST_MATCHES + 1))
        })?;
        for ((number, page), lines) in some.iter().zip(matches) {
            for (line, shown) in lines {
                let row = format!("{}:{}: {shown}\n", page.path, line + 1);
                if found.matches == MOST_MATCHES || found.text.len() + row.len() > MOST_BYTES {
                    found.next = Some(Cursor::new(*number, line, site.id()));
                    return Ok(found);
                }
                found.text.push_str(&row);
                found.matches += 1;
            }
            found.looked_at += 1;
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_is_matched_by_itself() {
        let lines = |pattern: &str, text: &str| {
            let pattern = Pattern::new(pattern, false).unwrap();
            let lines = pattern.lines(text, 0, 9).into_iter();
            lines.map(|(number, _)| number).collect::<Vec<_>>()
        };
        let text = "one two\nthree\n\ntwo";
        for (pattern, expected) in [
            ("two", vec![0, 3]),
            ("^two$", vec![3]),
            ("one[^x]*three", vec![]),
            ("^$", vec![2]),
            ("\\Athree\\z", vec![1]),
            ("three\\s", vec![]),
            ("(?-m)^three", vec![1]),
            ("(?:^three)", vec![1]),
        ] {
            assert_eq!(lines(pattern, text), expected, "{pattern}");
        }
    }

    #[test]
    fn long_lines_are_shown_around_the_match() {
        let line = format!("{}match{}", "é".repeat(300), "ü".repeat(300));
        let pattern = Pattern::new("MATCH", true).unwrap();
        let [(0, shown)] = &pattern.lines(&line, 0, 9)[..] else {
            panic!("one line");
        };
        assert!(shown.len() <= SHOWN + 6 && shown.contains("match"));
        assert!(shown.starts_with('…') && shown.ends_with('…'), "{shown}");
    }

    #[test]
    fn patterns_are_bounded() {
        for wrong in ["", "(", "a{1000}{1000}{1000}", &"a".repeat(1001)] {
            assert!(Pattern::new(wrong, false).is_err());
        }
    }
}
