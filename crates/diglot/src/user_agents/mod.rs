//! What well-known programs ask a site for, and where they cut what they get, as far as that is
//! published. `table.tsv` has all of it, with sources and dates.

pub mod view;

use std::fmt;
use std::sync::LazyLock;

/// The table: one program a line.
const TABLE: &str = include_str!("table.tsv");

/// A program that reads sites.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserAgent {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it asks for.
    pub asks: Asks,
    /// Its `Accept`.
    pub accept: &'static str,
    /// Where the request is published, and when it was so.
    pub source: [&'static str; 2],
    /// Its product token in `robots.txt` (RFC 9309 section 2.2.1), if it is known to obey it.
    pub token: Option<&'static str>,
    /// Where it cuts, if that is published.
    pub limit: Option<Limit>,
    /// Where the limit is published, and when it was so; empty if nothing is known.
    pub limit_source: [&'static str; 2],
    /// What else to know.
    pub note: &'static str,
}

/// What a program asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asks {
    /// The address of each page.
    Page,
    /// The address of each page, then the Markdown form that the answer links to.
    Twin,
    /// The feed.
    Feed,
}

/// How much of a page a program reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Characters of text: of the Markdown form, or of the HTML form turned into such a text.
    Characters(usize),
    /// Bytes of the answer, without its content-coding.
    Bytes(usize),
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (count, unit) = match self {
            Self::Characters(count) => (count, "characters"),
            Self::Bytes(count) => (count, "bytes"),
        };
        write!(f, "{} {unit}", diglot_content::text::thousands(*count))
    }
}

/// All programs of the table.
pub fn all() -> &'static [UserAgent] {
    static ALL: LazyLock<Vec<UserAgent>> =
        LazyLock::new(|| TABLE.lines().skip(1).filter_map(row).collect());
    &ALL
}

/// The program of this name.
///
/// # Errors
/// The names that there are.
pub fn find(name: &str) -> Result<&'static UserAgent, String> {
    let found = all().iter().find(|agent| agent.name == name);
    found.ok_or_else(|| {
        let names: Vec<&str> = all().iter().map(|agent| agent.name).collect();
        format!("write one of `{}`", names.join("`, `"))
    })
}

fn row(line: &'static str) -> Option<UserAgent> {
    let cells: Vec<&'static str> = line.split('\t').collect();
    let [
        name,
        asks,
        accept,
        source,
        date,
        token,
        limit,
        unit,
        limit_source,
        limit_date,
        note,
    ] = cells[..]
    else {
        return None;
    };
    let known = |cell: &'static str| (cell != "-").then_some(cell);
    let limit = match (limit.parse(), unit) {
        (Ok(count), "characters") => Some(Limit::Characters(count)),
        (Ok(count), "bytes") => Some(Limit::Bytes(count)),
        _ => None,
    };
    Some(UserAgent {
        name,
        asks: match asks {
            "page" => Asks::Page,
            "twin" => Asks::Twin,
            "feed" => Asks::Feed,
            _ => return None,
        },
        accept,
        source: [source, date],
        token: known(token),
        limit,
        limit_source: [limit_source, limit_date].map(|cell| known(cell).unwrap_or_default()),
        note,
    })
}

/// The table of the docs.
pub fn markdown() -> String {
    let mut table =
        "| Program | Asks for | Accept | Limit | Note |\n|---|---|---|---|---|\n".to_owned();
    for agent in all() {
        let asks = match agent.asks {
            Asks::Page => "each page",
            Asks::Twin => "each page, then its Markdown form",
            Asks::Feed => "`/rss.xml`",
        };
        let cited = |[source, date]: [&str; 2]| match source {
            "" => String::new(),
            _ => format!(" ([source]({source}), {date})"),
        };
        let limit = agent
            .limit
            .map_or_else(|| "unknown".to_owned(), |limit| limit.to_string());
        table += &format!(
            "| `{}` | {asks} | `{}`{} | {limit}{} | {} |\n",
            agent.name,
            agent.accept,
            cited(agent.source),
            cited(agent.limit_source),
            agent.note
        );
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_table_is_read_and_has_its_sources_and_dates() {
        assert_eq!(all().len(), TABLE.lines().count() - 1);
        for agent in all() {
            let cited = |[source, date]: [&str; 2]| {
                source.starts_with("https://") && date.parse::<jiff::civil::Date>().is_ok()
            };
            assert!(cited(agent.source), "{}", agent.name);
            // A limit without a source would be invented.
            assert!(
                agent.limit.is_none() || cited(agent.limit_source),
                "{}",
                agent.name
            );
            assert!(
                !agent.note.is_empty()
                    && http::HeaderValue::from_static(agent.accept)
                        .to_str()
                        .is_ok()
            );
        }
    }

    #[test]
    fn an_unknown_name_is_answered_with_the_names() {
        assert_eq!(find("newsboat").map(|agent| agent.asks), Ok(Asks::Feed));
        assert!(
            find("netscape")
                .unwrap_err()
                .contains("`claude-code`, `codex`")
        );
    }
}
