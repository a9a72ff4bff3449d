//! Where each element of a page ends, and how much text and how many links it holds: found in one pass, so that every later question is cheap.

use std::ops::Range;

use super::tokens::{StartTag, Token};

/// How far up an end tag looks for its start tag: deeper nesting is nobody's, and a page of stray end tags stays cheap.
const REACH: usize = 256;

/// The elements of a page by the numbers of their start tags.
pub(super) struct Tree<'t> {
    pub tokens: &'t [Token],
    /// The number of the token that closes the element of a start tag: its end tag, or what closed it without one; for void elements itself.
    close: Vec<usize>,
    /// Bytes of text before a token, of that in links, and the number of links, of first headings and of pictures.
    sums: Vec<Fingerprint>,
}

/// What stands in a stretch of a page.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Fingerprint {
    pub text: usize,
    pub linked: usize,
    pub links: usize,
    pub titles: usize,
    pub pictures: usize,
}

impl<'t> Tree<'t> {
    pub fn of(tokens: &'t [Token]) -> Self {
        let mut close = vec![0; tokens.len()];
        let mut sums = Vec::with_capacity(tokens.len() + 1);
        let mut open: Vec<usize> = Vec::new();
        let (mut sum, mut in_link) = (Fingerprint::default(), false);
        let mut mute = None;
        for (at, token) in tokens.iter().enumerate() {
            sums.push(sum);
            close[at] = at;
            match token {
                Token::Start(tag) => {
                    if let Some(top) = open.last().copied().filter(|top| ends_before(name_of(&tokens[*top]), &tag.name)) {
                        close[top] = at;
                        open.pop();
                    }
                    match tag.name.as_str() {
                        "a" => {
                            in_link = true;
                            sum.links += 1;
                        }
                        "h1" => sum.titles += 1,
                        "img" | "video" | "iframe" => sum.pictures += 1,
                        "script" | "style" | "template" | "svg" => mute = Some(&tag.name),
                        _ => {}
                    }
                    if !is_void(&tag.name) {
                        open.push(at);
                    }
                }
                Token::End(name) => {
                    if name == "a" {
                        in_link = false;
                    }
                    mute = mute.filter(|mute| *mute != name);
                    let found = open.iter().rev().take(REACH).position(|start| name_of(&tokens[*start]) == name);
                    if let Some(above) = found {
                        for start in open.drain(open.len() - above - 1..) {
                            close[start] = at;
                        }
                    }
                }
                Token::Text(text, _) if mute.is_none() => {
                    let length = text.split_whitespace().map(str::len).sum::<usize>();
                    sum.text += length;
                    sum.linked += if in_link { length } else { 0 };
                }
                Token::Text(..) | Token::Comment(_) => {}
            }
        }
        sums.push(sum);
        for start in open {
            close[start] = tokens.len();
        }
        Self { tokens, close, sums }
    }

    /// The start tag with this number.
    pub fn tag(&self, at: usize) -> Option<&'t StartTag> {
        match self.tokens.get(at) {
            Some(Token::Start(tag)) => Some(tag),
            _ => None,
        }
    }

    /// The tokens inside the element that begins at `at`.
    pub fn inside(&self, at: usize) -> Range<usize> {
        at + 1..self.close[at].max(at + 1).min(self.tokens.len())
    }

    /// The first token behind the element that begins at `at`: its own end tag is part of it.
    pub fn behind(&self, at: usize) -> usize {
        let close = self.close[at];
        let own = matches!((self.tag(at), self.tokens.get(close)), (Some(tag), Some(Token::End(name))) if tag.name == *name);
        if close == at || own { close + 1 } else { close }
    }

    /// What stands in a range of tokens.
    pub fn sum(&self, range: &Range<usize>) -> Fingerprint {
        let (from, to) = (self.sums[range.start.min(self.tokens.len())], self.sums[range.end.min(self.tokens.len())]);
        Fingerprint {
            text: to.text - from.text,
            linked: to.linked - from.linked,
            links: to.links - from.links,
            titles: to.titles - from.titles,
            pictures: to.pictures - from.pictures,
        }
    }

    /// The outermost elements in a range, by the numbers of their start tags.
    pub fn children(&self, range: Range<usize>) -> Vec<usize> {
        let (mut children, mut at) = (Vec::new(), range.start);
        while at < range.end {
            if self.tag(at).is_some() {
                children.push(at);
                at = self.behind(at).max(at + 1);
            } else {
                at += 1;
            }
        }
        children
    }

    /// The first elements that fit, none inside another.
    pub fn outermost(&self, fits: impl Fn(&StartTag) -> bool) -> Vec<usize> {
        let (mut found, mut at) = (Vec::new(), 0);
        while at < self.tokens.len() {
            if self.tag(at).is_some_and(&fits) {
                found.push(at);
                at = self.behind(at).max(at + 1);
            } else {
                at += 1;
            }
        }
        found
    }

    /// The text in a range on one line.
    pub fn text(&self, range: Range<usize>) -> String {
        let texts = self.tokens[range].iter().filter_map(|token| if let Token::Text(text, _) = token { Some(text.as_str()) } else { None });
        crate::model::text::one_line(&texts.collect::<String>())
    }
}

fn name_of(token: &Token) -> &str {
    match token {
        Token::Start(tag) => &tag.name,
        _ => "",
    }
}

/// Whether an open element ends where another begins, without an end tag.
fn ends_before(open: &str, next: &str) -> bool {
    match open {
        "p" => matches!(
            next,
            "p" | "div" | "ul" | "ol" | "dl" | "pre" | "table" | "blockquote" | "section" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "hr" | "figure"
        ),
        "li" => next == "li",
        "dt" | "dd" => matches!(next, "dt" | "dd"),
        "td" | "th" => matches!(next, "td" | "th" | "tr"),
        "tr" => next == "tr",
        _ => false,
    }
}

pub(super) fn is_void(name: &str) -> bool {
    matches!(name, "area" | "base" | "br" | "col" | "embed" | "hr" | "img" | "input" | "link" | "meta" | "source" | "track" | "wbr")
}

#[cfg(test)]
mod tests {
    use super::super::tokens::Tokens;
    use super::*;

    #[test]
    fn elements_end_where_browsers_end_them() {
        let tokens: Vec<Token> = Tokens::new("<div><p>one <a href=x>two</a><p>three<ul><li>a<li>b</ul></div>c").collect();
        let tree = Tree::of(&tokens);
        let paragraphs: Vec<String> =
            (0..tokens.len()).filter(|at| tree.tag(*at).is_some_and(|tag| tag.name == "p")).map(|at| tree.text(tree.inside(at))).collect();
        assert_eq!(paragraphs, ["one two", "three"]);
        let div = tree.inside(0);
        assert_eq!((tree.sum(&div).text, tree.sum(&div).linked, tree.behind(0)), (13, 3, tokens.len() - 1));
        assert_eq!(tree.children(div).len(), 3);
    }

    #[test]
    fn stray_tags_stay_cheap() {
        let tokens: Vec<Token> = Tokens::new(&format!("{}{}", "<b>".repeat(50_000), "</i>".repeat(50_000))).collect();
        assert_eq!(Tree::of(&tokens).behind(0), tokens.len());
    }
}
