//! Whether the addresses of a generator's own output lead to the same texts on another server.

use crate::wire::{self, Answer};

/// How many redirects are followed.
const MOST_REDIRECTS: usize = 5;

/// An address of another generator's output, and the page that has its text here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// The path as the generator's own site has it, encoded.
    pub path: String,
    /// The path of the page here, encoded; `None`: any page will do.
    pub page: Option<String>,
}

/// An address that does not lead to its text, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lost {
    /// The address.
    pub path: String,
    /// What came instead.
    pub reason: String,
}

/// Asks a server (`127.0.0.1:8080`) for each address. Returns those that do not lead, with 200, 301
/// or 308, to their text.
///
/// # Errors
/// The server does not answer.
pub fn lost(authority: &str, addresses: &[Address]) -> Result<Vec<Lost>, String> {
    let ask = |path: &str| wire::ask("GET", authority, path, &[]);
    let mut lost = Vec::new();
    for address in addresses {
        let reason = match end(address, ask)? {
            Ok(end) => match &address.page {
                Some(page) if *page != end => format!("it leads to `{end}`, not to `{page}`"),
                _ => continue,
            },
            Err(reason) => reason,
        };
        lost.push(Lost {
            path: address.path.clone(),
            reason,
        });
    }
    Ok(lost)
}

/// The path at which an address ends, or why it does not; the outer error: there is no answer.
fn end(
    address: &Address,
    mut ask: impl FnMut(&str) -> Result<Answer, String>,
) -> Result<Result<String, String>, String> {
    let mut path = address.path.clone();
    for _ in 0..=MOST_REDIRECTS {
        let answer = ask(&path)?;
        match answer.status {
            200 => return Ok(Ok(path)),
            301 | 308 => {
                let Some(next) = answer.header("location") else {
                    return Ok(Err(format!("`{path}` has no `Location`")));
                };
                // Another site is an end as well: the author wrote it.
                if !next.starts_with('/') {
                    return Ok(Ok(next));
                }
                path = next;
            }
            status => return Ok(Err(format!("`{path}` answers {status}"))),
        }
    }
    Ok(Err(format!("more than {MOST_REDIRECTS} redirects")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redirects_are_followed_to_their_end() {
        let ask = |path: &str| {
            let (status, to) = match path {
                "/a" => (301, Some("/b/")),
                "/b/" => (308, Some("/c.html")),
                "/c.html" => (200, None),
                "/x" => (301, Some("https://example.net/")),
                "/r" => (301, Some("/r")),
                _ => (404, None),
            };
            let headers = to.map(|to| ("location".to_owned(), to.to_owned()));
            Ok(Answer {
                status,
                headers: headers.into_iter().collect(),
                ..Answer::default()
            })
        };
        let check = |path: &str, expected: Result<&str, &str>| {
            let address = Address {
                path: path.to_owned(),
                page: None,
            };
            let found = end(&address, ask).unwrap();
            assert_eq!(found.as_deref().map_err(String::as_str), expected, "{path}");
        };
        check("/a", Ok("/c.html"));
        check("/x", Ok("https://example.net/"));
        check("/r", Err("more than 5 redirects"));
        check("/gone", Err("`/gone` answers 404"));
    }
}
