//! Spoken sound with its marks, and the form it takes in a cache.

use compere_media::{Marks, PhonemeMark, SampleSpan, Sound, Stress, WordMark};

/// A stretch of speech. The sound is mono; the marks lie inside it.
#[derive(Clone, Debug, PartialEq)]
pub struct Utterance {
    pub sound: Sound,
    pub marks: Marks,
}

#[derive(Debug, thiserror::Error)]
#[error("these bytes are not a stored utterance: {0}")]
pub struct NotAnUtterance(&'static str);

/// Names the layout below; a change to either changes the other.
const MAGIC: &[u8; 8] = b"cspeech1";

impl Utterance {
    pub fn silence(samples: u64) -> Self {
        Self { sound: Sound::silence(1, samples), marks: Marks::default() }
    }

    pub fn append(&mut self, other: &Self) {
        self.marks.append(&other.marks, self.sound.len());
        self.sound.append(&other.sound);
    }

    /// Rounds the samples to the 16 bits that are stored, so that a cache hit and a miss give the same bytes.
    pub fn settle(&mut self) {
        for sample in self.sound.samples_mut() {
            *sample = from_i16(to_i16(*sample));
        }
    }

    /// The compact file form: a magic word, 16-bit samples, marks, and a checksum of all that.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(64 + self.sound.samples().len() * 2 + self.marks.phonemes.len() * 12);
        out.extend_from_slice(MAGIC);
        put_len(&mut out, self.sound.samples().len());
        for sample in self.sound.samples() {
            out.extend_from_slice(&to_i16(*sample).to_le_bytes());
        }
        put_len(&mut out, self.marks.phonemes.len());
        for mark in &self.marks.phonemes {
            put_span(&mut out, mark.span);
            out.push(mark.stress as u8);
            put_text(&mut out, &mark.ipa);
        }
        put_len(&mut out, self.marks.words.len());
        for mark in &self.marks.words {
            put_span(&mut out, mark.span);
            put_text(&mut out, &mark.text);
        }
        let sum = blake3::hash(&out);
        out.extend_from_slice(&sum.as_bytes()[..8]);
        out
    }

    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NotAnUtterance> {
        let end = bytes.len().checked_sub(8).ok_or(NotAnUtterance("too short"))?;
        let (body, sum) = bytes.split_at(end);
        if blake3::hash(body).as_bytes()[..8] != *sum {
            return Err(NotAnUtterance("damaged"));
        }
        let mut reader = Reader(body);
        if reader.take(MAGIC.len())? != MAGIC {
            return Err(NotAnUtterance("another format or version"));
        }
        let count = reader.len()?;
        let samples = reader.take(count * 2)?;
        let samples = samples.chunks_exact(2).map(|pair| from_i16(i16::from_le_bytes([pair[0], pair[1]]))).collect();
        let mut marks = Marks::default();
        for _ in 0..reader.len()? {
            let (span, stress) = (reader.span()?, reader.stress()?);
            marks.phonemes.push(PhonemeMark { span, stress, ipa: reader.text()? });
        }
        for _ in 0..reader.len()? {
            marks.words.push(WordMark { span: reader.span()?, text: reader.text()? });
        }
        Ok(Self { sound: Sound::new(1, samples), marks })
    }
}

fn to_i16(sample: f32) -> i16 {
    (sample * 32767.0).round().clamp(-32767.0, 32767.0) as i16
}

fn from_i16(sample: i16) -> f32 {
    f32::from(sample) / 32767.0
}

fn put_len(out: &mut Vec<u8>, len: usize) {
    out.extend_from_slice(&(len as u32).to_le_bytes());
}

fn put_span(out: &mut Vec<u8>, span: SampleSpan) {
    put_len(out, span.start as usize);
    put_len(out, span.end as usize);
}

fn put_text(out: &mut Vec<u8>, text: &str) {
    put_len(out, text.len());
    out.extend_from_slice(text.as_bytes());
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, len: usize) -> Result<&'a [u8], NotAnUtterance> {
        let (head, tail) = self.0.split_at_checked(len).ok_or(NotAnUtterance("cut short"))?;
        self.0 = tail;
        Ok(head)
    }

    fn len(&mut self) -> Result<usize, NotAnUtterance> {
        let bytes = self.take(4)?;
        Ok(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) as usize)
    }

    fn span(&mut self) -> Result<SampleSpan, NotAnUtterance> {
        let (start, end) = (self.len()? as u64, self.len()? as u64);
        if start > end { Err(NotAnUtterance("a mark ends before it begins")) } else { Ok(SampleSpan { start, end }) }
    }

    fn stress(&mut self) -> Result<Stress, NotAnUtterance> {
        match self.take(1)?[0] {
            0 => Ok(Stress::None),
            1 => Ok(Stress::Secondary),
            2 => Ok(Stress::Primary),
            _ => Err(NotAnUtterance("an unknown stress")),
        }
    }

    fn text(&mut self) -> Result<String, NotAnUtterance> {
        let len = self.len()?;
        let bytes = self.take(len)?;
        String::from_utf8(bytes.to_vec()).map_err(|_| NotAnUtterance("text that is not UTF-8"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Utterance {
        let mut utterance = Utterance {
            sound: Sound::new(1, vec![0.0, 0.5, -0.25, 1.0]),
            marks: Marks {
                phonemes: vec![PhonemeMark {
                    span: SampleSpan { start: 1, end: 3 },
                    ipa: "tʃ".into(),
                    stress: Stress::Primary,
                }],
                words: vec![WordMark { span: SampleSpan { start: 1, end: 4 }, text: "“Chew”".into() }],
            },
        };
        utterance.settle();
        utterance
    }

    #[test]
    fn comes_back_as_it_was_stored() {
        assert_eq!(Utterance::from_bytes(&sample().to_bytes()).unwrap(), sample());
    }

    #[test]
    fn damage_is_noticed_wherever_it_is() {
        let whole = sample().to_bytes();
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 1;
            assert!(Utterance::from_bytes(&bytes).is_err(), "byte {at}");
            assert!(Utterance::from_bytes(&whole[..at]).is_err(), "cut at {at}");
        }
    }
}
