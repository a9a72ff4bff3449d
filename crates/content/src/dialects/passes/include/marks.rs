//! Includes that are no template tags: mdBook's `{{#include}}`, MkDocs' `--8<--` and `{!file!}`, VitePress' `<!--@include:-->` and `<<<`, DocFX'
//! `[!INCLUDE]` and `[!code]`.

use super::{Ask, Part, Scope, Shape, Site, Want, below, language_of, resolve};
use crate::dialects::Spelling;
use crate::model::text::Marks;
use crate::syntax::markdown::literal::Literals;

/// The longest mark, in bytes.
const LONGEST: usize = 1000;

/// One of them is in every text that includes something, but for tags of Liquid and JSX.
pub(in crate::dialects) const SIGNS: [&str; 10] = ["{{#", "8<-", "{!", "@include", "<<< ", "[!INCLUDE", "[!include", "[!code", "{{<", "{{%"];

/// Whether a text may include anything at all.
pub(super) fn any(text: &str, scope: Scope<'_>) -> bool {
    static ANY: Marks = Marks::of(&[&SIGNS]);
    let liquid = || text.contains("{%") && (text.contains("include") || text.contains("render"));
    ANY.any(text) || liquid() || scope.jsx && (text.contains("import ") || text.contains("<Snippet"))
}

/// The rest of a line, as far as a mark may reach.
fn near(text: &str) -> &str {
    let near = &text.as_bytes()[..text.len().min(LONGEST)];
    let end = memchr::memchr(b'\n', near).unwrap_or(near.len());
    text.get(..end).unwrap_or_default()
}

/// The sites of a text.
pub(super) fn sites(text: &str, path: &str, literals: &Literals, scope: Scope<'_>) -> Vec<Site> {
    let mut find = Find { text, path, literals, scope, sites: Vec::new() };
    find.hashes();
    if !scope.html {
        find.scissors();
        find.bangs();
        find.comments();
        find.arrows();
        find.docfx();
    }
    find.sites
}

struct Find<'a> {
    text: &'a str,
    path: &'a str,
    literals: &'a Literals,
    scope: Scope<'a>,
    sites: Vec<Site>,
}

impl<'a> Find<'a> {
    fn spells(&self, spelling: Spelling) -> bool {
        self.scope.kind.dialect.includes == spelling
    }

    fn ask(&mut self, start: usize, end: usize, want: Want) {
        let code = self.literals.is_code(start);
        self.sites.push(Site { range: start..end, ask: Ask::File(Box::new(Want { code, ..want })) });
    }

    /// `{{#include file:part}}`, `{{#rustdoc_include …}}`, `{{#playground …}}`. In code they are tags of an mdBook alone.
    fn hashes(&mut self) {
        let book = self.spells(Spelling::Hashes);
        for (at, _) in self.text.match_indices("{{#") {
            let code = self.literals.is_code(at);
            let behind = near(&self.text[at + 3..]);
            let Some(length) = behind.find("}}") else { continue };
            if code && !book {
                continue;
            }
            let mut words = behind[..length].split_whitespace();
            let end = at + 3 + length + 2;
            let name = words.next().unwrap_or_default();
            let known = matches!(name, "include" | "rustdoc_include" | "playground" | "playpen" | "title");
            if self.text[..at].ends_with('\\') && known && book {
                let tag = &self.text[at..end];
                let shown = if code { tag.to_owned() } else { format!("`{tag}`") };
                self.sites.push(Site { range: at - 1..end, ask: Ask::Show(shown) });
                continue;
            }
            if name == "title" && book && !code {
                self.sites.push(Site { range: at..end, ask: Ask::Drop });
            }
            let Some(written) = words.next().filter(|_| known && name != "title") else { continue };
            let (file, part) = written.split_once(':').unwrap_or((written, ""));
            let play = matches!(name, "playground" | "playpen") && !code;
            let shape = if play { Shape::Code("rust".to_owned()) } else { Shape::Raw };
            let paths = resolve(self.path, file).into_iter().collect();
            self.ask(at, end, Want { written: written.to_owned(), paths, part: Part::of_book(part), shape, lenient: !book, ..Want::default() });
        }
    }

