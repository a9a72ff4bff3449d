//! Whether a configuration enables formulas between single dollars. `$$` and `\\(` are formulas
//! everywhere.

/// Texts that enable them, in lower case.
const SIGNS: [&str; 23] = [
    "remark-math",
    "arithmatex",
    "preprocessor.katex",
    "markdown-it-katex",
    "markdown-it-mathjax",
    "markdown-it-texmath",
    "'$', '$'",
    "\"$\", \"$\"",
    "'$','$'",
    "\"$\",\"$\"",
    "- - $",
    "- - \"$\"",
    "- - '$'",
    "latex: true",
    "math: true",
    "katex: true",
    "mathjax: true",
    "math = true",
    "katex = true",
    "mathjax = true",
    "use_math: true",
    "math: katex",
    "math: mathjax",
];

pub fn are_set_up(text: &str) -> bool {
    text.lines().any(sets_up)
}

fn sets_up(line: &str) -> bool {
    let is_comment = line.trim_start().starts_with(['#', '/']);
    let line = line.to_ascii_lowercase();
    !is_comment && !line.contains("- - $$") && SIGNS.iter().any(|sign| line.contains(sign))
}
