//! The settings of Pelican, `pelicanconf.py`: a program, of which literals are read. Its texts are
//! those of a plain folder.

mod addresses;
mod metadata;
mod texts;

use self::texts::{PATH, Texts};
use super::python::Settings;
use crate::dialects::config::{Config, Glob, Keys, MOST_EXCLUDED, UNKNOWN_FOLDER};
use crate::dialects::evidence::Evidence;
use crate::dialects::scope::{Project, Scope};
use crate::model::problem::Problem;

/// The settings of the author's machine, and those of the public site, which have priority.
const FILES: [&str; 2] = ["publishconf.py", "pelicanconf.py"];
/// The lists of what is left out.
const LISTS: [&str; 3] = ["ARTICLE_EXCLUDES", "PAGE_EXCLUDES", "IGNORE_FILES"];

/// The names of what every site has.
pub const KEYS: Keys = Keys {
    title: &["SITENAME"],
    description: &["SITESUBTITLE"],
    author: &["AUTHOR"],
    language: &["DEFAULT_LANG"],
    address: &["SITEURL"],
    zone: &["TIMEZONE"],
    ..Keys::NONE
};

/// Whether the folder belongs to Pelican.
pub fn is_one(evidence: &Evidence<'_>) -> bool {
    evidence.file(FILES[1]).is_some()
}

pub fn settings(evidence: &Evidence<'_>) -> Option<Settings> {
    is_one(evidence).then(|| Settings::read(evidence, &FILES))
}

/// Reads what the settings say of texts.
pub fn settle(evidence: &Evidence<'_>, config: &mut Config) {
    let Some(settings) = settings(evidence) else {
        return;
    };
    for name in LISTS {
        let count = settings.excluded(name).len();
        config.is_too_long(name, count, (0, 0));
        config.problems.extend(settings.problem(name));
    }
    let texts = Texts::read(&settings);
    if !texts.is_known {
        unknown_folder(&settings, config);
    }
    metadata::settle(&settings, &texts, config);
    addresses::settle(&settings, &texts, config);
}

/// Publishes nothing, since the folder of the texts is not known.
fn unknown_folder(settings: &Settings, config: &mut Config) {
    let message = format!("`{PATH}` is computed by a program, or outside the folder that is read");
    let (_, file) = settings.value(PATH).unwrap_or(("", FILES[1]));
    let problem = Problem::error(message).at(file, 0, 0);
    let hint = "write a folder of the site as a literal; nothing of the site is published";
    config.withhold_for(problem.hint(hint), UNKNOWN_FOLDER);
}

/// The folders of the texts and files, without what the settings leave out.
pub fn scope(project: &Project<'_>) -> Scope {
    let Some(settings) = settings(project.evidence) else {
        return Scope::default();
    };
    let texts = Texts::read(&settings);
    let mut scope = Scope {
        excluded_texts: texts.left_out(),
        shows_files: true,
        any_name: true,
        copies_no_texts: true,
        copied: texts.copied(&settings),
        shown: texts.shown(),
        ..Scope::new(texts.folders(), &[])
    };
    let ignored = settings.excluded("IGNORE_FILES");
    let ignored = ignored.iter().filter_map(|pattern| Glob::parse(pattern));
    scope.excluded = ignored.take(MOST_EXCLUDED).collect();
    scope.by = FILES[1].to_owned();
    scope
}
