//! VuePress: the folder around `.vuepress/`, or the one that its command names.

use super::passwords;
use crate::dialects::config::{Config, Features, Permalink, Selection, read};
use crate::dialects::evidence::Evidence;
use crate::dialects::scope::{Copied, Project, Scope, folder_path};
use crate::dialects::script::{List, Scripts, is_computed};
use crate::dialects::tags::{Call, Piece};
use crate::model::path::inside_or_folder;
use crate::syntax::front::{Entry, Node};

/// Its folder among the texts, and the beginning of its configuration in it.
const FOLDER: &str = ".vuepress";
const CONFIG: &str = ".vuepress/config.";
/// The beginning of its configuration beside the folder of the texts.
const OUTER_CONFIG: &str = "vuepress.config.";
/// Where the texts may be, and where they usually are.
const ROOTS: [&str; 4] = ["", "docs", "src", "doc"];
const USUAL: &str = "docs";
/// What names the folder of the texts in the scripts of a project.
const PACKAGE: &str = "package.json";
const COMMANDS: [&str; 3] = ["build", "dev", "serve"];
/// The maximum number of scripts that are looked through.
const MOST_SCRIPTS: usize = 50;

/// A site, with the path of its configuration or of what shows it.
struct Site {
    file: String,
    content: String,
}

impl Site {
    fn find(evidence: &Evidence<'_>) -> Option<Self> {
        let named = named(evidence);
        let usual = ROOTS.iter().map(|root| (*root).to_owned());
        let roots: Vec<String> = usual.chain(named.iter().cloned()).collect();
        let folder_in = |root: &&String| evidence.has_hidden(&inside_or_folder(root, FOLDER));
        let with_folder = roots.iter().find(folder_in).cloned();
        if let Some(outer) = evidence.beginning(OUTER_CONFIG) {
            let content = with_folder.or_else(|| named.into_iter().next());
            return Some(Self {
                file: outer.path.to_string(),
                content: content.unwrap_or_else(|| USUAL.to_owned()),
            });
        }
        let configured = roots.iter().find_map(|root| {
            let file = evidence.beginning(&inside_or_folder(root, CONFIG))?;
            Some((file.path.to_string(), root.clone()))
        });
        let shown = with_folder.map(|root| (inside_or_folder(&root, FOLDER), root));
        let mut named = named.into_iter();
        let named = || Some((PACKAGE.to_owned(), named.next()?));
        let (file, content) = configured.or(shown).or_else(named)?;
        Some(Self { file, content })
    }
}

/// The folders with texts that scripts of the project name: `vuepress build docs`.
fn named(evidence: &Evidence<'_>) -> Vec<String> {
    let Some(file) = evidence.file(PACKAGE) else {
        return Vec::new();
    };
    let text = String::from_utf8_lossy(&file.bytes);
    let scripts = text.split("vuepress").skip(1).take(MOST_SCRIPTS);
    let folders = scripts.filter_map(|script| {
        let script = script.split(['"', '&', ';', '\n']).next()?;
        let mut words = script.split_whitespace();
        // `vuepress-vite build docs`
        let is_command = |word: &&str| COMMANDS.contains(word);
        words.by_ref().take(2).find(is_command)?;
        let folder = words.find(|word| !word.starts_with('-'))?;
        folder_path(folder).filter(|folder| evidence.holds_text(folder))
    });
    folders.collect()
}

/// Whether the folder belongs to it.
pub fn is_one(evidence: &Evidence<'_>) -> bool {
    Site::find(evidence).is_some()
}

/// The folder of the texts, and what is copied.
pub fn scope(project: &Project<'_>) -> Scope {
    let Some(Site { file, content }) = Site::find(project.evidence) else {
        return Scope::default();
    };
    let public = inside_or_folder(&content, ".vuepress/public");
    Scope {
        copied: vec![Copied::at_root(&public)],
        by: file,
        bundled: true,
        ..Scope::new(vec![content], &[])
    }
}

