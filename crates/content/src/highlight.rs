//! Code with a class for each of its parts: what a theme colours without inline style.
//!
//! syntect's grammars say what a part is in some thousand scopes; ten short classes are enough for readers. The text itself is never changed:
//! without its tags the result is the escaped input. Work is bounded, so that no code block can hold up a build: long blocks, long lines and
//! grammars that fail give plain text.

use std::sync::LazyLock;

use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxReference, SyntaxSet};

/// A longer block is a listing to be searched, not read: it stays plain.
const MAX_BYTES: usize = 50_000;

/// Grammars take time that grows with the square of a line: minified code stays plain.
const MAX_LINE: usize = 1_000;

static SYNTAXES: LazyLock<SyntaxSet> = LazyLock::new(SyntaxSet::load_defaults_newlines);

/// The class of a scope, by its beginning; the first that fits counts, `""` is text without a class.
const CLASSES: [(&str, &str); 28] = [
    ("comment", "com"),
    ("punctuation.definition.comment", "com"),
    ("constant.character.escape", "esc"),
    ("string", "str"),
    ("punctuation.definition.string", "str"),
    ("constant.numeric", "num"),
    ("constant", "con"),
    ("variable.language", "con"),
    ("keyword.operator", "op"),
    ("keyword", "kw"),
    ("storage.type.function", "kw"),
    ("storage", "kw"),
    ("entity.name.function", "fn"),
    ("variable.function", "fn"),
    ("support.function", "fn"),
    ("entity.name.tag", "tag"),
    ("entity.other.attribute-name", "attr"),
    ("meta.attribute", "attr"),
    ("entity.name.type", "ty"),
    ("entity.name.class", "ty"),
    ("entity.name.struct", "ty"),
    ("entity.name.enum", "ty"),
    ("entity.name.trait", "ty"),
    ("support.type.property-name", "attr"),
    ("support.type", "ty"),
    ("support.class", "ty"),
    ("markup.inserted", "ins"),
    ("markup.deleted", "del"),
];

static SCOPES: LazyLock<Vec<(Scope, &'static str)>> =
    LazyLock::new(|| CLASSES.iter().filter_map(|(scope, class)| Some((Scope::new(scope).ok()?, *class))).collect());

/// Writes code as escaped HTML with `<span class="…">` around its parts, at the end of `out`. Classes: `com`, `str`, `esc`, `num`, `con`, `op`, `kw`,
/// `fn`, `tag`, `attr`, `ty`, `ins`, `del`.
///
/// `false`: nothing was written, since the language is not known or the code is too much to read.
pub fn highlight(language: &str, text: &str, out: &mut String) -> bool {
    if text.len() > MAX_BYTES || text.split('\n').any(|line| line.len() > MAX_LINE) {
        return false;
    }
    let Some(syntax) = syntax(language) else { return false };
    let before = out.len();
    if write(syntax, text, out).is_none() {
        out.truncate(before);
        return false;
    }
    true
}

/// The grammar of a language by its names and suffixes.
fn syntax(language: &str) -> Option<&'static SyntaxReference> {
    let language = language.to_ascii_lowercase();
    let known = match language.as_str() {
        "text" | "txt" | "plain" | "plaintext" | "none" | "console" | "output" | "mermaid" => return None,
        "shell" | "shell-session" | "zsh" | "sh" | "bash" => "sh",
        "javascript" | "jsx" | "mjs" | "cjs" | "node" | "ts" | "tsx" | "typescript" => "js",
        "python3" | "py3" => "py",
        "golang" => "go",
        "csharp" | "c#" => "cs",
        "objective-c" | "objc" => "m",
        "yml" => "yaml",
        "jsonc" | "json5" | "webmanifest" => "json",
        "docker" | "toml" | "ini" | "kotlin" => return SYNTAXES.find_syntax_by_token(&language),
        "svg" | "rss" | "atom" | "xsl" => "xml",
        "vue" | "svelte" | "htm" => "html",
        "patch" => "diff",
        other => other,
    };
    SYNTAXES.find_syntax_by_token(known).filter(|syntax| syntax.name != "Plain Text")
}

