//! Template tags become what they show, or go. None is ever executed.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::lines::Lines;
use super::token::{Inner, Token, tokens};
use super::{Arguments, Call, Form, Kind, Piece, address, blocks, classes, contents, directives, extensions, include, math, mdx, replace, vault};
use crate::bounds;
use crate::front::Front;
use crate::markdown::literal::{Literals, literals, literals_of_html};
use crate::text::holds_any;

/// A text without template tags outside code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Translated<'a> {
    /// The text.
    pub text: Cow<'a, str>,
    /// Tags that nobody knows, by name, with their count: they are dropped, and what stood between them stays.
    pub unknown: BTreeMap<String, usize>,
    /// For each line of the text the line it comes from, counted from 0; `None`: no line was added.
    pub lines: Option<Vec<u32>>,
    /// The files that stand in it, by path.
    pub included: BTreeSet<String>,
    /// What the author should know.
    pub remarks: Vec<Remark>,
}

/// Something to say about a place of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The line, counted from 0.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// What is wrong.
    pub message: String,
}

/// What a path in an include leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Named {
    /// A text, without its front matter.
    Text(String),
    /// A file that is not included, and why.
    Closed(String),
    /// Nothing.
    Missing,
}

/// How often a text is looked at: a tag that goes may uncover code as text, and a tag in it.
const PASSES: usize = 4;

/// What an include may ask for: the path of the text itself, and the text of a plain file by its path in the folder.
#[derive(Clone, Copy)]
pub struct Files<'a> {
    /// The path of the text that is translated.
    pub path: &'a str,
    /// Looks up a file by its path in the folder.
    pub read: &'a dyn Fn(&str) -> Named,
}

/// Translates the template tags of a body; `html`: it is HTML, not Markdown; `jsx`: it is MDX. Pure: what a tag needs from elsewhere (`site.title`, an include) is not there.
pub fn translate<'a>(text: &'a str, html: bool, jsx: bool, kind: &Kind, front: &Front, files: &Files<'_>) -> Translated<'a> {
    let dollar = text.contains(['$', '\\']) && (kind.dollar_math || math::is_asked_for(front));
    let scope = include::Scope { html, jsx, kind, files };
    if !(jsx
        || kind.dialect.vue && text.contains('<')
        || dollar
        || include::any(text, scope)
        || contents::any(text)
        || extensions::any(text)
        || holds_any(text, &MARKS)
        || directives::any(text)
        || kind.percent_comments && (text.contains("%%") || text.contains(" ^") || text.contains("\n^")))
    {
        return Translated { text: Cow::Borrowed(text), ..Translated::default() };
    }
    let mut unknown = BTreeMap::new();
    let mut lines = Lines::of(text);
    let included = include::rewrite(&mut lines, scope);
    if !html {
        if jsx {
            mdx::rewrite(&mut lines, front);
        } else if kind.dialect.vue {
            mdx::rewrite_vue(&mut lines, front);
        }
        if kind.percent_comments {
            vault::rewrite(&mut lines);
        }
        extensions::rewrite(&mut lines);
        directives::rewrite(&mut lines);
        classes::rewrite(&mut lines);
        contents::rewrite(&mut lines);
        math::rewrite(&mut lines, dollar);
        blocks::rewrite(&mut lines);
    }
    let mut tags = false;
    for _ in 0..PASSES {
        let Some((next, added)) = pass(&lines.text, html, kind, front, &mut unknown) else { break };
        lines.replace_with(next, &added);
        tags = true;
    }
    if tags && !html {
        blocks::rewrite(&mut lines);
    }
    let (text, lines) = lines.into_parts();
    Translated { text: Cow::Owned(text), unknown, lines, included: included.files, remarks: included.remarks }
}

/// What a text has that needs translation.
const MARKS: [&str; 19] = [
    "{: .", "{:.", "$$", "\\\\(", "\\\\[", "{{", "{%", "{# ", ":::", "/// ", "!!!", "???", "=== \"", "===! \"", "[!div", "[!VIDEO", "](#tab/",
    "xref:", "@tab",
];

/// One look over the text: the new text, and where line breaks were added in it; `None`: there is no tag in it.
fn pass(text: &str, html: bool, kind: &Kind, front: &Front, unknown: &mut BTreeMap<String, usize>) -> Option<(String, Vec<usize>)> {
    if !(text.contains("{{") || text.contains("{%") || text.contains("{# ") || kind.percent_comments && text.contains("%%")) {
        return None;
    }
    let literals = if html { literals_of_html(text) } else { literals(text) };
    let tokens = tokens(text, &literals, kind.percent_comments);
    if tokens.is_empty() {
        return None;
    }
    let mut writer = Writer {
        text,
        literals: &literals,
        kind,
        front,
        out: String::with_capacity(text.len()),
        done: 0,
        added: Vec::new(),
        unknown,
        tabs: VecDeque::new(),
        pane: None,
    };
    writer.all(&tokens);
    writer.out.push_str(&text[writer.done..]);
    Some((writer.out, writer.added))
}

