//! A GitBook: `SUMMARY.md`, `.gitbook.yaml`, blocks in `{% %}`; or several, each in a folder.

mod legacy;
mod templates;

use self::legacy::Book;
use crate::dialects::config::{Config, Keys, Mount, SiteValue, open};
use crate::dialects::dialect::{COMMON, Dialect};
use crate::dialects::evidence::Evidence;
use crate::dialects::heading_ids;
use crate::dialects::order::{self, Ask, Item, Outline, To, Weight, chapters};
use crate::dialects::redirects::{Notation, PartRedirectFile, RedirectFile, Table};
use crate::dialects::scope::{Listed, Project, Scope};
use crate::dialects::tags::{Call, Piece};
use crate::model::path::{inside, inside_or_folder, join, name};
use crate::model::text::decode;
use crate::syntax::front::{Front, Node, split};

const MODERN: [&str; 2] = [".gitbook.yaml", ".gitbook.yml"];
const CONFIG: &[&str] = &[MODERN[0], MODERN[1], "book.json"];
/// The structure of a site of several spaces.
const SITE: &[&str] = &["gitbook-docs.yaml", "docs.yaml", "docs.yml"];
/// The values that expressions of all texts may name, in the folder of the texts.
const VARIABLES: &str = ".gitbook/vars.yaml";
/// The most of them.
const MOST_VALUES: usize = 2000;
/// The most spaces of a site.
const MOST_SPACES: usize = 500;
/// How deep the structure of a site is read.
const DEEPEST: usize = 8;
/// The keys of a README that do not hide it.
const HARMLESS: [&str; 7] = [
    "description",
    "icon",
    "cover",
    "coverY",
    "layout",
    "title",
    "tags",
];
/// Blocks that no other generator has.
const BLOCKS: [&str; 4] = [
    "{% hint style=",
    "{% content-ref ",
    "{% endcontent-ref",
    "{% stepper",
];

pub(super) static DIALECT: Dialect = Dialect {
    name: "gitbook",
    recognise,
    scope,
    reads: &["md", "markdown"],
    outputs: &["_book"],
    opens_underscored: true,
    keys: Keys {
        files: CONFIG,
        content: &["root"],
        ..Keys::NONE
    },
    redirects: &[
        RedirectFile {
            file: ".gitbook.yaml",
            notation: Notation::Table(Table::new("redirects")),
        },
        RedirectFile {
            file: ".gitbook.yml",
            notation: Notation::Table(Table::new("redirects")),
        },
    ],
    redirects_within,
    program,
    addresses: Some("/:path"),
    readme_is_index: true,
    readme_is_home: true,
    public_hidden: Some(".gitbook/assets"),
    ignores_status: true,
    liquid: true,
    editor_html: true,
    audience: Some("if"),
    folder_links_from_file: true,
    titles_links: true,
    heading_ids: Some(heading_ids::GITBOOK),
    summaries_have_ids: true,
    settle,
    order: &[order],
    order_files: lists,
    tags: &[
        (&["stepper"], |_| Some(Piece::Break)),
        (&["content-ref"], reference),
        (&["file"], file),
        (&["updates"], |_| Some(Piece::Break)),
        (&["update"], |call| {
            let date = call.arguments.named(&["date"])?;
            Some(Piece::Label(date.to_owned()))
        }),
        (&["swagger", "openapi", "openapi-operation"], operation),
        (&["swagger-description"], |_| Some(Piece::Break)),
        (&["swagger-parameter"], parameter),
        (&["swagger-response"], response),
    ],
    ..COMMON
};

fn recognise(evidence: &Evidence<'_>) -> Option<String> {
    if let Some(own) = evidence.first(&MODERN) {
        return Some(own);
    }
    if let Some(book) = Book::find(evidence) {
        return Some(book.evidence());
    }
    let spaces = spaces(evidence);
    if !spaces.is_empty() {
        let configured = spaces
            .iter()
            .filter_map(|space| space.configuration.as_deref());
        let mut files: Vec<String> = configured.map(|file| format!("`{file}`")).collect();
        files.extend(evidence.first(SITE));
        return Some(files.join(", "));
    }
    let summary = evidence.first(&["SUMMARY.md"])?;
    let blocks = evidence.first(&["README.md"]).is_some() && evidence.some_text_has(&BLOCKS);
    blocks.then(|| format!("{summary} and `{{% %}}` blocks of GitBook"))
}

