//! Fonts packed as PowerPoint packs them: MicroType Express inside EOT. Written after the W3C's submission, apart from what
//! reads it.

use std::collections::HashMap;

fn short(bytes: &[u8], at: usize) -> u16 {
    u16::from_be_bytes([bytes[at], bytes[at + 1]])
}

fn long(bytes: &[u8], at: usize) -> usize {
    u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
}

/// Tags and tables of a font.
pub fn tables(font: &[u8]) -> Vec<([u8; 4], &[u8])> {
    let entries = font[12..].chunks_exact(16).take(usize::from(short(font, 4)));
    let table = |entry: &[u8]| (entry[..4].try_into().unwrap(), &font[long(entry, 8)..][..long(entry, 12)]);
    entries.map(table).collect()
}

pub fn table<'a>(font: &'a [u8], tag: &[u8; 4]) -> &'a [u8] {
    tables(font).into_iter().find(|(found, _)| found == tag).unwrap().1
}

/// The bytes of each glyph.
pub fn glyphs(font: &[u8]) -> Vec<&[u8]> {
    let (loca, glyf, head) = (table(font, b"loca"), table(font, b"glyf"), table(font, b"head"));
    let place =
        |at: usize| if short(head, 50) == 0 { usize::from(short(loca, at * 2)) * 2 } else { long(loca, at * 4) };
    (0..usize::from(short(table(font, b"maxp"), 4))).map(|at| &glyf[place(at)..place(at + 1)]).collect()
}

/// Behind the header that presentations have, turned.
pub fn eot(font: &[u8]) -> Vec<u8> {
    wrapped(&mtx(font, true), 0x1000_0004)
}

/// Any bytes behind that header: 82 bytes, and nine sizes of names and gaps, all of them nothing.
pub fn wrapped(data: &[u8], flags: u32) -> Vec<u8> {
    let header = 82 + 9 * 2;
    let mut file = vec![0; header];
    file[..4].copy_from_slice(&((header + data.len()) as u32).to_le_bytes());
    file[4..8].copy_from_slice(&(data.len() as u32).to_le_bytes());
    file[8..12].copy_from_slice(&0x0002_0001u32.to_le_bytes());
    file[12..16].copy_from_slice(&flags.to_le_bytes());
    file[34..36].copy_from_slice(b"LP");
    let turn = if flags & 0x1000_0000 != 0 { 0x50 } else { 0 };
    file.extend(data.iter().map(|byte| byte ^ turn));
    file
}

/// A font of outlines, packed.
pub fn mtx(font: &[u8], copies: bool) -> Vec<u8> {
    let mut streams = Streams::default();
    glyphs(font).into_iter().for_each(|glyph| streams.glyph(glyph));
    let mut parts: Vec<([u8; 4], Vec<u8>)> = Vec::new();
    for (tag, bytes) in tables(font) {
        let bytes = match &tag {
            b"glyf" => streams.outlines.clone(),
            b"loca" => vec![],
            b"cvt " => control_values(bytes),
            _ => bytes.to_vec(),
        };
        parts.push((tag, bytes));
    }
    let mut block = font[..12].to_vec();
    let mut body: Vec<u8> = Vec::new();
    for (tag, bytes) in &parts {
        block.extend(tag);
        block.extend([0; 4]);
        block.extend(((12 + parts.len() * 16 + body.len()) as u32).to_be_bytes());
        block.extend((bytes.len() as u32).to_be_bytes());
        body.extend(bytes);
    }
    block.extend(body);
    three(&block, &streams.pushed, &streams.code, copies)
}

/// The three blocks of a file, each packed.
pub fn three(tables: &[u8], pushed: &[u8], code: &[u8], copies: bool) -> Vec<u8> {
    let [tables, pushed, code] = [tables, pushed, code].map(|block| lzcomp(block, copies, false));
    let (second, third) = (10 + tables.len(), 10 + tables.len() + pushed.len());
    let three = |number: usize| [(number >> 16) as u8, (number >> 8) as u8, number as u8];
    [&[3, 0xff, 0xff, 0xff][..], &three(second), &three(third), &tables, &pushed, &code].concat()
}

