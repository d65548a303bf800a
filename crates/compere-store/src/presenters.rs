//! Presenters of a person's own footage: what is on record of them, their takes, and the films that show them.

use compere_media::words;
use serde_json::Value;
use sqlx::query;

use crate::assets::Asset;
use crate::db::Tx;
use crate::error::StoreError;
use crate::export::{Export, NewExport};
use crate::row::{all, one, row};
use crate::secrets::{hash_secret, hex, random_bytes};
use crate::{Store, new_id};

words! {
    /// Where a presenter of footage is.
    pub enum PresenterState {
        /// Takes come in.
        Collecting = "collecting",
        /// It waits to be made.
        Queued = "queued",
        Building = "building",
        /// It is made; somebody has to look at consent and takes.
        Waiting = "waiting",
        /// It presents.
        Ready = "ready",
        /// The footage cannot be used; the findings say why.
        Refused = "refused",
        /// Its person took the consent back: all of it is gone.
        Withdrawn = "withdrawn",
    }
}

words! {
    /// What a presenter is made of.
    pub enum PresenterKind {
        /// Takes of a person who speaks.
        Footage = "footage",
        /// One portrait.
        Photo = "photo",
        /// A file that somebody modelled.
        Model = "model",
        /// Parameters that somebody chose: nobody is filmed, nothing is sent.
        Design = "design",
    }
}

words! {
    /// What becomes of what is behind a filmed person.
    #[derive(Default)]
    pub enum PresenterBackground {
        /// The person is cut out where that can be done well.
        #[default]
        Auto = "auto",
        /// The person is cut out, or refused.
        Cut = "cut",
        /// It stays as it was filmed.
        Keep = "keep",
    }
}

words! {
    /// Who took a presenter away.
    pub enum WithdrawnBy {
        /// Whose presenter it was.
        Account = "account",
        /// Whoever is shown, with the code that they were given.
        Person = "person",
        /// Who runs the installation.
        Operator = "operator",
    }
}

impl PresenterState {
    /// Whether takes may come and go.
    pub fn is_open(self) -> bool {
        matches!(self, Self::Collecting | Self::Refused)
    }
}

/// What is on record of a presenter.
#[derive(Clone, Debug)]
pub struct OwnPresenter {
    /// Scenes name it by this.
    pub id: String,
    pub account: String,
    pub kind: PresenterKind,
    pub name: String,
    /// `female`, `male` or `neutral`.
    pub gender: String,
    /// BCP 47.
    pub language: String,
    /// In which language its lines and its consent are given out. None of those that were begun when all were English.
    pub prompts: Option<String>,
    pub state: PresenterState,
    /// Percent, while it is made.
    pub progress: f64,
    /// What its person reads, as it was given out.
    pub consent: Option<Value>,
    /// What was found in the footage.
    pub findings: Option<Value>,
    /// What somebody chose, of a designed one.
    pub design: Option<Value>,
    pub approved_by: Option<String>,
    pub background: PresenterBackground,
    /// Whom it shows in other clothes; then `name` is what those are called.
    pub outfit_of: Option<String>,
    /// Of speech, once it is made.
    pub seconds: f64,
    /// Bytes of what was made.
    pub size: i64,
    /// How often making it ended without an answer.
    pub strikes: i64,
    /// Hash of the code with which its person takes it away, until that is used. None of those whose consent was asked for
    /// before there were codes.
    pub code: Option<String>,
    /// None of those that went before this was written down.
    pub withdrawn_by: Option<WithdrawnBy>,
    pub withdrawn_at: Option<i64>,
    pub created_at: i64,
    pub updated_at: i64,
}

row!(OwnPresenter {
    id,
    account,
    kind: word,
    name,
    gender,
    language,
    prompts,
    state: word,
    progress,
    consent: json,
    findings: json,
    design: json,
    approved_by,
    background: word,
    outfit_of,
    seconds,
    size,
    strikes,
    code,
    withdrawn_by: perhaps,
    withdrawn_at,
    created_at,
    updated_at
});

