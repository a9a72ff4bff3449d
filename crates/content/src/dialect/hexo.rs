//! A Hexo site: Jekyll's tags and Nunjucks', content in `source/`.

use super::{COMMON, Dialect, Evidence};
use crate::config::Keys;

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
    ..COMMON
};

fn recognise(evidence: &Evidence<'_>) -> Option<String> {
    let config = evidence.first(&["_config.yml", "_config.yaml", "_config.toml"])?;
    (evidence.folder("source/_posts") || evidence.folder("scaffolds")).then(|| format!("{config} and `source/`"))
}
