//! Parts of a film that several workers make.
//!
//! Whoever has the export leads: it says which parts there are, under its fence, and takes them from the front. Others
//! take them from the back, each for a while that they prolong as long as they live. What they make lies in the cache that
//! all share, so nothing here decides what a film is: a row that is lost, or is there twice, costs time.

use serde::{Deserialize, Serialize};
use sqlx::any::AnyRow;
use sqlx::{Row, query};

use super::lease::Claimed;
use crate::Store;
use crate::db::Tx;
use crate::error::StoreError;
use crate::export::{Export, Order};
use crate::life::ExportState;
use crate::row::FromRow;

/// In the place of a piece: the first run of a scene's sentences. Later ones follow, and stay far below zero.
const SPEECH: i64 = -1_000_000;
/// The same: a presenter, whose number is in the place of the scene.
const BAKED: i64 = -2;

/// A part of a film.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FilmPart {
    /// A presenter, baked, by its number among those whom the film shows.
    Baked { presenter: u32 },
    /// Some of what is said in a scene, or all of it: a run of sentences, by its number.
    Speech { scene: u32, run: u32 },
    /// Some of a scene's pictures, by the number of their first piece.
    Pictures { scene: u32, piece: u32 },
}

impl FilmPart {
    fn row(self) -> (i64, i64) {
        match self {
            Self::Baked { presenter } => (presenter.into(), BAKED),
            Self::Speech { scene, run } => (scene.into(), SPEECH + i64::from(run)),
            Self::Pictures { scene, piece } => (scene.into(), piece.into()),
        }
    }
}

impl FromRow for FilmPart {
    fn from_row(row: &AnyRow) -> Result<Self, StoreError> {
        let (scene, piece): (i64, i64) = (row.try_get("scene")?, row.try_get("piece")?);
        let scene = scene as u32;
        Ok(match piece {
            BAKED => Self::Baked { presenter: scene },
            below if below < 0 => Self::Speech { scene, run: (below - SPEECH) as u32 },
            piece => Self::Pictures { scene, piece: piece as u32 },
        })
    }
}

/// One try to make an export, in which others may help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Split<'a> {
    pub export: &'a str,
    pub fence: i64,
}

/// What became of a wish to make a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PartClaim {
    Ours,
    /// Somebody has it, and gave a sign of life not long ago.
    Theirs,
    /// It lies where everybody finds it.
    Made,
}

/// What there is to help with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NextPart {
    Part(FilmPart),
    /// Nothing now; there may be more.
    Later,
    /// The film is over, is made anew, or has no part that nobody has.
    Over,
}

