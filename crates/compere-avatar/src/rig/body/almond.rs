//! The opening of an eye: what is seen of its ball between the lids, and how it is drawn to an almond.

use super::blink;
use super::parts::Mesh;
use crate::maths::lerp;
use crate::rig::ground::curve::relaxed;
use crate::rig::ground::data::Library;
use crate::rig::ground::v3::{V3, add, length, mul, ss, sub};

/// Columns that are looked at between both ends, and rows.
const COLUMNS: usize = 61;
const ROWS: usize = 96;
/// How far to each side and up and down one looks, in radii; and how far away what is of lids may be.
const WIDE: f32 = 0.98;
const HIGH: f32 = 0.85;
const NEAR: f32 = 2.2;
/// How often edges are evened out: so few points have kinks.
const EVENED: u32 = 6;

/// How far an almond is open at the nose, by how much more with every radius towards the temple, and how high it ends there.
const CORNER: f32 = 0.14;
const TAPER: f32 = 2.1;
const LEVEL: f32 = -0.02;

/// Where lids end before a ball, from the nose to the temple: in radii from its middle, the temple at positive x.
pub(crate) struct Opening {
    pub(super) upper: Vec<V3>,
    pub(super) lower: Vec<V3>,
    /// How far the upper one dents in, beside lines between its other places.
    dents: Vec<f32>,
}

/// A ball, and which way the temple is.
#[derive(Clone, Copy)]
pub(crate) struct Ball {
    pub(crate) centre: V3,
    pub(crate) radius: f32,
}

impl Ball {
    pub(super) fn local(self, p: V3) -> V3 {
        let q = mul(sub(p, self.centre), 1.0 / self.radius);
        [q[0] * self.centre[0].signum(), q[1], q[2]]
    }

    pub(super) fn global(self, q: V3) -> V3 {
        add(self.centre, mul([q[0] * self.centre[0].signum(), q[1], q[2]], self.radius))
    }
}

impl Opening {
    /// Between triangles as they are seen from in front.
    pub(super) fn new(ball: Ball, triangles: impl Iterator<Item = [V3; 3]>) -> Option<Self> {
        let near = |t: &[V3; 3]| t.iter().all(|p| length(*p) < NEAR && p[2] > 0.0);
        let triangles: Vec<[V3; 3]> = triangles.map(|t| t.map(|p| ball.local(p))).filter(near).collect();
        let places = (0..COLUMNS).map(|at| lerp(-WIDE, WIDE, at as f32 / (COLUMNS - 1) as f32));
        let seen: Vec<(V3, V3)> = places.filter_map(|x| Column::new(&triangles, x).ends()).collect();
        if seen.len() < 8 {
            return None;
        }
        let (mut upper, mut lower): (Vec<V3>, Vec<V3>) = seen.into_iter().unzip();
        relaxed(&mut upper, EVENED);
        relaxed(&mut lower, EVENED);
        let dents = dents(&upper);
        Some(Self { upper, lower, dents })
    }

    /// Of an eye whose lids are of some skin.
    pub(crate) fn of(skin: &Mesh, ball: Ball) -> Option<Self> {
        let near = |v: u32| length(sub(skin.points[v as usize], ball.centre)) < NEAR * ball.radius;
        let triangles = skin.triangles.iter().filter(|t| near(t[0]));
        Self::new(ball, triangles.map(|t| t.map(|v| skin.points[v as usize])))
    }

    /// How far outwards its middle is, in radii.
    pub(crate) fn aside(&self) -> f32 {
        let [inner, outer] = self.ends();
        0.5 * (inner + outer)
    }

    /// Where it begins at the nose and ends at the temple.
    pub(super) fn ends(&self) -> [f32; 2] {
        [self.upper[0][0], self.upper[self.upper.len() - 1][0]]
    }

    /// How far the upper and the lower edge move at a place, to be an almond.
    fn drawn(&self, x: f32) -> [f32; 2] {
        let [inner, outer] = self.ends();
        let (up, low) = (along(&self.upper, x)[1], along(&self.lower, x)[1]);
        // What stands farther open near the nose than an almond does is a box.
        let boxed = (up - low - CORNER - TAPER * (x - inner).max(0.0)).max(0.0);
        // An end that hangs looks tired, one that stands high sly.
        let end = 0.5 * (along(&self.upper, outer)[1] + along(&self.lower, outer)[1]);
        let level = (LEVEL - end).clamp(-0.06, 0.06) * ss(0.3, 0.85, x);
        // Between iris and temple the data's lid hangs through: an arc hardly does. All of an arc would be a stare.
        let place = (x - inner) / (outer - inner) * (self.dents.len() - 1) as f32;
        let dent = self.dents[place.clamp(0.0, (self.dents.len() - 1) as f32) as usize];
        let arc = 0.2 * dent * ss(-0.2, 0.2, x);
        let upper = arc - 0.1 * boxed;
        let lower = 0.12 * ss(-0.1, -0.85, x) + 0.9 * boxed;
        [upper + level, lower + level]
    }

