//! What the pages of an Astro site leave out of a collection: `getCollection('blog', ({ data }) =>
//! !data.wip)`. The routes that make pages of its texts decide; where they are not read, what every call
//! for the collection asks.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::calls::{Call, calls, is_program};
use super::condition::{Question, Subject};
use super::filter::{Ask, Filter};
use super::programs::{Place, Program, Programs};
use super::routes::{self, Taken};
use super::schema::Schema;
use crate::dialects::collections::{Collections, in_content};
use crate::dialects::config::{Config, Demand, Glob, Test, Usual};
use crate::dialects::evidence::Evidence;
use crate::model::problem::{Cause, Problem};
use crate::model::text::Lines;
use crate::syntax::tokens::Code;

/// The maximum number of files that are looked through.
const MOST: usize = 5000;
/// The longest arguments of a call, in bytes.
const LONGEST: usize = 2000;
/// How far from its name the bracket of a call is looked for, in tokens.
const NEAR: usize = 20;
/// The largest file, in bytes.
const LARGEST: usize = 1_000_000;
/// The endings of texts, which are not part of an id.
const ENDINGS: &str = "{md,mdx,mdown,markdown}";

/// Withholds the texts that no route makes a page of. `others`: a collection with routes of its own.
pub fn settle(
    evidence: &Evidence<'_>,
    source: &str,
    collections: &Collections,
    others: Option<&str>,
    config: &mut Config,
) {
    let mut programs = Programs::new(evidence, source);
    let mut schema = None;
    for (name, taken) in deciding(evidence, source, &mut programs) {
        if Some(&*name) == others {
            continue;
        }
        let folder = in_content(source, &name);
        let usual = Glob::parse_paths(&folder, "**");
        let (texts, folder) = match collections.loaded(&name) {
            Some((texts, folder)) => (texts, folder),
            None => (&*usual, &*folder),
        };
        if let Some(problem) = unread(&name, &taken) {
            Problem::note_all(&mut config.problems, [problem]);
        }
        let mut demands = Vec::new();
        for ask in asked_by_all(taken) {
            let key = match &ask.subject {
                Subject::Key(key) => key,
                Subject::Id => "id",
            };
            config.say(&format!("getCollection.{name}"), key);
            let schema = schema.get_or_insert_with(|| Schema::find(evidence, source));
            match demand(&ask, schema) {
                Some(demand) => demands.push(demand),
                None => config.exclude.extend(left_out(&ask, folder)),
            }
        }
        if !demands.is_empty() {
            config.demands.push((texts.to_vec(), demands));
        }
    }
}

/// The calls that decide about each collection.
fn deciding(
    evidence: &Evidence<'_>,
    source: &str,
    programs: &mut Programs<'_, '_>,
) -> BTreeMap<String, Vec<Taken>> {
    let mut all = every_call(evidence, source, programs);
    let routes = routes::taken(evidence, source, programs).unwrap_or_default();
    let mut of_routes: BTreeMap<String, Vec<Taken>> = BTreeMap::new();
    for taken in routes.taken {
        of_routes.entry(taken.name.clone()).or_default().push(taken);
    }
    of_routes.retain(|name, _| !routes.unread.contains(name));
    all.append(&mut of_routes);
    all
}

/// All calls for each collection; none, if a program may ask for any collection.
fn every_call(
    evidence: &Evidence<'_>,
    source: &str,
    programs: &mut Programs<'_, '_>,
) -> BTreeMap<String, Vec<Taken>> {
    let mut all: BTreeMap<String, Vec<Taken>> = BTreeMap::new();
    let files = evidence.below(source);
    let files = files.filter(|file| is_program(&file.path) && file.bytes.len() <= LARGEST);
    for file in files.take(MOST) {
        let text = String::from_utf8_lossy(&file.bytes);
        for (at, call) in calls(&text) {
            let Call::Of(name) = call else {
                return BTreeMap::new();
            };
            let place = place(&file.path, &text, at, programs);
            let code = &place.program.code;
            let open = (place.at..place.at + NEAR).find(|at| code.is(*at, '('));
            let open = open.filter(|_| code.is_word(place.at, routes::GETTER));
            let taken = open.and_then(|open| routes::collection(&place, open, programs));
            let taken = taken.unwrap_or_else(|| Taken {
                name: name.to_owned(),
                filter: Filter::open(),
                place,
            });
            all.entry(name.to_owned()).or_default().push(taken);
        }
    }
    all
}

