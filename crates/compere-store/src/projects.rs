//! Projects and their revisions.

use serde_json::Value;
use sqlx::any::AnyRow;
use sqlx::{Row, query};

use crate::db::Tx;
use crate::error::StoreError;
use crate::exports::{Export, export_of};
use crate::{Store, new_id};

/// Which request made a project; decides the shape of some answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProjectKind {
    Scenes,
    Legacy,
    SimpleVideo,
    SimpleAudio,
    Slides,
}

impl ProjectKind {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Scenes => "scenes",
            Self::Legacy => "legacy",
            Self::SimpleVideo => "simple-video",
            Self::SimpleAudio => "simple-audio",
            Self::Slides => "slides",
        }
    }

    fn parse(text: &str) -> Result<Self, StoreError> {
        Ok(match text {
            "scenes" => Self::Scenes,
            "legacy" => Self::Legacy,
            "simple-video" => Self::SimpleVideo,
            "simple-audio" => Self::SimpleAudio,
            "slides" => Self::Slides,
            other => return Err(StoreError::Damaged(format!("project kind `{other}`"))),
        })
    }
}

#[derive(Clone, Debug)]
pub struct Project {
    pub id: String,
    pub account: String,
    pub workspace: Option<String>,
    pub name: String,
    pub orientation: String,
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

    /// `draft`, `importing`, or the state of its latest export.
    pub fn state(&self) -> &str {
        match (&self.export, &self.importing) {
            (Some(export), _) => export.state.as_str(),
            (None, Some(_)) => "importing",
            (None, None) => "draft",
        }
    }
}

#[derive(Clone, Debug)]
pub struct NewProject {
    /// From [`new_id`], where files had to be stored under it first.
    pub id: Option<String>,
    pub account: String,
    pub workspace: Option<String>,
    pub name: String,
    pub orientation: String,
    pub kind: ProjectKind,
    pub body: Value,
    pub request: Option<Value>,
    pub callback_id: Option<String>,
    pub importing: Option<String>,
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
    /// One of the state words; `exported` lists what can be downloaded. None for all.
    pub state: Option<String>,
    /// Part of the name, in any case.
    pub search: Option<String>,
    pub limit: i64,
    pub offset: i64,
}

/// Kept of each project.
const REVISIONS: i64 = 50;

const COLUMNS: &str = "SELECT p.id AS p_id, p.account AS p_account, p.workspace AS p_workspace, p.name AS p_name,
  p.orientation AS p_orientation, p.kind AS p_kind, p.body AS p_body, p.request AS p_request, p.revision AS p_revision,
  p.scene_count AS p_scene_count, p.callback_id AS p_callback_id, p.importing AS p_importing,
  p.created_at AS p_created_at, p.updated_at AS p_updated_at, e.*
  FROM project p LEFT JOIN export e ON e.id = p.export ";

fn project_of(row: &AnyRow) -> Result<Project, StoreError> {
    let kind: String = row.try_get("p_kind")?;
    let export: Option<String> = row.try_get("id")?;
    Ok(Project {
        id: row.try_get("p_id")?,
        account: row.try_get("p_account")?,
        workspace: row.try_get("p_workspace")?,
        name: row.try_get("p_name")?,
        orientation: row.try_get("p_orientation")?,
        kind: ProjectKind::parse(&kind)?,
        body: row.try_get("p_body")?,
        request: row.try_get("p_request")?,
        revision: row.try_get("p_revision")?,
        scene_count: row.try_get("p_scene_count")?,
        callback_id: row.try_get("p_callback_id")?,
        export: if export.is_some() { Some(export_of(row)?) } else { None },
        importing: row.try_get("p_importing")?,
        created_at: row.try_get("p_created_at")?,
        updated_at: row.try_get("p_updated_at")?,
    })
}

fn scenes_in(body: &Value) -> i64 {
    body.get("scenes").and_then(Value::as_array).map_or(0, Vec::len) as i64
}

impl Store {
    pub async fn create_project(&self, new: NewProject) -> Result<Project, StoreError> {
        let mut tx = self.begin().await?;
        let id = self.insert_project(&mut tx, new).await?;
        tx.commit().await?;
        self.any_project(&id).await?.ok_or_else(|| StoreError::Damaged("a project vanished".to_owned()))
    }

    pub(crate) async fn insert_project(&self, tx: &mut Tx, new: NewProject) -> Result<String, StoreError> {
        let (id, now) = (new.id.unwrap_or_else(|| new_id(self.now())), self.now());
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
        .bind(&new.orientation)
        .bind(new.kind.as_str())
        .bind(new.body.to_string())
        .bind(new.request.as_ref().map(Value::to_string))
        .bind(scenes_in(&new.body))
        .bind(&new.callback_id)
        .bind(&new.importing)
        .bind(now)
        .bind(now)
        .execute(&mut **tx)
        .await?;
        Ok(id)
    }

    /// A project of this account, with the export that progress speaks of.
    pub async fn project(&self, account: &str, id: &str) -> Result<Option<Project>, StoreError> {
        Ok(self.any_project(id).await?.filter(|project| project.account == account))
    }

    /// Whose project it is has to be looked at by the caller, or known.
    pub async fn any_project(&self, id: &str) -> Result<Option<Project>, StoreError> {
        let sql = const_format(COLUMNS, "WHERE p.id = $1");
        let row = query(sql).bind(id).fetch_optional(&self.reading).await?;
        row.as_ref().map(project_of).transpose()
    }

