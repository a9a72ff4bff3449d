//! What in a theme folder has no effect: files that nothing loads, and what browsers block because
//! of the Content-Security-Policy.

use std::collections::BTreeSet;

use diglot_content::Problem;

use super::{ThemeFile, is_hidden, is_template};

/// The files that the built-in templates load beside the built-in ones.
const LOADED: [&str; 1] = ["custom.css"];
/// The most warnings about what browsers block in one file.
const MOST_OF_A_FILE: usize = 10;
const BLOCKED: &str = "the Content-Security-Policy allows files of the theme alone";

/// Warnings about these files of a theme folder; `built_in` are the names of the built-in ones.
pub(super) fn warnings(files: &[ThemeFile], built_in: &[&str]) -> Vec<Problem> {
    let texts: Vec<(&str, &str)> = files
        .iter()
        .filter(|file| !is_hidden(&file.path))
        .filter(|file| is_template(&file.path) || is_sheet_or_script(&file.path))
        .filter_map(|file| Some((&*file.path, std::str::from_utf8(&file.bytes).ok()?)))
        .collect();
    let named: BTreeSet<&str> = texts
        .iter()
        .flat_map(|(path, text)| names(text).filter(|name| name != &file_name(path)))
        .collect();
    let is_used = |path: &&str| {
        built_in.contains(path) || LOADED.contains(path) || named.contains(file_name(path))
    };
    let mut warnings = Vec::new();
    for (path, text) in &texts {
        if is_sheet_or_script(path) && !is_used(path) {
            let hint = format!("name it in a template: `{{{{ site.assets['{path}'] }}}}`");
            let unused = Problem::warning("no page loads this file");
            warnings.push(unused.at(*path, 0, 0).hint(hint));
        }
        let blocked = match path.rsplit('.').next() {
            Some("css") => blocked_in_sheet(text),
            Some("html") => blocked_in_template(text),
            _ => Vec::new(),
        };
        warnings.extend(blocked.into_iter().take(MOST_OF_A_FILE).map(|(at, what)| {
            let line = text[..at].matches('\n').count() + 1;
            let message = format!("browsers block {what}: {BLOCKED}");
            let line = u32::try_from(line).unwrap_or(0);
            Problem::warning(message).at(*path, line, 0)
        }));
    }
    warnings
}

fn is_sheet_or_script(path: &str) -> bool {
    path.ends_with(".css") || path.ends_with(".js")
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The names of files in a text, without their folders.
fn names(text: &str) -> impl Iterator<Item = &str> {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_');
    text.split(move |c| !is_name(c))
        .filter(|name| name.contains('.'))
}

/// Whether an address leads to another site.
fn is_elsewhere(address: &str) -> bool {
    let address = address.trim_start_matches(['"', '\'', ' ']);
    ["http:", "https:", "//"].iter().any(|start| {
        let begin = address.get(..start.len());
        begin.is_some_and(|begin| begin.eq_ignore_ascii_case(start))
    })
}

/// Style sheets and fonts of other sites in a style sheet: pictures may be theirs.
fn blocked_in_sheet(text: &str) -> Vec<(usize, &'static str)> {
    let mut found = Vec::new();
    for (at, rule) in text.match_indices("@import") {
        let rest = text[at + rule.len()..].trim_start();
        if is_elsewhere(rest.strip_prefix("url(").unwrap_or(rest)) {
            found.push((at, "a style sheet of another site"));
        }
    }
    for (at, _) in text.match_indices("@font-face") {
        let face = text[at..].split('}').next().unwrap_or_default();
        if face.split("url(").skip(1).any(is_elsewhere) {
            found.push((at, "a font of another site"));
        }
    }
    found
}

/// Styles and scripts inside of a template, and those of other sites.
fn blocked_in_template(text: &str) -> Vec<(usize, &'static str)> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices('<') {
        let tag = text[at + 1..].split(['<', '>']).next().unwrap_or_default();
        let name = tag.split(|c: char| !c.is_ascii_alphabetic()).next();
        let value = |name: &str| tag.split_once(name).map(|(_, value)| value);
        match name.unwrap_or_default() {
            "style" => found.push((at, "a style inside of the page")),
            "script" => match value(" src=") {
                Some(address) if is_elsewhere(address) => {
                    found.push((at, "a script of another site"));
                }
                None if !tag.contains("json") => {
                    found.push((at, "a script inside of the page"));
                }
                _ => {}
            },
            "link" if tag.contains("stylesheet") && value(" href=").is_some_and(is_elsewhere) => {
                found.push((at, "a style sheet of another site"));
            }
            "" => {}
            _ if tag.contains(" style=") => found.push((at, "a style inside of the page")),
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;

    fn check(files: &[(&str, &str)], expected: &[&str]) {
        let files: Vec<ThemeFile> = files
            .iter()
            .map(|(path, text)| ThemeFile {
                path: (*path).into(),
                bytes: Bytes::copy_from_slice(text.as_bytes()),
            })
            .collect();
        let found = warnings(&files, &["main.css", "search.js"]);
        let shown: Vec<String> = found
            .iter()
            .map(|problem| problem.to_string().split('\n').next().unwrap().to_owned())
            .collect();
        assert_eq!(shown, expected);
    }

    #[test]
    fn a_style_sheet_or_script_that_nothing_names_is_reported() {
        let used = "<link href=\"{{ site.assets['css/own.css'] }}\">";
        check(
            &[
                ("main.css", ""),
                ("custom.css", "@import url(more.css);"),
                ("more.css", ""),
                ("css/own.css", ""),
                ("head-site.html", used),
                ("picture.svg", ""),
                (".draft.css", ""),
            ],
            &[],
        );
        check(
            &[
                ("costum.css", "costum.css"),
                ("a/b.js", ""),
                ("x.html", "b.jsx"),
            ],
            &[
                "costum.css: warning: no page loads this file",
                "a/b.js: warning: no page loads this file",
            ],
        );
    }

    #[test]
    fn what_the_policy_blocks_is_reported_with_its_line() {
        let site = "the Content-Security-Policy allows files of the theme alone";
        let sheet = "a{background:url(https://x.example/a.png)}\n@import 'HTTPS://x.example/a.css';\n\
            @font-face{font-family:x;src:url(a.woff2),url(\"//x.example/a.woff2\")}\n@import url(a.css);\n";
        let lines = [
            format!("custom.css:2: warning: browsers block a style sheet of another site: {site}"),
            format!("custom.css:3: warning: browsers block a font of another site: {site}"),
        ];
        check(
            &[("custom.css", sheet)],
            &lines.each_ref().map(|line| &**line),
        );
        let template = "<p>{{ page.content }}</p><script type=\"application/ld+json\">{}</script><script src=\"{{ x }}\"></script>\n\
            <script>x()</script>\n<style>a{}</style>\n<p style=\"x\">\n<script src='https://x.example/a.js'></script>\n\
            <link rel=\"stylesheet\" href=\"https://x.example/a.css\"><link rel=\"me\" href=\"https://x.example\">";
        let found = blocked_in_template(template);
        let lines: Vec<usize> = found
            .iter()
            .map(|(at, _)| template[..*at].matches('\n').count() + 1)
            .collect();
        assert_eq!(lines, [2, 3, 4, 5, 6], "{found:?}");
    }
}
