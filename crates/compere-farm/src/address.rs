//! Where the cluster is.

use std::fmt;
use std::str::FromStr;

use url::Url;

use crate::error::FarmError;

/// `temporal://HOST:PORT/NAMESPACE`. Without a port it is 7233, without a namespace `default`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    pub host: String,
    pub port: u16,
    pub namespace: String,
}

impl Address {
    pub(crate) fn target(&self) -> Result<Url, FarmError> {
        let text = format!("http://{}:{}", self.host, self.port);
        text.parse().map_err(|_| FarmError::Address { text: self.to_string(), why: "names no host" })
    }
}

impl FromStr for Address {
    type Err = FarmError;

    fn from_str(text: &str) -> Result<Self, FarmError> {
        let wrong = |why| FarmError::Address { text: text.to_owned(), why };
        let url: Url = text.parse().map_err(|_| wrong("is no address"))?;
        if url.scheme() != "temporal" {
            return Err(wrong("does not begin with temporal://"));
        }
        if !url.username().is_empty() || url.password().is_some() || url.query().is_some() || url.fragment().is_some() {
            return Err(wrong("says more than a host, a port and a namespace"));
        }
        let host = url.host_str().filter(|host| !host.is_empty()).ok_or_else(|| wrong("names no host"))?;
        let namespace = url.path().trim_matches('/');
        if namespace.contains('/') {
            return Err(wrong("names more than one namespace"));
        }
        let namespace = if namespace.is_empty() { "default" } else { namespace };
        Ok(Self { host: host.to_owned(), port: url.port().unwrap_or(7233), namespace: namespace.to_owned() })
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "temporal://{}:{}/{}", self.host, self.port, self.namespace)
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
}
