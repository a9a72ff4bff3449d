//! The configuration of another generator: the site's title, its content folder, page addresses and
//! exclusions. It is read as data, never executed. If it is broken, that is reported, and the
//! folder is read without it.

mod address_rules;
mod comments;
mod data_files;
mod data_names;
mod demand;
pub mod edit;
mod exclusions;
mod features;
mod formulas;
mod glob;
mod groups;
mod hidden_inner;
pub mod ignore_file;
mod keys;
mod languages;
mod layers;
mod names;
mod params;
mod path_metadata;
mod plugins;
mod post_names;
mod quarto_values;
mod script;
mod selection;
mod shortcodes;
mod site;
mod site_data;
mod site_value;
mod spelling;
mod texts;
mod writing;

pub use address_rules::{AddressRule, RuledPage};
pub use data_files::{Layout, data, unplaced, without_places};
pub use data_names::{DataFile, DataNames};
pub use demand::{Demand, Test, Usual};
pub use exclusions::{MOST_EXCLUDED, UNKNOWN_FOLDER, too_many};
pub use features::Features;
pub use glob::{Glob, Patterns, deciding, ignoring};
pub use hidden_inner::HiddenShortcodes;
pub use keys::Keys;
pub use languages::{BuiltLanguages, Locale, Mount, is_built};
pub use layers::{chain, first_existing, read};
pub use params::{Cascade, Given, values as cascaded};
pub use path_metadata::{PathMetadata, UNKNOWN_STATE};
pub use plugins::plugins;
pub use post_names::PostNames;
pub use quarto_values::{Label, QuartoValues};
pub use script::{literal as literal_until, read as literals};
pub use selection::Selection;
pub use shortcodes::{CodeShortcode, PlaceOfShortcode, Template};
pub use site_data::{Preprocessor, SiteData};
pub use site_value::SiteValue;
pub use spelling::{Spelling, undated};
pub use texts::{Defaults, Needs, Permalink};
pub use writing::Writing;

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

use crate::dialects::evidence::Evidence;
use crate::dialects::heading_ids::NamedIds;
use crate::dialects::myst::Myst;
use crate::dialects::named_files::NamedFiles;
use crate::dialects::pattern::Pattern;
use crate::dialects::template_names::TemplateNames;
use crate::model::problem::Problem;
use crate::model::text::{decode, one_line, plain, shorten};
use crate::syntax::front::{Entry, Front, Node, Value};
use crate::syntax::settings::Settings;

/// The largest configuration file, in bytes.
const LARGEST: usize = 1_000_000;
/// The maximum number of entries read from one list.
const MOST_ENTRIES: usize = 1000;
/// The maximum number of languages of a site.
const MOST_LANGUAGES: usize = 500;

/// How many values of a configuration templates may name. Where there are as many, more may exist.
pub const MOST_VALUES: usize = 1_000;

/// A list of texts that a generator makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MadeList {
    /// Its path on the site, without slashes around it.
    pub at: String,
    /// Its name in the author's order.
    pub title: String,
    /// The folder of its texts; without one, its name shows which they are.
    pub folder: Option<String>,
}

/// A key of texts that gives one of their dates, or their address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DateKey {
    /// Its name in this site.
    pub own: String,
    /// The usual key of that date or address.
    pub usual: &'static str,
    /// Whether it counts even where the usual key is given.
    pub counts_first: bool,
}

