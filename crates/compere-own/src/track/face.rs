//! Faces in pictures: where they are, and 478 points of one.

use compere_media::Frame;
use compere_media::math;

use super::net::{Net, NetError};
use super::points::{EYE_OUTER, LEFT_EYE, LIPS, MESH, RIGHT_EYE};
use super::see;

/// Pixels of the networks' inputs.
const DETECTOR: usize = 128;
const MESH_INPUT: usize = 192;
/// How much larger than the face the picture is that the mesh is found in.
const MARGIN: f32 = 1.5;
const SURE: f32 = 0.5;
/// Boxes that overlap by more are one face.
const SAME: f32 = 0.3;

/// Points in pixels; the third number is depth, in pixels as well, smaller being nearer.
pub(crate) type Mesh = Vec<[f32; 3]>;

/// A turned square in a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Square {
    centre: [f32; 2],
    side: f32,
    cos: f32,
    sin: f32,
}

impl Square {
    fn new(centre: [f32; 2], side: f32, right_eye: [f32; 2], left_eye: [f32; 2]) -> Self {
        let (dx, dy) = (left_eye[0] - right_eye[0], left_eye[1] - right_eye[1]);
        let length = (dx * dx + dy * dy).sqrt().max(1e-3);
        Self { centre, side, cos: dx / length, sin: dy / length }
    }

    /// From the unit square around its centre into the picture.
    fn point(&self, x: f32, y: f32) -> [f32; 2] {
        let (x, y) = (x * self.side, y * self.side);
        [self.centre[0] + self.cos * x - self.sin * y, self.centre[1] + self.sin * x + self.cos * y]
    }
}

/// A face that the detector found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Found {
    pub(crate) score: f32,
    centre: [f32; 2],
    size: [f32; 2],
    right_eye: [f32; 2],
    left_eye: [f32; 2],
}

impl Found {
    fn square(&self) -> Square {
        Square::new(self.centre, MARGIN * self.size[0].max(self.size[1]), self.right_eye, self.left_eye)
    }

    /// Whether it is no small face somewhere behind.
    pub(crate) fn is_as_large_as(&self, other: &Self) -> bool {
        self.size[0] > 0.4 * other.size[0]
    }

    fn overlap(&self, other: &Self) -> f32 {
        let side = |axis: usize| {
            let low = (self.centre[axis] - self.size[axis] / 2.0).max(other.centre[axis] - other.size[axis] / 2.0);
            let high = (self.centre[axis] + self.size[axis] / 2.0).min(other.centre[axis] + other.size[axis] / 2.0);
            (high - low).max(0.0)
        };
        let both = side(0) * side(1);
        both / (self.size[0] * self.size[1] + other.size[0] * other.size[1] - both).max(1e-6)
    }
}

/// The two networks.
#[derive(Debug)]
pub(crate) struct Networks {
    detector: Net,
    mesh: Net,
}

impl Networks {
    pub(crate) fn load(detector: &[u8], mesh: &[u8]) -> Result<Self, NetError> {
        let detector = Net::load(detector, &[0, 1])?;
        // Mesh, lips, both eyes and whether there is a face; nobody needs the irises.
        let mesh = Net::load(mesh, &[0, 1, 2, 3, 6])?;
        Ok(Self { detector, mesh })
    }

    /// All faces, the surest first.
    pub(crate) fn detect(&self, frame: &Frame) -> Result<Vec<Found>, NetError> {
        let (width, height) = (frame.width() as f32, frame.height() as f32);
        let side = width.max(height);
        let corner = [(width - side) / 2.0, (height - side) / 2.0];
        let input = see::shrunk(frame, corner, side, DETECTOR);
        let out = self.detector.run(input)?;
        let mut found: Vec<Found> = Vec::new();
        let rows = out[0].numbers.as_chunks::<16>().0.iter().zip(&out[1].numbers).zip(anchors());
        for ((row, logit), anchor) in rows {
            let score = sigmoid(*logit);
            if score < SURE {
                continue;
            }
            let scale = side / DETECTOR as f32;
            let at = |n: usize| {
                [row[n] * scale + anchor[0] * side + corner[0], row[n + 1] * scale + anchor[1] * side + corner[1]]
            };
            let size = [row[2] * scale, row[3] * scale];
            found.push(Found { score, centre: at(0), size, right_eye: at(4), left_eye: at(6) });
        }
        Ok(merged(found))
    }

