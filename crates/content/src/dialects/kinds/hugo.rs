//! A Hugo site: shortcodes in `{{< >}}`.

use crate::dialects::config::Keys;
use crate::dialects::{Arguments, COMMON, Call, Dialect, Evidence, Form, Piece, Spelling, address, image};
use crate::model::document::REF;
use crate::syntax::front::Front;

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
            let text = front.text(&[&format!("params.{name}"), name])?;
            Some(Piece::Text(crate::model::text::plain(text)))
        }
        "ref" | "relref" => {
            let target = arguments.named(&["path"]).or(arguments.positional.first().copied())?;
            Some(Piece::Text(format!("{REF}{}", address(target))))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::dialects::{Evidence, Files, Kind, Named, translate};

    #[test]
    fn rule_12_params_of_a_page() {
        let front = crate::syntax::front::split("---\ntitle: T\nparams: {color: green, deep: {er: blue}}\nsize: 3\n---\n", "a.md").front;
        let check = |text: &str, expected: &str| {
            let kind = Kind::of(&Evidence::default(), Some("hugo"));
            let files = Files { path: "a.md", read: &|_| Named::Missing };
            assert_eq!(translate(text, false, false, &kind, &front, &files).text, expected, "{text}");
        };
        check("{{< param color >}} {{< param \"deep.er\" >}} {{% param size %}} {{< param none >}}.", "green blue 3 .");
    }
}