/// The files of one space.
#[derive(Clone)]
struct Files {
    /// The folder of its texts.
    root: String,
    /// Its list of pages.
    summary: String,
    /// Its first page.
    readme: String,
    /// Its list of words, which only a book of its first version has.
    glossary: String,
}

impl Files {
    /// The files of the space in a folder, as its configuration names them.
    fn from_front(folder: &str, front: &Front) -> Self {
        let root = join(folder, front.text(&["root"]).unwrap_or_default());
        // One outside does not count.
        let root = root.unwrap_or_else(|| folder.to_owned());
        let named = |key: &str, usual: &str| {
            let name = front.text(&[key]).unwrap_or(usual);
            inside_or_folder(&root, name.trim_start_matches("./"))
        };
        Self {
            summary: named("structure.summary", "SUMMARY.md"),
            readme: named("structure.readme", "README.md"),
            glossary: named("structure.glossary", "GLOSSARY.md"),
            root,
        }
    }
}

/// One of several spaces.
struct Space {
    folder: String,
    title: Option<String>,
    files: Files,
    /// Its own configuration.
    configuration: Option<String>,
}

/// The spaces that the structure of the site lists, the default first; without one those in the
/// folders of a folder that is not a space itself, two or more.
fn spaces(evidence: &Evidence<'_>) -> Vec<Space> {
    let listed = listed_spaces(evidence);
    if !listed.is_empty() {
        let found = listed.into_iter().filter_map(|one| {
            let title = one.title.as_deref().and_then(order::title);
            space(evidence, &one.folder, title)
        });
        let has_texts = |space: &Space| evidence.holds_text(&space.files.root);
        return found.filter(has_texts).collect();
    }
    let has = |name: &str| evidence.file(name).is_some();
    if Book::find(evidence).is_some() || CONFIG.iter().any(|name| has(name)) || has("SUMMARY.md") {
        return Vec::new();
    }
    let folders = evidence.folders("").into_iter();
    let found = folders.filter_map(|folder| space(evidence, folder, None));
    let mut spaces: Vec<Space> = found.collect();
    spaces.retain(|space| {
        space.configuration.is_some() && evidence.file(&space.files.summary).is_some()
    });
    if spaces.len() < 2 {
        spaces.clear();
    }
    spaces
}

/// The space in a folder.
fn space(evidence: &Evidence<'_>, folder: &str, title: Option<String>) -> Option<Space> {
    let names = CONFIG.iter().map(|name| inside(folder, name));
    let configuration = names.into_iter().find(|path| evidence.file(path).is_some());
    let front = configuration
        .as_deref()
        .and_then(|path| open(evidence, &[path]))
        .map_or_else(Front::default, |(_, front)| front);
    let files = Files::from_front(folder, &front);
    Some(Space {
        folder: folder.to_owned(),
        title: title.or_else(|| heading(evidence, &files.readme)),
        files,
        configuration,
    })
}

/// A space as the structure of the site lists it.
struct ListedSpace {
    folder: String,
    title: Option<String>,
    is_default: bool,
}

/// The spaces in the structure of the site, the default first.
fn listed_spaces(evidence: &Evidence<'_>) -> Vec<ListedSpace> {
    let mut found = Vec::new();
    let site = open(evidence, SITE);
    if let Some(structure) = site
        .as_ref()
        .and_then(|(_, front)| front.get("site.structure"))
    {
        add_spaces(&structure.node, None, true, 0, &mut found);
    }
    // Those below the root keep their places in it.
    found.sort_by_key(|space| (!space.folder.is_empty(), !space.is_default));
    // One at the root alone is read as any other GitBook.
    if found.len() == 1 && found[0].folder.is_empty() {
        found.clear();
    }
    found
}

/// Adds the spaces of sections. The default space of a section has the title of the section.
fn add_spaces(
    items: &Node,
    section: Option<&str>,
    is_default: bool,
    depth: usize,
    found: &mut Vec<ListedSpace>,
) {
    for item in items.items() {
        let text = |key: &str| item.get(key).and_then(|entry| entry.node.text());
        let is_chosen = item.get("default").and_then(|entry| entry.node.bool()) == Some(true);
        let is_default = is_default && is_chosen;
        let content = item.get("content").map(|entry| &entry.node);
        let directory = content.and_then(|content| content.get("directory")?.node.text());
        let folder = directory.and_then(|directory| join("", directory));
        let is_new = |folder: &String| found.iter().all(|known| known.folder != *folder);
        if let Some(folder) = folder.filter(is_new)
            && found.len() < MOST_SPACES
        {
            let title = section.filter(|_| is_chosen).or_else(|| text("title"));
            found.push(ListedSpace {
                folder,
                title: title.map(str::to_owned),
                is_default,
            });
        }
        if let Some(children) = item.get("children").filter(|_| depth < DEEPEST) {
            let section = text("title").filter(|_| text("type") == Some("section"));
            add_spaces(&children.node, section, is_default, depth + 1, found);
        }
    }
}

