//! Links of a forge's wiki, which have the text first: `[[Text|Page]]`. The parser reads them as those
//! of a vault, `[[Page|Text]]`.

use super::page::Page;
use super::splice::Splice;
use crate::dialects::backticks::Backticks;
use crate::dialects::lines::Lines;
use crate::dialects::scan::scan;

/// What a link begins with.
const SIGN: &str = "[[";
/// The longest link, in bytes.
const LONGEST: usize = 500;

/// Whether a text may have such a link.
pub fn may_have_some(text: &str, page: &Page<'_>) -> bool {
    page.kind.forge_wiki && text.contains(SIGN)
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
            let (Some((words, page)), false) =
                (inner.split_once('|'), ticks.is_code(line.whole, at))
            else {
                continue;
            };
            let range = line.start + begin..line.start + begin + inner.len();
            if range.start >= splice.done() {
                // In a table the bar is escaped.
                let (words, bar) = match words.strip_suffix('\\') {
                    Some(words) => (words, "\\|"),
                    None => (words, "|"),
                };
                splice.put(range, &format!("{}{bar}{}", page.trim(), words.trim()));
            }
        }
    }
    let (text, sources) = splice.finish();
    lines.replace(text, &sources);
}
