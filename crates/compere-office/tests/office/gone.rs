//! Somebody is taken away while a picture of theirs is drawn.

use std::sync::Arc;

use compere_house::Kind;
use compere_house::desk::{Checked, Desk, DeskError, Dress, Later, Picture, Speech, View, Wanted, Who};
use compere_office::{Office, Refusal};
use serde_json::Value;
use tokio::sync::Notify;

use super::stage::Stage;

/// Draws when it is let, and tells when it began.
#[derive(Clone, Debug, Default)]
struct Slow {
    began: Arc<Notify>,
    let_go: Arc<Notify>,
    fails: bool,
}

impl Desk for Slow {
    fn still(&self, _: Value, _: View) -> Later<'_, Picture> {
        Box::pin(async {
            self.began.notify_one();
            self.let_go.notified().await;
            if self.fails {
                return Err(DeskError::new(Kind::Unavailable, "there is no such presenter"));
            }
            let bytes = b"\xff\xd8 somebody".to_vec();
            Ok(Picture {
                bytes,
                media_type: "image/jpeg".to_owned(),
                width: 360,
                height: 640,
                spoken: true,
                sketched: false,
            })
        })
    }

    fn say(&self, _: String, _: Who) -> Later<'_, Speech> {
        Box::pin(std::future::pending())
    }

    fn check(&self, _: Value) -> Later<'_, Checked> {
        Box::pin(std::future::pending())
    }

    fn size(&self, _: &str) -> Later<'_, (u32, u32)> {
        Box::pin(std::future::pending())
    }

    fn bake_ahead(&self, _: Value) -> Later<'_, ()> {
        Box::pin(std::future::pending())
    }

    fn look(&self, _: Value, _: Dress) -> Later<'_, Picture> {
        Box::pin(std::future::pending())
    }

    fn wanted(&self, _: &str, _: Wanted) -> Arc<dyn Desk> {
        Arc::new(self.clone())
    }
}

/// A picture of somebody who is taken away while it is drawn, or not; and how many are kept then.
async fn drawn(fails: bool, leaves: bool) -> (Result<(), Refusal>, usize) {
    let slow = Slow { fails, ..Slow::default() };
    let stage = Stage::open_before(Arc::new(slow.clone())).await;
    let ada = stage.member("ada").await;
    let design = stage.office.begun_design(Some("nora"), None).expect("is of the cast");
    let design = serde_json::to_value(design).expect("is JSON");
    let made = stage.office.design_presenter(&ada, &design).await.expect("is kept");
    let (office, account, id): (Arc<Office>, _, _) =
        (Arc::clone(&stage.office), ada.account.id.clone(), made.id.clone());
    let asked = tokio::spawn(async move { office.bust(&account, &id, "").await });
    slow.began.notified().await;
    if leaves {
        stage.office.withdraw_presenter(&ada, &made.id, false).await.expect("is taken away");
    }
    slow.let_go.notify_one();
    let answer = asked.await.expect("answers").map(|_| ());
    let kept = std::fs::read_dir(stage.cache().join("web")).map_or(0, Iterator::count);
    (answer, kept)
}

#[tokio::test]
async fn no_picture_is_kept_of_somebody_who_left_while_it_was_drawn() {
    assert_eq!(drawn(false, false).await, (Ok(()), 1), "of who stays it is");
    assert_eq!(drawn(false, true).await, (Ok(()), 0));
}

#[tokio::test]
async fn who_left_while_they_were_drawn_is_missing() {
    let (answer, kept) = drawn(true, true).await;
    assert!(matches!(answer, Err(Refusal::Missing { .. })), "{answer:?}");
    assert_eq!(kept, 0);
    let (answer, _) = drawn(true, false).await;
    assert!(!matches!(answer, Err(Refusal::Missing { .. })), "who stays is there, whatever went wrong: {answer:?}");
}
