//! The languages of a site by its configuration, and the folders of their texts.

use std::collections::BTreeSet;

use super::{Config, MOST_ENTRIES, MOST_LANGUAGES, entries, plugins::plugins, text_of};
use crate::model::{language, path};
use crate::syntax::front::{Entry, Front, Node, Value};

/// A language of a site.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Locale {
    /// Its name in paths: a folder or a suffix. Empty: its texts have none.
    pub name: String,
    /// Its BCP 47 tag.
    pub tag: String,
}

/// The only languages of which texts are built. A name that looks like one is that of a language.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BuiltLanguages {
    pub names: BTreeSet<String>,
    /// Whether the names are those of folders; otherwise they are suffixes: `a.fr.md`.
    pub in_folders: bool,
}

impl BuiltLanguages {
    /// Whether the file at a path below the content is in a language that is not built.
    pub fn leaves_out(&self, path: &str) -> bool {
        let name = if self.in_folders {
            path.split_once('/').map(|(folder, _)| folder)
        } else {
            inner_suffix(path)
        };
        name.is_some_and(|name| is_code(name) && !self.names.contains(name))
    }
}

/// The suffix before the ending of a file's name: `de` of `a.de.md`.
fn inner_suffix(path: &str) -> Option<&str> {
    let mut parts = path::name(path).rsplitn(3, '.').skip(1);
    let (suffix, stem) = (parts.next(), parts.next());
    stem.and(suffix)
}

/// Whether a name has the form of a code of a language: `fr`, `pt-BR`, `pt_BR`, `zh-Hant-TW`.
fn is_code(name: &str) -> bool {
    let is = |part: &str, length: usize, fits: fn(&u8) -> bool| {
        part.len() == length && part.as_bytes().iter().all(fits)
    };
    let is_language = |part: &str| is(part, 2, u8::is_ascii_lowercase);
    let is_region = |part: &str| is(part, 2, u8::is_ascii_uppercase);
    if let Some((language, region)) = name.split_once('_') {
        return is_language(language) && is_region(region);
    }
    let mut parts = name.split('-').peekable();
    let begins = parts.next().is_some_and(is_language);
    parts.next_if(|part| is(part, 4, u8::is_ascii_alphabetic));
    parts.next_if(|part| is_region(part));
    begins && parts.next().is_none()
}

/// A folder whose texts have their place elsewhere on the site.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Mount {
    /// The folder.
    pub folder: String,
    /// Its place on the generator's site; empty: the root.
    pub at: String,
    /// Its place below the articles folder; `None`: its texts are pages.
    pub within: Option<String>,
    /// The pattern of its texts' addresses, if it is not that of the kind.
    pub pattern: Option<&'static str>,
    /// Whether it holds another version of the texts than readers look for.
    pub other_version: bool,
}

impl Mount {
    /// The name of the language of its texts, if its place begins with one.
    pub fn language(&self) -> Option<&str> {
        self.within.as_deref()?.split('/').next()
    }

    /// A folder of pages.
    pub fn page(folder: &str, at: &str) -> Self {
        Self {
            folder: folder.to_owned(),
            at: at.to_owned(),
            ..Self::default()
        }
    }
}

impl Config {
    /// The languages that a site has, and their content folders.
    pub(super) fn languages(&mut self, front: &Front) {
        let mut found = in_map_or_list(front);
        found.extend(in_program(front));
        found.extend(in_plugin(front));
        self.dated_by_name = front
            .get("frontmatter.date")
            .and_then(|entry| entry.node.items().first()?.text())
            .is_some_and(|first| first.eq_ignore_ascii_case(":filename"));
        self.default_in_subdir = front
            .bool(&["defaultContentLanguageInSubdir"])
            .unwrap_or(false);
        self.default_language = front
            .text(&[
                "defaultContentLanguage",
                "default_language",
                "i18n.defaultLocale",
                "integrations.defaultLocale",
            ])
            .or_else(|| front.get("languages.en").map(|_| "en"))
            .map(str::to_lowercase);
        let disabled = front.texts("disableLanguages").map(str::to_lowercase);
        let disabled: BTreeSet<String> = disabled.collect();
        found.retain(|(locale, _)| !disabled.contains(&locale.name.to_lowercase()));
        found.truncate(MOST_LANGUAGES);
        for (locale, folder) in found {
            if self.locales.iter().any(|known| known.name == locale.name) {
                continue;
            }
            if let Some(folder) = folder {
                self.mount(&folder, &locale.name);
            }
            self.locales.push(locale);
        }
        self.mounts(front);
        self.unite_default();
        self.say_languages();
    }

