//! Gatsby: the folders that `gatsby-source-filesystem` reads, `src/pages/`, and `static/`.

use crate::dialects::evidence::Evidence;
use crate::dialects::scope::{Project, Scope, folder_path};
use crate::model::sources::SourceFile;
use crate::model::text::decode;
use crate::syntax::tokens::{Code, TokenKind, unquoted};

/// The beginning of the name of its configuration.
const CONFIG: &str = "gatsby-config.";
/// The plug-in that reads a folder.
const SOURCE: &str = "gatsby-source-filesystem";
/// The folder whose components and texts are pages.
const PAGES: &str = "src/pages";
/// The folder that is copied.
const STATIC: &str = "static";
/// The largest configuration, in bytes.
const LARGEST: usize = 1_000_000;
/// The maximum number of folders.
const MOST: usize = 100;

/// Whether the folder belongs to Gatsby.
pub fn is_one(evidence: &Evidence<'_>) -> bool {
    configuration(evidence).is_some()
}

fn configuration<'a>(evidence: &Evidence<'a>) -> Option<&'a SourceFile> {
    let file = evidence.beginning(CONFIG)?;
    (file.bytes.len() <= LARGEST).then_some(file)
}

/// The folders with texts. If none is known, the whole folder.
pub fn scope(project: &Project<'_>) -> Scope {
    let evidence = project.evidence;
    let Some(file) = configuration(evidence) else {
        return Scope::default();
    };
    let (text, _) = decode(&file.bytes, &file.path);
    let mut folders = sources(&Code::new(&*text));
    if !folders.iter().any(|folder| evidence.holds_text(folder)) {
        return Scope::default();
    }
    folders.push(PAGES.to_owned());
    let (content, assets) = folders
        .into_iter()
        .partition(|folder| evidence.holds_text(folder));
    Scope {
        assets,
        bundled: true,
        by: file.path.to_string(),
        ..Scope::new(content, &[STATIC])
    }
}

/// The folders in `{ resolve: "gatsby-source-filesystem", options: { path: … } }`.
fn sources(code: &Code<&str>) -> Vec<String> {
    let mut folders = Vec::new();
    let mut is_source = false;
    for at in 0..code.count() {
        match code.kind(at) {
            Some(TokenKind::Text) => is_source |= unquoted(code.source(at)) == SOURCE,
            Some(TokenKind::Word) if code.is(at + 1, ':') => match code.source(at) {
                "resolve" => is_source = false,
                "path" if is_source && folders.len() < MOST => {
                    folders.extend(folder(code, at + 2));
                }
                _ => {}
            },
            _ => {}
        }
    }
    folders
}

/// The folder that an expression names: the texts in it, one below the other. `__dirname` is the root.
fn folder(code: &Code<&str>, at: usize) -> Option<String> {
    let end = code.expression_end(at, |_| false);
    let mut path = String::new();
    for token in at..end {
        let part = match code.kind(token) {
            Some(TokenKind::Text) => unquoted(code.source(token)),
            Some(TokenKind::Opaque) => unquoted(code.source(token)).replace("${__dirname}", ""),
            _ => continue,
        };
        path = format!("{path}/{}", part.trim_start_matches('/'));
    }
    let is_known = !path.is_empty() && !path.contains("${");
    folder_path(path.trim_matches('/')).filter(|folder| is_known && !folder.is_empty())
}
