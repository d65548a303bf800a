//! Which pictures of the base a speech is played on: the cheapest way through the silent take and the stretches in which the
//! person speaks.
//!
//! A picture costs by how unlike what is said there is to what is to be said; going over to another stretch costs by how
//! differently the head is held on both sides. Blinks cost by where in the speech they fall, and nobody goes over amid one. The
//! silent take goes to and fro, the others go forwards.

use compere_media::Marks;

use crate::accents::Accents;
use crate::bank::{RATE, moment};
use crate::blinks::{Blink, Welcome, blinks};
use crate::ground::{BEARING, Bearing, Ground, bearings};
use crate::linear::squared_distance;
use crate::maths::Dice;
use crate::track::pose::{MouthPoints, Similarity};

/// Pictures over which two stretches are blended; ways part at multiples of it, so that no two blends meet.
pub(crate) const BLEND: usize = 8;
/// What going over costs, and what a head does that is held otherwise by so many pixels.
const JOIN: f32 = 7.0;
const APART: f32 = 4.0;
/// Further apart than this nobody goes over, in pixels of the upright face.
const LIMIT: f32 = 13.0;
/// Ways over that are looked at, of each stretch.
const WAYS: usize = 4;
/// Going over within a stretch skips so many pictures at least.
const SKIP: usize = 24;
/// Luck decides between stretches that fit as well, anew after so many pictures.
const LUCK: f32 = 0.3;
const LUCKY: usize = 64;
/// By going over no two blinks come nearer than so many pictures.
const APART_BLINKS: usize = 36;
/// So many times a way is sought on which eyes are not open for too long.
const TRIES: usize = 4;

/// A picture on a way; the silent take's are there once for either direction.
#[derive(Clone, Copy, Debug)]
struct Node {
    picture: usize,
    stretch: usize,
    next: Option<usize>,
    before: Option<usize>,
}

/// The ways through a base.
pub(crate) struct Heads {
    nodes: Vec<Node>,
    /// Nodes of the silent take.
    round: usize,
    /// For every node those that it may take the place of, and what that costs.
    over: Vec<Vec<(usize, f32)>>,
    /// Of every picture, whether eyes are closed most in it.
    shut: Vec<bool>,
}

/// A film that is to be played.
struct Film<'a> {
    ground: &'a Ground,
    accents: &'a Accents,
    welcome: Welcome<'a>,
    seed: u64,
    frames: usize,
}

/// What a picture of a film is played on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Shown {
    pub(crate) picture: usize,
    /// A second picture, and its part.
    pub(crate) other: Option<(usize, f32)>,
}

impl Shown {
    /// What is between both pictures of something that is known of each.
    pub(crate) fn mixed<const N: usize>(&self, of: impl Fn(usize) -> [f32; N]) -> [f32; N] {
        let own = of(self.picture);
        let Some((other, part)) = self.other else { return own };
        let other = of(other);
        std::array::from_fn(|k| own[k] + (other[k] - own[k]) * part)
    }

    /// The same of points.
    pub(crate) fn mixed_points(&self, of: &[MouthPoints]) -> MouthPoints {
        let Some((other, part)) = self.other else { return of[self.picture] };
        let (own, other) = (&of[self.picture], &of[other]);
        std::array::from_fn(|p| std::array::from_fn(|axis| own[p][axis] + (other[p][axis] - own[p][axis]) * part))
    }
}

impl Heads {
    pub(crate) fn new(ground: &Ground) -> Self {
        let (nodes, round) = nodes(ground);
        let scale = ground.posed.poses.first().map_or(1.0, Similarity::scale);
        let blinks = all_blinks(ground);
        let mut shut = vec![false; ground.posed.poses.len()];
        blinks.iter().for_each(|blink| shut[blink.shut] = true);
        let held = bearings(&ground.posed, scale);
        let many = ground.ends.len() > 1;
        let over = if many { over(&nodes, round, &held, &Lids::of(&nodes, &blinks)) } else { Vec::new() };
        Self { nodes, round, over, shut }
    }

    /// The way of a film. Without a stretch that fits it is to and fro over the silent take, from a place that the seed tells.
    pub(crate) fn walk(&self, ground: &Ground, marks: &Marks, seed: u64, frames: usize) -> Vec<Shown> {
        self.blended(&self.path(ground, marks, seed, frames))
    }

    fn path(&self, ground: &Ground, marks: &Marks, seed: u64, frames: usize) -> Vec<usize> {
        if self.over.is_empty() {
            let start = (seed % self.round as u64) as usize;
            return (start..start + frames).map(|n| n % self.round).collect();
        }
        let accents = Accents::of(marks);
        let welcome = Welcome::of(marks, &accents);
        let mut film = Film { ground, accents: &accents, welcome, seed, frames };
        let mut path = self.cheapest(&film);
        for _ in 1..TRIES {
            if !film.welcome.miss(&self.blinks(&path), frames as f64 / RATE) {
                break;
            }
            path = self.cheapest(&film);
        }
        path
    }

