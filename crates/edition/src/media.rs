//! Media types by file suffix.
//!
//! The table is part of Diglot, not of a dependency: the `Content-Type` of an author's file must
//! not change with a crate's version.

/// The properties of a file by its suffix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Media {
    /// The value of `Content-Type`.
    pub content_type: &'static str,
    /// Whether a content-coding can reduce the size: not for compressed types.
    pub compressible: bool,
}

/// The entry of an unknown suffix.
const UNKNOWN: Media = Media {
    content_type: "application/octet-stream",
    compressible: true,
};

/// Suffix, media type, and whether it is compressible; ordered by suffix.
const TABLE: &[(&str, &str, bool)] = &[
    ("7z", "application/x-7z-compressed", false),
    ("aac", "audio/aac", false),
    ("apng", "image/apng", false),
    ("atom", "application/atom+xml", true),
    ("avif", "image/avif", false),
    ("bib", "text/plain; charset=utf-8", true),
    ("bmp", "image/bmp", true),
    ("br", "application/octet-stream", false),
    ("bz2", "application/x-bzip2", false),
    ("c", "text/plain; charset=utf-8", true),
    ("cff", "text/plain; charset=utf-8", true),
    ("conf", "text/plain; charset=utf-8", true),
    ("cpp", "text/plain; charset=utf-8", true),
    ("css", "text/css; charset=utf-8", true),
    ("csv", "text/csv; charset=utf-8", true),
    ("diff", "text/plain; charset=utf-8", true),
    (
        "docx",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        false,
    ),
    ("eot", "application/vnd.ms-fontobject", true),
    ("epub", "application/epub+zip", false),
    ("flac", "audio/flac", false),
    ("geojson", "application/geo+json", true),
    ("gif", "image/gif", false),
    ("go", "text/plain; charset=utf-8", true),
    ("gpx", "application/gpx+xml", true),
    ("gz", "application/gzip", false),
    ("h", "text/plain; charset=utf-8", true),
    ("heic", "image/heic", false),
    ("heif", "image/heif", false),
    ("htm", "text/html; charset=utf-8", true),
    ("html", "text/html; charset=utf-8", true),
    ("ico", "image/vnd.microsoft.icon", true),
    ("ics", "text/calendar; charset=utf-8", true),
    ("ini", "text/plain; charset=utf-8", true),
    ("ipynb", "application/x-ipynb+json", true),
    ("java", "text/plain; charset=utf-8", true),
    ("jpeg", "image/jpeg", false),
    ("jpg", "image/jpeg", false),
    ("js", "text/javascript; charset=utf-8", true),
    ("json", "application/json", true),
    ("jsonld", "application/ld+json", true),
    ("jxl", "image/jxl", false),
    ("key", "application/vnd.apple.keynote", false),
    ("kml", "application/vnd.google-earth.kml+xml", true),
    ("log", "text/plain; charset=utf-8", true),
    ("m4a", "audio/mp4", false),
    ("m4v", "video/mp4", false),
    ("map", "application/json", true),
    ("markdown", "text/markdown; charset=utf-8", true),
    ("md", "text/markdown; charset=utf-8", true),
    ("mjs", "text/javascript; charset=utf-8", true),
    ("mkv", "video/matroska", false),
    ("mov", "video/quicktime", false),
    ("mp3", "audio/mpeg", false),
    ("mp4", "video/mp4", false),
    ("mpeg", "video/mpeg", false),
    ("mpg", "video/mpeg", false),
    (
        "odp",
        "application/vnd.oasis.opendocument.presentation",
        false,
    ),
    (
        "ods",
        "application/vnd.oasis.opendocument.spreadsheet",
        false,
    ),
    ("odt", "application/vnd.oasis.opendocument.text", false),
    ("oga", "audio/ogg", false),
    ("ogg", "audio/ogg", false),
    ("ogv", "video/ogg", false),
    ("opus", "audio/ogg", false),
    ("otf", "font/otf", true),
    ("patch", "text/plain; charset=utf-8", true),
    ("pdf", "application/pdf", false),
    ("pgp", "application/pgp-encrypted", true),
    ("php", "text/plain; charset=utf-8", true),
    ("png", "image/png", false),
    (
        "pptx",
        "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        false,
    ),
    ("ps", "application/postscript", true),
    ("py", "text/plain; charset=utf-8", true),
    ("rb", "text/plain; charset=utf-8", true),
    ("rs", "text/plain; charset=utf-8", true),
    ("rss", "application/rss+xml", true),
    ("rtf", "application/rtf", true),
    ("sh", "text/plain; charset=utf-8", true),
    ("sql", "text/plain; charset=utf-8", true),
    ("srt", "text/plain; charset=utf-8", true),
    ("svg", "image/svg+xml", true),
    ("svgz", "application/gzip", false),
    ("tar", "application/x-tar", true),
    ("tex", "text/plain; charset=utf-8", true),
    ("tgz", "application/gzip", false),
    ("tif", "image/tiff", true),
    ("tiff", "image/tiff", true),
    ("toml", "application/toml", true),
    ("ts", "text/plain; charset=utf-8", true),
    ("tsv", "text/tab-separated-values; charset=utf-8", true),
    ("ttf", "font/ttf", true),
    ("txt", "text/plain; charset=utf-8", true),
    ("vcf", "text/vcard; charset=utf-8", true),
    ("vtt", "text/vtt; charset=utf-8", true),
    ("wasm", "application/wasm", true),
    ("wav", "audio/wav", true),
    ("webm", "video/webm", false),
    ("webmanifest", "application/manifest+json", true),
    ("webp", "image/webp", false),
    ("woff", "font/woff", false),
    ("woff2", "font/woff2", false),
    ("xhtml", "application/xhtml+xml", true),
    (
        "xlsx",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        false,
    ),
    ("xml", "application/xml; charset=utf-8", true),
    ("xsl", "application/xslt+xml", true),
    ("xz", "application/x-xz", false),
    ("yaml", "application/yaml", true),
    ("yml", "application/yaml", true),
    ("zip", "application/zip", false),
    ("zst", "application/zstd", false),
];

