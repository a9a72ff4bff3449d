//! Validation of the settings.

use std::collections::BTreeMap;

use super::{DIALECTS, Settings, similar};
use crate::model::document::Block;
use crate::model::edit::EditUrl;
use crate::model::frame::{FrameSettings, Placed};
use crate::model::language;
use crate::model::problem::{Problem, SourceLocation};
use crate::model::site::{
    BaseUrl, Lifetimes, OtherSite, Pictures, SharedCaches, Site, TagField, UsageSignals,
};
use crate::model::text::one_line;
use crate::model::tree::Shape;
use crate::syntax::markdown;

/// The longest text of the footer, in characters: it is part of every page.
const LONGEST_FOOTER: usize = 1_000;

impl Settings {
    /// Validates all settings. `default_title` and `default_base` are used where nothing is set.
    ///
    /// # Errors
    /// All problems: a base URL that is not absolute, a language tag that is not well-formed, a
    /// folder outside the site's, an unknown dialect, shape or kind of pictures.
    pub fn into_site(
        self,
        default_title: &str,
        default_base: BaseUrl,
    ) -> Result<Site, Vec<Problem>> {
        let (signals, lifetimes) = (self.signals(), self.lifetimes());
        let mut check = Check {
            places: self.places,
            problems: Vec::new(),
        };
        let base = check.base_url(self.base_url, default_base);
        let language = check.language(self.language);
        let dialect = check.dialect(self.dialect);
        let pictures = check.pictures(self.pictures);
        let shared = SharedCaches {
            max_age: self.cdn_max_age,
            tags: check.tags(self.cache_tags),
        };
        let shape = check.shape(self.shape);
        let edit_url = check.edit_url(self.edit_url);
        let articles = check.folder("articles", self.articles);
        let theme = check.folder("theme", self.theme);
        let frame = FrameSettings {
            links: self.nav_links,
            logo: self.logo,
            favicon: check.placed("favicon", self.favicon),
            accent: self.accent,
            footer_text: check.footer(self.footer_text),
            footer_links: self.footer_links,
        };
        let links = OtherSite {
            origin: check.origin(self.links_origin),
            prefix: check.prefix(self.links_prefix),
        };
        if !check.problems.is_empty() {
            return Err(check.problems);
        }
        let author = line(self.author);
        let authors = match self.authors.len() {
            0 | 1 => Vec::from_iter(author.clone()),
            _ => self.authors,
        };
        Ok(Site {
            title: line(self.title).unwrap_or_else(|| default_title.to_owned()),
            description: line(self.description).unwrap_or_default(),
            base,
            language,
            author,
            authors,
            articles,
            signals,
            lifetimes,
            shared,
            theme: theme.filter(|theme| !theme.is_empty()),
            sanitize: self.sanitize.unwrap_or(false),
            typography: self.typography.unwrap_or(true),
            author_scripts: self.author_scripts.unwrap_or(false),
            pictures,
            math: self.math,
            links,
            shape,
            frame,
            edit_url,
            nav: self.nav.unwrap_or_default(),
            dialect,
            search: self.search_page.unwrap_or(true),
        })
    }

    fn signals(&self) -> UsageSignals {
        let default = UsageSignals::default();
        UsageSignals {
            search: self.search.unwrap_or(default.search),
            ai_input: self.ai_input.unwrap_or(default.ai_input),
            ai_train: self.ai_train.unwrap_or(default.ai_train),
        }
    }

    fn lifetimes(&self) -> Lifetimes {
        let default = Lifetimes::default();
        let stale = self.stale_while_revalidate;
        Lifetimes {
            max_age: self.max_age.unwrap_or(default.max_age),
            stale_while_revalidate: stale.unwrap_or(default.stale_while_revalidate),
        }
    }
}

/// Validates values and collects problems.
struct Check {
    places: BTreeMap<String, SourceLocation>,
    problems: Vec<Problem>,
}

impl Check {
    fn refuse(&mut self, key: &str, message: String, hint: impl Into<String>) {
        let place = self.places.get(key).cloned();
        self.problems.push(Problem {
            place,
            ..Problem::error(message).hint(hint)
        });
    }

    fn base_url(&mut self, text: Option<String>, default: BaseUrl) -> BaseUrl {
        let Some(text) = text else { return default };
        BaseUrl::parse(&text).unwrap_or_else(|why| {
            let hint = "write the full address, such as `https://example.org` or `https://example.org/blog`";
            self.refuse("base_url", format!("`base_url` is not valid: {why}"), hint);
            default
        })
    }

    fn language(&mut self, text: Option<String>) -> String {
        let Some(text) = text else {
            return "en".to_owned();
        };
        language::tag(&text).unwrap_or_else(|| {
            self.refuse(
                "language",
                format!("`language` is not a language tag: `{text}`"),
                "write a tag such as `en`, `de` or `pt-BR`",
            );
            text
        })
    }

