//! The kinds of failure that clients are told of: one table.
//!
//! Crates below return kinds of their own; what number, name and status a client sees is decided here, and what the
//! pages at `/docs/errors` say is printed from here.

use compere_scene::Code;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The kinds of failure. Number, name and HTTP status belong together and never change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    BadRequest,
    Invalid(Code),
    Unauthorized,
    TokenExpired,
    InvalidCredentials,
    CreditsExhausted,
    Forbidden,
    PlanRequired,
    NotFound,
    MethodNotAllowed,
    Conflict,
    /// What was to be changed is newer than the client knows.
    Outdated,
    TooLarge,
    UnsupportedFile,
    UnreadableFile,
    RateLimited,
    Internal,
    ExportFailed,
    Unavailable,
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    pub kind: Kind,
    pub status: u16,
    pub code: i64,
    pub name: &'static str,
    /// When it happens.
    pub means: &'static str,
    /// What to do about it.
    pub remedy: &'static str,
}

const fn entry(
    kind: Kind,
    (status, code, name): (u16, i64, &'static str),
    means: &'static str,
    remedy: &'static str,
) -> Entry {
    Entry { kind, status, code, name, means, remedy }
}

/// Every kind once, by number.
pub const TABLE: [Entry; 24] = [
    entry(
        Kind::BadRequest,
        (400, 4000, "bad_request"),
        "the body is not JSON, the form is broken, or the path or query is malformed",
        "compare the request with the examples of the API's pages; ids are 24 hexadecimal digits",
    ),
    entry(
        Kind::Invalid(Code::InvalidBody),
        (400, 4001, "invalid_body"),
        "fields are missing, of the wrong type, or out of range",
        "`details` names every such field by its path and says what would be right",
    ),
    entry(
        Kind::Invalid(Code::ScriptModelMismatch),
        (400, 4002, "script_model_mismatch"),
        "the script's `modelId` or `clothId` and the avatar clip's `ai_name` or `emotion` differ",
        "name the same presenter and outfit in both",
    ),
    entry(
        Kind::Invalid(Code::UnknownModel),
        (400, 4003, "unknown_model"),
        "nobody of the cast has this id",
        "GET /api/odin/v3/model lists the cast; the operator may give other services' ids a meaning with `aliases` \
         and `fallback_model`",
    ),
    entry(
        Kind::Invalid(Code::UnknownCloth),
        (400, 4004, "unknown_cloth"),
        "the presenter has no outfit with this id",
        "GET /api/odin/v3/model lists `clothes` of each presenter; `msg` has the nearest",
    ),
    entry(
        Kind::Invalid(Code::UnknownVoice),
        (400, 4005, "unknown_voice"),
        "there is no voice with this id",
        "GET /api/odin/v3/voices lists the voices; `msg` has the nearest",
    ),
    entry(
        Kind::Invalid(Code::AssetUnreachable),
        (400, 4006, "asset_unreachable"),
        "a link cannot be fetched, or leads to something else than it should",
        "see that the address answers from where the service runs, or upload the file with POST /api/odin/v3/assets; \
         private addresses have to be allowed by the operator",
    ),
    entry(
        Kind::Unauthorized,
        (401, 4010, "unauthorized"),
        "there is no token, or an unknown one",
        "POST /api/odin/v3/auth/token gives one for a key pair; send it in the header Authorization",
    ),
    entry(
        Kind::TokenExpired,
        (401, 4011, "token_expired"),
        "the token is older than a day",
        "ask for another with the same key pair",
    ),
    entry(
        Kind::InvalidCredentials,
        (401, 4012, "invalid_credentials"),
        "`appId` and `userKey` do not belong together",
        "copy both as they were shown when the pair was issued, or issue another",
    ),
    entry(
        Kind::CreditsExhausted,
        (402, 4020, "credits_exhausted"),
        "the film costs more than the account has left",
        "make it shorter, wait for the next month, or ask the operator for credits",
    ),
    entry(
        Kind::Forbidden,
        (403, 4030, "forbidden"),
        "the account is suspended, or the key pair may not go there",
        "ask the operator",
    ),
    entry(
        Kind::PlanRequired,
        (403, 4031, "plan_required"),
        "the plan of the account has no API, or this service does not do that at all",
        "`msg` says which, and what does instead",
    ),
    entry(
        Kind::NotFound,
        (404, 4040, "not_found"),
        "it is unknown, or somebody else's: the answer is the same",
        "check the id; deleted projects do not come back",
    ),
    entry(
        Kind::MethodNotAllowed,
        (405, 4050, "method_not_allowed"),
        "the path exists and does not answer to this method",
        "the API's pages say what it answers to",
    ),
    entry(
        Kind::Conflict,
        (409, 4090, "conflict"),
        "an `Idempotency-Key` is taken, or somebody else was quicker",
        "read what is there now and decide again",
    ),
    entry(
        Kind::Outdated,
        (412, 4120, "precondition_failed"),
        "the project was changed since the `ETag` that `If-Match` names",
        "read it again, put the change into what is there now, and send that one's ETag",
    ),
    entry(
        Kind::TooLarge,
        (413, 4130, "too_large"),
        "the body or file is over its limit",
        "`msg` has the limit; large pictures and videos are linked or uploaded, not embedded",
    ),
    entry(
        Kind::UnsupportedFile,
        (415, 4150, "unsupported_file"),
        "the file is of a kind that is not taken",
        "`msg` says what it is and what is taken; the content decides, not the name",
    ),
    entry(
        Kind::UnreadableFile,
        (422, 4220, "unreadable_file"),
        "the file is damaged, encrypted or empty",
        "open it where it was made and save it anew, without a password",
    ),
    entry(
        Kind::RateLimited,
        (429, 4290, "rate_limited"),
        "too many requests, or too many exports wait",
        "come back after the seconds of the header Retry-After",
    ),
    entry(
        Kind::Internal,
        (500, 5000, "internal"),
        "something went wrong on our side",
        "try again; if it stays, the operator finds the request in the log by `requestId`",
    ),
    entry(
        Kind::ExportFailed,
        (500, 5010, "export_failed"),
        "the film could not be made; nothing was charged",
        "`msg` names the scene; mend it and export again",
    ),
    entry(
        Kind::Unavailable,
        (503, 5030, "unavailable"),
        "the storage, or the language model, is away; nothing was changed",
        "send the same request again in a while",
    ),
];

impl Kind {
    pub fn entry(self) -> &'static Entry {
        TABLE.iter().find(|entry| entry.kind == self).expect("every kind has its row, which a test holds")
    }

    /// Status, number and name.
    pub fn parts(self) -> (u16, i64, &'static str) {
        let entry = self.entry();
        (entry.status, entry.code, entry.name)
    }

    pub fn number(self) -> i64 {
        self.entry().code
    }

    /// Whether whoever asked can do something about it.
    pub fn is_the_askers(self) -> bool {
        self.entry().status < 500
    }

    /// The kind that a number of the table means; what is not in it is ours to blame.
    pub fn of_number(number: i64) -> Self {
        TABLE.iter().find(|entry| entry.code == number).map_or(Self::Internal, |entry| entry.kind)
    }
}

