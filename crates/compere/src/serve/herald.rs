//! The words of a webhook.

use compere_jobs::Herald;
use compere_store::{Announcement, Ended, Export, ExportState, Occasion, Product, Store};
use serde_json::json;

use compere_house::Kind;
use compere_house::links::Links;

#[derive(Debug)]
pub struct Announcer {
    pub links: Links,
    pub store: Store,
}

impl Herald for Announcer {
    fn announce(&self, export: &Export, ended: &Ended) -> Option<Announcement> {
        let (event, query, mut body) = match ended {
            Ended::Exported { made, credits } => self.completed(export, made, *credits),
            Ended::Failed { message } => failed(export, message),
            Ended::Cancelled => return None,
        };
        if export.test {
            body["test"] = json!(true);
        }
        let own = export.webhook.as_ref().map(|webhook| (with_query(&webhook.url, &query), webhook.method));
        Some(Announcement { event, own, body: body.to_string() })
    }
}

type Words = (Occasion, Vec<(&'static str, String)>, serde_json::Value);

impl Announcer {
    fn completed(&self, export: &Export, made: &compere_store::Made, credits: i64) -> Words {
        let now = self.store.now();
        let link = |part| Some(self.links.download(&export.id, part, made.name_of(part)?, now));
        let film = link(Product::Film).unwrap_or_default();
        let location = format!("ai-video/{}/", export.project);
        let query = vec![
            ("ai_progress_update_loc", location.clone()),
            ("videoUrl", film.clone()),
            ("duration", format!("{:.3}", made.cut.duration)),
        ];
        let body = json!({
            "event": Occasion::Completed, "projectId": export.project, "progress": 100, "credit": credits,
            "backendTaskId": export.id, "download_url": film, "videoUrl": film, "duration": made.cut.duration,
            "ai_progress_update_loc": location,
            "captionsUrl": link(Product::Vtt),
            "chaptersUrl": link(Product::Chapters),
            "thumbnailUrl": link(Product::Poster),
            "callbackId": export.callback_id,
        });
        (Occasion::Completed, query, body)
    }
}

fn failed(export: &Export, message: &str) -> Words {
    let code = Kind::ExportFailed.number();
    let query = vec![
        ("ai_progress_update_loc", format!("ai-video/{}/", export.project)),
        ("state", "failed".to_owned()),
        ("code", code.to_string()),
    ];
    let body = json!({
        "event": Occasion::Failed, "projectId": export.project, "progress": export.progress, "credit": 0,
        "backendTaskId": export.id, "state": ExportState::Failed, "error": {"code": code, "msg": message},
        "callbackId": export.callback_id,
    });
    (Occasion::Failed, query, body)
}

/// Appends to whatever query the address has.
fn with_query(address: &str, pairs: &[(&str, String)]) -> String {
    match url::Url::parse(address) {
        Ok(mut url) => {
            url.query_pairs_mut().extend_pairs(pairs);
            url.into()
        }
        Err(_) => address.to_owned(),
    }
}
