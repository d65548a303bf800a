//! Where an arm bends, and the turns that bring it into a pose.

use super::STEPS;
use crate::keep::keep;
use crate::rig::ground::v3::{V3, add, atan2, cross, dot, exp, length, mul, norm, spun, ss, sub};

/// The joints of an arm that hangs down.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bones {
    /// 1 at the picture's right.
    pub(crate) side: f32,
    pub(crate) shoulder: V3,
    /// How much farther out than usual it hangs, as a share of its length.
    pub(crate) hang: f32,
    pub(crate) elbow: V3,
    pub(crate) wrist: V3,
    /// From the root of each finger to its tip, the thumb first.
    pub(crate) digits: [[V3; 4]; 5],
    /// Where the fingers point and where the palm looks.
    pub(crate) along: V3,
    pub(crate) palm: V3,
}

keep!(Bones { side, shoulder, hang, elbow, wrist, digits, along, palm });

impl Bones {
    pub(crate) fn new(side: f32, shoulder: V3, hang: f32, [elbow, wrist, _]: [V3; 3], digits: [[V3; 4]; 5]) -> Self {
        let knuckles = mul(add(digits[2][0], digits[3][0]), 0.5);
        let along = norm(sub(knuckles, wrist));
        let across = sub(digits[4][0], digits[1][0]);
        let palm = norm(cross(across, along));
        // Arms that hang turn their palms to the thighs.
        let palm = if palm[0] * side > 0.0 { mul(palm, -1.0) } else { palm };
        Self { side, shoulder, hang, elbow, wrist, digits, along, palm }
    }

    pub(crate) fn upper(&self) -> f32 {
        length(sub(self.elbow, self.shoulder))
    }

    pub(crate) fn fore(&self) -> f32 {
        length(sub(self.wrist, self.elbow))
    }
}

/// A turn, as a quaternion.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    w: f32,
    v: V3,
}

impl Turn {
    pub(super) const NONE: Self = Self { w: 1.0, v: [0.0; 3] };

    pub(super) fn about(axis: V3, angle: f32) -> Self {
        let half = angle * 0.5;
        Self { w: crate::rig::ground::v3::cos(half), v: mul(norm(axis), crate::rig::ground::v3::sin(half)) }
    }

    /// From two directions at right angles to two others.
    pub(super) fn between([a, b]: [V3; 2], [to_a, to_b]: [V3; 2]) -> Self {
        let frame = |a: V3, b: V3| {
            let a = norm(a);
            let b = norm(sub(b, mul(a, dot(a, b))));
            [a, b, cross(a, b)]
        };
        let (from, to) = (frame(a, b), frame(to_a, to_b));
        // Rows of the matrix that brings one to the other.
        let m: [V3; 3] =
            std::array::from_fn(|row| std::array::from_fn(|column| (0..3).map(|k| to[k][row] * from[k][column]).sum()));
        let trace = m[0][0] + m[1][1] + m[2][2];
        let (w, v) = if trace > 0.0 {
            let s = (trace + 1.0).max(0.0).sqrt() * 2.0;
            (0.25 * s, [(m[2][1] - m[1][2]) / s, (m[0][2] - m[2][0]) / s, (m[1][0] - m[0][1]) / s])
        } else {
            let k = if m[0][0] > m[1][1] && m[0][0] > m[2][2] {
                0
            } else if m[1][1] > m[2][2] {
                1
            } else {
                2
            };
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            let s = (1.0 + m[k][k] - m[i][i] - m[j][j]).max(1e-9).sqrt() * 2.0;
            let mut v = [0.0; 3];
            v[k] = 0.25 * s;
            v[i] = (m[i][k] + m[k][i]) / s;
            v[j] = (m[j][k] + m[k][j]) / s;
            ((m[j][i] - m[i][j]) / s, v)
        };
        if w < 0.0 { Self { w: -w, v: mul(v, -1.0) } } else { Self { w, v } }
    }

