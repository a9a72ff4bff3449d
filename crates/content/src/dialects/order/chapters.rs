//! Lists of links in Markdown: `SUMMARY.md` of books, `_sidebar.md`, `toc.md`.

use std::sync::Arc;

use super::{Ask, Item, MOST_ITEMS, Outline, To, Weight, folder_of, title, to};

/// How many links to texts make a file of this name an order.
const LEAST: usize = 2;
/// The list of a forge's wiki.
const WIKI_SIDEBAR: &str = "_Sidebar.md";

/// `SUMMARY.md`, in a content folder or at the root.
pub fn summary(ask: &Ask<'_, '_>) -> Option<Outline> {
    listed(ask, "SUMMARY.md", 1)
}

/// `_sidebar.md`, in a content folder or at the root; `_Sidebar.md` of the wiki of a forge.
pub fn sidebar(ask: &Ask<'_, '_>) -> Option<Outline> {
    let own = listed(ask, "_sidebar.md", LEAST);
    own.or_else(|| list(ask, WIKI_SIDEBAR, LEAST)).or_else(|| {
        let docs = inside_docs(ask, "_sidebar.md");
        docs.and_then(|path| list(ask, &path, LEAST))
    })
}

/// A file below the usual folder for documents.
fn inside_docs(ask: &Ask<'_, '_>, name: &str) -> Option<String> {
    let path = format!("docs/{name}");
    ask.evidence.file(&path).map(|_| path)
}

fn listed(ask: &Ask<'_, '_>, name: &str, least: usize) -> Option<Outline> {
    let mut paths = ask.roots.iter().map(|root| super::inside(root, name));
    paths.find_map(|path| list(ask, &path, least))
}

/// The outline of one file.
pub fn list(ask: &Ask<'_, '_>, path: &str, least: usize) -> Option<Outline> {
    let text = ask.text(path)?;
    let items = items(&text, path, ask);
    (count(&items) >= least)
        .then(|| Outline::new(path, "list", Weight::Navigation, items))
        .flatten()
}

/// How many items lead to something in this folder.
fn count(items: &[Item]) -> usize {
    let own = |item: &Item| match &item.to {
        To::Path { .. } => 1,
        _ => 0,
    };
    items
        .iter()
        .map(|item| own(item) + count(&item.items))
        .sum()
}

/// How the links of a list are read.
struct Base {
    /// The folders that their addresses may be relative to.
    from: Arc<[String]>,
    /// Whether the list is that of a forge's wiki.
    is_wiki: bool,
}

/// One line of a list.
struct Line {
    /// How far it is indented; headings and links outside a list are at 0.
    indent: usize,
    /// The level of a heading.
    heading: usize,
    /// Whether it is a link outside a list.
    unlisted: bool,
    item: Item,
}

/// The items of a text.
pub fn items(text: &str, path: &str, ask: &Ask<'_, '_>) -> Vec<Item> {
    let folder = folder_of(path).to_owned();
    let mut from = vec![folder];
    from.extend(ask.roots.iter().cloned());
    let base = Base {
        from: from.into(),
        is_wiki: path.ends_with(WIKI_SIDEBAR),
    };
    let file: Arc<str> = path.into();
    let mut lines = Vec::new();
    let (mut in_code, mut in_comment) = (false, false);
    for (number, line) in (1..).zip(text.lines()).take(MOST_ITEMS) {
        in_code ^= line.trim_start().starts_with("```");
        in_comment |= line.trim_start().starts_with("<!--");
        let was_comment = in_comment;
        in_comment &= !line.contains("-->");
        if in_code || was_comment {
            continue;
        }
        let Some(mut found) = read(line, &base) else {
            continue;
        };
        found.item.file = Arc::clone(&file);
        found.item.line = number;
        lines.push(found);
    }
    // The one heading at the top is the title of the list, not a part of it.
    let first = lines.iter().position(|line| line.heading > 0);
    if let Some(at) = first
        && lines[..at].iter().all(|line| line.heading > 0)
        && is_title(&lines[at], &lines[at + 1..])
    {
        lines.remove(at);
    }
    nested(lines)
}

/// Whether a heading is the title of the whole list: it is called so, or it is above all others.
fn is_title(heading: &Line, rest: &[Line]) -> bool {
    let named = heading.item.title.as_deref().is_some_and(|title| {
        ["summary", "table of contents", "contents", "目录"]
            .contains(&title.to_lowercase().as_str())
    });
    let is_link = heading.item.to != To::Nowhere;
    let mut deeper = rest.iter().filter(|line| line.heading > 0).peekable();
    let above_all = deeper.peek().is_some() && deeper.all(|line| line.heading > heading.heading);
    !is_link && (named || above_all)
}

