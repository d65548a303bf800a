//! Rows as values.
//!
//! sqlx's own `derive(FromRow)` would compile both databases' drivers a second time, for the machine that builds; this
//! reads the same way, and words by their spelling.

use std::str::FromStr;

use compere_media::{Activity, UnknownWord};
use serde::de::DeserializeOwned;
use sqlx::Row;
use sqlx::any::AnyRow;

use crate::error::StoreError;

/// A type that is read from a row by the names of its columns: `row!(Entry { id, export, kind: word, made: json })`.
///
/// A column is a value as it is, a `word` of an enum, or `perhaps` one, a `flag` of 0 or 1, or a `json` document that may be absent.
macro_rules! row {
    ($name:ident { $($column:ident $(: $how:ident)?),+ $(,)? }) => {
        impl $crate::row::FromRow for $name {
            fn from_row(row: &sqlx::any::AnyRow) -> Result<Self, $crate::error::StoreError> {
                Ok(Self { $($column: $crate::row::row!(@read row, $column $(, $how)?)),+ })
            }
        }
    };
    (@read $row:ident, $column:ident) => { sqlx::Row::try_get($row, stringify!($column))? };
    (@read $row:ident, $column:ident, $how:ident) => { $crate::row::$how($row, stringify!($column))? };
}

pub(crate) use row;

pub(crate) trait FromRow: Sized {
    fn from_row(row: &AnyRow) -> Result<Self, StoreError>;
}

pub(crate) fn one<T: FromRow>(row: Option<AnyRow>) -> Result<Option<T>, StoreError> {
    row.map(|row| T::from_row(&row)).transpose()
}

pub(crate) fn all<T: FromRow>(rows: &[AnyRow]) -> Result<Vec<T>, StoreError> {
    rows.iter().map(T::from_row).collect()
}

pub(crate) fn word<T: FromStr<Err = UnknownWord>>(row: &AnyRow, column: &str) -> Result<T, StoreError> {
    let text: &str = row.try_get(column)?;
    text.parse().map_err(|unknown: UnknownWord| StoreError::Damaged(unknown.to_string()))
}

/// A word that may be absent.
pub(crate) fn perhaps<T: FromStr<Err = UnknownWord>>(row: &AnyRow, column: &str) -> Result<Option<T>, StoreError> {
    let text: Option<&str> = row.try_get(column)?;
    let word = text.map(str::parse).transpose();
    word.map_err(|unknown: UnknownWord| StoreError::Damaged(unknown.to_string()))
}

/// What is being done to an export. Former versions wrote nothing for one that waited, and such records are kept.
pub(crate) fn activity(row: &AnyRow) -> Result<Activity, StoreError> {
    if row.try_get::<&str, _>("step")?.is_empty() { Ok(Activity::Waiting) } else { word(row, "step") }
}

pub(crate) fn flag(row: &AnyRow, column: &str) -> Result<bool, StoreError> {
    Ok(row.try_get::<i64, _>(column)? != 0)
}

/// None for an absent document; `''` is one that was left out.
pub(crate) fn json<T: DeserializeOwned>(row: &AnyRow, column: &str) -> Result<Option<T>, StoreError> {
    let text: Option<&str> = row.try_get(column)?;
    Ok(text.filter(|text| !text.is_empty()).map(serde_json::from_str).transpose()?)
}