    /// Gives the site and its default language one tag. That of the language itself is more precise than
    /// its name; one that the site has beside the name is more precise than the name alone.
    fn unite_default(&mut self) {
        let Some(default) = &self.default_language else {
            return;
        };
        let mut locales = self.locales.iter_mut();
        let Some(locale) = locales.find(|locale| locale.name.eq_ignore_ascii_case(default)) else {
            return;
        };
        let of_name = language::tag(default);
        let site = &mut self.settings.language;
        if of_name.as_ref() != Some(&locale.tag) || site.is_none() {
            *site = Some(locale.tag.clone());
        } else if let Some(tag) = site
            && primary(tag) == primary(&locale.tag)
        {
            locale.tag.clone_from(tag);
        }
    }

    /// `module.mounts: [{source: text/de, target: content, lang: de}]` of Hugo.
    fn mounts(&mut self, front: &Front) {
        let Some(module) = front.get("module.mounts") else {
            return;
        };
        for item in module.node.items().iter().take(MOST_ENTRIES) {
            let (Some(source), Some(target)) = (text_of(item, "source"), text_of(item, "target"))
            else {
                continue;
            };
            let rest = target.trim_matches('/').strip_prefix("content");
            let Some(rest) = rest.filter(|rest| rest.is_empty() || rest.starts_with('/')) else {
                continue;
            };
            let language = language_of_mount(item).unwrap_or_default();
            let at = format!("{language}{rest}");
            self.mount(source, at.trim_matches('/'));
        }
    }

    /// The name of the language of the text at a path: by its suffix, else by the folder of its
    /// language.
    pub fn language_of<'p>(&'p self, path: &'p str) -> &'p str {
        let mounts = self.mounts.iter();
        let mounts = mounts.filter(|mount| path::is_at_or_below(path, &mount.folder));
        let mounted = mounts.filter_map(Mount::language);
        let mut named = inner_suffix(path).into_iter().chain(mounted);
        let default = self.default_language.as_deref().unwrap_or("en");
        named
            .find(|name| self.has_language(name))
            .unwrap_or(default)
    }

    /// Whether the name of a file may say that it is in a language with this name.
    pub fn has_language(&self, name: &str) -> bool {
        let mut locales = self.locales.iter();
        locales.any(|locale| locale.name.eq_ignore_ascii_case(name))
            || self.writing.default_in_names && self.is_default(name)
    }

    /// Whether a name in paths is that of the default language.
    pub fn is_default(&self, name: &str) -> bool {
        let default = self.default_language.as_deref();
        default.is_some_and(|default| default.eq_ignore_ascii_case(name))
    }

    /// Adds a folder of texts whose place begins with a language.
    fn mount(&mut self, folder: &str, within: &str) {
        let folder = folder.trim_start_matches("./").trim_matches('/');
        if folder.is_empty() || folder.split('/').any(|part| matches!(part, "." | "..")) {
            return;
        }
        let (first, rest) = within.split_once('/').unwrap_or((within, ""));
        let has_no_folder = self.is_default(first) && !self.default_in_subdir;
        self.mounts.push(Mount {
            folder: folder.to_owned(),
            at: if has_no_folder { rest } else { within }.to_owned(),
            within: Some(within.to_owned()),
            ..Mount::default()
        });
    }
}

/// The language of a mount of Hugo: its `lang`, or the only one of `sites.matrix.languages`.
fn language_of_mount(mount: &Node) -> Option<&str> {
    let languages = mount.get("sites.matrix.languages");
    let only = languages.and_then(|entry| match entry.node.items() {
        [only] => only.text(),
        _ => None,
    });
    text_of(mount, "lang").or(only)
}

