//! Ways to wear hair: most are somebody's of the cast.

use super::HairCut;
use super::words::HairStyle;
use crate::rig::people::CAST;
use crate::rig::people::person::{Hair, LongCut};

/// Whose hair a style is; the rest are cut anew.
const WORN: [(HairStyle, &str); 14] = [
    (HairStyle::Waves, "nora"),
    (HairStyle::SidePart, "david"),
    (HairStyle::Afro, "amara"),
    (HairStyle::Quiff, "kenji"),
    (HairStyle::Bob, "mei"),
    (HairStyle::Short, "ravi"),
    (HairStyle::Shoulder, "sofia"),
    (HairStyle::Bald, "james"),
    (HairStyle::Headscarf, "layla"),
    (HairStyle::Curls, "lucas"),
    (HairStyle::Pixie, "grace"),
    (HairStyle::Receding, "tom"),
    (HairStyle::Bun, "hana"),
    (HairStyle::Long, "priya"),
];

fn of(alias: &str) -> Hair {
    CAST.iter().find(|member| member.alias == alias).map_or(Hair::Bald, |member| member.person.hair)
}

/// The style that a member of the cast wears.
pub(super) fn worn_by(alias: &str) -> HairStyle {
    WORN.iter().find(|worn| worn.1 == alias).map_or(HairStyle::Bald, |worn| worn.0)
}

fn plain(style: HairStyle) -> Hair {
    if let Some((_, alias)) = WORN.iter().find(|worn| worn.0 == style) {
        return of(alias);
    }
    match (style, of("hana"), of("ravi")) {
        (HairStyle::TiedBack, Hair::Tied { knot, .. }, _) => Hair::Tied { knot: 0.85 * knot, high: 12.0, part: 0.0 },
        (_, _, Hair::Short { sweep, .. }) => Hair::Short { top: 0.15, side: 0.09, sweep, recede: 0.0 },
        _ => Hair::Bald,
    }
}

/// A style, longer or shorter, fuller or flatter, parted at this side or the other.
pub(super) fn cut(style: HairStyle, wanted: &HairCut) -> Hair {
    let [length, volume] = [wanted.length, wanted.volume].map(|v| v as f32);
    let side = if wanted.other_side { -1.0 } else { 1.0 };
    match plain(style) {
        Hair::Long(cut) => Hair::Long(LongCut {
            fall: (cut.fall * (1.0 + 0.35 * length)).clamp(0.85, 2.7),
            volume: (cut.volume + 0.06 * volume).max(0.03),
            part: side * cut.part,
            behind: side * cut.behind,
            ..cut
        }),
        Hair::Short { top, side: sides, sweep, recede } => Hair::Short {
            top: top * (1.0 + 0.35 * length),
            side: sides * (1.0 + 0.30 * volume),
            sweep: side * sweep,
            recede,
        },
        Hair::Curls { size, loose } => Hair::Curls { size: size * (1.0 + 0.30 * length), loose },
        Hair::Tied { knot, high, part } => Hair::Tied { knot: knot * (1.0 + 0.25 * volume), high, part: side * part },
        other => other,
    }
}
