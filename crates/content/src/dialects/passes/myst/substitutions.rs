//! Substitutions: `{{ name }}` becomes a value of the front matter or of the settings.

use crate::dialects::lines::Lines;
use crate::dialects::passes::page::Page;
use crate::dialects::passes::splice::Splice;
use crate::model::bounds;

/// How often values that name others are replaced.
const DEPTH: usize = 3;
/// The longest name, in bytes.
const LONGEST: usize = 200;
/// How many bytes the values of one text may have.
const MOST_BYTES: usize = 1_000_000;
/// Where front matter may have values, the first that has one counts.
const KEYS: [&str; 3] = ["myst.substitutions", "substitutions", "myst_substitutions"];

/// Writes the values; whether there was one.
pub fn rewrite(lines: &mut Lines, page: &Page<'_>) -> bool {
    let mut room = MOST_BYTES;
    let changes = (0..DEPTH).take_while(|_| once(lines, page, &mut room));
    changes.count() > 0
}

fn once(lines: &mut Lines, page: &Page<'_>, room: &mut usize) -> bool {
    let text = lines.text.as_str();
    if !text.contains("{{") {
        return false;
    }
    let literals = lines.literals();
    let mut splice = Splice::new(text);
    for (at, _) in text.match_indices("{{") {
        let near = &text[at..text.floor_char_boundary(at + LONGEST)];
        let inner = near["{{".len()..].split_once("}}").map(|(inner, _)| inner);
        let Some(inner) = inner.filter(|_| at >= splice.done() && !literals.is_code(at)) else {
            continue;
        };
        let value = value(inner.trim(), page).filter(|value| value.len() <= *room);
        if let Some(value) = value.filter(|_| !bounds::is_over()) {
            *room -= value.len();
            splice.put(at..at + inner.len() + "{{}}".len(), value.trim());
        }
    }
    let is_changed = splice.done() > 0;
    if is_changed {
        let (text, sources) = splice.finish();
        lines.replace(text, &sources);
    }
    is_changed
}

/// The value with a name.
fn value<'p>(name: &str, page: &Page<'p>) -> Option<&'p str> {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    if name.is_empty() || !name.chars().all(is_name) {
        return None;
    }
    let own = KEYS
        .iter()
        .find_map(|key| page.front.text(&[format!("{key}.{name}").as_str()]));
    own.or_else(|| page.kind.config.myst.as_ref()?.substitution(name))
}
