//! The languages of a Docusaurus site, and the folders of their texts.

use crate::dialects::config::{Config, Locale};
use crate::dialects::script::is_computed;
use crate::syntax::front::Node;

/// The maximum number of languages.
const MOST: usize = 200;

/// A language that is built, and has texts of its own.
pub struct Translation {
    /// Its name on the site; empty: its texts replace those of the default language.
    pub name: String,
    /// Its folder in `i18n/`.
    pub folder: String,
}

/// The languages without `localeConfigs: { fr: { translate: false } }`; `path` names the folder. A
/// site that names no language is in English.
pub fn all(data: Option<&Node>, config: &Config) -> Vec<Translation> {
    let own = data.and_then(|data| data.get("i18n.localeConfigs"));
    let mut all = Vec::new();
    for Locale { name, .. } in config.locales.iter().take(MOST) {
        let own = own.and_then(|own| own.node.get(name)).map(|own| &own.node);
        all.extend(translation(name, own, config));
    }
    if config.locales.is_empty() && config.default_language.is_none() {
        all.push(Translation {
            name: String::new(),
            folder: "en".to_owned(),
        });
    }
    all
}

/// The language with a name, unless its `own` configuration says that it is not translated.
fn translation(name: &str, own: Option<&Node>, config: &Config) -> Option<Translation> {
    let value = |key: &str| Some(&own?.get(key)?.node);
    if value("translate").and_then(Node::bool) == Some(false) {
        return None;
    }
    let folder = value("path").filter(|node| !is_computed(node));
    let is_default = config.is_default(name);
    Some(Translation {
        name: (if is_default { "" } else { name }).to_owned(),
        folder: folder.and_then(Node::text).unwrap_or(name).to_owned(),
    })
}
