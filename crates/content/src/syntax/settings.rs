//! The author's settings, before they are checked: `diglot.toml`, then the environment, then the command line.
//!
//! Reading is two steps, as raw values and then as a [`Site`], so that every problem of every source is said at once.

use std::collections::BTreeMap;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::model::language;
use crate::model::problem::{Place, Problem};
use crate::model::site::{BaseUrl, Lifetimes, Pictures, Signals, Site};
use crate::model::sources::Sources;
use crate::model::text::Lines;

/// The name of the settings file, at the root of the folder.
pub const FILE: &str = "diglot.toml";

/// The kinds of folder that `dialect` can name, in the order in which they are looked for.
pub const DIALECTS: [&str; 13] =
    ["mdbook", "docusaurus", "mkdocs", "vitepress", "quarto", "astro", "eleventy", "hugo", "zola", "hexo", "jekyll", "obsidian", "plain"];

/// Raw settings: every key optional. Made by [`Settings::parse`], or filled field by field from the environment or a command line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// The site's name.
    pub title: Option<String>,
    /// One sentence about the site.
    pub description: Option<String>,
    /// Where the site lives.
    pub base_url: Option<String>,
    /// A BCP 47 tag.
    pub language: Option<String>,
    /// The author where an article names none.
    pub author: Option<String>,
    /// The articles folder.
    pub articles: Option<String>,
    /// The theme folder.
    pub theme: Option<String>,
    /// The kind of folder, by a dialect's name.
    pub dialect: Option<String>,
    /// Whether raw HTML is sanitised in pages too.
    pub sanitize: Option<bool>,
    /// `[security] author_scripts`
    pub author_scripts: Option<bool>,
    /// Which pictures are drawn, by a name of [`Pictures::NAMES`].
    pub pictures: Option<String>,
    /// Whether `$…$` is mathematics on every page.
    pub math: Option<bool>,
    /// `[signals] search`
    pub search: Option<bool>,
    /// `[signals] ai_input`
    pub ai_input: Option<bool>,
    /// `[signals] ai_train`
    pub ai_train: Option<bool>,
    /// `[cache] max_age`, in seconds.
    pub max_age: Option<u32>,
    /// `[cache] stale_while_revalidate`, in seconds.
    pub stale_while_revalidate: Option<u32>,
    /// Where a key was given (`signals.search` for nested ones); keys without a place came from outside any file.
    pub places: BTreeMap<String, Place>,
}

/// The keys of the file, with `.` between a table and its key.
const KEYS: [&str; 17] = [
    "title",
    "description",
    "base_url",
    "language",
    "author",
    "articles",
    "theme",
    "dialect",
    "sanitize",
    "pictures",
    "math",
    "signals.search",
    "signals.ai_input",
    "signals.ai_train",
    "cache.max_age",
    "cache.stale_while_revalidate",
    "security.author_scripts",
];

impl Settings {
    /// Reads a settings file. Unknown keys and wrong types are problems, and everything else is still read.
    pub fn parse(text: &str, path: &str) -> (Self, Vec<Problem>) {
        let mut reader = Reader { path, lines: Lines::new(text), settings: Self::default(), problems: Vec::new() };
        let (table, errors) = DeTable::parse_recoverable(text);
        for error in &errors {
            let (line, column) = error.span().map_or((0, 0), |span| reader.lines.place(span.start));
            let problem = Problem::error(format!("the settings are not valid TOML: {}", crate::model::text::one_line(error.message())));
            Problem::note_all(&mut reader.problems, [problem.at(path, line, column)]);
            if reader.problems.len() > crate::model::problem::MOST_OF_ONE_FILE {
                break;
            }
        }
        reader.table(table.get_ref(), "");
        reader.problems.sort_by(|a, b| a.place.cmp(&b.place));
        (reader.settings, reader.problems)
    }

