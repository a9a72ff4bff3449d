//! What was found out about a folder.

use std::sync::Arc;

use super::config::Config;
use super::dialect::Dialect;
use super::evidence::Evidence;
use super::kinds;
use crate::model::fingerprint::{Digest, Fingerprint};
use crate::model::sources::Sources;
use crate::syntax::settings::Settings;

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
    /// Recognises a folder; `named` is the setting, which wins.
    pub fn of(evidence: &Evidence<'_>, named: Option<&str>) -> Self {
        let (dialect, says) = kinds::find(evidence, named);
        let vault = dialect.vault || kinds::is_vault(evidence);
        let config = Arc::new(Config::of(evidence, &dialect.keys));
        Self {
            dialect,
            evidence: says,
            wikilinks: vault || evidence.uses_wikilinks(),
            percent_comments: vault,
            dollar_math: dialect.dollar_math || vault || config.math,
            config,
        }
    }

    /// A digest of all that decides how texts are read: in folders of kinds with the same they are
    /// read alike.
    pub(crate) fn digest(&self) -> Digest {
        let Self {
            dialect,
            evidence: _,
            wikilinks,
            percent_comments,
            dollar_math,
            config,
        } = self;
        Fingerprint::of(&(
            dialect.name,
            wikilinks,
            percent_comments,
            dollar_math,
            format!("{config:?}"),
        ))
    }
}

/// The configuration of another generator that says where the site is, and the address: a hint,
/// which is never used on its own.
pub fn site_address(sources: &Sources, named: Option<&str>) -> Option<(String, String)> {
    let config = config(sources, named);
    Some((config.file, config.address?))
}

/// What the configuration of another generator says that settings say too. Settings win over it.
pub fn settings(sources: &Sources, named: Option<&str>) -> Settings {
    config(sources, named).settings
}

fn config(sources: &Sources, named: Option<&str>) -> Config {
    let evidence = Evidence::of(sources);
    let (dialect, _) = kinds::find(&evidence, named);
    Config::of(&evidence, &dialect.keys)
}
