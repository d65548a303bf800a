//! A matte at the picture's own size: where the network is not sure, colours decide.
//!
//! In a band around the network's edge every place looks around for colours that are surely the person's and surely the
//! background's, and takes those between which its own colour lies. How far it lies from one to the other is how much of it
//! is the person.

use compere_media::{Frame, math};

use super::half::{Colour, Half};
use super::plane::{means, sums};

/// Noise of a colour, in grey levels.
const NOISE: f32 = 5.0;
/// Rays that every place sends out, and how many places together send all of them.
const RAYS: usize = 10;
const PHASES: usize = 9;
/// Less and more than this is nothing and all.
const ENDS: [f32; 2] = [0.1, 0.95];
/// Colours nearer to each other than this cannot be told apart, in grey levels.
const APART: f32 = 14.0;

/// How much of every pixel is the person, and how well that could be told.
#[derive(Debug)]
pub(super) struct Fine {
    pub(super) width: usize,
    pub(super) alpha: Vec<u8>,
    /// Part of the edge where person and background have different colours.
    pub(super) apart: f32,
}

/// The two colours that a place lies between, and how far apart they are by squares.
#[derive(Clone, Copy, Debug, Default)]
struct Pair {
    person: Colour,
    behind: Colour,
    known: f32,
}

pub(super) fn fine(frame: &Frame, half: &Half) -> Fine {
    let [width, height] = half.size;
    let pairs = half.pairs();
    let mut alpha = vec![0u8; 4 * width * height];
    let (mut edge, mut apart) = (0.0f32, 0.0f32);
    for (n, pair) in pairs.iter().enumerate() {
        let (sure, network) = (half.is_sure(n), ease(half.cells[n]));
        let [_, u, v] = half.colours[n];
        for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            let at = (2 * (n / width) + dy) * 2 * width + 2 * (n % width) + dx;
            let value = if sure {
                f32::from(u8::from(network > 0.5))
            } else {
                between(pair, [f32::from(frame.y()[at]), u, v], network, half.around[n])
            };
            let value = ((value - ENDS[0]) / (ENDS[1] - ENDS[0])).clamp(0.0, 1.0);
            alpha[at] = (value * 255.0 + 0.5) as u8;
        }
        if !sure {
            edge += 1.0;
            apart += f32::from(u8::from(pair.known > 0.0 && far(pair) > APART * APART));
        }
    }
    Fine { width: 2 * width, alpha, apart: if edge > 0.0 { apart / edge } else { 0.0 } }
}

fn far(pair: &Pair) -> f32 {
    (0..3).map(|n| (pair.person[n] - pair.behind[n]) * (pair.person[n] - pair.behind[n])).sum()
}

/// Where a colour lies between two; where they are hardly different the network decides.
fn between(pair: &Pair, colour: Colour, network: f32, around: f32) -> f32 {
    if pair.known <= 0.0 {
        return network;
    }
    let square = far(pair);
    let along: f32 = (0..3).map(|n| (colour[n] - pair.behind[n]) * (pair.person[n] - pair.behind[n])).sum();
    let told = (along / square.max(1.0)).clamp(0.0, 1.0);
    // Far from the edge colours have to be clearer, above all inside: hair and folds have many.
    let off = 2.0 * around - 1.0;
    let far_off = if off > 0.0 { off * off * off } else { off * off * off * off };
    let doubt = NOISE * NOISE * (20.0 + 200.0 * far_off);
    (told * square + network * doubt) / (square + doubt)
}

impl Half {
    /// For every place of the band the colours it lies between, in agreement with its neighbours.
    fn pairs(&self) -> Vec<Pair> {
        let [width, height] = self.size;
        let calm: Vec<Colour> = means(&self.colours, self.size, 1);
        let rays: Vec<[f32; 2]> = (0..RAYS * PHASES)
            .map(|n| {
                let turn = std::f32::consts::TAU * n as f32 / (RAYS * PHASES) as f32;
                [math::cosf(turn), math::sinf(turn)]
            })
            .collect();
        let mut weighed = vec![[0.0f32; 7]; width * height];
        for (n, to) in weighed.iter_mut().enumerate().filter(|(n, _)| !self.is_sure(*n)) {
            let phase = (n % width % 3) * 3 + n / width % 3;
            let sent = rays.iter().skip(phase).step_by(PHASES);
            if let Some(pair) = self.pair(n, &calm, sent) {
                let [a, b] = [pair.person, pair.behind];
                *to = [a[0], a[1], a[2], b[0], b[1], b[2], 1.0];
            }
        }
        let summed = sums(&weighed, self.size, 2);
        summed
            .into_iter()
            .map(|[a0, a1, a2, b0, b1, b2, weight]| {
                let by = if weight > 0.0 { 1.0 / weight } else { 0.0 };
                Pair { person: [a0 * by, a1 * by, a2 * by], behind: [b0 * by, b1 * by, b2 * by], known: weight }
            })
            .collect()
    }

