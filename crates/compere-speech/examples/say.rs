//! `say VOICE OUT.wav TEXT`: speaks and prints the words with their times. For trying things out.

#![allow(clippy::disallowed_methods, reason = "a tool for developers")]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example talks to its terminal")]

use compere_speech::{NoCache, Script, Voices, speak};
use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, voice, out, text] = &arguments[..] else {
        return Err("usage: say VOICE OUT.wav TEXT".into());
    };
    let assets = std::env::var("COMPERE_ASSETS").unwrap_or_else(|_| "assets".into());
    let voice = Voices::open(Path::new(&assets), 2).get(voice)?;
    let spoken = speak(&Script::plain(text), &*voice, &NoCache, &mut |_| ControlFlow::Continue(()), 2)?;
    for warning in &spoken.warnings {
        eprintln!("warning: {warning}");
    }
    for mark in &spoken.utterance.marks.words {
        let (start, end) = mark.span.seconds();
        println!("{start:7.3} {end:7.3}  {}", mark.text);
    }
    let phonemes: Vec<_> = spoken.utterance.marks.phonemes.iter().map(|mark| mark.ipa.as_str()).collect();
    println!("{}", phonemes.join(" "));
    write_wav(Path::new(out), spoken.utterance.sound.samples())?;
    Ok(())
}

fn write_wav(path: &Path, samples: &[f32]) -> std::io::Result<()> {
    let bytes = samples.len() as u32 * 2;
    let mut file = std::io::BufWriter::new(std::fs::File::create(path)?);
    file.write_all(b"RIFF")?;
    file.write_all(&(36 + bytes).to_le_bytes())?;
    file.write_all(b"WAVEfmt \x10\0\0\0\x01\0\x01\0")?;
    file.write_all(&48_000u32.to_le_bytes())?;
    file.write_all(&96_000u32.to_le_bytes())?;
    file.write_all(b"\x02\0\x10\0data")?;
    file.write_all(&bytes.to_le_bytes())?;
    for sample in samples {
        file.write_all(&((sample * 32767.0).round() as i16).to_le_bytes())?;
    }
    file.flush()
}
