//! What footage must be like, and what is said when it is not.
//!
//! Thresholds that were not measured but judged say so; they want calibrating on people.

use compere_media::math;
use std::ops::Range;

use super::free::{ABOUT as FREE, Free, opened};
use super::take::{Tracked, light_change};
use super::{Studied, TRACKED};
use crate::bank::{RATE, moment};
use crate::footage::Footage;
use crate::lips::{Asking, Lips, soundings};
use crate::maths::{correlation, percentile};
use crate::tongue::{Tongue, coverage};
use crate::track::Mesh;
use crate::track::points::EYE_OUTER;
use crate::track::pose::Posed;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// What was done, for whoever wants to know.
    Note,
    Warning,
    Refused,
}

/// Something about the footage that the person should know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    pub level: Level,
    /// The take it was found in, or what else it is about.
    pub about: String,
    /// With the measured value.
    pub what: String,
    /// What would be right.
    pub advice: String,
}

impl Finding {
    pub fn refused(about: &str, what: String, advice: &str) -> Self {
        Self { level: Level::Refused, about: about.to_owned(), what, advice: advice.to_owned() }
    }

    pub(crate) fn warning(about: &str, what: String, advice: &str) -> Self {
        Self { level: Level::Warning, ..Self::refused(about, what, advice) }
    }

    pub(crate) fn note(about: &str, what: String, advice: &str) -> Self {
        Self { level: Level::Note, ..Self::refused(about, what, advice) }
    }

    pub(crate) fn refuses(&self) -> bool {
        self.level == Level::Refused
    }
}

impl std::fmt::Display for Finding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}; {}", self.about, self.what, self.advice)
    }
}

/// Two limits of one measure; `above` is what is bad.
pub(crate) struct Gate {
    refuse: f64,
    warn: f64,
    above: bool,
}

impl Gate {
    pub(crate) const fn above(refuse: f64, warn: f64) -> Self {
        Self { refuse, warn, above: true }
    }

    pub(crate) const fn below(refuse: f64, warn: f64) -> Self {
        Self { refuse, warn, above: false }
    }

    fn judge(&self, value: f64) -> Option<Level> {
        let beyond = |limit: f64| if self.above { value > limit } else { value < limit };
        if beyond(self.refuse) { Some(Level::Refused) } else { beyond(self.warn).then_some(Level::Warning) }
    }

    pub(crate) fn finding(&self, value: f64, about: &str, what: String, advice: &'static str) -> Option<Finding> {
        let level = self.judge(value)?;
        Some(Finding { level, about: about.to_owned(), what, advice: advice.to_owned() })
    }
}

/// Pixels between the outer corners of the eyes (judged).
pub(crate) const EYES: Gate = Gate::below(80.0, 130.0);
const PICTURES_A_SECOND: Gate = Gate::below(23.9, 0.0);
/// Part of the time in which a picture stands in place of one that is missing (refusal judged).
const HELD: Gate = Gate::above(0.02, 0.005);
/// Part of the speaking pictures in which the face is found.
const FOUND: Gate = Gate::below(0.99, 0.998);
/// Degrees, for 95 of 100 pictures (judged).
const TURNED: Gate = Gate::above(15.0, 8.0);
/// Change of the light within a take, as a part (refusal judged).
const LIGHT: Gate = Gate::above(0.25, 0.12);
/// Decibels of speech over the room.
const HEARD: Gate = Gate::below(15.0, 25.0);
/// Seconds by which our voices differ about the times.
const SPREAD: Gate = Gate::above(0.12, 0.06);
/// Part of m, b and p in which the lips close.
const CLOSED: Gate = Gate::below(0.70, 0.90);
/// How far lips open in speech, as a part of the eyes' distance (judged): an "ah" is some 15 %.
const OPENED: Gate = Gate::below(0.03, 0.05);
/// How well the lips' opening goes with what the sounds ask (measured on simulated takes): what covers a mouth seems to move, too, at
/// other times.
const FOLLOWS: Gate = Gate::below(0.25, 0.4);
/// Pictures between sound and lips; what is less is corrected.
const LATE: Gate = Gate::above(MOST as f64, 100.0);
/// Seconds of speech, and part of the neighbouring sounds of the prompts.
const SECONDS: Gate = Gate::below(60.0, 120.0);
const PAIRS: Gate = Gate::below(0.90, 0.97);
/// Lips count as closed below this part of the eyes' distance.
const SHUT: f32 = 0.02;
/// The nose before the line of the eyes, as a part of their distance; tells degrees from pixels.
const NOSE: f64 = 0.40;