    /// The newest project of that name.
    pub async fn project_by_name(&self, account: &str, name: &str) -> Result<Option<Project>, StoreError> {
        let sql =
            const_format(COLUMNS, "WHERE p.account = $1 AND p.name = $2 ORDER BY p.created_at DESC, p.id DESC LIMIT 1");
        let row = query(sql).bind(account).bind(name).fetch_optional(&self.reading).await?;
        row.as_ref().map(project_of).transpose()
    }

    /// A page of projects, newest first, and how many there are in all. Bodies are left out (`{}`).
    pub async fn projects(&self, account: &str, list: &ProjectList) -> Result<(Vec<Project>, i64), StoreError> {
        const WHERE: &str = "WHERE p.account = $1 AND ($2 = '' OR p.workspace = $2)
          AND ($3 = '' OR COALESCE(e.state, CASE WHEN p.importing IS NULL THEN 'draft' ELSE 'importing' END) = $3)
          AND ($4 = '' OR p.folded LIKE $4 ESCAPE '!')";
        let light = COLUMNS
            .replace("p.body AS p_body, p.request AS p_request", "'{}' AS p_body, NULL AS p_request")
            .replace("e.*", Export::LIGHT);
        let search = list.search.as_deref().unwrap_or_default().to_lowercase();
        let search = if search.is_empty() {
            search
        } else {
            format!("%{}%", search.replace('!', "!!").replace('%', "!%").replace('_', "!_"))
        };
        let page = format!("{light} {WHERE} ORDER BY p.created_at DESC, p.id DESC LIMIT $5 OFFSET $6");
        let rows = query(sqlx::AssertSqlSafe(page))
            .bind(account)
            .bind(list.workspace.as_deref().unwrap_or_default())
            .bind(list.state.as_deref().unwrap_or_default())
            .bind(&search)
            .bind(list.limit.clamp(1, 500))
            .bind(list.offset.max(0))
            .fetch_all(&self.reading)
            .await?;
        let count = format!("SELECT COUNT(*) AS n FROM project p LEFT JOIN export e ON e.id = p.export {WHERE}");
        let count = query(sqlx::AssertSqlSafe(count))
            .bind(account)
            .bind(list.workspace.as_deref().unwrap_or_default())
            .bind(list.state.as_deref().unwrap_or_default())
            .bind(&search)
            .fetch_one(&self.reading)
            .await?;
        let projects = rows.iter().map(project_of).collect::<Result<_, _>>()?;
        Ok((projects, count.try_get("n")?))
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
        query("UPDATE project SET request = $2 WHERE id = $1")
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
        let now = self.now();
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
        .bind(body.to_string())
        .bind(scenes_in(body))
        .bind(now)
        .bind(text("name"))
        .bind(text("orientation"))
        .bind(text("name").map(|name| name.to_lowercase()))
        .execute(&mut **tx)
        .await?;
        query("DELETE FROM revision WHERE project = $1 AND revision <= $2")
            .bind(id)
            .bind(revision - REVISIONS)
            .execute(&mut **tx)
            .await?;
        Ok(done.rows_affected() == 1)
    }

    pub async fn revisions(&self, project: &str) -> Result<Vec<Revision>, StoreError> {
        let rows = query("SELECT revision, note, created_at FROM revision WHERE project = $1 ORDER BY revision DESC")
            .bind(project)
            .fetch_all(&self.reading)
            .await?;
        let read = |row: &AnyRow| -> Result<Revision, StoreError> {
            Ok(Revision {
                revision: row.try_get("revision")?,
                note: row.try_get("note")?,
                created_at: row.try_get("created_at")?,
            })
        };
        rows.iter().map(read).collect()
    }

    pub async fn revision_body(&self, project: &str, revision: i64) -> Result<Option<Value>, StoreError> {
        let row = query("SELECT body FROM revision WHERE project = $1 AND revision = $2")
            .bind(project)
            .bind(revision)
            .fetch_optional(&self.reading)
            .await?;
        let Some(row) = row else { return Ok(None) };
        Ok(Some(serde_json::from_str(&row.try_get::<String, _>("body")?)?))
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
    pub async fn set_importing(&self, id: &str, importing: Option<&str>) -> Result<(), StoreError> {
        query("UPDATE project SET importing = $2, updated_at = $3 WHERE id = $1")
            .bind(id)
            .bind(importing)
            .bind(self.now())
            .execute(&self.writing)
            .await?;
        Ok(())
    }

    /// Deletes own projects. Their running exports are asked to stop and end without a word; their files are named by
    /// rows that are gone and are collected as orphans.
    pub async fn delete_projects(&self, account: &str, ids: &[String]) -> Result<u64, StoreError> {
        let mut tx = self.begin().await?;
        let mut deleted = 0;
        for id in ids {
            let done = query("DELETE FROM project WHERE account = $1 AND id = $2")
                .bind(account)
                .bind(id)
                .execute(&mut *tx)
                .await?;
            if done.rows_affected() == 1 {
                deleted += 1;
                query("DELETE FROM revision WHERE project = $1").bind(id).execute(&mut *tx).await?;
                self.abandon_exports(&mut tx, id).await?;
            }
        }
        tx.commit().await?;
        Ok(deleted)
    }
}

/// Joins two constant texts once.
fn const_format(a: &'static str, b: &'static str) -> sqlx::AssertSqlSafe<String> {
    sqlx::AssertSqlSafe(format!("{a}{b}"))
}
