//! The compact form that fonts have inside MicroType Express (a submission to the W3C), as fonts again. Runs inside the
//! sandbox.
//!
//! Three packed blocks: tables, among them outlines without what can be worked out; what the outlines' programs push; and
//! the programs. Widths of screens (`hdmx`, `VDMX`) and signatures are left out: nobody draws films with them, and a signature
//! of other bytes is none.

use super::lzcomp;

/// Version, farthest copy, and where the second and third block begin.
const HEAD: usize = 10;
const MOST_TABLES: usize = 64;
const LEFT_OUT: [&[u8; 4]; 4] = [b"loca", b"hdmx", b"VDMX", b"DSIG"];

/// A font of at most so many bytes.
pub(crate) fn font(packed: &[u8], most: usize) -> Option<Vec<u8>> {
    let mut head = Bytes { bytes: packed, at: 0 };
    let version = head.byte()?;
    head.take(3)?;
    let [second, third] = [head.long_of_three()?, head.long_of_three()?];
    let block = |from: usize, to: usize| lzcomp::unpacked(packed.get(from..to)?, version, most);
    let tables = block(HEAD, second)?;
    let (pushed, code) = (block(second, third)?, block(third, packed.len())?);
    let listed = listed(&tables)?;
    let table = |tag: &[u8; 4]| listed.iter().find(|(found, _)| found == tag).map(|(_, bytes)| *bytes);
    let mut all: Vec<([u8; 4], Vec<u8>)> = Vec::new();
    for (tag, bytes) in &listed {
        let bytes = match tag {
            tag if LEFT_OUT.contains(&tag) || tag == b"glyf" => continue,
            b"cvt " => control_values(bytes)?,
            _ => bytes.to_vec(),
        };
        all.push((*tag, bytes));
        if all.iter().map(|(_, bytes)| bytes.len()).sum::<usize>() > most {
            return None;
        }
    }
    if let Some(start) = start_of(&tables, b"glyf") {
        let count = Bytes { bytes: table(b"maxp")?, at: 4 }.short()?;
        let streams = Streams { outlines: Bytes { bytes: &tables, at: start }, pushed: &pushed, code: &code };
        let (outlines, places) = streams.glyphs(count, most)?;
        let long = outlines.len() > 0x1_fffe;
        let short = |place: &usize| u16::try_from(place / 2).unwrap_or(0).to_be_bytes();
        let wide = |place: &usize| u32::try_from(*place).unwrap_or(0).to_be_bytes();
        let places =
            if long { places.iter().flat_map(wide).collect() } else { places.iter().flat_map(short).collect() };
        let head = all.iter_mut().find(|(tag, _)| tag == b"head").filter(|(_, bytes)| bytes.len() >= 54)?;
        head.1[50..52].copy_from_slice(&u16::from(long).to_be_bytes());
        all.extend([(*b"glyf", outlines), (*b"loca", places)]);
    }
    assembled(tables.get(..4)?, all).filter(|font| font.len() <= most)
}

struct Bytes<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Bytes<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let taken = self.bytes.get(self.at..self.at.checked_add(count)?)?;
        self.at += count;
        Some(taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|bytes| bytes[0])
    }

    fn short(&mut self) -> Option<u16> {
        Some(u16::from_be_bytes(self.take(2)?.try_into().ok()?))
    }

    fn signed(&mut self) -> Option<i16> {
        Some(i16::from_be_bytes(self.take(2)?.try_into().ok()?))
    }

    fn long_of_three(&mut self) -> Option<usize> {
        Some(self.take(3)?.iter().fold(0, |number, byte| number << 8 | usize::from(*byte)))
    }

    fn long(&mut self) -> Option<usize> {
        usize::try_from(u32::from_be_bytes(self.take(4)?.try_into().ok()?)).ok()
    }

    /// A count: a byte where it is small.
    fn count(&mut self) -> Option<usize> {
        Some(match self.byte()? {
            253 => usize::from(self.short()?),
            254 => 506 + usize::from(self.byte()?),
            255 => 253 + usize::from(self.byte()?),
            small => usize::from(small),
        })
    }

    /// A number that a program pushes.
    fn number(&mut self) -> Option<i16> {
        const LESS: u8 = 250;
        let mut code = self.byte()?;
        if code == 253 {
            return self.signed();
        }
        let less = code == LESS;
        if less {
            code = self.byte()?;
        }
        let number = match code {
            255 => 250 + i16::from(self.byte()?),
            254 => 500 + i16::from(self.byte()?),
            small => i16::from(small),
        };
        Some(if less { -number } else { number })
    }
}

