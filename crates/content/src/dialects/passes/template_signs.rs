//! Tags that a site writes with signs of its own, such as `[[% if x %]]`: they become the usual ones,
//! which are text in such a site.

use super::math;
use super::page::Page;
use super::splice::Splice;
use crate::dialects::code::Code;
use crate::dialects::lines::Lines;

/// Whether a text may have such signs.
pub fn may_have_some(text: &str, page: &Page<'_>) -> bool {
    let mut signs = page.kind.config.template_signs.iter();
    signs.any(|(sign, usual)| text.contains(sign) || text.contains(usual))
}

/// How the signs of tags begin that are text.
const TEXT: [(&str, &str); 2] = [("{%", "&#123;%"), ("{{", "&#123;{")];

/// Writes the usual signs outside code and formulas.
pub fn rewrite(lines: &mut Lines, page: &Page<'_>) {
    if !may_have_some(&lines.text, page) {
        return;
    }
    let text = lines.text.as_str();
    let found = lines.literals();
    let mut kept = math::ranges(text, &found, page.dollar);
    kept.extend_from_slice(&found.code);
    kept.sort_by_key(|range| range.start);
    let mut kept = Code::from_ranges(&kept);
    let mut splice = Splice::new(text);
    let mut places: Vec<(usize, usize, &str)> = Vec::new();
    for (sign, usual) in &page.kind.config.template_signs {
        let at = text.match_indices(sign.as_str());
        places.extend(at.map(|(at, sign)| (at, at + sign.len(), *usual)));
        let replaced = TEXT.iter().find(|(sign, _)| sign == usual);
        if let Some((sign, shown)) = replaced {
            let at = text.match_indices(sign);
            let at = at.filter(|(at, sign)| !is_include(&text[at + sign.len()..]));
            places.extend(at.map(|(at, sign)| (at, at + sign.len(), *shown)));
        }
    }
    // Of two that begin at one place the longer counts.
    places.sort_by_key(|(at, end, _)| (*at, std::cmp::Reverse(*end)));
    for (at, end, usual) in places {
        if at >= splice.done() && kept.at(at).is_none() {
            splice.put(at..end, usual);
        }
    }
    let (text, sources) = splice.finish();
    lines.replace(text, &sources);
}

/// Whether a tag includes a file: another plug-in has such tags, with the usual signs.
fn is_include(tag: &str) -> bool {
    let name = tag.trim_start_matches('-').trim_start();
    name.starts_with("include")
}
