//! Blocks of a theme folder's templates that no template shows: their content would vanish.
//!
//! A block that a template overrides takes the place of the one of that name in the templates that
//! it extends. The engine leaves out a block whose name none of them has.

use std::collections::BTreeSet;

use diglot_content::Problem;
use diglot_content::text::nearest;
use minijinja::Environment;

/// A template as far as blocks are concerned.
#[derive(Debug, Default)]
struct Template<'s> {
    /// The name of the template that it extends.
    parent: Option<&'s str>,
    /// Whether it extends one that an expression names.
    is_dynamic: bool,
    blocks: Vec<Block<'s>>,
}

/// A block of a template.
#[derive(Debug)]
struct Block<'s> {
    name: &'s str,
    /// From 1.
    line: u32,
    /// Whether it is inside another block.
    is_inside: bool,
}

/// The blocks of this template that the templates it extends do not have.
pub(super) fn problems(environment: &Environment<'_>, name: &str) -> Vec<Problem> {
    let Ok(template) = environment.get_template(name) else {
        return Vec::new();
    };
    let own = Template::parse(template.source());
    let Some(known) = blocks_above(environment, &own) else {
        return Vec::new();
    };
    let names: Vec<&str> = known.iter().map(|name| &**name).collect();
    let unknown = own
        .blocks
        .iter()
        .filter(|block| !block.is_inside && !known.contains(block.name));
    let problem = |block: &Block<'_>| {
        let message = format!(
            "the template overrides a block that does not exist: `{}`",
            block.name
        );
        let problem = Problem::error(message).at(name, block.line, 0);
        match (nearest(block.name, &names), &*names) {
            (Some(meant), _) => problem.hint(format!("did you mean `{meant}`?")),
            (None, []) => problem,
            (None, names) => problem.hint(format!(
                "the blocks of what it extends are `{}`",
                names.join("`, `")
            )),
        }
    };
    unknown.map(problem).collect()
}

/// The blocks of the templates that a template extends. `None` if it extends none, or one that an
/// expression names.
fn blocks_above(environment: &Environment<'_>, own: &Template<'_>) -> Option<BTreeSet<String>> {
    let mut known = BTreeSet::new();
    let mut is_dynamic = own.is_dynamic;
    for name in extended(environment, own.parent?) {
        // A template that does not exist is an error of its own.
        let template = environment.get_template(&name).ok()?;
        let above = Template::parse(template.source());
        known.extend(above.blocks.iter().map(|block| block.name.to_owned()));
        is_dynamic |= above.is_dynamic;
    }
    (!is_dynamic).then_some(known)
}

/// A template and the ones that it extends, the nearest first.
pub(super) fn extended(environment: &Environment<'_>, name: &str) -> Vec<String> {
    let (mut chain, mut seen) = (Vec::new(), BTreeSet::new());
    let mut next = Some(name.to_owned());
    while let Some(name) = next.filter(|name| seen.insert(name.clone())) {
        let template = environment.get_template(&name).ok();
        next = template.and_then(|template| {
            let parent = Template::parse(template.source()).parent;
            parent.map(str::to_owned)
        });
        chain.push(name);
    }
    chain
}

impl<'s> Template<'s> {
    /// Reads the tags of a template that compiles.
    fn parse(source: &'s str) -> Self {
        let mut template = Self::default();
        let (mut at, mut line, mut counted, mut depth) = (0, 1, 0, 0_usize);
        while let Some(start) = source[at..].find('{').map(|start| at + start) {
            let rest = &source[start..];
            let end = match rest.as_bytes().get(1) {
                Some(b'#') => rest.find("#}").map(|end| end + 2),
                Some(b'{') => end_of(rest, "}}"),
                Some(b'%') => end_of(rest, "%}"),
                _ => Some(1),
            };
            let Some(end) = end else {
                break;
            };
            at = start + end;
            let Some(tag) = rest[..end].strip_prefix("{%") else {
                continue;
            };
            line += source[counted..start].matches('\n').count();
            counted = start;
            let tag = tag.trim_end_matches("%}").trim_matches(['-', '+']).trim();
            let (word, argument) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
            match word {
                "raw" => at += end_of_raw(&source[at..]),
                "extends" => template.extend(argument.trim()),
                "block" => {
                    let name = argument.split_whitespace().next().unwrap_or_default();
                    template.blocks.push(Block {
                        name,
                        line: u32::try_from(line).unwrap_or(0),
                        is_inside: depth > 0,
                    });
                    depth += 1;
                }
                "endblock" => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        template
    }

    /// Notes what the argument of `extends` names.
    fn extend(&mut self, argument: &'s str) {
        let quoted = ['"', '\''].iter().find_map(|quote| {
            let name = argument.strip_prefix(*quote)?.strip_suffix(*quote)?;
            (!name.contains(*quote)).then_some(name)
        });
        self.is_dynamic |= quoted.is_none();
        self.parent = self.parent.or(quoted);
    }
}

/// Where a tag ends that begins a text, outside of its strings.
fn end_of(text: &str, close: &str) -> Option<usize> {
    let mut quote = None;
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(2) {
        match quote {
            Some(_) if escaped => escaped = false,
            Some(_) if byte == b'\\' => escaped = true,
            Some(open) if byte == open => quote = None,
            Some(_) => {}
            None if matches!(byte, b'"' | b'\'') => quote = Some(byte),
            None if text.as_bytes()[at..].starts_with(close.as_bytes()) => {
                return Some(at + close.len());
            }
            None => {}
        }
    }
    None
}

/// Where `endraw` is.
fn end_of_raw(text: &str) -> usize {
    let mut at = 0;
    while let Some(start) = text[at..].find("{%").map(|start| at + start) {
        let inside = text[start + 2..]
            .trim_start_matches(['-', '+'])
            .trim_start();
        if inside.starts_with("endraw") {
            return start;
        }
        at = start + 2;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_found_with_their_lines_outside_of_comments_strings_and_raw_text() {
        let source = "{# {% block no %} #}\n{%- extends 'a.html' -%}\n{{ '{% block no %}' }}{% set x = \"%}{% block no %}\" %}\n\
            {% raw %}{% block no %}{%- endraw %}{%+ block one +%}\n{% block two required %}{% endblock two %}{% endblock %}\n{%block three%}{ { {%endblock%}";
        let template = Template::parse(source);
        assert_eq!(
            (template.parent, template.is_dynamic),
            (Some("a.html"), false)
        );
        let blocks = template.blocks.iter();
        let found: Vec<_> = blocks
            .map(|block| (block.name, block.line, block.is_inside))
            .collect();
        assert_eq!(
            found,
            [("one", 4, false), ("two", 5, true), ("three", 6, false)]
        );
    }

    #[test]
    fn an_expression_may_name_the_template_above() {
        for source in [
            "{% extends layout %}",
            "{% extends 'a' if x else 'b' %}",
            "{% extends",
        ] {
            assert_eq!(Template::parse(source).parent, None, "{source}");
        }
        assert!(Template::parse("{% extends layout %}").is_dynamic);
    }
}