/// Tags of tables and their bytes.
fn listed(tables: &[u8]) -> Option<Vec<([u8; 4], &[u8])>> {
    directory(tables)?.map(|(tag, start, length)| Some((tag, tables.get(start..start.checked_add(length)?)?))).collect()
}

fn start_of(tables: &[u8], wanted: &[u8; 4]) -> Option<usize> {
    directory(tables)?.find(|(tag, ..)| tag == wanted).map(|(_, start, _)| start)
}

/// Tag, start and length of each table.
fn directory(tables: &[u8]) -> Option<impl Iterator<Item = ([u8; 4], usize, usize)>> {
    let count = usize::from(Bytes { bytes: tables, at: 4 }.short()?);
    let entries = tables.get(12..12 + count * 16).filter(|_| count <= MOST_TABLES)?;
    Some(entries.chunks_exact(16).filter_map(|entry| {
        let mut places = Bytes { bytes: entry, at: 8 };
        let (start, length) = (places.long()?, places.long()?);
        let tag: [u8; 4] = entry[..4].try_into().ok()?;
        // Outlines go on as long as there are glyphs; of what is worked out there is nothing, wherever it is said to be.
        let length = if &tag == b"glyf" { 0 } else { length };
        if LEFT_OUT.contains(&&tag) { None } else { Some((tag, start, length)) }
    }))
}

/// Each is written as what it is more than the one before.
fn control_values(packed: &[u8]) -> Option<Vec<u8>> {
    let mut packed = Bytes { bytes: packed, at: 0 };
    let count = packed.short()?;
    let mut last = 0_i16;
    let mut values = Vec::new();
    for _ in 0..count {
        let step = match packed.byte()? {
            238 => packed.signed()?,
            code @ 248.. => 238 * (i16::from(code) - 247) + i16::from(packed.byte()?),
            code @ 239.. => -(238 * (i16::from(code) - 239) + i16::from(packed.byte()?)),
            small => i16::from(small),
        };
        last = last.wrapping_add(step);
        values.extend(last.to_be_bytes());
    }
    Some(values)
}

/// What outlines are made of.
struct Streams<'a> {
    outlines: Bytes<'a>,
    pushed: &'a [u8],
    code: &'a [u8],
}

/// From outlines' entries: that there is a box, too, and the parts of one that is put together.
const BOXED: i16 = 0x7fff;
const WORDS: u16 = 0x0001;
const SCALE: u16 = 0x0008;
const MORE_PARTS: u16 = 0x0020;
const TWO_SCALES: u16 = 0x0040;
const MATRIX: u16 = 0x0080;
const PROGRAM: u16 = 0x0100;

