//! Metalsmith: `metalsmith.json`, or a program with `Metalsmith(…).source('src').ignore('drafts')`.

use crate::dialects::config::{Config, Glob, Keys, MOST_EXCLUDED, UNKNOWN_FOLDER, read};
use crate::dialects::evidence::Evidence;
use crate::dialects::scope::{Project, Scope, folder_path};
use crate::model::problem::{Cause, Problem};

/// Its configuration, and the programs that may be in its place.
const CONFIG: &str = "metalsmith.json";
const PROGRAMS: [&str; 3] = ["metalsmith.js", "metalsmith.mjs", "metalsmith.cjs"];
/// The function that makes a site.
const MAKER: &str = "Metalsmith(";
/// The usual folder of the texts.
const SOURCE: &str = "src";

/// Keys with what describes the site.
const KEYS: Keys = Keys {
    title: &["metadata.site.title", "metadata.sitename", "metadata.title"],
    description: &["metadata.site.description", "metadata.description"],
    address: &["metadata.site.url", "metadata.siteurl"],
    ..Keys::NONE
};

/// What the configuration says.
struct Settings {
    file: &'static str,
    /// The folder of the texts; `None`: a program computes it, or it is outside.
    source: Option<String>,
    ignored: Vec<String>,
    /// Whether a program computes a part of what is ignored.
    is_open: bool,
}

/// Whether the folder belongs to Metalsmith.
pub fn is_one(evidence: &Evidence<'_>) -> bool {
    configuration(evidence).is_some()
}

fn configuration(evidence: &Evidence<'_>) -> Option<&'static str> {
    let program = || {
        PROGRAMS
            .into_iter()
            .find(|file| evidence.says(file, &[MAKER]))
    };
    match evidence.file(CONFIG) {
        Some(_) => Some(CONFIG),
        None => program(),
    }
}

fn settings(evidence: &Evidence<'_>) -> Option<Settings> {
    let file = configuration(evidence)?;
    if file != CONFIG {
        return Some(of_program(evidence, file));
    }
    let front = read(evidence.file(file)?).0;
    let named = front.text(&["source"]).unwrap_or(SOURCE);
    Some(Settings {
        file,
        source: folder_path(named),
        ignored: front.texts("ignore").map(str::to_owned).collect(),
        is_open: false,
    })
}

/// The literal arguments of its calls.
fn of_program(evidence: &Evidence<'_>, file: &'static str) -> Settings {
    let config = Config::default();
    let project = Project::open(evidence, &config, &[file]);
    let source = match &project.calls(".source")[..] {
        [] => Some(SOURCE.to_owned()),
        [.., last] => last.last().and_then(|folder| folder_path(folder)),
    };
    let ignored = project.calls(".ignore");
    Settings {
        file,
        source,
        is_open: ignored.iter().any(Vec::is_empty),
        ignored: ignored.into_iter().flatten().collect(),
    }
}

/// The folder of the texts, without what is ignored there.
pub fn scope(project: &Project<'_>) -> Scope {
    let Some(settings) = settings(project.evidence) else {
        return Scope::default();
    };
    let source = settings.source.unwrap_or_else(|| SOURCE.to_owned());
    let patterns = settings.ignored.iter().take(MOST_EXCLUDED);
    let excluded = patterns.filter_map(|pattern| Glob::parse_below(&source, pattern));
    Scope {
        excluded: excluded.collect(),
        by: settings.file.to_owned(),
        ..Scope::new(vec![source], &[])
    }
}

/// Reads what describes the site.
pub fn describe(evidence: &Evidence<'_>, config: &mut Config) {
    if let Some(file) = evidence.file(CONFIG) {
        config.read_program(CONFIG, &read(file).0, &KEYS);
    }
}

/// What is not read. If the folder of the texts is not known, nothing is published.
pub fn settle(evidence: &Evidence<'_>, config: &mut Config) {
    let Some(settings) = settings(evidence) else {
        return;
    };
    config.is_too_long("ignore", settings.ignored.len(), (0, 0));
    let not_read = |what: &str, hint: &str| {
        let problem = Problem::error(what).at(settings.file, 0, 0);
        problem.cause(Cause::Configuration).hint(hint)
    };
    if settings.is_open {
        let what = "`ignore` is not read whole: a program computes it";
        config
            .problems
            .push(not_read(what, "write its patterns as literals"));
    }
    if settings.source.is_none() {
        let what = "`source` is not read: it is computed, or outside the folder that is read";
        let hint = "write a folder of the site as a literal; nothing of the site is published";
        config.withhold_for(not_read(what, hint), UNKNOWN_FOLDER);
    }
}
