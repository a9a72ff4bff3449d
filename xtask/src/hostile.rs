//! Files that were made to take long: the time that each takes grows with its size and no faster, so `article-bytes` bounds it; and the net below,
//! `rendering-time`, sets aside what takes too long all the same.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::server;
use crate::shell::{self, scratch};
use crate::step::{Done, Outcome};
use crate::turns;

/// Bytes of a small file and of one that is four times as large.
const SIZES: [usize; 2] = [250_000, 1_000_000];
/// What takes the square of the size takes sixteen times as long; a fourfold size takes four times as long, and some more for memory.
const MOST: f64 = 9.0;
/// Seconds of processor time that are not looked at: a process starts, the example's theme is read.
const NOISE: f64 = 0.5;

/// How many files are read at once. What is counted is processor time, and one file keeps one thread busy.
const AT_ONCE: usize = 2;

/// The step.
pub fn run() -> Outcome {
    let binary = server::build()?;
    let files: Vec<(Text, &'static str)> = TEXTS.into_iter().flat_map(|text| ["md", "html"].map(|suffix| (text, suffix))).collect();
    let one = |thread, (text, suffix): &(Text, &'static str)| (text.0, *suffix, both(&binary, &format!("hostile/{thread}"), *text, suffix));
    let times = turns::take(&files, AT_ONCE, one)?;
    net(&binary, &scratch("hostile/net")?)?;
    report(times)
}

/// Seconds for a small and a large file of this text.
fn both(binary: &Path, place: &str, (name, text): Text, suffix: &str) -> Result<[f64; 2], String> {
    let folder = scratch(place)?;
    let mut times = [0.0; 2];
    for (size, time) in SIZES.into_iter().zip(&mut times) {
        fill(&folder, suffix, &text(size))?;
        *time = seconds(binary, &folder).map_err(|why| format!("{name:?} as .{suffix}, {size} bytes: {why}"))?;
    }
    Ok(times)
}

/// What every file took, or what became of it.
type Times = Vec<(&'static str, &'static str, Result<[f64; 2], String>)>;

fn report(times: Times) -> Outcome {
    let (mut wrong, mut worst, count) = (Vec::new(), (0.0_f64, ""), times.len());
    for (name, suffix, ended) in times {
        match ended {
            Ok([small, large]) => {
                if large > worst.0 {
                    worst = (large, name);
                }
                if large > small * MOST + NOISE {
                    wrong.push(format!("{name:?} as .{suffix} takes {small:.1} s, and {large:.1} s when it is four times as large"));
                }
            }
            Err(why) => wrong.push(why),
        }
    }
    if wrong.is_empty() {
        Ok(Done::Passed(format!("{count} files; the slowest, {:?}, takes {:.1} s for 1 MB", worst.1, worst.0)))
    } else {
        Err(wrong.join("\n"))
    }
}

/// A folder with a hostile file and a good one.
fn fill(folder: &Path, suffix: &str, text: &str) -> Result<(), String> {
    let posts = folder.join("posts");
    let written = match fs::remove_dir_all(&posts) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
        _ => fs::create_dir_all(&posts),
    };
    let written = written.and_then(|()| fs::write(posts.join(format!("bad.{suffix}")), text));
    written.and_then(|()| fs::write(posts.join("good.md"), "# Good\n\nx\n")).map_err(|error| error.to_string())
}

/// Seconds of processor time that a whole edition of the folder takes.
fn seconds(binary: &Path, folder: &Path) -> Result<f64, String> {
    // What the children of the shell took is its own last line. The limit ends what would never end.
    let script = "ulimit -t 300; \"$0\" check --no-state \"$1\" >/dev/null 2>&1; code=$?; times; exit $code";
    let output = shell::output(Command::new("sh").args(["-c", script]).arg(binary).arg(folder))?;
    if !matches!(output.status.code(), Some(0 | 1)) {
        return Err(format!("it ended with {}", output.status));
    }
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let time = said.lines().last().and_then(|line| {
        let (minutes, seconds) = line.split(' ').next()?.trim_end_matches('s').split_once('m')?;
        Some(minutes.parse::<f64>().ok()? * 60.0 + seconds.replace(',', ".").parse::<f64>().ok()?)
    });
    time.ok_or_else(|| format!("`times` said {said:?}"))
}

/// A file that takes longer than the limit is set aside and named, and the rest goes on.
fn net(binary: &Path, folder: &Path) -> Result<(), String> {
    fill(folder, "md", &"<b>*x*</b>\n\n".repeat(400_000))?;
    let output = shell::output(Command::new(binary).args(["check", "--no-state", "--limit", "rendering-time=100ms"]).arg(folder))?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let wanted = ["posts/bad.md: set aside: reading it takes longer than 0.1 s", "1 article published, 1 set aside"];
    match wanted.iter().find(|wanted| !said.contains(**wanted)) {
        Some(missing) => Err(format!("it never said {missing:?}, but:\n{}", shell::tail(&said, 20))),
        None => Ok(()),
    }
}

/// A hostile text of about so many bytes.
type Text = (&'static str, fn(usize) -> String);

/// Texts that repeat something.
macro_rules! repeated {
    ($($unit:literal),* $(,)?) => { [$(($unit, |size| $unit.repeat((size / $unit.len()).max(1)))),*] };
}

/// What was reported against parsers of Markdown, HTML, YAML and templates over the years.
const TEXTS: [Text; 124] = {
    const REPEATED: [Text; 94] = repeated![
        "*a **a ",
        "a* ",
        "_a ",
        "*a_ ",
        "a**b c* ",
        "a]",
        "[a",
        "[",
        "[ a_",
        "[a](b",
        "![",
        "![[]()",
        "[a](<b",
        "[a](b \"",
        "&",
        "&a",
        "abc\0",
        "> ",
        "> a\n",
        "* ",
        "1. ",
        "* a\n",
        "* a\n\n",
        "# a\n",
        "## same\n\n",
        "a\n=\n",
        "a\n: b\n\n",
        "~~a ",
        "~a^ ",
        "http://a.b/ ",
        "a@",
        "www.",
        "\\",
        "word ",
        "x",
        "語",
        " ",
        "\n",
        "\t",
        "\r",
        "\u{feff}",
        "    a\n",
        "---\n",
        "<div>",
        "</div>",
        "<b>x</b>",
        "<",
        "<!",
        "a <![CDATA[",
        "a <?",
        "a <!A ",
        "<!-- a",
        "a <!--",
        "<table><tr><td>",
        "<p>a",
        "<b><i></b>",
        "<select><option>",
        "<details><summary>",
        "<div markdown=\"1\">\n\n",
        "```\n",
        "~~~ a\n",
        "$a",
        "$$ ",
        "{{< a >}}",
        "{{< a ",
        "{{< note >}}",
        "{{< /note >}}",
        "{% a %}",
        "{% ",
        "{% raw %}",
        " {% endraw %}",
        "{% highlight x %}y{% endhighlight %}",
        "{% include a %}",
        "{{ a }}",
        "{{",
        "<A {...",
        "{`${",
        "<A b={",
        "[[a",
        "[[a|",
        "![[a]]",
        "> [!note]\n> ",
        "!!! note\n    ",
        ":::",
        "::: a\n",
        "%% a ",
        "{: .a ",
        "{#a} ",
        "[TOC]\n\n",
        "a [^1] ",
        "[^1]: a\n\n",
        "\\frac{",
        "{!a!}",
        "[a]: b\n"
    ];
    const OTHERS: [Text; 30] = [
        ("nested brackets", |size| format!("{}a{}", "[".repeat(size / 2), "]".repeat(size / 2))),
        ("nested bold", |size| format!("{}a{}", "<b>".repeat(size / 7), "</b>".repeat(size / 7))),
        ("runs of backticks", |size| lines(size, |n| format!("e{}", "`".repeat(n)))),
        ("lists in lists", |size| lines(size, |n| format!("{}* a\n", "  ".repeat(n)))),
        ("quotes in quotes", |size| lines(size, |n| format!("{}x\n", "> ".repeat(n.min(300))))),
        ("a wide table", |size| format!("|{}\n|{}\n|{}\n", "a|".repeat(size / 6), "-|".repeat(size / 6), "b|".repeat(size / 6))),
        ("a tall table", |size| format!("|a|b|\n|-|-|\n{}", "|x|y|\n".repeat(size / 6))),
        ("a table with short rows", |size| format!("|{}\n|{}\n{}", "a|".repeat(2_000), "-|".repeat(2_000), "a\n".repeat(size / 4))),
        ("definitions", |size| lines(size, |n| format!("[{n}]: /u\n"))),
        ("one long definition", |size| format!("[a]: {}\n\n{}", "x".repeat(1_000), "[a]".repeat(size / 3))),
        ("footnotes", |size| lines(size, |n| format!("[^{n}]\n\n[^{n}]: x\n\n"))),
        ("footnotes in footnotes", |size| lines(size, |n| format!("[^{n}]: [^{}]\n\n", n + 1)) + "[^0]"),
        ("pictures", |size| "![a](b.png)\n\n".repeat(size / 14)),
        ("attributes", |size| format!("<a {}>", lines(size, |n| format!(" a{n}=1")))),
        ("a formula of braces", |size| format!("${}{}$", "{".repeat(size / 2), "}".repeat(size / 2))),
        ("fractions in fractions", |size| format!("$${}x{}$$", "\\frac{".repeat(size / 12), "}{y}".repeat(size / 12))),
        ("front matter, deep", |size| format!("---\n{}---\nx", lines(size, |n| format!("{}a:\n", " ".repeat(n))))),
        ("front matter, brackets", |size| format!("---\na: {}\n---\nx", "[".repeat(size))),
        ("front matter, keys", |size| format!("---\n{}---\nx", lines(size, |n| format!("k{n}: v\n")))),
        ("front matter, tags", |size| format!("---\ntags: [{}]\n---\nx", lines(size, |n| format!("t{n},")))),
        ("TOML, brackets", |size| format!("+++\na = {}\n+++\nx", "[".repeat(size))),
        ("JSON, brackets", |size| format!("{{\"a\":{}}}\n\nx", "[".repeat(size))),
        ("abbreviations", |size| lines(size, |n| format!("*[a{n}]: b\n"))),
        ("code, Rust comments", |size| format!("```rust\n{}", "/* ".repeat(size / 3))),
        ("code, JavaScript templates", |size| format!("```js\n{}", "`${".repeat(size / 3))),
        ("code, Ruby quotes", |size| format!("```ruby\n{}", "%q((".repeat(size / 4))),
        ("code, HTML attributes", |size| format!("```html\n{}", "<a b=\"".repeat(size / 6))),
        ("code, YAML", |size| format!("```yaml\n{}", "- ".repeat(size / 2))),
        ("code, shell", |size| format!("```bash\n{}", "$(".repeat(size / 2))),
        ("code, Python", |size| format!("```python\n{}", "f\"{".repeat(size / 3))),
    ];
    let mut texts = [REPEATED[0]; 124];
    let mut at = 0;
    while at < texts.len() {
        texts[at] = if at < REPEATED.len() { REPEATED[at] } else { OTHERS[at - REPEATED.len()] };
        at += 1;
    }
    texts
};

/// What `line` says for the numbers from 0 on.
fn lines(size: usize, line: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    let mut number = 0;
    while text.len() < size {
        text.push_str(&line(number));
        number += 1;
    }
    text
}
