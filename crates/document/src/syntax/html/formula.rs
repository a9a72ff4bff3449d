//! Formulas that were typeset by a script or a program.

use super::tokens::StartTag;
use super::tree::{NEAR, Tree};

/// Classes of MathJax's output; the TeX source is in a script next to it.
const TYPESET: [&str; 6] = [
    "MathJax",
    "MathJax_Preview",
    "MathJax_Display",
    "MathJax_SVG",
    "MathJax_CHTML",
    "mjx-chtml",
];

/// The TeX delimiters for client-side typesetting, and whether the formula is on its own line.
const DELIMITERS: [(&str, &str, bool); 3] = [
    ("\\(", "\\)", false),
    ("\\[", "\\]", true),
    ("$$", "$$", true),
];

/// The TeX of a formula, and whether it is on its own line.
pub fn formula(tree: &Tree<'_>, at: usize, tag: &StartTag) -> Option<(String, bool)> {
    let text = || tree.text(tree.beginning(at, NEAR));
    let (tex, display) = match tag.name.as_str() {
        "script" => {
            let kind = tag.get("type")?;
            if !kind.starts_with("math/tex") {
                return None;
            }
            (text(), kind.contains("mode=display"))
        }
        "math" => (
            annotation(tree, at).or_else(|| tag.get("alttext").map(str::to_owned))?,
            tag.get("display") == Some("block"),
        ),
        "span" | "div" if tag.has_class(&["katex-display", "katex"]) => {
            (annotation(tree, at)?, tag.has_class(&["katex-display"]))
        }
        "mjx-container" => (annotation(tree, at)?, tag.get("display") == Some("true")),
        // Sphinx, Pandoc, Arithmatex.
        "span" | "div" if tag.has_class(&["math", "arithmatex"]) => {
            // Of many without a text, one inside another, none is read.
            return match tree.count(&tree.beginning(at, NEAR)).text {
                0 => None,
                _ => delimited(&text()),
            };
        }
        _ => return None,
    };
    let tex = tex.trim();
    (!tex.is_empty()).then(|| (tex.to_owned(), display))
}

fn delimited(text: &str) -> Option<(String, bool)> {
    for (open, close, display) in DELIMITERS {
        if let Some(tex) = text
            .strip_prefix(open)
            .and_then(|rest| rest.strip_suffix(close))
        {
            return Some((tex.trim().to_owned(), display));
        }
    }
    None
}

/// Whether this is MathJax's output.
pub fn is_typeset(tag: &StartTag) -> bool {
    tag.name == "span" && tag.has_class(&TYPESET)
}

/// The TeX annotation of a formula.
fn annotation(tree: &Tree<'_>, at: usize) -> Option<String> {
    for at in tree.beginning(at, NEAR) {
        if let Some(tag) = tree.tag(at)
            && tag.name == "annotation"
            && tag
                .get("encoding")
                .is_some_and(|encoding| encoding.to_ascii_lowercase().contains("tex"))
        {
            return Some(tree.text(tree.beginning(at, NEAR)));
        }
    }
    None
}