    /// `--8<-- "file:part"`, and lines of files between two `--8<--`.
    fn scissors(&mut self) {
        let mut block = false;
        let mut start = 0;
        for line in self.text.split_inclusive('\n') {
            let at = start;
            start += line.len();
            let bare = line.trim_end();
            let trimmed = bare.trim_start_matches([' ', '\t', '>']);
            let begin = at + bare.len() - trimmed.len();
            let end = at + bare.len();
            if let Some(escaped) = trimmed.strip_prefix(';').filter(|rest| scissors(rest).is_some_and(|rest| quoted(rest).is_some())) {
                let shown = if self.literals.is_code(begin) { escaped.to_owned() } else { crate::dialects::markup::code_span(escaped) };
                self.sites.push(Site { range: begin..end, ask: Ask::Show(shown) });
                continue;
            }
            // Without an end it is no block.
            let ends = || self.text[start..].lines().take(1000).any(|line| scissors(line.trim()) == Some(""));
            match (scissors(trimmed), block) {
                (Some(""), open) if open || self.spells(Spelling::Scissors) && ends() => {
                    block = !open;
                    self.sites.push(Site { range: begin..end, ask: Ask::Drop });
                }
                (Some(rest), false) => quoted(rest).into_iter().for_each(|file| self.snippet(begin, end, file)),
                (None, true) if trimmed.starts_with(';') => self.sites.push(Site { range: begin..end, ask: Ask::Drop }),
                (None, true) if !trimmed.is_empty() => self.snippet(begin, end, trimmed.trim_matches(['"', '\''])),
                _ => {}
            }
        }
    }

    fn snippet(&mut self, start: usize, end: usize, written: &str) {
        if written.starts_with(';') {
            return self.sites.push(Site { range: start..end, ask: Ask::Drop });
        }
        let address = written.contains("://");
        let (file, part) = if address { (written, "") } else { written.split_once(':').unwrap_or((written, "")) };
        let roots = self.scope.kind.dialect.roots;
        let mut paths = if address {
            Vec::new()
        } else {
            below(std::iter::once("").chain(roots.iter().copied()).chain(["includes", "snippets", "docs/snippets"]), file)
        };
        paths.extend(resolve(self.path, file).filter(|_| !address));
        let lenient = !self.spells(Spelling::Scissors);
        self.ask(start, end, Want { written: written.to_owned(), paths, part: Part::of_snippet(part), lenient, ..Want::default() });
    }

    /// `{!file!}` and `{!file!lines=1 3-5!}` of markdown-include.
    fn bangs(&mut self) {
        if !self.spells(Spelling::Scissors) {
            return;
        }
        for (at, _) in self.text.match_indices("{!") {
            let behind = near(&self.text[at + 2..]);
            let Some(length) = behind.find('}') else { continue };
            let Some((file, lines)) = behind[..length].trim_start_matches('>').split_once('!') else { continue };
            let file = file.trim();
            if file.is_empty() || file.contains('{') {
                continue;
            }
            let part = lines.trim_matches(['!', ' ']).strip_prefix("lines=").map_or(Part::Whole, Part::of_lines);
            let mut paths = below(["", "docs"], file);
            paths.extend(resolve(self.path, file));
            self.ask(at, at + 2 + length + 1, Want { written: file.to_owned(), paths, part, ..Want::default() });
        }
    }

    /// `<!--@include: ./x.md#part{1,3}-->` of VitePress.
    fn comments(&mut self) {
        for (at, _) in self.text.match_indices("<!--") {
            let behind = near(&self.text[at + 4..]);
            let Some(inner) = behind.trim_start().strip_prefix("@include:") else { continue };
            let Some(length) = inner.find("-->") else { continue };
            if self.literals.is_code(at) {
                continue;
            }
            let end = at + 4 + (behind.len() - inner.len()) + length + 3;
            let (written, part) = braces(inner[..length].trim());
            let (file, part) = match written.split_once('#') {
                Some((file, name)) => (file, Part::Region(name.to_owned())),
                None => (written, part.map_or(Part::Whole, Part::of_braces)),
            };
            self.ask(at, end, Want { written: written.to_owned(), paths: self.aliased(file), part, ..Want::default() });
        }
    }