/// The part of a tag that names the language alone.
fn primary(tag: &str) -> &str {
    tag.split('-').next().unwrap_or(tag)
}

/// A language by its name in paths and the tag that the configuration gives it.
fn locale(name: &str, tag: Option<&str>) -> Option<Locale> {
    let tag = tag
        .and_then(language::tag)
        .or_else(|| language::in_name(name))?;
    Some(Locale {
        name: if name == "root" { "" } else { name }.to_owned(),
        tag,
    })
}

type Found = Vec<(Locale, Option<String>)>;

/// A language of which the configuration gives the name alone.
fn by_name(name: &str) -> Option<(Locale, Option<String>)> {
    Some((locale(name, None)?, None))
}

/// The name of a language in a list: a text, or the `locale` of a map.
fn name_in_list(item: &Node) -> Option<&str> {
    item.text().or_else(|| text_of(item, "locale"))
}

/// `languages: {de: {languageCode: de-AT, contentDir: text/de}}`, `locales: [en, de]`.
fn in_map_or_list(front: &Front) -> Found {
    const KEYS: [&str; 3] = ["languages", "i18n.locales", "locales"];
    const TAGS: [&str; 4] = ["locale", "languageCode", "lang", "code"];
    let Some(entry) = KEYS.into_iter().find_map(|key| front.get(key)) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    match &entry.node.value {
        Value::Map(entries) => {
            for Entry { key, node } in entries {
                let is_disabled = node.get("disabled").and_then(|entry| entry.node.bool());
                if is_disabled == Some(true) {
                    continue;
                }
                let tag = TAGS.into_iter().find_map(|tag| text_of(node, tag));
                let folder = text_of(node, "contentDir").map(str::to_owned);
                found.extend(locale(&key.text, tag).map(|locale| (locale, folder)));
            }
        }
        Value::List(items) => {
            for item in items {
                found.extend(name_in_list(item).and_then(by_name));
            }
        }
        Value::Scalar { .. } => {}
    }
    found
}

/// `locales: { root: { label: 'English', lang: 'en' }, de: { lang: 'de-AT' } }` in a program, also
/// when a constant holds them.
fn in_program(front: &Front) -> Found {
    let mut found: Found = Vec::new();
    for entry in &front.entries {
        let Some((path, "lang" | "label")) = entry.key.text.rsplit_once('.') else {
            continue;
        };
        let (above, name) = path.rsplit_once('.').unwrap_or(("", path));
        if !is_of_language(above, name) {
            continue;
        }
        let name = name.trim_matches('/');
        let tag = front.text(&[&format!("{path}.lang")]);
        if found.iter().all(|(known, _)| known.name != name) {
            found.extend(locale(name, tag).map(|locale| (locale, None)));
        }
    }
    found
}

/// Whether a name in a program is that of a language.
fn is_of_language(above: &str, name: &str) -> bool {
    let is_constant = above.is_empty() && (name == "root" || language::in_name(name).is_some());
    is_constant || above == "locales" || above.ends_with(".locales")
}

/// `plugins: [{i18n: {languages: [{locale: de}]}}]` of MkDocs.
fn in_plugin(front: &Front) -> Found {
    let mut found = Vec::new();
    for plugin in plugins(front).into_iter().take(MOST_ENTRIES) {
        let Some(i18n) = plugin.get("i18n") else {
            continue;
        };
        let Some(languages) = i18n.node.get("languages") else {
            continue;
        };
        if let Some(entries) = entries(Some(languages)) {
            let names = entries.iter().map(|entry| entry.key.text.as_str());
            found.extend(names.filter_map(by_name));
        }
        let built = languages.node.items().iter();
        let built = built.filter(|language| is_built(&i18n.node, language));
        let names = built.filter_map(name_in_list);
        found.extend(names.filter_map(by_name));
    }
    found
}

/// Whether the plug-in builds a language: `build: false`, `build_only_locale: en`.
pub fn is_built(i18n: &Node, language: &Node) -> bool {
    let build = language.get("build").and_then(|entry| entry.node.bool());
    match text_of(i18n, "build_only_locale") {
        Some(only) => text_of(language, "locale") == Some(only),
        None => build != Some(false),
    }
}
