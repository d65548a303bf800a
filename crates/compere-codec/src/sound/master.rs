//! Every film equally loud: −16 LUFS after EBU R128, true peaks at most −1 dBTP.

use std::path::Path;

use compere_media::{SAMPLE_RATE, Sound, math};
use ebur128::{EbuR128, Mode};

use super::limiter::Limiter;
use super::{Held, SoundFile, SoundSource, SoundWriter};
use crate::MediaError;

pub const TARGET_LUFS: f64 = -16.0;
pub const CEILING_DBTP: f64 = -1.0;
/// What the limiter aims at: coding to AAC and back moves peaks a little.
const AIM_DBTP: f64 = -1.3;
/// Quieter than this is silence or hiss, which stays as it is.
const SILENCE_LUFS: f64 = -60.0;
/// No more than this is added, so that a whispered film does not become a noisy one.
const MOST_GAIN_DB: f64 = 24.0;

const BLOCK: usize = 48_000;

/// Masters a whole film's sound into the file `to`, and says how loud it has become: integrated, in LUFS, −∞ for silence.
/// The length stays the same.
pub fn master(mixed: &SoundFile, to: &Path) -> Result<(SoundFile, f64), MediaError> {
    let gain_db = wanted_gain(&mut mixed.reader()?)?;
    let mut writer = SoundWriter::create(to)?;
    let mut meter = meter(Mode::I)?;
    render(&mut mixed.reader()?, gain_db, |block| {
        meter.add_frames_f32(block).map_err(|error| failed(&error))?;
        writer.write(block)
    })?;
    let loudness = meter.loudness_global().map_err(|error| failed(&error))?;
    Ok((writer.finish()?, loudness))
}

/// Masters a sound in memory, which becomes stereo, and says what was added, in dB, before the limiter.
pub fn master_sound(sound: &mut Sound) -> f64 {
    let mut samples = Vec::with_capacity(sound.len() as usize * 2);
    let mastered = wanted_gain(&mut Held::new(sound)).and_then(|gain_db| {
        render(&mut Held::new(sound), gain_db, |block| {
            samples.extend_from_slice(block);
            Ok(())
        })?;
        Ok(gain_db)
    });
    *sound = Sound::new(2, samples);
    // Nothing here touches the world, so nothing fails.
    mastered.unwrap_or_default()
}

fn wanted_gain(source: &mut dyn SoundSource) -> Result<f64, MediaError> {
    let mut meter = meter(Mode::I)?;
    let mut block = vec![0.0; BLOCK * 2];
    loop {
        match source.read(&mut block)? {
            0 => break,
            n => meter.add_frames_f32(&block[..n]).map_err(|error| failed(&error))?,
        }
    }
    Ok(gain_by(&meter)?.unwrap_or(0.0))
}

/// What is to be added to what a meter heard, in dB; nothing is known of silence and hiss.
pub(super) fn gain_by(meter: &EbuR128) -> Result<Option<f64>, MediaError> {
    let loudness = meter.loudness_global().map_err(|error| failed(&error))?;
    // In hundredths: the last digits of what the meter says are the platform's, and would be other bytes elsewhere.
    let hundredths = |gain: f64| (gain * 100.0).round() / 100.0;
    Ok((loudness > SILENCE_LUFS).then(|| hundredths((TARGET_LUFS - loudness).min(MOST_GAIN_DB))))
}

fn render(
    source: &mut dyn SoundSource,
    gain_db: f64,
    mut write: impl FnMut(&[f32]) -> Result<(), MediaError>,
) -> Result<(), MediaError> {
    let gain = math::amplitude(gain_db) as f32;
    let mut limiter = limiter();
    let mut late = Limiter::DELAY;
    let mut emit = |limited: &[f32]| {
        let skip = late.min(limited.len() / 2);
        late -= skip;
        write(&limited[skip * 2..])
    };
    let mut block = vec![0.0; BLOCK * 2];
    loop {
        let n = source.read(&mut block)?;
        if n == 0 {
            break;
        }
        limit(&mut limiter, &mut block[..n], gain);
        emit(&block[..n])?;
    }
    let mut tail = vec![0.0; Limiter::DELAY * 2];
    limit(&mut limiter, &mut tail, gain);
    emit(&tail)
}

