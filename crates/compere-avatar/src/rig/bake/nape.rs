//! How a neck goes on behind a head.
//!
//! The body's plate shows the head as well, which fills the gap that a raised chin leaves. Turned, a head would show a
//! second edge of itself there. So behind a jaw the neck's own outline goes on upwards: what the body's plate has of the
//! head outside of it goes, and what lies next to it inside takes the neck's colours.

use compere_media::Pixmap;

/// What a pixel of the body's plate shows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shows {
    Cloth,
    Neck,
    /// What the head's plate shows as well.
    Head,
}

/// How far inwards the outline of a neck may lean with every row, and how far outwards.
const LEANS: [f32; 2] = [0.12, 0.10];
/// How many pixels narrower the shade along it gets for each that it leans inwards.
const NARROWS: f32 = 3.0;
/// And so many rows ahead, as it is soft.
const SOON: usize = 12;
/// How wide an edge of cloth before it is, in pixels.
const EDGE: usize = 4;
/// How far up it goes on, in units of its `reach`.
const HIGH: usize = 4;

/// A neck's outline at one side of the picture. Places are counted from that side.
#[derive(Default)]
struct Outline {
    /// Where it was in the last rows that show it, from below.
    places: Vec<usize>,
    /// The colours of the last one, inwards.
    tones: Vec<[u8; 4]>,
    /// Rows since then.
    rows: usize,
    /// How far what the head's plate shows as well goes from the outline of both: more with every row, or a corner
    /// would be left.
    deep: usize,
}

impl Outline {
    /// Where it goes on in this row, if it does.
    fn ahead(&self) -> Option<f32> {
        let last = *self.places.last()? as f32;
        Some(last + self.lean()?.clamp(-LEANS[1], LEANS[0]) * self.rows as f32)
    }

    fn lean(&self) -> Option<f32> {
        let (first, last) = (*self.places.first()? as f32, *self.places.last()? as f32);
        Some((last - first) / self.places.len() as f32)
    }

    /// The colours inwards from there. Where an outline really leans inwards, what hair shades along it gets narrower with
    /// every row: as it was, it would end in a notch.
    fn tones_ahead(&self) -> impl Iterator<Item = [u8; 4]> {
        let steep = self.lean().map_or(0.0, |lean| (lean - LEANS[0]).max(0.0));
        let narrower = (NARROWS * steep * (self.rows + SOON) as f32) as usize;
        let last = self.tones.len().saturating_sub(1);
        (0..self.tones.len()).map(move |at| self.tones[(at + narrower).min(last)])
    }

    fn note(&mut self, place: usize, tones: impl ExactSizeIterator<Item = [u8; 4]>, reach: usize) {
        if self.rows > 0 {
            self.places.clear();
        }
        if self.places.len() > reach {
            self.places.remove(0);
        }
        self.places.push(place);
        // The last of a short one may be half the jaw's.
        let sure = if tones.len() < reach { tones.len() * 2 / 3 } else { reach };
        let tones: Vec<[u8; 4]> = tones.take(sure.max(1)).collect();
        let known = self.tones.len().min(tones.len());
        self.tones.splice(..known, tones);
        (self.rows, self.deep) = (0, 0);
    }
}

/// Lets the neck go on behind the head. `reach` in pixels; where the neck makes the outline everything stays.
pub(super) fn inset(picture: &mut Pixmap, head: &Pixmap, reach: usize, shows: impl Fn(usize) -> Shows) {
    let width = picture.width() as usize;
    let mut sides = [Outline::default(), Outline::default()];
    for y in (0..picture.height()).rev() {
        let front = head.row(y);
        let row = picture.row_mut(y);
        for (side, outline) in sides.iter_mut().enumerate() {
            let at = |step: usize| if side == 1 { width - 1 - step } else { step };
            continued(row, front, reach, outline, |step| (at(step), shows(y as usize * width + at(step))));
        }
    }
}

/// The place of what is worn whose colours go on from skin that begins at `first`: pixels next to it show some of that
/// skin, more or less in every row, and would go on as streaks.
fn whole(first: usize, alpha: impl Fn(usize) -> u8) -> usize {
    let place = first.saturating_sub(EDGE);
    if (place..first).all(|step| alpha(step) == 255) { place } else { first - 1 }
}

