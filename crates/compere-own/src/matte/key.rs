//! A matte by the colour of the wall behind: how much of it is in a colour is how much is not the person.
//!
//! The wall's colour is known at every place, and the person's next to it. The network says what is looked at: far from
//! the person nothing is, whatever stands beside the wall; well inside everything is the person, whatever is green there.

use compere_media::Frame;

use super::fine::{Fine, fine};
use super::half::{Colour, Half};
use super::plane::{means, sums};
use super::screen::{Screen, aim, split, wall};

/// By how much a person's colour may lie towards the wall's, as a part of how far it is beside: as yellow or cyan do.
const LEANING: f32 = 0.55;
/// More of the wall than this is nothing else, and less of it is none.
const BARE: f32 = 0.93;
const OWN: f32 = 0.05;
/// Cells of the network around a place from which the person's colour there is told, the near ones above all.
const BESIDE: [(f32, f32); 2] = [(1.5, 1.0), (6.0, 0.02)];
/// Noise of brightness and of tints, in levels.
const NOISE: [f32; 2] = [3.0, 6.0];
/// Less and more than this is nothing and all; where the wall's own noise is more than the first, that is.
const ENDS: [f32; 2] = [0.05, 0.96];
const LEAST: f32 = 0.12;
/// Less of the person than this leads to no more of it.
const TRAIL: f32 = 0.08;
/// Cells by which hair may leave the network's shape, by which what is blurred reaches into it, and those of which hair fills less
/// than half.
const HAIR: f32 = 12.0;
const BLUR: f32 = 6.0;
const THIN: f32 = 2.0;
/// Cells around a place in which things beside the wall are told.
const NEXT: [(f32, f32); 2] = [(2.5, 1.0), (12.0, 0.003)];

/// What is around a place: the person, and how unlike each other its colours are.
#[derive(Clone, Copy)]
struct Beside {
    person: Colour,
    spread: f32,
    is_known: bool,
}

/// How much of every pixel is the person, before a screen.
pub(super) fn keyed(frame: &Frame, half: &Half, screen: &Screen) -> Fine {
    let like: Vec<bool> = half.colours.iter().map(|colour| screen.is_like(colour)).collect();
    let walls = wall(half, |n| half.is_behind(n) && like[n]);
    let bare = parts_of(half, &walls);
    let walls = wall(half, |n| !half.is_person(n) && like[n] && bare[n] > BARE);
    let bare = parts_of(half, &walls);
    let beside = beside(half, &bare);
    let parts: Vec<f32> = (0..bare.len()).map(|n| part(&half.colours[n], &walls[n], &beside[n], bare[n])).collect();
    let is_wall = |n: usize| like[n] && bare[n] > BARE;
    let zone = Zone::of(half, &is_wall, &bare, &parts);
    let low = lowest(half, &walls, &like);
    let stretched = |part: f32| ((part - low) / (ENDS[1] - low)).clamp(0.0, 1.0);
    let other = zone.foreign.iter().any(|&foreign| foreign > 0.0).then(|| fine(frame, half));
    let width = half.size[0];
    let mut alpha = vec![0; 4 * bare.len()];
    for n in 0..bare.len() {
        let corner = 2 * (n / width) * 2 * width + 2 * (n % width);
        for (k, at) in [corner, corner + 1, corner + 2 * width, corner + 2 * width + 1].into_iter().enumerate() {
            alpha[at] = match zone.of[n] {
                Of::Person => 255,
                Of::Nobody => 0,
                Of::Edge => {
                    let value = 255.0 * stretched(sharp(half, &parts, &walls[n], &beside[n], (n, k), frame.y()[at]));
                    let foreign = zone.foreign[n];
                    let value =
                        other.as_ref().map_or(value, |other| value + foreign * (f32::from(other.alpha[at]) - value));
                    (value + 0.5) as u8
                }
            };
        }
    }
    Fine { width: 2 * width, alpha, apart: apart(half, &parts, &zone) }
}

/// How much of every colour is the wall at least.
fn parts_of(half: &Half, walls: &[Colour]) -> Vec<f32> {
    half.colours.iter().zip(walls).map(|(colour, wall)| leaning(colour, wall).clamp(0.0, 1.0)).collect()
}

