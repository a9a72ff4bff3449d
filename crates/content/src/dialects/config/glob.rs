//! Path patterns: those of `.gitignore`, those that count from the root, those of Jekyll, and regular
//! expressions. No crate reads all of these patterns: `glob` has no braces, `globset` takes `**.md` for
//! `*.md`, and neither matches the beginning of a path, as Jekyll does.

use std::borrow::Cow;

use regex_lite::{Regex, RegexBuilder};

use super::groups::Groups;
use super::names::{LITERAL, SET, fits_name, matches};

/// The longest pattern, in bytes.
const LONGEST: usize = 500;
/// The maximum size of a compiled expression, in bytes: comparing takes as long as it is large.
const MOST_COMPILED: usize = 30_000;

/// How a configuration writes path patterns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patterns {
    /// As in `.gitignore`.
    Ignore,
    /// Exactly as in `.gitignore`, from the folders of the content. A list decides by itself.
    Git,
    /// The path from the content's root, of a file or of a folder above it.
    Rooted,
    /// The same, where `*` and `?` also match `/`, and what is in a folder counts only if a pattern says
    /// so: those of the crate `globset`.
    Whole,
    /// The path of a file from the content's root: what is in a folder fits where `**` says so.
    Paths,
    /// Jekyll's: the beginning of a path from the root, or a pattern whose `*` also matches `/`.
    Entry,
    /// Regular expressions.
    Expression,
}

impl Patterns {
    /// The patterns in a text; none if it is not understood.
    pub fn read(self, pattern: &str) -> Vec<Glob> {
        match self {
            Self::Expression => Glob::parse_expression(pattern).into_iter().collect(),
            Self::Entry => Glob::parse_entry(pattern).into_iter().collect(),
            Self::Paths if !pattern.starts_with('!') && self.has_all_groups(pattern) => {
                Glob::parse_paths("", pattern)
            }
            Self::Git => Glob::parse(&signs(pattern)).into_iter().collect(),
            Self::Ignore => alternatives(&without_sets(pattern))
                .iter()
                .filter_map(|one| Glob::parse(one))
                .collect(),
            Self::Whole => Glob::parse_whole(pattern),
            Self::Rooted | Self::Paths => {
                alternatives(&without_sets(&without_groups(pattern, true)))
                    .iter()
                    .filter_map(|one| Glob::parse(one))
                    .map(|glob| Glob {
                        rooted: true,
                        ..glob
                    })
                    .collect()
            }
        }
    }

    /// Whether all groups of a pattern are read as they are meant.
    pub fn has_all_groups(self, pattern: &str) -> bool {
        !matches!(self, Self::Rooted | Self::Paths)
            || pattern.len() > LONGEST
            || Groups::rewrite(pattern).are_read
    }
}

/// A pattern in which character sets (`[ab]`) match any character.
fn without_sets(pattern: &str) -> String {
    let mut text = String::new();
    let mut rest = pattern;
    while let Some((before, set)) = rest.split_once('[') {
        let Some((_, after)) = set.split_once(']') else {
            break;
        };
        text.push_str(before);
        text.push('?');
        rest = after;
    }
    text + rest
}

/// A pattern with braces in place of groups. A group that is not read becomes `*` if that is asked
/// for; otherwise the pattern stays, and fits nothing.
fn without_groups(pattern: &str, any: bool) -> String {
    if pattern.len() > LONGEST {
        return pattern.to_owned();
    }
    let groups = Groups::rewrite(pattern);
    match groups.are_read || any {
        true => groups.text,
        false => pattern.to_owned(),
    }
}

/// A pattern with its character sets marked.
fn with_sets(pattern: &str) -> String {
    if pattern.len() > LONGEST {
        return pattern.to_owned();
    }
    let mut text = String::new();
    let mut rest = pattern;
    while let Some((before, set)) = rest.split_once('[') {
        let end = set
            .char_indices()
            .skip(1)
            .find(|(_, c)| matches!(c, ']' | '/'));
        text.push_str(before);
        text.push(match end {
            Some((_, ']')) if !before.ends_with(LITERAL) => SET,
            _ => '[',
        });
        rest = set;
    }
    text + rest
}

