//! How large something may be, as people say it.

use serde::{Deserialize, Serialize};

/// A million bytes each, wherever a limit is named.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Megabytes(pub u64);

impl Megabytes {
    pub const fn bytes(self) -> u64 {
        self.0.saturating_mul(1_000_000)
    }

    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }
}

impl std::fmt::Display for Megabytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} MB", self.0)
    }
}

impl std::str::FromStr for Megabytes {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self)
    }
}