/// One row at one side, told from the outside.
fn continued(
    row: &mut [[u8; 4]],
    front: &[[u8; 4]],
    reach: usize,
    outline: &mut Outline,
    at: impl Fn(usize) -> (usize, Shows),
) {
    let skin = |step: usize| Some(at(step)).filter(|&(x, shows)| row[x][3] > 0 && shows != Shows::Cloth);
    let Some(first) = (0..row.len()).find(|&step| skin(step).is_some()) else { return };
    let all: Vec<(usize, Shows)> = (first..row.len()).map_while(skin).collect();
    let own = all.iter().take_while(|(_, shows)| *shows == Shows::Neck).count();
    // A nape behind a cheek or over a jaw is no outline of a neck's, and the very edge of a head may be of the neck's back.
    if own > reach / 3 && front[all[0].0][3] <= 250 && outline.deep <= reach / 3 {
        outline.note(first, all[..own.min(reach)].iter().map(|&(x, _)| row[x]), reach);
        let beside_jaw = all.iter().zip(outline.tones_ahead()).skip(own);
        beside_jaw.for_each(|(&(x, _), tone)| row[x] = with_alpha(tone, row[x][3]));
        return;
    }
    // A sliver of a chest between what is worn.
    if !all.iter().any(|&(x, _)| front[x][3] > 250) {
        return;
    }
    outline.rows += 1;
    outline.deep = reach.min(outline.deep + 1);
    let cloth = first > 0 && row[at(first - 1).0][3] > 127;
    let both = (0..row.len()).find(|&step| row[at(step).0][3].max(front[at(step).0][3]) >= 128).unwrap_or(first);
    let ahead = outline.ahead().filter(|_| outline.rows <= HIGH * reach);
    let edge = ahead.map_or(if cloth { first } else { both + outline.deep }, |place| place.max(0.0) as usize);
    // Behind a collar there is no gap: it goes on as well.
    let from = if cloth { whole(first, |step| row[at(step).0][3]) } else { first };
    let beside = if cloth { row[at(from).0] } else { [0; 4] };
    let edge = edge.clamp(first, row.len());
    // What fades from neck to head stays where it is seen: the head's own piece of it is thinner there, and would be a fleck.
    // But for slivers of a nape beside a cheek, which hang on nothing.
    let fades = |x: usize| front[x][3] <= 250 && (outline.rows <= reach || own > reach / 3);
    // What flares beyond the outline that goes on would be a corner beside the jaw.
    let flares = |step: usize| !cloth && ahead.is_some_and(|place| (step as f32) < place - 0.5);
    let goes = |step: usize, x: usize, shows: Shows| {
        shows == Shows::Head || (shows == Shows::Neck && (!fades(x) || flares(step)))
    };
    // What lies inwards of what stays does so as well: it would be a hole.
    let stays = |&step: &usize| matches!(at(step), (x, Shows::Neck) if fades(x) && row[x][3] > 127 && !flares(step));
    let edge = (first..edge).find(stays).unwrap_or(edge);
    let gone = (first..edge).map(|step| (step, at(step))).filter(|&(step, (x, shows))| goes(step, x, shows));
    let gone: Vec<(usize, usize)> = gone.map(|(step, (x, _))| (step, x)).collect();
    gone.iter().for_each(|&(_, x)| row[x] = beside);
    // Its edge is none any more.
    if gone.first().is_some_and(|&(step, _)| step == first) {
        (from..first).for_each(|step| row[at(step).0] = beside);
    }
    let tones: Vec<[u8; 4]> = ahead.map(|_| outline.tones_ahead().collect()).unwrap_or_default();
    for (step, tone) in (edge..row.len()).zip(tones) {
        let (x, shows) = at(step);
        let behind = front[x][3] > 250;
        // Little of a neck is a neck still: where hair shades its back, tones of that would be a notch in it.
        if !behind && shows == Shows::Neck {
            continue;
        }
        // The back of a collar, seen through the hollow of the head, is behind it as well.
        if !behind && (shows == Shows::Cloth || row[x][3] == 0) {
            break;
        }
        // Edges are as soft as they were.
        row[x] = with_alpha(tone, if behind && !cloth { 255 } else { row[x][3] });
    }
}