/// A file of footage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Take {
    pub presenter: String,
    /// Also names its object.
    pub name: String,
    /// What is said in it; nothing in silence, and nothing where nobody has said it yet.
    pub said: String,
    pub media_type: String,
    pub size: i64,
    pub created_at: i64,
    /// The account's file that it is a copy of, where it was begun from one.
    pub asset: Option<String>,
}

row!(Take { presenter, name, said, media_type, size, created_at, asset });

/// A presenter that shall be.
#[derive(Clone, Debug)]
pub struct NewPresenter {
    pub account: String,
    pub kind: PresenterKind,
    pub name: String,
    pub gender: String,
    pub language: String,
    /// In which language its lines and its consent are given out.
    pub prompts: Option<String>,
    pub background: PresenterBackground,
    /// Whom it shows in other clothes.
    pub outfit_of: Option<String>,
}

/// What making a presenter came to.
#[derive(Clone, Debug)]
pub struct Forged {
    pub state: PresenterState,
    pub findings: Value,
    pub seconds: f64,
    pub size: i64,
}

impl Store {
    pub async fn create_presenter(&self, new: NewPresenter) -> Result<OwnPresenter, StoreError> {
        self.put_presenter(new, PresenterState::Collecting, None).await
    }

    /// One that needs no takes and nobody's consent.
    pub async fn create_designed(&self, new: NewPresenter, design: Value) -> Result<OwnPresenter, StoreError> {
        self.put_presenter(new, PresenterState::Ready, Some(design)).await
    }

