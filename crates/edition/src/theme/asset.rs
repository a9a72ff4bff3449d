//! Theme files under content-hashed names.

use std::collections::BTreeMap;

use bytes::Bytes;

use crate::resource::Digest;
use crate::route::Route;

/// The hexadecimal digits of the digest in a name: enough to keep versions distinct.
const HASH_DIGITS: usize = 16;

/// A published file of the theme.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asset {
    /// The name in the theme: `main.css`, `fonts/text.woff2`.
    pub source: String,
    /// The path below `/_/`: `main.0123456789abcdef.css`.
    pub name: String,
    /// The bytes; in a style sheet, `url(…)` of another theme file contains its published name.
    pub bytes: Bytes,
}

impl Asset {
    /// The path at which it is published.
    pub(crate) fn path(&self) -> String {
        Route::Asset(self.name.as_str().into()).path()
    }
}

fn style_sheet(path: &str, bytes: Bytes, names: &BTreeMap<String, String>) -> Asset {
    let bytes = match std::str::from_utf8(&bytes) {
        Ok(text) if text.contains("url(") => Bytes::from(with_names(text, path, names)),
        _ => bytes,
    };
    asset(path, bytes)
}

/// Names every file by its content. Style sheets are last, because they contain the names of the
/// others.
pub(super) fn hashed(sources: BTreeMap<&str, Bytes>) -> Vec<Asset> {
    let (styles, others): (Vec<_>, Vec<_>) = sources
        .into_iter()
        .partition(|(path, _)| path.ends_with(".css"));
    let mut assets: Vec<Asset> = others
        .into_iter()
        .map(|(path, bytes)| asset(path, bytes))
        .collect();
    let names: BTreeMap<String, String> = assets
        .iter()
        .map(|asset| (asset.source.clone(), asset.name.clone()))
        .collect();
    for (path, bytes) in styles {
        assets.push(style_sheet(path, bytes, &names));
    }
    assets.sort_by(|one, other| one.source.cmp(&other.source));
    assets
}

pub(crate) fn asset(path: &str, bytes: Bytes) -> Asset {
    let hash = Digest::hash(&bytes).to_string();
    let hash = &hash[..HASH_DIGITS];
    let file = path.rfind('/').map_or(0, |slash| slash + 1);
    let name = match path[file..].rfind('.') {
        Some(dot) => format!("{}.{hash}{}", &path[..file + dot], &path[file + dot..]),
        None => format!("{path}.{hash}"),
    };
    Asset {
        source: path.to_owned(),
        name,
        bytes,
    }
}

/// The style sheet with `url(name)` of every theme file replaced by the published name, relative to
/// the sheet.
fn with_names(sheet: &str, path: &str, names: &BTreeMap<String, String>) -> String {
    let folder = path.rfind('/').map_or("", |slash| &path[..=slash]);
    let up = "../".repeat(folder.matches('/').count());
    let mut out = String::with_capacity(sheet.len() + 64);
    let mut rest = sheet;
    while let Some(at) = rest.find("url(") {
        let (before, after) = rest.split_at(at + 4);
        out.push_str(before);
        rest = after;
        let Some(end) = after.find(')') else { break };
        let wanted = after[..end].trim().trim_matches(['"', '\'']);
        let wanted = wanted.strip_prefix("./").unwrap_or(wanted);
        if let Some(name) = names.get(&format!("{folder}{wanted}")) {
            out.push('"');
            out.push_str(&up);
            out.push_str(name);
            out.push('"');
            rest = &after[end..];
        }
    }
    out.push_str(rest);
    out
}
