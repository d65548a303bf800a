//! Whose turn it is, where several accounts want something done that takes a while.
//!
//! There are five lines, each with places of its own, so that light work never stands behind heavy work: `quick` for
//! what somebody looks at meanwhile (frames, samples), `slow` for what fetches and measures (link checks, long texts),
//! `documents` for imports, `footage` for presenters that are made, `writing` for what others
//! write. In each the account is next that has the fewest at work and has used least of late; within an account, frames
//! that are being edited go before pictures for lists. No account has all places of a line; one place is for accounts that
//! used little of late, and one for those whose work was short each time, however often they came: a place there is soon
//! free, whatever others ask for. Who leaves while waiting is forgotten at once.
//!
//! [`Line`] is the order of service, a value that knows no clock; [`Turns`] lets people wait in it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use crate::Refusal;

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Work {
    /// A frame that somebody waits for.
    Frame,
    /// A sentence.
    Sample,
    /// A picture of a list.
    Picture,
    /// The size of a picture, or of several.
    Measure,
    /// All that is linked in a project.
    Check,
    /// A text.
    Speech,
    Import,
    /// A presenter of footage that is made.
    Presenter,
    /// A page to be fetched, a text to be written.
    Writing,
}

/// How a line serves.
#[derive(Clone, Copy, Debug)]
struct Rules {
    /// Of whom the line is, in words.
    what: &'static str,
    /// At work at once.
    places: usize,
    /// Of one account.
    each: usize,
    /// Of one account, waiting.
    waiting: usize,
    /// Seconds of work that an account may have used.
    budget: f64,
    /// Seconds of work of late, after which an account leaves a place to others.
    light: f64,
    /// One more place is for those of whose work no piece of late took more seconds than this; none where it is 0. Who
    /// drags something over the canvas uses much, in pieces that keep nobody waiting; of a stranger nothing is known.
    short: f64,
    patience: Duration,
}

const QUICK: Rules = Rules {
    what: "previews and samples of one account",
    places: compere_house::desk::QUICK,
    each: 2,
    waiting: 64,
    budget: 3600.0,
    light: 3.0,
    short: 0.8,
    patience: Duration::from_secs(120),
};
const SLOW: Rules = Rules {
    what: "checks and spoken texts of one account",
    places: compere_house::desk::SLOW,
    each: 1,
    waiting: 16,
    budget: 3600.0,
    light: 10.0,
    short: 0.0,
    patience: Duration::from_secs(120),
};
/// LibreOffice is large: two documents at a time, of two accounts, and a third of somebody who imported little of late.
const DOCUMENTS: Rules = Rules {
    what: "documents of one account",
    places: 3,
    each: 1,
    waiting: 32,
    budget: 3600.0,
    light: 10.0,
    short: 0.0,
    patience: Duration::from_secs(6 * 3600),
};

/// Making a presenter takes all cores for minutes: one at a time.
const FOOTAGE: Rules = Rules {
    what: "presenters of one account that are being made",
    places: 1,
    each: 1,
    waiting: 4,
    budget: 6.0 * 3600.0,
    light: f64::INFINITY,
    short: 0.0,
    patience: Duration::from_secs(48 * 3600),
};

/// Others write, and others send pages: nothing of ours is used but patience.
const WRITING: Rules = Rules {
    what: "texts of one account that are being written",
    places: 16,
    each: 2,
    waiting: 8,
    budget: 3600.0,
    light: f64::INFINITY,
    short: 0.0,
    patience: Duration::from_secs(120),
};

/// What belongs to nobody, such as pictures of the cast, has no budget and as long a line as it takes: it is made once.
pub(crate) const EVERYBODY: &str = "";

/// For what is made once for all: a page of a cast that nobody has seen yet takes a while.
const ONCE: Duration = Duration::from_secs(900);

/// Half of what was used is forgotten after so many seconds: soon, where the question is who is next, so that nobody waits
/// for long because of what they did before; late, where it is how much somebody may use at all.
const OF_LATE: f64 = 30.0;
const HALF_LIFE: f64 = 3600.0;

