//! Slice headers: enough of them to move a slice to another place of another picture.
//!
//! What is rewritten: `first_mb_in_slice`, `pic_parameter_set_id`, `frame_num` and `idr_pic_id`. The rest of the header is copied bit by bit,
//! the CABAC bytes behind it are not looked at.

use super::EncodeError;
use super::bits::{Reader, Writer, append_nal, unescaped};

/// What the parameter sets say about slice headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Syntax {
    /// The PPS of slices.
    pps: u32,
    frame_num_bits: u32,
    /// The quantiser that `slice_qp_delta` counts from.
    pub initial_qp: i32,
}

/// Where a picture stands in its segment.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Numbers {
    /// Pictures since the key frame. Every picture is a reference, so each counts.
    pub since_key: u32,
    pub idr_pic_id: u32,
}

const IDR: u8 = 5;
const HIGH: u8 = 100;

impl Syntax {
    /// Reads the sets and makes sure that they describe the kind of stream whose slices can be moved, with so many
    /// references.
    pub(super) fn of(sps: &[u8], pps: &[u8], references: u32) -> Result<Self, EncodeError> {
        let surprise = |what: &str| EncodeError::Library(format!("its parameter sets {what}"));
        let mut raw = Vec::new();
        unescaped(sps, &mut raw);
        let mut sps = Reader::new(&raw);
        sps.bits(8);
        if sps.bits(8) != u32::from(HIGH) {
            return Err(surprise("are not High profile"));
        }
        sps.bits(16);
        let (_id, _chroma, _luma_depth, _chroma_depth) = (sps.ue(), sps.ue(), sps.ue(), sps.ue());
        let (_lossless, scaling_lists) = (sps.bit(), sps.bit());
        let frame_num_bits = sps.ue() + 4;
        if scaling_lists || sps.ue() != 2 {
            return Err(surprise("have scaling lists or do not count pictures in decoding order"));
        }
        unescaped(pps, &mut raw);
        let mut pps = Reader::new(&raw);
        pps.bits(8);
        let (id, _sps_id, cabac, _order) = (pps.ue(), pps.ue(), pps.bit(), pps.bit());
        let (groups, more, _) = (pps.ue(), pps.ue(), pps.ue());
        let weighted = pps.bits(3);
        let initial_qp = 26 + pps.se();
        if !cabac || groups != 0 || more + 1 != references || weighted != 0 {
            return Err(surprise("lack CABAC or ask for slice groups, other references or weighted prediction"));
        }
        Ok(Self { pps: id, frame_num_bits, initial_qp })
    }

    fn frame_num(self, numbers: Numbers) -> u32 {
        numbers.since_key & ((1 << self.frame_num_bits) - 1)
    }

    /// Appends `nal`, a slice of some x264 picture, as a slice of the picture `numbers` that starts at `first_mb`.
    /// `first_mb` None keeps it where it was.
    pub(super) fn moved(self, nal: &[u8], first_mb: Option<u32>, numbers: Numbers, out: &mut Vec<u8>) {
        let mut raw = Vec::with_capacity(nal.len());
        unescaped(nal, &mut raw);
        let mut from = Reader::new(&raw);
        let mut to = Writer::default();
        let head = from.bits(8);
        to.bits(head, 8);
        let was = from.ue();
        to.ue(first_mb.unwrap_or(was));
        let kind = from.ue();
        to.ue(kind);
        from.ue();
        to.ue(self.pps);
        from.bits(self.frame_num_bits);
        to.bits(self.frame_num(numbers), self.frame_num_bits);
        let key = head as u8 & 31 == IDR;
        if key {
            from.ue();
            to.ue(numbers.idr_pic_id);
        }
        let rest = from.position();
        skip_rest_of_header(&mut from, key, kind % 5 != 2);
        let mut copy = Reader::new(&raw);
        copy.bits(rest as u32);
        copy.copy_to(from.position(), &mut to);
        let data = &raw[from.position().div_ceil(8)..];
        append_nal(&[&to.aligned_with_ones(), data], out);
    }

    /// Appends a slice of a predicted picture whose macroblocks are all skipped; `data` is their CABAC coding at
    /// [`Self::SKIP_QP`].
    pub(super) fn skipped(self, first_mb: u32, data: &[u8], numbers: Numbers, out: &mut Vec<u8>) {
        let mut to = Writer::default();
        to.bits(0x41, 8); // a reference picture's slice, not IDR
        to.ue(first_mb);
        to.ue(5); // P, and so is every other slice of the picture
        to.ue(self.pps);
        to.bits(self.frame_num(numbers), self.frame_num_bits);
        to.bits(0, 3); // as many references as the PPS says, in their order, and the sliding window
        to.ue(0); // cabac_init_idc
        to.se(Self::SKIP_QP - self.initial_qp);
        to.ue(1); // no deblocking: there is nothing to smooth
        append_nal(&[&to.aligned_with_ones(), data], out);
    }

    /// Skipped macroblocks have no residual, so their quantiser only seeds the CABAC contexts; at the coarsest,
    /// "skipped" is the most probable from the start.
    pub(super) const SKIP_QP: i32 = 51;
}

fn skip_rest_of_header(from: &mut Reader<'_>, key: bool, predicted: bool) {
    if predicted {
        if from.bit() {
            from.ue();
        }
        from.bit(); // no reordering: those that were decoded last come first
    }
    from.bits(if key { 2 } else { 1 }); // reference marking
    if predicted {
        from.ue();
    }
    from.se();
    if from.ue() != 1 {
        from.se();
        from.se();
    }
}
