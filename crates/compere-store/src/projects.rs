//! Projects and their revisions.

use compere_media::{Orientation, words};
use serde_json::Value;
use sqlx::any::AnyRow;
use sqlx::{Row, query};

use crate::db::Tx;
use crate::error::StoreError;
use crate::export::Export;
use crate::life::ExportState;
use crate::page::{Page, older};
use crate::row::{self, FromRow, all, one, row};
use crate::{Store, new_id};

words! {
    /// Which request made a project; decides the shape of some answers.
    pub enum ProjectKind {
        Scenes = "scenes",
        Legacy = "legacy",
        SimpleVideo = "simple-video",
        SimpleAudio = "simple-audio",
        Slides = "slides",
    }
}

#[derive(Clone, Debug)]
pub struct Project {
    pub id: String,
    pub account: String,
    pub workspace: Option<String>,
    pub name: String,
    pub orientation: Orientation,
    pub kind: ProjectKind,
    /// A create-project body in its latest form: `scenes`, and what else was sent. Read with [`Project::body`].
    pub body: String,
    /// What was sent, where it had another form (legacy).
    pub request: Option<String>,
    /// Counts edits, from 1.
    pub revision: i64,
    pub scene_count: i64,
    pub callback_id: Option<String>,
    /// The export that progress speaks of.
    pub export: Option<Export>,
    /// JSON of a running or failed import: `{"state":"importing"|"failed","progress":…,"error":…,"code":…}`.
    pub importing: Option<String>,
    pub created_at: i64,
    pub updated_at: i64,
}

impl Project {
    pub fn body(&self) -> Result<Value, StoreError> {
        Ok(serde_json::from_str(&self.body)?)
    }

    /// A failed import, the state of its latest export, else whether it is being imported. Lists are told by the same
    /// rule (`STATE`).
    pub fn state(&self) -> ProjectState {
        let failed = self.importing.as_deref().is_some_and(|told| told.starts_with(FAILED));
        match (&self.export, &self.importing) {
            _ if failed => ProjectState::Failed,
            (Some(export), _) => export.state.into(),
            (None, Some(_)) => ProjectState::Importing,
            (None, None) => ProjectState::Draft,
        }
    }
}

words! {
    /// Where a project is, as clients see it.
    pub enum ProjectState {
        Draft = "draft",
        Importing = "importing",
        Queued = "queued",
        Synthesizing = "synthesizing",
        Rendering = "rendering",
        Finishing = "finishing",
        Exported = "exported",
        Failed = "failed",
        Cancelled = "cancelled",
    }
}

impl From<ExportState> for ProjectState {
    fn from(state: ExportState) -> Self {
        match state {
            ExportState::Queued => Self::Queued,
            ExportState::Synthesizing => Self::Synthesizing,
            ExportState::Rendering => Self::Rendering,
            ExportState::Finishing => Self::Finishing,
            ExportState::Exported => Self::Exported,
            ExportState::Failed => Self::Failed,
            ExportState::Cancelled => Self::Cancelled,
        }
    }
}

/// How what is written of a failed import begins.
const FAILED: &str = r#"{"state":"failed""#;

/// [`Project::state`] in SQL.
const STATE: &str = r#"CASE WHEN p.importing LIKE '{"state":"failed"%' THEN 'failed' WHEN e.state IS NOT NULL THEN e.state
  WHEN p.importing IS NULL THEN 'draft' ELSE 'importing' END"#;

#[derive(Clone, Debug)]
pub struct NewProject {
    /// From [`new_id`], where files had to be stored under it first.
    pub id: Option<String>,
    pub account: String,
    pub workspace: Option<String>,
    pub name: String,
    pub orientation: Orientation,
    pub kind: ProjectKind,
    pub body: Value,
    pub request: Option<Value>,
    pub callback_id: Option<String>,
    pub importing: Option<String>,
}

/// What went with deleted projects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Deleted {
    pub projects: u64,
    /// Their exports. Those that were running are being stopped.
    pub exports: Vec<String>,
    /// Projects under whose ids lie files that nobody shows any more.
    pub media: Vec<String>,
}

#[derive(Clone, Debug)]
pub struct Revision {
    pub revision: i64,
    pub note: String,
    pub created_at: i64,
}

