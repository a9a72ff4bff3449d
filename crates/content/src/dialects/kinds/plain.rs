//! A plain folder of articles: the fallback for every folder. Of generators without a kind of their own
//! the configuration says which texts are public.

mod gatsby;
mod nikola;
mod pelican;
mod python;
mod scripts;
mod sphinx;
mod sphinx_order;

use self::python::Settings;
use crate::dialects::config::{Config, Keys};
use crate::dialects::dialect::{COMMON, Dialect};
use crate::dialects::evidence::Evidence;
use crate::dialects::scope::{Project, Scope};

pub(super) static DIALECT: Dialect = Dialect {
    name: "plain",
    recognise: |_| Some("nothing says otherwise".to_owned()),
    scope,
    program,
    settle,
    order: &[sphinx_order::outline],
    order_files: sphinx_order::files,
    aliases_may_be_names: true,
    ..COMMON
};

/// A generator without a kind of its own.
struct Generator {
    is_one: fn(&Evidence<'_>) -> bool,
    scope: fn(&Project<'_>) -> Scope,
    /// Its program, and the names by which that describes the site.
    settings: fn(&Evidence<'_>) -> Option<Settings>,
    keys: Keys,
    settle: fn(&Evidence<'_>, &mut Config),
}

/// In the order in which they are tried.
const GENERATORS: [Generator; 5] = [
    Generator {
        is_one: pelican::is_one,
        scope: pelican::scope,
        settings: pelican::settings,
        keys: pelican::KEYS,
        settle: pelican::settle,
    },
    Generator {
        is_one: nikola::is_one,
        scope: nikola::scope,
        settings: nikola::settings,
        keys: nikola::KEYS,
        settle: nikola::settle,
    },
    Generator {
        is_one: sphinx::is_one,
        scope: sphinx::scope,
        settings: |evidence| Some(sphinx::settings(evidence)?.1),
        keys: sphinx::KEYS,
        settle: sphinx::settle,
    },
    Generator {
        is_one: scripts::is_one,
        scope: scripts::scope,
        settings: |_| None,
        keys: Keys::NONE,
        settle: scripts::settle,
    },
    Generator {
        is_one: gatsby::is_one,
        scope: gatsby::scope,
        settings: |_| None,
        keys: Keys::NONE,
        settle: |_, _| {},
    },
];

fn generator(evidence: &Evidence<'_>) -> Option<&'static Generator> {
    GENERATORS
        .iter()
        .find(|generator| (generator.is_one)(evidence))
}

/// Whether the folder belongs to a generator without a kind of its own.
pub fn has_generator(evidence: &Evidence<'_>) -> bool {
    generator(evidence).is_some()
}

fn scope(project: &Project<'_>) -> Scope {
    generator(project.evidence).map_or_else(Scope::default, |one| (one.scope)(project))
}

fn program(evidence: &Evidence<'_>, config: &mut Config) {
    let Some(one) = generator(evidence) else {
        return;
    };
    if let Some(settings) = (one.settings)(evidence) {
        settings.describe(&one.keys, config);
    }
}

fn settle(evidence: &Evidence<'_>, config: &mut Config) {
    if let Some(generator) = generator(evidence) {
        (generator.settle)(evidence, config);
    }
}

/// Whether the folder belongs to Pelican, whose Markdown begins with lines `Key: value`.
pub fn has_headers(evidence: &Evidence<'_>) -> bool {
    pelican::is_one(evidence)
}