/// The place of a call: in its program, or alone where what is around it is not a program.
fn place(path: &str, text: &str, offset: usize, programs: &mut Programs<'_, '_>) -> Place {
    let program = programs
        .open(path)
        .filter(|program| program.code.text().len() == text.len());
    if let Some(program) = program
        && let Some(at) = program.code.at_offset(offset)
    {
        return Place { program, at };
    }
    let near = &text[offset..];
    let near = &near[..near.floor_char_boundary(LONGEST)];
    let program = Rc::new(Program {
        path: path.to_owned(),
        code: Code::new(near.to_owned()),
    });
    Place { program, at: 0 }
}

/// The warning about filters of which a part is not read, if each has one.
fn unread(name: &str, taken: &[Taken]) -> Option<Problem> {
    let first = taken.first()?;
    if taken.iter().any(|taken| taken.filter.is_whole) {
        return None;
    }
    let program = &first.place.program;
    let start = program.code.token(first.place.at)?.start;
    let (line, _) = Lines::new(program.code.text()).place(start);
    let problem = Problem::warning(format!(
        "the filter of `{name}` is not read whole: texts that it leaves out may be published"
    ));
    let problem = problem
        .at(&*program.path, line, 0)
        .cause(Cause::Configuration);
    Some(
        problem.hint("compare keys of `data` with literals, or write `draft: true` in these texts"),
    )
}

/// What all calls ask.
fn asked_by_all(taken: Vec<Taken>) -> BTreeSet<Ask> {
    let filters = taken.into_iter().map(|taken| taken.filter.asks);
    let both = |one: BTreeSet<Ask>, other: BTreeSet<Ask>| &one & &other;
    filters.reduce(both).unwrap_or_default()
}

/// What a question asks of front matter; `None`: it is about the path.
fn demand(ask: &Ask, schema: &Schema) -> Option<Demand> {
    let Subject::Key(key) = &ask.subject else {
        return None;
    };
    let test = match &ask.question {
        Question::True => Test::True,
        Question::OneOf(texts) => Test::OneOf(texts.clone()),
        Question::Has(text) => Test::Has(text.clone()),
        Question::Begins(_) | Question::Ends(_) => return None,
    };
    let usual = match &ask.usual {
        Some(usual) => Usual::Value(usual.clone()),
        None if key.is_empty() => Usual::Nothing,
        None => schema.usual(key),
    };
    Some(Demand {
        key: key.clone(),
        test,
        is: ask.is,
        usual,
    })
}

/// The texts that a question about the path leaves out: those whose answer is yes.
fn left_out(ask: &Ask, folder: &str) -> Vec<Glob> {
    const WHY: &str = "left out by the filter of its collection";
    let without_ending = without_ending(&ask.question);
    let mut patterns: Vec<String> = Vec::new();
    for pattern in &without_ending {
        patterns.push(format!("{pattern}.{ENDINGS}"));
    }
    // An id may have the ending of its file.
    if matches!(&ask.question, Question::Ends(_) | Question::OneOf(_)) {
        patterns.extend(without_ending);
    }
    let globs = patterns
        .iter()
        .flat_map(|pattern| Glob::parse_paths(folder, pattern));
    globs.map(|glob| glob.in_any_case().because(WHY)).collect()
}

/// The patterns of the ids about which a question is.
fn without_ending(question: &Question) -> Vec<String> {
    let ids = match question {
        Question::Begins(text) => vec![format!("{text}*"), format!("{text}*/**/*")],
        Question::Ends(text) => vec![format!("**/*{text}")],
        Question::Has(text) => vec![format!("**/*{text}*"), format!("**/*{text}*/**/*")],
        Question::OneOf(texts) => texts.clone(),
        Question::True => Vec::new(),
    };
    // White space in a name is `-` in an id.
    ids.iter().map(|id| id.replace('-', "?")).collect()
}