/// What an account used of late.
#[derive(Clone, Copy, Debug, Default)]
struct Used {
    of_late: f64,
    seconds: f64,
    /// The longest piece of late.
    longest: f64,
    /// What a piece takes.
    usual: f64,
    at: f64,
}

impl Used {
    fn now(self, now: f64) -> Self {
        let left = |half_life: f64| (-(now - self.at).max(0.0) / half_life).exp2();
        let (of_late, longest) = (self.of_late * left(OF_LATE), self.longest * left(OF_LATE));
        Self { of_late, longest, seconds: self.seconds * left(HALF_LIFE), at: now, ..self }
    }

    fn and(self, seconds: f64, now: f64) -> Self {
        let before = self.now(now);
        let usual = if self.usual == 0.0 { seconds } else { self.usual + (seconds - self.usual) * 0.3 };
        Self {
            of_late: before.of_late + seconds,
            longest: before.longest.max(seconds),
            seconds: before.seconds + seconds,
            usual,
            at: now,
        }
    }
}

#[derive(Clone, Debug)]
struct Waiting {
    id: u64,
    account: String,
    work: Work,
}

#[derive(Clone, Debug)]
struct Line {
    rules: Rules,
    next: u64,
    /// In the order they came.
    waiting: Vec<Waiting>,
    /// And since when.
    working: Vec<(String, Work, f64)>,
    used: HashMap<String, Used>,
    /// Seconds that one takes, of late.
    pace: HashMap<Work, f64>,
}

/// Why somebody cannot join, and after how many seconds they may.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Full {
    seconds: f64,
    /// Rather than that so many wait, so much was used.
    spent: bool,
}

impl Line {
    fn new(rules: Rules) -> Self {
        Self { rules, next: 0, waiting: Vec::new(), working: Vec::new(), used: HashMap::new(), pace: HashMap::new() }
    }

    fn working(&self, account: &str) -> usize {
        self.working.iter().filter(|(of, ..)| of == account).count()
    }

    fn used(&self, account: &str, now: f64) -> Used {
        self.used.get(account).copied().unwrap_or_default().now(now)
    }

    /// Seconds that one piece of such work takes, of late.
    fn pace(&self, work: Work) -> f64 {
        self.pace.get(&work).copied().unwrap_or(1.0)
    }

    /// Seconds that the next piece of this account will take, as far as can be told.
    fn takes(&self, account: &str, work: Work) -> f64 {
        self.used.get(account).map_or_else(|| self.pace(work), |used| used.usual)
    }

    /// Seconds that somebody of this account will wait who comes now, as things go: the line is served on paper.
    fn wait(&self, account: &str, work: Work, now: f64) -> f64 {
        const MINE: u64 = u64::MAX;
        let mut line = self.clone();
        line.waiting.push(Waiting { id: MINE, account: account.to_owned(), work });
        // What is at work now is half done; what has taken longer than that will take as long again.
        let half = |(of, what, began): &(String, Work, f64)| {
            ((self.takes(of, *what) / 2.0).max(now - began), of.clone(), *what)
        };
        let mut ends: Vec<_> = self.working.iter().map(half).collect();
        let mut later = 0.0;
        loop {
            while let Some(next) = line.call(now + later) {
                if next.id == MINE {
                    return later;
                }
                ends.push((later + self.takes(&next.account, next.work), next.account, next.work));
            }
            let Some(first) = (0..ends.len()).min_by(|a, b| ends[*a].0.total_cmp(&ends[*b].0)) else { return later };
            let (end, of, what) = ends.swap_remove(first);
            later = end;
            line.done(&of, what, self.takes(&of, what), now + later);
        }
    }

