//! Titles and links of code, as Hexo writes them: ```` ```js Title https://e.org/x.js Words ````, and
//! `{% codeblock Title lang:js https://e.org/x.js Words %}`.

use super::page::Page;
use super::splice::Splice;
use crate::dialects::lines::Lines;
use crate::dialects::markup::{address, label};
use crate::dialects::scan::{Line, scan};
use crate::model::text::Marks;

/// The longest title with its link, in bytes.
const LONGEST: usize = 500;
/// The beginnings of the tag.
const TAGS: [&str; 2] = ["{% codeblock ", "{% code "];
/// What a link without words shows.
const LINK: &str = "link";
static SIGNS: Marks = Marks::new(&[&["```", "~~~", "{% code"]]);

pub fn may_have_some(text: &str, page: &Page<'_>) -> bool {
    page.kind.dialect.titled_code && SIGNS.any(text)
}

/// Writes titles as attributes, and those with a link as a paragraph above the code.
pub fn rewrite(lines: &mut Lines, page: &Page<'_>) {
    if !may_have_some(&lines.text, page) {
        return;
    }
    let literals = lines.literals();
    let mut splice = Splice::new(&lines.text);
    for line in scan(&lines.text, &literals) {
        let at = line.start + line.prefix.len();
        let begins = literals.end_of_code(at).is_some();
        let written = match line.code {
            true if begins => fence(line.rest),
            true => None,
            false => tag(line.rest),
        };
        if let Some((title, rest)) = written {
            let end = line.start + line.whole.len();
            splice.put(line.start..end, &title.above(&line, &rest));
        }
    }
    let (text, sources) = splice.finish();
    lines.replace(text, &sources);
}

/// The title of code, and its link.
struct Title<'t> {
    words: &'t str,
    link: Option<(&'t str, &'t str)>,
}

impl<'t> Title<'t> {
    /// `Title https://e.org Words`
    fn read(text: &'t str) -> Option<Self> {
        let text = text.trim();
        let mut words = text.split_whitespace();
        let link = words.find(|word| word.starts_with("https://") || word.starts_with("http://"));
        let Some(link) = link else {
            return (!text.is_empty()).then_some(Self {
                words: text,
                link: None,
            });
        };
        let (before, after) = text.split_once(link)?;
        let after = after.trim();
        Some(Self {
            words: before.trim(),
            link: Some((link, if after.is_empty() { LINK } else { after })),
        })
    }

    /// The first line of the code, with the title in it or above.
    fn above(&self, line: &Line<'_>, rest: &dyn Fn(&str) -> String) -> String {
        let prefix = line.prefix;
        let Some((to, shown)) = self.link else {
            let title = self.words.replace('"', "'");
            return format!("{prefix}{}", rest(&format!(" title=\"{title}\"")));
        };
        let link = format!("[{}]({})", label(shown), address(to));
        let blank = prefix.trim_end();
        let words = label(self.words);
        format!(
            "{prefix}{} \n{blank}\n{prefix}{}",
            format!("{words} {link}").trim(),
            rest("")
        )
    }
}

type Written<'t> = (Title<'t>, Box<dyn Fn(&str) -> String + 't>);

/// ```` ```js Title ````
fn fence(rest: &str) -> Option<Written<'_>> {
    let info = rest.trim_start_matches(['`', '~']);
    let (marks, info) = (&rest[..rest.len() - info.len()], info.trim());
    let (language, title) = info.split_once([' ', '\t'])?;
    let is_title = marks.len() > 2
        && info.len() <= LONGEST
        && !language.contains(['{', '=', '['])
        && !title.contains(['{', '=', '[', '`'])
        && !title.split_whitespace().any(is_option);
    let title = Title::read(title).filter(|_| is_title)?;
    Some((
        title,
        Box::new(move |title| format!("{marks}{language}{title}")),
    ))
}

/// `{% codeblock Title lang:js %}`
fn tag(rest: &str) -> Option<Written<'_>> {
    let open = TAGS.iter().find(|open| rest.starts_with(**open))?;
    let inner = rest[open.len()..].trim_end().strip_suffix("%}")?;
    if inner.len() > LONGEST || inner.contains(['=', '"', '{']) {
        return None;
    }
    let words = inner.split_whitespace();
    let options: Vec<&str> = words.clone().filter(|word| is_option(word)).collect();
    let options = options.join(" ");
    // Options are before the title, or after it.
    let first = words.clone().position(|word| !is_option(word))?;
    let begin = words.clone().nth(first)?;
    let title = &inner[inner.find(begin)?..];
    let end = title.split_whitespace().find(|word| is_option(word));
    let title = end.map_or(title, |end| {
        title.split_once(end).map_or(title, |(title, _)| title)
    });
    let title = Title::read(title)?;
    Some((
        title,
        Box::new(move |title| format!("{open}{options}{title} %}}")),
    ))
}

/// Whether a word is `lang:js`, `mark:1,2` or the like.
fn is_option(word: &str) -> bool {
    const NAMES: [&str; 8] = [
        "lang",
        "language",
        "line_number",
        "line_threshold",
        "highlight",
        "first_line",
        "mark",
        "wrap",
    ];
    let name = word.split_once(':').map(|(name, _)| name);
    name.is_some_and(|name| NAMES.contains(&name))
}

#[cfg(test)]
mod tests {
    use crate::dialects::{Evidence, Files, Kind, Named, translate};
    use crate::syntax::front::Front;

    fn translated(kind: &str, text: &str) -> String {
        let kind = Kind::detect(&Evidence::default(), Some(kind));
        let files = Files::new("a.md", &|_| Named::Missing);
        let translated = translate(text, false, false, &kind, &Front::default(), &files);
        translated.text.into_owned()
    }

    #[test]
    fn rule_12_titles_and_links_of_code_stay() {
        let check = |text: &str, expected: &str| {
            assert_eq!(translated("hexo", text), expected, "{text}");
        };
        check(
            "``` yml _config.yml\na\n```",
            "```yml title=\"_config.yml\"\na\n```",
        );
        check(
            "> ```js A b https://e.org/x.js C d\n> a\n> ```",
            "> A b [C d](https://e.org/x.js) \n>\n> ```js\n> a\n> ```",
        );
        check(
            "{% codeblock Array.map %}\na\n{% endcodeblock %}",
            "``` title=\"Array.map\"\na\n```",
        );
        check(
            "{% codeblock lang:js _.a http://e.org/#a A.js %}\na\n{% endcodeblock %}",
            "_.a [A.js](http://e.org/#a) \n\n```js\na\n```",
        );
        check(
            "{% codeblock A b lang:js mark:1 %}\na\n{% endcodeblock %}",
            "```js hl_lines=\"1\" title=\"A b\"\na\n```",
        );
        for text in [
            "```js\na\n```",
            "```js {1,2}\na\n```",
            "```js mark:1\na\n```",
            "```js title=\"a\"\na\n```",
            "```\n```js a\n```",
        ] {
            check(text, text);
        }
        let text = "```yml a.yml\na\n```";
        assert_eq!(translated("hugo", text), text);
    }
}
