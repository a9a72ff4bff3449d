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

/// The ids that a configuration names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamedIds {
    GithubAscii,
    Blackfriday,
    Docutils,
}

impl NamedIds {
    /// How these ids are made.
    pub fn ids(self) -> HeadingIds {
        match self {
            Self::GithubAscii => GOLDMARK_ASCII,
            Self::Blackfriday => BLACKFRIDAY,
            Self::Docutils => DOCUTILS,
        }
    }
}

/// Goldmark, and so Hugo: as GitHub, without combining marks.
pub const GOLDMARK: HeadingIds = HeadingIds {
    slug: |text| goldmark(text.trim().chars()),
    repeat: '-',
};

/// Goldmark's `github-ascii` in Hugo: accents are removed, then everything that is not ASCII.
const GOLDMARK_ASCII: HeadingIds = HeadingIds {
    slug: |text| goldmark(text.trim().nfd().filter(char::is_ascii)),
    repeat: '-',
};

/// Blackfriday, which Hugo had before Goldmark: a dash for each run of characters that are not
/// letters or numbers.
const BLACKFRIDAY: HeadingIds = HeadingIds {
    slug: |text| joined(text.split(|c| !is_letter(c) && !c.is_numeric()), true),
    repeat: '-',
};

/// Docutils, and so Sphinx and Jupyter Book (`make_id`): a dash for each run of other signs than ASCII
/// letters and digits, and nothing before the first letter.
pub const DOCUTILS: HeadingIds = HeadingIds {
    slug: |text| {
        let words: String = text.nfkd().filter(char::is_ascii).collect();
        let id = joined(words.split(|c: char| !c.is_ascii_alphanumeric()), true);
        id.trim_start_matches(|c: char| !c.is_ascii_lowercase())
            .to_owned()
    },
    repeat: '-',
};

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

/// Zola: letters of all scripts in ASCII, a dash for all other signs. It is the library that Zola
/// uses.
pub const ZOLA: HeadingIds = HeadingIds {
    slug: |text| slug::slugify(text),
    repeat: '-',
};

/// GitBook: ASCII alone, dots stay, `and` for `&`, and `id-` before a digit.
pub const GITBOOK: HeadingIds = HeadingIds {
    slug: |text| {
        let words = without_contractions(text).replace('&', " and ");
        let mut id = String::new();
        for (index, part) in words.split('.').enumerate() {
            let slug = slug::slugify(part);
            let apart = |end: Option<char>| end.is_some_and(|c| !c.is_alphanumeric());
            if index > 0 {
                id.push('.');
                id.push_str(if apart(part.chars().next()) { "-" } else { "" });
            }
            id.push_str(&slug);
            id.push_str(if apart(part.chars().next_back()) {
                "-"
            } else {
                ""
            });
        }
        let id = id.replace("--", "-");
        let id = id.trim_matches('-');
        match id.starts_with(|c: char| c.is_ascii_digit()) {
            true => format!("id-{id}"),
            false => id.to_owned(),
        }
    },
    repeat: '-',
};

/// A text without the apostrophe of `it's` and `don't`.
fn without_contractions(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['\'', '’']) {
        let (before, sign) = rest.split_at(at);
        let mut after = sign.chars();
        let sign = after.next();
        let is_one = before.ends_with(|c: char| c.is_ascii_alphanumeric())
            && matches!(after.next(), Some('s' | 't'))
            && after.next().is_none_or(char::is_whitespace);
        kept.push_str(before);
        kept.extend(sign.filter(|_| !is_one));
        rest = &rest[at + sign.map_or(0, char::len_utf8)..];
    }
    kept + rest
}

fn goldmark(text: impl Iterator<Item = char>) -> String {
    let mut id = String::new();
    for c in text {
        if c == ' ' {
            id.push('-');
        } else if is_letter(c) || c.is_numeric() || matches!(c, '_' | '-') {
            id.extend(c.to_lowercase());
        }
    }
    id
}

/// Whether a character is a letter, and no vowel sign on one.
fn is_letter(c: char) -> bool {
    c.is_alphabetic() && !is_combining_mark(c)
}

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
        check(
            GOLDMARK,
            &[
                ("What's `new` in 2.0?", "whats-new-in-20"),
                ("हिन्दी में", "हनद-म"),
                ("snake_case-and.dots/x", "snake_case-anddotsx"),
            ],
        );
        check(
            GOLDMARK_ASCII,
            &[
                ("Überraschung & Käse Łódź ßx", "uberraschung--kase-odz-x"),
                ("日本語 の 見出し", "--"),
            ],
        );
        check(
            BLACKFRIDAY,
            &[
                ("What's `new` in 2.0?", "what-s-new-in-2-0"),
                ("हिन्दी में", "ह-न-द-म"),
                ("“Quoted” – dash!", "quoted-dash"),
            ],
        );
        check(
            DOCUTILS,
            &[
                ("In a `myst.yml` file", "in-a-myst-yml-file"),
                ("2. What's new?", "what-s-new"),
                ("Café – don’t", "cafe-dont"),
                ("日本", ""),
            ],
        );
        check(HEXO, &[("Heading One!", "Heading-One"), ("a_b", "a-b")]);
        check(DOCSIFY, &[("2. Set up", "_2-set-up"), ("A & B", "a-b")]);
        check(
            GITBOOK,
            &[
                ("1. Create an app", "id-1.-create-an-app"),
                ("Math & TeX", "math-and-tex"),
                ("What's new in Node.js?", "whats-new-in-node.js"),
                ("Use 'this' (optional)", "use-this-optional"),
                ("…", ""),
            ],
        );
        check(MDBOOK, &[("Über A", "Über-a"), ("A & B", "a--b")]);
        check(
            ZOLA,
            &[
                ("Café & x_y", "cafe-x-y"),
                ("日本", "ri-ben"),
                ("Straße", "strasse"),
                ("Привет, мир!", "privet-mir"),
                ("Œuvre → done", "oeuvre-done"),
            ],
        );
    }

    proptest::proptest! {
        #[test]
        fn no_heading_panics(text in "\\PC{0,40}") {
            for ids in [GOLDMARK, GOLDMARK_ASCII, BLACKFRIDAY, PYTHON, PANDOC, VITEPRESS, HEXO, DOCSIFY, GITBOOK, MDBOOK, ZOLA] {
                let id = (ids.slug)(&text);
                proptest::prop_assert!(!id.contains(char::is_whitespace), "{}", id);
            }
        }
    }
}