/// Tags between which everything is kept as it is.
const RAW: [&str; 2] = ["raw", "verbatim"];
/// Tags between which there is code.
const CODE: [&str; 6] = ["highlight", "codeblock", "code", "code-toggle", "prism", "mermaid"];

/// Writes the text with each token replaced.
struct Writer<'a, 't> {
    text: &'a str,
    literals: &'t Literals,
    kind: &'t Kind,
    front: &'t Front,
    out: String,
    /// How far the text is written.
    done: usize,
    /// Where line breaks were added.
    added: Vec<usize>,
    unknown: &'t mut BTreeMap<String, usize>,
    /// Titles that a tag gave for the tabs in it.
    tabs: VecDeque<String>,
    /// The language of a pane whose tabs hold code.
    pane: Option<String>,
}

impl Writer<'_, '_> {
    fn all(&mut self, tokens: &[Token<'_>]) {
        let ends = Ends::of(tokens);
        let mut at = 0;
        while let Some(token) = tokens.get(at).filter(|_| !bounds::is_over()) {
            let end = tag_name(token).zip(ends.of_literal(tokens, at));
            let Some((name, end)) = end else {
                if let Some(next) = ends.partner(at).filter(|end| *end > at).and_then(|end| self.code_tab(tokens, at, end)) {
                    at = next;
                    continue;
                }
                at = match ends.partner(at).filter(|end| *end > at).and_then(|end| self.link(tokens, at, end)) {
                    Some(next) => next,
                    None => {
                        self.one(token, ends.partner(at).is_some());
                        at + 1
                    }
                };
                continue;
            };
            match name {
                "comment" => self.put(token.range.start, tokens[end].range.end, ""),
                _ if RAW.contains(&name) => {
                    self.put(token.range.start, token.range.end, "");
                    for inner in &tokens[at + 1..end] {
                        self.shown(inner.range.clone());
                    }
                    self.put(tokens[end].range.start, tokens[end].range.end, "");
                }
                _ => self.code(tokens, at, end),
            }
            at = end + 1;
        }
    }

    /// A button or card with its text between two tags; gives the token behind it.
    fn link(&mut self, tokens: &[Token<'_>], at: usize, end: usize) -> Option<usize> {
        let (open, close) = (&tokens[at].range, &tokens[end].range);
        let inner = self.text[open.end..close.start].trim();
        if end != at + 1 || inner.is_empty() || inner.contains("\n\n") || inner.contains(['[', '<', '`']) {
            return None;
        }
        let call = call(&tokens[at].inner, true)?;
        let Some(Piece::Link { address, .. }) = replace(self.kind.dialect, &call, self.front) else { return None };
        self.piece(open.start, close.end, &Piece::Link { address, text: inner.to_owned() });
        Some(end + 1)
    }

    /// A tab that holds code without a fence: of Docsy (`lang`, in panes that are not said to hold text) and of Kubernetes (`codelang`).
    fn code_tab(&mut self, tokens: &[Token<'_>], at: usize, end: usize) -> Option<usize> {
        let Inner::Shortcode(words) = tokens[at].inner else { return None };
        let call = named(Form::Shortcode, words);
        let arguments = Arguments::of(call.arguments);
        if call.name == "tabpane" {
            let text = arguments.named(&["text"]) == Some("true");
            self.pane = (!text).then(|| arguments.named(&["lang"]).unwrap_or_default().to_owned());
            return None;
        }
        let language = match call.name {
            "tab" if arguments.named(&["text"]) == Some("true") => None,
            "tab" => arguments.named(&["codelang"]).or_else(|| self.pane.as_deref().map(|pane| arguments.named(&["lang"]).unwrap_or(pane))),
            "card" if arguments.named(&["code"]) == Some("true") => Some(arguments.named(&["lang"]).unwrap_or_default()),
            _ => None,
        };
        let (open, close) = (&tokens[at].range, &tokens[end].range);
        let inner = &self.text[open.end..close.start];
        // Markdown stands between `{{%`.
        if !self.text[open.start..].starts_with("{{<") || inner.trim_start().starts_with("```") {
            return None;
        }
        let language = language?.to_ascii_lowercase();
        let title = arguments.named(&["name", "header", "title"]).or(arguments.positional.first().copied()).unwrap_or_default();
        self.piece(open.start, open.end, &Piece::Label(title.replace("**", "")));
        let longest = inner.split(|character| character != '`').map(str::len).max().unwrap_or(0);
        let fence = "`".repeat(longest.max(2) + 1);
        let start = self.out.len();
        let mut code = inner.trim_end();
        code = code.trim_start_matches([' ', '\t']).strip_prefix('\n').unwrap_or(code);
        let shown = format!("\n{fence}{language}\n{code}\n{fence}\n");
        let had = self.text[open.end..close.end].matches('\n').count();
        let made = shown.matches('\n').count();
        self.added.extend(shown.match_indices('\n').skip(had).map(|(at, _)| start + at));
        self.out.push_str(&shown);
        self.out.extend(std::iter::repeat_n('\n', had.saturating_sub(made)));
        self.done = close.end;
        Some(end + 1)
    }

    /// One tag by itself.
    fn one(&mut self, token: &Token<'_>, paired: bool) {
        let (start, end) = (token.range.start, token.range.end);
        let call = match token.inner {
            Inner::Comment => return self.put(start, end, ""),
            Inner::Shown(inner) => return self.piece(start, end, &Piece::Code(format!("{{{{< {inner} >}}}}"))),
            _ => call(&token.inner, paired).unwrap_or_else(|| output("")),
        };
        if call.name == "tab" && Arguments::of(call.arguments).named(&["disabled"]) == Some("true") {
            return self.put(start, end, "");
        }
        if call.name == "/tabpane" {
            self.pane = None;
        }
        if call.name == "tabs" {
            let items = Arguments::of(call.arguments).named(&["items", "names"]).unwrap_or_default();
            self.tabs = items.split(',').map(str::trim).filter(|item| !item.is_empty()).take(100).map(str::to_owned).collect();
        }
        match replace(self.kind.dialect, &call, self.front) {
            Some(Piece::Break) if call.name == "tab" && !self.tabs.is_empty() => {
                let title = self.tabs.pop_front().unwrap_or_default();
                self.piece(start, end, &Piece::Label(title));
            }
            Some(piece) => self.piece(start, end, &piece),
            None => {
                let quiet = call.name.is_empty() || call.name.starts_with('/') || call.name.starts_with("end") || call.name.starts_with("els");
                if !quiet {
                    let name = match call.name {
                        "include" | "include_cached" => {
                            format!("include {}", Arguments::of(call.arguments).positional.first().copied().unwrap_or_default())
                        }
                        name => name.to_owned(),
                    };
                    *self.unknown.entry(crate::text::shorten(&name, 60)).or_default() += 1;
                }
                self.put(start, end, "");
            }
        }
    }

    /// Code between two tags: a fence when the opening tag has its line for itself.
    fn code(&mut self, tokens: &[Token<'_>], at: usize, end: usize) {
        let (open, close) = (&tokens[at].range, &tokens[end].range);
        let inner = &self.text[open.end..close.start];
        let alone = begins_line(&self.text[..open.start])
            && inner.trim_start_matches([' ', '\t']).starts_with('\n')
            && inner.trim_end_matches([' ', '\t']).ends_with('\n');
        let fenced = inner.trim_start().starts_with(['`', '~']) && inner.trim_end().ends_with(['`', '~']);
        if fenced && alone {
            // A fence in it says what it is by itself: the tag was for its title.
            self.put(open.start, open.end, "");
            return self.one(&tokens[end], true);
        }
        if !alone {
            self.put(open.start, open.end, "");
            for token in &tokens[at + 1..end] {
                self.shown(token.range.clone());
            }
            return self.put(close.start, close.end, "");
        }
        let longest = inner.split(|character| character != '`').map(str::len).max().unwrap_or(0);
        let fence = "`".repeat(longest.max(2) + 1);
        let (Inner::Tag(words) | Inner::Shortcode(words)) = tokens[at].inner else { return };
        let named = words.split_whitespace().find_map(|word| word.strip_prefix("lang:").or_else(|| word.strip_prefix("language:")));
        let mut words = words.split_whitespace();
        let language = if words.next() == Some("mermaid") { Some("mermaid") } else { named.or_else(|| words.next()) };
        let language = language.filter(|word| !word.contains(['=', ':', '`'])).unwrap_or_default();
        self.put(open.start, open.end, &format!("{fence}{language}"));
        self.put(close.start, close.end, &fence);
    }

    /// A tag that the author wants seen.
    fn shown(&mut self, range: std::ops::Range<usize>) {
        let text = self.text[range.clone()].to_owned();
        self.piece(range.start, range.end, &Piece::Code(text));
    }

    /// What a tag became, as Markdown, or as HTML inside a block of HTML.
    fn piece(&mut self, start: usize, end: usize, piece: &Piece) {
        let html = self.literals.is_html(start);
        let text = match piece {
            Piece::Nothing => String::new(),
            // The address of a page among words is a link to it: what stands for the address means nothing to a reader.
            Piece::Text(to) if let Some(name) = symbolic(to).filter(|_| !wants_address(&self.text[..start])) => {
                return self.piece(start, end, &Piece::Link { address: to.clone(), text: name.to_owned() });
            }
            Piece::Text(text) if html => escape(text),
            Piece::Text(text) => text.clone(),
            Piece::Code(text) if html => format!("<code>{}</code>", escape(text)),
            Piece::Code(text) => code_span(text),
            Piece::Image { source, alt, caption } if html => {
                let caption = caption.as_ref().map(|caption| format!(" {}", escape(caption))).unwrap_or_default();
                format!("<img src=\"{}\" alt=\"{}\">{caption}", escape(&address(source)), escape(alt))
            }
            Piece::Image { source, alt, caption } => {
                let title = caption
                    .as_ref()
                    .filter(|caption| *caption != alt)
                    .map(|caption| format!(" \"{}\"", caption.replace('"', "\\\"")))
                    .unwrap_or_default();
                format!("![{}]({}{title})", label(alt), address(source))
            }
            Piece::Link { address: to, text } if html => format!("<a href=\"{}\">{}</a>", escape(&address(to)), escape(text)),
            Piece::Link { address: to, text } => format!("[{}]({})", label(text), address(to)),
            Piece::Open(mark) if html => opened(mark),
            Piece::Close if html => "</div>".to_owned(),
            Piece::Whole { mark, text } if html => format!("{}<p>{}</p></div>", opened(mark), escape(text)),
            Piece::Break if html => String::new(),
            Piece::Label(text) if html => format!("<p><strong>{}</strong></p>", escape(text)),
            Piece::Embed { element, address: to, title } => {
                let shown = format!("<{element} src=\"{}\" title=\"{}\"></{element}>", escape(&address(to)), escape(title));
                return if html { self.put(start, end, &shown) } else { self.block(start, end, &shown, "") };
            }
            Piece::Open(mark) => return self.block(start, end, &format!("{OPEN}{mark}"), ""),
            Piece::Close => return self.block(start, end, CLOSE, ""),
            Piece::Whole { mark, text } => return self.block(start, end, &format!("> {mark}"), &format!("> {}", crate::text::one_line(text))),
            Piece::Label(title) if title.trim().is_empty() => return self.block(start, end, "", ""),
            Piece::Label(title) => return self.block(start, end, &super::callout::label(&label(title)), ""),
            Piece::Break => return self.block(start, end, "", ""),
        };
        self.put(start, end, &text);
    }

    /// Something on lines of its own, with a blank line before and behind it, in the container that it stands in.
    fn block(&mut self, start: usize, end: usize, first: &str, second: &str) {
        let end = end + (self.text[end..].len() - self.text[end..].trim_start_matches([' ', '\t']).len());
        self.out.push_str(&self.text[self.done..start]);
        self.done = start;
        let line = self.out.rsplit('\n').next().unwrap_or_default();
        let container = container(line);
        let is_blank = |line: &str| line.trim_matches([' ', '\t', '>']).is_empty();
        let above = &self.out[..self.out.len() - line.len()];
        // The fences of callouts care for their own room.
        let fence = first.starts_with(CLOSE);
        let bare = container.trim_end();
        let mut text = String::new();
        if !is_blank(line) {
            text.push_str(&if fence { format!("\n{container}") } else { format!("\n{bare}\n{container}") });
        } else if !fence && !first.is_empty() && !above.is_empty() && !is_blank(above[..above.len() - 1].rsplit('\n').next().unwrap_or_default()) {
            text.push_str(&format!("\n{container}"));
        }
        text.push_str(first);
        if !second.is_empty() {
            text.push_str(&format!("\n{container}{second}"));
        }
        let below = &self.text[end..];
        if !below.is_empty() && !below.starts_with('\n') {
            text.push_str(&if fence { format!("\n{container}") } else { format!("\n{bare}\n{container}") });
        } else if !fence && !first.is_empty() && !below.split('\n').nth(1).is_none_or(is_blank) {
            text.push_str(&format!("\n{bare}"));
        }
        self.put(start, end, &text);
    }

    /// Writes what stands before a tag, then its replacement with as many line ends as the tag had.
    fn put(&mut self, start: usize, end: usize, replacement: &str) {
        self.out.push_str(&self.text[self.done..start]);
        self.out.push_str(replacement);
        let had = self.text[start..end].matches('\n').count();
        let from = self.out.len() - replacement.len();
        self.added.extend(replacement.match_indices('\n').skip(had).map(|(at, _)| from + at));
        let lines = had.saturating_sub(replacement.matches('\n').count());
        if replacement.is_empty() && self.literals.is_html(start) && begins_line(&self.out) && ends_line(&self.text[end..]) {
            // A blank line would end the block of HTML; a comment is never shown.
            self.out.push_str("<!---->");
            self.out.extend(std::iter::repeat_n("\n<!---->", lines));
        } else {
            self.out.extend(std::iter::repeat_n('\n', lines));
        }
        self.done = end;
    }
}

/// Blanks that go on for longer than this are nobody's: they are not looked through for each of thousands of tags.
const MOST_BLANKS: usize = 1_000;

/// Whether nothing but blanks stands between the beginning of the line and the end of this text.
fn begins_line(before: &str) -> bool {
    matches!(before.chars().rev().take(MOST_BLANKS).find(|c| *c == '\n' || !c.is_whitespace()), None | Some('\n'))
}

/// Whether nothing but blanks stands between the beginning of this text and the end of the line.
fn ends_line(after: &str) -> bool {
    matches!(after.chars().take(MOST_BLANKS).find(|c| *c == '\n' || !c.is_whitespace()), None | Some('\n'))
}

/// What an address that only the table of links understands is called.
fn symbolic(address: &str) -> Option<&str> {
    address.strip_prefix(super::REF).or_else(|| address.strip_prefix(super::POST))
}

/// Whether an address belongs behind this text: in a link's brackets, a definition or an attribute, or behind another tag.
fn wants_address(before: &str) -> bool {
    let before = before.trim_end_matches([' ', '\t']);
    ["](", "](<", "]:", "]: <", "=", "=\"", "='", "}"].iter().any(|end| before.ends_with(end))
}

/// The lines between which a tag's callout stands, until it becomes one: longer than an author's own, since it may hold those.
const OPEN: &str = "::::::: ";
const CLOSE: &str = ":::::::";

/// How many tags may be open while the partner of one is looked for.
const OPEN_TAGS: usize = 64;

/// Where tags end: for each name the positions of its end tags, so that each is found by one search, and for each tag its partner.
pub(super) struct Ends<'a> {
    positions: BTreeMap<&'a str, Vec<usize>>,
    partners: Vec<Option<usize>>,
}

impl<'a> Ends<'a> {
    pub(super) fn of(tokens: &[Token<'a>]) -> Self {
        let mut positions = BTreeMap::<&str, Vec<usize>>::new();
        let mut partners = vec![None; tokens.len()];
        let mut open: Vec<(usize, &str)> = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            let Some(name) = tag_name(token) else { continue };
            let ended = match token.inner {
                Inner::Shortcode(_) => name.strip_prefix('/'),
                // Markdoc ends its tags as HTML does.
                _ => name.strip_prefix("end").or_else(|| name.strip_prefix('/')),
            };
            let Some(ended) = ended else {
                if open.len() >= OPEN_TAGS {
                    open.remove(0);
                }
                open.push((at, name));
                continue;
            };
            positions.entry(ended).or_default().push(at);
            if let Some(found) = open.iter().rposition(|(_, name)| *name == ended) {
                partners[open[found].0] = Some(at);
                partners[at] = Some(open[found].0);
                open.truncate(found);
            }
        }
        Self { positions, partners }
    }

    /// Where what this tag begins ends, if nothing in it is a tag: `raw`, `comment`, code.
    pub(super) fn of_literal(&self, tokens: &[Token<'_>], at: usize) -> Option<usize> {
        let token = tokens.get(at)?;
        // `{{< code-toggle file=x />}}` has nothing in it.
        if matches!(token.inner, Inner::Shortcode(inner) if inner.trim_end().ends_with('/')) {
            return None;
        }
        let name = tag_name(token).filter(|name| *name == "comment" || RAW.contains(name) || CODE.contains(name))?;
        self.after(name, at)
    }

    fn after(&self, name: &str, at: usize) -> Option<usize> {
        let ends = self.positions.get(name)?;
        ends.get(ends.partition_point(|end| *end <= at)).copied()
    }

    fn partner(&self, at: usize) -> Option<usize> {
        self.partners.get(at).copied().flatten()
    }
}

/// The name of a `{% tag %}` or a shortcode.
fn tag_name<'a>(token: &Token<'a>) -> Option<&'a str> {
    match token.inner {
        Inner::Tag(inner) => Some(named(Form::Tag, inner).name),
        Inner::Shortcode(inner) => Some(named(Form::Shortcode, inner).name),
        _ => None,
    }
}

/// A token as a call; `None` for comments and what is only shown.
pub(super) fn call<'a>(inner: &Inner<'a>, paired: bool) -> Option<Call<'a>> {
    let call = match inner {
        Inner::Output(inner) => output(inner),
        Inner::Tag(inner) => named(Form::Tag, inner),
        Inner::Shortcode(inner) => named(Form::Shortcode, inner),
        Inner::Shown(_) | Inner::Comment => return None,
    };
    Some(Call { paired, ..call })
}

