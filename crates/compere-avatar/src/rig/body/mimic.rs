//! Expressions, and what the data's lack.

use std::collections::BTreeMap;

use crate::act::Ch;
use crate::maths::lerp;
use crate::rig::ground::data::{Deltas, EYE_Y, Library};
use crate::rig::ground::v3::{V3, add, length, mix, mul, ss};

/// A channel's moves, in one direction of its sign.
pub(crate) struct Expression {
    pub(crate) channel: Ch,
    pub(crate) sign: f32,
    pub(crate) deltas: Deltas,
}

/// What a channel does.
fn moves(expressions: &[Expression], channel: Ch) -> Deltas {
    expressions.iter().find(|expression| expression.channel == channel).map_or(Vec::new(), |it| it.deltas.clone())
}

/// How much farther men's lips part than the data's: through so thin a slit a smile is one white strip.
const PARTED: f32 = 0.4;

/// The middle of a lip hangs back in the data, and open mouths get the shape of an M. Over men's teeth, whose lips part
/// farther, the upper one keeps a bow: all of it at one height is a slot.
pub(super) fn arch_lips(rest: &[V3], male: f32, expressions: &mut [Expression]) {
    for (channel, strength) in [(Ch::UpperUp, 0.5 - 0.35 * male), (Ch::LowerDown, 0.3)] {
        for expression in expressions.iter_mut().filter(|expression| expression.channel == channel) {
            for (v, d) in &mut expression.deltas {
                *d = mul(*d, 1.0 + PARTED * male);
                d[1] *= 1.0 + strength * ss(0.12, 0.0, rest[*v as usize][0].abs());
            }
        }
    }
}

/// An upper lip that smiles hangs over the teeth in a bow: the data's is a bar. Before [`arch_lips`].
pub(super) fn bow_lip(rest: &[V3], expressions: &mut [Expression]) {
    let upper = moves(expressions, Ch::UpperUp);
    let Some(smile) = expressions.iter_mut().find(|expression| expression.channel == Ch::Smile) else { return };
    for (v, d) in upper {
        let share = ss(0.12, 0.0, rest[v as usize][0].abs());
        if share > 0.0 {
            smile.deltas.push((v, [0.0, -0.13 * share * d[1], 0.0]));
        }
    }
}

/// A smile of the data draws the corners far apart and up to two horns: under mouths of this width it would be a
/// ventriloquist's. `curl` is what is kept of how far they go up: of straight mouths more, or they smile as bars.
pub(super) fn hold_corners(rest: &[V3], curl: f32, expressions: &mut [Expression]) {
    for expression in expressions.iter_mut().filter(|expression| expression.channel == Ch::Smile) {
        for (v, d) in &mut expression.deltas {
            let outward = rest[*v as usize][0].signum() * d[0] > 0.0;
            d[0] *= if outward { 1.02 } else { 1.0 };
            d[1] *= if outward { curl } else { 1.0 };
        }
    }
}

/// How far from a corner of the mouth lips go with it, and how much is kept there of how they part before the teeth.
const JOINED: f32 = 0.15;
const PARTING: [(Ch, f32); 4] = [(Ch::UpperUp, 0.15), (Ch::LowerDown, 0.15), (Ch::Smile, 0.25), (Ch::Jaw, 0.55)];