/// Which projects, and which page of them.
#[derive(Clone, Debug, Default)]
pub struct ProjectList {
    pub workspace: Option<String>,
    /// `exported` lists what can be downloaded. None for all.
    pub state: Option<ProjectState>,
    /// Part of the name, in any case.
    pub search: Option<String>,
    pub page: Page,
    pub offset: i64,
}

/// Kept of each project.
const REVISIONS: i64 = 50;

const COLUMNS: &str = "SELECT p.id AS p_id, p.account AS p_account, p.workspace AS p_workspace, p.name AS p_name,
  p.orientation AS p_orientation, p.kind AS p_kind, p.body AS p_body, p.request AS p_request, p.revision AS p_revision,
  p.scene_count AS p_scene_count, p.callback_id AS p_callback_id, p.importing AS p_importing,
  p.created_at AS p_created_at, p.updated_at AS p_updated_at";
const FROM: &str = "FROM project p LEFT JOIN export e ON e.id = p.export";

row!(Revision { revision, note, created_at });

impl FromRow for Project {
    fn from_row(row: &AnyRow) -> Result<Self, StoreError> {
        let export: Option<String> = row.try_get("id")?;
        Ok(Self {
            id: row.try_get("p_id")?,
            account: row.try_get("p_account")?,
            workspace: row.try_get("p_workspace")?,
            name: row.try_get("p_name")?,
            orientation: row::word(row, "p_orientation")?,
            kind: row::word(row, "p_kind")?,
            body: row.try_get("p_body")?,
            request: row.try_get("p_request")?,
            revision: row.try_get("p_revision")?,
            scene_count: row.try_get("p_scene_count")?,
            callback_id: row.try_get("p_callback_id")?,
            export: export.map(|_| Export::from_row(row)).transpose()?,
            importing: row.try_get("p_importing")?,
            created_at: row.try_get("p_created_at")?,
            updated_at: row.try_get("p_updated_at")?,
        })
    }
}

/// A whole project with its export, where the condition holds.
pub(crate) fn select(condition: &str) -> sqlx::AssertSqlSafe<String> {
    sqlx::AssertSqlSafe(format!("{COLUMNS}, {} {FROM} {condition}", Export::COLUMNS))
}

fn scenes_in(body: &Value) -> i64 {
    body.get("scenes").and_then(Value::as_array).map_or(0, Vec::len) as i64
}

impl Store {
    pub async fn create_project(&self, new: NewProject) -> Result<Project, StoreError> {
        let (mut tx, account) = (self.begin().await?, new.account.clone());
        let id = self.insert_project(&mut tx, new).await?;
        tx.commit().await?;
        self.project(&account, &id).await?.ok_or_else(|| StoreError::Damaged("a project vanished".to_owned()))
    }

