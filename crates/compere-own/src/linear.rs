//! The little of linear algebra that learning one person's mouth takes, in a fixed order of additions.

/// Rows of numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Matrix {
    pub(crate) columns: usize,
    pub(crate) numbers: Vec<f32>,
}

impl Matrix {
    pub(crate) fn zero(rows: usize, columns: usize) -> Self {
        Self { columns, numbers: vec![0.0; rows * columns] }
    }

    pub(crate) fn rows(&self) -> usize {
        self.numbers.len().checked_div(self.columns).unwrap_or(0)
    }

    pub(crate) fn row(&self, row: usize) -> &[f32] {
        &self.numbers[row * self.columns..][..self.columns]
    }

    pub(crate) fn row_mut(&mut self, row: usize) -> &mut [f32] {
        &mut self.numbers[row * self.columns..][..self.columns]
    }
}

/// In eight lanes, so that the processor may add side by side and always in the same order.
pub(crate) fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut lanes = [0.0f32; 8];
    let (a8, a_rest) = a.as_chunks::<8>();
    let (b8, b_rest) = b.as_chunks::<8>();
    for (a, b) in a8.iter().zip(b8) {
        for n in 0..8 {
            lanes[n] += a[n] * b[n];
        }
    }
    let rest: f32 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    let [a, b, c, d, e, f, g, h] = lanes;
    ((a + e) + (b + f)) + ((c + g) + (d + h)) + rest
}

