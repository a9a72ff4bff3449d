//! A Jekyll site: Liquid tags for links, posts and includes.

use crate::dialects::config::Keys;
use crate::dialects::tags::shared;
use crate::dialects::{Arguments, COMMON, Call, Dialect, Evidence, Form, Piece, address, image};
use crate::model::document::POST;
use crate::syntax::front::Front;

pub(super) static DIALECT: Dialect = Dialect {
    name: "jekyll",
    recognise,
    outputs: &["_site"],
    tags_by_space: true,
    replace,
    keys: Keys {
        files: &["_config.yml", "_config.yaml", "_config.toml"],
        description: &["description", "tagline"],
        base: &["baseurl"],
        permalink: &["permalink"],
        exclude: &["exclude"],
        content: &["source"],
        ..Keys::NONE
    },
    ..COMMON
};

fn recognise(evidence: &Evidence<'_>) -> Option<String> {
    evidence.first(&["_config.yml", "_config.yaml", "_config.toml"]).or_else(|| evidence.folder("_posts").then(|| "`_posts/`".to_owned()))
}

fn replace(call: &Call<'_>, _front: &Front) -> Option<Piece> {
    if call.form != Form::Tag {
        return None;
    }
    match call.name {
        "link" => Some(Piece::Text(format!("/{}", address(call.arguments.trim_matches(['"', '\'']).trim_start_matches('/'))))),
        "post_url" => Some(Piece::Text(format!("{POST}{}", address(call.arguments.trim_matches(['"', '\'']))))),
        "post_link" => {
            let arguments = Arguments::of(call.arguments);
            let name = arguments.positional.first()?;
            Some(Piece::Link { address: format!("{POST}{name}"), text: arguments.positional.get(1).unwrap_or(name).to_string() })
        }
        "include" | "include_relative" | "include_cached" => {
            let arguments = Arguments::of(call.arguments);
            let file = arguments.positional.first()?.to_ascii_lowercase();
            let pictures = ["figure", "image", "img", "picture", "photo"].iter().any(|word| file.contains(word));
            let named = arguments.named(&["src", "path", "url", "image_path", "image", "file"]).is_some();
            if pictures && named {
                return image(call.name, &arguments);
            }
            // `youtube.html`, `embed/youtube.html`, `note.html`: as the tag of that name.
            let name = file.rsplit('/').next().unwrap_or(&file);
            let name = name.split('.').next().unwrap_or(name);
            let rest = call.arguments.trim_start().split_once(char::is_whitespace).map_or("", |(_, rest)| rest);
            let player = arguments.named(&["provider"]).filter(|_| name == "video");
            shared::replace(&Call { form: Form::Tag, name: player.unwrap_or(name), arguments: rest, paired: false })
        }
        _ => None,
    }
}
