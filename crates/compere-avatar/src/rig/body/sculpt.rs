//! A person's shape: macro targets, details, arms let down; and the expressions that move it.

use super::blink::Lids;
use super::mimic::Expression;
use super::{blink, dome, glad, middle, mimic, outline, temples};
use crate::AvatarError;
use crate::act::Ch;
use crate::rig::ground::data::{Deltas, EYE_Y, Library};
use crate::rig::ground::v3::{V3, add, interp, length, mul, ss, sub, turn};
use crate::rig::people::person::{Hair, Person};
use crate::rig::people::style::Bend;

/// How much more of what is their own people have than was measured out: a drawn face is one by what it exaggerates.
const OWN: f32 = 1.35;

/// How far the arms of the data are let down, in degrees.
const ARM_SWING: f32 = 42.0;
/// Share of the arms' distance from the chest that is kept.
const ARM_CLOSE: f32 = 0.92;

pub(crate) struct Body {
    /// Vertices with the arms down.
    pub(crate) posed: Vec<V3>,
    /// Vertices as modelled, where patterns are fixed.
    pub(crate) rest: Vec<V3>,
    /// How far each vertex goes with the head.
    pub(crate) head: Vec<f32>,
    pub(crate) expressions: Vec<Expression>,
    pub(crate) neck: V3,
    pub(crate) eyes: [V3; 2],
    /// How they shut, likewise.
    pub(crate) lids: Vec<Lids>,
    /// Top of the bare head.
    pub(crate) top: f32,
    /// Half the width over the shoulders.
    pub(crate) shoulder: f32,
    /// How much each vertex belongs to an arm, and 1 more where it belongs to a hand.
    pub(crate) arms: Vec<f32>,
    /// Elbow, wrist and knuckles with the arms down, at the picture's right first.
    pub(crate) limbs: [[V3; 3]; 2],
    /// Joints from root to tip, of thumb to little finger, likewise.
    pub(crate) digits: [[[V3; 4]; 5]; 2],
    /// How much each vertex goes with each bone of each finger.
    pub(crate) grip: Vec<[f32; 15]>,
}

const EXPRESSIONS: [(Ch, f32, &[&str]); 23] = [
    (Ch::Jaw, 1.0, &["jawOpen"]),
    (Ch::Funnel, 1.0, &["mouthFunnel"]),
    (Ch::Pucker, 1.0, &["mouthPucker"]),
    (Ch::Press, 1.0, &["mouthPressLeft", "mouthPressRight"]),
    (Ch::RollLower, 1.0, &["mouthRollLower"]),
    (Ch::RollUpper, 1.0, &["mouthRollUpper"]),
    (Ch::Smile, 1.0, &["mouthSmileLeft", "mouthSmileRight"]),
    (Ch::Stretch, 1.0, &["mouthStretchLeft", "mouthStretchRight"]),
    (Ch::UpperUp, 1.0, &["mouthUpperUpLeft", "mouthUpperUpRight"]),
    (Ch::LowerDown, 1.0, &["mouthLowerDownLeft", "mouthLowerDownRight"]),
    (Ch::Tongue, 1.0, &["tongueOut"]),
    (Ch::Dimple, 1.0, &["mouthDimpleLeft", "mouthDimpleRight"]),
    (Ch::Cheek, 1.0, &["cheekSquintLeft", "cheekSquintRight"]),
    (Ch::Blink, 1.0, &["eyeBlinkLeft", "eyeBlinkRight"]),
    (Ch::Squint, 1.0, &["eyeSquintLeft", "eyeSquintRight"]),
    (Ch::Wide, 1.0, &["eyeWideLeft", "eyeWideRight"]),
    (Ch::LookX, 1.0, &["eyeLookOutLeft", "eyeLookInRight"]),
    (Ch::LookX, -1.0, &["eyeLookInLeft", "eyeLookOutRight"]),
    (Ch::LookY, 1.0, &["eyeLookUpLeft", "eyeLookUpRight"]),
    (Ch::LookY, -1.0, &["eyeLookDownLeft", "eyeLookDownRight"]),
    (Ch::BrowInner, 1.0, &["browInnerUp"]),
    (Ch::BrowOuter, 1.0, &["browOuterUpLeft", "browOuterUpRight"]),
    (Ch::BrowDown, 1.0, &["browDownLeft", "browDownRight"]),
];

