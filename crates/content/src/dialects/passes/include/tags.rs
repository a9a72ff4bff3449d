//! Includes that are template tags: Liquid's and Nunjucks' `{% include %}`, the shortcodes of Hugo's themes and of Quarto.

use super::{Ask, Part, Scope, Shape, Site, Want, below, language_of, resolve};
use crate::dialects::passes::template;
use crate::dialects::passes::template::Ends;
use crate::dialects::tags::token::{Inner, tokens};
use crate::dialects::{Arguments, Spelling};
use crate::model::bounds;
use crate::syntax::markdown::literal::{Literals, literals};

/// The sites of a text. Nothing between `{% raw %}`, `{% comment %}` and their like is one.
pub(super) fn sites(text: &str, path: &str, found: &Literals, scope: Scope<'_>) -> Vec<Site> {
    if !text.contains("{%") && !text.contains("{{<") && !text.contains("{{%") {
        return Vec::new();
    }
    let tokens = tokens(text, found, scope.kind.percent_comments);
    let ends = Ends::of(&tokens);
    let (mut sites, mut at) = (Vec::new(), 0);
    while let Some(token) = tokens.get(at).filter(|_| !bounds::is_over()) {
        if let Some(end) = ends.of_literal(&tokens, at) {
            at = end + 1;
            continue;
        }
        let want = template::call(&token.inner, false).and_then(|call| {
            let arguments = Arguments::of(call.arguments);
            match token.inner {
                Inner::Tag(_) => liquid(call.name, &arguments, path),
                Inner::Shortcode(_) => shortcode(call.name, &arguments, path, scope),
                _ => None,
            }
        });
        if let Some(want) = want {
            sites.push(Site { range: token.range.clone(), ask: Ask::File(Box::new(want)) });
        }
        at += 1;
    }
    sites
}

/// `{% include x.html key="value" %}`, `{% include_relative x.md %}`, `{% include-markdown "x.md" start="…" %}`, `{% render "x" %}`.
fn liquid(name: &str, arguments: &Arguments<'_>, path: &str) -> Option<Want> {
    const FOLDERS: [&str; 4] = ["_includes", "src/_includes", "includes", "src/includes"];
    let relative = matches!(name, "include_relative" | "include-markdown");
    if !relative && !matches!(name, "include" | "include_cached" | "include-cached" | "render") {
        return None;
    }
    let written = *arguments.positional.first()?;
    let mut paths: Vec<String> = Vec::new();
    if !relative {
        let bare = written.rsplit('/').next().is_some_and(|last| !last.contains('.'));
        for suffix in if bare { &[".html", ".md", ".liquid", ".njk", ""][..] } else { &[""] } {
            paths.extend(below(FOLDERS, &format!("{written}{suffix}")));
        }
    }
    paths.extend(resolve(path, written));
    let text = |key: &str| arguments.named(&[key]).map(|text| text.replace("\\n", "\n"));
    let part = match (text("start"), text("end")) {
        (None, None) => Part::Whole,
        (start, end) => Part::Between(start, end),
    };
    let parameters = arguments.all().map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
    let lenient = !relative;
    Some(Want { written: written.to_owned(), paths, part, shape: Shape::Template, parameters, lenient, ..Want::default() })
}

/// `{{< readfile "x" >}}`, `{{% include file="x" %}}`, `{{< code_sample file="x.yaml" >}}`.
fn shortcode(name: &str, arguments: &Arguments<'_>, path: &str, scope: Scope<'_>) -> Option<Want> {
    let lower = name.to_ascii_lowercase().replace('_', "-");
    let code = matches!(
        lower.as_str(),
        "code-sample"
            | "codenew"
            | "code-file"
            | "codefile"
            | "code-include"
            | "include-code"
            | "literalinclude"
            | "code-from-file"
            | "highlight-file"
    );
    if !code
        && !matches!(lower.as_str(), "readfile" | "include" | "include-md" | "include-markdown" | "include-file" | "includefile" | "include-html")
    {
        return None;
    }
    let named = arguments.named(&["file", "src", "path", "filename", "name"]);
    let written = named.or(arguments.positional.first().copied()).filter(|written| !written.is_empty())?;
    let language = path.split('/').nth(1).filter(|name| name.len() <= 7);
    let mut folders =
        vec![String::new(), "content".to_owned(), "static".to_owned(), "assets".to_owned(), "content/includes".to_owned(), "includes".to_owned()];
    for inside in ["", "/includes", "/examples"] {
        folders.extend(language.map(|language| format!("content/{language}{inside}")));
    }
    folders.push("examples".to_owned());
    let bare = written.rsplit('/').next().is_some_and(|last| !last.contains('.'));
    let mut paths = Vec::new();
    for suffix in if bare { &["", ".md", ".html"][..] } else { &[""] } {
        let file = format!("{written}{suffix}");
        paths.extend(resolve(path, &file).filter(|_| !file.starts_with('/')));
        paths.extend(below(folders.iter().map(String::as_str), &file));
    }
    let code = code || arguments.named(&["code"]).is_some_and(|value| value == "true");
    let shape = match language_of(written) {
        found if code || found.is_some() => Shape::Code(arguments.named(&["lang", "language"]).map(str::to_owned).or(found).unwrap_or_default()),
        _ => Shape::Raw,
    };
    let lenient = bare || !matches!(scope.kind.dialect.includes, Spelling::Shortcodes);
    Some(Want { written: written.to_owned(), paths, shape, lenient, ..Want::default() })
}

/// A template with its parameters filled in; `None`: it has logic of its own.
pub(super) fn filled(text: &str, parameters: &[(String, String)]) -> Option<String> {
    const LOGIC: [&str; 17] = [
        "if",
        "unless",
        "for",
        "case",
        "when",
        "assign",
        "capture",
        "liquid",
        "cycle",
        "tablerow",
        "set",
        "macro",
        "block",
        "extends",
        "import",
        "from",
        "increment",
    ];
    /// Filters that change nothing that is seen.
    const PLAIN: [&str; 10] =
        ["relative_url", "absolute_url", "escape", "strip", "markdownify", "smartify", "xml_escape", "url", "safe", "escape_once"];
    if !text.contains("{{") && !text.contains("{%") {
        return Some(text.to_owned());
    }
    let found = literals(text);
    let (mut out, mut done) = (String::with_capacity(text.len()), 0);
    for token in tokens(text, &found, false) {
        match token.inner {
            Inner::Tag(_) if template::call(&token.inner, false).is_some_and(|call| LOGIC.contains(&call.name)) => return None,
            Inner::Output(inner) => {
                let mut filters = inner.split('|').map(str::trim);
                let Some(key) = filters.next().and_then(|expression| expression.strip_prefix("include.")) else { continue };
                if !filters.all(|filter| PLAIN.contains(&filter)) {
                    return None;
                }
                let value = parameters.iter().find(|(name, _)| name == key).map_or("", |(_, value)| value.as_str());
                out.push_str(&text[done..token.range.start]);
                out.push_str(value);
                done = token.range.end;
                if out.len() > super::LARGEST {
                    return None;
                }
            }
            _ => {}
        }
    }
    out.push_str(&text[done..]);
    Some(out)
}
