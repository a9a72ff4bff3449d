//! A folder whose author tries to run scripts in readers' browsers: vectors in every field and in
//! every kind of file.

use std::fs;
use std::path::Path;

use super::vectors::{ADDRESSES, MARKDOWN, MARKUP};

/// What an injected script writes to the console when it runs.
pub const MARK: &str = "13371337";

/// What the theme's script writes to the console.
pub const THEME: &str = "the theme's script ran";

/// How many vectors one article holds. In the unsanitised `plain` folder each has its own article.
const TOGETHER: usize = 12;
/// Kinds other than `plain` get one in this many of the front-matter and whole-page vectors.
const SPARSE: usize = 12;

/// The kind of folder and its settings.
pub struct Author {
    /// The name of a dialect, or `html`: a folder of whole pages.
    pub kind: &'static str,
    /// Whether the settings sanitise raw HTML.
    pub sanitize: bool,
    /// Whether the owner's theme has a script.
    pub theme: bool,
    /// Whether the settings allow authors' scripts.
    pub trusted: bool,
}

impl Author {
    /// The name of the folder.
    pub fn name(&self) -> String {
        let flags = [
            (self.sanitize, "-sanitized"),
            (self.theme, "-theme"),
            (self.trusted, "-trusted"),
        ];
        flags
            .into_iter()
            .filter(|(is, _)| *is)
            .fold(self.kind.to_owned(), |name, (_, flag)| name + flag)
    }
}

/// A vector whose script reports that it runs.
pub fn armed(vector: &str) -> String {
    vector.replace("RUN", &format!("console.log({MARK})"))
}

/// Files that a browser could render or execute, by name.
pub const FILES: &[(&str, &str)] = &[
    (
        "x.svg",
        "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" onload=\"RUN\" width=\"20\" height=\"20\"><script>RUN</script>\
         <script href=\"x.js\"/><script xlink:href=\"/articles/assets/x.js\"/><foreignObject><body xmlns=\"http://www.w3.org/1999/xhtml\"><script>RUN</script>\
         <iframe src=\"javascript:RUN\"></iframe></body></foreignObject><animate onbegin=\"RUN\" attributeName=\"x\" dur=\"1s\"/><rect width=\"20\" height=\"20\"/></svg>",
    ),
    (
        "worker.svg",
        "<svg xmlns=\"http://www.w3.org/2000/svg\"><script>navigator.serviceWorker.register('/articles/assets/sw.js'); RUN</script></svg>",
    ),
    (
        "doctype.svg",
        "<!DOCTYPE svg [<!ENTITY x \"<script xmlns='http://www.w3.org/2000/svg'>RUN</script>\">]><svg xmlns=\"http://www.w3.org/2000/svg\">&x;</svg>",
    ),
    (
        "big.SVG",
        "<svg xmlns=\"http://www.w3.org/2000/svg\"><script>RUN</script></svg>",
    ),
    (
        "x.xml",
        "<html xmlns=\"http://www.w3.org/1999/xhtml\"><head><script>RUN</script><script src=\"x.js\"></script></head><body onload=\"RUN\"/></html>",
    ),
    (
        "svg.xml",
        "<?xml version=\"1.0\"?><x:svg xmlns:x=\"http://www.w3.org/2000/svg\"><x:script>RUN</x:script></x:svg>",
    ),
    (
        "style.xml",
        "<?xml version=\"1.0\"?><?xml-stylesheet type=\"text/xsl\" href=\"#s\"?><!DOCTYPE r [<!ATTLIST xsl:stylesheet id ID #IMPLIED>]><r>\
         <xsl:stylesheet id=\"s\" version=\"1.0\" xmlns:xsl=\"http://www.w3.org/1999/XSL/Transform\"><xsl:template match=\"/\"><html><body><script>RUN</script></body></html>\
         </xsl:template></xsl:stylesheet></r>",
    ),
    (
        "sw.js",
        "self.addEventListener('fetch', (event) => event.respondWith(new Response('<script>RUN</script>', { headers: { 'content-type': 'text/html' } }))); RUN",
    ),
    (
        "x.js",
        "RUN; document.body && (document.body.textContent = 'rewritten')",
    ),
    ("x.mjs", "RUN"),
    ("x.json", "{\"x\": \"<script>RUN</script>\"}"),
    ("x.txt", "<!doctype html><html><script>RUN</script></html>"),
    ("x.csv", "<html><script>RUN</script></html>"),
    ("x.png", "<html><script>RUN</script></html>"),
    ("x.gif", "GIF89a/*<html><script>RUN</script></html>*/=1;RUN"),
    (
        "x.ico",
        "<svg xmlns=\"http://www.w3.org/2000/svg\"><script>RUN</script></svg>",
    ),
    (
        "x.css",
        "@import url('https://style.canary.example/x.css'); p { background: url(javascript:RUN) }",
    ),
    (
        "x.vtt",
        "WEBVTT\n\n00:00.000 --> 00:01.000\n<script>RUN</script>\n",
    ),
    ("x.webmanifest", "{\"start_url\": \"javascript:RUN\"}"),
    (
        "x.pdf",
        "%PDF-1.4\n1 0 obj<</Type/Catalog/OpenAction<</S/JavaScript/JS(app.alert(1))>>/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>\n",
    ),
    ("x.map", "<html><script>RUN</script></html>"),
    ("x.ics", "<html><script>RUN</script></html>"),
    ("x.wasm", "<html><script>RUN</script></html>"),
];

