//! A Hexo site: Jekyll's tags and Nunjucks', content in `source/`.

use crate::dialects::config::Keys;
use crate::dialects::tags::callout;
use crate::dialects::{Arguments, COMMON, Call, Dialect, Evidence, Form, Piece, address};
use crate::model::document::{POST, callout_kind};
use crate::syntax::front::Front;

pub(super) static DIALECT: Dialect = Dialect {
    name: "hexo",
    recognise,
    roots: &["source"],
    outputs: &["public"],
    machinery: &["scaffolds", "themes"],
    keys: Keys {
        files: &["_config.yml", "_config.yaml"],
        base: &["root"],
        content: &["source_dir"],
        usual: Some("source"),
        permalink: &["permalink"],
        exclude: &["exclude", "skip_render"],
        ..Keys::NONE
    },
    addresses: Some("/:year/:month/:day/:title/"),
    replace,
    ..COMMON
};

fn recognise(evidence: &Evidence<'_>) -> Option<String> {
    let config = evidence.first(&["_config.yml", "_config.yaml", "_config.toml"])?;
    (evidence.folder("source/_posts") || evidence.folder("scaffolds")).then(|| format!("{config} and `source/`"))
}

/// The tags of Hexo itself and of its usual themes, which take their arguments by place, and apart by commas where the theme wants it so.
fn replace(call: &Call<'_>, _front: &Front) -> Option<Piece> {
    if call.form != Form::Tag {
        return None;
    }
    let arguments = Arguments::of(call.arguments);
    let words = &arguments.positional;
    let by_comma = || call.arguments.split(',').map(str::trim).filter(|part| !part.is_empty());
    let behind = |count: usize| words.get(count..).unwrap_or_default().join(" ");
    let link = |address: &str, text: String| {
        let text = if text.is_empty() { address.to_owned() } else { text };
        Some(Piece::Link { address: address.to_owned(), text })
    };
    match call.name {
        "asset_img" | "img" => {
            let looks = |word: &&str| word.contains(['/', '.']);
            let at = words.iter().position(looks)?;
            let size = words[at + 1..].iter().take_while(|word| word.bytes().all(|byte| byte.is_ascii_digit())).count();
            let rest = &words[at + 1 + size..];
            // `img` has a title and a text in its place, `asset_img` words.
            let alt = if call.name == "img" { rest.last().copied().unwrap_or_default().to_owned() } else { rest.join(" ") };
            Some(Piece::Image { source: address(words[at]), alt, caption: None })
        }
        "asset_link" => link(words.first()?, behind(1)),
        "link" if words.get(1).is_some_and(|word| word.starts_with("http")) => link(words[1], words[0].to_owned()),
        "link" if call.arguments.contains(',') && !call.arguments.contains(".md") => {
            let parts: Vec<&str> = by_comma().collect();
            let at = parts.iter().position(|part| part.starts_with("http") || part.starts_with('/'))?;
            link(parts[at], parts.first().filter(|_| at > 0).map_or(String::new(), |text| (*text).to_owned()))
        }
        "btn" | "button" if call.arguments.contains(',') && !call.arguments.contains(['"', '\'', '=']) => {
            let mut parts = by_comma();
            link(parts.next()?, parts.next().unwrap_or_default().to_owned())
        }
        "post_path" => Some(Piece::Text(format!("{POST}{}", address(words.first()?)))),
        "label" if call.arguments.contains('@') => {
            let text = call.arguments.split_once('@').map_or(call.arguments, |(_, text)| text);
            Some(Piece::Text(crate::model::text::plain(text.trim())))
        }
        "u" | "emp" | "wavy" | "del" | "kbd" | "psw" | "sup" | "sub" | "s" => Some(Piece::Text(crate::model::text::plain(call.arguments))),
        "p" | "span" | "checkbox" | "radio" => Some(Piece::Text(crate::model::text::plain(by_comma().next_back()?))),
        "folding" | "hideToggle" | "hideBlock" | "fold" => {
            let title = call.arguments.split_once('@').map(|(_, title)| title).or_else(|| call.arguments.split(',').next_back());
            let title = title.unwrap_or_default().trim();
            Some(if call.paired { Piece::Open(callout::mark("details", title, Some(false))) } else { Piece::Label(title.to_owned()) })
        }
        "endhideToggle" | "endhideBlock" if call.paired => Some(Piece::Close),
        "note" | "subnote" if call.paired && arguments.all().next().is_none() => {
            const LOOKS: [&str; 5] = ["simple", "modern", "flat", "disabled", "no-icon"];
            let mut words = words.iter().filter(|word| !LOOKS.contains(word) && !word.starts_with("fa")).peekable();
            let kind = words.next_if(|word| callout_kind(word).is_some()).and_then(|word| callout_kind(word)).unwrap_or("note");
            let title = words.copied().collect::<Vec<_>>().join(" ");
            Some(Piece::Open(callout::mark(kind, &title, None)))
        }
        "blockquote" | "quote" if call.paired => {
            let by = arguments.named(&["author", "by", "source"]);
            let by = by.unwrap_or_else(|| call.arguments.split(" http").next().unwrap_or_default()).trim();
            Some(Piece::Open(callout::mark("quote", by, None)))
        }
        "cq" | "centerquote" | "pullquote" if call.paired => Some(Piece::Open(callout::mark("quote", "", None))),
        "endblockquote" | "endquote" | "endcq" | "endcenterquote" | "endpullquote" if call.paired => Some(Piece::Close),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::dialects::{Evidence, Files, Kind, Named, translate};
    use crate::syntax::front::Front;

    #[test]
    fn rule_12_tags_of_hexo_and_its_themes() {
        let check = |text: &str, expected: &str| {
            let kind = Kind::of(&Evidence::default(), Some("hexo"));
            let files = Files { path: "a.md", read: &|_| Named::Missing };
            assert_eq!(translate(text, false, false, &kind, &Front::default(), &files).text, expected, "{text}");
        };
        check("{% asset_img x.png An alt %} {% img left /y.png 10 20 \"T\" \"A\" %}", "![An alt](x.png) ![A](/y.png)");
        check("{% asset_link x.pdf The file %} {% link Text https://e.org %}", "[The file](x.pdf) [Text](https://e.org)");
        check("{% btn https://e.org, Go there, home %} {% label primary @text here %}", "[Go there](https://e.org) text here");
        check("{% u under %} {% p center, Words %} {% checkbox checked, Task %}", "under Words Task");
        check("{% note success flat %}a{% endnote %}", "> [!success]\n>\n> a\n");
        check("{% folding green, Title %}\na\n{% endfolding %}", "> [!details]- Title\n>\n> a\n");
        check("{% hideToggle Title %}\na\n{% endhideToggle %}", "> [!details]- Title\n>\n> a\n");
        check("{% blockquote An Author, Work %}\na\n{% endblockquote %}", "> [!quote] An Author, Work\n>\n> a\n");
    }
}