    /// These settings with everything that `over` sets laid over them.
    #[must_use]
    pub fn overlay(self, over: Self) -> Self {
        let mut places = self.places;
        for key in KEYS.into_iter().filter(|key| over.has(key)) {
            places.remove(key);
        }
        places.extend(over.places);
        Self {
            title: over.title.or(self.title),
            description: over.description.or(self.description),
            base_url: over.base_url.or(self.base_url),
            language: over.language.or(self.language),
            author: over.author.or(self.author),
            articles: over.articles.or(self.articles),
            theme: over.theme.or(self.theme),
            dialect: over.dialect.or(self.dialect),
            sanitize: over.sanitize.or(self.sanitize),
            author_scripts: over.author_scripts.or(self.author_scripts),
            pictures: over.pictures.or(self.pictures),
            math: over.math.or(self.math),
            search: over.search.or(self.search),
            ai_input: over.ai_input.or(self.ai_input),
            ai_train: over.ai_train.or(self.ai_train),
            max_age: over.max_age.or(self.max_age),
            stale_while_revalidate: over.stale_while_revalidate.or(self.stale_while_revalidate),
            places,
        }
    }

    /// Checks everything at once. `default_title` and `default_base` are used where nothing is set.
    ///
    /// # Errors
    /// All problems: a base URL that is not absolute, a language tag that is not well-formed, a folder that leads out of the site's,
    /// a dialect or a kind of pictures that nobody knows.
    pub fn into_site(self, default_title: &str, default_base: BaseUrl) -> Result<Site, Vec<Problem>> {
        let mut problems = Vec::new();
        let mut told = |key: &str, problem: Problem| {
            problems.push(match self.places.get(key) {
                Some(place) => problem.at(&place.path, place.line, place.column),
                None => problem,
            });
        };
        let base = self.base_url.as_deref().map_or(Ok(default_base), BaseUrl::parse).map_err(|why| {
            told(
                "base_url",
                Problem::error(format!("`base_url` is not usable: {why}"))
                    .hint("write the whole address, such as `https://example.org` or `https://example.org/blog`"),
            );
        });
        let language = self.language.as_deref().map_or(Some("en".to_owned()), language::tag);
        if language.is_none() {
            let came = self.language.as_deref().unwrap_or_default();
            told("language", Problem::error(format!("`language` is not a language tag: `{came}`")).hint("write a tag such as `en`, `de` or `pt-BR`"));
        }
        let dialect = self.dialect.as_deref().map(str::to_ascii_lowercase);
        if let Some(unknown) = dialect.as_deref().filter(|name| !DIALECTS.contains(name)) {
            told("dialect", Problem::error(format!("`dialect` is not a kind of folder: `{unknown}`")).hint(similar(unknown, &DIALECTS)));
        }
        let pictures = self.pictures.as_deref().and_then(Pictures::parse);
        if let (Some(unknown), None) = (self.pictures.as_deref(), pictures) {
            let hint = similar(unknown, &Pictures::NAMES);
            told("pictures", Problem::error(format!("`pictures` is none of the kinds: `{unknown}`")).hint(hint));
        }
        let mut folder = |key: &str, value: Option<&str>| match value.map(relative) {
            Some(None) => {
                told(
                    key,
                    Problem::error(format!("`{key}` leads out of the folder: `{}`", value.unwrap_or_default()))
                        .hint("write a path relative to the folder"),
                );
                None
            }
            found => found.flatten(),
        };
        let articles = folder("articles", self.articles.as_deref());
        let theme = folder("theme", self.theme.as_deref());
        let (signals, lifetimes) = (Signals::default(), Lifetimes::default());
        match (base, language) {
            (Ok(base), Some(language)) if problems.is_empty() => Ok(Site {
                title: self
                    .title
                    .map(|title| crate::model::text::one_line(&title))
                    .filter(|title| !title.is_empty())
                    .unwrap_or_else(|| default_title.to_owned()),
                description: self.description.map(|text| crate::model::text::one_line(&text)).unwrap_or_default(),
                base,
                language,
                author: self.author.map(|author| crate::model::text::one_line(&author)).filter(|author| !author.is_empty()),
                articles,
                signals: Signals {
                    search: self.search.unwrap_or(signals.search),
                    ai_input: self.ai_input.unwrap_or(signals.ai_input),
                    ai_train: self.ai_train.unwrap_or(signals.ai_train),
                },
                lifetimes: Lifetimes {
                    max_age: self.max_age.unwrap_or(lifetimes.max_age),
                    stale_while_revalidate: self.stale_while_revalidate.unwrap_or(lifetimes.stale_while_revalidate),
                },
                theme: theme.filter(|theme| !theme.is_empty()),
                sanitize: self.sanitize.unwrap_or(false),
                author_scripts: self.author_scripts.unwrap_or(false),
                pictures: pictures.unwrap_or_default(),
                math: self.math,
                dialect,
            }),
            _ => Err(problems),
        }
    }

