//! Which addresses this program may call on behalf of strangers.
//!
//! Links in scenes and webhook addresses are written by whoever may post a scene. Without rules they would turn the
//! server into a proxy to its own network: the database next door, the cloud's metadata service, the router's page.
//! So every address a name resolves to is judged, and only public unicast addresses pass. Operators open private
//! ranges by an allow-list.
//!
//! The judgement is about addresses, never about names: `localhost`, `127.1`, `0x7f000001` and a public name that
//! points inwards are all the same once resolved. Whoever calls must connect to the very address that was judged
//! (see [`guard`](super::guard)); asking the name twice would let it change its answer in between.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::str::FromStr;

use serde::{Deserialize, Deserializer};

/// Why an address is not one of the public internet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inward {
    Loopback,
    Private,
    LinkLocal,
    CarrierNat,
    Multicast,
    Documentation,
    Benchmarking,
    /// Addresses that carry an IPv4 address in a form nobody serves assets from (6to4, Teredo, IPv4-compatible).
    Tunnel,
    /// A public-looking address that clouds answer their metadata on.
    CloudMetadata,
    Unspecified,
    Reserved,
}

impl fmt::Display for Inward {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Loopback => "a loopback address",
            Self::Private => "a private address",
            Self::LinkLocal => "a link-local address",
            Self::CarrierNat => "a carrier-grade NAT address",
            Self::Multicast => "a multicast address",
            Self::Documentation => "an address reserved for documentation",
            Self::Benchmarking => "an address reserved for benchmarks",
            Self::Tunnel => "an IPv6 tunnel address",
            Self::CloudMetadata => "a cloud metadata address",
            Self::Unspecified => "the unspecified address",
            Self::Reserved => "a reserved address",
        })
    }
}

/// The IPv4 ranges that are not public, from the IANA special-purpose registry. First match wins.
const INWARD_V4: &[(Ipv4Addr, u8, Inward)] = &[
    (Ipv4Addr::new(0, 0, 0, 0), 32, Inward::Unspecified),
    (Ipv4Addr::new(0, 0, 0, 0), 8, Inward::Reserved),
    (Ipv4Addr::new(10, 0, 0, 0), 8, Inward::Private),
    (Ipv4Addr::new(100, 64, 0, 0), 10, Inward::CarrierNat),
    (Ipv4Addr::new(127, 0, 0, 0), 8, Inward::Loopback),
    (Ipv4Addr::new(168, 63, 129, 16), 32, Inward::CloudMetadata),
    (Ipv4Addr::new(169, 254, 0, 0), 16, Inward::LinkLocal),
    (Ipv4Addr::new(172, 16, 0, 0), 12, Inward::Private),
    (Ipv4Addr::new(192, 0, 0, 0), 24, Inward::Reserved),
    (Ipv4Addr::new(192, 0, 2, 0), 24, Inward::Documentation),
    (Ipv4Addr::new(192, 88, 99, 0), 24, Inward::Tunnel),
    (Ipv4Addr::new(192, 168, 0, 0), 16, Inward::Private),
    (Ipv4Addr::new(198, 18, 0, 0), 15, Inward::Benchmarking),
    (Ipv4Addr::new(198, 51, 100, 0), 24, Inward::Documentation),
    (Ipv4Addr::new(203, 0, 113, 0), 24, Inward::Documentation),
    (Ipv4Addr::new(224, 0, 0, 0), 4, Inward::Multicast),
    (Ipv4Addr::new(240, 0, 0, 0), 4, Inward::Reserved),
];

/// The IPv6 ranges that are not public although they lie inside global unicast space, or that deserve a better word
/// than "reserved". What lies outside 2000::/3 and is not named here is reserved.
const INWARD_V6: &[(Ipv6Addr, u8, Inward)] = &[
    (Ipv6Addr::UNSPECIFIED, 128, Inward::Unspecified),
    (Ipv6Addr::LOCALHOST, 128, Inward::Loopback),
    (Ipv6Addr::UNSPECIFIED, 96, Inward::Tunnel),
    // Teredo, before the protocol assignments that contain it.
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 32, Inward::Tunnel),
    (Ipv6Addr::new(0x2001, 2, 0, 0, 0, 0, 0, 0), 48, Inward::Benchmarking),
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23, Inward::Reserved),
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32, Inward::Documentation),
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16, Inward::Tunnel),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20, Inward::Documentation),
    (Ipv6Addr::new(0xfc00, 0, 0, 0, 0, 0, 0, 0), 7, Inward::Private),
    (Ipv6Addr::new(0xfe80, 0, 0, 0, 0, 0, 0, 0), 10, Inward::LinkLocal),
    (Ipv6Addr::new(0xfec0, 0, 0, 0, 0, 0, 0, 0), 10, Inward::Private),
    (Ipv6Addr::new(0xff00, 0, 0, 0, 0, 0, 0, 0), 8, Inward::Multicast),
];

