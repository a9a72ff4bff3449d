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
    /// Its `Allow` paths.
    pub allowed: Vec<String>,
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

    /// Whether a crawler with this product token may ask for a path (RFC 9309 section 2.2). The path
    /// begins at the root of the host and has its query.
    pub fn allows(&self, agent: &str, path: &str) -> bool {
        let agent = agent.to_ascii_lowercase();
        let of = |name: &str| {
            let is_named = |group: &&Group| group.agents.iter().any(|own| own == name);
            self.groups.iter().filter(is_named).collect::<Vec<_>>()
        };
        let groups = match of(&agent) {
            own if !own.is_empty() => own,
            _ => of("*"),
        };
        let longest = |rules: fn(&Group) -> &[String]| {
            let rules = groups.iter().flat_map(|group| rules(group));
            let fitting = rules.filter(|rule| fits(rule, path));
            fitting.map(String::len).max()
        };
        // The longest rule decides; of two of one length the one that allows.
        path == "/robots.txt"
            || longest(|group| &group.allowed) >= longest(|group| &group.disallowed)
    }
}

/// Whether a rule fits the beginning of a path: `*` is any text, and `$` at the end the end of the
/// path (RFC 9309 section 2.2.3).
fn fits(rule: &str, path: &str) -> bool {
    let (rule, whole) = match rule.strip_suffix('$') {
        Some(rule) => (rule, true),
        None => (rule, false),
    };
    let mut pieces = rule.split('*');
    let Some(mut rest) = path.strip_prefix(pieces.next().unwrap_or_default()) else {
        return false;
    };
    let pieces: Vec<&str> = pieces.collect();
    for (number, piece) in pieces.iter().enumerate() {
        if whole && number + 1 == pieces.len() {
            return rest.ends_with(piece);
        }
        match rest.find(piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    !whole || rest.is_empty()
}

impl Group {
    fn add(&mut self, name: &str, value: String) {
        match name {
            "user-agent" => self.agents.push(value.to_ascii_lowercase()),
            "content-signal" => self.signals.push(value),
            "disallow" if !value.is_empty() => self.disallowed.push(value),
            "allow" if !value.is_empty() => self.allowed.push(value),
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
    fn rfc_9309_2_2_2_the_longest_rule_decides() {
        let robots = read(
            "User-agent: *\nDisallow: /\n\nUser-agent: one\nUser-agent: two\nDisallow: /a\nAllow: /a/b\nDisallow: /*.md$\n\
             \nUser-agent: two\nDisallow: /c*d\nUser-agent: three\nDisallow: /e\nAllow: /e\n",
        );
        for (agent, path, allowed) in [
            ("nobody", "/x", false),
            ("nobody", "/robots.txt", true),
            ("One", "/x", true),
            ("one", "/a", false),
            ("one", "/a/b/c", true),
            ("one", "/x.md", false),
            ("one", "/x.md?q", true),
            ("one", "/c-d", true),
            ("two", "/c-d/e", false),
            ("two", "/x.md", false),
            ("three", "/e", true),
        ] {
            assert_eq!(robots.allows(agent, path), allowed, "{agent} {path}");
        }
    }

    #[test]
    fn usage_follows_from_the_signals() {
        let own = signals("Search=yes, ai-input=yes,ai-train=no");
        assert_eq!(line(&own), "ai-input=yes, ai-train=no, search=yes");
        assert_eq!(line(&usage(&own)), "search=y, train-ai=n");
    }
}
