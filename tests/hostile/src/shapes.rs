//! How tokens are combined into a text of a given size.

/// A way to combine tokens into a text.
pub struct Shape {
    /// Its name in reports; `A` and `B` are the tokens.
    pub name: &'static str,
    /// Builds a text of about the given number of bytes.
    pub make: fn(&str, &str, usize) -> String,
}

/// Ways for one token.
pub const ALONE: &[Shape] = &[
    Shape {
        name: "AAA",
        make: |a, _, size| repeat(a, size),
    },
    Shape {
        name: "A A A",
        make: |a, _, size| repeat(&format!("{a} "), size),
    },
    Shape {
        name: "A\\nA\\n",
        make: |a, _, size| repeat(&format!("{a}\n"), size),
    },
    Shape {
        name: "A\\n\\nA\\n\\n",
        make: |a, _, size| repeat(&format!("{a}\n\n"), size),
    },
    Shape {
        name: "AxAx",
        make: |a, _, size| repeat(&format!("{a}x"), size),
    },
    Shape {
        name: "> A\\n",
        make: |a, _, size| repeat(&format!("> {a}\n"), size),
    },
    Shape {
        name: "- A\\n",
        make: |a, _, size| repeat(&format!("- {a}\n"), size),
    },
    Shape {
        name: "A, then newlines",
        make: |a, _, size| format!("{a}{}", "\n".repeat(size)),
    },
    Shape {
        name: "A, then spaces",
        make: |a, _, size| format!("{a}{}", " ".repeat(size)),
    },
    Shape {
        name: "A, then letters",
        make: |a, _, size| format!("{a}{}", "x".repeat(size)),
    },
    Shape {
        name: "lines, then A\\n",
        make: |a, _, size| {
            format!(
                "{}{}",
                repeat("x\n", size / 2),
                repeat(&format!("{a}\n"), size / 2)
            )
        },
    },
    Shape {
        name: "letters, then A",
        make: |a, _, size| format!("{}{}", repeat("x", size / 2), repeat(a, size / 2)),
    },
    Shape {
        name: "quotes, then A\\n",
        make: |a, _, size| {
            format!(
                "{}{}",
                repeat(">", size / 2),
                repeat(&format!("{a}\n"), size / 2)
            )
        },
    },
    Shape {
        name: "lists, then A\\n",
        make: |a, _, size| {
            format!(
                "{}{}",
                repeat("- ", size / 2),
                repeat(&format!("{a}\n"), size / 2)
            )
        },
    },
    Shape {
        name: "spaces, then A\\n",
        make: |a, _, size| {
            format!(
                "x\n{}{}",
                repeat(" ", size / 2),
                repeat(&format!("{a}\n"), size / 2)
            )
        },
    },
    Shape {
        name: "longer and longer A",
        make: |a, _, size| growing(size, |number| format!("{} ", a.repeat(number))),
    },
    Shape {
        name: "deeper and deeper A",
        make: |a, _, size| growing(size, |number| format!("{}{a}\n", " ".repeat(number))),
    },
    Shape {
        name: "numbered A",
        make: |a, _, size| growing(size, |number| format!("{a}{number}\n")),
    },
];

/// Ways for two tokens.
pub const PAIRS: &[Shape] = &[
    Shape {
        name: "ABAB",
        make: |a, b, size| repeat(&format!("{a}{b}"), size),
    },
    Shape {
        name: "A B A B ",
        make: |a, b, size| repeat(&format!("{a} {b} "), size),
    },
    Shape {
        name: "AxBxAxBx",
        make: |a, b, size| repeat(&format!("{a}x{b}x"), size),
    },
    Shape {
        name: "AB\\nAB\\n",
        make: |a, b, size| repeat(&format!("{a}{b}\n"), size),
    },
    Shape {
        name: "A\\nB\\n",
        make: |a, b, size| repeat(&format!("{a}\n{b}\n"), size),
    },
    Shape {
        name: "A\\n\\nB\\n\\n",
        make: |a, b, size| repeat(&format!("{a}\n\n{b}\n\n"), size),
    },
    Shape {
        name: "AAABBB",
        make: |a, b, size| nested(a, b, size),
    },
    Shape {
        name: "AxAxBxBx",
        make: |a, b, size| nested(&format!("{a}x"), &format!("{b}x"), size),
    },
    Shape {
        name: "A\\nA\\nB\\nB\\n",
        make: |a, b, size| nested(&format!("{a}\n"), &format!("{b}\n"), size),
    },
    Shape {
        name: "ABBB",
        make: |a, b, size| format!("{a}{}", repeat(b, size)),
    },
    Shape {
        name: "AAAB",
        make: |a, b, size| format!("{}{b}", repeat(a, size)),
    },
    Shape {
        name: "A x A x B",
        make: |a, b, size| format!("{}{b}", repeat(&format!("{a} x "), size)),
    },
    Shape {
        name: "AB, then AAA",
        make: |a, b, size| format!("{a}{b}{}", repeat(a, size)),
    },
];

fn repeat(unit: &str, size: usize) -> String {
    unit.repeat((size / unit.len().max(1)).max(1))
}

/// As many opening tokens as closing ones.
fn nested(open: &str, close: &str, size: usize) -> String {
    let count = (size / (open.len() + close.len()).max(1)).max(1);
    format!("{}x{}", open.repeat(count), close.repeat(count))
}

/// The results of `part` for the numbers from 1 on.
pub fn growing(size: usize, part: impl Fn(usize) -> String) -> String {
    let mut text = String::with_capacity(size);
    let mut number = 1;
    while text.len() < size {
        text.push_str(&part(number));
        number += 1;
    }
    text
}