    fn dialect(&mut self, name: Option<String>) -> Option<String> {
        let name = name?.to_ascii_lowercase();
        if !DIALECTS.contains(&name.as_str()) {
            self.refuse(
                "dialect",
                format!("unknown value of `dialect`: `{name}`"),
                similar(&name, &DIALECTS),
            );
        }
        Some(name)
    }

    fn pictures(&mut self, name: Option<String>) -> Pictures {
        let Some(name) = name else {
            return Pictures::default();
        };
        Pictures::parse(&name).unwrap_or_else(|| {
            self.refuse(
                "pictures",
                format!("unknown value of `pictures`: `{name}`"),
                similar(&name, &Pictures::NAMES),
            );
            Pictures::default()
        })
    }

    fn tags(&mut self, name: Option<String>) -> Option<TagField> {
        let name = name?;
        let field = TagField::parse(&name);
        if field.is_none() {
            let message = format!("`cache.tags` is not a header field for tags: `{name}`");
            self.refuse("cache.tags", message, similar(&name, &TagField::NAMES));
        }
        field
    }

    /// The origin of links that lead to another part of a larger site.
    fn origin(&mut self, text: Option<String>) -> Option<String> {
        let text = text?;
        let why = match BaseUrl::parse(&text) {
            Ok(url) if url.path().is_empty() => return Some(url.origin().to_owned()),
            Ok(_) => format!("`{text}` has a path"),
            Err(why) => why,
        };
        self.refuse(
            "links.origin",
            format!("`links.origin` is not valid: {why}"),
            "write scheme and host, such as `https://example.org`",
        );
        None
    }

    /// Where sources can be edited.
    fn edit_url(&mut self, text: Option<String>) -> Option<EditUrl> {
        let parsed = EditUrl::parse(&text?);
        let refuse = |why| {
            self.refuse(
                "edit_url",
                format!("`edit_url` is not valid: {why}"),
                "write the part before the path of a file, such as `https://forge.example/me/notes/edit/main/`",
            );
        };
        parsed.map_err(refuse).ok()
    }

    /// The path below which the site was published.
    fn prefix(&mut self, text: Option<String>) -> Option<String> {
        let text = text?;
        let path = text.trim_matches('/');
        match BaseUrl::parse(&format!("https://example.org/{path}")) {
            Ok(url) => Some(url.path().to_owned()).filter(|path| !path.is_empty()),
            Err(_) => {
                self.refuse(
                    "links.prefix",
                    format!("`links.prefix` is not a path: `{}`", text.escape_debug()),
                    "write the beginning of the old addresses, such as `/docs`",
                );
                None
            }
        }
    }

    /// A text with its place; none if it is empty.
    fn placed(&self, key: &str, text: Option<String>) -> Option<Placed> {
        let text = text.filter(|text| !text.trim().is_empty())?;
        let place = self.places.get(key);
        let (line, column) = place.map_or((0, 0), |place| (place.line, place.column));
        Some(Placed { text, line, column })
    }

    /// The words of the footer: one paragraph of Markdown.
    fn footer(&mut self, text: Option<String>) -> Option<Placed> {
        let key = "footer.text";
        let text = self.placed(key, text)?;
        if text.text.chars().count() > LONGEST_FOOTER {
            let message = format!("`{key}` is longer than {LONGEST_FOOTER} characters");
            self.refuse(
                key,
                message,
                "it is on every page; a page of its own can say more",
            );
        }
        let document = markdown::parse(&text.text, &markdown::Options::default());
        let is_line = matches!(document.blocks[..], [Block::Paragraph(_)]);
        if !is_line || !document.footnotes.is_empty() {
            let message = format!("`{key}` is more than one paragraph");
            self.refuse(key, message, "write words, links and emphasis");
        }
        Some(text)
    }

    fn shape(&mut self, name: Option<String>) -> Option<Shape> {
        let name = name?;
        let shape = Shape::parse(&name);
        if shape.is_none() {
            self.refuse(
                "shape",
                format!("unknown value of `shape`: `{name}`"),
                similar(&name, &Shape::NAMES),
            );
        }
        shape
    }

    fn folder(&mut self, key: &str, path: Option<String>) -> Option<String> {
        let path = path?;
        let relative = relative(&path);
        if relative.is_none() {
            self.refuse(
                key,
                format!("`{key}` is outside the folder: `{path}`"),
                "write a path relative to the folder",
            );
        }
        relative
    }
}

/// A text on one line; `None` if empty.
fn line(text: Option<String>) -> Option<String> {
    let line = one_line(&text?);
    (!line.is_empty()).then_some(line)
}

/// A relative folder, normalised without `.`, doubled and trailing slashes; `None` if it is
/// absolute or leads outside.
pub(super) fn relative(path: &str) -> Option<String> {
    if path.starts_with(['/', '\\']) || path.get(1..2) == Some(":") {
        return None;
    }
    let mut parts = Vec::new();
    for part in path.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." => return None,
            _ => parts.push(part),
        }
    }
    Some(parts.join("/"))
}
