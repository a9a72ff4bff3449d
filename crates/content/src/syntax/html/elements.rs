//! What each HTML element is in the document.

use super::attributes;
use super::feed::{Feed, Region, State};
use super::normalise::{CALLOUT, TEX};
use super::tokens::StartTag;
use crate::model::document::build::{Builder, Kind, OpenCell, OpenRow, SourceMap, Wrapper, clean, is_title, table_span};
use crate::model::document::{Alignment, Block, ContainerTag, Embed, EmbedKind, Image, Inline, ReferenceKind, SpanTag};

/// A film or sound that waits for its `<source>`.
#[derive(Debug)]
pub(crate) struct Media {
    pub tag: &'static str,
    /// Where its tag begins in the source.
    pub start: usize,
    kind: EmbedKind,
    title: Option<String>,
}

/// Every element that means something here; any other tag is dropped and its content kept.
#[rustfmt::skip]
const KNOWN: [&str; 92] = [
    "a", "abbr", "address", "article", "aside", "audio", "b", "bdi", "bdo", "blockquote", "body", "br", "caption", "center", "cite", "code", "dd",
    "del", "details", "dfn", "dialog", "div", "dl", "dt", "em", "embed", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3",
    "h4", "h5", "h6", "header", "hgroup", "hr", "i", "iframe", "img", "input", "ins", "kbd", "legend", "li", "listing", "main", "mark", "menu",
    "nav", "noscript", "ol", "option", "p", "pre", "q", "rp", "rt", "s", "samp", "script", "search", "section", "small", "source", "span", "strike",
    "strong", "style", "sub", "summary", "sup", "svg", "table", "tbody", "td", "template", "tfoot", "th", "thead", "title", "tr", "tt", "u", "ul",
    "var", "video", "wbr", "xmp",
];

fn known(name: &str) -> Option<&'static str> {
    KNOWN.binary_search(&name).ok().map(|index| KNOWN[index])
}

/// A start tag. `source` gives the place in the source of an offset in the tag's text.
pub(super) fn start(builder: &mut Builder, state: &mut State, tag: &StartTag, source: &dyn Fn(usize) -> usize) {
    match tag.name.as_str() {
        CALLOUT if state.dropping.is_none() => return callout(builder, tag),
        TEX if state.dropping.is_none() => {
            let (tex, display) = (clean(tag.get("tex").unwrap_or_default()).into_owned(), tag.get("display") == Some("true"));
            return if display { builder.block(Block::Math(tex)) } else { builder.inline(Inline::Math { tex, display }) };
        }
        _ => {}
    }
    let Some(name) = known(&tag.name) else { return };
    if let Some((dropped, depth)) = &mut state.dropping {
        *depth += usize::from(*dropped == name);
        return;
    }
    if state.media.is_some() && name != "source" {
        return;
    }
    if state.region.is_some_and(|region| is_boilerplate(region, name, tag)) {
        if !is_void(name) {
            state.dropping = Some((name, 0));
        }
        return;
    }
    match name {
        "script" | "style" | "template" | "svg" | "title" => state.dropping = Some((name, 0)),
        // One in another is nonsense, and the tokenizer would give us its tags as text.
        "noscript" if state.nested => state.dropping = Some((name, 0)),
        "noscript" => state.noscript = true,
        "br" => builder.inline(Inline::HardBreak),
        "hr" => builder.block(Block::Rule),
        "img" => image(builder, tag, source),
        "input" => checkbox(builder, tag),
        "iframe" | "embed" => {
            embed(builder, tag, EmbedKind::Frame, source);
            if name == "iframe" {
                state.dropping = Some((name, 0));
            }
        }
        "video" | "audio" => media(builder, state, tag, name, source),
        "source" => media_source(builder, state, tag, source),
        "a" => link(builder, tag, source),
        _ => {
            if let Some(wrapper) = wrapper(builder, name, tag) {
                builder.open_inline(wrapper, name);
            } else {
                block(builder, name, tag);
            }
        }
    }
}

