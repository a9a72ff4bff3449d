//! Addresses of pages behind a `#`, as Docsify has them: `#/page?id=place`.

use crate::model::address::scheme;

/// The ordinary form of an address of Docsify; `None`: it is one already.
pub fn page_address(address: &str) -> Option<String> {
    if address.starts_with("//") || scheme(address).is_some() {
        return None;
    }
    let page = ["#/", "/#/"]
        .into_iter()
        .find_map(|begin| address.strip_prefix(begin));
    let (path, query) = match page.unwrap_or(address).split_once('?') {
        Some(divided) => divided,
        None => (page?, ""),
    };
    let place = query.split('&').find_map(|pair| pair.strip_prefix("id="));
    let root = if page.is_some() { "/" } else { "" };
    match place {
        Some(id) => Some(format!("{root}{path}#{id}")),
        None => page.map(|_| format!("/{path}")),
    }
}

#[cfg(test)]
mod tests {
    use super::page_address;

    #[test]
    fn pages_behind_a_hash_have_addresses() {
        for (address, expected) in [
            ("#/a", Some("/a")),
            ("/#/a/b?id=c&x=1", Some("/a/b#c")),
            ("a.md?id=b", Some("a.md#b")),
            ("?id=b", Some("#b")),
            ("a.md?x=1", None),
            ("a.md#b", None),
            ("https://a.example/#/b?id=c", None),
            ("//a.example/b?id=c", None),
            ("mailto:a@b.example?id=c", None),
        ] {
            assert_eq!(page_address(address).as_deref(), expected, "{address}");
        }
    }
}
