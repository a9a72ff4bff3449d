//! MDX: imports, comments and expressions go, components become tags like those of other kinds, and elements become HTML. Nothing is evaluated but
//! literals.

use super::callout;
use super::lines::Lines;
use crate::front::Front;

/// What begins an attribute that Vue evaluates.
const BOUND: [char; 3] = ['@', ':', '#'];
/// The longest tag or expression, in bytes.
const LONGEST: usize = 5000;

/// Rewrites a text of Markdown with JSX.
pub(super) fn rewrite(lines: &mut Lines, front: &Front) {
    if lines.text.contains(['<', '{']) || lines.text.contains("import ") || lines.text.contains("export ") {
        walk(lines, front, false);
    }
}

/// Rewrites a text of Markdown with components of Vue: nothing but its tags is special.
pub(super) fn rewrite_vue(lines: &mut Lines, front: &Front) {
    if lines.text.contains('<') {
        walk(lines, front, true);
    }
}

fn walk(lines: &mut Lines, front: &Front, vue: bool) {
    let mut walk = Walk {
        text: &lines.text,
        at: 0,
        line: 0,
        out: String::with_capacity(lines.text.len()),
        sources: vec![0],
        front,
        open: Vec::new(),
        fence: None,
        titles: Vec::new(),
        vue,
    };
    walk.all();
    let (out, sources) = (walk.out, walk.sources);
    lines.replace(out, &sources);
}

struct Walk<'a> {
    text: &'a str,
    at: usize,
    /// The line of the text at `at`.
    line: usize,
    out: String,
    /// For each line written the line it comes from.
    sources: Vec<usize>,
    front: &'a Front,
    /// Components that are open.
    open: Vec<Open<'a>>,
    /// A fence whose content is MDX.
    fence: Option<(char, usize)>,
    /// Titles of tabs by their values.
    titles: Vec<(String, String)>,
    /// Whether the components are Vue's.
    vue: bool,
}

/// A component that is open: MDX knows no indented code, so that authors indent what stands in one.
struct Open<'a> {
    name: &'a str,
    /// How far its own line is indented.
    own: usize,
    /// How far its content is, once that is seen.
    content: Option<usize>,
}

/// How many components may be open.
const DEEPEST: usize = 32;

impl<'a> Walk<'a> {
    fn all(&mut self) {
        let mut after_blank = true;
        while self.at < self.text.len() {
            self.dedent();
            let line = self.current();
            let trimmed = line.trim_start();
            if self.fence.is_some_and(|(mark, length)| trimmed.trim_end().len() >= length && trimmed.trim_end().chars().all(|c| c == mark)) {
                self.fence = None;
                self.skip(line.trim_end_matches('\n').len());
            } else if let Some(fence) = fence(trimmed) {
                if trimmed.trim_start_matches(fence.0).trim() == "mdx-code-block" {
                    self.fence = Some(fence);
                    self.skip(line.trim_end_matches('\n').len());
                } else {
                    self.copy_fence(line, fence);
                }
                after_blank = false;
            } else if !self.vue && after_blank && (line.starts_with("import ") || line.starts_with("export ")) {
                self.drop_statements();
            } else {
                let from = self.out.len();
                self.line();
                after_blank = self.out.get(from..).is_none_or(|written| written.trim().is_empty());
            }
        }
    }