pub(super) fn limiter() -> Limiter {
    Limiter::new(math::amplitude(AIM_DBTP) as f32)
}

fn limit(limiter: &mut Limiter, block: &mut [f32], gain: f32) {
    for frame in block.chunks_exact_mut(2) {
        let [left, right] = limiter.push([frame[0] * gain, frame[1] * gain]);
        (frame[0], frame[1]) = (left, right);
    }
}

pub(super) fn meter(mode: Mode) -> Result<EbuR128, MediaError> {
    EbuR128::new(2, SAMPLE_RATE, mode).map_err(|error| failed(&error))
}

pub(super) fn failed(error: &ebur128::Error) -> MediaError {
    MediaError::machine(format!("the loudness could not be measured: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stereo(seconds: f64, at: impl Fn(f64) -> f64) -> Sound {
        let samples = (0..(seconds * 48_000.0) as u64).flat_map(|n| [at(n as f64 / 48_000.0) as f32; 2]);
        Sound::new(2, samples.collect())
    }

    fn tone(t: f64) -> f64 {
        math::sin(t * 440.0 * std::f64::consts::TAU)
    }

    /// Integrated loudness in LUFS, and true peak in dBTP.
    fn heard(sound: &Sound) -> (f64, f64) {
        let mut meter = meter(Mode::I | Mode::TRUE_PEAK).unwrap();
        meter.add_frames_f32(sound.samples()).unwrap();
        let peak = meter.true_peak(0).unwrap().max(meter.true_peak(1).unwrap());
        (meter.loudness_global().unwrap(), math::decibels(peak))
    }

    #[test]
    fn quiet_and_loud_films_become_equally_loud() {
        for level in [0.02, 0.1, 0.9] {
            let mut sound = stereo(6.0, |t| level * tone(t));
            master_sound(&mut sound);
            let (loudness, _) = heard(&sound);
            assert!((loudness - TARGET_LUFS).abs() < 0.2, "{level}: {loudness}");
            assert_eq!(sound.len(), 288_000);
        }
    }

    #[test]
    fn peaks_between_samples_stay_under_the_ceiling() {
        // Mostly quiet, with bursts of a tone whose highest points lie between its samples.
        let mut sound = stereo(8.0, |t| {
            let burst = t.fract() < 0.002;
            0.05 * tone(t) + if burst { 0.9 * math::sin(t * 12_000.0 * std::f64::consts::TAU + 0.785) } else { 0.0 }
        });
        let gain_db = master_sound(&mut sound);
        assert!(gain_db > 3.0, "{gain_db}");
        let (_, peak) = heard(&sound);
        assert!(peak <= CEILING_DBTP, "{peak}");
        assert!(sound.peak() < 0.9);
    }

    #[test]
    fn silence_and_hiss_stay_what_they_are() {
        let mut silence = Sound::silence(1, 96_000);
        let gain_db = master_sound(&mut silence);
        assert_eq!((silence.peak(), gain_db), (0.0, 0.0));
        let mut hiss = stereo(3.0, |t| 0.0002 * math::sin(t * 9_999.0 * t));
        assert_eq!(master_sound(&mut hiss), 0.0);
        let mut nothing = Sound::silence(2, 0);
        master_sound(&mut nothing);
        assert!(nothing.is_empty());
    }

    #[test]
    fn what_needs_no_limiting_is_only_scaled_and_not_moved() {
        let mut sound = stereo(2.0, |t| 0.05 * tone(t));
        let before = sound.clone();
        let gain = math::amplitude(master_sound(&mut sound)) as f32;
        for (after, before) in sound.samples().iter().zip(before.samples()) {
            assert!((after - before * gain).abs() < 1e-5);
        }
    }
}
