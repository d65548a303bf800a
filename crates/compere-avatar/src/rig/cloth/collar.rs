//! The collar of a shirt: a stand that lies on the neck all the way round, and a leaf to each side, folded over it, with
//! straight edges that meet in a point.

use super::garment::Garment;
use super::lapel::Lying;
use super::seams::edge;
use super::sewing::facing_out;
use crate::rig::body::parts::{ClothTraits, Mesh, Piece, Stuff, Traits};
use crate::rig::body::sculpt::Body;
use crate::rig::ground::data::Library;
use crate::rig::ground::v3::{V3, add, atan2, cos, dot, exp, interp, length, mix, mul, norm, pow, sin, ss, sub};

/// Rows from the throat to the nape; and places across a leaf from its fold to its edge.
const ROWS: usize = 64;
const LEAF: [f32; 13] = [0.05, 0.12, 0.20, 0.30, 0.40, 0.50, 0.60, 0.70, 0.78, 0.85, 0.91, 0.96, 0.985];
/// How thick a leaf is at its edge, how far it rolls where it folds, and how far off the skin the stand lies.
const THICK: f32 = 0.034;
const ROLL: f32 = 0.016;
const OFF: f32 = 0.020;
/// The row at which its lower edge leaves the front for the nape.
const BESIDE: usize = 29;

/// How far the skin of a neck is from its middle, by direction and height.
pub(super) struct Neck {
    middle: [f32; 2],
    /// Turn from the front, height, reach.
    known: Vec<V3>,
}

impl Neck {
    pub(super) fn new(library: &Library, body: &Body) -> Self {
        let middle = [body.neck[0], body.neck[2]];
        let skin = library.members(&["body"]).into_iter().map(|v| v as usize).filter(|&v| body.arms[v] < 0.3);
        let known = skin
            .map(|v| body.posed[v])
            .filter(|p| (p[1] - body.neck[1]).abs() < 0.85)
            .map(|p| (p, [p[0] - middle[0], p[2] - middle[1]]))
            .map(|(p, [x, z])| [atan2(x.abs(), z), p[1], (x * x + z * z).sqrt()])
            .filter(|known| known[2] < 1.0)
            .collect();
        Self { middle, known }
    }

    /// How high a neck is that, and no shoulder any more, by the way around it.
    fn begins(&self, garment: &Garment) -> [(f32, f32); 6] {
        [0.3, 0.7, 1.1, 1.57, 2.2, 3.1].map(|around| {
            let at = |step: u8| garment.neck[1] - 0.2 + 0.03 * f32::from(step);
            let slender = (0..28).map(|step| self.reach(around, at(step))).fold(f32::MAX, f32::min);
            let first = (0..28).map(at).find(|&y| self.reach(around, y) < 1.20 * slender);
            (around, first.unwrap_or(garment.neck[1]))
        })
    }

    fn reach(&self, around: f32, y: f32) -> f32 {
        let (mut reach, mut total) = (0.0, 1e-9);
        for [turn, high, far] in &self.known {
            // Shoulders begin close below.
            let (a, h) = (turn - around, high - y);
            let weight = exp(-a * a / 0.025 - h * h / 0.008 - 3.0 * far);
            reach += far * weight;
            total += weight;
        }
        reach / total
    }

    /// The skin in a direction, `around` from the front, at a height.
    fn at(&self, side: f32, around: f32, y: f32) -> V3 {
        // Shoulders begin close below.
        let reach = self.reach(around, y + 0.10 * sin(around));
        [self.middle[0] + side * reach * sin(around), y, self.middle[1] + reach * cos(around)]
    }
}

pub(super) fn shirt_collar(garment: &Garment, top: &Mesh, neck: &Neck) -> Vec<Mesh> {
    let line = edge(garment, top, 144);
    if line.is_empty() {
        return Vec::new();
    }
    let cloth = Lying::new(garment, top);
    [1.0, -1.0].map(|side| leaf(&Lines::new(garment, &cloth, neck, &line, side))).into()
}

/// One cut through the collar, from the neck outwards and down.
#[derive(Clone)]
struct Cut {
    points: Vec<V3>,
    /// Which way the leaf faces at its edge.
    up: V3,
}

