//! From where a pose wants a hand to turns of the joints.

use super::bones::{Bend, Bones, Shares, Turn};
use super::front::Front;
use super::{NO_FINGER, Point, STEPS};
use crate::act::Reach;
use crate::rig::ground::v3::{V3, add, cos, cross, dot, length, mix, mul, norm, sin, ss, sub};

/// Degrees at the three joints of a finger that is a fist's.
const FIST: [f32; 3] = [78.0, 98.0, 62.0];
/// How far fingers fan out, in degrees, from the index to the little one.
const FAN: [f32; 4] = [-13.0, -3.0, 7.0, 17.0];

/// All turns of an arm in a pose.
pub(super) struct Chain {
    /// Shoulder, elbow, twist of the forearm, wrist.
    joints: [Shares; 4],
    /// By finger and bone.
    fingers: [[Shares; 3]; 5],
    /// Where elbow, wrist and knuckles are.
    pub(super) places: [V3; 4],
    /// How straight the fingers are.
    pub(super) straight: f32,
}

/// How far an arm does anything but hang.
fn acts(reach: &Reach) -> f32 {
    ss(-0.86, -0.60, reach.wrist[2])
}

/// Where elbow and wrist are, and about what the elbow bends.
struct Bent {
    places: [V3; 2],
    hinge: V3,
}

impl Bones {
    /// Where a pose wants the wrist; `half` is half the width over the shoulders.
    fn wanted(&self, reach: &Reach, half: f32) -> V3 {
        let all = self.upper() + self.fore();
        let [share, out, up, forward] = reach.wrist;
        [
            self.side * (share * half * 0.84 + (out + self.hang * (1.0 - acts(reach))) * all),
            self.shoulder[1] + up * all,
            self.shoulder[2] + forward * all,
        ]
    }

    fn aim(&self, reach: &Reach) -> [V3; 2] {
        let on_side = |v: V3| [v[0] * self.side, v[1], v[2]];
        [norm(on_side(reach.fingers)), on_side(reach.palm)]
    }

    /// How much farther forward than a pose wants it the wrist has to be, for the body not to be in its way.
    pub(super) fn pushed(&self, reach: &Reach, half: f32, front: &Front) -> f32 {
        let acts = acts(reach);
        let mut wanted = self.wanted(reach, half);
        let [fingers, _] = self.aim(reach);
        let hand = length(sub(self.digits[2][3], self.wrist));
        let mut push = 0.0;
        for _ in 0..2 {
            let [elbow, wrist] = self.bent(wanted, reach.swivel).places;
            let along = |t: f32| add(mul(elbow, 1.0 - t), mul(wrist, t));
            let ahead = |t: f32| add(wrist, mul(fingers, t * hand));
            // A hand that is tucked away looks inwards.
            let tucked = if fingers[2] < -0.28 { 1.0 } else { 0.0 };
            let places = [
                (along(0.55), 0.36 - 0.10 * tucked),
                (along(0.8), 0.32 - 0.20 * tucked),
                (wrist, 0.24 - tucked),
                (ahead(0.5), 0.20 - tucked),
                (ahead(0.95), 0.16 - tucked),
            ];
            let inside = places.iter().map(|(p, room)| front.at(*p) + room - p[2]).fold(0.0, f32::max);
            if inside <= 0.0 || acts <= 0.0 {
                break;
            }
            wanted[2] += inside * acts;
            push += inside * acts;
        }
        push
    }