fn control_values(values: &[u8]) -> Vec<u8> {
    let mut out = ((values.len() / 2) as u16).to_be_bytes().to_vec();
    let mut last = 0_i16;
    for at in (0..values.len()).step_by(2) {
        let value = short(values, at) as i16;
        let step = value.wrapping_sub(last);
        last = value;
        match step {
            0..=237 => out.push(step as u8),
            238..=2141 => out.extend([(247 + step / 238) as u8, (step % 238) as u8]),
            -2141..=-1 => out.extend([(239 + -step / 238) as u8, (-step % 238) as u8]),
            _ => {
                out.push(238);
                out.extend(step.to_be_bytes());
            }
        }
    }
    out
}

#[derive(Default)]
struct Streams {
    outlines: Vec<u8>,
    pushed: Vec<u8>,
    code: Vec<u8>,
}

fn count(out: &mut Vec<u8>, number: usize) {
    match number {
        0..=252 => out.push(number as u8),
        253..=505 => out.extend([255, (number - 253) as u8]),
        506..=761 => out.extend([254, (number - 506) as u8]),
        _ => out.extend([253, (number >> 8) as u8, number as u8]),
    }
}

impl Streams {
    fn glyph(&mut self, glyph: &[u8]) {
        if glyph.is_empty() {
            return self.outlines.extend([0, 0]);
        }
        let contours = short(glyph, 0) as i16;
        if contours < 0 {
            return self.composite(glyph);
        }
        let contours = contours as usize;
        let ends: Vec<usize> = (0..contours).map(|at| usize::from(short(glyph, 10 + at * 2))).collect();
        let points = Points::of(glyph, contours, ends[contours - 1] + 1);
        if points.frame() == glyph[2..10] {
            self.outlines.extend((contours as u16).to_be_bytes());
        } else {
            self.outlines.extend(0x7fff_u16.to_be_bytes());
            self.outlines.extend((contours as u16).to_be_bytes());
            self.outlines.extend(&glyph[2..10]);
        }
        let mut before = 0;
        for (at, end) in ends.iter().enumerate() {
            count(&mut self.outlines, end - before);
            before = *end;
            debug_assert!(at == 0 || *end > 0);
        }
        let mut places = Vec::new();
        for (on, x, y) in &points.0 {
            self.outlines.push(triplet(*on, *x, *y, &mut places));
        }
        self.outlines.extend(places);
        let at = 10 + contours * 2;
        self.program(&glyph[at + 2..][..usize::from(short(glyph, at))]);
    }

    fn composite(&mut self, glyph: &[u8]) {
        let (parts, program) = composite(glyph);
        self.outlines.extend(&glyph[..parts]);
        if let Some(program) = program {
            self.program(program);
        }
    }

    fn program(&mut self, program: &[u8]) {
        let (numbers, code) = parted(program);
        count(&mut self.outlines, numbers.len());
        count(&mut self.outlines, code.len());
        self.code.extend(code);
        self.push(&numbers);
    }

    /// Every second one the same is written once.
    fn push(&mut self, numbers: &[i16]) {
        let mut at = 0;
        while at < numbers.len() {
            let same = |on: usize| at >= 2 && numbers.get(at + on) == Some(&numbers[at - 2]);
            let others = match same(0) && same(2) {
                true if same(4) => 2,
                true => 1,
                false => 0,
            };
            if others == 0 {
                number(&mut self.pushed, numbers[at]);
                at += 1;
                continue;
            }
            self.pushed.push(250 + others as u8);
            (0..others).for_each(|other| number(&mut self.pushed, numbers[at + 1 + other * 2]));
            at += 1 + others * 2;
        }
    }
}

/// What a program pushes first, and the rest of it.
fn parted(program: &[u8]) -> (Vec<i16>, &[u8]) {
    let (mut numbers, mut at) = (Vec::new(), 0);
    while at < program.len() {
        let (words, start, many) = match program[at] {
            op @ 0x40..=0x41 => (op == 0x41, at + 2, usize::from(program[at + 1])),
            op @ 0xb0..=0xbf => (op >= 0xb8, at + 1, usize::from(op % 8) + 1),
            _ => break,
        };
        let size = if words { 2 } else { 1 };
        for number in program[start..start + many * size].chunks(size) {
            numbers.push(if words { short(number, 0) as i16 } else { i16::from(number[0]) });
        }
        at = start + many * size;
    }
    (numbers, &program[at..])
}