/// The redirects of spaces below the root; those of the first, which is at the root of the site, too.
fn redirects_within(evidence: &Evidence<'_>) -> Vec<PartRedirectFile> {
    let spaces = spaces(evidence).into_iter().enumerate();
    let below_root = spaces.filter(|(_, space)| !space.folder.is_empty());
    let written = below_root.filter_map(|(number, space)| {
        Some(PartRedirectFile {
            file: space.configuration?,
            notation: Notation::Table(Table::new("redirects")),
            at: if number == 0 {
                String::new()
            } else {
                space.folder
            },
            root: space.files.root,
        })
    });
    written.collect()
}

/// Reads what a configuration that is a program says of the site.
fn program(evidence: &Evidence<'_>, config: &mut Config) {
    if let Some(book) = Book::find(evidence)
        && let Some(file) = book.program()
    {
        config.read_program(file, &book.front, &DIALECT.keys);
    }
}

/// The pages that `SUMMARY.md` lists, below `root`; without one, all of them.
fn scope(project: &Project<'_>) -> Scope {
    if let Some(book) = Book::find(project.evidence) {
        return book.scope(project);
    }
    let spaces = spaces(project.evidence);
    let Some(first) = spaces.first() else {
        return scope_of_one(project);
    };
    let by = name(&first.files.summary).to_owned();
    let mut scope = Scope::default();
    let mut listed = Listed {
        by,
        ..Listed::default()
    };
    for Space { files, .. } in spaces {
        if project.evidence.file(&files.summary).is_some() {
            let mut more = project.chapters(&files.root, files.summary);
            listed.texts.append(&mut more.texts);
        } else {
            let all = project.evidence.all_below(&files.root).iter();
            listed.texts.extend(all.map(|file| file.path.to_string()));
        }
        listed.texts.insert(files.readme);
        scope.content.push(files.root);
    }
    scope.listed = Some(listed);
    scope
}

fn scope_of_one(project: &Project<'_>) -> Scope {
    let files = Files::from_front("", &project.front);
    let mut scope = Scope::new(vec![files.root.clone()], &[]);
    if project.evidence.file(&files.summary).is_some() {
        let mut listed = project.chapters(&files.root, files.summary);
        listed.texts.insert(files.readme);
        scope.listed = Some(listed);
    }
    scope
}

/// The lists of pages, which the configuration may call anything.
fn lists(evidence: &Evidence<'_>) -> Vec<String> {
    if let Some(book) = Book::find(evidence) {
        let lists = book.lists().into_iter();
        return lists.map(|files| files.summary).collect();
    }
    let spaces = spaces(evidence);
    if spaces.is_empty() {
        return vec![only_list(evidence)];
    }
    let spaces = spaces.into_iter();
    spaces.map(|space| space.files.summary).collect()
}

/// The list of pages of a GitBook that is one space, at the root.
fn only_list(evidence: &Evidence<'_>) -> String {
    let configuration = open(evidence, CONFIG);
    let front = configuration.map_or_else(Front::default, |(_, front)| front);
    Files::from_front("", &front).summary
}

/// The list of pages; of several spaces one after another, each below its title.
fn order(ask: &Ask<'_, '_>) -> Option<Outline> {
    if let Some(book) = Book::find(ask.evidence) {
        return book.order(ask);
    }
    let spaces = spaces(ask.evidence);
    let first = match &spaces[..] {
        [] => return chapters::list(ask, &only_list(ask.evidence), 1),
        [space] => return chapters::list(ask, &space.files.summary, 1),
        [first, ..] => first,
    };
    let mut items = Vec::new();
    for space in &spaces {
        let list = chapters::list(ask, &space.files.summary, 1);
        items.push(Item {
            title: space.title.clone().or_else(|| order::title(&space.folder)),
            to: match &list {
                Some(_) => To::Nowhere,
                None => To::Folder(space.files.root.clone()),
            },
            items: list.map_or_else(Vec::new, |list| list.items),
            file: space.files.summary.as_str().into(),
            ..Item::default()
        });
    }
    Outline::new(&first.files.summary, "list", Weight::Navigation, items)
}

