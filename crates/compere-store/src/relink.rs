//! A new secret for links, and with it every stored text that holds links.
//!
//! One transaction: either the old secret signs everything, or the new one.

use std::collections::{BTreeMap, BTreeSet};

use sqlx::{Row, query};

use crate::Store;
use crate::db::Tx;
use crate::error::StoreError;

/// Where links are kept: the rows that may hold one, with what tells them apart, whose they are and the text.
const KEPT: [(&str, &str); 5] = [
    (
        "SELECT id, '' AS part, account, body AS text FROM project WHERE body LIKE '%/media/%'",
        "UPDATE project SET body = $3 WHERE id = $1 AND '' = $2",
    ),
    (
        "SELECT id, '' AS part, account, request AS text FROM project WHERE request LIKE '%/media/%'",
        "UPDATE project SET request = $3 WHERE id = $1 AND '' = $2",
    ),
    (
        "SELECT r.project AS id, CAST(r.revision AS TEXT) AS part, p.account AS account, r.body AS text
         FROM revision r JOIN project p ON p.id = r.project WHERE r.body LIKE '%/media/%'",
        "UPDATE revision SET body = $3 WHERE project = $1 AND CAST(revision AS TEXT) = $2",
    ),
    (
        "SELECT id, '' AS part, account, snapshot AS text FROM export WHERE snapshot LIKE '%/media/%'",
        "UPDATE export SET snapshot = $3 WHERE id = $1 AND '' = $2",
    ),
    (
        "SELECT account AS id, key AS part, account, answer AS text FROM idempotency WHERE answer LIKE '%/media/%'",
        "UPDATE idempotency SET answer = $3 WHERE account = $1 AND key = $2",
    ),
];

impl Store {
    /// Writes a new secret down, and every text with links as `renewed` has it of the text and of what its account owns:
    /// ids of files, of fonts and of projects with slides. Answers how many texts were changed.
    pub async fn renew_links(
        &self,
        secret: &str,
        renewed: impl Fn(&str, &BTreeSet<String>) -> String,
    ) -> Result<u64, StoreError> {
        let mut tx = self.begin().await?;
        let (owned, nothing, mut changed) = (owned(&mut tx).await?, BTreeSet::new(), 0);
        for (read, write) in KEPT {
            let rows = query(read).fetch_all(&mut *tx).await?;
            for row in &rows {
                let (id, part): (String, String) = (row.try_get("id")?, row.try_get("part")?);
                let (account, text): (String, String) = (row.try_get("account")?, row.try_get("text")?);
                let new = renewed(&text, owned.get(&account).unwrap_or(&nothing));
                if new != text {
                    query(write).bind(id).bind(part).bind(new).execute(&mut *tx).await?;
                    changed += 1;
                }
            }
        }
        query(
            "INSERT INTO setting (name, value) VALUES ('link_secret', $1)
             ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        )
        .bind(secret)
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(changed)
    }
}

/// By account.
async fn owned(tx: &mut Tx) -> Result<BTreeMap<String, BTreeSet<String>>, StoreError> {
    let rows = query(
        "SELECT account, id FROM asset UNION SELECT account, media FROM media_use
         UNION SELECT account, id FROM font",
    );
    let rows = rows.fetch_all(&mut **tx).await?;
    let mut owned: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for row in &rows {
        owned.entry(row.try_get("account")?).or_default().insert(row.try_get("id")?);
    }
    Ok(owned)
}
