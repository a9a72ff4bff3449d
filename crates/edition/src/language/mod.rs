//! Names of languages, dates in them and their quotation marks, by CLDR's data; and the direction in
//! which they are written.
//!
//! The table is CLDR's own, cut to what is read here. A crate with compiled CLDR data would bring
//! all calendars and patterns, some megabytes, and would double the time of a first build.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use diglot_content::document::Quotes;
use diglot_content::{Moment, Site};

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

/// The direction of a text, as HTML names it.
pub(crate) const fn direction(rtl: bool) -> &'static str {
    if rtl { "rtl" } else { "ltr" }
}

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
    /// Its four quotation marks: of a quotation, then of one inside it. Empty where CLDR has none.
    quotes: &'static str,
}

/// By tag in lower case.
static LANGUAGES: LazyLock<BTreeMap<String, Language>> = LazyLock::new(read);

fn read() -> BTreeMap<String, Language> {
    let mut languages: BTreeMap<String, Language> = BTreeMap::new();
    // A tag is behind its beginning, because the rows are sorted.
    for row in TABLE.lines().filter(|row| !row.starts_with('#')) {
        let (tag, fields) = row.split_once('\t').unwrap_or((row, ""));
        let tag = tag.to_ascii_lowercase();
        let wider = wider(&languages, &tag);
        let language = language(fields, wider);
        languages.insert(tag, language);
    }
    languages
}

/// A language from the fields of its row. A field may say that it is that of a wider language.
fn language(fields: &'static str, wider: Language) -> Language {
    let mut fields = fields.split('\t');
    let mut next = || fields.next().unwrap_or_default();
    let or = |field: &'static str, same| if field == SAME { same } else { field };
    Language {
        name: next(),
        digits: or(next(), wider.digits),
        pattern: or(next(), wider.pattern),
        months: or(next(), wider.months),
        quotes: or(next(), wider.quotes),
    }
}

/// The language of the wider tags of a tag, or an empty one.
fn wider(languages: &BTreeMap<String, Language>, tag: &str) -> Language {
    let wider = tag.rsplit_once('-').map(|(wider, _)| wider);
    let wider = wider.and_then(|wider| longest(languages, wider));
    wider.map(|(_, language)| language).unwrap_or_default()
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

/// What the table says of a tag, or of its longest beginning that it has.
fn known(tag: &str) -> Option<&'static Language> {
    let aliased = || {
        let mut known = beginnings(tag).into_iter().rev();
        known.find_map(|tag| LANGUAGES.get(&tag))
    };
    LANGUAGES.get(tag).or_else(aliased)
}

/// The quotation marks of text in a language, if it is set as in print: the site's settings say so,
/// and the marks are known.
pub fn quotes(site: &Site, tag: &str) -> Option<Quotes> {
    site.typography.then(|| marks(tag)).flatten()
}

fn marks(tag: &str) -> Option<Quotes> {
    let mut marks = known(tag)?.quotes.chars();
    let mut next = || marks.next();
    let (outer, inner) = ([next()?, next()?], [next()?, next()?]);
    // French has narrow spaces inside its marks, but not in Switzerland.
    let tag = folded(tag);
    let spaced = (tag == "fr" || tag.starts_with("fr-")) && !tag.ends_with("-ch");
    Some(Quotes {
        outer,
        inner,
        spaced,
    })
}

/// The day of a moment in a language's format: `1 May 2024`, `May 1, 2024` (en-US), `1. Mai 2024`;
/// `2024-05-01` in an unknown one.
pub fn date(moment: &Moment, tag: &str) -> String {
    let day = moment.day();
    let Some(language) = known(tag) else {
        return day.to_string();
    };
    let month = usize::try_from(day.month()).unwrap_or(1);
    let name = language.months.split(' ').nth(month.saturating_sub(1));
    let number = |text: String| language.in_digits(text);
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
    fn in_digits(&self, number: String) -> String {
        if self.digits.is_empty() {
            return number;
        }
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
                matches!(language.quotes.chars().count(), 0 | 4),
                "{tag}: {language:?}"
            );
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
    fn quotation_marks_are_those_of_the_language() {
        for (tag, outer, spaced) in [
            ("en-GB", Some("“”"), false),
            ("de_AT", Some("„“"), false),
            ("fr", Some("«»"), true),
            ("fr-CH", Some("«»"), false),
            ("zh-TW", Some("「」"), false),
            ("no", Some("«»"), false),
            ("tlh", None, false),
        ] {
            let found = marks(tag);
            let marks = found.map(|quotes| String::from_iter(quotes.outer));
            assert_eq!(marks.as_deref(), outer, "{tag}");
            assert_eq!(found.is_some_and(|quotes| quotes.spaced), spaced, "{tag}");
        }
    }

    #[test]
    fn a_tag_begins_with_wider_ones() {
        assert_eq!(beginnings("pt_BR"), ["pt", "pt-br"]);
        assert_eq!(beginnings("zh-TW"), ["zh", "zh-hant", "zh-tw"]);
        assert_eq!(beginnings("no"), ["nb", "no"]);
    }
}