/// What a glyph is, however it is written: its head, its steps, and its program; of a composite one the bytes.
#[derive(Debug, PartialEq)]
pub struct Glyph {
    head: Vec<u8>,
    points: Vec<(bool, i16, i16)>,
    pushed: Vec<i16>,
    code: Vec<u8>,
}

pub fn read(glyph: &[u8]) -> Glyph {
    let contours = if glyph.is_empty() { 0 } else { short(glyph, 0) as i16 };
    let Ok(contours @ 1..) = usize::try_from(contours) else {
        let (parts, program) = if glyph.is_empty() { (0, None) } else { composite(glyph) };
        let (pushed, code) = parted(program.unwrap_or_default());
        return Glyph { head: glyph[..parts].to_vec(), points: vec![], pushed, code: code.to_vec() };
    };
    let at = 10 + contours * 2;
    let (pushed, code) = parted(&glyph[at + 2..][..usize::from(short(glyph, at))]);
    let Points(points) = Points::of(glyph, contours, usize::from(short(glyph, at - 2)) + 1);
    Glyph { head: glyph[..at].to_vec(), points, pushed, code: code.to_vec() }
}

/// Where the parts end, and the program.
fn composite(glyph: &[u8]) -> (usize, Option<&[u8]>) {
    let mut at = 10;
    loop {
        let flags = short(glyph, at);
        at += 4 + if flags & 1 != 0 { 4 } else { 2 };
        at += match flags {
            flags if flags & 0x80 != 0 => 8,
            flags if flags & 0x40 != 0 => 4,
            flags if flags & 8 != 0 => 2,
            _ => 0,
        };
        if flags & 0x20 == 0 {
            let program = (flags & 0x100 != 0).then(|| &glyph[at + 2..][..usize::from(short(glyph, at))]);
            return (at, program);
        }
    }
}

fn number(out: &mut Vec<u8>, number: i16) {
    let far = number.unsigned_abs();
    if far >= 750 {
        out.push(253);
        return out.extend(number.to_be_bytes());
    }
    if number < 0 {
        out.push(250);
    }
    match far {
        0..=249 => out.push(far as u8),
        250..=499 => out.extend([255, (far - 250) as u8]),
        _ => out.extend([254, (far - 500) as u8]),
    }
}

/// Points as steps, each with whether it is on the curve.
struct Points(Vec<(bool, i16, i16)>);

impl Points {
    fn of(glyph: &[u8], contours: usize, count: usize) -> Self {
        let mut at = 10 + contours * 2;
        at += 2 + usize::from(short(glyph, at));
        let mut flags = Vec::new();
        while flags.len() < count {
            let repeated = if glyph[at] & 8 != 0 { usize::from(glyph[at + 1]) } else { 0 };
            flags.resize(flags.len() + 1 + repeated, glyph[at]);
            at += if glyph[at] & 8 != 0 { 2 } else { 1 };
        }
        let mut steps = |byte: u8, same: u8| -> Vec<i16> {
            let step = |flag: &u8| match (flag & byte != 0, flag & same != 0) {
                (true, grows) => {
                    at += 1;
                    i16::from(glyph[at - 1]) * if grows { 1 } else { -1 }
                }
                (false, true) => 0,
                (false, false) => {
                    at += 2;
                    short(glyph, at - 2) as i16
                }
            };
            flags.iter().map(step).collect()
        };
        let (x, y) = (steps(2, 16), steps(4, 32));
        Self(flags.iter().zip(x).zip(y).map(|((flag, x), y)| (flag & 1 != 0, x, y)).collect())
    }

    fn frame(&self) -> Vec<u8> {
        let sums = |of: fn(&(bool, i16, i16)) -> i16| -> Vec<i16> {
            let add = |at: &mut i16, step: i16| {
                *at += step;
                Some(*at)
            };
            self.0.iter().map(of).scan(0, add).collect()
        };
        let (x, y) = (sums(|point| point.1), sums(|point| point.2));
        let ends = [x.iter().min(), y.iter().min(), x.iter().max(), y.iter().max()];
        ends.into_iter().flat_map(|end| end.unwrap().to_be_bytes()).collect()
    }
}