    /// Where a point of lids or of the skin around them comes to lie.
    fn moved(&self, q: V3) -> V3 {
        let far = length(q);
        // Neither what is inside the ball nor what is of cheek and nose.
        if !(0.7..1.9).contains(&far) || q[2] < -0.1 {
            return q;
        }
        let (up, low) = (along(&self.upper, q[0])[1], along(&self.lower, q[0])[1]);
        let [upper, lower] = self.drawn(q[0]);
        let share = ((q[1] - low) / (up - low).max(0.02)).clamp(0.0, 1.0);
        let away = (q[1] - up).max(low - q[1]).max(0.0);
        let goes = ss(0.65, 0.05, away) * ss(1.7, 1.25, far) * ss(1.5, 1.1, q[0].abs());
        let to = [q[0], q[1] + lerp(lower, upper, share) * goes, q[2]];
        // Along the ball.
        mul(to, far / length(to))
    }
}

/// What is seen of a ball at one place between its sides.
struct Column<'a> {
    x: f32,
    here: Vec<&'a [V3; 3]>,
}

impl<'a> Column<'a> {
    fn new(triangles: &'a [[V3; 3]], x: f32) -> Self {
        let meets = |t: &&[V3; 3]| t.iter().any(|p| p[0] <= x) && t.iter().any(|p| p[0] >= x);
        Self { x, here: triangles.iter().filter(meets).collect() }
    }

    /// How far in front skin is, if it is before the ball.
    fn skin(&self, y: f32) -> Option<f32> {
        let skin = self.here.iter().filter_map(|t| depth(t, self.x, y)).fold(f32::MIN, f32::max);
        (skin > (1.0 - self.x * self.x - y * y).max(0.0).sqrt()).then_some(skin)
    }

    /// The upper and the lower end of what is open farthest.
    fn ends(&self) -> Option<(V3, V3)> {
        let y = |row: usize| lerp(-HIGH, HIGH, row as f32 / (ROWS - 1) as f32);
        let (mut best, mut from) = (0..0, 0);
        for row in 0..=ROWS {
            if row == ROWS || self.skin(y(row)).is_some() {
                if row - from > best.len() {
                    best = from..row;
                }
                from = row + 1;
            }
        }
        let whole = !best.is_empty() && best.start > 0 && best.end < ROWS;
        let upper = || self.edge(y(best.end - 1), y(best.end));
        whole.then(|| (upper(), self.edge(y(best.start), y(best.start - 1))))
    }

    /// Between a height that is open and one that is not.
    fn edge(&self, mut inside: f32, mut outside: f32) -> V3 {
        for _ in 0..6 {
            let middle = 0.5 * (inside + outside);
            if self.skin(middle).is_none() { inside = middle } else { outside = middle }
        }
        [self.x, inside, self.skin(outside).unwrap_or(1.0)]
    }
}

/// How far below the straight lines over it an edge is.
fn dents(edge: &[V3]) -> Vec<f32> {
    let over = |at: usize| {
        let p = edge[at];
        let line = |(a, b): (&V3, &V3)| a[1] + (b[1] - a[1]) * (p[0] - a[0]) / (b[0] - a[0]).max(1e-6) - p[1];
        let pairs = edge[..at].iter().flat_map(|a| edge[at + 1..].iter().map(move |b| (a, b)));
        pairs.map(line).fold(0.0, f32::max)
    };
    (0..edge.len()).map(over).collect()
}

/// A place along an edge, whose points stand at even distances.
pub(super) fn along(edge: &[V3], x: f32) -> V3 {
    let (first, last) = (edge[0][0], edge[edge.len() - 1][0]);
    let at = ((x - first) / (last - first) * (edge.len() - 1) as f32).clamp(0.0, edge.len() as f32 - 1.001);
    let (k, share) = (at as usize, at - (at as usize) as f32);
    add(mul(edge[k], 1.0 - share), mul(edge[k + 1], share))
}

