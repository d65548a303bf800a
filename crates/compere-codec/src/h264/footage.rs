//! Stretches in which nearly all of every picture changes.
//!
//! Nothing stands still there that could be left out, so what saves bits is an encoder of its own: it looks back at several
//! pictures, and its colours are as coarse as light, which a PPS of its own says. A stretch begins with a key frame, which
//! is this encoder's, too, and lasts to the next.
//!
//! A picture in which nothing changed passes the encoder by: it is skipped macroblocks, as elsewhere. A player then has that
//! picture twice among those that it keeps, where the encoder has an older one in the second's place. So the next picture
//! looks at one other only, and each after it at one more, until the two lists are the same again.

use compere_media::{Damage, Frame};

use super::bits::{Reader, Writer, append_nal, unescaped};
use super::ffi::X264;
use super::pace::Pace;
use super::settings::REFERENCES;
use super::splice::planes;
use super::{EncodeError, Settings, mark_constant};

/// The share of a picture that changes in footage that fills it.
pub(super) const NEARLY_ALL: f64 = 0.9;

/// The PPS of these stretches. That of the others is 0.
const PPS: u32 = 1;

#[derive(Debug)]
pub(super) struct Footage {
    x264: X264,
    pace: Pace,
    /// How many pictures, from the last one back, are the same for the encoder and for whoever decodes.
    agreed: u32,
    /// Pictures since the key frame that were not passed by.
    coded: u32,
}

impl Footage {
    pub(super) fn open(settings: &Settings) -> Result<Self, EncodeError> {
        let config = settings.footage()?;
        let pixels = u64::from(settings.width) * u64::from(settings.height);
        let pace = Pace::of_footage(config.qp_i, config.qp_p, pixels);
        Ok(Self { x264: X264::open(config)?, pace, agreed: 0, coded: 0 })
    }

    /// The SPS of a film with such stretches, and their PPS.
    pub(super) fn headers(settings: &Settings) -> Result<(Vec<u8>, Vec<u8>), EncodeError> {
        let (sps, pps) = X264::open(settings.footage()?)?.headers()?;
        Ok((sps, renumbered(&pps, PPS)))
    }

    /// Codes a picture that differs from the one before within `damage`.
    pub(super) fn encode(&mut self, frame: &Frame, damage: &Damage, key: bool) -> Result<&[u8], EncodeError> {
        if key {
            (self.agreed, self.coded) = (0, 0);
        } else {
            self.coded += 1;
        }
        mark_constant(self.x264.mb_info(), frame.width().next_multiple_of(16), damage);
        self.x264.refer(self.agreed)?;
        self.agreed = (self.agreed + 1).min(REFERENCES);
        let bytes = self.x264.encode(planes(frame, frame.bounds()), key, self.pace.qp(self.coded))?;
        if !key {
            self.pace.spent(bytes.len());
        }
        Ok(bytes)
    }

    /// The picture before was shown once more.
    pub(super) fn pass(&mut self) {
        self.agreed = self.agreed.min(1);
    }
}

/// A PPS under another number.
pub(super) fn renumbered(pps: &[u8], id: u32) -> Vec<u8> {
    let mut raw = Vec::new();
    unescaped(pps, &mut raw);
    let stop = raw.iter().rposition(|&byte| byte != 0).map_or(0, |at| 8 * at + 8 - raw[at].trailing_zeros() as usize);
    let (mut from, mut to) = (Reader::new(&raw), Writer::default());
    from.copy_to(8, &mut to);
    from.ue();
    to.ue(id);
    from.copy_to(stop, &mut to);
    let mut nal = Vec::new();
    append_nal(&[&to.done()], &mut nal);
    nal.split_off(4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pps_under_another_number_says_the_same() {
        let settings = Settings { width: 640, height: 360, quality: super::super::Quality::default(), threads: 1 };
        let (_, own) = X264::open(settings.footage().unwrap()).unwrap().headers().unwrap();
        let other = renumbered(&own, PPS);
        assert_ne!(own, other);
        assert_eq!(renumbered(&other, 0), own);
        assert_eq!(renumbered(&own, 0), own);
    }
}
