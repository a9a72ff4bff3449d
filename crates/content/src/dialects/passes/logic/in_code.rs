//! Tags in code, where the generator runs them before it reads Markdown. Only what is certainly not
//! shown is removed: comments, and branches whose condition is known not to hold. All else in code may
//! be an example.

use std::ops::Range;

use super::value::Values;
use super::{BRANCHES, CHOICES, names};
use crate::dialects::dialect::CodeTags;
use crate::dialects::lines::Lines;
use crate::dialects::passes::code_tags::whole_line;
use crate::dialects::passes::page::Page;
use crate::dialects::passes::splice::Splice;
use crate::dialects::tags::{CODE, Form, Inner, Pairs, RAW, Token, parts, tokens};
use crate::dialects::template_names::TemplateLanguage;
use crate::model::bounds;
use crate::syntax::markdown::literal::{Literals, merged};

/// Removes from code what the generator certainly does not show.
pub fn rewrite(lines: &mut Lines, page: &Page<'_>) {
    let text = lines.text.as_str();
    let runs = page.kind.dialect.code_tags;
    let comments = page.template_language() == TemplateLanguage::Nunjucks;
    let has_tags = || text.contains("{%") || comments && text.contains("{#");
    if !matches!(runs, CodeTags::Raw | CodeTags::InBlocks) || !has_tags() {
        return;
    }
    let run = outside_raw(tokens(text, &Literals::default(), page.kind.reading()));
    if run.is_empty() {
        return;
    }
    let mut code = blocks(&run);
    if runs == CodeTags::Raw {
        code.extend(page.literals(lines).code.iter().cloned());
    }
    if code.is_empty() {
        return;
    }
    let names = names(&run, page);
    let values = Values::new(names);
    let mut cuts = Vec::new();
    for code in merged(code) {
        let first = run.partition_point(|token| token.range.start < code.start);
        let behind = run.partition_point(|token| token.range.end <= code.end);
        if let Some(tokens) = run.get(first..behind).filter(|tokens| !tokens.is_empty()) {
            in_code(tokens, &values, comments, &mut cuts);
        }
        if bounds::is_over() {
            return;
        }
    }
    let cuts = cuts.into_iter().map(|cut| whole_line(text, cut)).collect();
    let mut splice = Splice::new(text);
    for cut in merged(cuts) {
        splice.put(cut, "");
    }
    if splice.done() > 0 {
        let (text, sources) = splice.finish();
        lines.replace(text, &sources);
    }
}

