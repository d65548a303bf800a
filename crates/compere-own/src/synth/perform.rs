//! The acting of a presenter out of footage.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::{Arc, Mutex, PoisonError};

use compere_avatar::{Pack, Role};
use compere_media::{
    Broken, Damage, Frame, Layer, Marks, Moving, PhonemeMark, Pixmap, Rect, SAMPLE_RATE, SampleSpan, Stress,
};

use super::base::Base;
use super::bend::Field;
use super::heads::{Heads, Shown};
use super::joined::{Side, between};
use super::mask::Mask;
use super::select::{Choice, mixture};
use super::stitch::{Bent, reached, stitch};
use crate::bank::patch::Patch;
use crate::bank::{Bank, steadied};
use crate::error::OwnError;
use crate::ground::Ground;
use crate::lips::soundings;
use crate::matte;
use crate::model::{Model, Opened};
use crate::track::points::{LIP_POINTS, MOUTH, between_lips};
use crate::track::pose::{MouthPoints, Similarity};

/// Pictures over which lips and chin are steadied: what was filmed trembles where two runs of pictures meet.
const LIPS_STEADY: f64 = 0.4;
const CHIN_STEADY: f64 = 1.0;
const EXPECTED_STEADY: f64 = 0.5;
/// By how much points lie where they are expected instead of where they were filmed: either is wrong by about as much, and in other ways.
/// Pictures are chosen that are as far open as the person's; what is expected of lips is opened as far before (`Model::beyond`).
const LIPS_EXPECTED: f32 = 0.5;
const CHIN_EXPECTED: f32 = 0.7;
/// Points of the jaw that leave the patch meet the base: by how much.
const TIED: [(usize, f32); 6] = [(58, 1.0), (288, 1.0), (172, 1.0), (397, 1.0), (136, 0.5), (365, 0.5)];
/// Patches that stay decoded.
const WARM: usize = 96;

/// Where patches lie: one file, and where each begins.
#[derive(Debug)]
pub(crate) struct Patches {
    pub(crate) file: File,
    /// One more than there are patches.
    pub(crate) starts: Vec<u64>,
}

impl Patches {
    fn read(&self, picture: usize) -> Result<Patch, OwnError> {
        let (start, end) = (self.starts[picture], self.starts[picture + 1]);
        let mut bytes = vec![0; (end - start) as usize];
        let gone = |error: std::io::Error| OwnError::machine(format!("the presenter's bank: {error}"));
        self.file.read_exact_at(&mut bytes, start).map_err(gone)?;
        Patch::from_jpeg(&bytes)
    }
}

/// What a pack is made of.
pub(crate) struct PackParts {
    pub(crate) bank: Bank,
    pub(crate) model: Model,
    pub(crate) patches: Patches,
    pub(crate) base: Base,
    /// Of the base, in pixels of the baked pictures.
    pub(crate) ground: Ground,
    pub(crate) rect: Rect,
}

/// A presenter in one size.
pub(crate) struct FootagePack {
    parts: Arc<Inner>,
}

struct Inner {
    of: PackParts,
    mask: Mask,
    choice: Choice,
    /// How much further the person's lips open than they are expected to.
    beyond: f32,
    heads: Heads,
    /// The base's own mouth, steadied.
    own: Vec<MouthPoints>,
    /// What is ever stitched.
    face: Rect,
    /// Performances that were planned before; several artists play one.
    plans: Mutex<BTreeMap<[u8; 32], Arc<Plan>>>,
}

/// A whole performance: for every picture of the film what it is made of.
struct Plan {
    base: Vec<Shown>,
    /// How the head lies in those.
    poses: Vec<Similarity>,
    mixes: Vec<Vec<(usize, f32)>>,
    /// Where the points go.
    goals: Vec<MouthPoints>,
}

impl FootagePack {
    pub(crate) fn new(of: PackParts) -> Self {
        let mask = Mask::of(&of.bank.canon);
        let choice = Choice::new(&of.bank, &of.model);
        let opened = of.bank.lips.iter().zip(&of.bank.takes).map(|(lips, &take)| Opened { by: lips[0], take });
        let beyond = of.model.beyond(&opened.collect::<Vec<_>>());
        let heads = Heads::new(&of.ground);
        let own = own(&of.ground);
        let face = stitched(&of.bank, &of.ground, Rect::of_size(of.base.width, of.base.height));
        Self { parts: Arc::new(Inner { of, mask, choice, beyond, heads, own, face, plans: Mutex::default() }) }
    }
}

