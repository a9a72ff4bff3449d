//! Every limit that can be set, each with its effect and its reason, and the fixed limits of other
//! files. `docs/limits.md` shows the same tables.

use std::ops::RangeInclusive;
use std::time::Duration;

use diglot_content::Bounds;
use diglot_content::text::nearest;

/// The syntax of a value on the command line and in the docs. Its base unit is one, one byte, or
/// one millisecond.
trait Value: Copy {
    /// Whether it is a time, not a number.
    const IS_TIME: bool;
    /// The units of a value, and how many base units each has. `ms` precedes `s`, which it ends
    /// with.
    const UNITS: &'static [(&'static str, u64)];

    fn parse(text: &str) -> Option<Self>;
    fn base(self) -> u64;
    fn show(self, name: &str) -> String;
}

/// Splits digits from their unit; returns the digits and the unit's factor.
fn split_unit<'t>(text: &'t str, units: &[(&str, u64)], without: u64) -> (&'t str, u64) {
    for (unit, factor) in units {
        if let Some(digits) = text.strip_suffix(unit) {
            return (digits.trim(), *factor);
        }
    }
    (text, without)
}

/// Reads a number of bytes such as `16GiB`.
///
/// # Errors
/// What to write instead.
pub fn bytes(text: &str) -> Result<u64, String> {
    <u64 as Value>::parse(text).ok_or_else(|| "write a size such as `16GiB`".to_owned())
}

fn show_number(number: u64, name: &str) -> String {
    let is_bytes = name.ends_with("bytes");
    match number {
        0 => "0 (off)".to_owned(),
        _ if is_bytes && number.is_multiple_of(1 << 20) => format!("{} MiB", number >> 20),
        _ if is_bytes && number.is_multiple_of(1 << 10) => format!("{} KiB", number >> 10),
        _ => number.to_string(),
    }
}

macro_rules! number {
    ($($kind:ty),*) => {$(
        impl Value for $kind {
            const IS_TIME: bool = false;
            const UNITS: &'static [(&'static str, u64)] =
                &[("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30)];

            fn parse(text: &str) -> Option<Self> {
                let (digits, factor) = split_unit(text, Self::UNITS, 1);
                let number = digits.replace(['_', ','], "").parse::<u64>().ok()?;
                Self::try_from(number.checked_mul(factor)?).ok()
            }

            fn base(self) -> u64 {
                u64::try_from(self).unwrap_or(u64::MAX)
            }

            fn show(self, name: &str) -> String {
                show_number(self.base(), name)
            }
        }
    )*};
}
number!(u32, u64, usize);