/// The values read from a configuration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// The file, or the folder of its files; empty if none exists.
    pub file: String,
    /// The top keys in lower case and their files, the weakest first.
    places: Vec<(String, String)>,
    /// The values used from it, by key: for the report.
    pub said: Vec<(String, String)>,
    /// The site's title, description, language and author.
    pub settings: Settings,
    /// The site's address according to it: a hint, never used on its own.
    pub address: Option<String>,
    /// The content folder.
    pub content: Option<String>,
    /// The text of the home page, where it has a name of its own.
    pub home: Option<String>,
    /// How posts are named in their addresses, where they have names of their own.
    pub post_names: Option<PostNames>,
    /// The former addresses of texts.
    pub permalinks: Vec<Permalink>,
    /// Rules for the former addresses of pages.
    pub address_rules: Vec<AddressRule>,
    /// How addresses are written.
    pub writing: Writing,
    /// Paths excluded from the site.
    pub exclude: Vec<Glob>,
    /// Lists of patterns that count from the folders of the content, by their keys. Each excludes by itself,
    /// as git has it.
    pub ignored: BTreeMap<&'static str, Vec<Glob>>,
    /// Whether all patterns count from the folders of the content alone.
    excludes_in_content: bool,
    /// What excludes everything, where a list of exclusions cannot be read whole.
    pub closed: Option<Glob>,
    /// The names of languages whose texts are not part of the site.
    pub unbuilt: BTreeSet<String>,
    /// The only languages of which texts are part of the site, where names of files or folders say them.
    pub built: Option<BuiltLanguages>,
    /// The only files of the site or of folders, where it lists them by patterns.
    pub selections: Vec<Selection>,
    /// Texts of the default language that translations into it replace, with those.
    pub replaced: BTreeMap<String, String>,
    /// Whether programs of the site name collections of texts.
    pub names_collections: bool,
    /// Names of folders with a `_` prefix that are part of the site.
    pub open: Vec<String>,
    /// Files that are part of the site although a folder above them, or their name, begins with `_`.
    pub included: Vec<Glob>,
    /// Names of folders of collections that are part of the site.
    pub collections: Vec<String>,
    /// The only folder of collections and posts, where they have one; addresses do not name it.
    pub collections_folder: Option<String>,
    /// How many posts are published, the newest, if not all are.
    pub most_posts: Option<usize>,
    /// Whether files beside posts are published, whatever their names.
    pub posts_have_files: bool,
    /// Whether a README is the index of its folder, where the kind does not say so.
    pub readme_is_index: bool,
    /// Front matter of many files at once.
    pub defaults: Vec<Defaults>,
    /// What finds front matter in the paths of texts, the strongest first.
    pub path_metadata: Vec<PathMetadata>,
    /// How data files for texts are named.
    pub data_names: DataNames,
    /// Data for all texts.
    pub site_data: Vec<SiteData>,
    /// Functions that leave out texts.
    pub preprocessors: Vec<Preprocessor>,
    /// What the programs of the site demand of the texts that fit one of some patterns.
    pub demands: Vec<(Vec<Glob>, Vec<Demand>)>,
    /// Front matter of layouts, for the texts that name them.
    pub layouts: BTreeMap<String, Layout>,
    /// Front matter for all texts, for those of a language, or for those that a target names. The
    /// strongest first.
    pub cascade: Vec<Cascade>,
    /// The folders in which texts describe the terms of taxonomies.
    pub taxonomies: Vec<String>,
    /// The kinds of pages that are not built.
    pub unbuilt_kinds: Vec<String>,
    /// How names are written in addresses; `None`: as the kind does.
    pub spelling: Option<Spelling>,
    /// Whether names that texts have as aliases are addresses from the root as well.
    pub aliases_are_addresses: bool,
    /// Values that templates of texts may name, by key. Inner keys are joined by `.`. The name of one that
    /// is used without `site.` begins with `.`.
    pub values: BTreeMap<String, SiteValue>,
    /// What the texts of this site have in place of `{%`, `%}`, `{{` and `}}`.
    pub template_signs: Vec<(String, &'static str)>,
    /// The key of front matter that turns the tags of a text on, where they are off without it.
    pub tags_on: Option<&'static str>,
    /// Whether a part of a text whose condition is not known is not shown.
    pub hides_undecided: bool,
    /// The only names of templates of texts, where none is from the configuration.
    pub(super) template_names: Option<&'static TemplateNames>,
    /// Names of templates whose values are not known.
    pub unknown_names: BTreeSet<String>,
    /// Whether Markdown shows tags as they are.
    pub markdown_shows_tags: bool,
    /// Whether templates of texts may name values that are not in the configuration.
    pub has_more_values: bool,
    /// The keys that the generator gives to every text.
    pub given_keys: &'static [&'static str],
    /// Values of the site that texts show by their names.
    pub site_params: Front,
    /// Those that sections give to their texts.
    pub given: Vec<Given>,
    /// The folder of the files that template tags include, if it is not a usual one.
    pub includes: Option<String>,
    /// Folders from which an include in their texts counts that begins with a slash.
    pub include_roots: Vec<String>,
    /// Folders in which snippets are looked for, in order.
    pub snippet_folders: Vec<String>,
    /// Snippets at the end of every text.
    pub appended: Vec<String>,
    /// The prefixes of hidden lines of code, by language, where blocks of code may have such lines.
    pub hidden_lines: Option<Vec<(String, String)>>,
    /// Whether inline code may begin with its language, which is not shown.
    pub inline_languages: bool,
    /// Whether attributes in braces may follow a heading.
    pub title_attributes: bool,
    /// Whether they may follow a block.
    pub block_attributes: bool,
    /// The languages of the site.
    pub locales: Vec<Locale>,
    /// The name of the default language, in lower case.
    pub default_language: Option<String>,
    /// Whether addresses name the default language too.
    pub default_in_subdir: bool,
    /// Whether a text that a language lacks is published there in the default language.
    pub untranslated: bool,
    /// Lists of texts that the generator makes at addresses of their own.
    pub made_lists: Vec<MadeList>,
    /// Paths that give texts their addresses, in place of their own.
    pub rewrites: Vec<(Pattern, Pattern)>,
    /// Whether the date in a file's name takes precedence over that of its front matter.
    pub dated_by_name: bool,
    /// Keys of dates and addresses with names of the site's own, the strongest first.
    pub date_keys: Vec<DateKey>,
    /// Folders of texts with a place of their own.
    pub mounts: Vec<Mount>,
    /// The name of the zone of dates that are written without one, and whether a time with seconds
    /// is UTC all the same.
    pub zone: Option<(String, bool)>,
    /// What the settings say of texts in MyST, if texts are.
    pub myst: Option<Myst>,
    /// How addresses in texts name files, where they have words in braces.
    pub named_files: Option<NamedFiles>,
    /// Whether texts with one slug and different languages are translations.
    pub slugs_join_languages: bool,
    /// Whether formulas are written between single dollars.
    pub math: bool,
    /// Whether terms of definitions have ids.
    pub term_ids: bool,
    /// How headings get their ids; `None`: as the kind does.
    pub heading_ids: Option<NamedIds>,
    /// Ids that the site's own shortcodes write.
    pub shortcode_ids: Vec<PlaceOfShortcode>,
    /// The site's own shortcodes that show what they hold as code.
    pub code_shortcodes: Vec<CodeShortcode>,
    /// The site's own shortcodes that do not show what they hold.
    pub hidden_shortcodes: HiddenShortcodes,
    /// Whether a link from the root leads to the text in the language of its page.
    pub links_in_language: bool,
    /// Whether a link leads to the translation of its target, where names of files say their
    /// language.
    pub translates_links: bool,
    /// What its generator turns on, where that has no kind of its own.
    pub features: Features,
    /// Values and numbers for texts in Pandoc's Markdown.
    pub quarto_values: QuartoValues,
    /// What is broken in it.
    pub problems: Vec<Problem>,
}