pub(crate) fn sculpt(library: &Library, person: &Person) -> Result<Body, AvatarError> {
    let mut rest = library.vertices.clone();
    for (name, weight) in macro_targets(person) {
        apply(&mut rest, &library.target(&name)?, weight);
    }
    let own = person.details.iter().map(|&(name, weight)| (name, weight * OWN));
    for (name, weight) in person.common.iter().copied().chain(own) {
        for side in if name.contains('#') { &["l", "r"][..] } else { &[""] } {
            apply(&mut rest, &library.target(&name.replace('#', side))?, weight);
        }
    }
    for side in ["l", "r"] {
        let ear = library.target(&format!("ears/{side}-ear-scale-incr"))?;
        round_lobe(&mut rest, &ear);
        set_back(&mut rest, &ear, person.style.ears);
        if matches!(person.hair, Hair::Long(_)) {
            tuck(&mut rest, &ear);
        }
    }
    let joint = |points: &[V3], name: &str| {
        let members = library.members(&[&format!("joint-{name}")]);
        let sum = members.iter().fold([0.0; 3], |sum, &v| add(sum, points[v as usize]));
        mul(sum, 1.0 / members.len().max(1) as f32)
    };
    let rise = EYE_Y - (joint(&rest, "l-eye")[1] + joint(&rest, "r-eye")[1]) * 0.5;
    for p in &mut rest {
        p[1] += rise;
    }
    let body = library.members(&["body"]);
    let mut expressions = expressions(library)?;
    style(&mut rest, (&body, &library.masks), person, &mut expressions, &joint);
    mimic::even_lips(library, &mut expressions);
    soothe(library, &mut rest);
    outline::even_out(library, &mut rest);
    outline::taper(library, person.male, person.style.oval, &mut rest);
    temples::fill(library, &mut rest);
    if person.hair == Hair::Bald {
        dome::round(library, &mut rest);
    }
    let eyes = [joint(&rest, "l-eye"), joint(&rest, "r-eye")];
    blink::rest(library, &mut rest, eyes, person.style.lids, &mut expressions);
    let lids = blink::shut(library, &rest, eyes, &mut expressions);
    glad::narrow(library, &mut rest, eyes, &mut expressions);
    let mouth = mouth_corner(&rest, &library.masks);
    middle::shorten(&mut rest, [eyes[0][1], mouth[1]], person.style.middle, &mut expressions);
    let mut posed = rest.clone();
    for (side, sign, letter) in [("l", 1.0, "L"), ("r", -1.0, "R")] {
        let clavicle = joint(&rest, &format!("{side}-clavicle"));
        let shoulder = joint(&rest, &format!("{side}-shoulder"));
        let arm = library.bone_weights(|bone| {
            let limb = ["upperarm", "lowerarm", "wrist", "finger", "metacarpal"].iter().any(|l| bone.starts_with(l));
            limb && bone.ends_with(&format!(".{letter}"))
        });
        let girdle = library.bone_weights(|bone| bone == format!("shoulder01.{letter}"));
        let (drop, swing) = (-person.shoulder_drop.to_radians() * sign, -ARM_SWING.to_radians() * sign);
        let lowered = add(clavicle, turn(sub(shoulder, clavicle), 0.0, 0.0, drop));
        for (v, p) in posed.iter_mut().enumerate() {
            let about = |p: V3, pivot: V3, angle: f32, w: f32| {
                if w <= 0.0 { p } else { add(pivot, turn(sub(p, pivot), 0.0, 0.0, angle * w)) }
            };
            *p = about(*p, clavicle, drop, (girdle[v] + arm[v]).clamp(0.0, 1.0));
            *p = about(*p, lowered, swing, arm[v].clamp(0.0, 1.0));
        }
    }
    // Arms hang close to the body; the skeleton's joints would leave them wide.
    for p in &mut posed {
        let edge = 1.12;
        if p[0].abs() > edge {
            p[0] = p[0].signum() * (edge + (p[0].abs() - edge) * ARM_CLOSE);
        }
    }
    let arms = library.bone_weights(|bone| {
        ["upperarm", "lowerarm", "wrist", "finger", "metacarpal"].iter().any(|l| bone.starts_with(l))
    });
    let tights = library.members(&["helper-tights"]);
    let shoulder = hang(&mut posed, &tights, &arms, person);
    stand(&mut posed, &tights, &arms);
    let hands = library.bone_weights(|bone| ["wrist", "finger", "metacarpal"].iter().any(|l| bone.starts_with(l)));
    for side in ["l", "r"] {
        let wrist = joint(&posed, &format!("{side}-hand"));
        small_hand(&mut posed, wrist, &hands);
    }
    let limbs =
        ["l", "r"].map(|side| ["elbow", "hand", "finger-3-1"].map(|name| joint(&posed, &format!("{side}-{name}"))));
    let digits = ["l", "r"].map(|side| {
        std::array::from_fn(|finger| {
            std::array::from_fn(|part| joint(&posed, &format!("{side}-finger-{}-{}", finger + 1, part + 1)))
        })
    });
    let arms = arms.iter().zip(hands).zip(&posed).map(|((arm, hand), p)| {
        // The chest stays when an arm goes up.
        let high = ss(3.6, 4.1, p[1]);
        let out = ss(0.56 * shoulder, 0.84 * shoulder, p[0].abs());
        arm * (1.0 - high * (1.0 - out)) + ss(0.25, 0.75, hand)
    });
    let arms = arms.collect();
    let top = body.iter().map(|&v| rest[v as usize][1]).fold(f32::MIN, f32::max);
    Ok(Body {
        head: head_weights(library),
        expressions,
        neck: joint(&rest, "neck"),
        eyes,
        lids,
        top,
        shoulder,
        arms,
        limbs,
        digits,
        grip: grip(library),
        posed,
        rest,
    })
}

