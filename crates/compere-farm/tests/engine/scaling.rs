//! How much more several nodes make than one: real nodes and a real cluster, and films that take as long as films of a
//! farm took, with nothing drawn. So sixteen nodes fit on a machine with two cores.

use std::time::{Duration, Instant};

use compere_jobs::Engine;
use compere_store::{Account, Priority};
use tokio::task::JoinSet;

use crate::stage::{Play, World, on_plan};

/// Milliseconds that films took one worker each, as `tests/farm/films.py --record` wrote them down.
const RECORDED: &str = include_str!("../../../../tests/farm/recorded.txt");
/// For each node.
const FILMS: usize = 48;

fn recorded(number: usize) -> Duration {
    let all: Vec<u64> = RECORDED.lines().map(|line| line.parse().expect("milliseconds")).collect();
    Duration::from_millis(all[number % all.len()])
}

/// What so many nodes made.
struct Made {
    nodes: usize,
    work: Duration,
    took: Duration,
}

impl Made {
    /// Of the time that all nodes had, how much went into films.
    fn share(&self) -> f64 {
        self.work.as_secs_f64() / (self.took.as_secs_f64() * self.nodes as f64)
    }
}

async fn made_by(nodes: usize) -> Made {
    let world = World::new(crate::temporal, 1).await;
    let mut accounts: Vec<Account> = Vec::new();
    for number in 0..4 {
        accounts.push(on_plan(&world.store, &format!("{number}@example.com"), "unlimited").await);
    }
    let mut engines: Vec<Engine> = Vec::new();
    for _ in 0..nodes {
        engines.push(world.engine().await);
    }
    let (begun, mut work) = (Instant::now(), Duration::ZERO);
    for number in 0..nodes * FILMS {
        let takes = recorded(number);
        work += takes;
        let account = &accounts[number % accounts.len()];
        world.accept_for(account, &format!("film {number}"), Play::Slow(takes), Priority::Usual, None).await;
    }
    while !world.store.due_exports().await.expect("asks").is_empty() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let took = begun.elapsed();
    for engine in engines {
        engine.stop().await;
    }
    Made { nodes, work, took }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "two minutes of waiting, for a machine with nothing else to do"]
async fn more_nodes_make_as_much_more() {
    let mut side_by_side = JoinSet::new();
    for nodes in [1, 2, 4, 16] {
        side_by_side.spawn(made_by(nodes));
    }
    let mut all = side_by_side.join_all().await;
    all.sort_by_key(|made| made.nodes);
    let alone = all[0].share();
    for made in &all {
        let (nodes, work, took) = (made.nodes, made.work.as_secs_f64(), made.took.as_secs_f64());
        println!(
            "{nodes} nodes: {} films, {work:.0} s of work, in {took:.0} s: {:.0} % of their time, efficiency {:.2}",
            nodes * FILMS,
            100.0 * made.share(),
            made.share() / alone
        );
    }
    assert!(all.iter().all(|made| made.share() >= 0.9 * alone), "a node of many makes less than one alone");
}
