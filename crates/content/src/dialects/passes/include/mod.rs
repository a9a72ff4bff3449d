//! Includes: a file of the folder stands where it is named, in every spelling that people use, in code as well where its kind does so. No file outside
//! of the folder is ever read, nor one that readers may not see; depth, count and size are bounded, and a file that includes itself is said.

pub(in crate::dialects) use marks::SIGNS;

mod jsx;
mod marks;
mod part;
mod tags;

use std::collections::BTreeSet;
use std::ops::Range;

use crate::dialects::passes::lines::Lines;
use crate::dialects::{Files, Kind, Named, Remark};
use crate::syntax::markdown::literal::{Literals, literals, literals_of_html};
use part::Part;

/// How deep files may include others.
const DEPTH: usize = 8;
/// How many includes one page may have, those of its includes among them.
const MOST: usize = 1000;
/// How many bytes a page may grow by.
const LARGEST: usize = 1_000_000;
/// How many bytes may be read for one page.
const READ: usize = 16_000_000;

/// What a text is.
#[derive(Clone, Copy)]
pub(in crate::dialects) struct Scope<'a> {
    pub(in crate::dialects) html: bool,
    pub(in crate::dialects) jsx: bool,
    pub(in crate::dialects) kind: &'a Kind,
    pub(in crate::dialects) files: &'a Files<'a>,
}

/// What the includes of a text did.
#[derive(Debug, Default)]
pub(in crate::dialects) struct Included {
    /// The files, by path.
    pub(in crate::dialects) files: BTreeSet<String>,
    pub(in crate::dialects) remarks: Vec<Remark>,
}

/// Something in a text that stands for a file.
struct Site {
    range: Range<usize>,
    ask: Ask,
}

/// What a site asks for.
enum Ask {
    File(Box<Want>),
    /// A literal: an include that is escaped.
    Show(String),
    /// Nothing that is shown.
    Drop,
}

/// A file that is wanted.
#[derive(Default)]
struct Want {
    /// As the author wrote it.
    written: String,
    /// Paths in the folder, in the order in which they are tried.
    paths: Vec<String>,
    part: Part,
    shape: Shape,
    /// What `{{ include.key }}` and `{props.key}` in the file stand for.
    parameters: Vec<(String, String)>,
    /// Whether it stands in code: what it names is code too.
    code: bool,
    /// Whether the mark stays when there is no such file: it may mean something else.
    lenient: bool,
}

/// How a file is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Shape {
    /// As it is.
    #[default]
    Raw,
    /// As a template, if it has no logic of its own.
    Template,
    /// As JSX, on lines of its own.
    Component,
    /// As code in this language.
    Code(String),
}

/// Puts in every file that a text names.
pub(in crate::dialects) fn rewrite(lines: &mut Lines, scope: Scope<'_>) -> Included {
    let mut expander = Expander {
        scope,
        included: Included::default(),
        open: vec![scope.files.path.to_owned()],
        left: MOST,
        grown: 0,
        read: 0,
        full: false,
        at: (0, 0),
    };
    if !marks::any(&lines.text, scope) {
        return expander.included;
    }
    let text = std::mem::take(&mut lines.text);
    let sites = expander.sites(&text, scope.files.path, false);
    if sites.is_empty() {
        lines.text = text;
        return expander.included;
    }
    let places = crate::model::text::Lines::new(&text);
    let mut around = Around::of(&text);
    let (mut out, mut sources, mut done, mut line) = (String::with_capacity(text.len()), vec![0], 0, 0);
    for site in sites {
        let (row, column) = places.place(site.range.start);
        expander.at = (u32::try_from(lines.source(row as usize - 1)).unwrap_or(u32::MAX), column);
        if crate::model::bounds::is_over() {
            break;
        }
        let Some(put) = expander.replacement(&mut around, &site, scope.files.path) else { continue };
        for _ in text[done..site.range.start].matches('\n') {
            line += 1;
            sources.push(line);
        }
        sources.extend(std::iter::repeat_n(line, put.matches('\n').count()));
        line += text[site.range.clone()].matches('\n').count();
        out.push_str(&text[done..site.range.start]);
        out.push_str(&put);
        done = site.range.end;
    }
    for _ in text[done..].matches('\n') {
        line += 1;
        sources.push(line);
    }
    out.push_str(&text[done..]);
    lines.replace(out, &sources);
    expander.included
}