    /// The line that begins here.
    fn current(&self) -> &'a str {
        self.text[self.at..].split_inclusive('\n').next().unwrap_or_default()
    }

    /// Leaves out what a line is indented by for the components around it.
    fn dedent(&mut self) {
        let line = self.current();
        let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
        let Some(base) = self.open.first().map(|open| open.own).filter(|_| !line.trim().is_empty()) else { return };
        let closes = line.trim_start().starts_with("</");
        if let Some(last) = self.open.last_mut().filter(|last| last.content.is_none() && !closes) {
            last.content = Some(indent);
        }
        let surplus: usize = self.open.iter().map(|open| open.content.unwrap_or(open.own).saturating_sub(open.own)).sum();
        self.at += surplus.min(indent.saturating_sub(base));
    }

    fn push(&mut self, text: &str) {
        for (at, piece) in text.split('\n').enumerate() {
            if at > 0 {
                self.out.push('\n');
                self.line += 1;
                self.sources.push(self.line);
            }
            self.out.push_str(piece);
        }
    }

    /// Copies this many bytes.
    fn copy(&mut self, length: usize) {
        let (start, text) = (self.at, self.text);
        self.at += length;
        self.push(&text[start..start + length]);
    }

    /// Leaves out this many bytes.
    fn skip(&mut self, length: usize) {
        self.line += self.text[self.at..self.at + length].matches('\n').count();
        self.at += length;
    }

    fn copy_fence(&mut self, first: &str, fence: (char, usize)) {
        self.copy(first.len());
        while self.at < self.text.len() {
            self.dedent();
            let line = self.current();
            self.copy(line.len());
            let trimmed = line.trim();
            if trimmed.len() >= fence.1 && trimmed.chars().all(|c| c == fence.0) {
                break;
            }
        }
    }

    /// `import …` and `export …`, up to a blank line outside of braces.
    fn drop_statements(&mut self) {
        let rest = &self.text[self.at..];
        let (mut depth, mut length) = (0_isize, 0);
        for line in rest.split_inclusive('\n') {
            if line.trim().is_empty() && depth <= 0 || length > 4 * LONGEST {
                break;
            }
            let count = |marks: [char; 3]| isize::try_from(line.matches(marks).count()).unwrap_or(0);
            depth += count(['{', '(', '[']) - count(['}', ')', ']']);
            length += line.len();
        }
        // What never closes is but one paragraph.
        let paragraph = rest.find("\n\n").map_or(rest.len(), |at| at + 1);
        self.skip(if depth > 0 { paragraph } else { length });
    }

    /// The rest of a line, and of what begins in it.
    fn line(&mut self) {
        while let Some(step) = self.text[self.at..].find(['\n', '`', '\\', '{', '<']) {
            self.copy(step);
            let rest = &self.text[self.at..];
            match rest.as_bytes()[0] {
                b'\n' => return self.copy(1),
                b'`' => self.code_span(rest),
                b'\\' => self.copy(1 + rest[1..].chars().next().filter(char::is_ascii_punctuation).map_or(0, char::len_utf8)),
                b'{' => self.expression(rest),
                _ => self.tag(rest),
            }
        }
        self.copy(self.text.len() - self.at);
    }

    fn code_span(&mut self, rest: &str) {
        let run = rest.len() - rest.trim_start_matches('`').len();
        let paragraph = rest[..rest.find("\n\n").unwrap_or(rest.len())].len().min(LONGEST);
        let mut from = run;
        while let Some(at) = rest.get(from..).and_then(|rest| rest.find('`')).map(|at| from + at).filter(|at| *at < paragraph) {
            let length = rest[at..].len() - rest[at..].trim_start_matches('`').len();
            from = at + length;
            if length == run {
                return self.copy(from);
            }
        }
        self.copy(run);
    }

    /// `{…}`: a literal is its text, a key of the front matter its value; comments and all else go.
    fn expression(&mut self, rest: &str) {
        let kept = self.vue
            || rest.starts_with("{{")
            || rest.starts_with("{%")
            || rest.starts_with("{#")
            || rest.starts_with("{:")
            || rest.starts_with("{.");
        let Some(length) = balanced(rest).filter(|_| !kept) else {
            let run = rest.len() - rest.trim_start_matches('{').len();
            return self.copy(run);
        };
        let inner = rest[1..length - 1].trim();
        let key = inner.strip_prefix("frontMatter.").or_else(|| inner.strip_prefix("frontmatter."));
        let text = literal(inner).map(str::to_owned).or_else(|| self.front.text(&[key?]).map(crate::text::plain));
        self.skip(length);
        self.push_flat(&text.unwrap_or_default());
    }

    /// Text on one line.
    fn push_flat(&mut self, text: &str) {
        if text == " " { self.out.push(' ') } else { self.out.push_str(&text.replace(['\n', '\r'], " ")) }
    }

    fn tag(&mut self, rest: &'a str) {
        let component = rest[1..].trim_start_matches('/').starts_with(|c: char| c.is_ascii_uppercase());
        if rest.starts_with("<>") || rest.starts_with("</>") {
            let length = if rest.starts_with("<>") { 2 } else { 3 };
            return self.skip(length);
        }
        let Some(tag) = Tag::of(rest) else { return self.copy(1) };
        let special = |name: &str, value: &str| {
            if self.vue { name.starts_with(BOUND) || name.starts_with("v-") } else { value.starts_with('{') || name == "className" }
        };
        if !component && !tag.attributes.iter().any(|(name, value)| special(name, value)) {
            return self.copy(1);
        }
        if component && self.shown_code(&tag, rest) {
            return;
        }
        let text = if component { tag.shortcode(self.titled(&tag)) } else { tag.html() };
        if component && !self.vue {
            self.nest(&tag);
        }
        self.skip(tag.length);
        self.out.push_str(&text);
    }

    /// Notes what is open now.
    fn nest(&mut self, tag: &Tag<'a>) {
        if tag.closes {
            if let Some(at) = self.open.iter().rposition(|open| open.name == tag.name) {
                self.open.truncate(at);
            }
        } else if !tag.empty && self.open.len() < DEEPEST {
            let line = self.text[..self.at].rsplit('\n').next().unwrap_or_default();
            let own = line.len() - line.trim_start_matches([' ', '\t']).len();
            self.open.push(Open { name: tag.name, own, content: None });
        }
    }

    /// The title of a tab that stands with its value on the component around it: `values={[{ label: 'Title', value: 'x' }]}`.
    fn titled(&mut self, tag: &Tag<'a>) -> Option<String> {
        if let Some((_, values)) = tag.attributes.iter().find(|(name, _)| *name == "values" && tag.name == "Tabs") {
            let field = |item: &str, name: &str| {
                let behind = item.split_once(name)?.1.trim_start().trim_start_matches(['\'', '"']).trim_start().strip_prefix(':')?.trim_start();
                let quote = behind.chars().next().filter(|quote| matches!(quote, '"' | '\'' | '`'))?;
                Some(behind[1..].split(quote).next().unwrap_or_default().to_owned())
            };
            self.titles = values.split('}').filter_map(|item| Some((field(item, "value")?, field(item, "label")?))).collect();
        }
        let value = tag.texts().find(|(name, _)| *name == "value").filter(|_| tag.name == "TabItem")?.1;
        let labelled = tag.attributes.iter().any(|(name, _)| *name == "label");
        self.titles.iter().find(|(own, _)| *own == value && !labelled).map(|(_, title)| title.clone())
    }

    /// `<Code code={`…`} lang="js" />` and `<CodeBlock language="js">{`…`}</CodeBlock>` as a fence.
    fn shown_code(&mut self, tag: &Tag<'a>, rest: &'a str) -> bool {
        if tag.closes || !matches!(tag.name, "Code" | "CodeBlock") {
            return false;
        }
        let own = tag.attributes.iter().find(|(name, _)| *name == "code").map(|(_, value)| *value);
        let (code, length) = if tag.empty {
            (own, tag.length)
        } else {
            let close = format!("</{}>", tag.name);
            let Some(end) = rest[tag.length..].find(&close).filter(|end| *end <= 4 * LONGEST) else { return false };
            (Some(rest[tag.length..tag.length + end].trim()), tag.length + end + close.len())
        };
        let braced = |code: &'a str| code.strip_prefix('{').and_then(|code| code.strip_suffix('}')).map(str::trim);
        let Some(code) = code.and_then(|code| braced(code).map_or(Some(code), literal)) else { return false };
        let language = tag.texts().find(|(name, _)| matches!(*name, "lang" | "language" | "className")).map(|(_, language)| language);
        let language = language.unwrap_or_default();
        let line = self.out.rsplit('\n').next().unwrap_or_default().to_owned();
        let prefix = super::template::container(&line);
        let longest = code.split(|c| c != '`').map(str::len).max().unwrap_or(0);
        let fence = "`".repeat(longest.max(2) + 1);
        if line.trim_matches([' ', '\t', '>']).is_empty() {
            self.out.truncate(self.out.len() - line.len());
        } else {
            self.added("");
        }
        self.out.push_str(&format!("{prefix}{fence}{}", language.trim_start_matches("language-")));
        for line in code.trim_matches('\n').split('\n') {
            self.added(&format!("{prefix}{line}"));
        }
        self.added(&format!("{prefix}{fence}"));
        self.skip(length);
        if !self.current().trim().is_empty() {
            self.added(&prefix);
        }
        true
    }

    /// A line more than the source has here.
    fn added(&mut self, text: &str) {
        self.out.push('\n');
        self.sources.push(self.line);
        self.out.push_str(text);
    }
}

