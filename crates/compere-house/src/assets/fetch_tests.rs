use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use ureq::config::Config;
use ureq::http::Uri;
use ureq::unversioned::resolver::ResolvedSocketAddrs;
use ureq::unversioned::transport::NextTimeout;

use super::*;
use crate::assets::address::{Inward, Refusal};
use crate::assets::guard::BadLink;

/// A web server of one page: every request is answered by `answer`, which gets the request's head.
struct Server {
    address: SocketAddr,
    heads: Arc<Mutex<Vec<String>>>,
}

impl Server {
    fn new(answer: impl Fn(&str, &mut TcpStream) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let server = Self { address: listener.local_addr().unwrap(), heads: Arc::default() };
        let (heads, answer) = (server.heads.clone(), Arc::new(answer));
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (mut stream, heads, answer) = (stream.unwrap(), heads.clone(), answer.clone());
                thread::spawn(move || {
                    let reader = BufReader::new(stream.try_clone().unwrap());
                    let head: Vec<_> =
                        reader.lines().map_while(Result::ok).take_while(|line| !line.is_empty()).collect();
                    let head = head.join("\n");
                    heads.lock().unwrap().push(head.clone());
                    answer(&head, &mut stream);
                });
            }
        });
        server
    }

    /// A server that answers every request with these bytes.
    fn saying(reply: &str) -> Self {
        let reply = reply.to_owned();
        Self::new(move |_, stream| send(stream, &reply))
    }

    fn link(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    fn heads(&self) -> Vec<String> {
        self.heads.lock().unwrap().clone()
    }
}

/// Clients hang up early in these tests, so a failed write is fine.
fn send(stream: &mut TcpStream, text: &str) {
    let _ = stream.write_all(text.as_bytes());
}

fn page(body: &str) -> String {
    format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len())
}

struct Shop {
    fetcher: Fetcher,
    dir: tempfile::TempDir,
}

fn settings(dir: &tempfile::TempDir, allow: &[&str]) -> FetchSettings {
    FetchSettings {
        rules: AddressRules { allow: allow.iter().map(|entry| entry.parse().unwrap()).collect(), ports: vec![] },
        most_bytes: 1000,
        total: Duration::from_secs(5),
        stall: Duration::from_secs(3),
        fresh: Duration::ZERO,
        ..FetchSettings::new(dir.path().join("cache"), dir.path().join("site"))
    }
}

fn shop_with(change: impl FnOnce(&mut FetchSettings)) -> Shop {
    let dir = tempfile::tempdir().unwrap();
    let mut settings = settings(&dir, &["127.0.0.1:*"]);
    change(&mut settings);
    Shop { fetcher: Fetcher::new(settings).unwrap(), dir }
}

fn shop() -> Shop {
    shop_with(|_| ())
}

impl Shop {
    #[track_caller]
    fn text(&self, link: &str) -> String {
        fs::read_to_string(self.fetcher.fetch(link).unwrap()).unwrap()
    }

    #[track_caller]
    fn error(&self, link: &str) -> FetchError {
        let error = self.fetcher.fetch(link).unwrap_err();
        let left = fs::read_dir(self.dir.path().join("cache/partial")).unwrap().count();
        assert_eq!(left, 0, "a failed fetch leaves nothing behind");
        error
    }
}

/// A name service that gives the next answer on every question.
#[derive(Debug)]
struct Names {
    answers: Vec<Vec<SocketAddr>>,
    asked: AtomicUsize,
}

impl Names {
    fn new(answers: &[&[SocketAddr]]) -> Self {
        Self { answers: answers.iter().map(|answer| answer.to_vec()).collect(), asked: AtomicUsize::new(0) }
    }
}

impl Resolver for Names {
    fn resolve(&self, _: &Uri, _: &Config, _: NextTimeout) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let nth = self.asked.fetch_add(1, Ordering::SeqCst);
        let mut addresses = self.empty();
        self.answers[nth.min(self.answers.len() - 1)].iter().for_each(|&address| addresses.push(address));
        Ok(addresses)
    }
}

