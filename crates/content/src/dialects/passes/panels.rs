//! Blocks between marks on lines of their own, and components in brackets: `!!!danger Title` to `!!!`,
//! panels (`==- Title` to `===`), tabs (`+++ Title`), columns (`||| Title`), `[!badge NEW]`,
//! `[!ref](x.md)`, `:icon-x:`.

use super::page::Page;
use super::splice::Splice;
use crate::dialects::code::Code;
use crate::dialects::lines::Lines;
use crate::dialects::scan::{Line, Output, scan};
use crate::dialects::tags::{Arguments, callout};
use crate::model::bounds;

/// Components that show words or a link.
const COMPONENTS: [&str; 9] = [
    "badge", "button", "card", "color", "embed", "file", "icon", "ref", "youtube",
];
/// Those of which only an attribute has words.
const WITHOUT_WORDS: [&str; 4] = ["card", "color", "embed", "icon"];
/// What begins a component, and an icon.
const SIGNS: [&str; 2] = ["[!", ":icon-"];
/// The longest component, and the longest address in it, in bytes.
const LONGEST: usize = 1_000;
/// The most blocks that may be in each other.
const DEEPEST: usize = 8;

/// Rewrites the blocks and components of a text, where the folder has them.
pub fn rewrite(lines: &mut Lines, page: &Page<'_>) {
    if !page.kind.config.features.panels {
        return;
    }
    components(lines);
    let literals = lines.literals();
    let text = lines.text.clone();
    let mut state = State::default();
    for (number, line) in scan(&text, &literals).iter().enumerate() {
        if line.block || bounds::is_over() || !state.mark(line, number) {
            state.out.push(line.whole, number);
        }
    }
    state.out.finish(lines);
}

/// The blocks that are open, and what is written.
#[derive(Default)]
struct State {
    out: Output,
    /// The signs of open blocks.
    open: Vec<char>,
}

impl State {
    /// Writes a line with a mark; `false`: it has none.
    fn mark(&mut self, line: &Line<'_>, number: usize) -> bool {
        let rest = line.rest.trim_end();
        let Some(sign) = rest.chars().next().filter(|c| "!=+|".contains(*c)) else {
            return false;
        };
        // A mark has three signs: what is cut within a letter is not one.
        let Some((mark, words)) = rest.split_at_checked(3) else {
            return false;
        };
        let is_open = self.open.contains(&sign);
        let is_callout = sign == '!' && matches!(mark, "!!!" | "!!-" | "!!+");
        let is_mark = match sign {
            '!' => is_callout,
            '=' => matches!(mark, "===" | "==-" | "==!"),
            '+' => mark == "+++",
            _ => mark == "|||",
        };
        let begins = words.starts_with(' ') && !words.trim().is_empty();
        let begins_callout = is_callout && (begins || is_variant(words) || !is_open);
        if !is_mark || !(words.is_empty() || begins || begins_callout) {
            return false;
        }
        if words.is_empty() && !begins_callout {
            return is_open && self.close(sign, line, number);
        }
        if is_open {
            self.close(sign, line, number);
        }
        if self.open.len() >= DEEPEST {
            return false;
        }
        self.begin(sign, words, line, number);
        true
    }

    /// Begins a block with these words behind its mark.
    fn begin(&mut self, sign: char, words: &str, line: &Line<'_>, number: usize) {
        let (variant, title) = words.split_once(' ').unwrap_or((words, ""));
        let title = without_attributes(title);
        let colons = self.colons();
        self.open.push(sign);
        let written = match sign {
            '!' => format!("{colons} {} {title}", kind(variant)),
            '=' => format!("{colons} details {title}"),
            _ => {
                self.blank(line, number);
                callout::label(title)
            }
        };
        self.out
            .push(format!("{}{}", line.prefix, written.trim_end()), number);
        if !matches!(sign, '!' | '=') {
            self.blank(line, number);
        }
    }

    /// Ends the innermost block with this sign, and those inside it.
    fn close(&mut self, sign: char, line: &Line<'_>, number: usize) -> bool {
        while let Some(open) = self.open.pop() {
            match open {
                '!' | '=' => {
                    let colons = self.colons();
                    self.out.push(format!("{}{colons}", line.prefix), number);
                }
                _ => self.blank(line, number),
            }
            if open == sign {
                return true;
            }
        }
        false
    }

    fn blank(&mut self, line: &Line<'_>, number: usize) {
        self.out.push(line.prefix.trim_end(), number);
    }

    /// The fence of the next block: an outer one is longer.
    fn colons(&self) -> String {
        ":".repeat(4 + DEEPEST - self.open.len())
    }
}