pub(crate) fn eyes<'a>(meshes: impl Iterator<Item = &'a Mesh>) -> f64 {
    let distance = |mesh: &Mesh| {
        let [a, b] = EYE_OUTER.map(|eye| mesh[eye]);
        ((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1])).sqrt()
    };
    f64::from(percentile(&meshes.map(distance).collect::<Vec<_>>(), 0.5)).max(1.0)
}

/// What one take shows by itself.
pub(crate) fn of_take(take: &Studied) -> Vec<Finding> {
    let name = &take.name;
    let mut findings = Vec::new();
    let speaking = take.speaking();
    let lost = take.lost.iter().filter(|n| speaking.contains(n)).count();
    findings.extend(of_picture(name, &take.footage, take.size, &take.meshes));
    findings.extend(of_pace(name, take.held));
    findings.extend(of_face(name, (lost, speaking.len()), take.crowded));
    // One finding is enough to say that a mouth is covered.
    let shut = covered(take);
    let is_refused = shut.as_ref().is_some_and(Finding::refuses);
    findings.extend(if is_refused { shut } else { away_from_sound(take).or(shut) });
    let heard = f64::from(take.aligned.loudness_over_floor);
    findings.extend(HEARD.finding(
        heard,
        name,
        format!("speech is only {heard:.0} dB above the room"),
        "record in a quiet room, with the microphone near",
    ));
    let spread = f64::from(take.aligned.spread);
    let what = format!("what is said does not fit the text well (times differ by {:.0} ms)", spread * 1000.0);
    findings.extend(SPREAD.finding(spread, name, what, "read exactly the line, once, and nothing else"));
    findings
}

/// Whether there are pixels and pictures enough, and the whole face is in them: `size` is what it was tracked in.
fn of_picture(name: &str, footage: &Footage, size: (u32, u32), meshes: &[Mesh]) -> Vec<Finding> {
    let eyes = eyes(meshes.iter()) * f64::from(footage.width) / f64::from(size.0);
    let what = format!("the eyes are {eyes:.0} pixels apart");
    let near =
        EYES.finding(eyes, name, what, "come closer or film with more pixels, so that they are at least 130 apart");
    let rate = f64::from(footage.rate.num) / f64::from(footage.rate.den);
    let what = format!("it has {rate:.1} pictures a second");
    let often =
        PICTURES_A_SECOND.finding(rate, name, what, "film with 30 pictures a second, and enough light for them");
    [near, often, cut_off(name, size, meshes)].into_iter().flatten().collect()
}

/// Whether pictures come one after the other: `held` is the part of the time in which one stands too long.
fn of_pace(name: &str, held: f64) -> Option<Finding> {
    let what =
        format!("its pictures come unevenly: for {:.1} % of the time one stands that should be another", held * 100.0);
    let advice = "film with a fixed rate of 30 pictures a second, in enough light, and with no other program at work";
    HELD.finding(held, name, what, advice)
}

/// Whether the face is found, but for so many pictures of so many, and no other.
fn of_face(name: &str, (lost, all): (usize, usize), crowded: usize) -> Vec<Finding> {
    let found = 1.0 - lost as f64 / all.max(1) as f64;
    let not = format!("the face is not found in {:.1} % of the pictures", (1.0 - found) * 100.0);
    let seen = FOUND.finding(found, name, not, "keep the whole face in the picture, and hands away from it");
    let alone = (crowded > 0).then(|| {
        let what = "a second face is in the picture".to_owned();
        Finding::refused(name, what, "film one person alone, without pictures of faces behind")
    });
    seen.into_iter().chain(alone).collect()
}

/// Whether light on the face is the same throughout; `change` is by how much it is not.
fn of_light(name: &str, change: Option<f64>) -> Option<Finding> {
    let change = change?;
    let what = format!("the light on the face changes by {:.0} %", change * 100.0);
    let advice = "switch off the camera's automatic exposure and white balance, and film in steady light";
    LIGHT.finding(change, name, what, advice)
}

/// Whether somebody looks into the lens, whose head is mostly turned like `middle`.
fn of_turns(name: &str, posed: &Posed, middle: [f32; 2]) -> Option<Finding> {
    let degrees: Vec<f32> = posed.turns.iter().map(|turn| degrees(turn, middle)).collect();
    let turned = f64::from(percentile(&degrees, 0.95));
    let what = format!("the head turns by {turned:.0} degrees");
    TURNED.finding(turned, name, what, "look into the lens; small nods are fine")
}

