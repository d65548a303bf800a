use std::time::{Duration, Instant};

use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions, Connection};

use crate::stage::{Play, World};

#[tokio::test]
async fn ten_thousand_projects_are_recovered_within_two_seconds() {
    let world = World::new(crate::local, 1).await;
    world.accept("pattern", Play::Make).await;
    let file = world.dir().join("compere.db");
    let mut raw = SqliteConnectOptions::new().filename(&file).connect().await.expect("opens");
    let numbers = "CREATE TEMP TABLE n AS WITH RECURSIVE n(i) AS
        (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000) SELECT i FROM n";
    sqlx::query(numbers).execute(&mut raw).await.expect("counts");
    copies(&mut raw, "project", |column| match column {
        "id" => Some("'p' || i"),
        "export" => Some("'e' || i"),
        _ => None,
    })
    .await;
    // A third of them running when the power went, the others over or waiting.
    copies(&mut raw, "export", |column| match column {
        "id" => Some("'e' || i"),
        "project" => Some("'p' || i"),
        "state" => Some("CASE i % 3 WHEN 0 THEN 'rendering' WHEN 1 THEN 'exported' ELSE 'queued' END"),
        _ => None,
    })
    .await;
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

/// Ten thousand copies of a table's only row, with some columns changed.
async fn copies(raw: &mut SqliteConnection, table: &str, change: impl Fn(&str) -> Option<&'static str>) {
    let columns: Vec<(String,)> =
        sqlx::query_as("SELECT name FROM pragma_table_info($1)").bind(table).fetch_all(&mut *raw).await.expect("asks");
    let values: Vec<&str> = columns.iter().map(|(name,)| change(name).unwrap_or(name)).collect();
    let fill = format!("INSERT INTO {table} SELECT {} FROM n, (SELECT * FROM {table})", values.join(", "));
    sqlx::query(sqlx::AssertSqlSafe(fill)).execute(raw).await.expect("fills");
}
