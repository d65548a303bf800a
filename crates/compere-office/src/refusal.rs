//! Why something was not done.
//!
//! Facts, not sentences: each door says them in its own words. What all doors say alike is what [`std::fmt::Display`]
//! writes.

use compere_house::Kind;
use compere_house::desk::DeskError;
use compere_house::settings::Megabytes;
use compere_import::{ImportError, ImportErrorKind};
use compere_scene::{Code, Problem};
use compere_store::{Refused, StoreError};

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Refusal {
    /// Everything that is wrong with what was sent, with places and hints.
    #[error("{}", problems_in_words(.0))]
    Problems(Vec<Problem>),
    /// Of somebody else, or never there. `named` is what was asked for, where it is worth repeating.
    #[error("there is no {}", missing_in_words(what, named))]
    Missing { what: &'static str, named: Option<String> },
    #[error("the film needs {needed} credits, the account has {}", balance.max(&0))]
    Credits { balance: i64, needed: i64 },
    #[error("{limit} exports of this account wait already; try again when some are done")]
    QueueFull { limit: u32 },
    #[error("the project was changed or deleted by another request meanwhile; try again")]
    Changed,
    /// Somebody wanted to change what he had seen, and it is not that any more.
    #[error("the project is at revision {found}, `If-Match` names revision {wanted}; read it again")]
    Outdated { wanted: i64, found: i64 },
    #[error("the document is still being imported; wait until its state is draft")]
    Importing,
    #[error("too many requests {what}; try again in {seconds} s")]
    TooOften { seconds: u64, what: &'static str },
    /// So many hold it already, or wait for it.
    #[error("there are {most} {what} at once already; end some of them, or try again in {seconds} s")]
    Crowded { what: &'static str, most: usize, seconds: u64 },
    /// Never the reason: whether an account exists is not for strangers.
    #[error("{0}")]
    Credentials(&'static str),
    #[error("{0}")]
    Unauthorized(&'static str),
    #[error("the token is older than a day; get a new one from POST /api/odin/v3/auth/token")]
    TokenExpired,
    #[error("the account is suspended; its administrator knows why")]
    Suspended,
    #[error("the plan `{plan}` has no API access; choose one that has")]
    NoApi { plan: String },
    #[error("{0}")]
    Forbidden(&'static str),
    #[error("{what} may have at most {most}")]
    TooLarge { what: &'static str, most: Megabytes },
    #[error(
        "the account's files take {taken} of the {most} that its plan gives them; delete uploads, decks or films first"
    )]
    NoRoom { taken: Megabytes, most: Megabytes },
    /// A file that no scene can show or play.
    #[error(
        "the file is none that a scene can show or play; take PNG, JPEG, WebP, GIF, SVG, AVIF, MP4, MOV, WebM, MKV, MP3, \
         WAV, OGG, FLAC, AAC or M4A"
    )]
    WrongFile,
    /// A document that no film is made of.
    #[error("{found}; take PDF, PPT, PPTX, ODP, DOCX or plain text, and save others as PDF")]
    WrongPaper { found: &'static str },
    #[error("the picture cannot be read: {0}")]
    Unreadable(String),
    /// A font that no film is written with, and why.
    #[error("the font {what}")]
    Font { kind: Kind, what: String },
    /// A document that no project can be made of, and why.
    #[error("{message}")]
    Document { kind: Kind, message: String },
    /// What the desk answered instead.
    #[error("{0}")]
    Desk(DeskError),
    /// It is not the time for that; the sentence says what has to come first.
    #[error("{0}")]
    Untimely(&'static str),
    /// What was written into a form's field is not what it should be.
    #[error("{0}")]
    Form(String),
    #[error("{0} exists already")]
    Taken(&'static str),
    /// Somebody wants to have something written, and nobody here writes.
    #[error(
        "nobody writes texts here: the operator has named no language model (`[writer]` with `url` and `model` in \
         compere.toml); a text of your own becomes a film by POST /api/odin/v3/automation/scripts_to_video"
    )]
    NoWriter,
    /// Somebody wants a picture or a film to be made up, and nobody here does.
    #[error(
        "nobody makes up {what} here: the operator has named no model for it (`[{setting}]` with `url` and `model` in \
         compere.toml); a file of your own is uploaded with POST /api/odin/v3/assets"
    )]
    NoPainter { what: &'static str, setting: &'static str },
    #[error("{0}; nothing was made, try again in a while")]
    WriterAway(String),
    /// The records or files cannot be reached.
    #[error("the service cannot reach its storage right now; nothing was changed")]
    Away(String),
    /// Ours to blame. The reason is for the log.
    #[error("something went wrong on our side")]
    Inside(String),
}

pub(crate) fn problem(path: &str, message: impl Into<String>) -> Problem {
    Problem { path: path.to_owned(), message: message.into(), hint: None, code: Code::InvalidBody }
}

impl Refusal {
    pub fn missing(what: &'static str) -> Self {
        Self::Missing { what, named: None }
    }

    pub fn no_project(id: &str) -> Self {
        Self::Missing { what: "project", named: Some(id.chars().take(40).collect()) }
    }

    /// One field is wrong.
    pub fn field(path: &str, message: impl Into<String>) -> Self {
        Self::Problems(vec![problem(path, message)])
    }

    pub fn inside(error: impl std::fmt::Display) -> Self {
        Self::Inside(error.to_string())
    }

    pub fn kind(&self) -> Kind {
        match self {
            Self::Problems(problems) => Kind::Invalid(Code::leading(problems)),
            Self::Missing { .. } => Kind::NotFound,
            Self::Credits { .. } => Kind::CreditsExhausted,
            Self::QueueFull { .. } | Self::TooOften { .. } | Self::Crowded { .. } => Kind::RateLimited,
            Self::Changed | Self::Importing | Self::Taken(_) | Self::Untimely(_) => Kind::Conflict,
            Self::Outdated { .. } => Kind::Outdated,
            Self::Credentials(_) => Kind::InvalidCredentials,
            Self::Unauthorized(_) => Kind::Unauthorized,
            Self::TokenExpired => Kind::TokenExpired,
            Self::Suspended | Self::Forbidden(_) => Kind::Forbidden,
            Self::NoApi { .. } | Self::NoWriter | Self::NoPainter { .. } => Kind::PlanRequired,
            Self::TooLarge { .. } | Self::NoRoom { .. } => Kind::TooLarge,
            Self::WrongFile | Self::WrongPaper { .. } => Kind::UnsupportedFile,
            Self::Unreadable(_) => Kind::UnreadableFile,
            Self::Font { kind, .. } | Self::Document { kind, .. } => *kind,
            Self::Desk(error) => error.kind,
            Self::Form(_) => Kind::BadRequest,
            Self::Away(_) | Self::WriterAway(_) => Kind::Unavailable,
            Self::Inside(_) => Kind::Internal,
        }
    }

    /// Places and advice, where the refusal is about several.
    pub fn details(&self) -> Vec<(String, String)> {
        match self {
            Self::Problems(problems) => problems.iter().map(|one| (one.path.clone(), one.advice())).collect(),
            Self::Desk(error) => error.details.iter().map(|flaw| (flaw.path.clone(), flaw.message.clone())).collect(),
            _ => Vec::new(),
        }
    }

    /// Seconds after which it may work.
    pub fn retry_after(&self) -> Option<u64> {
        match self {
            Self::TooOften { seconds, .. } | Self::Crowded { seconds, .. } => Some(*seconds),
            Self::QueueFull { .. } => Some(30),
            Self::Away(_) => Some(5),
            _ => None,
        }
    }
}

fn problems_in_words(problems: &[Problem]) -> String {
    match problems {
        [] => "the body cannot be used".to_owned(),
        [only] => only.to_string(),
        [first, rest @ ..] => format!("{first}; and {} more, see details", rest.len()),
    }
}

fn missing_in_words(what: &str, named: &Option<String>) -> String {
    named.as_ref().map_or_else(|| format!("such {what}"), |named| format!("{what} `{named}`"))
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Unavailable(why) => Self::Away(why),
            StoreError::Taken(what) => Self::Taken(what),
            StoreError::Damaged(_) | StoreError::Held(_) => Self::inside(error),
        }
    }
}

impl From<Refused> for Refusal {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Credits { balance, needed } => Self::Credits { balance, needed },
            Refused::QueueFull { limit } => Self::QueueFull { limit },
            Refused::Conflict => Self::Changed,
        }
    }
}

impl From<Vec<Problem>> for Refusal {
    fn from(problems: Vec<Problem>) -> Self {
        Self::Problems(problems)
    }
}

impl From<DeskError> for Refusal {
    fn from(error: DeskError) -> Self {
        Self::Desk(error)
    }
}

impl From<ImportError> for Refusal {
    fn from(error: ImportError) -> Self {
        let kind = match error.kind {
            ImportErrorKind::WrongType => Kind::UnsupportedFile,
            ImportErrorKind::Unreadable => Kind::UnreadableFile,
            ImportErrorKind::TooLarge => Kind::TooLarge,
            ImportErrorKind::Unavailable => Kind::Unavailable,
            ImportErrorKind::Cancelled | ImportErrorKind::Internal => return Self::Inside(error.sentence),
        };
        Self::Document { kind, message: error.sentence }
    }
}
