//! Names of languages, and dates in them, by CLDR's data.
//!
//! The table is CLDR's own, cut to what is read here. A crate with compiled CLDR data would bring
//! all calendars and patterns, some megabytes, and would double the time of a first build.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use diglot_content::Moment;

/// Its first two lines say what it holds.
const TABLE: &str = include_str!("languages.tsv");
/// In the table: as in the row of the tag without its last subtag.
const SAME: &str = "=";
/// Tags whose data is under another one.
const ALIASES: [(&str, &str); 9] = [
    ("iw", "he"),
    ("nn", "nb"),
    ("no", "nb"),
    ("tl", "fil"),
    ("zh-cn", "zh-hans"),
    ("zh-hk", "zh-hant"),
    ("zh-mo", "zh-hant"),
    ("zh-sg", "zh-hans"),
    ("zh-tw", "zh-hant"),
];

/// What the table says of a language.
#[derive(Clone, Copy, Debug, Default)]
struct Language {
    /// Its own name.
    name: &'static str,
    /// Its ten digits; empty where they are those of ASCII.
    digits: &'static str,
    /// The long date.
    pattern: &'static str,
    /// Its twelve months as they are named in a date; empty where they are numbers.
    months: &'static str,
}

/// By tag in lower case.
static LANGUAGES: LazyLock<BTreeMap<String, Language>> = LazyLock::new(read);

fn read() -> BTreeMap<String, Language> {
    let mut languages: BTreeMap<String, Language> = BTreeMap::new();
    // A tag is behind its beginning, because the rows are sorted.
    for row in TABLE.lines().filter(|row| !row.starts_with('#')) {
        let mut fields = row.split('\t');
        let mut next = || fields.next().unwrap_or_default();
        let tag = next().to_ascii_lowercase();
        let wider = tag.rsplit_once('-').map(|(wider, _)| wider);
        let wider = wider.and_then(|wider| longest(&languages, wider));
        let wider = wider.map(|(_, language)| language).unwrap_or_default();
        let or = |field: &'static str, same| if field == SAME { same } else { field };
        let language = Language {
            name: next(),
            digits: or(next(), wider.digits),
            pattern: or(next(), wider.pattern),
            months: or(next(), wider.months),
        };
        languages.insert(tag, language);
    }
    languages
}

/// The language of a tag, or of its longest beginning that has one, and that beginning.
fn longest<'t>(
    languages: &BTreeMap<String, Language>,
    tag: &'t str,
) -> Option<(&'t str, Language)> {
    let mut rest = Some(tag);
    while let Some(tag) = rest {
        if let Some(language) = languages.get(tag) {
            return Some((tag, *language));
        }
        rest = tag.rsplit_once('-').map(|(wider, _)| wider);
    }
    None
}

fn folded(tag: &str) -> String {
    tag.replace('_', "-").to_ascii_lowercase()
}

/// The beginnings of a tag that may have data, in lower case, the widest first: those of what it is
/// an alias of, then its own.
pub(crate) fn beginnings(tag: &str) -> Vec<String> {
    let tag = folded(tag);
    let alias = ALIASES
        .iter()
        .find(|(other, _)| tag == *other || tag.starts_with(&format!("{other}-")));
    let mut all = Vec::new();
    for tag in alias.map(|(_, same)| *same).into_iter().chain([&*tag]) {
        let ends = tag.match_indices('-').map(|(at, _)| at);
        for end in ends.chain([tag.len()]) {
            let beginning = tag[..end].to_owned();
            if !all.contains(&beginning) {
                all.push(beginning);
            }
        }
    }
    all
}

/// Whether two tags are equal, or one is narrower: `en` and `en-GB`.
pub fn is_kin(one: &str, other: &str) -> bool {
    if one == other {
        return true;
    }
    let (one, other) = (folded(one), folded(other));
    let is_within = |narrow: &str, wide: &str| {
        narrow
            .strip_prefix(wide)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    };
    is_within(&one, &other) || is_within(&other, &one)
}

/// The language's own name, as `Português (Brasil)`; the tag if it is unknown.
pub fn name(tag: &str) -> String {
    let folded = folded(tag);
    let alias = ALIASES.iter().find(|(other, _)| folded == *other);
    if let Some((_, same)) = alias
        && !LANGUAGES.contains_key(&folded)
    {
        return name(same);
    }
    match longest(&LANGUAGES, &folded) {
        Some((known, language)) if !language.name.is_empty() => {
            match tag.get(known.len() + 1..).unwrap_or_default() {
                "" => language.name.to_owned(),
                rest => format!("{} ({rest})", language.name),
            }
        }
        _ => tag.to_owned(),
    }
}

