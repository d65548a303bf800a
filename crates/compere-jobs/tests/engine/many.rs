use std::time::{Duration, Instant};

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection};

use crate::stage::{Play, World};

#[tokio::test]
async fn ten_thousand_projects_are_recovered_within_two_seconds() {
    let world = World::new(1).await;
    let id = world.accept("pattern", Play::Make).await;
    let file = world.dir().join("compere.db");
    let mut raw = SqliteConnectOptions::new().filename(&file).connect().await.expect("opens");
    // A third of them running when the power went, the others over or waiting.
    for statement in [
        "CREATE TEMP TABLE n AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000) SELECT i FROM n",
        "INSERT INTO project SELECT 'p' || i, account, workspace, name, orientation, kind, body, request, revision,
           scene_count, callback_id, 'e' || i, importing, created_at, updated_at FROM n, (SELECT * FROM project LIMIT 1)",
    ] {
        sqlx::query(statement).execute(&mut raw).await.expect("fills");
    }
    let columns: Vec<(String,)> =
        sqlx::query_as("SELECT name FROM pragma_table_info('export')").fetch_all(&mut raw).await.expect("asks");
    let values: Vec<String> = columns
        .iter()
        .map(|(name,)| match name.as_str() {
            "id" => "'e' || i".to_owned(),
            "project" => "'p' || i".to_owned(),
            "state" => "CASE i % 3 WHEN 0 THEN 'rendering' WHEN 1 THEN 'exported' ELSE 'queued' END".to_owned(),
            other => other.to_owned(),
        })
        .collect();
    let fill =
        format!("INSERT INTO export SELECT {} FROM n, (SELECT * FROM export WHERE id = '{id}')", values.join(", "));
    sqlx::query(sqlx::AssertSqlSafe(fill)).execute(&mut raw).await.expect("fills");
    raw.close().await.expect("closes");

    let started = Instant::now();
    let recovered = world.store.recover_exports().await.expect("recovers");
    let took = started.elapsed();
    assert_eq!(recovered, 3_333);
    assert!(took < Duration::from_secs(2), "{took:?}");
    let started = Instant::now();
    world.store.claim_export("w", 1000).await.expect("asks").expect("one waits");
    assert!(started.elapsed() < Duration::from_secs(1), "{:?}", started.elapsed());
}