/// A text around its sites, which are asked for in order.
struct Around<'a> {
    text: &'a str,
    /// Where the line of the site before begins, and that site.
    line: (usize, usize),
}

impl<'a> Around<'a> {
    const fn of(text: &'a str) -> Self {
        Self { text, line: (0, 0) }
    }

    /// Where the line of this place begins.
    fn line(&mut self, at: usize) -> usize {
        let (begin, before) = self.line;
        let begin = self.text.get(before..at).and_then(|between| between.rfind('\n')).map_or(begin, |found| before + found + 1);
        self.line = (begin, at);
        begin
    }
}

struct Expander<'a> {
    scope: Scope<'a>,
    included: Included,
    /// The files that are being included.
    open: Vec<String>,
    left: usize,
    grown: usize,
    read: usize,
    /// Whether it was said that the page includes too much.
    full: bool,
    /// Line (from 0) and column (from 1) of the include in the page's own text.
    at: (u32, u32),
}

impl Expander<'_> {
    /// All sites of a text, in order and apart from each other.
    fn sites(&self, text: &str, path: &str, code: bool) -> Vec<Site> {
        let found = if code {
            Literals { code: std::iter::once(0..text.len()).collect(), ..Literals::default() }
        } else if self.scope.html && self.open.len() == 1 {
            literals_of_html(text)
        } else {
            literals(text)
        };
        let mut sites = marks::sites(text, path, &found, self.scope);
        if !code {
            sites.extend(tags::sites(text, path, &found, self.scope));
            if self.scope.jsx {
                sites.extend(jsx::sites(text, path, &found));
            }
        }
        sites.sort_by_key(|site| site.range.start);
        let mut end = 0;
        sites.retain(|site| {
            let apart = site.range.start >= end;
            if apart {
                end = site.range.end;
            }
            apart
        });
        sites
    }

    /// What stands in place of a site; `None`: the site stays.
    fn replacement(&mut self, around: &mut Around<'_>, site: &Site, path: &str) -> Option<String> {
        let text = around.text;
        let want = match &site.ask {
            Ask::Show(literal) => return Some(literal.clone()),
            Ask::Drop => return Some(String::new()),
            Ask::File(want) => want,
        };
        let put = self.file(want, path)?;
        let before = &text[around.line(site.range.start)..site.range.start];
        let prefix = crate::dialects::markup::container(before);
        let alone = before.len() == prefix.len();
        let room = LARGEST.saturating_sub(self.grown);
        let put = if put.contains('\n') && alone && !prefix.is_empty() && prefix.len() * put.matches('\n').count() <= room {
            let before = put.len();
            let put = put.replace('\n', &format!("\n{prefix}"));
            self.grown += put.len() - before;
            put
        } else {
            put
        };
        let apart = matches!(want.shape, Shape::Code(_) | Shape::Component) && !put.is_empty();
        if !apart {
            return Some(put);
        }
        let bare = prefix.trim_end();
        let is_blank = |line: &str| line.trim_matches([' ', '\t', '>']).is_empty();
        let mut lines_above = text[..site.range.start - before.len()].rsplit('\n').skip(1);
        let above = if !alone {
            format!("\n{bare}\n{prefix}")
        } else if is_blank(before) && !lines_above.next().is_none_or(is_blank) {
            format!("\n{prefix}")
        } else {
            String::new()
        };
        // What stands behind it on the line, and on the next.
        let rest = text[site.range.end..].trim_start_matches([' ', '\t', '>']);
        let below = match rest.strip_prefix('\n') {
            None if !rest.is_empty() => format!("\n{bare}\n{prefix}"),
            Some(next) if !is_blank(next.split('\n').next().unwrap_or_default()) => format!("\n{bare}"),
            _ => String::new(),
        };
        Some(format!("{above}{put}{below}"))
    }

    /// The text of a file, with its own includes; empty when it cannot be had, and then why is said.
    fn file(&mut self, want: &Want, from: &str) -> Option<String> {
        // Nothing more is read for a page that has enough.
        if self.left == 0 || self.grown > LARGEST || self.read > READ {
            return (!want.lenient).then(|| self.too_much(want, from));
        }
        let mut closed = None;
        let mut found = None;
        for path in &want.paths {
            match (self.scope.files.read)(path) {
                Named::Text(text) => {
                    found = Some((path, text));
                    break;
                }
                Named::Closed(why) => closed = closed.or(Some(why)),
                Named::Missing => {}
            }
        }
        let Some((path, text)) = found else {
            if want.lenient && closed.is_none() {
                return None;
            }
            return Some(self.says(want, from, closed.as_deref().unwrap_or("there is no such file in the folder")));
        };
        if self.open.iter().any(|open| open == path) {
            return Some(self.says(want, from, "it includes itself"));
        }
        self.read += text.len();
        if self.open.len() > DEPTH || self.read > READ {
            return Some(self.too_much(want, from));
        }
        self.left -= 1;
        let Some(part) = want.part.of(&text) else { return Some(self.says(want, from, "the file has no such part")) };
        if self.grown + part.len() > LARGEST {
            return Some(self.too_much(want, from));
        }
        let part = match &want.shape {
            Shape::Template => tags::filled(&part, &want.parameters)?,
            Shape::Component => jsx::filled(&part, &want.parameters, LARGEST),
            _ => part.into_owned(),
        };
        self.grown += part.len();
        self.included.files.insert(path.clone());
        self.open.push(path.clone());
        let put = self.nested(&part, path, want.code || matches!(want.shape, Shape::Code(_)));
        self.open.pop();
        Some(match &want.shape {
            Shape::Code(language) => {
                let longest = put.split(|c| c != '`').map(str::len).max().unwrap_or(0);
                let fence = "`".repeat(longest.max(2) + 1);
                format!("{fence}{language}\n{put}\n{fence}")
            }
            _ => put,
        })
    }

    fn nested(&mut self, text: &str, path: &str, code: bool) -> String {
        if !marks::any(text, self.scope) {
            return text.to_owned();
        }
        let (mut out, mut done) = (String::with_capacity(text.len()), 0);
        let mut around = Around::of(text);
        for site in self.sites(text, path, code) {
            let Some(put) = self.replacement(&mut around, &site, path) else { continue };
            out.push_str(&text[done..site.range.start]);
            out.push_str(&put);
            done = site.range.end;
        }
        out.push_str(&text[done..]);
        out
    }

    /// Says once a page that it includes too much.
    fn too_much(&mut self, want: &Want, from: &str) -> String {
        if std::mem::replace(&mut self.full, true) { String::new() } else { self.says(want, from, "the page includes too much") }
    }

    fn says(&mut self, want: &Want, from: &str, why: &str) -> String {
        let written = crate::model::text::shorten(&want.written, 200);
        let whose = if self.open.len() > 1 { format!(" in `{from}`") } else { String::new() };
        let message = format!("nothing is included for `{written}`{whose}: {why}");
        self.included.remarks.push(Remark { line: self.at.0, column: self.at.1, message });
        String::new()
    }
}