/// The patterns of the texts.
pub fn settle(evidence: &Evidence<'_>, config: &mut Config) {
    if let Some(site) = Site::find(evidence) {
        config.readme_is_index = true;
        texts(evidence, config, &site.file);
        patterns(evidence, config, &site);
    }
}

/// `pagePatterns` of VuePress 2, `patterns` of VuePress 1: those with a `!` leave out.
fn patterns(evidence: &Evidence<'_>, config: &mut Config, site: &Site) {
    let file = site.file.as_str();
    let mut list = List::default();
    for key in ["pagePatterns", "patterns"] {
        let own = listed(evidence, file, key);
        let hint = "write all its patterns as literals; what the program may name is withheld";
        config.problems.extend(own.problem(key, hint));
        list.add(own);
    }
    let count = list.all().count();
    if count == 0 || config.is_too_long("pagePatterns", count, (0, 0)) {
        return;
    }
    let possible = list.possible.iter().map(String::as_str);
    let left_out = possible.filter(|pattern| pattern.starts_with('!'));
    let certain = list.certain.iter().map(String::as_str);
    // A program that chooses between lists has no certain pattern: all texts, without what it may
    // leave out.
    let is_certain = list.certain.iter().any(|pattern| !pattern.starts_with('!'));
    let certain = certain.chain((!is_certain).then_some("**/*.md"));
    config.selections.push(Selection {
        reason: Some(format!("not among the files that `{file}` lists")),
        ..Selection::of_markdown(&site.content, certain, left_out)
    });
}

/// The patterns at a key of the configuration, which is data or a program.
fn listed(evidence: &Evidence<'_>, path: &str, key: &str) -> List {
    let is_data = |path: &&str| path.ends_with(".yml") || path.ends_with(".toml");
    match Some(path)
        .filter(is_data)
        .and_then(|path| evidence.file(path))
    {
        Some(file) => List::new(read(file).0.texts(key).map(str::to_owned).collect()),
        None => Scripts::new(evidence).lists(path, key),
    }
}

/// Values of the site that texts may show: `{{ $site.title }}`.
const OF_SITE: [&str; 2] = ["title", "description"];

/// Turns on what the texts have.
fn texts(evidence: &Evidence<'_>, config: &mut Config, file: &str) {
    config.features = Features {
        vue: true,
        home_in_front: true,
        opens_underscored: true,
        ..Features::default()
    };
    let settings = Scripts::new(evidence).default_export(file);
    if let Some(settings) = &settings {
        let of_site = OF_SITE.iter().filter_map(|key| of_site(settings, key));
        config.site_params.entries.extend(of_site);
        config.permalinks.extend(pattern(settings));
    }
    passwords::settle(evidence, config, file, settings.as_ref());
}

/// `permalinkPattern`, in the usual placeholders.
fn pattern(settings: &Node) -> Option<Permalink> {
    let node = &settings.get(passwords::PATTERN)?.node;
    let pattern = node.text().filter(|_| !is_computed(node))?;
    let pattern = pattern.replace(":slug", ":basename");
    Some(Permalink {
        scope: String::new(),
        pattern: format!(
            "/{}",
            pattern
                .replace(":raw", ":path.html")
                .trim_start_matches('/')
        ),
        below: false,
    })
}

/// A value of the site, by the name that texts have for it.
fn of_site(settings: &Node, key: &str) -> Option<Entry> {
    let node = &settings.get(key)?.node;
    let text = node.text().filter(|_| !is_computed(node))?;
    Some(Entry::plain(&format!("$site.{key}"), text, 0, 0))
}

/// `{{ $page.title }}`, `{{ $page.frontmatter.key }}`, `{{ $site.title }}`.
pub fn output(call: &Call<'_>) -> Option<Piece> {
    let name = call.text.trim();
    if name.starts_with("$site.") {
        let mut around = call.around.iter();
        return Piece::words(around.find_map(|front| front.text(&[name]))?);
    }
    let key = name.strip_prefix("$page.")?;
    let key = key.strip_prefix("frontmatter.").unwrap_or(key);
    Piece::words(call.front.text(&[key])?)
}
