//! Links to our own media: where they lead was found out by whoever gave us the work.
//!
//! A link without a pass is refused, not passed on: nothing that claims to be ours is asked of another machine.

use std::collections::{HashMap, VecDeque};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use compere_house::assets::{Cache, Note};
use compere_house::links::Links;

use super::protocol::{Lies, Pass};

/// Ten gigabytes of uploads and slides.
const KEPT: u64 = 10_000_000_000;
/// Passes of the works of a while; a film has thousands at most.
const PASSES: usize = 100_000;
/// For the store to begin, and between two pieces.
const PATIENCE: Duration = Duration::from_secs(30);

#[derive(Debug)]
pub struct OwnMedia {
    /// Tells links that claim to be ours from others. Its secret is nobody's.
    links: Links,
    passes: Mutex<Passes>,
    /// Objects of a remote store, once fetched: what a link names never changes. What is used least goes.
    kept: Cache,
    agent: ureq::Agent,
}

#[derive(Debug, Default)]
struct Passes {
    by_path: HashMap<String, Lies>,
    /// Oldest first.
    order: VecDeque<String>,
}

impl OwnMedia {
    pub fn new(base_url: String, kept: &Path) -> std::io::Result<Self> {
        let tls = ureq::tls::TlsConfig::builder().root_certs(ureq::tls::RootCerts::PlatformVerifier).build();
        // The operator's own store: whoever signed its links has judged its address.
        let agent = ureq::Agent::config_builder()
            .proxy(None)
            .max_redirects(0)
            .http_status_as_error(false)
            .timeout_connect(Some(PATIENCE))
            .timeout_recv_response(Some(PATIENCE))
            .timeout_per_read(Some(PATIENCE))
            .tls_config(tls)
            .build()
            .into();
        let links = Links::new("", base_url, 0);
        Ok(Self { links, passes: Mutex::default(), kept: Cache::open(kept, KEPT)?, agent })
    }

    /// Takes the passes that came with a piece of work.
    pub fn admit(&self, passes: Vec<Pass>) {
        let mut known = self.passes.lock().unwrap_or_else(PoisonError::into_inner);
        for Pass { path, lies } in passes {
            if known.by_path.insert(path.clone(), lies).is_none() {
                known.order.push_back(path);
            }
            if known.order.len() > PASSES
                && let Some(oldest) = known.order.pop_front()
            {
                known.by_path.remove(&oldest);
            }
        }
    }

    /// The file behind a link of ours; none when the link is somebody else's.
    pub fn file(&self, link: &str) -> Option<Result<PathBuf, String>> {
        let path = self.links.own(link)?;
        let lies = self.passes.lock().unwrap_or_else(PoisonError::into_inner).by_path.get(path).cloned();
        let lies = lies.ok_or_else(|| format!("`{path}` is not a link of ours: its signature is wrong"));
        Some(lies.and_then(|lies| self.fetch(path, &lies).map_err(|why| format!("`{path}` cannot be had: {why}"))))
    }

    fn fetch(&self, path: &str, lies: &Lies) -> Result<PathBuf, String> {
        let url = match lies {
            Lies::Here(file) => {
                return if file.is_file() { Ok(file.clone()) } else { Err("it was deleted".to_owned()) };
            }
            Lies::There(url) => url,
        };
        if let Some(file) = self.kept.entry(path).and_then(|entry| self.kept.file(&entry)) {
            return Ok(file);
        }
        let failed = |error: std::io::Error| error.to_string();
        // What went wrong with a signed link is told without it.
        let answer = self.agent.get(url).call().map_err(|_| "the store does not answer".to_owned())?;
        match answer.status().as_u16() {
            200 => {}
            404 => return Err("it was deleted".to_owned()),
            other => return Err(format!("the store answers {other}")),
        }
        let (mut partial, mut reader) = (self.kept.begin().map_err(failed)?, answer.into_body().into_reader());
        let mut buffer = vec![0; 1 << 16];
        loop {
            match reader.read(&mut buffer).map_err(failed)? {
                0 => break,
                read => partial.add(&buffer[..read]).map_err(failed)?,
            }
        }
        self.kept.keep(path, partial, Note::default()).map_err(failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn media(dir: &Path) -> OwnMedia {
        OwnMedia::new("http://box:7300".to_owned(), &dir.join("kept")).expect("opens")
    }

    #[test]
    fn only_links_with_a_pass_open_and_foreign_ones_are_left_alone() {
        let dir = tempfile::tempdir().expect("a folder");
        let (media, file) = (media(dir.path()), dir.path().join("object"));
        std::fs::write(&file, b"x").expect("writes");
        let path = "/media/a/abc123/00ff/logo.png".to_owned();
        media.admit(vec![Pass { path: path.clone(), lies: Lies::Here(file.clone()) }]);
        for link in [path.clone(), format!("http://box:7300{path}"), format!("{path}?v=2")] {
            assert_eq!(media.file(&link), Some(Ok(file.clone())), "{link}");
        }
        assert!(media.file("/media/a/abc124/00ff/logo.png").expect("claims to be ours").is_err());
        assert!(media.file("https://example.com/media/a/abc123/x/y.png").is_none());
        assert!(media.file("/images/background/x.png").is_none());
        std::fs::remove_file(&file).expect("goes");
        assert!(media.file(&path).expect("is ours").expect_err("was deleted").contains("deleted"));
    }

    #[test]
    fn what_lies_in_a_store_is_fetched_once() {
        use std::io::Write;
        let dir = tempfile::tempdir().expect("a folder");
        let (media, store) = (media(dir.path()), std::net::TcpListener::bind("127.0.0.1:0").expect("a port"));
        let url = format!("http://{}/bucket/assets/a?X-Amz-Signature=00", store.local_addr().expect("an address"));
        let serving = std::thread::spawn(move || {
            for answer in ["200 OK\r\nContent-Length: 3\r\n\r\nabc", "404 Not Found\r\nContent-Length: 0\r\n\r\n"] {
                let (mut stream, _) = store.accept().expect("a call");
                let mut head = [0; 4096];
                let _ = stream.read(&mut head).expect("a head");
                stream.write_all(format!("HTTP/1.1 {answer}").as_bytes()).expect("answers");
            }
        });
        let pass = |path: &str| Pass { path: path.to_owned(), lies: Lies::There(url.clone()) };
        media.admit(vec![pass("/media/a/a/0/x"), pass("/media/a/b/0/x")]);
        for _ in 0..2 {
            let file = media.file("/media/a/a/0/x").expect("is ours").expect("comes");
            assert_eq!(std::fs::read(file).expect("reads"), b"abc");
        }
        let gone = media.file("/media/a/b/0/x").expect("is ours").expect_err("is gone");
        assert!(gone.contains("deleted") && !gone.contains("Signature"), "{gone}");
        serving.join().expect("ends");
    }
}