/// Weights of all bones of all fingers, both hands in one.
fn grip(library: &Library) -> Vec<[f32; 15]> {
    let mut out = vec![[0.0; 15]; library.vertices.len()];
    for at in 0..15 {
        let name = format!("finger{}-{}.", at / 3 + 1, at % 3 + 1);
        let weights = library.bone_weights(|bone| bone.starts_with(&name));
        out.iter_mut().zip(weights).for_each(|(all, weight)| all[at] = weight);
    }
    out
}

fn expressions(library: &Library) -> Result<Vec<Expression>, AvatarError> {
    let mut out = Vec::new();
    for (channel, sign, names) in EXPRESSIONS {
        let mut deltas = Vec::new();
        for name in names {
            deltas.extend(library.expression(name)?);
        }
        out.push(Expression { channel, sign, deltas });
    }
    Ok(out)
}

/// Bends the shape and its expressions to the person's style.
fn style(
    rest: &mut [V3],
    (skin, masks): (&[u32], &[[f32; 4]]),
    person: &Person,
    expressions: &mut [Expression],
    joint: &impl Fn(&[V3], &str) -> V3,
) {
    let eyes = [joint(rest, "l-eye"), joint(rest, "r-eye")];
    let body: Vec<V3> = skin.iter().map(|&v| rest[v as usize]).collect();
    let bend = Bend::new(person.style, person.male, eyes, joint(rest, "neck"), &body);
    let unbent = rest.to_vec();
    for p in rest.iter_mut() {
        *p = bend.point(*p);
    }
    for expression in expressions.iter_mut() {
        bend.deltas(&unbent, rest, &mut expression.deltas);
    }
    mimic::hold_corners(rest, person.style.curl, expressions);
    mimic::bow_lip(rest, expressions);
    let landmarks = mimic::Landmarks { eye: eyes[0], corner: mouth_corner(rest, masks) };
    mimic::lift_cheeks(rest, skin, &landmarks, expressions);
    mimic::keep_philtrum(rest, landmarks.corner, person.male, expressions);
    mimic::arch_lips(rest, person.male, expressions);
    mimic::join_corners(rest, landmarks.corner, person.male, expressions);
    mimic::round_lips(rest, landmarks.corner[0], expressions);
    mimic::close_lips(rest, expressions);
    let brow = person.look.brow_height + 0.02 - 0.8 * person.look.brow_width;
    mimic::hold_brows(rest, brow, expressions);
}

