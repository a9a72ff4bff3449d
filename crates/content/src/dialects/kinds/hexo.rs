//! A Hexo site: tags of Hexo itself and of its usual themes, content in `source/`.

use crate::dialects::config::{Config, Glob, Keys, MOST_EXCLUDED, Needs, Patterns, PostNames};
use crate::dialects::dialect::{COMMON, CodeTags, Dialect, Owner};
use crate::dialects::evidence::Evidence;
use crate::dialects::heading_ids;
use crate::dialects::markup::address;
use crate::dialects::order::data;
use crate::dialects::scope::{Project, Scope};
use crate::dialects::tags::{Call, Piece};
use crate::dialects::template_names::{TemplateLanguage, TemplateNames};
use crate::model::document::{POST, callout_kind};
use crate::model::path::{inside, inside_or_folder, is_at_or_below, split_name};
use crate::model::problem::Problem;
use crate::model::text::{one_line, shorten};
use crate::syntax::front::Front;

const FILES: &[&str] = &["_config.yml", "_config.yaml"];

pub(super) static DIALECT: Dialect = Dialect {
    name: "hexo",
    recognise,
    roots: &["source"],
    outputs: &["public"],
    machinery: &["scaffolds", "themes"],
    scope,
    owns_files: Owner::PostOfItsName,
    settle,
    keys: Keys {
        files: FILES,
        base: &["root"],
        content: &["source_dir"],
        usual: Some("source"),
        permalink: &["permalink"],
        exclude: &["ignore"],
        patterns: Patterns::Rooted,
        zone: &["timezone"],
        more: encrypted,
        ..Keys::NONE
    },
    addresses: Some("/:year/:month/:day/:title/"),
    only_posts_have_patterns: true,
    shows,
    opens,
    tags: &[
        (&["asset_img"], asset_img),
        (&["img"], img),
        (&["asset_link"], asset_link),
        (&["link"], link),
        (&["btn", "button"], button),
        (&["post_path"], post_path),
        (&["label"], label),
        (
            &["u", "emp", "wavy", "del", "kbd", "psw", "sup", "sub", "s"],
            |call| Piece::words(call.text),
        ),
        (&["p", "span", "checkbox", "radio"], |call| {
            Piece::words(by_comma(call).last()?)
        }),
        (&["folding", "hideToggle", "hideBlock", "fold"], folding),
        (&["note", "subnote"], note),
        (&["blockquote", "quote"], quotation),
        (&["cq", "centerquote", "pullquote"], |call| {
            if call.paired {
                Piece::open("quote", "", None)
            } else {
                None
            }
        }),
        (
            &[
                "endhideToggle",
                "endhideBlock",
                "endblockquote",
                "endquote",
                "endcq",
                "endcenterquote",
                "endpullquote",
            ],
            end,
        ),
    ],
    ignores_status: true,
    liquid: true,
    code_tags: CodeTags::InBlocks,
    titled_code: true,
    tags_off: &[("disableNunjucks", "true")],
    order: &[data::sections],
    heading_ids: Some(heading_ids::HEXO),
    ..COMMON
};

fn recognise(evidence: &Evidence<'_>) -> Option<String> {
    let config = evidence.first(&["_config.yml", "_config.yaml", "_config.toml"])?;
    (evidence.folder("source/_posts") || evidence.folder("scaffolds"))
        .then(|| format!("{config} and `source/`"))
}

/// What its templates name beside front matter: the properties of a post, and functions of Nunjucks.
/// The configuration, the theme and other posts have no name there.
static TEMPLATE_NAMES: TemplateNames = TemplateNames {
    of_site: &[],
    objects: &[
        "_content",
        "_id",
        "asset_dir",
        "categories",
        "comments",
        "content",
        "cycler",
        "date",
        "engine",
        "excerpt",
        "full_source",
        "id",
        "joiner",
        "lang",
        "language",
        "layout",
        "link",
        "loop",
        "more",
        "next",
        "path",
        "permalink",
        "photos",
        "prev",
        "published",
        "range",
        "raw",
        "slug",
        "source",
        "tags",
        "title",
        "updated",
    ],
    language: TemplateLanguage::Nunjucks,
    of_page: None,
};

/// Octopress has the same folders, but templates of Liquid with the names of Jekyll, and patterns that
/// fit folders.
fn settle(evidence: &Evidence<'_>, config: &mut Config, front: &Front) {
    let at = |name| inside_or_folder(config.folder(), name);
    let is_hexo =
        evidence.folder(&at("scaffolds")) || evidence.says(&at("package.json"), &["\"hexo\""]);
    let mut keys = Keys {
        exclude: &["exclude", "skip_render"],
        patterns: Patterns::Rooted,
        ..Keys::NONE
    };
    if is_hexo {
        config.template_names = Some(&TEMPLATE_NAMES);
        config.hides_undecided = true;
        keys.patterns = Patterns::Paths;
        config.included = included(config, front);
        config.open.clear();
    }
    config.excluded(front, &keys);
    config.post_names = Some(PostNames::from_config(front));
}