/// Where a collar folds, and where its leaf ends below that.
struct Lines<'a> {
    garment: &'a Garment,
    cloth: &'a Lying,
    side: f32,
    /// Row by row: its upper edge, and the way from the neck.
    folds: Vec<(V3, V3)>,
    tip: V3,
    /// How far the leaf reaches out behind its front, to lie over where the shirt ends.
    wide: f32,
}

impl<'a> Lines<'a> {
    /// `line`: where the shirt ends below.
    fn new(garment: &'a Garment, cloth: &'a Lying, neck: &Neck, line: &[V3], side: f32) -> Self {
        let u = garment.broad;
        // It begins beside the knot, or where the shirt opens; its point lies from there.
        let (way, over) = if garment.is_open() { ([0.13, -0.42], 0.02) } else { ([0.19, -0.50], 0.17) };
        let begins = |p: &&V3| if garment.is_open() { garment.open_collar(**p) > 0.0 } else { p[0] * side > 0.055 * u };
        let front = line.iter().filter(|p| p[2] > 0.2 && p[0] * side > 0.0);
        let from = front.filter(begins).min_by(|a, b| a[0].abs().total_cmp(&b[0].abs()));
        let from = from.copied().unwrap_or([side * 0.2, garment.neck[1] - 0.4, 0.5]);
        let inwards = if garment.is_open() { 0.085 } else { 0.0 };
        let from = add(from, [-side * inwards, over, 0.0]);
        let folds = folds(garment, neck, from, side);
        let tip = add(from, [side * way[0] * u, way[1] * u, 0.0]);
        let tip = [tip[0], tip[1], cloth.front(tip[0], tip[1])];
        let fold = folds[BESIDE].0;
        let beside = line
            .iter()
            .filter(|p| p[0] * side > 0.0)
            .min_by(|a, b| (a[2] - fold[2]).abs().total_cmp(&(b[2] - fold[2]).abs()));
        let ends = beside.map_or(0.0, |p| (p[0] - fold[0]) * side + 0.16);
        Self { garment, cloth, side, folds, tip: cloth.at(tip).0, wide: ends.clamp(0.22 * u, 0.55) }
    }

    /// The lower edge, as far from the fold as the leaf is broad.
    fn edge(&self, row: usize) -> V3 {
        let u = self.garment.broad;
        let behind = |row: usize| {
            let (fold, out) = self.folds[row];
            add(fold, add(mul(out, self.wide), [0.0, -0.30 * u, 0.0]))
        };
        if row < BESIDE { mix(self.tip, behind(BESIDE), row as f32 / BESIDE as f32) } else { behind(row) }
    }

    fn cut(&self, row: usize) -> Cut {
        let (fold, out) = self.folds[row];
        let place = |across: f32, up: f32| add(fold, add(mul(out, across), [0.0, up, 0.0]));
        // Where it is open, the stand runs out.
        let stand = if self.garment.is_open() { ss(-1.0, 12.0, row as f32) } else { 1.0 };
        let mut points = vec![place(-0.03 * stand, -0.24 * stand), place(-0.008 * stand, -0.10 * stand)];
        // Nor does it end in a roll, which would be a hook.
        let roll = if self.garment.is_open() { ROLL * ss(-1.0, 8.0, row as f32) } else { ROLL };
        for step in 0..5 {
            let a = std::f32::consts::PI * (1.0 - 0.22 * step as f32);
            points.push(place(roll * (1.0 + cos(a)), roll * sin(a)));
        }
        let from = place(2.0 * roll, -0.2 * roll);
        let (edge, up) = self.cloth.at(self.edge(row));
        let end = add(edge, mul(up, THICK));
        for t in LEAF {
            points.push(self.lie(add(mix(from, end, t), mul(out, 0.030 * sin(t * std::f32::consts::PI))), t));
        }
        let along = norm(sub(end, from));
        for [out, height] in [[0.004, 0.70], [0.002, 0.30], [-0.016, 0.02]] {
            points.push(add(edge, add(mul(along, out), mul(up, height * THICK))));
        }
        Cut { points, up }
    }

