//! READMEs in other languages: `README-de.md` and `README.zh-CN.md` have the role of the
//! `README.md` beside them: a text about the folder, or its index, in another language.

use super::names::OTHER_MEANINGS;
use super::{ABOUT, Area, Plan, Role};
use crate::library::{
    files,
    paths::{folder, inside, name, without_suffix},
};
use crate::model::{format::Format, language, sources::Sources};

/// What a README is called.
const README: &str = "README";

/// The language that the name of a README says: `zh-CN` of `README.zh-CN`.
pub fn language_of(stem: &str) -> Option<&str> {
    let (readme, rest) = stem.split_at_checked(README.len())?;
    let suffix = rest.strip_prefix(['-', '.', '_'])?;
    let is_language = readme.eq_ignore_ascii_case(README)
        && language::in_name(suffix).is_some()
        && !OTHER_MEANINGS.contains(&suffix.to_ascii_lowercase().as_str());
    is_language.then_some(suffix)
}

/// Gives READMEs in other languages the role of the one beside them.
pub fn choose(plan: &mut Plan, sources: &Sources) {
    for at in 0..sources.files.len() {
        let path = &*sources.files[at].path;
        let stem = without_suffix(name(path));
        let is_text = matches!(plan.roles[at], Role::Text { .. });
        if !is_text || language_of(stem).is_none() {
            continue;
        }
        let Some(beside) = readme_in(folder(path), sources) else {
            continue;
        };
        if plan.roles[beside] == Role::unlinked(ABOUT) {
            plan.roles[at] = Role::unlinked(ABOUT);
        } else if let Some(role) = plan.in_language(at, &plan.roles[beside], sources) {
            plan.roles[at] = role;
        }
    }
}

/// The README of a folder.
fn readme_in(folder: &str, sources: &Sources) -> Option<usize> {
    let is_readme = |path: &str| {
        self::folder(path) == folder
            && Format::from_path(path).is_some()
            && without_suffix(name(path)).eq_ignore_ascii_case(README)
    };
    let upper = files::beginning(sources, &inside(folder, README));
    let lower = files::beginning(sources, &inside(folder, "readme"));
    let mut found = upper.chain(lower);
    found
        .find(|(_, file)| is_readme(&file.path))
        .map(|(at, _)| at)
}

impl Plan {
    /// The role of a README that a text links to, if it is the index of its folder or, at the root,
    /// the text of the home page that has none.
    pub fn linked_text(&self, at: usize, sources: &Sources) -> Option<Role> {
        let path = &*sources.files.get(at)?.path;
        if path.contains('/') {
            return self.readme_as_index(at, sources);
        }
        let is_home = |role: &Role| matches!(role, Role::Text { area, .. } if *area == Area::Home);
        let is_readme = without_suffix(path).eq_ignore_ascii_case(README)
            && self.roles.get(at) == Some(&Role::unlinked(ABOUT));
        if !is_readme || self.kind.scope.is_restricted() || self.roles.iter().any(is_home) {
            return None;
        }
        Some(Role::Text {
            format: Format::from_path(path)?,
            area: Area::Home,
            rel: "index.md".into(),
        })
    }

    /// READMEs in other languages beside one that is the index of its folder.
    pub fn readmes_in_languages(
        &self,
        index: usize,
        role: &Role,
        sources: &Sources,
    ) -> Vec<(usize, Role)> {
        let folder = folder(&sources.files[index].path);
        let mut found = Vec::new();
        for (at, _) in files::beginning(sources, &inside(folder, "")) {
            if self.roles[at] == Role::unlinked(ABOUT) {
                found.extend(self.in_language(at, role, sources).map(|role| (at, role)));
            }
        }
        found
    }

    /// The role of a README in another language beside an index with this role.
    fn in_language(&self, at: usize, role: &Role, sources: &Sources) -> Option<Role> {
        let Role::Text { area, rel, .. } = role else {
            return None;
        };
        let path = &*sources.files[at].path;
        let language = language_of(without_suffix(name(path)))?;
        let area = match area {
            Area::Home => Area::Pages,
            Area::Articles | Area::Pages => *area,
            Area::NotFound => return None,
        };
        let rel = format!("{}.{language}.md", without_suffix(rel));
        Some(Role::Text {
            format: Format::from_path(path)?,
            area,
            rel: rel.into(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::language_of;

    #[test]
    fn only_codes_of_languages_are_languages_of_readmes() {
        for (stem, expected) in [
            ("README-de", Some("de")),
            ("README.zh-CN", Some("zh-CN")),
            ("readme_pt_BR", Some("pt_BR")),
            ("README-api", None),
            ("README-ts", None),
            ("README", None),
            ("READMEde", None),
            ("Überblick-de", None),
        ] {
            assert_eq!(language_of(stem), expected, "{stem}");
        }
    }
}
