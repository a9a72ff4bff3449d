//! A Hugo site: shortcodes in `{{< >}}`.

use crate::dialects::config::Keys;
use crate::dialects::dialect::{COMMON, Dialect, Spelling};
use crate::dialects::evidence::Evidence;
use crate::dialects::markup::address;
use crate::dialects::tags::{Call, Piece};
use crate::model::document::REF;

pub(super) static DIALECT: Dialect = Dialect {
    name: "hugo",
    recognise,
    roots: &["content"],
    outputs: &["public", "resources"],
    machinery: &["layouts", "themes", "archetypes", "i18n"],
    keys: Keys {
        files: &[
            "hugo.toml",
            "hugo.yaml",
            "hugo.yml",
            "hugo.json",
            "config/_default/hugo.toml",
            "config/_default/hugo.yaml",
            "config/_default/config.toml",
            "config/_default/config.yaml",
            "config.toml",
            "config.yaml",
            "config.yml",
        ],
        description: &["params.description", "description"],
        author: &["params.author", "author"],
        language: &["defaultContentLanguage", "locale", "languageCode"],
        address: &["baseURL"],
        content: &["contentDir"],
        exclude: &["ignoreFiles"],
        regular: true,
        ..Keys::NONE
    },
    addresses: Some("/:path/"),
    includes: Spelling::Shortcodes,
    shortcodes: &[
        (&["figure", "img", "image", "picture"], Piece::picture),
        (&["param", "_param"], param),
        (&["ref", "relref"], reference),
    ],
    ..COMMON
};

fn recognise(evidence: &Evidence<'_>) -> Option<String> {
    let own = evidence.first(&[
        "hugo.toml",
        "hugo.yaml",
        "hugo.yml",
        "hugo.json",
        "config/_default/hugo.toml",
        "config/_default/config.toml",
    ]);
    if own.is_none() && (evidence.folder("archetypes") || evidence.folder("layouts")) {
        return evidence.first(&["config.toml", "config.yaml", "config.yml"]);
    }
    own
}

/// `{{< param color >}}`: a value from the page's front matter.
fn param(call: &Call<'_>) -> Option<Piece> {
    let name = call.arguments.first()?;
    Piece::words(call.front.text(&[&format!("params.{name}"), name])?)
}

/// `{{< ref "post.md" >}}`: the address of a page.
fn reference(call: &Call<'_>) -> Option<Piece> {
    let target = call.arguments.named(&["path"]).or(call.arguments.first())?;
    Some(Piece::Text(format!("{REF}{}", address(target))))
}

#[cfg(test)]
mod tests {
    use crate::dialects::{Evidence, Files, Kind, Named, translate};

    #[test]
    fn rule_12_params_of_a_page() {
        let front = crate::syntax::front::split(
            "---\ntitle: T\nparams: {color: green, deep: {er: blue}}\nsize: 3\n---\n",
            "a.md",
        )
        .front;
        let check = |text: &str, expected: &str| {
            let kind = Kind::of(&Evidence::default(), Some("hugo"));
            let files = Files {
                path: "a.md",
                read: &|_| Named::Missing,
            };
            assert_eq!(
                translate(text, false, false, &kind, &front, &files).text,
                expected,
                "{text}"
            );
        };
        check(
            "{{< param color >}} {{< param \"deep.er\" >}} {{% param size %}} {{< param none >}}.",
            "green blue 3 .",
        );
    }
}
