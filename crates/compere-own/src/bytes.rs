//! Numbers as bytes and back, sealed with a hash: a damaged file is no bank, not a crash.

use crate::bank::Bank;
use crate::error::OwnError;
use crate::ground::Ground;
use crate::linear::Matrix;
use crate::lips::{CONTEXT, Lips};
use crate::model::{LOOK, Learned, Model};
use crate::track::points::MOUTH_POINTS;
use crate::track::pose::{Posed, Similarity};

const MAGIC: &[u8; 8] = b"cownbnk3";
/// Presenters from before bases knew of speech, and from before a model was of pictures; those are learned from anew.
const FIRST: &[u8; 8] = b"cownbnk1";
const SECOND: &[u8; 8] = b"cownbnk2";
const HASH: usize = blake3::OUT_LEN;

#[derive(Default)]
struct Writer(Vec<u8>);

impl Writer {
    fn floats(&mut self, numbers: &[f32]) {
        self.0.extend((numbers.len() as u64).to_le_bytes());
        numbers.iter().for_each(|number| self.0.extend(number.to_le_bytes()));
    }

    fn doubles(&mut self, numbers: &[f64]) {
        self.0.extend((numbers.len() as u64).to_le_bytes());
        numbers.iter().for_each(|number| self.0.extend(number.to_le_bytes()));
    }

    fn ints(&mut self, numbers: &[u32]) {
        self.0.extend((numbers.len() as u64).to_le_bytes());
        numbers.iter().for_each(|number| self.0.extend(number.to_le_bytes()));
    }

    fn matrix(&mut self, matrix: &Matrix) {
        self.ints(&[matrix.columns as u32]);
        self.floats(&matrix.numbers);
    }

    fn posed(&mut self, posed: &Posed) {
        let poses: Vec<f64> = posed.poses.iter().flat_map(|p| [p.cos, p.sin, p.x, p.y]).collect();
        self.doubles(&poses);
        self.floats(posed.turns.as_flattened());
        self.floats(posed.lips.as_flattened());
        self.floats(posed.mouths.as_flattened().as_flattened());
    }

    fn ground(&mut self, ground: &Ground) {
        self.posed(&ground.posed);
        self.floats(ground.posed.lids.as_flattened());
        self.ints(&ground.ends.iter().map(|&end| end as u32).collect::<Vec<_>>());
        self.matrix(&ground.accents);
    }

    fn bank(&mut self, bank: &Bank) {
        self.doubles(bank.canon.as_flattened());
        self.floats(bank.lips.as_flattened());
        self.matrix(&bank.contexts);
        self.floats(bank.turns.as_flattened());
        self.floats(&bank.light);
        self.ints(&bank.asked.iter().map(|&lips| lips as u32).collect::<Vec<_>>());
        self.ints(&bank.takes);
        self.ints(&bank.indices);
        self.floats(bank.mouths.as_flattened().as_flattened());
        self.matrix(&bank.looks);
        if let Some(model) = &bank.model {
            let learned = &model.learned;
            self.matrix(&learned.weights);
            self.floats(&learned.lip_scale);
            self.floats(&learned.turn_mean);
            self.floats(&learned.means);
            self.matrix(&learned.parallax);
        }
    }

    fn sealed(self, magic: &[u8; 8]) -> Vec<u8> {
        let hash = blake3::hash(&self.0);
        [&magic[..], hash.as_bytes(), &self.0].concat()
    }
}

struct Reader<'a> {
    left: &'a [u8],
    is_first: bool,
    is_newest: bool,
}

impl<'a> Reader<'a> {
    fn unsealed(bytes: &'a [u8]) -> Option<Self> {
        let (magic, body) = bytes.split_at_checked(MAGIC.len())?;
        let (hash, left) = body.split_at_checked(HASH)?;
        let (is_first, is_newest) = (magic == FIRST, magic == MAGIC);
        let known = is_first || is_newest || magic == SECOND;
        (known && blake3::hash(left).as_bytes() == hash).then_some(Self { left, is_first, is_newest })
    }

    fn take(&mut self, len: usize) -> Option<&'a [u8]> {
        self.left.split_off(..len)
    }

    fn list<const N: usize, T>(&mut self, of: impl Fn([u8; N]) -> T) -> Option<Vec<T>> {
        let len = u64::from_le_bytes(self.take(8)?.try_into().ok()?);
        let bytes = self.take(usize::try_from(len).ok()?.checked_mul(N)?)?;
        Some(bytes.as_chunks::<N>().0.iter().map(|&some| of(some)).collect())
    }

    fn floats(&mut self) -> Option<Vec<f32>> {
        self.list(f32::from_le_bytes)
    }

    fn doubles(&mut self) -> Option<Vec<f64>> {
        self.list(f64::from_le_bytes)
    }

    fn ints(&mut self) -> Option<Vec<u32>> {
        self.list(u32::from_le_bytes)
    }

    fn rows<const N: usize>(&mut self) -> Option<Vec<[f32; N]>> {
        let numbers = self.floats()?;
        numbers.len().is_multiple_of(N).then(|| numbers.as_chunks::<N>().0.to_vec())
    }

    fn matrix(&mut self) -> Option<Matrix> {
        let columns = *self.ints()?.first()? as usize;
        let numbers = self.floats()?;
        (columns > 0 && numbers.len().is_multiple_of(columns)).then_some(Matrix { columns, numbers })
    }

    fn mouths(&mut self) -> Option<Vec<[[f32; 2]; MOUTH_POINTS]>> {
        let points = self.rows::<2>()?;
        points.len().is_multiple_of(MOUTH_POINTS).then(|| points.as_chunks().0.to_vec())
    }

    fn posed(&mut self) -> Option<Posed> {
        let poses = self.doubles()?;
        let poses =
            poses.as_chunks::<4>().0.iter().map(|&[cos, sin, x, y]| Similarity { cos, sin, x, y }).collect::<Vec<_>>();
        let (turns, lips, mouths) = (self.rows()?, self.rows()?, self.mouths()?);
        let count = poses.len();
        let lids = if self.is_first { vec![[0.0; 2]; count] } else { self.rows()? };
        (turns.len() == count && mouths.len() == count).then_some(Posed { poses, turns, lips, mouths, lids })
    }

    fn ground(&mut self) -> Option<Ground> {
        let posed = self.posed()?;
        if self.is_first {
            return Some(Ground::silent(posed)).filter(Ground::is_whole);
        }
        let ends = self.ints()?.into_iter().map(|end| end as usize).collect();
        Some(Ground { posed, ends, accents: self.matrix()? }).filter(Ground::is_whole)
    }
}

