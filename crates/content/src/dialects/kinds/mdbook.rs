//! An mdBook: `{{#include file}}`; also several books in folders, one for each language or part.

use crate::dialects::config::{self, Config, Keys, Locale, Mount, edit, read};
use crate::dialects::dialect::{COMMON, Dialect, Spelling};
use crate::dialects::evidence::Evidence;
use crate::dialects::heading_ids;
use crate::dialects::order::{self, Ask, Item, Outline, chapters};
use crate::dialects::redirects::{Notation, RedirectFile, Table};
use crate::dialects::scope::{Project, Scope};
use crate::model::language;
use crate::model::path::{inside, inside_or_folder, join};
use crate::syntax::front::Front;

/// The configuration of a book, and of books in folders.
const CONFIG: &[&str] = &["book.toml", "/*/book.toml"];

pub(super) static DIALECT: Dialect = Dialect {
    name: "mdbook",
    recognise,
    roots: &["src"],
    outputs: &["book"],
    machinery: &["theme"],
    scope,
    reads: &["md", "html", "htm", "xhtml"],
    opens_underscored: true,
    keys: Keys {
        files: CONFIG,
        title: &["book.title"],
        description: &["book.description"],
        author: &["book.authors", "book.author"],
        language: &["book.language"],
        address: &["output.html.site-url"],
        content: &["book.src"],
        usual: Some("src"),
        edit: edit::mdbook,
        ..Keys::NONE
    },
    settle,
    redirects: &[RedirectFile {
        file: "book.toml",
        notation: Notation::Table(Table {
            relative: true,
            ..Table::new("output.html.redirect")
        }),
    }],
    addresses: Some("/:path.html"),
    readme_is_index: true,
    includes: Spelling::Hashes,
    ignores_status: true,
    order: &[order],
    heading_ids: Some(heading_ids::MDBOOK),
    ..COMMON
};

fn recognise(evidence: &Evidence<'_>) -> Option<String> {
    let own = || {
        let book = evidence.first(&CONFIG[..1])?;
        let (_, front) = config::open(evidence, &CONFIG[..1])?;
        let (_, summary) = summary(evidence, "", front.text(&["book.src"]))?;
        Some(format!("{book} and `{summary}`"))
    };
    let several = || {
        let books = books(evidence);
        let names: Vec<String> = books
            .iter()
            .map(|book| format!("`{}/book.toml`", book.folder))
            .collect();
        (!names.is_empty()).then(|| names.join(", "))
    };
    own().or_else(several)
}

/// The source folder of the book in a folder, and its `SUMMARY.md`.
fn summary(evidence: &Evidence<'_>, book: &str, named: Option<&str>) -> Option<(String, String)> {
    let named = join(book, named.unwrap_or("src"))?;
    let folders = [named, inside_or_folder(book, "src"), book.to_owned()];
    let mut summaries = folders.into_iter().map(|folder| {
        let summary = inside_or_folder(&folder, "SUMMARY.md");
        (folder, summary)
    });
    summaries.find(|(_, summary)| evidence.file(summary).is_some())
}

/// A book among several.
struct Book {
    folder: String,
    title: Option<String>,
    /// The folder of its chapters.
    content: String,
    /// Their list.
    summary: String,
    /// The language that its folder names.
    language: Option<String>,
}

/// The books in the folders of a folder that is not a book itself: one for each language, or
/// several.
fn books(evidence: &Evidence<'_>) -> Vec<Book> {
    if evidence.file(CONFIG[0]).is_some() {
        return Vec::new();
    }
    let folders = evidence.folders("").into_iter();
    let found = folders.filter_map(|folder| {
        let file = evidence.file(&inside(folder, CONFIG[0]))?;
        let (front, ..) = read(file);
        let (content, summary) = summary(evidence, folder, front.text(&["book.src"]))?;
        Some(Book {
            folder: folder.to_owned(),
            title: front.text(&["book.title"]).and_then(order::title),
            content,
            summary,
            language: language::in_name(folder),
        })
    });
    let mut books: Vec<Book> = found.collect();
    if books.len() == 1 {
        books.retain(|book| book.language.is_some());
    }
    books
}

/// The prefixes of hidden lines in each language.
fn hidden_lines(front: &Front) -> Vec<(String, String)> {
    let named = front.first(&["output.html.code.hidelines"]);
    let named = named.map_or(&[][..], |named| named.node.entries());
    let pairs = named.iter().filter_map(|entry| {
        let prefix = entry.node.text()?;
        Some((entry.key.text.clone(), prefix.to_owned()))
    });
    pairs.collect()
}

/// The chapters of all books; those of a language at `/{language}/`, others below their folder.
fn settle(evidence: &Evidence<'_>, config: &mut Config, front: &Front) {
    config.hidden_lines = Some(hidden_lines(front));
    let own = config.folder().to_owned();
    if own.is_empty() {
        return;
    }
    let books = books(evidence);
    let are_languages = books.iter().all(|book| book.language.is_some());
    for book in books {
        if let Some(tag) = book.language.filter(|_| are_languages) {
            config.locales.push(Locale {
                name: book.folder.clone(),
                tag,
            });
        }
        if book.folder == own {
            config.content = Some(book.content);
            continue;
        }
        config.mounts.push(Mount {
            folder: book.content,
            at: book.folder.clone(),
            within: Some(book.folder),
            ..Mount::default()
        });
    }
    if are_languages {
        config.default_language = Some(own.to_lowercase());
        config.say_languages();
    }
}

/// The chapters that `SUMMARY.md` lists, and everything in its folder that is not a text.
fn scope(project: &Project<'_>) -> Scope {
    if !project.config.folder().is_empty() {
        return scope_of_several(project);
    }
    let named = project.front.text(&["book.src"]);
    let Some((folder, summary)) = summary(project.evidence, "", named) else {
        return Scope::new(vec![project.folder(&["book.src"], "src")], &[]);
    };
    let listed = project.chapters(&folder, summary);
    Scope {
        listed: Some(listed),
        ..Scope::new(vec![folder], &[])
    }
}

/// The same of several books.
fn scope_of_several(project: &Project<'_>) -> Scope {
    let books = books(project.evidence);
    let mut scope = Scope::new(books.iter().map(|book| book.content.clone()).collect(), &[]);
    for book in books {
        let mut more = project.chapters(&book.content, book.summary);
        if let Some(listed) = &mut scope.listed {
            listed.by = "SUMMARY.md".to_owned();
            listed.texts.append(&mut more.texts);
        } else {
            scope.listed = Some(more);
        }
    }
    scope
}

/// The list of chapters; of several books one after another, each below its title.
fn order(ask: &Ask<'_, '_>) -> Option<Outline> {
    let books = books(ask.evidence);
    let Some(first) = books.first() else {
        return chapters::summary(ask);
    };
    let are_languages = books.iter().all(|book| book.language.is_some());
    let mut items = Vec::new();
    for book in &books {
        let chapters = chapters::list(ask, &book.summary, 1).map(|outline| outline.items);
        match are_languages {
            true => items.extend(chapters.into_iter().flatten()),
            false => items.extend(chapters.map(|items| Item {
                title: book.title.clone().or_else(|| order::title(&book.folder)),
                items,
                file: book.summary.as_str().into(),
                ..Item::default()
            })),
        }
    }
    Outline::new(&first.summary, "list", order::Weight::Navigation, items)
}