    fn join(&mut self, account: &str, work: Work, now: f64) -> Result<u64, Full> {
        let waiting = self.waiting.iter().filter(|one| one.account == account).count();
        if waiting >= self.rules.waiting && account != EVERYBODY {
            return Err(Full { seconds: self.wait(account, work, now), spent: false });
        }
        let used = self.used(account, now).seconds;
        if used > self.rules.budget && account != EVERYBODY {
            return Err(Full { seconds: HALF_LIFE * (used / self.rules.budget).log2(), spent: true });
        }
        self.next += 1;
        self.waiting.push(Waiting { id: self.next, account: account.to_owned(), work });
        Ok(self.next)
    }

    fn leave(&mut self, id: u64) {
        self.waiting.retain(|one| one.id != id);
    }

    /// Whether one more of an account may begin. Pictures of a list leave a place to whoever edits.
    fn may(&self, one: &Waiting) -> bool {
        let own = self.working.iter().filter(|(of, ..)| *of == one.account);
        let (mut all, mut pictures) = (0, 0);
        own.for_each(|(_, work, _)| {
            all += 1;
            pictures += usize::from(*work == Work::Picture);
        });
        all < self.rules.each && (one.work != Work::Picture || pictures == 0)
    }

    /// Whether one of the `free` places is for such an account: however many come with much, the last are soon free.
    fn admits(&self, one: &Waiting, free: usize, now: f64) -> bool {
        let known = self.used.get(&one.account).map(|used| used.now(now));
        let is_short = known.is_some_and(|used| used.longest <= self.rules.short);
        let is_light = known.is_none_or(|used| used.of_late <= self.rules.light);
        let for_short = usize::from(self.rules.places > 2 && self.rules.short > 0.0);
        let for_light = usize::from(self.rules.places > 1);
        is_short || free > for_short + for_light || (is_light && free > for_short)
    }

    /// Who is next, if there is a place.
    fn call(&mut self, now: f64) -> Option<Waiting> {
        if self.working.len() >= self.rules.places {
            return None;
        }
        let free = self.rules.places - self.working.len();
        let rank = |one: &Waiting| (self.working(&one.account), self.used(&one.account, now).of_late, one.work, one.id);
        let may = self.waiting.iter().enumerate().filter(|(_, one)| self.may(one) && self.admits(one, free, now));
        let order = |a: &(usize, &Waiting), b: &(usize, &Waiting)| {
            let ((working, used, work, id), other) = (rank(a.1), rank(b.1));
            let accounts = working.cmp(&other.0).then(used.total_cmp(&other.1));
            accounts.then(work.cmp(&other.2)).then(id.cmp(&other.3))
        };
        let (at, _) = may.min_by(order)?;
        let called = self.waiting.remove(at);
        self.working.push((called.account.clone(), called.work, now));
        Some(called)
    }

    fn done(&mut self, account: &str, work: Work, seconds: f64, now: f64) {
        if let Some(at) = self.working.iter().position(|(of, what, _)| of == account && *what == work) {
            self.working.swap_remove(at);
        }
        let pace = self.pace(work);
        self.pace.insert(work, pace + (seconds - pace) * 0.2);
        let used = self.used.get(account).copied().unwrap_or_default().and(seconds, now);
        self.used.insert(account.to_owned(), used);
        self.used.retain(|_, used| used.now(now).seconds > 0.001);
    }
}

/// A line in which people wait.
#[derive(Debug)]
struct Room {
    began: Instant,
    inside: Mutex<Inside>,
}

#[derive(Debug)]
struct Inside {
    line: Line,
    called: HashMap<u64, oneshot::Sender<Turn>>,
}

impl Room {
    fn new(rules: Rules) -> Arc<Self> {
        let inside = Inside { line: Line::new(rules), called: HashMap::new() };
        Arc::new(Self { began: Instant::now(), inside: Mutex::new(inside) })
    }

