//! The kinds of folder that people have, each one small module behind one seam.
//!
//! A [`Dialect`] says what recognises its folders, where their content is, and which template tags it translates: one file in `kinds`, and one line in its
//! `ALL`. `tags` reads template tags and knows those that several kinds share. `passes` rewrites a text step by step into plain Markdown.

mod config;
mod evidence;
mod kinds;
mod markup;
mod passes;
mod tags;

pub use evidence::Evidence;
pub use passes::template::{Files, Named, Remark, Translated, translate};

use std::sync::Arc;

use crate::dialects::config::{Config, Keys};
use crate::model::fingerprint::{Digest, Fingerprint};
use crate::syntax::front::Front;
use kinds::ALL;
use markup::address;
use tags::arguments::Arguments;
use tags::shared;

/// A kind of folder.
#[derive(Debug)]
pub struct Dialect {
    /// Its name, as settings and reports write it.
    pub name: &'static str,
    /// What in a folder says that it is of this kind, in a few words.
    recognise: fn(&Evidence<'_>) -> Option<String>,
    /// Folders whose own name is not part of an address.
    pub roots: &'static [&'static str],
    /// Folders that hold what the other generator built.
    pub outputs: &'static [&'static str],
    /// Folders of templates and other machinery, at the root.
    pub machinery: &'static [&'static str],
    /// Whether `aliases` are names of a note, not addresses.
    pub aliases_are_names: bool,
    /// Whether a file's name is its title before a heading below the first level is.
    pub titled_by_name: bool,
    /// Whether a README is the index of its folder.
    pub readme_is_index: bool,
    /// Whether tags in one text without commas stand apart by white space.
    pub tags_by_space: bool,
    /// Whether Markdown files may hold JSX, not only those called `.mdx`.
    pub jsx: bool,
    /// Whether components of Vue stand in the text.
    pub vue: bool,
    /// Which includes are its own: those are tags in code too, and are said when there is no such file.
    includes: Spelling,
    /// Whether `$…$` is mathematics on every page.
    pub dollar_math: bool,
    /// Its configuration, and the names that it has for a title and its like.
    keys: Keys,
    /// The addresses that texts have in it where nothing else is said; `None`: as their paths are here.
    pub addresses: Option<&'static str>,
    /// What a template tag of this kind becomes; `None`: it is not known here.
    replace: fn(&Call<'_>, &Front) -> Option<Piece>,
}

/// Which includes are a kind's own. All others are read as well, where there is such a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Spelling {
    /// None in particular.
    Any,
    /// mdBook's `{{#include file}}`.
    Hashes,
    /// MkDocs' `--8<-- "file"` and `{!file!}`.
    Scissors,
    /// `{{< include file >}}`.
    Shortcodes,
}

/// What no kind says otherwise.
const COMMON: Dialect = Dialect {
    name: "",
    recognise: |_| None,
    roots: &[],
    outputs: &[],
    machinery: &[],
    aliases_are_names: false,
    titled_by_name: false,
    readme_is_index: false,
    tags_by_space: false,
    jsx: false,
    vue: false,
    includes: Spelling::Any,
    dollar_math: false,
    keys: Keys::NONE,
    addresses: None,
    replace: |_, _| None,
};

/// What was found out about a folder.
#[derive(Clone, Debug)]
pub struct Kind {
    /// Its dialect.
    pub dialect: &'static Dialect,
    /// What says so.
    pub evidence: String,
    /// Whether `[[wikilinks]]` are links here: the folder is a vault, or enough files use them.
    pub wikilinks: bool,
    /// Whether `%%comments%%` are comments here.
    pub percent_comments: bool,
    /// Whether `$…$` is mathematics on every page.
    pub dollar_math: bool,
    /// What its configuration says.
    pub(crate) config: Arc<Config>,
}

impl Kind {
    /// A digest of all that decides how texts are read: in folders of kinds with the same they are read alike.
    pub(crate) fn digest(&self) -> Digest {
        let Self { dialect, evidence: _, wikilinks, percent_comments, dollar_math, config } = self;
        Fingerprint::of(&(dialect.name, wikilinks, percent_comments, dollar_math, format!("{config:?}")))
    }

    /// Recognises a folder; `named` is the setting, which wins.
    pub fn of(evidence: &Evidence<'_>, named: Option<&str>) -> Self {
        let (dialect, words) = Self::dialect(evidence, named);
        let vault = dialect.name == kinds::obsidian::DIALECT.name || evidence.vault().is_some();
        let config = Arc::new(config(evidence, dialect));
        let dollar_math = dialect.dollar_math || vault || config.math;
        Self { dialect, evidence: words, wikilinks: vault || evidence.uses_wikilinks(), percent_comments: vault, dollar_math, config }
    }