/// A path of the folder, `None` when it leads out of it or into something hidden. `/x` and `~/x` count from the folder itself.
fn resolve(from: &str, name: &str) -> Option<String> {
    let name = name.trim();
    let rooted = name.strip_prefix("~/").or_else(|| name.strip_prefix("@site/"));
    let mut parts: Vec<&str> = if rooted.is_some() || name.starts_with('/') { Vec::new() } else { from.split('/').collect() };
    parts.pop();
    for part in rooted.unwrap_or(name).split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            _ if part.starts_with('.') => return None,
            _ => parts.push(part),
        }
    }
    (!parts.is_empty()).then(|| parts.join("/"))
}

/// Places where a kind of folder keeps what is included, tried for a path that is not relative to the file.
fn below<'a>(folders: impl IntoIterator<Item = &'a str>, name: &str) -> Vec<String> {
    let paths =
        folders.into_iter().map(|folder| if folder.is_empty() { name.to_owned() } else { format!("{folder}/{}", name.trim_start_matches('/')) });
    paths.filter_map(|path| resolve("", &path)).collect()
}

/// The language of a file, where it is code by its suffix.
fn language_of(path: &str) -> Option<String> {
    const TEXTS: [&str; 14] = ["md", "markdown", "mdx", "qmd", "html", "htm", "xhtml", "txt", "svg", "njk", "liquid", "inc", "ext", "mkd"];
    let (_, suffix) = path.rsplit('/').next()?.rsplit_once('.')?;
    let suffix = suffix.to_ascii_lowercase();
    let word = !suffix.is_empty() && suffix.len() <= 12 && suffix.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'#'));
    (word && !TEXTS.contains(&suffix.as_str())).then_some(suffix)
}

#[cfg(test)]
mod tests;