impl Config {
    /// The configuration of a folder, from all files that its kind reads, and all its values.
    pub fn with_values(evidence: &Evidence<'_>, keys: &Keys) -> (Self, Front) {
        let mut config = Self::default();
        let front = config.merged(evidence, keys);
        if !config.file.is_empty() {
            config.read(&front, keys);
        }
        (config, front)
    }

    fn read(&mut self, front: &Front, keys: &Keys) {
        self.site(front, keys);
        self.content_folder(front, keys);
        self.permalinks(front, keys);
        self.excluded(front, keys);
        self.collections(front);
        self.defaults(front);
        self.languages(front);
        self.zone(front, keys);
        (keys.more)(self, front);
        (keys.edit)(self, front);
    }

    /// The folder of the file.
    pub fn folder(&self) -> &str {
        self.file.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    /// The path that gives the text at this path its address, if it is another one.
    pub fn rewritten(&self, path: &str) -> Option<String> {
        self.rewrites
            .iter()
            .find_map(|(from, to)| to.filled(&from.captures(path)?))
    }

    /// Why a file is not part of the site, where the configuration lists the files of the site.
    pub fn leaves_out(&self, path: &str) -> Option<String> {
        let mut about = self.selections.iter().filter(|one| one.is_about(path));
        let first = about.next()?;
        let is_chosen = first.holds(path) || about.any(|one| one.holds(path));
        let listed = || format!("not among the files that `{}` lists", self.file);
        (!is_chosen).then(|| first.reason.clone().unwrap_or_else(listed))
    }

    /// Records the used values for the report.
    pub fn say(&mut self, key: &str, value: &str) {
        self.said
            .push((key.to_owned(), shorten(&one_line(value), 100)));
    }

    /// Adds the names of the languages, if there are some, to what is said: of one without a name its tag.
    pub fn say_languages(&mut self) {
        let name = |locale: &Locale| match locale.name.as_str() {
            "" => locale.tag.clone(),
            name => name.to_owned(),
        };
        let names: Vec<String> = self.locales.iter().map(name).collect();
        if !names.is_empty() {
            self.say("languages", &names.join(", "));
        }
    }

    /// The words of the first of these keys that has some.
    pub fn words(&mut self, front: &Front, keys: &[&str]) -> Option<String> {
        let (entry, text) = text(front, keys)?;
        let words = shorten(&plain(text), 300);
        if words.is_empty() {
            return None;
        }
        self.say(&entry.key.text, &words);
        Some(words)
    }

    fn content_folder(&mut self, front: &Front, keys: &Keys) {
        self.content = keys.usual.map(str::to_owned);
        let Some((entry, folder)) = text(front, keys.content) else {
            return;
        };
        let folder = folder.trim_start_matches("./").trim_matches('/');
        if folder.is_empty() || folder == "." || folder.split('/').any(|part| part == "..") {
            return;
        }
        self.say(&entry.key.text, folder);
        self.content = Some(folder.to_owned());
    }

    /// Whether the configuration opens the folders with this name.
    pub fn includes(&self, name: &str) -> bool {
        self.open.iter().any(|open| open == name)
    }

    /// Whether the files of a collection are in the folders with this name.
    pub fn has_collection(&self, name: &str) -> bool {
        self.collections.iter().any(|collection| collection == name)
    }
}

/// The first existing file of these: its text and its values. `None`: none exists, or it is too
/// large.
pub fn open<'a>(evidence: &Evidence<'a>, files: &[&str]) -> Option<(Cow<'a, str>, Front)> {
    let text = text_of_first(evidence, files)?;
    let (front, ..) = read(first_existing(evidence, files)?);
    Some((text, front))
}

