//! Whether texts have mathematics between single dollars: TeX in many of them is the evidence.

use crate::model::sources::Contents;

/// How much of it a folder needs.
const ENOUGH: usize = 10;
/// The longest formula that counts, in bytes.
const LONGEST: usize = 300;

/// What a text has between and behind dollars.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dollars {
    /// Formulas with TeX: `$\alpha$`, `$x_{i}$`.
    pub formulas: usize,
    /// Amounts of money and names of variables: `$5`, `$HOME`.
    pub others: usize,
    /// Texts with such a formula.
    pub texts: usize,
}

impl Dollars {
    /// What a text has outside code.
    pub fn from_contents(contents: &Contents) -> Self {
        let (formulas, others) = contents.dollars(|bytes| {
            let found = Self::counted(bytes);
            (found.formulas, found.others)
        });
        Self {
            formulas,
            others,
            texts: usize::from(formulas > 0),
        }
    }

    /// Fences are enough to know code: this is evidence, no parser.
    fn counted(bytes: &[u8]) -> Self {
        let mut found = Self::default();
        if memchr::memchr(b'$', bytes).is_none() {
            return found;
        }
        let mut fenced = false;
        for line in bytes.split(|byte| *byte == b'\n') {
            let words = line.trim_ascii_start();
            if words.starts_with(b"```") || words.starts_with(b"~~~") {
                fenced = !fenced;
            } else if !fenced && memchr::memchr(b'$', line).is_some() {
                found.add(line);
            }
        }
        found
    }

    /// The sum.
    pub fn with(self, other: Self) -> Self {
        Self {
            formulas: self.formulas + other.formulas,
            others: self.others + other.others,
            texts: self.texts + other.texts,
        }
    }

    /// Whether a folder with these writes mathematics between dollars.
    pub fn are_formulas(self) -> bool {
        self.formulas >= ENOUGH && self.texts > 1 && self.formulas > self.others
    }

    fn add(&mut self, line: &[u8]) {
        let mut rest = line;
        while let Some(at) = memchr::memchr2(b'$', b'`', rest) {
            let behind = &rest[at + 1..];
            if rest[at] == b'`' {
                let Some(end) = memchr::memchr(b'`', behind) else {
                    return;
                };
                rest = &behind[end + 1..];
                continue;
            }
            if behind.first() == Some(&b'$') {
                // `$$` is mathematics everywhere, and no evidence of single ones.
                rest = &behind[1..];
                continue;
            }
            rest = behind;
            let near = &behind[..behind.len().min(LONGEST)];
            if let Some(end) = memchr::memchr(b'$', near)
                && is_tex(&near[..end])
            {
                self.formulas += 1;
                rest = &behind[end + 1..];
            } else if behind.first().is_some_and(u8::is_ascii_alphanumeric) {
                self.others += 1;
            }
        }
    }
}

/// Whether bytes between dollars are TeX for certain: a command, or a group in an index.
fn is_tex(inner: &[u8]) -> bool {
    let is_edge = |byte: Option<&u8>| byte.is_none_or(u8::is_ascii_whitespace);
    if is_edge(inner.first()) || is_edge(inner.last()) || inner.contains(&b'`') {
        return false;
    }
    let has_index = memchr::memmem::find(inner, b"_{").is_some()
        || memchr::memmem::find(inner, b"^{").is_some();
    has_index || memchr::memchr_iter(b'\\', inner).any(|at| is_command(&inner[at + 1..]))
}

fn is_command(text: &[u8]) -> bool {
    #[rustfmt::skip]
    const COMMANDS: [&[u8]; 60] = [
        b"alpha", b"approx", b"bar", b"beta", b"binom", b"cap", b"cdot", b"chi", b"cos", b"cup", b"delta", b"Delta", b"dots", b"ell", b"epsilon",
        b"equiv", b"eta", b"exists", b"forall", b"frac", b"gamma", b"Gamma", b"ge", b"geq", b"hat", b"in", b"infty", b"int", b"lambda", b"langle",
        b"ldots", b"le", b"left", b"leq", b"log", b"mapsto", b"mathbb", b"mathbf", b"mathcal", b"mathrm", b"mu", b"nabla", b"neq", b"omega", b"Omega",
        b"operatorname", b"partial", b"phi", b"pi", b"prod", b"psi", b"rho", b"rightarrow", b"sigma", b"sqrt", b"sum", b"theta", b"times", b"to",
        b"vec",
    ];
    let length = text
        .iter()
        .take_while(|byte| byte.is_ascii_alphabetic())
        .count();
    COMMANDS.contains(&&text[..length])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: (usize, usize)) {
        let found = Dollars::counted(text.as_bytes());
        assert_eq!((found.formulas, found.others), expected, "{text}");
    }

    #[test]
    fn rule_60_only_tex_is_evidence_of_mathematics() {
        check("Let $\\alpha$ and $x_{i}$ be in $\\mathbb{R}$.", (3, 0));
        check("It costs $5 and $10, or $5", (0, 3));
        check("echo $HOME/$USER_{x}", (0, 2));
        check("`$\\alpha$` and\n```\n$\\beta$\n```\n$$\\gamma$$", (0, 0));
        check("$C:\\Users$ $ \\alpha $ and $x$", (0, 2));
    }

    #[test]
    fn rule_60_a_folder_about_money_has_no_mathematics() {
        let of = |formulas, others, texts| Dollars {
            formulas,
            others,
            texts,
        };
        assert!(of(10, 9, 2).are_formulas());
        assert!(!of(9, 0, 2).are_formulas());
        assert!(!of(100, 100, 9).are_formulas());
        assert!(!of(100, 0, 1).are_formulas());
    }
}