/// The corner of the mouth at the picture's right.
fn mouth_corner(rest: &[V3], masks: &[[f32; 4]]) -> V3 {
    let lips = rest.iter().zip(masks).filter(|(_, mask)| mask[0] > 0.5);
    lips.fold([0.2, EYE_Y - 0.8, 1.1], |best: V3, (p, _)| if p[0] > best[0] { *p } else { best })
}

/// Larger eyes crowd what lies under them into a crease, and noses get edges: evened out, as skin over bone is.
fn soothe(library: &Library, rest: &mut [V3]) {
    let share = |p: V3| {
        let q = [(p[0].abs() - 0.27) / 0.36, (p[1] - EYE_Y + 0.27) / 0.165];
        let front = ss(0.55, 0.75, p[2]) * ss(0.11, 0.20, p[0].abs());
        let under = 0.90 * front * ss(1.0, 0.35, (q[0] * q[0] + q[1] * q[1]).sqrt());
        // Noses are round, too: what the shapes of the data add up to has corners.
        let nose = [p[0] / 0.17, (p[1] - EYE_Y + 0.36) / 0.34];
        let nose = 0.40 * ss(1.0, 0.5, (nose[0] * nose[0] + nose[1] * nose[1]).sqrt());
        under.max(nose * ss(0.9, 1.1, p[2]))
    };
    let Some(body) = library.group("body") else { return };
    let mut around: std::collections::BTreeMap<u32, (f32, Vec<u32>)> = std::collections::BTreeMap::new();
    for quad in library.quads.iter().filter(|quad| quad.group == body) {
        for k in 0..4 {
            let at = quad.corners[k] as usize;
            // Where lobes were rounded they are creased.
            let lobe = 0.5 * library.masks[at][2] * ss(-0.12, -0.34, rest[at][1] - EYE_Y);
            let w = share(rest[at]).max(lobe);
            if w > 0.0 {
                let known = around.entry(quad.corners[k]).or_insert((w, Vec::new()));
                known.1.extend([quad.corners[(k + 1) % 4], quad.corners[(k + 3) % 4]]);
            }
        }
    }
    for _ in 0..10 {
        let old: Vec<(u32, V3)> = around
            .iter()
            .map(|(&v, (w, near))| {
                let mean = near.iter().fold([0.0; 3], |sum, &n| add(sum, rest[n as usize]));
                let p = rest[v as usize];
                (v, add(p, mul(sub(mul(mean, 1.0 / near.len() as f32), p), *w)))
            })
            .collect();
        old.into_iter().for_each(|(v, p)| rest[v as usize] = p);
    }
}

/// The data's ears end below in a level edge. What lies farther out goes up and in, which leaves a lobe.
fn round_lobe(points: &mut [V3], ear: &Deltas) {
    let of = |k: usize| {
        let mut all: Vec<f32> = ear.iter().map(|&(v, _)| points[v as usize][k].abs()).collect();
        all.sort_by(f32::total_cmp);
        all
    };
    let (out, up) = (of(0), of(1));
    let (Some(&widest), Some(&lowest), Some(&highest)) = (out.last(), up.first(), up.last()) else { return };
    let root = out[out.len() / 4];
    let (width, height) = (widest - root, highest - lowest);
    for &(v, _) in ear {
        let p = &mut points[v as usize];
        let below = ss(0.42, 0.0, (p[1] - lowest) / height);
        let beyond = ((p[0].abs() - root) / width).clamp(0.0, 1.0);
        let off = beyond - 0.50;
        p[1] += (0.9 * off * off + 0.08 * beyond) * height * below;
        p[0] -= p[0].signum() * 0.22 * width * below * beyond;
    }
}