/// The text of the first existing file of these, unless it is too large.
pub fn text_of_first<'a>(evidence: &Evidence<'a>, files: &[&str]) -> Option<Cow<'a, str>> {
    let file = first_existing(evidence, files).filter(|file| file.bytes.len() <= LARGEST)?;
    Some(decode(&file.bytes, &file.path).0)
}

/// The text of the first key that has one: its own, that of its name, or of its first item.
fn text<'f>(front: &'f Front, keys: &[&str]) -> Option<(&'f Entry, &'f str)> {
    keys.iter()
        .filter_map(|key| front.get(key))
        .find_map(|entry| {
            let node = &entry.node;
            let first = node.items().first();
            let first = first.and_then(|item| item.text().or(text_of(item, "name")));
            Some((entry, node.text().or(text_of(node, "name")).or(first)?))
        })
}

/// The text of a key of a map.
fn text_of<'n>(node: &'n Node, key: &str) -> Option<&'n str> {
    node.get(key)?.node.text()
}

/// The entries of a map.
fn entries(entry: Option<&Entry>) -> Option<&[Entry]> {
    match &entry?.node.value {
        Value::Map(entries) => Some(entries),
        Value::List(_) | Value::Scalar { .. } => None,
    }
}

#[cfg(test)]
mod tests;