/// The flag of a step; its places go into `out`.
fn triplet(on: bool, x: i16, y: i16, out: &mut Vec<u8>) -> u8 {
    let (far, high) = (x.unsigned_abs() as usize, y.unsigned_abs() as usize);
    let (right, up) = (usize::from(x >= 0), usize::from(y >= 0));
    let signs = right + 2 * up;
    let flag = if x == 0 && high < 1280 {
        out.push(high as u8);
        (high >> 8) * 2 + up
    } else if y == 0 && far < 1280 {
        out.push(far as u8);
        10 + (far >> 8) * 2 + right
    } else if x != 0 && y != 0 && far <= 64 && high <= 64 {
        let (far, high) = (far - 1, high - 1);
        out.push((((far & 15) << 4) | (high & 15)) as u8);
        20 + (far >> 4) * 16 + (high >> 4) * 4 + signs
    } else if x != 0 && y != 0 && far <= 768 && high <= 768 {
        let (far, high) = (far - 1, high - 1);
        out.extend([far as u8, high as u8]);
        84 + (far >> 8) * 12 + (high >> 8) * 4 + signs
    } else if far < 4096 && high < 4096 {
        out.extend([(far >> 4) as u8, (((far & 15) << 4) | (high >> 8)) as u8, high as u8]);
        120 + signs
    } else {
        out.extend([(far >> 8) as u8, far as u8, (high >> 8) as u8, high as u8]);
        124 + signs
    };
    flag as u8 | if on { 0 } else { 0x80 }
}

/// A block, packed; with copies of what stood before, and with runs of a byte written as such.
pub fn lzcomp(data: &[u8], copies: bool, runs: bool) -> Vec<u8> {
    let data = if runs { in_runs(data) } else { data.to_vec() };
    let mut bits = Bits { bytes: vec![], free: 0 };
    bits.push(runs);
    (0..24).rev().for_each(|bit| bits.push(data.len() >> bit & 1 == 1));
    let digits = (1..).find(|digits| 1usize << (3 * digits) >= data.len()).unwrap();
    let mut symbols = Tree::new(256 + 8 * digits + 3);
    let (mut lengths, mut distances) = (Tree::new(8), Tree::new(8));
    let mut all: Vec<u8> = (0..32u8).flat_map(|a| (0..96u8).flat_map(move |b| [a, b])).collect();
    all.extend((0..=255u8).flat_map(|byte| [byte; 4]));
    let start = all.len();
    all.extend(&data);
    let mut seen: HashMap<[u8; 3], usize> = HashMap::new();
    let mut at = start;
    let mut noted = 0;
    while at < all.len() {
        while copies && noted + 3 <= at {
            seen.insert(all[noted..noted + 3].try_into().unwrap(), noted);
            noted += 1;
        }
        let key = all.get(at..at + 3).map(|key| <[u8; 3]>::try_from(key).unwrap());
        let from = key.and_then(|key| seen.get(&key)).filter(|_| copies);
        let length =
            from.map_or(0, |from| (0..at - from).take_while(|on| all.get(at + on) == Some(&all[from + on])).count());
        let distance = from.map_or(0, |from| at - (from + length) + 1);
        if length >= 3 && distance <= 1 << (3 * digits) {
            copy(length, distance, &mut symbols, &mut lengths, &mut distances, &mut bits);
            at += length;
            continue;
        }
        let back = [2, 4, 6].iter().position(|back| copies && all[at] == all[at - back]);
        symbols.write(back.map_or(usize::from(all[at]), |back| 256 + 8 * digits + back), &mut bits);
        at += 1;
    }
    bits.bytes
}