impl FootagePack {
    fn performance(&self, role: &Role) -> Performance {
        let base = &self.parts.of.base;
        Performance {
            plan: self.parts.plan(role),
            parts: Arc::clone(&self.parts),
            frame: Frame::new(base.width, base.height),
            alpha: base.blank(),
            shown: None,
            warm: BTreeMap::new(),
        }
    }

    /// Every picture of a performance, without a film around it.
    pub(crate) fn play(&self, role: &Role, on: &mut dyn FnMut(&Frame) -> Result<(), OwnError>) -> Result<(), OwnError> {
        let mut performance = self.performance(role);
        (0..role.frames).try_for_each(|n| {
            performance.paint(n)?;
            on(&performance.frame)
        })
    }
}

/// One picture of a performance before and after the mouth was put on it.
pub(crate) struct Seam<'a> {
    pub(crate) before: &'a Frame,
    pub(crate) after: &'a Frame,
    /// From its pixels into the canonical face.
    pub(crate) pose: &'a Similarity,
    pub(crate) mask: &'a Mask,
}

impl FootagePack {
    /// Every picture of a performance beside what it was made on.
    pub(crate) fn seams(&self, role: &Role, on: &mut dyn FnMut(&Seam<'_>)) -> Result<(), OwnError> {
        let mut performance = self.performance(role);
        (0..role.frames).try_for_each(|n| {
            performance.stand(n)?;
            let before = performance.frame.clone();
            performance.speak(n)?;
            let pose = &performance.plan.poses[performance.at(n)];
            on(&Seam { before: &before, after: &performance.frame, pose, mask: &self.parts.mask });
            Ok(())
        })
    }
}

/// The mouth in every picture of the base, steadied stretch by stretch.
fn own(ground: &Ground) -> Vec<MouthPoints> {
    ground.stretches().flat_map(|pictures| steadied(&ground.posed.mouths[pictures], 1.0)).collect()
}

/// What of the baked picture is ever stitched.
pub(crate) fn stitched(bank: &Bank, ground: &Ground, limit: Rect) -> Rect {
    let mask = Mask::of(&bank.canon);
    ground.posed.poses.iter().fold(Rect::default(), |all, pose| all.union(reached(&mask, pose, limit)))
}

impl Inner {
    fn plan(&self, role: &Role) -> Arc<Plan> {
        let key = *blake3::hash(format!("{:?} {} {}", role.marks, role.frames, role.seed).as_bytes()).as_bytes();
        let mut plans = self.plans.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(plan) = plans.get(&key) {
            return Arc::clone(plan);
        }
        let plan = Arc::new(self.planned(role));
        if plans.len() > 8 {
            plans.clear();
        }
        plans.insert(key, Arc::clone(&plan));
        plan
    }

