//! The sound track is one stream, however many encoders made it.

#![allow(clippy::disallowed_methods, reason = "tests watch the clock, write files and start programs")]

mod common;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use compere_codec::aac::{self, AacTrack, FRAME_SAMPLES, PRIMING};
use compere_codec::sound::{SoundFile, SoundWriter};
use compere_media::SAMPLE_RATE;

/// Longer than two stretches of thirty seconds.
const SECONDS: u32 = 70;

/// Chords with a drum on every third of a second: transients are what makes encoders change their windows.
fn music(path: &Path) -> SoundFile {
    let mut writer = SoundWriter::create(path).unwrap();
    let mut noise = 1u32;
    for n in 0..SECONDS * SAMPLE_RATE {
        let t = f64::from(n) / f64::from(SAMPLE_RATE);
        noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let drum = f64::from(n % 16_000) / 16_000.0;
        let hit = (f64::from(noise >> 8) / f64::from(1 << 23) - 1.0) * (-drum * 40.0).exp() * 0.3;
        let chord: f64 =
            [220.0, 277.18, 329.63].iter().map(|pitch| (t * pitch * std::f64::consts::TAU).sin() * 0.15).sum();
        writer.write(&[(chord + hit) as f32, (chord - hit * 0.5) as f32]).unwrap();
    }
    writer.finish().unwrap()
}

/// Keeps stretches, and counts those that it gave.
#[derive(Default)]
struct Memory {
    kept: Mutex<BTreeMap<[u8; 32], Vec<u8>>>,
    found: AtomicUsize,
}

impl aac::Kept for Memory {
    fn get(&self, of: &[u8; 32]) -> Option<Vec<u8>> {
        let found = self.kept.lock().unwrap().get(of).cloned();
        self.found.fetch_add(usize::from(found.is_some()), Ordering::Relaxed);
        found
    }

    fn put(&self, of: &[u8; 32], stretch: &[u8]) {
        self.kept.lock().unwrap().insert(*of, stretch.to_vec());
    }
}

/// Puts the headers back on that MP4 does without, and decodes.
fn decoded(track: &AacTrack, dir: &Path) -> Vec<f32> {
    let frames = std::fs::read(&track.path).unwrap();
    let (mut adts, mut at) = (Vec::new(), 0);
    for &size in &track.sizes {
        let whole = size + 7;
        adts.extend([
            0xff,
            0xf1,
            0x4c,
            0x80 | (whole >> 11) as u8,
            (whole >> 3) as u8,
            ((whole & 7) << 5) as u8 | 0x1f,
            0xfc,
        ]);
        adts.extend_from_slice(&frames[at..at + size as usize]);
        at += size as usize;
    }
    assert_eq!(at, frames.len(), "the table covers every byte");
    let (from, to) = (dir.join("track.aac"), dir.join("track.f32"));
    std::fs::write(&from, adts).unwrap();
    let done = std::process::Command::new("ffmpeg")
        .args(["-v", "error", "-y", "-i"])
        .arg(&from)
        .args(["-f", "f32le"])
        .arg(&to)
        .output()
        .unwrap();
    assert!(done.status.success() && done.stderr.is_empty(), "{}", String::from_utf8_lossy(&done.stderr));
    let bytes = std::fs::read(to).unwrap();
    bytes.as_chunks::<4>().0.iter().map(|sample| f32::from_le_bytes(*sample)).collect()
}

/// How far below the sound its error lies, in dB.
fn clean(sound: &[f32], decoded: &[f32]) -> f64 {
    let power = |samples: &mut dyn Iterator<Item = f32>| samples.map(|s| f64::from(s).powi(2)).sum::<f64>();
    let error = power(&mut sound.iter().zip(decoded).map(|(a, b)| a - b));
    10.0 * (power(&mut sound.iter().copied()) / error).log10()
}