/// By how much a colour lies towards the wall's beyond what a person's does, as a part of the whole way.
pub(super) fn leaning(colour: &Colour, wall: &Colour) -> f32 {
    let (strength, toward) = aim(wall);
    let [along, across] = split(colour, toward);
    (along - LEANING * across) / strength
}

/// The person's colours near every place.
fn beside(half: &Half, bare: &[f32]) -> Vec<Beside> {
    let own: Vec<[f32; 5]> = (0..bare.len())
        .map(|n| {
            let is_own = half.is_person(n) || (bare[n] < OWN && half.cells[n] > 0.3);
            let [y, u, v] = half.colours[n];
            if is_own { [y, u, v, y * y, 1.0] } else { [0.0; 5] }
        })
        .collect();
    let told = |[y, u, v, square, count]: [f32; 5]| {
        let by = 1.0 / count.max(1e-3);
        let [y, u, v] = [y * by, u * by, v * by];
        Beside { person: [y, u, v], spread: (square * by - y * y).max(0.0), is_known: count > 0.01 }
    };
    weighed(&own, half, BESIDE).into_iter().map(told).collect()
}

/// Sums around every place, of which the near ones count most.
fn weighed<const N: usize>(plane: &[[f32; N]], half: &Half, reaches: [(f32, f32); 2]) -> Vec<[f32; N]> {
    let mut out = vec![[0.0; N]; plane.len()];
    for (cells, weight) in reaches {
        for (sum, more) in out.iter_mut().zip(sums(plane, half.size, half.reach(cells))) {
            sum.iter_mut().zip(more).for_each(|(sum, more)| *sum += weight * more);
        }
    }
    out
}

/// How much of a colour is the person, not yet between nothing and all.
fn part(colour: &Colour, wall: &Colour, beside: &Beside, bare: f32) -> f32 {
    if !beside.is_known {
        return 1.0 - bare;
    }
    // Who wears something of that hue has some of it in them.
    let own = leaning(&beside.person, wall).clamp(0.0, 0.8);
    let bare = ((bare - own) / (1.0 - own)).max(0.0);
    let from = |axis: usize| colour[axis] - wall[axis];
    let to = |axis: usize| beside.person[axis] - wall[axis];
    let tints = (from(1) * to(1) + from(2) * to(2)) / (to(1) * to(1) + to(2) * to(2)).max(1.0);
    let sure = [
        1.0 / (NOISE[0] * NOISE[0] + tints.clamp(0.0, 1.0) * beside.spread),
        1.0 / (NOISE[1] * NOISE[1]),
        1.0 / (NOISE[1] * NOISE[1]),
    ];
    let sum = |of: &dyn Fn(usize) -> f32| (0..3).map(|axis| sure[axis] * of(axis)).sum::<f32>();
    let part = sum(&|axis| from(axis) * to(axis)) / sum(&|axis| to(axis) * to(axis)).max(1e-3);
    // What does not lie between the two is the person in another colour, as far as nothing of the wall is in it.
    let off = sum(&|axis| (from(axis) - part * to(axis)) * (from(axis) - part * to(axis)));
    let doubt = ((off - 6.0) / 20.0).clamp(0.0, 1.0);
    let other = part.max(1.0 - 1.3 * bare);
    (part + doubt * (other - part)).min(1.0 - bare + 0.1)
}

/// The part at a pixel: between those of four places, and as sharp as its brightness is, where that tells person from wall.
fn sharp(half: &Half, parts: &[f32], wall: &Colour, beside: &Beside, (n, k): (usize, usize), luma: u8) -> f32 {
    let [width, height] = half.size;
    let (x, y) = (n % width, n / width);
    let next = |at: usize, back: bool, side: usize| if back { at.saturating_sub(1) } else { (at + 1).min(side - 1) };
    let (nx, ny) = (next(x, k % 2 == 0, width), next(y, k / 2 == 0, height));
    let near = [(y * width + x, 0.5625), (y * width + nx, 0.1875), (ny * width + x, 0.1875), (ny * width + nx, 0.0625)];
    let mean = |of: &dyn Fn(usize) -> f32| near.iter().map(|&(at, weight)| weight * of(at)).sum::<f32>();
    let part = mean(&|at| parts[at]);
    let bright = mean(&|at| half.colours[at][0]);
    let low = near.iter().map(|&(at, _)| parts[at]).fold(f32::MAX, f32::min);
    let high = near.iter().map(|&(at, _)| parts[at]).fold(f32::MIN, f32::max);
    let to = beside.person[0] - wall[0];
    let edge = (high - low) * (high - low) / 9.0;
    let noise = (NOISE[0] * NOISE[0] + part.clamp(0.0, 1.0) * beside.spread) / (to * to + 1.0);
    let told = if to.abs() > 4.0 { (f32::from(luma) - bright) / to } else { 0.0 };
    part + edge / (edge + noise) * told
}

