use super::*;
use crate::dialects::lines::testing;

fn check(text: &str, expected: &str) {
    let rewrite = |lines: &mut Lines| {
        blocks(lines);
        macros::rewrite(lines);
    };
    testing::check(rewrite, text, expected);
}

#[test]
fn rule_26_properties_and_drawers_of_blocks_are_not_shown() {
    check(
        "- a\n  id:: 64f0-1\n  collapsed:: true\n\t- b\n\t  :LOGBOOK:\n\t  CLOCK: [2024]\n\t  :END:\n",
        "- a\n\t- b\n",
    );
    check(
        "- a\n  type:: x\n  url:: y\n  words\n",
        "- a\n  type:: x  \n  url:: y  \n  words\n",
    );
    for text in [
        "- std::vec\n",
        "- `id:: x`\n",
        "```\nid:: x\n```\n",
        ":LOGBOOK:\nx\n",
    ] {
        check(text, text);
    }
}

#[test]
fn rule_12_blocks_of_org_are_notices_quotations_and_code() {
    check(
        "- #+BEGIN_NOTE\n  a\n\n  b\n  #+END_NOTE\n- c\n",
        "- > [!note]\n  > a\n  > \n  > b\n- c\n",
    );
    check("#+begin_quote\na\n#+end_quote\nb\n", ">\n> a\n\nb\n");
    check(
        "- r\n\t- x\n\t  #+BEGIN_SRC rust\n\t  a ```\n\t  ````\n\t  #+END_SRC\n",
        "- r\n\t- x\n\t  `````rust\n\t  a ```\n\t  ````\n\t  `````\n",
    );
    check(
        "- a\n  #+BEGIN_QUERY\n  secret\n  #+END_QUERY\n  #+BEGIN_CENTER\n  b\n  #+END_CENTER\n",
        "- a\n  \n  b\n",
    );
    for text in ["#+BEGIN_NOTE\na\n", "#+BEGIN_\n", "#+BEGIN_é\n#+END_é\n"] {
        check(text, text);
    }
}

#[test]
fn rule_12_macros_of_outlines_show_what_is_known() {
    check(
        "- {{embed [[a/b]]}} {{cloze a b}} {{youtube https://y.example/1}} {{query (x)}}{{renderer :y}} {{embed ((64))}}\n",
        "- ![[a/b]] a b <https://y.example/1>  \n",
    );
    check(
        "`{{query x}}` {{ x }} {{x\ny}}\n",
        "`{{query x}}` {{ x }} {{x\ny}}\n",
    );
}

proptest::proptest! {
    #[test]
    fn no_outline_panics(text in "(-| |\t|>|id:: |é|\n|:END:|:LOGBOOK:|#\\+BEGIN_|#\\+END_|NOTE|SRC|`|\\{\\{|\\}\\}|embed |x){0,40}") {
        let lines = Lines::after(&text, |lines| {
            blocks(lines);
            macros::rewrite(lines);
        });
        proptest::prop_assert!(lines.come_from(&text));
    }
}