/// The chin and the throat below it must be seen.
fn cut_off(name: &str, size: (u32, u32), meshes: &[Mesh]) -> Option<Finding> {
    let chins: Vec<f32> = meshes.iter().map(|mesh| mesh[152][1]).collect();
    let room = (size.1 as f32 - percentile(&chins, 0.95)) / eyes(meshes.iter()) as f32;
    (room < 0.28).then(|| {
        let what = "the chin is at the picture's lower edge".to_owned();
        Finding::refused(name, what, "leave room below the chin, at least to the collar")
    })
}

/// What covers the mouth leaves lips that never open, and that close in every m, b and p.
fn covered(take: &Studied) -> Option<Finding> {
    let eyes = eyes(take.meshes.iter());
    let speaking = take.speaking();
    let said = take.meshes.iter().enumerate().filter(|(n, _)| speaking.contains(n));
    let opened: Vec<f32> = said.map(|(_, mesh)| mesh[14][1] - mesh[13][1]).collect();
    let most = f64::from(percentile(&opened, 0.95)) / eyes;
    let what = format!("the lips open by {:.1} % of the eyes' distance at most", most * 100.0);
    let advice = "speak clearly; hair, hands, a mask or a microphone must not cover the mouth";
    (!opened.is_empty()).then(|| OPENED.finding(most, &take.name, what, advice)).flatten()
}

/// Lips of which something else is seen than the mouth open when they should not.
fn away_from_sound(take: &Studied) -> Option<Finding> {
    let opened: Vec<f64> = take.meshes.iter().map(|mesh| f64::from(mesh[14][1] - mesh[13][1])).collect();
    let follows = following(&opened, take.speaking(), &Asking::of(&soundings(&take.aligned.marks)))?;
    let what = format!("the lips hardly go with the sounds (correlation {follows:.2})");
    let advice = "speak clearly; hair, hands, a mask or a microphone must not cover the mouth";
    FOLLOWS.finding(follows, &take.name, what, advice)
}

/// Pictures by which lips may come earlier or later than what is heard.
const MOST: i64 = 4;

/// How much the openings in some pictures go with what is asked of them, when they come as early or as late as they may.
fn following(opened: &[f64], pictures: Range<usize>, asking: &Asking) -> Option<f64> {
    let at = |shift: i64| goes_with(opened, pictures.clone(), asking, shift);
    (!pictures.is_empty()).then(|| (-MOST..=MOST).map(at).fold(f64::MIN, f64::max))
}

/// The same when they come so many pictures late.
fn goes_with(opened: &[f64], pictures: Range<usize>, asking: &Asking, shift: i64) -> f64 {
    let asked: Vec<f64> = pictures.clone().map(|n| asking.opening(moment(n as u64))).collect();
    let last = opened.len() as i64 - 1;
    let seen = pictures.map(|n| opened[(n as i64 + shift).clamp(0, last) as usize]);
    correlation(&asked, &seen.collect::<Vec<_>>())
}

/// By how many pictures the lips of all takes come after their sounds, where how far they open tells that they are further away
/// than they may be; else nothing. Lips that close often close at every shift, so closing alone does not tell.
fn far_off(takes: &[(usize, Studied)]) -> i64 {
    /// By how much lips have to go better with the sounds there.
    const SURELY: f64 = 0.05;
    const FURTHEST: i64 = 9;
    let heard: Vec<_> = takes
        .iter()
        .map(|(_, take)| {
            let opened: Vec<f64> = take.meshes.iter().map(|mesh| f64::from(mesh[14][1] - mesh[13][1])).collect();
            (opened, take.speaking(), Asking::of(&soundings(&take.aligned.marks)))
        })
        .filter(|(_, speaking, _)| !speaking.is_empty())
        .collect();
    let at = |shift: i64| -> f64 {
        heard.iter().map(|(opened, speaking, asking)| goes_with(opened, speaking.clone(), asking, shift)).sum::<f64>()
            / heard.len().max(1) as f64
    };
    let best = |shifts: &mut dyn Iterator<Item = i64>| {
        shifts.map(|shift| (at(shift), shift)).fold((f64::MIN, 0), |best, one| if one.0 > best.0 { one } else { best })
    };
    let near = best(&mut (-MOST..=MOST));
    let far = best(&mut (MOST + 1..=FURTHEST).flat_map(|shift| [shift, -shift]));
    if far.0 > near.0 + SURELY { far.1 } else { 0 }
}