    fn inside(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn now(&self) -> f64 {
        self.began.elapsed().as_secs_f64()
    }

    /// Calls everybody for whom there is a place. Outside the lock: who has left gives the turn back at once.
    fn call(self: &Arc<Self>) {
        loop {
            let (sender, turn) = {
                let mut inside = self.inside();
                let Some(next) = inside.line.call(self.now()) else { return };
                let turn = Turn { room: Arc::clone(self), account: next.account, work: next.work, began: self.now() };
                (inside.called.remove(&next.id), turn)
            };
            if let Some(sender) = sender {
                // Dropped, it comes back to us.
                drop(sender.send(turn));
            }
        }
    }

    async fn wait(self: &Arc<Self>, account: &str, work: Work) -> Result<Turn, Refusal> {
        let (sender, called) = oneshot::channel();
        let (id, rules) = {
            let mut inside = self.inside();
            let rules = inside.line.rules;
            let id = inside.line.join(account, work, self.now()).map_err(|full| refusal(rules, full))?;
            inside.called.insert(id, sender);
            (id, rules)
        };
        let _leaving = Leaving { room: Arc::clone(self), id };
        self.call();
        let patience = if account == EVERYBODY { ONCE } else { rules.patience };
        match tokio::time::timeout(patience, called).await {
            Ok(turn) => turn.map_err(Refusal::inside),
            Err(_) => {
                let seconds = self.inside().line.wait(account, work, self.now());
                Err(refusal(rules, Full { seconds, spent: false }))
            }
        }
    }
}

fn refusal(rules: Rules, full: Full) -> Refusal {
    let seconds = full.seconds.ceil().clamp(1.0, 86_400.0) as u64;
    if full.spent {
        return Refusal::TooOften { seconds, what: "for previews, checks and documents of this account" };
    }
    Refusal::Crowded { what: rules.what, most: rules.waiting, seconds }
}

/// Takes somebody out of the line who waits no longer.
struct Leaving {
    room: Arc<Room>,
    id: u64,
}

impl Drop for Leaving {
    fn drop(&mut self) {
        let mut inside = self.room.inside();
        inside.line.leave(self.id);
        let sender = inside.called.remove(&self.id);
        drop(inside);
        drop(sender);
    }
}

/// A place at work. Held until it is dropped.
#[derive(Debug)]
pub(crate) struct Turn {
    room: Arc<Room>,
    account: String,
    work: Work,
    began: f64,
}

impl Drop for Turn {
    fn drop(&mut self) {
        let now = self.room.now();
        self.room.inside().line.done(&self.account, self.work, now - self.began, now);
        self.room.call();
    }
}

/// All lines.
#[derive(Debug)]
pub(crate) struct Turns {
    quick: Arc<Room>,
    slow: Arc<Room>,
    documents: Arc<Room>,
    footage: Arc<Room>,
    writing: Arc<Room>,
}

impl Turns {
    pub(crate) fn new() -> Self {
        Self {
            quick: Room::new(QUICK),
            slow: Room::new(SLOW),
            documents: Room::new(DOCUMENTS),
            footage: Room::new(FOOTAGE),
            writing: Room::new(WRITING),
        }
    }

    fn room(&self, work: Work) -> &Arc<Room> {
        match work {
            Work::Frame | Work::Sample | Work::Picture => &self.quick,
            Work::Measure | Work::Check | Work::Speech => &self.slow,
            Work::Import => &self.documents,
            Work::Presenter => &self.footage,
            Work::Writing => &self.writing,
        }
    }

    /// Waits for a turn. Refused at once where an account waits for too many already, or has used all it may.
    pub(crate) async fn wait(&self, account: &str, work: Work) -> Result<Turn, Refusal> {
        self.room(work).wait(account, work).await
    }