impl Streams<'_> {
    /// The outlines, one after the other, and where each begins and the last ends.
    fn glyphs(mut self, count: u16, most: usize) -> Option<(Vec<u8>, Vec<usize>)> {
        let mut code = Bytes { bytes: self.code, at: 0 };
        let mut pushed = Bytes { bytes: self.pushed, at: 0 };
        let (mut out, mut places) = (Vec::new(), vec![0]);
        for _ in 0..count {
            match self.outlines.signed()? {
                0 => (),
                BOXED => {
                    let contours = self.outlines.signed().filter(|contours| *contours >= 0)?;
                    let frame = self.outlines.take(8)?.try_into().ok()?;
                    self.simple(contours, Some(frame), &mut pushed, &mut code, &mut out)?;
                }
                contours @ 1.. => self.simple(contours, None, &mut pushed, &mut code, &mut out)?,
                _ => self.composite(&mut pushed, &mut code, &mut out)?,
            }
            if out.len() % 2 == 1 {
                out.push(0);
            }
            if out.len() > most {
                return None;
            }
            places.push(out.len());
        }
        Some((out, places))
    }

    fn simple(
        &mut self,
        contours: i16,
        frame: Option<[u8; 8]>,
        pushed: &mut Bytes<'_>,
        code: &mut Bytes<'_>,
        out: &mut Vec<u8>,
    ) -> Option<()> {
        if contours == 0 {
            return Some(());
        }
        let mut points = 1;
        let mut ends = Vec::new();
        for _ in 0..contours {
            points += self.outlines.count()?;
            ends.extend(u16::try_from(points - 1).ok()?.to_be_bytes());
        }
        let flags = self.outlines.take(points)?;
        let steps = flags.iter().map(|flag| self.step(flag & 0x7f)).collect::<Option<Vec<_>>>()?;
        out.extend(contours.to_be_bytes());
        out.extend(frame.unwrap_or_else(|| frame_of(&steps)));
        out.extend(ends);
        self.program(pushed, code, out)?;
        written(flags, &steps, out);
        Some(())
    }

    /// How far it is to the next point. The flag says of how many bits, and what is to be added.
    fn step(&mut self, flag: u8) -> Option<(i16, i16)> {
        let at = u16::from(flag);
        let next = |from: &mut Self| from.outlines.byte().map(u16::from);
        let (x, y) = match flag {
            0..=9 => (0, ((at / 2) << 8) + next(self)?),
            10..=19 => ((((at - 10) / 2) << 8) + next(self)?, 0),
            20..=83 => {
                let (both, more) = (next(self)?, at - 20);
                ((both >> 4) + (more & 0x30) + 1, (both & 15) + ((more & 0x0c) << 2) + 1)
            }
            84..=119 => {
                let more = at - 84;
                (next(self)? + ((more / 12) << 8) + 1, next(self)? + (((more % 12) / 4) << 8) + 1)
            }
            120..=123 => {
                let (high, middle, low) = (next(self)?, next(self)?, next(self)?);
                (high << 4 | middle >> 4, (middle & 15) << 8 | low)
            }
            _ => (self.outlines.short()?, self.outlines.short()?),
        };
        // Whether x and y grow; where one of them stands still, one bit tells of the other.
        let (right, up) = match flag {
            0..=19 => (flag & 1 == 1, flag & 1 == 1),
            _ => (flag & 1 == 1, flag & 2 == 2),
        };
        let signed = |far: u16, grows: bool| {
            let far = far.cast_signed();
            if grows { far } else { far.wrapping_neg() }
        };
        Some((signed(x, right), signed(y, up)))
    }

    fn composite(&mut self, pushed: &mut Bytes<'_>, code: &mut Bytes<'_>, out: &mut Vec<u8>) -> Option<()> {
        out.extend((-1_i16).to_be_bytes());
        out.extend(self.outlines.take(8)?);
        loop {
            let flags = self.outlines.short()?;
            out.extend(flags.to_be_bytes());
            let places = if flags & WORDS != 0 { 4 } else { 2 };
            let shape = match flags {
                flags if flags & MATRIX != 0 => 8,
                flags if flags & TWO_SCALES != 0 => 4,
                flags if flags & SCALE != 0 => 2,
                _ => 0,
            };
            out.extend(self.outlines.take(2 + places + shape)?);
            if flags & MORE_PARTS == 0 {
                return if flags & PROGRAM != 0 { self.program(pushed, code, out) } else { Some(()) };
            }
        }
    }

    /// A glyph's program: what it pushes first, then the rest of it.
    fn program(&mut self, pushed: &mut Bytes<'_>, code: &mut Bytes<'_>, out: &mut Vec<u8>) -> Option<()> {
        let (pushes, length) = (self.outlines.count()?, self.outlines.count()?);
        let mut program = pushing(&numbers(pushed, pushes)?);
        program.extend(code.take(length)?);
        out.extend(u16::try_from(program.len()).ok()?.to_be_bytes());
        out.extend(program);
        Some(())
    }
}