impl Store {
    /// Lets others help with an export that is in our hands under this fence. What was said of an earlier try is forgotten.
    pub async fn open_split(&self, split: Split<'_>, alike: &str) -> Result<bool, StoreError> {
        let mut tx = self.begin().await?;
        if !Self::runs(&mut tx, split).await? {
            return Ok(false);
        }
        Self::remove_split(&mut tx, split.export).await?;
        let open = query("INSERT INTO split (export, fence, alike, whole) VALUES ($1, $2, $3, 0)");
        open.bind(split.export).bind(split.fence).bind(alike).execute(&mut *tx).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Says that there are these parts too; `whole`: and no more.
    pub async fn offer_parts(&self, split: Split<'_>, parts: &[FilmPart], whole: bool) -> Result<(), StoreError> {
        let mut tx = self.begin().await?;
        if !Self::lock_split(&mut tx, split).await? {
            return Ok(());
        }
        for part in parts {
            let (scene, piece) = part.row();
            query("INSERT INTO part (export, scene, piece, made) VALUES ($1, $2, $3, 0) ON CONFLICT DO NOTHING")
                .bind(split.export)
                .bind(scene)
                .bind(piece)
                .execute(&mut *tx)
                .await?;
        }
        if whole {
            query("UPDATE split SET whole = 1 WHERE export = $1").bind(split.export).execute(&mut *tx).await?;
        }
        tx.commit().await?;
        Ok(())
    }

    /// Takes a certain part. One that nobody was told of is whoever's asks.
    pub async fn claim_part(
        &self,
        split: Split<'_>,
        part: FilmPart,
        holder: &str,
        lease: i64,
    ) -> Result<PartClaim, StoreError> {
        // Whoever waits for somebody asks often, and need not keep all others from asking.
        let seen = seen_part(&self.reading, split, part, holder, self.now()).await?;
        if let Some(not_ours) = seen.filter(|seen| *seen != PartClaim::Ours) {
            return Ok(not_ours);
        }
        let (mut tx, now) = (self.begin().await?, self.now());
        if !Self::lock_split(&mut tx, split).await? {
            return Ok(PartClaim::Ours);
        }
        let seen = seen_part(&mut *tx, split, part, holder, now).await?;
        if seen == Some(PartClaim::Ours) {
            self.hand_over(&mut tx, split, part, holder, now, lease).await?;
            tx.commit().await?;
        }
        Ok(seen.unwrap_or(PartClaim::Ours))
    }

    /// Takes the last part that nobody has: of what pictures need, presenters before speech, or of the pictures.
    pub async fn next_part(
        &self,
        split: Split<'_>,
        pictures: bool,
        holder: &str,
        lease: i64,
    ) -> Result<NextPart, StoreError> {
        let (mut tx, now) = (self.begin().await?, self.now());
        if !Self::lock_split(&mut tx, split).await? || !Self::runs(&mut tx, split).await? {
            return Ok(NextPart::Over);
        }
        let row = query(
            "SELECT scene, piece FROM part
             WHERE export = $1 AND made = 0 AND (holder IS NULL OR lease_until < $2)
               AND (piece >= 0) = ($3 = 1)
             ORDER BY CASE WHEN piece = $4 THEN 0 ELSE 1 END, scene DESC, piece DESC LIMIT 1",
        );
        let row = row.bind(split.export).bind(now).bind(i64::from(pictures)).bind(BAKED);
        let row = row.fetch_optional(&mut *tx).await?;
        let Some(row) = row else {
            let row = query("SELECT whole FROM split WHERE export = $1").bind(split.export).fetch_one(&mut *tx).await?;
            return Ok(if row.try_get::<i64, _>("whole")? != 0 { NextPart::Over } else { NextPart::Later });
        };
        let part = FilmPart::from_row(&row)?;
        self.hand_over(&mut tx, split, part, holder, now, lease).await?;
        tx.commit().await?;
        Ok(NextPart::Part(part))
    }

    /// A part lies where everybody finds it.
    pub async fn part_is_made(&self, split: Split<'_>, part: FilmPart, holder: &str) -> Result<(), StoreError> {
        let (scene, piece) = part.row();
        query(
            "UPDATE part SET made = 1 WHERE export = $1 AND scene = $2 AND piece = $3 AND holder = $4
               AND EXISTS (SELECT 1 FROM split s WHERE s.export = $1 AND s.fence = $5)",
        )
        .bind(split.export)
        .bind(scene)
        .bind(piece)
        .bind(holder)
        .bind(split.fence)
        .execute(&self.writing)
        .await?;
        Ok(())
    }

    /// A sign of life of somebody who helps; what they have for longer than `longest` is not theirs for much longer. False
    /// when nobody wants their help any more.
    pub async fn renew_parts(
        &self,
        split: Split<'_>,
        holder: &str,
        lease: i64,
        longest: i64,
    ) -> Result<bool, StoreError> {
        let (mut tx, now) = (self.begin().await?, self.now());
        let wanted = Self::lock_split(&mut tx, split).await? && Self::runs(&mut tx, split).await?;
        query(
            "UPDATE part SET lease_until = $3
             WHERE export = $1 AND holder = $2 AND made = 0 AND taken_at > $4 AND lease_until < $3",
        )
        .bind(split.export)
        .bind(holder)
        .bind(now + lease)
        .bind(now - longest)
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(wanted)
    }

    /// What somebody has and did not make is free again.
    pub async fn let_parts_go(&self, split: Split<'_>, holder: &str) -> Result<(), StoreError> {
        query("UPDATE part SET holder = NULL WHERE export = $1 AND holder = $2 AND made = 0")
            .bind(split.export)
            .bind(holder)
            .execute(&self.writing)
            .await?;
        Ok(())
    }

    /// The film is made, or is not. Says how many parts each holder had.
    pub async fn close_split(&self, split: Split<'_>) -> Result<Vec<(String, i64)>, StoreError> {
        let mut tx = self.begin().await?;
        if !Self::lock_split(&mut tx, split).await? {
            return Ok(Vec::new());
        }
        let rows = query(
            "SELECT holder, COUNT(*) AS parts FROM part WHERE export = $1 AND holder IS NOT NULL
             GROUP BY holder ORDER BY holder",
        );
        let rows = rows.bind(split.export).fetch_all(&mut *tx).await?;
        Self::remove_split(&mut tx, split.export).await?;
        tx.commit().await?;
        rows.iter().map(|row| Ok((row.try_get("holder")?, row.try_get("parts")?))).collect()
    }

    /// A film that machines like this one may help with, and that has parts which nobody has: none while an export waits
    /// that could be led. Of exports that `shun` names there is nothing said.
    pub async fn film_to_help(
        &self,
        alike: &str,
        shun: &(dyn Fn(&str) -> bool + Sync),
    ) -> Result<Option<Claimed>, StoreError> {
        let now = self.now();
        // Who began last has had the least help.
        let rows = query(
            "SELECT s.export AS export FROM split s JOIN export e ON e.id = s.export AND e.fence = s.fence
             WHERE s.alike = $1 AND e.state IN ('synthesizing', 'rendering')
               AND EXISTS (SELECT 1 FROM part p WHERE p.export = s.export AND p.made = 0
                           AND (p.holder IS NULL OR p.lease_until < $2))
             ORDER BY e.started_at DESC, e.id LIMIT 20",
        );
        let rows = rows.bind(alike).bind(now).fetch_all(&self.reading).await?;
        let exports = rows.iter().map(|row| row.try_get::<&str, _>("export")).collect::<Result<Vec<_>, _>>()?;
        let Some(export) = exports.into_iter().find(|export| !shun(export)) else { return Ok(None) };
        let waits = |due: &super::Due| due.life.state == ExportState::Queued && due.not_before <= now;
        if self.due_exports().await?.iter().any(waits) {
            return Ok(None);
        }
        let row = query("SELECT e.*, a.plan AS plan FROM export e JOIN account a ON a.id = e.account WHERE e.id = $1");
        let Some(row) = row.bind(export).fetch_optional(&self.reading).await? else { return Ok(None) };
        let export = Export { order: Order::from_row(&row)?, ..Export::from_row(&row)? };
        let longest = self.plan(row.try_get("plan")?).longest_film;
        Ok(Some(Claimed { export, longest }))
    }

    /// Forgets what is left of films whose leader died. Says how many.
    pub async fn forget_splits(&self) -> Result<u64, StoreError> {
        let mut tx = self.begin().await?;
        let gone = query(
            "DELETE FROM split WHERE NOT EXISTS (SELECT 1 FROM export e WHERE e.id = split.export
             AND e.fence = split.fence AND e.state IN ('synthesizing', 'rendering', 'finishing'))",
        );
        let gone = gone.execute(&mut *tx).await?.rows_affected();
        query("DELETE FROM part WHERE NOT EXISTS (SELECT 1 FROM split s WHERE s.export = part.export)")
            .execute(&mut *tx)
            .await?;
        tx.commit().await?;
        Ok(gone)
    }

