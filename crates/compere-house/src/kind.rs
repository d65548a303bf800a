//! The kinds of failure that clients are told of: one table.

use compere_scene::Code;

/// The kinds of failure. Number, name and HTTP status belong together and never change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    BadRequest,
    Invalid(Code),
    AssetUnreachable,
    Unauthorized,
    TokenExpired,
    InvalidCredentials,
    CreditsExhausted,
    Forbidden,
    PlanRequired,
    NotFound,
    MethodNotAllowed,
    Conflict,
    TooLarge,
    UnsupportedFile,
    UnreadableFile,
    RateLimited,
    Internal,
    ExportFailed,
    Unavailable,
}

impl Kind {
    pub const fn parts(self) -> (u16, i64, &'static str) {
        match self {
            Self::BadRequest => (400, 4000, "bad_request"),
            Self::Invalid(Code::InvalidBody) => (400, 4001, "invalid_body"),
            Self::Invalid(Code::ScriptModelMismatch) => (400, 4002, "script_model_mismatch"),
            Self::Invalid(Code::UnknownModel) => (400, 4003, "unknown_model"),
            Self::Invalid(Code::UnknownCloth) => (400, 4004, "unknown_cloth"),
            Self::Invalid(Code::UnknownVoice) => (400, 4005, "unknown_voice"),
            Self::AssetUnreachable | Self::Invalid(Code::AssetUnreachable) => (400, 4006, "asset_unreachable"),
            Self::Unauthorized => (401, 4010, "unauthorized"),
            Self::TokenExpired => (401, 4011, "token_expired"),
            Self::InvalidCredentials => (401, 4012, "invalid_credentials"),
            Self::CreditsExhausted => (402, 4020, "credits_exhausted"),
            Self::Forbidden => (403, 4030, "forbidden"),
            Self::PlanRequired => (403, 4031, "plan_required"),
            Self::NotFound => (404, 4040, "not_found"),
            Self::MethodNotAllowed => (405, 4050, "method_not_allowed"),
            Self::Conflict => (409, 4090, "conflict"),
            Self::TooLarge => (413, 4130, "too_large"),
            Self::UnsupportedFile => (415, 4150, "unsupported_file"),
            Self::UnreadableFile => (422, 4220, "unreadable_file"),
            Self::RateLimited => (429, 4290, "rate_limited"),
            Self::Internal => (500, 5000, "internal"),
            Self::ExportFailed => (500, 5010, "export_failed"),
            Self::Unavailable => (503, 5030, "unavailable"),
        }
    }

    /// The kind that a number of the table means; what is not in it is ours to blame.
    pub fn of_number(number: i64) -> Self {
        const ALL: [Kind; 22] = [
            Kind::BadRequest,
            Kind::Invalid(Code::InvalidBody),
            Kind::Invalid(Code::ScriptModelMismatch),
            Kind::Invalid(Code::UnknownModel),
            Kind::Invalid(Code::UnknownCloth),
            Kind::Invalid(Code::UnknownVoice),
            Kind::AssetUnreachable,
            Kind::Unauthorized,
            Kind::TokenExpired,
            Kind::InvalidCredentials,
            Kind::CreditsExhausted,
            Kind::Forbidden,
            Kind::PlanRequired,
            Kind::NotFound,
            Kind::MethodNotAllowed,
            Kind::Conflict,
            Kind::TooLarge,
            Kind::UnsupportedFile,
            Kind::UnreadableFile,
            Kind::RateLimited,
            Kind::ExportFailed,
            Kind::Unavailable,
        ];
        ALL.into_iter().find(|kind| kind.parts().1 == number).unwrap_or(Self::Internal)
    }
}