    pub(super) fn chain(&self, reach: &Reach, half: f32, push: f32) -> Chain {
        let mut wanted = self.wanted(reach, half);
        wanted[2] += push;
        let [fingers, palm] = self.aim(reach);
        let limb = self.bent(wanted, reach.swivel);
        let Bent { places: [elbow, wrist], hinge } = limb;
        let arm = norm(sub(self.elbow, self.shoulder));
        let lower = norm(sub(self.wrist, self.elbow));
        let shoulder = Turn::between([arm, [-1.0, 0.0, 0.0]], [sub(elbow, self.shoulder), hinge]);
        let bent = shoulder.back().turned(norm(sub(wrist, elbow)));
        let bend = Turn::to(lower, bent);
        let so_far = shoulder.after(bend);
        let hand = so_far.back().after(Turn::between([self.along, self.palm], [fingers, palm]));
        let twist = hand.twist(lower);
        let flex = twist.back().after(hand);
        let knuckles = add(wrist, mul(fingers, 0.5 * length(sub(self.digits[2][0], self.wrist))));
        Chain {
            joints: [
                shoulder.shares(self.shoulder),
                bend.shares(self.elbow),
                twist.shares(self.elbow),
                flex.shares(self.wrist),
            ],
            fingers: std::array::from_fn(
                |finger| if finger == 0 { self.thumb(reach) } else { self.finger(finger, reach) },
            ),
            places: [self.shoulder, elbow, wrist, knuckles],
            straight: 1.0 - (reach.curl[1..].iter().sum::<f32>() * 0.25).clamp(0.0, 1.0),
        }
    }

    fn bent(&self, wanted: V3, swivel: f32) -> Bent {
        let (upper, fore) = (self.upper(), self.fore());
        let way = sub(wanted, self.shoulder);
        let far = length(way).clamp(0.30 * (upper + fore), 0.995 * (upper + fore));
        let axis = norm(way);
        // The elbow lies beside the line from shoulder to wrist: below it, behind it, and away from the body.
        let along = (far * far + upper * upper - fore * fore) / (2.0 * far);
        let beside = (upper * upper - along * along).max(0.0).sqrt();
        let hint = [self.side * sin(swivel), -cos(swivel), -0.45];
        let hint = norm(sub(hint, mul(axis, dot(hint, axis))));
        let elbow = add(add(self.shoulder, mul(axis, along)), mul(hint, beside));
        let wrist = add(self.shoulder, mul(axis, far));
        // Elbows are hinges; those of arms that hang bend forwards.
        Bent { places: [elbow, wrist], hinge: norm(cross(hint, axis)) }
    }

    fn finger(&self, finger: usize, reach: &Reach) -> [Shares; 3] {
        let joints = self.digits[finger];
        // The data's fingers are not quite straight.
        let curl = reach.curl[finger].clamp(0.0, 1.05) - 0.05;
        let along = norm(sub(joints[3], joints[0]));
        // About this axis they bend to the palm.
        let axis = norm(cross(along, self.palm));
        let fan = FAN[finger - 1] * (reach.spread - 0.12) * (1.0 - 0.8 * curl.max(0.0));
        // Away from the middle finger: the thumb's side first.
        let thumb = dot(cross(self.along, self.palm), sub(self.digits[1][0], self.digits[4][0])).signum();
        std::array::from_fn(|part| {
            let bend = Turn::about(axis, (FIST[part] * curl).to_radians());
            let turn = if part == 0 { bend.after(Turn::about(self.palm, (fan * thumb).to_radians())) } else { bend };
            turn.shares(joints[part])
        })
    }

    fn thumb(&self, reach: &Reach) -> [Shares; 3] {
        let joints = self.digits[0];
        let curl = reach.curl[0].clamp(0.0, 1.0);
        // Less than straight, it lies beside the index.
        let beside = (-reach.curl[0]).clamp(0.0, 1.0);
        let along = norm(sub(joints[3], joints[0]));
        // Towards the fingers' roots, and across the palm.
        let to_index = norm(cross(along, sub(self.digits[1][1], joints[0])));
        let across = norm(cross(along, add(sub(self.digits[3][0], joints[2]), mul(self.palm, 0.55))));
        let open = reach.spread.clamp(0.0, 1.0);
        let near = Turn::about(to_index, (10.0 - 16.0 * open - 4.0 * curl + 30.0 * beside).to_radians());
        let first = Turn::about(across, (32.0 * curl + 6.0 * beside).to_radians()).after(near);
        [
            first.shares(joints[0]),
            Turn::about(across, (36.0 * curl + 34.0 * beside).to_radians()).shares(joints[1]),
            Turn::about(across, (8.0 + 52.0 * curl + 12.0 * beside).to_radians()).shares(joints[2]),
        ]
    }
}

