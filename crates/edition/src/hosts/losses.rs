//! The features that each host lacks compared with `diglot serve`: one table for the docs and every
//! generated file.

/// A static host, or a kind of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Host {
    /// nginx, 1.18 and later.
    Nginx,
    /// Caddy, 2.6 and later.
    Caddy,
    /// Apache httpd 2.4 with `.htaccess`.
    Apache,
    /// Netlify.
    Netlify,
    /// Cloudflare Workers static assets.
    Cloudflare,
}

impl Host {
    /// All hosts, in the order of the table's columns.
    pub const ALL: [Self; 5] = [
        Self::Nginx,
        Self::Caddy,
        Self::Apache,
        Self::Netlify,
        Self::Cloudflare,
    ];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Nginx => "nginx",
            Self::Caddy => "Caddy",
            Self::Apache => "Apache",
            Self::Netlify => "Netlify",
            Self::Cloudflare => "Cloudflare",
        }
    }
}

/// A row: a feature of `diglot serve`, and each host's support.
#[derive(Debug)]
pub struct Feature {
    /// The feature.
    pub name: &'static str,
    /// The hosts' cells, in the order of [`Host::ALL`].
    pub hosts: [Cell; 5],
}

/// A host's support for a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// Same as `diglot serve`.
    Yes,
    /// Partial, with the difference.
    Partly(&'static str),
    /// None.
    No,
}

use Cell::{No, Partly, Yes};

/// The table.
pub const FEATURES: &[Feature] = &[
    Feature {
        name: "bytes, status and media type of every resource",
        hosts: [
            Yes,
            Yes,
            Yes,
            Yes,
            Partly("addresses with `+`, `&` and their like by a redirect to `%2B`, `%26`"),
        ],
    },
    Feature {
        name: "`Cache-Control`, `Vary`, usage signals, security headers",
        hosts: [Yes; 5],
    },
    Feature {
        name: "`Link` on every page",
        hosts: [
            Yes,
            Yes,
            Yes,
            Partly("without the page's own twin and canonical"),
            Partly("with `.diglot-hosts/cloudflare/_headers` in place of `_headers`"),
        ],
    },
    Feature {
        name: "Markdown for `Accept: text/markdown`",
        hosts: [
            Partly("at full weight; weighed against HTML it errs to HTML"),
            Partly("at full weight; weighed against HTML it errs to HTML"),
            Partly("at full weight; weighed against HTML it errs to HTML"),
            No,
            No,
        ],
    },
    Feature {
        name: "old addresses: 301",
        hosts: [
            Yes,
            Yes,
            Yes,
            Partly("by their stub pages"),
            Partly("at most 2,000 and patterns"),
        ],
    },
    Feature {
        name: "expired articles: 410",
        hosts: [Yes, Yes, Yes, No, No],
    },
    Feature {
        name: "404 page",
        hosts: [
            Partly("no JSON, no nearest pages"),
            Partly("no JSON, no nearest pages"),
            Partly("no JSON, no nearest pages"),
            Partly("HTML only, cached like a page"),
            Partly("HTML only, with the host's own caching"),
        ],
    },
    Feature {
        name: "near misses (case, slash, missing suffix): 308",
        hosts: [No; 5],
    },
    Feature {
        name: "strong validators that agree on every machine",
        hosts: [
            Partly("from date and size"),
            Partly("from date and size"),
            Partly("from date and size"),
            Partly("the host's own"),
            Partly("the host's own"),
        ],
    },
    Feature {
        name: "pre-compressed files (`--compress`)",
        hosts: [Partly("gzip; Brotli with its module"), Yes, No, No, No],
    },
    Feature {
        name: "`OPTIONS` and CORS preflight",
        hosts: [Yes, Yes, Yes, No, No],
    },
    Feature {
        name: "`/robots.txt` and the API catalog at the origin's root, when the site is below it",
        hosts: [Yes, Yes, Partly("copy both files there"), Yes, Yes],
    },
    Feature {
        name: "scheduled and expired articles change by themselves",
        hosts: [No; 5],
    },
];

/// What one host lacks, as a clause: the row names, separated by semicolons.
pub fn lost(host: Host) -> String {
    let column = host as usize;
    let part = |feature: &Feature| match feature.hosts[column] {
        Yes => None,
        Partly(how) => Some(format!("{} ({how})", feature.name)),
        No => Some(feature.name.to_owned()),
    };
    FEATURES
        .iter()
        .filter_map(part)
        .collect::<Vec<_>>()
        .join("; ")
}

/// The whole table in Markdown, as in the docs.
pub fn markdown() -> String {
    let mut out = String::from("| `diglot serve` does |");
    for host in Host::ALL {
        out.push_str(&format!(" {} |", host.name()));
    }
    out.push_str(&format!("\n|{}\n", "---|".repeat(Host::ALL.len() + 1)));
    for feature in FEATURES {
        out.push_str(&format!("| {} |", feature.name));
        for cell in feature.hosts {
            let text = match cell {
                Yes => "yes",
                Partly(how) => how,
                No => "no",
            };
            out.push_str(&format!(" {text} |"));
        }
        out.push('\n');
    }
    out
}
