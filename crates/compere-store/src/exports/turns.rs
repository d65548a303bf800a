//! Whose export is made next: a pure function.

/// An account whose exports wait.
#[derive(Clone, Debug)]
pub(super) struct Claimant {
    pub(super) account: String,
    /// Exports of it that are being made.
    pub(super) running: i64,
    /// How many may be, by its plan.
    pub(super) parallel: u32,
    /// When one was last taken up.
    pub(super) served_at: i64,
    /// Seconds that a film of it may last.
    pub(super) longest: f64,
}

/// The account with the fewest running, then the one that was served longest ago. Nobody is passed for ever: whoever is
/// served goes to the end.
pub(super) fn next(claimants: Vec<Claimant>) -> Option<Claimant> {
    let free = claimants.into_iter().filter(|claimant| claimant.running < i64::from(claimant.parallel));
    free.min_by(|one, other| {
        let rank = |claimant: &Claimant| (claimant.running, claimant.served_at);
        rank(one).cmp(&rank(other)).then_with(|| one.account.cmp(&other.account))
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn claimant(account: &str, running: i64, parallel: u32, served_at: i64) -> Claimant {
        Claimant { account: account.to_owned(), running, parallel, served_at, longest: 60.0 }
    }

    #[test]
    fn fewest_running_then_longest_waiting_and_never_more_than_allowed() {
        let next = |list: &[Claimant]| next(list.to_vec()).map(|claimant| claimant.account);
        assert_eq!(next(&[claimant("a", 1, 4, 0), claimant("b", 0, 4, 9)]).as_deref(), Some("b"));
        assert_eq!(next(&[claimant("a", 1, 4, 5), claimant("b", 1, 4, 3)]).as_deref(), Some("b"));
        assert_eq!(next(&[claimant("a", 1, 1, 0), claimant("b", 3, 4, 3)]).as_deref(), Some("b"));
        assert_eq!(next(&[claimant("a", 1, 1, 0)]), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

        /// Everybody has something waiting all the time, films take different times, three are made at once: whoever has
        /// none being made is served before anybody else is served twice.
        #[test]
        fn nobody_starves(others in 1..12_usize, lengths in prop::collection::vec(1..6_usize, 40..200)) {
            let mut list: Vec<Claimant> = (0..=others).map(|n| claimant(&n.to_string(), 0, 1_000, 0)).collect();
            let (mut passed, mut made) = (vec![0_usize; list.len()], Vec::new());
            for (turn, length) in lengths.into_iter().enumerate() {
                made.retain(|(at, until): &(usize, usize)| {
                    let over = *until <= turn;
                    list[*at].running -= i64::from(over);
                    !over
                });
                if made.len() == 3 {
                    continue;
                }
                let at: usize = next(list.clone()).expect("somebody waits").account.parse().expect("a number");
                for (other, count) in passed.iter_mut().enumerate() {
                    *count = if other == at || list[other].running > 0 { 0 } else { *count + 1 };
                }
                (list[at].served_at, list[at].running) = (turn as i64 + 1, list[at].running + 1);
                made.push((at, turn + length));
                prop_assert!(passed.iter().all(|count| *count < list.len()), "{:?}", passed);
            }
        }
    }
}
