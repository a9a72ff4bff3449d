//! What a reader of the report should know of how a folder is read.

use super::{candidate::Candidate, fields::quoted, folder::Folder, visibility::status::withholds};
use crate::model::format::is_markdown;

/// One sentence for each; `kind` is the name of the kind of folder.
pub fn collect(
    folder: &Folder,
    candidates: &[Candidate],
    published: &[&Candidate],
    kind: &str,
) -> Vec<String> {
    let notes = [
        status(folder, published, kind),
        slugs(folder),
        key(folder, candidates),
    ];
    notes.into_iter().flatten().collect()
}

/// Names texts that share a `slug`.
fn slugs(folder: &Folder) -> Option<String> {
    let texts = &folder.slugs.texts;
    let first = texts.first()?;
    let count = match texts.len() {
        1 => "1 text shares its".to_owned(),
        count => format!("{count} texts share their"),
    };
    Some(format!(
        "{count} `slug` with another text, so the folder is part of the address: `{first}`"
    ))
}

/// Says that a key publishes notes, if that withholds some.
fn key(folder: &Folder, candidates: &[Candidate]) -> Option<String> {
    let key = folder.publishing_key?;
    let without = candidates.iter().filter(|candidate| {
        is_markdown(&candidate.path) && candidate.parsed.front.get(key).is_none()
    });
    let (count, are) = match without.count() {
        0 => return None,
        1 => ("1 note".to_owned(), "is"),
        count => (format!("{count} notes"), "are"),
    };
    Some(format!(
        "{count} without `{key}` in the front matter {are} withheld: in this folder `{key}: true` publishes a note"
    ))
}

/// Says that `status` is not read as a state of publication, if that publishes texts.
fn status(folder: &Folder, published: &[&Candidate], kind: &str) -> Option<String> {
    if folder.status_counts {
        return None;
    }
    let drafts = published
        .iter()
        .filter(|candidate| withholds(&candidate.parsed.front))
        .count();
    let examples: Vec<String> = folder
        .status
        .examples()
        .map(|value| format!("`{}`", quoted(value)))
        .collect();
    let (texts, are) = if drafts == 1 {
        ("text", "is")
    } else {
        ("texts", "are")
    };
    (drafts > 0).then(|| {
        format!(
            "{drafts} {texts} whose `status` is a word such as `draft` {are} published: {kind} ignores `status`, and most of its values here are others ({}); `draft: true` withholds a text",
            examples.join(", ")
        )
    })
}