/// How much darker cloth is in the crook of an elbow that is bent.
const PRESSED: f32 = 0.45;

/// The inner side of an elbow.
pub(super) struct Crook {
    elbow: V3,
    inwards: V3,
    /// How far it is closed.
    bent: f32,
}

impl Crook {
    /// How much of the light cloth that is pressed together there keeps from a point.
    pub(super) fn hides(&self, p: V3, n: V3) -> f32 {
        let off = sub(p, self.elbow);
        let far = dot(off, off);
        if far > 0.36 {
            return 0.0;
        }
        PRESSED * self.bent * ss(0.36, 0.04, far) * ss(0.1, 0.9, dot(n, self.inwards))
    }
}

impl Chain {
    pub(super) fn crook(&self) -> Crook {
        let [shoulder, elbow, wrist, _] = self.places;
        let (up, down) = (norm(sub(shoulder, elbow)), norm(sub(wrist, elbow)));
        Crook { elbow, inwards: norm(add(up, down)), bent: ss(-0.9, 0.1, dot(up, down)) }
    }

    /// Where fingers end, without the thumb.
    pub(super) fn tips(&self, bones: &Bones) -> [V3; 4] {
        [1_usize, 2, 3, 4].map(|finger| {
            let bent = self.fingers[finger].iter().rev().fold(bones.digits[finger][3], |p, part| part[STEPS].point(p));
            self.joints.iter().rev().fold(bent, |p, joint| joint[STEPS].point(p))
        })
    }

    /// The fingers without the thumb: roots, middles, and where they end.
    pub(super) fn fingers(&self, bones: &Bones) -> [[V3; 3]; 4] {
        [1_usize, 2, 3, 4].map(|finger| {
            let joints = &bones.digits[finger];
            let parts = &self.fingers[finger];
            let bent = |p: V3, of: usize| parts[..of].iter().rev().fold(p, |p, part| part[STEPS].point(p));
            [bent(joints[0], 0), bent(mix(joints[1], joints[2], 0.4), 2), bent(joints[3], 3)]
                .map(|p| self.joints.iter().rev().fold(p, |p, joint| joint[STEPS].point(p)))
        })
    }

    /// A point where the pose brings it.
    #[inline]
    pub(super) fn place(&self, point: &Point) -> V3 {
        let mut p = point.at;
        self.each(point, |bend| p = bend.point(p));
        p
    }

    /// Where its surface looks then.
    #[inline]
    pub(super) fn direction(&self, point: &Point) -> V3 {
        let mut n = point.normal;
        self.each(point, |bend| n = bend.direction(n));
        n
    }

    /// What moves a point, one after the other.
    #[inline(always)]
    fn each(&self, point: &Point, mut turn: impl FnMut(&Bend)) {
        let mut bend = |shares: &Shares, share: u8| {
            if share > 0 {
                turn(&shares[usize::from(share)]);
            }
        };
        if point.finger != NO_FINGER {
            let finger = &self.fingers[usize::from(point.finger)];
            for part in (0..3).rev() {
                bend(&finger[part], point.parts[part]);
            }
        }
        for joint in (0..4).rev() {
            bend(&self.joints[joint], point.moves[joint]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cloth_is_darker_in_the_crook_of_a_bent_elbow_alone() {
        let crook = |bent| Crook { elbow: [1.0, 2.0, 0.0], inwards: [0.0, 0.7, 0.7], bent };
        let at = [1.0, 2.2, 0.2];
        assert!(crook(1.0).hides(at, [0.0, 0.7, 0.7]) > 0.3);
        for (bent, p, n) in
            [(0.0, at, [0.0, 0.7, 0.7]), (1.0, at, [0.0, -0.7, -0.7]), (1.0, [1.0, 2.9, 0.2], [0.0, 0.7, 0.7])]
        {
            assert_eq!(crook(bent).hides(p, n), 0.0, "{bent} {p:?}");
        }
    }
}