impl Value for Duration {
    const IS_TIME: bool = true;
    const UNITS: &'static [(&'static str, u64)] =
        &[("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000)];

    fn parse(text: &str) -> Option<Self> {
        let (digits, factor) = split_unit(text, Self::UNITS, 1_000);
        Some(Self::from_millis(
            digits.parse::<u64>().ok()?.checked_mul(factor)?,
        ))
    }

    fn base(self) -> u64 {
        u64::try_from(self.as_millis()).unwrap_or(u64::MAX)
    }

    fn show(self, _: &str) -> String {
        format!("{} s", self.as_secs_f64())
    }
}

macro_rules! limits {
    ($($(#[doc = $about:literal])+ $field:ident: $kind:ty = $default:expr, $least:literal..=$most:literal, $beyond:literal, $reason:literal;)*) => {
        /// All configurable limits.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Limits {
            $($(#[doc = $about])+ pub $field: $kind,)*
        }

        impl Default for Limits {
            fn default() -> Self {
                Self { $($field: $default,)* }
            }
        }

        impl Limits {
            /// Sets one limit: its name as on the command line (`head-bytes`), and its value
            /// (`64KiB`, `90s`, `200`).
            ///
            /// # Errors
            /// The name is unknown, or the value is invalid, too small or too large.
            pub fn set(&mut self, name: &str, value: &str) -> Result<(), Wrong> {
                $(if name == stringify!($field).replace('_', "-") {
                    let default: $kind = $default;
                    self.$field = read(name, value, default, $least..=$most)?;
                    return Ok(());
                })*
                Err(unknown(name))
            }

            /// The names, in the order of the table.
            fn names() -> Vec<String> {
                vec![$(stringify!($field).replace('_', "-")),*]
            }

            /// The table of the docs: name, default, subject, effect and reason.
            pub fn markdown() -> String {
                let default = Self::default();
                let mut table = "| Limit | Default | What it bounds | Beyond it | Why so |\n|---|---|---|---|---|\n".to_owned();
                $(table += &format!(
                    "| `{}` | {} | {} | {} | {} |\n",
                    stringify!($field).replace('_', "-"), default.$field.show(stringify!($field)), concat!($($about),+).trim(), $beyond, $reason
                );)*
                table
            }
        }
    };
}

limits! {
    /// connections open at once
    connections: usize = 10_000, 1..=1_000_000, "new ones wait in the system's queue; idle connections are closed to make room; what was accepted goes on",
        "an idle one costs some 9 KiB, with HTTP/2 20, over TLS 18 and 41; never more than the descriptors that the system allows, less 64";
    /// connections open at once from one address (IPv6: from one /64)
    connections_per_address: usize = 0, 0..=1_000_000, "`503` with `Retry-After` (with TLS: closed)",
        "many people share an address; never for the loopback address and trusted proxies, behind which all clients share one";
    /// requests on one connection
    requests_per_connection: u64 = 100_000, 1..=1_000_000_000, "the last answer closes the connection (HTTP/2: `GOAWAY`)",
        "nobody who reads needs more, and long-lived clients are spread again";
    /// time of a TLS handshake
    handshake_time: Duration = Duration::from_secs(10), 100..=600_000, "closed", "two round trips, even over a satellite, take two seconds";
    /// time of a request's head, of a connection's first request, and of a request's body before
    /// the answer
    head_time: Duration = Duration::from_secs(10), 100..=600_000, "closed; a body is answered before its end", "a head is one packet; slow writers must not hold a connection";
    /// time in which no byte moves
    idle_time: Duration = Duration::from_secs(60), 100..=86_400_000, "closed", "browsers ask for more within seconds; a reader that takes nothing for a minute is gone";
    /// time for open requests to finish once the server is told to stop
    drain_time: Duration = Duration::from_secs(30), 0..=3_600_000, "cut off", "systemd waits for 90 s before it kills";
    /// bytes of a request's target
    target_bytes: usize = 8_192, 64..=8_192, "`414`", "RFC 9110 section 4.1 asks for at least 8,000; no address of ours is half as long";
    /// bytes of a request's head (HTTP/2: as RFC 9113 section 6.5.2 counts)
    head_bytes: usize = 32 * 1024, 8_192..=1_048_576, "`431`; `414` if the target alone is too long", "browsers stay far below 16 KiB, and cookies are none of ours";
    /// header fields of a request
    head_fields: usize = 100, 16..=10_000, "`431`", "browsers send some 20, proxies add some 10";
    /// HTTP/2 streams open at once on one connection
    streams: u32 = 128, 1..=10_000, "`REFUSED_STREAM`", "RFC 9113 section 5.1.2 recommends no fewer than 100";
    /// HTTP/2 streams that a client may reset, beside every second one that it opened
    resets: u64 = 128, 0..=1_000_000, "closed", "people leave pages, but not more often than they open them (\"rapid reset\", CVE-2023-44487)";
    /// HTTP/2 frames that ask for nothing, beside 8 for each request and 2 for every 4 KiB answered
    frames: u64 = 1_024, 64..=1_000_000, "closed", "acknowledging SETTINGS and PING can cost unlimited work (CVE-2019-9512, CVE-2019-9515)";
    /// bytes that wait to be sent on one HTTP/2 stream
    send_bytes: usize = 64 * 1024, 16_384..=16_777_216, "the answer waits for its reader", "enough to keep a fast line busy; they are the edition's own bytes, not copies";
    /// bytes of one text file: Markdown, HTML, data
    article_bytes: u64 = 8 * 1024 * 1024, 1_024..=1_073_741_824, "the file is set aside and named; the rest goes on", "the longest novels have 3 MiB";
    /// bytes of any other file
    file_bytes: u64 = 1024 * 1024 * 1024, 1_024..=1_099_511_627_776, "the file is set aside and named; the rest goes on",
        "what is published is held in memory; films belong elsewhere";
    /// elements inside one another, in Markdown and HTML
    nesting: usize = 96, 8..=160, "deeper ones are taken apart, and their text stays", "programs that read the pages give up at some hundreds; nobody writes twenty";
    /// time that reading one article takes of a processor
    rendering_time: Duration = Duration::from_secs(10), 100..=3_600_000, "the file is set aside and named; the rest goes on",
        "the time grows with the size and no faster (`cargo xtask hostile`): the longest novels take half a second. Every edit waits for the slowest text, once";
    /// time that reading the git history takes
    history_time: Duration = Duration::from_secs(60), 100..=86_400_000, "a warning; dates are taken from other sources",
        "10,000 commits take a second or two; a repository can be made so that it never ends";
    /// folders that are watched for edits
    watches: usize = 100_000, 0..=10_000_000, "nothing is watched: the folder is looked through every few seconds instead, which is said",
        "each costs the system a kilobyte, and has to be shared with all programs of the user";
    /// files in the folder
    files: usize = 500_000, 1..=100_000_000, "no edition is made: half a site would be worse; the last good one stays",
        "five for each of 100,000 articles; more is a folder named by mistake";
    /// pages of a former site that `diglot move` walks
    move_pages: usize = 50_000, 1..=10_000_000, "the report says that there are more, and the exit status is 3",
        "calendars and filters never end; four pages a second are three hours";
    /// bytes of all answers of a former site
    move_bytes: u64 = 4 * 1024 * 1024 * 1024, 1_048_576..=1_099_511_627_776, "the rest is not read, and named; the next run goes on",
        "50,000 pages of 80 KiB";
    /// time of one answer of a former site
    move_time: Duration = Duration::from_secs(60), 100..=3_600_000, "the page is not read, and named", "slow sites are the ones that people leave";
}

/// The size limit of one kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MostBytes {
    /// Its name in docs and messages.
    pub name: &'static str,
    /// The limit in bytes.
    pub bytes: u64,
}

impl MostBytes {
    /// A limit of this name.
    pub const fn new(name: &'static str, bytes: u64) -> Self {
        Self { name, bytes }
    }
}

impl std::fmt::Display for MostBytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (number, unit) = match self.bytes {
            bytes if bytes % (1 << 30) == 0 => (bytes >> 30, "GiB"),
            bytes if bytes % (1 << 20) == 0 => (bytes >> 20, "MiB"),
            bytes if bytes % (1 << 10) == 0 => (bytes >> 10, "KiB"),
            bytes => (bytes, "bytes"),
        };
        write!(f, "{number} {unit} (`{}`)", self.name)
    }
}

macro_rules! fixed {
    ($($(#[doc = $about:literal])+ $name:ident: $called:literal = $bytes:expr, $beyond:literal;)*) => {
        $($(#[doc = $about])+ pub const $name: MostBytes = MostBytes::new($called, $bytes);)*

        /// The table of the docs for files that are not content.
        pub fn fixed_markdown() -> String {
            let mut table = "| File | Bytes at most | Beyond it |\n|---|---|---|\n".to_owned();
            $(table += &format!("| {} | {} | {} |\n", concat!($($about),+).trim(), $name, $beyond);)*
            table
        }
    };
}

fixed! {
    /// `diglot.toml`
    SETTINGS_BYTES: "settings-bytes" = 1 << 20, "no site is made; the last good edition stays";
    /// `diglot.lock`
    LOCK_BYTES: "lock-bytes" = 128 << 20, "a warning; dates are taken from other sources";
    /// a certificate file, a key file, a file of an [authority](deployment.md#certificates) in the state
    PEM_BYTES: "pem-bytes" = 1 << 20, "the server does not start, or goes on with the old certificate";
    /// `HEAD`, `config`, a reference, `alternates` and other small files of git
    GIT_BYTES: "git-bytes" = 1 << 20, "a warning; dates are taken from other sources";
    /// `packed-refs` and `shallow` of git
    GIT_LIST_BYTES: "git-list-bytes" = 128 << 20, "as above";
    /// one object of git (a commit, a list of files)
    GIT_OBJECT_BYTES: "git-object-bytes" = 128 << 20, "as above";
    /// `dates.json`, `history.json`, `changes-….json` of the state
    STATE_BYTES: "state-bytes" = 512 << 20, "it is ignored and replaced";
    /// a kept picture of the state
    PICTURE_BYTES: "picture-bytes" = 4 << 20, "it is ignored and drawn again";
    /// the manifest of the kept edition of the state
    EDITION_BYTES: "edition-bytes" = 1 << 30, "it is ignored and replaced";
    /// counts of readers, one day
    READERS_BYTES: "readers-bytes" = 16 << 20, "it is said and left out";
    /// `migration.toml`, as [`diglot move`](move.md) reads it
    MIGRATION_BYTES: "migration-bytes" = 16 << 20, "nothing is compared or written";
    /// a kept answer of a former site
    MOVE_BYTES: "move-answer-bytes" = 64 << 20, "it is asked for again";
    /// the list of files of an export
    MANIFEST_BYTES: "manifest-bytes" = 256 << 20, "the folder is not taken for an export, and not replaced";
}

/// Why a limit cannot be set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// What is wrong.
    pub message: String,
    /// What to write instead.
    pub hint: String,
}

/// Parses a value and checks its bounds.
fn read<T: Value>(
    name: &str,
    text: &str,
    default: T,
    bounds: RangeInclusive<u64>,
) -> Result<T, Wrong> {
    let (kind, units) = if T::IS_TIME {
        ("time", T::UNITS)
    } else if name.ends_with("bytes") {
        ("size", T::UNITS)
    } else {
        ("number", &[][..])
    };
    let default = written(default.base(), units);
    let value = T::parse(text.trim()).ok_or_else(|| Wrong {
        message: format!("`{text}` is not a value for the limit `{name}`"),
        hint: format!("write a {kind}, such as `--limit {name}={default}`"),
    })?;
    if bounds.contains(&value.base()) {
        return Ok(value);
    }
    let [least, most] = [*bounds.start(), *bounds.end()].map(|bound| written(bound, units));
    Err(Wrong {
        message: format!("the limit `{name}` must be between {least} and {most}, not `{text}`"),
        hint: format!("the default is `--limit {name}={default}`"),
    })
}

/// A number of base units as it is written on the command line, in the largest unit: `8MiB`.
fn written(number: u64, units: &[(&str, u64)]) -> String {
    let fits = units
        .iter()
        .filter(|(_, factor)| number >= *factor && number.is_multiple_of(*factor));
    match fits.max_by_key(|(_, factor)| *factor) {
        Some((unit, factor)) => format!("{}{unit}", number / factor),
        None => number.to_string(),
    }
}

fn unknown(name: &str) -> Wrong {
    let names = Limits::names();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    Wrong {
        message: format!("unknown limit `{name}`"),
        hint: match nearest(name, &names) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the limits are `{}`", names.join("`, `")),
        },
    }
}

impl Limits {
    /// The bounds of reading one article.
    pub fn of_one_article(&self) -> Bounds {
        Bounds {
            nesting: self.nesting,
            time: self.rendering_time,
            clock: Some(worked),
        }
    }

    /// The defaults with these settings (`head-bytes=64KiB`) over them.
    ///
    /// # Errors
    /// For each wrong setting, as [`set`](Self::set), or that it has no `=`.
    pub fn with<'a>(settings: impl IntoIterator<Item = &'a str>) -> Result<Self, Vec<Wrong>> {
        let mut limits = Self::default();
        let mut wrong = Vec::new();
        for setting in settings {
            let set = match setting.split_once('=') {
                Some((name, value)) => limits.set(name.trim(), value),
                None => Err(without_value(setting)),
            };
            wrong.extend(set.err());
        }
        match wrong.is_empty() {
            true => Ok(limits),
            false => Err(wrong),
        }
    }
}

fn without_value(setting: &str) -> Wrong {
    Wrong {
        message: format!("the limit `{setting}` has no value"),
        hint: "write a name and a value, such as `--limit article-bytes=256MiB`".to_owned(),
    }
}

/// The CPU time of this thread, so that the load of the machine does not count.
#[cfg(target_os = "linux")]
fn worked() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(
        u64::try_from(time.tv_sec).unwrap_or(0),
        u32::try_from(time.tv_nsec).unwrap_or(0),
    )
}

/// The running time of the process, on systems without a CPU time per thread.
#[cfg(not(target_os = "linux"))]
fn worked() -> Duration {
    static BEGUN: std::sync::LazyLock<std::time::Instant> =
        std::sync::LazyLock::new(std::time::Instant::now);
    BEGUN.elapsed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_set_by_name() {
        let limits = Limits::with([
            "head-bytes=64KiB",
            "idle-time=2m",
            "head-time=500ms",
            "connections = 20,000",
            "drain-time=5",
        ])
        .unwrap();
        let expected = Limits {
            head_bytes: 65_536,
            idle_time: Duration::from_secs(120),
            head_time: Duration::from_millis(500),
            connections: 20_000,
            drain_time: Duration::from_secs(5),
            ..Limits::default()
        };
        assert_eq!(limits, expected);
    }

    #[test]
    fn every_wrong_limit_is_said_at_once() {
        let wrong = Limits::with(["file=1", "streams=2", "connections=x"]).unwrap_err();
        let said: Vec<&str> = wrong.iter().map(|wrong| wrong.message.as_str()).collect();
        assert_eq!(
            said,
            [
                "unknown limit `file`",
                "`x` is not a value for the limit `connections`"
            ]
        );
    }

    #[test]
    fn what_is_no_limit_is_said() {
        let check = |setting: &str, words: &str| {
            let Wrong { message, hint } = Limits::with([setting]).unwrap_err().remove(0);
            let why = format!("{message}: {hint}");
            assert!(why.contains(words), "{setting}: {why}");
        };
        check("head-bytes", "has no value: write a name and a value");
        check(
            "foo=1",
            "unknown limit `foo`: the limits are `connections`, ",
        );
        check("head-byte=1", "did you mean `head-bytes`?");
        check(
            "head-bytes=many",
            "`many` is not a value for the limit `head-bytes`: write a size, such as `--limit head-bytes=32KiB`",
        );
        check(
            "files=many",
            "write a number, such as `--limit files=500000`",
        );
        check(
            "idle-time=long",
            "write a time, such as `--limit idle-time=1m`",
        );
        check("head-bytes=-1", "is not a value");
        check("head-bytes=1", "between 8KiB and 1MiB");
        check("head-bytes=99999999999999999999GiB", "is not a value");
        check("head-time=1ms", "between 100ms and 10m");
        check("streams=99999999999", "is not a value");
    }

    /// What is published from a folder of this kind, and what is set aside, if each text may take
    /// some seconds of CPU time.
    fn read(dialect: &str, texts: &[(&str, String)]) -> diglot_content::library::Report {
        use diglot_content::sources::{ChangeOrigin, FileDates};
        let dates = FileDates {
            created: None,
            changed: jiff::Timestamp::UNIX_EPOCH,
            origin: ChangeOrigin::Git,
        };
        let file = |(path, text): &(&str, String)| diglot_content::SourceFile {
            path: (*path).into(),
            bytes: text.clone().into(),
            dates,
        };
        let mut files: Vec<_> = texts.iter().map(file).collect();
        files.sort_by(|one, other| one.path.cmp(&other.path));
        let bounds = Bounds {
            time: Duration::from_secs(6),
            clock: Some(worked),
            ..Bounds::default()
        };
        let sources = diglot_content::Sources {
            files,
            bounds,
            ..diglot_content::Sources::default()
        };
        let base = diglot_content::BaseUrl::parse("https://example.org").unwrap();
        let mut site = diglot_content::settings::Settings::default()
            .into_site("Hostile", base)
            .unwrap();
        (site.dialect, site.articles) = (Some(dialect.to_owned()), Some("posts".to_owned()));
        diglot_content::Library::build(&sources, &site, jiff::Timestamp::UNIX_EPOCH).report
    }

    /// Each of these once took minutes, or all memory of a machine. `cargo xtask hostile` searches
    /// for others.
    #[test]
    fn small_texts_take_no_minutes() {
        let many = |unit: &str, bytes: usize| unit.repeat(bytes / unit.len());
        let quotes = |line: &str| format!("{}x\n{}", many(">", 20_000), many(line, 20_000));
        let plain = [
            (
                "posts/a-callout-above-newlines.md",
                format!("wow!!!{}", many("\n", 60_000)),
            ),
            ("posts/addresses-without-an-end.md", many("www.:", 60_000)),
            (
                "posts/an-address-of-emphasis.md",
                format!("www.{}", many("*a*", 90_000)),
            ),
            ("posts/attributes-of-a-callout.md", many(":::{", 60_000)),
            (
                "posts/curly-quotes-that-stay-open.md",
                format!("::: note {{{}", many("“", 90_000)),
            ),
            ("posts/backticks-and-braces.mdx", many("`{", 200_000)),
            ("posts/braces-in-braces.mdx", many("{a", 30_000)),
            ("posts/code-that-nobody-ends.mdx", many("<Code>", 300_000)),
            ("posts/components-on-one-line.mdx", many("<A></A>", 60_000)),
            (
                "posts/extensions-with-one-brace.md",
                format!("{}}}", many("{::", 60_000)),
            ),
            (
                "posts/icons-with-one-brace.md",
                format!("{}}}", many(":material-a:{", 90_000)),
            ),
            ("posts/lists-of-attributes.md", many("{:.a}", 200_000)),
            (
                "posts/lists-of-classes.md",
                format!("{}{}", many("a\n", 30_000), many("{: .note }\n", 60_000)),
            ),
            (
                "posts/includes-on-one-line.md",
                many("{{< readfile \"bad.md\" >}}", 90_000),
            ),
            (
                "posts/items-that-are-no-keys.md",
                format!("---\na: [\n{}\n---\nx", many("- b\n", 60_000)),
            ),
            (
                "posts/names-for-a-long-list.md",
                format!(
                    "---\na: &a [{}]\nb: [{}]\n---\nx",
                    many("c,", 18_000),
                    many("*a ,", 60_000)
                ),
            ),
            ("posts/quotes-in-quotes.md", quotes("a\n")),
            ("posts/quotes-around-a-callout.md", quotes(":::a\n")),
            (
                "posts/spans-over-many-lines.md",
                format!("++a++ `{}{}`", many("a", 200_000), many("\nb", 60_000)),
            ),
        ];
        let vault = [
            (
                "posts/ids-of-one-block.md",
                format!("{}{}", many("a\n", 60_000), many("^x\n", 60_000)),
            ),
            ("posts/formulas-on-one-line.md", many("\\\\(a\\\\[", 60_000)),
            (
                "posts/notes-in-notes.md",
                many("![[formulas-on-one-line]]", 60_000),
            ),
        ];
        for (dialect, texts) in [("plain", &plain[..]), ("obsidian", &vault[..])] {
            let report = read(dialect, texts);
            assert!(report.set_aside.is_empty(), "{:?}", report.set_aside);
        }
    }

    #[test]
    fn defaults_lie_within_their_bounds_and_can_be_written() {
        for line in Limits::markdown().lines().skip(2) {
            let cells: Vec<&str> = line.split(" | ").collect();
            let (name, value) = (
                cells[0].trim_start_matches("| ").trim_matches('`'),
                cells[1].replace(" (off)", "").replace(' ', ""),
            );
            assert_eq!(
                Limits::with([format!("{name}={value}").as_str()]),
                Ok(Limits::default()),
                "{line}"
            );
        }
    }
}