/// A bank with the base that its films are made on.
pub(crate) fn to_bytes(bank: &Bank, base: &Ground) -> Vec<u8> {
    let mut out = Writer::default();
    out.bank(bank);
    out.ground(base);
    out.sealed(MAGIC)
}

pub(crate) fn from_bytes(bytes: &[u8]) -> Result<(Bank, Ground), OwnError> {
    Reader::unsealed(bytes).and_then(read).ok_or_else(|| OwnError::Damaged("the presenter's bank".to_owned()))
}

fn read(mut from: Reader<'_>) -> Option<(Bank, Ground)> {
    let canon = from.doubles()?;
    let mut bank = Bank {
        canon: canon.as_chunks::<2>().0.to_vec(),
        lips: from.rows()?,
        contexts: from.matrix()?,
        turns: from.rows()?,
        light: from.floats()?,
        asked: from.ints()?.into_iter().map(|n| Lips::of_byte(n as u8)).collect(),
        takes: from.ints()?,
        indices: from.ints()?,
        mouths: from.mouths()?,
        looks: from.matrix()?,
        model: None,
    };
    let weights = from.matrix()?;
    let (lip_scale, turn_mean) = (from.floats()?.try_into().ok()?, from.floats()?.try_into().ok()?);
    if from.is_newest {
        let (means, parallax) = (from.floats()?, from.matrix()?);
        let learned = Learned { weights, means, parallax, lip_scale, turn_mean };
        bank.model = Model::of(learned, &bank.contexts, &bank.turns);
    }
    let base = from.ground()?;
    let count = bank.lips.len();
    let lengths = [bank.contexts.rows(), bank.turns.len(), bank.light.len(), bank.asked.len(), bank.takes.len()];
    let whole = bank.contexts.columns == CONTEXT && bank.looks.columns == LOOK;
    let even = lengths.iter().chain(&[bank.mouths.len(), bank.looks.rows()]).all(|&len| len == count);
    if !whole || !even || count == 0 || bank.canon.len() != 468 {
        return None;
    }
    if !from.is_newest {
        bank.learn();
    }
    bank.model.is_some().then_some((bank, base))
}

#[cfg(test)]
mod tests {
    use super::*;
    use compere_media::Marks;

    fn posed(pictures: usize) -> Posed {
        Posed {
            poses: vec![Similarity { cos: 1.0, sin: 0.0, x: 3.0, y: 4.0 }; pictures],
            turns: vec![[1.0, 2.0]; pictures],
            lips: vec![[1.0; 6]; pictures],
            mouths: vec![[[5.0; 2]; MOUTH_POINTS]; pictures],
            lids: vec![[12.0, 30.0]; pictures],
        }
    }

    fn bank() -> Bank {
        let mut bank = Bank {
            canon: vec![[1.0, 2.0]; 468],
            lips: vec![[1.0; 6]],
            contexts: Matrix::zero(1, CONTEXT),
            turns: vec![[0.0; 2]],
            light: vec![100.0],
            asked: vec![Lips::Closed],
            takes: vec![0],
            indices: vec![0],
            mouths: vec![[[5.0; 2]; MOUTH_POINTS]],
            looks: Matrix::zero(1, LOOK),
            model: None,
        };
        bank.learn();
        bank
    }

    #[test]
    fn a_bank_is_read_as_it_was_written_and_one_from_before_has_a_silent_base() {
        let bank = bank();
        let mut ground = Ground::silent(posed(3));
        ground.add(&posed(9), 2..6, &Marks::default());
        let bytes = to_bytes(&bank, &ground);
        let (read, base) = from_bytes(&bytes).expect("it is whole");
        assert_eq!((&read, &base.ends, base.posed.lids.len()), (&bank, &vec![3, 7], 7));

        let mut first = Writer::default();
        first.bank(&Bank { model: None, ..bank.clone() });
        // What was learned then is not read.
        first.matrix(&Matrix::zero(2, 3));
        first.floats(&[1.0; 6]);
        first.floats(&[0.0; 2]);
        first.posed(&posed(3));
        let (read, base) = from_bytes(&first.sealed(FIRST)).expect("older ones are read");
        assert_eq!((&read, base.ends, base.posed.poses.len()), (&bank, vec![3], 3));

        let mut damaged = bytes;
        damaged[5000] ^= 1;
        assert!(from_bytes(&damaged).is_err());
    }
}
