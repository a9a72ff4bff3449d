use super::*;

/// Draws a card and returns the number of non-paper pixels in the text area.
fn check(title: &str, text: &str, foot: &str) -> usize {
    let words = CardText { title, text, foot };
    let picture = draw(&words).unwrap();
    assert!(
        picture.len() <= 30_000,
        "{} bytes for {title:?}",
        picture.len()
    );
    assert_eq!(
        picture,
        draw(&words).unwrap(),
        "the same words give the same bytes"
    );
    let mut reader = png::Decoder::new(std::io::Cursor::new(&picture[..]))
        .read_info()
        .unwrap();
    assert_eq!((reader.info().width, reader.info().height), (WIDTH, HEIGHT));
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    // Two pixels per byte.
    let words = pixels
        .chunks(pixels.len() / HEIGHT as usize)
        .flat_map(|row| &row[MARGIN as usize / 2..870 / 2]);
    words
        .flat_map(|pair| [pair >> 4, pair & 15])
        .filter(|pixel| *pixel != 0)
        .count()
}

#[test]
fn words_are_drawn_and_long_ones_are_cut() {
    assert!(
        check(
            "Field Notes",
            "A small publication about publishing twice.",
            "example.org"
        ) > 2_000
    );
    assert!(
        check(
            &"antidisestablishmentarianism".repeat(9),
            &"word ".repeat(300),
            "x"
        ) > 2_000
    );
    assert!(check("Größe, Ελληνικά, Привет", "", "") > 2_000);
}

#[test]
fn a_line_without_glyphs_is_left_out() {
    assert_eq!(check("日本語の見出し", "العربية", ""), 0);
    assert_eq!(check("", "", ""), 0);
}

#[test]
fn titles_are_broken_evenly() {
    let face = FontRef::try_from_slice(FACE).unwrap();
    for (title, expected) in [
        ("Field Notes", &["Field Notes"][..]),
        (
            "What a static host can do, and what it cannot",
            &["What a static host can", "do, and what it cannot"],
        ),
        (
            "How the internet of the nineties was read by those who had it",
            &[
                "How the internet of",
                "the nineties was read",
                "by those who had it",
            ],
        ),
    ] {
        let fitted = fit(&face, title);
        assert_eq!(fitted.lines.join(" "), title, "no word is lost");
        assert_eq!(fitted.lines, expected);
    }
}

#[test]
fn a_change_of_the_design_has_a_new_number() {
    // Cached cards are identified by their words and this version. A change of the drawing or the
    // compression must change both.
    let picture = draw(&CardText {
        title: "Field Notes",
        text: "A small publication.",
        foot: "example.org",
    })
    .unwrap();
    assert_eq!(
        (DESIGN, Digest::hash(&picture).to_string().as_str()),
        (3, "6ee556c0c1ee586fe181ad4970862010")
    );
}

#[test]
fn the_same_words_and_no_others_have_one_digest() {
    let words = |title, text, foot| CardText { title, text, foot }.digest();
    let all = [
        words("a", "b", "c"),
        words("ab", "", "c"),
        words("a", "bc", ""),
        words("a", "c", "b"),
        words("", "", ""),
    ];
    for (at, one) in all.iter().enumerate() {
        assert_eq!(all.iter().position(|other| other == one), Some(at));
    }
}