    /// On the shirt or over it; under a jacket on it.
    fn lie(&self, p: V3, t: f32) -> V3 {
        let (lies, up) = self.cloth.at(p);
        let height = dot(sub(p, lies), up);
        // Beside its fold it stands as the neck lets it.
        let least = height.clamp(-0.015, THICK) * ss(0.30, 0.05, t) + THICK * ss(0.05, 0.30, t);
        let flat = ss(-0.10, 0.04, self.garment.under_jacket(p)) * ss(0.10, 0.5, t);
        let most = (0.60 + (THICK - 0.60) * flat).max(least);
        add(lies, mul(up, height.clamp(least, most)))
    }
}

/// The upper edge from the throat to the nape.
fn folds(garment: &Garment, neck: &Neck, first: V3, side: f32) -> Vec<(V3, V3)> {
    let (low, high) = (first[1], garment.neck[1] + 0.50 * garment.broad);
    let begins = neck.begins(garment);
    // An open collar's is straight from its front to the side of the neck.
    let climbs = if garment.is_open() { 0.3 } else { 0.7 };
    // And stands off it, where skin would come through in waves.
    let off = if garment.is_open() { 0.05 } else { OFF };
    let from = atan2(first[0].abs(), (first[2] - neck.middle[1]).max(0.2));
    let around = |row: usize| from + row as f32 / (ROWS - 1) as f32 * (std::f32::consts::PI - from);
    let out = |row: usize| [side * sin(around(row)), 0.0, cos(around(row))];
    let mut line: Vec<V3> = (0..ROWS)
        .map(|row| {
            let climbed = 0.5 - 0.5 * cos((around(row) - from) * std::f32::consts::PI / (std::f32::consts::PI - from));
            // It lies on the neck, not on the shoulders.
            let least = interp(around(row), &begins) + 0.05;
            let y = low + (high - low) * pow(climbed, climbs);
            let y = y.max(y + (least - y) * ss(0.02, 0.30, row as f32 / ROWS as f32));
            add(neck.at(side, around(row), y), mul(out(row), off))
        })
        .collect();
    if garment.is_open() {
        line[0] = add(first, mul(out(0), OFF));
    }
    // Skin has hollows that cloth spans.
    for _ in 0..50 {
        let old = line.clone();
        for row in 1..ROWS - 1 {
            line[row] = add(mul(old[row], 0.5), mul(add(old[row - 1], old[row + 1]), 0.25));
        }
    }
    line.into_iter().enumerate().map(|(row, p)| (p, out(row))).collect()
}

fn leaf(lines: &Lines<'_>) -> Mesh {
    let (garment, side) = (lines.garment, lines.side);
    let share = |row: usize| row as f32 / (ROWS - 1) as f32;
    let mut cuts: Vec<Cut> = (0..ROWS).map(|row| lines.cut(row)).collect();
    let far: Vec<f32> = far_from_front(&cuts);
    // The front edge is as thick as the lower one.
    let turned = |cut: &Cut, next: &Cut, [back, down]: [f32; 2]| {
        let all = (0..).zip(cut.points.iter().zip(&next.points));
        let points = all.map(|(column, (&p, &q))| {
            // Where it folds it is round: turned down, that would come out beyond the leaf.
            let leaf = if column < 7 { 0.0 } else { 1.0 };
            add(p, add(mul(norm(sub(q, p)), leaf * back), mul(cut.up, -leaf * down * THICK)))
        });
        Cut { points: points.collect(), up: cut.up }
    };
    let ends = [[0.014, 0.95], [-0.003, 0.70], [-0.004, 0.30]].map(|by| turned(&cuts[0], &cuts[2], by));
    cuts.splice(0..0, ends);
    let (columns, front) = (cuts[0].points.len(), 3);
    let (mut points, mut traits, mut triangles) = (Vec::new(), Vec::new(), Vec::new());
    for (row, cut) in cuts.iter().enumerate() {
        let s = share(row.saturating_sub(front));
        let last = cut.points.len() - 4;
        for (column, &p) in cut.points.iter().enumerate() {
            let across = if column < 7 { 0.06 * column as f32 } else { 0.4 + 0.6 * LEAF[(column - 7).min(12)] };
            let across = if column > last { 1.0 } else { across };
            let below = length(sub(p, cut.points[last]));
            let rim = if row < front { 0.0 } else { below.min(far[row - front]) };
            let stands = if column < 4 { -1.0 } else { 0.0 };
            traits.push(ClothTraits { arm: stands, ..ClothTraits::of_band([side * s, p[1], p[2]], rim, across) });
            points.push(p);
        }
    }
    for row in 0..cuts.len() as u32 - 1 {
        for column in 0..columns as u32 - 1 {
            let (a, b) = (row * columns as u32 + column, (row + 1) * columns as u32 + column);
            triangles.extend([[a, b, a + 1], [b, b + 1, a + 1]]);
        }
    }
    let mesh = Mesh::new(Stuff::Cloth(Piece::ShirtBand), points, triangles, Traits::Cloth(traits));
    facing_out(garment, mesh, |t| t.across > 0.5 && t.across < 0.95)
}

