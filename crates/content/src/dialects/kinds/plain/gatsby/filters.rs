//! What the program of a Gatsby site filters out: `allMarkdownRemark(filter: { frontmatter: { published:
//! { eq: true } } })`.

use crate::dialects::config::{Config, Demand, Glob, Test, Usual};
use crate::dialects::evidence::Evidence;
use crate::model::problem::{Cause, Problem};
use crate::model::text::{Lines, decode};
use crate::syntax::tokens::{Code, TokenKind, unquoted};

/// The beginning of the name of the program that makes pages.
pub const PROGRAM: &str = "gatsby-node.";
/// What it asks for texts.
const QUERIES: [&str; 2] = ["allMarkdownRemark", "allMdx"];
/// The key of the filter with conditions on front matter.
const FRONT: &str = "frontmatter";
/// The largest program, in bytes.
const LARGEST: usize = 1_000_000;
/// The maximum number of queries.
const MOST: usize = 100;
/// The longest arguments of a query, in bytes.
const LONGEST: usize = 5000;

/// What one query asks of texts.
#[derive(Default)]
struct Filter {
    demands: Vec<Demand>,
    is_unread: bool,
}

/// Withholds the texts of these folders that no query of the program has.
pub fn settle(evidence: &Evidence<'_>, folders: &[String], config: &mut Config) {
    let Some(file) = evidence.beginning(PROGRAM) else {
        return;
    };
    if file.bytes.len() > LARGEST {
        return;
    }
    let (text, _) = decode(&file.bytes, &file.path);
    let filters = filters(&text);
    let unread = filters.iter().find(|(_, filter)| filter.is_unread);
    if let Some((at, _)) = unread {
        let (line, _) = Lines::new(&text).place(*at);
        let problem = Problem::warning(
            "a filter of texts is not read whole: texts that it leaves out may be published",
        );
        let problem = problem.at(&*file.path, line, 0).cause(Cause::Configuration);
        let hint =
            "compare keys of `frontmatter` with literals, or write `draft: true` in these texts";
        config.problems.push(problem.hint(hint));
    }
    let demands = asked_by_all(filters);
    if !demands.is_empty() {
        let globs = folders
            .iter()
            .flat_map(|folder| Glob::parse_paths(folder, "**"));
        config.demands.push((globs.collect(), demands));
    }
}

/// What all queries ask.
fn asked_by_all(filters: Vec<(usize, Filter)>) -> Vec<Demand> {
    let demands = filters.into_iter().map(|(_, filter)| filter.demands);
    let both = |mut one: Vec<Demand>, other: Vec<Demand>| {
        one.retain(|demand| other.contains(demand));
        one
    };
    demands.reduce(both).unwrap_or_default()
}

/// The queries for texts in a program, with their offsets.
fn filters(text: &str) -> Vec<(usize, Filter)> {
    let mut filters = Vec::new();
    for query in QUERIES {
        for (at, _) in text.match_indices(query).take(MOST) {
            let (before, behind) = (&text[..at], &text[at + query.len()..]);
            // `result.data.allMdx` is a value.
            let is_part = before.ends_with(|c: char| c == '.' || c.is_alphanumeric());
            let mut end = behind.len().min(LONGEST);
            while !behind.is_char_boundary(end) {
                end -= 1;
            }
            let code = Code::new(&behind[..end]);
            let filter = match is_part {
                true => None,
                false => filter(&code),
            };
            filters.extend(filter.map(|filter| (at, filter)));
        }
    }
    filters
}

/// The filter of a query whose arguments or fields begin a text. `None`: it is not one for texts.
fn filter(code: &Code<&str>) -> Option<Filter> {
    let has_arguments = code.is(0, '(');
    let fields = if has_arguments { code.behind(0) } else { 0 };
    // `{ group(field: …) }` counts texts.
    if !code.is(fields, '{') || code.is_word(fields + 1, "group") {
        return None;
    }
    let mut filter = Filter::default();
    if !has_arguments {
        return Some(filter);
    }
    for (key, value) in entries(code, 0) {
        if key == "filter" {
            filter.read(code, value);
        }
    }
    Some(filter)
}

impl Filter {
    /// Reads `{ frontmatter: { key: { eq: true } } }`.
    fn read(&mut self, code: &Code<&str>, at: usize) {
        self.is_unread |= !code.is(at, '{');
        for (key, value) in entries(code, at) {
            if key != FRONT || !code.is(value, '{') {
                self.is_unread = true;
                continue;
            }
            for (key, conditions) in entries(code, value) {
                self.is_unread |= !code.is(conditions, '{');
                for (operator, literal) in entries(code, conditions) {
                    let demand = demand(code, (key, operator), literal);
                    self.is_unread |= demand.is_none();
                    self.demands.extend(demand);
                }
            }
        }
    }
}

/// What `eq`, `ne`, `in` or `nin` asks of a key.
fn demand(code: &Code<&str>, (key, operator): (&str, &str), at: usize) -> Option<Demand> {
    let is_list = code.is(at, '[');
    let texts: Option<Vec<String>> = match is_list {
        true => (at + 1..code.end(at))
            .filter(|at| !code.is(*at, ','))
            .map(|at| literal(code, at))
            .collect(),
        false => Some(vec![literal(code, at)?]),
    };
    let is = match (operator, is_list) {
        ("eq", false) | ("in", true) => true,
        ("ne", false) | ("nin", true) => false,
        _ => return None,
    };
    Some(Demand {
        key: key.to_owned(),
        test: Test::OneOf(texts?),
        is,
        usual: Usual::Nothing,
    })
}

fn literal(code: &Code<&str>, at: usize) -> Option<String> {
    let source = code.source(at);
    match code.kind(at)? {
        TokenKind::Text => Some(unquoted(source)),
        TokenKind::Word if source != "null" && !source.starts_with('$') => Some(source.to_owned()),
        _ => None,
    }
}

/// The keys in a bracket, with the tokens of their values.
fn entries<'c>(code: &'c Code<&str>, open: usize) -> Vec<(&'c str, usize)> {
    let mut entries = Vec::new();
    let mut at = open + 1;
    let end = match code.kind(open) {
        Some(TokenKind::Sign('(' | '{')) => code.end(open),
        _ => at,
    };
    while at < end {
        if code.is(at, ',') {
            at += 1;
            continue;
        }
        if !code.is(at + 1, ':') {
            break;
        }
        entries.push((code.source(at), at + 2));
        at = match code.kind(at + 2) {
            Some(TokenKind::Sign('(' | '[' | '{')) => code.behind(at + 2),
            _ => at + 3,
        };
    }
    entries
}