#[test]
fn a_file_is_fetched_whole_and_named_by_its_content() {
    let server = Server::saying(&page("a picture"));
    let shop = shop();
    let path = shop.fetcher.fetch(&server.link("/a.png")).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "a picture");
    assert_eq!(path.file_name().unwrap().to_str().unwrap(), blake3::hash(b"a picture").to_hex().as_str());
    assert!(fs::metadata(&path).unwrap().permissions().readonly());
    let head = &server.heads()[0];
    assert!(
        head.starts_with("GET /a.png HTTP/1.1") && head.to_lowercase().contains("accept-encoding: identity"),
        "{head}"
    );
}

#[test]
fn inward_addresses_are_not_called() {
    let server = Server::saying(&page("secret"));
    let shop = shop_with(|settings| settings.rules = AddressRules::default());
    let port = server.address.port();
    for host in ["127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "2130706433", "0x7f.1"] {
        let error = shop.error(&format!("http://{host}:{port}/"));
        assert!(matches!(error, FetchError::Refused(Refusal::Inward { why: Inward::Loopback, .. })), "{host}: {error}");
    }
    let error = shop.error("http://169.254.169.254/latest/meta-data/");
    assert!(matches!(error, FetchError::Refused(Refusal::Inward { why: Inward::LinkLocal, .. })), "{error}");
    assert!(server.heads().is_empty());
}

#[test]
fn a_name_is_asked_once_and_the_address_that_was_judged_is_called() {
    let dir = tempfile::tempdir().unwrap();
    let server = Server::saying(&page("the judged one"));
    let other = Server::saying(&page("the other one"));
    let names = Names::new(&[&[server.address], &[other.address]]);
    let allow = format!("{}", server.address);
    let fetcher = Fetcher::with_names(settings(&dir, &[&allow]), Arc::new(names)).unwrap();

    let path = fetcher.fetch("http://cdn.example/a.png").unwrap();
    assert_eq!(fs::read_to_string(path).unwrap(), "the judged one");
    // The name points elsewhere now: the second fetch is judged anew.
    let error = fetcher.fetch("http://cdn.example/b.png").unwrap_err();
    assert!(matches!(error, FetchError::Refused(Refusal::Inward { .. })), "{error}");
    assert!(other.heads().is_empty());
}

#[test]
fn one_inward_address_among_public_ones_refuses_the_name() {
    let dir = tempfile::tempdir().unwrap();
    let names = Names::new(&[&["93.184.216.34:80".parse().unwrap(), "10.0.0.7:80".parse().unwrap()]]);
    let fetcher = Fetcher::with_names(settings(&dir, &[]), Arc::new(names)).unwrap();
    let error = fetcher.fetch("http://cdn.example/a.png").unwrap_err();
    assert_eq!(
        error.to_string(),
        "there is no public host called `cdn.example`; others are fetched only where the operator allows them"
    );
    assert!(!error.is_transient());
}

#[test]
fn redirects_are_followed_and_judged() {
    let goal = Server::saying(&page("arrived"));
    let to = goal.link("/x");
    let start = Server::new(move |head, stream| {
        let to = if head.starts_with("GET /relative") { "/absolute" } else { to.as_str() };
        send(
            stream,
            &format!("HTTP/1.1 302 Found\r\nLocation: {to}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"),
        );
    });
    assert_eq!(shop().text(&start.link("/relative")), "arrived");

    let allow = start.address.to_string();
    let dir = tempfile::tempdir().unwrap();
    let fetcher = Fetcher::new(settings(&dir, &[&allow])).unwrap();
    let error = fetcher.fetch(&start.link("/absolute")).unwrap_err();
    assert!(matches!(error, FetchError::Refused(Refusal::Inward { .. })), "{error}");
    assert_eq!(goal.heads().len(), 1, "the goal was called by the first fetcher only");
}

#[test]
fn redirects_end() {
    let server = Server::new(|head, stream| {
        let to = match head.split(' ').nth(1) {
            Some("/round") => "/round",
            Some("/file") => "file:///etc/passwd",
            Some("/login") => "http://me:pw@127.0.0.1/",
            _ => "",
        };
        let location = if to.is_empty() { String::new() } else { format!("Location: {to}\r\n") };
        send(stream, &format!("HTTP/1.1 301 Moved\r\n{location}Content-Length: 0\r\nConnection: close\r\n\r\n"));
    });
    let shop = shop();
    assert!(matches!(shop.error(&server.link("/round")), FetchError::TooManyRedirects { most: 5, .. }));
    assert_eq!(server.heads().len(), 6);
    assert!(matches!(shop.error(&server.link("/file")), FetchError::BadRedirect { why: BadLink::Scheme(_), .. }));
    assert!(matches!(shop.error(&server.link("/login")), FetchError::BadRedirect { why: BadLink::Credentials, .. }));
    assert!(matches!(shop.error(&server.link("/lost")), FetchError::LostRedirect { .. }));
}

