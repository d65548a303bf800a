//! Baked presenters as bytes, for the cache.
//!
//! Fields are written one after another in the machine's byte order, lists behind their length; there are no names, tags
//! or versions, because a pack is kept under a key that changes with the program. Whoever reads checks a hash first: a
//! damaged file is no pack, not a crash.

use std::sync::OnceLock;

use compere_media::{Pixmap, Rect};

/// Something that can be written down and read back exactly.
pub(crate) trait Keep: Sized {
    fn put(&self, out: &mut Vec<u8>);

    /// Reads from the front of `bytes` and leaves what follows.
    fn take(bytes: &mut &[u8]) -> Option<Self>;
}

/// Keeps a struct field by field.
macro_rules! keep {
    ($kind:ident { $($field:ident),* $(,)? }) => {
        impl $crate::keep::Keep for $kind {
            fn put(&self, out: &mut Vec<u8>) {
                $($crate::keep::Keep::put(&self.$field, out);)*
            }

            fn take(bytes: &mut &[u8]) -> Option<Self> {
                Some(Self { $($field: $crate::keep::Keep::take(bytes)?),* })
            }
        }
    };
}
pub(crate) use keep;

/// A body with its hash in front.
pub(crate) fn seal(body: &[u8]) -> Vec<u8> {
    [blake3::hash(body).as_bytes(), body].concat()
}

/// The way back; `None` when a single bit is wrong.
pub(crate) fn unseal(bytes: &[u8]) -> Option<&[u8]> {
    let (hash, body) = bytes.split_at_checked(HASH)?;
    (blake3::hash(body).as_bytes() == hash).then_some(body)
}

const HASH: usize = blake3::OUT_LEN;

macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl Keep for $number {
            fn put(&self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_ne_bytes());
            }

            fn take(bytes: &mut &[u8]) -> Option<Self> {
                bytes.split_off(..size_of::<Self>()).and_then(|head| head.try_into().ok()).map(Self::from_ne_bytes)
            }
        }
    )*};
}
numbers!(u8, u16, u32, i32, u64, f32);

impl Keep for usize {
    fn put(&self, out: &mut Vec<u8>) {
        (*self as u64).put(out);
    }

    fn take(bytes: &mut &[u8]) -> Option<Self> {
        u64::take(bytes)?.try_into().ok()
    }
}

impl Keep for bool {
    fn put(&self, out: &mut Vec<u8>) {
        u8::from(*self).put(out);
    }

    fn take(bytes: &mut &[u8]) -> Option<Self> {
        u8::take(bytes).map(|byte| byte != 0)
    }
}

impl<T: Keep> Keep for Vec<T> {
    fn put(&self, out: &mut Vec<u8>) {
        self.len().put(out);
        self.iter().for_each(|item| item.put(out));
    }

    fn take(bytes: &mut &[u8]) -> Option<Self> {
        let len = usize::take(bytes)?;
        // A length beyond the file is damage, not a reason to ask for all the memory there is.
        let mut items = Self::with_capacity(len.min(bytes.len()));
        for _ in 0..len {
            items.push(T::take(bytes)?);
        }
        Some(items)
    }
}

impl<T: Keep, const N: usize> Keep for [T; N] {
    fn put(&self, out: &mut Vec<u8>) {
        self.iter().for_each(|item| item.put(out));
    }

    fn take(bytes: &mut &[u8]) -> Option<Self> {
        let mut items = Vec::with_capacity(N);
        for _ in 0..N {
            items.push(T::take(bytes)?);
        }
        items.try_into().ok()
    }
}

/// What is worked out when it is first asked for is not kept.
impl<T> Keep for OnceLock<T> {
    fn put(&self, _out: &mut Vec<u8>) {}

    fn take(_bytes: &mut &[u8]) -> Option<Self> {
        Some(Self::new())
    }
}

impl<T: Keep> Keep for Option<T> {
    fn put(&self, out: &mut Vec<u8>) {
        self.is_some().put(out);
        self.iter().for_each(|item| item.put(out));
    }

    fn take(bytes: &mut &[u8]) -> Option<Self> {
        if bool::take(bytes)? { Some(Some(T::take(bytes)?)) } else { Some(None) }
    }
}

impl<A: Keep, B: Keep> Keep for (A, B) {
    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
        self.1.put(out);
    }

    fn take(bytes: &mut &[u8]) -> Option<Self> {
        Some((A::take(bytes)?, B::take(bytes)?))
    }
}

impl Keep for Rect {
    fn put(&self, out: &mut Vec<u8>) {
        [self.x0, self.y0, self.x1, self.y1].put(out);
    }

    fn take(bytes: &mut &[u8]) -> Option<Self> {
        let [x0, y0, x1, y1] = Keep::take(bytes)?;
        Some(Self { x0, y0, x1, y1 })
    }
}

impl Keep for Pixmap {
    fn put(&self, out: &mut Vec<u8>) {
        (self.width(), self.height()).put(out);
        out.extend_from_slice(self.data().as_flattened());
    }

    fn take(bytes: &mut &[u8]) -> Option<Self> {
        let (width, height) = <(u32, u32)>::take(bytes)?;
        let size = (width as usize).checked_mul(height as usize)?.checked_mul(4)?;
        let pixels = bytes.split_off(..size)?.as_chunks::<4>().0.to_vec();
        Some(Self::from_premultiplied(width, height, pixels))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Kept = (Vec<(u32, [f32; 3])>, Option<Pixmap>);

    fn read(bytes: &[u8]) -> Option<Kept> {
        let mut body = unseal(bytes)?;
        Keep::take(&mut body)
    }

    #[test]
    fn what_is_kept_comes_back_and_damage_does_not() {
        let value: Kept = (vec![(1, [0.5, -0.0, f32::MIN]), (7, [1.0; 3])], Some(Pixmap::new(3, 2)));
        let mut body = Vec::new();
        value.put(&mut body);
        let bytes = seal(&body);
        assert_eq!(read(&bytes), Some(value));
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 4;
            assert_eq!(read(&damaged), None, "byte {at}");
            assert_eq!(read(&bytes[..at]), None, "cut at {at}");
            let mut cut = &body[..at.min(body.len() - 1)];
            assert_eq!(Kept::take(&mut cut), None, "a body cut at {at}");
        }
    }
}
