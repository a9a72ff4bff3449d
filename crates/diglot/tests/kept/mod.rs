//! Files that Diglot itself wrote, with anything done to them since: the fuzz targets that need the
//! whole program, over their corpora and variations of these. `cargo xtask weekly fuzz` searches
//! further.

#[path = "../../../../fuzz/src/kept.rs"]
mod targets;

use std::fs;
use std::path::Path;

use jiff::Timestamp;

/// How many variations each corpus has.
const VARIATIONS: usize = 10_000;

/// The instant of every run.
fn now() -> Timestamp {
    Timestamp::from_second(1_798_761_600).unwrap()
}

#[test]
fn files_of_readers_are_read_again_as_they_were_written() {
    vary("readers", targets::readers);
}

#[test]
fn what_is_remembered_is_read_again_as_it_was_written() {
    vary("remembered", targets::remembered);
}

fn vary(name: &str, target: fn(&[u8])) {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../fuzz/corpus")
        .join(name);
    let mut files: Vec<_> = fs::read_dir(&corpus)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    let inputs: Vec<Vec<u8>> = files
        .iter()
        .map(|file| fs::read(file).unwrap())
        .filter(|bytes| !bytes.is_empty())
        .collect();
    assert!(inputs.len() >= 2, "`{}` holds no corpus", corpus.display());
    inputs.iter().for_each(|input| target(input));
    let mut random = Random(1);
    for number in 0..VARIATIONS {
        let mut input = inputs[number % inputs.len()].clone();
        for _ in 0..=random.below(3) {
            change(&mut input, &inputs, &mut random);
        }
        target(&input);
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