    /// At which seconds of a film eyes are closed most.
    pub(crate) fn blinks_of(&self, ground: &Ground, marks: &Marks, seed: u64, frames: usize) -> Vec<f64> {
        self.blinks(&self.path(ground, marks, seed, frames))
    }

    /// At which seconds of a way eyes are closed most.
    fn blinks(&self, path: &[usize]) -> Vec<f64> {
        let shut = path.iter().enumerate().filter(|&(_, &node)| self.shut[self.nodes[node].picture]);
        shut.map(|(n, _)| moment(n as u64)).collect()
    }

    fn cheapest(&self, film: &Film<'_>) -> Vec<usize> {
        let Film { ground, accents, ref welcome, seed, frames } = *film;
        let count = self.nodes.len();
        let stretches = ground.ends.len();
        let start = (seed % self.round as u64) as usize;
        // Films begin on the silent take: where the seed says, and elsewhere at the price of a way over.
        let mut sums = vec![f32::MAX; count];
        sums[..self.round].fill(JOIN);
        sums[start] = 0.0;
        // Of each picture at which ways part: from which node each was reached.
        let mut parted: Vec<Vec<u32>> = Vec::new();
        let mut luck = vec![0.0; stretches];
        for n in 0..frames {
            if n % LUCKY == 0 {
                let mut dice = Dice(seed ^ (n as u64) << 20);
                luck.iter_mut().for_each(|luck| *luck = LUCK * dice.unit() as f32);
            }
            if n > 0 {
                sums = self.gone_on(&sums);
                if n % BLEND == 0 {
                    parted.push(self.gone_over(&mut sums));
                }
            }
            let wanted = accents.around(moment(n as u64));
            let costs: Vec<f32> = (0..ground.accents.rows())
                .map(|picture| squared_distance(&wanted, ground.accents.row(picture)))
                .collect();
            let blink = welcome.cost(moment(n as u64));
            for (sum, node) in sums.iter_mut().zip(&self.nodes) {
                let blink = if self.shut[node.picture] { blink } else { 0.0 };
                *sum += costs[node.picture] + luck[node.stretch] + blink;
            }
        }
        self.back(&sums, &parted, frames)
    }

    /// Everybody one picture on; at a stretch's end there is no further.
    fn gone_on(&self, sums: &[f32]) -> Vec<f32> {
        self.nodes.iter().map(|node| node.before.map_or(f32::MAX, |before| sums[before])).collect()
    }

    /// Where going over is cheaper than going on, it is done; answers who comes from where.
    fn gone_over(&self, sums: &mut [f32]) -> Vec<u32> {
        let before = sums.to_vec();
        let mut from: Vec<u32> = (0..sums.len() as u32).collect();
        for (n, ways) in self.over.iter().enumerate() {
            for &(other, cost) in ways {
                let sum = before[other] + cost;
                if sum < sums[n] {
                    (sums[n], from[n]) = (sum, other as u32);
                }
            }
        }
        from
    }

    fn back(&self, sums: &[f32], parted: &[Vec<u32>], frames: usize) -> Vec<usize> {
        let mut node = (1..sums.len()).fold(0, |best, n| if sums[n] < sums[best] { n } else { best });
        let mut path = vec![node; frames];
        for n in (0..frames).rev() {
            path[n] = node;
            if n > 0 && n % BLEND == 0 {
                node = parted[n / BLEND - 1][node] as usize;
            }
            // Who is there came from somewhere.
            node = self.nodes[node].before.unwrap_or(node);
        }
        path
    }

    /// The pictures of a way, blended where it goes over.
    fn blended(&self, path: &[usize]) -> Vec<Shown> {
        let mut shown: Vec<Shown> =
            path.iter().map(|&node| Shown { picture: self.nodes[node].picture, other: None }).collect();
        for n in 1..path.len() {
            if self.nodes[path[n - 1]].next == Some(path[n]) {
                continue;
            }
            let (mut old, mut new) = (path[n - 1], path[n]);
            for k in 0..BLEND / 2 {
                // Held where a stretch ends or begins.
                old = self.nodes[old].next.unwrap_or(old);
                new = self.nodes[new].before.unwrap_or(new);
                let t = (k as f32 + 0.5) / BLEND as f32;
                let part = 0.5 - (1.5 * t - 2.0 * t * t * t);
                if let Some(shown) = shown.get_mut(n + k) {
                    shown.other = Some((self.nodes[old].picture, part));
                }
                shown[n - 1 - k].other = Some((self.nodes[new].picture, part));
            }
        }
        shown
    }
}

