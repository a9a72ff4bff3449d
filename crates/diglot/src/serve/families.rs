//! Classifies clients into a closed list of families, by words of their `User-Agent`.
//!
//! No answer depends on it. It selects the counter of a request, for rate limits and for operators.
//! Any client can send any name, so none is trusted or refused for its name alone.

use http::HeaderMap;
use http::header::USER_AGENT;

/// The kind of a family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A browser: most likely a person.
    Human,
    /// A program that fetches feeds for people.
    FeedReader,
    /// A crawler of a search engine.
    Search,
    /// A crawler or an agent of a language model.
    Ai,
    /// Another program that declares itself as one.
    Bot,
    /// A library, a tool, or unknown.
    Other,
}

impl Kind {
    /// The name in counters.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Human => "human",
            Self::FeedReader => "feed reader",
            Self::Search => "search engine",
            Self::Ai => "ai agent",
            Self::Bot => "bot",
            Self::Other => "other",
        }
    }

    /// Whether it declares to be an autonomous program.
    pub const fn is_bot(self) -> bool {
        matches!(self, Self::FeedReader | Self::Search | Self::Ai | Self::Bot)
    }
}

/// One family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Family {
    /// Its name, from the closed list.
    pub name: &'static str,
    /// Its kind.
    pub kind: Kind,
    /// Its index in tables of counters; below [`Family::COUNT`].
    index: u8,
}

use Kind::{Ai, Bot, FeedReader, Human, Other, Search};

/// Words of `User-Agent` in lower case, the family, its kind; the first match counts.
const KNOWN: &[(&str, &str, Kind)] = &[
    ("gptbot", "OpenAI", Ai),
    ("oai-searchbot", "OpenAI", Ai),
    ("chatgpt", "OpenAI", Ai),
    ("claude", "Anthropic", Ai),
    ("anthropic", "Anthropic", Ai),
    ("perplexity", "Perplexity", Ai),
    ("google-extended", "Google AI", Ai),
    ("googleother", "Google AI", Ai),
    ("gemini", "Google AI", Ai),
    ("meta-external", "Meta", Ai),
    ("mistralai", "Mistral", Ai),
    ("bytespider", "ByteDance", Ai),
    ("ccbot", "Common Crawl", Ai),
    ("cohere", "Cohere", Ai),
    ("amazonbot", "Amazon", Ai),
    ("diffbot", "Diffbot", Ai),
    ("duckassistbot", "DuckDuckGo AI", Ai),
    ("youbot", "You.com", Ai),
    ("googlebot", "Google", Search),
    ("bingbot", "Bing", Search),
    ("duckduckbot", "DuckDuckGo", Search),
    ("applebot", "Apple", Search),
    ("yandex", "Yandex", Search),
    ("baiduspider", "Baidu", Search),
    ("kagibot", "Kagi", Search),
    ("mojeek", "Mojeek", Search),
    ("marginalia", "Marginalia", Search),
    ("qwant", "Qwant", Search),
    ("seznambot", "Seznam", Search),
    ("petalbot", "Petal", Search),
    ("feedly", "Feedly", FeedReader),
    ("inoreader", "Inoreader", FeedReader),
    ("newsblur", "NewsBlur", FeedReader),
    ("miniflux", "Miniflux", FeedReader),
    ("freshrss", "FreshRSS", FeedReader),
    ("tiny tiny rss", "Tiny Tiny RSS", FeedReader),
    ("newsboat", "Newsboat", FeedReader),
    ("netnewswire", "NetNewsWire", FeedReader),
    ("feedbin", "Feedbin", FeedReader),
    ("theoldreader", "The Old Reader", FeedReader),
    ("bazqux", "BazQux", FeedReader),
    ("rss", "other feed readers", FeedReader),
    ("feed", "other feed readers", FeedReader),
    ("bot", "other bots", Bot),
    ("crawl", "other bots", Bot),
    ("spider", "other bots", Bot),
    ("firefox/", "Firefox", Human),
    ("edg/", "Edge", Human),
    ("chrome/", "Chrome", Human),
    ("safari/", "Safari", Human),
    ("mozilla/", "other browsers", Human),
    ("lynx/", "other browsers", Human),
    ("w3m/", "other browsers", Human),
    ("curl/", "curl", Other),
];