/// What of a whole page is not its article: navigation, what is hidden, and around a mere body its header, footer and asides.
fn is_boilerplate(region: Region, name: &str, tag: &StartTag) -> bool {
    let hidden = tag.get("hidden").is_some() || tag.get("aria-hidden") == Some("true");
    let around = region == Region::Body && matches!(name, "header" | "footer" | "aside");
    name == "nav" || tag.get("role") == Some("navigation") || hidden || around
}

fn is_void(name: &str) -> bool {
    matches!(name, "br" | "embed" | "hr" | "img" | "input" | "source" | "wbr")
}

/// An end tag.
pub(super) fn end(builder: &mut Builder, state: &mut State, name: &str) {
    if name == CALLOUT && state.dropping.is_none() {
        return builder.close_html(CALLOUT, true);
    }
    let Some(name) = known(name) else { return };
    if let Some((dropped, depth)) = &mut state.dropping {
        if *dropped == name {
            match depth.checked_sub(1) {
                Some(less) => *depth = less,
                None => state.dropping = None,
            }
        }
        return;
    }
    if let Some(media) = &state.media {
        if media.tag == name {
            state.media = None;
        }
        return;
    }
    match name {
        "noscript" => state.noscript = false,
        "thead" => head_rows(builder, false),
        "rt" => builder.html_text(")", 0),
        _ => builder.close_html(name, !is_inline(name)),
    }
}

/// Text between tags.
pub(super) fn text(builder: &mut Builder, state: &mut State, text: &str, offset: usize) {
    if state.dropping.is_some() || state.media.is_some() {
        return;
    }
    if !state.noscript {
        return builder.html_text(text, offset);
    }
    // Our pages have no scripts, so what stands in for them is the content.
    let mut pieces = SourceMap::default();
    pieces.push(0, offset);
    let mut feed = Feed::nested(text, &pieces);
    while feed.read(builder).is_some() {}
}

fn is_inline(name: &str) -> bool {
    matches!(
        name,
        "a" | "abbr"
            | "b"
            | "bdi"
            | "bdo"
            | "cite"
            | "code"
            | "del"
            | "dfn"
            | "em"
            | "i"
            | "ins"
            | "kbd"
            | "mark"
            | "q"
            | "s"
            | "samp"
            | "small"
            | "span"
            | "strike"
            | "strong"
            | "sub"
            | "sup"
            | "tt"
            | "u"
            | "var"
    )
}

/// The inline wrapper that an element is.
fn wrapper(builder: &mut Builder, name: &'static str, tag: &StartTag) -> Option<Wrapper> {
    if !is_inline(name) {
        return None;
    }
    if builder.in_code() {
        // `<pre><code class="language-x">`: the element says the language, no more.
        if let (Some(Kind::Code { language, .. }), Some(named)) = (builder.top_kind(), attributes::code_language(tag)) {
            language.get_or_insert(named);
        }
        // A place that a text beside the code names; highlighters number the ids of lines.
        if let Some(id) = tag.get("id").filter(|id| !id.ends_with(|c: char| c.is_ascii_digit())) {
            builder.anchor(id);
        }
    }
    let span = match name {
        "em" | "i" => return Some(anchored(builder, tag, Wrapper::Emphasis)),
        "strong" | "b" => return Some(anchored(builder, tag, Wrapper::Strong)),
        "del" | "s" | "strike" => return Some(anchored(builder, tag, Wrapper::Strikethrough)),
        "abbr" => SpanTag::Abbr,
        "bdi" => SpanTag::Bdi,
        "bdo" if matches!(tag.get("dir"), Some("ltr" | "rtl")) => SpanTag::Bdo,
        "cite" => SpanTag::Cite,
        "code" | "tt" => SpanTag::Code,
        "dfn" => SpanTag::Dfn,
        "ins" => SpanTag::Ins,
        "kbd" => SpanTag::Kbd,
        "mark" => SpanTag::Mark,
        "q" => SpanTag::Quote,
        "samp" => SpanTag::Samp,
        "small" => SpanTag::Small,
        "sub" => SpanTag::Sub,
        "sup" => SpanTag::Sup,
        "u" => SpanTag::Underline,
        "var" => SpanTag::Var,
        _ => SpanTag::Span,
    };
    let attributes = if builder.in_code() { Vec::new() } else { attributes::kept(builder, tag) };
    Some(Wrapper::Span(span, attributes))
}