    pub(crate) async fn insert_project(&self, tx: &mut Tx, new: NewProject) -> Result<String, StoreError> {
        let (id, now, body) = (new.id.unwrap_or_else(|| new_id(self.now())), self.now(), new.body.to_string());
        query(
            "INSERT INTO project (id, account, workspace, name, folded, orientation, kind, body, request, revision, scene_count,
             callback_id, importing, created_at, updated_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 1, $10, $11, $12, $13, $14)",
        )
        .bind(&id)
        .bind(&new.account)
        .bind(&new.workspace)
        .bind(&new.name)
        .bind(new.name.to_lowercase())
        .bind(new.orientation.as_str())
        .bind(new.kind.as_str())
        .bind(&body)
        .bind(new.request.as_ref().map(Value::to_string))
        .bind(scenes_in(&new.body))
        .bind(&new.callback_id)
        .bind(&new.importing)
        .bind(now)
        .bind(now)
        .execute(&mut **tx)
        .await?;
        if new.kind == ProjectKind::Slides {
            self.own_media(tx, &new.account, &id).await?;
        }
        self.show_media(tx, (&new.account, &id), &body).await?;
        Ok(id)
    }

    /// A project of this account, with the export that progress speaks of.
    pub async fn project(&self, account: &str, id: &str) -> Result<Option<Project>, StoreError> {
        let sql = select("WHERE p.account = $1 AND p.id = $2");
        one(query(sql).bind(account).bind(id).fetch_optional(&self.reading).await?)
    }

    /// What a project is called, whoever asks: links to its files carry their own permission.
    pub async fn project_name(&self, id: &str) -> Result<Option<String>, StoreError> {
        let row = query("SELECT name FROM project WHERE id = $1").bind(id).fetch_optional(&self.reading).await?;
        Ok(row.map(|row| row.try_get("name")).transpose()?)
    }

    /// The newest project of that name.
    pub async fn project_by_name(&self, account: &str, name: &str) -> Result<Option<Project>, StoreError> {
        let sql = select("WHERE p.account = $1 AND p.name = $2 ORDER BY p.created_at DESC, p.id DESC LIMIT 1");
        one(query(sql).bind(account).bind(name).fetch_optional(&self.reading).await?)
    }

    /// A page of projects, newest first, and how many there are in all. Bodies are left out (`{}`).
    pub async fn projects(&self, account: &str, list: &ProjectList) -> Result<(Vec<Project>, i64), StoreError> {
        let wanted = format!(
            "WHERE p.account = $1 AND ($2 = '' OR p.workspace = $2) AND ($3 = '' OR {STATE} = $3)
             AND ($4 = '' OR p.folded LIKE $4 ESCAPE '!')"
        );
        let light = COLUMNS.replace("p.body AS p_body, p.request AS p_request", "'{}' AS p_body, NULL AS p_request");
        let search = list.search.as_deref().unwrap_or_default().to_lowercase();
        let search = if search.is_empty() {
            search
        } else {
            format!("%{}%", search.replace('!', "!!").replace('%', "!%").replace('_', "!_"))
        };
        let page = format!("{light}, {} {FROM} {wanted} AND {} LIMIT $7 OFFSET $8", Export::COLUMNS, older("p.", 5));
        let (after, created) = list.page.after();
        let rows = query(sqlx::AssertSqlSafe(page))
            .bind(account)
            .bind(list.workspace.as_deref().unwrap_or_default())
            .bind(list.state.map_or("", ProjectState::as_str))
            .bind(&search)
            .bind(after)
            .bind(created)
            .bind(list.page.limit.clamp(1, 500))
            .bind(list.offset.max(0))
            .fetch_all(&self.reading)
            .await?;
        let count = format!("SELECT COUNT(*) AS n {FROM} {wanted}");
        let count = query(sqlx::AssertSqlSafe(count))
            .bind(account)
            .bind(list.workspace.as_deref().unwrap_or_default())
            .bind(list.state.map_or("", ProjectState::as_str))
            .bind(&search)
            .fetch_one(&self.reading)
            .await?;
        Ok((all(&rows)?, count.try_get("n")?))
    }

    /// Replaces the body if it is still at `revision`; the old one is kept. None when somebody else was quicker, or
    /// there is no such project of this account. A request that the body was made of describes it no longer, and goes.
    pub async fn edit_project(
        &self,
        account: &str,
        id: &str,
        revision: i64,
        body: &Value,
        note: &str,
    ) -> Result<Option<i64>, StoreError> {
        let mut tx = self.begin().await?;
        if !self.replace_body(&mut tx, (account, id), revision, body, note).await? {
            return Ok(None);
        }
        tx.commit().await?;
        Ok(Some(revision + 1))
    }

    /// Like [`Store::edit_project`] for a project that was made of a request in another form: both change, or nothing.
    pub async fn edit_request(
        &self,
        project: &Project,
        body: &Value,
        request: &Value,
        note: &str,
    ) -> Result<bool, StoreError> {
        let mut tx = self.begin().await?;
        let owner = (project.account.as_str(), project.id.as_str());
        if !self.replace_body(&mut tx, owner, project.revision, body, note).await? {
            return Ok(false);
        }
        query("UPDATE project SET request = $3 WHERE account = $1 AND id = $2")
            .bind(&project.account)
            .bind(&project.id)
            .bind(request.to_string())
            .execute(&mut *tx)
            .await?;
        tx.commit().await?;
        Ok(true)
    }

    pub(crate) async fn replace_body(
        &self,
        tx: &mut Tx,
        (account, id): (&str, &str),
        revision: i64,
        body: &Value,
        note: &str,
    ) -> Result<bool, StoreError> {
        let (now, new) = (self.now(), body.to_string());
        let text = |key: &str| body.get(key).and_then(Value::as_str).map(str::to_owned);
        query(
            "INSERT INTO revision (project, revision, body, note, created_at)
             SELECT id, revision, body, $4, $5 FROM project WHERE account = $1 AND id = $2 AND revision = $3",
        )
        .bind(account)
        .bind(id)
        .bind(revision)
        .bind(note)
        .bind(now)
        .execute(&mut **tx)
        .await?;
        let done = query(
            "UPDATE project SET body = $4, request = NULL, revision = revision + 1, scene_count = $5, updated_at = $6,
             name = COALESCE($7, name), orientation = COALESCE($8, orientation), folded = COALESCE($9, folded)
             WHERE account = $1 AND id = $2 AND revision = $3",
        )
        .bind(account)
        .bind(id)
        .bind(revision)
        .bind(&new)
        .bind(scenes_in(body))
        .bind(now)
        .bind(text("name"))
        .bind(text("orientation"))
        .bind(text("name").map(|name| name.to_lowercase()))
        .execute(&mut **tx)
        .await?;
        if done.rows_affected() != 1 {
            return Ok(false);
        }
        query("DELETE FROM revision WHERE project = $1 AND revision <= $2")
            .bind(id)
            .bind(revision - REVISIONS)
            .execute(&mut **tx)
            .await?;
        self.show_media(tx, (account, id), &new).await?;
        Ok(true)
    }

    pub async fn revisions(&self, account: &str, project: &str) -> Result<Vec<Revision>, StoreError> {
        let rows = query(
            "SELECT r.revision, r.note, r.created_at FROM revision r JOIN project p ON p.id = r.project
             WHERE p.account = $1 AND r.project = $2 ORDER BY r.revision DESC",
        )
        .bind(account)
        .bind(project)
        .fetch_all(&self.reading)
        .await?;
        all(&rows)
    }

    pub async fn revision_body(
        &self,
        account: &str,
        project: &str,
        revision: i64,
    ) -> Result<Option<Value>, StoreError> {
        let row = query(
            "SELECT r.body FROM revision r JOIN project p ON p.id = r.project
             WHERE p.account = $1 AND r.project = $2 AND r.revision = $3",
        )
        .bind(account)
        .bind(project)
        .bind(revision)
        .fetch_optional(&self.reading)
        .await?;
        let Some(row) = row else { return Ok(None) };
        row::json(&row, "body")
    }

    pub async fn move_project(&self, account: &str, id: &str, workspace: Option<&str>) -> Result<bool, StoreError> {
        let done = query("UPDATE project SET workspace = $3, updated_at = $4 WHERE account = $1 AND id = $2")
            .bind(account)
            .bind(id)
            .bind(workspace)
            .bind(self.now())
            .execute(&self.writing)
            .await?;
        Ok(done.rows_affected() == 1)
    }

    /// What is known of a running import; None when it is done.
    /// False when there is no such project any more.
    pub async fn set_importing(&self, id: &str, importing: Option<&str>) -> Result<bool, StoreError> {
        let changed = query("UPDATE project SET importing = $2, updated_at = $3 WHERE id = $1")
            .bind(id)
            .bind(importing)
            .bind(self.now())
            .execute(&self.writing)
            .await?;
        Ok(changed.rows_affected() > 0)
    }

    /// Deletes own projects. Their running exports are asked to stop and end without a word; files are the caller's.
    pub async fn delete_projects(&self, account: &str, ids: &[String]) -> Result<Deleted, StoreError> {
        let (mut tx, mut deleted) = (self.begin().await?, Deleted::default());
        for id in ids {
            // Exports before their project, as at their end: two who lock the same rows must come from the same side.
            self.abandon_exports(&mut tx, account, id).await?;
            let done = query("DELETE FROM project WHERE account = $1 AND id = $2")
                .bind(account)
                .bind(id)
                .execute(&mut *tx)
                .await?;
            if done.rows_affected() == 1 {
                deleted.projects += 1;
                query("DELETE FROM revision WHERE project = $1").bind(id).execute(&mut *tx).await?;
                query("DELETE FROM template WHERE project = $1").bind(id).execute(&mut *tx).await?;
                deleted.media.extend(self.release_media(&mut tx, id).await?);
                let rows = query("SELECT id FROM export WHERE account = $1 AND project = $2")
                    .bind(account)
                    .bind(id)
                    .fetch_all(&mut *tx)
                    .await?;
                for row in &rows {
                    deleted.exports.push(row.try_get("id")?);
                }
            }
        }
        tx.commit().await?;
        Ok(deleted)
    }
}
