//! Who may come in by the API.

use std::ops::Deref;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use compere_office::{Member, Office};

use super::context;
use super::error::ApiError;
use crate::http::Whence;
use crate::http::body::Whose;

/// The presented token, with or without `Bearer`.
pub fn token(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?.trim();
    let bare = match value.split_once(' ') {
        Some((scheme, rest)) if scheme.eq_ignore_ascii_case("bearer") => rest.trim(),
        _ => value,
    };
    (!bare.is_empty()).then_some(bare)
}

/// A caller with a token that holds, an account that may use the API, and a request left this minute.
#[derive(Clone, Debug)]
pub struct Auth(pub Member);

impl Deref for Auth {
    type Target = Member;

    fn deref(&self) -> &Member {
        &self.0
    }
}

impl FromRequestParts<Arc<Office>> for Auth {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, office: &Arc<Office>) -> Result<Self, ApiError> {
        let Ok(Whence(address)) = Whence::from_request_parts(parts, office).await;
        let (member, allowance) = office.register.bearer(address, token(&parts.headers)).await?;
        context::allow(allowance);
        parts.extensions.insert(Whose(member.account.id.clone()));
        Ok(Self(member))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_come_bare_or_as_bearer() {
        let mut headers = HeaderMap::new();
        for (value, wanted) in
            [("abc", Some("abc")), ("Bearer abc", Some("abc")), ("bearer  abc", Some("abc")), (" ", None)]
        {
            headers.insert(header::AUTHORIZATION, value.parse().expect("a header"));
            assert_eq!(token(&headers), wanted, "{value}");
        }
    }
}
