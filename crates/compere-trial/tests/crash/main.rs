//! The real service, killed at every point that could hurt, and started again.
//!
//! Whatever dies, every accepted export ends exactly once, its credits add up, its files are whole, and its receiver
//! hears of it at least once under one id.

mod service;

use std::time::{Duration, Instant};

use compere_media::Format;
use compere_store::{ExportState, Key};
use service::{House, Receiver};

/// Points of the service, each with a film that comes past it.
const POINTS: &[&str] = &[
    "claim.before_commit",
    "claimed",
    "beat",
    "step.speaking",
    "step.drawing",
    "step.mixing",
    "step.packing",
    "step.checking",
    "made",
    "publish.before",
    "publish.film",
    "publish.beside",
    "publish.all",
    "end.settling",
    "end.before_commit",
    "ended",
    "tidied",
    "deliver.leased",
    "deliver.before_send",
    "deliver.after_send",
    "record.before_commit",
    "deliver.recorded",
    "recover.before_commit",
    "recover.committed",
];

/// Points of a worker, which dies alone.
const WORKERS: &[&str] = &[
    "worker.started",
    "worker.speaking",
    "worker.drawing",
    "worker.mixing",
    "worker.packing",
    "worker.checking",
    "worker.made",
];

/// Patience with a machine that does other things too.
const SOON: Duration = Duration::from_secs(240);
/// What is promised.
const STOP: Duration = Duration::from_secs(10);

#[test]
fn nothing_is_lost_and_nothing_happens_twice() {
    let mut house = House::new(Receiver::start());
    let mut kills = 0;
    for point in POINTS {
        house.accept(point, 1);
        // The next start takes up what this one leaves, and is killed over its own point again.
        house.serve(&[("COMPERE_CRASH_AT", point)]).dies(point, SOON);
        kills += 1;
    }
    // Without a queue before them, so that the one that dies is the one that is watched.
    let service = house.serve(&[]);
    house.settle(SOON);
    service.stops(STOP);
    for point in WORKERS {
        let export = house.accept(point, 1);
        let mark = house.mark();
        let once = mark.display().to_string();
        let mut service = house.serve(&[("COMPERE_CRASH_AT", point), ("COMPERE_CRASH_ONCE", &once)]);
        let ended = house.until(&export, SOON, |export| export.state.is_over());
        assert_eq!((ended.state, ended.strikes), (ExportState::Exported, 1), "{point}: {:?}", ended.error);
        assert!(mark.exists(), "{point} was passed");
        service.kill();
        kills += 2;
    }
    let service = house.serve(&[]);
    house.settle(SOON);
    let (ended, told) = house.account_for();
    service.stops(STOP);
    println!("{kills} kills, 0 lost, 0 doubled ({} exports, {told} webhooks)", ended.len());
    assert!(kills >= 25, "{kills}");
}

/// From outside, with the signal that the kernel uses when memory is short, while a film is being drawn.
fn killed_by_hand(house: &mut House) -> usize {
    let export = house.accept("by hand", 1);
    let hold = house.hold("worker.drawing");
    let mut service = house.serve(&hold.variables());
    hold.comes(&service, SOON);
    service.kill_workers();
    // The next worker is held as well: this film cannot be finished.
    let ended = house.until(&export, SOON, |export| export.strikes == 1 || export.state.is_over());
    assert_eq!(ended.strikes, 1, "{:?}", ended.state);
    house.until(&export, SOON, |export| export.state.is_running());
    service.kill();
    assert!(service.workers_are_gone(SOON), "workers outlive their service");
    hold.let_go();
    let service = house.serve(&[]);
    house.settle(SOON);
    service.stops(SOON);
    2
}

/// A service that is asked to stop hands its exports back; it may die over that too.
fn killed_while_stopping(house: &mut House) -> usize {
    // One film, taken up again and again, by workers that stand still and have to be let go.
    let export = house.accept("stop", 1);
    let hold = house.hold("worker.drawing");
    for point in ["told.before", "told.requeued"] {
        let mut service = house.serve(&[&hold.variables()[..], &[("COMPERE_CRASH_AT", point)]].concat());
        hold.comes(&service, SOON);
        service.ask_to_stop();
        service.dies(point, SOON);
        // Who stood there is dead.
        hold.let_go();
    }
    let service = house.serve(&hold.variables());
    hold.comes(&service, SOON);
    service.stops(SOON);
    let handed_back = house.export(&export);
    assert_eq!((handed_back.state, handed_back.strikes), (ExportState::Queued, 0));
    hold.let_go();
    2
}

#[test]
fn kills_from_outside_and_while_stopping_lose_nothing() {
    let mut house = House::new(Receiver::start());
    let kills = killed_by_hand(&mut house) + killed_while_stopping(&mut house);
    let service = house.serve(&[]);
    house.settle(SOON);
    let (ended, told) = house.account_for();
    service.stops(SOON);
    println!("{kills} kills, 0 lost, 0 doubled ({} exports, {told} webhooks)", ended.len());
}