/// The entry of a path's suffix, ignoring case; `application/octet-stream` if it is unknown.
pub fn by_suffix(path: &str) -> Media {
    let name = path.rsplit('/').next().unwrap_or(path);
    let Some((_, suffix)) = name.rsplit_once('.') else {
        return UNKNOWN;
    };
    let suffix = suffix.to_ascii_lowercase();
    TABLE
        .binary_search_by(|(known, ..)| (*known).cmp(suffix.as_str()))
        .map_or(UNKNOWN, |at| {
            let (_, content_type, compressible) = TABLE[at];
            Media {
                content_type,
                compressible,
            }
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_ordered_so_that_it_can_be_searched() {
        assert!(
            TABLE.windows(2).all(|pair| pair[0].0 < pair[1].0),
            "{:?}",
            TABLE.windows(2).find(|pair| pair[0].0 >= pair[1].0)
        );
    }

    #[test]
    fn types_are_the_registered_ones() {
        for (path, content_type, compressible) in [
            ("img/a.SVG", "image/svg+xml", true),
            ("fonts/x.woff2", "font/woff2", false),
            ("a.b/main.css", "text/css; charset=utf-8", true),
            ("x.js", "text/javascript; charset=utf-8", true),
            ("x.pdf", "application/pdf", false),
            ("photo.JPG", "image/jpeg", false),
            ("CNAME", "application/octet-stream", true),
            ("a.png/raw", "application/octet-stream", true),
            ("x.unheard-of", "application/octet-stream", true),
            (".", "application/octet-stream", true),
        ] {
            assert_eq!(
                by_suffix(path),
                Media {
                    content_type,
                    compressible
                },
                "{path}"
            );
        }
    }
}