/// What of a line belongs to the containers it stands in: marks of quotes, and the room of a list's marker.
pub(super) fn container(line: &str) -> String {
    let rest = line.trim_start_matches([' ', '\t', '>']);
    let mut container = line[..line.len() - rest.len()].to_owned();
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let marker = match rest.as_bytes().get(digits) {
        Some(b'-' | b'*' | b'+') if digits == 0 => 1,
        Some(b'.' | b')') if (1..=9).contains(&digits) => digits + 1,
        _ => return container,
    };
    let behind = &rest[marker..];
    let room = behind.len() - behind.trim_start_matches(' ').len();
    if room > 0 {
        container.extend(std::iter::repeat_n(' ', marker + room));
    }
    container
}

/// Divides `name arguments`.
fn named(form: Form, inner: &str) -> Call<'_> {
    let inner = inner.trim().trim_end_matches('/').trim_end();
    let end =
        inner.char_indices().skip(1).find(|(_, c)| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/'))).map_or(inner.len(), |(at, _)| at);
    let (name, arguments) = inner.split_at(end);
    Call { form, name, arguments: arguments.trim(), paired: false }
}

/// An output is named by its last filter, else by its expression.
fn output(inner: &str) -> Call<'_> {
    let last = inner.rsplit('|').next().unwrap_or_default().trim();
    let end = last.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.'))).unwrap_or(last.len());
    Call { form: Form::Output, name: if end == 0 { last } else { &last[..end] }, arguments: inner, paired: false }
}