/// How far in front a triangle is at a place, if it is there.
fn depth([a, b, c]: &[V3; 3], x: f32, y: f32) -> Option<f32> {
    let area = |p: &V3, q: &V3, x: f32, y: f32| (q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0]);
    let whole = area(a, b, c[0], c[1]);
    if whole.abs() < 1e-9 {
        return None;
    }
    let w = [area(b, c, x, y), area(c, a, x, y), area(a, b, x, y)].map(|w| w / whole);
    w.iter().all(|w| *w >= 0.0).then(|| w[0] * a[2] + w[1] * b[2] + w[2] * c[2])
}

/// Draws both openings: the data's lids come down steeply beside the nose, where a corner would be that is square.
pub(super) fn draw(library: &Library, rest: &mut [V3], eyes: [V3; 2]) {
    let Some(body) = library.group("body") else { return };
    for (side, centre) in ["l", "r"].into_iter().zip(eyes) {
        let members = library.members(&[&format!("helper-{side}-eye")]);
        let radius = blink::radius(members.iter().map(|&v| length(sub(rest[v as usize], centre))).collect());
        let ball = Ball { centre, radius };
        let near = |v: u32| length(sub(rest[v as usize], centre)) < NEAR * radius;
        let quads = library.quads.iter().filter(|quad| quad.group == body && near(quad.corners[0]));
        let halves = quads.map(|quad| quad.corners).flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]);
        let Some(opening) = Opening::new(ball, halves.map(|t| t.map(|v| rest[v as usize]))) else { continue };
        for p in rest.iter_mut().filter(|p| length(sub(**p, centre)) < NEAR * radius) {
            *p = ball.global(opening.moved(ball.local(*p)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sheet before a ball, as triangles of a hundredth of it, with a hole where `open` says so.
    fn opening(open: impl Fn(f32, f32) -> bool) -> (Ball, Opening) {
        let ball = Ball { centre: [2.0, 5.0, 1.0], radius: 0.5 };
        let at = |k: i32| k as f32 * 0.02;
        let cells = (-75..75).flat_map(|x| (-75..75).map(move |y| (x, y)));
        let shut = cells.filter(|&(x, y)| !open(at(x) + 0.01, at(y) + 0.01));
        let triangles = shut.flat_map(|(x, y)| {
            let corner = |dx: i32, dy: i32| ball.global([at(x + dx), at(y + dy), 1.1]);
            [[corner(0, 0), corner(1, 0), corner(1, 1)], [corner(0, 0), corner(1, 1), corner(0, 1)]]
        });
        (ball, Opening::new(ball, triangles).expect("an opening"))
    }

    #[test]
    fn edges_are_found_where_the_ball_is_seen() {
        let (_, opening) = opening(|x, y| x.abs() < 0.7 && (-0.5..0.3).contains(&y));
        let [inner, outer] = opening.ends();
        assert!((-0.72..-0.64).contains(&inner) && (0.64..0.72).contains(&outer), "{inner} {outer}");
        let (up, low) = (along(&opening.upper, 0.0), along(&opening.lower, 0.0));
        assert!((up[1] - 0.3).abs() < 0.02 && (low[1] + 0.5).abs() < 0.02, "{up:?} {low:?}");
        assert!((up[2] - 1.1).abs() < 1e-3, "{up:?}");
    }

    #[test]
    fn a_box_becomes_narrow_at_the_nose_and_an_almond_stays() {
        let (_, boxed) = opening(|x, y| x.abs() < 0.7 && (-0.5..0.3).contains(&y));
        let [upper, lower] = boxed.drawn(-0.66);
        assert!(0.8 + upper - lower < 0.3, "{upper} {lower}");
        let (_, almond) = opening(|x, y| (x / 0.8) * (x / 0.8) + (y / 0.45) * (y / 0.45) < 1.0);
        let [upper, lower] = almond.drawn(0.1);
        assert!(upper.abs() < 0.06 && lower.abs() < 0.06, "{upper} {lower}");
    }

    #[test]
    fn what_moves_stays_as_far_from_the_middle_of_the_ball() {
        let (_, boxed) = opening(|x, y| x.abs() < 0.7 && (-0.5..0.3).contains(&y));
        let from = [-0.6, -0.5, 1.0];
        let to = boxed.moved(from);
        assert!((length(from) - length(to)).abs() < 1e-4 && to[1] > from[1] + 0.1, "{to:?}");
        assert_eq!(boxed.moved([0.0, -1.8, 1.0]), [0.0, -1.8, 1.0]);
    }
}