/// Lips part up to the very corner in the data, and a smile ends in two points. Flesh is joined there: what is seen between
/// lips is shorter than they are, and they end round. Not men's: their straighter mouths would be pinched.
pub(super) fn join_corners(rest: &[V3], corner: V3, male: f32, expressions: &mut [Expression]) {
    let near = |p: V3| {
        let q = [(p[0].abs() - corner[0]).min(0.0), p[1] - corner[1], 0.0];
        (1.0 - male) * ss(JOINED, 0.02, length(q)) * ss(corner[2] - 0.35, corner[2] - 0.15, p[2])
    };
    for (channel, kept) in PARTING {
        for expression in expressions.iter_mut().filter(|expression| expression.channel == channel) {
            // A vertex may be named more than once: of each share so much of the mean of the corner's shares.
            let mut corners = [([0.0; 3], 1e-6_f32); 2];
            for (v, d) in &expression.deltas {
                let p = rest[*v as usize];
                let at = &mut corners[usize::from(p[0] > 0.0)];
                let w = near(p);
                let w = w * w * w * w;
                *at = (add(at.0, mul(*d, w)), at.1 + w);
            }
            for (v, d) in &mut expression.deltas {
                let p = rest[*v as usize];
                let (sum, weight) = corners[usize::from(p[0] > 0.0)];
                *d = mix(*d, mul(sum, 1.0 / weight), (1.0 - kept) * near(p));
            }
        }
    }
}

/// Lips of the data hardly purse: *oo* would be a narrow *eh*. And where they are drawn together, the lower one hangs
/// in a point: its sides go down with its middle. In a smile they go up after the upper lip: what one rests with would leave
/// slits beside the middle, and a broad one would bare teeth as a box. `corner` is how far corners of the mouth are from the
/// middle.
pub(super) fn round_lips(rest: &[V3], corner: f32, expressions: &mut [Expression]) {
    let lower = moves(expressions, Ch::LowerDown);
    let most = lower.iter().map(|(_, d)| length(*d)).fold(1e-6, f32::max);
    for (channel, times, sides) in
        [(Ch::Pucker, 1.40, 0.0), (Ch::Funnel, 1.30, 0.046), (Ch::Jaw, 1.0, 0.016), (Ch::Smile, 1.0, -0.006)]
    {
        for expression in expressions.iter_mut().filter(|expression| expression.channel == channel) {
            expression.deltas.iter_mut().for_each(|(_, d)| *d = mul(*d, times));
            for &(v, d) in &lower {
                let x = rest[v as usize][0];
                let out = (x.abs() / corner).min(1.0);
                let share = 4.0 * out * (1.0 - out) * length(d) / most;
                expression.deltas.push((v, [0.3 * x.signum() * sides * share, -sides * share, 0.0]));
            }
        }
    }
}

/// How far lips that rest are pressed: those of the data only meet, and a smile leaves dark corners between them.
const PRESSED: [(Ch, f32); 3] = [(Ch::Press, 0.14), (Ch::RollLower, 0.05), (Ch::RollUpper, 0.05)];

/// Lays lips that rest on each other.
pub(super) fn close_lips(rest: &mut [V3], expressions: &[Expression]) {
    for (channel, weight) in PRESSED {
        for expression in expressions.iter().filter(|expression| expression.channel == channel) {
            for &(v, d) in &expression.deltas {
                rest[v as usize] = add(rest[v as usize], mul(d, weight));
            }
        }
    }
}

/// Lids that come down a long way drag the brows along, hair by hair: of what lies above the eye only the lid itself,
/// which goes farthest, goes all the way. What brows grow on, whose lower edge is `brow` over the eye, stays.
pub(super) fn hold_brows(rest: &[V3], brow: f32, expressions: &mut [Expression]) {
    for expression in expressions.iter_mut().filter(|expression| expression.channel == Ch::Blink) {
        let most = expression.deltas.iter().map(|(_, d)| length(*d)).fold(1e-6, f32::max);
        for (v, d) in &mut expression.deltas {
            let high = rest[*v as usize][1] - EYE_Y;
            let goes = 1.0 - ss(0.04, 0.12, high) * ss(0.80, 0.40, length(*d) / most);
            *d = mul(*d, goes * ss(brow + 0.01, brow - 0.05, high));
        }
    }
}

/// How much of how far a smile lifts it is kept of the middle of an upper lip, and of the corners: women's, men's. In full
/// the lip goes up under the nose.
const LIFTED: [[f32; 2]; 2] = [[0.62, 0.80], [0.95, 0.92]];
/// How much of what lifts an upper lip by itself is in a man's smile: a full lip that hangs over the teeth is a muzzle.
const MENS: f32 = 0.14;