    /// `<<< @/x.js#region{1,3 ts} [title]` of VitePress, on a line of its own.
    fn arrows(&mut self) {
        let mut start = 0;
        for line in self.text.split_inclusive('\n') {
            let at = start;
            start += line.len();
            let bare = line.trim_end();
            let trimmed = bare.trim_start();
            let begin = at + bare.len() - trimmed.len();
            let Some(rest) = trimmed.strip_prefix("<<<").map(str::trim_start) else { continue };
            if !rest.starts_with(['@', '.', '/']) || self.literals.is_code(begin) {
                continue;
            }
            let rest = rest.split_once(" [").map_or(rest, |(rest, _)| rest).trim();
            let (written, attributes) = braces(rest);
            let (file, part) = match written.split_once('#') {
                Some((file, name)) => (file, Part::Region(name.to_owned())),
                None => (written, Part::Whole),
            };
            let language = attributes.and_then(|words| words.split_whitespace().find(|word| word.starts_with(|c: char| c.is_ascii_alphabetic())));
            let language = language.and_then(|word| word.split(':').next()).map(str::to_owned).or_else(|| language_of(file)).unwrap_or_default();
            let paths = self.aliased(file);
            self.ask(begin, at + bare.len(), Want { written: written.to_owned(), paths, part, shape: Shape::Code(language), ..Want::default() });
        }
    }

    /// A path that may begin with `@/`: the source folder.
    fn aliased(&self, file: &str) -> Vec<String> {
        match file.strip_prefix('@') {
            Some(rest) => below(std::iter::once("").chain(self.scope.kind.dialect.roots.iter().copied()).chain(["docs", "src"]), rest),
            None => resolve(self.path, file).into_iter().chain(below(["docs", "src"], file).into_iter().filter(|_| file.starts_with('/'))).collect(),
        }
    }

    /// `[!INCLUDE [title](path)]` and `[!code-csharp[title](path#L1-L5)]` of DocFX.
    fn docfx(&mut self) {
        for (at, _) in self.text.match_indices("[!") {
            let behind = near(&self.text[at + 2..]);
            let name = behind.len() - behind.trim_start_matches(|c: char| c.is_ascii_alphabetic() || matches!(c, '-' | '_' | '+' | '#')).len();
            let (name, rest) = behind.split_at(name);
            let code = name.to_ascii_lowercase().starts_with("code");
            if !(code || name.eq_ignore_ascii_case("include")) || self.literals.is_code(at) {
                continue;
            }
            let Some(close) = rest.find(")]") else { continue };
            let Some((_, written)) = rest[..close].trim_start().strip_prefix('[').and_then(|rest| rest.split_once("](")) else { continue };
            let end = at + 2 + name.len() + close + 2;
            let (file, part) = docfx_part(written.split_whitespace().next().unwrap_or_default());
            let language = name.split_once('-').map(|(_, word)| word.to_ascii_lowercase()).or_else(|| language_of(file));
            let shape = if code { Shape::Code(language.unwrap_or_default()) } else { Shape::Raw };
            let paths = resolve(self.path, file).into_iter().collect();
            self.ask(at, end, Want { written: written.to_owned(), paths, part, shape, ..Want::default() });
        }
    }
}

/// What follows `--8<--`.
fn scissors(line: &str) -> Option<&str> {
    let rest = line.strip_prefix('-')?.trim_start_matches('-').strip_prefix("8<-")?.trim_start_matches('-');
    (rest.is_empty() || rest.starts_with([' ', '\t'])).then_some(rest.trim())
}

/// The text between quotes, when the whole is that.
fn quoted(text: &str) -> Option<&str> {
    ['"', '\''].into_iter().find_map(|quote| text.strip_prefix(quote)?.strip_suffix(quote)).filter(|inner| !inner.is_empty())
}

/// What stands before `{…}` at the end, and what is in it.
fn braces(text: &str) -> (&str, Option<&str>) {
    match text.strip_suffix('}').and_then(|text| text.rsplit_once('{')) {
        Some((before, inner)) => (before.trim_end(), Some(inner)),
        None => (text, None),
    }
}

/// `x.cs#L1-L5`, `x.cs#name`, `x.cs?name=part`, `x.cs?range=1-5`.
fn docfx_part(written: &str) -> (&str, Part) {
    if let Some((file, query)) = written.split_once('?') {
        let value = |key: &str| query.split('&').find_map(|pair| pair.strip_prefix(key)?.strip_prefix('='));
        let lines =
            value("range").map(Part::of_lines).or_else(|| Some(Part::Lines(vec![(value("start")?.parse().ok()?, value("end")?.parse().ok()?)])));
        return (file, value("name").map(|name| Part::Element(name.to_owned())).or(lines).unwrap_or_default());
    }
    match written.split_once('#') {
        Some((file, part)) if part.starts_with('L') && part[1..].starts_with(|c: char| c.is_ascii_digit()) => (file, Part::of_lines(part)),
        Some((file, part)) => (file, Part::Element(part.to_owned())),
        None => (written, Part::Whole),
    }
}
