//! A Hexo site: Jekyll's tags and Nunjucks', content in `source/`.

use super::{COMMON, Dialect, Evidence};

pub(super) static DIALECT: Dialect =
    Dialect { name: "hexo", recognise, roots: &["source"], outputs: &["public"], machinery: &["scaffolds", "themes"], ..COMMON };

fn recognise(evidence: &Evidence<'_>) -> Option<String> {
    let config = evidence.first(&["_config.yml", "_config.yaml", "_config.toml"])?;
    (evidence.folder("source/_posts") || evidence.folder("scaffolds")).then(|| format!("{config} and `source/`"))
}