    /// Seconds that somebody of this account would wait, as things go.
    pub(crate) fn estimate(&self, account: &str, work: Work) -> f64 {
        let room = self.room(work);
        room.inside().line.wait(account, work, room.now())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Serves a line to its end, each piece of work in a second, and says who was served.
    fn served(line: &mut Line, pieces: usize) -> Vec<String> {
        let (mut now, mut order) = (1000.0, Vec::new());
        for _ in 0..pieces {
            let mut begun = Vec::new();
            while let Some(one) = line.call(now) {
                order.push(format!("{} {:?}", one.account, one.work));
                begun.push(one);
            }
            now += 1.0;
            begun.iter().for_each(|one| line.done(&one.account, one.work, 1.0, now));
        }
        order
    }

    #[test]
    fn accounts_take_turns_however_many_one_sends() {
        let mut line = Line::new(Rules { places: 1, each: 1, ..QUICK });
        for _ in 0..20 {
            line.join("flood", Work::Frame, 0.0).expect("joins");
        }
        for account in ["ada", "bob", "ada"] {
            line.join(account, Work::Frame, 0.0).expect("joins");
        }
        let order = served(&mut line, 6);
        assert_eq!(order, ["flood Frame", "ada Frame", "bob Frame", "flood Frame", "ada Frame", "flood Frame"]);
    }

    #[test]
    fn one_account_never_has_all_places() {
        let mut line = Line::new(QUICK);
        for _ in 0..20 {
            line.join("flood", Work::Frame, 0.0).expect("joins");
        }
        assert_eq!((0..5).filter_map(|_| line.call(0.0)).count(), QUICK.each);
        line.join("ada", Work::Frame, 0.0).expect("joins");
        assert_eq!(line.call(0.0).map(|one| one.account), Some("ada".to_owned()), "at once");
    }

    #[test]
    fn many_with_heavy_work_leave_a_place_to_one_with_light_work() {
        let mut line = Line::new(QUICK);
        for flood in ["one", "two", "three"] {
            line.done(flood, Work::Frame, 20.0, 0.0);
            for _ in 0..6 {
                line.join(flood, Work::Frame, 0.0).expect("joins");
            }
        }
        // The place for those who used little, and the one for those whose work is short.
        assert_eq!(std::iter::from_fn(|| line.call(0.0)).count(), QUICK.places - 2);
        for now in 1..20 {
            let now = f64::from(now);
            line.join("ada", Work::Frame, now).expect("joins");
            assert_eq!(line.call(now).map(|one| one.account), Some("ada".to_owned()), "at once");
            line.done("ada", Work::Frame, 0.1, now);
        }
        // Nobody starves: what was used is forgotten.
        assert!(line.call(200.0).is_some_and(|one| one.account != "ada"));
    }

    #[test]
    fn who_comes_often_with_little_waits_for_nobody_who_comes_with_much() {
        let mut line = Line::new(QUICK);
        // Bob drags something: much of it, each piece short.
        for at in 0..400 {
            line.done("bob", Work::Frame, 0.1, f64::from(at) * 0.2);
        }
        assert!(line.used("bob", 80.0).of_late > QUICK.light);
        // Three strangers come with frames of which nobody knows that they take long.
        for stranger in ["one", "two", "three"] {
            for _ in 0..6 {
                line.join(stranger, Work::Frame, 80.0).expect("joins");
            }
        }
        assert_eq!(std::iter::from_fn(|| line.call(80.0)).count(), QUICK.places - 1);
        line.join("bob", Work::Frame, 81.0).expect("joins");
        assert_eq!(line.call(81.0).map(|one| one.account), Some("bob".to_owned()), "at once");
        line.done("bob", Work::Frame, 0.1, 81.1);
        // What has lasted for twenty seconds is not done in half of one.
        assert!(line.wait("four", Work::Frame, 100.0) > 15.0);
        // A long piece of his own makes him one of them for a while.
        line.done("bob", Work::Frame, 20.0, 101.0);
        line.join("bob", Work::Frame, 101.0).expect("joins");
        assert!(line.call(101.0).is_none());
    }

    #[test]
    fn what_is_edited_goes_before_lists_and_lists_leave_it_a_place() {
        let mut line = Line::new(QUICK);
        for _ in 0..4 {
            line.join("ada", Work::Picture, 0.0).expect("joins");
        }
        line.join("ada", Work::Frame, 0.0).expect("joins");
        let first: Vec<Work> = std::iter::from_fn(|| line.call(0.0)).map(|one| one.work).collect();
        assert_eq!(first, [Work::Frame, Work::Picture]);
        line.done("ada", Work::Frame, 1.0, 1.0);
        assert!(line.call(1.0).is_none(), "a second picture would take the place of the next frame");
    }

    #[test]
    fn who_used_less_of_late_is_next() {
        let mut line = Line::new(Rules { places: 1, each: 1, ..QUICK });
        line.done("heavy", Work::Frame, 30.0, 10.0);
        line.done("light", Work::Frame, 1.0, 10.0);
        line.join("heavy", Work::Frame, 10.0).expect("joins");
        line.join("light", Work::Picture, 10.0).expect("joins");
        assert_eq!(served(&mut line, 2), ["light Picture", "heavy Frame"]);
    }

    #[test]
    fn lines_and_budgets_have_ends_that_are_told() {
        let mut line = Line::new(QUICK);
        for _ in 0..QUICK.waiting {
            line.join("flood", Work::Frame, 0.0).expect("joins");
        }
        let full = line.join("flood", Work::Frame, 0.0).expect_err("is full");
        assert!(!full.spent && (20.0..40.0).contains(&full.seconds), "{full:?}");
        assert!(line.join("ada", Work::Frame, 0.0).is_ok() && line.wait("bob", Work::Frame, 0.0) < 1.0);
        line.done("spender", Work::Frame, QUICK.budget * 2.0, 0.0);
        let spent = line.join("spender", Work::Frame, 0.0).expect_err("has used it up");
        assert!(spent.spent && (spent.seconds - HALF_LIFE).abs() < 1.0, "{spent:?}");
        assert!(line.join("spender", Work::Frame, HALF_LIFE + 1.0).is_ok(), "later again");
        line.done(EVERYBODY, Work::Picture, QUICK.budget * 2.0, 0.0);
        assert!((0..100).all(|_| line.join(EVERYBODY, Work::Picture, 0.0).is_ok()), "what is made once for all");
    }

    #[test]
    fn who_comes_is_told_how_long() {
        let mut line = Line::new(DOCUMENTS);
        assert_eq!(line.wait("ada", Work::Import, 0.0), 0.0, "nobody is there");
        for flood in ["one", "two", "three", "four", "five", "six"] {
            line.join(flood, Work::Import, 0.0).expect("joins");
        }
        assert_eq!(std::iter::from_fn(|| line.call(0.0)).count(), 3);
        // Three are half done, three wait, of a second each: ada is the seventh of seven accounts.
        assert_eq!(line.wait("ada", Work::Import, 0.0), 1.5);
        line.join("ada", Work::Import, 0.0).expect("joins");
        assert_eq!(line.wait("ada", Work::Import, 0.0), 2.5, "one's own document goes first");
        assert_eq!(line.waiting.len(), 4, "it was on paper");
    }

    #[tokio::test]
    async fn who_leaves_is_forgotten_and_who_is_done_makes_place() {
        let turns = Arc::new(Turns::new());
        let held = turns.wait("ada", Work::Import).await.expect("a turn");
        let waits = |account: &'static str| {
            let turns = Arc::clone(&turns);
            tokio::spawn(async move { turns.wait(account, Work::Import).await })
        };
        let (gone, next) = (waits("ada"), waits("ada"));
        tokio::time::sleep(Duration::from_millis(20)).await;
        assert!(!gone.is_finished() && !next.is_finished());
        assert!(turns.wait("bob", Work::Import).await.is_ok(), "somebody else has a place");
        gone.abort();
        let _ = gone.await;
        assert_eq!(turns.documents.inside().line.waiting.len(), 1);
        drop(held);
        let turn = tokio::time::timeout(Duration::from_secs(5), next).await.expect("is called").expect("runs");
        drop(turn.expect("a turn"));
        let inside = turns.documents.inside();
        assert!(inside.line.waiting.is_empty() && inside.line.working.is_empty() && inside.called.is_empty());
    }
}
