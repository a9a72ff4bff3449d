//! Addresses of clients, and trusted networks.

use std::net::{IpAddr, Ipv6Addr};
use std::str::FromStr;

/// The unit that counts as one client: an IPv4 address, or the /64 that an IPv6 provider assigns to
/// one customer (RFC 6177).
pub(super) fn client_network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64)).into(),
        address => address,
    }
}

/// A network in the notation of RFC 4632 and RFC 4291: `10.0.0.0/8`, `fd00::/8`, or one address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network {
    address: IpAddr,
    /// The length of the prefix in bits.
    length: u32,
}

impl Network {
    /// Whether the network contains the address. An IPv4-mapped address (`::ffff:…`) counts as
    /// IPv4.
    pub fn contains(&self, address: IpAddr) -> bool {
        let same = |a: u128, b: u128, width: u32| {
            (a ^ b).checked_shr(width - self.length).unwrap_or(0) == 0
        };
        match (self.address, address.to_canonical()) {
            (IpAddr::V4(own), IpAddr::V4(other)) => {
                same(own.to_bits().into(), other.to_bits().into(), 32)
            }
            (IpAddr::V6(own), IpAddr::V6(other)) => same(own.to_bits(), other.to_bits(), 128),
            _ => false,
        }
    }
}

impl FromStr for Network {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (address, length) = match text.split_once('/') {
            Some((address, length)) => (address, Some(length)),
            None => (text, None),
        };
        let Ok(address) = address.parse::<IpAddr>() else {
            return Err(format!(
                "`{text}` is not a network: write `10.0.0.0/8`, `fd00::/8` or one address"
            ));
        };
        let width = if address.is_ipv4() { 32 } else { 128 };
        let Some(length) = length else {
            return Ok(Self {
                address,
                length: width,
            });
        };
        // `parse` would accept a sign.
        match length.parse() {
            Ok(number) if number <= width && !length.starts_with('+') => Ok(Self {
                address,
                length: number,
            }),
            _ => Err(format!(
                "`{text}` is not a network: `/{length}` must be between 0 and {width}"
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_customer_is_one_client() {
        let network = |text: &str| client_network(text.parse().unwrap());
        assert_eq!(network("2001:db8:1:2:3::4"), network("2001:db8:1:2:ffff::"));
        assert_ne!(network("2001:db8:1:2::1"), network("2001:db8:1:3::1"));
        assert_ne!(network("192.0.2.1"), network("192.0.2.2"));
        assert_eq!(network("::ffff:192.0.2.1"), network("192.0.2.1"));
    }

    #[test]
    fn networks_contain_addresses() {
        let check = |network: &str, address: &str, expected: bool| {
            let parsed: Network = network.parse().unwrap();
            assert_eq!(
                parsed.contains(address.parse().unwrap()),
                expected,
                "{network} {address}"
            );
        };
        check("10.0.0.0/8", "10.255.0.1", true);
        check("10.0.0.0/8", "11.0.0.1", false);
        check("10.0.0.0/8", "::ffff:10.1.1.1", true);
        check("10.1.2.3", "10.1.2.3", true);
        check("10.1.2.3", "10.1.2.4", false);
        check("0.0.0.0/0", "192.0.2.1", true);
        check("::/0", "192.0.2.1", false);
        check("::/0", "2001:db8::1", true);
        check("fd00::/8", "fdff::1", true);
        check("fd00::/8", "fc00::1", false);
        for wrong in [
            "",
            "10.0.0.0/33",
            "10.0.0.0/",
            "10.0.0/8",
            "::/129",
            "example.org",
            "10.0.0.0/+8",
            "10.0.0.0/-1",
        ] {
            assert!(wrong.parse::<Network>().is_err(), "{wrong}");
        }
    }
}