    fn planned(&self, role: &Role) -> Plan {
        let PackParts { bank, model, ground, .. } = &self.of;
        let base = self.heads.walk(ground, &role.marks, role.seed, role.frames.max(1) as usize);
        let turns: Vec<[f32; 2]> = base.iter().map(|shown| shown.mixed(|n| ground.posed.turns[n])).collect();
        let pose = |shown: &Shown| {
            let pose = |n: usize| ground.posed.poses[n];
            shown.other.map_or(pose(shown.picture), |(other, part)| {
                between(&pose(shown.picture), &pose(other), f64::from(part))
            })
        };
        let poses = base.iter().map(pose).collect();
        let chosen = self.choice.choose(bank, model, &soundings(&role.marks), &turns);
        let mixes = mixture(bank, &chosen.pictures);
        let filmed = chosen.pictures.iter().zip(&turns);
        let filmed: Vec<MouthPoints> =
            filmed.map(|(&picture, &turn)| model.seen_from(&bank.mouths[picture], bank.turns[picture], turn)).collect();
        let expected = steadied(&chosen.mouths, EXPECTED_STEADY);
        let drawn = |filmed: &[MouthPoints], expected: &[MouthPoints], part: f32| -> Vec<MouthPoints> {
            filmed.iter().zip(expected).map(|(filmed, expected)| towards(filmed, expected, part)).collect()
        };
        let wide = expected.iter().zip(&turns);
        let wide: Vec<MouthPoints> =
            wide.map(|(expected, &turn)| opened(expected, &model.usual(turn), self.beyond)).collect();
        let lips = drawn(&steadied(&filmed, LIPS_STEADY), &wide, LIPS_EXPECTED);
        let chins = drawn(&steadied(&filmed, CHIN_STEADY), &expected, CHIN_EXPECTED);
        let own = |n: usize| base[n].mixed_points(&self.own);
        let goals = (0..base.len()).map(|n| goal(&lips[n], &chins[n], &own(n))).collect();
        Plan { base, poses, mixes, goals }
    }
}

/// A mouth on its way to another.
fn towards(from: &MouthPoints, to: &MouthPoints, part: f32) -> MouthPoints {
    std::array::from_fn(|point| {
        std::array::from_fn(|axis| from[point][axis] + part * (to[point][axis] - from[point][axis]))
    })
}

/// Lips that are expected further open than mostly, so many times as far beyond that. All of it from twice as far: what is
/// shut, or nearly, is known well and stays.
fn opened(expected: &MouthPoints, usual: &MouthPoints, by: f32) -> MouthPoints {
    let [wide, mostly] = [expected, usual].map(between_lips);
    let more = (by - 1.0) * (wide / mostly.max(1.0) - 1.0).clamp(0.0, 1.0);
    let mut out = *expected;
    for (to, usual) in out[..LIP_POINTS].iter_mut().zip(usual) {
        to[1] += more * (to[1] - usual[1]);
    }
    out
}

/// The jaw's end is the base's.
fn goal(lips: &MouthPoints, chin: &MouthPoints, own: &MouthPoints) -> MouthPoints {
    let mut to = *chin;
    to[..LIP_POINTS].copy_from_slice(&lips[..LIP_POINTS]);
    for (name, part) in TIED {
        if let Some(point) = MOUTH.iter().position(|&mouth| mouth == name) {
            for axis in 0..2 {
                to[point][axis] += part * (own[point][axis] - to[point][axis]);
            }
        }
    }
    to
}

impl Pack for FootagePack {
    fn rect(&self) -> Rect {
        self.parts.of.rect
    }

    fn perform(&self, role: Role) -> Box<dyn Moving> {
        Box::new(self.performance(&role))
    }

    fn gestures(&self) -> Vec<(&'static str, Pixmap)> {
        Vec::new()
    }

    fn sheet(&self) -> Vec<(&'static str, Pixmap)> {
        const SHAPES: [(&str, &str); 9] = [
            ("rest", ""),
            ("p b m", "m"),
            ("f v", "f"),
            ("th", "θ"),
            ("s z", "s"),
            ("ee", "i"),
            ("ah", "ɑ"),
            ("oh", "ɔ"),
            ("oo", "u"),
        ];
        SHAPES
            .into_iter()
            .filter_map(|(name, ipa)| {
                let span = SampleSpan { start: u64::from(SAMPLE_RATE) / 3, end: u64::from(SAMPLE_RATE) * 2 / 3 };
                let mark = PhonemeMark { span, ipa: ipa.to_owned(), stress: Stress::Primary };
                let phonemes = if ipa.is_empty() { Vec::new() } else { vec![mark] };
                let role = Role { marks: Marks { phonemes, words: Vec::new() }, frames: 30, ..Role::default() };
                let mut performance = self.performance(&role);
                performance.paint(15).ok()?;
                Some((name, matte::pixmap(&performance.frame, performance.alpha.as_deref())))
            })
            .collect()
    }
}

struct Performance {
    parts: Arc<Inner>,
    plan: Arc<Plan>,
    frame: Frame,
    /// How much of it is the person, of one who is cut out.
    alpha: Option<Vec<u8>>,
    shown: Option<u64>,
    warm: BTreeMap<usize, Patch>,
}

impl Performance {
    /// The picture of the base, or two of them as one.
    fn planes(&self, shown: Shown, meet: &Similarity) -> Result<Vec<u8>, OwnError> {
        let PackParts { base, ground, .. } = &self.parts.of;
        let planes = base.planes(shown.picture)?;
        let Some((other, part)) = shown.other else { return Ok(planes) };
        let others = base.planes(other)?;
        let pose = |n: usize| &ground.posed.poses[n];
        let sides = [
            Side { planes: &planes, pose: pose(shown.picture), part: 1.0 - part },
            Side { planes: &others, pose: pose(other), part },
        ];
        base.joined(sides, meet)
    }

