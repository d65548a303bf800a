//! The built-in cast: shapes, colours, hair and wardrobes.

use super::person::Person;
use super::{men, women};

pub(super) struct Member {
    pub(super) id: &'static str,
    pub(super) alias: &'static str,
    pub(super) name: &'static str,
    pub(super) voices: &'static [(&'static str, &'static str)],
    pub(super) person: Person,
}

/// Of outfits that have no tie.
pub(super) const PLAIN_TIE: [f32; 3] = [0.20, 0.03, 0.04];

pub(super) static CAST: [Member; 6] = [women::NORA, men::DAVID, women::AMARA, men::KENJI, women::MEI, men::RAVI];
