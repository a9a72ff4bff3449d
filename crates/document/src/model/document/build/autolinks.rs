//! Bare addresses in text that become links: GFM's extended autolinks.

use std::ops::Range;
use std::sync::LazyLock;

use linkify::{Link, LinkFinder, LinkKind};

static WITH_SCHEME: LazyLock<LinkFinder> = LazyLock::new(LinkFinder::new);
static WITHOUT_SCHEME: LazyLock<LinkFinder> = LazyLock::new(|| {
    let mut finder = LinkFinder::new();
    finder.url_must_have_scheme(false);
    finder
});

/// Maximum cost of a search in one stretch of text: its bytes times the trigger characters at which
/// a search starts.
const COST: usize = 500_000;

/// The bare addresses that GFM links (`https://`, `http://`, `ftp://`, `www.`, and mail addresses),
/// each with its range and full address.
pub(crate) fn addresses(text: &str) -> Vec<(Range<usize>, String)> {
    let mut found = Vec::new();
    if !may_have_some(text) {
        return found;
    }
    let www = text.contains("www.");
    if is_cheap(text, www) {
        push_addresses(text, 0, www, &mut found);
        return found;
    }
    // No address contains one of these, so each stretch between them is searched separately. A
    // stretch with too many trigger characters is skipped.
    let mut start = 0;
    for stretch in text.split([' ', '\t', '\n', '<', '>', '"']) {
        if is_cheap(stretch, www) && !crate::model::bounds::is_over() {
            push_addresses(stretch, start, www, &mut found);
        }
        start += stretch.len() + 1;
    }
    found
}

/// Whether a text has what every address has: `@`, `://` or `www.`. Few texts do.
fn may_have_some(text: &str) -> bool {
    let bytes = text.as_bytes();
    memchr::memchr3_iter(b'@', b':', b'.', bytes).any(|at| match bytes[at] {
        b':' => bytes[at..].starts_with(b"://"),
        b'.' => bytes[..at].ends_with(b"www"),
        _ => true,
    })
}

/// Whether a search is cheap: from each trigger character it may run to the end.
fn is_cheap(text: &str, www: bool) -> bool {
    let is_sign = |c: char| matches!(c, '@' | ':') || www && c == '.';
    text.len() < 700 || text.len().saturating_mul(text.matches(is_sign).count()) <= COST
}

fn push_addresses(text: &str, start: usize, www: bool, found: &mut Vec<(Range<usize>, String)>) {
    let finder = if www { &*WITHOUT_SCHEME } else { &*WITH_SCHEME };
    for link in finder.links(text) {
        if let Some((shown, address)) = address_of(&link) {
            let from = start + link.start();
            found.push((from..from + shown.len(), address));
        }
    }
}

/// The text of a link as GFM delimits it, and the full address.
fn address_of<'t>(link: &Link<'t>) -> Option<(&'t str, String)> {
    // Punctuation of other scripts ends an address, as a comma and a space do in Latin script.
    let whole = link.as_str();
    let end = whole.find(is_wide_punctuation).unwrap_or(whole.len());
    let shown = whole[..end].trim_end_matches(['.', ',', ';', ':', '!', '?']);
    let is_mail = *link.kind() == LinkKind::Email;
    if shown.len() < whole.len()
        && (is_mail || shown.len() < "http://a".len() || shown.ends_with("://"))
    {
        return None;
    }
    let prefix = if is_mail { "mailto:" } else { scheme(shown)? };
    Some((shown, format!("{prefix}{shown}")))
}

/// The scheme that a URL lacks: none, or that of `www.`.
fn scheme(url: &str) -> Option<&'static str> {
    let lower = url.get(..8).unwrap_or(url).to_ascii_lowercase();
    let schemes = [
        ("https://", ""),
        ("http://", ""),
        ("ftp://", ""),
        ("www.", "http://"),
    ];
    let (_, missing) = schemes.iter().find(|(start, _)| lower.starts_with(start))?;
    Some(missing)
}

fn is_wide_punctuation(c: char) -> bool {
    matches!(c, '…' | '«' | '»' | '\u{2018}'..='\u{201F}' | '\u{3001}'..='\u{3003}' | '\u{3008}'..='\u{3011}' | '\u{FF01}' | '\u{FF08}' | '\u{FF09}' | '\u{FF0C}' | '\u{FF1A}' | '\u{FF1B}' | '\u{FF1F}')
}