/// The patterns of `include`, which are below the content.
fn included(config: &Config, front: &Front) -> Vec<Glob> {
    let content = config.content.as_deref().unwrap_or_default();
    let patterns = front.texts("include").take(MOST_EXCLUDED);
    let globs = patterns.flat_map(|pattern| Glob::parse_paths(content, pattern));
    globs.collect()
}

/// What is published. With a folder for the files of each post, a text with another ending than new
/// posts have is a file, and one outside of such folders does not belong to a post.
fn scope(project: &Project<'_>) -> Scope {
    let content = project.folder(&["source_dir"], "source");
    let posts = inside(&content, "_posts");
    let mut scope = Scope::new(vec![content], &[]);
    if project.front.bool(&["post_asset_folder"]) == Some(true) {
        let name = project.front.text(&["new_post_name"]);
        let (_, ending) = name
            .and_then(|name| name.rsplit_once('.'))
            .unwrap_or(("", "md"));
        let texts = Glob::parse_paths(&posts, "*");
        let of_posts = Glob::parse_paths(&posts, &format!("*.{ending}"));
        let of_posts = of_posts.into_iter().map(Glob::negate);
        scope.excluded_texts = texts.into_iter().chain(of_posts).collect();
    }
    scope
}

/// Whether `include` names a file. It is for pages and files alone, not for posts.
fn shows(config: &Config, path: &str) -> bool {
    let content = config.content.as_deref().unwrap_or_default();
    !is_at_or_below(path, &inside(content, "_posts"))
        && config.included.iter().any(|glob| glob.fits(path))
}

/// Posts are in one folder of the content, and no other folder whose name begins with `_` is read.
fn opens(config: &Config, path: &str) -> bool {
    let (above, name) = split_name(path);
    let content = config.content.as_deref().unwrap_or_default();
    config.includes(name) || name == "_posts" && above == content
}

/// `encrypt: {tags: [{name: secret, password: abc}]}` of the plug-in `hexo-blog-encrypt`.
fn encrypted(config: &mut Config, front: &Front) {
    let tags = front.items("encrypt.tags");
    let place = tags.first().map_or((0, 0), |tag| (tag.line, tag.column));
    if config.is_too_long("encrypt.tags", tags.len(), place) {
        return;
    }
    for tag in tags {
        let text = |key: &str| tag.get(key).and_then(|entry| entry.node.text());
        if let Some(name) = text("name").filter(|_| text("password").is_some()) {
            let problem = are_withheld(name).at(&*config.file, tag.line, tag.column);
            let needs = Needs {
                keys: ["tags", "tag"].map(str::to_owned).to_vec(),
                value: Some(name.to_owned()),
            };
            config.protect(Some(needs), problem);
        }
    }
}

fn are_withheld(tag: &str) -> Problem {
    let tag = shorten(&one_line(tag), 60);
    let message = format!(
        "texts with the tag `{tag}` are withheld, because `encrypt.tags` protects them with a password"
    );
    let hint = "to publish one, write `password: \"\"` in its front matter";
    Problem::warning(message).hint(hint)
}

/// Arguments that a theme separates by commas.
fn by_comma<'a>(call: &Call<'a>) -> Vec<&'a str> {
    call.text
        .split(',')
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .collect()
}

/// `{% asset_img [class] file [width] [height] alternative text %}`
fn asset_img(call: &Call<'_>) -> Option<Piece> {
    let (source, words) = picture(call)?;
    Some(Piece::Image {
        source,
        alt: words.join(" "),
        caption: None,
    })
}

/// `{% img [class] /file [width] [height] "title" "alternative text" %}`
fn img(call: &Call<'_>) -> Option<Piece> {
    let (source, words) = picture(call)?;
    let alt = words.last().copied().unwrap_or_default();
    Some(Piece::Image {
        source,
        alt: alt.to_owned(),
        caption: None,
    })
}

/// The file of a picture, and the words after its size.
fn picture<'c>(call: &'c Call<'_>) -> Option<(String, &'c [&'c str])> {
    let words = &call.arguments.positional;
    let at = words.iter().position(|word| word.contains(['/', '.']))?;
    let mut rest = &words[at + 1..];
    while let [size, behind @ ..] = rest
        && size.bytes().all(|byte| byte.is_ascii_digit())
    {
        rest = behind;
    }
    Some((address(words[at]), rest))
}

/// A link whose text defaults to its address.
fn link_with(address: &str, text: &str) -> Option<Piece> {
    Piece::link(address, if text.is_empty() { address } else { text })
}