fn copy(length: usize, distance: usize, symbols: &mut Tree, lengths: &mut Tree, distances: &mut Tree, bits: &mut Bits) {
    let value = length - if distance >= 512 { 3 } else { 2 };
    let pairs = (0..).find(|pairs| value >> (2 * (pairs + 1)) == 0).unwrap();
    let chunk = |pair: usize| (value >> (2 * pair) & 3) + if pair > 0 { 4 } else { 0 };
    let digits = (1..).find(|digits| (distance - 1) >> (3 * digits) == 0).unwrap();
    symbols.write(256 + 8 * (digits - 1) + chunk(pairs), bits);
    (0..pairs).rev().for_each(|pair| lengths.write(chunk(pair), bits));
    (0..digits).rev().for_each(|digit| distances.write((distance - 1) >> (3 * digit) & 7, bits));
}

fn in_runs(data: &[u8]) -> Vec<u8> {
    let count = |byte: &u8| data.iter().filter(|other| *other == byte).count();
    let mark = (0..=255u8).min_by_key(count).unwrap();
    let mut out = vec![mark];
    for run in data.chunk_by(|a, b| a == b).flat_map(|run| run.chunks(255)) {
        match run {
            [byte, ..] if run.len() > 3 => out.extend([mark, run.len() as u8, *byte]),
            _ => run.iter().for_each(|byte| match byte {
                byte if *byte == mark => out.extend([mark, 0]),
                byte => out.push(*byte),
            }),
        }
    }
    out
}

struct Bits {
    bytes: Vec<u8>,
    free: u8,
}

impl Bits {
    fn push(&mut self, bit: bool) {
        if self.free == 0 {
            self.bytes.push(0);
            self.free = 8;
        }
        self.free -= 1;
        *self.bytes.last_mut().unwrap() |= u8::from(bit) << self.free;
    }
}

/// Parents and weights by place, what is at a place, and where a symbol is; places in falling order of their weights.
struct Tree {
    parent: Vec<usize>,
    children: Vec<Option<usize>>,
    symbol: Vec<usize>,
    weight: Vec<usize>,
    place: Vec<usize>,
    right: Vec<bool>,
}

impl Tree {
    fn new(symbols: usize) -> Self {
        let places = 0..symbols * 2;
        let mut tree = Self {
            parent: places.clone().map(|at| at / 2).collect(),
            children: places.clone().map(|at| (at < symbols).then_some(at * 2)).collect(),
            symbol: places.clone().map(|at| at.saturating_sub(symbols)).collect(),
            weight: vec![0; symbols * 2],
            place: (symbols..symbols * 2).collect(),
            right: places.map(|at| at % 2 == 1).collect(),
        };
        for leaf in symbols..symbols * 2 {
            let mut at = leaf;
            while at > 0 {
                tree.weight[at] += 1;
                at /= 2;
            }
        }
        if symbols > 256 {
            [256, 257].into_iter().for_each(|symbol| tree.more(symbol));
            (0..12).for_each(|_| tree.more(symbols - 3));
            (0..6).for_each(|_| tree.more(symbols - 2));
        } else {
            (0..2).for_each(|_| (0..symbols).for_each(|symbol| tree.more(symbol)));
        }
        tree
    }

    fn write(&mut self, symbol: usize, bits: &mut Bits) {
        let way = std::iter::successors(Some(self.place[symbol]), |at| Some(self.parent[*at]));
        let way: Vec<bool> = way.take_while(|at| *at > 1).map(|at| self.right[at]).collect();
        way.into_iter().rev().for_each(|bit| bits.push(bit));
        self.more(symbol);
    }

    fn more(&mut self, symbol: usize) {
        let mut at = self.place[symbol];
        while at > 1 {
            let alike = (2..=at).rev().take_while(|other| self.weight[*other] == self.weight[at]);
            let leader = alike.last().unwrap();
            self.exchange(at, leader);
            self.weight[leader] += 1;
            at = self.parent[leader];
        }
        self.weight[1] += 1;
    }

    /// What is at two places of one weight, with all below.
    fn exchange(&mut self, one: usize, other: usize) {
        self.children.swap(one, other);
        self.symbol.swap(one, other);
        for at in [one, other] {
            match self.children[at] {
                Some(child) => (child..child + 2).for_each(|child| self.parent[child] = at),
                None => self.place[self.symbol[at]] = at,
            }
        }
    }
}
