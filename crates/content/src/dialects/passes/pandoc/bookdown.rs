//! What bookdown adds: references `\@ref(label)`, and headings `# (PART) Title {-}`.

use super::Values;
use crate::dialects::knitr::without_part;
use crate::dialects::lines::Lines;
use crate::dialects::markup::label as escaped;
use crate::dialects::passes::splice::Splice;

/// The beginning of a reference.
const REFERENCE: &str = "\\@ref(";
/// The longest label, in bytes.
const LONGEST: usize = 200;

pub fn rewrite(lines: &mut Lines, values: &Values<'_>) {
    let text = lines.text.as_str();
    if !text.contains(REFERENCE) && !text.contains("# (") {
        return;
    }
    let literals = lines.literals();
    let mut splice = Splice::new(text);
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if line.starts_with("# (") && !literals.is_code(start) {
            let title = without_part(&line[2..]);
            splice.put(start + 2..start + line.len() - title.len(), "");
        }
        for (at, _) in line.match_indices(REFERENCE) {
            let begin = at + REFERENCE.len();
            let Some(length) = line[begin..].find(')') else {
                continue;
            };
            if length <= LONGEST && !literals.is_code(start + at) {
                let words = reference(&line[begin..begin + length], values);
                splice.put(start + at..start + begin + length + 1, &words);
            }
        }
        start += line.len();
    }
    if splice.done() > 0 {
        let (text, sources) = splice.finish();
        lines.replace(text, &sources);
    }
}

/// A link with the title of a section; of what has no title the name.
fn reference(label: &str, values: &Values<'_>) -> String {
    let Some((target, file)) = values.target(label) else {
        let name = label.split_once(':').map_or(label, |(_, name)| name);
        return escaped(name);
    };
    let words = escaped(&target.text());
    format!("[{words}]({})", values.address(file, label))
}
