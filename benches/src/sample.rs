//! What `bench serve` requests where one article is enough, and a small site that has one.

use std::fs;
use std::path::{Path, PathBuf};

use super::Options;
use super::load::{Pinned, answer};
use super::servers;
use diglot_e2e::{server, sites};
use xtask::shell;

/// A small site, for costs that do not depend on its size: it is ready at once.
pub struct Small {
    /// Its source.
    pub folder: PathBuf,
    /// Its export.
    pub site: PathBuf,
    /// One article, and the bytes of its answer.
    pub path: String,
    pub bytes: usize,
    /// That answer, in a file.
    pub answer: PathBuf,
}

impl Small {
    /// Exports the example site, and asks Diglot for one of its articles.
    ///
    /// # Errors
    /// The export fails, or Diglot does not answer.
    pub fn make(options: &Options, binary: &Path) -> Result<Self, String> {
        let (folder, site) = (sites::example().path, options.place.join("served-small"));
        server::export(binary, &folder, "https://example.org", &site, &[])?;
        let own = servers::diglot(binary, &folder)?;
        let server = Pinned::start(&own.command, &own.authority)?;
        let (path, file) = (article(&site)?, options.place.join("article"));
        let bytes = answer(&server.authority, &path, &[])?;
        fs::write(&file, &bytes).map_err(|error| error.to_string())?;
        Ok(Self {
            folder,
            site,
            path,
            bytes: bytes.len(),
            answer: file,
        })
    }
}

/// The path of an article of about 12 kB in an export.
///
/// # Errors
/// There is no article.
pub fn article(site: &Path) -> Result<String, String> {
    let articles = site.join("articles");
    let sizes = shell::files_below(&articles)?
        .into_iter()
        .filter(|path| path.extension().is_some_and(|suffix| suffix == "html"));
    let size = |path: &Path| fs::metadata(articles.join(path)).map_or(0, |meta| meta.len());
    let article = sizes
        .min_by_key(|path| size(path).abs_diff(12_000))
        .ok_or("the export has no article")?;
    Ok(format!("/articles/{}", article.display()))
}