/// A wrapper that bears no attributes: its id stands before it.
fn anchored(builder: &mut Builder, tag: &StartTag, wrapper: Wrapper) -> Wrapper {
    if let Some(id) = tag.get("id") {
        builder.anchor(id);
    }
    wrapper
}

fn link(builder: &mut Builder, tag: &StartTag, source: &dyn Fn(usize) -> usize) {
    if let Some(id) = tag.get("id").or_else(|| tag.get("name")) {
        builder.anchor(id);
    }
    let Some(href) = tag.get("href").filter(|href| !href.trim().is_empty()) else { return };
    if builder.in_link() {
        builder.close_html("a", false);
    }
    if builder.in_link() || builder.in_alt() || builder.in_code() {
        return;
    }
    builder.flush();
    let reference = builder.reference(href, ReferenceKind::Link, source(tag.offset("href")));
    let title = words(tag.get("title"));
    builder.open_inline(Wrapper::Link { reference, title }, "a");
}

fn words(text: Option<&str>) -> String {
    clean(text.unwrap_or_default()).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The address of an image or embed: where scripts load it later, it waits in another attribute.
fn address(tag: &StartTag) -> Option<(&str, &'static str)> {
    let usable = |name: &'static str| tag.get(name).map(str::trim).filter(|address| !address.is_empty()).map(|address| (address, name));
    let late = || ["data-src", "data-original", "data-lazy-src"].into_iter().find_map(usable);
    match usable("src") {
        Some((src, _)) if src.starts_with("data:") => late().or(Some((src, "src"))),
        Some(found) => Some(found),
        None => late(),
    }
}

fn image(builder: &mut Builder, tag: &StartTag, source: &dyn Fn(usize) -> usize) {
    let Some((src, attribute)) = address(tag) else { return };
    if builder.in_code() || builder.in_alt() {
        return;
    }
    builder.flush();
    let reference = builder.reference(src, ReferenceKind::Media, source(tag.offset(attribute)));
    let pixels = |name: &str| {
        tag.get(name).and_then(|value| value.trim().trim_end_matches("px").parse().ok()).filter(|&pixels| (1..=20_000).contains(&pixels))
    };
    let image = Image { reference, alt: words(tag.get("alt")), title: words(tag.get("title")), width: pixels("width"), height: pixels("height") };
    builder.inline(Inline::Image(image));
}

/// A task list as other programs write it: a checkbox at the beginning of an item.
fn checkbox(builder: &mut Builder, tag: &StartTag) {
    let is_checkbox = tag.get("type").is_some_and(|kind| kind.eq_ignore_ascii_case("checkbox"));
    let done = tag.get("checked").is_some();
    if let (true, Some(Kind::Item { task, .. })) = (is_checkbox, builder.top_kind()) {
        task.get_or_insert(done);
    }
}

fn embed(builder: &mut Builder, tag: &StartTag, kind: EmbedKind, source: &dyn Fn(usize) -> usize) {
    let Some((src, attribute)) = address(tag) else { return };
    push_embed(builder, kind, tag.get("title"), src, source(tag.offset(attribute)));
}

fn push_embed(builder: &mut Builder, kind: EmbedKind, title: Option<&str>, src: &str, offset: usize) {
    if builder.in_code() {
        return;
    }
    builder.flush();
    let reference = builder.reference(src, ReferenceKind::Player, offset);
    let title = Some(words(title)).filter(|title| !title.is_empty()).unwrap_or_else(|| name_of(src));
    builder.block(Block::Embed(Embed { kind, reference, title }));
}

/// A name for something that has none: its host, or its file name.
fn name_of(src: &str) -> String {
    let host = src.split_once("//").map(|(_, rest)| rest.split(['/', '?', '#']).next().unwrap_or(rest));
    let path = src.split(['?', '#']).next().unwrap_or(src).trim_end_matches('/');
    let name = host.unwrap_or_else(|| path.rsplit('/').next().unwrap_or(path));
    let name = words(Some(name));
    if name.is_empty() { "Media".to_owned() } else { name }
}

fn media(builder: &mut Builder, state: &mut State, tag: &StartTag, name: &'static str, source: &dyn Fn(usize) -> usize) {
    let kind = if name == "video" { EmbedKind::Video } else { EmbedKind::Audio };
    let title = tag.get("title").or_else(|| tag.get("aria-label")).map(str::to_owned);
    if address(tag).is_some() {
        embed(builder, tag, kind, source);
        state.dropping = Some((name, 0));
    } else {
        state.media = Some(Media { tag: name, start: source(tag.start), kind, title });
    }
}

fn media_source(builder: &mut Builder, state: &mut State, tag: &StartTag, source: &dyn Fn(usize) -> usize) {
    let Some(src) = tag.get("src").map(str::trim).filter(|src| !src.is_empty()) else { return };
    if let Some(Media { tag: name, kind, title, .. }) = state.media.take() {
        push_embed(builder, kind, title.as_deref(), src, source(tag.offset("src")));
        state.dropping = Some((name, 0));
    }
}

fn block(builder: &mut Builder, name: &'static str, tag: &StartTag) {
    if builder.in_code() && name != "pre" {
        return;
    }
    match name {
        "p" if tag.get("class").is_some_and(is_title) => container(builder, tag, ContainerTag::Div, name),
        "p" => with_anchor(builder, tag, Kind::Paragraph, name),
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => heading(builder, name, tag),
        "ul" | "ol" | "menu" => {
            let start = (name == "ol").then(|| tag.get("start").and_then(|start| start.trim().parse().ok()).unwrap_or(1));
            with_anchor(builder, tag, Kind::List { start, loose: false, items: Vec::new() }, name);
        }
        "li" => item(builder, tag),
        "dl" => with_anchor(builder, tag, Kind::Definitions(Vec::new()), name),
        "dt" | "dd" => definition(builder, name, tag),
        "table" => with_anchor(builder, tag, Kind::Table(Box::default()), name),
        "caption" | "thead" | "tbody" | "tfoot" | "tr" | "td" | "th" => table_part(builder, name, tag),
        "blockquote" => with_anchor(builder, tag, Kind::Quote, name),
        "figure" => with_anchor(builder, tag, Kind::Figure { caption: Vec::new() }, name),
        "details" => with_anchor(builder, tag, Kind::Details { open: tag.get("open").is_some(), summary: Vec::new() }, name),
        "figcaption" if matches!(builder.holder(), Kind::Figure { .. }) => with_anchor(builder, tag, Kind::Caption, name),
        "summary" if matches!(builder.holder(), Kind::Details { .. }) => with_anchor(builder, tag, Kind::Summary, name),
        "figcaption" | "summary" | "legend" | "option" => with_anchor(builder, tag, Kind::Paragraph, name),
        "pre" | "xmp" | "listing" => {
            let language = attributes::code_language(tag);
            with_anchor(builder, tag, Kind::Code { language, text: String::new() }, name);
        }
        "aside" => container(builder, tag, ContainerTag::Aside, name),
        "rt" => builder.html_text(" (", 0),
        "rp" | "wbr" | "noscript" => {}
        _ => container(builder, tag, ContainerTag::Div, name),
    }
}

/// Opens a block that cannot bear an id: it stands before the first text in it.
fn with_anchor(builder: &mut Builder, tag: &StartTag, kind: Kind, name: &'static str) {
    builder.open_block(kind, name);
    if let Some(id) = tag.get("id") {
        builder.anchor(id);
    }
}

fn callout(builder: &mut Builder, tag: &StartTag) {
    let title = words(tag.get("title"));
    let title = if title.is_empty() { Vec::new() } else { vec![Inline::Text(title)] };
    with_anchor(builder, tag, Kind::Callout { kind: tag.get("kind").unwrap_or("note").to_owned(), title, fold: None }, CALLOUT);
}

fn container(builder: &mut Builder, tag: &StartTag, kind: ContainerTag, name: &'static str) {
    let attributes = attributes::kept(builder, tag);
    builder.open_block(Kind::Container(kind, attributes), name);
}

fn heading(builder: &mut Builder, name: &'static str, tag: &StartTag) {
    builder.close_implied(|kind| matches!(kind, Kind::Heading { .. }), |kind| !matches!(kind, Kind::Wrapper(_)));
    if builder.in_heading_cell() {
        return with_anchor(builder, tag, Kind::Paragraph, name);
    }
    let level = name.as_bytes().get(1).map_or(2, |digit| digit - b'0');
    builder.open_block(Kind::Heading { level, id: tag.get("id").map(str::to_owned) }, name);
}

fn item(builder: &mut Builder, tag: &StartTag) {
    builder.close_implied(|kind| matches!(kind, Kind::Item { .. }), |kind| matches!(kind, Kind::List { .. } | Kind::Cell(_)));
    if !matches!(builder.holder(), Kind::List { .. }) {
        builder.open_implied(Kind::List { start: None, loose: false, items: Vec::new() });
    }
    with_anchor(builder, tag, Kind::Item { task: None, loose: false }, "li");
}

fn definition(builder: &mut Builder, name: &'static str, tag: &StartTag) {
    builder.close_implied(|kind| matches!(kind, Kind::Term | Kind::Description), |kind| matches!(kind, Kind::Definitions(_) | Kind::Cell(_)));
    if !matches!(builder.holder(), Kind::Definitions(_)) {
        builder.open_implied(Kind::Definitions(Vec::new()));
    }
    with_anchor(builder, tag, if name == "dt" { Kind::Term } else { Kind::Description }, name);
}

fn table_part(builder: &mut Builder, name: &'static str, tag: &StartTag) {
    let is_table = |kind: &Kind| matches!(kind, Kind::Table(_));
    match name {
        "td" | "th" => builder.close_implied(|kind| matches!(kind, Kind::Cell(_)), |kind| matches!(kind, Kind::Row(_) | Kind::Table(_))),
        _ => builder.close_implied(|kind| matches!(kind, Kind::Row(_)), is_table),
    }
    let in_table = matches!(builder.holder(), Kind::Table(_));
    match name {
        "thead" => head_rows(builder, true),
        "tbody" | "tfoot" => head_rows(builder, false),
        "caption" if in_table => with_anchor(builder, tag, Kind::Caption, name),
        "tr" if in_table => {
            let header = matches!(builder.holder(), Kind::Table(table) if table.heading);
            with_anchor(builder, tag, Kind::Row(OpenRow { header, ..OpenRow::default() }), name);
        }
        "td" | "th" if in_table || matches!(builder.holder(), Kind::Row(_)) => {
            let cell = OpenCell {
                heads: name == "th",
                alignment: cell_alignment(tag),
                columns: table_span(tag.get("colspan").unwrap_or_default()),
                rows: table_span(tag.get("rowspan").unwrap_or_default()),
                blocks: Vec::new(),
            };
            with_anchor(builder, tag, Kind::Cell(cell), name);
        }
        _ => {
            // A part without its table: a border between texts.
            builder.open_block(Kind::Container(ContainerTag::Div, Vec::new()), name);
        }
    }
}

fn head_rows(builder: &mut Builder, heading: bool) {
    builder.close_implied(|kind| matches!(kind, Kind::Row(_)), |kind| matches!(kind, Kind::Table(_)));
    if let Some(Kind::Table(table)) = builder.top_kind() {
        table.heading = heading;
    }
}

fn cell_alignment(tag: &StartTag) -> Alignment {
    let style = tag.get("style").unwrap_or_default().to_ascii_lowercase();
    let styled =
        style.split(';').filter_map(|rule| rule.split_once(':')).find(|(name, _)| name.trim() == "text-align").map(|(_, value)| value.trim());
    match styled.or_else(|| tag.get("align")).unwrap_or_default() {
        "left" => Alignment::Left,
        "center" => Alignment::Center,
        "right" => Alignment::Right,
        _ => Alignment::None,
    }
}
