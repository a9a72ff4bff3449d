//! What a configuration excludes from the site.

use super::{Config, Glob, Keys, Patterns, deciding, ignoring};
use crate::model::path::below;
use crate::model::problem::{Cause, Problem, Severity};
use crate::model::text::shorten;
use crate::syntax::front::{Front, Node};

/// The maximum number of patterns of a list that excludes. A longer list excludes everything.
pub const MOST_EXCLUDED: usize = 2000;
/// Why everything is excluded where a list is longer.
const TOO_MANY: &str = "withheld, because a list of exclusions is too long";
/// Why nothing is published where the folder of the texts is not known.
pub const UNKNOWN_FOLDER: &str = "withheld, because the folder of the texts is not known";
/// Why everything is excluded where an exclusion, or the whole configuration, is not understood.
pub(super) const UNREAD: &str =
    "withheld, because what the configuration excludes is not understood";

impl Config {
    /// Reads what is excluded.
    pub fn excluded(&mut self, front: &Front, keys: &Keys) {
        self.excludes_in_content = keys.patterns == Patterns::Git;
        for key in keys.exclude {
            let Some(entry) = front.get(key) else {
                continue;
            };
            let patterns = patterns(&entry.node);
            if patterns.is_empty() {
                continue;
            }
            if self.is_too_long(key, patterns.len(), (entry.node.line, entry.node.column)) {
                continue;
            }
            for pattern in &patterns {
                let globs = keys.patterns.read(pattern);
                let is_read = !globs.is_empty() && keys.patterns.has_all_groups(pattern);
                let at = (entry.node.line, entry.node.column);
                match (is_read, keys.patterns) {
                    (true, _) => {}
                    (false, Patterns::Expression) => self.close(key, pattern, at),
                    (false, _) => self.note_unread(key, pattern, at),
                }
                match keys.patterns {
                    Patterns::Git => self.ignored.entry(key).or_default().extend(globs),
                    _ => self.exclude.extend(globs),
                }
            }
            self.say(key, &patterns.join(" "));
        }
    }

    /// Reports a pattern that is not read, or not as it is meant.
    pub fn note_unread(&mut self, key: &str, pattern: &str, (line, column): (u32, u32)) {
        let problem = not_understood(key, pattern).at(&*self.file, line, column);
        Problem::note_all(&mut self.problems, [problem.cause(Cause::Configuration)]);
    }

    /// Publishes nothing, since it is unknown what an expression leaves out.
    pub fn close(&mut self, key: &str, pattern: &str, (line, column): (u32, u32)) {
        let mut problem = not_understood(key, pattern).at(&*self.file, line, column);
        problem.severity = Severity::Error;
        problem
            .message
            .push_str(", so nothing of the site is published");
        self.withhold_for(problem, UNREAD);
    }

    /// Publishes nothing of the site.
    pub fn withhold_all(&mut self, why: &'static str) {
        self.closed = Glob::parse("*").map(|glob| glob.because(why));
    }

    /// Publishes nothing of the site because of a problem.
    pub fn withhold_for(&mut self, problem: Problem, why: &'static str) {
        self.problems.push(problem.cause(Cause::Configuration));
        self.withhold_all(why);
    }

    /// Whether a list of what is left out is too long to be compared with every file. That is an
    /// error, and nothing of the site is published.
    pub fn is_too_long(&mut self, key: &str, count: usize, (line, column): (u32, u32)) -> bool {
        if count <= MOST_EXCLUDED {
            return self.closed.is_some();
        }
        let problem = too_many(key, count, "nothing of the site is published");
        let problem = problem.at(&*self.file, line, column);
        self.withhold_for(problem, TOO_MANY);
        true
    }

    /// The pattern that excludes a path from the site. Patterns count from the project's root and
    /// from each of its content folders, or from these alone.
    pub fn exclusion(&self, path: &str, content: &[String]) -> Option<&Glob> {
        if self.closed.is_some() || self.exclude.is_empty() && self.ignored.is_empty() {
            return self.closed.as_ref();
        }
        let others = content
            .iter()
            .filter(|root| Some(*root) != self.content.as_ref());
        let roots = self.content.iter().chain(others);
        let inner = roots.filter_map(|root| below(path, root));
        let is_in_content = inner.clone().next().is_some();
        let whole = (!self.excludes_in_content || !is_in_content).then_some(path);
        let mut paths = whole.into_iter().chain(inner);
        paths.find_map(|path| self.last_exclusion(path))
    }

    /// Whether a path is excluded from the site.
    pub fn excludes(&self, path: &str, content: &[String]) -> bool {
        self.exclusion(path, content).is_some()
    }

    /// The last matching pattern decides.
    fn last_exclusion(&self, path: &str) -> Option<&Glob> {
        let mut lists = self.ignored.values();
        deciding(&self.exclude, path).or_else(|| lists.find_map(|list| ignoring(list, path)))
    }
}

/// A pattern that is not read.
fn not_understood(key: &str, pattern: &str) -> Problem {
    Problem::warning(format!(
        "`{key}` is not understood: `{}`",
        shorten(pattern, 60)
    ))
}

/// The patterns in a list, or in lines of text.
fn patterns(node: &Node) -> Vec<&str> {
    let mut patterns = Vec::new();
    for line in node
        .items()
        .iter()
        .filter_map(Node::text)
        .flat_map(str::lines)
    {
        let line = line.trim();
        if !line.is_empty() && !line.starts_with('#') {
            patterns.push(line);
        }
    }
    patterns
}

/// The problem of a list that is too long to be compared with every file.
pub fn too_many(key: &str, count: usize, what_follows: &str) -> Problem {
    let problem = Problem::error(format!(
        "`{key}` has {count} items, which is too many: {what_follows}"
    ));
    let hint = format!("write at most {MOST_EXCLUDED} patterns, such as one for a folder");
    problem.cause(Cause::Configuration).hint(hint)
}
