//! The protobuf wire format.

/// The file is not what it claims to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the model file is damaged: {0}")]
pub struct Damaged(pub &'static str);

#[derive(Clone, Copy, Debug)]
pub struct Field<'a> {
    pub number: u64,
    /// With its tag, ready to be copied.
    pub whole: &'a [u8],
    /// Of length-delimited fields; empty for numbers.
    pub payload: &'a [u8],
    /// Of varint fields; zero for others.
    pub value: u64,
}

pub fn fields(bytes: &[u8]) -> impl Iterator<Item = Result<Field<'_>, Damaged>> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        (!rest.is_empty()).then(|| {
            let field = field(rest);
            rest = field.map_or(&[], |field| &rest[field.whole.len()..]);
            field
        })
    })
}

fn field(bytes: &[u8]) -> Result<Field<'_>, Damaged> {
    let mut rest = bytes;
    let tag = varint(&mut rest)?;
    let (mut payload, mut value) = (&[][..], 0);
    match tag & 7 {
        0 => value = varint(&mut rest)?,
        1 => rest = rest.get(8..).ok_or(Damaged("cut short"))?,
        2 => {
            let len = usize::try_from(varint(&mut rest)?).map_err(|_| Damaged("a length is out of range"))?;
            (payload, rest) = rest.split_at_checked(len).ok_or(Damaged("cut short"))?;
        }
        5 => rest = rest.get(4..).ok_or(Damaged("cut short"))?,
        _ => return Err(Damaged("an unknown wire type")),
    }
    Ok(Field { number: tag >> 3, whole: &bytes[..bytes.len() - rest.len()], payload, value })
}

pub fn varint(bytes: &mut &[u8]) -> Result<u64, Damaged> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first().ok_or(Damaged("cut short"))?;
        *bytes = rest;
        value |= u64::from(byte & 127) << shift;
        if byte < 128 {
            return Ok(value);
        }
    }
    Err(Damaged("a number never ends"))
}

pub fn put_varint(out: &mut Vec<u8>, mut value: u64) {
    while value > 127 {
        out.push(value as u8 | 128);
        value >>= 7;
    }
    out.push(value as u8);
}

pub fn put_bytes(out: &mut Vec<u8>, number: u64, bytes: &[u8]) {
    put_varint(out, number << 3 | 2);
    put_varint(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

pub fn put_number(out: &mut Vec<u8>, number: u64, value: u64) {
    put_varint(out, number << 3);
    put_varint(out, value);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_is_read_back() {
        let mut bytes = Vec::new();
        put_bytes(&mut bytes, 300, b"name");
        put_number(&mut bytes, 20, u64::MAX);
        let read: Vec<_> = fields(&bytes).map(Result::unwrap).collect();
        assert_eq!((read[0].number, read[0].payload, read[1].number, read[1].value), (300, &b"name"[..], 20, u64::MAX));
    }

    #[test]
    fn a_file_cut_anywhere_is_an_error_not_a_panic() {
        let mut bytes = Vec::new();
        put_number(&mut bytes, 1, 500);
        put_bytes(&mut bytes, 2, b"payload");
        for end in 1..bytes.len() {
            let ends_between_fields = end == 3;
            assert_eq!(fields(&bytes[..end]).all(|field| field.is_ok()), ends_between_fields, "cut at {end}");
        }
    }
}
