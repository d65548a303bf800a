//! Numbers as bytes and back, sealed with a hash: a damaged file is no bank, not a crash.

use crate::bank::Bank;
use crate::error::OwnError;
use crate::linear::Matrix;
use crate::lips::{CONTEXT, Lips};
use crate::model::{LOOK, Model};
use crate::track::points::MOUTH_POINTS;
use crate::track::pose::{Posed, Similarity};

const MAGIC: &[u8; 8] = b"cownbnk1";
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

    fn sealed(self) -> Vec<u8> {
        let hash = blake3::hash(&self.0);
        [&MAGIC[..], hash.as_bytes(), &self.0].concat()
    }
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn unsealed(bytes: &'a [u8]) -> Option<Self> {
        let body = bytes.strip_prefix(MAGIC)?;
        let (hash, body) = body.split_at_checked(HASH)?;
        (blake3::hash(body).as_bytes() == hash).then_some(Self(body))
    }

    fn take(&mut self, len: usize) -> Option<&'a [u8]> {
        self.0.split_off(..len)
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
        let posed = Posed { poses, turns: self.rows()?, lips: self.rows()?, mouths: self.mouths()? };
        let count = posed.poses.len();
        (posed.turns.len() == count && posed.mouths.len() == count).then_some(posed)
    }
}

/// A bank with the base that its films are made on.
pub(crate) fn to_bytes(bank: &Bank, base: &Posed) -> Vec<u8> {
    let mut out = Writer::default();
    out.doubles(bank.canon.as_flattened());
    out.floats(bank.lips.as_flattened());
    out.matrix(&bank.contexts);
    out.floats(bank.turns.as_flattened());
    out.floats(&bank.light);
    out.ints(&bank.asked.iter().map(|&lips| lips as u32).collect::<Vec<_>>());
    out.ints(&bank.takes);
    out.ints(&bank.indices);
    out.floats(bank.mouths.as_flattened().as_flattened());
    out.matrix(&bank.looks);
    if let Some(model) = &bank.model {
        out.matrix(&model.weights);
        out.floats(&model.lip_scale);
        out.floats(&model.turn_mean);
    }
    out.posed(base);
    out.sealed()
}

pub(crate) fn from_bytes(bytes: &[u8]) -> Result<(Bank, Posed), OwnError> {
    Reader::unsealed(bytes).and_then(read).ok_or_else(|| OwnError::Damaged("the presenter's bank".to_owned()))
}

fn read(mut from: Reader<'_>) -> Option<(Bank, Posed)> {
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
    bank.model = Some(Model { weights, lip_scale, turn_mean }).filter(Model::is_sound);
    let base = from.posed()?;
    let count = bank.lips.len();
    let lengths = [bank.contexts.rows(), bank.turns.len(), bank.light.len(), bank.asked.len(), bank.takes.len()];
    let whole = bank.contexts.columns == CONTEXT && bank.looks.columns == LOOK && bank.model.is_some();
    let even = lengths.iter().chain(&[bank.mouths.len(), bank.looks.rows()]).all(|&len| len == count);
    (whole && even && count > 0 && bank.canon.len() == 468 && !base.poses.is_empty()).then_some((bank, base))
}