#[test]
fn size_is_limited_whatever_the_header_says() {
    let body = "x".repeat(1001);
    let honest = Server::saying(&page(&body));
    let silent = Server::saying(&format!("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{body}"));
    let chunked = Server::saying(&format!(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n3e9\r\n{body}\r\n0\r\n\r\n"
    ));
    let shop = shop();
    for server in [honest, silent, chunked] {
        assert!(matches!(shop.error(&server.link("/")), FetchError::TooLarge { most_bytes: 1000, .. }));
    }
    let just_fits = Server::saying(&page(&"x".repeat(1000)));
    assert_eq!(shop.text(&just_fits.link("/")).len(), 1000);
}

/// A server that answers with these gzip bytes.
fn zipped(bytes: Vec<u8>) -> Server {
    Server::new(move |_, stream| {
        let length = bytes.len();
        send(stream, &format!("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: {length}\r\n\r\n"));
        let _ = stream.write_all(&bytes);
    })
}

#[test]
fn a_zipped_reply_is_unpacked_and_its_true_size_counts() {
    let picture =
        [31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 75, 84, 40, 200, 76, 46, 41, 45, 74, 5, 0, 232, 115, 208, 223, 9, 0, 0, 0];
    assert_eq!(shop().text(&zipped(picture.to_vec()).link("/")), "a picture");

    // 100,000 zeros.
    let mut bomb = vec![31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 237, 193, 49, 1, 0, 0, 0, 194, 160, 245, 79, 109, 13, 15, 160];
    bomb.resize(121, 0);
    bomb.extend([128, 87, 3, 125, 149, 17, 212, 160, 134, 1, 0]);
    assert!(matches!(shop().error(&zipped(bomb).link("/")), FetchError::TooLarge { .. }));
}

#[test]
fn a_reply_that_breaks_off_is_no_file() {
    let short = Server::saying("HTTP/1.1 200 OK\r\nContent-Length: 900\r\nConnection: close\r\n\r\nonly this");
    let chunk = Server::saying("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nonly this\r\n");
    let shop = shop();
    for server in [short, chunk] {
        let error = shop.error(&server.link("/"));
        assert!(matches!(error, FetchError::BrokeOff { bytes: 9, .. }), "{error:?}");
        assert!(error.is_transient());
    }
    let empty = Server::saying(&page(""));
    assert!(matches!(shop.error(&empty.link("/")), FetchError::Empty { .. }));
}

#[test]
fn slow_and_silent_servers_are_left() {
    let silent = Server::new(|_, stream| {
        send(stream, "HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\nfirst");
        thread::sleep(Duration::from_secs(5));
    });
    let dripping = Server::new(|_, stream| {
        send(stream, "HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n");
        for _ in 0..100 {
            thread::sleep(Duration::from_millis(50));
            send(stream, "x");
        }
    });
    let mute = Server::new(|_, _| thread::sleep(Duration::from_secs(5)));
    let shop = shop_with(|settings| {
        settings.total = Duration::from_millis(900);
        settings.stall = Duration::from_millis(300);
    });
    let start = Instant::now();
    assert!(matches!(shop.error(&silent.link("/")), FetchError::Stalled { .. }));
    assert!(matches!(shop.error(&mute.link("/")), FetchError::Stalled { .. }));
    let error = shop.error(&dripping.link("/"));
    assert!(matches!(error, FetchError::TooSlow { .. }), "{error:?}");
    assert!(start.elapsed() < Duration::from_secs(4), "{:?}", start.elapsed());
}