    fn dialect(evidence: &Evidence<'_>, named: Option<&str>) -> (&'static Dialect, String) {
        let set = ALL.into_iter().find(|dialect| Some(dialect.name) == named).map(|dialect| (dialect, "it is set".to_owned()));
        let found = || ALL.into_iter().find_map(|dialect| Some((dialect, (dialect.recognise)(evidence)?)));
        set.or_else(found).unwrap_or((&kinds::plain::DIALECT, String::new()))
    }
}

/// The configuration of a folder: the first file of its kind's that is there.
pub(crate) fn config(evidence: &Evidence<'_>, dialect: &Dialect) -> Config {
    let find = |name: &&str| match name.strip_suffix('*') {
        Some(prefix) => evidence.beginning(prefix),
        None => evidence.file(name),
    };
    dialect.keys.files.iter().find_map(find).map_or_else(Config::default, |file| Config::read(file, &dialect.keys))
}

/// The configuration of another generator that says where the site is, and the address: a hint, which nobody takes without being told to.
pub fn site_address(sources: &crate::model::sources::Sources, named: Option<&str>) -> Option<(String, String)> {
    let evidence = Evidence::of(sources);
    let config = config(&evidence, Kind::dialect(&evidence, named).0);
    Some((config.file, config.address?))
}

/// What the configuration of another generator says that settings say too: laid under those.
pub fn settings(sources: &crate::model::sources::Sources, named: Option<&str>) -> crate::syntax::settings::Settings {
    let evidence = Evidence::of(sources);
    let (dialect, _) = Kind::dialect(&evidence, named);
    config(&evidence, dialect).settings
}

/// One template tag outside code.
#[derive(Clone, Copy, Debug)]
struct Call<'a> {
    form: Form,
    /// The tag's name; of an output the name of its last filter, else its expression.
    name: &'a str,
    /// Everything behind the name; of an output the whole expression.
    arguments: &'a str,
    /// Whether it begins or ends something, and the other one is there.
    paired: bool,
}

/// The three forms of template tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// `{{ expression | filter }}`
    Output,
    /// `{% name arguments %}`
    Tag,
    /// `{{< name arguments >}}`, `{{% name arguments %}}`
    Shortcode,
}

/// What a template tag becomes.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    /// Text of the author's: a title, a part of an address.
    Text(String),
    /// A literal that shows braces.
    Code(String),
    /// A picture.
    Image { source: String, alt: String, caption: Option<String> },
    /// A link.
    Link { address: String, text: String },
    /// The beginning of a callout, by its mark.
    Open(String),
    /// The end of a callout.
    Close,
    /// A callout by itself.
    Whole { mark: String, text: String },
    /// A title in bold on lines of its own.
    Label(String),
    /// Something of another place, by its element.
    Embed { element: &'static str, address: String, title: String },
    /// The border of a part that has no title.
    Break,
    /// Nothing, and nothing is missing.
    Nothing,
}

/// What the first dialect that knows a tag makes of it: the folder's own first, then all others.
fn replace(kind: &Dialect, call: &Call<'_>, front: &Front) -> Option<Piece> {
    (kind.replace)(call, front).or_else(|| ALL.into_iter().find_map(|dialect| (dialect.replace)(call, front))).or_else(|| shared::replace(call))
}

/// A picture out of a tag's arguments, however its kind spells them: `"src" "alt"`, `src="…" alt="…"`, a class between the two.
fn image(name: &str, arguments: &Arguments<'_>) -> Option<Piece> {
    let named = arguments.named(&["src", "path", "url", "image_path", "image", "file", "link"]);
    let looks = |text: &str| text.contains('/') || text.rsplit_once('.').is_some_and(|(_, suffix)| matches!(suffix.len(), 3 | 4));
    let at = arguments.positional.iter().position(|text| looks(text));
    let source = named.or_else(|| at.map(|at| arguments.positional[at]))?;
    let behind = at.filter(|_| named.is_none()).map(|at| at + 1 + usize::from(name.ends_with("with_class")));
    let positional = behind.and_then(|at| arguments.positional.get(at)).copied();
    let caption = arguments.named(&["caption", "image_caption", "image_figcaption"]).map(str::to_owned);
    let alt = arguments.named(&["alt", "image_alt"]).or(positional).or_else(|| arguments.named(&["title"])).unwrap_or_default();
    Some(Piece::Image { source: source.to_owned(), alt: alt.to_owned(), caption })
}