    /// The points of the face in a square, if there is one.
    fn mesh(&self, frame: &Frame, square: &Square) -> Result<Option<Mesh>, NetError> {
        let n = MESH_INPUT as f32;
        let input = see::crop(frame, MESH_INPUT, |x, y| square.point(x as f32 / n - 0.5, y as f32 / n - 0.5));
        let out = self.mesh.run(input)?;
        if sigmoid(out[4].numbers.first().copied().unwrap_or(f32::MIN)) < SURE {
            return Ok(None);
        }
        let mut points: Vec<[f32; 3]> = out[0].numbers.as_chunks::<3>().0.to_vec();
        if points.len() != MESH {
            return Ok(None);
        }
        for (numbers, names) in [(&out[1], &LIPS[..]), (&out[2], &LEFT_EYE), (&out[3], &RIGHT_EYE)] {
            for (xy, &name) in numbers.numbers.as_chunks::<2>().0.iter().zip(names) {
                points[name][..2].copy_from_slice(xy);
            }
        }
        let placed = points.into_iter().map(|[x, y, z]| {
            let [x, y] = square.point(x / n - 0.5, y / n - 0.5);
            [x, y, z / n * square.side]
        });
        Ok(Some(placed.collect()))
    }
}

/// One face through the pictures of a take.
#[derive(Debug)]
pub(crate) struct Tracker<'a> {
    networks: &'a Networks,
    square: Option<Square>,
}

impl<'a> Tracker<'a> {
    pub(crate) fn new(networks: &'a Networks) -> Self {
        Self { networks, square: None }
    }

    /// The points of the face in the next picture.
    pub(crate) fn next(&mut self, frame: &Frame) -> Result<Option<Mesh>, NetError> {
        if let Some(square) = self.square.take()
            && let Some(mesh) = self.networks.mesh(frame, &square)?
        {
            self.square = Some(around(&mesh));
            return Ok(Some(mesh));
        }
        let Some(found) = self.networks.detect(frame)?.first().copied() else { return Ok(None) };
        let mesh = self.networks.mesh(frame, &found.square())?;
        self.square = mesh.as_ref().map(around);
        Ok(mesh)
    }
}

fn around(mesh: &Mesh) -> Square {
    let (mut low, mut high) = ([f32::MAX; 2], [f32::MIN; 2]);
    for point in mesh {
        for axis in 0..2 {
            low[axis] = low[axis].min(point[axis]);
            high[axis] = high[axis].max(point[axis]);
        }
    }
    let centre = [(low[0] + high[0]) / 2.0, (low[1] + high[1]) / 2.0];
    let side = MARGIN * (high[0] - low[0]).max(high[1] - low[1]);
    let eye = |n: usize| [mesh[n][0], mesh[n][1]];
    Square::new(centre, side, eye(EYE_OUTER[0]), eye(EYE_OUTER[1]))
}

/// The middles of the detector's cells, as parts of its picture.
fn anchors() -> impl Iterator<Item = [f32; 2]> {
    [(16, 2), (8, 6)].into_iter().flat_map(|(cells, each): (usize, usize)| {
        (0..cells * cells * each).map(move |n| {
            let cell = n / each;
            let middle = |at: usize| (at as f32 + 0.5) / cells as f32;
            [middle(cell % cells), middle(cell / cells)]
        })
    })
}

