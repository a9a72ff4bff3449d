//! robots.txt (RFC 9309), and usage signals from any source.

use std::collections::BTreeMap;

/// A group of rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Group {
    /// The user agents it applies to, in lower case.
    pub agents: Vec<String>,
    /// Its `Content-Signal` lines.
    pub signals: Vec<String>,
    /// Its `Disallow` paths.
    pub disallowed: Vec<String>,
}

/// The file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Robots {
    /// Groups in order.
    pub groups: Vec<Group>,
    /// Its `Sitemap` lines.
    pub sitemaps: Vec<String>,
}

/// Parses the file; invalid lines are ignored, as the RFC says.
pub fn read(text: &str) -> Robots {
    let mut robots = Robots::default();
    let mut in_agents = false;
    for line in text.trim_start_matches('\u{feff}').lines() {
        let Some((name, value)) = line.split('#').next().unwrap_or_default().split_once(':') else {
            continue;
        };
        let (name, value) = (name.trim().to_ascii_lowercase(), value.trim().to_owned());
        if name == "sitemap" {
            robots.sitemaps.push(value);
            continue;
        }
        let is_agent = name == "user-agent";
        if is_agent && !in_agents {
            robots.groups.push(Group::default());
        }
        in_agents = is_agent;
        if let Some(group) = robots.groups.last_mut() {
            group.add(&name, value);
        }
    }
    robots
}

impl Robots {
    /// The group for all user agents.
    pub fn everybody(&self) -> Option<&Group> {
        let mut groups = self.groups.iter();
        groups.find(|group| group.agents.iter().any(|agent| agent == "*"))
    }
}

impl Group {
    fn add(&mut self, name: &str, value: String) {
        match name {
            "user-agent" => self.agents.push(value.to_ascii_lowercase()),
            "content-signal" => self.signals.push(value),
            "disallow" if !value.is_empty() => self.disallowed.push(value),
            _ => {}
        }
    }
}

/// The names and values of a signal: `search=yes, ai-train=no`.
pub fn signals(value: &str) -> BTreeMap<String, String> {
    let pairs = value
        .split([',', ';'])
        .filter_map(|part| part.split_once('='));
    pairs
        .map(|(name, value)| {
            (
                name.trim().to_ascii_lowercase(),
                value.trim().to_ascii_lowercase(),
            )
        })
        .collect()
}

/// The AIPREF value that corresponds to a `Content-Signal`; AIPREF has no term for `ai-input`.
pub fn usage(signals: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let word = |value: &String| {
        if value == "yes" {
            "y".to_owned()
        } else {
            "n".to_owned()
        }
    };
    let of = |name: &str, own: &str| signals.get(name).map(|value| (own.to_owned(), word(value)));
    [of("search", "search"), of("ai-train", "train-ai")]
        .into_iter()
        .flatten()
        .collect()
}

/// A signal in its normalised spelling, sorted.
pub fn line(signals: &BTreeMap<String, String>) -> String {
    signals
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect::<Vec<_>>()
        .join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_begin_with_agents_and_comments_do_not_count() {
        let robots = read(
            "# User-agent: x\nUser-agent: *\nUser-Agent: Bot # one\nContent-Signal: search=yes\nDisallow:\n\nUser-agent: b\nDisallow: /\nSitemap: https://a/s.xml\n",
        );
        assert_eq!(robots.groups.len(), 2);
        assert_eq!(robots.groups[0].agents, ["*", "bot"]);
        assert_eq!(
            (
                robots.groups[0].signals.as_slice(),
                robots.groups[0].disallowed.len()
            ),
            (&["search=yes".to_owned()][..], 0)
        );
        assert_eq!(
            (
                robots.groups[1].disallowed.as_slice(),
                robots.sitemaps.as_slice()
            ),
            (&["/".to_owned()][..], &["https://a/s.xml".to_owned()][..])
        );
    }

    #[test]
    fn usage_follows_from_the_signals() {
        let own = signals("Search=yes, ai-input=yes,ai-train=no");
        assert_eq!(line(&own), "ai-input=yes, ai-train=no, search=yes");
        assert_eq!(line(&usage(&own)), "search=y, train-ai=n");
    }
}
