//! The address that counts for limits.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::HeaderMap;
use axum::http::request::Parts;
use compere_office::{Address, Office};

/// The peer's, or behind a proxy of the operator's the one it names last.
#[derive(Clone, Copy, Debug)]
pub struct Whence(pub Address);

impl Whence {
    pub fn of(headers: &HeaderMap, peer: Option<SocketAddr>, proxied: bool) -> Self {
        let peer = peer.map_or(IpAddr::from([0, 0, 0, 0]), |peer| peer.ip());
        let named = headers.get_all("x-forwarded-for").iter().next_back().and_then(|value| value.to_str().ok());
        let named = named.and_then(|list| list.rsplit(',').next()?.trim().parse().ok());
        Self(Address(named.filter(|_| proxied && is_near(peer)).unwrap_or(peer)))
    }
}

/// A proxy of the operator's stands on the machine or in its network; whoever calls from anywhere else says what they
/// like.
pub fn is_near(peer: IpAddr) -> bool {
    match peer.to_canonical() {
        IpAddr::V4(peer) => peer.is_loopback() || peer.is_private() || peer.is_link_local(),
        IpAddr::V6(peer) => peer.is_loopback() || peer.is_unique_local() || peer.is_unicast_link_local(),
    }
}

impl FromRequestParts<Arc<Office>> for Whence {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, office: &Arc<Office>) -> Result<Self, Self::Rejection> {
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|info| info.0);
        Ok(Self::of(&parts.headers, peer, office.settings.behind_proxy))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proxies_are_believed_only_when_they_are_ours() {
        let mut headers = HeaderMap::new();
        headers.insert("x-forwarded-for", "6.6.6.6, 203.0.113.9".parse().expect("a header"));
        let name = |peer: [u8; 4], proxied| Whence::of(&headers, Some(SocketAddr::from((peer, 5))), proxied).0.name();
        assert_eq!(name([10, 0, 0, 1], false), "10.0.0.1");
        assert_eq!(name([10, 0, 0, 1], true), "203.0.113.9");
        assert_eq!(name([198, 51, 100, 7], true), "198.51.100.7", "past the proxy");
    }
}
