//! Names of the face's points, as the networks number them.

/// How many points the mesh has without the irises.
pub(crate) const MESH: usize = 468;

/// The outer corners of the eyes: the person's right one, which lies left in the picture, first.
pub(crate) const EYE_OUTER: [usize; 2] = [33, 263];

/// Of each eye the upper and the lower lid, in their middles; and of each brow a point and the corner of the eye below it.
pub(crate) const LIDS: [[usize; 2]; 2] = [[159, 145], [386, 374]];
pub(crate) const BROWS: [[usize; 2]; 2] = [[105, 33], [334, 263]];

/// Points that speech does not move: corners of the eyes, bridge of the nose, forehead, temples.
pub(crate) const RIGID: [usize; 16] = [33, 133, 362, 263, 168, 6, 197, 195, 5, 10, 151, 9, 127, 356, 234, 454];

const LIPS_OUT: [usize; 20] =
    [61, 146, 91, 181, 84, 17, 314, 405, 321, 375, 291, 409, 270, 269, 267, 0, 37, 39, 40, 185];
const LIPS_IN: [usize; 20] =
    [78, 95, 88, 178, 87, 14, 317, 402, 318, 324, 308, 415, 310, 311, 312, 13, 82, 81, 80, 191];
const CHIN: [usize; 13] = [152, 148, 377, 176, 400, 149, 378, 150, 379, 199, 175, 18, 200];
const JAW: [usize; 17] = [172, 397, 136, 365, 58, 288, 205, 425, 2, 98, 327, 57, 287, 43, 273, 202, 422];

/// How many of [`MOUTH`] are lips; they come first.
pub(crate) const LIP_POINTS: usize = LIPS_OUT.len() + LIPS_IN.len();
pub(crate) const MOUTH_POINTS: usize = LIP_POINTS + CHIN.len() + JAW.len();

/// Lips, chin and jaw: the points that a mouth is bent by.
pub(crate) const MOUTH: [usize; MOUTH_POINTS] = {
    let mut all = [0; MOUTH_POINTS];
    let lists: [&[usize]; 4] = [&LIPS_OUT, &LIPS_IN, &CHIN, &JAW];
    let (mut list, mut to) = (0, 0);
    while list < lists.len() {
        let mut n = 0;
        while n < lists[list].len() {
            all[to] = lists[list][n];
            (n, to) = (n + 1, to + 1);
        }
        list += 1;
    }
    all
};

/// How far the lips are apart in their middle.
pub(crate) fn between_lips(mouth: &[[f32; 2]; MOUTH_POINTS]) -> f32 {
    const UPPER: usize = LIPS_OUT.len() + 15;
    const LOWER: usize = LIPS_OUT.len() + 5;
    const { assert!(MOUTH[UPPER] == 13 && MOUTH[LOWER] == 14) };
    let [dx, dy]: [f32; 2] = std::array::from_fn(|axis| mouth[UPPER][axis] - mouth[LOWER][axis]);
    (dx * dx + dy * dy).sqrt()
}

/// Which points of the mesh the network looks at more closely, in the order of its outputs.
pub(super) const LIPS: [usize; 80] = [
    61, 146, 91, 181, 84, 17, 314, 405, 321, 375, 291, 185, 40, 39, 37, 0, 267, 269, 270, 409, 78, 95, 88, 178, 87, 14,
    317, 402, 318, 324, 308, 191, 80, 81, 82, 13, 312, 311, 310, 415, 76, 77, 90, 180, 85, 16, 315, 404, 320, 307, 306,
    184, 74, 73, 72, 11, 302, 303, 304, 408, 62, 96, 89, 179, 86, 15, 316, 403, 319, 325, 292, 183, 42, 41, 38, 12,
    268, 271, 272, 407,
];
pub(super) const LEFT_EYE: [usize; 71] = [
    33, 7, 163, 144, 145, 153, 154, 155, 133, 246, 161, 160, 159, 158, 157, 173, 130, 25, 110, 24, 23, 22, 26, 112,
    243, 247, 30, 29, 27, 28, 56, 190, 226, 31, 228, 229, 230, 231, 232, 233, 244, 113, 225, 224, 223, 222, 221, 189,
    35, 124, 46, 53, 52, 65, 143, 111, 117, 118, 119, 120, 121, 128, 245, 156, 70, 63, 105, 66, 107, 55, 193,
];
pub(super) const RIGHT_EYE: [usize; 71] = [
    263, 249, 390, 373, 374, 380, 381, 382, 362, 466, 388, 387, 386, 385, 384, 398, 359, 255, 339, 254, 253, 252, 256,
    341, 463, 467, 260, 259, 257, 258, 286, 414, 446, 261, 448, 449, 450, 451, 452, 453, 464, 342, 445, 444, 443, 442,
    441, 413, 265, 353, 276, 283, 282, 295, 372, 340, 346, 347, 348, 349, 350, 357, 465, 383, 300, 293, 334, 296, 336,
    285, 417,
];