/// A pattern of `.gitignore` with its character sets and its escaped characters marked.
fn signs(pattern: &str) -> String {
    if pattern.len() > LONGEST {
        return pattern.to_owned();
    }
    let mut text = String::new();
    let mut rest = pattern;
    while let Some((before, escaped)) = rest.split_once('\\') {
        text.push_str(before);
        let mut after = escaped.chars();
        if let Some(own) = after.next() {
            text.extend("*?[!#".contains(own).then_some(LITERAL));
            text.push(own);
        }
        rest = after.as_str();
    }
    with_sets(&(text + rest))
}

/// A regular expression for paths.
#[derive(Clone, Debug)]
struct Expression(Regex);

impl PartialEq for Expression {
    fn eq(&self, other: &Self) -> bool {
        self.0.as_str() == other.0.as_str()
    }
}

impl Eq for Expression {}

impl Expression {
    /// Whether it matches part of a path, which may begin with `/`, or of a folder above it.
    fn fits(&self, path: &str) -> bool {
        let rooted = format!("/{path}");
        let folders = rooted.match_indices('/').skip(1).take(100);
        // A part of a folder is part of the path as well, unless the expression names the end.
        let names_end = self.0.as_str().contains(['$', '\\']);
        let folders = folders.filter(|_| names_end).map(|(end, _)| &rooted[..end]);
        let mut paths = folders.chain([&*rooted]);
        paths.any(|path| self.0.is_match(path) || self.0.is_match(&path[1..]))
    }
}

/// What of a path a pattern is for.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Reach {
    /// Each segment is for a part of the path.
    Parts,
    /// One text is for its beginning.
    Beginning,
    /// One text is for the whole path.
    Whole,
    /// An expression decides, and there are no segments.
    Expression(Expression),
}

/// A path pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Glob {
    /// `!pattern`: a matching path is part of the site again.
    pub negated: bool,
    /// Whether it is anchored at the root.
    rooted: bool,
    reach: Reach,
    /// Whether letters fit in any case; its own are in lower case.
    any_case: bool,
    segments: Vec<String>,
    /// How many of the last segments are not its own: they fit what is in a folder that it fits. Two, if
    /// it fits folders alone.
    inner: usize,
    /// Why what fits is excluded, where no configuration says so.
    pub why: Option<&'static str>,
}

impl Glob {
    /// A pattern of these segments, which fits nothing but what they fit.
    fn new(rooted: bool, reach: Reach, segments: Vec<String>) -> Self {
        Self {
            negated: false,
            rooted,
            reach,
            any_case: false,
            segments,
            inner: 0,
            why: None,
        }
    }

    /// A pattern of `.gitignore`.
    pub fn parse(pattern: &str) -> Option<Self> {
        let pattern = pattern.trim();
        let (negated, pattern) = without_negation(pattern);
        let folders_alone = pattern.ends_with('/');
        let inner = pattern.trim_end_matches('/').trim_start_matches("./");
        let rooted = inner.contains('/');
        let inner = inner.trim_start_matches('/');
        let mut segments = named_parts(inner);
        let fits = (1..=32).contains(&segments.len()) && inner.len() <= LONGEST;
        // A matching folder includes its contents.
        segments.extend(folders_alone.then(|| "*".to_owned()));
        segments.push("**".to_owned());
        fits.then_some(Self {
            negated,
            inner: if folders_alone { 2 } else { 1 },
            ..Self::new(rooted, Reach::Parts, segments)
        })
    }

    /// A pattern of a `.gitignore` in a folder, from which it counts.
    pub fn parse_below(folder: &str, pattern: &str) -> Option<Self> {
        let glob = Self::parse(&signs(pattern))?;
        if folder.is_empty() {
            return Some(glob);
        }
        let mut segments: Vec<String> = folder.split('/').map(str::to_owned).collect();
        segments.extend((!glob.rooted).then(|| "**".to_owned()));
        segments.extend(glob.segments);
        Some(Self {
            rooted: true,
            segments,
            ..glob
        })
    }