/// The beginning of a callout inside HTML, by its mark.
fn opened(mark: &str) -> String {
    let (kind, title) = mark.trim_start_matches("[!").split_once(']').unwrap_or((mark, ""));
    let title = title.trim_start_matches(['-', '+']).trim();
    let title = if title.is_empty() { String::new() } else { format!("<p class=\"callout-title\">{}</p>", escape(title)) };
    format!("<div class=\"callout callout-{}\">{title}", escape(kind))
}

/// Text inside HTML.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Text inside `[…]`.
fn label(text: &str) -> String {
    crate::text::one_line(text).replace('\\', "\\\\").replace('[', "\\[").replace(']', "\\]")
}

/// A code span that holds any text.
pub(super) fn code_span(text: &str) -> String {
    let longest = text.split(|character| character != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Evidence;

    const NONE: Files<'_> = Files { path: "a.md", read: &|_| Named::Missing };

    fn check(text: &str, expected: &str, unknown: &[(&str, usize)]) {
        let kind = Kind::of(&Evidence::default(), Some("obsidian"));
        let front = crate::front::split("---\nimage: /a b.png\ntitle: T\n---\n", "a.md").front;
        let translated = translate(text, false, false, &kind, &front, &NONE);
        assert_eq!(translated.text, expected, "{text}");
        assert_eq!(translated.unknown.iter().map(|(name, count)| (name.as_str(), *count)).collect::<Vec<_>>(), unknown, "{text}");
        let lines = translated.text.matches('\n').count();
        assert_eq!(translated.lines.as_ref().map_or(text.matches('\n').count(), |lines| lines.len() - 1), lines, "{text}");
    }

    #[test]
    fn rule_11_tags_of_callouts_become_callouts() {
        check("{{< note >}}\na\n{{< /note >}}\nb", "> [!note]\n>\n> a\n\nb", &[]);
        check("x {{% notice info \"T\" %}}a{{% /notice %}} b", "x \n\n> [!info] T\n>\n> a\n\nb", &[]);
        check("{% callout type=\"info\" title=\"T\" %}\na\n{% endcallout %}", "> [!info] T\n>\n> a\n", &[]);
        check("{% hint style=\"warning\" %}\n*a*\n\n- b\n{% endhint %}", "> [!warning]\n>\n> *a*\n>\n> - b\n", &[]);
        check("{% callout type=\"check\" title=\"T\" %}\na\n{% /callout %}", "> [!check] T\n>\n> a\n", &[]);
        check("{% note type=\"warning\" %}a{% endnote %}", "> [!warning]\n>\n> a\n", &[]);
        check("{% note info My title %}a{% endnote %}", "> [!info] My title\n>\n> a\n", &[]);
        check("{% note \"some text\" %}", "> [!note]\n> some text", &[]);
        check("{% note %}\n{% tip %}\na\n{% endtip %}\n{% endnote %}", "> [!note]\n>\n> > [!tip]\n> >\n> > a\n>\n", &[]);
        check("1. x\n   {{< tip >}}\n   a\n   {{< /tip >}}\n", "1. x\n\n   > [!tip]\n   >\n   > a\n\n", &[]);
    }

    #[test]
    fn rule_12_details_tabs_and_buttons_keep_their_words() {
        check("{{< details \"More\" >}}\na\n{{< /details >}}", "> [!details]- More\n>\n> a\n", &[]);
        check("{{< tabs >}}\n{{< tab \"One\" >}}\na\n{{< /tab >}}\n{{< /tabs >}}", "\n**One:**\n\na\n\n", &[]);
        check("{% tabs %}{% tab title=\"One\" %}a{% endtab %}{% endtabs %}", "\n\n**One:**\n\na\n\n\n\n", &[]);
        check("{{< button href=\"/x y\" >}}Go{{< /button >}}", "[Go](/x%20y)", &[]);
        check(
            "{{< gist me 12 >}} {{< tweet user=\"a\" id=\"1\" >}}",
            "[Gist](https://gist.github.com/me/12) [Post on X](https://x.com/a/status/1)",
            &[],
        );
    }

    #[test]
    fn rule_12_tags_of_common_themes() {
        check(
            "{{< tabs items=\"A, B\" >}}{{< tab >}}x{{< /tab >}}{{< tab >}}y{{< /tab >}}{{< /tabs >}}",
            "\n\n**A:**\n\nx\n\n\n\n**B:**\n\ny\n\n\n\n",
            &[],
        );
        check(
            "{{< tabpane lang=\"go\" >}}\n{{< tab header=\"A\" lang=\"js\" >}}\na({{ x }})\n\n  b\n{{< /tab >}}\n{{< /tabpane >}}",
            "\n**A:**\n\n```js\na({{ x }})\n\n  b\n```\n\n",
            &[],
        );
        check("{{< tab name=\"B\" codelang=\"bash\" >}}\n# x\n{{< /tab >}}", "**B:**\n\n```bash\n# x\n```\n", &[]);
        check("{{< details \"T\" open >}}a{{< /details >}}", "> [!details]+ T\n>\n> a\n", &[]);
        check("{{< expand \"T\" \"...\" >}}a{{< /expand >}}", "> [!details]- T\n>\n> a\n", &[]);
        check(
            "## {{% heading \"whatsnext\" %}}\n{{< glossary_tooltip term_id=\"a-pod\" >}} {{< glossary_tooltip text=\"X\" term_id=\"y\" >}}",
            "## What’s next\na pod X",
            &[],
        );
        check("{{< hextra/hero-button text=\"Go\" link=\"docs\" >}} {{< param title >}}", "[Go](docs) T", &[]);
        check("{{< card title=\"T\" >}}\na\n{{< /card >}}", "**T:**\n\na\n", &[]);
        check("{{< cards >}}\n{{< card link=\"/x\" title=\"X\" >}}\n{{< /cards >}}", "\n[X](/x)\n", &[]);
        check("a {{< icon \"x\" >}}{{< badge content=\"New\" >}} {{< pdf \"/a.pdf\" >}}", "a New [PDF](/a.pdf)", &[]);
        check(
            "{% include embed/youtube.html id='abc' %}",
            "<iframe src=\"https://www.youtube-nocookie.com/embed/abc\" title=\"Video on YouTube\"></iframe>",
            &[],
        );
        check("{% include note.html content=\"Some *text*\" %}{% include toc %}", "> [!note]\n> Some *text*\n\n", &[]);
    }

    #[test]
    fn rule_11_callouts_inside_html_keep_their_box() {
        check(
            "<div>\n{{< note \"T\" >}}\na\n{{< /note >}}\n</div>",
            "<div>\n<div class=\"callout callout-note\"><p class=\"callout-title\">T</p>\na\n</div>\n</div>",
            &[],
        );
    }

    #[test]
    fn rule_19_components_keep_their_words() {
        let check = |text: &str, expected: &str| {
            let kind = Kind::of(&Evidence::default(), Some("docusaurus"));
            assert_eq!(translate(text, false, true, &kind, &Front::default(), &NONE).text, expected, "{text}");
        };
        check("<Callout type=\"info\">\na\n</Callout>", "> [!info]\n>\n> a\n");
        check("<Tabs>\n<TabItem value=\"x\" label=\"One\">\na\n</TabItem>\n</Tabs>", "\n**One:**\n\na\n\n");
        check("<LinkCard title=\"T\" href=\"/x\" />", "[T](/x)");
        check("<Step title=\"Do\" />\n\n<Odd title=\"T\">a</Odd>", "**Do:**\n\n**T:**\n\na");
        check("a <Tooltip title=\"T\">b</Tooltip> c", "a b c");
        check("a <Badge text=\"New\" />", "a New");
        check("<Image src=\"a.png\" alt={\"A\"} />", "![A](a.png)");
    }

    #[test]
    fn rule_12_films_become_embeds() {
        let film = "<iframe src=\"https://www.youtube-nocookie.com/embed/abc_1\" title=\"Video on YouTube\"></iframe>";
        check("{{< youtube abc_1 >}}", film, &[]);
        check("a\n{% youtube https://www.youtube.com/watch?v=abc_1&t=3 %}\nb", &format!("a\n\n{film}\n\nb"), &[]);
        check("{{< youtube id=\"abc_1\" title=\"T\" >}}", &film.replace("Video on YouTube", "T"), &[]);
        check("{{< youtube \"a b\" >}}", "", &[("youtube", 1)]);
    }

    #[test]
    fn rule_12_common_tags_are_translated() {
        check(r#"{% image "a/b.png" "An [alt]" %}"#, r"![An \[alt\]](a/b.png)", &[]);
        check(r#"{% image_with_class "a.png" "wide" "Alt" %}"#, "![Alt](a.png)", &[]);
        check(r#"{% include figure.html src="/x y.png" alt="A" caption="C" %}"#, r#"![A](/x%20y.png "C")"#, &[]);
        check(r#"[a]({{ "/x/" | url }}) {{ image | url }} {{ page.title }}"#, "[a](/x/) /a%20b.png T", &[]);
        check(r#"<img src="{{ site.baseurl }}/a.png"> {{site.url}}/b"#, r#"<img src="/a.png"> /b"#, &[]);
        check("[a]({% link _posts/a b.md %}) [b]({% post_url 2015-03-19-x %})", "[a](/_posts/a%20b.md) [b](post_url:2015-03-19-x)", &[]);
        check(
            r#"{{< figure src="a.png" alt="A" >}} [x]({{< ref "b.md#c" >}}) [y]({{% relref "d" %}})"#,
            "![A](a.png) [x](ref:b.md#c) [y](ref:d)",
            &[],
        );
        check("a{% comment %} secret {{ x }} `{{ y }}` {% endcomment %}b", "ab", &[]);
        check("{% raw %}{{ a }} and {% b %}{% endraw %}", "`{{ a }}` and `{% b %}`", &[]);
        check(
            "a\n\n{{< code-toggle config=x />}}\n\n# b\n\n{{< code-toggle file=y >}}\n[[menu]]\n{{< /code-toggle >}}",
            "a\n\n\n\n# b\n\n```\n[[menu]]\n```",
            &[("code-toggle", 1)],
        );
        check("{% highlight ruby linenos %}\n{{ a }} ```\n{% endhighlight %}", "````ruby\n{{ a }} ```\n````", &[]);
        check("{% code title=\"x\" %}\n```js\n{{ a }}\n```\n{% endcode %}", "\n```js\n{{ a }}\n```\n", &[]);
        check("{% codeblock lang:js a.js %}\n{{ a }}\n{% endcodeblock %}", "```js\n{{ a }}\n```", &[]);
        check("{{</* note */>}} {{ \"{{ x }}\" }}", "`{{< note >}}` `{{ x }}`", &[]);
    }

    #[test]
    fn rule_12_unknown_tags_go_and_their_text_stays() {
        check("{% if a %}yes{% else %}no{% endif %}", "yesno", &[("if", 1)]);
        check(r#"{{ "maya" | team_photo }}{{ x.y }}{{< odd >}}text{{< /odd >}}"#, "text", &[("odd", 1), ("team_photo", 1), ("x.y", 1)]);
        check("a %%private%% b {# gone #}", "a  b ", &[]);
        check("a\n{% include\n  x %}\nb", "a\n\n\nb", &[("include x", 1)]);
    }

    #[test]
    fn rule_6_braces_in_code_stay() {
        for text in [
            "`{{ a }}` `%%b%%`\n\n    {% c %}\n\n```\n{% raw %}{{ d }}\n```\n",
            "````\n```\n{{ x }}\n```\n````\n",
            "```\n{{ unclosed\n}}",
            "<pre>{{ x }}</pre>",
        ] {
            check(text, text, &[]);
        }
    }

    #[test]
    fn blocks_of_html_stay_whole() {
        check("<div>\n{% include x %}\n    <p>{{ \"/a\" | url }}</p>\n</div>", "<div>\n<!---->\n    <p>/a</p>\n</div>", &[("include x", 1)]);
        check("<figure>\n{% image \"a.png\" \"A \\\"q\\\"\" %}\n</figure>", "<figure>\n<img src=\"a.png\" alt=\"A \\\">\n</figure>", &[]);
    }

    /// Tags without a line break between them: the end of the line is not looked for at each of them.
    #[test]
    fn thousands_of_tags_on_one_line_are_walked_once() {
        for tag in ["{% a %}", "{{< a >}}", "{% raw %}", "{% note %}", "<b>{% a %}", "{% highlight x %}y{% endhighlight %}", " {% a %} {{< /a >}}"] {
            let kind = Kind::of(&Evidence::default(), Some("obsidian"));
            let text = tag.repeat(200_000 / tag.len());
            assert!(translate(&text, false, false, &kind, &Front::default(), &NONE).text.len() < text.len() * 4);
        }
    }

    proptest::proptest! {
        #[test]
        fn no_tag_is_left_outside_code(text in "([a{}%#< \"'`|\n-]|raw|endraw|comment|highlight|end| image |note|tab|youtube x|>|/|:::){0,40}") {
            let kind = Kind::of(&Evidence::default(), Some("obsidian"));
            let translated = translate(&text, false, false, &kind, &Front::default(), &NONE);
            let left = tokens(&translated.text, &literals(&translated.text), true);
            proptest::prop_assert!(left.is_empty(), "{:?} in {:?}", left, translated.text);
        }
    }
}