/// Boxes of one face become their mean, weighted by how sure they are.
fn merged(mut found: Vec<Found>) -> Vec<Found> {
    found.sort_by(|a, b| b.score.total_cmp(&a.score));
    let mut faces = Vec::new();
    while let Some(&best) = found.first() {
        let (same, other): (Vec<Found>, Vec<Found>) = found.iter().partition(|one| one.overlap(&best) > SAME);
        let weight: f32 = same.iter().map(|one| one.score).sum();
        let mean = |of: &dyn Fn(&Found) -> [f32; 2]| {
            let sum = |axis: usize| same.iter().map(|one| of(one)[axis] * one.score).sum::<f32>() / weight;
            [sum(0), sum(1)]
        };
        faces.push(Found {
            score: best.score,
            centre: mean(&|one| one.centre),
            size: mean(&|one| one.size),
            right_eye: mean(&|one| one.right_eye),
            left_eye: mean(&|one| one.left_eye),
        });
        // A box always overlaps itself, but for a broken one without size.
        found = if same.is_empty() { found.split_off(1) } else { other };
    }
    faces
}

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + math::expf(-x.clamp(-80.0, 80.0)))
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests read files")]
pub(super) mod tests {
    use super::*;
    use crate::jpeg::planes_from_jpeg;
    use crate::testing::assets;

    fn networks() -> Networks {
        crate::track::networks(&assets().join("faces")).expect("the networks, which scripts/fetch-faces.sh fetches")
    }

    const SIZE: [usize; 2] = [260, 300];

    /// One of our lit presenters: luma, and below it both chroma planes side by side.
    pub(in crate::track) fn picture() -> Frame {
        let [width, height] = SIZE;
        let grey = planes_from_jpeg(include_bytes!("reference/face.jpg"), width, height * 3 / 2).expect("a picture");
        let mut frame = Frame::new(width as u32, height as u32);
        let (y, u, v) = frame.planes_mut();
        let (luma, chroma) = grey.split_at(y.len());
        y.copy_from_slice(luma);
        for ((row, u), v) in
            chroma.chunks_exact(width).zip(u.chunks_exact_mut(width / 2)).zip(v.chunks_exact_mut(width / 2))
        {
            u.copy_from_slice(&row[..width / 2]);
            v.copy_from_slice(&row[width / 2..]);
        }
        frame
    }

    /// The numbers are those of the networks' own runtime (the PyPI package mediapipe 0.10.14, its tracker with attention,
    /// fourth look at the same picture), which cuts the face out of the picture in its own way.
    #[test]
    fn the_points_are_those_of_the_networks_own_runtime() {
        let reference: Vec<[f32; 2]> = include_str!("reference/points.txt")
            .lines()
            .map(|line| {
                let (x, y) = line.split_once(' ').expect("two numbers");
                [x.parse().expect("a number"), y.parse().expect("a number")]
            })
            .collect();
        let (networks, frame) = (networks(), picture());
        let mut tracker = Tracker::new(&networks);
        let mut mesh = Mesh::new();
        for _ in 0..4 {
            mesh = tracker.next(&frame).expect("it runs").expect("there is a face");
        }
        let off = |n: usize| {
            let (dx, dy) = (mesh[n][0] - reference[n][0], mesh[n][1] - reference[n][1]);
            (dx * dx + dy * dy).sqrt()
        };
        let mean = (0..reference.len()).map(off).sum::<f32>() / reference.len() as f32;
        let lips = LIPS.iter().map(|&n| off(n)).sum::<f32>() / LIPS.len() as f32;
        println!("{} points: {mean:.3} pixels off in the mean, lips {lips:.3}", reference.len());
        assert_eq!(reference.len(), MESH);
        assert!(mean < 0.25 && lips < 0.3, "{mean:.3} pixels off, lips {lips:.3}");
    }

    #[test]
    fn a_wall_has_no_face_and_one_face_is_found_once() {
        let networks = networks();
        assert_eq!(networks.detect(&picture()).expect("it runs").len(), 1);
        let wall = Frame::new(320, 240);
        assert!(networks.detect(&wall).expect("it runs").is_empty());
        assert!(Tracker::new(&networks).next(&wall).expect("it runs").is_none());
    }

    #[test]
    fn a_damaged_network_is_an_error() {
        for file in [&b""[..], &b"TFL3"[..], &[0xFF; 64][..]] {
            assert!(Networks::load(file, file).is_err());
        }
    }
}
