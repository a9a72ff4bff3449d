//! The instances of Docusaurus' plug-ins for documents, posts and pages: those of the preset, and others with
//! an `id`.

use super::config::read;
use super::evidence::Evidence;
use super::script::{self, List, Scripts, is_computed};
use crate::model::path::{inside, inside_or_folder};
use crate::syntax::front::{Front, Node, Value};

/// The maximum number of instances.
const MOST: usize = 50;

/// What a plug-in publishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plugin {
    Docs,
    Blog,
    Pages,
}

impl Plugin {
    /// Its name in the preset.
    pub fn name(self) -> &'static str {
        match self {
            Self::Docs => "docs",
            Self::Blog => "blog",
            Self::Pages => "pages",
        }
    }
}

/// The options with patterns of files.
const INCLUDE: &str = "include";
const EXCLUDE: &str = "exclude";

/// The plug-ins: the name in the preset, and the usual folder and path.
const PLUGINS: [(Plugin, &str, &str, &str); 3] = [
    (Plugin::Docs, "docs", "docs", "docs"),
    (Plugin::Blog, "blog", "blog", "blog"),
    (Plugin::Pages, "pages", "src/pages", ""),
];

/// One instance of a plug-in.
#[derive(Clone, Debug)]
pub struct Instance {
    pub plugin: Plugin,
    /// Empty for the first.
    pub id: String,
    /// Its folder; as it is written, with `../`, if that is outside of all that is read.
    pub folder: String,
    /// The place of a `path` that a program computes: where its texts are is not known.
    pub unread: Option<(u32, u32)>,
    /// The place of options that are not read whole.
    pub open: Option<(u32, u32)>,
    /// Where its texts are on the site.
    pub at: String,
    /// The patterns of its files, and of what is left out of them, from its folder.
    pub include: Option<List>,
    pub exclude: List,
    /// Its options, the first that has a key counts: as the program gives them, and by the path of keys.
    options: [Front; 2],
}

/// All instances that a configuration names, those of the preset first.
pub fn all(evidence: &Evidence<'_>, config: &str) -> Vec<Instance> {
    let front = evidence.file(config).map(|file| read(file).0);
    let front = front.unwrap_or_default();
    let mut scripts = Scripts::with_lists(evidence, &[INCLUDE, EXCLUDE]);
    let data = scripts.default_export(config);
    let mut found = Vec::new();
    for (plugin, name, ..) in PLUGINS {
        let path = format!("presets.{name}");
        if front.bool(&[&path]) != Some(false) {
            let own = data.as_ref().and_then(|data| of_preset(data, name, 0));
            let by_path = below(&front, &path);
            found.extend(Instance::new(plugin, config, (own, by_path), &scripts));
        }
    }
    let plugins = data.as_ref().and_then(|data| data.get("plugins"));
    let plugins = plugins.map_or(&[][..], |entry| entry.node.items());
    found.extend(
        plugins
            .iter()
            .take(MOST)
            .filter_map(|plugin| further(plugin, config, &scripts)),
    );
    found
}

/// `['@docusaurus/plugin-content-docs', { id: 'api', path: 'api' }]`
fn further(plugin: &Node, config: &str, scripts: &Scripts<'_, '_>) -> Option<Instance> {
    let [name, options] = plugin.items() else {
        return None;
    };
    let kind = name.text()?.rsplit_once("content-")?.1;
    let (plugin, ..) = PLUGINS.into_iter().find(|(_, name, ..)| *name == kind)?;
    let options = (Some(options), Front::default());
    Instance::new(plugin, config, options, scripts)
}

/// The options of a plug-in: the map with its name inside `presets`.
fn of_preset<'n>(node: &'n Node, name: &str, depth: usize) -> Option<&'n Node> {
    const DEEPEST: usize = 6;
    if depth > DEEPEST {
        return None;
    }
    if let Some(presets) = node.get("presets") {
        return of_preset(&presets.node, name, depth + 1);
    }
    match &node.value {
        Value::Map(_) => node.get(name).map(|entry| &entry.node),
        Value::List(items) => items
            .iter()
            .find_map(|item| of_preset(item, name, depth + 1)),
        Value::Scalar { .. } => None,
    }
}

fn map(node: Option<&Node>) -> Front {
    let entries = match node.map(|node| &node.value) {
        Some(Value::Map(entries)) => entries.clone(),
        _ => Vec::new(),
    };
    Front {
        entries,
        ..Front::default()
    }
}

/// The values whose keys begin with a path.
fn below(front: &Front, path: &str) -> Front {
    let entries = front.entries.iter().filter_map(|entry| {
        let mut entry = entry.clone();
        entry.key.text = entry
            .key
            .text
            .strip_prefix(path)?
            .strip_prefix('.')?
            .to_owned();
        Some(entry)
    });
    Front {
        entries: entries.collect(),
        ..Front::default()
    }
}

