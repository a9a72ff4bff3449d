//! Names of files and folders by which a file is classified.

/// The articles folders that people use, in the contract's order.
pub const FOLDERS: [&str; 7] = [
    "articles",
    "_posts",
    "_articles",
    "content/posts",
    "content",
    "posts",
    "docs",
];
/// The only pages of a folder that is all articles.
pub const ROOT_PAGES: [&str; 4] = ["index", "about", "terms", "api"];
/// Folders at the root whose name is not part of the address of what they hold.
pub const PUBLISHED: [&str; 2] = ["static", "public"];
/// Folders of other programs' code.
pub const DEPENDENCIES: [&str; 5] = [
    "node_modules",
    "bower_components",
    "vendor",
    "target",
    "__pycache__",
];
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
/// Texts about the folder, not of it: in capitals, or always.
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
/// Files that browsers and readers want.
pub const WEB: [&str; 44] = [
    "png", "jpg", "jpeg", "gif", "webp", "avif", "svg", "ico", "bmp", "apng", "jxl", "pdf", "epub",
    "woff", "woff2", "ttf", "otf", "mp3", "m4a", "ogg", "oga", "opus", "wav", "flac", "mp4", "m4v",
    "webm", "ogv", "mov", "vtt", "srt", "txt", "csv", "tsv", "zip", "gz", "ics", "geojson",
    "ipynb", "pptx", "xlsx", "docx", "odt", "ods",
];
/// Files that browsers want from folders made for them, and that are machinery elsewhere.
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
/// Texts in formats that are not read.
pub const OTHER_TEXTS: [&str; 8] = [
    "rst", "adoc", "asciidoc", "dj", "org", "tex", "textile", "wiki",
];
/// Licences at the root, in capitals.
pub const ROOT_LICENSES: [&str; 3] = ["LICENSE", "LICENCE", "COPYING"];
/// Files about the folder, in lower case.
pub const LICENSES: [&str; 5] = ["license", "licence", "copying", "notice", "provenance"];
/// Files with which other programs are set up, in lower case.
pub const OTHER_SETTINGS: [&str; 4] = ["requirements", "package", "package-lock", "tsconfig"];