/// Keeps room between nose and lip in a smile.
pub(super) fn keep_philtrum(rest: &[V3], corner: V3, male: f32, expressions: &mut [Expression]) {
    let [middle, end] = [0, 1].map(|k| lerp(LIFTED[0][k], LIFTED[1][k], male));
    for (v, d) in expressions.iter_mut().filter(|e| e.channel == Ch::Smile).flat_map(|e| &mut e.deltas) {
        let p = rest[*v as usize];
        let above = (corner[1] - 0.02..corner[1] + 0.25).contains(&p[1]) && p[2] > corner[2] - 0.3;
        if above && d[1] > 0.0 {
            d[1] *= lerp(end, middle, ss(0.95 * corner[0], 0.35 * corner[0], p[0].abs()));
        }
    }
    let upper = moves(expressions, Ch::UpperUp);
    if let Some(smile) = expressions.iter_mut().find(|expression| expression.channel == Ch::Smile) {
        smile.deltas.extend(upper.into_iter().map(|(v, d)| (v, mul(d, MENS * male))));
    }
}

/// How often, and by how much each time, what lips do is made more like what their neighbours do.
const EVENED: u32 = 12;
const EVENER: f32 = 0.6;

/// Lips move as one band: of the data, and of all that is done to it here, every point goes its own way, and edges of open
/// lips have notches. After all that changes how they move.
pub(super) fn even_lips(library: &Library, expressions: &mut [Expression]) {
    let Some(body) = library.group("body") else { return };
    let mut around: BTreeMap<u32, (f32, Vec<u32>)> = BTreeMap::new();
    for quad in library.quads.iter().filter(|quad| quad.group == body) {
        for (k, &at) in quad.corners.iter().enumerate() {
            let share = EVENER * ss(0.05, 0.5, library.masks[at as usize][0]);
            if share > 0.0 {
                let (_, near) = around.entry(at).or_insert((share, Vec::new()));
                near.extend([quad.corners[(k + 1) % 4], quad.corners[(k + 3) % 4]]);
            }
        }
    }
    let lips = |e: &&mut Expression| matches!(e.channel, Ch::Smile | Ch::UpperUp | Ch::LowerDown);
    for expression in expressions.iter_mut().filter(lips) {
        let mut full = vec![[0.0; 3]; library.vertices.len()];
        expression.deltas.iter().for_each(|&(v, d)| full[v as usize] = add(full[v as usize], d));
        for _ in 0..EVENED {
            let evened: Vec<(u32, V3)> = around
                .iter()
                .map(|(&v, (share, near))| {
                    let mean = near.iter().fold([0.0; 3], |sum, &n| add(sum, full[n as usize]));
                    (v, mix(full[v as usize], mul(mean, 1.0 / near.len() as f32), *share))
                })
                .collect();
            evened.into_iter().for_each(|(v, d)| full[v as usize] = d);
        }
        expression.deltas = (0..).zip(full).filter(|(_, d)| *d != [0.0; 3]).collect();
    }
}

/// Where a face is that smiles.
pub(super) struct Landmarks {
    /// The middle of the eye, and the corner of the mouth, at the picture's right.
    pub(super) eye: V3,
    pub(super) corner: V3,
}

/// How much less of the data's moves there is under an eye, where it pushes cheeks over lids: a hard edge, as if cut.
const PUSHED: f32 = 0.40;

/// How far the side of the face goes out with its cheek.
const WIDER: f32 = 0.036;

