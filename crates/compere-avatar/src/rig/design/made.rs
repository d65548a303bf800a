//! From a design to a person.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::words::{Beard, Clothes, Hands, Paint, Rims, Temper};
use super::{Design, Features, Glasses, HairCut, OUTFITS, Outfit, Skin, seen, styles};
use crate::act::Manner;
use crate::rig::ground::v3::{V3, add, mul, mulv};
use crate::rig::people::CAST;
use crate::rig::people::member::{Member, NONE};
use crate::rig::people::person::{self, Color, Cut, Hair, Look, Person};
use crate::rig::people::style::{Planes, Style};

/// A design as a presenter is made of it.
pub(crate) struct Shaped {
    pub(crate) person: Person,
    /// As `Member::face`.
    pub(crate) face: [f32; 2],
    pub(crate) manner: Option<Manner>,
    pub(crate) voices: Vec<(String, String)>,
}

/// Whose faces a design mixes, and how much of each: most first, their sum 1.
pub(super) fn faces(design: &Design) -> Vec<(&'static Member, f32)> {
    let member = |alias: &str| CAST.iter().find(|member| member.alias == alias);
    let mut all: Vec<(&Member, f32)> = design
        .faces
        .iter()
        .filter_map(|(alias, share)| Some((member(alias)?, *share as f32)))
        .filter(|(_, share)| *share > 0.0)
        .collect();
    // Equal shares stay in the order of the aliases.
    all.sort_by(|a, b| b.1.total_cmp(&a.1));
    let total: f32 = all.iter().map(|(_, share)| share).sum();
    for (_, share) in &mut all {
        *share /= total;
    }
    if all.is_empty() { vec![(&CAST[0], 1.0)] } else { all }
}

pub(crate) fn shaped(design: &Design) -> Shaped {
    let faces = faces(design);
    let first = faces[0].0;
    let mean = |of: &dyn Fn(&Person) -> f32| faces.iter().map(|(who, share)| of(&who.person) * share).sum::<f32>();
    let age = design.age.map_or_else(|| mean(&|p| p.age), |age| age as f32);
    let hair = hair(design, &first.person);
    let (face, body) = (&design.face, &design.body);
    let person = Person {
        male: mean(&|p| p.male),
        age,
        weight: (mean(&|p| p.weight) + 0.30 * body.weight as f32).clamp(0.05, 0.98),
        muscle: mean(&|p| p.muscle),
        ideal: mean(&|p| p.ideal),
        ancestry: summed(&faces, |person| &person.ancestry, &[]),
        common: first.person.common,
        details: summed(&faces, |person| &person.details, &leaning(design)),
        shoulder_drop: mean(&|p| p.shoulder_drop),
        stance: person::Stance {
            rest: design.hands.map_or(first.person.stance.rest, Hands::idle),
            ..first.person.stance
        },
        tailor: first.person.tailor,
        style: style(&faces, face, body.neck as f32),
        look: look(design, &faces, age),
        hair,
        wardrobe: wardrobe(design, &first.person, hair),
    };
    // What shortens the face raises its middle less.
    let height = |k: usize| faces.iter().map(|(who, share)| who.face[k] * share).sum::<f32>();
    let longer = 0.08 * face.length as f32;
    Shaped {
        person,
        face: [height(0) - 0.5 * longer, height(1) + longer],
        manner: design.manner.map(|manner| match manner {
            Temper::Calm => Manner::Calm,
            Temper::Lively => Manner::Lively,
            Temper::Formal => Manner::Formal,
        }),
        voices: voices(design, first),
    }
}

/// In the order of the first face's: whoever speaks no certain language speaks the first.
fn voices(design: &Design, first: &Member) -> Vec<(String, String)> {
    let own = |language: &str| first.voices.iter().position(|(known, _)| *known == language);
    let mut all: Vec<(String, String)> = design.voices.clone().into_iter().collect();
    all.sort_by_key(|(language, _)| own(language).unwrap_or(usize::MAX));
    if all.is_empty() {
        all = first.voices.iter().map(|(language, voice)| ((*language).to_owned(), (*voice).to_owned())).collect();
    }
    all
}

