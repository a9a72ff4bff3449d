//! Walks over the tags of a text and decides what becomes of each.

use super::Writer;
use super::tags::{Ends, RAW, call, named, output, tag_name};
use super::write::begins_line;
use crate::dialects::tags::token::{Inner, Token};
use crate::dialects::{Arguments, Call, Form, Piece, replace};
use crate::model::bounds;

impl Writer<'_, '_> {
    pub(super) fn all(&mut self, tokens: &[Token<'_>]) {
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
                        let begun = ends.partner(at).filter(|begun| *begun < at).and_then(|begun| tag_name(&tokens[begun]));
                        self.one(token, ends.partner(at).is_some(), begun);
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

    /// One tag by itself; `begun` is the name of the tag that it ends.
    fn one(&mut self, token: &Token<'_>, paired: bool, begun: Option<&str>) {
        let (start, end) = (token.range.start, token.range.end);
        let ended = format!("end{}", begun.unwrap_or_default());
        let call = match token.inner {
            Inner::Comment => return self.put(start, end, ""),
            Inner::Shown(inner) => return self.piece(start, end, &Piece::Code(format!("{{{{< {inner} >}}}}"))),
            Inner::Tag("end") if paired => named(Form::Tag, &ended),
            _ => call(&token.inner, paired).unwrap_or_else(|| output("")),
        };
        let call = Call { paired, ..call };
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
                    *self.unknown.entry(crate::model::text::shorten(&name, 60)).or_default() += 1;
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
            return self.one(&tokens[end], true, None);
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
        let language = language.map(|word| word.trim_matches(['"', '\'', ',']));
        let language = language.filter(|word| !word.contains(['=', ':', '`'])).unwrap_or_default();
        self.put(open.start, open.end, &format!("{fence}{language}"));
        self.put(close.start, close.end, &fence);
    }

    /// A tag that the author wants seen.
    fn shown(&mut self, range: std::ops::Range<usize>) {
        let text = self.text[range.clone()].to_owned();
        self.piece(range.start, range.end, &Piece::Code(text));
    }
}
