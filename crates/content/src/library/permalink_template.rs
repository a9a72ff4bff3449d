//! Addresses that a template in front matter writes, as patterns for [`super::permalink`].

use unicode_normalization::UnicodeNormalization;

use crate::syntax::front::Front;

/// A pattern for an address in a template: `/blog/{{ page.fileSlug }}/`. `None`: it has other values.
pub fn pattern(text: &str, front: &Front) -> Option<String> {
    let (mut pattern, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once("{{") {
        let (value, after) = after.split_once("}}")?;
        let mut words = value.split('|').map(str::trim);
        let operand = words.next()?;
        let filters: Vec<&str> = words.collect();
        pattern.push_str(before);
        pattern.push_str(&in_template(operand, &filters, front)?);
        rest = after;
    }
    pattern.push_str(rest);
    (!pattern.contains("{%")).then_some(pattern)
}

/// A value in a template: a placeholder, or the text of a key.
fn in_template(operand: &str, filters: &[&str], front: &Front) -> Option<String> {
    let spell: fn(&str) -> Option<String> = match filters {
        [] => |text| Some(text.to_owned()),
        ["slugify"] => slugified,
        ["slug"] => slug_of,
        [date] if operand.strip_prefix("page.").unwrap_or(operand) == "date" => {
            return of_date(date);
        }
        _ => return None,
    };
    let placeholder = match operand {
        "page.fileSlug" => ":basename",
        "page.filePathStem" => "/:path",
        "title" if !filters.is_empty() && front.text(&["title"]).is_none() => ":title",
        name => return spell(front.text(&[name])?).filter(|text| !text.contains(':')),
    };
    Some(placeholder.to_owned())
}

/// A text in Latin letters as the filter `slugify` of Eleventy spells it: `worlds-ueber` for
/// `World's Über`.
fn slugified(text: &str) -> Option<String> {
    let mut letters = String::new();
    for c in text.nfc() {
        match c {
            'ä' | 'Ä' => letters.push_str("ae"),
            'ö' | 'Ö' => letters.push_str("oe"),
            'ü' | 'Ü' => letters.push_str("ue"),
            '&' => letters.push_str(" and "),
            c => letters.push_str(&in_ascii(c)?),
        }
    }
    let mut words = String::new();
    let mut rest = letters.as_str();
    // `world's` is one word.
    while let Some((before, after)) = rest.split_once('\'') {
        words.push_str(before);
        let behind = after.strip_prefix(['s', 't']);
        let is_end = behind.is_some_and(|it| it.is_empty() || it.starts_with(char::is_whitespace));
        if !is_end || !before.ends_with(|c: char| c.is_ascii_alphanumeric()) {
            words.push(' ');
        }
        rest = after;
    }
    words.push_str(rest);
    let parts = words.split(|c: char| !c.is_ascii_alphanumeric());
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    Some(parts.join("-"))
}

/// A text in Latin letters as the filter `slug` of Eleventy spells it: signs stay.
fn slug_of(text: &str) -> Option<String> {
    let mut letters = String::new();
    for c in text.nfc() {
        match c {
            '$' => letters.push_str("dollar"),
            '%' => letters.push_str("percent"),
            '&' => letters.push_str("and"),
            '<' => letters.push_str("less"),
            '>' => letters.push_str("greater"),
            '|' => letters.push_str("or"),
            '-' => letters.push(' '),
            c if c.is_ascii_punctuation() && !"*_+~.()'\"!:@".contains(c) => {}
            c if !c.is_ascii() && !c.is_alphanumeric() => return None,
            c => letters.push_str(&in_ascii(c)?),
        }
    }
    let words: Vec<&str> = letters.split_whitespace().collect();
    Some(words.join("-"))
}

/// A character in lower case without accents. `None`: of another script, which each program spells in
/// its own way.
fn in_ascii(c: char) -> Option<String> {
    match c {
        c if c.is_ascii() => Some(c.to_ascii_lowercase().to_string()),
        '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' => Some(slug::slugify(c.to_string())),
        c if c.is_alphanumeric() => None,
        _ => Some(" ".to_owned()),
    }
}

/// `date: "%Y/%m/%d"`: a pattern for a date.
fn of_date(filter: &str) -> Option<String> {
    let format = filter
        .strip_prefix("date")?
        .trim_start_matches([':', '(', ' ']);
    let format = format.trim_end_matches(')').trim_matches(['"', '\'']);
    let mut parts = format.split('%');
    let mut pattern = parts.next()?.to_owned();
    for part in parts {
        let mut characters = part.chars();
        pattern.push_str(match characters.next()? {
            'Y' => ":year",
            'y' => ":short_year",
            'm' => ":month",
            'd' => ":day",
            'B' => ":monthname",
            'b' => ":short_month",
            'j' => ":y_day",
            _ => return None,
        });
        pattern.push_str(characters.as_str());
    }
    (!pattern.contains(['{', '"', '\''])).then_some(pattern)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rule_45_slugs_in_permalinks_are_spelled_as_eleventy_spells_them() {
        for (text, slugify, slug) in [
            (
                "Hello, World's Über",
                "hello-worlds-ueber",
                "hello-world's-uber",
            ),
            ("Ë e", "e-e", "e-e"),
            ("Don't & do", "dont-and-do", "don't-and-do"),
            ("'s 'tis it's.", "s-tis-it-s", "'s-'tis-it's."),
            ("A – B—C", "a-b-c", ""),
            ("C++ (100%) #1", "c-100-1", "c++-(100percent)-1"),
            ("Straße  --  Ærø", "strasse-aero", "strasse-aero"),
            ("日本", "", ""),
        ] {
            let found = slugified(text).unwrap_or_default();
            assert_eq!(found, slugify, "{text}");
            assert_eq!(slug_of(text).unwrap_or_default(), slug, "{text}");
        }
        let front = crate::syntax::front::split("---\ntitle: Ü b\nother: Ö\n---\n", "a.md").front;
        for (template, expected) in [
            ("/z/{{ title | slugify }}/", Some("/z/ue-b/")),
            ("/{{ other | slug }}/{{title}}", Some("/o/Ü b")),
            ("/{{ page.fileSlug }}/", Some("/:basename/")),
            ("/{{ absent | slugify }}/", None),
            ("/{{ title | upper }}/", None),
        ] {
            assert_eq!(pattern(template, &front).as_deref(), expected, "{template}");
        }
    }
}
