//! Finds the folder of the articles.

use std::borrow::Cow;

use super::names::FOLDERS;
use crate::dialects::Kind;
use crate::library::{
    files,
    paths::{below, inside, name},
};
use crate::model::{format::Format, site::Site, sources::Sources};

/// The usual folder of posts.
const POSTS: &str = "_posts";

/// The articles folder and the reason.
pub fn folder(sources: &Sources, site: &Site, kind: &Kind) -> (String, String) {
    if let Some(set) = &site.articles {
        return (set.clone(), "it is set".to_owned());
    }
    if kind.dialect.all_are_articles && kind.config.content.is_none() {
        return (String::new(), format!("`{}` publishes it", kind.scope.by));
    }
    let usual = FOLDERS.into_iter().map(|folder| at_its_place(folder, kind));
    let usual = usual
        .into_iter()
        .find(|folder| holds_text(sources, folder, kind) && may_hold_articles(folder, kind));
    let usual = usual.as_deref();
    if let Some(configured) = configured(sources, kind, usual) {
        return configured;
    }
    let first = kind
        .scope
        .content
        .iter()
        .find(|root| holds_text(sources, root, kind));
    if let (None, Some(root)) = (usual, first) {
        return (root.clone(), format!("`{}` publishes it", kind.scope.by));
    }
    match usual {
        Some(folder) => (folder.to_owned(), why_usual(folder, kind)),
        None => (
            String::new(),
            "no folder has a name that articles folders usually have".to_owned(),
        ),
    }
}

/// The folder of posts, else the content folder, of the generator's configuration.
fn configured(sources: &Sources, kind: &Kind, usual: Option<&str>) -> Option<(String, String)> {
    let content = kind.config.content.as_ref()?;
    let more_precise =
        usual.is_some_and(|usual| usual == content || below(usual, content).is_some());
    let posts = inside(content, POSTS);
    for folder in [&posts, content] {
        if !more_precise && holds_text(sources, folder, kind) && is_open(folder, kind) {
            // A kind may settle it by files that are not its configuration.
            let why = match kind.config.file.as_str() {
                "" => format!("`{}` publishes it", kind.scope.by),
                file => format!("`{file}` says so"),
            };
            return Some((folder.clone(), why));
        }
    }
    None
}

/// A usual folder, that of posts where the configuration has it.
fn at_its_place(folder: &'static str, kind: &Kind) -> Cow<'static, str> {
    match &kind.config.collections_folder {
        Some(above) if folder == POSTS => inside(above, folder).into(),
        _ => folder.into(),
    }
}

/// Whether the generator publishes texts of a folder, or of one inside it.
fn may_hold_articles(folder: &str, kind: &Kind) -> bool {
    let mut content = kind.scope.content.iter();
    is_open(folder, kind)
        && (kind.scope.has_content(&format!("{folder}/"))
            || content.any(|root| below(root, folder).is_some()))
}

/// Whether the generator publishes a folder whose name may begin with `_`.
fn is_open(folder: &str, kind: &Kind) -> bool {
    !name(folder).starts_with('_') || kind.opens(folder)
}

/// Why a usual folder holds the articles: the kind names it, or a folder around it.
fn why_usual(folder: &str, kind: &Kind) -> String {
    let by = &kind.scope.by;
    let mut content = kind.scope.content.iter().filter(|root| !root.is_empty());
    match content.find(|root| below(&format!("{folder}/"), root).is_some()) {
        Some(root) if root == folder => format!("`{by}` publishes it"),
        Some(root) => format!("a usual name in `{root}/`, which `{by}` publishes"),
        None if folder.ends_with(&format!("/{POSTS}")) => format!("`{by}` says so"),
        None => first_of_usual(),
    }
}

fn first_of_usual() -> String {
    let names = FOLDERS.map(|folder| format!("`{folder}/`"));
    format!("the first that exists of {}", names.join(", "))
}

/// Whether a text in a folder is part of the site.
fn holds_text(sources: &Sources, folder: &str, kind: &Kind) -> bool {
    let mut inside = files::beginning(sources, &format!("{folder}/"));
    inside.any(|(_, file)| {
        Format::from_path(&file.path).is_some() && kind.excludes(&file.path).is_none()
    })
}