/// The same in doubles.
fn wide_dot(a: &[f64], b: &[f64]) -> f64 {
    let mut lanes = [0.0f64; 8];
    let (a8, a_rest) = a.as_chunks::<8>();
    let (b8, b_rest) = b.as_chunks::<8>();
    for (a, b) in a8.iter().zip(b8) {
        for n in 0..8 {
            lanes[n] += a[n] * b[n];
        }
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    let [a, b, c, d, e, f, g, h] = lanes;
    ((a + e) + (b + f)) + ((c + g) + (d + h)) + rest
}

pub(crate) fn squared_distance(a: &[f32], b: &[f32]) -> f32 {
    let mut lanes = [0.0f32; 8];
    let (a8, a_rest) = a.as_chunks::<8>();
    let (b8, b_rest) = b.as_chunks::<8>();
    for (a, b) in a8.iter().zip(b8) {
        for n in 0..8 {
            let d = a[n] - b[n];
            lanes[n] += d * d;
        }
    }
    let rest: f32 = a_rest.iter().zip(b_rest).map(|(a, b)| (a - b) * (a - b)).sum();
    let [a, b, c, d, e, f, g, h] = lanes;
    ((a + e) + (b + f)) + ((c + g) + (d + h)) + rest
}

/// `left`ᵀ · `right`, both with the same rows: sums of outer products, in blocks that stay near the processor.
pub(crate) fn transposed_product(left: &Matrix, right: &Matrix) -> Vec<Vec<f64>> {
    const BLOCK: usize = 256;
    let mut sums = vec![vec![0.0f64; right.columns]; left.columns];
    let rows = left.rows();
    let mut column = Matrix::zero(right.columns, BLOCK);
    let mut mine = vec![0.0f32; BLOCK];
    for first in (0..rows).step_by(BLOCK) {
        let count = BLOCK.min(rows - first);
        for row in 0..count {
            for (n, &value) in right.row(first + row).iter().enumerate() {
                column.numbers[n * BLOCK + row] = value;
            }
        }
        for (m, sums) in sums.iter_mut().enumerate() {
            for (row, mine) in mine.iter_mut().enumerate().take(count) {
                *mine = left.row(first + row)[m];
            }
            for (n, sum) in sums.iter_mut().enumerate() {
                *sum += f64::from(dot(&mine[..count], &column.row(n)[..count]));
            }
        }
    }
    sums
}

/// Solves a symmetric positive system for many right sides at once; `system` and `sides` are used up.
pub(crate) fn solve(mut system: Vec<Vec<f64>>, mut sides: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let n = system.len();
    for i in 0..n {
        for j in 0..=i {
            let (head, tail) = system.split_at_mut(i);
            let (own, other) = (&mut tail[0], head.get(j));
            let other: &[f64] = other.map_or(&[], Vec::as_slice);
            let sum: f64 = if j < i { wide_dot(&own[..j], &other[..j]) } else { wide_dot(&own[..j], &own[..j]) };
            let value = own[j] - sum;
            own[j] = if j < i { value / other[j] } else { value.max(1e-12).sqrt() };
        }
    }
    for i in 0..n {
        let (done, rest) = sides.split_at_mut(i);
        for (factor, done) in system[i][..i].iter().zip(done.iter()) {
            rest[0].iter_mut().zip(done).for_each(|(side, done)| *side -= factor * done);
        }
        rest[0].iter_mut().for_each(|side| *side /= system[i][i]);
    }
    for i in (0..n).rev() {
        let (rest, done) = sides.split_at_mut(i + 1);
        for (below, done) in system[i + 1..].iter().zip(done.iter()) {
            rest[i].iter_mut().zip(done).for_each(|(side, done)| *side -= below[i] * done);
        }
        rest[i].iter_mut().for_each(|side| *side /= system[i][i]);
    }
    sides
}

/// The directions along which rows differ most: orthonormal, the strongest first.
pub(crate) fn principal(rows: &Matrix, count: usize) -> Matrix {
    const ROUNDS: usize = 24;
    let width = rows.columns;
    let covariance = transposed_product(rows, rows);
    let covariance: Vec<Vec<f32>> =
        covariance.into_iter().map(|row| row.into_iter().map(|value| value as f32).collect()).collect();
    let mut dice = crate::maths::Dice(7);
    let mut basis = Matrix::zero(count, width);
    basis.numbers.iter_mut().for_each(|number| *number = dice.normal() as f32);
    orthonormalise(&mut basis);
    for _ in 0..ROUNDS {
        let mut next = Matrix::zero(count, width);
        for k in 0..count {
            for (to, row) in next.row_mut(k).iter_mut().zip(&covariance) {
                *to = dot(basis.row(k), row);
            }
        }
        basis = next;
        orthonormalise(&mut basis);
    }
    basis
}

/// Gram and Schmidt, twice, since once loses digits.
fn orthonormalise(basis: &mut Matrix) {
    let width = basis.columns;
    for k in 0..basis.rows() {
        for _ in 0..2 {
            for other in 0..k {
                let (head, tail) = basis.numbers.split_at_mut(k * width);
                let (other, own) = (&head[other * width..][..width], &mut tail[..width]);
                let along = dot(own, other);
                own.iter_mut().zip(other).for_each(|(own, other)| *own -= along * other);
            }
        }
        let own = basis.row_mut(k);
        let length = dot(own, own).sqrt().max(1e-12);
        own.iter_mut().for_each(|value| *value /= length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_is_solved() {
        let system = vec![vec![4.0, 1.0, 0.5], vec![1.0, 3.0, 0.2], vec![0.5, 0.2, 2.0]];
        let found = solve(system.clone(), vec![vec![1.0, 0.0], vec![2.0, 1.0], vec![3.0, -1.0]]);
        for (row, wanted) in system.iter().zip([[1.0, 0.0], [2.0, 1.0], [3.0, -1.0]]) {
            for side in 0..2 {
                let sum: f64 = row.iter().zip(&found).map(|(a, x)| a * x[side]).sum();
                assert!((sum - wanted[side]).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn the_main_directions_of_a_cloud_are_found() {
        let mut dice = crate::maths::Dice(1);
        let mut rows = Matrix::zero(400, 10);
        for row in 0..400 {
            let (a, b) = (dice.normal() as f32 * 5.0, dice.normal() as f32 * 2.0);
            let own = rows.row_mut(row);
            own.iter_mut().for_each(|value| *value = dice.normal() as f32 * 0.05);
            own[3] += a;
            own[7] += b;
        }
        let basis = principal(&rows, 2);
        assert!(basis.row(0)[3].abs() > 0.999 && basis.row(1)[7].abs() > 0.999, "{basis:?}");
    }
}
