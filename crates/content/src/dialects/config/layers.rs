//! A configuration in several files: each is one layer, and later layers override earlier ones,
//! key by key.

use super::exclusions::UNREAD;
use super::{Config, Keys, LARGEST, comments, formulas, script};
use crate::dialects::evidence::Evidence;
use crate::model::path;
use crate::model::problem::{Cause, Problem, Severity};
use crate::model::sources::SourceFile;
use crate::model::text::decode;
use crate::syntax::front::{self, Entry, Front, Node, Syntax, Value};

/// How deep maps are merged.
const DEPTH: usize = 16;
/// The maximum number of files of one configuration.
const MOST: usize = 100;

/// One configuration file, and the key below which its values belong.
struct Layer<'a> {
    file: &'a SourceFile,
    below: Vec<String>,
}

impl<'a> Layer<'a> {
    /// A file whose values belong where they are.
    fn at_root(file: &'a SourceFile) -> Self {
        let below = Vec::new();
        Self { file, below }
    }
}

impl Config {
    /// The values of a folder's configuration, all layers merged. Notes their files and problems.
    pub(super) fn merged(&mut self, evidence: &Evidence<'_>, keys: &Keys) -> Front {
        let mut merged = Front::default();
        let layers = layers(evidence, keys);
        self.file = name(&layers, keys);
        for Layer { file, below } in layers {
            let (front, math, problems) = read(file);
            match front.entries.is_empty() {
                true => self.unread_files(problems),
                false => self.problems.extend(problems),
            }
            self.math |= math;
            let entries = placed(below, without(keys.within, file, front.entries));
            for entry in &entries {
                self.places
                    .push((entry.key.text.to_lowercase(), file.path.to_string()));
            }
            merge(&mut merged.entries, entries, DEPTH);
        }
        merged
    }

    /// Reports why nothing was read of a file. What it excludes is unknown, so nothing is published.
    fn unread_files(&mut self, problems: Vec<Problem>) {
        for mut problem in problems {
            problem.severity = Severity::Error;
            problem
                .message
                .push_str(", so nothing of the site is published");
            self.withhold_for(problem, UNREAD);
        }
    }

    /// The file that has the last word about a key of the configuration.
    pub fn file_of(&self, key: &str) -> &str {
        let top = key.split('.').next().unwrap_or(key).to_lowercase();
        let mut places = self.places.iter().rev();
        places
            .find(|(known, _)| *known == top)
            .map_or(&self.file, |(_, file)| file)
    }
}

/// The entries of a file at their place below keys.
fn placed(mut below: Vec<String>, mut entries: Vec<Entry>) -> Vec<Entry> {
    // A file may repeat the key of which it has the value, as lists in TOML have to.
    let repeats =
        |key: &String| matches!(&entries[..], [one] if one.key.text.eq_ignore_ascii_case(key));
    if below.last().is_some_and(repeats) {
        below.pop();
    }
    for key in below.iter().rev() {
        entries = vec![nested(key, entries)];
    }
    entries
}

/// The entries of a file, or those of the table in which it has its values.
fn without(within: Option<(&str, &str)>, file: &SourceFile, entries: Vec<Entry>) -> Vec<Entry> {
    let table = within.filter(|(name, _)| *name == path::name(&file.path));
    let at = table.and_then(|(_, key)| entries.iter().position(|entry| entry.key.text == key));
    let inner = at.and_then(|at| match &entries[at].node.value {
        Value::Map(inner) => Some(inner.clone()),
        Value::List(_) | Value::Scalar { .. } => None,
    });
    inner.unwrap_or(entries)
}

/// The files of a configuration, the weakest first.
fn layers<'a>(evidence: &Evidence<'a>, keys: &Keys) -> Vec<Layer<'a>> {
    let mut layers: Vec<Layer<'a>> = keys
        .weaker
        .iter()
        .filter_map(|name| existing(evidence, name))
        .map(Layer::at_root)
        .collect();
    layers.reverse();
    let first = first_existing(evidence, keys.files);
    let mut chain = first.map_or_else(Vec::new, |first| chain(evidence, first, keys.inherit));
    chain.reverse();
    layers.extend(chain.into_iter().map(Layer::at_root));
    for folder in keys.folders {
        let files = evidence.below(folder).filter_map(|file| {
            Some(Layer {
                file,
                below: (keys.below)(path::below(&file.path, folder)?)?,
            })
        });
        layers.extend(files.take(MOST));
    }
    layers
}

