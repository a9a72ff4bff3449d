//! The severity of a finding, its cost, and the rules that leave a check out.

use serde::Serialize;

/// How bad a failed check is. Every check has exactly one severity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Every client gets what it asked for; a detail could be better.
    Minor,
    /// Something that Diglot promises is absent, but no client is misled.
    Missing,
    /// A client fails, or gets wrong information.
    Broken,
    /// Readers get wrong or unsafe bytes, now or from the next cache.
    Harm,
}

impl Severity {
    /// All of them, worst first.
    pub const ALL: [Self; 4] = [Self::Harm, Self::Broken, Self::Missing, Self::Minor];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Minor => "minor",
            Self::Missing => "missing",
            Self::Broken => "broken",
            Self::Harm => "harm",
        }
    }

    /// What it means.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Minor => "everybody gets what they asked for; a detail could be better",
            Self::Missing => "something that Diglot promises is absent; nobody is misled",
            Self::Broken => "a client fails, or believes something that is not so",
            Self::Harm => "readers get wrong or unsafe bytes, now or from the next cache",
        }
    }

    /// The share of its group's weight that a failed check costs, in percent.
    pub const fn share(self) -> u32 {
        match self {
            Self::Minor => 5,
            Self::Missing => 25,
            Self::Broken => 50,
            Self::Harm => 100,
        }
    }

    /// The highest score of a site with a finding this bad.
    pub const fn ceiling(self) -> u32 {
        match self {
            Self::Minor | Self::Missing => 99,
            Self::Broken => 89,
            Self::Harm => 49,
        }
    }

    /// The table for the documentation.
    pub fn markdown() -> String {
        let row = |severity: Self| {
            let (name, meaning) = (severity.name(), severity.meaning());
            format!(
                "| `{name}` | {meaning} | {} % | {} |\n",
                severity.share(),
                severity.ceiling()
            )
        };
        let rows: String = Self::ALL.into_iter().map(row).collect();
        format!(
            "| Severity | Means | Costs of its group | Highest score with it |\n|---|---|---|---|\n{rows}"
        )
    }
}

/// Why a check cannot apply to a site and is not part of the sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// The site is requested over plain HTTP.
    PlainHttp,
    /// The site is requested at a local address.
    Loopback,
    /// No cache in front of the site is visible.
    NoCache,
    /// No `.html` address serves Markdown.
    NoNegotiation,
    /// The site has nothing of this kind.
    NoCase,
    /// A prerequisite of the check is absent, and another check counts that.
    Counted,
}

impl Rule {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::PlainHttp,
        Self::Loopback,
        Self::NoCache,
        Self::NoNegotiation,
        Self::NoCase,
        Self::Counted,
    ];

    /// Its name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::PlainHttp => "plain-http",
            Self::Loopback => "loopback",
            Self::NoCache => "no-cache",
            Self::NoNegotiation => "no-negotiation",
            Self::NoCase => "no-case",
            Self::Counted => "counted",
        }
    }

    /// Its description.
    pub const fn text(self) -> &'static str {
        match self {
            Self::PlainHttp => "the site is asked over plain http: nothing can be said about https",
            Self::Loopback => {
                "the site is asked at an address of this machine: a preview does not know its final address"
            }
            Self::NoCache => {
                "no answer names a cache in front (`Age`, `X-Cache`, `CF-Cache-Status`, …), and none was seen to mix up its answers"
            }
            Self::NoNegotiation => {
                "no `.html` address gives Markdown, so the two forms cannot be confused; the group `negotiation` counts that"
            }
            Self::NoCase => {
                "the site has nothing of the kind: no redirect, no file with a hash in its name, fewer than three articles, no text over 1,000 bytes, no list of changes"
            }
            Self::Counted => "what the check needs is absent, and another check counts that",
        }
    }

    /// The table for the documentation.
    pub fn markdown() -> String {
        let rows: String = Self::ALL
            .into_iter()
            .map(|rule| format!("| `{}` | {} |\n", rule.name(), rule.text()))
            .collect();
        format!("| Rule | A check is left out because |\n|---|---|\n{rows}")
    }
}