/// Markup that shows the author's own files or requests something from other hosts. The source
/// embeds the pictures, videos and frames of `embed.example`.
const OWN: &[&str] = &[
    "<iframe src=\"/articles/assets/x.svg\"></iframe> <iframe src=\"/articles/assets/worker.svg\"></iframe>",
    "<iframe src=\"assets/x.xml\"></iframe> <iframe src=\"https://published.example/articles/assets/x.svg\"></iframe>",
    "<iframe src=\"HTTPS://PUBLISHED.example:443/articles/assets/x.svg\"></iframe> <iframe src=\"/articles/assets/x.txt\"></iframe>",
    "<object data=\"/articles/assets/x.svg\"></object> <embed src=\"/articles/assets/x.svg\">",
    "<img src=\"/articles/assets/x.svg\"> ![x](assets/x.svg) ![[x.svg]] <svg><image href=\"/articles/assets/x.svg\"/></svg>",
    "<script src=\"/articles/assets/x.js\"></script> <script type=module src=\"assets/x.mjs\"></script>",
    "<link rel=stylesheet href=\"/articles/assets/x.css\"> <style>@import '/articles/assets/x.css'; p { background: url(https://style.canary.example/) }</style>",
    "<p style=\"background: url(https://style.canary.example/)\">words</p> <table background=\"https://canary.example/\"><tr><td>x</td></tr></table>",
    "<link rel=prefetch href=\"https://canary.example/\"> <link rel=dns-prefetch href=\"//canary.example\"> <link rel=preconnect href=\"https://canary.example\">",
    "<link rel=manifest href=\"/articles/assets/x.webmanifest\"> <link rel=icon href=\"https://canary.example/x.ico\"> <link rel=serviceworker href=\"assets/sw.js\">",
    "<a href=\"https://example.org/\" ping=\"https://canary.example/ping\">words</a> <form action=\"https://canary.example/\"><input type=image src=\"https://canary.example/x.png\"></form>",
    "<video poster=\"https://canary.example/x.png\" src=\"https://embed.example/x.mp4\"><track default src=\"https://canary.example/x.vtt\"></video>",
    "<img src=\"https://embed.example/x.png\" srcset=\"https://canary.example/x.png 2x\"> <picture><source srcset=\"https://canary.example/x.png\"><img src=\"https://embed.example/x.png\"></picture>",
    "<iframe src=\"https://player.example/x\" srcdoc=\"<script>RUN</script>\" allow=\"camera *; microphone *; geolocation *\" sandbox=\"allow-scripts allow-top-navigation\"></iframe>",
    "<meta http-equiv=refresh content=\"0;url=https://canary.example/\"> <base href=\"https://canary.example/\"> <base target=_blank>",
    "<svg><image href=\"https://canary.example/x.png\"/><use href=\"/articles/assets/x.svg#x\"/></svg> <math><mtext><img src=\"https://embed.example/m.png\"></mtext></math>",
    "<a href=\"https://example.org/\" target=_blank>words</a> <area href=\"javascript:RUN\"> <portal src=\"https://canary.example/\"></portal>",
    "<a href=\"ms-msdt:/id PCWDiagnostic\">words</a> <a href=\"intent://x#Intent;end\">words</a> <a href=\"file:///etc/passwd\">words</a> [words](search-ms:query=x) <ms-word:ofe>",
    "<div itemscope itemtype=\"javascript:RUN\"><link itemprop=url href=\"https://canary.example/\"></div>",
    "<xml-data src=\"https://canary.example/\"></xml-data> <bgsound src=\"https://canary.example/\"> <frameset><frame src=\"https://canary.example/\"></frameset>",
];

