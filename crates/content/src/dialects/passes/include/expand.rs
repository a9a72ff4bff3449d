//! Replaces includes with the files that they name.

use std::collections::BTreeSet;

use super::find::{markers, may_include};
use super::marker::{Marker, Request, Shape, Want};
use super::rebase::rebased;
use super::{liquid, mdx, scissors, scriban, snippet};
use crate::dialects::lines::{Lines, Remark};
use crate::dialects::markup::{MARGIN, container, fence, is_blank};
use crate::dialects::passes::files::{Found, Named, Search};
use crate::dialects::passes::page::Page;
use crate::dialects::passes::splice::Splice;
use crate::model::bounds;
use crate::model::problem::Cause;
use crate::model::text::{self, number, shorten};
use crate::syntax::markdown::literal::{Literals, literals, literals_of_html};

/// How deep includes may be nested.
const DEPTH: usize = 8;
/// The maximum number of includes in one page, nested ones counted.
const MOST: usize = 1000;
/// How many bytes a page may grow by.
pub const LARGEST: usize = 1_000_000;
/// How many bytes may be read for one page.
const READ: usize = 16_000_000;

/// The result of expanding a text.
#[derive(Debug, Default)]
pub struct Included {
    /// The included files, by path.
    pub files: BTreeSet<String>,
    pub remarks: Vec<Remark>,
}

/// Expands every include of a text.
pub fn rewrite(lines: &mut Lines, page: &Page<'_>) -> Included {
    let path = page.files.path;
    let included = Included::default();
    let mut expander = Expander {
        page,
        included,
        open: vec![path.to_owned()],
        left: MOST,
        grown: 0,
        read: 0,
        full: false,
        at: (0, 0),
    };
    if !page.html {
        scissors::append(lines, path, &page.kind.config.appended);
    }
    if !may_include(&lines.text, page) {
        return expander.included;
    }
    let markers = expander.markers(&lines.text, path, false);
    if !markers.is_empty() {
        let (text, sources) = expander.expand(&lines.text, markers, path, Some(lines));
        lines.replace(text, &sources);
    }
    expander.included
}

struct Expander<'a> {
    page: &'a Page<'a>,
    included: Included,
    /// The files being included.
    open: Vec<String>,
    /// How many includes the page may still have.
    left: usize,
    grown: usize,
    read: usize,
    /// Whether the page was reported as including too much.
    full: bool,
    /// Line (from 0) and column (from 1) of the include in the page's own text.
    at: (u32, u32),
}