    /// Makes `frame` the picture of one moment.
    fn paint(&mut self, frame: u64) -> Result<(), OwnError> {
        self.stand(frame)?;
        self.speak(frame)
    }

    /// Which moment of the plan that is: the last one goes on.
    fn at(&self, frame: u64) -> usize {
        (frame as usize).min(self.plan.base.len() - 1)
    }

    /// The base, with its own mouth.
    fn stand(&mut self, frame: u64) -> Result<(), OwnError> {
        let (plan, n) = (Arc::clone(&self.plan), self.at(frame));
        let planes = self.planes(plan.base[n], &plan.poses[n])?;
        self.parts.of.base.show(&mut self.frame, self.alpha.as_mut(), &planes, self.shown.is_none());
        Ok(())
    }

    /// The mouth of the moment on it.
    fn speak(&mut self, frame: u64) -> Result<(), OwnError> {
        let (parts, plan, n) = (Arc::clone(&self.parts), Arc::clone(&self.plan), self.at(frame));
        if self.warm.len() > WARM {
            self.warm.clear();
        }
        for &(picture, _) in &plan.mixes[n] {
            if let Entry::Vacant(cold) = self.warm.entry(picture) {
                cold.insert(parts.of.patches.read(picture)?);
            }
        }
        let pose = &plan.poses[n];
        let bent: Vec<Bent<'_>> = plan.mixes[n]
            .iter()
            .filter_map(|&(picture, part)| {
                let field = Field::new(&parts.of.bank.mouths[picture], &plan.goals[n], &parts.mask.held);
                Some(Bent { patch: self.warm.get(&picture)?, part, field })
            })
            .collect();
        let rect = reached(&parts.mask, pose, parts.face);
        stitch(&mut self.frame, pose, &parts.mask, &bent, rect);
        Ok(())
    }
}

impl Moving for Performance {
    fn advance(&mut self, frame: u64, layer: &mut Layer) -> Result<Damage, Broken> {
        let frame = frame.min(self.plan.base.len() as u64 - 1);
        if self.shown == Some(frame) {
            return Ok(Damage::none());
        }
        self.paint(frame).map_err(|error| Broken { what: error.to_string() })?;
        matte::put(layer, &self.frame, self.alpha.as_deref());
        let mut damage = Damage::none();
        if self.shown.is_none() {
            damage.add(self.frame.bounds());
        } else {
            self.parts.of.base.moving.iter().for_each(|&rect| damage.add(rect));
        }
        self.shown = Some(frame);
        Ok(damage)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::track::points::MOUTH_POINTS;

    /// Lips that are so far open in their middle, the lower ones below the upper ones.
    fn mouth(open: f32) -> MouthPoints {
        let mut mouth = [[180.0, 240.0]; MOUTH_POINTS];
        for (at, name) in mouth.iter_mut().zip(MOUTH).take(LIP_POINTS) {
            at[1] += match name {
                13 => -0.2 * open,
                14 => 0.8 * open,
                _ => 0.0,
            };
        }
        mouth
    }

    #[test]
    fn wide_lips_are_opened_further_and_shut_ones_stay() {
        let usual = mouth(10.0);
        let by = |open: f32| between_lips(&opened(&mouth(open), &usual, 1.2)) - open;
        for shut in [0.0, 3.0, 10.0] {
            assert!(by(shut).abs() < 1e-4, "{shut}");
        }
        assert!((by(20.0) - 2.0).abs() < 1e-3, "so much further beyond the usual: {}", by(20.0));
        assert!((by(30.0) - 4.0).abs() < 1e-3, "{}", by(30.0));
        assert!(by(10.5) < 0.01 && by(15.0) < 1.0, "it begins gently: {} {}", by(10.5), by(15.0));
        assert_eq!(opened(&mouth(25.0), &usual, 1.0), mouth(25.0), "who does what is expected is left alone");
    }
}
