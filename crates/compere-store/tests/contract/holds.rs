//! One database, one service.

use std::time::Duration;

use compere_store::{Plan, Store, StoreError};

use crate::Fresh;

pub async fn one_database_has_one_service(fresh: Fresh) {
    let second = Store::open(&fresh.url, Plan::built_in(), fresh.clock.clone()).await.expect("opens");
    let hold = fresh.store.hold("process 1 on here").await.expect("nobody has it");
    let refused = second.hold("process 2 on there").await;
    let Err(StoreError::Held(by)) = refused else { panic!("{refused:?}") };
    assert_eq!(by, "process 1 on here");
    let lost = tokio::time::timeout(Duration::from_millis(100), hold.lost()).await;
    assert!(lost.is_err(), "it is ours");
    drop(hold);
    // A server may take a moment to see that a session is gone.
    let mut tries = 0;
    let again = loop {
        match second.hold("process 2 on there").await {
            Ok(hold) => break hold,
            Err(StoreError::Held(_)) if tries < 100 => tries += 1,
            Err(error) => panic!("{error}"),
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    assert!(matches!(fresh.store.hold("process 1 on here").await, Err(StoreError::Held(_))));
    if fresh.url.starts_with("postgres") {
        cut_off(&fresh.url).await;
        // Whoever comes first has it; the other one learns that it lost it.
        let ours = loop {
            if let Ok(hold) = fresh.store.hold("process 1 on here").await {
                break hold;
            }
        };
        tokio::time::timeout(Duration::from_secs(20), again.lost()).await.expect("it is told");
        // Its own former session, which the server still believes in, is nobody else's.
        cut_off(&fresh.url).await;
        let ghost = ghost(&fresh.url).await;
        assert!(tokio::time::timeout(Duration::from_secs(6), ours.lost()).await.is_err(), "nobody has taken it over");
        drop(ghost);
        tokio::time::sleep(Duration::from_secs(5)).await;
        let refused = second.hold("process 2 on there").await;
        assert!(matches!(refused, Err(StoreError::Held(by)) if by == "process 1 on here"), "it has it again");
        drop(ours);
    }
}

/// A session that has the lock and says nothing.
async fn ghost(url: &str) -> sqlx::AnyConnection {
    use sqlx::Connection;
    let mut session = sqlx::AnyConnection::connect(url).await.expect("connects");
    for _ in 0..100 {
        let taken =
            sqlx::query("SELECT CAST(pg_try_advisory_lock(7031773) AS TEXT) AS taken").fetch_one(&mut session).await;
        if sqlx::Row::try_get::<String, _>(&taken.expect("answers"), "taken").expect("a word") == "true" {
            return session;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("the session that was cut is still there");
}

/// Nodes that know of each other share a database; one that believes to be alone does not.
pub async fn a_farm_and_a_single_service_refuse_each_other(fresh: Fresh) {
    let second = Store::open(&fresh.url, Plan::built_in(), fresh.clock.clone()).await.expect("opens");
    let mut node = fresh.store.share("node 1").await.expect("nobody has it");
    assert!(node.is_first());
    assert!(matches!(second.hold("alone").await, Err(StoreError::Held(_))));
    if fresh.url.starts_with("postgres") {
        let maker = second.assist("node 2").await.expect("nodes share it");
        assert!(!maker.is_first(), "it answers nobody");
        // Whoever comes later waits until the first has seen to what was left.
        let mut later = Box::pin(second.share("node 3"));
        let soon = tokio::time::timeout(Duration::from_millis(500), &mut later).await;
        assert!(soon.is_err(), "it came too early");
        node.settle();
        assert!(!later.await.expect("nodes share it").is_first());
    } else {
        assert!(matches!(second.share("node 2").await, Err(StoreError::Held(_))), "a file is one process's");
    }
    drop(node);
    let mut tries = 0;
    let alone = loop {
        match second.hold("alone").await {
            Ok(hold) => break hold,
            Err(StoreError::Held(_)) if tries < 100 => tries += 1,
            Err(error) => panic!("{error}"),
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    assert!(matches!(fresh.store.share("node 1").await, Err(StoreError::Held(_))));
    drop(alone);
}

/// As a network that breaks: the server ends the session that holds the lock.
async fn cut_off(url: &str) {
    use sqlx::Connection;
    let mut other = sqlx::AnyConnection::connect(url).await.expect("connects");
    sqlx::query(
        "SELECT CAST(pg_terminate_backend(pid) AS TEXT) FROM pg_locks WHERE locktype = 'advisory' AND objid = 7031773",
    )
    .execute(&mut other)
    .await
    .expect("cuts");
}
