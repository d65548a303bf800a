//! What can go wrong, and what went less well than it could have.

use std::fmt;

#[derive(Debug, thiserror::Error)]
pub enum SpeechError {
    #[error("no voice is called `{id}`; {}", nearest_hint(.nearest))]
    UnknownVoice { id: String, nearest: Vec<String> },
    #[error("voice `{voice}` cannot speak: {reason}")]
    Voice { voice: String, reason: String },
    #[error("no voice speaks `{language}`; `compere voices` lists the languages there are")]
    UnknownLanguage { language: String },
    #[error("speaking was cancelled")]
    Cancelled,
}

fn nearest_hint(nearest: &[String]) -> String {
    if nearest.is_empty() {
        "`compere voices` lists those there are".to_owned()
    } else {
        format!("the nearest are {}", nearest.join(", "))
    }
}

/// The speech exists, but not quite as asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Warning {
    /// Another voice speaks in place of the one asked for.
    StandIn { wanted: String, used: String, reason: String },
    /// The voice left parts of the text out.
    Unspoken { text: String, reason: String },
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::StandIn { wanted, used, reason } => {
                write!(f, "voice `{used}` speaks in place of `{wanted}`: {reason}")
            }
            Self::Unspoken { text, reason } => write!(f, "`{text}` is not spoken: {reason}"),
        }
    }
}