fn nodes(ground: &Ground) -> (Vec<Node>, usize) {
    let silent = ground.ends[0];
    let round = (2 * silent).saturating_sub(2).max(1);
    let picture = |n: usize| if n < silent { n } else { round - n };
    let mut nodes: Vec<Node> = (0..round)
        .map(|n| Node {
            picture: picture(n),
            stretch: 0,
            next: Some((n + 1) % round),
            before: Some((n + round - 1) % round),
        })
        .collect();
    for (stretch, pictures) in ground.stretches().enumerate().skip(1) {
        for picture in pictures.clone() {
            let n = nodes.len();
            let next = (picture + 1 < pictures.end).then_some(n + 1);
            let before = (picture > pictures.start).then(|| n - 1);
            nodes.push(Node { picture, stretch, next, before });
        }
    }
    (nodes, round)
}

/// All blinks of a base, by its pictures.
fn all_blinks(ground: &Ground) -> Vec<Blink> {
    let of = |pictures: std::ops::Range<usize>| {
        let lids: Vec<f32> = ground.posed.lids[pictures.clone()].iter().map(|lids| lids[0]).collect();
        let placed = move |Blink { pictures: down, shut }: Blink| Blink {
            pictures: pictures.start + down.start..pictures.start + down.end,
            shut: pictures.start + shut,
        };
        blinks(&lids).into_iter().map(placed).collect::<Vec<_>>()
    };
    ground.stretches().flat_map(of).collect()
}

/// What of blinks is to be known where ways part.
struct Lids {
    /// Whether eyes are open in all pictures of a blend around a node.
    open: Vec<bool>,
    /// Pictures since the last blink, and until the next.
    since: Vec<usize>,
    until: Vec<usize>,
}

impl Lids {
    fn of(nodes: &[Node], blinks: &[Blink]) -> Self {
        let pictures = nodes.iter().map(|node| node.picture + 1).max().unwrap_or(0);
        let (mut down, mut shut) = (vec![false; pictures], vec![false; pictures]);
        for blink in blinks {
            down[blink.pictures.clone()].fill(true);
            shut[blink.shut] = true;
        }
        let steps = |n: usize, of: &[bool], on: &dyn Fn(&Node) -> Option<usize>| {
            let mut way = std::iter::successors(Some(n), |&n| on(&nodes[n])).take(APART_BLINKS);
            way.position(|n| of[nodes[n].picture]).unwrap_or(APART_BLINKS)
        };
        let (back, on) = (|node: &Node| node.before, |node: &Node| node.next);
        let of = |steps: &dyn Fn(usize) -> usize| (0..nodes.len()).map(steps).collect::<Vec<_>>();
        let near = of(&|n| steps(n, &down, &back).min(steps(n, &down, &on)));
        Self {
            open: near.into_iter().map(|near| near > BLEND / 2).collect(),
            since: of(&|n| steps(n, &shut, &back)),
            until: of(&|n| steps(n, &shut, &on)),
        }
    }

    /// Whether one may follow another.
    fn may(&self, from: usize, to: usize) -> bool {
        self.open[from] && self.open[to] && self.since[from] + self.until[to] >= APART_BLINKS
    }
}

