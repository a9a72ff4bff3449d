//! A Zola site.

use crate::dialects::config::Keys;
use crate::dialects::tags::shared;
use crate::dialects::{Arguments, COMMON, Call, Dialect, Form, Piece, image};
use crate::syntax::front::Front;

pub(super) static DIALECT: Dialect = Dialect {
    name: "zola",
    recognise: |evidence| {
        evidence
            .first(&["config.toml", "zola.toml"])
            .filter(|_| evidence.opens_with_plus("content"))
            .map(|config| format!("{config} and `+++` in `content/`"))
    },
    roots: &["content"],
    outputs: &["public"],
    machinery: &["templates", "themes", "sass"],
    keys: Keys {
        files: &["zola.toml", "config.toml"],
        author: &["author", "extra.author"],
        language: &["default_language"],
        address: &["base_url"],
        exclude: &["ignored_content"],
        ..Keys::NONE
    },
    addresses: Some("/:path/"),
    replace,
    ..COMMON
};

/// `{{ name(key="value") }}`: a shortcode that is written like a function.
fn replace(call: &Call<'_>, _front: &Front) -> Option<Piece> {
    if call.form != Form::Output {
        return None;
    }
    let (name, arguments) = call.arguments.trim().strip_suffix(')')?.split_once('(')?;
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'));
    match name {
        _ if !is_name => None,
        "figure" | "img" | "image" | "picture" => image(name, &Arguments::of(arguments)),
        _ => shared::replace(&Call { form: Form::Shortcode, name, arguments, paired: false }),
    }
}

#[cfg(test)]
mod tests {
    use crate::dialects::{Evidence, Files, Kind, Named, translate};
    use crate::syntax::front::Front;

    #[test]
    fn rule_12_tags_of_zola_are_written_like_functions() {
        let check = |text: &str, expected: &str| {
            let kind = Kind::of(&Evidence::default(), Some("zola"));
            let files = Files { path: "a.md", read: &|_| Named::Missing };
            assert_eq!(translate(text, false, false, &kind, &Front::default(), &files).text, expected, "{text}");
        };
        check("{{ figure(src=\"a.png\", alt=\"An alt\") }}", "![An alt](a.png)");
        check("{{ vimeo(id=\"1\") }}", "<iframe src=\"https://player.vimeo.com/video/1\" title=\"Video on Vimeo\"></iframe>");
        check("{% note(title=\"Own\") %}\na\n{% end %}", "> [!note] Own\n>\n> a\n");
        check("{% warning() %}\na\n\n{% tip() %}b{% end %}\n{% end %}", "> [!warning]\n>\n> a\n>\n> > [!tip]\n> >\n> > b\n>\n");
        check("{% quote(author=\"Someone\") %}\na\n{% end %}", "> [!quote] Someone\n>\n> a\n");
        check("{% mystery(x=1) %}a{% end %} {{ mystery() }} {{ a.b(1) }} {{ ref(\"m\") }}", "a   ");
        check("{% if x %}a{% end %}", "a");
    }
}
