use std::path::Path;

use compere_media::Cut;
use compere_store::{
    Account, Asset, EndpointChoice, Made, NewPresenter, News, Occasion, PresenterBackground, PresenterKind, StoreError,
    Take,
};

use crate::Fresh;

fn records(dir: &Path) -> Vec<(String, Vec<String>)> {
    let mut files: Vec<_> =
        std::fs::read_dir(dir).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    let read = |path: &std::path::PathBuf| {
        let text = std::fs::read_to_string(path).expect("reads");
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        (path.file_name().expect("a name").to_string_lossy().into_owned(), lines)
    };
    files.iter().map(read).collect()
}

/// All records as text, in an order that depends on them alone.
pub async fn dumped(fresh: &Fresh, dir: &Path) -> Vec<(String, Vec<String>)> {
    fresh.store.dump(dir).await.expect("dumps");
    records(dir)
}

/// Something in every table that is copied. Answers the account, a presenter of it and its take.
pub async fn furnish(fresh: &Fresh) -> (Account, String, Take) {
    let ada = fresh.account("ada@example.com", "tiny").await;
    let key = fresh.store.issue_key(&ada, "k", None, true).await.expect("issues");
    fresh.token(&key).await;
    fresh.store.open_session(&ada.id, "a browser").await.expect("opens");
    fresh.store.create_workspace(&ada.id, "Täglich").await.expect("creates");
    let chosen = EndpointChoice {
        url: "https://example.com".into(),
        name: "x".into(),
        events: Occasion::CHOICE.to_vec(),
        enabled: true,
    };
    fresh.store.create_endpoint(&ada.id, &chosen, 9).await.expect("creates").expect("room");
    fresh.store.set_setting("link_secret", "abc").await.expect("stores");
    let asset = Asset {
        id: "a".into(),
        account: ada.id.clone(),
        name: "x\n\"y".into(),
        media_type: "image/png".into(),
        size: 1,
        created_at: 2,
        expires_at: Some(9),
    };
    fresh.store.add_asset(&asset).await.expect("stores");
    fresh.store.add_fonts(&[crate::fonts::font(&ada, "f", "Brand", "Täglich")]).await.expect("stores");
    fresh.ask(&ada, "Waits", 1).await.expect("accepted");
    let project = fresh.ask(&ada, "Ends", 2).await.expect("accepted");
    fresh.store.edit_project(&ada.id, &project.id, 1, &crate::body(1), "edited").await.expect("edits");
    let export = fresh.claim().await.expect("waits");
    let made = Made { cut: Cut { duration: 12.25, ..Cut::default() }, file_name: "x.mp4".into(), ..Made::default() };
    assert!(fresh.ends(&export, News::Kept(Box::new(made))).await);

    let new = NewPresenter {
        account: ada.id.clone(),
        kind: PresenterKind::Photo,
        name: "Ada".into(),
        gender: "female".into(),
        language: "en-US".into(),
        prompts: Some("en".into()),
        background: PresenterBackground::Keep,
        outfit_of: None,
    };
    let presenter = fresh.store.create_presenter(new).await.expect("creates");
    let take = Take {
        presenter: presenter.id.clone(),
        name: "photo".into(),
        said: String::new(),
        media_type: "image/jpeg".into(),
        size: 6,
        created_at: 3,
        asset: Some("of-ada".into()),
    };
    assert!(fresh.store.put_take(&take, None).await.expect("puts"));
    (ada, presenter.id, take)
}

pub async fn a_backup_is_restored_as_it_was(fresh: Fresh, empty: Fresh) {
    let (ada, presenter, take) = furnish(&fresh).await;
    let dir = tempfile::tempdir().expect("a folder");
    let (first, second) = (dir.path().join("first"), dir.path().join("second"));
    let count = fresh.store.dump(&first).await.expect("dumps");
    empty.store.setting_or("link_secret", "of a new service").await.expect("stores");
    assert_eq!(empty.store.restore(&first).await.expect("restores"), count);
    assert_eq!(empty.store.dump(&second).await.expect("dumps"), count);
    assert_eq!(records(&first), records(&second));
    assert!(matches!(empty.store.restore(&first).await, Err(StoreError::Taken(_))), "never over somebody's data");
    let found = empty.store.presenter(&ada.id, &presenter).await.expect("reads").expect("is there");
    assert_eq!(found.kind, PresenterKind::Photo);
    assert_eq!(empty.store.takes(&presenter).await.expect("reads"), [take]);
    assert_eq!(empty.store.balance(&ada.id).await.expect("sums"), fresh.store.balance(&ada.id).await.expect("sums"));
}
