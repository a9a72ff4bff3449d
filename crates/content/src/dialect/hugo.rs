//! A Hugo site: shortcodes in `{{< >}}`.

use super::{Arguments, COMMON, Call, Dialect, Evidence, Form, Piece, REF, Spelling, address, image};
use crate::config::Keys;
use crate::front::Front;

pub(super) static DIALECT: Dialect = Dialect {
    name: "hugo",
    recognise,
    roots: &["content"],
    outputs: &["public", "resources"],
    machinery: &["layouts", "themes", "archetypes", "i18n"],
    includes: Spelling::Shortcodes,
    replace,
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
    ..COMMON
};

fn recognise(evidence: &Evidence<'_>) -> Option<String> {
    let named = evidence.first(&["hugo.toml", "hugo.yaml", "hugo.yml", "hugo.json", "config/_default/hugo.toml", "config/_default/config.toml"]);
    let old =
        || evidence.first(&["config.toml", "config.yaml", "config.yml"]).filter(|_| evidence.folder("archetypes") || evidence.folder("layouts"));
    named.or_else(old)
}

fn replace(call: &Call<'_>, front: &Front) -> Option<Piece> {
    if call.form != Form::Shortcode {
        return None;
    }
    let arguments = Arguments::of(call.arguments);
    match call.name {
        "figure" | "img" | "image" | "picture" => image(call.name, &arguments),
        "param" | "_param" => {
            let name = arguments.positional.first().copied()?;
            let text = front.text(&["params", name]).or_else(|| front.text(&[name]))?;
            Some(Piece::Text(crate::text::plain(text)))
        }
        "ref" | "relref" => {
            let target = arguments.named(&["path"]).or(arguments.positional.first().copied())?;
            Some(Piece::Text(format!("{REF}{}", address(target))))
        }
        _ => None,
    }
}
