//! Decoding of content-codings, with a limit on the output.

use std::io::{self, Read};

/// The largest Zstandard window accepted: 8 MiB, as RFC 8878 section 3.1.1.1.2 advises and RFC 9659
/// requires on the web.
const ZSTD_WINDOW_LOG: u32 = 23;

/// Decodes a body.
///
/// # Errors
/// The coding is unknown, the bytes are malformed, or the output exceeds `most`.
pub fn decode(coding: &str, bytes: &[u8], most: u64) -> Result<Vec<u8>, String> {
    let decoded = match coding {
        "identity" => return Ok(bytes.to_vec()),
        "gzip" | "x-gzip" => read(flate2::read::MultiGzDecoder::new(bytes), most),
        "br" => read(brotli::Decompressor::new(bytes, 1 << 16), most),
        "zstd" => zstd::Decoder::new(bytes).and_then(|mut decoder| {
            decoder
                .window_log_max(ZSTD_WINDOW_LOG)
                .and_then(|()| read(decoder, most))
        }),
        other => return Err(format!("the content-coding `{other}` was not asked for")),
    };
    decoded.map_err(|error| format!("the body is not in the content-coding `{coding}`: {error}"))
}

fn read(reader: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        Err(io::Error::other("it grows too large"))
    } else {
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use diglot_edition::{Body, Coding, coding::encode};

    use super::*;

    #[test]
    fn codings_come_off_and_bombs_do_not_go_off() {
        let text = "the same words again and again ".repeat(1000);
        for coding in Coding::ALL {
            let coded = encode(coding, &Body::from(text.clone())).unwrap();
            assert_eq!(
                decode(coding.name(), &coded, 1 << 20).unwrap(),
                text.as_bytes(),
                "{coding:?}"
            );
            assert!(
                decode(coding.name(), &coded, 1000)
                    .unwrap_err()
                    .contains("too large"),
                "{coding:?}"
            );
            assert!(
                decode(coding.name(), b"no such coding", 1000).is_err(),
                "{coding:?}"
            );
        }
        assert!(decode("compress", b"", 10).is_err());
    }
}
