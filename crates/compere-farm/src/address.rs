//! Where the cluster is.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use url::Url;

use crate::error::FarmError;

/// `temporal://HOST:PORT/NAMESPACE`, or `temporals://…` for a way that is encrypted. Without a port it is 7233, without a
/// namespace `default`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    pub host: String,
    pub port: u16,
    pub namespace: String,
    /// None where nothing is encrypted.
    pub secured: Option<Secured>,
}

/// How each proves to the other who they are, in files of PEM: `?ca=FILE&cert=FILE&key=FILE`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Secured {
    /// Who vouches for the cluster. Default: whomever this machine trusts.
    pub ca: Option<PathBuf>,
    /// Our certificate and its key, where the cluster asks for one.
    pub own: Option<(PathBuf, PathBuf)>,
}

impl Secured {
    fn told(url: &Url) -> Result<Self, &'static str> {
        let (mut ca, mut cert, mut key) = (None, None, None);
        for (name, value) in url.query_pairs() {
            let place = match &*name {
                "ca" => &mut ca,
                "cert" => &mut cert,
                "key" => &mut key,
                _ => return Err("says more than ca, cert and key"),
            };
            *place = Some(PathBuf::from(&*value));
        }
        let own = match (cert, key) {
            (Some(cert), Some(key)) => Some((cert, key)),
            (None, None) => None,
            _ => return Err("has a certificate without a key, or a key without a certificate"),
        };
        Ok(Self { ca, own })
    }
}

impl Address {
    pub(crate) fn target(&self) -> Result<Url, FarmError> {
        let scheme = if self.secured.is_some() { "https" } else { "http" };
        let text = format!("{scheme}://{}:{}", self.host, self.port);
        text.parse().map_err(|_| FarmError::Address { text: self.to_string(), why: "names no host" })
    }
}

impl FromStr for Address {
    type Err = FarmError;

    fn from_str(text: &str) -> Result<Self, FarmError> {
        let wrong = |why| FarmError::Address { text: text.to_owned(), why };
        let url: Url = text.parse().map_err(|_| wrong("is no address"))?;
        let secured = match url.scheme() {
            "temporal" => None,
            "temporals" => Some(Secured::told(&url).map_err(wrong)?),
            _ => return Err(wrong("does not begin with temporal:// or temporals://")),
        };
        let says_more = url.query().is_some() && secured.is_none();
        if !url.username().is_empty() || url.password().is_some() || says_more || url.fragment().is_some() {
            return Err(wrong("says more than a host, a port and a namespace"));
        }
        let host = url.host_str().filter(|host| !host.is_empty()).ok_or_else(|| wrong("names no host"))?;
        let namespace = url.path().trim_matches('/');
        if namespace.contains('/') {
            return Err(wrong("names more than one namespace"));
        }
        let namespace = if namespace.is_empty() { "default" } else { namespace };
        Ok(Self { host: host.to_owned(), port: url.port().unwrap_or(7233), namespace: namespace.to_owned(), secured })
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.secured.is_some() { "temporals" } else { "temporal" };
        write!(f, "{scheme}://{}:{}/{}", self.host, self.port, self.namespace)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_a_host_a_port_and_a_namespace() {
        let of = |text: &str| text.parse::<Address>();
        let full = of("temporal://farm.example:7000/films").expect("an address");
        assert_eq!((full.host.as_str(), full.port, full.namespace.as_str()), ("farm.example", 7000, "films"));
        assert_eq!(of("temporal://[::1]").expect("an address").to_string(), "temporal://[::1]:7233/default");
        for wrong in
            ["http://farm", "temporal://", "temporal://a/b/c", "temporal://me@farm", "farm:7233", "temporal://a/?x"]
        {
            assert!(of(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn an_encrypted_way_may_name_files() {
        let of = |text: &str| text.parse::<Address>();
        let plain = of("temporals://farm").expect("an address");
        assert_eq!(
            (plain.secured.as_ref(), plain.to_string().as_str()),
            (Some(&Secured::default()), "temporals://farm:7233/default")
        );
        assert_eq!(plain.target().expect("a target").scheme(), "https");
        let full =
            of("temporals://farm/films?ca=/etc/ca.pem&cert=/etc/node.pem&key=/etc/node.key").expect("an address");
        let own = Some((PathBuf::from("/etc/node.pem"), PathBuf::from("/etc/node.key")));
        assert_eq!(full.secured, Some(Secured { ca: Some("/etc/ca.pem".into()), own }));
        for wrong in
            ["temporals://farm?cert=/a", "temporals://farm?key=/a", "temporals://farm?name=x", "temporal://farm?ca=/a"]
        {
            assert!(of(wrong).is_err(), "{wrong}");
        }
    }
}