#[test]
fn stretches_join_without_a_trace() {
    let dir = tempfile::tempdir().unwrap();
    let sound = music(&dir.path().join("sound.f32"));
    let kept = Memory::default();
    let one = aac::encode(&common::sandbox(), &sound, aac::MUSIC, &dir.path().join("one"), 1, &kept).unwrap();
    let two =
        aac::encode(&common::sandbox(), &sound, aac::MUSIC, &dir.path().join("two"), 2, &aac::NothingKept).unwrap();
    assert_eq!(one.sizes, two.sizes);
    assert_eq!(std::fs::read(&one.path).unwrap(), std::fs::read(&two.path).unwrap(), "threads change bytes");
    assert_eq!(one.sizes.len() as u64, (sound.len() + PRIMING).div_ceil(FRAME_SAMPLES));

    let again = aac::encode(&common::sandbox(), &sound, aac::MUSIC, &dir.path().join("again"), 2, &kept).unwrap();
    assert_eq!(kept.found.load(Ordering::Relaxed), 3, "all three stretches were kept");
    assert_eq!(again.sizes, one.sizes);
    assert_eq!(std::fs::read(&again.path).unwrap(), std::fs::read(&one.path).unwrap(), "kept is as good as new");

    let heard = decoded(&one, dir.path());
    let heard = &heard[PRIMING as usize * 2..];
    let bytes = std::fs::read(sound.path()).unwrap();
    let meant: Vec<f32> = bytes.as_chunks::<4>().0.iter().map(|sample| f32::from_le_bytes(*sample)).collect();
    // Tenths of a second, stereo.
    let blocks: Vec<f64> = meant.chunks_exact(9600).zip(heard.chunks_exact(9600)).map(|(a, b)| clean(a, b)).collect();
    let mut sorted = blocks.clone();
    sorted.sort_by(f64::total_cmp);
    let (worst, tenth) = (sorted[0], sorted[sorted.len() / 10]);
    assert!(tenth > 12.0, "a tenth of the film has an error of {tenth:.1} dB");
    for join in [1406 * FRAME_SAMPLES, 2 * 1406 * FRAME_SAMPLES] {
        let at = (join * 2 / 9600) as usize;
        let near = blocks[at - 1..=at + 1].iter().fold(f64::MAX, |least, &block| least.min(block));
        assert!(
            near > tenth - 3.0,
            "{near:.1} dB at the join of sample {join}; elsewhere {tenth:.1}, at worst {worst:.1}"
        );
    }
}

/// Vowels that glide and stop, as somebody speaks; `apart` is by how much of its pitch the other side differs.
fn voice(path: &Path, apart: f64) -> SoundFile {
    let mut writer = SoundWriter::create(path).unwrap();
    let side = |t: f64, pitch: f64| {
        let glide = pitch * t + 4.0 * (t * 2.3).sin();
        let tones = (1..=24).map(|n| f64::from(n) * glide * std::f64::consts::TAU);
        let open = (0.5 + 0.5 * (t * 9.0).sin()).powi(2);
        tones.zip(1..).map(|(phase, n)| phase.sin() / f64::from(n)).sum::<f64>() * 0.2 * open
    };
    for n in 0..12 * SAMPLE_RATE {
        let t = f64::from(n) / f64::from(SAMPLE_RATE);
        writer.write(&[side(t, 120.0) as f32, side(t, 120.0 * (1.0 + apart)) as f32]).unwrap();
    }
    writer.finish().unwrap()
}

#[test]
fn speech_needs_half_the_bits_because_its_sides_are_the_same() {
    let dir = tempfile::tempdir().unwrap();
    let coded = |apart: f64, rate: u32| {
        let sound = voice(&dir.path().join("sound.f32"), apart);
        let track =
            aac::encode(&common::sandbox(), &sound, rate, &dir.path().join("aac"), 1, &aac::NothingKept).unwrap();
        let heard = decoded(&track, dir.path());
        let bytes = std::fs::read(sound.path()).unwrap();
        let meant: Vec<f32> = bytes.as_chunks::<4>().0.iter().map(|sample| f32::from_le_bytes(*sample)).collect();
        let bits = track.sizes.iter().map(|&size| f64::from(size) * 8.0).sum::<f64>() / 12.0;
        (bits, clean(&meant, &heard[PRIMING as usize * 2..][..meant.len()]))
    };
    let (speech, clear) = coded(0.0, aac::SPEECH);
    let (both, as_clear) = coded(0.3, aac::MUSIC);
    let (_, blurred) = coded(0.3, aac::SPEECH);
    assert!(speech < 105_000.0 && both > 1.6 * speech, "{speech:.0} and {both:.0} bits a second");
    assert!(clear > as_clear - 5.0, "{clear:.1} dB with one voice, {as_clear:.1} with two at twice the rate");
    assert!(
        clear > blurred + 10.0,
        "{clear:.1} dB with one voice, {blurred:.1} with two: the sides are coded each by itself"
    );
}
