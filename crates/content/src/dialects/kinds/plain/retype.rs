//! What Retype says of texts: in its configuration, and in files beside them. `a.yml` is for `a.md`, and
//! `index.yml` for its folder. So is the front matter of the first text of a folder.

use std::collections::BTreeSet;

use crate::dialects::config::{
    Config, DateKey, Defaults, Features, Permalink, Spelling, read, without_places,
};
use crate::dialects::evidence::Evidence;
use crate::dialects::pattern::{Pattern, Style};
use crate::dialects::template_names::{TemplateLanguage, TemplateNames};
use crate::model::format::is_markdown;
use crate::model::path::{below, folder, inside_or_folder, split_name};
use crate::model::problem::{Cause, Problem};
use crate::model::sources::SourceFile;
use crate::model::text::decode;
use crate::syntax::front::{Entry, Front, split};

/// The key that says who may read a text.
const VISIBILITY: &str = "visibility";
/// The names of first texts of a folder, in lower case.
const FIRST: [&str; 3] = ["index", "readme", "default"];
/// How front matter begins. The file beside such a text does not count.
const FENCE: &str = "---";
/// The maximum number of files with other values that are read.
const MOST_OTHERS: usize = 500;

/// Front matter of a text that shows its templates.
pub const OFF: &[(&str, &str)] = &[(TEMPLATING, "false")];
/// The key that says whether templates run.
const TEMPLATING: &str = "templating";

/// What templates are given beside the data of the site.
static NAMES: TemplateNames = TemplateNames {
    of_site: &[],
    objects: &[
        "array", "blank", "content", "date", "empty", "for", "html", "math", "nonce", "object",
        "page", "project", "regex", "string", "tablerow", "this", "timespan",
    ],
    of_page: None,
    language: TemplateLanguage::Liquid,
};

/// Reads what the configuration says of texts, and the files beside them.
pub fn settle(evidence: &Evidence<'_>, config: &mut Config, front: &Front, content: &str) {
    config.features = Features {
        percent_comments: true,
        scriban: true,
        panels: true,
        ..Features::default()
    };
    config.template_names = Some(&NAMES);
    let key = format!("{TEMPLATING}.enabled");
    config.markdown_shows_tags = front.bool(&[&key]) == Some(false);
    if let Some(data) = front.get("data") {
        config.name_values("", data.node.entries());
    }
    config.name_values(".project", &front.entries);
    addresses(evidence, config, content);
    visibilities(evidence, config, content);
}

/// Addresses are in lower case, and `default.md` is an index. `route` is one that the author wrote.
fn addresses(evidence: &Evidence<'_>, config: &mut Config, content: &str) {
    const INDEX: &str = "default.md";
    config.spelling = Some(Spelling::Lower);
    config.permalinks.push(Permalink {
        scope: String::new(),
        pattern: "/:path/".to_owned(),
        below: false,
    });
    config.date_keys.push(DateKey {
        own: "route".to_owned(),
        usual: "permalink",
        counts_first: false,
    });
    for file in evidence.all() {
        let inner = match content {
            "" => Some(&*file.path),
            content => below(&file.path, content),
        };
        let Some(inner) = inner.filter(|inner| split_name(inner).1 == INDEX) else {
            continue;
        };
        let index = inside_or_folder(folder(inner), "index.md");
        let from = Pattern::from(inner, Style::Express);
        let to = from
            .as_ref()
            .and_then(|from| from.target(&index, Style::Express));
        if let (Some(from), Some(to)) = (from, to)
            && config.rewrites.len() < MOST_OTHERS
        {
            config.rewrites.push((from, to));
        }
    }
}

/// Reads the files beside the texts of a folder as front matter.
fn visibilities(evidence: &Evidence<'_>, config: &mut Config, content: &str) {
    let files = evidence.all().iter();
    let files: Vec<&SourceFile> = files
        .filter(|file| content.is_empty() || below(&file.path, content).is_some())
        .collect();
    let mut found = Found::default();
    for file in &files {
        found.first_text(file, content);
    }
    for file in &files {
        found.beside(evidence, file, content);
    }
    let Found {
        deciding,
        others,
        problems,
        ..
    } = found;
    config.problems.extend(problems);
    if config.is_too_long(VISIBILITY, deciding.len(), (0, 0)) {
        return;
    }
    config.add_defaults(deciding);
    config.add_defaults(others);
}