#[test]
fn whoever_leaves_cuts_the_fetch_short() {
    let mute = Server::new(|_, _| thread::sleep(Duration::from_secs(20)));
    let silent = Server::new(|_, stream| {
        send(stream, "HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\nfirst");
        thread::sleep(Duration::from_secs(20));
    });
    // Without a length the end of the connection would be the end of the file.
    let endless = Server::new(|_, stream| {
        send(stream, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nfirst");
        thread::sleep(Duration::from_secs(20));
    });
    let shop =
        shop_with(|settings| (settings.total, settings.stall) = (Duration::from_secs(20), Duration::from_secs(20)));
    for server in [mute, silent, endless] {
        let flag = Arc::new(AtomicBool::new(false));
        let leaves = Arc::clone(&flag);
        thread::spawn(move || {
            thread::sleep(Duration::from_millis(300));
            leaves.store(true, Ordering::Relaxed);
        });
        let start = Instant::now();
        assert_eq!(shop.fetcher.fetch_until(&server.link("/"), &Left::when(flag)), Err(FetchError::GivenUp));
        assert!(start.elapsed() < Duration::from_secs(4), "{:?}", start.elapsed());
    }
}

#[test]
fn who_stays_gets_the_file_whoever_left() {
    let calls = AtomicUsize::new(0);
    let server = Server::new(move |_, stream| {
        if calls.fetch_add(1, Ordering::SeqCst) == 0 {
            thread::sleep(Duration::from_secs(20));
        }
        send(stream, &page("stayed for"));
    });
    let shop =
        shop_with(|settings| (settings.total, settings.stall) = (Duration::from_secs(20), Duration::from_secs(20)));
    let link = server.link("/");
    let flag = Arc::new(AtomicBool::new(false));
    let start = Instant::now();
    thread::scope(|scope| {
        let (fetcher, left, link) = (&shop.fetcher, Left::when(Arc::clone(&flag)), &link);
        let first = scope.spawn(move || fetcher.fetch_until(link, &left));
        thread::sleep(Duration::from_millis(300));
        let second = scope.spawn(move || fetcher.fetch(link));
        // Waits for what the first one fetches, and leaves.
        let third = Arc::new(AtomicBool::new(false));
        let left = Left::when(Arc::clone(&third));
        let third_asks = scope.spawn(move || fetcher.fetch_until(link, &left));
        thread::sleep(Duration::from_millis(300));
        third.store(true, Ordering::Relaxed);
        assert_eq!(third_asks.join().unwrap(), Err(FetchError::GivenUp));
        flag.store(true, Ordering::Relaxed);
        assert_eq!(first.join().unwrap(), Err(FetchError::GivenUp));
        let file = second.join().unwrap().unwrap();
        assert_eq!(fs::read_to_string(file).unwrap(), "stayed for");
    });
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

#[test]
fn a_fast_sender_cannot_outrun_the_clock() {
    let endless = Server::new(|_, stream| {
        send(stream, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n");
        let piece = vec![b'x'; 65536];
        while stream.write_all(&piece).is_ok() {}
    });
    let shop = shop_with(|settings| {
        settings.total = Duration::from_millis(200);
        settings.most_bytes = u64::MAX;
    });
    assert!(matches!(shop.error(&endless.link("/")), FetchError::TooSlow { .. }));
}

#[test]
fn failures_are_told_apart() {
    let shop = shop();
    for (status, transient) in
        [(404, false), (403, false), (206, false), (204, false), (304, false), (429, true), (503, true)]
    {
        let server = Server::saying(&format!("HTTP/1.1 {status} X\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"));
        let error = shop.error(&server.link("/"));
        assert!(matches!(error, FetchError::Status { status: got, .. } if got == status), "{error:?}");
        assert_eq!(error.is_transient(), transient, "{status}");
    }
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let error = shop.error(&format!("http://{nobody}/"));
    assert!(matches!(error, FetchError::Unreachable { .. }) && error.is_transient(), "{error:?}");
    assert!(matches!(shop.error("file:///etc/passwd"), FetchError::Link(BadLink::Scheme(_))));
    assert!(matches!(shop.error("/../etc/passwd"), FetchError::Site(_)));
}

/// A name service that fails in its own words.
#[derive(Debug)]
struct Mute(&'static str);

impl Resolver for Mute {
    fn resolve(&self, _: &Uri, _: &Config, _: NextTimeout) -> Result<ResolvedSocketAddrs, ureq::Error> {
        Err(io::Error::other(format!("failed to lookup address information: {}", self.0)).into())
    }
}

#[test]
fn a_wrong_name_and_a_broken_name_service_are_told_apart() {
    let dir = tempfile::tempdir().unwrap();
    let ask =
        |words| Fetcher::with_names(settings(&dir, &[]), Arc::new(Mute(words))).unwrap().fetch("http://no.example/a");
    assert_eq!(ask("Name or service not known"), Err(FetchError::NoSuchHost { host: "no.example".into() }));
    let error = ask("Temporary failure in name resolution").unwrap_err();
    assert!(matches!(error, FetchError::Unreachable { .. }) && error.is_transient(), "{error:?}");
}

#[test]
fn many_who_ask_at_once_share_one_download() {
    let server = Server::new(|_, stream| {
        thread::sleep(Duration::from_millis(200));
        send(stream, &page("shared"));
    });
    let shop = shop_with(|settings| settings.fresh = Duration::from_secs(60));
    let link = server.link("/a.png");
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| assert_eq!(shop.text(&link), "shared"));
        }
    });
    assert_eq!(shop.text(&link), "shared");
    assert_eq!(server.heads().len(), 1);
}

