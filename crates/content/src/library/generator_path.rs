//! Where a text is on the site of its generator: the place of its folder and its language.

use super::{paths::bare, publication::Publication};
use crate::dialects::{Config, Kind};
use crate::model::path::inside_or_folder;

/// Where a text is on the site of its generator.
pub struct GeneratorPath {
    /// The path before all others, such as that of a language; empty or without slashes
    /// around it.
    before: String,
    /// The path below the content folder, without its language.
    pub inner: String,
    /// The name of its language, if its path says so.
    language: Option<String>,
}

impl GeneratorPath {
    /// The place of a file.
    pub fn from_path(path: &str, publication: &Publication<'_>) -> Self {
        let plan = &publication.plan;
        let Kind {
            dialect, config, ..
        } = &plan.kind;
        let mount = plan.mount(path);
        let (mut before, inner) = match mount {
            Some((mount, rest)) => (mount.at.clone(), rest),
            None => {
                let inner = plan.below_content(path).unwrap_or(path);
                (String::new(), inner)
            }
        };
        let mut place = Self {
            before: String::new(),
            inner: inner.to_owned(),
            language: mount.and_then(|(mount, _)| Some(mount.language()?.to_owned())),
        };
        if let Some((language, rest)) = language_suffix(inner, config) {
            before = inside_or_folder(&before, in_address(language, config));
            place.inner = rest;
            place.language = Some(language.to_owned());
        } else if dialect.default_language_has_no_folder
            && let Some((first, rest)) = inner.split_once('/')
            && config
                .locales
                .iter()
                .any(|locale| locale.name.eq_ignore_ascii_case(first))
        {
            before = inside_or_folder(&before, in_address(first, config));
            place.inner = rest.to_owned();
            place.language = Some(first.to_owned());
        } else if mount.is_none()
            && config.default_in_subdir
            && let Some(default) = &config.default_language
        {
            before.clone_from(default);
        }
        place.before = before;
        place
    }

    /// The path of its file without the suffix of its language.
    pub fn without_language(&self, path: &str, config: &Config) -> String {
        let divided = language_suffix(path, config).filter(|_| self.language.is_some());
        divided.map_or_else(|| path.to_owned(), |(_, rest)| rest)
    }

    /// The name of its language.
    pub fn language<'p>(&'p self, config: &'p Config) -> &'p str {
        let own = self.language.as_deref();
        own.or(config.default_language.as_deref())
            .unwrap_or_default()
    }

    /// The path of its page: without suffix, in lower case; empty for the home page.
    pub fn page_path(&self) -> String {
        match bare(&self.inner) {
            "index" | "_index" => String::new(),
            path => path.to_lowercase().replace(' ', "-"),
        }
    }

    /// An address below the place of its language and folder.
    pub fn whole(&self, address: &str) -> String {
        if self.before.is_empty() {
            return address.to_owned();
        }
        format!("/{}{address}", self.before)
    }

    /// The address that the file's path gives; `None`: no generator would publish it so. `opens`:
    /// whether a name that begins with `_` is as any other.
    pub fn of_file(&self, opens: bool, is_post: bool) -> Option<String> {
        let path = bare(&self.inner);
        let path = if matches!(path, "index" | "README" | "_index") {
            ""
        } else {
            path
        };
        let is_closed = |part: &str| part.starts_with('.') || part.starts_with('_') && !opens;
        let is_hidden = path.split('/').any(is_closed);
        let whole = inside_or_folder(&self.before, path);
        (!is_post && !is_hidden && !whole.is_empty()).then(|| format!("/{whole}"))
    }
}

/// The part of an address that names a language.
fn in_address<'l>(language: &'l str, config: &Config) -> &'l str {
    if config.is_default(language) && !config.default_in_subdir {
        ""
    } else {
        language
    }
}

/// The configured language in the suffix of a file's name, and the path without it.
fn language_suffix<'p>(path: &'p str, config: &Config) -> Option<(&'p str, String)> {
    let (bare, suffix) = path.rsplit_once('.')?;
    let (rest, language) = bare.rsplit_once('.')?;
    let is_known = !language.contains('/') && config.has_language(language);
    is_known.then(|| (language, format!("{rest}.{suffix}")))
}
