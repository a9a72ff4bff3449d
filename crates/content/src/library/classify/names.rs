//! File and folder names used for classification.

/// Usual names of the articles folder, in the contract's order.
pub const FOLDERS: [&str; 7] = [
    "articles",
    "_posts",
    "_articles",
    "content/posts",
    "content",
    "posts",
    "docs",
];
/// The only pages of a folder that consists of articles.
pub const ROOT_PAGES: [&str; 4] = ["index", "about", "terms", "api"];
/// Folders at the root whose name is not part of the addresses below them.
pub const PUBLISHED: [&str; 2] = ["static", "public"];
/// Folders with code of other programs.
pub const DEPENDENCIES: [&str; 5] = [
    "node_modules",
    "bower_components",
    VENDOR,
    "target",
    "__pycache__",
];
/// The one of them that is a part of some sites.
pub const VENDOR: &str = "vendor";
/// Folders whose texts are templates.
pub const TEMPLATES: [&str; 10] = [
    "layouts",
    "templates",
    "themes",
    "archetypes",
    "partials",
    "includes",
    "shortcodes",
    "_includes",
    "_layouts",
    "overrides",
];
/// Texts about the folder, not part of it: in capitals, or always.
pub const ABOUT_THE_FOLDER: [&str; 17] = [
    "CHANGELOG",
    "CONTRIBUTING",
    "CODE_OF_CONDUCT",
    "CODE-OF-CONDUCT",
    "SECURITY",
    "SUPPORT",
    "GOVERNANCE",
    "AUTHORS",
    "NOTICE",
    "TODO",
    "SUMMARY",
    "AGENTS",
    "CLAUDE",
    "PULL_REQUEST_TEMPLATE",
    "ISSUE_TEMPLATE",
    "MAINTAINERS",
    "HISTORY",
];
/// Texts for the programs of one person, which no reader should have.
pub const PRIVATE: [&str; 2] = ["CLAUDE.local", "AGENTS.local"];
/// Files requested by browsers and readers.
pub const WEB: [&str; 44] = [
    "png", "jpg", "jpeg", "gif", "webp", "avif", "svg", "ico", "bmp", "apng", "jxl", "pdf", "epub",
    "woff", "woff2", "ttf", "otf", "mp3", "m4a", "ogg", "oga", "opus", "wav", "flac", "mp4", "m4v",
    "webm", "ogv", "mov", "vtt", "srt", "txt", "csv", "tsv", "zip", "gz", "ics", "geojson",
    "ipynb", "pptx", "xlsx", "docx", "odt", "ods",
];
/// Files that browsers request from dedicated folders. Elsewhere they are machinery.
pub const WEB_IN_ASSETS: [&str; 9] = [
    "css",
    "js",
    "mjs",
    "json",
    "xml",
    "map",
    "wasm",
    "webmanifest",
    "asc",
];
pub const ASSET_FOLDERS: [&str; 16] = [
    "static",
    "public",
    "assets",
    "css",
    "js",
    "img",
    "images",
    "media",
    "files",
    "fonts",
    "downloads",
    "attachments",
    "data",
    "styles",
    "examples",
    ".well-known",
];
/// Names of languages that are endings of hosts and of files as well: `trunk.io`, `config.ts`.
pub const OTHER_MEANINGS: [&str; 15] = [
    "am", "as", "co", "gd", "gn", "ia", "ie", "io", "la", "mk", "ml", "om", "ps", "so", "ts",
];
/// Texts in unsupported formats.
pub const OTHER_TEXTS: [&str; 10] = [
    "rst", "adoc", "asciidoc", "dj", "mdoc", "org", "smd", "tex", "textile", "wiki",
];
/// Licences at the root, in capitals.
pub const ROOT_LICENSES: [&str; 3] = ["LICENSE", "LICENCE", "COPYING"];
/// Files about the folder, in lower case.
pub const LICENSES: [&str; 5] = ["license", "licence", "copying", "notice", "provenance"];
/// Configuration files of other programs, in lower case.
pub const OTHER_SETTINGS: [&str; 4] = ["requirements", "package", "package-lock", "tsconfig"];
/// Suffixes of configuration files, at the root.
pub const SETTINGS: [&str; 12] = [
    "toml", "yml", "yaml", "json", "js", "mjs", "cjs", "ts", "mts", "lock", "ini", "cfg",
];
/// Suffixes of templates and components.
pub const SOURCES: [&str; 13] = [
    "njk", "liquid", "hbs", "ejs", "pug", "j2", "tera", "vue", "svelte", "tsx", "jsx", "swig",
    "haml",
];
