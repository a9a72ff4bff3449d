//! A GitBook: `SUMMARY.md`, `.gitbook.yaml`, blocks in `{% %}`.

use crate::dialects::config::Keys;
use crate::dialects::dialect::{COMMON, Dialect};
use crate::dialects::evidence::Evidence;
use crate::dialects::redirects::{Notation, Table, Written};
use crate::dialects::scope::{Project, Scope};
use crate::dialects::tags::{Call, Piece};
use crate::model::path::inside_or_folder;

const CONFIG: &[&str] = &[".gitbook.yaml", ".gitbook.yml", "book.json"];
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
    keys: Keys {
        files: CONFIG,
        content: &["root"],
        ..Keys::NONE
    },
    redirects: &[
        Written {
            file: ".gitbook.yaml",
            notation: Notation::Table(Table::of("redirects")),
        },
        Written {
            file: ".gitbook.yml",
            notation: Notation::Table(Table::of("redirects")),
        },
    ],
    addresses: Some("/:path"),
    readme_is_index: true,
    readme_is_home: true,
    public_hidden: Some(".gitbook/assets"),
    ignores_status: true,
    liquid: true,
    titles_links: true,
    tags: &[
        (&["content-ref"], reference),
        (&["file"], file),
        (&["updates"], |_| Some(Piece::Break)),
        (&["update"], |call| {
            let date = call.arguments.named(&["date"])?;
            Some(Piece::Label(date.to_owned()))
        }),
        (&["swagger"], operation),
        (&["swagger-description"], |_| Some(Piece::Break)),
        (&["swagger-parameter"], parameter),
        (&["swagger-response"], response),
    ],
    ..COMMON
};

fn recognise(evidence: &Evidence<'_>) -> Option<String> {
    if let Some(own) = evidence.first(&CONFIG[..2]) {
        return Some(own);
    }
    let summary = evidence.first(&["SUMMARY.md"])?;
    if let Some(book) = evidence.first(&["book.json"]) {
        return Some(format!("{book} and {summary}"));
    }
    let blocks = evidence.first(&["README.md"]).is_some() && evidence.some_text_has(&BLOCKS);
    blocks.then(|| format!("{summary} and `{{% %}}` blocks of GitBook"))
}

/// The pages that `SUMMARY.md` lists, below `root`; without one, all of them.
fn scope(project: &Project<'_>) -> Scope {
    let root = project.folder(&["root"], "");
    let summary = project.front.text(&["structure.summary"]);
    let summary = inside_or_folder(
        &root,
        summary.unwrap_or("SUMMARY.md").trim_start_matches("./"),
    );
    let readme = project.front.text(&["structure.readme"]);
    let readme = inside_or_folder(
        &root,
        readme.unwrap_or("README.md").trim_start_matches("./"),
    );
    let mut scope = Scope::of(vec![root.clone()], &[]);
    if project.evidence.file(&summary).is_some() {
        let mut listed = project.chapters(&root, summary);
        listed.texts.insert(readme);
        scope.listed = Some(listed);
    }
    scope
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
    let name = source.rsplit('/').next().unwrap_or(source);
    Piece::link(source, &name.replace("%20", " "))
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
