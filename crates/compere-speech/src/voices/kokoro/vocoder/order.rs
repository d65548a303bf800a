//! In which order the moments of a signal lie in memory.

/// Moments 0, `step`, 2 `step`, ... first, then 1, 1 + `step`, ...: what a dilated convolution sees lies side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    pub len: usize,
    pub step: usize,
}

impl Order {
    /// Row of the first moment of a phase.
    pub fn start(self, phase: usize) -> usize {
        phase * (self.len / self.step) + phase.min(self.len % self.step)
    }

    pub fn row(self, moment: usize) -> usize {
        self.start(moment % self.step) + moment / self.step
    }

    pub fn moment(self, row: usize) -> usize {
        let (short, longer) = (self.len / self.step, self.len % self.step);
        let in_longer = longer * (short + 1);
        let (phase, at) = if row < in_longer {
            (row / (short + 1), row % (short + 1))
        } else {
            (longer + (row - in_longer) / short, (row - in_longer) % short)
        };
        at * self.step + phase
    }

    /// Stretches of rows of one phase, none longer than `longest`: phase, first row in it, rows.
    pub fn stretches(self, longest: usize) -> Vec<(usize, usize, usize)> {
        let mut stretches = Vec::new();
        for phase in 0..self.step {
            let rows = self.start(phase + 1) - self.start(phase);
            stretches.extend((0..rows).step_by(longest).map(|at| (phase, at, longest.min(rows - at))));
        }
        stretches
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_moment_has_a_row_and_every_row_a_moment() {
        for (len, step) in [(1, 1), (7, 1), (7, 3), (9, 3), (23, 5), (2, 5)] {
            let order = Order { len, step };
            let mut rows: Vec<usize> = (0..len).map(|moment| order.row(moment)).collect();
            assert!((0..len).all(|moment| order.moment(rows[moment]) == moment), "{order:?}");
            rows.sort_unstable();
            assert!(rows.iter().copied().eq(0..len), "{order:?}");
            let covered: usize = order.stretches(2).iter().map(|stretch| stretch.2).sum();
            assert_eq!(covered, len);
        }
    }
}