    async fn put_presenter(
        &self,
        new: NewPresenter,
        state: PresenterState,
        design: Option<Value>,
    ) -> Result<OwnPresenter, StoreError> {
        let now = self.now();
        let made = OwnPresenter {
            id: new_id(now),
            account: new.account,
            kind: new.kind,
            name: new.name,
            gender: new.gender,
            language: new.language,
            prompts: new.prompts,
            state,
            progress: 0.0,
            consent: None,
            findings: None,
            design,
            approved_by: None,
            background: new.background,
            outfit_of: new.outfit_of,
            seconds: 0.0,
            size: 0,
            strikes: 0,
            code: None,
            withdrawn_by: None,
            withdrawn_at: None,
            created_at: now,
            updated_at: now,
        };
        query(
            "INSERT INTO presenter (id, account, name, gender, language, state, progress, seconds, size, strikes,
             created_at, updated_at, kind, design, background, outfit_of, prompts)
             VALUES ($1, $2, $3, $4, $5, $6, 0, 0, 0, 0, $7, $7, $8, $9, $10, $11, $12)",
        )
        .bind(&made.id)
        .bind(&made.account)
        .bind(&made.name)
        .bind(&made.gender)
        .bind(&made.language)
        .bind(made.state.as_str())
        .bind(now)
        .bind(made.kind.as_str())
        .bind(made.design.as_ref().map(Value::to_string))
        .bind(made.background.as_str())
        .bind(&made.outfit_of)
        .bind(&made.prompts)
        .execute(&self.writing)
        .await?;
        Ok(made)
    }

    /// Another design for one that presents. False when it does not present any more.
    pub async fn redesign_presenter(
        &self,
        id: &str,
        name: &str,
        gender: &str,
        design: &Value,
    ) -> Result<bool, StoreError> {
        let done = query(
            "UPDATE presenter SET name = $2, gender = $3, design = $4, updated_at = $5
             WHERE id = $1 AND kind = 'design' AND state = 'ready'",
        )
        .bind(id)
        .bind(name)
        .bind(gender)
        .bind(design.to_string())
        .bind(self.now())
        .execute(&self.writing)
        .await?;
        Ok(done.rows_affected() == 1)
    }

    /// One of an account's; a withdrawn one too.
    pub async fn presenter(&self, account: &str, id: &str) -> Result<Option<OwnPresenter>, StoreError> {
        let sql = "SELECT * FROM presenter WHERE account = $1 AND id = $2";
        one(query(sql).bind(account).bind(id).fetch_optional(&self.reading).await?)
    }

    /// Whoever's it is: for operators, and for what goes on behind the doors.
    pub async fn any_presenter(&self, id: &str) -> Result<Option<OwnPresenter>, StoreError> {
        one(query("SELECT * FROM presenter WHERE id = $1").bind(id).fetch_optional(&self.reading).await?)
    }

    /// An account's, newest first, without the withdrawn.
    pub async fn presenters(&self, account: &str) -> Result<Vec<OwnPresenter>, StoreError> {
        let sql =
            "SELECT * FROM presenter WHERE account = $1 AND state <> 'withdrawn' ORDER BY created_at DESC, id DESC";
        all(&query(sql).bind(account).fetch_all(&self.reading).await?)
    }

    /// What somebody is filmed in as well, the first one first, without the withdrawn.
    pub async fn outfits_of(&self, id: &str) -> Result<Vec<OwnPresenter>, StoreError> {
        let sql = "SELECT * FROM presenter WHERE outfit_of = $1 AND state <> 'withdrawn' ORDER BY created_at, id";
        all(&query(sql).bind(id).fetch_all(&self.reading).await?)
    }

    /// Everybody's in a state, the one that is in it for longest first.
    pub async fn presenters_in(&self, state: PresenterState) -> Result<Vec<OwnPresenter>, StoreError> {
        let sql = "SELECT * FROM presenter WHERE state = $1 ORDER BY updated_at, id";
        all(&query(sql).bind(state.as_str()).fetch_all(&self.reading).await?)
    }

    /// What becomes of what is behind the person. False when it does not take footage any more.
    pub async fn choose_background(&self, id: &str, background: PresenterBackground) -> Result<bool, StoreError> {
        let done = query(
            "UPDATE presenter SET background = $2, updated_at = $3 WHERE id = $1 AND state IN ('collecting', 'refused')",
        )
        .bind(id)
        .bind(background.as_str())
        .bind(self.now())
        .execute(&self.writing)
        .await?;
        Ok(done.rows_affected() == 1)
    }

    /// What the person is to read. Answers with the code by which that person may take the presenter away, which is not kept, and
    /// no other is good any more; with nothing when it is too late. A recording of another text goes.
    pub async fn ask_person(&self, id: &str, consent: &Value) -> Result<Option<String>, StoreError> {
        let code = hex(&random_bytes::<32>());
        let asked = self.put_consent(id, consent, Some(hash_secret(&code))).await?;
        Ok(asked.then_some(code))
    }

    /// What somebody states of what shows no person. Says whether it was still time for that.
    pub async fn put_statement(&self, id: &str, statement: &Value) -> Result<bool, StoreError> {
        self.put_consent(id, statement, None).await
    }

    async fn put_consent(&self, id: &str, consent: &Value, code: Option<String>) -> Result<bool, StoreError> {
        let mut tx = self.begin().await?;
        let done = query(
            "UPDATE presenter SET consent = $2, code = $3, state = 'collecting', updated_at = $4
             WHERE id = $1 AND state IN ('collecting', 'refused')",
        )
        .bind(id)
        .bind(consent.to_string())
        .bind(code)
        .bind(self.now())
        .execute(&mut *tx)
        .await?;
        query("DELETE FROM take WHERE presenter = $1 AND name = 'consent'").bind(id).execute(&mut *tx).await?;
        if done.rows_affected() == 1 {
            tx.commit().await?;
        }
        Ok(done.rows_affected() == 1)
    }

    /// The presenter whose person was given a code, until that is used; one that others took away too.
    pub async fn presenter_of_code(&self, code: &str) -> Result<Option<OwnPresenter>, StoreError> {
        let sql = "SELECT * FROM presenter WHERE code = $1";
        one(query(sql).bind(hash_secret(code)).fetch_optional(&self.reading).await?)
    }

    /// Its code was used.
    pub async fn spend_code(&self, id: &str) -> Result<(), StoreError> {
        query("UPDATE presenter SET code = NULL WHERE id = $1").bind(id).execute(&self.writing).await?;
        Ok(())
    }

    /// From one state into another. False when it is not in the first any more.
    pub async fn move_presenter(&self, id: &str, from: PresenterState, to: PresenterState) -> Result<bool, StoreError> {
        let done = query("UPDATE presenter SET state = $3, progress = 0, updated_at = $4 WHERE id = $1 AND state = $2")
            .bind(id)
            .bind(from.as_str())
            .bind(to.as_str())
            .bind(self.now())
            .execute(&self.writing)
            .await?;
        Ok(done.rows_affected() == 1)
    }

    /// How far it is made. False when it is not being made any more.
    pub async fn tell_presenter(&self, id: &str, progress: f64) -> Result<bool, StoreError> {
        let done = query("UPDATE presenter SET progress = $2, updated_at = $3 WHERE id = $1 AND state = 'building'")
            .bind(id)
            .bind(progress)
            .bind(self.now())
            .execute(&self.writing)
            .await?;
        Ok(done.rows_affected() == 1)
    }

    /// Making it ended without an answer. Says how often by now, if it was being made.
    pub async fn strike_presenter(&self, id: &str) -> Result<Option<i64>, StoreError> {
        let row = query(
            "UPDATE presenter SET strikes = strikes + 1, state = 'queued', progress = 0, updated_at = $2
             WHERE id = $1 AND state = 'building' RETURNING strikes",
        )
        .bind(id)
        .bind(self.now())
        .fetch_optional(&self.writing)
        .await?;
        Ok(row.map(|row| sqlx::Row::try_get(&row, "strikes")).transpose()?)
    }

    /// What came of making it. False when nobody wants it any more.
    pub async fn forged_presenter(&self, id: &str, forged: &Forged) -> Result<bool, StoreError> {
        let done = query(
            "UPDATE presenter SET state = $2, findings = $3, seconds = $4, size = $5, strikes = 0, progress = 0,
             updated_at = $6 WHERE id = $1 AND state IN ('building', 'queued')",
        )
        .bind(id)
        .bind(forged.state.as_str())
        .bind(forged.findings.to_string())
        .bind(forged.seconds)
        .bind(forged.size)
        .bind(self.now())
        .execute(&self.writing)
        .await?;
        Ok(done.rows_affected() == 1)
    }

    /// Somebody saw consent and takes.
    pub async fn approve_presenter(&self, id: &str, by: &str) -> Result<bool, StoreError> {
        let done = query(
            "UPDATE presenter SET state = 'ready', approved_by = $2, updated_at = $3 WHERE id = $1 AND state = 'waiting'",
        )
        .bind(id)
        .bind(by)
        .bind(self.now())
        .execute(&self.writing)
        .await?;
        Ok(done.rows_affected() == 1)
    }

    /// Somebody saw consent and takes, and says what is wrong with them.
    pub async fn decline_presenter(&self, id: &str, findings: &Value) -> Result<bool, StoreError> {
        let done = query(
            "UPDATE presenter SET state = 'refused', findings = $2, size = 0, updated_at = $3
             WHERE id = $1 AND state = 'waiting'",
        )
        .bind(id)
        .bind(findings.to_string())
        .bind(self.now())
        .execute(&self.writing)
        .await?;
        Ok(done.rows_affected() == 1)
    }

    /// The consent is taken back: nothing stays on record but that it was there, and who took it away. False when that was said
    /// before.
    pub async fn withdraw_presenter(&self, id: &str, by: WithdrawnBy) -> Result<bool, StoreError> {
        let mut tx = self.begin().await?;
        let done = query(
            "UPDATE presenter SET state = 'withdrawn', consent = NULL, findings = NULL, design = NULL, progress = 0, seconds = 0,
             size = 0, withdrawn_by = $2, withdrawn_at = $3, updated_at = $3 WHERE id = $1 AND state <> 'withdrawn'",
        )
        .bind(id)
        .bind(by.as_str())
        .bind(self.now())
        .execute(&mut *tx)
        .await?;
        query("DELETE FROM take WHERE presenter = $1").bind(id).execute(&mut *tx).await?;
        tx.commit().await?;
        Ok(done.rows_affected() == 1)
    }

    /// Those of an account whose persons took them away themselves, the last one first.
    pub async fn presenters_taken_back(&self, account: &str) -> Result<Vec<OwnPresenter>, StoreError> {
        let sql = "SELECT * FROM presenter WHERE account = $1 AND withdrawn_by = 'person'
                   ORDER BY withdrawn_at DESC, id DESC";
        all(&query(sql).bind(account).fetch_all(&self.reading).await?)
    }

    /// Puts a take on record, instead of the one of that name. False when it is too late for takes.
    pub async fn put_take(&self, take: &Take, findings: Option<&Value>) -> Result<bool, StoreError> {
        let mut tx = self.begin().await?;
        let done = query(
            "UPDATE presenter SET state = 'collecting', findings = $2, updated_at = $3
             WHERE id = $1 AND state IN ('collecting', 'refused')",
        )
        .bind(&take.presenter)
        .bind(findings.map(Value::to_string))
        .bind(self.now())
        .execute(&mut *tx)
        .await?;
        if done.rows_affected() != 1 {
            return Ok(false);
        }
        query("DELETE FROM take WHERE presenter = $1 AND name = $2")
            .bind(&take.presenter)
            .bind(&take.name)
            .execute(&mut *tx)
            .await?;
        query(
            "INSERT INTO take (presenter, name, said, media_type, size, created_at, asset)
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
        )
        .bind(&take.presenter)
        .bind(&take.name)
        .bind(&take.said)
        .bind(&take.media_type)
        .bind(take.size)
        .bind(take.created_at)
        .bind(&take.asset)
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(true)
    }

    pub async fn delete_take(&self, presenter: &str, name: &str) -> Result<bool, StoreError> {
        let done = query(
            "DELETE FROM take WHERE presenter = $1 AND name = $2 AND EXISTS
             (SELECT 1 FROM presenter WHERE id = $1 AND state IN ('collecting', 'refused'))",
        )
        .bind(presenter)
        .bind(name)
        .execute(&self.writing)
        .await?;
        Ok(done.rows_affected() == 1)
    }

    pub async fn takes(&self, presenter: &str) -> Result<Vec<Take>, StoreError> {
        let sql = "SELECT * FROM take WHERE presenter = $1 ORDER BY name";
        all(&query(sql).bind(presenter).fetch_all(&self.reading).await?)
    }

    /// The files of its account that its takes, and those of its outfits, are copies of, as far as they are still there.
    pub async fn originals(&self, presenter: &str) -> Result<Vec<Asset>, StoreError> {
        let sql = "SELECT * FROM asset WHERE id IN (SELECT t.asset FROM take t JOIN presenter p ON p.id = t.presenter
                   WHERE (p.id = $1 OR p.outfit_of = $1) AND p.account = asset.account) ORDER BY created_at, id";
        all(&query(sql).bind(presenter).fetch_all(&self.reading).await?)
    }

    /// Exports of films that show a presenter or let it speak, newest first.
    pub async fn films_with(&self, presenter: &str) -> Result<Vec<Export>, StoreError> {
        let sql = format!(
            "SELECT {} FROM export e JOIN presenter_use u ON u.export = e.id WHERE u.presenter = $1
             ORDER BY e.created_at DESC, e.id DESC",
            Export::COLUMNS
        );
        all(&query(sqlx::AssertSqlSafe(sql)).bind(presenter).fetch_all(&self.reading).await?)
    }

    /// Writes down whom an export shows.
    pub(crate) async fn note_presenters(&self, tx: &mut Tx, export: &str, new: &NewExport) -> Result<(), StoreError> {
        for presenter in &new.presenters {
            query("INSERT INTO presenter_use (presenter, export) VALUES ($1, $2)")
                .bind(presenter)
                .bind(export)
                .execute(&mut **tx)
                .await?;
        }
        Ok(())
    }
}
