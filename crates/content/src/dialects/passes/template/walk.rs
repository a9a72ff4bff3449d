//! Walks over the tags of a text and chooses the replacement of each.

use std::ops::Range;

use super::Writer;
use crate::dialects::config::CodeShortcode;
use crate::dialects::kinds::replace;
use crate::dialects::tags::common::is_card;
use crate::dialects::tags::{Call, Form, Inner, Pairs, Piece, RAW, Token, parts};
use crate::model::bounds;
use crate::model::text::shorten;

/// How many titles a tag may give to the tabs inside it.
const MOST_TABS: usize = 100;
/// The longest name of a tag in a report, in characters.
const LONGEST_NAME: usize = 60;

impl Writer<'_, '_> {
    pub(super) fn all(&mut self, tokens: &[Token<'_>]) {
        let pairs = Pairs::find(tokens);
        let mut at = 0;
        while at < tokens.len() && !bounds::is_over() {
            at = self.next(tokens, &pairs, at);
        }
    }

    /// Handles one tag, or all up to its partner; returns the number of the next.
    fn next(&mut self, tokens: &[Token<'_>], pairs: &Pairs<'_>, at: usize) -> usize {
        let hides = self.hides(&tokens[at]);
        let is_own = |name: &str| hides || self.own_code(name).is_some();
        if let Some(end) = pairs.end_of_literal(tokens, at, is_own) {
            self.literal(&tokens[at..=end], hides);
            return end + 1;
        }
        let partner = pairs.partner(at);
        if let Some(end) = pairs.partner_behind(at)
            && self.pair(&tokens[at..=end])
        {
            return end + 1;
        }
        let begun = match partner {
            Some(start) if start < at => parts(&tokens[start]).map_or("", |(_, name, _)| name),
            _ => "",
        };
        self.one(&tokens[at], partner.is_some(), begun);
        at + 1
    }

    /// Handles two tags with all between them; `false`: each is for itself.
    fn pair(&mut self, tokens: &[Token<'_>]) -> bool {
        let [open, inner @ .., close] = tokens else {
            return false;
        };
        self.code_tab(open, close) || inner.is_empty() && self.link(open, close)
    }

    /// Tags that make everything between them literal; `hides`: nothing of it is shown.
    fn literal(&mut self, tokens: &[Token<'_>], hides: bool) {
        let [open, inner @ .., close] = tokens else {
            return;
        };
        let Some((_, name, _)) = parts(open) else {
            return;
        };
        if name == "comment" || hides {
            self.put(open.range.start..close.range.end, "");
        } else if RAW.contains(&name) {
            self.unwrap(open, inner, close);
        } else {
            self.code(open, inner, close);
        }
    }

    /// The shortcode of the site with this name, if it shows code.
    pub(super) fn own_code(&self, name: &str) -> Option<&CodeShortcode> {
        let mut own = self.page.kind.config.code_shortcodes.iter();
        own.find(|shortcode| shortcode.name == name)
    }

    /// Whether this shortcode of the site does not show what it holds.
    fn hides(&self, token: &Token<'_>) -> bool {
        let Some((Form::Shortcode, name, words)) = parts(token) else {
            return false;
        };
        let config = &self.page.kind.config;
        let language = || config.language_of(self.page.files.path);
        config.hidden_shortcodes.hides(name, words, language)
    }

    /// Removes two tags and shows the content between them.
    pub(super) fn unwrap(&mut self, open: &Token<'_>, inner: &[Token<'_>], close: &Token<'_>) {
        self.put(open.range.clone(), "");
        for token in inner {
            self.shown(token.range.clone());
        }
        self.put(close.range.clone(), "");
    }

    /// A button or card with its text between two tags; `false`: another tag. The title of a card is
    /// the link, with the text behind it.
    fn link(&mut self, open: &Token<'_>, close: &Token<'_>) -> bool {
        let inner = self.text[open.range.end..close.range.start].trim();
        if inner.is_empty() || inner.contains("\n\n") || inner.contains(['[', '<', '`']) {
            return false;
        }
        let Some(mut call) = Call::from_token(open, self.page.front) else {
            return false;
        };
        call.paired = true;
        let Some(Piece::Link { address, text }) = replace(self.page.kind.dialect, &call) else {
            return false;
        };
        let inner = inner.to_owned();
        let has_title = is_card(call.name) && text != address;
        let piece = match has_title {
            true => Piece::Several(vec![Piece::Link { address, text }, Piece::Text(inner)]),
            false => Piece::Link {
                address,
                text: inner,
            },
        };
        self.piece(open.range.start..close.range.end, &piece);
        true
    }

    /// A single tag; `begun` is the name of the tag that it ends.
    pub(super) fn one(&mut self, token: &Token<'_>, paired: bool, begun: &str) {
        let range = token.range.clone();
        let ended = format!("end{begun}");
        let call = match token.inner {
            Inner::Shown(inner) => {
                return self.piece(range, &Piece::Code(format!("{{{{< {inner} >}}}}")));
            }
            Inner::Tag("end") if paired => Some(Call::tag(&ended, self.page.front)),
            _ => Call::from_token(token, self.page.front),
        };
        let Some(mut call) = call else {
            return self.put(range, "");
        };
        call.paired = paired;
        call.around = self.page.kind.config.params(self.page.files.path);
        if call.name == "tab" && call.arguments.named(&["disabled"]) == Some("true") {
            return self.put(range, "");
        }
        self.note_tabs(&call);
        match replace(self.page.kind.dialect, &call) {
            Some(Piece::Break) if call.name == "tab" && !self.tabs.is_empty() => {
                let title = self.tabs.pop_front().unwrap_or_default();
                self.piece(range, &Piece::Label(title));
            }
            Some(Piece::Open(mark)) => self.piece(range, &Piece::Open(mark)),
            Some(piece) => {
                self.piece(range, &piece);
                self.places(&call);
            }
            None => {
                self.count(&call);
                self.put(range, "");
                self.places(&call);
            }
        }
    }

    /// The ids that the site's own template gives to what a shortcode shows, behind it.
    fn places(&mut self, call: &Call<'_>) {
        if call.form != Form::Shortcode {
            return;
        }
        for place in &self.page.kind.config.shortcode_ids {
            if let Some(id) = place.id(call) {
                let at = self.splice.done();
                self.splice.put(at..at, &format!("<a id=\"{id}\"></a>"));
            }
        }
    }

    /// Records what a tag says about the tabs that follow.
    fn note_tabs(&mut self, call: &Call<'_>) {
        if call.name == "/tabpane" {
            self.pane = None;
        }
        if call.name == "tabs" {
            let titles = call
                .arguments
                .named(&["items", "names"])
                .unwrap_or_default()
                .split(',')
                .map(str::trim);
            self.tabs = titles
                .filter(|title| !title.is_empty())
                .take(MOST_TABS)
                .map(str::to_owned)
                .collect();
        }
    }

    /// Counts a tag without a rule; ends and branches are not counted.
    fn count(&mut self, call: &Call<'_>) {
        let name = call.name;
        if name.is_empty()
            || name.starts_with('/')
            || name.starts_with("end")
            || name.starts_with("els")
        {
            return;
        }
        let file = match name {
            "include" | "include_cached" => {
                format!(" {}", call.arguments.first().unwrap_or_default())
            }
            _ => String::new(),
        };
        *self
            .unknown
            .entry(shorten(&format!("{name}{file}"), LONGEST_NAME))
            .or_default() += 1;
    }

    /// A tag that the author wants to show.
    fn shown(&mut self, range: Range<usize>) {
        let text = self.text[range.clone()].to_owned();
        self.piece(range, &Piece::Code(text));
    }
}