/// The tags that are run: not those in `raw`.
fn outside_raw(all: Vec<Token<'_>>) -> Vec<Token<'_>> {
    let pairs = Pairs::find(&all);
    let mut end = None;
    let is_run = |(at, token): (usize, &Token<'_>)| {
        if end.is_some_and(|end| at <= end) {
            return false;
        }
        let is_raw = parts(token).is_some_and(|(_, name, _)| RAW.contains(&name));
        end = pairs.end_of_literal(&all, at, |_| false).filter(|_| is_raw);
        end.is_none()
    };
    let is_run: Vec<bool> = all.iter().enumerate().map(is_run).collect();
    let all = all.into_iter().zip(is_run);
    all.filter_map(|(token, is_run)| is_run.then_some(token))
        .collect()
}

/// What tags such as `highlight` hold.
fn blocks(run: &[Token<'_>]) -> Vec<Range<usize>> {
    let pairs = Pairs::find(run);
    let blocks = run.iter().enumerate().filter_map(|(at, token)| {
        let is_code = parts(token).is_some_and(|(_, name, _)| CODE.contains(&name));
        let end = pairs.end_of_literal(run, at, |_| false);
        let end = end.filter(|_| is_code)?;
        Some(token.range.end..run[end].range.start)
    });
    blocks.collect()
}

/// Finds what is not shown among the tags of one code. `comments`: whether `{# … #}` is one.
fn in_code(
    tokens: &[Token<'_>],
    values: &Values<'_>,
    comments: bool,
    cuts: &mut Vec<Range<usize>>,
) {
    let pairs = Pairs::find(tokens);
    for (at, token) in tokens.iter().enumerate() {
        if token.inner == Inner::Comment && comments {
            cuts.push(token.range.clone());
        }
        let Some((Form::Tag, name, arguments)) = parts(token) else {
            continue;
        };
        let end = pairs.partner_behind(at);
        if name == "comment" {
            cuts.extend(comment(tokens, &pairs, at));
        } else if let Some(end) = end.filter(|_| CHOICES.contains(&name)) {
            let case = (name == "case").then_some(arguments);
            let branches = branches(tokens, &pairs, at, end);
            choose((token, &branches, &tokens[end]), case, values, cuts);
        }
    }
}

/// The place of the comment that begins with this tag.
fn comment(tokens: &[Token<'_>], pairs: &Pairs<'_>, at: usize) -> Option<Range<usize>> {
    let end = pairs.end_of_literal(tokens, at, |_| false)?;
    Some(tokens[at].range.start..tokens[end].range.end)
}

/// The tags that begin the branches of a block.
fn branches<'t, 'a>(
    tokens: &'t [Token<'a>],
    pairs: &Pairs<'_>,
    begin: usize,
    end: usize,
) -> Vec<&'t Token<'a>> {
    let name = |at: usize| parts(&tokens[at]).map_or("", |(_, name, _)| name);
    let mut branches = Vec::new();
    if name(begin) != "case" {
        branches.push(&tokens[begin]);
    }
    let mut at = begin + 1;
    while at < end {
        if let Some(end) = pairs.partner_behind(at) {
            at = end;
        } else if BRANCHES.contains(&name(at)) {
            branches.push(&tokens[at]);
        }
        at += 1;
    }
    branches
}

/// Whether the condition of a branch holds, if that is known.
fn holds(branch: &Token<'_>, case: Option<&str>, values: &Values<'_>) -> Option<bool> {
    let (_, name, condition) = parts(branch)?;
    values.of_branch(name, case, condition)
}

/// Cuts the branches of a block that are not shown, as far as that is known.
fn choose(
    (begin, branches, end): (&Token<'_>, &[&Token<'_>], &Token<'_>),
    case: Option<&str>,
    values: &Values<'_>,
    cuts: &mut Vec<Range<usize>>,
) {
    let mut all = branches
        .iter()
        .map(|branch| holds(branch, case, values))
        .enumerate();
    let Some((at, holds)) = all.find(|(_, holds)| *holds != Some(false)) else {
        return cuts.push(begin.range.start..end.range.end);
    };
    let branch = branches[at];
    if holds == Some(true) {
        cuts.push(begin.range.start..branch.range.end);
        let next = branches.get(at + 1).map_or(end, |next| next);
        cuts.push(next.range.start..end.range.end);
    } else if at > 0 {
        // What follows is not decided, and stays as it is written.
        cuts.push(begin.range.start..branch.range.start);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialects::passes::page::testing::on_page;
    use crate::syntax::front::split;

    fn after(kind: &str, text: &str) -> Lines {
        let front = split("---\noff: false\non: true\n---\n", "a.md").front;
        Lines::after(text, |lines| {
            on_page(Some(kind), &front, |page| rewrite(lines, page));
        })
    }

    fn check(text: &str, expected: &str) {
        let lines = after("jekyll", text);
        assert_eq!(lines.text, expected, "{text}");
        assert!(lines.come_from(text), "{text}");
    }

    #[test]
    fn rule_12_what_a_site_does_not_show_is_not_in_its_code_either() {
        check("`{% comment %}x{% endcomment %}a`", "`a`");
        check(
            "```\na\n{% comment %}\nx\n{% endcomment %}\nb\n```",
            "```\na\nb\n```",
        );
        check("```\na {% if page.off %}x{% endif %}\n```", "```\na \n```");
        check(
            "    a {% if page.off %}x{% elsif page.on %}b{% else %}x{% endif %}",
            "    a b",
        );
        check("`{% unless page.on %}x{% else %}b{% endunless %}`", "`b`");
        check(
            "`{% case page.on %}{% when false %}x{% else %}b{% endcase %}`",
            "`b`",
        );
        check(
            "`{% if page.off %}x{% elsif y %}{% if page.off %}x{% endif %}b{% endif %}`",
            "`{% elsif y %}b{% endif %}`",
        );
        check(
            "{% highlight yaml %}\na {% if page.off %}x{% endif %}\n{% endhighlight %}",
            "{% highlight yaml %}\na \n{% endhighlight %}",
        );
        check("<pre>{% comment %}x{% endcomment %}</pre>", "<pre></pre>");
        check(
            "`{% if page.off %}x{% if page.on %}x{% endif %}x{% endif %}`b",
            "``b",
        );
    }

    #[test]
    fn rule_12_what_may_be_an_example_stays_in_code() {
        for text in [
            "`{% if y %}a{% else %}b{% endif %}`",
            "`{% if page.off %}` and `{% endif %}`",
            "{% raw %}`{% if page.off %}a{% endif %}`{% endraw %}",
            "```\n{% raw %}{% comment %}a{% endcomment %}{% endraw %}\n```",
            "`{{ page.on }} {# a #} {% assign x = 1 %}`",
            "{% if page.off %}a{% endif %}",
            "`{% for x in y %}a{% endfor %}`",
        ] {
            check(text, text);
        }
        let text = "`{% comment %}a{% endcomment %}{# b #}`";
        for kind in ["plain", "hugo", "mkdocs", "zola", "hexo"] {
            assert_eq!(after(kind, text).text, text, "{kind}");
        }
        let text = "{% codeblock %}\na {% if true %}b{% else %}x{% endif %}\n{% endcodeblock %}\n`{% if false %}c{% endif %}`";
        let shown = "{% codeblock %}\na b\n{% endcodeblock %}\n`{% if false %}c{% endif %}`";
        assert_eq!(after("hexo", text).text, shown);
    }

    proptest::proptest! {
        #[test]
        fn no_code_panics(text in "(`|\\{% if page\\.off %\\}|\\{% else %\\}|\\{% endif %\\}|\\{% (end)?comment %\\}|\\{% (end)?raw %\\}|\\{% (end)?highlight %\\}|\\{% case x %\\}|\\{# | #\\}|\n|é| ){0,30}") {
            let lines = after("jekyll", &text);
            assert!(lines.come_from(&text), "{text}");
        }
    }

    #[test]
    fn hostile_code_is_read_in_linear_time() {
        for part in [
            "{% if page.off %}",
            "{% comment %}",
            "{% if page.off %}a{% else %}",
            "{% if page.off %}x{% endif %}",
            "{% raw %}",
            "{% highlight %}",
            "{% else %}",
        ] {
            let text = part.repeat(20_000);
            after("jekyll", &format!("```\n{text}\n```"));
            after("jekyll", &text);
        }
        let nested = "{% if page.off %}".repeat(20_000) + &"{% endif %}".repeat(20_000);
        after("jekyll", &format!("```\n{nested}\n```"));
    }
}
