//! Mouth shapes and which phoneme wears which.

use super::Ch;
use super::Ch::{
    BrowDown, BrowInner, BrowOuter, Cheek, Dimple, Funnel, Jaw, LowerDown, Press, Pucker, RollLower, RollUpper, Smile,
    Squint, Stretch, Tongue, UpperUp, Wide,
};

/// A face at rest would look stern without these.
pub(super) const REST: [(Ch, f32); 5] =
    [(Smile, 0.36), (Cheek, 0.20), (Dimple, 0.03), (BrowInner, 0.0), (Squint, 0.20)];

/// Wide enough for the upper row to show as an arch: through a slit teeth are a grey band.
pub(super) const SMILE: [(Ch, f32); 11] = [
    (Smile, 0.80),
    (Stretch, 0.1),
    (Jaw, 0.11),
    (Funnel, 0.12),
    (UpperUp, 0.28),
    (LowerDown, 0.35),
    (Cheek, 0.85),
    (Squint, 0.20),
    (BrowInner, 0.08),
    (BrowOuter, 0.24),
    (Dimple, 0.1),
];

/// A smile one can speak with.
pub(super) const GLAD: [(Ch, f32); 5] =
    [(Smile, 0.80), (Cheek, 0.68), (Squint, 0.26), (Dimple, 0.25), (BrowInner, 0.0)];
pub(super) const SERIOUS: [(Ch, f32); 6] =
    [(Smile, 0.06), (Cheek, 0.0), (Dimple, 0.0), (BrowInner, 0.0), (BrowDown, 0.38), (Squint, 0.18)];
pub(super) const SURPRISE: [(Ch, f32); 5] =
    [(Wide, 0.75), (BrowInner, 0.75), (BrowOuter, 0.70), (Squint, 0.0), (Smile, 0.24)];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Viseme {
    Open,
    Mid,
    Spread,
    Oh,
    Round,
    Neutral,
    Closed,
    Lip,
    Teeth,
    Hush,
    Tip,
    Lateral,
    Rhotic,
    Back,
    Breath,
}

pub(super) const NAMED: [(&str, Viseme); 13] = [
    ("aa", Viseme::Open),
    ("eh", Viseme::Mid),
    ("ee", Viseme::Spread),
    ("oh", Viseme::Oh),
    ("oo", Viseme::Round),
    ("uh", Viseme::Neutral),
    ("m b p", Viseme::Closed),
    ("f v", Viseme::Lip),
    ("s t d n", Viseme::Teeth),
    ("sh ch", Viseme::Hush),
    ("th", Viseme::Tip),
    ("l", Viseme::Lateral),
    ("r", Viseme::Rhotic),
];

impl Viseme {
    pub(super) fn weights(self) -> Vec<(Ch, f32)> {
        let table: &[(Ch, f32)] = match self {
            Self::Open => &[(Jaw, 0.36), (LowerDown, 0.25), (UpperUp, 0.18)],
            Self::Mid => &[(Jaw, 0.24), (Stretch, 0.12), (Smile, 0.2), (LowerDown, 0.28), (UpperUp, 0.18)],
            Self::Spread => &[(Jaw, 0.13), (Stretch, 0.2), (Smile, 0.38), (UpperUp, 0.18), (LowerDown, 0.3)],
            Self::Oh => &[(Jaw, 0.28), (Funnel, 0.5), (Pucker, 0.2)],
            Self::Round => &[(Jaw, 0.12), (Pucker, 0.62), (Funnel, 0.25)],
            Self::Neutral => &[(Jaw, 0.17), (LowerDown, 0.18), (UpperUp, 0.1)],
            Self::Closed => &[(Press, 0.32), (RollLower, 0.22), (RollUpper, 0.22)],
            Self::Lip => &[(Jaw, 0.05), (RollLower, 0.6), (UpperUp, 0.32)],
            Self::Teeth => &[(Jaw, 0.07), (Stretch, 0.15), (LowerDown, 0.34), (UpperUp, 0.2)],
            Self::Hush => &[(Jaw, 0.11), (Funnel, 0.55), (UpperUp, 0.18), (LowerDown, 0.18)],
            Self::Tip => &[(Jaw, 0.15), (Tongue, 0.42), (LowerDown, 0.2), (UpperUp, 0.12)],
            Self::Lateral => &[(Jaw, 0.17), (Tongue, 0.28), (LowerDown, 0.2), (UpperUp, 0.14)],
            Self::Rhotic => &[(Jaw, 0.12), (Funnel, 0.32), (Pucker, 0.26)],
            Self::Back => &[(Jaw, 0.15), (LowerDown, 0.16), (UpperUp, 0.1)],
            Self::Breath => &[(Jaw, 0.12), (LowerDown, 0.12)],
        };
        table.to_vec()
    }

