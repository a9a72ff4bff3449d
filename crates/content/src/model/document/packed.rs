//! A document as bytes, some as many as its text: the tree of it is several times as large, and all documents of a folder are there at once while their
//! links are resolved.
//!
//! They never leave the process, so they have no version, and they are text themselves, so that the texts in them need not be proved to be UTF-8 one by
//! one. Writing and reading recurse as deep as containers stand in one another, which is bounded.

use std::sync::Arc;

use super::{
    Alignment, Block, Callout, Cell, Container, ContainerTag, Definition, Document, Embed, EmbedKind, Fold, Footnote, Image, Inline, Item, List,
    Reference, ReferenceKind, Span, SpanTag, Table,
};

/// The document as bytes. `scratch` is room to write in, used again by the next.
pub(super) fn pack(document: &Document, scratch: &mut String) -> Arc<str> {
    scratch.clear();
    document.pack(scratch);
    scratch.as_str().into()
}

/// The document of these bytes.
pub(super) fn unpack(mut bytes: &str) -> Option<Document> {
    Document::unpack(&mut bytes)
}

/// What can be written as bytes and read again.
trait Packed: Sized {
    fn pack(&self, out: &mut String);

    /// Reads it from the beginning of some bytes and takes those away; `None` where [`pack`](Self::pack) has not written them.
    fn unpack(from: &mut &str) -> Option<Self>;
}

/// A number in as many characters of ASCII as it needs, six bits each, the lowest first; the seventh says that another follows.
impl Packed for u64 {
    fn pack(&self, out: &mut String) {
        let mut rest = *self;
        while rest >= MORE {
            out.push(char::from((rest % MORE + MORE) as u8));
            rest /= MORE;
        }
        out.push(char::from(rest as u8));
    }

    fn unpack(from: &mut &str) -> Option<Self> {
        let (mut number, mut shift) = (0, 0);
        loop {
            let (&byte, _) = from.as_bytes().split_first()?;
            *from = from.get(1..)?;
            number |= (u64::from(byte) % MORE).checked_shl(shift)?;
            if u64::from(byte) < MORE {
                return Some(number);
            }
            shift += MORE.ilog2();
        }
    }
}

const MORE: u64 = 1 << 6;

impl Packed for usize {
    fn pack(&self, out: &mut String) {
        (*self as u64).pack(out);
    }

    fn unpack(from: &mut &str) -> Option<Self> {
        Self::try_from(u64::unpack(from)?).ok()
    }
}

impl Packed for u32 {
    fn pack(&self, out: &mut String) {
        u64::from(*self).pack(out);
    }

    fn unpack(from: &mut &str) -> Option<Self> {
        Self::try_from(u64::unpack(from)?).ok()
    }
}

impl Packed for u8 {
    fn pack(&self, out: &mut String) {
        u64::from(*self).pack(out);
    }

    fn unpack(from: &mut &str) -> Option<Self> {
        Self::try_from(u64::unpack(from)?).ok()
    }
}

impl Packed for bool {
    fn pack(&self, out: &mut String) {
        u8::from(*self).pack(out);
    }

    fn unpack(from: &mut &str) -> Option<Self> {
        Some(u8::unpack(from)? != 0)
    }
}

impl Packed for String {
    fn pack(&self, out: &mut String) {
        self.len().pack(out);
        out.push_str(self);
    }

    fn unpack(from: &mut &str) -> Option<Self> {
        let length = usize::unpack(from)?;
        let (text, rest) = from.split_at_checked(length)?;
        *from = rest;
        Some(text.to_owned())
    }
}

impl<T: Packed> Packed for Option<T> {
    fn pack(&self, out: &mut String) {
        self.is_some().pack(out);
        if let Some(value) = self {
            value.pack(out);
        }
    }

    fn unpack(from: &mut &str) -> Option<Self> {
        if bool::unpack(from)? { T::unpack(from).map(Some) } else { Some(None) }
    }
}

impl<T: Packed> Packed for Vec<T> {
    fn pack(&self, out: &mut String) {
        self.len().pack(out);
        self.iter().for_each(|value| value.pack(out));
    }

    fn unpack(from: &mut &str) -> Option<Self> {
        let length = usize::unpack(from)?;
        // Each value has a byte at least.
        let mut values = Self::with_capacity(length.min(from.len()));
        for _ in 0..length {
            values.push(T::unpack(from)?);
        }
        Some(values)
    }
}

impl<A: Packed, B: Packed> Packed for (A, B) {
    fn pack(&self, out: &mut String) {
        self.0.pack(out);
        self.1.pack(out);
    }

    fn unpack(from: &mut &str) -> Option<Self> {
        Some((A::unpack(from)?, B::unpack(from)?))
    }
}

/// A structure is its fields, in this order.
macro_rules! structures {
    ($($name:ident { $($field:ident),* })*) => { $(
        impl Packed for $name {
            fn pack(&self, out: &mut String) {
                let Self { $($field),* } = self;
                $($field.pack(out);)*
            }

            fn unpack(from: &mut &str) -> Option<Self> {
                $(let $field = Packed::unpack(from)?;)*
                Some(Self { $($field),* })
            }
        }
    )* };
}

/// A choice is the number of the variant and its fields, in this order.
macro_rules! choices {
    ($($name:ident { $($number:literal $variant:ident { $($key:tt: $field:ident),* })* })*) => { $(
        impl Packed for $name {
            fn pack(&self, out: &mut String) {
                match self {
                    $(Self::$variant { $($key: $field),* } => {
                        u8::pack(&$number, out);
                        $($field.pack(out);)*
                    })*
                }
            }

            fn unpack(from: &mut &str) -> Option<Self> {
                match u8::unpack(from)? {
                    $($number => {
                        $(let $field = Packed::unpack(from)?;)*
                        Some(Self::$variant { $($key: $field),* })
                    })*
                    _ => None,
                }
            }
        }
    )* };
}

