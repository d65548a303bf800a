//! Somebody who is signed in.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use compere_store::Role;

use super::fault::Fault;

/// Somebody who is signed in. [`admit`](super::session::admit) puts it into the request.
#[derive(Clone, Debug)]
pub struct Member {
    pub who: compere_office::Member,
    /// Proves that a request comes from a page of ours.
    pub csrf: String,
    /// Of the session, as the cookie has it.
    pub secret: String,
    pub theme: Option<&'static str>,
    /// What the last request left to say.
    pub toast: Option<String>,
}

impl Member {
    pub fn is_admin(&self) -> bool {
        self.who.account.role == Role::Admin
    }
}

impl<S: Sync> FromRequestParts<S> for Member {
    type Rejection = Fault;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Fault> {
        parts
            .extensions
            .get::<Self>()
            .cloned()
            .ok_or_else(|| Fault::inside("a page outside the sign-in asked who is in"))
    }
}

/// Begins a toast that tells of a failure.
pub const BAD: char = '!';
