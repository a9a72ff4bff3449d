//! The plug-in `file-filter`, which selects texts by their paths, their tags and a file of patterns.

use super::{fits_paths, from_start};
use crate::dialects::config::{Config, Defaults, Glob, Needs, ignore_file, plugins, read};
use crate::dialects::evidence::Evidence;
use crate::model::path::{inside_or_folder, join};
use crate::model::problem::Problem;
use crate::syntax::front::{Entry, Front, Node, Value};

const NAME: &str = "file-filter";
/// Why all is withheld where a file of its is missing.
const MISSING: &str = "withheld, because a file of the plug-in `file-filter` is not read";

/// Its options, those of a file of its own before the others.
fn options(evidence: &Evidence<'_>, folder: &str, front: &Front) -> Option<Front> {
    let plugins = plugins(front);
    let node = plugins.iter().find_map(|plugin| plugin.get(NAME))?;
    let Value::Map(entries) = &node.node.value else {
        return None;
    };
    let mut options = Front {
        entries: entries.clone(),
        ..Front::default()
    };
    if let Some(own) = options.text(&["config"]) {
        let file = join(folder, own).and_then(|path| evidence.file(&path));
        let mut own = file.map(|file| read(file).0).unwrap_or_default();
        own.entries.append(&mut options.entries);
        options = own;
    }
    (options.bool(&["enabled"]) != Some(false)).then_some(options)
}

/// The file of patterns, if it counts.
fn ignoring(folder: &str, options: &Front) -> Option<String> {
    let is_on = options.bool(&["mkdocsignore"]) == Some(true);
    let name = options.text(&["mkdocsignore_file"]);
    is_on.then(|| inside_or_folder(folder, name.unwrap_or(".mkdocsignore")))
}

/// The patterns of its file, which count from the folder of the configuration.
pub fn ignored(evidence: &Evidence<'_>, folder: &str, front: &Front) -> Vec<Glob> {
    let options = options(evidence, folder, front);
    let path = options.and_then(|options| ignoring(folder, &options));
    let file = path.and_then(|path| evidence.file(&path));
    file.map(ignore_file::patterns).unwrap_or_default()
}

/// Reads its options.
pub fn settle(evidence: &Evidence<'_>, config: &mut Config, front: &Front) {
    let folder = config.folder().to_owned();
    let Some(options) = options(evidence, &folder, front) else {
        return;
    };
    let own = options.text(&["config"]);
    let own = own.map(|own| inside_or_folder(&folder, own));
    for path in own.into_iter().chain(ignoring(&folder, &options)) {
        let is_read = evidence.file(&path).is_some();
        if !is_read {
            missing(config, &path);
        }
    }
    let count = |key: &str| options.items(key).len();
    let keys = ["exclude_glob", "exclude_regex", "exclude_tag"];
    let count = keys.map(count).iter().sum();
    if config.is_too_long("plugins.file-filter", count, (0, 0)) {
        return;
    }
    paths(config, &options);
    for tag in options.texts("exclude_tag") {
        let key = options.text(&["metadata_property"]).unwrap_or("tags");
        let needs = Needs {
            keys: vec![key.to_owned()],
            value: Some(tag.to_owned()),
        };
        let unpublished = vec![Entry::plain("published", "false", 0, 0)];
        let defaults = Defaults::new(None, unpublished).with_needs(needs);
        config.add_defaults(vec![defaults]);
        config.say("plugins.file-filter.exclude_tag", tag);
    }
}

/// What it selects by paths. What is included has the last word.
fn paths(config: &mut Config, options: &Front) {
    let mut list = patterns(config, options, ("exclude_glob", "exclude_regex"));
    let included = patterns(config, options, ("include_glob", "include_regex"));
    list.extend(included.into_iter().map(Glob::negate));
    for node in options.items("include_tag") {
        note_unread(config, "include_tag", node.text().unwrap_or_default(), node);
    }
    config.ignored.insert(NAME, list);
}

/// The patterns of two keys, one of which is for regular expressions.
fn patterns(config: &mut Config, options: &Front, (glob, regex): (&str, &str)) -> Vec<Glob> {
    let mut found: Vec<Glob> = options.texts(glob).flat_map(fits_paths).collect();
    for node in options.items(regex) {
        let text = node.text().unwrap_or_default();
        let globs = from_start(text);
        if globs.is_empty() {
            note_unread(config, regex, text, node);
        }
        found.extend(globs);
    }
    found
}

fn note_unread(config: &mut Config, key: &str, text: &str, node: &Node) {
    let key = format!("plugins.file-filter.{key}");
    config.note_unread(&key, text, (node.line, node.column));
}

/// A file with what it leaves out that is not in the folder: nothing is published.
fn missing(config: &mut Config, path: &str) {
    let problem = Problem::error(format!(
        "the plug-in `{NAME}` names a file that is not read: `{path}`: nothing of the site is published"
    ));
    let hint = "that file may leave texts out: give it a name that does not begin with a dot";
    let problem = problem.at(&*config.file, 0, 0).hint(hint);
    config.withhold_for(problem, MISSING);
}
