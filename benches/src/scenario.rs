//! One kind of request, measured at several servers.

use super::Options;
use super::load::{Asked, Pinned, answer, load};
use super::race::{self, Entrant, Row};

/// A request and its expected status.
pub struct Scenario {
    /// Its name in tables.
    pub name: &'static str,
    /// The path.
    pub path: String,
    /// Fields of the request.
    pub fields: Vec<(&'static str, String)>,
    /// The status of its answer.
    pub status: u16,
}

impl Scenario {
    /// The fields as borrowed pairs.
    pub fn fields(&self) -> Vec<(&str, &str)> {
        self.fields
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect()
    }
}

/// The duration of one round of one server, in seconds.
const SECONDS: u32 = 1;

/// Three times as many rounds as elsewhere: servers differ by less than builds do.
pub const fn turns(options: &Options) -> usize {
    options.rounds * 3
}

/// The `Accept` of a browser.
pub fn browser() -> (&'static str, String) {
    let accept =
        "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8";
    ("Accept", accept.to_owned())
}

/// The `Accept` of an agent that prefers Markdown.
pub fn markdown() -> (&'static str, String) {
    ("Accept", "text/markdown, text/html;q=0.9".to_owned())
}

/// The `Accept-Encoding` of a client that knows gzip alone.
pub fn gzip() -> (&'static str, String) {
    ("Accept-Encoding", "gzip".to_owned())
}

/// Measures a scenario at all servers that take part, Diglot first; `bytes` is the length of an
/// answer. Prints the row.
pub fn row(
    options: &Options,
    scenario: &Scenario,
    bytes: usize,
    all: &[&Entrant],
    requests: Asked<'_>,
) -> Row {
    let all: Vec<&Entrant> = all
        .iter()
        .copied()
        .filter(|entrant| entrant.negotiates || !scenario.name.contains("Accept"))
        .collect();
    let asked: Vec<Result<Fields, String>> = all
        .iter()
        .map(|entrant| fields(entrant, scenario))
        .collect();
    let once = |at: usize, server: &Pinned| {
        let fields = asked[at].as_ref().map_err(Clone::clone)?;
        let fields: Vec<(&str, &str)> = fields
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        load(server, requests, &fields, SECONDS, scenario.status)
    };
    let row = Row {
        name: scenario.name,
        bytes,
        rounds: race::run(turns(options), &all, once),
    };
    row.print();
    row
}

/// Names and values.
type Fields = Vec<(String, String)>;

/// The request fields for this server, once it has answered them as the scenario requires.
fn fields(entrant: &Entrant, scenario: &Scenario) -> Result<Fields, String> {
    let server = entrant.server.as_ref().map_err(Clone::clone)?;
    let mut fields = scenario.fields.clone();
    if scenario.status == 304 && !entrant.constant {
        // Every server has its own dates.
        let head = String::from_utf8_lossy(&answer(&server.authority, &scenario.path, &[])?)
            .to_ascii_lowercase();
        let date = head
            .lines()
            .find_map(|line| line.strip_prefix("last-modified:"))
            .ok_or("it sends no `Last-Modified`")?;
        let date = httpdate(date.trim());
        fields
            .iter_mut()
            .filter(|(name, _)| *name == "If-Modified-Since")
            .for_each(|(_, value)| value.clone_from(&date));
    }
    let borrowed: Vec<(&str, &str)> = fields
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    let bytes = answer(&server.authority, &scenario.path, &borrowed)?;
    let end = bytes
        .windows(4)
        .position(|window| window == b"\r\n\r\n")
        .unwrap_or(bytes.len());
    let head = String::from_utf8_lossy(&bytes[..end]).to_ascii_lowercase();
    if !head.starts_with(&format!("http/1.1 {}", scenario.status)) {
        return Err(format!(
            "it answers `{}`",
            head.lines().next().unwrap_or_default()
        ));
    }
    if !entrant.constant
        && scenario.name.contains("gzip")
        && !head.contains("content-encoding: gzip")
    {
        return Err("it sends no gzip".to_owned());
    }
    Ok(fields
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect())
}

/// An HTTP date with its capitals restored.
fn httpdate(lower: &str) -> String {
    let capital = |word: &str| {
        let mut letters = word.chars();
        letters.next().map_or_else(String::new, |first| {
            first.to_ascii_uppercase().to_string() + letters.as_str()
        })
    };
    lower
        .split(' ')
        .map(capital)
        .collect::<Vec<_>>()
        .join(" ")
        .replace("Gmt", "GMT")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_have_their_capitals_again() {
        assert_eq!(
            httpdate("sat, 21 nov 2026 19:38:38 gmt"),
            "Sat, 21 Nov 2026 19:38:38 GMT"
        );
    }
}
