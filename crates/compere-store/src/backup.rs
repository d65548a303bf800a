//! All records as text, one file a table, one line a row; and back.
//!
//! The form is the same for both databases, so a backup of one can be restored into the other: that is also the way from
//! SQLite to PostgreSQL.

use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;

use futures_util::TryStreamExt;
use ring::digest::{SHA256, digest};
use serde_json::{Map, Value};
use sqlx::any::{AnyRow, AnyTypeInfoKind};
use sqlx::{AssertSqlSafe, Column, Row, TypeInfo, ValueRef, query};

use crate::Store;
use crate::db::{Dialect, Tx};
use crate::error::StoreError;
use crate::hold::HELD_BY;

/// In an order in which they can be filled. Left out is what belongs to this very service, and what can be counted anew.
const TABLES: [&str; 19] = [
    "account",
    "workspace",
    "key_pair",
    "token",
    "session",
    "project",
    "revision",
    "template",
    "export",
    "ledger",
    "endpoint",
    "delivery",
    "delivery_try",
    "asset",
    "font",
    "presenter",
    "take",
    "presenter_use",
    "setting",
];

/// The setting of a target that says whose copy it is, and whether all of it is there.
pub(crate) const COPY_OF: &str = "copy_of";

/// Tables that the first backups did not have.
const LATER: [&str; 5] = ["endpoint", "font", "presenter", "take", "presenter_use"];

impl Store {
    /// Writes all records into a folder, as they were at one moment, while others go on writing. Says how many.
    ///
    /// Idempotency keys are left out: they remember a day of requests of this very service.
    pub async fn dump(&self, dir: &Path) -> Result<u64, StoreError> {
        let begin = match self.dialect {
            // In WAL mode a transaction sees what was there at its first read.
            Dialect::Sqlite => "BEGIN",
            Dialect::Postgres => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
        };
        let mut tx = self.reading.begin_with(begin).await?;
        Self::write_out(&mut tx, dir).await
    }

    /// Writes what a transaction sees. Says how many records that are.
    pub(crate) async fn write_out(tx: &mut Tx, dir: &Path) -> Result<u64, StoreError> {
        std::fs::create_dir_all(dir)?;
        let mut count = 0;
        for table in TABLES {
            let mut file = BufWriter::new(std::fs::File::create(dir.join(format!("{table}.jsonl")))?);
            let sql = format!("SELECT * FROM {table}");
            let mut rows = query(AssertSqlSafe(sql)).fetch(&mut **tx);
            while let Some(row) = rows.try_next().await? {
                let record = record_of(&row)?;
                if table == "setting" && is_of_one_place(&record) {
                    continue;
                }
                serde_json::to_writer(&mut file, &record)?;
                file.write_all(b"\n")?;
                count += 1;
            }
            file.into_inner().map_err(|error| StoreError::Unavailable(error.to_string()))?.sync_all()?;
        }
        Ok(count)
    }

    /// Fills an empty database from a folder that [`Store::dump`] wrote, all or nothing.
    pub async fn restore(&self, dir: &Path) -> Result<u64, StoreError> {
        if !self.accounts().await?.is_empty() {
            return Err(StoreError::Taken("a database with accounts"));
        }
        let mut tx = self.begin().await?;
        let count = self.fill(&mut tx, dir).await?;
        tx.commit().await?;
        Ok(count)
    }

    /// Fills tables that are empty, but for what a service or a copy says of the place itself.
    pub(crate) async fn fill(&self, tx: &mut Tx, dir: &Path) -> Result<u64, StoreError> {
        // A service that started once has made its own.
        query("DELETE FROM setting").execute(&mut **tx).await?;
        let mut count = 0;
        for table in TABLES {
            let file = match std::fs::File::open(dir.join(format!("{table}.jsonl"))) {
                // Backups of former versions do not know these.
                Err(error) if LATER.contains(&table) && error.kind() == std::io::ErrorKind::NotFound => continue,
                file => BufReader::new(file?),
            };
            for line in file.lines() {
                let record: Map<String, Value> = serde_json::from_str(&line?)?;
                insert(tx, table, &record).await?;
                count += 1;
            }
        }
        self.count_media(tx).await?;
        Ok(count)
    }
}

/// Who holds a database, and whose copy it is, says nothing of another one.
fn is_of_one_place(setting: &Map<String, Value>) -> bool {
    setting.get("name").and_then(Value::as_str).is_some_and(|name| [HELD_BY, COPY_OF].contains(&name))
}

/// The first table whose records are not the same in two folders, whatever their order.
pub(crate) fn differing(one: &Path, other: &Path) -> Result<Option<&'static str>, StoreError> {
    for table in TABLES {
        let name = format!("{table}.jsonl");
        if digests(&one.join(&name))? != digests(&other.join(&name))? {
            return Ok(Some(table));
        }
    }
    Ok(None)
}

fn digests(file: &Path) -> Result<Vec<Vec<u8>>, StoreError> {
    let lines = BufReader::new(std::fs::File::open(file)?).lines();
    let mut all: Vec<Vec<u8>> = lines
        .map(|line| Ok(digest(&SHA256, line?.as_bytes()).as_ref().to_vec()))
        .collect::<Result<_, std::io::Error>>()?;
    all.sort_unstable();
    Ok(all)
}

fn record_of(row: &AnyRow) -> Result<Map<String, Value>, StoreError> {
    let mut record = Map::new();
    for column in row.columns() {
        let at = column.ordinal();
        let raw = row.try_get_raw(at)?;
        if raw.is_null() {
            continue;
        }
        let value = match raw.type_info().kind() {
            AnyTypeInfoKind::SmallInt | AnyTypeInfoKind::Integer | AnyTypeInfoKind::BigInt => {
                row.try_get::<i64, _>(at)?.into()
            }
            AnyTypeInfoKind::Real | AnyTypeInfoKind::Double => row.try_get::<f64, _>(at)?.into(),
            AnyTypeInfoKind::Text => row.try_get::<String, _>(at)?.into(),
            other => {
                let (name, kind) = (column.name(), raw.type_info().name().to_owned());
                return Err(StoreError::Damaged(format!("column {name} is of type {kind} ({other:?})")));
            }
        };
        record.insert(column.name().to_owned(), value);
    }
    Ok(record)
}

async fn insert(tx: &mut Tx, table: &str, record: &Map<String, Value>) -> Result<(), StoreError> {
    let plain = |name: &String| !name.is_empty() && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
    if let Some(odd) = record.keys().find(|name| !plain(name)) {
        return Err(StoreError::Damaged(format!("`{odd}` is no column")));
    }
    let names: Vec<&str> = record.keys().map(String::as_str).collect();
    let places: Vec<String> = (1..=names.len()).map(|n| format!("${n}")).collect();
    let sql = format!("INSERT INTO {table} ({}) VALUES ({})", names.join(", "), places.join(", "));
    let mut statement = query(AssertSqlSafe(sql));
    for value in record.values() {
        statement = match value {
            Value::String(text) => statement.bind(text.clone()),
            Value::Number(number) if number.is_i64() => statement.bind(number.as_i64()),
            Value::Number(number) => statement.bind(number.as_f64().unwrap_or_default()),
            other => return Err(StoreError::Damaged(format!("a record holds {other}"))),
        };
    }
    // Rows leave out what is absent, so their statements differ; keeping each prepared would only fill memory.
    statement.persistent(false).execute(&mut **tx).await?;
    Ok(())
}
