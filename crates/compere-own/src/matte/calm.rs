//! The same place over time: what did not change keeps its part of the person.

/// Pictures before and behind that are looked at.
pub(super) const AROUND: usize = 2;
const WEIGHTS: [f32; AROUND + 1] = [1.0, 0.8, 0.4];
/// Grey levels by which noise changes the mean of a few pixels.
const NOISE: f32 = 3.5;
/// What a level of a key counts beside one of brightness: its noise is more.
pub(super) const KEY: f32 = 0.3;

/// A picture of a take: its brightness around every pixel, what the key says around it where there is one, and its matte.
#[derive(Debug)]
pub(super) struct Moment {
    pub(super) looks: Vec<[f32; 2]>,
    pub(super) alpha: Vec<u8>,
    pub(super) width: usize,
}

/// The matte of the `middle` one, steadied by its neighbours.
pub(super) fn calmed(moments: &[&Moment], middle: usize) -> Vec<u8> {
    let own = moments[middle];
    let others: Vec<(&Moment, f32)> = moments
        .iter()
        .enumerate()
        .filter(|&(n, _)| n != middle)
        .map(|(n, moment)| (*moment, WEIGHTS[n.abs_diff(middle).min(AROUND)]))
        .collect();
    let mut out = Vec::with_capacity(own.alpha.len());
    for (n, &alpha) in own.alpha.iter().enumerate() {
        // Inside and outside everybody agrees.
        if others.iter().all(|(moment, _)| moment.alpha[n] == alpha) {
            out.push(alpha);
            continue;
        }
        let (mut sum, mut all) = (f32::from(alpha), 1.0);
        for (moment, weight) in &others {
            let [bright, key] = [0, 1].map(|k| (moment.looks[n][k] - own.looks[n][k]) / NOISE);
            let change = bright * bright + key * key;
            let weight = weight / (1.0 + change * change);
            sum += weight * f32::from(moment.alpha[n]);
            all += weight;
        }
        out.push((sum / all + 0.5) as u8);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_still_is_steadied_and_what_moves_is_not() {
        let moment = |bright: f32, alpha: u8| {
            let looks = vec![[bright, 0.0]; 2];
            Moment { looks, alpha: vec![alpha, 255], width: 2 }
        };
        let (a, b, c) = (moment(100.0, 90), moment(101.0, 150), moment(100.0, 90));
        let still = calmed(&[&a, &b, &c], 1);
        assert!(still[0] < 125 && still[1] == 255, "{still:?}");
        let (a, c) = (moment(180.0, 0), moment(20.0, 255));
        let moved = calmed(&[&a, &b, &c], 1);
        assert!(moved[0].abs_diff(150) < 3, "{moved:?}");
    }
}
