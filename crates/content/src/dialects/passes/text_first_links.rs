//! Links of a forge's wiki and of Dendron, which have the text first: `[[Text|Page]]`. The parser reads
//! them as those of a vault, `[[Page|Text]]`.

use super::page::Page;
use super::splice::Splice;
use crate::dialects::backticks::Backticks;
use crate::dialects::lines::Lines;
use crate::dialects::scan::scan;

/// What a link begins with.
const SIGN: &str = "[[";
/// What names the vault of a note in Dendron: `dendron://VAULT/NOTE`.
const VAULT: &str = "dendron://";
/// The longest link, in bytes.
const LONGEST: usize = 500;

/// Whether a text may have such a link.
pub fn may_have_some(text: &str, page: &Page<'_>) -> bool {
    page.kind.text_first_links && text.contains(SIGN)
}

/// Puts the page first.
pub fn rewrite(lines: &mut Lines, page: &Page<'_>) {
    if !may_have_some(&lines.text, page) {
        return;
    }
    let text = lines.text.as_str();
    let mut splice = Splice::new(text);
    for line in scan(text, &lines.literals()) {
        if line.block {
            continue;
        }
        let mut ticks = Backticks::default();
        for (at, _) in line.whole.match_indices(SIGN) {
            let begin = at + SIGN.len();
            let near = line.whole.floor_char_boundary(begin + LONGEST);
            let Some((inner, _)) = line.whole[begin..near].split_once("]]") else {
                continue;
            };
            let is_code = ticks.is_code(line.whole, at);
            let Some(link) = page_first(inner).filter(|_| !is_code) else {
                continue;
            };
            let range = line.start + begin..line.start + begin + inner.len();
            if range.start >= splice.done() {
                splice.put(range, &link);
            }
        }
    }
    let (text, sources) = splice.finish();
    lines.replace(text, &sources);
}

/// A link with its page first; `None`: it stays as it is.
fn page_first(link: &str) -> Option<String> {
    let Some((words, page)) = link.split_once('|') else {
        return Some(note(link)?.to_owned());
    };
    let page = note(page.trim()).unwrap_or(page.trim());
    // In a table the bar is escaped.
    let (words, bar) = match words.strip_suffix('\\') {
        Some(words) => (words, "\\|"),
        None => (words, "|"),
    };
    Some(format!("{page}{bar}{}", words.trim()))
}

/// The note of an address with a vault.
fn note(page: &str) -> Option<&str> {
    Some(page.strip_prefix(VAULT)?.split_once('/')?.1)
}
