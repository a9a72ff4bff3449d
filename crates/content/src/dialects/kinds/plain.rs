//! A plain folder of articles: the fallback for every folder. Of generators without a kind of their own
//! the configuration says which texts are public.

mod documentation;
mod gatsby;
mod metalsmith;
mod nikola;
mod nuxt;
mod passwords;
mod pelican;
mod places;
mod python;
mod retype;
mod scripts;
mod sphinx;
mod sphinx_order;
mod vuepress;

use self::python::Settings;
use crate::dialects::config::{Config, Keys};
use crate::dialects::dialect::{COMMON, Dialect};
use crate::dialects::evidence::Evidence;
use crate::dialects::scope::{Project, Scope};
use crate::dialects::tags::Piece;
use crate::syntax::front::Front;

pub(super) static DIALECT: Dialect = Dialect {
    name: "plain",
    recognise: |_| Some("nothing says otherwise".to_owned()),
    scope,
    program,
    settle,
    order: &[sphinx_order::outline],
    order_files: sphinx_order::files,
    aliases_may_be_names: true,
    tags_off: retype::OFF,
    output: vuepress::output,
    // Of Nikola.
    shortcodes: &[(&["thumbnail"], Piece::picture)],
    ..COMMON
};

/// A generator without a kind of its own.
struct Generator {
    is_one: fn(&Evidence<'_>) -> bool,
    scope: fn(&Project<'_>) -> Scope,
    /// Reads what its settings say of the site.
    describe: fn(&Evidence<'_>, &mut Config),
    settle: fn(&Evidence<'_>, &mut Config),
}

/// In the order in which they are tried.
const GENERATORS: [Generator; 9] = [
    Generator {
        is_one: pelican::is_one,
        scope: pelican::scope,
        describe: |evidence, config| {
            described(pelican::settings(evidence), &pelican::KEYS, config);
        },
        settle: pelican::settle,
    },
    Generator {
        is_one: nikola::is_one,
        scope: nikola::scope,
        describe: |evidence, config| {
            described(nikola::settings(evidence), &nikola::KEYS, config);
        },
        settle: nikola::settle,
    },
    Generator {
        is_one: sphinx::is_one,
        scope: sphinx::scope,
        describe: |evidence, config| {
            let settings = sphinx::settings(evidence).map(|(_, settings)| settings);
            described(settings, &sphinx::KEYS, config);
        },
        settle: sphinx::settle,
    },
    Generator {
        is_one: scripts::is_one,
        scope: scripts::scope,
        describe: |_, _| {},
        settle: scripts::settle,
    },
    Generator {
        is_one: vuepress::is_one,
        scope: vuepress::scope,
        describe: |_, _| {},
        settle: vuepress::settle,
    },
    Generator {
        is_one: nuxt::is_one,
        scope: nuxt::scope,
        describe: |_, _| {},
        settle: nuxt::settle,
    },
    Generator {
        is_one: gatsby::is_one,
        scope: gatsby::scope,
        describe: |_, _| {},
        settle: gatsby::settle,
    },
    Generator {
        is_one: documentation::is_one,
        scope: documentation::scope,
        describe: documentation::describe,
        settle: documentation::settle,
    },
    Generator {
        is_one: metalsmith::is_one,
        scope: metalsmith::scope,
        describe: metalsmith::describe,
        settle: metalsmith::settle,
    },
];

/// Reads the site by these names from a program in Python.
fn described(settings: Option<Settings>, keys: &Keys, config: &mut Config) {
    if let Some(settings) = settings {
        settings.describe(keys, config);
    }
}

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
    if let Some(generator) = generator(evidence) {
        (generator.describe)(evidence, config);
    }
}

fn settle(evidence: &Evidence<'_>, config: &mut Config, _: &Front) {
    if let Some(generator) = generator(evidence) {
        (generator.settle)(evidence, config);
    }
}

/// Whether the folder belongs to Pelican, whose Markdown begins with lines `Key: value`.
pub fn has_headers(evidence: &Evidence<'_>) -> bool {
    pelican::is_one(evidence)
}
