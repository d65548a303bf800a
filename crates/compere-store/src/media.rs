//! Pictures of imported decks, and which projects show them.
//!
//! They lie under the project that the deck became. Its copies show the same ones, so that project may be deleted and
//! they must stay: every project that links them is counted, and they go with the last. Only projects of the account
//! that owns them count: a link that got into other hands keeps nothing.

use std::collections::BTreeSet;

use sqlx::{Row, query};

use crate::Store;
use crate::db::Tx;
use crate::error::StoreError;

/// How links to them begin.
const LINK: &str = "/media/s/";

/// Whose pictures a body links.
fn linked(body: &str) -> BTreeSet<&str> {
    let ids = body.split(LINK).skip(1).filter_map(|rest| rest.split_once('/').map(|(id, _)| id));
    ids.filter(|id| !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric())).collect()
}

impl Store {
    /// A deck becomes this project: its pictures are about to be stored under it.
    pub(crate) async fn own_media(&self, tx: &mut Tx, account: &str, project: &str) -> Result<(), StoreError> {
        query("INSERT INTO media_use (media, account, project) VALUES ($1, $2, $1) ON CONFLICT DO NOTHING")
            .bind(project)
            .bind(account)
            .execute(&mut **tx)
            .await?;
        Ok(())
    }

    /// A project shows what its body links, and goes on doing so while its revisions are kept: as long as it is there.
    pub(crate) async fn show_media(
        &self,
        tx: &mut Tx,
        (account, project): (&str, &str),
        body: &str,
    ) -> Result<(), StoreError> {
        for media in linked(body) {
            query(
                "INSERT INTO media_use (media, account, project)
                 SELECT media, account, $3 FROM media_use WHERE media = $1 AND account = $2 LIMIT 1
                 ON CONFLICT DO NOTHING",
            )
            .bind(media)
            .bind(account)
            .bind(project)
            .execute(&mut **tx)
            .await?;
        }
        Ok(())
    }

    /// A project is gone. Answers whose files nobody shows any more, its own among them.
    pub(crate) async fn release_media(&self, tx: &mut Tx, project: &str) -> Result<Vec<String>, StoreError> {
        let rows = query("DELETE FROM media_use WHERE project = $1 RETURNING media")
            .bind(project)
            .fetch_all(&mut **tx)
            .await?;
        let mut media: BTreeSet<String> = rows.iter().map(|row| row.try_get("media")).collect::<Result<_, _>>()?;
        media.insert(project.to_owned());
        let mut free = Vec::new();
        for media in media {
            let row =
                query("SELECT COUNT(*) AS n FROM media_use WHERE media = $1").bind(&media).fetch_one(&mut **tx).await?;
            if row.try_get::<i64, _>("n")? == 0 {
                free.push(media);
            }
        }
        Ok(free)
    }

    /// Whether files under a project's id are still wanted: the project is there, or another shows its pictures.
    pub async fn media_is_shown(&self, project: &str) -> Result<bool, StoreError> {
        let row = query(
            "SELECT (SELECT COUNT(*) FROM media_use WHERE media = $1) + (SELECT COUNT(*) FROM project WHERE id = $1) AS n",
        )
        .bind(project)
        .fetch_one(&self.reading)
        .await?;
        Ok(row.try_get::<i64, _>("n")? > 0)
    }

    /// Counts everything anew, for records of a version that did not count.
    pub(crate) async fn count_media(&self, tx: &mut Tx) -> Result<(), StoreError> {
        query(
            "INSERT INTO media_use (media, account, project) SELECT id, account, id FROM project WHERE kind = 'slides'
             ON CONFLICT DO NOTHING",
        )
        .execute(&mut **tx)
        .await?;
        let rows = query(
            "SELECT p.id AS id, p.account AS account, p.body AS body FROM project p WHERE p.body LIKE '%/media/s/%'
             UNION ALL SELECT p.id, p.account, r.body FROM revision r JOIN project p ON p.id = r.project
             WHERE r.body LIKE '%/media/s/%'",
        )
        .fetch_all(&mut **tx)
        .await?;
        for row in &rows {
            let owner = (row.try_get("account")?, row.try_get("id")?);
            self.show_media(tx, owner, row.try_get("body")?).await?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::linked;

    #[test]
    fn links_are_found_wherever_they_stand() {
        let body =
            r#"{"a":"/media/s/p1/sig/slide-1.png","b":["http://box/media/s/p2/x/y","/media/a/zz/x/y","/media/s/p1/"]}"#;
        assert_eq!(linked(body).into_iter().collect::<Vec<_>>(), ["p1", "p2"]);
        assert!(linked("/media/s/").is_empty() && linked("/media/s/../x").is_empty());
    }
}
