//! The header fields that no request decides, as responses copy them.

use diglot_content::Site;
use http::header::{CACHE_CONTROL, VARY};
use http::{HeaderMap, HeaderName, HeaderValue};

use crate::policy::{CacheRow, everywhere};

const CDN_CACHE_CONTROL: HeaderName = HeaderName::from_static("cdn-cache-control");

/// The maximum number of fields in a response (hyper adds `Date`), so that a copy has an index of its
/// size.
const MOST_FIELDS: usize = 22;

/// The header fields that depend on the site and on the row of the cache table alone, written once
/// per edition: a response copies them. A field whose value is invalid (a control character in a
/// setting) is left out.
#[derive(Clone, Debug)]
pub struct SiteFields {
    /// The fields of a response without a row.
    everywhere: HeaderMap,
    /// Those of each row, in the order of [`CacheRow::ALL`].
    rows: [HeaderMap; CacheRow::ALL.len()],
    /// `Content-Security-Policy` of the search page, if it differs.
    pub search_policy: Option<HeaderValue>,
}

impl SiteFields {
    /// The fields of a site with this policy for pages, and for the search page.
    pub fn new(site: &Site, page_policy: &str, search_policy: Option<&str>) -> Self {
        let mut all = HeaderMap::with_capacity(MOST_FIELDS);
        for (name, value) in everywhere(site, page_policy) {
            if let Ok(name) = HeaderName::from_bytes(name.as_bytes()) {
                insert(&mut all, name, &value);
            }
        }
        let rows = CacheRow::ALL.map(|row| {
            let mut fields = all.clone();
            insert(&mut fields, CACHE_CONTROL, &row.cache_control(site));
            if let Some(vary) = row.vary() {
                insert(&mut fields, VARY, vary);
            }
            if let Some(lifetime) = row.cdn_cache_control(site) {
                insert(&mut fields, CDN_CACHE_CONTROL, &lifetime);
            }
            fields
        });
        Self {
            everywhere: all,
            rows,
            search_policy: search_policy
                .and_then(|policy| HeaderValue::from_bytes(policy.as_bytes()).ok()),
        }
    }

    /// The fields of every response.
    pub fn everywhere(&self) -> &HeaderMap {
        &self.everywhere
    }

    /// The fields of every response of this row.
    pub fn for_row(&self, row: CacheRow) -> &HeaderMap {
        &self.rows[row as usize]
    }
}

fn insert(fields: &mut HeaderMap, name: HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_bytes(value.as_bytes()) {
        fields.insert(name, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::site;

    #[test]
    fn each_row_has_its_own_fields() {
        let site = site();
        let fields = SiteFields::new(&site, "default-src 'self'", None);
        for row in CacheRow::ALL {
            let text = |name| {
                fields
                    .for_row(row)
                    .get(name)
                    .map(|value| value.to_str().unwrap())
            };
            assert_eq!(
                (text(CACHE_CONTROL), text(VARY)),
                (Some(&*row.cache_control(&site)), row.vary()),
                "{row:?}"
            );
            for (name, value) in everywhere(&site, "default-src 'self'") {
                assert_eq!(fields.for_row(row).get(name).unwrap(), &*value, "{name}");
            }
        }
    }
}
