//! The digest in small files of the state folder.
//!
//! A small file is a JSON object whose first member is the digest of its name and of everything
//! after that member. So flipped bits, truncation and swapped files are all detected. A file
//! without a digest is not used, since it cannot be verified.

/// The beginning of a sealed file; the digits follow.
const FIRST: &[u8] = b"{\"digest\":\"";
/// Follows the digits.
const SECOND: &[u8] = b"\",";

/// This nonempty JSON object with its digest.
pub(super) fn sealed(name: &str, object: &[u8]) -> Vec<u8> {
    let rest = object.strip_prefix(b"{").unwrap_or(object);
    [FIRST, digest(name, rest).to_hex().as_bytes(), SECOND, rest].concat()
}

/// Whether [`sealed`] produced this file under this name.
///
/// # Errors
/// Why not, in a few words.
pub(super) fn check(name: &str, bytes: &[u8]) -> Result<(), &'static str> {
    let parts = bytes
        .strip_prefix(FIRST)
        .and_then(|rest| rest.split_first_chunk::<64>());
    let (digits, rest) = parts
        .and_then(|(digits, rest)| Some((digits, rest.strip_prefix(SECOND)?)))
        .ok_or("it does not begin with its digest")?;
    if digest(name, rest).to_hex().as_bytes() == digits {
        Ok(())
    } else {
        Err("it is damaged")
    }
}

fn digest(name: &str, rest: &[u8]) -> blake3::Hash {
    let mut sum = blake3::Hasher::new();
    sum.update(name.as_bytes()).update(b"\n").update(rest);
    sum.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bit_of_a_sealed_file_is_under_its_digest() {
        let object = br#"{"version":1,"files":{"a.md":{"changed":"2024-01-01T00:00:00Z"}}}"#;
        let whole = sealed("dates.json", object);
        assert_eq!(check("dates.json", &whole), Ok(()));
        assert!(
            serde_json::from_slice::<serde_json::Value>(&whole).unwrap()["files"]["a.md"]
                .is_object(),
            "it is JSON still"
        );
        assert!(
            check("history.json", &whole).is_err(),
            "it took another's place"
        );
        assert!(check("dates.json", object).is_err(), "it has no digest");
        for bit in 0..8 * whole.len() {
            let mut other = whole.clone();
            other[bit / 8] ^= 1 << (bit % 8);
            assert!(check("dates.json", &other).is_err(), "bit {bit}");
        }
        for cut in 0..whole.len() {
            assert!(
                check("dates.json", &whole[..cut]).is_err(),
                "cut after {cut}"
            );
        }
        assert!(check("dates.json", &[&whole[..], b" "].concat()).is_err());
    }
}
