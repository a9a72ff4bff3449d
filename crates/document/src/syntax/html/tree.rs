//! The element tree of a page, with the amount of text and links in each element: computed in one
//! pass, so that later queries are cheap.

use std::ops::Range;

use super::tokens::{StartTag, Token};

/// How many open elements an end tag searches for its start tag. Real pages are not deeper, and it
/// bounds the cost of stray end tags.
const REACH: usize = 256;

/// Maximum number of tokens of an element to examine.
pub const NEAR: usize = 3000;

/// The elements of a page by the token numbers of their start tags.
pub struct Tree<'t> {
    pub tokens: &'t [Token],
    /// The token that closes the element of each start tag: its end tag, or the one that closed it
    /// implicitly; for void elements the start tag itself.
    close: Vec<usize>,
    /// Running totals before each token.
    counts: Vec<Counts>,
}

/// The contents of a range: bytes of text and of text in links, and the number of links, first
/// headings and pictures.
#[derive(Clone, Copy, Default)]
pub struct Counts {
    pub text: usize,
    pub linked: usize,
    pub links: usize,
    pub titles: usize,
    pub pictures: usize,
}

impl<'t> Tree<'t> {
    pub fn new(tokens: &'t [Token]) -> Self {
        let close = (0..tokens.len()).collect();
        let mut tree = Self {
            tokens,
            close,
            counts: Vec::with_capacity(tokens.len() + 1),
        };
        tree.close_elements();
        tree.count_all();
        tree
    }

    fn close_elements(&mut self) {
        let mut open: Vec<(usize, &str)> = Vec::new();
        for (at, token) in self.tokens.iter().enumerate() {
            for (start, _) in take_ended(&mut open, token) {
                self.close[start] = at;
            }
            if let Token::Start(tag) = token
                && !is_void(&tag.name)
            {
                open.push((at, &tag.name));
            }
        }
        for (start, _) in open {
            self.close[start] = self.tokens.len();
        }
    }

    fn count_all(&mut self) {
        let (mut counts, mut in_link, mut mute) = (Counts::default(), false, None);
        for token in self.tokens {
            self.counts.push(counts);
            match token {
                Token::Start(tag) => {
                    let name = tag.name.as_str();
                    in_link |= name == "a";
                    counts.links += usize::from(name == "a");
                    counts.titles += usize::from(name == "h1");
                    counts.pictures += usize::from(matches!(name, "img" | "video" | "iframe"));
                    if matches!(name, "script" | "style" | "template" | "svg") {
                        mute = Some(name);
                    }
                }
                Token::End(name) => {
                    in_link &= name != "a";
                    mute = mute.filter(|mute| mute != name);
                }
                Token::Text(text, _) if mute.is_none() => {
                    let length = text.split_whitespace().map(str::len).sum::<usize>();
                    counts.text += length;
                    counts.linked += if in_link { length } else { 0 };
                }
                Token::Text(..) | Token::Comment(_) => {}
            }
        }
        self.counts.push(counts);
    }

    /// The start tag with this number.
    pub fn tag(&self, at: usize) -> Option<&'t StartTag> {
        if let Token::Start(tag) = self.tokens.get(at)? {
            Some(tag)
        } else {
            None
        }
    }

    /// The tokens inside the element that begins at `at`.
    pub fn inside(&self, at: usize) -> Range<usize> {
        at + 1..self.close[at].max(at + 1).min(self.tokens.len())
    }

    /// The first tokens inside an element. The limit matters because an unclosed element reaches to
    /// the end of the page, and a page may have many.
    pub fn beginning(&self, at: usize, most: usize) -> Range<usize> {
        let inside = self.inside(at);
        inside.start..inside.end.min(inside.start + most)
    }

    /// The first token after the element that begins at `at`, including its end tag.
    pub fn behind(&self, at: usize) -> usize {
        let close = self.close[at];
        let own = matches!((self.tag(at), self.tokens.get(close)), (Some(tag), Some(Token::End(name))) if tag.name == *name);
        if close == at || own { close + 1 } else { close }
    }

    /// The counts of a range of tokens.
    pub fn count(&self, range: &Range<usize>) -> Counts {
        let [from, to] = [range.start, range.end].map(|at| self.counts[at.min(self.tokens.len())]);
        Counts {
            text: to.text - from.text,
            linked: to.linked - from.linked,
            links: to.links - from.links,
            titles: to.titles - from.titles,
            pictures: to.pictures - from.pictures,
        }
    }

    /// The start tags in a range.
    pub fn tags(&self, range: Range<usize>) -> impl Iterator<Item = &'t StartTag> {
        range.filter_map(|at| self.tag(at))
    }

    /// The first matching elements in a range, none inside another.
    pub fn outermost(&self, range: Range<usize>, fits: impl Fn(&StartTag) -> bool) -> Vec<usize> {
        let (mut found, mut at) = (Vec::new(), range.start);
        while at < range.end {
            if self.tag(at).is_some_and(&fits) {
                found.push(at);
                at = self.behind(at);
            } else {
                at += 1;
            }
        }
        found
    }

    /// The text in a range on one line.
    pub fn text(&self, range: Range<usize>) -> String {
        crate::model::text::one_line(&text_of(&self.tokens[range]))
    }
}