/// Numbers that a program pushes. Every second one is often the same.
fn numbers(pushed: &mut Bytes<'_>, count: usize) -> Option<Vec<i16>> {
    let mut numbers: Vec<i16> = Vec::new();
    while numbers.len() < count {
        let others = match pushed.bytes.get(pushed.at)? {
            251 => 1,
            252 => 2,
            _ => {
                numbers.push(pushed.number()?);
                continue;
            }
        };
        pushed.byte()?;
        let same = *numbers.get(numbers.len().checked_sub(2)?)?;
        numbers.push(same);
        for _ in 0..others {
            numbers.extend([pushed.number()?, same]);
        }
    }
    (numbers.len() == count).then_some(numbers)
}

/// The program that pushes them: bytes with bytes, words with words.
fn pushing(numbers: &[i16]) -> Vec<u8> {
    let is_byte = |number: i16| (0..256).contains(&number);
    let mut program = Vec::new();
    for alike in numbers.chunk_by(|a, b| is_byte(*a) == is_byte(*b)) {
        for some in alike.chunks(255) {
            let words = u8::from(!is_byte(some[0]));
            let count = u8::try_from(some.len()).unwrap_or(u8::MAX);
            match count {
                1..=8 => program.push(0xb0 + words * 8 + count - 1),
                _ => program.extend([0x40 + words, count]),
            }
            let bytes = some.iter().flat_map(|number| number.to_be_bytes());
            program.extend(bytes.enumerate().filter(|(at, _)| words == 1 || at % 2 == 1).map(|(_, byte)| byte));
        }
    }
    program
}

/// The smallest box around all points.
fn frame_of(steps: &[(i16, i16)]) -> [u8; 8] {
    let (mut at, mut low, mut high) = ((0_i16, 0_i16), (i16::MAX, i16::MAX), (i16::MIN, i16::MIN));
    for step in steps {
        at = (at.0.wrapping_add(step.0), at.1.wrapping_add(step.1));
        low = (low.0.min(at.0), low.1.min(at.1));
        high = (high.0.max(at.0), high.1.max(at.1));
    }
    let mut frame = [0; 8];
    for (place, number) in frame.chunks_exact_mut(2).zip([low.0, low.1, high.0, high.1]) {
        place.copy_from_slice(&number.to_be_bytes());
    }
    frame
}

/// Points as outlines have them: flags, then all x, then all y.
fn written(flags: &[u8], steps: &[(i16, i16)], out: &mut Vec<u8>) {
    const OFF_THE_CURVE: u8 = 0x80;
    // Whether it is a byte, and whether that is to be added or nothing follows.
    let flag = |step: i16| match step {
        0 => (0, 1),
        1..=255 => (1, 1),
        -255..=-1 => (1, 0),
        _ => (0, 0),
    };
    out.extend(flags.iter().zip(steps).map(|(told, (x, y))| {
        let ((x_byte, x_same), (y_byte, y_same)) = (flag(*x), flag(*y));
        u8::from(told & OFF_THE_CURVE == 0) | x_byte << 1 | y_byte << 2 | x_same << 4 | y_same << 5
    }));
    let mut write = |step: i16| match flag(step) {
        (1, _) => out.push(u8::try_from(step.unsigned_abs()).unwrap_or(u8::MAX)),
        (_, 1) => (),
        _ => out.extend(step.to_be_bytes()),
    };
    steps.iter().for_each(|(x, _)| write(*x));
    steps.iter().for_each(|(_, y)| write(*y));
}

/// Tables as a file.
fn assembled(kind: &[u8], mut tables: Vec<([u8; 4], Vec<u8>)>) -> Option<Vec<u8>> {
    const SUM_OF_ALL: u32 = 0xb1b0_afba;
    const SUM_IN_HEAD: std::ops::Range<usize> = 8..12;
    tables.sort_by_key(|(tag, _)| *tag);
    let count = u16::try_from(tables.len()).ok().filter(|count| *count > 0)?;
    let steps = u16::try_from(count.ilog2()).ok()?;
    let range = 16 << steps;
    let mut file = kind.to_vec();
    [count, range, steps, count * 16 - range].into_iter().for_each(|number| file.extend(number.to_be_bytes()));
    let mut body = Vec::new();
    let mut head = None;
    let start = 12 + tables.len() * 16;
    for (tag, mut bytes) in tables {
        if let (b"head", Some(sum)) = (&tag, bytes.get_mut(SUM_IN_HEAD)) {
            sum.fill(0);
            head = Some(start + body.len());
        }
        file.extend(tag);
        file.extend(sum(&bytes).to_be_bytes());
        file.extend(u32::try_from(start + body.len()).ok()?.to_be_bytes());
        file.extend(u32::try_from(bytes.len()).ok()?.to_be_bytes());
        body.extend(bytes);
        body.resize(body.len().next_multiple_of(4), 0);
    }
    file.extend(body);
    if let Some(head) = head {
        let rest = SUM_OF_ALL.wrapping_sub(sum(&file));
        file.get_mut(head..)?.get_mut(SUM_IN_HEAD)?.copy_from_slice(&rest.to_be_bytes());
    }
    Some(file)
}

