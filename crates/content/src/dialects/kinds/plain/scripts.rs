//! Generators whose configuration is a program in JavaScript or Ruby: Lume, Bridgetown.

use crate::dialects::config::{Config, MOST_EXCLUDED, Patterns, read};
use crate::dialects::evidence::Evidence;
use crate::dialects::scope::{Project, Scope, folder_path};
use crate::dialects::script::{List, Scripts};
use crate::model::path::inside_or_folder;

/// The data of a folder in Lume, which gives front matter.
const LUME_DATA: [&str; 3] = ["_data.yml", "_data.yaml", "_data.json"];
/// The configuration of Bridgetown, and its folder of texts.
const BRIDGETOWN: [&str; 3] = [
    "bridgetown.config.yml",
    "config/bridgetown.rb",
    "config/initializers.rb",
];
const BRIDGETOWN_ROOT: &str = "src";

/// One of these generators, with the path of its configuration.
enum Generator {
    Lume(String),
    Bridgetown(&'static str),
}

impl Generator {
    fn detect(evidence: &Evidence<'_>) -> Option<Self> {
        let named = |prefix: &str| Some(evidence.beginning(prefix)?.path.to_string());
        if evidence.says("_config.ts", &["lume"]) || evidence.says("_config.js", &["lume"]) {
            return Some(Self::Lume(named("_config.ts").or(named("_config.js"))?));
        }
        let file = BRIDGETOWN
            .into_iter()
            .find(|path| evidence.file(path).is_some());
        file.filter(|_| evidence.folder(BRIDGETOWN_ROOT))
            .map(Self::Bridgetown)
    }
}

/// Whether the folder belongs to one of them.
pub fn is_one(evidence: &Evidence<'_>) -> bool {
    Generator::detect(evidence).is_some()
}

/// The folder of the texts, without what the configuration leaves out.
pub fn scope(project: &Project<'_>) -> Scope {
    let evidence = project.evidence;
    let Some(generator) = Generator::detect(evidence) else {
        return Scope::default();
    };
    let (content, by) = match &generator {
        Generator::Lume(file) => {
            let source = Scripts::new(evidence).lists(file, "src");
            let source = source.all().find_map(folder_path);
            (source.unwrap_or_default(), file.as_str())
        }
        Generator::Bridgetown(file) => (BRIDGETOWN_ROOT.to_owned(), *file),
    };
    let mut scope = Scope::new(vec![content.clone()], &[]);
    let left_out = match &generator {
        Generator::Lume(file) => ignored(evidence, file),
        Generator::Bridgetown(_) => List::default(),
    };
    for pattern in left_out.all().take(MOST_EXCLUDED) {
        let pattern = pattern.trim_start_matches("./").trim_matches('/');
        let pattern = inside_or_folder(&content, pattern);
        scope.excluded.extend(Patterns::Rooted.read(&pattern));
    }
    scope.by = by.to_owned();
    scope
}

/// `site.ignore("drafts", "todo.md")` of Lume.
fn ignored(evidence: &Evidence<'_>, file: &str) -> List {
    let config = Config::default();
    let project = Project::open(evidence, &config, &[file]);
    let calls = project.calls(".ignore");
    List::new(calls.into_iter().flatten().collect())
}

/// Front matter for the texts of folders.
pub fn settle(evidence: &Evidence<'_>, config: &mut Config) {
    match Generator::detect(evidence) {
        Some(Generator::Lume(_)) => config.folder_metadata(evidence, &LUME_DATA),
        Some(Generator::Bridgetown(file)) => {
            let file = evidence.file(file);
            if let Some(file) = file.filter(|file| file.path.ends_with(".yml")) {
                config.collections(&read(file).0);
                for permalink in &mut config.permalinks {
                    // The ending of the output, which addresses of pages leave out.
                    let pattern = permalink.pattern.trim_end_matches(".*");
                    permalink.pattern = pattern.to_owned();
                }
            }
        }
        None => {}
    }
}