    /// The colours that a place lies between best.
    fn pair<'a>(&self, n: usize, calm: &[Colour], rays: impl Iterator<Item = &'a [f32; 2]>) -> Option<Pair> {
        let (mut persons, mut behinds) = (Vec::with_capacity(RAYS), Vec::with_capacity(RAYS));
        for ray in rays {
            let [person, behind] = self.sent(n, ray);
            persons.extend(person.map(|(at, steps)| (calm[at], steps)));
            behinds.extend(behind.map(|(at, steps)| (calm[at], steps)));
        }
        let nearest = |found: &[(Colour, f32)]| found.iter().map(|one| one.1).fold(f32::MAX, f32::min);
        let near = [nearest(&persons), nearest(&behinds)];
        let (own, network) = (self.colours[n], self.cells[n]);
        let mut costs = Vec::with_capacity(persons.len() * behinds.len());
        for (person, steps) in &persons {
            for (behind, back) in &behinds {
                let cost = unlike(&own, person, behind, network) + 0.25 * (steps / near[0] + back / near[1]);
                costs.push((cost, person, behind));
            }
        }
        let least = costs.iter().map(|one| one.0).fold(f32::MAX, f32::min);
        let mut sum = [0.0f32; 7];
        for (cost, person, behind) in costs {
            let weight = math::expf((least - cost).max(-30.0));
            for k in 0..3 {
                sum[k] += weight * person[k];
                sum[3 + k] += weight * behind[k];
            }
            sum[6] += weight;
        }
        let by = (sum[6] > 0.0).then(|| 1.0 / sum[6])?;
        Some(Pair {
            person: [sum[0] * by, sum[1] * by, sum[2] * by],
            behind: [sum[3] * by, sum[4] * by, sum[5] * by],
            known: 1.0,
        })
    }

    /// What a ray meets first that is surely the person's, and surely not, with the steps it took.
    fn sent(&self, n: usize, ray: &[f32; 2]) -> [Option<(usize, f32)>; 2] {
        let [width, height] = self.size;
        let (x, y) = ((n % width) as f32, (n / width) as f32);
        let most = self.size[0].max(self.size[1]) as f32 / 6.0;
        let (mut found, mut steps) = ([None, None], 1.5);
        while steps < most && (found[0].is_none() || found[1].is_none()) {
            let (px, py) = (x + ray[0] * steps + 0.5, y + ray[1] * steps + 0.5);
            if px < 0.0 || py < 0.0 || px >= width as f32 || py >= height as f32 {
                break;
            }
            let at = py as usize * width + px as usize;
            if found[0].is_none() && self.is_person(at) {
                found[0] = Some((at, steps));
            }
            if found[1].is_none() && self.is_behind(at) {
                found[1] = Some((at, steps));
            }
            steps += 1.5;
        }
        found
    }
}

/// How badly two colours explain one between them.
fn unlike(own: &Colour, person: &Colour, behind: &Colour, network: f32) -> f32 {
    let (mut along, mut square) = (0.0, 1e-3);
    for n in 0..3 {
        along += (own[n] - behind[n]) * (person[n] - behind[n]);
        square += (person[n] - behind[n]) * (person[n] - behind[n]);
    }
    let part = (along / square).clamp(0.0, 1.0);
    let rest: f32 = (0..3).map(|n| own[n] - behind[n] - part * (person[n] - behind[n])).map(|rest| rest * rest).sum();
    rest / (NOISE * NOISE) + 1.5 * (part - network) * (part - network)
}

/// The network's edge is as wide as its cells, not as the person's.
fn ease(network: f32) -> f32 {
    let at = ((network - 0.25) / 0.5).clamp(0.0, 1.0);
    at * at * (3.0 - 2.0 * at)
}