/// Reads one line: `- [x](y)`, `- x`, `# x`, `[x](y)`.
fn read(line: &str, base: &Base) -> Option<Line> {
    let bare = line.trim_start();
    let mut indent = 0;
    for letter in line[..line.len() - bare.len()].chars() {
        indent += if letter == '\t' { 4 } else { 1 };
    }
    let hashes = bare.bytes().take_while(|byte| *byte == b'#').count();
    if (1..=6).contains(&hashes) && bare[hashes..].starts_with(' ') {
        return Some(Line {
            indent: 0,
            heading: hashes,
            unlisted: false,
            item: linked(bare[hashes..].trim(), base)?,
        });
    }
    let numbered = bare.trim_start_matches(|c: char| c.is_ascii_digit());
    let after = bare
        .strip_prefix(['-', '*', '+'])
        .or_else(|| {
            numbered
                .strip_prefix(['.', ')'])
                .filter(|_| numbered.len() < bare.len())
        })
        .filter(|rest| rest.starts_with([' ', '\t']));
    match after {
        Some(rest) => Some(Line {
            indent: indent + 1,
            heading: 0,
            unlisted: false,
            item: linked(rest.trim(), base)?,
        }),
        // A chapter before or after the numbered ones.
        None if bare.starts_with('[') && indent == 0 => Some(Line {
            indent: 1,
            heading: 0,
            unlisted: true,
            item: linked(bare, base).filter(|item| item.to != To::Nowhere)?,
        }),
        None => None,
    }
}

/// `[[Page]]`, `[[Page|Title]]` of a vault, or `[[Title|Page]]` of a forge's wiki, where dashes are
/// in the names of files.
fn wiki_link(text: &str, base: &Base) -> Option<Item> {
    let (before, inner) = text.split_once("[[")?;
    let (inner, after) = inner.split_once("]]")?;
    // `[[Title]](address)` and `[Title [[x]]](address)` are other links.
    if before.contains('[') || after.starts_with('(') {
        return None;
    }
    let (first, second) = inner.split_once('|').unwrap_or((inner, inner));
    let (words, page) = match base.is_wiki {
        true => (first, second.trim().replace(' ', "-")),
        false => (second, first.trim().to_owned()),
    };
    Some(Item {
        title: title(words),
        to: to(&page, &base.from),
        ..Item::default()
    })
}

/// `[Title](address "more")`, or words.
fn linked(text: &str, base: &Base) -> Option<Item> {
    if let Some(item) = wiki_link(text, base) {
        return Some(item);
    }
    if let Some((label, after)) = link(text) {
        let address = address(after);
        let label = title(&without_pictures(label));
        return Some(Item {
            title: label,
            to: to(address, &base.from),
            ..Item::default()
        });
    }
    Some(Item {
        title: Some(title(text.trim_matches('*'))?),
        ..Item::default()
    })
}

/// The text of the first link that is not a picture, and what is behind its `](`.
fn link(text: &str) -> Option<(&str, &str)> {
    let mut rest = text;
    loop {
        let open = rest.find('[')?;
        let inner = &rest[open + 1..];
        let end = end_of_label(inner).or_else(|| inner.find("]("))?;
        let after = &inner[end + "](".len()..];
        if !rest[..open].ends_with('!') {
            return Some((&inner[..end], after));
        }
        rest = &after[closing(after)..];
    }
}

/// The words of the text of a link.
fn without_pictures(label: &str) -> String {
    let (mut words, mut rest) = (String::with_capacity(label.len()), label);
    while let Some((before, picture)) = rest.split_once("![") {
        let Some(end) = end_of_label(picture) else {
            break;
        };
        words.push_str(before);
        let address = &picture[end + "](".len()..];
        rest = address[closing(address)..].trim_start_matches(')');
    }
    words + rest
}

/// The offset of the `](` that ends the text of a link, which may have pictures in it.
fn end_of_label(text: &str) -> Option<usize> {
    unmatched(text, b'[', b']').filter(|at| text[*at..].starts_with("]("))
}

/// The address at the beginning of what is behind `](`.
fn address(rest: &str) -> &str {
    let address = rest[..closing(rest)].trim();
    match address.strip_prefix('<') {
        Some(inside) => inside.split('>').next().unwrap_or_default(),
        None => address.split([' ', '\t']).next().unwrap_or_default(),
    }
}

/// The offset of the parenthesis that closes an address.
fn closing(text: &str) -> usize {
    unmatched(text, b'(', b')').unwrap_or(text.len())
}

/// The offset of the first bracket that closes more than what the text opens.
fn unmatched(text: &str, open: u8, close: u8) -> Option<usize> {
    let mut depth = 0_usize;
    text.bytes().position(|byte| {
        if byte == close && depth == 0 {
            return true;
        }
        depth += usize::from(byte == open);
        depth -= usize::from(byte == close);
        false
    })
}

/// Nests lines: below headings by their level, in lists by indentation. A link after the list of a
/// part is a chapter after all parts.
fn nested(lines: Vec<Line>) -> Vec<Item> {
    // Each open item with its depth: headings count from 0, lists from 10.
    let mut open: Vec<(usize, Item)> = Vec::new();
    let mut top = Vec::new();
    let mut is_after_list = false;
    for line in lines {
        if line.unlisted && is_after_list {
            while !open.is_empty() {
                close(&mut open, &mut top);
            }
        }
        is_after_list = line.heading == 0 && (is_after_list || !line.unlisted);
        let depth = if line.heading > 0 {
            line.heading
        } else {
            10 + line.indent
        };
        while open.last().is_some_and(|(above, _)| *above >= depth) {
            close(&mut open, &mut top);
        }
        if open.len() >= super::DEPTH {
            close(&mut open, &mut top);
        }
        open.push((depth, line.item));
    }
    while !open.is_empty() {
        close(&mut open, &mut top);
    }
    top
}

fn close(open: &mut Vec<(usize, Item)>, top: &mut Vec<Item>) {
    let Some((_, item)) = open.pop() else { return };
    match open.last_mut() {
        Some((_, above)) => above.items.push(item),
        None => top.push(item),
    }
}