/// `None` when the grammar fails.
fn write(syntax: &SyntaxReference, text: &str, out: &mut String) -> Option<()> {
    let mut state = ParseState::new(syntax);
    let mut stack = ScopeStack::new();
    let mut spans = Spans { out, open: "" };
    let mut line = String::new();
    for (number, part) in text.split('\n').enumerate() {
        if number > 0 {
            spans.push("\n", "");
        }
        line.clear();
        line.push_str(part);
        line.push('\n');
        let operations = state.parse_line(&line, &SYNTAXES).ok()?;
        let mut from = 0;
        for (at, operation) in &operations {
            let at = (*at).min(part.len());
            if at > from {
                spans.push(part.get(from..at)?, class(&stack));
                from = at;
            }
            stack.apply(operation).ok()?;
        }
        spans.push(part.get(from..)?, class(&stack));
    }
    spans.close();
    Some(())
}

/// The class of the innermost scope that has one.
fn class(stack: &ScopeStack) -> &'static str {
    let of = |scope: &Scope| SCOPES.iter().find(|(prefix, _)| prefix.is_prefix_of(*scope)).map(|(_, class)| *class);
    stack.as_slice().iter().rev().find_map(of).unwrap_or_default()
}

/// Text with spans, equal neighbours in one.
struct Spans<'o> {
    out: &'o mut String,
    open: &'static str,
}

impl Spans<'_> {
    fn push(&mut self, text: &str, class: &'static str) {
        if text.is_empty() {
            return;
        }
        // White space has no colour: it stays in the span that is open, so that a phrase is one span; lines do not share one.
        let class = if text != "\n" && text.bytes().all(|byte| byte == b' ') { self.open } else { class };
        if class != self.open {
            self.close();
            if !class.is_empty() {
                self.out.push_str("<span class=\"");
                self.out.push_str(class);
                self.out.push_str("\">");
            }
            self.open = class;
        }
        for c in text.chars() {
            match c {
                '&' => self.out.push_str("&amp;"),
                '<' => self.out.push_str("&lt;"),
                '>' => self.out.push_str("&gt;"),
                c => self.out.push(c),
            }
        }
    }

    fn close(&mut self) {
        if !std::mem::take(&mut self.open).is_empty() {
            self.out.push_str("</span>");
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(language: &str, text: &str, expected: &str) {
        let mut out = String::new();
        assert!(highlight(language, text, &mut out), "{language}");
        assert_eq!(out, expected);
    }

    /// What a reader sees.
    fn shown(html: &str) -> String {
        let mut text = String::new();
        let mut inside = false;
        for c in html.chars() {
            match c {
                '<' => inside = true,
                '>' => inside = false,
                c if !inside => text.push(c),
                _ => {}
            }
        }
        text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    }

    #[test]
    fn parts_have_their_classes() {
        check(
            "rust",
            "fn a() -> u8 { 1 } // <x>",
            "<span class=\"kw\">fn </span><span class=\"fn\">a</span>() -&gt; <span class=\"kw\">u8 </span>{ <span class=\"num\">1 </span>} <span class=\"com\">// &lt;x&gt;</span>",
        );
        check("JSON", "{\"a\": true}", "{<span class=\"str\">\"a\"</span>: <span class=\"con\">true</span>}");
        check("sh", "echo \"$A\"", "<span class=\"fn\">echo </span><span class=\"str\">\"$A\"</span>");
    }

    #[test]
    fn what_cannot_be_highlighted_stays_plain() {
        let mut out = String::from("before");
        for (language, text) in
            [("nonsense", "x".to_owned()), ("text", "x".to_owned()), ("js", "x".repeat(MAX_LINE + 1)), ("js", "x\n".repeat(MAX_BYTES))]
        {
            assert!(!highlight(language, &text, &mut out));
        }
        assert_eq!(out, "before");
    }

    /// The grammars' expressions are compiled when they are first met, and must all compile.
    #[test]
    fn every_grammar_reads_code() {
        let code = "fn a(b: &str) -> {} \"c\" 'd' # e\n<p class=f>/* g */ {{ h }} [i] $j = 1.5e3; // k\n- l: m\n\tn\n";
        for syntax in SYNTAXES.syntaxes() {
            let mut out = String::new();
            assert_eq!(write(syntax, code, &mut out), Some(()), "{}", syntax.name);
            assert_eq!(shown(&out), code, "{}", syntax.name);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

        #[test]
        fn the_text_is_never_changed(
            language in prop::sample::select(vec!["rust", "html", "js", "py", "sh", "yaml", "css", "c", "json", "md", "sql", "xml", "go", "diff", "php", "rb"]),
            text in "([a-z<>&\"'/(){}\\[\\]#$ü=:;,.*\\n\\t -]|fn |<div|\"\"\"|/\\*){0,60}",
        ) {
            let mut out = String::new();
            prop_assert!(highlight(language, &text, &mut out));
            prop_assert_eq!(shown(&out), text);
        }
    }
}
