//! The theme's own words, a file for each language: `words/de.toml`.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use diglot_content::Problem;
use serde::Serialize;

use super::ThemeFile;
use crate::language::beginnings;

macro_rules! files {
    ($($tag:literal)*) => {
        &[$((
            concat!("words/", $tag, ".toml"),
            include_str!(concat!("../../theme/words/", $tag, ".toml")),
        )),*]
    };
}

/// The built-in files by name.
const FILES: &[(&str, &str)] = files!(
    "ar" "bn" "ca" "cs" "da" "de" "el" "en" "es" "fa" "fi" "fr" "he" "hi" "hu" "id" "it" "ja" "ko"
    "nb" "nl" "pl" "pt" "ro" "ru" "sv" "ta" "tr" "uk" "vi" "zh" "zh-Hant"
);

/// The language of last resort.
const ENGLISH: &str = "en";

/// Words by name.
type Table = BTreeMap<String, String>;

/// The built-in words by language, in lower case.
static BUILT_IN: LazyLock<BTreeMap<String, Table>> = LazyLock::new(|| {
    // A test parses every file.
    let read = |(path, text): &(&str, &str)| {
        let table = toml::from_str(text).unwrap_or_default();
        Some((language_of(path)?.to_ascii_lowercase(), table))
    };
    FILES.iter().filter_map(read).collect()
});

/// The words of all languages: the built-in ones, and those of a theme folder over them.
#[derive(Clone, Debug, Default)]
pub struct Dictionary {
    own: Arc<BTreeMap<String, Table>>,
}

/// The built-in files, by name.
pub(super) fn built_in() -> impl Iterator<Item = (&'static str, &'static str)> {
    FILES.iter().copied()
}

/// The language of a file of words in a theme folder.
pub(super) fn language_of(path: &str) -> Option<&str> {
    path.strip_prefix("words/")?.strip_suffix(".toml")
}

impl Dictionary {
    /// Adds a file of a theme folder.
    pub(super) fn add(&mut self, language: &str, file: &ThemeFile) -> Result<(), Problem> {
        let text = std::str::from_utf8(&file.bytes)
            .map_err(|_| Problem::error("these words are not UTF-8").at(&*file.path, 0, 0))?;
        let table: Table = toml::from_str(text).map_err(|error| {
            let (line, column) = place(text, error.span().map_or(0, |span| span.start));
            Problem::error(format!("these words are not read: {}", error.message()))
                .at(&*file.path, line, column)
                .hint("write one word a line, as `home = \"Start\"`")
        })?;
        Arc::make_mut(&mut self.own).insert(language.replace('_', "-").to_ascii_lowercase(), table);
        Ok(())
    }

    /// The words of a language. What it lacks is in the language without its region, else in
    /// English.
    pub fn words(&self, language: &str) -> Words {
        let mut words = Table::new();
        for tag in [ENGLISH.to_owned()].into_iter().chain(beginnings(language)) {
            let tables = [BUILT_IN.get(&tag), self.own.get(&tag)];
            for table in tables.into_iter().flatten() {
                words.extend(
                    table
                        .iter()
                        .map(|(name, word)| (name.clone(), word.clone())),
                );
            }
        }
        Words(words)
    }
}

fn place(text: &str, at: usize) -> (u32, u32) {
    let before = text.get(..at).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default();
    let number = |count| u32::try_from(count).unwrap_or(0);
    (number(line), number(column.chars().count() + 1))
}

/// `words` in templates: the theme's words in the language of a page.
#[derive(Clone, Debug, Serialize)]
pub struct Words(Table);

impl Words {
    /// A word by its name; a test asks for every name that the program uses.
    pub fn get(&self, name: &str) -> &str {
        self.0.get(name).map(String::as_str).unwrap_or_default()
    }

    /// A word with values for its places, as `Page {n}`.
    pub fn with(&self, name: &str, values: &[(&str, &str)]) -> String {
        let mut text = String::new();
        let mut rest = self.get(name);
        while let Some((before, after)) = rest.split_once('{') {
            text.push_str(before);
            let (place, after) = after.split_once('}').unwrap_or((after, ""));
            rest = after;
            let value = values.iter().find(|(name, _)| *name == place);
            text.push_str(value.map_or("", |(_, value)| value));
        }
        text.push_str(rest);
        text
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;

    fn file(path: &str, text: &str) -> ThemeFile {
        ThemeFile {
            path: path.into(),
            bytes: Bytes::copy_from_slice(text.as_bytes()),
        }
    }

    #[test]
    fn every_language_has_the_words_and_places_of_english() {
        let places = |word: &str| {
            let mut places: Vec<&str> = word
                .split('{')
                .skip(1)
                .filter_map(|rest| rest.split_once('}'))
                .map(|(place, _)| place)
                .collect();
            places.sort_unstable();
            places.join(" ")
        };
        assert!(FILES.len() >= 20);
        let english: Table = toml::from_str(&text("en")).unwrap();
        for (tag, text) in FILES {
            let words: Table = toml::from_str(text).unwrap();
            for (name, word) in &words {
                let other = english.get(name).unwrap_or_else(|| panic!("{tag}: {name}"));
                assert_eq!(places(word), places(other), "{tag}: {name}");
                assert!(!word.trim().is_empty(), "{tag}: {name}");
            }
        }
    }

    fn text(tag: &str) -> String {
        let found = FILES
            .iter()
            .find(|(path, _)| language_of(path) == Some(tag));
        found.unwrap().1.to_owned()
    }

    #[test]
    fn a_missing_word_is_that_of_the_wider_language_then_english() {
        let mut dictionary = Dictionary::default();
        let own = file("words/pt-BR.toml", "home = \"Casa\"\nmine = \"Meu\"");
        let german = file("words/de.toml", "home = \"Daheim\"");
        for file in [&own, &german] {
            let language = language_of(&file.path).unwrap();
            dictionary.add(language, file).unwrap();
        }
        let words = dictionary.words("pt-BR");
        let said = ["home", "next", "mine", "api"].map(|name| words.get(name));
        assert_eq!(said, ["Casa", "Seguinte", "Meu", "API"]);
        let austrian = dictionary.words("de_AT");
        assert_eq!(
            [austrian.get("home"), austrian.get("next")],
            ["Daheim", "Weiter"]
        );
        assert_eq!(dictionary.words("tlh").get("home"), "Home");
        assert_eq!(dictionary.words("zh-TW").get("tags"), "標籤");
    }

    #[test]
    fn values_take_their_places() {
        let words = Dictionary::default().words("ko");
        assert_eq!(
            words.with("part", &[("n", "2"), ("count", "{n}")]),
            "{n}편 중 2편"
        );
    }

    #[test]
    fn a_broken_file_is_named_with_its_place() {
        let broken = file("words/xx.toml", "home = \"a\"\nnext = 3\n");
        let problem = Dictionary::default().add("xx", &broken).unwrap_err();
        assert!(
            problem
                .to_string()
                .contains("words/xx.toml:2:8: these words are not read: "),
            "{problem}"
        );
    }
}