/// Says why an address is not public, or `None` when it is.
pub fn inward(address: IpAddr) -> Option<Inward> {
    match plain(address) {
        IpAddr::V4(v4) => INWARD_V4
            .iter()
            .find(|(net, bits, _)| same_prefix(IpAddr::V4(*net), IpAddr::V4(v4), *bits))
            .map(|&(_, _, why)| why),
        IpAddr::V6(v6) => INWARD_V6
            .iter()
            .find(|(net, bits, _)| same_prefix(IpAddr::V6(*net), IpAddr::V6(v6), *bits))
            .map(|&(_, _, why)| why)
            .or_else(|| (v6.segments()[0] & 0xe000 != 0x2000).then_some(Inward::Reserved)),
    }
}

/// The IPv4 address that an IPv4-mapped (`::ffff:a.b.c.d`) or NAT64 (`64:ff9b::a.b.c.d`) address really reaches.
///
/// NAT64 must be seen through and not refused: behind DNS64 every public name resolves to that form.
fn plain(address: IpAddr) -> IpAddr {
    let IpAddr::V6(v6) = address else { return address };
    if let Some(v4) = v6.to_ipv4_mapped() {
        return IpAddr::V4(v4);
    }
    match v6.segments() {
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => {
            let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
            IpAddr::V4(Ipv4Addr::new(a, b, c, d))
        }
        _ => address,
    }
}

fn same_prefix(net: IpAddr, address: IpAddr, bits: u8) -> bool {
    match (net, address) {
        (IpAddr::V4(a), IpAddr::V4(b)) => {
            (a.to_bits() ^ b.to_bits()).checked_shr(32 - u32::from(bits)).unwrap_or(0) == 0
        }
        (IpAddr::V6(a), IpAddr::V6(b)) => {
            (a.to_bits() ^ b.to_bits()).checked_shr(128 - u32::from(bits)).unwrap_or(0) == 0
        }
        _ => false,
    }
}

/// An address that may not be called. The sentence names the kind of address and not the address itself, so that an
/// author cannot map the network this server stands in.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("{}", inward_in_words(host, *why))]
    Inward { host: String, address: IpAddr, why: Inward },
    #[error(
        "`{host}` is asked for on port {port}; only ports 80 and 443 are fetched unless the operator allows others"
    )]
    Port { host: String, port: u16 },
    #[error(
        "`{host}` is asked for on port {port}; the operator allows it on ports 80 and 443 only (`allow` with `:{port}` or \
         `:*` behind it would open others)"
    )]
    AllowedElsewhere { host: String, port: u16 },
}

/// For an address the author knows what it is. For a name nobody is told what it points to, or whether there is anything:
/// the names of the operator's network are not for strangers.
fn inward_in_words(host: &str, why: Inward) -> String {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    if bare.parse::<IpAddr>().is_ok() {
        return format!("`{host}` is {why}; only public addresses are fetched unless the operator allows others");
    }
    nowhere(host)
}

/// The one answer for names that lead nowhere and for those that lead inwards.
pub fn nowhere(host: &str) -> String {
    format!("there is no public host called `{host}`; others are fetched only where the operator allows them")
}

/// The rules of one installation.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AddressRules {
    /// Exceptions for addresses inside the operator's own network.
    pub allow: Vec<Allow>,
    /// Ports that may be called on public addresses besides 80 and 443.
    pub ports: Vec<u16>,
}

impl AddressRules {
    /// Rules with a list of exceptions as a person writes them: `10.0.0.0/8, nas:9000`.
    pub fn allowing(list: &str) -> Result<Self, BadAllow> {
        let entries = list.split([',', ' ', '\n']).map(str::trim).filter(|entry| !entry.is_empty());
        Ok(Self { allow: entries.map(str::parse).collect::<Result<_, _>>()?, ports: Vec::new() })
    }

    /// Judges all addresses that a name resolved to. One bad address among good ones refuses the name: honest names
    /// do not answer like that.
    pub fn judge(&self, host: &str, addresses: &[SocketAddr]) -> Result<(), Refusal> {
        addresses.iter().try_for_each(|&address| self.judge_one(host, address))
    }

