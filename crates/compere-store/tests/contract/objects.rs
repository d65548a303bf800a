use bytes::Bytes;
use compere_media::Format;
use compere_store::{Clock, Key, Objects, Streamed, SystemClock};
use futures_util::TryStreamExt;

use crate::{Fresh, migrate};

/// An object that comes in pieces, none of them larger than it has to be.
async fn whole(objects: &Objects, key: &Key) -> Option<Vec<u8>> {
    let mut all = Vec::new();
    let take = |piece: &[u8]| {
        all.extend_from_slice(piece);
        Ok(())
    };
    objects.fetch(key, take).await.expect("fetches").then_some(all)
}

/// What one machine made is there for another, whole, until it is too old. It is no part of a backup.
async fn can_be_shared(objects: &Objects, dir: &std::path::Path) {
    let (file, name) = (dir.join("made"), "ab".repeat(32));
    assert!(objects.kept(&name).await.expect("asks").is_none());
    for size in [1000, 12_000_000] {
        std::fs::write(&file, vec![7; size]).expect("writes");
        assert!(objects.keep(&name, &file).await.expect("keeps"));
        let mut taken = tokio::fs::File::create(dir.join("taken")).await.expect("a file");
        let kept = objects.kept(&name).await.expect("asks").expect("is there");
        assert!(kept.write_to(&mut taken).await.expect("comes"));
        assert_eq!(std::fs::read(dir.join("taken")).expect("reads"), vec![7; size]);
    }
    let now = SystemClock.now();
    assert_eq!(objects.sweep_kept(now, 50_000_000).await.expect("sweeps"), 0);
    assert_eq!(objects.sweep_kept(now + 15 * 24 * 3_600_000, 50_000_000).await.expect("sweeps"), 1);
    assert!(objects.keep(&name, &file).await.expect("keeps"), "and is no part of the copy below");
}

/// Who has told of the size of an object that is replaced, or goes, before its bytes are asked for is not given others.
async fn gives_what_was_seen_or_nothing(objects: &Objects) {
    let list = Key::Stream("e2".to_owned(), Streamed::VideoList);
    objects.put(&list, Bytes::from_static(b"#EXTM3U with parts")).await.expect("stores");
    let seen = objects.head(&list).await.expect("asks").expect("there");
    assert!(objects.stream(&list, seen, 0..seen.size).await.expect("asks").is_some());
    objects.put(&list, Bytes::from_static(b"#EXTM3U")).await.expect("stores");
    assert!(objects.stream(&list, seen, 0..seen.size).await.expect("asks").is_none(), "it is shorter by now");
    objects.delete(&list).await.expect("deletes");
    assert!(objects.stream(&list, seen, 0..seen.size).await.expect("asks").is_none(), "it is gone");
    objects.delete_owner("exports", "e2").await.expect("leaves no folder");
}

