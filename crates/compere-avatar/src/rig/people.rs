//! The built-in cast, in the order that pages show it.

use super::member::Member;
use super::{men, men_more, women, women_more};

pub(super) static CAST: [Member; 14] = [
    women::NORA,
    men::DAVID,
    women::AMARA,
    men::KENJI,
    women::MEI,
    men::RAVI,
    women_more::SOFIA,
    men_more::JAMES,
    women_more::LAYLA,
    men_more::LUCAS,
    women_more::GRACE,
    men_more::TOM,
    women_more::HANA,
    women_more::PRIYA,
];
