//! The tags by which an answer can be purged from shared caches, if settings ask for them.

use diglot_content::encoding::encode_path;
use diglot_content::site::TagField;

use crate::edition::Edition;
use crate::policy::CacheRow;
use crate::resource::{Digest, Resource};

/// The longest tag. Akamai takes 128 characters, CloudFront 256, Fastly and Cloudflare 1,024 bytes,
/// with 16 KiB for all tags of an answer.
/// <https://techdocs.akamai.com/purge-cache/docs/purge-content-cache-tag>,
/// <https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/invalidation-specifying-tags.html>,
/// <https://www.fastly.com/documentation/reference/http/http-headers/Surrogate-Key>
const LONGEST: usize = 128;

/// The name of the field for tags, in lower case.
pub const fn field(tags: TagField) -> &'static str {
    match tags {
        TagField::SurrogateKey => "surrogate-key",
        TagField::CacheTag => "cache-tag",
    }
}

/// The tags of an answer in the syntax of the field: the page or file, its kind, and the edition.
/// Both forms of a page have the same.
pub fn tags(edition: &Edition, found: Result<&Resource, CacheRow>, field: TagField) -> String {
    let mut tags = Vec::with_capacity(3);
    match found {
        Ok(resource) => {
            tags.push(page(resource));
            tags.push(format!("kind-{}", resource.route.kind_name()));
        }
        Err(CacheRow::Redirect) => tags.push("kind-redirect".to_owned()),
        Err(_) => tags.push("kind-error".to_owned()),
    }
    tags.push(format!("edition-{}", edition.id));
    tags.join(match field {
        TagField::SurrogateKey => " ",
        TagField::CacheTag => ",",
    })
}

/// The tag of a page: its path without suffix. One that is long, or has a character that some cache
/// reads as its own, is the digest of that path.
fn page(resource: &Resource) -> String {
    let stem = resource.route.stem();
    let path = encode_path(stem.as_deref().unwrap_or(&resource.path));
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._~-%".contains(&byte);
    match path.len() <= LONGEST && path.bytes().all(is_plain) {
        true => path,
        false => format!("page-{}", Digest::hash(path.as_bytes())),
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;
    use crate::route::{Form, Route};

    fn check(route: Route, expected: &str) {
        let resource = Resource::new(route, bytes::Bytes::new(), Timestamp::UNIX_EPOCH);
        assert_eq!(page(&resource), expected);
    }

    #[test]
    fn both_forms_have_one_tag_that_every_cache_can_read() {
        for form in [Form::Html, Form::Markdown] {
            check(Route::Article("first".into(), form), "/articles/first");
            check(
                Route::Article("größe".into(), form),
                "/articles/gr%C3%B6%C3%9Fe",
            );
        }
        check(Route::Rss, "/rss.xml");
        for odd in ["a,b".to_owned(), "a".repeat(120)] {
            let route = Route::Article(odd.as_str().into(), Form::Html);
            let path = format!("/articles/{odd}");
            check(route, &format!("page-{}", Digest::hash(path.as_bytes())));
        }
    }
}