    /// Whether a key is set.
    fn has(&self, key: &str) -> bool {
        match key {
            "title" => self.title.is_some(),
            "description" => self.description.is_some(),
            "base_url" => self.base_url.is_some(),
            "language" => self.language.is_some(),
            "author" => self.author.is_some(),
            "articles" => self.articles.is_some(),
            "theme" => self.theme.is_some(),
            "dialect" => self.dialect.is_some(),
            "sanitize" => self.sanitize.is_some(),
            "security.author_scripts" => self.author_scripts.is_some(),
            "pictures" => self.pictures.is_some(),
            "math" => self.math.is_some(),
            "signals.search" => self.search.is_some(),
            "signals.ai_input" => self.ai_input.is_some(),
            "signals.ai_train" => self.ai_train.is_some(),
            "cache.max_age" => self.max_age.is_some(),
            "cache.stale_while_revalidate" => self.stale_while_revalidate.is_some(),
            _ => false,
        }
    }
}

/// The title of a site whose settings name none: that of its home page, else the folder's name made presentable.
pub fn default_title(sources: &Sources) -> String {
    let home = ["index.md", "index.markdown", "content/_index.md", "docs/index.md"].into_iter().find_map(|path| {
        let file = sources.files.iter().find(|file| *file.path == *path)?;
        let (text, _) = crate::model::text::decode(&file.bytes, path);
        let split = crate::syntax::front::split(&text, path);
        let heading = || split.body.lines().find_map(|line| line.strip_prefix("# "));
        let title = split.front.text(&["title"]).or_else(heading).map(crate::model::text::plain);
        title.filter(|title| !title.is_empty() && !title.eq_ignore_ascii_case("home"))
    });
    let named = || Some(crate::model::text::presentable(&sources.name)).filter(|name| !name.is_empty());
    home.or_else(named).unwrap_or_else(|| "Articles".to_owned())
}

/// A relative folder without `.`, doubled and closing slashes; `None` when it is absolute or leads out.
fn relative(path: &str) -> Option<String> {
    if path.starts_with(['/', '\\']) || path.get(1..2) == Some(":") {
        return None;
    }
    let parts: Vec<&str> = path.split(['/', '\\']).filter(|part| !matches!(*part, "" | ".")).collect();
    (!parts.contains(&"..")).then(|| parts.join("/"))
}

/// The hint for an unknown word: the nearest known one, or all of them.
fn similar(word: &str, known: &[&str]) -> String {
    let nearest = known.iter().map(|known| (strsim::damerau_levenshtein(word, known), known)).min();
    match nearest {
        Some((distance, known)) if distance <= 1 + known.len() / 4 => format!("did you mean `{known}`?"),
        _ => format!("known are {}", known.iter().map(|known| format!("`{known}`")).collect::<Vec<_>>().join(", ")),
    }
}

/// Fills settings from a table and collects what is wrong with it.
struct Reader<'a> {
    path: &'a str,
    lines: Lines<'a>,
    settings: Settings,
    problems: Vec<Problem>,
}

