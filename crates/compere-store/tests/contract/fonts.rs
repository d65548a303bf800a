//! Fonts of accounts.

use compere_store::{Account, Font, Key, NewExport, News, Objects, Order};
use serde_json::json;

use crate::{Fresh, export_of};

pub fn font(account: &Account, id: &str, family: &str, style: &str) -> Font {
    Font {
        id: id.to_owned(),
        account: account.id.clone(),
        family: family.to_owned(),
        style: style.to_owned(),
        weight: 700,
        italic: true,
        hash: "00ff".to_owned(),
        size: 30,
        licence: "I may.".to_owned(),
        created_at: 5,
    }
}

pub async fn a_font_is_its_accounts_and_one_takes_the_place_of_another(fresh: Fresh) {
    let (ada, bob) = (fresh.account("ada@example.com", "api").await, fresh.account("bob@example.com", "api").await);
    let [bold, regular, theirs] = [(&ada, "f1", "Bold"), (&ada, "f2", "Regular"), (&bob, "f3", "Bold")]
        .map(|(of, id, style)| font(of, id, "Brand", style));
    fresh.store.add_fonts(&[bold.clone(), regular.clone()]).await.expect("stores");
    fresh.store.add_fonts(std::slice::from_ref(&theirs)).await.expect("stores");
    assert_eq!(fresh.store.fonts(&ada.id).await.expect("reads"), [bold, regular.clone()]);
    let newer = font(&ada, "f4", "Brand", "Bold");
    fresh.store.add_fonts(std::slice::from_ref(&newer)).await.expect("stores");
    assert_eq!(fresh.store.fonts(&ada.id).await.expect("reads"), [newer, regular]);
    assert_eq!(fresh.store.fonts(&bob.id).await.expect("reads"), [theirs]);
    let delete = async |of: &Account, id| fresh.store.delete_font(&of.id, id).await.expect("deletes");
    assert_eq!((delete(&ada, "f3").await, delete(&ada, "f2").await, delete(&ada, "f2").await), (false, true, false));
    assert_eq!(fresh.store.fonts(&ada.id).await.expect("reads").len(), 1);
}

pub async fn a_deleted_font_stays_for_films_that_were_asked_for_before(fresh: Fresh) {
    let ada = fresh.account("ada@example.com", "api").await;
    for id in ["asked", "idle", "kept"] {
        fresh.store.add_fonts(&[font(&ada, id, id, "Bold")]).await.expect("stores");
    }
    let snapshot =
        json!({"typecase": [{"family": "asked", "source_url": "/media/f/asked/sig/font.ttf"}], "scenes": []});
    let project = fresh.store.create_project(crate::project_of(&ada, "News")).await.expect("creates");
    let export = export_of(&ada, &project.id, 1);
    let export = NewExport { order: Order { snapshot, ..export.order.clone() }, ..export };
    fresh.store.start_export(compere_store::Before::Nothing, export).await.expect("stores").expect("accepted");
    for id in ["asked", "idle"] {
        assert!(fresh.store.delete_font(&ada.id, id).await.expect("deletes"));
    }
    let now = fresh.store.now();
    assert!(fresh.store.needless_fonts(now, 9).await.expect("asks").is_empty(), "somebody may be looking at a preview");
    assert_eq!(fresh.store.needless_fonts(now + 1, 9).await.expect("asks"), ["idle"]);
    let running = fresh.claim().await.expect("waits");
    assert_eq!(fresh.store.needless_fonts(now + 1, 9).await.expect("asks"), ["idle"]);
    assert!(fresh.ends(&running, News::Failed { message: "x".to_owned() }).await);
    assert_eq!(fresh.store.needless_fonts(now + 1, 9).await.expect("asks"), ["asked", "idle"]);
    fresh.store.forget_font("idle").await.expect("forgets");
    assert_eq!(fresh.store.needless_fonts(now + 1, 9).await.expect("asks"), ["asked"]);
    let kept = async |id| fresh.store.font_is_kept(id).await.expect("asks");
    assert_eq!((kept("asked").await, kept("idle").await, kept("kept").await), (true, false, true));
    let dir = tempfile::tempdir().expect("a folder");
    let objects = Objects::folder(dir.path()).expect("opens");
    objects.put(&Key::Font("asked".to_owned()), "x".into()).await.expect("stores");
    assert_eq!(objects.owners("fonts").await.expect("lists"), ["asked"]);
}