fn with_alpha(color: [u8; 4], alpha: u8) -> [u8; 4] {
    let of = u32::from(color[3].max(1));
    color.map(|c| (u32::from(c) * u32::from(alpha) / of).min(u32::from(alpha)) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    const JAW: [u8; 4] = [90, 60, 50, 255];
    const NONE: [u8; 4] = [0; 4];

    /// A neck of 12 tones from place 4 on in a row of 24.
    fn neck() -> Vec<[u8; 4]> {
        (0..24).map(|x: u8| if x < 4 { NONE } else { [200 - 5 * x, 150, 120, 255] }).collect()
    }

    #[test]
    fn behind_a_jaw_the_neck_goes_on() {
        let mut outline = Outline::default();
        let open = vec![NONE; 24];
        for _ in 0..6 {
            let mut below = neck();
            continued(&mut below, &open, 9, &mut outline, |step| (step, Shows::Neck));
            assert_eq!(below, neck());
        }
        // The jaw begins farther out than the neck: it goes there, and takes the neck's colours behind the head.
        let (mut jaw, mut front) = (vec![JAW; 24], vec![JAW; 24]);
        (jaw[0], front[0]) = (NONE, NONE);
        continued(&mut jaw, &front, 9, &mut outline, |step| (step, Shows::Head));
        assert_eq!((&jaw[..4], &jaw[4..10], jaw[13]), (&[NONE; 4][..], &neck()[4..10], JAW));
        // Cloth beside it is no gap to open.
        let mut jaw = vec![JAW; 24];
        let shows = |step: usize| (step, if step < 6 { Shows::Cloth } else { Shows::Head });
        continued(&mut jaw, &front, 9, &mut outline, shows);
        assert_eq!((&jaw[..6], jaw[6], jaw[15]), (&[JAW; 6][..], neck()[4], JAW));
    }

    #[test]
    fn a_collar_goes_on_in_its_own_colour_and_not_in_that_of_its_edge() {
        const CLOTH: [u8; 4] = [240, 240, 240, 255];
        // Two pixels of its edge show some of the jaw behind it.
        let mut row = vec![JAW; 24];
        row[..6].fill(CLOTH);
        (row[6], row[7]) = ([200, 190, 186, 255], [120, 100, 90, 255]);
        let mut front = vec![JAW; 24];
        front[..12].fill(NONE);
        let mut outline = Outline::default();
        for _ in 0..6 {
            let shows = |step: usize| (step, if step < 10 { Shows::Cloth } else { Shows::Neck });
            continued(&mut [JAW; 24], &[NONE; 24], 9, &mut outline, shows);
        }
        let shows = |step: usize| (step, if step < 8 { Shows::Cloth } else { Shows::Head });
        continued(&mut row, &front, 9, &mut outline, shows);
        assert_eq!(row[..10], [CLOTH; 10]);
    }

    #[test]
    fn what_goes_on_of_a_neck_has_no_hole_and_nothing_flares_beside_a_jaw() {
        let mut outline = Outline::default();
        for _ in 0..6 {
            continued(&mut neck(), &[NONE; 24], 9, &mut outline, |step| (step, Shows::Neck));
        }
        // A little of the neck's back is farther out than what the head covers, and than its outline goes on.
        let mut front = vec![JAW; 24];
        front[..2].fill(NONE);
        let shows = |step: usize| (step, if step < 2 { Shows::Neck } else { Shows::Head });
        let mut beside_jaw = vec![JAW; 24];
        continued(&mut beside_jaw, &front, 9, &mut outline, shows);
        assert_eq!((&beside_jaw[..4], &beside_jaw[4..10]), (&[NONE; 4][..], &neck()[4..10]));
        for _ in 0..9 {
            continued(&mut [JAW; 24], &front, 9, &mut outline, shows);
        }
        let mut beside_cheek = vec![JAW; 24];
        continued(&mut beside_cheek, &front, 9, &mut outline, shows);
        assert_eq!(beside_cheek[..4], [NONE; 4]);
    }
}