/// What any object store has to keep.
async fn keeps_the_contract(objects: &Objects) {
    let dir = tempfile::tempdir().expect("a folder");
    let film = Key::Film("e1".to_owned(), Format::Mp4);
    objects.ping().await.expect("answers");
    assert!(objects.head(&film).await.expect("asks").is_none());
    assert_eq!(whole(objects, &film).await, None);
    let file = dir.path().join("film.mp4");
    let bytes: Vec<u8> = (0..3_000_000u32).map(|n| n as u8).collect();
    std::fs::write(&file, &bytes).expect("writes");
    objects.put_file(&film, &file).await.expect("stores");
    assert!(!file.exists(), "it was moved");
    let seen = objects.head(&film).await.expect("asks").expect("there");
    assert_eq!(seen.size, 3_000_000);
    let part = objects.stream(&film, seen, 1000..1004).await.expect("asks").expect("is what was seen");
    let part: Vec<Bytes> = part.try_collect().await.expect("streams");
    assert_eq!(part.concat(), &bytes[1000..1004]);
    gives_what_was_seen_or_nothing(objects).await;
    objects.put(&Key::Poster("e1".to_owned()), Bytes::from_static(b"jpeg")).await.expect("stores");
    objects.put(&Key::Asset("a1".to_owned()), Bytes::from_static(b"png")).await.expect("stores");
    assert_eq!(whole(objects, &Key::Poster("e1".to_owned())).await.as_deref(), Some(&b"jpeg"[..]));
    assert!(whole(objects, &film).await.is_some_and(|film| film == bytes));
    assert_eq!(objects.owners("exports").await.expect("lists"), ["e1"]);
    assert_eq!(objects.owners("assets").await.expect("lists"), ["a1"]);
    // What was watched while a film was made goes without it.
    let list = Key::Stream("e1".to_owned(), Streamed::FilmList);
    objects.put(&list, Bytes::from_static(b"#EXTM3U")).await.expect("stores");
    assert!(objects.delete_stream("e1").await.expect("deletes"));
    assert!(!objects.delete_stream("e1").await.expect("is harmless"));
    assert!(whole(objects, &list).await.is_none() && whole(objects, &film).await.is_some());
    can_be_shared(objects, dir.path()).await;
    // Takes of somebody's presenter are copied with all else, and go together.
    let take = Key::Take("p1".to_owned(), "photo".to_owned());
    objects.put(&take, Bytes::from_static(b"a face")).await.expect("stores");
    let copy = dir.path().join("copy");
    assert_eq!(objects.copy_to(&copy).await.expect("copies"), 4);
    objects.delete(&Key::Kept("ab".repeat(32))).await.expect("deletes");
    assert_eq!(std::fs::read(copy.join("presenters/p1/photo")).expect("reads"), b"a face");
    objects.delete_owner("presenters", "p1").await.expect("deletes");
    assert_eq!(whole(objects, &take).await, None);
    objects.put_back("presenters/p1/photo", &copy.join("presenters/p1/photo")).await.expect("stores");
    assert_eq!(whole(objects, &take).await.as_deref(), Some(&b"a face"[..]));
    objects.delete_owner("presenters", "p1").await.expect("deletes");
    assert_eq!(std::fs::read(copy.join("exports/e1/film.mp4")).expect("reads"), bytes);
    objects.put_back("assets/a2", &copy.join("assets/a1")).await.expect("stores");
    assert_eq!(whole(objects, &Key::Asset("a2".to_owned())).await.as_deref(), Some(&b"png"[..]));
    objects.delete_owner("assets", "a2").await.expect("deletes");
    assert!(objects.head(&Key::Asset("a2".to_owned())).await.expect("asks").is_none(), "an upload is no folder");
    assert!(objects.head(&Key::Asset("a1".to_owned())).await.expect("asks").is_some());
    objects.delete_owner("assets", "a2").await.expect("is harmless");
    objects.delete(&Key::Asset("a1".to_owned())).await.expect("deletes");
    objects.delete(&Key::Asset("a1".to_owned())).await.expect("is harmless");
    objects.delete_owner("exports", "e1").await.expect("deletes");
    assert!(objects.head(&film).await.expect("asks").is_none());
    // Some servers go on showing the empty folder; nothing is in it.
    assert_eq!(objects.copy_to(&dir.path().join("nothing")).await.expect("copies"), 0);
}

#[tokio::test]
async fn a_folder_keeps_the_contract() {
    let dir = tempfile::tempdir().expect("a folder");
    let objects = Objects::folder(&dir.path().join("objects")).expect("opens");
    keeps_the_contract(&objects).await;
    let film = Key::Film("e1".to_owned(), Format::Mp4);
    assert!(objects.local(&film).is_some_and(|path| path.ends_with("exports/e1/film.mp4")));
    assert!(objects.presigned(&film, std::time::Duration::from_secs(60)).await.expect("asks").is_none());
}

/// Against a real server, which `tests/s3.sh` starts.
#[tokio::test]
#[ignore = "tests/s3.sh starts a server and runs it"]
async fn s3_keeps_the_contract() {
    let bucket = std::env::var("COMPERE_TEST_S3").expect("tests/s3.sh says where the server is");
    let objects = Objects::s3(&bucket).expect("opens");
    keeps_the_contract(&objects).await;
    let film = Key::Film("e1".to_owned(), Format::Mp4);
    let link = objects.presigned(&film, std::time::Duration::from_secs(60)).await.expect("asks").expect("S3 signs");
    assert!(link.contains("Signature="), "{link}");
    // An installation of files moves there, and back.
    let dir = tempfile::tempdir().expect("a folder");
    let file = |name: &str| Fresh::at(format!("sqlite:{}/{name}.db", dir.path().display()));
    let at = |name: &str| Objects::folder(&dir.path().join(name)).expect("opens");
    let (here, there, back) = (file("here").await, file("there").await, file("back").await);
    migrate::moves_and_moves_back((here, at("here")), (there, objects), (back, at("back")), dir.path()).await;
}