/// Whether the words behind the mark of a notice begin with its variant: `danger Title`.
fn is_variant(words: &str) -> bool {
    let variant = words.split(' ').next().unwrap_or_default();
    !variant.is_empty() && variant.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// The kind of notice that is nearest to a variant.
fn kind(variant: &str) -> &str {
    match variant {
        "success" => "tip",
        "danger" | "info" | "question" | "tip" | "warning" => variant,
        _ => "note",
    }
}

/// A title without `{#id .class}` at its end.
fn without_attributes(title: &str) -> &str {
    let title = title.trim();
    let cut = title
        .strip_suffix('}')
        .and_then(|inner| inner.rsplit_once('{'));
    match cut {
        Some((title, inner)) if inner.starts_with(['#', '.']) => title.trim_end(),
        _ => title,
    }
}

/// Writes components as what they show.
fn components(lines: &mut Lines) {
    let text = lines.text.as_str();
    let places = SIGNS.iter().flat_map(|sign| text.match_indices(sign));
    let mut places: Vec<usize> = places.map(|(at, _)| at).collect();
    if places.is_empty() {
        return;
    }
    places.sort_unstable();
    let literals = lines.literals();
    let mut code = Code::from_literals(&literals);
    let mut splice = Splice::new(text);
    for at in places {
        if at < splice.done() || code.at(at).is_some() {
            continue;
        }
        let near = &text[at..];
        let near = &near[..near.floor_char_boundary(LONGEST)];
        let near = near.split('\n').next().unwrap_or_default();
        if let Some((length, shown)) = component(near).or_else(|| icon(near)) {
            splice.put(at..at + length, &shown);
        }
    }
    let (text, sources) = splice.finish();
    lines.replace(text, &sources);
}

/// The length of the component at the beginning of a text, and what it shows.
fn component(text: &str) -> Option<(usize, String)> {
    let inner = text.strip_prefix("[!")?;
    let (inner, behind) = inner.split_once(']')?;
    let (name, words) = inner.split_once(' ').unwrap_or((inner, ""));
    if !COMPONENTS.contains(&name) {
        return None;
    }
    let length = inner.len() + 3;
    let address = behind
        .strip_prefix('(')
        .and_then(|behind| Some(behind.split_once(')')?.0));
    let arguments = Arguments::parse(words);
    let named = arguments.named(&["text", "title", "label"]);
    let has_names = words.contains("=\"") || WITHOUT_WORDS.contains(&name);
    let bare = words.split('|').next().filter(|_| !has_names);
    let shown = named.or(bare).unwrap_or_default().trim();
    let Some(address) = address else {
        return Some((length, shown.to_owned()));
    };
    let length = length + address.len() + 2;
    let name = || {
        let path = address.trim_end_matches('/');
        path.rsplit('/').next().unwrap_or(path)
    };
    let shown = if shown.is_empty() { name() } else { shown };
    Some((length, format!("[{shown}]({address})")))
}

/// The length of an icon at the beginning of a text, with the spaces behind it. It shows nothing.
fn icon(text: &str) -> Option<(usize, String)> {
    let (name, behind) = text.strip_prefix(":icon-")?.split_once(':')?;
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    let spaces = behind.len() - behind.trim_start_matches(' ').len();
    let length = ":icon-:".len() + name.len() + spaces;
    (!name.is_empty() && name.bytes().all(is_name)).then(|| (length, String::new()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialects::passes::files::{Files, Named};
    use crate::dialects::{Evidence, Kind};
    use crate::syntax::front::Front;
    use diglot_document::testing::sources;

    fn after(text: &str) -> Lines {
        let sources = sources(&[("retype.yml", "input: .")]);
        let kind = Kind::detect(&Evidence::new(&sources), None);
        let page = Page {
            html: false,
            jsx: false,
            dollar: false,
            kind: &kind,
            front: &Front::default(),
            files: &Files::new("a.md", &|_| Named::Missing),
        };
        Lines::after(text, |lines| rewrite(lines, &page))
    }

    #[test]
    fn rule_12_a_mark_is_not_cut_from_within_a_letter() {
        for text in ["| é |\n|---|\n| ü |", "+ é", "=aé", "!é", "|||é", "+é"] {
            assert_eq!(after(text).text, text);
        }
    }

    proptest::proptest! {
        #[test]
        fn no_panels_panic(text in "(!!!|===|==-|\\+\\+\\+|\\|\\|\\||!|=|\\+|\\||é|\\[!badge |\\]|:icon-|:|> |- |`|\n| |a){0,30}") {
            proptest::prop_assert!(after(&text).come_from(&text));
        }
    }

    #[test]
    fn hostile_panels_are_read_in_linear_time() {
        for part in [
            "[!badge ",
            ":icon-",
            "!!! a\n",
            "=== a\n",
            "||| a\n|||\n",
            "+ é\n",
        ] {
            after(&part.repeat(20_000));
        }
    }
}