/// Weights of several people by name, each by its share, with what a design adds.
fn summed(
    faces: &[(&'static Member, f32)],
    of: impl Fn(&'static Person) -> &'static [(&'static str, f32)],
    more: &[(&'static str, f32)],
) -> Cow<'static, [(&'static str, f32)]> {
    if let ([(who, _)], []) = (faces, more) {
        return Cow::Borrowed(of(&who.person));
    }
    let mut sums: BTreeMap<&'static str, f32> = BTreeMap::new();
    let own = faces.iter().flat_map(|(who, share)| of(&who.person).iter().map(move |(name, w)| (*name, w * share)));
    for (name, weight) in own.chain(more.iter().copied()) {
        *sums.entry(name).or_default() += weight;
    }
    Cow::Owned(sums.into_iter().filter(|(_, weight)| weight.abs() > 1e-4).collect())
}

/// Targets that sliders lean on.
fn leaning(design: &Design) -> Vec<(&'static str, f32)> {
    let either = |value: f64, up: &'static str, down: &'static str, most: f32| {
        let value = value as f32;
        (value != 0.0).then(|| (if value > 0.0 { up } else { down }, most * value.abs()))
    };
    let (face, body) = (&design.face, &design.body);
    let pairs = [
        either(face.lips, "mouth/mouth-upperlip-volume-incr", "mouth/mouth-upperlip-volume-decr", 0.75),
        either(face.lips, "mouth/mouth-lowerlip-volume-incr", "mouth/mouth-lowerlip-volume-decr", 0.75),
        either(body.shoulders, "torso/measure-shoulder-dist-incr", "torso/measure-shoulder-dist-decr", 0.8),
        either(face.cheeks, "cheek/#-cheek-volume-incr", "cheek/#-cheek-volume-decr", 0.8),
    ];
    pairs.into_iter().flatten().collect()
}

macro_rules! mixed {
    ($kind:ident, $faces:expr, $of:expr, { $($field:ident),* $(,)? } $(, $inner:ident: $value:expr)?) => {
        $kind {
            $($field: $faces.iter().map(|(who, share)| $of(&who.person).$field * share).sum(),)*
            $($inner: $value,)?
        }
    };
}

fn style(faces: &[(&'static Member, f32)], face: &Features, neck: f32) -> Style {
    let planes = mixed!(Planes, faces, |p: &'static Person| p.style.planes, {
        bridge, tip, wings, ridge, bones, hollow, corner, chin, open, slant, askew,
    });
    let mut style = mixed!(Style, faces, |p: &'static Person| p.style, {
        eyes, lids, nose, jaw, cheeks, neck, mouth, smile, short, middle, curl, ears, chin, oval, slim, crown,
    }, planes: planes);
    let of = |value: f64, most: f32| value as f32 * most;
    style.cheeks += of(face.width, 0.070);
    style.jaw += of(face.width, 0.060) + of(face.jaw, 0.110);
    style.short -= of(face.length, 0.095);
    style.chin += of(face.chin, 0.80);
    style.eyes *= 1.0 + of(face.eyes, 0.14);
    // Lids go where they cover so much, however the opening is shaped.
    style.lids *= 1.0 - of(face.open, 0.55);
    style.nose *= 1.0 + of(face.nose, 0.20);
    style.mouth *= 1.0 + of(face.mouth, 0.16);
    style.neck *= 1.0 + 0.12 * neck;
    let planes = &mut style.planes;
    planes.corner += of(face.jaw, 0.034);
    planes.chin *= 1.0 + of(face.chin, 0.10);
    planes.bones += of(face.cheeks, 0.030);
    planes.hollow += of(face.cheeks, 0.020);
    planes.open *= 1.0 + of(face.open, 0.20);
    planes.slant += of(face.slant, 7.0);
    planes.wings *= 1.0 + of(face.nose_width, 0.22);
    planes.tip *= 1.0 + of(face.nose_width, 0.16);
    planes.bridge += of(face.bridge, 0.060);
    planes.askew += of(face.asymmetry, 0.55);
    style
}

fn hair(design: &Design, first: &Person) -> Hair {
    let HairCut { style, .. } = &design.hair;
    match style {
        Some(style) => styles::cut(*style, &design.hair),
        None => {
            let worn = CAST.iter().find(|member| member.person.hair == first.hair);
            styles::cut(worn.map_or(super::HairStyle::Bald, |member| styles::worn_by(member.alias)), &design.hair)
        }
    }
}

fn look(design: &Design, faces: &[(&'static Member, f32)], age: f32) -> Look {
    let mean = |of: &dyn Fn(&Look) -> f32| faces.iter().map(|(who, share)| of(&who.person.look) * share).sum::<f32>();
    let color = |of: &dyn Fn(&Look) -> Color| {
        faces.iter().fold([0.0; 3], |sum, (who, share)| add(sum, mul(of(&who.person.look), *share)))
    };
    let first = &faces[0].0.person.look;
    let Skin { color: skin, lips, freckles, lines, makeup } = &design.skin;
    let (own, own_lips) = (color(&|look| look.skin), color(&|look| look.lips));
    let skin = skin.map_or(own, seen::skin);
    // Lips keep their tone against another skin.
    let lips = lips.map_or_else(|| mulv(own_lips, std::array::from_fn(|k| skin[k] / own[k].max(1e-3))), seen::skin);
    // Whoever gets older than the faces are gets lines.
    let older = (age - faces.iter().map(|(who, share)| who.person.age * share).sum::<f32>()) / 45.0;
    let (hair, sheen, brow) = match design.hair.color {
        Some(paint) => dyed(paint, first),
        None => (first.hair, first.sheen, first.brow),
    };
    let [stubble, beard] = match design.beard {
        Some(Beard::None) => [0.0, 0.0],
        Some(Beard::Stubble) => [0.55, 0.0],
        Some(Beard::Short) => [0.45, 0.55],
        Some(Beard::Full) => [0.30, 1.0],
        None => [first.stubble, first.beard],
    };
    let face = &design.face;
    Look {
        skin,
        lips,
        hair,
        sheen,
        iris: design.eyes.color.map_or(first.iris, Paint::light),
        lash: first.lash,
        brow,
        brow_width: mean(&|look| look.brow_width) * (1.0 + 0.45 * face.brows as f32),
        brow_height: mean(&|look| look.brow_height),
        brow_arch: mean(&|look| look.brow_arch),
        lash_length: mean(&|look| look.lash_length),
        makeup: makeup.map_or_else(|| mean(&|look| look.makeup), |v| v as f32),
        stubble,
        beard,
        lines: lines.map_or_else(|| (mean(&|look| look.lines) + older).clamp(0.0, 1.0), |v| v as f32),
        freckles: freckles.map_or_else(|| mean(&|look| look.freckles), |v| v as f32),
        glasses: glasses(&design.glasses, first.glasses),
    }
}

/// Hair, its lighter strands, and brows, which are a little darker.
fn dyed(paint: Paint, first: &Look) -> (Color, Color, Color) {
    if seen::hair_seen(first.hair) == paint {
        return (first.hair, first.sheen, first.brow);
    }
    let hair = seen::hair(paint);
    let bright = (hair[0] + hair[1] + hair[2]) / 3.0;
    let lighter = if bright > 0.12 { 2.6 } else { 3.1 };
    let sheen = hair.map(|v| (v * lighter + 0.004).min(0.72));
    let brow = if bright > 0.10 { mul(hair, 0.45) } else { mul(hair, 0.9) };
    (hair, sheen, brow)
}

fn glasses(wanted: &Glasses, worn: person::Glasses) -> person::Glasses {
    const USUAL: Color = [0.020, 0.020, 0.024];
    let framed = |wide: f32, high: f32, round: f32| {
        let own = if let person::Glasses::Framed { color, .. } = worn { color } else { USUAL };
        person::Glasses::Framed { wide, high, round, color: wanted.color.map_or(own, Paint::light) }
    };
    match (wanted.rims, worn) {
        (Some(Rims::None), _) | (None, person::Glasses::None) => person::Glasses::None,
        (Some(Rims::Round), _) => framed(1.00, 1.04, 1.0),
        (Some(Rims::Oval), _) => framed(1.00, 1.00, 0.85),
        (Some(Rims::Square), _) => framed(1.06, 1.00, 0.30),
        (None, person::Glasses::Framed { wide, high, round, .. }) => framed(wide, high, round),
    }
}

fn wardrobe(design: &Design, first: &Person, hair: Hair) -> Cow<'static, [person::Outfit]> {
    if design.outfits.is_empty() {
        return first.wardrobe.clone();
    }
    let mut named: BTreeMap<Clothes, usize> = BTreeMap::new();
    let outfit = |wanted: &Outfit| {
        let count = named.entry(wanted.clothes).or_default();
        *count += 1;
        let alias = if *count == 1 { wanted.clothes.to_string() } else { format!("{}-{count}", wanted.clothes) };
        let name = if wanted.name.is_empty() { title(wanted.clothes).to_owned() } else { wanted.name.clone() };
        let under = match wanted.clothes {
            Clothes::Suit | Clothes::OpenSuit => [0.80, 0.81, 0.84],
            Clothes::Blazer => [0.80, 0.78, 0.74],
            _ => NONE,
        };
        person::Outfit {
            id: Cow::Owned(alias.clone()),
            alias: Cow::Owned(alias),
            name: Cow::Owned(name),
            cut: match (hair, cut(wanted.clothes)) {
                // A scarf covers collar and tie.
                (Hair::Scarf, Cut::Blazer { .. }) => Cut::Blazer { tie: false, shirt: false },
                (_, cut) => cut,
            },
            color: seen::cloth(wanted.color),
            under: wanted.under.map_or(under, seen::cloth),
            tie: wanted.accent.map_or([0.160, 0.040, 0.050], seen::cloth),
        }
    };
    design.outfits.iter().take(OUTFITS).map(outfit).collect()
}

fn cut(clothes: Clothes) -> Cut {
    match clothes {
        Clothes::Suit => Cut::Blazer { tie: true, shirt: true },
        Clothes::OpenSuit => Cut::Blazer { tie: false, shirt: true },
        Clothes::Blazer => Cut::Blazer { tie: false, shirt: false },
        Clothes::Shirt => Cut::Shirt,
        Clothes::Knit => Cut::Knit,
        Clothes::Tee => Cut::Tee,
    }
}

fn title(clothes: Clothes) -> &'static str {
    match clothes {
        Clothes::Suit => "Suit and tie",
        Clothes::OpenSuit => "Suit, open collar",
        Clothes::Blazer => "Blazer",
        Clothes::Shirt => "Shirt",
        Clothes::Knit => "Knit",
        Clothes::Tee => "T-shirt",
    }
}

/// A member of the cast as a design that leaves nothing open.
pub(super) fn spelled_out(alias: &str) -> Option<Design> {
    let member = CAST.iter().find(|member| member.alias.eq_ignore_ascii_case(alias))?;
    let (person, look) = (&member.person, &member.person.look);
    let paint = |light: V3| Some(Paint::of_light(light));
    let share = |v: f32| Some((f64::from(v) * 100.0).round() / 100.0);
    let has = |cut: Cut| Clothes::ALL.into_iter().find(|clothes| self::cut(*clothes) == cut).unwrap_or(Clothes::Tee);
    let outfit = |worn: &person::Outfit| Outfit {
        clothes: has(worn.cut),
        color: seen::cloth_seen(worn.color),
        under: (worn.under != NONE).then(|| seen::cloth_seen(worn.under)),
        accent: (worn.tie != NONE).then(|| seen::cloth_seen(worn.tie)),
        name: worn.name.to_string(),
    };
    Some(Design {
        name: member.name.to_owned(),
        faces: BTreeMap::from([(member.alias.to_owned(), 1.0)]),
        age: Some(f64::from(person.age)),
        skin: Skin {
            color: Some(seen::skin_seen(look.skin)),
            lips: Some(seen::skin_seen(look.lips)),
            freckles: share(look.freckles),
            lines: share(look.lines),
            makeup: share(look.makeup),
        },
        eyes: super::Eyes { color: paint(look.iris) },
        hair: HairCut {
            style: Some(styles::worn_by(member.alias)),
            color: Some(seen::hair_seen(look.hair)),
            ..HairCut::default()
        },
        glasses: match look.glasses {
            person::Glasses::None => Glasses { rims: Some(Rims::None), color: None },
            person::Glasses::Framed { color, .. } => Glasses { rims: None, color: paint(color) },
        },
        outfits: person.wardrobe.iter().map(outfit).collect(),
        hands: Some(Hands::of(person.stance.rest)),
        voices: member.voices.iter().map(|(language, voice)| ((*language).into(), (*voice).into())).collect(),
        ..Design::default()
    })
}