    /// How much it insists on its shape beside its neighbours.
    pub(super) fn firmness(self) -> f32 {
        match self {
            Self::Closed => 3.0,
            Self::Lip | Self::Tip => 2.6,
            Self::Hush | Self::Round | Self::Open => 1.4,
            Self::Oh | Self::Spread | Self::Mid => 1.2,
            Self::Teeth | Self::Rhotic => 0.8,
            Self::Lateral => 1.0,
            Self::Neutral => 0.7,
            Self::Back | Self::Breath => 0.3,
        }
    }

    /// Consonants that leave the rounding to the vowels around them.
    pub(super) fn borrows_rounding(self) -> bool {
        matches!(self, Self::Teeth | Self::Back | Self::Breath | Self::Lateral | Self::Tip | Self::Closed)
    }

    /// Whether its jaw follows the voice's strength.
    pub(super) fn is_vowel(self) -> bool {
        matches!(self, Self::Open | Self::Mid | Self::Spread | Self::Oh | Self::Round | Self::Neutral)
    }

    /// Seconds by which the shape comes before the sound.
    pub(super) fn lead(self) -> f32 {
        match self {
            Self::Round | Self::Oh | Self::Hush | Self::Rhotic => 0.12,
            Self::Closed | Self::Lip => 0.07,
            _ => 0.08,
        }
    }
}

/// The shapes of one phoneme, in order: diphthongs and affricates have two.
pub(super) fn of(ipa: &str) -> Vec<Viseme> {
    let mut shapes: Vec<Viseme> = Vec::new();
    for symbol in ipa.chars() {
        let Some(shape) = of_symbol(symbol) else { continue };
        if shapes.last() != Some(&shape) {
            shapes.push(shape);
        }
    }
    // An affricate is one gesture: its stop hides behind the hush.
    if shapes == [Viseme::Teeth, Viseme::Hush] {
        shapes.remove(0);
    }
    if shapes.is_empty() && ipa.chars().any(char::is_alphabetic) {
        shapes.push(Viseme::Neutral);
    }
    shapes
}

fn of_symbol(symbol: char) -> Option<Viseme> {
    Some(match symbol {
        'a' | 'ɑ' | 'æ' | 'ä' | 'ɐ' | 'ʌ' | 'A' | 'ã' => Viseme::Open,
        'e' | 'ɛ' | 'E' | 'ɜ' | 'ẽ' => Viseme::Mid,
        'i' | 'ɪ' | 'I' | 'j' | 'ɨ' => Viseme::Spread,
        'o' | 'ɔ' | 'ɒ' | 'O' | 'õ' | 'ɤ' | 'œ' | 'ø' | 'ɵ' | 'ɞ' | 'ɶ' => Viseme::Oh,
        'u' | 'ʊ' | 'w' | 'y' | 'ʏ' | 'ɥ' | 'ʉ' | 'W' | 'Y' | 'Q' => Viseme::Round,
        'ə' | 'ɚ' | 'ɝ' | 'ᵊ' | 'ᵻ' | 'ɯ' | 'ɘ' => Viseme::Neutral,
        'm' | 'b' | 'p' | 'ɓ' | 'ɱ' | 'β' | 'ɸ' => Viseme::Closed,
        'f' | 'v' | 'ʋ' => Viseme::Lip,
        's' | 'z' | 't' | 'd' | 'n' | 'ɾ' | 'ʦ' | 'ʣ' | 'ɲ' | 'c' | 'ɟ' | 'ʈ' | 'ɖ' | 'ɳ' | 'T' => {
            Viseme::Teeth
        }
        'ʃ' | 'ʒ' | 'ʧ' | 'ʤ' | 'ɕ' | 'ʑ' | 'ʂ' | 'ʐ' => Viseme::Hush,
        'θ' | 'ð' => Viseme::Tip,
        'l' | 'ɫ' | 'ʎ' | 'ɭ' | 'r' => Viseme::Lateral,
        // English rounds its r; one that is rolled or made in the throat leaves lips alone.
        'ɹ' | 'ɻ' => Viseme::Rhotic,
        'k' | 'g' | 'ɡ' | 'ŋ' | 'x' | 'ɣ' | 'q' | 'ç' | 'χ' | 'ʀ' | 'ʁ' => Viseme::Back,
        'h' | 'ɦ' | 'ʔ' | 'ħ' => Viseme::Breath,
        _ => return None,
    })
}