/// What free talk shows by itself: all that needs no text.
pub(crate) fn of_free(free: &Free) -> Vec<Finding> {
    const LEAST: f64 = 5.0;
    let (face, seconds) = (&free.face, free.seconds());
    let mut findings = of_picture(FREE, &free.footage, free.size, &face.meshes);
    findings.extend(of_pace(FREE, face.held));
    findings.extend(of_face(FREE, (face.lost.len(), face.meshes.len()), face.crowded));
    findings.extend(of_light(FREE, light_change(&face.light)));
    let opened = opened(free, eyes(face.meshes.iter()));
    let what = format!("the lips open by {:.1} % of the eyes' distance at most", opened * 100.0);
    findings.extend(OPENED.finding(opened, FREE, what, "hands, a mask or a microphone must not cover the mouth"));
    let heard = f64::from(free.loudness_over_floor);
    let what = format!("speech is only {heard:.0} dB above the room");
    findings.extend(HEARD.finding(heard, FREE, what, "record in a quiet room, with the microphone near"));
    if seconds < LEAST {
        let what = format!("something is said for {seconds:.1} s in it");
        findings.push(Finding::refused(FREE, what, "talk for half a minute, or leave this take out"));
    }
    findings
}

/// What the base take is called.
const BASE: &str = "the base take";

/// What the take shows that films are made on: whatever is wrong with it is in every film.
pub(crate) fn of_base(footage: &Footage, tracked: &Tracked) -> Vec<Finding> {
    const LEAST: f64 = 3.0;
    let meshes = &tracked.meshes;
    let seconds = meshes.len() as f64 / RATE;
    if seconds < LEAST {
        let what = format!("it lasts {seconds:.1} s");
        return vec![Finding::refused(BASE, what, "film twenty seconds of silence with relaxed lips")];
    }
    let mut findings = of_picture(BASE, footage, footage.size_within(TRACKED), meshes);
    findings.extend(of_pace(BASE, tracked.held));
    findings.extend(of_face(BASE, (tracked.lost.len(), meshes.len()), tracked.crowded));
    findings.extend(of_light(BASE, light_change(&tracked.light)));
    let eyes = eyes(meshes.iter());
    let open: Vec<f32> = meshes.iter().map(|mesh| (mesh[14][1] - mesh[13][1]) / eyes as f32).collect();
    let typical = percentile(&open, 0.8);
    let what = format!("the lips are open by {:.0} % of the eyes' distance", typical * 100.0);
    let spoken = typical > 0.06;
    findings.extend(spoken.then(|| Finding::warning(BASE, what, "keep the lips closed and relaxed in it")));
    findings
}

/// What only all takes together show: turns of the head, light, lips against sound. Answers by how many pictures the lips
/// come after the sound.
pub(crate) fn of_person(
    takes: &[(usize, Studied)],
    posed: &[Posed],
    base: &Posed,
    free: Option<&Posed>,
    findings: &mut Vec<Finding>,
) -> i64 {
    let middle: [f32; 2] = std::array::from_fn(|axis| {
        percentile(&posed.iter().flat_map(|p| p.turns.iter().map(|turn| turn[axis])).collect::<Vec<_>>(), 0.5)
    });
    for ((_, take), posed) in takes.iter().zip(posed) {
        findings.extend(of_turns(&take.name, posed, middle));
        findings.extend(of_light(&take.name, light_change(&take.light)));
    }
    findings.extend(of_turns(BASE, base, middle).filter(|_| !base.turns.is_empty()));
    findings.extend(free.and_then(|free| of_turns(FREE, free, middle)));
    let (shift, share) = best_shift(takes, posed);
    let what = format!("lips close in only {:.0} % of m, b and p", share * 100.0);
    findings.extend(CLOSED.finding(
        share,
        "the lips",
        what,
        "speak clearly; hair, hands or a microphone must not cover the mouth",
    ));
    let away = far_off(takes).abs().max(shift.abs());
    let what = format!("the sound is {away} pictures away from the lips");
    findings.extend(LATE.finding(away as f64, "the sound", what, "record sound and picture with one device"));
    shift
}

fn degrees(turn: &[f32; 2], middle: [f32; 2]) -> f32 {
    let (dx, dy) = (f64::from(turn[0] - middle[0]), f64::from(turn[1] - middle[1]));
    let depth = NOSE * crate::track::pose::EYES;
    math::atan((dx * dx + dy * dy).sqrt() / depth).to_degrees() as f32
}

