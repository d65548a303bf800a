//! Constants of a graph.

use super::wire::{Damaged, fields, put_bytes, put_number, varint};

/// `TensorProto.data_type`.
const FLOAT: u64 = 1;
const UINT8: u64 = 2;
const INT64: u64 = 7;

/// A constant in the file.
#[derive(Clone, Debug)]
pub struct Tensor<'a> {
    pub name: &'a str,
    pub shape: Vec<usize>,
    data_type: u64,
    raw: &'a [u8],
    /// Floats that are not kept raw.
    floats: Vec<f32>,
    /// Small integers that are not kept raw.
    integers: Vec<u64>,
}

impl<'a> Tensor<'a> {
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Damaged> {
        let mut tensor = Self { name: "", shape: vec![], data_type: 0, raw: &[], floats: vec![], integers: vec![] };
        for field in fields(bytes) {
            let field = field?;
            match field.number {
                1 if field.payload.is_empty() => tensor.shape.push(field.value as usize),
                1 => tensor.shape = packed(field.payload)?.into_iter().map(|size| size as usize).collect(),
                2 => tensor.data_type = field.value,
                4 => tensor.floats.extend(le_floats(field.payload)),
                5 if field.payload.is_empty() => tensor.integers.push(field.value),
                5 => tensor.integers = packed(field.payload)?,
                8 => tensor.name = std::str::from_utf8(field.payload).map_err(|_| Damaged("a name is not UTF-8"))?,
                9 => tensor.raw = field.payload,
                _ => {}
            }
        }
        Ok(tensor)
    }

    /// Its bytes, if that is what it holds.
    pub fn bytes(&self) -> Option<Vec<u8>> {
        if self.data_type != UINT8 {
            return None;
        }
        if self.raw.is_empty() {
            Some(self.integers.iter().map(|value| *value as u8).collect())
        } else {
            Some(self.raw.to_vec())
        }
    }

    /// Its numbers, if that is what it holds.
    pub fn floats(&self) -> Option<Vec<f32>> {
        if self.data_type != FLOAT {
            return None;
        }
        Some(if self.raw.is_empty() { self.floats.clone() } else { le_floats(self.raw).collect() })
    }
}

fn packed(mut bytes: &[u8]) -> Result<Vec<u64>, Damaged> {
    let mut values = Vec::new();
    while !bytes.is_empty() {
        values.push(varint(&mut bytes)?);
    }
    Ok(values)
}

fn le_floats(bytes: &[u8]) -> impl Iterator<Item = f32> {
    bytes.chunks_exact(4).map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]]))
}

/// A constant to be added.
#[derive(Clone, Debug)]
pub struct Constant {
    pub name: String,
    data_type: u64,
    shape: Vec<usize>,
    raw: Vec<u8>,
}

impl Constant {
    pub fn float(name: &str, value: f32) -> Self {
        Self::floats(name, &[], &[value])
    }

    pub fn floats(name: &str, shape: &[usize], values: &[f32]) -> Self {
        let raw = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        Self { name: name.to_owned(), data_type: FLOAT, shape: shape.to_vec(), raw }
    }

    pub fn ints(name: &str, shape: &[usize], values: &[i64]) -> Self {
        let raw = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        Self { name: name.to_owned(), data_type: INT64, shape: shape.to_vec(), raw }
    }

    pub fn bytes(name: &str, shape: &[usize], raw: Vec<u8>) -> Self {
        Self { name: name.to_owned(), data_type: UINT8, shape: shape.to_vec(), raw }
    }

    pub fn encode(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.raw.len() + 64);
        for size in &self.shape {
            put_number(&mut out, 1, *size as u64);
        }
        put_number(&mut out, 2, self.data_type);
        put_bytes(&mut out, 8, self.name.as_bytes());
        put_bytes(&mut out, 9, &self.raw);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_constant_is_read_as_it_was_written() {
        let encoded = Constant::floats("w", &[2, 1], &[0.5, -3.0]).encode();
        let tensor = Tensor::parse(&encoded).unwrap();
        assert_eq!((tensor.name, tensor.shape.clone(), tensor.floats()), ("w", vec![2, 1], Some(vec![0.5, -3.0])));
        assert_eq!(tensor.bytes(), None);
        let encoded = Constant::bytes("b", &[3], vec![0, 200, 7]).encode();
        assert_eq!(Tensor::parse(&encoded).unwrap().bytes(), Some(vec![0, 200, 7]));
    }
}
