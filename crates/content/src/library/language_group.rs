//! Finds translations by the languages in paths: `de/legal.md`, `legal.de.md`.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    classify::{Area, Role},
    fields,
    parse::Parsed,
    paths::without_suffix,
};
use crate::model::language;

/// A path without its language, equal for translations of each other, and that language.
#[derive(Clone, Copy, Hash)]
pub struct LanguagePath<'p> {
    pub group: &'p str,
    /// The folder or suffix that names a language.
    pub name: Option<&'p str>,
}

impl<'p> LanguagePath<'p> {
    /// Splits a path, before it is known whether a folder called `de` is a language.
    fn of(path: &'p str) -> Self {
        let bare = without_suffix(path);
        if let Some((first, rest)) = bare.split_once('/')
            && language::in_name(first).is_some()
        {
            return Self {
                group: rest,
                name: Some(first),
            };
        }
        if let Some((rest, last)) = bare.rsplit_once('.')
            && language::in_name(last).is_some()
        {
            return Self {
                group: rest,
                name: Some(last),
            };
        }
        Self {
            group: bare,
            name: None,
        }
    }

    /// The tag of its language.
    pub fn language(&self) -> Option<String> {
        language::in_name(self.name?)
    }
}

/// The evidence that names in paths are languages.
#[derive(Default)]
pub struct LanguageGroups {
    /// How many texts each group has.
    sizes: FxHashMap<String, usize>,
    /// Names that the configuration or a file below them declares as a language.
    proven: FxHashSet<String>,
}

impl LanguageGroups {
    /// Scans the paths of all texts. `parsed` has one element for each file.
    pub fn of(roles: &[Role], parsed: &[Option<Arc<Parsed>>], configured: &[String]) -> Self {
        let mut groups = Self {
            proven: configured.iter().cloned().collect(),
            ..Self::default()
        };
        for (role, parsed) in roles.iter().zip(parsed) {
            let Role::Text {
                area: Area::Articles | Area::Pages,
                rel,
                ..
            } = role
            else {
                continue;
            };
            let Some(parsed) = parsed else { continue };
            let path = LanguagePath::of(rel);
            *groups.sizes.entry(path.group.to_owned()).or_default() += 1;
            let Some(name) = path.name else { continue };
            if fields::language(&parsed.front) == path.language() {
                groups.proven.insert(name.to_owned());
            }
        }
        groups
    }

    /// The language in a file's path, if the folder proves it: a file inside declares it, or the
    /// same path exists elsewhere.
    pub fn divide<'p>(&self, path: &'p str) -> LanguagePath<'p> {
        let divided = LanguagePath::of(path);
        match divided.name {
            Some(name) if !self.is_proven(name, divided.group) => LanguagePath {
                group: without_suffix(path),
                name: None,
            },
            _ => divided,
        }
    }

    fn is_proven(&self, name: &str, group: &str) -> bool {
        self.proven.contains(name) || self.sizes.get(group).is_some_and(|size| *size > 1)
    }
}
