//! Generators whose configuration is a program in JavaScript or Ruby: Lume, VuePress, Nuxt Content,
//! Bridgetown.

use crate::dialects::config::{Config, MOST_EXCLUDED, Patterns, Selection, read};
use crate::dialects::evidence::Evidence;
use crate::dialects::scope::{Copied, Project, Scope, folder_path};
use crate::dialects::script::{List, Scripts};
use crate::model::path::{folder, inside_or_folder};

/// The data of a folder in Lume, which gives front matter.
const LUME_DATA: [&str; 3] = ["_data.yml", "_data.yaml", "_data.json"];
/// The folder of VuePress with its configuration.
const VUEPRESS: &str = ".vuepress/config.";
/// Where that folder may be.
const VUEPRESS_ROOTS: [&str; 4] = ["", "docs", "src", "doc"];
/// The configuration of the collections of Nuxt Content.
const NUXT: &str = "content.config.";
/// Its folder of texts, and the modules that publish it.
const NUXT_ROOT: &str = "content";
const MODULES_OF_NUXT: [&str; 2] = ["@nuxt/content", "docus"];
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
    VuePress(String),
    Nuxt(String),
    Bridgetown(&'static str),
}

impl Generator {
    fn detect(evidence: &Evidence<'_>) -> Option<Self> {
        let named = |prefix: &str| Some(evidence.beginning(prefix)?.path.to_string());
        if evidence.says("_config.ts", &["lume"]) || evidence.says("_config.js", &["lume"]) {
            return Some(Self::Lume(named("_config.ts").or(named("_config.js"))?));
        }
        let mut roots = VUEPRESS_ROOTS.iter();
        if let Some(file) = roots.find_map(|root| named(&inside_or_folder(root, VUEPRESS))) {
            return Some(Self::VuePress(file));
        }
        if let Some(nuxt) = named("nuxt.config.") {
            // Its second version has no file of collections.
            let is_second = evidence.folder(NUXT_ROOT) && evidence.says(&nuxt, &MODULES_OF_NUXT);
            return Some(Self::Nuxt(named(NUXT).or(is_second.then_some(nuxt))?));
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
        Generator::VuePress(file) => (folder(folder(file)).to_owned(), file.as_str()),
        Generator::Nuxt(file) => (NUXT_ROOT.to_owned(), file.as_str()),
        Generator::Bridgetown(file) => (BRIDGETOWN_ROOT.to_owned(), *file),
    };
    let mut scope = Scope::new(vec![content.clone()], &[]);
    if let Generator::VuePress(file) = &generator {
        let public = inside_or_folder(folder(file), "public");
        scope.copied.push(Copied::at_root(&public));
    }
    let left_out = match &generator {
        Generator::Lume(file) => ignored(evidence, file),
        Generator::Nuxt(file) if !file.starts_with(NUXT) => beginnings(evidence, file),
        Generator::Nuxt(file) if is_one_collection(evidence, file) => {
            Scripts::new(evidence).lists(file, "exclude")
        }
        Generator::Nuxt(_) => List::default(),
        Generator::VuePress(_) | Generator::Bridgetown(_) => List::default(),
    };
    for pattern in left_out.all().take(MOST_EXCLUDED) {
        let pattern = pattern.trim_start_matches("./").trim_matches('/');
        let pattern = inside_or_folder(&content, pattern);
        scope.excluded.extend(Patterns::Rooted.read(&pattern));
    }
    scope.by = by.to_owned();
    scope
}

/// `ignores` of Nuxt Content 2: how the names of files and folders begin that are left out. `-` always
/// is one.
fn beginnings(evidence: &Evidence<'_>, file: &str) -> List {
    let named = Scripts::new(evidence).lists(file, "ignores");
    let is_plain = |text: &&str| !text.contains(['\\', '^', '$', '(', '[', '*', '+', '?', '|']);
    let beginnings = ["-"].into_iter().chain(named.all().filter(is_plain));
    let patterns = beginnings.map(|beginning| format!("**/{}*", beginning.trim_matches('/')));
    List::new(patterns.collect())
}

/// Whether a configuration of Nuxt Content has one collection. What one of several leaves out, another
/// may have.
fn is_one_collection(evidence: &Evidence<'_>, file: &str) -> bool {
    let file = evidence.beginning(file);
    file.is_some_and(|file| memchr::memmem::find_iter(&file.bytes, "defineCollection(").count() < 2)
}

/// `site.ignore("drafts", "todo.md")` of Lume.
fn ignored(evidence: &Evidence<'_>, file: &str) -> List {
    let config = Config::default();
    let project = Project::open(evidence, &config, &[file]);
    let calls = project.calls(".ignore");
    List::new(calls.into_iter().flatten().collect())
}

/// Front matter for the texts of folders, and the patterns of the texts.
pub fn settle(evidence: &Evidence<'_>, config: &mut Config) {
    match Generator::detect(evidence) {
        Some(Generator::Lume(_)) => config.folder_metadata(evidence, &LUME_DATA),
        Some(Generator::VuePress(file)) => {
            config.readme_is_index = true;
            patterns(evidence, config, &file);
        }
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
        Some(Generator::Nuxt(_)) | None => {}
    }
}

/// `pagePatterns` of VuePress 2, `patterns` of VuePress 1: those with a `!` leave out.
fn patterns(evidence: &Evidence<'_>, config: &mut Config, file: &str) {
    let mut list = List::default();
    for key in ["pagePatterns", "patterns"] {
        let own = Scripts::new(evidence).lists(file, key);
        let hint = "write all its patterns as literals; what the program may name is withheld";
        config.problems.extend(own.problem(key, hint));
        list.add(own);
    }
    let count = list.all().count();
    if count == 0 || config.is_too_long("pagePatterns", count, (0, 0)) {
        return;
    }
    let content = folder(folder(file));
    let possible = list.possible.iter().map(String::as_str);
    let left_out = possible.filter(|pattern| pattern.starts_with('!'));
    let certain = list.certain.iter().map(String::as_str);
    // A program that chooses between lists has no certain pattern: all texts, without what it may
    // leave out.
    let is_certain = list.certain.iter().any(|pattern| !pattern.starts_with('!'));
    let certain = certain.chain((!is_certain).then_some("**/*.md"));
    config.selections.push(Selection {
        reason: Some(format!("not among the files that `{file}` lists")),
        ..Selection::of_markdown(content, certain, left_out)
    });
}