    /// A statement that changes nothing: whoever else asks for parts of this film waits. False when it is no longer made
    /// under this fence.
    async fn lock_split(tx: &mut Tx, split: Split<'_>) -> Result<bool, StoreError> {
        let locked = query("UPDATE split SET fence = fence WHERE export = $1 AND fence = $2");
        Ok(locked.bind(split.export).bind(split.fence).execute(&mut **tx).await?.rows_affected() > 0)
    }

    async fn runs(tx: &mut Tx, split: Split<'_>) -> Result<bool, StoreError> {
        let row = query(
            "SELECT id FROM export WHERE id = $1 AND fence = $2 AND state IN ('synthesizing', 'rendering', 'finishing')",
        );
        Ok(row.bind(split.export).bind(split.fence).fetch_optional(&mut **tx).await?.is_some())
    }

    async fn hand_over(
        &self,
        tx: &mut Tx,
        split: Split<'_>,
        part: FilmPart,
        holder: &str,
        now: i64,
        lease: i64,
    ) -> Result<(), StoreError> {
        let (scene, piece) = part.row();
        query(
            "UPDATE part SET holder = $4, taken_at = $5, lease_until = $6
             WHERE export = $1 AND scene = $2 AND piece = $3",
        )
        .bind(split.export)
        .bind(scene)
        .bind(piece)
        .bind(holder)
        .bind(now)
        .bind(now + lease)
        .execute(&mut **tx)
        .await?;
        Ok(())
    }

    async fn remove_split(tx: &mut Tx, export: &str) -> Result<(), StoreError> {
        query("DELETE FROM part WHERE export = $1").bind(export).execute(&mut **tx).await?;
        query("DELETE FROM split WHERE export = $1").bind(export).execute(&mut **tx).await?;
        Ok(())
    }
}

/// How a part stands for somebody who wants it: ours is one that they may have. Nothing of one that nobody was told of.
async fn seen_part<'e>(
    from: impl sqlx::Executor<'e, Database = sqlx::Any>,
    split: Split<'_>,
    part: FilmPart,
    holder: &str,
    now: i64,
) -> Result<Option<PartClaim>, StoreError> {
    let (scene, piece) = part.row();
    let row = query(
        "SELECT p.made AS made,
           CAST(CASE WHEN p.holder IS NULL OR p.holder = $5 OR p.lease_until < $6 THEN 1 ELSE 0 END AS BIGINT) AS free
         FROM part p JOIN split s ON s.export = p.export
         WHERE p.export = $1 AND s.fence = $2 AND p.scene = $3 AND p.piece = $4",
    );
    let row = row.bind(split.export).bind(split.fence).bind(scene).bind(piece).bind(holder).bind(now);
    let Some(row) = row.fetch_optional(from).await? else { return Ok(None) };
    let (made, free): (i64, i64) = (row.try_get("made")?, row.try_get("free")?);
    Ok(Some(match (made != 0, free != 0) {
        (true, _) => PartClaim::Made,
        (false, true) => PartClaim::Ours,
        (false, false) => PartClaim::Theirs,
    }))
}