/// What the files of a site say of its texts.
#[derive(Default)]
struct Found {
    /// The folders whose first text has front matter: only that counts.
    with_front: BTreeSet<String>,
    /// Values with a visibility, and all others.
    deciding: Vec<Defaults>,
    others: Vec<Defaults>,
    problems: Vec<Problem>,
}

impl Found {
    /// The front matter of the first text of a folder, which is for the folder as well.
    fn first_text(&mut self, file: &SourceFile, content: &str) {
        let (folder, name) = split_name(&file.path);
        let (stem, _) = name.rsplit_once('.').unwrap_or((name, ""));
        if !is_markdown(&file.path) || !is_first(stem) || !begins_with_front(file) {
            return;
        }
        self.with_front.insert(folder.to_owned());
        if folder != content && memchr::memmem::find(&file.bytes, VISIBILITY.as_bytes()).is_some() {
            let (text, _) = decode(&file.bytes, &file.path);
            self.of_folder(folder, split(&text, &file.path).front.entries);
        }
    }

    /// A file with settings beside a text, or for its folder.
    fn beside(&mut self, evidence: &Evidence<'_>, file: &SourceFile, content: &str) {
        let Some((path, "yml" | "yaml")) = file.path.rsplit_once('.') else {
            return;
        };
        let (own, stem) = split_name(path);
        let text = evidence.file(&format!("{path}.md"));
        let is_of_folder = is_first(stem) && !self.with_front.contains(own);
        let is_of_text = text.is_some_and(|text| !begins_with_front(text));
        if !is_of_folder && !is_of_text {
            return;
        }
        let (front, _, problems) = read(file);
        let word = front.text(&[VISIBILITY]).unwrap_or_default();
        let is_word = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphabetic());
        let is_read = problems.is_empty() || is_word;
        let values = match is_read {
            true => front.entries,
            false => self.unread(file),
        };
        if is_of_folder && own != content {
            self.of_folder(own, values.clone());
        } else if is_of_folder && let Some(first) = first_of(evidence, own) {
            self.of_text(&first.path, values.clone());
        }
        if let Some(text) = text.filter(|_| is_of_text) {
            self.of_text(&text.path, values);
        }
    }

    /// What a file says that cannot be read, but that may withhold its texts.
    fn unread(&mut self, file: &SourceFile) -> Vec<Entry> {
        let text = decode(&file.bytes, &file.path).0.to_lowercase();
        if !text.contains(VISIBILITY) {
            return Vec::new();
        }
        let problem = Problem::error("the file is not valid YAML: its `visibility` is not read");
        let problem = problem.at(&*file.path, 0, 0).cause(Cause::Configuration);
        let hint = "write `visibility: hidden` or the like; the texts that it is for are withheld";
        self.problems.push(problem.hint(hint));
        vec![Entry::plain(VISIBILITY, "private", 0, 0)]
    }

    /// Only the visibility of a folder is that of its texts too.
    fn of_folder(&mut self, folder: &str, mut values: Vec<Entry>) {
        values.retain(|entry| entry.key.text == VISIBILITY);
        self.of_text(folder, values);
    }

    fn of_text(&mut self, path: &str, mut values: Vec<Entry>) {
        without_places(&mut values);
        let decides = values.iter().any(|entry| entry.key.text == VISIBILITY);
        let defaults = Defaults::merged(path, values);
        if decides {
            self.deciding.push(defaults);
        } else if self.others.len() < MOST_OTHERS {
            self.others.push(defaults);
        }
    }
}

/// Whether a text with this name is the first of its folder.
fn is_first(stem: &str) -> bool {
    FIRST.iter().any(|first| stem.eq_ignore_ascii_case(first))
}

/// The first text of a folder.
fn first_of<'a>(evidence: &Evidence<'a>, folder: &str) -> Option<&'a SourceFile> {
    const NAMES: [&str; 4] = ["index.md", "README.md", "readme.md", "default.md"];
    let paths = NAMES.iter().map(|name| inside_or_folder(folder, name));
    paths.into_iter().find_map(|path| evidence.file(&path))
}

/// Whether a text begins with front matter.
fn begins_with_front(file: &SourceFile) -> bool {
    let bytes = file
        .bytes
        .strip_prefix(b"\xEF\xBB\xBF")
        .unwrap_or(&file.bytes);
    bytes.trim_ascii_start().starts_with(FENCE.as_bytes())
}