fn fence(line: &str) -> Option<(char, usize)> {
    let mark = line.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
    let length = line.len() - line.trim_start_matches(mark).len();
    (length >= 3 && !(mark == '`' && line[length..].contains('`'))).then_some((mark, length))
}

/// The length of what begins with a brace, up to the brace that closes it.
fn balanced(text: &str) -> Option<usize> {
    let (mut depth, mut quote) = (0_usize, None);
    for (at, c) in text.char_indices().take_while(|(at, _)| *at < LONGEST) {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some('"' | '\''), '\n') => quote = None,
            (Some(_), _) => {}
            (None, '"' | '`') => quote = Some(c),
            (None, '\'') if !text[..at].ends_with(char::is_alphanumeric) => quote = Some(c),
            (None, '{') => depth += 1,
            (None, '}') => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// The text of a literal.
fn literal(expression: &str) -> Option<&str> {
    let number = !expression.is_empty() && expression.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    if number {
        return Some(expression);
    }
    ['"', '\'', '`'].into_iter().find_map(|quote| {
        let inner = expression.strip_prefix(quote)?.strip_suffix(quote)?;
        (!inner.contains(quote) && !inner.contains("${")).then_some(inner)
    })
}

/// A tag of JSX.
pub(super) struct Tag<'a> {
    pub(super) name: &'a str,
    pub(super) closes: bool,
    pub(super) empty: bool,
    /// Names and values as written, quotes off and braces on.
    pub(super) attributes: Vec<(&'a str, &'a str)>,
    pub(super) length: usize,
}