/// How far each cut is from the front edge.
fn far_from_front(cuts: &[Cut]) -> Vec<f32> {
    let middle = cuts[0].points.len() - 8;
    cuts.iter().map(|cut| length(sub(cut.points[middle], cuts[0].points[middle]))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::body::sculpt::sculpt;
    use crate::rig::cloth::sew;
    use crate::rig::people::CAST;

    /// Where a point is around the neck, and how far from its middle.
    fn around(garment: &Garment, p: V3) -> [f32; 2] {
        let [x, z] = [p[0] - garment.neck[0], p[2] - garment.neck[2]];
        [atan2(x, z), (x * x + z * z).sqrt()]
    }

    #[test]
    fn leaves_lie_over_where_the_shirt_ends() {
        let library = Library::open(&crate::tests::assets().join("avatars")).expect("the data");
        for alias in ["kenji", "sofia", "hana"] {
            let member = CAST.iter().find(|member| member.alias == alias).expect("one of the cast");
            let person = &member.person;
            let body = sculpt(&library, person).expect("a body");
            let outfit = person.wardrobe.iter().find(|outfit| outfit.cut == crate::rig::people::person::Cut::Shirt);
            let garment = Garment::new(&body, person, outfit.expect("a shirt"));
            let all = sew(&library, &body, person, &garment, 2.0);
            let top = all.iter().find(|mesh| mesh.stuff == Stuff::Cloth(Piece::Top)).expect("a shirt");
            let leaves: Vec<[f32; 2]> = all
                .iter()
                .filter(|mesh| mesh.stuff == Stuff::Cloth(Piece::ShirtBand))
                .flat_map(|mesh| mesh.points.iter().map(|&p| around(&garment, p)))
                .collect();
            // Where the shirt is cut at the sides of the neck.
            let cut = |a: V3, b: V3| {
                let [fa, fb] = [a, b].map(|p| garment.inside(Piece::Top, p));
                ((fa < 0.0) != (fb < 0.0)).then(|| mix(a, b, fa / (fa - fb)))
            };
            let sides = top.triangles.iter().flat_map(|t| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]]);
            let ends = sides.filter_map(|[a, b]| cut(top.points[a as usize], top.points[b as usize]));
            let ends: Vec<[f32; 2]> =
                ends.filter(|p| p[1] > garment.neck[1] - 0.5).map(|p| around(&garment, p)).collect();
            assert!(ends.iter().filter(|end| end[0].abs() >= 0.7).count() > 20, "{alias}: {}", ends.len());
            for end in ends {
                let beside = leaves.iter().filter(|leaf| (leaf[0] - end[0]).abs() < 0.04);
                let [near, far] =
                    beside.fold([f32::MAX, 0.0], |[near, far], leaf| [leaf[1].min(near), leaf[1].max(far)]);
                // At the throat it is open.
                assert!(
                    end[0].abs() < 0.7 || (near < end[1] && end[1] < far),
                    "{alias}: the shirt ends {} from the neck's middle, the collar lies from {near} to {far}",
                    end[1]
                );
            }
        }
    }
}
