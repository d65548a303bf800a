//! Beards and stubble, drawn hair by hair on a map that is wound about the jaw: it moves with the skin.

use crate::maths::{Dice, lerp};
use crate::rig::ground::data::EYE_Y;
use crate::rig::ground::v3::{V3, atan2, cos, noise, sin, ss};
use crate::rig::people::person::Look;

/// Texels per model unit.
const FINE: f32 = 240.0;
/// What the map is wound about, how far from it skin is, and how far round and up it goes.
const AXIS: f32 = 0.42;
const AWAY: f32 = 0.80;
const TURN: f32 = 1.75;
const LOW: f32 = -1.60;
const HIGH: f32 = 0.25;

/// What of a hair a place shows.
#[derive(Clone, Copy, Default)]
pub(crate) struct Whisker {
    /// Hairs of more reach grow where fewer do: the topmost one's, 0 where there is none.
    pub(crate) reach: f32,
    /// How light it is.
    pub(crate) tone: f32,
}

pub(crate) struct Whiskers {
    columns: usize,
    rows: usize,
    texels: Vec<Whisker>,
}

/// A hair on the map: its root, the way it goes, how long it is.
struct Sprout {
    at: [f32; 2],
    way: [f32; 2],
    long: f32,
    bend: f32,
    whisker: Whisker,
}

impl Whiskers {
    /// None for those who have neither.
    pub(crate) fn of(look: &Look) -> Option<Self> {
        let [count, long, half] = if look.beard > 0.0 {
            [13_000.0, 0.115, 0.0044]
        } else if look.stubble > 0.0 {
            [26_000.0, 0.014, 0.0022]
        } else {
            return None;
        };
        let (columns, rows) = ((2.0 * TURN * AWAY * FINE) as usize, ((HIGH - LOW) * FINE) as usize);
        let mut map = Self { columns, rows, texels: vec![Whisker::default(); columns * rows] };
        let mut dice = Dice::new(23, 5);
        let count = count as usize;
        // Those that grow everywhere lie over those that only thick beards have.
        for at in 0..count {
            let reach = (at as f32 + 1.0) / count as f32;
            map.draw(&sprout(reach, long, &mut dice), half);
        }
        Some(map)
    }

    fn draw(&mut self, hair: &Sprout, half: f32) {
        let steps = (hair.long * FINE * 1.6) as usize + 2;
        let [mut x, mut y] = hair.at;
        let mut way = hair.way;
        for step in 0..steps {
            let t = step as f32 / (steps - 1) as f32;
            let wide = half * FINE * (1.0 - 0.72 * t * t);
            self.stamp([(x + TURN * AWAY) * FINE, (HIGH - y) * FINE], wide, |edge| Whisker {
                reach: hair.whisker.reach,
                // Round: lighter in the middle, and towards the tip.
                tone: hair.whisker.tone * lerp(0.55, 1.0, t) * (1.0 - 0.45 * edge * edge),
            });
            let turn = hair.bend / steps as f32;
            way = [way[0] * cos(turn) - way[1] * sin(turn), way[0] * sin(turn) + way[1] * cos(turn)];
            let far = hair.long / steps as f32;
            (x, y) = (x + way[0] * far, y + way[1] * far);
        }
    }

    fn stamp(&mut self, [cx, cy]: [f32; 2], wide: f32, look: impl Fn(f32) -> Whisker) {
        let span = |c: f32, most: usize| (c - wide).max(0.0) as usize..((c + wide + 1.0).max(0.0) as usize).min(most);
        for y in span(cy, self.rows) {
            for x in span(cx, self.columns) {
                let (dx, dy) = (x as f32 + 0.5 - cx, y as f32 + 0.5 - cy);
                let edge = (dx * dx + dy * dy).sqrt() / wide.max(0.5);
                if edge < 1.0 {
                    self.texels[y * self.columns + x] = look(edge);
                }
            }
        }
    }

    /// Between the four nearest texels.
    pub(crate) fn at(&self, r: V3) -> Whisker {
        let round = atan2(r[0], r[2] - AXIS) * AWAY;
        let (x, y) = ((round + TURN * AWAY) * FINE - 0.5, (EYE_Y + HIGH - r[1]) * FINE - 0.5);
        let inside = x >= 0.0 && y >= 0.0 && x < (self.columns - 1) as f32 && y < (self.rows - 1) as f32;
        if !inside {
            return Whisker::default();
        }
        let (ix, iy) = (x as usize, y as usize);
        let (fx, fy) = (x - ix as f32, y - iy as f32);
        let read = |of: fn(&Whisker) -> f32| {
            let at = iy * self.columns + ix;
            let row = |at: usize| of(&self.texels[at]) * (1.0 - fx) + of(&self.texels[at + 1]) * fx;
            row(at) * (1.0 - fy) + row(at + self.columns) * fy
        };
        Whisker { reach: read(|w| w.reach), tone: read(|w| w.tone) }
    }
}

/// A hair somewhere on the map. Neighbours go nearly the same way: from the nose outwards over the lip, down the cheeks,
/// together at the chin.
fn sprout(reach: f32, long: f32, dice: &mut Dice) -> Sprout {
    let at = [dice.between(-1.0, 1.0) * TURN * AWAY, dice.between(LOW + 0.1, HIGH)];
    let (side, x) = (at[0].signum(), at[0].abs());
    let lip = ss(-0.80, -0.66, at[1]) * ss(0.42, 0.26, x);
    let chin = ss(-0.72, -0.95, at[1]) * ss(0.40, 0.10, x);
    let tuft = noise([at[0] * 9.0 + 40.0, at[1] * 7.0 + 40.0, 3.0]) - 0.5;
    let lean = side * lerp(lerp(0.10, -0.10, chin), 1.05, lip) + 1.1 * tuft + 0.22 * dice.normal();
    let size = (lean * lean + 1.0).sqrt();
    let way = [lean / size, -1.0 / size];
    let long = long * dice.between(0.6, 1.15) * lerp(1.0, 0.72, lip) * lerp(1.0, 1.15, chin);
    // Most are of one tone; a few are far lighter.
    let tone = 0.25 + 0.45 * dice.unit() + 0.30 * ss(0.80, 0.95, dice.unit());
    Sprout { at, way, long, bend: 0.5 * dice.normal() - 0.35 * side * lip, whisker: Whisker { reach, tone } }
}