/// Of numbers of four bytes, the last filled up with nothing.
fn sum(bytes: &[u8]) -> u32 {
    let numbers = bytes.chunks(4).map(|four| {
        let mut number = [0; 4];
        number[..four.len()].copy_from_slice(four);
        u32::from_be_bytes(number)
    });
    numbers.fold(0, u32::wrapping_add)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inside::packing;

    const MOST: usize = 4 << 20;

    fn carlito() -> Vec<u8> {
        std::fs::read("/usr/share/fonts/truetype/crosextra/Carlito-Regular.ttf").unwrap()
    }

    /// An outline of these steps, every third point off the curve, with a program.
    fn glyph(steps: &[(i16, i16)], frame: Option<[u8; 8]>, program: &[u8]) -> Vec<u8> {
        let words = |numbers: &[i16]| numbers.iter().flat_map(|number| number.to_be_bytes()).collect::<Vec<u8>>();
        let half = steps.len() as i16 / 2;
        let head = [words(&[2]), frame.unwrap_or_else(|| frame_of(steps)).to_vec()].concat();
        let ends = words(&[half - 1, steps.len() as i16 - 1, program.len() as i16]);
        let flags = (0..steps.len()).map(|at| u8::from(at % 3 != 0)).collect::<Vec<u8>>();
        let (x, y): (Vec<i16>, Vec<i16>) = steps.iter().copied().unzip();
        let mut glyph = [head, ends, program.to_vec(), flags, words(&x), words(&y)].concat();
        glyph.resize(glyph.len().next_multiple_of(2), 0);
        glyph
    }

    fn font_with(glyphs: &[Vec<u8>], values: &[i16]) -> Vec<u8> {
        let mut places = vec![0u32];
        glyphs.iter().for_each(|glyph| places.push(places.last().unwrap() + glyph.len() as u32));
        let mut head = vec![0; 54];
        head[51] = 1;
        let maxp = [&[0, 1, 0, 0][..], &(glyphs.len() as u16).to_be_bytes(), &[0; 26]].concat();
        let tables = [
            (*b"cvt ", values.iter().flat_map(|value| value.to_be_bytes()).collect()),
            (*b"glyf", glyphs.concat()),
            (*b"head", head),
            (*b"loca", places.iter().flat_map(|place| place.to_be_bytes()).collect()),
            (*b"maxp", maxp),
        ];
        assembled(&[0, 1, 0, 0], tables.to_vec()).unwrap()
    }

    /// Steps of every length, programs of every kind, values far apart.
    fn odd() -> Vec<u8> {
        let far = [0, 1, 64, 65, 255, 256, 768, 769, 1279, 1280, 4095, 4096, 9000];
        let both = |far: i16| [far, -far];
        let steps: Vec<(i16, i16)> =
            far.into_iter().flat_map(both).flat_map(|x| far.into_iter().flat_map(both).map(move |y| (x, y))).collect();
        // Those that are written twice cancel each other out, so that nothing leaves the paper.
        let there_and_back: Vec<(i16, i16)> = steps.iter().flat_map(|(x, y)| [(*x, *y), (-*x, -*y)]).collect();
        let pushes = [0x41, 8, 0, 5, 255, 0, 0, 5, 1, 0, 0, 5, 2, 238, 0, 5, 3, 0, 0xb1, 4, 9, 0x18];
        let many = [&[0x40, 250][..], &[77; 250], &[0xb8, 0xfe, 0x0c, 1, 2, 3]].concat();
        let part = [0xff, 0xff, 0, 0, 0, 0, 0, 9, 0, 9, 0x01, 0x2b, 0, 0, 0, 1, 0, 2, 0x40, 0];
        let last = [0, 0xc2, 0, 1, 5, 6, 1, 2, 3, 4, 5, 6, 7, 8];
        let composite = [&part[..], &[1, 0xc2], &last[2..], &[0, 3, 0xb0, 7, 0x2f, 0]].concat();
        let glyphs = [
            glyph(&there_and_back, None, &pushes),
            glyph(&there_and_back[..8], Some([9; 8]), &many),
            vec![],
            composite,
            glyph(&there_and_back[..4], None, &[]),
        ];
        font_with(&glyphs, &[0, 237, 475, 477, -3, -240, 2000, -141, i16::MAX, i16::MIN, 12])
    }

    fn same(font: &[u8], found: &[u8]) {
        let (glyphs, others) = (packing::glyphs(font), packing::glyphs(found));
        assert_eq!(glyphs.len(), others.len());
        for (at, (glyph, other)) in glyphs.iter().zip(&others).enumerate() {
            assert_eq!(packing::read(glyph), packing::read(other), "glyph {at}");
        }
        for (tag, table) in packing::tables(found) {
            if ![b"glyf", b"loca", b"head"].contains(&&tag) {
                assert_eq!(packing::table(font, &tag), table, "{}", String::from_utf8_lossy(&tag));
            }
        }
        assert_eq!(sum(found), 0xb1b0_afba, "the sum of the file");
    }

    #[test]
    fn fonts_come_out_as_they_were() {
        for font in [odd(), carlito()] {
            for copies in [false, true] {
                same(&font, &super::font(&packing::mtx(&font, copies), MOST).unwrap());
            }
        }
    }

    #[test]
    fn no_more_comes_than_is_allowed() {
        let packed = packing::mtx(&carlito(), true);
        assert!(font(&packed, 600_000).is_none());
        assert!(font(&packed, 900_000).is_some());
        // Many tables that are all the same one.
        let mut block = [&[0, 1, 0, 0, 0, 60][..], &[0; 6]].concat();
        (0..60u32).for_each(|_| block.extend([&b"post\0\0\0\0\0\0\0\0"[..], &900_000u32.to_be_bytes()].concat()));
        block.resize(900_000, 1);
        assert!(font(&packing::three(&block, &[], &[], true), MOST).is_none());
    }

    #[test]
    fn what_breaks_off_or_lies_does_no_harm() {
        let whole = odd();
        let packed = packing::mtx(&whole, true);
        for end in 0..packed.len() {
            assert!(font(&packed[..end], MOST).is_none_or(|found| found.len() < MOST), "cut off at {end}");
        }
        let mut number = 7u32;
        let mut wild = move || {
            number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (number >> 8) as usize
        };
        let block = |from, to| lzcomp::unpacked(&packed[from..to], 3, MOST).unwrap();
        let place =
            |at: usize| usize::from(packed[at]) << 16 | usize::from(packed[at + 1]) << 8 | usize::from(packed[at + 2]);
        let blocks = [block(10, place(4)), block(place(4), place(7)), block(place(7), packed.len())];
        let mut right = 0;
        for round in 0..2000 {
            let mut changed = blocks.clone();
            for _ in 0..=round % 4 {
                // Tables and places mostly, which lead elsewhere.
                let which = [0, 0, 0, 1, 2][wild() % 5];
                let length = changed[which].len();
                let near = if wild() % 2 == 0 { length } else { length.min(200) };
                changed[which][wild() % near] = wild() as u8;
            }
            let [tables, pushed, code] = &changed;
            let found = font(&packing::three(tables, pushed, code, false), MOST);
            right += usize::from(found.is_some());
            assert!(found.is_none_or(|found| found.len() <= MOST));
        }
        assert!((200..1950).contains(&right), "{right} of 2000 came through: some should, and some not");
        for _ in 0..1000 {
            let mut changed = packed.clone();
            let at = wild() % changed.len();
            changed[at] = wild() as u8;
            assert!(font(&changed, MOST).is_none_or(|found| found.len() <= MOST));
        }
    }
}