/// Only this many bytes of a `User-Agent` are read.
const LONGEST: usize = 512;
const _: () = assert!(KNOWN.len() < u8::MAX as usize, "`Family::index` is a byte");

impl Family {
    /// The number of families, including [`Family::OTHER`].
    pub const COUNT: usize = KNOWN.len() + 1;
    /// An unknown client.
    pub const OTHER: Self = Self::at(KNOWN.len());

    /// The family that a request claims.
    pub fn from_headers(headers: &HeaderMap) -> Self {
        headers
            .get(USER_AGENT)
            .map_or(Self::OTHER, |value| Self::from_name(value.as_bytes()))
    }

    fn from_name(name: &[u8]) -> Self {
        let lower = name[..name.len().min(LONGEST)].to_ascii_lowercase();
        for (word, name, _) in KNOWN {
            if memchr::memmem::find(&lower, word.as_bytes()).is_some() {
                return Self::named(name);
            }
        }
        Self::OTHER
    }

    /// The family of this name, for stored counters.
    pub fn named(name: &str) -> Self {
        Self::at(
            KNOWN
                .iter()
                .position(|(_, known, _)| *known == name)
                .unwrap_or(KNOWN.len()),
        )
    }

    /// The family at this index.
    pub(crate) const fn at(index: usize) -> Self {
        #[allow(clippy::cast_possible_truncation, reason = "the list is short")]
        if index < KNOWN.len() {
            Self {
                name: KNOWN[index].1,
                kind: KNOWN[index].2,
                index: index as u8,
            }
        } else {
            Self {
                name: "other",
                kind: Kind::Other,
                index: KNOWN.len() as u8,
            }
        }
    }

    /// Its index, the same for equal names, below [`Family::COUNT`].
    pub(crate) fn index(self) -> usize {
        usize::from(self.index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_by_real_names() {
        let check = |agent: &str, name: &'static str, kind: Kind| {
            let family = Family::from_name(agent.as_bytes());
            assert_eq!(
                (family.name, family.kind, family),
                (name, kind, Family::named(name)),
                "{agent}"
            );
        };
        check(
            "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
            "Firefox",
            Kind::Human,
        );
        check(
            "Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15",
            "Safari",
            Kind::Human,
        );
        check(
            "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0",
            "Edge",
            Kind::Human,
        );
        check(
            "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
            "OpenAI",
            Kind::Ai,
        );
        check(
            "Mozilla/5.0 AppleWebKit/537.36 (compatible; ClaudeBot/1.0; +claudebot@anthropic.com)",
            "Anthropic",
            Kind::Ai,
        );
        check(
            "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
            "Google",
            Kind::Search,
        );
        check(
            "Feedly/1.0 (+http://www.feedly.com/fetcher.html; 3 subscribers)",
            "Feedly",
            Kind::FeedReader,
        );
        check(
            "Mozilla/5.0 (compatible; SomeBot/1.0)",
            "other bots",
            Kind::Bot,
        );
        check("curl/8.5.0", "curl", Kind::Other);
        check("", "other", Kind::Other);
        check(&format!("{}gptbot", "x".repeat(600)), "other", Kind::Other);
    }

    #[test]
    fn every_family_is_found_by_its_name() {
        for (_, name, kind) in KNOWN {
            let family = Family::named(name);
            assert_eq!(
                (family.name, family.kind, Family::at(family.index())),
                (*name, *kind, family)
            );
        }
    }

    #[test]
    fn the_first_word_of_the_list_counts_wherever_it_stands() {
        for (one, (first, ..)) in KNOWN.iter().enumerate() {
            for (other, (second, ..)) in KNOWN.iter().enumerate() {
                let agent = format!("x{} {second}{first}y", first.to_uppercase());
                let expected = KNOWN
                    .iter()
                    .position(|(word, ..)| agent.to_lowercase().contains(word))
                    .unwrap();
                assert!(expected <= one.min(other));
                assert_eq!(
                    Family::from_name(agent.as_bytes()).name,
                    KNOWN[expected].1,
                    "{agent}"
                );
            }
        }
    }
}
