//! Every property over its corpus in `fuzz/corpus`, and over variations of it: the same in every run.

use std::fs;
use std::path::{Path, PathBuf};

/// One test for each fuzz target, with the number of variations that it tries.
macro_rules! targets {
    ($($name:ident: $variations:literal,)*) => {
        $(#[test]
        fn $name() {
            vary(stringify!($name), crate::$name, $variations);
        })*

        const TARGETS: &[&str] = &[$(stringify!($name)),*];
    };
}

targets! {
    audit: 15,
    changes: 20_000,
    conditions: 100_000,
    dates: 300_000,
    dialects: 600,
    framing: 100_000,
    front_matter: 30_000,
    html: 4_000,
    markdown: 1_000,
    negotiation: 10_000,
    pictures: 500,
    range: 1_000_000,
    readers: 10_000,
    remembered: 40_000,
    request: 20_000,
    search: 3_000,
    settings: 8_000,
    site: 10,
}

/// CI does not compile the targets, which are a workspace of their own.
#[test]
fn every_fuzz_target_calls_its_property() {
    let folder = fuzz().join("fuzz_targets");
    let manifest = fs::read_to_string(fuzz().join("Cargo.toml")).unwrap();
    assert_eq!(fs::read_dir(&folder).unwrap().count(), TARGETS.len());
    for name in TARGETS {
        let text = fs::read_to_string(folder.join(format!("{name}.rs"))).unwrap();
        let call = format!("fuzz_target!(|input: &[u8]| diglot_properties::{name}(input));");
        assert_eq!(text, format!("#![no_main]\n\nlibfuzzer_sys::{call}\n"));
        let program = format!("[[bin]]\nname = \"{name}\"\npath = \"fuzz_targets/{name}.rs\"\n");
        assert!(manifest.contains(&program), "{program}");
    }
}

fn fuzz() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz")
}

fn vary(name: &str, property: fn(&[u8]), variations: usize) {
    let corpus = fuzz().join("corpus").join(name);
    let files = fs::read_dir(&corpus).unwrap();
    let mut files: Vec<PathBuf> = files.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut inputs: Vec<Vec<u8>> = files.iter().map(|file| fs::read(file).unwrap()).collect();
    inputs.iter().for_each(|input| property(input));
    inputs.retain(|input| !input.is_empty());
    assert!(inputs.len() >= 2, "`{}` holds no corpus", corpus.display());
    let mut random = Random(1);
    for number in 0..variations {
        let mut input = inputs[number % inputs.len()].clone();
        for _ in 0..=random.below(3) {
            change(&mut input, &inputs, &mut random);
        }
        property(&input);
    }
}

/// One change: a byte, a part that is gone, or a part of another input.
fn change(input: &mut Vec<u8>, inputs: &[Vec<u8>], random: &mut Random) {
    let at = random.below(input.len() + 1);
    let end = (at + random.below(16)).min(input.len());
    match random.below(4) {
        0 if at < input.len() => input[at] ^= 1 << random.below(8),
        1 => drop(input.drain(at..end)),
        _ => {
            let other = &inputs[random.below(inputs.len())];
            let from = random.below(other.len());
            let part = &other[from..(from + random.below(64)).min(other.len())];
            drop(input.splice(at..end, part.iter().copied()));
        }
    }
}

/// Numbers that are the same in every run (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % most.max(1) as u64) as usize
    }
}
