use std::io::Read;

use super::*;
use crate::byte_store::Heap;
use crate::resource::Digest;

/// The text of the golden test, repetitive and varied enough to exercise every part of an encoder.
fn fixed_text() -> String {
    (0..4_000_u32)
        .map(|number| {
            format!(
                "<p>{} {:x} größer als {}</p>\n",
                number % 97,
                number.wrapping_mul(2_654_435_761),
                number / 7
            )
        })
        .collect()
}

fn decode(coding: Coding, bytes: &[u8]) -> Vec<u8> {
    let mut text = Vec::new();
    match coding {
        Coding::Br => brotli::Decompressor::new(bytes, 4096).read_to_end(&mut text),
        Coding::Zstd => zstd::Decoder::new(bytes).unwrap().read_to_end(&mut text),
        Coding::Gzip => flate2::read::GzDecoder::new(bytes).read_to_end(&mut text),
    }
    .unwrap();
    text
}

#[test]
fn contract_3_a_recipe_fixes_its_bytes() {
    let body = Body::from(fixed_text());
    for (recipe, digest) in GOLDEN {
        let coding = Coding::ALL
            .into_iter()
            .find(|coding| coding.recipe() == *recipe)
            .unwrap_or_else(|| panic!("no coding has the recipe {recipe}"));
        let coded = encode(coding, &body).unwrap();
        assert_eq!(
            Digest::hash(&coded).to_string(),
            *digest,
            "the encoder behind `{recipe}` writes other bytes ({} of {}): raise the number of the recipe in `Coding::recipe`, then name its digest here",
            coded.len(),
            body.len()
        );
    }
    assert_eq!(GOLDEN.len(), Coding::ALL.len());
}

const GOLDEN: &[(&str, &str)] = &[
    ("br1", "79222450813db3b58919a4427ca344b1"),
    ("zstd1", "20afc6d8d7b1f35267902e509df54832"),
    ("gzip1", "eb0de8734527a7008885c27552c79a6f"),
];

#[test]
fn contract_3_the_same_bytes_have_the_same_codings_whatever_the_slices() {
    let text = fixed_text().repeat(3);
    let bytes = Bytes::from(text.clone());
    let whole = Coding::ALL.map(|coding| encode(coding, &bytes.clone().into()).unwrap());
    for cut in [1, 300, 1000, 65_535, 65_536, 100_000, bytes.len() - 1] {
        let rope = Body::rope([bytes.slice(..cut), bytes.slice(cut..)]);
        for (coding, whole) in Coding::ALL.into_iter().zip(&whole) {
            assert_eq!(
                encode(coding, &rope).unwrap(),
                *whole,
                "{coding:?} cut at {cut}"
            );
            assert_eq!(decode(coding, whole), text.as_bytes(), "{coding:?}");
        }
    }
}

#[test]
fn gzip_says_no_time_and_no_system() {
    let coded = encode(Coding::Gzip, &Body::from(fixed_text())).unwrap();
    assert_eq!((&coded[4..8], coded[9]), (&[0; 4][..], 255));
}

#[test]
fn a_slot_is_filled_once_and_never_with_more_bytes() {
    let codings = Codings::default();
    let body = Body::from("x".to_owned());
    assert!(!codings.is_decided(Coding::Gzip));
    codings.fill(Coding::Gzip, &body, &Heap, encode);
    assert!(
        codings.is_decided(Coding::Gzip) && codings.get(Coding::Gzip).is_none(),
        "gzip of one byte is larger"
    );

    let long = Body::from(fixed_text());
    codings.fill(Coding::Br, &long, &Heap, |_, _| Ok(b"first".to_vec()));
    codings.fill(Coding::Br, &long, &Heap, |_, _| Ok(b"second".to_vec()));
    assert_eq!(codings.get(Coding::Br).unwrap(), "first");
    codings.fill(Coding::Zstd, &long, &Heap, |_, _| {
        Err(io::Error::other("no memory"))
    });
    assert!(codings.get(Coding::Zstd).is_none());
}