/// Markup that only the generators of single kinds would run or show.
const DIALECTS: &[&str] = &[
    "{{< rawhtml >}}<script>RUN</script>{{< /rawhtml >}}",
    "{{< figure src=\"/articles/assets/x.svg\" link=\"javascript:RUN\" >}} {{< iframe src=\"javascript:RUN\" >}} {{% html %}}<script>RUN</script>{{% /html %}}",
    "{% raw %}<script>RUN</script>{% endraw %}\n\n{% include x.html %} {% include_relative assets/x.svg %}",
    "{% iframe javascript:RUN 100% 100% %} {% raw_html %}<script>RUN</script>{% endraw_html %}",
    "{{ \"<script>RUN</script>\" | safe }} {{{ \"<script>RUN</script>\" }}}",
    "<script setup>\nRUN\n</script>\n\n<template><p @click=\"RUN\" v-html=\"'<script>RUN</script>'\">words</p></template>",
    "import X from './assets/x.js'\n\nexport const x = RUN\n\n<X onClick={() => RUN} dangerouslySetInnerHTML={{ __html: '<script>RUN</script>' }} />\n\n{RUN}",
    "```{=html}\n<script>RUN</script>\n```\n\n```{python}\nRUN\n```\n\n::: {.x onclick=RUN}\nwords\n:::\n\n[words]{onclick=\"RUN\" .x}",
    "!!! note \"<script>RUN</script>\"\n    <img src=x onerror=RUN>\n\nwords\n{: onclick=\"RUN\" style=\"background: url(https://canary.example/)\" }",
    ":::note <script>RUN</script>\n\n<img src=x onerror=RUN>\n\n:::\n\n:::{iframe} javascript:RUN\n:::",
    "{{#include assets/x.svg}} {{#playground assets/x.js}} {{#title <script>RUN</script>}}",
    "--8<-- \"assets/x.svg\"\n\n[!INCLUDE [x](assets/x.xml)]\n\n{!assets/x.svg!}\n\n<<< @/assets/x.js",
    "![[x.svg]] ![[x.js]] ![[javascript:RUN]] ![x|100](assets/x.svg) <%* RUN %> `=RUN` `$= RUN`\n\n```dataviewjs\nRUN\n```",
    "$\\text{<script>RUN</script>}$ $$\\text{a} $$ <script>RUN</script> $$ \\\\[ $$ <script>RUN</script> $$ \\\\] \\\\( \\) <img src=x onerror=RUN> \\\\)",
    "<Tabs><TabItem value=\"x\" label=\"<script>RUN</script>\"><img src=x onerror=RUN /></TabItem></Tabs> <YouTube id=\"javascript:RUN\" /> <Frame src=\"javascript:RUN\" />",
    "![video](javascript:RUN) https://www.youtube.com/watch?v=\"onload=RUN\n\n@[youtube](javascript:RUN)",
];

/// Rewrites the folder and returns the number of its articles.
pub fn write(path: &Path, author: &Author) -> Result<usize, String> {
    let failed = |error: std::io::Error| format!("cannot write `{}`: {error}", path.display());
    let assets = path.join("posts/assets");
    fs::create_dir_all(&assets).map_err(failed)?;
    for (name, text) in FILES {
        fs::write(assets.join(name), armed(text)).map_err(failed)?;
    }
    // Files that would be published below `/_/`.
    for folder in ["static/_", "_", "public/_"] {
        fs::create_dir_all(path.join(folder))
            .and_then(|()| fs::write(path.join(folder).join("x.js"), armed("RUN")))
            .map_err(failed)?;
    }
    fs::write(path.join("diglot.toml"), settings(author)).map_err(failed)?;
    if author.theme {
        fs::create_dir_all(path.join("theme")).map_err(failed)?;
        fs::write(
            path.join("theme/site.js"),
            format!("console.log(\"{THEME}\")"),
        )
        .map_err(failed)?;
        fs::write(
            path.join("theme/nav.html"),
            "<script src=\"{{ site.assets['site.js'] }}\"></script>",
        )
        .map_err(failed)?;
    }
    let articles = articles(author);
    for (number, (suffix, text)) in articles.iter().enumerate() {
        fs::write(
            path.join(format!("posts/a{number:03}.{suffix}")),
            armed(text),
        )
        .map_err(failed)?;
    }
    Ok(articles.len())
}