/// A smile of the data moves lips alone. With it cheeks go up and round out.
pub(super) fn lift_cheeks(rest: &[V3], skin: &[u32], at: &Landmarks, expressions: &mut [Expression]) {
    for expression in expressions.iter_mut().filter(|e| matches!(e.channel, Ch::Smile | Ch::Cheek | Ch::Squint)) {
        for (v, d) in &mut expression.deltas {
            *d = mul(*d, 1.0 - PUSHED * at.pouch(rest[*v as usize]));
        }
    }
    for (channel, strength) in [(Ch::Smile, 1.08), (Ch::Cheek, 1.15)] {
        let Some(expression) = expressions.iter_mut().find(|expression| expression.channel == channel) else {
            continue;
        };
        for &v in skin {
            let p = rest[v as usize];
            let share = strength * at.apple(p);
            let side = at.side(p);
            if channel == Ch::Cheek && side > 0.001 {
                expression.deltas.push((v, mul([p[0].signum() * WIDER, 0.6 * WIDER, 0.0], side)));
            }
            if share > 0.001 {
                expression.deltas.push((v, mul([p[0].signum() * 0.032, 0.078, 0.074], share)));
            }
        }
    }
}

impl Landmarks {
    fn front(&self, p: V3) -> f32 {
        ss(self.eye[2] - 0.55, self.eye[2] - 0.20, p[2])
    }

    /// How much a point lies between the lower lid and the cheek.
    fn pouch(&self, p: V3) -> f32 {
        let q = [(p[0].abs() - self.eye[0] - 0.05) / 0.40, (p[1] - self.eye[1] + 0.19) / 0.24, 0.0];
        ss(1.0, 0.10, length(q)) * self.front(p)
    }

    /// How much a point is of the side of the face, which a cheek that rises makes wider.
    fn side(&self, p: V3) -> f32 {
        let high = self.eye[1] + 0.55 * (self.corner[1] - self.eye[1]);
        let q = [(p[0].abs() - self.eye[0] - 0.36) / 0.34, (p[1] - high) / 0.32, 0.0];
        ss(1.0, 0.0, length(q)) * ss(self.eye[2] - 0.85, self.eye[2] - 0.45, p[2])
    }