    /// A pattern of whole paths below a folder: `**/*.md`, `**.md`, `{a,b}/**`. It fits files, and
    /// what is in a folder only where `**` says so.
    pub fn parse_paths(folder: &str, pattern: &str) -> Vec<Self> {
        let pattern = pattern.trim().replace('\\', "/");
        let pattern = with_sets(&without_groups(&pattern, false));
        let mut globs = Vec::new();
        for one in alternatives(&pattern) {
            let Some(segments) = segments(folder, &one) else {
                continue;
            };
            if (1..=32).contains(&segments.len()) {
                globs.push(Self::new(true, Reach::Parts, segments));
            }
        }
        globs
    }

    /// A pattern of Jekyll: a path that begins so is excluded too, and `*` matches `/` as well.
    pub fn parse_entry(pattern: &str) -> Option<Self> {
        let inner = pattern.trim().trim_start_matches("./");
        let inner = without_sets(inner.trim_start_matches('/'));
        let fits = (1..=LONGEST).contains(&inner.len());
        fits.then(|| Self::new(true, Reach::Beginning, vec![inner]))
    }

    /// Patterns of whole paths in which `*` matches `/` as well.
    fn parse_whole(pattern: &str) -> Vec<Self> {
        let pattern = pattern.trim();
        if !(1..=LONGEST).contains(&pattern.len()) {
            return Vec::new();
        }
        // `a/**/b` fits `a/b` as well.
        let pattern = with_sets(&pattern.replace("/**/", "{/,/**/}"));
        let globs = alternatives(&pattern).into_iter();
        let globs = globs.map(|one| Self::new(true, Reach::Whole, vec![one]));
        globs.collect()
    }

    /// A regular expression; `None` if it is not one.
    pub fn parse_expression(expression: &str) -> Option<Self> {
        if expression.len() > LONGEST {
            return None;
        }
        let mut builder = RegexBuilder::new(expression);
        let expression = Expression(builder.size_limit(MOST_COMPILED).build().ok()?);
        Some(Self::new(false, Reach::Expression(expression), Vec::new()))
    }

    /// The pattern with the reason why what fits is excluded.
    pub fn because(self, why: &'static str) -> Self {
        Self {
            why: Some(why),
            ..self
        }
    }

    /// The pattern in which letters fit in any case.
    pub fn in_any_case(self) -> Self {
        Self {
            any_case: true,
            segments: self.segments.iter().map(|one| one.to_lowercase()).collect(),
            ..self
        }
    }

    /// The pattern of what is part of the site again.
    pub fn negate(self) -> Self {
        Self {
            negated: true,
            ..self
        }
    }

    /// Whether a path, or a folder above it, matches.
    pub fn fits(&self, path: &str) -> bool {
        let path = self.in_its_case(path);
        match (&self.reach, self.segments.first()) {
            (Reach::Expression(expression), _) => return expression.fits(&path),
            (Reach::Beginning, _) => return self.fits_entry(&path),
            (Reach::Whole, Some(pattern)) => return fits_name(pattern, &path),
            _ => {}
        }
        let parts: Vec<&str> = path.split('/').take(100).collect();
        self.fits_parts(&self.segments, &parts)
    }

    /// Whether a path itself matches, not a folder above it.
    pub fn fits_itself(&self, path: &str, is_folder: bool) -> bool {
        if self.inner == 0 {
            return self.fits(path);
        }
        let path = self.in_its_case(path);
        let mut parts: Vec<&str> = path.split('/').take(100).collect();
        let own = &self.segments[..self.segments.len().saturating_sub(self.inner)];
        // `guide/**` fits what is in the folder, not the folder.
        if own.len() > 1 && own.last().is_some_and(|last| last == "**") {
            parts.pop();
        }
        (is_folder || self.inner == 1) && !parts.is_empty() && self.fits_parts(own, &parts)
    }