/// The first heading of a README.
fn heading(evidence: &Evidence<'_>, path: &str) -> Option<String> {
    // A list of the files that an order depends on has those of this name alone.
    if name(path) != "README.md" {
        return None;
    }
    let file = evidence.file(path)?;
    let (text, _) = decode(&file.bytes, path);
    let text = split(&text, path);
    let mut keys = text.front.entries.iter().map(|entry| &*entry.key.text);
    // One that may be hidden from readers names nothing.
    if !keys.all(|key| HARMLESS.contains(&key)) {
        return None;
    }
    let mut lines = text.body.lines();
    order::title(lines.find_map(|line| line.strip_prefix("# "))?)
}

/// The places of several spaces, of which the default is at the root; and the values that
/// expressions may name.
fn settle(evidence: &Evidence<'_>, config: &mut Config, _: &Front) {
    if let Some(book) = Book::find(evidence) {
        return book.settle(evidence, config);
    }
    let spaces = spaces(evidence);
    let is_one = spaces.len() < 2;
    let mut spaces = spaces.into_iter();
    if let Some(first) = spaces.next() {
        config.content = Some(first.files.root);
    }
    config.mounts.extend(spaces.map(|space| Mount {
        folder: space.files.root,
        at: space.folder.clone(),
        within: Some(space.folder),
        ..Mount::default()
    }));
    let content = config.content.as_deref().unwrap_or_default();
    let values = open(evidence, &[&inside(content, VARIABLES)]);
    // Those of several spaces may have the same names.
    let Some((_, front)) = values.filter(|_| is_one) else {
        return;
    };
    for entry in front.entries.iter().take(MOST_VALUES) {
        if let Some(text) = entry.node.text() {
            let name = format!("vars.{}", entry.key.text);
            config.values.insert(name, SiteValue::Text(text.to_owned()));
        }
    }
}

/// `{% content-ref url="x.md" %}` around a link, or alone.
fn reference(call: &Call<'_>) -> Option<Piece> {
    if call.paired {
        return Some(Piece::Break);
    }
    let to = call.arguments.named(&["url"])?;
    Piece::link(to, to)
}

/// `{% file src="a.pdf" %}`: a link to a file.
fn file(call: &Call<'_>) -> Option<Piece> {
    let source = call.arguments.named(&["src"])?;
    Piece::link(source, &name(source).replace("%20", " "))
}

/// `{% swagger method="get" path="/x" summary="Y" %}`
fn operation(call: &Call<'_>) -> Option<Piece> {
    let arguments = &call.arguments;
    let path = arguments.named(&["path"])?;
    let base = arguments.named(&["baseurl"]).unwrap_or_default();
    let method = arguments.named(&["method"]).unwrap_or_default();
    let mut pieces = vec![Piece::Label(format!(
        "{} {base}{path}",
        method.to_uppercase()
    ))];
    pieces.extend(arguments.named(&["summary"]).and_then(Piece::words));
    Some(Piece::Several(pieces))
}

/// `{% swagger-parameter in="path" name="id" type="String" required="true" %}`
fn parameter(call: &Call<'_>) -> Option<Piece> {
    let arguments = &call.arguments;
    let name = arguments.named(&["name"])?;
    let mut facts: Vec<&str> = [arguments.named(&["in"]), arguments.named(&["type"])]
        .into_iter()
        .flatten()
        .filter(|fact| !fact.is_empty())
        .collect();
    if arguments.named(&["required"]) == Some("true") {
        facts.push("required");
    }
    Some(Piece::Label(if facts.is_empty() {
        name.to_owned()
    } else {
        format!("{name} ({})", facts.join(", "))
    }))
}

/// `{% swagger-response status="200" description="Done" %}`
fn response(call: &Call<'_>) -> Option<Piece> {
    let arguments = &call.arguments;
    let status = arguments.named(&["status"])?;
    let text = arguments.named(&["description"]).unwrap_or_default();
    Some(Piece::Label(
        format!("{status} {text}").trim_end().to_owned(),
    ))
}