    /// How much a point is of the cheek that rises.
    fn apple(&self, p: V3) -> f32 {
        // Not up to the lids, which it would be pushed over.
        let high = self.eye[1] + 0.60 * (self.corner[1] - self.eye[1]);
        let q = [(p[0].abs() - self.eye[0] - 0.07) / 0.36, (p[1] - high) / 0.265, 0.0];
        ss(1.0, 0.0, length(q)) * ss(0.08, 0.2, p[0].abs()) * self.front(p)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How unlike its neighbours in the list each of these moves up, together.
    fn roughness(ring: &[u32], expression: &Expression) -> f32 {
        let up = |v: u32| expression.deltas.iter().filter(|(at, _)| *at == v).map(|(_, d)| d[1]).sum::<f32>();
        ring.windows(2).map(|two| (up(two[0]) - up(two[1])).abs()).sum()
    }

    #[test]
    fn lips_move_as_one_band() {
        let library = Library::open(&crate::tests::assets().join("avatars")).expect("the data");
        let lips: Vec<u32> = (0..).zip(&library.masks).filter(|(_, mask)| mask[0] > 0.9).map(|(v, _)| v).collect();
        // What is next to each other on a lip goes up and does not, in turns.
        let deltas = |all: &[u32]| all.iter().map(|&v| (v, [0.0, if v % 2 == 0 { 0.1 } else { 0.0 }, 0.0])).collect();
        let brow =
            (0..).zip(&library.masks).filter(|(_, mask)| mask[0] == 0.0).map(|(v, _)| v).take(40).collect::<Vec<u32>>();
        let all: Vec<u32> = lips.iter().chain(&brow).copied().collect();
        let mut expressions = [Expression { channel: Ch::Smile, sign: 1.0, deltas: deltas(&all) }];
        let before = [&lips, &brow].map(|some| roughness(some, &expressions[0]));
        even_lips(&library, &mut expressions);
        let after = [&lips, &brow].map(|some| roughness(some, &expressions[0]));
        assert!(after[0] < 0.35 * before[0], "{before:?} {after:?}");
        assert!((after[1] - before[1]).abs() < 1e-4, "what is no lip stays: {before:?} {after:?}");
    }

    #[test]
    fn sides_of_a_lower_lip_go_up_with_a_smile_and_down_with_a_round_mouth() {
        // Of the lower lip: its middle, half way to the corner, and the corner.
        let rest = [[0.0, 5.9, 1.0], [0.15, 5.95, 1.0], [0.30, 6.0, 1.0]];
        let still = |channel| Expression { channel, sign: 1.0, deltas: Vec::new() };
        let lower =
            Expression { channel: Ch::LowerDown, sign: 1.0, deltas: (0..3).map(|v| (v, [0.0, -0.1, 0.0])).collect() };
        let mut expressions = [lower, still(Ch::Smile), still(Ch::Funnel)];
        round_lips(&rest, 0.30, &mut expressions);
        let up =
            |at: usize| [0, 1, 2].map(|v| expressions[at].deltas.iter().find(|d| d.0 == v).map_or(0.0, |d| d.1[1]));
        let [middle, side, corner] = up(1);
        assert!(side > 0.005 && middle.abs() < 1e-6 && corner.abs() < 1e-6, "{middle} {side} {corner}");
        assert!(up(2)[1] < -0.02, "{:?}", up(2));
    }

    #[test]
    fn a_smile_leaves_room_under_the_nose() {
        let corner = [0.30, 6.0, 1.0];
        let rest = [[0.0, 6.02, 1.0], [0.30, 6.0, 1.0], [0.0, 5.9, 1.0]];
        let lifted = |male: f32| {
            let smile =
                Expression { channel: Ch::Smile, sign: 1.0, deltas: (0..3).map(|v| (v, [0.0, 0.1, 0.0])).collect() };
            let upper = Expression { channel: Ch::UpperUp, sign: 1.0, deltas: vec![(0, [0.0, 0.1, 0.0])] };
            let mut expressions = [smile, upper];
            keep_philtrum(&rest, corner, male, &mut expressions);
            let of = |v: u32| expressions[0].deltas.iter().filter(|(at, _)| *at == v).map(|(_, d)| d[1]).sum::<f32>();
            [of(0), of(1), of(2)]
        };
        let [middle, end, lower] = lifted(0.0);
        assert!(middle < 0.07 && middle < end && end < 0.09 && lower == 0.1, "{middle} {end} {lower}");
        assert!(lifted(1.0)[0] > 0.1, "a man's lip hangs over his teeth: {}", lifted(1.0)[0]);
    }

    #[test]
    fn lips_part_before_the_teeth_and_not_at_the_corner() {
        let corner = [0.30, 6.0, 1.0];
        // Of the upper lip, from the middle to the corner, and of the forehead.
        let rest = [[0.0, 6.02, 1.0], [0.15, 6.02, 1.0], [0.27, 6.01, 1.0], [0.30, 6.0, 1.0], [0.27, 7.0, 1.0]];
        let parted = |male: f32| {
            let deltas: Deltas = (0..5).map(|v| (v, [0.0, if v == 3 { 0.0 } else { 0.1 }, 0.0])).collect();
            let mut expressions = [Expression { channel: Ch::UpperUp, sign: 1.0, deltas }];
            join_corners(&rest, corner, male, &mut expressions);
            expressions[0].deltas.iter().map(|(_, d)| d[1]).collect::<Vec<f32>>()
        };
        let woman = parted(0.0);
        assert!(woman[0] == 0.1 && woman[4] == 0.1, "{woman:?}");
        assert!(woman[1] > 0.09 && woman[2] < 0.07, "{woman:?}");
        assert_eq!(parted(1.0), [0.1, 0.1, 0.1, 0.0, 0.1]);
    }
}
