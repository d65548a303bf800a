//! Files of members.

use std::future::pending;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use compere_house::desk::{Checked, Desk, Dress, Later, Picture, Speech, View, Wanted, Who};
use compere_house::settings::{Limits, Megabytes};
use compere_office::{Refusal, Upload};
use compere_store::{Clock as _, Key, new_id};

use serde_json::Value;

use super::stage::Stage;

fn upload(bytes: &[u8]) -> Upload {
    let mut file = tempfile::NamedTempFile::new().expect("a file");
    file.write_all(bytes).expect("writes");
    Upload { file, name: "photo.mp4".to_owned(), size: bytes.len() as u64 }
}

#[tokio::test]
async fn what_no_film_can_show_is_not_kept() {
    let stage = Stage::open().await;
    let ada = stage.member("ada").await;
    for bytes in [&b"\0\0\0\x18ftypheic\0\0\0\0mif1heic"[..], b"<html><body><svg></svg></body></html>", b"MZ"] {
        let refusal = stage.office.keep(&ada, upload(bytes)).await.expect_err("is refused");
        assert_eq!(refusal, Refusal::WrongFile);
    }
    assert!(stage.office.uploads(&ada, &compere_store::Page::newest(10), 0).await.expect("answers").0.is_empty());
    assert!(stage.objects.owners("assets").await.expect("answers").is_empty());
}

#[tokio::test]
async fn a_kept_file_is_its_owners() {
    let stage = Stage::open().await;
    let (ada, bob) = (stage.member("ada").await, stage.member("bob").await);
    let kept = stage.office.keep(&ada, upload(b"\0\0\0\x20ftypisom....")).await.expect("is kept");
    assert_eq!(kept.asset.media_type, "video/mp4");
    assert!(matches!(stage.office.discard(&bob, &kept.asset.id).await, Err(Refusal::Missing { .. })));
    stage.office.discard(&ada, &kept.asset.id).await.expect("is discarded");
    assert!(stage.objects.owners("assets").await.expect("answers").is_empty());
}

/// A picture over which whoever looks at it sits for ever.
#[derive(Debug, Clone, Default)]
struct Stuck(Arc<AtomicBool>);

/// Tells when it is let go of.
struct Held(Arc<AtomicBool>);

impl Drop for Held {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Desk for Stuck {
    fn still(&self, _: Value, _: View) -> Later<'_, Picture> {
        Box::pin(pending())
    }

    fn say(&self, _: String, _: Who) -> Later<'_, Speech> {
        Box::pin(pending())
    }

    fn check(&self, _: Value) -> Later<'_, Checked> {
        Box::pin(pending())
    }

    fn size(&self, _: &str) -> Later<'_, (u32, u32)> {
        let held = Held(Arc::clone(&self.0));
        Box::pin(async move {
            let _held = held;
            pending().await
        })
    }

    fn bake_ahead(&self, _: Value) -> Later<'_, ()> {
        Box::pin(pending())
    }

    fn look(&self, _: Value, _: Dress) -> Later<'_, Picture> {
        Box::pin(pending())
    }

    fn wanted(&self, _: &str, _: Wanted) -> Arc<dyn Desk> {
        Arc::new(self.clone())
    }
}

#[tokio::test]
async fn a_picture_that_is_not_looked_at_in_time_is_refused_and_leaves_nothing() {
    let stuck = Stuck::default();
    let stage = Stage::open_with(Arc::new(stuck.clone()), Duration::from_millis(300)).await;
    let ada = stage.member("ada").await;
    let started = Instant::now();
    let refusal = stage.office.keep(&ada, upload(b"\x89PNG\r\n\x1a\n....")).await.expect_err("is refused");
    assert!(matches!(&refusal, Refusal::Unreadable(why) if why.contains("in time")), "{refusal:?}");
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
    assert!(stuck.0.load(Ordering::Relaxed), "nobody sits over it any more");
    assert!(stage.office.uploads(&ada, &compere_store::Page::newest(10), 0).await.expect("answers").0.is_empty());
    assert!(stage.objects.owners("assets").await.expect("answers").is_empty());
    // Its place is free: what is no picture is kept, and the next picture is looked at.
    stage.office.keep(&ada, upload(b"\0\0\0\x20ftypisom....")).await.expect("is kept");
    stage.office.keep(&ada, upload(b"\x89PNG\r\n\x1a\n....")).await.expect_err("is refused again, and soon");
}

/// A document of 205 MB came whole once and was refused then.
#[test]
fn a_megabyte_is_a_megabyte_wherever_sizes_are_limited() {
    assert_eq!(Limits::default().document.bytes(), 200_000_000);
    assert_eq!(Megabytes(205).to_string(), "205 MB");
}

#[tokio::test]
async fn files_that_no_record_names_are_cleared_away_after_a_day() {
    const DAY: i64 = 86_400_000;
    let stage = Stage::open().await;
    let ada = stage.member("ada").await;
    let kept = stage.office.keep(&ada, upload(b"\0\0\0\x20ftypisom....")).await.expect("is kept");
    stage.clock.advance(10 * DAY);
    let (old, new) = (new_id(stage.clock.now() - 2 * DAY), new_id(stage.clock.now()));
    for id in [&old, &new] {
        for key in [Key::Asset(id.clone()), Key::Slide(id.clone(), 1, "png".to_owned())] {
            stage.objects.put(&key, vec![0; 9].into()).await.expect("stores");
        }
    }
    assert_eq!(stage.office.tidy().await.expect("tidies"), 2);
    let mut left = stage.objects.owners("assets").await.expect("answers");
    left.sort();
    assert_eq!(left, [kept.asset.id, new.clone()], "what is being written has no record yet");
    assert_eq!(stage.objects.owners("projects").await.expect("answers"), [new]);
    assert_eq!(stage.office.tidy().await.expect("tidies"), 0);
}
