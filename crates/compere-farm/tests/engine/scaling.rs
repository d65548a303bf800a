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

/// Work over what so many nodes had time for.
async fn efficiency(nodes: usize) -> f64 {
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
    let efficiency = work.as_secs_f64() / (took.as_secs_f64() * nodes as f64);
    println!(
        "{nodes} nodes: {} films of {:.1} s of work in {:.1} s, efficiency {efficiency:.2}",
        nodes * FILMS,
        work.as_secs_f64(),
        took.as_secs_f64()
    );
    efficiency
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "two minutes of waiting, for a machine with nothing else to do"]
async fn more_nodes_make_as_much_more() {
    let mut side_by_side = JoinSet::new();
    for nodes in [1, 2, 4, 16] {
        side_by_side.spawn(efficiency(nodes));
    }
    let all = side_by_side.join_all().await;
    assert!(all.iter().all(|efficiency| *efficiency >= 0.9), "{all:?}");
}