/// The day of a moment in a language's format: `1 May 2024`, `May 1, 2024` (en-US), `1. Mai 2024`;
/// `2024-05-01` in an unknown one.
pub fn date(moment: &Moment, tag: &str) -> String {
    let day = moment.day();
    let aliased = || {
        let mut known = beginnings(tag).into_iter().rev();
        known.find_map(|tag| LANGUAGES.get(&tag))
    };
    let Some(language) = LANGUAGES.get(tag).or_else(aliased) else {
        return day.to_string();
    };
    let month = usize::try_from(day.month()).unwrap_or(1);
    let name = language.months.split(' ').nth(month.saturating_sub(1));
    let number = |text: String| language.in_digits(&text);
    let mut out = String::with_capacity(24);
    let mut rest = language.pattern;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let (field, after) = after.split_once('}').unwrap_or((after, ""));
        rest = after;
        match field {
            "d" if tag.starts_with("fr") && day.day() == 1 => out.push_str("1er"),
            "d" => out.push_str(&number(day.day().to_string())),
            "dd" => out.push_str(&number(format!("{:02}", day.day()))),
            "m" => out.push_str(&number(month.to_string())),
            "mm" => out.push_str(&number(format!("{month:02}"))),
            "month" => out.push_str(name.unwrap_or_default()),
            "y" => out.push_str(&number(day.year().to_string())),
            _ => {}
        }
    }
    out.push_str(rest);
    out
}

impl Language {
    fn in_digits(&self, number: &str) -> String {
        let own = |digit: char| {
            let at = usize::try_from(digit.to_digit(10)?).ok()?;
            self.digits.chars().nth(at)
        };
        number
            .chars()
            .map(|digit| own(digit).unwrap_or(digit))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;

    fn check(language: &str, expected: &str) {
        let at: Timestamp = "2024-05-01T22:00:00Z".parse().unwrap();
        assert_eq!(date(&Moment::second(at), language), expected, "{language}");
    }

    #[test]
    fn dates_are_those_of_the_language() {
        check("en", "1 May 2024");
        check("en-US", "May 1, 2024");
        check("de-AT", "1. Mai 2024");
        check("fr", "1er mai 2024");
        check("es", "1 de mayo de 2024");
        check("ja", "2024年5月1日");
        check("ko", "2024년 5월 1일");
        check("fa", "۱ مهٔ ۲۰۲۴");
        check("zh_TW", "2024年5月1日");
        check("no", "1. mai 2024");
        check("tlh", "2024-05-01");
    }

    #[test]
    fn every_row_has_what_its_date_names() {
        assert!(LANGUAGES.len() > 700, "{}", LANGUAGES.len());
        for (tag, language) in &*LANGUAGES {
            let months = language.months.split(' ').count();
            let named = language.pattern.contains("{month}");
            assert!(!named || months == 12, "{tag}: {language:?}");
            assert!(language.pattern.contains("{y}"), "{tag}: {language:?}");
            assert!(
                matches!(language.digits.chars().count(), 0 | 10),
                "{tag}: {language:?}"
            );
        }
    }

    #[test]
    fn languages_call_themselves_by_their_own_names() {
        for (tag, expected) in [
            ("pt-BR", "Português (Brasil)"),
            ("pt-br", "Português (Brasil)"),
            ("de-XX", "Deutsch (XX)"),
            ("ru", "Русский"),
            ("zh-Hant", "繁體中文"),
            ("zh-TW", "繁體中文"),
            ("no", "Norsk"),
            ("fil", "Filipino"),
            ("tlh", "tlh"),
        ] {
            assert_eq!(name(tag), expected);
        }
    }

    #[test]
    fn a_narrower_tag_is_kin_and_another_is_not() {
        for (one, other, expected) in [
            ("en", "en", true),
            ("en_GB", "en", true),
            ("pt", "pt-BR", true),
            ("EN", "en", true),
            ("zh-CN", "zh-TW", false),
            ("e", "en", false),
        ] {
            assert_eq!(is_kin(one, other), expected, "{one} {other}");
        }
    }

    #[test]
    fn a_tag_begins_with_wider_ones() {
        assert_eq!(beginnings("pt_BR"), ["pt", "pt-br"]);
        assert_eq!(beginnings("zh-TW"), ["zh", "zh-hant", "zh-tw"]);
        assert_eq!(beginnings("no"), ["nb", "no"]);
    }
}
