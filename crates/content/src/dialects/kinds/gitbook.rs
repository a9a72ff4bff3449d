//! A GitBook: `SUMMARY.md`, `.gitbook.yaml`, blocks in `{% %}`.

use crate::dialects::config::Keys;
use crate::dialects::dialect::{COMMON, Dialect};
use crate::dialects::evidence::Evidence;
use crate::dialects::redirects::{Notation, Table, Written};
use crate::dialects::scope::{Project, Scope, join};

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
    let summary = join(
        &root,
        summary.unwrap_or("SUMMARY.md").trim_start_matches("./"),
    );
    let readme = project.front.text(&["structure.readme"]);
    let readme = join(
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