    fn in_its_case<'p>(&self, path: &'p str) -> Cow<'p, str> {
        match self.any_case && path.contains(char::is_uppercase) {
            true => Cow::Owned(path.to_lowercase()),
            false => Cow::Borrowed(path),
        }
    }

    fn fits_parts(&self, segments: &[String], parts: &[&str]) -> bool {
        let last = if self.rooted { 1 } else { parts.len() };
        (0..last).any(|from| begins(segments, &parts[from..]))
    }

    fn fits_entry(&self, path: &str) -> bool {
        let Some(pattern) = self.segments.first() else {
            return false;
        };
        if path.starts_with(pattern.as_str()) {
            return true;
        }
        if !pattern.contains(['*', '?']) {
            return false;
        }
        let folders = path
            .match_indices('/')
            .take(100)
            .map(|(end, _)| &path[..end]);
        folders.chain([path]).any(|path| fits_name(pattern, path))
    }
}

fn begins(segments: &[String], parts: &[&str]) -> bool {
    matches(
        segments,
        parts,
        |segment| segment == "**",
        |segment, part| fits_name(segment, part),
    )
}

/// The pattern of a list by which a path is excluded: the last that fits decides.
pub fn deciding<'g>(globs: &'g [Glob], path: &str) -> Option<&'g Glob> {
    let last = globs.iter().rfind(|glob| glob.fits(path));
    last.filter(|glob| !glob.negated)
}

/// The pattern of a list by which a file is excluded, as `pathspec` has it for MkDocs. Of the patterns that
/// fit the file itself the last decides, whatever a folder above it says. Versions differ where a
/// folder is excluded after the file was included; it stays excluded, as git has it.
pub fn ignoring<'g>(globs: &'g [Glob], path: &str) -> Option<&'g Glob> {
    let mut later = None;
    for glob in globs.iter().rev() {
        if glob.fits_itself(path, false) {
            let mut deciding = std::iter::once(glob).chain(later);
            return deciding.find(|glob| !glob.negated);
        }
        if later.is_none() && glob.fits(path) {
            later = Some(glob);
        }
    }
    later.filter(|glob| !glob.negated)
}

/// Whether a pattern begins with `!`, and the pattern without it.
fn without_negation(pattern: &str) -> (bool, &str) {
    let rest = pattern.strip_prefix('!');
    (rest.is_some(), rest.unwrap_or(pattern))
}

/// The parts of a pattern between slashes, without empty ones.
fn named_parts(pattern: &str) -> Vec<String> {
    let parts = pattern.split('/').filter(|part| !part.is_empty());
    parts.map(str::to_owned).collect()
}

/// The segments of a pattern below a folder; `None` if it leads out of all folders.
fn segments(folder: &str, pattern: &str) -> Option<Vec<String>> {
    if pattern.len() > LONGEST {
        return None;
    }
    let mut names = Vec::new();
    for part in folder.split('/').chain(pattern.split('/')) {
        match part {
            "" | "." => {}
            ".." => drop(names.pop()?),
            // `**.md` is short for `**/*.md`.
            _ if part.len() > 2 && part.starts_with("**") => {
                names.extend([
                    "**".to_owned(),
                    format!("*{}", part.trim_start_matches('*')),
                ]);
            }
            _ => names.push(part.to_owned()),
        }
    }
    if pattern.ends_with('/') {
        names.push("**".to_owned());
    }
    Some(names)
}

/// How many patterns one with braces may represent.
const MOST_ALTERNATIVES: usize = 64;

