//! Where to fix a finding: the file or setting of a Diglot site, by the host that publishes it; the
//! header or document of any other site.

use crate::evidence::Evidence;

/// What has to change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fix {
    /// A header field, by its name.
    Header(&'static str),
    /// How the host answers, in a few words: which addresses, statuses and methods.
    Host(&'static str),
    /// The behaviour of a cache or CDN in front.
    Cache,
    /// The document at a path.
    Document(&'static str),
    /// A setting of `diglot.toml`, and what to change on other sites.
    Setting(&'static str, &'static str),
    /// The page templates: a template of the theme folder.
    Theme(&'static str),
    /// The `.md` files of the pages.
    Twins,
    /// The text of an article: `diglot check` names the line.
    Articles,
}

/// What publishes the site, judging by its answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Publisher {
    /// `diglot serve`, with no visible proxy in front.
    Server,
    /// `diglot serve` behind a proxy that names itself.
    Behind,
    /// An export of Diglot on nginx.
    Nginx,
    /// An export on Caddy.
    Caddy,
    /// An export on Apache.
    Apache,
    /// An export on Netlify.
    Netlify,
    /// An export on Cloudflare.
    Cloudflare,
    /// An export on a host for which Diglot writes no configuration.
    Static,
    /// A site that Diglot did not build.
    Other,
}

/// The first `Server` field, in lower case.
fn server_field(evidence: &Evidence) -> String {
    let fields = evidence
        .answers
        .values()
        .map(|answer| answer.field("server"));
    let mut named = fields.filter(|name| !name.is_empty());
    named.next().unwrap_or_default().to_lowercase()
}

impl Publisher {
    /// Detects it by Diglot's own documents, its tags, and the `Server` field.
    pub fn detect(evidence: &Evidence) -> Self {
        let says = |path: &str, words: &str| {
            evidence
                .found(path)
                .is_some_and(|answer| answer.says(words))
        };
        if !says("/rss.xml", "<generator>Diglot</generator>")
            && !says("/status.json", "\"releaseId\"")
        {
            return Self::Other;
        }
        let server = server_field(evidence);
        // Diglot's own tags pass through a proxy; a static host computes its own.
        if evidence
            .successes()
            .any(|(_, answer)| is_own(answer.field("etag")))
        {
            return if server.is_empty() {
                Self::Server
            } else {
                Self::Behind
            };
        }
        Self::named_by(&server)
    }

    /// The host that the field `Server` names.
    fn named_by(server: &str) -> Self {
        let hosts = [
            ("nginx", Self::Nginx),
            ("openresty", Self::Nginx),
            ("caddy", Self::Caddy),
            ("apache", Self::Apache),
            ("netlify", Self::Netlify),
            ("cloudflare", Self::Cloudflare),
        ];
        hosts
            .into_iter()
            .find_map(|(name, host)| server.contains(name).then_some(host))
            .unwrap_or(Self::Static)
    }

    /// The file that configures the host.
    const fn rules(self) -> &'static str {
        match self {
            Self::Server => "the proxy or CDN in front of `diglot serve`, if there is one",
            Self::Behind => "the configuration of the server in front of `diglot serve`",
            Self::Nginx => "`.diglot-hosts/nginx-server.conf`, included in the `server` block",
            Self::Caddy => "`.diglot-hosts/Caddyfile`, imported into the site block",
            Self::Apache => "`.htaccess`, with `AllowOverride All`",
            Self::Netlify => "`_headers` and `_redirects` in the published folder",
            Self::Cloudflare => "`.diglot-hosts/cloudflare/_headers`, copied to `_headers`",
            Self::Static | Self::Other => "the configuration of the host",
        }
    }

    /// Whether Diglot built the site.
    const fn is_diglot(self) -> bool {
        !matches!(self, Self::Other)
    }
}

/// Whether Diglot's server wrote a tag: 32 hexadecimal digits, then optionally a coding.
fn is_own(tag: &str) -> bool {
    let tag = tag.trim_start_matches("W/").trim_matches('"');
    let digest = tag.split('-').next().unwrap_or_default();
    digest.len() == 32 && digest.bytes().all(|byte| byte.is_ascii_hexdigit())
}

impl Fix {
    /// The file, setting, header or document to change on a site of this publisher.
    pub fn place(self, publisher: Publisher) -> String {
        match self.place_on_diglot() {
            Some(place) if publisher.is_diglot() => place,
            _ => self.place_on_host(publisher),
        }
    }

    /// What Diglot writes or reads; `None` for what the host alone decides.
    fn place_on_diglot(self) -> Option<String> {
        Some(match self {
            Self::Header(_) | Self::Host(_) | Self::Cache => return None,
            Self::Document(path) => format!("`{path}` as Diglot writes it"),
            Self::Setting(name, _) => format!("`{name}` in `diglot.toml`"),
            Self::Theme(template) => {
                format!("`{template}` of the theme folder (setting `theme`), if the site has one")
            }
            Self::Twins => "the `.md` files as Diglot writes them".to_owned(),
            Self::Articles => "the article's file: `diglot check` names the line".to_owned(),
        })
    }

    /// What to change on a host, and on a site that Diglot did not build.
    fn place_on_host(self, publisher: Publisher) -> String {
        match self {
            Self::Header(name) if matches!(publisher, Publisher::Other | Publisher::Static) => {
                format!("the header `{name}`")
            }
            Self::Header(name) => format!("{} (header `{name}`)", publisher.rules()),
            Self::Host(what) => format!("{} ({what})", publisher.rules()),
            Self::Cache => "the cache or CDN in front".to_owned(),
            Self::Document(path) => format!("the document `{path}`"),
            Self::Setting(_, other) => other.to_owned(),
            Self::Theme(_) => "the template of the pages".to_owned(),
            Self::Twins => "the `.md` form of the pages".to_owned(),
            Self::Articles => "the text of the page".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_a_file_of_the_host_or_a_header_of_the_site() {
        let header = Fix::Header("X-Content-Type-Options");
        assert_eq!(
            header.place(Publisher::Nginx),
            "`.diglot-hosts/nginx-server.conf`, included in the `server` block (header `X-Content-Type-Options`)"
        );
        assert_eq!(
            header.place(Publisher::Other),
            "the header `X-Content-Type-Options`"
        );
        assert_eq!(
            Fix::Setting("base_url", "the links of the feed").place(Publisher::Netlify),
            "`base_url` in `diglot.toml`"
        );
        assert_eq!(
            Fix::Setting("base_url", "the links of the feed").place(Publisher::Other),
            "the links of the feed"
        );
    }

    #[test]
    fn tags_of_the_server_are_known() {
        for (tag, own) in [
            ("\"08df63f141e523bbb4a0f191f721108e\"", true),
            ("W/\"08df63f141e523bbb4a0f191f721108e-br1\"", true),
            ("\"6540-1a2b\"", false),
            ("", false),
        ] {
            assert_eq!(is_own(tag), own, "{tag}");
        }
    }
}