/// The shift at which most lips close, the smallest of equals.
fn best_shift(takes: &[(usize, Studied)], posed: &[Posed]) -> (i64, f64) {
    let share = |shift: i64| {
        let (mut shut, mut all, mut open) = (0.0, 0.0, 0.0);
        for ((_, take), posed) in takes.iter().zip(posed) {
            for sound in soundings(&take.shifted(shift)).iter().filter(|sound| sound.lips == Lips::Closed) {
                let near = |n: &usize| {
                    let seconds = moment(*n as u64);
                    seconds > sound.start - 1.0 / RATE && seconds < sound.end + 1.0 / RATE
                };
                let first = ((sound.start * RATE) as usize).saturating_sub(2);
                let openings = (first..posed.lips.len()).take(16).filter(near).map(|n| posed.lips[n][0]);
                let least = openings.fold(f32::MAX, f32::min) / crate::track::pose::EYES as f32;
                if least < 10.0 {
                    all += 1.0;
                    shut += f64::from(u8::from(least < SHUT));
                    open += f64::from(least);
                }
            }
        }
        if all == 0.0 { (1.0, 0.0) } else { (shut / all, open / all) }
    };
    let mut best = (0, share(0));
    for shift in (1..=8).flat_map(|n| [n, -n]) {
        let found = share(shift);
        // A neighbouring shift that is hardly better is chance.
        if found.0 > best.1.0 + 0.03 {
            best = (shift, found);
        }
    }
    (best.0, best.1.0)
}

/// How much was said, and whether all neighbourhoods of sounds occur.
pub(crate) fn of_coverage<'a>(
    takes: &[(usize, Studied)],
    texts: impl Iterator<Item = &'a str>,
    language: &str,
) -> Vec<Finding> {
    let seconds: f64 = takes.iter().map(|(_, take)| take.speaking().len() as f64 / RATE).sum();
    let mut findings = Vec::new();
    let what = format!("there are {seconds:.0} s of speech");
    findings.extend(SECONDS.finding(
        seconds,
        "the footage",
        what,
        "read more prompts: two minutes are enough, one is the least",
    ));
    findings.extend(Tongue::of(language).and_then(|tongue| of_sounds(tongue, &texts.collect::<Vec<_>>())));
    findings
}

/// Whether texts hold the neighbouring sounds of a language's prompts.
fn of_sounds(tongue: &Tongue, texts: &[&str]) -> Option<Finding> {
    let pairs = coverage(tongue, texts.iter().copied());
    let what = format!("only {:.0} % of the neighbouring sounds of the prompts occur", pairs * 100.0);
    let found = PAIRS.finding(pairs, "the footage", what, "read the prompts that are missing")?;
    // Who brings lines of their own in another language than English was never counted, and is not sent home now.
    let is_counted = tongue.tag == Tongue::english().tag || tongue.lines().any(|line| texts.contains(&line));
    Some(if is_counted { found } else { Finding { level: Level::Warning, ..found } })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maths::Dice;
    use compere_media::{PhonemeMark, SAMPLE_RATE, SampleSpan, Stress};

    #[test]
    fn lips_that_go_with_the_sounds_are_told_from_others() {
        let each = u64::from(SAMPLE_RATE) / 8;
        let mark = |(n, ipa): (u64, &str)| {
            let span = SampleSpan { start: n * each, end: (n + 1) * each };
            PhonemeMark { span, ipa: ipa.to_owned(), stress: Stress::Primary }
        };
        let said = ["m", "ɑ", "p", "i", "b", "ɔ", "s", "æ", "m", "u", "t", "ʌ"];
        let phonemes = (0..36).map(|n| mark((n, said[n as usize * 5 % said.len()]))).collect();
        let asking = Asking::of(&soundings(&compere_media::Marks { phonemes, words: Vec::new() }));
        let asked = |n: u64| asking.opening(moment(n));
        let mut dice = Dice(3);
        let own: Vec<f64> = (0..135u64).map(|n| 12.0 * asked(n.saturating_sub(2)) + 2.0 * dice.normal()).collect();
        let other: Vec<f64> = (0..135).map(|_| 3.0 + 2.0 * dice.normal()).collect();
        let [own, other] = [own, other].map(|opened| following(&opened, 2..130, &asking).expect("pictures"));
        assert!(own > 0.7 && FOLLOWS.judge(own).is_none(), "{own}");
        assert!(other < 0.3 && FOLLOWS.judge(other).is_some(), "{other}");
    }

    #[test]
    fn prompts_are_counted_in_their_language_and_own_lines_refuse_nobody() {
        for tongue in Tongue::all() {
            let level = |count: usize| {
                let lines: Vec<&str> = tongue.lines().take(count).collect();
                of_sounds(tongue, &lines).map(|finding| finding.level)
            };
            let enough = (tongue.tag == "en").then_some(Level::Warning);
            assert_eq!([6, 24, 40].map(level), [Some(Level::Refused), enough, None], "{}", tongue.name);
        }
        let own = |language| of_sounds(Tongue::of(language).expect("lines"), &["Tom"]).map(|finding| finding.level);
        assert_eq!([own("en-GB"), own("de-AT")], [Some(Level::Refused), Some(Level::Warning)]);
    }
}
