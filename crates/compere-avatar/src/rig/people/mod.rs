//! The built-in cast, in the order that pages show it.

pub(crate) mod member;
pub(crate) mod men;
pub(crate) mod men_more;
pub(crate) mod person;
pub(crate) mod style;
pub(crate) mod women;
pub(crate) mod women_more;

use self::member::Member;

pub(crate) static CAST: [Member; 14] = [
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