/// The text of some tokens, unmodified.
pub fn text_of(tokens: &[Token]) -> String {
    let mut text = String::new();
    for token in tokens {
        if let Token::Text(part, _) = token {
            text.push_str(part);
        }
    }
    text
}

/// Removes the open elements that a token ends.
fn take_ended<'a>(open: &mut Vec<(usize, &'a str)>, token: &Token) -> Vec<(usize, &'a str)> {
    match token {
        Token::Start(tag) => {
            let ended = open.pop_if(|(_, name)| ends_before(name, &tag.name));
            ended.into_iter().collect()
        }
        Token::End(name) => {
            let reach = open.len().saturating_sub(REACH);
            let start = open[reach..].iter().rposition(|(_, opened)| opened == name);
            open.split_off(start.map_or(open.len(), |start| reach + start))
        }
        Token::Text(..) | Token::Comment(_) => Vec::new(),
    }
}

/// Whether the start of an element implicitly closes an open one.
pub fn ends_before(open: &str, next: &str) -> bool {
    match open {
        "p" => matches!(
            next,
            "p" | "div"
                | "ul"
                | "ol"
                | "dl"
                | "pre"
                | "table"
                | "blockquote"
                | "section"
                | "h1"
                | "h2"
                | "h3"
                | "h4"
                | "h5"
                | "h6"
                | "hr"
                | "figure"
        ),
        "li" => next == "li",
        "dt" | "dd" => matches!(next, "dt" | "dd"),
        "td" | "th" => matches!(next, "td" | "th" | "tr"),
        "tr" => next == "tr",
        _ => false,
    }
}

/// Whether an element has neither content nor an end tag.
pub fn is_void(name: &str) -> bool {
    matches!(
        name,
        "area"
            | "base"
            | "br"
            | "col"
            | "embed"
            | "hr"
            | "img"
            | "input"
            | "link"
            | "meta"
            | "source"
            | "track"
            | "wbr"
    )
}

#[cfg(test)]
mod tests {
    use super::super::tokens::Tokens;
    use super::*;

    #[test]
    fn elements_end_where_browsers_end_them() {
        let tokens: Vec<Token> =
            Tokens::new("<div><p>one <a href=x>two</a><p>three<ul><li>a<li>b</ul></div>c")
                .collect();
        let tree = Tree::new(&tokens);
        let paragraphs: Vec<String> = (0..tokens.len())
            .filter(|at| tree.tag(*at).is_some_and(|tag| tag.name == "p"))
            .map(|at| tree.text(tree.inside(at)))
            .collect();
        assert_eq!(paragraphs, ["one two", "three"]);
        let div = tree.inside(0);
        assert_eq!(
            (
                tree.count(&div).text,
                tree.count(&div).linked,
                tree.behind(0)
            ),
            (13, 3, tokens.len() - 1)
        );
        assert_eq!(tree.outermost(div, |_| true).len(), 3);
    }

    #[test]
    fn stray_tags_stay_cheap() {
        let tokens: Vec<Token> = Tokens::new(&format!(
            "{}{}",
            "<b>".repeat(50_000),
            "</i>".repeat(50_000)
        ))
        .collect();
        assert_eq!(Tree::new(&tokens).behind(0), tokens.len());
    }
}
