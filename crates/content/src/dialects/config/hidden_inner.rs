//! Shortcodes of a site that never show what they hold, such as notes for editors: their templates
//! are read as data.

use std::collections::BTreeSet;

use super::shortcodes::{MOST, Template, Variables, without_comments};

/// Conditions that hold in a preview alone (`hugo server`).
const PREVIEW: [&str; 9] = [
    "false",
    "hugo.IsServer",
    "hugo.IsDevelopment",
    "site.IsServer",
    ".Site.IsServer",
    "$.Site.IsServer",
    "eq hugo.Environment \"development\"",
    "ne hugo.Environment \"production\"",
    "eq (os.Getenv \"HUGO_ENV\") \"development\"",
];
/// Conditions that hold wherever a site is published.
const PUBLISHED: [&str; 4] = [
    "true",
    "hugo.IsProduction",
    "eq hugo.Environment \"production\"",
    "ne hugo.Environment \"development\"",
];
/// Words of expressions that hand everything to another template or to a later step.
const HAND_ON: [&str; 7] = [
    "partial",
    "partialCached",
    "template",
    "block",
    "return",
    "Scratch",
    "Store",
];

/// The names of those among these templates that take `.Inner` and do not publish it; of several
/// with one name the first counts.
pub fn hidden_inner(templates: &[Template<'_>]) -> BTreeSet<String> {
    let hidden = Template::first_of_each(templates).filter(|(_, text)| hides_inner(text));
    hidden.map(|(name, _)| name.to_owned()).take(MOST).collect()
}

/// Whether a template takes `.Inner` and never publishes it.
fn hides_inner(template: &str) -> bool {
    if !template.contains(".Inner") {
        return false;
    }
    let text = without_comments(template);
    let mut reader = Reader::default();
    let mut rest = text.as_str();
    while let Some((_, behind)) = rest.split_once("{{") {
        let Some((expression, after)) = behind.split_once("}}") else {
            return false;
        };
        if reader.publishes(expression.trim_matches(['-', ' ', '\n', '\t', '\r'])) {
            return false;
        }
        rest = after;
    }
    true
}

/// Reads the expressions of one template.
#[derive(Default)]
struct Reader<'t> {
    variables: Variables<'t>,
    blocks: Vec<Block>,
}

/// A block that ends with `end`.
struct Block {
    /// Whether its present branch runs; `None`: it depends.
    runs: Option<bool>,
    /// Whether `.` in it is `.Inner`.
    is_inner: bool,
}

impl<'t> Reader<'t> {
    /// Takes one expression; returns whether it publishes `.Inner`.
    fn publishes(&mut self, expression: &'t str) -> bool {
        let (word, rest) = expression.split_once(' ').unwrap_or((expression, ""));
        let has_inner = self.variables.show_inner(rest);
        self.variables.define(expression);
        match word {
            "if" => self.open(runs(rest), false),
            "with" => self.open(None, has_inner),
            "else" => {
                if let Some(block) = self.blocks.last_mut() {
                    block.runs = match (block.runs, rest.strip_prefix("if ")) {
                        (Some(true), _) => Some(false),
                        (_, Some(condition)) => runs(condition),
                        (before, None) => before.map(|runs| !runs),
                    };
                }
            }
            "end" => drop(self.blocks.pop()),
            _ => return self.shows(word, expression),
        }
        false
    }

    fn open(&mut self, runs: Option<bool>, is_inner: bool) {
        self.blocks.push(Block { runs, is_inner });
    }

    /// Whether an expression shows `.Inner`, or may, where it runs.
    fn shows(&mut self, word: &str, expression: &str) -> bool {
        let hands_on = HAND_ON.iter().any(|word| has_word(expression, word));
        let is_set = word.starts_with('$') && !hands_on && has_word(expression, "=");
        let is_inner = self.blocks.iter().any(|block| block.is_inner) && !expression.is_empty();
        let shows = !is_set && (hands_on || is_inner || self.variables.show_inner(expression));
        let is_skipped = self.blocks.iter().any(|block| block.runs == Some(false));
        if matches!(word, "range" | "block" | "define") {
            self.open(None, false);
        }
        shows && !is_skipped
    }
}

/// Whether a word is in an expression, between signs. `=` also ends `:=`.
fn has_word(expression: &str, word: &str) -> bool {
    let is_between = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | '.' | '|' | ':');
    expression.split(is_between).any(|part| part == word)
}

/// Whether a condition holds where the site is published; `None`: it depends.
fn runs(condition: &str) -> Option<bool> {
    let condition = condition.replace('`', "\"");
    let condition = condition.trim();
    let is_sign = |c: char| matches!(c, '(' | ')' | ' ');
    if let Some(condition) = condition.strip_prefix("not ") {
        return runs(condition.trim_matches(is_sign)).map(|runs| !runs);
    }
    if let Some(conditions) = condition.strip_prefix("and ") {
        let mut words = conditions.split_whitespace();
        let is_not = words
            .clone()
            .any(|word| matches!(word.trim_matches(is_sign), "not" | "or"));
        return (!is_not && words.any(|word| PREVIEW.contains(&word))).then_some(false);
    }
    if PREVIEW.contains(&condition) {
        return Some(false);
    }
    PUBLISHED.contains(&condition).then_some(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rule_12_shortcodes_that_hide_what_they_hold_are_found_in_their_templates() {
        let check = |template: &str, expected: bool| {
            assert_eq!(hides_inner(template), expected, "{template}");
        };
        for hides in [
            "{{ if .Inner }}{{ end }}",
            "{{ $_ := .Inner }}",
            "{{- $_ := .Inner -}}<p>{{ .Get 0 }}</p>",
            "{{/* .Inner */}}",
            "<!-- {{ .Inner }} -->",
            "{{ if hugo.IsServer }}<mark>{{ .Inner | markdownify }}</mark>{{ end }}",
            "{{ if hugo.IsProduction }}{{ else }}{{ .Inner }}{{ end }}",
            "{{ if not hugo.IsProduction }}{{ with .Inner }}{{ . }}{{ end }}{{ end }}",
            "{{ if eq hugo.Environment `development` }}{{ .Inner }}{{ end }}",
            "{{ if and .Inner site.IsServer }}{{ .Inner }}{{ end }}",
            "{{ $a := .Inner }}{{ $b := $a | markdownify }}{{ if gt (len $b) 3 }}long{{ end }}",
        ] {
            check(hides, true);
        }
        for shows in [
            "<p>a</p>",
            "{{ .Inner }}",
            "{{ with .Inner }}{{ . }}{{ end }}",
            "{{ range split .Inner `|` }}{{ . }}{{ end }}",
            "{{ $a := .Inner }}{{ $b := $a | markdownify }}{{ $b }}",
            "{{ $a := `` }}{{ $a = .Inner }}{{ $a }}",
            "{{ if hugo.IsServer }}a{{ else }}{{ .Inner }}{{ end }}",
            "{{ if hugo.IsServer }}a{{ end }}{{ .Inner }}",
            "{{ if .Get 0 }}{{ .Inner }}{{ end }}",
            "{{ if or hugo.IsServer (.Get 0) }}{{ .Inner }}{{ end }}",
            "{{ if .Inner }}{{ partial `box` . }}{{ end }}",
            "{{ $_ := .Inner }}{{ .Scratch.Get `tabs` }}",
            "{{ $out := partial `box` . }}{{ if .Inner }}{{ end }}{{ $out }}",
            "{{ if and (not hugo.IsServer) .Inner }}{{ .Inner }}{{ end }}",
        ] {
            check(shows, false);
        }
    }
}