/// `{% asset_link file words %}`
fn asset_link(call: &Call<'_>) -> Option<Piece> {
    let (file, words) = call.arguments.positional.split_first()?;
    link_with(file, &words.join(" "))
}

/// `{% link words https://… %}`, `{% link words, https://… %}`
fn link(call: &Call<'_>) -> Option<Piece> {
    if let [text, address, ..] = call.arguments.positional[..]
        && address.starts_with("http")
    {
        return link_with(address, text);
    }
    if !call.text.contains(',') || call.text.contains(".md") {
        return None;
    }
    let parts = by_comma(call);
    let at = parts
        .iter()
        .position(|part| part.starts_with("http") || part.starts_with('/'))?;
    Piece::link(parts[at], parts[0])
}

/// `{% btn https://…, words, icon %}`
fn button(call: &Call<'_>) -> Option<Piece> {
    if !call.text.contains(',') || call.text.contains(['"', '\'', '=']) {
        return None;
    }
    let parts = by_comma(call);
    let address = *parts.first()?;
    Piece::link(address, parts.get(1).unwrap_or(&address))
}

/// `{% post_path name %}`
fn post_path(call: &Call<'_>) -> Option<Piece> {
    Some(Piece::Text(format!(
        "{POST}{}",
        address(call.arguments.first()?)
    )))
}

/// `{% label primary @words %}`
fn label(call: &Call<'_>) -> Option<Piece> {
    let (_, text) = call.text.split_once('@')?;
    Piece::words(text.trim())
}

/// `{% folding green, Title %}`, `{% fold info @Title %}`
fn folding(call: &Call<'_>) -> Option<Piece> {
    let (_, title) = call
        .text
        .split_once('@')
        .or(call.text.rsplit_once(','))
        .unwrap_or(("", call.text));
    let title = title.trim();
    if call.paired {
        Piece::open("details", title, Some(false))
    } else {
        Some(Piece::Label(title.to_owned()))
    }
}

/// `{% note success flat Title %}`
fn note(call: &Call<'_>) -> Option<Piece> {
    const LOOKS: [&str; 5] = ["simple", "modern", "flat", "disabled", "no-icon"];
    if !call.paired || !call.arguments.named.is_empty() {
        return None;
    }
    let mut words = call.arguments.positional.clone();
    words.retain(|word| !LOOKS.contains(word) && !word.starts_with("fa"));
    let mut kind = "note";
    if let [first, ..] = words[..]
        && let Some(named) = callout_kind(first)
    {
        kind = named;
        words.remove(0);
    }
    Piece::open(kind, &words.join(" "), None)
}

/// `{% blockquote An Author, Work https://… %}`
fn quotation(call: &Call<'_>) -> Option<Piece> {
    if !call.paired {
        return None;
    }
    let (before_address, _) = call.text.split_once(" http").unwrap_or((call.text, ""));
    let by = call
        .arguments
        .named(&["author", "by", "source"])
        .unwrap_or(before_address);
    Piece::open("quote", by.trim(), None)
}

fn end(call: &Call<'_>) -> Option<Piece> {
    call.paired.then_some(Piece::Close)
}

#[cfg(test)]
mod tests {
    use crate::dialects::{Evidence, Files, Kind, Named, translate};
    use crate::syntax::front::Front;

    #[test]
    fn rule_12_tags_of_hexo_and_its_themes() {
        let check = |text: &str, expected: &str| {
            let kind = Kind::detect(&Evidence::default(), Some("hexo"));
            let files = Files::new("a.md", &|_| Named::Missing);
            assert_eq!(
                translate(text, false, false, &kind, &Front::default(), &files).text,
                expected,
                "{text}"
            );
        };
        check(
            "{% asset_img x.png An alt %} {% img left /y.png 10 20 \"T\" \"A\" %}",
            "![An alt](x.png) ![A](/y.png)",
        );
        check(
            "{% asset_link x.pdf The file %} {% link Text https://e.org %}",
            "[The file](x.pdf) [Text](https://e.org)",
        );
        check(
            "{% btn https://e.org, Go there, home %} {% label primary @text here %}",
            "[Go there](https://e.org) text here",
        );
        check(
            "{% u under %} {% p center, Words %} {% checkbox checked, Task %}",
            "under Words Task",
        );
        check(
            "{% note success flat %}a{% endnote %}",
            "> [!success]\n>\n> a\n",
        );
        check(
            "{% folding green, Title %}\na\n{% endfolding %}",
            "> [!details]- Title\n>\n> a\n",
        );
        check(
            "{% hideToggle Title %}\na\n{% endhideToggle %}",
            "> [!details]- Title\n>\n> a\n",
        );
        check(
            "{% blockquote An Author, Work %}\na\n{% endblockquote %}",
            "> [!quote] An Author, Work\n>\n> a\n",
        );
    }
}
