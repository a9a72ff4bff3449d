//! The ids of headings as other generators make them, where GitHub's differ: people link to them
//! from outside.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// How a generator makes the id of a heading from its text.
#[derive(Clone, Copy, Debug)]
pub struct HeadingIds {
    /// The id of a first heading with this text; empty: it has none.
    pub slug: fn(&str) -> String,
    /// What is before the number of a repeated id.
    pub repeat: char,
}

/// Python-Markdown, and so MkDocs: ASCII alone, and single dashes.
pub const PYTHON: HeadingIds = HeadingIds {
    slug: |text| {
        let kept = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | ' ');
        let words: String = text.nfkd().map(space).filter(kept).collect();
        joined(words.trim().split([' ', '-']), false)
    },
    repeat: '_',
};

/// Pandoc: dots stay, and nothing is before the first letter.
pub const PANDOC: HeadingIds = HeadingIds {
    slug: |text| {
        let kept = |c: &char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ' ');
        let words: String = text.chars().map(space).filter(kept).collect();
        let id = words.split_whitespace().collect::<Vec<_>>().join("-");
        let id = id.trim_start_matches(|c: char| !c.is_alphabetic());
        if id.is_empty() {
            "section".to_owned()
        } else {
            id.to_lowercase()
        }
    },
    repeat: '-',
};

/// VitePress: no accents, a dash for all other signs, `_` before a digit.
pub const VITEPRESS: HeadingIds = HeadingIds {
    slug: |text| {
        let id = dashed(text, "“”‘’").to_lowercase();
        if id.starts_with(|c: char| c.is_ascii_digit()) {
            format!("_{id}")
        } else {
            id
        }
    },
    repeat: '-',
};

/// Hexo: as VitePress, with the case of the heading.
pub const HEXO: HeadingIds = HeadingIds {
    slug: |text| dashed(text, ""),
    repeat: '-',
};

/// Docsify: as GitHub, with single dashes and `_` before a digit.
pub const DOCSIFY: HeadingIds = HeadingIds {
    slug: |text| {
        let kept = |c: &char| c.is_alphanumeric() || matches!(c, '_' | '-' | ' ');
        let words: String = text.trim().chars().map(space).filter(kept).collect();
        let id = joined(words.split([' ', '-']), false);
        if id.starts_with(|c: char| c.is_ascii_digit()) {
            format!("_{id}")
        } else {
            id
        }
    },
    repeat: '-',
};

/// mdBook: as GitHub, but only ASCII is in lower case.
pub const MDBOOK: HeadingIds = HeadingIds {
    slug: |text| {
        let kept = |c: &char| c.is_alphanumeric() || matches!(c, '_' | '-' | ' ');
        let id = text.trim().chars().map(space).filter(kept);
        id.map(|c| {
            if c == ' ' {
                '-'
            } else {
                c.to_ascii_lowercase()
            }
        })
        .collect()
    },
    repeat: '-',
};

/// Zola: ASCII alone, a dash for all other signs. A heading in another script has an id that is not
/// known here.
pub const ZOLA: HeadingIds = HeadingIds {
    slug: |text| {
        let plain: String = text.nfkd().filter(|c| !is_combining_mark(*c)).collect();
        if plain.chars().any(|c| c.is_alphanumeric() && !c.is_ascii()) {
            return String::new();
        }
        joined(plain.split(|c: char| !c.is_ascii_alphanumeric()), true)
    },
    repeat: '-',
};

fn space(c: char) -> char {
    if c.is_whitespace() { ' ' } else { c }
}

/// The parts that are not empty, in lower case, with dashes between them. Empty parts at the ends
/// are a dash too, unless they are trimmed.
fn joined<'t>(parts: impl Iterator<Item = &'t str>, trimmed: bool) -> String {
    let parts: Vec<&str> = parts.collect();
    let inner: Vec<&str> = parts
        .iter()
        .filter(|part| !part.is_empty())
        .copied()
        .collect();
    let edge = |part: Option<&&str>| match part {
        Some(part) if part.is_empty() && !trimmed && !inner.is_empty() => "-",
        _ => "",
    };
    let (begin, end) = (edge(parts.first()), edge(parts.last()));
    format!("{begin}{}{end}", inner.join("-")).to_lowercase()
}

/// Without accents and control characters, with a dash for each run of white space and signs.
fn dashed(text: &str, more: &str) -> String {
    const SIGNS: &str = "~`!@#$%^&*()-_+=[]{}|\\;:\"'<>,.?/";
    let is_sign = |c: char| c.is_whitespace() || SIGNS.contains(c) || more.contains(c);
    let plain: String = text
        .nfkd()
        .filter(|c| !is_combining_mark(*c) && (!c.is_control() || c.is_whitespace()))
        .collect();
    let parts = plain.split(is_sign).filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(ids: HeadingIds, pairs: &[(&str, &str)]) {
        for (text, expected) in pairs {
            assert_eq!((ids.slug)(text), *expected, "{text}");
        }
    }

    #[test]
    fn rule_61_ids_are_those_of_each_generator() {
        check(
            PYTHON,
            &[
                ("What's new in 2.0?", "whats-new-in-20"),
                ("A & B", "a-b"),
                ("Café_au lait", "cafe_au-lait"),
                ("--flag", "-flag"),
                ("日本", ""),
            ],
        );
        check(
            PANDOC,
            &[
                ("3. Applications", "applications"),
                ("Node.js & co", "node.js-co"),
                ("[HTML], [S5], or [RTF]?", "html-s5-or-rtf"),
                ("33", "section"),
            ],
        );
        check(
            VITEPRESS,
            &[
                ("1.0 – What's new?", "_1-0-–-what-s-new"),
                ("Café (au) lait", "cafe-au-lait"),
                ("snake_case", "snake-case"),
            ],
        );
        check(HEXO, &[("Heading One!", "Heading-One"), ("a_b", "a-b")]);
        check(DOCSIFY, &[("2. Set up", "_2-set-up"), ("A & B", "a-b")]);
        check(MDBOOK, &[("Über A", "Über-a"), ("A & B", "a--b")]);
        check(ZOLA, &[("Café & x_y", "cafe-x-y"), ("日本", "")]);
    }

    proptest::proptest! {
        #[test]
        fn no_heading_panics(text in "\\PC{0,40}") {
            for ids in [PYTHON, PANDOC, VITEPRESS, HEXO, DOCSIFY, MDBOOK, ZOLA] {
                let id = (ids.slug)(&text);
                proptest::prop_assert!(!id.contains(char::is_whitespace), "{}", id);
            }
        }
    }
}