impl Reader<'_> {
    /// Reads a table; `prefix` is empty or `signals.`.
    fn table(&mut self, table: &DeTable<'_>, prefix: &str) {
        for (key, value) in table {
            let name = format!("{prefix}{}", key.get_ref());
            let inner = format!("{name}.");
            match value.get_ref() {
                DeValue::Table(table) if prefix.is_empty() && KEYS.iter().any(|known| known.starts_with(&inner)) => self.table(table, &inner),
                _ if KEYS.contains(&name.as_str()) => self.value(&name, value),
                _ => self.unknown(&name, prefix, key.span()),
            }
        }
    }

    fn value(&mut self, name: &str, value: &Spanned<DeValue<'_>>) {
        let settings = &mut self.settings;
        let text = || value.get_ref().as_str().map(str::to_owned);
        let truth = || value.get_ref().as_bool();
        let seconds = || value.get_ref().as_integer().and_then(|integer| u32::from_str_radix(integer.as_str(), integer.radix()).ok());
        match name {
            "title" => settings.title = text(),
            "description" => settings.description = text(),
            "base_url" => settings.base_url = text(),
            "language" => settings.language = text(),
            "author" => settings.author = text(),
            "articles" => settings.articles = text(),
            "theme" => settings.theme = text(),
            "dialect" => settings.dialect = text(),
            "sanitize" => settings.sanitize = truth(),
            "security.author_scripts" => settings.author_scripts = truth(),
            "pictures" => settings.pictures = text(),
            "math" => settings.math = truth(),
            "signals.search" => settings.search = truth(),
            "signals.ai_input" => settings.ai_input = truth(),
            "signals.ai_train" => settings.ai_train = truth(),
            "cache.max_age" => settings.max_age = seconds(),
            "cache.stale_while_revalidate" => settings.stale_while_revalidate = seconds(),
            _ => {}
        }
        let (line, column) = self.lines.place(value.span().start);
        if self.settings.has(name) {
            self.settings.places.insert(name.to_owned(), Place { path: self.path.to_owned(), line, column });
            return;
        }
        let wanted = match name {
            "sanitize" | "math" | "security.author_scripts" => "`true` or `false`",
            _ if name.starts_with("signals.") => "`true` or `false`",
            _ if name.starts_with("cache.") => "a number of seconds, such as `300`",
            _ => "a text in quotes",
        };
        Problem::note_all(&mut self.problems, [Problem::error(format!("`{name}` must be {wanted}")).at(self.path, line, column)]);
    }

    fn unknown(&mut self, name: &str, prefix: &str, span: Range<usize>) {
        let (line, column) = self.lines.place(span.start);
        let inside = KEYS.into_iter().filter(|known| if prefix.is_empty() { !known.contains('.') } else { known.starts_with(prefix) });
        let near: Vec<&str> = inside.chain(["signals", "cache", "security"].into_iter().filter(|_| prefix.is_empty())).collect();
        let problem = Problem::error(format!("`{name}` is not a known key")).at(self.path, line, column).hint(similar(name, &near));
        Problem::note_all(&mut self.problems, [problem]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str = "title = 'A'\nbase_url = \"https://example.org/blog/\"\nlanguage = 'pt_br'\narticles = './posts/'\nsanitize = true\n\n[signals]\nai_train = true\n\n[cache]\nmax_age = 60\n";

    fn told(problems: &[Problem]) -> Vec<String> {
        problems.iter().map(|problem| problem.to_string().replace("\n  hint: ", " | ")).collect()
    }

    fn base() -> BaseUrl {
        BaseUrl::parse("http://localhost:8080").unwrap()
    }

    #[test]
    fn pictures_are_one_of_three_kinds() {
        let site = |text: &str| Settings::parse(text, FILE).0.into_site("Default", base()).map(|site| site.pictures);
        assert_eq!(site(""), Ok(Pictures::Site));
        assert_eq!(site("pictures = 'articles'"), Ok(Pictures::Articles));
        assert_eq!(site("pictures = 'none'"), Ok(Pictures::None));
        let wrong = site("pictures = 'article'").unwrap_err();
        assert_eq!(told(&wrong), ["diglot.toml:1:12: `pictures` is none of the kinds: `article` | did you mean `articles`?"]);
        assert_eq!(told(&Settings::parse("pictures = true", FILE).1), ["diglot.toml:1:12: `pictures` must be a text in quotes"]);
    }

    #[test]
    fn settings_become_a_site() {
        let (settings, problems) = Settings::parse(WHOLE, FILE);
        assert_eq!(told(&problems), [""; 0]);
        let site = settings.into_site("Default", base()).unwrap();
        assert_eq!((site.title.as_str(), site.base.to_string().as_str(), site.language.as_str()), ("A", "https://example.org/blog", "pt-BR"));
        assert_eq!((site.articles.as_deref(), site.sanitize, site.signals.ai_train, site.signals.search), (Some("posts"), true, true, true));
        assert!(!site.author_scripts, "unless a setting says so");
        let scripts = Settings::parse("[security]\nauthor_scripts = true", FILE).0.into_site("Default", base()).unwrap();
        assert!(scripts.author_scripts);
        assert_eq!((site.lifetimes.max_age, site.lifetimes.stale_while_revalidate), (60, 3600));
        let empty = Settings::default().into_site("Default", base()).unwrap();
        assert_eq!((empty.title.as_str(), empty.language.as_str(), empty.base.to_string().as_str()), ("Default", "en", "http://localhost:8080"));
    }

    #[test]
    fn all_problems_are_said_at_once_with_place_and_hint() {
        let (settings, problems) =
            Settings::parse("titel = 'A'\nbase_url = 3\nlanguage = 'x y'\ntheme = '../t'\n[signals]\nai_trian = true\n[cach]\nmax_age = 1\n", FILE);
        assert_eq!(
            told(&problems),
            [
                "diglot.toml:1:1: `titel` is not a known key | did you mean `title`?",
                "diglot.toml:2:12: `base_url` must be a text in quotes",
                "diglot.toml:6:1: `signals.ai_trian` is not a known key | did you mean `signals.ai_train`?",
                "diglot.toml:7:2: `cach` is not a known key | did you mean `cache`?",
            ]
        );
        assert_eq!(
            told(&settings.into_site("", base()).unwrap_err()),
            [
                "diglot.toml:3:12: `language` is not a language tag: `x y` | write a tag such as `en`, `de` or `pt-BR`",
                "diglot.toml:4:9: `theme` leads out of the folder: `../t` | write a path relative to the folder",
            ]
        );
        let (_, problems) = Settings::parse("title = \n", FILE);
        assert_eq!(problems.len(), 1);
    }

    #[test]
    fn the_command_line_lies_over_the_file() {
        let (file, _) = Settings::parse(WHOLE, FILE);
        let line = Settings { base_url: Some("nowhere".to_owned()), title: Some("B".to_owned()), ..Settings::default() };
        let problems = file.clone().overlay(line).into_site("", base()).unwrap_err();
        assert_eq!(
            told(&problems),
            [
                "`base_url` is not usable: `nowhere` is not an absolute `http://` or `https://` URL | write the whole address, such as `https://example.org` or `https://example.org/blog`"
            ]
        );
        assert_eq!(file.overlay(Settings { title: Some("B".to_owned()), ..Settings::default() }).into_site("", base()).unwrap().title, "B");
    }

    proptest::proptest! {
        #[test]
        fn no_settings_panic(text in "[a-z_.='\"\\[\\]{}0-9 \n#-]{0,80}") {
            let (settings, _) = Settings::parse(&text, FILE);
            let _ = settings.into_site("t", base());
        }
    }
}
