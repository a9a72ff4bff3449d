//! Validation of the settings.

use std::collections::BTreeMap;

use super::{DIALECTS, Settings, similar};
use crate::model::edit::EditUrl;
use crate::model::language;
use crate::model::problem::{Place, Problem};
use crate::model::site::{BaseUrl, Lifetimes, OtherSite, Pictures, Signals, Site};
use crate::model::text::one_line;
use crate::model::tree::Shape;

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
        let shape = check.shape(self.shape);
        let edit_url = check.edit_url(self.edit_url);
        let articles = check.folder("articles", self.articles);
        let theme = check.folder("theme", self.theme);
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
            theme: theme.filter(|theme| !theme.is_empty()),
            sanitize: self.sanitize.unwrap_or(false),
            author_scripts: self.author_scripts.unwrap_or(false),
            pictures,
            math: self.math,
            links,
            shape,
            edit_url,
            nav: self.nav.unwrap_or_default(),
            dialect,
            search: self.search_page.unwrap_or(true),
        })
    }

    fn signals(&self) -> Signals {
        let default = Signals::default();
        Signals {
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
    places: BTreeMap<String, Place>,
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
            let hint = "write the whole address, such as `https://example.org` or `https://example.org/blog`";
            self.refuse("base_url", format!("`base_url` is not usable: {why}"), hint);
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
                format!("`dialect` is not a kind of folder: `{name}`"),
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
                format!("`pictures` is none of the kinds: `{name}`"),
                similar(&name, &Pictures::NAMES),
            );
            Pictures::default()
        })
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
            format!("`links.origin` is not usable: {why}"),
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
                format!("`edit_url` is not usable: {why}"),
                "write what comes before the path of a file, such as `https://forge.example/me/notes/edit/main/`",
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

    fn shape(&mut self, name: Option<String>) -> Option<Shape> {
        let name = name?;
        let shape = Shape::parse(&name);
        if shape.is_none() {
            self.refuse(
                "shape",
                format!("`shape` is none of the shapes: `{name}`"),
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
                format!("`{key}` leads out of the folder: `{path}`"),
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
fn relative(path: &str) -> Option<String> {
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
