//! The account and what it may know of itself.

use compere_media::{Format, Resolution};
use compere_store::{
    Account, Delivery, DeliveryState, Endpoint, Entry, Export, ExportState, KeyPair, Movement, Occasion, Plan, Try,
};
use serde::Serialize;
use utoipa::ToSchema;

use super::date;
use super::words::{DeliveryWord, FormatWord, HookEventWord, MovementWord, ResolutionWord, SentEventWord, StateWord};

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AccountRecord {
    pub id: String,
    pub email: String,
    pub name: String,
    pub plan: PlanRecord,
    /// Credits that are left; null where they are not counted
    #[schema(required)]
    pub credits: Option<i64>,
    pub created_at: String,
}

/// What an account may do.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlanRecord {
    pub name: String,
    /// Credits of a calendar month (UTC); null means as many as wanted
    #[schema(required)]
    pub monthly_credits: Option<i64>,
    pub requests_per_minute: u32,
    /// Exports that run at once
    pub parallel_exports: u32,
    /// Exports that wait
    pub queued_exports: u32,
    /// Seconds
    pub longest_film: f64,
}

impl AccountRecord {
    pub fn of(account: &Account, plan: Plan, credits: Option<i64>) -> Self {
        Self {
            id: account.id.clone(),
            email: account.email.clone(),
            name: account.name.clone(),
            plan: PlanRecord {
                name: plan.name,
                monthly_credits: plan.monthly_credits,
                requests_per_minute: plan.requests_per_minute,
                parallel_exports: plan.parallel_exports,
                queued_exports: plan.queued_exports,
                longest_film: plan.longest_film,
            },
            credits,
            created_at: date(account.created_at),
        }
    }
}

/// A movement of credits.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreditMovement {
    pub id: String,
    #[schema(value_type = MovementWord)]
    pub kind: Movement,
    /// Less than zero when they went
    pub amount: i64,
    /// Of the export it is about
    #[schema(required)]
    pub export_id: Option<String>,
    pub note: String,
    pub created_at: String,
}

impl From<Entry> for CreditMovement {
    fn from(entry: Entry) -> Self {
        Self {
            id: entry.id,
            kind: entry.kind,
            amount: entry.amount,
            export_id: entry.export,
            note: entry.note,
            created_at: date(entry.created_at),
        }
    }
}

/// A key pair without its secret.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct KeyRecord {
    pub id: String,
    pub name: String,
    pub app_id: String,
    /// The end of the key, to tell pairs apart
    pub hint: String,
    /// The only one it sees; null for all
    #[schema(required)]
    pub workspace_id: Option<String>,
    /// Its films are marked and cost nothing
    pub test: bool,
    pub created_at: String,
    #[schema(required)]
    pub last_used_at: Option<String>,
    #[schema(required)]
    pub revoked_at: Option<String>,
}

impl From<KeyPair> for KeyRecord {
    fn from(pair: KeyPair) -> Self {
        Self {
            id: pair.id,
            name: pair.name,
            app_id: pair.app_id,
            hint: pair.hint,
            workspace_id: pair.workspace,
            test: pair.test,
            created_at: date(pair.created_at),
            last_used_at: pair.last_used_at.map(date),
            revoked_at: pair.revoked_at.map(date),
        }
    }
}

/// A key pair at the one moment when its key can be seen.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct IssuedKeyRecord {
    pub id: String,
    pub app_id: String,
    pub user_key: String,
    pub test: bool,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookSecret {
    /// As Standard Webhooks spell it: `whsec_…`
    pub secret: String,
}

/// An address that is told of what happens in the account.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HookRecord {
    pub id: String,
    pub url: String,
    pub name: String,
    #[schema(value_type = Vec<HookEventWord>)]
    pub events: Vec<Occasion>,
    pub enabled: bool,
    /// Signs what goes there, as Standard Webhooks spell it: `whsec_…`
    pub secret: String,
    /// Until when the former secret signs beside it
    #[schema(required)]
    pub former_secret_until: Option<String>,
    pub created_at: String,
}

impl From<Endpoint> for HookRecord {
    fn from(hook: Endpoint) -> Self {
        Self {
            id: hook.id,
            url: hook.url,
            name: hook.name,
            events: hook.events,
            enabled: hook.enabled,
            secret: hook.secret,
            former_secret_until: hook.secret_old.map(|(_, until)| date(until)),
            created_at: date(hook.created_at),
        }
    }
}

/// What was sent to an endpoint.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SentRecord {
    #[serde(flatten)]
    pub delivery: DeliveryRecord,
    /// As it was sent
    pub body: String,
}

impl SentRecord {
    pub fn of(delivery: &Delivery, tries: &[Try]) -> Self {
        Self { delivery: DeliveryRecord::of(delivery, tries), body: delivery.body.clone() }
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct Replayed {
    pub replayed: bool,
}

/// An export, as it ended or stands.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExportRecord {
    pub id: String,
    #[schema(value_type = StateWord)]
    pub state: ExportState,
    #[schema(value_type = ResolutionWord)]
    pub resolution: Resolution,
    #[schema(value_type = FormatWord)]
    pub format: Format,
    #[schema(required)]
    pub credits: Option<i64>,
    /// Ordered with a test key: marked, and free
    pub test: bool,
    /// Why there is no film
    #[schema(required)]
    pub error: Option<String>,
    #[schema(required)]
    pub callback_id: Option<String>,
    pub created_at: String,
    #[schema(required)]
    pub started_at: Option<String>,
    #[schema(required)]
    pub finished_at: Option<String>,
    pub webhooks: Vec<DeliveryRecord>,
}

impl ExportRecord {
    pub fn of(export: &Export, mail: &[(Delivery, Vec<Try>)]) -> Self {
        let own = mail.iter().filter(|(delivery, _)| delivery.export == export.id);
        Self {
            id: export.id.clone(),
            state: export.state,
            resolution: export.order.resolution,
            format: export.order.format,
            credits: export.credits,
            test: export.test,
            error: export.error.clone(),
            callback_id: export.callback_id.clone(),
            created_at: date(export.created_at),
            started_at: export.started_at.map(date),
            finished_at: export.finished_at.map(date),
            webhooks: own.map(|(delivery, tries)| DeliveryRecord::of(delivery, tries)).collect(),
        }
    }
}

/// A webhook and its tries.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryRecord {
    /// Sent as `webhook-id`, the same on every try
    pub id: String,
    #[schema(value_type = SentEventWord)]
    pub event: Occasion,
    pub url: String,
    /// Of the account's, where it went to one
    #[schema(required)]
    pub endpoint_id: Option<String>,
    #[schema(value_type = DeliveryWord)]
    pub state: DeliveryState,
    pub tries: Vec<TryRecord>,
    pub created_at: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct TryRecord {
    pub at: String,
    /// What it took
    pub millis: i64,
    /// What the receiver answered
    #[schema(required)]
    pub status: Option<i64>,
    #[schema(required)]
    pub error: Option<String>,
}

impl DeliveryRecord {
    fn of(delivery: &Delivery, tries: &[Try]) -> Self {
        let one = |one: &Try| TryRecord {
            at: date(one.at),
            millis: one.millis,
            status: one.status,
            error: one.error.clone(),
        };
        Self {
            id: delivery.id.clone(),
            event: delivery.event,
            endpoint_id: delivery.endpoint.clone(),
            url: delivery.url.clone(),
            state: delivery.state,
            tries: tries.iter().map(one).collect(),
            created_at: date(delivery.created_at),
        }
    }
}
