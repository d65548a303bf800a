//! An HTTP client that calls only addresses the rules permit.
//!
//! The client asks this resolver for addresses and connects to exactly what it returns; nothing resolves the name a
//! second time, so a name that changes its answer between check and call ("DNS rebinding") gains nothing. Proxies
//! from the environment are ignored, because a proxy would resolve names by its own lights. Redirects are not
//! followed: whoever follows them must judge the new link first, which [`Link`] and the resolver do.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use ureq::Agent;
use ureq::config::Config;
use ureq::http::Uri;
use ureq::tls::{RootCerts, TlsConfig};
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{DefaultConnector, NextTimeout};
use url::{Host, Url};

use super::address::{AddressRules, Refusal, nowhere};

/// Longer links are refused: no server accepts them, and they would only fill logs and indexes.
const LONGEST_LINK: usize = 8192;

/// A link that may be tried: http or https, with a host, without credentials, without fragment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link(Url);

/// What is wrong with a link before anybody is called.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadLink {
    #[error("`{0}` is not a link; write an absolute one, like `https://example.com/file`")]
    NotALink(String),
    #[error("links of the kind `{0}:` are not fetched; use http or https")]
    Scheme(String),
    #[error("the link carries a user name or password; links must work without credentials")]
    Credentials,
    #[error("the link is {0} characters long; at most {LONGEST_LINK} are accepted")]
    TooLong(usize),
}

impl Link {
    pub fn parse(text: &str) -> Result<Self, BadLink> {
        if text.len() > LONGEST_LINK {
            return Err(BadLink::TooLong(text.len()));
        }
        let url = Url::parse(text.trim()).map_err(|_| BadLink::NotALink(text.chars().take(80).collect()))?;
        Self::checked(url)
    }

    /// The link that a `Location` header on this one's reply means.
    pub fn redirected(&self, location: &str) -> Result<Self, BadLink> {
        if location.len() > LONGEST_LINK {
            return Err(BadLink::TooLong(location.len()));
        }
        let url = self.0.join(location).map_err(|_| BadLink::NotALink(location.chars().take(80).collect()))?;
        Self::checked(url)
    }

    fn checked(mut url: Url) -> Result<Self, BadLink> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(BadLink::Scheme(url.scheme().to_owned()));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(BadLink::Credentials);
        }
        url.set_fragment(None);
        Ok(Self(url))
    }

    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// The address that the link names itself. A name is judged only when it is called: it may answer otherwise then.
    pub fn literal(&self) -> Option<SocketAddr> {
        let ip = match self.0.host()? {
            Host::Ipv4(v4) => v4.into(),
            Host::Ipv6(v6) => v6.into(),
            Host::Domain(_) => return None,
        };
        Some(SocketAddr::new(ip, self.0.port_or_known_default()?))
    }

    pub fn host(&self) -> &str {
        self.0.host_str().unwrap_or_default()
    }
}

/// How long a call may take.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// Until there is a connection, TLS included.
    pub connect: Duration,
    /// Between two pieces of the reply.
    pub stall: Duration,
}

/// Builds a client that asks `names` for addresses and calls those that `rules` permit.
pub fn client(rules: Arc<AddressRules>, names: Arc<dyn Resolver>, patience: Patience) -> Agent {
    let tls = TlsConfig::builder().root_certs(RootCerts::PlatformVerifier).build();
    let config = Config::builder()
        .proxy(None)
        .max_redirects(0)
        .max_redirects_will_error(false)
        .http_status_as_error(false)
        .timeout_connect(Some(patience.connect))
        .timeout_per_read(Some(patience.stall))
        .timeout_recv_response(Some(patience.stall))
        .user_agent(concat!("compere/", env!("CARGO_PKG_VERSION")))
        .accept_encoding("identity")
        .tls_config(tls)
        .build();
    Agent::with_parts(config, DefaultConnector::default(), Guard { rules, names })
}

/// The machine's own name service.
pub fn system_names() -> Arc<dyn Resolver> {
    Arc::new(DefaultResolver::default())
}

#[derive(Debug)]
struct Guard {
    rules: Arc<AddressRules>,
    names: Arc<dyn Resolver>,
}

impl Resolver for Guard {
    fn resolve(&self, uri: &Uri, config: &Config, timeout: NextTimeout) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let addresses = self.names.resolve(uri, config, timeout)?;
        self.rules
            .judge(uri.host().unwrap_or_default(), &addresses)
            .map_err(|refusal| ureq::Error::Other(Box::new(refusal)))?;
        Ok(addresses)
    }
}

/// The refusal inside a client's error, if that is why the call failed.
pub fn refusal(error: &ureq::Error) -> Option<&Refusal> {
    match error {
        ureq::Error::Other(inner) => inner.downcast_ref(),
        _ => None,
    }
}

/// Why a call failed, for whoever had it made. Names that lead nowhere and names that lead inwards get one answer.
pub fn in_words(error: &ureq::Error, link: &Link) -> String {
    if let Some(refusal) = refusal(error) {
        return refusal.to_string();
    }
    match error {
        ureq::Error::HostNotFound => nowhere(link.host()),
        ureq::Error::Io(error) if is_unknown_name(&error.to_string()) => nowhere(link.host()),
        other => other.to_string(),
    }
}

/// The name service's failures carry no kind of their own. One that may pass is not a wrong name.
pub(super) fn is_unknown_name(why: &str) -> bool {
    why.contains("failed to lookup address") && !why.contains("Temporary failure")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_web_links_pass() {
        assert_eq!(Link::parse("https://a.example/x.png#top").unwrap().as_str(), "https://a.example/x.png");
        assert_eq!(Link::parse(" HTTP://A.example/my pic.png").unwrap().as_str(), "http://a.example/my%20pic.png");
        for text in ["file:///etc/passwd", "ftp://a/x", "gopher://a", "data:image/png;base64,AA", "javascript:1"] {
            assert!(matches!(Link::parse(text), Err(BadLink::Scheme(_))), "{text}");
        }
        for text in ["https://me@a/x", "https://me:pw@a/x", "https://:pw@a/x"] {
            assert_eq!(Link::parse(text), Err(BadLink::Credentials), "{text}");
        }
        for text in ["", "picture.png", "http://", "https:// /", "http://a b/", "http://[::1/"] {
            assert!(matches!(Link::parse(text), Err(BadLink::NotALink(_))), "{text}");
        }
        assert_eq!(Link::parse(&format!("https://a/{}", "x".repeat(9000))), Err(BadLink::TooLong(9010)));
    }

    #[test]
    fn redirects_are_read_relative_and_judged_again() {
        let link = Link::parse("https://a.example/one/two.png?q=1").unwrap();
        assert_eq!(link.redirected("../three.png").unwrap().as_str(), "https://a.example/three.png");
        assert_eq!(link.redirected("//b.example/x").unwrap().as_str(), "https://b.example/x");
        assert!(link.redirected("file:///etc/passwd").is_err());
        assert!(link.redirected("https://me@b.example/").is_err());
    }

    #[test]
    fn numbers_in_disguise_are_addresses() {
        for text in ["http://2130706433/", "http://0x7f.1/", "http://017700000001/", "http://127.1/"] {
            assert_eq!(Link::parse(text).unwrap().host(), "127.0.0.1", "{text}");
        }
    }
}