    fn judge_one(&self, host: &str, address: SocketAddr) -> Result<(), Refusal> {
        let (ip, port) = (address.ip(), address.port());
        let usual = matches!(port, 80 | 443) || self.ports.contains(&port);
        if self.allow.iter().any(|allow| allow.covers(host, ip, port, usual)) {
            return Ok(());
        }
        if self.allow.iter().any(|allow| allow.is_of_usual_ports(host, ip)) {
            return Err(Refusal::AllowedElsewhere { host: host.to_owned(), port });
        }
        if let Some(why) = inward(ip) {
            return Err(Refusal::Inward { host: host.to_owned(), address: ip, why });
        }
        if !usual {
            return Err(Refusal::Port { host: host.to_owned(), port });
        }
        Ok(())
    }
}

/// One exception: `10.0.0.0/8`, `10.1.2.3:9000`, `[fd00::1]:8080`, `assets.example`, `*.example:*`.
///
/// Without a port it opens the usual ports only, so that allowing a network for its file server does not open its
/// database. `:*` opens every port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allow {
    who: Who,
    ports: Ports,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Who {
    Network(IpAddr, u8),
    Host(String),
    /// `*.example`: every name below, not `example` itself. Kept with its leading dot.
    Below(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ports {
    Usual,
    One(u16),
    Any,
}

impl Allow {
    /// Whether it is about this host, on whichever port.
    fn names(&self, host: &str, ip: IpAddr) -> bool {
        let host = host.trim_end_matches('.').to_ascii_lowercase();
        match &self.who {
            Who::Network(net, bits) => same_prefix(*net, plain(ip), *bits),
            Who::Host(name) => host == *name,
            Who::Below(suffix) => host.len() > suffix.len() && host.ends_with(suffix.as_str()),
        }
    }

    /// Whether it opens the usual ports of this host, and who asks may know: a name that leads into an allowed network is
    /// answered like any other that leads inwards.
    fn is_of_usual_ports(&self, host: &str, ip: IpAddr) -> bool {
        let is_address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>().is_ok();
        let open = is_address || !matches!(self.who, Who::Network(..));
        open && self.ports == Ports::Usual && self.names(host, ip)
    }

    fn covers(&self, host: &str, ip: IpAddr, port: u16, usual: bool) -> bool {
        self.names(host, ip)
            && match self.ports {
                Ports::Usual => usual,
                Ports::One(one) => port == one,
                Ports::Any => true,
            }
    }
}

/// What is wrong with an entry of the allow-list.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not an address, network or host name with an optional port, like `10.0.0.0/8`, `[fd00::1]:9000` or `*.example:*`"
)]
pub struct BadAllow(String);

impl FromStr for Allow {
    type Err = BadAllow;

    fn from_str(text: &str) -> Result<Self, BadAllow> {
        let bad = || BadAllow(text.to_owned());
        // A bare IPv6 address is full of colons, so it is tried whole before a port is looked for.
        if let Some(who) = network(text) {
            return Ok(Self { who, ports: Ports::Usual });
        }
        let (who, ports) = match text.rsplit_once(':') {
            Some((who, "*")) => (who, Ports::Any),
            Some((who, port)) => (who, Ports::One(port.parse().map_err(|_| bad())?)),
            None => (text, Ports::Usual),
        };
        let bare = who.strip_prefix('[').and_then(|who| who.strip_suffix(']'));
        let who = network(bare.unwrap_or(who)).or_else(|| name(who)).ok_or_else(bad)?;
        Ok(Self { who, ports })
    }
}

fn network(text: &str) -> Option<Who> {
    let (address, bits) = match text.split_once('/') {
        Some((address, bits)) => (address.parse().ok()?, Some(bits.parse::<u8>().ok()?)),
        None => (text.parse().ok()?, None),
    };
    let all = if matches!(address, IpAddr::V4(_)) { 32 } else { 128 };
    let bits = bits.unwrap_or(all);
    (bits <= all).then_some(Who::Network(address, bits))
}

fn name(text: &str) -> Option<Who> {
    let text = text.trim_end_matches('.').to_ascii_lowercase();
    let (below, labels) = match text.strip_prefix("*.") {
        Some(rest) => (true, rest),
        None => (false, text.as_str()),
    };
    let fine =
        |label: &str| !label.is_empty() && label.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b));
    // A mistyped address must not pass as a name: a last label of digits is what the URL standard calls a number.
    let number = labels.rsplit('.').next().is_some_and(|last| last.bytes().all(|b| b.is_ascii_digit()));
    if number || !labels.split('.').all(fine) {
        return None;
    }
    Some(if below { Who::Below(format!(".{labels}")) } else { Who::Host(text) })
}

impl<'de> Deserialize<'de> for Allow {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
#[path = "address_tests.rs"]
mod tests;