impl Expander<'_> {
    fn markers(&self, text: &str, path: &str, code: bool) -> Vec<Marker> {
        let literals = if code {
            Literals {
                code: std::iter::once(0..text.len()).collect(),
                ..Literals::default()
            }
        } else if self.page.html && self.open.len() == 1 {
            literals_of_html(text)
        } else {
            literals(text)
        };
        markers(text, path, &literals, code, self.page)
    }

    /// A text with its includes expanded; `page`: it is the page's own, and positions are recorded.
    fn expand(
        &mut self,
        text: &str,
        markers: Vec<Marker>,
        path: &str,
        page: Option<&Lines>,
    ) -> (String, Vec<usize>) {
        let places = page.map(|lines| (lines, text::Lines::new(text)));
        let mut starts = LineStarts {
            text,
            line: 0,
            before: 0,
        };
        let mut splice = Splice::new(text);
        for marker in markers {
            if bounds::is_over() {
                break;
            }
            if let Some((lines, places)) = &places {
                self.at = source_place(lines, places, marker.range.start);
            }
            let start = starts.find(marker.range.start);
            if let Some(put) = self.replacement(text, start, &marker, path) {
                splice.put(marker.range, &put);
            }
        }
        splice.finish()
    }

    /// The replacement of a marker; `None`: the marker is kept. `start` is where its line begins.
    fn replacement(
        &mut self,
        text: &str,
        start: usize,
        marker: &Marker,
        path: &str,
    ) -> Option<String> {
        let want = match &marker.request {
            Request::Show(literal) => return Some(literal.clone()),
            Request::Drop => return Some(String::new()),
            Request::File(want) => want,
        };
        let mut put = self.file(want, path)?;
        let before = &text[start..marker.range.start];
        let prefix = container(before);
        let alone = before.len() == prefix.len();
        let growth = prefix.len() * put.matches('\n').count();
        if alone && growth <= LARGEST.saturating_sub(self.grown) {
            put = put.replace('\n', &format!("\n{prefix}"));
            self.grown += growth;
        }
        if put.is_empty() || !matches!(want.shape, Shape::Code(_) | Shape::Component) {
            return Some(put);
        }
        let bare = prefix.trim_end();
        let above = if !alone {
            format!("\n{bare}\n{prefix}")
        } else if is_blank(before) && has_text_above(&text[..start]) {
            format!("\n{prefix}")
        } else {
            String::new()
        };
        let behind = text[marker.range.end..].trim_start_matches(MARGIN);
        let below = match behind.strip_prefix('\n') {
            None if !behind.is_empty() => format!("\n{bare}\n{prefix}"),
            Some(next) if !is_blank(first_line(next)) => format!("\n{bare}"),
            _ => String::new(),
        };
        Some(format!("{above}{put}{below}"))
    }

    /// The text of a file, with its own includes expanded; empty if it is unavailable, which is
    /// reported. `None`: the marker is kept.
    fn file(&mut self, want: &Want, from: &str) -> Option<String> {
        let (path, text) = match self.text_of(want, from) {
            Ok(found) => found,
            Err(instead) => return instead,
        };
        let Some(part) = want.part.extract(&text) else {
            return Some(self.report(want, from, "the file has no such part"));
        };
        if self.grown + part.len() > LARGEST {
            return Some(self.too_much(want, from));
        }
        if want.known && liquid::has_logic(&part) {
            return None;
        }
        let part = match &want.shape {
            Shape::Template => liquid::filled(&part, &want.parameters, LARGEST)?,
            Shape::Scriban => scriban::filled(&part, &want.parameters, LARGEST)?,
            Shape::Component => mdx::filled(&part, &want.parameters, LARGEST),
            Shape::Code(_) if want.dedent => snippet::dedented(&part),
            Shape::Raw | Shape::Code(_) => part.into_owned(),
        };
        self.grown += part.len();
        self.included.files.insert(path.clone());
        let code = want.code || matches!(want.shape, Shape::Code(_));
        let mut put = match self.open.contains(&path) {
            // A text that shows itself as code is not expanded again.
            true => part,
            false => self.nested(part, &path, code),
        };
        if want.rebase && !code {
            put = rebased(put, &path, from, LARGEST.saturating_sub(self.grown));
        }
        Some(match &want.shape {
            Shape::Code(language) => {
                let fence = fence(&put);
                format!("{fence}{language}\n{put}\n{fence}")
            }
            _ => put,
        })
    }

    /// The file of an include and its text, or what is shown instead.
    fn text_of(&mut self, want: &Want, from: &str) -> Result<(String, String), Option<String>> {
        // A page over its limit reads no more files.
        if self.left == 0 || self.grown > LARGEST || self.read > READ {
            return Err(if want.lenient {
                None
            } else {
                Some(self.too_much(want, from))
            });
        }
        let (path, text) = match self.look_up(want) {
            Ok(found) => found,
            Err(None) if want.lenient => return Err(None),
            Err(why) => {
                let why = why.as_deref().unwrap_or("the folder has no such file");
                return Err(Some(self.report(want, from, why)));
            }
        };
        if self.open.contains(&path) && !matches!(want.shape, Shape::Code(_)) {
            return Err(Some(self.report(want, from, "it includes itself")));
        }
        self.read += text.len();
        if self.open.len() > DEPTH || self.read > READ {
            return Err(Some(self.too_much(want, from)));
        }
        self.left -= 1;
        Ok((path, text))
    }

    /// The first file that exists, or why another is not included.
    fn look_up(&self, want: &Want) -> Result<(String, String), Option<String>> {
        let files = self.page.files;
        let mut closed = None;
        for path in &want.paths {
            match (files.read)(path) {
                Named::Text(text) => return Ok((path.clone(), text)),
                Named::Closed(why) => closed = closed.or(Some(why)),
                Named::Missing => {}
            }
        }
        if closed.is_some() {
            return Err(closed);
        }
        self.look_up_in_any_case(want)
    }

    /// On Windows the case of a path does not count.
    fn look_up_in_any_case(&self, want: &Want) -> Result<(String, String), Option<String>> {
        let files = self.page.files;
        let similar = want
            .paths
            .iter()
            .find_map(|path| (files.search)(Search::AnyCase(path)));
        let Some(Found { path, .. }) = similar else {
            return Err(None);
        };
        match (files.read)(&path) {
            Named::Text(text) => Ok((path, text)),
            Named::Closed(why) => Err(Some(why)),
            Named::Missing => Err(None),
        }
    }

    /// The text of a file with its own includes expanded.
    fn nested(&mut self, text: String, path: &str, code: bool) -> String {
        if !may_include(&text, self.page) {
            return text;
        }
        self.open.push(path.to_owned());
        let markers = self.markers(&text, path, code);
        let (text, _) = self.expand(&text, markers, path, None);
        self.open.pop();
        text
    }

    /// Reports once that a page includes too much.
    fn too_much(&mut self, want: &Want, from: &str) -> String {
        if std::mem::replace(&mut self.full, true) {
            String::new()
        } else {
            self.report(want, from, "the page includes too much")
        }
    }

    /// Reports why nothing is included, and returns an empty text.
    fn report(&mut self, want: &Want, from: &str, why: &str) -> String {
        let written = shorten(&want.written, 200);
        let whose = if self.open.len() > 1 {
            format!(" in `{from}`")
        } else {
            String::new()
        };
        let message = format!("cannot include `{written}`{whose}: {why}");
        self.included.remarks.push(Remark {
            line: self.at.0,
            column: self.at.1,
            message,
            cause: Cause::Include,
            subject: None,
        });
        String::new()
    }
}

/// Finds line starts for ascending positions: a text without line breaks is searched once.
struct LineStarts<'a> {
    text: &'a str,
    line: usize,
    /// The position of the last query.
    before: usize,
}

impl LineStarts<'_> {
    fn find(&mut self, at: usize) -> usize {
        if let Some(between) = self.text.get(self.before..at)
            && let Some(found) = between.rfind('\n')
        {
            self.line = self.before + found + 1;
        }
        self.before = at;
        self.line
    }
}

/// Whether the line above has text; `text` ends with a line break.
fn has_text_above(text: &str) -> bool {
    let Some(above) = text.strip_suffix('\n') else {
        return false;
    };
    !is_blank(above.rsplit('\n').next().unwrap_or_default())
}

fn first_line(text: &str) -> &str {
    text.split('\n').next().unwrap_or_default()
}

/// The line and column of an offset in the page's own source.
fn source_place(lines: &Lines, page_lines: &text::Lines<'_>, at: usize) -> (u32, u32) {
    let (line, column) = page_lines.place(at);
    (number(lines.source(line as usize - 1)), column)
}
