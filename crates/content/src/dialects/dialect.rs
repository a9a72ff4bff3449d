//! The properties of a kind of folder.

use super::config::{Config, Keys, RuledPage, SiteValue};
use super::evidence::Evidence;
use super::heading_ids::HeadingIds;
use super::order::Read;
use super::redirects::{PartRedirectFile, RedirectFile};
use super::scope::{Project, Scope};
use super::tags::{Call, Form, Piece, Rule, apply};
use super::template_names::TemplateNames;
use crate::syntax::front::Front;
use crate::syntax::front::{Split, split};

/// A kind of folder.
#[derive(Debug)]
pub struct Dialect {
    /// Its name in settings and reports.
    pub name: &'static str,
    /// The evidence that a folder is of this kind, in a few words.
    pub(super) recognise: fn(&Evidence<'_>) -> Option<String>,

    /// Folders whose own name is not part of an address.
    pub roots: &'static [&'static str],
    /// Folders with the output of the other generator.
    pub outputs: &'static [&'static str],
    /// Folders of templates and other machinery, at the root.
    pub machinery: &'static [&'static str],

    /// Whether all texts are articles, by their paths from the folder of the configuration, whatever
    /// their folders are called.
    pub all_are_articles: bool,
    /// What of the folder it publishes.
    pub(super) scope: fn(&Project<'_>) -> Scope,
    /// The suffixes of the texts that it renders or copies; without any, all that Diglot reads.
    pub reads: &'static [&'static str],
    /// Whether files with data may be pages.
    pub yaml_pages: bool,
    /// The suffixes of its own templates.
    pub sources: &'static [&'static str],
    /// Whether a text that another imports is a part of it alone, wherever it is.
    pub imported_are_parts: bool,
    /// Whether files beside texts are published only if a text refers to them.
    pub copies_linked: bool,
    /// Whether the other texts in a folder with an `index` are its resources, not pages.
    pub bundles: bool,
    /// Which text the files of a folder belong to.
    pub owns_files: Owner,
    /// What of a text's front matter other files may give.
    pub inherits: Inherits,

    /// Whether folders `vendor` are part of the site as all others are.
    pub has_vendor: bool,
    /// Whether folders whose name begins with `_` are part of the site as all others are.
    pub opens_underscored: bool,

    /// Its configuration files and their keys.
    pub(super) keys: Keys,
    /// Reads what a program that is its configuration says of the site.
    pub(super) program: fn(&Evidence<'_>, &mut Config),
    /// Completes its configuration by what the folder holds.
    pub(super) settle: fn(&Evidence<'_>, &mut Config, &Front),
    /// Its files with redirects.
    pub(crate) redirects: &'static [RedirectFile],
    /// Its files with redirects of parts of the site.
    pub(crate) redirects_within: fn(&Evidence<'_>) -> Vec<PartRedirectFile>,

    /// The default address of a text, as a pattern; `None`: by its path, as in Diglot.
    pub addresses: Option<&'static str>,
    /// Whether the day in an address is that in the zone of the site, not that of the author.
    pub addresses_in_zone: bool,
    /// Whether that pattern applies to texts in `_posts` only.
    pub only_posts_have_patterns: bool,
    /// How it writes a part of a path in an address.
    pub(crate) spell: fn(&Config, &str) -> String,
    /// How it fills the patterns of addresses, where that is its own.
    pub(crate) filling: Option<&'static Filling>,
    /// Keys of front matter that replace the last part of an address by path.
    pub names_page: &'static [&'static str],
    /// Whether they replace the whole path.
    pub slug_is_path: bool,
    /// Whether a folder `_posts` in any other holds posts, of a category with the other's name.
    pub posts_in_folders: bool,
    /// Whether files that begin with front matter are templates.
    pub files_may_be_templates: bool,
    /// The suffixes of texts that it renders and that Diglot does not read.
    pub unread: &'static [&'static str],
    /// Why a file whose name the kind treats as its own is closed to readers.
    pub(crate) closed: fn(&Config, &str) -> Option<&'static str>,
    /// Whether it publishes a file although a folder above it, or its name, begins with `_`.
    pub(crate) shows: fn(&Config, &str) -> bool,
    /// Whether it publishes a folder that its name opens, such as `_posts` or that of a collection,
    /// at this path.
    pub(crate) opens: fn(&Config, &str) -> bool,
    /// The path that gives a text its address, where that is not its own path.
    pub route: fn(&str) -> Option<String>,
    /// Whether a file with the name of its folder is its index.
    pub same_name_is_index: bool,
    /// Whether names of indexes may have capitals: `INDEX`, `readme`.
    pub index_in_any_case: bool,
    /// Whether addresses leave out the folder of the default language.
    pub default_language_has_no_folder: bool,
    /// The names of the feed that each section has; without one, the kind lists no sections by itself.
    pub section_feeds: &'static [&'static str],
    /// Whether a dated file name gives a dated address (`/2015/03/19/x/`) in every folder, not only
    /// where a link asks for it.
    pub dated_addresses: bool,
    /// The suffix of a dated address.
    pub dated_endings: &'static [&'static str],
    /// Whether a README is the index of its folder.
    pub readme_is_index: bool,
    /// Whether the README of the content folder is the home page, at the root as well.
    pub readme_is_home: bool,
    /// A hidden folder whose files are public.
    pub public_hidden: Option<&'static str>,
    /// The forms in which its author's order may be written, the first that a folder has counts.
    pub(super) order: &'static [Read],
    /// The files with its order that have any name.
    pub(super) order_files: fn(&Evidence<'_>) -> Vec<String>,
    /// Whether front matter of texts may name their place in a menu.
    pub(super) menus_in_texts: bool,
    /// How it orders the texts of a folder.
    pub folder_order: FolderOrder,
    /// Whether the index of a folder says how the texts in it are ordered: `sort_by`.
    pub sorts_sections: bool,
    /// Whether `aliases` are names of a note, not addresses.
    pub aliases_are_names: bool,
    /// Whether an alias equal to a name of the note itself is not an address.
    pub aliases_may_be_names: bool,
    /// Whether an alias without a leading slash counts from the address of its page.
    pub aliases_count_from_page: bool,
    /// Whether the file name is preferred as the title to a heading below the first level.
    pub titled_by_name: bool,
    /// Whether it publishes a text whatever its `status` says.
    pub ignores_status: bool,
    /// Whether tags in one text without commas are split at white space.
    pub tags_by_space: bool,

    /// Whether all Markdown files are MDX, not only `.mdx` files and those that contain JSX.
    pub(super) jsx: fn(&Evidence<'_>) -> bool,
    /// The key of front matter that says whether a text is `md` or `mdx`.
    pub(super) format_key: Option<&'static str>,
    /// Whether a text may contain Vue components.
    pub vue: bool,
    /// Whether its Markdown reads the TeX in `$$…$$` before a script sets it, so that backslashes are
    /// doubled there.
    pub escaped_formulas: bool,
    /// Whether its Markdown is Pandoc's.
    pub(super) pandoc: bool,
    /// The ids that it gives to headings, where they differ from GitHub's.
    pub(crate) heading_ids: Option<HeadingIds>,
    /// Whether the summary of a folded part has an id, as a heading.
    pub(crate) summaries_have_ids: bool,
    /// Whether `## Heading [#id]` gives a heading its id.
    pub(super) bracketed_ids: bool,
    /// Whether lines `Key: value` that begin a text are its front matter.
    pub(super) has_headers: bool,
    /// How it divides a text into front matter and body.
    pub(super) split: for<'t> fn(&'t str, &str) -> Split<'t>,
    /// Whether `$…$` is mathematics on every page.
    pub dollar_math: bool,
    /// Whether `%%comments%%`, `^ids` of blocks and `[[names]]` as links are recognised.
    pub(super) vault: bool,
    /// Whether links name pages behind `#/`, and lines that begin with `?>` and `!>` are notices.
    pub hash_pages: bool,
    /// Whether HTML in the content is published unchanged, as a file.
    pub copies_html: bool,
    /// Whether the words of a home page are in its front matter.
    pub home_in_front: bool,
    /// The key of front matter that says who sees a text: a condition, or names of groups.
    pub audience: Option<&'static str>,
    /// Whether its editor writes HTML with a meaning of its own: cards, icons, expressions.
    pub(super) editor_html: bool,
    /// Whether a link whose text is the name of the file that it leads to shows that text's title.
    pub(super) titles_links: bool,
    /// Whether links to folders count from the file, as those to files do.
    pub folder_links_from_file: bool,
    /// Whether `{% name` to `%}` is always a tag, over lines and blank lines too.
    pub(super) liquid: bool,
    /// Whether it runs tags in code, before it reads Markdown.
    pub(super) code_tags: CodeTags,
    /// Front matter by which a text shows its tags as they are: keys and values.
    pub(super) tags_off: &'static [(&'static str, &'static str)],
    /// Whether the end of an element is the end of a block of HTML, without an empty line.
    pub(super) html_ends_with_element: bool,
    /// Whether words behind the language of code are its title, and a link.
    pub(super) titled_code: bool,
    /// Whether the keys of a page are names of their own in its templates.
    pub(super) keys_are_names: bool,
    /// The names that its templates are given, where all others without a value are nil.
    pub(super) template_names: Option<&'static TemplateNames>,
    /// Front matter of a page that gives its templates further names.
    pub(super) names_opened_by: &'static [&'static str],
    /// What its templates know of a page by its path: keys and values.
    pub(super) page_values: fn(&Config, &str) -> Vec<(&'static str, SiteValue)>,
    /// Whether `[text][package.name]` without a definition may lead to the documentation of code.
    pub(super) code_references: bool,
    /// Its own kind of includes: those are expanded in code too, and reported if the file does not
    /// exist.
    pub(super) includes: Spelling,
    /// Renders `{% tags %}` of this kind.
    pub(super) tags: &'static [Rule],
    /// Renders `{{< shortcodes >}}` of this kind.
    pub(super) shortcodes: &'static [Rule],
    /// Renders an `{{ output }}` of this kind.
    pub(super) output: fn(&Call<'_>) -> Option<Piece>,
}

/// How a kind fills the patterns of addresses.
#[derive(Debug)]
pub struct Filling {
    /// How it writes a title or a `slug`.
    pub words: fn(&Config, &str) -> String,
    /// The slug of a text with this front matter and this name.
    pub slug: fn(&Config, &Front, &str) -> Option<String>,
    /// How it writes what a pattern of the site gives.
    pub address: fn(&Config, &str) -> String,
    /// What the address of a page ends with.
    pub ending: fn(&Config, &RuledPage<'_>) -> &'static str,
    /// The date of a text that has none.
    pub undated: &'static str,
    /// The beginning of the name of the file that makes a folder in another one a section.
    pub section: &'static str,
}

/// What becomes of tags in code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeTags {
    /// Nothing.
    Left,
    /// They are run: `{% raw %}` and its end are removed, and so is what is certainly not shown.
    Raw,
    /// Only those in blocks of tags are run, such as `{% codeblock %}`.
    InBlocks,
    /// `{{</* name */>}}` shows `{{< name >}}`.
    Escapes,
}

/// The text that the files of a folder belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// None.
    Nobody,
    /// Its `index`.
    Index,
    /// The `index` of a folder above them, or the `_index` of their own. Without one they are not
    /// published.
    SomeIndex,
    /// The post beside it that has its name: `_posts/a.md` of `_posts/a/`.
    PostOfItsName,
}