/// A file and those that it names at a key as those on which it builds, the strongest first.
pub fn chain<'a>(
    evidence: &Evidence<'a>,
    first: &'a SourceFile,
    key: Option<&str>,
) -> Vec<&'a SourceFile> {
    const LONGEST: usize = 20;
    let mut chain = vec![first];
    let mut at = 0;
    while let (Some(file), Some(key)) = (chain.get(at).copied(), key) {
        at += 1;
        let (front, ..) = read(file);
        let folder = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let named = front.texts(key);
        let paths = named.filter_map(|named| path::join(folder, named));
        for next in paths.filter_map(|path| evidence.file(&path)) {
            if chain.len() < LONGEST && chain.iter().all(|known| known.path != next.path) {
                chain.push(next);
            }
        }
    }
    chain
}

/// The first of the files with these names that exists.
pub fn first_existing<'a>(evidence: &Evidence<'a>, names: &[&str]) -> Option<&'a SourceFile> {
    names.iter().find_map(|name| existing(evidence, name))
}

/// The file with this name; a closing `*` matches any ending, an opening `*/` any folder, both a
/// folder with texts outside, `/*/` in it folders of languages, `.*.` names of languages.
fn existing<'a>(evidence: &Evidence<'a>, name: &str) -> Option<&'a SourceFile> {
    match (name.strip_suffix('*'), name.strip_prefix("*/")) {
        (Some(_), Some(_)) => evidence.beside(name),
        (Some(prefix), _) => evidence.beginning(prefix),
        (_, Some(name)) => evidence.one_folder_down(name),
        _ if name.contains("/*/") => evidence
            .of_languages(name)
            .or_else(|| evidence.first_of_folders(name)),
        _ if name.contains(".*.") => Some(evidence.in_languages(name).first()?.1),
        _ => evidence.file(name),
    }
}

/// What a report calls the configuration: its only or strongest file, or the folder of its files.
fn name(layers: &[Layer<'_>], keys: &Keys) -> String {
    let in_root = layers.iter().rfind(|layer| {
        let mut folders = keys.folders.iter();
        !folders.any(|folder| layer.file.path.starts_with(folder))
    });
    match (in_root, layers) {
        (Some(layer), _) => layer.file.path.to_string(),
        (None, [only]) => only.file.path.to_string(),
        (None, [first, ..]) => match first.file.path.split_once('/') {
            Some((folder, _)) => format!("{folder}/"),
            None => first.file.path.to_string(),
        },
        (None, []) => String::new(),
    }
}

/// The values of one file, and whether they enable formulas.
pub fn read(file: &SourceFile) -> (Front, bool, Vec<Problem>) {
    let path = &*file.path;
    if file.bytes.len() > LARGEST {
        let problem = Problem::warning("the configuration is larger than 1 MB and is not read")
            .at(path, 0, 0)
            .cause(Cause::Configuration);
        return (Front::default(), false, vec![problem]);
    }
    let (text, mut problems) = decode(&file.bytes, path);
    let (front, more) = match path.rsplit_once('.') {
        Some((_, "toml")) => front::read(&text, path, Syntax::Toml),
        Some((_, "json")) => front::read(&comments::blanked(&text), path, Syntax::Json),
        Some((_, "yml" | "yaml")) => front::read(&text, path, Syntax::Yaml),
        Some((_, "html")) => (script::read(&scripts(&text)), Vec::new()),
        _ => (script::read(&text), Vec::new()),
    };
    problems.extend(more);
    for problem in &mut problems {
        problem.message = problem.message.replace("front matter", "configuration");
        problem.severity = Severity::Warning;
        problem.cause = Cause::Configuration;
    }
    (front, formulas::are_set_up(&text), problems)
}

/// The scripts of a page. The rest has attributes, which are not keys.
fn scripts(page: &str) -> String {
    let mut scripts = String::new();
    for rest in page.split("<script").skip(1) {
        let inner = rest.split_once('>').map_or("", |(_, inner)| inner);
        scripts.push_str(inner.split("</script").next().unwrap_or_default());
        scripts.push('\n');
    }
    scripts
}

/// A map of these entries under one key.
pub(super) fn nested(key: &str, entries: Vec<Entry>) -> Entry {
    let (line, column) = entries
        .first()
        .map_or((0, 0), |entry| (entry.key.line, entry.key.column));
    let node = Node {
        value: Value::Map(entries),
        line,
        column,
    };
    Entry::new(key, node)
}

/// Lays entries over others: maps are merged, anything else is replaced. Keys have no case.
fn merge(under: &mut Vec<Entry>, over: Vec<Entry>, depth: usize) {
    if under.is_empty() {
        *under = over;
        return;
    }
    for entry in over {
        let known = under
            .iter_mut()
            .find(|known| known.key.text.eq_ignore_ascii_case(&entry.key.text));
        match known {
            None => under.push(entry),
            Some(known) => match (&mut known.node.value, entry.node.value) {
                (Value::Map(inner), Value::Map(more)) if depth > 0 => merge(inner, more, depth - 1),
                (_, value) => {
                    known.node = Node {
                        value,
                        ..entry.node
                    };
                }
            },
        }
    }
}