#[test]
fn a_failure_is_shared_by_those_who_wait_and_tried_again_by_the_next() {
    let calls = AtomicUsize::new(0);
    let server = Server::new(move |_, stream| {
        if calls.fetch_add(1, Ordering::SeqCst) == 0 {
            send(stream, "HTTP/1.1 503 X\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        } else {
            send(stream, &page("recovered"));
        }
    });
    let shop = shop_with(|settings| settings.fresh = Duration::from_secs(60));
    assert!(matches!(shop.error(&server.link("/")), FetchError::Status { status: 503, .. }));
    assert_eq!(shop.text(&server.link("/")), "recovered");
}

#[test]
fn an_unchanged_file_is_not_sent_again() {
    let server = Server::new(|head, stream| {
        let known = head.to_lowercase().contains("if-none-match: \"v1\"");
        let reply = if known {
            "HTTP/1.1 304 Not Modified\r\nETag: \"v1\"\r\nConnection: close\r\n\r\n".to_owned()
        } else {
            page("first").replace("Connection", "ETag: \"v1\"\r\nConnection")
        };
        send(stream, &reply);
    });
    let shop = shop();
    let first = shop.fetcher.fetch(&server.link("/a")).unwrap();
    assert_eq!(shop.fetcher.fetch(&server.link("/a")), Ok(first.clone()));
    assert_eq!(server.heads().len(), 2, "asked again, because nothing stays fresh in this test");

    fs::remove_file(&first).unwrap();
    assert_eq!(shop.text(&server.link("/a")), "first", "without the file the validator is not sent");
}

#[test]
fn a_changed_file_is_a_new_file_and_the_old_one_stays() {
    let version = Arc::new(AtomicUsize::new(1));
    let served = version.clone();
    let server = Server::new(move |_, stream| send(stream, &page(&format!("v{}", served.load(Ordering::SeqCst)))));
    let shop = shop();
    let old = shop.fetcher.fetch(&server.link("/a")).unwrap();
    version.store(2, Ordering::SeqCst);
    assert_eq!(shop.text(&server.link("/a")), "v2");
    assert_eq!(fs::read_to_string(old).unwrap(), "v1", "a film under way still has what it began with");
}

#[test]
fn validators_go_only_to_the_host_that_gave_them() {
    let goal = Server::saying(&page("moved").replace("Connection", "ETag: \"secret\"\r\nConnection"));
    let to = goal.link("/x");
    let start = Server::new(move |_, stream| {
        send(
            stream,
            &format!("HTTP/1.1 302 Found\r\nLocation: {to}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"),
        );
    });
    let shop = shop();
    assert_eq!(shop.text(&start.link("/")), "moved");
    assert_eq!(shop.text(&start.link("/")), "moved");
    assert!(start.heads().iter().all(|head| !head.contains("secret")));
    assert!(goal.heads()[1].contains("secret"));
}

#[test]
fn site_paths_need_no_network() {
    let shop = shop();
    fs::create_dir_all(shop.dir.path().join("site/images")).unwrap();
    fs::write(shop.dir.path().join("site/images/x.png"), "x").unwrap();
    assert_eq!(shop.text("/images/x.png"), "x");
}