/// Where front matter for the texts of a folder may be, beside the configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inherits {
    /// Nowhere.
    Nothing,
    /// A section that is a draft closes its folder.
    DraftSections,
    /// `cascade` in the front matter of a section.
    Cascade,
    /// Data files with the name of the folder.
    DataFiles,
}

/// How a kind orders the texts of one folder that nothing else orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FolderOrder {
    /// By weight, then by name; folders among the texts.
    Name,
    /// By weight, then by name; folders after the texts.
    TextsFirst,
    /// By weight, where 0 counts as not given, then the newest first, then by title.
    Newest,
}

impl FolderOrder {
    /// The weight that orders a text, of the one that it has.
    pub fn weight(self, own: Option<i64>) -> Option<i64> {
        own.filter(|weight| *weight != 0 || self != Self::Newest)
    }
}

/// A kind's own includes. All others are expanded as well, if the file exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// None in particular.
    Any,
    /// `{{#include file}}`
    Hashes,
    /// `--8<-- "file"` and `{!file!}`
    Scissors,
    /// `{{< include file >}}`
    Shortcodes,
}

/// The defaults of a kind.
pub const COMMON: Dialect = Dialect {
    name: "",
    recognise: |_| None,
    roots: &[],
    outputs: &[],
    machinery: &[],
    all_are_articles: false,
    scope: |_| Scope::default(),
    reads: &[],
    yaml_pages: false,
    sources: &[],
    imported_are_parts: false,
    copies_linked: false,
    bundles: false,
    owns_files: Owner::Nobody,
    inherits: Inherits::Nothing,
    has_vendor: false,
    opens_underscored: false,
    keys: Keys::NONE,
    program: |_, _| {},
    settle: |_, _, _| {},
    redirects: &[],
    redirects_within: |_| Vec::new(),
    addresses: None,
    addresses_in_zone: false,
    only_posts_have_patterns: false,
    spell: |_, part| part.to_owned(),
    filling: None,
    names_page: &[],
    slug_is_path: false,
    posts_in_folders: false,
    files_may_be_templates: false,
    unread: &[],
    closed: |_, _| None,
    shows: |_, _| false,
    opens: |_, _| true,
    route: |_| None,
    same_name_is_index: false,
    index_in_any_case: false,
    default_language_has_no_folder: false,
    section_feeds: &[],
    dated_addresses: false,
    dated_endings: &["/"],
    readme_is_index: false,
    readme_is_home: false,
    public_hidden: None,
    order: &[],
    order_files: |_| Vec::new(),
    menus_in_texts: false,
    folder_order: FolderOrder::Name,
    sorts_sections: false,
    aliases_are_names: false,
    aliases_may_be_names: false,
    aliases_count_from_page: false,
    titled_by_name: false,
    ignores_status: false,
    tags_by_space: false,
    jsx: |_| false,
    format_key: None,
    vue: false,
    escaped_formulas: false,
    pandoc: false,
    heading_ids: None,
    summaries_have_ids: false,
    bracketed_ids: false,
    has_headers: false,
    split,
    dollar_math: false,
    vault: false,
    hash_pages: false,
    copies_html: false,
    home_in_front: false,
    audience: None,
    folder_links_from_file: false,
    editor_html: false,
    titles_links: false,
    liquid: false,
    code_tags: CodeTags::Left,
    tags_off: &[],
    html_ends_with_element: false,
    titled_code: false,
    keys_are_names: false,
    template_names: None,
    names_opened_by: &[],
    page_values: |_, _| Vec::new(),
    code_references: false,
    includes: Spelling::Any,
    tags: &[],
    shortcodes: &[],
    output: |_| None,
};

impl Dialect {
    /// The replacement of a template tag in this kind; `None`: the tag is unknown.
    pub(super) fn replace(&self, call: &Call<'_>) -> Option<Piece> {
        match call.form {
            Form::Output => (self.output)(call),
            Form::Tag => apply(self.tags, call),
            Form::Shortcode => apply(self.shortcodes, call),
        }
    }
}