/// Below this a part is the wall's noise.
fn lowest(half: &Half, walls: &[Colour], like: &[bool]) -> f32 {
    let (mut square, mut count) = (0.0f64, 0.0f64);
    for n in (0..walls.len()).filter(|&n| half.is_behind(n) && like[n]) {
        let (strength, toward) = aim(&walls[n]);
        let off = f64::from(1.0 - split(&half.colours[n], toward)[0] / strength);
        square += off * off;
        count += 1.0;
    }
    (2.0 * (square / count.max(1.0)).sqrt() as f32).clamp(ENDS[0], LEAST)
}

/// Part of the network's outer edge, seen from within, that does not have the wall's colour.
fn apart(half: &Half, parts: &[f32], zone: &Zone) -> f32 {
    let (mut edge, mut apart) = (0.0f32, 0.0f32);
    for n in (0..parts.len()).filter(|&n| zone.of[n] == Of::Edge && half.cells[n] > 0.9) {
        edge += 1.0;
        apart += f32::from(u8::from(parts[n] > 0.5));
    }
    if edge > 0.0 { apart / edge } else { 1.0 }
}

#[derive(Clone, Copy, PartialEq)]
enum Of {
    Person,
    Edge,
    Nobody,
}

/// Where the key is asked.
struct Zone {
    of: Vec<Of>,
    /// How much of what is behind is something else than the wall.
    foreign: Vec<f32>,
}

impl Zone {
    fn of(half: &Half, is_wall: &dyn Fn(usize) -> bool, bare: &[f32], parts: &[f32]) -> Self {
        let flag = |is: bool| [f32::from(u8::from(is))];
        let stands: Vec<[f32; 1]> = (0..parts.len()).map(|n| flag(half.is_behind(n) && parts[n] > 0.5)).collect();
        let solid = means(&stands, half.size, half.reach(THIN));
        let behind: Vec<[f32; 2]> = (0..parts.len())
            .map(|n| [half.is_behind(n) && solid[n][0] > 0.5, !half.is_person(n) && is_wall(n)])
            .map(|[other, wall]| [flag(other)[0], flag(wall)[0]])
            .collect();
        let foreign = weighed(&behind, half, NEXT).into_iter().map(|[other, wall]| {
            let part = other / (other + wall).max(1e-3);
            ((part - 0.35) / 0.3).clamp(0.0, 1.0)
        });
        let mut zone = Self { of: vec![Of::Nobody; parts.len()], foreign: foreign.collect() };
        for n in 0..parts.len() {
            zone.of[n] = match () {
                () if half.is_person(n) => Of::Person,
                () if half.is_behind(n) => Of::Nobody,
                () => Of::Edge,
            };
        }
        let leads_out = |n: usize| parts[n] > TRAIL && solid[n][0] < 0.5;
        zone.follow(half, (Of::Nobody, HAIR), &leads_out);
        let leads_in = |n: usize| parts[n] < 1.0 - TRAIL && bare[n] > TRAIL;
        zone.follow(half, (Of::Person, BLUR), &leads_in);
        zone
    }

    /// The edge goes on where something leads on, at most so many cells into what else it would be.
    fn follow(&mut self, half: &Half, (into, cells): (Of, f32), leads: &dyn Fn(usize) -> bool) {
        let [width, height] = half.size;
        let mut at: Vec<usize> = (0..self.of.len()).filter(|&n| self.of[n] == Of::Edge && leads(n)).collect();
        for _ in 0..half.reach(cells) {
            let mut next = Vec::new();
            for n in at {
                let (x, y) = (n % width, n / width);
                let across = [x.saturating_sub(1), x, (x + 1).min(width - 1)];
                for row in y.saturating_sub(1)..=(y + 1).min(height - 1) {
                    for to in across.map(|column| row * width + column) {
                        if self.of[to] == into && leads(to) {
                            self.of[to] = Of::Edge;
                            next.push(to);
                        }
                    }
                }
            }
            at = next;
        }
    }
}