/// The list that an option has.
fn list([own, by_path]: &[Front; 2], key: &str, scripts: &Scripts<'_, '_>) -> Option<List> {
    let by_path = || {
        let texts = by_path.get(key)?.node.items().iter();
        let texts = texts.filter_map(Node::text).map(str::to_owned);
        Some(List::new(texts.collect()))
    };
    scripts.list_of(&own.entries, key).or_else(by_path)
}

impl Instance {
    fn new(
        plugin: Plugin,
        config: &str,
        (own, by_path): (Option<&Node>, Front),
        scripts: &Scripts<'_, '_>,
    ) -> Option<Self> {
        let mut options = [map(own), by_path];
        let include = list(&options, INCLUDE, scripts);
        let exclude = list(&options, EXCLUDE, scripts).unwrap_or_default();
        // Of options with the same name the last one counts.
        options[0].entries.reverse();
        let open = own.filter(|own| is_computed(own));
        let (_, _, folder, at) = PLUGINS.into_iter().find(|(known, ..)| *known == plugin)?;
        let mut instance = Self {
            plugin,
            id: String::new(),
            folder: String::new(),
            unread: None,
            open: open.map(|own| (own.line, own.column)),
            at: String::new(),
            include,
            exclude,
            options,
        };
        let id = instance.text("id").filter(|id| *id != "default");
        let id = id.unwrap_or_default().to_owned();
        let folder = instance.read_folder(project(config), folder);
        let at = instance.text("routeBasePath").unwrap_or(at);
        let at = at.trim_matches('/').to_owned();
        (instance.id, instance.folder, instance.at) = (id, folder, at);
        Some(instance)
    }

    /// The folder that `path` names, also where a program joins it to its own place.
    fn read_folder(&mut self, project: &str, usual: &str) -> String {
        let mut options = self.options.iter();
        let named = options.find_map(|options| options.get("path"));
        let Some(node) = named.map(|entry| &entry.node) else {
            return inside_or_folder(project, usual);
        };
        match script::folder(node, project) {
            Some(folder) => folder,
            None if is_computed(node) => {
                self.unread = Some((node.line, node.column));
                String::new()
            }
            None => node.text().unwrap_or(usual).to_owned(),
        }
    }

    /// Whether its folder is outside of all that is read.
    pub fn is_outside(&self) -> bool {
        self.folder.starts_with("../")
    }

    /// The value of an option.
    pub fn get(&self, key: &str) -> Option<&Node> {
        let mut options = self.options.iter();
        options.find_map(|options| Some(&options.get(key)?.node).filter(|node| !is_computed(node)))
    }

    pub fn text(&self, key: &str) -> Option<&str> {
        self.get(key)?.text()
    }

    /// The name of its own file or folder, such as `versions.json`.
    pub fn own(&self, config: &str, name: &str) -> String {
        let name = match self.id.as_str() {
            "" => name.to_owned(),
            id => format!("{id}_{name}"),
        };
        inside_or_folder(project(config), &name)
    }

    /// The folder of its translations into a language.
    pub fn translated(&self, config: &str, language: &str) -> String {
        let plugin = self.plugin.name();
        let id = match self.id.as_str() {
            "" => String::new(),
            id => format!("-{id}"),
        };
        let folder = format!("i18n/{language}/docusaurus-plugin-content-{plugin}{id}");
        inside(project(config), &folder)
    }

    /// Its versions, the newest first.
    pub fn versions(&self, evidence: &Evidence<'_>, config: &str) -> Vec<String> {
        if self.get("disableVersioning").and_then(Node::bool) == Some(true) {
            return Vec::new();
        }
        let file = evidence.file(&self.own(config, "versions.json"));
        let versions = file.and_then(|file| serde_json::from_slice(&file.bytes).ok());
        let mut versions: Vec<String> = versions.unwrap_or_default();
        versions.truncate(MOST * 4);
        versions
    }

    /// The version that readers see first; `current`: what is in the folder itself.
    pub fn last(&self, versions: &[String]) -> String {
        let newest = versions.first().map_or("current", String::as_str);
        self.text("lastVersion").unwrap_or(newest).to_owned()
    }

    /// The folder of a version.
    pub fn folder_of(&self, config: &str, version: &str) -> String {
        match version {
            "current" => self.folder.clone(),
            _ => format!("{}/version-{version}", self.own(config, "versioned_docs")),
        }
    }
}

/// The folder of the configuration.
pub fn project(config: &str) -> &str {
    config.rsplit_once('/').map_or("", |(folder, _)| folder)
}