structures! {
    Document { blocks, footnotes, references, title_id }
    Reference { raw, kind, line, column }
    Footnote { label, blocks }
    Callout { kind, title, fold, blocks }
    List { start, tight, items }
    Item { task, blocks }
    Table { caption, alignments, header, rows }
    Cell { heads, blocks }
    Definition { terms, descriptions }
    Embed { kind, reference, title }
    Container { tag, attributes, blocks }
    Span { tag, attributes, content }
    Image { reference, alt, title, width, height }
}

choices! {
    Block {
        0 Paragraph { 0: content }
        1 Heading { level: level, id: id, content: content }
        2 Code { language: language, text: text }
        3 Quote { 0: blocks }
        4 Callout { 0: callout }
        5 List { 0: list }
        6 Table { 0: table }
        7 Definitions { 0: definitions }
        8 Rule {}
        9 Figure { blocks: blocks, caption: caption }
        10 Details { summary: summary, open: open, blocks: blocks }
        11 Math { 0: tex }
        12 Embed { 0: embed }
        13 Container { 0: container }
    }
    Inline {
        0 Text { 0: text }
        1 Code { 0: text }
        2 Emphasis { 0: content }
        3 Strong { 0: content }
        4 Strikethrough { 0: content }
        5 Span { 0: span }
        6 Link { reference: reference, title: title, content: content }
        7 Image { 0: image }
        8 HardBreak {}
        9 SoftBreak {}
        10 Footnote { 0: number }
        11 Math { tex: tex, display: display }
        12 Anchor { 0: id }
    }
    ReferenceKind { 0 Link {} 1 Media {} 2 Wiki {} 3 Embed {} 4 Player {} }
    Alignment { 0 None {} 1 Left {} 2 Center {} 3 Right {} }
    Fold { 0 Open {} 1 Closed {} }
    EmbedKind { 0 Frame {} 1 Video {} 2 Audio {} }
    ContainerTag { 0 Div {} 1 Aside {} }
    SpanTag {
        0 Abbr {} 1 Bdi {} 2 Bdo {} 3 Cite {} 4 Code {} 5 Dfn {} 6 Ins {} 7 Kbd {} 8 Mark {} 9 Quote {} 10 Samp {} 11 Small {} 12 Span {} 13 Sub {}
        14 Sup {} 15 Underline {} 16 Var {}
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::syntax::markdown;

    /// Something of every kind.
    const RICH: &str = "# Title\n\nText *a **b** `c`* ~~d~~ [e](f.md \"g\") ![h](i.png \"j\") <kbd>k</kbd> <sub>l</sub>\\\nm[^n]\n\n> [!NOTE]\n> o\n\n\
        > p\n\n1. q\n2. r\n\n- [x] s\n- [ ] t\n\n| u | v |\n|:--|--:|\n| w | $x$ |\n\n```rust\ny\n```\n\n---\n\n<details open><summary>z</summary>\n\n\
        a\n\n</details>\n\n<div class=\"b\" id=\"c\">\n\nd\n\n</div>\n\n<figure><img src=\"e.png\" width=\"3\"><figcaption>f</figcaption></figure>\n\n\
        $$g$$\n\n<iframe src=\"https://example.com/h\" title=\"i\"></iframe>\n\n<dl><dt>j</dt><dd>k</dd></dl>\n\n<a id=\"l\"></a>m\n\n[^n]: o\n";

    fn parsed(text: &str) -> Document {
        markdown::parse(text, &markdown::Options { wikilinks: true, ..markdown::Options::default() })
    }

    fn is_the_same_after(document: &Document) -> Arc<str> {
        let bytes = pack(document, &mut String::new());
        assert_eq!(unpack(&bytes).as_ref(), Some(document));
        bytes
    }

    #[test]
    fn what_is_packed_comes_back_and_nothing_else_does() {
        let mut document = parsed(RICH);
        document.title_id = Some("title".to_owned());
        let bytes = is_the_same_after(&document);
        assert!(bytes.len() < RICH.len() * 2, "{} bytes of {}", bytes.len(), RICH.len());
        for end in (0..bytes.len()).filter(|end| bytes.is_char_boundary(*end)) {
            assert_eq!(unpack(&bytes[..end]), None, "what is cut off is no document");
        }
    }

    #[test]
    fn the_deepest_document_needs_no_more_than_a_thread_has() {
        let mut block = Block::Paragraph(vec![Inline::text("deep")]);
        for _ in 0..200 {
            block = Block::List(List { start: None, tight: true, items: vec![Item { task: None, blocks: vec![block] }] });
        }
        let document = Document { blocks: vec![block], ..Document::default() };
        let run = move || is_the_same_after(&document).len();
        let length = std::thread::Builder::new().stack_size(1024 * 1024).spawn(run).unwrap().join().unwrap();
        assert!(length > 1_000);
    }

    proptest! {
        #[test]
        fn any_document_comes_back(text in "([a-z*_`~\\[\\]()!<>#|$>\\- \n\u{e9}]|\\[a\\]\\(b\\)|\n\n|```\n|<div>|</div>|[0-9]\\. ){0,200}") {
            is_the_same_after(&parsed(&text));
        }
    }
}