/// Between processes and in records, a kind is its number.
impl Serialize for Kind {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_i64(self.number())
    }
}

impl<'de> Deserialize<'de> for Kind {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        i64::deserialize(from).map(Self::of_number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whoever adds a kind is led here by the compiler.
    fn all() -> Vec<Kind> {
        let codes = [
            Code::InvalidBody,
            Code::ScriptModelMismatch,
            Code::UnknownModel,
            Code::UnknownCloth,
            Code::UnknownVoice,
            Code::AssetUnreachable,
        ];
        let mut all: Vec<Kind> = codes.into_iter().map(Kind::Invalid).collect();
        let mut next = Some(Kind::BadRequest);
        while let Some(kind) = next {
            all.push(kind);
            next = match kind {
                Kind::BadRequest | Kind::Invalid(_) => Some(Kind::Unauthorized),
                Kind::Unauthorized => Some(Kind::TokenExpired),
                Kind::TokenExpired => Some(Kind::InvalidCredentials),
                Kind::InvalidCredentials => Some(Kind::CreditsExhausted),
                Kind::CreditsExhausted => Some(Kind::Forbidden),
                Kind::Forbidden => Some(Kind::PlanRequired),
                Kind::PlanRequired => Some(Kind::NotFound),
                Kind::NotFound => Some(Kind::MethodNotAllowed),
                Kind::MethodNotAllowed => Some(Kind::Conflict),
                Kind::Conflict => Some(Kind::Outdated),
                Kind::Outdated => Some(Kind::TooLarge),
                Kind::TooLarge => Some(Kind::UnsupportedFile),
                Kind::UnsupportedFile => Some(Kind::UnreadableFile),
                Kind::UnreadableFile => Some(Kind::RateLimited),
                Kind::RateLimited => Some(Kind::Internal),
                Kind::Internal => Some(Kind::ExportFailed),
                Kind::ExportFailed => Some(Kind::Unavailable),
                Kind::Unavailable => None,
            };
        }
        all
    }

    #[test]
    fn every_kind_has_one_row_and_every_row_a_number_of_its_own() {
        let kinds = all();
        assert_eq!(kinds.len(), TABLE.len());
        for kind in kinds {
            assert_eq!(TABLE.iter().filter(|entry| entry.kind == kind).count(), 1, "{kind:?}");
            assert_eq!(Kind::of_number(kind.parts().1), kind);
        }
        assert!(TABLE.windows(2).all(|pair| pair[0].code < pair[1].code));
        assert_eq!(Kind::of_number(1), Kind::Internal);
    }
}