fn settings(author: &Author) -> String {
    let kind = if author.kind == "html" {
        "plain"
    } else {
        author.kind
    };
    let theme = if author.theme {
        "theme = \"theme\"\n"
    } else {
        ""
    };
    let trusted = if author.trusted {
        "\n[security]\nauthor_scripts = true\n"
    } else {
        ""
    };
    format!(
        "title = \"Hostile\"\narticles = \"posts\"\ndialect = \"{kind}\"\nmath = true\nsanitize = {}\n{theme}{trusted}",
        author.sanitize
    )
}

/// Every article: its suffix and its text.
fn articles(author: &Author) -> Vec<(&'static str, String)> {
    let suffix = match author.kind {
        "docusaurus" | "astro" => "mdx",
        "quarto" => "qmd",
        "html" => "html",
        _ => "md",
    };
    let (together, sparse) = if author.kind == "plain" && !author.sanitize {
        (1, 1)
    } else {
        (TOGETHER, SPARSE)
    };
    let addresses = ADDRESSES.iter().map(|address| {
        format!(
            "[words](<{address}>) [words]({address}) ![words](<{address}>) <{address}>\n\n{}",
            elements(address)
        )
    });
    let plain = [MARKUP, OWN, DIALECTS, MARKDOWN]
        .into_iter()
        .flatten()
        .map(|vector| (*vector).to_owned());
    let vectors: Vec<String> = plain.chain(addresses).collect();
    let mut all: Vec<(&'static str, String)> = Vec::new();
    for group in vectors.chunks(together) {
        all.push(if suffix == "html" {
            (suffix, page(&group.join("\n")))
        } else {
            (suffix, text(&group.join("\n\nWords.\n\n")))
        });
    }
    for vector in MARKUP.iter().chain(ADDRESSES).step_by(sparse) {
        all.push(if suffix == "html" {
            (suffix, head(vector))
        } else {
            (suffix, front(vector))
        });
    }
    for group in MARKUP.chunks(together).step_by(sparse) {
        all.push(("html", page(&group.join("\n"))));
    }
    all
}

/// Elements that take an address.
fn elements(address: &str) -> String {
    format!(
        "<a href=\"{address}\">words</a> <a href={address}>words</a> <img src=\"{address}\" srcset=\"{address} 2x\"> <iframe src=\"{address}\"></iframe> \
         <video src=\"{address}\" poster=\"{address}\"><source src=\"{address}\"></video> <blockquote cite=\"{address}\">words</blockquote> \
         <svg><a xlink:href=\"{address}\">words</a></svg> <math href=\"{address}\"></math> <form action=\"{address}\"><button formaction=\"{address}\">x</button></form> \
         <object data=\"{address}\"></object> <embed src=\"{address}\"> <link rel=stylesheet href=\"{address}\"> <a href=x ping=\"{address}\">words</a>"
    )
}

fn text(body: &str) -> String {
    format!("---\ntitle: T\ndate: 2024-05-06\n---\n\nWords.\n\n{body}\n\nMore words.\n")
}

fn page(body: &str) -> String {
    format!(
        "<!doctype html><html><head><title>T</title><meta name=date content=2024-05-06></head><body><article><h1>T</h1><p>Words.</p>{body}<p>More words.</p></article></body></html>"
    )
}

/// The vector in everything that the head of a page shows.
fn head(vector: &str) -> String {
    let quoted = vector.replace('"', "&quot;");
    format!(
        "<!doctype html><html lang=\"{quoted}\"><head><title>{vector}</title><meta name=description content=\"{quoted}\"><meta name=author content=\"{quoted}\">\
         <meta property=og:image content=\"{quoted}\"><link rel=canonical href=\"{quoted}\"><meta name=date content=2024-05-06></head><body><h1>T</h1><p>Words.</p></body></html>"
    )
}

/// The vector in every key that a page, a feed or a program shows.
fn front(vector: &str) -> String {
    let quoted = serde_json::to_string(vector).unwrap_or_default();
    let keys = [
        "title",
        "description",
        "author",
        "image",
        "cover",
        "language",
        "guid",
        "canonical_url",
        "section",
        "series",
        "layout",
        "icon",
        "video",
    ];
    let lines: String = keys
        .iter()
        .map(|key| format!("{key}: {quoted}\n"))
        .collect();
    format!(
        "---\n{lines}tags: [{quoted}, open]\ncategories: [{quoted}]\naliases: [{quoted}]\nauthors: [{{name: {quoted}, url: {quoted}}}]\ndate: 2024-05-06\n---\n\nWords.\n"
    )
}
