//! A digest of 64 bits as 16 hexadecimal digits, for serde.

use serde::{Deserialize, Deserializer, Serializer};

pub(super) fn serialize<S: Serializer>(digest: &u64, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(&format_args!("{digest:016x}"))
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
    let digits = String::deserialize(from)?;
    u64::from_str_radix(&digits, 16).map_err(serde::de::Error::custom)
}

/// The same, if there is one.
pub(super) mod option {
    use super::{Deserialize, Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer>(digest: &Option<u64>, to: S) -> Result<S::Ok, S::Error> {
        match digest {
            Some(digest) => super::serialize(digest, to),
            None => to.serialize_none(),
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
        let digits = Option::<String>::deserialize(from)?;
        let read = digits.map(|digits| u64::from_str_radix(&digits, 16));
        read.transpose().map_err(serde::de::Error::custom)
    }
}