/// The data's ears stand off and hang low: laid to the head, set back and made smaller, lobes end where cheeks begin.
fn set_back(points: &mut [V3], ear: &Deltas, share: f32) {
    let most = ear.iter().map(|(_, d)| length(*d)).fold(1e-6, f32::max);
    let held = |d: V3| ss(0.05, 0.45, length(d) / most);
    let total: f32 = ear.iter().map(|(_, d)| held(*d)).sum();
    let middle = ear.iter().fold([0.0; 3], |sum, &(v, d)| add(sum, mul(points[v as usize], held(d) / total)));
    let side = middle[0].signum();
    for &(v, d) in ear {
        let p = &mut points[v as usize];
        let w = held(d) * share;
        let q = sub(*p, middle);
        // Turned about the upright, the back towards the head.
        let turned = turn([q[0], q[1], q[2]], side * -0.42, 0.0, 0.0);
        let small = [turned[0] * 0.64 - side * 0.06, turned[1] * 0.94 + 0.06, turned[2] * 0.88 - 0.10];
        *p = add(*p, mul(sub(add(middle, small), *p), w));
    }
}

/// Under hair that hangs, ears would stand through it.
fn tuck(points: &mut [V3], ear: &Deltas) {
    let most = ear.iter().map(|(_, d)| length(*d)).fold(1e-6, f32::max);
    for &(v, d) in ear {
        let p = &mut points[v as usize];
        let w = ss(0.05, 0.45, length(d) / most);
        p[0] -= p[0].signum() * 0.06 * w;
    }
}

/// Half the figure's width, as a share of that over the shoulders, by height: sleeves hang almost straight.
const OUTLINE: [(f32, f32); 8] =
    [(1.8, 0.92), (2.6, 0.95), (3.2, 0.975), (3.7, 0.99), (4.15, 1.0), (4.45, 1.0), (4.70, 0.98), (4.95, 0.94)];

/// Moves the arms so that the outline falls straight from the shoulders: joints alone leave it bulging. Returns half
/// the width over the shoulders.
fn hang(posed: &mut [V3], tights: &[u32], arms: &[f32], person: &Person) -> f32 {
    let broad = 1.0 + 0.40 * (person.muscle - 0.5) + 0.16 * (person.weight - 0.5);
    const STEP: f32 = 0.1;
    const LOW: f32 = 1.4;
    let mut shoulder = 0.0;
    // Twice: the outline of so few points is only roughly known.
    for _ in 0..2 {
        let mut outline = vec![0.0_f32; 38];
        for &v in tights {
            let p = posed[v as usize];
            for (at, edge) in outline.iter_mut().enumerate() {
                if (LOW + at as f32 * STEP - p[1]).abs() < 0.13 {
                    *edge = edge.max(p[0].abs());
                }
            }
        }
        for _ in 0..3 {
            let old = outline.clone();
            for at in 1..outline.len() - 1 {
                outline[at] = old[at] * 0.5 + (old[at - 1] + old[at + 1]) * 0.25;
            }
        }
        let most = outline.iter().take(34).copied().fold(0.0, f32::max);
        shoulder = if shoulder > 0.0 {
            shoulder
        } else {
            most.clamp(1.35 + 0.23 * person.male, 1.445 + 0.245 * person.male) * broad
        };
        for (p, &arm) in posed.iter_mut().zip(arms) {
            let x = ((p[1] - LOW) / STEP).clamp(0.0, outline.len() as f32 - 1.001);
            let at = x as usize;
            let now = outline[at] + (outline[at + 1] - outline[at]) * (x - at as f32);
            let meant = shoulder * interp(p[1], &OUTLINE);
            let high = ss(5.15, 4.72, p[1]);
            let outer = ss(0.95, 1.3, p[0].abs()).max(arm.min(1.0));
            p[0] += p[0].signum() * (meant - now) * high * outer * ss(0.6, 0.95, p[0].abs());
        }
    }
    shoulder
}

/// Where soles are, before the body is made smaller; and where legs begin.
pub(crate) const SOLES: f32 = -8.6;
const HIPS: f32 = 0.1;

