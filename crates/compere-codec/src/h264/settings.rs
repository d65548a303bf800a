//! What a stream looks like before its first frame is known.

use super::EncodeError;
use super::ffi::Config;
use super::layout::REACH;

/// Size and quality of a stream. Two streams with equal width, height and quality can be joined.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    pub width: u32,
    pub height: u32,
    pub quality: Quality,
    /// Threads inside the encoder. The bytes depend on this number and on nothing else of the machine, so what
    /// must be reproducible keeps it at 1 and encodes several segments at a time.
    pub threads: u32,
}

/// How good, and at what price in time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quality {
    /// As x264's constant rate factor, 10 to 40: 18 looks like the source, 28 shows.
    pub crf: f32,
    pub preset: Preset,
}

impl Default for Quality {
    fn default() -> Self {
        Self { crf: 23.0, preset: Preset::Veryfast }
    }
}

/// How hard libx264 searches where all of a picture changed, by its own names. Where most of it stands still, the rest is
/// searched [`HARDER`]: there `medium` takes a fifth longer than `veryfast` and saves 10 % of the bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preset {
    Ultrafast,
    Superfast,
    Veryfast,
    Faster,
    Fast,
    Medium,
}

/// A level and what it allows: macroblocks per picture, macroblocks per second, slices per picture at 30 fps.
///
/// 4.1 is the lowest because a spliced picture has up to three slices per macroblock row and the levels below allow
/// too few; every player of the last decade takes it.
const LEVELS: [(i32, u32, u32, u32); 4] =
    [(41, 8192, 245_760, 341), (42, 8704, 522_240, 725), (51, 36_864, 983_040, 1365), (52, 36_864, 2_073_600, 2880)];

/// Where the quantiser of predicted frames lies: about where x264's rate control arrives for a talking presenter.
const P_ABOVE_CRF: f32 = -1.0;

/// How much finer key frames are. What stands still shows them for seconds.
const I_BELOW_P: i32 = 3;

/// By how many presets more is searched where most of a picture stands still, and in key frames.
const HARDER: i32 = 3;

/// How much finer colours are than light: letters and gradients, for 4 % more bits.
const COLOURS_FINER: i32 = 3;

/// Pictures that one of footage may look back at, and that players keep. Every level has room for so many of its largest.
pub(super) const REFERENCES: u32 = 4;

impl Settings {
    /// The encoder of whole pictures, which may be told for each how hard it searches.
    pub(super) fn whole(&self) -> Result<Config, EncodeError> {
        let (level, _) = self.level()?;
        let crf = self.quality.crf;
        if !(10.0..=40.0).contains(&crf) {
            return Err(self.unusable("the crf of its quality must lie between 10 and 40"));
        }
        let qp_p = (crf + P_ABOVE_CRF).round() as i32;
        Ok(Config {
            width: self.width as i32,
            height: self.height as i32,
            level,
            threads: self.threads.clamp(1, 64) as i32,
            preset: self.search(true),
            qp_p,
            qp_i: qp_p - I_BELOW_P,
            finer_flats: 0,
            row_slices: 0,
            mv_range: 0,
            deblocking: 1,
            chroma_qp_offset: -COLOURS_FINER,
            references: 1,
            footage: 0,
        })
    }

    /// The encoder of stretches in which nearly all of every picture changes. Eyes that follow it see no finer colours.
    pub(super) fn footage(&self) -> Result<Config, EncodeError> {
        let whole = self.whole()?;
        let preset = Preset::Medium as i32;
        Ok(Config { preset, chroma_qp_offset: 0, references: REFERENCES as i32, footage: 1, ..whole })
    }

    /// The preset by which a picture is searched; `calm`: most of it stands still.
    pub(super) fn search(&self, calm: bool) -> i32 {
        let preset = self.quality.preset as i32;
        if calm { (preset + HARDER).min(Preset::Medium as i32) } else { preset }
    }

    /// The encoder of a small part that moves.
    pub(super) fn region(&self, width: u32, height: u32) -> Result<Config, EncodeError> {
        let whole = self.whole()?;
        let (width, height) = (width as i32, height as i32);
        Ok(Config { width, height, threads: 1, row_slices: 1, mv_range: REACH, deblocking: 0, ..whole })
    }

    /// The encoder of one key frame of a part that does not move; `spans`: it is as wide as the picture. Flat areas
    /// get finer quantisers than the rest: colour gradients would show blocks.
    pub(super) fn still(&self, width: u32, height: u32, spans: bool) -> Result<Config, EncodeError> {
        let region = self.region(width, height)?;
        Ok(Config { row_slices: i32::from(!spans), finer_flats: 1, ..region })
    }

    pub(super) fn max_slices(&self) -> u32 {
        self.level().map_or(0, |(_, slices)| slices)
    }

    /// The level and how many slices it allows per picture.
    fn level(&self) -> Result<(i32, u32), EncodeError> {
        if self.width < 16 || self.height < 16 {
            return Err(self.unusable("a side is below 16 pixels"));
        }
        if !self.width.is_multiple_of(2) || !self.height.is_multiple_of(2) {
            return Err(self.unusable("sides must be even, 4:2:0 has no half chroma sample"));
        }
        let (columns, rows) = (self.width.div_ceil(16), self.height.div_ceil(16));
        let macroblocks = columns.saturating_mul(rows);
        LEVELS
            .iter()
            .find(|&&(_, picture, second, slices)| {
                let longest = columns.max(rows);
                let square_enough = u64::from(longest).pow(2) <= 8 * u64::from(picture);
                macroblocks <= picture && macroblocks * 30 <= second && rows * 3 <= slices && square_enough
            })
            .map(|&(level, .., slices)| (level, slices))
            .ok_or_else(|| self.unusable("larger than H.264 level 5.2 allows at 30 frames per second"))
    }

    fn unusable(&self, why: &'static str) -> EncodeError {
        EncodeError::Unusable { width: self.width, height: self.height, why }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Table A-1 of H.264: macroblocks of all pictures that are kept.
    #[test]
    fn every_level_keeps_as_many_of_its_largest_pictures_as_footage_looks_at() {
        for (level, picture, ..) in LEVELS {
            let kept = match level {
                41 => 32_768,
                42 => 34_816,
                _ => 184_320,
            };
            assert!(kept / picture >= REFERENCES, "level {level}");
        }
    }
}