/// The patterns that one with braces means: `{a,b}/x` is `a/x` and `b/x`.
fn alternatives(pattern: &str) -> Vec<String> {
    let mut done = Vec::new();
    let mut open = vec![pattern.to_owned()];
    while let Some(one) = open.pop() {
        let braces = one
            .find('}')
            .and_then(|end| Some((one[..end].rfind('{')?, end)));
        match braces {
            Some((start, end)) if done.len() + open.len() < MOST_ALTERNATIVES => {
                for inner in one[start + 1..end].split(',').take(MOST_ALTERNATIVES) {
                    open.push(format!("{}{inner}{}", &one[..start], &one[end + 1..]));
                }
            }
            _ => done.push(one),
        }
        if done.len() >= MOST_ALTERNATIVES {
            break;
        }
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_fit_as_gitignore_has_them() {
        let check = |pattern: &str, path: &str, fits: bool| {
            assert_eq!(
                Glob::parse(pattern).unwrap().fits(path),
                fits,
                "{pattern} {path}"
            )
        };
        check("vendor/", "vendor/a.md", true);
        check("vendor", "x/vendor/a.md", true);
        check("/drafts/", "x/drafts/a.md", false);
        check("/drafts/", "drafts/a.md", true);
        check("docs/old", "docs/old/a.md", true);
        check("docs/old", "x/docs/old/a.md", false);
        check("*.tmp.md", "x/a.tmp.md", true);
        check("a?c.md", "abc.md", true);
        check("**/x/*.md", "a/b/x/c.md", true);
        check("x/**/c.md", "x/c.md", true);
        check("x/*.md", "x/y/c.md", false);
        assert!(Glob::parse("!a").unwrap().negated && Glob::parse("/").is_none());
    }

    #[test]
    fn patterns_of_a_file_count_from_its_folder() {
        let fits =
            |pattern: &str, path: &str| Glob::parse_below("src", pattern).unwrap().fits(path);
        assert!(fits("/drafts", "src/drafts/a.md") && !fits("/drafts", "src/x/drafts/a.md"));
        assert!(fits("x/a.md", "src/x/a.md") && !fits("x/a.md", "x/a.md"));
        assert!(fits("*.tmp", "src/x/y/a.tmp") && !fits("*.tmp", "a.tmp"));
        assert!(Glob::parse_below("src", "!a").unwrap().negated);
        assert!(fits("a[0-9].md", "src/a1.md") && !fits("a[0-9].md", "src/ab.md"));
        assert!(fits("\\!a.md", "src/!a.md") && fits("\\#a.md", "src/#a.md"));
        let claude = Glob::parse_below("", "Claude.md").unwrap().in_any_case();
        assert!(claude.fits("x/CLAUDE.md"));
    }

    #[test]
    fn a_pattern_of_folders_fits_no_file() {
        let fits = |pattern: &str, path: &str| Glob::parse(pattern).unwrap().fits(path);
        assert!(!fits("*/", "a.md") && fits("*/", "x/a.md"));
        assert!(!fits("/x/", "x") && fits("x/", "y/x/a.md"));
        let itself = |pattern: &str, path: &str, is_folder: bool| {
            Glob::parse(pattern).unwrap().fits_itself(path, is_folder)
        };
        assert!(itself("x/", "x", true) && !itself("x/", "x", false));
        assert!(itself("*", "x/a.md", false) && !itself("x", "x/a.md", false));
        assert!(itself("x/**", "x/y/a.md", false) && !itself("x/**", "x", true));
    }

    #[test]
    fn a_list_excludes_as_git_has_it() {
        let check = |list: &str, path: &str, excluded: bool| {
            let patterns = list.split('|');
            let globs: Vec<Glob> = patterns.flat_map(|one| Patterns::Git.read(one)).collect();
            assert_eq!(ignoring(&globs, path).is_some(), excluded, "{list} {path}");
        };
        let allowed = "*|!*/|!index.md|!pub/**";
        check(allowed, "index.md", false);
        check(allowed, "sub/index.md", false);
        check(allowed, "sub/secret.md", true);
        check(allowed, "pub/b/c.md", false);
        check("drafts/|!keep/drafts/", "keep/drafts/a.md", false);
        check("drafts/|!keep/drafts/", "drafts/a.md", true);
        check("secret/|!secret/keep.md", "secret/keep.md", false);
        check("*.md|!sub/", "sub/a.md", true);
        check("*|!*.md|sub/", "sub/a.md", true);
        check("*|!*.md|sub/", "a.md", false);
        check("v[12].md", "v2.md", true);
        check("v[12].md", "v3.md", false);
        check("a\\ b.md", "a b.md", true);
        check("a\\*.md|\\[b].md", "a*.md", true);
        check("a\\*.md|\\[b].md", "ab.md", false);
        check("a\\*.md|\\[b].md", "[b].md", true);
        check("\\!a.md|\\#b.md", "!a.md", true);
        check("{a,b}.md", "a.md", false);
    }

    #[test]
    fn regular_expressions_are_patterns() {
        let check = |pattern: &str, path: &str, fits: bool| {
            assert_eq!(
                Glob::parse_expression(pattern).unwrap().fits(path),
                fits,
                "{pattern} {path}"
            )
        };
        check("\\.foo$", "a/b.foo", true);
        check("\\.foo$", "a/b.food", false);
        check("data/test.md", "data/test.md", true);
        check("draft.*\\.md$", "x/draft-a.md", true);
        check("drafts$", "drafts/a.md", true);
        check("drafts$", "x/drafts.md", false);
        check("(?i)WIP", "x/wip.md", true);
        check("\\bint\\b", "x/int/a.md", true);
        check("\\bint\\b", "x/hint/a.md", false);
        check("[A-Z]{3}", "x/ABC.md", true);
        check("\\d{2}x", "x/12x.md", true);
        check("posts[\\\\/]drafts", "posts/drafts/a.md", true);
        check("x(y|z)+w", "xyzw.md", true);
        check("^/wip/", "wip/a.md", true);
        assert_eq!(Glob::parse_expression("a(b"), None);
        let names: Vec<String> = (0..50).map(|at| format!("name{at}")).collect();
        let long = format!(r"^[\w-]+/({})\.(jpe?g|png|svg)$", names.join("|"));
        assert!(Glob::parse_expression(&long).is_some());
        for slow in ["(a?){500}b0", "(((a?){100}){100}){5}b", "((a?){30}){30}x"] {
            assert_eq!(Glob::parse_expression(slow), None, "{slow}");
        }
    }

    #[test]
    fn rule_26_expressions_with_groups_and_sets_are_patterns() {
        let fits = |pattern: &str, path: &str| {
            let globs = Patterns::Expression.read(pattern);
            globs.iter().any(|glob| glob.fits(path))
        };
        assert!(fits("\\.(ipynb|Rmd)$", "a/b.Rmd") && !fits("\\.(ipynb|Rmd)$", "a/b.md"));
        assert!(fits("(^|/)draft-", "posts/draft-a.md") && !fits("(^|/)draft-", "x/my-draft-a.md"));
        assert!(fits("notes|\\.tmp$", "notes/a.md") && fits("notes|\\.tmp$", "x/a.tmp"));
        assert!(fits("wip-[0-9]+\\.md$", "wip-12.md") && !fits("wip-[0-9]+\\.md$", "wip-.md"));
        assert!(fits("^wip/.*\\.md$", "wip/x/a.md") && !fits("^wip/.*\\.md$", "x/wip/a.md"));
        assert!(fits("v\\d/", "x/v1/a.md") && !fits("v\\d/", "x/v/a.md"));
        assert!(Patterns::Expression.read("a(b").is_empty());
    }

    #[test]
    fn patterns_of_whole_paths_fit_files() {
        let check = |folder: &str, pattern: &str, path: &str, fits: bool| {
            let globs = Glob::parse_paths(folder, pattern);
            assert_eq!(
                globs.iter().any(|glob| glob.fits(path)),
                fits,
                "{folder} {pattern} {path}"
            )
        };
        check("", "*.md", "a.md", true);
        check("", "*.md", "x/a.md", false);
        check("", "**/*.md", "a.md", true);
        check("", "**.md", "x/y/a.md", true);
        check("docs", "**/*.{md,yml}", "docs/x/a.yml", true);
        check("docs", "**/*.{md,yml}", "x/a.yml", false);
        check("docs", "../api/*.md", "api/a.md", true);
        check("", "{a,b/{c,d}}/**", "b/d/x/y.png", true);
        check("", "images/", "images/x/y.png", true);
        check("", "images", "images/y.png", false);
        check("", "***/x.md", "a/b/x.md", true);
        check("docs", "**/[^_]*.{md,mdx}", "docs/x/a.md", true);
        check("docs", "**/[^_]*.{md,mdx}", "docs/x/_a.md", false);
        check("", "[0-9a]*.md", "5.md", true);
        check("", "[0-9a]*.md", "b.md", false);
        check("", "[]x]a", "]a", true);
        check("a[b]", "[!-]c", "a[b]/dc", true);
        check("", "*.@(md|mdx)", "a.mdx", true);
        check("", "x?(-y).+(md)", "x.md", true);
        check("", "!(x)/*.md", "y/a.md", true);
        assert!(Glob::parse_paths("", "../x").is_empty());
        assert!(Glob::parse_paths("", &"{a,b}".repeat(40)).len() <= 64);
    }

    #[test]
    fn patterns_of_globset_fit_whole_paths() {
        let check = |pattern: &str, path: &str, fits: bool| {
            let globs = Patterns::Whole.read(pattern);
            let any = globs.iter().any(|glob| glob.fits(path));
            assert_eq!(any, fits, "{pattern} {path}");
        };
        check("*-wip/*.md", "content/a-wip/b/c.md", true);
        check("*/private/*", "content/s/private/u/v.md", true);
        check("*secret*", "content/mysecrets/x.md", true);
        check("*/note?.md", "content/s/note1.md", true);
        check("*/{one,two}/**", "content/s/one/z/k.md", true);
        check("**/[a-c]x.md", "content/s/ax.md", true);
        check("**/[a-c]x.md", "content/s/dx.md", false);
        check("*/[!a]x.md", "content/bx.md", true);
        check("content/**/k.md", "content/k.md", true);
        check("hid/*", "hid/sub/b.md", true);
        check("hid/*", "x/hid/b.md", false);
        check("**/hid", "content/hid/a.md", false);
        check("top.md", "content/top.md", false);
    }

    #[test]
    fn rule_32_patterns_of_jekyll_count_from_the_root() {
        let check = |pattern: &str, path: &str, fits: bool| {
            assert_eq!(
                Glob::parse_entry(pattern).unwrap().fits(path),
                fits,
                "{pattern} {path}"
            )
        };
        check("docs", "docs/a.md", true);
        check("docs", "EIPS/docs/a.md", false);
        check("docs", "docs.md", true);
        check("/docs/", "docs/a.md", true);
        check("docs/", "docs.md", false);
        check("*.txt", "a/b.txt", true);
        check("a/*/c", "a/x/y/c/d.md", true);
        check("README.md", "x/README.md", false);
        check("**/README.md", "x/README.md", true);
    }

    #[test]
    fn braces_are_alternatives() {
        let fits = |pattern: &str, path: &str| {
            Patterns::Rooted
                .read(pattern)
                .iter()
                .any(|glob| glob.fits(path))
        };
        assert!(fits("**/_*.{js,md}", "a/_b.md") && !fits("**/_*.{js,md}", "a/_b.mdx"));
        assert!(fits("!(a)/*.md", "b/c.md") && fits("@(a|b)/*", "b/c.md"));
        assert!(!fits("README.md", "a/README.md") && fits("[Rr]EADME.md", "README.md"));
        assert_eq!(alternatives(&"{a,b}".repeat(40)).len(), MOST_ALTERNATIVES);
    }

    proptest::proptest! {
        #[test]
        fn no_pattern_panics(pattern in "[a/*?!.{},|()@\\[\\]\\\\$^é-]{0,20}", path in "[a/.é]{0,20}") {
            for patterns in [Patterns::Ignore, Patterns::Git, Patterns::Rooted, Patterns::Whole, Patterns::Paths, Patterns::Entry, Patterns::Expression] {
                let paths = Glob::parse_paths("a", &pattern);
                for glob in patterns.read(&pattern).into_iter().chain(paths) {
                    glob.fits(&path);
                    glob.fits_itself(&path, true);
                }
            }
        }
    }

    #[test]
    fn a_hostile_pattern_is_bounded() {
        assert!(
            !Glob::parse(&format!("{}b", "*a".repeat(200)))
                .unwrap()
                .fits(&"a".repeat(5000))
        );
        Glob::parse(&"**/a/".repeat(16))
            .unwrap()
            .fits(&"a/".repeat(5000));
    }
}