    /// The shortest.
    pub(super) fn to(from: V3, to: V3) -> Self {
        let axis = cross(from, to);
        if length(axis) < 1e-5 {
            return Self::NONE;
        }
        Self::about(axis, atan2(length(axis), dot(from, to)))
    }

    /// `self` after `before`.
    pub(super) fn after(self, before: Self) -> Self {
        let w = self.w * before.w - dot(self.v, before.v);
        let v = add(add(mul(before.v, self.w), mul(self.v, before.w)), cross(self.v, before.v));
        if w < 0.0 { Self { w: -w, v: mul(v, -1.0) } } else { Self { w, v } }
    }

    pub(super) fn back(self) -> Self {
        Self { w: self.w, v: mul(self.v, -1.0) }
    }

    pub(super) fn turned(self, p: V3) -> V3 {
        let t = mul(cross(self.v, p), 2.0);
        add(add(p, mul(t, self.w)), cross(self.v, t))
    }

    /// Its part about an axis.
    pub(super) fn twist(self, axis: V3) -> Self {
        let along = dot(self.v, axis);
        let long = (self.w * self.w + along * along).sqrt();
        if long < 1e-5 {
            return Self::NONE;
        }
        let (w, v) = (self.w / long, mul(axis, along / long));
        if w < 0.0 { Self { w: -w, v: mul(v, -1.0) } } else { Self { w, v } }
    }

    /// Shares of it about a place, from none to all in [`STEPS`].
    pub(super) fn shares(self, about: V3) -> Shares {
        let sine = length(self.v);
        let angle = 2.0 * atan2(sine, self.w);
        let axis = if sine > 1e-6 { mul(self.v, 1.0 / sine) } else { [1.0, 0.0, 0.0] };
        (0..=STEPS)
            .map(|at| {
                let angle = angle * at as f32 / STEPS as f32;
                let [x, y, z] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|unit| spun(unit, axis, angle));
                let rows = std::array::from_fn(|k| [x[k], y[k], z[k]]);
                let moved: V3 = rows.map(|row| dot(row, about));
                Bend { rows, shift: sub(about, moved) }
            })
            .collect()
    }
}

/// A turn about a place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bend {
    rows: [V3; 3],
    shift: V3,
}

impl Bend {
    #[inline]
    pub(super) fn direction(&self, v: V3) -> V3 {
        self.rows.map(|row| dot(row, v))
    }

    #[inline]
    pub(super) fn point(&self, p: V3) -> V3 {
        add(self.direction(p), self.shift)
    }
}

pub(super) type Shares = Vec<Bend>;

/// How far cloth stands out over the tip of an elbow, which is behind an arm that hangs, how much narrower it is there, and
/// how far along the arm either goes: bent, a pipe would end in half a ball.
const TIP: [f32; 2] = [0.13, 0.26];
const NARROW: [f32; 2] = [0.15, 0.35];

/// A point `along` its arm from the elbow, and `off` the middle; `much` of all this.
pub(super) fn pointed(at: V3, along: f32, off: V3, much: f32) -> V3 {
    let near = |reach: f32| exp(-(along / reach) * (along / reach));
    let back = ss(0.2, 1.0, -off[2] / length(off).max(1e-3));
    [at[0] - much * NARROW[0] * near(NARROW[1]) * off[0], at[1], at[2] - much * TIP[0] * near(TIP[1]) * back]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elbows_are_pointed_behind_and_narrower_aside() {
        let moved = |along: f32, off: V3| sub(pointed(off, along, off, 1.0), off);
        assert!(moved(0.0, [0.0, 0.0, -0.3])[2] < -0.1 && moved(0.0, [0.3, 0.0, 0.0])[0] < -0.03);
        assert!(length(moved(0.0, [0.0, 0.0, 0.3])) == 0.0 && length(moved(1.2, [0.3, 0.0, -0.3])) < 0.001);
    }
}