impl<'a> Tag<'a> {
    pub(super) fn of(text: &'a str) -> Option<Self> {
        let closes = text[1..].starts_with('/');
        let mut at = 1 + usize::from(closes);
        let word = |at: usize| {
            text[at..].find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '@' | '#'))).unwrap_or(text.len() - at)
        };
        let name = &text[at..at + word(at)];
        if !name.starts_with(|c: char| c.is_ascii_alphabetic()) || name.contains([':', '@', '#']) {
            return None;
        }
        at += name.len();
        let mut attributes = Vec::new();
        loop {
            at += text[at..].len() - text[at..].trim_start().len();
            if at > LONGEST {
                return None;
            }
            let rest = &text[at..];
            if rest.starts_with('>') {
                return Some(Self { name, closes, empty: false, attributes, length: at + 1 });
            }
            if rest.starts_with("/>") {
                return Some(Self { name, closes, empty: true, attributes, length: at + 2 });
            }
            if rest.starts_with('{') {
                at += balanced(rest)?;
                continue;
            }
            let key = &text[at..at + word(at)];
            if key.is_empty() {
                return None;
            }
            at += key.len();
            let Some(value) = text[at..].strip_prefix('=') else {
                attributes.push((key, ""));
                continue;
            };
            let (value, length) = match value.as_bytes().first()? {
                b'{' => balanced(value).map(|length| (&value[..length], length))?,
                quote @ (b'"' | b'\'') => {
                    let end = value[1..].find(char::from(*quote))?;
                    (&value[1..=end], end + 2)
                }
                _ => return None,
            };
            attributes.push((key, value));
            at += 1 + length;
        }
    }

    /// The text of an attribute, where it is a literal.
    pub(super) fn texts(&self) -> impl Iterator<Item = (&'a str, String)> {
        self.attributes.iter().filter_map(|(name, value)| {
            let text = match value.strip_prefix('{').and_then(|value| value.strip_suffix('}')) {
                Some(expression) => literal(expression.trim())?,
                None => value,
            };
            Some((*name, crate::text::one_line(text)))
        })
    }

    /// The same as a tag that the table of common ones knows.
    fn shortcode(&self, title: Option<String>) -> String {
        let lower = self.name.to_ascii_lowercase();
        let known = callout::kind(&lower).is_some() || callout::is_details(&lower) || super::shared::is_component(&lower);
        let name = if known { lower.as_str() } else { self.name };
        if self.closes {
            return format!("{{{{< /{name} >}}}}");
        }
        let attributes: String = self
            .texts()
            .filter(|(name, text)| !name.starts_with(BOUND) && !text.contains("}}"))
            .map(|(name, text)| format!(" {name}=\"{}\"", text.replace('"', "”")))
            .collect();
        let attributes = match title {
            Some(title) => format!("{attributes} label=\"{}\"", title.replace('"', "”").replace("}}", "")),
            None => attributes,
        };
        // Nothing stands between the two ends of an empty element.
        format!("{{{{< {name}{attributes} >}}}}")
    }

    /// The same as HTML, without what is no literal.
    fn html(&self) -> String {
        let name = self.name;
        if self.closes {
            return format!("</{name}>");
        }
        let attributes: String = self
            .texts()
            .filter(|(name, _)| !name.starts_with(BOUND) && !name.starts_with("v-"))
            .map(|(name, text)| {
                let name = if name == "className" { "class" } else { name };
                format!(" {name}=\"{}\"", text.replace('"', "&quot;"))
            })
            .collect();
        format!("<{name}{attributes}{}>", if self.empty { " /" } else { "" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::lines::testing;

    /// A text without front matter, rewritten.
    fn after(text: &str) -> Lines {
        Lines::after(text, |lines| rewrite(lines, &Front::default()))
    }

    fn check(text: &str, expected: &str) {
        let front = crate::front::split("---\ntitle: T\n---\n", "a.mdx").front;
        testing::check(|lines| rewrite(lines, &front), text, expected);
    }

    #[test]
    fn rule_19_imports_comments_and_expressions_go() {
        check("import A from 'a';\nexport const b = {\n\n  c: 1,\n};\n\n# T {#id}\n", "\n# T {#id}\n");
        check("a {/* secret\nlines */} b {'c'} {\"d\"} {x.y} {1}", "a  b c d  1");
        check("{frontMatter.title} \\{a} `{b}` {unclosed", "T \\{a} `{b}` {unclosed");
        check("```js\nimport x\n{a}\n<B />\n```\nimport y is text here", "```js\nimport x\n{a}\n<B />\n```\nimport y is text here");
    }

    #[test]
    fn rule_19_components_become_tags() {
        check("<Callout type=\"info\" n={2} f={() => x > 1}>\na\n</Callout>", "{{< callout type=\"info\" n=\"2\" >}}\na\n{{< /callout >}}");
        check("<>a</> <Odd.Part\n  title=\"x\"\n/> b", "a {{< Odd.Part title=\"x\" >}} b");
        check("<div className=\"a\" style={{color: 'red'}}>b</div>", "<div class=\"a\">b</div>");
        check("a < b <https://x.y> <b>c</b> <Open", "a < b <https://x.y> <b>c</b> <Open");
    }

    #[test]
    fn rule_19_what_is_indented_in_a_component_is_no_code() {
        check("<Card>\n\ta\n\n\tb\n</Card>\n\tc", "{{< card >}}\na\n\nb\n{{< /card >}}\n\tc");
        check(
            "<Tabs>\n  <Tab>\n    a\n\n    - b\n      c\n  </Tab>\n</Tabs>",
            "{{< tabs >}}\n{{< tab >}}\na\n\n- b\n  c\n{{< /tab >}}\n{{< /tabs >}}",
        );
        check("1. x\n   <Note>\n     a\n   </Note>", "1. x\n   {{< note >}}\n   a\n   {{< /note >}}");
        check("<A>\n    ```js\n    x\n      y\n    ```\n</A>", "{{< A >}}\n```js\nx\n  y\n```\n{{< /A >}}");
    }

    #[test]
    fn rule_12_components_of_vue() {
        let check = |text: &str, expected: &str| {
            testing::check(|lines| rewrite_vue(lines, &Front::default()), text, expected);
        };
        check("# A <Badge type=\"tip\" text=\"^1.9.0\" />", "# A {{< Badge type=\"tip\" text=\"^1.9.0\" >}}");
        check("<Tab name=\"A\" :x=\"y\">\n\n    code\n\n</Tab>", "{{< tab name=\"A\" >}}\n\n    code\n\n{{< /tab >}}");
        check("<button :class=\"$s.b\" @click=\"n++\" id=\"i\">Go</button>", "<button id=\"i\">Go</button>");
        for text in ["a {b} {{ c }} <b class=\"x\">d</b>", "`<Badge text=\"x\" />`", "```vue\n<Badge />\n```", "import x from 'y'"] {
            check(text, text);
        }
    }

    #[test]
    fn rule_19_code_of_components_is_a_fence() {
        check("<CodeBlock language=\"jsx\">\n  {`a\n  b`}\n</CodeBlock>\nc", "```jsx\na\n  b\n```\nc");
        check("- <Code code={`x {1}`} lang=\"js\" title=\"t\" />\n", "- \n  ```js\n  x {1}\n  ```\n");
        check("```mdx-code-block\n<A>\n```\nb\n```mdx-code-block\n</A>\n```", "\n{{< A >}}\n\nb\n\n{{< /A >}}\n");
        check("{/* x */}\nexport const a = 1;\n\nb", "\n\nb");
        let tabs = "<Tabs values={[{label: 'One', value: 'o'}, {value: \"t\", label: \"Two\"}]}>\n<TabItem value=\"t\">";
        check(tabs, "{{< tabs >}}\n{{< tabitem value=\"t\" label=\"Two\" >}}");
    }

    #[test]
    fn lines_keep_their_number() {
        let lines = after("<Code code={`a\nb`} />\nx");
        assert_eq!(lines.source(lines.text.split('\n').count() - 1), 2);
        let lines = after("import a\n\n<A\n b\n/>\nx");
        assert_eq!(lines.source(lines.text.split('\n').count() - 1), 5);
    }

    proptest::proptest! {
        #[test]
        fn no_mdx_panics(text in "(import |export |<|>|/|A|b|<Code code=\\{|<CodeBlock>|</CodeBlock>|    |=|\\{|\\}|\"|'|`|```|\n|\\\\|é| |/\\*|\\*/){0,40}") {
            proptest::prop_assert!(after(&text).come_from(&text));
        }
    }

    #[test]
    fn a_hostile_text_is_bounded() {
        for text in ["{".repeat(10_000), "<A ".repeat(4_000), "`a``".repeat(4_000), "import {\n\n".repeat(2_000), "{a ".repeat(4_000)] {
            after(&text);
        }
    }
}
