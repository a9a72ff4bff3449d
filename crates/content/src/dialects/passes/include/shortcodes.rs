//! Includes that are shortcodes: `{{< readfile "x" >}}`, `{{% include file="x" %}}`,
//! `{{< code_sample file="x.yaml" >}}`.

use super::finder::Finder;
use super::marker::{Shape, Want};
use super::paths::{below, is_bare, language_of, resolve, with_endings};
use crate::dialects::dialect::Spelling;
use crate::dialects::tags::Arguments;

/// Shortcodes that insert a file unchanged. Here and below `-` also matches `_`.
const TEXT: [&str; 7] = [
    "readfile",
    "include",
    "include-md",
    "include-markdown",
    "include-file",
    "includefile",
    "include-html",
];
/// Shortcodes that show a file as code.
const CODE: [&str; 9] = [
    "code-sample",
    "codenew",
    "code-file",
    "codefile",
    "code-include",
    "include-code",
    "literalinclude",
    "code-from-file",
    "highlight-file",
];

pub fn shortcode(name: &str, arguments: &Arguments<'_>, finder: &Finder<'_>) -> Option<Want> {
    let name = name.to_ascii_lowercase().replace('_', "-");
    let shows_code = CODE.contains(&name.as_str());
    if !shows_code && !TEXT.contains(&name.as_str()) {
        return None;
    }
    let written = arguments
        .named(&["file", "src", "path", "filename", "name"])
        .or(arguments.first())?;
    if written.is_empty() {
        return None;
    }
    let folders = folders(finder.path);
    let folders: Vec<&str> = folders.iter().map(String::as_str).collect();
    let mut paths = Vec::new();
    for file in with_endings(written, &["", ".md", ".html"]) {
        if !file.starts_with('/') {
            paths.extend(resolve(finder.path, &file));
        }
        paths.extend(below(&folders, &file));
    }
    let language = language_of(written);
    let code = shows_code || language.is_some() || arguments.named(&["code"]) == Some("true");
    let said = arguments.named(&["lang", "language"]).map(str::to_owned);
    let shape = if code {
        Shape::Code(said.or(language).unwrap_or_default())
    } else {
        Shape::Raw
    };
    let lenient = is_bare(written) || !finder.spells(Spelling::Shortcodes);
    Some(Want {
        shape,
        lenient,
        ..Want::new(written, paths)
    })
}

/// Folders that themes search; some are below the folder of the page's language.
fn folders(path: &str) -> Vec<String> {
    let mut folders: Vec<String> = [
        "",
        "content",
        "static",
        "assets",
        "content/includes",
        "includes",
    ]
    .map(str::to_owned)
    .to_vec();
    if let Some(language) = path.split('/').nth(1)
        && language.len() <= 7
    {
        for inside in ["", "/includes", "/examples"] {
            folders.push(format!("content/{language}{inside}"));
        }
    }
    folders.push("examples".to_owned());
    folders
}
