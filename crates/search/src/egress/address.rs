//! Decides which addresses may be fetched. Anything that is not clearly public is refused.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use reqwest::Url;

/// The reason an address is refused; shown to the person who supplied it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    #[error("{0:?} is not a web address; it must begin with http:// or https://")]
    NotAnAddress(String),
    #[error("addresses with a user name or password are not fetched")]
    Credentials,
    #[error("only ports 80 and 443 are allowed")]
    Port,
    /// Also used when a name resolves to a private address, so the message does not reveal
    /// it.
    #[error("the address is not public (address_not_allowed)")]
    NotPublic,
}

/// Private hosts that the operator allows, as `host` or `host:port`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AllowedHosts(Vec<String>);

impl AllowedHosts {
    pub fn new(hosts: impl IntoIterator<Item = String>) -> Self {
        Self(
            hosts
                .into_iter()
                .map(|host| host.trim().to_ascii_lowercase())
                .filter(|host| !host.is_empty())
                .collect(),
        )
    }

    pub(super) fn admits(&self, url: &Url) -> bool {
        let Some(host) = url.host_str() else {
            return false;
        };
        let port = url.port_or_known_default().unwrap_or_default();
        self.0
            .iter()
            .any(|allowed| allowed == host || *allowed == format!("{host}:{port}"))
    }

    /// True if the list has this name, with any port.
    pub(super) fn admits_name(&self, name: &str) -> bool {
        self.0
            .iter()
            .any(|allowed| allowed.split(':').next() == Some(name))
    }
}

/// Parses an address and makes every check that needs no name resolution.
pub fn check(text: &str, allowed: &AllowedHosts) -> Result<Url, AddressError> {
    let text = text.trim();
    let not_one = || AddressError::NotAnAddress(text.chars().take(80).collect());
    // URL parsers disagree about these characters; attackers use the difference to bypass
    // guards.
    let confusing = |c: char| c.is_control() || c.is_whitespace() || c == '\\';
    if text.contains(confusing) {
        return Err(not_one());
    }
    let url = Url::parse(text).map_err(|_| not_one())?;
    check_url(&url, allowed)?;
    Ok(url)
}

/// Makes the same checks on a parsed URL, e.g. a redirect target.
pub(super) fn check_url(url: &Url, allowed: &AllowedHosts) -> Result<(), AddressError> {
    let shown = || AddressError::NotAnAddress(url.as_str().chars().take(80).collect());
    if !matches!(url.scheme(), "http" | "https") {
        return Err(shown());
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(AddressError::Credentials);
    }
    let host = url
        .host_str()
        .filter(|host| !host.is_empty())
        .ok_or_else(shown)?;
    if allowed.admits(url) {
        return Ok(());
    }
    if !matches!(url.port_or_known_default(), Some(80 | 443)) {
        return Err(AddressError::Port);
    }
    let literal = host.trim_start_matches('[').trim_end_matches(']');
    if let Ok(address) = literal.parse::<IpAddr>() {
        return if is_public(address) {
            Ok(())
        } else {
            Err(AddressError::NotPublic)
        };
    }
    let name = host.trim_end_matches('.');
    let local_name = name == "localhost"
        || !name.contains('.')
        || [
            ".localhost",
            ".local",
            ".internal",
            ".intranet",
            ".lan",
            ".home.arpa",
            ".corp",
        ]
        .iter()
        .any(|ending| name.ends_with(ending));
    if local_name {
        return Err(AddressError::NotPublic);
    }
    Ok(())
}

/// True for addresses of the public internet, including IPv4 embedded in IPv6.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => is_public_v4(v4),
        IpAddr::V6(v6) => match unwrapped(v6) {
            Some(v4) => is_public_v4(v4),
            None => is_public_v6(v6),
        },
    }
}

/// Extracts the IPv4 address from an IPv6 one: mapped, compatible, NAT64, 6to4 or Teredo.
fn unwrapped(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let s = address.segments();
    let last = || {
        let [a, b] = s[6].to_be_bytes();
        let [c, d] = s[7].to_be_bytes();
        Ipv4Addr::new(a, b, c, d)
    };
    match s {
        [0, 0, 0, 0, 0, 0, ..] if s[6] != 0 => Some(last()),
        [0, 0, 0, 0, 0, 0xffff, ..] | [0, 0, 0, 0, 0xffff, 0, ..] => Some(last()),
        [0x64, 0xff9b, 0, 0, 0, 0, ..] | [0x64, 0xff9b, 1, ..] => Some(last()),
        [0x2002, high, low, ..] => {
            let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
            Some(Ipv4Addr::new(a, b, c, d))
        }
        // Teredo inverts the client address; no public service runs behind it.
        [0x2001, 0, ..] => Some(Ipv4Addr::UNSPECIFIED),
        _ => None,
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let special = address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_broadcast()
        || address.is_documentation()
        || address.is_multicast()
        || a == 0
        // Carrier-grade NAT, IETF protocols, benchmarks, 6to4 relays, reserved.
        || (a == 100 && (64..128).contains(&b))
        || (a == 192 && b == 0 && c == 0)
        || (a == 198 && (b == 18 || b == 19))
        || (a == 192 && b == 88 && c == 99)
        || a >= 240;
    !special
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let s = address.segments();
    // Global unicast is 2000::/3; some of its ranges are reserved.
    let global = s[0] & 0xe000 == 0x2000;
    let documentation = (s[0] == 0x2001 && s[1] == 0x0db8) || (s[0] == 0x3fff && s[1] < 0x1000);
    let protocols = s[0] == 0x2001 && s[1] < 0x0200;
    global && !documentation && !protocols
}

#[cfg(test)]
#[path = "address_tests.rs"]
mod address_tests;