/// The cheapest ways over to each node, of every stretch a few.
fn over(nodes: &[Node], round: usize, held: &[Bearing], lids: &Lids) -> Vec<Vec<(usize, f32)>> {
    let silent = round / 2 + 1;
    let held: Vec<Bearing> = nodes
        .iter()
        .enumerate()
        .map(|(n, node)| {
            let back = (silent..round).contains(&n);
            std::array::from_fn(|k| {
                // Backwards everything moves the other way.
                let sign = if back && k >= BEARING - 4 { -1.0 } else { 1.0 };
                sign * held[node.picture][k]
            })
        })
        .collect();
    let stretches = nodes.last().map_or(0, |node| node.stretch) + 1;
    let mut ranges = vec![nodes.len()..0; stretches];
    for (n, node) in nodes.iter().enumerate() {
        let range = &mut ranges[node.stretch];
        *range = range.start.min(n)..n + 1;
    }
    let mut over = vec![Vec::new(); nodes.len()];
    for (n, node) in nodes.iter().enumerate() {
        for range in &ranges {
            let apart = |&other: &usize| {
                node.stretch != nodes[other].stretch || node.picture.abs_diff(nodes[other].picture) >= SKIP
            };
            let square = |other: usize| (other, squared_distance(&held[n], &held[other]));
            let near =
                range.clone().filter(apart).filter(|&other| lids.may(other, n) || lids.may(n, other)).map(square);
            let mut near: Vec<(usize, f32)> = near.filter(|(_, square)| *square < LIMIT * LIMIT).collect();
            near.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
            // Every picture has some ways to it, and some from it.
            for (other, square) in near.into_iter().take(WAYS) {
                let cost = JOIN + square / (APART * APART);
                if lids.may(other, n) {
                    over[n].push((other, cost));
                }
                if lids.may(n, other) {
                    over[other].push((n, cost));
                }
            }
        }
    }
    over
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::track::points::MOUTH_POINTS;
    use crate::track::pose::Posed;
    use compere_media::{Marks, PhonemeMark, SAMPLE_RATE, SampleSpan, Stress};

    const SILENT: usize = 60;
    const SPOKEN: usize = 90;

    /// A take whose head is `right` of its place.
    fn posed(pictures: usize, right: f64) -> Posed {
        let pose = Similarity { cos: 1.0, sin: 0.0, x: -right, y: 0.0 };
        Posed {
            poses: vec![pose; pictures],
            turns: vec![[0.0; 2]; pictures],
            lips: vec![[0.0; 6]; pictures],
            mouths: vec![[[0.0; 2]; MOUTH_POINTS]; pictures],
            lids: vec![[20.0; 2]; pictures],
        }
    }

    /// A sound of a tenth of a second after the other, from when to when; every third is stressed.
    fn marks(from: f64, to: f64) -> Marks {
        let sample = |at: f64| (at * f64::from(SAMPLE_RATE)) as u64;
        let phonemes = (0..((to - from) * 10.0) as usize).map(|n| {
            let start = from + n as f64 / 10.0;
            let stress = if n % 3 == 1 { Stress::Primary } else { Stress::None };
            PhonemeMark {
                span: SampleSpan { start: sample(start), end: sample(start + 0.1) },
                ipa: "a".to_owned(),
                stress,
            }
        });
        Marks { phonemes: phonemes.collect(), words: Vec::new() }
    }

    fn ground(right: f64) -> Ground {
        let mut ground = Ground::silent(posed(SILENT, 0.0));
        ground.add(&posed(SPOKEN, right), 0..SPOKEN, &marks(0.3, 2.7));
        ground
    }

    fn walked(ground: &Ground, marks: &Marks, frames: usize) -> Vec<Shown> {
        Heads::new(ground).walk(ground, marks, 11, frames)
    }

    #[test]
    fn the_head_of_somebody_who_speaks_goes_with_speech_and_comes_back_in_silence() {
        let shown = walked(&ground(2.0), &marks(2.0, 4.4), 200);
        let spoken = |range: std::ops::Range<usize>| shown[range].iter().filter(|one| one.picture >= SILENT).count();
        assert!(spoken(66..128) > 50, "of 62 pictures with speech {} are of a spoken take", spoken(66..128));
        assert_eq!((spoken(0..40), spoken(160..200)), (0, 0), "silence is played on the silent take: {shown:?}");
        for (n, two) in shown.windows(2).enumerate() {
            // Nothing jumps that is not blended.
            let jumps = two[0].picture.abs_diff(two[1].picture) > 1;
            assert!(!jumps || (two[0].other.is_some() && two[1].other.is_some()), "picture {n}: {two:?}");
        }
        let part = |one: &Shown| one.other.map_or(0.0, |(_, part)| part);
        assert!(shown.iter().all(|one| (0.0..0.5).contains(&part(one))));
    }

    #[test]
    fn where_heads_are_too_far_apart_nobody_goes_over() {
        let shown = walked(&ground(40.0), &marks(0.5, 2.5), 120);
        assert!(shown.iter().all(|one| one.picture < SILENT && one.other.is_none()));
    }

    #[test]
    fn nobody_goes_over_amid_a_blink() {
        let mut ground = ground(0.5);
        for blink in [20, 50, 80, 110, 140] {
            ground.posed.lids[blink - 2..blink + 3]
                .copy_from_slice(&[[14.0; 2], [6.0; 2], [2.0; 2], [8.0; 2], [15.0; 2]]);
        }
        let heads = Heads::new(&ground);
        let mut marks = marks(0.5, 3.5);
        marks.phonemes.extend(self::marks(4.5, 7.5).phonemes);
        let mut blends = 0;
        for seed in 0..8 {
            let path = heads.path(&ground, &marks, seed * 13, 270);
            for one in heads.blended(&path) {
                let down = |n: usize| ground.posed.lids[n][0] < 20.0;
                blends += usize::from(one.other.is_some());
                assert!(!one.other.is_some_and(|(other, _)| down(one.picture) || down(other)), "{one:?}");
            }
        }
        assert!(blends > 0, "somebody goes over at all");
    }

    #[test]
    fn without_speech_in_the_base_it_goes_to_and_fro() {
        let shown = walked(&Ground::silent(posed(4, 0.0)), &marks(0.0, 1.0), 12);
        let pictures: Vec<usize> = shown.iter().map(|one| one.picture).collect();
        // Of a round of six the seed says the sixth.
        assert_eq!(pictures, [1, 0, 1, 2, 3, 2, 1, 0, 1, 2, 3, 2]);
    }
}