#[test]
fn a_clock_that_jumps_while_a_film_is_drawn_changes_nothing() {
    const HOUR: i64 = 3_600_000;
    let mut house = House::new(Receiver::start());
    let clock = house.mark();
    for (name, from, to) in [("ahead", 0, 9 * HOUR), ("back again", 9 * HOUR, 0), ("behind", 0, -7 * HOUR)] {
        std::fs::write(&clock, from.to_string()).expect("the clock is set");
        let export = house.accept(name, 1);
        let hold = house.hold("worker.drawing");
        let clock_file = clock.display().to_string();
        let service = house.serve(&[&hold.variables()[..], &[("COMPERE_CLOCK_AHEAD", &clock_file)]].concat());
        hold.comes(&service, SOON);
        std::fs::write(&clock, to.to_string()).expect("the clock is set");
        // Time enough to look after leases twice, and to draw the wrong conclusions.
        std::thread::sleep(Duration::from_millis(1200));
        hold.let_go();
        let ended = house.until(&export, SOON, |export| export.state.is_over());
        let how = (ended.state, ended.strikes, ended.fence);
        assert_eq!(how, (ExportState::Exported, 0, 1), "{name}: {:?}", ended.error);
        house.settle(SOON);
        service.stops(SOON);
    }
    house.account_for();
}

#[test]
fn an_answer_is_given_only_for_what_is_kept() {
    let house = House::new(Receiver::start());
    for (point, kept) in [("accept.before_commit", 0), ("accept.committed", 1)] {
        let mut service = house.serve(&[("COMPERE_CRASH_AT", point)]);
        assert!(service.post_project(&house).is_err(), "{point}: the connection breaks");
        service.dies(point, SOON);
        assert_eq!(house.projects(), kept, "{point}");
    }
    let service = house.serve(&[]);
    service.post_project(&house).expect("is answered");
    house.settle(SOON);
    assert_eq!(house.projects(), 2);
    service.stops(STOP);
}

#[test]
fn a_failed_export_fails_once_whatever_dies() {
    let mut house = House::new(Receiver::start());
    for point in ["end.settling", "end.before_commit", "ended"] {
        house.accept_broken(point);
        house.serve(&[("COMPERE_CRASH_AT", point)]).dies(point, SOON);
    }
    let service = house.serve(&[]);
    house.settle(SOON);
    let (ended, _) = house.account_for();
    assert!(ended.iter().all(|export| export.state == ExportState::Failed));
    assert!(
        ended.iter().all(|export| export.error.as_deref().is_some_and(|why| why.starts_with("scenes[0].background")))
    );
    service.stops(STOP);
}

#[test]
fn a_locked_database_and_too_little_memory_are_survived() {
    let mut house = House::new(Receiver::start());
    let service = house.serve(&[]);
    let export = house.accept("locked", 2);
    house.lock_for(Duration::from_secs(4));
    let ended = house.until(&export, SOON, |export| export.state.is_over());
    assert_eq!((ended.state, ended.fence), (ExportState::Exported, 1), "{:?}", ended.error);
    service.stops(STOP);

    // Enough to open, too little for a film in 4k.
    let service = house.serve(&[("COMPERE_WORKER_MEMORY", "420")]);
    let export = house.accept_large("too large");
    let started = Instant::now();
    let ended = house.until(&export, SOON, |export| export.state.is_over());
    assert_eq!(ended.state, ExportState::Failed, "{:?}", started.elapsed());
    let why = ended.error.unwrap_or_default();
    assert!(why.contains("420 MB") && why.contains("3 times"), "{why}");
    // And the service lives on.
    let small = house.accept("small", 1);
    assert_eq!(house.until(&small, SOON, |export| export.state.is_over()).state, ExportState::Exported);
    house.settle(SOON);
    service.stops(STOP);
    house.account_for();
}

/// The same film meets the same error of ours: one more try, then a failure that says where.
#[test]
fn an_error_of_ours_is_met_twice_and_no_more() {
    let mut house = House::new(Receiver::start());
    let service = house.serve(&[("COMPERE_PANIC_AT", "worker.drawing")]);
    let export = house.accept("a bug", 1);
    let ended = house.until(&export, SOON, |export| export.state.is_over());
    assert_eq!((ended.state, ended.fence, ended.strikes), (ExportState::Failed, 2, 0), "{:?}", ended.error);
    let why = ended.error.unwrap_or_default();
    assert!(
        why.starts_with("scenes[0]: drawing it ended in an error of ours") && why.ends_with("tried twice"),
        "{why}"
    );
    house.settle(SOON);
    service.stops(STOP);
    house.account_for();
}

/// Two services on one database would take each other's films away, whatever folders they have.
#[test]
fn a_second_service_on_the_same_records_is_refused() {
    let house = House::new(Receiver::start());
    let service = house.serve(&[]);
    let elsewhere = house.mark_folder();
    let records = house.records();
    let mut second = house.serve(&[("COMPERE_DATA", &elsewhere), ("COMPERE_DATABASE", &records)]);
    let why = second.gives_up(SOON);
    assert!(why.contains("works with this database already") && !why.contains("engine"), "{why}");
    service.stops(STOP);
    let second = house.serve(&[("COMPERE_DATA", &elsewhere), ("COMPERE_DATABASE", &records)]);
    second.stops(STOP);
}

#[test]
fn a_full_disk_is_waited_for() {
    let mut house = House::new(Receiver::start());
    let service = house.serve(&[]);
    let disk = house.small_disk();
    let export = house.accept("full", 1);
    let waiting = house.until(&export, SOON, |export| export.state == ExportState::Queued && export.fence == 1);
    assert_eq!(waiting.strikes, 0, "the film is not to blame");
    disk.grow();
    let ended = house.until(&export, SOON, |export| export.state.is_over());
    assert_eq!(ended.state, ExportState::Exported, "{:?}", ended.error);
    house.settle(SOON);
    service.stops(STOP);
    drop(disk);
    house.account_for();
    assert!(house.objects_has(&Key::Film(export, Format::Mp4)));
}