/// The data stands astride: legs are brought together, and everyone's are of a length.
fn stand(posed: &mut [V3], tights: &[u32], arms: &[f32]) {
    let feet = tights.iter().map(|&v| posed[v as usize]).filter(|p| p[1] < -6.5);
    let (mut low, mut sum, mut count) = (-6.5_f32, 0.0, 0.0);
    for p in feet {
        low = low.min(p[1]);
        sum += p[0].abs();
        count += 1.0;
    }
    let apart = (sum / f32::max(count, 1.0) - 1.02).max(0.0);
    for (p, &arm) in posed.iter_mut().zip(arms) {
        if p[1] < HIPS && arm < 0.3 {
            let down = (HIPS - p[1]) / (HIPS - low);
            p[0] -= p[0].signum() * apart * down * ss(0.0, 0.25, p[0].abs());
            p[1] = HIPS - down * (HIPS - SOLES);
        }
    }
}

/// Hands of the data are as large as these heads, which are a third larger than life: beside these bodies they weigh.
fn small_hand(posed: &mut [V3], wrist: V3, hands: &[f32]) {
    const SMALLER: f32 = 0.20;
    for (p, &hand) in posed.iter_mut().zip(hands) {
        if hand > 0.0 && p[0] * wrist[0] > 0.0 {
            let w = SMALLER * ss(0.30, 1.0, hand);
            *p = add(*p, mul(sub(wrist, *p), w));
        }
    }
}

fn apply(points: &mut [V3], deltas: &Deltas, weight: f32) {
    for &(vertex, delta) in deltas {
        let p = &mut points[vertex as usize];
        *p = add(*p, mul(delta, weight));
    }
}

fn head_weights(library: &Library) -> Vec<f32> {
    const HEAD: [&str; 11] =
        ["head", "jaw", "eye", "tongue", "orbi", "special", "temporalis", "risorius", "levator", "oris", "oculi"];
    let skull = library.bone_weights(|bone| HEAD.iter().any(|h| bone.starts_with(h)));
    let upper = library.bone_weights(|bone| bone == "neck03");
    let middle = library.bone_weights(|bone| bone == "neck02");
    let lower = library.bone_weights(|bone| bone == "neck01");
    let sum = |v: usize| (skull[v] + 0.75 * upper[v] + 0.5 * middle[v] + 0.25 * lower[v]).clamp(0.0, 1.0);
    (0..skull.len()).map(sum).collect()
}

/// Names and weights of the targets that make gender, age, build and ancestry.
fn macro_targets(person: &Person) -> Vec<(String, f32)> {
    let old = ((person.age - 25.0) / 65.0).clamp(0.0, 1.0);
    let ages = [("young", 1.0 - old), ("old", old)];
    let genders = [("female", 1.0 - person.male), ("male", person.male)];
    let three = |v: f32, low: &'static str, middle: &'static str, high: &'static str| {
        if v < 0.5 {
            [(low, 1.0 - 2.0 * v), (middle, 2.0 * v)]
        } else {
            [(middle, 2.0 - 2.0 * v), (high, 2.0 * v - 1.0)]
        }
    };
    let mut out = Vec::new();
    let mut put = |name: String, weight: f32| {
        if weight > 1e-4 {
            out.push((name, weight));
        }
    };
    for (gender, g) in genders {
        for (age, a) in ages {
            for &(ancestry, e) in person.ancestry.iter() {
                put(format!("macrodetails/{ancestry}-{gender}-{age}"), g * a * e);
            }
            for (muscle, m) in three(person.muscle, "minmuscle", "averagemuscle", "maxmuscle") {
                for (weight, w) in three(person.weight, "minweight", "averageweight", "maxweight") {
                    let c = g * a * m * w;
                    put(format!("macrodetails/universal-{gender}-{age}-{muscle}-{weight}"), c);
                    let ideal = c * (person.ideal * 2.0 - 1.0).max(0.0);
                    let name = format!("macrodetails/proportions/{gender}-{age}-{muscle}-{weight}-idealproportions");
                    put(name, ideal);
                }
            }
        }
    }
    out
}
